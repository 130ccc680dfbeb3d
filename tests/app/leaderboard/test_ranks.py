"""The chart of ranks: what it shows, which metric is chosen at first and by a link, and what it says to the table."""

import pandas as pd
import pytest

import tiekit as tk
from tests.app.ranking import given, ranks_shown
from ui.leaderboard.question import USUAL
from ui.work.presets import DATA

PAGE = "5_Leaderboard"


@pytest.fixture(scope="module")
def board():
    return tk.leaderboard(tk.read_mtme(DATA, "synthetic", "qaa-qab"), coefficients=USUAL, calibrated="acc_eq")


def test_it_shows_the_ranks_of_the_table_in_the_order_of_the_table(open_app, board):
    shown = ranks_shown(open_app(PAGE))
    assert [one["key"] for one in shown["columns"]] == ["acc_eq*", *USUAL[::-1]]
    for metric in shown["metrics"]:
        ranks = [board.loc[metric["name"], f"rank({one['key']})"] for one in shown["columns"]]
        assert metric["ranks"] == [None if pd.isna(rank) else rank for rank in ranks]


def test_at_first_the_metric_whose_ranks_differ_most_is_chosen_in_chart_and_table(open_app, board):
    app = open_app(PAGE)
    ranks = board[[f"rank({column})" for column in [*USUAL, "acc_eq*"]]].astype(float)
    spread = ranks.max(axis=1) - ranks.min(axis=1)
    assert spread[ranks_shown(app)["metric"]] == spread.max()
    assert given(app)["chosen"] == ranks_shown(app)["metric"]
    assert "ranked_metric" not in app.query_params


def test_a_link_chooses_a_metric_and_a_damaged_one_says_so(open_app):
    app = open_app(PAGE, ranked_metric="Judge-src")
    assert ranks_shown(app)["metric"] == given(app)["chosen"] == "Judge-src"
    damaged = open_app(PAGE, ranked_metric="nobody")
    assert any("ranked\\_metric cannot be “nobody”" in warning.value for warning in damaged.warning)
    assert ranks_shown(damaged)["metric"] is not None


def test_the_chosen_metric_stays_when_pairs_are_grouped_otherwise(open_app):
    app = open_app(PAGE, ranked_metric="Judge-src")
    app.selectbox(key="grouping").select("global").run()
    assert ranks_shown(app)["metric"] == "Judge-src"
