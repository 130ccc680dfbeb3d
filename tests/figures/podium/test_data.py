"""The podium: its example flips twice, as the sentences of the start page say."""

import tiekit as tk
from tiekit.figures.podium.data import ERRORS, HUMAN, METRICS, MOST, given
from tiekit.figures.podium.page import podium_page


def accuracy(name, epsilon):
    return tk.correlate(HUMAN, METRICS[name], "acc_eq", epsilon=epsilon).value


def test_the_winner_changes_twice():
    ahead = [accuracy("Fine", epsilon) - accuracy("Coarse", epsilon) for epsilon in range(MOST + 1)]
    signs = [(one > 0) - (one < 0) for one in ahead]
    assert (signs[0], signs[2], signs[14], signs[MOST]) == (-1, 1, -1, -1)
    changes = [a for a, b in zip(signs, [*signs[1:], None], strict=True) if a != b]
    assert [sign for sign in changes if sign] == [-1, 1, -1]
    assert accuracy("Fine", 2) == 1


def test_worse_errors_have_lower_human_scores():
    assert dict(zip(ERRORS, HUMAN, strict=True)) == {
        "no error": 0,
        "minor error": -1,
        "major error": -5,
    }


def test_the_page_holds_what_is_given():
    assert given(3)["epsilon"] == 3
    assert "Fine" in podium_page()
