"""The wheel holds the app and its data once; its commands, its app and a notebook run outside the clone."""

import json
import os
import re
import socket
import subprocess
import sys
import zipfile
from collections import Counter
from pathlib import Path

import pytest
from playwright.sync_api import expect

from docsite.live import FIGURES
from notebooks import build
from tests.browser import kit
from tests.notebooks.answers import solutions
from tests.notebooks.test_build import committed, same
from tests.test_docs import EACH, WITH_CODE, code_of, text_of

ROOT = Path(__file__).parents[2]
LARGE = 1000
"""Files of more bytes are compared with one another."""


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    """The wheel of this clone, built without a network."""
    folder = tmp_path_factory.mktemp("wheel")
    command = ["pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "--disable-pip-version-check", "-w", folder]
    subprocess.run([sys.executable, "-m", *command, ROOT], check=True, capture_output=True)
    [found] = folder.glob("tiekit-*.whl")
    return found


@pytest.fixture(scope="session")
def installed(wheel, tmp_path_factory):
    """What a wheel becomes: its files in a folder on the path, and nothing of the clone."""
    folder = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def run(installed, folder, *arguments, **environment):
    """Run a program of the wheel from another folder; the loops are interpreted, which suits few scores."""
    return subprocess.run(
        [sys.executable, "-P", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(installed), "NUMBA_DISABLE_JIT": "1", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_every_page_and_all_data_are_in_the_wheel_once(wheel):
    with zipfile.ZipFile(wheel) as archive:
        files = archive.infolist()
    names = Counter(file.filename for file in files)
    assert max(names.values()) == 1
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
    app = {
        name
        for name in tracked
        if name.startswith(("ui/", "pages/", ".streamlit/", "app.py")) and (ROOT / name).exists()
    }
    text = re.compile(r"data/wmt2[23]/.*\.gz|data/wmt2[23]/documents/.*")  # the same numbers are in NAME.npz
    data = {name for name in tracked if name.startswith("data/") and (ROOT / name).exists() and not text.match(name)}
    assert {f"tiekit/data/{one}.npz" for one in ("wmt22/zh-en", "wmt23/zh-en", "wmt23/he-en", "wmt23/en-de")} <= set(
        names
    )
    assert {f"tiekit_app/{name}" for name in app} | {f"tiekit/{name}" for name in data} <= set(names)
    contents = [
        {(file.CRC, file.file_size) for file in files if file.filename.startswith(part) and file.file_size > LARGE}
        for part in ("tiekit/", "tiekit_app/")
    ]
    assert all(contents)
    assert not contents[0] & contents[1]


def test_a_command_of_the_wheel(installed, tmp_path):
    (tmp_path / "scores.csv").write_text("system,segment,mqm,BLEU\nA,1,-1,30\nA,2,0,20\nB,1,0,35\nB,2,-5,10\n")
    command = (
        "-m",
        "tiekit",
        "leaderboard",
        "scores.csv",
        "--human",
        "mqm",
        "--coefficients",
        "tau_b",
        "--format",
        "csv",
    )
    found = run(installed, tmp_path, *command)
    assert found.stdout.splitlines()[1].split(",")[:2] == ["BLEU", "1.0"], found.stderr
    where = run(installed, tmp_path, "-c", "import tiekit; print(tiekit.__file__, len(tiekit.load_wmt22().metrics))")
    assert where.stdout.split() == [str(installed / "tiekit" / "__init__.py"), "24"]


def test_the_code_of_readme_and_documentation_runs_with_the_wheel_in_an_empty_folder(installed, tmp_path):
    pages = {page.relative_to(ROOT).as_posix(): code_of(text_of(page)) for page in WITH_CODE}
    pages |= {f"gallery: {name}": f"import tiekit as tk\n{figure.code}" for name, figure in FIGURES.items()}
    nothing_printed = {name: (code, []) for name, code in pages.items()}
    done = subprocess.run(
        [sys.executable, "-P", "-c", EACH],
        input=json.dumps(nothing_printed),
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(installed), "NUMBA_CACHE_DIR": str(tmp_path / "compiled")},
        capture_output=True,
        text=True,
        check=True,
    )
    failed = json.loads(done.stderr.splitlines()[-1])
    assert not failed, "\n".join(failed.values())


def test_the_app_of_the_wheel_is_that_beside_the_library(installed, tmp_path):
    code = "import sys; from tiekit.cli import app; print(app.FOLDER); print('ui' in sys.modules)"
    assert run(installed, tmp_path, "-c", code).stdout.split() == [str(installed / "tiekit_app"), "False"]


@pytest.fixture
def started(installed, tmp_path):
    """The server that `tiekit app` has started, in an empty folder."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-P", "-m", "tiekit", "app", "--port", str(port), "--host", "127.0.0.1", "--no-browser"]
    log = tmp_path / "app.log"
    with log.open("wb") as file:
        process = subprocess.Popen(
            command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(installed)}, stdout=file, stderr=file
        )
    server = kit.Server(f"http://127.0.0.1:{port}", log, process)
    assert kit.healthy(server, patience=120), server.log()
    yield server
    kit.stop(server)


@pytest.mark.browser
def test_the_leaderboard_of_the_wheel(chromium, started):
    with kit.new_page(chromium, started.url) as (page, traffic):
        page.goto(f"{started.url}/Leaderboard")
        expect(page.locator(".bump .field")).to_be_visible(timeout=60_000)
        expect(page.locator(".bump")).to_contain_text("GEMBA-Dav3")
        kit.no_exception_box(page)
    assert traffic == kit.Traffic()
    assert "Traceback" not in started.log()
    started.process.terminate()
    assert started.process.wait(20) == 0


def test_a_first_time_user_reaches_the_leaderboard_and_the_exercises(installed, tmp_path):
    [source] = [source for source in build.sources() if source.stem == "01_ties"]
    after = f"print(tk.__file__)\nprint(check.verdict(1, {solutions(source.stem)[0]}))"
    [book] = build.execute([source], tmp_path, installed, {source.stem: after})
    [printed] = book.cells.pop().outputs
    where, verdict = printed.text.splitlines()
    assert Path(where).is_relative_to(installed)
    assert verdict.startswith("right. ")
    assert same(json.loads(build.text_of(book))["cells"], committed(source.stem)["cells"])
