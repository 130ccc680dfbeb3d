"""Which steps does a message name? Arguments with their values, which can be taken anywhere, and code for Python."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from typing import Any

_ARGUMENT = r"""([a-z_]+)=('[^']*'|"[^"]*"|\{[^{}]*\}|\[[^][]*\]|\(\)|True\b|-?\d+\b)"""
_EACH = re.compile(_ARGUMENT)
_STEP = re.compile(rf"(?<![\w.(]){_ARGUMENT}(?: and {_ARGUMENT})*")

_CODE = re.compile(r"\b(?:pandas|json|ast|yaml|scipy|pathlib)\.[a-z_]+\(|\b(?:frame|FRAME)(?:\[|\.|\b = )")

IN_PYTHON = (
    "what begins with frame or pandas is Python: save the table that it makes, TABLE.to_csv('mine.csv', index=False)"
)
"""What to say of code where there is no Python."""


def steps_in(message: str, known: Collection[str]) -> dict[str, dict[str, Any]]:
    """Return the arguments of each step of a message by its words; those of a step are all among the ``known``."""
    return {words: arguments for words, arguments in _steps(message) if arguments.keys() <= {*known}}


def _steps(message: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for found in _STEP.finditer(message):
        with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
            yield found[0], {name: ast.literal_eval(value) for name, value in _EACH.findall(found[0])}


def has_code(message: str) -> bool:
    """Return whether a step of a message is code for Python that makes a table."""
    return _CODE.search(message) is not None
