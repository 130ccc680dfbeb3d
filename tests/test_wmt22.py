"""The library on the bundled scores of WMT22 zh-en: the paper's Tables 17 to 19 and mt-metrics-eval's own numbers."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

import tiekit as tk

ROOT = Path(__file__).parents[1]
ACCURACY = ROOT / "docs" / "accuracy-and-speed.md"
TABLES = ROOT / "data" / "papers" / "deutsch2023_tables.csv"
with (ROOT / "data" / "papers" / "deutsch2023_names.csv").open(encoding="utf-8", newline="") as names:
    STORED = {row["printed"]: row["stored"] for row in csv.DictReader(names)} | {"Constant-Metric": "Constant-Metric"}
TAUS = ("tau_a", "tau_b", "tau_c", "tau_10", "tau_13", "tau_14")


@pytest.fixture(scope="module")
def zh_en(wmt22_zh_en):
    data = wmt22_zh_en
    return data.with_metric("Constant-Metric", np.zeros((len(data.systems), len(data.segments))))


@pytest.fixture(
    scope="module",
    params=[pytest.param(("17", "global"), marks=pytest.mark.campaign), ("18", "item"), ("19", "system")],
    ids=lambda p: p[1],
)
def table(request):
    """A grouping, and the paper's rows by our names."""
    number, grouping = request.param
    with TABLES.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["table"] == number]
    return grouping, {STORED[row["metric"]]: row for row in rows}


@pytest.fixture(scope="module")
def printed(table):
    return table[1]


@pytest.fixture(scope="module")
def board(zh_en, table):
    grouping, rows = table  # of the near ties of what comes along nobody is warned
    return tk.leaderboard(zh_en, "mqm", metrics=list(rows), grouping=grouping)


def as_printed(board, names, column, digits=3):
    return {name: f"{board.loc[name, column]:.{digits}f}".replace("-0.000", "0.000") for name in names}


def test_fifteen_metrics_and_a_constant_on_fifteen_systems(zh_en, printed):
    assert len(printed) == 16
    rated = ~np.isnan(zh_en.select().human["mqm"]).all(axis=1)
    assert rated.sum() == 15


@pytest.mark.parametrize("column", [*TAUS, "acc_eq"])
def test_values_are_those_of_tables_17_18_and_19(board, printed, column):
    expected = {name: row[column] for name, row in printed.items()}
    if column in ("tau_b", "tau_c", "tau_13"):  # nothing is defined for a constant; the paper prints 0.000
        assert expected.pop("Constant-Metric") == "0.000"
        assert np.isnan(board.loc["Constant-Metric", column])
    assert as_printed(board, expected, column) == expected


@pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")
def test_calibrated_values_are_as_printed_by_item_and_elsewhere_never_below(zh_en, table, board, printed):
    """Without grouping and by system the paper calibrates on every kth pair; on all pairs its own epsilon is no better.

    All differences stand in docs/accuracy-and-speed.md.
    """
    if table[0] == "item":
        for column, digits in (("acc_eq*", 3), ("epsilon(acc_eq)", 2)):
            expected = {name: row[column] for name, row in printed.items()}
            assert as_printed(board, expected, column, digits) == expected
        return
    human, difference = zh_en.select().human["mqm"], []
    for name, row in printed.items():
        metric = zh_en.select().metrics[name]
        at_theirs = tk.correlate(human, metric, grouping=table[0], epsilon=float(row["epsilon(acc_eq)"])).value
        assert board.loc[name, "acc_eq*"] >= at_theirs
        difference.append(board.loc[name, "acc_eq*"] - float(row["acc_eq*"]))
    assert (round(min(difference), 4), round(max(difference), 4)) == SAMPLED[table[0]]


SAMPLED = {"global": (-0.0063, 0.0066), "system": (-0.0034, 0.0071)}
"""The smallest and the largest difference of our acc_eq* from the paper's, over its 16 metrics."""

MOVED = {
    "item": set(),
    "global": {"COMETKiwi-src", "UniTE-ref-refA", "UniTE-src-src", "MATESE-QE-src"},
    "system": {"HWTSC-Teacher-Sim-src", "MS-COMET-QE-22-src"},
}
"""Metrics whose rank under acc_eq* the paper's sample moved."""


@pytest.mark.campaign
def test_metric_x_without_grouping(zh_en):
    """395,493,750 pairs; the paper's sample gave .565 at .06."""
    chosen = zh_en.select()
    pair = chosen.human["mqm"], chosen.metrics["metricx_xxl_MQM_2020-refA"]
    with pytest.warns(tk.NearTieWarning, match="human: 9 distinct scores"):
        found = tk.calibrate(*pair, grouping="global")
    assert (found.n_pairs, f"{found.value:.4f}", f"{found.epsilon:.4f}") == (395_493_750, "0.5685", "0.0537")
    shuffled = np.random.default_rng(0).permutation(1875)
    with pytest.warns(tk.NearTieWarning):
        other = tk.calibrate(pair[0][::-1, shuffled], pair[1][::-1, shuffled], grouping="global")
    assert (other.epsilon, other.value) == (found.epsilon, found.value)


@pytest.mark.parametrize("column", ["tau_a", "tau_10", "tau_14", "acc_eq"])
def test_ranks_are_those_of_the_tables(board, printed, column):
    assert board[f"rank({column})"].to_dict() == {name: int(row[f"rank({column})"]) for name, row in printed.items()}


def test_calibrated_ranks_are_those_of_the_tables_but_where_a_sample_swapped_neighbours(board, table, printed):
    ranks = {name: int(row["rank(acc_eq*)"]) for name, row in printed.items()}
    moved = {name for name in ranks if ranks[name] != board.loc[name, "rank(acc_eq*)"]}
    assert moved == MOVED[table[0]]


@pytest.mark.parametrize("column", ["tau_b", "tau_c", "tau_13"])
def test_an_undefined_constant_moves_the_rank_of_no_metric_above_it(board, table, printed, column):
    """By item the paper ranks the constant's 0.000 15th, before REUSE's negative value; we leave it out."""
    ranks = {name: int(row[f"rank({column})"]) for name, row in printed.items()}
    ours = board[f"rank({column})"].dropna().astype(int).to_dict()
    assert ranks.pop("Constant-Metric") == (15 if table[0] == "item" else 16)
    assert {name for name in ranks if ranks[name] != ours[name]} == ({"REUSE-src"} if table[0] == "item" else set())


ORACLE = {  # mt-metrics-eval's key: our coefficient, our grouping
    f"{theirs}/{average}": (ours, grouping)
    for theirs, ours in {
        "pearson": "pearson",
        "spearman": "spearman",
        "kendall-b": "tau_b",
        "kendall-c": "tau_c",
        "kv-23": "tau_eq",
        "kv-acc23": "acc_eq",
    }.items()
    for average, grouping in {"none": "global", "sys": "system", "item": "item"}.items()
}
ORACLE |= {
    "sys-pearson-from-seg-mean": ("pearson", "system_means"),
    "sys-kendall-from-seg-mean": ("tau_b", "system_means"),
}


@pytest.fixture(scope="module")
def oracle(real_data):
    return json.loads((real_data.parent / "reference" / "wmt22-zh-en-mtme.json").read_text(encoding="utf-8"))


@pytest.mark.real
@pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")
def test_values_are_those_of_mt_metrics_eval(zh_en, oracle):
    systems = oracle["systems"]
    chosen = zh_en.select(exclude=[name for name in zh_en.systems if name not in systems])
    compared, larger = 0, []
    for printed, expected in oracle.items():
        if printed in ("systems", "_time_mean_s"):
            continue
        base, source = printed.removesuffix("[noref]"), "src" if printed.endswith("[noref]") else "refA"
        human, metric = chosen.human["mqm"], chosen.metrics[f"{base}-{source}"]
        for key, (coefficient, grouping) in ORACLE.items():
            found = tk.correlate(human, metric, coefficient, grouping=grouping)
            assert found.value == pytest.approx(expected[key], abs=1e-9), (printed, key)
            if f"n/{key}" in expected:
                assert found.n_groups == expected[f"n/{key}"], (printed, key)
            compared += 1
        best = tk.calibrate(human, metric)
        assert best.value == pytest.approx(expected["acceq*/item"], abs=1e-9), printed
        if best.epsilon != pytest.approx(expected["eps/item"], abs=1e-9):
            larger.append(printed)
            theirs = tk.correlate(human, metric, epsilon=expected["eps/item"])
            assert correct_pairs(theirs) == correct_pairs(tk.correlate(human, metric, epsilon=best.epsilon)), printed
            assert best.epsilon < expected["eps/item"], printed
    assert compared == 21 * len(ORACLE)
    assert larger == ["MEE4"]  # two thresholds tie; its running float sums prefer the larger, the smaller is right


def correct_pairs(result):
    """acc_eq by item of 14 systems as a whole number of pairs."""
    return round(float(np.nansum(result.per_group)) * 91)


@pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")
def test_rounding_would_add_ties(zh_en):
    """−1.2 stands beside −1.2000000000000002 in the file: in float64 they are no tie."""
    added = {}
    for grouping in ("item", "global"):
        ties = []
        for data in (zh_en.select(), zh_en.adjusted(decimals=6).select()):
            human = data.human["mqm"]
            found = tk.correlate(human, np.zeros(human.shape), grouping=grouping)  # acc_eq: the share of human ties
            ties.append(
                round(float(np.nansum(found.per_group)) * (105 if grouping == "item" else 28_125 * 28_124 // 2))
            )
        added[grouping] = ties[1] - ties[0]
    assert added == {"item": 3, "global": 236}


def test_the_documentation_reports_what_is_measured(board, table):
    """Its table of sampled and exact acc_eq*: one row per metric, three columns per grouping."""
    grouping, rows = table
    if grouping == "item":
        return
    first = {"global": 2, "system": 5}[grouping]
    lines = [line.split("|") for line in ACCURACY.read_text(encoding="utf-8").splitlines()]
    told = {line[1].strip(): [cell.strip() for cell in line[first : first + 3]] for line in lines if len(line) == 9}
    for row in rows.values():
        value, epsilon = board.loc[STORED[row["metric"]], ["acc_eq*", "epsilon(acc_eq)"]]
        difference = f"{value - float(row['acc_eq*']):+.4f}".replace("-", "−")
        exact = f"{value:.4f} at {epsilon:.3g}"
        assert told[row["metric"]] == [f"{row['acc_eq*']} at {row['epsilon(acc_eq)']}", exact, difference]
