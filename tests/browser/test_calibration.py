"""Algorithm 1 by hand: every candidate by click and by key, and what a reload and a page trip keep."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

import tiekit as tk
from tests.browser import kit

pytestmark = pytest.mark.browser

HUMAN, METRIC = [0, 0, 0, 0, 1, 2], [0, 1, 2, 3, 4, 5]
CANDIDATES = [0, 1, 2, 3, 4, 5]


def words(page, start):
    return page.locator(f'[aria-label^="{start}"]').first.get_attribute("aria-label")


def drawn(page, start):
    """The names of the marks that a chart draws."""
    chart = page.locator(f'[aria-label^="{start}"]').first
    chart.scroll_into_view_if_needed()
    box = chart.locator("xpath=ancestor-or-self::*[@data-testid='stVegaLiteChart']").first
    return box.locator("[role=graphics-symbol]").evaluate_all(
        "marks => marks.map(m => m.getAttribute('aria-label') || '')"
    )


def check_candidate(page, at, name="acc_eq"):
    """Heading, curve and matrix say what the library says."""
    label, epsilon = tk.COEFFICIENTS[name].label, CANDIDATES[at]
    expect(page.get_by_role("heading", name=f"Candidate {at + 1} of 6: ε = {epsilon}", exact=True)).to_be_visible()
    value = tk.correlate(HUMAN, METRIC, name, epsilon=epsilon).value
    shown = "undefined" if value != value else f"{value:.3f}"
    assert f" to {shown} at ε = {epsilon}; best so far " in words(page, f"{label} from ")
    counts = tk.count_pairs(HUMAN, METRIC, epsilon=epsilon)
    marks = drawn(page, "Pairs at ε")
    kinds = [re.search(r"kind: (\w+)", mark)[1] for mark in marks if "kind: " in mark]
    assert len(kinds) == counts.total
    assert kinds.count("ties_both") + kinds.count("ties_metric") == counts.ties_both + counts.ties_metric
    new = sum(abs(a - b) == epsilon for k, a in enumerate(METRIC) for b in METRIC[:k])
    assert sum("pair: " in mark and "kind: " not in mark for mark in marks) == new  # their outlines


@pytest.mark.campaign
@pytest.mark.parametrize("clicks", [2, pytest.param(5, marks=pytest.mark.campaign)])
def test_candidates_by_click_and_by_key(open_page, clicks):
    page = open_page("/Calibration")
    for at in range(clicks):
        check_candidate(page, at)
        page.get_by_role("button", name="Next").click()
        kit.settled(page)
    check_candidate(page, clicks)
    page.get_by_role("slider", name="Threshold ε").focus()
    page.keyboard.press("End")
    kit.settled(page)
    check_candidate(page, 5)
    kit.check_page(page)
    best = tk.calibrate(HUMAN, METRIC)
    expect(page.get_by_text(f"is ε* = {best.epsilon:g}: acc_eq* = {best.value:.3f}.")).to_be_visible()
    assert page.get_by_role("button", name="Next").is_disabled()
    page.get_by_role("button", name="Back").focus()
    page.keyboard.press("Enter")
    kit.settled(page)
    check_candidate(page, 4)
    assert page.evaluate("document.activeElement.innerText") == "Back"
    page.get_by_role("button", name="Go to the best").click()
    kit.settled(page)
    check_candidate(page, CANDIDATES.index(best.epsilon))
    page.get_by_role("slider", name="Threshold ε").focus()
    page.keyboard.press("ArrowRight")
    kit.settled(page)
    check_candidate(page, CANDIDATES.index(best.epsilon) + 1)


@pytest.mark.parametrize("viewport", [kit.NARROW], ids=["opened narrow"])
@pytest.mark.parametrize("colour_scheme", ["dark", pytest.param("light", marks=pytest.mark.campaign)])
@pytest.mark.parametrize(
    "link",
    [
        pytest.param("cal_coefficient=tau_b&cal_eps=5", marks=pytest.mark.campaign),
        pytest.param("cal_coefficient=tau_b&cal_h=1+1+1&cal_m=1+2+3", marks=pytest.mark.campaign),
        pytest.param("cal_h=1+2&cal_m=1+2,5&cal_eps=lots", marks=pytest.mark.campaign),
        pytest.param(
            "cal_h=" + "+".join("01" * 25) + "&cal_m=" + "+".join(map(str, range(50))) + "&cal_eps=7",
            marks=pytest.mark.campaign,
        ),
    ],
)
def test_it_is_sound_where_things_are_undefined_wrong_or_many(open_page, link):
    kit.check_page(open_page(f"/Calibration?{link}"))


@pytest.mark.campaign
def test_nothing_is_lost_on_reload_or_a_page_trip(open_page):
    page = open_page("/Calibration")
    page.get_by_text("Edit scores").click()
    field = page.get_by_label("Metric scores m")
    field.click()
    page.keyboard.press("Control+a")
    page.keyboard.type("0 1 2 3 5 4", delay=40)
    kit.settled(page)
    page.get_by_role("button", name="Next").click()
    kit.settled(page)
    page.get_by_label("Coefficient to maximize").click()
    page.get_by_role("option", name="τ_eq").click()
    kit.settled(page)
    link = parse_qs(urlsplit(page.url).query)
    assert [link[key] for key in ("cal_m", "cal_eps", "cal_coefficient")] == [["0 1 2 3 5 4"], ["1"], ["tau_eq"]]
    before = words(page, "τ_eq from ")
    value = tk.correlate(HUMAN, [0, 1, 2, 3, 5, 4], "tau_eq", epsilon=1).value
    assert f" to {value:.3f} at ε = 1; " in before
    page.reload()
    kit.settled(page)
    assert words(page, "τ_eq from ") == before
    for name in ("Start", "Calibration"):
        page.get_by_role("link", name=name).first.click()
        kit.settled(page)
    assert field.input_value() == "0 1 2 3 5 4"
    assert words(page, "τ_eq from ") == before


@pytest.mark.campaign
def test_a_link_opens_an_example_elsewhere(open_page, chromium, server):
    page = open_page("/Calibration?cal_coefficient=tau_eq")
    examples = page.get_by_label("Start from an example")
    examples.scroll_into_view_if_needed()
    kit.settled(page)  # what comes into view is drawn, and a list that is open closes when the page moves
    examples.click()
    page.get_by_role("option", name="Perfect metric: untied").click()
    kit.settled(page)
    page.get_by_role("button", name="Go to the best").click()
    kit.settled(page)
    here = words(page, "τ_eq from ")
    assert here.endswith("best so far 1.000 at ε = 1")
    with kit.new_page(chromium, server.url) as (other, _):
        kit.visit(other, page.url.removeprefix(server.url))
        assert words(other, "τ_eq from ") == here


@pytest.mark.campaign
def test_typing_keeps_the_focus_while_messages_come_and_go(open_page):
    page = open_page("/Calibration?cal_coefficient=tau_b")
    alerts = page.get_by_test_id("stAlert").count()
    page.get_by_text("Edit scores").click()
    page.get_by_label("Metric scores m").click()
    page.keyboard.press("Control+a")
    for key, more in [("0", 2), (" 1 2 3 4", 2), (" 9", 0), ("x", 2), ("Backspace", 0)]:
        page.keyboard.press(key) if key == "Backspace" else page.keyboard.type(key, delay=40)
        kit.settled(page)
        expect(page.get_by_test_id("stAlert")).to_have_count(alerts + more)
        assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Metric scores m"
