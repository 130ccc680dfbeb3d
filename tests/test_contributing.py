"""Does CONTRIBUTING.md describe the repository as it is? Its map, its answers to "Where is …?", its commands."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).parents[1]
GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def section(heading: str) -> str:
    return GUIDE.split(f"\n## {heading}\n")[1].split("\n## ")[0]


def rows(heading: str) -> list[list[str]]:
    """The cells of the table under a heading, without its first two lines."""
    lines = [line for line in section(heading).splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def tracked() -> list[PurePosixPath]:
    """The files that git tracks, or would."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a git repository")
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    return [PurePosixPath(name) for name in listed if name and (ROOT / name).is_file()]


def test_the_map_shows_every_folder() -> None:
    """Those at the top, and the rooms of the library; what is hidden is no place to work in."""
    parents = {path.parent.parts[:2] for path in tracked()} - {()}
    rooms = {parts[-1] for parts in parents if parts[0] == "tiekit" or (len(parts) == 1 and parts[0][0] != ".")}
    assert sorted(room for room in rooms if not re.search(rf"\b{room}\b", section("The map"))) == []


def test_what_a_newcomer_looks_for_is_where_the_guide_says() -> None:
    answers = rows("Where is …?")
    assert answers
    for question, answer in answers:
        assert question.endswith("?")
        assert (ROOT / answer.strip("`")).exists(), question


def test_files_and_commands_that_the_guide_names_are_there() -> None:
    files = {name for name in re.findall(r"`([\w./]+/[\w.]+\.\w+)`", GUIDE) if "NUMBER" not in name}
    assert len(files) > 20
    assert [name for name in files if not (ROOT / name).exists()] == []
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert set(re.findall(r"`make ([a-z-]+)`", GUIDE)) <= set(targets)


@pytest.mark.parametrize("heading", re.findall(r"^## (How to add .*)$", GUIDE, re.MULTILINE))
def test_what_the_guide_tells_to_write_is_what_the_code_knows(heading: str) -> None:
    """Every name in its steps occurs in the code, and its example is a test."""
    code = " ".join(
        path.read_text(encoding="utf-8")
        for folder in ("tiekit", "ui", "pages")
        for path in (ROOT / folder).rglob("*.[pj]*")
        if path.suffix in (".py", ".js")
    )
    known = set(re.findall(r"\w+", code))
    names = {name for name in re.findall(r"([A-Za-z_]+)(?:`|\(| = )", section(heading)) if "NUMBER" not in name}
    assert len(names) > 4
    assert names - known == set()
    assert re.search(r"example is `tests/[\w/]+/test_\w+\.py`", section(heading))
