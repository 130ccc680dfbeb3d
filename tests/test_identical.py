"""Identical translations: what raters, metrics and leaderboards make of them, from labels and from texts."""

import gzip
import re
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
from tiekit.identical import STEPS, audit, repair

pytestmark = pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")
SETS = ("wmt22/zh-en", "wmt23/zh-en", "wmt23/he-en", "wmt23/en-de")


@pytest.fixture(scope="module", params=SETS)
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


RANKS = {  # before and after
    "wmt22/zh-en": {"COMET-22": (11, 5), "metricx_xxl_MQM_2020": (13, 8), "MEE4": (10, 17)},
    "wmt23/zh-en": {"MetricX-23-QE-c": (9, 2)},
    "wmt23/he-en": {"MetricX-23-b": (30, 8)},
    "wmt23/en-de": {"MetricX-23-b": (16, 4), "MetricX-23-QE-b": (18, 5)},
}


def test_ranks_before_and_after(name, found):
    for metric, ranks in RANKS[name].items():
        row = row_of(found[1].table, metric)
        assert (row["rank(at 0)"], row["rank(identical tied)"]) == ranks, metric


def test_how_much_of_calibration_is_repair(name, found):
    shares = {"wmt22/zh-en": (0.212, 0.0937), "wmt23/zh-en": (0.808, 0.1465)}
    shares |= {"wmt23/he-en": (0.239, 0.1057), "wmt23/en-de": (0.519, 0.1484)}
    metric = "metricx_xxl_MQM_2020" if name.startswith("wmt22") else "MetricX-23"
    repaired, of_ties = shares[name]
    assert row_of(found[1].table, metric)["repaired"] == pytest.approx(repaired, abs=5e-4)
    assert found[1].identical_human_ties == pytest.approx(of_ties, abs=5e-5)
    assert found[0].table.of_ties["mqm"] == pytest.approx(of_ties, abs=5e-5)


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
NAMES = {"mqm": "MQM", "wmt-appraise": "DA", "da-sqm": "DA"}


def short(metric):
    """A metric's name without its reference."""
    return metric.rpartition("-")[0]


def title(name):
    """A set's name in the report."""
    return name.upper().replace("/", " ").replace("ZH-EN", "zh-en").replace("HE-EN", "he-en").replace("EN-DE", "en-de")


def line_of_raters(name, found):
    audited, repaired = found
    rows = [(NAMES[h], audited.table.loc[h]) for h in NAMES if h in audited.table.index]
    tied = " | ".join(f"{100 * r.tied:.1f} % ({100 * r.low:.1f}–{100 * r.high:.1f})" for _, r in rows)
    share = f"{audited.n_identical:,} ({100 * audited.n_identical / audited.n_pairs:.1f} %)"
    of_ties = f"{100 * repaired.human_ties:.0f} % | {100 * repaired.identical_human_ties:.1f} %"
    return f"| {title(name)} | {audited.n_pairs:,} | {share} | {tied}{' | –' if len(rows) < 2 else ''} | {of_ties} |"


def lines_of_metrics(name, found):
    """How many metrics of a set tie how much."""
    tied = found[0].table.query("kind == 'metric'").tied
    parts = [(tied == 1).sum(), ((tied < 1) & (tied >= 0.9)).sum(), ((tied < 0.9) & (tied >= 0.1)).sum()]
    return f"| {title(name)} | {' | '.join(map(str, [*parts, (tied < 0.1).sum()]))} |"


SHOWN = {
    "wmt22/zh-en": ("metricx_xxl_MQM_2020", "COMET-22", "COMETKiwi", "BLEURT-20", "MEE4"),
    "wmt23/zh-en": ("MetricX-23-QE-c", "MetricX-23", "XCOMET-Ensemble", "GEMBA-MQM", "BLEURT-20"),
    "wmt23/he-en": ("MetricX-23-b", "CometKiwi-XXL", "GEMBA-MQM", "chrF"),
    "wmt23/en-de": ("MetricX-23-b", "MetricX-23-QE-b", "COMET", "docWMT22CometDA", "sescoreX"),
}


def lines_of_repair(name, found):
    for metric in SHOWN[name]:
        row, gaps = row_of(found[1].table, metric), row_of(found[0].table, metric)
        steps = " | ".join(f"{row[step]:.4f} ({int(row[f'rank({step})'])})" for step in STEPS)
        gain = "–" if pd.isna(row["repaired"]) else f"{100 * row['repaired']:.0f} %"
        tied = f"{100 * gaps['tied']:.1f} %" if gaps["tied"] < 1 else "100 %"
        yield f"| {title(name)} | {metric} | {tied} | {gaps['p99/sd']:.3f} | {steps} | {gain} |"


def line_of_domains(name):
    data = tk.load(name)
    left_out = systems_alone(data)
    shares = {
        domain: audit(data.select(exclude=left_out, domain=domain), exclude=(), metrics=(), n_resamples=0).table.tied
        for domain in sorted(set(data.domains))
    }
    return f"- {title(name)}: " + ", ".join(f"{domain} {100 * tied['mqm']:.1f} %" for domain, tied in shares.items())


def line_of_lengths(name):
    """The same share among the shorter half of identical texts and the longer half; how many have no error."""
    data = tk.load(name)
    data = data.select(exclude=systems_alone(data))
    human, lengths = data.human["mqm"], data.lengths.of_outputs(data.systems, len(data.segments))
    n, gaps, zeros = [], [], []
    for a, b in combinations(range(len(human)), 2):
        same = (data.identical[a] == data.identical[b]) & (data.identical[a] >= 0) & ~np.isnan(human[a] - human[b])
        n += lengths[a][same].tolist()
        gaps += np.abs(human[a] - human[b])[same].tolist()
        zeros += ((human[a] == 0) & (human[b] == 0))[same].tolist()
    is_short, tied = np.array(n) <= np.median(n), np.array(gaps) == 0
    halves = (
        f"{100 * tied[is_short].mean():.1f} % of the shorter half, {100 * tied[~is_short].mean():.1f} % of the longer"
    )
    return f"- {title(name)}: {halves}; {100 * np.mean(zeros):.1f} % of all are without an error twice"


def line_of_control(name, found):
    """Other pairs are tied, as many in each segment: labels are shuffled among the systems."""
    data, metric = tk.load(name), SHOWN[name][1]
    data = data.select(exclude=systems_alone(data))
    stored = row_of(found[1].table, metric).name
    rated = ~np.isnan(data.human["mqm"])
    labels = np.where(rated, data.identical, -1)
    rng = np.random.default_rng(38)
    for column, cells in zip(labels.T, rated.T, strict=True):
        rng.shuffle(part := column[cells])
        column[cells] = part
    shuffled = tk.correlate(data.human["mqm"], data.metrics[stored], "acc_eq", tie_identical=labels).value
    steps = [found[1].table.loc[stored, step] for step in ("at 0", "identical tied")]
    return f"- {title(name)}, {metric}: {steps[0]:.3f}, identical {steps[1]:.3f}, shuffled {shuffled:.3f}"


NOISY = {
    "wmt22/zh-en": ("COMET-22", "metricx_xxl_MQM_2020"),
    "wmt23/zh-en": ("MetricX-23-QE-c", "MetricX-23-c"),
    "wmt23/he-en": ("MetricX-23-b",),
    "wmt23/en-de": ("MetricX-23-b",),
}


def lines_of_noise(name, found):
    """How much the ties of a metric differ by pair of systems, by place in the file, and by rows apart."""
    for metric in NOISY[name]:
        stored = row_of(found[0].table, metric).name
        parts = found[0].by_systems(stored).query("pairs >= 20"), found[0].by_place(stored)
        by = [f"{100 * part.tied.min():.1f} to {100 * part.tied.max():.1f} %" for part in parts]
        line = f"- {title(name)}, {metric}: {by[0]} by pair of systems, {by[1]} by tenth of the file"
        apart = found[0].by_distance(stored, 32)
        if len(apart) > 1:
            line += f"; {100 * apart.tied[True]:.0f} % of the {apart.pairs[True]} pairs whose rows are a multiple of 32"
            line += f" apart, {100 * apart.tied[False]:.1f} % of the others"
        yield line


def report(name, found):
    """Every line of the report that is about one set."""
    yield line_of_raters(name, found)
    yield lines_of_metrics(name, found)
    yield from lines_of_repair(name, found)
    yield line_of_domains(name)
    yield line_of_lengths(name)
    yield line_of_control(name, found)
    yield from lines_of_noise(name, found)


def test_every_line_of_the_report(name, found):
    lines = PAGE.splitlines()
    assert [line for line in report(name, found) if line not in lines] == []


def test_what_the_report_says_in_words(name, found):
    data, table = tk.load(name), found[0].table
    data = data.select(exclude=systems_alone(data))
    assert {row_of(table, metric)["tied"] for metric in ("BLEU", "chrF", "BLEURT-20")} == {1.0}
    alone = [metric for metric in SHOWN[name] if not metric.startswith("doc")]
    assert max(row_of(table, metric)["p99/sd"] for metric in alone) < 0.05
    lengths = data.lengths.of_outputs(data.systems, len(data.segments))
    rated = ~np.isnan(data.human["mqm"])
    twice = [lengths[a][(data.identical[a] == data.identical[b]) & (data.identical[a] >= 0) & rated[a] & rated[b]]
             for a, b in combinations(range(len(rated)), 2)]  # fmt: skip
    assert np.median(np.concatenate(twice)) < np.median(lengths[rated]) / 2


def test_the_report_has_no_other_line_about_a_set():
    numbers = [line for line in PAGE.splitlines() if re.match(r"(\| |- )WMT2\d ..-..", line)]
    assert len(numbers) == sum(7 + len(SHOWN[name]) + len(NOISY[name]) for name in SETS)


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


def plainly(real_data, name):
    """Sources, documents, references, outputs and MQM of a set, and the identical pairs of each two systems."""
    testset, pair = name.split("/")
    root = real_data / "mt-metrics-eval-v2" / testset

    def lines(folder, pattern):
        return [path.read_text(encoding="utf-8-sig").split("\n")[:-1] for path in sorted((root / folder).glob(pattern))]

    human = read_scores(next((root / "human-scores").glob(f"{pair}.mqm.seg.score*")))
    names = [path.stem for path in sorted((root / "system-outputs" / pair).glob("*.txt"))]
    outputs = dict(zip(names, lines(f"system-outputs/{pair}", "*.txt"), strict=True))
    systems = [s for s in names if s in human and not np.isnan(human[s]).all() and not s.startswith(("ref", "synth"))]
    rated = {p: ~np.isnan(human[p[0]] - human[p[1]]) for p in combinations(systems, 2)}
    same = {
        p: np.array([x == y != "" for x, y in zip(*(outputs[s] for s in p), strict=True)]) & rated[p] for p in rated
    }
    sources, documents = (
        lines("sources", f"{pair}.txt")[0],
        [one.split()[-1] for one in lines("documents", f"{pair}.docs")[0]],
    )
    return root, pair, sources, documents, lines("references", f"{pair}.*.txt"), outputs, human, same


def share_tied(scores, chosen):
    """The share of chosen pairs with equal scores."""
    gaps = [np.abs(scores[a] - scores[b])[which] for (a, b), which in chosen.items() if {a, b} <= set(scores)]
    gaps = np.concatenate(gaps)
    return f"{100 * np.mean(gaps[~np.isnan(gaps)] == 0):.1f} %"


REPEATED = {
    "wmt22/zh-en": "metricx_xxl_MQM_2020",
    "wmt23/zh-en": "MetricX-23",
    "wmt23/he-en": "MetricX-23",
    "wmt23/en-de": "MetricX-23",
}


@pytest.mark.real
def test_mundane_explanations_that_were_tried(real_data, name):
    """Wrong rows, context, sources that occur twice, and treatment by system: plainly, nothing of tiekit."""
    root, pair, sources, documents, references, outputs, human, same = plainly(real_data, name)
    with_same, first = (
        np.any([*same.values()], axis=0),
        np.array([a != b for a, b in zip(documents, [None, *documents[:-1]], strict=True)]),
    )
    others = {p: ~which & with_same for p, which in same.items()}
    shifted = {system: np.roll(scores, 1) for system, scores in human.items()}
    opening = {p: which & first for p, which in same.items()}
    twice = np.array([sources.count(source) > 1 for source in sources])
    line = f"- {title(name)}: MQM ties {share_tied(human, same)}, {share_tied(human, others)} of the other pairs of"
    line += (
        f" these segments, {share_tied(shifted, same)} when its rows are shifted by one, {share_tied(human, opening)}"
    )
    line += (
        f" in first segments of documents; {sum((which & twice).sum() for which in same.values())} pairs have a source"
    )
    line += " that occurs again"
    for rater in ("wmt-appraise", "da-sqm"):
        for path in (root / "human-scores").glob(f"{pair}.{rater}.seg.score*"):
            scores = read_scores(path)
            line += f"; DA ties {share_tied(scores, same)}, {share_tied(scores, others)} of the other pairs"
    found = []
    for metric in (REPEATED[name], "BLEURT-20"):
        path = next(p for p in sorted((root / "metric-scores" / pair).glob(f"{metric}-ref*.seg.score*")))
        scores, gaps = read_scores(path), []
        for system in {one for both in same for one in both}:
            rows = {}
            for row, text in enumerate(zip(sources, outputs[system], *references, strict=True)):
                rows.setdefault(text, []).append(row)
            gaps += [abs(np.subtract(*scores[system][list(p)])) for r in rows.values() for p in combinations(r, 2)]
        found.append((len(gaps), 100 * np.mean(np.array(gaps) == 0)))
    assert found[1] == (found[0][0], 100)
    repeats = f"- {title(name)}, {REPEATED[name]}: {found[0][1]:.1f} % of {found[0][0]:,} pairs of rows"
    assert [one for one in (line, repeats) if one not in PAGE.splitlines()] == []


def audits(outputs, humans):
    """Share and interval of each human score on its own identical pairs."""
    systems = [system for system in outputs if not system.startswith(("ref", "synth"))]
    nothing = np.full(len(outputs[systems[0]]), np.nan)
    data = tk.EvalSet(
        "own",
        "",
        tuple(systems),
        tuple(map(str, range(nothing.size))),
        {name: np.array([scores.get(system, nothing) for system in systems]) for name, scores in humans.items()},
        {},
        gold=next(iter(humans)),
        outputs={system: tuple(outputs[system]) for system in systems},
    )
    for rater in humans:
        row = audit(data, rater, exclude=(), metrics=()).table.loc[rater]
        yield f"{rater} {100 * row.tied:.1f} % ({100 * row.low:.1f}–{100 * row.high:.1f}) of {int(row.pairs)}"


@pytest.mark.real
def test_single_raters(real_data):
    """Each rater of WMT23 zh-en rates all translations of a segment, so a pair is scored by one person."""
    root, pair, *_, outputs, human, same = plainly(real_data, "wmt23/zh-en")
    rated = {}
    for path in sorted((root / "human-scores").glob(f"{pair}.mqm.rater*.seg.rating.gz")):
        rows = {}
        for row in gzip.decompress(path.read_bytes()).decode().splitlines():
            system, errors = row.split("\t", 1)
            rows.setdefault(system, []).append(errors != "None")
        rated[path.name.split(".")[2]] = {system: np.array(values) for system, values in rows.items()}
    times = {
        s: sum(one[s].astype(int) for one in rated.values()) for s in human if all(s in one for one in rated.values())
    }
    alone = {r: {s: np.where(one[s] & (times[s] == 1), human[s], np.nan) for s in times} for r, one in rated.items()}
    assert sum((which & (times[a] == 1) & (times[b] == 1)).sum() for (a, b), which in same.items()) == sum(
        (which & ~np.isnan(one[a] - one[b])).sum() for one in alone.values() for (a, b), which in same.items()
    )
    assert [line for line in audits(outputs, alone) if f"- {line}" not in PAGE.splitlines()] == []


@pytest.mark.real
def test_error_span_annotation(real_data):
    *_, outputs, _, _ = plainly(real_data, "wmt23/en-de")
    folder = real_data / "esa" / "wmt23-en-de"
    scores = {h: read_scores(folder / f"en-de.{h}.seg.score") for h in ("ESA-1", "ESA-2", "MQM-1", "LLM")}
    assert [line for line in audits(outputs, scores) if f"- {line}" not in PAGE.splitlines()] == []


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
