"""Lists beside each other in records: the steps that are printed are followed, and every score is compared."""

from __future__ import annotations

import ast
import json
import pathlib
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tests.readers.test_logged_json import write
from tests.readers.test_rows_of_objects import DATA, SCORES, SIZE, SYSTEMS

pytestmark = [
    pytest.mark.filterwarnings("ignore::tiekit.RoleWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]
RANDOM = np.random.default_rng(5)
OTHERS = RANDOM.random(SCORES.shape).round(3)
RATINGS = RANDOM.integers(1, 100, (*SCORES.shape, 3))
MEANS = RATINGS.mean(axis=2)
ITEMS = RANDOM.permutation(SIZE).tolist()
TEXTS = tk.EvalSet("toy", "", DATA.systems, tuple(f"q{at}" for at in range(SIZE)), DATA.human, {})
KINDS = ["json", "jsonl", "list"]


def refuse(source: Any, data: tk.EvalSet = DATA, **options: Any) -> str:
    with pytest.raises((tk.InputError, tk.ReadError)) as refused:
        data.with_scores(source, **options)
    return str(refused.value)


def follow(rows: list[Any], kind: str, tmp_path: pathlib.Path) -> Any:
    """What the step of the refusal of rows returns, in a file or in memory."""
    source = rows if kind == "list" else write(tmp_path / f"x.{kind}", rows)
    told = refuse(source, name="x")
    step = re.search(r"pass (\[.*\]|pandas\..*\))(?:, in Python)?$", told)
    assert step, told
    return eval(step[1], {"json": json, "pandas": pd, "PATH": source, "source": source, "SYSTEMS": SYSTEMS})


def anew() -> list[int]:
    """The systems in an order of a row's own."""
    return RANDOM.permutation(len(SYSTEMS)).tolist()


def label(at: int, data: tk.EvalSet) -> Any:
    return at + 1 if data is DATA else data.segments[at]


@pytest.mark.sampled(7)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("data", [DATA, TEXTS])
@pytest.mark.parametrize(
    ("names", "scores"),
    [("models", "scores"), ("systems", "ratings"), ("candidates", "values"), ("shown", "score"), ("model_names", "x")],
)
def test_names_of_systems_beside_scores(names, scores, data, kind, tmp_path):
    rows = []
    for at in ITEMS:
        order = anew()
        found = [SCORES[one, at] for one in order]
        rows.append({"id": label(at, data), names: [SYSTEMS[one] for one in order], scores: found})
    more = data.with_scores(follow(rows, kind, tmp_path), name="x")
    np.testing.assert_array_equal(more.metrics["x"], SCORES)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("below", [False, True])
def test_several_scores_and_outputs_beside_names_of_systems(below, kind, tmp_path):
    rows: list[Any] = []
    for at in ITEMS:
        order = anew()
        lists = {
            "models": [SYSTEMS[one] for one in order],
            "outputs": [f"output {one} of {at}" for one in order],
            "bleu": [SCORES[one, at] for one in order],
            "comet": [OTHERS[one, at] for one in order],
        }
        rows.append({"meta": {"id": at + 1}, "eval": lists} if below else {"id": at + 1, **lists})
    if below and kind == "json":
        rows = rows[:1] + rows[1:]
    more = DATA.with_scores(follow(rows, kind, tmp_path))
    np.testing.assert_array_equal(more.metrics["bleu"], SCORES)
    np.testing.assert_array_equal(more.metrics["comet"], OTHERS)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("data", [DATA, TEXTS])
@pytest.mark.parametrize("mean", [{}, {"mean": 0.5}, {"avg_score": 50}])
@pytest.mark.parametrize("ids", ["ids", "segment_ids", "items"])
def test_ids_beside_scores_of_a_system(ids, mean, data, kind, tmp_path):
    rows = []
    for row, name in enumerate(SYSTEMS):
        order = RANDOM.permutation(SIZE).tolist()
        rows.append(
            {"system": name, **mean, ids: [label(at, data) for at in order], "scores": SCORES[row, order].tolist()}
        )
    more = data.with_scores(follow(rows, kind, tmp_path), name="x")
    np.testing.assert_array_equal(more.metrics["x"], SCORES)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["ratings", "human_scores", "annotations", "votes"])
@pytest.mark.parametrize("raters", [1, 2, 3])
def test_ratings_of_each_system_below_its_name(raters, name, kind, tmp_path):
    rows = [{"id": at + 1, name: {SYSTEMS[one]: RATINGS[one, at, :raters].tolist() for one in anew()}} for at in ITEMS]
    is_read = kind == "list" and raters == 1  # a list of one number is that number
    more = DATA.with_scores(rows if is_read else follow(rows, kind, tmp_path), name="x")
    np.testing.assert_allclose(more.metrics["x"], RATINGS[:, :, :raters].mean(axis=2), rtol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_scores_of_each_system_below_its_name_that_are_not_ratings_stay_apart(kind, tmp_path):
    rows = [{"id": at + 1, "scores": {SYSTEMS[one]: RATINGS[one, at].tolist() for one in anew()}} for at in ITEMS]
    more = DATA.with_scores(follow(rows, kind, tmp_path))
    for place in range(3):
        np.testing.assert_array_equal(more.metrics[f"scores {place + 1}"], RATINGS[:, :, place])


@pytest.mark.sampled(5)
@pytest.mark.parametrize("kind", [*KINDS, "frame", "csv", "tsv", "xlsx", "table"])
@pytest.mark.parametrize("uneven", [False, True])
@pytest.mark.parametrize("name", ["ratings", "scores", "criteria"])
def test_ratings_of_a_row(name, uneven, kind, tmp_path):
    lists = RATINGS.tolist()
    if uneven:
        lists[1][3], lists[2][5] = [7, None], [1, 2, 3, 4]
    rows = [
        {
            "system": system,
            "segment": at + 1,
            **({"adequacy": found, "fluency": found[::-1]} if name == "criteria" else {name: found}),
        }
        for at in ITEMS
        for row, system in enumerate(SYSTEMS)
        for found in [lists[row][at]]
    ]
    frame, path = pd.DataFrame(rows), tmp_path / f"x.{kind}"
    if kind == "table":
        told = refuse(path := write(tmp_path / "x.jsonl", rows), name="x", format="table")
    elif kind in ("csv", "tsv", "xlsx"):
        if kind == "xlsx":
            frame.to_excel(path, index=False)
        else:
            frame.to_csv(path, index=False, sep="\t" if kind == "tsv" else ",")
        told = refuse(path, name="x")
    else:
        source = frame if kind == "frame" else rows if kind == "list" else write(path, rows)
        told = refuse(source, name="x")
    step = re.search(r"pass (\[.*\])$", told)
    assert step, told
    known = {"json": json, "ast": ast, "pandas": pd, "PATH": path, "source": frame if kind == "frame" else rows}
    more = DATA.with_scores(eval(step[1], known), **({"name": "x"} if name == "ratings" else {}))
    truth = np.array([[np.nanmean(np.array(cell, float)) for cell in row] for row in lists])
    if name == "scores":
        expected = {
            f"scores {place + 1}": [[(cell + [np.nan] * 3)[place] for cell in row] for row in lists]
            for place in range(3)
        }
    else:
        expected = dict.fromkeys(["x"] if name == "ratings" else ["adequacy", "fluency"], truth)
    for called, scores in expected.items():
        np.testing.assert_allclose(more.metrics[called], np.array(scores, float), rtol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_raters_beside_their_ratings_are_kept(kind, tmp_path):
    people = ["ann", "bob", "eve"]
    rows = [
        {"system": name, "segment": at + 1, "raters": people, "ratings": RATINGS[row, at].tolist()}
        for at in ITEMS
        for row, name in enumerate(SYSTEMS)
    ]
    found = follow(rows, kind, tmp_path)
    more = DATA.with_scores(found, scorer="rater", score="score")
    for place, name in enumerate(people):
        np.testing.assert_array_equal(more.metrics[name], RATINGS[:, :, place])
    by_system = [
        {"id": at + 1, "raters": people, "ratings": {SYSTEMS[one]: RATINGS[one, at].tolist() for one in anew()}}
        for at in ITEMS
    ]
    assert "'rater'" in (told := refuse(follow(by_system, kind, tmp_path), name="x")), told
    more = DATA.with_scores(follow(by_system, kind, tmp_path), name="x", aggregate="mean")
    np.testing.assert_allclose(more.metrics["x"], MEANS, rtol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_ratings_in_lists_of_each_system(kind, tmp_path):
    rows = []
    for at in ITEMS:
        order = anew()
        rows.append({"id": at + 1, "models": [SYSTEMS[one] for one in order], "ratings": RATINGS[order, at].tolist()})
    more = DATA.with_scores(follow(rows, kind, tmp_path), name="x")
    np.testing.assert_allclose(more.metrics["x"], MEANS, rtol=1e-12)


@pytest.mark.parametrize("kind", ["json", "jsonl"])
def test_objects_with_scores_beside_names_of_systems(kind, tmp_path):
    rows = []
    for at in ITEMS:
        order = anew()
        found = [{"score": SCORES[one, at], "why": "so"} for one in order]
        rows.append({"id": at + 1, "models": [SYSTEMS[one] for one in order], "evaluations": found})
    more = DATA.with_scores(follow(rows, kind, tmp_path), name="x")
    np.testing.assert_array_equal(more.metrics["x"], SCORES)


@pytest.mark.parametrize("kind", ["json", "jsonl"])
def test_lists_of_each_metric_of_a_system(kind, tmp_path):
    rows = [
        {"system": name, "scores": {"bleu": SCORES[row].tolist(), "comet": OTHERS[row].tolist()}}
        for row, name in enumerate(SYSTEMS)
    ]
    more = DATA.with_scores(follow(rows, kind, tmp_path), scorer="metric", score="score")
    np.testing.assert_array_equal(more.metrics["bleu"], SCORES)
    np.testing.assert_array_equal(more.metrics["comet"], OTHERS)


def test_lists_of_other_lengths_are_no_names_of_scores(tmp_path):
    rows = [{"id": at + 1, "models": list(SYSTEMS), "scores": [1, 2]} for at in ITEMS]
    told = refuse(write(tmp_path / "x.jsonl", rows), name="x")
    assert f"models has {len(SYSTEMS)}, scores has 2" in told
    assert "{'system': SYSTEM, 'segment': row['id'], 'score': SCORE} for each score" in told


@pytest.mark.parametrize("ending", KINDS)
@pytest.mark.parametrize("mean", [{"mean": 0.4}, {"score": 0.4}, {"corpus_bleu": 31}, {"avg": 3, "overall": 0.5}])
@pytest.mark.parametrize("turned", [False, True])
def test_a_mean_above_the_scores_is_none_of_them(turned, mean, ending, tmp_path):
    if turned:
        rows: list[Any] = [
            {"id": at + 1, **mean, "systems": [{"system": SYSTEMS[one], "score": SCORES[one, at]} for one in anew()]}
            for at in ITEMS
        ]
    else:
        rows = [
            {"system": name, **mean, "segments": [{"id": at + 1, "score": SCORES[row, at]} for at in ITEMS]}
            for row, name in enumerate(SYSTEMS)
        ]
    more = DATA.with_scores(follow(rows, ending, tmp_path), name="x")
    np.testing.assert_array_equal(more.metrics["x"], SCORES)


@pytest.mark.parametrize("ending", ["json", "list"])
def test_rows_of_each_system_below_ids(ending, tmp_path):
    found = {str(at + 1): [{"system": SYSTEMS[one], "score": SCORES[one, at]} for one in anew()] for at in ITEMS}
    if ending == "json":
        (path := tmp_path / "x.json").write_text(json.dumps(found))
    more = DATA.with_scores(path if ending == "json" else found, name="x")
    np.testing.assert_array_equal(more.metrics["x"], SCORES)
    by_metric = {
        name: [
            {"system": system, "score": one}
            for system, row in zip(SYSTEMS, scores.tolist(), strict=True)
            for one in row
        ]
        for name, scores in (("u", SCORES), ("v", OTHERS))
    }
    assert "column" in refuse(by_metric, metrics="score")


@pytest.mark.parametrize("means", [{"mean": 0.5}, {}])
def test_a_whole_object_with_a_list_of_systems(means, tmp_path):
    systems = [
        {"name": name, **means, "segments": [{"id": at + 1, "score": SCORES[row, at]} for at in ITEMS]}
        for row, name in enumerate(SYSTEMS)
    ]
    (path := tmp_path / "x.json").write_text(json.dumps({"version": "1", "systems": systems}))
    step = re.search(r"such as (.*), in Python", refuse(path, name="x"))
    assert step, refuse(path, name="x")
    more = DATA.with_scores(eval(step[1], {"json": json, "PATH": path}), name="x")
    np.testing.assert_array_equal(more.metrics["x"], SCORES)


@pytest.mark.parametrize("beside", [{"config": {"seed": 1}}, {"summary": {"mean": 0.5}, "params": {"n": 3}}])
def test_rows_beside_objects_of_numbers(beside, tmp_path):
    results = [
        {"system": name, "id": at + 1, "score": SCORES[row, at]} for at in ITEMS for row, name in enumerate(SYSTEMS)
    ]
    path = write(tmp_path / "x.json", beside | {"results": results})
    path.write_text(json.dumps(beside | {"results": results}))
    step = re.search(r"such as (.*), in Python", refuse(path, name="x"))[1]
    more = DATA.with_scores(eval(step, {"json": json, "PATH": path}), name="x")
    np.testing.assert_array_equal(more.metrics["x"], SCORES)


@pytest.mark.parametrize("kind", ["parquet", "frame", "csv"])
def test_a_score_in_an_object_beside_a_list(kind, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    frame = pd.DataFrame(
        [
            {
                "system": name,
                "segment": at + 1,
                "evaluation": {"score": float(SCORES[row, at])},
                "contexts": [{"text": "c", "score": 0.1}],
            }
            for at in ITEMS
            for row, name in enumerate(SYSTEMS)
        ]
    )
    path = tmp_path / f"x.{kind}"
    if kind == "parquet":
        frame.to_parquet(path)
    elif kind == "csv":
        frame.to_csv(path, index=False)
    told = refuse(frame if kind == "frame" else path, name="x")
    step = re.search(r"pass (\S.*\))(?: in Python)?$", told)
    assert step, told
    known = {"pandas": pd, "ast": ast, "PATH": path, "source": frame, "pyarrow": type("", (), {"parquet": parquet})}
    more = DATA.with_scores(eval(step[1], known), name="x")
    np.testing.assert_array_equal(more.metrics["x"], SCORES)


@pytest.mark.parametrize("kind", ["json", "memory"])
@pytest.mark.parametrize("named", ["hash", "joined"])
def test_rows_below_keys_of_a_cache(named, kind, tmp_path):
    cells = [(row, at) for at in ITEMS for row in range(len(SYSTEMS))]
    if named == "hash":
        found: dict[str, Any] = {
            f"{number:08x}": {"system": SYSTEMS[row], "segment": at + 1, "score": SCORES[row, at]}
            for number, (row, at) in enumerate(cells)
        }
    else:
        found = {f"{SYSTEMS[row]}|{at + 1}": {"score": SCORES[row, at], "reason": "so"} for row, at in cells}
    if kind == "json":
        (path := tmp_path / "x.json").write_text(json.dumps(found))
    told = refuse(path if kind == "json" else found, name="x")
    step = re.search(r"pass (list\(.*\)|\[.*\])(?:, in Python)?$", told)
    assert step, told
    rows = eval(step[1], {"json": json, "PATH": tmp_path / "x.json", "source": found})
    np.testing.assert_array_equal(DATA.with_scores(rows, name="x").metrics["x"], SCORES)
