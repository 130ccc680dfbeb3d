"""Which systems are better? Pairwise accuracy, and the coefficients that have one value for a whole matrix."""

from __future__ import annotations

from numpy.typing import ArrayLike

from tiekit.arguments import Exclude, Human, Metric, read_pair
from tiekit.coefficients.coefficient import Drawn, OfMatrix
from tiekit.coefficients.difference_pearson import difference_pearson
from tiekit.coefficients.pearson import correlation_of
from tiekit.coefficients.per_group import average
from tiekit.coefficients.registry import COEFFICIENTS
from tiekit.coefficients.soft_accuracy import matrices, soft_accuracy
from tiekit.counting.grouping import group
from tiekit.counting.pairs import count_sorted
from tiekit.scores import FloatArray


def pairwise_accuracy(
    data: Human = None,
    metric: Metric = None,
    *,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
) -> float:
    """Return the share of pairs of systems that human and metric order alike by their mean scores.

    Parameters
    ----------
    data : EvalSet, or array_like of shape (systems, segments)
        An evaluation set, or human scores. A system's mean is over its cells with both scores; a system without such a
        cell is left out.
    metric : str, or array_like of that shape
        The name of a metric of the set, or metric scores.
    human : str, optional
        The human score of the set; None is its gold score.
    exclude : str or iterable of str, optional
        Systems of the set to leave out; None: its standard reference and outliers; ``()``: nobody.

    Returns
    -------
    float
        From 0 to 1; a human tie must be a metric tie. It is acc_eq of system means. NaN for fewer than two systems.

    Raises
    ------
    InputError
        For vectors and what `correlate` refuses.

    References
    ----------
    Kocmi et al. (2021), aclanthology.org/2021.wmt-1.57.

    Examples
    --------
    >>> pairwise_accuracy([[1, 2], [2, 3], [4, 4]], [[5, 1], [2, 2], [3, 6]])
    0.666...
    """
    return _accuracy(*matrices(*read_pair(data, metric, human, exclude)), "system_means")


def _accuracy(human: FloatArray, metric: FloatArray, grouping: str) -> float:
    """Pairwise accuracy of checked matrices."""
    counts = count_sorted(group(human, metric, grouping).scores, 0.0)
    return average(COEFFICIENTS["acc_eq"].from_counts(counts), "drop")


def _accuracy_of_draws(drawn: Drawn) -> FloatArray:
    """Pairwise accuracy of many resamples: acc_eq of system means."""
    return COEFFICIENTS["acc_eq"].recount(drawn)


def _soft(human: FloatArray, metric: FloatArray, _: str) -> float:
    """Soft pairwise accuracy with the default number of resamples and seed."""
    return soft_accuracy(human, metric)


def _differences_of_draws(drawn: Drawn) -> FloatArray:
    """Pearson's r of the pairwise differences of many resamples, over all groups together."""
    sums = drawn.sums(ranked=False)
    pairs = sums[..., :1] * sums * (1 if drawn.multiplicity is None else drawn.multiplicity[:, None, :, None])
    return correlation_of(pairs.sum(axis=2))


_ENTRIES = (
    OfMatrix(
        name="pairwise_accuracy",
        label="pairwise accuracy",
        latex=r"\mathrm{Acc}",
        range=(0.0, 1.0),
        reference="Kocmi et al. (2021), aclanthology.org/2021.wmt-1.57",
        undefined="there are fewer than two systems",
        groupings=("system_means",),
        matrix=_accuracy,
        from_draws=_accuracy_of_draws,
    ),
    OfMatrix(
        name="spa",
        label="soft pairwise accuracy",
        latex=r"\mathrm{SPA}",
        range=(0.0, 1.0),
        reference="Thompson et al. (2024), doi:10.18653/v1/2024.wmt-1.118",
        undefined="no two systems have a common segment",
        groupings=("system_means",),
        matrix=_soft,
        together="confidences",
        of_means=False,
        seeded=True,
    ),
    OfMatrix(
        name="pdp",
        label="pairwise-difference Pearson",
        latex=r"\mathrm{PDP}",
        reference="arXiv 2509.25546 (2025)",
        undefined="all differences of the human or of the metric scores are 0",
        groupings=("global", "item", "system"),
        matrix=difference_pearson,
        together="sums",
        from_draws=_differences_of_draws,
    ),
)

SYSTEM_LEVEL: dict[str, OfMatrix] = {entry.name: entry for entry in _ENTRIES}
"""Coefficients of all groups at once, without a mean over groups; a leaderboard shows them beside `COEFFICIENTS`."""
