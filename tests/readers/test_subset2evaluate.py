"""Items of subset2evaluate: which scores are human, and what the segments are called."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.readers.refusals import refusals
from tiekit.errors import ReadError
from tiekit.readers import read_subset2evaluate

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
