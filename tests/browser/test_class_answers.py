"""A class answers on its phones, the lecturer's screen fills with bars, and one button reveals for all."""

from __future__ import annotations

from contextlib import ExitStack

import pytest
from playwright.sync_api import expect

from tests.browser import ballots, figures, kit
from tests.browser.classroom import percentile_95
from tests.browser.conftest import ROOT
from ui.classroom import ballot

pytestmark = pytest.mark.browser

SEVERAL = [pytest.param(number, marks=pytest.mark.campaign) for number in (2, 5)]


@pytest.mark.parametrize("number", [1, *SEVERAL])
def test_a_lecturer_asks_and_students_answer(open_page, chromium, server, number):
    page = open_page("/Teach_this")
    figures.first_screen(page)
    page.get_by_role("button", name="Start a class").click()
    link = page.get_by_role("link", name="Join").get_attribute("href")
    page.get_by_role("link", name="2 · Ways to count", exact=True).click()
    kit.settled(page)
    bars, status = page.locator(".bars li"), page.get_by_role("status")
    with ExitStack() as stack:
        tab = kit.new_tab(page.context, server.url, viewport=kit.NARROW)  # the lecturer's browser is no student yet
        others = [kit.new_page(chromium, server.url, viewport=kit.NARROW) for _ in range(number - 1)]
        room = [stack.enter_context(phone) for phone in (tab, *others)]
        for at, (phone, _) in enumerate(room):
            phone.goto(f"/{link.lstrip('./')}")
            expect(phone.get_by_role("heading")).to_contain_text("?", timeout=30_000)
            assert phone.get_by_test_id("stMain").get_by_role("link").count() == 0
            phone.locator(".options button").nth(at % 2).click()
            expect(status.filter(has_text="answered")).to_have_text(f"{at + 1} answered", timeout=30_000)
        first = room[0][0]
        kit.check_page(first)
        first.locator(".options button").nth(1).click()
        page.reload()  # the lecturer's tab has kept the class
        expect(status.filter(has_text="answered")).to_have_text(f"{number} answered", timeout=30_000)
        assert bars.locator(".count").all_inner_texts() == [""] * bars.count(), "nobody sees what others answer"
        kit.settled(page)
        assert page.evaluate("sessionStorage.getItem('tiekit class')") not in page.url
        page.get_by_role("button", name="Reveal to all").click()
        for phone, traffic in room:
            expect(phone.locator(".said")).to_contain_text("It is:", timeout=30_000)
            assert traffic == kit.Traffic()
        expect(page.locator(".bars .right")).to_have_count(1)
        expect(bars.nth(1).locator(".count")).to_contain_text(f"{number - (number + 1) // 2 + 1} ·")
        kit.check_page(kit.settled(page))


@pytest.mark.campaign
@pytest.mark.parametrize("within", [15, 2])
def test_a_hundred_answers_are_seen_soon(tmp_path, within):
    """95 of 100 within two seconds if they come over a quarter of a minute; those of two seconds take longer."""
    with kit.serve(ROOT / "app.py", ROOT, tmp_path / "streamlit.log") as server:
        waited = ballots.hold(server, "Toy_lab", 100, within, ballot.POLL)
    found = percentile_95(waited)
    print(f"answers within {within} s: p95 {found:.2f} s, median {sorted(waited)[50]:.2f} s")
    assert len(waited) == 100
    assert within < 15 or found <= 2
