"""What is kept of a permutation test on the measures page?"""

from __future__ import annotations

from dataclasses import dataclass, fields

import tiekit as tk
from tiekit.core import FloatArray


@dataclass(frozen=True)
class SwapTest:
    """A permutation test without the scores; see `tiekit.significance.PermutationTest`."""

    pvalue: float
    difference: float
    values: tuple[float, float]
    samples: FloatArray
    exact: bool
    note: str
    coefficient: str
    grouping: str
    swap: str
    signature: str

    @property
    def size(self) -> int:
        """The number of resamples."""
        return self.samples.size

    @property
    def as_large(self) -> int:
        """How many resamples have a difference at least as large as the one observed."""
        return round(self.pvalue * self.size) if self.exact else round(self.pvalue * (self.size + 1)) - 1


def without_scores(test: tk.significance.PermutationTest) -> SwapTest:
    """Return a test without the visitor's scores."""
    return SwapTest(**{field.name: getattr(test, field.name) for field in fields(SwapTest)})
