"""`/lab`: what rules do, beside each other; and the same as a file."""

import re
from typing import Any

import pytest
from flask.testing import FlaskClient

from scorekeeper.engine.catalog import presets
from scorekeeper.engine.lab import presets_shipped, shipped
from scorekeeper.web.lab import Sample, as_file
from scorekeeper.web.plots import Bars, Lines, Spreads
from tests.page import Page

TWO = {"rules": ["oh_hell", "oh_hell_hook"], "players": "4"}


def words(html: str) -> str:
    """The text of a page."""
    return " ".join(re.sub(r"<[^>]+>", " ", re.sub(r"</?(bdi|small)[^>]*>", "", html.partition("<main")[2])).split())


def figures(page: str, name: str) -> list[float]:
    """The numbers of the first row of this name in a table."""
    cells = page.partition(f'<th scope="row">{name}</th>')[2].partition("</tr>")[0]
    return [float(re.sub(r"<[^>]+>", "", cell).removesuffix("%")) for cell in re.findall(r"<td>(.*?)</td>", cells)]


def near(*values: float) -> Any:
    """Numbers that are the same but for rounding to one decimal."""
    return pytest.approx(values, abs=0.051)


def test_rules_stand_beside_each_other(client: FlaskClient) -> None:
    answer = client.get("/lab", query_string=TWO)

    assert answer.status_code == 200
    base, hook = shipped("oh_hell")[4], shipped("oh_hell_hook")[4]
    assert base.switched is not None
    assert hook.switched is not None
    last = (base.by_place[3], hook.by_place[3])
    assert figures(answer.text, "Bids last") == near(
        100 * last[0].rate, last[0].points, 100 * last[1].rate, last[1].points
    )
    assert figures(answer.text, "Without the hook") == near(100 * last[0].rate, 100 * hook.switched.rate)
    assert figures(answer.text, "With the hook") == near(100 * base.switched.rate, 100 * last[1].rate)
    assert figures(answer.text, "Tied") == near(100 * base.tied, 100 * hook.tied)
    assert figures(answer.text, "13") == near(*(100 * one.by_cards[13].rate for one in (base, hook)))
    assert "By bots playing among themselves." in words(answer.text)
    assert "1000 games" in words(answer.text)


def test_what_was_chosen_is_still_chosen(client: FlaskClient) -> None:
    page = client.get("/lab", query_string={"rules": ["plump", "wizard"], "players": "5"}).text

    assert re.findall(r'<option value="([a-z0-9_]+)" selected>', page) == ["plump", "wizard"]
    assert "<option selected>5</option>" in page


def test_before_anything_is_chosen_two_rules_are_shown(client: FlaskClient) -> None:
    page = client.get("/lab")

    assert page.status_code == 200
    assert 'class="error"' not in page.text
    assert re.findall(r'<option value="([a-z0-9_]+)" selected>', page.text) == ["oh_hell", "oh_hell_hook"]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"rules": ["oh_hell"], "players": "4"}, "Choose two rules or more."),
        ({"rules": ["oh_hell", "Oh Hell"], "players": "4"}, "Choose two rules or more."),
        ({"rules": ["", ""], "players": "4"}, "Choose two rules or more."),
        ({"rules": ["oh_hell", "<b>x"], "players": "4"}, "&lt;b&gt;x — there are no such rules here."),
        (
            {"rules": ["oh_hell", "skull_king_score"], "players": "4"},
            "Skull King (score only) — only the score is known, not the cards, so bots cannot play it.",
        ),
        ({"rules": ["oh_hell", "prospect"], "players": "4"}, "Prospect (WPOHL) — only for 5 players."),
        ({"rules": ["oh_hell", "plump"], "players": "6"}, "Plump (Sweden) — for 3 to 5 players."),
        ({"rules": ["oh_hell", "plump"], "players": "99"}, "Say how many players, from 2 to 7."),
        ({"rules": ["oh_hell", "plump"], "players": "٤"}, "Say how many players, from 2 to 7."),
        ({"rules": ["oh_hell", "plump"]}, "Say how many players, from 2 to 7."),
        (
            {"rules": ["oh_hell", "plump", "wizard", "blob", "pocha"], "players": "5"},
            "At most 4 rules fit beside each other.",
        ),
    ],
)
def test_what_cannot_be_shown_is_said(client: FlaskClient, asked: dict[str, object], said: str) -> None:
    answer = client.get("/lab", query_string=asked)

    assert answer.status_code == 422
    assert said in words(answer.text)


def test_every_preset_can_be_shown_for_every_number_of_players(client: FlaskClient) -> None:
    for preset in presets_shipped():
        for players in shipped(preset):
            other = "oh_hell_guardian" if preset != "oh_hell_guardian" else "oh_hell"

            answer = client.get("/lab", query_string={"rules": [preset, other], "players": str(players)})

            assert answer.status_code == 200, (preset, players)


def test_every_drawing_has_a_name_and_its_numbers(client: FlaskClient) -> None:
    page = client.get("/lab", query_string=TWO).text

    drawings = page.partition("<main")[2].count('role="img"')
    assert drawings == page.count('role="img" aria-label="') == 7
    assert page.count("<table") == 6  # that of the bids has the numbers of two drawings
    assert "style=" not in page


def test_for_rules_of_ones_own_there_is_a_command(client: FlaskClient) -> None:
    page = client.get("/lab", query_string={"rules": ["oh_hell", "blob"], "players": "5"}).text

    assert "scorekeeper simulate --rules FILE --players 5 --games 1000 --html lab.html" in page


def test_the_list_of_rules_leads_there(client: FlaskClient) -> None:
    assert 'href="/lab"' in client.get("/rules").text


def test_a_file_stands_alone_and_shows_the_same() -> None:
    results = shipped("oh_hell_hook")[4]

    page = as_file(Sample("My <rules>", presets()["oh_hell_hook"].rules, results))

    assert figures(page, "Tied") == near(100 * results.tied)
    assert "My &lt;rules&gt;" in page
    assert "My <rules>" not in page
    assert not re.search(r"<(link|script|img)\b|\burl\(|https?:", page)
    parsed = Page(page)
    assert parsed.open == []


# ---- drawings ----


def percent(value: float) -> str:
    return f"{100 * value:.0f}%"


def test_lines_reach_over_their_scale() -> None:
    plot = Lines([{1: 0.0, 3: 1.0}, {2: 0.5}], percent, 1)

    assert [(tick.text, tick.at) for tick in plot.values] == [
        ("0%", 186), ("20%", 150.8), ("40%", 115.6), ("60%", 80.4), ("80%", 45.2), ("100%", 10),
    ]  # fmt: skip
    assert [tick.text for tick in plot.numbers] == ["1", "2", "3"]
    assert [line.points for line in plot.lines] == ["46.0,186.0 330.0,10.0", "188.0,98.0"]


def test_numbers_of_lines_that_end_together_stand_apart() -> None:
    first, second, other = (line.label for line in Lines([{1: 0.5, 2: 0.5}, {2: 0.5}, {1: 0.5}], percent, 1).lines)

    assert first[0] == second[0] != other[0]
    assert second[1] - first[1] == 13
    assert other[1] == first[1]


def test_points_below_zero_have_their_place() -> None:
    plot = Lines([{0: -7.0, 1: 12.0}], str)

    assert [tick.text for tick in plot.values] == ["-10.0", "-5.0", "0.0", "5.0", "10.0", "15.0"]


def test_bars_leave_out_what_is_not_there() -> None:
    plot = Bars([("A", [0.5, None, 0.25]), ("B", [None, 1.0, None])], percent)

    assert [[(bar.number, bar.length, bar.text) for bar in group.bars] for group in plot.drawn] == [
        [(1, 140.0, "50%"), (3, 70.0, "25%")],
        [(2, 280.0, "100%")],
    ]
    assert plot.height > plot.drawn[1].bars[0].y + 13


def test_spreads_share_a_scale() -> None:
    plot = Spreads([("A", [("all", (0, 25, 50, 75, 100))]), ("B", [("all", (0, 0, 0, 0, 0))])], str)

    assert [boxes[0].ends for _, _, boxes in plot.drawn] == [(66.0, 135.5, 205.0, 274.5, 344.0), (66.0,) * 5]
