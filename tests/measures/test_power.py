"""Discriminative power by the exact law of few swaps, consistency by Algorithm 2, and how both go on after a stop."""

import os
from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from joblib import Memory
from scipy.stats import kendalltau

import tiekit as tk
from tests.measures.toys import SMALL, toy
from tiekit.measures import compare_measures, discriminative_power, ranking_consistency, simulate_granularity
from tiekit.measures.power import draw_halves


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


NAN = float("nan")


def test_consistency_is_algorithm_2_in_plain_loops():
    human, metrics = toy(n_segments=7, n_metrics=4)
    human[1, 2], metrics["m2"][0, 3] = NAN, NAN
    measures = [*SMALL, "item/tau_b", "system_means/pearson"]
    found = ranking_consistency({"d": (human, metrics)}, measures, n_splits=10, rng=5, cells="own")
    halves = np.concatenate(list(draw_halves(7, 10, 5, 0, 4))).astype(bool)
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
    sure = ranking_consistency({"d": (human, metrics)}, n_splits=20)
    assert (sure.mean == 1).all()
    alike = ranking_consistency({"d": (human, {"a": human, "b": human})}, SMALL, n_splits=20)
    assert alike.mean.isna().all()
    assert (alike.n_undefined == 20).all(axis=None)


def test_halves_are_fair():
    halves = next(draw_halves(5, 4000, 0, 0, 4000))
    assert (halves.sum(axis=1) == 2).all()
    assert np.abs(halves.mean(axis=0) - 0.4).max() < 0.04  # five standard errors
    assert len({tuple(h) for h in halves.tolist()}) == 10


def test_the_table_ranks_power_up_and_consistency_down():
    data = {"d": toy(n_metrics=4)}
    power = discriminative_power(data, SMALL, swap="both", n_resamples=30)
    steady = ranking_consistency(data, SMALL, n_splits=30)
    table = compare_measures(power, steady)
    assert table["rank(DP)"].tolist() == power.mean.rank(method="min").astype(int).tolist()
    assert table["rank(RC)"].tolist() == (-steady.mean).rank(method="min").astype(int).tolist()
    assert table.loc["item/acc_eq", ["grouping", "coefficient"]].tolist() == ["item", "acc_eq"]
    with pytest.raises(tk.InputError, match="measures of power"):
        compare_measures(power, ranking_consistency(data, SMALL[:2], n_splits=30))


@pytest.mark.real
@pytest.mark.campaign
def test_summeval_four_aspects_twelve_measures(real_data):
    """Gao et al. have 32 metrics on 30 sets; six string metrics on SummEval put system means far higher."""
    table = tk.read_table(real_data / "summeval" / "summeval.csv")
    metrics = {name: scores for name, scores in table.metrics.items() if name != "length"}
    data = {name: (scores, metrics) for name, scores in table.human.items()}
    power = discriminative_power(data, swap="both")
    found = compare_measures(power, ranking_consistency(data))
    chosen = ranking_consistency(table, metrics=list(metrics), n_splits=20)
    assert chosen.by_dataset.equals(ranking_consistency(data, n_splits=20).by_dataset)
    assert found["rank(DP)"].idxmin() == "system_means/spearman"
    assert found.loc["global/pearson", "rank(DP)"] <= 3
    assert found.loc["system/tau_b", "rank(RC)"] == 12


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
            return discriminative_power(data, SMALL, swap="both", n_resamples=70, n_jobs=1, **more).pvalues
        if what == "consistency":
            return ranking_consistency(data, SMALL, n_splits=70, n_jobs=1, **more).by_dataset
        return simulate_granularity([2, 3], SMALL, n_populations=2, n_thresholds=2, n_jobs=1, **more).means

    def n_kept():
        return sum("output.pkl" in files for _, _, files in os.walk(tmp_path))

    with pytest.raises(StoppedError):
        run(memory=memory, progress=stop_after(0.6 if what == "power" else 0.5))  # a grouping is kept when it is done
    half = n_kept()
    assert half == {"power": 2, "consistency": 2, "simulation": 3}[what]
    times = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("output.pkl")}
    pd.testing.assert_frame_equal(run(memory=memory), run())
    assert n_kept() == 2 * half
    assert all(path.stat().st_mtime_ns == time for path, time in times.items())  # not found again


@pytest.mark.campaign
def test_a_dask_cluster_of_two_processes_gives_the_same_bytes():
    from distributed import Client, LocalCluster
    from joblib import parallel_config

    data = {"x": toy(n_metrics=4), "y": toy(seed=1)}

    def run():
        power = discriminative_power(data, SMALL, swap="both", n_resamples=200)
        steady = ranking_consistency(data, SMALL, n_splits=200)
        coarse = simulate_granularity([2, 5], SMALL, n_populations=3, n_thresholds=3)
        return [found.to_numpy().tobytes() for found in (power.pvalues, steady.by_dataset, coarse.means)]

    with parallel_config(n_jobs=1):
        expected = run()
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster),
        parallel_config(backend="dask"),
    ):
        assert run() == expected
