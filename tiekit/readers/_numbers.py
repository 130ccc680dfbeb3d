"""How do texts become numbers? One set of words for missing scores, decimal commas, and what no score can be."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from itertools import count, islice
from operator import eq
from unicodedata import normalize

import numpy as np
from numpy.typing import NDArray

from tiekit.base.errors import InputError, ReadError, RoleWarning, quote, warn
from tiekit.base.names import SHOWN, some_of
from tiekit.readers._failures import NOT_RATED, find_apart, find_stopped, find_tenfold, find_unrated, find_zeros
from tiekit.sets.evalset import EvalSet

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


FEWEST_CODES = 2
"""So many times a number must occur to be a code."""

MOST_CODES = 2
"""So many codes are told at once, such as of refused and of missing answers."""

FEWEST_OTHERS = 10
"""How many other numbers it takes to say that one lies apart from them which is no usual code."""

FAR, APART = 10, 2
"""A number that lies beyond so many ranges of the others perhaps stands for a missing score: one of nines, or another
one among whole numbers; beyond two, one of nines that repeats, a usual code, or another one that repeats where hardly
any number does. A usual code with another sign than all others lies apart beyond half of their range."""

LOWER, UPPER, PER_CENT, HALF, LOWEST_MQM, FEW, FEWEST_SYSTEMS = -3, 2, 10, 50, -25, 0.01, 3
"""Where others are about 0 to 1, as those of neural metrics, higher scores are perhaps in per cent if their median is
at least 10, and they are at most this share of all, or at least half of those of one of so many systems alone."""

_NINES = re.compile(r"-?9{3,}")
_CODES = re.compile(r"-?(?:777+|88+|99+|100+)")
"""Numbers that stand for missing answers in surveys, and in programs."""

_SAME_DIGITS = np.array([int(digit * times) for times in (2, 3, 4) for digit in "789"])
"""Codes of which surveys have several, such as -888 where the answer was refused and -999 where it is missing."""

_SMALL = frozenset({(-1,), (-9,), (-2, -1), (-9, -8)})
FEWEST_OF_SCALE = 2
"""Codes beside numbers that are all positive, or 0; more than half are such beside a scale of more numbers."""

_INSIDE = (-1, -9, -99, -100)
OFTEN = 10
"""Marks beside higher and lower scores: numbers that repeat so many times, where hardly any number does."""

_ENDS = frozenset({0, 1, 100})
"""Where scales end: many a translation gets the best score, or the worst one."""


def _is_code(end: float, times: int, others: NDArray[np.float64]) -> bool:
    """Whether an extreme score seems to stand for a missing one: a usual code, or one far from all others.

    Small ones are such where they come several times and no other score is negative, as MQM's are. Where all others
    could be MQM's, -100 is no end of their scale.
    """
    low, high = float(others.min()), float(others.max())
    gap, width = max(low - end, end - high), high - low
    if _NINES.fullmatch(f"{end:.15g}"):
        return gap > (FAR if times < FEWEST_CODES else APART) * width
    if times < FEWEST_CODES:
        return False
    is_of_scale = abs(round(end, 6)) in _ENDS and (low >= 0 if end > 0 else high <= 0 or not end)
    is_of_scale = is_of_scale and (abs(end) < 100 or high >= PER_CENT or low < LOWEST_MQM)
    if _is_usual(end) and not is_of_scale:
        return 2 * gap >= (width if end < 0 <= low or high <= 0 < end else 2 * APART * width)
    may_be_per_cent = low >= LOWER and high <= UPPER and PER_CENT <= end <= 100
    if width and others.size >= FEWEST_OTHERS and not (is_of_scale or may_be_per_cent):
        is_apart = gap >= APART * width and _hardly_repeat(others)
        if is_apart or (high > 0 and gap >= FAR * width):
            return True
    if end in (-2, -8) and low >= 0 < high:
        return end == -8 or low > 0 or high >= HALF
    if high <= 0:  # negated, as MetricX's
        low, high, end = -high, -low, -end
    has_no_zero = low > 0 or high >= PER_CENT  # 0 is beside -1 on short scales
    return low >= 0 and high > 0 and (end == -9 or (end == -1 and has_no_zero))


def _is_usual(number: float) -> bool:
    """Whether a number is one that stands for missing answers."""
    return _CODES.fullmatch(f"{number:.15g}") is not None


def _hardly_repeat(scores: NDArray[np.float64]) -> bool:
    """Whether most of these scores, which are sorted, are others than those before them."""
    return scores.size > OFTEN and 2 * (1 + int(np.count_nonzero(scores[1:] != scores[:-1]))) > scores.size


HUNDRED = (40, 250)
"""Between these lies how many times larger the scores of some systems are that are on a scale of 100."""

SOME = 500_000
"""About so many scores are looked at together, as a copy of all takes much memory."""

TIMES, MOST_INSIDE = 20, 0.9
"""Scores lie far from others that are so many times as far from the median as the middle half is wide; they are in per
cent where a hundredth of so many of them lies among the others."""

FEWEST_OF_SYSTEM = 10
"""Minimum number of scores of a system whose scale is compared with those of the others."""


def ask_scale(data: EvalSet, scores: Mapping[str, Mapping[str, NDArray[np.float64]]], *, sign: int = 1) -> None:
    """Ask whether a score such as -999, far from all others, stands for a missing one, or some are in per cent.

    They are of human and metrics, have the systems and segments of a set, and perhaps this ``sign`` in it.
    """
    systems = data.systems
    for kind, name, matrix in ((kind, *one) for kind, every in scores.items() for one in every.items()):
        for odd, remedy in [*_far_scores(matrix)] or _failures(data, kind, name, matrix):
            found, others = matrix[odd], matrix[~odd & ~np.isnan(matrix)]
            codes = np.unique(found)
            ends = " to ".join(dict.fromkeys(f"{round(end, 4):.15g}" for end in codes[[0, -1]]))
            ends = ends.replace(" to ", " and ") if len(codes) == 2 else ends
            rows = np.flatnonzero(odd.any(axis=1)).tolist()
            of = f", of {some_of([systems[row] for row in rows])}" if len(rows) < SHOWN else ""
            told = f"{found.size:,} of {found.size + others.size:,} scores are {ends}{of}"
            own, add = f"data.{kind}[{name!r}]", "with_human" if kind == "human" else "with_scores"
            where = f"abs({own}) > 10, {own} / 10" if remedy == TENFOLD else ""
            if remedy == MARKED:
                each = ", ".join(f"{sign * code:.15g}" for code in codes)
                where = f"numpy.isin({own}, [{each}])" if len(codes) > 1 else f"{own} == {each}"
                where += ", numpy.nan"
                remedy += f" (if {ends} is a rating, ignore this)" * (kind == "human" and codes[0] in NOT_RATED)
            if where:
                remedy += f", or go on with data.{add}(numpy.where({where}, {own}), name={name + '-2'!r})"
            warn(f"{name}: {told}, the others {others.min():g} to {others.max():g}; {remedy}", RoleWarning)


MARKED = "write nan if it means missing"
TENFOLD = "divide them by 10 if they are on a scale of 100"
IN_PER_CENT = "divide them by 100 if they are in per cent, or write nan where they mean missing"


def ask_codes(path: str, columns: Mapping[str, NDArray[np.float64]], aggregate: str, *, is_table: bool = False) -> None:
    """Ask whether a score such as -1 in several rows, which would be part of means, stands for a missing one."""
    for name, scores in columns.items():
        known = np.sort(scores[~np.isnan(scores)])
        if (code := _find_code(known)) is None:
            continue
        others = _without(known, code)
        found = f"{known.size - others.size:,} of {known.size:,} scores are {code:.15g}"
        word = quote(name)
        remedy = f"{MARKED}, as the {aggregate} of several rows holds it"
        remedy += f": pass frame.replace({{{word}: {{{code:.15g}: float('nan')}}}})" * is_table
        warn(f"{path}: {word}: {found}, the others {others.min():g} to {others.max():g}; {remedy}", RoleWarning)


def _without(ordered: NDArray[np.float64], number: float) -> NDArray[np.float64]:
    """Sorted numbers without those that are this one; a view where it is the lowest or highest."""
    first, end = np.searchsorted(ordered, number, "left"), np.searchsorted(ordered, number, "right")
    if first == 0:
        return ordered[end:]
    return ordered[:first] if end == ordered.size else np.delete(ordered, slice(first, end))


def _find_code(known: NDArray[np.float64]) -> float | None:
    """Of sorted scores, the one that seems to stand for a missing one, mostly the lowest or highest.

    At most half are such, unless it is a usual code, or others are of a scale; beside one of these, others like it are
    no scores either.
    """
    for end in map(float, known[[0, -1]]) if known.size else ():
        others = _without(known, end)
        times, fewest = known.size - others.size, known.size / 2
        if _is_usual(end):
            is_like = (np.abs(others - end) < abs(end) / FAR) | np.isin(others * np.sign(end), _SAME_DIGITS)
            others, fewest = others[~is_like], min(FEWEST_OTHERS, fewest)
        elif end in (-1, -2, -9) and (*np.unique(known[known < 0]),) in _SMALL:
            others = others[others >= 0]
            fewest = min(FEWEST_OTHERS, fewest) if np.unique(others).size > FEWEST_OF_SCALE else fewest
        if others.size >= max(fewest, 1) and _is_code(end, times, others):
            return end
    for mark in _INSIDE:
        others = _without(known, mark)
        if known.size - others.size >= OFTEN and _hardly_repeat(others) and others.max() > 0:
            return float(mark)
    return None


def _far_scores(matrix: NDArray[np.float64]) -> Iterator[tuple[NDArray[np.bool_], str]]:
    """Where scores are that do not seem to be on the scale of the others, and what to do about them."""
    known = ~np.isnan(matrix)
    if not known.any():
        return
    codes, rest = list[float](), np.sort(matrix[known])
    while len(codes) < MOST_CODES and (code := _find_code(rest)) is not None:
        codes, rest = [*codes, code], _without(rest, code)
    if codes:
        yield np.isin(matrix, codes), IN_PER_CENT if codes == [100] and rest.max() <= UPPER else MARKED
        return
    del rest
    odd = matrix > UPPER
    rows, enough = odd.any(axis=1), known.any(axis=1).sum() >= FEWEST_SYSTEMS
    is_system = enough and rows.sum() == 1 and 2 * odd.sum() >= known[rows].sum()
    is_odd = rows.any() and (is_system or odd.sum() <= FEW * known.sum())
    if is_odd and np.nanmin(matrix) >= LOWER and np.median(matrix[odd]) >= PER_CENT:
        yield odd, IN_PER_CENT
        return
    if known.sum() < FEWEST_OF_SYSTEM:
        return
    if (strange := _on_another_scale(matrix)).size:
        what = (
            f"{strange.size} of {known.any(axis=1).sum()} systems seem to be on a scale of 100 where the others are on "
        )
        yield (
            known & np.isin(np.arange(len(matrix)), strange)[:, None],
            f"{what}one of 1, or the reverse; give all on one",
        )
    elif (part := _from_another_scale(matrix)).size:
        what = f"the {'first' if part[0] == 0 else 'last'} {part.size:,} segments"
        yield (
            known & np.isin(np.arange(matrix.shape[1]), part),
            f"{what} seem to be on a scale of 100 where the others are on one of 1, or the reverse; give all on one",
        )
    elif (odd := _times_hundred(matrix)).any():
        yield odd, IN_PER_CENT


def _failures(
    data: EvalSet, kind: str, name: str, matrix: NDArray[np.float64]
) -> Iterator[tuple[NDArray[np.bool_], str]]:
    """Where scores seem to be those of failures, by what other scores there are."""
    if np.count_nonzero(~np.isnan(matrix)) < FEWEST_OF_SYSTEM:
        return
    systems, judges = data.systems, [one for key, one in data.metrics.items() if key != name]
    unrated = [find_unrated(matrix, judges)] if kind == "human" else []
    judges += () if kind == "human" else data.human.values()
    for odd in (*unrated, find_zeros(matrix, () if unrated else judges), find_stopped(systems, matrix)):
        if odd.any():
            yield odd, MARKED
            return
    if (odd := find_tenfold(matrix, judges)).any():
        yield odd, TENFOLD
        return
    if apart := find_apart(systems, matrix):
        odd = np.isin(systems, apart)[:, None] & ~np.isnan(matrix)
        yield (
            odd,
            f"those of {some_of(apart)} hardly overlap with them; give all of one metric, with one sign and scale",
        )


def _times_hundred(matrix: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Where scores lie far from others of about -3 to 2, but a hundredth of them lies among these; mostly nowhere."""
    values = matrix[~np.isnan(matrix)]
    middle = np.median(values, overwrite_input=True)
    np.abs(np.subtract(values, middle, out=values), out=values)
    spread = 2 * np.median(values, overwrite_input=True)  # half of all lie in it
    if not spread or (values > TIMES * spread).sum() < FEWEST_OF_SYSTEM:
        return np.zeros(matrix.shape, np.bool_)
    distances = np.abs(matrix - middle)
    far: NDArray[np.bool_] = distances > TIMES * spread
    low, high = np.quantile(matrix[distances <= TIMES * spread], (0.05, 0.95))
    hundredths = matrix[far] / 100
    is_inside = (hundredths >= 2 * low - high) & (hundredths <= 2 * high - low)
    is_found = low >= LOWER and high <= UPPER and is_inside.mean() >= MOST_INSIDE
    return far if is_found else np.zeros_like(far)


def _from_another_scale(matrix: NDArray[np.float64]) -> NDArray[np.int64]:
    """The first or the last segments, the fewer ones, where scores differ from the others' by a factor of about 100.

    A script that went on with scores in per cent leaves such ones. They begin where the logarithm of the mean score of
    all systems changes most.
    """
    sizes, number = np.empty(matrix.shape[1]), 1 + SOME // len(matrix)
    for start in range(0, len(sizes), number):
        some = matrix[:, start : start + number]
        known = ~np.isnan(some)
        total = np.abs(some).sum(axis=0, where=known)
        sizes[start : start + number] = total / np.maximum(known.sum(axis=0), 1)
    there, none = sizes > 0, np.arange(0)
    np.log(sizes, out=sizes, where=there)
    np.subtract(sizes, sizes.mean(where=there) if there.any() else 0, out=sizes, where=there)
    np.abs(np.cumsum(sizes, out=sizes), out=sizes)
    cut = 1 + int(np.argmax(sizes[:-1])) if len(sizes) > 1 else 0
    before, after = np.count_nonzero(there[:cut]), np.count_nonzero(there[cut:])
    if min(before, after) < FEWEST_OF_SYSTEM or sizes[cut - 1] * (1 / before + 1 / after) < np.log(HUNDRED[0]):
        return none  # the difference of the mean before and the mean after
    del sizes
    parts = (np.abs(one[~np.isnan(one)]) for one in (matrix[:, :cut], matrix[:, cut:]))
    small, large = sorted(parts, key=lambda one: float(np.median(one)))
    (middle, high), (low, upper) = np.quantile(small, (0.5, 0.9)), np.quantile(large, (0.25, 0.5))
    if not middle or not HUNDRED[0] <= upper / middle <= HUNDRED[1] or high >= low:
        return none
    every = np.arange(matrix.shape[1])
    return every[:cut] if 2 * cut <= len(every) else every[cut:]


def _on_another_scale(matrix: NDArray[np.float64]) -> NDArray[np.int64]:
    """The fewer systems of two groups whose scores hardly overlap and differ by a factor of about 100; mostly none."""
    numbers = (~np.isnan(matrix)).sum(axis=1)
    rows = np.flatnonzero(numbers >= FEWEST_OF_SYSTEM)
    if len(rows) < 2:
        return rows[:0]
    found = list[NDArray[np.float64]]()
    for some in np.array_split(rows, 1 + matrix.size // SOME):
        ranked = matrix[some]
        np.abs(ranked, out=ranked).sort(axis=1)
        inside = numbers[some, None] * np.array([0.25, 0.5, 0.9])
        found.append(np.take_along_axis(ranked, inside.astype(int), axis=1))
    low, middle, high = np.concatenate(found).T
    order = np.argsort(middle)
    if middle[order[0]] == 0:
        return rows[:0]
    place = 1 + int(np.argmax(middle[order[1:]] / middle[order[:-1]]))
    small, large = order[:place], order[place:]
    times = np.median(middle[large]) / np.median(middle[small])
    if not HUNDRED[0] <= times <= HUNDRED[1] or high[small].max() >= low[large].min():
        return rows[:0]
    return rows[small if len(small) <= len(large) else large]
