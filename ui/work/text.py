"""How are words, numbers and the cells of a frame written on a page?"""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import pandas as pd


def plain(text: str) -> str:
    """Return text of a user or a file, safe inside Markdown: every special character is escaped.

    What would show the text after it backwards is shown as a replacement character.
    """
    text = re.sub("[\u202a-\u202e\u2066-\u2069]", "\N{REPLACEMENT CHARACTER}", text)
    apart = re.sub(
        r":(?=[\w/])|@", "\\g<0>\u200c", text
    )  # a zero-width character breaks up links and Streamlit's :name:
    return re.sub(r"([\\`*_{}\[\]()#+\-.!|<>~$&])", r"\\\1", apart.replace("www.", "www\u200c."))


def as_label(name: str) -> str:
    """Return a name as the label of an option, which is Markdown: as it is, unless that would change it."""
    is_text = re.fullmatch(r"[\w .,/+=%()\u2212\u2013\u22c6-]*", name) and not re.search(
        r"(?i)\b_|_\b|^\W|^\d+\.|www\.", name
    )
    return name if is_text else plain(name)


def breakable(name: str) -> str:
    """Return a long name as `plain` does, with places where a narrow table may begin a new line."""
    return re.sub(r"(\\[_\-.])", "\\1\u200b", plain(name))


def exact(value: float) -> str:
    """Return a float in full precision, a whole number without a decimal point, NaN as "nan"."""
    if not math.isfinite(value):
        return str(float(value))
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(float(value))


def vector(values: list[float]) -> str:
    """Return scores as a line of text that `tiekit.parse_vector` reads back."""
    return " ".join(exact(value) for value in values)


def count_noun(number: int, noun: str) -> str:
    """Return a number with its noun, such as "1 score" and "2 scores"."""
    return f"{number} {noun}{'s' * (number != 1)}"


def join_words(words: Sequence[str]) -> str:
    """Return words with commas and an "and" before the last."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def warn_of_ties(label: str) -> str:
    """Return the paper's warning about a coefficient that does not handle ties."""
    return (
        f"{plain(label)} does not handle ties properly, so calibration may exploit its flaws, such as the NaN problem; "
        "the paper recommends against it (Section 5.1)."
    )


def bare(markdown: str) -> str:
    """Return the text of a table's cell without Markdown: without the escapes of `plain` and without bold."""
    text = re.sub(r"(?<!\\)\*\*", "", markdown).replace("\u200c", "").replace("\u200b", "")
    return re.sub(r"\\([\\`*_{}\[\]()#+\-.!|<>~$&])", r"\1", text)


def with_index(text: str, *, is_html: bool = False) -> str:
    """Return text with true subscripts in the names of coefficients, as Markdown or as HTML."""

    def symbol(found: re.Match[str]) -> str:
        letter, below = found.groups()
        if is_html:
            return f"{letter}<sub>{below}</sub>"
        return f"{letter}:small[{below}]"

    return re.sub(r"(τ|acc)\\?_(eq|[abc]|\d+)", symbol, text)


def format_number(value: float, form: str = ".3f", *, missing: str = "undefined") -> str:
    """Return a number in a format such as ".4f", with a true minus sign, or ``missing`` where it is NaN."""
    if value != value:
        return missing
    digits = f"{value:{form}}"
    return f"−{digits[1:]}" if digits[0] == "-" else digits


def percent(share: float, digits: int = 0) -> str:
    """Return a share as a percentage with a space before the sign, as everywhere on the pages."""
    return f"{format_number(100 * share, f'.{digits}f')} %"


def format_epsilon(value: float) -> str:
    """Return a threshold, or another number on the scale of the scores, in up to five digits."""
    return format_number(value, ".5g")


def format_ranked(value: float, rank: float) -> str:
    """Return a value with its rank in brackets, as in "0.512 (3)"; a missing value has none."""
    return format_number(value) if value != value else f"{format_number(value)} ({rank:.0f})"


def p_alone(p: float) -> str:
    """Return a p-value as it is written in a table: never "0.000"."""
    return "undefined" if p != p else f"{p:.3f}" if p >= 0.0005 else "< .001"


def format_p(p: float) -> str:
    """Return a p-value as it is written in a sentence."""
    return f"p {'is ' if p != p else '= ' * (p >= 0.0005)}{p_alone(p)}"


def cell(frame: pd.DataFrame, row: Hashable, column: Hashable) -> Any:
    """Return the value at a row and a column."""
    return frame.loc[row, column]  # type: ignore[index]  # labels may be of any type that has a hash


def rows_of(frame: pd.DataFrame) -> Iterator[Any]:
    """Return the rows; their cells are attributes named after the columns."""
    return iter(frame.itertuples())
