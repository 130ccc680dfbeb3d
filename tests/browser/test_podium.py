"""The podium: its numbers are tiekit's, it is moved by mouse and by keys."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

import tiekit as tk
from tests.browser import figures
from tiekit.core.pairs import KINDS
from tiekit.figures.podium import HUMAN, METRICS, MOST, figure_data, podium_page

pytestmark = pytest.mark.browser
CALL = "({ data, most }) => Array.from({ length: most + 1 }, (_, epsilon) => standingsOf(data, epsilon))"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "podium.html"
    path.write_text(podium_page(), encoding="utf-8")
    return path


def test_it_is_moved_by_mouse_and_keys_and_tells_tiekits_numbers(chromium: Browser, file) -> None:
    told = figures.called(chromium, {"podium/figure.js": "standingsOf"}, CALL, {"data": figure_data(), "most": MOST})
    for epsilon, standings in enumerate(told):
        for one in standings:
            counts = tk.count_pairs(HUMAN, METRICS[one["name"]], epsilon=epsilon)
            assert one["counts"] == [getattr(counts, kind) for kind in KINDS]
            assert one["value"] == pytest.approx(tk.COEFFICIENTS["acc_eq"].value(counts), abs=1e-12)
    with figures.opened(chromium, file) as page:
        caption, slider = page.locator(".caption"), page.get_by_role("slider")
        expect(caption).to_contain_text("Coarse wins: 13 of 15 pairs right, Fine 11.")
        drawn = [row.locator("i.right").count() for row in page.locator(".pairs").all()]
        assert drawn == [13, 11]  # all pairs are drawn, so that anybody can count to the sentence
        assert page.locator(".pairs i").count() == 2 * 15
        slider.press("ArrowRight")
        slider.press("ArrowRight")
        expect(caption).to_contain_text("Fine wins: 15 of 15 pairs right, Coarse 13.")
        page.wait_for_url("**#*epsilon=2*")
        box = slider.bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + 0.7 * box["width"], box["y"] + box["height"] / 2)
        expect(caption).to_contain_text("Coarse wins: 13 of 15 pairs right, Fine 11.")
        expect(caption).to_contain_text("ε = 14: Fine ties 4 pairs that the raters order.")
        figures.check(page)
