"""Does a table that is read as a set hold the means of its systems, or of its segments, as rows of their own?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from tiekit.base.errors import LONGEST, LeftOutWarning, RoleWarning, quote, warn
from tiekit.base.names import are_nameless, known_names, plain_name
from tiekit.base.validation import FloatArray
from tiekit.sets.evalset import EvalSet

_SURE = re.compile(
    r"(avg|average|mean|sum|total|all|overall|corpus|std|median|mittelwert|durchschnitt)s?(_(score|value|rating)s?)?"
    r"|(macro|micro|grand|total|sub)_?(avg|average|mean|total)"
)
"""How rows of means are named, whatever their scores are, in lower case with _ for other signs."""

_LIKELY = re.compile(
    rf"{_SURE.pattern}|(\D*_)?(avg|average|mean|macro|micro|overall|total|aggregate|sum|std|sd|median|min|max)(_\D*)?"
    r"|summary|system|sys|document|doc|aggregated?|global|final|gesamt|promedio|media|moyenne|n|count"
)
"""How they may be named where their scores are means, sums or deviations of the others."""

_SIGNS = frozenset({"-1", "-1.0", "Ø", "ø", "∅", "Σ", "μ", "*"})

FEWEST_OTHERS = 2
"""Minimum number of other segments, or systems, of which a row may be the mean."""

MOST_DECIMALS = 12


def without_mean_rows(data: EvalSet, path: str, system: str | None, segment: Sequence[str]) -> EvalSet:
    """The set without segments and systems that are means, sums or deviations of the others, with a LeftOutWarning.

    They are named like such, and the scores of a column say the same in all rows. What is named so without being such
    stays, with a RoleWarning. ``system`` and ``segment`` are the columns of the names.
    """
    named = tuple(
        np.zeros(len(names), np.bool_) if are_nameless(names) else np.fromiter(map(is_named_mean, names), np.bool_)
        for names in (data.systems, data.segments)
    )
    if not any(one.any() for one in named):
        return data
    matrices = {**data.human, **data.metrics}
    kept, told, asked = [np.ones(len(one), np.bool_) for one in named], list[str](), list[str]()
    for axis, (what, names) in enumerate((("segment", data.segments), ("system", data.systems))):
        own, other = named[1 - axis], named[axis]
        for place in np.flatnonzero(own).tolist() if (~own).sum() >= FEWEST_OTHERS else ():
            turned = {name: matrix.T if axis else matrix for name, matrix in matrices.items()}
            parts = {name: (one[~other][:, place], one[~other][:, ~own]) for name, one in turned.items()}
            fits = [name for name, part in parts.items() if _is_joined(names[place], *part)]
            if fits:
                kept[1 - axis][place] = False
                others = "other segments of each system" if what == "segment" else "other systems on each segment"
                told.append(
                    f"left out the {what} {quote(names[place])}, whose scores ({known_names(fits, most=3)}) are the "
                    f"means, sums or deviations of the {others}"
                )
            elif _SURE.fullmatch(plain_name(names[place])) and any(~np.isnan(one).all() for one, _ in parts.values()):
                column = [*segment] if what == "segment" else [*filter(None, [system])]
                asked.append(
                    f"{what} {quote(names[place])} is named like a mean of the others{_step(column, names[place])}"
                )
    if asked:
        warn(f"{path}: {'; '.join(asked)}", RoleWarning)
    if not told:
        return data
    warn(f"{path}: {'; '.join(told)}; rename what is no mean", LeftOutWarning)
    without = [name for name, stays in zip(data.systems, kept[0], strict=True) if not stays]
    found = data.select(exclude=without, segments=kept[1])
    return replace(found, notes=(*found.notes, *(one[:1].upper() + one[1:] + "." for one in told)))


def _step(columns: Sequence[str], label: str) -> str:
    """How to leave the rows of a label out."""
    if len(columns) != 1 or max(len(columns[0]), len(label)) > LONGEST:
        return "; leave its rows out if it is one"
    return f"; if it is one, pass frame[frame[{columns[0]!r}].astype(str) != {label!r}]"


def is_named_mean(name: str) -> bool:
    """Whether a segment or system is named like a mean, sum or deviation of others."""
    return not name.isdecimal() and (name.strip() in _SIGNS or bool(_LIKELY.fullmatch(plain_name(name))))


def _is_joined(label: str, values: FloatArray, others: FloatArray) -> bool:
    """Whether each value, to the decimals of all, is the mean, sum or deviation of the others in its row.

    Medians, ends and numbers are so often the score of an honest row that the label must name them.
    """
    enough = ~np.isnan(values) & ((~np.isnan(others)).sum(axis=1) >= FEWEST_OTHERS)
    if not enough.any():
        return False
    values, others = values[enough], others[enough]
    if (np.nanmin(others, axis=1) == np.nanmax(others, axis=1)).all() and not _SURE.fullmatch(plain_name(label)):
        return False
    known = ~np.isnan(others)
    with np.errstate(over="ignore", invalid="ignore"):  # of scores beyond 1e154
        count, total = known.sum(axis=1), np.where(known, others, 0).sum(axis=1)
        mean = total / count
        squares = np.where(known, (others - mean[:, None]) ** 2, 0).sum(axis=1)
    found = [mean, total, np.sqrt(squares / count), np.sqrt(squares / (count - 1))]
    words = plain_name(label)
    if "median" in words:
        found.append(np.nanmedian(others, axis=1))
    if "min" in words or "max" in words:
        found += [np.nanmin(others, axis=1), np.nanmax(others, axis=1)]
    if words in ("n", "count"):
        found.append(count.astype(np.float64))
    decimals, of_others = _decimals(values), _decimals(others[known])
    near = 0.5 * 10.0**-decimals if decimals else 0.0
    near = max(near, 0.5 * 10.0**-of_others if of_others > 1 else 0.0)
    with np.errstate(over="ignore", invalid="ignore"):
        return any(
            bool((abs(values - one) <= near * 1.001 + 1e-9 * (1 + abs(one))).all())
            for one in found
            if np.isfinite(one).all()
        )


def _decimals(values: Iterable[float] | FloatArray) -> int:
    """The most decimals of any of the first values."""
    texts = (f"{value:.{MOST_DECIMALS}f}".rstrip("0") for value in np.asarray(values).reshape(-1)[:200].tolist())
    return max(len(text.partition(".")[2]) for text in texts)
