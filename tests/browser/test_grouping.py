"""The grouping page by hand: a link holds all of it."""

from __future__ import annotations

import pytest

from tests.browser import kit

pytestmark = pytest.mark.browser


def shown(page):
    """All that the page says: texts and tables, what the pictures say in words, and the lines of the drawer."""
    pictures = page.get_by_test_id("stVegaLiteChart").evaluate_all("all => all.map(e => e.getAttribute('aria-label'))")
    lines = [box.input_value() for box in page.get_by_role("textbox").all()]
    return page.get_by_test_id("stMain").inner_text(), page.locator(".headline").inner_text(), pictures, lines


@pytest.mark.campaign
def test_a_link_holds_the_whole_lesson(open_page, chromium, server):
    choices = "grp_coefficient=tau_b&grp_grouping=system&grp_steps=system&grp_measure=acc_eq"
    page = open_page(f"/Grouping?{choices}&grp_name2=mine")
    page.get_by_text("Edit scores").click()
    page.get_by_role("radio", name="5", exact=True).click()
    kit.settled(page)
    line = page.get_by_label("human, system 5")
    line.fill("-5 -6 nan -8 -1")
    kit.settled(page)
    page.get_by_role("radio", name="4", exact=True).click()
    kit.settled(page)
    assert line.is_disabled()
    page.get_by_role("radio", name="5", exact=True).click()
    kit.settled(page)
    assert line.input_value() == "-5 -6 nan -8 -1"  # nothing is lost
    page.get_by_role("button", name="system 5, segment 1").click()
    page.wait_for_url("**grp_cell=**")
    kit.settled(page)
    before = shown(page)
    assert before[1].startswith("τ_b by system: ")
    assert any(words.startswith("τ_b by grouping: without grouping COMET-QE") for words in before[2])
    with kit.new_page(chromium, server.url) as (other, _):
        kit.visit(other, page.url.removeprefix(server.url))
        other.get_by_text("Edit scores").click()
        assert shown(kit.settled(other)) == before
