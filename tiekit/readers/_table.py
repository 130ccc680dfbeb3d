"""How does a file, a DataFrame or a list of dicts become a table of cells by column?"""

from __future__ import annotations

import hashlib
import re
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, repeat
from operator import eq
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

import numpy as np
import pandas as pd

from tiekit.base.errors import InputError, ReadError, quote
from tiekit.base.names import ALIASES, TEXTS, check_unique, count_different, plain_name, short
from tiekit.base.validation import FloatArray, is_default, text_labels
from tiekit.readers._amounts import check_cells, check_columns, check_number, check_one_object, check_rows, each_line
from tiekit.readers._columns import (
    DECIMAL_POINT,
    QUOTED,
    Table,
    Texts,
    even_columns,
    is_even,
    read_rows,
    to_columns,
    unquote,
)
from tiekit.readers._json import each_object, flat_record, parse_json, refuse_object
from tiekit.readers._numbers import MISSING, NUMBER, THOUSANDS, are_whole, number_like
from tiekit.readers._records import table_rows
from tiekit.readers._ruled_tables import with_tabs
from tiekit.readers._source import HEAD, read_text
from tiekit.readers._titles import NO_NAME, check_first_row, check_heading, without_empty_columns, without_title
from tiekit.sets.evalset import KEPT
from tiekit.sets.labels import labels_as_numbers

FRAME = "DataFrame"
"""What messages call a frame; a line is a row, counted from 1."""


def frame_table(frame: pd.DataFrame) -> Table:
    """The cells of a frame; levels of its index with names, or of text, are columns."""
    kept = frame.attrs.get(KEPT, {})
    frame = flat(frame)
    names = [name.strip() for name in text_labels(frame.columns)]
    check_unique("source", names)
    if frame.empty:
        raise ReadError(FRAME, "has no rows; expected one row per system and segment")
    columns, orders, notes = {}, {}, []
    for name, (_, column) in zip(names, frame.items(), strict=True):
        if isinstance(column.dtype, pd.CategoricalDtype) and column.dtype.ordered:
            labels = list(map(_cell, column.dtype.categories))
            if not all(map(NUMBER.fullmatch, labels)):
                orders[name] = {label: float(place) for place, label in enumerate(labels)}
                order = " < ".join(labels)[:200]
                notes.append(f"The ordered labels of {name!r} are, as scores, numbers from 0: {order}.")
        columns[name] = _cells(name, column)
    lines = range(1, len(frame) + 1)
    known = kept if isinstance(kept, Mapping) else {}
    return Table(FRAME, _digest(columns), lines, columns, orders=orders, kept=known, notes=tuple(notes))


_NEXT = re.compile(r"\}\s+\{")
"""The end of an object of JSON lines, and the beginning of the next."""


def records_table(path: str, digest: str | None, records: Iterable[tuple[int, Mapping[Any, Any]]]) -> Table:
    """The cells of objects with names, each with its line; a field that an object lacks is missing."""
    fields: dict[Any, list[Any] | array[Any] | Texts] = {}
    lines = array("I")
    for line, given in records:
        try:
            record = flat_record(given)
        except KeyError as twice:
            problem = f"two fields of one object are named {quote(str(twice.args[0]))}, of which one is below others"
            raise ReadError(path, f"{problem}; rename one of them", line=line) from None
        if not record:
            raise ReadError(path, "holds an object without fields; expected system, segment and scores", line=line)
        for name, value in record.items():
            if name not in fields:
                fields[name] = [None] * len(lines) if lines else array("d")
            _append(fields, name, value)
        lines.append(line)
        check_columns(path, len(fields), line)
        check_number(path, len(lines) * len(fields), "cells, one for each object and each field")
        if len(record) < len(fields):
            for name in [name for name, column in fields.items() if len(column) < len(lines)]:
                _append(fields, name, None)
    check_rows(path, len(lines))
    labels = text_labels(list(fields))
    check_unique("source", labels)
    columns = {}
    for name, label in zip(list(fields), labels, strict=True):
        column = fields.pop(name)
        columns[label.strip()] = column if isinstance(column, Texts) else _cells(label, _series(column))
    begin = lines[0]
    is_each = all(map(eq, lines, range(begin, begin + len(lines))))
    return Table(path, digest or _digest(columns), range(begin, begin + len(lines)) if is_each else lines, columns)


def _append(fields: dict[Any, list[Any] | array[Any] | Texts], name: Any, value: object) -> None:
    """Add a cell to a column, which is an array of numbers until it holds others, and texts once it holds one."""
    column = fields[name]
    if isinstance(value, (str, dict, list)) and not isinstance(column, Texts):
        column = fields[name] = Texts(map(_cell, column))
    elif isinstance(column, array) and not (type(value) is float or (type(value) is int and -EXACT < value < EXACT)):
        column = fields[name] = column.tolist()
    if isinstance(column, Texts):
        column.append(value.strip() if type(value) is str else _cell(value))
    else:
        column.append(value)


def _series(column: list[Any] | array[Any]) -> pd.Series:
    """A column of the type of its cells."""
    if isinstance(column, array):
        return pd.Series(np.frombuffer(column))
    return pd.Series(column, dtype=object).infer_objects()


def flat(frame: pd.DataFrame) -> pd.DataFrame:
    """A frame whose rows are systems × segments, without labels in its index."""
    check_heading(frame)
    if frame.columns.nlevels > 1:
        known = {alias for kind in ("system", "segment") for alias in ALIASES[kind]}
        check_first_row(frame, known)
        level = next((name for name in frame.columns.names if str(name).casefold() in known), None)
        is_named = any(str(name).casefold() in ALIASES["system"] for name in frame.index.names)
        if is_named and level is None:  # as groupby(["system", "segment"]).agg(…) gives it
            return flat(frame.set_axis([" ".join(text_labels(column)).strip() for column in frame.columns], axis=1))
        if is_named and str(level).casefold() in ALIASES["system"]:
            problem = "its index names the systems, and so does a level of its columns"
            raise InputError(f"source: {problem}; leave out .rename_axis(columns=…)")
        if frame.columns.nlevels != 2 or level is None:
            raise InputError(
                "source: columns with two levels must be scores × systems (or segments), and the level of these be "
                f"named system (or segment); found levels {list(frame.columns.names)}; name them, such as by "
                "source.rename_axis(columns=['score', 'system']), or ['system', 'score'] where systems stand above"
            )
        if str(level).casefold() in ALIASES["segment"]:
            frame = frame if frame.index.nlevels > 1 or frame.index.name is not None else frame.rename_axis("system")
        else:
            frame, level = _with_labels_of_rows(frame, level)
        is_counted = frame.index.nlevels == 1 and frame.index.name == _COUNT
        frame = pd.DataFrame(frame.stack(level, future_stack=True))  # noqa: PD013
        frame = frame.droplevel(0) if is_counted else frame
    index = frame.index
    if index.nlevels > 1 and None in index.names:
        advice = "source.rename_axis(index=['system', 'segment'])"
        raise InputError(f"source: levels of its index have no name; name them all, such as by {advice}")
    is_named = any(name is not None for name in index.names)
    if is_named or not (is_default(index) or pd.api.types.is_numeric_dtype(index.dtype)):
        named = [name for name in index.names if name is not None]
        clash = [name for name in named if name in frame.columns or named.count(name) > 1]
        if clash:
            what = "both a column and a level" if clash[0] in frame.columns else "two levels"
            raise InputError(f"source: {clash[0]!r} names {what} of the index; rename one of them")
        frame = frame.reset_index()
    return frame


_COUNT = "count of rows"
"""The name of an index that counts rows whose labels are in columns."""

_NAMES_ROWS = re.compile(r"(.*_)?(ids?|numbers?|nr|no|questions?|prompts?|sentences?|segments?|samples?)")
FEWEST_ROWS = 10
"""So many numbers that are the same below each system, in any order, name the rows, whatever they are called."""


def _with_labels_of_rows(frame: pd.DataFrame, level: Any) -> tuple[pd.DataFrame, Any]:
    """A frame of two levels of columns with its rows named, and the level of its systems.

    What names rows may be columns below no heading, or one below each system, whose rows have an order of their own.
    """
    heads = [[str(part) for part in column] for column in frame.columns]
    bare = [place for place, parts in enumerate(heads) if any(part.startswith(NO_NAME) for part in parts)]
    if bare != [*range(len(bare))]:
        named = heads[bare[0]]
        raise InputError(
            f"source: its columns {' / '.join(heads[bare[0] - 1])} and {' / '.join(named)} have names in two lines, of "
            "which one is empty; write the name of the system above each of its columns"
        )
    is_counted = frame.index.nlevels == 1 and frame.index.name is None and _is_count(frame.index)
    labels = [frame.iloc[:, place] for place in bare]
    names = [next((part for part in heads[place] if not part.startswith(NO_NAME)), "") for place in bare]
    frame = frame.iloc[:, len(bare) :]
    own = _level_of_labels(frame)
    if own is not None:  # its other level is that of the systems, whatever the two are called
        level, above = "system", ["score", "system"]
        frame = frame.rename_axis(columns=above if own == 0 else above[::-1])
    is_counted = is_counted and (own is not None or any(map(_names_rows, names)))
    if frame.index.nlevels == 1 and frame.index.name is None:
        frame = frame.rename_axis(_COUNT if is_counted else "segment")
    kept = {name or "segment": one for name, one in zip(names, labels, strict=True) if name or not _is_count(one)}
    if kept:
        others = (
            {} if is_counted else {one: frame.index.get_level_values(at) for at, one in enumerate(frame.index.names)}
        )
        frame = frame.set_axis(pd.MultiIndex.from_arrays([*others.values(), *kept.values()], names=[*others, *kept]))
    return frame, level


def _is_count(labels: Any) -> bool:
    """Whether labels count rows from 0 or from 1."""
    return any([*labels] == [*range(start, start + len(labels))] for start in (0, 1))


def _names_rows(name: str) -> bool:
    """Whether a column is named as labels are, and not as texts."""
    plain = plain_name(name)
    usual = {*ALIASES["segment"], *ALIASES["document"]} - TEXTS
    return plain in usual or _NAMES_ROWS.fullmatch(plain) is not None


def _level_of_labels(frame: pd.DataFrame) -> int | None:
    """The level of columns, 0 or 1, in which one that is below, or above, each system names its rows; mostly none."""
    for level in (0, 1):
        names, systems = (frame.columns.get_level_values(at) for at in (level, 1 - level))
        for name in dict.fromkeys(names):
            block = [frame.iloc[:, at].dropna() for at in range(len(names)) if names[at] == name]
            lacking = [one for one in dict.fromkeys(systems) if one not in {*systems[names == name]}]
            if len(block) < 2 or len(lacking) > 1 or not _are_labels(str(name), block):
                continue
            if not lacking:
                return level
            if lacking[0] == systems[0] and not _is_count(frame.index):
                problem = f"{quote(str(name))} names the rows of each system but {quote(str(lacking[0]))}"
                remedy = "whose own names became the index; leave out index_col=0 where the table is read"
                raise InputError(f"source: {problem}, {remedy}")
    return None


def _are_labels(name: str, columns: Sequence[pd.Series]) -> bool:
    """Whether columns hold other texts, or other whole numbers, in each of their rows, and mostly the same ones."""
    are_texts = all(isinstance(cell, str) for column in columns for cell in column)
    if not are_texts and not all(
        pd.api.types.is_numeric_dtype(column) and (column % 1 == 0).all() for column in columns
    ):
        return False
    first, *others = ({*column} for column in columns)
    is_each = all(column.is_unique for column in columns) and len(first) > 1
    if not is_each or not all(2 * len(first & one) >= len(first) for one in others) or "rank" in name.casefold():
        return False
    return are_texts or _names_rows(name) or (len(first) >= FEWEST_ROWS and all(first == one for one in others))


def _cells(name: str, column: pd.Series) -> Texts | FloatArray:
    """Numbers, or truth values alone, as float64, texts otherwise; a missing cell is NaN, or empty."""
    if pd.api.types.is_datetime64_any_dtype(column.dtype) and column.dt.normalize().equals(column):
        column = column.dt.date
    if column.dtype == object and pd.api.types.infer_dtype(column) == "boolean":
        column = column.astype("boolean")
    if pd.api.types.is_integer_dtype(column.dtype) and (column.abs() > EXACT).any():  # numbers of labels, not scores
        return Texts(map(_cell, column.tolist()))
    if pd.api.types.is_numeric_dtype(column.dtype) and not pd.api.types.is_complex_dtype(column.dtype):
        numbers = column.to_numpy(dtype=np.float64, na_value=np.nan)
        if np.isinf(numbers).any():
            row = int(np.argmax(np.isinf(numbers))) + 1
            raise ReadError(
                FRAME, f"{numbers[row - 1]} in column {quote(name)} is not a score; expected a finite number", line=row
            )
        return numbers
    return Texts(map(_cell, column.tolist()))


def _cell(value: Any) -> str:
    """A cell as text, empty where it is missing."""
    if type(value) is str:
        return value.strip()
    return "" if np.ndim(missing := pd.isna(value)) == 0 and missing else _text(value)


def _text(value: object) -> str:
    """A cell as text; whole numbers without a decimal point."""
    return text_labels([value.tolist() if isinstance(value, np.ndarray) else value])[0].strip()


def _digest(columns: Mapping[str, Sequence[str] | FloatArray]) -> str:
    """SHA-256 of names and cells."""
    digest = hashlib.sha256()
    for name, cells in columns.items():
        digest.update(repr(name).encode())
        digest.update(cells.tobytes() if isinstance(cells, np.ndarray) else repr(list(cells)).encode())
    return digest.hexdigest()


TableSource: TypeAlias = "str | Path | Mapping[str, bytes] | pd.DataFrame | Sequence[Mapping[str, Any]] | OpenTable"
"""A file by its path or its contents by name, a DataFrame, or a list of dicts."""

TREC = (
    "is a run of a search engine (TREC), which holds no human scores; join it with judgments to a table: system, "
    "segment, human, score"
)

EXACT = 2**53
"""Whole numbers below are the same in floating point."""

UNNAMED_METRIC = "metric"
"""The name of the column of scores in a file without names of columns."""

NO_HEADER = "There is no header"
"""How a note begins of a file without names of columns."""

REMARK = "; a line that begins with # is no comment in a table, so take such lines out"

_WORD = re.compile(rf"{QUOTED.pattern}(?!\S)|\S+")
_OF_R = re.compile(r'\n*"(?=[^,\n]*\n|[^\n]*\n")')
"""How a table begins that may have names of rows below no heading, as R writes them; a decimal comma divides, too."""


class OpenTable:
    """A source of a table, whose cells are kept once they are read: questions and the reader look at the same ones."""

    def __init__(self, source: Any) -> None:
        self.source = source
        self._table: Table | None = None

    def table(self, score_column: int | str | None) -> Table:
        """The cells, as `open_table` reads them."""
        if score_column is not None:
            return open_table(self.source, score_column)
        self._table = self._table or open_table(self.source)
        return self._table


def open_table(source: object, score_column: int | str | None = None) -> Table:
    """Read the cells of a table: a path, one file, a frame, or a list of dicts.

    ``score_column`` is the number of the column with a metric's scores in a file without a header.
    """
    if isinstance(source, OpenTable):
        return source.table(score_column)
    if score_column is not None and not isinstance(source, (str, Path, Mapping)):
        raise InputError("score_column: is for a file without a header; pass metrics= with a column's name")
    if isinstance(source, pd.DataFrame):
        return frame_table(source)
    if isinstance(source, (list, tuple)):
        if not source or not all(isinstance(record, Mapping) for record in source):
            other = type(next((record for record in source if not isinstance(record, Mapping)), None)).__name__
            found = other if source else "an empty list"
            raise InputError(f"source: must be a list of dicts, one for each row; found {found}")
        return records_table("list", None, enumerate(source, start=1))
    if not isinstance(source, (str, Path, Mapping)):
        found = type(source).__name__
        raise InputError(
            f"source: must be a path, a mapping of one name to bytes, a DataFrame or a list of dicts, found {found}"
        )
    file = read_text(source, "table")
    if file.is_json:
        is_one = file.text.lstrip().startswith("{") and not _NEXT.search(file.text)
        if is_one:
            check_one_object(file.path, file.text)
        if is_one and (rows := table_rows(parse_json(file.path, file.text))):
            return records_table(file.path, file.digest, enumerate(rows, start=1))
        records = each_object(file.path, file.text)
        first, second = next(records), next(records, None)
        if not second and first[1] and all(isinstance(value, (dict, list)) for value in first[1].values()):
            refuse_object(file.path, first[1])
        return records_table(file.path, file.digest, chain([first, second] if second else [first], records))
    return _read_delimited(file.path, file.digest, file.text, score_column)


def _read_delimited(path: str, digest: str, text: str, score_column: int | str | None) -> Table:
    """The cells of a text with delimiters, below its header; a table of two columns may have no header."""
    text, titles = without_title(path, text)
    text = with_tabs(text)
    first = text.lstrip("\n").partition("\n")[0]
    delimiter = _delimiter(first)
    lines, top, cells = _columns(path, text, delimiter)
    top, cells, titles = without_empty_columns(top, cells, titles)
    notes: tuple[str, ...] = ()
    counted = ""
    labeled = not {*ALIASES["system"], *ALIASES["segment"]}.isdisjoint(map(str.casefold, top))
    is_index, is_counted = _is_index(top[0], cells[0]), False
    is_once = not top[0] and count_different(cells[0]) == len(cells[0])
    labeled = labeled or (is_index and not is_once and any(not any(map(number_like, column)) for column in cells[1:]))
    if _counts_rows(top[0], cells[0]) or (labeled and is_index):
        top, cells, notes = top[1:], cells[1:], ("The first column, which counts the rows, was left out.",)
    elif is_counted := (is_index and is_once) or _is_series(top, cells[0]):
        top[0] = counted = "segment"  # as pandas writes a frame of segments × systems
        notes = (ROWS_TAKEN,) if are_whole(top[1:]) else ()
    if _counts_columns(top) and not any(map(number_like, cells[0])):
        top[0] = "system"  # as pandas writes a frame of systems × segments
    elif not top[0] and is_once and len(cells[0]) > 1 and len({*top}) == len(top) and _name_rows(cells[0]):
        top[0] = UNNAMED_ROWS
    unnamed = 0 if notes and not is_counted else _count_unnamed(top)
    typed = [] if unnamed or is_counted or score_column is not None else _typed_columns(top, cells)
    is_headed = not (unnamed or typed or score_column is not None)
    if not is_headed:
        cells = [Texts(chain([first], column)) for first, column in zip(top, cells, strict=True)]
    if score_column is not None:
        header, note = _choose_column(path, score_column, unnamed, len(top))
        notes += (note,)
    elif unnamed == 2:
        header = ["human", "metric"]
        _refuse_decimals(path, cells, lines[0], delimiter)
        notes += (f"{NO_HEADER}: the first column was taken for human scores, the second for a metric.",)
    elif typed:
        header = typed
        notes += (f"{NO_HEADER}: the columns were taken for {', '.join(header)}.",)
    else:
        header = top
        below = [[*column[:2]] for column in cells if len(column)]
        _check_header(path, header, below, lines[0], may_count=bool(notes) and not is_counted)
        lines = lines[1:]
    if not lines:
        raise ReadError(path, "has a header and no rows; expected one row per system and segment", line=1)
    columns = dict(zip(header, cells, strict=True))
    commas = delimiter == ";" or (delimiter == "\t" and any(map(_is_decimal, columns.values())))
    notes = (*titles, *notes)
    return Table(
        path, digest, lines, columns, commas=commas, headed=not (unnamed or typed), notes=notes, counted=counted
    )


def count_unnamed(head: bytes) -> int:
    """How many columns of numbers a file without a header has, by its first bytes; 0 where there is a header."""
    first, *below = head.decode("utf-8-sig", errors="replace").lstrip("\r\n").split("\n")
    delimiter = _delimiter(first)
    cells = first.split() if delimiter == " " else first.split(delimiter)
    top = [unquote(cell.strip()) for cell in cells]
    rows = [
        unquote(line.partition(delimiter)[0]) for line in below[: -1 if len(head) >= HEAD else None] if line.strip()
    ]
    return 0 if not top or _counts_rows(top[0], rows) or _is_series(top, rows) else _count_unnamed(top)


def _delimiter(first: str) -> str:
    """What divides the cells of the first line."""
    return next((mark for mark in "\t;," if mark in first), " ")


def _count_unnamed(top: Sequence[str]) -> int:
    """The number of columns without a name; 0 where the first line holds names, or numbers behind an empty cell."""
    if _counts_columns(top) or (
        len(top) > 2 and not top[0] and all(map(str.isdigit, top[1:])) and len({*top}) == len(top)
    ):
        return 0
    are_numbers = all(cell in MISSING or number_like(cell) for cell in top)
    return len(top) if len(top) > 1 and any(top) and are_numbers else 0


def _typed_columns(top: Sequence[str], below: Sequence[Sequence[str]]) -> list[str]:
    """The names of three columns without any, by what they hold: systems, whole numbers, and scores; else none."""
    if len(top) != 3 or sum(map(number_like, top)) != 2:
        return []
    kinds = [
        "system"
        if not (number_like(first) or any(map(number_like, column)))
        else "segment"
        if first.isdigit() and all(map(str.isdigit, column))
        else "metric"
        if all(cell in MISSING or number_like(cell) for cell in chain([first], column))
        else ""
        for first, column in zip(top, below, strict=True)
    ]
    return kinds if set(kinds) == {"system", "segment", "metric"} else []


LONGEST_LABEL = 100
"""Maximum number of characters of a heading that counts segments."""


def _counts_columns(top: Sequence[str]) -> bool:
    """Whether the first line is one of segments that are counted, above systems without a name."""
    if len(top) < 3 or top[0] or len(top[1]) > LONGEST_LABEL:
        return False
    beginning = re.sub(r"[\W_]*\d+$", "", top[1]).casefold()
    return beginning in ("", *ALIASES["segment"]) and labels_as_numbers(top[1:])[:2] in ([1, 2], [0, 1])


def _choose_column(path: str, score_column: int | str, unnamed: int, width: int) -> tuple[list[str], str]:
    """The names of the column of scores, and of all others by their numbers; and what to say of it."""
    if not unnamed:
        raise InputError(
            f"score_column: is for a file without a header, but {short(path)} has names of columns in its "
            "first line; pass metrics= with one of them"
        )
    number = int(score_column) if str(score_column).isascii() and str(score_column).isdigit() else 0
    if not 1 <= number <= width or isinstance(score_column, bool):
        raise InputError(f"score_column: must be a number from 1 to {width}, found {score_column!r}")
    names = [UNNAMED_METRIC if place == number else f"column {place}" for place in range(1, width + 1)]
    return names, f"{NO_HEADER}: column {number} of {width} holds the scores of a metric, the others hold none."


def _refuse_decimals(path: str, cells: Sequence[Sequence[str]], line: int, delimiter: str) -> None:
    """Refuse two columns of whole numbers without a header that may be one of decimal commas."""
    if delimiter == "," and all(cell.lstrip("+-").isdigit() for column in cells for cell in column):
        first = ",".join(column[0] for column in cells)
        raise ReadError(
            path,
            f"has no header, and every line is as {quote(first)}: is this a decimal comma? Then write "
            f"{quote(first.replace(',', '.'))}. If these are two columns, put a line with names above them, such as "
            "human,metric, or pass score_column=2 if the second holds a metric's scores",
            line=line,
        )


def _is_decimal(cells: Sequence[str]) -> bool:
    """Whether a comma in a column of numbers cannot divide thousands."""
    return all(number_like(cell) for cell in cells if "," in cell) and any(
        not THOUSANDS.fullmatch(cell.lstrip("+-0") or "0") for cell in cells if "," in cell
    )


def _columns(path: str, text: str, delimiter: str) -> tuple[Sequence[int], list[str], list[Texts]]:
    """The line of every row that is not blank, the first row, and the cells below by column.

    There are no spaces around cells, and quotation marks swallow no delimiter of a text.
    """
    check_cells(path, text, None if delimiter == " " else delimiter)
    if even := even_columns(text, delimiter):
        return range(1, len(even[1][0]) + 2), *even
    lines = array("I")
    each = _rows(path, text, delimiter)
    begin, *rest = islice(each, 2)
    is_short = bool(_OF_R.match(text)) and any(len(row) == len(begin[1]) + 1 for _, row in rest)
    rows = _even(path, chain([(begin[0], [""] * is_short + begin[1]), *rest], each), delimiter, lines)
    top = [cell.strip() for cell in next(rows)]
    cells = to_columns(rows, len(top), str.strip)
    if is_short and (count_different(cells[0]) < len(cells[0]) or not any(cells[-1])):  # no names of rows, as R's are
        raise _uneven(path, begin, rest[0], delimiter)
    return lines, top, cells


def _even(path: str, rows: Iterable[tuple[int, list[str]]], delimiter: str, lines: array[int]) -> Iterator[list[str]]:
    """The rows, whose numbers are added to the lines; rows of empty cells at the end are left out.

    A row of another width than the first one is refused, unless nothing but rows of empty cells follows it.
    """
    first, odd, empty = list[str](), (0, list[str]()), array("I")
    for number, row in rows:
        first = first or row
        is_empty = not row[0].strip() and not any(map(str.strip, row))
        if row == first and lines and not any(map(number_like, row)) and len(row) > 1:
            problem = f"is the header of line {lines[0]} again, as where tables stand below each other"
            raise ReadError(path, f"{problem}; take such lines out, or give a file for each table", line=number)
        if odd[0] or len(row) != len(first):
            odd = odd if odd[0] else (number, row)
            if not is_empty:
                raise _uneven(path, (lines[0], first), odd, delimiter)
        elif is_empty and lines:
            empty.append(number)
        else:
            if empty:
                lines.extend(empty)
                yield from repeat([""] * len(first), len(empty))
                empty = array("I")
            lines.append(number)
            yield row


def _rows(path: str, text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The line and the cells of every row; where no quotation mark can swallow anything, lines are rows."""
    if delimiter == " ":
        yield from _by_blanks(path, text)
    elif "\r" not in text and ('"' not in text or (delimiter == "\t" and is_even(text, delimiter))):
        has_quotes = '"' in text
        for number, line in enumerate(each_line(text), start=1):
            if line.strip():
                row = line.split(delimiter)
                yield number, list(map(unquote, row)) if has_quotes else row
    else:
        yield from read_rows(path, text, delimiter)


def _by_blanks(path: str, text: str) -> Iterator[tuple[int, list[str]]]:
    """The fields of every line, where all lines have equally many."""
    begin, first, width, may_be_short = 0, list[str](), 0, _OF_R.match(text) is not None
    for number, line in enumerate(each_line(text), start=1):
        if fields := list(map(unquote, _WORD.findall(line))) if '"' in line else line.split():
            begin, first, width = (begin, first, width or len(fields)) if first else (number, fields, 0)
            if len(fields) < 2 or (width and (len(fields) != width or width - len(first) not in (0, may_be_short))):
                header = " ".join(first)
                problem = f"found one column, {quote(header)}; expected several, divided by tab, comma or semicolon"
                problem += REMARK if header.startswith("#") else ", or by blanks in lines with equally many fields"
                raise ReadError(path, problem, line=begin)
            yield number, fields


def _uneven(path: str, first: tuple[int, list[str]], found: tuple[int, list[str]], delimiter: str) -> ReadError:
    """The error for a line that has another number of cells than the first line."""
    hint = "; add what is missing, or delete the line"
    if len(found[1]) > len(first[1]):
        is_comma = delimiter == "," and not any(map(DECIMAL_POINT.fullmatch, found[1]))
        hint = "; a decimal comma also divides cells, so write decimal points" if is_comma else ""
        hint += "; if R wrote names of rows, write the table with row.names = FALSE" * (found[1][0].strip() == "1")
    if len(found[1]) == len(first[1]) + 1 and not found[1][-1].strip():
        hint = f"; put {quote(delimiter)} at the end of line {first[0]}, too, or take it away at the end of the others"
    hint = f"; leave line {first[0]} out" if first[1][0].startswith("sep=") else hint
    hint = REMARK if found[1][0].startswith("#") or first[1][0].strip().startswith("#") else hint
    problem = f"found {len(found[1])} cells, expected {len(first[1])} as in line {first[0]}{hint}"
    return ReadError(path, problem, line=found[0])


ROWS_TAKEN = "The first column, which has no name, was taken for segments."
"""The note of a table whose rows and columns are numbers; either may be systems that are."""

UNNAMED_ROWS = "row"
"""The name of a first column without one that holds other texts in each row, as pandas writes labels."""


def _is_index(name: str, first: Sequence[str]) -> bool:
    """Whether the first column has no name and holds whole numbers, as pandas writes the index of a frame."""
    return not name and len(first) > 0 and are_whole(first)


def _name_rows(cells: Sequence[str]) -> bool:
    """Whether cells name rows: texts, or texts beside whole numbers, such as mean below those of segments."""
    numbers = [cell for cell in cells if number_like(cell)]
    return not numbers or (len(numbers) < len(cells) and are_whole(numbers) and MISSING.isdisjoint(cells))


def _is_series(top: Sequence[str], first: Sequence[str]) -> bool:
    """Whether the first line is ``,0``, as pandas writes above a series, and below it are labels."""
    if [*top] != ["", "0"] or not first or not MISSING.isdisjoint(first):
        return False
    return count_different(first) == len(first) if are_whole(first) else not any(map(number_like, first))


def _counts_rows(name: str, first: Sequence[str]) -> bool:
    """Whether the first column has no name and counts the rows below the header, as pandas and R write them."""
    return not name and len(first) > 0 and all(map(eq, first, map(str, range(len(first)))))


def _check_header(
    path: str, header: Sequence[str], below: Sequence[Sequence[str]], line: int, *, may_count: bool
) -> None:
    """Refuse columns without a name or with the same name, and a first line that is no header.

    Numbers may name systems or segments behind a column of the other ones; whole numbers also behind one of the rows
    (``may_count``).
    """
    seen: set[str] = set()
    is_wide = may_count or header[0].casefold() in (*ALIASES["system"], *ALIASES["segment"])
    for place, name in enumerate(header):
        if not name:
            problem = f"column {place + 1} has no name; expected a name for every column, and no title above them"
            if len({*header}) < len(header):
                problem += f"; of a table with two levels of columns, {_two_levels(path, header, below)}"
            raise ReadError(path, problem, line=line)
        if number_like(name) and not (is_wide and (name.isdigit() or (header[0] and NUMBER.fullmatch(name)))):
            _refuse_numbers(path, header, name, line)
        if name.casefold() in seen:
            remedy = "rename one of them"
            if below and not any(number_like(cells[0]) or cells[0] in MISSING for cells in below[1:]):
                remedy = f"if their names stand in two lines, {_two_levels(path, header, below)}; else {remedy}"
            raise ReadError(path, f"two columns are named {quote(name)}; {remedy}", line=line)
        seen.add(name.casefold())


def _two_levels(path: str, header: Sequence[str], below: Sequence[Sequence[str]]) -> str:
    """How a table with names in two lines above its columns is passed, with the names of both.

    Where the third line names the first columns, as pandas writes an index of several levels, they are the index.
    """
    reads = "excel" if ".xlsx" in path.lower() else "csv"
    names = [cells[-1] for cells in below[: next((at for at, name in enumerate(header) if name), 0)]]
    is_index = len(names) > 1 and not any(number_like(name) or name in MISSING for name in names)
    frame = f"pandas.read_{reads}(PATH, header=[0, 1], index_col={[*range(len(names))] if is_index else 0})"
    if is_index and any(name.casefold() in ALIASES["system"] for name in names):
        return f"pass {frame} in Python"
    told = f"pass {frame}.rename_axis(columns=['system', 'score']) in Python, or ['score', 'system'] for systems below"
    are_below = bool(below) and below[0][0].casefold() in ALIASES["system"]
    return f"pass {frame}.rename_axis(columns=['score', 'system']) in Python" if are_below else told


def _refuse_numbers(path: str, header: Sequence[str], name: str, line: int) -> NoReturn:
    """Say what is missing where the first line holds numbers."""
    if len(header) == 6 and header[1].upper() == "Q0":
        raise ReadError(path, TREC, line=line)
    problem = f"the first line names no columns: {quote(name)} is a number"
    blocks = ", or name a file of lines SYSTEM SCORE NAME.seg.score" if len(header) == 2 and name == header[1] else ""
    if len(header) > 2 and not number_like(header[0]) and all(map(number_like, header[1:])):
        blocks += ", or call the first column system if they name segments, segment if they name systems"
    if _count_unnamed(header):
        blocks += f", or pass score_column= with the number, 1 to {len(header)}, of the column with a metric's scores"
    names = "file, score" if len(header) == 2 else "system, segment, human, BLEU"
    raise ReadError(path, f"{problem}; put a line such as {names} above it{blocks}", line=line)
