"""Many hands of the heuristic player against itself: banks of bids and tricks, and what its tables learn from."""

from typing import Any

from scorekeeper.engine.cards import JESTER, LANE, ONE_SUIT
from scorekeeper.engine.compiled import compiled
from scorekeeper.engine.heuristics import *


@compiled
def self_hands(
    hands: int, players: int, cards: int, deck: Any, turn: int, duty: int, special: int, hook: int, value: Any,
    tables: Any, state: Any, noise: int, position: Any, needs: Any, facts: Any, points: Any, log: Any,
    seen: Any, hits: Any, bids: Any, tricks: Any,
) -> None:  # fmt: skip
    """Plays whole hands of this player against itself and writes `bids` and `tricks`, `hand * players + place`.

    `turn` says whether a card is turned up for the trump: 1 yes, 0 no trump, 2 a suit drawn beside the pack.
    One bid in `noise` is another one, none where it is 0. With a log that is on, what it says is added to `seen`
    and `hits`.
    """
    for hand in range(hands):
        in_hands = players * cards
        for index in range(in_hands + (1 if turn == 1 else 0)):
            other = index + below(state, 0, len(deck) - index)
            deck[index], deck[other] = deck[other], deck[index]
        trumps = 0
        if turn == 1:
            rank = deck[in_hands] % 64 % LANE
            trumps = 0 if rank == JESTER else ONE_SUIT << (deck[in_hands] % 64 - rank)
        elif turn == 2:
            trumps = ONE_SUIT << LANE * below(state, 0, 4)
        set_up(position, players, cards, 0, trumps, duty, special)
        for index in range(len(deck)):
            card = deck[index]
            first = card < 64
            if index != in_hands or turn != 1:
                position[REST if first else REST_TWO] |= 1 << card % 64
            if index < in_hands:
                position[at(position, ONE if first else TWO, index % players)] |= 1 << card % 64
        total = 0
        for place in range(players):
            one, two = position[at(position, ONE, place)], position[at(position, TWO, place)]
            unseen = position[REST] & ~one | position[REST_TWO] & ~two
            worth = worth_of(one | two, unseen, trumps, cards, players, tables)
            allowed = (2 << cards) - 1
            if hook and place == players - 1 and 0 <= cards - total <= cards:
                allowed &= ~(1 << (cards - total))
            bid = table_bid(
                worth, players, cards, 0 if trumps else 1, place, total, allowed, hook, value, tables, points
            )
            if noise and below(state, 0, noise) == 0:
                other = bid + (1, -1, 2, -2)[below(state, 0, 4)]
                bid = other if 0 <= other <= cards and allowed >> other & 1 else bid
            position[at(position, BID, place)] = bid
            bids[hand * players + place] = bid
            points[cards + 1 + place] = worth
            total += bid
        log[0] = min(log[0], 0)
        play_out(position, cards, value, tables, needs, facts, log)
        for place in range(players):
            tricks[hand * players + place] = position[at(position, WON, place)]
        if log[0] >= 0:
            learn(log, position, total, points, seen, hits)


@compiled
def learn(log: Any, position: Any, total: int, points: Any, seen: Any, hits: Any) -> None:
    """Adds what a finished hand shows to `seen` and `hits`, in 64ths, by cell of the tables."""
    players, cards = position[SEATS], position[SIZE]
    for index in range(log[0]):
        entry = LOG + 5 * index
        what, cell, key, part, target = log[entry], log[entry + 1], log[entry + 2], log[entry + 3], log[entry + 4]
        if what == A_RATE or what == A_TRICK:
            seen[cell] += 64
            hits[cell] += 64 * (position[WINNERS] >> key & 1)
        elif what == A_BID:
            made = 1 if position[at(position, WON, key)] == target else 0
            seen[cell] += 64 - part
            hits[cell] += (64 - part) * made
            seen[cell + 1] += part
            hits[cell + 1] += part * made
    no_trump = 0 if position[TRUMP_SET] else 1
    said = 0
    for place in range(players):
        bid, won, worth = position[at(position, BID, place)], position[at(position, WON, place)], points[cards + 1 + place]
        cell = BIDDING_AT + group_of(players) * BIDDING + making_cell(no_trump, cards, bid, total - cards, worth)
        part, made = part_of(worth, bid), 1 if won == bid else 0
        seen[cell] += 64 - part
        hits[cell] += (64 - part) * made
        seen[cell + 1] += part
        hits[cell + 1] += part * made
        if not made:
            cell = missing_cell(total - cards, worth, bid)
            for off in range(7):
                seen[cell + off] += 1
            hits[cell + min(max(won - bid, -3), 3) + 3] += 1
        rest = players - 1 - place
        if rest:
            cell = later_cell(players, cards, rest, place, said)
            for off in range(9):
                seen[cell + off] += 1
            hits[cell + min(max(total - said - bid - share_of(players, cards, rest), -4), 4) + 4] += 1
        said += bid
