"""The lab on a page of its own: it is dragged, tells tiekit's numbers, and its address holds what was changed."""

from __future__ import annotations

import json
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import figures
from tests.browser.lab import FIGURE_2, M1, M2, expected, read
from tiekit.widgets import TieLab

pytestmark = pytest.mark.browser


@pytest.fixture
def file(tmp_path):
    TieLab(FIGURE_2, {"m1": M1, "m2": M2}).to_html(tmp_path / "lab.html")
    return tmp_path / "lab.html"


def numbers(page: Page):
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return read(page)


def test_it_is_dragged_and_its_address_restores_it(chromium: Browser, file) -> None:
    with figures.opened(chromium, file) as page:
        assert numbers(page) == expected(FIGURE_2, {"m1": M1, "m2": M2})
        page.get_by_role("slider").focus()
        page.keyboard.press("ArrowRight")
        assert numbers(page) == expected(FIGURE_2, {"m1": M1, "m2": M2}, 1.0)
        canvas = page.locator("canvas.scatter").nth(1)
        canvas.focus()
        page.keyboard.press("PageDown")
        page.keyboard.press("ArrowUp")  # the first item's score by m2
        moved = {"m1": M1, "m2": [1, *M2[1:]]}
        assert numbers(page) == expected(FIGURE_2, moved, 1.0)
        page.get_by_role("button", name="m1", exact=True).click()
        assert numbers(page) == expected(FIGURE_2, moved, 1.0, "m1")
        page.get_by_role("heading").first.click()  # what waits is sent
        page.wait_for_url("**#*metrics=*")
        address = page.url
        figures.check(page)
    with figures.opened(chromium, file, fragment="#" + address.partition("#")[2]) as page:
        assert numbers(page) == expected(FIGURE_2, moved, 1.0, "m1")
        page.evaluate("location.hash = 'epsilon=3'")
        assert numbers(page) == expected(FIGURE_2, {"m1": M1, "m2": M2}, 3.0)


@pytest.mark.parametrize(
    "fragment",
    [
        "#epsilon=-1",
        "#epsilon={",
        "#" + urlencode({"epsilon_of": json.dumps("m3")}),
        "#human=[1]",
        "#metrics=[]",
        "#metrics=[]&pair=[9,1]",
        "#" + urlencode({"metrics": json.dumps([{"name": name, "slot": 1, "scores": M1} for name in ("m1", "m2")])}),
        "#" + urlencode({"human": json.dumps([1.7e308, -1.7e308, 0, 0, 0, 0])}),
        "#human=null",
        "#x=1&style=3",
        "#%",
        "#pair=3",
    ],
)
@pytest.mark.campaign
def test_a_damaged_address_opens_the_figure_as_it_was_made(chromium: Browser, file, fragment) -> None:
    with figures.opened(chromium, file, fragment=fragment) as page:
        assert numbers(page) == expected(FIGURE_2, {"m1": M1, "m2": M2})


def test_the_numbers_come_after_the_prediction(chromium: Browser, tmp_path) -> None:
    TieLab(FIGURE_2, {"m1": M1, "m2": M2}, predict=True).to_html(tmp_path / "lab.html")
    with figures.opened(chromium, tmp_path / "lab.html", width=390, theme="dark") as page:
        expect(page.locator(".values")).to_be_hidden()
        for place in page.get_by_text("15 pairs").all():
            expect(place).to_be_hidden()
        expect(page.get_by_role("table")).to_have_count(0)
        figures.check(page)
        page.get_by_role("button", name="m2", exact=True).click()
        expect(page.locator(".predict [role=status]")).to_have_text("No: m1 has 0.933, m2 has 0.600.")
        expect(page.locator(".values")).to_be_visible()
        assert numbers(page) == expected(FIGURE_2, {"m1": M1, "m2": M2})


@pytest.mark.campaign
@pytest.mark.parametrize("width", figures.WIDTHS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_every_window_in_both_themes(chromium: Browser, tmp_path, width, scheme) -> None:
    TieLab(range(100), {f"m{number}": [number * item % 17 for item in range(100)] for number in range(6)}).to_html(
        tmp_path / "lab.html"
    )
    with figures.opened(chromium, tmp_path / "lab.html", width=width, theme=scheme) as page:
        figures.check(page)
