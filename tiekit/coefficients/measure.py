"""What is a measure? A grouping and a coefficient, as in ``item/acc_eq*``."""

from __future__ import annotations

from dataclasses import dataclass

from tiekit.coefficients.coefficient import Coefficient, pool
from tiekit.coefficients.registry import counted, get_coefficient
from tiekit.coefficients.system_level import SYSTEM_LEVEL
from tiekit.counting.grouping import find_grouping
from tiekit.errors import InputError


@dataclass(frozen=True)
class Measure:
    """A grouping × a coefficient.

    Attributes
    ----------
    grouping : str
        A name of `GROUPINGS` or `DOCUMENT_GROUPINGS`, or ``"vector"``.
    coefficient : Coefficient
    calibrated : bool
        Whether it is reported at each metric's best epsilon, a star after its name.
    """

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

    Raises
    ------
    InputError
        For unknown names, and for a grouping that contradicts the one before the slash.
    """
    name, grouping = (DEFAULT, grouping) if coefficient is None else _split(coefficient, grouping)
    starred = name.endswith("*")
    entry = (counted if starred else get_coefficient)(name.removesuffix("*"), more=SYSTEM_LEVEL)
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
