"""Which of a set's many domains does a page go over? The largest, and it says so.

A file may name a domain for each segment. What is shown or computed of every one takes time and memory that grow with
the square of their number, or with it times the segments, and nobody reads a table of thousands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

import tiekit as tk
from tiekit.core import IntArray
from ui.evalset.selection import once_per_set

MOST = 30
"""Maximum number of domains, or language pairs, that a page offers, shows, or judges by each other."""


def largest(sizes: Mapping[str, int]) -> list[str]:
    """Return the names of the largest parts, in their order."""
    if len(sizes) <= MOST:
        return [*sizes]
    kept = {name for name, _ in Counter(sizes).most_common(MOST)}
    return [name for name in sizes if name in kept]


def say_largest(number: int, noun: str, what: str) -> str:
    """Return a sentence where there are more, as "Only the 30 largest of 99 domains are shown."; else nothing."""
    return f"Only the {MOST} largest of {number:,} {noun} are {what}." if number > MOST else ""


def domains_of(data: tk.EvalSet) -> tuple[list[str], int]:
    """Return the largest domains of a set, by segments, and the number of all."""

    def find() -> tuple[list[str], int]:
        sizes = Counter(data.domains)
        return largest(sizes), len(sizes)

    return once_per_set(data, "largest domains", find)


def segments_of(names: Sequence[str], labels: Sequence[str]) -> Iterator[IntArray]:
    """Yield the places of the segments of each of these names, whose labels are given; one array at a time."""
    number = {name: at for at, name in enumerate(names)}
    places = np.fromiter((number.get(label, -1) for label in labels), np.int64, len(labels))
    for at in range(len(names)):
        yield np.flatnonzero(places == at)
