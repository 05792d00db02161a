"""Watching: another phone shows what the scorer taps, and nothing that its reader does is lost to a swap."""

import re
from datetime import datetime, timedelta
from io import BytesIO
from typing import Any, Literal

import pytest
from PIL import Image
from playwright.sync_api import Page, Route, expect
from zxingcpp import read_barcodes

from scorekeeper.books import NewGame, start_game
from scorekeeper.database import db
from scorekeeper.engine.catalog import formulas
from scorekeeper.engine.events import HandWritten
from scorekeeper.engine.rules import read_rules
from scorekeeper.pens import phone_with
from scorekeeper.store import write
from tests.browser.conftest import Live, MakePhone
from tests.browser.test_offline import with_pen
from tests.browser.test_sheet import FOUR, bid, check, expect_saved, pad, play, start

TWO_POLLS = 4500
BIG: dict[str, Any] = {"viewport": {"width": 1280, "height": 720}, "is_mobile": False, "has_touch": False}


@pytest.fixture
def scorer(phone: Page) -> Page:
    """The phone that keeps the score of four players; hand 1 is played."""
    start(phone, *FOUR)
    play(phone, 1, {"Ann": 0, "Bob": 0, "Cy": 0, "Di": 0}, {"Ann": 1})
    return phone


def bid_of(page: Page, name: str) -> str:
    return page.locator(".board tr", has_text=name).locator("td.bid").inner_text()


def expect_bid(page: Page, name: str, shown: str, timeout: float = TWO_POLLS) -> None:
    expect(page.locator(".board tr", has_text=name).locator("td.bid")).to_have_text(shown, timeout=timeout)


@pytest.mark.parametrize("view", ["scores", "tv"])
def test_a_watcher_shows_a_bid_within_two_polls(scorer: Page, make_phone: MakePhone, view: str) -> None:
    watcher = make_phone()
    watcher.goto(f"{scorer.url}?view={view}")

    bid(scorer, "Bob", 1)

    expect_bid(watcher, "Bob", "1")
    expect(watcher.get_by_text("Cy — bid?")).to_be_visible()
    expect(watcher.locator("#live")).to_have_text("Updated just now")


def test_a_paused_watcher_waits_and_catches_up_at_once(scorer: Page, make_phone: MakePhone) -> None:
    watcher = make_phone()
    watcher.goto(scorer.url)
    pause = watcher.get_by_role("button", name="Pause updates")
    pause.click()
    expect(pause).to_have_attribute("aria-pressed", "true")
    expect(watcher.locator("#live")).to_contain_text("Paused")

    bid(scorer, "Bob", 1)
    watcher.wait_for_timeout(TWO_POLLS)
    assert bid_of(watcher, "Bob") == "–"

    pause.click()
    expect_bid(watcher, "Bob", "1", timeout=1000)


def test_a_hidden_tab_asks_nothing_and_looks_at_once_when_it_is_shown(scorer: Page, make_phone: MakePhone) -> None:
    watcher = make_phone()
    watcher.add_init_script(
        "window.away = false; Object.defineProperty(document, 'hidden', { get: () => window.away });"
        "window.turn = (away) => { window.away = away; document.dispatchEvent(new Event('visibilitychange')); };"
    )
    watcher.goto(scorer.url)
    watcher.evaluate("turn(true)")
    watcher.wait_for_timeout(300)
    asked: list[str] = []
    watcher.on("request", lambda request: asked.append(request.url))

    bid(scorer, "Bob", 1)
    watcher.wait_for_timeout(TWO_POLLS)
    assert asked == []

    watcher.evaluate("turn(false)")
    expect_bid(watcher, "Bob", "1", timeout=1000)


def test_a_watcher_without_a_network_says_so_and_is_back_at_once(scorer: Page, make_phone: MakePhone) -> None:
    # The service worker notices too that its own script cannot be fetched.
    watcher = make_phone(expected="ERR_INTERNET_DISCONNECTED|when fetching the script")
    watcher.goto(scorer.url)
    watcher.context.set_offline(True)
    expect(watcher.locator("#live")).to_contain_text("Reconnecting", timeout=TWO_POLLS)
    bid(scorer, "Bob", 1)

    watcher.context.set_offline(False)

    expect_bid(watcher, "Bob", "1")
    expect(watcher.locator("#live")).to_have_text("Updated just now")


AT_ONCE = {
    "the network is back": "dispatchEvent(new Event('online'))",
    "the tab is shown": "document.dispatchEvent(new Event('visibilitychange'))",
    "the page is taken out of the drawer": "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))",
}


@pytest.mark.parametrize("event", AT_ONCE.values(), ids=AT_ONCE)
@pytest.mark.parametrize("hangs", [False, True], ids=["nothing is asked", "a look hangs"])
def test_a_watcher_looks_at_once_when(scorer: Page, make_phone: MakePhone, event: str, hangs: bool) -> None:
    watcher = make_phone(service_workers="block")
    # No timer comes to its end, but for the first look: what is asked then, the event made it ask.
    watcher.add_init_script("window.setTimeout = (work) => { window.work = work; };")
    asked: list[Route] = []
    watcher.goto(scorer.url)
    watcher.route(lambda url: url == scorer.url, lambda route: asked.append(route))
    if hangs:
        watcher.evaluate("void work()")
        expect_asked(watcher, asked, 1)
    before = len(asked)

    watcher.evaluate(event)

    expect_asked(watcher, asked, before + 1)
    bid(scorer, "Bob", 1)
    expect_saved(scorer, "Bob — bid 1.")
    asked[-1].continue_()
    expect_bid(watcher, "Bob", "1")


def expect_asked(page: Page, asked: list[Route], count: int) -> None:
    """Waits until so many looks were asked for, and sees that there are no more."""
    for _try in range(100):
        if len(asked) >= count:
            break
        page.wait_for_timeout(50)
    page.wait_for_timeout(200)
    assert len(asked) == count


def test_a_swap_keeps_focus_scrolling_and_what_did_not_change(scorer: Page, make_phone: MakePhone) -> None:
    watcher = make_phone(viewport={"width": 390, "height": 500})
    watcher.goto(scorer.url)
    watcher.get_by_role("link", name="History").focus()
    watcher.evaluate("scrollTo(0, 200)")
    watcher.evaluate("document.querySelector('[data-live=curve]').mark = 'the same'")

    bid(scorer, "Bob", 1)
    expect_bid(watcher, "Bob", "1")

    expect(watcher.get_by_role("link", name="History")).to_be_focused()
    assert watcher.evaluate("scrollY") == 200
    assert watcher.evaluate("document.querySelector('[data-live=curve]').mark") == "the same"


def test_a_scorer_loses_nothing_to_what_the_other_scorer_writes(scorer: Page, make_phone: MakePhone) -> None:
    second = make_phone(viewport={"width": 390, "height": 500})
    with_pen(scorer, second)
    second.get_by_text("More about this hand").click()
    note = second.get_by_label("Note")
    note.fill("a new deck")
    second.get_by_role("link", name="Print").focus()
    second.evaluate("document.querySelector('.entry').scrollTop = 150")

    bid(scorer, "Bob", 1)
    expect(pad(second, "Cy")).to_be_visible(timeout=TWO_POLLS)

    expect(note).to_be_visible()
    expect(note).to_have_value("a new deck")
    expect(second.get_by_role("link", name="Print")).to_be_focused()
    assert second.evaluate("document.querySelector('.entry').scrollTop") == 150

    note.focus()
    bid(scorer, "Cy", 1)
    expect_saved(scorer, "Cy — bid 1.")
    second.wait_for_timeout(TWO_POLLS)
    expect(note).to_be_focused()
    expect(pad(second, "Cy")).to_be_visible()
    note.blur()
    expect(pad(second, "Di")).to_be_visible(timeout=TWO_POLLS)


def test_a_note_for_one_hand_is_not_kept_for_the_next(scorer: Page, make_phone: MakePhone) -> None:
    second = make_phone()
    with_pen(scorer, second)
    second.get_by_text("More about this hand").click()
    second.get_by_label("Note").fill("a new deck")
    second.get_by_label("Note").blur()

    play(scorer, 2, {"Bob": 1, "Cy": 0, "Di": 0, "Ann": 0}, {"Di": 1})

    expect(second.get_by_role("heading", name="Hand 3 of 13")).to_be_visible(timeout=2 * TWO_POLLS)
    expect(second.get_by_label("Note")).to_have_value("")


def test_a_part_with_selected_text_waits_until_the_selection_ends(scorer: Page, make_phone: MakePhone) -> None:
    watcher = make_phone()
    watcher.goto(scorer.url)
    watcher.evaluate("getSelection().selectAllChildren(document.querySelector('.board th[scope=row] .nm'))")

    bid(scorer, "Bob", 1)
    expect(watcher.get_by_text("Cy — bid?")).to_be_visible(timeout=TWO_POLLS)
    assert watcher.evaluate("getSelection().isCollapsed") is False
    assert bid_of(watcher, "Bob") == "–"

    watcher.evaluate("getSelection().removeAllRanges()")
    expect_bid(watcher, "Bob", "1", timeout=1000)


def test_watchers_of_a_finished_game_go_along_to_the_rematch(scorer: Page, make_phone: MakePhone) -> None:
    watcher, screen = make_phone(), make_phone(**BIG)
    watcher.goto(scorer.url)
    screen.goto(f"{scorer.url}?view=tv")
    finished = scorer.url
    scorer.locator("#more summary").click()
    scorer.get_by_role("button", name="End the game here").click()
    expect(watcher.get_by_text(re.compile("Winners?:"))).to_be_visible(timeout=TWO_POLLS)

    scorer.get_by_role("button", name="Rematch").click()
    scorer.wait_for_url(lambda url: url != finished and bool(re.search(r"/games/[0-9A-Z]{10}$", url)))

    watcher.wait_for_url(scorer.url, timeout=12_000)
    screen.wait_for_url(f"{scorer.url}?view=tv", timeout=12_000)


def test_the_address_on_show_goes_along_too_and_offers_a_pen_only_to_who_has_one(
    scorer: Page, make_phone: MakePhone
) -> None:
    shown = make_phone(permissions=["clipboard-read", "clipboard-write"])
    with_pen(scorer, shown)
    finished = scorer.url
    shown.goto(f"{finished}?view=share")
    expect(shown.get_by_role("button", name="Hand over a pen")).to_be_visible()
    shown.evaluate("document.querySelector('.qr').mark = 'the same'")
    bid(scorer, "Bob", 1)
    expect_saved(scorer, "Bob — bid 1.")
    scorer.goto("/book")
    scorer.get_by_role("button", name=re.compile("pens")).click()

    expect(shown.get_by_role("button", name="Hand over a pen")).to_be_hidden(timeout=TWO_POLLS)
    assert shown.evaluate("document.querySelector('.qr').mark") == "the same"
    expect(shown.get_by_role("button", name="Copy the address")).to_be_visible()

    scorer.goto(finished)
    scorer.locator("#more summary").click()
    scorer.get_by_role("button", name="End the game here").click()
    scorer.get_by_role("button", name="Rematch").click()
    scorer.wait_for_url(lambda url: url != finished and bool(re.search(r"/games/[0-9A-Z]{10}$", url)))
    shown.wait_for_url(f"{scorer.url}?view=share", timeout=12_000)


def test_the_history_follows_and_has_its_readers_own_time(scorer: Page, make_phone: MakePhone) -> None:
    reader = make_phone(timezone_id="Asia/Kathmandu")
    reader.goto(f"{scorer.url}/history")
    bid(scorer, "Bob", 1)
    expect(reader.locator(".entries > li")).to_have_count(6, timeout=TWO_POLLS)

    moments = reader.locator(".entries time").evaluate_all("all => all.map((one) => [one.dateTime, one.textContent])")

    assert len(moments) == 6
    for moment, shown in moments:
        there = datetime.fromisoformat(moment) + timedelta(hours=5, minutes=45)
        assert " ".join(shown.split()) == f"{there:%b} {there.day}, {there.year}, {there.hour % 12 or 12}:{there:%M %p}"
    expect(reader.get_by_text("UTC")).to_have_count(0)


def test_tricks_are_counted_by_a_tap_on_the_name_and_everybody_sees_it(scorer: Page, make_phone: MakePhone) -> None:
    watcher = make_phone()
    watcher.goto(scorer.url)
    for name, number in (("Bob", 2), ("Cy", 0), ("Di", 1), ("Ann", 0)):
        bid(scorer, name, number)

    scorer.get_by_role("button", name="Count a trick: Bob").click()

    expect(watcher.get_by_text("1 of 2 · needs 1 more")).to_be_visible(timeout=TWO_POLLS)
    scorer.get_by_role("button", name="Count a trick: Ann").click()
    expect(watcher.get_by_text("1 of 0 · over by 1")).to_be_visible(timeout=TWO_POLLS)
    expect(scorer.get_by_text("Tricks 2 of 2")).to_be_visible()
    scorer.get_by_role("button", name="Save hand 2").click()
    expect(watcher.get_by_text("Cy — bid?")).to_be_visible(timeout=TWO_POLLS)


def test_a_watcher_without_a_script_is_refreshed(scorer: Page, make_phone: MakePhone) -> None:
    watcher = make_phone(java_script_enabled=False)
    watcher.goto(scorer.url)

    expect(watcher.locator("meta[http-equiv=refresh]")).to_have_attribute("content", "10")
    expect(watcher.get_by_role("button", name="Pause updates")).to_be_hidden()


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_big_screen_shows_all_at_once(
    scorer: Page, make_phone: MakePhone, scheme: str, size: tuple[int, int]
) -> None:
    width, height = size
    screen = make_phone(**{**BIG, "viewport": {"width": width, "height": height}}, color_scheme=scheme)
    screen.goto(f"{scorer.url}?view=tv")

    check(screen, "the big screen")

    for part in (".now-card", ".board", ".chart", ".qrbox"):
        box = screen.locator(part).bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= height, part


def long_evening(live: Live, players: int) -> str:
    """A game whose 20 hands only the first player made; the bids of one more are in, and its tricks are counted."""
    names = ("Bartholomew", "Žydrūnė Šimkutė", "Cy", "Di", "Maximilian", "Fay", "Gus", "Hanna", "Iris", "Joe")[:players]
    seats = range(players)
    with live.app.app_context():
        session = db.session()
        schedule = {"segments": [{"from": 3, "to": 3, "each": 21}]}
        rules = read_rules({"schedule": schedule, "players": [3, 10]}, formulas())
        new = NewGame(players=names, rules=rules, preset=None, first_dealer=0, title="The longest evening")
        writer = phone_with(session, "a phone")
        code = start_game(session, writer, new, house=False)
        bids = {seat: 3 if seat == 0 else 1 for seat in seats}
        hands = [
            HandWritten.of(number, bids=bids, tricks={seat: 3 if seat == 0 else 0 for seat in seats}, trump="H")
            for number in range(1, 21)
        ]
        for number, written in enumerate([*hands, HandWritten.of(21, bids=bids), HandWritten.of(21, won={1: 2})]):
            write(session, code, writer, written, f"key {number}", number)
    return f"{live.url}/games/{code}?view=tv"


@pytest.mark.parametrize("players", [7, 10])
def test_the_big_screen_has_room_for_the_largest_table(live: Live, make_phone: MakePhone, players: int) -> None:
    screen = make_phone(**BIG)
    screen.goto(long_evening(live, players))
    expect(screen.get_by_text("cannot win any more")).to_have_count(players - 1)

    for width, height in ((1280, 720), (1920, 1080)):
        screen.set_viewport_size({"width": width, "height": height})
        boxes = screen.locator(".now-card, .board, .board tr, .chart, .qrbox, .qrbox .address").evaluate_all(
            "all => all.map((one) => one.getBoundingClientRect()).map(({ left, top, right, bottom }) => "
            "[left, top, right, bottom])"
        )
        assert len(boxes) == 5 + 1 + players
        assert [box for box in boxes if min(box) < 0 or box[2] > width or box[3] > height] == []
        cut = screen.locator(".board :is(.nm, .sub, td)").evaluate_all(
            "all => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"
        )
        assert cut == []


def codes(picture: bytes) -> list[str]:
    """What a scanner reads off a picture."""
    return [found.text for found in read_barcodes(Image.open(BytesIO(picture)))]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_qr_code_is_read_off_the_screen(
    scorer: Page, make_phone: MakePhone, scheme: Literal["light", "dark"]
) -> None:
    reader, screen = make_phone(color_scheme=scheme), make_phone(**BIG, color_scheme=scheme)
    scorer.emulate_media(color_scheme=scheme)
    reader.goto(f"{scorer.url}?view=share")
    screen.goto(f"{scorer.url}?view=tv")
    assert [codes(page.screenshot()) for page in (reader, screen)] == [[scorer.url]] * 2

    scorer.get_by_role("link", name="Let others watch").click()
    scorer.get_by_role("button", name="Hand over a pen").click()
    scorer.wait_for_url("**/pen/*")
    assert codes(scorer.screenshot()) == [scorer.url]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_round_a_game_are_accessible(scorer: Page, make_phone: MakePhone, scheme: str) -> None:
    reader = make_phone(color_scheme=scheme)
    for address in ("?view=share", "/history", "?view=scores"):
        reader.goto(f"{scorer.url}{address}")
        check(reader, address)


def test_the_address_is_shared_and_copied_only_where_the_browser_can(scorer: Page, make_phone: MakePhone) -> None:
    can, cannot = make_phone(permissions=["clipboard-read", "clipboard-write"]), make_phone()
    cannot.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    for page in (can, cannot):
        page.goto(f"{scorer.url}?view=share")
    expect(cannot.get_by_role("button", name="Copy the address")).to_be_hidden()

    can.get_by_role("button", name="Copy the address").click()

    expect(can.get_by_role("status")).to_have_text("The address is copied.")
    assert can.evaluate("navigator.clipboard.readText()") == scorer.url
