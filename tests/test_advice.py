"""What a hand is worth: known certainties and chances, the hook, low wins, what cannot be; the command `advise`."""

import json
from random import Random
from typing import Any

import pytest

from scorekeeper.cli import main
from scorekeeper.engine import catalog
from scorekeeper.engine.advice import Advice, AdviceError, advise
from scorekeeper.engine.cards import CardError, as_set, decks, pack_of
from scorekeeper.engine.faults import RuleError
from scorekeeper.engine.rules import Rules, read_rules


def rules_of(preset: str = "oh_hell") -> Rules:
    return catalog.presets()[preset].rules


def ask(cards: str, players: int = 4, preset: str = "oh_hell", seed: int = 1, **told: Any) -> Advice:
    """Advice on few playouts; `turned` is the name of a card."""
    rules = rules_of(preset)
    pack = pack_of(rules, players)
    held, shown = pack.read_all([cards.split(), [told.pop("turned")] if "turned" in told else []])
    turned = shown.bit_length() - 1 if shown else None
    return advise(rules, players, held, Random(seed), turned=turned, **{"work": 3000, **told})


def test_the_ace_of_trumps_wins_a_single_trick() -> None:
    advice = ask("AS", trump="S")

    assert advice.best.bid == 1
    assert advice.best.chances == (0, 1)
    assert [(one.bid, one.points, one.error) for one in advice.choices] == [(0, 0, 0), (1, 11, 0)]


def test_the_lowest_card_of_another_suit_wins_nothing_for_who_plays_last() -> None:
    advice = ask("2C", trump="S", earlier=(0, 0, 1))

    assert (advice.place, advice.best.bid, advice.best.chances) == (3, 0, (1, 0))


@pytest.mark.parametrize("players", [3, 7])
def test_the_four_highest_trumps_win_four_tricks(players: int) -> None:
    advice = ask("AS KS QS JS", players, trump="S")

    assert [one.chances for one in advice.choices] == [(0, 0, 0, 0, 1)] * 5
    assert (advice.best.bid, advice.best.points) == (4, 14)


def test_a_wizard_that_is_led_wins() -> None:
    advice = ask("WC", 4, "wizard", turned="5H")

    assert (advice.trump, advice.best.bid, advice.best.made) == ("H", 1, 1)


def test_a_jester_wins_nothing_for_who_plays_last_unless_only_jesters_fell() -> None:
    advice = ask("XC", 3, "wizard", trump="H", earlier=(1, 0))

    assert advice.best.bid == 0
    assert advice.best.made > 0.99


def test_two_equal_cards_of_two_packs_are_held_together() -> None:
    # The second of two equal cards loses to the first: with both in one hand nothing beats either.
    advice = ask("AS AS", 3, "stiche_raten", trump="S")

    assert (advice.best.bid, advice.best.made) == (2, 1)


@pytest.mark.parametrize(
    ("cards", "told", "chance"),
    [
        ("KS", {"trump": "S"}, 1 - 3 / 51),  # only the ace beats it, in three hands out of 51 cards
        ("KS", {"turned": "2S"}, 1 - 3 / 50),
        ("AD", {"trump": "NT"}, 1),  # led, and nothing trumps it
        ("AD", {"trump": "S"}, (38 * 37 * 36) / (51 * 50 * 49)),  # none of the thirteen trumps in three hands
    ],
)
def test_chances_that_can_be_counted(cards: str, told: dict[str, Any], chance: float) -> None:
    advice = ask(cards, **told, work=40_000)

    one = advice.choices[1]
    assert one.playouts == 5000
    assert one.made == pytest.approx(chance, abs=4 * 0.5 / 5000**0.5)


def test_chances_add_up_to_one_and_points_are_their_mean() -> None:
    advice = ask("AS QH 9H 4D 2C", trump="H", earlier=(1, 2))

    assert [one.bid for one in advice.choices] == [0, 1, 2, 3, 4, 5]
    for one in advice.choices:
        assert len(one.chances) == 6
        assert sum(one.chances) == pytest.approx(1)
        assert one.points == pytest.approx(one.made * (10 + one.bid))
    assert advice.best.points == max(one.points for one in advice.choices if one.playouts == advice.best.playouts)
    assert advice.playouts == sum(one.playouts for one in advice.choices)


def test_the_bid_that_the_hook_takes_is_no_choice() -> None:
    advice = ask("AS KS", 3, "oh_hell_hook", trump="S", earlier=(0, 0))

    assert advice.forbidden == 2
    assert [one.bid for one in advice.choices] == [0, 1]
    assert advice.best.bid in (0, 1)


@pytest.mark.parametrize("earlier", [(), (1,), (2, 1)])
def test_the_hook_binds_nobody_else(earlier: tuple[int, ...]) -> None:
    advice = ask("AS KS", 3, "oh_hell_hook", trump="S", earlier=earlier)

    assert advice.forbidden is None
    assert len(advice.choices) == 3


def test_where_the_lowest_total_wins_the_fewest_points_are_best() -> None:
    data = {
        "scoring": {
            "direction": "low",
            "cases": [
                {"when": {"made": True}, "points": {"const": 0}},
                {"when": {}, "points": {"diff": 5}},
            ],
        }
    }
    rules = read_rules(data, catalog.formulas())
    held = pack_of(rules, 4).read(["AS", "KS"])

    advice = advise(rules, 4, held, Random(1), trump="S", work=3000)

    assert [(one.bid, one.points) for one in advice.choices] == [(0, 10), (1, 5), (2, 0)]
    assert advice.best.bid == 2


def test_the_same_seed_gives_the_same_advice() -> None:
    hand = "AS QH 9H 4D 2C"

    assert ask(hand, trump="H", seed=7) == ask(hand, trump="H", seed=7)
    assert ask(hand, trump="H", seed=7) != ask(hand, trump="H", seed=8)


@pytest.mark.parametrize("preset", [key for key, one in catalog.presets().items() if one.rules.deck in decks()])
def test_every_game_whose_cards_are_known_has_advice_on_any_hand(preset: str) -> None:
    rules = rules_of(preset)
    players = max(rules.players[0], 2)
    pack = pack_of(rules, players)

    for cards in (2, 3):
        advice = advise(rules, players, as_set(pack.cards[-cards:]), Random(1), trump="S", work=60)
        assert (advice.cards, advice.place) == (cards, 0)


def test_where_all_bid_at_once_the_place_is_told() -> None:
    last = ask("2C", 4, "oh_hell_simultaneous", trump="S", place=3)

    assert (last.place, last.best.bid, last.best.made) == (3, 0, 1)


def test_rules_that_give_the_hand_a_trump_need_not_be_told_it() -> None:
    assert ask("AS", 4, "vanishing_bridge").trump == rules_of("vanishing_bridge").trump.suit
    assert ask("AS KS QS JS TS 9S 8S", 7).trump == "NT"  # the last hand


@pytest.mark.parametrize(
    ("cards", "told", "error", "words"),
    [
        ("", {"trump": "S"}, AdviceError, "which cards"),
        ("AS AS", {"trump": "S"}, CardError, "AS is there twice"),
        ("AS", {"turned": "AS"}, CardError, "AS is there twice"),
        ("1S", {"trump": "S"}, CardError, "'1S' is no card"),
        ("AS KS QS", {"trump": "S", "players": 2}, RuleError, "3 to 7 players"),
        ("AS KS QS JS TS 9S 8S 7S", {"trump": "S", "players": 7}, RuleError, "the pack has 52"),
        ("AS", {}, AdviceError, "which suit is trump"),
        ("AS", {"trump": "X"}, AdviceError, "which suit is trump"),
        ("AS", {"trump": "S", "turned": "2H"}, AdviceError, "another trump"),
        ("AS", {"trump": "S", "turned": "2S", "preset": "nomination_whist"}, AdviceError, "turn no card up"),
        ("AS", {"trump": "S", "earlier": (2,)}, RuleError, "from 0 to 1"),
        ("AS", {"trump": "S", "earlier": (-1,)}, RuleError, "from 0 to 1"),
        ("AS", {"trump": "S", "earlier": (0, 0, 0, 0)}, AdviceError, "4 players"),
        ("AS", {"trump": "S", "earlier": (0,), "place": 2}, AdviceError, "Bids before this place: 2, not 1"),
        ("AS", {"trump": "S", "earlier": (0,), "preset": "oh_hell_simultaneous"}, AdviceError, "all bid at once"),
        ("AS", {"trump": "S", "place": 4, "preset": "oh_hell_simultaneous"}, AdviceError, "4 players"),
        ("AS", {"trump": "S", "preset": "rikiki"}, AdviceError, "their own single card"),
        ("AS", {"trump": "S", "preset": "skull_king_score"}, CardError, "not known here"),
    ],
)
def test_what_cannot_be_is_said(cards: str, told: dict[str, Any], error: type[ValueError], words: str) -> None:
    with pytest.raises(error, match=words):
        ask(cards, **told)


def test_sets_of_cards_that_cannot_be_are_refused_too() -> None:
    rules = rules_of()
    ace, whole = 1 << 61, sum(1 << card for card in pack_of(rules, 4).cards)

    with pytest.raises(AdviceError, match="held is not in this pack"):
        advise(rules, 4, 1 << 62, Random(1), trump="S")
    with pytest.raises(AdviceError, match="among those held"):
        advise(rules, 4, ace, Random(1), turned=61)
    with pytest.raises(AdviceError, match="turned up is not in this pack"):
        advise(rules, 4, ace, Random(1), turned=62)
    with pytest.raises(AdviceError, match="no card is left"):
        advise(rules, 4, whole & 0x3FFE << 48, Random(1), turned=1)


# ---- the command ----


def test_the_command_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    call = ["advise", "--cards", "as, k♠", "--trump", "s", "--players", "3", "--earlier", "1, 0"]

    assert main([*call, "--rules", "oh_hell_hook"]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "♠A K; trump ♠; 3 players, you bid as number 3"
    assert "The best bid: 2" in lines
    assert "     2  100.0%  ########################################" in lines
    assert "     1  forbidden: the bids would equal the tricks" in lines


def test_the_command_gives_its_data(capsys: pytest.CaptureFixture[str]) -> None:
    call = ["advise", "--cards", "AS", "--turned", "2S", "--players", "4", "--seed", "3", "--json"]

    assert main(call) == 0

    data = json.loads(capsys.readouterr().out)
    assert {key: data[key] for key in ("cards", "place", "trump", "forbidden", "best", "chances")} == {
        "cards": 1,
        "place": 1,
        "trump": "S",
        "forbidden": None,
        "best": 1,
        "chances": [0, 1],
    }
    assert [(one["bid"], one["points"], one["error"], one["made"]) for one in data["bids"]] == [
        (0, 0, 0, 0),
        (1, 11, 0, 1),
    ]


@pytest.mark.parametrize(
    ("told", "words"),
    [
        (["--cards", "AS AS", "--trump", "S"], "AS is there twice"),
        (["--cards", "AS", "--turned", "AS"], "AS is there twice"),
        (["--cards", "ZS", "--trump", "S"], "'ZS' is no card of this pack"),
        (["--cards", "AS", "--turned", "2S 3S"], "'2S 3S' is no card of this pack"),
        (["--cards", " ", "--trump", "S"], "Say which cards are held"),
        (["--cards", "AS"], "Say which suit is trump"),
        (["--cards", "AS", "--trump", "X"], "invalid choice: 'X'"),
        (["--cards", "AS", "--trump", "S", "--earlier", "2"], "from 0 to 1, not 2"),
        (["--cards", "AS", "--trump", "S", "--earlier", "1,x"], "'x' is not a whole number"),
        (["--cards", "AS", "--trump", "S", "--earlier", "0,0,0,0"], "4 players: nobody bids after the last"),
        (["--cards", "AS", "--trump", "S", "--place", "2"], "Bids before this place: 1, not 0"),
        (["--cards", "AS", "--trump", "S", "--rules", "rage_score"], "not known here"),
        (["--cards", "AS", "--trump", "S", "--rules", "no such"], "there is no preset"),
        (["--cards", "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC 2S", "--trump", "S"], "the pack has 52"),
    ],
)
def test_a_call_that_cannot_be_carried_out_is_one_clear_line(
    capsys: pytest.CaptureFixture[str], told: list[str], words: str
) -> None:
    assert main(["advise", "--players", "4", *told]) == 2

    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("scorekeeper: ")
    assert captured.err.count("\n") == 1
    assert words in captured.err
