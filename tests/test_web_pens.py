"""Invitations, handing over, new pens."""

import re
from collections.abc import Callable

from flask.testing import FlaskClient

from tests.page import start

NewPhone = Callable[[], FlaskClient]


def handed_over(phone: FlaskClient, code: str = "") -> str:
    """The address of a fresh invitation from this phone."""
    answer = phone.post("/pen", data={"code": code})
    assert answer.status_code == 303
    return str(answer.location)


def test_handing_over_shows_a_link_and_its_qr_code(client: FlaskClient) -> None:
    start(client, "Ann", "Bob", "Cy")

    address = handed_over(client)
    page = client.get(address).text

    assert re.fullmatch(r"/pen/[A-Za-z0-9_-]{22,}", address)
    assert f'href="http://localhost{address}"' in page
    assert "<svg" in page.partition('class="card invited"')[2]


def test_no_cache_keeps_an_answer_with_the_secret_of_an_invitation(client: FlaskClient, new_phone: NewPhone) -> None:
    start(client, "Ann", "Bob", "Cy")

    given = client.post("/pen")
    shown, offered = client.get(given.location), new_phone().get(given.location)
    taken, unknown = new_phone().post(given.location), client.get("/pen/unknown")

    for answer in (given, shown, offered, taken, unknown):
        assert answer.headers["Cache-Control"] == "no-store"


def test_every_invitation_is_a_fresh_one(client: FlaskClient) -> None:
    start(client, "Ann", "Bob", "Cy")

    assert handed_over(client) != handed_over(client)


def test_looking_at_an_invitation_gives_nothing_and_its_button_a_pen(client: FlaskClient, new_phone: NewPhone) -> None:
    code = start(client, "Ann", "Bob", "Cy")
    other = new_phone()
    address = handed_over(client)

    looked = other.get(address)
    before = other.get("/").text
    taken = other.post(address)

    assert "Take the pen" in looked.text
    assert "Set-Cookie" not in looked.headers
    assert "Watch the game" in before
    assert taken.status_code == 303
    assert taken.location == f"/games/{code}"
    assert "Go on with the game" in other.get("/").text


def test_both_phones_have_a_pen_afterwards(client: FlaskClient, new_phone: NewPhone) -> None:
    start(client, "Ann", "Bob", "Cy")
    other = new_phone()
    other.post(handed_over(client))

    assert client.get("/book").status_code == 200
    assert other.get("/book").status_code == 200


def test_new_pens_end_invitations_and_the_pens_of_other_phones(client: FlaskClient, new_phone: NewPhone) -> None:
    start(client, "Ann", "Bob", "Cy")
    other, third = new_phone(), new_phone()
    address = handed_over(client)
    other.post(address)

    answer = client.post("/book/new-pens")

    assert "only this phone may write now" in answer.text
    assert client.get("/book").status_code == 200
    assert other.get("/book").status_code == 403
    assert third.get(address).status_code == 404
    assert third.post(address).status_code == 404


def test_a_sheet_hands_over_the_pen_of_its_own_book(client: FlaskClient, new_phone: NewPhone) -> None:
    """A phone with the pens of two books hands over the one of the game that it came from."""
    house = start(client, "Ann", "Bob", "Cy")
    guest = new_phone()
    own = start(guest, "Zoe", "Yan", "Xi")
    client.post(handed_over(guest))

    third = new_phone()
    third.post(handed_over(client, house))

    assert house in third.get("/").text
    assert own not in third.get("/").text


def test_nobody_hands_over_a_pen_that_they_do_not_have(client: FlaskClient, new_phone: NewPhone) -> None:
    code = start(client, "Ann", "Bob", "Cy")
    guest = new_phone()

    assert guest.post("/pen").status_code == 403
    assert guest.post("/pen", data={"code": code}).status_code == 403
    assert guest.post("/pen", data={"code": "ZZZZZZZZZZ"}).status_code == 404


def test_the_book_shows_its_players(client: FlaskClient) -> None:
    start(client, "Ann", "<b>", "Cy")

    page = client.get("/book").text

    assert "<bdi>Ann</bdi>" in page
    assert "<bdi>&lt;b&gt;</bdi>" in page
