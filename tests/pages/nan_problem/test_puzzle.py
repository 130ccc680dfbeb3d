"""The puzzle: what solves it, and what it says of a line."""

import itertools
import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from tests import reference
from tests.pages.nan_problem.reading import PAGE, SOLUTION, mean, table
from ui.nan_problem import puzzle


def tyings(scores):
    """Every way to tie scores without turning a pair round: neighbours among the levels are merged or not."""
    levels = sorted(set(scores))
    for apart in itertools.product([0, 1], repeat=len(levels) - 1):
        number = dict(zip(levels, itertools.accumulate((0, *apart)), strict=True))
        yield [number[score] for score in scores]


def test_the_puzzle_can_be_solved_under_tau_b_and_not_under_acc_eq():
    """All 4,096 ways to tie: those that win are solutions to the page, some others are none."""
    chance = random.Random(1)
    for name, number in (("tau_b", 15), ("acc_eq", 0)):
        entry, rival = tk.COEFFICIENTS[name], mean(puzzle.HUMAN, puzzle.GOOD, name)
        assert mean(puzzle.HUMAN, puzzle.WORSE, name) < rival
        own = [
            {tuple(tied): reference.coefficient(name, reference.counts(human, tied)) for tied in tyings(scores)}
            for human, scores in zip(puzzle.HUMAN, puzzle.WORSE, strict=True)
        ]
        solved, best = 0, -math.inf
        for tried in itertools.product(*own):
            values = [by[tied] for by, tied in zip(own, tried, strict=True)]
            defined = [value for value in values if value == value]
            wins = bool(defined) and np.mean(defined) > rival + 1e-12
            best = max(best, np.mean(defined) if defined else best)
            solved += wins
            if wins or chance.random() < 0.02:
                kind, words = puzzle.judge([list(tied) for tied in tried], entry)
                assert (kind == "solved") == wins
                assert kind != "wrong", words
        assert solved == number
        if name == "acc_eq":
            assert best <= puzzle.reachable(puzzle.HUMAN, puzzle.WORSE) + 1e-12 < rival


@given(
    st.lists(st.permutations(range(4)), min_size=1, max_size=2),
    st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=4), min_size=2, max_size=2),
)
def test_when_acc_eq_cannot_be_won(metric, human):
    """Tying gains at most the pairs that the human ties; where the human ties none, nothing at all."""
    human = human[: len(metric)]
    most = max(mean(human, tried, "acc_eq") for tried in itertools.product(*map(tyings, metric)))
    assert most <= puzzle.reachable(human, metric) + 1e-12
    if all(len(set(row)) == 4 for row in human):
        assert most == mean(human, metric, "acc_eq") == puzzle.reachable(human, metric)


@pytest.mark.parametrize(
    ("line", "coefficient", "kind", "words"),
    [
        ("8 6 5 2 | 1 1 1 1 | 4 4 4 4 | 5 5 5 5", "tau_b", "success", "worse wins under τ_b, 1.000 over 1 of 4"),
        ("8 6 5 2 | 1 1 1 1 | 4 4 4 4 | 5 5 5 5", "tau_b", "success", "Now win with two segments left"),
        (SOLUTION, "tau_b", "success", "over 2 of 4 segments, against 0.812"),
        (SOLUTION, "acc_eq", "info", "less than good: no tying wins under acc_eq"),
        ("8 6 5 2 | 6 7 3 5 | 3 4 6 5 | 4 7 6 5", "tau_b", "info", "Nothing is tied yet"),
        ("8 6 5 2 | 6 7 3 5 | 4 4 4 4 | 4 7 6 5", "tau_b", "info", "Segment 4 pulls the mean down most, with −0.667"),
        ("1 1 1 1 | 1 1 1 1 | 1 1 1 1 | 1 1 1 1", "tau_b", "info", "no value at all"),
        ("8 6 5 2 | 6 7 3 5 | 3 4 6 5 | 4 7 5 6", "tau_b", "warning", "Segment 4: systems 3 and 4 have changed sides"),
        ("8 6 5 2 | 1 1 1 1 | 4 4 4 4 | 5 5 5 nan", "tau_b", "warning", "Segment 4: a score is missing"),
    ],
)
def test_the_puzzle_says_what_is_wrong(open_app, line, coefficient, kind, words):
    app = open_app(PAGE, puzzle_coefficient=coefficient)
    app.text_input(key=puzzle.KEY).set_value(line).run()
    assert not app.exception
    found = [e.value.replace("\\", "").replace("**", "") for e in getattr(app, kind)]
    assert any(words in text for text in found), found
    assert bool(app.success) == (kind == "success")
    [shown] = table(app, "worse's value")
    metric = [[float(x) for x in part.split()] for part in line.split("|")]
    for text, human, own in zip(shown["worse's value"], puzzle.HUMAN, metric, strict=True):
        value = reference.coefficient(coefficient, reference.counts(human, own))
        assert text == ("undefined" if value != value else f"{value:.3f}".replace("-", "−"))


def test_the_puzzle_keeps_the_last_line_that_fitted_and_says_so(open_app):
    app = open_app(PAGE, **{puzzle.KEY: SOLUTION})
    [before] = [shown.values.tolist() for shown in table(app, "worse's value")]
    app.text_input(key=puzzle.KEY).set_value("8 6 x").run()
    [after] = [shown.values.tolist() for shown in table(app, "worse's value")]
    assert after == before
    assert not app.success
    assert any("the last scores that did" in info.value for info in app.info)


def test_the_puzzle_starts_over_and_keeps_its_line_in_the_link(open_app):
    app = open_app(PAGE, **{puzzle.KEY: SOLUTION})
    assert app.text_input(key=puzzle.KEY).value == SOLUTION
    assert app.success
    next(button for button in app.button if button.label == "Start over").click().run()
    assert app.text_input(key=puzzle.KEY).value == puzzle.line_of(puzzle.WORSE)
    assert not app.success
