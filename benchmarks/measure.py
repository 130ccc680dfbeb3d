"""How is it measured? Times, fresh interpreters, peak memory."""

from __future__ import annotations

import gc
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]


def median_times(*calls: Callable[[], Any], repeats: int, seconds: float) -> list[tuple[float, Any]]:
    """Median seconds and result of each call after a warm-up: in turn, so that a busy moment touches all alike."""
    results = [call() for call in calls]
    times: list[list[float]] = [[] for _ in calls]
    begin = time.perf_counter()
    while len(times[0]) < repeats or time.perf_counter() - begin < seconds:
        for call, taken in zip(calls, times, strict=True):
            taken.append(time_call(call)[0])
    return [(statistics.median(taken), result) for taken, result in zip(times, results, strict=True)]


def time_and_peak(call: Callable[[], Any], repeats: int, seconds: float) -> tuple[float, float | None, Any]:
    """Median seconds, peak memory and result of a call that may be long: no run begins after so many seconds."""
    runs: list[tuple[float, Any]] = []
    peak = peak_growth(lambda: runs.append(time_call(call)))
    while not runs or (len(runs) < repeats and sum(taken for taken, _ in runs) < seconds):
        runs.append(time_call(call))
    return statistics.median(taken for taken, _ in runs), peak, runs[0][1]


def time_call(call: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds and result of one call, the garbage collector off as timeit has it."""
    gc.collect()
    gc.disable()
    try:
        start = time.perf_counter()
        result = call()
        return time.perf_counter() - start, result
    finally:
        gc.enable()


def fresh(code: str, **environment: str) -> Any:
    """What the code prints, as JSON, in an interpreter of its own."""
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode:
        raise RuntimeError(f"a fresh interpreter failed:\n{run.stderr}")
    return json.loads(run.stdout)


def peak_growth(call: Callable[[], Any]) -> float | None:
    """Bytes by which the process's resident memory peaks above where it stood before the call; None without /proc."""
    status = Path("/proc/self/status")
    try:
        gc.collect()
        Path("/proc/self/clear_refs").write_text("5")  # the peak starts anew
        before = _resident(status, "VmRSS")
        call()
        return _resident(status, "VmHWM") - before
    except OSError:
        return None


def _resident(status: Path, field: str) -> float:
    """A field of the process's status, in bytes."""
    return next(1024.0 * int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith(field))


def setting() -> str:
    """Versions and processor, two lines."""
    packages = ("tiekit", "numpy", "scipy", "numba", "pandas", "nlpstats", "hyper-corr")
    tools = [f"Python {platform.python_version()}", *(f"{name} {version(name)}" for name in packages)]
    return f"{', '.join(tools)}\n{_processor()}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}"


def _processor() -> str:
    """The processor's name."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or "unknown processor"
