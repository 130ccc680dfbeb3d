"""The measures page by hand: nothing is given away, what takes minutes stops, and a link holds the choices."""

from __future__ import annotations

import pytest

from tests.browser import kit

pytestmark = pytest.mark.browser


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
