"""Who reads with ears, at 200 %, in forced colors or with a finger finds on every page what others find."""

from __future__ import annotations

import io
import itertools
import re
from collections.abc import Callable, Iterator

import pytest
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser import kit
from tests.charts.reading import contrast
from ui.page import pages

pytestmark = pytest.mark.browser

PAGES = ["", *(page.address for page in pages.lessons())]
CONTROLS = (
    "button|link|textbox|slider|combobox|radio|checkbox|switch|listbox|option|table|region|application|spinbutton"
)
ZOOMED = {"viewport": {"width": 640, "height": 400}, "device_scale_factor": 2}
"""A window of 1280 × 800 at 200 %."""

MARKS = {
    "": ".podium .mark",
    "Toy_lab": ".lab .card .mark",
    "NaN_problem": ".nan-tiles .goal .plot i",
    "Grouping": ".grouping .track i",
    "Sentinels": ".few_ties .dot:visible",
    "Humans_as_metrics": ".human_rows .bar",
    "LLM_as_a_judge": ".judge-votes .bar",
}
"""What is drawn on each page as a ground without text."""

CUT = """() => {
    const all = root => [...root.querySelectorAll("*")].flatMap(e => [e, ...(e.shadowRoot ? all(e.shadowRoot) : [])]);
    const clips = (overflow, inside, outside) => ["hidden", "clip"].includes(overflow) && inside > outside + 8;
    return all(document).filter(e => e.checkVisibility() && e.clientWidth > 2 && e.clientHeight > 2)
        .filter(e => !e.closest("[aria-hidden=true], .katex-mathml") && e.textContent.trim())
        .filter(e => { const style = getComputedStyle(e);
            return (clips(style.overflowX, e.scrollWidth, e.clientWidth) && style.textOverflow !== "ellipsis")
                || clips(style.overflowY, e.scrollHeight, e.clientHeight); })
        .map(e => `${e.tagName} ${e.className}: ${e.textContent.slice(0, 60)}`);
}"""

FOCUS = """() => {
    let element = document.activeElement;
    while (element.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return getComputedStyle(element).outlineStyle;
}"""

Visit = Callable[[str], Page]


@pytest.fixture
def options() -> dict[str, object]:
    """What sets this visitor's browser apart."""
    return {}


@pytest.fixture
def visit(chromium: Browser, server: kit.Address, options: dict[str, object]) -> Iterator[Visit]:
    given = {"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce", **options}
    context: BrowserContext = chromium.new_context(base_url=server.url, **given)  # type: ignore[arg-type]
    page = context.new_page()
    traffic = kit.watch(page, server.url)
    yield lambda address: kit.visit(page, f"/{address}")
    context.close()
    assert traffic == kit.Traffic()


@pytest.mark.parametrize("address", PAGES)
def test_a_page_is_heard_in_order_and_by_name_and_does_not_move_by_itself(visit, address):
    page = visit(address)
    heard = page.locator("body").aria_snapshot()
    levels = [int(level) for level in re.findall(r"- '?heading .*\[level=(\d)\]", heard)]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels)), levels
    assert not re.findall(rf"(?m)^ *- (?:(?:{CONTROLS})(?: \[.*\])?:?|heading \[.*)$", heard)
    for bars in page.locator(".figure :is(.bars, .rows, .podium ul):visible:has(> [style*='--place'], > .row)").all():
        tops = bars.locator("> :not(.head)").evaluate_all("all => all.map(e => e.getBoundingClientRect().top)")
        assert tops == sorted(tops)
    before = page.screenshot()
    page.wait_for_timeout(1_000)
    assert page.screenshot() == before


@pytest.mark.parametrize("options", [ZOOMED], ids=["200 %"])
@pytest.mark.parametrize("address", PAGES)
def test_nothing_is_cut_at_200_percent(visit, address):
    page = visit(address)
    kit.no_sideways_scroll(page)
    assert page.evaluate(CUT) == []


@pytest.mark.parametrize(
    "options", [{"forced_colors": "active", "color_scheme": scheme} for scheme in ("light", "dark")]
)
@pytest.mark.parametrize("address", MARKS)
def test_marks_and_switches_and_the_focus_are_seen_in_forced_colors(visit, options, address):
    page = visit(address)
    ground = "#ffffff" if options["color_scheme"] == "light" else "#000000"
    mark = page.locator(MARKS[address]).locator("visible=true").first
    picture = Image.open(io.BytesIO(mark.screenshot())).convert("RGB")
    counts = {"#{:02x}{:02x}{:02x}".format(*color): count for count, color in picture.getcolors(2**24)}
    assert max(count for color, count in counts.items() if contrast(color, ground) >= 3) >= picture.width
    kit.open_menu(page, "Teach")
    switch = page.get_by_test_id("stCheckbox").filter(has_text="Lecture mode").locator("label > div").first
    assert switch.evaluate("e => getComputedStyle(e).borderTopWidth") == "1px"
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Copy link").focus()
    page.keyboard.press("Tab")
    assert page.evaluate(FOCUS) != "none"


TAPPED = {
    "": (".podium .control input", 0.5, 0.5),
    "Toy_lab": (".lab .grip", 0.5, 0.5),
    "Calibration": (".tie_curves .curves", 0.8, 0.5),
    "Grouping": (".grouping [role=radio] >> nth=1", 0.5, 0.5),
    "Leaderboard": (".bump [role=option] >> nth=2", 0.5, 0.5),
    "Sentinels": (".few_ties [role=slider]", 0.6, 0.5),
    "Measures": (".agreement .square button >> nth=5", 0.5, 0.5),
    "Humans_as_metrics": (".human_rows [role=radio] >> nth=1", 0.5, 0.5),
    "LLM_as_a_judge": (".judge-votes input", 0.5, 0.5),
}
STATE = """all => all.map(e => e.innerText + [...e.querySelectorAll("[role=slider], [aria-selected=true], input")]
    .map(c => `${c.getAttribute("aria-valuetext")} ${c.textContent} ${c.value}`).join()).join()"""


@pytest.mark.parametrize("options", [{"has_touch": True, "is_mobile": True, "viewport": {"width": 390, "height": 844}}])
@pytest.mark.parametrize("address", TAPPED)
def test_a_finger_moves_the_figure(visit, address):
    page = visit(address)
    selector, across, down = TAPPED[address]
    control, figure = page.locator(selector).first, page.locator(".figure:visible")
    control.scroll_into_view_if_needed()
    before, box = figure.evaluate_all(STATE), control.bounding_box()
    control.tap(position={"x": across * box["width"], "y": down * box["height"]})
    kit.settled(page)
    assert figure.evaluate_all(STATE) != before
    kit.no_exception_box(page)


@pytest.mark.parametrize("options", [{"has_touch": True, "is_mobile": True, "viewport": {"width": 390, "height": 844}}])
def test_two_taps_tie_two_scores_and_a_drag_by_finger_moves_a_card(visit):
    page = visit("NaN_problem")
    for score in page.locator(".nan-tiles .goal button.score").all()[:2]:
        score.tap()
    expect(page.get_by_role("button", name="Undo")).to_be_enabled()
    kit.settled(page)
    page = visit("Judgments")
    cards = page.locator(".rerank").first
    first, second = (page.locator(".rerank .card").nth(n).bounding_box() for n in (0, 2))
    before = cards.inner_text()
    session = page.context.new_cdp_session(page)
    (x, y), (to_x, to_y) = ((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in (first, second))
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in (0.3, 0.6, 1, 1.1):
        point = {"x": x + step * (to_x - x), "y": y + step * (to_y - y)}
        session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    kit.settled(page)
    assert cards.inner_text() != before
