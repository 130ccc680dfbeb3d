"""What can be downloaded from a leaderboard? Every number with its signature; the LaTeX table is the library's."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pandas as pd

from tiekit.errors import collect_warnings
from tiekit.significance import SWAPS, Comparison
from ui.work import presets
from ui.work.text import cell


def with_signatures(board: pd.DataFrame, columns: list[str], found: Comparison | None = None) -> pd.DataFrame:
    """Return one row per number: metric, coefficient, value, rank, epsilon, groups, coverage, signature.

    Where every two metrics were tested by one of the columns, its rows also have the cluster, the metric next below,
    the p-value of the difference from it, and the test's signature; these cells are empty in other rows.
    """
    tests = {} if found is None else _tests(found)
    rows = [
        {
            "metric": name,
            "coefficient": column,
            "value": cell(board, name, column),
            "rank": board.loc[name, f"rank({column})"],
            "epsilon": board.loc[name, f"epsilon({column[:-1]})"] if column.endswith("*") else 0.0,
            "groups": board.loc[name, f"groups({column})"],
            "undefined": board.loc[name, f"undefined({column})"],
            "coverage": board.loc[name, "coverage"],
            "signature": board.attrs["signatures"][column][name],
        }
        | (tests.get(str(name), {}) if found is not None and column == found.coefficient else {})
        for name in board.index
        for column in columns
    ]
    return pd.DataFrame(rows)


def _tests(found: Comparison) -> dict[str, dict[str, Any]]:
    """For each metric that was tested, what the test says of it."""
    tested = [str(name) for name in found.pvalues.index if name not in found.untested]
    below = dict(pairwise(tested))
    said = {
        name: {
            "next_below": below.get(name, ""),
            "pvalue_next_below": cell(found.pvalues, name, below[name]) if name in below else None,
            "test_signature": found.signature,
        }
        for name in tested
    }
    if SWAPS[found.swap].caution:
        return said
    with collect_warnings():
        clusters = found.clusters(presets.SIGNIFICANT)
    return {name: {"cluster": int(clusters[name])} | columns for name, columns in said.items()}
