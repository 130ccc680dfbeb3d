"""The server is killed, the connection is cut, the disk is full: the browser keeps what its link holds, and says so."""

from __future__ import annotations

import http.client
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import kit
from tests.browser.lab import arrives, retype, scores
from tests.browser.mortal import TABLE, Mortal, back, mortal

pytestmark = pytest.mark.browser

SYNTHETIC = "source=a+synthetic+set"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mortal]:
    with mortal(tmp_path_factory.mktemp("mortal") / "log") as server:
        yield server


@pytest.fixture
def page(chromium: Browser, server: Mortal) -> Iterator[Page]:
    with kit.new_page(chromium, server.url) as (page, _):  # a server that is away makes errors on the console
        yield page


def test_typed_scores_are_there_after_the_server_was_killed(page, server):
    kit.visit(page, "/Toy_lab")
    retype(page, scores(page, 1), "0 1 2 3 4 5")
    held = page.url
    page.keyboard.type(" 6", delay=15)
    server.kill()  # while the user types
    expect(scores(page, 1)).to_be_disabled(timeout=30_000)  # so that nobody types what would be lost
    server.start()
    back(page)
    expect(scores(page, 1)).to_be_enabled()
    assert scores(page, 1).input_value().startswith("0 1 2 3 4 5")
    human = [0, 0, 0, 0, 1, 2]
    page.goto(held)
    back(page)
    assert scores(page, 1).input_value() == "0 1 2 3 4 5"
    arrives(page, human, {"m1": [0, 1, 2, 3, 4, 5], "m2": [0, 1, 2, 3, 4, 5]})


def test_a_result_is_computed_again_after_the_server_was_killed(page, server):
    page.goto(f"/Leaderboard?{SYNTHETIC}&grouping=global")
    page.get_by_test_id("stApp").wait_for()
    server.restart()  # while the first answer is under way
    page.goto(f"/Leaderboard?{SYNTHETIC}&grouping=global")
    back(page)
    assert "grouping=global" in page.url
    server.restart()
    back(page)
    assert "grouping=global" in page.url
    expect(page.get_by_text(re.compile("acc_eq")).first).to_be_attached()


def test_an_upload_that_was_cut_can_be_made_again(page, server):
    kit.visit(page, "/Leaderboard?source=my+files")
    large = TABLE + b"".join(b"Z%d,1,1,1\n" % place for place in range(100_000))
    kit.upload(page, "large.csv", large)
    server.restart()  # while it is under way
    back(page)
    page.goto("/Leaderboard?source=my+files")
    back(page)
    kit.upload(page, "mine.csv", TABLE)
    expect(page.get_by_text("Recognized:")).to_be_visible(timeout=60_000)
    back(page)


def test_a_connection_that_was_cut_comes_back_with_the_page_as_it_was(page):
    kit.visit(page, f"/Leaderboard?{SYNTHETIC}&grouping=global")
    held = page.url
    page.context.set_offline(True)
    page.wait_for_timeout(3_000)
    page.context.set_offline(False)
    back(page)
    assert page.url == held
    page.get_by_role("link", name="4 · How close is equal?", exact=True).first.click()
    back(page)
    assert "synthetic" in page.url


def test_two_tabs_of_one_visitor_do_not_mix(page):
    kit.visit(page, "/Toy_lab")
    other = page.context.new_page()
    kit.visit(other, "/Toy_lab")
    retype(page, scores(page, 1), "0 1 2 3 4 5")
    retype(other, scores(other, 1), "5 4 3 2 1 0")
    for tab, text in ((page, "0 1 2 3 4 5"), (other, "5 4 3 2 1 0")):
        tab.reload()
        back(tab)
        assert scores(tab, 1).input_value() == text


def test_a_folder_that_a_link_names_stays_open_from_page_to_page(page, server):
    root = Path(__file__).parents[2] / "data"
    page.goto(re.findall(r"http://\S+token=\S+", server.log())[-1])  # whoever started the server opens folders
    kit.settled(page, patience=120_000)
    kit.visit(page, f"/Leaderboard?source=a+folder+on+this+computer&folder={root}&folder_pair=qaa-qac")
    page.get_by_role("button", name="Open this folder").click()
    back(page)
    for name, title in {"Calibration": "4 · How close is equal?", "Leaderboard": "5 · WMT22"}.items():
        page.get_by_role("link", name=title, exact=True).first.click()
        page.wait_for_url(re.compile(f"/{name}.*folder="), timeout=60_000)
        back(page)
        assert "folder_pair=qaa-qac" in page.url
        assert page.get_by_label("Path of the folder of a test set").input_value() == str(root)


@pytest.mark.parametrize(
    "path",
    [
        *("/../../../../etc/passwd", "/%2e%2e/%2e%2e/%2e%2e/etc/passwd", "/static/../../../../../../etc/passwd"),
        *(
            "/app/static/..%2f..%2f..%2fetc/passwd",
            "/media/../../../etc/passwd",
            "//etc/passwd",
            "/app.py",
            "/.git/config",
        ),
        *("/_stcore/bidi-components/tiekit_history/..%2f..%2f..%2f..%2fetc/passwd", "/component/x/../../../etc/passwd"),
    ],
)
def test_no_file_of_the_server_is_sent(server, path):
    with closing(http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=30)) as connection:
        connection.request("GET", path)
        with connection.getresponse() as answer:
            body = answer.read()
    assert answer.getheader("X-Content-Type-Options") == "nosniff"
    assert b"root:" not in body
    assert b"[core]" not in body
    assert b"shell.open_page" not in body
