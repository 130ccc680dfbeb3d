"""Human scores beside those of a set: from files and from memory, with raters, and what is left out."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tests.readers import shapes


@pytest.fixture
def data() -> tk.EvalSet:
    return shapes.data()


@pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")
def test_the_same_numbers_as_a_metric_and_as_a_human_score_are_two_sets(data):
    scores = shapes.in_memory()["array, all systems"]
    assert len({data.digest, data.with_human(scores, name="x").digest, data.with_scores(scores, name="x").digest}) == 3


@pytest.mark.filterwarnings("ignore::tiekit.LeftOutWarning")
def test_a_wide_table_with_a_system_without_scores(data):
    wide = shapes.in_memory()["DataFrame, segments × systems"].assign(Gnu=np.nan)
    np.testing.assert_array_equal(data.with_human(wide, name="esa").human["esa"][:3], shapes.SCORES[:3])


@pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")
def test_metrics_beside_human_scores_are_left_out(data):
    table = b"system,segment,da,BLEU\nKite,1,70,3\nMoth,2,60,4\n"
    more = data.with_human({"t.csv": table})
    assert (list(more.human), list(more.metrics)) == (["mqm", "da"], [])
    assert (more.human["da"][0, 0], more.human["da"][1, 1]) == (70, 60)
    assert "2 of 6 systems and 2 of 6 segments matched" in more.notes[-1]
    assert "da: left out BLEU, as no human scores" in more.notes
    either = {"t.csv": table.replace(b"BLEU", b"rating")}
    unnamed = {"t.csv": b"system,segment,ann_x,ann_y\nKite,1,70,3\nMoth,1,60,4\n"}
    with pytest.raises(tk.InputError, match="columns 'ann_x', 'ann_y' may each be the human scores; pass human="):
        data.with_human(unnamed, name="esa")
    with pytest.raises(tk.InputError, match=r"names one metric, but there are 2 .*; choose it, such as human='ann_x'"):
        data.with_human(unnamed, human=["ann_x", "ann_y"], name="esa")
    with pytest.raises(tk.InputError, match="human: columns 'da', 'rating' may each be the human scores; pass human="):
        data.with_human(either)
    assert data.with_human(either, human="rating").human["rating"][0, 0] == 3
    with pytest.raises(tk.InputError, match="metrics: names no human scores, and they are wanted; name them by human="):
        data.with_human({"t.csv": b"system,segment,r1,r2\nKite,1,70,3\nMoth,2,60,4\n"}, metrics="r1")


@pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")
def test_how_many_raters_a_score_is_the_mean_of_is_kept(data):
    table = b"system,segment,da\nKite,1,70\nKite,1,60\nMoth,2,50\n"
    more = data.with_human({"t.csv": table}, human="da", metrics=(), aggregate="mean")
    assert (more.human["da"][0, 0], more.raters["da"][0, 0], more.raters["da"][1].tolist()) == (
        65,
        2,
        [0, 1, 0, 0, 0, 0],
    )


def test_the_first_human_score_of_a_set_is_gold():
    data = tk.EvalSet("toy", "", ("A", "B"), ("1", "2"), {}, {"m": [[1, 2], [3, 4]]})
    more = data.with_human({"A": [1, 2], "B": [3, 5]}, name="da")
    assert more.gold == "da"
    assert tk.correlate(more, "m", "tau_b").value == 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"name": "mqm"}, "the set has a human score 'mqm' already; pass another one, name='mqm-2'"),
        ({"name": ""}, "name: must be a name"),
        ({"name": "x", "lower_is_better": 1}, "lower_is_better: must be True or False"),
    ],
)
def test_what_is_refused(data, options, words):
    with pytest.raises(tk.InputError, match=words):
        data.with_human(shapes.in_memory()["dict of lists by system"], **options)


@pytest.mark.filterwarnings("ignore::tiekit.LeftOutWarning")
def test_scores_that_fall_where_the_gold_score_rises_are_asked_about(data):
    errors = dict(zip(shapes.SYSTEMS, -data.human["mqm"][:4], strict=True))
    with pytest.warns(tk.DirectionWarning, match="errors: falls where mqm rises"):
        data.with_human(errors, name="errors")
    more = data.with_human(errors, name="errors", lower_is_better=True)
    np.testing.assert_array_equal(more.human["errors"][:4], data.human["mqm"][:4])


def test_a_column_of_people_is_taken_as_advised(tmp_path):
    names, columns = ("a", "b"), [f"rater{n}" for n in (1, 2, 3)]
    data = tk.EvalSet("toy", "", names, tuple(map(str, range(1, 21))), {}, {"m": np.arange(40.0).reshape(2, 20)})
    rated = np.random.default_rng(2).integers(0, 99, (2, 20, 3))
    rows = [(name, at + 1, *rated[row, at]) for row, name in enumerate(names) for at in range(20)]
    frame = pd.DataFrame(rows, columns=["system", "segment", *columns])
    frame.to_csv(path := tmp_path / "x.csv", index=False)
    with pytest.raises(tk.InputError) as refused:
        data.with_human(path, name="x")
    step = re.search(r"for the mean of all, pass (.*), where frame is (.*)$", str(refused.value))
    found = data.with_human(eval(step[1], {"frame": eval(step[2], {"pandas": pd, "PATH": path})}), name="x")
    np.testing.assert_allclose(found.human["x"], rated.mean(axis=2), rtol=1e-12)
    frame.rename(columns={"rater1": "rank"})[["system", "segment", "rank"]].to_csv(path, index=False)
    with pytest.raises(tk.ReadError, match="or by human= if people gave it"):
        data.with_human(path, name="x")
    np.testing.assert_array_equal(data.with_human(path, name="x", human="rank").human["x"], rated[:, :, 0])


@pytest.mark.parametrize("names", [("rater1", "rater2", "rater3"), ("annotator_A", "annotator_B", "annotator_C")])
@pytest.mark.filterwarnings("ignore::tiekit.OrderWarning")
def test_columns_of_raters_are_added_with_how_to_take_their_mean(names):
    data = tk.load("synthetic", "qaa-qab")
    [first, *_] = data.human.values()
    frame = data.to_frame()[["system", "segment"]].assign(
        **{name: first.ravel() + place for place, name in enumerate(names)}
    )
    with pytest.warns(tk.RoleWarning, match="for the mean of all, pass") as said:
        assert {*names} <= {*data.with_human(frame).human}
    told = next(str(one.message) for one in said if "mean of all" in str(one.message))
    joined = eval(re.search(r"pass (frame.*), where frame is", told)[1], {"frame": frame})
    np.testing.assert_allclose(data.with_human(joined, name="mine").human["mine"], first + 1)


def test_columns_of_a_form_are_made_rows_where_a_system_is_called_as_a_metric(tmp_path):
    names, segments = ("AIRC", "GPT-4"), tuple(map(str, range(1, 6)))
    scores = np.arange(10.0).reshape(2, 5) + 50
    data = tk.EvalSet("toy", "", names, segments, {}, {"m": scores**2})
    columns = {
        f"Rate the translation [{name} / {at}]": [scores[row, place] - 1, scores[row, place] + 1]
        for row, name in enumerate(names)
        for place, at in enumerate(segments)
    }
    form = pd.DataFrame({"Timestamp": ["2026/11/01 10:00:00", "2026/11/02 10:00:00"], **columns})
    form.to_csv(tmp_path / "form.csv", index=False)
    with pytest.raises(tk.InputError, match="may each be the human scores; if each is of a system") as refused:
        data.with_human(tmp_path / "form.csv", name="da")
    known = {"FRAME": form}
    exec(str(refused.value).partition("a segment, ")[2].partition(", and aggregate=")[0], known)
    with pytest.warns(tk.RoleWarning, match="took value for human scores"):
        more = data.with_human(known["frame"], name="da", aggregate="mean")
    np.testing.assert_array_equal(more.human["da"], scores)
