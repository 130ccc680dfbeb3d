"""What do two figures, `tie_shares` and `few_ties`, show of metrics at shares of human ties?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from tiekit.core.registry import get_coefficient
from tiekit.figures.json_values import display_names, line

NOISE_ENDING = " + noise"
"""What follows a metric's name in the name of its sentinel."""

FIRST_SHARE = 0.08
"""The share of human ties that is shown first."""


def values_of(found: pd.DataFrame) -> pd.DataFrame:
    """Return what `tiekit.sentinels.tie_shares` found as metric × share."""
    return pd.DataFrame({share: rows.set_index("metric")["value"] for share, rows in found.groupby("share")})


def data_of_shares(
    found: pd.DataFrame,
    kinds: Mapping[str, str],
    preferred: Iterable[str],
    coefficient: str,
    own: float,
    chosen: str,
    share: float | None,
) -> dict[str, Any]:
    """Return what both figures show.

    ``kinds`` are "discrete", "sentinel" or "continuous" by the name of each shown metric; a sentinel has the name of
    its metric with `NOISE_ENDING`. ``own`` is the human's own share of ties, of what ``found.attrs["share_of"]`` says:
    of all pairs, or of the mean. The metric ``chosen`` stands out; if it is not shown, of the ``preferred`` ones the
    best at the human's own share, or the best of all. The ``share`` at which metrics are ranked is first 8 %.
    """
    values = values_of(found)
    rows: dict[str, list[float]] = values.T.to_dict("list")  # type: ignore[assignment]
    if chosen not in kinds:
        at = int(np.abs(values.columns.to_numpy(float) - own).argmin())
        chosen = str(values.loc[[*preferred] or [*kinds]].iloc[:, at].fillna(-2.0).idxmax())
    labels = display_names({name.removesuffix(NOISE_ENDING) for name in kinds})
    return {
        "label": get_coefficient(coefficient).label + "*",
        "shares": [float(one) for one in values.columns],
        "own": own,
        "share_of": found.attrs.get("share_of", "pairs"),
        "metrics": [
            {
                "name": name,
                "short": labels[name.removesuffix(NOISE_ENDING)] + NOISE_ENDING * name.endswith(NOISE_ENDING),
                "kind": kind,
                "of": name.removesuffix(NOISE_ENDING) if kind == "sentinel" else name,
                "values": line(rows[name]),
            }
            for name, kind in kinds.items()
        ],
        "chosen": chosen.removesuffix(NOISE_ENDING),
        "share": FIRST_SHARE if share is None else share,
    }
