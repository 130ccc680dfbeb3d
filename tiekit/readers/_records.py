"""Which rows are in objects and lists: pandas' tables, and records with lists, as tools for annotation write them?"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any

from tiekit.base.errors import InputError, ReadError
from tiekit.base.names import ALIASES, ROW_COUNTS, TEXTS, known_names, plain_name
from tiekit.readers._amounts import check_one_object
from tiekit.readers._numbers import MISSING, number_like
from tiekit.readers._parallel import Path, as_keys, is_number, is_score, kind_of_list, say_how_to_zip, say_step
from tiekit.readers._score_names import (
    MEASURES,
    PERSONS,
    REMARKS,
    is_beside_scores,
    is_like_score,
)

_LOOPS = ("row", "one", "two", "three", "four")
"""What stands for the records, and for the elements of the lists in them."""

MOST_NAMES, LONGEST_NAME, MOST_ELEMENTS, LONGEST_STEP = 6, 60, 100, 1_500
"""So many names lead to what messages point to; so long are names of metrics; so many elements of a list are seen; so
long may a step be."""


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
    Texts that may say of which metric, or of which person, a score is, are kept.
    """
    leaves: dict[Path, Any] = {}
    for path, value in _leaves(record, ()) if isinstance(record, Mapping) else ():
        leaves[path] = value if leaves.get(path) is None else leaves[path]
    scores = [path for path, value in leaves.items() if None in path and is_number(value) and is_score(path[-1])]
    system = _label_path(leaves.items(), "system")
    labels = {"system": system, "segment": _label_path(leaves.items(), "segment", system)}
    if None in labels.values():
        return ""
    if step := _say_how_to_spread(record, labels, records):
        return step
    if len(scores) != 1 or scores[0].count(None) >= len(_LOOPS) or scores[0][-1] is None:
        return ""
    loops, parts = _loops_to(scores[0], records)
    variable, *keys = parts[-1]
    where = f" if {keys[-1]!r} in {variable}" + "".join(f".get({key!r}, {{}})" for key in keys[:-1])
    cells = [f"{kind!r}: row{as_keys(path or ())}" for kind, path in labels.items()]
    lists = [scores[0][: at + 1] for at, key in enumerate(scores[0]) if key is None]
    above = dict(zip([(), *lists], _LOOPS, strict=False))
    cells += [
        f"{path[-1]!r}: {above[path[:-1]]}.get({path[-1]!r})"
        for path, value in leaves.items()
        if path[:-1] in above and path not in labels.values() and _says_whose(str(path[-1]), value)
    ]
    return _short(f"[{{{', '.join(cells)}, 'score': {variable}{as_keys(keys)}}} {loops}{where}]")


def _say_how_to_spread(record: Any, labels: Mapping[str, Path | None], records: str) -> str:
    """The list of dicts with a field for each metric that a list in the records names; empty where there is none."""
    for path, some in _paths(record, ()):
        if not isinstance(some, list) or not some or not all(isinstance(one, Mapping) for one in some):
            continue
        names = [key for key in some[0] if key == "name" or MEASURES.fullmatch(plain_name(str(key)))]
        scores = {key for one in some for key in one if is_number(one[key]) and not is_beside_scores(str(key))}
        metrics = [one.get(name) for one in some for name in names]
        are_names = len(names) == 1 and len({*map(str, metrics)}) == len(metrics) > all(labels.values())
        if not are_names or len(scores) != 1 or any(PERSONS.fullmatch(plain_name(str(key))) for key in some[0]):
            continue
        known = [f"{kind!r}: row{as_keys(one)}" for kind, one in labels.items() if one]
        texts = ["**{key: value for key, value in row.items() if isinstance(value, str)}"]
        fields = ", ".join(known if len(known) == len(labels) else [*known, *texts])
        found = f"row{as_keys(path[:-1])}.get({path[-1]!r}) or ()"
        each = f"{{one[{names[0]!r}]: one.get({scores.pop()!r}) for one in {found}}}"
        return _short(f"[{{{fields}, **{each}}} for row in {records}]")
    return ""


def _short(step: str) -> str:
    """A step that people can read; else none."""
    return step if len(step) <= LONGEST_STEP else ""


def _loops_to(path: Path, records: str) -> tuple[str, list[list[str]]]:
    """The loops over records and the lists in them that lead to a path, and the keys below each of their variables."""
    loops, parts, others = f"for row in {records}", [["row"]], iter(_LOOPS[1:])
    for key in path:
        if key is not None:
            parts[-1].append(key)
            continue
        variable, *keys = parts[-1]
        name = next(others)
        loops += f" for {name} in {variable}{as_keys(keys[:-1])}.get({keys[-1]!r}) or ()"
        parts.append([name])
    return loops, parts


_NO_NAME, _RUNS = re.compile(r"(.*_)?(u?id|at|date)"), {"seed", "run"}
"""Names of texts that say nothing of a score's metric, and of numbers that tell scores of one metric apart."""


def _says_whose(name: str, value: Any) -> bool:
    """Whether a field may say of which metric, question, document or person a score is."""
    plain = plain_name(name)
    if PERSONS.fullmatch(plain) or plain in ALIASES["document"]:
        return not isinstance(value, (list, Mapping))
    is_name = isinstance(value, str) and len(value) <= LONGEST_NAME
    is_other = plain in {"system", "segment", "score", *TEXTS} or _NO_NAME.fullmatch(plain) or REMARKS.fullmatch(plain)
    return (is_name and not is_other) or plain in _RUNS


def has_own_score(record: Mapping[Any, Any], *, is_named: bool = False) -> bool:
    """Whether a record holds a score beside its lists: a fraction, or a number that is named as scores are.

    That of a system, and of no segment, is the mean of a list of numbers that stands beside it, and so may be that of
    a system, or of a segment, of a list that names the other.
    """
    fields = list(_paths(record, ()))
    labels = {kind: _label_path(fields, kind) for kind in ("system", "segment")}
    lists = [some for _, some in fields if isinstance(some, list) and len(some) > 1]
    if labels["system"] and not labels["segment"] and any(all(map(is_number, some)) for some in lists):
        return False
    numbers = {str(path[-1]): value for path, value in fields if is_number(value)}
    if _are_means(fields, labels):
        return False
    return any(
        is_like_score(name) if is_named or isinstance(value, int) else not is_beside_scores(name)
        for name, value in numbers.items()
    )


_MEANS = re.compile(r"((.*_)?(mean|avg|average|macro|micro|overall|total|corpus|system|aggregate|summary)(_.*)?)|score")
"""Names of a mean of scores that stands above them."""

_OUTPUTS = frozenset({"output", "response", "answer", "completion", "mt", "hypothesis", "translation", "prediction"})
"""Names of texts of a segment's own."""


_SCORES = ("score", "scores")
"""Names of lists of a system's scores."""


def _are_means(fields: Sequence[tuple[Path, Any]], labels: Mapping[str, Path | None]) -> bool:
    """Whether the numbers of a record are means of scores in lists that name systems, or segments, where it does not.

    They are named so, or as the scores are, where no texts of the record's own are beside them.
    """
    is_named = any(path == ("name",) and isinstance(value, str) for path, value in fields)
    lacking = [kind for kind, path in labels.items() if not path and not (is_named and kind == "system")]
    apart = {path for path, _ in fields if is_beside_scores(str(path[-1]))} | {path for path in labels.values() if path}
    numbers = [str(path[-1]) for path, value in fields if is_number(value) and path not in apart]
    if not numbers or len(lacking) != 1 or any(plain_name(str(path[-1])) in _OUTPUTS for path, _ in fields):
        return False
    for path, some in fields:
        if not isinstance(some, list) or not some:
            continue
        inside = [(one, value) for one, value in _leaves(some[:1], path) if None in one]
        names = {one[-1] for one, value in inside if is_number(value)}
        if isinstance(some[0], Mapping):
            is_named = any(plain_name(str(one[-1])) in ALIASES[lacking[0]] for one, _ in inside)
        else:
            is_named = kind_of_list(path[-1]) == lacking[0] or (path[-1] in _SCORES and lacking == ["segment"])
        if is_named and all(name in names or _MEANS.fullmatch(plain_name(name)) for name in numbers):
            return True
    return False


def check_no_means(rows: Sequence[Any], records: str = "source") -> None:
    """Refuse rows that hold means beside lists of scores, or only whether these passed; ``records`` is their code."""
    fields = list(_paths(rows[0], ()))
    labels = {kind: _label_path(fields, kind) for kind in ("system", "segment")}
    is_likely = _are_means(fields, labels)
    if not is_likely and any(isinstance(value, bool) for _, value in fields):
        is_likely = has_scores_in_lists_alone(rows[0]) and bool(say_how_to_flatten(rows[0], records))
    if is_likely and (step := say_how_to_flatten(rows[0], records) or say_how_to_take_out(rows[0], records)):
        raise InputError(f"source: {say_step(step)}")


def has_scores_in_lists_alone(record: Mapping[Any, Any]) -> bool:
    """Whether the scores of a record are surely in its lists: it has no other number, but perhaps means of these."""
    fields = list(_paths(record, ()))
    labels = {kind: _label_path(fields, kind) for kind in ("system", "segment")}
    numbers = [path for path, value in fields if is_number(value) and not is_beside_scores(str(path[-1]))]
    is_clear = not numbers or _are_means(fields, labels)
    return is_clear and bool(say_how_to_flatten(record, "") or say_how_to_take_out(record, ""))


MOST_LOOKED_AT = 10_000
"""So many names of a document are searched for lists of rows."""


def where_rows_are(found: Any, name: str) -> str:
    """What to say of a document with lists of rows below its names; empty where it has none."""
    lists = {path: len(some) for path, some in islice(_lists_of_rows(found, ()), MOST_LOOKED_AT) if some}
    if not lists or () in lists:
        return _say_rows_by_name(found, name) if not lists else ""
    longest = max(lists, key=lambda path: (lists[path], -len(path)))
    if isinstance(found, Mapping) and len(longest) > 1 and all(map({*lists}.__contains__, _same_paths(found, longest))):
        step = f"{{name: one{as_keys(longest[1:])} for name, one in {name}.items()}}"
        return f"it has rows below {'.'.join(map(str, longest[1:]))} of each of its names; pass those, {step}"
    below = known_names((".".join(map(str, path)) for path in lists), most=5)
    first, rows = _first_row(found, longest), f"{name}{as_keys(longest)}"
    step = "" if has_own_score(first) else say_how_to_flatten(first, rows) or say_how_to_take_out(first, rows)
    return f"it has rows below {below}; pass those with the scores, such as {step or rows}"


def _say_rows_by_name(found: Any, name: str) -> str:
    """What to say of an object whose fields are rows, such as a judge's cache; empty of any other."""
    rows = [*found.values()] if isinstance(found, Mapping) else []
    if len(rows) < 2 or not all(isinstance(row, Mapping) and row.keys() == rows[0].keys() for row in rows):
        return ""
    cells = [*rows[0].values()]
    if not any(map(is_number, cells)) or not any(isinstance(cell, str) for cell in cells):
        return ""
    fields = list(_paths(rows[0], ()))
    if all(_label_path(fields, kind) for kind in ("system", "segment")):
        return f"each of its fields is a row; pass list({name}.values())"
    return f"each of its fields is a row; pass [{{'name': name, **row}} for name, row in {name}.items()]"


def _first_row(found: Any, path: tuple[Any, ...]) -> Any:
    """The first row of a list below the names of a document."""
    for key in path:
        found = found[key]
    return found[0]


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


def say_how_to_take_out(record: Any, records: str) -> str:
    """What to pass instead of records that hold numbers in lists: a row for each element; empty where they do not."""
    fields = list(_paths(record, ())) if isinstance(record, Mapping) else []
    lists = [(path, some) for path, some in fields if isinstance(some, list) and holds_numbers(some)]
    if not lists:
        return ""
    path, some = max(lists, key=lambda one: (isinstance(one[1][0], Mapping), is_score(one[0][-1]), len(one[1])))
    loops, _ = _loops_to((*path, None), records)
    labels = {kind: _label_path(fields, kind) for kind in ("system", "segment")}
    if step := _say_how_to_spread(record, labels, records):
        return step
    own = [str(key) for key, value in record.items() if (key,) not in labels.values() and _says_whose(str(key), value)]
    if step := say_how_to_zip(fields, labels, own, records):
        return _short(step)
    if any(isinstance(one, Mapping) for one in some):
        is_apart = any(label and label[0] == path[0] for label in labels.values())
        name = ".".join(map(str, path)) if is_apart else path[0]
        kept = ["**row"]
        if _are_means(fields, labels):
            kept = [f"{kind!r}: row{as_keys(key)}" for kind, key in labels.items() if key]
            kept += [f"{key!r}: row.get({key!r})" for key in own]
        step = f"[{{{', '.join(kept)}, {name!r}: one}} {loops}]"
        others = [".".join(map(str, one)) for one, some in lists if isinstance(some[0], Mapping)]
        return _short(step if len(others) < 2 else f"those of one of {known_names(others, most=5)}, such as {step}")
    system, segment = (f"row{as_keys(one)}" if one else "" for one in labels.values())
    if not all(is_number(one) or one is None for one in some) or bool(system) == bool(segment):
        return ""
    if segment:
        return _short(f"pandas.DataFrame({{{segment}: row{as_keys(path)} for row in {records}}}, index=SYSTEMS)")
    cells = [f"'system': {system}"]
    for key, value in record.items():
        cells += [f"{key!r}: row.get({key!r})"] * ((key,) != labels["system"] and _says_whose(str(key), value))
    loops = loops.replace("for one in ", "for at, one in enumerate(").replace(" or ()", " or (), 1)")
    return _short(f"[{{{', '.join(cells)}, 'segment': at, 'score': one}} {loops}]")


def _paths(record: Any, above: Path) -> Iterator[tuple[Path, Any]]:
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
    found: dict[Path, dict[Any, list[Any]]] = {}
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


def _is_label(path: Path, values: Sequence[Any]) -> bool:
    """Whether values below a key may be labels of records: no numbers, or whole ones that all differ."""
    there = [value for value in values if value is not None]
    is_usual = any(plain_name(path[-1] or "") in names for names in ALIASES.values())
    if is_usual or not all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in there):
        return True
    return len({*there}) == len(there) > 1 and all(value % 1 == 0 for value in there)


def _leaves(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    """What a record holds below its keys, and the elements of its lists of objects below None."""
    if len(path) > 4 * len(_LOOPS):
        return
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _leaves(inner, (*path, str(key)))
    elif isinstance(value, list) and any(isinstance(one, Mapping) for one in value):
        for one in value[:MOST_ELEMENTS]:
            yield from _leaves(one, (*path, None))
    else:
        yield path, value


def _label_path(leaves: Iterable[tuple[Path, Any]], kind: str, beside: Path | None = None) -> Path | None:
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
