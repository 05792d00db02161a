"""Hands as the arrays that compiled code plays on: whose cards are where, and what each seat's decision works in."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import exp

from scorekeeper.engine import heuristics, playouts
from scorekeeper.engine.cards import COPY, ONE_PACK, WIZARDS, Pack, as_set, lane
from scorekeeper.engine.compiled import Ints, numbers
from scorekeeper.engine.hands import Hand
from scorekeeper.engine.play import duties
from scorekeeper.engine.seen import Seen

# How likely a bid is, 0 to 255, by what the cards are worth less what they usually are with it, from -3 to 3 tricks in
# quarters. Among table bots the spread is 0.2 to 0.4; others bid less alike.
LIKELY = tuple(max(2, round(255 * exp(-(((step - 12) / 4) ** 2) / (2 * 0.4**2)))) for step in range(25))


def kinds(cards: int) -> int:
    """A set of cards as one of kinds: of two alike, one."""
    return (cards | cards >> COPY) & ONE_PACK


def set_up(
    hand: Hand, seats: Sequence[int], in_play: int, pack: Pack, trump: str | None, leader: int, held: Sequence[int]
) -> Ints:
    """The position before the first card. `held` are the sets of cards by place, empty where they are not known."""
    players = len(seats)
    position = numbers([0] * (heuristics.POSITION + 5 * players))
    special = as_set(pack.cards) & WIZARDS & ONE_PACK
    heuristics.set_up(position, players, hand.cards, leader, lane(trump), duties(hand.rules.play), special)
    position[heuristics.REST], position[heuristics.REST_TWO] = in_play & ONE_PACK, in_play >> COPY
    for place, seat in enumerate(seats):
        position[heuristics.at(position, heuristics.ONE, place)] = held[place] & ONE_PACK
        position[heuristics.at(position, heuristics.TWO, place)] = held[place] >> COPY
        position[heuristics.at(position, heuristics.BID, place)] = hand.bids[seat] or 0
    return position


@dataclass
class Work:
    """A position and the arrays that compiled code works in."""

    position: Ints
    needs: Ints
    facts: Ints
    log: Ints
    points: Ints

    @classmethod
    def on(cls, position: Ints) -> "Work":
        players, cards = int(position[heuristics.SEATS]), int(position[heuristics.SIZE])
        return cls(
            position,
            numbers([0] * players),
            numbers([0] * heuristics.FACTS),
            numbers([-1]),
            numbers([0] * (cards + 1)),
        )


def work_of(seen: Seen) -> Work:
    """The hand as a seat sees it: other places hold nothing."""
    held = [0] * len(seen.seats)
    held[seen.place] = seen.holding
    for place, card in seen.played:
        held[place] |= 1 << card
    position = set_up(seen.hand, seen.seats, seen.in_play, seen.pack, seen.trump, seen.leader, held)
    if seen.played:
        played = numbers(place * 64 + card % COPY for place, card in seen.played)
        playouts.replay(position, played, len(seen.played))
    return Work.on(position)


@dataclass
class Sampling:
    """Arrays for dealing hidden cards, as `playouts.plausible` reads them."""

    deck: Ints
    hands: Ints
    shown: Ints
    known: Ints
    kept: Ints
    scratch: Ints

    @classmethod
    def of(cls, seen: Seen) -> "Sampling":
        players = len(seen.seats)
        down = {place for place, _ in seen.trick}
        hands = [seen.left - (place in down) for place in range(players)]
        shown = [0] * (players + 1)
        for place, card in seen.played:
            shown[place] |= 1 << card % COPY
        shown[players] = kinds(seen.in_play)
        known = [-1 if (bid := seen.hand.bids[seat]) is None else bid for seat in seen.seats]
        return cls(
            numbers([0] * len(seen.pack.cards)),
            numbers(hands + [0] * players),
            numbers(shown),
            numbers(known),
            numbers([0] * (2 * players)),
            numbers([0] * (heuristics.POSITION + 5 * players)),
        )


@cache
def likely() -> Ints:
    """LIKELY for compiled code."""
    return numbers(LIKELY)
