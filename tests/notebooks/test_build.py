"""Every notebook runs, gives the committed results, and its exercises know right answers from wrong ones."""

from __future__ import annotations

import ast
import json
import math
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest

from notebooks import build
from tests.notebooks.answers import RIGHT, WRONG
from tiekit.exercises import NOTEBOOKS

SOURCES = build.sources()
NAMES = [source.stem for source in SOURCES]
NUMBER = re.compile(r"(-?\d+(?:\.\d+)?(?:e-?\d+)?)")
VERSIONS = {"_model_module_version", "_view_module_version", "version"}
LARGEST = 145_000


def verdicts(name: str) -> str:
    """Code that prints what becomes of all answers, as JSON."""
    asked = [(number, answer) for number, answers in RIGHT[name].items() for answer in answers]
    asked += [(number, answer) for number, answer, _ in WRONG[name]]
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


def committed(name: str) -> dict[str, Any]:
    whole: dict[str, Any] = json.loads((build.FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"))
    return whole


def test_notebooks_give_the_committed_results_and_know_right_answers(tmp_path: Path) -> None:
    """One test, so that the notebooks run once, whichever process runs it."""
    after = {name: verdicts(name) for name in NAMES}
    changed = []
    for name, book in zip(NAMES, build.execute(SOURCES, tmp_path, after=after), strict=True):
        [printed] = [output.text for output in book.cells.pop().outputs if output.name == "stdout"]
        right_answers_are_accepted_and_mistakes_have_hints(name, json.loads(printed))
        if not same(json.loads(build.text_of(book)), committed(name)):
            changed.append(name)
    assert not changed, "run `make notebooks`"


def right_answers_are_accepted_and_mistakes_have_hints(name: str, verdicts_printed: list[str]) -> None:
    said = iter(verdicts_printed)
    right = {number: [next(said) for _ in answers] for number, answers in RIGHT[name].items()}
    assert all(text.startswith("right. ") and len(text) > 30 for texts in right.values() for text in texts), right
    for (number, answer, words), text in zip(WRONG[name], said, strict=True):
        assert text.startswith("not yet. "), (number, answer)
        assert words in text, (number, answer)
        solution = RIGHT[name][number][0]
        listed = "one of these names" in text or "list of" in text
        assert listed or not re.search(rf"(?<![\w.]){re.escape(solution.strip(chr(39)))}(?!\w|\.\d)", text), text


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_explains_holds_one_figure_and_asks(name: str) -> None:
    book = committed(name)
    assert (build.FOLDER / f"{name}.ipynb").stat().st_size <= LARGEST
    kinds = [cell["cell_type"] for cell in book["cells"]]
    assert kinds[0] == "markdown"
    assert "tiekit[notebook]" in "".join(book["cells"][0]["source"])
    shown = json.dumps(book["cells"])
    assert shown.count(build.VIEW) == 1
    assert 3 <= len(re.findall(r"check\(\d, answer\)", shown)) == shown.count("replace ... by your answer.") <= 4
    [figure] = [
        model for model in book["metadata"]["widgets"][build.STATE]["state"].values() if "_esm" in model["state"]
    ]
    assert "export default" in figure["state"]["_esm"]
    text = json.dumps(book)
    assert "Traceback" not in text
    assert str(Path.home()) not in text
    assert "/tmp" not in text


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
