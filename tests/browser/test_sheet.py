"""The sheet on a phone: whole games by the names that a person finds things by."""

import re
from collections.abc import Sequence
from io import BytesIO

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect
from pypdf import PdfReader

from scorekeeper.books import NewGame, start_game
from scorekeeper.database import db
from scorekeeper.engine.catalog import formulas
from scorekeeper.engine.events import HandWritten
from scorekeeper.engine.rules import read_rules
from scorekeeper.pens import phone_with
from scorekeeper.store import write
from tests.browser.conftest import Live, MakePhone

FOUR = ("Ann", "Bob", "Cy", "Di")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def start(page: Page, *names: str, rules: str = "Oh Hell with the hook", on: Sequence[str] = ()) -> str:
    """Starts a game on this phone and gives its address; the last seat deals, so the first bids."""
    page.goto("/games/new")
    page.get_by_role("combobox", name="Rules").fill(rules)
    page.get_by_role("combobox", name="Rules").blur()
    for number, name in enumerate(names, 1):
        page.get_by_role("textbox", name=f"Seat {number}", exact=True).fill(name)
    if on:
        page.get_by_text("Change these rules").click()
    for switch in on:
        page.get_by_role("checkbox", name=switch).check()
    page.get_by_role("radio", name=f"Seat {len(names)} deals first").check()
    page.get_by_role("button", name="Start game").click()
    page.wait_for_url(re.compile(r"/games/[0-9A-Z]{10}$"))
    return page.url


def pad(page: Page, name: str) -> Locator:
    return page.get_by_role("group", name=f"{name} — bid?")


def bid(page: Page, name: str, number: int) -> None:
    pad(page, name).get_by_role("button", name=str(number), exact=True).click()


def play(page: Page, number: int, bids: dict[str, int], more: dict[str, int]) -> None:
    """Plays a hand: bids in bidding order, then `more` tricks than bid for who missed, then Save."""
    for name, count in bids.items():
        bid(page, name, count)
    for name, count in more.items():
        button = page.get_by_role("button", name=f"One trick {'more' if count > 0 else 'fewer'}: {name}")
        for _tap in range(abs(count)):
            button.click()
    page.get_by_role("button", name=f"Save hand {number}").click()


def log(page: Page) -> list[dict[str, object]]:
    """Every entry of the game on the page, as its file gives them."""
    entries: list[dict[str, object]] = page.request.get(f"{page.url.partition('?')[0]}.json").json()["log"]
    return entries


def expect_saved(page: Page, what: str, timeout: float = 5000) -> None:
    """Waits until the server's page says that this is what Undo takes back."""
    expect(page.get_by_role("button", name="Undo")).to_have_accessible_description(what, timeout=timeout)


def totals(page: Page) -> dict[str, str]:
    """Player and total of each line of the standings, in order of place."""
    rows = page.get_by_role("table", name="Standings").locator("tbody tr")
    return {row.locator("th bdi").inner_text(): row.locator("td.tot").inner_text() for row in rows.all()}


@pytest.fixture
def four(phone: Page) -> Page:
    """A four-player game with the hook, on the phone that started it; Ann bids first."""
    start(phone, *FOUR)
    return phone


def test_a_whole_game_from_the_first_start_to_the_paper(phone: Page) -> None:
    start(phone, *FOUR)
    play(phone, 1, {"Ann": 0, "Bob": 0, "Cy": 0, "Di": 0}, {"Ann": 1})
    order = ["Ann", "Bob", "Cy", "Di"]
    for number in range(2, 14):
        order = [*order[1:], order[0]]
        play(phone, number, {name: int(name == "Bob") for name in order}, {"Di": number - 1})

    table = phone.get_by_role("table", name="Standings")
    expect(table.get_by_role("columnheader")).to_have_text(["Place", "Player", "Total"])
    expect(table.locator("td.rank")).to_have_text(["1", "2", "3", "4"])
    assert totals(phone) == {"Bob": "142", "Cy": "130", "Ann": "120", "Di": "10"}
    expect(phone.get_by_text("Winner: Bob")).to_be_visible()

    phone.get_by_role("link", name="Print").click()
    phone.wait_for_url("**/print")
    document = PdfReader(BytesIO(phone.pdf(format="A4")))
    assert len(document.pages) == 1
    words = document.pages[0].extract_text().split()
    for total in ("142", "130", "120"):
        assert total in words
    assert {f"{number}" for number in range(1, 14)} <= set(words)


def test_four_players_with_one_miss_take_six_taps(four: Page) -> None:
    play(four, 1, {"Ann": 0, "Bob": 0, "Cy": 0, "Di": 0}, {"Ann": 1})
    expect(four.get_by_role("heading", name="Hand 2 of 13")).to_be_visible()
    four.evaluate("window.taps = 0; addEventListener('click', (event) => (window.taps += event.isTrusted), true)")

    play(four, 2, {"Bob": 1, "Cy": 0, "Di": 0, "Ann": 0}, {"Di": 1})

    expect(four.get_by_role("heading", name="Hand 3 of 13")).to_be_visible()
    assert four.evaluate("window.taps") == 6


def test_scores_print_and_undo_are_at_hand_on_every_screen(four: Page) -> None:
    for step in range(3):
        if step == 1:
            for name in FOUR:
                bid(four, name, 0)
        if step == 2:
            four.get_by_role("link", name="Scores").click()
            expect(four.get_by_role("table", name="Standings")).to_be_visible()
        expect(four.get_by_role("link", name="Scores", exact=True)).to_be_visible()
        expect(four.get_by_role("link", name="Print", exact=True)).to_be_visible()
        expect(four.get_by_role("button", name="Undo", exact=True)).to_be_visible()
        expect(four.get_by_role("status")).to_have_count(1)


def test_the_forbidden_chip_says_why_and_stores_nothing(four: Page) -> None:
    for name in ("Ann", "Bob", "Cy"):
        bid(four, name, 0)
    expect_saved(four, "Cy — bid 0.")
    chip = pad(four, "Di").get_by_role("button", name="1", exact=True)
    expect(chip).to_have_attribute("aria-disabled", "true")
    expect(chip).to_have_accessible_description("Not 1: the bids would equal the 1 trick.")

    chip.click(force=True)

    expect(four.get_by_role("status")).to_contain_text("Not 1: the bids would equal the 1 trick.")
    expect(pad(four, "Di")).to_be_visible()
    assert len(log(four)) == 3


def test_the_table_may_write_a_forbidden_bid_anyway(four: Page) -> None:
    for name in ("Ann", "Bob", "Cy"):
        bid(four, name, 0)

    four.locator("#reason summary").click()
    four.get_by_role("button", name="Write it anyway").click()

    expect(four.get_by_text("Bids are even")).to_be_visible()
    four.get_by_role("button", name="Save hand 1").click()
    expect(pad(four, "Bob")).to_be_visible()
    four.get_by_role("link", name="Scores").click()
    expect(four.locator(".grid").get_by_text("allowed")).to_be_visible()


@pytest.mark.parametrize("width", [320, 390])
def test_no_chip_stands_alone_in_a_row_of_its_own(make_phone: MakePhone, width: int) -> None:
    phone = make_phone(viewport={"width": width, "height": 844})
    start(phone, *FOUR)

    rows = phone.evaluate("""() => {
        const pad = document.getElementById("pad");
        return Array.from({ length: 27 }, (_, cards) => {
            while (pad.children.length < cards + 1) pad.append(pad.lastElementChild.cloneNode(true));
            while (pad.children.length > cards + 1) pad.lastElementChild.remove();
            const tops = [...pad.children].map((chip) => chip.getBoundingClientRect().top);
            return [...new Set(tops)].map((top) => tops.filter((one) => one === top).length);
        });
    }""")

    for cards, chips in enumerate(rows):
        assert sum(chips) == cards + 1
        assert max(chips) <= 6
        assert len(chips) == -(-(cards + 1) // 6)
        assert cards == 0 or min(chips) > 1


def test_save_is_dead_until_the_tricks_add_up(four: Page) -> None:
    for name in FOUR:
        bid(four, name, 0)
    save = four.get_by_role("button", name="Save hand 1")
    expect(save).to_have_attribute("aria-disabled", "true")
    expect(save).to_have_accessible_description("1 trick is missing")

    four.get_by_role("button", name="One trick more: Cy").click()

    expect(save).not_to_have_attribute("aria-disabled", "true")


def test_a_correction_of_an_early_hand_changes_later_totals(four: Page) -> None:
    play(four, 1, {"Ann": 0, "Bob": 0, "Cy": 0, "Di": 0}, {"Ann": 1})
    play(four, 2, {"Bob": 1, "Cy": 0, "Di": 0, "Ann": 0}, {"Di": 1})
    four.get_by_role("link", name="Scores").click()
    expect(four.get_by_role("table", name="Standings")).to_be_visible()
    assert totals(four) == {"Bob": "21", "Cy": "20", "Ann": "10", "Di": "10"}

    four.get_by_role("link", name="Correct hand 1").click()
    expect(four.get_by_role("heading", name="Correcting hand 1")).to_be_visible()
    four.get_by_role("button", name="One trick fewer: Ann").click()
    four.get_by_role("button", name="One trick more: Cy").click()
    four.get_by_role("button", name="Save hand 1").click()
    expect(pad(four, "Cy")).to_be_visible()

    four.get_by_role("link", name="Scores").click()
    expect(four.get_by_role("table", name="Standings")).to_be_visible()
    assert totals(four) == {"Bob": "21", "Ann": "20", "Cy": "10", "Di": "10"}
    expect(four.locator(".grid").get_by_text("edited")).to_be_visible()


def test_a_bid_of_an_earlier_hand_is_corrected_by_a_tap_on_its_row(four: Page) -> None:
    play(four, 1, {"Ann": 0, "Bob": 0, "Cy": 0, "Di": 0}, {"Ann": 1})
    play(four, 2, {"Bob": 1, "Cy": 0, "Di": 0, "Ann": 0}, {"Di": 1})
    expect_saved(four, "Hand 2 saved.")
    four.goto(f"{four.url}/hands/2")

    four.get_by_role("link", name="Change bid: Di").click()
    bid(four, "Di", 2)
    expect(four.get_by_text("Over by 1")).to_be_visible()
    bobs = four.locator("li", has_text="Bob")
    expect(bobs).to_contain_text("Bid 1")
    expect_saved(four, "Di — bid 2.")
    expect(four.get_by_role("heading", name="Correcting hand 2")).to_be_visible()
    four.get_by_role("link", name="Scores").click()
    expect(four.locator(".grid tbody tr").first.locator("td").last).to_contain_text("2")


def test_undo_goes_back_across_hands_and_after_a_reload(four: Page) -> None:
    play(four, 1, {"Ann": 0, "Bob": 0, "Cy": 0, "Di": 0}, {"Ann": 1})
    bid(four, "Bob", 1)
    expect(pad(four, "Cy")).to_be_visible()
    undo = four.get_by_role("button", name="Undo")

    undo.click()
    expect(pad(four, "Bob")).to_be_visible()
    undo.click()
    expect(four.get_by_role("button", name="Save hand 1")).to_be_visible()
    four.reload()
    undo.click()
    expect(pad(four, "Di")).to_be_visible()
    expect_saved(four, "Cy — bid 0.")

    hands = four.request.get(f"{four.url}.json").json()["hands"]
    assert [hand["bids"] for hand in hands] == [[0, 0, 0, None]]


def test_steps_survive_a_reload_and_write_nothing_until_save(four: Page) -> None:
    for name in FOUR:
        bid(four, name, 0)
    expect_saved(four, "Di — bid 0.")
    four.get_by_role("button", name="One trick more: Cy").click()
    expect(four.get_by_text("Tricks 1 of 1")).to_be_visible()

    four.reload()

    expect(four.get_by_text("Tricks 1 of 1")).to_be_visible()
    assert len(log(four)) == 4


def test_taps_faster_than_the_network_all_arrive_in_order(four: Page) -> None:
    network = four.context.new_cdp_session(four)
    slow = {"offline": False, "latency": 400, "downloadThroughput": -1, "uploadThroughput": -1}
    network.send("Network.emulateNetworkConditions", slow)
    play(four, 1, {"Ann": 0, "Bob": 0, "Cy": 0, "Di": 0}, {"Ann": 1})
    for name, number in (("Bob", 1), ("Cy", 0), ("Di", 2)):
        bid(four, name, number)
    expect(pad(four, "Ann")).to_be_visible()
    assert len(log(four)) < 8  # the screen is ahead of the server
    expect_saved(four, "Di — bid 2.", timeout=20_000)

    assert [entry["data"] for entry in log(four)] == [
        {"hand": 1, "bids": {"0": 0}},
        {"hand": 1, "bids": {"1": 0}},
        {"hand": 1, "bids": {"2": 0}},
        {"hand": 1, "bids": {"3": 0}},
        {"hand": 1, "tricks": {"0": 1, "1": 0, "2": 0, "3": 0}},
        {"hand": 2, "bids": {"1": 1}},
        {"hand": 2, "bids": {"2": 0}},
        {"hand": 2, "bids": {"3": 2}},
    ]


def test_a_lost_network_loses_no_tap(make_phone: MakePhone) -> None:
    phone = make_phone(expected="ERR_(INTERNET_DISCONNECTED|FAILED)")
    start(phone, *FOUR)
    phone.context.set_offline(True)
    for name in ("Ann", "Bob"):
        bid(phone, name, 0)
    expect(phone.get_by_role("status")).to_contain_text("Trying again")

    phone.context.set_offline(False)

    expect_saved(phone, "Bob — bid 0.")
    assert len(log(phone)) == 2


def test_a_game_without_a_script(make_phone: MakePhone) -> None:
    phone = make_phone(java_script_enabled=False)
    start(phone, *FOUR)
    play(phone, 1, {"Ann": 0, "Bob": 0, "Cy": 0, "Di": 0}, {"Ann": 1})
    expect(phone.get_by_role("heading", name="Hand 2 of 13")).to_be_visible()
    bid(phone, "Bob", 1)
    phone.get_by_role("button", name="Undo").click()
    play(phone, 2, {"Bob": 2, "Cy": 0, "Di": 0, "Ann": 1}, {"Bob": -1})

    phone.get_by_role("link", name="Scores").click()

    assert totals(phone) == {"Cy": "20", "Di": "20", "Ann": "11", "Bob": "10"}


def test_a_phone_without_a_pen_reads_along_and_cannot_write(four: Page, make_phone: MakePhone) -> None:
    reader = make_phone(expected="403")
    reader.goto(four.url)
    expect(reader.get_by_role("table", name="Standings")).to_be_visible()
    expect(reader.locator("form input, form button")).to_have_count(0)

    bid(four, "Ann", 1)

    expect(reader.locator("tr", has_text="Ann").locator("td.bid")).to_have_text("1", timeout=3000)
    answer = reader.evaluate("fetch(location.pathname + '/hands/1', {method: 'POST'}).then((answer) => answer.status)")
    assert answer == 403


def test_a_second_phone_takes_a_pen_and_both_write(four: Page, make_phone: MakePhone) -> None:
    four.get_by_role("link", name="Let others watch").click()
    four.get_by_role("button", name="Hand over a pen").click()
    invitation = four.get_by_role("link", name=re.compile("pen")).inner_text()
    second = make_phone()
    second.goto(invitation)
    second.get_by_role("button").click()
    second.wait_for_url(re.compile(r"/games/[0-9A-Z]{10}$"))

    bid(second, "Ann", 1)

    four.goto(second.url)
    bid(four, "Bob", 1)
    expect(pad(second, "Cy")).to_be_visible(timeout=4000)


def test_bids_made_all_at_once_that_come_out_even_ask_the_table(make_phone: MakePhone) -> None:
    phone = make_phone(expected="422")
    start(phone, *FOUR, on=["All bid at the same time"])
    for name, number in (("Ann", 1), ("Bob", 0), ("Cy", 0), ("Di", 0)):
        bid(phone, name, number)
    expect(phone.get_by_role("region", name="Not saved").get_by_text("The bids equal the 1 trick.")).to_be_visible()
    check(phone, "the bids are even")

    phone.get_by_role("button", name="All bid again").click()

    expect(pad(phone, "Ann")).to_be_visible()
    for name, number in (("Ann", 1), ("Bob", 0), ("Cy", 0), ("Di", 1)):
        bid(phone, name, number)
    expect(phone.get_by_text("Over by 1")).to_be_visible()


def test_two_phones_that_write_the_same_bid_differently_are_asked(four: Page, make_phone: MakePhone) -> None:
    four.get_by_role("link", name="Let others watch").click()
    four.get_by_role("button", name="Hand over a pen").click()
    invitation = four.get_by_role("link", name=re.compile("pen")).inner_text()
    second = make_phone(expected="409")
    second.goto(invitation)
    second.get_by_role("button").click()
    second.wait_for_url(re.compile(r"/games/[0-9A-Z]{10}$"))
    four.goto(second.url)
    bid(four, "Ann", 1)
    bid(second, "Ann", 0)
    asked = second.get_by_role("region", name="Not saved")
    expect(asked).to_contain_text("Ann — bid: now 1, written here 0")
    check(second, "a conflict")

    asked.get_by_role("button", name="Write mine: 0").click()

    expect(pad(second, "Bob")).to_be_visible()
    expect(four.locator("li", has_text="Ann").locator(".val")).to_have_text("0", timeout=4000)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(390, 844), (320, 568)])
def test_every_page_of_a_game_is_accessible(make_phone: MakePhone, scheme: str, size: tuple[int, int]) -> None:
    width, height = size
    phone = make_phone(color_scheme=scheme, viewport={"width": width, "height": height})
    sheet = start(phone, "Ann", "Žydrūnė Šimkutė", "Cy", "Di", "Eleni", "Fay", "Gus")
    first = ["Ann", "Žydrūnė Šimkutė", "Cy", "Di", "Eleni", "Fay"]

    check(phone, "the first bid")
    for name in first:
        bid(phone, name, 0)
    check(phone, "a forbidden bid")
    bid(phone, "Gus", 0)
    check(phone, "tricks")
    phone.get_by_role("button", name="One trick more: Ann").click()
    phone.get_by_role("button", name="Save hand 1").click()
    expect(pad(phone, "Žydrūnė Šimkutė")).to_be_visible()
    for address in ("?view=scores", "?view=share", "/hands/1", "/hands/1?seat=0", "/print"):
        phone.goto(f"{sheet}{address}")
        check(phone, address)
    phone.goto(sheet)
    phone.get_by_text("More about this hand").click()
    check(phone, "more")
    phone.get_by_role("button", name="End the game here").click()
    expect(phone.get_by_text("Stopped early")).to_be_visible()
    check(phone, "standings")


def check(page: Page, what: str) -> None:
    expect(page.locator("[inert]")).to_have_count(0)
    found = Axe().run(page, options={"runOnly": RULES}).response["violations"]
    assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == [], what


@pytest.mark.parametrize("paper", ["A4", "Letter"])
@pytest.mark.parametrize(("players", "hands", "pages"), [(5, 19, 1), (7, 25, 2)])
def test_a_long_game_fits_on_paper(phone: Page, live: Live, paper: str, players: int, hands: int, pages: int) -> None:
    code = played_to_the_end(live, players, hands)
    phone.emulate_media(color_scheme="dark")
    phone.goto(f"/games/{code}/print")

    document = PdfReader(BytesIO(phone.pdf(format=paper)))

    assert len(document.pages) <= pages
    words = " ".join(page.extract_text() for page in document.pages).split()
    assert {str(number) for number in range(1, hands + 1)} <= set(words)
    assert str(10 * hands) in words  # who made every bid of zero


def played_to_the_end(live: Live, players: int, hands: int) -> str:
    """A game of one-card hands in which all bid zero, and the first player takes every trick."""
    names = ("Bartholomew", "Žydrūnė Šimkutė", "Cy", "Di", "Maximilian", "Fay", "Gus")[:players]
    with live.app.app_context():
        session = db.session()
        rules = read_rules({"schedule": {"segments": [{"from": 1, "to": 1, "each": hands}]}}, formulas())
        new = NewGame(players=names, rules=rules, preset=None, first_dealer=0, title="The longest evening")
        writer = phone_with(session, "a phone")
        code = start_game(session, writer, new, house=False)
        for number in range(1, hands + 1):
            written = HandWritten.of(
                number,
                bids=dict.fromkeys(range(players), 0),
                tricks={seat: int(seat == 0) for seat in range(players)},
                trump="H" if number < hands else None,
            )
            write(session, code, writer, written, f"hand {number}", number)
    return code
