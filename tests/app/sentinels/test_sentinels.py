import itertools
import re

import numpy as np
import pytest
from scipy import stats

import tiekit as tk
from tests.app import ranking
from tests.app.code import both
from tests.app.drawing import answer
from tests.app.reading import alts, boxes, figure, table, text
from ui.sentinels import noise, shares, signals
from ui.sentinels.noise import FILE
from ui.work import presets as presets_of_app
from ui.work.presets import presets

PAGE = "6_Sentinels"
REPORTED = 2
"""The grids that stand above those of the chosen part."""

EXAMPLES = presets(FILE)
FIRST = next(iter(EXAMPLES))


def test_where_noise_is_cut_the_page_says_so_itself():
    scores = [0.1, 0.11, 0.5]
    noisy, note = noise.perturb_scores(scores, 3)  # a warning would be an error
    assert "only 0.01 apart" in note
    with pytest.warns(tk.TruncationWarning):
        assert noisy.tolist() == tk.sentinels.perturb(scores, rng=3).tolist()


@pytest.mark.sampled(2)
@pytest.mark.filterwarnings("ignore::tiekit.TruncationWarning")  # of the test's own call
@pytest.mark.parametrize("name", EXAMPLES)
def test_the_toy_shows_what_all_pairs_say(open_app, name):
    preset = EXAMPLES[name]
    app = open_app(PAGE)
    app.selectbox(key="sen_example").select(name).run()
    assert any("discrete + noise" in radio.options for radio in app.radio)
    answer(app, "discrete + noise")
    human, scores = preset["human"], {key: preset[key] for key in ("discrete", "continuous")}
    scores["discrete + noise"] = tk.sentinels.perturb(preset["discrete"], rng=preset["seed"])
    for share in ("0", "50", "95"):
        app.select_slider(key="sen_share").set_value(share).run()
        found = table(app, "metric").set_index("metric").iloc[:, 0]
        tied, untied = tk.sentinels.keep_for_share(human, int(share) / 100)
        for metric, values in scores.items():
            one = tk.sentinels.calibrate_reweighted(human, values, keep_tied=tied, keep_untied=untied)
            assert found[metric] == f"{one.value:.3f} at {one.epsilon:.5g}"


def test_nothing_is_given_away_before_the_prediction(open_app):
    app = open_app(PAGE)
    assert not alts(app)
    assert table(app, "metric") is None
    now = table(app, "on all pairs").set_index("on all pairs")
    human, scores = EXAMPLES[FIRST]["human"], EXAMPLES[FIRST]["discrete"]
    noisy = tk.sentinels.perturb(scores, rng=EXAMPLES[FIRST]["seed"])
    for name, metric in (("discrete", scores), ("discrete + noise", noisy)):
        best = tk.calibrate(human, metric)
        assert now.loc[name].tolist() == [f"{best.value_at_zero:.3f}", f"{best.value:.3f}", f"{best.epsilon:.5g}"]
    assert len(app.dataframe) == REPORTED
    assert "0.932" not in text(app)
    answer(app, "neither")
    said = app.warning[0].value
    assert "The sentinel has 0.932, the metric 0.864." in said
    assert any(
        words.startswith("acc_eq* over the share of human ties, 11 % in this set: discrete 0.864")
        for words in alts(app)
    )
    assert "At 0 % human ties discrete has 0.864, its sentinel 0.932**" in text(app)


def test_a_sample_of_pairs_depends_on_the_seed_and_the_weights_do_not(open_app):
    app = answer(open_app(PAGE), "discrete + noise")
    before = table(app, "metric")
    app.number_input(key="sen_seed").set_value(3).run()
    after = table(app, "metric")
    assert app.selectbox(key="sen_example").value is None
    discrete = [frame.set_index("metric").loc["discrete"] for frame in (before, after)]
    assert discrete[0].iloc[0] == discrete[1].iloc[0]
    assert before.columns[2] != after.columns[2] or discrete[0].iloc[1] != discrete[1].iloc[1]


@pytest.mark.parametrize(
    ("h", "said"), [("1 2 3 4", "The human ties nothing here"), ("1 1 1 1", "The human ties every pair here")]
)
def test_a_human_who_ties_nothing_or_all_leaves_no_shares(open_app, h, said):
    app = open_app(PAGE, sen_h=h, sen_m="1 1 2 2", sen_c="1 2 3 4", sen_share="50")
    while app.radio and not any(said in info.value for info in app.info):
        answer(app, "")
    assert any(said in info.value for info in app.info)
    assert any("cannot be reached" in info.value for info in app.info)


FINE_STEPS = {
    "sen_h": "-1 -4 0 -2 -3 -4 -2 -1 -1 -2",
    "sen_m": "0.02 0.03 0.04 0 0.04 0.02 0.01 0.03 0.02 0.01",
    "sen_c": "1 2 3 4 5 6 7 8 9 10",
}


def test_they_are_level_only_where_neither_is_ahead(open_app):
    """On these scores the sentinel is behind its metric at 35 %, by .05, after it was ahead of it."""
    app = answer(open_app(PAGE, sen_seed="2", **FINE_STEPS), "discrete + noise")
    assert "at 35 % discrete is ahead" in text(app)
    assert "on they are at most 0.005 apart" in text(app)


# ------------------------------------------------------------------------------------------ on the evaluation set


def test_thirteen_shares_are_the_librarys(open_app, data):
    app = answer(open_app(PAGE, part="share of ties", sen_metrics=["Ladder-refA", "Contour-refA"]), "behind it")
    assert "0.388 against 0.665" in app.success[-1].value
    values = app.dataframe[REPORTED].value.astype(float)
    assert set(values.index) == {"Ladder-refA", "Ladder-refA + noise", "Contour-refA"}
    assert values.shape[1] == 13
    own = tk.count_ties(data, exclude=()).share
    assert f"This set's own share is {100 * own:.1f} %" in text(app)
    for name in ("Ladder-refA", "Contour-refA"):
        expected = tk.sentinels.tie_shares(data, name, exclude=())["value"].tolist()
        assert values.loc[name].tolist() == pytest.approx(expected, abs=5.1e-4)


@pytest.mark.parametrize(
    ("part", "code", "trial"),
    [
        ("share of ties", "sentinel shares", tk.sentinels.tie_shares),
        pytest.param("held out", "held out", tk.sentinels.held_out_shares, marks=pytest.mark.campaign),
    ],
)
def test_shares_of_the_mean_are_the_librarys_and_a_constant_metric_has_them(
    open_app,
    data,
    shown,
    part,
    code,
    trial,
):
    app = open_app(PAGE, part=part, sen_metrics=["Ladder-refA", "Constant-src"], ties_in_mean="true")
    answer(app, *["behind it"] * (part == "share of ties"))
    given, own = figure(app, "tie_shares"), tk.count_ties(data).in_mean()
    assert (given["share_of"], given["own"]) == ("mean", own)
    values = {metric["name"]: metric["values"] for metric in given["metrics"]}
    assert values["Constant-src"] == pytest.approx(given["shares"], abs=1e-9)
    assert given["weights"] == pytest.approx(given["shares"], abs=1e-12)
    for name in ("Ladder-refA", "Constant-src"):
        found = tk.sentinels.tie_shares(data, name, share_of="mean", exclude=())
        assert given["shares"] == found["share"].tolist()
        assert values[name] == pytest.approx(found["value"].tolist(), abs=1e-12)
    for found in both(shown, code):
        assert found.attrs["share_of"] == "mean"
        expected = trial(data, "Ladder-refA", share_of="mean", exclude=())
        rows = found[found["metric"] == "Ladder-refA"]
        assert rows["share"].tolist() == expected["share"].tolist()
        assert rows["value"].tolist() == pytest.approx(expected["value"].tolist(), abs=1e-12)
    if part == "share of ties":
        assert f"own share in the mean over groups is {100 * own:.1f} %" in text(app)
        cells = app.dataframe[REPORTED].value.astype(float)
        expected = tk.sentinels.tie_shares(data, "Ladder-refA", share_of="mean", exclude=())["value"]
        assert cells.loc["Ladder-refA"].tolist() == pytest.approx(expected.tolist(), abs=5.1e-4)


def test_shares_of_the_mean_that_cannot_be_reached_are_left_out_and_said(open_app, data):
    asked = {"part": "tied pairs", "sen_metrics": ["Ladder-refA"]}
    app = open_app(PAGE, **asked, ties_in_mean="true")
    assert not [*app.exception, *app.warning]
    assert any("below 11.0 % (except 0 %)" in one.value for one in app.caption)
    given = figure(app, "tie_shares")
    assert given["weights"] == pytest.approx(given["shares"], abs=1e-12)
    found = tk.sentinels.tie_shares(data, "Ladder-refA", share_of="mean", exclude=())
    assert given["metrics"][0]["values"] == pytest.approx(found["value"].tolist(), abs=1e-12)
    assert given["own"] == tk.count_ties(data, exclude=()).in_mean()
    assert not [one for one in open_app(PAGE, **asked).caption if "cannot be reached" in one.value]


def test_in_sample_stands_beside_cross_validated(open_app, data):
    app = open_app(PAGE, part="held out", sen_folds="3")
    shown_table = app.dataframe[REPORTED].value
    for name in ("Ladder-refA", "Judge-src"):
        found = tk.cross_validate(
            data.human["mqm"], data.metrics[name], grouping="item", folds=3, documents=data.documents
        )
        assert shown_table.loc[name, "in-sample"].startswith(f"{found.in_sample.value:.3f} (")
        assert shown_table.loc[name, "cross-validated"].startswith(f"{found.value:.3f} (")
        assert shown_table.loc[name, "ε*"] == f"{found.in_sample.epsilon:.5g}"
    inside, outside = (
        [float(cell.split(" ")[0]) for cell in shown_table[side]] for side in ("in-sample", "cross-validated")
    )
    assert inside == sorted(inside, reverse=True)
    assert "Best metric:" in text(app)
    assert outside != inside


def test_a_probe_is_ranked_under_every_grouping(open_app, data):
    app = open_app(PAGE, part="probes", sen_measure="tau_b")
    assert len(app.dataframe) == REPORTED
    answer(app, "among the metrics")
    answer(app, "it has no value")
    assert app.success[-1].value.startswith("**Right: it has no value.**")
    values = app.dataframe[REPORTED].value
    human = data.human["mqm"]
    mean = np.broadcast_to(np.nanmean(human, axis=0), human.shape)
    expected = stats.kendalltau(human.ravel(), mean.ravel()).statistic
    assert "◆ segment mean" not in values.index
    leak = next(one.value for one in app.table if "without grouping" in one.value.columns).iloc[0]
    metrics = values["without grouping"][[not name.startswith("◆") for name in values.index]]
    beaten = sum(float(cell.split()[0].replace("−", "-")) < expected for cell in metrics if cell != "undefined")
    assert leak["without grouping"] == f"{expected:.3f} (higher than {beaten} of {len(metrics)})"
    assert leak["by item"] == "undefined"
    by_system = np.mean([stats.kendalltau(row, means).statistic for row, means in zip(human, mean, strict=True)])
    assert leak["by system"].startswith(f"{by_system:.3f} (")
    lengths = -np.array([[len(words) for words in data.outputs[name]] for name in data.systems], float)
    expected = stats.kendalltau(human.ravel(), lengths.ravel()).statistic
    assert values.loc["◆ candidate length", "without grouping"].startswith(f"{expected:.3f} (")
    assert any("computed from the human scores themselves" in warning.value for warning in app.warning)


def test_metric_by_metric_is_the_correlation_of_all_scores(open_app, data):
    app = open_app(PAGE, part="metric by metric")
    found = app.dataframe[REPORTED].value
    metric = data.metrics["Contour-refA"].ravel()
    assert found.loc["the human", "Contour-refA"] == f"{stats.pearsonr(data.human['mqm'].ravel(), metric)[0]:.3f}"
    assert found.loc["Contour-refA", "the human"] == found.loc["the human", "Contour-refA"]
    assert found.loc["candidate length", "OutputLength-src"] == "1.000"
    assert "constant" not in found.index
    assert "Excluded because they are constant: Constant-src, constant." in text(app)
    assert "**candidate length** is closest to OutputLength-src, 1.000" in text(app)


def test_of_many_metrics_the_first_are_compared_with_each_other(open_app, monkeypatch, data):
    monkeypatch.setattr(presets_of_app, "MOST_COMPARED", 3)
    app = open_app(PAGE, part="metric by metric")
    compared = [name for name in app.dataframe[REPORTED].value.index if name in data.metrics]
    assert [*compared, "Constant-src"] == sorted(list(data.metrics)[:3], key="Constant-src".__eq__), "it is constant"
    assert f"Up to 3 metrics are compared with each other: the first of the {len(data.metrics)} " in boxes(app, "info")


def test_what_could_not_be_computed_is_asked_for_once(open_app, monkeypatch):
    def refuse(*_args, **_named):
        raise tk.InputError("has no other share of ties")

    monkeypatch.setitem(shares.TRIALS, "shares", (refuse, "Refusing"))
    app = open_app(PAGE, part="share of ties")
    assert not app.exception, "two buttons with one key"
    said = [error.value for error in app.error]
    assert len(said) == len(set(said)) > 0


def test_length_and_score_are_told_for_human_and_metric(open_app, data):
    app = open_app(PAGE, part="length", sen_length="Contour-refA")
    lengths = np.array([[len(words) for words in data.outputs[name]] for name in data.systems], float).ravel()
    human, metric = data.human["mqm"].ravel(), data.metrics["Contour-refA"].ravel()
    said = text(app)
    for scores, name in ((human, "mqm"), (metric, "Contour-refA")):
        slope = np.polyfit(lengths, scores, 1)[0]
        assert f"{100 * slope:.5g} on {name}".replace("-", "−", 1) in said
    assert "The plot shows a random 1,200 of 4,500 translations." in said
    shares = next(words for words in alts(app) if words.startswith("Share of perfect scores by length"))
    low, high, share = re.search(r"; (\d+) to (\d+) characters: human (\d+) %", shares).groups()
    inside = (lengths >= int(low)) & (lengths <= int(high))
    assert int(share) == round(100 * (human[inside] == 0).mean())


def test_tied_pairs_are_counted_by_domain_too(open_app, data):
    found = table(open_app(PAGE, part="tied pairs"), "human score").set_index("human score")
    human = data.human["mqm"]
    chat = human[:, np.array(data.domains) == "chat"]
    for name, scores in (("mqm", human), ("mqm, chat", chat)):
        same = np.mean([a == b for column in scores.T for a, b in itertools.combinations(column, 2)])
        assert found.loc[name].iloc[1] == f"{100 * same:.1f} %"


# ------------------------------------------------------------------------------------------ what is taken away


def test_the_leaderboard_ranks_the_probes_on_demand(open_app):
    app = open_app("5_Leaderboard", grouping="global", probes="true", coefficients=["tau_b"], starred=["acc_eq"])
    rows = ranking.given(app)["rows"]
    assert {row["name"] for row in rows if row["mark"] == "◆"} == set(tk.sentinels.PROBES)
    assert f"{len(rows) - 5} metrics and 5 probes" in text(app)
    assert [
        warning.value
        for warning in app.warning
        if "segment mean" in warning.value and "human scores themselves" in warning.value
    ]
    app.toggle(key="probes").set_value(False).run()
    assert not set(tk.sentinels.PROBES) & set(ranking.texts(app))
    assert "◆" not in text(app)


def test_which_metric_follows_length_is_found_once(open_app, monkeypatch):
    app = open_app(PAGE, part="length")

    def refuse(*_):
        raise AssertionError

    monkeypatch.setattr(signals, "_follows_length", refuse)
    assert not app.run().exception
