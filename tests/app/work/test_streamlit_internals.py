"""Is all there that the app uses of Streamlit's insides, and does it do without? Each test names what is lacking."""

from __future__ import annotations

import contextlib
import re
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest
import streamlit as st
from packaging.requirements import Requirement
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.state import SafeSessionState, SessionState
from streamlit.runtime.state.query_params import QueryParams
from streamlit.testing.v1 import AppTest

from ui.work import streamlit_internals as internals

ROOT = Path(__file__).parents[3]
USED = re.compile(r"data-test|\.st[A-Z]\w+|(?:from|import) streamlit(?:\.(?!testing|errors)| import)")


@pytest.fixture(scope="module")
def front_end():
    """All of the code that Streamlit sends to the browser, by kind of file."""
    folder = Path(st.__file__).parent / "static"
    return {
        kind: "\n".join(file.read_text(encoding="utf-8") for file in sorted(folder.rglob(f"*.{kind}")))
        for kind in ("js", "css")
    }


@pytest.mark.parametrize("name", internals.PARTS)
def test_the_browser_knows_the_part(front_end, name):
    made = re.sub(r"-\w+$", "-${", name)  # the kind of a button is put in by the browser
    written = [f"{mark}{name}{mark}" for mark in "`'\""] + [f"`{made}"] * (made != name)
    assert any(text in front_end["js"] for text in written), f"{name}: {internals.PARTS[name]}"


def test_the_browser_says_whether_a_page_is_running_and_has_the_font(front_end):
    assert {"data-test-script-state", "data-test-connection-state"} <= set(re.findall(r"[\w-]+", front_end["js"]))
    assert re.search(rf"@font-face{{[^}}]*{internals.FONT}[^}}]*font-style: ?normal", front_end["css"])


def test_a_part_without_a_reason_is_refused_and_at_most_seven_are_private():
    with pytest.raises(KeyError, match="stToolbar"):
        internals.part("stToolbar")
    assert len(internals.PRIVATE) <= 7


def test_a_file_is_held_where_streamlit_holds_files(monkeypatch):
    assert "media_file_mgr" in dir(Runtime), "Runtime.media_file_mgr"
    storage = MemoryMediaFileStorage("/media")
    files = MediaFileManager(storage)
    monkeypatch.setattr(internals.runtime, "get_instance", lambda: type("Server", (), {"media_file_mgr": files}))
    internals.hold_file(b"a,b\n1,2\n", "text/csv", "file 0", "table.csv")
    [held] = storage._files_by_id.values()
    assert (held.content, held.mimetype, held.filename) == (b"a,b\n1,2\n", "text/csv", "table.csv")
    internals.drop_file("file 0")
    assert [held.content for held in storage._files_by_id.values()] == [b""]


def test_a_run_that_back_has_started_is_told_and_starts_controls_as_it_is_said(monkeypatch):
    address = QueryParams()
    address.set_initial_query_params("a=1")
    state = type("State", (), {"query_params": lambda _: contextlib.nullcontext(address)})()
    asked = {"query_string": "a=1&b=2&b=3&c=&embed=true"}
    run = type("Run", (), {"is_history_navigation": True, "session_state": state, **asked})()
    assert not internals.is_history_run()
    monkeypatch.setattr(internals, "_run", lambda: run)
    assert internals.is_history_run()
    assert internals.asked_address() == {"a": ["1"], "b": ["2", "3"], "c": [""]}
    internals.start_with("a", "2")
    internals.start_with("b", "3", "4")
    assert (address.get_initial_value("a"), address.get_initial_value("b")) == ("1", ["3", "4"])
    internals.start_without("a")
    assert address.get_initial_value("a") is None


def page():
    import streamlit as st

    from ui.work import streamlit_internals as internals

    st.text(f"{internals._run() is not None} {internals.is_history_run()}")


def test_a_run_knows_that_it_is_one():
    assert AppTest.from_function(page, default_timeout=60).run().text[0].value == "True False"


def test_nothing_fails_where_a_release_lacks_them(monkeypatch):
    monkeypatch.setattr(internals, "_run", lambda: object())
    monkeypatch.setattr(internals.runtime, "get_instance", lambda: object())
    assert not internals.is_history_run()
    assert internals.asked_address() == {}
    internals.start_with("a", "2")
    internals.start_without("a")
    internals.hold_file(b"a,b\n", "text/csv", "file 0", "table.csv")
    monkeypatch.delattr(SafeSessionState, "filtered_state")
    internals.look_up_on_demand()
    assert not hasattr(SafeSessionState, "filtered_state")
    monkeypatch.delattr(AppSession, "flush_browser_queue")
    internals.send_to_who_is_there()
    assert not hasattr(AppSession, "flush_browser_queue")


def test_whose_connection_has_gone_is_sent_no_further_message(monkeypatch):
    there = {"here", "leaves"}
    server = SimpleNamespace(is_active_session=there.__contains__)
    monkeypatch.setattr(internals.runtime, "get_instance", lambda: server)
    monkeypatch.setattr(AppSession, "flush_browser_queue", lambda _: [1, 2, 3])
    internals.send_to_who_is_there()
    assert list(AppSession.flush_browser_queue(SimpleNamespace(id="here"))) == [1, 2, 3]
    assert list(AppSession.flush_browser_queue(SimpleNamespace(id="has gone"))) == []
    messages = iter(AppSession.flush_browser_queue(SimpleNamespace(id="leaves")))
    assert next(messages) == 1
    there.remove("leaves")
    assert list(messages) == []


def test_every_release_since_the_oldest_that_works_is_admitted():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    [needed] = [required for required in map(Requirement, extras["app"]) if required.name == "streamlit"]
    assert needed.specifier.contains(st.__version__)
    assert str(needed.specifier) == ">=1.67"


def test_nothing_else_touches_streamlits_insides():
    own = Path(internals.__file__)
    files = [
        file
        for folder in ("ui", "pages")
        for kind in ("py", "js", "css")
        for file in (ROOT / folder).rglob(f"*.{kind}")
    ]
    found = {file.name: USED.findall(file.read_text(encoding="utf-8")) for file in files if file != own}
    assert not {name: uses for name, uses in found.items() if uses}


@pytest.fixture
def session(monkeypatch):
    """A session as Streamlit guards it, and what it gave before single keys were looked up on demand."""
    monkeypatch.setattr(SafeSessionState, "filtered_state", SafeSessionState.filtered_state)
    state = SessionState()
    safe = SafeSessionState(state, lambda: None)
    state["kept"], state["none"] = [1, 2], None
    monkeypatch.setattr(internals.st, "session_state", safe)
    before = safe.filtered_state
    internals.look_up_on_demand()
    return safe, before


def test_single_keys_of_a_session_are_looked_up_without_making_all_of_it(session, monkeypatch):
    monkeypatch.setattr(SessionState, "_keys", lambda _: pytest.fail("all keys were walked through"))
    held = session[0].filtered_state
    assert ("kept" in held, "none" in held, "other" in held) == (True, True, False)
    assert (held["kept"], held["none"], held.get("none", 3), held.get("other")) == ([1, 2], None, None, None)
    with pytest.raises(KeyError):
        held["other"]


def test_all_that_a_session_holds_can_still_be_walked_through(session):
    held, before = session[0].filtered_state, session[1]
    assert dict(held) == dict(before) == {"kept": [1, 2], "none": None}
    assert (len(held), str(held), list(held)) == (2, str(before), list(before))
