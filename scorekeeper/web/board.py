"""What the read-only sheet shows: standings, who can still win, every hand, the curve of totals; the same as CSV."""

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from math import ceil
from random import Random

from flask_babel import format_percent, ngettext
from flask_babel import gettext as _
from markupsafe import Markup, escape

from scorekeeper.engine.events import Ended, Entry, HandWritten
from scorekeeper.engine.hands import Hand
from scorekeeper.engine.scoring import Number
from scorekeeper.engine.standings import Chance, Standing, awards, chances, standings
from scorekeeper.engine.winning import chances_to_win
from scorekeeper.store import Game, Seat
from scorekeeper.web.plots import Scale, Tick
from scorekeeper.web.texts import counted_text, digits, fill, hand_title, over_text, patterns
from scorekeeper.web.view import Screen

# Where a spreadsheet would take the text for a formula: at its start, and behind what parts cells in other countries,
# where our own quotes may count for nothing. The full-width forms too.
FORMULA_STARTS = re.compile(r"""(^|(?<=[;"\t\r\n]))(?=[=+\-@\t\r\n＝＋－＠])""")  # noqa: RUF001 - the full-width forms are meant


def for_readers(game: Game) -> Game:
    """The game without bids that are hidden until all are in: what anyone may see."""
    hidden = {hand.number for hand in game.sheet.hands if hand.hidden}
    if not hidden:
        return game
    entries = tuple(_without_bids(entry, hidden) for entry in game.sheet.entries)
    return replace(game, sheet=replace(game.sheet, entries=entries))


def _without_bids(entry: Entry, hidden: set[int]) -> Entry:
    match entry.event:
        case HandWritten(hand, cells) if hand in hidden:
            seen = {cell: value for cell, value in cells if cell[0] != "bids"}
            return replace(entry, event=HandWritten.of(hand, seen))
    return entry


@dataclass(frozen=True)
class Line:
    """A seat's line in the standings; `bid` is this hand's, `last` the points of the hand before.

    `needs` and `counted` say how it stands where tricks are counted one by one.
    """

    standing: Standing
    seat: Seat
    bid: int | None
    last: Number | None
    made: bool | None
    dealer: bool
    now: bool
    needs: int | None
    counted: Markup
    outlook: str  # whether it can still win, or how likely it will; empty where there is nothing to say


@dataclass(frozen=True, slots=True)
class Cell:
    """A seat's cell in the table of hands; None is "not written", and of `made` "not known"."""

    bid: int | None
    won: int | None
    made: bool | None
    points: Number | None
    total: Number

    @classmethod
    def of(cls, hand: Hand, seat: int) -> "Cell":
        return cls(
            hand.bids.get(seat), hand.tricks.get(seat), hand.made(seat), hand.points.get(seat), hand.totals[seat]
        )


@dataclass(frozen=True)
class Board:
    """A game as its readers see it."""

    game: Game

    @property
    def hand(self) -> Hand | None:
        """The hand on the table; None when the game is over."""
        return self.game.sheet.current

    @property
    def title(self) -> str:
        return hand_title(self.game, self.hand.number) if self.hand else ""

    @cached_property
    def last(self) -> Hand | None:
        """The last finished hand."""
        played = self.game.sheet.played
        return played[-1] if played else None

    @cached_property
    def lines(self) -> list[Line]:
        sheet, hand, last = self.game.sheet, self.hand, self.last
        possible = chances(sheet) if last else None
        estimated = self._estimated
        return [
            Line(
                standing=one,
                seat=self.game.seats[one.seat],
                bid=hand.bids.get(one.seat) if hand else None,
                last=last.points.get(one.seat) if last else None,
                made=last.made(one.seat) if last else None,
                dealer=hand is not None and hand.dealer == one.seat,
                now=one.seat == self.bidder,
                needs=hand.needs(one.seat) if hand else None,
                counted=counted_text(hand, one.seat) if hand else Markup(),
                outlook=_outlook(possible[one.seat] if possible else None, estimated[one.seat] if estimated else None),
            )
            for one in standings(sheet)
        ]

    @property
    def estimates(self) -> bool:
        """Whether the lines have estimates, of which a reader must be told what they are."""
        return self._estimated is not None

    @cached_property
    def _estimated(self) -> Mapping[int, float] | None:
        """Each seat's chance to win, from the first finished hand on."""
        game = self.game
        return _chances_to_win(_Moment(game.code, game.seq, game)) if self.last and game.estimates else None

    @property
    def winners(self) -> list[Seat]:
        return [line.seat for line in self.lines if line.standing.place == 1]

    @property
    def phase_text(self) -> Markup:
        """How far the hand on the table has come."""
        hand, words = self.hand, patterns()
        if hand is None:
            return Markup()
        if hand.phase == "playing":
            return over_text(hand)
        if hand.hidden:
            return fill(_("All bid at once"))
        return fill(words["ask"], name=self.game.seats[self.bidder].name) if self.bidder is not None else Markup()

    @cached_property
    def bidder(self) -> int | None:
        """Who bids now; None where nobody is, or all are at once."""
        hand = self.hand
        if hand is None or hand.phase != "bidding" or hand.hidden:
            return None
        return next((seat for seat, bid in hand.bids.items() if bid is None), None)

    @property
    def bids_text(self) -> Markup:
        """What the bids made so far add up to, and what whoever bids now may not bid."""
        hand = self.hand
        if hand is None or hand.hidden:
            return Markup()
        total = fill(patterns()["bids"], bids=hand.bids_total, tricks=hand.cards)
        return Markup(" · ").join([total, *([escape(why)] if (why := Screen(self.game, hand).why) else [])])

    @cached_property
    def hands(self) -> list[tuple[Hand, list["Cell"]]]:
        """The hands on which something is written, the newest first, each with a cell for every one of `seats`."""
        written = self.game.sheet.hands[: self.game.sheet.written]
        return [(hand, [Cell.of(hand, seat) for seat in self.game.sheet.seats]) for hand in reversed(written)]

    @cached_property
    def seats(self) -> list[Seat]:
        """Everyone who ever had a seat in this game."""
        return [self.game.seats[number] for number in self.game.sheet.seats]

    @cached_property
    def curve(self) -> "Curve | None":
        """The totals after each finished hand; None before the first."""
        played = self.game.sheet.played
        return Curve(self.seats, [hand.totals for hand in played], [hand.number for hand in played]) if played else None

    @property
    def ended_key(self) -> str | None:
        """The entry that stopped the game, to be undone to go on; None where it went to its end."""
        entries = self.game.sheet.counting
        return next((entry.key for entry in reversed(entries) if isinstance(entry.event, Ended)), None)

    @property
    def praises(self) -> list["Praise"]:
        """What the sheet has to praise."""
        return [
            Praise(*_award(one.code, one.number), [self.game.seats[seat] for seat in one.seats])
            for one in awards(self.game.sheet)
        ]


@dataclass(frozen=True, slots=True)
class _Moment:
    """A game at one entry of its log."""

    code: str
    seq: int
    game: Game = field(compare=False)


@lru_cache(maxsize=64)  # board, big screen and paper ask for the same after every entry
def _chances_to_win(moment: _Moment) -> Mapping[int, float] | None:
    return chances_to_win(moment.game.sheet, Random(0))


def _outlook(chance: Chance | None, estimate: float | None) -> str:
    if chance and chance.has_won:
        return _("has won")
    if chance and not chance.can_win:
        return _("cannot win any more")
    if estimate is None:
        return ""
    # In whole per cent, and never "none" or "all" of what is only nearly so.
    return _("to win: %(share)s", share=format_percent(min(max(estimate, 0.01), 0.99)))


@dataclass(frozen=True)
class Praise:
    """An award: what for, how much, and all who share it."""

    title: str
    amount: str
    seats: list[Seat]


def _award(code: str, number: int) -> tuple[str, str]:
    match code:
        case "most_made":
            return _("Most bids made"), ngettext("%(num)d bid", "%(num)d bids", number)
        case "biggest_bid":
            return _("Biggest bid made"), ngettext("%(num)d trick", "%(num)d tricks", number)
    return _("Longest streak"), ngettext("%(num)d hand", "%(num)d hands", number)


# ---- the curve ----

WIDTH, HEIGHT = 358, 210
LEFT, RIGHT, TOP, BOTTOM = 34, 272, 10, 186  # of the plot; names stand right of it
LABEL = 14  # height of a name
LONGEST_LABEL = 10  # letters that fit beside the plot
MOST_HAND_NUMBERS = 12  # that fit below it


@dataclass(frozen=True)
class CurveLine:
    """One seat's totals as a line with its name at the end, set apart from the others' names."""

    seat: Seat
    points: str
    x: float
    y: float
    label_y: float
    label: str


@dataclass(frozen=True)
class Curve:
    """The totals of `seats` after each of the hands with these numbers, as lines in a drawing of WIDTH by HEIGHT."""

    seats: Sequence[Seat]
    totals: Sequence[dict[int, Number]]
    numbers: Sequence[int]
    width = WIDTH
    height = HEIGHT

    @cached_property
    def _scale(self) -> Scale:
        values = [float(total) for totals in self.totals for total in totals.values()]
        return Scale(values, BOTTOM, TOP, least=1)

    def _x(self, played: int) -> float:
        return round(LEFT + (RIGHT - LEFT) * played / len(self.totals), 1)

    def _y(self, value: Number) -> float:
        return self._scale.at(float(value))

    @property
    def values(self) -> list[Tick]:
        return self._scale.ticks(lambda value: digits(int(value)))

    @property
    def hands(self) -> list[Tick]:
        every = ceil(len(self.numbers) / MOST_HAND_NUMBERS)
        return [Tick(self._x(place), str(number)) for place, number in enumerate(self.numbers, 1) if place % every == 0]

    @cached_property
    def lines(self) -> list[CurveLine]:
        ends = {seat.number: self._y(self.totals[-1][seat.number]) for seat in self.seats}
        labels = _spread(ends)
        return [
            CurveLine(
                seat=seat,
                points=" ".join(
                    f"{self._x(place)},{self._y(value)}"
                    for place, value in enumerate([0, *(totals[seat.number] for totals in self.totals)])
                ),
                x=RIGHT,
                y=ends[seat.number],
                label_y=labels[seat.number],
                label=seat.name if len(seat.name) <= LONGEST_LABEL else f"{seat.name[: LONGEST_LABEL - 1].rstrip()}…",
            )
            for seat in self.seats
        ]


def _spread(ends: dict[int, float]) -> dict[int, float]:
    """The heights of names that want to stand at `ends`, moved apart so that none covers another."""
    order = sorted(ends, key=lambda seat: ends[seat])
    heights: dict[int, float] = {}
    free: float = TOP
    for seat in order:
        heights[seat] = max(ends[seat], free)
        free = heights[seat] + LABEL
    # What was pushed below the plot pushes back up.
    room = HEIGHT - LABEL / 2
    for seat in reversed(order):
        heights[seat] = round(min(heights[seat], room), 1)
        room = heights[seat] - LABEL
    return heights


# ---- the table ----


def as_csv(game: Game) -> str:
    """Every written hand as a line: bid, tricks, points and total of each seat."""
    sheet = game.sheet
    kinds = (_("bid"), _("tricks"), _("points"), _("total"))
    columns = [f"{game.seats[seat].name}: {kind}" for seat in sheet.seats for kind in kinds]
    rows: list[list[object]] = [[_("Hand"), _("Cards"), _("Dealer"), _("Trump"), *columns]]
    for hand in sheet.hands[: sheet.written]:
        dealer = game.seats[hand.dealer].name if hand.dealer is not None else None
        row: list[object] = [hand.number, hand.cards, dealer, hand.trump]
        for seat in sheet.seats:
            row += [hand.bids.get(seat), hand.tricks.get(seat)]
            row += [_exact(hand.points.get(seat)), _exact(hand.totals[seat])]
        rows.append(row)
    text = io.StringIO()
    csv.writer(text).writerows([[_cell(value) for value in row] for row in rows])
    return text.getvalue()


def _exact(number: Number | None) -> int | float | None:
    return number if number is None or isinstance(number, int) else float(number)


def _cell(value: object) -> object:
    """A text that a spreadsheet would run as a formula gets an apostrophe before it; numbers stay numbers."""
    return FORMULA_STARTS.sub("'", value) if isinstance(value, str) else value
