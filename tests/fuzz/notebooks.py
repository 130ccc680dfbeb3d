"""What does a downloaded notebook hold? Data of any name, which are data and never code."""

from __future__ import annotations

import json
import random

import numpy as np

import tiekit as tk
from tests.fuzz.case import Case, Said
from tests.fuzz.names import name
from ui.work import downloads

LONG = 200_000


def case(number: int) -> Case:
    """Return an evaluation set with names that nobody expects."""
    rng = random.Random(f"notebooks {number}")
    numbers = np.random.default_rng(number)
    systems, segments = (tuple(_names(rng, size)) for size in (rng.randint(1, 4), rng.choice([1, 5, 300])))
    shape = len(systems), len(segments)
    human = {one: numbers.integers(0, 3, shape).astype(float) for one in _names(rng, 1)}
    metrics = {one: numbers.normal(size=shape) for one in _names(rng, rng.randint(0, 2))}
    documents = tuple(rng.choices(segments, k=len(segments))) if rng.random() < 0.5 else ()
    digest = f"{number:064x}"
    data = tk.EvalSet(name(rng), name(rng), systems, segments, human, metrics, documents=documents, digest=digest)
    size = (
        sum(map(len, (*systems, *segments, *documents))) + 8 * (1 + len(metrics)) * data.human[next(iter(human))].size
    )
    return Case(f"a notebook of {systems!r:.100}, {segments[:3]!r:.200}", size, lambda: _run(data, name(rng)))


def _names(rng: random.Random, number: int) -> list[str]:
    """Different names; now and then one is very long."""
    found = dict.fromkeys(f"{name(rng)}{place}"[:: rng.choice([1, -1])] for place in range(number))
    if rng.random() < 0.1:
        found["x" * LONG] = None
    return list(found)


def _run(data: tk.EvalSet, title: str) -> Said:
    whole = json.loads(downloads.notebook(title, "data", {"data": data}))
    assert "/" not in downloads.file_name(title)
    names: dict[str, object] = {}
    for cell in whole["cells"]:
        if cell["cell_type"] == "code":
            exec(compile(cell["source"], "<cell>", "exec"), names)
    again = names["data"]
    assert isinstance(again, tk.EvalSet)
    for part in ("name", "systems", "segments", "documents", "digest"):
        assert getattr(again, part) == getattr(data, part), part
    assert list(again.human) == list(data.human)
    assert list(again.metrics) == list(data.metrics)
    for kind in ("human", "metrics"):
        for one, scores in getattr(data, kind).items():
            np.testing.assert_array_equal(getattr(again, kind)[one], scores)
    return None
