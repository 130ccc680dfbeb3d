"""Identical translations: what raters, metrics and leaderboards make of them, from labels and from texts."""

import csv
import gzip
import json
import re
import time
import tracemalloc
from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import tiekit as tk
from tests.strategies import examples
from tiekit.errors import InputError
from tiekit.identical import STEPS, SamePairs, audit, count_same, repair

pytestmark = pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")
SETS = ("wmt22/zh-en", "wmt23/zh-en", "wmt23/he-en", "wmt23/en-de")


@pytest.fixture(
    scope="module", params=[SETS[0], *(pytest.param(name, marks=pytest.mark.campaign) for name in SETS[1:])]
)
def name(request):
    return request.param


def systems_alone(data):
    """Who is left out: references, and systems without a rating."""
    rated = dict(zip(data.systems, ~np.isnan(data.human["mqm"]).all(axis=1), strict=True))
    return [one for one in data.systems if one.startswith(("ref", "synthetic")) or not rated[one]]


@pytest.fixture(scope="module")
def found(name):
    data = tk.load(name)
    left_out = systems_alone(data)
    return audit(data, exclude=left_out), repair(data, exclude=left_out)


PRINTED = {  # share of pairs, their number, raters, some metrics: docs/identical.md
    "wmt22/zh-en": (
        4.6, 170_625, {"mqm": 86.5, "wmt-appraise": 5.0},
        {"BLEU": 100, "chrF": 100, "BLEURT-20": 100, "UniTE": 100, "GEMBA-GPT4-DA": 100, "BERTScore": 44,
         "metricx_xxl_MQM_2020": 5, "COMET-22": 1.4, "COMET-QE": 0.1, "SEScore": 0.1},
    ),
    "wmt23/zh-en": (
        5.3, 123_585, {"mqm": 65.8, "da-sqm": 2.9},
        {"BLEURT-20": 100, "YiSi-1": 100, "GEMBA-MQM": 100, "XCOMET-Ensemble": 55, "MetricX-23": 4},
    ),
    "wmt23/he-en": (5.1, 54_120, {"mqm": 87.5}, {"MetricX-23": 0.2}),
    "wmt23/en-de": (
        4.2, 30_360, {"mqm": 81.1, "da-sqm": 4.9}, {"cometoid22-wmt23": 99, "COMET": 61, "MetricX-23": 0.1}
    ),
}  # fmt: skip


def row_of(table, metric):
    """The row of a metric whose name has a reference after it."""
    return table.loc[next(name for name in table.index if name.rpartition("-")[0] == metric)]


def test_the_table_of_the_report(name, found):
    share, n_pairs, raters, metrics = PRINTED[name]
    table = found[0].table
    assert found[0].n_pairs == n_pairs
    assert 100 * found[0].n_identical / n_pairs == pytest.approx(share, abs=0.051)
    for rater, tied in raters.items():
        assert 100 * table.tied[rater] == pytest.approx(tied, abs=0.051)
        assert table.low[rater] < table.tied[rater] < table.high[rater]
    for metric, tied in metrics.items():
        assert 100 * row_of(table, metric)["tied"] == pytest.approx(tied, abs=0.051 if tied < 2 else 0.51)


def test_no_share_is_told_of_a_gain_that_is_nearly_nothing(name, found):  # noqa: ARG001
    table = found[1].table
    gain = table["at ε*"] - table["at 0"]
    assert (table["repaired"].isna() == (gain < 0.0005)).all()
    assert table["repaired"].isna().any() == (" –" in str(found[1]))


def test_each_step_is_what_correlate_says(name, found):
    data = tk.load(name)
    for metric in found[1].table.index[:: 8 if name != "wmt22/zh-en" else 6]:
        row, how = found[1].table.loc[metric], {"exclude": systems_alone(data)}
        values = [
            tk.correlate(data, metric, "acc_eq", **how).value,
            tk.correlate(data, metric, "acc_eq", tie_identical=True, **how).value,
            tk.correlate(data, metric, "acc_eq", epsilon=row["epsilon_0"], **how).value,
            tk.correlate(data, metric, "acc_eq*", **how).value,
        ]
        assert row.iloc[:4].tolist() == pytest.approx(values, abs=1e-12)
        assert row["epsilon_0"] == found[0].table.epsilon_0[metric]


PAGE = (Path(__file__).parents[1] / "docs" / "identical.md").read_text(encoding="utf-8")
WORDS = " ".join(PAGE.split())


def short(metric):
    """A metric's name without its reference."""
    return metric.rpartition("-")[0]


def title(name):
    """A set's name in the report."""
    return name.upper().replace("/", " ").replace("ZH-EN", "zh-en").replace("HE-EN", "he-en").replace("EN-DE", "en-de")


def percent(found, digits=1):
    """A share and its interval."""
    return "{:.{d}f} % ({:.{d}f}–{:.{d}f})".format(*(100 * one for one in found), d=digits)


def signed(found, digits=1):
    """A difference and its interval."""
    return "{:.{d}f} ({:.{d}f} to {:.{d}f})".format(*(round(one, digits) + 0.0 for one in found), d=digits).replace(
        "-", "−"
    )


class Pairs:
    """All pairs of translations of a segment that MQM has rated, plainly: nothing of tiekit is used."""

    def __init__(self, human, labels, documents):
        a, b = np.triu_indices(len(human), 1)
        which, self.segment = np.nonzero(~np.isnan(human[a] - human[b]))
        self.first, self.second = a[which], b[which]
        one, other = (labels[system, self.segment] for system in (self.first, self.second))
        self.same = (one == other) & (one >= 0)
        self.document = np.unique(documents, return_inverse=True)[1][self.segment]
        self.labels, self.human, self.gap = np.where(np.isnan(human), -1, labels), human, self.gaps(human)
        self.erring = ~((human[self.first, self.segment] == 0) & (human[self.second, self.segment] == 0))
        self.weight = 1 / np.bincount(self.segment)[self.segment]

    def gaps(self, scores):
        return scores[self.first, self.segment] - scores[self.second, self.segment]

    def drawn(self, values, weights):
        """A weighted mean: as it is, and on 9,999 resamples of documents."""
        n = self.document.max() + 1
        drawn = np.random.default_rng(38).multinomial(n, np.full(n, 1 / n), 9999)
        drawn = np.concatenate([np.ones((1, n)), drawn])
        above, below = (drawn @ np.bincount(self.document, one, n) for one in (values * weights, weights))
        return above / np.where(below > 0, below, np.nan)

    def mean(self, values, weights):
        """A weighted mean, and its interval by resampled documents."""
        found = self.drawn(values, weights)
        return found[0], *np.nanquantile(found[1:], [0.025, 0.975])

    def beside(self, values, which, others):
        """Values of some pairs minus the mean of others of their segment, where there are any."""
        n, total = (np.bincount(self.segment[others], w, self.human.shape[1]) for w in (None, values[others]))
        which = which & (n[self.segment] > 0)
        return self.mean(np.where(which, values - (total / np.maximum(n, 1))[self.segment], 0), which)

    def right(self, scores, tied):
        """Whether a metric orders or ties each pair as MQM does, if some are made to tie."""
        return np.sign(self.gap) == np.where(tied, 0, np.sign(self.gaps(scores)))

    def acc_eq(self, scores, tied):
        return np.average(self.right(scores, tied), weights=self.weight)

    def other_pairs(self, order):
        """As many pairs of each segment that are not identical as are, if there are so many: the first in an order."""
        n = np.bincount(self.segment[self.same], minlength=self.human.shape[1])
        others = np.flatnonzero(~self.same & (n[self.segment] > 0))
        others = others[np.lexsort((order[others], self.segment[others]))]
        segments = self.segment[others]
        chosen = np.zeros(self.same.size, bool)
        chosen[others[np.arange(len(others)) - np.searchsorted(segments, segments) < n[segments]]] = True
        return chosen

    def shuffled_pairs(self, rng):
        """Pairs with one label after labels were shuffled among the systems of each segment."""
        labels = self.labels.copy()
        for column, cells in zip(labels.T, ~np.isnan(self.human.T), strict=True):
            column[cells] = rng.permutation(column[cells])
        one, other = (labels[system, self.segment] for system in (self.first, self.second))
        return (one == other) & (one >= 0)


@pytest.fixture(scope="module")
def pairs(name):
    """The pairs of a set by its labels, and twenty draws of each control."""
    data = tk.load(name)
    data = data.select(exclude=systems_alone(data))
    found, rng = Pairs(data.human["mqm"], data.identical, data.documents), np.random.default_rng(38)
    others = [found.other_pairs(rng.random(found.same.size)) for _ in range(20)]
    return data, found, others, [found.shuffled_pairs(rng) for _ in range(20)]


def line_of_raters(name, found, pairs):
    audited, repaired = found
    tied = [percent(pairs.mean(pairs.gap == 0, which)) for which in (pairs.same, pairs.same & pairs.erring)]
    share = f"{audited.n_identical:,} ({100 * audited.n_identical / audited.n_pairs:.1f} %)"
    of_ties = f"{100 * repaired.human_ties:.0f} % | {100 * repaired.identical_human_ties:.1f} %"
    n = (pairs.same & pairs.erring).sum()
    return f"| {title(name)} | {audited.n_pairs:,} | {share} | {tied[0]} | {tied[1]} of {n:,} | {of_ties} |"


def shares_of_parts(name):
    """What MQM ties by domain, and in the shorter and the longer half of the identical pairs."""
    data = tk.load(name)
    data = data.select(exclude=systems_alone(data))
    by_domain = [data.select(domain=one, exclude=()) for one in set(data.domains)]
    by_domain = [audit(one, exclude=(), metrics=(), n_resamples=0).table.tied["mqm"] for one in by_domain]
    pairs = Pairs(data.human["mqm"], data.identical, data.documents)
    lengths = data.lengths.of_outputs(data.systems, len(data.segments))
    n, tied = lengths[pairs.first, pairs.segment][pairs.same], (pairs.gap == 0)[pairs.same]
    assert np.median(n) < np.median(lengths[~np.isnan(pairs.human)]) / 2
    is_short = n <= np.median(n)
    return by_domain, tied[is_short].mean(), tied[~is_short].mean()


def test_domains_and_lengths():
    domains, short_half, long_half = zip(*map(shares_of_parts, SETS), strict=True)
    domains = [one for by_domain in domains for one in by_domain]
    ranges = [f"{100 * min(part):.0f} to {100 * max(part):.0f} %" for part in (domains, short_half, long_half)]
    assert "{} by domain, {} of the shorter half of each set, {} of the longer".format(*ranges) in WORDS


APART = {"docWMT22CometDA", "docWMT22CometKiwiDA", "Random-sysname", "Calibri-COMET22", "Calibri-COMET22-QE"}
APART |= {"MetricX-23-c", "MetricX-23-QE-c"}


def line_of_metrics(name, found, data):
    """How many metrics tie how much, and how many ranks change if identical pairs are tied, at ε = 0 and at ε*."""
    tied = found[0].table.query("kind == 'metric'").tied
    parts = [(tied == 1).sum(), ((tied < 1) & (tied >= 0.9)).sum(), ((tied < 0.9) & (tied >= 0.1)).sum()]
    ranks = [found[1].table[f"rank({step})"] for step in STEPS[:2]]
    values = [
        tk.leaderboard(data, coefficients="acc_eq*", exclude=(), tie_identical=tied)["acc_eq*"].sort_index()
        for tied in (False, True)
    ]
    alone = [one[~one.index.map(short).isin(APART)] for one in values]
    moved = [(np.subtract(*(one.round(9).rank(method="min") for one in both)) != 0).sum() for both in (values, alone)]
    cells = [len(tied), *parts, (tied < 0.1).sum(), (ranks[0] != ranks[1]).sum(), *moved]
    return f"| {title(name)} | {' | '.join(map(str, cells))} | {np.abs(np.subtract(*alone)).max():.4f} |"


SHOWN = {
    "wmt22/zh-en": ("metricx_xxl_MQM_2020", "COMET-22", "BLEURT-20", "MEE4"),
    "wmt23/zh-en": ("MetricX-23-QE-c", "MetricX-23", "XCOMET-Ensemble"),
    "wmt23/he-en": ("MetricX-23-b", "CometKiwi-XXL", "chrF"),
    "wmt23/en-de": ("MetricX-23-b", "MetricX-23-QE-b", "COMET"),
}


def lines_of_repair(name, found, data, pairs, *controls):
    for metric in SHOWN[name]:
        row, tied = row_of(found[1].table, metric), row_of(found[0].table, metric)["tied"]
        steps = " | ".join(f"{row[step]:.4f} ({int(row[f'rank({step})'])})" for step in STEPS)
        shares = [row["repaired"]]
        for draws in controls:
            values = [pairs.acc_eq(data.metrics[row.name], which) for which in draws]
            assert np.std(values) < 0.0015
            shares.append((np.mean(values) - row["at 0"]) / (row["at ε*"] - row["at 0"]))
        of_gain = " | ".join(f"{100 * one:.0f} %".replace("-", "−") for one in shares)
        tied = f"{100 * tied:.1f} %" if tied < 1 else "100 %"
        yield f"| {title(name)} | {metric} | {tied} | {steps} | {of_gain} |"


MOVES = {"wmt22/zh-en": ("COMET-22", "BLEURT-20"), "wmt23/zh-en": ("MetricX-23", "BLEURT-20")}


def line_of_move(name, found, data, pairs, others):
    """One metric minus another: as they are, with pairs tied; and with others tied for the first, drawn or closest."""
    one, other = (data.metrics[row_of(found[1].table, metric).name] for metric in MOVES[name])
    nothing, closest = np.zeros(pairs.same.size, bool), pairs.other_pairs(np.abs(pairs.gaps(one)))
    values = [(nothing, nothing), (pairs.same, pairs.same), (others[0], nothing), (closest, nothing)]
    at, tied, drawn, near = (
        signed(pairs.mean(pairs.right(one, mine) * 1.0 - pairs.right(other, yours), pairs.weight), 3)
        for mine, yours in values
    )
    line = f"- {title(name)}, {MOVES[name][0]} minus {MOVES[name][1]}: {at}, identical tied {tied};"
    return f"{line} other pairs tied for {MOVES[name][0]} {drawn}, the closest {near}"


def report(name, found, data, pairs, others, shuffled):
    """Every line of the report that is about one set, and needs no text."""
    yield line_of_raters(name, found, pairs)
    yield line_of_metrics(name, found, data)
    yield from lines_of_repair(name, found, data, pairs, others, shuffled)
    if name in MOVES:
        yield line_of_move(name, found, data, pairs, others)


def missing(lines):
    """Those that are not in the report."""
    known = PAGE.splitlines()
    return [line for line in lines if line not in known]


def test_every_line_of_the_report(name, found, pairs):
    assert missing(report(name, found, *pairs)) == []


def test_the_report_has_no_other_line_about_a_set():
    numbers = [line for line in PAGE.splitlines() if re.match(r"(\| |- )WMT2\d ..-..", line)]
    by_set = [3 + len(SHOWN[name]) + (name in MOVES) + len(DIRECT[name]) + len(ROWS[name]) for name in SETS]
    assert len(numbers) == sum(by_set) + len(MULTIPLES)


FEWER = {"MetricX-23", "MetricX-23-b", "MetricX-23-QE", "MetricX-23-QE-b", *APART} - {"MetricX-23-c", "MetricX-23-QE-c"}
FEWER = {
    "wmt22/zh-en": {"metricx_xxl_MQM_2020", "COMET-20", "COMET-22", "COMET-QE", "COMETKiwi", "SEScore"}
    | {"MS-COMET-22", "MS-COMET-QE-22"},
    "wmt23/zh-en": FEWER - {"docWMT22CometDA", "docWMT22CometKiwiDA"},
    "wmt23/he-en": FEWER - {"docWMT22CometDA"},
    "wmt23/en-de": FEWER - {"docWMT22CometDA", "docWMT22CometKiwiDA"},
}


def test_what_the_report_says_in_words(name, found, pairs):
    data, of_pairs, *_, shuffled = pairs
    table = found[0].table.query("kind == 'metric'").rename(short)
    assert (table.tied[["BLEU", "chrF", "BLEURT-20"]] == 1).all()
    assert set(table.index[table["p99/sd"] >= 0.03]) == APART & set(table.index)
    assert set(table.index[table.tied < 0.1]) == FEWER[name]
    assert table["p99/sd"].get("MetricX-23-c", 0) < 0.15
    assert {0.5 < table["p99/sd"].get(one, 0.6) < 0.85 for one in ("Calibri-COMET22", "Calibri-COMET22-QE")} == {True}
    assert found[0].table.of_ties["mqm"] == pytest.approx(found[1].identical_human_ties, abs=1e-12)
    near = {"wmt22/zh-en": 3, "wmt23/zh-en": 4, "wmt23/he-en": 0, "wmt23/en-de": 13}
    assert ((of_pairs.gap != 0) & (np.abs(of_pairs.gap) < 1e-9)).sum() == near[name]
    same = np.mean([(which & of_pairs.same).sum() / which.sum() for which in shuffled])
    assert 0.18 < same < 0.34
    if name == "wmt23/zh-en":
        far = found[0].differences.apart == 7 * len(data.segments)
        tied = [100 * (found[0].differences["MetricX-23-refA"][which] == 0).mean() for which in (far, ~far)]
        assert f"{tied[0]:.0f} % of its {far.sum()} pairs that are seven systems apart, {tied[1]:.0f} % of the" in WORDS
        apart = [found[0].by_distance(metric, 32) for metric in ("MetricX-23-c-refA", "MetricX-23-QE-c-src")]
        assert {one.tied[True] for one in apart} == {1.0}
        shares = " and ".join(f"{100 * one.tied[False]:.0f}" for one in apart)
        assert f"{apart[0].pairs[True]} pairs whose rows are a multiple of 32 apart, {shares} % of the others" in WORDS


def test_what_the_report_sums_up():
    rows = [line.strip("| ").split(" | ") for line in PAGE.splitlines() if re.match(r"\| WMT2\d ..-..", line)]
    tied = [[float(cell.split()[0]) for cell in row[3:5]] for row in rows if len(row) == 7 and "," in row[1]]
    found = [f"{min(one):.0f} to {max(one):.0f} %" for one in zip(*tied, strict=True)]
    assert f"MQM gives {found[0]} of these pairs the same score" in WORDS
    assert f"it ties {found[1]}" in WORDS
    counted = [
        [int(cell.replace(",", "").split()[0]) for cell in (row[2], row[4].rpartition("of ")[2])] for row in rows[:4]
    ]
    clean = [2 * (1 - erring / n) > of_all / 100 for (n, erring), (of_all, _) in zip(counted, tied, strict=True)]
    assert clean.count(True) == 3, "on three of four sets mainly because neither rating has an error"
    direct = [
        [float(one) for one in re.findall(r"-?[\d.]+", " ".join(row[5:]).replace("−", "-"))] for row in rows[8:12]
    ]
    assert max(row[0] for row in direct) == 1.4, "tied at most 1.4 points more often"
    assert [row[4] > 0 for row in direct].count(True) == 3, "three of four scores place them closer"
    reached, more = {}, {}
    for of, metric, tied, *_, gain, other, shuffled in (row for row in rows if len(row) == 10 and "%" in row[2]):
        shares = [float(cell.split()[0].replace("−", "-")) for cell in (gain, other, shuffled)]
        if tied != "100 %" and metric != "COMET":
            part = "much" if of in ("WMT22 zh-en", "WMT23 he-en") else of[-5:]
            reached.setdefault(part, []).append(shares[0])
            more.setdefault(part, []).extend(shares[0] - one for one in shares[1:])
    parts = {part: (*(f"{min(one):.0f} to {max(one):.0f}" for one in (reached[part], more[part])),) for part in more}
    assert "identical pairs give {} % of the gain, {} points more than the controls".format(*parts["much"]) in WORDS
    assert "they give {} % and the controls hardly any".format(parts["zh-en"][0]) in WORDS
    assert "they give MetricX-23 {} %, {} points more".format(*parts["en-de"]) in WORDS


def test_differences_by_part_are_those_of_the_whole(name, found):
    table, n_segments = found[0].table, len(tk.load(name).segments)
    for metric in ("mqm", *table.index[-2:]):
        for part in (found[0].by_systems(metric), found[0].by_place(metric, 7), found[0].by_distance(metric, 2)):
            assert part.pairs.sum() == table.pairs[metric]
            assert (part.pairs * part.tied).sum() == pytest.approx(table.pairs[metric] * table.tied[metric])
    first = found[0].differences.iloc[0]
    data = tk.load(name)
    rows = [data.systems.index(first[which]) for which in ("first", "second")]
    gap = np.subtract(*data.human["mqm"][rows, first.segment])
    assert (first["mqm"] == 0) == (gap == 0)
    assert first.apart == (rows[1] - rows[0]) * n_segments


def test_what_rounding_of_the_human_scores_could_change(name, found):
    data = tk.load(name)
    rounded = replace(data, human={**data.human, "mqm": np.round(data.human["mqm"], 9)})
    ours = found[1].table
    other = repair(rounded, exclude=systems_alone(data)).table.loc[ours.index]
    change = (ours[[*STEPS]] - other[[*STEPS]]).abs().max().max()
    assert change < (0.0005 if name == "wmt23/en-de" else 0.00005)
    assert (ours["rank(at 0)"] == other["rank(at 0)"]).all()


def read_scores(path):
    """Scores by system from a file SYSTEM SCORE, plainly."""
    lines = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    scores = {}
    for line in lines.decode().splitlines():
        system, score = line.split()
        scores.setdefault(system, []).append(np.nan if score == "None" else float(score))
    return {system: np.array(values) for system, values in scores.items()}


@pytest.mark.real
def test_texts_say_the_same_by_another_way(real_data, name, found):
    """Nothing of tiekit is used but the names of what is looked at."""
    testset, pair = name.split("/")
    root = real_data / "mt-metrics-eval-v2" / testset
    files = sorted((root / "system-outputs" / pair).glob("*.txt"))
    outputs = {file.stem: file.read_text(encoding="utf-8-sig").split("\n") for file in files}
    human = read_scores(next((root / "human-scores").glob(f"{pair}.mqm.seg.score*")))
    systems = [s for s in outputs if s in human and not np.isnan(human[s]).all() and not s.startswith(("ref", "synth"))]
    pairs = list(combinations(systems, 2))
    rated = {p: ~np.isnan(human[p[0]] - human[p[1]]) for p in pairs}
    same = {p: np.array([x == y for x, y in zip(outputs[p[0]], outputs[p[1]], strict=True)])[:-1] for p in pairs}
    assert found[0].n_pairs == sum(one.sum() for one in rated.values())
    assert found[0].n_identical == sum((same[p] & rated[p]).sum() for p in pairs)
    kinds = {"human": ("human-scores", f"{pair}."), "metric": (f"metric-scores/{pair}", "")}
    for row in found[0].table.itertuples():
        folder, before = kinds[row.kind]
        scores = read_scores(next((root / folder).glob(f"{before}{row.Index}.seg.score*")))
        nothing = np.full(len(same[pairs[0]]), np.nan)
        gaps = {p: np.abs(scores.get(p[0], nothing) - scores.get(p[1], nothing)) for p in pairs}
        identical = np.concatenate([gaps[p][same[p] & rated[p]] for p in pairs])
        identical = identical[~np.isnan(identical)]
        assert row.pairs == identical.size
        assert row.tied == pytest.approx((identical == 0).mean(), abs=1e-12)
        assert row.epsilon_0 == pytest.approx(np.quantile(identical, 0.99, method="inverted_cdf"), abs=1e-12)
        if row.kind == "metric":
            right = {False: [], True: []}
            for p in pairs:
                h, m = np.sign(human[p[0]] - human[p[1]]), np.sign(scores[p[0]] - scores[p[1]])
                for tied, values in right.items():
                    values.append(np.where(rated[p], h == np.where(same[p] & tied, 0, m), np.nan))
            ours = found[1].table.loc[row.Index]
            for column, tied in (("at 0", False), ("identical tied", True)):
                counted = np.array(right[tied])
                counted = counted[:, ~np.isnan(counted).all(axis=0)]
                assert ours[column] == pytest.approx(np.nanmean(counted, axis=0).mean(), abs=1e-9)


def of_the_texts(test):
    """What the report says of the real texts and no code of tiekit computes: the campaigns check it."""
    return pytest.mark.campaign(pytest.mark.real(test))


class Texts:
    """Sources, documents, references, outputs and pairs of a set, plainly: nothing of tiekit is used."""

    def __init__(self, real_data, name):
        testset, self.pair = name.split("/")
        self.root = real_data / "mt-metrics-eval-v2" / testset
        human = self.scores("mqm")
        self.systems = sorted(s for s, one in human.items() if not np.isnan(one).all() and not re.match("ref|synth", s))
        self.texts = [self.lines("system-outputs", f"{one}.txt") for one in self.systems]
        self.sources = self.lines("sources", ".txt")
        self.documents = [line.split()[-1] for line in self.lines("documents", ".docs")]
        paths = sorted((self.root / "references").glob(f"{self.pair}.*.txt"))
        self.references = [path.read_text(encoding="utf-8-sig").split("\n")[:-1] for path in paths]
        numbers = {"": -1}
        labels = np.array([[numbers.setdefault(text, len(numbers)) for text in texts] for texts in self.texts])
        self.pairs = Pairs(self.rows(human), labels, self.documents)

    def lines(self, folder, end):
        path = self.root / folder / (self.pair + end if end[0] == "." else f"{self.pair}/{end}")
        return path.read_text(encoding="utf-8-sig").split("\n")[:-1]

    def scores(self, rater):
        return read_scores(next((self.root / "human-scores").glob(f"{self.pair}.{rater}.seg.score*")))

    def metric(self, name):
        """A metric's scores by system, with WMT's standard reference: refB for Hebrew-English."""
        reference = "refB" if self.pair == "he-en" else "refA"
        found = [(self.root / "metric-scores" / self.pair).glob(f"{name}-{r}.seg.score*") for r in (reference, "src")]
        return read_scores(next(path for paths in found for path in paths))

    def rows(self, scores):
        nothing = np.full(len(next(iter(scores.values()))), np.nan)
        return np.array([scores.get(system, nothing) for system in self.systems])

    def text_pairs(self):
        """Both texts of each pair."""
        for first, second, segment in zip(self.pairs.first, self.pairs.second, self.pairs.segment, strict=True):
            yield self.texts[first][segment], self.texts[second][segment]


@pytest.fixture(scope="module")
def texts(real_data, name):
    return Texts(real_data, name)


def is_one_word(one, other):
    """Whether two texts differ in one word that is there, missing or another."""
    one, other = one.split(), other.split()
    n, more = sorted((len(one), len(other)))
    head = next((k for k in range(n) if one[k] != other[k]), n)
    tail = next((k for k in range(n - head) if one[-1 - k] != other[-1 - k]), n - head)
    return one != other and more - head - tail <= 1


@of_the_texts
def test_pairs_that_differ_in_one_word(texts, name):
    pairs = texts.pairs
    words = np.zeros(pairs.same.size, bool)
    is_near = np.isin(pairs.segment, pairs.segment[pairs.same]) & ~pairs.same
    words[is_near] = [is_one_word(*both) for both, near in zip(texts.text_pairs(), is_near, strict=True) if near]
    tied, cells = (pairs.gap == 0) * 1.0, [f"| {title(name)} | {words.sum():,}"]
    for which in (np.ones(words.size, bool), pairs.erring):
        cells += [percent(pairs.mean(tied, words & which))]
        cells += [signed([100 * one for one in pairs.beside(tied, pairs.same & which, words & which)])]
    assert missing([" | ".join(cells) + " |"]) == []
    n = np.array([len(one) for one, _ in texts.text_pairs()])
    for low, high in ((0, 20), (20, 40), (40, 80), (80, 160), (160, 10_000)):
        inside = (n >= low) & (n < high)
        assert tied[pairs.same & inside].mean() > tied[~pairs.same & inside].mean()


DIRECT = dict(zip(SETS, (("wmt-appraise", "wmt"), ("da-sqm",), (), ("da-sqm",)), strict=True))


@of_the_texts
def test_direct_assessment(texts, name):
    lines, pairs = [], texts.pairs
    for rater in DIRECT[name]:
        scores = texts.rows(texts.scores(rater))
        gaps = np.abs(pairs.gaps(scores))
        known, gaps, tied = ~np.isnan(gaps), np.nan_to_num(gaps), (gaps == 0) * 1.0
        both = pairs.same & known, ~pairs.same & known
        parts = f"{100 * np.mean(scores[~np.isnan(scores)] % 1 != 0):.0f} %"
        more = signed([100 * one for one in pairs.beside(tied, *both)])
        line = f"| {title(name)} | {rater} | {both[0].sum():,} | {parts} | {percent(pairs.mean(tied, both[0]))}"
        lines.append(f"{line} | {more} | {signed(pairs.beside(-gaps, *both))} |")
    assert missing(lines) == []


@of_the_texts
def test_ordinary_explanations(real_data):
    """Wrong rows, sources that occur twice, and the document before."""
    found = []
    for texts in (Texts(real_data, name) for name in SETS):
        pairs, documents = texts.pairs, texts.documents
        shifted = np.abs(pairs.gaps(np.roll(pairs.human, 1, axis=1)))[pairs.same]
        twice = np.array([texts.sources.count(source) > 1 for source in texts.sources])[pairs.segment]
        row = [f"{100 * np.mean(shifted[~np.isnan(shifted)] == 0):.0f}", (pairs.same & twice).sum()]
        first = np.array([a != b for a, b in zip(documents, [None, *documents[:-1]], strict=True)])[pairs.segment]
        for which in (pairs.same, pairs.same & pairs.erring):
            drawn = np.subtract(*(100 * pairs.drawn((pairs.gap == 0) * 1.0, which & part) for part in (first, ~first)))
            row.append(signed([drawn[0], *np.nanquantile(drawn[1:], [0.025, 0.975])], 0))
        found.append(row)
    shift, twice, plain, erring = ["{}, {}, {} and {}".format(*column) for column in zip(*found, strict=True)]
    assert f"its ties ({shift} %) when its rows are shifted by one" in WORDS
    assert f"({twice} pairs)" in WORDS
    assert f"first segments minus later ones: {plain} points; with an error {erring}" in WORDS


ROWS = {
    "wmt22/zh-en": ("COMET-22", "UniTE"),
    "wmt23/zh-en": ("MetricX-23", "Calibri-COMET22", "Calibri-COMET22-QE"),
    "wmt23/he-en": ("MetricX-23", "Calibri-COMET22", "Calibri-COMET22-QE"),
    "wmt23/en-de": ("MetricX-23",),
}
MULTIPLES = SETS[1:3]


@of_the_texts
def test_equal_texts_in_different_rows(texts, name):
    """Same source, references and text: in two rows of one system, in one row of two systems, in two rows of two."""
    cells = {}
    for system, outputs in enumerate(texts.texts):
        for row, text in enumerate(zip(outputs, texts.sources, *texts.references, strict=True)):
            cells.setdefault(text, []).append((system, row))
    cells = {text: found for text, found in cells.items() if text[0] and len({row for _, row in found}) > 1}
    both = np.array([(*a, *b) for found in cells.values() for a, b in combinations(found, 2)]).T
    one_system, one_row, lines = both[0] == both[2], both[1] == both[3], []
    n_sources = len({source for _, source, *_ in cells})
    if name == "wmt23/he-en":
        full_stop = np.array([source == "." for (_, source, *_), in_ in cells.items() for _ in combinations(in_, 2)])
        assert f"{100 * full_stop[one_system].mean():.0f} % of the {one_system.sum():,} pairs of he-en" in WORDS
    for metric in (*ROWS[name], "BLEURT-20"):
        scores = texts.rows(texts.metric(metric))
        tied = scores[both[0], both[1]] == scores[both[2], both[3]]
        parts = [one_system, one_row, ~one_system & ~one_row]
        shares = " | ".join(f"{100 * tied[which].mean():.0f} % of {which.sum():,}" for which in parts)
        lines.append(f"| {title(name)} | {metric} | {n_sources} | {shares} |")
    assert tied.all(), "BLEURT-20 ties all"
    assert missing(lines[:-1]) == []
    if name in MULTIPLES:
        assert missing([line_of_multiples(name, texts, both, one_system)]) == []


def line_of_multiples(name, texts, both, one_system):
    """What two metrics tie among equal texts in two rows whose distance in the joined file is a multiple of 32."""
    rows, hits, shares = both[1] - both[3], [], []
    for metric in ("MetricX-23-c", "MetricX-23-QE-c"):
        by_system = texts.metric(metric)
        scores, place = texts.rows(by_system), np.array([sorted(by_system).index(one) for one in texts.systems])
        tied = scores[both[0], both[1]] == scores[both[2], both[3]]
        apart = (place[both[0]] - place[both[2]]) * scores.shape[1] + rows
        at, others = (rows != 0) & (apart % 32 == 0), (rows != 0) & (apart % 32 != 0)
        alone = others & (rows % 32 == 0) & ~one_system
        hits.append([f"{tied[which].sum()} of {which.sum()}" for which in (at & one_system, at & ~one_system)])
        shares.append([f"{100 * tied[which].mean():.0f}" for which in (others, alone)])
    assert hits[0] == hits[1]
    elsewhere, alone = (" and ".join(one) for one in zip(*shares, strict=True))
    line = f"- {title(name)}: {hits[0][0]} pairs of one system and {hits[0][1]} of two tie, elsewhere {elsewhere} %"
    return f"{line} ({alone} % where only the rows within the systems are a multiple of 32 apart)"


@of_the_texts
def test_single_raters(real_data):
    """Each rater of WMT23 zh-en rates all translations of a segment, but for two documents that all eight rated."""
    texts = Texts(real_data, "wmt23/zh-en")
    pairs, n_beyond, n_spans = texts.pairs, 0, 0
    scores = np.full((8, *pairs.human.shape), np.nan)
    for rater, by_cell in enumerate(scores):
        path = texts.root / "human-scores" / f"{texts.pair}.mqm.rater{rater + 1}.seg.rating.gz"
        place = Counter()
        for line in gzip.decompress(path.read_bytes()).decode().splitlines():
            system, rating = line.split("\t", 1)
            segment, place[system] = place[system], place[system] + 1
            if rating != "None" and system in texts.systems:
                system = texts.systems.index(system)
                errors = json.loads(rating)["errors"]
                by_cell[system, segment] = -sum(one["score"] for one in errors)
                for one in errors:
                    text = texts.sources if one.get("is_source_error") else texts.texts[system]
                    n_beyond, n_spans = n_beyond + (one["end"] > len(text[segment])), n_spans + 1
    assert f"{n_beyond} of {n_spans:,} error spans" in WORDS
    rated = ~np.isnan(scores)
    n_raters, cells = rated.sum(axis=0), (pairs.first, pairs.second, pairs.segment)
    of_segment = rated.any(axis=1).sum(axis=0)
    assert f"{(of_segment == 1).sum():,} of {(of_segment > 0).sum():,} segments" in WORDS
    tied, by_rater = (pairs.gap == 0) * 1.0, []
    for one in rated:
        mine = one & (n_raters == 1)
        which = pairs.same & mine[cells[0], cells[2]] & mine[cells[1], cells[2]]
        by_rater.append([which.sum(), *(100 * tied[which & part].mean() for part in (which, pairs.erring))])
    n, shares, erring = np.array(by_rater).T
    assert f"{n.sum():,.0f} of {pairs.same.sum():,} pairs" in WORDS
    assert f"{shares.min():.0f} to {shares.max():.0f} % by rater" in WORDS
    assert f"{erring.min():.0f} to {erring.max():.0f} % with an error" in WORDS
    which = pairs.same & (n_raters[cells[0], cells[2]] == 8) & (n_raters[cells[1], cells[2]] == 8)
    first, second = (scores[:, system[which], cells[2][which]] for system in cells[:2])
    same, other = np.eye(8, dtype=bool), ~np.eye(8, dtype=bool)
    each = (first[:, None] == second[None]).mean(axis=2)
    ties = f"{100 * each[same].mean():.0f} %, two raters {100 * each[other].mean():.0f} %, the mean of all eight"
    assert (
        f"On the {which.sum()} pairs that all eight rated, one rater ties {ties} {100 * tied[which].mean():.0f} %"
        in WORDS
    )
    variants = [texts.systems.index(one) for one in ("HW-TSC", "ONLINE-B", "Yishu")]
    among = np.isin(pairs.first, variants) & np.isin(pairs.second, variants) & pairs.same
    without = ~np.isin(pairs.first, variants[::2]) & ~np.isin(pairs.second, variants[::2])
    assert f"{100 * among.sum() / pairs.same.sum():.0f} % of the identical pairs" in WORDS
    share = f"{100 * pairs.same[without].mean():.1f} % of the pairs are identical"
    ties = [f"{100 * tied[pairs.same & part].mean():.0f} %" for part in (without, without & pairs.erring)]
    assert f"{share}, and MQM ties {ties[0]} of them ({ties[1]} with an error)" in WORDS


@of_the_texts
def test_error_span_annotation(real_data):
    texts, lines = Texts(real_data, "wmt23/en-de"), []
    folder, outputs = real_data / "esa" / "wmt23-en-de", np.array(texts.texts, object)
    labels = np.unique(outputs.astype(str), return_inverse=True)[1].reshape(outputs.shape)
    for rater, export in (("ESA-1", "ESA"), ("ESA-2", ""), ("MQM-1", "MQM")):
        scores = texts.rows(read_scores(folder / f"en-de.{rater}.seg.score"))
        pairs, best = Pairs(scores, labels, texts.documents), np.nanmax(scores)
        tied, n, documents = pairs.gap == 0, pairs.same.sum(), np.unique(pairs.document[pairs.same]).size
        assert f"{n} pairs, of {np.unique(pairs.segment[pairs.same]).size} segments in {documents} documents" in WORDS
        at_best = pairs.same & tied & (scores[pairs.first, pairs.segment] == best)
        other = pairs.same & ~at_best
        line = f"- {rater} ties {percent(pairs.mean(tied, pairs.same))}; {at_best.sum()} of {(pairs.same & tied).sum()}"
        lines.append(
            f"{line} ties are {best:.0f} twice; of the other pairs it ties {(other & tied).sum()} of {other.sum()}"
        )
        if export:
            who = {}
            for row in csv.reader((folder / f"240315rc5{export}.scores.csv").read_text("utf-8").splitlines()):
                if row[3] == "TGT" and row[7].count("#") == 1:
                    who.setdefault((row[1].partition(".")[2], row[7].split("#")[0]), set()).add(row[0])
            accounts = [
                [who.get((texts.systems[one], texts.documents[row]), set()) for one in (a, b)]
                for a, b, row in zip(
                    pairs.first[pairs.same], pairs.second[pairs.same], pairs.segment[pairs.same], strict=True
                )
            ]
            assert f"two accounts wrote {sum(bool(a and b and not a & b) for a, b in accounts)} of them" in WORDS
    assert missing(lines) == []


@pytest.mark.real
@pytest.mark.parametrize(("of", "more"), [*zip(SETS, (1, 0, 2, 0), strict=True)])
def test_other_forms_and_spaces_make_nearly_no_more_pairs_the_same(real_data, of, more):
    testset, pair = of.split("/")
    metric = next(iter(tk.load(of).metrics))
    data = tk.read_mtme(real_data / "mt-metrics-eval-v2", testset, pair, human="mqm", metrics=metric)
    everybody = tk.EvalSet("all", "", data.systems, data.segments, {"any": np.zeros(data.identical.shape)}, {},
                           outputs=data.outputs, gold="any")  # fmt: skip
    found = audit(everybody, n_resamples=0)
    assert found.n_normalized - found.n_identical == more


@st.composite
def sets(draw):
    """A small set with labels of few texts."""
    shape = draw(st.integers(2, 5)), draw(st.integers(1, 5))
    scores = st.sampled_from([0.0, 1.0, 1.5, 3.0, np.nan])
    human, metric = (draw(hnp.arrays(float, shape, elements=scores)) for _ in range(2))
    labels = draw(hnp.arrays(np.int64, shape, elements=st.integers(-1, 1)))
    names = tuple(map(str, range(shape[0]))), tuple(map(str, range(shape[1])))
    return tk.EvalSet("drawn", "", *names, {"h": human}, {"m": metric}, gold="h", identical=labels)


class TestDrawn:
    @examples(100)
    @given(sets(), st.sampled_from([0.5, 0.99, 1.0]))
    def test_an_audit_counts_pair_by_pair(self, data, share):
        found = audit(data, share=share, n_resamples=0)
        human, labels, n_pairs = data.human["h"], data.identical, 0
        for name, scores in (("h", human), ("m", data.metrics["m"])):
            gaps, n_pairs = [], 0
            for column in range(labels.shape[1]):
                for a, b in combinations(range(labels.shape[0]), 2):
                    if np.isnan(human[[a, b], column]).any():
                        continue
                    n_pairs += 1
                    gap = abs(scores[a, column] - scores[b, column])
                    if labels[a, column] == labels[b, column] >= 0 and gap == gap:
                        gaps.append(gap)
            row = found.table.loc[name]
            assert row["pairs"] == len(gaps)
            if gaps:
                assert row["tied"] == pytest.approx(np.mean(np.array(gaps) == 0))
                enough = [x for x in [0.0, *gaps] if np.mean(np.array(gaps) <= x) >= share]
                assert row["epsilon_0"] == min(enough)
                assert (row["largest/range"] == 0) == (max(gaps) == 0)
        assert found.n_pairs == n_pairs

    @examples(60)
    @given(sets(), st.sampled_from(["acc_eq", "tau_b", "tau_10"]), st.sampled_from(["item", "global", "system"]))
    def test_a_repair_says_what_correlate_says(self, data, name, grouping):
        row = repair(data, coefficient=name, grouping=grouping).table.loc["m"]
        how = {"coefficient": name, "grouping": grouping}
        floor = {"epsilon": 0.0 if pd.isna(row["epsilon_0"]) else row["epsilon_0"]}
        steps = ({}, {"tie_identical": True}, floor, {"coefficient": f"{name}*"})
        values = [tk.correlate(data, "m", **(how | step)).value for step in steps]
        assert row.iloc[:4].to_numpy(float, na_value=np.nan) == pytest.approx(values, abs=1e-12, nan_ok=True)


LABELS = np.array([[0, 0], [0, 0], [1, 1]])


def toy(labels=LABELS, **more):
    human, metric = {"mqm": [[-1, 0], [-1, -5], [0, 0]]}, {"m": [[0.5, 0.25], [0.5, 0.5], [0.75, 1]]}
    return tk.EvalSet("toy", "", ("A", "B", "C"), ("1", "2"), human, metric, gold="mqm", identical=labels, **more)


class TestArguments:
    def test_a_set_without_an_identical_pair_has_no_share(self):
        found = audit(toy(np.arange(6).reshape(3, 2)))
        assert found.n_identical == 0
        assert found.table["pairs"].tolist() == [0, 0]
        assert repair(toy(np.arange(6).reshape(3, 2))).table.loc["m", "at 0"] == pytest.approx(2 / 3)

    def test_intervals_are_repeated_by_their_seed(self):
        one, other = audit(toy(), rng=3), audit(toy(), rng=3)
        assert one.table.equals(other.table)
        assert one.signature == other.signature
        assert (one.table.low <= one.table.tied).all()
        assert audit(toy(), metrics=()).table.index.tolist() == ["mqm"]

    def test_human_ties_that_are_identical(self):
        found = repair(toy())
        assert (found.n_pairs, found.n_identical, found.human_ties) == (6, 2, pytest.approx(2 / 6))
        assert found.identical_human_ties == 0.5

    @pytest.mark.parametrize("function", [audit, repair])
    @pytest.mark.parametrize(
        ("asked", "said"),
        [
            ({"human": "da"}, "human: "),
            ({"metrics": "BLEU"}, "metrics: "),
            ({"share": 2}, "share: must be a number from 0 to 1"),
            ({"exclude": "D"}, "exclude: "),
        ],
    )
    def test_what_is_not_there_is_refused(self, function, asked, said):
        with pytest.raises(InputError, match=said):
            function(toy(), **asked)

    def test_what_nobody_knows_is_refused(self):
        for function in (audit, repair):
            with pytest.raises(InputError, match="has neither outputs nor labels"):
                function(toy(None))
            with pytest.raises(InputError, match="data: must be an EvalSet"):
                function([[1, 2]])
        for asked, said in (({"grouping": "system_means"}, "means of scores"), ({"coefficient": "pearson"}, "no ties")):
            with pytest.raises(InputError, match=said):
                repair(toy(), **asked)


def naive_pairs(labels):
    """Every two rows of one segment with one label: the first, the second, the segment."""
    n_rows, n_columns = labels.shape
    return [
        (one, other, column)
        for one, other in combinations(range(n_rows), 2)
        for column in range(n_columns)
        if labels[one, column] == labels[other, column] >= 0
    ]


@examples(200)
@given(hnp.arrays(np.int64, st.tuples(st.integers(0, 6), st.integers(0, 6)), elements=st.integers(-1, 3)))
def test_pairs_are_listed_in_order_and_counted_without_a_list(labels):
    pairs = SamePairs.of(labels)
    listed = zip(pairs.first.tolist(), pairs.second.tolist(), pairs.segment.tolist(), strict=True)
    assert [*listed] == naive_pairs(labels)
    assert count_same(labels) == len(naive_pairs(labels))


def set_of(identical, n_metrics=1):
    """A set in which all scores are drawn."""
    scores = np.random.default_rng(1).random((n_metrics + 1, *identical.shape))
    systems, segments = (tuple(map(str, range(size))) for size in identical.shape)
    metrics = {f"m{number}": one for number, one in enumerate(scores[1:])}
    return tk.EvalSet("toy", "", systems, segments, {"h": scores[0]}, metrics, gold="h", identical=identical)


def test_many_systems_take_time_as_their_cells_do():
    """Two thousand systems have two million pairs, of which none is identical."""
    began = time.process_time()
    assert not SamePairs.of(np.arange(2_000)[:, None]).segment.size
    assert time.process_time() - began < 0.5


@pytest.mark.parametrize(("size", "n_metrics", "most"), [(2_500, 1, 3_000_000), (600, 149, 133_333)])
def test_more_identical_pairs_than_are_listed_are_counted_and_refused(size, n_metrics, most):
    data, number = set_of(np.zeros((size, 1), np.int64), n_metrics), size * (size - 1) // 2
    told = f"data: may have at most {most:,} pairs of identical translations where {n_metrics + 1} scores are compared"
    tracemalloc.start()
    with pytest.raises(InputError, match=re.escape(f"{told}, found {number:,}; choose fewer metrics")):
        audit(data, n_resamples=0)
    assert tracemalloc.get_traced_memory()[1] < 5_000_000, "nothing is listed"
    tracemalloc.stop()
    if number > 3_000_000:
        with pytest.raises(InputError, match="at most 3,000,000 pairs of identical translations"):
            repair(data)


def test_many_identical_pairs_are_heard_and_take_little_memory():
    human = np.round(np.random.default_rng(0).normal(size=(150, 60)) * 3)
    labels = np.tile(np.arange(60), (150, 1))
    names = [f"s{row}" for row in range(150)], [str(column) for column in range(60)]
    data = tk.EvalSet("x", "", *map(tuple, names), {"h": human}, {"m": human / 3}, gold="h", identical=labels)
    heard = []
    tracemalloc.start()
    found = tk.identical.audit(data, exclude=(), n_resamples=0, progress=heard.append)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 110 * found.n_identical
    assert len(heard) >= 8
    assert len(found.differences) == found.n_identical
