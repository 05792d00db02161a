"""Playing a hand to its end over and over with the hidden cards dealt anew: what a bid or a card is worth.

Deals agree with all that the place has seen: its own cards, the cards played, the suits that others have shown they
lack. Of several such deals one is kept, each as likely as the bids made look with its cards.
"""

from scorekeeper.engine.bits import lowest
from scorekeeper.engine.cards import LANE, PLAIN
from scorekeeper.engine.compiled import Ints, Octets, compiled
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
    bid_of,
    dealt_worth,
    play_out,
    put,
    worth_of,
)

# Who bids has cards worth the bid, but for these hundredths of the way from there to an even share of the tricks:
# among table bots, 4 players with 3, 7 and 12 cards, 45, 33 and 18.
TO_SHARE = 35
FAIR = 64  # deals that are tried before one may give a place a suit that it lacks


@compiled
def replay(position: Ints, played: Ints, count: int) -> None:
    """Plays `count` kinds of cards from a position, each `place * 64 + kind`."""
    for index in range(count):
        put(position, played[index] // 64, played[index] % 64)


@compiled
def hide(position: Ints, me: int, hands: Ints, deck: Ints, state: Ints) -> None:
    """Deals the cards that `me` has not seen: `hands[place]` cards to each other place, the rest to nobody."""
    players = position[SEATS]
    count = hidden(position, me, deck)
    bound = 0
    for place in range(players):
        bound |= position[at(position, VOID, place)] if place != me else 0
    for _ in range(FAIR if bound else 0):
        clear(position, me)
        if hide_fairly(position, me, hands, deck, count, state):
            return
    clear(position, me)
    taken = 0
    for place in range(players):
        for _ in range(hands[place] if place != me else 0):
            other = taken + below(state, 0, count - taken)
            deck[taken], deck[other] = deck[other], deck[taken]
            give(position, place, deck[taken])
            taken += 1


@compiled
def hidden(position: Ints, me: int, deck: Ints) -> int:
    """Writes the cards that `me` has not seen into `deck` and gives their number."""
    count = 0
    for copy in range(2):
        rest, mine = (REST, ONE) if copy == 0 else (REST_TWO, TWO)
        cards = position[rest] & ~position[at(position, mine, me)]
        while cards:
            deck[count] = copy * 64 + lowest(cards)
            cards &= cards - 1
            count += 1
    return count


@compiled
def clear(position: Ints, me: int) -> None:
    """Takes the cards of all other places away."""
    for place in range(position[SEATS]):
        if place != me:
            position[at(position, ONE, place)] = position[at(position, TWO, place)] = 0


@compiled
def give(position: Ints, place: int, card: int) -> None:
    """Adds a card to the cards of a place."""
    position[at(position, ONE if card < 64 else TWO, place)] |= 1 << card % 64


@compiled
def hide_fairly(position: Ints, me: int, hands: Ints, deck: Ints, count: int, state: Ints) -> bool:
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
def likelihood(position: Ints, me: int, shown: Ints, known: Ints, likely: Ints, tables: Octets) -> int:
    """How well the bids made fit the cards dealt, as a weight of 1 to 2**26: those of sixteen deals may be added up.

    `shown[place]` are the kinds that each has played, `shown[players]` the kinds in the pack but the one turned up,
    `known[place]` its bid or -1.
    """
    players, cards = position[SEATS], position[SIZE]
    weight = 1 << 26
    for place in range(players):
        bid = known[place]
        if place != me and bid >= 0:
            holding = position[at(position, ONE, place)] | position[at(position, TWO, place)] | shown[place]
            worth = worth_of(holding, shown[players] & ~holding, position[TRUMP_SET], cards, players, tables)
            usual = bid * FULL + (cards * FULL // players - bid * FULL) * TO_SHARE // 100
            step = min(max((worth - usual) * 4 // FULL + STEPS // 2, 0), STEPS - 1)
            weight = weight * likely[step] >> 8
    return max(weight, 1)


@compiled
def plausible(
    position: Ints, me: int, hands: Ints, deck: Ints, state: Ints, tries: int, shown: Ints, known: Ints, likely: Ints,
    tables: Octets, kept: Ints,
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
    for index in range(2 * players):
        position[POSITION + index] = kept[index]


@compiled
def try_bids(
    position: Ints, me: int, candidates: int, order: Ints, known: Ints, hook: int, samples: int, tries: int,
    value: Ints, tables: Octets, likely: Ints, state: Ints, deck: Ints, hands: Ints, shown: Ints, needs: Ints,
    facts: Ints, log: Ints, points: Ints, kept: Ints, scratch: Ints, counts: Ints,
) -> None:  # fmt: skip
    """Counts how often each bid of the set `candidates` comes to how many tricks: `counts[bid * (cards + 1) + tricks]`.

    `order` are the places in bidding order, `known[place]` the bids made or -1; those after `me` bid by table.
    """
    players, cards = position[SEATS], position[SIZE]
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
                    worth = dealt_worth(position, place, tables)
                    said = bid_of(position, worth, turn, total, hook, value, tables, points)
                total += said
                scratch[at(scratch, BID, place)] = said
            play_out(scratch, cards, value, tables, needs, facts, log)
            counts[bid * (cards + 1) + scratch[at(scratch, WON, me)]] += 1


@compiled
def try_cards(
    position: Ints, me: int, left: int, legal: int, samples: int, tries: int, value: Ints, tables: Octets,
    likely: Ints, state: Ints, deck: Ints, hands: Ints, shown: Ints, known: Ints, needs: Ints, facts: Ints, log: Ints,
    kept: Ints, scratch: Ints, sums: Ints,
) -> None:  # fmt: skip
    """Adds the points of each kind of the set `legal`, lowest first, over the same deals to `sums[index]`."""
    players, cards = position[SEATS], position[SIZE]
    size = POSITION + 5 * players
    for _ in range(samples):
        plausible(position, me, hands, deck, state, tries, shown, known, likely, tables, kept)
        kinds, index = legal, 0
        while kinds:
            kind = lowest(kinds)
            kinds &= kinds - 1
            for each in range(size):
                scratch[each] = position[each]
            put(scratch, me, kind)
            play_out(scratch, left if scratch[DOWN] else left - 1, value, tables, needs, facts, log)
            bid, won = scratch[at(scratch, BID, me)], scratch[at(scratch, WON, me)]
            sums[index] += value[bid * (cards + 1) + won]
            index += 1
