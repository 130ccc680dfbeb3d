"""Every page in every theme and width: no exception box, no sideways scroll, nothing that axe objects to."""

from __future__ import annotations

from contextlib import suppress

import pytest
from playwright.sync_api import expect

from tests.browser import kit
from ui.page import pages

pytestmark = pytest.mark.browser

PAGES = ["/", *(f"/{page.address}" for page in pages.lessons())]


MOST_ROUNDS = 10
"""So often whatever is closed on a page is clicked on."""

PROJECTED = ("/", "/Calibration", "/Leaderboard")
"""Pages that are looked at in lecture mode, too: the first in every run, formulas and tables in others."""

OF_THEIR_OWN = (
    "/Toy_lab",
    "/Calibration",
    "/Leaderboard",
    "/Measures",
    "/NaN_problem",
    "/Grouping",
    "/Sentinels",
    "/Judgments",
    "/LLM_as_a_judge",
    "/Humans_as_metrics",
)
"""Pages whose first screen a test of its own opens and checks likewise in every run; all of each, the campaigns."""

ON_WMT22 = [f"/{page}?source=WMT22+Chinese–English" for page in kit.WITH_A_SET]


@pytest.mark.parametrize(
    "path",
    [
        *(pytest.param(path, marks=[pytest.mark.campaign] * (path in OF_THEIR_OWN)) for path in PAGES),
        *(pytest.param(path, marks=pytest.mark.campaign) for path in ON_WMT22),
    ],
)
@pytest.mark.parametrize(
    ("colour_scheme", "viewport", "check"),
    [
        pytest.param("dark", kit.NARROW, kit.check_page, id="narrow in dark"),
        pytest.param("light", kit.WIDE, kit.check_every_view, id="every view", marks=pytest.mark.campaign),
    ],
)
def test_every_page_is_sound(open_page, path, check):
    """As it opens, and with all of it opened: in the view that differs most from other tests', or in every one."""
    page = open_page(path)
    kit.no_exception_box(page)
    kit.no_sideways_scroll(page)
    closed = page.locator("[data-testid=stExpander] details:not([open]) > summary")
    for _ in range(MOST_ROUNDS):  # one within another is there when that one is open; a rerun may swallow a click
        if not (left := closed.count()):
            break
        closed.evaluate_all("all => all.forEach(summary => summary.click())")
        with suppress(AssertionError):
            expect(closed).not_to_have_count(left, timeout=3_000)
    expect(closed).to_have_count(0)
    kit.settled(page)
    if path not in ("/Teach_this", "/Which_number"):  # they show no picture and no table
        every_chart_and_table_says_in_words_what_it_shows(page)
    check(page)
    if path in PROJECTED or check is kit.check_every_view:
        a_projector_shows_large_type_and_nothing_but_the_lesson(page)


SIZES = """selector => [...document.querySelectorAll(selector)]
    .filter(e => e.checkVisibility() && !e.closest(".katex") && e.getBoundingClientRect().width > 1)
    .filter(e => [...e.childNodes].some(n => n.nodeType === Node.TEXT_NODE && n.textContent.replace(/\\W/gu, "")))
    .map(e => [parseFloat(getComputedStyle(e).fontSize), e.textContent.slice(0, 60)])"""


CUT_TABLES = """() => [...document.querySelectorAll("[data-testid=stTable] *")]
    .filter(e => getComputedStyle(e).overflowX !== "visible" && e.scrollWidth > e.clientWidth + 1)
    .map(e => `${e.innerText.slice(0, 60)}: ${e.scrollWidth} px in ${e.clientWidth}`)"""


CUT = """all => all.filter(one => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1)
    .map(one => one.textContent)"""


def a_projector_shows_large_type_and_nothing_but_the_lesson(page):
    page.set_viewport_size({"width": 1024, "height": 768})
    kit.open_menu(page, "Teach")
    page.get_by_test_id("stCheckbox").filter(has_text="Lecture mode").locator("label").click()
    page.keyboard.press("Escape")
    kit.settled(page)
    assert "lecture=true" in page.url
    kit.no_sideways_scroll(page)
    assert not page.evaluate(CUT_TABLES)
    headings = ":is(h1, h2, h3), :is(h1, h2, h3, [data-testid=stMetricValue]) *"
    for selector, least in (("[data-testid=stMain] *", 18), (headings, 24)):
        sizes = page.evaluate(SIZES, selector)
        assert sizes
        assert not [(size, text) for size, text in sizes if size < least]
    assert not page.get_by_test_id("stHeader").is_visible()
    assert page.get_by_test_id("stPageLink").count() == page.locator("main [data-testid=stPageLink]").count()
    kit.open_menu(page, "Pages")
    names = page.locator("[data-testid=stPageLink-NavLink]")
    names.first.wait_for()
    assert names.count() >= len(pages.path())
    assert not names.locator("p, span").evaluate_all(CUT)


@pytest.mark.campaign
def test_messages_are_sound_too(open_page):
    page = open_page("/Toy_lab?h=1+2+1,5&eps=lots")
    for message in ("h, score 3", "The results still use", "ε must be a number"):
        assert page.get_by_test_id("stAlert").filter(has_text=message).count() == 1
    kit.check_page(page)
    kit.check_page(kit.use_theme(page, "dark"))


def every_chart_and_table_says_in_words_what_it_shows(page):
    kinds = ("stVegaLiteChart", "stDataFrame", "stTable")
    named = page.locator(", ".join([".figure:visible", *(f"[data-testid={kind}]:visible" for kind in kinds)])).all()
    assert named
    for element in named:
        words = element.evaluate(
            "e => [e, ...e.querySelectorAll('[aria-label]')].map(x => x.getAttribute('aria-label') || '').join(' ')"
        )
        assert words.strip(), element.inner_html()[:200]


def test_the_browser_refuses_to_ask_another_host(chromium, server):
    """Whatever a visitor or a file might have put on a page."""
    with kit.new_page(chromium, server.url) as (page, _):
        page.goto("/Teach_this", wait_until="commit")
        refused = page.evaluate(
            """() => new Promise(resolve => {
                document.addEventListener("securitypolicyviolation", event => resolve(event.effectiveDirective));
                fetch("http://127.0.0.1:9/").catch(() => {});
            })"""
        )
        assert refused == "connect-src"
