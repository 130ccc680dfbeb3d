import pandas as pd

from ui.leaderboard.ranking import value_texts


def frame(**columns):
    return pd.DataFrame(columns, index=pd.Index(["a", "b", "c"], name="metric"))


def test_cells_carry_rank_star_and_dagger():
    board = frame(
        tau_b=[0.5, float("nan"), 0.25],
        **{"rank(tau_b)": pd.array([1, None, 2], dtype="Int64"), "groups(tau_b)": [10, 0, 12]},
    )
    assert value_texts(board, "tau_b") == {"a": "★ 0.500 (1) †", "b": "undefined", "c": "0.250 (2)"}


def test_equal_values_keep_ranks_that_a_paper_told_apart():
    ranks = pd.array([4, 5, 6], dtype="Int64")
    board = frame(acc_eq=[0.582, 0.582, 0.572], **{"rank(acc_eq)": ranks, "groups(acc_eq)": [1, 1, 1]})
    assert value_texts(board, "acc_eq") == {"a": "0.582 (4)", "b": "0.582 (5)", "c": "0.572 (6)"}
