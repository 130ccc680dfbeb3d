"""How is a line of scores read that somebody typed or pasted?"""

from __future__ import annotations

import math
import re

from tiekit.errors import InputError

MISSING = {"nan", "na", "n/a", "none", "null", "-", "–"}
"""Words that stand for a missing score, in lower case."""

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+", re.ASCII)
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?", re.ASCII)


def parse_vector(text: str, name: str = "scores") -> list[float]:
    """Read a line of scores; missing ones become NaN.

    Parameters
    ----------
    text : str
        Numbers with spaces, tabs, line ends, semicolons or commas between them; one pair of brackets around them
        is allowed. ``nan``, ``NA``, ``None``, ``null`` and ``-`` are missing scores.
    name : str
        The name of the line in messages.

    Returns
    -------
    list of float

    Raises
    ------
    InputError
        For text, infinite numbers, and a comma that may be decimal (``1,5``); the message names line, position and
        token.

    Examples
    --------
    >>> parse_vector(".5\\t1e-3; None, -2")
    [0.5, 0.001, nan, -2.0]
    >>> parse_vector("1 1,5", "m1")
    Traceback (most recent call last):
    tiekit.errors.InputError: m1, score 2: '1,5' has a comma; write 1.5 for a decimal, or '1, 5' for two scores
    """
    line = text.strip().replace("−", "-")
    if line[:1] + line[-1:] in ("[]", "()"):
        line = line[1:-1]
    tokens = re.split(r"(?:,\s+|[\s;])+", line.strip().strip(",;"))
    values: list[float] = []
    for token in filter(None, tokens):
        values += _read(token, f"{name}, score {len(values) + 1}")
    return values


def _read(token: str, where: str) -> list[float]:
    """The numbers of a token; commas without spaces may divide several."""
    if _DECIMAL_COMMA.fullmatch(token):
        raise InputError(
            f"{where}: {token!r} has a comma; write {token.replace(',', '.')} for a decimal, "
            f"or {token.replace(',', ', ')!r} for two scores"
        )
    if _THOUSANDS.fullmatch(token):
        raise InputError(f"{where}: {token!r} can be read in two ways; put spaces between scores")
    return [_number(part, where) for part in token.split(",")]


def _number(token: str, where: str) -> float:
    """One number, NaN where it is missing."""
    if token.lower() in MISSING:
        return math.nan
    if not _NUMBER.fullmatch(token):
        raise InputError(f"{where}: {token!r} is not a number; write nan, None or - for a missing score")
    if math.isinf(float(token)):
        raise InputError(f"{where}: {token!r} is too large to be a score; expected a finite number")
    return float(token)
