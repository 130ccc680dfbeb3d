"""Does a column of texts hold one number in each cell, between the same signs, or a list? The step to a number."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePosixPath

from tiekit.base.errors import LONGEST
from tiekit.readers._columns import Table
from tiekit.readers._numbers import MISSING, take_off, to_points, with_signs
from tiekit.readers._told_steps import PANDAS

_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_WITH_ERROR = re.compile(rf"{_NUMBER.pattern}\s*(±|\+/-|\+-|\\pm)\s*{_NUMBER.pattern}", re.ASCII)
_LIST = re.compile(rf"\[\s*{_NUMBER.pattern}(?:,\s*{_NUMBER.pattern})*\s*\]", re.ASCII)


def unwrap(table: Table, names: Iterable[str]) -> str:
    """How Python takes the numbers out of the first of these columns that has them; empty where none has."""
    for name in names:
        cells = set() if table.is_scores(name) else {*table.cells(name)}.difference(MISSING)
        if cells and table.path in ("list", "DataFrame") and all(map(_LIST.fullmatch, cells)):
            lists = [one for one in table.columns if all(map(_LIST.fullmatch, {*table.cells(one)}))]
            means = ", ".join(f"{one!r}: lambda frame: frame[{one!r}].map(numpy.mean)" for one in lists)
            step = ("pandas.json_normalize(SOURCE)" if table.path == "list" else "frame") + f".assign(**{{{means}}})"
            return f"; if the means of the lists in {name} are the scores, pass {step}"
        texts, signs = with_signs(cells)
        before, off, after = ("", steps[0], "") if (steps := to_points(texts)) else _around({*texts})
        if not off or before.startswith(("[", "{")) or len(before + after + name) > LONGEST:
            continue
        path = table.path.lower()
        read = PANDAS.get(".xlsx" if ".xlsx" in path else PurePosixPath(path).suffix)
        frame = f"pandas.{read.format('PATH')}" if read else "pandas.DataFrame(frame)"
        numbers = f"frame[{name!r}].astype('string'){signs}{off}.astype(float)"
        step = f"{frame}.assign(**{{{name!r}: lambda frame: {numbers}}})"
        doubt = "; in bookkeeping, brackets mean less than 0" * ((before, after) == ("(", ")"))
        return f"; if the numbers in {name} are the scores, in Python, pass {step}{doubt}"
    return ""


def _around(cells: set[str]) -> tuple[str, str, str]:
    """What stands before and behind a number in all cells, between them how it is taken off; empty if it differs."""
    first = min(cells, default="")
    signs = {found[1] for cell in cells if (found := _WITH_ERROR.fullmatch(cell))}
    if len(signs) == 1 and all(map(_WITH_ERROR.fullmatch, cells)):
        return "", f".str.split({min(signs)!r}, regex=False).str[0]", ""
    for found in _NUMBER.finditer(first):
        if len(first) - len(found[0]) > LONGEST:
            continue
        before, after = first[: found.start()], first[found.end() :]
        inner = (cell[len(before) : len(cell) - len(after)] for cell in cells if _has(cell, before, after))
        if sum(_NUMBER.fullmatch(one) is not None for one in inner) == len(cells):
            return before, take_off(before, found[0], after), after
    return "", "", ""


def _has(cell: str, before: str, after: str) -> bool:
    return cell.startswith(before) and cell.endswith(after) and len(cell) > len(before) + len(after)
