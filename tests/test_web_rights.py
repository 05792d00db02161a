"""Who may do what: every address by {nobody, reader, pen of another book, pen}."""

from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.page import start

NewPhone = Callable[[], FlaskClient]

WHO = ("nobody", "reader", "pen of another book", "pen")
# What each of them gets. A reader's phone is known but has no pen; a form without content is refused with 422.
ANYBODY = (200, 200, 200, 200)
SCORER = (403, 403, 403, 422)
MATRIX = {
    ("GET", "/"): ANYBODY,
    ("GET", "/healthz"): ANYBODY,
    ("GET", "/static/<path:filename>"): ANYBODY,
    ("GET", "/manifest.webmanifest"): ANYBODY,
    ("GET", "/sw.js"): ANYBODY,
    ("GET", "/offline"): ANYBODY,
    ("GET", "/rules"): ANYBODY,
    ("GET", "/rules/<preset_id>"): ANYBODY,
    ("GET", "/rules/<preset_id>/blank"): ANYBODY,
    ("GET", "/lab"): ANYBODY,
    ("GET", "/advise"): ANYBODY,
    ("GET", "/games/new"): ANYBODY,
    ("POST", "/games/new"): ANYBODY,
    ("GET", "/book"): (403, 403, 200, 200),
    ("POST", "/book"): (403, 403, 303, 303),
    ("POST", "/book/new-pens"): (403, 403, 200, 200),
    ("POST", "/pen"): (403, 403, 303, 303),
    ("GET", "/pen/<secret>"): ANYBODY,
    ("POST", "/pen/<secret>"): (303, 303, 303, 303),
    ("GET", "/games/<code>"): ANYBODY,
    ("GET", "/games/<code>.json"): ANYBODY,
    ("GET", "/games/<code>.csv"): ANYBODY,
    ("GET", "/games/<code>/history"): ANYBODY,
    ("GET", "/games/<code>/print"): ANYBODY,
    ("GET", "/games/<code>/qr.svg"): ANYBODY,
    ("GET", "/games/<code>/hands/<int:number>"): (403, 403, 403, 200),
    ("POST", "/games/<code>/hands/<int:number>"): SCORER,
    ("GET", "/games/<code>/table"): (403, 403, 403, 200),
    ("POST", "/games/<code>/table"): SCORER,
    ("GET", "/games/<code>/plan"): (403, 403, 403, 200),
    ("POST", "/games/<code>/plan"): SCORER,
    ("POST", "/games/<code>/undo"): SCORER,
    ("POST", "/games/<code>/end"): SCORER,
    ("POST", "/games/<code>/rematch"): (403, 403, 403, 409),
}


def addresses(app: Flask) -> list[tuple[str, str]]:
    methods = ("GET", "POST", "PUT", "PATCH", "DELETE")
    return [
        (method, rule.rule) for rule in app.url_map.iter_rules() for method in methods if method in (rule.methods or ())
    ]


def test_every_address_has_its_row(app: Flask) -> None:
    assert set(addresses(app)) == set(MATRIX)


@pytest.fixture
def phones(new_phone: NewPhone) -> dict[str, FlaskClient]:
    """A phone of each kind. The house's book is the pen's."""
    phones = {who: new_phone() for who in WHO}
    start(phones["pen"], "Ann", "Bob", "Cy")
    phones["reader"].post(phones["pen"].post("/pen").location)
    phones["pen"].post("/book/new-pens")
    start(phones["pen of another book"], "Zoe", "Yan", "Xi")
    return phones


@pytest.mark.parametrize(("method", "rule"), MATRIX)
def test_the_matrix(phones: dict[str, FlaskClient], method: str, rule: str) -> None:
    values = {
        "<code>": phones["pen"].get("/").text.partition('href="/games/')[2].partition('"')[0],
        "<secret>": phones["pen"].post("/pen").location.rpartition("/")[2],
        "<preset_id>": "oh_hell",
        "<int:number>": "1",
        "<path:filename>": "app.css",
    }
    address = rule
    for name, value in values.items():
        address = address.replace(name, value)

    answers = [phones[who].open(address, method=method, buffered=True).status_code for who in WHO]

    assert tuple(answers) == MATRIX[method, rule]


@pytest.mark.parametrize(("method", "rule"), [row for row in MATRIX if "<code>" in row[1]])
def test_a_game_that_does_not_exist_is_not_found_by_anybody(
    phones: dict[str, FlaskClient], method: str, rule: str
) -> None:
    address = rule.replace("<code>", "ZZZZZZZZZZ").replace("<int:number>", "1")

    assert {phones[who].open(address, method=method).status_code for who in WHO} == {404}


@pytest.mark.parametrize(("method", "rule"), [row for row in MATRIX if row[0] == "POST"])
def test_no_address_takes_a_write_from_another_site(app: Flask, method: str, rule: str) -> None:
    address = rule.replace("<code>", "ZZZZZZZZZZ").replace("<int:number>", "1").replace("<secret>", "x")

    answer = app.test_client().open(address, method=method, headers={"Sec-Fetch-Site": "cross-site"})

    assert answer.status_code == 403
