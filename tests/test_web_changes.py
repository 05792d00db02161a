"""Who sits where and how many cards are dealt, changed in the middle of a game; the name of a book and its switch."""

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from flask_babel import force_locale
from werkzeug.test import TestResponse

from scorekeeper.web import board
from tests.page import Page
from tests.test_web_games import bids, log, new, post, text, tricks

NewPhone = Callable[[], FlaskClient]


@pytest.fixture
def game(client: FlaskClient) -> str:
    """A game of Ann, Bob, Cy and Di, one hand played."""
    code = new(client)
    bids(client, code, 1, 0, 0, 0, 0)
    tricks(client, code, 1, 1, 0, 0, 0)
    return code


def form_of(phone: FlaskClient, code: str, page: str) -> dict[str, str]:
    return Page(phone.get(f"/games/{code}/{page}").text).form


def send_form(phone: FlaskClient, code: str, page: str, form: dict[str, str], **fields: str) -> TestResponse:
    """Sends the form of a page with other fields; `seats_0` is seats-0."""
    typed = {name.replace("_", "-"): one for name, one in fields.items()}
    return phone.post(f"/games/{code}/{page}", data=form | typed)


def send(phone: FlaskClient, code: str, page: str, **fields: str) -> TestResponse:
    """The same with the form as it stands now."""
    return send_form(phone, code, page, form_of(phone, code, page), **fields)


def second_hand(phone: FlaskClient, code: str) -> dict[str, Any]:
    """The hand after the first, as the file of the sheet has it: it lists hands with something on them."""
    assert post(phone, code, 2, note="x").status_code == 303
    hand: dict[str, Any] = phone.get(f"/games/{code}.json").get_json()["hands"][1]
    return hand


# ---- the table ----


def test_the_more_of_a_hand_leads_to_the_table_and_the_hands_to_come(client: FlaskClient, game: str) -> None:
    page = client.get(f"/games/{game}").text

    assert f'href="/games/{game}/table"' in page
    assert f'href="/games/{game}/plan"' in page


def test_the_form_shows_who_sits_there_and_from_which_hand_it_counts(client: FlaskClient, game: str) -> None:
    fresh = client.get(f"/games/{game}/table")
    post(client, game, 2, bids_0="1")
    begun = client.get(f"/games/{game}/table")

    form = Page(fresh.text).form
    assert [form[f"seats-{row}"] for row in range(5)] == ["Ann", "Bob", "Cy", "Di", ""]
    assert "carry-3" not in form
    assert form["carry-4"] == ""
    assert "From hand 2 on." in text(fresh)
    assert "From hand 3 on." in text(begun)


def test_who_joins_brings_points_and_who_is_left_out_keeps_theirs(client: FlaskClient, game: str) -> None:
    answer = send(client, game, "table", seats_1="", seats_4="Eve", carry_4="7")

    assert (answer.status_code, answer.location) == (303, f"/games/{game}")
    page = text(client.get(f"/games/{game}"))
    assert "The table changed from hand 2 on." in page
    assert "Total 7" in page
    hand = second_hand(client, game)
    assert (hand["table"], hand["carry"]) == (["Ann", "Cy", "Di", "Eve"], {"Eve": 7})
    assert "Bob" in text(client.get(f"/games/{game}?view=scores"))
    history = text(client.get(f"/games/{game}/history"))
    assert "At the table from here on: Ann, Cy, Di, Eve" in history
    assert "Eve — points brought: 7" in history


def test_who_left_comes_back_to_their_own_seat(client: FlaskClient, game: str) -> None:
    send(client, game, "table", seats_1="")
    send(client, game, "table", seats_3="bob")

    assert second_hand(client, game)["table"] == ["Ann", "Cy", "Di", "Bob"]


def test_a_row_moves_up_in_the_form_and_nothing_is_written(client: FlaskClient, game: str) -> None:
    moved = send(client, game, "table", do="up-1")
    form = Page(moved.text).form

    assert moved.status_code == 200
    assert [form[f"seats-{row}"] for row in range(4)] == ["Bob", "Ann", "Cy", "Di"]
    assert len(log(client, game)) == 2
    assert send_form(client, game, "table", form).status_code == 303
    assert second_hand(client, game)["table"] == ["Bob", "Ann", "Cy", "Di"]


def test_a_table_that_stands_already_is_not_written_again(client: FlaskClient, game: str) -> None:
    assert send(client, game, "table").status_code == 303
    assert send(client, game, "plan").status_code == 303
    assert len(log(client, game)) == 2


def test_enter_in_a_row_writes_nothing(client: FlaskClient, game: str) -> None:
    answer = send(client, game, "table", seats_4="Eve", do="look")

    assert Page(answer.text).form["seats-4"] == "Eve"
    assert len(log(client, game)) == 2


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"seats_0": "", "seats_1": "", "seats_2": ""}, "These rules are for 3 to"),
        ({"seats_0": "di"}, "Two players have this name."),
        ({"seats_0": "-"}, "Nothing in this name can be read."),
        ({"seats_0": "x" * 41}, "That is too long: 40 characters are the most."),
        ({"seats_4": "Eve", "carry_4": "many"}, "“many” is not a whole number"),
        ({"seats_4": "Eve", "hand": "1"}, "Hand 1 has begun: the table can change from the next hand on."),
        ({"seats_4": "Eve", "hand": "99"}, "There is no hand 99."),
        ({"seats_4": "Eve", "hand": "x"}, "This form was not complete."),
        ({"seats_4": "Eve", "key": ""}, "This form was not complete."),
    ],
)
def test_a_table_that_cannot_be_is_said_with_what_was_typed(
    client: FlaskClient, game: str, fields: dict[str, str], said: str
) -> None:
    answer = send(client, game, "table", **fields)

    assert answer.status_code == 422
    assert said in text(answer)
    form = Page(answer.text).form
    assert form["seats-0"] == (fields.get("seats_0", "Ann") or "Di")  # rows without a name are gone
    assert form["hand"] == "2"
    assert len(log(client, game)) == 2
    assert "<bdi>Eve</bdi>" not in client.get("/book").text  # who has no seat comes into no book


def test_a_change_of_table_that_is_sent_twice_is_written_once(client: FlaskClient, game: str) -> None:
    form = form_of(client, game, "table")
    first = send_form(client, game, "table", form, seats_4="Eve")
    again = send_form(client, game, "table", form, seats_4="Eve")
    other = send_form(client, game, "table", form, seats_4="Flo")

    assert (first.status_code, again.status_code, other.status_code) == (303, 303, 422)
    assert "Something else was sent from this form before." in text(other)
    assert len(log(client, game)) == 3
    assert second_hand(client, game)["table"] == ["Ann", "Bob", "Cy", "Di", "Eve"]


def test_two_phones_that_change_the_table_differently_are_shown_both(
    client: FlaskClient, new_phone: NewPhone, game: str
) -> None:
    second = new_phone()
    second.post(client.post("/pen").location)
    form = form_of(second, game, "table")
    send(client, game, "table", seats_4="Eve")

    refused = send_form(second, game, "table", form, seats_4="Flo")

    assert refused.status_code == 409
    assert "now: Ann, Bob, Cy, Di, Eve" in text(refused)
    again = Page(refused.text).form
    assert again["seats-4"] == "Flo"
    assert send_form(second, game, "table", again).status_code == 303
    assert second_hand(client, game)["table"] == ["Ann", "Bob", "Cy", "Di", "Flo"]


def test_an_undone_newcomer_keeps_the_seat_for_later(client: FlaskClient, game: str) -> None:
    send(client, game, "table", seats_4="Eve")
    key = log(client, game)[-1]["key"]
    client.post(f"/games/{game}/undo", data={"entry": key, "key": "u", "base": "3"})

    send(client, game, "table", seats_4="Flo")

    assert second_hand(client, game)["table"] == ["Ann", "Bob", "Cy", "Di", "Flo"]


def test_the_players_may_be_more_than_the_pack_has_cards_for_and_the_sizes_are_asked_for(
    client: FlaskClient, game: str
) -> None:
    send(client, game, "plan", cards="13 10")

    answer = send(client, game, "table", seats_4="Eve")

    assert answer.location == f"/games/{game}/plan"
    assert "Hand 2: 5 players cannot have 13 cards each: the pack has 52." in text(client.get(answer.location))
    assert send(client, game, "plan", cards="10 10").location == f"/games/{game}"


# ---- the plan ----


def test_the_hands_to_come_are_changed_in_a_line_of_numbers(client: FlaskClient, game: str) -> None:
    form = form_of(client, game, "plan")
    answer = send(client, game, "plan", cards="5, 4 3")

    assert form["cards"] == "2 3 4 5 6 7 8 9 10 11 12 13"
    assert (answer.status_code, answer.location) == (303, f"/games/{game}")
    assert form_of(client, game, "plan")["cards"] == "5 4 3"
    page = text(client.get(f"/games/{game}"))
    assert "Hand 2 of 4" in page
    assert "The cards changed from hand 2 on." in page
    assert "Cards from here on: 5, 4, 3" in text(client.get(f"/games/{game}/history"))


def test_hands_may_be_added_behind_the_one_that_is_played(client: FlaskClient, game: str) -> None:
    send(client, game, "plan", cards="2")
    post(client, game, 2, bids_0="1")

    assert send(client, game, "plan", cards="1 1").status_code == 303

    assert "Hand 2 of 4" in text(client.get(f"/games/{game}"))


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"cards": "5 x"}, "“x” is not a whole number"),
        ({"cards": "5 14"}, "4 players cannot have 14 cards each: the pack has 52."),
        ({"cards": "0"}, "This form was not complete."),
        ({"cards": "1 " * 401}, "There can be at most 400 hands."),
        ({"cards": "5", "base": ""}, "This form was not complete."),
    ],
)
def test_a_plan_that_cannot_be_is_said_with_what_was_typed(
    client: FlaskClient, game: str, fields: dict[str, str], said: str
) -> None:
    answer = send(client, game, "plan", **fields)

    assert answer.status_code == 422
    assert said in text(answer)
    assert Page(answer.text).form["cards"] == fields["cards"]
    assert len(log(client, game)) == 2


def test_two_phones_that_change_the_plan_differently_are_shown_both(
    client: FlaskClient, new_phone: NewPhone, game: str
) -> None:
    second = new_phone()
    second.post(client.post("/pen").location)
    form = form_of(second, game, "plan")
    send(client, game, "plan", cards="5 4")

    refused = send_form(second, game, "plan", form, cards="6")

    assert refused.status_code == 409
    assert "now: 5 4" in text(refused)
    assert Page(refused.text).form["cards"] == "6"


@pytest.mark.parametrize("page", ["table", "plan"])
def test_a_game_that_is_over_has_nothing_to_come(client: FlaskClient, game: str, page: str) -> None:
    form = form_of(client, game, page)
    client.post(f"/games/{game}/end", data={"key": "end", "base": "2"})

    assert client.get(f"/games/{game}/{page}").status_code == 409
    refused = send_form(client, game, page, form, seats_4="Eve", cards="5")
    assert refused.status_code == 422
    assert "The game is over." in text(refused)


# ---- the book ----


def test_a_hand_whose_trump_is_written_keeps_its_cards(client: FlaskClient, game: str) -> None:
    post(client, game, 2, trump="S")
    form = form_of(client, game, "plan")
    assert form["hand"] == "3"
    assert form["cards"].startswith("3 4 ")

    assert send(client, game, "plan", cards="7 6 5").status_code == 303

    assert form_of(client, game, "plan")["cards"] == "7 6 5"
    assert Page(client.get(f"/games/{game}/hands/2").text).texts["cards"] == "2"


def test_a_book_is_given_a_name(client: FlaskClient, game: str) -> None:
    answer = client.post("/book", data={"name": "  Friday\u202e  club "})

    assert (answer.status_code, answer.location) == (303, "/book")
    assert 'value="Friday club"' in client.get("/book").text
    assert "<h1><bdi>Friday club</bdi></h1>" in client.get("/").text
    client.post("/book", data={"name": ""})
    assert "<h1>Scorekeeper</h1>" in client.get("/").text
    assert game in client.get("/").text


def test_too_long_a_name_for_a_book_is_said_beside_it(client: FlaskClient, game: str) -> None:
    answer = client.post("/book", data={"name": "x" * 61})

    assert answer.status_code == 422
    assert Page(answer.text).said_beside("name") == "That is too long: 60 characters are the most."
    assert Page(answer.text).form["name"] == "x" * 61
    assert game in client.get("/").text


def test_the_book_switches_the_chances_to_win_on_and_off(client: FlaskClient, game: str) -> None:
    shown = client.get(f"/games/{game}?view=scores")
    assert text(shown).count("to win: ") == 4
    assert "are estimates" in text(shown)
    assert "checked" in client.get("/book").text

    assert client.post("/book", data={"name": ""}).status_code == 303

    off = client.get(f"/games/{game}?view=scores", headers={"If-None-Match": shown.headers["ETag"]})
    assert off.status_code == 200
    assert "to win: " not in text(off)
    assert "checked" not in client.get("/book").text
    client.post("/book", data={"name": "", "estimates": "1"})
    assert text(client.get(f"/games/{game}?view=scores")).count("to win: ") == 4


@pytest.mark.parametrize(("language", "shown"), [("en", "13%"), ("de", "13\xa0%"), ("tr", "%13")])
def test_chances_to_win_are_in_the_form_of_the_language(app: Flask, language: str, shown: str) -> None:
    with app.test_request_context("/"), force_locale(language):
        assert board._outlook(None, 0.126) == f"to win: {shown}"


def test_a_name_that_is_refused_leaves_the_switch_as_it_was_tapped(client: FlaskClient, game: str) -> None:
    refused = client.post("/book", data={"name": "x" * 61})

    assert refused.status_code == 422
    assert "checked" not in refused.text
    assert "checked" in client.get("/book").text
    assert game in client.get("/").text
