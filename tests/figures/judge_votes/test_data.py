"""What the figure of judges' votes is given: few steps, plain JSON, and nothing where preferences have one size."""

import json

import numpy as np

from tiekit.figures import judge_votes as data
from tiekit.votes import Votes


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
    given = data.figure_data({"bot": votes([0, 0])}, votes([1, 0]), "ann")
    [judge] = json.loads(json.dumps(given, allow_nan=False))["judges"]
    [step] = judge["steps"]
    assert (step["withTies"], step["withoutTies"], step["orders"]["n"]) == (0.5, None, 0)


def test_two_judges_are_shown_on_the_votes_of_both():
    """Thirty items; shy votes on the easy twenty only, 19 as the human, and bold on all, the easy ones right."""
    human = votes([1.0] * 30)
    bold, shy = votes([1.0] * 20 + [-1.0] * 10), votes([-1.0] + [1.0] * 19 + [float("nan")] * 10)
    one, other = data.figure_data({"bold": bold, "shy": shy}, human, "ann")["judges"]
    assert [judge["steps"][0]["n"] for judge in (one, other)] == [20, 20]
    assert [judge["steps"][0]["withTies"] for judge in (one, other)] == [1.0, 0.95]
    orders = {name: votes.where(votes.item >= 0) for name, votes in (("bold", bold), ("shy", shy))}
    assert data.figure_data({"bold": bold, "shy": shy}, human, "ann", orders=orders)["judges"] == [one, other]
    alone = data.figure_data({"bold": bold}, human, "ann")["judges"][0]["steps"][0]
    assert (alone["n"], alone["withTies"]) == (30, 20 / 30)
