"""Steps in Python that a refusal prints are followed as they are written, and every score is compared."""

from __future__ import annotations

import json
import pathlib
import re
from contextlib import suppress
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import tiekit as tk

pytestmark = pytest.mark.filterwarnings("ignore::tiekit.RoleWarning")

NAMES = ("GPT-4o", "Claude-3.5-Sonnet", "NLLB-3.3B", "Google Translate", "DeepL")
SIZE = 30
RANDOM = np.random.default_rng(4)
SCORES = RANDOM.normal(size=(len(NAMES), SIZE)).round(4)
OTHER = RANDOM.integers(1, 99, SCORES.shape) * 1.0
DATA = tk.EvalSet(
    "toy",
    "",
    NAMES,
    tuple(map(str, range(1, SIZE + 1))),
    {"da": SCORES + RANDOM.normal(size=SCORES.shape)},
    {"m": OTHER},
)
ORDER = RANDOM.permutation(SIZE)
ROWS = [
    {"system": name, "segment": int(at) + 1, "score": float(SCORES[row, at])}
    for at in ORDER
    for row, name in enumerate(NAMES)
]


def refused(source, add="with_scores", **options):
    with pytest.raises((tk.InputError, tk.ReadError)) as found:
        getattr(DATA, add)(source, **options)
    return str(found.value)


def follow(step, **known):
    return eval(step, {"pandas": pd, "json": json, "open": open, "map": map, **known})


def check(source, expected=SCORES, name="x", add="with_scores"):
    more = getattr(DATA, add)(source, **({"name": name} if name else {}))
    found = {**more.human, **more.metrics}
    for called, scores in ({name: expected} if name else expected).items():
        np.testing.assert_array_equal(found[called], scores)


@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_rows_of_hugging_faces_viewer(tmp_path):
    rows = [{"row_idx": n, "row": row, "truncated_cells": []} for n, row in enumerate(ROWS)]
    features = [{"feature_idx": n, "name": name, "type": {"dtype": "string"}} for n, name in enumerate(ROWS[0])]
    whole = {"dataset": "me/mine", "features": features, "rows": rows, "num_rows_total": len(rows), "partial": False}
    (path := tmp_path / "first-rows.json").write_text(json.dumps(whole))
    for source, known in ((path, {"PATH": path}), (whole, {"source": whole})):
        check(follow(re.search(r"such as (\S+\['rows'\])", refused(source, name="x"))[1], **known))
    few = {"a": [{"x": 1}], "b": "c"}
    assert "such as source['a']" in refused(few | {"b": [1], 2.5: 1})
    assert "a mapping must be of file names" in refused({"b": [1], 2.5: 1, "c": "d"})


@pytest.mark.parametrize("changed", [("GPT-4o",), ("1st.system", "Online B (x)"), NAMES])
@pytest.mark.parametrize("kind", ["wide", "long", "lists"])
@pytest.mark.filterwarnings("error")
def test_names_that_r_has_changed_are_those_of_the_set(changed, kind):
    names = (*changed, "a", "b", "c", "d", "e")[: len(NAMES)]
    data = replace(DATA, systems=names)
    columns = [f"X{name}" if name[0].isdigit() else re.sub(r"[^A-Za-z0-9]", ".", name) for name in names]
    wide = pd.DataFrame({"id": ORDER + 1, **dict(zip(columns, SCORES[:, ORDER], strict=True))})
    source = {
        "wide": wide,
        "long": wide.melt("id", var_name="system"),
        "lists": dict(zip(columns, SCORES.tolist(), strict=True)),
    }[kind]
    found = data.with_scores(source, name="x")
    np.testing.assert_array_equal(found.metrics["x"], SCORES)
    assert any(f"{column} is {name}" in " ".join(found.notes) for column, name in zip(columns, names, strict=True))


def test_names_that_r_may_have_changed_from_several_are_asked_about():
    data = replace(DATA, systems=("A-1", "A 1", "b", "c", "d"))
    with pytest.warns(tk.LeftOutWarning, match="the set does not have the systems A.1"):
        data.with_scores(dict(zip(("A.1", "b", "c", "d"), SCORES.tolist(), strict=False)), name="x")


@pytest.mark.parametrize("shape", ["key", "key, names", "", "names"])
def test_tables_of_another_library_by_system(shape):
    found = {}
    for name, part in pd.DataFrame(ROWS).groupby("system"):
        table = part.reset_index(drop=True).drop(columns=[] if "key" in shape else ["system"])
        of_polars = SimpleNamespace(to_pandas=lambda table=table: table, columns=list(table))
        found[name if "names" in shape else (name,)] = of_polars
    check(found)
    check(dict(iter(pd.DataFrame(ROWS).groupby(["system"]))))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("above", ["system", "score"])
@pytest.mark.parametrize("kind", ["xlsx", "csv"])
@pytest.mark.parametrize("names", [("COMETx", "chrFx"), ("score", "comment")])
def test_tables_with_names_in_two_lines(above, kind, names, tmp_path):
    scores = {names[0]: SCORES[:, ORDER], names[1]: OTHER[:, ORDER]}
    pairs = [(row, name) for row in range(len(NAMES)) for name in scores]
    pairs = pairs if above == "system" else sorted(pairs, key=lambda pair: pair[1])
    columns = {
        ((NAMES[row], name) if above == "system" else (name, NAMES[row])): (
            ["good"] * SIZE if name == "comment" else scores[name][row]
        )
        for row, name in pairs
    }
    frame = pd.DataFrame(columns, index=pd.Index(ORDER + 1, name="segment"))
    path = tmp_path / f"two.{kind}"
    (frame.to_excel if kind == "xlsx" else frame.to_csv)(path)
    told = refused(path)
    step, other = re.search(r"pass (pandas\S+\(.*\)) in Python, or (\[.*?\]) for systems below", told).groups()
    if above != "system":
        step = re.sub(r"\['system', 'score'\]", other, step)
    read = follow(step, PATH=path)
    if "comment" in names:
        check(read)
    else:
        check(read, {"COMETx": SCORES, "chrFx": OTHER}, None)


@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.parametrize("kind", ["json", "jsonl", "list", "frame"])
def test_records_with_scores_in_lists(kind, tmp_path):
    tasks = [
        {
            "id": 1000 + n,
            "data": {"system": row["system"], "segment_id": row["segment"], "text": "a [b] 1"},
            "annotations": [
                {
                    "id": 9000 + n,
                    "completed_by": 3,
                    "lead_time": 12.5,
                    "result": [{"value": {"rating": row["score"]}, "from_name": "quality", "type": "rating"}],
                }
            ],
            "predictions": [],
        }
        for n, row in enumerate(ROWS)
    ]
    path = tmp_path / f"tasks.{kind}"
    path.write_text(json.dumps(tasks) if kind == "json" else "".join(json.dumps(task) + "\n" for task in tasks))
    source = {"list": tasks, "frame": pd.json_normalize(tasks)}.get(kind, path)
    for add in ("with_human", "with_scores"):
        _, told, step = refused(source, add, name="x").partition("pass ")
        assert told
        check(follow(step, PATH=path, source=source), add=add)


def test_a_column_that_is_named_like_no_score_is_no_human_score():
    rows = [{"id": n, **row, "score": "good"} for n, row in enumerate(ROWS)]
    assert "id was left out (named like no score)" in refused(rows, "with_human", name="x")
    check([{"id": n, **row} for n, row in enumerate(ROWS)], add="with_human")
    ids = np.array([[row * SIZE + at for at in range(SIZE)] for row in range(len(NAMES))])
    numbered = [
        {"id": int(ids[NAMES.index(row["system"]), row["segment"] - 1]), **row, "score": "good"} for row in ROWS
    ]
    check(DATA.with_human(numbered, name="x", human="id").to_frame()[["system", "segment", "x"]], ids, add="with_human")


def test_scores_in_lists_are_told_only_where_they_are_clear():
    task = {"system": "A", "segment": 1, "spans": [{"start": 1, "severity": "minor"}]}
    assert "pass [{**row, 'spans': None, 'score': -len(row['spans'])}" in refused([task, task])
    for more in ({"spans": [{"score": 1, "rating": 2}]}, {"spans": [{"score": True}]}):
        assert "pass [{" not in refused([task | more, task | more])
    task |= {"spans": [{"score": 1}]}
    assert "pass [{" in refused([task, task])
    del task["segment"]
    assert "pass [{" not in refused([task, task])


@pytest.mark.sampled(3)
@pytest.mark.parametrize("ending", ["csv", "tsv", "json", "jsonl", "xlsx"])
@pytest.mark.parametrize("kind", ["a system", "a system, named", "a metric", "a metric, wide"])
@pytest.mark.filterwarnings("ignore::tiekit.LeftOutWarning")
def test_files_that_lack_rows_of_each_other(ending, kind, tmp_path):
    table = pd.DataFrame(ROWS)
    lacking = [1, 7, 33, 50, 62, 149]
    left = table.drop(index=lacking)
    scores, other = SCORES.copy(), OTHER.copy()
    for row in table.loc[lacking].itertuples():
        scores[NAMES.index(row.system), row.segment - 1] = np.nan
    if kind.startswith("a system"):
        tables = dict(iter(left.groupby("system")))
        names = dict.fromkeys(tables) if kind == "a system" else {one: f"run {at}" for at, one in enumerate(tables)}
        columns = ["segment", "score"] if kind == "a system" else [*table]
        tables = {names[one] or one: part[columns] for one, part in tables.items()}
    else:
        full = table.assign(score=[OTHER[NAMES.index(row["system"]), row["segment"] - 1] for row in ROWS])
        tables = {"comet": left, "chrf": full[full.segment > 2]}
        other[:, :2] = np.nan
        if "wide" in kind:
            scores[:, 4] = np.nan
            tables = {
                key: one[(one.segment != 5) | (key == "chrf")].pivot_table("score", "segment", "system")
                for key, one in tables.items()
            }
            tables = {key: one.reset_index() for key, one in tables.items()}
    write = {
        "csv": lambda one, path: one.to_csv(path, index=False),
        "tsv": lambda one, path: one.to_csv(path, index=False, sep="\t"),
        "json": lambda one, path: one.to_json(path, orient="records"),
        "jsonl": lambda one, path: one.to_json(path, orient="records", lines=True),
        "xlsx": lambda one, path: one.to_excel(path, index=False),
    }[ending]
    for name, one in tables.items():
        write(one, tmp_path / f"{name}.{ending}")
    (tmp_path / "README.md").write_text("Scores\n")
    told = refused(tmp_path)
    known = {"pathlib": pathlib, "FOLDER": tmp_path}
    if kind.startswith("a system"):
        check(follow(re.search(r"in Python, pass (.*)$", told)[1], sorted=sorted, **known), scores)
        return
    step = re.search(r"add one by one, (for .*\)) \(or with_human\)", told)[1]
    exec(step, known | {"data": DATA}, found := {"data": DATA})
    np.testing.assert_array_equal(found["data"].metrics["comet"], scores)
    np.testing.assert_array_equal(found["data"].metrics["chrf"], other)


def test_files_without_labels_need_a_row_for_every_segment():
    wide = pd.DataFrame(dict(zip(NAMES, SCORES, strict=True)))
    files = {"a.csv": wide.to_csv(index=False).encode(), "b.csv": wide[2:].to_csv(index=False).encode()}
    assert "give each a row for every segment, without a score" in refused(files)


@pytest.mark.parametrize("ending", ["npy", ""])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_an_array_of_several_matrices(tmp_path, axis, ending):
    array, path = np.stack([SCORES, OTHER], axis), tmp_path / "m.npy"
    np.save(path, array)
    told = refused(path if ending else array)
    assert f"found the shape {array.shape}" in told
    known = {"numpy": np, "PATH": path, "enumerate": enumerate, "source": array}
    named, mean = re.search(r"metric, (.*), or their mean, (.*)", told).groups()
    for step, expected in ((named, {"m1": SCORES, "m2": OTHER}), (mean, (SCORES + OTHER) / 2)):
        if ending:
            step = step.removesuffix(", in Python, and give that file")
            follow(step.replace("'mine", f"'{tmp_path}/mine"), **known)
            source = tmp_path / ("mine.npz" if "npz" in step else "mine.npy")
        else:
            source = follow(step, **known)
        check(source, expected, name=None if isinstance(expected, dict) else "x")


@pytest.mark.parametrize("shape", [(1, 5, 30), (5, 30, 1), (1, 5, 1, 30), (1, 1, 5, 30)])
def test_axes_of_one_are_none(tmp_path, shape):
    np.save(path := tmp_path / "m.npy", SCORES.reshape(shape))
    for source in (path, SCORES.reshape(shape)):
        check(source)
    assert "give one matrix of it, such as source[0, 0]" in refused(np.ones((2, 3, 5, 30)))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("ending", ["jsonl", "csv", ""])
def test_predictions_are_negated_as_advised_and_not_asked_about_again(tmp_path, ending):
    frame = pd.DataFrame(ROWS).assign(score=lambda rows: -rows["score"]).rename(columns={"score": "prediction"})
    path = tmp_path / f"mx.{ending}"
    if ending:
        frame.to_csv(path, index=False) if ending == "csv" else frame.to_json(path, orient="records", lines=True)
    source = path if ending else frame
    with pytest.warns(tk.RoleWarning, match="^x: if MetricX wrote prediction") as said, suppress(tk.DirectionWarning):
        DATA.with_scores(source, name="x")
    [told] = [str(one.message) for one in said if "MetricX" in str(one.message)]
    more = eval(f"DATA.with_scores(source, name='x', {told.rpartition('pass ')[2]})", {"DATA": DATA, "source": source})
    np.testing.assert_allclose(more.metrics["x"], SCORES, atol=1e-12)
    with pytest.warns(tk.RoleWarning, match="pass lower_is_better='prediction'"):
        tk.read(source, human=())
