"""Firefox shows every page and a saved figure as Chromium does: without an error, and with all that moves."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser import kit
from tests.browser.bidi import Firefox, find_firefox, firefox
from tiekit.cli.main import tiekit
from ui.page import pages

pytestmark = [pytest.mark.browser, pytest.mark.campaign]

PAGES = ["", *(page.address for page in pages.lessons())]
TOY = ("0 0 0 0 1 2", "0 0 0 0 2 1", "0 1 2 3 4 5")

SETTLED = f"({kit._SETTLED})([%s, 300])"
# Streamlit shows figures in shadow trees.
ALL = """const all = (selector, root = document) => [...root.querySelectorAll(selector),
    ...[...root.querySelectorAll("*")].flatMap(e => e.shadowRoot ? all(selector, e.shadowRoot) : [])];"""
SIZES = f"""(() => {{ {ALL}
    return all(".figure, canvas, svg.marks, svg.curves").map(e => e.getBoundingClientRect())
        .filter(box => box.top < innerHeight).map(box => [box.width, box.height]);
}})()"""
ALARMS = """[...document.querySelectorAll("[data-testid=stException], [role=dialog]")].map(e => e.innerText)"""
# What scrolls in Streamlit is a part of the page.
TOO_WIDE = """Math.max(...[document.documentElement, ...document.querySelectorAll("[data-testid=stMain]")]
    .map(e => e.scrollWidth - e.clientWidth))"""
TITLE = "document.querySelector('h1')?.innerText"
GAIN = f"(() => {{ {ALL} return all('.lab .gain')[0]?.textContent; }})()"
GRIP = f"""(() => {{ {ALL}
    const box = all(".lab .grip")[0].getBoundingClientRect();
    return [box.left, box.top, box.width, box.height];
}})()"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    program = find_firefox()
    if program is None:
        pytest.skip("needs Firefox: install firefox or firefox-esr, or set TIEKIT_FIREFOX to its path")
    with firefox(program, tmp_path_factory.mktemp("firefox")) as browser:
        browser.size(*kit.WIDE)
        yield browser


@pytest.fixture(autouse=True)
def _no_error(browser: Firefox) -> Iterator[None]:
    browser.errors.clear()
    yield
    browser.evaluate("1")  # reads what was said until now
    assert not browser.errors


def open_page(browser: Firefox, url: str) -> None:
    """Open a page of the app and wait until it is settled: it has a server, so its websocket is allowed."""
    browser.visit(url)
    browser.wait_for(SETTLED % f"'{url}'")
    assert not browser.evaluate(ALARMS)
    assert browser.evaluate(TOO_WIDE) == 0


def dragging_epsilon_moves_the_numbers(browser: Firefox) -> None:
    """From 0 to 1 on an axis that ends at 5."""
    browser.wait_for(f"{GAIN}?.includes('acc_eq 0.600 → 0.600')")
    left, top, width, height = browser.evaluate(GRIP)
    start, unit, middle = left + 56, (width - 80) / 5, top + height / 2
    browser.drag((start, middle), (start + unit / 2, middle), (start + unit, middle))
    browser.wait_for(f"{GAIN}.includes('acc_eq 0.600 → 0.667')")


@pytest.mark.parametrize("address", PAGES)
def test_a_page_opens_without_an_error_and_shows_its_figure(browser, server, address):
    open_page(browser, f"{server.url}/{address}")
    assert browser.evaluate(TITLE)
    if address != "Teach_this":  # it shows none
        width, height = map(max, zip(*browser.evaluate(SIZES), strict=True))
        assert width >= 500
        assert height >= 200


def test_a_score_is_dragged_and_back_leads_back(browser, server):
    open_page(browser, f"{server.url}/Toy_lab")
    dragging_epsilon_moves_the_numbers(browser)
    browser.wait_for("location.search.includes('eps=1')")
    browser.wait_for(SETTLED % "'dragged'")
    browser.evaluate("document.querySelector('a[href$=Grouping]').click()")
    browser.wait_for(f"{TITLE} === 'Grouping'")
    browser.wait_for(SETTLED % "'on'")
    browser.back()
    browser.wait_for(f"{TITLE} === 'Toy lab'")
    browser.wait_for(f"{GAIN}?.includes('acc_eq 0.600 → 0.667')")
    browser.wait_for(SETTLED % "'back'")
    assert not browser.evaluate(ALARMS)


def test_a_figure_that_tiekit_saved_moves(browser, tmp_path):
    file = tmp_path / "lab.html"
    tiekit(["lab", *TOY, "-o", str(file)], standalone_mode=False)
    browser.visit(file.as_uri())
    dragging_epsilon_moves_the_numbers(browser)
    assert browser.evaluate(TOO_WIDE) == 0
