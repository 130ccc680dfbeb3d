"""EvalSet: what it refuses, what a selection keeps."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

import tiekit as tk
from tiekit.base.names import RowNames
from tiekit.errors import InputError
from tiekit.sets.evalset import EvalSet


def toy(**changes):
    fields = {
        "name": "toy",
        "language_pair": "en-de",
        "systems": ("A", "B", "refA", "bad"),
        "segments": ("1", "2", "3"),
        "human": {"mqm": np.arange(12.0).reshape(4, 3), "da": np.ones((4, 3))},
        "metrics": {"BLEU-refA": np.arange(12.0, 0, -1).reshape(4, 3)},
        "documents": ("d1", "d1", "d2"),
        "domains": ("news", "social", "news"),
        "sources": ("eins", "zwei", "drei"),
        "references": {"refA": ("one", "two", "three")},
        "outputs": {"A": ("1a", "2a", "3a"), "bad": ("1b", "2b", "3b")},
        "standard_reference": "refA",
        "outliers": ("bad", "not a row"),
        "gold": "mqm",
        "digest": "d",
    }
    return EvalSet(**(fields | changes))


def test_matrices_are_copied_and_read_only():
    scores = np.zeros((4, 3))
    data = toy(human={"mqm": scores})
    scores[0, 0] = 5
    assert data.human["mqm"][0, 0] == 0
    with pytest.raises(ValueError, match="read-only"):
        data.human["mqm"][0, 0] = 1
    assert np.shares_memory(replace(data, notes=("n",)).human["mqm"], data.human["mqm"])
    turned = replace(data, human={"mqm": data.with_metric("up", np.arange(12).reshape(4, 3)).metrics["up"][::-1]})
    assert turned.human["mqm"].tolist() == [[9, 10, 11], [6, 7, 8], [3, 4, 5], [0, 1, 2]]


def test_negative_zero_is_zero():
    assert not np.signbit(toy(human={"mqm": np.full((4, 3), -0.0)}).human["mqm"]).any()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"systems": ("A", "B", "A", "C")}, r"systems: .*'A' occurs twice"),
        ({"segments": ("1", "2", "2")}, r"segments: .*'2' occurs twice"),
        ({"human": {"mqm": np.ones((3, 4))}}, r"human\['mqm'\]: expected the shape \(4, 3\).*found \(3, 4\)"),
        ({"metrics": {"X": np.ones(12)}}, r"metrics\['X'\]: expected the shape"),
        ({"metrics": {"X": [[1, 2, np.inf]] + [[1, 2, 3]] * 3}}, r"finite, found inf"),
        ({"metrics": {"X": [["a", 2, 3]] * 4}}, r"metrics\['X'\]: scores must be numbers"),
        ({"documents": ("d",)}, r"documents: expected one entry for each of 3 segments, found 1"),
        ({"references": {"refA": ("one",)}}, r"references\['refA'\]: expected one entry"),
        ({"outputs": {"C": ("", "", "")}}, r"outputs: there is no system 'C'; known: A, B, refA, bad"),
        ({"gold": "esa"}, r"gold: there is no human score 'esa'; known: mqm, da"),
    ],
)
def test_what_is_refused(changes, message):
    with pytest.raises(InputError, match=message):
        toy(**({"gold": None} | changes))


def test_the_default_leaves_out_the_standard_reference_and_outliers():
    data = toy()
    assert data.default_exclude == ("refA", "bad")
    assert data.select().systems == ("A", "B")
    assert data.select(exclude=()).systems == data.systems
    assert data.select(exclude="A").systems == ("B", "refA", "bad")
    assert toy(standard_reference="refC", outliers=()).default_exclude == ()


def test_everything_per_segment_is_restricted_alike():
    part = toy().select(domain="news", exclude=("refA",))
    assert part.segments == ("1", "3")
    assert part.documents == ("d1", "d2")
    assert part.domains == ("news", "news")
    assert part.sources == ("eins", "drei")
    assert part.references == {"refA": ("one", "three")}
    assert part.outputs == {"A": ("1a", "3a"), "bad": ("1b", "3b")}
    np.testing.assert_array_equal(part.human["mqm"], [[0, 2], [3, 5], [9, 11]])
    np.testing.assert_array_equal(part.metrics["BLEU-refA"], [[12, 10], [9, 7], [3, 1]])
    assert toy().select().outputs == {"A": ("1a", "2a", "3a")}
    assert (part.digest, part.gold) == ("d", "mqm")


@pytest.mark.parametrize(
    ("conditions", "kept"),
    [
        ({"documents": "d1"}, ("1", "2")),
        ({"documents": "d1", "domain": ["news"]}, ("1",)),
        ({"domain": ("social", "news")}, ("1", "2", "3")),
        ({"segments": ("3", "1")}, ("1", "3")),
        ({"segments": np.array([False, True, True])}, ("2", "3")),
    ],
)
def test_which_segments_are_kept(conditions, kept):
    assert toy().select(**conditions).segments == kept


@pytest.mark.parametrize(
    ("conditions", "message"),
    [
        ({"exclude": ("A", "X")}, "exclude: there is no system 'X'; known: A, B, refA, bad"),
        ({"exclude": "REFA"}, r"exclude: there is no system 'REFA'; did you mean refA\?"),
        (
            {"segments": np.array([0, 2])},
            r"segments: must be text such as '1', found .*; for .* \[data.segments\[place\]",
        ),
        ({"domain": "sport"}, "domain: there is no domain 'sport'; known: news, social$"),
        ({"documents": "d9"}, "documents: there is no document 'd9'; known: d1, d2$"),
        ({"segments": ["4"]}, "segments: there is no segment '4'; known: 1, 2, 3"),
        ({"segments": np.array([True])}, r"segments: expected a mask of the shape \(3,\), found \(1,\)"),
        ({"documents": "d2", "domain": "social"}, "nothing is left"),
        ({"exclude": ("A", "B", "refA", "bad")}, "nothing is left"),
    ],
)
def test_selections_that_are_refused(conditions, message):
    with pytest.raises(InputError, match=message):
        toy().select(**conditions)


def test_a_set_without_domains_says_so():
    with pytest.raises(InputError, match="no domain 'news'; known: none at all"):
        toy(domains=()).select(domain="news")


def test_a_metric_is_added_and_enters_the_digest():
    data = toy()
    more = data.with_metric("length", np.full((4, 3), 2.0))
    assert list(more.metrics) == ["BLEU-refA", "length"]
    assert list(data.metrics) == ["BLEU-refA"]
    others = data.with_metric("length", np.full((4, 3), 3.0)), data.with_metric("size", np.full((4, 3), 2.0))
    assert len({data.digest, more.digest, *(other.digest for other in others)}) == 4
    with pytest.raises(InputError, match="the set has a metric 'length' already"):
        more.with_metric("length", np.ones((4, 3)))
    with pytest.raises(InputError, match="shape"):
        data.with_metric("length", np.ones(3))


def test_names_of_rows_that_have_none_are_those_of_a_tuple(monkeypatch):
    content = {"x.csv": b"human,BLEU\n3,2\n1,4\n2,6\n"}
    expected = tk.read(content)
    monkeypatch.setattr("tiekit.base.names.FEWEST_UNMADE", 3)
    data = tk.read(content)
    assert isinstance(expected.segments, tuple)
    assert isinstance(data.segments, RowNames)
    assert data.segments == expected.segments == data.select().segments == pickle.loads(pickle.dumps(data)).segments
    assert (repr(data), repr(data.segments)) == (repr(expected), repr(expected.segments))
    assert hash(data.segments) == hash(expected.segments)
    assert data.segments != ("1", "2", "4")
    assert (data.segments[-1], data.segments[1:]) == ("3", ("2", "3"))
    assert data.select(segments=["2"]).segments == ("2",)
    assert data.to_frame().equals(expected.to_frame())
    assert data.with_scores({"z.csv": b"segment,score\n3,2\n1,3\n2,1\n"}).metrics["z"].tolist() == [[3, 1, 2]]
    assert isinstance(tk.read([1.0, 2.0, 3.0]).segments, RowNames)


def test_scores_are_found_by_names_that_are_nearly_theirs():
    data = toy()
    assert data.metrics["bleu"] is data.metrics["BLEU-refA"]
    assert "bleu" not in data.metrics
    assert data.metrics.get("chrF") is None
    with pytest.raises(KeyError, match=r"^name: there is no 'BLUE'; did you mean BLEU-refA\?$"):
        data.metrics["BLUE"]
    with pytest.raises(InputError, match="there is no 'x'; known: BLEU-refA"):
        data.metrics["x"]
