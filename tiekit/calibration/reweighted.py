"""What if the human tied more pairs, or fewer? Calibration on pairs that are kept with a probability.

Every pair that the human ties has the weight ``keep_tied``, every other pair the weight ``keep_untied``: these are the
expected counts of a sample in which each pair is kept with that probability. Optionally such a sample is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from numbers import Integral

import numpy as np
from numpy.typing import ArrayLike

from tiekit.arguments import Exclude, Human, Metric, check_probability, read_documents, read_pair, sources_of
from tiekit.calibration._weighted_pairs import (
    TIED,
    UNTIED,
    SampledPairs,
    Weighed,
    WholePairs,
    best_threshold,
    sample_pairs,
)
from tiekit.calibration.exact import calibrated_measure, warn_of_flaws
from tiekit.calibration.keep import EVERY, Keep
from tiekit.coefficients.coefficient import Coefficient
from tiekit.coefficients.per_group import average
from tiekit.counting.grouping import Grouped, group
from tiekit.counting.ties import weight_in_mean
from tiekit.errors import InputError
from tiekit.near_ties import warn_near_ties
from tiekit.progress import Progress, showing
from tiekit.result import ResultOfScores
from tiekit.scores import FloatArray, check_epsilon
from tiekit.seeds import as_generator
from tiekit.signature import signature


@dataclass(frozen=True, eq=False, repr=False)
class Reweighted(ResultOfScores):
    """The best tie threshold where pairs that the human ties, or all other pairs, have a lower weight.

    Attributes
    ----------
    epsilon : float
        The smallest candidate that maximizes the coefficient; 0 where no pair is kept.
    value : float
        The coefficient at epsilon, averaged over the groups in which it is defined; NaN where no pair is kept.
    value_at_zero : float
        The coefficient without calibration.
    share_of_ties : float
        The share of the kept pairs of all groups that the human ties; NaN where no pair is kept.
    share_in_mean : float
        The mean over groups of each one's share of human ties: the weight that ties have in ``value``, and acc_eq of a
        metric that ties everything. Larger than ``share_of_ties`` where groups that are tied throughout keep few pairs.
    n_pairs : float
        Number of kept pairs: the expected number, or that of the sample.
    n_groups, n_undefined : int
        Groups in the mean at epsilon; groups with at least two scored cells whose coefficient is undefined there.
    coefficient, grouping, keep_tied, keep_untied
        What was asked for.
    seed : str
        The seed of the sample, or "generator"; "none" where pairs are weighted.
    scores : tuple of two arrays
        The human and metric scores as they were read.
    pairs : WholePairs or SampledPairs
        The pairs that were calibrated on.
    entry : Coefficient
        The coefficient of weighted pairs.
    """

    epsilon: float
    value: float
    value_at_zero: float
    share_of_ties: float
    share_in_mean: float
    n_pairs: float
    n_groups: int
    n_undefined: int
    coefficient: str
    grouping: str
    keep_tied: float
    keep_untied: float
    seed: str
    scores: tuple[FloatArray, FloatArray] = field(repr=False)
    pairs: WholePairs | SampledPairs = field(repr=False)
    entry: Coefficient = field(repr=False)

    @property
    def signature(self) -> str:
        """One line that makes the number reproducible."""
        return signature(
            coefficient=f"{self.coefficient}*",
            grouping=self.grouping,
            keep_tied=self.keep_tied,
            keep_untied=self.keep_untied,
            epsilon=self.epsilon,
            undefined="drop",
            groups=self.n_groups,
            undefined_groups=self.n_undefined,
            data=self.digest,
            seed=self.seed,
        )

    def value_at(self, epsilon: float) -> float:
        """Return the coefficient at another threshold, averaged over the groups in which it is defined.

        Examples
        --------
        >>> calibrate_reweighted([1, 2, 2, 3], [1, 5, 6, 9], keep_tied=0.5).value_at(1)
        1.0
        """
        return average(self.entry.from_counts(self.pairs.counts_at(check_epsilon(epsilon))), "drop")


def calibrate_reweighted(
    data: Human = None,
    metric: Metric = None,
    coefficient: str = "acc_eq",
    *,
    grouping: str | None = None,
    keep_tied: float = 1.0,
    keep_untied: float = 1.0,
    sample: bool = False,
    documents: Sequence[str] | None = None,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
    rng: np.random.Generator | int | None = None,
    progress: Progress | bool | None = None,
) -> Reweighted:
    """Find the tie threshold that would be best if the human tied more of the pairs, or fewer.

    Parameters
    ----------
    data, metric, coefficient, grouping, documents, human, exclude
        As for `calibrate`: an `EvalSet` and the name of a metric, or arrays of human and metric scores.
    keep_tied, keep_untied : float
        The probabilities from 0 to 1 with which a pair is kept that the human ties, and one that the human does not
        tie: 1 − p_t and 1 − p_n of the paper. See `keep_for_share`.
    sample : bool
        False: every pair has the probability with which it is kept as its weight. This is exact, for any number of
        pairs. True: draw which pairs are kept, as the paper does. The same seed draws the same pairs for all metrics
        whose scores have one shape, and a larger probability only adds pairs. The sample depends on the order of the
        rows.
    rng : numpy Generator or int, optional
        Random-number generator or seed of the sample; None is seed 0. Only with ``sample=True``.
    progress : function of a float, or bool, optional
        Called with the fraction done; raise an exception to cancel.
        None and True show a bar on a terminal or in a notebook, after a second; False shows none.

    Returns
    -------
    Reweighted
        The result of `calibrate` where both probabilities are 1. tau_c takes as n the number of scores that have the
        weighted number of pairs; its k remains that of all scores.

    Raises
    ------
    InputError
        For probabilities outside 0 to 1, a sample from more than a million pairs or by document, a seed without a
        sample, and what `calibrate` refuses.

    Warns
    -----
    As `calibrate`.

    References
    ----------
    Perrella et al. (2024), section 4.4, doi:10.18653/v1/2024.acl-long.856.

    Examples
    --------
    >>> human, metric = [1, 2, 2, 3, 3, 3], [1, 2, 4, 3, 6, 9]
    >>> for keep_tied in (1, 0.5, 0):
    ...     found = calibrate_reweighted(human, metric, keep_tied=keep_tied)
    ...     print(found.epsilon, round(found.value, 3), round(found.share_of_ties, 3), found.n_pairs)
    0.0 0.667 0.267 15.0
    0.0 0.769 0.154 13.0
    0.0 0.909 0.0 11.0
    """
    h, m = read_pair(data, metric, human, exclude)
    keep = Keep(check_probability("keep_tied", keep_tied), check_probability("keep_untied", keep_untied))
    check_sample(sample, rng)
    named = read_documents(data, documents, human)
    entry, grouping = calibrated_measure(coefficient, grouping, h.ndim, documents=named is not None)
    whole = WholePairs(group(h, m, grouping, named))
    with showing(progress, "calibrate") as told:
        if sample:
            found = resample(whole.grouped, (h, m), entry, keep, rng, told)
        else:
            found = reweigh(whole, (h, m), entry, keep, progress=told)
    warn_near_ties(whole.grouped.scores.near_ties, *sources_of(data, metric, human, (h, m)))
    warn_of_flaws(entry)
    return found


def check_sample(sample: bool, rng: np.random.Generator | int | None) -> None:
    """Refuse a seed where nothing is drawn."""
    if not isinstance(sample, bool | np.bool_):
        raise InputError(f"sample: must be True or False, found {sample!r}")
    if rng is not None and not sample:
        raise InputError(f"rng: nothing is drawn unless sample=True, found {rng!r}")


def resample(
    grouped: Grouped,
    scores: tuple[FloatArray, FloatArray],
    entry: Coefficient,
    keep: Keep,
    rng: np.random.Generator | int | None,
    progress: Progress | None = None,
) -> Reweighted:
    """Calibrate on a sample of the pairs, without a warning."""
    pairs = sample_pairs(grouped, *scores, keep, as_generator(rng))
    seed = "0" if rng is None else str(rng) if isinstance(rng, Integral) else "generator"
    found = reweigh(pairs, scores, entry, EVERY, progress=progress)
    return replace(found, keep_tied=keep.tied, keep_untied=keep.untied, seed=seed)


def reweigh(
    pairs: WholePairs | SampledPairs,
    scores: tuple[FloatArray, FloatArray],
    entry: Coefficient,
    keep: Keep,
    *,
    progress: Progress | None = None,
) -> Reweighted:
    """Calibrate on pairs with weights, without a warning."""
    assert entry.formula is not None
    weighed = replace(entry, formula=Weighed(entry.formula, keep))
    epsilon = best_threshold(pairs, entry, weighed, keep, progress)
    values = weighed.from_counts(pairs.counts_at(epsilon))
    n_undefined = int(np.isnan(values).sum())
    by_group = np.stack([pairs.at_zero.counts[:, kinds].sum(axis=1) for kinds in (TIED, UNTIED)], axis=1)
    tied, untied = by_group.sum(axis=0).tolist()
    n_pairs = keep.tied * tied + keep.untied * untied
    return Reweighted(
        epsilon=epsilon,
        value=average(values, "drop"),
        value_at_zero=average(weighed.from_counts(pairs.at_zero.counts), "drop"),
        share_of_ties=keep.tied * tied / n_pairs if n_pairs else float("nan"),
        share_in_mean=weight_in_mean(by_group, *keep),
        n_pairs=n_pairs,
        n_groups=values.size - n_undefined,
        n_undefined=n_undefined,
        coefficient=entry.name,
        grouping=pairs.grouped.grouping,
        keep_tied=keep.tied,
        keep_untied=keep.untied,
        seed="none",
        scores=scores,
        pairs=pairs,
        entry=weighed,
    )
