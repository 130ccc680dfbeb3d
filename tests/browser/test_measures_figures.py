"""The figures of the Measures page: rankings that follow the chosen measures, swaps that fall, the first screen."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tests.browser import figures, kit
from tiekit.figures.agreement import data as alike
from tiekit.figures.agreement import page as alike_page
from tiekit.figures.shuffle import data as swapped
from tiekit.figures.shuffle import page as swapped_page

pytestmark = pytest.mark.browser

SIZES = {"desktop": (1280, 800, ""), "lecture": (1024, 768, "lecture=true&"), "phone": (390, 844, "")}
COUNT = """given => {
    const model = new Model();
    model.take(given);
    return given.at.map((drawn) => model.resultAfter(drawn));
}"""


def test_p_values_are_those_of_tiekit(chromium):
    rng = np.random.default_rng(1)
    human, a, b = rng.normal(size=(3, 9))
    a += human
    for resamples in (99, 2000):  # random ones, and all 512 ways
        test = tk.significance.permutation_test(human, a, b, "pearson", n_resamples=resamples)
        given = swapped.given(("a", "b"), "Pearson r", test.values, test.samples, exact=test.exact)
        sent = {**given, "at": [0, 1, len(test.samples)]}
        found = figures.called(chromium, "shuffle/model.js", "Model", COUNT, sent)
        assert found[0] == {"extreme": 0, "p": None}
        assert found[2]["p"] == pytest.approx(test.pvalue, abs=1e-12)


@pytest.mark.campaign
def test_swaps_fall_and_p_counts_up(chromium, tmp_path):
    samples = np.random.default_rng(2).normal(0, 0.02, 250)
    given = swapped.given(("a", "b"), "by item, τ_b", (0.55, 0.5), samples, what="Here segments are swapped.")
    text = swapped_page.FIGURE.as_page(given, swapped_page.KEYS, swapped_page.TITLE, "Made.")
    (tmp_path / "s.html").write_text(text, "utf-8")
    large = int((np.abs(samples) >= 0.05 - 1e-12).sum())
    with figures.opened(chromium, tmp_path / "s.html", motion="no-preference") as page:
        page.get_by_role("button", name="Shuffle 100 times").press("Enter")
        page.get_by_text("Of 100 random swaps").wait_for()
        page.get_by_role("button", name="All 250").click()
        page.get_by_text(f"({large} + 1)/(250 + 1) = {(large + 1) / 251:.3f}").wait_for()
        page.wait_for_url("**drawn=250**")
        assert page.get_by_role("button", name="All 250").is_disabled()
        figures.check(page)


def test_two_measures_are_chosen_by_mouse_and_keys(chromium, tmp_path):
    measures = ["item/tau_b", "item/pearson", "global/pearson"]
    values = pd.DataFrame([[0.1, 0.2, 0.9], [0.2, 0.1, 0.8], [0.3, 0.3, 0.1]], index=["a", "b", "c"], columns=measures)
    agreement = values.corr(method="kendall")
    given = alike.given(values, agreement, {name: name.replace("/", ", ") for name in measures})
    assert given["chosen"] == alike.least_alike(agreement.loc[alike.in_order(agreement), alike.in_order(agreement)])
    text = alike_page.FIGURE.as_page(given, alike_page.KEYS, alike_page.TITLE, "Made.")
    (tmp_path / "a.html").write_text(text, "utf-8")
    with figures.opened(chromium, tmp_path / "a.html") as page:
        page.get_by_role("button", name="item, tau_b and item, pearson: 0.33").click()
        page.get_by_text("Both find c best").wait_for()
        page.wait_for_url("**chosen=**")
        page.keyboard.press("Home")
        page.keyboard.press("ArrowDown")
        assert page.locator("button[aria-pressed=true]").count() == 1
        page.get_by_role("button", name="item, tau_b and global, pearson").click()
        page.get_by_text("finds c best, the second a").wait_for()
        figures.check(page)


@pytest.mark.parametrize(
    ("size", "colour_scheme"),
    [
        pytest.param(size, scheme, marks=() if (size, scheme) == ("desktop", "light") else pytest.mark.campaign)
        for size in SIZES
        for scheme in ("light", "dark")
    ],
)
def test_the_first_screen_shows_which_measures_rank_alike(open_page, page, size):
    width, height, link = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    open_page(f"/Measures?{link}")
    box = page.locator(".square").bounding_box()
    assert box["y"] + box["height"] <= height + 1
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    page.locator(".square button[aria-pressed=true]").press("ArrowLeft")
    page.wait_for_url("**msr_two=**")
    page.get_by_role("button", name="All 999").click()
    page.wait_for_url("**msr_drawn=999**")
    kit.check_page(kit.settled(page))
