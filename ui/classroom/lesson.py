"""What does one class know? Its code, the question that is asked, and the answers, without names."""

from __future__ import annotations

import secrets
from collections import Counter, OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import RLock

from ui.classroom.scale import Scale

MOST_ANSWERS = 1_000
"""How many browsers can answer one question."""

MOST_BROWSERS = 10_000
"""How many of those that are present a class tells from those that have gone."""

MOST_QUESTIONS = 64
"""How many questions a class keeps; of more, the oldest are forgotten."""

HERE = 15.0
"""Seconds after which a browser that has not asked again is no longer counted as present."""


@dataclass(frozen=True)
class Question:
    """What a class is asked on a page; the ``key`` names the question and its data.

    The ``options`` are answers, each with the reason why it is right or wrong, in plain text. Where answers are numbers
    on a ``scale``, each kept as `Scale.text` writes it, the right one is the only option.
    """

    key: str
    text: str
    options: Mapping[str, str]
    truth: str
    page: str = ""
    scale: Scale | None = None

    def takes(self, answer: str) -> bool:
        """Return whether this is an answer to the question."""
        return answer in self.options if self.scale is None else self.scale.value(answer) is not None

    def has_answers_of(self, other: Question) -> bool:
        """Return whether the answers to another question are answers to this one."""
        same = self.scale is not None or tuple(self.options) == tuple(other.options)
        return self.scale == other.scale and same


@dataclass
class Asked:
    """A question with its answers, and where they come from, by browser."""

    question: Question
    answers: dict[str, str] = field(default_factory=dict)
    addresses: dict[str, str] = field(default_factory=dict)
    revealed: bool = False


@dataclass(frozen=True)
class Tally:
    """The state of a question, with its answers in the order in which they came."""

    question: Question
    answers: tuple[str, ...]
    revealed: bool

    @property
    def counts(self) -> tuple[int, ...]:
        """How often each option was chosen, in the options' order."""
        return tuple(self.answers.count(option) for option in self.question.options)

    @property
    def total(self) -> int:
        """How many browsers have answered."""
        return len(self.answers)


class Lesson:
    """One class, which students join by its code. Every method may be called from any thread.

    By the key ``host`` the lecturer's tab has the class back after a reload. It cannot be guessed, and neither the code
    nor a link nor a student's page holds it. ``last_present`` is when somebody, lecturer or student, was there last.
    """

    def __init__(self, code: str, started: float) -> None:
        self.code, self.started, self.ended, self.last_present = code, started, False, started
        self.host = secrets.token_urlsafe(32)
        self._lock = RLock()
        self._asked: OrderedDict[str, Asked] = OrderedDict()
        self._current: str | None = None
        self._seen: dict[str, float] = {}
        self._browsers: dict[str, float] = {}

    def ask(self, question: Question) -> None:
        """Make this the question that the class sees; the answers that it has already stay."""
        with self._lock:
            if self.ended:
                return
            known = self._asked.get(question.key)
            if known is None or not question.has_answers_of(known.question):
                self._asked[question.key] = Asked(question)
            else:
                known.question = question
            self._asked.move_to_end(question.key)
            while len(self._asked) > MOST_QUESTIONS:
                self._asked.popitem(last=False)
            self._current = question.key

    def current(self) -> Tally | None:
        """Return the question that the class sees."""
        with self._lock:
            return None if self._current is None else self.tally(self._current)

    def tally(self, key: str) -> Tally | None:
        """Return the state of a question; None for one that was never asked or is forgotten."""
        with self._lock:
            asked = self._asked.get(key)
            if asked is None:
                return None
            return Tally(asked.question, tuple(asked.answers.values()), asked.revealed)

    def answer(self, browser: str, key: str, option: str, address: str = "") -> bool:
        """Take the answer of a browser at an address; its last one counts. Return False if it cannot be taken.

        An answer is taken while its question is the current one and not revealed. Beyond `MOST_ANSWERS` it takes the
        place of one from the address that has most, if that has more than its own: of one whose browser has gone, or
        else of the last one. A lecture hall has all while nobody elsewhere wants some, and nobody takes them all.
        """
        with self._lock:
            asked = self._asked.get(key)
            if asked is None or key != self._current or asked.revealed or not asked.question.takes(option):
                return False
            if browser not in asked.answers and len(asked.answers) >= MOST_ANSWERS:
                given_up = self._whose_place(asked, address)
                if given_up is None:
                    return False
                del asked.answers[given_up], asked.addresses[given_up]
            asked.answers[browser], asked.addresses[browser] = option, address
            return True

    def _whose_place(self, asked: Asked, address: str) -> str | None:
        """Whose answer gives its place to one from an address; where that has most, none of another address."""
        numbers = Counter(asked.addresses.values())
        most = max(numbers.values())
        largest = {address} if numbers[address] == most else {one for one, number in numbers.items() if number == most}
        there = [browser for browser in asked.answers if asked.addresses[browser] in largest]
        if gone := next((browser for browser in there if browser not in self._browsers), None):
            return gone
        return there[-1] if most > numbers[address] + 1 else None

    def answer_of(self, browser: str, key: str) -> str | None:
        """Return what a browser answered."""
        with self._lock:
            asked = self._asked.get(key)
            return None if asked is None else asked.answers.get(browser)

    def reveal(self, key: str) -> None:
        """Show everybody the right answer; no more answers are taken."""
        with self._lock:
            if key in self._asked:
                self._asked[key].revealed = True

    def ask_again(self, key: str) -> None:
        """Take away all answers to a question and ask it anew."""
        with self._lock:
            if key in self._asked:
                self._asked[key] = Asked(self._asked[key].question)
                self._current = key

    def show_up(self, visitor: str, now: float, browser: str | None = None) -> None:
        """Note that a student has the class open, in this ``browser``; at most `MOST_ANSWERS` are counted."""
        with self._lock:
            self.last_present = now
            if not self.ended and (visitor in self._seen or self.present(now) < MOST_ANSWERS):
                self._seen[visitor] = now
            is_told = browser in self._browsers or len(self._browsers) < MOST_BROWSERS
            if not self.ended and browser is not None and is_told:
                self._browsers[browser] = now

    def present(self, now: float) -> int:
        """Return how many have the class open."""
        with self._lock:
            self._seen = {visitor: at for visitor, at in self._seen.items() if now - at <= HERE}
            self._browsers = {browser: at for browser, at in self._browsers.items() if now - at <= HERE}
            return len(self._seen)

    def end(self) -> None:
        """Forget everything."""
        with self._lock:
            self.ended, self._current = True, None
            self._asked.clear()
            self._seen.clear()
            self._browsers.clear()
