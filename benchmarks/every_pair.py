"""How long do tests of every two metrics take? All metrics of WMT22 zh-en, beside plain NumPy and SciPy."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import tiekit as tk
from benchmarks.cases import Sizes, require_equal
from benchmarks.scores import Matrix
from benchmarks.table import Row, clock, goal, ratio_of
from tiekit import warm_up
from tiekit.core import swaps_of

STOP = (0.02, 0.5)
"""mt-metrics-eval's range of p-values outside which a test stops."""


@dataclass(frozen=True)
class Case:
    """A measure, how a plain loop computes it, and in how many seconds every pair, or one, shall be tested."""

    measure: str
    plain: Callable[[Matrix, Matrix], float]
    seconds: float
    stopping: float | None = None
    again: bool = False
    """Whether thresholds are found again in each resample; then one pair is tested."""


def pearson(human: Matrix, metric: Matrix) -> float:
    """Pearson's r of all scores."""
    return float(np.corrcoef(human.ravel(), metric.ravel())[0, 1])


def pairwise_accuracy(human: Matrix, metric: Matrix) -> float:
    """The share of pairs of systems that mean scores order alike."""
    h, m = human.mean(axis=1), metric.mean(axis=1)
    first, second = np.triu_indices(len(h), 1)
    return float(np.mean(np.sign(h[first] - h[second]) == np.sign(m[first] - m[second])))


def pdp(human: Matrix, metric: Matrix) -> float:
    """Pearson's r of the differences within items."""
    return pearson(human - human.mean(axis=0), metric - metric.mean(axis=0))


def spa(human: Matrix, metric: Matrix) -> float:
    """Soft pairwise accuracy with an equal lead counted half."""
    swaps = swaps_of(human.shape[1]).part(0, human.shape[1])
    first, second = np.triu_indices(len(human), 1)
    shares = []
    for scores in (human, metric):
        lead = scores @ swaps
        apart = (lead[first] - lead[second]) / scores.std()
        shares.append(np.where(np.abs(apart) < 1e-9, 0.5, apart < 0).mean(axis=1))
    return float(1 - np.abs(shares[0] - shares[1]).mean())


def tau_b(human: Matrix, metric: Matrix) -> float:
    """SciPy's tau_b of all scores."""
    from scipy.stats import kendalltau

    return float(kendalltau(human.ravel(), metric.ravel()).statistic)


def calibrate_metric(human: Matrix, metric: Matrix) -> float:
    """acc_eq by item at the best threshold, from one sort of all differences."""
    first, second = np.triu_indices(len(human), 1)
    h, m = human[first] - human[second], metric[first] - metric[second]
    tied, right = h == 0, (np.sign(h) == np.sign(m)) & (h != 0)
    order = np.argsort(np.abs(m), axis=None)
    size = np.abs(m).ravel()[order]
    total = right.sum() + np.cumsum(tied.ravel()[order].astype(int) - right.ravel()[order])
    last = np.append(size[1:] != size[:-1], True)
    at_zero = total[size == 0][-1] if (size == 0).any() else right.sum()
    return float(max(at_zero, total[last].max()) / h.size)


CASES = (
    Case("spa", spa, 480),
    Case("global/pearson", pearson, 60),
    Case("pairwise_accuracy", pairwise_accuracy, 60),
    Case("item/pdp", pdp, 60),
    Case("global/tau_b", tau_b, 1200, 300),
    Case("item/acc_eq", calibrate_metric, 8, 2, again=True),
)


def rows(sizes: Sizes, _: Path | None) -> Iterator[Row]:
    """Every line of the table; single scores are swapped, the costliest scheme."""
    data = tk.load_wmt22().select()
    human = data.human["mqm"]
    rated = ~np.isnan(human).any(axis=1)
    metrics = dict(list(data.metrics.items())[: sizes.metrics])
    warm_up.warm_up()
    warm_up.warm_up_resampling()
    for case in CASES:
        yield from rows_of_case(case, human[rated], {name: metric[rated] for name, metric in metrics.items()}, sizes)


def rows_of_case(case: Case, human: Matrix, metrics: dict[str, Matrix], sizes: Sizes) -> Iterator[Row]:
    """One measure: all resamples, and with early stopping."""
    chosen = dict(list(metrics.items())[:2]) if case.again else metrics
    pairs, first = math.comb(len(chosen), 2), next(iter(chosen.values()))
    epsilon = "recalibrated" if case.again else 0.0
    theirs = plainly(case, human, list(chosen.values())[:2], sizes.peer_resamples) * sizes.resamples * pairs
    value = tk.calibrate(human, first).value if case.again else tk.correlate(human, first, case.measure).value
    require_equal(f"{case.measure} and a plain loop", value, case.plain(human, first))
    what = "one pair, thresholds found again" if case.again else f"{pairs} pairs"
    for stop, wanted in ((None, case.seconds), (STOP, case.stopping)):
        if wanted is None:
            continue
        wall, processor = time.perf_counter(), time.process_time()
        tk.significance.compare_metrics(
            human,
            chosen,
            case.measure,
            swap="cells",
            epsilon=epsilon,
            n_resamples=sizes.resamples,
            stop_early=stop,
            progress=False,
        )
        seconds, used = time.perf_counter() - wall, time.process_time() - processor
        label = f"{case.measure}, {what}, {sizes.resamples} swaps of scores"
        label = f"  stopped early outside {STOP[0]:g} to {STOP[1]:g}" if stop else label
        peer = "" if stop else f"{clock(theirs)} plain, from {sizes.peer_resamples} swaps of one pair"
        ours = f"{clock(seconds)}, {clock(used)} of processors"
        ratio = "" if stop else ratio_of(seconds, theirs)
        yield Row(label, ours, peer, ratio, goal(f"≤ {clock(wanted)}", seconds <= wanted))


def plainly(case: Case, human: Matrix, pair: list[Matrix], number: int) -> float:
    """Seconds for one resample of one pair of metrics in a plain loop."""
    a, b = ((metric - metric.mean()) / metric.std() for metric in pair)
    rng = np.random.default_rng(0)
    before = time.perf_counter()
    for _ in range(number):
        swapped = rng.random(human.shape) < 0.5
        case.plain(human, np.where(swapped, b, a))
        case.plain(human, np.where(swapped, a, b))
    return (time.perf_counter() - before) / number
