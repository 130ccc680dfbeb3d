"""The calibration explorer in a notebook: its traits, checked and followed, and a page of its own."""

import json
import math

import numpy as np
import pytest

import tiekit as tk
from tiekit.core.pairs import KINDS
from tiekit.widgets import CalibrationExplorer

HUMAN, METRIC = [1, 2, 2, 3, 4], [2, 1, 1.5, 5, 3]
RNG = np.random.default_rng(3)
MANY = RNG.integers(0, 5, (6, 40)).astype(float)
OTHER = MANY + RNG.normal(0, 1, MANY.shape)


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
        ("epsilon", -1, "epsilon: must be a number of at least 0"),
        ("epsilon", math.inf, "epsilon: must be finite"),
        ("epsilon", None, "epsilon: must be a number"),
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


def test_read_only_traits():
    explorer = CalibrationExplorer(HUMAN, METRIC)
    for trait in ("counts", "value", "best"):
        with pytest.raises(Exception, match="read-only"):
            setattr(explorer, trait, getattr(explorer, trait))
        assert trait not in explorer.get_state()


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
        assert len(text.encode()) < 120_000
        data = json.dumps(explorer.data()).replace("<", "\\u003C")
        assert f"$entry.show({data}, " in text
        assert text.count("</script>") == 1
