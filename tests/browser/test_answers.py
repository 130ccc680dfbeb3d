"""What was revealed stays revealed on reload; a link for a class asks again, unless it is copied with answers."""

from __future__ import annotations

import pytest

from tests.browser import kit

pytestmark = pytest.mark.browser


def copied(page, name):
    """The link that a button copies."""
    page.get_by_role("button", name=name, exact=True).click()
    page.get_by_role("status").filter(has_text="copied").wait_for()
    return page.evaluate("navigator.clipboard.readText()")


def test_a_link_asks_or_answers_as_its_maker_chose(open_page, server):
    page = open_page("/Grouping?grp_steps=system")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=server.url)
    with_answers = page.get_by_role("button", name="Copy link with answers")
    assert not with_answers.is_visible()
    assert "moves farthest" not in page.content()
    reveal(page)
    assert "moves farthest" in page.get_by_test_id("stMain").inner_text()
    answered, asks = copied(page, "Copy link with answers"), copied(page, "Copy link")
    assert answered == page.url  # what a reload opens
    for link, revealed in ((asks, 0), (answered, 1)):
        kit.visit(page, link)
        assert page.get_by_text("It is: up to one in three").count() == revealed
        assert page.get_by_role("heading", name="Two metrics").count() == revealed
        assert page.get_by_role("button", name="Reveal").count() == 1 - revealed
        assert "grp_steps=system" in page.url


def reveal(page):
    """Predict, and show the answer."""
    assert page.get_by_role("button", name="Reveal").is_disabled()
    page.locator("label").filter(has=page.get_by_role("radio", name="none", exact=True)).click()
    kit.settled(page)
    page.get_by_role("button", name="Reveal").click()
    kit.settled(page)


@pytest.mark.campaign
def test_answers_stay_on_a_way_to_another_page_and_back(open_page):
    page = open_page("/Grouping")
    reveal(page)
    page.set_viewport_size({"width": 390, "height": 844})
    kit.check_page(kit.settled(page))
    page.get_by_role("link", name="Start").first.click()
    page.get_by_role("link", name="Grouping").first.click()
    assert kit.settled(page).get_by_role("button", name="Reveal").count() == 0
    assert "seen=" in page.url
