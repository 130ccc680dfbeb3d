"""Every notebook runs, gives the committed results, and its exercises know right answers from wrong ones."""

from __future__ import annotations

import ast
import base64
import json
import math
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
import pytest

from notebooks import build
from tests.notebooks.answers import RIGHT, WRONG, solutions
from tiekit.exercises import NOTEBOOKS, PAGES
from tiekit.figures.figures import FIGURES

SOURCES = build.sources()
NAMES = [source.stem for source in SOURCES]
NUMBER = re.compile(r"(-?\d+(?:\.\d+)?(?:e-?\d+)?)")
VERSIONS = {"_model_module_version", "_view_module_version", "version", build.PICTURE}
"""What may differ: versions of packages, and pictures, which each browser draws in its own way."""

QUICK = {"01_ties", "03_missing_segments", "05_wmt22", "10_judgments"}
"""Notebooks that are run in every run; the campaigns run the others, which take most of the time."""

LARGEST = 320_000


def verdicts(name: str) -> str:
    """Code that prints what becomes of all answers, as JSON."""
    asked = [*enumerate(solutions(name), 1), *RIGHT[name], *((number, answer) for number, answer, _ in WRONG[name])]
    said = ", ".join(f"check.verdict({number}, {answer})" for number, answer in asked)
    return f"import json\nprint(json.dumps([{said}]))"


def same(found: Any, expected: Any) -> bool:
    """Whether two parts of notebooks are alike, numbers in texts up to rounding, without versions."""
    if isinstance(expected, dict) and isinstance(found, dict):
        keys = (found.keys() | expected.keys()) - VERSIONS
        return all(key in found and key in expected and same(found[key], expected[key]) for key in keys)
    if isinstance(expected, list) and isinstance(found, list):
        return len(found) == len(expected) and all(map(same, found, expected))
    if isinstance(expected, str) and isinstance(found, str) and found != expected:
        parts, others = NUMBER.split(found), NUMBER.split(expected)
        return len(parts) == len(others) and all(
            math.isclose(float(part), float(other), rel_tol=1e-9) if place % 2 else part == other
            for place, (part, other) in enumerate(zip(parts, others, strict=True))
        )
    if isinstance(expected, float) and isinstance(found, float):
        return math.isclose(found, expected, rel_tol=1e-9)
    return bool(found == expected)


@cache
def modules() -> set[str]:
    """The JavaScript of each figure, as a notebook keeps it."""
    return {figure.for_notebook() for figure in FIGURES.values()}


def committed(name: str) -> dict[str, Any]:
    whole: dict[str, Any] = json.loads((build.FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"))
    return whole


@pytest.mark.parametrize("slow", [False, pytest.param(True, marks=pytest.mark.campaign)])
def test_notebooks_give_the_committed_results_and_know_right_answers(tmp_path: Path, slow: bool) -> None:
    """The notebooks run in one kernel, whichever process runs this."""
    run = [source for source in SOURCES if (source.stem not in QUICK) == slow]
    after = {source.stem: verdicts(source.stem) for source in run}
    changed = []
    for name, book in zip(after, build.execute(run, tmp_path, after=after), strict=True):
        [printed] = [output.text for output in book.cells.pop().outputs if output.name == "stdout"]
        right_answers_are_accepted_and_mistakes_have_hints(name, json.loads(printed))
        if not same(json.loads(build.text_of(book)), committed(name)):
            changed.append(name)
    assert not changed, "run `make notebooks`"


def right_answers_are_accepted_and_mistakes_have_hints(name: str, verdicts_printed: list[str]) -> None:
    said, right = iter(verdicts_printed), [*enumerate(solutions(name), 1), *RIGHT[name]]
    for asked in right:
        text = next(said)
        assert text.startswith("right. "), (asked, text)
        assert len(text) > 30, text
    for (number, answer, words), text in zip(WRONG[name], said, strict=True):
        assert text.startswith("not yet. "), (number, answer)
        assert words in text, (number, answer)
        solution = solutions(name)[number - 1]
        listed = "one of these names" in text or "list of" in text
        assert listed or not re.search(rf"(?<![\w.]){re.escape(solution.strip(chr(39)))}(?!\w|\.\d)", text), text


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_explains_shows_and_asks_and_warns_of_nothing(name: str) -> None:
    book = committed(name)
    assert (build.FOLDER / f"{name}.ipynb").stat().st_size <= LARGEST
    kinds = [cell["cell_type"] for cell in book["cells"]]
    assert kinds[0] == "markdown"
    assert "tiekit[notebook]" in "".join(book["cells"][0]["source"])
    shown = json.dumps(book["cells"])
    assert 3 <= len(re.findall(r"check\(\d, answer\)", shown)) == shown.count("replace ... by your answer.") <= 4
    outputs = [output["data"] for cell in book["cells"] for output in cell.get("outputs", ()) if "data" in output]
    figures = [data for data in outputs if build.VIEW in data]
    assert (name == "08_which_number") == (not figures)
    models = book["metadata"].get("widgets", {}).get(build.STATE, {}).get("state", {})
    assert {models[data[build.VIEW]["model_id"]]["state"]["_esm"] for data in figures} <= modules(), "make notebooks"
    assert all(base64.b64decode(data[build.PICTURE]).startswith(b"\x89PNG") for data in figures)
    assert "stderr" not in [output.get("name") for cell in book["cells"] for output in cell.get("outputs", ())]
    source = json.loads(build.text_of(build.read(build.FOLDER / f"{name}.py")))
    assert [cell["source"] for cell in book["cells"]] == [cell["source"] for cell in source["cells"]], "make notebooks"
    text = json.dumps(book)
    assert "Traceback" not in text
    assert str(Path.home()) not in text
    assert "/tmp" not in text


@pytest.mark.parametrize("source", SOURCES, ids=NAMES)
def test_a_figure_keeps_the_state_in_which_it_is_first_seen(source: Path) -> None:
    text = source.read_text(encoding="utf-8")
    figures = re.findall(r"^(\w+) = tk\.widgets\.", text, re.MULTILINE)
    assert [
        line for line in text.splitlines() if re.match(rf"({'|'.join(figures)})\.\w+( =|\()", line) and figures
    ] == []


@pytest.mark.parametrize("name", NAMES[:9])
def test_the_course_leads_from_each_notebook_to_the_next(name: str) -> None:
    place, text = NAMES.index(name), (build.FOLDER / f"{name}.py").read_text(encoding="utf-8")
    assert f"# Notebook {place + 1} of 9 of the course · " in text
    assert f"]({NAMES[place + 1]}.ipynb)" in text.partition("## Exercises")[2]
    assert "**Afterwards you can**" in text
    story = tomllib.loads((build.ROOT / "data" / "story.toml").read_text(encoding="utf-8"))
    titles = {page["file"]: page["title"] for page in story["pages"]}
    for page in PAGES[name]:
        assert titles.get(page, Path(page).stem.partition("_")[2].replace("_", " ")) in text.split("\n# \n")[0][:400], (
            page
        )


def test_each_notebook_has_its_exercises_and_a_line_in_the_readme() -> None:
    assert tuple(NAMES) == NOTEBOOKS == tuple(RIGHT) == tuple(WRONG)
    readme = (build.FOLDER / "README.md").read_text(encoding="utf-8")
    assert [name for name in NAMES if f"]({name}.ipynb)" not in readme] == []


def test_what_changes_from_run_to_run_is_taken_out() -> None:
    model = "9c" * 16
    book = nbformat.v4.new_notebook(
        cells=[
            nbformat.v4.new_code_cell(
                "1",
                execution_count=7,
                metadata={"execution": {"iopub.execute_input": "2026"}},
                outputs=[
                    nbformat.v4.new_output(
                        "stream", name="stderr", text="42%|####\r/tmp/a/1.py:3: UserWarning: x\n  f()\n"
                    ),
                    nbformat.v4.new_output("stream", name="stderr", text="compiling\n"),
                    nbformat.v4.new_output("execute_result", {build.VIEW: {"model_id": model}}, execution_count=7),
                ],
            )
        ],
        metadata={"widgets": {build.STATE: {"state": {model: {"model_name": "LayoutModel", "state": {"top": None}}}}}},
    )
    [cell] = (found := build.clean(book)).cells
    assert (cell.execution_count, cell.metadata, len(cell.outputs)) == (1, {}, 2)
    assert cell.outputs[0].text == "UserWarning: x\n"
    assert model not in build.text_of(found)
    assert ast.literal_eval(str(found.metadata.widgets[build.STATE].state)) == {
        "0" * 32: {"model_name": "LayoutModel", "state": {}}
    }


@pytest.mark.parametrize(
    ("found", "expected", "alike"),
    [
        ({"a": ["x 0.1000000000001", 1]}, {"a": ["x 0.1", 1]}, True),
        ({"a": "x 0.101"}, {"a": "x 0.1"}, False),
        ({"a": "y 0.1"}, {"a": "x 0.1"}, False),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ([1.0], [1.0, 2.0], False),
        ([0.3], [0.1 + 0.2], True),
        ({"_view_module_version": "1"}, {"_view_module_version": "2"}, True),
    ],
)
def test_other_numbers_would_be_seen(found: Any, expected: Any, alike: bool) -> None:
    assert same(found, expected) is alike
