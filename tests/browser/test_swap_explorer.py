"""The swap explorer on a page of its own: swapped by hand and at random, against tiekit."""

import json
import re
from itertools import product
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser import figures
from tiekit.significance.permutation import permutation_test
from tiekit.widgets import SwapExplorer

pytestmark = pytest.mark.browser

HUMAN = [0, 1, 2, 2, 3, 3, 4, float("nan"), 5]
A, B = [1, 0, 2, 2, 4, 3, 5, 5, 6], [30, 10, 10, 20, 10, 40, 20, 20, 50]
SWAPS = re.compile(r"Of (?:all )?([\d,]+) (?:random swaps?|ways to swap), ([\d,]+) .*: p = ([\d.]+)\.$")


@pytest.fixture
def explorer():
    return SwapExplorer(HUMAN, A, B, names=("X", "Y"))


@pytest.fixture
def file(explorer, tmp_path):
    explorer.to_html(tmp_path / "swap.html")
    return tmp_path / "swap.html"


def state(page):
    """What the address says."""
    return {key: json.loads(value[0]) for key, value in parse_qs(urlsplit(page.url).fragment).items()}


def drawn(page):
    """Wait until the picture is drawn."""
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return page


def verdict(page):
    return drawn(page).locator(".verdict").inner_text()


def counted(page):
    """The number of swaps, how many differ as much, and the p-value that the sentence says."""
    number, extreme, p = SWAPS.search(verdict(page)).groups()
    return int(number.replace(",", "")), int(extreme.replace(",", "")), float(p)


def same_now(page, explorer):
    """The sentence about the scores as they are is tiekit's, for the state that the address says."""
    shown = drawn(page).locator(".now").inner_text().replace("−", "-")
    explorer.swapped = state(page).get("swapped", [])
    assert float(re.search(r"difference (-?[\d.]+)\.$", shown)[1]) == pytest.approx(explorer.difference, abs=5e-4)
    number = len(explorer.swapped)
    assert shown.startswith(f"Now, {number} of 8 items swapped:" if number else "Now, no item swapped:")
    pressed = page.get_by_role("toolbar").get_by_role("button", pressed=True)
    assert [int(text) - 1 for text in re.findall(r"⇄ (\d+)", " ".join(pressed.all_inner_texts()))] == explorer.swapped


def test_swapped_by_hand(chromium, explorer, file):
    with figures.opened(chromium, file) as page:
        assert verdict(page).startswith(f"Observed: X beats Y by {explorer.observed:.3f} in acc_eq. Swap scores")
        same_now(page, explorer)
        item = page.get_by_role("button", name="3: human 2, X 2, Y 10")
        item.click()
        assert page.get_by_role("button", name="3: human 2, X 10, Y 2").count() == 1
        assert state(page) == {"swapped": [2]}
        same_now(page, explorer)
        for key in ("ArrowRight", "Space", "End", "Space", "ArrowLeft", "Space", "Home", "ArrowDown", "Enter"):
            page.keyboard.press(key)
        figures.check(page)
        row = page.evaluate(
            "[...document.querySelectorAll('.item')].filter((i, _, all) => i.offsetTop === all[0].offsetTop).length"
        )
        below = min(row, 8)
        # The item without a human score cannot be swapped.
        assert state(page)["swapped"] == sorted({2, 3, 8} ^ ({below} - {7}))
        same_now(page, explorer)
        assert "Swap scores at random" in verdict(page)  # what is swapped by hand is not counted
        page.get_by_role("button", name="Reset").click()
        assert state(page) == {}
        same_now(page, explorer)


def test_swapped_at_random(chromium, explorer, file):
    with figures.opened(chromium, file) as page:
        for button, number in (("Swap at random", 1), ("Swap at random ×10", 11), ("Swap at random ×100", 111)):
            page.get_by_role("button", name=button, exact=True).click()
            found, extreme, p = counted(page)
            assert found == state(page)["draws"] == number
            assert p == pytest.approx((extreme + 1) / (number + 1), abs=5e-4)
            same_now(page, explorer)
        assert abs(p - explorer.test.pvalue) < 0.2
        alternative = page.get_by_role("img", name="Histogram").get_attribute("aria-label")
        assert alternative.startswith("Histogram of 111 differences in acc_eq, from −")
        before = counted(page)
        page.get_by_label("Seed").fill("5")
        page.keyboard.press("Enter")
        assert (other := counted(page)) != before
        assert state(page)["seed"] == 5
        page.get_by_label("Seed").fill("0")
        page.keyboard.press("Enter")
        assert counted(page) == before
        page.evaluate("location.hash = 'draws=111&seed=5&swapped=[4]'")
        expect(page.get_by_label("Seed")).to_have_value("5")
        assert counted(page) == other

        page.get_by_role("button", name="All 256 ways to swap").click()
        for coefficient in ("acc_eq", "pearson", "tau_b"):
            page.get_by_label("Coefficient").select_option(coefficient)
            explorer.coefficient = coefficient
            found, extreme, p = counted(page)
            assert explorer.test.exact
            assert found == explorer.test.n_resamples == 256
            assert (extreme / found, p) == (explorer.test.pvalue, pytest.approx(explorer.test.pvalue, abs=5e-4))
        assert state(page) == {"coefficient": "tau_b", "draws": "all", "seed": 5, "swapped": [4]}
        said = verdict(page)
        picture = downloaded_svg(page)
        assert picture.startswith("<svg")
        assert "observed</text>" in picture
        fragment = "#" + urlsplit(page.url).fragment
    with figures.opened(chromium, file, fragment=fragment) as page:
        assert verdict(page) == said
        same_now(page, explorer)


def downloaded_svg(page):
    with page.expect_download() as found:
        page.get_by_role("button", name="Save the histogram as SVG").click()
    assert found.value.suggested_filename == "swaps-X-Y-tau_b.svg"
    return found.value.path().read_text(encoding="utf-8")


@pytest.mark.campaign
def test_played_until_something_else_is_asked_for(chromium, explorer, file):
    with figures.opened(chromium, file, fragment='#draws=20000&swapped=["x"]') as page:  # a damaged link
        assert "Swap scores at random" in verdict(page)
        page.get_by_role("button", name="Play").click()
        expect(page.locator(".verdict")).to_contain_text("random swaps")
        page.get_by_role("button", name="Pause").click()
        assert counted(page)[0] == state(page)["draws"] > 0
        same_now(page, explorer)
        page.evaluate("location.hash = 'draws=20000'")  # more than there may be
        expect(page.locator(".verdict")).to_contain_text("Swap scores at random")
        page.get_by_role("button", name="Play").click()
        page.evaluate("location.hash = 'draws=3&swapped=[1]&coefficient=\"tau_a\"'")
        expect(page.get_by_role("button", name="Play")).to_be_visible()
        explorer.coefficient = "tau_a"
        assert counted(page)[0] == 3
        same_now(page, explorer)
        page.evaluate("location.hash = 'draws=9999'")
        expect(page.get_by_role("button", name="Swap at random", exact=True)).to_be_disabled()
        assert counted(page)[0] == 9999


@pytest.mark.campaign
@pytest.mark.parametrize(("width", "scheme"), list(product(figures.WIDTHS, ("light", "dark"))))
def test_in_every_size_and_theme(chromium, tmp_path, width, scheme):
    rng = np.random.default_rng(2)
    scores = rng.integers(0, 5, 60), rng.normal(size=60), rng.integers(-400, 400, 60)
    explorer = SwapExplorer(*scores, names=("a-metric-with-a-long-name-22", "<b>another</b>"))
    explorer.draws = 300
    explorer.to_html(tmp_path / "swap.html")
    with figures.opened(chromium, tmp_path / "swap.html", width=width, theme=scheme) as page:
        figures.check(drawn(page))
        page.get_by_role("button", name="Swap at random", exact=True).click()
        page.get_by_role("toolbar").get_by_role("button").nth(59).click()
        figures.check(drawn(page))
        assert counted(page)[0] == 301
    assert permutation_test(*scores).difference == explorer.observed
