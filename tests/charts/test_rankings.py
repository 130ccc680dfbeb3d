"""Pictures of rankings: lines from rank to rank, and values from grouping to grouping."""

import numpy as np
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


def test_values_of_a_turn_are_those_given():
    values = pd.DataFrame({"m": [0.1, np.nan], "n": [0.2, 0.3]}, index=["global", "item"])
    frame = charts.turn_frame(values)
    assert frame.pivot_table("value", "grouping", "metric", dropna=False).equals(
        values.rename_axis("grouping").rename_axis("metric", axis=1)
    )


def test_any_name_of_a_metric_can_be_drawn():
    frame = charts.turn_frame(pd.DataFrame({"value": [1.0, 2.0], "grouping": [3.0, 4.0]}, index=["item", "global"]))
    assert frame["metric"].tolist() == ["value", "value", "grouping", "grouping"]
    assert frame["value"].tolist() == [1, 2, 3, 4]
    assert frame["grouping"].tolist() == ["item", "global"] * 2
