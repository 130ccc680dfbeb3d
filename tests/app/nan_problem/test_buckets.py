"""Scores put into buckets."""

import itertools
import warnings

import numpy as np
import pytest

import tiekit as tk
from tests.app.nan_problem.reading import (
    FIRST,
    PAGE,
    PRESETS,
    accuracy,
    alt,
    asked,
    kendall,
    numbers,
    open_three,
    predict,
    said,
)


@pytest.mark.parametrize("k", [5, 3, 20])
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
    low, high = metric.min(), metric.max()
    edges = low + (high - low) * np.arange(1, k) / k
    bucketed = np.searchsorted(edges, metric, side="right")
    before, after = ([kendall(h, m) for h, m in zip(human.T, own.T, strict=True)] for own in (metric, bucketed))
    kept = [a for a, b in zip(before, after, strict=True) if b == b]
    right = [
        np.mean([accuracy(h, m) for h, m in zip(human.T.tolist(), own.T.tolist(), strict=True)])
        for own in (metric, bucketed)
    ]
    now, was, same = np.nanmean(after), np.nanmean(before), np.mean(kept)
    text, defined = said(app, f"In {k} buckets"), np.isfinite(before).sum()
    expected = [k, was, now, defined, len(kept), now - was, same - was, defined - len(kept), len(kept), same]
    told = numbers(text.replace("+", ""))
    assert told == pytest.approx([*expected, now - same, 4.2], abs=1.1e-3)
    assert round(1000 * told[5]) == round(1000 * told[6]) + round(1000 * told[-2])
    pairs = [(i, j) for i, j in itertools.combinations(range(15), 2)]
    tied = np.concatenate([(bucketed[i] == bucketed[j]) & (metric[i] != metric[j]) for i, j in pairs])
    both = np.concatenate([human[i] == human[j] for i, j in pairs])[tied].mean()
    order = [(human[i] - human[j]) * (metric[i] - metric[j]) > 0 for i, j in pairs]
    lost = np.concatenate(order)[tied].mean()
    text = said(app, "It drops no group")
    assert numbers(text) == pytest.approx(
        [*right, tied.sum(), round(100 * both), round(100 * lost), accuracy_of_one_score(human)], abs=5.1e-4
    )
    best = tk.calibrate(human, metric)
    text = said(app, "acc_eq* is fair")
    assert numbers(text)[:2] == pytest.approx([best.value, best.epsilon], abs=5.1e-4)
    assert "No k on the slider exceeds it; the best, 5, reaches 0.697." in text
    words = alt(app, f"Value of Contour-refA in {k} buckets")
    levels = [now, was, *right[::-1], same, best.value, accuracy_of_one_score(human)]
    assert numbers(words)[1:] == pytest.approx(levels, abs=5.1e-4)


def accuracy_of_one_score(human):
    return np.mean([accuracy(row, [1] * len(row)) for row in human.T.tolist()])


def test_buckets_of_typed_segments(open_app):
    app = open_three(open_app, bucket_scores="the typed segments", bucket_coefficient="tau_b")
    app.selectbox(key="bucket_metric").select("C").run()
    predict(app, "buckets")
    preset = PRESETS[FIRST]
    curve = tk.bucket_curve(np.transpose(preset["human"]), np.transpose(preset["metrics"]["C"]), [5])
    text = said(app, "In 5 buckets")
    assert numbers(text)[2] == pytest.approx(curve.loc[5, "tau_b"], abs=5.1e-4)
    assert numbers(text)[4] == curve.loc[5, "groups(tau_b)"]


def test_buckets_where_there_is_nothing_to_gain(open_app):
    app = open_app(PAGE, bucket_metric="Constant-src")
    assert "nothing to gain" in said(app, "Constant-src has no value")
    assert not asked(app, "buckets")


@pytest.mark.parametrize(("k", "dropped", "ties"), [(5, 0.014, 0.038), (10, 0.005, 0.042)])
def test_on_wmt22_ties_raise_tau_b_of_metric_x_more_than_dropped_groups(k, dropped, ties):
    """Figure 3 of the paper, whose text names the dropped groups only."""
    chosen = tk.load_wmt22().select()
    human, metric = chosen.human["mqm"], chosen.metrics["metricx_xxl_MQM_2020-refA"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tk.NearTieWarning)
        before, after = (tk.correlate(human, own, "tau_b").per_group for own in (metric, tk.to_buckets(metric, k)))
    same = np.nanmean(before[~np.isnan(after)])
    assert round(np.nanmean(before), 4) == 0.2546
    assert round(same - np.nanmean(before), 3) == dropped
    assert round(np.nanmean(after) - same, 3) == ties
