"""Take the picture of the app that README.md shows. ``make picture`` writes docs/toy_lab.png anew."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.browser import find_chromium, kit  # noqa: E402

PICTURE = ROOT / "docs" / "toy_lab.png"
PAGE = "Toy_lab"
SIZE = (1280, 740)


def take(browser: Browser, url: str) -> bytes:
    """Return what a visitor sees first of the page, as PNG."""
    with kit.new_page(browser, url, viewport=SIZE) as (page, _):
        page.goto(f"{url}/{PAGE}")
        page.get_by_role("slider").first.wait_for(timeout=120_000)
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(2_000)  # the figure grows to its height
        return page.screenshot()


def main() -> None:
    """Run the app, and write the picture."""
    with (
        TemporaryDirectory() as folder,
        kit.serve(kit.APP, ROOT, Path(folder) / "log") as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=find_chromium.find_chromium(), args=kit.CHROMIUM_ARGS)
        PICTURE.write_bytes(take(browser, server.url))
        browser.close()
    print(f"{PICTURE.relative_to(ROOT)}: {PICTURE.stat().st_size / 1000:.0f} KB")


if __name__ == "__main__":
    main()
