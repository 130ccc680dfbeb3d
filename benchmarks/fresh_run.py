"""What does one tool take to calibrate without groups, alone in an interpreter?"""

from __future__ import annotations

import warnings
from dataclasses import astuple, dataclass
from functools import partial

import tiekit as tk
from benchmarks import one_sort, plain
from benchmarks.cases import Sizes
from benchmarks.measure import fresh, time_and_peak
from benchmarks.scores import Matrix, draw_vectors, read_real
from benchmarks.table import clock, space
from tiekit import warm_up

Source = int | tuple[str, str]
"""How many scores are drawn; or the folder of the real files and a metric's name."""


@dataclass(frozen=True)
class Run:
    """What a tool took and found; peak is None without /proc."""

    seconds: float
    peak: float | None
    epsilon: float
    value: float

    def __str__(self) -> str:
        """Time and memory in words."""
        return clock(self.seconds) + (f", {space(self.peak)}" if self.peak is not None else "")


def run(tool: str, source: Source, sizes: Sizes) -> Run:
    """Measure a tool in a fresh interpreter."""
    arguments = (tool, source, sizes.repeats, sizes.longest)
    return Run(*fresh(f"import json; from benchmarks.fresh_run import fields; print(json.dumps(fields{arguments!r}))"))


def fields(tool: str, source: Source, repeats: int, longest: float) -> tuple[float, float | None, float, float]:
    """The fields of `Run`, after a small call that has loaded everything."""
    if tool == "tiekit":
        warm_up.warm_up()
    TOOLS[tool](*draw_vectors(50))
    seconds, peak, found = time_and_peak(partial(TOOLS[tool], *vectors(source)), repeats, longest)
    return astuple(Run(seconds, peak, *found))


def vectors(source: Source) -> tuple[Matrix, Matrix]:
    """The scores of all segments of all systems in one vector."""
    if isinstance(source, int):
        return draw_vectors(source)
    folder, name = source
    human, metrics = read_real(folder, name)
    return human.ravel(), metrics[name].ravel()


def tiekit(human: Matrix, metric: Matrix) -> tuple[float, float]:
    """Calibrate with this library; real scores hold near-ties, which stay as they are."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tk.NearTieWarning)
        found = tk.calibrate(human, metric)
    return found.epsilon, found.value


def in_plain_python(human: Matrix, metric: Matrix) -> tuple[float, float]:
    """Calibrate as the paper writes it."""
    return plain.calibrate([(human.tolist(), metric.tolist())])


TOOLS = {"tiekit": tiekit, "plain": in_plain_python, "one_sort": one_sort.calibrate}
