"""With which probability are pairs kept? So that the human ties a given share of the kept pairs."""

from __future__ import annotations

from collections.abc import Sequence
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


def keep_for_share(
    data: EvalSet | ArrayLike,
    share: float,
    *,
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
        Wanted share of human ties, from 0 to 1, among the kept pairs of all groups together.
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
        For a share outside 0 to 1, and for one that cannot be reached: above 0 where the human ties no pair, below 1
        where the human ties every pair.

    Examples
    --------
    >>> keep_for_share([1, 2, 3, 3], 0.5)
    Keep(tied=1.0, untied=0.2)
    """
    gold, _ = read_metrics(data, () if isinstance(data, EvalSet) else {}, human, exclude)
    named = read_documents(data, documents, human)
    return keep_by_ties(count_ties(gold, grouping=grouping, documents=named), share)


def keep_by_ties(ties: Ties, share: float, argument: str = "share") -> Keep:
    """Find the probabilities where the human ties are counted already; ``argument`` is what the caller passed."""
    wanted, tied, untied = check_probability(argument, share), ties.n_tied, ties.n_pairs - ties.n_tied
    if (wanted > 0 and not tied) or (wanted < 1 and not untied):
        raise InputError(f"{argument}: the human ties {tied} of {ties.n_pairs} pairs, so {share!r} cannot be reached")
    if wanted == ties.share:
        return EVERY
    if wanted < ties.share:
        return Keep(wanted * untied / ((1 - wanted) * tied), 1.0)
    return Keep(1.0, (1 - wanted) * tied / (wanted * untied))
