"""What does a function draw with that takes a seed or a generator?"""

from __future__ import annotations

from numbers import Integral

import numpy as np

from tiekit.errors import InputError


def as_generator(rng: np.random.Generator | int) -> np.random.Generator:
    """A generator is used on, a seed begins a new one; anything else is an InputError."""
    if isinstance(rng, (np.random.Generator, Integral)) and not isinstance(rng, bool):
        try:
            return np.random.default_rng(rng)
        except ValueError:
            pass
    raise InputError(f"rng: must be a numpy Generator or a seed of at least 0, found {rng!r}")
