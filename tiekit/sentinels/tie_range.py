"""How much do a metric's ties decide? A coefficient's range and mean over all ways to break them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from tiekit.base.errors import InputError, collect_warnings
from tiekit.base.results import Result
from tiekit.core.coefficients import OfCounts
from tiekit.core.correlation import correlate
from tiekit.core.measure import get_measure
from tiekit.core.ties import order_tied
from tiekit.sets.arguments import Exclude, Human, Metric, read_documents, read_pair, with_names


@dataclass(frozen=True, repr=False)
class TieRange(Result):
    """What a coefficient can be where a metric's ties are broken.

    Attributes
    ----------
    value : float
        With the ties as they are; NaN where it is undefined.
    low, high : float
        The smallest and largest value over all ways to break the metric's ties.
    mean : float
        The mean over all of these, each being equally likely.
    coefficient, grouping : str
    n_groups : int
        Groups whose mean these are.
    """

    value: float
    low: float
    high: float
    mean: float
    coefficient: str
    grouping: str
    n_groups: int

    @property
    def sentence(self) -> str:
        """The four numbers in words."""
        as_is = "is undefined" if self.value != self.value else f"is {self.value:.3f}"
        if self.low == self.high:
            return f"{self.coefficient} {as_is}, and no tie of the metric can change it."
        return (
            f"{self.coefficient} {as_is}; broken at random, the metric's ties give {self.mean:.3f} on average, and "
            f"anything from {self.low:.3f} to {self.high:.3f} is possible."
        )

    def _facts(self) -> dict[str, object]:
        return {"coefficient": self.coefficient, "grouping": self.grouping, "groups": self.n_groups}


@with_names
def tie_range(
    data: Human = None,
    metric: Metric = None,
    coefficient: str = "tau_b",
    *,
    grouping: str | None = None,
    undefined: str = "drop",
    documents: Sequence[str] | None = None,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
) -> TieRange:
    """Compute the range and the mean of a coefficient over all ways to break a metric's ties, exactly.

    Ties of a coarse scale, or of scores in half precision, are often broken by chance: by the order of a file, or by a
    sort. This is what chance can make of the coefficient. Human ties stay.

    Parameters
    ----------
    data, metric, grouping, undefined, documents, human, exclude
        As for `tiekit.correlate`; groupings by means of scores are refused.
    coefficient : str
        Of counts, without a star, or ``"spearman"``.

    Returns
    -------
    TieRange
        The best order is that of the human scores among tied ones, the worst the reverse. Each pair that only the
        metric ties is concordant in half of all orders, and the coefficients are linear in the numbers of concordant
        and discordant pairs as long as nothing is tied, so the mean lies in the middle. That of τ_b, τ_13 and τ_14
        of scores without human ties is τ_a.

    Raises
    ------
    InputError
        For a star, Pearson's r, means of scores, and what `tiekit.correlate` refuses.

    References
    ----------
    The expected value over tied orders: McSherry and Najork (2008), doi:10.1007/978-3-540-78646-7_38; range and mean
    for low precision: Yang et al. (2026), arXiv 2508.03306.

    Examples
    --------
    >>> found = tie_range([1, 2, 3, 4], [1, 1, 1, 2], "tau_b")
    >>> round(found.value, 3), found.low, found.mean, found.high
    (0.707, 0.0, 0.5, 1.0)
    """
    h, m = read_pair(data, metric, human, exclude)
    known = read_documents(data, documents, human)
    measure = get_measure(coefficient, grouping, h.ndim, documents=known is not None)
    entry = measure.coefficient
    if measure.calibrated or not (isinstance(entry, OfCounts) or entry.name == "spearman"):
        raise InputError(f"coefficient: must be one of counts without a star, or spearman, found {coefficient!r}")
    if measure.grouping in ("system_means", "document_means"):
        raise InputError(f"grouping: ties of single scores cannot be broken by {measure.grouping}")
    asked: dict[str, Any] = {
        "grouping": None if measure.grouping == "vector" else measure.grouping,
        "undefined": undefined,
        "documents": known,
    }
    with collect_warnings():
        low, high = (correlate(h, order_tied(m, by), entry.name, **asked) for by in (-h, h))
        own = correlate(h, m, entry.name, **asked)
    return TieRange(
        value=own.value,
        low=low.value,
        high=high.value,
        mean=low.value / 2 + high.value / 2,
        coefficient=entry.name,
        grouping=measure.grouping,
        n_groups=high.n_groups,
    )
