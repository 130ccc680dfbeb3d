"""Humans as metrics' first picture: on the first screen, the judge changes by pointer and keys, the bars re-sort."""

from __future__ import annotations

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser import kit
from tests.browser.figures import SIZES, first_screen
from ui.humans.on_set import read_bundled_values

pytestmark = pytest.mark.browser


def bars(page):
    """The names as the bars stand, and their values by name."""
    read = "row => [row.getBoundingClientRect().top, row.dataset.row, row.querySelector('b').innerText]"
    rows = page.locator(".human_rows .row").evaluate_all(f"rows => rows.map({read})")
    return [name for _, name, _ in sorted(rows)], {name: float(value.replace("−", "-")) for _, name, value in rows}


def check(page, judge, measure="item/acc_eq*"):
    rows = read_bundled_values()
    board = rows[(rows["judge"] == judge) & (rows["measure"] == measure)].set_index("name")["value"]
    order, values = bars(page)
    assert set(order) == set(board.index)
    assert values == pytest.approx(board.to_dict(), abs=5.1e-4)
    assert list(np.diff([values[name] for name in order]) <= 0) == [True] * (len(order) - 1)


@pytest.mark.campaign  # its figure moves in test_figures in every run
@pytest.mark.parametrize(("viewport", "link", "colour_scheme"), SIZES)
def test_the_bars_re_sort_as_another_score_judges(open_page, link):
    page = open_page(f"/Humans_as_metrics{link}")
    page.emulate_media(reduced_motion="reduce")
    first_screen(page)
    check(page, "mqm")
    page.locator(".human_rows [role=radio]").first.focus()
    page.keyboard.press("ArrowRight")
    kit.settled(page, quiet=800)
    check(page, "wmt-appraise")
    expect(page).to_have_url(re.compile("hum_judge=wmt-appraise"), timeout=30_000)
    page.locator(".human_rows .row[data-row=mqm]").click()
    kit.settled(page, quiet=800)
    said = page.locator(".human_rows .said").inner_text()
    assert "mqm has rank 12 of 13" in said
    assert "With random noise" in said
    page.locator(".human_rows [role=radio]", has_text="Pearson").click()
    kit.settled(page, quiet=800)
    check(page, "wmt-appraise", "global/pearson")
    assert "With random noise" not in page.locator(".human_rows .said").inner_text()
    kit.check_page(page)
