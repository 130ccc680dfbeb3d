"""One list of scores per system, as JSON; a pickle is refused and never read."""

import json
import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests.readers.refusals import refusals
from tiekit.errors import InputError, ReadError
from tiekit.readers import read_score_lists, recognize

SAMPLE = Path(__file__).parent / "samples" / "score_lists.json"


class Harmful:
    """What would leave a trace where it is unpickled."""

    def __reduce__(self):
        return (open, ("/dev/null/trace", "w"))


def test_sample():
    data = read_score_lists(SAMPLE, metric="chrF")
    assert (data.name, data.systems, data.segments) == ("score_lists", ("Kite", "Moth"), ("1", "2", "3"))
    np.testing.assert_array_equal(data.metrics["chrF"], [[0.91, np.nan, 0.5], [np.nan, 0.95, 1]])
    assert (dict(data.human), list(read_score_lists(SAMPLE).metrics)) == ({}, ["score"])


@given(
    arrays(np.float64, st.tuples(st.integers(1, 4), st.integers(1, 4)), elements=st.floats(-9, 9) | st.just(np.nan)),
    st.booleans(),
)
def test_what_is_written_is_read(scores, with_null):
    lists = {f"s{n}": [None if with_null and np.isnan(v) else float(v) for v in row] for n, row in enumerate(scores)}
    data = read_score_lists({"x.json": json.dumps(lists).encode()})
    np.testing.assert_array_equal(data.metrics["score"], scores + 0.0)


test_what_is_refused = refusals(
    lambda found: read_score_lists({"x.json": json.dumps(found).encode()}),
    [
        ({"A": [1, 2], "B": [1]}, "'B' has 1 segments, but 'A' has 2; score"),
        ({"A": [1, "good"]}, "'good' is not a score"),
        ({"A": [1, True]}, "expected a score for 'A', segment 2; found"),
        ({"A": []}, "expected a list of scores for 'A'; found []"),
        ({"A": 3}, "expected a list of scores for 'A'; found 3"),
        ({}, "expected an object with a list of scores"),
        ([1, 2], "expected an object with a list of scores"),
        ({" ": [1]}, "holds a system without a name"),
    ],
)


@pytest.mark.parametrize("protocol", range(6))
@pytest.mark.parametrize("value", [{"A": [1.0, None]}, Harmful()], ids=["scores", "harmful"])
def test_a_pickle_is_refused(protocol, value):
    content = pickle.dumps(value, protocol=protocol)
    assert recognize({"scores.pkl": content}).name == "score_lists"
    with pytest.raises(
        ReadError, match="is a pickle, which can run programs when it is read; save it as JSON, in Python"
    ):
        read_score_lists({"scores.pkl": content})
    if protocol >= 2:
        assert recognize({"scores": content}).name == "score_lists"
        with pytest.raises(ReadError, match="is a pickle"):
            read_score_lists({"scores": content})


def test_the_metric_has_a_name():
    with pytest.raises(InputError, match="metric: must be a name, found ' '"):
        read_score_lists(SAMPLE, metric=" ")
