"""The figures of the Measures page: rankings that follow the chosen measures, the first screen."""

from __future__ import annotations

import pandas as pd
import pytest

from tests.browser import figures, kit
from tiekit.figures import FIGURES
from tiekit.figures import agreement as alike

pytestmark = pytest.mark.browser

SIZES = {"desktop": (1280, 800, ""), "lecture": (1024, 768, "lecture=true&"), "phone": (390, 844, "")}


def test_two_measures_are_chosen_by_mouse_and_keys(chromium, tmp_path):
    measures = ["item/tau_b", "item/pearson", "global/pearson"]
    values = pd.DataFrame([[0.1, 0.2, 0.9], [0.2, 0.1, 0.8], [0.3, 0.3, 0.1]], index=["a", "b", "c"], columns=measures)
    agreement = values.corr(method="kendall")
    given = alike.figure_data(values, agreement, {name: name.replace("/", ", ") for name in measures})
    assert given["chosen"] == alike.least_alike(agreement.loc[alike.in_order(agreement), alike.in_order(agreement)])
    text = FIGURES["agreement"].page(given, "Made.")
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
