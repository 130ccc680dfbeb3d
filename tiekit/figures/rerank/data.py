"""What is the rerank figure shown? Judges' ranks of one segment's translations, and a metric's scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tiekit.core.coefficients import Coefficient
from tiekit.figures.given import line


def given(
    names: Sequence[str], judges: Sequence[tuple[str, Sequence[float]]], metric: Sequence[float], entry: Coefficient
) -> dict[str, Any]:
    """Return all that the figure is shown, as JSON takes it: up to six translations, as all their orders are tried."""
    return {
        "names": [*names],
        "judges": [{"name": name, "ranks": line(ranks)} for name, ranks in judges],
        "metric": [*metric],
        "coefficient": {"name": entry.name, "label": entry.label, "low": entry.range[0]},
    }
