"""What does the figure of few ties show? Ranks of some metrics at each share of human ties, and published shares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from tiekit.figures.json_values import NOISE_ENDING, data_of_shares, values_of
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
    set_name: str = "",
) -> dict[str, Any]:
    """Return what the figure shows of the metrics and sentinels ``shown``; see `data_of_shares`.

    Ranks are among all metrics of ``found``. A sentinel has the rank that it would have in its metric's place.
    ``set_name`` is how the set is called beside its own share.
    """
    kinds = {name: kinds[name] for name in shown}
    discrete = [name for name, kind in kinds.items() if kind == "discrete"]
    data = data_of_shares(found, kinds, discrete, coefficient, own, chosen, share)
    ranks, sets = ranks_of(values_of(found)), published_tie_shares()
    published = (ranks.columns >= sets["share"].min()) & (ranks.columns <= sets["share"].max())
    reachable = ranks.loc[:, published | (ranks.columns == own)]
    for metric in data["metrics"]:
        of_metric, all_ranks = reachable.loc[metric["name"]], ranks.loc[metric["name"]].tolist()
        metric["ranks"] = [_whole(rank) for rank in all_ranks]
        metric["best"], metric["worst"] = _whole(of_metric.min()), _whole(of_metric.max())
    columns = sets[["testset", "language_pair", "protocol", "share"]].to_numpy()
    return {
        **data,
        "set": set_name,
        "total": sum(not name.endswith(NOISE_ENDING) for name in ranks.index),
        "sets": [
            {"name": f"{testset.upper()} {pair}", "protocol": protocol, "share": one}
            for testset, pair, protocol, one in columns
        ],
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


def _whole(rank: float) -> int | None:
    return None if rank != rank else int(rank)
