"""`/games/new` without a script: the form fills in, refuses in place, keeps what was typed, and starts the game."""

from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scorekeeper.database import db
from scorekeeper.store import Game, load
from tests.page import Page, fill, start

NewPhone = Callable[[], FlaskClient]


def press(phone: FlaskClient, form: dict[str, str], button: str) -> Page:
    """The page after a button of the form that does not start the game."""
    answer = phone.post("/games/new", data=form | {"do": button})
    assert answer.status_code == 200
    return Page(answer.text)


def refused(phone: FlaskClient, form: dict[str, str]) -> Page:
    """The page of a game that could not start."""
    answer = phone.post("/games/new", data=form | {"do": "start"})
    assert answer.status_code == 422
    assert "Not started yet" in answer.text
    return Page(answer.text)


def started(app: Flask, code: str) -> Game:
    with app.app_context():
        return load(db.session(), code)


# ---- the form ----


def test_the_empty_form_has_the_names_by_which_people_find_things(client: FlaskClient) -> None:
    page = Page(client.get("/games/new").text)

    assert [f"Seat {number}" in page.labels for number in range(1, 9)] == [True] * 7 + [False]
    assert [f"Seat {number} deals first" in page.labels for number in range(1, 9)] == [True] * 7 + [False]
    assert [f"Move up: Seat {number}" in page.labels for number in range(1, 9)] == [False] + [True] * 6 + [False]
    assert page.form["rules"] == "Oh Hell"
    assert page.form["title"]


def test_there_are_as_many_seats_as_the_rules_allow(client: FlaskClient) -> None:
    page = press(client, fill(client, rules="Prospect (WPOHL)"), "look")

    assert "Seat 5" in page.labels
    assert "Seat 6" not in page.labels


def test_a_name_beyond_the_seats_of_other_rules_stays(client: FlaskClient) -> None:
    page = press(client, fill(client, *"ABCDEFG", rules="Prospect (WPOHL)"), "look")

    assert page.form["seats-6"] == "G"


def test_known_players_take_the_next_empty_seat_and_get_up_again(client: FlaskClient) -> None:
    start(client, "Ann", "Bob", "Cy")
    html = client.get("/games/new").text
    bob = html.partition("<bdi>Bob</bdi>")[0].rpartition('value="')[2].partition('"')[0]

    page = press(client, fill(client, "Zoe"), bob)
    again = press(client, page.form, bob)

    assert page.form["seats-1"] == "Bob"
    assert again.form["seats-1"] == ""
    assert again.form["seats-0"] == "Zoe"


def test_players_of_another_book_are_not_shown(client: FlaskClient, new_phone: NewPhone) -> None:
    start(client, "Ann", "Bob", "Cy")

    assert "<bdi>Ann</bdi>" in client.get("/games/new").text
    assert "Ann" not in new_phone().get("/games/new").text


def test_moving_up_changes_seats_and_the_dealer_goes_along(client: FlaskClient) -> None:
    page = press(client, fill(client, "Ann", "Bob", "Cy", dealer="2"), "up-2")

    assert [page.form[f"seats-{seat}"] for seat in range(3)] == ["Ann", "Cy", "Bob"]
    assert page.form["dealer"] == "1"


@pytest.mark.parametrize("button", ["up-0", "up-7", "up-99", "up--1", "seat-1", "seat-x", "up-\uff11", "", "x" * 300])
def test_a_button_that_is_not_there_changes_nothing(client: FlaskClient, button: str) -> None:
    form = fill(client, "Ann", "Bob")

    assert press(client, form, button).form == form


def test_the_dealer_is_drawn_among_those_who_sit(client: FlaskClient) -> None:
    form = fill(client, "", "Bob", "", "Di")

    drawn = {press(client, form, "draw").form["dealer"] for _ in range(40)}

    assert drawn == {"1", "3"}


@pytest.mark.parametrize("called", ["La Podrida", "la podrida", "la_podrida", " LA PODRIDA "])
def test_rules_are_found_by_name_and_id(client: FlaskClient, called: str) -> None:
    page = press(client, fill(client, rules=called), "look")

    assert page.form["preset"] == "la_podrida"
    assert "must_trump" in page.form
    assert "must trump" in page.texts["words"]


def test_rules_are_found_by_alias(client: FlaskClient) -> None:
    assert press(client, fill(client, rules="Elevator"), "look").form["preset"] == "up_and_down_the_river"


def test_the_page_of_some_rules_leads_to_a_form_with_them(client: FlaskClient) -> None:
    assert Page(client.get("/games/new?rules=wizard").text).form["rules"] == "Wizard"
    assert Page(client.get("/games/new?rules=nothing").text).form["rules"] == "Oh Hell"


def test_the_sentence_says_what_the_rules_now_are(client: FlaskClient) -> None:
    before = press(client, fill(client, "Ann", "Bob", "Cy", "Di"), "look")
    after = press(client, before.form | {"schedule": "up_down", "hook": "y", "most_cards": "5"}, "look")

    assert "1→13 (13 hands) · no hook" in before.texts["words"]
    assert "1→5→1 (9 hands) · hook on" in after.texts["words"]


def test_the_next_game_begins_with_the_rules_of_the_last(client: FlaskClient) -> None:
    start(client, "Ann", "Bob", "Cy", rules="La Podrida", schedule="up_down", hook="y", most_cards="7")

    form = Page(client.get("/games/new").text).form

    assert form["rules"] == "La Podrida"
    assert form["schedule"] == "up_down"
    assert form["most_cards"] == "7"
    assert {"hook", "must_trump", "no_trump_in_last"} <= form.keys()
    assert "at_once" not in form


# ---- the start ----


def test_a_game_starts_with_its_players_rules_and_dealer(client: FlaskClient, app: Flask) -> None:
    code = start(client, "Ann", "", "Bob", "Cy", dealer="2", title="At Ruta’s", rules="oh_hell_hook")

    game = started(app, code)

    assert game.names == ("Ann", "Bob", "Cy")
    assert game.sheet.first_dealer == 1
    assert game.title == "At Ruta’s"
    assert game.preset == "oh_hell_hook"
    assert game.rules.bidding.hook == "always"


def test_switches_turned_with_other_rules_in_one_go_count(client: FlaskClient, app: Flask) -> None:
    code = start(client, "Ann", "Bob", "Cy", rules="Oh Hell, reversed", hook="y")

    rules = started(app, code).rules

    assert rules.sizes(3)[0] == 15
    assert rules.bidding.hook == "always"


def test_all_nine_switches_of_the_article_reach_the_game(client: FlaskClient, app: Flask) -> None:
    switches = dict.fromkeys(("hook", "at_once", "must_trump", "miss_scores_tricks", "zero_scores_cards"), "y")

    code = start(client, "Ann", "Bob", "Cy", "Di", schedule="down_up", most_cards="6", **switches)

    rules = started(app, code).rules
    assert rules.sizes(4) == (6, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6)
    assert (rules.bidding.hook, rules.bidding.mode) == ("always", "simultaneous")
    assert rules.play.must_trump
    assert rules.scoring.id == "trick_per_miss_zero"
    assert rules.trump.no_trump_on == ("last_hand",)


def test_a_double_tap_starts_one_game_and_a_changed_form_another(client: FlaskClient) -> None:
    form = fill(client, "Ann", "Bob", "Cy", do="start")

    first, second = (client.post("/games/new", data=form).location for _ in range(2))
    other = client.post("/games/new", data=form | {"seats-3": "Di"}).location

    assert first == second
    assert other != first


def test_names_of_all_the_world_survive(client: FlaskClient, app: Flask) -> None:
    names = ("Ζωή", "רותה", "👩‍👩‍👧‍👦", "<script>alert(1)</script>", "Ann & Bob")

    code = start(client, *names)

    assert started(app, code).names == names
    page = client.get("/games/new").text
    assert "<script>alert" not in page
    assert "<bdi>&lt;script&gt;alert(1)&lt;/script&gt;</bdi>" in page


# ---- what goes wrong ----


@pytest.mark.parametrize(
    ("players", "seat", "said"),
    [
        (("Ann", "ann", "Bob"), 0, "Two players have this name"),
        (("Ann", "ann", "Bob"), 1, "Two players have this name"),
        (("Ann", "\uff21\uff4e\uff4e", "Bob"), 1, "Two players have this name"),
        (("Ann", "", "Bob", "Ann"), 3, "Two players have this name"),
        (("Ann", "x" * 200, "Bob"), 1, "40 characters are the most"),
        (("Ann", "\u200b\u200d", "Bob"), 1, "Nothing in this name can be read"),
    ],
)
def test_a_name_that_will_not_do_is_said_at_its_seat(
    client: FlaskClient, players: tuple[str, ...], seat: int, said: str
) -> None:
    page = refused(client, fill(client, *players))

    assert said in page.said_beside(f"seats-{seat}")
    assert [page.form[f"seats-{place}"] for place in range(len(players))] == list(players)


@pytest.mark.parametrize(
    ("players", "rules", "said"),
    [
        ((), "Oh Hell", "These rules are for 3 to 7 players, not 0."),
        (("Ann", "Bob"), "Oh Hell", "These rules are for 3 to 7 players, not 2."),
        (tuple("ABCDEFGH"), "Oh Hell", "These rules are for 3 to 7 players, not 8."),
        (("Ann", "Bob", "Cy", "Di"), "Prospect (WPOHL)", "These rules are for 5 players, not 4."),
    ],
)
def test_too_few_or_too_many_players(client: FlaskClient, players: tuple[str, ...], rules: str, said: str) -> None:
    page = refused(client, fill(client, *players, rules=rules))

    assert page.texts["table-why"] == said
    assert [page.form[f"seats-{place}"] for place in range(len(players))] == list(players)


@pytest.mark.parametrize("dealer", ["3", "99", "-1", "one", "", "\uff11", "1e9"])
def test_somebody_at_the_table_deals_first(client: FlaskClient, dealer: str) -> None:
    page = refused(client, fill(client, "Ann", "Bob", "Cy", dealer=dealer))

    assert "Choose who deals first." in page.texts["dealer-why"]


@pytest.mark.parametrize("called", ["", "No such rules", "x" * 5000, "<script>"])
def test_rules_that_do_not_exist(client: FlaskClient, called: str) -> None:
    page = refused(client, fill(client, "Ann", "Bob", "Cy", rules=called))

    assert "No rules have this name" in page.said_beside("rules")
    assert page.form["rules"] == called


@pytest.mark.parametrize("most", ["13", "11", "0", "-1", "ten", "1e9", "\uff11", "5.0"])
def test_a_largest_hand_that_five_players_cannot_have(client: FlaskClient, most: str) -> None:
    page = refused(client, fill(client, *"ABCDE", most_cards=most))

    assert "A whole number from 1 to 10" in page.said_beside("most_cards")
    assert page.form["most_cards"] == most


def test_hands_that_are_a_fixed_list_cannot_be_made_shorter(client: FlaskClient) -> None:
    page = refused(client, fill(client, *"ABCD", rules="romanian_whist", most_cards="3"))

    assert "fixed list of hands" in page.said_beside("most_cards")


def test_a_title_that_is_too_long(client: FlaskClient) -> None:
    page = refused(client, fill(client, "Ann", "Bob", "Cy", title="x" * 61))

    assert "60 characters are the most" in page.said_beside("title")
    assert page.form["title"] == "x" * 61


@pytest.mark.parametrize("field", ["seats-1", "dealer", "rules", "title", "most_cards"])
def test_a_field_that_comes_twice(client: FlaskClient, field: str) -> None:
    form = fill(client, "Ann", "Bob", "Cy", do="start")

    answer = client.post("/games/new", data={**form, field: [form[field], form[field]]})

    assert answer.status_code == 422
    assert "This came twice" in answer.text


def test_a_form_with_nothing_in_it(client: FlaskClient) -> None:
    answer = client.post("/games/new", data={"do": "start"})

    assert answer.status_code == 422
    assert "No rules have this name" in answer.text


def test_a_switch_that_is_not_there_changes_nothing(client: FlaskClient, app: Flask) -> None:
    code = start(client, "Ann", "Bob", "Cy", schedule="sideways", preset="nothing")

    assert started(app, code).rules.sizes(3) == tuple(range(1, 16))


def test_the_switches_and_seats_stand_again_as_they_were(client: FlaskClient) -> None:
    form = fill(client, "Ann", "", "ann", "Cy", dealer="3", title="T", schedule="down", hook="y", most_cards="4")

    page = refused(client, form)

    assert page.form == form


FIELDS = ["seats-0", "seats-1", "seats-2", "seats-99999", "dealer", "rules", "preset", "key", "title", "do"]
FIELDS += ["schedule", "hook", "most_cards", "seats", "code"]
TYPED = st.text(max_size=50) | st.sampled_from(
    ["start", "up-1", "seat-1", "draw", "Oh Hell", "Ann", "0", "1", "-1", "1e9"]
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(form=st.dictionaries(st.sampled_from(FIELDS), TYPED | st.lists(TYPED, max_size=3)))
def test_no_form_at_all_breaks_the_page(client: FlaskClient, form: dict[str, str | list[str]]) -> None:
    assert client.post("/games/new", data=form).status_code in {200, 303, 400, 422}
