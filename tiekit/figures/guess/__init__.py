"""What does the figure of a drawn guess show? A scale, and what of it is known: a guess, many guesses, the truth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def figure_data(
    ends: tuple[float, float],
    digits: int,
    unit: str,
    label: str,
    guess: float | None = None,
    truth: float | None = None,
    *,
    guesses: Sequence[float] | None = None,
    said: str = "",
) -> dict[str, Any]:
    """Return what the figure shows: a scale, which has ``digits`` decimals, and what is known.

    ``unit`` is what is counted, in the singular; ``label`` the question for screen readers; ``guess`` the one that is
    drawn, None for none yet. While the ``truth`` is None, a single reader draws a bar; ``guesses`` of a class are dots.
    ``said`` is what the picture says, as plain text.
    """
    low, high = ends
    drawn = {"guess": guess, "truth": truth, "guesses": None if guesses is None else list(guesses)}
    return {"low": low, "high": high, "digits": digits, "unit": unit, "label": label, "said": said, **drawn}
