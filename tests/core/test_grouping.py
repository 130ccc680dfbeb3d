"""Which pairs does a grouping compare?"""

import tracemalloc
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given

import tiekit as tk
from tests.strategies import examples, matrices
from tiekit.core.grouping import group, group_checked


def brute_force(human, grouping):
    """Every compared pair of cells, by the definition; a mean is the cell (system, 0)."""
    rows, columns = np.shape(human)
    if grouping == "system_means":
        scored = [(i, -1) for i in range(rows) if not np.isnan(human[i]).all()]
    else:
        scored = [(i, j) for i in range(rows) for j in range(columns) if not np.isnan(human[i, j])]
    together = {
        "global": lambda *_: True,
        "item": lambda a, b: a[1] == b[1],
        "system": lambda a, b: a[0] == b[0],
        "system_means": lambda *_: True,
    }[grouping]
    return {frozenset((a, b)) for a, b in combinations(scored, 2) if together(a, b)}


@pytest.mark.parametrize("grouping", tk.GROUPINGS)
@examples(12)
@given(pair=matrices())
def test_the_pairs_compared_are_those_of_the_definition(grouping, pair):
    human = pair[0]
    assert group(human, human, grouping).n_pairs == len(brute_force(human, grouping))


def test_groups_of_many_scores_take_little_memory():
    human, metric = np.random.default_rng(0).normal(size=(2, 5, 60_000))
    group_checked(human[:, :9], metric[:, :9], "item")
    tracemalloc.start()
    group_checked(human, metric, "item")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 70 * human.size
