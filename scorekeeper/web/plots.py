"""Drawings of numbers as geometry: lines, bars and spreads, for templates to draw. Lengths are in units of WIDTH."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, floor, log10

WIDTH = 358
LINES = 5  # of a scale, about
LEFT, RIGHT = 38, 348  # of the plot; the scale stands left of it
TOP, BOTTOM, HEIGHT = 10, 186, 210  # of lines
LABEL = 13  # the height of a label
MOST_NUMBERS = 16  # that fit below lines
START, END = 66, 344  # of spreads, beside their names
THICK, GAP = 13, 5  # of a bar or a spread, and between two groups
BAR, LONGEST = 16, 280  # where bars begin, and the length of the longest


@dataclass(frozen=True)
class Tick:
    """A line of the scale with its number."""

    at: float
    text: str


class Scale:
    """Places on a line from `start` to `end` for values; its lines stand at round numbers, 0 with them.

    `least` is the smallest step from line to line.
    """

    def __init__(self, values: Sequence[float], start: float, end: float, least: float = 1e-9) -> None:
        low, high = min(0.0, *values), max(0.0, *values)
        rough = max((high - low) / LINES, least)
        power = 10.0 ** floor(log10(rough))
        step = next(nice * power for nice in (1, 2, 5, 10) if nice * power >= rough * 0.999)
        self.low = floor(low / step + 1e-9) * step
        self.high = max(ceil(high / step - 1e-9) * step, self.low + step)
        self.start, self.end, self.step = start, end, step

    def at(self, value: float) -> float:
        return round(self.start + (self.end - self.start) * (value - self.low) / (self.high - self.low), 1)

    def ticks(self, text: Callable[[float], str]) -> list[Tick]:
        values = [self.low + self.step * index for index in range(round((self.high - self.low) / self.step) + 1)]
        return [Tick(self.at(value), text(round(value, 6))) for value in values]


@dataclass(frozen=True)
class Line:
    """One series: its line, its points, and where behind the last of them its number stands."""

    number: int
    points: str
    dots: Sequence[tuple[float, float]]
    label: tuple[float, float]


@dataclass(frozen=True)
class Lines:
    """Several series over whole numbers, numbered from 1; `highest` is a value that the scale reaches at least."""

    series: Sequence[Mapping[int, float]]
    text: Callable[[float], str]
    highest: float = 0
    width = WIDTH
    height = HEIGHT
    left = LEFT
    right = RIGHT

    @cached_property
    def _scale(self) -> Scale:
        return Scale([self.highest, *(value for one in self.series for value in one.values())], BOTTOM, TOP)

    @cached_property
    def _numbers(self) -> Sequence[int]:
        return sorted({number for one in self.series for number in one})

    def _x(self, number: int) -> float:
        first, last = self._numbers[0], self._numbers[-1]
        share = (number - first) / (last - first) if last > first else 0.5
        return round(LEFT + 8 + (RIGHT - LEFT - 26) * share, 1)

    @property
    def values(self) -> list[Tick]:
        return self._scale.ticks(self.text)

    @property
    def numbers(self) -> list[Tick]:
        every = ceil(len(self._numbers) / MOST_NUMBERS)
        return [Tick(self._x(number), str(number)) for number in self._numbers[::every]]

    @cached_property
    def lines(self) -> list[Line]:
        all_dots = [[(self._x(number), self._scale.at(value)) for number, value in one.items()] for one in self.series]
        labels = _apart([dots[-1] for dots in all_dots])
        return [
            Line(index, " ".join(f"{x},{y}" for x, y in dots), dots, label)
            for index, (dots, label) in enumerate(zip(all_dots, labels, strict=True), 1)
        ]


def _apart(ends: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Where the numbers of lines with these ends stand: behind them, moved down from those above them."""
    free: dict[float, float] = {}
    moved = {}
    for index in sorted(range(len(ends)), key=lambda one: ends[one][1]):
        x, y = ends[index]
        moved[index] = (x + 7, max(y, free.get(x, TOP)))
        free[x] = moved[index][1] + LABEL
    return [moved[index] for index in range(len(ends))]


@dataclass(frozen=True)
class Bar:
    """A value as a bar; `number` is its series'."""

    number: int
    y: float
    length: float
    text: str


@dataclass(frozen=True)
class BarGroup:
    """What a group is of, where that is written, and its bars."""

    title: str
    y: float
    bars: Sequence[Bar]


@dataclass(frozen=True)
class Bars:
    """Groups of bars from 0 to 1, one for each series that has a value there; `text` tells a value."""

    groups: Sequence[tuple[str, Sequence[float | None]]]
    text: Callable[[float], str]
    width = WIDTH
    start = BAR

    @cached_property
    def drawn(self) -> list[BarGroup]:
        drawn, top = [], 0
        for title, values in self.groups:
            there = [(number, value) for number, value in enumerate(values, 1) if value is not None]
            bars = [
                Bar(number, top + LABEL + 3 + THICK * row, round(LONGEST * value, 1), self.text(value))
                for row, (number, value) in enumerate(there)
            ]
            drawn.append(BarGroup(title, top + LABEL - 3, bars))
            top += LABEL + 3 + THICK * len(bars) + GAP
        return drawn

    @property
    def height(self) -> float:
        rows = sum(value is not None for _, values in self.groups for value in values)
        return len(self.groups) * (LABEL + 3 + GAP) + rows * THICK


@dataclass(frozen=True)
class Box:
    """A spread: the ends of its line, of its box, and its middle."""

    title: str
    y: float
    ends: tuple[float, float, float, float, float]


@dataclass(frozen=True)
class Spreads:
    """Groups of spreads on one scale; each spread is five values in order, the middle one the median."""

    groups: Sequence[tuple[str, Sequence[tuple[str, Sequence[float]]]]]
    text: Callable[[float], str]
    width = WIDTH

    @cached_property
    def _scale(self) -> Scale:
        return Scale([value for _, rows in self.groups for _, one in rows for value in one], START, END)

    @property
    def values(self) -> list[Tick]:
        return self._scale.ticks(self.text)

    @cached_property
    def drawn(self) -> Sequence[tuple[str, float, Sequence[Box]]]:
        """Each group's title, where it is written, and its boxes."""
        drawn, top = [], 0
        for title, rows in self.groups:
            boxes = []
            for row, (name, spread) in enumerate(rows):
                low, first, middle, third, high = (self._scale.at(value) for value in spread)
                y = top + LABEL + 3 + (THICK + 3) * row
                boxes.append(Box(name, y, (low, first, middle, third, high)))
            drawn.append((title, top + LABEL - 3, boxes))
            top += LABEL + 3 + (THICK + 3) * len(rows) + GAP
        return drawn

    @property
    def bottom(self) -> float:
        return sum(LABEL + 3 + (THICK + 3) * len(rows) + GAP for _, rows in self.groups)

    @property
    def height(self) -> float:
        return self.bottom + LABEL + 4
