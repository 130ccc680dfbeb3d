"""Figures outside of the app: their own pages, opened as files, and functions of their modules called in a browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page

from tests.browser import kit
from tiekit.figures import bundler
from tiekit.figures.bundler import bundle

WIDTHS = (390, 800, 1600)
LOAD = "text => import(URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))).then(() => true)"
"""Run a module's text in a page."""

NEXT_FRAME = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""Wait until what has changed is drawn."""

CAMPAIGN = pytest.mark.campaign
SIZES = [
    pytest.param((1280, 800), "", "light", id="desk"),
    *(
        pytest.param(*size, theme, id=f"{name}, {theme}", marks=CAMPAIGN)
        for name, size in {"lecture": ((1024, 768), "?lecture=true"), "phone": ((390, 844), "")}.items()
        for theme in ("light", "dark")
    ),
]
"""Windows, links and themes in which the first picture of a page is seen at once."""


@contextmanager
def opened(
    chromium: Browser,
    file: Path,
    fragment: str = "",
    *,
    width: int = 800,
    theme: str = "light",
    motion: str = "reduce",
    ready: str = "#figure.tiekit",
) -> Iterator[Page]:
    """Open a figure's page or the story; in the end its console must be empty, and nothing but the file asked for."""
    context = chromium.new_context(
        viewport={"width": width, "height": 900},
        color_scheme=theme,  # type: ignore[arg-type]
        reduced_motion=motion,  # type: ignore[arg-type]
        offline=True,
    )
    try:
        page = context.new_page()
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda request: request.url.startswith(("blob:", "data:")) or said.append(request.url))
        page.goto(file.as_uri() + fragment)
        page.locator(ready).wait_for()
        yield page
        assert {text.partition("#")[0] for text in said} == {file.as_uri()}
    finally:
        context.close()


def check(page: Page) -> None:
    """Assert that a figure fits its window and keeps the rules of WCAG 2.2 AA."""
    kit.no_sideways_scroll(page)
    violations = kit.axe_violations(page)
    assert not violations, "\n".join(violations)


FIRST_SCREENS = {1280: (800, 64, 180), 1024: (768, 64, 200), 390: (844, 76, 260)}
"""The height that is seen at once of a window of a width, that of the bar, in two rows on a phone, and the pixel above
which title and sentence end."""

PARTS = {
    "/": [".podium"],
    "/Toy_lab": [".lab canvas.matrix >> nth=0", ".lab canvas.matrix >> nth=1", ".lab .dots", ".lab .epsilon"],
    "/NaN_problem": [".nan-tiles"],
    "/Calibration": [".tie_curves .said", ".tie_curves .curves"],
    "/Grouping": [".groupings", ".matrix", ".bars"],
    "/Leaderboard": [".bump .field"],
    "/Sentinels": [".few_ties .said", ".few_ties .sets"],
    "/Judgments": [".rerank"],
    "/Measures": [".square"],
    "/Humans_as_metrics": [".human_rows .said", ".human_rows .choice >> nth=0", ".human_rows .bars"],
    "/LLM_as_a_judge": [".judge-votes .said", ".judge-votes .control", ".judge-votes .judge:first-child table"],
}
"""What is whole on the first screen of a page; of a page that is not named only the head is looked at."""

WITH_THE_ANSWER = (".lab .epsilon",)
"""Parts of a picture that a page shows once somebody has guessed, or where its answers are shown."""

ON_A_PHONE = {"/Toy_lab": [".lab canvas.matrix >> nth=1"], "/NaN_problem": [], "/Judgments": []}
"""Where a phone shows less of it."""


def first_screen(page: Page) -> None:
    """Assert that a page that was just opened has a small head, and its picture whole below it."""
    path, width = urlsplit(page.url).path, page.viewport_size["width"]
    height, bar, foot = FIRST_SCREENS[width]
    lead = page.locator(".st-key-lead").bounding_box()
    assert lead["y"] + lead["height"] <= foot
    assert page.locator(".st-key-ways").bounding_box()["height"] <= bar
    parts = PARTS.get(path, [])
    for part in ON_A_PHONE.get(path, parts) if width == kit.NARROW[0] else parts:
        if part in WITH_THE_ANSWER and "answers=show" not in page.url:
            assert not page.locator(part).first.is_visible(), part
            continue
        box = page.locator(part).first.bounding_box()
        assert box["y"] >= 0, part
        assert box["y"] + box["height"] <= height + 1, part
        assert box["x"] >= 0, part
        assert box["x"] + box["width"] <= width, part
    kit.no_sideways_scroll(page)


OUTSIDE = """() => {
  const texts = [];
  const { left, right } = document.querySelector("#figure").getBoundingClientRect();
  for (const element of document.querySelectorAll("#figure *")) {
    const style = getComputedStyle(element);
    const text = element.textContent.trim();
    const unseen = style.visibility === "hidden" || element.closest(".visually-hidden");
    if (element.querySelector(":scope > :not(wbr)") || !text || unseen) continue;
    const range = document.createRange();
    range.selectNodeContents(element);
    const place = range.getBoundingClientRect();
    if (place.width < 2) continue;
    const svg = element.ownerSVGElement;
    let around = svg ?? element;
    while (!svg && getComputedStyle(around).display === "inline") around = around.parentElement;
    const { overflowX, position } = getComputedStyle(around);
    const box = (svg || around !== element ? around : around.parentElement).getBoundingClientRect();
    const mayLeave = svg ? overflowX === "visible" : overflowX !== "visible" || position === "absolute";
    let isReached = element.closest("table");
    while (isReached && getComputedStyle(isReached).overflowX !== "auto") isReached = isReached.parentElement;
    const leaves = !mayLeave && (place.right > box.right + 3 || place.left < box.left - 3);
    const dots = style.textOverflow === "ellipsis" && element.scrollWidth > element.clientWidth + 1;
    const isCut = dots && element.clientWidth > 150;
    const isOut = place.right > right + 1 || place.left < left - 1;
    if (leaves || isCut || (isOut && overflowX === "visible" && !isReached)) texts.push(text.slice(0, 40));
  }
  return [...new Set(texts)];
}"""
"""Texts of a figure that leave the box around them, or are cut where there is room; a table may scroll in its box."""


BROKEN = """figure => [...figure.querySelectorAll(".long-word")].flatMap(word => [...word.childNodes].filter(piece => {
  const range = document.createRange();
  range.selectNodeContents(piece);
  const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
  return tops.size > 1 && getComputedStyle(word).display !== "inline";
}).map(piece => piece.data))"""
"""Pieces of long names that stand on two lines: a name breaks between its pieces alone."""


@contextmanager
def functions(chromium: Browser, names: dict[str, str]) -> Iterator[Page]:
    """Open an empty page that knows names of modules, written by module as in an import statement."""
    imports = "\n".join(f'import {{ {some} }} from "./{module}";' for module, some in names.items())
    text = f"{imports}\n\nObject.assign(globalThis, {{ {', '.join(names.values())} }});\n"
    page = chromium.new_page()
    try:
        page.evaluate(LOAD, bundle("global.js", {**bundler.modules(), "global.js": text}))
        yield page
    finally:
        page.close()


def called(chromium: Browser, names: dict[str, str], call: str, given: Any) -> Any:
    """Call a function that uses names of modules, all as JSON, in which NaN is null."""
    with functions(chromium, names) as page:
        return json.loads(page.evaluate(f"text => JSON.stringify(({call})(JSON.parse(text)))", json.dumps(given)))


SETTLED_TEXT = """async () => {
  const figure = document.querySelector("#figure");
  for (let text = "", since = 0, now = 0; now - since < 200 || !since; now = performance.now()) {
    if (figure.innerText !== text) [text, since] = [figure.innerText, performance.now()];
    await new Promise((done) => setTimeout(done, 25));
  }
  return figure.innerText;
}"""


def settled_text(page: Page) -> str:
    """What a figure says once nothing of it has changed for a fifth of a second: labels appear when a movement ends."""
    return str(page.evaluate(SETTLED_TEXT))
