"""Which of the lists beside lists of scores names their segments? One named so, as a column of a table is."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
import pandas as pd

from tiekit.base.errors import InputError, quote
from tiekit.base.names import ALIASES, ROW_COUNTS, are_nameless, known_names, plain_name, some_of
from tiekit.base.validation import text_labels
from tiekit.readers._score_names import is_metric
from tiekit.sets.labels import are_counted, labels_as_numbers
from tiekit.sets.scores import FloatMatrix

_NUMBERED = re.compile(r"(.*_)?(ids?|numbers?|nr|no|questions?|prompts?|sentences?|segments?)")
"""Names of lists of numbers that name segments, beside those of columns."""

_LARGEST = 2**53

FEWEST = 4
"""So many numbers may be labels whose name does not say so; fewer are so by chance."""

Labeled: TypeAlias = tuple[tuple[str, ...], tuple[str, ...], dict[str, FloatMatrix], bool, str]
"""Names of lists, segments, scores, whether the lists have one order of segments, and the name of what named these."""


def take_labels(
    matrices: Mapping[str, FloatMatrix], lists: Sequence[str], systems: Sequence[str], segments: Sequence[str]
) -> Labeled | None:
    """Scores by the labels in one of several ``lists`` of numbers without labels; None where none is named so.

    ``systems`` and ``segments`` are those of the set. A list that is not named so, but holds each segment once in
    another order, may hold ranks: it is refused.
    """
    others = [place for place, name in enumerate(lists) if name not in systems]
    distinct = [place for place in others if all(_are_labels(one[place]) for one in matrices.values())]
    named = [
        place
        for place in others
        if _is_usual(lists[place]) or (place in distinct and _NUMBERED.fullmatch(plain_name(lists[place])))
    ]
    if len(lists) < 2 or len(named) == len(lists):
        return None
    if not named:
        _refuse_numbers({lists[at]: [one[at] for one in matrices.values()] for at in others}, segments)
        return None
    labels = [at for at in named if at in distinct]
    labels = [at for at in labels if plain_name(lists[at]) not in ROW_COUNTS] or labels
    if not labels or any(not np.array_equal(one[labels[0]], one[at]) for one in matrices.values() for at in labels):
        names = known_names([quote(lists[at]) for at in named])
        raise InputError(f"source: its lists {names} do not name each segment once; {_advise(matrices, systems)}")
    kept = [at for at in range(len(lists)) if at not in named]
    rows = {key: [str(int(label)) for label in one[labels[0]]] for key, one in matrices.items()}
    found = {label: place for place, label in enumerate(dict.fromkeys(label for row in rows.values() for label in row))}
    filled = {key: np.full((len(kept), len(found)), np.nan) for key in matrices}
    for key, one in matrices.items():
        filled[key][:, [found[label] for label in rows[key]]] = one[kept]
    is_one_order = len({*map(tuple, rows.values())}) == 1
    return tuple(lists[at] for at in kept), tuple(found), filled, is_one_order, lists[labels[0]]


def have_no_labels(names: Sequence[str]) -> bool:
    """Whether names are none, or count from 0 as pandas' do."""
    return are_nameless(names) or {*names} == {*map(str, range(len(names)))}


def _is_usual(name: str) -> bool:
    """Whether a list is named as columns of segments, or of documents, are."""
    plain = plain_name(name)
    usual = {*ALIASES["segment"], *ALIASES["document"]}
    return plain in usual or plain.removesuffix("s") in usual


def _are_labels(row: FloatMatrix) -> bool:
    """Whether numbers are whole and each another one."""
    return bool((row % 1 == 0).all() and (abs(row) < _LARGEST).all()) and np.unique(row).size == row.size


def _refuse_numbers(rows: Mapping[str, Sequence[FloatMatrix]], segments: Sequence[str]) -> None:
    """Refuse a list of another name that holds each segment of the set once, in another order than theirs."""
    known = {one for one in labels_as_numbers(segments) if isinstance(one, int)}
    size = len(segments)
    counts = [known] * (len(known) == size) + [{*range(size)}, {*range(1, size + 1)}]
    for name, each in rows.items():
        if size < FEWEST or is_metric(name) or any(row.size != size for row in each):
            continue
        is_count = all(_are_labels(row) and {*row.astype(int).tolist()} in counts for row in each)
        if is_count and not all(bool((np.diff(row) > 0).all()) for row in each):
            problem = (
                f"its list {quote(name)} ({', '.join(f'{one:g}' for one in each[0][:3])}, …) may name the segments"
            )
            remedy = "call it 'segment' if it does; else put a list 'segment' beside it that names them"
            raise InputError(f"source: {problem}, as it holds each of them once; {remedy}")


def _advise(matrices: Mapping[str, FloatMatrix], systems: Sequence[str]) -> str:
    """How a table is made of lists, whose columns may tell more."""
    if {*matrices} & {*systems}:
        each = "pandas.concat({name: pandas.DataFrame(lists) for name, lists in SOURCE.items()}, names=['system'])"
        return f"pass a table of them, {each}.reset_index(level=0)"
    return "pass a table of them, pandas.DataFrame(LISTS)"


def ask_start(segments: Sequence[str], index: pd.Index) -> None:
    """Refuse whole numbers that may count the segments of a set from 0 or from 1."""
    if pd.api.types.is_integer_dtype(index) and are_counted(segments) and not {0, len(segments)} & {*index}:
        shown = f"{some_of(text_labels(index[:2]))}, … {index[-1]}"
        raise InputError(
            f"source: its index {shown} may count the set's {len(segments):,} segments from 0 or from 1; pass "
            "frame.set_axis(frame.index + 1) if from 0, and in both cases name it: frame.rename_axis('segment')"
        )
