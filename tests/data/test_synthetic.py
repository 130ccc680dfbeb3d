"""The bundled set is what its program writes, has the layout it claims, and shows the effects it is there to show."""

import re
import runpy
from functools import cache
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import kendalltau

import tiekit as tk

DATA = Path(__file__).parents[2] / "data"
ROOT = DATA / "synthetic"
PAIRS = ["qaa-qab", "qaa-qac"]
METRICS = {
    "Contour-refA", "Contour-QE-src", "Ladder-refA", "Judge-src", "Dodger-refA", "Haze-refA", "Overlap-refA",
    "OutputLength-src", "SourceLength-src", "Constant-src",
}  # fmt: skip
BOTH = pytest.mark.parametrize("pair", PAIRS)


def blocks(path):
    """System -> list of the fields of a score file, in order."""
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    found = {system: [row[1] for row in group] for system, group in groupby(rows, key=lambda row: row[0])}
    assert sum(map(len, found.values())) == len(rows), f"{path.name}: a block is in pieces"
    return found


@cache
def matrix(pair, name):
    """Scores of the 15 systems; `name` is a metric, or mqm or da."""
    human = ROOT / "human-scores" / f"{pair}.{name}.seg.score"
    path = human if human.exists() else ROOT / "metric-scores" / pair / f"{name}.seg.score"
    rows = [row for system, row in blocks(path).items() if system != "refA"]
    return np.array([[np.nan if field == "None" else float(field) for field in row] for row in rows])


@cache
def domain(pair, name):
    """Which segments belong to the domain `name` ("" for all)."""
    lines = (ROOT / "documents" / f"{pair}.docs").read_text(encoding="utf-8").splitlines()
    return np.array([line.startswith(name) for line in lines])


def item_pairs(pair, metric, of_domain=""):
    """Differences of the human and of the metric score, a row a pair of systems, a column a segment."""
    i, j = np.triu_indices(15, 1)
    keep = domain(pair, of_domain)
    return [(scores[i] - scores[j])[:, keep] for scores in (matrix(pair, "mqm"), matrix(pair, metric))]


@cache
def item(pair, metric):
    """Means over the items where it is defined: tau_b, tau_10, tau_13, acc_eq; then the items that tau_b used."""
    human, scores = item_pairs(pair, metric)
    c, d = ((np.sign(human) * np.sign(scores) == sign).sum(0) for sign in (1, -1))
    both = ((human == 0) & (scores == 0)).sum(0)
    tied_human, tied_metric = (human == 0).sum(0) - both, (scores == 0).sum(0) - both
    with np.errstate(invalid="ignore"):
        tau_b = (c - d) / np.sqrt((c + d + tied_human) * (c + d + tied_metric))
        tau_10 = (c - d - tied_metric) / (c + d + tied_metric)
        tau_13 = (c - d) / (c + d)
    means = [np.nanmean(tau) if np.isfinite(tau).any() else np.nan for tau in (tau_b, tau_10, tau_13)]
    return *means, ((c + both) / len(human)).mean(), np.isfinite(tau_b).sum()


def calibrated(human, scores):
    """The best acc_eq, its smallest epsilon and the share of pairs that it ties, from the sorted differences."""
    order = np.argsort(np.abs(scores), axis=None)
    human, scores = human.ravel()[order], scores.ravel()[order]
    right = np.where(human == 0, 1, -(np.sign(human) == np.sign(scores)).astype(int))
    gaps = np.abs(scores)
    last = np.append(np.diff(gaps) > 0, True)
    value = (human * scores > 0).sum() + np.cumsum(right)[last]
    best = value.argmax()
    return value[best] / len(human), gaps[last][best], (best + 1) / last.sum()


@cache
def item_calibrated(pair, metric, of_domain=""):
    """acc_eq* and epsilon* grouped by item."""
    return calibrated(*item_pairs(pair, metric, of_domain))[:2]


@cache
def ungrouped(pair, metric):
    """tau_b without grouping."""
    return kendalltau(matrix(pair, "mqm"), matrix(pair, metric)).statistic


@cache
def by_system(pair, metric):
    """tau_b by system."""
    rows = zip(matrix(pair, "mqm"), matrix(pair, metric), strict=True)
    return np.mean([kendalltau(human, scores).statistic for human, scores in rows])


def test_the_program_writes_these_very_bytes(tmp_path):
    runpy.run_path(str(DATA / "make_synthetic.py"))["write_all"](tmp_path)
    made = {path.relative_to(tmp_path): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    kept = {path.relative_to(ROOT): path.read_bytes() for path in ROOT.rglob("*") if path.is_file()}
    assert kept.pop(Path("README.md"))[:40].count(b"SYNTHETIC") == 1
    assert sorted(made) == sorted(kept)
    assert [name for name in made if made[name] != kept[name]] == []


@BOTH
def test_layout(pair):
    outputs = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "system-outputs" / pair).iterdir()}
    assert len(outputs) == 16
    assert outputs["refA"] == (ROOT / "references" / f"{pair}.refA.txt").read_text(encoding="utf-8")
    assert all(re.fullmatch("[A-Za-z]+", system) for system in outputs)
    texts = [*outputs.values(), (ROOT / "sources" / f"{pair}.txt").read_text(encoding="utf-8")]
    assert all(len(text.splitlines()) == 300 and "\n\n" not in text for text in texts)
    documents = (ROOT / "documents" / f"{pair}.docs").read_text(encoding="utf-8").splitlines()
    assert len(documents) == 300
    assert len([name for name, _ in groupby(documents)]) == len(set(documents)) == 30
    assert domain(pair, "chat").sum() == domain(pair, "news").sum() == 150


@BOTH
def test_score_files_cover_whom_they_must(pair):
    files = sorted((ROOT / "metric-scores" / pair).iterdir())
    assert {path.name.removesuffix(".seg.score") for path in files} == METRICS
    for path in [*files, *(ROOT / "human-scores").glob(f"{pair}.*")]:
        found = blocks(path)
        assert ("refA" in found) == ("-refA" not in path.name), path.name
        assert len(found) == 15 + ("refA" in found)
        assert {len(fields) for fields in found.values()} == {300}
        assert ("None" in str(found)) == (".da." in path.name), path.name


@BOTH
def test_mqm_is_complete_and_mqm_like(pair):
    fields = [field for row in blocks(ROOT / "human-scores" / f"{pair}.mqm.seg.score").values() for field in row]
    assert all(re.fullmatch(r"0\.0|-\d+\.\d", field) for field in fields)
    assert "-0.0" not in fields
    assert {"0.0", "-1.0", "-5.0", "-25.0"} <= set(fields)
    assert min(map(float, fields)) == -25


@BOTH
def test_da_misses_cells_and_agrees_with_mqm(pair):
    mqm, da = matrix(pair, "mqm"), matrix(pair, "da")
    rated = np.isfinite(da)
    assert 0.2 < 1 - rated.mean() < 0.3
    assert 0 <= da[rated].min() < da[rated].max() <= 100
    assert kendalltau(mqm[rated], da[rated]).statistic > 0.5


@BOTH
def test_half_of_the_pairs_within_an_item_are_tied(pair):
    human, _ = item_pairs(pair, "Constant-src")
    assert 0.45 < (human == 0).mean() < 0.55
    assert (human == 0).all(0).sum() >= 20  # items where every system is tied


@BOTH
def test_long_sources_are_harder(pair):
    lengths = [
        len(line.split()) for line in (ROOT / "sources" / f"{pair}.txt").read_text(encoding="utf-8").splitlines()
    ]
    assert kendalltau(lengths, matrix(pair, "mqm").mean(0)).statistic < -0.3


@BOTH
def test_discrete_metrics_are_discrete(pair):
    assert set(np.unique(matrix(pair, "Judge-src") % 5)) == {0}
    assert matrix(pair, "Judge-src").max() == 100
    assert len(np.unique(matrix(pair, "Ladder-refA"))) < 12
    assert len(np.unique(matrix(pair, "Contour-refA"))) > 4000


@BOTH
def test_a_constant_metric_gets_the_share_of_ties(pair):
    human, _ = item_pairs(pair, "Constant-src")
    tau_b, tau_10, tau_13, accuracy, used = item(pair, "Constant-src")
    assert (tau_10, used) == (-1, 0)
    assert np.isnan([tau_b, tau_13]).all()
    assert accuracy == pytest.approx((human == 0).mean())


@BOTH
def test_coefficients_disagree_about_the_ranking(pair):
    by_tau_b, by_tau_10, _, by_accuracy = (
        sorted(METRICS - {"Constant-src", "SourceLength-src"}, key=lambda m, k=k: -item(pair, m)[k]) for k in range(4)
    )
    assert by_tau_b[0] == "Dodger-refA"  # it scores under a third of the items
    assert item(pair, "Dodger-refA")[4] < 100 < 260 < item(pair, "Contour-refA")[4]
    assert by_tau_10[-2:] in (["Ladder-refA", "Dodger-refA"], ["Dodger-refA", "Ladder-refA"])
    assert by_accuracy[0] == "Ladder-refA"  # it ties, and untied metrics cannot be right about ties
    by_calibrated = sorted(METRICS, key=lambda m: -item_calibrated(pair, m)[0])
    assert by_calibrated[0] == "Contour-refA"
    assert "Dodger-refA" not in by_calibrated[:3]


@BOTH
def test_calibration_lifts_the_continuous_metrics_above_the_discrete_one(pair):
    for metric in ("Contour-refA", "Contour-QE-src"):
        assert item(pair, metric)[3] < item(pair, "Ladder-refA")[3] - 0.2
        assert item_calibrated(pair, metric)[0] > item_calibrated(pair, "Ladder-refA")[0]


@BOTH
@pytest.mark.parametrize("metric", ["Contour-refA", "Contour-QE-src"])
def test_the_best_epsilon_lies_inside_the_range_without_grouping(pair, metric):
    human, scores = (matrix(pair, name)[:, ::5].ravel() for name in ("mqm", metric))
    i, j = np.triu_indices(len(human), 1)
    value, epsilon, share = calibrated(human[i] - human[j], scores[i] - scores[j])
    assert 0.05 < epsilon < 0.3
    assert 0.2 < share < 0.8
    assert value > 0.6


@BOTH
def test_a_metric_that_sees_only_the_source_is_good_until_items_are_compared(pair):
    for weaker in ("Overlap-refA", "Haze-refA"):
        assert ungrouped(pair, "SourceLength-src") > ungrouped(pair, weaker) + 0.08
        assert by_system(pair, "SourceLength-src") > by_system(pair, weaker) + 0.08
        assert item(pair, weaker)[0] > 0.1
    assert item(pair, "SourceLength-src")[1] == -1
    assert item(pair, "SourceLength-src")[4] == 0
    assert abs(item(pair, "OutputLength-src")[0]) < 0.05 < 0.2 < ungrouped(pair, "OutputLength-src")


@BOTH
def test_two_good_metrics_change_places_between_groupings(pair):
    assert item(pair, "Contour-refA")[0] > item(pair, "Contour-QE-src")[0] + 0.03
    assert item_calibrated(pair, "Contour-refA")[0] > item_calibrated(pair, "Contour-QE-src")[0]
    assert ungrouped(pair, "Contour-refA") < ungrouped(pair, "Contour-QE-src") - 0.03
    assert by_system(pair, "Contour-refA") < by_system(pair, "Contour-QE-src") - 0.03


@pytest.mark.parametrize("metric", ["Contour-refA", "Contour-QE-src"])
def test_epsilon_differs_between_domains_and_language_pairs(metric):
    for pair in PAIRS:
        assert item_calibrated(pair, metric, "chat")[1] > 1.3 * item_calibrated(pair, metric, "news")[1]
    assert item_calibrated(PAIRS[1], metric)[1] > item_calibrated(PAIRS[0], metric)[1]


FOUR = ["Contour-refA", "Ladder-refA", "Judge-src", "Dodger-refA"]


def by_rule(pair):
    """The leaderboard of four metrics by tau_b, for each rule of undefined items."""
    data = tk.read_mtme(DATA, "synthetic", pair)
    return [
        tk.leaderboard(data, metrics=FOUR, coefficients=["tau_b"], calibrated=(), undefined=rule)
        for rule in ("drop", "common", "zero")
    ]


@BOTH
def test_a_metric_leads_only_because_the_items_that_it_ties_are_dropped(pair):
    drop, common, zero = (board["tau_b"] for board in by_rule(pair))
    assert drop.idxmax() == "Dodger-refA"
    assert drop["Dodger-refA"] > drop["Contour-refA"] + 0.03
    assert common.idxmax() == "Contour-refA"
    assert common["Dodger-refA"] < common["Contour-refA"] - 0.1
    assert zero.idxmin() == "Dodger-refA"
    _, scores = item_pairs(pair, "Dodger-refA")
    few = matrix(pair, "mqm").mean(0)
    tied = (scores == 0).all(0)
    assert few[tied].mean() > few[~tied].mean() + 3  # these items have few errors


def test_what_the_set_does_not_show_is_said():
    pooled = {name: ungrouped("qaa-qab", name) for name in METRICS}
    lower = {name for name in METRICS if pooled[name] < pooled["SourceLength-src"]}
    assert lower == {"Overlap-refA", "Haze-refA", "OutputLength-src"}
    assert max((name for name in METRICS if pooled[name] == pooled[name]), key=pooled.get) == "Judge-src"
