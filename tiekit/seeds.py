"""What does a function draw with that takes a seed or a generator?"""

from __future__ import annotations

from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from tiekit.errors import InputError


def as_generator(rng: np.random.Generator | int | None) -> np.random.Generator:
    """A generator is used on, a seed begins a new one, None is seed 0; anything else is an InputError."""
    if rng is None:
        return np.random.default_rng(0)
    if isinstance(rng, (np.random.Generator, Integral)) and not isinstance(rng, bool):
        try:
            return np.random.default_rng(rng)
        except ValueError:
            pass
    raise InputError(f"rng: must be a numpy Generator or a seed of at least 0, found {rng!r}")


def bits(rng: np.random.Generator, shape: tuple[int, int]) -> NDArray[np.int64]:
    """Fair coins."""
    size = shape[0] * shape[1]
    drawn = np.unpackbits(np.frombuffer(rng.bytes(-(-size // 8)), np.uint8), count=size)
    return np.asarray(drawn.reshape(shape), np.int64)


def check_number(n_resamples: int) -> int:
    """Check how many resamples are asked for."""
    if not isinstance(n_resamples, Integral) or isinstance(n_resamples, bool) or n_resamples < 1:
        raise InputError(f"n_resamples: must be a whole number of at least 1, found {n_resamples!r}")
    return int(n_resamples)


def seed_of(rng: np.random.Generator | int | None) -> int:
    """The seed itself, or one that a generator draws: every part of the work makes its own from it."""
    if rng is None:
        return 0
    generator = as_generator(rng)
    return int(rng) if isinstance(rng, Integral) else int(generator.integers(2**63))
