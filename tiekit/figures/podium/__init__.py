"""What stands on the podium? Six made-up translations with their errors, human scores, and two metrics."""

from __future__ import annotations

from typing import Any

from tiekit.figures.figure import Picture
from tiekit.figures.figures import FIGURES
from tiekit.figures.json_values import read_story

ERRORS = ("no error", "no error", "no error", "minor error", "minor error", "major error")
HUMAN = (0, 0, 0, -1, -1, -5)
"""What each of two raters gives: a point off for a minor error, five for a major one."""

METRICS = {"Coarse": (100, 100, 100, 75, 75, 75), "Fine": (94, 93, 92, 80, 78, 40)}
"""One metric with two levels, which ties much, and one that never gives two translations the same score."""

MOST = 20
"""The largest ε of the slider, in points of the metrics."""

ORIGIN = "Six made-up translations and two made-up metrics."


def figure_data(epsilon: int = 0) -> dict[str, Any]:
    """Return all that the podium is shown first."""
    metrics = [{"name": name, "scores": list(scores)} for name, scores in METRICS.items()]
    fixed = {"errors": list(ERRORS), "human": list(HUMAN), "metrics": metrics, "most": MOST}
    return {**read_story()["example"], **fixed, "epsilon": epsilon, "large": False}


def podium_page() -> str:
    """Return the text of a page that shows the podium."""
    return FIGURES["podium"].page(figure_data(), ORIGIN)


def picture(epsilon: int = 0) -> Picture:
    """Show six translations, and two metrics on a podium."""
    return Picture(FIGURES["podium"], figure_data(epsilon), ORIGIN)
