"""What holds for the repository as a whole: what importing tiekit loads, and what is never in a file."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OWN_FOLDERS = ("tiekit", "ui", "pages", "tests", "benchmarks", "data")
PICTURES = {".png", ".svg", ".gif", ".jpg", ".webp"}
LARGEST_FILE = 400_000
LONGEST_MODULE, LONGEST_PAGE = 700, 70

IMPORT_ALONE = """
import importlib.abc, sys

class Forbid(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"streamlit", "altair"}:
            raise ImportError(f"{name} is forbidden here")

sys.meta_path.insert(0, Forbid())
import tiekit
tiekit.read({"a.csv": b"system,segment,human,m\\nA,1,2,3\\nB,1,2,4\\n"})
print(*sorted(sys.modules))
"""


def sources() -> list[Path]:
    """Every Python file of the project, relative to its root."""
    found = [*ROOT.glob("*.py"), *(path for folder in OWN_FOLDERS for path in (ROOT / folder).rglob("*.py"))]
    return sorted(path.relative_to(ROOT) for path in found)


def code_of(paths: Iterable[Path]) -> list[tuple[Path, str]]:
    return [(path, (ROOT / path).read_text(encoding="utf-8")) for path in paths]


RAW_NUMBER = re.compile(r":\.[1-9][0-9]*[fge]\}")
"""The format of a decimal number, inside an f-string or given to a table."""


def test_a_page_writes_decimals_with_one_formatter() -> None:
    raw = {path for path, code in code_of(sources()) if path.parts[0] in {"ui", "pages"} and RAW_NUMBER.search(code)}
    assert raw == {Path("ui/work/text.py"), Path("ui/grouping/values.py")}  # the latter shortens, it does not write


def test_importing_tiekit_and_reading_load_neither_streamlit_nor_altair_nor_scipy_nor_numba() -> None:
    answer = subprocess.run(
        [sys.executable, "-c", IMPORT_ALONE], capture_output=True, text=True, cwd=ROOT, env=os.environ, check=False
    )
    assert answer.returncode == 0, answer.stderr
    loaded = set(answer.stdout.split())
    assert "tiekit" in loaded
    assert not loaded & {"streamlit", "altair", "scipy.special", "scipy.stats", "numba"}


def too_large(folder: Path) -> list[str]:
    """The files that git tracks, or would, and that are too large to review; data and pictures may be larger."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=folder,
        capture_output=True,
        check=True,
    )
    paths = [Path(os.fsdecode(name)) for name in listed.stdout.split(b"\0") if name]
    return [
        path.as_posix()
        for path in paths
        if path.parts[0] != "data"
        and path.suffix not in PICTURES
        and path.name != "uv.lock"
        and (folder / path).is_file()
        if (folder / path).stat().st_size > LARGEST_FILE
    ]


def test_no_file_is_too_large_to_review() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("not a git repository")
    assert too_large(ROOT) == []


def lengths(*folders: str) -> dict[str, int]:
    """How many lines each module has, in Python and in JavaScript."""
    files = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in {".py", ".js"}]
    return {path.relative_to(ROOT).as_posix(): len(path.read_text(encoding="utf-8").splitlines()) for path in files}


def test_a_module_answers_one_question() -> None:
    found = lengths("tiekit", "ui")
    assert len(found) > 150
    assert {name: lines for name, lines in found.items() if lines > LONGEST_MODULE} == {}


def test_a_page_is_a_short_script() -> None:
    found = lengths("pages")
    assert found
    assert {name: lines for name, lines in found.items() if lines > LONGEST_PAGE} == {}


def test_the_citation_names_the_present_version() -> None:
    """The one other place where the version stands."""
    from tiekit import __version__

    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


REAL_TESTS = """
import pytest

@pytest.mark.real
def test_without_the_fixture(): pass

@pytest.mark.real
def test_with_the_fixture(real_data): assert (real_data / "mt-metrics-eval-v2").is_dir()
"""


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("folder", "required", "outcome"),
    [
        (None, None, "2 skipped"),
        (None, "1", "2 errors"),
        ("absent", None, "2 errors"),
        ("empty", "1", "2 errors"),
        ("real", "1", "2 passed"),
    ],
)
def test_a_real_test_never_passes_without_real_data(tmp_path: Path, folder, required, outcome) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "real" / "mt-metrics-eval-v2").mkdir(parents=True)
    (tmp_path / "test_it.py").write_text(REAL_TESTS)
    (tmp_path / "conftest.py").write_text((ROOT / "tests" / "conftest.py").read_text())
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = real\n")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TIEKIT_")}
    environment |= {"TIEKIT_REAL_DATA": str(tmp_path / folder)} if folder else {}
    environment |= {"TIEKIT_REQUIRE_REAL": required} if required else {}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "."]
    found = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert f"{outcome} in" in found.stdout
