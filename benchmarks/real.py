"""How long do real scores take without groups? WMT22 zh-en, 15 systems × 1875 segments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from benchmarks.cases import Sizes
from benchmarks.fresh_run import Run, run, tiekit, vectors
from benchmarks.measure import fresh, time_call
from benchmarks.scores import METRIC_X, read_real
from benchmarks.table import Row, clock, goal
from tiekit import warm_up

GROUPINGS = ("item", "global", "system")


def rows(sizes: Sizes, folder: Path | None) -> Iterator[Row]:
    """Metric-X, and of all metrics the one in the middle and the one that takes longest; then all in leaderboards."""
    if folder is None:
        yield Row("real WMT22 zh-en", "left out: TIEKIT_REAL_DATA does not name the folder of the real files")
        return
    code = f"import json; from benchmarks.real import seconds_by_metric as by; print(json.dumps(by({str(folder)!r})))"
    for name, label in choose(fresh(code)).items():
        found = run("tiekit", (str(folder), name), sizes)
        case = f"calibrate, {vectors((str(folder), name))[0].size:,} real scores, {label}"
        yield Row(case, str(found), "peers left out, as for drawn scores", target=targets(found))
    yield leaderboards(str(folder))


def seconds_by_metric(folder: str) -> dict[str, float]:
    """How long each metric takes, once."""
    human, metrics = read_real(folder)
    warm_up.warm_up()
    return {name: time_call(partial(tiekit, human.ravel(), metric.ravel()))[0] for name, metric in metrics.items()}


def choose(seconds: Mapping[str, float]) -> dict[str, str]:
    """The metrics that get a line each, and what it calls them."""
    ranked = sorted(seconds, key=lambda name: seconds[name])
    parts = {METRIC_X: "", ranked[(len(ranked) - 1) // 2]: "the median of ", ranked[-1]: "the slowest of "}
    return {name: f"{name}, {part}{len(ranked)} metrics" if part else name for name, part in parts.items()}


def targets(found: Run) -> str:
    """What tiekit has to keep to on real scores."""
    memory = [goal("≤ 300 MB", found.peak <= 300e6)] if found.peak is not None else []
    return ", ".join([goal("≤ 3 s", found.seconds <= 3), *memory])


def leaderboards(folder: str) -> Row:
    """Files to frames for three groupings, once, in a fresh interpreter."""
    work = f"from benchmarks.cases import board; found = [board({folder!r}, by) for by in {GROUPINGS!r}]"
    n_metrics, seconds = fresh(
        f"import json, time; a = time.perf_counter(); {work}; print(json.dumps([found[0], time.perf_counter() - a]))"
    )
    case = f"read_mtme and leaderboard by {', '.join(GROUPINGS)}, {n_metrics} real metrics, imports included"
    return Row(case, clock(seconds), target=goal("≤ 60 s", seconds <= 60))
