"""What is a measure? A grouping and a coefficient, as in ``item/acc_eq*``."""

from __future__ import annotations

from dataclasses import dataclass

from tiekit.coefficients.coefficient import Coefficient
from tiekit.coefficients.registry import counted, get_coefficient
from tiekit.coefficients.system_level import SYSTEM_LEVEL


@dataclass(frozen=True)
class Measure:
    """A grouping × a coefficient.

    Attributes
    ----------
    grouping : str
        A name of `GROUPINGS`, or ``"vector"``.
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
        return f"{self.grouping}/{self.coefficient.name}{'*' if self.calibrated else ''}"


def get_measure(coefficient: str, grouping: str | None, n_dimensions: int = 2) -> Measure:
    """Look up a measure; a star after the coefficient asks for each metric's best epsilon."""
    starred = isinstance(coefficient, str) and coefficient.endswith("*")
    name = coefficient[:-1] if starred else coefficient
    entry = SYSTEM_LEVEL[name] if name in SYSTEM_LEVEL else get_coefficient(name)
    resolved = entry.resolve_grouping(grouping, n_dimensions)
    if starred:
        counted(entry.name)
    return Measure(resolved, entry, starred)
