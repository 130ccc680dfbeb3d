"""The first screen of every page at every size: a small head, and the picture whole below it."""

from __future__ import annotations

import pytest

from tests.browser import figures, kit
from ui.page import pages

pytestmark = pytest.mark.browser

CHECKED_ELSEWHERE = (
    "/",
    "/Toy_lab",
    "/NaN_problem",
    "/Calibration",
    "/Leaderboard",
    "/Sentinels",
    "/Judgments",
    "/Humans_as_metrics",
    "/LLM_as_a_judge",
    "/Teach_this",
    "/Which_number",
)
"""Pages that other tests open at a desk, and hold to the same, or that have no picture."""


@pytest.mark.parametrize(("viewport", "link", "colour_scheme"), figures.SIZES)
@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=[pytest.mark.campaign] * (path in CHECKED_ELSEWHERE))
        for path in ("/", *(f"/{page.address}" for page in pages.lessons()))
    ],
)
def test_the_head_is_small_and_the_picture_whole(open_page, path, link):
    page = open_page(path + link)
    figures.first_screen(page)
    if link or page.viewport_size["width"] == kit.NARROW[0]:
        kit.check_page(page)
    # The icon comes with the page, so no browser asks for it in the moment in which Streamlit has dropped it.
    icon = page.locator("link[rel~=icon]")
    assert icon.get_attribute("href").startswith("data:image/png;base64,")
    assert icon.evaluate("link => { const i = new Image(); i.src = link.href; return i.decode().then(() => i.width); }")


SHIFTS = """new PerformanceObserver(list => {
    for (const { hadRecentInput, value } of list.getEntries())
        if (!hadRecentInput) window.shifted = (window.shifted ?? 0) + value;
}).observe({ type: "layout-shift", buffered: true })"""
"""It sums up the shifts of a page's layout, see https://web.dev/articles/cls, as soon as the page begins."""


@pytest.mark.parametrize("viewport", [(1280, 800)])
@pytest.mark.parametrize(
    ("lesson", "answers"),
    [
        pytest.param(
            *(one, answers),
            id=f"{one.title}{answers}",
            marks=[pytest.mark.campaign] * ((one.number, answers) != (1, "")),
        )
        for one in pages.path()
        for answers in ("", "?answers=show")
    ],
)
def test_hardly_anything_moves_while_a_page_loads(page, lesson, answers):
    page.add_init_script(SHIFTS)
    page.goto(f"/{lesson.address if lesson.number > 1 else ''}{answers}")
    kit.settled(page, quiet=800, patience=120_000)  # 24 metrics are calibrated
    figures.first_screen(page)
    assert page.evaluate("window.shifted ?? 0") < 0.1
