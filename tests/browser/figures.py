"""A figure on a page of its own, opened as a file, and functions of its modules called in the browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from tests.browser import kit
from tiekit.widgets import sources
from tiekit.widgets.bundle import bundle

LOAD = "text => import(URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))).then(() => true)"


@contextmanager
def opened(
    chromium: Browser,
    file: Path,
    fragment: str = "",
    *,
    width: int = 1280,
    theme: str = "light",
    motion: str = "reduce",
) -> Iterator[Page]:
    """Open a file; when done, its console must be free of errors and nothing have been asked for elsewhere."""
    page = chromium.new_page(
        viewport={"width": width, "height": 900},
        color_scheme=theme,  # type: ignore[arg-type]
        reduced_motion=motion,  # type: ignore[arg-type]
    )
    traffic = kit.watch(page, file.as_uri())
    try:
        page.goto(file.as_uri() + fragment)
        yield page
    finally:
        page.close()
    assert traffic == kit.Traffic()


def check(page: Page) -> None:
    """Assert that a figure fits its window and keeps the rules of WCAG 2.2 AA."""
    kit.no_sideways_scroll(page)
    violations = kit.axe_violations(page)
    assert not violations, "\n".join(violations)


def called(chromium: Browser, module: str, names: str, call: str, given: Any) -> Any:
    """Import names (as in an import statement) from a module and call a function that uses them, all as JSON."""
    text = f'import {{ {names} }} from "./{module}";\n\nObject.assign(globalThis, {{ {names} }});\n'
    page = chromium.new_page()
    try:
        page.evaluate(LOAD, bundle("global.js", {**sources.modules(), "global.js": text}))
        return json.loads(page.evaluate(f"text => JSON.stringify(({call})(JSON.parse(text)))", json.dumps(given)))
    finally:
        page.close()
