"""What is the figure of human ties given? The calibrated coefficient of some metrics at each share of human ties."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from tiekit.base.errors import InputError
from tiekit.core.registry import get_coefficient
from tiekit.figures.figures import FIGURES
from tiekit.figures.given import FIRST_SHARE, NOISE_ENDING
from tiekit.figures.stages import Shown


def figure_data(
    found: pd.DataFrame,
    kinds: Mapping[str, str],
    coefficient: str,
    own: float,
    chosen: str = "",
    share: float | None = None,
) -> dict[str, Any]:
    """Return what the browser is given.

    Parameters
    ----------
    found : DataFrame
        What `tiekit.sentinels.tie_shares` returned: ``metric``, ``share``, ``value``, ``epsilon``.
    kinds : mapping of str to str
        By metric "discrete", "sentinel" or "continuous". A sentinel has the name of its metric with `NOISE_ENDING`.
    coefficient : str
        The name of the coefficient.
    own : float
        The human's own share of ties, of what ``found.attrs["share_of"]`` says: of all pairs, or of the mean.
    chosen : str
        The metric that stands out, with its sentinel; if there is none of this name, the best discrete metric.
    share : float or None
        The share of human ties at which the metrics are ranked; None is `FIRST_SHARE`.
    """
    values = {name: dict(zip(rows["share"], rows["value"], strict=True)) for name, rows in found.groupby("metric")}
    shares = sorted({float(share) for share in found["share"]})
    discrete = [name for name, kind in kinds.items() if kind == "discrete" and name + NOISE_ENDING in kinds]
    if chosen not in kinds:
        nearest = min(shares, key=lambda one: abs(one - own))
        chosen = max(discrete or list(kinds), key=lambda name: np.nan_to_num(values[name][nearest], nan=-1.0))
    return {
        "label": get_coefficient(coefficient).label + "*",
        "shares": shares,
        "own": own,
        "share_of": found.attrs.get("share_of", "pairs"),
        "metrics": [
            {
                "name": name,
                "kind": kind,
                "of": name.removesuffix(NOISE_ENDING) if kind == "sentinel" else name,
                "values": [None if math.isnan(values[name][one]) else float(values[name][one]) for one in shares],
            }
            for name, kind in kinds.items()
        ],
        "chosen": chosen.removesuffix(NOISE_ENDING),
        "share": FIRST_SHARE if share is None else share,
    }


def picture(shares: pd.DataFrame, coefficient: str = "acc_eq") -> Shown:
    """Show metrics at each share of human ties, and the same metrics with noise."""
    if missing := {"metric", "share", "value", "own"} - set(getattr(shares, "columns", ())):
        raise InputError(f"shares: must be what tie_shares returned, without {', '.join(sorted(missing))}")
    own = shares.loc[shares["own"].astype(bool), "share"]
    if own.empty:
        raise InputError("shares: the human's own share must be one of them; leave out shares= of tie_shares")
    names = list(dict.fromkeys(map(str, shares["metric"])))
    ending = NOISE_ENDING
    kinds = {
        name: "sentinel"
        if name.endswith(ending) and name.removesuffix(ending) in names
        else "discrete"
        if name + ending in names
        else "continuous"
        for name in names
    }
    data = figure_data(shares, kinds, coefficient, float(own.iloc[0]))
    made = f"{data['label']} of {len(names)} metrics at {len(data['shares'])} shares of human ties."
    return Shown(FIGURES["tie_shares"], data, made)
