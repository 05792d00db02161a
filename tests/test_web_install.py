"""The app on a home screen: manifest, service worker, the page without a network, words with numbers."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorekeeper.web import games
from tests.conftest import MakeApp
from tests.page import start

STATIC = Path(__file__).parents[1] / "static"


def test_the_manifest_has_the_icons_that_browsers_ask_for(client: FlaskClient) -> None:
    answer = client.get("/manifest.webmanifest")

    assert answer.mimetype == "application/manifest+json"
    manifest = answer.get_json()
    assert manifest["start_url"] == "/"
    assert manifest["display"] == "standalone"
    icons = {(icon["sizes"], icon["purpose"]) for icon in manifest["icons"]}
    assert icons == {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")}
    for icon in manifest["icons"]:
        picture = client.get(icon["src"], buffered=True).data
        width, height = (int.from_bytes(picture[place : place + 4]) for place in (16, 20))
        assert picture.startswith(b"\x89PNG")
        assert f"{width}x{height}" == icon["sizes"]


def test_every_page_links_to_the_manifest(client: FlaskClient) -> None:
    assert '<link rel="manifest" href="/manifest.webmanifest">' in client.get("/").text


def files(client: FlaskClient) -> list[str]:
    found = re.search(r"^const FILES = (.*);$", client.get("/sw.js").text, re.MULTILINE)
    assert found
    names: list[str] = json.loads(found[1])
    return names


def test_the_service_worker_keeps_every_script_and_style(client: FlaskClient) -> None:
    answer = client.get("/sw.js")

    assert answer.mimetype == "text/javascript"
    assert answer.headers["Cache-Control"] == "no-cache"
    kept = files(client)
    page = client.get(f"/games/{start(client, 'Ann', 'Bob', 'Cy')}").text
    used = set(re.findall(r'(?:src|href)="(/static/[^"]+\.(?:js|css|svg)\?v=[0-9a-f]{10})"', page))
    assert used
    assert used <= set(kept)
    assert {client.get(file, buffered=True).status_code for file in [*kept, "/offline"]} == {200}


def test_a_changed_file_is_another_service_worker(make_app: MakeApp, sqlite_url: str, tmp_path: Path) -> None:
    def worker(app: Flask) -> str:
        return app.test_client().get("/sw.js").text

    app = make_app(sqlite_url)
    before = worker(app)
    assert worker(app) == before
    copy = shutil.copytree(STATIC, tmp_path / "static")
    app.static_folder = str(copy)
    assert worker(app) == before
    (copy / "sheet.js").write_text("// changed", "utf-8")

    assert worker(app).splitlines()[0] != before.splitlines()[0]


@pytest.mark.parametrize("with_pen", [True, False])
def test_a_changed_file_is_another_page_of_a_game(
    app: Flask, client: FlaskClient, new_phone: Callable[[], FlaskClient], tmp_path: Path, with_pen: bool
) -> None:
    sheet = f"/games/{start(client, 'Ann', 'Bob', 'Cy')}"
    phone = client if with_pen else new_phone()
    app.static_folder = str(shutil.copytree(STATIC, tmp_path / "static"))
    games.release.cache_clear()  # as a start does
    before = phone.get(sheet)
    assert phone.get(sheet, headers={"If-None-Match": before.headers["ETag"]}).status_code == 304
    (tmp_path / "static" / "app.css").write_text("/* changed */", "utf-8")
    games.release.cache_clear()

    after = phone.get(sheet, headers={"If-None-Match": before.headers["ETag"]})

    assert after.status_code == 200
    style = re.compile(r"/static/app\.css\?v=[0-9a-f]{10}")
    assert style.findall(after.text) != style.findall(before.text)
    assert f'data-etag="{after.get_etag()[0]}"' in after.text


def test_entries_that_wait_are_counted_in_words(client: FlaskClient) -> None:
    page = client.get("/").text

    assert "{n} entry waits for the network" in page
    assert "{n} entries wait for the network" in page
