"""Scores put into buckets, and ties broken at random."""

import itertools

import numpy as np
import pytest

import tiekit as tk
from tests.app.nan_problem.reading import (
    PAGE,
    asked,
    numbers,
    predict,
    said,
)
from tests.app.reading import alts
from tests.core.test_ties import mean_over_all_orders
from ui.nan_problem import tie_breaking


@pytest.mark.parametrize("k", [5, 20])
def test_buckets_are_the_librarys(open_app, sample, k):
    app = open_app(PAGE, bucket_metric="Contour-refA", k=str(k))
    predict(app, "buckets", "it falls")
    told = said(app, "You said: it falls.")
    assert "It is: it rises." in told
    assert "can cost less than a wrong order" in told
    assert told.count("From 0.513 on 267 groups to 0.596 on 240.") == 1
    assert app.select_slider(key="k").value == k
    chosen = sample.select()
    human, metric = chosen.human["mqm"], chosen.metrics["Contour-refA"]
    bucketed = tk.to_buckets(metric, k)
    before, after = (tk.correlate(human, own, "tau_b").per_group for own in (metric, bucketed))
    kept = before[~np.isnan(after)]
    right = [tk.correlate(human, own, "acc_eq").value for own in (metric, bucketed)]
    now, was, same = np.nanmean(after), np.nanmean(before), np.mean(kept)
    text, defined = said(app, f"In {k} buckets"), np.isfinite(before).sum()
    expected = [k, was, now, defined, len(kept), now - was, same - was, defined - len(kept), len(kept), same]
    told = numbers(text.replace("+", ""))
    assert told == pytest.approx([*expected, now - same, 4.2], abs=1.1e-3)
    assert round(1000 * told[5]) == round(1000 * told[6]) + round(1000 * told[-2]), "as they are written, parts add up"
    pairs = [(i, j) for i, j in itertools.combinations(range(15), 2)]
    tied = np.concatenate([(bucketed[i] == bucketed[j]) & (metric[i] != metric[j]) for i, j in pairs])
    both = np.concatenate([human[i] == human[j] for i, j in pairs])[tied].mean()
    lost = np.concatenate([(human[i] - human[j]) * (metric[i] - metric[j]) > 0 for i, j in pairs])[tied].mean()
    one_score = tk.correlate(human, np.ones_like(human), "acc_eq").value
    text = said(app, "It drops no group")
    shares = [round(100 * both), round(100 * lost)]
    assert numbers(text) == pytest.approx([*right, tied.sum(), *shares, one_score], abs=5.1e-4)
    best = tk.calibrate(human, metric)
    text = said(app, "acc_eq* is fair")
    assert numbers(text)[:2] == pytest.approx([best.value, best.epsilon], abs=5.1e-4)
    assert "No k on the slider exceeds it; the best, 5, reaches 0.697." in text
    [words] = [alt for alt in alts(app) if alt.startswith(f"Value of Contour-refA in {k} buckets")]
    assert numbers(words)[1:] == pytest.approx([now, was, *right[::-1], same, best.value, one_score], abs=5.1e-4)


def test_buckets_where_there_is_nothing_to_gain(open_app):
    app = open_app(PAGE, bucket_metric="Constant-src")
    assert "nothing to gain" in said(app, "Constant-src has no value")
    assert not asked(app, "buckets")


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
