"""What is measured? Each case gives rows of the table: times, their ratio, and whether a target is met."""

from __future__ import annotations

import math
import statistics
import tempfile
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

import tiekit as tk
from benchmarks import plain
from benchmarks.measure import fresh, median_times, peak_growth
from benchmarks.scores import Matrix, draw_matrix, read_metric_x
from benchmarks.table import Row, clock, goal, ratio_of


@dataclass(frozen=True)
class Sizes:
    """How much is measured: lengths of vectors, segments of a matrix, repeats."""

    vectors: tuple[int, ...] = (28_125, 1_000, 10_000, 100_000)
    segments: int = 1_875
    repeats: int = 7
    seconds: float = 1.0
    """Quick calls are repeated for so long at least."""
    starts: int = 5
    """Interpreters started for each time of loading."""
    scaling: tuple[int, ...] = (1_000, 2_000, 5_000, 10_000, 28_125, 50_000, 100_000)
    """Scores that are calibrated without groups."""
    plain_to: int = 2_000
    """Algorithm 2 in plain Python takes seconds there, and the better part of a minute for the next."""
    one_sort_to: int = 10_000
    """Algorithm 2 with one sort takes 1.7 GB there; the next would take more than the 4 GB that it may have."""
    growth_from: int = 5_000
    """Below, calibration is done before its time says how it grows."""
    peer_resamples: int = 20
    """Of the resamples of a test nlpstats does so many; it takes as long for each."""
    longest: float = 3.0
    """A long call is not repeated once it has taken so many seconds."""
    resamples: int = 999
    """Of every pair of metrics of SummEval and of WMT22 zh-en."""
    metrics: int = 24
    """So many metrics of WMT22 zh-en are tested two by two; the wanted times hold for all 24."""
    draws: int = 30
    """Populations of the simulation, and thresholds of each."""


def metric_x(folder: Path, sizes: Sizes) -> list[Row]:
    """The cases on real scores, which hold near-ties: they stay as they are."""
    human, metric = read_metric_x(folder)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tk.NearTieWarning)
        return [
            *count("Metric-X", human.ravel(), metric.ravel(), sizes),
            *calibrate("Metric-X", human, metric, sizes),
            *correlate("Metric-X", human, metric, sizes),
        ]


def count(label: str, human: Matrix, metric: Matrix, sizes: Sizes) -> Iterator[Row]:
    """Pairs of two vectors beside SciPy, hyper-corr and two sorts, which all need; within epsilon there is no peer."""
    from hyper_corr import kendalltau as hyper_corr
    from scipy.stats import kendalltau

    at_zero, peer, compiled, sorts, within = median_times(
        lambda: tk.count_pairs(human, metric),
        lambda: kendalltau(human, metric).statistic,
        lambda: hyper_corr(human, metric, pvals=False).statistic,
        lambda: (np.argsort(human), np.argsort(metric)),
        lambda: tk.count_pairs(human, metric, epsilon=0.1),
        repeats=sizes.repeats,
        seconds=sizes.seconds,
    )
    counts = at_zero[1]
    for who, found in (("kendalltau", peer[1]), ("hyper-corr", compiled[1])):
        require_equal(f"count_pairs and {who}", tk.COEFFICIENTS["tau_b"].value(counts), found)
    ties = (counts.ties_human + counts.ties_both) / counts.total
    case = f"count_pairs, {label}, {human.size:,} pairs of scores ({ties:.0%} tied by human)"
    beside = f"{clock(peer[0])} scipy kendalltau, {clock(sorts[0])} two np.argsort"
    yield Row(case, clock(at_zero[0]), beside, ratio_of(at_zero[0], peer[0]), goal("≤ SciPy", at_zero[0] <= peer[0]))
    yield Row("  the same", clock(at_zero[0]), f"{clock(compiled[0])} hyper-corr", ratio_of(at_zero[0], compiled[0]))
    yield Row("  the same at epsilon 0.1", clock(within[0]), "none")


def calibrate(label: str, human: Matrix, metric: Matrix, sizes: Sizes) -> Iterator[Row]:
    """Calibration grouped by item beside Algorithm 2 in plain Python, which must find the same, and one sort alone."""
    groups = plain.by_item(human.tolist(), metric.tolist())
    one, other = np.triu_indices(len(metric), 1)
    differences = np.abs(metric[one] - metric[other]).ravel()
    differences = differences[~np.isnan(differences)]
    (ours, found), (sort, _), (theirs, expected) = median_times(
        lambda: tk.calibrate(human, metric),
        lambda: np.sort(differences),
        lambda: plain.calibrate(groups),
        repeats=sizes.repeats,
        seconds=0,
    )
    require_same("plain Algorithm 2", (found.epsilon, found.value), expected)
    case = f"calibrate by item, {label}, {human.shape[1]} × {human.shape[0]} scores, {found.n_pairs:,} pairs"
    targets = [goal("≤ 20 ms", ours <= 0.02), goal("≥ 50× faster", theirs >= 50 * ours)]
    targets.append(goal("≤ 1.3 sorts", ours <= 1.3 * sort))
    beside = f"{clock(theirs)} plain Algorithm 2, {clock(sort)} one np.sort of the differences"
    yield Row(case, clock(ours), beside, ratio_of(ours, theirs), ", ".join(targets))


def correlate(label: str, human: Matrix, metric: Matrix, sizes: Sizes) -> Iterator[Row]:
    """Mean tau_b over segments beside nlpstats."""
    from nlpstats.correlations import correlate as nlpstats

    (ours, found), (theirs, expected) = median_times(
        lambda: tk.correlate(human, metric, "tau_b").value,
        lambda: nlpstats(human, metric, "input", "kendall"),
        repeats=sizes.repeats,
        seconds=0,
    )
    require_equal("correlate and nlpstats", found, expected)
    case = f"correlate tau_b by item, {label}, {human.shape[1]} × {human.shape[0]} scores"
    yield Row(case, clock(ours), f"{clock(theirs)} nlpstats input level", ratio_of(ours, theirs))


def memory_of(who: str, n_segments: int) -> float | None:
    """Peak memory of one calibration after a small one has loaded everything; call it in a fresh interpreter."""
    for n in (2, n_segments):
        human, metric = draw_matrix(n)
        groups = plain.by_item(human.tolist(), metric.tolist())
        call = partial(tk.calibrate, human, metric) if who == "tiekit" else partial(plain.calibrate, groups)
        peak = peak_growth(call)
    return peak


def memory(sizes: Sizes) -> Iterator[Row]:
    """Peak memory of calibration."""
    code = "import json; from benchmarks.cases import memory_of; print(json.dumps(memory_of({!r}, {})))"
    ours, theirs = (fresh(code.format(who, sizes.segments)) for who in ("tiekit", "plain"))
    case = f"  its peak memory above the resting process, synthetic, {sizes.segments} segments"
    if ours is None or theirs is None:
        yield Row(case, "left out: it is read from /proc, which is not there")
    else:
        ratio = f"{theirs / ours:.1f}× less" if ours else ""
        yield Row(case, f"{ours / 1e6:.1f} MB", f"{theirs / 1e6:.1f} MB plain Algorithm 2", ratio)


LOAD = """import json, time; a = time.perf_counter()
import tiekit; b = time.perf_counter()
from tiekit import core; from tiekit import warm_up; c = time.perf_counter()
warm_up.warm_up(); print(json.dumps([b - a, c - b, time.perf_counter() - c]))"""
FIRST = """import json, time, tiekit as tk; from benchmarks.scores import draw_matrix, draw_vectors
vectors, matrices = draw_vectors({}), draw_matrix({}); a = time.perf_counter()
tk.count_pairs(*vectors); b = time.perf_counter()
tk.calibrate(*matrices); print(json.dumps([b - a, time.perf_counter() - b]))"""


def start(sizes: Sizes) -> Iterator[Row]:
    """What the first seconds cost: import, compiling, loading from the cache on disk, first calls."""
    with tempfile.TemporaryDirectory() as cache:
        compiling = fresh(LOAD, NUMBA_CACHE_DIR=cache)[2]
        loads = [fresh(LOAD, NUMBA_CACHE_DIR=cache) for _ in range(sizes.starts)]
        code = FIRST.format(sizes.vectors[0], sizes.segments)
        unseen = sum(fresh(code, NUMBA_CACHE_DIR=cache))
        firsts = [fresh(code, NUMBA_CACHE_DIR=cache) for _ in range(sizes.starts)]
    importing, numba, loading = map(statistics.median, zip(*loads, strict=True))
    counting, calibrating = map(statistics.median, zip(*firsts, strict=True))
    yield Row("import tiekit, fresh interpreter", clock(importing), target=goal("< 1.5 s", importing < 1.5))
    yield Row("  then Numba, imported at the first count", clock(numba))
    yield Row("  then all kernels, from the cache on disk", clock(loading))
    yield Row("  then all kernels, compiled (once a machine)", clock(compiling))
    case = "first count_pairs and calibrate ever, where only the above was compiled"
    yield Row(case, clock(unseen), target=goal("≤ 2 s", unseen <= 2))
    yield Row(f"first count_pairs, {sizes.vectors[0]:,} (Numba, cached kernels, work)", clock(counting))
    yield Row(f"  then first calibrate, {sizes.segments} segments (cached kernels, work)", clock(calibrating))


def board(folder: str, grouping: str = "item") -> int:
    """The leaderboard of all real zh-en metrics, files read; its number of metrics."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tk.NearTieWarning)
        return len(tk.leaderboard(tk.read_mtme(folder, "wmt22", "zh-en"), "mqm", grouping=grouping))


def leaderboard(folder: Path) -> Iterator[Row]:
    """Files to frame, warm and in a fresh interpreter."""
    ((seconds, n_metrics),) = median_times(lambda: board(str(folder)), repeats=3, seconds=0)
    code = "import json, time; a = time.perf_counter(); from benchmarks.cases import board; board({!r}); "
    code = f"{code}print(json.dumps(time.perf_counter() - a))".format(str(folder))
    cold = statistics.median(fresh(code) for _ in range(3))
    case = f"read_mtme and leaderboard, real zh-en, {n_metrics} metrics by item, all coefficients and acc_eq*"
    yield Row(case, clock(seconds), target=goal("≤ 4 s", seconds <= 4))
    yield Row("  the same in a fresh interpreter, imports included", clock(cold), target=goal("≤ 4 s", cold <= 4))


def require_same(peer: str, ours: tuple[float, float], theirs: tuple[float, float]) -> None:
    """Stop where calibrate and a peer do not find the same threshold and value."""
    if ours[0] != theirs[0]:
        raise RuntimeError(f"calibrate finds epsilon {ours[0]}, {peer} {theirs[0]}")
    require_equal(f"calibrate and {peer}", ours[1], theirs[1])


def require_equal(who: str, ours: float, theirs: float) -> None:
    """Stop where two tools that are timed do not compute the same."""
    undefined = math.isnan(ours) and math.isnan(theirs)
    if not undefined and not math.isclose(ours, theirs, rel_tol=1e-12, abs_tol=1e-12):
        raise RuntimeError(f"{who} differ: {ours!r} and {theirs!r}")
