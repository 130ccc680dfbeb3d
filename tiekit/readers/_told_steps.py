"""Which steps does a message name? Arguments with their values, which can be taken anywhere, and code for Python."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tiekit.readers._columns import Table

_ARGUMENT = r"""([a-z_]+)=('[^']*'|"[^"]*"|\{[^{}]*\}|\[[^][]*\]|\(\)|True\b|-?\d+\b)"""
_EACH = re.compile(_ARGUMENT)
_STEP = re.compile(rf"(?<![\w.(]){_ARGUMENT}(?: and {_ARGUMENT})*")

_CODE = re.compile(
    r"(?<!tk\.read\()\b(?:pandas|json|ast|yaml|scipy|pathlib)\.[A-Za-z_]+\(|\b(?:frame|FRAME)(?:\[|\.|\b = )"
)
"""Code that makes a table; what reads one at once has no use for a file."""

_OF_SET = re.compile(r"\bdata\.[a-z]")

_SAVING = {
    "rename_axis(columns=": "TABLE.stack('system', future_stack=True).to_csv('mine.csv')",
    "rename_axis(": "TABLE.to_csv('mine.csv')",
    "index=SYSTEMS": "TABLE.to_csv('mine.csv')",
    "": "TABLE.to_csv('mine.csv', index=False)",
}
"""How a table is saved by what its code says: some have labels in their index, or systems above their columns."""


def steps_in(message: str, known: Collection[str]) -> dict[str, dict[str, Any]]:
    """Return the arguments of each step of a message by its words; those of a step are all among the ``known``."""
    return {words: arguments for words, arguments in _steps(message) if arguments.keys() <= {*known}}


def _steps(message: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for found in _STEP.finditer(message):
        with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
            yield found[0], {name: ast.literal_eval(value) for name, value in _EACH.findall(found[0])}


_MARK = re.compile(r"scores are (-?[\d.e+]+(?: and -?[\d.e+]+)?)(.*), or go on with data\.with_\w+\(numpy\.where\(.*\)")


def say_how_to_take_out(message: str, save: str = "") -> str:
    """Return a message in which a file, and not a set in memory, loses what stands for a missing score.

    That is no number of a segment if it is negative. ``save`` follows the code that makes the table.
    """

    def say(found: re.Match[str]) -> str:
        nan = "{" + ", ".join(f"{code}: float('nan')" for code in found[1].split(" and ")) + "}"
        what = f"{{COLUMN: {nan}}}" if re.search(r"(?<![\d-])\d", found[1]) else nan
        return f"scores are {found[1]}{found[2]}, such as by pandas.read_csv(FILE).replace({what}){save} in Python"

    return _MARK.sub(say, message)


def say_of_code(message: str, take: str, data: str = "") -> str:
    """Return what to do with code in a message where there is no Python: ``take`` the file that it makes.

    Empty where no step is such code, or it writes the file. ``data`` is how the set is read that the code may be about.
    """
    if not _CODE.search(message) or ".to_csv(" in message:
        return ""
    named = ["FRAME is the table of the file"] * ("FRAME" in message)
    named += [f"data is {data}"] * bool(data and _OF_SET.search(message))
    where = f", where {' and '.join(named)}" * bool(named)
    save = next(one for words, one in _SAVING.items() if words in message)
    told = f"what begins with frame or pandas is Python: save the table that it makes, {save}"
    return f"; {told}{where}, and {take} that file"


PANDAS = {
    ".csv": "read_csv({})",
    ".tsv": "read_csv({}, sep='\\t')",
    ".xlsx": "read_excel({})",
    ".parquet": "read_parquet({})",
    ".json": "json_normalize(json.load(open({})))",
    ".jsonl": "json_normalize(list(map(json.loads, open({}))))",
}
"""How pandas reads files by their endings."""

FRAME_OF_ALL = (
    "frame is a DataFrame of all, such as pandas.concat({name: pandas.DataFrame(rows) for name, rows in "
    "SOURCE.items()}, names=['system']).reset_index(level=0)"
)
"""What messages call a frame."""


def where_frame(table: Table, system: str | None) -> str:
    """What the frame in an expression is: a file's, or that of all files where no column names systems."""
    ending = PurePosixPath(table.path).suffix.lower()
    if ending not in PANDAS:
        of_list = ", where frame is pandas.json_normalize(SOURCE)" * (table.path == "list")
        return f", where {FRAME_OF_ALL}" if system is None else of_list
    read = "read_csv({}, sep=';')" if table.commas else PANDAS[ending]
    if system is not None:
        return f", where frame is pandas.{read.format('PATH')}"
    files = f"pandas.{read.format('path')}.assign(system=path.stem)"
    files += f" for path in sorted(pathlib.Path(FOLDER).glob('*{ending}'))"
    return f", where frame is that of all files, such as pandas.concat([{files}], ignore_index=True)"
