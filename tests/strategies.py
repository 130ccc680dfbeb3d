"""Random scores for property tests: many ties, all sizes of numbers, gaps; and how many of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

FAMILIES: dict[str, st.SearchStrategy[float]] = {
    "few": st.sampled_from([-1.0, 0.0, 0.5, 2.0]),
    "tenths": st.integers(0, 12).map(lambda i: i / 10),
    "integers": st.integers(-25, 0).map(float),
    "continuous": st.floats(-1, 1, allow_subnormal=False),
    "huge": st.sampled_from([-1.7e308, -1e300, 0.0, 1e300, 1.7e308]),
    "tiny": st.sampled_from([0.0, -0.0, 5e-324, 1e-310, 2e-308, 1e-300]),
}


FULL = 40
"""A profile with so many examples tries as many as a test says that it wants; an ordinary run a quarter of them."""

DEEPER = 25
"""So many times more examples a campaign tries of a test that says how many it wants: those are the slow ones."""


def examples(number: int) -> settings:
    """So many examples, a quarter of them in an ordinary run, `DEEPER` times as many in a campaign.

    A bare `@settings(max_examples=…)` would hold in every profile, and no campaign would go deeper.
    """
    here = settings().max_examples
    return settings(max_examples=number * DEEPER if here > FULL else max(1, number * here // FULL))


@st.composite
def vectors(draw: st.DrawFn, max_size: int = 14, families: tuple[str, ...] = tuple(FAMILIES)) -> Any:
    """A human and a metric vector of one length, with missing scores."""
    size = draw(st.integers(0, max_size))
    return tuple(_scores(draw, size, families) for _ in range(2))


@st.composite
def matrices(draw: st.DrawFn, families: tuple[str, ...] = ("few", "tenths", "integers", "continuous")) -> Any:
    """A human and a metric matrix, systems × segments, with missing scores."""
    rows, columns = draw(st.integers(1, 5)), draw(st.integers(1, 6))
    return tuple(np.reshape(_scores(draw, rows * columns, families), (rows, columns)) for _ in range(2))


def _scores(draw: st.DrawFn, size: int, families: tuple[str, ...]) -> list[float]:
    score = FAMILIES[draw(st.sampled_from(families))]
    if draw(st.booleans()):
        score = st.one_of(score, score, score, st.just(float("nan")))
    return draw(st.lists(score, min_size=size, max_size=size))
