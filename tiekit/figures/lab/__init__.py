"""What is the lab shown? Scores, and how each coefficient and each kind of pairs is called and counted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from numpy.typing import ArrayLike

from tiekit.base.errors import InputError
from tiekit.base.validation import check_pair
from tiekit.core.registry import COEFFICIENTS
from tiekit.figures.figures import FIGURES, MOST_METRICS, MOST_SCORES
from tiekit.figures.json_values import check_shown, check_span, coefficient_of, kinds, line, origin_of_scores

Metrics = Mapping[str, ArrayLike] | Sequence[ArrayLike]
"""Scores by the metric's name, or without names, which are then m1, m2 …"""


def vectors(human: ArrayLike, metrics: Metrics) -> tuple[list[float], dict[str, list[float]]]:
    """Check human scores and those of named metrics: vectors of one length, of a size and range that can be shown."""
    if not isinstance(metrics, Mapping):
        metrics = {f"m{number}": scores for number, scores in enumerate(metrics, 1)}
    if not 1 <= len(metrics) <= MOST_METRICS:
        raise InputError(f"metrics: must be 1 to {MOST_METRICS}, found {len(metrics)}")
    checked: dict[str, list[float]] = {}
    for name, scores in metrics.items():
        if not isinstance(name, str) or not name.strip():
            raise InputError(f"metrics: every name must be a text that is not empty, found {name!r}")
        h, m = check_pair(human, scores, f"metrics[{name!r}]")
        if h.ndim != 1:
            raise InputError(f"human: must be a vector, found shape {h.shape}")
        check_span(f"metrics[{name!r}]", m.tolist())
        checked[name] = m.tolist()
    check_span("human", h.tolist())
    if h.size > MOST_SCORES:
        raise InputError(f"human: must have at most {MOST_SCORES} scores to be dragged, found {h.size}")
    return h.tolist(), checked


def metrics_in_slots(metrics: Mapping[str, Sequence[float]], slots: Mapping[str, int] | None = None) -> list[Any]:
    """Return what the browser is given of metrics; changes name them by the number of their line, from 1."""
    slots = slots or {name: number for number, name in enumerate(metrics, 1)}
    return [{"name": name, "slot": slots[name], "scores": line(scores)} for name, scores in metrics.items()]


def metric_of_epsilon(metrics: Iterable[str]) -> str:
    """Return whose ε is moved where nobody has chosen a metric: the second's, or the only one's."""
    return list(metrics)[:2][-1]


def epsilons(metrics: Iterable[str], epsilon: float, chosen: str) -> dict[str, float]:
    """Return the threshold of each metric: calibration has one for each, so ε is the chosen metric's, the others' 0."""
    return {name: epsilon if name == chosen else 0.0 for name in metrics}


def figure_data(
    human: Sequence[float],
    metrics: Mapping[str, Sequence[float]],
    epsilon: float = 0.0,
    epsilon_of: str = "",
    *,
    slots: Mapping[str, int] | None = None,
    pair: list[int] | None = None,
    step: int | None = None,
) -> dict[str, Any]:
    """Return what the lab is shown of scores, which ``vectors`` has checked; ``slots`` numbers the metrics."""
    return {
        **style_of_lab(),
        "human": line(human),
        "metrics": metrics_in_slots(metrics, slots),
        "epsilon": epsilon,
        "epsilon_of": epsilon_of or metric_of_epsilon(metrics),
        "pair": pair,
        "step": step,
    }


def lab_page(human: ArrayLike, metrics: Metrics, epsilon: float = 0.0) -> str:
    """Return the text of a page that shows the lab; see `tiekit.figures.TieLab` for the parameters and errors."""
    h, checked = vectors(human, metrics)
    return FIGURES["lab"].page(figure_data(h, checked, check_shown(epsilon)), origin_of_scores(h, checked))


def style_of_lab() -> dict[str, Any]:
    """Return what no scores change: coefficients and kinds of pairs."""
    coefficients = [coefficient_of(entry) for entry in COEFFICIENTS.values()]
    return {"coefficients": coefficients, "style": {"kinds": kinds()}, "large": False}
