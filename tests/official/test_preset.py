"""The official rankings as data: tasks, weights, maps; and what is said of a file that breaks a rule."""

from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

import tiekit as tk
from tiekit import readers
from tiekit.official import PRESETS, Task, read_preset
from tiekit.official.preset import metric_kinds, split_weights


def mass(preset, attribute):
    """The weight of all tasks with the same value of an attribute."""
    found = Counter()
    for task in preset.tasks:
        found[task.attribute(attribute)] += preset.weights[task.name]
    return found


@pytest.mark.parametrize(("name", "tasks", "mapped"), [
    ("wmt22", 201, 0), ("wmt23", 10, 6), ("wmt24", 6, 0), ("wmt24_on_wmt23", 6, 0), ("wmt25", 32, 0),
])  # fmt: skip
def test_tasks_of_the_presets(name, tasks, mapped):
    preset = read_preset(name)
    assert (len(preset.tasks), len(preset.mapped)) == (tasks, mapped)
    assert sum(preset.weights.values()) == pytest.approx(1)
    assert len(preset.weights) == tasks  # names are unique
    assert preset.reference
    assert name in PRESETS


def test_each_language_setting_of_wmt22_has_a_quarter():
    preset = read_preset("wmt22")
    assert preset.combine == "average_rank"
    by_pair = mass(preset, "language_pair")
    assert set(by_pair) == {("en-de", "en-ru", "zh-en"), ("en-de",), ("en-ru",), ("zh-en",)}
    assert list(by_pair.values()) == pytest.approx([0.25] * 4)
    assert Counter(task.language_pairs for task in preset.tasks)["en-ru",] == 40
    assert Counter(task.language_pairs for task in preset.tasks)["zh-en",] == 80
    news = Fraction(1, 4) * Fraction(1, 5) * Fraction(1, 2)  # language pair, domain, level
    assert preset.weights["zh-en news item/tau_b humans"] == pytest.approx(float(news / 2 / 3 / 2))
    assert preset.weights["en-ru news item/tau_b"] == pytest.approx(float(news / 3 / 2))
    assert preset.weights["en-ru news system_means/tau_b"] == pytest.approx(float(news / 2))
    assert not [task for task in preset.tasks if task.humans and task.language_pairs == ("en-ru",)]


def test_wmt23_weighs_accuracy_three_times_and_ranks_people_in_he_en_alone():
    preset = read_preset("wmt23")
    assert preset.weights["en-de+he-en+zh-en system_means/pairwise_accuracy"] == 3 / 12
    assert sorted(set(preset.weights.values())) == [1 / 12, 3 / 12]
    assert {task.language_pairs for task in preset.tasks if task.humans and len(task.language_pairs) == 1} == {
        ("he-en",)
    }
    assert set(preset.mapped) == {
        f"{pair} {grouping}/pearson" for pair in ("en-de", "he-en", "zh-en") for grouping in ("system_means", "global")
    }
    assert {task.swap for task in preset.tasks if "acc_eq" in task.measure} == {"pairs"}


def test_wmt24_and_wmt25_are_means_of_spa_and_accuracy():
    for name, pairs in (("wmt24", 3), ("wmt24_on_wmt23", 3), ("wmt25", 16)):
        preset = read_preset(name)
        assert mass(preset, "coefficient") == pytest.approx({"spa": 0.5, "acc_eq*": 0.5})
        assert len(mass(preset, "language_pair")) == pairs
    assert [task.name for task in read_preset("wmt24").tasks if task.humans] == [
        "en-de system_means/spa", "en-de item/acc_eq*",
    ]  # fmt: skip


@pytest.mark.parametrize("name", PRESETS)
def test_what_a_preset_says_of_a_language_pair_is_what_the_table_of_test_sets_says(name):
    preset = read_preset(name)
    assert {pair for task in preset.tasks for pair in task.language_pairs} == set(preset.language_pairs)
    for pair, rules in preset.language_pairs.items():
        facts = readers.testset_facts(preset.testset, pair)
        assert facts is None or (facts.standard_reference, facts.outliers or None, facts.gold) == (
            rules.standard_reference,
            rules.outliers,
            rules.gold,
        )


def test_primary_metrics_are_listed_for_every_preset():
    for name in PRESETS:
        assert len(metric_kinds(read_preset(name).testset)["primary"]) > 10
    assert metric_kinds("no such set") == {"primary": set(), "baseline": set()}


def test_weights_are_split_as_in_mtmes_own_test():
    pair, both = ("a",), ("a", "b", "c")
    tasks = [
        Task("1", both, "system_means/pairwise_accuracy"),
        Task("2", pair, "global/pearson"),
        Task("3", pair, "item/pearson"),
        Task("4", ("b",), "item/pearson"),
        Task("5", ("c",), "item/tau_b"),
        Task("6", ("c",), "global/tau_b"),
    ]
    by_all = [task.weight for task in split_weights(tasks, ["language_pair", "level", "grouping", "coefficient"])]
    assert by_all == [1 / 4, 1 / 8, 1 / 8, 1 / 4, 1 / 8, 1 / 8]
    by_coefficient = [task.weight for task in split_weights(tasks, ["coefficient"])]
    assert by_coefficient == pytest.approx([1 / 3, 1 / 9, 1 / 9, 1 / 9, 1 / 6, 1 / 6])
    assert [task.weight for task in split_weights(tasks, [])] == [1 / 6] * 6


TASK = '[[tasks]]\nlanguage_pair = "en-de"\nmeasure = "item/acc_eq*"\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("testset = 1 2\n", "is not TOML .*line 1"),
        ("", "tasks: there must be at least one"),
        ("title = 'testset'\n" + TASK, "testset: is missing"),
        ('testset = ""\n' + TASK, "testset: must be text"),
        ("weigths = 1\n" + TASK, "weigths: is an unknown key; known: title, reference"),
        ('combine = "median"\n' + TASK, "combine: must be one of average, average_rank, found 'median'"),
        ("map_correlations = 1\n" + TASK, "map_correlations: must be true or false, found 1"),
        ("metrics = 3\n" + TASK, "metrics: must be text or a list of texts, found 3"),
        ('split = ["year"]\n' + TASK, "split: must be one of language_pair, .*found 'year'"),
        ('split = ["domain"]\n' + TASK + "weight = 2", "split: .*no task may have a weight"),
        ("tasks = 3", r"tasks: must be a list of tables \(\[\[tasks\]\]\), found 3"),
        ("tasks = [3]", "tasks 1: must be a table, found 3"),
        (TASK + 'pool = ["a", "b"]', "tasks 1.language_pair: there must be either this or pool"),
        ('[[tasks]]\nmeasure = "item/acc_eq"', "tasks 1.language_pair: there must be either"),
        (TASK + "weight = 0", "tasks 1.weight: must be a number above 0, found 0"),
        (TASK + "humans = 1", "tasks 1.humans: must be true, false"),
        (TASK + 'swap = "words"', "tasks 1.swap: must be one of segments, cells, .*'words'"),
        (TASK + 'name = "a"\ndomain = ["b", "c"]', "tasks 1.name: names 2 tasks"),
        (TASK + TASK, "tasks: 'en-de item/acc_eq\\*' occurs twice"),
        (TASK.replace("acc_eq*", "tau_z"), "tasks 1.measure: coefficient: .*tau_z"),
        (TASK.replace("item/acc_eq*", "item/pearson") + 'swap = "pairs"', "tasks 1.swap: .*must not be 'p"),
        (
            '[[tasks]]\npool = ["a", "b"]\nmeasure = "item/acc_eq"',
            "tasks 1.measure: only .*accuracy can be pooled",
        ),
        (TASK.replace("item/acc_eq*", "system_means/tau_b") + 'swap = "both"', "tasks 1.swap: .*must be cells"),
        (TASK + "[language_pairs]\nen-de = 3", "language_pairs.en-de: must be a table, found 3"),
        (TASK + "[language_pairs.en-de]\ngold = 3", "language_pairs.en-de.gold: must be text"),
    ],
)
def test_a_file_that_breaks_a_rule(tmp_path: Path, text, message):
    file = tmp_path / "own.toml"
    file.write_text(text if "testset" in text else 'testset = "x"\n' + text)
    with pytest.raises(tk.ReadError, match=f"own.toml: {message}"):
        read_preset(file)


def test_a_file_of_ones_own(tmp_path: Path):
    file = tmp_path / "own.toml"
    file.write_text(
        'testset = "x"\nmetrics = ["BLEU", "primary"]\n'
        + TASK
        + 'humans = [true, false]\nweight = 3\ndomain = "news"\n'
        "[language_pairs.en-de]\noutliers = []\nclose_references = 'refC'"
    )
    preset = read_preset(str(file))
    assert (preset.name, preset.metrics) == ("own", ("BLEU", "primary"))
    assert preset.weights == {"en-de news item/acc_eq* humans": 0.5, "en-de news item/acc_eq*": 0.5}
    assert preset.language_pairs["en-de"].outliers == ()
    assert preset.language_pairs["en-de"].close_references == ("refC",)


@pytest.mark.parametrize("name", ["wmt21", 3, "wmt23.csv"])
def test_an_unknown_preset(name):
    with pytest.raises(tk.InputError, match="preset: must be one of wmt22, wmt23"):
        read_preset(name)


def test_a_file_that_is_not_there():
    with pytest.raises(tk.ReadError, match="cannot be read"):
        read_preset("no such file.toml")
