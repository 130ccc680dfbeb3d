"""Every picture becomes a file: the SVG that the page shows, on its theme's ground, and the same as PNG."""

from __future__ import annotations

import math
import re
import struct
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.browser import kit

pytestmark = pytest.mark.browser

CHART = "[data-testid=stVegaLiteChart]"
SVG = "{http://www.w3.org/2000/svg}"


def downloaded(page, button):
    with page.expect_download() as found:
        button.press("Enter")
    return found.value.suggested_filename, Path(found.value.path()).read_bytes()


def drawn(page, chart):
    """What a chart says in words, what stands written in it, and its size."""
    chart.scroll_into_view_if_needed()
    page.wait_for_function("chart => chart.querySelector('svg.marks text')", arg=chart.element_handle())
    svg = chart.locator("svg.marks")
    texts = svg.locator("text").evaluate_all("all => all.map(e => e.textContent)")
    width, height = (math.ceil(float(svg.get_attribute(side))) for side in ("width", "height"))
    return chart.get_attribute("aria-label"), texts, (width, height)


@pytest.mark.parametrize(
    ("path", "colour_scheme", "ground", "known"),
    [
        ("/Calibration", "light", "#ffffff", "acc_eq at most 0.717"),
        pytest.param("/Grouping?lecture=true", "light", "#ffffff", "system means COMET-QE", marks=pytest.mark.campaign),
        pytest.param("/Judgments", "dark", "#171614", "judged 2 times", marks=pytest.mark.campaign),
    ],
)
def test_every_picture_can_be_taken_away(open_page, path, colour_scheme, ground, known):
    page = open_page(path)
    kit.no_sideways_scroll(page)
    assert page.get_by_role("button", name="SVG of").count() == page.locator(f"{CHART}:visible").count() > 0
    bars = page.locator(f"[data-testid=stFullScreenFrame]:has({CHART}) [data-testid=stElementToolbar]:visible")
    below = bars.evaluate_all("all => all.map(one => parseFloat(getComputedStyle(one).top) > 0)")
    assert below
    assert all(below), "a toolbar covers what stands above its chart"
    chart = f'{CHART}[aria-label*="{known}"]'
    page.locator(chart).wait_for()
    place = page.locator(f"[data-testid=stVerticalBlock]:has(> div {chart}):visible").last
    words, texts, (width, height) = drawn(page, place.locator(chart))
    name, svg = downloaded(page, place.get_by_role("button", name="SVG of"))
    root = ElementTree.fromstring(svg)
    assert re.fullmatch(r"[\w.-]+\.svg", name)
    shown = [text for text in texts if text]
    written = [text.text for text in root.iter(f"{SVG}text") if text.text]
    assert written[: len(shown)] == shown
    assert " ".join(written[len(shown) :]).startswith(re.split("[:;]", words)[0])
    assert known in " ".join([*texts, root.find(f"{SVG}title").text])
    assert root.find(f"{SVG}title").text == words
    red, green, blue = (int(part) for part in re.findall(r"\d+", root.find(f"{SVG}rect").get("fill")))
    assert f"#{red:02x}{green:02x}{blue:02x}" == ground, colour_scheme
    name, png = downloaded(page, place.get_by_role("button", name="PNG of"))
    assert name.endswith(".png")
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", png[16:24]) == (3 * width, 3 * int(root.get("height")))
    assert int(root.get("height")) >= height + 22
    if path == "/Calibration":
        matrix = page.get_by_role("button", name="SVG of the picture cal_pairs")
        svg = ElementTree.fromstring(downloaded(page, matrix)[1])
        written = " ".join(text.text or "" for text in svg.iter(f"{SVG}text"))
        assert "Pairs at ε = 0" in written
        assert "h  tied by the human only" in written
