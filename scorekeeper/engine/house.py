"""A table's own rules: a set of rules, and the switches that this table turns on it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from scorekeeper.engine.catalog import formulas
from scorekeeper.engine.rules import Bidding, Rules
from scorekeeper.engine.schedule import Maximum, Segment
from scorekeeper.engine.scoring import Case, Formula

# The four schedules of the base article.
SCHEDULES: Mapping[str, tuple[Segment, ...]] = {
    "up": (Segment(1, "max"),),
    "down": (Segment("max", 1),),
    "up_down": (Segment(1, "max"), Segment("max-1", 1)),
    "down_up": (Segment("max", 1), Segment(2, "max")),
}
_ZERO = Case((("made", True), ("bid", (0, 0))), (("const", 5), ("cards", 1)))
_MISS = Case((("made", False),), (("tricks", 1),))
_MISS_SCORES_TRICKS = (("tricks", 1),)
_MISS_SCORES_NOTHING = (("const", 0),)


@dataclass(frozen=True, slots=True)
class Switches:
    """What a table decides on top of a preset. Source: the base article's variants."""

    schedule: str | None  # one of SCHEDULES; None leaves the hands to the rules
    hook: bool
    at_once: bool  # everybody bids at the same time
    must_trump: bool  # who cannot follow plays a trump
    miss_scores_tricks: bool
    zero_scores_cards: bool  # a made zero scores 5 and the cards of the hand
    no_trump_in_last: bool
    most_cards: int | None = None  # a shorter maximum than the rules have; None leaves it to them


def switches(rules: Rules) -> Switches:
    """How the switches stand in `rules`."""
    return Switches(
        schedule=next((name for name, segments in SCHEDULES.items() if segments == rules.schedule.segments), None),
        hook=rules.bidding.hook != "never",
        at_once=rules.bidding.mode == "simultaneous",
        must_trump=rules.play.must_trump,
        miss_scores_tricks=_miss_scores_tricks(rules.scoring),
        zero_scores_cards=_ZERO in rules.scoring.cases,
        no_trump_in_last="last_hand" in rules.trump.no_trump_on,
    )


def turned(rules: Rules, wanted: Switches) -> Rules:
    """`rules` with the switches as `wanted`; whatever stands like that already stays as the rules have it."""
    now = switches(rules)
    schedule, scoring, trump = rules.schedule, rules.scoring, rules.trump
    if wanted.schedule is not None and wanted.schedule != now.schedule:
        schedule = replace(schedule, segments=SCHEDULES[wanted.schedule])
    if wanted.most_cards is not None:
        schedule = replace(schedule, maximum=_at_most(schedule.maximum, wanted.most_cards))
    if wanted.miss_scores_tricks != now.miss_scores_tricks:
        scoring = _with_miss(scoring, wanted.miss_scores_tricks)
    if wanted.zero_scores_cards != now.zero_scores_cards:
        others = tuple(case for case in scoring.cases if case != _ZERO)
        scoring = replace(scoring, cases=(_ZERO, *others) if wanted.zero_scores_cards else others)
    if wanted.no_trump_in_last != now.no_trump_in_last:
        others_without = tuple(which for which in trump.no_trump_on if which != "last_hand")
        trump = replace(trump, no_trump_on=(*others_without, *(["last_hand"] if wanted.no_trump_in_last else [])))
    return replace(
        rules,
        schedule=schedule,
        scoring=rules.scoring if scoring is rules.scoring else _catalogued(scoring),
        trump=trump,
        bidding=_bidding(rules.bidding, now, wanted),
        play=replace(rules.play, must_trump=wanted.must_trump),
    )


def turned_from(base: Rules, rules: Rules) -> Switches | None:
    """The switches that make `rules` out of `base`; None where none do."""
    wanted = switches(rules)
    longest = max(largest_hand(base, players) for players in range(base.players[0], base.players[1] + 1))
    for most in (None, *range(1, longest)):
        if turned(base, replace(wanted, most_cards=most)) == rules:
            return replace(wanted, most_cards=most)
    return None


def largest_hand(rules: Rules, players: int) -> int:
    """The most cards that `rules` deal each of `players` players in a hand."""
    return max(rules.sizes(players))


def _bidding(bidding: Bidding, now: Switches, wanted: Switches) -> Bidding:
    if wanted.hook != now.hook:
        # A rule that the bids must add up to the tricks is the opposite of the hook, and gives way to it.
        hook = "always" if wanted.hook else "never"
        bidding = replace(bidding, hook=hook, total_must_equal=bidding.total_must_equal and not wanted.hook)
    return replace(bidding, mode="simultaneous" if wanted.at_once else "sequential")


def _miss_scores_tricks(formula: Formula) -> bool:
    return _MISS in formula.cases or (_decides_misses_last(formula) and formula.cases[-1].points == _MISS_SCORES_TRICKS)


def _decides_misses_last(formula: Formula) -> bool:
    """True where all misses, and nothing but them, come down to the last case."""
    return all(("made", True) in case.when for case in formula.cases[:-1]) and any(
        case.when == (("made", True),) for case in formula.cases
    )


def _with_miss(formula: Formula, scores_tricks: bool) -> Formula:
    if _decides_misses_last(formula):
        points = _MISS_SCORES_TRICKS if scores_tricks else _MISS_SCORES_NOTHING
        return replace(formula, cases=(*formula.cases[:-1], Case((), points)))
    others = tuple(case for case in formula.cases if case != _MISS)
    return replace(formula, cases=(_MISS, *others) if scores_tricks else others)


def _catalogued(formula: Formula) -> Formula:
    """The catalog's formula that scores by the same cases; without its id and name where there is none."""
    bare = replace(formula, id="", name="", where="", source=(), note="", common_form=False)
    for one in formulas().values():
        if replace(one, id="", name="", where="", source=(), note="", common_form=False) == bare:
            return one
    return bare


def _at_most(maximum: Maximum, most: int) -> Maximum:
    match maximum.kind:
        case "table":
            return replace(maximum, table=tuple((players, min(cards, most)) for players, cards in maximum.table or ()))
        case "deck":
            return Maximum("cap", cap=most, keep=0)
        case "deck_keep_turnup":
            return Maximum("cap", cap=most, keep=1)
        case "cap":
            return replace(maximum, cap=min(maximum.cap or most, most))
    return replace(maximum, cards=min(maximum.cards or most, most))
