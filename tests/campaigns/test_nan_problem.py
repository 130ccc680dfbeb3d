"""The NaN lesson below its tiles: predictions come before answers, and a link keeps all lines."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser import kit

pytestmark = pytest.mark.browser

ANSWERS = ("You said: Dodger-refA", "groups with a value to", "broken: mean")
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


def test_three_predictions_reveal_all(open_page):
    page = open_page("/NaN_problem")
    for element in (page.get_by_role("button", name="Reveal", exact=True)).all():
        assert element.is_disabled()
    text = page.get_by_test_id("stMain").text_content()
    assert not [answer for answer in ANSWERS if answer in text]
    assert page.locator('[aria-label^="Value of"], [aria-label^="Ties of"]').count() == 0
    for answer in ("Dodger-refA", "it rises", "it rises"):
        reveal(page, answer)
    text = page.get_by_test_id("stMain").text_content()
    assert [answer for answer in ANSWERS if answer in text] == list(ANSWERS)
    page.get_by_text("Group by group").click()
    kit.settled(page)
    kit.check_page(page)
