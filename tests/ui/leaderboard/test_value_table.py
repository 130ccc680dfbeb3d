import pandas as pd

from ui.leaderboard.value_table import value_writer


def frame(**columns):
    return pd.DataFrame(columns, index=pd.Index(["a", "b", "c"], name="metric"))


def test_cells_carry_rank_star_and_dagger():
    board = frame(
        tau_b=[0.5, float("nan"), 0.25],
        **{"rank(tau_b)": pd.array([1, None, 2], dtype="Int64"), "groups(tau_b)": [10, 0, 12]},
    )
    write = value_writer(board, "tau_b")
    assert [write(value) for value in board["tau_b"]] == ["★ 0.500 (1) †", "undefined", "0.250 (2)"]
