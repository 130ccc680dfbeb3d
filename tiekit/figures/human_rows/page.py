"""How does the figure of human scores among metrics become a page of its own?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tiekit.figures.figures import FIGURES

FIGURE = FIGURES["human_rows"]
KEYS = ("judge", "measure", "row")
"""What moves; the address of a page holds it."""

TITLE = "Which rank has a human score among metrics?"


def as_page(data: Mapping[str, Any], origin: str) -> Callable[[], str]:
    """Return what writes a page of what `human_rows.data.given` returned; ``origin`` says of which scores."""
    return partial(FIGURE.as_page, data, KEYS, TITLE, origin)
