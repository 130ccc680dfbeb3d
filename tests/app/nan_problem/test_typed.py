"""Typed segments: every policy, their ranking, lines that do not fit."""

import pytest

from tests.app.nan_problem.reading import (
    FIRST,
    PAGE,
    POLICIES,
    PRESETS,
    accuracy,
    asked,
    check_ranking,
    kendall,
    open_three,
    said,
    standings,
    table,
    tiles,
)


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize(("coefficient", "formula"), [("tau_b", kendall), ("acc_eq", accuracy)])
def test_every_example_under_every_policy(open_app, name, coefficient, formula):
    preset = PRESETS[name]
    app = open_app(PAGE)
    app.selectbox(key="nan_example").select(name).run()
    assert app.selectbox(key="nan_coefficient").value == preset["coefficient"]
    app.selectbox(key="nan_coefficient").select(coefficient).run()
    assert not app.exception
    per_group = {
        m: [formula(*rows) for rows in zip(preset["human"], s, strict=True)] for m, s in preset["metrics"].items()
    }
    shown = tiles(app)
    assert shown["human"] == preset["human"]
    assert {metric["name"]: metric["scores"] for metric in shown["metrics"]} == preset["metrics"]
    expected = standings(per_group)
    [ranking] = [shown for shown in table(app, *POLICIES) if set(shown.index) == set(per_group)]
    check_ranking(ranking, expected)
    assert not asked(app, "typed segments")
    nothing = all(value == value for values in per_group.values() for value in values)
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


def test_other_scores_are_ranked_at_once(open_app):
    app = open_three(open_app)
    app.text_input(key="nan_b").set_value("2 4 6 8 | 8 2 4 6 | 5 5 5 6 | 5 5 5 5 | 8 8 8 8").run()
    assert app.selectbox(key="nan_example").value is None
    other = {"B": [[2, 4, 6, 8], [8, 2, 4, 6], [5, 5, 5, 6], [5] * 4, [8] * 4]}
    check_ranking(
        next(shown for shown in table(app, *POLICIES) if set(shown.index) == set("ABC")),
        standings(
            {
                name: [kendall(*rows) for rows in zip(PRESETS[FIRST]["human"], rows_of, strict=True)]
                for name, rows_of in (PRESETS[FIRST]["metrics"] | other).items()
            }
        ),
    )


@pytest.mark.parametrize(
    ("key", "text", "message"),
    [
        ("nan_h", "1 2 | 3", "segment 2 has 1 scores and segment 1 has 2"),
        ("nan_h", "1 2 | x 3", "'x' is not a number"),
        ("nan_h", "", "at least two systems"),
        ("nan_h", "1 | 2", "at least two systems"),
        ("nan_h", " | ".join(["1 2"] * 13), "has 13 segments; up to 12"),
        ("nan_a", "1 2 3 4 | 5 6 7 8", "has 2 segments of 4 systems, the human 5 of 4"),
        ("nan_b", "1,5 2 | 3 4", "has a comma"),
    ],
)
def test_a_line_that_does_not_fit_says_why_and_loses_nothing(open_app, key, text, message):
    app = open_three(open_app)
    before = tiles(app)
    app.text_input(key=key).set_value(text).run()
    assert not app.exception
    assert any(message in error.value.replace("\\", "") for error in app.error)
    assert tiles(app) == before
    assert app.text_input(key=key).value == text


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
