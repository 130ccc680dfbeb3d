"""What does one's own evaluator do with ties, constants, missing scores and the order of the items?"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from tiekit.base.errors import InputError, collect_warnings, quote
from tiekit.base.results import Result
from tiekit.base.validation import FloatArray
from tiekit.core.correlation import correlate
from tiekit.core.pairs import KINDS, count_pairs
from tiekit.core.registry import COEFFICIENTS, coefficient_of_weights

NAN = float("nan")
CLOSE = 1e-6
"""Up to which two values are the same; evaluators that work in float32 have a little more noise than 1e-7."""

SHUFFLES = 12
"""How often the items of a case are put into another order."""

Case = tuple[FloatArray, FloatArray]


@dataclass(frozen=True, eq=False, repr=False)
class EvaluatorCheck(Result):
    """What an evaluator does; ``print`` says it in a few sentences, with all rows below.

    Attributes
    ----------
    name : str
        The evaluator's.
    rows : pandas.DataFrame
        One row per question, such as ``constant metric``: ``value`` that the evaluator returned (NaN also where it
        returned no number), ``words`` that say what it does, and ``problem``: whether it may rate a metric wrongly.
    recognized : tuple of str
        Coefficients that return the same on every case that has a value, also with both arguments exchanged or turned
        around: ``"tau_b"``, ``"tau_14 with the arguments exchanged"``, ``"1 - acc_eq"``.
    n_calls : int
        How often it was called.
    """

    _number: ClassVar[str | None] = None

    name: str
    rows: pd.DataFrame
    recognized: tuple[str, ...]
    n_calls: int

    @property
    def problems(self) -> tuple[str, ...]:
        """What may rate a metric wrongly, one sentence each; empty where nothing does."""
        return tuple(self.rows.loc[self.rows["problem"], "words"])

    @property
    def sentence(self) -> str:
        """What the evaluator computes, and what it does with ties, constants, missing scores and the order of items."""
        wanted = ("ties", "constant metric", "constant human", "missing metric score", "order of the items")
        said = [str(self.rows["words"][row]) for row in wanted]
        more = [one for one in self.problems if one not in said]
        return " ".join([f"{self.name}:", *said, *more])

    def _facts(self) -> dict[str, object]:
        return {"evaluator": self.name.replace("|", " "), "calls": self.n_calls}

    def __str__(self) -> str:
        lines = [f"{'!' if row.problem else ' '} {row.Index:21} {row.words}" for row in self.rows.itertuples()]
        return "\n".join([self.sentence, "", *lines, self.signature])

    __repr__ = __str__

    def _grid(self) -> pd.DataFrame:
        return self.rows


def check_evaluator(function: Callable[[Any, Any], Any], *, name: str | None = None) -> EvaluatorCheck:
    """Feed one's own evaluator ties, constants, missing scores and shuffled items, and say what it does with each.

    Nothing that it does is refused: what it raises is part of the answer, and its warnings are not passed on.

    Parameters
    ----------
    function : callable
        Takes ``(human, metric)``, two vectors of equally many scores, higher being better, and returns a number; of a
        result with ``statistic`` that, of a tuple its first entry. It is given float64 arrays; lists, where it raises
        an exception with arrays even without ties. It is called about two hundred times.
    name : str or None
        What it is called in the answer; None is its own name.

    Returns
    -------
    EvaluatorCheck

    Raises
    ------
    InputError
        For what cannot be called.

    Examples
    --------
    >>> from scipy.stats import kendalltau
    >>> found = check_evaluator(kendalltau)
    >>> found.recognized, found.problems
    (('tau_b',), ())
    >>> print(found.rows.words["ties"])
    It is tau_b: the two agree on all 24 drawn sets with ties.
    """
    if not callable(function):
        raise InputError(f"function: must take (human, metric) and return a number, found {quote(function)}")
    called = name if name is not None else str(getattr(function, "__name__", type(function).__name__))
    evaluator = _Evaluator(function)
    recognized = _Recognized(evaluator)
    asked = {name: ask(evaluator, recognized) for name, ask in QUESTIONS.items()}
    table = pd.DataFrame([row.row for row in asked.values()], pd.Index(list(asked), name="question"))
    return EvaluatorCheck(called, table, recognized.names, evaluator.n_calls)


@dataclass(frozen=True)
class _Answer:
    """What came back: a number, or why there is none."""

    value: float = NAN
    error: str = ""
    warned: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """As a predicate: what it does."""
        said = self.error or ("returns NaN" if self.value != self.value else f"returns {show(self.value)}")
        return f"{said}, with a {' and a '.join(self.warned)}" if self.warned else said

    @property
    def is_number(self) -> bool:
        return not self.error and math.isfinite(self.value)


@dataclass(frozen=True)
class _Row:
    value: float
    words: str
    problem: bool = False

    @property
    def row(self) -> dict[str, object]:
        return {"value": self.value, "words": self.words, "problem": self.problem}


def show(value: float) -> str:
    """A number in a sentence."""
    return f"{value + 0.0:.4g}".replace("-", "−")


def same(one: float, other: float) -> bool:
    """Whether two values are equal but for rounding, or both undefined."""
    return bool(one == other or (one != one and other != other) or abs(one - other) <= CLOSE * max(1.0, abs(one)))


class _Evaluator:
    """The function, guarded: exceptions and warnings become part of what it answers."""

    def __init__(self, function: Callable[[Any, Any], Any]) -> None:
        self.function = function
        self.n_calls = 0
        self.changed = False
        self.as_list = False
        first = self([1, 2, 3, 4, 5], [2, 1, 4, 3, 5])
        if first.error:
            self.as_list = True
            self.as_list = not self([1, 2, 3, 4, 5], [2, 1, 4, 3, 5]).error

    def __call__(self, human: Sequence[float] | FloatArray, metric: Sequence[float] | FloatArray) -> _Answer:
        given = [np.array(one, np.float64) for one in (human, metric)]
        passed: list[Any] = [one.tolist() if self.as_list else one.copy() for one in given]
        self.n_calls += 1
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                found = self.function(*passed)
                answer = _number_in(found)
            except Exception as error:
                answer = _Answer(error=f"raises {type(error).__name__}")
        self.changed |= any(
            not np.array_equal(one, np.array(other), equal_nan=True) for one, other in zip(given, passed, strict=True)
        )
        return _Answer(answer.value, answer.error, tuple(dict.fromkeys(one.category.__name__ for one in caught)))

    @property
    def about_arguments(self) -> _Row:
        taken = "It takes lists, not arrays" if self.as_list else "It takes arrays"
        if self.changed:
            return _Row(
                NAN, f"{taken}, and changes the scores that it is given: what is computed after it is wrong.", True
            )
        return _Row(NAN, f"{taken}, and leaves them as they are.")


def _number_in(found: Any) -> _Answer:
    """The number that an evaluator returned."""
    found = getattr(found, "statistic", found)
    found = found[0] if isinstance(found, tuple) and found else found
    try:
        return _Answer(float(found))
    except (TypeError, ValueError):
        return _Answer(error=f"returns no number but {quote(found)}")


def _say(answer: _Answer, lead: str, problem: bool = False) -> _Row:
    return _Row(answer.value, f"{lead} {answer.words}.", problem)


FINE = 2.0**-17
"""What the scores of every second drawn set with ties are multiplied by, so that a tolerance is no equality there."""


def _draw_sets(n_cases: int, levels: int | None, seed: int) -> list[Case]:
    """Sets of 6 to 13 items without any tie, or with ties: ``levels`` scores, alternately 1/8 and 2^-20 or so apart."""
    rng = np.random.default_rng(seed)
    cases: list[Case] = []
    while len(cases) < n_cases:
        n = int(rng.integers(6, 14))
        if levels is None:
            human, metric = (rng.permutation(n) + rng.random(n) / 2 for _ in range(2))
        else:
            human, metric = (rng.integers(0, levels, n).astype(np.float64) for _ in range(2))
            metric = np.where(rng.random(n) < 0.3, human, metric) / 8 + 0.5
            tied = count_pairs(human, metric)
            if not all(tied.row[:5]):
                continue
            if len(cases) % 2:
                human, metric = human * FINE, metric * FINE
        cases.append((human, metric))
    return cases


WITHOUT, WITH = _draw_sets(8, None, 1), [*_draw_sets(12, 3, 2), *_draw_sets(12, 5, 3)]
"""Drawn sets without a tie, and with ties of all three kinds."""


SHORTCUT = "Spearman's ρ by 1 - 6 Σd² / (n(n² - 1)), which is right only without ties"

TURNS: dict[str, Callable[[FloatArray], FloatArray]] = {
    "{}": lambda x: x,
    "1 - {}": lambda x: 1 - x,
    "-{}": lambda x: -x,
    "the absolute value of {}": np.abs,
    "(1 + {}) / 2": lambda x: (1 + x) / 2,
    "100 {}": lambda x: 100 * x,
    "{}²": np.square,
}
"""What evaluators make of a coefficient."""


@cache
def _reference_values() -> dict[str, FloatArray]:
    """Every coefficient, and what is made of it, by name: its values on all drawn sets."""
    from scipy.stats import rankdata

    cases = [*WITHOUT, *WITH]
    found: dict[str, FloatArray] = {}
    with collect_warnings():
        for name in (*COEFFICIENTS, "acc_eq*", "tau_eq*"):
            found[name] = np.array([correlate(h, m, name).value for h, m in cases])
            found[f"{name} with the arguments exchanged"] = np.array([correlate(m, h, name).value for h, m in cases])
    found = {turn.format(name): call(values) for turn, call in TURNS.items() for name, values in found.items()}
    squares = [(((rankdata(h) - rankdata(m)) ** 2).sum(), h.size) for h, m in cases]
    return found | {SHORTCUT: np.array([1 - 6 * square / (n * (n**2 - 1)) for square, n in squares])}


class _Recognized:
    """Which known coefficients an evaluator agrees with, without and with ties."""

    def __init__(self, evaluator: _Evaluator) -> None:
        answers = [evaluator(*case) for case in (*WITHOUT, *WITH)]
        own, n = np.array([answer.value for answer in answers]), len(WITHOUT)
        self.first = answers[0], answers[n]
        self.is_number = bool(np.isfinite(own[:n]).all())
        self.untied = [name for name, values in _reference_values().items() if _agree(own[:n], values[:n])]
        agree = [name for name in self.untied if _agree(own[n:], _reference_values()[name][n:])]
        self.names = _unlike(agree)
        self.coarse = _unlike(name for name in self.untied if _agree(own[n::2], _reference_values()[name][n::2]))
        self.weights = None if agree else _weights_of(evaluator, own)

    @property
    def without_ties(self) -> _Row:
        answer = self.first[0]
        if not self.is_number:
            return _say(answer, "Without ties, it does not always return a number: it", True)
        names = [name for name in self.untied if "exchanged" not in name and name != SHORTCUT]
        if not names:
            return _Row(answer.value, "Without ties it is none of the coefficients that tiekit knows.")
        return _Row(answer.value, f"Without ties it is {_join_names(names)}.")

    @property
    def with_ties(self) -> _Row:
        answer = self.first[1]
        drawn = f"all {len(WITH)} drawn sets with ties"
        if self.names:
            words = f"It is {' and '.join(self.names)}: the two agree on {drawn}."
            return _Row(answer.value, words, SHORTCUT in self.names)
        if self.weights is not None:
            return _Row(answer.value, f"It is the mean over pairs of {self.weights}: so it is on {drawn}.")
        if answer.error:
            return _say(answer, "With ties it", True)
        if self.coarse:
            words = (
                f"Where scores differ by 0.1 or more it is {' and '.join(self.coarse)}, but not where they differ by"
            )
            return _Row(answer.value, f"{words} less: it may tie scores that are not equal.", True)
        if self.untied:
            return _Row(answer.value, "With ties it is none of the coefficients that tiekit knows.")
        return _Row(answer.value, "It is none of the coefficients that tiekit knows, with ties or without.")


def _unlike(names: Iterable[str]) -> tuple[str, ...]:
    """Known coefficients without those of the same values as one before them, such as tau_b exchanged."""
    first = {tuple(_reference_values()[name].round(9)): name for name in reversed([*names])}
    return tuple(reversed(first.values()))


def _join_names(names: Sequence[str]) -> str:
    more = f" and {len(names) - 6} more" if len(names) > 6 else ""
    return f"{' = '.join(names[:6])}{more}"


def _agree(own: FloatArray, known: FloatArray) -> bool:
    """Whether a known coefficient has the values that the evaluator returned, each of them a number."""
    return bool(np.isfinite(own).all() and np.allclose(own, known, rtol=CLOSE, atol=CLOSE))


def _weights_of(evaluator: _Evaluator, own: FloatArray) -> str | None:
    """The evaluator as a mean of one number for each kind of pairs, found from pairs alone; None where it is none."""
    pairs = ([1, 2], [1, 2]), ([1, 2], [2, 1]), ([1, 1], [1, 2]), ([1, 2], [1, 1]), ([1, 1], [1, 1])
    found = [evaluator(*pair) for pair in pairs]
    if not (found[0].is_number and found[1].is_number):
        return None
    entry = coefficient_of_weights([answer.value if answer.is_number else None for answer in found])
    counts = np.array([count_pairs(*case).row for case in (*WITHOUT, *WITH)])
    if not _agree(own, entry.from_counts(counts)):
        return None
    kinds = [kind.replace("_", " ") for kind in KINDS]
    words = [f"{show(one.value)} ({kind})" for kind, one in zip(kinds, found, strict=True) if one.is_number]
    left = [kind for kind, one in zip(kinds, found, strict=True) if not one.is_number]
    return ", ".join(words) + (f"; left out: {', '.join(left)}" if left else "")


def _one_pair(evaluator: _Evaluator, human: list[float], metric: list[float], lead: str) -> _Row:
    """One pair of items, in both orders."""
    one, other = evaluator(human, metric), evaluator(human[::-1], metric[::-1])
    if one.error == other.error and same(one.value, other.value):
        return _say(one, f"{lead}: alone, it")
    words = f"{lead}: alone, it {one.words}; with its two items in the other order it {other.words}."
    return _Row(one.value, words, True)


def _near_tie(evaluator: _Evaluator, _: _Recognized) -> _Row:
    human = [1.0, 2.0, 3.0, 4.0, 5.0]
    tied, near, ordered = (evaluator(human, [0.1, two, 0.3, 0.2, 0.5]) for two in (0.3, 0.1 + 0.2, 0.4))
    if near.error or same(tied.value, ordered.value):
        return _Row(near.value, "Whether it ties scores such as 0.1 + 0.2 and 0.3 cannot be seen from its values.")
    if same(near.value, tied.value):
        words = "Scores that differ by rounding only, such as 0.1 + 0.2 and 0.3, are as good as tied."
        return _Row(near.value, words)
    return _Row(near.value, "Scores that differ by rounding only, such as 0.1 + 0.2 and 0.3, are no ties.")


HUMAN = np.array([1.0, 3.0, 2.0, 5.0, 4.0, 2.0])
"""Human scores with one tie."""


METRIC = np.array([0.3, 0.1, 0.5, 0.2, 0.4, 0.1])
"""Scores of a metric for them, with another tie."""


def _constant(evaluator: _Evaluator, side: str) -> _Row:
    """All scores of one side are equal; the others come in several orders."""
    other = METRIC if side == "human" else HUMAN
    orders = [other, np.sort(other), np.sort(other)[::-1]]
    same_score = np.full(other.size, 7.0)
    answers = [evaluator(*((same_score, one) if side == "human" else (one, same_score))) for one in orders]
    lead = "Human scores that are all equal: it" if side == "human" else "A metric that gives one score to all: it"
    values = [answer.value for answer in answers if answer.is_number]
    if values and not all(same(values[0], one) for one in values):
        words = f"{lead} returns {show(min(values))} to {show(max(values))}, as the items happen to be ordered."
        return _Row(values[0], words, True)
    row = _say(answers[0], lead)
    if values and same(values[0], evaluator(HUMAN, HUMAN).value):
        return _Row(row.value, f"{row.words[:-1]}, the value of a perfect metric.", True)
    return row


def _perfect(evaluator: _Evaluator, _: _Recognized) -> _Row:
    answer, noisy = evaluator(HUMAN, HUMAN), evaluator(HUMAN, HUMAN + np.array([0, 0, 0, 0, 0, 0.25]))
    row = _say(answer, "A metric that equals the human scores, ties included: it")
    if answer.is_number and noisy.is_number and noisy.value > answer.value + CLOSE:
        words = f"{row.words[:-1]}; one that also orders what the human ties gets more, {show(noisy.value)}."
        return _Row(answer.value, words, True)
    return row


def _missing(evaluator: _Evaluator, side: str) -> _Row:
    """One score is NaN: is its item left out, is it taken for some number, is the result NaN?"""
    human = np.array([1.0, 2, 3, 4, 5, 6, 7, 2]) - 2.5
    metric = np.array([0.4, 0.1, 0.8, 0.3, 0.9, 0.7, 0.5, 0.2]) - 0.25
    scores = {"human": human, "metric": metric}
    place = 4

    def with_value(value: float) -> _Answer:
        changed = {name: one.copy() for name, one in scores.items()}
        changed[side][place] = value
        return evaluator(changed["human"], changed["metric"])

    answer = with_value(NAN)
    lead = f"A missing {side} score (NaN):"
    if not answer.is_number:
        return _say(answer, f"{lead} it")
    left_out = evaluator(np.delete(human, place), np.delete(metric, place))
    if same(answer.value, left_out.value):
        return _Row(answer.value, f"{lead} it leaves out the item.")
    taken = {
        "0": 0.0,
        "the smallest score": -1e6,
        "the largest score": 1e6,
        "the mean score": np.delete(scores[side], place).mean(),
    }
    for words, value in taken.items():
        if same(answer.value, with_value(value).value):
            return _Row(answer.value, f"{lead} it takes it for {words}, without a word.", True)
    return _Row(answer.value, f"{lead} it returns {show(answer.value)}, which is not the value without the item.", True)


def _order_of_items(evaluator: _Evaluator, _: _Recognized) -> _Row:
    rng = np.random.default_rng(5)
    seen = False
    for cases, lead in (
        (WITHOUT[:2], "The order of the items decides its value even without ties"),
        ([WITH[0], WITH[-1]], "With ties the order of the items decides its value"),
    ):
        for human, metric in cases:
            orders = [rng.permutation(human.size) for _ in range(SHUFFLES)]
            orders += [np.arange(human.size), np.lexsort((human, metric)), np.lexsort((-human, metric))]
            answers = [evaluator(human[order], metric[order]) for order in orders]
            values = [answer.value for answer in answers if answer.is_number]
            seen |= bool(values)
            if values and not same(min(values), max(values)):
                low, high = show(min(values)), show(max(values))
                words = f"{lead}: the same scores, shuffled, give values from {low} to {high}."
                return _Row(float(np.ptp(values)), words, True)
    return _Row(0.0, "The order of the items does not matter." if seen else "No order of the items gives a number.")


def _ask_exchange(evaluator: _Evaluator, _: _Recognized) -> _Row:
    answers = [(evaluator(*case), evaluator(*case[::-1])) for case in WITH[::4]]
    differ = [(one, other) for one, other in answers if not same(one.value, other.value)]
    if not differ:
        return _Row(answers[0][1].value, "Human and metric scores may be exchanged.")
    one, other = differ[0]
    words = f"Human and metric scores may not be exchanged: where it {one.words}, it then {other.words}."
    return _Row(other.value, words)


def _ask_direction(evaluator: _Evaluator, _: _Recognized) -> _Row:
    human, metric = WITHOUT[0]
    one, other = evaluator(human, human), evaluator(human, -human)
    turned = evaluator(human, metric), evaluator(human, -metric)
    if not (one.is_number and other.is_number):
        return _say(other, "With the metric negated it")
    if same(one.value, other.value):
        words = f"It does not see the direction: a metric and its negation both get {show(one.value)}."
        return _Row(other.value, words, True)
    if one.value < other.value:
        words = f"Lower is better: the human scores themselves get {show(one.value)}, negated ones {show(other.value)}."
        return _Row(other.value, words)
    middle = (turned[0].value + turned[1].value) / 2
    if same(middle, (one.value + other.value) / 2):
        return _Row(other.value, f"With the metric negated, its values are mirrored at {show(middle)}.")
    return _Row(other.value, f"Its best value is {show(one.value)}, its worst {show(other.value)}.")


def _ask_scale(evaluator: _Evaluator, _: _Recognized) -> _Row:
    plain = [evaluator(human, metric).value for human, metric in WITH]
    scaled = [evaluator(human, 100 * metric + 3).value for human, metric in WITH]
    bent = [evaluator(human, np.exp(4 * metric)).value for human, metric in WITH]
    if not all(map(same, plain, scaled)):
        return _Row(bent[0], "The scale of the metric's scores counts.")
    if all(map(same, plain, bent)):
        return _Row(bent[0], "Only the order of the metric's scores counts.")
    return _Row(bent[0], "The distances of the metric's scores count, their scale does not.")


def _ask_again(evaluator: _Evaluator, _: _Recognized) -> _Row:
    values = [evaluator(*WITH[0]).value for _ in range(5)]
    if all(same(values[0], one) for one in values):
        return _Row(0.0, "The same scores give the same value each time.")
    low, high = show(min(values)), show(max(values))
    return _Row(
        float(np.ptp(values)), f"The same scores give values from {low} to {high}: ties or samples are drawn.", True
    )


QUESTIONS: dict[str, Callable[[_Evaluator, _Recognized], _Row]] = {
    "no ties": lambda _, known: known.without_ties,
    "ties": lambda _, known: known.with_ties,
    "tied by the human": lambda f, _: _one_pair(f, [1, 1], [1, 2], "A pair that only the human ties"),
    "tied by the metric": lambda f, _: _one_pair(f, [1, 2], [1, 1], "A pair that only the metric ties"),
    "tied by both": lambda f, _: _one_pair(f, [1, 1], [1, 1], "A pair that both tie"),
    "nearly tied": _near_tie,
    "constant metric": lambda f, _: _constant(f, "metric"),
    "constant human": lambda f, _: _constant(f, "human"),
    "both constant": lambda f, _: _say(f([3, 3, 3, 3], [7, 7, 7, 7]), "Where all scores of both sides are equal, it"),
    "perfect metric": _perfect,
    "missing metric score": lambda f, _: _missing(f, "metric"),
    "missing human score": lambda f, _: _missing(f, "human"),
    "order of the items": _order_of_items,
    "sides exchanged": _ask_exchange,
    "negated metric": _ask_direction,
    "only the order counts": _ask_scale,
    "one item": lambda f, _: _say(f([1], [2]), "With a single item it"),
    "no item": lambda f, _: _say(f([], []), "Without any item it"),
    "called again": _ask_again,
    "its arguments": lambda f, _: f.about_arguments,
}
"""What is asked of an evaluator, in the order of the rows."""
