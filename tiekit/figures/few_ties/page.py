"""How does the figure of few ties become a page of its own?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tiekit.figures.figures import FIGURES

FIGURE = FIGURES["few_ties"]
KEYS = ("chosen", "share")
"""What moves; the address of a page holds it."""

TITLE = "Which rank has a metric where people seldom tie?"


def as_page(data: Mapping[str, Any], origin: str) -> Callable[[], str]:
    """Return what writes a page of what `few_ties.data.given` returned; ``origin`` says of which scores."""
    return partial(FIGURE.as_page, data, KEYS, TITLE, origin)
