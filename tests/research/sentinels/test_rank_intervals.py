"""Rank intervals against a brute force over pairs with weights; the file of published shares; WMT22 at 8 % of ties."""

import csv
import itertools
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from tests.strategies import examples
from tiekit.readers import data_file
from tiekit.research.sentinels.shares import intervals_of
from tiekit.sentinels import keep_for_share, perturb, published_tie_shares, rank_intervals

NAN = float("nan")


def scores(seed, shape=(4, 12)):
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
    human, metrics = scores(seed)
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
    human, metrics = scores(1)
    shares = published_tie_shares()["share"]
    found = rank_intervals(human, metrics)
    same = rank_intervals(human, metrics, shares=[*shares, shares[0]])
    assert found.equals(same)
    at = {*shares, found.attrs["own"]}
    assert set(found["best_at"]) | set(found["worst_at"]) <= at


def test_a_metric_without_a_value_has_no_rank():
    human, metrics = scores(1)
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


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"calibrated": "yes"}, "calibrated: must be True or False, found 'yes'"),
        ({"shares": [2]}, "shares: must be a number from 0 to 1, found 2"),
        ({"metrics": {}}, "metrics: there is none to compare"),
    ],
)
def test_what_it_refuses(asked, message):
    human, metrics = scores(1)
    with pytest.raises(tk.InputError, match=f"^{message}"):
        rank_intervals(human, **{"metrics": metrics, **asked})
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
    human, metrics = scores(2)
    ties = tk.count_ties(human)
    found = rank_intervals(human, metrics, shares=[0.5], share_of="mean")
    own = ties.in_mean()
    assert (found.attrs["own"], found.attrs["own_in_mean"]) == (own, own)
    rows = tk.sentinels.tie_shares(human, metrics, shares=[0.5, own], share_of="mean")
    assert found.equals(intervals_of(rows, own))
    assert intervals_of(rows, 0.5).index[0] == rows[rows["share"] == 0.5].set_index("metric")["value"].idxmax()
