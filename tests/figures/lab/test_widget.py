"""The lab's traits: what Python sets and reads, what the browser sends, and what is refused."""

import json
import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from tiekit.widgets import TieLab

H, M1, M2 = [0, 0, 0, 0, 1, 2], [0, 0, 0, 0, 2, 1], [0, 1, 2, 3, 4, 5]
SCORE = st.sampled_from([math.nan, -2.5, -1, 0, 0.1, 0.3, 1, 7])


def lab(**more):
    return TieLab(H, {"m1": M1, "m2": M2}, **more)


def sent(widget, **state):
    """What the browser does: it sets traits as JSON."""
    widget.set_state(json.loads(json.dumps(state)))


@given(st.data())
def test_counts_and_values_are_tiekits_own(data):
    n = data.draw(st.integers(1, 7))
    human, metric = (data.draw(st.lists(SCORE, min_size=n, max_size=n)) for _ in range(2))
    epsilon = data.draw(st.sampled_from([0, 0.1, 0.2, 1]))
    widget = TieLab(human, [metric], epsilon)
    assert widget.counts == {"m1": tk.count_pairs(human, metric, epsilon=epsilon)}
    for name in tk.COEFFICIENTS:
        # Correlations of scores know no threshold.
        threshold = {"epsilon": epsilon} if tk.COEFFICIENTS[name].takes_epsilon else {}
        expected = tk.correlate(human, metric, name, **threshold).value
        assert widget.values["m1"][name] == pytest.approx(expected, nan_ok=True, abs=1e-15)


def test_a_change_in_python_reaches_counts_and_the_browser():
    widget, heard = lab(), []
    widget.observe(lambda change: heard.append(change["new"]), "epsilon")
    widget.epsilon = 1
    assert heard == [1]
    assert widget.counts["m2"] == tk.count_pairs(H, M2, epsilon=1)
    widget.metrics = {"m1": M1, "other": np.array(M2) / 2}
    assert list(widget.values) == ["m1", "other"]
    assert widget.get_state()["metrics"][1] == {"name": "other", "slot": 2, "scores": [0, 0.5, 1, 1.5, 2, 2.5]}


def test_a_change_in_the_browser_reaches_python():
    widget = lab()
    metrics = widget.get_state()["metrics"]
    metrics[0]["scores"][5] = None
    sent(widget, epsilon=2, pair=[1, 4], step=3, metrics=metrics, human=[0, 0, 0, 0, 1, None])
    assert (widget.epsilon, widget.pair, widget.step) == (2, [1, 4], 3)
    assert math.isnan(widget.metrics["m1"][5])
    assert math.isnan(widget.human[5])
    assert widget.counts["m2"] == tk.count_pairs(widget.human, widget.metrics["m2"], epsilon=2)
    sent(widget, epsilon_of="m1")
    assert widget.counts["m1"] == tk.count_pairs(widget.human, widget.metrics["m1"], epsilon=2)


@given(st.data())
def test_epsilon_is_of_one_metric_and_the_others_keep_what_they_have_at_0(data):
    n, names = data.draw(st.integers(2, 6)), ["a", "b", "c"][: data.draw(st.integers(1, 3))]
    human, *scores = (data.draw(st.lists(SCORE, min_size=n, max_size=n)) for _ in range(len(names) + 1))
    epsilon, of = data.draw(st.sampled_from([0.2, 1, 3])), data.draw(st.sampled_from([None, *names]))
    metrics = dict(zip(names, scores, strict=True))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tk.CoverageWarning)  # that they cover different shares
        widget = TieLab(human, metrics, epsilon, epsilon_of=of, cells="own")
    assert widget.epsilon_of == (of or ("a" if names == ["a"] else "b"))
    for name, metric in metrics.items():
        threshold = epsilon if name == widget.epsilon_of else 0
        assert widget.counts[name] == tk.count_pairs(human, metric, epsilon=threshold)
        found = tk.correlate(human, metric, "acc_eq", epsilon=threshold).value
        assert widget.values[name]["acc_eq"] == pytest.approx(found, nan_ok=True, abs=1e-15)


def test_of_m1_and_m2_only_one_loses_pairs_at_1():
    widget = lab(epsilon=1)
    right = {name: (counts.concordant + counts.ties_both) for name, counts in widget.counts.items()}
    assert right == {"m1": 14, "m2": 10}  # m1 would have 10 too if both had this threshold
    widget.epsilon_of = "m1"
    right = {name: (counts.concordant + counts.ties_both) for name, counts in widget.counts.items()}
    assert right == {"m1": 10, "m2": 9}


def test_a_metric_that_is_gone_leaves_epsilon_to_another():
    widget = lab(epsilon=1, epsilon_of="m1")
    widget.metrics = {"m2": M2, "m1": M1}
    assert widget.epsilon_of == "m1"
    widget.metrics = {"x": M1, "y": M2}
    assert (widget.epsilon_of, widget.counts["y"]) == ("y", tk.count_pairs(H, M2, epsilon=1))
    widget.show([1, 2], [[2, 1]])
    assert (widget.epsilon_of, widget.data()["epsilon_of"]) == ("m1", "m1")


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("human", [1, 2], r"metrics\['m1'\]: must have the shape of human"),
        ("metrics", {"m1": [1]}, r"metrics\['m1'\]: must have the shape of human"),
        ("metrics", {"m1": [1.7e308, -1.7e308, 0, 0, 0, 0]}, r"metrics\['m1'\]: scores must differ by less than"),
        ("human", [1.7e308, -1.7e308, 0, 0, 0, 0], "human: scores must differ by less than"),
        ("epsilon", math.inf, "epsilon: must be a finite number of at least 0, found inf"),
        ("step", 16, "step: must be None or a number of pairs from 0 to 15, found 16"),
        ("metrics", {}, "metrics: must be 1 to 6, found 0"),
        ("metrics", {"": M1}, "every name must be a text that is not empty, found ''"),
        ("epsilon", None, "epsilon: must be a finite number of at least 0"),
        ("epsilon_of", "m3", "epsilon_of: must be one of m1, m2, found 'm3'"),
        ("pair", [4, 1], "pair: must be None or a list of 2, ascending, each a whole number from 0 to 5"),
    ],
)
def test_what_is_refused_changes_nothing(name, value, message):
    widget = lab()
    before = widget.get_state(), widget.counts
    with pytest.raises(tk.InputError, match=message):
        setattr(widget, name, value)
    assert (widget.get_state(), widget.counts) == before


def test_other_scores_of_another_number_are_shown_at_once():
    widget = lab()
    widget.pair = [0, 5]
    widget.show([1, 2], [[2, 1]], epsilon=0.5)
    assert widget.pair is None
    assert widget.counts == {"m1": tk.count_pairs([1, 2], [2, 1], epsilon=0.5)}
    with pytest.raises(tk.InputError, match="must have the shape"):
        widget.show([1, 2], [[2, 1, 3]])
    assert widget.human == [1, 2]


def test_what_fits_is_shown_and_the_rest_is_said():
    with pytest.warns(tk.errors.LeftOutWarning, match="TieLab: shows 6 of 7 metrics and 200 of 201 scores"):
        widget = TieLab(range(201), [range(201)] * 7)
    assert (len(widget.human), list(widget.metrics)) == (200, ["m1", "m2", "m3", "m4", "m5", "m6"])
    assert TieLab([[1, 2]], [[[2, 1]]], segment=1).human == [2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((H, []), "metrics: there must be at least one, found 0"),
        ((H, [M1], math.nan), "epsilon: must be a number of at least 0"),
    ],
)
def test_what_cannot_be_shown_is_refused(arguments, message):
    with pytest.raises(tk.InputError, match=message):
        TieLab(*arguments)


def test_a_prediction_needs_two_metrics():
    assert lab(predict=True).data()["predict"] is True
    with pytest.raises(tk.InputError, match="predict: asks which metric is best, so it needs at least two"):
        TieLab(H, [M1], predict=True)


def test_its_text_is_short_and_names_its_numbers():
    assert repr(lab()).endswith("human: 0 0 0 0 1 2 · m1: 0 0 0 0 2 1 · m2: 0 1 2 3 4 5.")
    assert len(repr(TieLab(range(200), [range(200)]))) < 200
