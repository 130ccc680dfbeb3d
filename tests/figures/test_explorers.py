"""Figures that are called by name: what each is given, what moves, what is refused, and a page of its own."""

import inspect
import json
import math
import re
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import traitlets

import tiekit as tk
from tiekit import widgets
from tiekit.base.errors import collect_warnings
from tiekit.figures import NOISE_ENDING, Widget
from tiekit.widgets import (
    CalibrationExplorer,
    GroupingExplorer,
    HumanRows,
    JudgeVotes,
    MeasureAgreement,
    NaNExplorer,
    Podium,
    RankExplorer,
    RankingGame,
    SwapExplorer,
    TieLab,
    TieShareExplorer,
)

NAN = math.nan
HUMAN = [[0, -1, -5, -2, NAN], [-1, -1, -3, 0, -1], [-1, -7, -5, 0, -2]]
METRICS = {
    "a": [[3, 2, 1, 1, 4], [2, 2, 2, 3, 3], [1, NAN, 1, 3, 2]],
    "b": [[5, 5, 1, 2, 2], [4, 3, 1, 3, 9], [5, 2, 1, 2, 1]],
}
WHOLE = METRICS | {"a": [*METRICS["a"][:2], [1, 5, 1, 3, 2]]}
JUDGES = {"x": [1, 3, 2, 4], "y": [4, 1, NAN, 2]}
MEASURES = ["item/acc_eq*", "global/tau_b", "system_means/pearson"]


def synthetic():
    return tk.read_mtme(Path(__file__).parents[2] / "data", "synthetic", "qaa-qab")


@cache
def given(name):
    """What a figure is given, and what it then shows of what moves."""
    if name == "RankExplorer":
        board = tk.leaderboard(
            synthetic(), metrics=["Contour", "Ladder"], coefficients=["tau_b", "acc_eq"], calibrated="acc_eq"
        )
        return (board,), {"metric": None}
    if name == "TieShareExplorer":
        noisy = {"a" + NOISE_ENDING: np.array(METRICS["a"]) + np.linspace(0, 0.1, 15).reshape(3, 5)}
        return (tk.sentinels.tie_shares(HUMAN, METRICS | noisy, cells="own"),), {"chosen": "a", "share": 0.08}
    if name == "MeasureAgreement":
        values = tk.measures.evaluate_measures(HUMAN, METRICS, MEASURES, cells="own")
        return (values,), {"chosen": ["item/acc_eq*", "global/tau_b"]}
    if name == "HumanRows":
        found = tk.humans.rank_humans(synthetic(), metrics=["Contour"], n_resamples=0)
        return (found,), {"judge": found.human, "measure": "item/acc_eq*", "row": ""}
    if name == "JudgeVotes":
        votes = tk.votes.read_votes(tk.examples().path["votes"])
        return (votes.by("person"), {"Atlas": votes.by("Atlas")}), {"threshold": [0.0]}
    return {
        "Podium": ((), {"epsilon": 0}),
        "GroupingExplorer": ((HUMAN, WHOLE), {"grouping": "global", "cell": None}),
        "RankingGame": ((JUDGES, [3, 4, 2, 1]), {"metric": [3, 4, 2, 1]}),
    }[name]


MOVED = {
    "Podium": {"epsilon": 4},
    "GroupingExplorer": {"grouping": "item", "cell": [2, 4]},
    "RankExplorer": {"metric": "Ladder-refA"},
    "TieShareExplorer": {"chosen": "b", "share": 0.5},
    "RankingGame": {"metric": [1, 2, 3, 4]},
    "MeasureAgreement": {"chosen": ["global/tau_b", "system_means/pearson"]},
    "HumanRows": {"row": "Contour-refA"},
    "JudgeVotes": {"threshold": 1.0},
}
REFUSED = {
    "Podium": ("epsilon", 21, "epsilon: must be a whole number from 0 to 20, found 21"),
    "GroupingExplorer": (
        "cell",
        [3, 0],
        r"cell: must be None or a list of a whole number from 0 to 2, a whole number from 0 to 4, found \[3, 0\]",
    ),
    "RankExplorer": ("metric", "c", "metric: must be None or one of"),
    "TieShareExplorer": ("chosen", "a + noise", "chosen: must be one of a, b, found 'a"),
    "RankingGame": ("metric", [1, 2, NAN, 3], "metric: must be a list of 4, each a finite number, found"),
    "MeasureAgreement": ("chosen", ["global/tau_b"], "chosen: must be a list of 2, each one of"),
    "HumanRows": ("row", "c", "row: must be one of"),
    "JudgeVotes": ("threshold", -1, "threshold: must be a finite number of at least 0"),
}


@pytest.mark.parametrize("name", ["NaNExplorer", "CalibrationExplorer"])
def test_metrics_are_compared_on_the_cells_of_a_leaderboard(name):
    human, few = np.tile([[1.0], [2.0], [3.0]], 5), np.full((3, 5), NAN)
    few[:, :3] = [[1, 1, 1], [3, 3, 2], [2, 2, 3]]
    other = np.array([[1, 1, 2, 1, 1], [3, 3, 1, 2, 2], [2, 2, 3, 3, 3]])  # is best where the other has no scores
    metrics = {"few": few, "other": other, "apart": np.where(few == 1, 1, NAN)}
    starred = "acc_eq*" if name == "CalibrationExplorer" else "acc_eq"
    with pytest.warns(tk.CoverageWarning):
        board = tk.leaderboard(tk.EvalSet.from_arrays(human, metrics), coefficients=starred)
    with pytest.warns(tk.CoverageWarning) as said:
        figure = getattr(widgets, name)(human, metrics, coefficient="acc_eq")
    assert "compared on 3 of 5 segments: few has no scores of 2 segments; cells=" in str(said[0].message)
    assert "apart has scores of 3 of 15 cells, so it is not shown; cells=" in str(said[1].message)
    best = figure.chosen if name == "CalibrationExplorer" else next(iter(figure.ranking))
    assert best == board.index[0] == "few"
    with pytest.warns(tk.CoverageWarning, match="other pairs"):
        figure = getattr(widgets, name)(human, metrics, coefficient="acc_eq", cells="own")
    assert "other" in (figure.chosen if name == "CalibrationExplorer" else next(iter(figure.ranking)))
    with pytest.warns(tk.CoverageWarning, match="compared on 9 of 15"):
        lab = TieLab(human.ravel(), {"few": few.ravel(), "other": other.ravel()})
    assert lab.data()["aside"][2:5] == [None, 1.0, 1.0], "human scores that a metric leaves alone"
    assert lab.counts["few"].total == lab.counts["other"].total == 36


def figure(name):
    return getattr(widgets, name)(*given(name)[0])


def moving(stage):
    return {key: getattr(stage, key) for key in stage.FIGURE.keys}


@pytest.mark.parametrize("name", MOVED)
def test_a_figure_moves_from_both_sides_and_becomes_a_page(name, tmp_path):
    _, first = given(name)
    stage = figure(name)
    assert moving(stage) == first
    stage.set_state(MOVED[name])  # as the browser does
    assert moving(stage) == first | MOVED[name]
    for key, value in first.items():
        setattr(stage, key, value)
    assert moving(stage) == first
    json.dumps(stage.data(), allow_nan=False)
    stage.to_html(tmp_path / "stage.html")
    page = (tmp_path / "stage.html").read_text(encoding="utf-8")
    title, made = stage._title_and_origin()
    assert f"<h1>{title}" in page.replace("&#x27;", "'")
    assert repr(stage) == f"{name}: {title}. {made}".replace("?.", "?")
    assert set(stage.FIGURE.keys) <= set(stage.keys) & set(dir(type(stage)))


@pytest.mark.parametrize("name", MOVED)
def test_what_cannot_be_shown_is_refused_and_changes_nothing(name):
    _, first = given(name)
    stage, (key, value, message) = figure(name), REFUSED[name]
    with pytest.raises(tk.InputError, match=message):
        setattr(stage, key, value)
    for odd in (object(), {"a": 1}, [[1]], "x" * 40):
        with pytest.raises(tk.InputError, match=f"{key}: must be"):
            setattr(stage, key, odd)
    assert moving(stage) == first


@pytest.mark.parametrize(
    "widget",
    [
        TieLab([1, 2], [[1, 2]]),
        CalibrationExplorer([1, 2], [1, 2]),
        NaNExplorer([[1, 2], [2, 1]], {"a": [[1, 2], [2, 1]]}),
        SwapExplorer([1, 2], [1, 2], [2, 1]),
    ],
)
def test_results_are_read_only_and_stay_in_python(widget):
    results = [
        name for name, trait in widget.traits().items() if trait.read_only and "tiekit" in trait.this_class.__module__
    ]
    assert results
    for name in results:
        with pytest.raises(traitlets.TraitError, match="read-only"):
            setattr(widget, name, getattr(widget, name))
        assert name not in widget.get_state()


@pytest.mark.parametrize("name", widgets.__all__)
def test_a_figure_has_a_signature_traits_and_no_other_attributes(name):
    kind = getattr(widgets, name)
    assert issubclass(kind, Widget)
    assert "args" not in inspect.signature(kind).parameters
    assert name == "RankingGame" or "metric" not in MOVED.get(name, {}) or hasattr(kind, "metric")
    one = Podium() if name == "Podium" else TieLab([1, 2], [1, 2])
    with pytest.raises(AttributeError, match="has no 'shade'; what moves: "):
        one.shade = 3


SERIES = pd.Series([0, -1, -1, -5], name="mqm")
FRAME = pd.DataFrame({"m1": [3, 1, 2, 0], "m2": [1.5, 2, 2, 0.5]})


@pytest.mark.parametrize(
    "metrics",
    [FRAME, FRAME["m1"], FRAME["m1"].tolist(), {"m1": FRAME["m1"]}, [FRAME["m1"].tolist(), FRAME["m2"].tolist()]],
    ids=["frame", "series", "list", "mapping", "lists"],
)
@pytest.mark.parametrize("human", [SERIES, SERIES.tolist(), SERIES.to_numpy()], ids=["series", "list", "array"])
def test_scores_of_every_form_are_taken(human, metrics):
    lab = TieLab(human, metrics)
    assert lab.metrics["m1"] == [3, 1, 2, 0]
    explorer = CalibrationExplorer(human, metrics)
    assert explorer.best[1] == tk.calibrate(SERIES.tolist(), FRAME[explorer.chosen or "m1"].tolist()).value
    assert RankExplorer(human, metrics, columns=["tau_b"]).data()["metrics"][0]["name"] in FRAME
    assert len(TieShareExplorer(human, metrics).data()["metrics"]) >= len(lab.metrics)
    if len(lab.metrics) == 2:
        assert SwapExplorer(human, metrics).observed == pytest.approx(
            SwapExplorer(human, FRAME["m1"], FRAME["m2"]).observed
        )


def test_a_set_is_shown_by_names_and_what_does_not_fit_is_said(tmp_path):
    data = synthetic()
    with pytest.warns(tk.errors.LeftOutWarning, match=r"TieLab: shows segment='\d+' \(of 300\)") as said:
        lab = TieLab(data, ["Contour", "Ladder"])
    told = int(re.search(r"segment='(\d+)", str(said[0].message))[1])
    assert TieLab(data, "Contour", segment=told).human == pytest.approx(lab.human, nan_ok=True)
    named = tk.EvalSet.from_arrays([[1, 2], [1, 2], [2, 2]], {"m": [[1, 2], [3, 2], [2, 1]]}, segments=["d1", "d2"])
    with pytest.warns(tk.errors.LeftOutWarning, match=r"shows segment='d1' \(of 2\)"):
        one = TieLab(named)
    assert one.data()["part"] == "segment d1 of 2; a leaderboard compares all segments and may rank otherwise"
    assert one.data()["item_names"] == []  # the systems have no names
    one.show([1, 2], {"m": [1, 2]})
    assert not one.data()["part"]
    for figure, segment, part in (
        (CalibrationExplorer, 4, f"segment {data.segments[3]} of 300, 15 cells, by item"),
        (GroupingExplorer, range(1, 34), "6 of 15 systems, 33 of 300 segments"),
        (TieLab, 4, f"segment {data.segments[3]} of 300; a leader"),
    ):
        for metrics in ("Contour", ["Contour", "Ladder"])[figure is GroupingExplorer :]:
            with collect_warnings():  # of systems that do not fit
                made = figure(data, metrics, segment=segment)
            assert made.data()["part"].startswith(part)
            assert made._source.startswith("set:synthetic/qaa-qab|human:mqm")
            assert made.data()["item_names"] == list(data.select().systems) * (figure is TieLab)
    assert list(lab.metrics) == ["Contour-refA", "Ladder-refA"]
    chosen = TieLab(data, "Contour", segment=4)
    assert chosen.human == pytest.approx(data.select().human[data.gold][:, 3].tolist(), nan_ok=True)
    assert TieLab(data, "Contour", segment=data.segments[3]).human == pytest.approx(chosen.human, nan_ok=True)
    with pytest.warns(tk.errors.LeftOutWarning, match="GroupingExplorer: shows 6 of 15 systems and 8 of 300 segments"):
        explorer = GroupingExplorer(data, ["Contour", "Ladder"])
    shown, page = explorer.data(), tmp_path / "page.html"
    assert (len(shown["human"]), len(shown["segments"])) == (6, 8)
    by_system = tk.correlate(shown["human"], shown["metrics"][0]["scores"], "acc_eq", grouping="system")
    assert explorer.values["system"]["Contour-refA"] == by_system.value  # noqa: PD011 — no DataFrame
    explorer.to_html(page)
    assert shown["part"].startswith("6 of 15 systems, 8 of 300 segments")
    text = page.read_text(encoding="utf-8")
    assert f" Shown: {shown['part']}. set:synthetic" in text
    assert "</h1>\n<p>Data: synthetic/qaa-qab · human: mqm</p>" in text
    assert "<p><b>acc_eq</b>: The share of pairs on which human and metric agree" in text
    assert "<b>τ_14</b>" not in text
    with pytest.warns(tk.errors.CoverageWarning, match="compared on 3 of 4 cells"):
        gap = GroupingExplorer([[1, 2], [2, 1]], {"a": [[1, 2], [2, None]], "b": [[1, 2], [2, 1]]})
    assert gap.data()["part"] == "3 of 4 cells"
    skips = np.where(np.arange(5) == 1, NAN, METRICS["b"])  # a whole segment
    whole = tk.EvalSet.from_arrays(HUMAN, METRICS | {"skips": skips}, name="mine")
    for figure in (CalibrationExplorer, RankExplorer, NaNExplorer, SwapExplorer, TieShareExplorer, MeasureAgreement):
        with pytest.warns(tk.errors.CoverageWarning):
            made = figure(whole, ["a", "b"])
        with collect_warnings():
            gaps = figure(whole, ["a", "skips"]), figure(whole.human["human"], {"a": METRICS["a"], "skips": skips})
        assert {one.data()["part"][:14] for one in gaps} == {"11 of 14 cells"}
        with collect_warnings():  # that metrics on a board are judged on other pairs
            own = figure(whole, ["a", "b"], cells="own")
        assert own.data()["part"] == "14 cells, by item" * (figure is not MeasureAgreement)
        made.to_html(page)
        assert made.data()["part"] == "13 of 14 cells" + ", by item" * (figure is not MeasureAgreement)
        assert re.search(r"<title>.* · a(,| and) b.* · mine · \w{12}</title>", page.read_text("utf-8"))
    assert not GroupingExplorer([[1, 2], [2, 1]], {"a": [[1, 2], [2, 1]], "b": [[1, 2], [2, 1]]}).data()["part"]
    with pytest.warns(tk.errors.LeftOutWarning, match="NaNExplorer: shows 8 of 10 metrics"):
        NaNExplorer(data)
    with pytest.warns(tk.errors.CoverageWarning, match="on 2 of 3 systems: a has no scores of 3;.*own cells"):
        by_hand = SwapExplorer(whole, ["a", "b"], segment=1)
    assert (by_hand.test.cells, by_hand.data()["aside"]) == ("common", [None, None, -7])
    own = SwapExplorer(whole, ["a", "b"], segment=1, cells="own")
    assert (own.test.cells, own.data()["part"][:14]) == ("own", "segment 2 of 5")
    assert SwapExplorer(data, ["Contour", "Ladder"], segment=2).data()["item_names"] == list(data.select().systems)
    two = tk.EvalSet.from_arrays(
        [[1, 2], [1, 2], [2, 2]], {"m": [[1, 2], [3, 2], [2, 1]], "n": [[1, 2], [1, 1], [2, 1]]}
    )
    assert SwapExplorer(two, segment=0).observed == SwapExplorer(two, "m", "n", segment=0).observed != 0
    assert len(RankExplorer(data, ["Contour", "Ladder"], columns=["tau_b", "acc_eq*"]).data()["columns"]) == 2
    assert len(MeasureAgreement(data, ["Contour", "Ladder"], ["global/tau_b", "item/tau_b"]).data()["metrics"]) == 2
    assert HumanRows(data, "Contour", n_resamples=0).judge == data.gold or len(data.human) > 1
    with pytest.warns(tk.errors.LeftOutWarning, match="RankingGame: shows"):
        game = RankingGame(data, "Contour")
    assert len(game.metric) == 6
    judged = tk.EvalSet(
        "toy", "", ("A", "B", "C"), ("1",), {"a": [[1], [2], [3]], "b": [[3], [1], [2]]}, {"m": [[1], [3], [2]]}
    )
    assert RankingGame(judged, "m").metric == [1, 3, 2]  # of several judges none need be the gold one
    assert "mean over" not in CalibrationExplorer(data, "Contour", segment="1").data()["note"]
    with pytest.raises(tk.InputError, match="segment: there is no '0'"):  # names are numbers, from 1
        TieLab(data, "Contour", segment=0)
    with pytest.raises(tk.InputError, match="segment: must be from 0 to 1, found 2"):
        TieLab(two, "m", segment=2)


def test_results_open_their_figure():
    data = synthetic()
    board = tk.leaderboard(data, metrics=["Contour", "Ladder"], coefficients=["tau_b", "acc_eq"])
    test = tk.significance.permutation_test(data, "Contour", "Ladder", n_resamples=19)
    calibration = tk.calibrate(data, "Contour")
    opened = [
        (board, RankExplorer),
        (test, SwapExplorer),
        (calibration, CalibrationExplorer),
        (tk.correlate(data, "Contour", "acc_eq"), CalibrationExplorer),
        (tk.correlate(data, "Contour", "system_means/pearson"), TieLab),
        (tk.correlate([1, 2, 2], [3, 1, 2], "tau_b"), TieLab),
        (tk.humans.rank_humans(data, metrics=["Contour"], n_resamples=0), HumanRows),
    ]
    for result, kind in opened:
        assert isinstance(result.explore(), kind)
    rng = np.random.default_rng(1)
    arrays, labels = (rng.integers(0, 4, (4, 6)), rng.normal(size=(4, 6))), rng.integers(0, 3, (4, 6))
    tied = {"tie_identical": labels, "tie_human": True}
    for result in (
        tk.correlate(*arrays, "acc_eq", **tied),
        tk.correlate(*arrays, "tau_b", average="pairs", epsilon=0.5, **tied),
        tk.correlate(*(side[0] for side in arrays), "acc_eq", tie_identical=labels[0]),
        tk.calibrate(*(side[0] for side in arrays), tie_identical=labels[0]),
    ):
        told = result.value_at_zero if isinstance(result, tk.core.Calibration) else result.value
        assert result.explore().value == pytest.approx(told, abs=1e-15)
    assert calibration.explore().best == (calibration.epsilon, calibration.value)
    shown = [one.data()["name"] for one in (calibration.explore(), calibration.explore(name="mine"))]
    assert shown == ["Contour", "mine"]
    assert [metric["name"] for metric in test.explore().data()["metrics"]] == ["Contour", "Ladder"]
    itself = tk.significance.permutation_test(data, "Contour", "Contour", n_resamples=9)
    assert [metric["name"] for metric in itself.explore().data()["metrics"]] == ["a", "b"]
    assert tk.correlate(data, "Contour", "acc_eq").explore().data()["name"] == "Contour"
    assert [*tk.correlate(data, "Contour", "system_means/pearson").explore().metrics] == ["Contour"]
    with pytest.warns(tk.errors.LeftOutWarning) as said:
        assert isinstance(data.explore(metrics="Contour"), TieLab)
    assert said[0].filename == __file__


def test_a_set_shows_the_curves_of_the_metrics_that_are_asked_for():
    data = synthetic()
    stage = CalibrationExplorer(data, ["Contour", "Haze", "Constant"])
    shown = stage.data()
    curves = {curve["name"]: curve for curve in shown["curves"]}
    best = tk.calibrate(data, "Contour")
    assert shown["chosen"] == "Contour-refA"
    contour = curves["Contour-refA"]
    assert (contour["epsilons"][contour["best"]], contour["values"][contour["best"]]) == (best.epsilon, best.value)
    assert shown["constant"] == pytest.approx(tk.calibrate(data, "Constant").value)


def test_columns_of_a_leaderboard_are_chosen():
    [board], _ = given("RankExplorer")
    shown = RankExplorer(board, columns=["acc_eq*", "tau_b"]).data()
    assert [column["key"] for column in shown["columns"]] == ["acc_eq*", "tau_b"]
    assert [metric["ranks"][1] for metric in shown["metrics"]] == board["rank(tau_b)"].tolist()
    table = pd.DataFrame({"rank(at 0)": [2, 1], "rank(acc_eq*)": [1, 2]}, index=["a", "b"])
    shown = RankExplorer(table).data()
    assert [column["label"] for column in shown["columns"]] == ["at 0", "acc_eq*"]
    assert [metric["ranks"] for metric in shown["metrics"]] == [[2, 1], [1, 2]]


@pytest.mark.parametrize(
    ("kind", "arguments", "message"),
    [
        (GroupingExplorer, (HUMAN, {"a": METRICS["a"]}), "metrics: must be two, found 1"),
        (GroupingExplorer, ([1, 2], {"a": [1, 2], "b": [2, 1]}), r"human: must be a matrix.*found \(2,\)"),
        (JudgeVotes, (HUMAN, "judge"), "judges: must be the votes of one judge or of two, .* found list, str"),
        (NaNExplorer, (HUMAN, WHOLE, "tau_x"), "coefficient: must be one of"),
        (NaNExplorer, (HUMAN, {}), "metrics: there must be at least one"),
        (CalibrationExplorer, ([1, 1], {"a": [NAN, 1]}), "metrics: no metric has a value of acc_eq"),
        (RankExplorer, (pd.DataFrame({"tau_b": [1.0]}),), "columns: must be of those"),
        (TieLab, ([1, 2], "BLEU"), "metrics: must be scores, as the human scores are an array"),
        (TieLab, ("scores.csv",), r"data: a file is read first: tk.read\(path\); found 'scores.csv'"),
        (TieLab, ([1, "b"], [1, 2]), "human: scores must be numbers, found text 'b'"),
        (NaNExplorer, (), "data: must be an evaluation set, or human scores with metrics after them"),
        (TieLab, ([1, 2], ["BLEU"]), "metrics: names need an EvalSet before them"),
        (TieLab, (pd.DataFrame({"metric": ["a"]}),), r"a long table is read first: tk.read\(frame\)"),
        (TieLab, ([1, 2], [1, 2], [2, 1]), "metrics: several are one argument.*found another one as epsilon"),
        (TieLab, (synthetic(), "Contour", "Ladder"), "metrics: several are one argument.*found another one as epsilon"),
        (GroupingExplorer, (synthetic(), "Contour", "Ladder"), "metrics: several are one.*found another one as coeff"),
        (GroupingExplorer, (HUMAN, HUMAN, HUMAN), "metrics: several are one argument.*found another one as coeff"),
        (TieShareExplorer, (pd.DataFrame({"metric": ["a"]}),), "without own, share, value"),
        (TieShareExplorer, (tk.sentinels.tie_shares(HUMAN, WHOLE, shares=[0, 0.5]),), "human's own share must be one"),
        (RankingGame, (JUDGES, [1]), "metric: must score 2 to 6 translations, found 1"),
        (RankingGame, (JUDGES, [1, 2]), "judges: each must rank the 2 translations"),
        (RankingGame, (JUDGES, [1, 2, 3, 4], "pearson"), "coefficient: must be one of tau_10"),
        (MeasureAgreement, (pd.DataFrame([[1, 2]]),), "values: must be what evaluate_measures returned"),
        (MeasureAgreement, (synthetic(), "Ladder-refA"), "metrics: must be two or more, found Ladder-refA"),
        (MeasureAgreement, (synthetic(), None, "item/acc_eq*"), "measures: must be two or more, found item/acc_eq"),
        (SwapExplorer, (), "data: must be an evaluation set, or human scores with metrics after them"),
        (SwapExplorer, (synthetic(),), r"a and b: must be two metrics, found Constant-src, .*, Ladder-refA"),
        (SwapExplorer, ([1, 2], {"a": [1, 2]}), "a and b: must be two metrics, found a"),
        (HumanRows, ([1, 2],), "data: must be an EvalSet or what rank_humans returned"),
        (HumanRows, (np.array(HUMAN), WHOLE), r"data: must be an EvalSet .* tk.EvalSet.from_arrays\("),
        (RankingGame, (HUMAN, [1, 2, 3]), "judges: must be an EvalSet, or ranks by the judge's name.*; found list"),
        (RankingGame, ({"x": ["a", 2]}, [1, 2]), r"judges\['x'\]: scores must be numbers, found text 'a'"),
        (RankingGame, ({"x": 1}, [1, 2]), "judges: each must rank the 2 translations"),
        (Podium, (HUMAN, WHOLE), "epsilon: is all that Podium takes; TieLab"),
        (TieShareExplorer, ([1, 1, 1], [1, 2, 3]), "human: ties 3 of 3 pairs, so there is no other share; give scores"),
        (TieShareExplorer, ([1, 2, 3], [1, 2, 3]), "human: ties 0 of 3 pairs, so there is no other share; give scores"),
        (JudgeVotes, (1, {}), "judges: must be the votes of one judge or of two"),
    ],
)
def test_what_a_figure_cannot_be_made_of_is_refused(kind, arguments, message):
    with pytest.raises(tk.InputError, match=message):
        kind(*arguments)


def test_names_of_rows_are_as_many_as_rows():
    with pytest.raises(tk.InputError, match="systems: there must be 3 names, found 1"):
        GroupingExplorer(HUMAN, WHOLE, "tau_b", systems=["x"])


def test_the_digest_of_computed_values_does_not_depend_on_the_processor():
    values = tk.measures.evaluate_measures(HUMAN, METRICS, MEASURES, cells="own")
    shown, other, changed = (repr(MeasureAgreement(values + more)) for more in (0.0, 1e-14, 1e-6))
    assert shown == other != changed
    by_document = values.set_axis(["document/tau_b", "document_means/tau_b", "system_means/tau_b"], axis=1)
    short = {one["short"] for one in MeasureAgreement(by_document).data()["measures"]}
    assert short == {"document τ_b", "document means τ_b", "means τ_b"}


def test_a_figure_hides_its_answer_until_it_is_asked_to_show_it():
    explorer = tk.widgets.CalibrationExplorer(HUMAN, next(iter(METRICS.values())))
    assert explorer.hide_answer() is explorer
    assert explorer.data()["asks"]
    assert not explorer.show_answer().data()["asks"]
