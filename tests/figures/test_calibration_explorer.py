"""The calibration explorer in Python: what the browser is given, its traits, curves of several metrics, its page."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

import tiekit as tk
from tests.strategies import examples, matrices
from tiekit.core.calibration import calibrate_scores
from tiekit.core.pairs import KINDS
from tiekit.figures import calibration_explorer as shown
from tiekit.figures.calibration_explorer import calibration_page
from tiekit.figures.figures import MOST_SCORES
from tiekit.widgets import CalibrationExplorer

HUMAN, METRIC = [1, 2, 2, 3, 4], [2, 1, 1.5, 5, 3]
RNG = np.random.default_rng(3)
MANY = RNG.integers(0, 5, (6, 40)).astype(float)
OTHER = MANY + RNG.normal(0, 1, MANY.shape)
VECTOR = OTHER.ravel()[:MOST_SCORES]


def test_the_curve_of_many_scores_is_thinned_and_holds_the_best_exactly():
    found = tk.calibrate(MANY, OTHER, grouping="global")
    curve = shown.Curve(found)
    given = curve.as_json()
    assert not given["steps"]
    assert len(given["epsilons"]) <= shown.POINTS + 2 < found.n_pairs
    assert given["epsilons"] == sorted(set(given["epsilons"]))
    assert given["epsilons"][0] == 0
    assert given["epsilons"][given["best"]] == found.epsilon
    assert given["values"][given["best"]] == found.value == max(given["values"])
    assert {sum(counts) for counts in given["counts"]} == {found.n_pairs}
    for epsilon, value in zip(given["epsilons"], given["values"], strict=True):
        assert value == found.value_at(epsilon)


@examples(40)
@given(matrices())
def test_the_curve_of_groups_is_that_of_the_library(scores):
    found = calibrate_scores(*scores, "acc_eq", "item", "absolute")
    given = json.loads(json.dumps(shown.Curve(found).as_json(), allow_nan=False))
    assert given["steps"]
    expected = found.curve(given["epsilons"])
    assert np.array(given["values"], float) == pytest.approx(expected["value"].to_numpy(), abs=0, nan_ok=True)
    tied = [sum(counts[3:]) for counts in given["counts"]]
    assert tied == (expected["tied"].fillna(0) * found.n_pairs).round().tolist()
    assert given["epsilons"][given["best"]] == found.epsilon


def test_an_added_threshold_is_exact_and_stands_once():
    found = tk.calibrate(MANY, OTHER)
    curve = shown.Curve(found)
    assert curve.add(0.123456)
    assert not curve.add(0.123456)
    given = curve.as_json()
    at = given["epsilons"].index(0.123456)
    assert given["values"][at] == found.value_at(0.123456)
    assert given["epsilons"] == sorted(given["epsilons"])
    assert given["epsilons"][given["best"]] == found.epsilon


@pytest.mark.parametrize(
    ("human", "metric", "options", "small"),
    [
        (VECTOR, VECTOR, {}, True),
        ([*VECTOR, 1.0], [*VECTOR, 1.0], {}, False),
        (MANY[:2, :2], OTHER[:2, :2], {}, False),
        ([1, 2], [3, 4], {"difference": "relative"}, False),
        ([], [], {}, True),
    ],
)
def test_which_scores_the_browser_counts_itself(human, metric, options, small):
    found = tk.calibrate(human, metric, **options)
    assert shown.is_small(found) == small
    vectors = shown.vectors_of(found)
    assert (vectors["metric"] == np.asarray(metric, float).tolist()) if small else (vectors["metric"] is None)


def test_what_is_said_below_the_picture():
    def note(**options):
        found = tk.calibrate(MANY, OTHER, **options)
        return shown.data_of_curve(found, shown.Curve(found), "m")["note"]

    assert "mean over 40 segments" in note(grouping="item")
    assert "mean over 6 systems" in note(grouping="system")
    assert note(grouping="global") == "The curve is drawn at some of the possible thresholds; ε* is the best of all."
    assert "relative" in note(grouping="global", difference="relative")
    assert note(grouping="system_means") == ""


@pytest.mark.parametrize("grouping", [None, "global"])
def test_scores_too_far_apart_are_refused_whoever_computes_the_curve(grouping):
    metric = [1.7e308, -1.7e308] if grouping is None else [[1.7e308, -1.7e308]]
    found = tk.calibrate([1, 2] if grouping is None else [[1, 2]], metric, grouping=grouping)
    assert shown.is_small(found) == (grouping is None)
    with pytest.raises(tk.InputError, match="metric: scores lie too far apart"):
        calibration_page(found, "m", 0)


def test_a_page_begins_at_the_threshold_that_was_asked_for():
    found = tk.calibrate(MANY, OTHER)
    assert 0.123456 not in shown.Curve(found).as_json()["epsilons"]
    assert "0.123456," in calibration_page(found, "m", 0.123456)
    assert 0.123456 in shown.curve_with(found, 0.123456).as_json()["epsilons"]


def assert_follows(explorer, human, metric, **options):
    """Whether what Python reads is what the library says of these scores at the widget's threshold."""
    found = tk.calibrate(human, metric, **options)
    assert explorer.best == (found.epsilon, found.value)
    assert explorer.value == found.value_at(explorer.epsilon)
    assert list(explorer.counts) == list(KINDS)
    assert sum(explorer.counts.values()) == found.n_pairs
    if np.ndim(human) == 1:
        counts = tk.count_pairs(human, metric, epsilon=explorer.epsilon)
        assert explorer.counts == {kind: getattr(counts, kind) for kind in KINDS}


def test_what_the_browser_changes_python_reads():
    explorer = CalibrationExplorer(HUMAN, METRIC)
    assert_follows(explorer, HUMAN, METRIC)
    explorer.set_state({"epsilon": 1})
    assert explorer.epsilon == 1
    assert_follows(explorer, HUMAN, METRIC)
    explorer.set_state({"metric": [2, 1, None, 5, 3]})
    assert math.isnan(explorer.metric[2])
    assert_follows(explorer, HUMAN, [2, 1, math.nan, 5, 3])
    assert explorer.data()["metric"] == [2, 1, None, 5, 3]


def test_what_python_changes_is_checked():
    explorer = CalibrationExplorer(HUMAN, METRIC, "tau_eq", epsilon=0.5)
    assert_follows(explorer, HUMAN, METRIC, coefficient="tau_eq")
    explorer.human = [1, 1, 2, 2, 3]
    assert_follows(explorer, [1, 1, 2, 2, 3], METRIC, coefficient="tau_eq")
    before = explorer.data(), explorer.best
    for trait, bad, words in [
        ("epsilon", -1, "epsilon: must be a finite number of at least 0"),
        ("epsilon", math.inf, "epsilon: must be a finite number"),
        ("epsilon", None, "epsilon: must be a finite number"),
        ("human", [1, 2], "must have the shape"),
        ("metric", [1, 2, 3, 4, "x"], "scores must be numbers"),
        ("metric", [0, 0, 0, 1.7e308, -1.7e308], "too far apart"),
        ("metric", None, "metric: use show"),
    ]:
        with pytest.raises(tk.InputError, match=words):
            setattr(explorer, trait, bad)
        assert (explorer.data(), explorer.best) == before
    with pytest.raises(tk.InputError, match="use show"):
        CalibrationExplorer([], []).set_trait("human", None)


def test_many_scores_have_a_curve_from_python():
    explorer = CalibrationExplorer(MANY, OTHER, grouping="item", name="mine")
    assert explorer.human is explorer.metric is None
    assert_follows(explorer, MANY, OTHER, grouping="item")
    thresholds = explorer.data()["curve"]["epsilons"]
    assert 0.3217 not in thresholds
    explorer.epsilon = 0.3217
    assert_follows(explorer, MANY, OTHER, grouping="item")
    assert explorer.data()["curve"]["epsilons"] == sorted([*thresholds, 0.3217])
    with pytest.raises(tk.InputError, match="human: use show"):
        explorer.human = HUMAN


def test_other_scores_of_any_number_are_shown_at_once():
    explorer = CalibrationExplorer(HUMAN, METRIC, epsilon=1)
    explorer.show([1, 2, 3], [5, 5, 7], epsilon=2, name="m2")
    assert_follows(explorer, [1, 2, 3], [5, 5, 7])
    assert (explorer.epsilon, explorer.data()["name"]) == (2, "m2")
    explorer.show([1, 2, 3], [5, 5, 7], "tau_eq")
    assert_follows(explorer, [1, 2, 3], [5, 5, 7], coefficient="tau_eq")
    explorer.show(MANY, OTHER, grouping="system", epsilon=0.77)
    assert_follows(explorer, MANY, OTHER, grouping="system")
    assert 0.77 in explorer.data()["curve"]["epsilons"]
    explorer.show(OTHER, MANY, grouping="system", epsilon=0.77)  # the same threshold on another curve
    assert 0.77 in explorer.data()["curve"]["epsilons"]
    before = explorer.data()
    for wrong in ({"epsilon": math.inf}, {"grouping": "no"}):
        with pytest.raises(tk.InputError, match=next(iter(wrong))):
            explorer.show(HUMAN, METRIC, **wrong)
        assert explorer.data() == before
        assert_follows(explorer, OTHER, MANY, grouping="system")
    explorer.show(HUMAN, METRIC)
    assert_follows(explorer, HUMAN, METRIC)
    assert explorer.data()["curve"] is None


def test_a_set_and_the_name_of_a_metric():
    segments = tuple(str(number) for number in range(40))
    data = tk.EvalSet("made up", "en-de", tuple("abcdef"), segments, human={"h": MANY}, metrics={"m": OTHER})
    explorer = CalibrationExplorer(data, "m", "tau_eq", grouping="global")
    assert_follows(explorer, MANY, OTHER, coefficient="tau_eq", grouping="global")
    assert explorer.data()["name"] == "m"
    assert "Calibration of m" in repr(explorer)
    with pytest.raises(tk.InputError, match="metric"):
        CalibrationExplorer(data, "unknown")


def test_a_page_of_its_own_is_small_and_holds_what_is_shown(tmp_path):
    for explorer in (
        CalibrationExplorer(HUMAN, METRIC, name="</script>"),
        CalibrationExplorer(MANY, OTHER, grouping="item", epsilon=0.3217),
    ):
        path = tmp_path / "explorer.html"
        explorer.to_html(path)
        text = path.read_text(encoding="utf-8")
        assert len(text.encode()) < 125_000
        data = json.dumps(explorer.data()).replace("<", "\\u003C")
        assert f"$entry.show({data}, " in text
        assert text.count("</script>") == 1


SETTINGS = "acc_eq", "item", "absolute"


@pytest.fixture
def scores():
    rng = np.random.default_rng(5)
    return rng.integers(0, 4, (8, 40)).astype(float), rng.normal(size=(8, 40))


@pytest.mark.parametrize("settings", [SETTINGS, ("tau_eq", "global", "absolute"), ("acc_eq", "system", "relative")])
def test_each_point_is_what_the_library_says(scores, settings):
    coefficient, grouping, difference = settings
    best = tk.calibrate(*scores, coefficient, grouping=grouping, difference=difference)
    curve = shown.thin_curve(*scores, settings)
    assert len(curve.epsilons) <= 200
    assert curve.epsilons[curve.best] == best.epsilon
    assert curve.values[curve.best] == best.value
    assert (curve.values[0], curve.tied[0]) == (best.value_at_zero, 0)
    assert max(curve.values) == best.value
    assert curve.tied == sorted(curve.tied)
    assert curve.tied[curve.best] == pytest.approx(best.meaning.tied, abs=1e-5)
    assert curve.human == pytest.approx(best.meaning.tied_by_human)
    if difference == "absolute":
        assert best.epsilon / curve.deviation == pytest.approx(best.meaning.deviations)
    else:
        assert curve.deviation is None


def test_a_constant_metric_reaches_the_share_of_human_ties(scores):
    human, metric = scores
    constant = shown.constant_value(human, SETTINGS)
    assert constant == pytest.approx(tk.count_ties(human, grouping="item").share)
    assert shown.thin_curve(human, metric, SETTINGS).values[-1] == pytest.approx(constant)
    assert shown.constant_value(human, ("tau_b", "item", "absolute")) is None


def test_where_there_is_nothing_to_compare_there_is_no_curve():
    assert shown.thin_curve(np.array([[1.0, 2.0]]), np.array([[1.0, 2.0]]), SETTINGS) is None


def test_a_page_holds_the_curves_and_what_moves(scores):
    curves = {"<m>": shown.thin_curve(*scores, SETTINGS)}
    found = shown.all_curves(curves, "acc_eq", 0.25, "gone")
    assert (found["chosen"], found["tied"], set(shown.FIGURE.keys) <= set(found)) == ("<m>", None, True)
    assert "\\u003Cm>" in shown.FIGURE.page(json.loads(json.dumps(found, allow_nan=False)), "Made up.")


# -------------------------------------------------------------------------------------------------- several metrics


@pytest.fixture
def several(scores):
    human, metric = scores
    return CalibrationExplorer(human, {"a": metric, "b": human + metric, "c": np.zeros_like(human)}, grouping="item")


def test_of_several_metrics_the_chosen_one_has_a_crosshair(several, scores, tmp_path):
    human, metric = scores
    best = tk.calibrate(human, human + metric, grouping="item")
    assert (several.chosen, several.tied, several.best) == ("b", None, (best.epsilon, best.value))
    assert several.value == best.value
    several.set_state({"chosen": "a", "tied": 1.0})
    assert several.best == (tk.calibrate(human, metric, grouping="item").epsilon, several.best[1])
    assert several.value == pytest.approx(tk.count_ties(human, grouping="item").share)
    json.dumps(several.data(), allow_nan=False)
    several.to_html(tmp_path / "all.html")
    assert "<h1>How close must two metric scores be" in (tmp_path / "all.html").read_text("utf-8")
    assert "human scores and a, b, c, digest" in repr(several)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("chosen", "d", "chosen: must be None or one of a, b, c, found 'd'"),
        ("chosen", None, "chosen: must be"),
        ("epsilon", 0.5, "epsilon: is of one metric, found 0.5; of several set tied"),
        ("tied", 1.5, "tied: must be None or a number from 0 to 1, found 1.5"),
        ("metric", [1.0, 2.0], "metric: must be None of several metrics"),
    ],
)
def test_a_wrong_choice_changes_nothing(several, name, value, message):
    before = several.data()
    with pytest.raises(tk.InputError, match=message):
        setattr(several, name, value)
    assert several.data() == before


def test_several_metrics_are_names_or_all_of_a_set():
    synthetic = tk.read_mtme(Path(tk.__file__).parents[1] / "data", "synthetic", "qaa-qab")
    some = CalibrationExplorer(synthetic, ["Contour", "Haze"])
    assert [curve["name"] for curve in some.data()["curves"]] == ["Contour-refA", "Haze-refA"]
    assert len(CalibrationExplorer(synthetic).data()["curves"]) > 2
    one = CalibrationExplorer(synthetic, "Contour")
    assert (one.chosen, one.data()["curves"]) == (None, [])
    for explorer, metric in ((some, "Contour"), (one, ["Contour", "Haze"])):
        with pytest.raises(tk.InputError, match="show: make another explorer for several metrics"):
            explorer.show(synthetic, metric)
