"""Home, new game, rules and pens on a phone: one thumb, few taps, nothing hidden, with and without a script."""

import re
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Live, MakePhone

PHONE = {"width": 390, "height": 844}
SHEET = re.compile(r"/games/[0-9A-Z]{10}$")
SMALL = {"width": 320, "height": 568}
FIVE = ("Agnė", "Jonas", "Eleni", "Tomas", "Ruta")


def seat(page: Page, number: int) -> Locator:
    return page.get_by_role("textbox", name=f"Seat {number}")


def start(page: Page, live: Live, names: tuple[str, ...] = FIVE) -> None:
    page.goto(f"{live.url}/games/new")
    for number, name in enumerate(names, 1):
        seat(page, number).fill(name)
    page.get_by_role("button", name="Start game").click()
    page.wait_for_url(SHEET)


@pytest.mark.parametrize("screen", [PHONE, SMALL], ids=["390", "320"])
def test_a_regular_group_is_at_the_table_in_ten_taps(live: Live, make_phone: MakePhone, screen: dict[str, int]) -> None:
    phone = make_phone(viewport=screen, has_touch=True)
    start(phone, live)
    phone.goto(live.url)
    taps = 0

    def tap(target: Locator) -> None:
        nonlocal taps
        target.tap()
        taps += 1

    tap(phone.get_by_role("link", name="New game"))
    for name in FIVE:
        tap(phone.get_by_role("button", name=name, exact=True))
    tap(phone.get_by_role("radio", name="Seat 4 deals first"))
    tap(phone.get_by_role("button", name="Start game"))
    phone.wait_for_url(SHEET)

    assert taps <= 10


def test_buttons_act_at_once_without_asking_the_server(live: Live, make_phone: MakePhone) -> None:
    phone = make_phone(viewport=PHONE)
    start(phone, live)
    phone.goto(f"{live.url}/games/new")
    asked: list[str] = []
    phone.on("request", lambda request: asked.append(request.url))

    for name in ("Ruta", "Tomas"):
        phone.get_by_role("button", name=name, exact=True).click()
    seat(phone, 3).fill("Zoe")
    phone.get_by_role("radio", name="Seat 3 deals first").check()
    phone.get_by_role("button", name="Move up: Seat 3").click()
    phone.get_by_role("button", name="Ruta", exact=True).click()

    assert [seat(phone, number).input_value() for number in (1, 2, 3)] == ["", "Zoe", "Tomas"]
    assert phone.get_by_role("radio", name="Seat 2 deals first").is_checked()
    expect(phone.get_by_role("button", name="Tomas", exact=True)).to_have_attribute("aria-pressed", "true")
    expect(phone.get_by_role("button", name="Ruta", exact=True)).to_have_attribute("aria-pressed", "false")
    phone.get_by_role("button", name="Draw the dealer").click()
    # The browser fetches the page's icon when it likes; what a button asks is a page or data.
    assert [url for url in asked if "/static/" not in url] == []


def test_rules_are_chosen_by_an_alias_and_set_the_switches(live: Live, make_phone: MakePhone) -> None:
    phone = make_phone(viewport=PHONE)
    phone.goto(f"{live.url}/games/new")

    phone.get_by_role("combobox", name="Rules").fill("elevator")
    phone.get_by_role("combobox", name="Rules").press("Tab")

    expect(phone.locator("#words")).to_contain_text("hook on")
    expect(seat(phone, 8)).to_be_visible()
    phone.get_by_text("Change these rules").click()
    expect(phone.get_by_role("checkbox", name="Hook: the bids may not add up to the tricks")).to_be_checked()
    expect(phone.get_by_role("radio", name="Up and down", exact=True)).to_be_checked()
    phone.get_by_role("radio", name="Down, to one card").check()
    expect(phone.locator("#words")).to_contain_text("17→1")
    seat(phone, 1).fill("Ann")
    phone.get_by_role("combobox", name="Rules").fill("La Podrida")
    phone.get_by_role("combobox", name="Rules").press("Tab")
    expect(seat(phone, 8)).to_be_hidden()
    expect(phone.get_by_role("checkbox", name="Who cannot follow suit must play a trump")).to_be_checked()
    expect(seat(phone, 1)).to_have_value("Ann")


def test_enter_goes_on_to_the_next_seat(live: Live, make_phone: MakePhone) -> None:
    phone = make_phone(viewport=PHONE)
    phone.goto(f"{live.url}/games/new")

    seat(phone, 1).press_sequentially("Ann")
    seat(phone, 1).press("Enter")

    expect(seat(phone, 2)).to_be_focused()


def test_the_rules_are_still_there_after_looking_at_the_list(live: Live, make_phone: MakePhone) -> None:
    phone = make_phone(viewport=PHONE)
    phone.goto(f"{live.url}/games/new")

    phone.get_by_role("combobox", name="Rules").click()
    phone.get_by_role("textbox", name="Name of the game").click()

    expect(phone.get_by_role("combobox", name="Rules")).to_have_value("Oh Hell")


def test_a_new_game_needs_no_script(live: Live, make_phone: MakePhone) -> None:
    phone = make_phone(viewport=PHONE, java_script_enabled=False)
    start(phone, live)
    phone.goto(f"{live.url}/games/new")

    for name in ("Ruta", "Tomas", "Eleni"):
        phone.get_by_role("button", name=name, exact=True).click()
    phone.get_by_role("button", name="Move up: Seat 3").click()
    phone.get_by_role("combobox", name="Rules").fill("La Podrida")
    phone.get_by_role("combobox", name="Rules").press("Enter")
    expect(phone.locator("#words")).to_contain_text("must trump")
    phone.get_by_role("button", name="Start game").click()

    phone.wait_for_url(SHEET)
    for name in ("Ruta", "Eleni", "Tomas"):
        expect(phone.get_by_text(name).first).to_be_visible()


def test_a_mistake_is_said_in_place_and_what_was_typed_stands(live: Live, make_phone: MakePhone) -> None:
    phone = make_phone(viewport=PHONE, expected="422")
    phone.goto(f"{live.url}/games/new")
    for number, name in enumerate(("Ann", "ann", "Cy"), 1):
        seat(phone, number).fill(name)

    phone.get_by_role("button", name="Start game").click()

    expect(seat(phone, 2)).to_have_accessible_description(
        "Two players have this name. Add a letter to tell them apart."
    )
    expect(seat(phone, 2)).to_have_value("ann")
    expect(phone.get_by_role("status")).to_have_text("Not started yet: something is missing.")


def test_a_second_phone_takes_a_pen(live: Live, make_phone: MakePhone) -> None:
    first, second = make_phone(viewport=PHONE), make_phone(viewport=PHONE)
    start(first, live)
    first.goto(f"{live.url}/book")
    first.get_by_role("button", name="Hand over a pen").click()
    address = first.locator(".address a").inner_text()

    second.goto(address)
    second.get_by_role("button", name="Take the pen").click()

    second.wait_for_url(SHEET)
    expect(second.get_by_role("button", name="0", exact=True)).to_be_visible()


def no_wider_than_the_screen(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


@pytest.mark.parametrize("screen", [PHONE, SMALL], ids=["390", "320"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_is_accessible_and_fits(
    live: Live, make_phone: MakePhone, screen: dict[str, int], scheme: str
) -> None:
    phone = make_phone(viewport=screen, color_scheme=scheme, expected="40[34]|422")
    check = _checker(phone)
    check(live.url)
    check(f"{live.url}/book")  # without a pen: an error page
    start(phone, live, ("Agnė", "רותה", "x" * 40))
    for address in (f"{phone.url}/table", f"{phone.url}/plan"):
        check(address)
    phone.goto(f"{live.url}/book")
    phone.get_by_role("button", name="Hand over a pen").click()
    invitation = phone.url
    for address in (
        "/",
        "/book",
        "/games/new",
        "/rules",
        "/rules?q=zzz",
        "/rules/prospect",
        "/rules/oh_hell/blank",
        "/lab",
        "/lab?rules=oh_hell&rules=plump&rules=wizard&rules=zzz&players=5",
    ):
        check(live.url + address)
    check(invitation)
    phone.goto(f"{live.url}/games/new")
    phone.get_by_text("Change these rules").click()
    phone.get_by_label("Largest hand").fill("99")
    phone.get_by_role("button", name="Start game").click()
    expect(phone.get_by_text("A whole number from 1 to 15")).to_be_visible()
    check(phone.url, again=False)
    guest = make_phone(viewport=screen, color_scheme=scheme)
    for address in (live.url, invitation):
        _checker(guest)(address)


def _checker(phone: Page) -> Callable[..., None]:
    def check(address: str, *, again: bool = True) -> None:
        if again:
            phone.goto(address)
        found = Axe().run(phone)
        assert found.violations_count == 0, f"{address}\n{found.generate_report()}"
        assert no_wider_than_the_screen(phone), address

    return check
