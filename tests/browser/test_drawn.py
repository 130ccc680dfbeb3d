"""A prediction is drawn by keys, mouse or touch, the truth slides in beside it, and a class sees all its guesses."""

from __future__ import annotations

from contextlib import ExitStack

import pytest
from playwright.sync_api import expect

from tests.browser import kit

pytestmark = pytest.mark.browser


def filled(page, lane):
    """The share of its track that a bar fills."""
    bar, track = (page.locator(f".guess .{lane} {part}").bounding_box() for part in (".bar", ".track"))
    return bar["width"] / track["width"]


def drag(page, slider, share):
    """Drag the ghost bar to a share of the scale."""
    box = slider.bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * 0.5, y)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * share, y, steps=3)
    page.mouse.up()


@pytest.mark.campaign
def test_a_guess_is_drawn_and_the_truth_stands_beside_it(open_page):
    page = open_page("/Grouping")
    page.emulate_media(reduced_motion="reduce")
    slider, reveal = page.get_by_role("slider", name="Your guess"), page.get_by_role("button", name="Reveal")
    expect(slider).to_have_attribute("aria-valuetext", "not drawn yet")
    assert reveal.is_disabled()
    most = int(slider.get_attribute("aria-valuemax"))
    slider.scroll_into_view_if_needed()
    drag(page, slider, 0.8)
    drawn = int(slider.get_attribute("aria-valuenow"))
    assert drawn == pytest.approx(0.8 * most, abs=1)
    expect(reveal).to_be_enabled(timeout=20_000)
    for key, number in (("ArrowLeft", drawn - 1), ("End", most), ("ArrowDown", most - 1), ("ArrowRight", most)):
        slider.press(key)
        expect(slider).to_have_attribute("aria-valuetext", f"{number} pairs")
    reveal.click()
    answer = page.get_by_role("alert").filter(has_text="It is:")
    expect(answer).to_be_focused(timeout=20_000)
    truth = int(page.locator(".guess .truth").get_attribute("data-truth"))
    expect(answer).to_contain_text(f"You drew {most} pairs: {most - truth} pairs too high.")
    assert (filled(page, "ghost"), filled(page, "truth")) == pytest.approx((1, truth / most), abs=0.01)
    page.reload()
    expect(answer).to_contain_text(f"You drew {most} pairs", timeout=60_000)
    kit.check_page(kit.settled(page))


@pytest.mark.campaign
def test_a_class_draws_and_sees_all_guesses_under_the_truth(open_page, chromium, server):
    page = open_page("/Teach_this")
    page.get_by_role("button", name="Start a class").click()
    link = page.get_by_role("link", name="Join").get_attribute("href")
    page.get_by_role("link", name="Grouping", exact=True).click()
    kit.settled(page)
    said = page.locator(".guess .said")
    with ExitStack() as stack:
        room = [stack.enter_context(kit.new_page(chromium, server.url, viewport=kit.NARROW)) for _ in range(2)]
        for at, (phone, _) in enumerate(room):
            phone.goto(f"/{link.lstrip('./')}")
            slider = phone.get_by_role("slider", name="Your guess")
            expect(slider).to_have_attribute("aria-valuetext", "not drawn yet", timeout=30_000)
            drag(phone, slider, 0.2 + 0.6 * at)
            expect(phone.locator(".ballot .said")).to_contain_text("Your answer is counted", timeout=30_000)
            expect(page.locator(".guess .dot")).to_have_count(at + 1, timeout=30_000)
        kit.check_page(phone)
        drawn = [int(phone.get_by_role("slider").get_attribute("aria-valuenow")) for phone, _ in room]
        expect(said).to_contain_text(f"from {drawn[0]} pairs to {drawn[1]} pairs")
        assert page.locator(".guess .rule").is_hidden()
        room[0][0].reload()
        expect(room[0][0].get_by_role("slider")).to_have_attribute("aria-valuenow", str(drawn[0]), timeout=30_000)
        page.get_by_role("button", name="Reveal to all").click()
        for phone, traffic in room:
            expect(phone.locator(".ballot .said")).to_contain_text("It is:", timeout=30_000)
            expect(phone.locator(".guess .truth .head")).to_contain_text("It is:")
            assert traffic == kit.Traffic()
        expect(page.locator(".guess .rule")).to_be_visible(timeout=30_000)
        expect(said).to_contain_text("of 2 guesses are right")
        kit.check_page(kit.settled(page))
