"""Cookie, cross-site refusal, headers, limits, sizes, compression, languages, error pages."""

import gzip
import re
import tracemalloc
from collections.abc import Callable

import pytest
from flask import Flask, request
from flask.testing import FlaskClient
from sqlalchemy import Connection, event
from sqlalchemy.exc import OperationalError

from scorekeeper import create_app
from scorekeeper.database import db
from scorekeeper.web.limits import BOOKS, BOOKS_SECONDS, MOST_ADDRESSES, MOST_KNOWN, SECONDS, TRIES, Limits
from tests.conftest import MakeApp
from tests.page import fill, start

NewPhone = Callable[[], FlaskClient]


# ---- the phone's cookie ----


def test_no_get_sets_a_cookie_or_makes_a_phone(client: FlaskClient) -> None:
    for address in ("/", "/games/new", "/rules", "/rules/oh_hell", "/rules/oh_hell/blank", "/healthz", "/book"):
        assert "Set-Cookie" not in client.get(address).headers


def test_the_first_game_gives_the_phone_a_cookie_that_scripts_and_other_sites_do_not_get(client: FlaskClient) -> None:
    answer = client.post("/games/new", data=fill(client, "Ann", "Bob", "Cy", do="start"))

    cookie = answer.headers["Set-Cookie"]
    assert re.match(r"phone=[A-Za-z0-9_-]{43};", cookie)
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert f"Max-Age={400 * 24 * 3600}" in cookie
    assert "Secure" not in cookie  # at home there is no https


def test_on_https_the_cookie_is_bound_to_its_host(client: FlaskClient) -> None:
    form = fill(client, "Ann", "Bob", "Cy", do="start")

    cookie = client.post("/games/new", data=form, base_url="https://cards.example").headers["Set-Cookie"]

    assert cookie.startswith("__Host-phone=")
    assert "Secure" in cookie
    assert "Path=/" in cookie
    assert "Domain" not in cookie


def test_a_game_not_started_leaves_no_cookie(client: FlaskClient) -> None:
    assert "Set-Cookie" not in client.post("/games/new", data=fill(client, "Ann", do="start")).headers


# ---- other sites ----


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Sec-Fetch-Site": "same-origin"}, 200),
        ({"Sec-Fetch-Site": "none"}, 200),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Origin": "http://localhost"}, 403),
        ({"Origin": "http://localhost"}, 200),
        ({"Origin": "http://localhost:8000"}, 403),
        ({"Origin": "https://localhost"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({}, 403),
    ],
)
def test_only_our_own_pages_write(app: Flask, headers: dict[str, str], status: int) -> None:
    assert app.test_client().post("/games/new", headers=headers).status_code == status


# ---- headers ----

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


@pytest.mark.parametrize("address", ["/", "/games/new", "/static/app.css", "/nothing", "/healthz"])
def test_every_answer_closes_what_is_not_used(client: FlaskClient, address: str) -> None:
    headers = client.get(address, buffered=True).headers

    assert headers["Content-Security-Policy"] == POLICY
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert headers["Referrer-Policy"] == "same-origin"
    assert "camera=()" in headers["Permissions-Policy"]
    assert "Strict-Transport-Security" not in headers


def test_https_stays_https(client: FlaskClient) -> None:
    answer = client.get("/", base_url="https://cards.example")

    assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"


def test_pages_are_private_and_asked_for_again(client: FlaskClient) -> None:
    assert client.get("/").headers["Cache-Control"] == "private, no-cache"


def test_no_page_has_anything_inline(client: FlaskClient) -> None:
    for address in ("/", "/games/new", "/rules/oh_hell"):
        page = client.get(address).text
        assert not re.search(r"<style|style=|\son\w+=|javascript:|<script(?![^>]* src=)", page)


def test_an_address_with_the_hash_of_its_file_is_kept_for_a_year(client: FlaskClient) -> None:
    found = re.search(r'href="(/static/app\.css\?v=[0-9a-f]{10})"', client.get("/").text)
    assert found

    assert client.get(found[1], buffered=True).headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert client.get("/static/app.css", buffered=True).headers["Cache-Control"] == "no-cache"
    assert client.get("/static/app.css?v=0123456789", buffered=True).headers["Cache-Control"] == "no-cache"


# ---- compression ----


def test_texts_are_compressed_for_who_takes_it(client: FlaskClient) -> None:
    plain = client.get("/rules")
    packed = client.get("/rules", headers={"Accept-Encoding": "gzip, br"})

    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data
    assert len(packed.data) * 3 < len(plain.data)
    assert "Accept-Encoding" in plain.headers["Vary"]


def test_a_compressed_file_has_a_weak_etag_that_still_saves_sending_it(client: FlaskClient) -> None:
    packed = client.get("/static/app.css", headers={"Accept-Encoding": "gzip"}, buffered=True)

    known = {"Accept-Encoding": "gzip", "If-None-Match": packed.headers["ETag"]}
    again = client.get("/static/app.css", headers=known, buffered=True)

    assert packed.headers["ETag"].startswith("W/")
    assert again.status_code == 304
    assert again.data == b""


# ---- unknown codes ----


class Clock:
    """A clock that is set by hand."""

    seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock(app: Flask) -> Clock:
    clock = Clock()
    app.extensions["limits"].clock = clock
    return clock


def unknown(number: int) -> str:
    return f"/games/ZZZZZZZZ{number:02}"


def test_who_tries_many_unknown_codes_has_to_wait(client: FlaskClient, clock: Clock) -> None:
    statuses = [client.get(unknown(number)).status_code for number in range(TRIES)]
    refused = client.get(unknown(99))

    assert statuses == [404] * TRIES
    assert refused.status_code == 429
    assert refused.headers["Retry-After"] == str(SECONDS)
    assert "Try again in 10 minutes." in refused.text
    clock.seconds = SECONDS
    assert client.get(unknown(99)).status_code == 404


@pytest.mark.usefixtures("clock")
def test_invitations_count_among_the_codes(client: FlaskClient) -> None:
    for number in range(TRIES):
        client.get(f"/pen/guess-{number}")

    assert client.get("/pen/one-more").status_code == 429


@pytest.mark.usefixtures("clock")
def test_codes_sent_in_a_form_count_among_the_codes(client: FlaskClient) -> None:
    for number in range(TRIES):
        assert client.post("/pen", data={"code": unknown(number)}).status_code == 404

    assert client.post("/pen", data={"code": unknown(99)}).status_code == 429


@pytest.mark.usefixtures("clock")
def test_a_screen_that_asks_for_one_deleted_game_again_and_again_shuts_nobody_out(client: FlaskClient) -> None:
    statuses = {client.get(unknown(1)).status_code for _ in range(3 * TRIES)}

    assert statuses == {404}


@pytest.mark.usefixtures("clock")
def test_other_addresses_and_other_pages_are_not_held_up(client: FlaskClient) -> None:
    for number in range(TRIES):
        client.get(unknown(number))

    assert client.get("/").status_code == 200
    assert client.get(unknown(99), environ_base={"REMOTE_ADDR": "192.0.2.7"}).status_code == 404


@pytest.mark.usefixtures("clock")
def test_known_codes_do_not_count(client: FlaskClient) -> None:
    code = start(client, "Ann", "Bob", "Cy")

    assert {client.get(f"/games/{code}/qr.svg").status_code for _ in range(TRIES + 5)} == {200}


def shut_out(phone: FlaskClient) -> None:
    for number in range(TRIES):
        phone.get(unknown(number))


@pytest.mark.usefixtures("clock")
def test_a_phone_with_the_pen_is_not_shut_out_by_who_shares_its_address(
    client: FlaskClient, new_phone: NewPhone
) -> None:
    at_home = {"REMOTE_ADDR": "192.0.2.1"}
    code = start(client, "Ann", "Bob", "Cy")
    shut_out(new_phone())
    client.environ_base |= at_home
    guesser = new_phone()
    guesser.environ_base |= at_home
    shut_out(guesser)

    note = {"note": "x", "key": "a", "base": "0"}
    assert guesser.get(f"/games/{code}").status_code == 429  # a known code and an unknown one look the same
    assert guesser.get(unknown(99)).status_code == 429
    assert client.post(f"/games/{code}/hands/1", data=note).status_code == 303
    assert client.get(unknown(99)).status_code == 429
    assert client.post("/pen", data={"code": code}).status_code == 303


@pytest.mark.usefixtures("clock")
def test_a_game_that_was_read_from_an_address_goes_on_being_read_there(
    client: FlaskClient, new_phone: NewPhone
) -> None:
    watched, other = start(client, "Ann", "Bob", "Cy"), start(client, "Ann", "Bob", "Cy")
    reader = new_phone()
    reader.environ_base["REMOTE_ADDR"] = "192.0.2.1"
    reader.get(f"/games/{watched}")
    shut_out(reader)

    assert reader.get(f"/games/{watched}.json").status_code == 200
    assert reader.get(f"/games/{other}").status_code == 429
    assert reader.get(f"/games/{other}").status_code == 429  # a refusal teaches nothing
    assert reader.options(f"/games/{other}").status_code == 429
    assert reader.get(unknown(1)).status_code == 429


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "POST", "PUT"])
def test_no_question_about_an_unknown_code_makes_it_a_known_one(
    client: FlaskClient, new_phone: NewPhone, method: str
) -> None:
    code = start(client, "Ann", "Bob", "Cy")
    guesser = new_phone()
    guesser.environ_base["REMOTE_ADDR"] = "192.0.2.1"
    guesser.open(unknown(50), method=method)
    guesser.open(f"/games/{code}/table", method=method)
    shut_out(guesser)

    assert guesser.get(unknown(50)).status_code == 429
    assert guesser.get(f"/games/{code}").status_code == 429


@pytest.mark.usefixtures("clock")
def test_an_invitation_can_be_taken_whoever_guesses_at_the_same_address(
    client: FlaskClient, new_phone: NewPhone
) -> None:
    start(client, "Ann", "Bob", "Cy")
    guest = new_phone()
    shut_out(guest)
    address = client.post("/pen").location

    assert guest.get("/pen/unknown").status_code == 429
    assert guest.get(address).status_code == 200
    assert guest.post(address).status_code == 303


def test_the_memory_of_what_was_read_is_bounded() -> None:
    limits = Limits(clock=Clock())
    limits.know("192.0.2.1", "a")
    assert limits.knows("192.0.2.1", "a")
    for number in range(MOST_KNOWN):
        limits.know("192.0.2.2", str(number))

    assert not limits.knows("192.0.2.1", "a")
    assert limits.knows("192.0.2.2", "0")


def test_addresses_of_one_ipv6_network_are_one_visitor() -> None:
    limits = Limits(clock=Clock())
    for number in range(TRIES):
        limits.note(f"2001:db8::{number:x}", str(number))

    assert limits.wait("2001:db8::ffff") == SECONDS
    assert limits.wait("2001:db8:0:1::1") == 0


def test_the_memory_of_tries_is_bounded() -> None:
    limits = Limits(clock=Clock())
    for number in range(TRIES):
        limits.note("192.0.2.1", str(number))
    for number in range(MOST_ADDRESSES):
        limits.note(f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}", "x")

    assert limits.wait("192.0.2.1") == 0  # forgotten: the oldest makes room


def test_long_tries_are_not_kept() -> None:
    limits = Limits(clock=Clock())
    tracemalloc.start()
    for number in range(TRIES):
        limits.note("192.0.2.1", f"{number}" + "x" * 100_000)
    kept, _most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert limits.wait("192.0.2.1") == SECONDS
    assert kept < 100_000


# ---- new books ----


def test_an_address_begins_only_so_many_books_and_is_told_when_it_may_again(make_app: MakeApp, sqlite_url: str) -> None:
    app = make_app(sqlite_url, HOUSE="off")
    clock = app.extensions["new_books"].clock = Clock()

    def phone() -> FlaskClient:
        phone = app.test_client()
        phone.environ_base["HTTP_SEC_FETCH_SITE"] = "same-origin"
        return phone

    phones = [phone() for _ in range(BOOKS)]
    for one in phones:
        start(one, "Ann", "Bob", "Cy")
    refused = phone().post("/games/new", data=fill(phone(), "Ann", "Bob", "Cy", do="start"))

    assert refused.status_code == 429
    assert refused.headers["Retry-After"] == str(BOOKS_SECONDS)
    assert "Try again in 60 minutes." in refused.text
    assert "Set-Cookie" not in refused.headers
    start(phones[0], "Dan", "Eve", "Flo")  # in the book that it has
    clock.seconds = BOOKS_SECONDS
    start(phone(), "Ann", "Bob", "Cy")


# ---- sizes ----


def test_more_than_64_kib_is_too_much(client: FlaskClient) -> None:
    answer = client.post("/games/new", data={"seats-0": "x" * 70_000})

    assert answer.status_code == 413
    assert "Nothing was saved" in answer.text


def test_hundreds_of_fields_are_too_much(client: FlaskClient) -> None:
    assert client.post("/games/new", data={f"f{number}": "" for number in range(400)}).status_code == 413


def test_a_nul_character_is_not_understood(make_app: MakeApp, postgres_url: str) -> None:
    phone = make_app(postgres_url).test_client()
    phone.environ_base["HTTP_SEC_FETCH_SITE"] = "same-origin"

    assert phone.get("/games/ZZZZ%00ZZZZZ").status_code == 400
    assert phone.post("/pen", data={"code": "\0"}).status_code == 400
    assert phone.get("/rules?q=%00&rules=%00").status_code == 200


NAMELESS = b"--b\r\nContent-Disposition: form-data\r\n\r\n1\r\n--b--\r\n"


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (NAMELESS, "multipart/form-data; boundary=b"),
        ("seats-²=Ann".encode(), "application/x-www-form-urlencoded"),
        (b"seats-" + b"9" * 5000 + b"=Ann", "application/x-www-form-urlencoded"),
    ],
)
def test_a_field_that_no_page_of_ours_has_is_not_understood(client: FlaskClient, body: bytes, kind: str) -> None:
    assert client.post("/games/new", data=body, content_type=kind).status_code == 400


# ---- errors ----


@pytest.mark.parametrize(
    ("method", "address", "status", "title"),
    [
        ("GET", "/nothing", 404, "Nothing here"),
        ("GET", "/games/ZZZZZZZZZZ", 404, "Nothing here"),
        ("GET", "/pen/unknown", 404, "Nothing here"),
        ("GET", "/book", 403, "Only with a pen"),
        ("POST", "/rules", 405, "Not in this way"),
    ],
)
def test_an_error_is_a_page_of_the_same_design(
    client: FlaskClient, method: str, address: str, status: int, title: str
) -> None:
    answer = client.open(address, method=method)

    assert answer.status_code == status
    assert f"<h1>{title}</h1>" in answer.text
    assert "app.css" in answer.text


def test_a_host_that_cannot_be_one_is_not_understood(client: FlaskClient) -> None:
    assert client.get("/", headers={"Host": "a" * 300}).status_code == 400


def test_405_says_which_methods_there_are(client: FlaskClient) -> None:
    assert "GET" in client.post("/rules").headers["Allow"]


def test_a_database_that_takes_nothing_acknowledges_nothing_and_works_again_later(
    client: FlaskClient, app: Flask
) -> None:
    form = fill(client, "Ann", "Bob", "Cy", do="start")
    read_only = True

    def begin(connection: Connection) -> None:
        connection.exec_driver_sql(f"PRAGMA query_only={int(read_only)}")

    with app.app_context():
        event.listen(db.engine, "begin", begin)

    refused = client.post("/games/new", data=form)
    read_only = False
    accepted = client.post("/games/new", data=form)

    assert refused.status_code == 503
    assert "Set-Cookie" not in refused.headers
    assert accepted.status_code == 303


def test_a_database_that_does_not_answer_is_503_and_a_mistake_of_ours_500(make_app: MakeApp, sqlite_url: str) -> None:
    app = make_app(sqlite_url, TESTING=False, PROPAGATE_EXCEPTIONS=False)

    def fail() -> str:
        if "database" in request.args:
            raise OperationalError("INSERT …", {"secret": "s3cret"}, Exception("disk full"))
        raise ZeroDivisionError("s3cret")

    app.add_url_rule("/fail", view_func=fail, methods=["GET", "POST"])
    phone = app.test_client()
    phone.environ_base["HTTP_SEC_FETCH_SITE"] = "same-origin"

    written = phone.post("/fail?database")
    read = phone.get("/fail?database")
    mistake = phone.get("/fail")

    assert written.status_code == 503
    assert "still on this phone" in written.text
    assert written.headers["Retry-After"] == "5"
    assert read.status_code == 503
    assert "still on this phone" not in read.text
    assert mistake.status_code == 500
    for answer in (written, read, mistake):
        assert "s3cret" not in answer.text
        assert "Traceback" not in answer.text


# ---- languages ----


@pytest.mark.parametrize("wanted", ["iw", "xx", "", "*", "en-GB", "he;q=0.1, en;q=0.9", "a" * 500, "-,;q=x"])
def test_any_wish_gets_a_language_that_there_is(client: FlaskClient, wanted: str) -> None:
    page = client.get("/", headers={"Accept-Language": wanted}).text

    assert '<html lang="en" dir="ltr">' in page


def test_hebrew_is_found_by_its_old_code_too_and_written_from_the_right(app: Flask, client: FlaskClient) -> None:
    app.extensions["languages"] = ["en", "he"]

    assert '<html lang="he" dir="rtl">' in client.get("/", headers={"Accept-Language": "iw-IL, en;q=0.5"}).text


# ---- settings ----


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch, sqlite_url: str) -> None:
    monkeypatch.setenv("SCOREKEEPER_DATABASE_URL", sqlite_url)
    monkeypatch.setenv("SCOREKEEPER_HOUSE", "off")
    monkeypatch.setenv("SCOREKEEPER_TRUSTED_HOSTS", "cards.example, localhost")

    app = create_app()

    assert app.config["HOUSE"] is False
    client = app.test_client()
    assert client.get("/healthz", base_url="http://cards.example").status_code == 200
    assert client.get("/healthz", base_url="http://other.example").status_code == 400


@pytest.mark.parametrize(("proxies", "secure"), [(0, False), (1, True)])
def test_what_a_proxy_says_counts_only_where_there_is_one(
    make_app: MakeApp, sqlite_url: str, proxies: int, secure: bool
) -> None:
    phone = make_app(sqlite_url, PROXY=proxies).test_client()

    answer = phone.get("/", headers={"X-Forwarded-Proto": "https", "X-Forwarded-Host": "cards.example"})

    assert ("Strict-Transport-Security" in answer.headers) is secure


def test_healthz_answers_when_the_database_does(client: FlaskClient) -> None:
    answer = client.get("/healthz")

    assert (answer.status_code, answer.text) == (200, "ok\n")


@pytest.mark.parametrize(
    ("address", "sent"),
    [
        ("http://192.168.1.7:8000", False),
        ("http://table.test", False),
        ("https://table.test", True),
        ("http://localhost:8000", True),
        ("http://127.0.0.1:8000", True),
        ("http://[::1]:8000", True),
        ("http://[fd00::1]", False),
    ],
)
def test_a_header_that_browsers_take_only_from_safe_addresses_is_sent_there_alone(
    client: FlaskClient, address: str, sent: bool
) -> None:
    answer = client.get("/", base_url=address)

    assert ("Cross-Origin-Opener-Policy" in answer.headers) == sent
