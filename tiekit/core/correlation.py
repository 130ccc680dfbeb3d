"""How well does a metric agree with the human scores?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike

from tiekit.base.errors import InputError
from tiekit.base.parallel import Progress, showing
from tiekit.base.results import Explored, Plotted, ResultOfScores
from tiekit.base.validation import (
    FloatArray,
    IntArray,
    Source,
    check_epsilon,
    check_pair,
    labels_beside,
    sources_of_arrays,
    warn_near_ties,
)
from tiekit.core.calibration import best_epsilon, warn_of_split
from tiekit.core.coefficients import OfMatrix, Pooled, check_margin, check_policy, check_tied, values_per_group
from tiekit.core.coefficients import average as average_of
from tiekit.core.grouping import group_checked
from tiekit.core.measure import get_measure
from tiekit.core.pairs import count_sorted, count_within
from tiekit.core.registry import COEFFICIENTS


@dataclass(frozen=True, eq=False, repr=False)
class Correlation(Plotted, Explored, ResultOfScores):
    """A coefficient averaged over groups.

    Attributes
    ----------
    value : float
        Mean over the groups; NaN where no group is defined, or 0 where undefined groups count as 0.
    coefficient, grouping
        What was asked for; a star after the coefficient says that epsilon was calibrated.
    epsilon : float
        Two metric scores that differ by at most this much were tied.
    undefined : str
        The policy for undefined groups.
    average : str
        How one value was made of several groups.
    n_groups : int
        Groups in the mean, or in the sum.
    n_undefined : int
        Groups of two or more scored cells whose coefficient is undefined.
    n_too_small : int
        Groups with fewer than two scored cells, never in the mean.
    n_missing : int
        Cells left out for a missing score.
    human_margin : float
        Pairs whose human scores differ by less were left out.
    per_group : ndarray, shape (groups,)
        One value per segment (item), per system (system), per document or one in all; NaN where undefined.
    scores : tuple of two arrays
        The human and metric scores as they were read.
    labels : array of int or None
        The labels of identical texts that were tied; None where none were. ``identical`` identifies them.
    tie_human : bool
        Whether the human score ties them, too.
    """

    value: float
    coefficient: str
    grouping: str
    epsilon: float
    undefined: str
    n_groups: int
    n_undefined: int
    n_too_small: int
    n_missing: int
    human_margin: float
    per_group: FloatArray = field(repr=False)
    scores: tuple[FloatArray, FloatArray] = field(repr=False)
    average: str = field(default="groups", repr=False)
    labels: IntArray | None = field(default=None, repr=False)
    tie_human: bool = field(default=False, repr=False)

    def _facts(self) -> dict[str, object]:
        return dict(
            coefficient=self.coefficient,
            grouping=self.grouping,
            epsilon=self.epsilon,
            undefined=self.undefined,
            average=self.average,
            **({"human_margin": self.human_margin} if self.human_margin else {}),
            **self._facts_of_texts(),
            groups=self.n_groups,
            undefined_groups=self.n_undefined,
            scores=self.digest,
        )


def correlate(
    human: ArrayLike,
    metric: ArrayLike,
    coefficient: str | None = None,
    *,
    grouping: str | None = None,
    epsilon: float | None = None,
    undefined: str = "drop",
    average: str = "groups",
    human_margin: float = 0.0,
    documents: Sequence[str] | None = None,
    identical: ArrayLike | None = None,
    tie_human: bool = False,
    progress: Progress | bool | None = None,
) -> Correlation:
    """Measure how well metric scores agree with human scores: `tiekit.correlate` for arrays alone.

    Parameters
    ----------
    human, metric : array_like, shape (n,) or (systems, segments)
        Scores of one shape; NaN is a missing score.
    coefficient, grouping, epsilon, undefined, average, human_margin, documents, tie_human, progress
        As for `tiekit.correlate`.
    identical : array_like of int, same shape, optional
        Labels of texts: where those of one segment (of a vector: any) are equal, the metric ties the pair. Labels below
        0 are of unknown texts.

    Returns
    -------
    Correlation

    Raises
    ------
    InputError
        As by `tiekit.correlate`.

    Examples
    --------
    >>> correlate([1, 2, 2, 3, 4], [2, 1, 1.5, 5, 3], "acc_eq*").epsilon
    0.5
    >>> correlate([1, 2, 2, 3, 4], [2, 1, 1.5, 5, 3], "acc_eq", identical=[0, 1, 1, 2, 3]).value
    0.7
    """
    scores = check_pair(human, metric)
    return correlate_scores(
        scores,
        sources_of_arrays(*scores),
        coefficient,
        grouping=grouping,
        epsilon=epsilon,
        undefined=undefined,
        average=average,
        human_margin=human_margin,
        documents=documents,
        identical=labels_beside(human, identical, scores[0].shape),
        tie_human=tie_human,
        progress=progress,
    )


def correlate_scores(
    scores: tuple[FloatArray, FloatArray],
    sources: tuple[Source, Source],
    coefficient: str | None,
    *,
    grouping: str | None,
    epsilon: float | None,
    undefined: str,
    average: str,
    human_margin: float,
    documents: Sequence[str] | None,
    identical: IntArray | None,
    tie_human: bool,
    progress: Progress | bool | None,
) -> Correlation:
    """Correlate checked scores; warnings name them as their sources say."""
    is_fixed = epsilon is not None or bool(human_margin)
    epsilon = check_epsilon(0.0 if epsilon is None else epsilon)
    check_policy(undefined)
    measure = get_measure(
        coefficient, grouping, scores[0].ndim, documents=documents is not None, is_fixed=is_fixed, average=average
    )
    entry = measure.coefficient
    margin = check_margin(human_margin, entry, calibrated=measure.calibrated)
    check_tied(identical, entry)
    if epsilon and measure.calibrated:
        raise InputError(f"epsilon: {entry.name}* finds its own, so it must be 0, found {epsilon!r}")
    if epsilon and not entry.takes_epsilon:
        raise InputError(f"epsilon: {entry.name} knows no ties of the metric, so it must be 0, found {epsilon!r}")
    by = None if measure.grouping == "vector" else measure.grouping
    grouped = group_checked(*scores, by, documents, identical, tie_human)
    grouped = replace(grouped, scores=replace(grouped.scores, human_margin=margin))
    warn_near_ties((grouped.scores.near_ties, *sources))
    if measure.calibrated:
        with showing(progress, "calibrate") as told:
            epsilon = best_epsilon(grouped, entry, count_within(grouped.scores, 0.0), told)
        warn_of_split(sources[1], scores[1], epsilon, lambda: grouped)
    if isinstance(entry, OfMatrix):
        matrices = np.atleast_2d(scores[0]), np.atleast_2d(scores[1])
        values = per_group = np.array([entry.evaluate(*matrices, by or "global")])
    else:
        values = values_per_group(grouped, entry, epsilon)
        per_group = grouped.spread(values)
    averaged = entry.from_counts(count_sorted(grouped.scores, epsilon)) if isinstance(entry, Pooled) else values
    n_undefined = int(np.isnan(values).sum())
    return Correlation(
        value=average_of(averaged, "drop" if isinstance(entry, OfMatrix) else undefined),
        coefficient=measure.shown,
        grouping=measure.grouping,
        epsilon=epsilon,
        undefined=undefined,
        n_groups=values.size - (n_undefined if undefined == "drop" and average == "groups" else 0),
        n_undefined=n_undefined,
        n_too_small=per_group.size - values.size,
        n_missing=grouped.n_missing,
        human_margin=margin,
        per_group=per_group,
        scores=scores,
        average=average,
        labels=identical,
        tie_human=tie_human,
    )


BACKWARDS = -0.1
"""A metric whose tau_b over all pairs lies below this is suspected to be better when lower, if not by chance."""


def find_fall(human: FloatArray, metric: FloatArray) -> float | None:
    """The tau_b over all pairs of cells of a metric that falls where the human score rises; of any other None.

    It lies three standard deviations below 0 or more, those of a metric by chance without ties (Kendall, 1938).
    Of six cells, which cannot lie so low, it is -1, which is as rare; of fewer it means nothing. Most metrics rise by
    two pairs of each of 5,000 cells, with those a third and half of the cells on, and are not looked at further.
    """
    h, m = (one.ravel()[:: one.size // 5000 + 1] for one in (human, metric))
    rising = 0
    for step in (h.size // 3 + 1, h.size // 2 + 1):
        (up, down), (higher, lower) = ((one[step:] > one[:-step], one[step:] < one[:-step]) for one in (h, m))
        rising += int(np.count_nonzero(up & higher | down & lower) - np.count_nonzero(up & lower | down & higher))
    cells = 0 if rising > 0 else np.count_nonzero(~(np.isnan(human) | np.isnan(metric)))
    if cells < 6:
        return None
    tau_b = values_per_group(group_checked(human, metric, "global"), COEFFICIENTS["tau_b"])
    limit = min(BACKWARDS, -3 * (2 * (2 * cells + 5) / (9 * cells * (cells - 1))) ** 0.5)
    return float(tau_b[0]) if tau_b[0] <= max(limit, -1 + 1e-9) else None
