"""Files as odd as the limits allow, on every page that takes them: no view computes for long without a word.

`SWEEP_SECONDS` is the processor time for each page and file; the longer it is, the more of its views are drawn.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.app.conftest import WITH_A_SET
from tests.campaigns.shapes import KIND, SHAPES
from ui.page import pages

ROOT = Path(__file__).parents[2]
SECONDS = os.environ.get("SWEEP_SECONDS", "8")
SILENT = 2.0
"""The processor time, in seconds, after which a page or a computation must have said something."""

MEGABYTES, OF_THE_FILE = 500, 5
"""What a view may take beside the page on a small set: so much, and so many times the file."""

OF_RESAMPLES = {"segments": 500}
"""Megabytes that shapes take beside these: a part of the resamples of so many segments, in a place, one at a time."""

SENT = 20e6
"""The bytes that a view may send to its browser."""

LONGEST = 1_800
"""Seconds after which a child is ended: a view never ends, or the machine is busy."""

TAKE = {"votes": ["LLM_as_a_judge"], "rankings": ["Judgments"], "set": list(WITH_A_SET)}
"""The pages that take a kind of file."""


def files_of(kind: str) -> list[str]:
    """The names of the pages that take a kind of file."""
    names = [Path(page.file).stem for page in pages.lessons()]
    return [name for name in names if name.partition("_")[2] in TAKE[kind]]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says how much memory a process has held")
@pytest.mark.parametrize("shape", SHAPES)
def test_no_view_is_silent_or_large_or_ends_in_a_box(shape, tmp_path):
    visited = files_of(KIND.get(shape, "set"))
    command = [sys.executable, "-m", "tests.campaigns.sweep", shape, str(tmp_path), SECONDS, *visited]
    one_thread = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"), "1")
    allowed = MEGABYTES + OF_RESAMPLES.get(shape, 0) + OF_THE_FILE * sum(map(len, SHAPES[shape]().values())) / 2**20
    with (tmp_path / "said").open("w+", encoding="utf-8") as said, (tmp_path / "log").open("w") as log:
        env = {**os.environ, "TIEKIT_PUBLIC": "1", "PYTHONPATH": str(ROOT), **one_thread}
        process = subprocess.Popen(command, cwd=ROOT, stdout=said, stderr=log, env=env)
        try:
            process.wait(LONGEST)
        except subprocess.TimeoutExpired:
            process.kill()
        said.seek(0)
        told = [json.loads(line) for line in said]
    problems = [found for one in told if "view" in one and (found := problem_of(one, allowed))]
    assert [one["page"] for one in told if "rest" in one] == visited, f"the last view does not end: {told[-1:]}"
    assert not problems, "\n".join(problems)


def problem_of(view: dict, allowed: float) -> str:
    """What is wrong with a view; nothing where it keeps within all limits."""
    kinds = {kind: (seconds, where) for kind, (seconds, where) in view["silent"].items() if kind != "reading"}
    found = [f"{kind} silent for {t:.1f} s at {where}" for kind, (t, where) in kinds.items() if t > SILENT]
    found += [f"{view['mb']} MB"] * (view["mb"] > allowed) + [f"{view['sent']:,} bytes"] * (view["sent"] > SENT)
    found += view["box"]
    return f"{view['page']}, {view['view']}: {'; '.join(found)}" if found else ""
