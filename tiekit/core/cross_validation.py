"""Which documents are held out together? Parts with about the same number of segments."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tiekit.base.errors import InputError
from tiekit.base.parallel import Progress, part_of, showing
from tiekit.base.results import Result
from tiekit.base.validation import FloatArray, IntArray, as_generator, check_pair, sources_of_arrays
from tiekit.core.calibration import Calibration, calibrate_scores, warn_of
from tiekit.core.grouping import check_documents

if TYPE_CHECKING:
    import pandas as pd


def assign_folds(
    size: int, folds: int, documents: Sequence[str] | None, rng: np.random.Generator | int | None = None
) -> tuple[IntArray, IntArray]:
    """Return each segment's fold and document: the largest document comes first and goes to the smallest fold."""
    labels = range(size) if documents is None else check_documents(documents, size)
    number = {name: at for at, name in enumerate(sorted({*labels}))}
    names = np.fromiter(map(number.__getitem__, labels), np.int64, size)
    sizes = np.bincount(names, minlength=len(number))
    if not isinstance(folds, Integral) or not 2 <= folds <= sizes.size:
        raise InputError(f"folds: must be from 2 to the number of documents, {sizes.size}, found {folds!r}")
    order = np.arange(sizes.size) if rng is None else as_generator(rng).permutation(sizes.size)
    place, filled = np.empty(sizes.size, np.int64), [(0, fold) for fold in range(folds)]
    for document in order[np.argsort(-sizes[order], kind="stable")].tolist():
        least, place[document] = filled[0]
        heapq.heapreplace(filled, (least + int(sizes[document]), int(place[document])))
    return place[names], names


@dataclass(frozen=True, eq=False, repr=False)
class HeldOut(Result):
    """A threshold found on one set and used on another.

    Attributes
    ----------
    epsilon : float
        The threshold that was found on the first set.
    value : float
        The coefficient of the other set at this threshold.
    best : Calibration
        Calibration on the other set itself.
    origin : Calibration
        Calibration on the first set.
    """

    epsilon: float
    value: float
    best: Calibration
    origin: Calibration

    @property
    def loss(self) -> float:
        """How far the value is below the other set's own optimum; never negative."""
        return float(np.maximum(self.best.value - self.value, 0.0))

    def _facts(self) -> dict[str, object]:
        asked = self.best
        return {
            "coefficient": asked.coefficient,
            "grouping": asked.grouping,
            "difference": asked.difference,
            "epsilon": self.epsilon,
            "epsilon_of": self.origin.digest,
            "undefined": "drop",
            "average": asked.average,
            "scores": asked.digest,
        }


@dataclass(frozen=True, eq=False, repr=False)
class CrossValidation(Result):
    """Thresholds that are evaluated on documents other than those they were found on.

    Attributes
    ----------
    folds : pandas.DataFrame
        One row per fold: its number of ``documents`` and ``segments``; ``epsilon`` found on all other folds and the
        ``value`` at it on this fold; ``own_epsilon`` and ``own_value``, this fold's optimum; ``loss``, the difference.
    in_sample : Calibration
        Calibration on all documents.
    seed : str
        The seed that assigned documents to folds, "generator", or "none" where the order of names did.
    """

    folds: pd.DataFrame
    in_sample: Calibration
    seed: str

    @property
    def epsilon(self) -> float:
        """The median over the folds."""
        return float(self.folds["epsilon"].median())

    @property
    def value(self) -> float:
        """The mean over the folds with a defined value; NaN where there is none."""
        return float(self.folds["value"].mean())

    def _facts(self) -> dict[str, object]:
        asked = self.in_sample
        return {
            "coefficient": f"{asked.coefficient}*",
            "grouping": asked.grouping,
            "difference": asked.difference,
            "folds": len(self.folds),
            "documents": int(self.folds["documents"].sum()),
            "epsilon": self.epsilon,
            "undefined": "drop",
            "average": asked.average,
            "scores": asked.digest,
            "seed": self.seed,
        }


def transfer(
    calibration: Calibration,
    human: ArrayLike,
    metric: ArrayLike,
    *,
    documents: Sequence[str] | None = None,
    progress: Progress | bool | None = None,
) -> HeldOut:
    """Apply the threshold of one set to other scores: `tiekit.transfer` for arrays alone.

    Examples
    --------
    >>> from tiekit.core import calibrate
    >>> transfer(calibrate([1, 2, 2, 3], [1, 5, 8, 9]), [1, 1, 2, 3], [1, 4, 5, 7]).epsilon
    0.0
    """
    scores = check_pair(human, metric)
    found = transfer_scores(calibration, *scores, documents, progress)
    warn_of(found.best, sources_of_arrays(*scores))
    return found


def transfer_scores(
    calibration: Calibration,
    h: FloatArray,
    m: FloatArray,
    documents: Sequence[str] | None = None,
    progress: Progress | bool | None = None,
) -> HeldOut:
    """Apply a threshold to checked scores, without a warning."""
    if not isinstance(calibration, Calibration):
        raise InputError(f"calibration: must be what calibrate() returns, found {calibration!r}")
    if calibration.labels is not None:
        raise InputError("calibration: identical texts are tied in it, and those of other scores are not known here")
    if h.ndim != calibration.scores[0].ndim:
        one, other = ("vectors" if n == 1 else "matrices" for n in (calibration.scores[0].ndim, h.ndim))
        raise InputError(f"human: the calibration is of {one}, found {other}; give scores of the same kind")
    grouping = None if calibration.grouping == "vector" else calibration.grouping
    with showing(progress, "calibrate") as told:
        asked = calibration.coefficient, grouping, calibration.difference
        best = calibrate_scores(h, m, *asked, told, documents, calibration.average)
    return evaluate_threshold(calibration, best)


def evaluate_threshold(origin: Calibration, best: Calibration) -> HeldOut:
    """Evaluate the threshold of one part on another; without a pair to find it on there is no threshold."""
    if not origin.n_pairs:
        return HeldOut(float("nan"), float("nan"), best, origin)
    return HeldOut(origin.epsilon, best.value_at(origin.epsilon), best, origin)


def cross_validate(
    human: ArrayLike,
    metric: ArrayLike,
    coefficient: str = "acc_eq",
    *,
    grouping: str | None = None,
    difference: str = "absolute",
    average: str = "groups",
    folds: int = 5,
    documents: Sequence[str] | None = None,
    rng: np.random.Generator | int | None = None,
    progress: Progress | bool | None = None,
) -> CrossValidation:
    """Find the threshold on some documents and evaluate it on the others: `tiekit.cross_validate` for arrays alone.

    The folds are a frame, which needs pandas.

    Examples
    --------
    >>> cross_validate([0, 0, 1, 2, 2, 2], [1, 2, 4, 7, 8, 8], folds=2).in_sample.epsilon
    1.0
    """
    scores = check_pair(human, metric)
    with showing(progress, "calibrate") as told:
        found = fit_folds(*scores, coefficient, grouping, difference, folds, documents, rng, told, average)
    warn_of(found.in_sample, sources_of_arrays(*scores))
    return found


def fit_folds(
    h: FloatArray,
    m: FloatArray,
    coefficient: str,
    grouping: str | None,
    difference: str,
    folds: int,
    documents: Sequence[str] | None,
    rng: np.random.Generator | int | None = None,
    progress: Progress | None = None,
    average: str = "groups",
) -> CrossValidation:
    """Cross-validate checked scores, without a warning."""
    fold_of, names = assign_folds(h.shape[-1], folds, documents, rng)
    asked, steps = (coefficient, grouping, difference), folds + 1
    in_sample = calibrate_scores(h, m, *asked, part_of(progress, 0, steps), documents, average)
    known, told = documents is not None, [part_of(progress, fold + 1, steps) for fold in range(folds)]
    rows = [
        fit_fold(h, m, *asked, fold_of == fold, names, told[fold], by_name=known, average=average)
        for fold in range(folds)
    ]
    seed = str(rng) if isinstance(rng, Integral) else "none" if rng is None else "generator"
    import pandas as pd

    return CrossValidation(pd.DataFrame(rows), in_sample, seed)


def fit_fold(
    h: FloatArray,
    m: FloatArray,
    coefficient: str,
    grouping: str | None,
    difference: str,
    inside: NDArray[np.bool_],
    names: IntArray,
    progress: Progress | None = None,
    *,
    by_name: bool = False,
    average: str = "groups",
) -> dict[str, float]:
    """Evaluate the segments ``inside`` at epsilon of the others: one row of `CrossValidation.folds`."""
    asked = coefficient, grouping, difference
    others, own = (
        calibrate_scores(
            h[..., part],
            m[..., part],
            *asked,
            part_of(progress, number, 2),
            names[part].astype(str) if by_name else None,
            average,
        )
        for number, part in enumerate((~inside, inside))
    )
    held_out = evaluate_threshold(others, own)
    return {
        "documents": len(set(names[inside].tolist())),
        "segments": int(inside.sum()),
        "epsilon": held_out.epsilon,
        "value": held_out.value,
        "own_epsilon": own.epsilon,
        "own_value": own.value,
        "loss": held_out.loss,
    }
