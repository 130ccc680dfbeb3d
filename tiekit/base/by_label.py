"""Do scores with labels stand in one order? Series and frames of pandas are compared by label, arrays by position."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeGuard

import numpy as np
from numpy.typing import ArrayLike

from tiekit.base.errors import InputError
from tiekit.base.names import check_unique

if TYPE_CHECKING:
    import pandas as pd

SHOWN = 3
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
            right = right.take(order, axis=axis)
    return right  # type: ignore[no-any-return]


def as_frame(name: str, values: ArrayLike) -> ArrayLike:
    """Return a list of Series as a frame with one row each; anything else stays as it is."""
    if not isinstance(values, (list, tuple)) or not values or not all(map(is_series, values)):
        return values
    import pandas as pd

    first: Any = values[0]
    rows = [align(first, row, f"{name}[{place}]", f"{name}[0]") for place, row in enumerate(values)]
    if len({len(np.asarray(row)) for row in rows}) > 1:
        raise InputError(f"{name}: rows must have one length")
    return pd.DataFrame([np.asarray(row) for row in rows], columns=first.index)


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
            twice = _quote(labels[labels.duplicated()])
            raise InputError(
                f"{argument}: has other {kind} than {reference}, and in {name} {twice} occurs more than once, so they "
                "cannot be matched; give every score a label of its own, or pass .to_numpy() to compare by position"
            )
    extra, lacking = found[~found.isin(wanted)], wanted[~wanted.isin(found)]
    if len(extra) or len(lacking):
        parts = [
            f"only {name} has {_quote(some)}" for name, some in ((reference, lacking), (argument, extra)) if len(some)
        ]
        raise InputError(
            f"{argument}: must have the {kind} of {reference}, but {' and '.join(parts)}; give both the same labels, "
            "or pass .to_numpy() to compare by position"
        )
    return found.get_indexer(wanted)


def is_default(index: pd.Index) -> bool:
    """Whether an index counts 0, 1, 2, … because nobody gave another one."""
    return type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1  # type: ignore[attr-defined]


def _quote(labels: pd.Index) -> str:
    """The first labels, as one writes them in Python."""
    shown = ", ".join(repr(label)[:40] for label in labels[:SHOWN].tolist())
    return shown + (f" and {len(labels) - SHOWN} more" if len(labels) > SHOWN else "")
