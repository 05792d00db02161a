"""Points: a scoring rule is a list of cases, the first that holds decides, its points are a sum of named terms.

All that a case can ask and all that a term can be stands in `CONDITIONS` and `TERMS`; the formulas themselves are
data (`catalog/formulas.toml`). Numbers are exact: int, or Fraction where a formula has halves.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import lru_cache
from math import ceil
from typing import Any

from scorekeeper.engine.plain import Problem, axis, choice, each, number, one_of, optional, part, read, text, whole

Number = int | Fraction
Table = tuple[tuple[Number, ...], ...]
Expected = bool | str | tuple[int | None, int | None]

MOST_CASES = 20
LARGEST = 1000  # of a coefficient; no formula seen comes near

TIES = ("shared", "most_made_bids", "most_made_bid_total", "most_tricks", "extra_max_hands")


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of one seat in one hand. `bid` and `tricks` are 0 to `cards`; None is "not known"."""

    cards: int
    bid: int
    tricks: int
    players: int | None = None  # present in this hand
    max_cards: int | None = None  # the largest hand of the game's first plan
    no_card_left: bool | None = None  # the whole pack is dealt
    last_hand: bool | None = None
    trump: str | None = None  # C, D, H, S or NT
    bids_total: str | None = None  # "under", "over" or "even", against the tricks
    blind: bool = False  # bid before looking
    wager: int = 0  # the stake on the bid
    side: int = 0  # a count taken by hand, such as tricks won with a two
    total_before: Number | None = None  # this seat's total before the hand

    @property
    def diff(self) -> int:
        return abs(self.tricks - self.bid)


class UnknownFact(ValueError):
    """A formula needs a fact that is not known; `fact` names it."""

    def __init__(self, fact: str) -> None:
        super().__init__(f"this formula needs to know {fact}")
        self.fact = fact


def known(fact: str, facts: Facts) -> Any:
    """A fact by its name. Raises UnknownFact where it is None."""
    value = getattr(facts, fact)
    if value is None:
        raise UnknownFact(fact)
    return value


TERMS: Mapping[str, Callable[[Facts], int]] = {
    "const": lambda facts: 1,
    "bid": lambda facts: facts.bid,
    "tricks": lambda facts: facts.tricks,
    "cards": lambda facts: facts.cards,
    "diff": lambda facts: facts.diff,
    "over": lambda facts: max(0, facts.tricks - facts.bid),
    "under": lambda facts: max(0, facts.bid - facts.tricks),
    "bid2": lambda facts: facts.bid**2,
    "tricks2": lambda facts: facts.tricks**2,
    "diff2": lambda facts: facts.diff**2,
    "tri": lambda facts: facts.diff * (facts.diff + 1) // 2,
    "geo": lambda facts: 2**facts.diff - 1,
    "max_cards": lambda facts: known("max_cards", facts),
    "wager": lambda facts: facts.wager,
    "side": lambda facts: facts.side,
}
FLAGS: Mapping[str, Callable[[Facts], bool]] = {
    "made": lambda facts: facts.tricks == facts.bid,
    "over": lambda facts: facts.tricks > facts.bid,
    "under": lambda facts: facts.tricks < facts.bid,
    "blind": lambda facts: facts.blind,
    "all_tricks": lambda facts: facts.tricks == facts.cards,
    "bid_all": lambda facts: facts.bid == facts.cards,
    "no_card_left": lambda facts: known("no_card_left", facts),
    "cards_gt_players": lambda facts: facts.cards > known("players", facts),
    "last_hand": lambda facts: known("last_hand", facts),
}
COUNTS: Mapping[str, Callable[[Facts], int]] = {
    "bid": lambda facts: facts.bid,
    "tricks": lambda facts: facts.tricks,
    "cards": lambda facts: facts.cards,
    "diff": lambda facts: facts.diff,
    "players": lambda facts: known("players", facts),
}
WORDS: Mapping[str, tuple[str, ...]] = {
    "bids_total": ("under", "over", "even"),
    "trump": ("C", "D", "H", "S", "NT"),
}
# What a condition or a term asks of the game beside the bid, the tricks and the cards.
ASKS: Mapping[str, str] = {
    "cards_gt_players": "players",
    **{name: name for name in ("max_cards", "wager", "side", "blind", "no_card_left", "last_hand", "players", *WORDS)},
}


def halve_total_round_up(facts: Facts) -> Number:
    """Half of the total so far is lost, what stays is rounded up; nothing changes at 0 or below.

    Source: Wikipedia's "Oh Hell" (2020 text), "Binary with increasing penalty".
    """
    total: Number = known("total_before", facts)
    return ceil(Fraction(total) / 2) - total if total > 0 else 0


NAMED: Mapping[str, Callable[[Facts], Number]] = {"halve_total_round_up": halve_total_round_up}


def _when(value: object, path: str, problems: list[Problem]) -> tuple[tuple[str, Expected], ...]:
    if not isinstance(value, Mapping):
        problems.append(Problem(path, "must be a table of conditions"))
        return ()
    return tuple((str(name), _expected(str(name), one, f"{path}.{name}", problems)) for name, one in value.items())


def _expected(name: str, value: object, path: str, problems: list[Problem]) -> Expected:
    if name in FLAGS:
        if not isinstance(value, bool):
            problems.append(Problem(path, "must be true or false"))
        return value is True
    if name in WORDS:
        return str(one_of(*WORDS[name])(value, path, problems))
    if name in COUNTS:
        return _span(value, path, problems)
    problems.append(Problem(path, "is not a known condition"))
    return False


_SPAN = re.compile(r"([0-9]{0,3})\.\.([0-9]{0,3})")


def _span(value: object, path: str, problems: list[Problem]) -> tuple[int | None, int | None]:
    """A number, [low, high] with null for an open end, or a text such as "2.." as TOML has no null."""
    if isinstance(value, str) and (match := _SPAN.fullmatch(value)):
        value = [int(end) if end else None for end in match.groups()]
    ends = value if isinstance(value, list) and len(value) == 2 else [value, value]
    low, high = (optional(whole(0, LARGEST))(end, path, problems) for end in ends)
    if low is None and high is None:
        problems.append(Problem(path, 'must be a number or a span such as "2.."'))
    return low, high


def _terms(value: object, path: str, problems: list[Problem]) -> tuple[tuple[str, Number], ...]:
    if not isinstance(value, Mapping):
        problems.append(Problem(path, "must be a table of terms"))
        return ()
    problems += [Problem(f"{path}.{name}", "is not a known term") for name in value if name not in TERMS]
    return tuple(
        (name, number(LARGEST)(one, f"{path}.{name}", problems)) for name, one in value.items() if name in TERMS
    )


@dataclass(frozen=True, slots=True)
class Case:
    """Points for the results that its conditions hold for: the sum of coefficient times term, or a named rule."""

    when: tuple[tuple[str, Expected], ...] = axis(_when)
    points: tuple[tuple[str, Number], ...] | None = axis(optional(_terms), None)
    rule: str | None = axis(optional(one_of(*NAMED)), None)

    def holds(self, facts: Facts) -> bool:
        """True if all conditions hold; tested in their order, up to the first that fails. Raises UnknownFact."""
        return _all_hold(self.when, facts)

    def value(self, facts: Facts) -> Number:
        """The points of this case. Raises UnknownFact."""
        if self.rule is not None:
            return NAMED[self.rule](facts)
        return sum((factor * TERMS[term](facts) for term, factor in self.points or ()), start=0)

    def to_data(self) -> dict[str, Any]:
        data: dict[str, Any] = {"when": {name: _plain_expected(one) for name, one in self.when}}
        if self.rule is not None:
            return data | {"rule": self.rule}
        return data | {"points": {term: _plain_number(one) for term, one in self.points or ()}}


@dataclass(frozen=True, slots=True)
class Multiplier:
    """A factor on the points of the hands that its conditions hold for."""

    when: tuple[tuple[str, Expected], ...] = axis(_when)
    by: Number = axis(number(LARGEST))


@dataclass(frozen=True, slots=True)
class Streak:
    """A prize: every `length`th hand in a row made adds `made`, missed adds `missed`, and the count restarts.

    A hand of fewer than `min_cards` cards ends both rows and counts in neither.
    """

    length: int = axis(whole(2, 100))
    made: int = axis(whole(-LARGEST, LARGEST), 0)
    missed: int = axis(whole(-LARGEST, LARGEST), 0)
    min_cards: int = axis(whole(1, 100), 1)


_SOURCES = each(text, 20)


@dataclass(frozen=True, slots=True)
class Formula:
    """A scoring rule. `direction` says whether the highest or the lowest total wins."""

    cases: tuple[Case, ...] = axis(each(part(Case), MOST_CASES))
    direction: str = choice("high", "low")
    bonuses: tuple[Case, ...] = axis(each(part(Case), MOST_CASES), ())
    multiply: tuple[Multiplier, ...] = axis(each(part(Multiplier), MOST_CASES), ())
    streak: Streak | None = axis(optional(part(Streak)), None)
    tie_break: str | None = axis(optional(one_of(*TIES)), None)
    id: str = axis(text, "")
    name: str = axis(text, "")
    where: str = axis(text, "")
    source: tuple[str, ...] = axis(_SOURCES, ())
    note: str = axis(text, "")
    common_form: bool = axis(lambda value, path, problems: value is True, False)  # not all of it was seen in a source

    @property
    def needs(self) -> frozenset[str]:
        """The facts beside bid, tricks and cards that the points may hang on, `streak` and `total_before` with them."""
        conditions = [*(case.when for case in (*self.cases, *self.bonuses)), *(factor.when for factor in self.multiply)]
        names = {name for when in conditions for name, _ in when}
        names |= {term for case in (*self.cases, *self.bonuses) for term, _ in case.points or ()}
        asked = {ASKS[name] for name in names if name in ASKS}
        asked |= {"streak"} if self.streak else set()
        asked |= {"total_before"} if any(case.rule for case in (*self.cases, *self.bonuses)) else set()
        return frozenset(asked)

    def to_data(self) -> dict[str, Any]:
        """Plain data that `read_formula` reads back to an equal value."""
        data: dict[str, Any] = {"id": self.id, "name": self.name, "direction": self.direction}
        data["cases"] = [case.to_data() for case in self.cases]
        if self.bonuses:
            data["bonuses"] = [case.to_data() for case in self.bonuses]
        if self.multiply:
            data["multiply"] = [
                {"when": {name: _plain_expected(one) for name, one in factor.when}, "by": _plain_number(factor.by)}
                for factor in self.multiply
            ]
        if self.streak:
            data["streak"] = {one.name: getattr(self.streak, one.name) for one in fields(Streak)}
        rest = {name: getattr(self, name) for name in ("tie_break", "where", "note", "common_form")}
        data |= {name: value for name, value in rest.items() if value}
        return data | ({"source": list(self.source)} if self.source else {})


def _plain_expected(value: Expected) -> Any:
    if isinstance(value, tuple):
        low, high = value
        return low if low == high else [low, high]
    return value


def _plain_number(value: Number) -> int | str:
    return value if isinstance(value, int) else str(value)


def _all_hold(when: Iterable[tuple[str, Expected]], facts: Facts) -> bool:
    return all(_holds(name, expected, facts) for name, expected in when)


def _holds(name: str, expected: Expected, facts: Facts) -> bool:
    if isinstance(expected, tuple):
        low, high = expected
        count = COUNTS[name](facts)
        return (low is None or low <= count) and (high is None or count <= high)
    if isinstance(expected, bool):
        return FLAGS[name](facts) is expected
    return bool(known(name, facts) == expected)


# Keys of the formula files that say where a formula comes from rather than how it scores.
_REMARKS = ("confidence", "named_rule")


def read_formula(data: object, path: str, problems: list[Problem]) -> Formula:
    """A formula out of plain data; `direction` and `cases` are enough. Notes what is wrong in `problems`."""
    before = len(problems)
    formula = read(Formula, data, path, problems, ignore=_REMARKS)
    where = f"{path}.cases" if path else "cases"
    if len(problems) == before:
        if not formula.cases or formula.cases[-1].when:
            problems.append(Problem(where, "must end with a case that has no condition, so that every result scores"))
        elif any((case.points is None) == (case.rule is None) for case in (*formula.cases, *formula.bonuses)):
            problems.append(Problem(where, "each need either points or a rule"))
    return formula


def points(formula: Formula, facts: Facts) -> Number:
    """The points of one seat in one hand, without its streak prize and without adjustments.

    Raises UnknownFact if the formula needs a fact that is None.
    """
    case = next(case for case in formula.cases if case.holds(facts))
    total = case.value(facts) + sum(bonus.value(facts) for bonus in formula.bonuses if bonus.holds(facts))
    for factor in formula.multiply:
        if _all_hold(factor.when, facts):
            total *= factor.by
    return exact(total)


def exact(value: Number) -> Number:
    """The same number, as an int where it is whole."""
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value


@lru_cache(maxsize=1024)  # a game has a few dozen, and every page of it asks for them
def table(formula: Formula, facts: Facts) -> Table:
    """`table[bid][tricks]`, each 0 to `facts.cards`, with the other facts as given. Raises UnknownFact."""
    counts = range(facts.cards + 1)
    return tuple(tuple(points(formula, replace(facts, bid=bid, tricks=tricks)) for tricks in counts) for bid in counts)


def prizes(streak: Streak, results: Sequence[tuple[int, bool | None]]) -> list[int]:
    """The prize of each of a seat's hands, given as (cards, made), made None where the seat had no result.

    Source: the score trackers of Romanian Whist; a hand without a result neither counts nor ends a row.
    """
    given = []
    row, row_made = 0, True
    for cards, made in results:
        prize = 0
        if cards < streak.min_cards:
            row = 0
        elif made is not None:
            row = row + 1 if made == row_made else 1
            row_made = made
            if row == streak.length:
                prize = streak.made if made else streak.missed
                row = 0
        given.append(prize)
    return given
