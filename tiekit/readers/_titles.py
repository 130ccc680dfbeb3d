"""Is there a title above the names of a table's columns, as people write it into sheets?"""

from __future__ import annotations

import csv
from collections.abc import Collection, Sequence
from itertools import islice, zip_longest

import pandas as pd

from tiekit.base.errors import InputError, ReadError, quote
from tiekit.base.names import ALIASES, known_names, plain_name
from tiekit.base.validation import is_default
from tiekit.readers._amounts import each_line
from tiekit.readers._columns import Texts
from tiekit.readers._numbers import MISSING, number_like

MOST_ABOVE, LONGEST = 20, 100_000
"""So many lines are looked at for a title and what is below it, of so many characters."""


def without_title(path: str, text: str) -> tuple[str, tuple[str, ...]]:
    """A table without the title above it, whose lines become blank, and a note on it; any other text as it is.

    A title stands alone in its line, in the first column of all or of the table; the next line with cells names all
    columns. Where two cells stand there, as in a pivot table of Excel, the table is refused.
    """
    lines = list(islice(each_line(text), MOST_ABOVE))
    rows = [(at, cells) for at, cells in enumerate(map(_cells, lines)) if any(cells)]
    above = [cells for _, cells in rows[:-1]]
    number = next((n for n, cells in enumerate(above) if sum(map(bool, cells)) > 1), len(above))
    at, names = rows[number] if rows else (0, [])
    both = zip_longest(names, *(cells for _, cells in rows[number + 1 : number + 2]), fillvalue="")
    lead = next((place for place, cells in enumerate(both) if any(cells)), 0)
    titles = ["".join(cells[: lead + 1]) for cells in above[:number]]
    if not titles and len(rows) > 1 and is_heading(names, rows[1][1]):
        below = rows[1][0]
        is_sheet = ".xlsx" in path.lower()
        place = below if is_sheet else sum(bool(line.strip(" \r\n")) for line in lines[:below])
        mark = _delimiter(lines[below])
        options = f"header={place}" + f", sep={mark!r}" * (mark != "," and not is_sheet)
        step = f"pandas.read_{'excel' if is_sheet else 'csv'}(PATH, {options})"
        problem = f"has {quote(names[0])} and {quote(names[1])} above the names of its columns in line {below + 1}"
        raise ReadError(path, f"{problem}; delete what stands above that, or in Python pass {step}", line=at + 1)
    if at and all(map(_is_title, titles)) and are_names(names[lead:]):
        note = f"Left out what stands above the table: {quote(' / '.join(titles))}."
        return "\n" * at + text.split("\n", at)[at], (note,) * bool(titles)
    return text, ()


def _delimiter(line: str) -> str:
    return next((mark for mark in "\t;," if mark in line), "")


def _cells(line: str) -> list[str]:
    """The cells of a line, divided by its first tab, semicolon or comma."""
    delimiter = _delimiter(line)
    if not delimiter or line.count('"') % 2 or len(line) > LONGEST:
        return [line.strip()]
    return [cell.strip() for cell in next(csv.reader([line.replace("\r", " ")], delimiter=delimiter))]


def _is_title(cell: str) -> bool:
    """Whether a cell is a text that is no remark, and names no delimiter, and no column of labels."""
    is_label = plain_name(cell) in {*ALIASES["system"], *ALIASES["segment"], *ALIASES["document"]}
    return not (is_label or cell in MISSING or number_like(cell) or cell.startswith(("#", "|", '"', "sep=")))


def are_names(cells: Sequence[str]) -> bool:
    """Whether cells name all columns, but perhaps the first, which may hold labels."""
    return len(cells) > 1 and all(cells[1:]) and len({*cells}) == len(cells) and not all(map(number_like, cells))


def is_heading(cells: Sequence[str], below: Sequence[str]) -> bool:
    """Whether two cells stand first in a line, and nothing behind them, above the names of more columns."""
    is_short = len(cells) > 1 and all(cells[:2]) and not any(cells[2:]) and len(below) > 2
    return is_short and are_names(below) and not any(map(number_like, [*cells, *below]))


def without_empty_columns(
    top: list[str], cells: list[Texts], notes: Sequence[str]
) -> tuple[list[str], list[Texts], tuple[str, ...]]:
    """A header, its columns and notes without columns of no name and no cell, as of spreadsheets."""
    kept = [at for at, name in enumerate(top) if name or any(cells[at])]
    left = len(top) - len(kept)
    if not left or not kept or all(name in MISSING or number_like(name) for name in top):
        return top, cells, (*notes,)
    told = f"Left out {left} columns without a name and without cells."
    return [top[at] for at in kept], [cells[at] for at in kept], (*notes, told)


NO_NAME = "Unnamed: "
"""How pandas calls an empty heading."""


def check_heading(frame: pd.DataFrame) -> None:
    """Refuse a frame of a sheet whose table begins further below, so that its names are cells of a row."""
    bare = [str(name).startswith(NO_NAME) for name in frame.columns]
    if len(bare) < 3 or not all(bare[1:]):
        return
    for place, row in enumerate(frame.head(MOST_ABOVE).itertuples(index=False), start=1):
        names = [cell for cell in row if isinstance(cell, str)]
        if len(names) > 1 and len(names) == sum(cell == cell for cell in row):
            problem = f"its columns have no names, but row {place} holds {known_names(names, most=3)}"
            step = f"pandas.read_excel(PATH, header={place}), or pandas.read_csv"
            raise InputError(f"source: {problem}; if these are the names, pass the file itself, or {step} of a CSV")


def check_first_row(frame: pd.DataFrame, known: Collection[str]) -> None:
    """Refuse a frame of a file whose third line names its first columns, and became a row: they are its index."""
    bare = [str(column[0]).startswith(NO_NAME) for column in frame.columns]
    first = [] if frame.empty else [*([] if is_default(frame.index) else [frame.index[0]]), *frame.iloc[0][bare]]
    names = [str(name) for name in first]
    if {name.casefold() for name in names} & {*known} and frame.iloc[0][[not one for one in bare]].isna().all():
        problem = f"its first row holds names of columns, {known_names(names)}, as pandas writes those of an index"
        step = f"pandas.read_csv(PATH, header=[0, 1], index_col={[*range(len(names))]}), or read_excel of a workbook"
        raise InputError(f"source: {problem}; pass {step}")
