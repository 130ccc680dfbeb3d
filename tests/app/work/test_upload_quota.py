"""Who uploads how much is counted from what passes, and bounded; the page says what was refused."""

from __future__ import annotations

import gc
import math
from contextlib import ExitStack
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

import tiekit as tk
from tests.app.reading import boxes
from tests.app.uploads import table_of
from tests.app.uploads import upload as choose_files
from tests.strategies import examples
from ui.work import bounded_reading, streamlit_internals, upload_quota

SESSIONS = {"a": "hall", "b": "hall", "c": "home", "d": "bus", "e": "bus"}
"""Sessions, and the address of each."""


@pytest.fixture
def quota(monkeypatch):
    monkeypatch.setattr(upload_quota, "MOST_BYTES", 256)
    monkeypatch.setattr(upload_quota, "MOST_FILES", 3)
    monkeypatch.setattr(upload_quota, "MOST_OF_ALL", 1000)
    monkeypatch.setattr(upload_quota, "MOST_OF_ADDRESS", 500)
    monkeypatch.setattr(upload_quota, "RESERVE", 0)
    monkeypatch.setattr(upload_quota, "LITTLE", 0)
    monkeypatch.setattr(upload_quota, "LITTLE_HERE", 0)
    monkeypatch.setattr(upload_quota, "BYTES_BESIDE", 1)
    monkeypatch.setattr(upload_quota, "_admitted", dict.fromkeys(SESSIONS, 1))
    monkeypatch.setattr(bounded_reading, "is_for_others", lambda: True)
    return upload_quota.Quota()


def has_room(quota, session, size):
    return quota.has_room(session, SESSIONS[session], size)


def upload(quota, session, file, size):
    with quota.upload(session, SESSIONS[session], size):
        quota.keep(session, file, size)


def test_what_was_removed_makes_room(quota):
    upload(quota, "a", "1", 200)
    assert has_room(quota, "a", 56)
    assert not has_room(quota, "a", 57)
    assert has_room(quota, "b", 256)
    upload(quota, "a", "1", 100)  # in place of the first
    assert has_room(quota, "a", 156)
    quota.remove("a", "1")
    quota.remove("a", "never there")
    quota.remove("never there", "1")
    assert has_room(quota, "a", 190)


def test_files_are_counted(quota):
    for file in "123":
        upload(quota, "a", file, 1)
    assert not has_room(quota, "a", 1)


def test_an_upload_under_way_counts_until_it_fails(quota, monkeypatch):
    monkeypatch.setattr(upload_quota, "MOST_OF_ADDRESS", 400)

    def fail():
        with quota.upload("a", "hall", 200):
            assert not has_room(quota, "a", 57)
            upload_quota._admitted.pop("a")
            assert has_room(quota, "b", 198)
            assert not has_room(quota, "b", 199), "the session has gone, but its upload comes"
            raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        fail()
    assert has_room(quota, "a", 256)
    assert not quota._sessions


def test_one_address_and_all_together_have_so_much_room(quota):
    for file in "12":
        upload(quota, "a", file, 120)
        upload(quota, "b", file, 120)
    assert has_room(quota, "b", 15)
    assert not has_room(quota, "b", 16), "with a byte beside each of five files"
    quota.remove("a", "1")
    assert not has_room(quota, "b", 16), "a page may keep what its browser has removed"
    upload(quota, "c", "1", 256)
    upload(quota, "d", "1", 245)
    assert has_room(quota, "e", 12)
    assert not has_room(quota, "e", 13), "all have brought 987"
    upload_quota._admitted["a"] += 1
    assert not has_room(quota, "b", 16)
    assert not has_room(quota, "e", 13)
    upload_quota._admitted["a"] += 1
    assert has_room(quota, "b", 16)
    assert has_room(quota, "e", 133)
    assert not has_room(quota, "e", 134), "two runs later none of it is kept"
    upload(quota, "e", "1", 120)
    assert not has_room(quota, "e", 13)
    upload_quota._admitted.pop("a")
    assert has_room(quota, "b", 16)
    assert has_room(quota, "e", 13)


def test_who_brought_little_has_room_although_two_strangers_bring_all_they_may(quota, monkeypatch):
    monkeypatch.setattr(upload_quota, "RESERVE", 300)
    monkeypatch.setattr(upload_quota, "LITTLE", 101)
    for session in "abd":
        upload(quota, session, "1", 232)
    assert not has_room(quota, "e", 1), "699 of 700"
    assert not has_room(quota, "a", 1)
    assert has_room(quota, "c", 100)
    assert not has_room(quota, "c", 101)
    upload(quota, "c", "1", 60)
    assert has_room(quota, "c", 39)
    assert not has_room(quota, "c", 40)


def test_one_session_denies_nothing_to_a_lecture_hall_with_it(quota, monkeypatch):
    monkeypatch.setattr(upload_quota, "RESERVE", 250)
    monkeypatch.setattr(upload_quota, "LITTLE_HERE", 21)
    monkeypatch.setattr(upload_quota, "LITTLE", 1000)
    monkeypatch.setattr(upload_quota, "_admitted", dict.fromkeys([*SESSIONS, *map(str, range(20))], 1))
    for number in range(40):
        if quota.has_room("a", "hall", 24):
            with quota.upload("a", "hall", 24):
                quota.keep("a", f"{number % 3}", 24)
            quota.remove("a", f"{number % 3}")
    assert not quota.has_room("b", "hall", 21)
    for session in range(11):
        assert quota.has_room(str(session), "hall", 20)
        with quota.upload(str(session), "hall", 20):
            quota.keep(str(session), "1", 20)


def test_what_a_page_keeps_counts_until_it_is_freed(quota):
    held = [quota.hold("a", "hall", 100) for _ in range(4)]
    assert all(held)
    assert has_room(quota, "b", 99)
    assert not has_room(quota, "b", 100)
    assert quota.hold("b", "hall", 101) is None
    assert quota.hold("c", "home", 500)
    upload_quota._admitted.pop("a")
    assert not has_room(quota, "b", 100), "somebody has it still"
    held.clear()
    assert has_room(quota, "b", 256)
    assert "a" not in quota._sessions


def test_a_session_counts_for_the_address_of_its_first_upload(quota):
    upload(quota, "a", "1", 250)
    upload(quota, "b", "1", 240)
    assert not quota.has_room("b", "home", 16)
    assert quota.has_room("c", "home", 16)


def test_on_ones_own_computer_a_session_alone_is_bounded(quota, monkeypatch):
    monkeypatch.setattr(bounded_reading, "is_for_others", lambda: False)
    for _ in range(9):
        upload(quota, "a", "1", 256)
        quota.remove("a", "1")
    assert has_room(quota, "a", 256)
    assert not has_room(quota, "a", 257)


STEPS = st.tuples(
    st.sampled_from(sorted(SESSIONS)),
    st.sampled_from(["take", "take", "fail", "begin", "end", "remove", "run", "go"]),
    st.sampled_from([0, 90, 200, 254, 256, 257]),
)


@examples(400)
@given(steps=st.lists(STEPS, min_size=5, max_size=40))
def test_there_is_room_for_just_as_much_as_is_said(steps):
    """Against sums over the list of all that came and did not go, and of all that is coming."""
    with pytest.MonkeyPatch.context() as patch:
        counted = quota.__wrapped__(patch)
        patch.setattr(upload_quota, "MOST_OF_ALL", 700)
        came: list[list[Any]] = []
        coming: dict[str, tuple[ExitStack, int]] = {}
        held = dict.fromkeys(SESSIONS, 0)

        def removed(session):
            held[session] = 0
            for one in came:
                if one[0] == session:
                    one[2] = min(one[2], 2)

        for session, step, size in steps:
            if step == "go" and session not in coming:
                upload_quota._admitted.pop(session, None)
                came = [one for one in came if one[0] != session]
            elif step == "remove":
                counted.remove(session, "file")
                removed(session)
            elif step == "run" and session in upload_quota._admitted:
                upload_quota._admitted[session] += 1
                for one in came:
                    one[2] -= one[0] == session
                came = [one for one in came if one[2] > 0]
            elif step == "end" and session in coming:
                coming.pop(session)[0].close()
            elif step in ("take", "fail", "begin") and session in upload_quota._admitted and session not in coming:
                charged = [*(one[:2] for one in came), *((name, number + 1) for name, (_, number) in coming.items())]
                of_address = sum(one for name, one in charged if SESSIONS[name] == SESSIONS[session])
                fits = of_address + size < 500 and sum(one for _, one in charged) + size < 700
                fits = fits and held[session] + size <= 256
                assert has_room(counted, session, size) == fits
                if fits:
                    under_way = ExitStack()
                    under_way.enter_context(counted.upload(session, SESSIONS[session], size))
                    if step == "begin":
                        coming[session] = under_way, size
                    elif step == "take":
                        counted.keep(session, "file", size)
                        removed(session)
                        came.append([session, size + 1, math.inf])
                        held[session] = size
                    if step != "begin":
                        under_way.close()


def page():
    from ui.work import upload_quota

    upload_quota.warn_if_refused("one")
    upload_quota.warn_if_refused("another")


def test_two_fields_of_a_page_can_say_it():
    app = AppTest.from_function(page, default_timeout=60).run()
    assert not app.exception


def admitting_page():
    from ui.work import upload_quota

    upload_quota.admit_session()


def test_a_set_for_which_there_is_no_room_is_refused_in_words_and_read_once(quota, monkeypatch, open_app):
    monkeypatch.setattr(upload_quota, "QUOTA", quota)
    monkeypatch.setattr(bounded_reading, "is_bounded", lambda: False)
    read, calls, file = bounded_reading.read, [], ("mine.csv", table_of())
    monkeypatch.setattr(bounded_reading, "read", lambda call, *rest: (calls.append(call), read(call, *rest))[1])
    app = open_app("5_Leaderboard")
    choose_files(app, None, file)
    assert upload_quota.NO_ROOM in boxes(app, "error")
    number = len(calls)
    app.run()
    assert upload_quota.NO_ROOM in boxes(app, "error")
    assert len(calls) == number
    monkeypatch.setattr(upload_quota, "MOST_OF_ADDRESS", 2**20)
    monkeypatch.setattr(upload_quota, "MOST_OF_ALL", 2**20)
    another = open_app("5_Leaderboard")
    choose_files(another, None, file)
    assert not another.error
    opened = another.session_state["opened_my files"][1]
    assert opened.data.digest == tk.read(dict([file])).digest
    assert sum(next(iter(quota._sessions.values())).kept) > sum(one.nbytes for one in opened.data.metrics.values())


def test_what_was_read_ahead_is_counted_and_taken_once(quota, monkeypatch):
    monkeypatch.setattr(upload_quota, "QUOTA", quota)
    monkeypatch.setattr(streamlit_internals, "session", lambda: "a")
    monkeypatch.setattr(upload_quota.st, "session_state", state := {})
    monkeypatch.setattr(bounded_reading, "read", lambda call, _: (call(), []))
    monkeypatch.setattr(upload_quota, "MOST_OF_ALL", 10_000)
    monkeypatch.setattr(upload_quota, "MOST_OF_ADDRESS", 10_000)
    kept = quota._sessions
    upload_quota.keep_ahead("mine", b"1" * 200, [])
    assert sum(kept["a"].kept) > 200
    upload_quota.keep_ahead("mine", b"2" * 200, [(tk.RoleWarning, "took it")])
    found, said, counted = upload_quota.read(lambda: b"anew", {}, "mine")
    assert (found, said) == (b"2" * 200, [(tk.RoleWarning, "took it")])
    assert sum(kept["a"].kept) < 400, "once"
    del counted
    assert upload_quota.read(lambda: b"anew", {}, "mine")[0] == b"anew"
    upload_quota.keep_ahead("mine", tk.ReadError("a.csv", "is empty"), [])
    for _ in range(2):
        with pytest.raises(tk.ReadError, match="is empty"):
            upload_quota.read(lambda: b"anew", {}, "mine")
    upload_quota.keep_ahead("mine", b"3" * 10_000, [])
    assert not state[upload_quota.AHEAD], "the page is told when it asks"


def test_a_session_is_admitted_by_its_page_until_its_state_is_freed(monkeypatch):
    session = "of no other test"  # else the end of an earlier test's page, which has the same name, ends this one
    monkeypatch.setattr(streamlit_internals, "session", lambda: session)
    app = AppTest.from_function(admitting_page, default_timeout=60).run()
    held = app.session_state["may upload"]
    assert app.run().session_state["may upload"] is held, "the end of another would end it"
    gc.collect()
    assert upload_quota.is_admitted(session)
    del app, held
    gc.collect()
    assert not upload_quota.is_admitted(session)
