"""The leaderboard's first screen, and its chart of ranks under mouse and keys."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser import figures, kit
from tiekit.figures.json_values import short_name

pytestmark = pytest.mark.browser

WMT22 = "/Leaderboard?source=WMT22+Chinese–English&table_tests=neither"


def chosen_everywhere(page, name):
    """Assert that a metric is the chosen one of names, lines, sentence and table."""
    short = short_name(name)
    expect(page.locator(".bump [role=option][aria-selected=true]")).to_contain_text(short)
    expect(page.locator(".bump g.chosen")).to_have_attribute("data-name", name)
    expect(page.locator(".bump .sentence")).to_contain_text(short)
    expect(page.locator(".ranking tr[aria-current=true] th").first).to_have_text(short)
    expect(page.locator(".ranking tr[aria-current=true] th").first).to_have_attribute("title", name)


def test_a_line_is_chosen_by_mouse_and_by_keys_and_the_table_marks_it(page):
    page.goto(WMT22)
    kit.settled(page, patience=120_000)  # 24 metrics are calibrated
    figures.first_screen(page)
    expect(page.get_by_role("button", name="Show all 24 metrics")).to_be_visible()
    expect(page.locator(".st-key-ranking tbody tr")).to_have_count(10)
    options = page.locator(".bump [role=option]")
    expect(options).to_have_count(24)
    chosen_everywhere(page, "GEMBA-Dav3-DA-refA")
    options.nth(1).click()
    chosen_everywhere(page, "COMET-22-refA")
    page.get_by_role("listbox", name="Metrics").focus()
    page.keyboard.press("ArrowDown")
    chosen_everywhere(page, "GEMBA-GPT4-DA-refA")
    page.keyboard.press("End")
    chosen_everywhere(page, options.last.get_attribute("title"))
    expect(page.locator(".st-key-ranking tbody tr:not(.gap)")).to_have_count(11)  # it is none of the first ten
    expect(page.locator(".st-key-ranking tbody tr.gap")).to_have_text("… 13 metrics not shown")
    kit.settled(page, quiet=1000)
    expect(page).to_have_url(re.compile("ranked_metric="))
    page.locator(".st-key-ranking tbody tr").first.click()
    chosen_everywhere(page, "metricx_xxl_MQM_2020-refA")
    kit.check_page(kit.settled(page))
