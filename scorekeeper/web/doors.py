"""Who comes in, and what every answer carries: the phone's cookie, refusals, headers, compression."""

import gzip
import hashlib
import re
import secrets
from functools import lru_cache
from pathlib import Path

from flask import Flask, Response, abort, current_app, g, request
from werkzeug.exceptions import ServiceUnavailable, TooManyRequests
from werkzeug.local import LocalProxy

from scorekeeper import database, pens, store
from scorekeeper.database import db
from scorekeeper.web.limits import BOOKS, BOOKS_SECONDS, QUESTIONS, QUESTIONS_SECONDS, Limits

COOKIE_DAYS = 400  # the longest that browsers keep one
MOST_FIELDS = 300
LONGEST_FIELD_NAME = 60
YEAR = 365 * 24 * 3600

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    # With no-referrer, browsers send `Origin: null` on form posts.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}
# Browsers ignore these elsewhere, and complain on their console.
TRUSTED_ONLY = {"Cross-Origin-Opener-Policy"}
# Their address, or where they lead, has an invitation's secret.
SECRET_ENDPOINTS = {"pens.invitation", "pens.accept", "pens.hand_over"}
_SECRET = re.compile(r"[A-Za-z0-9_-]{43}")
_TEXTS = re.compile(r"text/|application/(json|javascript|manifest\+json)|image/svg\+xml")
SMALLEST_TO_COMPRESS = 500  # below, the packet is the same

limits: Limits = LocalProxy(lambda: current_app.extensions["limits"])  # type: ignore[assignment] # stands for a Limits
new_books: Limits = LocalProxy(lambda: current_app.extensions["new_books"])  # type: ignore[assignment] # likewise
questions: Limits = LocalProxy(lambda: current_app.extensions["questions"])  # type: ignore[assignment] # likewise


def init_app(app: Flask) -> None:
    """Puts the doors before and after every view of `app`."""
    app.extensions["limits"] = Limits()
    app.extensions["new_books"] = Limits(BOOKS, BOOKS_SECONDS)
    app.extensions["questions"] = Limits(QUESTIONS, QUESTIONS_SECONDS)
    app.before_request(refuse_until_current)
    app.before_request(refuse_other_sites)
    app.before_request(refuse_too_many_fields)
    app.before_request(refuse_odd_fields)
    app.before_request(refuse_nul)
    app.before_request(refuse_guessing)
    app.url_defaults(_version_of_static_file)
    # What is registered first runs last: compression sees the finished answer.
    app.after_request(compress)
    app.after_request(add_headers)
    app.after_request(note_code)
    app.after_request(keep_phone)


# ---- the phone ----


def phone_secret() -> str | None:
    """The secret in this phone's cookie; None from a phone that has not been here or sends something else."""
    secret = request.cookies.get(_cookie_name(), "")
    return secret if _SECRET.fullmatch(secret) else None


def new_phone_secret() -> str:
    """The secret of this phone, a fresh one where it has none; the answer to this POST sets the cookie."""
    assert request.method == "POST"
    secret = phone_secret() or secrets.token_urlsafe(32)
    g.phone_secret = secret
    return secret


def keep_phone(response: Response) -> Response:
    """Sets the cookie, for another 400 days, where the view asked for the phone's secret to be kept."""
    if "phone_secret" in g and response.status_code < 400:
        response.set_cookie(
            _cookie_name(),
            g.phone_secret,
            max_age=COOKIE_DAYS * 24 * 3600,
            secure=request.is_secure,
            httponly=True,
            samesite="Lax",
        )
    return response


def _cookie_name() -> str:
    # Browsers take the prefix only from https, and then no other site of the domain can set it.
    return "__Host-phone" if request.is_secure else "phone"


# ---- refusals ----


def refuse_until_current() -> None:
    """503 while the database is not as this release needs it, and for good once it was found damaged."""
    if request.endpoint not in {"static", "home.healthz"} and database.state(current_app) != "ok":
        raise ServiceUnavailable(retry_after=5)


def refuse_other_sites() -> None:
    """403 for a write that another site's page sent."""
    if request.method in {"GET", "HEAD", "OPTIONS"}:
        return
    site = request.headers.get("Sec-Fetch-Site")
    ours = site in {"same-origin", "none"} if site else request.headers.get("Origin") == request.host_url.rstrip("/")
    if not ours:
        g.from_another_site = True
        abort(403)


def refuse_too_many_fields() -> None:
    """413 for a form with more fields than any of our pages has."""
    if sum(1 for _ in request.form.items(multi=True)) > MOST_FIELDS:
        abort(413)


def refuse_odd_fields() -> None:
    """400 for a field without a name, or with one that is none of ours: long, or not in ASCII."""
    if not all(name and name.isascii() and len(name) <= LONGEST_FIELD_NAME for name in request.form):
        abort(400)


def refuse_nul() -> None:
    """400 for a NUL character, which no keyboard sends and PostgreSQL cannot keep."""
    if "\0" in request.path or any("\0" in value for value in request.form.values()):
        abort(400)


def refuse_guessing() -> None:
    """429 for an address that has tried many unknown codes, but for what can be no guess.

    Known codes are refused as unknown ones are, or the difference would answer a guess. A whole club may share the
    address: its pens, the games read there before, and invitations, which are too long to guess, go on.
    """
    code = _tried_code()
    if code and (seconds := limits.wait(_address())) and not limits.knows(_address(), code) and not _is_no_guess(code):
        raise TooManyRequests(retry_after=seconds)


def _is_no_guess(code: str) -> bool:
    """True for an invitation that there is, and for a game whose pen this phone has."""
    try:
        if "secret" in (request.view_args or {}):
            return pens.invited_to(db.session(), code) is not None
        return store.head(db.session(), code, phone_secret()).pen
    except store.UnknownGameError:
        return False


def note_code(response: Response) -> Response:
    """Counts an unknown code against the address, and remembers one that it has read."""
    if response.status_code == 404 and (code := _tried_code()):
        limits.note(_address(), code)
    elif response.status_code < 400 and request.method != "OPTIONS" and (code := (request.view_args or {}).get("code")):
        # OPTIONS is answered without a look at the code.
        limits.know(_address(), code)
    return response


def refuse_many_books() -> None:
    """429 for an address from which many books were begun."""
    if seconds := new_books.wait(_address()):
        g.many_books = True
        raise TooManyRequests(retry_after=seconds)


def note_new_book(game: str) -> None:
    """Counts a book that began with this game."""
    new_books.note(_address(), game)


def refuse_many_questions(question: str) -> None:
    """Counts a question about a hand; 429 for an address that asked many in a short time."""
    if seconds := questions.wait(_address()):
        g.many_questions = True
        raise TooManyRequests(retry_after=seconds)
    questions.note(_address(), question)


def _tried_code() -> str | None:
    """What somebody could guess in this request: a game's code or an invitation's secret."""
    where = request.view_args or {}
    return where.get("code") or where.get("secret") or request.form.get("code")


def _address() -> str:
    return request.remote_addr or ""


# ---- answers ----


def add_headers(response: Response) -> Response:
    """The headers that close what this app does not use. Files whose address has their hash are kept for a year."""
    for name, value in HEADERS.items():
        if name not in TRUSTED_ONLY or _trustworthy():
            response.headers.setdefault(name, value)
    if request.is_secure:
        response.headers["Strict-Transport-Security"] = f"max-age={YEAR}"
    if request.endpoint in SECRET_ENDPOINTS:
        response.headers["Cache-Control"] = "no-store"
    elif request.endpoint == "static" and response.status_code in {200, 304}:
        current = request.args.get("v") == _digest_of((request.view_args or {})["filename"])
        response.headers["Cache-Control"] = f"public, max-age={YEAR}, immutable" if current else "no-cache"
    else:
        response.headers.setdefault("Cache-Control", "private, no-cache")
    return response


def _trustworthy() -> bool:
    """Whether browsers take this address for a safe one: https, or this very machine."""
    host = re.sub(r":\d+$", "", request.headers.get("Host", ""))
    return request.is_secure or host in {"localhost", "[::1]"} or host.startswith("127.")


def compress(response: Response) -> Response:
    """Texts go compressed to who takes it; an ETag then is a weak one, since the bytes differ."""
    if not _TEXTS.match(response.mimetype or "") or response.headers.get("Content-Encoding"):
        return response
    response.vary.add("Accept-Encoding")
    if response.status_code in {204, 206, 304} or not request.accept_encodings["gzip"]:
        return response
    response.direct_passthrough = False
    body = response.get_data()
    if len(body) < SMALLEST_TO_COMPRESS:
        return response
    # A page is drawn for each entry and compressed in a third of the time for a tenth more bytes; files are kept.
    level = 6 if request.endpoint == "static" else 3
    response.set_data(gzip.compress(body, compresslevel=level, mtime=0))
    response.headers["Content-Encoding"] = "gzip"
    etag, _ = response.get_etag()
    if etag:
        response.set_etag(etag, weak=True)
    return response


def _version_of_static_file(endpoint: str, values: dict[str, object]) -> None:
    if endpoint == "static" and "v" not in values and (digest := _digest_of(str(values["filename"]))):
        values["v"] = digest


def _digest_of(filename: str) -> str | None:
    """A short hash of a static file's content; None if there is none of this name."""
    path = _static_path(str(current_app.static_folder), filename)
    try:
        return _digest(path, path.stat().st_mtime_ns)
    except OSError:
        return None


@lru_cache(maxsize=256)  # a page names half a dozen
def _static_path(folder: str, filename: str) -> Path:
    return Path(folder) / filename


@lru_cache
def _digest(path: Path, changed: int) -> str:  # noqa: ARG001 - a changed file is another entry of the cache
    return hashlib.sha256(path.read_bytes()).hexdigest()[:10]
