"""Measures of measures, against plain loops over their definitions, SciPy and the exact law of few swaps."""

import math
import os
import warnings
from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from scipy.stats import kendalltau, pearsonr, spearmanr

import tiekit as tk
from tests.strategies import examples, matrices
from tiekit.measures.consistency import draw_halves
from tiekit.measures.evaluate import as_measures, datasets_of, values_of

NAN = float("nan")
SMALL = ("global/tau_b", "item/acc_eq", "system/pearson", "system_means/spearman")
EVERY = (
    *tk.measures.all_measures(calibrated=False),
    *(f"{g}/{c}*" for g, c in product(tk.GROUPINGS, ("acc_eq", "tau_b"))),
)
SCIPY = {"pearson": pearsonr, "spearman": spearmanr, "tau_b": kendalltau}


def toy(n_systems=4, n_segments=6, n_metrics=3, seed=0, levels=5):
    rng = np.random.default_rng(seed)
    human = rng.integers(0, levels, (n_systems, n_segments)).astype(float)
    return human, {f"m{i}": np.round(4 * rng.normal(human, 1 + i)) / 4 for i in range(n_metrics)}


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


# ---------------------------------------------------------------------------------------------------- their values


@examples(6)
@given(matrices())
def test_every_measure_is_what_correlate_and_calibrate_say(pair):
    human, metric = pair
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tk.TiekitWarning)
        row = tk.measures.evaluate_measures(human, {"m": metric}, EVERY).loc["m"]
        for measure, value in row.items():
            grouping, name = measure.split("/")
            if name in tk.measures.SYSTEM_LEVEL:
                continue
            starred = name.endswith("*")
            how = tk.calibrate if starred else tk.correlate
            expected = how(human, metric, name.removesuffix("*"), grouping=grouping).value
            np.testing.assert_allclose(value, expected, rtol=0, atol=1e-12, err_msg=measure)


def test_the_twelve_are_those_of_the_paper_by_scipy():
    human, metrics = toy()
    found = tk.measures.evaluate_measures(human, metrics)
    expected = [[by_definition(human, m, measure) for measure in tk.measures.GAO_MEASURES] for m in metrics.values()]
    np.testing.assert_allclose(found.to_numpy(), expected, atol=1e-12)
    assert list(found.index) == list(metrics)


def test_measures_of_whole_matrices_are_their_functions_and_can_be_tested_and_halved():
    human, metrics = toy(n_segments=8)
    names = ["system_means/spa", "system_means/pairwise_accuracy", "item/pdp"]
    row = tk.measures.evaluate_measures(human, metrics, names).loc["m1"]
    assert row["system_means/spa"] == tk.measures.soft_pairwise_accuracy(human, metrics["m1"])
    assert row["system_means/pairwise_accuracy"] == tk.measures.pairwise_accuracy(human, metrics["m1"])
    assert row["item/pdp"] == tk.measures.pairwise_difference_pearson(human, metrics["m1"], grouping="item")
    power = tk.measures.discriminative_power({"d": (human, metrics)}, names, n_resamples=5)
    assert power.pvalues.isna().sum().sum() == 0
    steady = tk.measures.ranking_consistency({"d": (human, metrics)}, names, n_splits=2)
    first, second = draw_halves(8, 2, 0, 0).astype(bool), ~draw_halves(8, 2, 0, 0).astype(bool)
    taus = [
        kendalltau(
            *([tk.measures.pairwise_difference_pearson(human[:, s], m[:, s]) for m in metrics.values()] for s in pair)
        )
        for pair in zip(first, second, strict=True)
    ]
    assert steady.by_dataset.loc["item/pdp", "d"] == pytest.approx(np.mean([tau.statistic for tau in taus]))


def test_many_matrices_are_valued_as_each_one_is(monkeypatch):
    human, metrics = toy(n_metrics=5)
    stacked = np.array(list(metrics.values()))
    whole = values_of(human[None], stacked, as_measures(EVERY))
    monkeypatch.setattr("tiekit.measures.evaluate.AT_ONCE", 50)  # two matrices
    np.testing.assert_allclose(values_of(human[None], stacked, as_measures(EVERY)), whole, atol=1e-12)
    np.testing.assert_allclose(tk.measures.evaluate_measures(human, metrics, EVERY), whole, atol=1e-12)


def test_names_of_measures():
    assert [m.name for m in as_measures(["none/acc_23*", ("item", "tau_b")])] == ["global/acc_eq*", "item/tau_b"]
    for wrong in ("item/tau_b", [], ["item"], ["item/pearson*"], ["item/tau_b"] * 2, ["item/nope"], [("a", "b", "c")]):
        with pytest.raises(tk.InputError):
            as_measures(wrong)


def test_what_is_no_data_set_is_named():
    human, metrics = toy()
    with pytest.raises(tk.InputError, match="metrics: m1: metric: must have the shape"):
        tk.measures.evaluate_measures(human, {"m1": metrics["m1"][:2]})
    with pytest.raises(tk.InputError, match="need a matrix"):
        tk.measures.evaluate_measures(human[0], {"m1": metrics["m1"][0]})
    with pytest.raises(tk.InputError, match="datasets: d: metrics: there must be 2"):
        tk.measures.measure_agreement({"d": (human, {"m0": metrics["m0"]})})
    with pytest.raises(tk.InputError, match="mapping"):
        tk.measures.discriminative_power({})
    with pytest.raises(tk.InputError, match="two segments"):
        tk.measures.ranking_consistency({"d": (human[:, :1], {k: m[:, :1] for k, m in metrics.items()})})
    with pytest.raises(tk.InputError, match="swap"):
        tk.measures.discriminative_power({"d": (human, metrics)}, swap="pairs")
    with pytest.raises(tk.InputError, match="n_splits"):
        tk.measures.ranking_consistency({"d": (human, metrics)}, n_splits=0)


def test_near_ties_are_told():
    human, metrics = toy()
    metrics["m0"][0, :2] = 1.2, 1.2000000000000002
    with pytest.warns(tk.NearTieWarning, match="metrics: m0"):
        tk.measures.evaluate_measures(human, metrics, SMALL)


def test_an_evalset_is_a_data_set_for_each_human_score():
    human, metrics = toy()
    data = tk.EvalSet("toy", "", ("A", "B", "C", "D"), tuple("123456"), {"x": human, "y": -human}, metrics)
    assert list(datasets_of(data)) == ["x", "y"]
    assert tk.measures.evaluate_measures(*datasets_of(data, human=["y"])["y"], SMALL).equals(
        tk.measures.evaluate_measures(-human, metrics, SMALL)
    )
    with pytest.raises(tk.InputError, match="known: x, y"):
        datasets_of(data, human=["z"])


# -------------------------------------------------------------------------------------------- agreement of rankings


def test_agreement_is_kendalls_tau_of_the_values_averaged():
    datasets = {str(seed): toy(n_metrics=5, seed=seed) for seed in range(2)}
    found = tk.measures.measure_agreement(datasets)
    values = [tk.measures.evaluate_measures(*dataset) for dataset in datasets.values()]
    for a, b in product(tk.measures.GAO_MEASURES, repeat=2):
        expected = np.mean([kendalltau(v[a], v[b]).statistic for v in values])
        assert found.loc[a, b] == pytest.approx(expected, abs=1e-12)
    by_value = tk.measures.measure_agreement(datasets, SMALL, "pearson")
    values = [tk.measures.evaluate_measures(*dataset, SMALL) for dataset in datasets.values()]
    expected = np.mean([pearsonr(v[SMALL[0]], v[SMALL[1]]).statistic for v in values])
    assert by_value.loc[SMALL[0], SMALL[1]] == pytest.approx(expected, abs=1e-12)


def test_a_metric_without_a_value_is_left_out_of_the_ranking():
    human, metrics = toy(n_metrics=3)
    flat = {"flat": np.ones_like(human)}
    with_flat = tk.measures.measure_agreement({"d": (human, metrics | flat)}, ["item/tau_b", "global/tau_b"])
    assert with_flat.equals(tk.measures.measure_agreement({"d": (human, metrics)}, ["item/tau_b", "global/tau_b"]))


# --------------------------------------------------------------------------------------------- discriminative power


def test_power_is_the_exact_law_where_every_swap_is_tried():
    human, metrics = toy(n_systems=3, n_segments=4, n_metrics=3)
    standard = {name: (m - m.mean()) / m.std() for name, m in metrics.items()}
    found = tk.measures.discriminative_power({"d": (human, metrics)}, SMALL, swap="segments")
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
    found = tk.measures.discriminative_power(datasets, SMALL, n_resamples=30, rng=3)
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
    found = tk.measures.discriminative_power(data, ["global/tau_b", "global/acc_eq"], n_resamples=50)
    assert (found.pvalues.xs("flat", level="second")["global/acc_eq"] == 1).all()
    assert (found.mean > 0).all()


def test_power_does_not_depend_on_who_works_nor_on_other_metrics():
    human, metrics = toy(n_metrics=4)
    once = tk.measures.discriminative_power({"d": (human, metrics)}, SMALL, n_resamples=200, n_jobs=1)
    twice = tk.measures.discriminative_power({"d": (human, metrics)}, SMALL, n_resamples=200, n_jobs=2)
    assert once.pvalues.equals(twice.pvalues)
    assert once.signature == twice.signature
    pair = {name: metrics[name] for name in ("m1", "m3")}
    alone = tk.measures.discriminative_power({"d": (human, pair)}, SMALL, n_resamples=200)
    assert alone.pvalues.equals(once.pvalues.loc[[("d", "m1", "m3")]])
    other = tk.measures.discriminative_power({"d": (human, metrics)}, SMALL, n_resamples=200, rng=1)
    assert not other.pvalues.equals(once.pvalues)


# ---------------------------------------------------------------------------------------------- ranking consistency


def test_consistency_is_algorithm_2_in_plain_loops():
    human, metrics = toy(n_segments=7, n_metrics=4)
    human[1, 2], metrics["m2"][0, 3] = NAN, NAN
    measures = [*SMALL, "item/tau_b", "system_means/pearson"]
    found = tk.measures.ranking_consistency({"d": (human, metrics)}, measures, n_splits=10, rng=5)
    halves = draw_halves(7, 10, 5, 0).astype(bool)
    assert (halves.sum(axis=1) == 3).all()
    for measure in measures:
        grouping, name = measure.split("/")
        taus = []
        for half in halves:
            first, second = (
                [tk.correlate(human[:, s], m[:, s], name, grouping=grouping).value for m in metrics.values()]
                for s in (half, ~half)
            )
            taus.append(kendalltau(np.round(first, 12), np.round(second, 12), nan_policy="omit").statistic)
        assert found.by_dataset.loc[measure, "d"] == pytest.approx(np.nanmean(taus), abs=1e-12), measure
        assert found.n_undefined.loc[measure, "d"] == np.isnan(taus).sum()


def test_consistency_of_metrics_that_halves_cannot_confuse_is_one_and_no_ranking_is_undefined():
    human, _ = toy(n_systems=6, n_segments=20)
    metrics = {"good": human, "bad": -human}
    sure = tk.measures.ranking_consistency({"d": (human, metrics)}, n_splits=20)
    assert (sure.mean == 1).all()
    alike = tk.measures.ranking_consistency({"d": (human, {"a": human, "b": human})}, SMALL, n_splits=20)
    assert alike.mean.isna().all()
    assert (alike.n_undefined == 20).all(axis=None)


def test_halves_are_fair():
    halves = draw_halves(5, 4000, 0, 0)
    assert (halves.sum(axis=1) == 2).all()
    assert np.abs(halves.mean(axis=0) - 0.4).max() < 0.04  # five standard errors
    assert len({tuple(h) for h in halves.tolist()}) == 10


def test_the_table_ranks_power_up_and_consistency_down():
    data = {"d": toy(n_metrics=4)}
    power = tk.measures.discriminative_power(data, SMALL, n_resamples=30)
    steady = tk.measures.ranking_consistency(data, SMALL, n_splits=30)
    table = tk.measures.compare_measures(power, steady)
    assert table["rank(DP)"].tolist() == power.mean.rank(method="min").astype(int).tolist()
    assert table["rank(RC)"].tolist() == (-steady.mean).rank(method="min").astype(int).tolist()
    assert table.loc["item/acc_eq", ["grouping", "coefficient"]].tolist() == ["item", "acc_eq"]
    with pytest.raises(tk.InputError, match="measures of power"):
        tk.measures.compare_measures(power, tk.measures.ranking_consistency(data, SMALL[:2], n_splits=30))


# ------------------------------------------------------------------------------------------ stopped and taken up again


class StoppedError(Exception):
    pass


def stop_after(share):
    def progress(done):
        if done >= share:
            raise StoppedError

    return progress


@pytest.mark.parametrize("what", ["power", "consistency", "simulation"])
def test_what_was_interrupted_goes_on_from_what_was_found(what, tmp_path):
    from joblib import Memory

    memory, data = Memory(tmp_path, verbose=0), {"d": toy(n_metrics=4)}

    def run(**more):
        if what == "power":
            return tk.measures.discriminative_power(data, SMALL, n_resamples=70, n_jobs=1, **more).pvalues
        if what == "consistency":
            return tk.measures.ranking_consistency(data, SMALL, n_splits=70, n_jobs=1, **more).by_dataset
        return tk.measures.simulate_granularity([2, 3], SMALL, n_populations=2, n_thresholds=2, n_jobs=1, **more).means

    def n_kept():
        return sum("output.pkl" in files for _, _, files in os.walk(tmp_path))

    with pytest.raises(StoppedError):
        run(memory=memory, progress=stop_after(0.5))
    half = n_kept()
    assert half == {"power": 3, "consistency": 2, "simulation": 3}[what]
    times = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("output.pkl")}
    pd.testing.assert_frame_equal(run(memory=memory), run())
    assert n_kept() == 2 * half
    assert all(path.stat().st_mtime_ns == time for path, time in times.items())  # not found again


# ---------------------------------------------------------------------------------------------------- coarser scales


def test_granularity_rounds_with_the_one_quantiser():
    human, metrics = toy()
    found = tk.measures.granularity(human, metrics["m0"], [2, 5], [*SMALL, "item/acc_eq*"])
    for g in (2, 5):
        rounded = {"m": tk.to_buckets(metrics["m0"], g)}
        assert found.loc[g].equals(
            tk.measures.evaluate_measures(human, rounded, [*SMALL, "item/acc_eq*"]).loc["m"].rename(g)
        )
    with pytest.raises(tk.InputError, match="levels"):
        tk.measures.granularity(human, metrics["m0"], [])


def test_means_of_samples_are_those_of_every_choice():
    human, _ = toy()
    samples = np.random.default_rng(1).integers(1, 6, (4, *human.shape)).astype(float)
    found = tk.measures.granularity_of_samples(human, samples, ["global/tau_b"]).set_index("n")
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
    fewer = tk.measures.granularity_of_samples(human, samples, ["global/tau_b"], repeats=3)
    assert fewer["choices"].tolist() == [3, 3, 3, 1]
    with pytest.raises(tk.InputError, match="samples"):
        tk.measures.granularity_of_samples(human, samples[0])


# ------------------------------------------------------------------------------------------------------- clusters, real


@pytest.mark.campaign
def test_a_dask_cluster_of_two_processes_gives_the_same_bytes():
    from distributed import Client, LocalCluster
    from joblib import parallel_config

    data = {"x": toy(n_metrics=4), "y": toy(seed=1)}

    def run():
        power = tk.measures.discriminative_power(data, SMALL, n_resamples=200)
        steady = tk.measures.ranking_consistency(data, SMALL, n_splits=200)
        coarse = tk.measures.simulate_granularity([2, 5], SMALL, n_populations=3, n_thresholds=3)
        return [found.to_numpy().tobytes() for found in (power.pvalues, steady.by_dataset, coarse.means)]

    with parallel_config(n_jobs=1):
        expected = run()
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster),
        parallel_config(backend="dask"),
    ):
        assert run() == expected


@pytest.mark.real
@pytest.mark.campaign
def test_summeval_four_aspects_twelve_measures(real_data):
    """Gao et al. have 32 metrics on 30 sets; six string metrics on SummEval put system means far higher."""
    table = tk.read_table(real_data / "summeval" / "summeval.csv")
    metrics = {name: scores for name, scores in table.metrics.items() if name != "length"}
    data = {name: (scores, metrics) for name, scores in table.human.items()}
    found = tk.measures.compare_measures(tk.measures.discriminative_power(data), tk.measures.ranking_consistency(data))
    assert found["rank(DP)"].idxmin() == "system_means/spearman"
    assert found.loc["global/pearson", "rank(DP)"] <= 3
    assert found.loc["system/tau_b", "rank(RC)"] == 12
