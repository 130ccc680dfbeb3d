import random
import re
from itertools import pairwise

import pytest

import tiekit as tk
from ui.calibration.walk import FIRST
from ui.work.presets import presets

PAGE = "3_Calibration"
FIGURE_2 = [0, 0, 0, 0, 1, 2], [0, 1, 2, 3, 4, 5]
pytestmark = pytest.mark.filterwarnings("ignore:coefficient")  # the page says it in words
KINDS = ("concordant", "discordant", "ties_human", "ties_metric", "ties_both")


def button(app, label):
    return next(button for button in app.button if button.label == label)


def present(app):
    """Where the page stands: the candidate's number, how many there are, epsilon."""
    text = next(element.value for element in app.subheader if element.value.startswith("Candidate"))
    number, last, epsilon = re.fullmatch(r"Candidate (\d+) of (\d+): ε = (\S+)", text).groups()
    return int(number), int(last), float(epsilon)


def sentence(app, label="acc_eq"):
    """What the page says of the coefficient."""
    texts = [element.value.replace("\\", "") for element in app.markdown]
    return next(text for text in texts if f"**{label}: " in text)


def result(app):
    """What the last candidate concludes, if it is there."""
    texts = [element.value.replace("\\", "") for element in app.success]
    return [text for text in texts if "That was the last candidate" in text]


def alt(app, start):
    """What a chart says in words."""
    return next(chart.proto.alt for chart in app.get("vega_lite_chart") if chart.proto.alt.startswith(start))


def candidates(human, metric):
    return sorted({0.0, *tk.classify_pairs(human, metric)["metric_difference"].abs()})


def written(human, metric, name, epsilon):
    value = tk.correlate(human, metric, name, epsilon=epsilon).value
    return "undefined" if value != value else f"{value:.3f}".replace("-", "−")


def check(app, human, metric, name, at):
    """Everything that the page says at a candidate is what the library says."""
    steps, label = candidates(human, metric), tk.COEFFICIENTS[name].label
    assert present(app) == (at + 1, len(steps), steps[at])
    now = written(human, metric, name, steps[at])
    before = f"{written(human, metric, name, steps[at - 1])} → " if at else ""
    assert f"**{label}: {before}{now}" in sentence(app, label)
    counts = [tk.count_pairs(human, metric, epsilon=steps[number]) for number in (max(at - 1, 0), at)]
    for column, side in zip(("before", "now"), counts, strict=True):
        shown = [int(text.strip("*")) for text in app.table[0].value[column]]
        assert shown == [getattr(side, kind) for kind in KINDS]
    changed = [getattr(counts[0], kind) != getattr(counts[1], kind) for kind in KINDS]
    assert [text != "" for text in app.table[0].value["change"]] == changed
    values = [tk.correlate(human, metric, name, epsilon=epsilon).value for epsilon in steps[: at + 1]]
    best = max((value for value in values if value == value), default=None)
    if best is not None:
        first = next(epsilon for epsilon, value in zip(steps, values, strict=False) if value == best)
        value, epsilon = re.search(r"; best so far (\S+) at ε = (\S+)$", alt(app, f"{label} from ")).groups()
        assert (value, float(epsilon)) == (f"{best:.3f}".replace("-", "−"), first)


def test_it_opens_on_an_example_whose_best_lies_inside(open_app):
    app = open_app(PAGE)
    assert app.selectbox(key="cal_example").value == FIRST
    check(app, *FIGURE_2, "acc_eq", 0)
    best = tk.calibrate(*FIGURE_2).epsilon
    assert 0 < best < candidates(*FIGURE_2)[-1]
    assert any("Predict, then press **Next**" in element.value for element in app.markdown)


@pytest.mark.parametrize("name", ["acc_eq", "tau_eq", "tau_b", "tau_13"])
def test_every_step_shows_what_the_library_says(open_app, name):
    app = open_app(PAGE, cal_coefficient=name)
    last = len(candidates(*FIGURE_2)) - 1
    for at in range(last + 1):
        check(app, *FIGURE_2, name, at)
        assert bool(result(app)) == (at == last)
        if at < last:
            button(app, "Next").click().run()
            assert not app.exception
    best, label = tk.calibrate(*FIGURE_2, name), tk.COEFFICIENTS[name].label
    assert f"the largest {label} is **ε* = {best.epsilon:g}**: {label}* = {best.value:.3f}." in result(app)[0]
    assert button(app, "Next").disabled


OPTIONS = [f"{name}: {metric}" for name in presets() for metric in presets()[name]["metrics"]]


@pytest.mark.parametrize(
    "option", [pytest.param(name, marks=[pytest.mark.campaign] * (at % 2)) for at, name in enumerate(OPTIONS)]
)
def test_every_example_ends_with_the_librarys_epsilon(open_app, option):
    name, metric = option.rsplit(": ", 1)
    human, scores = presets()[name]["human"], presets()[name]["metrics"][metric]
    app = open_app(PAGE)
    if len(set(scores)) == 1:  # nothing to calibrate
        assert option not in app.selectbox(key="cal_example").options
        return
    app.selectbox(key="cal_example").select(option).run()
    slider = app.select_slider(key="cal_eps")
    slider.set_value(slider.options[-1]).run()
    assert not app.exception
    check(app, human, scores, "acc_eq", len(slider.options) - 1)
    best = tk.calibrate(human, scores)
    assert float(re.search(r"ε\* = (\S+?)\*\*", result(app)[0])[1]) == best.epsilon
    button(app, "Back").click().run()
    check(app, human, scores, "acc_eq", len(slider.options) - 2)


def test_buttons_move_and_end_where_there_is_no_more(open_app):
    app = open_app(PAGE)
    assert [button(app, label).disabled for label in ("Back", "Next", "Go to the best")] == [True, False, False]
    button(app, "Next").click().run()
    button(app, "Next").click().run()
    assert present(app) == (3, 6, 2.0)
    assert app.select_slider(key="cal_eps").value == "2"
    button(app, "Back").click().run()
    assert present(app) == (2, 6, 1.0)
    assert button(app, "Go to the best").disabled
    button(app, "Back").click().run()
    button(app, "Go to the best").click().run()
    assert present(app)[2] == tk.calibrate(*FIGURE_2).epsilon


def test_an_equal_value_later_does_not_take_the_place_of_the_smaller_epsilon(open_app):
    app = open_app(PAGE, cal_eps="2")
    assert "As good as the best so far, 0.667 at ε = 1, and on equal values we keep the smaller ε." in sentence(app)


def test_gains_and_losses_add_up_to_what_acc_eq_changes(open_app):
    human, metric = [1, 1, 2, 3, 3, 2], [1, 2, 3, 5, 4, 1]
    app = open_app(PAGE, cal_h="1 1 2 3 3 2", cal_m="1 2 3 5 4 1")
    steps, seen = candidates(human, metric), set()
    for before, now in pairwise(steps):
        button(app, "Next").click().run()
        told = app.table[1].value
        pairs = tk.classify_pairs(human, metric, epsilon=now).query("metric_difference.abs() == @now")
        assert told["items"].tolist() == [f"{i + 1}, {j + 1}" for i, j in zip(pairs["i"], pairs["j"], strict=True)]
        effects = told["right pairs"].tolist()
        right = [tk.correlate(human, metric, epsilon=epsilon).value * 15 for epsilon in (before, now)]
        assert effects.count("one more") - effects.count("one fewer") == round(right[1] - right[0])
        seen |= set(effects)
    assert seen == {"one more", "one fewer", "no change"}
    app.selectbox(key="cal_coefficient").select("tau_eq").run()
    assert "right pairs" not in app.table[1].value


def test_the_undefined_is_said_and_passed_over(open_app):
    app = open_app(PAGE, cal_coefficient="tau_b", cal_eps="5")
    assert "→ undefined, for all metric scores tie.**" in sentence(app, "τ_b")
    best = tk.calibrate(*FIGURE_2, "tau_b")
    assert f"ε* = {best.epsilon:g}**" in result(app)[0]
    app.text_input(key="cal_h").set_value("1 1 1 1 1 1").run()
    assert not app.exception
    assert any("undefined at every candidate" in info.value for info in app.info)
    assert not result(app)


def test_a_link_restores_the_steps(open_app):
    app = open_app(PAGE, cal_h="5 3 5 5", cal_m=".6 .5 .4 .4", cal_eps="0.19999999999999996", cal_coefficient="tau_eq")
    check(app, [5, 3, 5, 5], [0.6, 0.5, 0.4, 0.4], "tau_eq", 2)
    assert not any("damaged" in warning.value for warning in app.warning)


def test_a_link_of_an_example_names_it(open_app):
    app = open_app(PAGE, cal_h="5 3 5 5", cal_m="0.6 0.5 0.4 0.4")
    assert app.selectbox(key="cal_example").value == "Perrella et al., Appendix F: m"


def test_scores_of_the_toy_lab_are_offered(open_app):
    app = open_app(PAGE)
    assert not any("Toy lab" in option for option in app.selectbox(key="cal_example").options)
    app.switch_page("pages/1_Toy_lab.py").run()
    app.text_input(key="name1").set_value("*mine*").run()
    app.text_input(key="m1").set_value("3 1 4 1 5 9").run()
    app.switch_page(f"pages/{PAGE}.py").run()
    own = [option for option in app.selectbox(key="cal_example").options if "Toy lab" in option]
    assert own == ["From the Toy lab: *mine*"]  # its m2 is the first example
    app.selectbox(key="cal_example").select(own[0]).run()
    check(app, FIGURE_2[0], [3, 1, 4, 1, 5, 9], "acc_eq", 0)


@pytest.mark.parametrize("scores", ["", "1", "nan nan", "1 nan"])
def test_too_few_scores_do_no_harm(open_app, scores):
    app = open_app(PAGE, cal_h=scores, cal_m=scores)
    assert any("No pair yet" in element.value for element in app.markdown)


def test_fifty_items_are_walked(open_app):
    rng = random.Random(1)
    human, metric = [rng.randrange(4) for _ in range(50)], [rng.random() for _ in range(50)]
    app = open_app(PAGE, cal_h=" ".join(map(str, human)), cal_m=" ".join(map(repr, metric)), cal_eps="0.5")
    check(app, human, metric, "acc_eq", sum(epsilon <= 0.5 for epsilon in candidates(human, metric)) - 1)
    button(app, "Go to the best").click().run()
    assert present(app)[2] == tk.calibrate(human, metric).epsilon


@pytest.mark.parametrize(
    ("h", "m", "answer"),
    [
        ("0 0 0 0 1 2", "0 1 2 3 4 5", "In between"),
        ("1 2 3", "1 2 4", "At 0"),
        ("1 1 1", "1 2 4", "At the largest distance, where all pairs are tied"),
    ],
)
def test_where_the_best_threshold_lies_is_asked_and_answered(open_app, h, m, answer):
    app = open_app("3_Calibration", cal_h=h, cal_m=m)
    best = tk.calibrate(tk.parse_vector(h), tk.parse_vector(m))
    question = next(radio for radio in app.radio if answer in radio.options)
    said = [element.value for element in (*app.success, *app.warning)]
    question.set_value(answer).run()
    next(button for button in app.button if button.label == "Reveal").click().run()
    [told] = [element.value for element in app.success if element.value not in said]
    assert f"Right: {answer}" in told
    assert f"{best.value:.3f}".replace(".", "\\.") in told
