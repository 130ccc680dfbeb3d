"""How well does a metric agree with the human scores?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike

from tiekit.base.errors import InputError
from tiekit.base.near_ties import warn_near_ties
from tiekit.base.parallel import Progress, showing
from tiekit.base.results import Plotted, ResultOfScores, signature
from tiekit.base.validation import FloatArray, check_epsilon
from tiekit.core.calibration import best_epsilon
from tiekit.core.coefficients import OfMatrix, Pooled, check_margin, check_policy, values_per_group
from tiekit.core.coefficients import average as average_of
from tiekit.core.grouping import group
from tiekit.core.measure import get_measure
from tiekit.core.pairs import count_sorted, count_within
from tiekit.sets.arguments import Exclude, Human, Metric, read_documents, read_pair, sources_of


@dataclass(frozen=True, eq=False, repr=False)
class Correlation(Plotted, ResultOfScores):
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

    @property
    def signature(self) -> str:
        """One line that makes the number reproducible."""
        return signature(
            coefficient=self.coefficient,
            grouping=self.grouping,
            epsilon=self.epsilon,
            undefined=self.undefined,
            average=self.average,
            **({"human_margin": self.human_margin} if self.human_margin else {}),
            groups=self.n_groups,
            undefined_groups=self.n_undefined,
            data=self.digest,
        )


def correlate(
    data: Human = None,
    metric: Metric = None,
    coefficient: str | None = None,
    *,
    grouping: str | None = None,
    epsilon: float | None = None,
    undefined: str = "drop",
    average: str = "groups",
    human_margin: float = 0.0,
    documents: Sequence[str] | None = None,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
    progress: Progress | bool | None = None,
) -> Correlation:
    """Measure how well a metric agrees with the human scores.

    Parameters
    ----------
    data : EvalSet, or array_like of shape (n,) or (systems, segments)
        An evaluation set, or human scores. Higher is better on both sides. NaN or None is a missing score: the cell
        is left out of every pair. Series and DataFrames of pandas on both sides are matched by label.
    metric : str, or array_like of that shape
        The name of a metric of the set (``COMET-22`` where only ``COMET-22-refA`` fits), or metric scores.
    coefficient : str or None
        None is ``"acc_eq*"``; it is acc_eq where ``epsilon`` or ``human_margin`` is given, and of system means, of
        which a best epsilon is noise. Otherwise a name of `COEFFICIENTS` or of `tiekit.measures.SYSTEM_LEVEL`. A star
        after it (``"acc_eq*"``) asks for the value at the best epsilon, see `calibrate`; a grouping may stand before it
        (``"item/acc_eq*"``).
    grouping : {"global", "item", "system", "system_means", "document", "document_means"} or None
        Which pairs are compared; None is item for matrices and one group for vectors. By document, all translations of
        a document's segments are compared; document_means compares the systems' mean scores in each document.
    epsilon : float, optional
        Two metric scores are tied when they differ by at most this much; 0 for a coefficient without a star.
    undefined : {"drop", "zero"}
        Groups whose coefficient is undefined are left out of the mean (WMT's practice) or count as 0, also where all
        are undefined. Coefficients of all groups at once stay NaN where they are undefined.
    average : {"groups", "pairs"}
        ``"groups"``: the unweighted mean over groups. ``"pairs"``: the counts of all groups are summed, and the formula
        is applied to the sums. For a share of pairs, such as tau_10 or acc_eq, this is the mean over groups weighted by
        pairs. Coefficients that are no ratios of counts of pairs (pearson, spearman, tau_c) have none.
    human_margin : float
        Pairs whose human scores differ by less are left out, see `count_pairs`; for coefficients of pairs without a
        star. Kendall's τ of WMT 2017–2020 is ``"tau_10"`` by item with ``average="pairs"`` and a margin of 25: pairs
        count that differ by at least 25 points of direct assessment.
    documents : sequence of str, optional
        The document of every segment; None: those of the set. Groupings by document need it.
    human : str, optional
        The human score of the set; None is its gold score.
    exclude : str or iterable of str, optional
        Systems of the set to leave out; None: its standard reference and outliers; ``()``: nobody.
    progress
        Of the search for the best epsilon, as for `calibrate`.

    Returns
    -------
    Correlation
        Unweighted mean over the groups with at least two scored cells, or the value of all their pairs; NaN where there
        is no group, or none is defined and they do not count as 0.

    Raises
    ------
    InputError
        For unknown names, an epsilon with a coefficient that knows none or with a star, and what `count_pairs`
        refuses.

    Warns
    -----
    NearTieWarning
        Where distinct scores differ by less than 1e-12 of their range.
    OrientationWarning
        Where a matrix has far more rows than columns.

    References
    ----------
    Deutsch et al. (2023), Appendix A, Equations 1–3, doi:10.18653/v1/2023.emnlp-main.798.

    Examples
    --------
    >>> result = correlate([[1, 2, 3], [4, 5, 6]], [[2, 1, 4], [3, 3, 7]], "tau_b", grouping="system")
    >>> f"{result:.3f}", result.n_groups
    ('0.575', 2)
    >>> best = correlate([1, 2, 2, 3, 4], [2, 1, 1.5, 5, 3], "acc_eq*")
    >>> best.value, best.epsilon
    (0.7, 0.5)
    """
    is_fixed = epsilon is not None or bool(human_margin)
    epsilon = check_epsilon(0.0 if epsilon is None else epsilon)
    check_policy(undefined)
    scores = read_pair(data, metric, human, exclude)
    named = read_documents(data, documents, human)
    measure = get_measure(
        coefficient, grouping, scores[0].ndim, documents=named is not None, is_fixed=is_fixed, average=average
    )
    entry = measure.coefficient
    margin = check_margin(human_margin, entry, calibrated=measure.calibrated)
    if epsilon and measure.calibrated:
        raise InputError(f"epsilon: {entry.name}* finds its own, so it must be 0, found {epsilon!r}")
    if epsilon and not entry.takes_epsilon:
        raise InputError(f"epsilon: {entry.name} knows no ties of the metric, so it must be 0, found {epsilon!r}")
    grouped = group(*scores, None if measure.grouping == "vector" else measure.grouping, named)
    grouped = replace(grouped, scores=replace(grouped.scores, human_margin=margin))
    warn_near_ties(grouped.scores.near_ties, *sources_of(data, metric, human, scores))
    if measure.calibrated:
        with showing(progress, "calibrate") as told:
            epsilon = best_epsilon(grouped, entry, count_within(grouped.scores, 0.0), told)
    if isinstance(entry, OfMatrix):
        by = "global" if measure.grouping == "vector" else measure.grouping
        values = per_group = np.array([entry.evaluate(np.atleast_2d(scores[0]), np.atleast_2d(scores[1]), by)])
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
    )
