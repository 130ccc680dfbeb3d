"""The figure of drawn guesses is given a scale, and of the guesses only what may be seen."""

import json

from tiekit.figures.guess import data


def test_one_reader_draws_and_a_class_is_shown_as_dots():
    mine = data.given((0, 9), 0, "pair", "How many?", guess=3)
    assert (mine["low"], mine["high"], mine["guess"], mine["truth"], mine["guesses"]) == (0, 9, 3, None, None)
    ours = data.given((0, 1), 2, "", "Which share?", truth=0.3, guesses=(0.1, 0.2), said="2 answered.")
    assert json.loads(json.dumps(ours, allow_nan=False))["guesses"] == [0.1, 0.2]
    assert ours["guess"] is None


def test_its_modules_are_one_for_streamlit():
    assert "openFigure" in data.FIGURE.for_streamlit()
