"""What is the figure of few ties given? Ranks of some metrics at each share of human ties, and published shares."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from tiekit.core.registry import get_coefficient
from tiekit.figures.given import FIRST_SHARE, NOISE_ENDING
from tiekit.sentinels import published_tie_shares

SAME = 1e-12
"""Values closer than this share a rank."""


def figure_data(
    found: pd.DataFrame,
    shown: Iterable[str],
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
        What `tiekit.sentinels.tie_shares` returned of all metrics and of sentinels: ``metric``, ``share``, ``value``. A
        sentinel has the name of its metric with `NOISE_ENDING`, and the rank that it would have in its metric's place.
    shown : iterable of str
        The metrics and sentinels that have a row.
    kinds : mapping of str to str
        By metric "discrete", "sentinel" or "continuous".
    coefficient : str
        The name of the coefficient.
    own : float
        The human's own share of ties, of what ``found.attrs["share_of"]`` says: of all pairs, or of the mean.
    chosen : str
        The metric that stands out; if it has no row, the best discrete one of the set's own share, or the best one.
    share : float or None
        The share of human ties that is shown; None is `FIRST_SHARE`.
    """
    values = pd.DataFrame({one: rows.set_index("metric")["value"] for one, rows in found.groupby("share")})
    ranks, sets = ranks_of(values), published_tie_shares()
    published = (ranks.columns >= sets["share"].min()) & (ranks.columns <= sets["share"].max())
    kept = ranks.loc[:, published | (ranks.columns == own)]
    best, worst = (dict(zip(kept.index, ends.tolist(), strict=True)) for ends in (kept.min(axis=1), kept.max(axis=1)))
    names = list(shown)
    discrete = [name for name in names if kinds[name] == "discrete"]
    if chosen not in names:
        chosen = max(discrete or names, key=lambda name: np.nan_to_num(values[own][name], nan=-2.0))
    return {
        "label": get_coefficient(coefficient).label + "*",
        "shares": [float(one) for one in values.columns],
        "own": own,
        "share_of": found.attrs.get("share_of", "pairs"),
        "total": sum(not name.endswith(NOISE_ENDING) for name in values.index),
        "sets": [
            {"name": f"{testset.upper()} {pair}", "protocol": protocol, "share": share}
            for testset, pair, protocol, share in sets[["testset", "language_pair", "protocol", "share"]].to_numpy()
        ],
        "metrics": [
            {
                "name": name,
                "kind": kinds[name],
                "of": name.removesuffix(NOISE_ENDING) if kinds[name] == "sentinel" else name,
                "values": [None if math.isnan(value) else value for value in _row(values, name)],
                "ranks": [_whole(rank) for rank in _row(ranks, name)],
                "best": _whole(best[name]),
                "worst": _whole(worst[name]),
            }
            for name in names
        ],
        "chosen": chosen.removesuffix(NOISE_ENDING),
        "share": FIRST_SHARE if share is None else share,
    }


def ranks_of(values: pd.DataFrame) -> pd.DataFrame:
    """Rank every metric among all metrics, share by share, and a sentinel in the place of its own metric."""
    metrics = [name for name in values.index if not name.endswith(NOISE_ENDING)]
    ranks = pd.DataFrame(np.nan, index=values.index, columns=values.columns)
    for name in values.index:
        rivals = values.loc[[other for other in metrics if other != name.removesuffix(NOISE_ENDING)]]
        higher = (rivals > values.loc[name] + SAME).sum()
        ranks.loc[name] = (1 + higher).where(values.loc[name].notna())
    return ranks


def _row(frame: pd.DataFrame, name: str) -> list[float]:
    """The numbers of a metric, share by share."""
    return [float(value) for value in frame.loc[name].to_numpy(np.float64)]


def _whole(rank: float) -> int | None:
    return None if math.isnan(rank) else int(rank)
