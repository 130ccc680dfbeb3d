"""How is JSON read? A document, or one object per line, with errors that name the line."""

from __future__ import annotations

import gzip
import io
import json
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import PurePosixPath
from typing import IO, Any, NoReturn

import numpy as np

from tiekit.base.errors import LONGEST, ReadError, quote
from tiekit.base.names import known_names
from tiekit.readers._amounts import MAX_COLUMNS, SMALL, check_number, check_objects, each_line
from tiekit.readers._numbers import is_tiny, parse_scores
from tiekit.readers._other_files import say_what_to_do
from tiekit.readers._parallel import say_step
from tiekit.readers._records import (
    first_record,
    has_own_score,
    holds_numbers,
    say_how_to_flatten,
    say_how_to_take_out,
    where_rows_are,
)
from tiekit.readers._source import MAX_BYTES, File, Files, plain_name

LARGEST = 256 * 2**20
"""Maximum number of bytes of a file that is read line by line: the human scores of WMT25 have 120 MB."""


class _RefusedError(ValueError):
    """What JSON allows, or Python reads as JSON, and what holds no scores."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys are all different."""
    found = dict(pairs)
    if len(found) != len(pairs):
        [(twice, _)] = Counter(key for key, _ in pairs).most_common(1)
        step = "json.load(open(PATH)) keeps the last, in Python"
        raise _RefusedError(f"one object has the key {quote(twice)} twice; keep one of the two; {step}")
    return found


def _constant(token: str) -> float:
    """NaN, as Python writes it, is a missing score; an infinite one is refused."""
    if token != "NaN":
        raise _RefusedError(f"{token} is not a score; write a finite number, or null where it is missing")
    return np.nan


def _float(token: str) -> float:
    """A number with a point or an exponent, unless it is so small that it would become zero."""
    value = float(token)
    if not value and is_tiny(token):
        raise _RefusedError(f"{quote(token)} is too small; write 0 where zero is meant")
    return value


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant, parse_float=_float)
_SPACE = re.compile(r"[ \t\n\r]*")


def parse_json(path: str, text: str, *, line: int | None = None) -> Any:
    """The value that a text holds; ``line`` is the text's line where it is one of many.

    NaN is read, infinite numbers and objects with a repeated key are refused, and so is nesting deeper than Python's.
    """
    check_objects(path, text)
    with _readable(path, line):
        found = _DECODER.decode(text)
        if "\\u" in text:
            json.dumps(found, ensure_ascii=False).encode()
        return found


@contextmanager
def _readable(path: str, line: int | None = None) -> Iterator[None]:
    """Turn what the decoder raises into an error that names the file and the line."""
    try:
        yield
    except json.JSONDecodeError as error:
        problem = say_what_to_do("", error.doc[:LONGEST].encode("utf-8", "replace")) if error.pos < LONGEST else ""
        problem = problem or f"is not JSON ({error.msg}, column {error.colno}); mend this line, or write the file again"
        raise ReadError(path, problem, line=line or error.lineno) from None
    except RecursionError:
        raise ReadError(path, "is nested too deeply; expected objects with scores", line=line) from None
    except UnicodeEncodeError:
        problem = "holds half of a character, such as \\ud800; write the file again as UTF-8"
        raise ReadError(path, problem, line=line) from None
    except _RefusedError as error:
        raise ReadError(path, str(error), line=line) from None
    except ValueError:
        raise ReadError(path, "holds a whole number of thousands of digits; expected scores", line=line) from None


def objects(path: str, text: str) -> list[tuple[int, dict[str, Any]]]:
    """The objects of a text with one per line, or of a single list, each with the line on which it begins.

    In a list that is one line, the place of an object stands for its line.
    """
    check_objects(path, text)
    return list(each_object(path, text))


def each_object(path: str, text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The same objects one by one, of which none is kept."""
    check_number(path, text.count(","), "values")
    is_list = text.lstrip().startswith("[")
    is_one_line = is_list and "\n" not in text.strip()
    number = 0
    for number, (line, value) in enumerate((_elements if is_list else _lines)(path, text), start=1):
        line = number if is_one_line else line
        if not isinstance(value, dict):
            refuse(path, "one object per line", value, line=line)
        yield line, value
    if not number:
        raise ReadError(path, "holds an empty list; expected one object per line", line=1)


def _lines(path: str, text: str) -> Iterator[tuple[int, Any]]:
    """The values of the lines that are not blank."""
    numbered = ((number, line) for number, line in enumerate(each_line(text), start=1) if line.strip())
    first, second = next(numbered), next(numbered, None)
    if second and not first[1].rstrip().endswith("}"):
        _refuse_whole(path, text)
    for number, line in chain([first, second] if second else [first], numbered):
        try:
            value, end = _DECODER.raw_decode(line)
        except (ValueError, RecursionError):
            end = -1
        if end != len(line) or end > SMALL or "\\u" in line:  # spaces around it, or an error, which must be told
            value = parse_json(path, line, line=number)
        yield number, value


def _refuse_whole(path: str, text: str) -> None:
    """Refuse a single object over several lines."""
    try:
        whole = _DECODER.decode(text)
    except (ValueError, RecursionError):
        return
    if isinstance(whole, dict):
        refuse_object(path, whole)


def refuse_object(path: str, whole: Mapping[str, Any]) -> NoReturn:
    """Refuse a single object that is no row."""
    if told := where_rows_are(whole, "json.load(open(PATH))"):
        raise ReadError(path, f"is one JSON object ({known_names(whole, most=5)}); {told}, in Python")
    expected = (
        "expected an array of objects, or one object in each line; tk.read knows the files of COMET and of others"
    )
    raise ReadError(path, f"is one JSON object ({known_names(whole, most=5)}); {expected}")


def _elements(path: str, text: str) -> Iterator[tuple[int, Any]]:
    """The elements of a list with the lines on which they begin."""
    at, line, first = text.index("[") + 1, 1 + text.count("\n", 0, text.index("[")), True
    with _readable(path):
        while True:
            start = _space(text, at)
            line += text.count("\n", at, start)
            if first and text[start : start + 1] == "]":
                break
            value, end = _DECODER.raw_decode(text, start)
            if "\\u" in text[start:end]:
                json.dumps(value, ensure_ascii=False).encode()
            yield line, value
            at, first = _space(text, end), False
            line += text.count("\n", start, at)
            if text[at : at + 1] == "]":
                start = at
                break
            if text[at : at + 1] != ",":
                raise json.JSONDecodeError("Expecting ',' delimiter", text, at)
            at += 1
        if (end := _space(text, start + 1)) != len(text):
            raise json.JSONDecodeError("Extra data", text, end)


def _space(text: str, at: int) -> int:
    """Where the spaces from a place on end."""
    found = _SPACE.match(text, at)
    return found.end() if found else at


def stream_objects(file: File, see: Callable[[bytes], object]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a file with one per line, which is never in memory as a whole; ``see`` gets all bytes."""
    try:
        with _open(file) as stream:
            size, number = 0, 0
            while line := stream.readline(MAX_BYTES + 1):
                size, number = size + len(line), number + 1
                if len(line) > MAX_BYTES or size > LARGEST:
                    raise ReadError(
                        file.path, f"has more than {LARGEST >> 20} MB, or such a line; split it", line=number
                    )
                see(line)
                value = parse_json(file.path, _decode(file.path, line, number), line=number) if line.strip() else {}
                if not isinstance(value, dict):
                    refuse(file.path, "one object per line", value, line=number)
                if value:
                    yield number, value
    except (OSError, EOFError, zlib.error, ValueError) as error:
        raise ReadError(file.path, f"cannot be read ({error}); fetch it again") from None


@contextmanager
def _open(file: File) -> Iterator[IO[bytes] | gzip.GzipFile]:
    """The uncompressed bytes of a file; one in UTF-16 is decoded at once."""
    if isinstance(file.content, bytes):
        opened: IO[bytes] = io.BytesIO(file.content)
    elif file.content.is_file():
        opened = file.content.open("rb")
    else:
        raise ReadError(file.path, "is no file; expected the path of a file")
    with opened as raw:
        head = raw.read(2)
        raw.seek(0)
        if head in (b"\xff\xfe", b"\xfe\xff"):
            yield io.BytesIO(Files({}).text(file).encode())
        elif head == b"\x1f\x8b":
            with gzip.GzipFile(fileobj=raw) as unpacked:
                yield unpacked
        else:
            yield raw


def _decode(path: str, line: bytes, number: int) -> str:
    """One line as text."""
    try:
        return line.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError:
        raise ReadError(path, "is not a text file in UTF-8; save it as UTF-8", line=number) from None


def to_score(path: str, value: object, *, line: int | None = None, place: str = "") -> float:
    """A number, or a text that is one; null, NaN and the usual words for it are missing scores."""
    if value is None:
        return np.nan
    if isinstance(value, str):
        return float(parse_scores([value.strip()], [line or 0], path)[0])
    if isinstance(value, bool) or not isinstance(value, int | float):
        refuse(path, f"a score{place}", value, line=line)
    try:
        number = float(value)
    except OverflowError:
        number = np.inf
    if np.isinf(number):
        raise ReadError(path, f"found a number{place} that is too large; expected a finite score", line=line)
    return number


def to_name(path: str, value: object, what: str, *, line: int | None = None) -> str:
    """A name that is not empty; whole numbers are names, too."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**18:
        return str(value)
    if not isinstance(value, str) or not value.strip():
        refuse(path, f"{what}, a text that is not empty", value, line=line)
    return value


def all_texts(items: Iterable[object], key: str) -> tuple[str, ...]:
    """The texts under a key, if every item has one."""
    found = [item.get(key) if isinstance(item, dict) else None for item in items]
    return tuple(map(str, found)) if all(isinstance(text, str) for text in found) else ()


def refuse(path: str, expected: str, value: object, *, line: int | None = None) -> NoReturn:
    """Say what was expected, and quote what was found."""
    try:
        found = quote(value) if isinstance(value, str) else quote(json.dumps(value, ensure_ascii=False))[1:-1]
    except (RecursionError, ValueError):
        found = type(value).__name__
    raise ReadError(path, f"expected {expected}; found {found}", line=line)


def compact(head: bytes) -> bytes:
    """The first bytes of a file without spaces and line ends, to see how its JSON begins."""
    return b"".join(head.removeprefix(b"\xef\xbb\xbf").split())


def begins_with_row(head: bytes) -> bool:
    """Whether the first objects of a file hold texts and numbers, also in objects; arrays of texts may be beside them.

    An object that is alone, with lists or with others below two names, holds scores by these.
    """
    text = head.decode("utf-8-sig", errors="ignore").lstrip()
    found, *others = _first_objects(text.removeprefix("[")) or [None]
    try:
        flat = flat_record(found) if isinstance(found, dict) else {}
        nested = [value for row in (found, *others) for value in flat_record(row).values()] if flat else []
    except (KeyError, AttributeError):
        return False
    if not isinstance(found, dict) or (found and all(isinstance(value, (dict, list)) for value in found.values())):
        return False
    inner = [one for value in found.values() if isinstance(value, dict) for one in value.values()]
    is_alone = text.startswith("{") and not others and _DECODER_OF_HEADS.raw_decode(text)[1] == len(text.rstrip())
    if is_alone and any(isinstance(one, (dict, list)) for one in [*inner, *flat.values()]):
        return False
    nested = [value for value in nested if isinstance(value, (dict, list))]
    is_row = not any(isinstance(value, dict) or holds_numbers(value) for value in nested)
    return is_row or has_own_score(found, is_named=True)


_DECODER_OF_HEADS = json.JSONDecoder()


def _first_objects(text: str) -> list[Any]:
    """The values with which a text begins, divided by spaces or commas, up to one that is cut off."""
    found, at = [], 0
    with suppress(ValueError, RecursionError):
        while at < len(text):
            if text[at] in " \t\r\n,":
                at += 1
                continue
            value, at = _DECODER_OF_HEADS.raw_decode(text, at)
            found.append(value)
    return found


DEEPEST, LONGEST_NAME = 8, 1000
"""So many objects lie within each other, and so many characters has the name of a field, where a row is made flat."""


def flat_record(record: Mapping[Any, Any]) -> Mapping[Any, Any]:
    """A row with the fields of its objects, as pandas.json_normalize names them: ``{"id": {"system": "A"}}``.

    An object that lies too deep, or below too long a name, stays as it is, and so does a row with more fields than a
    table may have columns. Two fields of one name raise a KeyError.
    """
    if dict not in map(type, record.values()):
        return record
    flat: dict[Any, Any] = {}
    for name, value in _fields(record, "", DEEPEST):
        if name in flat:
            raise KeyError(name)
        flat[name] = value
        if len(flat) > MAX_COLUMNS:
            return record
    return flat


def _fields(record: Mapping[Any, Any], above: str, levels: int) -> Iterator[tuple[Any, Any]]:
    """The fields of a row and of the objects in it, with the names that lead to them."""
    for name, value in record.items():
        called = f"{above}{name}" if above else name
        if isinstance(value, dict) and levels and len(str(called)) < LONGEST_NAME:
            yield from _fields(value, f"{called}.", levels - 1)
        else:
            yield called, value


def is_object(name: str, first: bytes) -> bool:
    """Whether a file of JSON begins with a single object, and none in each line."""
    ending = PurePosixPath(plain_name(name)).suffix.lower()
    return first.startswith(b"{") and b"}\n{" not in first and not ending.endswith("l")


JOINED = re.compile(rb'\{\s*"(?=[^"\\][^"\\|:/#_]*[|:/#_][^"\\])[^"\\]+"\s*:\s*-?[\d.]')
"""How JSON begins that is scores by names of systems and segments, joined."""

BELOW = re.compile(rb'"([^"\\]{1,60})"\s*:\s*(\[\s*\{|\{\s*"[^"\\]{1,60}"\s*:\s*[\[{])')
"""A name in JSON above rows, or above objects that hold others."""


def say_where_scores_are(name: str, first: bytes, *, is_one: bool) -> str:
    """What to pass instead of JSON whose scores are in lists, or below names; empty of anything else."""
    record = first_record(first)
    records = "json.load(open(PATH))" if first.lstrip()[:1] == b"[" else "map(json.loads, open(PATH))"
    if is_object(name, first):
        if is_one and (told := where_rows_are(record, "json.load(open(PATH))")):
            return f"{told}, in Python"
        paths = f"sorted(pathlib.Path(FOLDER).glob('*{PurePosixPath(name).suffix}'))"
        if "such as " in (told := where_rows_are(record, "json.load(open(path))")):
            rows = told.partition("such as ")[2]
            return f"{told.partition(';')[0]}; in Python, pass {{path.stem: {rows} for path in {paths}}}"
        if rows_below := BELOW.search(first):
            below = f"its scores are below names such as {quote(rows_below[1].decode('utf-8', 'replace'))}"
            return f"{below}; in Python, pass what json.load(open(PATH)) returns"
        records = "[json.load(open(PATH))]" if is_one else f"[json.load(open(path)) for path in {paths}]"
    is_row = isinstance(record, dict) and has_own_score(record) and not is_object(name, first)
    step = "" if is_row else say_how_to_flatten(record, records) or say_how_to_take_out(record, records)
    return say_step(step) if step else ""
