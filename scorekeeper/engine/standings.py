"""Places, what can still happen, and what a sheet has to praise."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby, product

from scorekeeper.engine.hands import Hand
from scorekeeper.engine.rules import Rules
from scorekeeper.engine.scoring import WORDS, Number, Table, exact, table
from scorekeeper.engine.sheet import Sheet


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the standings. `best` is the most points in one hand, None before the first."""

    place: int
    seat: int
    total: Number
    made: int  # bids made
    hands: int  # hands with a result
    made_bids: int  # the sum of the bids made
    tricks: int
    best: Number | None


@dataclass(frozen=True, slots=True)
class Chance:
    """The totals between which a seat must end, and what follows from all seats' together."""

    worst: Number
    best: Number
    can_win: bool  # a share of first place counts
    has_won: bool  # whatever happens, and alone


@dataclass(frozen=True, slots=True)
class Award:
    """Something a sheet praises: most_made, biggest_bid or longest_streak; all seats that reached the number."""

    code: str
    seats: tuple[int, ...]
    number: int


def standings(sheet: Sheet) -> tuple[Standing, ...]:
    """All seats in order of place; equal ones share it (1, 1, 3) unless the rules break the tie."""
    low = sheet.rules.scoring.direction == "low"
    lines = [_line(sheet, seat) for seat in sheet.seats]

    def rank(line: Standing) -> tuple[Number, int]:
        return line.total if low else -line.total, -breaks_tie(sheet.rules, line)

    placed: list[Standing] = []
    for _, equal in groupby(sorted(lines, key=rank), key=rank):
        place = len(placed) + 1
        placed += [replace(line, place=place) for line in equal]
    return tuple(placed)


def breaks_tie(rules: Rules, line: Standing) -> int:
    """What decides between equal totals, the more the better; 0 where nothing does."""
    by = {"most_made_bids": line.made, "most_made_bid_total": line.made_bids, "most_tricks": line.tricks}
    return by.get(rules.tie, 0)


def _line(sheet: Sheet, seat: int) -> Standing:
    written = sheet.hands[: sheet.written]
    results = [hand for hand in written if hand.made(seat) is not None]
    made = [hand for hand in results if hand.made(seat)]
    points = [given for hand in written if (given := hand.points.get(seat)) is not None]
    return Standing(
        place=0,
        seat=seat,
        total=sheet.totals[seat],
        made=len(made),
        hands=len(results),
        made_bids=sum(hand.bids[seat] or 0 for hand in made),
        tricks=sum(hand.tricks[seat] or 0 for hand in results),
        best=max(points, default=None),
    )


def winners(sheet: Sheet) -> tuple[int, ...]:
    """The seats in first place, several on a tie."""
    return tuple(line.seat for line in standings(sheet) if line.place == 1)


def chances(sheet: Sheet) -> Mapping[int, Chance] | None:
    """Who can still win and who cannot, from the best and the worst that the hands to come can give each seat.

    None where it cannot be said: the game is over, its end is open, or its points hang on stakes, counts taken by
    hand, or running totals.
    """
    rules = sheet.rules
    needs = rules.scoring.needs
    if sheet.over or rules.end.kind != "schedule" or needs & {"wager", "side", "total_before"}:
        return None
    ends = {seat: [sheet.totals[seat], sheet.totals[seat]] for seat in sheet.seats}
    for hand in sheet.hands:
        open_seats = [
            seat
            for seat in hand.present
            if hand.formula_points[seat] is None and (hand.phase != "finished" or hand.made(seat) is not None)
        ]
        tables = tuple(_tables(hand, needs)) if open_seats else ()
        spans: dict[object, tuple[Number, Number]] = {}  # most seats can still bid and win the same
        for seat in open_seats:
            bid, winnable = hand.bids[seat], _winnable(hand, seat)
            if (bid, winnable) not in spans:
                spans[bid, winnable] = _bounds(hand, bid, winnable, tables)
            low, high = spans[bid, winnable]
            beside = _adjustment_to_come(hand, seat)
            ends[seat][0] += low + beside
            ends[seat][1] += high + beside
    sign = -1 if rules.scoring.direction == "low" else 1
    worst = {seat: min(sign * end for end in both) for seat, both in ends.items()}
    best = {seat: max(sign * end for end in both) for seat, both in ends.items()}
    won = [seat for seat in sheet.seats if all(worst[seat] > best[other] for other in sheet.seats if other != seat)]
    # Extra hands on a tie are played by all: until someone has won, anybody may come from behind in them.
    extra_hands = rules.tie == "extra_max_hands" and not won
    return {
        seat: Chance(
            worst=exact(sign * worst[seat]),
            best=exact(sign * best[seat]),
            can_win=extra_hands or best[seat] >= max(worst.values()),
            has_won=seat in won,
        )
        for seat in sheet.seats
    }


def _bounds(hand: Hand, bid: int | None, winnable: range, tables: Sequence[Table]) -> tuple[Number, Number]:
    """The least and the most that this hand, with one of `tables`, can give; None stands for any bid."""
    rows = slice(None) if bid is None or not 0 <= bid <= hand.cards else slice(bid, bid + 1)
    columns = slice(winnable.start, winnable.stop)
    given = [points for one in tables for row in one[rows] for points in row[columns]]
    streak = hand.rules.scoring.streak
    prizes = (0, streak.made, streak.missed) if streak else (0,)
    return min(given) + min(prizes), max(given) + max(prizes)


def _adjustment_to_come(hand: Hand, seat: int) -> Number:
    """The points beside the formula that do not count yet."""
    written = hand.cells.get(("adjust", seat))
    return written if isinstance(written, int | Fraction) and hand.adjustment(seat) is None else 0


def _winnable(hand: Hand, seat: int) -> range:
    """The numbers of tricks that a seat may win in this hand, given those that are written."""
    written = hand.tricks[seat]
    left = hand.tricks_to_win - hand.tricks_total
    others_in = None not in (tricks for one, tricks in hand.tricks.items() if one != seat)
    low, high = (written, written) if written is not None else (left if others_in else 0, left)
    return range(low, high + 1) if 0 <= low <= high <= hand.cards else range(hand.cards + 1)


def _tables(hand: Hand, asked: Collection[str]) -> Iterator[Table]:
    """The points tables of a hand, for every fact that is not known yet and that the formula has `asked` for."""
    formula, facts = hand.rules.scoring, hand.facts
    trumps = WORDS["trump"] if "trump" in asked and facts.trump is None else (facts.trump,)
    totals = WORDS["bids_total"] if "bids_total" in asked and facts.bids_total is None else (facts.bids_total,)
    blind = (False, True) if "blind" in asked and hand.rules.bidding.blind_bids else (False,)
    for trump, total, looked in product(trumps, totals, blind):
        yield table(formula, replace(facts, trump=trump, bids_total=total, blind=looked))


def awards(sheet: Sheet) -> tuple[Award, ...]:
    """What the sheet supports praising; nothing before anything was made."""
    numbers = {
        "most_made": {line.seat: line.made for line in standings(sheet)},
        "biggest_bid": {seat: _biggest_bid(sheet, seat) for seat in sheet.seats},
        "longest_streak": {seat: _longest_streak(sheet, seat) for seat in sheet.seats},
    }
    return tuple(
        Award(code, tuple(seat for seat, number in by_seat.items() if number == most), most)
        for code, by_seat in numbers.items()
        if (most := max(by_seat.values())) > 0
    )


def _biggest_bid(sheet: Sheet, seat: int) -> int:
    return max((hand.bids[seat] or 0 for hand in sheet.hands if hand.made(seat)), default=0)


def _longest_streak(sheet: Sheet, seat: int) -> int:
    made = [hand.made(seat) for hand in sheet.hands if hand.made(seat) is not None]
    return max((len(list(run)) for holds, run in groupby(made) if holds), default=0)
