"""How many segments does a difference between two metrics need? Interval widths on parts of the segments."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from tiekit.base.errors import InputError, collect_warnings, quote
from tiekit.base.parallel import Progress, part_of, showing
from tiekit.base.results import Result
from tiekit.base.validation import check_count, seed_of
from tiekit.sets.arguments import Exclude, Human, Metric, read_several, with_names
from tiekit.significance.intervals import bootstrap_interval

PARTS = (8, 4, 2, 1)
"""By default an eighth, a quarter, a half and all of the segments are looked at."""


@dataclass(frozen=True, eq=False, repr=False)
class SegmentsNeeded(Result):
    """How wide the interval of a difference is on fewer segments; ``print`` says it in a sentence.

    Attributes
    ----------
    difference : float
        The metric's value minus the other one's, on all segments.
    rows : pandas.DataFrame
        One row per number of segments: ``width`` of the interval and ``found``, the share of the random parts whose
        interval leaves out 0; both are means over ``repeats`` parts. ``expected`` is the width by the square-root law.
    needed : float
        At how many segments half the width is as large as the difference, by the square-root law; infinite where there
        is no difference.
    coefficient, grouping : str
    confidence, n_segments, repeats, n_resamples, seed
        How it was computed.
    """

    _number: ClassVar[str | None] = "needed"

    difference: float
    rows: pd.DataFrame
    needed: float
    coefficient: str
    grouping: str
    confidence: float
    n_segments: int
    repeats: int
    n_resamples: int
    seed: int

    @property
    def sentence(self) -> str:
        """Difference, interval, and how many segments would be about enough."""
        half = self.rows["width"].iloc[-1] / 2
        said = (
            f"The difference in {self.coefficient} is {self.difference:+.4f}, with a {self.confidence:.0%} interval of "
            f"±{half:.4f} on {self.rows.index[-1]:,} segments"
        )
        if not math.isfinite(self.needed):
            return f"{said}: no number of segments would tell the two apart."
        return f"{said}: about {self.needed:,.0f} segments are needed to tell it from 0."

    def _facts(self) -> dict[str, object]:
        return {
            "coefficient": self.coefficient,
            "grouping": self.grouping,
            "interval": "bootstrap",
            "resamples": self.n_resamples,
            "parts": self.repeats,
            "seed": self.seed,
        }

    def __str__(self) -> str:
        return f"{self.sentence}\n\n{self.rows.to_string(float_format='{:.4f}'.format)}\n\n{self.signature}"

    __repr__ = __str__

    def _grid(self) -> pd.DataFrame:
        return self.rows


@with_names
def segments_needed(
    data: Human,
    metric: Metric,
    against: Metric,
    coefficient: str | None = None,
    *,
    sizes: Sequence[int] | None = None,
    repeats: int = 10,
    grouping: str | None = None,
    confidence: float = 0.95,
    n_resamples: int = 499,
    rng: np.random.Generator | int | None = None,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
    n_jobs: int | None = None,
    progress: Progress | bool | None = None,
) -> SegmentsNeeded:
    """Estimate how many segments are needed to tell two metrics apart, from intervals on random parts of the data.

    Parameters
    ----------
    data, metric, against, coefficient, grouping, human, exclude
        As for `tiekit.significance.bootstrap_interval`. A starred coefficient finds its threshold on each part anew.
    sizes : sequence of int, optional
        Numbers of segments, at least 2; None: an eighth, a quarter, a half and all of them.
    repeats : int
        How many random parts there are of each size; all segments are one part.
    confidence, n_resamples, n_jobs
        Of each interval, as for `bootstrap_interval`.
    rng : numpy Generator or int, optional
        Random-number generator or seed; None is seed 0.
    progress
        Called with the fraction done; raise an exception to cancel.

    Returns
    -------
    SegmentsNeeded
        By item, a value is a mean over segments, so widths fall with the square root of their number. The rows show
        whether they do. Segments are drawn singly; those of a document are more alike, so that whole documents need
        more of them. The difference itself is an estimate: near 0, what is needed is uncertain.

    Raises
    ------
    InputError
        For sizes outside 2 to the number of segments, and what `bootstrap_interval` refuses.

    References
    ----------
    The interval: Deutsch et al. (2021), doi:10.1162/tacl_a_00417.

    Examples
    --------
    >>> import tiekit as tk
    >>> data = tk.load("synthetic", "qaa-qab")
    >>> found = segments_needed(data, "Contour", "Haze", "tau_b", sizes=[75, 300], repeats=3, n_resamples=99)
    >>> list(found.rows.columns), bool(found.needed < 300)
    (['width', 'found', 'expected'], True)
    """
    h, (own, other) = read_several(data, {"metric": metric, "against": against}, human, exclude)
    n_segments = h.shape[-1]
    asked = sorted({max(2, n_segments // part) for part in PARTS}) if sizes is None else list(sizes)
    if not asked or not all(2 <= check_count("sizes", size) <= n_segments for size in asked):
        raise InputError(f"sizes: must be numbers of segments from 2 to {n_segments:,}, found {quote(sizes)}")
    seed, n_parts = seed_of(rng), check_count("repeats", repeats)
    how: dict[str, Any] = {"grouping": grouping, "confidence": confidence, "n_resamples": n_resamples, "n_jobs": n_jobs}

    def interval(columns: Any, told: Progress | None) -> Any:
        gold, first, second = (scores[..., columns] for scores in (h, own, other))
        return bootstrap_interval(gold, first, coefficient, against=second, rng=seed, progress=told or False, **how)

    rows = []
    with showing(progress, "resample") as told:
        whole = interval(slice(None), part_of(told, 0, len(asked) + 1))
        for place, size in enumerate(asked, start=1):
            draw = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(size,)))
            step, found = part_of(told, place, len(asked) + 1), [whole]
            if size < n_segments:
                chosen = [np.sort(draw.permutation(n_segments)[:size]) for _ in range(n_parts)]
                with collect_warnings():
                    found = [interval(part, part_of(step, one, n_parts)) for one, part in enumerate(chosen)]
            if told is not None:
                told((place + 1) / (len(asked) + 1))
            widths = np.array([one.high - one.low for one in found])
            apart = [one.low > 0 or one.high < 0 for one in found]
            rows.append((widths.mean(), np.mean(apart), (whole.high - whole.low) * math.sqrt(n_segments / size)))
    half = (whole.high - whole.low) / 2
    return SegmentsNeeded(
        difference=whole.value,
        rows=pd.DataFrame(rows, pd.Index(asked, name="segments"), ["width", "found", "expected"]),
        needed=math.ceil(n_segments * (half / whole.value) ** 2) if whole.value and half == half else math.inf,
        coefficient=whole.coefficient,
        grouping=whole.grouping,
        confidence=confidence,
        n_segments=n_segments,
        repeats=n_parts,
        n_resamples=n_resamples,
        seed=seed,
    )
