"""Probes see what they say they see, and earn what grouping lets them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from tests.strategies import examples, matrices
from tiekit.sentinels import PROBES, probes, with_probes

NAN = float("nan")
HUMAN = [[0.0, -1.0, NAN], [-5.0, -1.0, NAN], [-1.0, NAN, NAN]]


def evalset(**given):
    facts = {"human": {"mqm": HUMAN}, "metrics": {}, "sources": ("one", "twice", "")}
    facts |= {"outputs": {"A": ("uno", "dos", "x"), "B": ("un", "deux fois", "")}}
    return tk.EvalSet("toy", "xx-yy", ("A", "B", "ref"), ("1", "2", "3"), **facts | given)


def test_each_knows_what_it_says():
    found = probes(evalset(standard_reference="ref"))
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
    for data, exclude, first in ((evalset(standard_reference="ref"), (), -2), (evalset(), "B", -0.5)):
        assert probes(data, exclude=exclude)["segment mean"][0].tolist()[:2] == [first, -1]


def test_sets_without_texts_have_no_lengths():
    assert list(probes(evalset(sources=(), outputs={}))) == ["segment mean", "random", "constant"]
    assert "candidate length" not in probes(evalset(outputs={}))
    with pytest.raises(tk.InputError, match="'candidate length' needs the length of each translation"):
        probes(evalset(outputs={}), names=["candidate length"])


def test_chance_can_be_drawn_again():
    drawn = [probes(evalset(), rng=rng)["random"] for rng in (None, np.random.default_rng(0), 1)]
    assert np.array_equal(drawn[0], drawn[1])
    assert not np.array_equal(drawn[0], drawn[2])
    assert np.array_equal(probes(evalset(), names="random")["random"], drawn[0])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"human": "da"}, "human: there is no 'da'; known: mqm"),
        ({"names": "length"}, "names: there is no 'length'; did you mean source length?"),
        ({"exclude": "C"}, "exclude: there is no system 'C'"),
        ({"rng": "seed"}, "rng: "),
    ],
)
def test_what_is_refused(change, message):
    with pytest.raises(tk.InputError, match=message):
        probes(evalset(), **change)
    with pytest.raises(tk.InputError, match=message):
        with_probes(evalset(), **change)


def test_a_set_that_has_them_already_is_refused():
    with pytest.raises(tk.InputError, match="the metric 'source length' is already there"):
        with_probes(with_probes(evalset()))


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
