"""Playing a hand to its end over and over with the hidden cards dealt anew: what a bid or a card is worth.

Deals agree with all that the place has seen: its own cards, the cards played, the suits that others have shown they
lack. Of several such deals one is kept, each as likely as the bids made look with its cards.
"""

from typing import Any

from scorekeeper.engine.cards import LANE, PLAIN
from scorekeeper.engine.compiled import compiled
from scorekeeper.engine.heuristics import (
    BID,
    DOWN,
    FULL,
    ONE,
    POSITION,
    REST,
    REST_TWO,
    SEATS,
    SIZE,
    STEPS,
    TRUMP_SET,
    TWO,
    VOID,
    WON,
    at,
    below,
    play_out,
    put,
    table_bid,
    worth_of,
)

FAIR = 64  # deals that are tried before one may hold a suit that its player lacks


@compiled
def replay(position: Any, played: Any, count: int) -> None:
    """Plays `count` kinds of cards from a position, each `place * 64 + kind`."""
    for index in range(count):
        put(position, played[index] // 64, played[index] % 64)


@compiled
def hide(position: Any, me: int, hands: Any, deck: Any, state: Any) -> None:
    """Deals the cards that `me` has not seen: `hands[place]` cards to each other place, the rest to nobody."""
    players = position[SEATS]
    one, two = position[at(position, ONE, me)], position[at(position, TWO, me)]
    count = 0
    for copy in range(2):
        cards = position[REST] & ~one if copy == 0 else position[REST_TWO] & ~two
        while cards:
            deck[count] = copy * 64 + (cards & -cards).bit_length() - 1
            cards &= cards - 1
            count += 1
    bound = 0
    for place in range(players):
        bound += position[at(position, VOID, place)] if place != me else 0
    for attempt in range(FAIR):
        for place in range(players):
            if place != me:
                position[at(position, ONE, place)] = position[at(position, TWO, place)] = 0
        if bound == 0 or attempt == FAIR - 1:
            taken = 0
            for place in range(players):
                for _ in range(hands[place] if place != me else 0):
                    other = taken + below(state, 0, count - taken)
                    deck[taken], deck[other] = deck[other], deck[taken]
                    give(position, place, deck[taken])
                    taken += 1
            return
        if hide_fairly(position, me, hands, deck, count, state):
            return


@compiled
def give(position: Any, place: int, card: int) -> None:
    """Adds a card to the cards of a place."""
    position[at(position, ONE if card < 64 else TWO, place)] |= 1 << card % 64


@compiled
def hide_fairly(position: Any, me: int, hands: Any, deck: Any, count: int, state: Any) -> bool:
    """Deals every card of the deck to a place that may have it, or to nobody; False where that does not come out.

    The places with room share a card's chance as they have room.
    """
    players = position[SEATS]
    room = 0
    for place in range(players):
        hands[players + place] = hands[place] if place != me else 0
        room += hands[players + place]
    nobody = count - room
    for index in range(count):
        other = index + below(state, 0, count - index)
        deck[index], deck[other] = deck[other], deck[index]
        card = deck[index]
        kind = card % 64
        suit = 1 << kind // LANE if PLAIN >> kind & 1 else 0
        total = nobody
        for place in range(players):
            total += 0 if position[at(position, VOID, place)] & suit else hands[players + place]
        if total == 0:
            return False
        pick = below(state, 0, total)
        if pick < nobody:
            nobody -= 1
            continue
        pick -= nobody
        for place in range(players):
            share = 0 if position[at(position, VOID, place)] & suit else hands[players + place]
            if pick < share:
                give(position, place, card)
                hands[players + place] -= 1
                break
            pick -= share
    return True


@compiled
def likelihood(position: Any, me: int, shown: Any, known: Any, likely: Any, tables: Any) -> int:
    """How well the bids made fit the cards dealt, as a weight of at least 1 and at most 2**29.

    `shown[place]` are the kinds that each has played, `shown[players]` the kinds in the pack but the one turned up,
    `known[place]` its bid or -1.
    """
    players, cards = position[SEATS], position[SIZE]
    weight = 1 << 29
    for place in range(players):
        bid = known[place]
        if place != me and bid >= 0:
            holding = position[at(position, ONE, place)] | position[at(position, TWO, place)] | shown[place]
            worth = worth_of(holding, shown[players] & ~holding, position[TRUMP_SET], cards, players, tables)
            step = min(max((worth - bid * FULL) * 4 // FULL + STEPS // 2, 0), STEPS - 1)
            weight = weight * likely[step] >> 8
    return max(weight, 1)


@compiled
def plausible(
    position: Any, me: int, hands: Any, deck: Any, state: Any, tries: int, shown: Any, known: Any, likely: Any,
    tables: Any, kept: Any,
) -> None:  # fmt: skip
    """Deals the hidden cards, `tries` times, and keeps one deal by the likelihood of the bids; `kept` is for work."""
    players = position[SEATS]
    total = 0
    for _ in range(tries):
        hide(position, me, hands, deck, state)
        if tries == 1:
            return
        weight = likelihood(position, me, shown, known, likely, tables)
        total += weight
        if below(state, 0, total) < weight:
            for index in range(2 * players):
                kept[index] = position[POSITION + index]
        if total >= 1 << 30:
            total >>= 1
    for index in range(2 * players):
        position[POSITION + index] = kept[index]


@compiled
def try_bids(
    position: Any, me: int, candidates: int, order: Any, known: Any, hook: int, samples: int, tries: int, value: Any,
    tables: Any, likely: Any, state: Any, deck: Any, hands: Any, shown: Any, needs: Any, facts: Any, log: Any,
    points: Any, kept: Any, scratch: Any, counts: Any,
) -> None:  # fmt: skip
    """Counts how often each bid of the set `candidates` comes to how many tricks: `counts[bid * (cards + 1) + tricks]`.

    `order` are the places in bidding order, `known[place]` the bids made or -1; those after `me` bid by table.
    """
    players, cards = position[SEATS], position[SIZE]
    no_trump = 0 if position[TRUMP_SET] else 1
    size = POSITION + 5 * players
    for _ in range(samples):
        plausible(position, me, hands, deck, state, tries, shown, known, likely, tables, kept)
        for bid in range(cards + 1):
            if not candidates >> bid & 1:
                continue
            for index in range(size):
                scratch[index] = position[index]
            total = 0
            for turn in range(players):
                place = order[turn]
                said = known[place]
                if place == me:
                    said = bid
                elif said < 0:
                    one, two = position[at(position, ONE, place)], position[at(position, TWO, place)]
                    unseen = position[REST] & ~one | position[REST_TWO] & ~two
                    worth = worth_of(one | two, unseen, position[TRUMP_SET], cards, players, tables)
                    allowed = (2 << cards) - 1
                    if hook and turn == players - 1 and 0 <= cards - total <= cards:
                        allowed &= ~(1 << (cards - total))
                    said = table_bid(
                        worth, players, cards, no_trump, turn, total, allowed, hook, value, tables, points
                    )
                total += said
                scratch[at(scratch, BID, place)] = said
            play_out(scratch, cards, value, tables, needs, facts, log)
            counts[bid * (cards + 1) + scratch[at(scratch, WON, me)]] += 1


@compiled
def try_cards(
    position: Any, me: int, left: int, legal: int, samples: int, tries: int, value: Any, spite: int, tables: Any,
    likely: Any, state: Any, deck: Any, hands: Any, shown: Any, known: Any, needs: Any, facts: Any, log: Any,
    kept: Any, scratch: Any, sums: Any,
) -> None:  # fmt: skip
    """Adds up the points that each kind of the set `legal` comes to over the same deals: `sums[index]`, lowest first.

    `spite` 64ths of the points of all others together are taken off.
    """
    players, cards = position[SEATS], position[SIZE]
    size = POSITION + 5 * players
    for _ in range(samples):
        plausible(position, me, hands, deck, state, tries, shown, known, likely, tables, kept)
        kinds, index = legal, 0
        while kinds:
            kind = (kinds & -kinds).bit_length() - 1
            kinds &= kinds - 1
            for each in range(size):
                scratch[each] = position[each]
            put(scratch, me, kind)
            finish(scratch, left, value, tables, needs, facts, log)
            for place in range(players):
                bid, won = scratch[at(scratch, BID, place)], scratch[at(scratch, WON, place)]
                points = value[bid * (cards + 1) + won]
                sums[index] += points * 64 if place == me else -points * spite
            index += 1


@compiled
def finish(position: Any, left: int, value: Any, tables: Any, needs: Any, facts: Any, log: Any) -> None:
    """Plays out a position after a card was put, `left` tricks with the one it was put on."""
    if position[DOWN] == 0:
        left -= 1
    play_out(position, left, value, tables, needs, facts, log)
