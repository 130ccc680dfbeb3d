"""Is each part of Streamlit's page that the app takes hold of where it is looked for?"""

from __future__ import annotations

import pytest

from tests.browser import kit
from ui.work import streamlit_internals as internals

pytestmark = pytest.mark.browser

IN_LECTURES = {"stPopoverButton"}
WHILE_RUNNING = {"stStatusWidget"}
"""It shows after a while, if at all; its name is looked for in Streamlit's code."""


def missing(page, parts):
    return [name for name in sorted(parts) if not page.locator(internals.part(name)).count()]


@pytest.mark.campaign
def test_every_part_is_on_a_page(open_page):
    page = open_page("/Calibration")
    assert not missing(page, internals.PARTS.keys() - IN_LECTURES - WHILE_RUNNING)
    fonts = page.evaluate("() => [...document.fonts].map(font => font.family)")
    assert internals.FONT in {font.strip('"') for font in fonts}
    says_when_it_is_running(page)
    kit.open_menu(page, "Teach")
    page.get_by_test_id("stCheckbox").filter(has_text="Lecture mode").locator("label").click()
    assert not missing(kit.settled(page), IN_LECTURES)


def says_when_it_is_running(page):
    assert not page.locator(internals.RUNNING).count()
    page.evaluate(
        """running => new MutationObserver(() => { window.hasRun ||= !!document.querySelector(running); })
            .observe(document, { attributes: true, subtree: true })""",
        internals.RUNNING,
    )
    page.get_by_role("button", name="Next").click()
    page.wait_for_function("window.hasRun")
    kit.settled(page)
