"""The server is killed at random moments of a lesson: each browser comes back to its page, address and files."""

from __future__ import annotations

import os
import random
import re
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect
from playwright.sync_api import TimeoutError as TookTooLong

from tests.browser import kit
from tests.browser.mortal import TABLE, Mortal, back, mortal
from ui.page import pages
from ui.work.streamlit_internals import CONNECTED

pytestmark = pytest.mark.browser

KILLS = int(os.environ.get("TIEKIT_KILLS", "50"))
LATEST = 2_500
"""Milliseconds after the beginning of an act within which the server is killed."""

ASKED = re.compile(r"This link was made with mine \(digest [0-9a-f]{12}\)")


def upload(page: Page, _: random.Random) -> bool:
    """Open a table; on a page without a field for files nothing happens."""
    if has_field := page.locator("input[type=file]").count() > 0:
        kit.upload(page, "mine.csv", TABLE)
    return has_field


def go_on(page: Page, rng: random.Random) -> bool:
    """Go to another page of the lesson."""
    page.get_by_role("link", name=rng.choice(pages.path()).label, exact=True).first.click(timeout=5_000)
    return True


def guess(page: Page, _: random.Random) -> bool:
    """Answer the page's question, or ask it again."""
    buttons = page.get_by_role("button", name=re.compile("^(Show the answer|Ask again)$"))
    if is_asked := buttons.count() > 0:
        buttons.first.click(timeout=5_000)
    return is_asked


def press(page: Page, rng: random.Random) -> bool:
    """Move one of the page's sliders."""
    sliders = page.locator("[data-testid=stMain] [role=slider]:visible")
    if number := sliders.count():
        sliders.nth(rng.randrange(number)).press(rng.choice(["ArrowRight", "ArrowLeft"]), timeout=5_000)
    return number > 0


def look(_: Page, __: random.Random) -> bool:
    """Do nothing."""
    return True


ACTS: list[Callable[[Page, random.Random], bool]] = [upload, go_on, guess, press, look]
"""What a visitor does; False where the page has nothing to do it with."""


def held(page: Page) -> tuple[str, dict[str, list[str]]]:
    """The page, and what its address holds."""
    address = urlsplit(page.url)
    return address.path, parse_qs(address.query, keep_blank_values=True)


def comes_back(page: Page, before: tuple[str, dict[str, list[str]]]) -> bool:
    """Wait until a page was opened anew; return whether it asks for a file."""
    page.wait_for_function("!window.isOld", timeout=120_000)
    back(page)
    path, choices = held(page)
    assert path == before[0]
    assert {key: choices.get(key) for key in before[1]} == before[1], page.url
    if "data" in choices and choices.get("source") == ["my files"]:
        expect(page.get_by_text(ASKED)).to_be_visible(timeout=60_000)
        return True
    return False


def test_every_browser_comes_back_whenever_the_server_is_killed(chromium: Browser, tmp_path: Path) -> None:
    rng, asked, done = random.Random(35), 0, Counter[str]()
    with mortal(tmp_path / "log") as server, kit.profile(chromium, server.url) as visitor:
        tabs = [visitor.new_page() for _ in range(3)]
        for tab, path in zip(tabs, ("/Leaderboard?source=my+files", "/Toy_lab", "/Calibration"), strict=True):
            kit.visit(tab, path)
        kit.upload(tabs[0], "mine.csv", TABLE)
        expect(tabs[0].get_by_text("mine: 4 systems")).to_be_attached(timeout=60_000)
        kit.settled(tabs[0], quiet=600)
        for number in range(KILLS):
            asked += one_kill(server, tabs, rng, done)
            print(f"{number + 1} kills: a page asked {asked} times for a file", flush=True)
    assert asked
    assert set(+done) == {act.__name__ for act in ACTS}, "an act that never goes through is not tried"


def one_kill(server: Mortal, tabs: list[Page], rng: random.Random, done: Counter[str]) -> int:
    """Let one visitor act, kill the server meanwhile, and see that all come back; return how many ask for a file.

    `done` counts the acts that went through.
    """
    for tab in tabs:
        tab.evaluate("window.isOld = true")
    acting, act = rng.choice(tabs), rng.choice(ACTS)
    delay = rng.randrange(LATEST)
    open_before = [held(tab) for tab in tabs]
    with suppress(TookTooLong):  # a list that the page redrew, say
        done[act.__name__] += act(acting, rng)
    acting.wait_for_timeout(delay)
    server.kill()
    for tab in tabs:
        expect(tab.locator(CONNECTED)).to_have_count(0, timeout=60_000)
    addresses = [held(tab) for tab in tabs]
    print(f"{act.__name__} on {open_before[tabs.index(acting)][0]}, {delay} ms; open: {addresses}", flush=True)
    server.start()
    asking = [comes_back(tab, address) for tab, address in zip(tabs, addresses, strict=True)]
    for tab, is_asking in zip(tabs, asking, strict=True):
        if is_asking and rng.random() < 0.7:
            upload(tab, rng)
            if tab.locator("input[type=file]").count():
                expect(tab.get_by_text(ASKED)).to_have_count(0, timeout=60_000)
                kit.settled(tab, quiet=600)
    return sum(asking)
