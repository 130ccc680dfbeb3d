"""Which cells of a workbook are shown as dates or times? Their numbers count days, and are no scores."""

from __future__ import annotations

import datetime
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tiekit.base.errors import ReadError, quote
from tiekit.base.names import plain_name
from tiekit.readers._score_names import STOPPED

STYLES = "xl/styles.xml"

MAX_STYLES = 2**24
"""Maximum number of bytes of styles that are looked at."""

FIRST_DAY = 20_000
"""Smaller numbers in the format of a date (up to 1954) were hardly typed as one: they are numbers, such as labels."""

DATE, TIME = "date", "time"
_BUILT_IN = {**dict.fromkeys((*range(14, 18), 22, *range(27, 37), *range(50, 59)), DATE)}
_BUILT_IN |= dict.fromkeys((*range(18, 22), *range(45, 48)), TIME)
"""Numbers of the formats that every workbook has."""

_FORMAT = re.compile(rb"<(?:\w+:)?numFmt\s([^<>]*)>")
_CELL_FORMATS = re.compile(rb"<(?:\w+:)?cellXfs\b.*?</(?:\w+:)?cellXfs>", re.DOTALL)
_CELL_FORMAT = re.compile(rb"<(?:\w+:)?xf\b([^<>]*)>")
_NUMBER, _CODE = re.compile(rb"""numFmtId=["'](\d{1,9})["']"""), re.compile(rb"""formatCode=(?:"([^"]*)"|'([^']*)')""")
_TEXT = re.compile(r"&quot;.*?(?:&quot;|\Z)|\"[^\"]*\"?|\[(?![hms]+\])[^\]]*(?:\]|\Z)|[\\_*].", re.IGNORECASE)
"""What a format shows as it is, colors and languages."""


def date_styles(archive: zipfile.ZipFile) -> Mapping[int, str]:
    """The numbers of the styles of a workbook that show numbers as dates, or as times."""
    if STYLES not in archive.namelist():
        return {}
    with archive.open(STYLES) as file:
        content = file.read(MAX_STYLES + 1)
    if len(content) > MAX_STYLES or not (cells := _CELL_FORMATS.search(content)):
        return {}
    known = dict(_BUILT_IN)
    for attributes in _FORMAT.findall(content):
        number, code = _NUMBER.search(attributes), _CODE.search(attributes)
        if number and code:
            known[int(number[1])] = _kind((code[1] or code[2] or b"").decode("utf-8", "replace"))
    numbers = (_NUMBER.search(attributes) for attributes in _CELL_FORMAT.findall(cells[0]))
    kinds = enumerate(known.get(int(number[1]), "") if number else "" for number in numbers)
    return {place: kind for place, kind in kinds if kind}


def _kind(code: str) -> str:
    """Whether a format shows a date or a time, by its letters; empty where it shows neither."""
    letters = _TEXT.sub("", code.partition(";")[0]).lower()
    if "general" in letters:
        return ""
    return DATE if re.search(r"[dy]|mmm", letters) else TIME if re.search(r"[hs]", letters) else ""


@dataclass
class DateCells:
    """The cells of a sheet with dates and times as these are shown; ``styles`` are those of dates and times.

    Kept are the first row, the columns with other numbers, and the line and text of the first date in each column.
    """

    styles: Mapping[int, str]
    top: list[Any] = field(default_factory=list)
    numbers: set[int] = field(default_factory=set)
    first: dict[int, tuple[int, str]] = field(default_factory=dict)

    def values(self, line: int, row: Sequence[Any]) -> Sequence[Any]:
        """The values of a row of cells."""
        found = [show_date(cell.value, self.styles.get(getattr(cell, "_style_id", 0))) for cell in row]
        self.top = self.top or (found if any(value is not None for value in found) else [])
        for place, (cell, value) in enumerate(zip(row, found, strict=True)):
            if type(value) in (int, float):
                self.numbers.add(place)
            elif value is not cell.value:
                self.first.setdefault(place, (line, value))
        return found

    def check(self, path: str, sheet: str) -> None:
        """Refuse a column of dates beside numbers, unless its name is that of dates or times."""
        for place, (line, text) in sorted(self.first.items()):
            name = str(self.top[place] if place < len(self.top) else "")
            if place in self.numbers and not STOPPED.fullmatch(plain_name(name)):
                problem = f"in sheet {quote(sheet)}, column {quote(name)} holds numbers, but here the date or time "
                step = "write each number again that Excel took for one, such as 3.5, into a cell formatted as a number"
                raise ReadError(path, f"{problem}{text}; {step}", line=line)


def show_date(value: Any, kind: str | None) -> Any:
    """The date or time that a number is shown as; anything else as it is."""
    if not kind or type(value) not in (int, float):
        return value
    is_date = kind == DATE and FIRST_DAY <= value < 10 * FIRST_DAY
    if not is_date and (kind == DATE or value <= 0 or value >= FIRST_DAY or value % 1 == 0):
        return value
    if not is_date:
        minutes, seconds = divmod(round(value * 86_400), 60)
        return f"{minutes // 60:02d}:{minutes % 60:02d}" + f":{seconds:02d}" * bool(seconds)
    day = datetime.datetime(1899, 12, 30) + datetime.timedelta(days=value)
    return day.date().isoformat() if value % 1 == 0 else day.isoformat(" ", "seconds")
