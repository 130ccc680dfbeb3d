"""What is measured: a coefficient, a grouping and whether epsilon is calibrated; in which groups it is undefined."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tiekit.base.errors import InputError
from tiekit.base.validation import align_all, as_scores
from tiekit.core.coefficients import Coefficient, pool
from tiekit.core.grouping import find_grouping
from tiekit.core.registry import get_coefficient, get_of_counts
from tiekit.core.system_level import SYSTEM_LEVEL


@dataclass(frozen=True)
class Measure:
    """A grouping (also ``"vector"``) × a coefficient, perhaps calibrated: reported at each metric's best epsilon."""

    grouping: str
    coefficient: Coefficient
    calibrated: bool = False

    @property
    def name(self) -> str:
        """As in ``item/acc_eq*``."""
        return f"{self.grouping}/{self.shown}"

    @property
    def average(self) -> str:
        """How one value is made of several groups, one of `AVERAGES`."""
        return "pairs" if self.coefficient.pools else "groups"

    @property
    def shown(self) -> str:
        """The coefficient's name, a star after it where it is calibrated."""
        return f"{self.coefficient.name}{'*' if self.calibrated else ''}"

    @property
    def of_means(self) -> bool:
        """Whether it is made of one mean score per system."""
        return self.grouping == "system_means" and self.coefficient.of_means


DEFAULT = "acc_eq"
"""The coefficient that is meant where none is named; with a star wherever calibration makes sense."""


def get_measure(
    coefficient: str | None,
    grouping: str | None,
    n_dimensions: int = 2,
    *,
    documents: bool = False,
    is_fixed: bool = False,
    average: str = "groups",
) -> Measure:
    """Look up a measure: ``"acc_eq"``, ``"acc_eq*"`` (at each metric's best epsilon) or ``"item/acc_eq*"``.

    None is the default of every function: acc_eq*. It is acc_eq where ``is_fixed`` says that a threshold is named or
    cannot be searched for, and of system means, of which a best epsilon is noise. ``documents`` says that the caller
    knows the segments' documents; without, a grouping by document is refused. ``average`` is one of `AVERAGES`.
    """
    name, grouping = (DEFAULT, grouping) if coefficient is None else _split(coefficient, grouping)
    starred = name.endswith("*")
    entry = (get_of_counts if starred else get_coefficient)(name.removesuffix("*"), more=SYSTEM_LEVEL)
    resolved = entry.resolve_grouping(grouping, n_dimensions, documents=documents)
    searched = coefficient is None and not is_fixed and resolved != "system_means"
    return Measure(resolved, pool(entry, average), starred or searched)


def split_star(
    coefficient: str, grouping: str | None = None, argument: str = "coefficient"
) -> tuple[str, bool, str | None]:
    """The coefficient, whether it is calibrated, and the grouping, of ``"acc_eq*"`` or ``"item/acc_eq*"``."""
    name, grouping = _split(coefficient, grouping, argument)
    return name.removesuffix("*"), name.endswith("*"), grouping


def _split(coefficient: str, grouping: str | None, argument: str = "coefficient") -> tuple[str, str | None]:
    if not isinstance(coefficient, str):
        raise InputError(f"{argument}: must be a name such as 'acc_eq', found {coefficient!r}")
    before, slash, name = coefficient.strip().rpartition("/")
    if not slash:
        return name, grouping
    if before == "vector":
        before = "global"
    named = find_grouping(before)
    if grouping is not None and find_grouping(grouping) != named:
        raise InputError(f"grouping: {grouping!r} contradicts the measure {coefficient!r}")
    return name, named


def groups_in_common(per_group: Mapping[str, ArrayLike]) -> NDArray[np.bool_]:
    """Where every metric's coefficient is defined: the groups on which their means can be compared.

    Parameters
    ----------
    per_group : mapping of str to array_like, shape (groups,)
        By metric, `Correlation.per_group` of one grouping.

    Returns
    -------
    ndarray of bool, shape (groups,)

    Raises
    ------
    InputError
        For no metric, or different numbers of groups.

    References
    ----------
    Deutsch et al. (2023), section 6.1, doi:10.18653/v1/2023.emnlp-main.798.

    Examples
    --------
    >>> groups_in_common({"a": [0.5, float("nan"), 1.0], "b": [0.2, 0.1, 0.3]})
    array([ True, False,  True])
    """
    if not isinstance(per_group, Mapping):
        raise InputError(f"per_group: must be a mapping of metrics to arrays, found {type(per_group).__name__}")
    values = [as_scores(f"per_group[{name!r}]", found) for name, found in align_all("per_group", per_group).items()]
    if len({found.shape for found in values}) != 1:
        raise InputError("per_group: must have at least one metric, and as many groups for each")
    return np.asarray(~np.isnan(values).any(axis=0))
