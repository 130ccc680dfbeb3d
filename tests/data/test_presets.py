"""The toy lab's examples load, fit together and say what their sentences claim."""

import tomllib
from itertools import pairwise
from math import isnan
from pathlib import Path

import pytest

import tiekit as tk

FILE = Path(__file__).parents[2] / "data" / "presets.toml"
PRESETS = {preset["name"]: preset for preset in tomllib.loads(FILE.read_text(encoding="utf-8"))["preset"]}


def accuracy(human, metric, epsilon):
    """acc_eq by its definition, pair by pair."""
    cells = [(h, m) for h, m in zip(human, metric, strict=True) if not isnan(m)]
    pairs = [(a[0] - b[0], a[1] - b[1]) for i, a in enumerate(cells) for b in cells[:i]]
    right = [abs(m) <= epsilon if h == 0 else h * m > 0 and abs(m) > epsilon for h, m in pairs]
    return sum(right) / len(right)


def test_the_named_presets_are_there():
    expected = {"Figure 2 of Deutsch et al.", "Perrella et al., Appendix F", "All human ties", "Constant metric"}
    assert expected | {"Perfect metric", "Reversed metric", "Five tenths", "A calibrated tie"} <= set(PRESETS)


@pytest.mark.parametrize("preset", PRESETS.values(), ids=list(PRESETS))
def test_shapes_agree(preset):
    assert set(preset) <= {"name", "about", "human", "metrics", "epsilon", "epsilon_of"}
    assert preset.get("epsilon_of", next(iter(preset["metrics"]))) in preset["metrics"]
    assert preset["about"].endswith((".", "?"))
    assert preset.get("epsilon", 0) >= 0
    assert preset["metrics"]
    for scores in preset["metrics"].values():
        assert len(scores) == len(preset["human"]) >= 4
        assert all(isinstance(score, int | float) for score in scores)


def test_figure_2_is_as_in_the_paper():
    preset = PRESETS["Figure 2 of Deutsch et al."]
    assert preset["human"] == [0, 0, 0, 0, 1, 2]
    assert preset["metrics"] == {"m1": [0, 0, 0, 0, 2, 1], "m2": [0, 1, 2, 3, 4, 5]}


def test_appendix_f_is_as_in_the_paper():
    preset = PRESETS["Perrella et al., Appendix F"]
    assert (preset["human"], preset["metrics"]["m"]) == ([5, 3, 5, 5], [0.6, 0.5, 0.4, 0.4])
    assert [name for name in preset["metrics"] if name != "m"] == ["two levels (ours)"]


@pytest.mark.parametrize(
    ("name", "metric", "epsilon", "value"),
    [
        ("Figure 2 of Deutsch et al.", "m1", 0, 14 / 15),
        ("Figure 2 of Deutsch et al.", "m2", 0, 9 / 15),
        ("Perrella et al., Appendix F", "m", 0, 1 / 3),
        ("Perrella et al., Appendix F", "two levels (ours)", 0, 3 / 6),
        ("All human ties", "ordered", 0, 0),
        ("All human ties", "all tied", 0, 1),
        ("Constant metric", "constant", 0, 0.1),
        ("Perfect metric", "perfect", 0, 1),
        ("Perfect metric", "untied", 0, 13 / 15),
        ("Reversed metric", "reversed", 0, 2 / 15),
        ("Five tenths", "decimals", 0.1, 0.3),
        ("Five tenths", "tenths", 1, 0.4),
        ("A calibrated tie", "noisy", 0, 15 / 21),
        ("A calibrated tie", "noisy", 0.05, 1),
        ("A skipped answer", "answers", 0, 10 / 15),
        ("A skipped answer", "skips", 0, 1),
        ("Right or wrong", "judge", 0, 22 / 45),
        ("Right or wrong", "says yes", 0, 21 / 45),
    ],
)
def test_accuracy_is_what_the_lesson_says(name, metric, epsilon, value):
    preset = PRESETS[name]
    assert accuracy(preset["human"], preset["metrics"][metric], epsilon) == value


def test_five_tenths_opens_where_one_neighbour_is_missed():
    preset = PRESETS["Five tenths"]
    assert preset["epsilon_of"] == "decimals"
    scores = preset["metrics"]["decimals"]
    tied = [abs(a - b) <= preset["epsilon"] for a, b in pairwise(scores)]
    assert tied == [True, True, False, True]


@pytest.mark.parametrize(("metric", "value"), [("judge", 0.41), ("says yes", 0.33)])
def test_on_binary_scores_pearson_spearman_and_tau_b_are_phi(metric, value):
    human, scores = PRESETS["Right or wrong"]["human"], PRESETS["Right or wrong"]["metrics"][metric]
    cells = list(zip(human, scores, strict=True))
    tp, fn, fp, tn = (cells.count(cell) for cell in ((1, 1), (1, 0), (0, 1), (0, 0)))
    phi = (tp * tn - fp * fn) / ((tp + fn) * (tp + fp) * (tn + fn) * (tn + fp)) ** 0.5
    found = [tk.correlate(human, scores, name).value for name in ("pearson", "spearman", "tau_b")]
    assert found == pytest.approx([phi] * 3, abs=1e-12)
    assert round(phi, 2) == value
