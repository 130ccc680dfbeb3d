"""MetricX: predictions are negated, numbers of segments begin with 1, and whatever lacks names gets them."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.readers.refusals import refusals
from tiekit.errors import InputError, ReadError, RoleWarning
from tiekit.readers import read_metricx

SAMPLES = Path(__file__).parent / "samples"
LOWER = (False, True)
NEGATED = "MetricX: 4 predictions, negated as lower is better on them"


def read(*items, **options):
    return read_metricx({"x.jsonl": "\n".join(map(json.dumps, items)).encode()}, **options)


@pytest.mark.parametrize("name", ["metricx_evaluate.csv", "metricx_evaluate.jsonl"])
def test_what_evaluate_reads(name):
    data = read_metricx(SAMPLES / name, metric="MetricX-24")
    assert (data.name, data.systems, data.segments) == ("metricx_evaluate", ("Kite", "Moth"), ("1", "2"))
    np.testing.assert_array_equal(data.metrics["MetricX-24"], [[-1.25, -0.25], [-4.25, -2.25]])
    np.testing.assert_array_equal(data.human["label"], [[-1, 0], [-5, np.nan]])
    assert (data.gold, data.notes) == ("label", (NEGATED, "segment_id 0 is segment 1"))


def test_what_predict_writes():
    data = read_metricx(SAMPLES / "metricx_predict.jsonl")
    assert (data.systems, data.segments, dict(data.human)) == (("metricx_predict",), ("1", "2"), {})
    np.testing.assert_array_equal(data.metrics["MetricX"], [[-3.5, 0]])
    assert not np.signbit(data.metrics["MetricX"][0, 1])
    for more in (
        data.with_scores(SAMPLES / "metricx_predict.jsonl", name="x", lower_is_better=lower) for lower in LOWER
    ):
        np.testing.assert_array_equal(more.metrics["x"], [[-3.5, 0]])
    assert "x: negated by the format's reader, and not once more, so that higher is better" in more.notes


def test_rows_without_a_segment_are_counted_within_their_system():
    data = read(*({"system": name, "prediction": n} for n, name in enumerate("ABAB")))
    assert (data.systems, data.segments) == (("A", "B"), ("1", "2"))
    np.testing.assert_array_equal(data.metrics["MetricX"], [[0, -2], [-1, -3]])
    with pytest.raises(ReadError, match="'B' has 1 segments, but 'A' has 2"):
        read(*({"system": name, "prediction": 1} for name in "ABA"))


def test_other_names_of_segments_stay():
    data = read({"id": "q7", "prediction": 1}, {"id": "q3", "prediction": 2})
    assert data.segments == ("q7", "q3")
    assert read({"id": 7, "prediction": 1}).segments == ("7",)
    assert read({"item_id": "q7", "prediction": 1}, {"item_id": "q3", "prediction": 2}).segments == ("q7", "q3")
    with pytest.warns(RoleWarning, match="took 'uid' for the segments"):
        assert read({"uid": "q7", "prediction": 1}, {"uid": "q3", "prediction": 2}).segments == ("q7", "q3")
    assert read({"segment_id": "d1:0", "prediction": 1}, {"segment_id": "3", "prediction": 1}).segments == ("d1:0", "3")


def test_segments_that_count_from_1():
    items = [{"segment_id": number, "prediction": number} for number in (1, 2)]
    with pytest.warns(RoleWarning, match="smallest segment number is 1, and 1 is taken"):
        assert read(*items).segments == ("1", "2")
    assert read(*items, first_segment=1).segments == ("1", "2")
    with pytest.warns(RoleWarning, match="the smallest segment number is 1, and 0 is taken for the first segment"):
        assert read(*items, first_segment=0).segments == ("2", "3")
    with pytest.warns(RoleWarning, match="the smallest segment number is 2, and 0 is taken for the first segment"):
        assert read({"segment_id": 2, "prediction": 1}).segments == ("3",)
    for wrong in (1.5, "0", True):
        with pytest.raises(InputError, match="first_segment: must be a whole number"):
            read(*items, first_segment=wrong)


def test_repeated_cells():
    items = [{"system_id": "A", "segment_id": 0, "prediction": number} for number in (1, 3)]
    with pytest.raises(ReadError, match="line 2: found system 'A' and segment '1' again"):
        read(*items)
    assert read(*items, aggregate="mean").metrics["MetricX"].tolist() == [[-2]]


test_what_is_refused = refusals(
    lambda text: read_metricx({"x": text.encode()}),
    [
        ('{"source": "a"}', 1, 'has no "prediction", only source; run'),
        ('{"prediction": "good"}', 1, "'good' is not a score"),
        ('{"prediction": [1]}', 1, "expected a score in prediction; found [1]"),
        ('{"prediction": 1, "label": {}}', 1, "expected a score in label; found {}"),
        ('{"prediction": 1, "system_id": ""}', 1, "expected a system, a text that is not empty"),
        ('{"prediction": 1, "segment_id": 0}\n{"prediction": 1}', 2, 'expected a segment in "segment_id", a text'),
        ("system_id,segment_id,prediction\nA,0,1\nA,1\n", 3, "found 2 cells, expected 3"),
        ("system_id,segment_id,prediction\n", 1, "has a header and no rows"),
        ("system_id,system_id,prediction\nA,0,1\n", 1, "two columns are named"),
        ("system_id,segment_id\nA,0\n", 2, 'has no "prediction", only system_id'),
        ('system_id,segment_id,prediction\n"A,0,1\n', "is not a table"),
    ],
)
