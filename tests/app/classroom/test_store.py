"""Classes end in time, codes are unlike one another, answers are bounded, and wrong codes are read only so often."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, multiple, rule

from tests.strategies import examples
from ui.classroom import lesson, store
from ui.classroom.lesson import Question
from ui.classroom.scale import Scale

ME = store.Visitor("my session", "my address")
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
        self.visitors = 0

    def forget_the_old(self):
        self.going_on = [one for one in self.going_on if self.clock.now - one.started < store.LASTS]

    @rule(target=begun)
    def start(self):
        self.forget_the_old()
        self.visitors += 1
        visitor = store.Visitor(f"session {self.visitors}", f"address {self.visitors}")
        if len(self.going_on) == store.MOST:
            idle = min(self.going_on, key=lambda one: one.last_present)
            if self.clock.now - idle.last_present < store.IDLE:
                with pytest.raises(store.RefusedError, match="places"):
                    self.classes.start(visitor)
                return multiple()
            self.going_on = [one for one in self.going_on if one is not idle]
        new = self.classes.start(visitor)
        assert new.code not in {one.code for one in self.going_on}
        assert len(new.code) == store.LENGTH
        assert set(new.code) <= set(store.LETTERS)
        self.going_on = [*self.going_on, new]
        return new

    @rule(which=consumes(begun))
    def end(self, which):
        self.classes.end(which.code)
        self.going_on = [one for one in self.going_on if one is not which]

    @rule(seconds=st.floats(0, store.LASTS))
    def wait(self, seconds):
        self.clock.now += seconds

    @rule(which=begun)
    def somebody_is_there(self, which):
        if which in self.going_on:
            which.show_up("student", self.clock.now)

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
            assert self.classes.find(typed, ME) is which
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
    for number in range(lesson.MOST_ANSWERS + 5):
        one.show_up(f"session {number}", 0, str(number))
    taken = [one.answer(str(number), "q", "a") for number in range(lesson.MOST_ANSWERS + 5)]
    assert sum(taken) == one.current().total == lesson.MOST_ANSWERS
    assert one.answer("0", "q", "b")
    assert one.current().counts == (lesson.MOST_ANSWERS - 1, 1, 0)
    one.show_up("session 0", lesson.HERE + 1, "0")
    assert one.present(lesson.HERE + 1) == 1
    assert one.answer("late", "q", "c"), "the answer of one who has gone gives its place"
    assert one.current().counts == (lesson.MOST_ANSWERS - 2, 1, 1)


def test_nobody_takes_all_places_of_a_question_with_a_thousand_browsers_at_one_address():
    one, hall = lesson.Lesson("CODE", 0), [f"student {number}" for number in range(300)]
    strangers = [f"stranger {number}" for number in range(2 * lesson.MOST_ANSWERS)]
    one.ask(question())
    assert one.answer(hall[0], "q", "b", "hall")
    for browser in strangers + hall:
        one.show_up(browser, 0, browser)
    assert sum(one.answer(browser, "q", "a", "elsewhere") for browser in strangers) == lesson.MOST_ANSWERS - 1
    assert all(one.answer(browser, "q", "b", "hall") for browser in hall)
    assert not any(one.answer(browser, "q", "a", "elsewhere") for browser in strangers[lesson.MOST_ANSWERS - 1 :])
    assert one.current().counts == (lesson.MOST_ANSWERS - 300, 300, 0)
    assert one.answer_of(strangers[0], "q") == "a", "the last ones give their places"
    assert one.answer_of(strangers[lesson.MOST_ANSWERS - 2], "q") is None


def test_answers_of_phones_whose_screens_are_locked_give_no_place_to_another_address():
    one, hall = lesson.Lesson("CODE", 0), [f"student {number}" for number in range(300)]
    strangers = [f"stranger {number}" for number in range(2 * lesson.MOST_ANSWERS)]
    one.ask(question())
    for browser in hall:
        one.show_up(browser, 0, browser)
        assert one.answer(browser, "q", "b", "hall")
    for browser in strangers:
        one.show_up(browser, lesson.HERE + 1, browser)
    assert one.present(lesson.HERE + 1) == lesson.MOST_ANSWERS
    room = lesson.MOST_ANSWERS - len(hall)
    assert [one.answer(browser, "q", "a", "elsewhere") for browser in strangers] == [True] * room + [False] * (
        len(strangers) - room
    )
    assert one.current().counts == (room, 300, 0)
    assert one.answer("late", "q", "c", "a third address")
    assert one.current().counts == (room - 1, 300, 1)


def test_one_who_is_here_is_known_however_many_others_come(monkeypatch):
    monkeypatch.setattr(lesson, "MOST_BROWSERS", 1)
    monkeypatch.setattr(lesson, "MOST_ANSWERS", 1)
    one = lesson.Lesson("CODE", 0)
    one.ask(question())
    assert one.answer("first", "q", "a")
    for now in (0, lesson.HERE, 2 * lesson.HERE):
        for browser in ("first", "second"):
            one.show_up(browser, now, browser)
        one.present(now)
    assert not one.answer("second", "q", "b"), "the first is here still"


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
    one = classes.start(ME)
    one.ask(question())
    one.answer("me", "q", "a")
    one.show_up("me", 0)
    classes.end(one.code)
    assert classes.find(one.code, ME) is None
    one.ask(question())
    assert one.current() is None
    assert one.answer_of("me", "q") is None
    assert one.present(0) == 0


def test_a_class_ends_by_itself(classes, clock):
    one = classes.start(ME)
    clock.now = store.LASTS - 1
    assert classes.is_on(one)
    clock.now = store.LASTS
    assert not classes.is_on(one)
    assert one.ended


def test_those_who_left_are_not_counted_as_present(classes):
    one = classes.start(ME)
    one.show_up("me", 0)
    one.show_up("you", lesson.HERE)
    assert one.present(lesson.HERE) == 2
    assert one.present(lesson.HERE + 1) == 1


def full(classes):
    """Take all places, by visitors who are unlike one another."""
    return [classes.start(store.Visitor(f"session {n}", f"address {n}")) for n in range(store.MOST)]


def test_twenty_strangers_cannot_end_a_class_where_somebody_is_present(classes, clock):
    mine, *others = full(classes)
    clock.now += store.IDLE - 1
    mine.show_up("student", clock.now)
    with pytest.raises(store.RefusedError, match="places"):
        classes.start(ME)
    clock.now += 2
    for n in range(store.MOST - 1):
        classes.start(store.Visitor(f"stranger {n}", f"far away {n}"))
    with pytest.raises(store.RefusedError, match="places"):
        classes.start(ME)
    assert classes.is_on(mine)
    assert not any(map(classes.is_on, others))


@pytest.mark.parametrize(
    ("most", "same", "other"),
    [
        (store.STARTS_OF_SESSION, "session", store.Visitor("another", "address 0")),
        (store.STARTS_OF_ADDRESS, "address", store.Visitor("another", "elsewhere")),
    ],
)
def test_a_session_and_an_address_start_so_many_classes(classes, clock, most, same, other):
    def visitor(n):
        return store.Visitor("me" if same == "session" else f"me {n}", f"address {n if same == 'session' else 0}")

    for n in range(most):
        classes.end(classes.start(visitor(n)).code)
    with pytest.raises(store.RefusedError, match="ten minutes"):
        classes.start(visitor(most))
    classes.start(other)
    clock.now += store.STARTS_PER
    classes.start(visitor(most))


def test_a_server_with_a_key_starts_no_class_without_it(clock):
    classes = store.Store(clock, key="öpen")
    for _ in range(store.WRONG_OF_SESSION + 1):
        with pytest.raises(store.RefusedError, match="asks for a key"):
            classes.start(ME)
    for _ in range(store.WRONG_OF_SESSION):
        with pytest.raises(store.RefusedError, match="not the key"):
            classes.start(ME, "open")
    with pytest.raises(store.RefusedError, match="Too many"):
        classes.start(ME, "öpen")
    clock.now += store.PER
    assert classes.is_on(classes.start(ME, "o\N{COMBINING DIAERESIS}pen")), "as some keyboards write it"


def test_a_session_types_so_many_wrong_codes_a_minute(classes, clock):
    one = classes.start(ME)
    for number in range(store.WRONG_OF_SESSION):
        assert classes.find(f"WRONG{number}", ME) is None
    with pytest.raises(store.RefusedError, match="Too many wrong codes"):
        classes.find(one.code, ME)
    assert classes.find(one.code, store.Visitor("neighbor", ME.address)) is one
    clock.now += store.PER
    assert classes.find(one.code, ME) is one


def test_a_lecture_hall_is_not_locked_out_by_one_who_guesses(classes):
    """All have one address; whoever guesses opens ever new sessions."""
    one = classes.start(ME)
    for number in range(2 * store.WRONG_OF_ADDRESS):
        with suppress(store.RefusedError):
            classes.find("WRONG00", store.Visitor(f"guesser {number // 20}", "hall"))
    for number in range(lesson.MOST_ANSWERS):
        assert classes.find(one.code, store.Visitor(f"student {number}", "hall")) is one
    slow = store.Visitor("mistyped once", "hall")
    assert classes.find("WRONG00", slow) is None
    with pytest.raises(store.RefusedError):
        classes.find(one.code, slow)


def test_a_million_guesses_find_no_code():
    assert 1_000_000 * store.MOST / len(store.LETTERS) ** store.LENGTH < 1 / 1000


def test_what_is_counted_is_bounded(classes):
    for number in range(110_000):
        classes._wrong.add(f"session {number}", 0.0)
    assert len(classes._wrong._events) == len(classes._wrong._numbers) == 100_000


def test_many_threads_at_once_lose_no_answer():
    one = lesson.Lesson("CODE", 0)
    one.ask(question())
    with ThreadPoolExecutor(8) as pool:
        taken = list(pool.map(lambda number: one.answer(str(number % 200), "q", "abc"[number % 3]), range(2000)))
    assert all(taken)
    assert one.current().total == 200


def test_a_lecturers_key_finds_the_class_while_it_goes_on_and_is_no_code(classes, clock):
    first, second = classes.start(ME), classes.start(ME)
    assert classes.lesson_of_host(first.host) is first
    assert classes.lesson_of_host(second.host) is second
    assert len({first.host, second.host, first.code, second.code}) == 4
    assert len(first.host) >= 43  # 256 bits
    for wrong in ("\ud800", "", first.code, first.host[:-1], "é"):
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
    for number in range(lesson.MOST_ANSWERS + 5):
        one.answer(str(number), "drawn", "0.50")
    assert one.current().total == lesson.MOST_ANSWERS
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
