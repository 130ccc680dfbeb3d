"""What all tests share: the real data, and how hard Hypothesis tries."""

from __future__ import annotations

import gc
import os
import pickle
import sys
from collections import Counter
from collections.abc import Generator, Iterable
from itertools import islice
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import HealthCheck, settings

import tiekit as tk
from tiekit.base.errors import SAID

os.environ["TQDM_DISABLE"] = "1"  # no bar at the terminal where tests run

# A busy machine is no reason to fail, so nothing is timed.
# Where a change is judged (CI), the examples are the same in every run; elsewhere each run looks for new ones.
settings.register_profile(
    "default",
    deadline=None,
    max_examples=10,
    derandomize="CI" in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
)
settings.register_profile("campaign", settings.get_profile("default"), derandomize=False, max_examples=5_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def _real_data() -> Path | None:
    """The folder of the real files; None where none is named and none is required."""
    named = os.environ.get("TIEKIT_REAL_DATA")
    if not named and os.environ.get("TIEKIT_REQUIRE_REAL") != "1":
        return None
    folder = Path(named or "")
    if not named or not (folder / "mt-metrics-eval-v2").is_dir():
        pytest.fail(f"TIEKIT_REAL_DATA={named!r}: expected a folder that holds mt-metrics-eval-v2/", pytrace=False)
    return folder


LONG = (
    "tests/notebooks/test_build.py::test_notebooks_give",
    "tests/test_docs.py::test_the_python_of_every_page_runs",
    "tests/browser/test_class_answers.py",
    "tests/browser/test_answers.py",
    "tests/browser/test_story.py::test_it_fits",
    "tests/browser/test_figures.py",
    "tests/browser/test_toy_lab_stage.py",
    "tests/browser/test_few_ties.py",
    "tests/browser/test_present.py",
    "tests/browser/test_own_files.py",
    "tests/browser/test_calibration_explorer.py::test_the_curves",
    "tests/browser/test_leaderboard_stage.py",
    "tests/fuzz/test_fuzz.py::test_no_content",
    "tests/fuzz/test_fuzz.py::test_hostile_input_is_used",
    "tests/app/work/test_bounded_reading.py::test_all_uploads",
)
"""Tests that take longest: one that begins last would leave other processes with nothing to do."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the long tests first: each process begins with its part of the list, of which others take over the end."""
    processes = getattr(config, "workerinput", {}).get("workercount", 1)
    long = [item for item in items if item.nodeid.startswith(LONG)]
    rest = iter([item for item in items if not item.nodeid.startswith(LONG)])
    number, ordered = len(items), []
    for process in range(processes):
        mine = long[process::processes]
        share = (number - len(ordered)) // (processes - process)
        ordered += [*mine, *islice(rest, max(0, share - len(mine)))]
    items[:] = ordered


MET: Counter[str] = Counter()
"""Number of cases that were collected of each test marked `sampled`."""


def pytest_itemcollected(item: pytest.Item) -> None:
    """Leave to the campaigns all but each nth case of a test marked `sampled(n)`.

    A number without a common divisor with those of values of each argument brings every value in time.
    """
    if mark := item.get_closest_marker("sampled"):
        name = item.nodeid.partition("[")[0]
        if MET[name] % mark.args[0]:
            item.add_marker("campaign")
        MET[name] += 1


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, Iterable[object], Iterable[object]]:
    """Examples that run are in the library alone: each process would look through the docstrings of all tests."""
    return [one for one in (yield) if not isinstance(one, DoctestModule)]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Leave alone what modules and tests hold, which stays to the end, whenever memory is looked through for waste."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()
        gc.set_threshold(
            700, 10, 100
        )  # all objects are looked through a tenth as often: that took a twentieth of the time


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test marked `real` where there is no real data, and fail it where there should be.

    What is warned of once in a process is warned of once in each test, and pages without a server read files as on
    one's own computer, whatever test was before.
    """
    SAID.clear()
    if (streamlit := sys.modules.get("streamlit.config")) is not None:
        streamlit.set_option("server.address", "localhost")
    if item.get_closest_marker("real") and _real_data() is None:
        pytest.skip("needs the real files: set TIEKIT_REAL_DATA to their folder")


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of the real files, for tests marked `real`."""
    folder = _real_data()
    assert folder is not None, "mark the test with @pytest.mark.real"
    return folder


@pytest.fixture(scope="session")
def story_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The story as one file, which takes seconds: the first test process that needs it makes it for all.

    What was computed for it lies beside it.
    """
    import fcntl  # not on Windows, where other tests run

    from tiekit.figures import story

    place = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        place = place.parent
    with (place / "story.html").open("a+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        if not file.seek(0, os.SEEK_END):
            told = story.compute_story()
            (place / "story.pickle").write_bytes(pickle.dumps(told))
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(story, "compute_story", lambda: told)
                file.write(story.story_page())
    return place / "story.html"


@pytest.fixture(scope="session")
def wmt22_zh_en() -> tk.EvalSet:
    """The real set that numbers of papers are compared with, all of its systems; tiekit brings it, without texts."""
    return tk.load_wmt22()
