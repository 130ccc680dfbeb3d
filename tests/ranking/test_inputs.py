"""What is compared is identified by its scores."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from tiekit.base.validation import digest_of
from tiekit.ranking.engine import prepare

MATRICES = st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), min_size=2, max_size=2)


@given(MATRICES, MATRICES, MATRICES)
def test_digests_are_those_of_the_scores(human, a, b):
    inputs = prepare(tk.EvalSet("toy", "", ("A", "B"), ("1", "2", "3"), {"h": human}, {"a": a, "b": b}))
    human, a, b = (np.array(scores, float) for scores in (human, a, b))
    assert inputs.digests == {"a": digest_of(human, a), "b": digest_of(human, b)}
    assert inputs.digest == digest_of(human, a, b)
    assert replace(inputs, metrics={"b": a}).digests == {"b": digest_of(human, a)}


@pytest.mark.parametrize("cells", [None, "own"])
def test_nothing_of_it_can_be_changed(cells):
    metrics = {"m": [[1, np.nan], [2, 0]], "full": [[1, 1], [2, 0]]}
    data = tk.EvalSet("toy", "", ("A", "B"), ("1", "2"), {"h": [[1, 2], [3, 4]]}, metrics)
    inputs = prepare(data, cells=cells)
    assert np.isnan(inputs.human).any() == (cells is None)
    for scores in (inputs.human, inputs.metrics["m"]):
        assert not scores.flags.writeable
    for names in (inputs.metrics, inputs.selection):
        with pytest.raises(TypeError):
            names["m"] = names.get("m", "")
