"""How can a number be reproduced? The one-line signature of a result."""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray

__version__ = "0.1.0"
"""Of tiekit; each signature ends with it."""


def signature(**facts: object) -> str:
    """Join facts into one line, the version last; an ``average`` over groups, as usual, is not said.

    Examples
    --------
    >>> signature(coefficient="tau_b", grouping="item")
    'coefficient:tau_b|grouping:item|seed:none|version:0.1.0'
    """
    if facts.get("average") == "groups":
        del facts["average"]
    facts = {**facts, "seed": facts.get("seed", "none"), "version": __version__}
    return "|".join(f"{name}:{value}" for name, value in facts.items())


def digest_of(*arrays: NDArray[np.float64]) -> str:
    """Return the first twelve hexadecimal digits of SHA-256 over the shapes and values of arrays."""
    sha = hashlib.sha256()
    for array in arrays:
        sha.update(repr(array.shape).encode())
        sha.update(np.ascontiguousarray(array).tobytes())
    return sha.hexdigest()[:12]
