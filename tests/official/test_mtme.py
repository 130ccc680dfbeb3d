"""Every value of an official ranking beside the one that mt-metrics-eval gives for the same files."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tiekit.official import average_tasks, official_ranking

HERE = Path(__file__).parent
DATA = HERE.parents[1] / "data"

SIX = """
testset = "wmt22"
spa = "mtme"
map_correlations = true
[[tasks]]
language_pair = "zh-en"
measure = [
    "system_means/pairwise_accuracy", "system_means/pearson", "system_means/spa", "global/pearson", "item/tau_b",
    "item/acc_eq*",
]
"""


def values_of_mtme(name):
    """Its values by task and metric."""
    return json.loads((HERE / "mtme" / f"{name}.json").read_text())["tasks"]


def compare(found, expected, most):
    """Compare all values that are expected, and say how many there are."""
    shown = {name.lstrip("_*"): name for name in found.task_values.index}
    apart = [
        abs(found.task_values.loc[shown[metric], task] - value)
        for task, values in expected.items()
        for metric, value in values.items()
    ]
    assert max(apart) < most
    return len(apart)


@pytest.fixture(scope="module")
def six(tmp_path_factory):
    """Six tasks on the set that comes with tiekit."""
    file = tmp_path_factory.mktemp("own") / "six.toml"
    file.write_text(SIX)
    return file, official_ranking(DATA, file, compare=False)


def test_six_tasks_and_their_average_on_wmt22_zh_en(six):
    found, expected = six[1], values_of_mtme("wmt22-zh-en")
    assert compare(found, expected, 1e-12) == 6 * 21
    theirs = average_tasks(
        {metric: {task: expected[task][metric] for task in expected} for metric in expected["zh-en system_means/spa"]},
        mapped=found.preset.mapped,
    )["average"]
    assert len(found.preset.mapped) == 3
    ours = found.average.rename(lambda name: name.lstrip("_*"))[theirs.index]
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12)


def test_soft_accuracy_is_wmts_or_ours_as_asked_and_the_result_says_which(six):
    file, wmts = six
    task = "zh-en system_means/spa"
    ours = official_ranking(DATA, file, tasks=task, spa="mid-p", compare=False)
    data = tk.load_wmt22()
    for name in ("BERTScore", "MATESE", "chrF"):
        value = tk.measures.soft_pairwise_accuracy(data, name, exclude=["refA", "refB"])
        shown = next(one for one in ours.average.index if one.lstrip("_*") == name)
        assert ours.task_values.loc[shown, task] == value
        assert 0 < abs(value - wmts.task_values.loc[shown, task]) < 0.003
    assert ["|spa:mtme|" in wmts.signature, "|spa:mid-p|" in ours.signature] == [True, True]
    assert [one.methods[0].split(" with")[0] for one in (wmts, ours)] == [
        "soft pairwise accuracy is that of mt-metrics-eval,",
        "soft pairwise accuracy counts an equal lead of two systems half (mid-p), unlike mt-metrics-eval; "
        'spa="mtme" gives its values',
    ]
    with pytest.raises(tk.InputError, match="spa: must be one of mtme, mid-p, found 'exact'"):
        official_ranking(DATA, file, spa="exact", compare=False)


def test_soft_accuracy_takes_systems_by_name_whatever_their_order_in_the_files(tmp_path):
    (tmp_path / "own.toml").write_text(
        'testset = "toy"\nspa = "mtme"\n[[tasks]]\nlanguage_pair = "a-b"\nmeasure = "system_means/spa"\n'
        '[language_pairs.a-b]\nstandard_reference = "refA"'
    )
    human, metric = np.array([[1, 2, 3], [2, 3, 4], [2, 2, 2]]), np.array([[2, 2, 4], [1, 3, 5], [2, 2, 2]])
    found = set()
    for order in ([0, 1, 2], [2, 0, 1], [1, 2, 0], [2, 1, 0]):
        files = {
            f"toy/{place}": "".join(f"{'ABC'[i]} {score}\n" for i in order for score in scores[i]).encode()
            for place, scores in (
                ("human-scores/a-b.mqm.seg.score", human),
                ("metric-scores/a-b/X-refA.seg.score", metric),
            )
        }
        found.add(
            official_ranking(files, tmp_path / "own.toml", compare=False).task_values.loc["X", "a-b system_means/spa"]
        )
    assert found == {tk.measures.soft_pairwise_accuracy(human, metric, parity="mtme")}
    reverse = tk.measures.soft_pairwise_accuracy(human[::-1], metric[::-1], parity="mtme")
    assert reverse not in found  # so the order matters


def test_ten_tasks_of_wmt23_and_their_average():
    """On the bundled set; that its scores are those of the original files, tests/data/test_sets.py says."""
    wmt23, expected = official_ranking(DATA, "wmt23", compare=False), values_of_mtme("wmt23")
    assert compare(wmt23, expected, 1e-12) == 10 * 32
    assert set(expected) == set(wmt23.task_values)
    by_hand = sum(
        weight * ((wmt23.task_values[task] + 1) / 2 if "pearson" in task else wmt23.task_values[task])
        for task, weight in wmt23.preset.weights.items()
    )
    np.testing.assert_allclose(wmt23.average, by_hand, atol=1e-12)
    assert wmt23.notes == ()
    printed = pd.read_csv(DATA / "papers" / "wmt23_official.csv")["average"]
    np.testing.assert_allclose(sorted(wmt23.average), sorted(printed), atol=1e-6)
