"""The app without a browser: a page is opened as by its address, without the start page before it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import AppTest, local_script_runner

import tiekit as tk
from ui.evalset import sources
from ui.page import pages, shell, tables
from ui.work import bounded_reading, downloads, presets

ROOT = Path(__file__).parents[2]
WITH_A_SET = (
    "NaN_problem",
    "Calibration",
    "Grouping",
    "Leaderboard",
    "Sentinels",
    "Measures",
    "Humans_as_metrics",
    "Which_number",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever opens a page is marked `page`."""
    for item in items:
        if "open_app" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.page)


@pytest.fixture(scope="session", autouse=True)
def _no_components_are_looked_for() -> Iterator[None]:
    """Each AppTest searches all installed packages for components, which takes longer than a page; ours are in none."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", list)
        yield


@pytest.fixture(scope="session", autouse=True)
def _scripts_are_compiled_once() -> Iterator[None]:
    """Each run of an AppTest compiles the page and all that is around it anew; a server does so once."""
    scripts = ScriptCache()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local_script_runner, "ScriptCache", lambda: scripts)
        yield


@pytest.fixture(scope="session", autouse=True)
def _a_run_is_waited_for() -> Iterator[None]:
    """AppTest looks a thousand times a second whether a page has run: each look interrupts the run itself."""
    look = local_script_runner.require_widgets_deltas

    def wait(runner: local_script_runner.LocalScriptRunner, timeout: float) -> None:
        runner._script_thread.join(timeout)
        look(runner, timeout if runner.script_stopped() else 0)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local_script_runner, "require_widgets_deltas", wait)
        yield


@pytest.fixture(scope="session", autouse=True)
def _files_are_read_here() -> Iterator[None]:
    """Tests have no server on loopback, so that a process would be started for each file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bounded_reading, "is_bounded", lambda: False)
        yield


def _visit(page: str = "", /, **link: str | list[str]) -> AppTest:
    if page.partition("_")[2] in WITH_A_SET:
        link = {"source": sources.SYNTHETIC, **link}
    app = AppTest.from_file(ROOT / "app.py", default_timeout=180)
    app.session_state[shell.READ] = {one.file for one in pages.path()}  # boxes for researchers are drawn though closed
    if page:
        app.switch_page(f"pages/{page}.py")
    for key, value in link.items():
        app.query_params[key] = value
    app.run()
    assert not app.exception
    return app


@pytest.fixture
def open_app() -> Callable[..., AppTest]:
    """Arrive at a page by a link, as from a message: no other page runs before; fails on an exception.

    Where an evaluation set is open it is the synthetic one, which is small, unless the link says otherwise.
    """
    return _visit


@pytest.fixture(scope="session")
def synthetic() -> tk.EvalSet:
    """The synthetic set, as the pages open it."""
    return presets.sample("qaa-qab")


@pytest.fixture(scope="session")
def data(synthetic: tk.EvalSet) -> tk.EvalSet:
    """What pages compare of the synthetic set: without the systems that are usually left out."""
    return synthetic.select()


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> dict[str, tuple[Any, ...]]:
    """What the page last passed to `downloads.show_code`, by name."""
    calls: dict[str, tuple[Any, ...]] = {}

    def note(name: str, call: str, data: Any, load: str = "", *, lengths: bool = False) -> None:
        calls[name] = call, data, load, lengths

    monkeypatch.setattr(downloads, "show_code", note)
    monkeypatch.chdir(ROOT)  # the sample is read from data/
    return calls


@pytest.fixture
def files(monkeypatch: pytest.MonkeyPatch) -> dict[str, pd.DataFrame]:
    """The tables that the page offers as CSV, by name."""
    found: dict[str, pd.DataFrame] = {}

    def keep(values: tables.Values | pa.Table, name: str, **_: Any) -> None:
        found[name] = tables._frame_of(values)

    monkeypatch.setattr(tables, "_offer", keep)
    return found
