"""Discriminative power, against the exact law of few swaps."""

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from joblib import Memory

import tiekit as tk
from tests.research.measures.toys import SMALL, toy
from tiekit.measures import discriminative_power


def test_power_is_the_exact_law_where_every_swap_is_tried():
    human, metrics = toy(n_systems=3, n_segments=4, n_metrics=3)
    standard = {name: (m - m.mean()) / m.std() for name, m in metrics.items()}
    found = discriminative_power({"d": (human, metrics)}, SMALL, swap="segments")
    for a, b in combinations(metrics, 2):
        for measure in SMALL:
            grouping, name = measure.split("/")
            differences = []
            for swapped in product([False, True], repeat=4):
                sides = np.where(swapped, standard[b], standard[a]), np.where(swapped, standard[a], standard[b])
                first, second = (tk.correlate(human, side, name, grouping=grouping).value for side in sides)
                differences.append(abs(first - second))
            expected = sum(not d < differences[0] - 1e-12 for d in differences) / 16  # an undefined one counts
            assert found.pvalues.loc[("d", a, b), measure] == pytest.approx(expected), (a, b, measure)


def test_power_is_the_mean_and_the_curve_sorts():
    datasets = {"x": toy(seed=1, n_metrics=4), "y": toy(seed=2)}
    found = discriminative_power(datasets, SMALL, swap="both", n_resamples=30, rng=3)
    assert len(found.pvalues) == 6 + 3
    assert found.by_dataset.loc[SMALL[0], "x"] == pytest.approx(np.mean(found.pvalues.loc["x", SMALL[0]]))
    assert found.mean[SMALL[1]] == pytest.approx(found.by_dataset.loc[SMALL[1]].mean())
    curve = found.curve("x")
    assert [len(curve), curve["place"].max()] == [24, 6]
    for measure, part in curve.groupby("measure"):
        assert part["p"].tolist() == sorted(found.pvalues.loc["x", measure], reverse=True)
        rows = found.pvalues.loc["x", measure]
        assert [rows[first, second] for first, second in zip(part["first"], part["second"], strict=True)] == list(
            part["p"]
        )
    with pytest.raises(tk.InputError, match="x, y"):
        found.curve()


def test_a_metric_a_measure_cannot_value_has_no_p_and_a_constant_one_is_never_significant():
    human, metrics = toy(n_metrics=2)
    data = {"d": (human, metrics | {"flat": np.ones_like(human)})}
    found = discriminative_power(data, ["global/tau_b", "global/acc_eq"], swap="both", n_resamples=50)
    assert (found.pvalues.xs("flat", level="second")["global/acc_eq"] == 1).all()
    assert (found.mean > 0).all()


def test_power_does_not_depend_on_who_works_nor_on_other_metrics():
    human, metrics = toy(n_metrics=4)
    once = discriminative_power({"d": (human, metrics)}, SMALL, swap="both", n_resamples=200, n_jobs=1)
    twice = discriminative_power({"d": (human, metrics)}, SMALL, swap="both", n_resamples=200, n_jobs=2)
    assert once.pvalues.equals(twice.pvalues)
    assert once.signature == twice.signature
    pair = {name: metrics[name] for name in ("m1", "m3")}
    alone = discriminative_power({"d": (human, pair)}, SMALL, swap="both", n_resamples=200)
    assert alone.pvalues.equals(once.pvalues.loc[[("d", "m1", "m3")]])
    other = discriminative_power({"d": (human, metrics)}, SMALL, swap="both", n_resamples=200, rng=1)
    assert not other.pvalues.equals(once.pvalues)


def test_whole_documents_are_swapped(tmp_path):
    rng = np.random.default_rng(4)
    human = rng.integers(0, 5, (3, 8)).astype(float)
    metrics = {name: rng.normal(size=(3, 8)) for name in "ab"}
    documents, measures = tuple("xxyyzzwv"), ["item/tau_b", "document/acc_eq", "document_means/pearson"]
    asked = {"swap": "documents", "documents": documents, "n_resamples": 99}
    found = discriminative_power({"d": (human, metrics)}, measures, **asked)
    for measure, p in found.pvalues.iloc[0].items():
        assert p == tk.significance.permutation_test(human, *metrics.values(), measure, **asked).pvalue
    kept = discriminative_power({"d": (human, metrics)}, measures, memory=Memory(tmp_path), **asked)
    pd.testing.assert_frame_equal(kept.pvalues, found.pvalues)
    data = tk.EvalSet("d", "", tuple("ABC"), tuple("12345678"), {"d": human}, metrics, documents=documents)
    of_set = discriminative_power(data, measures, swap="documents", n_resamples=99)
    pd.testing.assert_frame_equal(of_set.pvalues, found.pvalues)
    with pytest.raises(tk.InputError, match="documents: 'documents' needs the document of each segment"):
        discriminative_power({"d": (human, metrics)}, "item/tau_b", swap="documents")
    with pytest.raises(tk.InputError, match="must have one name for each of the 8 segments, found 2"):
        discriminative_power({"d": (human, metrics)}, "item/tau_b", swap="documents", documents=["a", "b"])
    with pytest.raises(tk.InputError, match="needs the documents of the segments"):
        discriminative_power({"d": (human, metrics)}, "document/tau_b")
