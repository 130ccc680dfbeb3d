"""A whole class at once: thirty sessions on one server, each with its own page, none in another's way."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from tests.browser.classroom import hold, percentile_95
from ui.evalset.sources import FOLDER
from ui.page import pages

pytestmark = pytest.mark.browser

PAGES = ["", *(page.address for page in pages.lessons())]
SEATS, ROUNDS = 30, 5


def test_everybody_sees_his_own_page(server):
    async def lesson(room):
        await room.all_run("Calibration", [{"cal_eps": str(number)} for number in range(5)])
        await room.all_run("Calibration", [{"press": "Next"}] * 5)
        for number, seat in enumerate(room.seats):
            assert f"Candidate {number + 2} of 6: ε = {number + 1}" in seat.headings

    hold(server, 5, lesson)


@pytest.mark.parametrize("page", PAGES)
def test_thirty_wait_three_seconds_at_most_and_memory_stays_level(own_server, page):
    async def lesson(room):
        waited, memory = [], []
        for turn in range(ROUNDS):
            step = {"press": "Next" if turn % 2 else "Back"} if turn else {"cal_eps": "0"}  # a choice opens the box
            asked = step if page == "Calibration" else {}
            waited.append(percentile_95(await room.all_run(page, [asked] * SEATS)))
            memory.append(room.memory())
        print(page or "Start", [f"{seconds:.2f} s" for seconds in waited], memory, "MB")
        return waited, memory

    waited, memory = hold(own_server, SEATS, lesson)
    assert max(waited[1:]) <= 3
    assert max(memory[2:]) <= 1.05 * memory[2]


@pytest.fixture
def large(tmp_path):
    """A set whose calibration without grouping takes seconds: 15 systems × 6000 segments, three metrics."""
    rng = np.random.default_rng(1)

    def write(name, scores):
        file = tmp_path / "sets" / "large" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(f"S{i}\t{score!r}\n" for i, row in enumerate(scores.tolist()) for score in row))

    human = -rng.integers(0, 12, (15, 6000)).astype(float)
    write("human-scores/xx-yy.mqm.seg.score", human)
    for number in range(3):
        write(f"metric-scores/xx-yy/M{number}-src.seg.score", human + rng.normal(0, 5, human.shape))
    return {"source": FOLDER, "folder": str(tmp_path / "sets"), "grouping": "global"}


def test_nobody_waits_for_anothers_calibration_longer_than_for_his_own(own_server, large):
    async def lesson(room):
        first, another, *others, last = room.seats
        await first.run("Calibration", **large)
        await asyncio.gather(*(seat.run("Calibration", **large, coefficient="tau_eq") for seat in others))
        together = [seat.seconds for seat in others]
        print(f"alone {first.seconds:.2f} s, five who want the same {max(together):.2f} s")
        await another.run("Calibration", cal_eps="0")  # the sample: calibrated once for all
        long = asyncio.create_task(last.run("Calibration", **large, coefficient="tau_a"))
        await asyncio.sleep(0.5)
        await another.run("Calibration", press="Next")
        print(f"another's step meanwhile {another.seconds:.2f} s")
        assert not long.done()
        await long
        assert not [seat.errors for seat in room.seats if seat.errors]
        return first.seconds, together

    alone, together = hold(own_server, 8, lesson)
    assert max(together) <= 1.5 * alone + 1
