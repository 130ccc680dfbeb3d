"""Does the Dockerfile do what it says? Its steps run in a folder, and the app that comes of them answers."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
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
    assert [name for name in needed if not {name, name.split("/")[0]} & copied] == []
    let_through = {
        line[1:] for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if line[0] == "!"
    }
    assert copied == let_through


def test_the_image_holds_what_the_lock_says_and_nothing_without_a_digest(tmp_path) -> None:
    """The step that exports the lock runs here as it does there."""
    [install] = [rest for word, rest in stages()[0] if word == "RUN" and "uv export" in rest]
    steps = [step.strip() for step in install.split("&&")]
    assert steps[-1].endswith("--no-deps .")
    assert any("--require-hashes -r locked.txt" in step for step in steps)
    uv = shutil.which("uv") or shutil.which(str(ROOT / ".venv" / "bin" / "uv"))
    if uv is None:
        pytest.skip("uv is not installed")
    [export] = [step.split() for step in steps if step.startswith("uv export")]
    for name in ("pyproject.toml", "uv.lock"):
        shutil.copy(ROOT / name, tmp_path)
    subprocess.run([uv, *export[1:]], cwd=tmp_path, check=True, capture_output=True)
    named = re.findall(
        r"^([\w.-]+)==\S+(.*?)(?=^\S|\Z)", (tmp_path / "locked.txt").read_text(), re.DOTALL | re.MULTILINE
    )
    assert {"numpy", "pandas", "streamlit", "numba"} <= {name for name, _ in named}
    assert [name for name, rest in named if "--hash=sha256:" not in rest] == []


def test_no_process_compiles_what_the_image_holds(tmp_path) -> None:
    """Its Python writes nothing: what the step that sets times leaves behind is what each process finds."""
    modules = [tmp_path / "lib" / "python3" / "site-packages" / name / "one.py" for name in ("tiekit", "other")]
    for module in modules:
        module.parent.mkdir(parents=True)
        module.write_text("number = 1\n")
    subprocess.run([sys.executable, "-m", "compileall", "-q", tmp_path / "lib"], check=True)  # as pip does
    [step] = [rest for word, rest in stages()[0] if word == "RUN" and "touch" in rest]
    here = step.replace("/opt/tiekit/bin/python", sys.executable).replace("/opt/tiekit", str(tmp_path))
    subprocess.run(here, shell=True, check=True)
    for module in modules:
        compiled = Path(importlib.util.cache_from_source(str(module))).read_bytes()
        assert int(module.stat().st_mtime) == int.from_bytes(compiled[8:12], "little"), module
