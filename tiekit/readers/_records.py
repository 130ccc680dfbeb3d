"""Which rows are in objects and lists: pandas' tables, and records with lists, as tools for annotation write them?"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any

from tiekit.base.errors import ReadError
from tiekit.base.names import ALIASES, ROW_COUNTS, TEXTS, known_names, plain_name
from tiekit.readers._amounts import check_one_object
from tiekit.readers._numbers import MISSING, number_like
from tiekit.readers._score_names import SCORE, is_named_human

_LOOPS = ("row", "one", "two", "three", "four")
"""What stands for the records, and for the elements of the lists in them."""

MOST_NAMES, MOST_BESIDE = 6, 20
"""So many names lead to what messages point to, and so many fields do they name beside it."""

_Path = tuple[str | None, ...]
"""Keys from a record to what it holds; None stands for each element of a list."""


def first_record(head: bytes) -> Any:
    """The first record of JSON, of which the beginning is known; None where that ends before it does."""
    text = head.decode("utf-8-sig", errors="ignore").lstrip().removeprefix("[").lstrip()
    try:
        return json.JSONDecoder().raw_decode(text)[0]
    except (ValueError, RecursionError):
        return None


def say_how_to_flatten(record: Any, records: str) -> str:
    """The list of dicts to pass instead of records that hold their scores in lists of others; empty where unclear.

    It is clear where a single number in lists is named like a score and names of system and segment stand above them.
    """
    leaves = list(_leaves(record, ())) if isinstance(record, Mapping) else []
    scores = [
        path
        for path, value in leaves
        if None in path and isinstance(value, (int, float)) and not isinstance(value, bool) and _is_score(path[-1])
    ]
    system = _label_path(leaves, "system")
    keys = {"system": system, "segment": _label_path(leaves, "segment", system)}
    if len(scores) != 1 or scores[0].count(None) >= len(_LOOPS) or None in keys.values():
        return ""
    loops, value = f"for row in {records}", "row"
    others = iter(_LOOPS[1:])
    for key in scores[0]:
        if key is None:
            name = next(others)
            loops, value = f"{loops} for {name} in {value}", name
        else:
            value += f"[{key!r}]"
    cells = [f"{kind!r}: row" + "".join(f"[{key!r}]" for key in path or ()) for kind, path in keys.items()]
    cells.append(f"'score': {value}")
    return f"[{{{', '.join(cells)}}} {loops}]"


MOST_LOOKED_AT = 10_000
"""So many names of a document are searched for lists of rows."""


def where_rows_are(found: Any, name: str) -> str:
    """What to say of a document with lists of rows below its names; empty where it has none."""
    lists = {path: len(some) for path, some in islice(_lists_of_rows(found, ()), MOST_LOOKED_AT) if some}
    if not lists or () in lists:
        return ""
    longest = max(lists, key=lambda path: (lists[path], -len(path)))
    if isinstance(found, Mapping) and len(longest) > 1 and all(map({*lists}.__contains__, _same_paths(found, longest))):
        step = f"{{name: one{_as_keys(longest[1:])} for name, one in {name}.items()}}"
        return f"it has rows below {'.'.join(map(str, longest[1:]))} of each of its names; pass those, {step}"
    below = known_names((".".join(map(str, path)) for path in lists), most=5)
    return f"it has rows below {below}; pass those with the scores, such as {name}{_as_keys(longest)}"


def _same_paths(found: Mapping[Any, Any], path: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    """The same path below every name of a document of several; one that is nowhere where there is one name."""
    return [(name, *path[1:]) for name in found] if len(found) > 1 else [()]


def _lists_of_rows(found: Any, above: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], Sequence[Any]]]:
    """The lists of objects of a document by the names that lead to them; any other object gives an empty list."""
    if isinstance(found, Mapping):
        for name, below in found.items() if len(above) < MOST_NAMES else ():
            yield from _lists_of_rows(below, (*above, name))
    elif isinstance(found, list) and found and all(isinstance(row, Mapping) for row in found):
        yield above, found
    else:
        yield above, ()


def _as_keys(path: Iterable[Any]) -> str:
    """Names as Python takes them out of objects."""
    return "".join(f"[{key!r}]" for key in path)


def say_how_to_normalize(record: Any, records: str) -> str:
    """The frame to pass instead of records that hold numbers in lists; empty where they do not."""
    fields = list(_paths(record, ())) if isinstance(record, Mapping) else []
    lists = [(path, some) for path, some in fields if isinstance(some, list) and holds_numbers(some)]
    if not lists:
        return ""
    path, some = max(lists, key=lambda one: (isinstance(one[1][0], Mapping), _is_score(one[0][-1]), len(one[1])))
    labels = {kind: _label_path(fields, kind) for kind in ("system", "segment")}
    if not any(isinstance(one, Mapping) for one in some):
        plain = all(isinstance(one, (int, float)) or one is None for one in some)
        system, segment = (f"row{_as_keys(one)}" if one else "" for one in labels.values())
        if not plain or bool(system) == bool(segment):
            return ""
        lists_by = f"{{{system or segment}: row{_as_keys(path)} for row in {records}}}"
        return lists_by if system else f"pandas.DataFrame({lists_by}, index=SYSTEMS)"
    beside = [list(one) for one, cell in fields if not isinstance(cell, (list, Mapping))]
    meta = [one[0] if len(one) == 1 else one for one in beside][:MOST_BESIDE]
    given = f"list({records})" if records.startswith("map(") else records
    at, prefix = path[0] if len(path) == 1 else list(path), ".".join(map(str, path)) + "."
    return f"pandas.json_normalize({given}, {at!r}, {meta!r}, record_prefix={prefix!r}, errors='ignore')"


def _paths(record: Any, above: _Path) -> Iterator[tuple[_Path, Any]]:
    """What a record holds below its names, with lists as they are."""
    if isinstance(record, Mapping) and len(above) < MOST_NAMES:
        for key, inner in record.items():
            yield from _paths(inner, (*above, str(key)))
    else:
        yield above, record


def holds_numbers(value: Any, levels: int = 8) -> bool:
    """Whether a number, or a text that is one, lies anywhere in lists and objects."""
    if isinstance(value, (list, Mapping)) and levels:
        inner = value.values() if isinstance(value, Mapping) else value
        return any(holds_numbers(one, levels - 1) for one in inner)
    return (isinstance(value, (int, float)) and not isinstance(value, bool)) or (
        isinstance(value, str) and number_like(value.strip())
    )


def lists_by_name(records: Mapping[Any, Sequence[Mapping[Any, Any]]]) -> dict[str, dict[Any, list[Any]]]:
    """The lists of scores of each system by metric, of records by system that hold nothing but scores; else empty.

    Scores are numbers, not named like labels; whole ones that differ in each record may count these. All records of all
    systems have the same scores.
    """
    found: dict[_Path, dict[Any, list[Any]]] = {}
    for system, some in records.items():
        for record in some:
            for path, value in _leaves(record, ()):
                found.setdefault(path, {}).setdefault(system, []).append(value)
    sizes = {system: len(some) for system, some in records.items()}
    for path, lists in found.items():
        is_even = {system: len(values) for system, values in lists.items()} == sizes
        if None in path or not is_even or any(_is_label(path, values) for values in lists.values()):
            return {}
    return {".".join(map(str, path)): lists for path, lists in found.items()} if len({*sizes.values()}) == 1 else {}


_SPLIT = frozenset({"columns", "index", "data", "index_names", "column_names"})
_USUAL = frozenset({*ALIASES["system"], *ALIASES["segment"], *ALIASES["document"]})
_WORD = r'"(?!(?i:[-+]?[\d.]+(?:e[-+]?\d+)?|nan|na|none|null|-|)")'
_WORDS = re.compile(rf"[:\[,]\s*{_WORD}".encode())
_SINGLE = (str, int, float, type(None))
_LARGEST = 16 * 2**20
"""Maximum number of bytes of JSON that is looked at as a whole before it is read."""

_TABLE = re.compile(
    rf"""\s*\{{\s*(?:"columns"\s*:\s*\[|"schema"\s*:\s*\{{\s*"fields"\s*:"""
    rf"""|"[^"]+"\s*:\s*(?:\[|\{{\s*"\d+"\s*:)\s*{_WORD}|"\d+"\s*:\s*\{{\s*"[^"]+"\s*:\s*{_WORD})"""
)


def begins_table(head: bytes) -> bool:
    """Whether JSON begins as an object that is a table: a word stands first in its columns, or in its rows."""
    return b"}\n{" not in head and _TABLE.match(head.decode("utf-8-sig", errors="ignore")) is not None


def holds_table(content: bytes) -> bool:
    """Whether JSON is one object with the columns of a table, though it may begin with numbers."""
    if len(content) >= _LARGEST or not _WORDS.search(content):
        return False
    try:
        text = content.decode("utf-8-sig")
        check_one_object("", text)
        found = json.loads(text)
        return _are_columns(found) or bool(table_rows(found))
    except (ReadError, ValueError, RecursionError):
        return False


def table_rows(found: Any) -> list[Mapping[Any, Any]]:
    """The rows of a table that is one object, as pandas' to_json and to_dict write it; none of anything else.

    Among its columns is one of texts, or one that is named like labels; numbers alone may be scores by name.
    """
    if not isinstance(found, Mapping) or not found:
        return []
    rows: Any = found.get("data")
    if {"columns", "index", "data"} <= found.keys() <= _SPLIT:
        names, labels = found["columns"], found["index"]
        is_even = _are_lists(names, labels, rows) and _are_lists(*rows) and {*map(len, rows)} == {len(names)}
        if (
            not is_even
            or not _are_single(chain(*rows))
            or len(labels) != len(rows)
            or not all(isinstance(name, (str, int)) for name in names)
        ):
            return []
        cells = [dict(zip(names, row, strict=True)) for row in rows]
        return _with_labels(cells, labels, *(found.get("index_names") or ()))
    if {"columns", "data"} <= found.keys() and "index" not in found:
        return _logged_rows(found["columns"], rows) if sum(map(_are_lists, found.values())) == 2 else []
    if found.keys() == {"schema", "data"}:
        if not _are_lists(rows) or not all(isinstance(row, Mapping) and _are_single(row.values()) for row in rows):
            return []
        if "'index'" not in str(found["schema"]):
            return [*rows]
        return _with_labels(
            [{name: cell for name, cell in row.items() if name != "index"} for row in rows],
            [row.get("index") for row in rows],
        )
    parts = list(found.values())
    if _are_columns(found):
        return [dict(zip(found, cells, strict=True)) for cells in zip(*parts, strict=True)]
    keys = parts[0].keys() if all(isinstance(part, Mapping) for part in parts) else {}
    if not keys or any(part.keys() != keys for part in parts):
        return []
    if all(str(name).isdigit() for name in keys):
        if not _have_labels({name: part.values() for name, part in found.items()}):
            return []
        return _with_labels([{name: part[key] for name, part in found.items()} for key in keys], [*keys])
    if all(str(name).isdigit() for name in found):
        is_table = _have_labels({name: [part[name] for part in parts] for name in keys})
        return _with_labels([dict(part) for part in parts], [*found]) if is_table else []
    return []


def _logged_rows(names: Any, rows: Any) -> list[Mapping[Any, Any]]:
    """The rows of a table as Weights & Biases and MLflow log it: names of columns, and a list for each row."""
    is_even = _are_lists(names, rows) and _are_lists(*rows) and {*map(len, rows)} == {len(names)}
    if not is_even or not all(isinstance(name, (str, int)) for name in names) or len({*map(str, names)}) < len(names):
        return []
    return [dict(zip(names, row, strict=True)) for row in rows]


def _are_columns(found: Any) -> bool:
    """Whether an object holds the columns of a table, as lists."""
    parts = list(found.values()) if isinstance(found, Mapping) else []
    return bool(parts) and _are_lists(*parts) and len({*map(len, parts)}) == 1 and _have_labels(found)


def _are_lists(*parts: Any) -> bool:
    return all(isinstance(part, list) for part in parts)


def _have_labels(columns: Mapping[Any, Collection[Any]]) -> bool:
    """Whether columns hold single values, and texts or labels among them."""
    if not _are_single(chain(*columns.values())):
        return False
    if not _USUAL.isdisjoint(plain_name(str(name)) for name in columns):
        return True
    return any(map(_are_words, columns.values()))


def _are_single(cells: Iterable[Any]) -> bool:
    """Whether cells are texts, numbers, or missing."""
    return all(issubclass(kind, _SINGLE) for kind in {*map(type, cells)})


def _are_words(cells: Iterable[Any]) -> bool:
    """Whether cells are texts, of which some may be missing."""
    there = {*cells} - {None}
    return bool(there) and all(isinstance(cell, str) and is_word(cell) for cell in there)


def _with_labels(rows: list[dict[Any, Any]], labels: Sequence[Any], name: str | None = None) -> list[Mapping[Any, Any]]:
    """Rows with their labels, where these are no count, or no other column names the rows or their systems."""
    is_count = [*map(str, labels)] == [*map(str, range(len(rows)))]
    is_number = all(str(label).isdigit() for label in labels)
    if not rows or is_count or (is_number and not name and any(plain_name(str(one)) in _USUAL for one in rows[0])):
        return [*rows]
    called = name or ("segment" if is_number else "row")
    return [{called: label, **row} for label, row in zip(labels, rows, strict=True)]


def labeled_rows(found: Any) -> list[Mapping[Any, Any]]:
    """The rows of a table whose rows a column of texts names: one of a usual name, or other words in every row."""
    rows = table_rows(found)
    if not rows or all(str(name).isdigit() for name in found):
        return []  # scores by segment, with texts beside them
    for name in rows[0]:
        cells = [row[name] for row in rows]
        is_usual = plain_name(str(name)) in {*ALIASES["segment"], *ALIASES["document"]}
        if (
            len({*cells}) == len(cells)
            and _are_words(cells)
            and (is_usual or not any(" " in str(one) for one in cells))
        ):
            return rows
    return []


def is_word(cell: str) -> bool:
    """Whether a text is no score and no word for a missing one."""
    return not (number_like(cell.strip()) or cell.strip() in MISSING)


def _is_label(path: _Path, values: Sequence[Any]) -> bool:
    """Whether values below a key may be labels of records: no numbers, or whole ones that all differ."""
    there = [value for value in values if value is not None]
    is_usual = any(plain_name(path[-1] or "") in names for names in ALIASES.values())
    if is_usual or not all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in there):
        return True
    return len({*there}) == len(there) > 1 and all(value % 1 == 0 for value in there)


def _leaves(value: Any, path: _Path) -> Iterator[tuple[_Path, Any]]:
    """What a record holds below its keys, of lists of objects what the first of these holds."""
    if len(path) > 4 * len(_LOOPS):
        return
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _leaves(inner, (*path, str(key)))
    elif isinstance(value, list) and value and isinstance(value[0], Mapping):
        yield from _leaves(value[0], (*path, None))
    else:
        yield path, value


def _label_path(leaves: list[tuple[_Path, Any]], kind: str, beside: _Path | None = None) -> _Path | None:
    """What names the systems, or the segments, above all lists: the most usual name.

    A counter of records gives way to one ``beside`` what names the systems, and to any other name but those of texts.
    """
    usual = list(ALIASES[kind])
    names = {path: plain_name((path[-1] or "").rpartition(".")[2]) for path, _ in leaves if path and None not in path}
    found = [
        (name in TEXTS, beside is not None and name in ROW_COUNTS and path[:-1] != beside[:-1], usual.index(name), path)
        for path, name in names.items()
        if name in usual
    ]
    return min(found, key=lambda one: one[:-1])[-1] if found else None


def _is_score(key: str | None) -> bool:
    return key is not None and (SCORE.fullmatch(plain_name(key)) is not None or is_named_human(key))
