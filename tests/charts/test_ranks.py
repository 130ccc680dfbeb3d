"""Lines from rank to rank."""

import pandas as pd

from tiekit import charts


def test_ranks_leave_out_the_undefined_and_share_a_label():
    board = pd.DataFrame(
        {
            "tau_b": [0.5, float("nan"), 0.2],
            "acc_eq*": [0.4, 0.6, 0.4],
            "rank(tau_b)": [1, None, 2],
            "rank(acc_eq*)": [2, 1, 2],
        },
        index=pd.Index(["a", "b", "c"], name="metric"),
    )
    frame = charts.rank_frame(board, ["tau_b", "acc_eq*"], ["a"])
    assert len(frame) == 5
    assert frame.loc[frame["end"] != "", ["rank", "end"]].to_numpy().tolist() == [[2, "a +1"], [1, "b"]]
    assert frame.groupby("metric")["picked"].first().to_dict() == {"a": True, "b": False, "c": False}
