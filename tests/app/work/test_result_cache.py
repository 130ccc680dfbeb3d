"""Results that are shared between visitors, and work that stops."""

import threading
import time
import tracemalloc
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
import streamlit
from streamlit.testing.v1 import AppTest

from ui.work import places, result_cache, sizes
from ui.work.visitor import Visitor


class StopError(Exception):
    """What Streamlit raises inside of a call to stop a run, in the tests' words."""


def raise_stop(_share):
    raise StopError


def ignore(_share):
    pass


def get(results, key, compute, beat, name):
    """Get a result for a visitor, whose address is the first letter of the name."""
    return results.get(key, compute, beat, Visitor(name, name[0]))


def test_a_result_is_computed_once():
    results, calls = result_cache.Results(), []
    for _ in range(2):
        assert results.get("a", lambda _: calls.append("a") or 7, ignore) == 7
    assert calls == ["a"]
    assert results.find("a") == (7,)
    assert results.find("b") == ()


def test_the_oldest_result_goes_first():
    results = result_cache.Results(2)
    for key in ("a", "b", "a", "c"):
        results.get(key, lambda _: 1, ignore)
    assert [key for key in "abc" if results.find(key)] == ["a", "c"]


def test_the_oldest_results_go_first_where_they_take_too_many_bytes():
    results = result_cache.Results(100, 1_000_000)
    for key in range(12):
        results.get(key, lambda _: {"scores": np.zeros(25_000), "names": ["A"]}, ignore)
        assert results.held_bytes() <= 1_000_000
    assert [key for key in range(12) if results.find(key)] == [8, 9, 10, 11]
    results.get("large", lambda _: np.zeros(10**6), ignore)  # the newest is kept in any case
    assert [key for key in [*range(12), "large"] if results.find(key)] == ["large"]
    results.get("other", lambda _: 1, ignore)
    assert results.find("large") == ()
    for number in range(5):
        results.get((number, "name" * 100_000), lambda _: 1, ignore)
    assert not results.find((2, "name" * 100_000)), "keys count: they hold the names of a visitor's set"


def test_what_all_visitors_files_have_brought_is_bounded_in_bytes():
    for shared in (result_cache._results(), result_cache._trifles()):
        assert shared._kept_bytes <= 64 * 2**20


def test_the_bytes_of_a_result_are_those_of_its_arrays_and_of_the_rest():
    frame = pd.DataFrame(np.zeros((1_000, 8)))
    assert 64_000 <= sizes.size_of((frame, "text")) <= 70_000
    assert sizes.size_of(lambda: 0) == sizes.UNKNOWN


@pytest.mark.parametrize("sign", ["", "\u00e9", "\u0436", "\u7ffb", "\U0001f600"])
def test_texts_count_as_python_keeps_them(sign):
    tracemalloc.start()
    texts = tuple("a" * (2_000 + number) + sign for number in range(200))
    size = sizes.size_of({"outputs": texts, "again": texts})
    held = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert 0.95 * held <= size <= 1.3 * held


def test_what_is_stopped_leaves_nothing_behind_and_can_begin_again():
    results = result_cache.Results()
    with pytest.raises(StopError):
        results.get("a", lambda beat: beat(0.5), raise_stop)
    assert results.find("a") == ()
    assert results.get("a", lambda _: 3, ignore) == 3


def compute_slowly(results, key, go, started, calls):
    def compute(_beat):
        calls.append(key)
        started.set()
        go.wait(10)
        return key

    thread = threading.Thread(target=results.get, args=(key, compute, ignore))
    thread.start()
    assert started.wait(10)
    return thread


def test_visitors_wait_for_one_computation_and_nobody_for_anothers():
    results, calls, go = result_cache.Results(), [], threading.Event()
    first = compute_slowly(results, "slow", go, threading.Event(), calls)
    assert results.get("other", lambda _: 5, ignore) == 5  # while the slow one is at work
    with pytest.raises(StopError):  # who waits can be stopped
        results.get("slow", lambda _: 1, raise_stop)
    beats, found = [], []
    second = threading.Thread(
        target=lambda: found.append(results.get("slow", lambda _: calls.append("again"), beats.append))
    )
    second.start()
    while not beats:
        time.sleep(0.01)
    go.set()
    first.join(10)
    second.join(10)
    assert (calls, found) == (["slow"], ["slow"])


def test_who_was_stopped_is_waited_for_no_longer():
    results = result_cache.Results()
    with pytest.raises(StopError), results.visitor():
        raise StopError
    results.let_visitors_pass()


def test_what_is_prepared_lets_visitors_pass_midway_unless_one_waits_for_it(monkeypatch):
    results, begun, passed = result_cache.Results(), threading.Event(), threading.Event()
    monkeypatch.setattr(result_cache, "_results", lambda: results)

    def compute(beat):
        begun.set()
        beat(0.5)
        passed.set()
        return "prepared"

    with results.visitor():
        other = threading.Thread(
            target=lambda: results.get("prepared", compute, result_cache._let_visitors_pass("prepared"))
        )
        other.start()
        assert begun.wait(10)
        assert not passed.wait(0.3)  # somebody waits for something else
        assert results.get("prepared", compute, ignore) == "prepared"
    other.join(10)
    assert passed.is_set()


def test_a_crowd_that_waits_for_one_result_looks_seldom(monkeypatch):
    monkeypatch.setattr(result_cache, "HEARTBEAT", 0.01)
    results, looks, go = result_cache.Results(), [], threading.Event()
    first = compute_slowly(results, "slow", go, threading.Event(), [])
    with ThreadPoolExecutor(40) as pool:
        crowd = [pool.submit(results.get, "slow", lambda _: 1, looks.append) for _ in range(40)]
        time.sleep(1.0)
        go.set()
        assert {one.result(10) for one in crowd} == {"slow"}
    first.join(10)
    assert 0 < len(looks) < 40 * 1.0 / result_cache.HEARTBEAT / 10


def test_if_one_leaves_the_others_get_the_result_when_they_would_have():
    results, begun, go, beats, calls, found = result_cache.Results(), threading.Event(), threading.Event(), [], [], []

    def compute(beat):
        calls.append("computed")
        begun.set()
        while not go.wait(0.001):
            beat(0.5)
        return 7

    def want(name, look=beats.append):
        try:
            found.append(get(results, "slow", compute, look, name))
        except StopError:
            found.append("stopped")

    def stop_when_begun(_share):
        assert begun.wait(10)
        if results._jobs["slow"].wanted > 1:
            raise StopError

    threads = [threading.Thread(target=want, args=("a1", stop_when_begun)), threading.Thread(target=want, args=("b1",))]
    for thread in threads:
        thread.start()
    threads[0].join(10)
    assert found == ["stopped"]
    threads.append(threading.Thread(target=want, args=("c1",)))
    threads[2].start()
    while beats.count(0.5) < 2:
        time.sleep(0.001)
    go.set()
    for thread in threads:
        thread.join(10)
    assert found == ["stopped", 7, 7]
    assert calls == ["computed"]
    assert not results._jobs


def test_a_result_that_nobody_wants_any_more_is_computed_no_further():
    results, begun, ended = result_cache.Results(), threading.Event(), threading.Event()

    def compute(beat):
        begun.set()
        try:
            while True:
                beat(0.5)
                time.sleep(0.001)
        finally:
            ended.set()

    def stop_when_begun(_share):
        if begun.is_set():
            raise StopError

    with pytest.raises(StopError):
        get(results, "slow", compute, stop_when_begun, "a1")
    assert ended.wait(10)
    assert get(results, "slow", lambda _: 5, ignore, "a1") == 5


def test_what_is_prepared_is_finished_though_the_visitor_for_whom_it_began_has_left(monkeypatch):
    monkeypatch.setattr(result_cache, "SLICE", 0.0)
    results, joined = result_cache.Results(), threading.Event()

    def compute(beat):
        assert joined.wait(10)
        while results._jobs["key"].visitors:
            time.sleep(0.001)
        beat(0.5)
        return 7

    def stop_when_joined(_share):
        if results._jobs["key"].wanted > 1:
            joined.set()
            raise StopError

    with ThreadPoolExecutor(2) as pool:
        visit = pool.submit(get, results, "key", compute, stop_when_joined, "a1")
        while "key" not in results._jobs:
            time.sleep(0.001)
        prepared = pool.submit(results.get, "key", compute, ignore)
        with pytest.raises(StopError):
            visit.result(10)
        assert prepared.result(10) == 7
    assert result_cache._places.n_taken() == 0


def test_a_result_is_computed_where_there_is_no_room_for_a_thread(monkeypatch):
    def refuse(_):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    results = result_cache.Results()
    assert get(results, "key", lambda _: 7, ignore, "a1") == 7
    assert not results._jobs


def test_a_task_that_goes_on_after_its_end_does_not_end_the_next_one():
    results, (begun, ended, again, done) = result_cache.Results(), [threading.Event() for _ in range(4)]

    def go_on(beat):
        begun.set()
        for wait in (ended, again):
            try:
                while not wait.is_set():
                    beat(0.5)
                    time.sleep(0.001)
                beat(0.5)
            except result_cache._UnwantedError:
                assert wait.wait(10)
        done.set()

    def stop_when_begun(_share):
        if begun.is_set():
            raise StopError

    with pytest.raises(StopError):
        get(results, "key", go_on, stop_when_begun, "a1")
    while "key" in results._jobs:
        time.sleep(0.001)
    ended.set()

    def compute(_):
        again.set()
        assert done.wait(10)
        assert "key" in results._jobs, "others who come wait for this one"
        return 7

    assert get(results, "key", compute, ignore, "b1") == 7


def test_an_error_is_told_to_all_who_want_the_result():
    results, both = result_cache.Results(), threading.Event()

    def fail(_):
        assert both.wait(10)
        raise KeyError("the task is wrong")

    with ThreadPoolExecutor(2) as pool:
        told = [pool.submit(get, results, "key", fail, ignore, name) for name in ("a1", "b1")]
        while "key" not in results._jobs or results._jobs["key"].wanted < 2:
            time.sleep(0.001)
        both.set()
        for one in told:
            with pytest.raises(KeyError, match="the task is wrong"):
                one.result(10)


def page():
    import streamlit as st

    from ui.work import result_cache

    computed = st.session_state.setdefault("computed", [])

    def compute(name, beat):
        beat(0.5)
        computed.append(name)
        return name.upper()

    tasks = {name: ((name, 1), lambda beat, name=name: compute(name, beat)) for name in ("a", "b")}
    if st.session_state.pop("one_is_there", False):
        result_cache._results().get(("a", 1), lambda _: "A", lambda _: None)
    found = result_cache.compute("Working", tasks)
    st.text(str(found))


@pytest.fixture
def app():
    streamlit.cache_resource.clear()
    return AppTest.from_function(page)


def test_finished_work_shows_no_bar_and_is_not_done_again(app):
    app.run()
    assert app.text[0].value == "{'a': 'A', 'b': 'B'}"
    assert not app.button
    app.run()
    assert app.session_state["computed"] == ["a", "b"]


def test_stopped_work_shows_what_there_is_and_goes_on(app):
    app.session_state["one_is_there"] = True
    app.session_state["stopped_jobs"] = {hash((("a", 1), ("b", 1)))}
    app.run()
    assert app.text[0].value == "{'a': 'A'}"
    assert "1 of 2 are not computed" in app.info[0].value
    app.button(key="go on Working").click().run()
    assert app.text[0].value == "{'a': 'A', 'b': 'B'}"
    assert app.session_state["computed"] == ["b"]
    assert not app.info


def failing_page():
    import streamlit as st

    import tiekit as tk
    from ui.work import result_cache

    def fail(_beat):
        raise tk.InputError("human: *must* be told")

    st.text(str(result_cache.compute("Working", {"a": (("fails",), fail), "b": (("works",), lambda _beat: 1)})))


def test_what_fails_on_purpose_is_said_and_left_out():
    app = AppTest.from_function(failing_page).run()
    assert not app.exception
    assert [error.value.replace("\\", "") for error in app.error] == ["a: human: *must* be told"]
    assert app.text[0].value == "{'b': 1}"


class Bar:
    """What stands for a bar of Streamlit, and notes what is sent."""

    def __init__(self):
        self.sent = []

    def progress(self, share, words):
        self.sent.append((share, words))


def test_a_bar_that_stands_still_sends_nothing_but_lets_streamlit_stop_the_run(monkeypatch):
    monkeypatch.setattr(result_cache, "HEARTBEAT", 0.0)
    asked, bar = [], Bar()
    monkeypatch.setattr(
        result_cache.st, "session_state", type("State", (), {"get": lambda _, key: asked.append(key)})()
    )
    beat = result_cache._beat(bar, 0, 2, "Working")
    for _ in range(100):
        beat(0.0)
    assert bar.sent == [(0.0, "Working")]
    assert len(asked) == 100
    for share in (0.004, 0.5, 0.501, 1.0):
        beat(share)
    assert [share for share, _ in bar.sent] == [0.0, 0.25, 0.5]


def test_who_is_far_behind_in_the_line_looks_more_seldom(monkeypatch):
    monkeypatch.setattr(result_cache, "HEARTBEAT", 0.02)
    waited = []

    class Ended(threading.Event):
        def wait(self, timeout=None):
            waited.append(timeout)
            return super().wait(timeout)

    monkeypatch.setattr(result_cache, "Event", Ended)
    line, may_end = places.Places(1), threading.Event()
    monkeypatch.setattr(result_cache, "_places", line)
    results = result_cache.Results()
    with ThreadPoolExecutor(8) as pool:
        held = pool.submit(get, results, "first", lambda _: may_end.wait(30), ignore, "a1")
        while not line.n_taken():
            time.sleep(0.001)
        crowd = [
            pool.submit(get, results, name, lambda _: 1, ignore, name) for name in ("b1", "b2", "b3", "b4", "b5", "b6")
        ]
        while len(line._waiting) < 6:
            time.sleep(0.001)
        time.sleep(0.5)
        may_end.set()
        for one in (held, *crowd):
            one.result(30)
    assert {round(one / result_cache.HEARTBEAT) for one in waited} == {1, 2, 3, result_cache.FAR}


def test_one_long_task_is_no_part_of_many(monkeypatch):
    assert "1 of 1" not in result_cache._say_stopped(1, 1)
    told = []
    monkeypatch.setattr(result_cache, "_beat", lambda *given: told.append(given[-1]) or ignore)
    result_cache.compute("Working", {"all of it": (("alone", 1), lambda _: 7)})
    result_cache.compute("Working", {"name" * 60_000: (("long", 1), lambda _: 7)})
    assert told[0] == "Working: all of it"
    assert len(told[1]) < 300, "each step of the bar sends it"


def test_the_time_left_is_told_from_what_is_done():
    assert result_cache.say_left(1.0, 0.01) == ""
    assert result_cache.say_left(10.0, 0.0) == ""
    assert result_cache.say_left(10.0, 0.5) == ", less than a minute left"
    assert result_cache.say_left(10.0, 0.05) == ", about 3 minutes left"
    assert result_cache.say_left(20.0, 0.5, more=5) == ", about 4 minutes left"


@pytest.fixture
def _one_place(monkeypatch):
    monkeypatch.setattr(result_cache, "_places", places.Places(1, step=0.01))


@pytest.mark.usefixtures("_one_place")
def test_one_result_is_computed_at_a_time():
    results, begun, looks, may_end = result_cache.Results(), [], [], threading.Event()

    def visit(name):
        def compute(_):
            begun.append(name)
            assert may_end.wait(30)
            return name

        return get(results, name, compute, lambda share: looks.append((name, share)), name)

    with ThreadPoolExecutor(6) as pool:
        computed = []
        for name in ("a1", "a2", "b1"):
            computed.append(pool.submit(visit, name))
            while name not in [*begun, *(one for one, _ in looks)]:
                time.sleep(0.001)
        assert begun == ["a1"]
        may_end.set()
        assert [one.result(30) for one in computed] == ["a1", "a2", "b1"]
    assert begun == ["a1", "b1", "a2"], "whose address has none goes first"
    assert {share for _, share in looks} == {0.0}, "the bar stands still, and Streamlit can stop the run"


def test_of_all_visitors_one_result_is_computed_at_a_time_and_their_pages_count():
    assert result_cache._places._number == 1
    assert result_cache._places._patience < 10
    assert result_cache._places._served is places.COMPUTED


@pytest.mark.usefixtures("_one_place")
def test_who_computes_for_long_lets_others_pass_and_goes_on_where_he_was(monkeypatch):
    monkeypatch.setattr(result_cache, "SLICE", 0.01)
    results, begun, may_end = result_cache.Results(), [], threading.Event()

    def visit(name, *, long):
        bar = []

        def compute(beat):
            begun.append(name)
            for step in range(1, 10_000):
                beat(step / 10_000)
                time.sleep(0.001)
                if not long or may_end.is_set():
                    return step, bar
            raise AssertionError("nobody ended it")

        return get(results, name, compute, bar.append, name)

    with ThreadPoolExecutor(3) as pool:
        long = [pool.submit(visit, name, long=True) for name in ("a1", "a2")]
        while len(begun) < 2:
            time.sleep(0.001)
        assert pool.submit(visit, "a3", long=False).result(5)[0] == 1
        may_end.set()
        for step, bar in (one.result(30) for one in long):
            assert step > 1
            assert bar == sorted(bar), "the bar goes on where it was"


def test_who_waits_in_a_line_computes_in_the_place_of_another_who_wants_it_too(monkeypatch):
    monkeypatch.setattr(result_cache, "_places", places.Places(1, patience=0.05))
    results, computed, may_end = result_cache.Results(), [], threading.Event()

    def hold(_):
        assert may_end.wait(30)

    def compute(_):
        computed.append("result")
        return 7

    with ThreadPoolExecutor(5) as pool:
        held = pool.submit(get, results, "a1", hold, ignore, "a1")
        while result_cache._places.n_taken() < 1:
            time.sleep(0.001)
        waits = threading.Event()
        first = pool.submit(get, results, "key", compute, lambda _: waits.set(), "a2")
        assert waits.wait(30)
        assert not computed
        others = [pool.submit(get, results, "key", compute, ignore, name) for name in ("b1", "c1")]
        assert [one.result(30) for one in (first, *others)] == [7] * 3
        assert computed == ["result"], "once for all addresses"
        may_end.set()
        held.result(30)
    assert not results._jobs
    assert result_cache._places.n_taken() == 0
