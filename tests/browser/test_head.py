"""The head of every page is small: the first picture or table begins high on the first screen, at every size."""

from __future__ import annotations

import pytest

from tests.browser import kit
from ui.page import pages

pytestmark = pytest.mark.browser

PATHS = ["/", *(f"/{page.address}" for page in pages.lessons())]
SIZES = {
    "desk": ((1280, 800), "", 180),
    "projector": ((1024, 768), "lecture=true", 200),
    "phone": ((390, 844), "", 200),
}
"""Window, link, and the pixel above which title and sentence end."""


@pytest.mark.campaign
@pytest.mark.parametrize("path", PATHS)
def test_title_and_sentence_end_high_on_the_screen(page, path):
    for (width, height), link, foot in SIZES.values():
        page.set_viewport_size({"width": width, "height": height})
        kit.visit(page, f"{path}?{link}")
        box = page.locator(".st-key-lead").bounding_box()
        assert box["y"] + box["height"] <= foot, (path, width)
        assert page.locator(".st-key-ways").bounding_box()["height"] <= 64, (path, width)
        kit.no_sideways_scroll(page)
    menu = page.get_by_test_id("stMainMenuButton").bounding_box()
    assert 0 <= menu["x"] <= 390 - menu["width"]
    last = page.locator(".st-key-pages a").last
    last.scroll_into_view_if_needed()
    last.click()
    page.wait_for_url("**/Teach_this*", timeout=30_000)


def test_the_icon_comes_with_the_page(open_page):
    """So no browser asks for it in the moment in which Streamlit has dropped it."""
    icon = open_page("/Toy_lab").locator("link[rel~=icon]")
    assert icon.get_attribute("href").startswith("data:image/png;base64,")
    assert icon.evaluate("link => { const i = new Image(); i.src = link.href; return i.decode().then(() => i.width); }")
