"""What is the swap explorer shown? Scores that one swaps by hand, or the differences that a test has found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from tiekit.base.errors import InputError
from tiekit.base.validation import FloatArray, check_pair
from tiekit.core.registry import COEFFICIENTS
from tiekit.core.system_level import GROUPING_WORDS, label_of
from tiekit.figures.figures import FIGURES
from tiekit.figures.json_values import line
from tiekit.sets.cells import share_cells
from tiekit.significance._recount import lay_out
from tiekit.significance._resampled_measures import as_matrix
from tiekit.significance.permutation import differing, is_constant
from tiekit.significance.schemes import SWAPS

FIGURE = FIGURES["swap_explorer"]

TITLE = "A permutation test by hand"
TITLE_OF_TEST = "Is the difference between two metrics significant?"

MOST_SCORES = 60
"""Maximum number of items that are swapped by hand."""

MOST_DRAWS = 9_999
"""Maximum number of random swaps that are counted."""

FEW_ITEMS = 12
"""Maximum number of items of which every way to swap is tried on request."""

DIGITS = 12
"""Of a difference that a test has found; what lies closer to the observed one counts as equal."""

Scores = tuple[FloatArray, FloatArray, FloatArray]
"""Human scores, and those of two metrics."""


class Test(Protocol):
    """What is shown of a `tiekit.significance.PermutationTest`."""

    @property
    def values(self) -> tuple[float, float]: ...
    @property
    def samples(self) -> FloatArray: ...
    @property
    def exact(self) -> bool: ...
    @property
    def pvalue(self) -> float: ...
    @property
    def note(self) -> str: ...
    @property
    def coefficient(self) -> str: ...
    @property
    def grouping(self) -> str: ...
    @property
    def swap(self) -> str: ...


def swap_vectors(human: ArrayLike, a: ArrayLike, b: ArrayLike, names: tuple[str, str] = ("a", "b")) -> Scores:
    """Check human scores and those of two metrics: vectors of one length, of a size that can be swapped by hand.

    As in a permutation test, an item that a metric has not scored counts for neither; a CoverageWarning says so.
    """
    h, first = check_pair(human, a, "a")
    _, second = check_pair(human, b, "b")
    if h.ndim != 1:
        raise InputError(f"human: must be a vector, found shape {h.shape}")
    if h.size > MOST_SCORES:
        raise InputError(f"human: must have at most {MOST_SCORES} scores to be swapped by hand, found {h.size}")
    compared = share_cells(h, dict(zip(names, (first, second), strict=True)))
    compared.warn(advice="")
    return compared.human.reshape(h.shape), first, second


def two_names(names: Sequence[str]) -> tuple[str, str]:
    """Check the names of two metrics: two different texts that are not empty."""
    found = list(names) if isinstance(names, Sequence) and not isinstance(names, str) else []
    if len(found) != 2 or found[0] == found[1] or not all(isinstance(name, str) and name.strip() for name in found):
        raise InputError(f"names: must be two different texts that are not empty, found {names!r}")
    return found[0], found[1]


def items(scores: Scores) -> list[int]:
    """Return the items whose scores can be swapped: those with a human score and a score of each metric."""
    return [int(item) for item in np.flatnonzero(differing(*scores))]


def z_scores(scores: Scores) -> list[list[float]]:
    """Return both metrics' scores as a permutation test swaps them; a missing one is NaN."""
    human, *metrics = (as_matrix(one) for one in scores)
    atoms = lay_out(human, metrics, "global", (0.0, 0.0))
    z = np.full((2, human.size), np.nan)
    z[atoms.source, atoms.cell] = atoms.z
    return [[float(score) for score in row] for row in z]


def swaps_by_hand(scores: Scores, names: tuple[str, str]) -> dict[str, Any]:
    """Return what no swap changes: the scores, which items can be swapped, the coefficients, and the bounds."""
    human, *metrics = scores
    constant = [name for name, metric in zip(names, metrics, strict=True) if is_constant(human, metric)]
    return {
        "human": line(human.tolist()),
        "metrics": [
            {"name": name, "scores": line(metric.tolist()), "z": line(z)}
            for name, metric, z in zip(names, metrics, z_scores(scores), strict=True)
        ],
        "items": items(scores),
        "coefficients": [{"name": entry.name, "label": entry.label} for entry in COEFFICIENTS.values()],
        "most": MOST_DRAWS,
        "few": FEW_ITEMS,
        "what": "",
        "note": _constant(constant),
    }


def swaps_of_test(test: Test, names: tuple[str, str]) -> dict[str, Any]:
    """Return what is shown of a test that has been run, whose difference is defined, and its state at first."""
    constant = [name for name, argument in zip(names, ("metric_a", "metric_b"), strict=True) if argument in test.note]
    text = SWAPS[test.swap].text.partition(" (")[0].partition(";")[0]
    a, b = test.values
    by = GROUPING_WORDS.get(test.grouping, "")
    return {
        "human": [],
        "metrics": [{"name": name} for name in names],
        "items": [],
        "coefficients": [
            {
                "name": test.coefficient,
                "label": f"{label_of(test.coefficient)} {'of ' * by.endswith('means')}{by}".rstrip(),
            }
        ],
        "most": test.samples.size,
        "few": FEW_ITEMS,
        "what": f"Here {text}.",
        "note": _constant(constant) if test.pvalue == 1 else "",
        "values": [float(a), float(b)],
        "observed": round(float(a - b), DIGITS),
        "samples": line(test.samples.round(DIGITS).tolist()),
        "exact": test.exact,
        "coefficient": test.coefficient,
        "swapped": [],
        "draws": 0,
        "seed": 0,
    }


def _constant(names: Sequence[str]) -> str:
    return f"{' and '.join(names)}: one score for all items, so never significant" if names else ""
