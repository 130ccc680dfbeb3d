"""Which pairs a grouping compares, and how the values of several groupings are drawn."""

from itertools import combinations

import altair as alt
import numpy as np
import pandas as pd
import pytest
from hypothesis import given

import tiekit as tk
from tests.strategies import examples, matrices
from tiekit import charts
from tiekit.core.grouping import PAPER_NAMES, group


def brute_force(human, grouping):
    """Every compared pair of cells, by the definition; a mean is the cell (system, 0)."""
    rows, columns = np.shape(human)
    if grouping == "system_means":
        scored = [(i, -1) for i in range(rows) if not np.isnan(human[i]).all()]
    else:
        scored = [(i, j) for i in range(rows) for j in range(columns) if not np.isnan(human[i, j])]
    together = {
        "global": lambda *_: True,
        "item": lambda a, b: a[1] == b[1],
        "system": lambda a, b: a[0] == b[0],
        "system_means": lambda *_: True,
    }[grouping]
    return {frozenset((a, b)) for a, b in combinations(scored, 2) if together(a, b)}


@pytest.mark.parametrize("grouping", tk.GROUPINGS)
@examples(12)
@given(pair=matrices())
def test_the_pairs_compared_are_those_of_the_definition(grouping, pair):
    human = pair[0]
    assert group(human, human, grouping).n_pairs == len(brute_force(human, grouping))


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.campaign)])
def test_figures_are_whole_in_both_themes(theme):
    values = pd.DataFrame({"m": [0.1, np.nan], "n": [0.2, 0.3]}, index=["global", "item"])
    figure = charts.turn_chart(("global", "item"), ("m", "n"), "tau", theme)
    assert alt.Chart.from_dict(figure).properties(data=charts.turn_frame(values)).to_dict()["layer"]


def test_values_of_a_turn_are_those_given():
    values = pd.DataFrame({"m": [0.1, np.nan], "n": [0.2, 0.3]}, index=["global", "item"])
    frame = charts.turn_frame(values)
    assert frame.pivot_table("value", "grouping", "metric", dropna=False).equals(
        values.rename_axis("grouping").rename_axis("metric", axis=1)
    )


def test_papers_name_every_grouping():
    assert all(len(names) == len(tk.GROUPINGS) for names in PAPER_NAMES.values())
    deutsch, perrella, gao = (dict(zip(tk.GROUPINGS, names, strict=True)) for names in PAPER_NAMES.values())
    assert (deutsch["item"], perrella["item"], gao["item"]) == ("group-by-item", "Segment Grouping", "input level")
    assert gao["system"] == "item level"


def test_any_name_of_a_metric_can_be_drawn():
    frame = charts.turn_frame(pd.DataFrame({"value": [1.0, 2.0], "grouping": [3.0, 4.0]}, index=["item", "global"]))
    assert frame["metric"].tolist() == ["value", "value", "grouping", "grouping"]
    assert frame["value"].tolist() == [1, 2, 3, 4]
    assert frame["grouping"].tolist() == ["item", "global"] * 2
