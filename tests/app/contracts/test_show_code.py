"""What "Show the code" shows on a page makes the page's numbers: run as it stands, and as its notebook."""

from __future__ import annotations

import ast
import re
import sys

import pytest

import tiekit as tk
from docsite.reference import NAMESPACES
from tests.app.conftest import ROOT
from tests.app.leaderboard.test_leaderboard import table_of, upload
from tests.app.ranking import shown as ranked
from tests.app.work.test_downloads import cells, run, run_cells
from tiekit.readers import FORMATS
from ui.work import downloads


@pytest.fixture
def shown(monkeypatch):
    """What the page last passed to `code.show`, by name."""
    calls = {}

    def note(name, call, data, load="", *, lengths=False):
        calls[name] = call, data, load, lengths

    monkeypatch.setattr(downloads, "show_code", note)
    monkeypatch.chdir(ROOT)  # the sample is read from data/
    return calls


def both(shown, part):
    """The values of the code as shown and of its notebook, for the code whose name ends so."""
    [name] = [name for name in shown if name.endswith(part)]
    call, data, load, lengths = shown[name]
    source, book = downloads.source(call, data, load), downloads.notebook(name, call, data, lengths=lengths)
    assert private_names(source) == private_names(cells(book)) == []
    return [run(source), run_cells(book)]


def private_names(source):
    """What code imports or uses that no reader of the documentation would know."""
    tree, found = ast.parse(source), []
    allowed = {"numpy", *sys.stdlib_module_names}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [a.name for a in node.names if a.name not in allowed and (a.name, a.asname) != ("tiekit", "tk")]
        if isinstance(node, ast.ImportFrom):
            found += [str(node.module)] * (str(node.module).split(".")[0] not in allowed)
        if isinstance(node, ast.Attribute):
            found += [ast.unparse(node)] * (node.attr.startswith("_") or not is_public(node))
    return found


def is_public(node):
    """Whether an attribute of `tk` or of one of its namespaces is in its `__all__`; others are not looked at."""
    match ast.unparse(node.value).split("."):
        case ["tk"]:
            return node.attr in tk.__all__
        case ["tk", namespace] if namespace in NAMESPACES:
            return node.attr in getattr(tk, namespace).__all__
    return True


@pytest.mark.parametrize(
    "source",
    [
        "from tiekit.ranking.engine import prepare",
        "import tiekit",
        "import pandas",
        "tk.ranking.engine",
        "tk.significance.pair_outcomes",
        "tk._kernels",
        "data._arrays",
    ],
)
def test_what_is_private_is_found(source):
    assert private_names(source)
    assert private_names("import json\nimport tiekit as tk\nimport numpy as np\ntk.sentinels.PROBES[0].leaks") == []


@pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")
@pytest.mark.parametrize(
    "link",
    [
        {},
        {
            "grouping": "global",
            "undefined": "zero",
            "exclude": ["refA", "Cedar"],
            "coefficients": ["pearson", "tau_14"],
        },
        {"domain": "chat", "shown_metrics": ["Contour-refA", "Judge-src"], "lower": ["Judge-src"], "decimals": "1"},
        {
            "probes": "true",
            "grouping": "global",
            "domain": "news",
            "decimals": "1",
            "coefficients": ["tau_b"],
            "starred": [],
        },
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


def test_the_steps_of_relative_differences(open_app, shown):
    open_app("3_Calibration", cal_h="0 0 0 1", cal_m="4 5 8 10", cal_eps="0.2", cal_difference="relative")
    for epsilon, value, kinds, _ in both(shown, "step-by-step"):
        assert (epsilon, value) == (0.375, 4 / 6)
        assert kinds.to_dict() == {"concordant": 2, "ties_human": 2, "ties_metric": 1, "ties_both": 1, "discordant": 0}


@pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")
@pytest.mark.parametrize(
    "link",
    [
        {},
        {
            "metric": "Judge-src",
            "lower": ["Judge-src", "Haze-refA"],
            "decimals": "1",
            "exclude": ["Cedar"],
            "folds": "3",
        },
        {"grouping": "global", "domain": "news", "difference": "relative", "coefficient": "tau_b", "human": "da"},
    ],
)
def test_the_calibrated_metric(open_app, shown, link):
    app = open_app("3_Calibration", **link)
    assert not any("damaged" in warning.value for warning in app.warning)
    text = " ".join(element.value for element in app.markdown)
    for epsilon, value, curve in both(shown, "calibrated"):
        assert f"{value:.4f} at ε\\* = {epsilon:.5g}" in text
        assert downloads.exact(epsilon) in app.table[1].value.iloc[0, 1]
        assert curve["value"].max() == pytest.approx(value)
    for value, folds in both(shown, "held out"):
        assert f"{value:.4f}**" in text
        assert f"costs {folds['loss'].mean():.4f}" in text


def test_the_judgments(open_app, shown):
    app = open_app(
        "7_Judgments", jud_j1="Ann: 1 2 2", jud_j2="Ben: 1 3 2", jud_j3="", jud_metric="3 1 2", jud_coefficient="acc_eq"
    )
    text = " ".join(element.value for element in app.markdown).replace("\\", "")
    for limit in both(shown, "metric can reach"):
        assert f"reaches **{limit.reachable:.3f}**" in text
    for values in both(shown, "on judgments"):
        assert [f"{value:.3f}" for value in values] == list(app.table[1].value["yours"])
    for agreement, limits, resolved in both(shown, "of a file"):
        shares = next(table.value for table in app.table if "κ" in table.value)["κ"]
        assert [f"{value:.3f}" for value in agreement[["κ within", "κ between"]].to_numpy().ravel()] == list(shares)
        assert (limits["cap"] < resolved["cap"]).all()
