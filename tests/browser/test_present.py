"""A lecturer walks through scenes by two keys, wherever the focus is; only main idea, picture and bar are shown."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser import kit

pytestmark = pytest.mark.browser

LARGE = (1920, 1080)


def walk(page, key, number):
    page.keyboard.press(key)
    expect(page.locator(".place")).to_contain_text(f"{number} of", timeout=30_000)
    return kit.settled(page)


def test_scenes_are_walked_through_by_keys_and_left_by_escape(open_page):
    page = open_page("/Toy_lab?eps=3&eps_of=1")
    kit.open_menu(page, "Teach")
    page.get_by_role("button", name="Present this page").click()
    page.locator(".st-key-dock").wait_for()
    kit.settled(page)
    assert "eps" not in page.url
    assert not page.get_by_label("Human scores h").is_visible()
    slider = page.get_by_role("slider").first
    assert slider.is_visible()
    slider.focus()
    walk(page, "PageDown", 2)
    assert "scene=1_Toy_lab.2" in page.url
    kit.check_page(page)
    page.get_by_role("button", name="QR code").click()
    expect(page.get_by_role("dialog", name="QR code")).to_contain_text("make app HOST=0.0.0.0", timeout=30_000)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="QR code")).to_be_hidden()
    walk(page, "PageUp", 1)
    page.keyboard.press("PageUp")  # there is none before the first
    kit.settled(page)
    page.keyboard.press("Escape")
    expect(page.locator(".st-key-dock")).to_have_count(0, timeout=30_000)
    kit.settled(page)
    assert "scene=" not in page.url
    assert page.get_by_text("Edit scores").is_visible()
    assert page.evaluate("document.documentElement.style.fontSize") == ""


@pytest.mark.campaign
@pytest.mark.parametrize("viewport", [kit.NARROW, (1024, 768), (1280, 800), LARGE])
@pytest.mark.parametrize("colour_scheme", ["light", "dark"])
def test_a_scene_is_as_large_as_the_window(open_page):
    page = open_page("/Teach_this?scene=3_Calibration.1")
    page.locator(".st-key-dock").wait_for()
    kit.check_page(kit.settled(page))
    picture, dock = page.locator("[class*=st-key-stage_]").first, page.locator(".st-key-dock")
    assert picture.bounding_box()["y"] < dock.bounding_box()["y"]
