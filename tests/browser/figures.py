"""What the tests of the figures share: a figure's page of its own, opened as a file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page

from tests.browser import kit

LOAD = "text => import(URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))).then(() => true)"
"""Run a module's text in a page."""


@contextmanager
def opened(
    chromium: Browser, path: Path, *, fragment: str = "", width: int = 800, colour_scheme: str = "light"
) -> Iterator[Page]:
    """Open a file; when all is done, its console must be free of errors and nothing else may have been asked for."""
    url = path.as_uri()
    with kit.new_page(chromium, url, colour_scheme=colour_scheme, viewport=(width, 900)) as (page, traffic):
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(url + fragment)
        page.locator(".tiekit").wait_for()
        yield page
        assert traffic == kit.Traffic()
        assert {address.partition("#")[0] for address in asked if not address.startswith("blob:")} == {url}


def check_figure(page: Page) -> None:
    """Assert what holds of every figure: no sideways scroll, no violation of WCAG 2.2 AA."""
    kit.no_sideways_scroll(page)
    violations = kit.axe_violations(page)
    assert not violations, "\n".join(violations)
