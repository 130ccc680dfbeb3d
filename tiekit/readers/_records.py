"""How are scores taken out of lists in records, as tools for annotation write them? The Python that does it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tiekit.base.names import ALIASES, ROW_COUNTS, TEXTS, plain_name
from tiekit.readers._score_names import SCORE, is_named_human

_LOOPS = ("row", "one", "two", "three", "four")
"""What stands for the records, and for the elements of the lists in them."""

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
