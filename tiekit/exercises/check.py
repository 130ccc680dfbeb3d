"""How is an answer checked? What is right is computed; what is wrong is answered with what to look at."""

from __future__ import annotations

import math
import re
import warnings
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np

from tiekit.base.errors import InputError, TiekitWarning
from tiekit.base.names import find_name
from tiekit.base.validation import FloatArray
from tiekit.figures import display_names

DIGITS = 3
"""An answer may be rounded to this many decimals, or to those that the figure shows."""

RIGHT = "right. "
"""How what is said to a right answer begins."""


class WrongAnswerError(Exception):
    """What to look at, said of a wrong answer; it never holds the right one."""


class Exercise(NamedTuple):
    """An exercise: what checks an answer, what helps one who is stuck, and Python that gives a right answer."""

    check: Callable[[Any], str]
    hints: tuple[str, ...]
    solution: str


def exercise(*hints: str, solution: str) -> Callable[[Callable[[Any], str]], Exercise]:
    """Make an exercise of a function that takes an answer.

    The function returns what can be learned from the right answer, and raises a `WrongAnswerError` for a wrong one.
    """
    return lambda check: Exercise(check, hints, solution)


class Question(NamedTuple):
    """What is asked first: a question, the possible answers, the right one, and what is then said."""

    asks: str
    options: tuple[str, ...]
    answer: str
    shown: str


class Check:
    """The exercises of one notebook, the first is 1; what is asked first, and questions to be answered in words.

    >>> add = exercise("Count your fingers.", solution="1 + 1")
    >>> check = Check("sums", [add(lambda answer: expect_number(answer, 2, "Count again.") or "One and one are two.")])
    >>> check(1, 3)
    Exercise 1: not yet. Count again.
    >>> check.hint(1)
    Exercise 1, hint 1 of 1: Count your fingers.
    >>> check(1, 2)
    Exercise 1: right. One and one are two.
    >>> check.summary()
    1 of 1 exercises right. With a hint: 1.
    """

    def __init__(
        self,
        notebook: str,
        exercises: Sequence[Exercise],
        question: Question | None = None,
        sheet: Sequence[tuple[str, str]] = (),
    ) -> None:
        self._notebook, self._exercises, self._question, self._sheet = notebook, tuple(exercises), question, sheet
        self._right: dict[int, str] = {}
        self._hints: dict[int, int] = {}
        self._solutions: set[int] = set()

    def __call__(self, number: int, answer: Any) -> None:
        """Print whether the answer to an exercise is right, or what to look at.

        Parameters
        ----------
        number : int
            Of the exercise; the first is 1.
        answer : object
            A number, a name, a list of scores or a text, as the exercise asks. Numbers may be rounded to three
            decimals, or as the figure rounds them.

        Raises
        ------
        InputError
            There is no exercise of this number. A wrong answer, of whatever type, raises nothing.
        """
        said = self.verdict(number, answer)
        if said.startswith(RIGHT):
            help = "With the solution" if number in self._solutions else "With a hint" if number in self._hints else ""
            self._right.setdefault(number, help)
        print(f"Exercise {number}: {said}")

    def verdict(self, number: int, answer: Any) -> str:
        """Return what a call prints, without the number of the exercise."""
        one = self._exercise(number)
        if answer is ...:
            return "replace ... by your answer."
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", TiekitWarning)
            try:
                return f"{RIGHT}{one.check(answer)}"
            except WrongAnswerError as hint:
                return f"not yet. {hint}"

    def predict(self, answer: Any = ...) -> None:
        """Print the question that is asked first; of an answer, what is said to it."""
        if self._question is None:
            raise InputError(f"predict: the app asks no question on the page of {self._notebook}")
        asks, options, right, shown = self._question
        if answer is ...:
            print(f"{asks}\nYour guess, one of: {', '.join(map(repr, options))}.")
        else:
            try:
                found = find_name("answer", answer, options)
            except InputError:
                print(f"Give one of: {', '.join(map(repr, options))}.")
                return
            words = "So it is." if found == right else f"The answer: {right}."
            print(f"{words} {shown}")

    def hint(self, number: int) -> None:
        """Print a hint on an exercise, at each call the next one."""
        hints = self._exercise(number).hints
        given = self._hints.get(number, 0)
        if given == len(hints):
            print(f"Exercise {number}: there are no more hints; check.solution({number}) shows a solution.")
            return
        self._hints[number] = given + 1
        print(f"Exercise {number}, hint {given + 1} of {len(hints)}: {hints[given]}")

    def solution(self, number: int) -> None:
        """Print Python that gives a right answer to an exercise; it runs in the notebook."""
        found = self._exercise(number).solution
        self._solutions.add(number)
        print(f"Exercise {number}, a solution:\nanswer = {found}")

    def discuss(self, *, answers: bool = False) -> None:
        """Print questions to be answered in words, those of the app's sheet; with answers where you want them."""
        for number, (asks, answer) in enumerate(self._sheet, 1):
            print(f"{number}. {asks}" + f"\n   {answer}" * answers)

    def summary(self) -> None:
        """Print how many exercises are right, and which of them with help that came before the first right answer."""
        parts = [f"{len(self._right)} of {len(self)} exercises right."]
        states = {number: self._right.get(number, "Open") for number in range(1, len(self) + 1)}
        for label in ("Open", "With a hint", "With the solution"):
            numbers = [str(number) for number, state in states.items() if state == label]
            parts += [f"{label}: {', '.join(numbers)}."] if numbers else []
        print(" ".join(parts))

    def _exercise(self, number: int) -> Exercise:
        if not isinstance(number, Integral) or number not in range(1, len(self) + 1):
            raise InputError(f"number: {self._notebook} has exercises 1 to {len(self)}, found {number!r}")
        return self._exercises[number - 1]

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


def expect_number(
    answer: Any, right: float, hint: str, mistakes: Mapping[float, str] | None = None, *, shown: int = DIGITS
) -> None:
    """Raise a hint unless the answer is the right number, rounded to at least as many decimals as are ``shown``.

    Known mistakes have hints of their own.
    """
    found = number_of(answer)
    if math.isnan(found):
        raise WrongAnswerError("Give one number.")
    if _equal(found, right):
        return
    for wrong, said in (mistakes or {}).items():
        if _equal(found, wrong):
            raise WrongAnswerError(said)
    if _equal(found, right, shown):
        return
    if _equal(found, -right):
        raise WrongAnswerError("The size is right, the sign is not.")
    if abs(right) <= 1 and abs(found - 100 * right) <= 0.05:
        raise WrongAnswerError("Give the number as it is in the table, not as a percentage.")
    raise WrongAnswerError(hint)


def expect_name(
    answer: Any, right: Collection[str], known: Collection[str], hint: str, mistakes: Mapping[str, str] | None = None
) -> None:
    """Raise a hint unless the answer is a right one of the known names, as `find_name` or a figure writes them."""
    shown = {label: name for name, label in display_names(known).items()}
    try:
        found = find_name("answer", answer, {*known, *shown})
    except InputError as error:
        raise WrongAnswerError(f"Give one of these names: {', '.join(shown)}.") from error
    found = shown.get(found, found)
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


def expect_one_change(answer: Any, scores: Sequence[float], name: str) -> FloatArray:
    """Return the answer as scores of a metric of which exactly one was changed; raise a hint unless they are."""
    found = expect_scores(answer, len(scores))
    changed = int((found != scores).sum())
    if changed != 1:
        said = f"{changed} differ" if changed else "none differs"
        raise WrongAnswerError(f"Change one score of {name}, {scores}; here {said}.")
    return found


def expect_a_share(answer: Any) -> None:
    """Raise a hint unless the answer is a number from 0 to 1."""
    if not 0 <= number_of(answer) <= 1:
        raise WrongAnswerError("Give a share from 0 to 1.")


class Said(NamedTuple):
    """A number in a text: its value, its decimals, and where it begins and ends."""

    value: float
    digits: int
    start: int
    end: int

    def equals(self, right: float) -> bool:
        """Whether it is a rounded value; one decimal is too few to say so."""
        return self.digits > 1 and _equal(self.value, right, self.digits)


def numbers_in(text: str) -> list[Said]:
    """Return the numbers of a text."""
    found = re.finditer(r"(?<![\w.])[-−]?(?:\d+(?:\.\d+)?|\.\d+)(?![\w])", text)
    return [Said(float(one[0].replace("−", "-")), len(one[0].partition(".")[2]), *one.span()) for one in found]


BESIDE = re.compile(r"\)?\s+(?:(?:for|by|of|in|from|at|on|under|with)\s+(?:the\s+|a\s+)?)+|\s*\((?=[^()\s]*\))")
"""What stands between a number and a name after it that says whose it is: 0.5 for A, 0.5 (A)."""


def owners(text: str, numbers: Sequence[Said], names: Mapping[str, str], *, in_turn: bool) -> list[str | None]:
    """Return whose each number is: of the name beside it, as in "0.5 for A", else of the last one before it.

    ``names`` are patterns. Of several names before several numbers, as in "A beats B by 0.5 to 0.4", the last one is
    taken, or each ``in_turn``. A name that stands with numbers in parentheses is theirs alone: "A has 0.5 (B: 0.4)".
    """
    either = re.compile("|".join(f"(?P<{key}>{pattern})" for key, pattern in names.items()), re.IGNORECASE)
    asides = [one.span() for one in re.finditer(r"\([^()]*\)", text)]
    asides = [(start, end) for start, end in asides if any(start < number.start < end for number in numbers)]

    def aside(place: int) -> tuple[int, int] | None:
        return next((span for span in asides if span[0] < place < span[1]), None)

    mentions = [(one.start(), aside(one.start()), one.lastgroup) for one in either.finditer(text)]
    found: list[str | None] = []
    rows: dict[tuple[int, int] | None, list[str | None]] = {}
    turns: Counter[tuple[int, int] | None] = Counter()
    end = 0
    for number in numbers:
        here = aside(number.start)
        for where in {None, here}:
            said = [key for start, span, key in mentions if end <= start < number.start and span == where]
            if said:
                rows[where], turns[where] = said, 0
        where = here if here in rows else None
        row = rows.get(where)
        end = number.end
        between = BESIDE.match(text, end)
        beside = between and either.match(text, between.end())
        if beside:
            found.append(beside.lastgroup)
        else:
            found.append(row[turns[where] % len(row) if in_turn else -1] if row else None)
            turns[where] += 1
    return found


def _equal(found: float, right: float, digits: int = DIGITS) -> bool:
    return bool(abs(found - right) <= 0.5 * 10**-digits * (1 + 1e-9))
