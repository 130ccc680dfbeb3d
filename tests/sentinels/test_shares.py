"""Noise that keeps the order, other shares of human ties, held-out thresholds, rank intervals; on real metrics, too."""

import csv
import itertools
import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import tiekit as tk
from tests.strategies import examples, vectors
from tiekit.readers import data_file
from tiekit.sentinels import (
    calibrate_reweighted,
    held_out_shares,
    keep_for_share,
    perturb,
    published_tie_shares,
    rank_intervals,
    tie_shares,
)
from tiekit.sentinels.shares import default_shares, intervals_of

NAN = float("nan")


def orders(scores):
    return np.sign(np.subtract.outer(scores, scores))


@examples(32)
@given(vectors(), st.sampled_from([1e-8, 1e-4, 1.0, 1e6]), st.integers(0, 50))
@pytest.mark.filterwarnings("ignore::tiekit.TruncationWarning")
@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
def test_noise_keeps_every_strict_order(pair, variance, seed):
    scores = np.asarray(pair[1])
    before = scores.copy()
    noisy = perturb(scores, variance=variance, rng=seed)
    assert np.array_equal(scores, before, equal_nan=True)
    assert np.array_equal(np.isnan(noisy), np.isnan(scores))
    assert not np.isinf(noisy).any()
    given_order = orders(scores)
    strict = np.isfinite(given_order) & (given_order != 0)
    assert (orders(noisy)[strict] == given_order[strict]).all()


@pytest.mark.parametrize(
    "scores", [[1.0, np.nextafter(1, 2), 3], [1e16, 1e16 + 2, 5], [5e-324, 1e-323, 0], [-1.2, -1.2000000000000002]]
)
@pytest.mark.filterwarnings("ignore::tiekit.TruncationWarning")
def test_noise_keeps_the_order_of_neighbours_among_floats(scores):
    noisy = perturb(np.repeat(scores, 50), rng=0).reshape(-1, 50)
    levels = noisy[np.argsort(scores)]
    assert all(levels[1:].min(axis=1) > levels[:-1].max(axis=1))


def test_noise_is_the_papers():
    """Variance 0.0001, mean 0, independent in each cell, Gaussian: against SciPy's distributions."""
    noise = perturb(np.repeat([[-5.0, 0.0]], 20_000, axis=0), rng=3) - [-5.0, 0.0]
    assert stats.kstest(noise.ravel() / 0.01, "norm").pvalue > 0.01
    assert abs(np.corrcoef(noise.T)[0, 1]) < 0.03
    assert len(np.unique(noise)) == noise.size


def test_truncated_noise_follows_the_truncated_normal_distribution():
    scores = np.tile([0.0, 0.02], 10_000)
    with pytest.warns(tk.TruncationWarning, match=r"deviation of 0\.01 is truncated at 0\.01.*and 31\.7% of it"):
        noise = perturb(scores, rng=1) - scores
    assert np.abs(noise).max() < 0.01
    assert stats.kstest(noise / 0.01, stats.truncnorm(-1, 1).cdf).pvalue > 0.01


def test_truncation_is_said_from_three_deviations_on():
    with pytest.warns(tk.TruncationWarning) as caught:
        perturb([0.0, 0.0599])
    assert caught[0].filename == __file__
    perturb([0.0, 0.0601])
    perturb([7.0, 7.0])
    perturb([])


def test_noise_can_be_drawn_again():
    scores = [[1, 1, 2], [NAN, 2, 1]]
    drawn = [perturb(scores, rng=rng) for rng in (None, 0, np.random.default_rng(0), 1)]
    assert all(np.array_equal(drawn[0], other, equal_nan=True) for other in drawn[1:3])
    assert not np.array_equal(drawn[0], drawn[3], equal_nan=True)


@pytest.mark.parametrize("variance", [0, -1, math.inf, NAN, True, "wide"])
def test_a_variance_is_a_positive_number(variance):
    with pytest.raises(tk.InputError, match="variance: must be a finite number above 0"):
        perturb([1, 2], variance=variance)


def toy(seed=0, shape=(7, 50)):
    """A discrete metric, its sentinel and a continuous one, of about the same quality."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=shape)
    continuous = quality + rng.normal(scale=0.7, size=shape)
    discrete = np.round(quality + rng.normal(scale=0.7, size=shape))
    human = np.round(quality)
    return human, {"discrete": discrete, "sentinel": perturb(discrete, rng=seed), "continuous": continuous}


@pytest.mark.parametrize("grouping", ["global", "item", "system"])
@pytest.mark.parametrize("sampling", [{}, {"sample": True, "rng": 4}])
def test_a_row_is_a_reweighted_calibration(grouping, sampling):
    human, metrics = toy()
    asked = [0, 0.2, 0.7]
    found = tie_shares(human, metrics, grouping=grouping, shares=asked, **sampling)
    rows = found[["metric", "share"]].to_numpy().tolist()
    assert rows == [[name, share] for name in metrics for share in asked]
    for row in found.itertuples():
        keep = row.keep_tied, row.keep_untied
        assert keep == keep_for_share(human, row.share, grouping=grouping)
        alone = calibrate_reweighted(
            human, metrics[row.metric], grouping=grouping, keep_tied=keep[0], keep_untied=keep[1], **sampling
        )
        assert (row.value, row.epsilon, row.n_pairs) == (alone.value, alone.epsilon, alone.n_pairs)
        assert row.share_of_ties == pytest.approx(row.share, abs=0.03 if sampling else 1e-9)


def test_thirteen_shares_hold_the_humans_own():
    human, metrics = toy()
    found = tie_shares(human, metrics)
    own = tk.count_ties(human, grouping="item").share
    shares = found["share"].unique()
    assert len(shares) == 13
    assert (shares == np.sort(shares)).all()
    assert (shares[0], shares[-1]) == (0, 0.96)
    assert set(shares) - {own} < set(np.linspace(0, 0.96, 13))
    for row in found[found["own"]].itertuples():
        assert row.share == own
        plain = tk.calibrate(human, metrics[row.metric])
        assert (row.value, row.epsilon) == (plain.value, plain.epsilon)
    assert found["own"].sum() == 3


@pytest.mark.parametrize("own", [0, 0.01, 0.42, 0.96, 1])
def test_shares_rise_whatever_the_own_is(own):
    shares = default_shares(own)
    assert len(shares) == 13
    assert own in shares
    assert shares == sorted(shares)


def test_few_ties_favour_the_sentinel_over_its_metric():
    human, metrics = toy()
    values = tie_shares(human, metrics, shares=[0, 0.6]).pivot(index="share", columns="metric", values="value")
    assert values.loc[0, "sentinel"] > values.loc[0, "discrete"] + 0.05
    assert values.loc[0.6, "sentinel"] == pytest.approx(values.loc[0.6, "discrete"], abs=0.02)


def test_missing_scores_leave_the_weights_as_they_are():
    human, metrics = toy()
    gaps = np.where(np.random.default_rng(1).random(human.shape) < 0.3, NAN, metrics["continuous"])
    found = tie_shares(human, {"whole": metrics["continuous"], "gaps": gaps}, shares=[0.5], cells="own")
    assert found["keep_tied"].nunique() == found["keep_untied"].nunique() == 1
    assert found["share_of_ties"].iloc[0] == pytest.approx(0.5)
    assert found["share_of_ties"].iloc[1] != pytest.approx(0.5, abs=1e-6)
    assert found["n_pairs"].iloc[1] < found["n_pairs"].iloc[0]


def test_held_out_thresholds_by_hand():
    human, metrics = toy()
    found = held_out_shares(human, metrics, shares=[0, 0.5], held_out=0.3, rng=8)
    assert (found.attrs["n_held_out"], found.attrs["n_judged"]) == (15, 35)
    outside = np.isin(np.arange(50), np.random.default_rng(8).permutation(50)[:15])
    assert found.attrs["share_of_ties"] == tk.count_ties(human[:, ~outside], grouping="item").share
    for row in found.itertuples():
        keep = keep_for_share(human[:, outside], row.share, grouping="item")
        assert keep == (row.keep_tied, row.keep_untied)
        metric = metrics[row.metric]
        other = calibrate_reweighted(human[:, outside], metric[:, outside], keep_tied=keep[0], keep_untied=keep[1])
        assert row.epsilon == other.epsilon
        assert row.value == tk.correlate(human[:, ~outside], metric[:, ~outside], epsilon=other.epsilon).value
        own = tk.calibrate(human[:, ~outside], metric[:, ~outside])
        assert (row.in_sample, row.in_sample_epsilon) == (own.value, own.epsilon)
        assert row.value <= row.in_sample


def test_nothing_held_out_with_a_score_judges_nothing():
    human, metrics = toy()
    metric = metrics["continuous"].copy()
    metric[:, np.random.default_rng(0).permutation(50)[:10]] = NAN
    found = held_out_shares(human, {"m": metric}, shares=[0.5])
    assert found["value"].isna().all()
    assert found["in_sample"].notna().all()


@pytest.mark.parametrize("function", [tie_shares, held_out_shares])
def test_what_is_refused(function):
    human, metrics = toy()
    for change, message in (
        ({"metrics": {}}, "metrics: there is none"),
        ({"shares": [0.5, 2]}, "shares: must be a number from 0 to 1, found 2"),
        ({"coefficient": "spearman"}, "coefficient: spearman"),
        ({"grouping": "sentence"}, "grouping: "),
        ({"metrics": {"m": [[1, 2]]}}, r"metrics\['m'\]: must have the shape of human"),
        ({"human": np.tile(np.arange(50), (7, 1)) + np.arange(7)[:, None] / 9}, "human: ties 0 of"),
    ):
        with pytest.raises(tk.InputError, match=message):
            function(**{"human": human, "metrics": metrics} | change)


def test_what_a_split_refuses():
    for wrong in ({"held_out": 1}, {"held_out": NAN}, {"rng": "a"}):
        with pytest.raises(tk.InputError, match=f"{next(iter(wrong))}: must be"):
            held_out_shares(*toy(), **wrong)
    with pytest.raises(tk.InputError, match="at least two segments, found 1"):
        held_out_shares([[1], [2]], {"m": [[1], [2]]})


def test_a_generator_draws_one_sample_for_all_metrics():
    human, metrics = toy()
    asked = {"shares": [0.2], "sample": True}
    found = tie_shares(human, metrics, **asked, rng=np.random.default_rng(1))
    assert found["n_pairs"].nunique() == 1
    first, other = (tie_shares(human, metrics, **asked, rng=rng) for rng in (None, 0))
    assert first.equals(other)
    with pytest.raises(tk.InputError, match="rng: nothing is drawn unless sample=True, found 0"):
        tie_shares(human, metrics, rng=0)


def test_vectors_are_one_group():
    human, metrics = toy(shape=(1, 60))
    human, metrics = human[0], {name: scores[0] for name, scores in metrics.items()}
    for function in (tie_shares, held_out_shares):
        assert function(human, metrics).equals(function(human, metrics, "global/acc_eq*"))


def test_every_warning_is_said_once():
    human, metrics = toy()
    human = human.copy()
    human[human == 1] += np.where(np.arange((human == 1).sum()) % 2, 1e-15, 0)
    with pytest.warns(tk.TiekitWarning) as caught:
        tie_shares(human, metrics, "tau_b", shares=[0, 0.3])
    assert sorted(warning.category.__name__ for warning in caught) == ["CalibrationWarning", "NearTieWarning"]
    assert {warning.filename for warning in caught} == {__file__}


# --------------------------------------------------------------------------------------------------- the real set


@pytest.fixture(scope="module")
def zh_en(wmt22_zh_en):
    return wmt22_zh_en.select()


DISCRETE = {"MATESE": "MATESE-refA", "GEMBA": "GEMBA-Dav3-DA-refA"}

CONTINUOUS = {"Metric-X": "metricx_xxl_MQM_2020-refA", "COMET-22": "COMET-22-refA", "BLEURT": "BLEURT-20-refA"}


@pytest.fixture(scope="module")
def curves(zh_en):
    metrics = {name: zh_en.metrics[stored] for name, stored in (DISCRETE | CONTINUOUS).items()}
    metrics |= {f"{name} + noise": perturb(metrics[name]) for name in DISCRETE}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tk.NearTieWarning)
        found = tie_shares(zh_en.human["mqm"], metrics)
    return {column: found.pivot(index="share", columns="metric", values=column) for column in ("value", "epsilon")}


def test_sentinels_overtake_real_metrics_where_few_pairs_tie_and_meet_them_from_a_quarter_on(curves):
    value = curves["value"]
    assert value.loc[0, ["GEMBA", "GEMBA + noise"]].tolist() == pytest.approx([0.365, 0.611], abs=0.002)
    own = value.index[5]
    assert own == pytest.approx(0.4155, abs=1e-4)
    assert value.loc[own, ["GEMBA", "GEMBA + noise"]].tolist() == pytest.approx([0.495, 0.495], abs=0.001)
    for name in DISCRETE:
        ahead = value[f"{name} + noise"] - value[name]
        assert (ahead[value.index < 0.1] > 0.03).all()
        assert (ahead[value.index > 0.23].abs() < 0.001).all()


@pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")
def test_without_human_ties_a_sentinel_earns_half_of_what_its_metric_ties(zh_en, curves):
    """A tie that noise breaks is right half of the time: (C + T_m/2)/(C + D + T_m) = (1 + tau_14)/2."""
    for name, stored in DISCRETE.items():
        tau_14 = tk.correlate(zh_en.human["mqm"], zh_en.metrics[stored], "tau_14").value
        assert curves["value"].loc[0, f"{name} + noise"] == pytest.approx((1 + tau_14) / 2, abs=0.004)


def test_the_threshold_of_discrete_metrics_stays_zero_while_that_of_continuous_ones_moves(curves):
    epsilon = curves["epsilon"]
    few = epsilon[epsilon.index < 0.4]
    assert (few[list(DISCRETE)] == 0).all(axis=None)
    for name in CONTINUOUS:
        assert (few[name].diff().dropna() > 0).all()
    assert epsilon["GEMBA"].nunique() < epsilon["COMET-22"].nunique() == 13


@pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")
def test_real_weights_and_samples_agree(zh_en, curves):
    metric = zh_en.metrics[CONTINUOUS["COMET-22"]]
    found = tie_shares(zh_en.human["mqm"], {"COMET-22": metric}, shares=[0.08, 0.64], sample=True, rng=0)
    assert found["value"].tolist() == pytest.approx(curves["value"].loc[[0.08, 0.64], "COMET-22"].tolist(), abs=0.004)


@pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")
def test_another_share_of_ties_in_the_held_out_segments_costs_continuous_metrics(zh_en):
    metrics = {name: zh_en.metrics[stored] for name, stored in (DISCRETE | CONTINUOUS).items()}
    found = held_out_shares(zh_en.human["mqm"], metrics, shares=[0, 0.42, 0.9])
    loss = (found["in_sample"] - found["value"]).groupby([found["metric"], found["share"]]).first().unstack()
    assert (loss[0.42] < 0.002).all()
    assert (loss.loc[list(CONTINUOUS), [0, 0.9]] > 0.05).all(axis=None)
    assert (loss.loc[list(DISCRETE), 0] < 0.02).all()


def four_metrics(seed, shape=(4, 12)):
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=shape)
    noise = rng.normal(size=(4, *shape))
    human = np.round(quality)
    metrics = {"coarse": np.round(quality + noise[0]), "coarser": np.sign(np.round(quality + noise[1]))}
    return human, metrics | {"fine": quality + noise[2], "other": quality + 2 * noise[3]}


def accuracy(human, metric, weights, epsilon):
    """acc_eq by item, pairs that the human ties or does not tie with their weights."""
    values = []
    for h, m in zip(human.T, metric.T, strict=True):
        pairs = [(h[i] - h[j], m[i] - m[j]) for i, j in itertools.combinations(range(len(h)), 2)]
        total = sum(weights[int(x != 0)] for x, _ in pairs)
        right = sum(weights[int(x != 0)] for x, y in pairs if (x == 0 if abs(y) <= epsilon else x * y > 0))
        values += [right / total] if total else []
    return np.mean(values)


def best_value(human, metric, weights):
    gaps = {abs(a - b) for column in metric.T for a, b in itertools.combinations(column, 2)}
    return max(accuracy(human, metric, weights, epsilon) for epsilon in {0.0, *gaps})


def weights_for(human, share):
    """The weights of pairs that the human ties and of the others; the larger one is 1."""
    pairs = [a == b for column in human.T for a, b in itertools.combinations(column, 2)]
    low, high = share * pairs.count(False), (1 - share) * pairs.count(True)
    return (low / high, 1.0) if low < high else (1.0, high / low)


def check_ranks(found, values, own):
    """Of values by share and metric: rank 1 + the number of higher ones, the best and the worst, and where."""
    for name, row in found.iterrows():
        of_share = {
            share: 1 + sum(other > at[name] + 1e-12 for other in at.values())
            for share, at in sorted(values.items())
            if at[name] == at[name]
        }
        if not of_share:
            assert row.isna().all()
            continue
        assert (row["best"], row["worst"]) == (min(of_share.values()), max(of_share.values()))
        assert row["best_at"] == next(share for share, rank in of_share.items() if rank == row["best"])
        assert row["worst_at"] == next(share for share, rank in of_share.items() if rank == row["worst"])
        assert row["rank"] == of_share[own] if own in of_share else row.isna()["rank"]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("calibrated", [True, False])
def test_ranks_are_those_of_every_share(seed, calibrated):
    human, metrics = four_metrics(seed)
    asked, own, values = [0.05, 0.3, 0.7], tk.count_ties(human).share, {}
    found = rank_intervals(human, metrics, shares=asked, calibrated=calibrated)
    for share in [*asked, own]:
        weights = weights_for(human, share)
        values[share] = {
            name: best_value(human, m, weights) if calibrated else accuracy(human, m, weights, 0.0)
            for name, m in metrics.items()
        }
    check_ranks(found, values, own)
    assert found["rank"].is_monotonic_increasing
    assert found.attrs["own"] == own


def test_the_default_shares_are_the_published_ones():
    human, metrics = four_metrics(1)
    shares = published_tie_shares()["share"]
    found = rank_intervals(human, metrics)
    same = rank_intervals(human, metrics, shares=[*shares, shares[0]])
    assert found.equals(same)
    at = {*shares, found.attrs["own"]}
    assert set(found["best_at"]) | set(found["worst_at"]) <= at


def test_a_metric_without_a_value_has_no_rank():
    human, metrics = four_metrics(1)
    found = rank_intervals(human, metrics | {"none": np.full(human.shape, NAN)}, shares=[0.3])
    assert found.index[-1] == "none"
    assert found.loc["none"].isna().all()
    others = rank_intervals(human, metrics, shares=[0.3])
    assert found["rank"].iloc[:-1].tolist() == others["rank"].tolist()


def test_at_a_share_without_a_value_a_metric_has_no_rank():
    """With 0 % of ties no pair that a scored is left: there b is ranked alone, and a by the other shares."""
    found = rank_intervals([1, 1, 2], {"a": [1, 2, NAN], "b": [1, 2, 3]}, shares=[0, 0.5], cells="own")
    own = 1 / 3
    assert found.loc["a", ["rank", "best", "worst", "best_at", "worst_at"]].tolist() == [1, 1, 1, own, own]
    assert found.loc["b", ["rank", "best", "worst", "best_at", "worst_at"]].tolist() == [2, 1, 2, 0, own]


@examples(60)
@given(st.integers(0, 10**6))
def test_missing_scores_never_break_it(seed):
    """Against the rows of tie_shares, which are checked by themselves: rank 1 + the number of higher values."""
    rng = np.random.default_rng(seed)
    human = rng.integers(0, 3, (3, 2)).astype(float)
    metrics = {name: np.where(rng.random((3, 2)) < 0.4, NAN, rng.integers(0, 3, (3, 2))) for name in "abc"}
    own = tk.count_ties(human).share
    shares = [0.0] * (own < 1) + [0.5, 1.0] * (own > 0) * (own < 1) + [own]
    rows = tk.sentinels.tie_shares(human, metrics, shares=shares, cells="own")
    found = rank_intervals(human, metrics, shares=shares, cells="own")
    values = {share: dict(zip(at["metric"], at["value"], strict=True)) for share, at in rows.groupby("share")}
    check_ranks(found, values, own)


def test_what_it_refuses():
    for asked in ({"calibrated": "yes"}, {"shares": [2]}, {"metrics": {}}):
        with pytest.raises(tk.InputError, match=f"^{next(iter(asked))}: "):
            rank_intervals([1, 2, 2], **{"metrics": {"m": [1, 2, 3]}, **asked})
    with pytest.raises(tk.InputError, match="shares: the human ties 0 of"):
        rank_intervals([1, 2, 3], {"m": [1, 2, 3]})


def test_the_published_shares_are_those_of_their_sources():
    found = published_tie_shares().set_index(["testset", "language_pair"])
    assert found["share"].is_monotonic_increasing
    with data_file("papers/deutsch2023_table3.csv").open(encoding="utf-8") as lines:
        printed = {row["language_pair"]: int(row["item"]) / 100 for row in csv.DictReader(lines)}
    for pair, share in printed.items():
        assert found.loc[("wmt22", pair), "share"] == pytest.approx(share, abs=0.005)
    with data_file("papers/wmt23_segments.csv").open(encoding="utf-8") as lines:
        tied = next(row for row in csv.DictReader(lines) if row["metric"] == "SENTINEL-SRC-MQM")
    for pair in ("en-de", "he-en", "zh-en"):
        assert found.loc[("wmt23", pair), "share"] == float(
            next(v for k, v in tied.items() if pair in k and "acc" in k)
        )
    own = tk.count_ties(tk.load_wmt22().select(), grouping="item").share
    assert found.loc[("wmt22", "zh-en"), "share"] == pytest.approx(own, abs=5e-4)


def test_at_8_percent_of_human_ties_noise_makes_matese_better():
    """WMT22 zh-en: .476 and with noise .515; MATESE falls from rank 6 of 24 to rank 21."""
    data = tk.load_wmt22()
    noisy = data.with_metric("MATESE + noise", perturb(data, metric="MATESE", rng=0))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tk.NearTieWarning)
        few = tk.sentinels.tie_shares(noisy, ["MATESE-refA", "MATESE + noise"], shares=[0.08])
        ranks = rank_intervals(data, shares=[0.08])
    assert [f"{value:.3f}" for value in few["value"]] == ["0.476", "0.515"]
    assert ranks.loc["MATESE-refA", ["rank", "best", "worst", "worst_at"]].tolist() == [6, 6, 21, 0.08]
    assert ranks.loc["GEMBA-GPT4-DA-refA", ["rank", "worst"]].tolist() == [3, 20]
    assert ranks.loc["COMET-22-refA", ["rank", "best", "worst"]].tolist() == [2, 1, 2]


@pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")
def test_8_percent_of_the_pairs_are_15_percent_of_the_mean():
    """100 of the 1,875 segments are tied throughout and keep full weight, however few of their pairs are kept."""
    data = tk.load_wmt22()
    constant = np.zeros((len(data.systems), len(data.segments)))
    with_constant = data.with_metric("constant", constant)
    asked = {"metrics": ["constant", "MATESE-refA", "COMET-22-refA"], "shares": [0.08]}
    of_pairs = tk.sentinels.tie_shares(with_constant, **asked).set_index("metric")
    assert of_pairs["share_in_mean"].round(3).tolist() == [0.155, 0.155, 0.155]
    assert of_pairs["value"].round(3).tolist() == [0.155, 0.476, 0.583]
    of_mean = tk.sentinels.tie_shares(with_constant, share_of="mean", **asked).set_index("metric")
    assert of_mean.loc["constant", ["value", "share_in_mean"]].tolist() == pytest.approx([0.08, 0.08], abs=1e-15)
    assert of_mean["share_of_ties"].round(3).tolist() == [0.018, 0.018, 0.018]
    ties = tk.count_ties(data)
    assert ties.in_mean(*keep_for_share(data, 0.08)) == pytest.approx(0.1548, abs=5e-5)
    defaults = tk.sentinels.tie_shares(with_constant, "constant", share_of="mean")
    assert defaults["value"].tolist() == pytest.approx(defaults["share"].tolist(), abs=1e-14)
    assert defaults["own"].sum() == 1


def test_rank_intervals_take_shares_of_the_mean():
    human, metrics = four_metrics(2)
    ties = tk.count_ties(human)
    found = rank_intervals(human, metrics, shares=[0.5], share_of="mean")
    own = ties.in_mean()
    assert (found.attrs["own"], found.attrs["own_in_mean"]) == (own, own)
    rows = tk.sentinels.tie_shares(human, metrics, shares=[0.5, own], share_of="mean")
    assert found.equals(intervals_of(rows, own))
    assert intervals_of(rows, 0.5).index[0] == rows[rows["share"] == 0.5].set_index("metric")["value"].idxmax()
