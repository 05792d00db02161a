"""A scorer and a watcher while the network goes, the page is closed, and the server is killed."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import monotonic, sleep
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.web import games
from tests.browser.conftest import Live, MakePhone
from tests.browser.test_sheet import FOUR, bid, expect_saved, pad, play, start

NETWORK = r"ERR_(INTERNET_DISCONNECTED|CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|FAILED)"
LATE = 40_000  # ms: the longest pause between two tries, and some


def order(number: int) -> list[str]:
    """Who bids when: the deal passes on with every hand."""
    first = (number - 1) % len(FOUR)
    return [*FOUR[first:], *FOUR[:first]]


def play_on(page: Page, hands: Sequence[int]) -> None:
    """Plays hands from the second: Bob bids and wins one trick, Di bids none and wins the others."""
    for number in hands:
        play(page, number, {name: int(name == "Bob") for name in order(number)}, {"Di": number - 1})


def shown_totals(page: Page) -> dict[str, str]:
    """What each row of the hand says of its player's total."""
    rows = page.locator("#rows li").all()
    texts = {row.locator(".nm bdi").inner_text(): row.locator(".sub.if-bidding").inner_text() for row in rows}
    return {name: found[1] for name, text in texts.items() if (found := re.search(r"Total\s+(\S+)", text))}


def until(page: Page, expression: str) -> None:
    """Waits until an expression holds; playwright's own way needs a policy that lets texts be run."""
    end = monotonic() + 10
    while not page.evaluate(expression):
        assert monotonic() < end, expression
        page.wait_for_timeout(50)


def written(page: Page) -> list[object]:
    """What every entry of the game on the page says."""
    document = page.evaluate("fetch(`${location.pathname}.json`).then((answer) => answer.json())")
    return [entry["data"] for entry in document["log"]]


def is_kept(page: Page) -> None:
    """Waits until the page can be opened without a network."""
    until(page, "Boolean(navigator.serviceWorker.controller)")


def test_hands_scored_without_a_network_arrive_once(make_phone: MakePhone) -> None:
    scorer, watcher = make_phone(expected=NETWORK), make_phone()
    sheet = start(scorer, *FOUR)
    is_kept(scorer)
    watcher.goto(sheet)
    play(scorer, 1, {"Ann": 0, "Bob": 0, "Cy": 0, "Di": 0}, {"Ann": 1})
    play_on(scorer, [2])
    bid(scorer, "Cy", 0)
    expect(watcher.locator("tr", has_text="Cy").locator("td.bid")).to_have_text("0", timeout=4000)
    expect_saved(scorer, "Cy — bid 0.")

    scorer.context.set_offline(True)
    play(scorer, 3, {"Di": 0, "Ann": 0, "Bob": 1}, {"Di": 2})
    play_on(scorer, [4, 5])

    expect(scorer.get_by_role("complementary", name="Not saved")).to_have_text(
        re.compile(r"\s*14 entries wait for the network\s*")
    )
    assert shown_totals(scorer) == {"Cy": "50", "Di": "10", "Ann": "40"}
    assert len(written(watcher)) == 11

    context = scorer.context
    scorer.close()
    scorer = context.new_page()
    scorer.goto(sheet)
    expect(scorer.get_by_role("heading", name="Hand 6 of 13")).to_be_visible()
    assert shown_totals(scorer) == {"Cy": "50", "Di": "10", "Ann": "40"}
    bid(scorer, "Bob", 1)
    expect(scorer.get_by_text("15 entries wait for the network")).to_be_visible()

    context.set_offline(False)

    expect_saved(scorer, "Bob — bid 1.")
    expect(scorer.get_by_role("complementary", name="Not saved")).to_be_hidden()
    expect(watcher.locator("tr", has_text="Bob").locator("td.bid")).to_have_text("1", timeout=4000)
    expect(watcher.get_by_text("Hand 6 of 13")).to_be_visible()
    entries = written(watcher)
    assert len(entries) == len({str(entry) for entry in entries}) == 26
    assert entries[11:14] == [
        {"hand": 3, "bids": {"3": 0}},
        {"hand": 3, "bids": {"0": 0}},
        {"hand": 3, "bids": {"1": 1}},
    ]


def test_what_the_server_has_is_taken_back_without_a_network(make_phone: MakePhone) -> None:
    scorer = make_phone(expected=NETWORK)
    sheet = start(scorer, *FOUR)
    is_kept(scorer)
    play(scorer, 1, {"Ann": 0, "Bob": 0, "Cy": 0, "Di": 0}, {"Ann": 1})
    play_on(scorer, [2])
    bid(scorer, "Cy", 0)
    expect_saved(scorer, "Cy — bid 0.")
    assert shown_totals(scorer) == {"Cy": "20", "Ann": "10", "Bob": "21"}  # Di bids now
    scorer.context.set_offline(True)
    undo = scorer.get_by_role("button", name="Undo")

    undo.click()
    expect(pad(scorer, "Cy")).to_be_visible()
    assert shown_totals(scorer) == {"Di": "10", "Ann": "10", "Bob": "21"}
    undo.click()
    expect(scorer.get_by_role("heading", name="Hand 2 of 13")).to_be_visible()
    expect(scorer.get_by_role("button", name="Save hand 2")).to_be_enabled()
    assert scorer.locator("#rows .got").all_inner_texts() == ["1", "0", "1", "0"]
    scorer.goto(sheet)
    expect(scorer.get_by_text("2 entries wait for the network")).to_be_visible()
    expect(scorer.get_by_role("heading", name="Hand 2 of 13")).to_be_visible()
    undo.click()
    expect(pad(scorer, "Ann")).to_be_visible()
    bid(scorer, "Ann", 0)
    scorer.get_by_role("button", name="One trick more: Cy").click()
    scorer.get_by_role("button", name="Save hand 2").click()
    expect(scorer.get_by_role("heading", name="Hand 3 of 13")).to_be_visible()
    assert shown_totals(scorer) == {"Di": "20", "Ann": "10", "Bob": "21"}

    scorer.context.set_offline(False)

    expect_saved(scorer, "Hand 2 saved.", timeout=LATE)
    expect(scorer.locator("#waiting")).to_be_hidden()
    assert shown_totals(scorer) == {"Di": "20", "Ann": "10", "Bob": "21"}
    document = scorer.evaluate("fetch(`${location.pathname}.json`).then((answer) => answer.json())")
    assert document["hands"][1]["tricks"] == [0, 1, 1, 0]
    assert len(document["log"]) == 5 + 5 + 1 + 3 + 2


class Server:
    """`scorekeeper run` as a process of its own, on an address that stays the same."""

    def __init__(self, folder: Path, **settings: str) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._environment = {
            **os.environ,
            "SCOREKEEPER_DATABASE_URL": f"sqlite:///{folder / 'book.sqlite'}",
            **settings,
        }
        self._output = (folder / "output").open("w")
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "scorekeeper", "run", "--host", "127.0.0.1", "--port", str(self.port)]
        self._process = subprocess.Popen(
            command, env=self._environment, stdout=self._output, stderr=self._output, start_new_session=True
        )
        until = monotonic() + 30
        while monotonic() < until:
            try:
                with urlopen(f"{self.url}/healthz"):  # noqa: S310 - our own address
                    return
            except OSError:
                sleep(0.1)
        pytest.fail(f"The server did not start: {Path(self._output.name).read_text()}")

    def kill(self) -> None:
        """Ends it and everything it started, as the power does."""
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def close(self) -> None:
        self.kill()
        self._output.close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server that can be killed and started again."""
    server = Server(tmp_path)
    yield server
    server.close()


def test_a_server_killed_in_the_middle_of_bidding_asks_nothing_of_the_scorer(
    make_phone: MakePhone, server: Server
) -> None:
    scorer, watcher = (make_phone(expected=NETWORK, base_url=server.url) for _ in range(2))
    sheet = start(scorer, *FOUR)
    watcher.goto(sheet)
    bid(scorer, "Ann", 0)
    expect_saved(scorer, "Ann — bid 0.")

    server.kill()
    bid(scorer, "Bob", 0)
    expect(pad(scorer, "Cy")).to_be_visible()
    bid(scorer, "Cy", 0)
    expect(scorer.get_by_text("2 entries wait for the network")).to_be_visible()
    server.start()

    expect_saved(scorer, "Cy — bid 0.", timeout=LATE)
    expect(scorer.get_by_text("wait for the network")).to_be_hidden()
    bid(scorer, "Di", 0)
    expect(watcher.locator("tr", has_text="Di").locator("td.bid")).to_have_text("0", timeout=LATE)
    assert written(scorer) == [{"hand": 1, "bids": {str(seat): 0}} for seat in range(4)]


@pytest.mark.parametrize(("hops", "believed"), [("0", False), ("1", True)])
def test_the_server_believes_a_proxy_where_it_is_told_to(tmp_path: Path, hops: str, believed: bool) -> None:
    server = Server(tmp_path, SCOREKEEPER_PROXY=hops)
    try:
        request = Request(f"{server.url}/", headers={"X-Forwarded-Proto": "https"})  # noqa: S310 - our own address
        with urlopen(request) as answer:  # noqa: S310 - our own address
            assert ("Strict-Transport-Security" in answer.headers) == believed
    finally:
        server.close()


def test_an_address_without_https_loses_nothing_either(make_phone: MakePhone, live: Live) -> None:
    scorer = make_phone(expected=NETWORK, base_url=live.url.replace("127.0.0.1", "table.test"))
    scorer.goto("/")
    assert scorer.evaluate("[isSecureContext, 'serviceWorker' in navigator, 'locks' in navigator]") == [False] * 3
    advice = scorer.get_by_role("region", name="About this address")
    advice.get_by_role("button", name="Understood").click()
    scorer.reload()
    expect(advice).to_be_hidden()
    sheet = start(scorer, *FOUR)
    play(scorer, 1, {"Ann": 0, "Bob": 0, "Cy": 0, "Di": 0}, {"Ann": 1})
    expect_saved(scorer, "Hand 1 saved.")

    scorer.context.set_offline(True)
    play_on(scorer, [2, 3])
    expect(scorer.get_by_text("10 entries wait for the network")).to_be_visible()
    scorer.get_by_role("link", name="Scores").click()
    expect(scorer.get_by_role("status")).to_contain_text("this page stays open")
    context = scorer.context
    scorer.close()
    context.set_offline(False)

    # Wherever the app is opened again, it sends what waits.
    scorer = context.new_page()
    scorer.goto("/")
    expect(scorer.locator("#waiting")).to_be_hidden(timeout=LATE)
    scorer.goto(sheet)
    expect(scorer.get_by_role("heading", name="Hand 4 of 13")).to_be_visible()
    assert len(written(scorer)) == 15


def test_two_pages_of_one_phone_send_everything_once_and_in_order(make_phone: MakePhone, live: Live) -> None:
    first = make_phone(expected=NETWORK, base_url=live.url.replace("127.0.0.1", "table.test"))
    sheet = start(first, *FOUR)
    second = first.context.new_page()
    second.goto(sheet)
    first.context.set_offline(True)
    bid(first, "Ann", 0)
    bid(first, "Bob", 1)
    bid(first, "Cy", 1)

    first.context.set_offline(False)

    expect_saved(first, "Cy — bid 1.", timeout=LATE)
    expect(pad(second, "Di")).to_be_visible(timeout=LATE)
    assert written(first) == [
        {"hand": 1, "bids": {"0": 0}},
        {"hand": 1, "bids": {"1": 1}},
        {"hand": 1, "bids": {"2": 1}},
    ]


def with_pen(scorer: Page, second: Page) -> None:
    """Gives the second phone a pen; both are at the hand."""
    sheet = scorer.url
    scorer.get_by_role("link", name="Let others watch").click()
    scorer.get_by_role("button", name="Hand over a pen").click()
    second.goto(scorer.get_by_role("link", name=re.compile("pen")).inner_text())
    second.get_by_role("button", name="Take the pen").click()
    second.wait_for_url(re.compile(r"/games/[0-9A-Z]{10}$"))
    scorer.goto(sheet)


@pytest.mark.parametrize("way", ["Keep what stands: 1", "Write mine: 0"])
def test_an_entry_refused_after_the_fact_is_asked_about_and_the_rest_is_kept(make_phone: MakePhone, way: str) -> None:
    scorer, second = make_phone(expected=f"{NETWORK}|409"), make_phone()
    start(scorer, *FOUR)
    with_pen(scorer, second)
    scorer.context.set_offline(True)
    bid(scorer, "Ann", 0)
    bid(scorer, "Bob", 0)
    bid(scorer, "Cy", 0)
    bid(second, "Ann", 1)
    expect_saved(second, "Ann — bid 1.")

    scorer.context.set_offline(False)
    asked = scorer.get_by_role("region", name="Not saved")
    expect(asked).to_contain_text("Ann — bid: now 1, written here 0", timeout=LATE)
    expect(scorer.get_by_text("3 entries are on this phone only")).to_be_visible()
    scorer.reload()
    asked.get_by_role("button", name=way).click()

    expect_saved(scorer, "Cy — bid 0.")
    expect(pad(scorer, "Di")).to_be_visible()
    assert scorer.locator("#rows li .val").all_inner_texts() == [way[-1], "0", "0", "?"]


def test_new_pens_leave_what_waits_on_the_phone_until_it_has_one_again(make_phone: MakePhone) -> None:
    scorer, second = make_phone(), make_phone(expected=f"{NETWORK}|403")
    sheet = start(scorer, *FOUR)
    with_pen(scorer, second)
    second.context.set_offline(True)
    bid(second, "Ann", 0)
    bid(second, "Bob", 1)
    scorer.goto("/book")
    scorer.get_by_role("button", name=re.compile("pens")).click()
    expect(scorer.get_by_role("status")).to_contain_text("only this phone may write")
    second.context.set_offline(False)

    expect(second.get_by_text("2 entries are on this phone only")).to_be_visible(timeout=LATE)
    second.goto("/")
    expect(second.get_by_text("2 entries are on this phone only")).to_be_visible()
    scorer.goto(sheet)
    with_pen(scorer, second)

    expect(pad(scorer, "Cy")).to_be_visible(timeout=LATE)
    assert written(scorer) == [{"hand": 1, "bids": {"0": 0}}, {"hand": 1, "bids": {"1": 1}}]


def test_the_screen_stays_on_while_the_game_goes_on(make_phone: MakePhone) -> None:
    phone = make_phone()
    phone.add_init_script("""
        window.locks = [];
        navigator.wakeLock.request = async () => {
            const lock = new EventTarget();
            lock.release = async () => { locks.splice(locks.indexOf(lock), 1); };
            locks.push(lock);
            return lock;
        };
    """)
    start(phone, *FOUR)
    until(phone, "locks.length === 1")
    switch = phone.get_by_role("checkbox", name="Keep the screen on")
    phone.get_by_text("More about this hand").click()
    switch.uncheck()
    until(phone, "locks.length === 0")
    phone.reload()
    phone.get_by_text("More about this hand").click()
    expect(switch).not_to_be_checked()
    switch.check()
    until(phone, "locks.length === 1")

    # The browser takes the lock when the tab is hidden.
    phone.evaluate("locks.pop().dispatchEvent(new Event('release'))")
    phone.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    until(phone, "locks.length === 1")
    phone.get_by_role("button", name="End the game here").click()
    expect(phone.get_by_text("Stopped early")).to_be_visible()

    until(phone, "locks.length === 0")


def test_a_page_never_seen_says_so_without_a_network(make_phone: MakePhone) -> None:
    phone = make_phone(expected=NETWORK)
    phone.goto("/")
    is_kept(phone)
    phone.context.set_offline(True)

    phone.goto("/rules")

    expect(phone.get_by_role("heading", name="No network")).to_be_visible()
    phone.get_by_role("link", name="Home").last.click()
    expect(phone.get_by_role("heading", name="Scorekeeper")).to_be_visible()


class Release:
    """Another release for an app that is being served: the same files in a folder of its own, where they may change."""

    def __init__(self, live: Live, folder: Path) -> None:
        self._folder = Path(shutil.copytree(str(live.app.static_folder), folder / "static"))
        live.app.static_folder = str(self._folder)

    def change(self, colour: str) -> None:
        """Gives every page another ground, and the script of a hand another text."""
        with (self._folder / "app.css").open("a") as style, (self._folder / "sheet.js").open("a") as script:
            style.write(f"body {{ background: {colour}; }}")
            script.write(f"window.release = {colour!r};")
        games.release.cache_clear()  # as a start does


@pytest.fixture
def release(live: Live, tmp_path: Path) -> Release:
    return Release(live, tmp_path)


def ground(page: Page) -> object:
    """The colour behind a page, as its style has it, and the release of its script."""
    return page.evaluate("[getComputedStyle(document.body).backgroundColor, window.release]")


def caches_of(page: Page) -> list[str]:
    names: list[str] = page.evaluate("caches.keys()")
    return names


def unkept_files(page: Page) -> list[str]:
    """The addresses of the scripts and styles that the page names and its service worker has not kept."""
    missing: list[str] = page.evaluate("""async () => {
        const files = [...document.querySelectorAll("link[rel=stylesheet], script[src]")];
        const names = files.map((one) => one.href ?? one.src);
        const found = await Promise.all(names.map((name) => caches.match(name)));
        return names.filter((name, n) => !found[n]);
    }""")
    return missing


RED, BLUE = "rgb(255, 0, 0)", "rgb(0, 0, 255)"


def test_a_new_release_takes_the_place_of_the_old_one(make_phone: MakePhone, release: Release) -> None:
    phone = make_phone(expected=NETWORK)
    release.change(RED)
    start(phone, *FOUR)
    is_kept(phone)
    phone.reload()
    assert ground(phone) == [RED, RED]
    (before,) = caches_of(phone)

    release.change(BLUE)
    phone.reload()

    assert ground(phone) == [BLUE, BLUE]
    until(phone, f"caches.keys().then((names) => names.length === 1 && names[0] !== '{before}')")
    until(phone, "navigator.serviceWorker.getRegistration().then(({ waiting, installing }) => !waiting && !installing)")
    assert unkept_files(phone) == []
    phone.context.set_offline(True)
    phone.reload()
    assert ground(phone) == [BLUE, BLUE]
    expect(pad(phone, "Ann")).to_be_visible()


def test_the_old_release_stays_whole_without_a_network_and_goes_with_it(
    make_phone: MakePhone, release: Release
) -> None:
    phone = make_phone(expected=NETWORK)
    release.change(RED)
    sheet = start(phone, *FOUR)
    is_kept(phone)
    phone.reload()
    (before,) = caches_of(phone)
    phone.context.set_offline(True)
    release.change(BLUE)

    phone.goto(sheet)
    assert ground(phone) == [RED, RED]
    bid(phone, "Ann", 0)
    expect(phone.get_by_text("1 entry waits for the network")).to_be_visible()
    phone.context.set_offline(False)

    expect_saved(phone, "Ann — bid 0.", timeout=LATE)
    until(phone, f"window.release === '{BLUE}'")
    assert ground(phone) == [BLUE, BLUE]
    phone.reload()
    until(phone, f"caches.keys().then((names) => names.length === 1 && names[0] !== '{before}')")


def test_no_secret_and_no_more_than_the_latest_pages_are_kept(make_phone: MakePhone) -> None:
    phone = make_phone()
    sheet = start(phone, *FOUR)
    is_kept(phone)
    phone.get_by_role("link", name="Let others watch").click()
    phone.get_by_role("button", name="Hand over a pen").click()
    for number in range(35):
        phone.goto(f"{sheet}?view=scores&n={number}")

    kept = phone.evaluate("""async () => {
        const names = await caches.keys();
        const pages = await (await caches.open(names[0])).keys();
        return [names.length, pages.map(({ url }) => new URL(url).pathname + new URL(url).search)];
    }""")

    assert kept[0] == 1
    pages = [page for page in kept[1] if not page.startswith("/static/") and page != "/offline"]
    assert len(pages) == 30
    assert not [page for page in pages if page.startswith("/pen")]
    assert pages[-1].endswith("n=34")
