"""SummEval's annotations: experts' or crowd workers' means of every aspect."""

import json
from pathlib import Path

import numpy as np
import pytest

import tiekit as tk
from tests.readers.refusals import refusals
from tiekit.readers import read_summeval

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


def test_a_summary_that_is_not_there_is_missing():
    content = f"{line(decoded='x')}\n\n{line(id='b', model_id='M2', decoded='y')}\n"
    data = read_summeval({"s.jsonl": content.encode()})
    np.testing.assert_array_equal(data.human["relevance"], [[4, np.nan], [np.nan, 4]])
    assert dict(data.outputs) == {}


test_what_is_refused = refusals(
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
