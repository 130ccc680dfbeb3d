"""What is the figure of a permutation test given? The differences that swaps make, in the order drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tiekit.base.validation import FloatArray

DIGITS = 12
"""Of a difference; what lies closer to the observed one counts as equal."""


def given(
    names: tuple[str, str],
    label: str,
    values: Sequence[float],
    samples: FloatArray,
    *,
    exact: bool = False,
    what: str = "",
    note: str = "",
) -> dict[str, Any]:
    """Return what the browser is given of a test.

    Parameters
    ----------
    names : pair of str
        What the metrics are called.
    label : str
        The printed name of the measure.
    values : pair of float
        The measure of both metrics; both are defined.
    samples : ndarray, shape (n,)
        The first minus the second metric after each swap; NaN where it is undefined.
    exact : bool
        Whether the samples are those of all ways to swap.
    what : str
        A sentence that says what is swapped.
    note : str
        Why nothing can be significant, if that is so.
    """
    return {
        "names": list(names),
        "label": label,
        "values": [float(value) for value in values],
        "observed": round(float(values[0] - values[1]), DIGITS),
        "samples": [None if value != value else round(float(value), DIGITS) for value in samples],
        "exact": exact,
        "what": what,
        "note": note,
        "drawn": 0,
    }
