"""The measures page by hand: nothing is given away, what takes minutes stops, and a link holds the choices."""

from __future__ import annotations

import pytest

from tests.browser import kit

pytestmark = pytest.mark.browser


def test_a_difference_is_predicted_before_it_is_tested(open_page):
    page = open_page("/Measures")
    main = page.get_by_test_id("stMain")
    assert not [answer for answer in ("28/256", "0.109") if answer in main.inner_text()]
    question = page.get_by_test_id("stVerticalBlock").filter(has_text="In what share of all ways").last
    question.get_by_role("slider", name="Your guess").press("Home")
    kit.settled(page, quiet=800)
    question.get_by_role("button", name="Reveal").click()
    kit.settled(page)
    assert "28/256 = 0.109" in main.inner_text()
    page.get_by_role("button", name="All 256 ways to swap").click()
    page.get_by_text("Of all 256 ways to swap, 28 differ at least as much: p = 28/256 = 0.109").wait_for()
    page.wait_for_url("**msr_by_hand=**")
    kit.check_page(kit.settled(page))


def test_what_takes_minutes_stops_and_stays_stopped(open_page):
    page = open_page("/Measures?msr_part=granularity&msr_groupings=item&msr_coefficients=pearson")
    page.get_by_role("radio", name="simulation").click()
    kit.settled(page)
    page.get_by_label("Number of draws").click()
    page.get_by_role("option", name="100 × 100").click()
    stop = page.get_by_role("button", name="Stop", exact=True)
    stop.wait_for()
    stop.click()
    page.get_by_text("Stopped before the first result").wait_for()
    kit.settled(page)
    assert page.get_by_role("button", name="Go on").is_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    kit.check_page(kit.settled(page))
