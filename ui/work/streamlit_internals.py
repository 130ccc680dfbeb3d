"""Which private parts of Streamlit does the app use? All of them are named here, each with its reason.

A new release may change any of this without notice. What is missing then is missed by nothing else:
tests/app/work/test_streamlit_internals.py and tests/browser/test_streamlit_internals.py name what a release lacks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableSequence
from contextlib import suppress
from functools import cache, partial
from itertools import takewhile
from threading import Thread
from typing import Any, NamedTuple
from urllib.parse import parse_qs

import streamlit as st
from streamlit import runtime
from streamlit.runtime import memory_session_storage

PRIVATE = {
    "ScriptRunContext": "Back and Forward (is_history_navigation) and the line of pages (session_id) need it",
    "QueryParams._initial_query_params": "what an address leaves out starts as the page says when Back returns to it",
    "Runtime.media_file_mgr": "Streamlit drops a file made on request after two runs of anybody: too soon in a class",
    "SafeSessionState.filtered_state": "it makes all of a session to look up one key: a sixth of a long page's time",
    "MemorySessionStorage": "it keeps 128 sessions, whosever: a stranger's take the files of all who lost a connection",
    "AppSession.flush_browser_queue": "each message to who has gone would hold up all others' by a step of the server",
    "BackMsg": "a message of 4 MB may ask for two million addresses of uploads; ForwardMsg tells that a page was sent",
}
"""The private parts of Streamlit in Python, and what would be lost without each."""

JSON = ("json_value", "json_trigger_value")
"""The parts of a message that hold what a component says, as JSON."""

LONGEST_JSON = 2**16
"""Maximum number of bytes that all components of a page say in a message: a browser's predictions are some thousand."""

LONGEST_TEXTS = 2**17
"""Maximum number of bytes of a message without the names of files: a session keeps what is typed, and what is looked up
by hashes, and no field of ours takes as much."""

MOST_CONTROLS, MOST_TRIGGERS = 2_000, 20
"""Maximum number of controls of a page in a message, and of those that were pressed: a hundred added files have some of
each, and one is pressed at a time. Streamlit keeps what was pressed from message to message until the page is drawn."""

COOKIE = "_streamlit_xsrf"
"""The name of the cookie by which Streamlit tells a page of its own."""

LENGTH_DELIMITED, FIXED_64, FIXED_32 = 2, 1, 5
"""How the fields of a message are encoded (Protocol Buffers, encoding: wire types)."""

PACKED = {1, 2, 3, 4, 5, 6, 7, 8, 13, 14, 15, 16, 17, 18}
"""The types of numbers, whose lists are a single field (Protocol Buffers, `FieldDescriptor`)."""

LONGEST_END = 200
"""Maximum number of bytes of the message that a page has been drawn, which is short."""

LONGEST_NAME = 200
"""Maximum number of characters of the name of a page, of a part of it, or of a session."""

PARTS = {
    "stApp": "the whole; it says whether the page still runs, before its link is copied, and whether it has a server",
    "stMain": "what scrolls, when PageUp and PageDown walk through no examples",
    "stMainBlockContainer": "the column of the page, with less room above the title",
    "stSkeleton": "what stands for a part that has not come yet, and would be higher than most",
    "stStatusWidget": "the sign of a running page, whose Stop leaves half a page; ours does not",
    "stBaseButton-tertiary": "a button without a border, too faint on the dark ground while it is pressed",
    "stPopoverButton": "one that opens a box, too faint on the dark ground while it is open",
    "stWidgetLabel": "the label of a control, too small for an audience",
    "stTable": "a table, too wide for an audience",
    "stVegaLiteChart": "a chart, which becomes a file",
    "stElementToolbar": "the toolbar of a chart, which would cover what stands above it",
    "stHeaderActionElements": "the link beside a heading, which copies nothing that Copy link does not",
}
"""Parts of a page by their test ids, and what each is used for."""

RUNNING = '[data-testid="stApp"][data-test-script-state="running"]'
"""The CSS selector of a page that is still running."""

CONNECTED = '[data-testid="stApp"][data-test-connection-state="CONNECTED"]'
"""The CSS selector of a page that has a connection to a server."""

RAIL = "[role=group] > [data-orientation] > div:not([data-testid])"
"""The CSS selector of what a slider moves along: of the parts of its track the one without a name."""

SMALL = 'span[style*="font-size: 0.875rem"]'
"""The CSS selector of what Markdown's ``:small[…]`` makes, which headings and buttons take for a subscript."""

FONT = "Source Sans"
"""The font of the pages, which is embedded in the PNG of a chart."""


def part(name: str) -> str:
    """Return the CSS selector of one of the `PARTS`."""
    if name not in PARTS:
        raise KeyError(f"{name}: say in PARTS what it is used for")
    return f'[data-testid="{name}"]'


def is_history_run() -> bool:
    """Return whether the browser's Back or Forward started this run; then controls are read from the address again."""
    return bool(getattr(_run(), "is_history_navigation", False))


def session() -> str | None:
    """Return the name of the session whose page this thread draws; None outside of runs."""
    return getattr(_run(), "session_id", None)


def session_of(thread: Thread) -> str | None:
    """Return the name of the session whose page a thread draws; None of any other one."""
    return getattr(getattr(thread, "streamlit_script_run_ctx", None), "session_id", None)


def close_session(session: str) -> None:
    """Let Streamlit forget a session; call it in the server's loop."""
    with suppress(AttributeError, RuntimeError):
        runtime.get_instance().close_session(session)


def is_there(session: str | None) -> bool:
    """Return whether a session has a connection; one without a name, outside of runs, is taken to be there."""
    with suppress(AttributeError, RuntimeError):
        return session is None or runtime.get_instance().is_active_session(session)
    return True


def asked_address() -> dict[str, list[str]]:
    """Return all that the browser asked for when this run began, by key, but what says how the app is embedded.

    Where the page changes, Streamlit drops what a control of the page that was left has kept in the address, though the
    page that comes has such a control too.
    """
    held = parse_qs(str(getattr(_run(), "query_string", "")), keep_blank_values=True)
    return {key: texts for key, texts in held.items() if key not in ("embed", "embed_options")}


def start_with(key: str, *texts: str) -> None:
    """Let a control that the address of a history run does not name start with texts.

    Streamlit gives it its own default, even if the script assigned a value.
    """
    _change_start(lambda address: address.setdefault(key, list(texts)))


def start_without(key: str) -> None:
    """Let a control start as if the address had not named it, whatever the script takes out of the address later."""
    _change_start(lambda address: address.pop(key, None))


def _run() -> Any:
    """The run of a script that this thread is in; None outside of runs. Streamlit's guide to threads tells of it."""
    with suppress(ImportError):
        from streamlit.runtime.scriptrunner import get_script_run_ctx

        return get_script_run_ctx(suppress_warning=True)
    return None


def _change_start(change: Callable[[dict[str, list[str]]], object]) -> None:
    """Change what the controls of this run start with."""
    with suppress(AttributeError), _run().session_state.query_params() as address:
        change(address._initial_query_params)


def hold_file(data: bytes, mime: str, place: str, file: str) -> None:
    """Hold a file that is about to be fetched, until another takes its place."""
    with suppress(AttributeError, TypeError, RuntimeError):
        runtime.get_instance().media_file_mgr.add(data, mime, place, file, is_for_static_download=True)


def drop_file(place: str) -> None:
    """Let go of the file that is held at a place."""
    hold_file(b"", "text/plain", place, "")
    with suppress(AttributeError, RuntimeError):
        for _ in range(2):  # what is for download is only marked at first
            runtime.get_instance().media_file_mgr.remove_orphaned_files()


def keep_sessions_in(kind: Any) -> None:
    """Let Streamlit keep those who lost their connection in an object of this kind."""
    memory_session_storage.MemorySessionStorage = kind  # type: ignore[misc]


def send_to_who_is_there() -> None:
    """Let Streamlit send a session no further message as soon as its connection has gone.

    It goes from one to the next, and lets all else take a step after each: pages that are left as they come would hold
    up all others for as long as they do.
    """
    with suppress(ImportError, AttributeError):
        from streamlit.runtime.app_session import AppSession

        flush = AppSession.flush_browser_queue

        def flush_while_there(self: Any) -> Iterator[Any]:
            return takewhile(lambda _: is_there(self.id), flush(self))

        AppSession.flush_browser_queue = flush_while_there  # type: ignore[method-assign, assignment]


class Asked(NamedTuple):
    """What a page's message asks for.

    Attributes
    ----------
    addresses : int
        Number of files whose addresses it asks for.
    downloads : int
        Number of files that are to be made.
    entries : int
        Number of its fields that may hold lists, entries of lists counted each, and of the entries of its JSON; a
        number greater than a maximum ends the counting.
    is_made_up : bool
        Whether no page sends it: it empties what is kept for all visitors, asks for the server's repository, writes to
        its disk, names a part of the page by what is no name, lets components say more than `LONGEST_JSON`, has more
        than `LONGEST_TEXTS` beside the names of files, tells of more than `MOST_CONTROLS` or of `MOST_TRIGGERS`, or
        cannot be walked through.
    is_run : bool
        Whether the whole page is to be drawn, not a part of it.
    """

    addresses: int = 0
    downloads: int = 0
    entries: int = 0
    is_made_up: bool = False
    is_run: bool = False


def is_end_of_run(message: bytes) -> bool:
    """Return whether a message to a page says that all of it has been drawn."""
    with suppress(ImportError, AttributeError):
        from google.protobuf.message import DecodeError
        from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

        with suppress(DecodeError):
            is_short = len(message) <= LONGEST_END
            return is_short and ForwardMsg.FromString(message).WhichOneof("type") == "script_finished"
    return False


def session_in(message: bytes) -> str:
    """Return the name of the session that a message to a page tells, as the first of each run does; else nothing."""
    with suppress(ImportError, AttributeError):
        from google.protobuf.message import DecodeError
        from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

        with suppress(DecodeError):
            return str(ForwardMsg.FromString(message).new_session.initialize.session_id)
    return ""


def read_message(message: bytes, most: int) -> Asked:
    """Return what a page's message asks for; nothing of what Streamlit could not read.

    Entries are counted up to ``most``; of a message that has more nothing else is read.
    """
    with suppress(ImportError, AttributeError, ValueError):
        from google.protobuf.message import DecodeError
        from streamlit.proto.BackMsg_pb2 import BackMsg

        if (entries := _count_fields(memoryview(message), BackMsg.DESCRIPTOR, most)) is None:
            return Asked(is_made_up=True)
        if entries > most:
            return Asked(entries=entries)
        with suppress(DecodeError):
            read = BackMsg.FromString(message)
            kind, operation = read.WhichOneof("type"), read.backend_operation_request.WhichOneof("payload")
            said = _said_by_components(read)
            return Asked(
                len(read.file_urls_request.file_names),
                int(operation == "deferred_file"),
                entries + sum(text.count(sign) for text in said for sign in ",[{"),
                kind in ("clear_cache", "load_git_info")
                or "skills" in (operation or "")
                or _has_too_many_controls(read.rerun_script.widget_states.widgets)
                or _has_odd_name(read)
                or sum(len(text.encode()) for text in said) > LONGEST_JSON
                or len(message) - _bytes_of_files(read) > LONGEST_TEXTS,
                kind == "rerun_script" and not read.rerun_script.fragment_id,
            )
    return Asked()


def _has_odd_name(message: Any) -> bool:
    """Whether a part of the page is named by a long text, or by one of signs that are not shown.

    Addresses and what controls hold are no names.
    """
    return any(
        (len(value) > LONGEST_NAME or not value.isprintable())
        if isinstance(value, str)
        else part.message_type and not isinstance(value, MutableSequence) and _has_odd_name(value)
        for part, value in message.ListFields()
        if part.name not in ("query_string", "url", "widget_states")
    )


def _has_too_many_controls(controls: Any) -> bool:
    """Whether no page has as many controls, or as many that are pressed."""
    pressed = ("trigger" in (one.WhichOneof("value") or "") or one.HasField("chat_input_value") for one in controls)
    return len(controls) > MOST_CONTROLS or sum(pressed) > MOST_TRIGGERS


def _bytes_of_files(message: Any) -> int:
    """The number of bytes in which a message names files: those of fields, and those whose addresses it asks for."""
    fields = (widget.file_uploader_state_value for widget in message.rerun_script.widget_states.widgets)
    return sum(part.ByteSize() for part in (message.file_urls_request, *fields))


def _said_by_components(message: Any) -> list[str]:
    """What components say, each in JSON."""
    widgets = message.rerun_script.widget_states.widgets
    return [text for widget in widgets for part in JSON if (text := getattr(widget, part, ""))]


def _count_fields(message: memoryview, kind: Any, most: int) -> int | None:
    """The number of fields of a message in the encoding of Protocol Buffers, or a number greater than ``most``.

    Inner messages are walked through where they may hold lists; packed numbers count by their bytes. Two million empty
    entries in 4 MB take Protocol Buffers most of a second. None for what is not encoded so, or in groups, which are out
    of use.
    """
    number = at = 0
    while at < len(message) and number <= most:
        tag, at = _varint(message, at)
        part = kind.fields_by_number.get(tag >> 3)
        number += 1
        if tag & 7 == LENGTH_DELIMITED:
            size, at = _varint(message, at)
            if part and part.message_type is None and part.type in PACKED:
                number += size
            elif part and part.message_type and _has_lists(part.message_type):
                inner = _count_fields(message[at : at + size], part.message_type, most - number)
                if inner is None:
                    return None
                number += inner
        elif tag & 7:
            size = {FIXED_64: 8, FIXED_32: 4}.get(tag & 7, len(message))
        else:
            size, at = 0, _varint(message, at)[1]
        at += size
    return number if at == len(message) or number > most else None


def _varint(message: memoryview, at: int) -> tuple[int, int]:
    """A number of variable length that begins at a place, and the place after it; beyond the end there are zeros."""
    number = shift = 0
    while True:
        byte = message[at] if at < len(message) else 0
        number |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80 or shift > 63:
            return number, at


@cache
def _has_lists(kind: Any) -> bool:
    """Whether a kind of message has a list in any of its parts."""
    return any(
        getattr(part, "is_repeated", True) or (part.message_type and _has_lists(part.message_type))
        for part in kind.fields
    )


class OnDemand(Mapping[str, Any]):
    """What a session holds, looked up by key; ``whole`` makes all of it, for those who walk through it."""

    def __init__(self, whole: Callable[[], dict[str, Any]]) -> None:
        self._whole = whole

    def __contains__(self, key: object) -> bool:
        return key in st.session_state

    def __getitem__(self, key: str) -> Any:
        return st.session_state[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._whole())

    def __len__(self) -> int:
        return len(self._whole())

    def __str__(self) -> str:
        return str(self._whole())


def look_up_on_demand() -> None:
    """Let Streamlit look up single keys of a session instead of making all of it."""
    with suppress(ImportError, AttributeError):
        from streamlit.runtime.state import SafeSessionState

        make = SafeSessionState.filtered_state.fget  # type: ignore[attr-defined]  # mypy takes a property for its value
        SafeSessionState.filtered_state = property(lambda self: OnDemand(partial(make, self)))  # type: ignore[assignment]
