"""What is logged? Lines of limited length and number, so that no visitor fills a disk with them or makes them up."""

from __future__ import annotations

import logging
import traceback

from ui.work.visitor import Limit

LONGEST_LINE = 1_000
"""Maximum number of characters of a message in the log."""

MOST_LOGGED, LOGGED_SECONDS = 20, 60.0
"""How many times the same line of code may log something within so many seconds."""

REPEATED = " (further ones like this are left out for a minute)"
"""What is said with the last one of them."""

_logged = Limit(LOGGED_SECONDS)

MADE_UP = ("DecodeError", "WebSocketDisconnected")
"""Errors of messages that no browser sends, and of connections that closed while something was sent."""

UNWANTED, TOO_MANY = "nobody waits for this file any more", "so many files are made for this address already"
"""What is said where a file is made no further, or not at all."""

EXPECTED = (
    "missing ScriptRunContext",
    "returned without completing response",
    "once a close message has been sent",
    "Transport closed=True",
    "Invalid HTTP request received",
    UNWANTED,
    TOO_MANY,
)
"""What needs no word: a file is made in a thread of its own, nobody took an answer, a page left as something was sent,
and so did another client, who sends no HTTP is told so, and a file's visitor has gone, or asks for too many."""


def _keep_record(record: logging.LogRecord) -> bool:
    """Keep all that is logged but `EXPECTED`, and what the same line of code logged `MOST_LOGGED` times of late.

    An error of a message that no browser sends becomes one line, and so does one of which the same lines of code were
    shown in the last minute. What is logged is one line of limited length, so that no visitor fills a disk with it or
    makes lines up.
    """
    error = record.exc_info and record.exc_info[1]
    text = record.getMessage().strip()
    if any(words in f"{text} {error}" for words in EXPECTED):
        return False
    times = _count_logged(f"{record.pathname}:{record.lineno}", record.created)
    if isinstance(error, BaseException) and (type(error).__name__ in MADE_UP or _was_shown(error, record.created)):
        text, record.exc_info, record.exc_text = f"{text} ({error})", None, None
    record.msg, record.args = _as_line(text) + REPEATED * (times == MOST_LOGGED), None
    return times <= MOST_LOGGED


def _was_shown(error: BaseException, now: float) -> bool:
    """Whether a traceback of these lines of code was logged in the last minute; remember it."""
    lines = " ".join(f"{frame.f_code.co_filename}:{line}" for frame, line in traceback.walk_tb(error.__traceback__))
    return _count_logged(lines, now) > 1


def _count_logged(cause: str, now: float) -> int:
    """How many times in the last minute something has been logged for a cause, this time too."""
    _logged.add(cause, now)
    return _logged.count(cause, now)


def _as_line(text: str) -> str:
    """A text in one line of at most `LONGEST_LINE` characters; what is not shown of it is escaped."""
    text = text if len(text) <= LONGEST_LINE else f"{text[:LONGEST_LINE]} … ({len(text):,} characters)"
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


for _name in ["uvicorn.error", *(name for name in logging.root.manager.loggerDict if name.startswith("streamlit"))]:
    logging.getLogger(_name).addFilter(_keep_record)
