"""How do texts become numbers? One set of words for missing scores, decimal commas, and what no score can be."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from itertools import count, islice
from operator import eq
from unicodedata import normalize

import numpy as np
from numpy.typing import NDArray

from tiekit.base.errors import InputError, ReadError, quote

AT_ONCE = 4096
"""The number of texts that are kept in one."""

_WORDS = ("nan", "na", "n/a", "<na>", "none", "null", "#n/a", "#nv")

DASHES = "\u2010\u2011\u2013\u2014\u2212\ufe63\uff0d"
"""What word processors, LaTeX and pages write for the sign of a negative number: hyphens, dashes, signs of minus."""

MISSING = frozenset(
    {"", "-", *DASHES, "NaN"} | {form for word in _WORDS for form in (word, word.upper(), word.capitalize())}
)
"""What stands for a missing score, in every format."""

SIGN = f"[+{DASHES}-]"
_MINUS = re.compile(rf"(?:(?<![\w.])|(?<=\d[eE]))[{DASHES}](?=[.,]?\d)", re.ASCII)
"""One directly before a number; behind a letter, a digit or a point, it is none of its own."""

NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
DECIMAL_COMMA = re.compile(rf"{SIGN}?\d*,\d+(e{SIGN}?\d+)?", re.ASCII | re.IGNORECASE)
COMMAS_READ = "Decimal commas were read as decimal points."
"""What is noted where they were."""

_GERMAN = re.compile(r"[+-]?\d{1,3}(\.\d{3})+,\d+", re.ASCII)
THOUSANDS = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d*)?", re.ASCII)


def parse_scores(
    tokens: Sequence[str],
    lines: Sequence[int],
    path: str,
    *,
    missing: AbstractSet[str] = MISSING,
    column: str = "",
    known: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Turn fields without spaces into numbers, NaN where missing; ``lines[i]`` is the line of ``tokens[i]``.

    ``known`` are their numbers as `to_floats` makes them.
    """
    rest, found = iter(tokens), np.empty(len(tokens))
    for start in range(0, len(tokens), AT_ONCE):
        part = slice(start, start + AT_ONCE)
        values = None if known is None else known[part]
        found[part] = _parse([*islice(rest, AT_ONCE)], lines[part], path, missing, column, values)
    return found


def with_minus(text: str) -> str:
    """A text with "-" for each dash that is the sign of a number."""
    return text if text.isascii() else _MINUS.sub("-", text)


def to_floats(tokens: Sequence[str], missing: AbstractSet[str] = MISSING) -> NDArray[np.float64]:
    """What ``float`` makes of fields, NaN where missing; a ValueError where it makes nothing of one."""
    known = tokens if missing.isdisjoint(tokens) else ["nan" if token in missing else token for token in tokens]
    return np.fromiter(map(float, known), np.float64, len(known))


def _parse(
    tokens: Sequence[str],
    lines: Sequence[int],
    path: str,
    missing: AbstractSet[str],
    column: str,
    known: NDArray[np.float64] | None,
) -> NDArray[np.float64]:
    """The numbers of some fields, which may be ``known``; they are checked in any case."""
    try:
        values = to_floats(tokens, missing) if known is None else known
        plain = _plain("".join(tokens)) and not np.isinf(values).any() and not _loses_digits(tokens, values)
    except ValueError:
        if (signed := [*map(with_minus, tokens)]) != [*tokens]:
            with suppress(ReadError):  # it would not show what stands in the file
                return _parse(signed, lines, path, missing, column, None)
        plain = False
    n_missing = int(np.isnan(values).sum()) if plain else 0
    if not plain or (n_missing and n_missing != sum(token in missing for token in tokens)):
        place = f" in column {quote(column)}" * bool(column)
        for token, line in zip(tokens, lines, strict=True):
            if token not in missing and (problem := _problem(with_minus(token), f"{quote(token)}{place}")):
                advice = advise_points(tokens, path, column) or _advise_taking_off(token, tokens, path, column)
                advice = advice or _advise_missing(token, tokens, path)
                raise ReadError(path, problem + advice * bool(column), line=line)
    return values


def number_like(cell: str) -> bool:
    """Whether a cell is meant as a number, even if it is refused later (inf, 1,5)."""
    if cell[:1].isalpha() and cell[0] not in "iInN":  # inf and nan; a tenth of the time of an exception
        return False
    try:
        float(with_minus(cell))
    except ValueError:
        return DECIMAL_COMMA.fullmatch(cell) is not None
    return True


_WHOLE = re.compile(r"\d+(\.0+)?", re.ASCII)


def are_whole(cells: Iterable[str]) -> bool:
    """Whether all cells are whole numbers, such as 7, or 7.0 as pandas makes of ids beside gaps."""
    return all(map(_WHOLE.fullmatch, cells))


def are_decimals(rows: Iterable[str]) -> bool:
    """Whether commas in lines of one number each are decimal without doubt: before each stands 0, or before one -0.

    Of other whole numbers with a comma between them, each may be a score by itself. Below a comma and a name, pandas
    counts the rows of a Series.
    """
    each = [with_minus(row).partition(",")[0] for row in rows if DECIMAL_COMMA.fullmatch(row)]
    if len(each) > 2 and each[:1] == [""] and all(map(eq, each[1:], map(str, count()))):
        return False
    before = {*each}
    return not before.isdisjoint(("-0", "+0", "", "-", "+")) or before == {"0"}


_MARKED = re.compile(r"[$'’`\"]?([+-]?(?:\d+(?:\.\d+)?|\.\d+))[$'’`\"]?|([+-]?\d*\.\d+) ?/ ?\d+", re.ASCII)
"""A number between marks, or a decimal one of a scale."""


LONGEST_MENDED = 100
"""Maximum number of characters of what is looked at for a number between signs: the time grows with their square."""

_GROUPS = re.compile(r"(?<=\d)['’_](?=\d{3})", re.ASCII)
"""Signs that divide thousands."""


def mend_number(cell: str) -> str:
    """The number that a cell is without what stands around it or divides thousands; empty where it is none."""
    if len(cell) > LONGEST_MENDED:
        return ""
    cell = with_minus(cell)
    if (marked := _MARKED.fullmatch(cell)) and not NUMBER.fullmatch(cell):
        return str(marked[1] or marked[2])
    if re.fullmatch(r"0[xX][0-9a-fA-F]+", cell):
        return str(int(cell, 16))
    points = cell.replace(".", "").replace(",", ".") if _GERMAN.fullmatch(cell) else cell.replace(",", "")
    mended = cell.removesuffix("%").strip(), points, _GROUPS.sub("", normalize("NFKC", cell))
    return next((one for one in mended if one != cell and NUMBER.fullmatch(one)), "")


def describe_no_number(cell: str) -> str:
    """What to say of a cell that is meant as a number but is none, and how to write it."""
    share = cell.removesuffix("%").strip()
    mended = share if share != cell and DECIMAL_COMMA.fullmatch(share) else mend_number(cell)
    return f"{quote(cell)} is not a number" + f", write {mended}" * bool(mended)


def _plain(text: str) -> bool:
    """Whether there are only characters that a number may have."""
    return text.isascii() and "_" not in text  # float() also accepts 1_000 and digits of other scripts


def _loses_digits(tokens: Sequence[str], values: NDArray[np.float64]) -> bool:
    """Whether a number is so small that only 0 is left of it."""
    return any(map(is_tiny, {tokens[place] for place in np.flatnonzero(values == 0).tolist()}))


def is_tiny(token: str) -> bool:
    """Whether the text of a zero has another digit than 0 before its exponent."""
    return bool(token.lower().partition("e")[0].strip("+-0."))


def _problem(token: str, found: str) -> str:
    """What to say of a field that is not a finite number."""
    if THOUSANDS.fullmatch(token):
        plain = quote(token.replace(",", ""))[1:-1]
        decimal = f"{quote(token.replace(',', '.'))[1:-1]} if it is decimal, " if DECIMAL_COMMA.fullmatch(token) else ""
        return f"{found} has a comma; write {decimal}{plain} if it divides thousands"
    if DECIMAL_COMMA.fullmatch(token):
        return f"{found} has a decimal comma; expected a decimal point, {quote(token.replace(',', '.'))[1:-1]}"
    if not NUMBER.fullmatch(token):
        write = f"; write {mended}" if (mended := mend_number(token)) else ""
        return f"{found} is not a score; expected a finite number, or None where it is missing{write}"
    if np.isinf(float(token)):
        return f"{found} is too large; expected a finite number"
    if float(token) == 0 and is_tiny(token):
        return f"{found} is too small to be told from 0; write 0, or multiply all scores by a number"
    return ""


LONGEST_MISSING, FEW_TEXTS = 40, 5
"""A text of more characters, or several words, stands for a missing score among no more different texts than these."""

_READS = {".xlsx": "read_excel(PATH", ".csv": "read_csv(PATH", ".tsv": r"read_csv(PATH, sep='\t'"}
"""How pandas reads files by their endings, without the bracket at the end."""


_WRAPPED = re.compile(rf"(?<![\w.]){NUMBER.pattern}", re.ASCII | re.IGNORECASE)
_INSIDE_NUMBER = re.compile(r"[.,:-]\d", re.ASCII)
"""What goes on after a number is a part of it, of a time or of a date."""

_THOUSANDS = (r"[ \u00a0\u2009\u202f]", ",", r"\.", "['’_]", "(?!)")
"""Signs that divide thousands, of one kind each, and none."""

_DIVIDED = [
    (sign, re.compile(rf"[+-]?(?:[1-9]\d{{0,2}}(?:{sign}\d{{3}})+|\d*)(?:{re.escape(point)}\d+)?", re.ASCII), point)
    for point in ",."
    for sign in _THOUSANDS
    if sign != point
]
"""Numbers by what divides their thousands, and by their decimal sign."""

FEWEST_WRAPPED = 0.2
"""Fewer of the different fields, or one, with the same signs around numbers are no column of such, but failures."""

_ENDS_IN_SIGN, _ONLY_SIGN = re.compile(rf"[{DASHES}-]\s*$"), re.compile(rf"\s*[{DASHES}-]\s*")


def with_signs(cells: Iterable[str]) -> tuple[list[str], str]:
    """Cells with "-" for the dashes that are signs of numbers in some, and how pandas writes it in a column."""
    found = [*cells]
    dashes = {dash for cell in found for dash, sign in zip(cell, with_minus(cell), strict=True) if dash != sign}
    for dash in dashes:
        found = [cell.replace(dash, "-") for cell in found]
    return found, "".join(f".str.replace({dash!r}, '-')" for dash in sorted(dashes))


def to_points(cells: Iterable[str]) -> list[str]:
    """How pandas makes numbers with points of all cells with decimal commas, or signs between thousands.

    There are two ways where a comma may be either; the decimal one is the first.
    """
    found, steps = {*cells}, dict[tuple[str, ...], str]()
    for sign, form, point in _DIVIDED:
        if not all(map(form.fullmatch, found)):
            continue
        signs = sorted({*re.findall(sign, "".join(found))})
        step = "".join(f".str.replace({one!r}, '', regex=False)" for one in signs)
        step += ".str.replace(',', '.', regex=False)" * (point == "," and any("," in cell for cell in found))
        table = str.maketrans({point: "."} | dict.fromkeys(signs, None))
        steps.setdefault(tuple(cell.translate(table) for cell in found), step)
    return [*filter(None, steps.values())]


def advise_points(cells: Iterable[str], path: str, column: str) -> str:
    """How all numbers of a column get points in place of decimal commas, and lose signs between thousands."""
    texts, signs = with_signs({*cells}.difference(MISSING))
    steps = [_set_column(column, signs + step) for step in to_points(texts)]
    told = f"if the comma is decimal, {steps[0]}, and if it divides" if len(steps) > 1 else "to read all of the column"
    told += " thousands" * (len(steps) > 1)
    return f"; {told}, {steps[-1]}{_where_from(path)}" if steps else ""


def _set_column(column: str, off: str) -> str:
    return f"frame[{column!r}] = frame[{column!r}].astype('string'){off}.astype(float)"


def _where_from(path: str) -> str:
    """What the frame in a step is: a file's."""
    read = next((read for ending, read in _READS.items() if ending in path.lower()), "")
    return f", where frame is pandas.{read})" * bool(read)


def take_off(before: str, number: str, after: str) -> str:
    """How pandas takes off what stands around a number; empty where a sign of minus may be part of it."""
    is_sign = _ENDS_IN_SIGN.search(before) or _ONLY_SIGN.fullmatch(after)
    if is_sign or _INSIDE_NUMBER.match(after) or (number[:1] in "+-" and before[-1:].isalnum()):
        return ""
    return f".str.removeprefix({before!r})" * bool(before) + f".str.removesuffix({after!r})" * bool(after)


def _advise_taking_off(token: str, tokens: Sequence[str], path: str, column: str) -> str:
    """How the number is taken out of fields such as tensor(0.87); empty where there is none, or another step.

    What stands around the numbers of few fields only, as of ERR: 429, may tell that they have no score.
    """
    if len(token + column) > LONGEST_MENDED:
        return ""
    [text, *_], signs = with_signs([token, *tokens])
    found = _WRAPPED.search(text)
    if found is None or (mend_number(text) and not text.endswith("%")):
        return ""
    before, after = text[: found.start()], text[found.end() :]
    different = {*tokens}.difference(MISSING)
    alike = [
        one for one in different if one.startswith(before) and one.endswith(after) and len(one) > len(before + after)
    ]
    if (before or after) and len(alike) <= max(1, FEWEST_WRAPPED * len(different)):
        return f"; write the score alone if it holds one{_say_missing(token, path)}"
    off = take_off(before, found[0], after)
    return f"; if {found[0]} is the score, {_set_column(column, signs + off)}{_where_from(path)}" if off else ""


def _advise_missing(token: str, tokens: Sequence[str], path: str) -> str:
    """How a table is passed in which a text without digits, or a formula, stands for a missing score; else empty.

    Several words are no such text among many others.
    """
    is_long = " " in token or len(token) > LONGEST_MISSING
    if is_long and (len(token) > LONGEST_MENDED or sum(not number_like(one) for one in {*tokens}) > FEW_TEXTS):
        return ""
    is_formula = token.startswith("=") and token[1:2].isalpha()
    may_be_score = any(map(str.isdigit, token)) and not is_formula
    return "" if may_be_score else _say_missing(token, path)


def _say_missing(token: str, path: str) -> str:
    """How a table is passed in which this field stands for a missing score."""
    name, reads = path.lower(), f", na_values=[{token!r}])"
    if name == "dataframe":
        return f"; if it stands for a missing score, pass frame.replace({token!r}, float('nan'))"
    read = next((read for ending, read in _READS.items() if ending in name), "")
    told = "; if it stands for a missing score, write nan in its place"
    return f"{told}, or pass pandas.{read}{reads} in Python" if read else told


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
        raise InputError(f"{name}: must be a line of text, found {quote(repr(text))}")
    line = with_minus(text.strip())
    if line[:1] + line[-1:] in ("[]", "()"):
        line = line[1:-1]
    tokens = re.split(r"(?:,\s+|[\s;])+", line.strip().strip(",;"))
    values: list[float] = []
    for token in filter(None, tokens):
        values += _split_token(token, f"{name}, score {len(values) + 1}")
    return values


def _split_token(token: str, where: str) -> list[float]:
    """The numbers of a token; commas without spaces may divide several."""
    if DECIMAL_COMMA.fullmatch(token):
        thousands = f", {token.replace(',', '')} for thousands" if THOUSANDS.fullmatch(token) else ""
        decimal = f"{quote(token)} has a comma; write {quote(token.replace(',', '.'))[1:-1]} for a decimal{thousands}"
        raise InputError(f"{where}: {decimal}, or {quote(token.replace(',', ', '))} for two scores")
    if THOUSANDS.fullmatch(token):
        raise InputError(f"{where}: {quote(token)} can be read in two ways; put spaces between scores")
    parts = token.split(",")
    for part in parts:
        if part.casefold() not in MISSING and not NUMBER.fullmatch(part):
            raise InputError(f"{where}: {quote(part)} is not a number; write nan, None or - for a missing score")
        if part.casefold() not in MISSING and (problem := _problem(part, quote(part))):
            raise InputError(f"{where}: {problem}")
    return [math.nan if part.casefold() in MISSING else float(part) for part in parts]
