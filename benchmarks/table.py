"""How is it told? Rows in words, and the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass

HEADINGS = ("case", "tiekit", "peer", "tiekit is", "target")


@dataclass(frozen=True)
class Row:
    """One line of the table, in words."""

    case: str
    tiekit: str
    peer: str = ""
    ratio: str = ""
    target: str = ""


def clock(seconds: float, digits: int = 3) -> str:
    """A time."""
    units = {"h": 3600.0, "min": 60.0, "s": 1.0, "ms": 1e-3}
    unit = next((unit for unit, length in units.items() if seconds >= length), "ms")
    return f"{_digits(seconds / units[unit], digits)} {unit}"


def space(size: float, digits: int = 3) -> str:
    """Memory, from bytes."""
    return f"{_digits(size / 1e9, digits)} GB" if size >= 1e9 else f"{_digits(size / 1e6, digits)} MB"


def _digits(value: float, digits: int) -> str:
    """So many digits that count, never as 1e+03."""
    return f"{float(f'{value:.{digits}g}'):g}"


def ratio_of(ours: float, theirs: float) -> str:
    """How many times faster or slower than the peer."""
    return f"{theirs / ours:.3g}× faster" if ours <= theirs else f"{ours / theirs:.3g}× slower"


def goal(text: str, met: bool) -> str:
    """A target and whether it is met."""
    return f"{text}: {'met' if met else 'NOT MET'}"


def table(found: Sequence[Row], markdown: bool = False) -> str:
    """The rows as aligned text or as Markdown."""
    lines = [HEADINGS, *map(astuple, found)]
    if markdown:
        lines.insert(1, ("---",) * len(HEADINGS))
        return "\n".join(f"| {' | '.join(line)} |" for line in lines)
    short = [line for line in lines if any(line[2:])]  # a remark without a peer may run on
    widths = [max(len(line[i]) for line in (lines if i == 0 else short)) for i in range(len(HEADINGS))]
    lines.insert(1, tuple("-" * width for width in widths))
    return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)


def verdict(found: Sequence[Row]) -> str:
    """How many targets are met."""
    met = sum(row.target.count(": met") for row in found)
    missed = sum(row.target.count(": NOT MET") for row in found)
    return f"Targets met: {met} of {met + missed}."
