"""How well do judges agree, and a metric with them?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from tiekit.coefficients.coefficient import Coefficient
from tiekit.coefficients.registry import get_coefficient
from tiekit.counting.pairs import PairCounts, count_pairs
from tiekit.errors import InputError
from tiekit.judgments.rankings import Preferences, Rankings, as_preferences
from tiekit.scores import FloatArray, IntArray, as_scores, check_epsilon
from tiekit.signature import digest_of, signature

Scores = Mapping[tuple[str, str], float] | pd.DataFrame | ArrayLike


@dataclass(frozen=True, eq=False)
class JudgedMetric:
    """A coefficient of a metric on the judged pairs only.

    Attributes
    ----------
    value : float
        NaN where the formula divides by zero.
    counts : PairCounts
        C, D, T_h, T_m, T_hm of the judgments; ``n_scores`` are the judged translations with a score, ``n_missing``
        those without; ``n_distinct`` is 0, for judgments have no scores.
    n_missing : int
        Judgments left out because a score is missing.
    coefficient : str
    epsilon : float
    sets : pandas.DataFrame
        A row a ranked set: ``segment``, ``judge``, the counts, ``value``, and the ``weight`` with which it enters: the
        divisor of the formula. Empty where contradictions were resolved.
    pooled : float
        The coefficient of all ranked translations at once, as if a rank meant the same in every set: what WMT's τ is
        not. NaN where contradictions were resolved.
    data : str
        Digest of judgments and scores.
    """

    value: float
    counts: PairCounts
    n_missing: int
    coefficient: str
    epsilon: float
    sets: pd.DataFrame = field(repr=False)
    pooled: float
    data: str

    @property
    def weighted_mean(self) -> float:
        """Of the sets' values, by their weights: ``value`` again; NaN without a set."""
        defined = self.sets[self.sets["weight"] > 0]
        weight = defined["weight"].sum()
        return float((defined["value"] * defined["weight"]).sum() / weight) if weight else float("nan")

    @property
    def mean(self) -> float:
        """Of the sets' values, every defined one alike."""
        return float(self.sets["value"].mean())

    @property
    def signature(self) -> str:
        """One line that makes the number reproducible."""
        pairs = self.counts.total
        return signature(coefficient=self.coefficient, epsilon=self.epsilon, judgments=pairs, data=self.data)


def judge_metric(
    preferences: Rankings | Preferences, scores: Scores, coefficient: str = "tau_14", *, epsilon: float = 0.0
) -> JudgedMetric:
    """WMT's τ of a metric on relative rankings: judged pairs only, every judgment once.

    Parameters
    ----------
    preferences : Preferences or Rankings
        Of one language pair, see ``select``. Rankings with their ties.
    scores : mapping, frame or array_like
        Higher is better, NaN is missing. A mapping of (system, segment) to score, a frame with a row a system and a
        column a segment, or a matrix in the order of ``rankings.systems`` and ``rankings.segments``. Scores of what was
        not judged are ignored.
    coefficient : str
        A name of `COEFFICIENTS` that is made of counts of pairs alone, such as tau_10, tau_13, tau_14, acc_eq.
    epsilon : float
        Two scores are tied when they differ by at most this much.

    Returns
    -------
    JudgedMetric
        Each ranked set has a τ; the value is their mean, weighted by the pairs that count. It is no τ of all
        translations (``pooled``), which would compare ranks of different segments and judges.

    Raises
    ------
    InputError
        For judgments of several language pairs, scores of another shape or a coefficient that needs more than counts.

    Warns
    -----
    NearTieWarning
        Where distinct scores differ by less than 1e-12 of their range.

    References
    ----------
    Graham et al. (2015), section 2, doi:10.3115/v1/N15-1124.

    Examples
    --------
    Two judges agree with the metric on all pairs, yet no single ranking of the four translations does:

    >>> rankings = Rankings.from_rows([("ann", "1", {"A": 1, "B": 2}), ("bob", "2", {"A": 1, "B": 2})])
    >>> result = judge_metric(rankings, {("A", "1"): 9, ("B", "1"): 8, ("A", "2"): 3, ("B", "2"): 1})
    >>> result.value, result.weighted_mean, result.pooled
    (1.0, 1.0, 0.5)
    """
    given, entry = as_preferences(preferences), counted(coefficient)
    epsilon = check_epsilon(epsilon)
    rankings = given.rankings
    if np.unique(rankings.pair_of_segment[given.segment]).size > 1:
        raise InputError("preferences: must be of one language pair; take one with .select(language_pair)")
    matrix = score_matrix(rankings, scores)
    gap = matrix[given.first, given.segment] - matrix[given.second, given.segment]
    scored = ~np.isnan(gap)
    sign = np.where(np.abs(gap) <= epsilon, 0, np.sign(gap))
    kind = np.select([given.outcome * sign > 0, given.outcome * sign < 0, sign != 0, given.outcome != 0], range(4), 4)
    translations = np.unique(np.concatenate([given.segment, given.segment]) * len(rankings.systems)
                             + np.concatenate([given.first, given.second]))  # fmt: skip
    missing = np.isnan(matrix[translations % len(rankings.systems), translations // len(rankings.systems)])
    c, d, t_h, t_m, t_hm = np.bincount(kind[scored], minlength=5).tolist()
    counts = PairCounts(c, d, t_h, t_m, t_hm, int((~missing).sum()), 0, n_missing=int(missing.sum()))
    return JudgedMetric(
        value=entry.value(counts),
        counts=counts,
        n_missing=int((~scored).sum()),
        coefficient=entry.name,
        epsilon=epsilon,
        sets=_sets(given, kind, scored, entry),
        pooled=_pooled(given, matrix, entry, epsilon),
        data=digest_of(np.stack([given.segment, given.first, given.second, given.outcome]).astype(np.float64), matrix),
    )


def counted(coefficient: str) -> Coefficient:
    """A coefficient that needs no more than counts of pairs."""
    entry = get_coefficient(coefficient)
    if not entry.of_pairs:
        raise InputError(f"coefficient: {entry.name} is not made of counts of pairs alone, which is all judgments give")
    return entry


def score_matrix(rankings: Rankings, scores: Scores) -> FloatArray:
    """A row a system, a column a segment; NaN where a mapping or frame has no score."""
    shape = len(rankings.systems), len(rankings.segments)
    if isinstance(scores, pd.DataFrame):
        frame = scores.set_axis(scores.index.map(str)).set_axis(scores.columns.map(str), axis=1)
        if not (frame.index.is_unique and frame.columns.is_unique):
            raise InputError("scores: systems and segments must be there once")
        frame = frame.reindex(index=list(rankings.systems), columns=list(rankings.segments))
        return as_scores("scores", frame.to_numpy())
    if isinstance(scores, Mapping):
        return _placed(rankings, scores)
    matrix = as_scores("scores", scores)
    if matrix.shape != shape:
        raise InputError(f"scores: must have the shape (systems, segments), {shape}, found {matrix.shape}")
    return matrix


def _placed(rankings: Rankings, scores: Mapping[tuple[str, str], float]) -> FloatArray:
    """The scores of a mapping in their places; a segment of several language pairs has several."""
    rows = {system: row for row, system in enumerate(rankings.systems)}
    columns: dict[str, list[int]] = {}
    for column, segment in enumerate(rankings.segments):
        columns.setdefault(segment, []).append(column)
    matrix = np.full((len(rows), len(rankings.segments)), np.nan)
    for cell, score in zip(scores, as_scores("scores", list(scores.values())).tolist(), strict=True):
        if not isinstance(cell, tuple) or len(cell) != 2:
            raise InputError(f"scores: keys must be (system, segment), found {cell!r}")
        if str(cell[0]) in rows:
            matrix[rows[str(cell[0])], columns.get(str(cell[1]), [])] = score
    return matrix


def _sets(given: Preferences, kind: IntArray, scored: IntArray, entry: Coefficient) -> pd.DataFrame:
    """Counts, value and weight of every ranked set with a judgment that counts."""
    keep = scored & (given.set >= 0)
    sets, place = np.unique(given.set[keep], return_inverse=True)
    counts = np.bincount(place * 5 + kind[keep], minlength=5 * sets.size).reshape(-1, 5)
    assert entry.formula is not None
    counting = [entry.formula.role(symbol)[1] for symbol in ("C", "D", "T_h", "T_m", "T_hm")]
    rankings = given.rankings
    names = {
        "segment": np.array((*rankings.segments, ""), object)[rankings.segment[sets]],
        "judge": np.array((*rankings.judges, ""), object)[rankings.judge[sets]],
    }
    columns = dict(zip(("C", "D", "T_h", "T_m", "T_hm"), counts.T, strict=True))
    value = entry.from_counts(np.pad(counts, ((0, 0), (0, 2))))
    return pd.DataFrame(names | columns | {"value": value, "weight": counts[:, counting].sum(axis=1)}, index=sets)


def _pooled(given: Preferences, matrix: FloatArray, entry: Coefficient, epsilon: float) -> float:
    """The coefficient of all ranked translations at once, with minus the rank for a human score."""
    rankings = given.rankings
    sets = np.unique(given.set[given.set >= 0])
    rows, columns = np.nonzero(rankings.rank[sets] >= 0)
    rank = rankings.rank[sets][rows, columns]
    metric = matrix[rankings.system[sets][rows, columns], rankings.segment[sets][rows]]
    return entry.value(count_pairs(-rank.astype(np.float64), metric, epsilon=epsilon)) if rank.size else float("nan")
