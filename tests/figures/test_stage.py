"""The pages' pictures in a notebook: what each is given, what moves, what is refused, and a page of its own."""

import json
import math
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import traitlets

import tiekit as tk
from tiekit.figures import NOISE_ENDING
from tiekit.figures import stage as stages
from tiekit.widgets import CalibrationExplorer, NaNExplorer, Stage, SwapExplorer, TieLab

NAN = math.nan
HUMAN = [[0, -1, -5, -2, NAN], [-1, -1, -3, 0, -1], [-1, -7, -5, 0, -2]]
METRICS = {
    "a": [[3, 2, 1, 1, 4], [2, 2, 2, 3, 3], [1, NAN, 1, 3, 2]],
    "b": [[5, 5, 1, 2, 2], [4, 3, 1, 3, 9], [5, 2, 1, 2, 1]],
}
JUDGES = {"x": [1, 3, 2, 4], "y": [4, 1, NAN, 2]}
MEASURES = ["item/acc_eq*", "global/tau_b", "system_means/pearson"]


def synthetic():
    return tk.read_mtme(Path(__file__).parents[2] / "data", "synthetic", "qaa-qab")


@cache
def given(name):
    """What a picture is given, and what it then shows of what moves."""
    if name == "bump":
        board = tk.leaderboard(
            synthetic(), metrics=["Contour", "Ladder"], coefficients=["tau_b", "acc_eq"], calibrated="acc_eq"
        )
        return (board,), {"metric": None}
    if name == "tie_shares":
        noisy = {"a" + NOISE_ENDING: np.array(METRICS["a"]) + np.linspace(0, 0.1, 15).reshape(3, 5)}
        return (tk.sentinels.tie_shares(HUMAN, METRICS | noisy, cells="own"),), {"chosen": "a", "share": 0.08}
    if name == "agreement":
        values = tk.measures.evaluate_measures(HUMAN, METRICS, MEASURES, cells="own")
        return (values,), {"chosen": stages.opener("agreement")(values).data["chosen"]}
    if name == "shuffle":
        return (tk.significance.permutation_test(HUMAN, METRICS["a"], METRICS["b"], cells="own"), ("a", "b")), {
            "draws": 0
        }
    scores = (HUMAN, METRICS)
    return {
        "podium": ((), {"epsilon": 0}),
        "nan_tiles": (scores, {"ties": []}),
        "tie_curves": (scores, {"chosen": "a", "tied": None}),
        "grouping": (scores, {"grouping": "global", "cell": None}),
        "rerank": ((JUDGES, [3, 4, 2, 1]), {"metric": [3, 4, 2, 1]}),
    }[name]


MOVED = {
    "podium": {"epsilon": 4},
    "nan_tiles": {"ties": [[0, 0, 2]]},
    "tie_curves": {"chosen": "b", "tied": 0.5},
    "grouping": {"grouping": "item", "cell": [2, 4]},
    "bump": {"metric": "Ladder-refA"},
    "tie_shares": {"chosen": "b", "share": 0.5},
    "rerank": {"metric": [1, 2, 3, 4]},
    "agreement": {"chosen": ["global/tau_b", "item/acc_eq*"]},
    "shuffle": {"draws": 3},
}
REFUSED = {
    "podium": ("epsilon", 21, "epsilon: must be a whole number from 0 to 20, found 21"),
    "nan_tiles": ("ties", [[0, 0, 0]], "ties: must be a list of"),
    "tie_curves": ("tied", 1.5, "tied: must be None or a number from 0 to 1, found 1.5"),
    "grouping": (
        "cell",
        [3, 0],
        r"cell: must be None or a list of a whole number from 0 to 2, a whole number from 0 to 4, found \[3, 0\]",
    ),
    "bump": ("metric", "c", "metric: must be None or one of"),
    "tie_shares": ("chosen", "a + noise", "chosen: must be one of a, b, found 'a"),
    "rerank": ("metric", [1, 2, NAN, 3], "metric: must be a list of 4, each a finite number, found"),
    "agreement": ("chosen", ["global/tau_b"], "chosen: must be a list of 2, each one of"),
    "shuffle": ("draws", -1, "draws: must be a whole number from 0 to"),
}


def moving(stage):
    return {key: getattr(stage, key) for key in stage.KEYS}


@pytest.mark.parametrize("name", stages.STAGES)
def test_a_picture_moves_from_both_sides_and_becomes_a_page(name, tmp_path):
    arguments, first = given(name)
    stage = Stage(name, *arguments)
    assert moving(stage) == first
    stage.set_state(MOVED[name])  # as the browser does
    assert moving(stage) == MOVED[name]
    for key, value in first.items():
        setattr(stage, key, value)
    assert moving(stage) == first
    data = json.loads(json.dumps(stage.data(), allow_nan=False))
    assert data == json.loads(json.dumps(stages.opener(name)(*arguments).data))
    stage.to_html(tmp_path / "stage.html")
    page = (tmp_path / "stage.html").read_text(encoding="utf-8")
    title, made = stage._title_and_origin()
    assert f"<h1>{title}" in page.replace("&#x27;", "'")
    assert repr(stage) == f"Stage: {title}. {made}".replace("?.", "?")
    assert set(stage.KEYS) <= set(stage.keys) & set(stages.opener(name)(*arguments).figure.rules)


@pytest.mark.parametrize("name", stages.STAGES)
def test_what_cannot_be_shown_is_refused_and_changes_nothing(name):
    arguments, first = given(name)
    stage, (key, value, message) = Stage(name, *arguments), REFUSED[name]
    with pytest.raises(tk.InputError, match=message):
        setattr(stage, key, value)
    for odd in (object(), {"a": 1}, [[1]], "x" * 40):
        with pytest.raises(tk.InputError, match=f"{key}: must be"):
            setattr(stage, key, odd)
    assert moving(stage) == first


@pytest.mark.parametrize(
    "widget",
    [
        TieLab([1, 2], [[1, 2]]),
        CalibrationExplorer([1, 2], [1, 2]),
        NaNExplorer([[1, 2], [2, 1]], {"a": [[1, 2], [2, 1]]}),
        SwapExplorer([1, 2], [1, 2], [2, 1]),
    ],
)
def test_results_are_read_only_and_stay_in_python(widget):
    results = [
        name for name, trait in widget.traits().items() if trait.read_only and "tiekit" in trait.this_class.__module__
    ]
    assert results
    for name in results:
        with pytest.raises(traitlets.TraitError, match="read-only"):
            setattr(widget, name, getattr(widget, name))
        assert name not in widget.get_state()


def test_every_picture_has_parts_of_its_own():
    podium, grouping = Stage("podium"), Stage("grouping", HUMAN, METRICS)
    assert (podium.KEYS, grouping.KEYS, Stage.KEYS) == (("epsilon",), ("grouping", "cell"), ())
    assert not hasattr(podium, "cell")


def test_a_set_is_shown_with_the_metrics_that_are_asked_for():
    data = synthetic()
    stage = Stage("tie_curves", data, ["Contour", "Haze", "Constant"])
    shown = stage.data()
    curves = {curve["name"]: curve for curve in shown["curves"]}
    best = tk.calibrate(data, "Contour")
    assert shown["chosen"] == "Contour-refA"
    contour = curves["Contour-refA"]
    assert (contour["epsilons"][contour["best"]], contour["values"][contour["best"]]) == (best.epsilon, best.value)
    assert shown["constant"] == pytest.approx(tk.calibrate(data, "Constant").value)


def test_columns_of_a_leaderboard_are_chosen():
    [board], _ = given("bump")
    shown = Stage("bump", board, ["acc_eq*", "tau_b"]).data()
    assert [column["key"] for column in shown["columns"]] == ["acc_eq*", "tau_b"]
    assert [metric["ranks"][1] for metric in shown["metrics"]] == board["rank(tau_b)"].tolist()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("curtain",), "name: there is no 'curtain'; known: podium"),
        (("podium", 1, 2), "podium: takes epsilon"),
        (("grouping", HUMAN), "grouping: takes human, metrics, coefficient, systems, segments; missing"),
        (("grouping", HUMAN, {"a": METRICS["a"]}), "metrics: must be two, found 1"),
        (("grouping", [1, 2], {"a": [1, 2], "b": [2, 1]}), r"human: must be a matrix.*found \(2,\)"),
        (("grouping", np.zeros((15, 15)), {"a": np.ones((15, 15)), "b": np.ones((15, 15))}), "at most 200 scores"),
        (("grouping", HUMAN, METRICS, "tau_b", ["x"]), "systems: there must be 3 names, found 1"),
        (("nan_tiles", HUMAN, METRICS, "tau_x"), "coefficient: must be one of"),
        (("nan_tiles", HUMAN, {}), "metrics: there must be at least one"),
        (("tie_curves", [1, 1], {"a": [NAN, 1]}), "metrics: no metric has a value of acc_eq"),
        (("bump", pd.DataFrame({"tau_b": [1.0]})), "columns: must be of those"),
        (("bump", None), "columns: must be of those"),
        (("tie_shares", pd.DataFrame({"metric": ["a"]})), "without own, share, value"),
        (("rerank", JUDGES, [1]), "metric: must score 2 to 6 translations, found 1"),
        (("rerank", JUDGES, [1, 2]), "judges: each must rank the 2 translations"),
        (("rerank", JUDGES, [1, 2, 3, 4], "pearson"), "coefficient: must be one of tau_10"),
        (("agreement", [[1, 2]]), "values: must be what evaluate_measures returned"),
        (("shuffle", 0.5), "test: must be a PermutationTest"),
    ],
)
def test_what_a_picture_cannot_be_made_of_is_refused(arguments, message):
    with pytest.raises(tk.InputError, match=message):
        Stage(*arguments)


def test_shares_without_the_humans_own_are_refused():
    shares = tk.sentinels.tie_shares(HUMAN, METRICS, shares=[0, 0.5], cells="own")
    with pytest.raises(tk.InputError, match="the human's own share must be one of them"):
        Stage("tie_shares", shares)


def test_the_digest_of_computed_values_does_not_depend_on_the_processor():
    values = tk.measures.evaluate_measures(HUMAN, METRICS, MEASURES, cells="own")
    shown, other, changed = (repr(Stage("agreement", values + more)) for more in (0.0, 1e-14, 1e-6))
    assert shown == other != changed
