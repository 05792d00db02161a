"""What games between bots add up to: bids made, final scores, who wins; and such results of every preset, shipped."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple
from zlib import compress, decompress

from scorekeeper.engine.rules import Rules
from scorekeeper.engine.scoring import Number
from scorekeeper.engine.sheet import Sheet
from scorekeeper.engine.standings import winners

FILE = "lab.z"
MOST_PLAYERS = 7  # of whom results are shipped
PERCENT = (5, 25, 50, 75, 95)  # of the final scores lie at or below those that a spread names


class Bid(NamedTuple):
    """One bid of a game: its hand's cards, its place in the bidding order from 0, and what became of it."""

    cards: int
    place: int
    bid: int
    made: bool
    points: Number


@dataclass(frozen=True)
class GameResult:
    """What a finished game adds to a tally; by seat the totals and the shares of the win, which add up to 1.

    `led` is the leaders' share of the win after half of the hands, of several leaders the mean; None for one hand.
    `tied`: several had the best total after the last planned hand, whatever breaks ties then.
    """

    totals: tuple[Number, ...]
    wins: tuple[Fraction, ...]
    led: Fraction | None
    tied: bool
    low: bool  # the lowest total is the best
    bids: tuple[Bid, ...]


def result_of(sheet: Sheet) -> GameResult:
    """The result of a game; who ties for the first place, after what the rules say about ties, shares the win."""
    first, hands = winners(sheet), sheet.played
    low = sheet.rules.scoring.direction == "low"
    planned = min(sheet.planned or len(hands), len(hands))
    wins = {seat: Fraction(seat in first, len(first)) for seat in sheet.seats}
    leaders = _best(hands[planned // 2 - 1].totals, low=low) if planned > 1 else []
    return GameResult(
        totals=tuple(sheet.totals[seat] for seat in sheet.seats),
        wins=tuple(wins.values()),
        led=sum((wins[seat] for seat in leaders), Fraction(0)) / len(leaders) if leaders else None,
        tied=len(_best(hands[planned - 1].totals, low=low)) > 1,
        low=low,
        bids=tuple(
            Bid(hand.cards, place, bid or 0, bool(hand.made(seat)), hand.points[seat] or 0)
            for hand in hands
            for place, (seat, bid) in enumerate(hand.bids.items())
        ),
    )


def _best(totals: Mapping[int, Number], *, low: bool) -> list[int]:
    best = (min if low else max)(totals.values())
    return [seat for seat, total in totals.items() if total == best]


@dataclass(frozen=True, slots=True)
class Bids:
    """Bids that have something in common: how many there are, how many of them were made, their mean points."""

    count: int
    made: int
    points: float

    @property
    def rate(self) -> float:
        """The share that was made, 0 to 1."""
        return self.made / self.count


@dataclass(frozen=True, slots=True)
class SeatResult:
    """A seat's mean final total, the standard deviation of it, and its share of the wins."""

    points: float
    spread: float
    wins: float


Spread = tuple[float, ...]  # the scores at or below which PERCENT of a hundred lie


@dataclass(frozen=True)
class Results:
    """What many games add up to. All means and shares are rounded as the file of data has them."""

    games: int
    by_cards: Mapping[int, Bids]
    by_place: tuple[Bids, ...]  # in bidding order; the last one is bound by a hook
    by_bid: Mapping[int, Bids]
    scores: Spread  # of all players
    best: Spread  # of whoever ended first
    worst: Spread  # of whoever ended last
    leads: float | None  # the share of the win that falls to who led after half of the hands; None for one hand
    tied: float  # the share of games with several best totals after the last planned hand
    seats: tuple[SeatResult, ...]
    switched: Bids | None = None  # of the last bidder, with the hook where there is none, without it where there is one

    @property
    def players(self) -> int:
        return len(self.seats)

    @property
    def made(self) -> Bids:
        """All bids."""
        count = sum(one.count for one in self.by_place)
        points = sum(one.points * one.count for one in self.by_place)
        return Bids(count, sum(one.made for one in self.by_place), round(points / count, 2))

    def to_data(self) -> dict[str, Any]:
        """Plain data that `from_data` reads back to an equal value."""
        return {
            "games": self.games,
            "cards": [[cards, *_row(one)] for cards, one in self.by_cards.items()],
            "places": [_row(one) for one in self.by_place],
            "bids": [[bid, *_row(one)] for bid, one in self.by_bid.items()],
            "spreads": [list(self.scores), list(self.best), list(self.worst)],
            "leads": self.leads,
            "tied": self.tied,
            "seats": [[one.points, one.spread, one.wins] for one in self.seats],
            "switched": _row(self.switched) if self.switched else None,
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "Results":
        """The value that `to_data` made plain."""
        scores, best, worst = (tuple(one) for one in data["spreads"])
        return cls(
            games=data["games"],
            by_cards={cards: Bids(*row) for cards, *row in data["cards"]},
            by_place=tuple(Bids(*row) for row in data["places"]),
            by_bid={bid: Bids(*row) for bid, *row in data["bids"]},
            scores=scores,
            best=best,
            worst=worst,
            leads=data["leads"],
            tied=data["tied"],
            seats=tuple(SeatResult(*row) for row in data["seats"]),
            switched=Bids(*data["switched"]) if data["switched"] else None,
        )


def _row(one: Bids) -> list[float]:
    return [one.count, one.made, one.points]


class _Sum:
    """Bids, how many were made, and their points."""

    def __init__(self) -> None:
        self.count, self.made = 0, 0
        self.points: Number = 0

    def add(self, bid: Bid) -> None:
        self.count += 1
        self.made += bid.made
        self.points += bid.points

    @property
    def bids(self) -> Bids:
        return Bids(self.count, self.made, _rounded(Fraction(self.points) / self.count))


class Tally:
    """Adds up games of as many players each."""

    def __init__(self) -> None:
        self.games = 0
        self._sums: tuple[dict[int, _Sum], ...] = (defaultdict(_Sum), defaultdict(_Sum), defaultdict(_Sum))
        self._totals: tuple[Counter[Number], ...] = (Counter(), Counter(), Counter())  # of all, the best, the worst
        self._seats: list[list[Number]] = []  # of each the totals' sum, their squares' sum, the wins
        self._led: Number = 0
        self._halves = self._tied = 0

    def add(self, result: GameResult) -> None:
        self.games += 1
        for bid in result.bids:
            for sums, key in zip(self._sums, (bid.cards, bid.place, bid.bid), strict=True):
                sums[key].add(bid)
        order = sorted(result.totals, reverse=not result.low)
        for counter, totals in zip(self._totals, (order, order[:1], order[-1:]), strict=True):
            counter.update(totals)
        self._seats = self._seats or [[0, 0, 0] for _ in result.totals]
        for sums_of_seat, total, wins in zip(self._seats, result.totals, result.wins, strict=True):
            for index, more in enumerate((total, total**2, wins)):
                sums_of_seat[index] += more
        self._halves += result.led is not None
        self._led += result.led or 0
        self._tied += result.tied

    def results(self, switched: "Tally | None" = None) -> Results:
        """What the games so far add up to, at least one; `switched` are games with the hook switched."""
        by_cards, by_place, by_bid = ({key: one.bids for key, one in sorted(sums.items())} for sums in self._sums)
        scores, best, worst = (_spread(counter) for counter in self._totals)
        other = switched._sums[1] if switched and switched.games else {}
        return Results(
            games=self.games,
            by_cards=by_cards,
            by_place=tuple(by_place.values()),
            by_bid=by_bid,
            scores=scores,
            best=best,
            worst=worst,
            leads=round(float(self._led / Fraction(self._halves)), 4) if self._halves else None,
            tied=round(self._tied / self.games, 4),
            seats=tuple(self._seat(*sums) for sums in self._seats),
            switched=other[max(other)].bids if other else None,
        )

    def _seat(self, total: Number, square: Number, wins: Number) -> SeatResult:
        mean = Fraction(total) / self.games
        spread = float(Fraction(square) / self.games - mean**2) ** 0.5
        return SeatResult(_rounded(mean), round(spread, 2), round(float(wins) / self.games, 4))


def _spread(totals: Mapping[Number, int]) -> Spread:
    """The totals at or below which PERCENT of a hundred lie: the first that so many reach."""
    count = sum(totals.values())
    found = []
    for percent in PERCENT:
        below = 0
        for total in sorted(totals):
            below += totals[total]
            if 100 * below >= percent * count:
                found.append(_rounded(total))
                break
    return tuple(found)


def _rounded(number: Number) -> float:
    """With two decimals at most, and none where it is whole."""
    value = round(float(number), 2)
    return int(value) if value.is_integer() else value


def hook_switched(rules: Rules) -> Rules | None:
    """The same rules with the hook where there is none, and without where there is one; None where no bid is last."""
    bidding = rules.bidding
    if bidding.mode == "simultaneous" or bidding.total_must_equal:
        return None
    return replace(rules, bidding=replace(bidding, hook="always" if bidding.hook == "never" else "never"))


# ---- what is shipped ----


def packed(results: Iterable[tuple[str, Results]]) -> bytes:
    """The content of the file: results by preset, one for each number of players."""
    data: dict[str, list[Any]] = {}
    for preset, one in results:
        data.setdefault(preset, []).append(one.to_data())
    return compress(json.dumps(data, separators=(",", ":")).encode(), 9)


@cache
def _content() -> Mapping[str, Sequence[Any]]:
    data: Mapping[str, Sequence[Any]] = json.loads(
        decompress(files("scorekeeper.engine").joinpath("tables", FILE).read_bytes())
    )
    return data


@cache
def shipped(preset: str) -> Mapping[int, Results]:
    """The results of a preset by number of players; empty where there are none."""
    return {one.players: one for one in map(Results.from_data, _content().get(preset, ()))}


def presets_shipped() -> Iterator[str]:
    """The presets of which there are results."""
    return iter(_content())
