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
from scorekeeper.engine.rules import SUITS, Rules
from scorekeeper.engine.scoring import Facts, Formula, Number, Table, table
from scorekeeper.engine.sheet import Sheet
from scorekeeper.engine.standings import breaks_tie, standings

UNFORESEEN = frozenset({"wager", "side", "total_before", "streak"})  # points that hang on these cannot be foreseen
TOGETHER = 3  # hands to come that are drawn together rather than added up
MOST_TO_COME = 60  # hands; adding up as many takes a tenth of a second of CPU, and more with the square
FUTURES = 2000
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
Outcome = tuple[float, list[Number]]  # how likely it is, and what it adds to the totals by place, in bidding order


def chances_to_win(sheet: Sheet, rng: Random) -> Mapping[int, float] | None:
    """By seat, the chance from 0 to 1 to win; a shared win counts as the share, so that they add up to 1.

    None where it cannot be said: the game is over, its end is open, its points hang on what cannot be foreseen, there
    is no bank for so many players or cards, too many hands are to come, or a bid stands that is more than the cards of
    its hand. `rng` draws the hands of the last few.
    """
    rules = sheet.rules
    if sheet.over or rules.end.kind != "schedule" or rules.scoring.needs & UNFORESEEN:
        return None
    to_come = [hand for hand in sheet.hands if hand.phase != "finished"]
    now = to_come[0]
    if len(to_come) > MOST_TO_COME or any(bid and bid > now.cards for bid in now.bids.values()):
        return None
    banks = [bank(len(hand.present), hand.cards, hook=rules.bidding.hook != "never") for hand in to_come]
    if not all(banks):
        return None
    known = [(hand, one) for hand, one in zip(to_come, banks, strict=True) if one]
    return _drawn(sheet, known, rng) if len(known) <= TOGETHER else _added_up(sheet, known)


# ---- the last hands, drawn ----


def _drawn(sheet: Sheet, hands: Sequence[tuple[Hand, Bank]], rng: Random) -> Mapping[int, float]:
    """Every outcome of the first hand, each with some drawn ones of the others."""
    low, seats = sheet.rules.scoring.direction == "low", sheet.seats
    counts = {line.seat: breaks_tie(sheet.rules, line) for line in standings(sheet)}
    start = [(-1 if low else 1) * sheet.totals[seat] * TIE + counts[seat] for seat in seats]
    orders = [[seats.index(seat) for seat in hand.bids] for hand, _ in hands]
    (now, one), later = hands[0], hands[1:]
    first = _shares_of(now, one) if now.bids_in else _as_played(sheet.rules, now.facts, one)
    others = [_as_played(sheet.rules, hand.facts, bank_) for hand, bank_ in later]
    draws = max(1, FUTURES // len(first)) if others else 1
    chances = [0.0] * len(seats)
    for likely, gained in first:
        for _ in range(draws):
            totals = start.copy()
            drawn = [gained, *(outcomes[int(rng.random() * len(outcomes))][1] for outcomes in others)]
            for order, more in zip(orders, drawn, strict=True):
                for place, points in zip(order, more, strict=True):
                    totals[place] += points
            best = max(totals)
            winners = [place for place, total in enumerate(totals) if total == best]
            for place in winners:
                chances[place] += likely / draws / len(winners)
    return dict(zip(seats, chances, strict=True))


@lru_cache(maxsize=64)  # the hands to come are the same from page to page
def _as_played(rules: Rules, facts: Facts, one: Bank) -> list[Outcome]:
    """The hands of a bank, each as likely as the others."""
    tables, outcomes = _tables(rules.scoring, facts), []
    for number, (bids, tricks) in enumerate(one.hands):
        of_trumps = tables[_side(sum(bids) - facts.cards)]
        points = of_trumps[number % len(of_trumps)]  # a trump that is not known yet is any in turn
        outcomes.append((1 / len(one.hands), _gained(rules, points, bids, tricks)))
    return outcomes


def _shares_of(hand: Hand, one: Bank) -> list[Outcome]:
    """All ways to share the tricks of a hand whose bids are in, but for those that hardly ever come."""
    bids = [bid for bid in hand.bids.values() if bid is not None]
    over = sum(bids) - hand.cards
    spreads = [one.tricks_after(bid, over) for bid in bids]
    shares = [(prod(map(getitem, spreads, share)), share) for share in _shares(hand.tricks_to_win, len(bids))]
    least = sum(likely for likely, _ in shares) / 1e5
    shares = [(likely, share) for likely, share in shares if likely > least]
    total = sum(likely for likely, _ in shares)
    points = _tables(hand.rules.scoring, hand.facts)[_side(over)][0]
    return [(likely / total, _gained(hand.rules, points, bids, share)) for likely, share in shares]


def _shares(tricks: int, places: int) -> Iterator[tuple[int, ...]]:
    """All ways to share so many tricks among so many places."""
    if places == 1:
        yield (tricks,)
        return
    for mine in range(tricks + 1):
        for rest in _shares(tricks - mine, places - 1):
            yield (mine, *rest)


def _gained(rules: Rules, points: Table, bids: Sequence[int], tricks: Sequence[int]) -> list[Number]:
    """What a hand adds by place, in bidding order, to totals that are points times TIE and what breaks a tie."""
    sign = -TIE if rules.scoring.direction == "low" else TIE
    return [sign * points[bid][won] + _breaks(rules.tie, bid, won) for bid, won in zip(bids, tricks, strict=True)]


def _breaks(tie: str, bid: int, tricks: int) -> int:
    """What one hand adds to the count that breaks a tie."""
    made = bid == tricks
    return {"most_made_bids": int(made), "most_made_bid_total": bid * made, "most_tricks": tricks}.get(tie, 0)


@lru_cache(maxsize=1024)
def _tables(formula: Formula, facts: Facts) -> Mapping[int, Sequence[Table]]:
    """The points by bid and tricks where all bids are under (-1), even with (0) or over (1) the tricks.

    There is one table for each trump that may come, or a single one where it is known or the formula does not ask.
    """
    asked = formula.needs
    trumps = SUITS if facts.trump is None and "trump" in asked else (facts.trump if "trump" in asked else None,)
    totals = {-1: "under", 0: "even", 1: "over"} if "bids_total" in asked else dict.fromkeys((-1, 0, 1))
    return {
        side: [table(formula, replace(facts, trump=trump, bids_total=total)) for trump in trumps]
        for side, total in totals.items()
    }


def _side(over: int) -> int:
    return (over > 0) - (over < 0)


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
    bid, over = hand.bids[seat], hand.over_by
    if bid is None or over is None:
        return _general(hand.rules.scoring, hand.facts, one)
    spread: Spread = {}
    of_trumps = _tables(hand.rules.scoring, hand.facts)[_side(over)]
    for points in of_trumps:
        for tricks, likely in enumerate(one.tricks_after(bid, over)):
            spread[points[bid][tricks]] = spread.get(points[bid][tricks], 0.0) + likely / len(of_trumps)
    return spread


@lru_cache(maxsize=1024)
def _general(formula: Formula, facts: Facts, one: Bank) -> Spread:
    """What a hand brings anybody, whatever the place."""
    spread: Spread = {}
    results = one.results_by_total if "bids_total" in formula.needs else {0: one.results}
    for over, counted in results.items():
        of_trumps = _tables(formula, facts)[_side(over)]
        share = 1 / len(one.bids) / len(of_trumps)
        for points in of_trumps:
            for (bid, won), count in counted.items():
                spread[points[bid][won]] = spread.get(points[bid][won], 0.0) + share * count
    return spread


@lru_cache(maxsize=256)  # up to a thousand numbers each
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
