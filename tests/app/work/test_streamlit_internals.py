"""Is all there that the app uses of Streamlit's insides? Each test says by name what the installed release lacks."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import logging
import re
import tempfile
import threading
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest
import streamlit as st
from packaging.requirements import Requirement
from starlette.datastructures import Headers
from starlette.formparsers import MultiPartParser
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.scriptrunner import exec_code, script_runner
from streamlit.runtime.scriptrunner_utils import script_run_context
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext
from streamlit.runtime.state import SafeSessionState, SessionState
from streamlit.runtime.state.query_params import QueryParams
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager
from streamlit.web import cli
from streamlit.web.server.starlette import starlette_app

from ui.work import streamlit_internals as internals

ROOT = Path(__file__).parents[3]
USED = re.compile(r"data-test|\.st[A-Z]\w+|(?:from|import) streamlit(?:\.(?!testing)| import)")


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


def test_the_browser_says_whether_a_page_is_running(front_end):
    assert "data-test-script-state" in front_end["js"]


def test_the_browser_has_the_font(front_end):
    assert re.search(rf"@font-face{{[^}}]*{internals.FONT}[^}}]*font-style: ?normal", front_end["css"])


def test_a_part_without_a_reason_is_refused():
    with pytest.raises(KeyError, match="stToolbar"):
        internals.part("stToolbar")


def test_a_file_is_held_where_streamlit_holds_files(monkeypatch):
    assert "media_file_mgr" in dir(Runtime), "Runtime.media_file_mgr"
    storage = MemoryMediaFileStorage("/media")
    files = MediaFileManager(storage)
    monkeypatch.setattr(internals.runtime, "get_instance", lambda: type("Server", (), {"media_file_mgr": files}))
    internals.hold_file(b"a,b\n1,2\n", "text/csv", "file 0", "table.csv")
    [held] = storage._files_by_id.values()
    assert (held.content, held.mimetype, held.filename) == (b"a,b\n1,2\n", "text/csv", "table.csv")


@pytest.mark.parametrize(("thread", "is_noted"), [("asyncio_0", False), ("ScriptRunner", True)])
def test_only_the_servers_own_threads_are_not_noted(caplog, thread, is_noted):
    internals.ignore_server_threads()
    caplog.set_level(logging.WARNING, internals.THREAD_LOG)
    logging.getLogger(internals.THREAD_LOG).addHandler(caplog.handler)
    worker = threading.Thread(target=script_run_context.get_script_run_ctx, name=thread)
    worker.start()
    worker.join()
    logging.getLogger(internals.THREAD_LOG).removeHandler(caplog.handler)
    assert any(thread in record.getMessage() for record in caplog.records) == is_noted


def test_the_server_is_run_as_from_the_command_line(monkeypatch):
    assert "run" in cli.main.commands, "streamlit.web.cli.main"
    monkeypatch.setattr(cli.main, "main", lambda args: ["ran", *args])
    monkeypatch.setattr(type(cli.main), "__call__", lambda self, args: self.main(args))
    with pytest.raises(SystemExit) as ended:
        internals.serve(Path("app.py"), ["--server.port", "8600"])
    assert ended.value.code == ["ran", "run", "app.py", "--server.port", "8600"]


def test_an_application_stands_around_streamlits(monkeypatch):
    assert "create_streamlit_middleware" in dir(starlette_app), "starlette_app.create_streamlit_middleware"
    own = starlette_app.create_streamlit_middleware
    monkeypatch.setattr(starlette_app, "create_streamlit_middleware", own)
    monkeypatch.setattr(cli.main, "main", lambda args: args)
    monkeypatch.setattr(type(cli.main), "__call__", lambda self, args: self.main(args))
    with pytest.raises(SystemExit):
        internals.serve(Path("app.py"), [], Around)
    first, *rest = starlette_app.create_streamlit_middleware()
    assert first.cls is Around
    assert [one.cls for one in rest] == [one.cls for one in own()]


class Around:
    """Stands for an ASGI application."""


def test_a_run_that_back_has_started_is_told_and_starts_controls_as_it_is_said(monkeypatch):
    fields = set(ScriptRunContext.__init__.__code__.co_names) | set(dir(ScriptRunContext))
    assert {"is_history_navigation", "cursors", "session_state"} <= fields
    address = QueryParams()
    address.set_initial_query_params("a=1")
    state = type("State", (), {"query_params": lambda _: contextlib.nullcontext(address)})()
    run = type("Run", (), {"is_history_navigation": True, "cursors": {}, "session_state": state})()
    assert not internals.is_history_run()
    assert internals.this_run() is None
    monkeypatch.setattr(internals, "get_script_run_ctx", lambda: run)
    assert internals.is_history_run()
    assert internals.this_run() is run.cursors
    internals.start_with("a", "2")
    internals.start_with("b", "3")
    assert (address.get_initial_value("a"), address.get_initial_value("b")) == ("1", "3")


def test_only_releases_that_were_tried_are_admitted():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    [pin] = [required for required in map(Requirement, extras["app"]) if required.name == "streamlit"]
    major, minor = map(int, st.__version__.split(".")[:2])
    assert pin.specifier.contains(st.__version__)
    assert not pin.specifier.contains(f"{major}.{minor + 1}.0")


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


def test_the_code_of_a_page_waits_for_its_turn(monkeypatch):
    runs = "exec_func_with_error_handling"
    monkeypatch.setattr(script_runner, runs, getattr(script_runner, runs))
    internals.draw_in_turn()
    assert getattr(script_runner, runs).__wrapped__ is getattr(exec_code, runs)
    assert runs in script_runner.ScriptRunner._run_script.__code__.co_names


def test_a_large_upload_is_kept_in_memory(monkeypatch, tmp_path):
    monkeypatch.setattr(MultiPartParser, "spool_max_size", MultiPartParser.spool_max_size)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "no such folder"))
    internals.keep_uploads_in_memory()

    async def stream():
        yield b'--x\r\nContent-Disposition: form-data; name="file"; filename="large.csv"\r\n\r\n'
        for _ in range(3):
            yield bytes(2**20)
        yield b"\r\n--x--\r\n"

    async def size():
        form = await MultiPartParser(Headers({"content-type": "multipart/form-data; boundary=x"}), stream()).parse()
        content = await form["file"].read()
        await form.close()
        return len(content)

    with ThreadPoolExecutor(1) as thread:  # browser tests in this process have a loop of their own
        assert thread.submit(lambda: asyncio.run(size())).result() == 3 * 2**20


def test_the_page_of_a_session_runs_again_as_it_is(monkeypatch):
    assert "self.request_rerun(self._client_state)" in inspect.getsource(AppSession)  # after a change of the source
    assert hasattr(WebsocketSessionManager, "get_active_session_info")
    shown, asked = SimpleNamespace(_client_state="page and controls", request_rerun=lambda *of: asked.append(of)), []
    found = {"shown": SimpleNamespace(session=shown)}
    manager = SimpleNamespace(_session_mgr=SimpleNamespace(get_active_session_info=found.get))
    monkeypatch.setattr(internals.runtime, "get_instance", lambda: manager)
    internals.run_again("shown")
    internals.run_again("gone")
    assert asked == [("page and controls",)]


def test_single_keys_of_a_session_are_looked_up_without_making_all_of_it(monkeypatch):
    monkeypatch.setattr(SafeSessionState, "filtered_state", SafeSessionState.filtered_state)
    internals.look_up_on_demand()
    state = SessionState()
    safe = SafeSessionState(state, lambda: None)
    state["kept"], state["none"] = [1, 2], None
    monkeypatch.setattr(SessionState, "_keys", lambda _: pytest.fail("all keys were walked through"))
    held = safe.filtered_state
    assert "kept" in held
    assert held["kept"] == [1, 2]
    assert "none" in held
    assert held["none"] is None
    assert held.get("none", 3) is None
    assert "other" not in held
    assert held.get("other") is None
    with pytest.raises(KeyError):
        held["other"]


def test_all_that_a_session_holds_can_still_be_walked_through(monkeypatch):
    monkeypatch.setattr(SafeSessionState, "filtered_state", SafeSessionState.filtered_state)
    state = SessionState()
    safe = SafeSessionState(state, lambda: None)
    state["kept"], state["none"] = [1, 2], None
    before = safe.filtered_state
    internals.look_up_on_demand()
    held = safe.filtered_state
    assert dict(held) == dict(before) == {"kept": [1, 2], "none": None}
    assert (len(held), str(held), list(held)) == (2, str(before), list(before))
