"""An answer is right, or met with a hint; nothing that a student types raises."""

from __future__ import annotations

import math
import tomllib
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from tiekit.exercises import NOTEBOOKS, PAGES, of_notebook
from tiekit.exercises.check import (
    Check,
    WrongAnswerError,
    exercise,
    expect_a_share,
    expect_name,
    expect_number,
    expect_scores,
    numbers_in,
)

ROOT = Path(__file__).parents[2]
NUMBERS = st.floats(-1000, 1000).filter(lambda number: abs(number) > 0.01)
TYPED = st.one_of(
    st.none(),
    st.booleans(),
    st.floats(),
    st.text(),
    st.lists(st.floats() | st.text()),
    st.dictionaries(st.text(), st.none()),
)
ON_WMT22 = {"05_wmt22", "07_few_ties", "08_which_number", "09_your_own_scores", "11_measures", "12_identical"}
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
    for answer, hint in [("BLEU", "blue"), ("chrF", "one of these names: COMET, BLEU"), (1, "one of these")]:
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

    check = Check("toy", [exercise("Look.", solution="'yes'")(near_tie)])
    assert check(1, ...) is None
    check(1, "yes")
    assert capsys.readouterr().out == "Exercise 1: replace ... by your answer.\nExercise 1: right. You said yes.\n"
    for number in (0, 2, None, "1", 1.0):
        with pytest.raises(tk.InputError, match="toy has exercises 1 to 1, found"):
            check(number, 1)


def test_a_notebook_is_found_by_its_name():
    assert repr(of_notebook("01_ties")) == "Check('01_ties', 4 exercises)"
    with pytest.raises(tk.InputError, match="did you mean 01_ties"):
        of_notebook("01_tis")


def test_help_is_given_step_by_step_and_counted(capsys):
    check = of_notebook("02_counting")
    for _ in range(3):
        check.hint(2)
    check.solution(3)
    first, second, no_more, solution, code = capsys.readouterr().out.splitlines()
    for number, answer in ((1, [0, 0, 2, 3, 4, 5]), (2, 3), (3, [1] * 6)):
        check(number, answer)
    check.hint(1)
    check.solution(2)
    check.summary()
    summary = capsys.readouterr().out.splitlines()[-1]
    assert first.startswith("Exercise 2, hint 1 of 2: ")
    assert second.startswith("Exercise 2, hint 2 of 2: ")
    assert "check.solution(2)" in no_more
    assert (solution, code) == ("Exercise 3, a solution:", "answer = [7] * 6")
    assert summary == "3 of 4 exercises right. Open: 4. With a hint: 2. With the solution: 3."
    for help in (check.hint, check.solution):
        with pytest.raises(tk.InputError, match="exercises 1 to 4"):
            help(5)


def test_the_app_the_sheet_and_the_notebooks_ask_the_same(capsys):
    story = tomllib.loads((ROOT / "data/story.toml").read_text("utf-8"))
    pages = {page["file"]: page for page in story["pages"]}
    asked = 0
    for name, [page, *_] in PAGES.items():
        if "app" not in pages.get(page, {}) and name not in story["notebooks"]:
            with pytest.raises(tk.InputError, match="asks no question"):
                of_notebook(name).predict()
            continue
        told = story["notebooks"].get(name) or pages[page] | pages[page]["app"] | pages[page].get("notebook", {})
        of_notebook(name).predict()
        assert capsys.readouterr().out.startswith(told["question"])
        for option in told["options"]:
            of_notebook(name).predict(option)
            said = capsys.readouterr().out
            assert ("So it is." in said) == (option == told["answer"])
            assert "{" not in said
            asked += 1
        of_notebook(name).predict("none of these")
        assert capsys.readouterr().out.startswith(f"Give one of: {told['options'][0]!r}, ")
    assert asked > 12
    sheet = tomllib.loads((ROOT / "data/sheet.toml").read_text("utf-8"))["question"]
    for name in NOTEBOOKS:
        of_notebook(name).discuss(answers=True)
    said = capsys.readouterr().out
    assert [one["ask"] for one in sheet if one["ask"] not in said or one["answer"] not in said] == []


def test_a_number_may_be_as_the_figure_rounds_it():
    for answer in (0.6, "0.60", 0.601):
        expect_number(answer, 0.6012, "no", shown=2)
    with pytest.raises(WrongAnswerError, match="known"):
        expect_number(0.604, 0.6012, "no", {0.604: "known"}, shown=2)
    with pytest.raises(WrongAnswerError, match="no"):
        expect_number(0.6, 0.6012, "no")


def test_numbers_are_found_in_a_paragraph():
    found = numbers_in("WMT22 has tau_10 = −0.25 (.5, by 3.), 42 % and 1.000 of acc_eq*.")
    assert [one[:2] for one in found] == [(-0.25, 2), (0.5, 1), (3.0, 0), (42.0, 0), (1.0, 3)]
