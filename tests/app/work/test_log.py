"""Lines of the log are few and short, whatever a visitor sends."""

from __future__ import annotations

import json
import logging

import pytest
import streamlit as st
from starlette.websockets import WebSocketDisconnected

from ui.work import log
from ui.work.visitor import Limit


@pytest.fixture(autouse=True)
def _is_heard(caplog, monkeypatch):
    monkeypatch.setattr(logging.getLogger("uvicorn"), "propagate", True)  # a server of another test sets both
    caplog.set_level(logging.ERROR, "uvicorn.error")


def test_what_no_browser_sends_is_logged_in_one_line(caplog):
    assert not st.get_option("logger.enableRich"), "it prints tracebacks by itself"
    for name, error, lines in (
        ("uvicorn.error", WebSocketDisconnected("gone"), 1),
        ("uvicorn.error", KeyError("x"), 2),
    ):
        caplog.clear()
        logging.getLogger(name).error("Exception in ASGI application\n", exc_info=error)
        assert len(caplog.text.splitlines()) == lines


def test_no_visitor_makes_lines_of_the_log_up_or_fills_a_disk_with_it(caplog):
    for words in (
        "missing ScriptRunContext!",
        "ASGI callable returned without completing response.",
        "Invalid HTTP request received.",
        f"Callable execution failed: {log.TOO_MANY}",
    ):
        logging.getLogger("uvicorn.error").error(words)
    gone = RuntimeError(
        "unable to perform operation on <TCPTransport closed=True reading=False 0x1>; the handler is closed"
    )
    logging.getLogger("uvicorn.error").error("Exception in ASGI application\n", exc_info=gone)
    left = RuntimeError('Cannot call "send" once a close message has been sent.')
    logging.getLogger("uvicorn.error").error("Exception in ASGI application\n", exc_info=left)
    assert not caplog.text
    logging.getLogger("streamlit.runtime.scriptrunner.script_runner").error("no fragment %s", "\n12:00 up\x1b[2J" * 999)
    assert len(caplog.text.splitlines()) == 1
    assert "\x1b" not in caplog.text
    assert len(caplog.text) < 2_000
    sizes = []
    for number in range(3):
        caplog.clear()
        try:
            json.loads("{" * (number + 1))
        except ValueError:
            logging.getLogger("streamlit.runtime.app_session").exception("wrong value")
        sizes.append(len(caplog.text.splitlines()))
    assert sizes[0] > 5
    assert sizes[1:] == [1, 1]


def test_the_same_line_of_code_logs_so_many_times_in_a_minute(caplog, monkeypatch):
    monkeypatch.setattr(log, "_logged", Limit(60.0))
    for number in range(100):
        logging.getLogger("uvicorn.error").error("no session %s", number)
    logging.getLogger("uvicorn.error").error("another line")
    lines = [record.getMessage() for record in caplog.records]
    assert lines[: log.MOST_LOGGED - 1] == [f"no session {number}" for number in range(log.MOST_LOGGED - 1)]
    assert lines[log.MOST_LOGGED - 1 :] == [f"no session 19{log.REPEATED}", "another line"]
