"""The table of figures: each has a folder, becomes a page and a component, and its rules hold; what some are given."""

import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tiekit import figures
from tiekit.figures import FIGURES, podium, sources

HUMAN, METRICS = [[1, math.nan], [2, 3]], {"a": [[1, 2], [3, math.nan]], "b": [[4, 3], [2, 1]]}
ROWS = pd.DataFrame(
    [
        {"judge": judge, "measure": measure, "name": name, "kind": kind, "value": value, "low": np.nan, "high": np.nan}
        for judge, name in (("a", "b"), ("b", "a"))
        for measure in ("item/acc_eq*", "own")
        for name, kind, value in ((name, "human", 0.5), ("BLEU", "metric", np.nan))
    ]
).assign(ties=0.1, judge_ties=0.4)


def test_every_folder_has_a_row_and_every_row_a_folder():
    folders = {path.parent.name for path in Path(figures.__file__).parent.glob("*/*.js")}
    assert folders - {"shared"} == set(FIGURES)


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_becomes_a_component_and_a_page_of_its_own(name):
    figure = FIGURES[name]
    assert "openFigure" in figure.for_streamlit()
    assert "openFigure" in figure.for_notebook()
    page = figure.page({"names": ["</script>"]}, "Made of two <scores>.")
    assert page.count("</script>") == 1
    assert json.dumps("</script>").replace("<", "\\u003C") in page
    assert "Made of two &lt;scores&gt;. Made with tiekit" in page
    for key in figure.keys:
        assert f'"{key}": [' in page  # the rule


@pytest.mark.parametrize("name", FIGURES)
def test_both_sides_know_every_kind_of_rule(name):
    script = sources.files()["shared/rules.js"]

    def check(rule):
        kind, *details = rule
        assert f"  {kind}: (" in script
        for one in details:
            if isinstance(one, list) and one and isinstance(one[0], str) and f"  {one[0]}: (" in script:
                check(one)

    for rule in FIGURES[name].rules.values():
        check(rule.as_json())


DATA = {"most": 20, "systems": ["x", "y"], "segments": ["1"], "names": ["A", "B"], "low": 0, "high": 1}
DATA |= {"metrics": [{"name": "a", "of": "a"}, {"name": "a + noise", "of": "a"}], "judges": ["j"], "measures": []}
DATA |= {"boards": [{"rows": [{"name": "r"}]}], "human": [1, 2, 3]}


@pytest.mark.parametrize(
    ("name", "key", "good", "bad"),
    [
        ("podium", "epsilon", [0, 20], [21, -1, 1.0, True, "1", None]),
        ("grouping", "grouping", ["item"], ["other", None, 0]),
        ("grouping", "cell", [None, [1, 0]], [[2, 0], [0, 1], [0], [0, 0, 0], [0.0, 0], "00", {}]),
        ("bump", "metric", [None, "a"], ["b", 0, []]),
        ("tie_shares", "chosen", ["a"], ["a + noise", None]),
        ("few_ties", "share", [0, 0.5, 1], [1.1, -0.1, math.nan, math.inf, True, "0"]),
        ("human_rows", "row", ["", "r"], ["q", None]),
        ("judge_votes", "threshold", [0, 1.5, [2]], [-1, [-1], [0, 0], [], "0", math.inf]),
        ("rerank", "metric", [[1, 2]], [[1], [1, 2, 3], [1, None], [1, math.nan], "12"]),
        ("guess", "guess", [None, 0.5], [2, "0"]),
        ("lab", "pair", [None, [0, 2]], [[1, 1], [2, 0], [0, 3], [0]]),
        ("lab", "step", [None, 5], [-1, 0.5]),
    ],
)
def test_a_rule_accepts_what_can_be_shown(name, key, good, bad):
    rule = FIGURES[name].rules[key]
    assert [rule.holds(value, DATA) for value in good] == [True] * len(good)
    assert [rule.holds(value, DATA) for value in bad] == [False] * len(bad)
    assert all(rule.holds(value) for value in good)  # without data no bound is known
    assert not rule.holds({"a": 1})
    assert rule.words(DATA)


def test_bump_has_null_for_undefined_ranks_and_none_for_an_unknown_metric():
    data = FIGURES["bump"].data({"a": "A", "b": "B"}, {"m": [1.0, math.nan], "n": [2.0, 1.0]}, {"n": "✚"}, "nobody")
    assert data["metrics"] == [
        {"name": "m", "mark": "", "ranks": [1, None]},
        {"name": "n", "mark": "✚", "ranks": [2, 1]},
    ]
    assert data["metric"] is None
    assert [column["label"] for column in data["columns"]] == ["A", "B"]


def test_grouping_has_null_for_missing_scores_and_numbers_systems():
    make = FIGURES["grouping"].data
    data = json.loads(json.dumps(make(HUMAN, METRICS, "tau_b"), allow_nan=False))
    assert data["human"] == [[1, None], [2, 3]]
    assert data["metrics"][0] == {"name": "a", "scores": [[1, 2], [3, None]]}
    assert (data["systems"], data["segments"]) == (["system 1", "system 2"], ["segment 1", "segment 2"])
    assert data["coefficient"] == {"name": "tau_b", "label": tk.COEFFICIENTS["tau_b"].label}
    assert make(HUMAN, METRICS, "tau_b", ["x", "y"], ["7", "8"])["systems"] == ["x", "y"]
    with pytest.raises(tk.InputError, match="tau_z"):
        make(HUMAN, METRICS, "tau_z")


def test_one_reader_draws_a_guess_and_a_class_is_shown_as_dots():
    make = FIGURES["guess"].data
    mine = make((0, 9), 0, "pair", "How many?", guess=3)
    assert (mine["low"], mine["high"], mine["guess"], mine["truth"], mine["guesses"]) == (0, 9, 3, None, None)
    ours = make((0, 1), 2, "", "Which share?", truth=0.3, guesses=(0.1, 0.2), said="2 answered.")
    assert json.loads(json.dumps(ours, allow_nan=False))["guesses"] == [0.1, 0.2]
    assert ours["guess"] is None


def test_human_rows_have_a_board_for_each_judge_and_measure():
    found = FIGURES["human_rows"].data(ROWS, {"judge": "b", "measure": "unknown", "row": "x"})
    assert (found["judges"], found["judge"], found["measure"], found["row"]) == (["a", "b"], "b", "item/acc_eq*", "x")
    assert [measure["label"] for measure in found["measures"]] == ["acc_eq* by item", "own"]
    assert len(found["boards"]) == 4
    assert found["boards"][0]["rows"][1]["value"] is None
    assert found["boards"][0]["judgeTies"] == 0.4
    json.dumps(found, allow_nan=False)


def accuracy(name, epsilon):
    return tk.correlate(podium.HUMAN, podium.METRICS[name], "acc_eq", epsilon=epsilon).value


def test_the_winner_on_the_podium_changes_twice():
    ahead = [accuracy("Fine", epsilon) - accuracy("Coarse", epsilon) for epsilon in range(podium.MOST + 1)]
    signs = [(one > 0) - (one < 0) for one in ahead]
    assert (signs[0], signs[2], signs[14], signs[podium.MOST]) == (-1, 1, -1, -1)
    changes = [a for a, b in zip(signs, [*signs[1:], None], strict=True) if a != b]
    assert [sign for sign in changes if sign] == [-1, 1, -1]
    assert accuracy("Fine", 2) == 1
    assert figures.podium_page().count('"Fine"') == 1


def test_worse_errors_have_lower_human_scores():
    errors = dict(zip(podium.ERRORS, podium.HUMAN, strict=True))
    assert errors == {"no error": 0, "minor error": -1, "major error": -5}


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="attribute Curtain"):
        _ = figures.Curtain
