"""The figures of the Measures page: rankings that follow the chosen measures, the first screen."""

from __future__ import annotations

import pandas as pd
import pytest
from playwright.sync_api import expect

from tests.browser import figures
from tiekit.figures import FIGURES
from tiekit.figures import agreement as alike

pytestmark = pytest.mark.browser


def test_two_measures_are_chosen_by_mouse_and_keys(chromium, tmp_path):
    measures = ["item/tau_b", "item/pearson", "global/pearson", "system/pearson", "system/tau_b"]
    rows = [[0.1, 0.2, 0.9, 0.3, 0.5], [0.2, 0.1, 0.8, 0.2, 0.5], [0.3, 0.3, 0.1, 0.1, 0.5], [None] * 5]
    values = pd.DataFrame(rows, index=["a", "b", "c", "none"], columns=measures, dtype=float)
    agreement = values.corr(method="kendall")
    labels = {name: name.replace("/", ", ").replace("tau", "τ") for name in measures}
    given = alike.figure_data(values, agreement, labels)
    assert given["chosen"] == alike.least_alike(agreement.loc[alike.in_order(agreement), alike.in_order(agreement)])
    text = FIGURES["agreement"].page(given, "Made.")
    (tmp_path / "a.html").write_text(text, "utf-8")
    with figures.opened(chromium, tmp_path / "a.html") as page:
        page.get_by_role("button", name="item, τ_b and item, pearson: 0.33").click()
        assert page.locator(".square th sub").all_text_contents() == ["_b"] * 4
        page.get_by_text("Both find c best").wait_for()
        page.get_by_text("none has no value by either measure.").wait_for()
        page.wait_for_url("**chosen=**")
        page.keyboard.press("Home")
        page.keyboard.press("ArrowDown")
        assert page.locator("button[aria-pressed=true]").count() == 1
        page.get_by_role("button", name="item, τ_b and global, pearson").click()
        page.get_by_text("finds c best, the second a").wait_for()
        reversed_ones = page.get_by_role("button", name="item, τ_b and system, pearson: −1.00")
        expect(reversed_ones).to_have_text("−1")
        assert page.locator(".square button").evaluate_all(
            "all => all.every(one => one.scrollWidth <= one.clientWidth)"
        )
        page.get_by_role("button", name="item, τ_b and system, τ_b: undefined").click()
        figures.settled_text(page)
        ends = page.locator(".slopes g:not(.gone) path").evaluate_all(
            "all => all.map(one => one.getAttribute('d').match(/\\S+(?=L\\S+ \\S+$)/)[0])"
        )
        assert len(set(ends)) == 1, "the lines of tied metrics meet"
        page.get_by_text("undefined, as all metrics have the same value by “system, τ_b”.").wait_for()
        figures.check(page)
