"""Each player's chance to win from here: the standing, the hands to come, the rules, and what players' hands are like.

What a hand brings is taken from banks of hands that bots played among themselves. With few hands to come whole hands
are drawn, which keep that one player's trick is another's loss. With more, points are added up as if players were
independent (a convolution), which is near enough that far from the end. Once the bids of a hand are in, its tricks are
spread as those of the bank's hands with such bids.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from math import prod
from operator import getitem
from random import Random

from scorekeeper.engine.banks import Bank, bank
from scorekeeper.engine.hands import Hand
from scorekeeper.engine.rules import SUITS
from scorekeeper.engine.scoring import Facts, Formula, Number, Table, table
from scorekeeper.engine.sheet import Sheet
from scorekeeper.engine.standings import breaks_tie, standings

UNFORESEEN = frozenset({"wager", "side", "total_before", "streak"})  # points that hang on these cannot be foreseen
TOGETHER = 3  # hands to come that are drawn together rather than added up
FUTURES = 3000
TIE = 10_000  # a total is its points times this and what breaks a tie: no count in a game reaches it

# A shared win counts as the share, E[1 / (1 + ties)], the integral of E[u ** ties] over u from 0 to 1. Gauss and
# Legendre's four points, each with its weight, are exact for up to eight players.
GAUSS = (
    (0.06943184420297371, 0.17392742256872692),
    (0.33000947820757187, 0.32607257743127307),
    (0.66999052179242813, 0.32607257743127307),
    (0.93056815579702629, 0.17392742256872692),
)

Spread = dict[Number, float]  # how likely each number of points is
Result = tuple[int, int]  # a bid and its tricks
Outcome = tuple[float, tuple[Result, ...]]  # how likely a hand's results are, in bidding order


def chances_to_win(sheet: Sheet, rng: Random) -> Mapping[int, float] | None:
    """By seat, the chance from 0 to 1 to win; a shared win counts as the share, so that they add up to 1.

    None where it cannot be said: the game is over, its end is open, its points hang on what cannot be foreseen, or
    there is no bank for so many players or cards. `rng` draws the hands of the last few.
    """
    rules = sheet.rules
    if sheet.over or rules.end.kind != "schedule" or rules.scoring.needs & UNFORESEEN:
        return None
    to_come = [hand for hand in sheet.hands if hand.phase != "finished"]
    banks = [bank(len(hand.present), hand.cards, hook=rules.bidding.hook != "never") for hand in to_come]
    if not all(banks):
        return None
    known = [(hand, one) for hand, one in zip(to_come, banks, strict=True) if one]
    return _drawn(sheet, known, rng) if len(known) <= TOGETHER else _added_up(sheet, known)


# ---- the last hands, drawn ----


def _drawn(sheet: Sheet, hands: Sequence[tuple[Hand, Bank]], rng: Random) -> Mapping[int, float]:
    """Every outcome of the first hand, each with some drawn ones of the others."""
    sign = -1 if sheet.rules.scoring.direction == "low" else 1
    seats = sheet.seats
    counts = {line.seat: breaks_tie(sheet.rules, line) for line in standings(sheet)}
    start = [sign * sheet.totals[seat] * TIE + counts[seat] for seat in seats]
    first, *others = [_ranked(sheet, hand, one, sign) for hand, one in hands]
    draws = max(1, FUTURES // len(first)) if others else 1
    chances = dict.fromkeys(seats, 0.0)
    for likely, gained in first:
        for _ in range(draws):
            totals = [total + more for total, more in zip(start, gained, strict=True)]
            for outcomes in others:
                _, gained_later = outcomes[int(rng.random() * len(outcomes))]
                totals = [total + more for total, more in zip(totals, gained_later, strict=True)]
            best = max(totals)
            winners = [seat for seat, total in zip(seats, totals, strict=True) if total == best]
            for seat in winners:
                chances[seat] += likely / draws / len(winners)
    return chances


def _ranked(sheet: Sheet, hand: Hand, one: Bank, sign: int) -> list[tuple[float, list[Number]]]:
    """The outcomes of a hand, with what each adds to the seats' totals times TIE."""
    ranked = []
    for number, (likely, results) in enumerate(outcomes(hand, one)):
        points = _points(hand, results, number)
        by_seat = dict(zip(hand.order or hand.present, zip(points, results, strict=True), strict=True))
        gained: list[Number] = []
        for seat in sheet.seats:
            if seat not in by_seat:
                gained.append(0)
                continue
            more, (bid, tricks) = by_seat[seat]
            gained.append(sign * more * TIE + _breaks(sheet.rules.tie, bid, tricks))
        ranked.append((likely, gained))
    return ranked


def _breaks(tie: str, bid: int, tricks: int) -> int:
    """What one hand adds to the count that breaks a tie."""
    made = bid == tricks
    return {"most_made_bids": int(made), "most_made_bid_total": bid * made, "most_tricks": tricks}.get(tie, 0)


def outcomes(hand: Hand, one: Bank) -> list[Outcome]:
    """What can come of a hand, and how likely: with all bids in any share of the tricks, else the bank's hands."""
    if not hand.bids_in:
        results = [tuple(zip(bids, tricks, strict=True)) for bids, tricks in one.hands]
        return [(1 / len(results), result) for result in results]
    bids = [bid for bid in hand.bids.values() if bid is not None]
    spreads = [one.tricks(bid, hand.over_by or 0) for bid in bids]
    shares = [(prod(map(getitem, spreads, share)), share) for share in _shares(hand.tricks_to_win, len(bids))]
    total = sum(likely for likely, _ in shares)
    return [(likely / total, tuple(zip(bids, share, strict=True))) for likely, share in shares if likely > total / 1e5]


def _shares(tricks: int, places: int) -> Iterator[tuple[int, ...]]:
    """All ways to share so many tricks among so many places."""
    if places == 1:
        yield (tricks,)
        return
    for mine in range(tricks + 1):
        for rest in _shares(tricks - mine, places - 1):
            yield (mine, *rest)


def _points(hand: Hand, results: Sequence[Result], number: int) -> list[Number]:
    """The points of an outcome, in its order; a trump that is not known yet is each suit in turn."""
    over = sum(bid for bid, _ in results) - hand.cards
    trump = hand.trump or SUITS[number % 4]
    points = _table(hand.rules.scoring, hand.facts, over, trump)
    return [points[bid][tricks] for bid, tricks in results]


def _table(formula: Formula, facts: Facts, over: int, trump: str) -> Table:
    asked = formula.needs
    said = "over" if over > 0 else "under" if over < 0 else "even"
    return table(
        formula,
        replace(facts, trump=trump if "trump" in asked else None, bids_total=said if "bids_total" in asked else None),
    )


# ---- many hands, added up ----


def _added_up(sheet: Sheet, hands: Sequence[tuple[Hand, Bank]]) -> Mapping[int, float]:
    """As if the seats' points were independent: sums of what each hand may bring."""
    sign = -1 if sheet.rules.scoring.direction == "low" else 1
    (now, one), later = hands[0], hands[1:]
    common = _sum_of(sheet.rules.scoring, tuple((hand.facts, one) for hand, one in later))
    spreads: dict[int, Spread] = {}
    for seat in sheet.seats:
        start: Spread = {sheet.totals[seat]: 1.0}
        if seat in now.present:
            start = _added(start, _spread_of(now, one, seat))
        total = _added(start, common) if seat in later[-1][0].present else start
        spreads[seat] = {sign * points: likely for points, likely in total.items()}
    return dict(zip(spreads, win_shares(list(spreads.values())), strict=True))


def _spread_of(hand: Hand, one: Bank, seat: int) -> Spread:
    """What this hand may bring a seat: with all bids in by its own bid, else as it goes for everybody."""
    bid = hand.bids[seat]
    if not hand.bids_in or bid is None:
        return _general(hand.rules.scoring, hand.facts, one)
    spread: Spread = {}
    for tricks, likely in enumerate(one.tricks(bid, hand.over_by or 0)):
        for number in range(4):
            points = _table(hand.rules.scoring, hand.facts, hand.over_by or 0, hand.trump or SUITS[number])
            spread[points[bid][tricks]] = spread.get(points[bid][tricks], 0.0) + likely / 4
    return spread


@lru_cache(maxsize=1024)  # the hands to come are the same from page to page
def _general(formula: Formula, facts: Facts, one: Bank) -> Spread:
    """What a hand brings anybody, whatever the place."""
    spread: Spread = {}
    share = 1 / len(one.hands) / one.players
    for number, (bids, tricks) in enumerate(one.hands):
        points = _table(formula, facts, sum(bids) - facts.cards, facts.trump or SUITS[number % 4])
        for bid, won in zip(bids, tricks, strict=True):
            spread[points[bid][won]] = spread.get(points[bid][won], 0.0) + share
    return spread


@lru_cache(maxsize=1024)
def _sum_of(formula: Formula, hands: tuple[tuple[Facts, Bank], ...]) -> Spread:
    """The sum of what all these hands bring anybody."""
    if not hands:
        return {0: 1.0}
    return _added(_sum_of(formula, hands[1:]), _general(formula, *hands[0]))


def _added(one: Spread, other: Spread) -> Spread:
    """The spread of the sum of two independent numbers."""
    total: Spread = {}
    for points, likely in other.items():
        for before, was in one.items():
            total[before + points] = total.get(before + points, 0.0) + was * likely
    return total


def win_shares(spreads: Sequence[Spread]) -> list[float]:
    """Each one's share of the wins where independent totals are spread like these, and the highest wins."""
    totals = sorted(set().union(*spreads))
    below, chances = [0.0] * len(spreads), [0.0] * len(spreads)
    for total in totals:
        equal = [spread.get(total, 0.0) for spread in spreads]
        for point, weight in GAUSS:
            at_most = [less + point * here for less, here in zip(below, equal, strict=True)]
            for place, here in enumerate(equal):
                if here:
                    chances[place] += weight * here * prod(at_most[:place]) * prod(at_most[place + 1 :])
        below = [less + here for less, here in zip(below, equal, strict=True)]
    return chances
