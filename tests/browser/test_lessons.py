"""What lecturers and students once stumbled over: Back, keys, fingers, names that were cut, links that grew."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser import figures, kit
from tests.browser.lab import drawer, scores

pytestmark = pytest.mark.browser

LINES = """cell => {
    const size = parseFloat(getComputedStyle(cell).lineHeight) || 1.6 * parseFloat(getComputedStyle(cell).fontSize);
    return (cell.clientHeight - 2 * parseFloat(getComputedStyle(cell).paddingTop)) / size;
}"""


@pytest.mark.campaign
def test_an_example_is_one_step_of_back_and_a_page_trip_leaves_no_defaults_in_the_address(open_page):
    page = open_page("/Toy_lab")
    entries, before = page.evaluate("history.length"), scores(page).input_value()
    option = page.locator("[role=option]").nth(3)
    for _ in range(4):  # a click while the drawer still opens closes the list again
        page.get_by_label("Start from an example").click()
        page.wait_for_timeout(500)
        if option.is_visible():
            break
    option.click()
    expect(scores(page)).not_to_have_value(before)
    page.wait_for_function("entries => history.length > entries", arg=entries)
    kit.settled(page, quiet=500)
    assert page.evaluate("history.length") == entries + 1
    page.go_back()
    expect(drawer(page).get_by_label("Scores of metric 1")).to_have_value(before)
    assert page.get_by_test_id("stAlert").count() == 0
    expect(page.get_by_role("heading", name="How many prefer m2?")).to_be_visible()
    steps = {
        "1 · What is a tie?": "Which metric agrees better with the raters?",
        "2 · Ways to count": "How many prefer m2?",
    }
    for name, title in steps.items():
        page.get_by_role("link", name=name, exact=True).first.click()
        expect(page.get_by_role("heading", name=title)).to_be_visible()
        assert "?" not in kit.settled(page).url


@pytest.mark.campaign
@pytest.mark.parametrize("viewport", [(1024, 2600)])
def test_in_a_lecture_keys_walk_through_examples_whatever_was_used_last_and_long_names_move_no_matrix(open_page):
    page = open_page("/Toy_lab?lecture=true")
    expect(page.get_by_text("example 1 of")).to_be_visible()
    page.get_by_role("button", name="Teach").focus()
    page.keyboard.press("PageDown")
    expect(page.get_by_text("example 2 of")).to_be_visible()
    kit.settled(page)
    slider = page.locator(".lab input[type=range]")
    slider.focus()
    before = slider.input_value()
    page.keyboard.press("PageDown")
    expect(page.get_by_text("example 3 of")).to_be_visible()
    assert slider.input_value() == before
    drawer(page).get_by_label("Metric 1", exact=True).fill("a very long name of a metric")
    page.keyboard.press("Enter")
    expect(page.locator(".lab .card h2").first).to_contain_text("a very long name")
    tops = page.locator(".lab canvas.matrix").evaluate_all("all => all.map(one => one.getBoundingClientRect().top)")
    assert tops[0] == tops[1], "a long name moves one matrix down"


@pytest.mark.parametrize("viewport", [(390, 844)])
def test_a_finger_scrolls_over_a_scatter_and_nothing_sticks_on_a_phone(open_page):
    page = open_page("/Toy_lab?answers=show")
    session, scatter = page.context.new_cdp_session(page), page.locator("canvas.scatter").first
    session.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    kit.settled(page)  # its styles for fingers move the scatter
    scatter.scroll_into_view_if_needed()
    box = kit.settled(page).locator("canvas.scatter").first.bounding_box()
    top = "document.querySelector('[data-testid=stMain]').scrollTop"
    x, y, before = box["x"] + box["width"] * 0.6, box["y"] + box["height"] / 2, page.evaluate(top)
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in range(1, 9):
        points = [{"x": x, "y": y - 20 * step}]
        session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": points})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_function(f"before => {top} > before + 50", arg=before, timeout=3000)
    sticky = "all => all.filter(one => ['sticky', 'fixed'].includes(getComputedStyle(one).position)).length"
    assert page.locator(".lab, .lab *").evaluate_all(sticky) == 0


@pytest.mark.campaign
@pytest.mark.parametrize("viewport", [(1024, 768)])
def test_a_cell_of_a_lectures_leaderboard_is_one_line_its_order_in_its_link_and_a_phones_chart_has_names(open_page):
    page = open_page("/Leaderboard?lecture=true&table_tests=neither")
    cells = page.locator(".st-key-ranking tbody td")
    expect(cells.first).to_be_visible()
    assert max(cells.evaluate_all(f"all => all.map({LINES})")) < 1.5
    assert "★ best" in page.locator(".ranking .legend").first.inner_text()
    the_order_is_in_the_link(page)
    page.set_viewport_size({"width": 390, "height": 844})
    kit.settled(page)
    names = page.locator(".bump .names .label")
    assert names.count() >= page.locator(".st-key-ranking tbody tr").count()
    assert all(name["width"] > 20 for name in [one.bounding_box() for one in names.all() if one.is_visible()])
    assert names.first.is_visible()


def the_order_is_in_the_link(page):
    names = page.locator(".st-key-ranking tbody th")
    before = names.all_inner_texts()
    page.locator(".st-key-ranking [data-key=tau_10]").click()
    kit.settled(page, quiet=600)
    assert "table_sort=tau_10" in page.url
    sorted_by_it = names.all_inner_texts()
    assert sorted_by_it != before
    page.reload()
    kit.settled(page)
    assert page.locator(".st-key-ranking [aria-sort=descending]").inner_text().startswith("τ_10")
    assert names.all_inner_texts() == sorted_by_it


def test_points_that_coincide_are_drawn_in_one_place(chromium):
    axes = {"human": {"low": -1, "high": 2}, "metric": {"low": -1, "high": 3}}
    given = {"human": [0, 0, 0, 1], "metric": [0, 0, 0, 2], "axes": axes}
    drawn = figures.called(chromium, {"lab/pictures.js": "pointsOf"}, "given => pointsOf(given, 400)", given)
    assert drawn[0] == drawn[1] == drawn[2] != drawn[3]
