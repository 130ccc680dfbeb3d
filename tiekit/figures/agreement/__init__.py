"""What does the figure of measures show? Values of metrics by measures, and how alike these rank."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from tiekit.base.errors import InputError
from tiekit.base.validation import SHOWN, digest_of
from tiekit.core.registry import COEFFICIENTS
from tiekit.core.system_level import measure_label
from tiekit.figures.figure import Picture
from tiekit.figures.figures import FIGURES
from tiekit.measures.evaluate import agreement_of

SHORT = {"global": "ungrouped", "system_means": "means"}
"""What groupings are called in a narrow column, where not by their names."""


def figure_data(values: pd.DataFrame, agreement: pd.DataFrame, labels: Mapping[str, str]) -> dict[str, Any]:
    """Return what the figure shows, measures that rank alike beside each other.

    ``values`` are what `tiekit.measures.evaluate_measures` returns, ``agreement`` what `measure_agreement` returns of
    at least two measures, ``labels`` their printed names.
    """
    order = in_order(agreement)
    square = agreement.loc[order, order]
    return {
        "measures": [
            {
                "name": name,
                "label": labels[name],
                "short": _short(name, labels[name]),
                "values": _plain(values[name]),
            }
            for name in order
        ],
        "metrics": [str(name) for name in values.index],
        "agreement": [_plain(row) for row in square.to_numpy(float)],
        "chosen": least_alike(square),
    }


def in_order(agreement: pd.DataFrame) -> list[str]:
    """Return the measures so that those that rank alike are neighbors: by their first principal coordinate."""
    apart = 1 - np.nan_to_num(agreement.to_numpy(float), nan=0.0)
    center = np.eye(len(apart)) - 1 / len(apart)
    _, vectors = np.linalg.eigh(-center @ (apart**2) @ center / 2)
    first = vectors[:, -1] * (1 if vectors[0, -1] <= 0 else -1)  # of the two directions, always the same one
    return [str(agreement.index[at]) for at in np.argsort(np.round(first, 9), kind="stable")]


def least_alike(agreement: pd.DataFrame) -> list[str]:
    """Return the two measures that agree least."""
    square = agreement.to_numpy(float)
    pairs = dict(zip(combinations(agreement.index, 2), square[np.triu_indices(len(square), 1)].tolist(), strict=True))
    defined = {pair: value for pair, value in pairs.items() if value == value}
    return [str(name) for name in (min(defined, key=lambda pair: defined[pair]) if defined else next(iter(pairs)))]


def _short(name: str, label: str) -> str:
    """A measure's name in a narrow column."""
    grouping = name.split("/", maxsplit=1)[0]
    words = SHORT.get(grouping, grouping.replace("_", " "))
    return f"{words} {label.rpartition(', ')[2].removeprefix('Pearson ').removeprefix('Spearman ')}"


def _plain(values: Any) -> list[float | None]:
    """Numbers as JSON takes them."""
    return [None if value != value else round(float(value), 12) for value in np.asarray(values, float)]


def picture(values: pd.DataFrame) -> Picture:
    """Show which measures rank metrics alike, by τ_b, and the rankings of two of them."""
    if not isinstance(values, pd.DataFrame) or min(values.shape) < 2:
        raise InputError("values: must be what evaluate_measures returned, with two metrics and two measures or more")
    names = [str(name) for name in values.columns]
    alike = agreement_of(values.to_numpy(float).T, COEFFICIENTS["tau_b"])
    square = pd.DataFrame(alike, index=names, columns=names)
    data = figure_data(values, square, {name: measure_label(name) for name in names})
    # Computed values: their last digits depend on the processor.
    digest = digest_of(values.to_numpy(float).round(9))
    made = f"{len(values)} metrics by {len(names)} measures, digest {digest[:SHOWN]}."
    return Picture(FIGURES["agreement"], data, made)
