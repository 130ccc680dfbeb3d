"""How is an Excel workbook read? Sheet by sheet as rows of text; what unpacks to too much is refused first."""

from __future__ import annotations

import io
import warnings
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any

from tiekit.base.errors import ReadError
from tiekit.readers._text import quoted

MAX_SHEETS = 24 * 2**20
"""The most bytes that sheets and texts may unpack to: a million cells."""

MAX_REST = 2**18
"""The most bytes that the list of sheets may unpack to; styles and pictures are not unpacked."""

MAX_COLUMNS = 1_000
MAX_WORKBOOK_CELLS = 2_000_000

PARTS = ("[Content_Types].xml", "_rels/.rels", "xl/workbook.xml", "xl/_rels/workbook.xml.rels")
TEXTS = "xl/sharedStrings.xml"
SHEETS = "xl/worksheets/"

Row = tuple[int, list[str]]
"""The number of a row in its sheet, and its cells."""


def is_workbook(data: bytes) -> bool:
    """Whether these are the first bytes of an archive, as a workbook is."""
    return data.startswith(b"PK\x03\x04")


def read_workbook(path: str, data: bytes) -> Mapping[str, Sequence[Row]]:
    """The rows of every sheet that are not empty, by the sheet's name."""
    try:
        import openpyxl
    except ImportError:
        problem = "is an Excel workbook, which needs openpyxl: pip install 'tiekit[excel]', or save each sheet as CSV"
        raise ReadError(path, problem) from None
    try:
        kept = _without_styles(path, data)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what openpyxl does not know, such as styles, holds no scores
            book = openpyxl.load_workbook(io.BytesIO(kept), read_only=True, data_only=True)
            return _sheets(path, book.worksheets)
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
    with zipfile.ZipFile(io.BytesIO(data)) as archive, zipfile.ZipFile(kept, "w") as smaller:
        parts = [part for part in archive.infolist() if part.filename in (*PARTS, TEXTS) or _is_sheet(part.filename)]
        rest = sum(part.file_size for part in parts if part.filename in PARTS)
        size = sum(part.file_size for part in parts)
        if rest > MAX_REST or size - rest > MAX_SHEETS:
            limit = f"the limit is {MAX_SHEETS >> 20} MB of cells"
            raise ReadError(path, f"unpacks to {size:,} bytes; {limit}; save each sheet as CSV")
        for part in parts:
            smaller.writestr(part.filename, archive.read(part))
    return kept.getvalue()


def _is_sheet(name: str) -> bool:
    return name.startswith(SHEETS) and name.endswith(".xml")


def _sheets(path: str, worksheets: Sequence[Any]) -> dict[str, list[Row]]:
    """The rows of every sheet, as wide as its first row."""
    found: dict[str, list[Row]] = {}
    left = MAX_WORKBOOK_CELLS
    for sheet in worksheets:
        sheet.reset_dimensions()  # a file may declare any size
        width = min(max(map(len, sheet.iter_rows(values_only=True, max_row=1)), default=1), MAX_COLUMNS)
        rows = []
        for number, values in enumerate(sheet.iter_rows(values_only=True, max_col=max(width, 1)), start=1):
            left -= max(len(values), 100)
            if left < 0:
                raise ReadError(path, f"has more than {MAX_WORKBOOK_CELLS:,} cells; save each sheet as CSV")
            cells = [_text(value) for value in values]
            if any(cells):
                rows.append((number, cells))
        found[str(sheet.title)] = rows
    if not any(found.values()):
        raise ReadError(path, f"has no cells in its sheets {quoted(', '.join(found))}; save it again")
    return found


def _text(value: object) -> str:
    """A cell as text: numbers with all their digits, empty where there is nothing."""
    return "" if value is None else repr(value) if isinstance(value, float) else str(value)
