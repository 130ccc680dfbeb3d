"""What is the rerank figure shown? Judges' ranks of one segment's translations, and a metric's scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tiekit.base.errors import InputError
from tiekit.base.validation import as_scores, digest_of
from tiekit.core.coefficients import Coefficient
from tiekit.core.registry import get_coefficient
from tiekit.figures.figure import Picture, Scope
from tiekit.figures.figures import FIGURES
from tiekit.figures.json_values import check_names, line
from tiekit.judgments.caps import CAPPED

MOST_RANKED = 6
"""Maximum number of translations of which all orders can be tried while a hand moves."""


def figure_data(
    names: Sequence[str], judges: Sequence[tuple[str, Sequence[float]]], metric: Sequence[float], entry: Coefficient
) -> dict[str, Any]:
    """Return all that the figure is shown, as JSON takes it: up to six translations, as all their orders are tried."""
    return {
        "names": [*names],
        "judges": [{"name": name, "ranks": line(ranks)} for name, ranks in judges],
        "metric": [*metric],
        "coefficient": {"name": entry.name, "label": entry.label, "low": entry.range[0]},
    }


def picture(
    judges: Mapping[str, Sequence[float]],
    metric: Sequence[float],
    coefficient: str = "tau_14",
    names: Sequence[str] = (),
) -> Picture:
    """Show translations to rank, the majorities of judges, who may contradict each other, and the cap."""
    if not isinstance(judges, Mapping):
        told = "must be an EvalSet, or ranks by the judge's name, such as {'ann': [1, 3, 2]}"
        raise InputError(f"judges: {told}; found {type(judges).__name__}")
    scores = as_scores("metric", metric).ravel().tolist()
    lines = [(str(name), as_scores(f"judges[{name!r}]", ranks).ravel().tolist()) for name, ranks in judges.items()]
    n = len(scores)
    if not 2 <= n <= MOST_RANKED:
        raise InputError(f"metric: must score 2 to {MOST_RANKED} translations, found {n}")
    ranked = {name: len(ranks) for name, ranks in lines}
    if set(ranked.values()) != {n}:
        raise InputError(f"judges: each must rank the {n} translations that metric scores, found {ranked}")
    entry = get_coefficient(coefficient)
    if entry.name not in CAPPED:
        raise InputError(f"coefficient: must be one of {', '.join(CAPPED)}, found {coefficient!r}")
    letters = [*names] or [*"ABCDEF"[:n]]
    check_names((n,), names=letters)
    data = figure_data(letters, lines, scores, entry)
    made = f"Ranks of {', '.join(letters)} by {len(lines)} judge{'s' * (len(lines) > 1)}."
    source = "data:" + digest_of(np.array(data["metric"]), *(np.array(ranks) for _, ranks in lines))
    return Picture(FIGURES["rerank"], data, made, Scope(source=source))
