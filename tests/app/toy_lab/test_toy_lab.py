"""The toy lab: its numbers are the library's, lines that do not fit, what opens it."""

from __future__ import annotations

import re

import pytest
from scipy.stats import kendalltau, pearsonr

import tiekit as tk
from tests.app.reading import boxes, figure, text
from tiekit import charts
from ui.page import pages, shell
from ui.work.presets import presets

PAGE = "1_Toy_lab"


def given(app):
    """What the part that moves is given; what it makes of it is tested in the browser."""
    return figure(app, "lab")


def shown(app):
    """The metrics by name, as they are given."""
    return {metric["name"]: metric["scores"] for metric in given(app)["metrics"]}


def worked(app):
    """The values at the end of the worked formulas."""
    return [re.search(r"&= ([^&]*)\\end\{aligned\}", text)[1] for text in formulas(app)]


def formulas(app):
    """The worked formulas, not the WMT tables."""
    return [element.value for element in app.latex if "aligned" in element.value]


FIGURE_2 = [0, 0, 0, 0, 1, 2]
M1 = [0, 0, 0, 0, 2, 1]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", presets())
def test_every_example_shows_its_scores_and_formulas(open_app, name):
    preset = presets()[name]
    app = open_app(PAGE)
    app.selectbox(key="toy_example").select(name).run()
    assert not app.exception
    epsilon, of = preset.get("epsilon", 0.0), preset.get("epsilon_of", list(preset["metrics"])[:2][-1])
    missing = [None if score != score else score for scores in preset["metrics"].values() for score in scores]
    assert given(app)["human"] == preset["human"]
    assert [score for scores in shown(app).values() for score in scores] == missing
    assert (given(app)["epsilon"], given(app)["epsilon_of"]) == (epsilon, of)
    expected = []
    for coefficient in ("tau_b", "tau_c", "tau_10", "acc_eq"):
        for metric, scores in preset["metrics"].items():
            threshold = epsilon if metric == of else 0.0
            value = tk.correlate(preset["human"], scores, coefficient, epsilon=threshold).value
            expected.append("undefined" if value != value else f"{value:.3f}".replace("-", "−"))
    assert [re.sub(r"\\text\{(undefined).*", r"\1", value) for value in worked(app)] == expected
    assert not app.error


def test_typing_moves_the_numbers(open_app):
    app = open_app(PAGE)
    app.text_input(key="m1").set_value(".5 1e-3 7 nan 2 1").run()
    assert shown(app)["m1"] == [0.5, 0.001, 7, None, 2, 1]
    app.session_state["toy_drawer"] = True
    assert app.run().dataframe[0].value.loc["m1"].tolist() == ["0.5", "0.001", "7", "nan", "2", "1"]


def test_epsilon_is_brought_down_to_a_difference_that_occurs(open_app):
    app = open_app(PAGE)
    for typed, used in (("1", 1), ("2.5", 2), ("1e3", 5), (".999", 0)):
        app.text_input(key="eps").set_value(typed).run()
        assert (given(app)["epsilon"], app.text_input(key="eps").value) == (used, typed)
    app = open_app(PAGE, m1="0 0 0 0 0 .7", m2="0 0 0 0 0 .5", eps=".7")
    assert given(app)["epsilon"] == 0.5, "a difference of m2"


@pytest.mark.parametrize(("line", "right"), [("", {"m1": 14, "m2": 10}), ("1", {"m1": 10, "m2": 9})])
def test_epsilon_is_of_one_metric_in_formulas_and_link_and_the_lead_stays(open_app, line, right):
    scores = {"m1": M1, "m2": [0, 1, 2, 3, 4, 5]}
    app = open_app(PAGE, eps="1", formulas="acc_eq", **({"eps_of": line} if line else {}))
    of = f"m{line or 2}"
    assert (given(app)["epsilon_of"], given(app)["epsilon"]) == (of, 1)
    found = {
        name: tk.correlate(FIGURE_2, metric, "acc_eq", epsilon=1 if name == of else 0).value
        for name, metric in scores.items()
    }
    assert found == {name: pytest.approx(number / 15, abs=1e-12) for name, number in right.items()}
    assert worked(app) == [f"{value:.3f}" for value in found.values()]
    assert lead(app) == pages.find("Ways to count").question
    assert any(f"acc\\_eq of {of}?" in element.value for element in app.markdown)


def test_epsilon_follows_its_metric_where_another_is_removed(open_app):
    app = open_app(PAGE, metrics="3", m3="2 1 0 0 0 0", name3="third", eps="1", eps_of="3")
    assert given(app)["epsilon_of"] == "third"
    app.button(key="remove1").click().run()
    assert (list(shown(app)), given(app)["epsilon_of"]) == (["m2", "third"], "third")
    app.button(key="remove2").click().run()
    assert (list(shown(app)), given(app)["epsilon_of"]) == (["m2"], "m2")


def test_an_epsilon_that_is_none_is_named_and_the_last_one_stays(open_app):
    app = open_app(PAGE, eps="2")
    app.text_input(key="eps").set_value("-1").run()
    assert "number of at least 0, found" in boxes(app, "error")
    assert (given(app)["epsilon"], app.text_input(key="eps").value) == (2, "-1")


def test_a_link_restores_the_lab_with_the_pair_and_the_step(open_app):
    lab = {"h": "1 2 2 3 4", "m1": "2 1 1.5 5 3", "name1": "mine", "metrics": "1", "eps": "0.5"}
    app = open_app(PAGE, **lab, pair="2-4", step="7")
    assert (given(app)["human"], shown(app)) == ([1, 2, 2, 3, 4], {"mine": [2, 1, 1.5, 5, 3]})
    assert (given(app)["epsilon"], given(app)["pair"], given(app)["step"]) == (0.5, [1, 3], 7)
    app.selectbox(key="toy_example").select("Five tenths").run()
    assert (given(app)["pair"], given(app)["step"]) == (None, None)


@pytest.mark.parametrize(
    ("key", "text", "message"),
    [
        ("m1", "1 2", "m1 has 2 scores and h has 6"),
        ("m1", " ".join("1" * 101), "m1 has 101 scores; up to 100 are drawn"),
        ("m1", "1e308 -1e308 0 1 2 3", "too large to be drawn"),
        ("name2", "m1", "“m1” is taken"),
        ("name1", "h", "“h” is taken"),
    ],
)
def test_lines_that_do_not_fit_say_why_and_the_others_stay(open_app, key, text, message):
    app = open_app(PAGE)
    app.text_input(key=key).set_value(text).run()
    assert message in app.error[0].value.replace("\\", "")
    other = "m1" if key.endswith("2") else "m2"
    assert other in shown(app)


def test_metrics_can_be_added_named_and_removed(open_app):
    app = open_app(PAGE)
    app.button_group(key="metrics").set_value("3").run()
    assert not boxes(app, "error", "warning"), "a line that was just added is not called wrong"
    app.text_input(key="name3").set_value("third").run()
    app.text_input(key="m3").set_value("2 1 0 0 0 0").run()
    assert shown(app)["third"] == [2, 1, 0, 0, 0, 0]
    app.button(key="remove1").click().run()
    assert [app.text_input(key=f"name{slot}").value for slot in (1, 2)] == ["m2", "third"]
    assert app.button_group(key="metrics").value == "2"
    assert shown(app)["third"] == [2, 1, 0, 0, 0, 0]


def test_formulas_are_worked_with_the_present_numbers_in_the_colours_of_the_pairs(open_app):
    app = open_app(PAGE, formulas="tau_13", metrics="1")
    (formula,) = formulas(app)
    c, d = (rf"\textcolor{{{charts.KIND_TEXT['light'][kind]}}}" for kind in ("concordant", "discordant"))
    assert rf"\frac{{{c}{{8}} - {d}{{1}}}}{{{c}{{8}} + {d}{{1}}}}" in formula
    assert rf"\frac{{{c}{{C}} - {d}{{D}}}}" in formula
    assert worked(app) == ["0.778"]
    app.text_input(key="m1").set_value("3 3 3 3 3 3").run()
    assert worked(app) == [r"\text{undefined: all metric scores tie}"]


def test_the_prediction_keeps_the_answer_back_and_explains_it(open_app):
    app = open_app(PAGE)
    assert "Raise ε from 0 to 1: what happens to acc_eq of m2?" in text(app)
    assert "pairs right become" not in text(app)
    question = next(radio for radio in app.radio if "It rises" in radio.options)
    question.set_value("It falls").run()
    next(button for button in app.button if button.label == "Reveal").click().run()
    counts = [tk.count_pairs(FIGURE_2, [0, 1, 2, 3, 4, 5], epsilon=epsilon) for epsilon in (0, 1)]
    right = [c.concordant + c.ties_both for c in counts]
    told = boxes(app, "warning", "success")
    assert f"{right[0]} of 15 pairs right become {right[1]}" in told
    assert "It is: It rises" in told


@pytest.mark.parametrize("name", ["pairs", "coefficient", "metric", "**bold**", "a\\_b"])
def test_no_name_of_a_metric_breaks_the_page(open_app, name):
    app = open_app(PAGE, name1=name)
    assert name in shown(app)
    app.session_state["toy_drawer"] = True
    assert name in app.run().dataframe[0].value.index


def test_an_item_is_added_to_lines_in_brackets_and_to_none_that_cannot_be_read(open_app):
    app = open_app(PAGE, h="[1, 2, 3]", m1="(1 2 3)", m2="3;2;1")
    app.button(key="add_outlier").click().run()
    assert [app.text_input(key=key).value for key in ("h", "m1", "m2")] == ["1 2 3 100", "1 2 3 100", "3 2 1 100"]
    app.text_input(key="m2").set_value("3 x 1 2").run()
    app.button(key="add_outlier").click().run()
    assert [app.text_input(key=key).value for key in ("h", "m2")] == ["1 2 3 100", "3 x 1 2"]


def test_an_outlier_pleases_pearson(open_app):
    app = open_app(PAGE)
    app.selectbox(key="toy_example").select("After Figure 1: r, ρ and τ").run()
    table = next(t.value for t in app.table if "metric" in t.value.columns)
    noisy = table[table["metric"] == "noisy"].iloc[0]
    human, scores = given(app)["human"], shown(app)["noisy"]
    r, tau = pearsonr([*human, 100], [*scores, 100])[0], kendalltau([*human, 100], [*scores, 100])[0]
    assert (f"{r:.2f}", f"{tau:.2f}") == ("0.99", "0.82")  # as Section 2.1 has it
    assert noisy["Pearson r"] == f"{pearsonr(human, scores)[0]:.3f} → {r:.3f}"
    assert noisy.iloc[3] == f"{kendalltau(human, scores)[0]:.3f} → {tau:.3f}"
    app.button(key="add_outlier").click().run()
    assert given(app)["human"][-1] == shown(app)["noisy"][-1] == shown(app)["bent"][-1] == 100


@pytest.mark.parametrize("scores", ["", "1", "nan nan", "1 nan"])
def test_too_few_scores_do_no_harm(open_app, scores):
    app = open_app(PAGE)
    for key in ("h", "m1", "m2"):
        app.text_input(key=key).set_value(scores).run()
        assert not app.exception


def test_while_h_is_retyped_the_last_results_stay(open_app):
    app = open_app(PAGE)
    before = given(app)
    app.text_input(key="h").set_value("0 0 0").run()
    assert given(app) == before
    assert any("the picture and all results show older scores" in info.value for info in app.info)
    assert len(app.error) == 2


@pytest.mark.parametrize(
    ("page", "example", "line"), [("1_Toy_lab", "toy_example", "m1"), ("3_Calibration", "cal_example", "cal_m")]
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


PAGE = "1_Toy_lab"


def lead(app):
    return app.title[0].value


def test_the_lead_says_how_metrics_differ_and_not_which_is_better(open_app):
    app = open_app(PAGE)
    assert lead(app) == pages.find("Ways to count").question
    app.text_input(key="m1").set_value("5 4 3 2 1 0").run()
    told = "**m1** swaps 9 pairs and never ties. **m2** swaps none, but never ties. How many coefficients prefer m2?"
    assert lead(app) == told
    app.text_input(key="m1").set_value("0 0 1 1 1 1").run()
    told = "**m1** swaps none, but orders 4 pairs that the human ties, and ties 5 pairs that the human orders."
    assert lead(app).startswith(told)
    assert "mistake" not in "".join(one.value for one in app.markdown)
    app.text_input(key="m1").set_value("0 x").run()
    assert "differ in how they treat **ties**" in lead(app)
    app = open_app(PAGE, metrics="1", name1="a*b", m1="0 0 0 0 2 2", eps="0")
    told = "**a\\*b** orders or ties 14 of 15 pairs as the human does. Change a score: which coefficients notice?"
    assert lead(app) == told
    app = open_app(PAGE, metrics="3", m3="0 0 0 0 1 2")
    assert lead(app) == (
        "**m1** swaps one pair; **m2** swaps none, but never ties; **m3** swaps none. "
        "Which coefficients agree on the best?"
    )


@pytest.mark.parametrize(
    ("link", "is_open"), [({}, False), ({"h": "1 2 1,5"}, True), ({"own": "true"}, True), ({"own": "1"}, False)]
)
def test_the_drawer_opens_where_a_link_brings_what_cannot_be_read_or_is_for_ones_own_scores(open_app, link, is_open):
    app = open_app(PAGE, **link)
    boxes = {box.label: box.proto.expanded for box in app.expander}
    assert (boxes["Edit scores"], boxes["For researchers"]) == (is_open, "h" in link)
    if not link:
        app.session_state[shell.READ] = set()  # as the browser comes; what was opened once stays drawn
        for is_opened, is_drawn in ((False, False), (True, True), (False, True)):
            app.session_state["for_researchers"] = is_opened
            assert ("Download" in [one.value for one in app.run().header]) == is_drawn
    if link == {"own": "true"}:
        assert lead(app).startswith("Your scores")
        before = app.text_input(key="m1").value
        app.text_input(key="m1").set_value("5 5 5 5 5 5").run()
        assert app.text_input(key="m1").value == "5 5 5 5 5 5"
        app.switch_page("pages/13_Teach_this.py").run()
        app.query_params["own"] = "true"
        assert app.switch_page(f"pages/{PAGE}.py").run().text_input(key="m1").value == before


def test_a_link_whose_human_scores_cannot_be_read_leaves_those_of_the_example_beside_its_metric(open_app):
    app = open_app(PAGE, h="1 2 1,5", m1="0 0.5 0 0 2 1")
    assert not app.exception
    assert any("The results still use h = 0 0 0 0 1 2" in info.value for info in app.info)
