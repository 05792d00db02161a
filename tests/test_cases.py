"""Score sheets from elsewhere, each written as a file: published ones, worked examples, tests of other scorers."""

import copy
from typing import Any

import pytest

from scorekeeper.engine.scorefile import read, report
from tests.games import cases

SHEETS = [
    pytest.param(one["sheet"], one["expected"], id=f"{case['id']}-{number}")
    for case in cases("sheets")
    for number, one in enumerate(case["sheets"], 1)
]


def faults_of(reported: dict[str, Any]) -> list[dict[str, Any]]:
    """The faults without their sentences."""
    return [{key: value for key, value in fault.items() if key != "message"} for fault in reported["faults"]]


def column(reported: dict[str, Any], key: str) -> list[Any]:
    return [hand[key] for hand in reported["hands"]]


def looked_up(sheet: dict[str, Any]) -> dict[str, Any]:
    """Everything that a case may expect, as `check` reports it and as the sheet has it."""
    file = read(sheet)
    reported = report(file)
    current = file.sheet.current
    return {
        "points": column(reported, "points"),
        "totals": column(reported, "totals"),
        "points_of_A": [points[0] for points in column(reported, "points")],
        "totals_of_A": [totals[0] for totals in column(reported, "totals")],
        "forbidden": column(reported, "forbidden"),
        "dealers": column(reported, "dealer"),
        "first_bidders": column(reported, "first_bidder"),
        "places": {line["player"]: line["place"] for line in reported["standings"]},
        "faults": faults_of(reported),
        "cards": [hand.cards for hand in file.sheet.hands],
        "current": current and {"hand": current.number, "dealer": file.names[current.dealer or 0]},
    }


@pytest.mark.parametrize(("sheet", "expected"), SHEETS)
def test_the_sheet_reads_as_it_should(sheet: dict[str, Any], expected: dict[str, Any]) -> None:
    found = looked_up(sheet)

    expected = {key: value for key, value in expected.items() if key not in ("rejected", "allowed")}
    assert {key: found[key] for key in expected} == expected


def with_last_bid(sheet: dict[str, Any], bid: int) -> dict[str, Any]:
    """The sheet with the bid of the last hand that is still missing; whoever sits out has none."""
    written = copy.deepcopy(sheet)
    hand = written["hands"][-1]
    absent = [written["players"].index(name) for name in hand.get("absent", [])]
    open_seats = [seat for seat, one in enumerate(hand["bids"]) if one is None and seat not in absent]
    assert len(open_seats) == 1
    hand["bids"][open_seats[0]] = bid
    return written


LAST_BIDS = [
    pytest.param(one["sheet"], bid, faults, id=f"{case['id']}-{number}-bid-{bid}")
    for case in cases("sheets")
    for number, one in enumerate(case["sheets"], 1)
    for key, faults in (("rejected", ["hook"]), ("allowed", []))
    for bid in one["expected"].get(key, [])
]


@pytest.mark.parametrize(("sheet", "bid", "faults"), LAST_BIDS)
def test_the_last_bid_is_refused_or_allowed(sheet: dict[str, Any], bid: int, faults: list[str]) -> None:
    reported = report(read(with_last_bid(sheet, bid)))

    assert [fault["code"] for fault in reported["faults"]] == faults
