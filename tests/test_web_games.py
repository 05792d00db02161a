"""The pages of a game through the client: what a person sees, and what is refused."""

import csv
import html
import io
import re
from collections.abc import Callable
from itertools import count

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from scorekeeper.engine import scorefile
from tests.page import start

NewPhone = Callable[[], FlaskClient]
KEYS = count(1)
FOUR = ("Ann", "Bob", "Cy", "Di")


def new(phone: FlaskClient, *names: str, **fields: str) -> str:
    """A four-player game, unless other names are given, with the hook; the last seat deals."""
    names = names or FOUR
    return start(phone, *names, dealer=str(len(names) - 1), **{"rules": "Oh Hell with the hook", **fields})


def post(phone: FlaskClient, code: str, number: int, **fields: str) -> TestResponse:
    """Writes on a hand: `bids_0` stands for the field bids-0. The key is a fresh one, the base what stands now."""
    stamp = {"key": f"key {next(KEYS)}", "base": str(len(log(phone, code)))}
    data = {re.sub(r"_(\d+)$", r"-\1", name): value for name, value in fields.items()}
    return phone.post(f"/games/{code}/hands/{number}", data=stamp | data)


def bids(phone: FlaskClient, code: str, number: int, *numbers: int) -> None:
    """Everybody's bid, by seat."""
    answer = post(phone, code, number, **{f"bids_{seat}": str(one) for seat, one in enumerate(numbers)})
    assert answer.status_code == 303, text(answer)


def tricks(phone: FlaskClient, code: str, number: int, *numbers: int) -> None:
    """Everybody's tricks, by seat."""
    answer = post(phone, code, number, **{f"tricks_{seat}": str(one) for seat, one in enumerate(numbers)})
    assert answer.status_code == 303, text(answer)


def log(phone: FlaskClient, code: str) -> list[dict[str, object]]:
    entries: list[dict[str, object]] = phone.get(f"/games/{code}.json").get_json()["log"]
    return entries


def text(answer: TestResponse) -> str:
    """What a page says, without its marks and its data for the script."""
    page = re.sub(r"<script.*?</script>|<svg hidden>.*?</svg>", "", answer.text, flags=re.S)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", page)).split())


@pytest.fixture
def game(client: FlaskClient) -> str:
    """A game of Ann, Bob, Cy and Di with the hook, Ann to bid first."""
    return new(client)


# ---- the screens ----


def test_the_first_screen_asks_who_bids_first(client: FlaskClient, game: str) -> None:
    page = client.get(f"/games/{game}")

    assert "Hand 1 of 13" in text(page)
    assert "Ann — bid?" in text(page)
    assert 'name="bids-0" value="1"' in page.text
    assert page.text.count('role="status"') == 1


def test_the_last_bid_opens_play(client: FlaskClient, game: str) -> None:
    bids(client, game, 1, 0, 0, 0, 0)

    page = client.get(f"/games/{game}")

    assert "Under by 1" in text(page)
    assert 'data-phase="playing"' in page.text
    assert 'aria-label="One trick more: Cy"' in page.text


def test_the_forbidden_chip_is_struck_out_with_its_reason(client: FlaskClient, game: str) -> None:
    post(client, game, 1, bids_0="0", bids_1="0", bids_2="0")

    page = client.get(f"/games/{game}")

    assert 'name="bids-3" value="1" aria-disabled="true" aria-describedby="why"' in page.text
    assert "Not 1: the bids would equal the 1 trick." in text(page)


def test_a_write_leads_back_to_the_sheet_or_stays_at_its_hand(client: FlaskClient, game: str) -> None:
    assert post(client, game, 1, bids_0="1").location == f"/games/{game}"
    assert post(client, game, 1, bids_1="0", stay="1").location == f"/games/{game}/hands/1"


def test_steppers_without_a_script_step_on_the_page_and_write_nothing(client: FlaskClient, game: str) -> None:
    bids(client, game, 1, 0, 0, 0, 0)

    page = client.get(f"/games/{game}?tricks-0=0&tricks-1=0&tricks-2=0&tricks-3=0&more=2")

    assert 'name="tricks-2" value="1"' in page.text
    assert "Tricks 1 of 1" in text(page)
    assert len(log(client, game)) == 1


@pytest.mark.parametrize(
    "query", ["tricks-0=x&more=0", "seat=99", "seat=-1", "more=7", "tricks-0=999&tricks-1=-4&more=1"]
)
def test_a_strange_query_is_no_error(client: FlaskClient, game: str, query: str) -> None:
    bids(client, game, 1, 0, 0, 0, 0)

    assert client.get(f"/games/{game}?{query}").status_code == 200


def test_a_tap_on_a_row_opens_its_bid_and_leaves_the_others(client: FlaskClient, game: str) -> None:
    post(client, game, 1, bids_0="1", bids_1="0")

    assert "Ann — bid?" in text(client.get(f"/games/{game}?seat=0"))
    post(client, game, 1, bids_0="0")

    assert client.get(f"/games/{game}.json").get_json()["hands"][0]["bids"] == [0, 0, None, None]


def test_saving_opens_the_next_hand_with_its_first_bidder(client: FlaskClient, game: str) -> None:
    bids(client, game, 1, 0, 0, 0, 0)
    tricks(client, game, 1, 1, 0, 0, 0)

    page = text(client.get(f"/games/{game}"))

    assert "Hand 2 of 13" in page
    assert "Bob — bid?" in page
    assert "Total 10" in page


def test_an_earlier_hand_is_corrected_on_the_same_screens(client: FlaskClient, game: str) -> None:
    bids(client, game, 1, 0, 0, 0, 0)
    tricks(client, game, 1, 1, 0, 0, 0)

    assert "Correcting hand 1" in text(client.get(f"/games/{game}/hands/1"))
    tricks(client, game, 1, 0, 0, 0, 1)

    sheet = scorefile.read(client.get(f"/games/{game}.json").get_json()).sheet
    assert sheet.totals == {0: 10, 1: 10, 2: 10, 3: 0}
    assert "edited" in text(client.get(f"/games/{game}?view=scores"))


def test_dealer_size_outcome_and_note_are_written_under_more(client: FlaskClient, game: str) -> None:
    answer = post(client, game, 1, dealer="0", cards="3", outcome="", note="Bob dropped a card", trump="H")

    assert answer.status_code == 303
    page = client.get(f"/games/{game}")
    assert "Bob — bid?" in text(page)
    assert 'value="Bob dropped a card"' in page.text
    assert client.get(f"/games/{game}.json").get_json()["hands"] == [
        {
            "bids": [None] * 4,
            "tricks": [None] * 4,
            "dealer": "Ann",
            "cards": 3,
            "note": "Bob dropped a card",
            "trump": "H",
        }
    ]


def test_a_void_hand_is_dealt_again(client: FlaskClient, game: str) -> None:
    bids(client, game, 1, 0, 0, 0, 0)

    post(client, game, 1, outcome="void")

    page = text(client.get(f"/games/{game}"))
    assert "Hand 2 of 14" in page
    assert "1 card" in page


def test_a_name_with_marks_in_it_is_shown_as_it_is(client: FlaskClient) -> None:
    code = new(client, "<script>alert(1)</script>", "דנה", "{name}", "%(num)d")

    for address in ("", "?view=scores", "/print", "/hands/1"):
        page = client.get(f"/games/{code}{address}")
        assert page.status_code == 200
        assert "<script>alert" not in page.text
        assert "<bdi>&lt;script&gt;alert(1)&lt;/script&gt;</bdi>" in page.text
        assert "<bdi>{name}</bdi>" in page.text


# ---- undo and the end ----


def test_undo_names_its_entry_and_pressed_twice_takes_back_one(client: FlaskClient, game: str) -> None:
    post(client, game, 1, bids_0="1")
    post(client, game, 1, bids_1="1")
    page = client.get(f"/games/{game}")
    entry = re.search(r'name="entry" value="([^"]+)"', page.text)
    assert entry
    assert "Bob — bid 1." in text(page)

    for key in ("first", "second"):
        answer = client.post(f"/games/{game}/undo", data={"entry": entry[1], "key": key, "base": "2"})
        assert answer.status_code == 303

    assert client.get(f"/games/{game}.json").get_json()["hands"][0]["bids"] == [1, None, None, None]


def test_undo_of_an_unknown_entry_is_refused_in_place(client: FlaskClient, game: str) -> None:
    answer = client.post(f"/games/{game}/undo", data={"entry": "no such key", "key": "k", "base": "0"})

    assert answer.status_code == 422
    assert "The entry to undo is not on this sheet." in text(answer)
    assert "Ann — bid?" in text(answer)


@pytest.mark.parametrize("fields", [{}, {"entry": ""}, {"entry": "x" * 500}, {"entry": "x", "key": ""}])
def test_an_undo_that_names_no_entry_is_refused_in_place(
    client: FlaskClient, game: str, fields: dict[str, str]
) -> None:
    answer = client.post(f"/games/{game}/undo", data={"key": "k", "base": "0"} | fields)

    assert answer.status_code == 422
    assert "Ann — bid?" in text(answer)


def test_a_game_stopped_early_has_standings_and_goes_on_by_undo(client: FlaskClient, game: str) -> None:
    bids(client, game, 1, 0, 0, 0, 0)
    tricks(client, game, 1, 1, 0, 0, 0)

    assert client.post(f"/games/{game}/end", data={"key": "end", "base": "2"}).status_code == 303

    page = client.get(f"/games/{game}")
    assert "Stopped early" in text(page)
    assert "Winners: Bob, Cy, Di" in text(page)
    assert "Rematch" in text(page)
    assert 'name="entry" value="end"' in page.text
    assert "Go on with the game" in text(page)
    client.post(f"/games/{game}/undo", data={"entry": "end", "key": "on", "base": "3"})
    assert "Bob — bid?" in text(client.get(f"/games/{game}"))


def test_writing_after_the_end_is_refused_on_the_standings(client: FlaskClient, game: str) -> None:
    client.post(f"/games/{game}/end", data={"key": "end", "base": "0"})

    answer = post(client, game, 1, bids_0="0")

    assert answer.status_code == 422
    assert "The game is over." in text(answer)


# ---- what is refused ----


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("two", "Ann — “two” is not a whole number in digits"),
        ("１", "Ann — “１” is not a whole number in digits"),  # noqa: RUF001 - full width is meant
        ("1e9", "“1e9” is not a whole number in digits"),
        ("1000000000", "“1000000000” is not a whole number in digits"),
        ("0.5", "“0.5” is not a whole number in digits"),
        (" 1", "is not a whole number in digits"),
        ("-1", "Ann — A bid is a whole number from 0 to 1, not -1."),
        ("2", "Ann — A bid is a whole number from 0 to 1, not 2."),
        ("<b>", "“<b>” is not a whole number in digits"),
    ],
)
def test_a_bid_that_is_none_is_refused_in_place(client: FlaskClient, game: str, typed: str, said: str) -> None:
    answer = post(client, game, 1, bids_0=typed)

    assert answer.status_code == 422
    assert said in text(answer)
    assert "Ann — bid?" in text(answer)
    assert log(client, game) == []


@pytest.mark.parametrize("typed", ["two", "１", "-1", "1e9", "5"])  # noqa: RUF001 - full width is meant
def test_tricks_that_are_none_are_refused_in_place(client: FlaskClient, game: str, typed: str) -> None:
    bids(client, game, 1, 0, 0, 0, 0)

    answer = post(client, game, 1, tricks_0=typed, tricks_1="0", tricks_2="0", tricks_3="0")

    assert answer.status_code == 422
    assert "Ann —" in text(answer)
    assert len(log(client, game)) == 1


def test_tricks_that_do_not_add_up_are_refused_and_stay_on_the_page(client: FlaskClient, game: str) -> None:
    bids(client, game, 1, 0, 0, 0, 0)

    answer = post(client, game, 1, tricks_0="1", tricks_1="1", tricks_2="0", tricks_3="0")

    assert answer.status_code == 422
    assert "Tricks written: 2, but 1 was played." in text(answer)
    assert 'name="tricks-1" value="1"' in answer.text


def test_the_hook_refuses_the_bid_and_names_the_last_bidder(client: FlaskClient, game: str) -> None:
    post(client, game, 1, bids_0="0", bids_1="0", bids_2="0")

    answer = post(client, game, 1, bids_3="1")

    assert answer.status_code == 422
    assert "Di — Not 1: the bids would equal the 1 trick." in text(answer)
    assert "Write it anyway" in text(answer)


def test_the_table_may_let_a_forbidden_bid_stand(client: FlaskClient, game: str) -> None:
    post(client, game, 1, bids_0="0", bids_1="0", bids_2="0")

    assert post(client, game, 1, bids_3="1", override="1").status_code == 303

    assert client.get(f"/games/{game}.json").get_json()["hands"][0]["override"] is True
    assert "allowed" in text(client.get(f"/games/{game}?view=scores"))


def test_a_field_sent_twice_is_refused(client: FlaskClient, game: str) -> None:
    answer = client.post(f"/games/{game}/hands/1", data={"bids-0": ["0", "1"], "key": "k", "base": "0"})

    assert answer.status_code == 422
    assert "“bids-0” was sent twice." in text(answer)


@pytest.mark.parametrize(
    "fields",
    [
        {"key": "k", "base": "0"},
        {"bids-0": "0", "base": "0"},
        {"bids-0": "0", "key": "k"},
        {"bids-0": "0", "key": "", "base": "0"},
        {"bids-0": "0", "key": "k" * 65, "base": "0"},
        {"bids-0": "0", "key": "k", "base": "-1"},
        {"bids-0": "0", "key": "k", "base": "none"},
        {"bids-x": "0", "key": "k", "base": "0"},
        {"bids-": "0", "key": "k", "base": "0"},
        {"bids-7": "0", "key": "k", "base": "0"},
        {"bids-99": "0", "key": "k", "base": "0"},
        {"bids-0": "0", "bids-00": "1", "key": "k", "base": "0"},
        {"trump": "X", "key": "k", "base": "0"},
        {"override": "yes", "key": "k", "base": "0"},
        {"cards": "0", "key": "k", "base": "0"},
        {"cards": "14", "key": "k", "base": "0"},
        {"dealer": "9", "key": "k", "base": "0"},
        {"note": "x" * 201, "key": "k", "base": "0"},
    ],
)
def test_an_incomplete_or_impossible_form_is_refused_in_place(
    client: FlaskClient, game: str, fields: dict[str, str]
) -> None:
    answer = client.post(f"/games/{game}/hands/1", data=fields)

    assert answer.status_code == 422
    assert 'role="status"' in answer.text
    assert "Ann — bid?" in text(answer)
    assert log(client, game) == []


def test_what_was_typed_stands_in_the_form_again(client: FlaskClient, game: str) -> None:
    answer = post(client, game, 1, note="Keep this", cards="many")

    assert answer.status_code == 422
    assert 'value="Keep this"' in answer.text
    assert 'value="many"' in answer.text
    assert '<details class="more" id="more" open>' in answer.text


def test_the_same_key_again_is_the_same_answer_and_with_other_content_refused(client: FlaskClient, game: str) -> None:
    for _time in range(2):
        answer = client.post(f"/games/{game}/hands/1", data={"bids-0": "1", "key": "once", "base": "0"})
        assert answer.status_code == 303
    assert len(log(client, game)) == 1

    answer = client.post(f"/games/{game}/hands/1", data={"bids-0": "0", "key": "once", "base": "0"})

    assert answer.status_code == 422
    assert len(log(client, game)) == 1


@pytest.mark.parametrize("number", ["0", "14", "99999999999999999999"])
def test_a_hand_that_does_not_exist_is_not_found(client: FlaskClient, game: str, number: str) -> None:
    assert client.get(f"/games/{game}/hands/{number}").status_code == 404
    answer = client.post(f"/games/{game}/hands/{number}", data={"bids-0": "0", "key": "k", "base": "0"})
    assert answer.status_code == 404


def test_a_hand_that_is_not_open_yet_is_refused_in_place(client: FlaskClient, game: str) -> None:
    answer = post(client, game, 3, bids_0="0")

    assert answer.status_code == 422
    assert "Hand 3 is not open: hand 1 comes first." in text(answer)
    assert client.get(f"/games/{game}/hands/3").status_code == 404


@pytest.mark.parametrize("address", ["", ".json", ".csv", "/print", "/qr.svg", "/hands/1"])
def test_an_unknown_game_is_not_found(client: FlaskClient, address: str) -> None:
    assert client.get(f"/games/0123456789{address}").status_code == 404


@pytest.mark.parametrize("address", ["/hands/1", "/undo", "/end"])
def test_writing_on_an_unknown_game_is_not_found(client: FlaskClient, address: str) -> None:
    assert client.post(f"/games/0123456789{address}", data={"key": "k", "base": "0"}).status_code == 404


def test_more_than_64_kb_is_too_much(client: FlaskClient, game: str) -> None:
    answer = client.post(f"/games/{game}/hands/1", data={"note": "x" * 70_000, "key": "k", "base": "0"})

    assert answer.status_code == 413
    assert log(client, game) == []


# ---- two phones ----


@pytest.fixture
def second(client: FlaskClient, new_phone: NewPhone, game: str) -> FlaskClient:
    """Another phone, with a pen that the first handed over."""
    invitation = client.post("/pen", data={"code": game}).location
    phone = new_phone()
    phone.post(invitation)
    return phone


def test_another_phones_bid_in_another_cell_merges(client: FlaskClient, second: FlaskClient, game: str) -> None:
    client.post(f"/games/{game}/hands/1", data={"bids-0": "1", "key": "a", "base": "0"})

    answer = second.post(f"/games/{game}/hands/1", data={"bids-1": "0", "key": "b", "base": "0"})

    assert answer.status_code == 303
    assert client.get(f"/games/{game}.json").get_json()["hands"][0]["bids"] == [1, 0, None, None]


def test_another_phones_other_bid_in_the_same_cell_is_a_conflict_with_both_values(
    client: FlaskClient, second: FlaskClient, game: str
) -> None:
    client.post(f"/games/{game}/hands/1", data={"bids-0": "1", "key": "a", "base": "0"})

    answer = second.post(f"/games/{game}/hands/1", data={"bids-0": "0", "key": "b", "base": "0"})

    assert answer.status_code == 409
    assert "Ann — bid: now 1, written here 0" in text(answer)
    assert "Keep what stands: 1" in text(answer)
    assert "Write mine: 0" in text(answer)
    fields = dict(re.findall(r'name="(key|base|bids-0)" value="([^"]*)"', answer.text.partition("Write mine")[0]))
    assert fields["base"] == "1"
    assert second.post(f"/games/{game}/hands/1", data=fields).status_code == 303
    assert client.get(f"/games/{game}.json").get_json()["hands"][0]["bids"] == [0, None, None, None]


def test_a_conflict_about_the_dealer_names_both(client: FlaskClient, second: FlaskClient, game: str) -> None:
    client.post(f"/games/{game}/hands/1", data={"dealer": "1", "key": "a", "base": "0"})

    answer = second.post(f"/games/{game}/hands/1", data={"dealer": "2", "key": "b", "base": "0"})

    assert answer.status_code == 409
    assert "Dealer: now Bob, written here Cy" in text(answer)


def test_a_conflict_about_a_dealer_who_has_no_seat_is_a_conflict(
    client: FlaskClient, second: FlaskClient, game: str
) -> None:
    client.post(f"/games/{game}/hands/1", data={"dealer": "1", "key": "a", "base": "0"})

    answer = second.post(f"/games/{game}/hands/1", data={"dealer": "50", "key": "b", "base": "0"})

    assert answer.status_code == 409
    assert "Dealer: now Bob, written here 50" in text(answer)


def test_a_phone_without_a_pen_reads_and_cannot_write(client: FlaskClient, new_phone: NewPhone, game: str) -> None:
    reader = new_phone()
    post(client, game, 1, bids_0="1")

    page = reader.get(f"/games/{game}")

    assert "Bob — bid?" in text(page)
    assert 'type="submit"' not in page.text
    assert "<input" not in page.text
    assert "<input" not in page.text
    assert '<meta http-equiv="refresh" content="10">' in page.text
    assert reader.get(f"/games/{game}/hands/1").status_code == 403
    for address in ("/hands/1", "/undo", "/end"):
        answer = reader.post(f"/games/{game}{address}", data={"bids-1": "x", "entry": "k", "key": "k", "base": "1"})
        assert answer.status_code == 403
    assert len(log(client, game)) == 1


# ---- bids made all at once ----


@pytest.fixture
def at_once(client: FlaskClient) -> str:
    """A game whose bids are made all at once, with the hook."""
    return new(client, at_once="1")


def test_bids_made_all_at_once_are_hidden_from_readers_until_all_are_in(
    client: FlaskClient, new_phone: NewPhone, at_once: str
) -> None:
    reader = new_phone()
    post(client, at_once, 1, bids_2="1", note="quick")
    addresses = [f"/games/{at_once}", f"/games/{at_once}.json", f"/games/{at_once}.csv", f"/games/{at_once}/print"]

    assert [hand["bids"] for hand in reader.get(addresses[1]).get_json()["hands"]] == [[None] * 4]
    assert '"bids": {"2"' not in reader.get(addresses[1]).text
    assert reader.get(addresses[1]).get_json()["hands"][0]["note"] == "quick"
    row = list(csv.reader(io.StringIO(reader.get(addresses[2]).text)))[1]
    assert row[4::4] == ["", "", "", ""]
    assert "All bid at once" in text(reader.get(addresses[0]))
    assert "Cy — bid 1" not in text(reader.get(addresses[0]))
    bids(client, at_once, 1, 1, 0, 1, 0)
    assert reader.get(addresses[1]).get_json()["hands"][0]["bids"] == [1, 0, 1, 0]


def test_a_bid_made_at_once_stays_hidden_when_it_is_undone(
    client: FlaskClient, new_phone: NewPhone, at_once: str
) -> None:
    post(client, at_once, 1, bids_2="1")
    entry = log(client, at_once)[0]["key"]

    client.post(f"/games/{at_once}/undo", data={"entry": entry, "key": "undo", "base": "1"})

    assert log(new_phone(), at_once)[0]["data"] == {"hand": 1}


@pytest.mark.parametrize(
    ("way", "after"),
    [("Let it stand", [1, 0, 0, 0]), ("All bid again", [None] * 4), ("The dealer bids again", [1, 0, 0, None])],
)
def test_bids_made_all_at_once_that_come_out_even_ask_the_table(
    client: FlaskClient, at_once: str, way: str, after: list[int | None]
) -> None:
    post(client, at_once, 1, bids_0="1", bids_1="0", bids_3="0")

    answer = post(client, at_once, 1, bids_2="0")

    assert answer.status_code == 422
    assert "The bids equal the 1 trick." in text(answer)
    form = next(one for one in re.findall(r"<form.*?</form>", answer.text, re.S) if way in one)
    fields = dict(re.findall(r'name="([^"]+)" value="([^"]*)"', form))
    assert client.post(f"/games/{at_once}/hands/1", data=fields).status_code == 303
    hands = client.get(f"/games/{at_once}.json").get_json()["hands"]
    assert (hands[0]["bids"] if hands else [None] * 4) == after


# ---- answers ----


@pytest.mark.parametrize("address", ["", "?view=scores", "?view=share", ".json", ".csv", "/print", "/hands/1"])
def test_an_unchanged_page_is_answered_with_304_until_something_changes(
    client: FlaskClient, game: str, address: str
) -> None:
    first = client.get(f"/games/{game}{address}")
    seen = {"If-None-Match": first.headers["ETag"]}
    assert first.headers["Cache-Control"] == "private, no-cache"
    assert client.get(f"/games/{game}{address}", headers=seen).status_code == 304

    post(client, game, 1, bids_0="0")

    assert client.get(f"/games/{game}{address}", headers=seen).status_code == 200


def test_a_reader_and_a_scorer_have_different_etags(client: FlaskClient, new_phone: NewPhone, game: str) -> None:
    assert client.get(f"/games/{game}").headers["ETag"] != new_phone().get(f"/games/{game}").headers["ETag"]


def test_the_file_of_a_game_reads_back_as_the_same_sheet(client: FlaskClient, game: str) -> None:
    bids(client, game, 1, 0, 0, 0, 0)
    tricks(client, game, 1, 1, 0, 0, 0)

    data = client.get(f"/games/{game}.json").get_json()

    assert data["format"] == "scorekeeper/1"
    assert data["players"] == list(FOUR)
    assert "title" in data
    assert "started" in data
    read = scorefile.read(data)
    assert read.faults == ()
    assert read.sheet.totals == {0: 0, 1: 10, 2: 10, 3: 10}


@pytest.mark.parametrize("name", ["a;=1+1", 'a";=1+1', 'a;"=1+1', "a;;+1", "a;＝1"])  # noqa: RUF001 - the full-width form
def test_no_cell_is_a_formula_where_semicolons_part_cells(client: FlaskClient, name: str) -> None:
    code = new(client, name, "Bob", "Cy", "Di")

    text = client.get(f"/games/{code}.csv").text

    for parted_by in (",", ";", "\t"):
        cells = [cell for row in csv.reader(io.StringIO(text), delimiter=parted_by) for cell in row]
        assert [cell for cell in cells if cell.startswith(tuple("=+-@＝＋－＠"))] == []  # noqa: RUF001 - likewise
    assert text.count("'") == 4  # once for each of the four columns


def test_the_table_is_safe_to_open_in_a_spreadsheet(client: FlaskClient) -> None:
    code = new(client, "=1+1", "+Bob", "-Cy", "@Di")
    bids(client, code, 1, 0, 0, 0, 0)
    tricks(client, code, 1, 1, 0, 0, 0)

    answer = client.get(f"/games/{code}.csv")

    assert answer.mimetype == "text/csv"
    head, first = csv.reader(io.StringIO(answer.text))
    assert head[4:8] == ["'=1+1: bid", "'=1+1: tricks", "'=1+1: points", "'=1+1: total"]
    assert all(not cell.startswith(("=", "+", "-", "@")) for cell in head + first)
    assert first == [
        "1",
        "1",
        "'@Di",
        "",
        "0",
        "1",
        "0",
        "0",
        "0",
        "0",
        "10",
        "10",
        "0",
        "0",
        "10",
        "10",
        "0",
        "0",
        "10",
        "10",
    ]


def test_the_address_is_a_picture(client: FlaskClient, game: str) -> None:
    answer = client.get(f"/games/{game}/qr.svg")

    assert answer.mimetype == "image/svg+xml"
    assert answer.data.startswith(b"<?xml")


def test_the_board_says_who_cannot_win_any_more(client: FlaskClient) -> None:
    code = new(client, "Ann", "Bob", "Cy", most_cards="3")
    for number in (1, 2):
        bids(client, code, number, 0, 0, 0)
        tricks(client, code, number, number, 0, 0)  # Ann misses both

    page = client.get(f"/games/{code}?view=scores").text

    lines = re.findall(r"<tr.*?</tr>", page, re.S)
    assert "cannot win any more" in next(line for line in lines if "<bdi>Ann</bdi>" in line)
    assert page.count("cannot win any more") == 1
