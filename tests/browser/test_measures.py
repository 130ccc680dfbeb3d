"""The measures page by hand: nothing is given away, what takes minutes stops, and a link holds the choices."""

from __future__ import annotations

import pytest

from tests.browser import kit

pytestmark = pytest.mark.browser


def test_a_difference_is_predicted_before_all_swaps_are_drawn(open_page):
    page = open_page("/Measures")
    main = page.get_by_test_id("stMain")
    assert not [answer for answer in ("28/256", "0.109", "anti-conservative test") if answer in main.inner_text()]
    assert page.get_by_test_id("stVegaLiteChart").count() == 0
    page.get_by_test_id("stButtonGroup").get_by_role("button", name="1", exact=True).click()
    kit.settled(page)
    assert "With 1 swapped" in main.inner_text()
    page.locator("label").filter(has=page.get_by_role("radio", name="at most 5 %")).click()
    kit.settled(page)
    page.get_by_role("button", name="Reveal").first.click()
    kit.settled(page)
    assert "28/256 = 0.109" in main.inner_text()
    picture = page.get_by_test_id("stVegaLiteChart").first
    assert "28 are at least as large" in str(picture.get_attribute("aria-label"))
    bars = picture.locator("[role=graphics-symbol][aria-roledescription='rect mark']")
    assert bars.count() > 10
    assert "msr_swapped=1" in page.url
    kit.check_page(page)


@pytest.mark.campaign
def test_what_takes_minutes_stops_and_stays_stopped(open_page):
    page = open_page("/Measures?msr_part=granularity&msr_groupings=item&msr_coefficients=pearson")
    page.get_by_role("radio", name="simulation").click()
    kit.settled(page)
    page.get_by_label("How much is drawn?").click()
    page.get_by_role("option", name="100 × 100").click()
    stop = page.get_by_role("button", name="Stop", exact=True)
    stop.wait_for()
    stop.click()
    page.get_by_text("Stopped before it was done").wait_for()
    kit.settled(page)
    assert page.get_by_role("button", name="Go on").is_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    kit.check_page(kit.settled(page))


@pytest.mark.campaign
def test_pictures_of_measures_are_for_everybody(open_page):
    few = "&".join(f"msr_metrics={name}" for name in ("Contour-refA", "Judge-src", "Ladder-refA"))
    chosen = f"msr_groupings=item&msr_coefficients=pearson&msr_coefficients=tau_b&{few}"  # nothing to predict
    page = open_page(f"/Measures?msr_part=power+and+consistency&{chosen}")
    for name in ("p-value curves", "Agreement of 2 measures"):
        page.locator(f"[data-testid=stVegaLiteChart][aria-label*='{name}'] svg").wait_for()
        kit.check_page(kit.settled(page))
        page.get_by_role("radio", name="agreement").click()
        page.mouse.move(0, 0)  # Streamlit's colour under the pointer is too faint
    page.set_viewport_size({"width": 390, "height": 844})
    kit.check_page(kit.settled(page))
    assert not page.get_by_test_id("stVegaLiteChart").last.is_visible()  # its squares would be no wider than a line
    assert page.get_by_text("needs a wider window").is_visible()
