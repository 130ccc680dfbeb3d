"""Which random-number generator does a function use that takes a generator or a seed?"""

from __future__ import annotations

from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from tiekit.base.errors import InputError


def as_generator(rng: np.random.Generator | int | None) -> np.random.Generator:
    """Return the given generator, or a new one with the given seed; None is seed 0. Refuse anything else."""
    if rng is None:
        return np.random.default_rng(0)
    if isinstance(rng, (np.random.Generator, Integral)) and not isinstance(rng, bool):
        try:
            return np.random.default_rng(rng)
        except ValueError:
            pass
    raise InputError(f"rng: must be a numpy Generator or a seed of at least 0, found {rng!r}")


def bits(rng: np.random.Generator, shape: tuple[int, int]) -> NDArray[np.int64]:
    """Draw 0 or 1 with probability 1/2 each."""
    size = shape[0] * shape[1]
    drawn = np.unpackbits(np.frombuffer(rng.bytes(-(-size // 8)), np.uint8), count=size)
    return np.asarray(drawn.reshape(shape), np.int64)


def seed_of(rng: np.random.Generator | int | None) -> int:
    """Return the given seed, or one that the given generator draws. Every part of the work derives its own from it."""
    if rng is None:
        return 0
    generator = as_generator(rng)
    return int(rng) if isinstance(rng, Integral) else int(generator.integers(2**63))
