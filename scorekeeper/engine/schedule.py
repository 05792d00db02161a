"""Hand sizes: a schedule is segments one after the other, each a run from one size to another."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from scorekeeper.engine.events import MOST_CARDS, MOST_HANDS
from scorekeeper.engine.plain import Problem, axis, choice, each, optional, part, whole

Pairs = tuple[tuple[int, int], ...]
_PLAYERS = re.compile("[0-9]{1,2}")


def by_players(value: object, path: str, problems: list[Problem]) -> Pairs:
    """Reads a table of cards by number of players."""
    if not isinstance(value, Mapping) or not value or not all(_PLAYERS.fullmatch(str(players)) for players in value):
        problems.append(Problem(path, "must be a table by number of players"))
        return ()
    read_cards = whole(1, MOST_CARDS)
    return tuple(
        sorted((int(players), read_cards(one, f"{path}.{players}", problems)) for players, one in value.items())
    )


def _end_of_segment(value: object, path: str, problems: list[Problem]) -> int | str:
    if isinstance(value, str) and re.fullmatch("max(-[0-9]{1,2})?|turnup", value):
        return value
    if isinstance(value, str):
        problems.append(Problem(path, "must be a number of cards, max, max-1 … or turnup"))
        return 1
    cards: int = whole(1, MOST_CARDS)(value, path, problems)
    return cards


def _times(value: object, path: str, problems: list[Problem]) -> int | str:
    if value == "players":
        return "players"
    times: int = whole(1, 60)(value, path, problems)
    return times


@dataclass(frozen=True, slots=True)
class Segment:
    """A run of hand sizes from `start` to `to`, each dealt `each` times (a number, or once per player)."""

    start: int | str = axis(_end_of_segment, key="from")
    to: int | str = axis(_end_of_segment)
    step: int = axis(whole(1, MOST_CARDS), 1)
    each: int | str = axis(_times, 1)


@dataclass(frozen=True, slots=True)
class Maximum:
    """The largest hand: from a table by players, the whole pack, the pack less a turn-up, a cap on it, or fixed."""

    kind: str = choice("table", "deck", "deck_keep_turnup", "cap", "fixed")
    table: Pairs | None = axis(optional(by_players), None)
    cap: int | None = axis(optional(whole(1, MOST_CARDS)), None)
    keep: int | None = axis(optional(whole(0, 10)), None)
    cards: int | None = axis(optional(whole(1, MOST_CARDS)), None)


BASE_MAXIMUM = Maximum("table", ((3, 15), (4, 13), (5, 10), (6, 8), (7, 7)))


@dataclass(frozen=True, slots=True)
class Schedule:
    """The hand sizes of a game: segments one after the other."""

    maximum: Maximum = axis(part(Maximum), BASE_MAXIMUM, key="max")
    segments: tuple[Segment, ...] = axis(each(part(Segment), MOST_HANDS), (Segment(1, "max"),))

    @classmethod
    def listed(cls, cards: Sequence[int]) -> "Schedule":
        """A schedule that deals just these hands."""
        return cls(Maximum("fixed", cards=max(cards)), tuple(Segment(size, size) for size in cards))

    def sizes(self, players: int, pack: int) -> tuple[int, ...]:
        """The cards of every hand for `players` players and a pack of `pack` cards, cut off after one too many."""
        most = self.largest(players, pack)
        turn_up = min(most, (pack - 1) // players)
        cards = (cards for segment in self.segments for cards in _run(segment, most, turn_up, players))
        # Enough to see that there are too many, and no more: a few lines can ask for millions.
        return tuple(islice(cards, MOST_HANDS + 1))

    def largest(self, players: int, pack: int) -> int:
        """The maximum that `max` stands for, at least 1.

        A table that ends before so many players goes on with its largest entry, as far as the pack reaches.
        """
        maximum = self.maximum
        match maximum.kind:
            case "table":
                table = dict(maximum.table or ())
                return table.get(players) or max(1, min(max(table.values()), pack // players))
            case "deck":
                return max(1, pack // players)
            case "deck_keep_turnup":
                return max(1, (pack - 1) // players)
            case "cap":
                return max(1, min(maximum.cap or 1, (pack - (maximum.keep or 0)) // players))
        return maximum.cards or 1


def _run(segment: Segment, most: int, turn_up: int, players: int) -> Iterator[int]:
    start, to = _cards(segment.start, most, turn_up), _cards(segment.to, most, turn_up)
    # Towards a maximum it climbs, away from one it falls, and past its end there is nothing to deal.
    same_kind = isinstance(segment.start, str) == isinstance(segment.to, str)
    up = start <= to if same_kind else isinstance(segment.to, str)
    times = players if segment.each == "players" else int(segment.each)
    for cards in range(start, to + 1, segment.step) if up else range(start, to - 1, -segment.step):
        if cards >= 1:
            yield from [cards] * times


def _cards(end: int | str, most: int, turn_up: int) -> int:
    if isinstance(end, int):
        return end
    return turn_up if end == "turnup" else most - int(end[3:].removeprefix("-") or 0)
