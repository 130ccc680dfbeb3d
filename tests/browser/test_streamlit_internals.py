"""Is each part of Streamlit's page that the app takes hold of where it is looked for?"""

from __future__ import annotations

import pytest

from ui.base import streamlit_internals as internals

pytestmark = pytest.mark.browser

IN_LECTURES = {"stHeader", "stPopoverButton"}
WHILE_RUNNING = {"stStatusWidget"}
"""It shows after a while, if at all; its name is looked for in Streamlit's code."""


def test_every_part_is_on_a_page(open_page):
    for path, parts in {
        "/Calibration": internals.PARTS.keys() - IN_LECTURES - WHILE_RUNNING,
        "/Calibration?lecture=true": IN_LECTURES,
    }.items():
        page = open_page(path)
        assert not [name for name in sorted(parts) if not page.locator(internals.part(name)).count()]


def test_a_page_says_that_it_is_running(open_page):
    page = open_page("/Calibration")
    assert not page.locator(internals.RUNNING).count()
    page.evaluate(
        """running => new MutationObserver(() => { window.hasRun ||= !!document.querySelector(running); })
            .observe(document, { attributes: true, subtree: true })""",
        internals.RUNNING,
    )
    page.get_by_role("button", name="Next").click()
    page.wait_for_function("window.hasRun")


def test_a_charts_font_is_found(open_page):
    page = open_page("/Calibration")
    fonts = page.evaluate("() => [...document.fonts].map(font => font.family)")
    assert internals.FONT in {font.strip('"') for font in fonts}
