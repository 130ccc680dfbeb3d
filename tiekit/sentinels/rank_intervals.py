"""Which ranks does a metric have if the human ties as many pairs as in published test sets?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from tiekit.arguments import Exclude, Human, read_documents, read_shared
from tiekit.calibration.keep import own_share, reachable
from tiekit.counting.grouping import resolve_grouping
from tiekit.counting.ties import count_ties
from tiekit.errors import InputError, collect_warnings
from tiekit.progress import Progress
from tiekit.ranking.board import RANK_DIGITS
from tiekit.readers.facts import data_file
from tiekit.sentinels.shares import tie_shares


def published_tie_shares() -> pd.DataFrame:
    """Return how many pairs people tie in published test sets, grouped by item.

    Returns
    -------
    pandas.DataFrame
        One row per test set and language pair, the smallest share first: ``testset``, ``language_pair``, ``protocol``
        ("ESA" or "MQM"), ``share`` of the pairs that the human score ties, and ``source``.

    Examples
    --------
    >>> published_tie_shares().groupby("protocol")["share"].agg(["min", "max"])
                min    max
    protocol
    ESA       0.067  0.102
    MQM       0.231  0.530
    """
    found = pd.read_csv(data_file("papers/human_tie_shares.csv"), dtype={"share": np.float64})
    return found.sort_values("share", ignore_index=True)


def rank_intervals(
    data: Human = None,
    metrics: Mapping[str, ArrayLike] | str | Iterable[str] | None = None,
    coefficient: str = "acc_eq",
    *,
    grouping: str | None = None,
    shares: Sequence[float] | None = None,
    share_of: str = "pairs",
    calibrated: bool = True,
    documents: Sequence[str] | None = None,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
    cells: str | None = None,
    progress: Progress | bool | None = None,
) -> pd.DataFrame:
    """Find the best and the worst rank of each metric over shares of human ties, to report them beside its rank.

    A rank whose interval is wide depends on how the human score was collected: MQM ties many pairs, ESA few.

    Parameters
    ----------
    data, metrics, coefficient, grouping, documents, human, exclude, cells, progress
        As for `tie_shares`.
    shares : sequence of float, optional
        Shares of human ties, from 0 to 1. None: those of `published_tie_shares`, which are shares of all pairs; of
        the mean, those of them that can be reached. The human's own share is added.
    share_of : {"pairs", "mean"}
        Of what they are shares, as for `tie_shares`: of the pairs of all groups together, or of the mean over groups.
    calibrated : bool
        Whether metrics are ranked at the epsilon that is best at each share, or without calibration.

    Returns
    -------
    pandas.DataFrame
        One row per metric, the best at the human's own share first: its ``rank`` there (1 is best), the ``best`` and
        the ``worst`` rank over all shares, ``best_at`` and ``worst_at``, the lowest shares at which it has these, and
        its ``lowest`` and ``highest`` value. Equal values share the best rank. At a share where a metric has no value
        (it scored only pairs that the human ties, and none of them is kept) it has no rank: the others are ranked
        without it, and its best and worst are over the other shares. Without a value at any share, ranks are missing.
        ``attrs["own"]`` is the human's own share, ``attrs["own_in_mean"]`` the weight of its ties in the mean over
        groups; that at other shares is a column of `tie_shares`.

    Raises
    ------
    InputError
        What `tie_shares` refuses; where the human ties no pair, only the share 0 can be reached.

    Warns
    -----
    As `calibrate`, once for all metrics.

    References
    ----------
    After Perrella et al. (2024), sections 4.4 and 4.5, doi:10.18653/v1/2024.acl-long.856.

    Examples
    --------
    >>> human = [[2, 1, 1], [2, 2, 2], [1, 1, 2]]
    >>> metrics = {"coarse": [[2, 1, 1], [2, 2, 2], [2, 1, 1]], "fine": [[1, 6, 4], [8, 5, 9], [3, 2, 7]]}
    >>> rank_intervals(human, metrics, shares=[0.05, 0.5])[["rank", "best", "worst", "worst_at"]]
            rank  best  worst  worst_at
    metric
    coarse     1     1      2      0.05
    fine       1     1      2      0.50
    """
    if not isinstance(calibrated, bool | np.bool_):
        raise InputError(f"calibrated: must be True or False, found {calibrated!r}")
    with collect_warnings():  # `tie_shares` gives them
        gold, _ = read_shared(data, metrics, human, exclude, cells, [resolve_grouping(grouping, 2, documents=True)])
    named = read_documents(data, documents, human)
    ties = count_ties(gold, grouping=grouping, documents=named)
    own = own_share(ties, share_of)
    asked = reachable(ties, published_tie_shares()["share"], share_of) if shares is None else list(shares)
    wanted = [*asked, *([own] if own not in asked else [])]
    found = tie_shares(
        data,
        metrics,
        coefficient,
        grouping=grouping,
        shares=wanted,
        share_of=share_of,
        documents=documents,
        human=human,
        exclude=exclude,
        cells=cells,
        progress=progress,
    )
    made = intervals_of(found, own, "value" if calibrated else "value_at_zero")
    made.attrs["own_in_mean"] = ties.in_mean()
    return made


def intervals_of(found: pd.DataFrame, own: float, column: str = "value") -> pd.DataFrame:
    """Rank the metrics at each share of what `tie_shares` returned; what `rank_intervals` returns."""
    values = pd.DataFrame({share: rows.set_index("metric")[column] for share, rows in found.groupby("share")})
    ranks = values.round(RANK_DIGITS).rank(ascending=False, method="min").astype("Int64")
    made = pd.DataFrame(
        {
            "rank": ranks[own],
            "best": ranks.min(axis=1),
            "worst": ranks.max(axis=1),
            "best_at": _first_at(ranks, ranks.min(axis=1)),
            "worst_at": _first_at(ranks, ranks.max(axis=1)),
            "lowest": values.min(axis=1),
            "highest": values.max(axis=1),
        }
    )
    made = made.loc[list(dict.fromkeys(found["metric"]))].rename_axis("metric")
    made = made.sort_values("rank", kind="stable", na_position="last")
    made.attrs["own"] = own
    return made


def _first_at(ranks: pd.DataFrame, wanted: pd.Series) -> pd.Series:
    """The lowest share at which a metric has a rank; NaN where it has none."""
    places = {
        name: [share for share, rank in ranks.loc[name].items() if pd.notna(rank) and rank == wanted[name]]
        for name in ranks.index
    }
    return pd.Series({name: min(shares, default=float("nan")) for name, shares in places.items()}, dtype=np.float64)
