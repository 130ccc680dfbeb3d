"""COMET's results and lists of scores: the same set by JSON and printed lines; pickles are refused."""

import json
import pickle
from pathlib import Path

import numpy as np
import pytest

from tests.readers.refusals import refusals
from tiekit.errors import InputError, ReadError
from tiekit.readers import read_comet, read_score_lists, recognize

SAMPLES = Path(__file__).parent / "samples"
SCORES = [[0.91, 0.55], [0.31, 0.95]]


def read(content, **options):
    text = content if isinstance(content, str) else json.dumps(content)
    return read_comet({"up/out.json": text.encode()}, **options)


@pytest.mark.parametrize("name", ["comet.json", "comet_stdout.txt"])
def test_samples(name):
    data = read_comet(SAMPLES / name)
    assert (data.systems, data.segments) == (("out/kite.txt", "out/moth.txt"), ("1", "2"))
    assert (list(data.metrics), dict(data.human), data.gold) == (["COMET"], {}, None)
    np.testing.assert_array_equal(data.metrics["COMET"], SCORES)


def test_texts_are_kept():
    data = read_comet(SAMPLES / "comet.json", metric="XCOMET-XL", name="mine")
    assert (data.name, list(data.metrics), data.sources) == ("mine", ["XCOMET-XL"], ("Fog.", "Boats."))
    assert data.references == {"ref": ("Nebel.", "Boote.")}
    assert data.outputs["out/moth.txt"] == ("Neb.", "Boote.")
    assert data.notes == ("comet-score JSON: the field COMET of 2 systems, 2 segments each",)


def test_the_field_may_have_the_name_of_the_model():
    found = {"a": [{"src": "x", "mt": "y", "wmt22-comet-da": 0.5}]}
    assert read(found, metric="wmt22-comet-da").metrics["wmt22-comet-da"].tolist() == [[0.5]]
    with pytest.raises(ReadError, match="no field 'COMET', only src, mt, wmt22-comet-da; pass metric="):
        read(found)


def test_one_unnamed_system():
    data = read("Segment 0\tscore: 0.5\nSegment 1\tscore: nan\nscore: 0.5\n")
    assert data.systems == ("out",)
    np.testing.assert_array_equal(data.metrics["COMET"], [[0.5, np.nan]])


def item(score, **texts):
    return {"COMET": score} | texts


test_what_is_refused = refusals(
    read,
    [
        ({"a": [item(1), item(2)], "b": [item(1)]}, "'b' has 1 segments, but 'a' has 2; score"),
        ({"a": []}, "objects, as comet-score --to_json writes"),
        ({"a": [1]}, "for 'a'; found [1]"),
        ({"a": 1}, "for 'a'; found 1"),
        ({}, "expected an object with a list of segments"),
        ([item(1)], "expected an object with a list of segments"),
        ({" ": [item(1)]}, "holds a system without a name"),
        ({"a": [item("good")]}, "'good' is not a score"),
        ({"a": [item(True)]}, "expected a score for segment 1 of 'a'"),
        ({"a": [item(1), {}]}, "segment 2 of 'a' has no field 'COMET', only"),
        ({"a": [item(1, src="x")], "b": [item(1, src="y")]}, "segment 1 of 'b' has another source than"),
        ({"a": [item(1, ref="x")], "b": [item(1, ref="y")]}, "has another reference than that of 'a'"),
        ('{"a": [{"COMET": 1},\n{"COMET": 1,}]}', 2, "is not JSON"),
        ("a\tSegment 0\tscore: 1\nb\tSegment 1\tscore: 1\n", "segment 1 is not there for every system"),
        ("a\tSegment 0\tscore: 1\na\tSegment 1\tscore: 1\nb\tSegment 0\tscore: 1", "'b' has 1 segments, but 'a' has 2"),
        ("a\tSegment 0\tscore: 1\na\tSegment 0\tscore: 1\n", 2, "found system 'a' and segment '1' again"),
        ("a\tSegment 0\tscore: good\n", 1, "'good' is not a score"),
        ("a\tSegment x\tscore: 1\n", 1, "expected PATH<tab>Segment 0<tab>score: 0.91"),
        ("a\tSegment 0\tscore: 1\nLoading model\n", 2, "expected PATH<tab>Segment 0<tab>score: 0.91"),
        ("a\tscore: 1\n", 1, "holds scores of whole systems only; run"),
    ],
)


def test_the_metric_has_a_name():
    for metric in ("", None, 3):
        with pytest.raises(InputError, match="metric: must be a name"):
            read({"a": [item(1)]}, metric=metric)


SAMPLE = Path(__file__).parent / "samples" / "score_lists.json"


class Harmful:
    """What would leave a trace where it is unpickled."""

    def __reduce__(self):
        return (open, ("/dev/null/trace", "w"))


def test_sample():
    data = read_score_lists(SAMPLE, metric="chrF")
    assert (data.name, data.systems, data.segments) == ("score_lists", ("Kite", "Moth"), ("1", "2", "3"))
    np.testing.assert_array_equal(data.metrics["chrF"], [[0.91, np.nan, 0.5], [np.nan, 0.95, 1]])
    assert (dict(data.human), list(read_score_lists(SAMPLE).metrics)) == ({}, ["score_lists"])


def test_an_array_is_called_by_its_file(tmp_path):
    np.save(tmp_path / "mine.npy", data := np.arange(6.0).reshape(2, 3))
    np.testing.assert_array_equal(read_score_lists(tmp_path / "mine.npy").metrics["mine"], data)


test_lists_that_are_refused = refusals(
    lambda found: read_score_lists({"x.json": json.dumps(found).encode()}),
    [
        ({"A": [1, 2], "B": [1]}, "'B' has 1 segments, but 'A' has 2; score"),
        ({"A": [1, "good"]}, "'good' is not a score"),
        ({"A": [1, True]}, "expected a score for 'A', segment 2; found"),
        ({"A": []}, "expected a list of scores for 'A'; found []"),
        ({"A": 3}, "expected a list of scores for 'A'; found 3"),
        ({}, "expected an object with a list of scores"),
        ("1, 2", "expected a list of scores, or one list of them for each system"),
        ({" ": [1]}, "holds a system without a name"),
    ],
)


@pytest.mark.parametrize("protocol", range(6))
@pytest.mark.parametrize("value", [{"A": [1.0, None]}, Harmful()], ids=["scores", "harmful"])
def test_a_pickle_is_refused(protocol, value):
    content = pickle.dumps(value, protocol=protocol)
    assert recognize({"scores.pkl": content}).name == "score_lists"
    with pytest.raises(ReadError, match="is a pickle, which can run programs"):
        read_score_lists({"scores.pkl": content})
    if protocol >= 2:
        assert recognize({"scores": content}).name == "score_lists"
        with pytest.raises(ReadError, match="is a pickle"):
            read_score_lists({"scores": content})


def test_the_metric_of_lists_has_a_name():
    with pytest.raises(InputError, match="metric: must be a name, found ' '"):
        read_score_lists(SAMPLE, metric=" ")
