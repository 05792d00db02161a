"""Whatever is sent to whatever address, by whomever: no answer of 500 or more, and the game stands as it stood."""

from collections.abc import Callable
from urllib.parse import quote

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.page import start

FIELDS = [
    "entry",
    "key",
    "base",
    "override",
    "note",
    "trump",
    "dealer",
    "cards",
    "outcome",
    "first_bidder",
    "stay",
    "code",
]
FIELDS += [f"{name}-{seat}" for name in ("bids", "tricks", "won", "adjust") for seat in ("0", "1", "9", "-1", "x")]
FIELDS += ["name", "seats-0", "seats-1", "seats-2", "carry-0", "hand", "rules", "dealer", "title", "do"]
NUMBERS = ["0", "1", "2", "-1", "1e9", "9" * 400, "\uff11", "\u0661", "NaN", "", " 1 ", "1.5", "true"]
TEXT = st.text(max_size=30) | st.sampled_from([*NUMBERS, "S", "NT", "void", "<script>", "\x00", "\u202e", "\U0001f600"])
FORM = st.dictionaries(st.sampled_from(FIELDS), TEXT | st.lists(TEXT, max_size=3), max_size=6)
ASKED = ["view", "seat", "more", "fewer", "tricks-0", "players", "names", "v"]
ASKED += ["ask", "rules", "cards", "trump", "turned", "bids", "place"]
QUERY = st.dictionaries(
    st.sampled_from(ASKED), TEXT | st.lists(TEXT | st.sampled_from(["oh_hell", "wizard"]), max_size=3)
)
PLACES = st.sampled_from(["GAME", "1", "2", "0", "99999999999999999999", "oh_hell", "app.css", "x" * 300]) | st.text(
    min_size=1, max_size=20
)


@pytest.fixture
def phones(new_phone: Callable[[], FlaskClient]) -> tuple[FlaskClient, FlaskClient, str]:
    """A phone with the pen of a game, one without, and the game's code."""
    scorer = new_phone()
    return scorer, new_phone(), start(scorer, "Ann", "Bob", "Cy")


@settings(max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), pen=st.booleans(), form=FORM, query=QUERY)
def test_nothing_that_is_sent_breaks_an_address(
    app: Flask,
    phones: tuple[FlaskClient, FlaskClient, str],
    data: st.DataObject,
    pen: bool,
    form: dict[str, str | list[str]],
    query: dict[str, str | list[str]],
) -> None:
    scorer, reader, code = phones
    rule = data.draw(st.sampled_from(sorted(app.url_map.iter_rules(), key=str)))
    path = rule.rule
    for name in rule.arguments:
        value = data.draw(PLACES, label=name).replace("GAME", code)
        for converter in ("", "int:", "path:"):
            path = path.replace(f"<{converter}{name}>", quote(value, safe="", errors="replace"))
    method = data.draw(st.sampled_from(["GET", "POST", "HEAD", "OPTIONS", "PUT"]))

    # Each from an address of its own, or after twenty wrong codes nothing would be tried any more.
    place = {"REMOTE_ADDR": f"10.{data.draw(st.integers(0, 2**24))}"}

    answer = (scorer if pen else reader).open(
        path, method=method, data=form, query_string=query, environ_overrides=place
    )

    assert answer.status_code < 500
    assert reader.get(f"/games/{code}.json").status_code == 200
