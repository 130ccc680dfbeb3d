"""Are these scores, numbers, seeds? Checks of what a caller passes; scores that nearly tie are warned of once.

Series and frames of pandas are compared by label, arrays by position. pandas is not imported here: a caller who has
none passes none.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeGuard

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tiekit.base.errors import KNOWN, InputError, NearTieWarning, quote, unsaid, warn
from tiekit.base.names import ALIASES, ROW_COUNTS, TEXTS, check_unique, plain_name, some_of

if TYPE_CHECKING:
    import pandas as pd

FloatArray = NDArray[np.float64]
"""An array of numbers; NaN is a missing one."""

IntArray = NDArray[np.int64]
"""An array of whole numbers, such as counts."""

NEAR_TIE = 1e-12
"""Distinct scores closer than this share of their range are suspected to be rounding noise."""


MOST_DECIMALS = 300
"""The most decimals that scores are rounded to; as many digits before the point can be made zero."""


def as_scores(name: str, values: ArrayLike) -> FloatArray:
    """Check one argument and return its scores as float64, missing ones as NaN."""
    values = as_frame(name, values)
    if isinstance(values, str):
        raise InputError(
            f"{name}: scores must be numbers, found {values!r}; names stand after an EvalSet: (data, name)"
        )
    if isinstance(values, Mapping):
        kind = "Series(scores)" if all(isinstance(one, Real) for one in values.values()) else "DataFrame(scores).T"
        raise InputError(f"{name}: scores must be numbers, found a dict; pass pandas.{kind}")
    if isinstance(values, list | tuple) and any(_has_masked(row) for row in values):
        values = [_without_masked(row) for row in values]
    if isinstance(values, np.ma.MaskedArray):
        values = _fill_mask(values)
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise InputError(f"{name}: rows must have one length") from error
    _check_truth_values(name, values, array)
    whole: Iterable[Any] = ()
    if array.dtype == object:
        gaps = np.asarray(np.frompyfunc(is_missing, 1, 1)(array), np.bool_)
        bad = [v for v in array[~gaps].tolist() if not isinstance(v, (int, float, np.integer, np.floating))]
        if bad:
            found = repr(bad[0])
            remedy = "; a table with names is read first: tk.read(frame)" if is_frame(values) else ""
            raise InputError(
                f"{name}: scores must be numbers, found {found if len(found) < 80 else type(bad[0]).__name__}{remedy}"
            )
        whole = [value for value in array[~gaps].tolist() if isinstance(value, (int, np.integer))]
        array = np.where(gaps, np.nan, array)
    elif array.dtype.kind == "U" and array.size:
        text = next(one for one in np.asarray(values, object).flat if isinstance(one, str))
        raise InputError(f"{name}: scores must be numbers, found text {str(text)!r}")
    elif array.dtype.kind not in "biuf":
        raise InputError(f"{name}: scores must be numbers, found {array.dtype} {array.ravel()[:1].tolist()}")
    elif array.dtype.kind in "iu" and array.size:
        whole = (array.min(), array.max())
    try:
        scores = array.astype(np.float64)
    except OverflowError as error:
        raise InputError(f"{name}: scores must fit float64") from error
    if any(abs(int(value)) > 2**53 for value in whole):
        raise InputError(f"{name}: whole numbers must lie within 2**53, where float64 tells them apart")
    if np.isinf(scores).any():
        raise InputError(f"{name}: scores must be finite, found {scores[np.isinf(scores)][0]}")
    return scores


def _check_truth_values(name: str, values: ArrayLike, array: NDArray[Any]) -> None:
    """Refuse True and False beside numbers, such as for a call that failed; alone they are 1 and 0."""
    scores: list[Any] = array.ravel().tolist() if array.dtype == object else []
    if isinstance(values, list | tuple) and array.dtype.kind in "iuf":
        is_flat = array.ndim == 1
        scores = list(
            values if is_flat else chain.from_iterable(row for row in values if isinstance(row, list | tuple))
        )
    if _TRUTH.isdisjoint(map(type, scores)):
        return
    other = next((score for score in scores if type(score) not in _TRUTH and not is_missing(score)), None)
    if other is not None:
        place = next(place for place, score in enumerate(scores) if type(score) in _TRUTH)
        row, at = divmod(place, array.shape[-1])
        where = f"row {row + 1}, place {at + 1}" if array.ndim > 1 else f"place {at + 1}"
        problem = f"found {scores[place]} ({where}) beside numbers such as {other!r}"
        raise InputError(f"{name}: {problem}; write nan where a score is missing, or 1 and 0")


_TRUTH = frozenset((bool, np.bool_))


def is_missing(value: object) -> bool:
    """Tell whether a cell holds no score: None, NaN, or what pandas writes instead."""
    return value is None or type(value).__name__ in ("NAType", "NaTType") or bool(value != value)


def _has_masked(row: object) -> bool:
    """Tell whether a row is masked or holds a masked cell."""
    return isinstance(row, np.ma.MaskedArray) or (isinstance(row, list | tuple) and any(x is np.ma.masked for x in row))


def _without_masked(row: Any) -> Any:
    """A row, or a score, in which what is masked is missing."""
    if row is np.ma.masked:
        return float("nan")
    if isinstance(row, np.ma.MaskedArray):
        return _fill_mask(row)
    return [_without_masked(score) for score in row] if isinstance(row, list | tuple) else row


def _fill_mask(values: np.ma.MaskedArray[Any, Any]) -> NDArray[Any]:
    """A masked array as a plain one, in which what is masked is missing, whatever lies beneath the mask."""
    if not np.ma.getmaskarray(values).any():
        return np.asarray(values.data)
    plain: Any = values.astype(np.float64 if values.dtype.kind == "f" else object)
    return np.asarray(plain.filled(np.nan))


def check_pair(human: ArrayLike, metric: ArrayLike, argument: str = "metric") -> tuple[FloatArray, FloatArray]:
    """Check human and metric scores of one shape, vectors or matrices; ``argument`` is what the caller passed.

    Series and frames of pandas are matched by their labels, in the order of the human scores.
    """
    human = as_frame("human", human)
    h = as_scores("human", human)
    return h, check_beside(human, h, metric, argument)


def check_beside(human: ArrayLike, checked: FloatArray, metric: ArrayLike, argument: str) -> FloatArray:
    """Check metric scores beside human ones, as they were passed and as they were ``checked``, see `check_pair`."""
    scores = as_scores(argument, align(human, as_frame(argument, metric), argument))
    if scores.shape != checked.shape:
        raise InputError(f"{argument}: must have the shape of human, {checked.shape}, found {scores.shape}")
    if checked.ndim not in (1, 2):
        raise InputError(f"human: must be a vector, or a matrix systems × segments, found {checked.ndim} dimensions")
    return scores


def check_vectors(human: ArrayLike, metric: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Check two vectors of one length."""
    h, m = check_pair(human, metric)
    if h.ndim != 1:
        raise InputError(f"human: must be a vector, found shape {h.shape}; correlate() takes matrices")
    return h, m


def check_identical(identical: ArrayLike, shape: tuple[int, ...], argument: str = "identical") -> IntArray:
    """Check labels of texts: whole numbers, of vectors or of each segment; those below 0 are of unknown texts."""
    labels = np.asarray(identical)
    if labels.dtype.kind not in "iu":
        raise InputError(f"{argument}: must be whole numbers, the same for the same text, found {labels.dtype}")
    if labels.shape != shape:
        raise InputError(f"{argument}: expected the shape of the scores, {shape}, found {labels.shape}")
    return labels.astype(np.int64)


def labels_beside(
    human: Any, identical: ArrayLike | None, shape: tuple[int, ...], argument: str = "identical"
) -> IntArray | None:
    """Labels of texts in the order of the human scores, and checked; None where none are given."""
    if identical is None:
        return None
    human, identical = as_frame("human", human), as_frame(argument, identical)
    return check_identical(align(human, identical, argument), shape, argument)


def check_tie_human(tie_human: bool, identical: IntArray | None) -> None:
    """Refuse to tie identical texts by the human score where nobody says which are identical."""
    if tie_human and identical is None:
        raise InputError("tie_human: the human score ties texts that the metric ties, so say first which are identical")


def check_epsilon(epsilon: float, name: str = "epsilon") -> float:
    """Check a tie threshold or a margin: a number, not NaN, not negative."""
    real = isinstance(epsilon, (int, float, np.integer, np.floating)) and not isinstance(epsilon, bool)
    if not real or not 0 <= epsilon <= float("inf"):
        raise InputError(f"{name}: must be a number of at least 0, found {quote(epsilon)}")
    try:
        return float(epsilon)
    except OverflowError:
        raise InputError(f"{name}: must fit float64, found {quote(epsilon)}") from None


def check_count(name: str, number: int, least: int = 1) -> int:
    """Check a whole number of at least so many."""
    if not isinstance(number, Integral) or isinstance(number, bool) or number < least:
        raise InputError(f"{name}: must be a whole number of at least {least}, found {quote(number)}")
    return int(number)


def to_decimals(scores: FloatArray, decimals: int) -> FloatArray:
    """Round scores; those so large that they have no such decimals stay as they are."""
    with np.errstate(over="ignore", invalid="ignore"):
        found = np.round(scores, decimals)
    return np.where(np.isfinite(found), found, scores)


def check_probability(argument: str, value: float) -> float:
    """Check a number from 0 to 1."""
    if not _is_real(value) or not 0 <= value <= 1:
        raise InputError(f"{argument}: must be a number from 0 to 1, found {quote(value)}")
    return float(value)


def check_confidence(confidence: float) -> float:
    """Check the confidence of an interval: a number between 0 and 1."""
    if not _is_real(confidence) or not 0 < confidence < 1:
        raise InputError(f"confidence: must lie between 0 and 1, found {quote(confidence)}")
    return float(confidence)


def check_stop_early(stop_early: tuple[float, float] | None) -> tuple[float, float] | None:
    """Check the range of p-values within which a test goes on: two numbers from 0 to 1 in their order, or None."""
    if stop_early is None:
        return None
    if isinstance(stop_early, tuple | list) and len(stop_early) == 2 and all(map(_is_real, stop_early)):
        low, high = stop_early
        if 0 <= low <= high <= 1:
            return float(low), float(high)
    raise InputError(
        "stop_early: must be two p-values from 0 to 1, the smaller first, between which the test goes on, or None, "
        f"found {quote(stop_early)}"
    )


def _is_real(value: object) -> bool:
    """Tell whether a value is a real number; True and False are none."""
    return isinstance(value, Real) and not isinstance(value, bool)


def as_generator(rng: np.random.Generator | int | None) -> np.random.Generator:
    """Return the given generator, or a new one with the given seed; None is seed 0. Refuse anything else."""
    if rng is None:
        return np.random.default_rng(0)
    if isinstance(rng, (np.random.Generator, Integral)) and not isinstance(rng, bool):
        try:
            return np.random.default_rng(rng)
        except ValueError:
            pass
    raise InputError(f"rng: must be a numpy Generator or a seed of at least 0, found {rng!r}")


def bits(rng: np.random.Generator, sizes: Sequence[int], length: int) -> Iterator[NDArray[np.uint8]]:
    """Draw rows of 0 or 1 with probability 1/2 each, so many at a time; the same ones whatever the sizes."""
    drawn, first = np.frombuffer(rng.bytes(-(-sum(sizes) * length // 8)), np.uint8), 0
    for size in sizes:
        last = first + size * length
        some = np.unpackbits(drawn[first // 8 : -(-last // 8)])[first % 8 :]
        yield some[: last - first].reshape(size, length)
        first = last


def seed_of(rng: np.random.Generator | int | None) -> int:
    """Return the given seed, or one that the given generator draws. Every part of the work derives its own from it."""
    if rng is None:
        return 0
    generator = as_generator(rng)
    return int(rng) if isinstance(rng, Integral) else int(generator.integers(2**63))


SHOWN = 12
"""Digits of a digest that people are shown; the whole one tells scores apart, whoever made them."""


def digest_of(*arrays: NDArray[Any]) -> str:
    """Return SHA-256 over the shapes and values of arrays, in hexadecimal digits."""
    sha = hashlib.sha256()
    for array in arrays:
        sha.update(repr(array.shape).encode())
        sha.update(np.ascontiguousarray(array).tobytes())
    return sha.hexdigest()


def near_ties(ordered: FloatArray) -> int:
    """Count the scores, given in order, that lie above another by less than `NEAR_TIE` of the range."""
    if ordered.size < 2:
        return 0
    with np.errstate(over="ignore"):
        gaps = np.diff(ordered)
        close = NEAR_TIE * ordered[-1] - NEAR_TIE * ordered[0]  # the range itself may overflow
        return int(np.count_nonzero((gaps > 0) & (gaps < close)))


class Source(NamedTuple):
    """Scores as the caller knows them: by a name in a set, or by the name of an argument; with all of their values.

    ``of_set`` is what the set is called, which may be a blank; empty for an argument.
    """

    name: str
    values: FloatArray
    of_set: str = ""


def sources_of_arrays(human: FloatArray, metric: FloatArray) -> tuple[Source, Source]:
    """Where scores come from that are arguments of a function."""
    return Source("human", human), Source("metric", metric)


def note_of(name: str, number: int) -> str:
    """Say of scores that some are nearly equal."""
    return (
        f"{name}: {number} distinct scores differ from another by less than {NEAR_TIE:g} of the range and are no ties"
    )


def warn_near_ties(*found: tuple[Mapping[str, int], Source, Source]) -> None:
    """Warn in one line of distinct scores that are nearly equal, once for the same scores of the same name.

    Each ``found`` are the numbers of `tiekit.core.pairs.SortedScores` with the human scores and those of a metric.
    """
    near = {
        source.name: (source, numbers[side])
        for numbers, *both in found
        for side, source in zip(("human", "metric"), both, strict=True)
        if numbers[side]
    }
    keys = {name: key_of(source) for name, (source, _) in near.items()}
    new = unsaid(keys.values())
    told = [one for name, one in near.items() if keys[name] in new]
    if told:
        decimals = {source.name: decimals_for(source.values) for source, _ in told}
        calls = [f"np.round({name}, {number})" for name, number in decimals.items()]
        calls = [f"data.adjusted(decimals={decimals})"] if told[0][0].of_set else calls
        note = note_of(some_of([*decimals]), sum(number for _, number in told))
        warn(f"{note}; to make them ties: {' and '.join(calls)}", NearTieWarning, once=new)


SETTLED: dict[tuple[str, str], FloatArray] = {}
"""Scores that come with tiekit, by what their set is called and their names: nobody is warned of a part of them."""


def key_of(source: Source, what: str = "") -> str:
    """Of what scores are warned of once: of the same ones by the same name, never of those that come with tiekit."""
    name, scores, of_set = source
    digest, settled = digest_of(scores), SETTLED.get((of_set, name))
    if digest not in KNOWN and settled is not None:
        is_part = np.isin(np.abs(scores[~np.isnan(scores)]), np.abs(settled)).all()  # or negated ones
        digest = digest_of(settled) if is_part else digest
    return digest if digest in KNOWN else f"{name} {digest}{what}"


def decimals_for(values: FloatArray) -> int:
    """The most decimals of which nearly equal scores, such as 1.2 and 1.2000000000000002, have the same."""
    half = np.nanmax(values) / 2 - np.nanmin(values) / 2  # the range itself may overflow
    return int(np.clip(11 - np.floor(np.log10(half) + np.log10(2)), -MOST_DECIMALS, MOST_DECIMALS))


LABELS_SHOWN = 3
"""Maximum number of labels in a message."""


def is_series(value: object) -> TypeGuard[pd.Series]:
    """Tell whether a value is a Series of pandas; while pandas is not imported, nobody has one."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(value, pandas.Series)


def is_frame(value: object) -> TypeGuard[pd.DataFrame]:
    """Tell whether a value is a DataFrame of pandas."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(value, pandas.DataFrame)


def align(first: ArrayLike, other: ArrayLike, argument: str, reference: str = "human") -> ArrayLike:
    """Return the other scores in the order of the labels of the first ones.

    Without labels on both sides they stay as they are. Labels that are not the same on both sides are refused; two
    default indexes (0, 1, 2, …) are positions.
    """
    if not (is_series(first) and is_series(other)) and not (is_frame(first) and is_frame(other)):
        return other
    left: Any = first
    right: Any = other
    kinds = ("labels",) if left.ndim == 1 else ("row labels", "column labels")
    for axis, kind in enumerate(kinds):
        order = _order(left.axes[axis], right.axes[axis], argument, reference, kind)
        if order is not None:
            right = right.take(order, axis=axis).set_axis(left.axes[axis], axis=axis)
    return right  # type: ignore[no-any-return]


def as_frame(name: str, values: ArrayLike) -> ArrayLike:
    """Return a list of Series as a frame with one row each, and a frame as systems × segments by the names of its axes.

    Anything else stays as it is.
    """
    if is_frame(values):
        _check_no_labels(name, values)
        return _with_systems_as_rows(values)
    if not isinstance(values, (list, tuple)) or not values or not all(map(is_series, values)):
        return values
    import pandas as pd

    first: Any = values[0]
    rows = [align(first, row, f"{name}[{place}]", f"{name}[0]") for place, row in enumerate(values)]
    if len({len(np.asarray(row)) for row in rows}) > 1:
        raise InputError(f"{name}: rows must have one length")
    return pd.DataFrame([np.asarray(row) for row in rows], columns=first.index)


_NUMBERED = re.compile(r"(\D*)\d+(\.0)?")
_IDS = re.compile(r"(.*_)?(id|ids|question|prompt|query)")


def are_numbered(labels: Iterable[object]) -> bool:
    """Whether labels are whole numbers, or one text with a number behind it, as those of segments mostly are."""
    found = [_NUMBERED.fullmatch(str(label)) for label in labels]
    return all(found) and len({one[1] for one in found if one}) == 1


def _with_systems_as_rows(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame, turned where its axes have names, or numbers, that say that rows are segments, columns systems.

    Rows that are named ``id`` or the like may be either; if their labels do not tell, they are refused.
    """
    rows, columns = (plain_name(str(axis.name)) for axis in frame.axes)
    of_systems = columns in ALIASES["system"] and rows not in ALIASES["system"]
    are_segments = rows in ALIASES["segment"] and rows not in ROW_COUNTS | TEXTS
    is_open = rows in ROW_COUNTS | TEXTS
    may_be = is_open or rows in ALIASES["document"] or (_IDS.fullmatch(rows) and rows not in ALIASES["system"])
    if may_be and not of_systems and columns not in ALIASES["segment"]:
        by_rows, by_columns = map(are_numbered, frame.axes)
        are_segments = are_segments or (by_rows and not by_columns)
        if is_open and by_rows == by_columns:
            told = f"its rows are named {str(frame.index.name)!r}, which may be systems or segments"
            raise InputError(f"scores: {told}; name them, frame.rename_axis('system') or frame.rename_axis('segment')")
    return frame.T if of_systems or (are_segments and columns not in ALIASES["segment"]) else frame


def _check_no_labels(name: str, frame: pd.DataFrame) -> None:
    """Refuse a frame with a column of labels beside its scores, which would be taken for those of a segment."""
    known = {*ALIASES["segment"], *ALIASES["document"], *ALIASES["system"]}
    are_numbers = all(dtype.kind in "iuf" for dtype in frame.dtypes) and not are_numbered(frame.columns)
    for column in frame.columns if frame.shape[1] > 1 and are_numbers else ():
        if isinstance(column, str) and ((plain := plain_name(column)) in known or _IDS.fullmatch(plain)):
            told = f"its column {column!r} is named like labels and stands beside scores"
            raise InputError(f"{name}: {told}; make it the index of each frame, frame.set_index({column!r})")


def columns_of(argument: str, frame: pd.DataFrame) -> dict[str, pd.Series]:
    """Return the columns of a frame by name."""
    names = text_labels(frame.columns)
    check_unique(argument, names)
    return dict(zip(names, (column for _, column in frame.items()), strict=True))


def text_labels(labels: Iterable[object]) -> list[str]:
    """Return labels as text; whole numbers without a decimal point, as a column with gaps holds them."""
    return [str(int(label)) if isinstance(label, float) and label.is_integer() else str(label) for label in labels]


def reorder(argument: str, frame: pd.DataFrame, names: tuple[Sequence[str], Sequence[str]]) -> pd.DataFrame:
    """Return a frame in the order of the names of rows and columns; default indexes are positions."""
    import pandas as pd

    frame = _with_systems_as_rows(frame)
    axes: tuple[Literal[0, 1], ...] = (0, 1)
    for axis, wanted, kind in zip(axes, names, ("systems", "segments"), strict=True):
        if not is_default(frame.axes[axis]):
            found = pd.Index(text_labels(frame.axes[axis]), dtype=object)
            order = _order(pd.Index(wanted, dtype=object), found, argument, "the set", kind)
            frame = frame if order is None else frame.take(order, axis=axis)
    return frame


def align_all(argument: str, given: Mapping[str, ArrayLike]) -> dict[str, ArrayLike]:
    """Return scores by name, all in the order of the labels of the first ones."""
    found: dict[str, ArrayLike] = {}
    for name, values in given.items():
        called, first = f"{argument}[{name!r}]", next(iter(found), name)
        rows = as_frame(called, values)
        found[name] = align(found[first], rows, called, f"{argument}[{first!r}]") if found else rows
    return found


def by_segment(scores: object, labels: Sequence[str] | None, argument: str) -> Sequence[str] | None:
    """Return what is given per segment in the order of the scores' segments, where both have labels."""
    scores = as_frame("human", scores) if is_frame(scores) else scores
    index = scores.axes[-1] if is_series(scores) or is_frame(scores) else None
    if index is None or not is_series(labels):
        return labels
    order = _order(index, labels.index, argument, "human", "labels")
    return labels.tolist() if order is None else labels.take(order).tolist()


def _order(wanted: pd.Index, found: pd.Index, argument: str, reference: str, kind: str) -> Any:
    """Where the wanted labels stand; None where both are in one order or are positions."""
    if wanted.equals(found) or (is_default(wanted) and is_default(found)):
        return None
    for name, labels in ((reference, wanted), (argument, found)):
        if not labels.is_unique:
            twice = _quote_labels(labels[labels.duplicated()])
            raise InputError(
                f"{argument}: has other {kind} than {reference}, and in {name} {twice} occurs more than once, so they "
                "cannot be matched; give every score a label of its own, or, if both are in one order, pass .to_numpy()"
            )
    extra, lacking = found[~found.isin(wanted)], wanted[~wanted.isin(found)]
    if len(extra) or len(lacking):
        parts = [
            f"only {name} has {_quote_labels(some)}"
            for name, some in ((reference, lacking), (argument, extra))
            if len(some)
        ]
        advice = f"the same labels, such as by {argument}.reindex with those of {reference}"
        if len(extra) == len(lacking) and {*text_labels(extra)} == {*text_labels(lacking)}:
            axis = {"row labels": "index=str", "column labels": "columns=str"}.get(kind, "str")
            advice = f"labels of one type, such as by .rename({axis})"
        raise InputError(
            f"{argument}: must have the {kind} of {reference}, but {' and '.join(parts)}; give both {advice}, or, if "
            "both are in one order, pass .to_numpy()"
        )
    return found.get_indexer(wanted)


def is_default(index: pd.Index) -> bool:
    """Whether an index counts 0, 1, 2, … because nobody gave another one."""
    return type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1  # type: ignore[attr-defined]


def _quote_labels(labels: pd.Index) -> str:
    """The first labels, as one writes them in Python."""
    shown = ", ".join(repr(label)[:40] for label in labels[:LABELS_SHOWN].tolist())
    return shown + (f" and {len(labels) - LABELS_SHOWN} more" if len(labels) > LABELS_SHOWN else "")
