"""Visitors with files come and go, five at a time: what each brought goes with him; the server's memory is level."""

from __future__ import annotations

import asyncio
import os
import random
import time
from itertools import count
from pathlib import Path
from statistics import median

import pytest

from tests.browser import kit
from tests.browser.classroom import Classroom, hold, take_seat

pytestmark = pytest.mark.browser

MINUTES = int(os.environ.get("TIEKIT_VISITORS_MINUTES", "10"))
AT_A_TIME = 5
STAY = (20.0, 60.0)
"""Seconds for which a visitor looks at his page."""

FIRST = 3
"""The minute from which memory must be level: the first have gone, whose sessions were kept for a minute."""

MOST_GROWTH, MOST = 1.1, 1.25
"""Maximum of the median memory after it and of the memory, as multiples of that minute's.

Some twenty sessions are kept, by chance two or three more or fewer.
"""

OWN_FILES = {"source": "my files"}


def _table(number: int) -> bytes:
    """A table of 4 MB, whose metric bears the visitor's number."""
    rng = random.Random(number)
    rows = [
        f"system-{system:02},{segment},{-rng.randrange(9)},{rng.random():.9f}"
        for system in range(20)
        for segment in range(6_800)
    ]
    return "\n".join([f"system,segment,mqm,metric-{number}", *rows]).encode()


def test_memory_is_level_from_the_third_minute(monkeypatch, tmp_path):
    monkeypatch.setenv("TIEKIT_PUBLIC", "1")
    root = Path(__file__).parents[2]
    numbers, memory, gone, rng = count(), [], [], random.Random(35)

    async def visits(room: Classroom) -> None:
        end = time.monotonic() + 60 * MINUTES

        async def come_and_go() -> None:
            while time.monotonic() < end:
                number = next(numbers)
                async with take_seat(room.servers[0].url) as seat:
                    await seat.run("Leaderboard", **OWN_FILES)
                    await seat.upload("Leaderboard", "scores.csv", await asyncio.to_thread(_table, number), **OWN_FILES)
                    assert not seat.errors
                    assert f"metric-{number}" in (await seat.download("Table as CSV")).decode()
                    await asyncio.sleep(rng.uniform(*STAY))
                gone.append(number)

        async def look() -> None:
            for _ in range(MINUTES):
                await asyncio.sleep(60)
                memory.append(room.memory())
                print(f"minute {len(memory)}: {len(gone)} visitors have gone, {memory[-1]} MB", flush=True)

        await asyncio.gather(look(), *(come_and_go() for _ in range(AT_A_TIME)))

    with kit.serve(kit.APP, root, tmp_path / "log") as server:
        hold(server, 0, visits)
        assert "Traceback" not in server.log()
    assert len(gone) >= min(50, 4 * MINUTES)
    assert median(memory[FIRST:]) <= MOST_GROWTH * memory[FIRST - 1]
    assert max(memory[FIRST:]) <= MOST * memory[FIRST - 1]
