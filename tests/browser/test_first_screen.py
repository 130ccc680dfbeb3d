"""The first screen of every page at every size: a small head, and the picture whole below it."""

from __future__ import annotations

import pytest

from tests.browser import kit
from ui.page import pages

pytestmark = pytest.mark.browser

SIZES = {
    "desk": ((1280, 800), "", 180),
    "lecture": ((1024, 768), "lecture=true", 200),
    "phone": ((390, 844), "", 200),
}
"""Window, link, and the pixel above which title and sentence end."""

PARTS = {
    "/": [".podium"],
    "/Toy_lab": [".lab canvas.matrix >> nth=0", ".lab canvas.matrix >> nth=1", ".lab .dots", ".lab .epsilon"],
    "/NaN_problem": [".nan-tiles"],
    "/Calibration": [".tie_curves .said", ".tie_curves .curves"],
    "/Grouping": [".groupings", ".matrix", ".bars"],
    "/Leaderboard": [".bump .field"],
    "/Sentinels": [".tie_shares .said", ".tie_shares .lines"],
    "/Judgments": [".rerank"],
    "/Measures": [".square"],
    "/MQM_or_ESA": [".few_ties .said", ".few_ties .sets"],
    "/Humans_as_metrics": [".human_rows .said", ".human_rows .bars"],
    "/LLM_as_a_judge": [".judge-votes .said", ".judge-votes .control"],
}
"""What is whole on the first screen of a page; of a page that is not named only the head is looked at."""

ON_A_PHONE = {"/Toy_lab": [".lab .dots"], "/NaN_problem": [], "/Judgments": []}
"""Where a phone shows less of it."""


@pytest.mark.parametrize(
    ("size", "colour_scheme"),
    [
        pytest.param(size, theme, marks=[pytest.mark.campaign] * ((size, theme) != ("desk", "light")))
        for size in SIZES
        for theme in ("light", "dark")
    ],
)
@pytest.mark.parametrize("path", ["/", *(f"/{page.address}" for page in pages.lessons())])
def test_the_head_is_small_and_the_picture_whole(page, path, size):
    (width, height), link, foot = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    kit.visit(page, kit.on_the_synthetic_set(f"{path}?{link}"))
    lead = page.locator(".st-key-lead").bounding_box()
    assert lead["y"] + lead["height"] <= foot
    assert page.locator(".st-key-ways").bounding_box()["height"] <= 64
    parts = PARTS.get(path, []) if size != "phone" else ON_A_PHONE.get(path, PARTS.get(path, []))
    for part in parts:
        box = page.locator(part).first.bounding_box()
        assert box["y"] >= 0, part
        assert box["y"] + box["height"] <= height + 1, part
        assert box["x"] >= 0, part
        assert box["x"] + box["width"] <= width, part
    kit.no_sideways_scroll(page)
    if size != "desk":
        kit.check_page(page)


def test_the_icon_comes_with_the_page(open_page):
    """So no browser asks for it in the moment in which Streamlit has dropped it."""
    icon = open_page("/Toy_lab").locator("link[rel~=icon]")
    assert icon.get_attribute("href").startswith("data:image/png;base64,")
    assert icon.evaluate("link => { const i = new Image(); i.src = link.href; return i.decode().then(() => i.width); }")
