"""A leaderboard is a DataFrame with every column, which displays those that are read first."""

import copy
import io
import pickle
import re

import numpy as np
import pandas as pd
import pytest

import tiekit as tk


@pytest.fixture(scope="module")
def board():
    data = tk.read_mtme("data", "synthetic", "qaa-qab")
    return tk.leaderboard(data, coefficients=["tau_b", "acc_eq", "acc_eq*", "spa"], rank_by="acc_eq*")


def cells(board):
    """The rows of what a notebook shows, as text; the first is the heading."""
    rows = board._repr_html_().split("<tr")[1:]
    return [re.findall(r"<t[hd]>(.*?)</t[hd]>", row) for row in rows]


def displayed(board):
    return cells(board)[0][1:]


FIRST = ["tau_b", "acc_eq", "acc_eq*", "epsilon(acc_eq)", "spa", "rank(acc_eq*)"]


def test_displayed_are_values_epsilon_and_the_rank_that_sorts(board):
    assert displayed(board) == FIRST
    assert displayed(board.assign(cluster=1)) == [*FIRST[:-1], "cluster", FIRST[-1]]
    for column in FIRST:
        assert column in repr(board).splitlines()[0]
    assert f"{len(board.columns)} columns; details=True displays all columns" in repr(board).splitlines()[-1]


def test_details_displays_every_column():
    data = tk.read_mtme("data", "synthetic", "qaa-qab")
    found = tk.leaderboard(data, metrics=["Ladder", "Haze"], coefficients="tau_b", calibrated="acc_eq", details=True)
    assert displayed(found) == list(found.columns)
    assert displayed(found.head(1)) == list(found.columns)
    assert max(map(len, repr(found).splitlines())) <= 120


def test_values_have_three_decimals_and_the_rows_their_order(board):
    rows = cells(board)[1:]
    assert [row[0] for row in rows] == list(board.index)
    at = 1 + FIRST.index("acc_eq*")
    assert [row[at].strip("‡ ") for row in rows] == [f"{value:.3f}" for value in board["acc_eq*"]]


def same_numbers(one, other):
    pd.testing.assert_frame_equal(pd.DataFrame(one), pd.DataFrame(other))


STAYS = {
    "copy": lambda board: board.copy(),
    "copy.copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda board: pickle.loads(pickle.dumps(board)),
    "sort": lambda board: board.sort_values("tau_b").loc[board.index],
    "assign": lambda board: board.assign(x=1).drop(columns="x"),
    "concat": lambda board: pd.concat([board.iloc[:3], board.iloc[3:]]),
    "every column": lambda board: board[list(board.columns)],
}


@pytest.mark.parametrize("how", STAYS)
def test_what_keeps_the_columns_is_a_leaderboard(board, how):
    found = STAYS[how](board)
    assert type(found) is tk.Leaderboard
    same_numbers(found, board)
    assert found.attrs["signatures"] == board.attrs["signatures"]
    assert found.value_columns == ["tau_b", "acc_eq", "acc_eq*", "spa"]


FRAME = {
    "some columns": lambda board: board[["tau_b", "groups(tau_b)"]],
    "one in a list": lambda board: board[["acc_eq*"]],
    "without coverage": lambda board: board.drop(columns="coverage"),
    "loc": lambda board: board.loc[:, ["acc_eq*", "rank(acc_eq*)", "coverage"]],
    "transposed": lambda board: board.T,
    "beside itself": lambda board: pd.concat([board, board], axis=1),
    "by key": lambda board: pd.concat({"a": board, "b": board}, axis=1),
    "a plain one": pd.DataFrame,
}


@pytest.mark.parametrize("how", FRAME)
def test_what_drops_columns_is_a_frame_that_shows_all(board, how):
    found = FRAME[how](board)
    assert type(found) is pd.DataFrame
    assert found.size == len(found) * found.shape[1] > 0


def test_other_ways_to_use_a_frame(board):
    assert type(board["acc_eq*"]) is pd.Series
    assert type(board.head(2)) is tk.Leaderboard
    assert type(board[board["tau_b"] > 0]) is tk.Leaderboard
    read = pd.read_csv(io.StringIO(board.to_csv()), index_col="metric")
    np.testing.assert_allclose(read["acc_eq*"], board["acc_eq*"].astype(float))
    assert list(read.columns) == list(board.columns)
    assert board.to_dict("index")[board.index[0]]["rank(acc_eq*)"] == 1
    assert board.groupby("rank(acc_eq*)").size().sum() == len(board)
    assert "coverage" in board.describe()
    assert repr(board.iloc[:0])
    stacked = pd.concat({"a": board, "b": board})
    assert stacked.loc["a"].shape == board.shape
    assert len(repr(stacked).splitlines()) == len(stacked) + 2
    assert len(repr(board.T).splitlines()) > 1


def test_a_frame_that_pandas_makes_in_its_own_way_is_displayed_too(board):
    assert tk.Leaderboard({"a": [1, 2]})._repr_html_().count("<tr>") == 2
    assert tk.Leaderboard._from_mgr(board[["tau_b"]]._mgr, axes=[]).value_columns == []


def test_latex_and_pictures_name_what_they_do_not_know(board):
    with pytest.raises(tk.InputError, match=r"column: must be one of tau_b, acc_eq, acc_eq\*, spa, found 'coverage'"):
        board.to_latex(["tau_b", "coverage"])
    with pytest.raises(tk.InputError, match=r"column: .* found 'x'"):
        board.plot("x")
    with pytest.raises(tk.InputError, match="intervals: there is no metric 'x'"):
        board.to_latex(intervals={"x": None})


@pytest.mark.filterwarnings("ignore::tiekit.CoverageWarning")
@pytest.mark.parametrize(
    ("given", "column", "words"),
    [
        (("tau_b", {}), "acc_eq*", r"must be of acc_eq\*, found one of tau_b for Judge-src; .* pass columns='tau_b'"),
        (("tau_b", {}), "tau_b", r"around 0.4603 \(4,500 cells\), found 0.4686 \(4,050 .* tk.standing\(data, 'Judge"),
        (("acc_eq", {"against": "Ladder"}), "acc_eq", "intervals: that of Judge-src is around "),
    ],
)
def test_intervals_stand_beside_their_own_values(given, column, words):
    data = tk.load("synthetic", "qaa-qab")
    scores = data.metrics["Ladder"].copy()
    scores[:, :30] = np.nan
    data = data.with_metric("mine", scores)
    board = tk.leaderboard(data, metrics=["mine", "Judge", "Ladder"], coefficients="tau_b,acc_eq,acc_eq*")
    coefficient, options = given
    interval = tk.significance.bootstrap_interval(data, "Judge", coefficient, n_resamples=9, **options)
    with pytest.raises(tk.InputError, match=words):
        board.to_latex(column, intervals={"Judge-src": interval})
    intervals = tk.standing(data, "mine", column, confidence=0.9, n_resamples=9).intervals
    few = {name: intervals[name] for name in board.index}
    assert "[{0.low:.3f}, {0.high:.3f}]".format(few["mine"]) in board.to_latex(column, intervals=few)


def test_latex_holds_clusters_and_intervals(board):
    best, second = board.index[:2]
    data = tk.load("synthetic", "qaa-qab")
    interval = tk.significance.bootstrap_interval(data, best, "acc_eq*", n_resamples=9)
    rank = pd.Series({best: 1}, dtype="Int64")
    text = board.assign(cluster=rank).to_latex("acc_eq*", intervals={best: interval})
    rows = {line.split(" & ")[0]: line.removesuffix(r" \\").split(" & ") for line in text.splitlines()}
    assert rows["Metric"][2:4] == ["interval", "cluster"]
    assert rows[best][2:4] == [f"[{interval.low:.3f}, {interval.high:.3f}]", "1"]
    assert rows[second][2:4] == ["--", "--"]
