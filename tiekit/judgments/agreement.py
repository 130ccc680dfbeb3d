"""How well do judges agree, with themselves and with each other, and a metric with them?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, TypeAlias, overload

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from tiekit.base.errors import InputError
from tiekit.base.names import find_name
from tiekit.base.results import Plotted, Result
from tiekit.base.validation import FloatArray, IntArray, as_scores, check_epsilon, digest_of
from tiekit.core.coefficients import Coefficient
from tiekit.core.formula import SYMBOLS
from tiekit.core.pairs import PairCounts, count_pairs
from tiekit.core.registry import get_coefficient
from tiekit.judgments.rankings import Preferences, Rankings, as_preferences, check_by, names_of
from tiekit.sets.arguments import Exclude
from tiekit.sets.evalset import EvalSet

SAME = 1e-15
"""P(A) and P(E) that differ by less are equal but for rounding."""


@dataclass(frozen=True, eq=False, repr=False)
class Kappa(Plotted, Result):
    """Cohen's kappa: how often do two judgments of the same two translations agree, beyond chance?

    Attributes
    ----------
    n : int
        Number of compared pairs of judgments.
    n_agreed : int
        Number of pairs with the same outcome.
    expected : float
        P(E), the share of pairs that would agree by chance.
    """

    n: int
    n_agreed: int
    expected: float

    @property
    def observed(self) -> float:
        """P(A), the share of pairs that agree; NaN where nothing was compared."""
        return self.n_agreed / self.n if self.n else float("nan")

    @property
    def value(self) -> float:
        """κ = (P(A) − P(E)) / (1 − P(E)): 1 is perfect, 0 chance; NaN where nothing was compared or P(E) is 1."""
        above = self.observed - self.expected
        if self.expected >= 1:
            return float("nan")
        return 0.0 if abs(above) < SAME else above / (1 - self.expected)

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as plain Python values, κ and P(A) included."""
        return {"value": self.value, "observed": self.observed} | super().to_dict()


@dataclass(frozen=True, eq=False, repr=False)
class Agreement(Plotted, Result):
    """Agreement of judges with themselves and with each other.

    Attributes
    ----------
    within, between : Kappa
        For two judgments of one judge, and of different judges.
    share_tied : float
        Share of judgments that rank both translations equally.
    """

    _number: ClassVar[str | None] = None
    within: Kappa
    between: Kappa
    share_tied: float

    def _grid(self) -> pd.DataFrame:
        judges = {"within judges": self.within, "between judges": self.between}
        rows = [(found.value, found.observed, found.expected, found.n) for found in judges.values()]
        return pd.DataFrame(rows, list(judges), ["κ", "P(A)", "P(E)", "n"])


@overload
def agreement(preferences: Rankings | Preferences, *, by: None = None) -> Agreement: ...


@overload
def agreement(preferences: Rankings | Preferences, *, by: Literal["language_pair"]) -> pd.DataFrame: ...


def agreement(preferences: Rankings | Preferences, *, by: str | None = None) -> Agreement | pd.DataFrame:
    """Measure Cohen's κ within and between judges, as WMT reports it.

    P(A) is the share of pairs of judgments of the same two translations that agree. P(E) = P(<)² + P(=)² + P(>)² comes
    from the shares of the outcomes among all judgments. The order of two translations has no meaning, so that
    P(<) = P(>).

    Parameters
    ----------
    preferences, by
        As for `attainable`.

    Returns
    -------
    Agreement, or pandas.DataFrame
        The frame has one row per language pair, and ``κ``, ``P(A)``, ``P(E)`` and ``n`` within and between judges.

    Raises
    ------
    InputError
        For another value of ``by``.

    References
    ----------
    Bojar et al. (2013), Findings of WMT13, section 3.2, aclanthology.org/W13-2201.

    Examples
    --------
    >>> rows = [("ann", "1", {"A": 1, "B": 2, "C": 3}), ("bob", "1", {"A": 2, "B": 1, "C": 3})]
    >>> between = agreement(Rankings.from_rows(rows)).between
    >>> between.n, between.n_agreed, between.expected, round(between.value, 3)
    (3, 2, 0.5, 0.333)
    """
    given = as_preferences(preferences)
    if check_by(by):
        rows = [agreement(given.select(pair)) for pair in given.rankings.language_pairs]
        columns = {"κ": "value", "P(A)": "observed", "P(E)": "expected", "n": "n"}
        table = {
            f"{label} {part}": [getattr(getattr(found, part), name) for found in rows]
            for part in ("within", "between")
            for label, name in columns.items()
        }
        return pd.DataFrame(table, index=pd.Index(given.rankings.language_pairs, name="language pair"))
    n_judges = len(given.rankings.judges) + 1
    n_systems = max(len(given.rankings.systems), 1)
    pair = np.unique((given.segment * n_systems + given.first) * n_systems + given.second, return_inverse=True)[1]
    total, agreed = _agreeing(pair, given.outcome)
    own_total, own_agreed = _agreeing(pair * n_judges + given.judge + 1, given.outcome)
    tied = float((given.outcome == 0).mean()) if given.n_judgments else float("nan")
    expected = tied**2 + (1 - tied) ** 2 / 2
    others = Kappa(total - own_total, agreed - own_agreed, expected)
    return Agreement(Kappa(own_total, own_agreed, expected), others, tied)


def _agreeing(group: IntArray, outcome: IntArray) -> tuple[int, int]:
    """Count pairs of judgments within groups, and those with the same outcome."""
    _, place = np.unique(group, return_inverse=True)
    counts, sizes = np.bincount(place * 3 + outcome + 1), np.bincount(place)
    return int((sizes * (sizes - 1) // 2).sum()), int((counts * (counts - 1) // 2).sum())


Scores: TypeAlias = EvalSet | Mapping[tuple[str, str], float] | pd.DataFrame | ArrayLike
"""An evaluation set, or one metric's scores: by (system, segment), as a labeled frame, or as a matrix."""


def score_matrix(rankings: Rankings, scores: Scores, metric: str | None = None, exclude: Exclude = None) -> FloatArray:
    """One row per system and one column per segment of the rankings; NaN where there is no score."""
    if isinstance(scores, EvalSet):
        return _by_label(rankings, _from_set(rankings, scores, metric, exclude))
    for argument, value in (("metric", metric), ("exclude", exclude)):
        if value is not None:
            raise InputError(f"{argument}: needs an EvalSet as scores, found {type(scores).__name__}")
    if isinstance(scores, pd.DataFrame):
        return _by_label(rankings, scores)
    if isinstance(scores, Mapping):
        return _align(rankings, scores)
    matrix = as_scores("scores", scores)
    shape = len(rankings.systems), len(rankings.segments)
    if matrix.shape != shape:
        raise InputError(f"scores: must have the shape (systems, segments), {shape}, found {matrix.shape}")
    return matrix


def _from_set(rankings: Rankings, data: EvalSet, metric: str | None, exclude: Exclude) -> pd.DataFrame:
    """The scores of a metric of a set, which must know some of the ranked systems and segments."""
    chosen = data.select(exclude=exclude)
    name = find_name("metric", metric, data.metrics)
    known_names = {"system": chosen.systems, "segment": chosen.segments}
    for what, known in known_names.items():
        ranked = getattr(rankings, f"{what}s")
        if ranked and set(ranked).isdisjoint(known):
            shown = f"ranked: {', '.join(ranked[:3])}, …; in the set: {', '.join(known[:3])}, …"
            raise InputError(f"scores: no ranked {what} is in the set, which must use the same names ({shown})")
    return pd.DataFrame(chosen.metrics[name], index=list(chosen.systems), columns=list(chosen.segments))


def _by_label(rankings: Rankings, scores: pd.DataFrame) -> FloatArray:
    """The scores of a frame in the order of the rankings."""
    frame = scores.set_axis(scores.index.map(str)).set_axis(scores.columns.map(str), axis=1)
    if not (frame.index.is_unique and frame.columns.is_unique):
        raise InputError("scores: each system must label one row and each segment one column; some labels are repeated")
    frame = frame.reindex(index=list(rankings.systems), columns=list(rankings.segments))
    return as_scores("scores", frame.to_numpy())


def _align(rankings: Rankings, scores: Mapping[tuple[str, str], float]) -> FloatArray:
    """The scores of a mapping in the order of the rankings; language pairs may share the name of a segment."""
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


@dataclass(frozen=True, eq=False, repr=False)
class JudgedMetric(Plotted, Result):
    """A coefficient of a metric on the judged pairs of translations.

    Attributes
    ----------
    value : float
        The coefficient; NaN where its formula divides by zero.
    counts : PairCounts
        C, D, T_h, T_m, T_hm of the judgments. ``n_scores`` counts the judged translations with a score, ``n_missing``
        those without; ``n_distinct`` is 0, because judgments have no human scores.
    n_missing : int
        Judgments left out because a score is missing.
    coefficient, epsilon
        As asked for.
    sets : pandas.DataFrame
        One row per ranked set: ``segment``, ``judge``, the counts, ``value``, and ``weight``, the divisor of the
        formula. Empty after `resolve`.
    pooled : float
        The coefficient of all ranked translations together, as if a rank meant the same in every set; WMT's τ does not
        assume that. NaN after `resolve`.
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
        """Mean of the values of the sets by their weights, which equals ``value``; NaN where there is no set."""
        defined = self.sets[self.sets["weight"] > 0]
        weight = defined["weight"].sum()
        return float((defined["value"] * defined["weight"]).sum() / weight) if weight else float("nan")

    @property
    def mean(self) -> float:
        """Mean of the values of the sets, with equal weights; undefined ones are left out."""
        return float(self.sets["value"].mean())

    def _facts(self) -> dict[str, object]:
        pairs = self.counts.total
        return {"coefficient": self.coefficient, "epsilon": self.epsilon, "judgments": pairs, "scores": self.data}


def judge_metric(
    preferences: Rankings | Preferences,
    scores: Scores,
    coefficient: str = "tau_14",
    *,
    metric: str | None = None,
    epsilon: float = 0.0,
    exclude: Exclude = None,
) -> JudgedMetric:
    """Measure how well a metric agrees with relative rankings: WMT's τ, which counts every judgment once.

    Parameters
    ----------
    preferences : Preferences or Rankings
        The judgments, of one language pair (see ``select``). Rankings count with their ties.
    scores : EvalSet, mapping, pandas.DataFrame, or array_like of shape (systems, segments)
        An evaluation set that uses the same names of systems and segments, or the scores of the metric: a mapping of
        (system, segment) to score, a frame with one row per system and one column per segment, or a matrix in the order
        of ``rankings.systems`` and ``rankings.segments``. Higher is better, NaN is a missing score. Scores of
        translations that were not judged are ignored.
    coefficient : str
        A name of `COEFFICIENTS` that is made of counts of pairs alone, such as tau_10, tau_13, tau_14, acc_eq.
    metric : str, optional
        The name of a metric of the set (``COMET-22`` where only ``COMET-22-refA`` fits).
    epsilon : float
        Two scores are tied when they differ by at most this much.
    exclude : str or iterable of str, optional
        Systems of the set whose scores are left out; None: its standard reference and outliers; ``()``: nobody.

    Returns
    -------
    JudgedMetric
        Each ranked set has a τ; the value is their mean, weighted by the number of pairs that count. It differs from
        the τ of all translations together (``pooled``), which compares ranks of different segments and judges.

    Raises
    ------
    InputError
        For judgments of several language pairs, scores of another shape, names that the set does not know, and a
        coefficient that needs more than counts of pairs.

    Warns
    -----
    NearTieWarning
        Where distinct scores differ by less than 1e-12 of their range.

    References
    ----------
    Graham et al. (2015), section 2, doi:10.3115/v1/N15-1124.

    Examples
    --------
    The metric agrees with each of two judges, but a τ of the four translations together is lower:

    >>> rankings = Rankings.from_rows([("ann", "1", {"A": 1, "B": 2}), ("bob", "2", {"A": 1, "B": 2})])
    >>> result = judge_metric(rankings, {("A", "1"): 9, ("B", "1"): 8, ("A", "2"): 3, ("B", "2"): 1})
    >>> result.value, result.weighted_mean, result.pooled
    (1.0, 1.0, 0.5)
    """
    given, entry = as_preferences(preferences), get_pair_coefficient(coefficient)
    epsilon = check_epsilon(epsilon)
    rankings = given.rankings
    if np.unique(rankings.pair_of_segment[given.segment]).size > 1:
        raise InputError("preferences: must be of one language pair; take one with .select(language_pair)")
    matrix = score_matrix(rankings, scores, metric, exclude)
    kind = _kinds(given, matrix, epsilon)
    scored, counts = kind != UNSCORED, count_judged(given, matrix, kind)
    return JudgedMetric(
        value=entry.value(counts),
        counts=counts,
        n_missing=int((~scored).sum()),
        coefficient=entry.name,
        epsilon=epsilon,
        sets=_sets(given, kind, scored, entry),
        pooled=_pool(given, matrix, entry, epsilon),
        data=digest_of(np.stack([given.segment, given.first, given.second, given.outcome]).astype(np.float64), matrix),
    )


UNSCORED = 5
"""Of a judgment where a score is missing; 0 to 4 are C, D, T_h, T_m, T_hm."""


def _kinds(given: Preferences, matrix: FloatArray, epsilon: float) -> NDArray[np.int8]:
    """The kind of pair that each judgment and the difference of its scores make."""
    gap = matrix[given.first, given.segment] - matrix[given.second, given.segment]
    sign = np.where(np.abs(gap) <= epsilon, 0, np.sign(gap))
    agreed = given.outcome * sign
    tied = np.select([sign != 0, given.outcome != 0], [np.int8(2), np.int8(3)], np.int8(4))
    kind = np.select([agreed > 0, agreed < 0], [np.int8(0), np.int8(1)], tied)
    kind[np.isnan(gap)] = UNSCORED
    return kind


def count_judged(given: Preferences, matrix: FloatArray, kind: NDArray[np.int8] | None = None) -> PairCounts:
    """Count the kinds of pairs of all judgments, from which every coefficient of a metric follows."""
    kind = _kinds(given, matrix, 0.0) if kind is None else kind
    judged = np.zeros(matrix.shape, np.bool_)
    judged[given.first, given.segment] = judged[given.second, given.segment] = True
    missing = int((judged & np.isnan(matrix)).sum())
    c, d, t_h, t_m, t_hm, _ = np.bincount(kind, minlength=UNSCORED + 1).tolist()
    return PairCounts(c, d, t_h, t_m, t_hm, int(judged.sum()) - missing, 0, n_missing=missing)


def get_pair_coefficient(coefficient: str) -> Coefficient:
    """A coefficient that is made of counts of pairs alone."""
    if str(coefficient).endswith("*"):
        problem = f"{coefficient!r} asks for a calibrated epsilon, which judgments do not define"
        raise InputError(f"coefficient: {problem}; leave out the star and give epsilon")
    entry = get_coefficient(coefficient)
    if not entry.of_pairs:
        raise InputError(f"coefficient: {entry.name} is not made of counts of pairs alone, but judgments give no more")
    return entry


def _sets(given: Preferences, kind: NDArray[np.int8], scored: NDArray[np.bool_], entry: Coefficient) -> pd.DataFrame:
    """Counts, value and weight of every ranked set with a scored judgment."""
    keep = scored & (given.set >= 0)
    sets, place = np.unique(given.set[keep], return_inverse=True)
    counts = np.bincount(place * 5 + kind[keep], minlength=5 * sets.size).reshape(-1, 5)
    assert entry.formula is not None
    counting = [entry.formula.role(symbol)[1] for symbol in SYMBOLS[:5]]
    rankings = given.rankings
    who = {"judge": names_of(rankings.judges, rankings.judge[sets])}
    names = {"segment": names_of(rankings.segments, rankings.segment[sets])} | who
    columns = dict(zip(SYMBOLS, counts.T, strict=False))
    value = entry.from_counts(np.pad(counts, ((0, 0), (0, 2))))
    return pd.DataFrame(names | columns | {"value": value, "weight": counts[:, counting].sum(axis=1)}, index=sets)


def _pool(given: Preferences, matrix: FloatArray, entry: Coefficient, epsilon: float) -> float:
    """The coefficient of all ranked translations together, with the negative rank as human score."""
    rankings = given.rankings
    sets = np.unique(given.set[given.set >= 0])
    rows, columns = np.nonzero(rankings.rank[sets] >= 0)
    rank = rankings.rank[sets][rows, columns]
    metric = matrix[rankings.system[sets][rows, columns], rankings.segment[sets][rows]]
    return entry.value(count_pairs(-rank.astype(np.float64), metric, epsilon=epsilon)) if rank.size else float("nan")
