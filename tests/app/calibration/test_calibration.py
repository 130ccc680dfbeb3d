import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given

import tiekit as tk
from tests.app.reading import alts
from tests.strategies import vectors
from ui.calibration import walk as walks
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
        value, epsilon = re.search(
            rf"{label} from .*; best so far (\S+) at ε = (\S+)$", "\n".join(alts(app)), re.MULTILINE
        ).groups()
        assert (value, float(epsilon)) == (f"{best:.3f}".replace("-", "−"), first)


def test_it_opens_on_an_example_whose_best_lies_inside(open_app):
    app = open_app(PAGE)
    assert app.selectbox(key="cal_example").value == FIRST
    metrics = {f"{name}: {m}": scores for name in presets() for m, scores in presets()[name]["metrics"].items()}
    assert set(app.selectbox(key="cal_example").options) == {n for n, scores in metrics.items() if len(set(scores)) > 1}
    check(app, *FIGURE_2, "acc_eq", 0)
    best = tk.calibrate(*FIGURE_2).epsilon
    assert 0 < best < candidates(*FIGURE_2)[-1]
    assert any("Predict, then press **Next**" in element.value for element in app.markdown)


@pytest.mark.parametrize("name", ["acc_eq", "tau_13"])
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
    link = {"cal_m": "0.6 0.5 0.4 0.4", "cal_eps": "0.19999999999999996", "cal_coefficient": "tau_eq"}
    app = open_app(PAGE, cal_h="5 3 5 5", **link)
    check(app, [5, 3, 5, 5], [0.6, 0.5, 0.4, 0.4], "tau_eq", 2)
    assert not any("damaged" in warning.value for warning in app.warning)
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


# ------------------------------------------------------------------------------------------------- without a page


COUNTED = [name for name, entry in tk.COEFFICIENTS.items() if entry.takes_epsilon]


def walk(human, metric, name="acc_eq"):
    candidates, counts = walks._count(tuple(human), tuple(metric))
    entry = tk.COEFFICIENTS[name]
    return walks.CandidateWalk(human, metric, entry, candidates, counts, entry.from_counts(counts))


@pytest.mark.sampled(3)
@pytest.mark.filterwarnings("ignore:coefficient")  # the page says it in words
@pytest.mark.parametrize("name", COUNTED)
@given(vectors(max_size=8, families=("few", "tenths")))
def test_a_walk_is_what_the_library_says_at_every_candidate(name, pair):
    human, metric = pair
    found = walk(human, metric, name)
    scored = [m for h, m in zip(human, metric, strict=True) if h == h and m == m]
    differences = {abs(a - b) for k, a in enumerate(scored) for b in scored[:k]}
    assert found.candidates == sorted({0.0, *differences})
    values = [tk.correlate(human, metric, name, epsilon=epsilon).value for epsilon in found.candidates]
    assert found.curve.tolist() == pytest.approx(values, rel=0, abs=0, nan_ok=True)
    best = found.best(len(found.candidates) - 1)
    if best is None:
        assert np.isnan(values).all()
    else:
        assert found.candidates[best] == tk.calibrate(human, metric, name).epsilon


def test_the_best_so_far_is_the_first_of_equals_and_passes_over_the_undefined():
    found = walk([0, 0, 0, 0, 1, 2], [0, 1, 2, 3, 4, 5])
    assert [found.best(at) for at in range(6)] == [0, 1, 1, 1, 1, 1]
    found = walk([1, 2, 3], [1, 3, 2], "tau_b")
    assert np.isnan(found.curve[-1])
    assert [found.best(at) for at in range(3)] == [0, 1, 1]
    assert walk([1, 1, 1], [1, 3, 2], "tau_b").best(2) is None


def test_items_without_both_scores_make_no_candidate():
    assert walk([1, 2, np.nan, 3], [0.0, 1.0, 50.0, np.nan]).candidates == [0.0, 1.0]
