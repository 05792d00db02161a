"""Cards tapped on a phone, and what they are worth."""

from io import BytesIO
from random import Random

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect
from pypdf import PdfReader

from scorekeeper.engine.advice import advise
from scorekeeper.engine.cards import pack_of
from scorekeeper.engine.catalog import presets
from tests.browser.conftest import MakePhone

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """The first question has numba compile for many seconds: done before a browser waits for an answer."""
    rules = presets()["oh_hell_hook"].rules
    advise(rules, 3, pack_of(rules, 3).read(["AS", "KS"]), Random(1), trump="S", earlier=(1, 0))


def tap(page: Page, *cards: str) -> None:
    for card in cards:
        page.get_by_role("checkbox", name=card, exact=True).check()


@pytest.mark.parametrize("script", [True, False])
def test_cards_are_tapped_and_the_advice_stands_above_them(make_phone: MakePhone, script: bool) -> None:
    phone = make_phone(java_script_enabled=script)
    phone.goto("/advise?rules=oh_hell_hook")
    tap(phone, "Ace of spades", "King of spades")
    phone.get_by_role("group", name="Trump").get_by_role("radio", name="Spades").check()
    phone.get_by_role("combobox", name="Players").select_option("3")
    phone.get_by_role("textbox", name="Bids before yours, in order").fill("1, 0")
    phone.get_by_role("button", name="What is it worth?").click()

    expect(phone.get_by_role("heading", name="Best bid: 2")).to_be_in_viewport()
    rows = phone.get_by_role("table", name="Bids").locator("tbody tr")
    assert [row.inner_text().split()[0] for row in rows.all()] == ["0", "1", "2"]
    expect(rows.nth(1)).to_contain_text("Not 1: the bids would equal the 2 tricks.")
    expect(rows.nth(2)).to_contain_text("100%")
    expect(phone.get_by_role("table", name="Tricks with the best bid").locator("tbody tr")).to_have_count(1)
    expect(phone.get_by_role("checkbox", name="Ace of spades")).to_be_checked()


def test_the_keyboard_alone_is_enough(phone: Page) -> None:
    phone.goto("/advise")
    phone.get_by_role("checkbox", name="Ace of hearts").focus()
    phone.keyboard.press("Space")
    phone.get_by_role("radio", name="Hearts").focus()
    phone.keyboard.press("Space")
    phone.get_by_role("textbox", name="Bids before yours, in order").press("Enter")

    expect(phone.get_by_role("heading", name="Best bid: 1")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [(390, 844), (320, 568)])
def test_the_page_is_fit_for_all(make_phone: MakePhone, scheme: str, width: int, height: int) -> None:
    phone = make_phone(viewport={"width": width, "height": height}, color_scheme=scheme, expected="422")
    hand = "cards=AS&cards=KH&cards=9H&cards=4C"
    for address in (
        f"/advise?rules=oh_hell_hook&ask=1&{hand}&trump=H&bids=1,2,0",
        f"/advise?ask=1&{hand}",
        "/advise?rules=wizard",
    ):
        phone.goto(address)

        found = Axe().run(phone, options={"runOnly": RULES}).response["violations"]
        assert [(one["id"], [node["target"] for node in one["nodes"]]) for one in found] == []
        assert phone.evaluate("document.documentElement.scrollWidth") == width
        boxes = [box.bounding_box() for box in phone.locator(".pick").all()]
        assert min(min(box["width"], box["height"]) for box in boxes if box) >= 44


def test_no_hand_that_was_asked_about_takes_the_place_of_a_game_s_page(phone: Page) -> None:
    phone.goto("/rules")
    phone.evaluate("navigator.serviceWorker.ready.then(() => true)")
    phone.reload()
    phone.goto("/advise?rules=oh_hell")
    phone.goto("/rules/oh_hell")

    kept = phone.evaluate("""async () => {
        const names = await caches.keys();
        const found = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
        return found.flat().map(({ url }) => new URL(url).pathname);
    }""")
    assert "/rules/oh_hell" in kept
    assert "/advise" not in kept


def test_the_advice_is_printed_without_the_form(make_phone: MakePhone) -> None:
    phone = make_phone(viewport={"width": 1000, "height": 800}, color_scheme="dark")
    phone.goto("/advise?ask=1&cards=AS&cards=KS&trump=S")

    (sheet,) = PdfReader(BytesIO(phone.pdf(format="A4"))).pages

    text = sheet.extract_text()
    assert "Best bid: 2" in text
    assert "Choose" not in text
