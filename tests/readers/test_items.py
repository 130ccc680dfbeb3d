"""Items in JSON: those of subset2evaluate, and SummEval's annotations with means of every aspect."""

import json
from pathlib import Path

import numpy as np
import pytest

import tiekit as tk
from tests.readers.refusals import refusals
from tiekit.errors import ReadError
from tiekit.readers import read_subset2evaluate, read_summeval

SAMPLE = Path(__file__).parent / "samples" / "subset2evaluate.jsonl"


def item(place, scores, **more):
    return {"i": place, "src": "a", "ref": None, "tgt": {}, "scores": scores} | more


def read(*items):
    return read_subset2evaluate({"x.jsonl": "\n".join(map(json.dumps, items)).encode()})


@pytest.mark.parametrize("as_list", [False, True])
def test_sample(as_list):
    lines = SAMPLE.read_text().splitlines()
    content = f"[{', '.join(lines)}]" if as_list else "\n".join(lines)
    data = read_subset2evaluate({"subset2evaluate.json": content.encode()})
    assert (data.name, data.systems, data.segments) == ("subset2evaluate", ("Kite", "Moth"), ("1", "2"))
    assert (list(data.human), list(data.metrics), data.gold) == (["human_mqm"], ["chrF"], "human_mqm")
    np.testing.assert_array_equal(data.human["human_mqm"], [[0, -1], [-5, np.nan]])
    np.testing.assert_array_equal(data.metrics["chrF"], [[100, np.nan], [40.5, 100]])
    assert (data.documents, data.domains, data.sources) == (("7", "harbor.12"), ("social", "news"), ("Fog.", "Boats."))
    assert (data.outputs["Moth"], data.references) == (("Neb.", "Boote."), {"ref": ("Nebel.", "Boote.")})


def test_items_with_names():
    data = read(item("dm-7", {"M1": {"human": 3, "human_fluency": 2, "bleu": 1}}), item("dm-3", {"M2": {"human": 1}}))
    assert (data.segments, data.gold, data.references) == (("dm-7", "dm-3"), "human", {})
    np.testing.assert_array_equal(data.human["human"], [[3, np.nan], [np.nan, 1]])
    np.testing.assert_array_equal(data.human["human_fluency"], [[2, np.nan], [np.nan, np.nan]])


def test_segments_keep_their_texts_in_another_order():
    data = read(item(5, {}, src="nobody"), item(3, {"A": {"human": 1}}, src="b"), item(1, {"A": {"human": 2}}, src="c"))
    assert (data.segments, data.sources) == (("4", "2"), ("b", "c"))


test_what_is_refused = refusals(
    lambda bad: read(item(0, {"A": {"human": 1}}), bad),
    [
        (item(0, {"A": {"human": 1}}), 2, "found system 'A' and segment '1' again"),
        (item(1, {"A": {"human": "good"}}), 2, "'good' is not a score"),
        (item(1, {"A": {"human": [1]}}), 2, "expected a score of 'A'; found [1]"),
        (item(1, {"A": 3}), 2, "expected scores by system and name in"),
        (item(None, {}), 2, 'expected the item\'s number or name in "i"'),
        ({"i": 1}, 2, "expected scores by system and name in"),
    ],
)


def test_items_without_scores():
    with pytest.raises(ReadError, match="holds no score; expected scores by name for each system"):
        read(item(0, {"A": {}}), item(1, {}))


SAMPLES = Path(__file__).parent / "samples"
RATING = {"coherence": 1, "consistency": 2, "fluency": 3, "relevance": 4}


def line(**changes):
    return json.dumps({"id": "a", "model_id": "M1", "expert_annotations": [RATING], **changes})


def test_experts_are_averaged():
    data = read_summeval(SAMPLES / "summeval_toy.jsonl")
    assert (data.systems, data.segments, data.gold) == (("M1", "M2"), ("owl-1", "elk-2"), None)
    assert list(data.human) == ["coherence", "consistency", "fluency", "relevance"]
    np.testing.assert_allclose(data.human["coherence"], [[4 / 3, 4], [14 / 3, 2]], rtol=1e-15)
    np.testing.assert_allclose(data.human["fluency"], [[3, 4], [14 / 3, 2]], rtol=1e-15)
    assert data.outputs["M2"] == ("M2 on owl-1", "M2 on elk-2")
    assert data.notes == ("Each score is the mean of 3 experts.",)


def test_crowd_workers_are_averaged():
    data = read_summeval(SAMPLES / "summeval_toy.jsonl", annotators="turker")
    np.testing.assert_array_equal(data.human["relevance"], [[3, 2], [4, 2]])
    with pytest.raises(tk.InputError, match="annotators: must be one of expert, turker, found 'both'"):
        read_summeval(SAMPLES / "summeval_toy.jsonl", annotators="both")


def test_metrics_beside_the_ratings_are_said_and_read_as_a_table():
    rows = [line(model_id=name, id=one, metric_scores_1={"rouge": 0.5}) for name in "AB" for one in "xy"]
    scored = {"s.jsonl": "\n".join(rows).encode()}
    data = tk.read(scored)
    say = "pass format='table' and metrics='metric_scores_1.rouge' or others"
    with pytest.raises(tk.InputError, match=f"holds no metric, but human .*; Left out the metrics under .*{say}"):
        data.with_scores(scored)
    more = data.with_scores(scored, name="m", format="table", metrics="metric_scores_1.rouge")
    assert more.metrics["m"].tolist() == [[0.5, 0.5]] * 2


def test_a_summary_that_is_not_there_is_missing():
    content = f"{line(decoded='x')}\n\n{line(id='b', model_id='M2', decoded='y')}\n"
    data = read_summeval({"s.jsonl": content.encode()})
    np.testing.assert_array_equal(data.human["relevance"], [[4, np.nan], [np.nan, 4]])
    assert dict(data.outputs) == {}


def test_ratings_of_some_aspects_are_averaged_over_those_who_gave_them():
    part = {key: value for key, value in RATING.items() if key != "fluency"}
    content = "\n".join(
        [
            line(expert_annotations=[part, {**RATING, "fluency": 5}, {**RATING, "fluency": 2}]),
            line(id="b", expert_annotations=[{**part, "fluency": None}]),
        ]
    )
    data = tk.read({"s.jsonl": content.encode()})
    np.testing.assert_array_equal(data.human["fluency"], [[3.5, np.nan]])
    np.testing.assert_array_equal(data.human["relevance"], [[4, 4]])
    assert "fluency is not rated by all in 2 of 2 lines: its mean is that of the others." in data.notes
    without = read_summeval({"s.jsonl": line(expert_annotations=[part, part]).encode()})
    assert list(without.human) == ["coherence", "consistency", "relevance"]


test_what_is_refused_summeval = refusals(
    lambda bad: read_summeval({"s.jsonl": f"{line()}\n{bad}\n".encode()}),
    [
        ("{", 2, "is not JSON"),
        ("[" * 100_000, 2, "is nested too deeply"),
        ("3", 2, "expected one object per line; found 3"),
        (line(id=7), 2, "found no text under 'id'"),
        (line(model_id=""), 2, "found no text under 'model_id'"),
        (line(expert_annotations=[]), 2, "found no ratings under 'expert_annotations'"),
        (line(expert_annotations=[{**RATING, "fluency": "3"}]), 2, "found \"'3'\" for 'fluency'; expected a number"),
        (line(expert_annotations=[{**RATING, "fluency": float("nan")}]), 2, "found 'nan' for 'fluency'"),
        (line(expert_annotations=[{}]), 2, "found 'None' for 'coherence'"),
        (line(), 2, "found system 'M1' and segment 'a' again"),
    ],
)


@pytest.mark.real
def test_the_real_means(real_data):
    data = read_summeval(real_data.parent / "formats/model_annotations.aligned.jsonl")
    table = tk.read_table(real_data / "summeval/summeval.csv")
    cell = table.systems.index(data.systems[0]), table.segments.index(data.segments[0])
    for aspect, scores in data.human.items():
        np.testing.assert_allclose(scores.item(), table.human[f"human:{aspect}"][cell], atol=1e-6)
