"""Algorithm 1 by hand: every candidate by click and by key, and what a reload and a page trip keep."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

import tiekit as tk
from tests.browser import kit

pytestmark = pytest.mark.browser

HUMAN, METRIC = [0, 0, 0, 0, 1, 2], [0, 1, 2, 3, 4, 5]
CANDIDATES = [0, 1, 2, 3, 4, 5]


def words(page, start):
    return page.locator(f'[aria-label^="{start}"]').first.get_attribute("aria-label")


def drawn(page, start):
    """The names of the marks that a chart draws."""
    chart = page.locator(f'[aria-label^="{start}"]').first
    chart.scroll_into_view_if_needed()
    box = chart.locator("xpath=ancestor-or-self::*[@data-testid='stVegaLiteChart']").first
    return box.locator("[role=graphics-symbol]").evaluate_all(
        "marks => marks.map(m => m.getAttribute('aria-label') || '')"
    )


def check_candidate(page, at, name="acc_eq"):
    """Heading, curve and matrix say what the library says."""
    label, epsilon = tk.COEFFICIENTS[name].label, CANDIDATES[at]
    expect(page.get_by_role("heading", name=f"Candidate {at + 1} of 6: ε = {epsilon}", exact=True)).to_be_visible()
    value = tk.correlate(HUMAN, METRIC, name, epsilon=epsilon).value
    shown = "undefined" if value != value else f"{value:.3f}"
    assert f" to {shown} at ε = {epsilon}; best so far " in words(page, f"{label} from ")
    counts = tk.count_pairs(HUMAN, METRIC, epsilon=epsilon)
    marks = drawn(page, "Pairs at ε")
    kinds = [re.search(r"kind: (\w+)", mark)[1] for mark in marks if "kind: " in mark]
    assert len(kinds) == counts.total
    assert kinds.count("ties_both") + kinds.count("ties_metric") == counts.ties_both + counts.ties_metric
    new = sum(abs(a - b) == epsilon for k, a in enumerate(METRIC) for b in METRIC[:k])
    assert sum("pair: " in mark and "kind: " not in mark for mark in marks) == new  # their outlines


@pytest.mark.parametrize("clicks", [2, pytest.param(5)])
def test_candidates_by_click_and_by_key(open_page, clicks):
    page = open_page("/Calibration")
    for at in range(clicks):
        check_candidate(page, at)
        page.get_by_role("button", name="Next").click()
        kit.settled(page)
    check_candidate(page, clicks)
    page.get_by_role("slider", name="Threshold ε").focus()
    page.keyboard.press("End")
    kit.settled(page)
    check_candidate(page, 5)
    kit.check_page(page)
    best = tk.calibrate(HUMAN, METRIC)
    expect(page.get_by_text(f"is ε* = {best.epsilon:g}: acc_eq* = {best.value:.3f}.")).to_be_visible()
    assert page.get_by_role("button", name="Next").is_disabled()
    page.get_by_role("button", name="Back").focus()
    page.keyboard.press("Enter")
    kit.settled(page)
    check_candidate(page, 4)
    assert page.evaluate("document.activeElement.innerText") == "Back"
    page.get_by_role("button", name="Go to the best").click()
    kit.settled(page)
    check_candidate(page, CANDIDATES.index(best.epsilon))
    page.get_by_role("slider", name="Threshold ε").focus()
    page.keyboard.press("ArrowRight")
    kit.settled(page)
    check_candidate(page, CANDIDATES.index(best.epsilon) + 1)
