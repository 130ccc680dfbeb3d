"""How is a table written in LaTeX? Rules of booktabs, numbers, and names that cannot break it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

_ESCAPES = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "|": r"\textbar{}"}
_ESCAPES |= {"<": r"\textless{}", ">": r"\textgreater{}", "−": "$-$", "…": r"\dots{}"}
_ESCAPES |= {"ε": r"$\epsilon$", "τ": r"$\tau$", "ρ": r"$\rho$", "κ": r"$\kappa$"}
_SPECIAL = re.compile(rf"[{re.escape(''.join(_ESCAPES))}&%$#_{{}}]")


def escape(text: object) -> str:
    """Write a name so that LaTeX prints it as it is, on one line, and also at the beginning of a row.

    Examples
    --------
    >>> print(escape("a_b & 50%"), escape("*[noref]"))
    a\\_b \\& 50\\% {}*[noref]
    """
    words = " ".join("".join(letter if letter.isprintable() else " " for letter in str(text)).split())
    safe = _SPECIAL.sub(lambda found: _ESCAPES.get(found[0], "\\" + found[0]), words)
    return "{}" + safe if safe.startswith(("*", "[")) else safe  # after \\ they would be its arguments


def number(value: object, form: str = ".3f") -> str:
    """Write a number with a minus sign of its own; missing ones are dashes.

    Examples
    --------
    >>> number(-0.5), number(float("nan")), number(3), number(float("inf"))
    ('$-$0.500', '--', '3', '$\\\\infty$')
    """
    if pd.isna(value):  # type: ignore[call-overload]  # a single number
        return "--"
    if isinstance(value, int | np.integer):
        return str(value).replace("-", "$-$")
    assert isinstance(value, float | np.floating)
    return f"{value:{form}}".replace("-", "$-$").replace("inf", r"$\infty$")


def tabular(
    heads: Sequence[Sequence[str]], rows: Iterable[Sequence[str]], comments: Iterable[str] = (), columns: str = ""
) -> str:
    """Put cells, which are LaTeX already, into a table of booktabs.

    ``columns`` are the letters of the columns, needed where there are no ``heads``; by default the first column is
    aligned to the left and the others to the right.
    """
    return "\n".join(
        [
            *(f"% {' '.join(comment.split())}" for comment in comments),
            rf"\begin{{tabular}}{{{columns or 'l' + 'r' * (len(heads[-1]) - 1)}}}",
            r"\toprule",
            *(" & ".join(row) + r" \\" for row in heads),
            *([r"\midrule"] if heads else []),
            *(" & ".join(row) + r" \\" for row in rows),
            r"\bottomrule",
            r"\end{tabular}",
            "",
        ]
    )
