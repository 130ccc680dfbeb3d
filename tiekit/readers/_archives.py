"""What is in a packed file? That in a zip archive, bzip2 or xz, the cells of a workbook, the table of Parquet."""

from __future__ import annotations

import bz2
import io
import lzma
import re
import warnings
import zipfile
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import chain, islice, repeat
from pathlib import PurePosixPath
from typing import Any

from tiekit.base.errors import LeftOutWarning, ReadError, quote, warn
from tiekit.base.names import known_names
from tiekit.readers._amounts import IN_PYTHON, check_number, check_rows
from tiekit.readers._columns import Texts, to_columns
from tiekit.readers._date_cells import DateCells, date_styles
from tiekit.readers._merged_cells import Merged, MergedCells, merged_cells
from tiekit.readers._numbers import number_like
from tiekit.readers._other_files import OPEN_DOCUMENT
from tiekit.readers._source import ALWAYS_UNPACKED, MAX_BYTES, MAX_RATIO, Source, TextFile, one_file, read_text
from tiekit.readers._titles import is_heading

ZIP, PARQUET = b"PK\x03\x04", b"PAR1"
PACKERS: Mapping[bytes, tuple[str, Callable[..., Any]]] = {
    b"BZh": (".bz2", bz2.open),
    b"\xfd7zXZ\x00": (".xz", lzma.open),
}
"""By how a file begins: how its name ends, and what opens it."""

ARRAYS = ".npz"
"""How the name of NumPy's archive ends, which is read as it is."""

IN_PAIRS = "_score"
"""How names of columns end in MATEO's workbooks, which hold the scores of each metric in a sheet of its own."""

BESIDE_PAIRS = ("src", "ref")
"""The names of MATEO's other columns."""

MAX_SHEETS = 24 * 2**20
"""Maximum number of bytes that sheets and texts may unpack to: a million cells."""

MAX_REST = 2**18
"""Maximum number of bytes that the list of sheets may unpack to; styles and pictures are not unpacked."""

MAX_COLUMNS = 10_000
MAX_WORKBOOK_CELLS = 2_000_000
MOST_ABOVE = 100
"""In so many rows the first one of a table is looked for."""

_CELL_ENDS = re.compile(r"[\t\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+")
"""What would end a cell, or its line, in a table of text."""

FEWEST_IN_ROW = 3
"""So many cells every row of a workbook counts for, empty ones too."""

PARTS = ("[Content_Types].xml", "_rels/.rels", "xl/workbook.xml", "xl/_rels/workbook.xml.rels")
ROWS_AT_ONCE = 20_000
"""The number of rows of a Parquet file that are text at the same time."""

TEXTS = "BYTE_ARRAY"
"""How Parquet calls texts of any length."""

SHARED_TEXTS = "xl/sharedStrings.xml"
SHEETS = "xl/worksheets/"

_ROW_END, _PREFIX = rb"/(?=(?:[^\s<>/:]+:)?row[\s>])", rb"(?:[^\s<>/:!?]+:)?"
_TAG = re.compile(rb"<(%s)?%s([^\s<>/:!?]+)([^<]*)" % (_ROW_END, _PREFIX))
"""The beginning of an element, or the end of a row, with the attributes and texts behind it."""
_LONG = re.compile(rb"<[^<]{262144}")
_ASIDE = re.compile(rb"<!--[\s\S]*?(?:-->|\Z)|<\?[\s\S]*?(?:\?>|\Z)")
"""A piece of 256 KB, which no cell has, as text or in a tag; comments and instructions. XML's parser begins each
unfinished piece again with every block that it reads."""
_SHARED_TEXT = re.compile(rb"<%ssi[\s/>]" % _PREFIX)

IN_CELL, MOST_IN_CELL = (b"v", b"f", b"is", b"t"), 3
"""Elements of a cell; maximum number of them."""

MOST_ATTRIBUTES, SHORT, MAX_OTHERS = 16, 80, 100_000
"""Maximum number of attributes that an element of a sheet has without counting, which shorter ones never have; and of
all else beside its cells."""

FEW, TEXT_BYTES, SIGN_BYTES = 10_000, 10, 40
"""Maximum number of elements of shared texts, and a further one for so many bytes; bytes for each equality sign, as
attributes have, after the first `MAX_OTHERS`."""

MAX_PARTS = 10_000
"""Maximum number of files in a zip archive."""

Row = tuple[int, tuple[str, ...]]
"""The number of a row in its sheet, and its cells."""


def is_packed(head: bytes) -> bool:
    """Whether these are the first bytes of an archive, such as a workbook, or of a Parquet file."""
    return head.startswith((ZIP, PARQUET, *PACKERS))


def is_workbook(data: bytes) -> bool:
    """Whether these are the first bytes of an archive, as a workbook is."""
    return data.startswith(ZIP)


def open_zip(path: str, data: bytes) -> zipfile.ZipFile:
    """A zip archive; more files than the limit are refused before their names are kept."""
    if (number := data.count(b"PK\1\2")) > MAX_PARTS:
        raise ReadError(
            path, f"holds {number:,} files; the limit is {MAX_PARTS:,}; unpack it, and give those with scores"
        )
    return zipfile.ZipFile(io.BytesIO(data))


def read_workbook(path: str, data: bytes) -> Mapping[str, Sheet]:
    """The rows of every sheet that are not empty, by the sheet's name."""
    try:
        import openpyxl
        from openpyxl.reader.workbook import WorkbookParser
    except ImportError:
        problem = "is an Excel workbook, which needs openpyxl: pip install 'tiekit[excel]', or save each sheet as CSV"
        raise ReadError(path, problem) from None
    try:
        kept = _without_styles(path, data)
        with open_zip(path, data) as whole:
            dates = date_styles(whole)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what openpyxl does not know, such as styles, holds no scores
            with zipfile.ZipFile(io.BytesIO(kept)) as archive:
                parser = WorkbookParser(archive, PARTS[2])
                parser.parse()
                places = [relation.target for _, relation in parser.find_sheets()]
            if len(set(places)) < len(places):
                raise ReadError(path, f"has {len(places):,} sheets, of which some are the same; save each as CSV")
            book = openpyxl.load_workbook(io.BytesIO(kept), read_only=True, data_only=True)
            with zipfile.ZipFile(io.BytesIO(kept)) as archive:
                merged = {name: merged_cells(archive.read(name)) for name in filter(_is_sheet, archive.namelist())}
            return _rows_by_sheet(path, book.worksheets, dates, merged)
    except ReadError:
        raise
    except Exception as error:  # a damaged workbook can fail anywhere in openpyxl
        problem = f"is not a workbook that can be opened ({type(error).__name__}: {str(error)[:80]})"
        raise ReadError(path, f"{problem}; save it again as .xlsx, or each sheet as CSV") from None


def _without_styles(path: str, data: bytes) -> bytes:
    """The archive with nothing but sheets and texts; one that unpacks to more than the limits is refused.

    The sizes are those that the archive declares: Python's zipfile never unpacks more than these.
    """
    kept = io.BytesIO()
    with open_zip(path, data) as archive, zipfile.ZipFile(kept, "w") as smaller:
        parts = [
            part for part in archive.infolist() if part.filename in (*PARTS, SHARED_TEXTS) or _is_sheet(part.filename)
        ]
        rest = sum(part.file_size for part in parts if part.filename in PARTS)
        size = sum(part.file_size for part in parts)
        if rest > MAX_REST or size - rest > MAX_SHEETS:
            limit = f"the limit is {MAX_SHEETS >> 20} MB of cells"
            raise ReadError(path, f"unpacks to {size:,} bytes; {limit}; save each sheet as CSV")
        for part in parts:
            content = archive.read(part)
            longest = max((len(one.group()) for one in _ASIDE.finditer(content)), default=0)
            if longest > MAX_REST or _LONG.search(content):
                raise ReadError(path, f"has XML in pieces of more than {MAX_REST:,} bytes; save each sheet as CSV")
            if _is_sheet(part.filename):
                _check_sheet(path, content)
            elif part.filename == SHARED_TEXTS:
                elements, signs = content.count(b"<") - content.count(b"</"), content.count(b"=")
                texts = sum(1 for _ in _SHARED_TEXT.finditer(content))
                _check_limits(
                    path,
                    (elements - 2 * texts, "elements beside its texts", MAX_OTHERS),
                    (elements, "elements in its texts", FEW + len(content) // TEXT_BYTES),
                    (signs, "equality signs in its texts", MAX_OTHERS + len(content) // SIGN_BYTES),
                )
            smaller.writestr(part.filename, content)
    return kept.getvalue()


def _check_sheet(path: str, content: bytes) -> None:
    """Refuse a sheet of too many cells, too many in a row, which are kept until it ends, or too much beside them."""
    if b"\0" in content:
        raise ReadError(path, "has a sheet that is not written in UTF-8; save it again as .xlsx, or as CSV")
    cells = width = rows = others = inner = 0
    for found in _TAG.finditer(content):
        is_end, kind, attributes = found.groups()
        if kind == b"c":
            cells, width, inner = cells + 1, width + 1, 0
        elif kind in IN_CELL:
            inner += 1
            others += inner > MOST_IN_CELL
        elif kind == b"row":
            rows, width, inner = rows + (not is_end), 0, MOST_IN_CELL
        else:
            others += 1
        if len(attributes) > SHORT:
            others += max(attributes.count(b"=") - MOST_ATTRIBUTES, 0)
        if width > MAX_COLUMNS:
            raise ReadError(path, f"has a row of more than {MAX_COLUMNS:,} cells, the limit; save the sheet as CSV")
    _check_limits(
        path,
        (cells, "cells", MAX_WORKBOOK_CELLS),
        (rows, "rows in a sheet", MAX_WORKBOOK_CELLS // FEWEST_IN_ROW),
        (others, "elements and attributes beside its cells", MAX_OTHERS),
    )


def _check_limits(path: str, *found: tuple[int, str, int]) -> None:
    """Refuse a workbook that has more of something than the limit."""
    for number, what, limit in found:
        if number > limit:
            raise ReadError(path, f"has {number:,} {what}; the limit is {limit:,}; save each sheet as CSV")


def _is_sheet(name: str) -> bool:
    return name.startswith(SHEETS) and name.endswith(".xml")


@dataclass(frozen=True)
class Sheet:
    """The rows of a sheet that are not empty, by column."""

    numbers: array[int]
    columns: Sequence[Texts]

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[Row]:
        return zip(self.numbers, zip(*self.columns, strict=True), strict=True)


def _rows_by_sheet(
    path: str, worksheets: Sequence[Any], dates: Mapping[int, str], merged: Mapping[str, Merged]
) -> dict[str, Sheet]:
    """The rows of every sheet, as wide as the first one with several cells; ``dates`` are styles by number.

    ``merged`` are the cells that are merged in the sheet of each path.
    """
    found: dict[str, Sheet] = {}
    left, letters = MAX_WORKBOOK_CELLS, MAX_SHEETS
    for sheet in worksheets:
        sheet.reset_dimensions()  # a file may declare any size
        width = _width(sheet.iter_rows(values_only=True, max_row=MOST_ABOVE))
        numbers, shown = array("I"), DateCells(dates)
        above = MergedCells(merged.get(sheet._worksheet_path.lstrip("/"), {}))

        def rows(
            sheet: Any = sheet,
            width: int = width,
            numbers: array[int] = numbers,
            shown: DateCells = shown,
            above: MergedCells = above,
        ) -> Iterator[list[str]]:
            nonlocal left, letters
            for number, row in enumerate(sheet.iter_rows(values_only=not dates, max_col=width), start=1):
                values = shown.values(number, row) if dates else row
                left -= max(len(values), FEWEST_IN_ROW)
                if left < 0:
                    raise ReadError(path, f"has more than {MAX_WORKBOOK_CELLS:,} cells; save each sheet as CSV")
                cells = list(map(_text, values))
                filled = above.fill(number, cells)
                letters -= sum(map(len, filled))
                if letters < 0:
                    problem = f"has cells of more than {MAX_SHEETS:,} letters, the limit"
                    raise ReadError(path, f"{problem}; leave columns of texts out, or save each sheet as CSV")
                if any(cells):
                    numbers.append(number)
                    yield filled

        found[str(sheet.title)] = Sheet(numbers, to_columns(rows(), width))
        shown.check(path, str(sheet.title))
    if not any(map(len, found.values())):
        raise ReadError(path, f"has no cells in its sheets {quote(', '.join(found))}; save it again")
    return found


def _width(top: Iterable[Sequence[object]]) -> int:
    """The number of columns of the first row with several cells, or of the names below it."""
    several = (list(map(_text, row)) for row in top if sum(value is not None for value in row) > 1)
    wide = list(islice(several, 2)) or [[""]]
    return min(len(wide[-1] if is_heading(wide[0], wide[-1]) else wide[0]), MAX_COLUMNS)


def _text(value: object) -> str:
    """A cell as text: numbers with all their digits, empty where there is nothing."""
    return "" if value is None else repr(value) if isinstance(value, float) else str(value)


def read_unpacked(source: Source, expected: str, needed: Collection[str]) -> TextFile:
    """The text of the only file of a source, or of what is packed in it; ``needed`` as for `unpack`."""
    file = one_file("source", source, expected)
    name, data = unpack(file.path, file.name, file.read(), needed=needed)
    return replace(read_text({name: data}, expected), path=file.path)


def unpack(
    path: str, name: str, data: bytes, *, needed: Collection[str] | None = None, is_inside: bool = False
) -> tuple[str, bytes]:
    """What a packed file holds, and the name of that; any other file as it is.

    One level is unpacked, and a workbook, Parquet or arrays in it. A table becomes lines of cells with tabs between
    them, row for row. A workbook of MATEO stays as it is. Columns of lists or records in Parquet are refused, or those
    that are ``needed``, and others left out.
    """
    if data.startswith(PARQUET):
        return f"{name}.tsv", _parquet(path, data, needed)
    packer = next((one for begin, one in PACKERS.items() if data.startswith(begin)), None)
    if not packer and not data.startswith(ZIP):
        return name, data
    most = min(MAX_BYTES, max(ALWAYS_UNPACKED, MAX_RATIO * len(data)))
    try:
        if packer:
            ending, open_packed = packer
            inner = name[: -len(ending)] if name.lower().endswith(ending) else name
            with open_packed(io.BytesIO(data)) as file:
                content = file.read(most + 1)
        else:
            with open_zip(path, data) as archive:
                parts = [part for part in archive.infolist() if not part.is_dir() and not _is_hidden(part.filename)]
                names = {part.filename for part in parts}
                if PARTS[0] in names or PARTS[2] in names or name.lower().endswith(".xlsx"):
                    return _workbook(path, name, data)
                if "mimetype" in names:
                    raise ReadError(path, OPEN_DOCUMENT)
                if names and all(part.endswith(".npy") for part in names):
                    return (name if name.lower().endswith(ARRAYS) else f"{name}{ARRAYS}"), data
                part = _only(path, parts)
                inner = part.filename
                with archive.open(part) as file:
                    content = file.read(most + 1)
    except (
        zipfile.BadZipFile,
        lzma.LZMAError,
        RuntimeError,
        OSError,
        NotImplementedError,
        EOFError,
        ValueError,
    ) as error:
        if name.lower().endswith(".xlsx"):
            return _workbook(path, name, data)  # which says what is wrong with it
        raise ReadError(path, f"cannot be unpacked ({str(error)[:80]}); unpack it, and give the file in it") from None
    if len(content) > most:
        raise ReadError(path, f"unpacks to more than {most:,} bytes ({most >> 20} MB), the limit; split or unpack it")
    if is_packed(content) and (is_inside or not inner.lower().endswith((".xlsx", ".parquet", ARRAYS))):
        raise ReadError(path, f"holds another archive, {quote(inner)}; unpack it to the file with scores")
    base = PurePosixPath(inner).name
    return unpack(path, base, content, needed=needed, is_inside=True) if is_packed(content) else (base, content)


def _only(path: str, parts: Sequence[zipfile.ZipInfo]) -> zipfile.ZipInfo:
    """The only file of an archive."""
    if len(parts) == 1:
        return parts[0]
    if not parts:
        raise ReadError(path, "is an archive without files; pack the file with scores again")
    listed = known_names((part.filename for part in parts), most=3)
    raise ReadError(path, f"holds {len(parts):,} files ({listed}); unpack it, and give those that hold the scores")


def _is_hidden(name: str) -> bool:
    """Whether a file of an archive is one that systems add."""
    return any(part.startswith((".", "__MACOSX")) for part in name.split("/"))


def _workbook(path: str, name: str, data: bytes) -> tuple[str, bytes]:
    """The only sheet with cells, row for row; MATEO's workbooks as they are."""
    every = {name: sheet for name, sheet in read_workbook(path, data).items() if len(sheet)}
    sheets = {name: sheet for name, sheet in every.items() if any(map(number_like, chain(*sheet.columns)))} or every
    if left := [name for name in every if name not in sheets]:
        warn(f"{path}: left out the sheets {known_names(left, most=5)}, which hold no numbers", LeftOutWarning)
    first = next(iter(next(iter(sheets.values()))))[1]
    columns = {cell.strip().casefold() for cell in first}
    if are_in_pairs(columns):
        return name, data
    if len(sheets) > 1:
        problem = f"has cells in {len(sheets)} sheets ({known_names(sheets, most=5)})"
        tops = {name: next(iter(sheet))[1] for name, sheet in sheets.items()}
        longest = max(sheets, key=lambda name: len(sheets[name]))
        means = [
            name for name in sheets if tops[name] != tops[longest] and 2 * len(sheets[name]) < len(sheets[longest])
        ]
        has_names = not all(number_like(cell) for top in tops.values() for cell in top)
        read = "pandas.read_excel(PATH, sheet_name={}" + ", header=None" * (not has_names) + ")"
        step = f"{read.format(repr(longest))} for one alone"
        if len(sheets) - len(means) > 1:
            some = read.format(None)
            if means:
                some = f"{{name: sheet for name, sheet in {some}.items() if name not in {means}}}"
            step = f"{some} where each is a system, a metric or a domain, or {step}"
        raise ReadError(path, f"{problem}; keep the one with scores, or in Python pass {step}")
    return f"{name}.tsv", _tabs(_in_lines(next(iter(sheets.values()))))


def are_in_pairs(columns: Set[str]) -> bool:
    """Whether columns are MATEO's: texts and their scores, and nothing beside these but sources and references."""
    scored = {name for name in columns if name.endswith(IN_PAIRS)}
    paired = {name.removesuffix(IN_PAIRS) for name in scored} & columns
    return bool(paired) and columns <= {*paired, *scored, *BESIDE_PAIRS}


def _in_lines(rows: Iterable[Row]) -> Iterator[tuple[str, ...]]:
    """The cells of each line, none of those that a sheet leaves empty."""
    before = 0
    for number, row in rows:
        yield from repeat((), number - 1 - before)
        yield row
        before = number


def _tabs(rows: Iterable[Sequence[str]]) -> bytes:
    """Rows with tabs between their cells, each in a line of its own."""
    kept = io.BytesIO()
    for row in rows:
        kept.write(("\t".join(map(_in_line, row)) + "\n").encode("utf-8", "replace"))
    return kept.getvalue()


def _in_line(cell: str) -> str:
    """A cell without tabs and line ends; other spaces stay, as the lengths of texts are compared."""
    return (cell if cell.isprintable() else _CELL_ENDS.sub(" ", cell)).strip()


def _parquet(path: str, data: bytes, needed: Collection[str] | None = None) -> bytes:
    """The table of a Parquet file."""
    try:
        import pyarrow
        from pyarrow import parquet, types
    except ImportError:
        problem = "is a Parquet file, which needs pyarrow: pip install pyarrow, or save the table as CSV"
        raise ReadError(path, problem) from None
    try:
        known = parquet.ParquetFile(io.BytesIO(data)).metadata
        schema = parquet.read_schema(io.BytesIO(data))
        nested = {field.name for field in schema if types.is_nested(field.type)}
        if nested if needed is None else nested.intersection(needed):
            step = "leave such columns out, or, in Python, pass pandas.read_parquet(PATH).to_dict('records')"
            raise ReadError(path, f"holds lists or records in its cells; {step}")
        flat = [field.name for field in schema if field.name not in nested]
        leaves = [known.schema.column(place) for place in range(known.num_columns)]
        rows, columns, size, packed = known.num_rows, len(flat), 0, 0
        for group in map(known.row_group, range(known.num_row_groups)):
            for chunk, leaf in zip(map(group.column, range(group.num_columns)), leaves, strict=True):
                packed += chunk.total_compressed_size
                if not 0 <= packed <= len(data):
                    raise ReadError(
                        path, f"says that its columns have more than its {len(data):,} bytes; write it again"
                    )
                if chunk.path_in_schema in flat:
                    cells = max(leaf.length or 0, 0) * group.num_rows  # of texts of a fixed length, kept once or not
                    size += max(chunk.total_uncompressed_size, sum(_pages(data, chunk)), cells)
        check_rows(path, rows)
        check_number(path, rows * columns, "cells", advice=IN_PYTHON.replace("csv", "parquet"))
        if columns > MAX_COLUMNS:
            raise ReadError(
                path, f"has {columns:,} columns; the limit is {MAX_COLUMNS:,}; give those that are compared"
            )
        if size > (most := min(MAX_BYTES, max(ALWAYS_UNPACKED, MAX_RATIO * len(data)))):
            raise ReadError(path, f"unpacks to {size:,} bytes; the limit is {most >> 20} MB; split it")
        texts = [
            leaf.path
            for leaf in leaves
            if leaf.physical_type == TEXTS and leaf.logical_type.type != "DECIMAL" and leaf.path in flat
        ]
        # A text that stands in many cells is kept once, as it is in the file; pyarrow refuses texts that repeat others.
        table = parquet.read_table(io.BytesIO(data), columns=flat if nested else None, read_dictionary=texts)
        for place, field in enumerate(table.schema):
            if types.is_float32(field.type) or (types.is_integer(field.type) and table.column(place).null_count):
                table = table.set_column(place, field.name, table.column(place).cast(pyarrow.float64(), safe=False))
        return b"".join(_parquet_lines(path, table))
    except ReadError:
        raise
    except Exception as error:  # a damaged file can fail anywhere in pyarrow
        problem = f"is not a Parquet file that can be opened ({type(error).__name__}: {str(error)[:80]})"
        raise ReadError(path, f"{problem}; write it again, or as CSV") from None


def _pages(data: bytes, chunk: Any) -> Iterator[int]:
    """How many bytes each page of a column unpacks to, by the page's own header: that is what pyarrow allocates.

    The header is a struct in Thrift's compact protocol, whose second and third fields are the sizes.
    """
    at = min(chunk.data_page_offset, chunk.dictionary_page_offset or chunk.data_page_offset)
    end = at + chunk.total_compressed_size
    while 0 <= at < end:
        at, fields = _struct(data, at)
        yield max(fields[2], 0)
        at += max(fields[3], 0)


def _struct(data: bytes, at: int) -> tuple[int, dict[int, int]]:
    """Where a struct of Thrift ends, and its fields that are whole numbers."""
    fields: dict[int, int] = {}
    field = 0
    while head := data[at]:
        at, field = at + 1, field + (head >> 4)
        if not head >> 4:
            at, field = _whole(data, at)
        if (kind := head & 15) in (4, 5, 6):
            at, fields[field] = _whole(data, at)
        elif kind == 8:
            at, length = _varint(data, at)
            at += length
        elif kind == 12:
            at, _ = _struct(data, at)
        elif kind not in (1, 2):
            raise ValueError("a header of a page that is not known")
    return at + 1, fields


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Where a number of Thrift ends, and the number: seven bits in each byte, the lowest first."""
    number = shift = 0
    while True:
        number |= (data[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 128 or shift > 63:
            return at, number


def _whole(data: bytes, at: int) -> tuple[int, int]:
    """Where a whole number of Thrift ends, and the number."""
    at, number = _varint(data, at)
    return at, number >> 1 ^ -(number & 1)


def _parquet_lines(path: str, table: Any) -> Iterator[bytes]:
    """The names of the columns, and the cells of each row, in lines with tabs, some thousands at a time."""
    levels = _index_of(path, table)
    letters, most = MAX_BYTES, max(ROWS_AT_ONCE, table.num_rows if any(isinstance(one, dict) for one in levels) else 0)
    for start in range(0, max(table.num_rows, 1), most):
        frame = table.slice(start, most).to_pandas()
        if levels:
            frame = frame.reset_index(names=["" if name is None else name for name in frame.index.names])
        if not start:
            yield _tabs([list(map(str, frame.columns))])
        columns = []
        for place, kind in enumerate(frame.dtypes):
            column = frame.iloc[:, place]
            cells = list(map(str, column.astype(object).where(column.notna(), "").tolist()))
            letters -= sum(map(len, cells))
            if letters < 0:
                raise ReadError(path, f"has cells of more than {MAX_BYTES:,} letters, the limit; split it")
            columns.append(cells if getattr(kind, "kind", "O") in "iufb" else map(_in_line, cells))
        yield "".join(f"{line}\n" for line in map("\t".join, zip(*columns, strict=True))).encode("utf-8", "replace")


def _index_of(path: str, table: Any) -> list[Any]:
    """The levels of the index that pandas wrote, a column or, where rows are counted, a dict; none if nobody gave one.

    One without a name becomes a column without a heading, as pandas writes it in CSV.
    """
    levels = (table.schema.pandas_metadata or {}).get("index_columns", [])
    if len(levels) > 1 and any(str(level).startswith("__index_level_") for level in levels):
        advice = "table.rename_axis(index=['system', 'segment'])"
        raise ReadError(path, f"levels of its index have no name; name them all, such as by {advice}")
    if levels and isinstance(one := levels[0], dict) and (one["name"], one["start"], one["step"]) == (None, 0, 1):
        return []
    return list(levels)
