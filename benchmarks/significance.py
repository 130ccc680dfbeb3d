"""How long do tests of metrics take? SummEval beside nlpstats, WMT22 zh-en without a peer that is done in a day."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np

import tiekit as tk
from benchmarks.cases import Sizes, require_equal
from benchmarks.measure import fresh, median_times, time_and_peak
from benchmarks.measures import summeval as read_summeval
from benchmarks.scores import METRIC_X, Matrix, read_real
from benchmarks.table import Row, clock, goal, ratio_of, space
from tiekit import warm_up

PEERS = {"system_means": "system", "item": "input", "global": "global"}
NAMES = {"pearson": "pearson", "spearman": "spearman", "tau_b": "kendall"}
NINE = list(product(PEERS, NAMES))


def rows(sizes: Sizes, folder: Path | None) -> Iterator[Row]:
    """Every line of the table; folder is mt-metrics-eval-v2, summeval lies beside it."""
    if folder is None:
        yield Row(
            "real metrics, tested two by two", "left out: TIEKIT_REAL_DATA does not name the folder of real files"
        )
        return
    ((human, metrics),) = read_summeval(folder.parent / "summeval" / "summeval.csv").values()
    pair = {name: np.asarray(scores, np.float64) for name, scores in list(metrics.items())[:2]}
    yield pair_of_summeval(np.asarray(human, np.float64), pair, sizes)
    yield from zh_en(folder, sizes)


def pair_of_summeval(human: Matrix, pair: dict[str, Matrix], sizes: Sizes) -> Row:
    """One pair of metrics by nlpstats' nine measures, whose values must agree."""
    first, second = pair.values()
    for grouping, name in NINE:
        by_us = tk.correlate(human, first, name, grouping=grouping).value
        require_equal(f"correlate {grouping} {name} and nlpstats", by_us, of_nlpstats(human, first, grouping, name))
    n, measures = sizes.peer_resamples, [f"{grouping}/{name}" for grouping, name in NINE]
    (ours, _), (few, _) = median_times(
        lambda: tk.significance.swap_test(human, pair, measures, swap="both", n_resamples=sizes.resamples),
        lambda: [drawn_by_nlpstats(human, first, second, *one, n) for one in NINE],
        repeats=3,
        seconds=0,
    )
    theirs = few / n * sizes.resamples
    shape = f"{human.shape[0]} × {human.shape[1]}"
    case = f"permutation test of a pair, SummEval {shape}, nine measures, {sizes.resamples} resamples of both"
    target = goal("≥ 100× faster", theirs >= 100 * ours)
    return Row(case, clock(ours), f"{clock(theirs)} nlpstats, from {n} resamples", ratio_of(ours, theirs), target)


def of_nlpstats(human: Matrix, metric: Matrix, grouping: str, name: str) -> float:
    """One measure's value by nlpstats."""
    from nlpstats.correlations import correlate

    return float(correlate(metric, human, PEERS[grouping], NAMES[name]))


def drawn_by_nlpstats(human: Matrix, first: Matrix, second: Matrix, grouping: str, name: str, n: int) -> float:
    """One measure's p-value by nlpstats."""
    from nlpstats.correlations import permutation_test

    return float(permutation_test(first, second, human, PEERS[grouping], NAMES[name], "both", n_resamples=n).pvalue)


def zh_en(folder: Path, sizes: Sizes) -> Iterator[Row]:
    """acc_eq by item, whole segments swapped: one pair, every two metrics, memory."""
    human, metrics = read_real(folder)
    warm_up.warm_up()
    first, second = metrics[METRIC_X], next(m for name, m in metrics.items() if name != METRIC_X)
    size = f"{human.shape[1]} × {human.shape[0]}"
    ((seconds, _),) = median_times(
        lambda: tk.significance.permutation_test(human, first, second, "acc_eq", n_resamples=1000),
        repeats=sizes.repeats,
        seconds=0,
    )
    case = f"permutation test of acc_eq by item, real zh-en {size}, a pair, 1000 resamples of segments"
    yield Row(case, clock(seconds), target=goal("≤ 0.5 s", seconds <= 0.5))
    seconds, peak, n_pairs = fresh(
        f"import json; from benchmarks.significance import matrix; print(json.dumps(matrix({str(folder)!r})))"
    )
    targets = [goal("≤ 90 s", seconds <= 90)]
    if peak is not None:
        targets.append(goal("≤ 1 GB", peak <= 1e9))
    told = clock(seconds) if peak is None else f"{clock(seconds)}, {space(peak)}"
    yield Row(f"  acc_eq* of every two metrics, {n_pairs} pairs, with clusters", told, target=", ".join(targets))


def matrix(folder: str) -> tuple[float, float | None, int]:
    """Seconds, peak memory and pairs of the matrix of all real metrics with its clusters."""
    warnings.simplefilter("ignore", tk.NearTieWarning)
    human, metrics = read_real(folder)
    tk.significance.compare_metrics(
        human[:, :9], {name: m[:, :9] for name, m in metrics.items()}, "acc_eq*", n_resamples=9
    )
    seconds, peak, found = time_and_peak(
        lambda: tk.significance.compare_metrics(human, metrics, "acc_eq*", n_resamples=1000), repeats=1, seconds=0
    )
    found.clusters()
    return seconds, peak, math.comb(len(metrics), 2)
