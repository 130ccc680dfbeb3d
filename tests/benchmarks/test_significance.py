"""The benchmark of tests times what it says, beside a peer that gives the same numbers."""

import numpy as np
import pytest

from benchmarks import significance
from benchmarks.cases import Sizes

TINY = Sizes(resamples=9, peer_resamples=1, repeats=1)


def test_it_says_what_it_leaves_out():
    (row,) = significance.rows(TINY, None)
    assert "left out" in row.tiekit


@pytest.mark.campaign
def test_a_pair_is_timed_beside_nlpstats():
    human, first, second = np.random.default_rng(0).normal(size=(3, 5, 6))
    row = significance.pair_of_summeval(human, {"a": first, "b": second}, TINY)
    assert "SummEval 5 × 6, nine measures, 9 resamples" in row.case
    assert "nlpstats, from 1 resamples" in row.peer
