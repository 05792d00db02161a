"""`/rules`: every preset in words, with its points and hands, and a sheet to fill by hand."""

import re

import pytest
from flask.testing import FlaskClient
from markupsafe import escape

from scorekeeper.engine.catalog import presets


def listed(page: str) -> list[str]:
    return re.findall(r'href="/rules/([a-z0-9_]+)"', page)


def test_every_preset_is_listed_in_the_order_of_the_catalog(client: FlaskClient) -> None:
    page = client.get("/rules").text

    assert listed(page) == list(presets())
    assert listed(page)[0] == "oh_hell"
    assert "one common form" in page


@pytest.mark.parametrize(
    ("words", "first"), [("Elevator", "up_and_down_the_river"), ("wizard", "wizard"), ("la_podr", "la_podrida")]
)
def test_rules_are_found_by_another_name_too(client: FlaskClient, words: str, first: str) -> None:
    assert listed(client.get("/rules", query_string={"q": words}).text)[0] == first


def test_words_that_find_nothing_stand_again(client: FlaskClient) -> None:
    page = client.get("/rules", query_string={"q": '<b>"'}).text

    assert listed(page) == []
    assert 'value="&lt;b&gt;&#34;"' in page


def test_every_preset_has_its_page_with_its_sources_and_its_blank_sheet(client: FlaskClient) -> None:
    for preset in presets().values():
        page = client.get(f"/rules/{preset.id}")

        assert page.status_code == 200
        assert all(str(escape(source)) in page.text for source in preset.source)
        assert client.get(f"/rules/{preset.id}/blank").status_code == 200


def test_the_worked_table_of_the_base_game(client: FlaskClient) -> None:
    body = (
        client.get("/rules/oh_hell")
        .text.partition('class="worked"')[2]
        .partition("<tbody>")[2]
        .partition("</table>")[0]
    )
    rows = [re.findall(r'<bdi class="num" dir="ltr">([^<]+)</bdi>', row) for row in body.split("</tr>")[:6]]

    assert rows == [
        ["10", "0", "0", "0", "0", "0"],
        ["0", "11", "0", "0", "0", "0"],
        ["0", "0", "12", "0", "0", "0"],
        ["0", "0", "0", "13", "0", "0"],
        ["0", "0", "0", "0", "14", "0"],
        ["0", "0", "0", "0", "0", "15"],
    ]


def test_the_hands_for_each_number_of_players(client: FlaskClient) -> None:
    page = client.get("/rules/oh_hell").text

    plans = [
        re.sub(r"<[^>]+>", "", plan).split()
        for plan in re.findall(r'class="cards-of" dir="ltr">(.*?)</span> ?\n?\s*<a', page, re.DOTALL)
    ]
    assert [len(plan) for plan in plans] == [15, 13, 10, 8, 7]
    assert plans[4] == ["1", "2", "3", "4", "5", "6", "7"]


def test_rules_that_do_not_exist_are_not_found(client: FlaskClient) -> None:
    assert client.get("/rules/nothing").status_code == 404
    assert client.get("/rules/nothing/blank").status_code == 404


def blank_rows(page: str) -> list[list[str]]:
    """Hand, cards and dealer of each line."""
    body = page.partition("<tbody>")[2].partition("</tbody>")[0]
    rows = [re.sub(r"<(?!/?t[hdr])[^>]+>", "", row) for row in body.split("</tr>")[:-1]]
    return [re.findall(r"<t[hd][^>]*>([^<]*)</t[hd]>", row)[:3] for row in rows]


def test_a_blank_sheet_has_a_line_for_each_hand_with_its_cards_and_dealer(client: FlaskClient) -> None:
    page = client.get("/rules/oh_hell/blank?players=7").text

    assert blank_rows(page) == [
        ["1", "1", "7"],
        ["2", "2", "1"],
        ["3", "3", "2"],
        ["4", "4", "3"],
        ["5", "5", "4"],
        ["6", "6", "5"],
        ["7", "7 NT", "6"],
    ]


def test_names_are_written_in(client: FlaskClient) -> None:
    page = client.get("/rules/oh_hell/blank", query_string={"names": "Ann, <i>Bob</i> ,רותה,,"}).text

    assert [row[2] for row in blank_rows(page)][:3] == ["רותה", "Ann", "&lt;i&gt;Bob&lt;/i&gt;"]
    assert page.count('scope="colgroup"') == 3


@pytest.mark.parametrize(("players", "columns"), [("1", 3), ("99", 7), ("x", 3), ("", 3), ("-4", 3), ("5", 5)])
def test_as_many_columns_as_the_rules_allow(client: FlaskClient, players: str, columns: int) -> None:
    page = client.get("/rules/oh_hell/blank", query_string={"players": players}).text

    assert page.count('scope="colgroup"') == columns
