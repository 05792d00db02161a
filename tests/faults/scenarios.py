"""What is done to the app, and what was lost by it: empty lists where every guard stands."""

from collections.abc import Callable
from functools import partial
from itertools import product

from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from scorekeeper import books, pens, store
from scorekeeper.database import db
from tests.page import start
from tests.store.evening import at_once, new_game

Tap = Callable[[str, str], tuple[int, str]]  # a key and the note to write; the status, and where the answer leads


def games(engine: Engine, count: int) -> list[tuple[str, str]]:
    """Games in books of their own, each as the secret of the phone that has the pen and the game's code."""
    with Session(engine) as session:
        return [
            (secret, books.start_game(session, pens.phone_with(session, secret), new_game(), house=False))
            for secret in (f"{number:043}" for number in range(count))
        ]


def double_taps(engine: Engine, code: str, tap: Tap, count: int) -> list[str]:
    """Every tap is sent twice at once, and once more after the next one."""
    lost = []
    for number in range(count):
        answers = at_once([partial(tap, f"tap-{number}", f"note {number}")] * 2)
        if [answer for answer in answers if answer != answers[0] or answer[0] != 303]:
            lost.append(f"tap {number} was answered {answers}")
        if number:
            late = at_once([partial(tap, f"tap-{number - 1}", f"note {number - 1}")])
            if late != answers[:1]:
                lost.append(f"the late repeat of tap {number - 1} was answered {late}")
    with Session(engine) as session:
        game = store.load(session, code)
    keys = [row.key for row in game.log]
    if keys != [f"tap-{number}" for number in range(count)]:
        lost.append(f"the log holds {keys}")
    if game.sheet.hand(1).note != f"note {count - 1}":
        lost.append(f"the note is {game.sheet.hand(1).note!r}")
    return lost


def strangers(app: Flask) -> list[str]:
    """Phones without the pen of a game try to write on it: a new one, a known one, and one with another book's pen."""
    owner, reader, neighbour, nobody = (_phone(app) for _ in range(4))
    code = start(owner, "Ann", "Bob", "Cy")
    reader.post(owner.post("/pen").location)
    owner.post("/book/new-pens")
    start(neighbour, "Zoe", "Yan", "Xi")
    return _written_by({"reader": reader, "neighbour": neighbour, "nobody": nobody}, app, code)


def other_sites(app: Flask) -> list[str]:
    """Pages of other sites send forms from the phone that has the pen."""
    owner = _phone(app)
    code = start(owner, "Ann", "Bob", "Cy")
    cookie = owner.get_cookie("phone")
    assert cookie
    senders = {}
    for site in ("cross-site", "same-site", ""):
        sender = app.test_client()
        sender.set_cookie("phone", cookie.value)
        sender.environ_base["HTTP_ORIGIN"] = "http://evil.example"
        if site:
            sender.environ_base["HTTP_SEC_FETCH_SITE"] = site
        senders[site or "old browser"] = sender
    return _written_by(senders, app, code)


def _phone(app: Flask) -> FlaskClient:
    phone = app.test_client()
    phone.environ_base["HTTP_SEC_FETCH_SITE"] = "same-origin"
    return phone


def _written_by(phones: dict[str, FlaskClient], app: Flask, code: str) -> list[str]:
    forms = {"hands/1": {"bids-0": "1"}, "undo": {"entry": "x"}, "end": {}}
    lost = []
    for number, ((who, phone), (address, form)) in enumerate(product(phones.items(), forms.items())):
        answer = phone.post(f"/games/{code}/{address}", data={**form, "key": f"key-{number}", "base": "0"})
        if answer.status_code != 403:
            lost.append(f"{who} got {answer.status_code} from {address}")
    with app.app_context():
        if seq := store.load(db.session(), code).seq:
            lost.append(f"{seq} entries were written")
    return lost
