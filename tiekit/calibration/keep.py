"""With which probability are pairs kept? So that the human ties a given share of the kept pairs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from numpy.typing import ArrayLike

from tiekit.arguments import Exclude, check_probability, read_documents, read_metrics
from tiekit.counting.ties import Ties, count_ties
from tiekit.errors import InputError
from tiekit.evalset import EvalSet


class Keep(NamedTuple):
    """The probabilities with which pairs are kept: those that the human ties, and the others."""

    tied: float
    untied: float


EVERY = Keep(1.0, 1.0)
"""Every pair is kept."""

SHARES_OF = {
    "pairs": "the kept pairs of all groups together, as Perrella et al. (2024) count",
    "mean": "the mean over groups, where a metric that ties everything has just this acc_eq",
}
"""What the share of human ties is a share of."""


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


def own_share(ties: Ties, share_of: str) -> float:
    """The human's own share of ties, of all pairs or of the mean over groups."""
    if share_of not in SHARES_OF:
        raise InputError(f"share_of: must be one of {', '.join(SHARES_OF)}, found {share_of!r}")
    return ties.share if share_of == "pairs" else ties.in_mean()


def reachable(ties: Ties, shares: Iterable[float], share_of: str) -> list[float]:
    """Leave out the shares of the mean that groups tied throughout, and groups without a tie, put out of reach."""
    own, (lowest, highest) = own_share(ties, share_of), reach_in_mean(ties)
    return [share for share in shares if share_of == "pairs" or share in (0, own, 1) or lowest < share < highest]


def reach_in_mean(ties: Ties) -> tuple[float, float]:
    """The shares of groups tied throughout and of groups with a tie: shares of the mean lie between, or are 0 or 1."""
    tied, other = ties.by_group.T
    return float((other == 0).mean()), float((tied > 0).mean())


def keep_by_ties(ties: Ties, share: float, argument: str = "share", *, share_of: str = "pairs") -> Keep:
    """Find the probabilities where the human ties are counted already; ``argument`` is what the caller passed."""
    wanted, tied, untied = check_probability(argument, share), ties.n_tied, ties.n_pairs - ties.n_tied
    if (wanted > 0 and not tied) or (wanted < 1 and not untied):
        raise InputError(f"{argument}: the human ties {tied} of {ties.n_pairs} pairs, so {share!r} cannot be reached")
    if wanted == own_share(ties, share_of):
        return EVERY
    if share_of == "mean" and 0 < wanted < 1:
        return _keep_in_mean(ties, wanted, argument)
    if wanted < ties.share:
        return Keep(wanted * untied / ((1 - wanted) * tied), 1.0)
    return Keep(1.0, (1 - wanted) * tied / (wanted * untied))


def _keep_in_mean(ties: Ties, wanted: float, argument: str) -> Keep:
    """Find the probabilities for a share of the mean, which rises with their ratio; to the last digit, by bisection."""
    lowest, highest = reach_in_mean(ties)
    if not lowest < wanted < highest:
        raise InputError(
            f"{argument}: {lowest:.4g} of the groups are tied throughout and {1 - highest:.4g} have no tie, so their "
            f"share of the mean lies between {lowest:.4g} and {highest:.4g}, found {wanted!r}"
        )
    few = wanted < ties.in_mean()

    def keep(ratio: float) -> Keep:
        return Keep(ratio, 1.0) if few else Keep(1.0, ratio)

    low, high = 2.0**-500, 1.0
    while low < (middle := math.sqrt(low) * math.sqrt(high)) < high:
        if (ties.in_mean(*keep(middle)) < wanted) == few:
            low = middle
        else:
            high = middle
    return min((keep(low), keep(high)), key=lambda found: abs(ties.in_mean(*found) - wanted))
