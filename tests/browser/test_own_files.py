"""A visitor's own files stay with his page: Back shows them, and a server that was killed says which to give again."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import kit
from tests.browser.mortal import TABLE, Mortal, back, mortal
from ui.link.link import PROCESS_HEADER

pytestmark = pytest.mark.browser

OPEN = "mine: 4 systems × 20 segments"


def with_upload(page: Page) -> str:
    """Open a table on the Leaderboard; return the address."""
    kit.visit(page, "/Leaderboard?source=my+files")
    kit.upload(page, "mine.csv", TABLE)
    expect(page.get_by_text(OPEN)).to_be_attached(timeout=60_000)
    kit.settled(page, quiet=600)
    assert "data=" in page.url
    return page.url


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mortal]:
    with mortal(tmp_path_factory.mktemp("mortal") / "log") as server:
        yield server


@pytest.fixture
def visitor(chromium: Browser, own: Mortal) -> Iterator[Page]:
    with kit.new_page(chromium, own.url) as (page, _):  # a server that is away makes errors on the console
        yield page


@pytest.mark.campaign
def test_a_page_with_an_upload_comes_back_after_the_server_was_killed(visitor, own):
    """Nobody touches it: it opens anew by itself, keeps its address, and asks for the file by name and digest."""
    page, held = visitor, with_upload(visitor)
    own.restart()
    asked = page.get_by_text(re.compile(r"This link was made with mine \(digest [0-9a-f]{12}\)"))
    expect(asked).to_be_visible(timeout=60_000)
    back(page)
    assert page.url == held
    kit.upload(page, "mine.csv", TABLE)
    expect(page.get_by_text(OPEN)).to_be_attached(timeout=60_000)
    expect(asked).to_have_count(0)
    back(page)
    assert page.url == held


@pytest.mark.campaign
def test_a_page_without_files_comes_back_and_works_after_the_server_was_killed(visitor, own):
    kit.visit(visitor, "/Grouping?source=a+synthetic+set&lecture=true")
    held = visitor.url
    visitor.evaluate("window.isOld = true")
    own.restart()
    visitor.wait_for_function("!window.isOld", timeout=60_000)
    back(visitor)
    assert visitor.url == held


@pytest.fixture
def connections(page):
    """The page's connections to the server, which a test may close."""
    found = []

    def pass_on(socket):
        socket.connect_to_server()
        found.append(socket)

    page.route_web_socket("**/_stcore/stream", pass_on)
    return found


def test_an_upload_is_there_after_back_and_forward(page):
    held = with_upload(page)
    entries = page.evaluate("history.length")
    page.wait_for_timeout(1_500)
    assert page.evaluate("history.length") == entries, "an upload is no step of its own"
    page.get_by_role("link", name="4 · How close is equal?", exact=True).first.click()
    page.wait_for_url(re.compile(r"/Calibration\?source=my\+files&data="), timeout=60_000)
    after = kit.settled(page, quiet=600).url
    for go, address in ((page.go_back, held), (page.go_forward, after), (page.go_back, held)):
        go()
        kit.settled(page, quiet=1_000)
        assert sorted(re.split("[?&]", page.url)) == sorted(re.split("[?&]", address))
        expect(page.get_by_text(OPEN)).to_be_attached()


@pytest.mark.campaign
def test_a_connection_that_was_cut_alone_opens_nothing_anew(page, server, connections):
    kit.visit(page, "/Toy_lab")
    page.evaluate("window.isOld = true")
    with page.expect_response(f"{server.url}/health") as answer:
        connections[-1].close()
    assert PROCESS_HEADER in answer.value.headers
    page.wait_for_timeout(1_000)
    assert page.evaluate("window.isOld")
    assert len(connections) == 2
    back(page)
