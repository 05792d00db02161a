"""The play of a hand, card by card, against the slow reference: every duty, every pack."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper.engine.cards import Pack, as_set, decks, members, pack_of
from scorekeeper.engine.deal import drawn
from scorekeeper.engine.events import TRUMPS
from scorekeeper.engine.play import CardPlay, ClaimError, RevokeError, duties
from scorekeeper.engine.rules import Play, Rules
from tests import reference
from tests.reference import Duties

PLAYS = st.builds(
    Play,
    must_trump=st.booleans(),
    must_overtrump=st.booleans(),
    must_head=st.booleans(),
    trump_lead=st.sampled_from(["free", "not_first_card", "not_while_other_suit"]),
)


def names(pack: Pack, cards: int) -> list[str]:
    return sorted(map(pack.name, members(cards)))


@settings(max_examples=400)
@given(
    deck=st.sampled_from(decks()),
    players=st.integers(2, 6),
    cards=st.integers(1, 6),
    trump=st.sampled_from(TRUMPS),
    rules=PLAYS,
    leader=st.integers(0, 5),
    seed=st.integers(0, 2**32),
    few_suits=st.booleans(),
)
def test_whole_hands_as_the_reference_plays_them(
    deck: str, players: int, cards: int, trump: str, rules: Play, leader: int, seed: int, few_suits: bool
) -> None:
    rng = Random(seed)
    pack = pack_of(Rules(deck=deck), players)
    # Short packs bring equal cards, trumps and special cards together more often.
    deck_cards = pack.cards if not few_suits else [card for card in pack.cards if card % 64 // 16 < 2]
    dealt = drawn(rng, deck_cards, min(players * cards, len(deck_cards) // players * players))
    holdings = [as_set(dealt[place::players]) for place in range(players)]
    play = CardPlay(pack, list(holdings), trump, duties(rules), leader % players)
    duty = Duties(rules.must_trump, rules.must_overtrump, rules.must_head, rules.trump_lead)
    held = [names(pack, holding) for holding in holdings]
    trick: list[str] = []
    place, tricks = leader % players, [0] * players

    while not play.over:
        legal = reference.legal(held[place], trick, trump, pack.ranks, duty, first_of_hand=not play.played)
        assert play.place == place
        assert names(pack, play.legal) == sorted(legal)
        for card in members(play.holdings[place] & ~play.legal):
            with pytest.raises(RevokeError) as caught:
                play.play(card)
            assert (caught.value.card, caught.value.place, caught.value.legal) == (card, place, play.legal)
        card = rng.choice(list(members(play.legal)))
        play.play(card)
        held[place].remove(pack.name(card))
        trick.append(pack.name(card))
        place = (place + 1) % players
        if len(trick) == players:
            place = (place + reference.winner(trick, trump, pack.ranks)) % players
            tricks[place] += 1
            trick = []
    assert play.tricks == tricks
    assert not any(held)


# Each line is a position with its answer, from the rules: who holds what, what lies on the table, what may be played.
@pytest.mark.parametrize(
    ("hand", "trick", "trump", "rules", "legal"),
    [
        ("2H 9S AC", "5H", "S", {}, "2H"),
        ("2D 9S AC", "5H", "S", {}, "2D 9S AC"),
        ("2D 9S AC", "5H", "S", {"must_trump": True}, "9S"),
        ("2D 9S AC", "5H", "NT", {"must_trump": True}, "2D 9S AC"),
        ("2D 9S AS", "5H TS", "S", {"must_trump": True}, "9S AS"),
        ("2D 9S AS", "5H TS", "S", {"must_trump": True, "must_overtrump": True}, "AS"),
        ("2D 9S 8S", "5H TS", "S", {"must_trump": True, "must_overtrump": True}, "9S 8S"),
        ("2D 9S AS", "5H TS", "S", {"must_overtrump": True}, "2D AS"),
        ("2H 9H AS", "5H 7H", "S", {"must_head": True}, "9H"),
        ("2H 9H AS", "5H 2S", "S", {"must_head": True}, "2H 9H"),
        ("2H 6H AS", "5H 7H", "S", {"must_head": True}, "2H 6H"),
        ("2S 9H", "", "S", {"trump_lead": "not_first_card"}, "9H"),
        ("2S 9S", "", "S", {"trump_lead": "not_first_card"}, "2S 9S"),
        ("2S 9H", "", "S", {"trump_lead": "not_while_other_suit"}, "9H"),
        ("2H WC XD 9S", "5H", "S", {"must_trump": True}, "2H WC XD"),
        ("2D WC XD 9S", "5H", "S", {"must_trump": True}, "WC XD 9S"),
        ("2D 9S XC", "WH", "S", {"must_trump": True}, "2D 9S XC"),
        ("2D 9H XC", "XH 5H", "S", {}, "9H XC"),
        ("2D 9H XC", "XH WH", "S", {}, "2D 9H XC"),
        ("2D 9H XC", "5H WH", "S", {}, "9H XC"),
    ],
)
def test_what_may_be_played(hand: str, trick: str, trump: str, rules: dict[str, Any], legal: str) -> None:
    pack = pack_of(Rules(deck="wizard60"), 4)
    table = trick.split()
    duty = Duties(**rules)
    holdings = [*([pack.card(card)] for card in table), list(map(pack.card, hand.split()))]
    play = CardPlay(pack, list(map(as_set, holdings)), trump, duties(Play(**rules)), 0)
    for card in table:
        play.play(pack.card(card))

    assert pack.names(play.legal) == pack.names(pack.read(legal.split()))
    given = reference.legal(hand.split(), table, trump, reference.FRENCH, duty, first_of_hand=not table)
    assert sorted(given) == sorted(legal.split())


@pytest.mark.parametrize(
    ("trick", "trump", "place"),
    [
        ("5H 9H 2H", "S", 1),
        ("5H 9H 2S", "S", 2),
        ("5H AS 2H", "NT", 0),
        ("5H WC WD", "H", 1),
        ("XH XC XD", "S", 0),
        ("XH 2C AD", "S", 1),
        ("XH 2C AS", "S", 2),
        ("XH WC AS", "S", 1),
    ],
)
def test_who_wins_the_trick(trick: str, trump: str, place: int) -> None:
    pack = pack_of(Rules(deck="wizard60"), 4)
    cards = trick.split()
    play = CardPlay(pack, [1 << pack.card(card) for card in cards], trump, 0, 0)
    for card in cards:
        play.play(pack.card(card))

    assert play.winners == [place] == [reference.winner(cards, trump)]


def test_of_equal_cards_the_first_wins() -> None:
    pack = pack_of(Rules(deck="two_packs"), 4)
    play = CardPlay(
        pack, [pack.read(["KH"]), pack.read(["AH"]), pack.read(["AH", "AH"]) ^ pack.read(["AH"])], "S", 0, 0
    )
    for holding in list(play.holdings):
        play.play(next(members(holding)))

    assert play.winners == [1] == [reference.winner(["KH", "AH", "AH"], "S")]


def test_a_revoke_says_what_was_legal() -> None:
    pack = pack_of(Rules(), 2)
    play = CardPlay(pack, [pack.read(["5H"]), pack.read(["2H", "AS"])], "S", 0, 0)
    play.play(pack.card("5H"))

    with pytest.raises(RevokeError, match="AS may not be played; legal are 2H"):
        play.play(pack.card("AS"))
    with pytest.raises(RevokeError):
        play.play(pack.card("3H"))
    assert play.played == [(0, pack.card("5H"))]


@pytest.mark.parametrize("given", [[1, 0], [2, 1], [3, -1], {0: 2, 2: 0}, [2]])
def test_a_claim_gives_out_the_tricks_that_are_left(given: Any) -> None:
    pack = pack_of(Rules(), 2)
    play = CardPlay(pack, [pack.read(["5H", "6H"]), pack.read(["2H", "AS"])], "S", 0, 0)

    if given == [2]:
        play.claim(given)
        assert (play.over, play.tricks, play.legal, play.place) == (True, [2, 0], 0, None)
    else:
        with pytest.raises(ClaimError):
            play.claim(given)
        assert not play.over
