"""Typed segments and their tiles: every policy, ties by hand and what they can reach, lines that do not fit."""

import itertools
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from tests import reference
from tests.app.nan_problem.reading import (
    OPENED,
    PAGE,
    POLICIES,
    PRESETS,
    SOLUTION,
    asked,
    cell,
    check_ranking,
    mean,
    open_three,
    said,
    table,
    tiles,
    typed,
)
from tiekit.figures.nan_explorer import tie_scores, worst
from ui.nan_problem import inputs


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("coefficient", ["tau_b", "acc_eq"])
def test_every_example_under_every_policy(open_app, name, coefficient):
    preset = PRESETS[name]
    app = open_app(PAGE)
    app.selectbox(key="nan_example").select(name).run()
    assert app.selectbox(key="nan_coefficient").value == preset["coefficient"]
    app.selectbox(key="nan_coefficient").select(coefficient).run()
    assert not app.exception
    shown = tiles(app)
    assert shown["human"] == preset["human"]
    assert {metric["name"]: metric["scores"] for metric in shown["metrics"]} == preset["metrics"]
    [ranking] = [shown for shown in table(app, *POLICIES) if set(shown.index) == set(preset["metrics"])]
    check_ranking(ranking, typed(preset), coefficient)
    assert not asked(app, "typed segments")
    nothing = {cell(text)[1] for text in ranking["drop"]} == {len(preset["human"])}
    lead = next(e.value for e in app.markdown if e.value.startswith("**drop**, ") and " over " in e.value)
    assert ("no group is dropped" in lead) == nothing
    assert ("in 2022" in lead) != nothing


def test_three_rules_three_winners(open_app):
    app = open_three(open_app)
    [shown] = [shown for shown in table(app, *POLICIES) if list(shown.index) == ["B", "A", "C"]]
    leaders = {policy: [name for name, text in shown[policy].items() if text.startswith("★")] for policy in POLICIES}
    assert leaders == {"drop": ["B"], "zero": ["A"], "common": ["C"]}
    told = said(app, "zero counts them as 0")
    assert "Compared with drop, A passes B, C passes B." in told
    assert "Compared with drop, C passes B, C passes A." in told


def test_below_the_tiles_nothing_is_answered_before_it_is_asked(open_app):
    app = open_app(PAGE)
    assert not [shown for shown in table(app, "zero") if "Dodger-refA" in shown.index]
    assert all(not chart.proto.alt.startswith(("Value of", "Ties of")) for chart in app.get("vega_lite_chart"))
    assert sum(button.label == "Reveal" and button.disabled for button in app.button) == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 2 | 3", "line, segment 2 has 1 scores and segment 1 has 2"),
        ("1 2 | x 3", "line, segment 2, score 1: 'x' is not a number"),
        ("", "at least two systems"),
        (" | ".join(["1 2"] * 13), "has 13 segments; up to 12"),
        ("1 2 3 4 | 5 6 7 8", "has 2 segments of 4 systems, the human 2 of 2"),
        ("1,5 2 | 3 4", "has a comma"),
    ],
)
def test_a_line_that_does_not_fit_says_why(text, message):
    with pytest.raises(tk.InputError, match=message):
        inputs.read(text, "line", [[1, 2], [3, 4]])


def test_missing_scores_and_an_empty_third_metric(open_app):
    app = open_app(PAGE, nan_h="1 2 3 | 3 nan nan", nan_a="1 2 nan | 1 2 3", nan_b="3 1 2 | 1 2 3", nan_c="")
    assert not app.warning
    shown = tiles(app)
    assert shown["human"] == [[1, 2, 3], [3, None, None]]
    assert [metric["name"] for metric in shown["metrics"]] == ["A", "B"]
    assert "Fewer than two" not in " ".join(info.value for info in app.info)


def test_a_metric_without_any_value_is_left_aside(open_app):
    app = open_app(PAGE, nan_h="1 2 | 3 4", nan_a="1 1 | 2 2", nan_b="3 4 | 1 2", nan_c="")
    assert "Not ranked here: A. τ_b is undefined in every group; counted as 0" in said(app, "Not ranked")
    assert any("no ranking" in info.value for info in app.info)
    assert not asked(app, "typed segments")


INVENTED = PRESETS["A puzzle with invented scores"]
GOOD, WORSE = INVENTED["metrics"]["good"], INVENTED["metrics"]["worse"]


def tyings(scores):
    """Every way to tie scores without reversing a pair: neighbors among the levels are merged or not."""
    levels = sorted(set(scores))
    for apart in itertools.product([0, 1], repeat=len(levels) - 1):
        number = dict(zip(levels, itertools.accumulate((0, *apart)), strict=True))
        yield [number[score] for score in scores]


def test_the_invented_puzzle_can_be_solved_under_tau_b_and_not_under_acc_eq():
    """All 4,096 ways to tie; the example says how many of them win."""
    for name, number in (("tau_b", 15), ("acc_eq", 0)):
        rival = mean(INVENTED["human"], GOOD, name)
        assert worst(INVENTED["human"], INVENTED["metrics"], tk.COEFFICIENTS[name]) == "worse"
        own = [
            {tuple(ties): reference.coefficient(name, reference.counts(human, ties)) for ties in tyings(scores)}
            for human, scores in zip(INVENTED["human"], WORSE, strict=True)
        ]
        values = np.array(list(itertools.product(*[list(found.values()) for found in own])))
        defined = (~np.isnan(values)).sum(axis=1)
        means = np.nansum(values, axis=1)[defined > 0] / defined[defined > 0]
        assert len(values) == 4096
        assert (means > rival + 1e-12).sum() == number
        if name == "acc_eq":
            assert means.max() <= inputs.reachable(INVENTED["human"], WORSE) + 1e-12 < rival
    assert "Of the 4,096 ways" in INVENTED["about"]
    assert ", 15 make it win under τ_b, and none under acc_eq" in INVENTED["about"]


@given(
    st.lists(st.permutations(range(4)), min_size=1, max_size=2),
    st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=4), min_size=2, max_size=2),
)
def test_when_acc_eq_cannot_be_won(metric, human):
    """Tying gains at most the pairs that the human ties; where the human ties none, nothing at all."""
    human = human[: len(metric)]
    most = max(mean(human, tried, "acc_eq") for tried in itertools.product(*map(tyings, metric)))
    assert most <= inputs.reachable(human, metric) + 1e-12
    if all(len(set(row)) == 4 for row in human):
        assert most == mean(human, metric, "acc_eq") == inputs.reachable(human, metric)


def test_the_first_example_holds_scores_of_wmt22():
    """Rounded as it says, and in the same order as the published ones."""
    data, preset = tk.load_wmt22(), PRESETS[OPENED]
    rows = [data.systems.index(name) for name in ("HuaweiTSC", "Online-G", "Online-W", "Online-Y")]
    columns = [number - 1 for number in (350, 988, 466, 1646)]
    assert (
        "segments 350, 988, 466 and 1646 as translated by HuaweiTSC, Online-G, Online-W and Online-Y" in preset["about"]
    )
    assert data.human["mqm"][np.ix_(rows, columns)].T.tolist() == preset["human"]
    for name, decimals in (("COMET-22", 2), ("MATESE", 0), ("BLEU", 0)):
        exact = data.metrics[f"{name}-refA"][np.ix_(rows, columns)].T
        assert exact.round(decimals).tolist() == preset["metrics"][name]
        pairs = itertools.combinations(range(4), 2)
        for i, j in pairs:
            shown = np.array(preset["metrics"][name])
            assert (np.sign(exact[:, i] - exact[:, j]) == np.sign(shown[:, i] - shown[:, j])).all()


def test_the_page_opens_with_the_tiles_and_a_link_keeps_the_ties(open_app):
    assert tiles(open_app(PAGE, ties="[[9,0,1]]"))["ties"] == [], "has the form of ties, and does not fit"
    app = open_app(PAGE)
    shown = tiles(app)
    assert (shown["goal"], shown["ties"], shown["coefficient"]) == ("BLEU", [], "tau_b")
    assert "ties" not in app.query_params
    app = open_app(PAGE, ties=json.dumps(SOLUTION))
    assert tiles(app)["ties"] == SOLUTION
    preset = PRESETS[OPENED]
    own = tie_scores(preset["metrics"]["BLEU"], SOLUTION)
    assert own == [[9] * 4, [19, 60, 10, 42], [8] * 4, [51, 32, 36, 24]]
    [ranking] = [shown for shown in table(app, *POLICIES) if "BLEU" in shown.index]
    check_ranking(ranking, typed(preset, BLEU=own))
    assert ranking.loc["BLEU", "drop"].startswith("★")
    assert ranking.loc["COMET-22", "zero"].startswith("★")
    app.selectbox(key="nan_example").select("No metric ties").run()
    assert tiles(app)["ties"] == []
    assert "ties" not in app.query_params


def test_under_acc_eq_the_page_says_what_tying_can_reach(open_app):
    app = open_app(PAGE)
    app.selectbox(key="nan_example").select("A puzzle with invented scores").run()
    app.selectbox(key="nan_coefficient").select("acc_eq").run()
    best = inputs.reachable(INVENTED["human"], WORSE)
    text = said(app, "Under acc_eq every segment has a value")
    assert f"can reach at most {best:.3f}" in text
    assert "no tying makes worse win here" in text


def test_metrics_have_names_and_two_cannot_share_one(open_app):
    app = open_app(PAGE)
    assert app.text_input(key="nan_a").value.startswith("COMET-22: 0.56 ")
    app.text_input(key="nan_a").set_value("BLEU: 1 2 3 4 | 1 2 3 4 | 1 2 3 4 | 1 2 3 4").run()
    assert any("Two metrics are called BLEU" in error.value for error in app.error)
    app.text_input(key="nan_a").set_value("1 2 3 4 | 1 2 3 4 | 1 2 3 4 | 1 2 3 4").run()
    assert not app.error
    assert [metric["name"] for metric in tiles(app)["metrics"]] == ["A", "MATESE", "BLEU"]
