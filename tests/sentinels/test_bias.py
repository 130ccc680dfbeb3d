"""How alike metrics are, length against score, by SciPy and pandas; and probes, which see what they say they see."""

import tracemalloc

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import tiekit as tk
from tests.strategies import examples, matrices
from tiekit.sentinels import PROBES, length_bias, metric_correlations, probes, with_probes

NAN = float("nan")


def scores(n=3, shape=(6, 9), gaps=False):
    rng = np.random.default_rng(n)
    found = {f"m{i}": np.round(rng.normal(size=shape), 1) for i in range(n)}
    if gaps:
        found["m1"][rng.random(shape) < 0.3] = NAN
    return found


@pytest.mark.parametrize("name", list(tk.COEFFICIENTS))
@pytest.mark.parametrize("grouping", ["global", "item"])
def test_each_square_is_a_correlation(name, grouping):
    metrics = scores(gaps=True)
    found = metric_correlations(metrics, coefficient=name, grouping=grouping)
    assert list(found.index) == list(found.columns) == list(metrics)
    for one, other in [(a, b) for a in metrics for b in metrics]:
        expected = tk.correlate(metrics[one], metrics[other], name, grouping=grouping).value
        assert found.loc[one, other] == pytest.approx(expected, rel=1e-12, nan_ok=True)
    symmetric = np.allclose(found, found.T, rtol=1e-12, equal_nan=True)
    assert symmetric == tk.COEFFICIENTS[name].symmetric


def test_pearson_and_spearman_are_scipys():
    metrics = scores()
    flat = np.array([m.ravel() for m in metrics.values()])
    assert metric_correlations(metrics, grouping="global").to_numpy() == pytest.approx(np.corrcoef(flat))
    found = metric_correlations(metrics, coefficient="spearman", grouping="global")
    assert found.to_numpy() == pytest.approx(stats.spearmanr(flat.T).statistic)


def test_a_constant_is_like_nothing():
    found = metric_correlations({**scores(2), "constant": np.zeros((6, 9))}, grouping="global")
    assert found.isna().sum().sum() == 5


def test_correlations_refuse():
    for data, more, message in (
        ({}, {}, "metrics: there is none"),
        (scores(), {"coefficient": "kendal_x"}, "coefficient: "),
        ({"a": [1, 2], "b": [1, 2, 3]}, {}, r"data\['b'\]: must have the shape of data\['a'\], \(2,\), found \(3,\)"),
        ([[1, 2], [2, 1]], {}, "data: must be an EvalSet or a mapping of names to scores, found list"),
        (scores(), {"exclude": "A"}, "exclude: names systems of an EvalSet"),
        ({"a": [[[1, 2]]]}, {}, r"data\['a'\]: must be a vector or a matrix, found 3 dimensions"),
    ):
        with pytest.raises(tk.InputError, match=message):
            metric_correlations(data, **more)


@pytest.mark.parametrize("measure", ["acc_eq*", "global/tau_eq*", "system_means/pearson", "pairwise_accuracy", "pdp"])
def test_squares_of_other_measures_are_those_of_correlate(measure):
    metrics = scores()
    found = metric_correlations(metrics, coefficient=measure)
    for one, other in [(a, b) for a in metrics for b in metrics]:
        assert found.loc[one, other] == pytest.approx(tk.correlate(metrics[one], metrics[other], measure).value)
    vector = {name: matrix[0] for name, matrix in metrics.items()}
    for name in ("tau_b", "pdp"):
        of_vectors = metric_correlations(vector, ["m0", "M1"], name)
        assert list(of_vectors) == ["m0", "m1"]
        assert of_vectors.loc["m0", "m1"] == pytest.approx(tk.correlate(vector["m0"], vector["m1"], name).value)


def test_metrics_of_a_set_are_correlated_without_its_reference():
    metrics = scores()
    names = ("A", "B", "C", "D", "E", "ref"), tuple(map(str, range(9)))
    data = tk.EvalSet("toy", "", *names, {}, metrics, standard_reference="ref")
    without = {name: matrix[:-1] for name, matrix in metrics.items()}
    assert metric_correlations(data).equals(metric_correlations(without))
    assert metric_correlations(data, exclude=()).equals(metric_correlations(metrics))
    two = metric_correlations(data, ["M0", "m2"])
    assert two.equals(metric_correlations(without).loc[["m0", "m2"], ["m0", "m2"]])


def evalset(lengths, human, metric, **more):
    outputs = {f"s{i}": tuple("x" * n for n in row) for i, row in enumerate(lengths)}
    names = tuple(outputs), tuple(map(str, range(len(lengths[0]))))
    return tk.EvalSet("toy", "", *names, {"h": human}, {"m": metric}, outputs=outputs, **more)


@examples(12)
@given(st.integers(0, 500), st.integers(1, 9), st.integers(1, 30))
def test_lines_are_scipys_and_rows_hold_every_translation_once(seed, bins, longest):
    rng = np.random.default_rng(seed)
    lengths = rng.integers(0, longest + 1, (4, 8))
    human, metric = rng.integers(-5, 1, (4, 8)).astype(float), rng.normal(size=(4, 8))
    human[rng.random((4, 8)) < 0.2] = NAN
    scored = ~np.isnan(human)
    found = length_bias(evalset(lengths.tolist(), human, metric), "m", bins=bins)
    assert len(found.points) == scored.sum()
    for side, values in (("human", human), ("metric", metric)):
        line = found.lines.loc[side]
        if np.ptp(lengths[scored]) == 0:
            assert line.isna().all()
        elif np.ptp(values[scored]):
            expected = stats.linregress(lengths[scored], values[scored])
            assert line.tolist() == pytest.approx([expected.slope, expected.intercept, expected.rvalue], abs=1e-9)
    perfect = found.perfect
    assert perfect["n"].sum() == scored.sum()
    assert len(perfect) <= bins
    assert (perfect["shortest"].iloc[1:].to_numpy() > perfect["longest"].iloc[:-1].to_numpy()).all()
    assert (perfect["shortest"] <= perfect["longest"]).all()
    assert (perfect["n"] @ perfect["human"]) == pytest.approx((human == np.nanmax(human)).sum())
    assert (perfect["n"] @ perfect["metric"]) == pytest.approx((human == np.nanmax(human)).sum())  # it never ties
    points = found.points
    for row in perfect.itertuples():
        inside = points[points["length"].between(row.shortest, row.longest)]
        assert (len(inside), (inside["human"] >= found.human_from).mean()) == (row.n, pytest.approx(row.human))
        assert (inside["metric"] >= found.metric_from).mean() == pytest.approx(row.metric)


def test_points_name_their_translation():
    found = length_bias(evalset([[1, 2], [3, 4]], [[0, NAN], [-1, 0]], [[5, 6], [7, 8]]), "m", bins=1)
    expected = [["s0", "0", 1, 0.0, 5.0], ["s1", "0", 3, -1.0, 7.0], ["s1", "1", 4, 0.0, 8.0]]
    assert found.points.to_numpy().tolist() == expected
    assert (found.human_from, found.metric_from) == (0, 7)  # two of three are perfect for the human
    assert found.perfect.to_numpy().tolist() == [[1, 4, 3, 2 / 3, 2 / 3]]


def test_what_is_perfect_can_be_said():
    data = evalset([[1, 2, 3, 4]], [[0, -1, -5, 0]], [[9, 8, 7, 6]])
    found = length_bias(data, "m", bins=2, human_from=-1, metric_from=9)
    assert found.perfect[["human", "metric"]].to_numpy().tolist() == [[1.0, 0.5], [0.5, 0.0]]
    nobody = length_bias(data, "m", bins=1, human_from=1)
    assert nobody.perfect[["human", "metric"]].to_numpy().tolist() == [[0.0, 0.25]]


def test_the_reference_is_left_out_unless_it_is_asked_for():
    data = evalset([[1, 2], [3, 4]], [[0, 1], [2, 3]], [[5, 6], [7, 8]], standard_reference="s1")
    assert len(length_bias(data, "m").points) == 2
    assert len(length_bias(data, "m", exclude=()).points) == 4


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"human": "da"}, "human: there is no 'da'; known: h"),
        ({"metric": "x"}, "metric: there is no 'x'; known: m"),
        ({"bins": 0}, "bins: must be a whole number"),
        ({"bins": 2.0}, "bins: must be a whole number"),
        ({"data": tk.EvalSet("", "", ("a",), ("1",), {"h": [[1]]}, {"m": [[1]]})}, "data: no translation"),
        ({"data": [[1]]}, "data: must be an EvalSet, found list"),
    ],
)
def test_what_is_refused(change, message):
    asked = {"data": evalset([[1, 2]], [[0, 1]], [[5, 6]]), "human": "h", "metric": "m"} | change
    with pytest.raises(tk.InputError, match=message):
        length_bias(**asked)


def test_real_metrics_call_long_translations_perfect_less_often_than_people(wmt22_zh_en):
    """Section 3.4.1: a trained metric does, one that is prompted or trained otherwise does not."""
    trained, prompted = (length_bias(wmt22_zh_en, name) for name in ("metricx_xxl_MQM_2020-refA", "GEMBA-Dav3-DA-refA"))
    assert len(trained.points) == 28_125
    assert trained.lines["r"].round(3).tolist() == [-0.336, -0.526]
    longest = trained.perfect.iloc[-1]
    assert longest["metric"] < longest["human"] / 2
    assert prompted.perfect.iloc[-1]["metric"] > longest["human"]
    assert isinstance(trained.perfect, pd.DataFrame)


HUMAN = [[0.0, -1.0, NAN], [-5.0, -1.0, NAN], [-1.0, NAN, NAN]]


def set_for_probes(**given):
    facts = {"human": {"mqm": HUMAN}, "metrics": {}, "sources": ("one", "twice", "")}
    facts |= {"outputs": {"A": ("uno", "dos", "x"), "B": ("un", "deux fois", "")}}
    return tk.EvalSet("toy", "xx-yy", ("A", "B", "ref"), ("1", "2", "3"), **facts | given)


def test_each_knows_what_it_says():
    found = probes(set_for_probes(standard_reference="ref"))
    assert list(found) == list(PROBES)
    expected = {
        "source length": [[-3, -5, 0]] * 3,
        "candidate length": [[-3, -3, -1], [-2, -9, 0], [NAN] * 3],
        "segment mean": [[-2.5, -1, NAN]] * 3,  # without the reference, which nobody ranks
        "constant": [[0, 0, 0]] * 3,
    }
    for name, scores in expected.items():
        assert np.array_equal(found[name], scores, equal_nan=True), name
    assert len(np.unique(found["random"])) == 9
    assert [name for name, probe in PROBES.items() if probe.leaks] == ["segment mean"]
    assert "leaks" in PROBES["segment mean"].meaning
    assert all(probe.name == name for name, probe in PROBES.items())


def test_systems_whose_scores_the_mean_sees_can_be_chosen():
    for data, exclude, first in ((set_for_probes(standard_reference="ref"), (), -2), (set_for_probes(), "B", -0.5)):
        assert probes(data, exclude=exclude)["segment mean"][0].tolist()[:2] == [first, -1]


def test_sets_without_texts_have_no_lengths():
    assert list(probes(set_for_probes(sources=(), outputs={}))) == ["segment mean", "random", "constant"]
    assert "candidate length" not in probes(set_for_probes(outputs={}))
    with pytest.raises(tk.InputError, match="'candidate length' needs the length of each translation"):
        probes(set_for_probes(outputs={}), names=["candidate length"])


def test_chance_can_be_drawn_again():
    drawn = [probes(set_for_probes(), rng=rng)["random"] for rng in (None, np.random.default_rng(0), 1)]
    assert np.array_equal(drawn[0], drawn[1])
    assert not np.array_equal(drawn[0], drawn[2])
    assert np.array_equal(probes(set_for_probes(), names="random")["random"], drawn[0])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"human": "da"}, "human: there is no 'da'; known: mqm"),
        ({"names": "length"}, "names: there is no 'length'; did you mean source length?"),
        ({"exclude": "C"}, "exclude: there is no system 'C'"),
        ({"rng": "seed"}, "rng: "),
    ],
)
def test_what_probes_refuse(change, message):
    with pytest.raises(tk.InputError, match=message):
        probes(set_for_probes(), **change)
    with pytest.raises(tk.InputError, match=message):
        with_probes(set_for_probes(), **change)


def test_a_set_that_has_them_already_is_refused():
    with pytest.raises(tk.InputError, match="the set has a metric 'source length' already"):
        with_probes(with_probes(set_for_probes()))


@examples(20)
@given(matrices(("few", "tenths")), st.randoms())
def test_the_segment_mean_is_constant_by_item_whatever_the_order(pair, random):
    human = pair[0]
    rows = random.sample(range(len(human)), len(human))
    names, segments = tuple(map(str, range(len(human)))), tuple(map(str, range(human.shape[1])))
    found, turned = (
        probes(tk.EvalSet("", "", names, segments, {"h": h}, {}))["segment mean"] for h in (human, human[rows])
    )
    assert np.array_equal(found, turned, equal_nan=True)
    by_item = tk.correlate(human, found)
    ties = tk.count_ties(human)
    if ties.n_pairs:
        shares = [tk.count_ties(h).share for h in human.T if np.sum(h == h) > 1]
        assert by_item.value == pytest.approx(np.nanmean(shares))
    assert np.isnan(tk.correlate(human, found, "tau_b").value)


def test_means_that_differ_by_rounding_are_one():
    assert (0.4 + 0.8) / 2 != (0.0 + 1.2) / 2
    data = tk.EvalSet("", "", ("A", "B"), ("1", "2"), {"h": [[0.4, 0.0], [0.8, 1.2]]}, {})
    mean = probes(data)["segment mean"]
    assert mean[0, 0] == mean[0, 1] == pytest.approx(0.6)


def test_the_leaderboard_ranks_them():
    """Human scores that differ by segment only: the leak is perfect without grouping, and nothing by item."""
    human = np.tile([[0.0, -1.0, -5.0, -2.0]], (4, 1))
    data = tk.EvalSet("", "", tuple("ABCD"), tuple("1234"), {"h": human}, {"m": np.eye(4)}, gold="h")
    boards = {by: tk.leaderboard(with_probes(data), grouping=by, calibrated=()) for by in ("global", "item")}
    assert boards["global"].loc["segment mean", "tau_b"] == pytest.approx(1)
    assert boards["global"].loc["segment mean", "rank(tau_b)"] == 1
    assert np.isnan(boards["item"].loc["segment mean", "tau_b"])
    assert boards["item"].loc["segment mean", "acc_eq"] == boards["item"].loc["constant", "acc_eq"] == 1


@pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")
def test_on_real_scores_the_leak_wins_unless_pairs_are_of_one_segment(wmt22_zh_en):
    data = with_probes(wmt22_zh_en)
    strongest = ["metricx_xxl_MQM_2020-refA", "COMET-22-refA", "GEMBA-GPT4-DA-refA", "UniTE-refA"]
    asked = {"metrics": [*PROBES, *strongest], "coefficients": ["tau_b", "acc_eq"], "calibrated": ()}
    boards = {by: tk.leaderboard(data, "mqm", grouping=by, **asked) for by in ("global", "system", "item")}
    tau_b = boards["global"]["tau_b"]
    assert tau_b["segment mean"] == pytest.approx(0.545, abs=0.0005)
    assert tau_b["metricx_xxl_MQM_2020-refA"] == pytest.approx(0.421, abs=0.0005)
    for by in ("global", "system"):
        assert boards[by].loc["segment mean", "rank(tau_b)"] == 1
        assert boards[by].loc["source length", "tau_b"] > 0.2 > abs(boards[by].loc["random", "tau_b"]) * 20
    by_item = boards["item"]
    assert np.isnan(by_item.loc[["segment mean", "source length", "constant"], "tau_b"]).all()
    share = tk.count_ties(wmt22_zh_en.select().human["mqm"], grouping="item").share
    assert by_item.loc["segment mean", "acc_eq"] == pytest.approx(share, abs=1e-12)
    assert by_item.loc["candidate length", "tau_b"] < 0


def test_many_translations_are_heard_and_take_little_memory():
    rng = np.random.default_rng(0)
    data = evalset(rng.integers(1, 300, (2, 60_000)).tolist(), *rng.normal(size=(2, 2, 60_000)))
    length_bias(evalset([[1, 2]], [[0, 1]], [[5, 6]]), "m")
    heard = []
    tracemalloc.start()
    length_bias(data, "m", progress=heard.append)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 200 * 120_000
    assert len(heard) > 5
