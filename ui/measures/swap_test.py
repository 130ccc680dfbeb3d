"""What do the parts of the measures page share? How measures and tests are put into words."""

from __future__ import annotations

from dataclasses import dataclass

import tiekit as tk
from tiekit.scores import FloatArray


@dataclass(frozen=True)
class SwapTest:
    """What is kept of a permutation test: all but the scores, see `tiekit.significance.PermutationTest`."""

    pvalue: float
    difference: float
    values: tuple[float, float]
    samples: FloatArray
    exact: bool
    note: str
    signature: str

    @property
    def size(self) -> int:
        """Resamples."""
        return self.samples.size

    @property
    def as_large(self) -> int:
        """How many of them differ as much as the scores as they are."""
        return round(self.pvalue * self.size) if self.exact else round(self.pvalue * (self.size + 1)) - 1


def without_scores(test: tk.significance.PermutationTest) -> SwapTest:
    """A test without the scores that a visitor gave."""
    names = ("pvalue", "difference", "values", "samples", "exact", "note", "signature")
    return SwapTest(*(getattr(test, name) for name in names))
