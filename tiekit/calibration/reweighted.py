"""What if the human tied more pairs, or fewer? Calibration on pairs that are kept with a probability.

Every pair that the human ties counts ``keep_tied`` times, every other one ``keep_untied`` times: the expected counts of
a sample in which it is kept with that probability. Or such a sample is drawn.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field, replace
from numbers import Integral, Real

import numpy as np
from numpy.typing import ArrayLike

from tiekit.calibration._weighted_pairs import (
    EVERY,
    TIED,
    UNTIED,
    Keep,
    SampledPairs,
    Weighed,
    WholePairs,
    best_threshold,
    sample_pairs,
)
from tiekit.calibration.exact import EXPLOITED
from tiekit.coefficients.coefficient import Coefficient
from tiekit.coefficients.per_group import average
from tiekit.coefficients.registry import counted
from tiekit.counting.grouping import Grouped, group
from tiekit.counting.pairs import warn_near_ties
from tiekit.counting.ties import count_ties
from tiekit.errors import CalibrationWarning, InputError
from tiekit.progress import Progress
from tiekit.scores import FloatArray, check_epsilon, check_pair
from tiekit.seeds import as_generator
from tiekit.signature import digest_of, signature


@dataclass(frozen=True, eq=False)
class Reweighted:
    """The best threshold once pairs that the human ties, or the others, count less.

    Attributes
    ----------
    epsilon : float
        The smallest candidate that maximises the coefficient; 0 where no pair is kept.
    value : float
        The coefficient there, averaged over the groups on which it is defined; NaN where no pair is kept.
    value_at_zero : float
        The same without calibration.
    share_of_ties : float
        Of the kept pairs of all groups, those that the human ties; NaN where no pair is kept.
    n_pairs : float
        Kept pairs: expected ones, or those of the sample.
    n_groups, n_undefined : int
        Groups in the mean at epsilon; groups of two scored cells whose coefficient is undefined there.
    coefficient, grouping, keep_tied, keep_untied
        What was asked for.
    seed : str
        What drew the sample: a number or "generator"; "none" where pairs are weighed.
    scores : tuple of two arrays
        The human and metric scores as they were read.
    pairs : WholePairs or SampledPairs
    entry : Coefficient
        The coefficient of weighed pairs.
    """

    epsilon: float
    value: float
    value_at_zero: float
    share_of_ties: float
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
            data=digest_of(*self.scores),
            seed=self.seed,
        )

    def value_at(self, epsilon: float) -> float:
        """The coefficient at another threshold, averaged over the groups on which it is defined.

        Examples
        --------
        >>> calibrate_reweighted([1, 2, 2, 3], [1, 5, 6, 9], keep_tied=0.5).value_at(1)
        1.0
        """
        return average(self.entry.from_counts(self.pairs.counts_at(check_epsilon(epsilon))), "drop")


def calibrate_reweighted(
    human: ArrayLike,
    metric: ArrayLike,
    coefficient: str = "acc_eq",
    *,
    grouping: str | None = None,
    keep_tied: float = 1.0,
    keep_untied: float = 1.0,
    rng: np.random.Generator | int | None = None,
    progress: Progress | None = None,
) -> Reweighted:
    """Find the tie threshold that would be best if the human tied more of the pairs, or fewer.

    Parameters
    ----------
    human, metric, coefficient, grouping
        As for `calibrate`.
    keep_tied, keep_untied : float
        Probabilities from 0 to 1 with which a pair is kept that the human ties, or does not: 1 − p_t and 1 − p_n of
        the paper. See `keep_for_share`.
    rng : numpy Generator or int, optional
        None: every pair counts as often as it is expected to be kept; exact, of any number of pairs. Otherwise it
        draws which pairs are kept: with one seed the same ones for every metric of scores of one shape, and the more
        the larger the probability. Which ones those are depends on the order of the rows.
    progress : function of a float, optional
        As for `calibrate`.

    Returns
    -------
    Reweighted
        With both probabilities 1 what `calibrate` returns. tau_c's n is that of which there are so many pairs; its k
        remains that of all scores.

    Raises
    ------
    InputError
        For probabilities outside 0 to 1, for a sample of more than `MOST_SAMPLED` pairs, as `calibrate` otherwise.

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
    h, m = check_pair(human, metric)
    keep = Keep(_probability("keep_tied", keep_tied), _probability("keep_untied", keep_untied))
    entry = counted(coefficient)
    whole = WholePairs(group(h, m, grouping))
    if rng is None:
        found = reweigh(whole, (h, m), entry, keep, progress=progress)
    else:
        found = resample(whole.grouped, (h, m), entry, keep, rng, progress)
    warn_near_ties(whole.grouped.scores)
    if not found.entry.handles_ties:
        warnings.warn(f"coefficient: {found.coefficient} {EXPLOITED}", CalibrationWarning, stacklevel=2)
    return found


def keep_for_share(human: ArrayLike, share: float, *, grouping: str | None = None) -> Keep:
    """With which probabilities to keep pairs so that the human ties a given share of those that are kept.

    Parameters
    ----------
    human : array_like, shape (n,) or (systems, segments)
    share : float
        From 0 to 1, of the pairs of all groups together.
    grouping : str or None
        As for `correlate`.

    Returns
    -------
    Keep
        ``tied`` and ``untied``; the larger one is 1, both are at the share that the scores have.

    Raises
    ------
    InputError
        For another share, and for one that no pairs can have: any above 0 where the human ties none, any below 1
        where all are tied.

    Examples
    --------
    >>> keep_for_share([1, 2, 3, 3], 0.5)
    Keep(tied=1.0, untied=0.2)
    """
    ties = count_ties(human, grouping=grouping)
    wanted, tied, untied = _probability("share", share), ties.n_tied, ties.n_pairs - ties.n_tied
    if (wanted > 0 and not tied) or (wanted < 1 and not untied):
        raise InputError(f"share: the human ties {tied} of {ties.n_pairs} pairs, so it cannot be {share!r}")
    if wanted == ties.share:
        return EVERY
    if wanted < ties.share:
        return Keep(wanted * untied / ((1 - wanted) * tied), 1.0)
    return Keep(1.0, (1 - wanted) * tied / (wanted * untied))


def _probability(name: str, value: float) -> float:
    if not isinstance(value, Real) or isinstance(value, bool) or not 0 <= float(value) <= 1:
        raise InputError(f"{name}: must be a number from 0 to 1, found {value!r}")
    return float(value)


def resample(
    grouped: Grouped,
    scores: tuple[FloatArray, FloatArray],
    entry: Coefficient,
    keep: Keep,
    rng: np.random.Generator | int,
    progress: Progress | None = None,
) -> Reweighted:
    """Calibrate on a sample of the pairs."""
    pairs = sample_pairs(grouped, *scores, keep, as_generator(rng))
    seed = str(rng) if isinstance(rng, Integral) else "generator"
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
    """`calibrate_reweighted` on pairs that are ready, without a warning."""
    assert entry.formula is not None
    weighed = replace(entry, formula=Weighed(entry.formula, keep))
    epsilon = best_threshold(pairs, entry, weighed, keep, progress)
    values = weighed.from_counts(pairs.counts_at(epsilon))
    n_undefined = int(np.isnan(values).sum())
    tied, untied = (int(pairs.at_zero.counts[:, kinds].sum()) for kinds in (TIED, UNTIED))
    n_pairs = keep.tied * tied + keep.untied * untied
    return Reweighted(
        epsilon=epsilon,
        value=average(values, "drop"),
        value_at_zero=average(weighed.from_counts(pairs.at_zero.counts), "drop"),
        share_of_ties=keep.tied * tied / n_pairs if n_pairs else float("nan"),
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
