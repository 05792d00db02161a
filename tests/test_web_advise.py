"""`/advise`: what a hand is worth, as a phone without a script gets it."""

import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from scorekeeper.engine.cards import decks
from scorekeeper.engine.catalog import presets
from scorekeeper.web import texts
from scorekeeper.web.advise import places
from scorekeeper.web.limits import QUESTIONS, Limits
from tests.page import Page, start

NewPhone = Callable[[], FlaskClient]


def ask(phone: FlaskClient, cards: str, **told: Any) -> TestResponse:
    given = {"ask": "1", "rules": "oh_hell", "players": "4", "trump": "S", "bids": "", **told}
    return phone.get("/advise", query_string={**given, "cards": cards.split()})


def told(page: str) -> str:
    """The text of a page without its tags."""
    return " ".join(re.sub(r"<[^>]+>", " ", page.partition("<main")[2]).split())


def test_a_certain_hand(client: FlaskClient) -> None:
    answer = ask(client, "AS KS")

    assert answer.status_code == 200
    assert "Best bid: 2" in told(answer.text)
    assert "Expected points 12.0 · made 100%" in told(answer.text)
    assert 'width="100.0"' in answer.text
    assert "For practice, away from the table" in answer.text
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert "style=" not in answer.text


def test_the_form_stands_as_it_was_sent(client: FlaskClient) -> None:
    page = ask(client, "AS KS", rules="oh_hell_hook", players="5", turned="2S", bids="1, 0").text

    assert Page(page).form["trump"] == "S"
    assert Page(page).form["bids"] == "1, 0"
    assert Page(page).form["rules"] == "oh_hell_hook"
    assert re.findall(r'name="cards" value="(\w+)" aria-label="[^"]+" checked', page) == ["AS", "KS"]
    assert "<option selected>5</option>" in page
    assert '<option value="2S" selected>2 of spades</option>' in page


def test_the_forbidden_bid_is_struck_out_with_its_reason(client: FlaskClient) -> None:
    page = ask(client, "AS KS", rules="oh_hell_hook", players="3", bids="1,0").text

    assert "<del>" in page
    assert "Not 1: the bids would equal the 2 tricks." in told(page)
    assert "<del>" not in ask(client, "AS KS", rules="oh_hell_hook", players="3", bids="1").text


def test_cards_have_names_in_words(client: FlaskClient) -> None:
    labels = Page(client.get("/advise").text).labels

    assert len([name for name in labels.values() if name == "cards"]) == 52
    assert {"Ace of hearts", "10 of clubs", "2 of spades"} <= set(labels)


@pytest.mark.parametrize(
    ("rules", "cards", "some"),
    [
        ("wizard", 60, "Wizard 4"),
        ("pocha", 40, "Queen of clubs"),
        ("romanian_whist", 48, "3 of hearts"),
        ("oh_hell", 52, "2 of hearts"),
    ],
)
def test_each_pack_has_its_own_grid(client: FlaskClient, rules: str, cards: int, some: str) -> None:
    page = client.get(f"/advise?rules={rules}").text

    assert page.count('type="checkbox" name="cards"') == cards
    assert some in Page(page).labels


def test_two_equal_cards_of_two_packs_are_two_boxes(client: FlaskClient) -> None:
    answer = ask(client, "AS AS", rules="stiche_raten")

    assert answer.text.count('name="cards" value="AS"') == 2
    assert len(re.findall(r'name="cards" value="AS"[^>]*checked', answer.text)) == 2
    assert "Best bid: 2" in told(answer.text)


def test_only_rules_whose_cards_are_known_are_offered(client: FlaskClient) -> None:
    page = client.get("/advise?rules=skull_king_score").text

    offered = re.findall(r'<option value="([a-z_0-9]+)"', page.partition('id="rules"')[2].partition("</select>")[0])
    assert offered == [key for key, preset in presets().items() if preset.rules.deck in decks()]
    assert Page(page).form["rules"] == "oh_hell"


def test_where_all_bid_at_once_the_place_is_asked_for(client: FlaskClient) -> None:
    page = client.get("/advise?rules=oh_hell_simultaneous").text

    assert 'name="place"' in page
    assert 'name="bids"' not in page
    assert "you bid as number 4" in told(ask(client, "2C", rules="oh_hell_simultaneous", place="4").text)


@pytest.mark.parametrize(
    ("cards", "given", "words"),
    [
        ("", {}, "Say which cards are held."),
        ("AS", {"trump": ""}, "Say which suit is trump, or that none is."),
        ("AS", {"trump": "X"}, "Say which suit is trump, or that none is."),
        ("AS AS", {}, "A card is not in this pack, or there more often than in the pack."),
        ("1S", {}, "A card is not in this pack, or there more often than in the pack."),
        ("AS", {"turned": "ZZ"}, "A card is not in this pack, or there more often than in the pack."),
        ("AS", {"turned": "AS"}, "The card turned up is among those held."),
        ("AS", {"turned": "2H"}, "The card turned up makes another trump."),
        ("3S", {"rules": "romanian_whist", "players": "3"}, "A card that is held is not in this pack."),
        ("AS", {"bids": "2"}, "A bid is a whole number from 0 to 1, not 2."),
        ("AS", {"bids": "0,0,0,0"}, "There are 4 players: nobody bids after the last."),
        ("AS", {"bids": "one"}, "The bids before are numbers with commas between, such as 1, 0."),
        ("AS", {"bids": "1" * 90}, "The bids before are numbers with commas between, such as 1, 0."),
        ("AS", {"bids": "\u0661"}, "The bids before are numbers with commas between, such as 1, 0."),
        ("AS KS QS JS TS 9S 8S 7S", {"players": "7"}, "7 players cannot have 8 cards each: the pack has 52."),
        ("AS", {"rules": "rikiki"}, "With these rules nobody sees their own single card."),
    ],
)
def test_what_cannot_be_is_said_beside_the_button(
    client: FlaskClient, cards: str, given: dict[str, str], words: str
) -> None:
    answer = ask(client, cards, **given)

    assert answer.status_code == 422
    assert Page(answer.text).texts["why"] == words
    assert "Best bid" not in answer.text


def test_a_game_in_progress_is_pointed_out_and_its_pages_do_not_lead_here(new_phone: NewPhone) -> None:
    scorer, other = new_phone(), new_phone()
    assert 'href="/advise"' in scorer.get("/").text
    assert "A game is in progress" not in scorer.get("/advise").text

    code = start(scorer, "Ann", "Bob", "Cy")

    assert "A game is in progress: put this away until the hand is over." in scorer.get("/advise").text
    assert "A game is in progress" in other.get("/advise").text  # it sees the house's game
    for address in ("/", f"/games/{code}", f"/games/{code}/hands/1"):
        assert 'href="/advise' not in scorer.get(address).text
    assert 'href="/advise' not in other.get(f"/games/{code}").text
    assert 'href="/advise"' in scorer.get("/rules").text


@pytest.mark.parametrize(("points", "shown"), [(0.04, "0.0"), (-0.04, "0.0"), (-0.06, "−0.1"), (12.0, "12.0")])
def test_points_have_a_true_minus_and_nothing_has_none(app: Flask, points: float, shown: str) -> None:
    with app.test_request_context("/"):
        assert texts.decimal(points) == f'<bdi class="num" dir="ltr">{shown}</bdi>'


def test_many_questions_from_one_address_have_to_wait(app: Flask, client: FlaskClient) -> None:
    now = 0.0
    app.extensions["questions"] = Limits(QUESTIONS, 60, lambda: now)
    ranks = "23456789TJQKA"
    hands = [rank + suit for suit in "CS" for rank in ranks][:QUESTIONS]

    assert {ask(client, hand, bids="0,0,0").status_code for hand in hands} == {200}
    refused = ask(client, "2D")
    assert refused.status_code == 429
    assert int(refused.headers["Retry-After"]) == 60
    assert "Many hands were asked about" in refused.text
    assert client.get("/advise").status_code == 200
    now = 60.0
    assert ask(client, "2D").status_code == 200


def test_while_one_question_is_worked_on_and_one_waits_others_are_turned_away(client: FlaskClient) -> None:
    with places, places:
        refused = ask(client, "3D 4D", bids="1")

    assert refused.status_code == 503
    assert refused.headers["Retry-After"] == "3"
    assert "Other hands are worked on now." in refused.text
    assert ask(client, "3D 4D", bids="1").status_code == 200


def test_the_app_starts_without_what_advice_needs(sqlite_url: str) -> None:
    code = (
        "import sys; from scorekeeper import create_app; "
        f"create_app({{'DATABASE_URL': {sqlite_url!r}}}); "
        "print('numba' in sys.modules or 'numpy' in sys.modules)"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == "False\n"
