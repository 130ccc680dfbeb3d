"""JSON as tools write it (logged tables, whole documents, lists in lines): read, or refused with a true step."""

from __future__ import annotations

import json
import pathlib
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tests.readers.test_rows_of_objects import DATA, SCORES, SHUFFLED, SIZE, SYSTEMS
from tiekit.errors import collect_warnings

pytestmark = [
    pytest.mark.filterwarnings("ignore::tiekit.RoleWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


def write(path: pathlib.Path, found: Any) -> pathlib.Path:
    """A file of one document, or of a line for each object of a list."""
    is_lines = path.suffix == ".jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in found) if is_lines else json.dumps(found))
    return path


def follow(refused: BaseException, **known: Any) -> Any:
    """What the step of a message returns, evaluated as it is written."""
    told = str(refused)
    step = re.search(r"(?:, such as |pass those, |, pass )(.*?)(?:, in Python)?$", told)
    assert step, told
    names = {"json": json, "open": open, "map": map, "list": list, "sorted": sorted, "pandas": pd, "pathlib": pathlib}
    return eval(step[1], {**names, "SYSTEMS": list(SYSTEMS), **known})


def check(source: Any, **options: Any) -> None:
    np.testing.assert_array_equal(DATA.with_scores(source, name="x", **options).metrics["x"], SCORES)


COLUMNS = ["model", "id", "output", "bleurt"]
CELLS = [[SYSTEMS[row], at + 1, f"out {row} {at}", SCORES[row, at]] for row, at in SHUFFLED]
TABLE = {"columns": COLUMNS, "data": CELLS}
LOGGED = {
    "Weights & Biases": {**TABLE, "ncols": 4, "nrows": len(CELLS), "column_types": {"wb_type": "typedDict"}},
    "two numbers": {**TABLE, "ncols": 4, "nrows": len(CELLS)},
    "MLflow": TABLE,
}


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("kind", LOGGED)
def test_a_table_that_is_logged_is_read(kind, indent, tmp_path):
    path = tmp_path / "scores.table.json"
    path.write_text(json.dumps(LOGGED[kind], indent=indent))
    for source in (path, {path.name: path.read_bytes()}, path.read_bytes(), LOGGED[kind]):
        check(source)


def test_a_table_with_uneven_rows_or_names_twice_is_none():
    for broken in (
        {**TABLE, "data": [*CELLS, CELLS[0][:3]]},
        {**TABLE, "columns": ["model", "id", "id", "x"]},
        {**TABLE, "columns": [1.5, "id", "a", "x"]},
    ):
        with pytest.raises(tk.ReadError):
            DATA.with_scores({"x.json": json.dumps(broken).encode()}, name="x")


ROWS = [{"id": at + 1, "model": SYSTEMS[row], "judge": {"score": SCORES[row, at]}} for row, at in SHUFFLED]
FLAT = [{"id": one["id"], "model": one["model"], "score": one["judge"]["score"], "ok": True} for one in ROWS]
DOCUMENTS = {
    "promptfoo": {
        "evalId": "eval-1",
        "results": {"version": 3, "timestamp": "2024", "results": FLAT, "stats": {"successes": 3}},
        "config": {},
    },
    "no config": {"evalId": "e", "results": {"version": 3, "results": FLAT, "prompts": [{"raw": "q"}], "stats": {}}},
    "Inspect": {
        "version": 2,
        "eval": {"task": "x"},
        "results": {"scores": [{"name": "judge", "metrics": {"mean": {"value": 0.5}}}]},
        "samples": ROWS,
    },
    "DeepEval": {"testCases": ROWS, "testPassed": 10, "metricsScores": [{"metric": "x", "scores": [1, 2]}]},
    "deep": {"a": {"b": {"c": {"rows": ROWS}}, "n": [1]}, "z": "a"},
}


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_whole_documents_are_refused_with_the_path_to_their_rows(kind, tmp_path):
    path = write(tmp_path / "log.json", DOCUMENTS[kind])
    for source, known in (
        (path, {"PATH": path}),
        ({path.name: path.read_bytes()}, {"PATH": path}),
        (DOCUMENTS[kind], {"source": DOCUMENTS[kind]}),
    ):
        with pytest.raises((tk.InputError, tk.ReadError), match="it has rows below") as refused:
            DATA.with_scores(source, name="x")
        assert "ROWS" not in str(refused.value)
        check(follow(refused.value, **known), metrics="score" if FLAT in flat_lists(DOCUMENTS[kind]) else None)


def flat_lists(found: Any) -> list[Any]:
    """The lists of objects in a document."""
    if isinstance(found, dict):
        return [one for below in found.values() for one in flat_lists(below)]
    return [found] if isinstance(found, list) else []


def test_documents_of_each_system_are_refused_with_the_path_in_each(tmp_path):
    whole = {}
    for name in SYSTEMS:
        samples = [{"id": one["id"], "judge": one["judge"]} for one in ROWS if one["model"] == name]
        whole[name] = {"version": 2, "eval": {"a": "b"}, "results": {"n": [{"a": "b"}]}, "samples": samples}
        write(tmp_path / f"{name}.json", whole[name])
    for source, known in ((whole, {"source": whole}), (tmp_path, {"FOLDER": tmp_path})):
        with pytest.raises((tk.InputError, tk.ReadError), match=r"samples") as refused:
            DATA.with_scores(source, name="x")
        check(follow(refused.value, **known))


LINES = {
    "by id": [{"id": at + 1, "scores": SCORES[:, at].tolist()} for at in range(SIZE)],
    "by system": [{"model": name, "scores": SCORES[row].tolist()} for row, name in enumerate(SYSTEMS)],
    "OpenAI batch": [
        {
            "id": f"batch_req_{number}",
            "custom_id": f"{SYSTEMS[row]}|{at + 1}",
            "response": {
                "status_code": 200,
                "body": {
                    "choices": [{"index": 0, "message": {"content": str(SCORES[row, at])}}],
                    "usage": {"total_tokens": 20},
                },
            },
            "error": None,
        }
        for number, (row, at) in enumerate(SHUFFLED)
    ],
    "one judge": [{**one, "judge": None, "grades": [{"name": "x", "grade": one["judge"]["score"]}]} for one in ROWS],
}


@pytest.mark.parametrize("ending", ["jsonl", "json", "array.json"])
@pytest.mark.parametrize("kind", LINES)
def test_lists_in_lines_are_refused_with_a_step(kind, ending, tmp_path):
    path = tmp_path / f"x.{ending}"
    lines = "".join(json.dumps(one) + "\n" for one in LINES[kind])
    path.write_text(json.dumps(LINES[kind]) if ending == "array.json" else lines)
    for source in (path, {path.name: path.read_bytes()}):
        with pytest.raises(tk.ReadError, match="its scores are in lists of its records") as refused:
            DATA.with_scores(source, name="x")
        check(follow(refused.value, PATH=path))


def test_lists_of_texts_beside_scores_are_no_obstacle(tmp_path):
    rows = [one | {"judge": ["gpt-4", "single-v1"], "score": one["judge"]["score"]} for one in ROWS]
    check(write(tmp_path / "x.jsonl", rows))


NOT_SCORES = {
    "execution_time": lambda at: at / 7,
    "latencyMs": lambda at: at * 3,
    "testIdx": lambda at: at,
    "stat.order": lambda at: at,
    "success": lambda at: at % 2 == 0,
    "threshold": lambda _: 0.5,
    "constant": lambda _: 3,
}


@pytest.mark.parametrize("other", NOT_SCORES)
@pytest.mark.parametrize("score", ["feedback.correctness", "stat.mean", "m.score", "my thing"])
def test_the_example_of_a_refusal_is_a_column_that_may_hold_scores(other, score):
    rows = [
        {"id": at + 1, "model": SYSTEMS[row], other: NOT_SCORES[other](at), score: SCORES[row, at]}
        for row, at in SHUFFLED
    ]
    with pytest.raises(tk.InputError, match=re.escape(f"choose it, such as metrics={score!r}")):
        DATA.with_scores(rows, name="x")


def test_no_example_is_better_than_a_wrong_one():
    rows = [
        {"id": at + 1, "model": SYSTEMS[row], "success": at % 2 == 0, "epoch": 1, "all": [{"s": SCORES[row, at]}]}
        for row, at in SHUFFLED
    ]
    with pytest.raises(
        tk.InputError, match=r"choose it by metrics=, or .*; left out all \(holds texts such as"
    ) as error:
        DATA.with_scores(rows, name="x")
    assert "such as metrics" not in str(error.value)


def test_lists_beside_a_score_of_the_row_are_not_said_to_hold_it(tmp_path):
    """A log of answers with what was retrieved for each, which has scores too."""
    rows = [
        {
            "system": system,
            "segment": number,
            "faithfulness": number / 40,
            "contexts": [{"score": ord(system) * number % 11}],
        }
        for system in "ab"
        for number in range(1, 21)
    ]
    (path := tmp_path / "log.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    frame = pd.DataFrame([{"system": row["system"], "segment": row["segment"], "human": 1.0} for row in rows])
    data = tk.read(frame, human="human")
    with pytest.warns(tk.RoleWarning, match="took faithfulness for metrics; left out contexts"):
        found = data.with_scores(path, name="x")
    assert found.metrics["x"].tolist() == [[number / 40 for number in range(1, 21)]] * 2


@pytest.mark.parametrize("number", [1, 3])
@pytest.mark.parametrize("name", ["score", "wert"])
def test_files_whose_first_lists_are_empty_are_read_as_the_others(name, number, tmp_path):
    scores = {system: [round(at / 7 + row, 3) for at in range(20)] for row, system in enumerate("ABC")}
    values = list(scores.values())
    data = tk.EvalSet("toy", "", ("A", "B", "C"), tuple(map(str, range(1, 21))), {"mqm": values}, {"m": values})
    for system, own in scores.items():
        spans = [[{"start": 7, "confidence": 0.5}] * (0 if system == "A" and at < number else 2) for at in range(20)]
        rows = [{"segment": at + 1, name: score, "spans": spans[at]} for at, score in enumerate(own)]
        (tmp_path / f"{system}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    if name == "score":
        with collect_warnings() as said:
            found = data.with_scores(tmp_path, name="x")
        assert not [text for _, text in said if "left out A" in text]
    else:
        with pytest.raises(tk.ReadError, match="format='table'"):
            data.with_scores(tmp_path, name="x")
        with collect_warnings():
            found = data.with_scores(tmp_path, name="x", format="table")
    assert found.metrics["x"].tolist() == values


def test_objects_and_lists_in_the_cells_of_a_frame_or_of_parquet(tmp_path):
    rows = [
        {"system": system, "segment": at + 1, "evaluation": {"score": at / 7 + row}, "contexts": [{"score": 0.5}] * at}
        for row, system in enumerate("ABC")
        for at in range(20)
    ]
    values = [[at / 7 + row for at in range(20)] for row in range(3)]
    data = tk.EvalSet("toy", "", ("A", "B", "C"), tuple(map(str, range(1, 21))), {"mqm": values}, {"m": values})
    source = pd.DataFrame(rows)
    source.to_parquet(path := tmp_path / "rows.parquet")
    for one, known in ((source, {"source": source}), (path, {"pandas": pd, "PATH": path})):
        with pytest.raises(tk.ReadError, match=r"to_dict\('records'\)$") as refused:
            data.with_scores(one, name="x")
        found = data.with_scores(eval(re.search(r"pass (\S+)$", str(refused.value))[1], known), name="x")
        assert found.metrics["x"].tolist() == values
