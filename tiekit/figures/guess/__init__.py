"""What is the figure of a drawn guess given? A scale, and what of it is known: a guess, many guesses, the truth."""

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
    """Return what the browser is given.

    Parameters
    ----------
    ends : tuple of two floats
        The lowest and the highest number of the scale; both have at most so many digits.
    digits : int
        The decimals of a guess.
    unit : str
        What is counted, in the singular; may be empty.
    label : str
        The question, as plain text, for screen readers.
    guess : float or None
        The guess that is drawn; None is none yet.
    truth : float or None
        The true number; None keeps it hidden and lets the reader draw.
    guesses : sequence of float or None
        The guesses of a class, which are shown as dots; None is a single reader, who draws a bar.
    said : str
        What the picture says, as plain text.
    """
    low, high = ends
    drawn = {"guess": guess, "truth": truth, "guesses": None if guesses is None else list(guesses)}
    return {"low": low, "high": high, "digits": digits, "unit": unit, "label": label, "said": said, **drawn}
