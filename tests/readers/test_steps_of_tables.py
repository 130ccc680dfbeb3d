"""Steps that messages on tables print are followed as they are written, and every score is compared."""

from __future__ import annotations

import json
import pathlib
import re

import numpy as np
import pandas as pd
import pytest

import tiekit as tk

pytestmark = pytest.mark.filterwarnings("ignore::tiekit.RoleWarning")

SYSTEMS, SIZE = ("gpt", "ours", "base"), 24
RANDOM = np.random.default_rng(7)
RATED = RANDOM.integers(1, 6, (3, SIZE)) * 1.0
RUNS = RANDOM.random((3, SIZE, 3)).round(3)
SEGMENTS = tuple(str(place + 1) for place in range(SIZE))
DATA = tk.EvalSet("toy", "", SYSTEMS, SEGMENTS, {"human": RATED}, {})
ROWS = [
    {"system": name, "segment": place + 1, "run": run, "score": RUNS[row, place, run]}
    for row, name in enumerate(SYSTEMS)
    for place in range(SIZE)
    for run in range(3)
]


def refused(source, **options):
    with pytest.raises((tk.InputError, tk.ReadError)) as found:
        DATA.with_scores(source, **options)
    return str(found.value)


def follow(step, **known):
    """What a step of a message gives for these names."""
    return eval(step, {"pandas": pd, **known})


# Several values of each system and segment, as groupby(…).agg(…) makes them

AGGREGATED = pd.DataFrame(ROWS).groupby(["system", "segment"], sort=False).agg({"score": ["mean", "std"]})


def check_mean(source, **options):
    more = DATA.with_scores(source, name="x", **options)
    np.testing.assert_allclose(more.metrics["x"], RUNS.mean(axis=2), rtol=1e-12)


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_two_lines_of_names_above_columns_and_one_above_those_of_the_index(tmp_path, ending):
    path = tmp_path / f"agg.{ending}"
    (AGGREGATED.to_csv if ending == "csv" else AGGREGATED.to_excel)(path)
    step = re.search(r"two levels of columns, pass (.*) in Python", refused(path, name="x"))[1]
    check_mean(follow(step, PATH=path))
    check_mean(follow(step, PATH=path), metrics="score mean")
    check_mean(AGGREGATED)
    for index in (None, 0) if ending == "csv" else ():
        frame = pd.read_csv(path, header=[0, 1], index_col=index)
        for one in (frame, frame.rename_axis(columns=["system", "score"])):
            check_mean(follow(re.search(r"pass (pandas.*), or read_excel", refused(one, name="x"))[1], PATH=path))
    with_level = follow(step, PATH=path).rename_axis(columns=["score", "system"])
    assert "leave out .rename_axis(columns=…)" in refused(with_level, name="x")
    twice = AGGREGATED.droplevel(0, axis=1).rename_axis(["system", "mean"])
    assert "'mean' names both a column and a level of the index" in refused(twice, name="x")


def test_two_lines_of_names_beside_an_index_of_two_levels_without_systems(tmp_path):
    frame = (
        pd.DataFrame(ROWS).groupby(["system", "segment"], as_index=False).agg(mean=("score", "mean"), n=("run", "max"))
    )
    frame["domain"] = np.where(frame["segment"] > 9, "news", "chat")
    wide = frame.pivot_table(["mean", "n"], ["domain", "segment"], "system").rename_axis(columns=[None, None])
    wide.to_csv(path := tmp_path / "p.csv")
    step = re.search(r"pass (.*) in Python, or (.*) for systems below", refused(path, name="x"))
    check_mean(follow(step[1].replace("['system', 'score']", step[2]), PATH=path), metrics="mean")


# Ids of a harness beside the set's


@pytest.mark.parametrize("document", [{}, {"document": "doc_id"}])
@pytest.mark.parametrize("lacking", [(), (0, 5, 11)])
def test_documents_from_0_beside_ids_of_the_set_in_a_set_whose_documents_are_its_segments(document, lacking):
    frame = pd.DataFrame([{**row, "doc_id": row.pop("segment")} for row in map(dict, ROWS) if row["run"] == 0])
    people = frame.rename(columns={"score": "human"}).drop(columns="run")
    data = tk.read(people, human="human", segment="doc_id", **document)
    assert data.documents == (data.segments if document else ())
    samples = [
        {"model": row["system"], "doc_id": row["segment"] - 1, "doc.id": row["segment"], "exact_match": row["score"]}
        for row in ROWS
        if row["run"] == 0 and row["segment"] - 1 not in lacking
    ]
    expected = RUNS[:, :, 0].copy()
    expected[:, [*lacking]] = np.nan
    more = data.with_scores(samples, name="x") if not lacking else None
    if lacking:
        with pytest.warns(tk.LeftOutWarning, match="there are no scores of the segments 1, 6, 12"):
            more = data.with_scores(samples, name="x")
    np.testing.assert_array_equal(more.metrics["x"], expected)


# What holds no scores, and files that do not belong there


@pytest.mark.parametrize("ending", ["csv", "jsonl", "frame", "list"])
def test_votes_are_read_by_the_function_that_is_named(tmp_path, ending):
    rows = [
        {"question_id": at, "model_a": "gpt", "model_b": "ours", "winner": ["model_a", "tie"][at % 2], "judge": "j"}
        for at in range(9)
    ]
    source = {"frame": pd.DataFrame(rows), "list": rows}.get(ending, tmp_path / f"votes.{ending}")
    if ending == "csv":
        pd.DataFrame(rows).to_csv(source, index=False)
    elif ending == "jsonl":
        pd.DataFrame(rows).to_json(source, orient="records", lines=True)
    step = re.search(r"read them with (tk\.votes\.read_votes),", refused(source))[1]
    assert len(follow(f"{step}(SOURCE)", tk=tk, SOURCE=source).preference) == 9


@pytest.mark.sampled(3)
@pytest.mark.parametrize("summary", ["object", "rows", "nested", "csv"])
@pytest.mark.parametrize("kind", ["json", "jsonl", "lists", "csv", "txt"])
def test_a_file_of_means_in_a_folder_of_files_by_system_is_left_out_as_the_step_says(tmp_path, kind, summary):
    scores = RUNS[:, :, 0]
    for name, row in zip(SYSTEMS, scores.tolist(), strict=True):
        frame = pd.DataFrame({"id": range(1, SIZE + 1), "score": row})
        content = {
            "json": frame.to_json(orient="records"),
            "jsonl": frame.to_json(orient="records", lines=True),
            "lists": json.dumps(row),
            "csv": frame.to_csv(index=False),
            "txt": "\n".join(map(str, row)),
        }[kind]
        (tmp_path / f"{name}.{'json' if kind == 'lists' else kind}").write_text(content)
    means = dict(zip(SYSTEMS, scores.mean(axis=1).tolist(), strict=True))
    rows = [{"system": name, "score": mean} for name, mean in means.items()]
    content = {
        "object": json.dumps(means),
        "rows": json.dumps(rows),
        "nested": json.dumps({row["system"]: {"score": row["score"], "n": SIZE} for row in rows}),
        "csv": pd.DataFrame(rows).to_csv(index=False),
    }[summary]
    (tmp_path / f"summary.{'csv' if summary == 'csv' else 'json'}").write_text(content)
    step = re.search(r"leave summary\..* in Python, pass (.*)$", refused(tmp_path))[1]
    more = DATA.with_scores(follow(step, pathlib=pathlib, sorted=sorted, FOLDER=tmp_path), name="x")
    np.testing.assert_array_equal(more.metrics["x"], scores)


def test_rows_without_segments_are_numbered_for_each_system_and_scorer():
    rows = [
        {"model": row["system"], "judge": judge, "rating": row["score"] + at, "human": at}
        for at, judge in enumerate(("j1", "j2"))
        for row in ROWS
        if row["run"] == 0
    ]
    frame = pd.DataFrame(rows).assign(human=[*RATED.ravel(), *RATED.ravel()])
    roles = {"scorer": "judge", "score": "rating", "human": "human"}
    with pytest.raises(tk.ReadError, match="cumcount") as found:
        tk.read(frame, **roles)
    step = re.search(r"in the set's order, (frame.*) numbers them", str(found.value))[1]
    exec(step, {"frame": frame})
    data = tk.read(frame, **roles)
    np.testing.assert_array_equal(data.metrics["j1"], RUNS[:, :, 0])
    np.testing.assert_array_equal(data.metrics["j2"], RUNS[:, :, 0] + 1)
    np.testing.assert_array_equal(data.human["human"], RATED)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("mark", ["#NULL!", ".", "missing", "?", "N.A."])
@pytest.mark.parametrize("ending", ["csv", "tsv", "xlsx", "frame"])
def test_a_mark_for_missing_scores_is_named_in_a_step(tmp_path, mark, ending):
    frame = pd.DataFrame([row for row in ROWS if row["run"] == 0]).drop(columns="run")
    expected = RUNS[:, :, 0].copy()
    expected[0, 3] = np.nan
    frame["score"] = frame["score"].astype(object)
    frame.loc[3, "score"] = mark
    path = tmp_path / f"scores.{ending}"
    if ending == "xlsx":
        frame.to_excel(path, index=False)
    elif ending != "frame":
        frame.to_csv(path, index=False, sep="\t" if ending == "tsv" else ",")
    told = refused(frame if ending == "frame" else path, name="x")
    step = re.search(r"stands for a missing score, .*?pass (.*?)( in Python)?$", told)[1]
    more = DATA.with_scores(follow(step, PATH=path, frame=frame), name="x")
    np.testing.assert_array_equal(more.metrics["x"], expected)


def test_other_words_among_scores_may_hold_one_or_stand_for_a_missing_one():
    for word in ("3O", "4 of 5", "about 3"):
        frame = pd.DataFrame([row for row in ROWS if row["run"] == 0]).drop(columns="run").astype({"score": str})
        frame.loc[3, "score"] = word
        told = "write the score alone if it holds one; if it stands for a missing score, "
        assert told in refused(frame, name="x", metrics="score")


def test_one_metric_is_compared_with_none_and_the_message_says_what_to_add():
    data = DATA.with_metric("x", RUNS[:, :, 0])
    with pytest.raises(tk.InputError, match=r"at least two, found 1 \(x\)") as found:
        tk.standing(data, "x", "tau_b")
    step = re.search(r"(data\.with_scores)\(FILE, name=NAME\)", str(found.value))[1]
    more = eval(step, {"data": data})(RUNS[:, :, 1], name="y")
    assert tk.standing(more, "x", "tau_b", n_resamples=9).rank in (1, 2)
    assert len(tk.leaderboard(data, coefficients="tau_b")) == 1
