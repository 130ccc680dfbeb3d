"""How do all metrics' curves become a page of their own?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tiekit.figures.figures import FIGURES

FIGURE = FIGURES["tie_curves"]
KEYS = ("chosen", "tied")
"""What moves; the address of a page holds it."""

TITLE = "How close must two metric scores be to count as tied?"


def as_page(data: Mapping[str, Any], origin: str) -> Callable[[], str]:
    """Return what writes a page of what `tie_curves.data.given` returned; ``origin`` says of which scores."""
    return partial(FIGURE.as_page, data, KEYS, TITLE, origin)
