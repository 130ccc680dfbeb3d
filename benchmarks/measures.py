"""How long do measures of measures take? Discriminative power and ranking consistency on SummEval, the simulation."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import tiekit as tk
from benchmarks.cases import Sizes
from benchmarks.measure import median_times
from benchmarks.table import Row, clock, goal
from tiekit.measures import Dataset

LENGTH = "length"
"""A column of SummEval's table that is no metric."""


def summeval(file: Path, human: str = "human:coherence") -> dict[str, Dataset]:
    """One aspect and the six string metrics."""
    data = tk.read_table(file)
    metrics = {name: scores for name, scores in data.metrics.items() if name != LENGTH}
    return {human: (data.human[human], metrics)}


def rows(sizes: Sizes, real: Path | None) -> Iterator[Row]:
    """Twelve measures on one aspect; real is the folder mt-metrics-eval-v2, beside which summeval stands."""
    file = real.parent / "summeval" / "summeval.csv" if real else None
    if file is None or not file.exists():
        yield Row("real SummEval", "left out: TIEKIT_REAL_DATA names no folder that holds summeval/summeval.csv")
    else:
        yield from on_summeval(summeval(file), sizes.resamples)
    n = sizes.draws
    ((seconds, _),) = median_times(
        lambda: tk.measures.simulate_granularity([8], n_populations=n, n_thresholds=n), repeats=1, seconds=0
    )
    yield Row(f"simulate_granularity, 12 measures, one G, {n} × {n} draws of 16 × 100 scores", clock(seconds))


def on_summeval(datasets: dict[str, Dataset], n: int) -> Iterator[Row]:
    """Both schemes of swapping, and half-splits."""
    for swap in ("both", "cells"):
        ((seconds, found),) = median_times(
            partial(tk.measures.discriminative_power, datasets, swap=swap, n_resamples=n), repeats=1, seconds=0
        )
        case = f"discriminative_power, SummEval, {len(found.pvalues)} pairs × 12 measures × {n} ({swap})"
        target = goal("≤ 15 s", seconds <= 15) if swap == "both" else ""
        yield Row(case, clock(seconds), target=target)
    ((seconds, _),) = median_times(
        lambda: tk.measures.ranking_consistency(datasets, n_splits=n + 1), repeats=1, seconds=0
    )
    yield Row(f"ranking_consistency, SummEval, 6 metrics × 12 measures × {n + 1} splits", clock(seconds))
