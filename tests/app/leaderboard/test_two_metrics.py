import pandas as pd

from ui.leaderboard.two_metrics import _rivals


def test_a_rival_that_reverses_is_offered_first():
    board = pd.DataFrame({"tau_b": [0.5, 0.4, 0.3], "acc_eq": [0.5, 0.4, 0.9]}, index=["a", "b", "c"])
    assert _rivals(board, "a", ["tau_b", "acc_eq"]) == ["c", "b"]
