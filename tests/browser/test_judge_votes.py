"""LLM as a judge in Chromium: on the first screen, sliders move by keys, tables, sentence and link follow."""

from __future__ import annotations

from urllib.parse import unquote

import pytest

import tiekit as tk
from tests.browser import kit
from tests.browser.figures import SIZES, first_screen
from tiekit.readers import data_file

pytestmark = pytest.mark.browser

VOTES = tk.votes.read_votes(data_file("votes/synthetic.csv"))
HUMAN = VOTES.by("person")


def table(page, judge):
    """The numbers of a judge's table, and both agreements as they are written."""
    section = page.locator(f".judge-votes .judge[data-judge={judge}]")
    cells = [int(cell) for cell in section.locator("tbody td").all_inner_texts()]
    return cells, section.locator(".measure > b").all_inner_texts()


def check(page, atlas, boreas):
    for judge, limit in (("Atlas", atlas), ("Boreas", boreas)):
        found = tk.votes.agreement(VOTES.by(judge), HUMAN, threshold=limit)
        cells, written = table(page, judge)
        assert cells == found.counts.ravel().tolist()
        without = "undefined" if found.without_ties != found.without_ties else f"{found.without_ties:.3f}"
        assert written == [without, f"{found.with_ties:.3f}"]


def said(page):
    return page.locator(".judge-votes .said").inner_text()


@pytest.mark.campaign  # its figure moves in test_figures in every run
@pytest.mark.parametrize(("viewport", "link", "colour_scheme"), SIZES)
def test_each_judge_has_a_threshold_and_the_sentence_claims_what_the_intervals_allow(open_page, link):
    page = open_page(f"/LLM_as_a_judge{link}")
    first_screen(page)
    assert said(page).startswith("Counting ties changes which judge is better.")
    check(page, 0.0, 0.0)
    sliders = page.locator(".judge-votes input")
    sliders.first.focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    check(page, 0.5, 0.0)
    assert "With ties, Boreas has 0.618, Atlas 0.607: it may be chance." in said(page)
    kit.settled(page, quiet=800)
    assert "vote_tie=[0.5,0]" in unquote(page.url)
    sliders.last.press("End")
    check(page, 0.5, 3.0)
    assert "Boreas has no value without ties: it ties everything. Atlas has 0.968." in said(page)
    written = page.locator(".judge[data-judge=Boreas] .measure > b").first
    assert written.evaluate("one => one.scrollWidth <= one.clientWidth")
    bar = page.locator(".judge[data-judge=Boreas] .measure .track").first
    assert written.bounding_box()["x"] + written.bounding_box()["width"] <= bar.bounding_box()["x"] + 0.5 or (
        bar.bounding_box()["y"] > written.bounding_box()["y"]
    )
    page.get_by_role("button", name="Best for each").click()
    check(page, 1.3, 0.0)
    assert said(page).startswith("Atlas agrees better, with ties and without.")
    assert "468 pairs of answers: " in page.locator(".judge .orders").first.inner_text()
    kit.check_page(kit.settled(page, quiet=800))
