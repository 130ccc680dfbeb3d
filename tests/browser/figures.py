"""Figures outside of the app: their own pages, which must ask nothing of anybody."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page

from tests.browser import kit

WIDTHS = (390, 800, 1600)


@contextmanager
def opened(
    chromium: Browser, file: Path, *, fragment: str = "", width: int = 800, scheme: str = "light"
) -> Iterator[Page]:
    """A figure's page as a file; afterwards its console must be empty and nothing else asked for."""
    context = chromium.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce", offline=True
    )
    try:
        page = context.new_page()
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda request: request.url.startswith(("blob:", "data:")) or said.append(request.url))
        page.goto(file.as_uri() + fragment)
        page.locator("#figure.tiekit").wait_for()
        yield page
        assert said == [file.as_uri()]
    finally:
        context.close()


def check(page: Page) -> None:
    """Assert that a figure fits its window and holds no violation of WCAG 2.2 AA."""
    kit.no_sideways_scroll(page)
    violations = kit.axe_violations(page)
    assert not violations, "\n".join(violations)
