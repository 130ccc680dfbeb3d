"""Several rows of one system and segment: the columns of groups are named, and the printed step keeps rows of one."""

import io
import json
import pathlib
import re
from itertools import product

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tiekit.readers import read_table

SYSTEMS, SIZE = ("gpt-4o", "ours", "base"), 30
SCORES = np.round(np.random.default_rng(3).normal(size=(3, SIZE)), 4)
DATA = tk.EvalSet(
    "toy", "", SYSTEMS, tuple(map(str, range(1, SIZE + 1))), {"mqm": np.round(SCORES)}, {"m": SCORES}, gold="mqm"
)
VALUES = {
    "criterion": ("adequacy", "fluency"),
    "judge": ("gpt-4", "claude"),
    "seed": (1, 2, 3),
    "metric": ("COMET", "BLEU"),
    "reference": ("refA", "refB"),
    "aspect": ("a", "b"),
    "rater": ("r1", "r2"),
    "turn": (1, 2),
    "temperature": (0.0, 0.7),
    "prompt": ("p1", "p2"),
    "run": (0, 1),
    "question": ("Is it fluent? " * 9, "Is it adequate? " * 9),
}
RANDOM = np.random.default_rng(1)
BESIDE = {
    "reason": lambda size: [f"because of error {at}" for at in range(size)],
    "timestamp": lambda size: pd.date_range("2026-01-01", periods=size, freq="s").astype(str),
    "request_id": lambda size: [f"req-{at}" for at in RANDOM.permutation(size)],
    "raw_output": lambda size: [f'{{"score": {at / 1000}}}' for at in RANDOM.permutation(size)],
    "tokens": lambda size: RANDOM.integers(100, 999, size),
    "latency": lambda size: np.round(RANDOM.random(size), 4),
    "uid": lambda size: RANDOM.permutation(size),
    "comment": lambda size: [""] * size,
}


def log(columns, beside=(), share=1.0):
    """A row of each combination of the columns for each cell, in any order; columns beside them differ in each row."""
    every = [*product(*(VALUES[name] for name in columns))]
    rows = [
        {"system": system, "segment": at + 1, **dict(zip(columns, values, strict=True)), "score": score + 7 * place}
        for place, values in enumerate(every)
        for system, scores in zip(SYSTEMS, SCORES.tolist(), strict=True)
        for at, score in enumerate(scores)
    ]
    frame = pd.DataFrame(rows).sample(frac=share, random_state=2).reset_index(drop=True)
    return frame.assign(**{name: BESIDE[name](len(frame)) for name in beside})


def write(frame, kind, folder):
    """The frame as a source of a kind, and what stands in steps for its place."""
    if kind == "DataFrame":
        return frame
    if kind == "folder":
        for name, part in frame.groupby("system"):
            part.drop(columns="system").to_csv(folder / f"{name}.csv", index=False)
        return folder
    path = folder / f"log.{kind}"
    if kind == "csv":
        frame.to_csv(path, index=False)
    elif kind == "jsonl":
        frame.to_json(path, orient="records", lines=True)
    else:  # rows with names in an object
        keys = ["system", "segment", "score"]
        rows = [{**{key: row[key] for key in keys}, "meta": row} for row in json.loads(frame.to_json(orient="records"))]
        for row in rows:
            row["meta"] = {name: cell for name, cell in row["meta"].items() if name not in keys}
        path.write_text(json.dumps(rows))
    return path


def follow(told, frame, source):
    """The frame that the step of a refusal gives."""
    known = {"pandas": pd, "json": json, "pathlib": pathlib, "PATH": source, "FOLDER": source, "frame": frame}
    if said := re.search(r"where frame is (?:that of all files, such as )?(pandas\..+?\)+)(?=;|$|, and pass)", told):
        known["frame"] = eval(said[1], known)
    return eval(re.search(r"(frame\[.+?\])(?=, where|;|, and pass|$)", told)[1], known)


def refused(source, **chosen):
    with pytest.raises(tk.ReadError) as caught:
        DATA.with_scores(source, name="x", metrics="score", **chosen)
    return str(caught.value)


def with_step(source, **chosen):
    """The set with scores; where a number beside them is no score, it is left out as the refusal says."""
    try:
        return DATA.with_scores(source, **chosen)
    except tk.ReadError as error:
        metrics = re.search(r"leave it out, metrics=(\[.+?\])", str(error))[1]
        return DATA.with_scores(source, **chosen, metrics=eval(metrics))


COLUMNS = [
    ("criterion", "judge"),
    ("criterion", "judge", "seed"),
    ("metric", "reference", "seed"),
    ("judge", "temperature"),
    ("aspect", "rater", "turn"),
    ("aspect", "run"),
    ("question", "judge"),
    ("criterion",),
    ("prompt",),
]


@pytest.mark.sampled(7)
@pytest.mark.parametrize("kind", ["DataFrame", "csv", "jsonl", "json", "folder"])
@pytest.mark.parametrize("columns", COLUMNS, ids=lambda columns: "-".join(columns))
@pytest.mark.filterwarnings("ignore::tiekit.errors.RoleWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_all_columns_of_groups_are_named_and_the_step_keeps_rows_of_one_of_each(columns, kind, tmp_path):
    for beside in ((), ("reason",), ("timestamp", "tokens", "latency"), ("request_id", "raw_output", "uid", "comment")):
        frame = log(columns, beside)
        source = write(frame, kind, tmp_path)
        told = refused(source)
        dotted = [f"meta.{name}" if kind == "json" else name for name in columns]
        assert all(f"{name!r}" in told for name in dotted)
        assert not any(name in told for name in beside)
        found = DATA.with_scores(follow(told, frame, source), name="x", metrics="score")
        place = next(
            iter(np.unique(np.round((found.metrics["x"] - SCORES) / 7)))
        )  # one of the combinations, in all cells
        np.testing.assert_allclose(found.metrics["x"], SCORES + 7 * place)
        if len(columns) == 1 and kind != "json":
            scorer, score = re.search(r"scorer='(\w+)' and score='(\w+)'", told).groups()
            more = with_step(source, scorer=scorer, score=score)
            for at, name in enumerate(VALUES[columns[0]]):
                np.testing.assert_allclose(more.metrics[name], SCORES + 7 * at)


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("kind", "share"), [*product(("DataFrame", "csv", "jsonl"), (1, 0.93)), ("folder", 1)])
@pytest.mark.parametrize("columns", [one for one in COLUMNS if "question" not in one], ids="-".join)
def test_a_mean_over_criteria_or_judges_is_told(columns, share, kind, tmp_path):
    source = write(log(columns, ("reason", "tokens"), share), kind, tmp_path)
    with pytest.warns(tk.RoleWarning) as said:
        DATA.with_scores(source, name="x", metrics="score", aggregate="mean")
    told = [str(one.message) for one in said if "each score is the mean over" in str(one.message)]
    assert len(told) == 1
    for name in columns:
        values = [f"{one:g}" if isinstance(one, float) else str(one) for one in VALUES[name]]
        assert (f"{name!r} (" in told[0] and all(value in told[0] for value in values)) or name == "rater"
    assert "reason" not in told[0]
    assert "tokens" not in told[0]


def test_a_mean_over_raters_or_of_the_same_rows_is_not_told():
    frame = log(("rater",), ("reason", "tokens"))
    for rows in (frame, frame.drop(columns="rater")):
        found = DATA.with_scores(rows, name="x", metrics="score", aggregate="mean")
        np.testing.assert_allclose(found.metrics["x"], SCORES + 3.5)
    told = refused(frame)
    assert "if these are repetitions, pass aggregate=\"mean\", which averages over 'rater' (r" in told


def test_criteria_beside_many_workers_who_judge_a_few_rows_each():
    frame = log(("criterion", "seed")).drop(columns="seed")
    frame["worker"] = [f"w{at}" for at in RANDOM.integers(0, 60, len(frame))]
    told = refused(frame)
    assert "column 'criterion' tells some such rows apart" in told
    one = follow(told, frame, frame)
    assert len({*one.criterion}) == 1
    step = re.search(r'pass (aggregate)="(mean)"', refused(one))
    assert DATA.with_scores(one, name="x", metrics="score", **{step[1]: step[2]}).metrics["x"].shape == SCORES.shape


@pytest.mark.filterwarnings("ignore:DataFrame. took:tiekit.errors.RoleWarning")
def test_scorers_of_whom_each_has_several_rows_of_a_cell():
    frame = log(("criterion", "judge"))
    with pytest.raises(tk.ReadError, match="column 'judge' tells such rows apart: keep the rows of one") as caught:
        DATA.with_scores(frame, scorer="criterion", score="score")
    one = follow(str(caught.value), frame, frame)
    assert {"adequacy", "fluency"} <= {*DATA.with_scores(one, scorer="criterion", score="score").metrics}
    with pytest.warns(tk.RoleWarning, match="each score is the mean over 'judge'"):
        DATA.with_scores(frame, scorer="criterion", score="score", aggregate="mean")


def test_a_verdict_that_follows_the_score_is_no_group():
    frame = log(("seed",)).drop(columns="seed")
    frame["verdict"] = np.where(RANDOM.random(len(frame)) > 0.5, "good", "bad")
    assert "verdict" not in refused(frame)
    text = io.BytesIO(frame.to_csv(index=False).encode())
    assert read_table({"t.csv": text.getvalue()}, metrics="score", human=(), aggregate="mean").systems
