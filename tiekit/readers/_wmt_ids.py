"""What does a segment's identifier of WMT24 and WMT25 say? Language pair, domain, document and place."""

from __future__ import annotations

from typing import NamedTuple

from tiekit.base.errors import ReadError
from tiekit.readers._text import quoted

MARK = "_#_"


class SegmentId(NamedTuple):
    """An identifier ``en-ja_#_news_#_DOCUMENT_#_12`` by its parts; ``label`` names the segment within its pair."""

    language_pair: str
    domain: str
    document: str
    label: str


def line_label(text: str) -> str | None:
    """The line, counted from 1, of a number that counts lines from 0; None where it is no such number."""
    return str(int(text) + 1) if text.isascii() and text.isdigit() and len(text) < 10 else None


def split_id(path: str, text: str, line: int) -> SegmentId:
    """Take an identifier apart.

    WMT24's number is the line in the test set. WMT25's, whose pairs name a region (``en-ja_JP``), counts within the
    document, so the label is all that follows the pair.
    """
    pair, *rest = text.split(MARK)
    if len(rest) < 3 or not all((pair, rest[0], rest[1], rest[-1])):
        problem = f"expected an identifier PAIR{MARK}DOMAIN{MARK}DOCUMENT{MARK}NUMBER, found {quoted(text)}"
        raise ReadError(path, f"{problem}; use the file that WMT published", line=line)
    number = None if "_" in pair else line_label(rest[-1])
    return SegmentId(pair, rest[0], MARK.join(rest[1:-1]), number or MARK.join(rest))
