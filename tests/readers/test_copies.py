"""Systems that have one another's scores are told, two and all of them, beside a set and in a table of one's own."""

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tiekit.base.errors import collect_warnings
from tiekit.readers._copies import ask_copies

SIZE, SYSTEMS = 60, tuple("ABCDE")
ALL = "all 5 systems have the same score in each of 60 segments, so it ranks none of them; if it does not look at the"
TWO = "B and D have the same score in each of 60 segments, which no other scores of the set have; is one a copy"


def drawn():
    """Scores by people and by two metrics."""
    rng = np.random.default_rng(4)
    human = rng.normal(size=(len(SYSTEMS), SIZE)) + rng.normal(size=SIZE)
    return human, *(human + rng.normal(size=human.shape) for _ in range(2))


def copied(scores):
    """Scores of which B and D have the same."""
    return np.array([*scores[:3], scores[1], scores[4]])


def mean(scores):
    """The mean of each segment, added in another order for some systems."""
    return np.array(
        [scores[order].mean(axis=0) for order in ([0, 1, 2, 3, 4], [4, 2, 0, 1, 3]) * 2 + ([3, 1, 2, 4, 0],)]
    )


CHANGES = [
    (lambda scores: np.tile(scores[2], (len(SYSTEMS), 1)), ALL),
    (mean, ALL),
    (lambda scores: np.tile((2 * scores[2]).round().clip(1, 3), (len(SYSTEMS), 1)), ALL),
    (copied, TWO),
]


def listen(call):
    """What is said of systems with the same scores."""
    with collect_warnings() as said:
        call()
    return [text for kind, text in said if kind is tk.OrderWarning]


@pytest.mark.parametrize(("change", "words"), CHANGES, ids=["all", "mean", "levels", "two"])
def test_the_same_scores_beside_a_set_are_told(change, words):
    human, metric, scores = drawn()
    data = tk.EvalSet("x", "", SYSTEMS, tuple(map(str, range(1, SIZE + 1))), {"h": human}, {"m": metric}, gold="h")
    assert listen(lambda: data.with_scores(scores, name="mine")) == []
    [told] = listen(lambda: data.with_scores(change(scores), name="mine"))
    assert told.startswith(f"mine: {words}")


@pytest.mark.parametrize(("change", "words"), CHANGES, ids=["all", "mean", "levels", "two"])
@pytest.mark.parametrize("column", ["human", "mine"])
def test_the_same_scores_in_a_table_of_ones_own_are_told(change, words, column):
    human, _, scores = drawn()
    cells = {"system": np.repeat(SYSTEMS, SIZE), "item": np.tile(np.arange(SIZE) + 1, len(SYSTEMS))}
    columns = {"human": human, "mine": scores}

    def read(**changed):
        tk.read(pd.DataFrame(cells | {name: one.ravel() for name, one in (columns | changed).items()}))

    assert listen(read) == []
    assert listen(lambda: read(human=copied(human), mine=copied(scores))) == []
    [told] = listen(lambda: read(**{column: change(columns[column])}))
    assert told.startswith(f"{column}: {words}")


def test_neither_few_scores_nor_those_of_a_short_scale_nor_probes_are_told():
    human, *_ = drawn()
    levels = human.round().clip(-2, 2)
    cases = {
        "mine": np.tile(human[0, :19], (5, 1)),
        "short": copied(levels),
        "passed": np.tile(human[0] > 0, (5, 1)).astype(float),
        "sentinel-src": np.tile(human[0], (5, 1)),
        "SourceLength": np.tile(human[0], (5, 1)),
    }
    for name, scores in cases.items():
        segments = tuple(map(str, range(scores.shape[1])))
        data = tk.EvalSet("x", "", SYSTEMS, segments, {"h": human[:, : scores.shape[1]]}, {name: scores})
        assert listen(lambda data=data: ask_copies(data)) == []


@pytest.mark.parametrize("name", [("wmt22", "zh-en"), ("wmt23", "zh-en"), ("wmt23", "he-en"), ("wmt23", "en-de")])
def test_no_systems_of_the_sets_that_come_along_are_told(name):
    assert listen(lambda: ask_copies(tk.load(*name))) == []
