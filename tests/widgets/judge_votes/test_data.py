"""What the figure of judges' votes is given: few steps, plain JSON, and nothing where preferences have one size."""

import json

import numpy as np

from tiekit.votes import Votes
from tiekit.widgets.judge_votes import data


def votes(preferences):
    return Votes.from_rows([(str(i), "A", "B", preference) for i, preference in enumerate(preferences)])


def test_votes_without_scores_have_one_threshold():
    assert data.steps(votes([1, -1, 0, float("nan")]), 0.0).tolist() == [0.0]


def test_a_judges_steps_are_those_of_its_own_scale_with_the_best():
    rng = np.random.default_rng(1)
    found = data.steps(votes(rng.normal(size=500)), 0.0)
    assert found[0] == 0
    assert len(found) == data.MOST_STEPS
    assert (np.diff(found) > 0).all()
    assert data.steps(votes(rng.integers(-3, 4, 500).astype(float)), 2.0).tolist() == [0, 1, 2, 3]
    assert 0.123 in data.steps(votes(rng.normal(size=500)), 0.123).tolist()


def test_what_is_undefined_is_null():
    given = data.given({"bot": votes([0, 0])}, votes([1, 0]), "ann")
    [judge] = json.loads(json.dumps(given, allow_nan=False))["judges"]
    [step] = judge["steps"]
    assert (step["withTies"], step["withoutTies"], step["orders"]["n"]) == (0.5, None, 0)
