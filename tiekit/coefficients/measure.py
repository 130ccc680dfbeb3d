"""What is a measure? A grouping and a coefficient, as in ``item/acc_eq*``."""

from __future__ import annotations

from dataclasses import dataclass

from tiekit.coefficients.registry import Coefficient, counted, get_coefficient
from tiekit.coefficients.system_level import SYSTEM_LEVEL
from tiekit.counting.grouping import resolve_grouping
from tiekit.errors import InputError


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
    if entry.name in ("pairwise_accuracy", "spa"):
        if n_dimensions == 1 or grouping not in (None, "system_means"):
            raise InputError(
                f"grouping: {entry.name} compares systems of a matrix, so it must be None, found {grouping!r}"
            )
        grouping = "system_means"
    if entry.name == "pdp" and grouping == "system_means":
        raise InputError("grouping: pdp compares translations, so it must be global, item or system")
    if starred:
        counted(entry.name)
    return Measure(resolve_grouping(grouping, n_dimensions), entry, starred)
