"""The session that the server grows for most is ended where it grows too much; nobody else's is."""

from __future__ import annotations

import asyncio
import math
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed

from tests.browser import kit
from tests.browser.classroom import hold, take_seat
from ui.work import memory, streamlit_internals, upload_quota, visitor

A1, A2, B1 = (memory.Who(*name) for name in ("a1", "a2", "b1"))


@pytest.fixture
def _is_exact(monkeypatch):
    monkeypatch.setattr(memory, "LITTLE", 1)


def blamed(*looks, excess=math.inf):
    """Who is blamed, first to last, after looks at a size and at the seconds that each computed."""
    blame = memory.Blame()
    for size, seconds in looks:
        blame.note(size, 0, seconds)
    return blame.take_worst(excess)


@pytest.mark.usefixtures("_is_exact")
def test_who_computes_while_the_server_grows_is_blamed_the_most_first():
    looks = (100, {}), (200, {A1: 1.0}), (500, {B1: 2.0}), (600, {A1: 0.1, B1: 0.1})
    assert blamed(*looks) == [B1, A1]
    assert blamed((100, {}), (100, {A1: 1.0}), (900, {})) == [], "it grew for nobody who computed"


@pytest.mark.usefixtures("_is_exact")
def test_the_sessions_of_an_address_count_together_and_the_worst_of_them_goes_first():
    looks = (0, {}), (200, {A1: 1}), (500, {A2: 1}), (900, {B1: 1})
    assert blamed(*looks) == [A2, B1, A1]


@pytest.mark.usefixtures("_is_exact")
def test_nobody_is_blamed_where_only_less_is_counted():
    blame = memory.Blame()
    blame.note(1000, 600, {})
    blame.note(1000, 0, {A1: 1})
    assert blame.take_worst(1) == [], "files that were removed are counted no more"
    blame.note(1100, 600, {A1: 1})
    blame.note(1300, 600, {B1: 1})
    assert blame.take_worst(math.inf) == [B1], "the 100 before may be those that are counted anew"


def test_what_may_have_come_by_chance_is_nobody_s_fault():
    little = memory.LITTLE / 2
    looks = (0, {}), (9 * little, {A1: 1}), (10 * little, {B1: 1})
    assert blamed(*looks) == [A1]
    assert blamed(*looks, (11 * little, {memory.Who("b", "2"): 1})) == [A1, B1], "together they have enough"


@pytest.mark.usefixtures("_is_exact")
def test_what_the_server_gives_back_is_forgotten_for_all():
    looks = (0, {}), (600, {A1: 1}), (900, {B1: 1})
    assert blamed(*looks, (300, {}), (500, {B1: 1})) == [B1, A1], "200 + 100 after 200 and 100 of 600 and 300 were left"
    assert blamed(*looks, (0, {})) == []


@pytest.mark.usefixtures("_is_exact")
def test_no_more_are_ended_than_the_server_is_too_large():
    looks = (0, {}), (200, {A1: 1}), (500, {A2: 1}), (900, {B1: 1})
    assert blamed(*looks, excess=1) == [A2]
    assert blamed(*looks, excess=301) == [A2, B1]
    assert blamed(*looks, excess=0) == []


@pytest.mark.usefixtures("_is_exact")
def test_what_the_server_takes_before_it_is_looked_at_closely_is_nobody_s():
    assert blamed((900, {}), (1000, {A1: 1}), excess=500) == [A1]
    blame = memory.Blame()
    blame.note(900, 0, {})
    blame.note(1000, 0, {A1: 1, B1: 0})
    assert blame.take_worst(1) == [A1]
    blame.note(500, 0, {})  # nobody is left of whom it could be taken
    assert blame.take_worst(1) == []


def test_memory_is_watched_whatever_goes_wrong(monkeypatch, caplog):
    class EnoughError(BaseException):
        """Ends the test."""

    sizes = iter([OSError("no /proc"), EnoughError()])

    def fail():
        raise next(sizes)

    monkeypatch.setattr(memory, "_size", fail)
    monkeypatch.setattr(memory, "EASE", 0.0)
    with pytest.raises(EnoughError):
        memory.watch(None, None)
    assert "The size of the server is watched anew" in caplog.text


@given(st.lists(st.tuples(st.integers(0, 2**40), st.dictionaries(st.sampled_from((A1, A2, B1)), st.floats(0, 60)))))
def test_nobody_is_blamed_for_more_than_the_server_has_grown(looks):
    blame, size, grown = memory.Blame(), 0, 0
    for now, seconds in looks:
        blame.note(now, 0, seconds)
        if now % 3 == 0:
            blame.take_worst(now / 2)
        grown += max(0, now - size)
        size = now
    assert sum(blame._grown.values()) <= grown * (1 + 1e-9)
    assert min(blame._grown.values(), default=0) >= 0


def test_the_limit_is_what_the_environment_says_in_gb(monkeypatch):
    monkeypatch.delenv("TIEKIT_MEMORY", raising=False)
    assert memory.limit() == 2.5 * 2**30
    monkeypatch.setenv("TIEKIT_MEMORY", "0.5")
    assert memory.limit() == 2**29
    for wrong in ("much", "0", "-1", "nan", "inf"):
        monkeypatch.setenv("TIEKIT_MEMORY", wrong)
        with pytest.raises(SystemExit, match=f"TIEKIT_MEMORY: expected a number of GB, such as 3; found '{wrong}'"):
            memory.limit()


def test_a_result_that_another_one_needs_is_computed_for_the_same_session():
    here = threading.current_thread()
    with visitor.computing("s"):
        for inner in (None, "t"):
            with visitor.computing(inner):
                assert visitor.session_of(here) == (inner or "s")
            assert visitor.session_of(here) == "s"
    assert visitor.session_of(here) is None


def test_what_is_computed_for_a_session_ends_and_what_is_computed_for_others_does_not(monkeypatch):
    closed, cut, done, go = [], [], {}, threading.Event()
    monkeypatch.setattr(streamlit_internals, "close_session", closed.append)
    monkeypatch.setattr(memory, "connections", {name: lambda name=name: cut.append(name) for name in ("s", "t")})

    def work(session):
        try:
            with visitor.computing(session):
                done[session] = "begun"
                while not go.is_set():
                    time.sleep(0.001)
            done[session] = "whole"
        except memory.OutOfMemoryError as error:
            done[session] = str(error)

    threads = [threading.Thread(target=work, args=(session,)) for session in ("s", "t", None)]
    for thread in threads:
        thread.start()
    while len(done) < len(threads):
        time.sleep(0.001)
    memory.end(["s"], SimpleNamespace(call_soon_threadsafe=lambda call, *given: call(*given)))
    threads[0].join(60)
    go.set()
    for thread in threads:
        thread.join(60)
    assert "takes more memory than the server has" in done["s"]
    assert (done["t"], done[None]) == ("whole", "whole")
    assert (closed, cut) == (["s"], ["s"])
    assert not visitor._computing


KEEPS_ORDER = compile(
    """
def leave(places, is_told, enough):
    is_told.set()
    while not enough.wait(0.001):  # of Python's own, called from here
        pass
    places.clear()
""",
    str(Path(memory.__file__).with_name("made_up.py")),
    "exec",
)


@pytest.mark.parametrize("tries", [10**6, 2])
def test_what_leaves_a_place_is_not_ended_in_its_midst_unless_it_lasts(monkeypatch, tries):
    exec(KEEPS_ORDER, names := {})
    places, is_told, enough, heard = ["taken"], threading.Event(), threading.Event(), []
    monkeypatch.setattr(memory, "TRIES", tries)
    monkeypatch.setattr(memory, "LOOK", tries / 1_000)

    def work():
        try:
            with visitor.computing("s"):
                names["leave"](places, is_told, enough)
                while True:
                    time.sleep(0.001)
        except memory.OutOfMemoryError:
            heard.append("ended")

    worker = threading.Thread(target=work)
    worker.start()
    is_told.wait()
    if tries > 2:
        threading.Timer(0.05, enough.set).start()
    memory.end(["s"], SimpleNamespace(call_soon_threadsafe=lambda *_: None))
    worker.join(60)
    assert (heard, places) == (["ended"], [] if tries > 2 else ["taken"])


GROWING = f"""
from ui.work import upload_quota
admit = upload_quota.admit_session
def admit_and_grow():
    admit()
    import streamlit as st
    held = []
    while "grow" in st.query_params and len(held) < 3_000:  # MB
        held.append(bytes(2**20) + b"1")
upload_quota.admit_session = admit_and_grow
{kit.UNPREPARED}
"""
"""The app, whose pages take memory without an end if the address says so."""


@pytest.mark.page
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a process cannot look at its own threads")
def test_a_page_that_takes_memory_without_an_end_is_ended_and_the_server_goes_on(tmp_path, monkeypatch):
    monkeypatch.setenv("TIEKIT_PUBLIC", "1")
    monkeypatch.setenv("TIEKIT_MEMORY", "1")
    monkeypatch.setattr(kit, "UNPREPARED", GROWING)

    async def lesson(room):
        [other] = room.seats
        await other.run("NaN_problem")
        async with take_seat(other.url) as seat:
            with pytest.raises(ConnectionClosed):
                await asyncio.wait_for(seat.run("NaN_problem", grow="1"), 60)
            ended = seat.session
        while room.memory() > 900:
            await asyncio.sleep(0.1)
        async with take_seat(other.url, ended) as back:
            await back.run("NaN_problem")
            await back.run("NaN_problem")
            assert back.session != ended, "its session is kept"
            assert back.toasts == [memory.WORDS], "said once"
        before = other.session
        await other.run("NaN_problem")
        assert (other.session, other.errors, other.toasts) == (before, [], [])

    root = Path(__file__).parents[3]
    with kit.serve(kit.APP, root, tmp_path / "log", is_prepared=False) as server:
        hold(server, 1, lesson)
        assert "and ends the sessions that it grew for most (1)" in server.log()


def test_what_is_counted_is_put_down_to_nobody(monkeypatch):
    """An upload arrives while another visitor's page is drawn: nothing is said of him, but of what grows beside."""
    noted, sizes = [], iter([2**20, 50 * 2**20 + 100, 50 * 2**20 + 200])
    quota = upload_quota.Quota()

    class EnoughError(BaseException):
        """Ends the test."""

    class Noting(memory.Blame):
        def note(self, size, counted, seconds):
            noted.append((size, counted))
            super().note(size, counted, seconds)

    def size():
        return next(sizes, None) or fail()

    def fail():
        raise EnoughError

    monkeypatch.setattr(memory, "Blame", Noting)
    monkeypatch.setattr(memory, "_size", size)
    with quota.upload("s", "192.0.2.1", 2**26) as coming:
        coming.arrived = 2**20
        with pytest.raises(EnoughError):
            memory._watch(None, None, [quota.bytes_here, lambda: 50])
    assert noted == [(one, 2**20 + 50) for one in (2**20, 50 * 2**20 + 100, 50 * 2**20 + 200)]


@pytest.mark.parametrize(("counted", "n_ended"), [(0, 1), (2**30, 1), (2**31, 0)])
def test_nobody_is_ended_where_the_server_is_too_large_by_what_is_counted_alone(monkeypatch, counted, n_ended):
    """Strangers who bring all files that they may would have everybody ended who computes."""

    class EnoughError(BaseException):
        """Ends the test."""

    here, ended = 3 * 2**30, []
    sizes, of_uploads = iter([2**29, 2**30, here]), iter([0, 0, counted])

    def size():
        if (found := next(sizes, None)) is None:
            raise EnoughError
        return found

    monkeypatch.setattr(memory, "_size", size)
    monkeypatch.setattr(memory, "_at_work", lambda: {threading.get_native_id(): A1})
    monkeypatch.setattr(memory, "_processor_time", lambda _: time.monotonic())
    monkeypatch.setattr(memory, "end", lambda sessions, _: ended.extend(sessions))
    with pytest.raises(EnoughError):
        memory._watch(None, None, [lambda: next(of_uploads)])
    assert len(ended) == n_ended


def test_what_is_counted_is_what_uploads_and_pages_hold_as_far_as_it_is_here():
    quota = upload_quota.Quota()
    assert quota.bytes_here() == 0
    with quota.upload("s", "192.0.2.1", 100) as coming:
        assert quota.bytes_here() == 0
        coming.arrived = 60
        assert quota.bytes_here() == 60
        coming.arrived = 0
        quota.keep("s", "a.csv", 100)
        assert quota.bytes_here() == 100 + upload_quota.BYTES_BESIDE
    kept = quota.hold("s", "192.0.2.1", 50)  # the file is counted no more: this session has drawn no page
    assert quota.bytes_here() == 50
    del kept
    assert quota.bytes_here() == 0
