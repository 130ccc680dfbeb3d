"""How many sessions does one server hold? 30, 60 and 120 of them play a lesson, each with numbers of its own."""

from __future__ import annotations

import asyncio
import os
import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.cases import Sizes
from benchmarks.measure import ROOT
from benchmarks.table import Row, clock, goal
from tests.browser import kit
from tests.browser.classroom import Classroom, Seat, hold

SESSIONS = (30, 60, 120)
MINUTES = float(os.environ.get("TIEKIT_LOAD_MINUTES", "10"))
PAUSE = (5.0, 15.0)
"""Seconds for which somebody looks at a page before the next step, drawn evenly."""

WANTED = 3.0
"""Seconds, p95 of a rerun with thirty sessions."""

SETTLED = 3
"""Memory is level from this minute on."""

CANDIDATES = 5
"""So many thresholds of Calibration's steps have a next one; a session asks for one of them."""

LESSON: tuple[tuple[str, dict[str, str]], ...] = (
    ("", {}),
    ("Toy_lab", {"h": "0 0 0 1 {n}", "m1": "0 1 0 2 {n}", "m2": "3 1 2 0 {n}"}),
    ("Toy_lab", {"h": "0 0 0 1 {n}", "eps": "1"}),
    ("NaN_problem", {"undefined": "zero"}),
    ("Calibration", {"cal_eps": "{n}"}),
    ("Calibration", {"press": "Next"}),
    ("Grouping", {}),
    ("Leaderboard", {"grouping": "item"}),
    ("Leaderboard", {"grouping": "global"}),
    ("Sentinels", {}),
    ("Judgments", {}),
    ("Measures", {}),
    ("MQM_or_ESA", {}),
    ("Humans_as_metrics", {}),
    ("LLM_as_a_judge", {}),
)
"""Page and link of each step; {n} is a number of the session. Uploads and downloads are no part of it."""


def rows(sizes: Sizes, folder: Path | None) -> Iterator[Row]:  # noqa: ARG001 — as every table's
    """Every line of the table; a fresh server for each number of sessions."""
    for number in SESSIONS:
        with tempfile.TemporaryDirectory() as log, kit.serve(ROOT / "app.py", ROOT, Path(log) / "log") as server:
            started, own = time.perf_counter(), time.process_time()
            try:
                waits, memory = hold(server, number, _lesson)
            except RuntimeError as error:
                raise RuntimeError(f"{error}\n{server.log()[-4_000:]}") from None
            passed, own = time.perf_counter() - started, time.process_time() - own
        waits.sort()
        p50, p95, p99 = (waits[round(share * (len(waits) - 1))] for share in (0.5, 0.95, 0.99))
        target = goal(f"p95 < {clock(WANTED)}", p95 < WANTED) if number == SESSIONS[0] else ""
        yield Row(
            f"{number} sessions, {len(waits)} steps: p50, p95, p99",
            f"{clock(p50)}, {clock(p95)}, {clock(p99)}",
            target=target,
        )
        level = max(memory[SETTLED:], default=0) <= 1.05 * memory[min(SETTLED, len(memory) - 1)]
        yield Row("  memory after each minute, in MB", " ".join(map(str, memory)), target=goal("level", level))
        yield Row("  the sessions' own processor time", f"{own / passed:.0%} of one core")


async def _lesson(room: Classroom) -> tuple[list[float], list[int]]:
    """All sessions play until the time is over; every wait, and the memory after every minute."""
    end = time.monotonic() + 60 * MINUTES
    memory = []

    async def watch() -> None:
        while time.monotonic() < end:
            await asyncio.sleep(60)
            memory.append(room.memory())

    played = await asyncio.gather(*(_play(seat, number, end) for number, seat in enumerate(room.seats)), watch())
    return [wait for waits in played[:-1] if waits for wait in waits], memory


async def _play(seat: Seat, number: int, end: float) -> list[float]:
    """One session: step after step, in its own time; it fails where a page shows an error or another's number."""
    rng, waits, step = random.Random(number), [], 0
    await asyncio.sleep(rng.uniform(0, PAUSE[1]))
    while time.monotonic() < end:
        page, link = LESSON[step % len(LESSON)]
        await seat.run(page, **{name: value.format(n=number % CANDIDATES) for name, value in link.items()})
        if seat.errors:
            raise RuntimeError(f"session {number} on {page}: {seat.errors}")
        own = f"ε = {number % CANDIDATES + 1}"
        if link.get("press") and not any(own in heading for heading in seat.headings):
            raise RuntimeError(f"session {number}: {own} is not in {seat.headings}")
        waits.append(seat.seconds)
        step += 1
        await asyncio.sleep(rng.uniform(*PAUSE))
    return waits
