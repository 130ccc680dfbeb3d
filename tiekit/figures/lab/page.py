"""How does the lab become a page of its own? Without a notebook and its packages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from numpy.typing import ArrayLike

from tiekit.figures.figures import FIGURES
from tiekit.figures.given import check_shown, line, made
from tiekit.figures.lab import data

LAB = FIGURES["lab"]
KEYS = ("human", "metrics", "epsilon", "epsilon_of", "pair", "step")
"""What moves; the address of a page and the traits of a widget hold it."""

TITLE = "How ties decide: drag a score or the threshold ε"


def lab_page(human: ArrayLike, metrics: data.Metrics, epsilon: float = 0.0) -> str:
    """Return the text of a page that shows the lab; see `tiekit.figures.TieLab` for the parameters and errors."""
    checked_human, checked = data.vectors(human, metrics)
    first = given(checked_human, checked, check_shown(epsilon))
    return LAB.as_page(first, KEYS, TITLE, made(checked_human, checked))


def given(human: Sequence[float], metrics: Mapping[str, Sequence[float]], epsilon: float) -> dict[str, object]:
    """Return all that the lab is shown first."""
    moving = {"human": line(human), "metrics": data.metrics_in_slots(metrics), "epsilon": epsilon}
    return {**data.fixed(), **moving, "epsilon_of": data.metric_of_epsilon(metrics), "pair": None, "step": None}
