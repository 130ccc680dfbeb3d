"""Classes end in time, codes are unlike one another, answers are bounded, and wrong codes are read only so often."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

from tests.strategies import examples
from ui.classroom import lesson, store
from ui.classroom.lesson import Question
from ui.classroom.scale import Scale

OPTIONS = {"a": "because", "b": "because not", "c": "nor this"}
BROWSERS = st.integers(0, 2 * lesson.MOST_ANSWERS).map(str)


def question(key="q"):
    return Question(key, "Which?", OPTIONS, "a")


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def classes(clock):
    return store.Store(clock)


class Classes(RuleBasedStateMachine):
    """Any sequence of what lecturers, students and the clock do, beside a plain account of it."""

    begun = Bundle("begun")

    def __init__(self):
        super().__init__()
        self.clock = Clock()
        self.classes = store.Store(self.clock)
        self.going_on = []

    def forget_the_old(self):
        self.going_on = [one for one in self.going_on if self.clock.now - one.started < store.LASTS]

    @rule(target=begun)
    def start(self):
        self.forget_the_old()
        new = self.classes.start()
        assert new.code not in {one.code for one in self.going_on}
        assert len(new.code) == store.LENGTH
        assert set(new.code) <= set(store.LETTERS)
        self.going_on = [*self.going_on, new][-store.MOST :]
        return new

    @rule(which=consumes(begun))
    def end(self, which):
        self.classes.end(which.code)
        self.going_on = [one for one in self.going_on if one is not which]

    @rule(seconds=st.floats(0, store.LASTS))
    def wait(self, seconds):
        self.clock.now += seconds

    @rule(which=begun, key=st.sampled_from("pqr"), answers=st.lists(st.tuples(BROWSERS, st.sampled_from("abcx"))))
    def ask_and_answer(self, which, key, answers):
        which.ask(question(key))
        for browser, option in answers:
            which.answer(browser, key, option)

    @rule(which=begun)
    def look_up(self, which):
        self.forget_the_old()
        typed = f" {which.code[:3].lower()}-{which.code[3:]} "
        expected = which if which in self.going_on else None
        if expected is not None:
            assert self.classes.find(typed, "here") is which
        assert self.classes.is_on(which) == (expected is not None)

    @invariant()
    def it_is_bounded_and_an_ended_class_knows_nothing(self):
        self.forget_the_old()
        assert len(self.classes) == len(self.going_on) <= store.MOST
        for one in self.going_on:
            found = one.current()
            assert found is None or found.total <= lesson.MOST_ANSWERS


TestClasses = Classes.TestCase
TestClasses.settings = settings(examples(100), stateful_step_count=20)


@given(st.lists(st.tuples(BROWSERS, st.sampled_from("abc")), max_size=200))
def test_the_last_answer_of_a_browser_counts(answers):
    one = lesson.Lesson("CODE", 0)
    one.ask(question())
    for browser, option in answers:
        assert one.answer(browser, "q", option)
    last = list(dict(answers).values())
    assert one.current().counts == tuple(map(last.count, OPTIONS))
    assert all(one.answer_of(browser, "q") == option for browser, option in dict(answers).items())


def test_no_more_answers_than_the_bound_but_those_who_answered_may_change_their_minds():
    one = lesson.Lesson("CODE", 0)
    one.ask(question())
    taken = [one.answer(str(number), "q", "a") for number in range(lesson.MOST_ANSWERS + 5)]
    assert sum(taken) == one.current().total == lesson.MOST_ANSWERS
    assert one.answer("0", "q", "b")
    assert one.current().counts == (lesson.MOST_ANSWERS - 1, 1, 0)


def test_an_answer_is_taken_only_for_what_is_asked_now_and_not_revealed():
    one = lesson.Lesson("CODE", 0)
    assert one.current() is None
    one.ask(question("first"))
    assert not one.answer("me", "first", "no option")
    assert not one.answer("me", "another", "a")
    one.ask(question("second"))
    assert not one.answer("me", "first", "a")
    one.reveal("second")
    assert one.current().revealed
    assert not one.answer("me", "second", "a")
    one.ask_again("second")
    assert one.answer("me", "second", "a")


def test_answers_stay_when_a_question_is_asked_again_and_go_when_its_options_change():
    one = lesson.Lesson("CODE", 0)
    one.ask(question())
    one.answer("me", "q", "b")
    one.ask(question())
    assert one.current().counts == (0, 1, 0)
    one.ask(Question("q", "Which?", {"a": "", "b": ""}, "b"))
    assert one.current().counts == (0, 0)


def test_old_questions_are_forgotten():
    one = lesson.Lesson("CODE", 0)
    for number in range(lesson.MOST_QUESTIONS + 3):
        one.ask(question(str(number)))
    assert one.tally("0") is None
    assert one.tally(str(lesson.MOST_QUESTIONS)) is not None


def test_a_class_that_ended_keeps_nothing_and_takes_nothing(classes):
    one = classes.start()
    one.ask(question())
    one.answer("me", "q", "a")
    one.show_up("me", 0)
    classes.end(one.code)
    assert classes.find(one.code, "here") is None
    one.ask(question())
    assert one.current() is None
    assert one.answer_of("me", "q") is None
    assert one.present(0) == 0


def test_a_class_ends_by_itself(classes, clock):
    one = classes.start()
    clock.now = store.LASTS - 1
    assert classes.is_on(one)
    clock.now = store.LASTS
    assert not classes.is_on(one)
    assert one.ended


def test_those_who_left_are_not_counted_as_present(classes):
    one = classes.start()
    one.show_up("me", 0)
    one.show_up("you", lesson.HERE)
    assert one.present(lesson.HERE) == 2
    assert one.present(lesson.HERE + 1) == 1


def test_wrong_codes_are_read_only_so_often_from_one_address(classes, clock):
    one = classes.start()
    for number in range(store.WRONG_BY_ONE):
        assert classes.find(f"WRONG{number}", "guesser") is None
    with pytest.raises(store.TooManyTriesError):
        classes.find(one.code, "guesser")
    assert classes.find(one.code, "student") is one
    clock.now += store.PER
    assert classes.find(one.code, "guesser") is one


def test_a_million_tries_a_day_from_many_addresses_find_no_code(classes):
    """Far fewer are read, and those that are read would hit one of all possible classes once in a thousand days."""
    read, day, tries = 0, 86_400.0, 1_000_000
    for _ in range(store.WRONG_BY_ALL + 5):
        try:
            classes.find("NOSUCH0", f"address {read}")
            read += 1
        except store.TooManyTriesError:
            pass
    assert read == store.WRONG_BY_ALL
    read_a_day = min(tries, store.WRONG_BY_ALL * day / store.PER)
    assert store.MOST * read_a_day / len(store.LETTERS) ** store.LENGTH < 1 / 1000


def test_many_threads_at_once_lose_no_answer():
    one = lesson.Lesson("CODE", 0)
    one.ask(question())
    with ThreadPoolExecutor(8) as pool:
        taken = list(pool.map(lambda number: one.answer(str(number % 200), "q", "abc"[number % 3]), range(2000)))
    assert all(taken)
    assert one.current().total == 200


def test_a_lecturers_key_finds_the_class_while_it_goes_on_and_is_no_code(classes, clock):
    first, second = classes.start(), classes.start()
    assert classes.lesson_of_host(first.host) is first
    assert classes.lesson_of_host(second.host) is second
    assert len({first.host, second.host, first.code, second.code}) == 4
    assert len(first.host) >= 43  # 256 bits
    for wrong in ("", first.code, first.host[:-1], "é"):
        assert classes.lesson_of_host(wrong) is None
    clock.now += store.LASTS
    assert classes.lesson_of_host(first.host) is None


DRAWN = Question("drawn", "How many?", {"0.30": "because"}, "0.30", scale=Scale(0, 1, 2))


@given(st.lists(st.tuples(BROWSERS, st.floats(0, 1)), max_size=50))
def test_guesses_on_a_scale_are_taken_as_they_are_kept(guesses):
    one = lesson.Lesson("CODE", 0)
    one.ask(DRAWN)
    for browser, guess in guesses:
        assert one.answer(browser, "drawn", DRAWN.scale.text(guess))
    kept = {browser: round(guess, 2) for browser, guess in guesses}
    assert [DRAWN.scale.value(answer) for answer in one.current().answers] == list(kept.values())


@pytest.mark.parametrize("bad", ["", "a", "nan", "inf", "1e-1", "0.3", "0.300", "1.01", "-0.01", " 0.30", "9" * 400])
def test_what_is_no_number_of_the_scale_is_refused(bad):
    one = lesson.Lesson("CODE", 0)
    one.ask(DRAWN)
    assert not one.answer("me", "drawn", bad)
    assert one.current().total == 0


def test_guesses_are_bounded_and_go_when_the_scale_changes():
    one = lesson.Lesson("CODE", 0)
    one.ask(DRAWN)
    taken = [one.answer(str(number), "drawn", "0.50") for number in range(lesson.MOST_ANSWERS + 5)]
    assert sum(taken) == one.current().total == lesson.MOST_ANSWERS
    one.ask(Question("drawn", "How many?", {"0.40": "because"}, "0.40", scale=Scale(0, 1, 2)))
    assert one.current().total == lesson.MOST_ANSWERS
    one.ask(Question("drawn", "How many?", {"0.4": "because"}, "0.4", scale=Scale(0, 1, 1)))
    assert one.current().total == 0


def test_a_class_is_summed_up_in_a_sentence():
    scale = Scale(-1, 1, 2)
    assert scale.summary([], None) == "No guesses yet."
    assert scale.summary([], 0.5) == "It is 0.50."
    assert scale.summary([-0.5, 0.0, 0.4], None) == "Median guess 0.00; guesses from −0.50 to 0.40."
    assert scale.summary([-0.5, 0.0, 0.4], 0.5) == "Median guess 0.00, 0.50 too low; 1 of 3 guesses are right."
    assert Scale(0, 9, unit="pair").distance(3, 2) == "1 pair too high"
    assert Scale(0, 9).distance(2, 2) == "exactly right"
    assert "within 0.20 is right" in scale.hint()
