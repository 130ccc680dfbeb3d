import re

import pytest

import tiekit as tk
from ui.cached import presets

PAGE = "1_Toy_lab"


def alts(app):
    """What the charts say in words, by the start of it."""
    return [element.proto.alt for element in app.get("vega_lite_chart")] if app.get("vega_lite_chart") else []


def readings(app, name):
    """The coefficients of a metric as the page writes them."""
    line = next(alt for alt in alts(app) if alt.startswith(f"Coefficients of {name}: "))
    return dict(part.rsplit(" ", 1) for part in line.split(": ", 1)[1].split(", "))


def expected(human, metric, epsilon=0.0):
    """What the library says, written as the page writes it."""
    found = {}
    for name, entry in tk.COEFFICIENTS.items():
        value = tk.correlate(human, metric, name, epsilon=epsilon if entry.formula else 0.0).value
        found[entry.label] = "undefined" if value != value else f"{value:.3f}"
    return found


@pytest.mark.parametrize("name", presets())
def test_every_example_shows_what_the_library_says(open_app, name):
    preset = presets()[name]
    app = open_app(PAGE)
    app.selectbox(key="example").select(name).run()
    assert not app.exception
    for metric, scores in preset["metrics"].items():
        assert readings(app, metric) == expected(preset["human"], scores, preset.get("epsilon", 0.0))
        counts = tk.count_pairs(preset["human"], scores, epsilon=preset.get("epsilon", 0.0))
        assert any(
            alt.startswith(f"WMT table of {metric}: {counts.concordant} concordant, {counts.discordant} discordant, ")
            for alt in alts(app)
        )
    assert not app.error


def test_typing_moves_the_numbers(open_app):
    app = open_app(PAGE)
    app.text_input(key="m1").set_value(".5 1e-3 7 nan 2 1").run()
    assert readings(app, "m1") == expected([0, 0, 0, 0, 1, 2], [0.5, 0.001, 7, None, 2, 1])
    assert app.table[0].value.loc["m1"].tolist() == ["0.5", "0.001", "7", "nan", "2", "1"]


def test_epsilon_snaps_to_the_observed_differences(open_app):
    app = open_app(PAGE)
    slider = app.select_slider(key="eps")
    assert slider.options == ["0", "1", "2", "3", "4", "5"]
    slider.set_value("1").run()
    assert readings(app, "m2") == expected([0, 0, 0, 0, 1, 2], [0, 1, 2, 3, 4, 5], 1)
    app.text_input(key="m2").set_value("0 0 0 0 0 .5").run()
    app.text_input(key="m1").set_value("0 0 0 0 0 .7").run()
    assert app.select_slider(key="eps").value == "0.7"
    assert not app.exception


def test_a_link_restores_the_lab(open_app):
    app = open_app(PAGE, h="1 2 2 3 4", m1="2 1 1.5 5 3", name1="mine", metrics="1", eps="0.5")
    assert readings(app, "mine") == expected([1, 2, 2, 3, 4], [2, 1, 1.5, 5, 3], 0.5)
    assert len([alt for alt in alts(app) if alt.startswith("Coefficients")]) == 1


@pytest.mark.parametrize(
    ("link", "message"),
    [
        ({"eps": "lots"}, "eps"),
        ({"eps": "-1"}, "eps"),
        ({"eps": "nan"}, "eps"),
        ({"metrics": "99"}, "metrics"),
        ({"metrics": "two"}, "metrics"),
    ],
)
def test_a_damaged_link_says_so_and_falls_back(open_app, link, message):
    app = open_app(PAGE, **link)
    assert any("damaged" in warning.value and f"{message} cannot be" in warning.value for warning in app.warning)
    assert readings(app, "m1") == expected([0, 0, 0, 0, 1, 2], [0, 0, 0, 0, 2, 1])


def test_a_link_with_damaged_scores_says_which_and_shows_the_example(open_app):
    app = open_app(PAGE, h="1 2 1,5")
    assert "score 3" in app.error[0].value
    assert app.text_input(key="h").value == "1 2 1,5"
    assert readings(app, "m1") == expected([0, 0, 0, 0, 1, 2], [0, 0, 0, 0, 2, 1])


def test_a_mistake_keeps_what_was_typed_and_the_last_results(open_app):
    app = open_app(PAGE)
    app.text_input(key="h").set_value("0 0 0 1 1 2").run()
    before = readings(app, "m1")
    app.text_input(key="h").set_value("0 0 0 1 1 2x").run()
    assert app.text_input(key="h").value == "0 0 0 1 1 2x"
    assert readings(app, "m1") == before
    assert re.search(r"h, score 6: .*2x.* is not a number", app.error[0].value.replace("\\", ""))
    app.text_input(key="h").set_value("0 0 0 1 1 3").run()
    assert not app.error


@pytest.mark.parametrize(
    ("key", "text", "message"),
    [
        ("m1", "1 2", "m1 has 2 scores and h has 6"),
        ("m1", " ".join("1" * 51), "m1 has 51 scores; up to 50 are drawn"),
        ("name2", "m1", "“m1” is taken"),
    ],
)
def test_lines_that_do_not_fit_say_why_and_the_others_stay(open_app, key, text, message):
    app = open_app(PAGE)
    app.text_input(key=key).set_value(text).run()
    assert message in app.error[0].value.replace("\\", "")
    other = "m1" if key.endswith("2") else "m2"
    assert readings(app, other)["τ_a"] != ""
    assert not app.exception


def test_metrics_can_be_added_named_and_removed(open_app):
    app = open_app(PAGE)
    app.button_group(key="metrics").set_value("3").run()
    app.text_input(key="name3").set_value("third").run()
    app.text_input(key="m3").set_value("2 1 0 0 0 0").run()
    assert readings(app, "third") == expected([0, 0, 0, 0, 1, 2], [2, 1, 0, 0, 0, 0])
    app.button(key="remove1").click().run()
    assert [app.text_input(key=f"name{slot}").value for slot in (1, 2)] == ["m2", "third"]
    assert app.button_group(key="metrics").value == "2"
    assert readings(app, "third") == expected([0, 0, 0, 0, 1, 2], [2, 1, 0, 0, 0, 0])


def test_formulas_are_worked_with_the_present_numbers(open_app):
    app = open_app(PAGE)
    formulas = [element.value for element in app.latex]
    assert len(formulas) == 16
    assert r"\frac{8 - 1}{8 + 1}" in formulas[4]
    assert "0.778" in formulas[4]
    app.text_input(key="m1").set_value("3 3 3 3 3 3").run()
    assert any("undefined: all metric scores tie" in element.value for element in app.latex)
    assert any("Undefined, for all metric scores tie" in element.value for element in app.markdown)


@pytest.mark.parametrize("scores", ["", "1", "nan nan", "1 nan"])
def test_too_few_scores_do_no_harm(open_app, scores):
    app = open_app(PAGE)
    for key in ("h", "m1", "m2"):
        app.text_input(key=key).set_value(scores).run()
        assert not app.exception


def test_scores_too_large_to_draw_are_refused(open_app):
    app = open_app(PAGE, h="1 2 3", m1="1e308 -1e308 0", metrics="1")
    assert "too large to be drawn" in app.error[0].value


def test_epsilon_comes_back_with_its_difference(open_app):
    app = open_app(PAGE, eps="4")
    app.text_input(key="m2").set_value("0 1 2").run()
    assert app.select_slider(key="eps").value == "2"
    app.text_input(key="m2").set_value("0 1 2 3 4 5").run()
    assert app.select_slider(key="eps").value == "4"


def test_while_h_is_retyped_the_last_results_stay(open_app):
    app = open_app(PAGE)
    before = readings(app, "m1")
    app.text_input(key="h").set_value("0 0 0").run()
    assert readings(app, "m1") == before
    assert any("the last scores that did" in info.value for info in app.info)
    assert len(app.error) == 2


@pytest.mark.parametrize("metrics", ["²", "inf", "1e999", "9" * 5000, "-1", "1.5", ""])
def test_no_number_of_metrics_breaks_the_page(open_app, metrics):
    app = open_app(PAGE, metrics=metrics)
    assert readings(app, "m1") == expected([0, 0, 0, 0, 1, 2], [0, 0, 0, 0, 2, 1])


def test_a_metric_may_not_take_the_name_of_the_human(open_app):
    app = open_app(PAGE, name1="h")
    assert "“h” is taken" in app.error[0].value
    assert app.table[0].value.loc["h"].tolist() == ["0", "0", "0", "0", "1", "2"]


def test_it_opens_on_an_example_that_says_what_to_look_at(open_app):
    app = open_app(PAGE)
    assert app.selectbox(key="example").value == "Figure 2 of Deutsch et al."
    assert any("only τ" in element.value and "credit the ties" in element.value for element in app.markdown)
    app.text_input(key="m1").set_value("0 0 0 0 2 2").run()
    assert app.selectbox(key="example").value is None


@pytest.mark.parametrize(
    ("page", "example", "line"), [("1_Toy_lab", "example", "m1"), ("3_Calibration", "cal_example", "cal_m")]
)
def test_an_example_that_the_browser_names_anew_while_one_types_takes_nothing_back(open_app, page, example, line):
    """Two keys in quick succession: with the second the browser still names the example that the first has left."""
    app = open_app(page)
    named = app.selectbox(key=example).value
    assert named
    app.text_input(key=line).set_value("-").run()
    assert app.selectbox(key=example).value is None
    app.selectbox(key=example).select(named)
    app.text_input(key=line).set_value("-1").run()
    assert app.text_input(key=line).value == "-1"
    app.selectbox(key=example).select(named).run()
    assert app.text_input(key=line).value not in ("-", "-1")  # chosen on purpose it is loaded
