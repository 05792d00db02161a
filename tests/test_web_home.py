"""`/`: what a phone with a pen finds, and what a phone without."""

from collections.abc import Callable

from flask import Flask
from flask.testing import FlaskClient

from scorekeeper.database import db
from scorekeeper.engine.events import Ended, HandWritten
from scorekeeper.pens import phone_of
from scorekeeper.store import write
from tests.conftest import MakeApp
from tests.page import start

NewPhone = Callable[[], FlaskClient]


def end(app: Flask, phone: FlaskClient, code: str) -> None:
    """One hand is played, Ann and Cy make their bids, Bob does not; then the table stops."""
    cookie = phone.get_cookie("phone")
    assert cookie
    with app.app_context():
        session = db.session()
        pen = phone_of(session, cookie.value)
        tricks = {0: 0, 1: 0, 2: 1}
        write(session, code, pen, HandWritten.of(1, bids={0: 0, 1: 1, 2: 1}, tricks=tricks), "hand", 0)
        write(session, code, pen, Ended(), "end", 1)


def test_a_new_phone_in_a_new_house_starts_the_first_game(client: FlaskClient) -> None:
    page = client.get("/").text

    assert "New game" in page
    assert "Start a book of your own" not in page
    assert "Players and pens" not in page


def test_the_game_in_progress_comes_first(client: FlaskClient) -> None:
    code = start(client, "Ann", "Bob", "Cy", title="Friday")

    page = client.get("/").text

    assert f'href="/games/{code}"' in page
    assert "Go on with the game" in page
    assert "<bdi>Friday</bdi>" in page
    assert "Earlier games" not in page


def test_a_phone_without_a_pen_watches_the_house_and_may_start_its_own_book(
    client: FlaskClient, new_phone: NewPhone, app: Flask
) -> None:
    ended = start(client, "Ann", "Bob", "Cy", title="Thursday")
    end(app, client, ended)
    code = start(client, "Ann", "Bob", "Cy", title="Friday")

    guest = new_phone().get("/").text

    assert f'href="/games/{code}"' in guest
    assert "Watch the game" in guest
    assert "Start a book of your own" in guest
    assert "Thursday" not in guest


def test_a_guest_who_starts_a_game_has_a_book_of_their_own(client: FlaskClient, new_phone: NewPhone) -> None:
    start(client, "Ann", "Bob", "Cy", title="House")
    guest = new_phone()
    start(guest, "Zoe", "Yan", "Xi", title="Guest")

    assert "Guest" in guest.get("/").text
    assert "House" not in guest.get("/").text
    assert "Guest" not in client.get("/").text


def test_without_a_house_every_phone_starts_its_own_book(make_app: MakeApp, sqlite_url: str) -> None:
    app = make_app(sqlite_url, HOUSE="off")
    phones = []
    for name in ("Ann", "Zoe"):
        phone = app.test_client()
        phone.environ_base["HTTP_SEC_FETCH_SITE"] = "same-origin"
        phones.append(phone)
        assert "Watch the game" not in phone.get("/").text
        start(phone, name, "Bob", "Cy")

    assert "Zoe" not in phones[0].get("/").text
    assert "Ann" not in phones[1].get("/").text


def test_earlier_games_name_all_winners_and_offer_a_rematch(client: FlaskClient, app: Flask) -> None:
    code = start(client, "Ann", "Bob", "Cy", title="Friday", rules="oh_hell_down", most_cards="1")
    end_with_a_tie(app, client, code)

    page = client.get("/").text
    won = page.partition('class="won"')[2].partition("</span>\n")[0]

    assert "Winners:" in won
    assert "<bdi>Ann</bdi>" in won
    assert "<bdi>Bob</bdi>" in won
    assert "<bdi>Cy</bdi>" not in won
    assert f'action="/games/{code}/rematch"' in page
    assert "<time datetime=" in page


def end_with_a_tie(app: Flask, phone: FlaskClient, code: str) -> None:
    """The one hand of one card: Ann and Bob make zero, Cy misses it by the trick that they win."""
    cookie = phone.get_cookie("phone")
    assert cookie
    with app.app_context():
        session = db.session()
        pen = phone_of(session, cookie.value)
        hand = HandWritten.of(1, bids={0: 0, 1: 0, 2: 0}, tricks={0: 0, 1: 0, 2: 1})
        write(session, code, pen, hand, "hand", 0)


def test_rematch_is_the_same_table_once_however_often_it_is_pressed(client: FlaskClient, app: Flask) -> None:
    code = start(client, "Ann", "Bob", "Cy")
    end(app, client, code)

    first, second = (client.post(f"/games/{code}/rematch") for _ in range(2))

    assert first.status_code == 303
    assert first.location == second.location != f"/games/{code}"
    assert "Rematch" not in client.get("/").text


def test_no_rematch_while_the_game_is_on(client: FlaskClient) -> None:
    code = start(client, "Ann", "Bob", "Cy")

    assert client.post(f"/games/{code}/rematch").status_code == 409
