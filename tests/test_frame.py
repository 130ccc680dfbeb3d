"""What holds for the repository as a whole: what importing tiekit loads, and what is never in a file."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from statistics import median

import pytest

ROOT = Path(__file__).parents[1]
OWN_FOLDERS = ("tiekit", "ui", "pages", "tests", "benchmarks", "data")
PICTURES = {".png", ".svg", ".gif", ".jpg", ".webp"}
LARGEST_FILE = 400_000
LONGEST_MODULE, MEDIAN_MODULE, LONGEST_PAGE = 700, 150, 60

IMPORT_ALONE = """
import importlib.abc, sys

class Forbid(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"streamlit", "altair"}:
            raise ImportError(f"{name} is forbidden here")

sys.meta_path.insert(0, Forbid())
import tiekit
print(*sorted(sys.modules))
"""


def sources() -> list[Path]:
    """Every Python file of the project, relative to its root."""
    found = [*ROOT.glob("*.py"), *(path for folder in OWN_FOLDERS for path in (ROOT / folder).rglob("*.py"))]
    return sorted(path.relative_to(ROOT) for path in found)


def imported(code: str) -> set[str]:
    """The packages that a program imports, wherever in it that is written."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.split(".")[0])
    return names


def unsafe_calls(code: str) -> set[str]:
    """What lets data become HTML, or code."""
    found = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.keyword) and node.arg in {
            "unsafe_allow_html",
            "unsafe_allow_javascript",
            "allow_pickle",
        }:
            if not (isinstance(node.value, ast.Constant) and node.value.value is False):
                found.add(node.arg)
        elif isinstance(node, ast.Attribute) and node.attr in {"read_pickle", "unsafe_load"}:
            found.add(node.attr)
        elif isinstance(node, ast.Import) and any(alias.name.split(".")[0] == "joblib" for alias in node.names):
            found.add("joblib")  # with its `load`, which unpickles; its loops have names of their own
        elif isinstance(node, ast.ImportFrom) and node.module == "joblib":
            found |= {alias.name for alias in node.names} & {"load", "*"}
    return found | (imported(code) & {"pickle", "cPickle", "dill", "cloudpickle", "shelve", "marshal"})


def code_of(paths: Iterable[Path]) -> list[tuple[Path, str]]:
    return [(path, (ROOT / path).read_text(encoding="utf-8")) for path in paths]


RAW_NUMBER = re.compile(r":\.[1-9][0-9]*[fge]\}")
"""The format of a decimal number, inside an f-string or given to a table."""


def test_a_page_writes_decimals_with_one_formatter() -> None:
    raw = {path for path, code in code_of(sources()) if path.parts[0] in {"ui", "pages"} and RAW_NUMBER.search(code)}
    assert raw == {Path("ui/work/text.py"), Path("ui/grouping/averaging.py")}  # the latter shortens, it does not write


def test_importing_tiekit_loads_neither_streamlit_nor_altair_nor_scipy() -> None:
    answer = subprocess.run(
        [sys.executable, "-c", IMPORT_ALONE], capture_output=True, text=True, cwd=ROOT, env=os.environ, check=False
    )
    assert answer.returncode == 0, answer.stderr
    loaded = set(answer.stdout.split())
    assert "tiekit" in loaded
    assert not loaded & {"streamlit", "altair", "scipy.special", "scipy.stats"}


def test_no_file_makes_html_or_code_out_of_data() -> None:
    shipped = [path for path in sources() if path.parts[0] != "tests"]
    assert {path.as_posix(): found for path, code in code_of(shipped) if (found := unsafe_calls(code))} == {
        "tiekit/core/_compile.py": {"pickle"}  # the name of an error alone
    }
    assert (ROOT / "tiekit/core/_compile.py").read_text().count("pickle.") == 1


@pytest.mark.parametrize(
    "code",
    [
        "st.markdown(x, unsafe_allow_html=True)",
        "st.markdown(x, unsafe_allow_html=flag)",
        "import pickle",
        "from pickle import loads",
        "np.load(f, allow_pickle=True)",
        "pd.read_pickle(f)",
        "import joblib",
        "from joblib import Parallel, load",
    ],
)
def test_an_unsafe_call_would_be_seen(code: str) -> None:
    assert unsafe_calls(code)
    assert not unsafe_calls("np.load(f, allow_pickle=False)\nst.markdown(x)")


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


def test_a_file_that_is_too_large_would_be_seen(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    (tmp_path / ".gitignore").write_text("ignored\n")
    (tmp_path / "data").mkdir()
    for name in ("large.json", "large.png", "ignored", "data/large.tsv"):
        (tmp_path / name).write_bytes(b"x" * (LARGEST_FILE + 1))
    assert too_large(tmp_path) == ["large.json"]


def lengths(*folders: str) -> dict[str, int]:
    """How many lines each module has, in Python and in JavaScript."""
    files = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in {".py", ".js"}]
    return {path.relative_to(ROOT).as_posix(): len(path.read_text(encoding="utf-8").splitlines()) for path in files}


def test_a_module_answers_one_question() -> None:
    found = lengths("tiekit", "ui")
    assert len(found) > 150
    assert {name: lines for name, lines in found.items() if lines > LONGEST_MODULE} == {}
    assert median(found.values()) <= MEDIAN_MODULE


def test_a_page_is_a_short_script() -> None:
    found = lengths("pages")
    assert found
    assert {name: lines for name, lines in found.items() if lines > LONGEST_PAGE} == {}


REAL_TESTS = """
import pytest

@pytest.mark.real
def test_without_the_fixture(): pass

@pytest.mark.real
def test_with_the_fixture(real_data): assert (real_data / "mt-metrics-eval-v2").is_dir()
"""


OUTCOMES = {
    (None, None): "2 skipped",
    (None, "1"): "2 errors",
    ("absent", None): "2 errors",
    ("absent", "1"): "2 errors",
    ("empty", "1"): "2 errors",
    ("real", None): "2 passed",
    ("real", "1"): "2 passed",
}
"""What becomes of two real tests, by the folder that TIEKIT_REAL_DATA names and by TIEKIT_REQUIRE_REAL."""

RUN_EACH = """
import contextlib, io, json, os, sys
import pytest

found = []
for environment in json.loads(sys.argv[1]):
    before = dict(os.environ)
    os.environ |= environment
    with contextlib.redirect_stdout(io.StringIO()) as output:
        pytest.main(["-p", "no:cacheprovider", "."])
    found.append(output.getvalue())
    os.environ.clear()
    os.environ |= before
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str | None, str | None], str]:
    """What pytest prints in each case, all of them in one interpreter."""
    folder = tmp_path_factory.mktemp("real")
    (folder / "empty").mkdir()
    (folder / "real" / "mt-metrics-eval-v2").mkdir(parents=True)
    (folder / "test_it.py").write_text(REAL_TESTS)
    (folder / "conftest.py").write_text((ROOT / "tests" / "conftest.py").read_text())
    (folder / "pytest.ini").write_text("[pytest]\nmarkers = real\n")
    asked = [
        ({"TIEKIT_REAL_DATA": str(folder / name)} if name else {})
        | ({"TIEKIT_REQUIRE_REAL": required} if required else {})
        for name, required in OUTCOMES
    ]
    answer = subprocess.run(
        [sys.executable, "-c", RUN_EACH, json.dumps(asked)],
        cwd=folder,
        env={name: value for name, value in os.environ.items() if not name.startswith("TIEKIT_")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 0, answer.stderr
    return dict(zip(OUTCOMES, json.loads(answer.stdout), strict=True))


@pytest.mark.campaign
@pytest.mark.parametrize(("folder", "required"), list(OUTCOMES))
def test_a_real_test_never_passes_without_real_data(
    outputs: dict[tuple[str | None, str | None], str], folder: str | None, required: str | None
) -> None:
    assert f"{OUTCOMES[folder, required]} in" in outputs[folder, required]


def test_the_citation_names_the_present_version() -> None:
    """The one other place where the version stands."""
    from tiekit import __version__

    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
