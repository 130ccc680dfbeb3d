"""The NaN lesson in a browser: predictions come before answers, reasons are counted, the puzzle is checked."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser import kit
from ui.nan_problem import puzzle

pytestmark = pytest.mark.browser

SOLUTION = "8 6 5 2 | 6 6 3 3 | 4 4 4 4 | 5 5 5 5"
LINE = " | ".join(["1 2 3 4"] * 5)
ANSWERS = ("counts them as 0", "groups with a value to", "broken: mean")
"""What the page says only after predictions."""


def reveal(page, answer):
    """Predict in the first question that is still open."""
    page.get_by_role("radio", name=answer, exact=True).first.locator("xpath=ancestor::label").click()
    kit.settled(page)
    hidden = page.get_by_role("button", name="Reveal", exact=True)
    number = hidden.count()
    hidden.first.click()
    expect(hidden).to_have_count(number - 1, timeout=30_000)
    kit.settled(page)


def test_four_predictions_reveal_all(open_page):
    page = open_page("/NaN_problem")
    for element in (page.get_by_role("button", name="Reveal", exact=True)).all():
        assert element.is_disabled()
    text = page.get_by_test_id("stMain").text_content()
    assert not [answer for answer in ANSWERS if answer in text]
    assert page.locator('[aria-label^="Value of"], [aria-label^="Ties of"]').count() == 0
    grid = page.locator('[data-testid="stVegaLiteChart"]').first
    reasons = [
        re.search(r"reason: ([^;]*)", mark.get_attribute("aria-label"))[1].strip()
        for mark in grid.locator("[role=graphics-symbol][aria-label*='reason: ']").all()
    ]
    half = {reason: reasons.count(reason) for reason in set(reasons) - {""}}  # a cell is a rectangle and its words
    assert half == {
        "all human scores tie": 4,
        "all metric scores tie": 4,
        "all human scores tie and all metric scores tie": 2,
    }
    for answer in ("C", "Dodger-refA", "it rises", "it rises"):
        reveal(page, answer)
    assert page.get_by_text("Right: C.").is_visible()
    text = page.get_by_test_id("stMain").text_content()
    assert [answer for answer in ANSWERS if answer in text] == list(ANSWERS)
    page.get_by_text("Group by group").click()
    kit.settled(page)
    kit.check_page(page)


@pytest.mark.campaign
def test_the_puzzle_turns_green_for_a_solution_only_and_its_link_keeps_all_lines(open_page):
    page = open_page("/NaN_problem")
    before = page.get_by_label("Scores of metric A").input_value()
    page.get_by_label("Scores of metric A").fill(LINE)  # B's and C's were never changed
    kit.settled(page)
    lines = [page.get_by_label(f"Scores of metric {name}").input_value() for name in "ABC"]
    line, verdict = page.get_by_label("Scores of worse"), page.get_by_test_id("stAlert").last
    for tried, words in (
        (SOLUTION.replace("5 5 5 5", "4 7 6 5"), "Not yet."),
        (SOLUTION.replace("4 4 4 4", "4 3 4 4"), "changed sides"),
        (SOLUTION, "Solved: worse wins under τ_b"),
    ):
        line.fill(tried)
        line.press("Enter")
        kit.settled(page)
        expect(verdict).to_contain_text(words)
        green = page.get_by_test_id("stAlertContentSuccess").filter(has_text="Solved").count()
        assert green == (tried == SOLUTION)
    kit.visit(page, page.url + "&puzzle_coefficient=acc_eq")
    assert page.get_by_label("Scores of worse").input_value() == SOLUTION
    assert lines == [page.get_by_label(f"Scores of metric {name}").input_value() for name in "ABC"]
    assert (lines[0], lines[2][:11]) == (LINE, "60 70 80 90")
    expect(page.get_by_test_id("stAlert").last).to_contain_text("no tying wins under acc_eq here")
    page.get_by_role("button", name="Start over").click()
    kit.settled(page)
    assert page.get_by_label("Scores of worse").input_value() == puzzle.line_of(puzzle.WORSE)
    page.get_by_label("Scores of metric A").fill(before)
    kit.settled(page)


@pytest.mark.campaign
@pytest.mark.parametrize("colour_scheme", ["dark"])
def test_a_link_keeps_the_number_of_buckets_until_it_is_asked_for(open_page, colour_scheme):
    page = open_page("/NaN_problem?k=12&seed=7")
    for answer in ("C", "Dodger-refA", "it rises"):
        reveal(page, answer)
    expect(page.get_by_text("In 12 buckets")).to_be_visible()
    page.get_by_role("slider").focus()
    page.keyboard.press("ArrowLeft")
    kit.settled(page)
    expect(page.get_by_text("In 11 buckets")).to_be_visible()
    assert "k=11" in page.url
    assert "seed=7" in page.url
    reveal(page, "it rises")
    assert page.locator('[aria-label^="Ties of"]').first.is_visible(), colour_scheme
    kit.check_page(page)
