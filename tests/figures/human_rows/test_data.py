"""What the figure of human scores is given: every board, and what is shown first."""

import json

import numpy as np
import pandas as pd

from tiekit.figures.human_rows.data import given
from tiekit.figures.human_rows.page import as_page

ROWS = pd.DataFrame(
    [
        {"judge": judge, "measure": measure, "name": name, "kind": kind, "value": value, "low": np.nan, "high": np.nan}
        for judge, name in (("a", "b"), ("b", "a"))
        for measure in ("item/acc_eq*", "own")
        for name, kind, value in ((name, "human", 0.5), ("BLEU", "metric", np.nan))
    ]
).assign(ties=0.1, judge_ties=0.4)


def test_there_is_a_board_for_each_judge_and_measure():
    found = given(ROWS, {"judge": "b", "measure": "unknown", "row": "x"})
    assert (found["judges"], found["judge"], found["measure"], found["row"]) == (["a", "b"], "b", "item/acc_eq*", "x")
    assert [measure["label"] for measure in found["measures"]] == ["acc_eq* by item", "own"]
    assert len(found["boards"]) == 4
    assert found["boards"][0]["rows"][1]["value"] is None
    assert found["boards"][0]["judgeTies"] == 0.4
    json.dumps(found, allow_nan=False)


def test_a_page_of_its_own_holds_the_boards():
    text = as_page(given(ROWS), "Made of two <scores>.")()
    assert "Made of two &lt;scores&gt;." in text
    assert '"boards"' in text
