"""Ranking consistency, against Algorithm 2 in plain loops; both measures of measures side by side."""

import numpy as np
import pytest
from scipy.stats import kendalltau

import tiekit as tk
from tests.research.measures.toys import SMALL, toy
from tiekit.measures import compare_measures, discriminative_power, ranking_consistency
from tiekit.research.measures.power import draw_halves

NAN = float("nan")


def test_consistency_is_algorithm_2_in_plain_loops():
    human, metrics = toy(n_segments=7, n_metrics=4)
    human[1, 2], metrics["m2"][0, 3] = NAN, NAN
    measures = [*SMALL, "item/tau_b", "system_means/pearson"]
    found = ranking_consistency({"d": (human, metrics)}, measures, n_splits=10, rng=5, cells="own")
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
    sure = ranking_consistency({"d": (human, metrics)}, n_splits=20)
    assert (sure.mean == 1).all()
    alike = ranking_consistency({"d": (human, {"a": human, "b": human})}, SMALL, n_splits=20)
    assert alike.mean.isna().all()
    assert (alike.n_undefined == 20).all(axis=None)


def test_halves_are_fair():
    halves = draw_halves(5, 4000, 0, 0)
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
