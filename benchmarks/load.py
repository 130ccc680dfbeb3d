"""How many sessions does one server hold? 30, 60 and 120 of them play a lesson, each with its own numbers and file."""

from __future__ import annotations

import asyncio
import os
import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.cases import Sizes
from benchmarks.processes import PROGRAM, serve
from benchmarks.table import Row, clock, goal
from tests.browser.classroom import Classroom, Seat, hold

RUNS = ((1, 30), (1, 60), (1, 120), (2, 60), (2, 120), (4, 120))
"""Processes and sessions."""

MINUTES = float(os.environ.get("TIEKIT_LOAD_MINUTES", "10"))
PAUSE = (5.0, 15.0)
"""Seconds for which somebody looks at a page before the next step, drawn evenly."""

WANTED = {(1, 30): 3.0, (1, 60): 5.0, (2, 60): 5.0}
"""Seconds, p95 of a rerun, by processes and sessions."""

SETTLED = 3
"""After so many minutes memory grows by no more than a twentieth."""

REVEAL = "Just show me"
"""The button that answers a question, which is not asked again in the next round of the lesson."""

CANDIDATES = 5
"""So many thresholds of Calibration's steps have a next one; a session asks for one of them."""

OWN_FILES = {"source": "my files"}

LESSON: tuple[tuple[str, dict[str, str]], ...] = (
    ("", {}),
    ("Toy_lab", {"h": "0 0 0 1 {n}", "m1": "0 1 0 2 {n}", "m2": "3 1 2 0 {n}"}),
    ("Toy_lab", {"h": "0 0 0 1 {n}", "eps": "1"}),
    ("NaN_problem", {"undefined": "zero"}),
    ("Calibration", {"cal_eps": "{n}"}),
    ("Calibration", {"press": "Next"}),
    ("Grouping", {}),
    ("Grouping", {"press": REVEAL}),
    ("Leaderboard", {"grouping": "item"}),
    ("Leaderboard", {"grouping": "global"}),
    ("Leaderboard", OWN_FILES),
    ("Leaderboard", OWN_FILES | {"upload": "scores.csv"}),
    ("Leaderboard", {"download": "Table as CSV"}),
    ("Sentinels", {}),
    ("Judgments", {}),
    ("Measures", {}),
    ("Humans_as_metrics", {}),
    ("LLM_as_a_judge", {}),
)
"""Page and link of each step, and what is pressed, uploaded or downloaded; {n} is a number of the session."""


def rows(sizes: Sizes, folder: Path | None) -> Iterator[Row]:  # noqa: ARG001 — as every table's
    """Every line of the table; a fresh server for each number of sessions."""
    for processes, number in RUNS:
        case = f"{number} sessions" + (f", {processes} processes" if processes > 1 else "")
        if processes > 1 and PROGRAM is None:
            yield Row(case, "not measured: there is no nginx")
            continue
        with tempfile.TemporaryDirectory() as logs, serve(processes, Path(logs)) as (address, servers):
            started, own = time.perf_counter(), time.process_time()
            try:
                waits, memory = hold(address, number, _lesson, *servers)
            except RuntimeError as error:
                said = "\n".join(server.log()[-4_000:] for server in servers)
                raise RuntimeError(f"{error}\n{said}") from None
            passed, own = time.perf_counter() - started, time.process_time() - own
        waits.sort()
        p50, p95, p99 = (waits[round(share * (len(waits) - 1))] for share in (0.5, 0.95, 0.99))
        wanted = WANTED.get((processes, number))
        target = goal(f"p95 < {clock(wanted)}", p95 < wanted) if wanted else ""
        yield Row(
            f"{case}, {len(waits)} steps: p50, p95, p99", f"{clock(p50)}, {clock(p95)}, {clock(p99)}", target=target
        )
        later = memory[SETTLED - 1 :]
        level = goal("level", max(later) <= 1.05 * later[0]) if len(later) > 1 else ""
        yield Row("  memory after each minute, in MB", " ".join(map(str, memory)), target=level)
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
        page, asked = LESSON[step % len(LESSON)]
        link = {name: value.format(n=number % CANDIDATES) for name, value in asked.items()}
        if link.get("press") == REVEAL and REVEAL not in seat.buttons:
            del link["press"]
        if "download" in link:
            lines = (await seat.download(link["download"])).decode().splitlines()
            names = sorted(line.partition(",")[0] for line in lines[1:])
            if names != _metrics(number):
                raise RuntimeError(f"session {number} downloads the metrics {names}")
        elif "upload" in link:
            await seat.upload(page, link.pop("upload"), _scores(number), **link)
        else:
            await seat.run(page, is_history="press" not in link, **link)
        if seat.errors:
            raise RuntimeError(f"session {number} on {page}: {seat.errors}")
        own = f"ε = {number % CANDIDATES + 1}"
        if link.get("press") == "Next" and not any(own in heading for heading in seat.headings):
            raise RuntimeError(f"session {number}: {own} is not in {seat.headings}")
        waits.append(seat.seconds)
        step += 1
        await asyncio.sleep(rng.uniform(*PAUSE))
    return waits


def _metrics(number: int) -> list[str]:
    return [f"first-{number}", f"second-{number}"]


def _scores(number: int) -> bytes:
    """A table of one's own: the metrics bear the session's number, and their scores are drawn from it."""
    rng = random.Random(number)
    lines = [",".join(["system", "segment", "mqm", *_metrics(number)])]
    for system in "ABCDE":
        lines += [f"{system},{segment},{-rng.randrange(4)},{rng.random()},{rng.randrange(5)}" for segment in range(100)]
    return "\n".join(lines).encode()
