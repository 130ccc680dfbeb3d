"""How is an answer checked? What is right is computed; what is wrong is answered with what to look at."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from numbers import Integral
from typing import Any

import numpy as np

from tiekit.base.errors import InputError, TiekitWarning
from tiekit.base.names import find_name
from tiekit.base.validation import FloatArray

DIGITS = 3
"""An answer may be rounded to this many decimals."""


class WrongAnswerError(Exception):
    """What to look at, said of a wrong answer; it never holds the right one."""


Exercise = Callable[[Any], str]
"""Takes an answer. Returns what can be learned from the right one; raises a `WrongAnswerError` for a wrong one."""


class Check:
    """The exercises of one notebook.

    Parameters
    ----------
    notebook : str
        Its name.
    exercises : sequence of functions
        Exercise 1 first.

    Examples
    --------
    >>> check = Check("sums", [lambda answer: expect_number(answer, 1 + 1, "Count again.") or "One and one are two."])
    >>> check(1, 3)
    Exercise 1: not yet. Count again.
    >>> check(1, 2)
    Exercise 1: right. One and one are two.
    """

    def __init__(self, notebook: str, exercises: Sequence[Exercise]) -> None:
        self._notebook, self._exercises = notebook, tuple(exercises)

    def __call__(self, number: int, answer: Any) -> None:
        """Print whether the answer to an exercise is right, or what to look at.

        Parameters
        ----------
        number : int
            Of the exercise; the first is 1.
        answer : object
            A number, a name or a list of scores, as the exercise asks. Numbers may be rounded to three decimals.

        Raises
        ------
        InputError
            There is no exercise of this number. A wrong answer, of whatever type, raises nothing.
        """
        print(f"Exercise {number}: {self.verdict(number, answer)}")

    def verdict(self, number: int, answer: Any) -> str:
        """Return what a call prints, without the number of the exercise."""
        if not isinstance(number, Integral) or number not in range(1, len(self) + 1):
            raise InputError(f"number: {self._notebook} has exercises 1 to {len(self)}, found {number!r}")
        if answer is ...:
            return "replace ... by your answer."
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", TiekitWarning)
            try:
                return f"right. {self._exercises[number - 1](answer)}"
            except WrongAnswerError as hint:
                return f"not yet. {hint}"

    def __len__(self) -> int:
        return len(self._exercises)

    def __repr__(self) -> str:
        return f"Check({self._notebook!r}, {len(self)} exercises)"


def number_of(answer: Any) -> float:
    """Return the answer as a number, NaN where it is none."""
    try:
        return math.nan if isinstance(answer, bool | np.bool_ | np.ma.MaskedArray) else float(answer)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def expect_number(answer: Any, right: float, hint: str, mistakes: Mapping[float, str] | None = None) -> None:
    """Raise a hint unless the answer is the right number, up to rounding; known mistakes have hints of their own."""
    found = number_of(answer)
    if math.isnan(found):
        raise WrongAnswerError("Give one number.")
    if _equal(found, right):
        return
    for wrong, said in (mistakes or {}).items():
        if _equal(found, wrong):
            raise WrongAnswerError(said)
    if _equal(found, -right):
        raise WrongAnswerError("The size is right, the sign is not.")
    if abs(right) <= 1 and abs(found - 100 * right) <= 0.05:
        raise WrongAnswerError("Give the number as it is in the table, not as a percentage.")
    raise WrongAnswerError(hint)


def expect_name(
    answer: Any, right: Collection[str], known: Collection[str], hint: str, mistakes: Mapping[str, str] | None = None
) -> None:
    """Raise a hint unless the answer is a right one of the known names, as `find_name` understands them."""
    try:
        found = find_name("answer", answer, known)
    except InputError as error:
        raise WrongAnswerError(f"Give one of these names: {', '.join(known)}.") from error
    if found not in right:
        raise WrongAnswerError((mistakes or {}).get(found, hint))


def expect_scores(answer: Any, number: int) -> FloatArray:
    """Return the answer as scores; raise a hint unless it is so many finite numbers."""
    try:
        found = np.asarray(answer, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        found = np.array([])
    if found.shape != (number,) or not np.isfinite(found).all():
        raise WrongAnswerError(f"Give a list of {number} numbers, for example {list(range(number))}.")
    return found


def expect_a_share(answer: Any) -> None:
    """Raise a hint unless the answer is a number from 0 to 1."""
    if not 0 <= number_of(answer) <= 1:
        raise WrongAnswerError("Give a share from 0 to 1.")


def _equal(found: float, right: float) -> bool:
    return bool(abs(found - right) <= 0.5 * 10**-DIGITS * (1 + 1e-9))
