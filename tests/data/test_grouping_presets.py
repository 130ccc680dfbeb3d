"""The grouping page's examples fit together and turn round as their sentences claim."""

import tomllib
from itertools import combinations
from math import isnan
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

FILE = Path(__file__).parents[2] / "data" / "grouping_presets.toml"
PRESETS = {preset["name"]: preset for preset in tomllib.loads(FILE.read_text(encoding="utf-8"))["preset"]}


def accuracy(human, metric):
    """acc_eq by its definition, pair by pair."""
    cells = [(h, m) for h, m in zip(human, metric, strict=True) if not (isnan(h) or isnan(m))]
    pairs = [(a[0] - b[0], a[1] - b[1]) for a, b in combinations(cells, 2)]
    return np.mean([np.sign(h) == np.sign(m) for h, m in pairs]) if pairs else np.nan


def tau_a(human, metric):
    pairs = [(a[0] - b[0], a[1] - b[1]) for a, b in combinations(list(zip(human, metric, strict=True)), 2)]
    return sum(np.sign(h) * np.sign(m) for h, m in pairs) / len(pairs)


def tau_b(human, metric):
    with np.errstate(invalid="ignore"):
        return stats.kendalltau(human, metric).statistic


BY_DEFINITION = {"acc_eq": accuracy, "tau_a": tau_a, "tau_b": tau_b}


def value(preset, metric, grouping):
    human, scores = np.array(preset["human"], float), np.array(preset["metrics"][metric], float)
    correlate = BY_DEFINITION[preset["coefficient"]]
    if grouping == "global":
        return correlate(human.ravel(), scores.ravel())
    if grouping == "item":
        return np.nanmean([correlate(*columns) for columns in zip(human.T, scores.T, strict=True)] + [np.nan])
    if grouping == "system":
        return np.nanmean([correlate(*rows) for rows in zip(human, scores, strict=True)])
    return correlate(np.nanmean(human, axis=1), np.nanmean(scores, axis=1))


@pytest.mark.parametrize("preset", PRESETS.values(), ids=list(PRESETS))
def test_shapes_agree(preset):
    assert set(preset) - {"systems", "segments"} == {"name", "about", "coefficient", "human", "metrics", "why"}
    assert preset["about"].endswith(".")
    assert set(preset["why"]) == {"global", "item"}
    assert all(reason.endswith(".") for reason in preset["why"].values())
    assert len(preset["metrics"]) == 2
    shapes = {np.shape(rows) for rows in (preset["human"], *preset["metrics"].values())}
    assert len(shapes) == 1
    systems, segments = shapes.pop()
    assert 3 <= systems <= 5
    assert 3 <= segments <= 8


@pytest.mark.filterwarnings("ignore:Mean of empty slice")
@pytest.mark.parametrize(
    ("name", "metric", "values"),
    [
        ("Difficulty or quality", "difficulty", (53 / 66, 0, 1, 0)),
        ("Difficulty or quality", "quality", (39 / 66, 1, 1 / 2, 1)),
        ("Difficulty or reputation", "difficulty", (32 / 66, 0, 2 / 3, 0)),
        ("Difficulty or reputation", "reputation", (21 / 66, 7 / 12, 0, 1)),
        ("Right within, wrong between", "relative", (-42 / 66, 1, -1, 1)),
        ("Right within, wrong between", "steady", (58 / 66, 1 / 3, 1, 1 / 3)),
        ("Small groups weigh as much", "broad", (35 / 55, 0.25, 7 / 9, 3 / 10)),
        ("Small groups weigh as much", "narrow", (25 / 55, 0.775, 1 / 3, 4 / 10)),
        ("Undefined segments", "difficulty", (0.919, np.nan, 0.971, np.nan)),
        ("Undefined segments", "quality", (0.320, 1 / 3, 0.272, 1)),
    ],
)
def test_values_are_what_the_lesson_says(name, metric, values):
    found = [value(PRESETS[name], metric, by) for by in ("global", "item", "system", "system_means")]
    assert found == pytest.approx(values, abs=5e-4, nan_ok=True)


def test_difficulty_is_constant_within_a_segment_and_reputation_within_a_system():
    for name in ("Difficulty or quality", "Difficulty or reputation", "Undefined segments"):
        assert np.ptp(np.array(PRESETS[name]["metrics"]["difficulty"]), axis=0).max() == 0
    assert np.ptp(np.array(PRESETS["Difficulty or reputation"]["metrics"]["reputation"]), axis=1).max() == 0


def test_relative_has_no_mistake_within_a_segment_and_no_right_pair_between():
    preset = PRESETS["Right within, wrong between"]
    human, metric = np.array(preset["human"]), np.array(preset["metrics"]["relative"])
    for (i, j), (k, n) in combinations(list(np.ndindex(human.shape)), 2):
        agree = np.sign(human[i, j] - human[k, n]) == np.sign(metric[i, j] - metric[k, n])
        assert agree == (j == n)
