"""How is a line of scores read that somebody typed or pasted?"""

from __future__ import annotations

import math
import re

from tiekit.base.errors import InputError
from tiekit.readers._source import DECIMAL_COMMA, NUMBER, THOUSANDS, is_tiny, quoted

MISSING = {"nan", "na", "n/a", "none", "null", "-", "–"}
"""Words that stand for a missing score, in lower case."""


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
    if not isinstance(text, str):
        raise InputError(f"{name}: must be a line of text, found {quoted(repr(text))}")
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
    if DECIMAL_COMMA.fullmatch(token):
        thousands = f", {token.replace(',', '')} for thousands" if THOUSANDS.fullmatch(token) else ""
        decimal = f"{quoted(token)} has a comma; write {quoted(token.replace(',', '.'))[1:-1]} for a decimal{thousands}"
        raise InputError(f"{where}: {decimal}, or {quoted(token.replace(',', ', '))} for two scores")
    if THOUSANDS.fullmatch(token):
        raise InputError(f"{where}: {quoted(token)} can be read in two ways; put spaces between scores")
    return [_number(part, where) for part in token.split(",")]


def _number(token: str, where: str) -> float:
    """One number, NaN where it is missing."""
    if token.lower() in MISSING:
        return math.nan
    if not NUMBER.fullmatch(token):
        raise InputError(f"{where}: {quoted(token)} is not a number; write nan, None or - for a missing score")
    if math.isinf(float(token)):
        raise InputError(f"{where}: {quoted(token)} is too large to be a score; expected a finite number")
    if float(token) == 0 and is_tiny(token):
        raise InputError(f"{where}: {quoted(token)} is too small to be told from 0; write 0")
    return float(token)
