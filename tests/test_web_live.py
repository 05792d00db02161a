"""What readers follow: the board, the big screen, counting trick by trick, the history, pens that come and go."""

import re
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorekeeper import pens
from scorekeeper.database import db
from tests.page import start
from tests.test_web_games import bids, new, post, text, tricks
from tests.test_web_pens import handed_over

NewPhone = Callable[[], FlaskClient]


@pytest.fixture
def game(client: FlaskClient) -> str:
    """A game of Ann, Bob, Cy and Di with the hook, Ann to bid first."""
    return new(client)


@pytest.fixture
def reader(new_phone: NewPhone) -> FlaskClient:
    """A phone without a pen."""
    return new_phone()


# ---- the board and the big screen ----


@pytest.mark.parametrize("view", ["scores", "tv"])
def test_a_reader_sees_who_bids_the_total_and_what_is_barred(
    client: FlaskClient, reader: FlaskClient, game: str, view: str
) -> None:
    post(client, game, 1, bids_0="0", bids_1="0", bids_2="0")

    page = text(reader.get(f"/games/{game}?view={view}"))

    assert "Di — bid?" in page
    assert "Bids 0 · tricks 1" in page
    assert "Not 1: the bids would equal the 1 trick." in page


def test_bids_made_all_at_once_show_no_total(client: FlaskClient, reader: FlaskClient) -> None:
    game = new(client, at_once="1")
    post(client, game, 1, bids_0="1")

    page = text(reader.get(f"/games/{game}?view=tv"))

    assert "All bid at once" in page
    assert "Bids 1" not in page


def test_the_big_screen_keeps_the_address_in_sight_and_no_form(client: FlaskClient, game: str) -> None:
    page = client.get(f"/games/{game}?view=tv")

    assert f"localhost/games/{game}" in text(page)
    assert f'src="/games/{game}/qr.svg"' in page.text
    assert "<form" not in page.text


def test_the_big_screen_goes_along_as_a_big_screen(client: FlaskClient, game: str) -> None:
    client.post(f"/games/{game}/end", data={"key": "end", "base": "0"})
    before = client.get(f"/games/{game}?view=tv").text
    following = client.post(f"/games/{game}/rematch", data={"key": "again"}).location

    assert "data-next" not in before
    assert f'data-next="{following}?view=tv"' in client.get(f"/games/{game}?view=tv").text


# ---- trick by trick ----


def test_a_count_is_shown_to_everybody_and_scores_nothing(client: FlaskClient, reader: FlaskClient, game: str) -> None:
    bids(client, game, 1, 1, 1, 0, 0)
    assert post(client, game, 1, won_0="1").status_code == 303

    page = text(reader.get(f"/games/{game}"))

    assert "1 of 1 · made so far" in page
    assert "0 of 1 · needs 1 more" in page
    assert "Ann — counted 1." in page
    assert "Save hand 1" in text(client.get(f"/games/{game}"))


def test_the_steppers_start_at_a_whole_count(client: FlaskClient, game: str) -> None:
    bids(client, game, 1, 1, 1, 0, 0)
    assert 'name="tricks-1" value="1"' in client.get(f"/games/{game}").text

    post(client, game, 1, won_2="1")

    page = client.get(f"/games/{game}").text
    assert 'name="tricks-0" value="0"' in page
    assert 'name="tricks-2" value="1"' in page


def test_more_tricks_than_were_dealt_are_not_counted(client: FlaskClient, game: str) -> None:
    bids(client, game, 1, 1, 1, 0, 0)
    post(client, game, 1, won_2="1")

    answer = post(client, game, 1, won_0="1")

    assert answer.status_code == 422
    assert "Tricks written: 2, but 1 was played." in text(answer)


# ---- the history ----


def history(phone: FlaskClient, code: str) -> list[str]:
    """What each entry says, the newest first."""
    page = phone.get(f"/games/{code}/history").text
    return re.findall(r'<li class="row.*?</ul>', page, flags=re.S)


def words(entry: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", "", entry).split())


def test_the_history_says_what_was_written_by_which_phone(
    client: FlaskClient, new_phone: NewPhone, reader: FlaskClient, game: str
) -> None:
    second = new_phone()
    second.post(handed_over(client))
    post(client, game, 1, bids_0="1")
    post(second, game, 1, bids_0="0")

    newest, oldest = history(client, game)

    assert "Hand 1 · phone 2" in words(newest)
    assert "Ann — bid: 1 →now 0" in words(newest)
    assert "Hand 1 · this phone" in words(oldest)
    assert "Ann — bid: 1" in words(oldest)
    assert "phone 1" in words(history(reader, game)[1])


def test_what_was_taken_back_is_struck_through_and_is_no_old_value(client: FlaskClient, game: str) -> None:
    post(client, game, 1, bids_0="1")
    key = re.search(r'name="entry" value="([^"]+)"', client.get(f"/games/{game}").text)
    assert key
    client.post(f"/games/{game}/undo", data={"entry": key[1], "key": "undo", "base": "1"})
    post(client, game, 1, bids_0="0")

    again, undo, first = history(client, game)

    assert "Ann — bid: 0" in words(again)
    assert "Entry 1 taken back" in words(undo)
    assert "<s>" in first
    assert "<s>" not in undo


def test_what_an_undone_undo_brings_back_is_the_old_value(client: FlaskClient, game: str) -> None:
    post(client, game, 1, bids_0="1")
    key = re.search(r'name="entry" value="([^"]+)"', client.get(f"/games/{game}").text)
    assert key
    client.post(f"/games/{game}/undo", data={"entry": key[1], "key": "undo", "base": "1"})
    client.post(f"/games/{game}/undo", data={"entry": "undo", "key": "redo", "base": "2"})
    post(client, game, 1, bids_0="0")

    newest, *_rest, first = history(client, game)

    assert "Ann — bid: 1 →now 0" in words(newest)
    assert "<s>" not in first


def test_hidden_bids_stay_hidden_in_the_history(client: FlaskClient, reader: FlaskClient) -> None:
    game = new(client, at_once="1")
    post(client, game, 1, bids_0="1")

    for phone in (client, reader):
        assert "Ann" not in words(history(phone, game)[0])
        assert "hidden until all are in" in words(history(phone, game)[0])


def test_an_empty_history_says_so_and_the_board_leads_to_it(client: FlaskClient, game: str) -> None:
    assert "Nothing is written yet." in text(client.get(f"/games/{game}/history"))
    assert f'href="/games/{game}/history"' in client.get(f"/games/{game}?view=scores").text


def test_a_long_history_is_read_page_by_page(client: FlaskClient, game: str) -> None:
    for number in range(205):
        base = {"key": f"{number}", "base": f"{number}"}
        client.post(f"/games/{game}/hands/1", data={"bids-0": str(number % 2), **base})

    def numbers(address: str) -> list[int]:
        return [int(one) for one in re.findall(r'<p class="sub"><span>(\d+)', client.get(address).text)]

    def link(address: str, name: str) -> str | None:
        found = re.search(rf'href="(\?[^"]*)">{name}<', client.get(address).text)
        return found and f"/games/{game}/history{found[1]}"

    newest = f"/games/{game}/history"
    middle = link(newest, "Older")
    assert middle
    oldest = link(middle, "Older")
    assert oldest

    assert [numbers(page) for page in (newest, middle, oldest)] == [
        [*range(205, 105, -1)],
        [*range(105, 5, -1)],
        [*range(5, 0, -1)],
    ]
    assert (link(newest, "Newer"), link(oldest, "Older")) == (None, None)
    assert link(oldest, "Newer") == middle
    assert link(middle, "Newer") == f"{newest}?"
    assert "Ann — bid: 0 →now 1" in text(client.get(middle))
    assert {len(numbers(f"{newest}?before={odd}")) for odd in ("9999999", "soon")} == {100}
    assert numbers(f"{newest}?before=-1") == []


def test_the_history_has_its_times_in_utc_and_says_so(client: FlaskClient, game: str) -> None:
    bids(client, game, 1, 0, 0, 0, 0)
    (entry,) = client.get(f"/games/{game}.json").get_json()["log"]

    page = client.get(f"/games/{game}/history").text

    written = datetime.fromisoformat(entry["time"]).astimezone(UTC)
    shown = f'<time datetime="{written:%Y-%m-%dT%H:%M:%SZ}" dir="ltr">{written:%Y-%m-%d %H:%M}</time>'
    assert shown in page
    assert "Times are in UTC." in page


def test_the_address_on_show_goes_along_to_the_rematch(client: FlaskClient, game: str) -> None:
    before = client.get(f"/games/{game}?view=share")
    client.post(f"/games/{game}/end", data={"key": "end", "base": "0"})
    following = client.post(f"/games/{game}/rematch", data={"key": "again"}).location

    after = client.get(f"/games/{game}?view=share", headers={"If-None-Match": before.headers["ETag"]})

    assert "data-follow" in before.text
    assert "data-next" not in before.text
    assert f'data-next="{following}?view=share"' in after.text


def test_an_unchanged_history_is_answered_with_304(client: FlaskClient, game: str) -> None:
    etag = client.get(f"/games/{game}/history").headers["ETag"]

    assert client.get(f"/games/{game}/history", headers={"If-None-Match": etag}).status_code == 304
    bids(client, game, 1, 0, 0, 0, 0)
    assert client.get(f"/games/{game}/history", headers={"If-None-Match": etag}).status_code == 200


# ---- pens ----


def test_new_pens_end_the_other_scorer_at_once_with_a_page_that_says_what_to_do(
    client: FlaskClient, new_phone: NewPhone, game: str
) -> None:
    second = new_phone()
    second.post(handed_over(client))
    assert post(second, game, 1, bids_0="1").status_code == 303

    client.post("/book/new-pens")
    answer = post(second, game, 1, bids_1="0")

    assert answer.status_code == 403
    assert "Whoever keeps the score can hand over a pen." in text(answer)
    assert len(history(client, game)) == 1


def test_another_phone_goes_on_with_a_kept_invitation_when_the_scorers_dies(
    client: FlaskClient, new_phone: NewPhone, game: str
) -> None:
    kept = handed_over(client)
    bids(client, game, 1, 0, 0, 0, 0)
    other = new_phone()

    taken = other.post(kept)
    tricks(other, game, 1, 1, 0, 0, 0)

    assert taken.location == f"/games/{game}"
    assert "Hand 2 of 13" in text(other.get(taken.location))


def test_another_phone_goes_on_with_the_terminals_invitation(app: Flask, new_phone: NewPhone, game: str) -> None:
    with app.app_context():
        secret = pens.invitation(db.session(), pens.house_book(db.session()))
    other = new_phone()

    other.post(f"/pen/{secret}")

    assert post(other, game, 1, bids_0="1").status_code == 303


def test_a_readers_phone_that_starts_its_own_game_still_cannot_write_here(reader: FlaskClient, game: str) -> None:
    start(reader, "Zoe", "Yan", "Xi")

    assert post(reader, game, 1, bids_0="1").status_code == 403
