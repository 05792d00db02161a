"""What games add up to, from sheets written by hand, from games between bots, and as shipped."""

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from importlib.resources import files
from random import Random

import pytest

from scorekeeper.engine import lab
from scorekeeper.engine.bots import TableBot
from scorekeeper.engine.cards import CardError, pack_of
from scorekeeper.engine.catalog import presets
from scorekeeper.engine.deal import deal
from scorekeeper.engine.lab import MOST_PLAYERS, Bids, Results, SeatResult, Tally, hook_switched, result_of, shipped
from scorekeeper.engine.rules import Rules
from scorekeeper.engine.seen import Seen
from scorekeeper.engine.sheet import Sheet
from scorekeeper.engine.simulate import play_deal, play_game, play_games
from scorekeeper.simulating import FAST_GAMES, SLOW_GAMES
from tests.games import after, listed, new_sheet, played, rules_with

TABLES = files("scorekeeper.engine").joinpath("tables")


def two_games() -> Sequence[Sheet]:
    """Hands of one card and of two; seats 0, 1, 2 bid in this order in the first, 1, 2, 0 in the second.

    Points of the first game: 10 11 10, then 0 10 11; of the second: 11 10 10, then 10 0 0.
    """
    empty = new_sheet(listed(1, 2))
    return (
        after(empty, played(1, [0, 1, 0], [0, 1, 0]), played(2, [2, 0, 1], [1, 0, 1])),
        after(empty, played(1, [1, 0, 0], [1, 0, 0]), played(2, [0, 1, 2], [0, 2, 0])),
    )


def added_up(sheets: Sequence[Sheet]) -> Tally:
    tally = Tally()
    for sheet in sheets:
        tally.add(result_of(sheet))
    return tally


def test_games_add_up() -> None:
    assert added_up(two_games()).results() == Results(
        games=2,
        by_cards={1: Bids(6, 6, 10.33), 2: Bids(6, 3, 5.17)},
        by_place=(Bids(4, 3, 7.75), Bids(4, 3, 8), Bids(4, 3, 7.5)),
        by_bid={0: Bids(6, 6, 10), 1: Bids(4, 3, 8.25), 2: Bids(2, 0, 0)},
        scores=(10, 10, 10, 21, 21),
        best=(21, 21, 21, 21, 21),
        worst=(10, 10, 10, 10, 10),
        leads=0.75,  # seat 1 leads and shares the first win, seat 0 leads and wins the second game
        tied=0.5,
        seats=(SeatResult(15.5, 5.5, 0.5), SeatResult(15.5, 5.5, 0.25), SeatResult(15.5, 5.5, 0.25)),
    )


def test_all_bids_together_and_the_last_bidders_with_the_hook_switched() -> None:
    first, second = two_games()

    results = added_up([first]).results(added_up([second]))

    assert results.made == Bids(6, 5, 8.67)
    assert results.by_place[-1] == Bids(2, 1, 5)
    assert results.switched == Bids(2, 2, 10)


def test_results_come_back_from_plain_data_as_they_were() -> None:
    first, second = two_games()
    for results in (added_up([first]).results(added_up([second])), added_up([second]).results()):
        assert Results.from_data(json.loads(json.dumps(results.to_data()))) == results


def test_a_tie_counts_as_the_rules_say_and_is_told_all_the_same() -> None:
    (first, _) = two_games()
    broken = after(Sheet(listed(1, 2, tie="most_tricks"), first.table, 2), *(entry.event for entry in first.entries))
    drawn = added_up([after(new_sheet(listed(1, 1)), played(1, [0, 0, 0], [1, 0, 0]), played(2, [0, 0, 0], [1, 0, 0]))])

    assert result_of(first).wins == (Fraction(0), Fraction(1, 2), Fraction(1, 2))
    assert result_of(broken).wins == (Fraction(0), Fraction(1, 2), Fraction(1, 2))  # one trick each
    assert result_of(broken).tied
    assert (drawn.results().leads, drawn.results().tied) == (0.5, 1)  # both leaders have half of the win


def test_extra_hands_break_a_tie_that_is_told_all_the_same() -> None:
    rules = listed(1, 1, tie="extra_max_hands")
    nobody = (played(1, [0, 0, 0], [1, 0, 0]), played(2, [0, 0, 0], [1, 0, 0]))

    result = result_of(after(new_sheet(rules), *nobody, played(3, [0, 0, 1], [1, 0, 0])))

    assert result.tied
    assert result.totals == (0, 30, 20)
    assert result.led == Fraction(1, 2)


def test_where_the_lowest_total_wins_the_best_is_the_lowest() -> None:
    low = {"id": "low", "name": "Low", "direction": "low", "cases": [{"when": {}, "points": {"diff": 1}}]}
    rules = listed(1, 2, scoring=low)

    results = added_up([after(new_sheet(rules), played(1, [0, 0, 0], [1, 0, 0]), played(2, [0, 0, 0], [2, 0, 0]))])

    found = results.results()
    assert (found.best[0], found.worst[0]) == (0, 3)
    assert (found.leads, found.tied) == (0.5, 1)


def test_one_hand_has_no_half() -> None:
    result = result_of(after(new_sheet(listed(1)), played(1, [1, 0, 0], [1, 0, 0])))

    assert result.led is None
    assert result.wins == (Fraction(1), Fraction(0), Fraction(0))


@pytest.mark.parametrize(
    ("bidding", "switched"),
    [
        ({}, "always"),
        ({"hook": "always"}, "never"),
        ({"hook": "dealer_leading_and_nonzero"}, "never"),
        ({"mode": "simultaneous"}, None),
        ({"total_must_equal": True}, None),
    ],
)
def test_the_hook_is_switched_where_there_is_a_last_bidder(bidding: Mapping[str, object], switched: str | None) -> None:
    other = hook_switched(rules_with(bidding=bidding))

    assert (other.bidding.hook if other else None) == switched


# ---- games between bots ----

# Compiled, card by card, with a hand on the forehead, dealt by who missed most, until a target, with extra hands.
KINDS = [
    ("oh_hell_hook", 4), ("la_podrida", 3), ("pocha", 4), ("stiche_raten", 3), ("wizard", 3), ("blob", 4),
    ("oh_hell_simultaneous", 3), ("rikiki", 6), ("bondebridge", 5), ("contract_whist_oh_well", 3),
    ("oh_hell_pagat", 7), ("romanian_whist_streak", 3), ("wizard_canadian", 6), ("plump", 3), ("kachuful", 6),
]  # fmt: skip


@pytest.mark.parametrize(("preset", "players"), KINDS)
def test_games_are_whole_and_legal_and_come_again_from_their_seed(preset: str, players: int) -> None:
    rules = presets()[preset].rules

    games = list(play_games(rules, players, 2, "seed"))

    assert [game.faults for game in games] == [(), ()]
    assert all(game.over for game in games)
    assert games[0].entries != games[1].entries
    assert games == list(play_games(rules, players, 2, "seed"))
    assert games != list(play_games(rules, players, 2, "other"))


@pytest.mark.parametrize(("preset", "players"), [("oh_hell_hook", 4), ("pocha", 5)])
def test_compiled_games_come_to_what_games_card_by_card_come_to(preset: str, players: int) -> None:
    rules = presets()[preset].rules

    compiled = added_up(list(play_games(rules, players, 60, "1"))).results()
    slowly = added_up([play_game(rules, players, ["table"] * players, str(number)) for number in range(30)]).results()

    for one, other in zip((compiled.made, *compiled.by_place), (slowly.made, *slowly.by_place), strict=True):
        error = (0.25 / one.count + 0.25 / other.count) ** 0.5
        assert abs(one.rate - other.rate) < 3 * error
        assert one.points == pytest.approx(other.points, abs=60 * error)


class Decider:
    """A table bot that is asked for every single card."""

    def __init__(self, seat: int) -> None:
        self.bot = TableBot(Random(seat))

    def bid(self, seen: Seen, legal: Sequence[int]) -> int:
        return self.bot.bid(seen, legal)

    def name_trump(self, seen: Seen) -> str:
        return self.bot.name_trump(seen)

    def play(self, seen: Seen, legal: int) -> int:
        return self.bot.play(seen, legal)


@pytest.mark.parametrize(("preset", "players"), KINDS)
def test_hands_played_at_once_are_those_played_card_by_card(preset: str, players: int) -> None:
    rules = presets()[preset].rules
    hands = [hand for hand in new_sheet(rules, players).hands if hand.dealer is not None]
    for number, hand in enumerate(hands[:: max(len(hands) // 6, 1)]):
        dealt = deal(rules, players, hand.cards, Random(number), hand.fixed_trump)

        at_once = play_deal(hand, dealt, {seat: TableBot(Random(seat)) for seat in range(players)})

        assert at_once == play_deal(hand, dealt, {seat: Decider(seat) for seat in range(players)})


# ---- what is shipped ----


def can_be_played(rules: Rules, players: int) -> bool:
    """Whether the cards are known, and the trump of every hand can be found."""
    try:
        pack_of(rules, players)
        for hand in new_sheet(rules, players).hands:
            deal(rules, players, hand.cards, Random(1), hand.fixed_trump)
    except CardError:
        return False
    return True


def test_there_are_results_of_every_preset_whose_cards_are_known() -> None:
    for preset in presets().values():
        low, high = preset.rules.players
        wanted = [
            players for players in range(low, min(high, MOST_PLAYERS) + 1) if can_be_played(preset.rules, players)
        ]

        assert sorted(shipped(preset.id)) == wanted, preset.id
    assert set(lab.presets_shipped()) <= set(presets())
    assert shipped("nothing") == {}


def test_results_shipped_are_of_whole_games() -> None:
    for preset in presets().values():
        for players, results in shipped(preset.id).items():
            assert results.games in (FAST_GAMES, SLOW_GAMES)
            assert len(results.seats) == len(results.by_place) == players
            bids = {sum(one.count for one in rows) for rows in (results.by_cards.values(), results.by_place)}
            assert bids == {results.made.count} == {sum(one.count for one in results.by_bid.values())}
            plan = set(preset.rules.sizes(players))
            if preset.rules.end.kind == "schedule":
                assert set(results.by_cards) == plan
                assert results.made.count >= results.games * players * len(preset.rules.sizes(players))
            assert set(results.by_cards) <= plan
            assert sum(seat.wins for seat in results.seats) == pytest.approx(1, abs=0.001)
            for spread in (results.scores, results.best, results.worst):
                assert list(spread) == sorted(spread)
                assert len(spread) == len(lab.PERCENT)
            assert (results.switched is None) == (hook_switched(preset.rules) is None)
            assert 0.2 < results.made.rate < 0.9, (preset.id, players)


def test_the_hook_costs_the_last_bidder() -> None:
    for players, results in shipped("oh_hell_hook").items():
        assert results.switched is not None
        assert results.by_place[-1].rate < results.switched.rate - 0.02, players


def test_what_is_shipped_is_small() -> None:
    assert len(TABLES.joinpath(lab.FILE).read_bytes()) < 300_000
    assert sum(len(file.read_bytes()) for file in TABLES.iterdir() if file.is_file()) < 1_000_000
