"""Ties broken at random."""

import itertools

import numpy as np
import pytest

import tiekit as tk
from tests.app.nan_problem.reading import FIRST, PAGE, PRESETS, numbers, open_three, predict, said
from tests.core.test_ties import mean_over_all_orders
from ui.nan_problem import tie_breaking


def test_broken_ties_are_the_librarys_and_follow_the_seed(open_app, sample):
    chosen = sample.select()
    human, metric = chosen.human["mqm"], chosen.metrics["Ladder-refA"]
    app = open_app(PAGE)
    assert app.selectbox(key="untied_metric").value == "Ladder-refA"  # no other ties more and still says something
    predict(app, "untied", "it rises")
    for seed, repeats in ((1, 20), (7, 20), (7, 5)):
        app.number_input(key="seed").set_value(seed).run()
        app.selectbox(key="repeats").select(str(repeats)).run()
        assert not app.exception
        [shown] = [t.value for t in app.table if "spread" in t.value.columns]
        for row, name in zip(shown.to_numpy().tolist(), ("tau_10", "acc_eq"), strict=True):
            after = tk.correlate_untied(human, metric, name, rng=seed, repeats=repeats)
            expected = [tk.correlate(human, metric, name).value, after.mean(), after.std(ddof=1)]
            assert [numbers(text)[0] for text in row[1:]] == pytest.approx(expected, abs=5.1e-4)
    [words] = [t.proto.alt for t in app.table if "spread" in t.value.columns]
    assert words.startswith("Ties of Ladder-refA broken 5 times: τ_10 −0.223, then ")
    assert f"{tk.correlate(human, metric, 'tau_14').value:.3f}" in said(app, "On average τ_10 becomes τ_14")
    pairs = [(human[i] == human[j])[metric[i] == metric[j]] for i, j in itertools.combinations(range(15), 2)]
    both, only = sum(pair.sum() for pair in pairs), sum((~pair).sum() for pair in pairs)
    text = said(app, "acc_eq loses").replace("+", "").replace("/2", "")
    many = tk.correlate_untied(human, metric, "acc_eq", rng=1, repeats=100)
    assert numbers(text)[:5] == [both, only, -both, only, only / 2 - both]
    assert numbers(text)[5] == pytest.approx(many.mean(), abs=5 * many.std() / 10 + 5.1e-4)


@pytest.mark.parametrize(
    ("human", "metric"),
    [([1, 2, 3, 3], [0, 0, 0, 1]), ([1, 1, 2, 3], [5, 4, 4, 4]), ([3, 1, 2, 2, 1], [1, 1, 0, 0, 0])],
)
def test_acc_eq_to_expect_is_the_mean_over_all_orders(human, metric):
    counts = np.array([tk.count_pairs(human, metric).row])
    assert tie_breaking.expected_accuracy(counts) == pytest.approx(mean_over_all_orders(human, metric, "acc_eq"))


def test_broken_ties_of_typed_segments(open_app):
    app = open_three(open_app, untied_scores="the typed segments", seed="3")
    app.selectbox(key="untied_metric").select("B").run()
    predict(app, "untied", "it rises")
    preset = PRESETS[FIRST]
    human, metric = np.transpose(preset["human"]), np.transpose(preset["metrics"]["B"])
    [shown] = [t.value for t in app.table if "spread" in t.value.columns]
    after = tk.correlate_untied(human, metric, "tau_10", rng=3, repeats=20)
    assert numbers(shown.iloc[0, 1])[0] == pytest.approx((1 + 2 / 3 - 1 - 1) / 4, abs=5.1e-4)
    assert numbers(shown.iloc[0, 2])[0] == pytest.approx(after.mean(), abs=5.1e-4)
