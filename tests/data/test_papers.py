"""The quoted tables are complete and consistent, and spot values are those of the paper's pages."""

import re
import runpy
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tiekit.official.selection import read_pair
from tiekit.readers import read_appraise

PAPERS = Path(__file__).parents[2] / "data" / "papers"
TABLES = pd.read_csv(PAPERS / "deutsch2023_tables.csv", dtype=str, keep_default_na=False)
VALUES = ["tau_a", "tau_b", "tau_c", "tau_10", "tau_13", "tau_14", "acc_eq", "acc_eq*"]
WHAT = {
    11: ("en-de", "global", 16), 12: ("en-de", "item", 16), 13: ("en-de", "system", 16),
    14: ("en-ru", "global", 15), 15: ("en-ru", "item", 15), 16: ("en-ru", "system", 15),
    17: ("zh-en", "global", 16), 18: ("zh-en", "item", 16), 19: ("zh-en", "system", 16),
}  # fmt: skip


def table(number):
    """One table of the paper, indexed by metric."""
    return TABLES[TABLES["table"] == str(number)].set_index("metric")


def test_columns():
    ranks = [f"rank({value})" for value in VALUES]
    assert list(TABLES) == ["table", "language_pair", "grouping", "metric", *VALUES, "epsilon(acc_eq)", *ranks]


@pytest.mark.parametrize("number", WHAT)
def test_each_table_is_whole_and_its_ranks_follow_its_values(number):
    rows = table(number)
    pair, grouping, n = WHAT[number]
    assert (set(rows["language_pair"]), set(rows["grouping"]), len(rows)) == ({pair}, {grouping}, n)
    assert rows.index.is_unique
    for value in VALUES:
        order = rows.assign(rank=rows[f"rank({value})"].astype(int)).sort_values("rank")
        assert order["rank"].tolist() == list(range(1, len(rows) + 1)), value
        assert order[value].astype(float).is_monotonic_decreasing, value


def test_values_keep_the_printed_decimals():
    assert TABLES[VALUES].melt()["value"].str.fullmatch(r"-?\d\.\d{3}").all()
    assert TABLES["epsilon(acc_eq)"].str.fullmatch(r"\d+\.\d\d").all()


@pytest.mark.parametrize(
    ("number", "metric", "column", "printed"),
    [
        (11, "Metric-X", "acc_eq*", "0.526"),
        (12, "MaTESe", "tau_10", "-0.459"),
        (12, "GEMBA-Dav3-DA", "epsilon(acc_eq)", "15.00"),
        (13, "MS-COMET-22", "epsilon(acc_eq)", "1.30"),
        (14, "Constant-Metric", "acc_eq", "0.225"),
        (15, "REUSE", "tau_b", "-0.090"),
        (16, "COMET-QE", "rank(acc_eq*)", "6"),
        (17, "Metric-X", "epsilon(acc_eq)", "0.06"),
        (17, "Metric-X", "acc_eq*", "0.565"),
        (18, "Metric-X", "tau_a", "0.191"),
        (18, "GEMBA-Dav3-DA", "tau_10", "-0.271"),
        (18, "COMET-22", "rank(acc_eq)", "8"),
        (19, "REUSE", "acc_eq*", "0.424"),
    ],
)
def test_spot_values(number, metric, column, printed):
    assert table(number).loc[metric, column] == printed


def test_table_12_agrees_with_table_5_of_the_text():
    rows = table(12)
    assert rows["acc_eq*"].iloc[:3].tolist() == ["0.605", "0.595", "0.594"]
    assert rows["rank(tau_10)"].iloc[:4].tolist() == ["1", "3", "2", "14"]


def test_figure_2():
    rows = pd.read_csv(PAPERS / "deutsch2023_figure2.csv", dtype=str).set_index("metric")
    assert list(rows) == ["tau_a", "tau_b", "tau_c", "tau_10", "tau_13", "tau_14", "tau_23"]
    assert rows.loc["m1"].tolist() == [".47", ".78", ".29", ".78", ".78", ".78", ".87"]
    assert rows.loc["m2"].tolist() == [".60", ".77", ".38", "1.0", "1.0", "1.0", ".20"]


def test_the_documentation_quotes_the_ranks_of_gao_et_al():
    rows = pd.read_csv(PAPERS / "gao2024_summeval.csv")
    assert len(rows) == 2 * 4 * 12
    assert not rows.duplicated(["table", "aspect", "rank"]).any()
    told = " ".join((PAPERS.parents[1] / "docs" / "measures.md").read_text(encoding="utf-8").split())
    words = {}
    for (table, coefficient), found in rows[rows["grouping"] == "system_means"].groupby(["table", "coefficient"]):
        ranks = found.set_index("aspect")["rank"][["coherence", "consistency", "fluency", "relevance"]]
        words[table, coefficient] = ", ".join(map(str, ranks))
    assert f"are {words[6, 'spearman']} for ρ and {words[6, 'tau_b']} for τ_b by DP (Table 6)" in told
    assert f"and {words[7, 'spearman']} and {words[7, 'tau_b']} by RC (Table 7" in told


def test_the_nan_problem_is_that_of_table_12():
    own, rival, same = pd.read_csv(PAPERS / "deutsch2023_nan_problem.csv", dtype=str).to_dict("records")
    assert own["tau_b"] == table(12).loc["MaTESe", "tau_b"]
    assert rival["tau_b"] == table(12).loc["Metric-X", "tau_b"]
    assert (own["segments"], rival["segments"], same["segments"], same["tau_b"]) == ("773", "1133", "773", "0.296")


def test_the_documentation_counts_the_cells_that_differ_from_the_tables():
    constant = [table(number).loc["Constant-Metric", ["tau_b", "tau_c", "tau_13"]] for number in (17, 18, 19)]
    assert [value for row in constant for value in row] == 9 * ["0.000"]
    assert table(18).loc["REUSE", ["rank(tau_b)", "rank(tau_c)", "rank(tau_13)"]].tolist() == ["16", "16", "16"]
    told = " ".join((PAPERS.parents[1] / "docs" / "accuracy-and-speed.md").read_text(encoding="utf-8").split())
    assert "except for nine cells" in told
    assert "the rank of REUSE in these three columns from 16 to 15" in told


# ------------------------------------------------------------------------------------------ sources, and real data

OPENED = re.compile(r"doi\.org/10\.|arxiv\.org/abs/|aclanthology\.org/\d|github\.com/[\w-]+/[\w-]+|\bdata/\w+")
"""What anybody can open: a DOI, a page of arXiv or the ACL anthology, a repository, a file of this one."""


@pytest.mark.parametrize("file", sorted(PAPERS.glob("*.csv")), ids=lambda file: file.stem)
def test_every_table_names_a_source_that_can_be_opened(file):
    parts = re.split(r"\n(?=## |[A-Z][a-z]+ [A-Z][a-z]+, )", (PAPERS / "README.md").read_text(encoding="utf-8"))
    [told] = [
        part
        for part in parts
        if f"`{file.name}` holds" in part or f"| `{file.name}` |" in part or f"\n`{file.name}`: " in part
    ]
    rows = pd.read_csv(file)
    by_row = file.stem in ("wmt23_official", "wmt24_on_wmt23", "wmt23_segments", "wmt24_metricx", "human_tie_shares")
    for source in rows["source"] if by_row else [told]:
        assert OPENED.search(source), source
        assert not re.search(r"memory|not kept|not found", source)


@pytest.mark.parametrize("name", tk.official.PRESETS)
def test_every_preset_names_who_defined_it(name):
    assert OPENED.search(tk.official.read_preset(name).reference)


@pytest.fixture(scope="module")
def public(real_data):
    """The public scores of WMT23 in the layout of mt-metrics-eval."""
    return real_data / "mt-metrics-eval-v2"


@pytest.mark.campaign  # averages and segment tasks of every run: tests/data/test_sets.py
@pytest.mark.real
@pytest.mark.parametrize("preset", ["wmt23", "wmt24_on_wmt23"])
def test_every_cell_of_an_official_table_is_computed_from_public_scores(public, preset):
    program = runpy.run_path(str(PAPERS.parent / "make_wmt23.py"))
    found, kept = program["table"](public, preset), pd.read_csv(PAPERS / program["FILES"][preset], index_col="metric")
    assert list(found) == list(kept)
    assert found.index.tolist() == kept.index.tolist()
    # WMT's soft pairwise accuracy adds up in single precision, which processors round in different orders.
    for name in found.columns[:-1]:
        is_rounded = preset != "wmt23" and (name == "average" or name.endswith("/spa"))
        np.testing.assert_allclose(found[name], kept[name], rtol=0, atol=3e-5 if is_rounded else 5.1e-7)
    assert found["source"].equals(kept["source"])


@pytest.mark.real
@pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")
def test_shares_of_human_ties_are_counted_in_public_scores(public):
    kept = tk.sentinels.published_tie_shares().set_index(["testset", "language_pair"])["share"]
    rules = tk.official.read_preset("wmt23")
    for task in rules.tasks:
        if task.measure == "item/acc_eq*":
            scores = read_pair(public, rules, task.language_pairs[0], {"BLEU"}).block_of(task).human
            assert round(tk.count_ties(scores, grouping="item").share, 3) == kept["wmt23", task.language_pairs[0]]
    for pair in ("en-ja", "en-zh"):
        data = read_appraise(public.parent / "esa" / "esa_generalMT2024_wave3.csv", language_pair=pair)
        assert round(tk.count_ties(data.human["esa"], grouping="item").share, 3) == kept["wmt24", pair]
