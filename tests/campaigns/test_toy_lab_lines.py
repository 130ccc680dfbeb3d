"""The toy lab's lines: typed and pasted scores, what a reload and a link keep."""

from __future__ import annotations

import math
import re

import pytest
from playwright.sync_api import expect

import tiekit as tk
from tests.browser import kit
from tests.browser.lab import (
    FIGURE_2,
    M2,
    arrives,
    drawer,
    exact_epsilon,
    expected,
    read,
    retype,
    scores,
    sentence,
)

pytestmark = pytest.mark.browser
NASTY = [
    ".5 1e-3 0 0 2 1", "0 0 0 0 nan 1", "-1 -2 -3 -4 -5 None", "0.25, 0.5, 0.5, 1, 2, 1", "1;2;3;4;5;6",
    "[1, 2, 3, 4, 5, 6]", "(1 2 3 4 5 6)", "+1 +2 -0 0 .0 0.", "1E3 1e+3 1e-3 1.e1 .1e1 0e0", "−1 −2 −3 – - NA",
    "n/a NULL null na NaN nan",
    "1,2,3,4,5,6", "0.1,0.2,0.3,0.4,0.5,0.6", "  1   2  3 4 5   6  ", "1, 2, 3, 4, 5, 6,", "1e100 -1e100 0 0 0 0",
    "0.1 0.2 0.30000000000000004 0.3 0.1 0.2", "1e-320 0 0 0 0 1", "9007199254740993 1 2 3 4 5", "5e-324 0 0 0 0 0",
    "1 1,5 2 3 4 5", ",5 1 2 3 4 5", "1,234,567 1 2 3 4 5", "one 2 3 4 5 6", "inf 1 2 3 4 5", "-inf 1 2 3 4 5",
    "1e999 1 2 3 4 5", "1_000 1 2 3 4 5", "0x10 1 2 3 4 5", "1--2 1 2 3 4 5", "1e 2 3 4 5 6", "１ 2 3 4 5 6",
    "1 2 3 4 5", "1 2 3 4 5 6 7", "<b>1</b> 2 3 4 5 6", "$x$ 2 3 4 5 6", "1 2 3 4 5 `6`", ":smile: 2 3 4 5 6",
    "[1](http://x) 2 3 4 5 6", "",
]  # fmt: skip


def check_entry(page, text):
    """The line holds the text; the numbers are those the parser reads, or a message names what was found or lacks."""
    expect(scores(page)).to_have_value(text)
    try:
        found = [None if math.isnan(value) else value for value in tk.parse_vector(text, "m1")]
        message = f"m1 has {len(found)} scores and h has 6"
    except tk.InputError as error:
        found, message = [], str(error)
    if len(found) == 6:
        arrives(page, FIGURE_2, {"m1": found, "m2": M2})
        errors = page.get_by_test_id("stAlert").filter(has_not_text="by less than 1e-12")  # a note on near ties
        expect(errors).to_have_count(0)
    elif not text:
        expect(
            page.get_by_test_id("stCaptionContainer").filter(has_text="Type 6 scores, one for each of h")
        ).to_be_visible()
        arrives(page, FIGURE_2, {"m2": M2})
    else:
        said = re.compile(r"\u200c?".join(re.escape(sign) for sign in message))  # signs without width keep links apart
        expect(page.get_by_test_id("stAlert").filter(has_text=said)).to_have_count(1)
        arrives(page, FIGURE_2, {"m2": M2})


@pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")
def test_nasty_lines_are_pasted_or_typed_and_arrive_as_they_are_or_are_refused_by_name(page, server):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=server.url)
    kit.visit(page, "/Toy_lab")
    assert len(NASTY) == 40
    for text in NASTY:
        page.evaluate("text => navigator.clipboard.writeText(text)", text)
        scores(page).click()
        page.keyboard.press("Control+a")
        page.keyboard.press("Control+v" if text else "Delete")
        check_entry(page, text)
    page.evaluate("navigator.clipboard.writeText('.5\\n1e-3\\n0\\n0\\n2\\n1\\n')")  # a column of a spreadsheet
    scores(page).click()
    page.keyboard.press("Control+a")
    page.keyboard.press("Control+v")
    arrives(page, FIGURE_2, {"m1": [0.5, 0.001, 0, 0, 2, 1], "m2": M2})
    retype(page, scores(page), NASTY[0])
    check_entry(page, NASTY[0])
    kit.no_exception_box(page)


def test_focus_stays_while_messages_come_and_go(open_page):
    page = open_page("/Toy_lab")
    scores(page).click()
    page.keyboard.press("End")
    for key, messages in (("Backspace", 1), ("3", 0), ("x", 1), ("Backspace", 0)):
        page.keyboard.press(key)
        kit.settled(page)
        assert page.get_by_test_id("stAlert").count() == messages
        assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Scores of metric 1"
    assert read(page) == expected(FIGURE_2, {"m1": [0, 0, 0, 0, 2, 3], "m2": M2})


def test_nothing_is_lost_on_reload_or_a_page_trip(open_page):
    page = open_page("/Toy_lab")
    retype(page, scores(page), "3 2 1 0 0 0")
    retype(page, drawer(page).get_by_label("Metric 1", exact=True), "my metric")
    retype(page, exact_epsilon(page), "1")
    page.get_by_label("Highlight pair").select_option("2 and 6")
    page.wait_for_url(re.compile("pair=2-6"))
    kit.settled(page)
    told, here = sentence(page), read(page)
    assert here == expected(FIGURE_2, {"my metric": [3, 2, 1, 0, 0, 0], "m2": M2}, 1)
    page.reload()
    kit.settled(page)
    assert (sentence(page), read(page)) == (told, here)
    page.get_by_role("link", name="Start").first.click()
    kit.settled(page)
    page.get_by_role("link", name="2 · Ways to count").first.click()
    kit.settled(page)
    assert (scores(page).input_value(), sentence(page), read(page)) == ("3 2 1 0 0 0", told, here)
