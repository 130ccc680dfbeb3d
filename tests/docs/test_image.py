"""Does the Dockerfile do what it says? Its steps run in a folder, and the app that comes of them answers."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LINES = re.sub(r"\\\n\s*", "", (ROOT / "Dockerfile").read_text(encoding="utf-8")).splitlines()
STEPS = [line.split(" ", 1) for line in LINES if line and not line.startswith("#")]


def stages() -> list[list[list[str]]]:
    """The steps of each stage, without what stands before the first."""
    starts = [number for number, (word, _) in enumerate(STEPS) if word == "FROM"]
    return [STEPS[start:end] for start, end in zip(starts, [*starts[1:], len(STEPS)], strict=True)]


def environment(stage: list[list[str]]) -> dict[str, str]:
    """The variables that a stage sets."""
    return dict(pair.split("=", 1) for word, rest in stage if word == "ENV" for pair in rest.split())


def test_the_last_stage_has_a_user_without_rights_and_a_health_check() -> None:
    last = stages()[-1]
    words = [word for word, _ in last]
    assert ["USER", "10001"] in last
    assert words.index("USER") < words.index("CMD")
    assert any(word == "HEALTHCHECK" and ":8501/health" in rest for word, rest in last)


def test_everything_that_the_wheel_takes_in_is_copied_and_let_through() -> None:
    copied = {name.rstrip("/") for word, rest in stages()[0] if word == "COPY" for name in rest.split()[:-1]}
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"]
    needed = {*wheel["wheel"]["packages"], *wheel["wheel"]["force-include"], "pyproject.toml", "README.md", "LICENSE"}
    assert needed <= copied
    let_through = {
        line[1:] for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if line[0] == "!"
    }
    assert copied == let_through


@pytest.mark.campaign
def test_the_steps_make_an_app_that_answers(tmp_path: Path) -> None:
    """Root's folders become folders of the test, and the Python of the image the one that runs the test."""
    build, last = stages()
    moved = {"/opt/": f"{tmp_path}/opt/", "/src": f"{tmp_path}/src"}

    def here(text: str) -> str:
        for old, new in moved.items():
            text = text.replace(old, new)
        return re.sub(r"^python(?= )", sys.executable, text)

    (tmp_path / "src").mkdir()
    bare = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "NUMBA"))}
    given = {**bare, **{name: here(value) for name, value in environment(build).items()}}
    for word, rest in build:
        if word == "COPY":
            *sources, target = rest.split()
            for source in sources:
                copy(ROOT / source, tmp_path / "src" / target)
        elif word == "RUN":
            subprocess.run(["sh", "-ec", here(rest)], cwd=tmp_path / "src", env=given, check=True)
    loops = {path: path.stat().st_mtime_ns for path in (tmp_path / "opt" / "loops").rglob("*.nbc")}
    assert loops

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    variables = {name: here(value).replace("$PATH", bare["PATH"]) for name, value in environment(last).items()}
    command, check = (next(rest for word, rest in last if word == name) for name in ("CMD", "HEALTHCHECK"))
    started = [*json.loads(command.replace("8501", port).replace("0.0.0.0", "127.0.0.1"))]
    home = tmp_path / "home"
    home.mkdir()
    program = tmp_path / "opt" / "tiekit" / "bin" / "tiekit"
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(
            [program, *started[1:]], cwd=home, env={**bare, **variables, "HOME": str(home)}, stdout=log, stderr=log
        )
    try:
        healthy = json.loads(check.partition(" CMD ")[2].replace("8501", port))
        python = str(program.with_name("python"))
        end = time.monotonic() + 300
        while subprocess.run([python, *healthy[1:]], capture_output=True, check=False).returncode:
            assert process.poll() is None, (tmp_path / "log").read_text()
            assert time.monotonic() < end, (tmp_path / "log").read_text()
            time.sleep(1)
    finally:
        process.terminate()
        process.wait(30)
    assert "Traceback" not in (tmp_path / "log").read_text()
    assert {path: path.stat().st_mtime_ns for path in loops} == loops, "compiled anew"
    assert not list(home.rglob("*.nbc"))


def copy(source: Path, target: Path) -> None:
    """What COPY does: a file goes into a folder, a folder's content into a folder of the name."""
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copy2(source, target)
