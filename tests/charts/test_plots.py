"""Every result that says it can be drawn is drawn, from its own numbers, in both themes; pictures can be saved."""

import dataclasses
from functools import cache

import altair as alt
import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tests.charts.reading import encodings
from tiekit.base.results import Plotted
from tiekit.charts.plots import figure_and_frame

RNG = np.random.default_rng(3)
HUMAN = RNG.integers(0, 4, (4, 30)).astype(float)
METRICS = {name: HUMAN + RNG.integers(0, size, (4, 30)) for name, size in (("a", 3), ("b", 6), ("c", 20))}
SET = tk.EvalSet("toy", "", tuple("ABCD"), tuple(map(str, range(30))), {"h": HUMAN}, METRICS)
RANKINGS = tk.judgments.Rankings.from_rows(
    [("ann", "1", {"A": 1, "B": 2, "C": 2}), ("bob", "1", {"A": 2, "B": 1, "C": 3})]
)


SAME = dataclasses.replace(SET, identical=np.arange(HUMAN.size).reshape(HUMAN.shape) // (2 * HUMAN.shape[1]))


@cache
def comparison():
    return tk.significance.compare_metrics(HUMAN, METRICS, n_resamples=19)


@cache
def board():
    return tk.leaderboard(SET, coefficients=["tau_b", "acc_eq"], calibrated="acc_eq").assign(
        cluster=comparison().clusters()
    )


def official():
    nothing = dict.fromkeys(field.name for field in dataclasses.fields(tk.official.OfficialRanking))
    average, clusters = pd.Series({"x": 0.7, "y": 0.6}), pd.Series({"x": 1, "y": 2}, dtype="Int64")
    return tk.official.OfficialRanking(**nothing | {"average": average, "clusters": clusters})


RESULTS = {
    "set": lambda: SET,
    "correlation": lambda: tk.correlate(SET, "a", "tau_b"),
    "one group": lambda: tk.correlate(SET, "a", "pearson", grouping="global"),
    "system means": lambda: tk.correlate(SET, "a", "pearson", grouping="system_means"),
    "calibration": lambda: tk.calibrate(SET, "b"),
    "permutation test": lambda: tk.significance.permutation_test(SET, "a", "b", n_resamples=19, alternative="greater"),
    "comparison": comparison,
    "bootstrap": lambda: tk.significance.bootstrap_interval(SET, "a", n_resamples=19),
    "formula": lambda: tk.significance.bonett_wright(HUMAN[0], METRICS["c"][0]),
    "board": board,
    "board of one": lambda: tk.leaderboard(SET, coefficients="tau_b", calibrated=()),
    "standing": lambda: tk.standing(SET, "a", n_resamples=19),
    "official": official,
    "attainable": lambda: tk.judgments.attainable(RANKINGS),
    "agreement": lambda: tk.judgments.agreement(RANKINGS),
    "kappa": lambda: tk.judgments.agreement(RANKINGS).between,
    "judged": lambda: tk.judgments.judge_metric(RANKINGS, [[3], [2], [1]]),
    "judged pairs": lambda: tk.judgments.judge_metric(tk.judgments.resolve(RANKINGS), [[3], [2], [1]]),
    "audit": lambda: tk.identical.audit(SAME, n_resamples=19),
    "repair": lambda: tk.identical.repair(SAME),
    "preferences": lambda: RANKINGS.preferences("keep"),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", RESULTS)
def test_a_result_is_drawn_from_its_frame(name):
    chart = RESULTS[name]().plot(theme="dark" if len(name) % 2 else "light")
    assert isinstance(chart, alt.LayerChart)
    assert len(chart.data)
    figure = chart.properties(width=300, title="mine").to_dict()
    assert figure["title"] == "mine"
    computed = {"mirrored", "rank"}
    assert {part["field"] for part in encodings(figure["layer"])} <= {*chart.data.columns, *computed}


def test_what_can_be_drawn_is_drawn_and_nothing_else():
    known = {kind for kind in figure_and_frame.registry if kind is not object}
    assert {type(made()) for made in RESULTS.values()} == known
    assert known - {tk.EvalSet, tk.Leaderboard} == set(Plotted.__subclasses__())
    with pytest.raises(tk.InputError, match="theme: must be one of light, dark, found 'blue'"):
        comparison().plot(theme="blue")
    with pytest.raises(tk.InputError, match="there is no picture of a PairCounts"):
        figure_and_frame(tk.count_pairs([1, 2], [1, 2]), "light", None)


def test_pictures_show_the_numbers_of_their_results():
    found = tk.correlate(SET, "a", "tau_b")
    frame = found.plot().data
    assert frame["count"].sum() == np.isfinite(found.per_group).sum()
    assert frame["at"].dropna().tolist() == [found.value]
    means = tk.correlate(SET, "a", "pearson", grouping="system_means").plot().data
    np.testing.assert_allclose(sorted(means["human"]), sorted(HUMAN.mean(axis=1)))
    values = board().plot("acc_eq*").data.set_index("metric")
    assert values["value"].to_dict() == board()["acc_eq*"].to_dict()
    assert values["cluster"].to_dict() == board()["cluster"].astype(str).to_dict()
    assert set(board().plot().data["coefficient"]) == {"τ_b", "acc_eq", "acc_eq*"}
    assert SET.plot().data["count"].sum() == HUMAN.size
    assert SET.plot("C").data["high"].max() == pytest.approx(METRICS["c"].max())
    with pytest.raises(tk.InputError, match="name: there is no 'd'"):
        SET.plot("d")


def test_a_set_is_drawn_by_its_gold_score_without_its_reference():
    scores = {"other": np.zeros((4, 30)), "gold": HUMAN}
    given = "toy", "", tuple("ABCD"), tuple(map(str, range(30)))
    data = tk.EvalSet(*given, scores, {}, gold="gold", standard_reference="D")
    figure = data.plot().to_dict()
    assert figure["layer"][0]["encoding"]["x"]["title"] == "gold"
    assert data.plot().data["count"].sum() == 3 * 30
    with pytest.raises(tk.InputError, match="name: the set has no human score, so name a metric"):
        tk.EvalSet(*given, {}, METRICS).plot()


@pytest.mark.parametrize(("ending", "begins"), [("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_a_picture_is_saved(tmp_path, ending, begins):
    chart = board().plot("acc_eq*", theme="dark")
    chart.save(tmp_path / f"board.{ending}")
    saved = (tmp_path / f"board.{ending}").read_bytes()
    assert saved.startswith(begins)
    assert len(saved) > 1000
    if ending == "svg":
        assert all(name in saved.decode() for name in METRICS)
        assert "#171614" in saved.decode()
