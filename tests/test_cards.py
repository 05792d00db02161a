"""Cards, packs and deals: names, orders, who gets what, the turn-up and the trump."""

from random import Random
from typing import Any

import pytest

from scorekeeper.cli import main
from scorekeeper.engine import catalog
from scorekeeper.engine.cards import CardError, as_set, lane, members, pack_of
from scorekeeper.engine.deal import below, deal
from scorekeeper.engine.rules import Rules, read_rules


def rules(**changes: Any) -> Rules:
    return read_rules(changes, catalog.formulas())


def preset(name: str) -> Rules:
    return catalog.presets()[name].rules


FRENCH = pack_of(rules(), 4)


@pytest.mark.parametrize(
    ("one", "players", "size", "lowest", "highest"),
    [
        (rules(), 4, 52, "2C", "AS"),
        (rules(cards_in_deck=51, players=[3, 3]), 3, 51, "3C", "AS"),
        (preset("romanian_whist"), 3, 24, "9C", "AS"),
        (preset("romanian_whist"), 6, 48, "3C", "AS"),
        (preset("pocha"), 5, 40, "2C", "AS"),
        (preset("wizard"), 4, 60, "XC", "WS"),
        (preset("stiche_raten"), 4, 64, "7C", "AS"),
        (rules(deck="two_packs", players=[3, 10]), 8, 104, "2C", "AS"),
        (rules(deck="piquet32", players=[3, 4], schedule={"max": {"kind": "deck"}}), 4, 32, "7C", "AS"),
    ],
)
def test_a_pack_has_the_cards_that_the_rules_take(
    one: Rules, players: int, size: int, lowest: str, highest: str
) -> None:
    pack = pack_of(one, players)

    assert len(pack.cards) == len(set(pack.cards)) == size
    assert pack.name(pack.cards[0]) == lowest
    assert pack.name(pack.cards[-1]) == highest
    assert pack.read(pack.name(card) for card in pack.cards) == as_set(pack.cards)


def test_spanish_cards_rank_ace_three_king_down_to_two() -> None:
    assert "".join(reversed(pack_of(preset("pocha"), 4).ranks)) == "A3KQJ76542"


@pytest.mark.parametrize("written", ["TH", "10h", " th ", "10♥", "t♥"])
def test_a_card_is_read_as_people_write_it(written: str) -> None:
    assert FRENCH.name(FRENCH.card(written)) == "TH"


@pytest.mark.parametrize("written", ["", "1H", "HT", "AX", "WH", "AHH", "\x00", "♥"])
def test_what_is_no_card_is_refused(written: str) -> None:
    with pytest.raises(CardError, match="is no card of this pack"):
        FRENCH.card(written)


def test_a_card_twice_is_refused_and_of_two_packs_the_third() -> None:
    two_packs = pack_of(rules(deck="two_packs"), 4)

    with pytest.raises(CardError, match="AH is there twice"):
        FRENCH.read(["AH", "KH", "AH"])
    assert two_packs.names(two_packs.read(["AH", "AH"])) == ["AH", "AH"]
    with pytest.raises(CardError, match="AH is there twice"):
        two_packs.read(["AH", "AH", "AH"])


def test_a_deck_of_which_only_the_score_is_kept_has_no_cards() -> None:
    with pytest.raises(CardError, match="only its score is kept"):
        pack_of(preset("skull_king_score"), 4)


def test_a_seed_deals_the_same_cards_everywhere() -> None:
    dealt = deal(rules(), 4, 3, Random(2026))

    assert [[FRENCH.name(card) for card in cards] for cards in dealt.dealt] == [
        ["9C", "8S", "TS"],
        ["TD", "KC", "7S"],
        ["TH", "9D", "QH"],
        ["JH", "6C", "TC"],
    ]
    assert (dealt.turned, dealt.trump) == (FRENCH.card("7C"), "C")


def test_a_deal_asks_of_its_randomness_only_what_python_promises() -> None:
    class Promised:
        """What the library promises to keep: nothing else is there to be called."""

        def __init__(self) -> None:
            self.getrandbits = Random(1).getrandbits

    assert deal(rules(), 4, 13, Promised()) == deal(rules(), 4, 13, Random(1))  # type: ignore[arg-type]


def test_all_cards_are_different_and_the_turned_one_is_nobodys() -> None:
    dealt = deal(rules(), 5, 10, Random(3))

    everybody = as_set(card for cards in dealt.dealt for card in cards)
    assert everybody.bit_count() == 50
    assert dealt.turned is not None
    assert not everybody >> dealt.turned & 1


def test_cards_go_round_one_at_a_time() -> None:
    one_each, two_each = deal(rules(), 4, 1, Random(5)), deal(rules(), 4, 2, Random(5))

    assert [cards[0] for cards in two_each.dealt] == [cards[0] for cards in one_each.dealt]


@pytest.mark.parametrize(
    ("one", "players", "cards", "fixed", "turned", "trump"),
    [
        (rules(), 4, 5, "NT", False, "NT"),  # the last hand: nothing is turned
        (rules(trump={"method": "fixed", "suit": "S"}), 4, 5, "S", False, "S"),
        (rules(trump={"method": "dealer_chooses"}), 4, 5, None, False, None),
        (rules(trump={"method": "highest_bidder"}), 4, 5, None, False, None),
        (rules(trump={"method": "none"}), 4, 5, None, False, "NT"),
        (rules(), 4, 13, None, False, "NT"),  # no card left
        (rules(trump={"when_no_card_left": "dealer_chooses_unseen"}), 4, 13, None, False, None),
    ],
)
def test_the_rules_say_whether_a_card_is_turned(
    one: Rules, players: int, cards: int, fixed: str | None, turned: bool, trump: str | None
) -> None:
    dealt = deal(one, players, cards, Random(7), fixed)

    assert (dealt.turned is not None, dealt.trump) == (turned, trump)


def test_the_suit_of_the_turned_card_is_trump() -> None:
    for seed in range(20):
        dealt = deal(rules(), 4, 5, Random(seed))
        assert dealt.turned is not None
        assert lane(dealt.trump) >> dealt.turned & 1


def test_with_no_card_left_the_dealers_last_card_may_be_trump() -> None:
    dealt = deal(rules(trump={"when_no_card_left": "dealer_last_card"}), 4, 13, Random(1))

    assert dealt.turned is None
    assert lane(dealt.trump) >> dealt.dealt[-1][-1] & 1


@pytest.mark.parametrize("method", ["second_pack", "turn_up"])
def test_a_suit_drawn_beside_the_deal_is_any_of_the_four(method: str) -> None:
    one = rules(trump={"method": method, "when_no_card_left": "cut_before_deal"})

    assert {deal(one, 4, 13, Random(seed)).trump for seed in range(40)} == set("CDHS")


def test_a_turned_jester_is_no_trump_and_a_wizard_lets_the_dealer_name_it() -> None:
    wizard = preset("wizard")
    turned = {}
    for seed in range(200):
        dealt = deal(wizard, 4, 3, Random(seed))
        assert dealt.turned is not None
        turned[dealt.pack.name(dealt.turned)] = dealt.trump

    assert turned["XC"] == "NT"
    assert turned["WC"] is None
    assert turned["AS"] == "S"


@pytest.mark.parametrize(("name", "cards"), [("israeli_whist", 13), ("rage_score", 3), ("oh_hell", 14), ("oh_hell", 0)])
def test_what_cannot_be_dealt_says_why(name: str, cards: int) -> None:
    with pytest.raises(CardError):
        deal(preset(name), 4, cards, Random(1))


@pytest.mark.parametrize("end", [1, 2, 3, 5, 52, 64])
def test_a_drawn_number_is_any_of_those_asked_for(end: int) -> None:
    rng = Random(1)

    assert {below(rng, end) for _ in range(end * 40)} == set(range(end))


def test_members_are_the_cards_of_a_set() -> None:
    assert list(members(as_set([3, 70, 19]))) == [3, 19, 70]


def test_the_terminal_deals_the_same_hands_from_a_seed(capsys: pytest.CaptureFixture[str]) -> None:
    call = ["deal", "--players", "4", "--cards", "5", "--seed", "9", "--count", "2"]

    assert main(call) == 0
    first = capsys.readouterr().out
    assert main(call) == 0
    assert capsys.readouterr().out == first
    assert first.splitlines()[0] == "Deal 1"
    assert sum(line.startswith("Deal ") for line in first.splitlines()) == 2


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (["--players", "4", "--cards", "14"], "the pack has 52"),
        (["--players", "9", "--cards", "2"], "for 3 to 7 players"),
        (["--players", "4", "--cards", "2", "--count", "1000000000"], "is not a whole number"),
        (["--players", "4", "--cards", "2", "--rules", "rage_score"], "only its score is kept"),
        (["--players", "4", "--cards", "2", "--rules", "israeli_whist"], "auction"),
    ],
)
def test_a_deal_that_cannot_be_is_one_clear_line(
    capsys: pytest.CaptureFixture[str], call: list[str], says: str
) -> None:
    assert main(["deal", *call]) == 2

    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert says in said.err
