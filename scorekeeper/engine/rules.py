"""The rules of one game as one frozen value: every axis on which the games of this family differ.

The axes, their values and where each is played are those of the variant survey that the catalog cites; the
defaults are the base game's. `read_rules` takes plain data (JSON, TOML) and says everything that is wrong with them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from scorekeeper.engine.events import MOST_CARDS, MOST_HANDS, MOST_SEATS, TRUMPS
from scorekeeper.engine.plain import (
    Problem,
    axis,
    choice,
    each,
    flag,
    one_of,
    optional,
    part,
    plain,
    read,
    whole,
)
from scorekeeper.engine.schedule import Pairs, Schedule, by_players
from scorekeeper.engine.scoring import TIES, Formula, read_formula

# Cards in each pack; a table where it grows with the players. `other` is for games whose cards are not modelled.
DECKS: Mapping[str, int | Mapping[int, int]] = {
    "french52": 52,
    "french54": 54,
    "two_packs": 104,
    "pack63": 63,
    "pack73": 73,
    "piquet32": 32,
    "joker36": 36,
    "spanish40": 40,
    "skat_double_64": 64,
    "wizard60": 60,
    "top_8_per_player": {players: 8 * players for players in range(2, 7)},
    "other": 70,
}
SUITS = ("C", "D", "H", "S")
NO_TRUMP_ON = ("first_hand", "last_hand", "largest_hands", "second_largest_in_a_row")


def _deck_size(value: object, path: str, problems: list[Problem]) -> int | Pairs:
    return by_players(value, path, problems) if isinstance(value, Mapping) else whole(1, 300)(value, path, problems)


def _players(value: object, path: str, problems: list[Problem]) -> tuple[int, int]:
    ends = each(whole(1, MOST_SEATS), 2)(value, path, problems)
    if len(ends) != 2 or ends[0] > ends[1]:
        problems.append(Problem(path, "must be the fewest and the most players, such as [3, 7]"))
        return 3, 7
    return ends[0], ends[1]


@dataclass(frozen=True, slots=True)
class Trump:
    """Where the trump suit of a hand comes from."""

    method: str = choice(
        "turn_up", "rotation", "fixed", "highest_bidder", "auction", "dealer_chooses", "second_pack", "wizard_turn_up",
        "none", "not_modelled",
    )  # fmt: skip
    no_trump_on: tuple[str, ...] = axis(each(one_of(*NO_TRUMP_ON), 4), ("last_hand",))
    when_no_card_left: str = choice(
        "none", "dealer_last_card", "cut_before_deal", "dealer_chooses_unseen", "auction"
    )  # fmt: skip
    order: tuple[str, ...] | None = axis(optional(each(one_of(*TRUMPS), 20)), None)  # of a rotation or an auction
    suit: str | None = axis(optional(one_of(*SUITS)), None)  # where it is fixed
    min_bid: int | None = axis(optional(whole(0, MOST_CARDS)), None)  # of an auction
    allow_no_trump: bool = flag()  # for the highest bidder
    bid_tie: str = choice("first", "first_to_bid")


@dataclass(frozen=True, slots=True)
class ZeroLimit:
    """With more than `if_players_over` players nobody bids zero in more than `most` hands in a row."""

    most: int = axis(whole(1, MOST_HANDS), key="max")
    if_players_over: int = axis(whole(0, MOST_SEATS), 0)


@dataclass(frozen=True, slots=True)
class BlindBids:
    """Who is far enough behind may bid before looking."""

    min_points_behind_leader: int = axis(whole(0, 10_000), 0)
    dealer_off_hook_adds: int = axis(whole(0, 10), 0)  # to the bid of a dealer whom the hook takes off a blind bid


def _zero_limit(value: object, path: str, problems: list[Problem]) -> ZeroLimit:
    return read(ZeroLimit, value if isinstance(value, Mapping) else {"max": value}, path, problems)


@dataclass(frozen=True, slots=True)
class Bidding:
    """Who bids when, and what may not be bid."""

    mode: str = choice("sequential", "simultaneous")
    first: str = choice("left_of_dealer", "right_of_dealer", "dealer", "trump_maker")
    hook: str = choice("never", "always", "dealer_leading_and_nonzero")
    hook_min_cards: int = axis(whole(1, MOST_CARDS), 1)
    hook_not_in_first_hand: bool = flag()
    hook_not_in_last_hand: bool = flag()
    one_card_blind: bool = flag()  # a single card is held to the forehead; it changes no points
    zero_bids_in_a_row_max: ZeroLimit | None = axis(optional(_zero_limit), None)
    blind_bids: BlindBids | None = axis(optional(part(BlindBids)), None)
    total_must_equal: bool = flag()  # the opposite of the hook: the bids must add up to the tricks


@dataclass(frozen=True, slots=True)
class Play:
    """What may be led and played."""

    first_lead: str = choice("left_of_dealer", "right_of_dealer", "dealer", "highest_bidder_nearest_after_dealer")
    must_trump: bool = flag()
    must_overtrump: bool = flag()
    must_head: bool = flag()
    trump_lead: str = choice("free", "not_first_card", "not_while_other_suit")


@dataclass(frozen=True, slots=True)
class End:
    """When a game ends: with its schedule, when a total reaches `target`, or when the table likes."""

    kind: str = choice("schedule", "target", "open")
    target: int | None = axis(optional(whole(1, 100_000)), None)


BASE_FORMULA = read_formula(
    {
        "id": "exact",
        "name": "Exact",
        "cases": [
            {"when": {"made": True}, "points": {"const": 10, "tricks": 1}},
            {"when": {}, "points": {"const": 0}},
        ],
    },
    "scoring",
    [],
)


@dataclass(frozen=True, slots=True)
class Rules:
    """All rules of one game; `players` are the fewest and the most, `direction` is that of bidding and play."""

    players: tuple[int, int] = axis(_players, (3, 7))
    deck: str = choice("french52", *(name for name in DECKS if name != "french52"))
    cards_in_deck: int | Pairs | None = axis(optional(_deck_size), None)  # None: as many as the deck has
    direction: str = choice("clockwise", "anticlockwise")
    deal_passes: str = choice("left", "right", "worst_miss")
    schedule: Schedule = axis(part(Schedule), Schedule())
    trump: Trump = axis(part(Trump), Trump())
    bidding: Bidding = axis(part(Bidding), Bidding())
    play: Play = axis(part(Play), Play())
    scoring: Formula = axis(lambda value, path, problems: value, BASE_FORMULA)
    end: End = axis(part(End), End())
    tie: str = choice(*TIES)

    def cards_in_pack(self, players: int) -> int:
        """How many cards there are for `players` players."""
        size = DECKS[self.deck] if self.cards_in_deck is None else self.cards_in_deck
        if isinstance(size, int):
            return size
        sizes = dict(size)
        return sizes.get(players) or max(sizes.values())

    def sizes(self, players: int) -> tuple[int, ...]:
        """The cards of every hand of a game, in the order they are dealt."""
        return self.schedule.sizes(players, self.cards_in_pack(players))

    def largest(self, players: int) -> int:
        """The largest hand that the schedule allows so many players."""
        return self.schedule.largest(players, self.cards_in_pack(players))

    def to_data(self) -> dict[str, Any]:
        """Plain data that `read_rules` reads back to an equal value, the formula written out."""
        data: dict[str, Any] = plain(replace(self, scoring=BASE_FORMULA))
        for where, name in ((data, "cards_in_deck"), (data["schedule"]["max"], "table")):
            if isinstance(where.get(name), list):
                where[name] = {str(players): cards for players, cards in where[name]}
        return data | {"scoring": self.scoring.to_data()}


class RulesError(ValueError):
    """Plain data that are no set of rules; `problems` says what is wrong, each with the path of its field."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("; ".join(map(str, problems)))
        self.problems = tuple(problems)


# Keys of a preset that say what it is rather than how it is played.
REMARKS = ("id", "name", "aliases", "source", "about", "note", "notes", "status", "common_form", "differs", "formula")


def read_rules(data: object, formulas: Mapping[str, Formula]) -> Rules:
    """Rules out of plain data; missing keys take the base game's values, `scoring` may be a formula's id.

    Raises RulesError with everything that is wrong.
    """
    problems: list[Problem] = []
    rules = read(Rules, data, "", problems, ignore=REMARKS)
    if isinstance(data, Mapping):
        rules = replace(rules, scoring=_scoring(data.get("scoring", BASE_FORMULA.id), formulas, problems))
    if isinstance(data, Mapping) and "tie" not in data and rules.scoring.tie_break:
        rules = replace(rules, tie=rules.scoring.tie_break)
    if not problems:
        problems += contradictions(rules)
    if problems:
        raise RulesError(problems)
    return rules


def _scoring(value: object, formulas: Mapping[str, Formula], problems: list[Problem]) -> Formula:
    if not isinstance(value, str):
        return read_formula(value, "scoring", problems)
    if value not in formulas and value != BASE_FORMULA.id:
        problems.append(Problem("scoring", f"there is no formula {value!r}"))
    return formulas.get(value, BASE_FORMULA)


def contradictions(rules: Rules) -> list[Problem]:
    """What does not go together in rules whose fields are each right."""
    maximum, trump, bidding = rules.schedule.maximum, rules.trump, rules.bidding
    needed = {"table": ("table", maximum.table), "cap": ("cap", maximum.cap), "fixed": ("cards", maximum.cards)}
    key, value = needed.get(maximum.kind, ("", True))
    checks = [
        (bool(value), f"schedule.max.{key}", f"is needed by a maximum of kind {maximum.kind}"),
        (trump.method != "fixed" or trump.suit, "trump.suit", "is needed where the trump suit is fixed"),
        (trump.method != "rotation" or trump.order, "trump.order", "is needed where the trump suits rotate"),
        (rules.end.kind != "target" or rules.end.target, "end.target", "is needed where a total ends the game"),
        (bool(rules.schedule.segments), "schedule.segments", "must hold at least one segment"),
        (
            not (bidding.total_must_equal and bidding.hook != "never"),
            "bidding.total_must_equal",
            "contradicts the hook, which forbids just that",
        ),
    ]
    problems = [Problem(path, words) for holds, path, words in checks if not holds]
    if problems:
        return problems
    for players in range(rules.players[0], rules.players[1] + 1):
        cards = rules.sizes(players)
        pack = rules.cards_in_pack(players)
        if not 1 <= len(cards) <= MOST_HANDS:
            problems.append(Problem("schedule.segments", f"give {players} players {len(cards)} hands"))
        elif players * max(cards) > pack:
            problems.append(
                Problem("schedule", f"deals {players} players {max(cards)} cards each, but the pack has {pack}")
            )
    return problems
