"""What does the figure of human ties show? The calibrated coefficient of some metrics at each share of human ties."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from tiekit.base.errors import InputError
from tiekit.figures.figure import Picture
from tiekit.figures.figures import FIGURES
from tiekit.figures.json_values import NOISE_ENDING, data_of_shares


def figure_data(
    found: pd.DataFrame,
    kinds: Mapping[str, str],
    coefficient: str,
    own: float,
    chosen: str = "",
    share: float | None = None,
) -> dict[str, Any]:
    """Return what the figure shows; see `data_of_shares`. At first a discrete metric with a sentinel stands out."""
    discrete = [name for name, kind in kinds.items() if kind == "discrete" and name + NOISE_ENDING in kinds]
    return data_of_shares(found, kinds, discrete, coefficient, own, chosen, share)


def picture(shares: pd.DataFrame, coefficient: str = "acc_eq") -> Picture:
    """Show metrics at each share of human ties, and the same metrics with noise."""
    if missing := {"metric", "share", "value", "own"} - set(getattr(shares, "columns", ())):
        raise InputError(f"shares: must be what tie_shares returned, without {', '.join(sorted(missing))}")
    own = shares.loc[shares["own"].astype(bool), "share"]
    if own.empty:
        raise InputError("shares: the human's own share must be one of them; leave out shares= of tie_shares")
    names = dict.fromkeys(map(str, shares["metric"]))
    noisy = {name for name in names if name + NOISE_ENDING in names}
    kinds = {
        name: "sentinel"
        if name.removesuffix(NOISE_ENDING) != name and name.removesuffix(NOISE_ENDING) in names
        else "discrete"
        if name in noisy
        else "continuous"
        for name in names
    }
    data = figure_data(shares, kinds, coefficient, float(own.iloc[0]))
    origin = f"{data['label']} of {len(names)} metrics at {len(data['shares'])} shares of human ties."
    return Picture(FIGURES["tie_shares"], data, origin)
