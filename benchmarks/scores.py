"""Which scores? Drawn as the bundled set's are, or real ones."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import tiekit as tk
from data import make_synthetic as synthetic

N_SYSTEMS = len(synthetic.SYSTEMS)
METRIC_X = "metricx_xxl_MQM_2020-refA"
Matrix = NDArray[np.float64]


def draw(n_segments: int, ease: float, seed: int = 1) -> tuple[Matrix, Matrix]:
    """MQM-like scores and a continuous metric (Contour), drawn as the bundled set's; easier means more human ties."""
    rng = np.random.default_rng(seed)
    shortest, mean = synthetic.DOMAINS["news"]
    lengths = shortest + rng.poisson(mean, n_segments)
    difficulty = 1.8 * np.log(lengths / 9) + rng.normal(0, 1.5, n_segments) - ease
    human = synthetic.score_mqm(*synthetic.make_errors(rng, difficulty))
    seen = synthetic.see(rng, "Contour", np.sqrt(-human), difficulty, 1.0)
    return human[:N_SYSTEMS], 1 / (1 + np.exp(seen[:N_SYSTEMS] - 2.4))


def draw_vectors(n: int) -> tuple[Matrix, Matrix]:
    """Vectors of which the human ties half of all pairs."""
    human, metric = draw(math.ceil(n / N_SYSTEMS), 2.85)
    return human.ravel()[:n], metric.ravel()[:n]


def draw_matrix(n_segments: int) -> tuple[Matrix, Matrix]:
    """Matrices of which the human ties half of the pairs within a segment."""
    return draw(n_segments, 2.4)


def read_real(folder: Path | str, metrics: str | None = None) -> tuple[Matrix, dict[str, Matrix]]:
    """The real zh-en scores of one metric or all, systems that are rated."""
    evalset = tk.read_mtme(folder, "wmt22", "zh-en", human="mqm", metrics=metrics).select()
    rated = ~np.isnan(evalset.human["mqm"]).all(axis=1)
    return evalset.human["mqm"][rated], {name: scores[rated] for name, scores in evalset.metrics.items()}


def read_metric_x(folder: Path | str) -> tuple[Matrix, Matrix]:
    """The real zh-en scores of Metric-X."""
    human, metrics = read_real(folder, METRIC_X)
    return human, metrics[METRIC_X]
