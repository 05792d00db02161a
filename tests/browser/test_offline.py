"""A scorer and a watcher while the network goes, the page is closed, and the server is killed."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import monotonic, sleep
from urllib.request import urlopen

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Live, MakePhone
from tests.browser.test_sheet import FOUR, bid, expect_saved, log, pad, play, start

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


def is_kept(page: Page) -> None:
    """Waits until the page can be opened without a network."""
    page.wait_for_function("navigator.serviceWorker.controller && navigator.serviceWorker.ready.then(() => true)")


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
    assert len(log(watcher)) == 11

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
    entries = log(watcher)
    assert len(entries) == len({str(entry["data"]) for entry in entries}) == 26
    assert [entry["data"] for entry in entries[11:14]] == [
        {"hand": 3, "bids": {"3": 0}},
        {"hand": 3, "bids": {"0": 0}},
        {"hand": 3, "bids": {"1": 1}},
    ]
