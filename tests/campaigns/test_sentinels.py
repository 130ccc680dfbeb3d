"""The sentinels page by hand: nothing is given away, a link holds all of it, and every part is sound."""

from __future__ import annotations

import pytest

from tests.browser import kit
from ui.sentinels.probes import PARTS

pytestmark = pytest.mark.browser
TOY = ("discrete", "discrete + noise", "neither")


def reveal(page, option):
    page.locator("label").filter(has=page.get_by_role("radio", name=option, exact=True)).last.click()
    kit.settled(page)
    at = -1 if option in TOY else 0  # the questions on typed scores come last
    page.get_by_role("button", name="Reveal").nth(at).click()
    kit.settled(page)


def test_every_part_is_sound(open_page):
    page = open_page("/Sentinels?part=probes")
    for option in ("among the metrics", "it has no value"):
        reveal(page, option)
    for part in ("probes", *(part for part in PARTS if part not in ("probes", PARTS[0]))):
        page.get_by_test_id("stButtonGroup").get_by_text(part, exact=True).click()
        page.mouse.move(0, 0)
        kit.settled(page)
        narrow = page.viewport_size["width"] == kit.NARROW[0]
        kit.check_page(page)
        width, height = kit.WIDE if narrow else kit.NARROW
        page.set_viewport_size({"width": width, "height": height})
    kit.check_page(kit.use_theme(page, "dark"))
