"""Which scores nearly tie? Whoever passes them is told once, with the call that rounds them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from tiekit.base.errors import NearTieWarning, warn
from tiekit.base.results import digest_of
from tiekit.base.validation import MOST_DECIMALS, NEAR_TIE, FloatArray


class Source(NamedTuple):
    """Scores as the caller knows them: by a name in a set, or by the name of an argument; with all of their values."""

    name: str
    values: FloatArray
    of_set: bool = False


def sources_of_arrays(human: FloatArray, metric: FloatArray) -> tuple[Source, Source]:
    """Where scores come from that are arguments of a function."""
    return Source("human", human), Source("metric", metric)


def note_of(name: str, number: int) -> str:
    """Say of scores that some are nearly equal."""
    return (
        f"{name}: {number} distinct scores differ from another by less than {NEAR_TIE:g} of the range and are not "
        "counted as ties"
    )


def warn_near_ties(numbers: Mapping[str, int], human: Source, metric: Source) -> None:
    """Warn of distinct scores that are nearly equal, once for the same scores of the same name.

    ``numbers`` are those of `tiekit.core.pairs.SortedScores`.
    """
    for side, source in (("human", human), ("metric", metric)):
        if numbers[side]:
            decimals = decimals_for(source.values)
            call = f"data.adjusted(decimals={{{source.name!r}: {decimals}}})"
            call = call if source.of_set else f"np.round({source.name}, {decimals})"
            text = f"{note_of(source.name, numbers[side])}; round them if they should be ties: {call}"
            warn(text, NearTieWarning, once=f"{source.name} {digest_of(source.values)}")


def decimals_for(values: FloatArray) -> int:
    """The most decimals of which nearly equal scores, such as 1.2 and 1.2000000000000002, have the same."""
    half = np.nanmax(values) / 2 - np.nanmin(values) / 2  # the range itself may overflow
    return int(np.clip(11 - np.floor(np.log10(half) + np.log10(2)), -MOST_DECIMALS, MOST_DECIMALS))
