"""Which private parts of Streamlit does the app use? All of them are named here, each with its reason.

A new release may change any of this without notice. `pyproject.toml` admits the releases that were tried;
tests/app/work/test_streamlit_internals.py and tests/browser/test_streamlit_internals.py name what a release lacks.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state import SafeSessionState

from ui.work.render_queue import in_turn

PARTS = {
    "stApp": "the whole; it says whether the page is still running, before its link is copied",
    "stMain": "what scrolls, when PageUp and PageDown walk through no examples",
    "stMainBlockContainer": "the column of the page, with less room above the title",
    "stHeader": "the bar at the top, lower than usual, its menu alone on a phone, and hidden from an audience",
    "stStatusWidget": "the sign of a running page, whose Stop leaves half a page; ours does not",
    "stPageLink-NavLink": "a link to a page, with a keyboard focus that differs from the mark of the present page",
    "stBaseButton-tertiary": "a button without a border, too faint on the dark ground while it is pressed",
    "stPopoverButton": "one that opens a box, too faint on the dark ground while it is open",
    "stWidgetLabel": "the label of a control, too small for an audience",
    "stTable": "a table, too wide for an audience",
    "stMarkdown": "text, whose code is too large for an audience",
    "stVegaLiteChart": "a chart, which becomes a file",
    "stElementContainer": "what one call draws, hidden from a presentation unless it belongs to the picture",
    "stLayoutWrapper": "what holds columns and containers, hidden likewise; less room below that of a page's head",
    "stVerticalBlock": "a container, hidden likewise",
    "stColumn": "a column, hidden likewise",
    "stFullScreenFrame": "the frame of a chart, in which its toolbar lies",
    "stCheckbox": "a switch, which is nothing but a ground",
    "stRadioOption": "a choice, the same",
    "stSlider": "a slider, the same",
    "stElementToolbar": "the toolbar of a chart, which would cover what stands above it",
}
"""Parts of a page by their test ids, and what each is used for."""

RUNNING = '[data-testid="stApp"][data-test-script-state="running"]'
"""The CSS selector of a page that is still running."""

FONT = "Source Sans"
"""The font of the pages, which is embedded in the PNG of a chart."""

THREAD_LOG = "streamlit.runtime.scriptrunner_utils.script_run_context"
"""The logger that reports, with the name of a thread, that the thread belongs to no visitor."""


def part(name: str) -> str:
    """Return the CSS selector of one of the `PARTS`."""
    if name not in PARTS:
        raise KeyError(f"{name}: say in PARTS what it is used for")
    return f'[data-testid="{name}"]'


def slider_rail() -> str:
    """Select what a slider moves along: of the parts of its track the one without a name."""
    return f"{part('stSlider')} [role=group] > [data-orientation] > div:not([data-testid])"


class OnDemand(Mapping[str, Any]):
    """What a session holds, looked up by key; ``whole`` makes all of it, for those who walk through it.

    Streamlit makes all of it for every select box and every text field, only to look one key up: a sixth of a run of a
    page with many controls.
    """

    def __init__(self, state: SafeSessionState, whole: Callable[[], dict[str, Any]]) -> None:
        self._state, self._whole = state, whole

    def __contains__(self, key: object) -> bool:
        with self._state._lock:
            return key in self._state._state

    def __getitem__(self, key: str) -> Any:
        with self._state._lock:
            return self._state._state[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._whole())

    def __len__(self) -> int:
        return len(self._whole())

    def __str__(self) -> str:
        return str(self._whole())


def look_up_on_demand() -> None:
    """Let Streamlit look up single keys of a session instead of making all of it, see `OnDemand`."""
    made = SafeSessionState.filtered_state
    if isinstance(made, property) and (make := made.fget) is not None:
        on_demand = property(lambda self: OnDemand(self, partial(make, self)))
        SafeSessionState.filtered_state = on_demand


def is_history_run() -> bool:
    """Return whether the browser's Back or Forward started this run; then controls are read from the address again."""
    run = get_script_run_ctx()
    return run is not None and run.is_history_navigation


def this_run() -> object:
    """Return an object that no other run has; None outside of runs."""
    run = get_script_run_ctx()
    return None if run is None else run.cursors


def start_with(key: str, text: str) -> None:
    """Let a control that the address of a history run does not name start with a text.

    Streamlit gives it its own default, even if the script assigned a value.
    """
    run = get_script_run_ctx()
    if run is not None:
        with run.session_state.query_params() as address:
            address._initial_query_params.setdefault(key, [text])


def start_without(key: str) -> None:
    """Let a control start as if the address had not named it, whatever the script takes out of the address later."""
    run = get_script_run_ctx()
    if run is not None:
        with run.session_state.query_params() as address:
            address._initial_query_params.pop(key, None)


def ignore_server_threads() -> None:
    """Drop the log messages about files that are made in a thread of the server, which belongs to no visitor."""
    logging.getLogger(THREAD_LOG).addFilter(_is_not_servers)


def _is_not_servers(record: logging.LogRecord) -> bool:
    thread = record.args[0] if isinstance(record.args, tuple) and record.args else ""
    return not str(thread).startswith("asyncio")


def hold_file(data: bytes, mime: str, place: str, file: str) -> None:
    """Hold a file that is about to be fetched, until another takes its place.

    Streamlit drops a file made on request as soon as two runs have ended, no matter whose. In a class that is often
    before the browser asks for it.
    """
    runtime.get_instance().media_file_mgr.add(data, mime, place, file, is_for_static_download=True)


def uploading_session(path: str) -> str | None:
    """Return the session for which a request with this path uploads a file; None for another request."""
    parts = path.strip("/").split("/")
    place = parts.index("upload_file") if "upload_file" in parts else len(parts)
    return parts[place + 1] if "_stcore" in parts[:place] and len(parts) == place + 3 else None


def uploaded_sizes(session: str) -> list[int]:
    """Return the sizes in bytes of the files that a session has uploaded and the server still holds."""
    held = getattr(runtime.get_instance().uploaded_file_mgr, "file_storage", {})
    return [len(file.data) for file in list(held.get(session, {}).values())]


def this_session() -> str:
    """Return the session of this run; nothing outside of runs."""
    run = get_script_run_ctx()
    return "" if run is None else run.session_id


def run_again(session: str) -> None:
    """Run the page of a session again, if a browser shows it."""
    found = runtime.get_instance()._session_mgr.get_active_session_info(session)
    if found is not None:
        found.session.request_rerun(found.session._client_state)


def keep_uploads_in_memory() -> None:
    """Let no upload be written to the disk on its way, where it would fail if the disk is full.

    Starlette writes what exceeds 1 MB to a temporary file, which Streamlit then reads into memory. Streamlit itself
    stops an upload that exceeds its limit.
    """
    from starlette.formparsers import MultiPartParser  # only here: pages and tests do not need it

    MultiPartParser.spool_max_size = 0  # no limit


def draw_in_turn() -> None:
    """Let pages take turns, see `ui.work.render_queue`: when their code begins, and the browser shows that they run."""
    from streamlit.runtime.scriptrunner import exec_code, script_runner

    script_runner.exec_func_with_error_handling = in_turn(  # type: ignore[attr-defined]  # it is imported there
        exec_code.exec_func_with_error_handling
    )


def serve(script: Path, options: list[str], *around: Any) -> NoReturn:
    """Run the server of a script, with the options of ``streamlit run``.

    ``around`` are ASGI applications that stand between the browser and Streamlit's, the first one outermost: `st.App`
    takes such ones, but with it ``streamlit run`` opens no browser.
    """
    from starlette.middleware import Middleware
    from streamlit.web import cli  # only here: pages and tests do not need it
    from streamlit.web.server.starlette import starlette_app

    if around:
        own = starlette_app.create_streamlit_middleware
        starlette_app.create_streamlit_middleware = lambda: [*map(Middleware, around), *own()]
    keep_uploads_in_memory()
    draw_in_turn()
    sys.exit(cli.main(["run", str(script), *options]))
