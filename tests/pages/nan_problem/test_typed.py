"""Typed segments: every policy, questions before answers, lines that do not fit."""

import re

import pytest

import tiekit as tk
from tests.pages.nan_problem.reading import (
    FIRST,
    GLYPHS,
    PAGE,
    POLICIES,
    PRESETS,
    accuracy,
    alt,
    asked,
    check_ranking,
    kendall,
    predict,
    said,
    standings,
    table,
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
    words = alt(app, f"{tk.COEFFICIENTS[coefficient].label} of each segment")
    for metric, values in per_group.items():
        for number, value in enumerate(values, 1):
            found = re.search(rf"segment {number} {metric} ([^;]+)", words)[1]
            if value == value:
                assert float(found.replace("−", "-")) == pytest.approx(value, abs=5.1e-3)
            else:
                human, own = preset["human"][number - 1], preset["metrics"][metric][number - 1]
                tied = len(set(human)) == 1, len(set(own)) == 1
                expected = {(True, False): "human ties", (False, True): "metric ties", (True, True): "both tie"}[tied]
                assert found == f"{GLYPHS[expected]} {expected}"
    expected = standings(per_group)
    [before] = [shown for shown in table(app, "drop") if set(shown.index) == set(per_group)]
    check_ranking(before, expected)
    lacked = {tuple(value == value for value in values) for values in per_group.values()}
    if len(lacked) > 1:
        assert list(before.columns) == ["drop"]
        predict(app, "typed segments")
    assert not asked(app, "typed segments")
    nothing = all(all(found) for found in lacked)
    [lead] = [e.value for e in app.markdown if e.value.startswith("**drop**, ") and " over " in e.value][:1]
    assert ("nothing is dropped" in lead) == nothing
    assert ("in 2021 and 2022" in lead) != nothing
    [after] = table(app, *POLICIES)
    assert list(after.columns) == POLICIES
    check_ranking(after, expected)


def test_the_first_example_has_a_winner_for_each_policy(open_app):
    app = open_app(PAGE)
    assert app.selectbox(key="nan_example").value == FIRST
    words = alt(app, "τ_b of each segment")
    assert [words.count(f"{GLYPHS[n]} {n}") for n in ("human ties", "metric ties", "both tie")] == [2, 2, 1]
    predict(app, "typed segments", "B")
    [shown] = table(app, *POLICIES)
    leaders = {policy: [name for name, text in shown[policy].items() if text.startswith("★")] for policy in POLICIES}
    assert leaders == {"drop": ["B"], "zero": ["A"], "common": ["C"]}
    told = said(app, "zero counts them as 0")
    assert "Against drop, A passes B, C passes B." in told
    assert "Against drop, C passes B, C passes A." in told
    assert said(app, "You said: B.", "It is: C.", "It has 1.000 there, against ", " over its own 4 groups.")


def test_nothing_is_answered_before_it_is_asked(open_app):
    app = open_app(PAGE)
    everything = " ".join(e.value for e in (*app.markdown, *app.success, *app.warning, *app.info))
    assert "counts them as 0" not in everything
    assert not table(app, "zero")
    assert not table(app, "common")
    assert all(not chart.proto.alt.startswith(("Value of", "Ties of")) for chart in app.get("vega_lite_chart"))
    assert sum(button.label == "Reveal" and button.disabled for button in app.button) == 4


def test_other_scores_ask_anew(open_app):
    app = open_app(PAGE)
    predict(app, "typed segments")
    app.text_input(key="nan_b").set_value("2 4 6 8 | 8 2 4 6 | 5 5 5 6 | 5 5 5 5 | 8 8 8 8").run()
    assert asked(app, "typed segments")
    assert app.selectbox(key="nan_example").value is None
    check_ranking(
        next(shown for shown in table(app, "drop") if set(shown.index) == set("ABC")),
        standings(
            {
                name: [kendall(*rows) for rows in zip(PRESETS[FIRST]["human"], rows_of, strict=True)]
                for name, rows_of in (
                    PRESETS[FIRST]["metrics"] | {"B": [[2, 4, 6, 8], [8, 2, 4, 6], [5, 5, 5, 6], [5] * 4, [8] * 4]}
                ).items()
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
    app = open_app(PAGE)
    before = alt(app, "τ_b of each segment")
    app.text_input(key=key).set_value(text).run()
    assert not app.exception
    assert any(message in error.value.replace("\\", "") for error in app.error)
    assert alt(app, "τ_b of each segment") == before
    assert app.text_input(key=key).value == text


def test_missing_scores_and_an_empty_third_metric(open_app):
    app = open_app(PAGE, nan_h="1 2 3 | 3 nan nan", nan_a="1 2 nan | 1 2 3", nan_b="3 1 2 | 1 2 3")
    assert not app.warning
    words = alt(app, "τ_b of each segment")
    assert words.count("too few scores") == 2
    assert "segment 1 A 1.00" in words
    assert " C " not in words
    assert "Fewer than two" not in " ".join(info.value for info in app.info)


def test_a_metric_without_any_value_is_left_aside(open_app):
    app = open_app(PAGE, nan_h="1 2 | 3 4", nan_a="1 1 | 2 2", nan_b="3 4 | 1 2")
    assert "A. No policy ranks them, zero neither" in said(app, "Left aside")
    assert any("nothing to rank" in info.value for info in app.info)
    assert not asked(app, "typed segments")
