import itertools
import json

import numpy as np
import pytest
from scipy import stats

import tiekit as tk
from tests.app.code import both
from tests.app.drawing import answer, draw
from tests.app.reading import accuracies, boxes, damage, share_of_swaps, text
from tiekit import figures
from ui.evalset import compared_set
from ui.evalset.selection import Selection
from ui.evalset.sources import OpenSet
from ui.measures import agreement as ranked_alike
from ui.measures import power as drawn_power
from ui.measures.swaps import FILE
from ui.work import presets as work_presets
from ui.work.presets import presets
from ui.work.text import vector

PAGE = "8_Measures"
EXAMPLES = presets(FILE)
SMALL = {"msr_groupings": ["item", "without grouping"], "msr_coefficients": ["pearson", "tau_b"]}
THREE = ["Contour-refA", "Judge-src", "Ladder-refA"]


def draw_p(app):
    """Draw p of the typed scores, and reveal it."""
    [key] = [button.key for button in app.button if button.key.startswith("reveal measures toy")]
    draw(app, key.removeprefix("reveal "), "0.05")
    assert not app.exception
    return app


@pytest.mark.parametrize("name", [name for name in EXAMPLES if len(EXAMPLES[name]["human"]) < 9])
def test_the_toy_shows_the_share_of_all_swaps(open_app, name):
    preset = EXAMPLES[name]
    sides = preset["human"], preset["a"], preset["b"]
    app = open_app(PAGE, msr_h=vector(sides[0]), msr_a=vector(sides[1]), msr_b=vector(sides[2]))
    assert app.selectbox(key="msr_example").value == name
    assert "ways to swap," not in text(app)
    draw_p(app)
    found = tk.significance.permutation_test(*sides, preset["coefficient"], n_resamples=4095)
    large, number = round(found.pvalue * found.n_resamples), found.n_resamples
    assert f"p = {large}/{number} = {large / number:.3f}" in text(app)
    in_browser = figures.swaps_by_hand(figures.swap_vectors(*sides), ("A", "B"))
    assert in_browser["items"] == list(range(number.bit_length() - 1))


def test_a_constant_rival_is_never_significant(open_app):
    app = open_app(PAGE)
    app.selectbox(key="msr_example").select("A constant rival").run()
    assert app.selectbox(key="msr_coefficient").value == "acc_eq"
    draw_p(app)
    assert "p = 1." in text(app)
    app.selectbox(key="msr_coefficient").select("pearson").run()
    assert any("No p-value" in info.value for info in app.info)


@pytest.mark.parametrize(
    ("lines", "reasons"),
    [
        (("1 1 1", "1 2 3", "1 3 2"), ["A is undefined: all scores of h are", "B is undefined: all scores of h are"]),
        (("1 2 3 nan", "1 1 1 4", "1 3 2 4"), ["A is undefined: all scores of A are equal where both"]),
        (
            ("1 1 1", "1 2 3", "2 2 2"),
            ["A is undefined: all scores of h are", "B is undefined: all scores of h and of B"],
        ),
        (("nan 1 2", "1 nan 2", "1 2 nan"), ["A is undefined: fewer than two", "B is undefined: fewer than two"]),
    ],
)
def test_what_is_undefined_says_whose_scores_are_why(open_app, lines, reasons):
    app = open_app(PAGE, **dict(zip(("msr_h", "msr_a", "msr_b"), lines, strict=True)))
    said = next(info.value for info in app.info if "No p-value" in info.value)
    assert said.count("undefined") == len(reasons)
    assert all(f"Pearson r of {reason}" in said for reason in reasons)


def test_too_many_scores_for_the_hand_are_refused_in_words(open_app):
    many = " ".join(map(str, range(80)))
    app = draw_p(open_app(PAGE, msr_h=many, msr_a=many, msr_b=f"1{many}"))
    assert any("60" in info.value for info in app.info)
    assert "p = " in text(app)


# ------------------------------------------------------------------------------------------ on the evaluation set


def test_only_one_scheme_calls_a_pair_different(open_app, data, shown):
    app = open_app(PAGE, msr_part="what is swapped")
    assert "whole segments" not in str([frame.value.index.tolist() for frame in app.dataframe])
    answer(app, "only outcomes of pairs")
    assert any("only outcomes of pairs" in box.value for box in app.success)
    assert any("15 scores of a segment make 105 pairs" in box.value for box in app.success)
    table = app.dataframe[-1].value
    assert list(table["p ≤ .05"]) == ["no"] * 5 + ["yes, anti-conservative"]
    human, values = data.human["mqm"], []
    for name in ("Contour-QE-src", "Ladder-refA"):
        found = tk.calibrate(human, data.metrics[name])
        values.append(accuracies(human, data.metrics[name], found.epsilon))
    gaps = values[0] - values[1]
    assert abs(float(table.loc["whole segments", "p"]) - share_of_swaps(gaps)) < 0.05
    for difference, pvalue in both(shown, "two metrics"):
        assert difference == pytest.approx(gaps.mean())
        assert f"{pvalue:.3f}" == table.loc["whole segments", "p"]
    app.selectbox(key="msr_by").select("pearson").run()
    assert "Outcomes of pairs cannot be swapped" in text(app)


def test_measures_are_compared_by_the_rankings_they_make(open_app, data):
    app = open_app(PAGE, **SMALL)
    human = data.human["mqm"]
    names = [name for name, scores in data.metrics.items() if np.unique(scores[~np.isnan(scores)]).size > 1]
    values = {
        (grouping, name): [tk.correlate(human, data.metrics[m], name, grouping=grouping).value for m in names]
        for grouping in ("item", "global")
        for name in SMALL["msr_coefficients"]
    }
    table = app.dataframe[0].value  # rows and columns in the order of the groupings
    alike = stats.kendalltau(values["global", "pearson"], values["item", "tau_b"], nan_policy="omit")[0]
    assert table.loc["without grouping, Pearson r", "by item, τ_b"] == f"{alike:.2f}".replace("-", "−")
    assert list(table.index) == list(table.columns)
    answer(app, "the same grouping, another coefficient")
    least = min(stats.kendalltau(a, b, nan_policy="omit")[0] for a, b in itertools.combinations(values.values(), 2))
    assert f"τ_b = {least:.2f}".replace("-", "−") in text(app).split("Least alike")[1]


@pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")
def test_the_values_that_come_with_the_app_are_those_of_the_library():
    opened = tk.load_wmt22()
    case = compared_set.ComparedSet(Selection(OpenSet(opened, ""), "mqm", tuple(opened.metrics), ("refA",), None))
    prepared = ranked_alike.prepared_tasks(case)["every measure"][1](None)
    chosen = opened.select()
    few = ["BLEU-refA", "COMET-22-refA", "MATESE-QE-src"]
    measures = [name for name in prepared if not name.startswith("global")]
    found = tk.measures.evaluate_measures(chosen.human["mqm"], {m: chosen.metrics[m] for m in few}, measures)
    np.testing.assert_allclose(found, prepared.loc[few, measures], rtol=0, atol=1e-12)
    assert list(prepared.index) == list(opened.metrics)


@pytest.mark.campaign
@pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")
def test_all_values_that_come_with_the_app_are_those_of_the_library():
    found = tk.measures.evaluate_measures(tk.load_wmt22())
    np.testing.assert_allclose(found, ranked_alike._bundled_values()[1][found.columns], rtol=0, atol=1e-12)


def test_a_link_holds_two_measures_and_the_swaps_that_were_drawn(open_app):
    by_hand = {"coefficient": "pearson", "swapped": [0, 7], "draws": 20, "seed": 0}
    link = {"msr_two": '["item/tau_b","global/pearson"]', "msr_drawn": "100", "msr_by_hand": json.dumps(by_hand)}
    app = draw_p(open_app(PAGE, **link, **SMALL))
    assert app.session_state["stage msr_by_hand"] == by_hand
    assert app.session_state["stage msr_two"] == ["item/tau_b", "global/pearson"]
    assert app.session_state["stage msr_drawn"] == 100
    assert not damage(app)


def test_power_and_consistency_are_those_of_the_library(open_app, data, shown):
    app = open_app(PAGE, msr_part="power and consistency", msr_metrics=THREE, **SMALL)
    answer(app, "item")
    assert "global Pearson" not in text(app)
    datasets = {"mqm": (data.human["mqm"], {name: data.metrics[name] for name in THREE})}
    measures = [f"{grouping}/{name}" for grouping in ("global", "item") for name in ("pearson", "tau_b")]
    power = tk.measures.discriminative_power(datasets, measures, swap="both", n_resamples=99)
    halves = tk.measures.ranking_consistency(datasets, measures, n_splits=99)
    table = next(element.value for element in app.table if "mean p ↓" in element.value)
    assert sorted(cell.split(" ")[0] for cell in table.iloc[:, 1]) == sorted(f"{p:.3f}" for p in power.mean)
    assert sorted(cell.split(" ")[0] for cell in table.iloc[:, 2]) == sorted(f"{r:.3f}" for r in halves.mean)
    best = measures[int(np.argmin(power.mean))]
    label = {"global": "without grouping", "item": "by item"}[best.split("/")[0]]
    assert f"“{label}, " in text(app).split("has the lowest mean p")[0]
    call, opened, load, _ = shown["power and consistency"]
    assert list(opened["data"]().human) == ["mqm"]
    assert load.startswith("data = tk.readers.read_mtme")
    assert "swap='both'" in call


def test_of_several_human_scores_the_curves_are_those_of_the_first(open_app, data):
    chosen = {"msr_part": "power and consistency", "msr_metrics": THREE, **SMALL}
    rated = list(data.human)[:2]
    app = open_app(PAGE, **chosen, msr_datasets=rated)
    answer(app, "item")
    assert not damage(app)
    assert f"all pairs of metrics by {rated[0]} in falling order" in text(app)


def test_no_more_metrics_are_tested_by_each_measure_than_a_page_compares(open_app, monkeypatch):
    chosen = {"msr_part": "power and consistency", "msr_metrics": THREE, **SMALL}
    monkeypatch.setattr(work_presets, "MOST_COMPARED", 2)
    app = open_app(PAGE, **chosen)
    assert "Up to 2 metrics are tested against each other, and these are 3." in boxes(app, "info")
    assert not [element for element in app.table if "mean p ↓" in element.value]


def test_a_curve_has_so_many_places_and_names_of_pairs_as_long_as_their_box_is_wide(data, monkeypatch):
    names = {f"{'x' * 200}{place}": data.metrics[name] for place, name in enumerate(THREE)}
    of_mqm = {"mqm": (data.human["mqm"], names)}
    power = tk.measures.discriminative_power(of_mqm, ["item/tau_b", "item/pearson"], n_resamples=9)
    curve = drawn_power._curve(power, "mqm")
    assert list(curve["place"]) == [1, 2, 3, 1, 2, 3]
    assert curve["first"].str.len().max() < 100
    monkeypatch.setattr(drawn_power, "PLACES", 2)
    assert list(drawn_power._curve(power, "mqm")["place"]) == [1, 3, 1, 3]


def test_a_coarser_metric_earns_ties(open_app, data):
    app = open_app(PAGE, msr_part="granularity", msr_groupings="system means", msr_coefficients="pearson")
    human, metric = data.human["mqm"], data.metrics["Contour-refA"]
    values = {g: accuracies(human, tk.to_buckets(metric, g), 0.0).mean() for g in (5, 100)}
    assert f"has acc_eq = {values[100]:.3f} by item" in text(app)
    assert f"{values[5]:.3f}" not in text(app)
    answer(app, "lower")
    assert any(f"At G = 5 it is {values[5]:.3f}" in box.value for box in app.warning)
    table = app.dataframe[-1].value
    assert table.loc[5].iloc[1] == f"{values[5]:.3f}"
    rounded = tk.to_buckets(metric, 20)
    expected = stats.pearsonr(human.mean(axis=1), rounded.mean(axis=1))[0]
    assert table.loc[20].iloc[0] == f"{expected:.3f}"


def test_samples_of_a_judge_are_averaged_as_the_library_does(open_app, data):
    app = open_app(PAGE, msr_part="samples of a judge", **SMALL)
    assert any("Choose at least two samples" in info.value for info in app.info)
    app = open_app(PAGE, msr_part="samples of a judge", msr_samples=THREE, **SMALL)
    scores = np.array([data.metrics[name] for name in THREE])
    found = tk.measures.granularity_of_samples(data.human["mqm"], scores, "item/tau_b", repeats=100)
    table = app.dataframe[-1].value
    assert [cell.split(" ")[0] for cell in table["by item, τ_b"]] == [f"{value:.3f}" for value in found["median"]]


def test_the_simulation_is_the_librarys(open_app, shown):
    app = open_app(PAGE, msr_part="simulation", **{**SMALL, "msr_groupings": ["item", "system means"]})
    answer(app, "system means")
    call, _, _, _ = shown["simulation"]
    found = eval(call, {"tk": tk})  # the code as the page shows it
    table = app.dataframe[-1].value
    assert table.iloc[3].tolist() == [f"{value:.3f}".replace("-", "−") for value in found.loc[9]]
    assert "(Section 4.3.1)" in text(app)
    assert "*by system* by" not in text(app)
    moved = (found.max() - found.min()).idxmin()
    assert "system means" in text(app).split("moves least")[0].rsplit("“", 1)[1]
    assert moved.startswith("system_means")


@pytest.mark.parametrize("part", ["off", "power and consistency", "granularity", "simulation"])
def test_nothing_chosen_is_said(open_app, part):
    app = open_app(PAGE, msr_part=part, msr_metrics=THREE, **SMALL)
    app.pills(key="msr_coefficients").set_value([]).run()
    assert not app.exception
    assert any("Choose at least" in info.value for info in app.info)
