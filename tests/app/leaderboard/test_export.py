import io
from itertools import pairwise

import pandas as pd
import pytest

import tiekit as tk
from ui.leaderboard.question import with_signatures
from ui.work.presets import DATA


@pytest.fixture(scope="module")
def evalset():
    return tk.read_mtme(DATA, "synthetic", "qaa-qab")


@pytest.fixture(scope="module")
def board(evalset):
    return tk.leaderboard(evalset, coefficients=["tau_b", "acc_eq"], calibrated="acc_eq")


def test_every_number_has_its_signature(board):
    columns = ["tau_b", "acc_eq", "acc_eq*"]
    text = io.StringIO(with_signatures(board, columns).to_csv(index=False))
    frame = pd.read_csv(text, converters={"epsilon": float})  # old versions of pandas lose the last digit
    assert len(frame) == len(board) * 3
    for row in frame.itertuples():
        assert row.value == pytest.approx(board.loc[row.metric, row.coefficient], nan_ok=True)
        assert row.signature == board.attrs["signatures"][row.coefficient][row.metric]
        assert f"metric:{row.metric}|coefficient:{row.coefficient}|" in row.signature
        assert f"epsilon:{row.epsilon}|" in row.signature


@pytest.mark.parametrize("swap", ["segments", "pairs"])
def test_rows_of_the_tested_column_have_cluster_and_the_p_value_of_the_next_below(evalset, board, swap):
    found = tk.significance.compare_metrics(evalset, "acc_eq*", swap=swap, n_resamples=99, rng=0)
    every = with_signatures(board, ["tau_b", "acc_eq*"], found)
    rows = every[every["coefficient"] == "acc_eq*"].set_index("metric")
    other = every[every["coefficient"] == "tau_b"]
    assert other[["next_below", "pvalue_next_below", "test_signature"]].isna().all(axis=None)
    tested = [name for name in found.pvalues.index if name not in found.untested]
    assert found.constant
    assert rows.loc[[*found.untested], "test_signature"].isna().all()
    assert list(rows.loc[tested, "next_below"]) == [*tested[1:], ""]
    for name, below in pairwise(tested):
        assert rows.loc[name, "pvalue_next_below"] == found.pvalues.loc[name, below]
        assert rows.loc[name, "test_signature"] == found.signature
    assert ("cluster" in every) == (swap == "segments")
    if swap == "segments":
        clusters = found.clusters(0.05)
        assert all(rows.loc[name, "cluster"] == clusters[name] for name in tested)
