"""Which threshold would be best if the human tied more of the pairs, or fewer? Pairs that are kept by chance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from tiekit.base.parallel import Progress, showing
from tiekit.base.validation import check_probability, warn_near_ties
from tiekit.core.calibration import calibrated_measure, warn_of_flaws
from tiekit.core.grouping import group_checked
from tiekit.core.reweighting import Keep, Reweighted, WholePairs, check_sample, keep_by_ties, resample, reweigh
from tiekit.core.ties import count_ties
from tiekit.sets.arguments import (
    Exclude,
    Human,
    Metric,
    read_documents,
    read_metrics,
    read_pair,
    sources_of,
    with_names,
)
from tiekit.sets.evalset import EvalSet


def keep_for_share(
    data: EvalSet | ArrayLike,
    share: float,
    *,
    share_of: str = "pairs",
    grouping: str | None = None,
    documents: Sequence[str] | None = None,
    human: str | None = None,
    exclude: Exclude = None,
) -> Keep:
    """Find the probabilities of keeping pairs so that the human ties a given share of the kept pairs.

    Parameters
    ----------
    data : EvalSet, or array_like of shape (n,) or (systems, segments)
        An evaluation set, or human scores.
    share : float
        Wanted share of human ties, from 0 to 1.
    share_of : {"pairs", "mean"}
        Of what it is the share: of the kept pairs of all groups together, as Perrella et al. count; or of the weight
        in the mean over groups, see `Ties.in_mean`. A group that the human ties throughout has full weight in the
        mean, so 8 % of the pairs may be 15 % of the mean.
    grouping, documents
        As for `correlate`.
    human, exclude
        Which human score of the set, without which of its systems; as for `correlate`.

    Returns
    -------
    Keep
        ``tied`` and ``untied``. The larger one is 1; both are 1 where the share is that of the scores.

    Raises
    ------
    InputError
        For a share outside 0 to 1, another ``share_of``, and a share that cannot be reached: above 0 where the human
        ties no pair, below 1 where the human ties every pair. Of the mean also above 0 and below the share of groups
        that are tied throughout, and below 1 and above that of groups with a tie, as long as these keep any pair.

    References
    ----------
    Perrella et al. (2024), sections 4.4 and 4.5, doi:10.18653/v1/2024.acl-long.856.

    Examples
    --------
    >>> keep_for_share([1, 2, 3, 3], 0.5)
    Keep(tied=1.0, untied=0.2)
    """
    gold, _ = read_metrics(data, () if isinstance(data, EvalSet) else {}, human, exclude)
    named = read_documents(data, documents, human)
    return keep_by_ties(count_ties(gold, grouping=grouping, documents=named), share, share_of=share_of)


@with_names
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
    NearTieWarning
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
    scores, named = read_pair(data, metric, human, exclude), read_documents(data, documents, human)
    keep = Keep(check_probability("keep_tied", keep_tied), check_probability("keep_untied", keep_untied))
    check_sample(sample, rng)
    entry, grouping = calibrated_measure(coefficient, grouping, scores[0].ndim, documents=named is not None)
    whole = WholePairs(group_checked(*scores, grouping, named))
    with showing(progress, "calibrate") as told:
        if sample:
            found = resample(whole.grouped, scores, entry, keep, rng, told)
        else:
            found = reweigh(whole, scores, entry, keep, progress=told)
    warn_near_ties((whole.grouped.scores.near_ties, *sources_of(data, metric, human, scores)))
    warn_of_flaws(entry)
    return found
