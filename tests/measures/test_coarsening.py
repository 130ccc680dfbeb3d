"""Metrics rounded to G levels, and means of samples."""

from itertools import combinations

import numpy as np
import pytest

import tiekit as tk
from tests.measures.toys import SMALL, toy
from tiekit.measures import evaluate_measures, granularity, granularity_of_samples


def test_granularity_rounds_with_the_one_quantiser():
    human, metrics = toy()
    found = granularity(human, metrics["m0"], [2, 5], [*SMALL, "item/acc_eq*"])
    for g in (2, 5):
        rounded = {"m": tk.to_buckets(metrics["m0"], g)}
        assert found.loc[g].equals(evaluate_measures(human, rounded, [*SMALL, "item/acc_eq*"]).loc["m"].rename(g))
    with pytest.raises(tk.InputError, match="levels"):
        granularity(human, metrics["m0"], [])


def test_means_of_samples_are_those_of_every_choice():
    human, _ = toy()
    samples = np.random.default_rng(1).integers(1, 6, (4, *human.shape)).astype(float)
    found = granularity_of_samples(human, samples, ["global/tau_b"]).set_index("n")
    assert found["choices"].tolist() == [4, 6, 4, 1]
    for n in range(1, 5):
        each = [
            tk.correlate(human, np.mean(c, axis=0).round(9), "tau_b", grouping="global").value
            for c in combinations(samples, n)
        ]
        assert found.loc[n, "median"] == pytest.approx(np.median(each))
        assert found.loc[n, "low"] == pytest.approx(np.percentile(each, 2.5))
        assert found.loc[n, "high"] == pytest.approx(np.percentile(each, 97.5))
    assert found.loc[1, "levels"] == 5
    fewer = granularity_of_samples(human, samples, ["global/tau_b"], repeats=3)
    assert fewer["choices"].tolist() == [3, 3, 3, 1]
    with pytest.raises(tk.InputError, match="samples"):
        granularity_of_samples(human, samples[0])


def test_means_of_huge_samples_do_not_overflow():
    human, _ = toy()
    samples = np.random.default_rng(1).integers(1, 6, (3, *human.shape)) * 2.0**1021 / 2.5
    huge, plain = (
        granularity_of_samples(human, scores, ["global/tau_b", "item/pearson"])
        for scores in (samples, samples / 2.0**1000)
    )
    assert huge.equals(plain)


def test_samples_may_be_metrics_of_a_set():
    human, metrics = toy(n_systems=5)
    data = tk.EvalSet("toy", "", tuple("ABCDE"), tuple("123456"), {"h": human}, metrics, outliers=("E",))
    found = granularity_of_samples(data, ["m0", "m2"], "global/tau_b")
    samples = np.array([metrics["m0"][:4], metrics["m2"][:4]])
    assert found.equals(granularity_of_samples(human[:4], samples, ["global/tau_b"], rng=0))
    assert not found.equals(granularity_of_samples(data, ["m0", "m2"], "global/tau_b", exclude=()))
    for wrong, message in ((["m7"], "there is no 'm7'"), (samples, "must be a name")):
        with pytest.raises(tk.InputError, match=f"^samples: {message}"):
            granularity_of_samples(data, wrong)
    with pytest.raises(tk.InputError, match=r"^samples: must have the shape of human"):
        granularity_of_samples(human, samples)
    with pytest.raises(tk.InputError, match=r"^human: measures need a matrix"):
        granularity(human[0], human[0], [2])
