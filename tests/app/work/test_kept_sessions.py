"""Who lost his connection may come back, however many others leave; addresses share the room."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.browser import kit
from tests.browser.classroom import hold, take_seat
from ui.work import kept_sessions, upload_quota


@pytest.fixture
def kept(monkeypatch):
    """Room for four sessions for a minute; who has it is named by his address and a number."""
    names = [f"{address}{number}" for address in "abc" for number in range(9)]
    monkeypatch.setattr(upload_quota, "_addresses", {name: name[0] for name in names})
    now = [0.0]
    sessions = kept_sessions.KeptSessions(60, most=4, clock=lambda: now[0])

    def save(*names, at=0.0):
        now[0] = at
        for name in names:
            sessions.save(SimpleNamespace(session=SimpleNamespace(id=name)))
        return [one.session.id for one in sessions.list()]

    save.sessions = sessions
    return save


def test_a_session_is_kept_for_a_minute(kept):
    assert kept("a1") == ["a1"]
    assert kept.sessions.get("a1").session.id == "a1"
    assert kept("b1", at=59) == ["a1", "b1"]
    assert kept(at=60) == ["b1"]
    assert kept.sessions.get("a1") is None
    assert kept("b1", at=100) == ["b1"], "it came back, and left again"
    assert kept(at=159) == ["b1"]


def test_a_session_that_drew_no_page_is_not_kept_and_what_is_not_there_can_be_deleted(kept):
    assert kept("a1", "nobody") == ["a1"]
    for name in ("nobody", "a1", "a1"):
        kept.sessions.delete(name)
    assert kept() == []


def test_of_too_many_the_oldest_goes_of_who_has_most(kept):
    assert kept("a1", "b1", "b2", "b3") == ["a1", "b1", "b2", "b3"]
    assert kept("b4") == ["a1", "b2", "b3", "b4"]
    assert kept("c1") == ["a1", "b3", "b4", "c1"]
    assert kept(*(f"b{number}" for number in range(5, 9))) == ["a1", "c1", "b7", "b8"]


@pytest.mark.page
def test_who_lost_his_connection_comes_back_however_many_others_leave(tmp_path):
    async def lose_it(room):
        url = room.servers[0].url
        async with take_seat(url) as seat:
            await seat.run("NaN_problem")
        for _ in range(15):
            async with AsyncExitStack() as stack:
                await asyncio.gather(*(stack.enter_async_context(take_seat(url)) for _ in range(10)))
        async with take_seat(url, seat.session) as back:
            back.pages = seat.pages
            await back.run("NaN_problem")
        return back.session == seat.session

    root = Path(__file__).parents[3]
    with kit.serve(kit.APP, root, tmp_path / "log", is_prepared=False) as server:
        assert hold(server, 0, lose_it)


def test_a_session_has_its_address_until_its_state_is_freed(monkeypatch):
    state = {}
    monkeypatch.setattr(upload_quota.streamlit_internals, "session", lambda: "s")
    monkeypatch.setattr(upload_quota.st, "session_state", state)
    monkeypatch.setattr(upload_quota, "current_visitor", lambda: SimpleNamespace(address="192.0.2.1"))
    upload_quota.admit_session()
    assert upload_quota.address_of("s") == "192.0.2.1"
    state.clear()
    assert upload_quota.address_of("s") is None
