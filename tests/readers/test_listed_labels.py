"""Lists beside lists of scores that name their segments, in any order: every score is compared."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import tiekit as tk

NAMES, SIZE = ("base", "large", "xl", "ours"), 40
RANDOM = np.random.default_rng(5)
SCORES, TOKENS = RANDOM.normal(size=(2, len(NAMES), SIZE)).round(4)
ORDERS = [RANDOM.permutation(SIZE) for _ in NAMES]
HUMAN = {"h": SCORES + RANDOM.normal(size=SCORES.shape)}
DATA = tk.EvalSet("toy", "", NAMES, tuple(map(str, range(1, SIZE + 1))), HUMAN, {"m": SCORES + TOKENS})
LABELED = ("id", "segment_id", "item", "doc_id", "question", "number", "ID", "ids", "sample_no")


def by_system(key, orders=ORDERS, **more):
    return {
        name: {key: (order + 1).tolist(), "score": SCORES[row, order].tolist()}
        | {one: each[row, order].tolist() for one, each in more.items()}
        for row, (name, order) in enumerate(zip(NAMES, orders, strict=True))
    }


def columns(key, order=ORDERS[0]):
    return {key: (order + 1).tolist(), **{name: SCORES[row, order].tolist() for row, name in enumerate(NAMES)}}


def check(source, expected, data=DATA, **options):
    found = data.with_scores(source, **options).metrics
    assert len(found) == 1 + len(expected)
    for name, scores in expected.items():
        np.testing.assert_array_equal(found[name], scores)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("key", LABELED)
@pytest.mark.parametrize("orders", [ORDERS, ORDERS[:1] * 4, [np.arange(SIZE)] * 4], ids=["own", "same", "sorted"])
@pytest.mark.filterwarnings("error")
def test_a_list_of_each_system_names_its_segments(key, orders, tmp_path):
    source, both = by_system(key, orders, tokens=TOKENS), {"score": SCORES, "tokens": TOKENS}
    check(source, both)
    check(source, {"score": SCORES}, metrics="score")
    check({"lists.json": json.dumps(source).encode()}, both)
    check(by_system(key, orders), {"x": SCORES}, name="x", metrics="score")
    check({name: pd.DataFrame(lists).to_dict() for name, lists in source.items()}, both)
    for name, lists in by_system(key, orders).items():
        (tmp_path / f"{name}.json").write_text(json.dumps(lists))
    check(tmp_path, {tmp_path.name: SCORES})
    check(tmp_path, {"x": SCORES}, name="x")


@pytest.mark.parametrize("key", LABELED)
@pytest.mark.filterwarnings("error")
def test_a_list_beside_those_of_systems_names_their_segments(key, tmp_path):
    check(columns(key), {"x": SCORES}, name="x")
    check(pd.DataFrame(columns(key)).to_dict(), {"x": SCORES}, name="x")
    check({"x.json": json.dumps(columns(key)).encode()}, {"x": SCORES})
    check({"bleurt": columns(key)}, {"bleurt": SCORES})
    both = {"bleurt": columns(key), "comet": columns(key, ORDERS[1])}
    check(both, {"bleurt": SCORES, "comet": SCORES})
    np.savez(tmp_path / "x.npz", **{name: np.array(one) for name, one in columns(key).items()})
    check(tmp_path / "x.npz", {"x": SCORES})


@pytest.mark.parametrize("name", ["rank", "votes"])
def test_ranks_are_not_taken_for_labels(name):
    ranks = SCORES.argsort(axis=1).argsort(axis=1) + 1.0
    source = {one: {name: ranks[row].tolist(), "score": SCORES[row].tolist()} for row, one in enumerate(NAMES)}
    for options in ({}, {"metrics": "score"}, {"metrics": name}):
        with pytest.raises(tk.InputError, match=f"{name}.*may name the segments.*call it 'segment'.*put a list"):
            DATA.with_scores(source, **options)
    labeled = {one: {**lists, "segment": [*map(int, DATA.segments)]} for one, lists in source.items()}
    check(labeled, {name: ranks, "score": SCORES})
    only = {one: lists[name] for one, lists in source.items()}  # scores of systems are no labels
    check(only, {"x": ranks}, name="x")


def test_what_only_counts_is_a_metric():
    source = {name: {"votes": [*range(1, 41)], "score": SCORES[row].tolist()} for row, name in enumerate(NAMES)}
    check(source, {"votes": np.tile(np.arange(1.0, 41), (4, 1)), "score": SCORES})
    source = {name: {"question": [0, 1] * 20, "score": SCORES[row].tolist()} for row, name in enumerate(NAMES)}
    check(source, {"question": np.tile([0.0, 1], (4, 20)), "score": SCORES})


def test_lists_that_name_segments_together_make_a_table():
    documents, lines = np.divmod(np.arange(SIZE), 8)
    source = {
        name: {"doc_id": documents[order].tolist(), "seg_id": lines[order].tolist(), "score": SCORES[row, order]}
        for row, (name, order) in enumerate(zip(NAMES, ORDERS, strict=True))
    }
    with pytest.raises(tk.InputError, match="do not name each segment once") as found:
        DATA.with_scores(source)
    [step] = re.findall(r"pass a table of them, (.*)$", str(found.value))
    table = eval(step, {"pandas": pd, "SOURCE": source})
    assert {*table} == {"system", "doc_id", "seg_id", "score"}
    assert len(table) == SCORES.size


def test_a_counter_of_tasks_gives_way_to_the_id_beside_their_system():
    order = RANDOM.permutation(SCORES.size)
    tasks = [
        {
            "id": at + 1,
            "data": {"id": int(cell % SIZE) + 1, "system": NAMES[cell // SIZE], "text": "t"},
            "annotations": [{"id": 900 + at, "result": [{"type": "rating", "value": {"rating": int(cell % 5)}}]}],
        }
        for at, cell in enumerate(order)
    ]
    with pytest.raises(tk.ReadError, match="its scores are in lists") as found:
        DATA.with_human({"tasks.json": json.dumps(tasks).encode()}, name="x")
    [step] = re.findall(r"in Python, pass (.*)$", str(found.value))
    rows = eval(step.replace("json.load(open(PATH))", "tasks"), {"tasks": tasks})
    np.testing.assert_array_equal(DATA.with_human(rows, name="x").human["x"].ravel(), np.arange(SCORES.size) % 5)


@pytest.mark.parametrize("key", ["id", "task_id", "problem"])
@pytest.mark.parametrize("orders", [ORDERS, ORDERS[:1] * 4], ids=["own", "same"])
@pytest.mark.filterwarnings("error")
def test_a_list_of_texts_of_each_system_names_its_segments(key, orders, tmp_path):
    named = replace(DATA, segments=tuple(f"HumanEval/{number}" for number in DATA.segments))
    for more in ({}, {"tokens": TOKENS}):
        source = by_system(key, orders, **more)
        for lists in source.values():
            lists[key] = [f"HumanEval/{number}" for number in lists[key]]
        check(source, {"x": SCORES}, data=named, name="x", metrics="score")
        check({"x.json": json.dumps(source).encode()}, {"x": SCORES}, data=named, metrics="score")
        check({one: pd.DataFrame(lists).to_dict() for one, lists in source.items()}, {"score": SCORES}, data=named)
        for one, lists in source.items():
            (tmp_path / f"{one}.json").write_text(json.dumps(lists, indent=2))
        check(tmp_path, {"x": SCORES}, data=named, name="x")
    for one, lists in source.items():
        (tmp_path / f"{one}.json").write_text(json.dumps({"score": lists["score"], key: lists[key]}))
    check(tmp_path, {"x": SCORES}, data=named, name="x")


@pytest.mark.sampled(7)
@pytest.mark.parametrize("orient", ["columns", "index", "split", "table", "records"])
@pytest.mark.parametrize("kind", ["long", "wide", "rows", "columns"])
@pytest.mark.parametrize("named", [False, True])
@pytest.mark.filterwarnings("error")
def test_tables_that_pandas_writes_as_json(orient, kind, named, tmp_path):
    data = replace(DATA, segments=tuple(f"q{one}x" for one in DATA.segments)) if named else DATA
    labels = list(data.segments) if named else [*map(int, data.segments)]
    wide = pd.DataFrame({"id": labels, **dict(zip(NAMES, SCORES, strict=True))}).sample(frac=1, random_state=1)
    frame = {
        "long": wide.melt("id", var_name="system", value_name="score").sample(frac=1, random_state=2),
        "wide": wide,
        "rows": wide.set_index("id"),
        "columns": wide.set_index("id").T,
    }[kind]
    if orient == "records" and kind in ("rows", "columns"):
        return  # without names of rows
    for table in (frame, frame.reset_index(drop=True)) if kind in ("long", "wide") else (frame,):
        for indent in (0, 2):
            table.to_json(path := tmp_path / "x.json", orient=orient, indent=indent)
            check(path, {"x": SCORES}, data=data)
        if orient != "table":
            check(table.to_dict("dict" if orient == "columns" else orient), {"x": SCORES}, data=data, name="x")
    if kind == "long":
        check(frame.to_dict("tight"), {"x": SCORES}, data=data, name="x")
        frame.to_json(path, orient="values")
        with pytest.raises(tk.ReadError, match="rows without names of their columns") as found:
            data.with_scores(path)
        [step] = re.findall(r"in Python, pass (pandas.*\)) with", str(found.value))
        step = step.replace("['system', 'segment', 'score']", "['segment', 'system', 'score']")
        with open(path) as file:
            check(
                eval(step, {"pandas": pd, "json": json, "open": lambda _: file, "PATH": path}),
                {"score": SCORES},
                data=data,
            )


@pytest.mark.parametrize(
    "source",
    [
        {"columns": ["a"], "index": [0], "data": [[1], [2]]},
        {"columns": ["a"], "index": 3, "data": [[1]]},
        {"columns": [["a"]], "index": [0], "data": [[1]]},
        {"schema": {"fields": []}, "data": [1]},
        {"schema": {"fields": []}, "data": "x"},
    ],
)
def test_objects_that_are_no_tables_of_pandas(source):
    for one in (source, {"x.json": json.dumps(source).encode()}):
        with pytest.raises((tk.InputError, tk.ReadError), match=r"expected|holds|rows"):
            DATA.with_scores(one)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", ["system", "metric, wide", "metric, long", "domain", "alone"])
@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("summary", [False, True])
def test_sheets_of_a_workbook(kind, named, summary, tmp_path):
    data = replace(DATA, segments=tuple(f"q{one}x" for one in DATA.segments)) if named else DATA
    labels = list(data.segments) if named else [*map(int, data.segments)]
    wide = {
        key: pd.DataFrame({"id": labels, **dict(zip(NAMES, one, strict=True))}).sample(frac=1, random_state=at)
        for at, (key, one) in enumerate({"comet": SCORES, "chrf": TOKENS}.items())
    }
    if kind == "system":
        sheets = {name: wide["comet"][["id", name]].rename(columns={name: "score"}) for name in NAMES}
    elif kind in ("domain", "alone"):
        domains = np.array(["news", "talks", "chats"])[np.arange(len(labels)) * 3 // len(labels)]
        data = replace(data, domains=tuple(domains.tolist()))
        long = wide["comet"].melt("id", var_name="system", value_name="score")
        long["of"] = long["id"].map(dict(zip(labels, domains, strict=True)))
        numbers = {name: at + 1 for of in {*domains} for at, name in enumerate(np.array(labels, object)[domains == of])}
        sheets = {key: one.drop(columns="of") for key, one in long.groupby("of")} if kind == "domain" else {"all": long}
        if kind == "domain" and not named:
            sheets = {key: one.assign(id=one["id"].map(numbers)) for key, one in sheets.items()}
    else:
        sheets = wide if "wide" in kind else {key: one.melt("id", var_name="system") for key, one in wide.items()}
    if summary or kind == "alone":
        sheets["summary"] = pd.DataFrame({"system": NAMES, "mean": SCORES.mean(axis=1)})
    with pd.ExcelWriter(path := tmp_path / "x.xlsx") as book:
        for name, sheet in sheets.items():
            sheet.to_excel(book, sheet_name=name, index=False)
    with pytest.raises(tk.ReadError, match=r"has cells in \d sheets") as found:
        data.with_scores(path)
    [step] = re.findall(rf"in Python pass (\S.*?) {'for one' if kind == 'alone' else 'where'}", str(found.value))
    read = eval(step, {"pandas": pd, "PATH": path})
    check(read, {"comet": SCORES, "chrf": TOKENS} if "metric" in kind else {"score": SCORES}, data=data)
