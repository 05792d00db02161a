"""`/games/<code>…`: the sheet of a game to write on, to read, as data, and on paper."""

import hashlib
import io
import secrets
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path

import segno
from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    jsonify,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from flask.typing import ResponseReturnValue
from flask_babel import get_locale

from scorekeeper import store
from scorekeeper.database import db
from scorekeeper.engine import scorefile
from scorekeeper.engine.events import Cell, Ended, Event, HandWritten, Undone, Value
from scorekeeper.store import Game, Head
from scorekeeper.web import board, doors, texts, view
from scorekeeper.web.hand_form import Form, UnreadableError, read_hand, read_stamp
from scorekeeper.web.history import part
from scorekeeper.web.texts import fill
from scorekeeper.web.trouble import REFUSALS, Trouble, conflict, refusal
from scorekeeper.web.view import Screen

pages = Blueprint("games", __name__)
for text_filter in (fill, texts.digits, texts.number, texts.signed, texts.trump_name):
    pages.add_app_template_filter(text_filter)

MORE = ("dealer", "first_bidder", "cards", "trump", "outcome", "override", "note")  # fields of "more about this hand"


# ---- reading ----


def _head(code: str) -> Head:
    return store.head(db.session(), code, doors.phone_secret())


def _etag(head: Head) -> str:
    parts = (head.code, head.seq, head.version, head.next_code, int(head.pen), get_locale(), release())
    return "-".join(map(str, parts))


@cache
def release() -> str:
    """A short hash of the app's own files as the process found them: another release draws another page."""
    drawn_by = {".py", ".toml", ".mo", ".html", ".css", ".js"}
    folders = (
        Path(__file__).parents[1],
        Path(current_app.root_path, "templates"),
        Path(str(current_app.static_folder)),
    )
    files = sorted(path for folder in folders for path in folder.rglob("*") if path.suffix in drawn_by)
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:10]


def _unchanged(head: Head) -> Response | None:
    """304 where this phone has the page already."""
    etag = _etag(head)
    if not request.if_none_match.contains_weak(etag):
        return None
    response = Response(status=304)
    response.set_etag(etag)
    return response


def _tagged(body: ResponseReturnValue, head: Head) -> Response:
    response = make_response(body)
    response.set_etag(_etag(head))
    response.cache_control.private = True
    response.cache_control.no_cache = True
    return response


@pages.get("/games/<code>")
def sheet(code: str) -> ResponseReturnValue:
    """The sheet: the hand to write on from a phone with a pen, else what anyone may read."""
    head = _head(code)
    if unchanged := _unchanged(head):
        return unchanged
    asked = request.args.get("view")
    template = "sheet/tv.html" if asked == "tv" else "sheet/board.html"
    if not head.pen and asked != "share":
        reader = replace(head, phone=None)
        return _tagged(_for_readers(reader, template, request.host_url, _etag(head)), head)
    game = store.read(db.session(), head)
    current = game.sheet.current
    if asked == "share":
        page = render_template("sheet/share.html", game=game, head=head, address=_address(game.code), etag=_etag(head))
        return _tagged(page, head)
    if current and asked not in ("scores", "tv"):
        return _tagged(_hand_page(_screen(game, current.number), head), head)
    return _tagged(_board_page(game, head, template=template), head)


@lru_cache(maxsize=256)
def _for_readers(head: Head, template: str, host: str, etag: str) -> str:
    """The board as every phone without a pen has it: after each entry all watchers ask for the same page."""
    assert (host, etag) == (request.host_url, _etag(head))  # what the page links to, and all that it hangs on
    return _board_page(store.read(db.session(), head), head, template=template)


@pages.get("/games/<code>/history")
def history(code: str) -> ResponseReturnValue:
    """Who wrote what, entry by entry; `before`: only entries with lower numbers."""
    head = _head(code)
    if unchanged := _unchanged(head):
        return unchanged
    game = board.for_readers(store.read(db.session(), head))
    shown = part(game, head.phone, request.args.get("before", type=int))
    page = render_template("sheet/history.html", game=game, part=shown, etag=_etag(head))
    return _tagged(page, head)


@pages.get("/games/<code>/hands/<int:number>")
def hand(code: str, number: int) -> ResponseReturnValue:
    """A hand that was written before, to correct it."""
    head = _head(code)
    if not head.pen:
        abort(403)
    if unchanged := _unchanged(head):
        return unchanged
    game = store.read(db.session(), head)
    if not _is_open(game, number):
        abort(404)
    return _tagged(_hand_page(_screen(game, number), head), head)


def _is_open(game: Game, number: int) -> bool:
    current = game.sheet.current
    return 1 <= number <= (current.number if current else game.sheet.written)


def _screen(game: Game, number: int) -> Screen:
    """The screen of a hand as its links and steppers ask for it: `seat`, `tricks-<seat>` with `more` or `fewer`."""
    hand = game.sheet.hand(number)
    asked = {seat: request.args.get(f"tricks-{seat}", type=int) for seat in hand.bids}
    drafts = {seat: tricks for seat, tricks in asked.items() if tricks is not None}
    for name, change in (("more", 1), ("fewer", -1)):
        seat = request.args.get(name, type=int)
        if seat in drafts:
            drafts[seat] += change
    drafts = {seat: min(max(tricks, 0), hand.cards) for seat, tricks in drafts.items()}
    return Screen(game, hand, request.args.get("seat", type=int), drafts)


def _hand_page(screen: Screen, head: Head, trouble: Trouble | None = None) -> str:
    return render_template(
        "sheet/hand.html",
        screen=screen,
        trouble=trouble,
        plan=screen.data(),
        more=view.more_fields(screen, trouble.typed if trouble else Form()),
        more_open=trouble is not None and any(name in MORE for name in trouble.typed),
        words=screen.words,
        last_text=texts.last_text(screen.game),
        key=secrets.token_hex(16),
        base=screen.game.seq,
        etag=_etag(head),
    )


def _board_page(game: Game, head: Head, trouble: Trouble | None = None, template: str = "sheet/board.html") -> str:
    seen = board.for_readers(game)
    return render_template(
        template,
        address=_address(game.code),
        board=board.Board(seen),
        game=seen,
        pen=head.pen,
        trouble=trouble,
        outcomes=texts.outcomes(),
        last_text=texts.last_text(seen),
        key=secrets.token_hex(16),
        base=game.seq,
        etag=_etag(head),
    )


def _address(code: str) -> str:
    return url_for("games.sheet", code=code, _external=True)


# ---- writing ----


@pages.post("/games/<code>/hands/<int:number>")
def write(code: str, number: int) -> ResponseReturnValue:
    """Writes what the form names on a hand."""
    head = to_write_on(code)
    game = store.read(db.session(), head)
    if not 1 <= number <= len(game.sheet.hands):
        abort(404)
    try:
        cells = read_hand(request.form)
    except UnreadableError as error:
        wrong: dict[Cell, Value] = {error.cell: None} if error.cell else {}
        return _refused(game, number, Trouble(texts.about(game, error.seat, error.text), wrong, typed=request.form))
    stay = "stay" in request.form
    answer = url_for("games.hand", code=code, number=number) if stay else url_for("games.sheet", code=code)
    return _written(head, number, HandWritten.of(number, cells), answer)


@pages.post("/games/<code>/undo")
def undo(code: str) -> ResponseReturnValue:
    """Takes back the entry that the button names."""
    return _written(to_write_on(code), None, Undone(request.form.get("entry", "")), url_for("games.sheet", code=code))


@pages.post("/games/<code>/end")
def end(code: str) -> ResponseReturnValue:
    """Ends the game here, after fewer hands than planned."""
    return _written(to_write_on(code), None, Ended(), url_for("games.sheet", code=code))


def to_write_on(code: str) -> Head:
    """The head of a game that this phone may write on. Raises 403 for a phone without the pen."""
    head = _head(code)
    if not head.pen:
        abort(403)
    return head


def _written(head: Head, number: int | None, event: Event, answer: str) -> ResponseReturnValue:
    """Writes an event; `number` is the hand whose page says so if that is refused."""
    game = store.read(db.session(), head)
    cells = dict(event.cells) if isinstance(event, HandWritten) else {}
    try:
        stamp = read_stamp(request.form)
        store.write(db.session(), game.code, head.phone, event, stamp.key, stamp.base)
    except REFUSALS as error:
        return _refused(game, number, refusal(game, error, cells, request.form))
    except store.ConflictError as error:
        return _refused(error.game, number, conflict(error, cells), 409)
    return redirect(answer, 303)


def _refused(game: Game, number: int | None, trouble: Trouble, status: int = 422) -> ResponseReturnValue:
    """The page again, with why it was refused and what was to be written."""
    head = _head(game.code)
    current = game.sheet.current
    if number is None or not _is_open(game, number):
        number = current.number if current else None
    if number is None:
        return _board_page(game, head, trouble), status
    screen = Screen(game, game.sheet.hand(number), trouble.bid_seat, trouble.tricks)
    return _hand_page(screen, head, trouble), status


# ---- the sheet as data, and on paper ----


@pages.get("/games/<code>.json")
def as_json(code: str) -> ResponseReturnValue:
    """The sheet as a file, with its whole log."""
    head = _head(code)
    if unchanged := _unchanged(head):
        return unchanged
    game = store.read(db.session(), head)
    seen = game if head.pen else board.for_readers(game)
    document = scorefile.document(seen.sheet, seen.names, [row.time.isoformat() for row in seen.log])
    return _tagged(jsonify({**document, "title": seen.title, "started": seen.started.isoformat()}), head)


@pages.get("/games/<code>.csv")
def as_csv(code: str) -> ResponseReturnValue:
    """Every hand as a line of a table."""
    head = _head(code)
    if unchanged := _unchanged(head):
        return unchanged
    game = store.read(db.session(), head)
    response = Response(board.as_csv(game if head.pen else board.for_readers(game)), mimetype="text/csv")
    response.headers["Content-Disposition"] = f'attachment; filename="{game.code}.csv"'
    return _tagged(response, head)


@pages.get("/games/<code>/print")
def paper(code: str) -> ResponseReturnValue:
    """The standings and the whole sheet on paper, the hands downward."""
    head = _head(code)
    if unchanged := _unchanged(head):
        return unchanged
    game = board.for_readers(store.read(db.session(), head))
    page = render_template("sheet/paper.html", board=board.Board(game), game=game, outcomes=texts.outcomes())
    return _tagged(page, head)


@pages.get("/games/<code>/qr.svg")
def qr(code: str) -> ResponseReturnValue:
    """The sheet's address as a picture: black on white, with its quiet zone."""
    head = _head(code)
    picture = io.BytesIO()
    segno.make(_address(head.code), error="m", micro=False).save(picture, kind="svg", border=4, scale=8, light="#fff")
    return Response(picture.getvalue(), mimetype="image/svg+xml")
