"""What the documentation shows is true: its Python runs, its links lead somewhere, its tables are complete."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import tiekit as tk

ROOT = Path(__file__).parents[1]
PAGES = [*ROOT.glob("*.md"), *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"(?:<!-- not run: (?P<reason>[^\n]*) -->\n)?```python\n(?P<code>.*?)```", re.DOTALL)


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def code_of(text: str) -> str:
    """The Python of a page, in its order; a block after ``<!-- not run: REASON -->`` is left out."""
    blocks = list(BLOCK.finditer(text))
    assert len(blocks) == text.count("```python"), "each block of Python begins and ends at the margin"
    assert all(block["reason"] is None or block["reason"].strip() for block in blocks), "say why a block is not run"
    return "\n".join(block["code"] for block in blocks if block["reason"] is None)


WITH_CODE = [page for page in PAGES if code_of(text_of(page))]


EACH = """
import contextlib, io, json, sys, traceback, warnings
import tiekit
warnings.filterwarnings("ignore", category=tiekit.NearTieWarning)  # of the real scores of README.md, which names it
failed = {}
for name, (code, printed) in json.load(sys.stdin).items():
    try:
        with contextlib.redirect_stdout(io.StringIO()) as said:
            exec(compile(code, name, "exec"), {"__name__": "__main__"})
        for text in printed:
            assert text in said.getvalue(), f"{name} does not print:\\n{text}"
    except Exception:
        failed[name] = traceback.format_exc()
json.dump(failed, sys.stderr)
"""
"""Runs each page by itself, and compares what it says it prints; one interpreter for all spares five starts."""


def run_pages(pages: dict[str, tuple[str, list[str]]]) -> dict[str, str]:
    """What went wrong, by page, in a fresh interpreter, warnings being errors."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", EACH],
        input=json.dumps(pages),
        cwd=ROOT,
        env=os.environ,
        capture_output=True,
        text=True,
        check=True,
    )
    failed: dict[str, str] = json.loads(done.stderr.splitlines()[-1])
    return failed


SLOW = {
    *("docs/constants.md", "docs/correctness.md", "docs/fairness.md", "docs/howto/my-metric.md", "docs/identical.md"),
    *("docs/howto/my-papers-table.md", "docs/measures.md"),
}
"""Pages whose Python takes some half of a second or more, README and tutorial aside: the campaigns run it."""


@pytest.mark.parametrize("slow", [False, pytest.param(True, marks=pytest.mark.campaign)])
def test_the_python_of_every_page_runs(slow: bool) -> None:
    named = {page.relative_to(ROOT).as_posix(): text_of(page) for page in WITH_CODE}
    pages = {name: text for name, text in named.items() if (name in SLOW) == slow}
    printed = {"docs/tutorial.md": re.findall(r"```text\n(.*?)```", named["docs/tutorial.md"], re.DOTALL)}
    assert len(printed["docs/tutorial.md"]) == 3
    failed = run_pages({name: (code_of(text), printed.get(name, [])) for name, text in pages.items()})
    assert not failed, "\n".join(failed.values())


def test_links_and_pictures_of_every_page_are_there() -> None:
    for page in PAGES:
        links = [link.partition("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", text_of(page)) if ":" not in link]
        assert [link for link in links if not (page.parent / link).exists()] == [], page


def test_every_page_is_in_the_navigation_of_the_site_or_in_the_readme() -> None:
    readme, site = text_of(ROOT / "README.md"), text_of(ROOT / "mkdocs.yml")
    for page in PAGES[len([*ROOT.glob("*.md")]) :]:
        name = page.relative_to(ROOT / "docs").as_posix()
        assert f"](docs/{name})" in readme or f"{name}\n" in site, name


def test_the_numbers_in_the_readme_are_those_of_the_data():
    readme = text_of(ROOT / "README.md")
    assert f"human scores, {len(tk.load_wmt22().metrics)} metrics" in readme
    counts = tk.count_pairs([0, 0, 0, 0, 1, 2], [0, 0, 0, 0, 2, 1])
    told = f"{counts.concordant} concordant, {counts.discordant} discordant, {counts.ties_both} tied by both"
    assert told in readme


def test_the_years_of_a_coefficient_in_its_table_are_those_of_the_registry():
    page = text_of(ROOT / "docs" / "coefficients.md")
    used = {entry.name: entry.years for entry in tk.COEFFICIENTS.values() if entry.years}
    for name, years in used.items():
        row = next(line for line in page.splitlines() if line.startswith(f"| `{name}` |"))
        assert ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in years) in row
