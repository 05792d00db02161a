"""Players: each is a function of what its seat may see, and of random numbers of its own.

* `random`: any legal bid, any legal card;
* `table`: the bid of most expected points by tables learned from self-play, then cards by looking one ahead;
* `montecarlo`: bids and cards by playing the hand out many times with the hidden cards dealt anew.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Protocol

from scorekeeper.engine import heuristics, playouts
from scorekeeper.engine.cards import COPY, FRENCH, LANE, ONE_PACK, as_set, lane, members
from scorekeeper.engine.compiled import AVAILABLE, Ints, numbers
from scorekeeper.engine.deal import below
from scorekeeper.engine.hands import Hand
from scorekeeper.engine.heuristics import SCALE
from scorekeeper.engine.play import beats
from scorekeeper.engine.positions import Sampling, kinds, likely, work_of
from scorekeeper.engine.rules import SUITS
from scorekeeper.engine.scoring import Facts, Formula, prizes, table
from scorekeeper.engine.seen import Seen
from scorekeeper.engine.tables import learned


class Bot(Protocol):
    """A player. `legal` are the bids that it may make, or the set of cards that it may play."""

    def bid(self, seen: Seen, legal: Sequence[int]) -> int: ...

    def name_trump(self, seen: Seen) -> str: ...

    def play(self, seen: Seen, legal: int) -> int: ...


@dataclass(frozen=True)
class RandomBot:
    """Any bid, any trump suit, any card, each as likely as the others."""

    rng: Random

    def bid(self, seen: Seen, legal: Sequence[int]) -> int:  # noqa: ARG002 - chance alone decides
        return legal[below(self.rng, len(legal))]

    def name_trump(self, seen: Seen) -> str:  # noqa: ARG002 - chance alone decides
        return SUITS[below(self.rng, len(SUITS))]

    def play(self, seen: Seen, legal: int) -> int:  # noqa: ARG002 - chance alone decides
        return list(members(legal))[below(self.rng, legal.bit_count())]


@dataclass(frozen=True)
class TableBot:
    """Bids by the learned tables, plays by looking one card ahead. Chance has a part only in naming a trump unseen."""

    rng: Random

    def bid(self, seen: Seen, legal: Sequence[int]) -> int:
        return best_bid(expected_by_table(seen), legal)

    def name_trump(self, seen: Seen) -> str:
        return best_suit(seen, self.rng)

    def play(self, seen: Seen, legal: int) -> int:
        return heuristic_card(seen, legal)


# What one decision may cost: cards played in playouts, and playouts. Below 5 ms of one core on the average where numba
# compiles them, without it about ten times as long.
CARDS = 24_000 if AVAILABLE else 1_500
PLAYOUTS = 1_200 if AVAILABLE else 150
TRIES = 10  # deals of which one is kept


@dataclass(frozen=True)
class MonteCarloBot:
    """Bids and plays what comes to the most points over playouts, the same deals for all that it compares."""

    rng: Random

    def bid(self, seen: Seen, legal: Sequence[int]) -> int:
        expected = expected_by_table(seen)
        if seen.trump is None or seen.others or len(legal) == 1:
            return best_bid(expected, legal)
        points, size = value_of(seen.hand, seen.seat), seen.hand.cards + 1

        def rate(bids: Sequence[int], samples: int) -> list[int]:
            counts = bid_counts(seen, bids, samples, self.rng)
            return [sum(count * int(points[bid * size + won]) for won, count in enumerate(counts[bid])) for bid in bids]

        nearest = sorted(legal, key=lambda bid: (-expected[bid], bid))[:CANDIDATES]
        return best_of(nearest, [TRUST * expected[bid] for bid in nearest], affordable(seen), rate)

    def name_trump(self, seen: Seen) -> str:
        return best_suit(seen, self.rng)

    def play(self, seen: Seen, legal: int) -> int:
        return playout_card(seen, legal, affordable(seen), self.rng)


TRUST = 30  # playouts that what the tables expect of a bid counts like
CANDIDATES = 5  # bids that are played out: those of most points by the tables
BOTS: Mapping[str, Callable[[Random], Bot]] = {
    "random": RandomBot,
    "table": TableBot,
    "montecarlo": MonteCarloBot,
}


def affordable(seen: Seen) -> int:
    """The playouts of one decision."""
    return max(min(PLAYOUTS, CARDS // (len(seen.seats) * seen.left)), 1)


def best_of(
    candidates: Sequence[int], start: Sequence[int], playouts: int, rate: Callable[[Sequence[int], int], Sequence[int]]
) -> int:
    """The best of some bids or cards over about so many playouts: the better half goes on, until one is left.

    `rate` gives each one's sum over so many playouts, `start` are sums to begin with. Source: Karnin, Koren and Somekh
    (2013), "Almost optimal exploration in multi-armed bandits".
    """
    sums = dict(zip(candidates, start, strict=True))
    rounds = (len(candidates) - 1).bit_length()
    left = list(candidates)
    while len(left) > 1:
        for one, more in zip(left, rate(left, max(playouts // (rounds * len(left)), 1)), strict=True):
            sums[one] += more
        left = sorted(left, key=lambda one: -sums[one])[: (len(left) + 1) // 2]
    return left[0]


def best_bid(expected: Sequence[int], legal: Sequence[int]) -> int:
    """The legal bid of most expected points, the lowest of several."""
    return max(legal, key=lambda bid: (expected[bid], -bid))


@lru_cache(maxsize=1024)
def _values(formula: Formula, facts: tuple[Facts, ...], prize_made: int, prize_missed: int) -> Ints:
    """The points of `bid * (cards + 1) + tricks`, more is better, then for each bid whether making it is best."""
    sign = (-1 if formula.direction == "low" else 1) * SCALE
    tables = [table(formula, one) for one in facts]
    size = facts[0].cards + 1
    worth = [
        [
            round(
                sign
                * (
                    sum(one[bid][tricks] for one in tables) / len(tables)
                    + (prize_made if bid == tricks else prize_missed)
                )
            )
            for tricks in range(size)
        ]
        for bid in range(size)
    ]
    best = [int(row[bid] == max(row)) for bid, row in enumerate(worth)]
    return numbers([*(one for row in worth for one in row), *best])


def value_of(hand: Hand, seat: int) -> Ints:
    """What a seat's results are worth, as `heuristics.need_of` reads it, in 1000ths of a point.

    What is not known yet, the sum of the bids or the trump, is taken as any of its values, each as likely.
    """
    formula, facts = hand.rules.scoring, replace(hand.facts, total_before=hand.totals_before.get(seat, 0))
    if "total_before" not in formula.needs:
        facts = replace(facts, total_before=None)
    trumps = SUITS if facts.trump is None and "trump" in formula.needs else (facts.trump,)
    open_totals = (
        ("under", "over") if facts.bids_total is None and "bids_total" in formula.needs else (facts.bids_total,)
    )
    known = tuple(replace(facts, trump=trump, bids_total=total) for trump in trumps for total in open_totals)
    made = missed = 0
    if formula.streak:
        before = hand.results_before.get(seat, ())
        made, missed = (prizes(formula.streak, [*before, (hand.cards, how)])[-1] for how in (True, False))
    return _values(formula, known, made, missed)


def _worth(seen: Seen, trump: str | None) -> int:
    """What the cards held at the start are worth with a trump, in 255ths of a trick."""
    unseen = kinds(seen.in_play & ~seen.holding)
    return heuristics.worth_of(kinds(seen.holding), unseen, lane(trump), seen.hand.cards, len(seen.seats), learned())


def expected_by_table(seen: Seen) -> list[int]:
    """The expected points of every bid, 0 to the cards of the hand, in 1000ths, by the learned tables."""
    hand = seen.hand
    if seen.others:
        values, size = value_of(hand, seen.seat), hand.cards + 1
        wins, of = forehead(seen)
        return [int(values[bid * size + 1] * wins + values[bid * size] * (of - wins)) // of for bid in range(size)]
    if seen.trump:
        return _by_table(seen, _worth(seen, seen.trump), int(seen.trump == "NT"))
    # Whoever bids highest names the trump: a high bid is one for the own best suit, a lower one for anybody's.
    worth = [_worth(seen, suit) for suit in SUITS]
    mine, any_suit = _by_table(seen, max(worth), 0), _by_table(seen, sum(worth) // len(worth), 0)
    bids = [bid for bid in hand.bids.values() if bid is not None]
    high = max([-(-2 * hand.cards // len(seen.seats)), *(bid + 1 for bid in bids)])
    return [*any_suit[:high], *mine[high:]]


def _by_table(seen: Seen, worth: int, no_trump: int) -> list[int]:
    """The expected points of every bid with cards that are worth so much."""
    hand = seen.hand
    made = [bid for bid in hand.bids.values() if bid is not None]
    points = numbers([0] * (hand.cards + 1))
    heuristics.table_bid(
        worth, len(seen.seats), hand.cards, no_trump, len(made), sum(made), (2 << hand.cards) - 1,
        int(hand.hook and not hand.simultaneous), value_of(hand, seen.seat), learned(), points,
    )  # fmt: skip
    return [int(one) for one in points]


def forehead(seen: Seen) -> tuple[int, int]:
    """Of the single cards that a place may hold without seeing it, how many win, and how many there are."""
    trumps, leader = lane(seen.trump), seen.first
    wins = of = 0
    shown = 0 if seen.turned is None else 1 << seen.turned
    for cards in seen.others:
        shown |= cards
    for mine in seen.pack.cards:
        if shown >> mine & 1:
            continue
        best, winner = -1, -1
        for turn in range(len(seen.seats)):
            place = (leader + turn) % len(seen.seats)
            card = mine if place == seen.place else seen.others[place].bit_length() - 1
            if beats(card % COPY, best, trumps):
                best, winner = card % COPY, place
        wins += winner == seen.place
        of += 1
    return wins, of


def best_suit(seen: Seen, rng: Random) -> str:
    """The suit that is worth most with the cards held, or that fits the bid best once it is made; any if unseen."""
    if not seen.holding:
        return SUITS[below(rng, len(SUITS))]
    bid = seen.hand.bids[seen.seat]
    trump = seen.hand.rules.trump
    suits = (*SUITS, "NT") if trump.method == "highest_bidder" and trump.allow_no_trump else SUITS
    worth = {suit: _worth(seen, suit) for suit in suits}
    if bid is None:
        return max(suits, key=lambda suit: worth[suit])
    return min(suits, key=lambda suit: abs(worth[suit] - heuristics.FULL * bid))


def _card_of(kind: int, legal: int) -> int:
    """A legal card of a kind."""
    return kind if legal >> kind & 1 else kind + COPY


def heuristic_card(seen: Seen, legal: int) -> int:
    """The card that looking one ahead finds best."""
    if legal & (legal - 1) == 0:
        return legal.bit_length() - 1
    work = work_of(seen)
    position, values, left = work.position, value_of(seen.hand, seen.seat), seen.left
    heuristics.take_needs(position, left, values, work.needs)
    heuristics.look(position, seen.place, left, work.needs, work.facts)
    one, two = seen.holding & ONE_PACK, seen.holding >> COPY
    unseen = int(position[heuristics.REST]) & ~one | int(position[heuristics.REST_TWO]) & ~two
    kind = heuristics.choose(one | two, kinds(legal), unseen, work.facts, learned())
    return _card_of(int(kind), legal)


def bid_counts(seen: Seen, bids: Sequence[int], samples: int, rng: Random) -> Mapping[int, tuple[int, ...]]:
    """For each of `bids`, how many of `samples` playouts came to each number of tricks."""
    hand, size = seen.hand, seen.hand.cards + 1
    work, deal = work_of(seen), Sampling.of(seen)
    order = numbers(seen.seats.index(seat) for seat in hand.order)
    counts = numbers([0] * size**2)
    heard = any(bid is not None for bid in hand.bids.values())
    playouts.try_bids(
        work.position, seen.place, as_set(bids), order, deal.known, int(hand.hook and not hand.simultaneous), samples,
        TRIES if heard else 1, value_of(hand, seen.seat), learned(), likely(), _state(rng), deal.deck, deal.hands,
        deal.shown, work.needs, work.facts, work.log, work.points, deal.kept, deal.scratch, counts,
    )  # fmt: skip
    return {bid: tuple(int(count) for count in counts[bid * size : (bid + 1) * size]) for bid in bids}


def _state(rng: Random) -> Ints:
    return numbers([1 + rng.getrandbits(61)])


def playout_card(seen: Seen, legal: int, count: int, rng: Random) -> int:
    """The legal card of most points over `count` playouts shared among all legal kinds."""
    playable = kinds(legal)
    if playable & (playable - 1) == 0:
        return legal.bit_length() - 1
    work, deal = work_of(seen), Sampling.of(seen)
    values, state = value_of(seen.hand, seen.seat), _state(rng)

    def rate(cards: Sequence[int], samples: int) -> list[int]:
        sums = numbers([0] * len(cards))
        playouts.try_cards(
            work.position, seen.place, seen.left, as_set(cards), samples, TRIES, values, learned(), likely(),
            state, deal.deck, deal.hands, deal.shown, deal.known, work.needs, work.facts, work.log, deal.kept,
            deal.scratch, sums,
        )  # fmt: skip
        by_card = dict(zip(sorted(cards), sums, strict=True))
        return [int(by_card[card]) for card in cards]

    unseen = int(work.position[heuristics.REST]) | int(work.position[heuristics.REST_TWO])
    trick = as_set(card % COPY for _, card in seen.trick)
    cards = different(playable, unseen & ~kinds(seen.holding) | trick)
    return _card_of(best_of(cards, [0] * len(cards), count, rate), legal)


def different(playable: int, unseen: int) -> list[int]:
    """Of kinds that may be played, one of each row between whose cards none lies on the table or is `unseen`."""
    chosen: list[int] = []
    for kind in members(playable):
        lower = chosen[-1] if chosen else -1
        between = unseen & ((1 << kind) - (2 << lower)) if lower >= 0 else unseen
        same_suit = lower >= 0 and lower // LANE == kind // LANE and lower % LANE > 0 and kind % LANE <= len(FRENCH)
        if same_suit and not between:
            chosen[-1] = kind
        else:
            chosen.append(kind)
    return chosen
