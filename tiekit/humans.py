"""How well does one human score agree with another, beside metrics?

`rank_humans` judges every other human score of a set as if it were a metric, on the cells that all have scored, with
intervals; ``tiekit.leaderboard(..., humans=...)`` gives their rows all columns of a leaderboard. `split_raters` divides
the raters of one human score into two groups that share nobody, so that a human score is judged by others' scores:
``read(..., by_rater=True)`` keeps each rater's scores of raw MQM ratings, human scores of WMT24 and WMT25, and exports
of Appraise and Pearmut. `alt_test` asks whether a judge could stand in for one of the raters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tiekit.api import correlate, count_ties
from tiekit.base.errors import InputError
from tiekit.base.names import as_names, find_name
from tiekit.base.parallel import Progress, part_of, showing, with_progress
from tiekit.base.results import RANK_DIGITS, Explored, Result, best_first
from tiekit.base.validation import FloatArray, as_generator, check_count, check_probability, digest_of
from tiekit.ranking.engine import other_humans, with_humans
from tiekit.sets.arguments import Exclude, gold_of, metric_names, with_names
from tiekit.sets.cells import cell_facts, count_cells, metric_facts, share_cells
from tiekit.sets.evalset import EvalSet
from tiekit.significance.clusters import correct_pvalues
from tiekit.significance.intervals import bootstrap_interval
from tiekit.significance.schemes import check_kind

__all__ = ["AltTest", "HumanRanking", "alt_test", "rank_humans", "raters_of", "split_raters", "with_humans"]

MOST_LISTED = 12
"""Up to so many raters every division is tried; with more, a search starts from several random ones."""

STARTS = 25
"""From so many random divisions the search starts."""


def raters_of(data: EvalSet, human: str | None = None) -> tuple[str, ...]:
    """List the human scores of single raters, which are named ``SCORE-RATER``.

    Parameters
    ----------
    data : EvalSet
        Read with ``by_rater=True``, or with human scores that are named so.
    human : str, optional
        The human score whose raters are meant; None is the gold score.

    Returns
    -------
    tuple of str
        Names of human scores of the set, such as ``mqm-rater1``.

    Raises
    ------
    InputError
        For an unknown score, or one that has no raters in the set.

    Examples
    --------
    >>> data = EvalSet("toy", "", ("A",), ("1",), {"mqm": [[-2.5]], "mqm-r1": [[-5]], "mqm-r2": [[0]]}, {}, gold="mqm")
    >>> raters_of(data)
    ('mqm-r1', 'mqm-r2')
    """
    name = gold_of(data, human)
    found = tuple(one for one in data.human if one.startswith(f"{name}-"))
    if not found:
        advice = "read the file with by_rater=True, or name the scores of raters so"
        raise InputError(f"human: the set has no scores of single raters, named '{name}-…'; {advice}")
    return found


def split_raters(
    data: EvalSet,
    human: str | None = None,
    *,
    raters: str | Iterable[str] | None = None,
    rng: np.random.Generator | int | None = None,
) -> EvalSet:
    """Divide the raters of a human score into two groups that share nobody, and average each group's scores.

    Parameters
    ----------
    data : EvalSet
        With the scores of single raters, see `raters_of`.
    human : str, optional
        The human score whose raters are divided; None is the gold score.
    raters : str or iterable of str, optional
        The raters whose mean becomes the gold score; all others are judged. None: the division with the most cells
        that both groups have rated: of all of them for up to 12 raters, otherwise the best one that a search finds.
    rng : numpy Generator or int, optional
        Random-number generator or seed of the search; None is seed 0.

    Returns
    -------
    EvalSet
        Two human scores, ``NAME-gold`` (the set's gold score) and ``NAME-other``: means over the raters of a group who
        rated the cell, NaN where none of them did. Metrics stay. `EvalSet.raters` holds the numbers of raters; the
        last notes say who is in which group and how many cells both have rated.

    Raises
    ------
    InputError
        For fewer than two raters, unknown names, or no rater left to be judged.

    References
    ----------
    Proietti et al. (2025), arXiv 2506.19571: the annotators of two evaluators must be disjoint.

    Examples
    --------
    >>> scores = {"mqm": [[-2, 0, -1]], "mqm-r1": [[-4, 0, None]], "mqm-r2": [[0, None, -1]], "mqm-r3": [[-2, 0, None]]}
    >>> data = EvalSet("toy", "", ("A",), ("1", "2", "3"), {k: np.array(v, float) for k, v in scores.items()}, {},
    ...                gold="mqm")
    >>> halves = split_raters(data, raters="mqm-r1")
    >>> halves.human["mqm-gold"].tolist(), halves.human["mqm-other"].tolist()
    ([[-4.0, 0.0, nan]], [[-1.0, 0.0, -1.0]])
    """
    name, names = gold_of(data, human), raters_of(data, human)
    if len(names) < 2:
        raise InputError(f"human: {name} has one rater, {names[0]}; two groups need at least two")
    rated = np.array([~np.isnan(data.human[one]) for one in names])
    if raters is None:
        of_gold = divide(rated, rng)
    else:
        chosen = {find_name("raters", one, dict.fromkeys(names)) for one in as_names(raters, "raters")}
        of_gold = np.array([one in chosen for one in names])
        if of_gold.all() or not of_gold.any():
            raise InputError(f"raters: must name some of {', '.join(names)}, but not all; found {sorted(chosen)}")
    groups = {f"{name}-gold": of_gold, f"{name}-other": ~of_gold}
    members = {key: [one for one, inside in zip(names, group, strict=True) if inside] for key, group in groups.items()}
    means = {key: mean_of([data.human[one] for one in group]) for key, group in members.items()}
    shared = int(np.all([~np.isnan(scores) for scores in means.values()], axis=0).sum())
    said = [f"{key} is the mean of {', '.join(group)}" for key, group in members.items()]
    return replace(
        data,
        human=means,
        gold=f"{name}-gold",
        raters={key: rated[group].sum(axis=0) for key, group in groups.items()},
        notes=(*data.notes, *said, f"{shared:,} cells are rated by both groups, which share no rater"),
    )


def mean_of(scores: Sequence[FloatArray]) -> FloatArray:
    """Mean over the matrices that have a score, cell by cell; of equal scores that score, to the last digit."""
    stacked = np.array(scores)
    known = ~np.isnan(stacked)
    number = known.sum(axis=0)
    total = np.where(known, stacked, 0.0).sum(axis=0)
    mean = np.divide(total, number, out=np.full(number.shape, np.nan), where=number > 0)
    low, high = np.where(known, stacked, np.inf).min(axis=0), np.where(known, stacked, -np.inf).max(axis=0)
    return np.asarray(np.where(low == high, low, mean))


def divide(rated: NDArray[np.bool_], rng: np.random.Generator | int | None = None) -> NDArray[np.bool_]:
    """Divide raters so that the most cells are rated by both groups; ``rated`` has the shape (raters, …).

    The first rater is in the group that is returned as true. Of divisions that are equally good the first one is
    taken, those with groups of more equal size before others.
    """
    n = len(rated)
    kinds, often = np.unique(rated.reshape(n, -1).T, axis=0, return_counts=True)

    def count_shared(group: NDArray[np.bool_]) -> int:
        """How many cells are rated in both groups."""
        return int(often[kinds[:, group].any(axis=1) & kinds[:, ~group].any(axis=1)].sum())

    if n <= MOST_LISTED:
        tried = [np.array([True, *(bool(code >> k & 1) for k in range(n - 1))]) for code in range(2 ** (n - 1) - 1)]
    else:
        generator = as_generator(rng)
        tried = [_climb(count_shared, generator.random(n) < 0.5) for _ in range(STARTS)]
    best = max(tried, key=lambda one: (count_shared(one), -abs(2 * int(one.sum()) - n)))
    return best if best[0] else ~best


def _climb(count_shared: Callable[[NDArray[np.bool_]], int], group: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Move raters to the other group, one at a time, as long as that adds cells."""
    best, moved = count_shared(group), True
    while moved:
        moved = False
        for rater in range(group.size):
            group[rater] ^= True
            if (found := count_shared(group)) > best:
                best, moved = found, True
            else:
                group[rater] ^= True
    return group


@dataclass(frozen=True, eq=False, repr=False)
class HumanRanking(Explored, Result):
    """Human scores and metrics, all judged by one human score on the same cells.

    Attributes
    ----------
    table : pandas.DataFrame
        One row per human score and metric, the best first: ``kind`` ("human" or "metric"), ``value``, ``low`` and
        ``high`` (NaN without resamples), ``epsilon``, ``ties`` (share of the compared pairs that the row's own scores
        tie) and ``rank``.
    human, coefficient, grouping : str
        The human score that judges, and by what.
    human_ties : float
        Share of the compared pairs that the judging human score ties.
    n_systems, n_segments, n_cells : int
        How many all have scored.
    note : str
        Whose missing scores leave out which cells; empty where none are left out.
    resamples, seed
        As asked for.
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

    def _facts(self) -> dict[str, object]:
        return dict(
            human=self.human,
            **metric_facts(self.table.index[self.table["kind"] == "metric"]),
            coefficient=self.coefficient,
            grouping=self.grouping,
            **cell_facts(self),
            resamples=self.resamples,
            scores=self.digest,
            seed=self.seed,
        )

    def _grid(self) -> pd.DataFrame:
        return self.table


@with_names
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
    coefficient, grouping, exclude
        As for `tiekit.correlate`.
    humans : str or iterable of str, optional
        The human scores that are judged; None is all others.
    metrics : str or iterable of str, optional
        Names of metrics; None is all, ``()`` none.
    n_resamples : int
        Resamples of segments, or of documents by ``"document_means"``, for each interval; 0 makes no intervals.
    confidence, rng, n_jobs, progress
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
    common, names = same.used, ", ".join(judged)
    if not common.any():
        raise InputError(f"humans: no cell is scored by {gold}, {names} and every metric; name fewer of them")
    by_human = np.where(common, chosen.human[gold], np.nan)
    shared = {name: np.where(common, scores, np.nan) for name, scores in rows.items()}
    compared = replace(chosen, human={gold: by_human}, metrics=shared, raters={}, gold=gold)
    seed, found = 0 if rng is None else rng, {}
    how: dict[str, Any] = {"confidence": confidence, "n_resamples": n_resamples, "rng": seed, "n_jobs": n_jobs}
    with showing(progress, "resample") as told:
        for number, (name, scores) in enumerate(with_progress(shared.items(), told)):
            one = correlate(compared, name, coefficient, grouping=grouping, exclude=())
            row = {"kind": "human" if name in judged else "metric", "value": one.value, "low": np.nan, "high": np.nan}
            if n_resamples:
                how["resample"] = "documents" if one.grouping == "document_means" else "segments"
                asked = how | {"progress": part_of(told, number, len(rows))}
                interval = bootstrap_interval(compared, name, coefficient, grouping=grouping, exclude=(), **asked)
                row |= {"low": interval.low, "high": interval.high}
            found[name] = row | {"epsilon": one.epsilon, "ties": _ties(scores, one.grouping)}
    table = pd.DataFrame.from_dict(found, orient="index")
    table["rank"] = table["value"].round(RANK_DIGITS).rank(ascending=False, method="min").astype("Int64")
    return HumanRanking(
        table=table.iloc[best_first(table["value"])],
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


def _ties(scores: FloatArray, grouping: str) -> float:
    """Share of the compared pairs that scores tie by themselves; of documents' pairs it is not counted."""
    return float("nan") if grouping.startswith("document") else count_ties(scores, grouping=grouping).share


ALIGNMENTS = ("rmse", "accuracy")
"""How alike a score is to those of the other raters: by its root mean squared distance, or how many are equal."""


@dataclass(frozen=True, eq=False, repr=False)
class AltTest(Result):
    """Whether a metric represents raters as well as one of them does.

    Attributes
    ----------
    rows : pandas.DataFrame
        One row per rater: ``cells`` compared, ``advantage`` (the share of cells on which the metric is at least as
        close to the other raters as this one is), ``of_rater`` (the reverse; a cell where both are equally close counts
        in both), ``pvalue`` and ``won``.
    winning_rate : float
        The share of raters that the metric wins against.
    advantage : float
        Mean advantage: to compare metrics.
    metric, human, alignment : str
    margin, alpha : float
        As asked for.
    """

    _number: ClassVar[str | None] = "winning_rate"

    rows: pd.DataFrame
    winning_rate: float
    advantage: float
    metric: str
    human: str
    alignment: str
    margin: float
    alpha: float

    @property
    def passed(self) -> bool:
        """Whether the metric wins against at least half of the raters."""
        return self.winning_rate >= 0.5

    @property
    def sentence(self) -> str:
        """Winning rate and advantage, and what follows."""
        wins = f"{int(self.rows['won'].sum())} of {len(self.rows)} raters of {self.human}"
        return (
            f"{self.metric} wins against {wins}, each of whom is allowed a margin of {self.margin:g}: it "
            f"{'passes' if self.passed else 'does not pass'} the test. It is at least as close to the other raters "
            f"as one of them on {self.advantage:.0%} of the cells."
        )

    def _facts(self) -> dict[str, object]:
        return {
            "metric": self.metric,
            "human": self.human,
            "test": "alt-test",
            "alignment": self.alignment,
            "margin": self.margin,
        }

    def _grid(self) -> pd.DataFrame:
        return self.rows


@with_names
def alt_test(
    data: EvalSet,
    metric: str,
    human: str | None = None,
    *,
    alignment: str = "rmse",
    margin: float = 0.2,
    alpha: float = 0.05,
    fewest: int = 30,
    exclude: Exclude = None,
) -> AltTest:
    """Test whether a metric or judge could stand in for a rater: the alternative annotator test.

    One rater after the other is left out, and the metric and this rater are compared by how close they are to the
    others. The metric must be on the raters' scale, as a judge is that was asked for the same scores.

    Parameters
    ----------
    data : EvalSet
        With the scores of single raters, see `raters_of`; cells with fewer than two raters are not compared.
    metric : str
        The name of a metric of the set.
    human, exclude
        As for `tiekit.correlate`: the score whose raters are meant.
    alignment : {"rmse", "accuracy"}
        Whether distances to the others' scores count, or how many are the same.
    margin : float
        The paper's ε, by which a rater may be better for the metric to win, as it costs less: 0.2 for experts, 0.15
        for skilled raters, 0.1 for crowd workers.
    alpha : float
        The false-discovery rate, by Benjamini and Yekutieli.
    fewest : int
        Raters with fewer cells are left out.

    Returns
    -------
    AltTest
        Cells where both are equally close count for both, so ties help the metric and the rater alike.

    Raises
    ------
    InputError
        For unknown names, numbers outside 0 to 1, and where no rater has enough cells.

    References
    ----------
    Calderon, Reichart and Dror (2025), arXiv 2501.10970.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.integers(0, 100, (4, 20)).astype(float)
    >>> raters = {f"esa-r{n}": truth + rng.normal(0, 20, truth.shape) for n in range(3)}
    >>> data = EvalSet("toy", "", tuple("ABCD"), tuple(map(str, range(20))), {"esa": truth} | raters,
    ...                {"judge": truth + 5}, gold="esa")
    >>> found = alt_test(data, "judge")
    >>> found.winning_rate, found.passed, len(found.rows)
    (1.0, True, 3)
    """
    check_kind("alignment", alignment, ALIGNMENTS)
    margin, alpha, fewest = (
        check_probability("margin", margin),
        check_probability("alpha", alpha),
        check_count("fewest", fewest, 2),
    )
    selected, names = data.select(exclude=exclude), raters_of(data, human)
    name = find_name("metric", metric, data.metrics)
    scores, ratings = selected.metrics[name], np.array([selected.human[one] for one in names])
    rows = {}
    for place, rater in enumerate(names):
        others = np.delete(ratings, place, axis=0)
        cells = ~(np.isnan(ratings[place]) | np.isnan(scores) | np.isnan(others).all(axis=0))
        if int(cells.sum()) >= fewest:
            by_metric, by_rater = (
                _closeness(one[cells], others[:, cells], alignment) for one in (scores, ratings[place])
            )
            difference = (by_rater >= by_metric).astype(float) - (by_metric >= by_rater)
            rows[rater] = (
                cells.sum(),
                (by_metric >= by_rater).mean(),
                (by_rater >= by_metric).mean(),
                _below(difference, margin),
            )
    if not rows:
        raise InputError(f"fewest: no rater has {fewest} cells that another rater and {name} have scored, too")
    table = pd.DataFrame.from_dict(rows, orient="index", columns=["cells", "advantage", "of_rater", "pvalue"])
    table["cells"] = table["cells"].astype(int)
    table["won"] = correct_pvalues(table["pvalue"], "by") <= alpha
    return AltTest(
        rows=table.rename_axis("rater"),
        winning_rate=float(table["won"].mean()),
        advantage=float(table["advantage"].mean()),
        metric=name,
        human=gold_of(data, human),
        alignment=alignment,
        margin=margin,
        alpha=alpha,
    )


def _closeness(scores: FloatArray, others: FloatArray, alignment: str) -> FloatArray:
    """How close each score is to the others' of its cell, rounded so that sums in any order tie; higher is closer."""
    known = ~np.isnan(others)
    each = (others == scores) if alignment == "accuracy" else -((np.where(known, others, 0.0) - scores) ** 2)
    mean = np.where(known, each, 0.0).sum(axis=0) / known.sum(axis=0)
    return np.asarray(mean.round(9), np.float64)  # the root would change no order


def _below(difference: FloatArray, margin: float) -> float:
    """P-value of a mean that is less than the margin, by a t-test."""
    from scipy.stats import ttest_1samp  # loading it takes .2 s

    if not np.ptp(difference):
        return float(difference[0] >= margin)
    return float(ttest_1samp(difference, margin, alternative="less").pvalue)
