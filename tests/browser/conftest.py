"""A real browser on the real app: Chromium with the sizes of a phone, waitress on a free port."""

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from threading import Thread
from typing import Any, Protocol

import pytest
from flask import Flask
from playwright.sync_api import Browser, ConsoleMessage, Error, Page, sync_playwright
from waitress import create_server, wasyncore

ARGUMENTS = [
    "--no-sandbox",  # root has no sandbox, and the pages are our own
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    # A name that is not this machine's to a browser: an address without https, as in a network at home.
    "--host-resolver-rules=MAP table.test 127.0.0.1",
    "--no-first-run",
]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The system's Chromium, else playwright's own. None at all is a failure, never a skip."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=found, args=ARGUMENTS)
        except Error as error:
            pytest.fail(
                f"No Chromium to test with (apt-get install chromium): {error.message.splitlines()[0]}",
                pytrace=False,
            )
        yield browser
        browser.close()


@dataclass(frozen=True)
class Live:
    """The app while it is served, and the address that it answers at."""

    app: Flask
    url: str


@pytest.fixture
def live(app: Flask) -> Iterator[Live]:
    """The app on SQLite, served by waitress until the test is over."""
    channels: dict[int, Any] = {}
    server = create_server(app, map=channels, host="127.0.0.1", port=0, threads=8)
    thread = Thread(target=server.run)
    thread.start()
    yield Live(app, f"http://127.0.0.1:{server.effective_port}")
    # The loop ends when nothing is left to wait for; only its own thread may close what it waits for.
    server.trigger.pull_trigger(lambda: wasyncore.close_all(channels))
    thread.join()
    server.task_dispatcher.shutdown()


class MakePhone(Protocol):
    """Opens a page on a new phone. `expected` matches the console errors that the test provokes."""

    def __call__(self, *, expected: str | None = None, **context: Any) -> Page: ...


@pytest.fixture
def make_phone(chromium: Browser, live: Live) -> Iterator[MakePhone]:
    """Makes phones, each with cookies of its own; an error on the console of any of them fails the test."""
    contexts = []
    errors: list[str] = []

    def make(*, expected: str | None = None, **context: Any) -> Page:
        def on_console(message: ConsoleMessage) -> None:
            if message.type == "error" and not (expected and re.search(expected, message.text)):
                errors.append(f"{message.text} ({message.location['url']})")

        phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "locale": "en-GB"}
        contexts.append(chromium.new_context(**{"base_url": live.url, **phone, **context}))
        contexts[-1].on("console", on_console)
        contexts[-1].on("weberror", lambda error: errors.append(str(error.error)))
        contexts[-1].set_default_timeout(10_000)
        return contexts[-1].new_page()

    yield make
    for context in contexts:
        context.close()
    assert errors == []


@pytest.fixture
def phone(make_phone: MakePhone) -> Page:
    """A phone of 390 by 844, held upright."""
    return make_phone()
