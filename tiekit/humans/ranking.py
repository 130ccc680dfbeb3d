"""Which rank has a human score among metrics? Agreement with another human score, on common cells, with intervals."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pandas as pd

from tiekit.arguments import Exclude, gold_of, metric_names
from tiekit.cells import cell_facts, count_cells, share_cells
from tiekit.correlation import correlate
from tiekit.counting.ties import count_ties
from tiekit.errors import InputError
from tiekit.evalset import EvalSet
from tiekit.progress import Progress, part_of, showing
from tiekit.ranking.contest import other_humans
from tiekit.result import Result
from tiekit.scores import FloatArray
from tiekit.signature import digest_of, signature
from tiekit.significance.intervals import bootstrap_interval


@dataclass(frozen=True, eq=False, repr=False)
class HumanRanking(Result):
    """Human scores and metrics, all judged by one human score on the same cells.

    Attributes
    ----------
    table : pandas.DataFrame
        One row per human score and metric, the best first: ``kind`` ("human" or "metric"), ``value``, ``low`` and
        ``high`` (NaN without resamples), ``epsilon``, ``ties`` (share of the compared pairs that the row's own scores
        tie) and ``rank``.
    human : str
        The human score that judges.
    coefficient, grouping : str
    human_ties : float
        Share of the compared pairs that the judging human score ties.
    n_systems, n_segments, n_cells : int
        How many all have scored.
    note : str
        Whose missing scores leave out which cells; empty where none are left out.
    resamples : int
    seed : str
    """

    _number: ClassVar[str | None] = None

    table: pd.DataFrame
    human: str
    coefficient: str
    grouping: str
    human_ties: float
    n_systems: int
    n_segments: int
    n_cells: int
    note: str
    resamples: int
    seed: str
    digest: str

    @property
    def cells(self) -> str:
        """Which cells are compared: those that all have scored."""
        return "common"

    @property
    def signature(self) -> str:
        """One line that makes the numbers reproducible."""
        return signature(
            human=self.human,
            coefficient=self.coefficient,
            grouping=self.grouping,
            **cell_facts(self),
            resamples=self.resamples,
            data=self.digest,
            seed=self.seed,
        )

    def _grid(self) -> pd.DataFrame:
        return self.table


def rank_humans(
    data: EvalSet,
    human: str | None = None,
    coefficient: str = "acc_eq*",
    *,
    humans: str | Iterable[str] | None = None,
    metrics: str | Iterable[str] | None = None,
    grouping: str | None = None,
    exclude: Exclude = None,
    confidence: float = 0.95,
    n_resamples: int = 999,
    rng: int | None = None,
    n_jobs: int | None = None,
    progress: Progress | bool | None = None,
) -> HumanRanking:
    """Judge human scores as if they were metrics, beside metrics, by another human score.

    All are compared on the cells that the judging score, every judged human score and every metric have. Nobody should
    have rated for both: see `split_raters`. A human score on a coarse scale ties many pairs and is at a disadvantage
    by acc_eq where the judging score ties few, as any discrete metric is (``tiekit.sentinels``); and agreement with
    one protocol does not say which of two protocols is right.

    Parameters
    ----------
    data : EvalSet
    human : str, optional
        The human score that judges; None is the gold score.
    coefficient, grouping
        As for `tiekit.correlate`.
    humans : str or iterable of str, optional
        The human scores that are judged; None is all others.
    metrics : str or iterable of str, optional
        Names of metrics; None is all, ``()`` none.
    exclude
        As for `tiekit.correlate`.
    confidence : float
    n_resamples : int
        Resamples of segments, or of documents by ``"document_means"``, for each interval; 0 makes no intervals.
    rng, n_jobs, progress
        As for `tiekit.significance.bootstrap_interval`; None is seed 0.

    Returns
    -------
    HumanRanking
        Values from -1 or 0 to 1, higher is better, as of `tiekit.correlate`; thresholds are found once.

    Raises
    ------
    InputError
        For unknown names, no other human score, no cell in common, and what `tiekit.correlate` refuses.

    References
    ----------
    Proietti et al. (2025), arXiv 2506.19571.

    Examples
    --------
    >>> human = {"mqm": [[-5, 0, -1], [0, -1, -1], [-1, -1, -5]], "da": [[40, 90, 80], [95, 70, 60], [80, 75, 20]]}
    >>> data = EvalSet("toy", "", ("A", "B", "C"), ("1", "2", "3"), human, {"BLEU": [[9, 9, 8], [9, 8, 7], [9, 9, 9]]},
    ...                gold="mqm")
    >>> rank_humans(data, coefficient="acc_eq", n_resamples=0).table[["kind", "value", "rank"]]
            kind     value  rank
    da     human  0.777778     1
    BLEU  metric  0.111111     2
    """
    chosen, gold = data.select(exclude=exclude), gold_of(data, human)
    judged = other_humans(data, gold, humans)
    named = metric_names(data, metrics)
    both = [name for name in judged if name in named]
    if both:
        raise InputError(f"humans: {both[0]!r} names a metric of the set too; leave it out of one of them")
    rows = {name: chosen.human[name] for name in judged} | {name: chosen.metrics[name] for name in named}
    same = share_cells(chosen.human[gold], rows, "common")
    common = same.used
    if not common.any():
        raise InputError(
            f"humans: no cell is scored by {gold}, {', '.join(judged)} and every metric; name fewer of them"
        )
    by_human = _on(common, chosen.human[gold])
    shared = {name: _on(common, scores) for name, scores in rows.items()}
    compared = replace(chosen, human={gold: by_human}, metrics=shared, raters={}, gold=gold)
    seed, found = 0 if rng is None else rng, {}
    with showing(progress, "resample") as told:
        for number, (name, scores) in enumerate(shared.items()):
            one = correlate(compared, name, coefficient, grouping=grouping, exclude=())
            row: dict[str, object] = {"kind": "human" if name in judged else "metric", "value": one.value}
            row |= {"low": float("nan"), "high": float("nan"), "epsilon": one.epsilon}
            if n_resamples:
                interval = bootstrap_interval(
                    compared,
                    name,
                    coefficient,
                    grouping=grouping,
                    resample="documents" if one.grouping == "document_means" else "segments",
                    confidence=confidence,
                    n_resamples=n_resamples,
                    rng=seed,
                    exclude=(),
                    n_jobs=n_jobs,
                    progress=part_of(told, number, len(rows)),
                )
                row |= {"low": interval.low, "high": interval.high}
            found[name] = row | {"ties": _ties(scores, one.grouping)}
            if told is not None:
                told((number + 1) / len(rows))
    table = pd.DataFrame.from_dict(found, orient="index")
    table["rank"] = table["value"].round(12).rank(ascending=False, method="min").astype("Int64")
    return HumanRanking(
        table=table.sort_values("value", ascending=False, kind="stable"),
        human=gold,
        coefficient=one.coefficient,
        grouping=one.grouping,
        human_ties=_ties(by_human, one.grouping),
        **count_cells(common),
        note="; ".join(same.notes(chosen.systems)),
        resamples=n_resamples,
        seed=str(seed) if n_resamples else "none",
        digest=digest_of(by_human, *shared.values()),
    )


def _on(common: np.ndarray, scores: FloatArray) -> FloatArray:
    """Scores of the common cells alone."""
    return np.where(common, scores, np.nan)


def _ties(scores: FloatArray, grouping: str) -> float:
    """Share of the compared pairs that scores tie by themselves; of documents' pairs it is not counted."""
    return float("nan") if grouping.startswith("document") else count_ties(scores, grouping=grouping).share
