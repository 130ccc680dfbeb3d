"""The Leaderboard's columns on fairness: only if asked for, with the library's numbers, marks and remarks."""

import pytest

import tiekit as tk
from tests.app import ranking
from tiekit.ranking.diagnostics import CHECKS, COLUMNS
from ui.work.presets import sample

PAGE = "5_Leaderboard"


def test_the_columns_hold_the_librarys_numbers(open_app):
    app = open_app(PAGE)
    assert not set(COLUMNS[:-1]) & set(ranking.shown(app).columns)
    app = open_app(PAGE, fairness="true", table_tests="neither")
    board = tk.leaderboard(sample("qaa-qab"), fairness=True, progress=False)
    found, texts, notes = ranking.shown(app), ranking.texts(app), board.fairness_notes()
    for check in CHECKS:
        for name in board.index:
            assert found.loc[name, check.column] == pytest.approx(board.loc[name, check.column], abs=1e-12, nan_ok=True)
    for name in board.index:
        assert sum(texts[name][check.column].startswith("▲") for check in CHECKS) == len(notes[name])
    [remarks] = [one for one in app.expander if "What the ▲ mean" in one.label]
    assert f"{sum(map(len, notes.values()))} remarks" in remarks.label
    assert sum(one.value.count("\n- ") + one.value.startswith("- ") for one in remarks.markdown) == sum(
        map(len, notes.values())
    )
