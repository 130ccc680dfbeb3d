"""How long does one wait for the app? First load, a key, a class of thirty; in a real Chromium, from a fresh server."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.cases import Sizes
from benchmarks.measure import ROOT
from benchmarks.table import Row, clock, goal
from tests.browser import kit
from tests.browser.classroom import Classroom, hold, percentile_95
from tests.browser.find_chromium import find_chromium
from ui.page import pages

PAGES = {"": "What is a tie?"} | {page.address: page.title for page in pages.lessons()}
FIRST_LOAD, KEY, CLASS = 4.0, 0.3, 3.0
SEATS, ROUNDS, STEPS = 30, 5, 20
QUIET = 300
"""Milliseconds without a change until a page counts as settled; they are not part of the time."""


def rows(sizes: Sizes, folder: Path | None) -> Iterator[Row]:  # noqa: ARG001 — as every table's
    """Every line of the table."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=find_chromium(), args=kit.CHROMIUM_ARGS)
        for path, name in PAGES.items():
            with tempfile.TemporaryDirectory() as log, kit.serve(ROOT / "app.py", ROOT, Path(log) / "log") as server:
                yield from _visits(chromium, server, path, name)
        chromium.close()


def _visits(chromium: Browser, server: kit.Server, path: str, name: str) -> Iterator[Row]:
    for visitor in ("first", "second"):
        with kit.new_page(chromium, server.url) as (page, _):
            start = time.perf_counter()
            page.goto(f"/{path}")
            kit.settled(page, quiet=QUIET)
            taken = time.perf_counter() - start - QUIET / 1000
            yield Row(f"{name}: {visitor} visitor's first load", clock(taken), target=_gate(taken, FIRST_LOAD))
            if path == "Calibration" and visitor == "second":
                taken = statistics.median(_steps(kit.open_box(page)))
                yield Row(f"{name}: a key on the slider until all is drawn", clock(taken), target=_gate(taken, KEY))
    waits, memory = hold(server, SEATS, lambda room: _lesson(room, path))
    taken = max(waits[1:])
    yield Row(f"{name}: {SEATS} reruns at once, p95", clock(taken), target=_gate(taken, CLASS))
    level = max(memory[2:]) / memory[2]
    yield Row(f"{name}: memory, rounds 3 to {ROUNDS}", f"{memory[-1]} MB", target=goal("within 5 %", level <= 1.05))


def _gate(taken: float, limit: float) -> str:
    return goal(f"< {clock(limit)}", taken < limit)


def _steps(page: Page) -> Iterator[float]:
    """Seconds of key strokes on the slider of Algorithm 1, to and fro."""
    slider, heading = page.get_by_role("slider", name="Threshold ε"), page.get_by_role("heading", name="Candidate")
    slider.focus()
    for number in range(STEPS):
        before = heading.inner_text()
        start = time.perf_counter()
        page.keyboard.press("ArrowLeft" if number % 2 else "ArrowRight")
        page.wait_for_function(
            """before => document.querySelector("[data-testid=stApp]").dataset.testScriptState === "notRunning"
                && !document.querySelector("[data-stale=true]")
                && ![...document.querySelectorAll("h3")].some(h => h.innerText === before)""",
            arg=before,
        )
        yield time.perf_counter() - start
        kit.settled(page, quiet=QUIET)


async def _lesson(room: Classroom, path: str) -> tuple[list[float], list[int]]:
    """The p95 of each round, and the server's memory after it."""
    waits, memory = [], []
    for _ in range(ROUNDS):
        waits.append(percentile_95(await room.all_run(path, [{}] * SEATS)))
        memory.append(room.memory())
    return waits, memory
