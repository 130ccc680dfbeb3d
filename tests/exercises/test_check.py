"""An answer is right, or met with a hint; nothing that a student types raises."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from tiekit.exercises import NOTEBOOKS, of_notebook
from tiekit.exercises.check import Check, WrongAnswerError, expect_a_share, expect_name, expect_number, expect_scores

NUMBERS = st.floats(-1000, 1000).filter(lambda number: abs(number) > 0.01)
TYPED = st.one_of(
    st.none(),
    st.booleans(),
    st.floats(),
    st.text(),
    st.lists(st.floats() | st.text()),
    st.dictionaries(st.text(), st.none()),
)
ON_WMT22 = {"00_quickstart", "05_leaderboard", "06_sentinels", "08_measures"}
"""Their right answers take seconds to compute; the notebooks' own tests try them."""

CHECKS = [of_notebook(name) for name in NOTEBOOKS if name not in ON_WMT22]
ODD = [
    10**400,
    [1e308, -1e308, 0, 0, 0, 0],
    [10**400] * 6,
    np.arange(6),
    np.array("x"),
    object(),
    int,
    {1},
    1j,
    np.ma.masked,
]


@given(st.sampled_from(CHECKS), st.integers(1, 4), TYPED | st.sampled_from(ODD))
def test_no_answer_raises(check, number, answer):
    assert check.verdict(number, answer).startswith(("right. ", "not yet. "))


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_no_odd_answer_raises(number):
    for check, answer in product(CHECKS, ODD):
        assert check.verdict(number, answer).startswith(("right. ", "not yet. "))


@given(NUMBERS, st.floats(-0.0005, 0.0005))
def test_a_rounded_number_is_right_and_another_is_not(right, off):
    expect_number(right + 0.99 * off, right, "no")
    expect_number(str(round(right, 3)), right, "no")
    for wrong in (right + 0.001, right - 0.001, -right, 100 * right, math.nan, math.inf):
        with pytest.raises(WrongAnswerError):
            expect_number(wrong, right, "no")


def test_a_known_mistake_has_its_own_hint():
    for answer, hint in [(3, "three"), (3.0004, "three"), (-5, "sign"), (8, "look"), ("x", "number"), (True, "number")]:
        with pytest.raises(WrongAnswerError, match=hint):
            expect_number(answer, 5, "look", {3: "three"})
    with pytest.raises(WrongAnswerError, match="percentage"):
        expect_number(31.25, 0.3125, "look")


def test_a_share_lies_between_0_and_1():
    for share in (0, 1, 0.25, "0.5", np.float32(0.75)):
        expect_a_share(share)
    for answer in (-0.01, 1.01, math.nan, True, np.bool_(True), np.ma.masked, "x", None, [0.5], 10**400):
        with pytest.raises(WrongAnswerError, match="share from 0 to 1"):
            expect_a_share(answer)


def test_names_are_understood_as_elsewhere():
    expect_name("comet", ("COMET-refA",), ("COMET-refA", "BLEU"), "no")
    for answer, hint in [("BLEU", "blue"), ("chrF", "one of these names: COMET-refA, BLEU"), (1, "one of these")]:
        with pytest.raises(WrongAnswerError, match=hint):
            expect_name(answer, ("COMET-refA",), ("COMET-refA", "BLEU"), "no", {"BLEU": "blue"})


def test_scores_are_finite_numbers_of_the_right_length():
    np.testing.assert_array_equal(expect_scores((1, 2.5), 2), [1, 2.5])
    for answer in ([1], [1, 2, 3], [[1, 2]], [1, math.inf], [1, None], "12", [1, [2]]):
        with pytest.raises(WrongAnswerError, match="list of 2 numbers"):
            expect_scores(answer, 2)


def test_a_call_prints_and_warns_of_nothing(capsys):
    def near_tie(answer):
        tk.count_pairs([1, 2, 3], [0.1 + 0.2, 0.3, 9])
        return f"You said {answer}."

    check = Check("toy", [near_tie])
    assert check(1, ...) is None
    check(1, "yes")
    assert capsys.readouterr().out == "Exercise 1: replace ... by your answer.\nExercise 1: right. You said yes.\n"
    for number in (0, 2, None, "1", 1.0):
        with pytest.raises(tk.InputError, match="toy has exercises 1 to 1, found"):
            check(number, 1)


def test_a_notebook_is_found_by_its_name():
    assert repr(of_notebook("01_tie_lab")) == "Check('01_tie_lab', 4 exercises)"
    with pytest.raises(tk.InputError, match="did you mean 01_tie_lab"):
        of_notebook("01_tie_lap")
