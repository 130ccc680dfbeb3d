"""On which scale is an answer drawn? Its ends and steps, how a number is written, and how far off a guess is."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import Any

from ui.work.text import format_number

ROUNDING = 1e-9


@dataclass(frozen=True)
class Scale:
    """A scale of numbers, whose ends have at most as many decimals as a guess, ``digits``.

    The ``unit`` is what is counted, in the singular; a guess is right at most the share ``near`` of the scale away.
    """

    low: float
    high: float
    digits: int = 0
    unit: str = ""
    near: float = 0.1

    def text(self, value: Any) -> str | None:
        """Return a number as it is kept; None for what is no number on the scale."""
        if isinstance(value, bool) or not isinstance(value, int | float) or not self.low <= value <= self.high:
            return None
        return f"{round(value, self.digits) + 0.0:.{self.digits}f}"

    def value(self, text: str | None) -> float | None:
        """Return the number that is kept as a text; None for every other text."""
        try:
            found = float(text or "")
        except ValueError:
            return None
        return found if self.text(found) == text else None

    def words(self, value: float) -> str:
        """Return a number with what is counted, as in "1 pair"."""
        unit = self.unit and f" {self.unit}{'s' * (abs(value) != 1)}"
        return f"{format_number(value, f',.{self.digits}f')}{unit}"

    @property
    def _tolerance(self) -> float:
        """The largest distance of a guess that is right."""
        return self.near * (self.high - self.low)

    def is_near(self, guess: float, truth: float) -> bool:
        """Return whether a guess counts as right."""
        return abs(guess - truth) <= self._tolerance + ROUNDING

    def distance(self, guess: float, truth: float) -> str:
        """Return in words how far a guess is off, as in "12 pairs too low"."""
        off = round(guess - truth, self.digits)
        return f"{self.words(abs(off))} too {'high' if off > 0 else 'low'}" if off else "exactly right"

    def hint(self) -> str:
        """Say how to draw a guess, and which one is right."""
        within = self.words(int(self._tolerance * 10**self.digits + ROUNDING) / 10**self.digits)
        return f"Drag the bar, or use the arrow keys (with Shift in larger steps). A guess within {within} is right."

    def summary(self, guesses: list[float], truth: float | None) -> str:
        """Say in one sentence what a class has guessed, and how far off that is."""
        if not guesses:
            return "No guesses yet." if truth is None else f"It is {self.words(truth)}."
        middle = round(median(guesses), self.digits)
        said = f"Median guess {self.words(middle)}"
        if truth is None:
            return f"{said}; guesses from {self.words(min(guesses))} to {self.words(max(guesses))}."
        near = sum(self.is_near(guess, truth) for guess in guesses)
        return f"{said}, {self.distance(middle, truth)}; {near} of {len(guesses)} guesses are right."
