"""How much does a text hold? It is counted before anything is kept of it, so that no file takes many times its size."""

from __future__ import annotations

from collections.abc import Iterator

from tiekit.base.errors import ReadError

MAX_COLUMNS = 10_000
"""Maximum number of columns of a table."""

MAX_ROWS = 1_000_000
"""Maximum number of rows below a header, and of scores in a file with one in each line."""

MAX_SYSTEMS = 50_000
"""Maximum number of systems of a file of lines SYSTEM SCORE."""

MAX_CELLS = 5_000_000
"""Maximum number of cells of a table, or of values in JSON."""

IN_PYTHON = "; in Python, a DataFrame may have more: tk.read(pandas.read_csv(path))"

OBJECT, LIST, TEXT, VALUE = 184, 64, 56, 32
"""Bytes that Python takes for each."""

KEY, FEW_KEYS = 280, 10_000
"""Bytes for each key that names a score, with what is made of it, where objects have more keys than so many."""

CELL = 230
"""Bytes that a value of a table that is one object takes until its rows are kept, where each has one."""

SMALL = 2**18
"""JSON of fewer characters is never too much."""

KEPT_FACTOR, KEPT_MORE = 3, 80 * 2**20
"""What JSON that is kept as objects may take: so many times its length, and so many bytes more."""


PIECE = 2**18
"""Minimum number of characters that are divided at once."""


def each_piece(text: str) -> Iterator[str]:
    """The whole lines of a text, some at a time: all of them at once, divided, would take many times its bytes."""
    start = 0
    while start < len(text):
        end = text.find("\n", start + PIECE)
        end = len(text) - text.endswith("\n") if end < 0 else end
        yield text[start:end]
        start = end + 1


def each_line(text: str) -> Iterator[str]:
    """The lines of a text, without line ends."""
    for piece in each_piece(text):
        yield from piece.split("\n")


def check_rows(path: str, rows: int) -> None:
    """Refuse more rows than the limit, and a header."""
    if rows > MAX_ROWS + 1:
        raise ReadError(path, f"has {rows:,} rows; the limit is {MAX_ROWS:,}; split it, by language pair or system")


def check_systems(path: str, found: int, lines: int) -> None:
    """Refuse more systems than the limit, found in so many lines."""
    if found > MAX_SYSTEMS:
        problem = f"has {found:,} different systems in its first {lines:,} lines; the limit is {MAX_SYSTEMS:,}"
        raise ReadError(path, f"{problem}; expected SYSTEM SCORE, with a line for each segment of a system")


def check_columns(path: str, columns: int, line: int) -> None:
    """Refuse more columns than the limit, those of a header or of the objects up to a line."""
    if columns > MAX_COLUMNS:
        problem = f"has {columns:,} columns; the limit is {MAX_COLUMNS:,}"
        raise ReadError(path, f"{problem}; give the columns that are compared, or one row for each score", line=line)


def check_cells(path: str, text: str, delimiter: str | None) -> None:
    """Refuse a table of too many columns, rows or cells; None: blanks divide them."""
    first = text.lstrip("\n").partition("\n")[0]
    columns = _cells_in(first, delimiter)
    check_columns(path, columns, 1)
    lines = text.count("\n") + (not text.endswith("\n"))
    marks = text.count(delimiter) if delimiter else text.count(" ") + text.count("\t")
    if lines <= MAX_ROWS + 1 and marks + lines - columns <= MAX_CELLS:
        return
    cells = rows = 0
    for line in each_line(text):
        found = _cells_in(line, delimiter)
        cells, rows = cells + found, rows + (found > 0)
    check_rows(path, rows)
    check_number(path, cells - columns, "cells below the first line", advice=IN_PYTHON)


def check_number(path: str, found: int, what: str, *, advice: str = "") -> None:
    """Refuse more cells, or values of JSON, than the limit."""
    if found > MAX_CELLS:
        problem = f"has {found:,} {what}; the limit is {MAX_CELLS:,}; split it, by language pair or metric"
        raise ReadError(path, problem + advice)


def _cells_in(line: str, delimiter: str | None) -> int:
    """The number of cells of a line, 0 of a blank one."""
    if delimiter is None:
        return len(line.split())
    return 0 if not line or line.isspace() else line.count(delimiter) + 1


def check_one_object(path: str, text: str) -> None:
    """Refuse one object of JSON whose values would take many times its bytes if they were rows of a table."""
    check_objects(path, text)
    values, most = text.count(","), (KEPT_FACTOR * len(text) + KEPT_MORE) // CELL
    if values > most:
        problem = f"has {values:,} values in one object; the limit is {most:,}"
        raise ReadError(path, f"{problem}; write an object for each row, one a line, or write it as CSV")


def check_objects(path: str, text: str) -> None:
    """Refuse JSON whose objects would take many times its bytes if all of them are kept."""
    if len(text) < SMALL:
        return
    objects, lists, values = text.count("{"), text.count("["), text.count(",")
    check_number(path, values, "values")
    texts = max(text.count('"') // 2 - (colons := text.count(":")), 0)
    keys = colons if colons > FEW_KEYS * objects else 0
    most = KEPT_FACTOR * len(text) + KEPT_MORE
    if OBJECT * objects + LIST * lists + TEXT * texts + VALUE * values + KEY * keys > most:
        found = (
            f"has {objects:,} objects, {lists:,} lists, {texts:,} texts and {values:,} values in {len(text):,} letters"
        )
        raise ReadError(path, f"{found}; the limit is {most >> 20:,} MB of memory; split it, or give it as a table")
