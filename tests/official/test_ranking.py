"""A folder of three language pairs whose numbers are worked out by hand: selection, pooling, map, weights, ranks."""

import gzip
from math import sqrt
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tiekit.official import official_ranking

ROOT = Path(__file__).parents[2]


def score_file(scores):
    """Lines SYSTEM SCORE."""
    lines = [f"{name} {score}" for name, row in scores.items() for score in (row if isinstance(row, list) else [row])]
    return ("\n".join(lines) + "\n").encode()


FOLDER = {
    # One reference; an outlier, and a metric that used another reference.
    "toy/human-scores/aa-bb.mqm.seg.score": {
        "A": [1, 3], "B": [2, 4], "C": [3, 7], "odd": [9, 9], "refA": [9, 9], "mute": ["None", "None"],
    },
    "toy/metric-scores/aa-bb/X-refA.seg.score": {
        "A": [1, 3], "B": [2, 4], "C": [3, 7], "odd": [0, 0], "mute": [0, 0],
    },
    "toy/metric-scores/aa-bb/Q-src.seg.score": {
        "A": [2, 2], "B": [1, 1], "C": [0, 0], "odd": [9, 9], "refA": [0, 0], "mute": [9, 9],
    },
    "toy/metric-scores/aa-bb/Z-refC.seg.score": {
        "A": [0, 0], "B": [0, 0], "C": [0, 0], "odd": [9, 9], "refA": [0, 0], "mute": [0, 0],
    },
    # The standard reference is refB; refA is ranked with the systems.
    "toy/human-scores/cc-dd.mqm.seg.score": {"A": [0, 0], "B": [1, 1], "refA": [2, 1], "refB": [9, 9]},
    "toy/metric-scores/cc-dd/X-refB.seg.score": {"A": [0, 0], "B": [2, 2], "refA": [1, 1]},
    "toy/metric-scores/cc-dd/X-refA.seg.score": {"A": [9, 9], "B": [0, 0], "refB": [1, 1]},
    "toy/metric-scores/cc-dd/Q-src.seg.score": {"A": [0, 1], "B": [0, 1], "refA": [5, 1], "refB": [0, 0]},
    # Only the first segment is rated, but a metric's system score is of both.
    "toy/human-scores/ee-ff.mqm.seg.score": {"A": [1, "None"], "B": [1, "None"], "C": [0, "None"]},
    "toy/metric-scores/ee-ff/X-refA.seg.score": {"A": [3, 1], "B": [3, 9], "C": [2, 0]},
    "toy/metric-scores/ee-ff/Q-src.seg.score": {"A": [1, 0], "B": [0, 0], "C": [2, 0]},
}  # fmt: skip

RULES = """
testset = "toy"
map_correlations = true

[[tasks]]
pool = ["aa-bb", "cc-dd", "ee-ff"]
measure = "system_means/pairwise_accuracy"
humans = true
weight = 3

[[tasks]]
language_pair = ["aa-bb", "ee-ff"]
measure = ["system_means/pearson", "global/pearson", "item/acc_eq*"]

[[tasks]]
language_pair = "cc-dd"
measure = ["system_means/pearson", "global/pearson", "item/acc_eq*"]
humans = true

[language_pairs.aa-bb]
standard_reference = "refA"
outliers = ["odd"]
[language_pairs.cc-dd]
standard_reference = "refB"
[language_pairs.ee-ff]
standard_reference = "refA"
"""

WORKED_OUT = {
    # Pairs of systems: aa-bb X 3 of 3, Q 0; cc-dd X 2 (B and refA are exchanged), Q 2 (A and B are tied);
    # ee-ff X 2 (means 2, 6, 1, but people tie A and B), Q 0.
    "aa-bb+cc-dd+ee-ff system_means/pairwise_accuracy": (7 / 9, 2 / 9),
    # People's means are 2, 3, 5, those of Q 2, 1, 0: deviations -4/3, -1/3, 5/3 and 1, 0, -1.
    "aa-bb system_means/pearson": (1, -3 / sqrt(42 / 9 * 2)),
    # Sums of squares 64/3 and 4, of products -6.
    "aa-bb global/pearson": (1, -6 / sqrt(64 / 3 * 4)),
    "aa-bb item/acc_eq*": (1, 0),
    # People's means 0, 1, 3/2 (deviations -5/6, 1/6, 4/6); X 0, 2, 1; Q 1/2, 1/2, 3.
    "cc-dd system_means/pearson": (
        (5 / 6 + 1 / 6) / sqrt(42 / 36 * 2),
        (5 / 6 - 1 / 6 + 2 * 4 / 6) * (5 / 6) / sqrt(42 / 36 * (25 / 36 * 6)),
    ),
    "cc-dd global/pearson": (
        np.corrcoef([0, 0, 1, 1, 2, 1], [0, 0, 2, 2, 1, 1])[0, 1],
        np.corrcoef([0, 0, 1, 1, 2, 1], [0, 1, 0, 1, 5, 1])[0, 1],
    ),
    # X: 2 of 3 pairs at both segments. Q: 2 of 3, then the tie of B and refA alone.
    "cc-dd item/acc_eq*": (2 / 3, 1 / 2),
    # People's means 1, 1, 0 (deviations 1/3, 1/3, -2/3); X 2, 6, 1 (-1, 3, -2); Q 1/2, 0, 1 (0, -1/2, 1/2).
    "ee-ff system_means/pearson": ((2 / 3 + 4 / 3) / sqrt(6 / 9 * 14), (-1 / 6 - 1 / 3) / sqrt(6 / 9 / 2)),
    # The rated segment: X 3, 3, 2 and Q 1, 0, 2.
    "ee-ff global/pearson": (1, (-1 / 3 - 2 / 3) / sqrt(6 / 9 * 2)),
    # Q ties A and B at epsilon 1, as people do; the other two pairs are wrong.
    "ee-ff item/acc_eq*": (1, 1 / 3),
}


@pytest.fixture
def rules(tmp_path):
    def write(text=RULES):
        (tmp_path / "toy.toml").write_text(text)
        return tmp_path / "toy.toml"

    return write


@pytest.fixture
def folder():
    return {name: score_file(scores) for name, scores in FOLDER.items()}


def test_every_number_is_the_one_worked_out_by_hand(rules, folder):
    found = official_ranking(folder, rules(), compare=False)
    assert set(found.task_values) == set(WORKED_OUT)
    assert found.task_values.index.tolist() == ["X", "Q[noref]"]  # neither Z, which used refC, nor X with refA in cc-dd
    for task, (x, q) in WORKED_OUT.items():
        assert found.task_values.loc["X", task] == pytest.approx(x), task
        assert found.task_values.loc["Q[noref]", task] == pytest.approx(q), task
    for number, name in enumerate(["X", "Q[noref]"]):
        parts = [
            (3 if "accuracy" in task else 1) * ((both[number] + 1) / 2 if "pearson" in task else both[number])
            for task, both in WORKED_OUT.items()
        ]
        assert found.average[name] == pytest.approx(sum(parts) / 12)
    frame = found.to_frame()
    assert list(frame)[:3] == ["average", "rank", "cluster"]
    assert frame["rank"].tolist() == [1, 2]
    assert frame["cluster"].isna().all()
    assert found.pvalues is None


def test_compressed_files_on_disk(rules, folder, tmp_path):
    for name, content in folder.items():
        path = tmp_path / "packed" / f"{name}.gz"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(gzip.compress(content))
    found, right = (official_ranking(root, rules(), compare=False) for root in (tmp_path / "packed", folder))
    pd.testing.assert_series_equal(found.average, right.average)
    pd.testing.assert_frame_equal(found.task_values, right.task_values)


def test_without_human_outputs_the_reference_is_no_system(rules, folder):
    found = official_ranking(folder, rules(RULES.replace("humans = true", "humans = false")), compare=False)
    assert found.task_values.loc["X", "aa-bb+cc-dd+ee-ff system_means/pairwise_accuracy"] == pytest.approx(
        (3 + 1 + 2) / 7
    )
    assert found.task_values.loc["X", "cc-dd system_means/pearson"] == pytest.approx(1)


def test_close_references_are_left_out_too(rules, folder):
    own = RULES.replace('standard_reference = "refB"', 'standard_reference = "refB"\nclose_references = ["refA"]')
    found = official_ranking(folder, rules(own), compare=False)
    assert found.task_values.loc["X", "aa-bb+cc-dd+ee-ff system_means/pairwise_accuracy"] == pytest.approx(6 / 7)


def test_a_file_of_system_scores_comes_before_the_mean_of_segments(rules, folder):
    folder["toy/metric-scores/ee-ff/X-refA.sys.score"] = score_file({"A": 5, "B": 5, "C": 4})
    found = official_ranking(folder, rules(), compare=False)
    assert found.task_values.loc["X", "ee-ff system_means/pearson"] == pytest.approx(1)
    assert found.task_values.loc["X", "ee-ff global/pearson"] == pytest.approx(1)
    folder["toy/human-scores/ee-ff.mqm.sys.score"] = score_file({"A": 0, "B": 0, "C": 1})
    found = official_ranking(folder, rules(), compare=False)
    assert found.task_values.loc["X", "ee-ff system_means/pearson"] == pytest.approx(-1)


def test_domains_restrict_segments_and_have_system_scores_of_their_own(rules, folder):
    own = """
testset = "toy"
[[tasks]]
language_pair = "aa-bb"
domain = ["news", "chat"]
measure = ["system_means/tau_b", "global/pearson"]
"""
    folder["toy/documents/aa-bb.docs"] = b"news d1\nchat d2\n"
    del folder["toy/metric-scores/aa-bb/Z-refC.seg.score"]
    folder["toy/human-scores/aa-bb.mqm.domain.score"] = b"".join(
        b"%s %s %d\n" % (domain, system, score)
        for domain, scores in ((b"news", (3, 2, 1)), (b"chat", (1, 2, 3)))
        for system, score in zip((b"A", b"B", b"C"), scores, strict=True)
    )
    found = official_ranking(folder, rules(own), compare=False).task_values.loc["X"]
    assert found["aa-bb news system_means/tau_b"] == -1
    assert found["aa-bb chat system_means/tau_b"] == 1
    # refA is the only reference, so it is the standard one; the outlier is a system here
    assert found["aa-bb news global/pearson"] == pytest.approx(np.corrcoef([1, 2, 3, 9], [1, 2, 3, 0])[0, 1])
    with pytest.raises(tk.InputError, match=r"partial: the folder lacks what toy needs .*domains: legal"):
        official_ranking(folder, rules(own.replace('"chat"', '"legal"')), compare=False)
    folder["toy/human-scores/aa-bb.mqm.domain.score"] = b"news A\n"
    with pytest.raises(tk.ReadError, match=r"line 1: expected 3 fields, DOMAIN SYSTEM SCORE; found 2"):
        official_ranking(folder, rules(own), compare=False)


def test_what_is_missing_is_said_and_partial_uses_the_rest(rules, folder):
    left = {name: scores for name, scores in folder.items() if "aa-bb" not in name}
    own = RULES.replace('testset = "toy"', 'testset = "toy"\nmetrics = ["X", "Q", "gone"]')
    with pytest.raises(tk.InputError, match=r"language pairs: aa-bb; metrics: gone\).*partial=True"):
        official_ranking(left, rules(own), compare=False)
    found = official_ranking(left, rules(own), compare=False, partial=True)
    assert found.task_values.columns[0] == "cc-dd+ee-ff system_means/pairwise_accuracy"
    assert found.task_values.iloc[0, 0] == pytest.approx(4 / 6)
    assert found.preset.weights[found.task_values.columns[0]] == 3 / 9
    assert "|partial:true|" in found.signature
    assert found.notes == (
        "missing in the folder, and left out: language pairs: aa-bb",
        "missing in the folder, and left out: metrics: gone",
        "7 of 10 tasks were used; their weights were divided by their sum",
    )
    with pytest.raises(tk.InputError, match="has no human and metric scores of toy for aa-bb"):
        official_ranking({"other/human-scores/a-b.x.seg.score": b"A 1"}, rules(), partial=True)


def test_a_metric_that_lacks_a_language_pair_has_no_average(rules, folder):
    del folder["toy/metric-scores/cc-dd/X-refB.seg.score"]
    found = official_ranking(folder, rules(), compare=False)
    assert found.average.index.tolist() == ["Q[noref]", "X"]
    assert found.to_frame()["rank"].isna().tolist() == [False, True]
    assert found.notes[-1] == "no average, because a task has no value: X"


def test_chosen_tasks_and_metrics(rules, folder):
    found = official_ranking(folder, rules(), metrics="Q", tasks="aa-bb item/acc_eq*", compare=False)
    assert found.task_values.shape == (1, 1)
    assert "|partial:true|" in found.signature
    with pytest.raises(tk.InputError, match="tasks: there is no task 'zz'"):
        official_ranking(folder, rules(), tasks=["zz"])
    with pytest.raises(tk.InputError, match="preset: tiekit has no list of primary metrics for toy"):
        official_ranking(folder, rules('metrics = "primary"\n' + RULES))


def test_metrics_that_are_not_primary_and_baselines_are_marked(rules, folder):
    renamed = {name.replace("toy/", "wmt23/").replace("/X-", "/chrF-").replace("/Q-", "/mine-"): scores
               for name, scores in folder.items()}  # fmt: skip
    own = rules(RULES.replace('testset = "toy"', 'testset = "wmt23"\nmetrics = ["chrF"]'))
    found = official_ranking(renamed, own, add="mine", compare=False)
    assert found.average.index.tolist() == ["_chrF", "*mine[noref]"]


def test_average_of_ranks(rules, folder):
    own = RULES.replace("map_correlations = true", 'combine = "average_rank"')
    found = official_ranking(folder, rules(own), compare=False)
    ranks = {task: 1 if x > q else 2 for task, (x, q) in WORKED_OUT.items()}
    assert found.task_clusters.loc["X"].to_dict() == ranks
    assert sum(rank == 2 for rank in ranks.values()) == 2  # both correlations of cc-dd
    assert found.average.to_dict() == pytest.approx({"X": 14 / 12, "Q[noref]": 22 / 12})
    assert found.to_frame()["rank"].tolist() == [1, 2]
    tested = official_ranking(folder, rules(own), n_resamples=9)  # so few that nothing is significant
    assert tested.average.tolist() == [1, 1]
    assert tested.clusters.isna().all()


SYNTHETIC = """
testset = "synthetic"
[[tasks]]
language_pair = ["qaa-qab", "qaa-qac"]
measure = ["system_means/spa", "item/acc_eq*"]
[language_pairs.qaa-qab]
gold = "mqm"
[language_pairs.qaa-qac]
gold = "mqm"
"""
FEW = ["Contour", "Ladder", "Haze", "Constant"]


@pytest.fixture(scope="module")
def tested(tmp_path_factory):
    file = tmp_path_factory.mktemp("own") / "own.toml"
    file.write_text(SYNTHETIC)
    return file, official_ranking(ROOT / "data", file, metrics=FEW, n_resamples=200, rng=3)


def test_values_are_those_of_the_librarys_functions(tested):
    for pair in ("qaa-qab", "qaa-qac"):
        data = tk.read_mtme(ROOT / "data", "synthetic", pair)
        for name in FEW:
            shown = f"{name}[noref]" if name == "Constant" else name
            found = tested[1].task_values.loc[shown]
            assert found[f"{pair} item/acc_eq*"] == pytest.approx(float(tk.calibrate(data, name, human="mqm")))
            assert found[f"{pair} system_means/spa"] == pytest.approx(
                tk.measures.soft_pairwise_accuracy(data, name, human="mqm")
            )


def test_the_average_has_clusters(tested):
    found = tested[1]
    assert found.clusters.is_monotonic_increasing
    assert found.clusters.iloc[0] == 1
    assert found.clusters["Constant[noref]"] == found.clusters.max() > 1
    best, worst = found.average.index[[0, -1]]
    assert found.pvalues.loc[best, worst] <= 0.05
    assert found.pvalues.loc[best, worst] == found.pvalues.loc[worst, best] > 0
    assert found.task_clusters.shape == found.task_values.shape
    assert found.n_resamples == 200
    assert "|resamples:200|stop_early:0.02-0.5|" in found.signature


def test_one_seed_gives_the_same_numbers_on_any_number_of_cores(tested):
    seen = []
    how = {"n_resamples": 200, "rng": 3, "n_jobs": 1, "progress": seen.append}
    again = official_ranking(ROOT / "data", tested[0], metrics=FEW, **how)
    pd.testing.assert_frame_equal(again.pvalues, tested[1].pvalues)
    assert (again.signature, seen[-1]) == (tested[1].signature, 1)


def test_the_table_for_a_paper(tested):
    text = tested[1].to_latex(decimals=2)
    lines = text.splitlines()
    assert lines[0].startswith("% Needs the package booktabs. ranking:own|")
    assert lines[1] == r"\begin{tabular}{lrrrrrrr}"
    assert lines[3] == r" &  &  &  & qaa-qab & qaa-qab & qaa-qac & qaa-qac \\"
    assert r"system\_means" in lines[4]
    assert lines[5].startswith("metric & average & rank & cluster & $\\mathrm{SPA}$")
    assert sum(line.startswith("Contour") for line in lines) == 1
    assert len(tested[1].to_latex(tasks=False).splitlines()) == 7 + len(FEW)
    assert repr(tested[1]).count("\n") < 10
    with pytest.raises(TypeError):
        float(tested[1])
    assert tested[1].to_dict()["signature"] == tested[1].signature


MTME = {
    "system_means/pairwise_accuracy": (66 / 91, 74 / 91),
    "system_means/pearson": (0.9235548666693111, 0.5686231080816815),
    "system_means/tau_b": (0.45054945054945056, 0.6263736263736264),
    "global/pearson": (0.37647852428682416, 0.5049559714217211),
    "global/tau_b": (0.31571504090089864, 0.3645417109733948),
    "system/pearson": (0.3561036145761652, 0.501048393380154),
    "system/tau_b": (0.3036954035133813, 0.3642188655270476),
    "item/pearson": (0.3109144354757304, 0.23582187038003138),
    "item/tau_b": (0.21608978288925995, 0.15988104635246664),
}


@pytest.mark.real
def test_values_on_wmt22_zh_en_are_mtmes(real_data):
    """The values that mt-metrics-eval 25fc1fe gives for two metrics, without human outputs."""
    tasks = [f"zh-en {measure}" for measure in MTME]
    chosen = ["en-de+en-ru+zh-en system_means/pairwise_accuracy", *tasks[1:]]
    folder, names = real_data / "mt-metrics-eval-v2", ["BERTScore", "COMET-QE"]
    found = official_ranking(folder, "wmt22", tasks=chosen, metrics=names, compare=False, partial=True)
    for number, name in enumerate(["BERTScore", "COMET-QE[noref]"]):
        for task, measure in zip(tasks, MTME, strict=True):
            assert found.task_values.loc[name, task] == pytest.approx(MTME[measure][number], abs=1e-12), task


SEVEN = ["COMET-22", "BLEURT-20", "YiSi-1", "BERTScore", "MS-COMET-QE-22", "chrF", "BLEU"]

OWN = """
testset = "wmt22"
metrics = {metrics}

[[tasks]]
language_pair = "zh-en"
measure = {measures}
humans = true
"""


def test_one_question_has_one_answer_in_compare_metrics_and_in_an_official_ranking(tmp_path):
    """The same systems, alternative and measure; what each swaps unasked is the same, so p-values differ by chance."""
    data, path, measures = tk.load_wmt22(), tmp_path / "own.toml", ["system_means/pearson", "system_means/tau_b"]
    path.write_text(OWN.format(metrics=SEVEN, measures=measures))
    alpha = 0.2  # no p-value is near it
    found = official_ranking(ROOT / "data", path, n_resamples=1999, stop_early=None, alpha=alpha)
    for measure in measures:
        test = tk.significance.compare_metrics(data, SEVEN, measure, alternative="greater", n_resamples=1999)
        assert test.swap == "system_means"
        clusters = found.task_clusters[f"zh-en {measure}"].rename(lambda name: name.strip("_*").removesuffix("[noref]"))
        same = test.clusters(alpha).rename(lambda name: name.rpartition("-")[0])
        assert same.to_dict() == clusters.to_dict(), measure
        assert clusters.nunique() > 2


def test_soft_pairwise_accuracy_swaps_what_an_official_ranking_swaps(tmp_path):
    data, pair, path = tk.load_wmt22(), ["COMET-22", "BLEURT-20"], tmp_path / "own.toml"
    few = data.select(documents=list(dict.fromkeys(data.documents))[:40], exclude=())
    path.write_text(OWN.format(metrics=pair, measures=["system_means/spa"]).replace('"wmt22"', '"few"'))
    tk.write_mtme(few, tmp_path / "v2", testset="few", language_pair="zh-en")
    found = official_ranking(tmp_path / "v2", path, n_resamples=499, stop_early=None).pvalues.iloc[0, 1]
    test = tk.significance.permutation_test(few, *pair, "spa", alternative="greater", n_resamples=499)
    assert test.swap == "cells"
    assert 0.02 < found < 0.98
    assert min(test.pvalue, 1 - test.pvalue) == pytest.approx(min(found, 1 - found), abs=0.08)


def test_the_wmt_program_and_the_default_test_agree_on_two_metrics():
    """mt-metrics-eval's PERM-BOTH gives .13 to .15, one-sided; SciPy's permutation of 15 system scores .28."""
    data, pair = tk.load_wmt22(), ("YiSi-1", "BERTScore", "system_means/pearson")
    one, both = (
        tk.significance.permutation_test(data, *pair, alternative=side, n_resamples=4999)
        for side in ("greater", "two-sided")
    )
    assert 0.12 < one.pvalue < 0.17
    assert both.pvalue == pytest.approx(0.28, abs=0.02)
    assert "swap:system_means" in one.signature
    explicit = tk.significance.permutation_test(data, *pair, swap="segments")
    assert explicit.pvalue == 0.001  # as before: each system's mean is that of many segments
