"""What "Show the code" shows on a page makes the page's numbers: run as it stands, and as its notebook."""

from __future__ import annotations

import re

import pytest

import tiekit as tk
from tests.app.code import both, private_names
from tests.app.ranking import shown as ranked
from tests.app.uploads import table_of, upload
from tiekit.readers import FORMATS
from ui.work import downloads


def test_what_is_private_is_found():
    inner = ["from tiekit.ranking.engine import prepare", "import tiekit", "import pandas", "tk.ranking.engine"]
    for source in [*inner, "tk.significance.pair_outcomes", "tk._kernels", "data._arrays"]:
        assert private_names(source)
    assert private_names("import json\nimport tiekit as tk\nimport numpy as np\ntk.sentinels.PROBES[0].leaks") == []


@pytest.mark.sampled(2)
@pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")
@pytest.mark.parametrize(
    "link",
    [
        {
            "grouping": "global",
            "undefined": "zero",
            "exclude": ["refA", "Cedar"],
            "coefficients": ["pearson", "tau_14"],
        },
        {"domain": "chat", "shown_metrics": ["Contour-refA", "Judge-src"], "lower": ["Judge-src"], "decimals": "1"},
        {"probes": "true", "grouping": "global", "domain": "news", "coefficients": ["tau_b"], "starred": []},
        {"grouping": "document", "coefficients": ["acc_eq"]},
        {"grouping": "document means", "coefficients": ["acc_eq"]},
        {"own_cells": "true", "grouping": "system means", "starred": ["tau_eq"], "human": "da", "pair": "qaa-qac"},
    ],
)
def test_the_leaderboard(open_app, shown, link):
    app = open_app("5_Leaderboard", **link)
    assert not any("damaged" in warning.value for warning in app.warning)
    table = ranked(app)
    for board in both(shown, "leaderboard"):
        assert list(board.index) == list(table.index)
        for column in table.columns:
            assert board[column].tolist() == pytest.approx(table[column].tolist(), nan_ok=True, abs=0, rel=1e-15)


def test_the_leaderboard_of_an_uploaded_table_with_holes(open_app, shown, tmp_path, monkeypatch):
    table = re.sub(rb",[\d.]+$", b",", table_of(), count=9, flags=re.MULTILINE)
    app = open_app("5_Leaderboard")
    shown.clear()
    upload(app, FORMATS["table"].label, ("scores.csv", table))
    (tmp_path / "scores.csv").write_bytes(table)
    monkeypatch.chdir(tmp_path)
    with pytest.warns(tk.CoverageWarning, match="noise has no scores of 9 cells"):
        boards = both(shown, "leaderboard")
    for board in boards:
        assert board["acc_eq*"].tolist() == ranked(app)["acc_eq*"].tolist()


@pytest.mark.parametrize(
    ("h", "m"), [("0 0 0 0 1 2", "0 1 2 3 4 5"), ("1 nan .1 .30000000000000004 1 .1", "2 2 .3 .7 1.9 .33")]
)
def test_the_steps_of_calibration(open_app, shown, h, m):
    app = open_app("3_Calibration", cal_h=h, cal_m=m, cal_coefficient="tau_eq")
    next(button for button in app.button if button.label == "Go to the best").click().run()
    for epsilon, value, counts, curve in both(shown, "step-by-step"):
        assert f"ε = {downloads.exact(epsilon)}" in app.subheader[0].value
        assert any(f"{value:.3f}" in element.value for element in app.markdown)
        assert counts.total == sum(int(cell.strip("*")) for cell in app.table[0].value["now"])
        assert curve["value"].max() == value
