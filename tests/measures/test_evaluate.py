"""How measures are written, and what they say of metrics and of each other, against SciPy, correlate and calibrate."""

import math
import warnings
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from scipy.stats import kendalltau, pearsonr, spearmanr

import tiekit as tk
from tests.measures.toys import SMALL, toy
from tests.strategies import examples, matrices
from tiekit.measures import (
    GAO_MEASURES,
    SYSTEM_LEVEL,
    all_measures,
    discriminative_power,
    evaluate_measures,
    measure_agreement,
    pairwise_difference_pearson,
    ranking_consistency,
    soft_pairwise_accuracy,
)
from tiekit.measures.evaluate import as_measures, values_of
from tiekit.measures.power import draw_halves

NAN = float("nan")

EVERY = (*all_measures(calibrated=False), *(f"{g}/{c}*" for g, c in product(tk.GROUPINGS, ("acc_eq", "tau_b"))))

SCIPY = {"pearson": pearsonr, "spearman": spearmanr, "tau_b": kendalltau}


def by_definition(human, metric, measure):
    """Section 2 of Gao et al., with SciPy."""
    level, coefficient = measure.split("/")
    groups = {
        "system_means": [(human.mean(axis=1), metric.mean(axis=1))],
        "item": zip(human.T, metric.T, strict=True),
        "global": [(human.ravel(), metric.ravel())],
        "system": zip(human, metric, strict=True),
    }[level]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = [SCIPY[coefficient](h, m).statistic for h, m in groups]
    defined = [value for value in found if not math.isnan(value)]
    return sum(defined) / len(defined) if defined else NAN


@examples(2)
@given(matrices())
def test_every_measure_is_what_correlate_and_calibrate_say(pair):
    human, metric = pair
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tk.TiekitWarning)
        row = evaluate_measures(human, {"m": metric}, EVERY).loc["m"]
        for measure, value in row.items():
            grouping, name = measure.split("/")
            if name in SYSTEM_LEVEL:
                continue
            starred = name.endswith("*")
            how = tk.calibrate if starred else tk.correlate
            expected = how(human, metric, name.removesuffix("*"), grouping=grouping).value
            np.testing.assert_allclose(value, expected, rtol=0, atol=1e-12, err_msg=measure)


def test_the_twelve_are_those_of_the_paper_by_scipy():
    human, metrics = toy()
    found = evaluate_measures(human, metrics)
    expected = [[by_definition(human, m, measure) for measure in GAO_MEASURES] for m in metrics.values()]
    np.testing.assert_allclose(found.to_numpy(), expected, atol=1e-12)
    assert list(found.index) == list(metrics)


def test_measures_of_whole_matrices_are_their_functions_and_can_be_tested_and_halved():
    human, metrics = toy(n_segments=8)
    names = ["system_means/spa", "system_means/pairwise_accuracy", "item/pdp"]
    row = evaluate_measures(human, metrics, names).loc["m1"]
    assert row["system_means/spa"] == soft_pairwise_accuracy(human, metrics["m1"])
    assert row["system_means/pairwise_accuracy"] == tk.measures.pairwise_accuracy(human, metrics["m1"])
    assert row["item/pdp"] == pairwise_difference_pearson(human, metrics["m1"], grouping="item")
    power = discriminative_power({"d": (human, metrics)}, names, swap="both", n_resamples=5)
    assert power.pvalues.isna().sum().sum() == 0
    steady = ranking_consistency({"d": (human, metrics)}, names, n_splits=2)
    halves = next(draw_halves(8, 2, 0, 0, 64)).astype(bool)
    first, second = halves, ~halves
    taus = [
        kendalltau(*([pairwise_difference_pearson(human[:, s], m[:, s]) for m in metrics.values()] for s in pair))
        for pair in zip(first, second, strict=True)
    ]
    assert steady.by_dataset.loc["item/pdp", "d"] == pytest.approx(np.mean([tau.statistic for tau in taus]))


def test_many_matrices_are_valued_as_each_one_is(monkeypatch):
    human, metrics = toy(n_metrics=5)
    stacked = np.array(list(metrics.values()))
    whole = values_of(human[None], stacked, as_measures(EVERY))
    monkeypatch.setattr("tiekit.measures.evaluate.AT_ONCE", 50)  # two matrices
    np.testing.assert_allclose(values_of(human[None], stacked, as_measures(EVERY)), whole, atol=1e-12)
    np.testing.assert_allclose(evaluate_measures(human, metrics, EVERY), whole, atol=1e-12)


def test_warnings_name_the_metric_and_the_caller():
    human, metrics = toy()
    metrics["m0"][0, :2] = 1.2, 1.2000000000000002
    with pytest.warns(tk.NearTieWarning, match=r"^metrics\['m0'\]: 1 distinct") as caught:
        evaluate_measures(human, metrics, SMALL)
    assert [warning.filename for warning in caught] == [__file__]
    tall, scores = toy(n_systems=40, n_segments=3, n_metrics=2)
    with pytest.warns(tk.OrientationWarning, match="has 40 rows and 3 columns") as caught:
        measure_agreement({"d": (tall, scores)}, SMALL)
    assert [warning.filename for warning in caught] == [__file__]


def test_names_of_measures():
    assert [m.name for m in as_measures(["none/acc_23*", "item/tau-b"])] == ["global/acc_eq*", "item/tau_b"]
    assert [m.name for m in as_measures("item/tau_b")] == ["item/tau_b"]  # a name, not letters


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ([], "measures: there must be at least one"),
        (["item"], "measures: must be written grouping/coefficient, as 'item/acc_eq.', found 'item'"),
        ([("item", "tau_b")], r"measures: must be written grouping/coefficient, .*, found \('item', 'tau_b'\)"),
        (["item/pearson*"], "measures: 'item/pearson.': coefficient: pearson knows no ties"),
        (["item/tau_b", "input/tau_b"], "measures: each may be given only once, found item/tau_b again"),
        ("item/nope", "measures: 'item/nope': coefficient: must be one of"),
        (["items/tau_b"], "measures: 'items/tau_b': grouping: must be one of"),
        (["item/spa"], "measures: 'item/spa': grouping: spa compares systems"),
    ],
)
def test_what_is_no_measure_is_named(wrong, message):
    with pytest.raises(tk.InputError, match=f"^{message}"):
        as_measures(wrong)


def test_agreement_is_kendalls_tau_of_the_values_averaged():
    datasets = {str(seed): toy(n_metrics=5, seed=seed) for seed in range(2)}
    found = measure_agreement(datasets)
    values = [evaluate_measures(*dataset) for dataset in datasets.values()]
    for a, b in product(GAO_MEASURES, repeat=2):
        expected = np.mean([kendalltau(v[a], v[b]).statistic for v in values])
        assert found.loc[a, b] == pytest.approx(expected, abs=1e-12)
    by_value = measure_agreement(datasets, SMALL, "pearson")
    values = [evaluate_measures(*dataset, SMALL) for dataset in datasets.values()]
    expected = np.mean([pearsonr(v[SMALL[0]], v[SMALL[1]]).statistic for v in values])
    assert by_value.loc[SMALL[0], SMALL[1]] == pytest.approx(expected, abs=1e-12)


def test_a_metric_without_a_value_is_left_out_of_the_ranking():
    human, metrics = toy(n_metrics=3)
    flat = {"flat": np.ones_like(human)}
    with_flat = measure_agreement({"d": (human, metrics | flat)}, ["item/tau_b", "global/tau_b"])
    assert with_flat.equals(measure_agreement({"d": (human, metrics)}, ["item/tau_b", "global/tau_b"]))
