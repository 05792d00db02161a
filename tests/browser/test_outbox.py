"""The outbox against a network that loses requests and answers: every entry arrives, in order, once."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.errors import FlakyFailure
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test
from playwright.sync_api import Browser, Page, Route

OUTBOX = (Path(__file__).parents[2] / "static" / "outbox.js").read_text("utf-8")
CODE = "0123456789"
SAFE, PLAIN = "https://table.test", "http://table.test"  # only a safe address has locks

# A page with the outbox and, in place of the network, requests that hang until the test lets them go.
SCRIPT = """
import { newKey, outboxOf } from "/outbox.js";
window.hanging = [];
window.fetch = (url, { body, signal }) => new Promise((answer, lose) => {
  hanging.push({ fields: Object.fromEntries(body), answer, lose });
});
const box = outboxOf("0123456789");
box.addEventListener("refused", ({ detail }) => (window.refused = detail.entry.key));
const rest = () => new Promise((done) => setTimeout(done, 0));
window.tap = (text) => {
  const key = newKey();
  box.add({ key, url: "/", body: [["text", text]], base: 0 });
  return key;
};
window.undo = (entry) => {
  const key = newKey();
  box.add({ key, url: "/", body: [["entry", entry]], base: 0 });
  return key;
};
window.letGo = async (status) => {
  const { answer, lose } = hanging.shift();
  if (status) {
    const response = new Response(`<a href="/games/0123456789/undo">`, { status });
    answer(response);
  } else lose(new TypeError("lost"));
  await rest();
};
window.state = () => ({
  hanging: hanging.map(({ fields }) => fields),
  keys: box.entries().map(({ key }) => key),
  stopped: box.stopped,
});
window.leaveOut = () => box.leaveOut();
window.replace = (text) => box.replace({ url: "/", body: [["text", text]], base: 1 });
box.run();
"""


class Server:
    """What the app promises, in a few lines: a key counts once, and what another scorer wrote meanwhile is refused."""

    def __init__(self) -> None:
        self.log: dict[str, str] = {}
        self.strict = False  # another scorer has written: an entry of before is refused

    def post(self, fields: dict[str, str]) -> int:
        key, text = fields["key"], fields.get("text") or f"undo {fields['entry']}"
        if key in self.log:
            return 200 if self.log[key] == text else 422
        if self.strict and fields["base"] == "0" and "text" in fields:
            self.strict = False
            return 409
        self.log[key] = text
        return 200


class OutboxMachine(RuleBasedStateMachine):
    """Taps, losses, repeats, another scorer, closing and opening, in any order."""

    page: Page
    origin: str

    def __init__(self) -> None:
        super().__init__()
        self.server = Server()
        self.stopped: str | None = None  # the key of the entry that was refused
        self.taps: list[tuple[str, str]] = []  # what was tapped and not left out: key and text
        self.page.evaluate("localStorage.clear()")
        self.open()

    def open(self) -> None:
        """Opens the page, or closes it and opens it again: what was on its way is lost with it."""
        self.page.goto(f"{self.origin}/")
        self.settled()

    def let_go(self, status: int) -> None:
        """Ends the request in flight: with this status, or 0 for no answer at all."""
        self.page.evaluate("status => letGo(status)", status)
        self.settled()

    @property
    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = self.page.evaluate("state()")
        return found

    def settled(self) -> dict[str, Any]:
        """The state once the outbox has nothing more to do by itself; a pause between two tries is cut short."""
        state = self.state
        for _try in range(200):
            self.stopped = state["stopped"]
            if state["hanging"] or state["stopped"] or not state["keys"]:
                return state
            self.page.evaluate("dispatchEvent(new Event('online'))")
            self.page.wait_for_timeout(2)
            state = self.state
        raise AssertionError(f"nothing is sent: {state}")

    @precondition(lambda self: not self.stopped)
    @rule()
    def tap(self) -> None:
        text = f"tap {len(self.taps)}"
        self.taps.append((self.page.evaluate("text => tap(text)", text), text))
        self.settled()

    @precondition(lambda self: self.taps and not self.stopped and not self.taps[-1][1].startswith("undo"))
    @rule()
    def undo(self) -> None:
        key = self.taps[-1][0]
        self.taps.append((self.page.evaluate("key => undo(key)", key), f"undo {key}"))
        self.settled()

    @rule()
    def another_scorer_writes(self) -> None:
        self.server.strict = True
        self.answer_arrives()

    @rule()
    def request_is_lost(self) -> None:
        if self.settled()["hanging"]:
            self.let_go(0)

    @rule()
    def answer_is_lost(self) -> None:
        if hanging := self.settled()["hanging"]:
            self.server.post(hanging[0])
            self.let_go(0)

    @rule()
    def server_is_out_of_order(self) -> None:
        if self.settled()["hanging"]:
            self.let_go(503)

    @rule()
    def answer_arrives(self) -> None:
        if hanging := self.settled()["hanging"]:
            status = self.server.post(hanging[0])
            taken_back = f"undo {hanging[0]['key']}"
            if status == 409 and any(text == taken_back for _key, text in self.taps):
                self.forget(hanging[0]["key"])
            self.let_go(status)

    @rule()
    def page_is_closed_and_opened(self) -> None:
        self.open()

    @precondition(lambda self: self.stopped)
    @rule()
    def leave_it_out(self) -> None:
        self.forget(self.stopped)
        self.page.evaluate("leaveOut()")
        self.settled()

    @precondition(lambda self: self.stopped)
    @rule()
    def write_it_anyway(self) -> None:
        key = self.stopped
        self.taps = [(one, f"{text} anyway" if one == key else text) for one, text in self.taps]
        self.page.evaluate("text => replace(text)", next(text for one, text in self.taps if one == key))
        self.settled()

    def forget(self, key: str | None) -> None:
        self.taps = [(one, text) for one, text in self.taps if one != key and text != f"undo {key}"]

    @invariant()
    def at_most_one_is_in_flight(self) -> None:
        assert len(self.state["hanging"]) <= 1

    @invariant()
    def each_is_on_the_server_or_still_on_the_phone(self) -> None:
        keys = [key for key, _text in self.taps]
        assert len(set(keys)) == len(keys)
        assert set(keys) <= {*self.server.log, *self.state["keys"]}
        assert [*self.server.log.items()] == self.taps[: len(self.server.log)]

    def teardown(self) -> None:
        for _step in range(3 * len(self.taps) + 3):
            if not self.settled()["keys"]:
                break
            if self.stopped:
                self.leave_it_out()
            self.answer_arrives()
        assert [*self.server.log.items()] == self.taps
        assert self.state["keys"] == []


class TabsMachine(RuleBasedStateMachine):
    """Two tabs of one phone, on one outbox: taps in both, losses, closing and opening, a tab that sleeps too long."""

    pages: tuple[Page, Page]
    origin: str

    def __init__(self) -> None:
        super().__init__()
        self.server = Server()
        self.taps: list[tuple[str, str]] = []
        self.slept = False  # a tab has slept for longer than it may send alone: then another sends as well
        self.pages[0].evaluate("localStorage.clear()")
        for page in self.pages:
            page.goto(f"{self.origin}/")

    def hanging(self) -> list[tuple[Page, dict[str, str]]]:
        return [(page, fields) for page in self.pages for fields in page.evaluate("state().hanging")]

    def settled(self) -> list[tuple[Page, dict[str, str]]]:
        """What is in flight once both tabs know the same and have nothing more to do by themselves."""
        kept: list[list[str]] = []
        for _try in range(200):
            kept = [page.evaluate("state().keys") for page in self.pages]
            hanging = self.hanging()
            if kept[0] == kept[1] and (hanging or not kept[0]):
                return hanging
            for page in self.pages:
                page.evaluate("dispatchEvent(new Event('online'))")
            self.pages[0].wait_for_timeout(5)
        raise AssertionError(f"nothing is sent: {kept}")

    @rule(tab=st.integers(0, 1))
    def tap(self, tab: int) -> None:
        text = f"tap {len(self.taps)}"
        self.taps.append((self.pages[tab].evaluate("text => tap(text)", text), text))
        self.settled()

    @rule(status=st.sampled_from([0, 503]), newest=st.booleans())
    def request_is_lost(self, status: int, newest: bool) -> None:
        if hanging := self.settled():
            hanging[-newest][0].evaluate("status => letGo(status)", status)

    @rule(arrives=st.booleans(), newest=st.booleans())
    def is_answered(self, arrives: bool, newest: bool) -> None:
        if hanging := self.settled():
            page, fields = hanging[-newest]
            page.evaluate("status => letGo(status)", self.server.post(fields) if arrives else 0)

    @rule(tab=st.integers(0, 1))
    def tab_is_closed_and_opened(self, tab: int) -> None:
        self.pages[tab].goto(f"{self.origin}/")

    @precondition(lambda self: self.origin == PLAIN)
    @rule()
    def tab_sleeps_too_long(self) -> None:
        if self.settled():
            self.slept = True
            self.pages[0].evaluate("localStorage.removeItem('outbox 0123456789')")
            self.pages[0].wait_for_timeout(100)

    @invariant()
    def at_most_one_is_in_flight(self) -> None:
        assert len(self.hanging()) <= 1 + self.slept

    @invariant()
    def each_is_on_the_server_or_still_on_the_phone(self) -> None:
        kept = self.pages[0].evaluate("state().keys")
        assert {key for key, _text in self.taps} <= {*self.server.log, *kept}
        assert [*self.server.log.items()] == self.taps[: len(self.server.log)]

    def teardown(self) -> None:
        for _step in range(3 * len(self.taps) + 3):
            self.is_answered(arrives=True, newest=False)
        assert [*self.server.log.items()] == self.taps


@pytest.fixture
def outbox_page(chromium: Browser) -> Iterator[Page]:
    """A page that has nothing but an outbox."""
    context = chromium.new_context()
    yield context.new_page()
    context.close()


def serve(page: Page, source: str, origin: str) -> None:
    """Opens the page with an outbox of this text."""
    files = {
        "/": ("text/html", '<!doctype html><script type="module" src="/test.js"></script>'),
        "/test.js": ("text/javascript", SCRIPT),
        "/outbox.js": ("text/javascript", source),
    }

    def answer(route: Route) -> None:
        kind, body = files.get(route.request.url.removeprefix(origin), ("text/plain", ""))
        route.fulfill(content_type=kind, body=body)

    page.context.route("**/*", answer)
    page.goto(f"{origin}/")


def run(page: Page, source: str, origin: str = SAFE, *, tabs: bool = False) -> None:
    """Runs the machine, or the one with two tabs, on an outbox with this text."""
    serve(page, source, origin)
    if tabs:
        pages = (page, page.context.new_page())
        machine: type[RuleBasedStateMachine] = type("Tabs", (TabsMachine,), {"pages": pages, "origin": origin})
    else:
        machine = type("Machine", (OutboxMachine,), {"page": page, "origin": origin})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=10 if tabs else 18,
            stateful_step_count=20,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
            derandomize=True,
            database=None,
        ),
    )


@pytest.mark.parametrize("origin", [SAFE, PLAIN])
def test_two_tabs_of_one_phone_send_every_entry_once(outbox_page: Page, origin: str) -> None:
    run(outbox_page, OUTBOX, origin, tabs=True)


def test_two_tabs_find_that_both_send(outbox_page: Page) -> None:
    right = "navigator.locks ? navigator.locks.request(name, work) : leased(name, work)"
    assert OUTBOX.count(right) == 1

    # Two tabs run at once: the same steps need not show the fault a second time.
    with pytest.raises((AssertionError, FlakyFailure)):
        run(outbox_page, OUTBOX.replace(right, "work()"), PLAIN, tabs=True)


def wake_late(page: Page, source: str) -> None:
    """Two tabs are answered to the same entry, since one slept for longer than it may send alone."""
    serve(page, source, PLAIN)
    pages = (page, page.context.new_page())
    machine = type("Tabs", (TabsMachine,), {"pages": pages, "origin": PLAIN})()
    machine.tap(0)
    machine.tap(0)
    machine.tab_sleeps_too_long()
    for _tab in pages:
        machine.is_answered(arrives=True, newest=True)
        machine.each_is_on_the_server_or_still_on_the_phone()
    machine.teardown()


def test_a_tab_that_wakes_late_takes_nothing_else_out(outbox_page: Page) -> None:
    wake_late(outbox_page, OUTBOX)


def test_a_tab_that_wakes_late_finds_removal_by_position(outbox_page: Page) -> None:
    right = "      drop(name);\n      if (!this.busy) this.late"
    assert OUTBOX.count(right) == 1

    with pytest.raises(AssertionError):
        wake_late(outbox_page, OUTBOX.replace(right, right.replace("name", "this.#named()[0]?.[0]")))


@pytest.mark.parametrize("origin", [SAFE, PLAIN])
def test_every_entry_arrives_in_order_and_once(outbox_page: Page, origin: str) -> None:
    run(outbox_page, OUTBOX, origin)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        pytest.param("      drop(name);\n", "", id="an entry is never taken out"),
        pytest.param(
            "    const answer = await post(entry, this.code);\n",
            "    drop(name);\n    const answer = await post(entry, this.code);\n",
            id="an entry is taken out before its answer",
        ),
        pytest.param(
            "const me = newKey();",
            'const me = newKey();\nconst same = "0".repeat(32);\ncrypto.getRandomValues = (bytes) => bytes.fill(7);',
            id="the key is made once",
        ),
        pytest.param(
            "      this.stopped = entry.key;\n",
            "      for (const [one] of this.#named()) drop(one);\n",
            id="a refusal throws the others away",
        ),
        pytest.param(
            "    localStorage.setItem(name, text);\n", "    unkept.set(name, text);\n", id="closing the page forgets"
        ),
        pytest.param("const [first] = this.#named();", "const first = this.#named().at(-1);", id="the last is first"),
        pytest.param(
            "if (status >= 500 || LATER.has(status)) return null;\n",
            "if (status >= 500) return { saved: true, html, url };\n",
            id="out of order counts as saved",
        ),
        pytest.param(
            "keep(name, { key, url, body, base });",
            "keep(name, { key: newKey(), url, body, base });",
            id="a second key",
        ),
    ],
)
def test_the_same_scenario_finds_a_planted_fault(outbox_page: Page, right: str, wrong: str) -> None:
    assert OUTBOX.count(right) == 1

    with pytest.raises(AssertionError):
        run(outbox_page, OUTBOX.replace(right, wrong))
