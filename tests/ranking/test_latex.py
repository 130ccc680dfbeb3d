"""The LaTeX of a leaderboard says what the frame says."""

from pathlib import Path

import pandas as pd
import pytest

import tiekit as tk
from tiekit.ranking.leaderboard import latex_table


@pytest.fixture(scope="module")
def board():
    return tk.leaderboard(
        tk.read_mtme("data", "synthetic", "qaa-qab"), coefficients=["tau_b", "acc_eq"], calibrated="acc_eq"
    )


def test_the_latex_table_holds_what_the_board_holds(board):
    text = latex_table(board, ["tau_b", "acc_eq", "acc_eq*"])
    rows = [line.removesuffix(r" \\").split(" & ") for line in text.splitlines() if line.endswith(r"\\")]
    assert rows[0][1:] == [
        r"$\tau_b$",
        r"$\mathrm{acc}_{\mathrm{eq}}$",
        r"$\mathrm{acc}_{\mathrm{eq}}^*$",
        r"$\epsilon^*(\mathrm{acc}_{\mathrm{eq}})$",
    ]
    for name, cells in zip(board.index, rows[1:], strict=True):
        assert cells[0] == name
        value, rank = board.loc[name, "acc_eq*"], board.loc[name, "rank(acc_eq*)"]
        sign = r"$^\ddagger$" if board.loc[name, "tied(acc_eq)"] >= 0.9 else ""
        assert cells[3] == (rf"\textbf{{{value:.3f} (1)}}" if rank == 1 else f"{value:.3f} ({rank})") + sign
        fewer = board.loc[name, "groups(tau_b)"] < board["groups(tau_b)"].max()
        assert cells[1].endswith(r"$^\dagger$") == (fewer and cells[1] != "--")
        assert float(cells[4]) == pytest.approx(board.loc[name, "epsilon(acc_eq)"], rel=1e-3)
    assert [cells[1] for cells in rows[1:] if cells[0] == "Constant-src"] == ["--"]
    assert text.count("{") == text.count("}")


def test_renamed_rows_and_no_rows_are_written(board):
    short = board.rename(index=lambda name: name.removesuffix("-refA")).to_latex("tau_b")
    assert "\nLadder & " in short
    assert "Signatures" not in short
    assert "Signatures" in board.to_latex("tau_b")
    assert board[board["tau_b"] > 2].to_latex().count(r"\\") == 1
    assert not isinstance(pd.concat([board, board]), tk.Leaderboard)


def test_names_are_escaped_in_latex():
    frame = pd.DataFrame({"tau_b": [-0.5], "rank(tau_b)": [1], "groups(tau_b)": [3]}, index=["a_b&c%d\\e{f}~^"])
    frame.attrs["signatures"] = {"tau_b": {frame.index[0]: "signature"}}
    name = r"a\_b\&c\%d\textbackslash{}e\{f\}\textasciitilde{}\textasciicircum{}"
    assert rf"{name} & \textbf{{$-$0.500 (1)}} \\" in latex_table(frame, ["tau_b"])


def test_a_coefficient_of_systems_has_no_groups():
    data = tk.read_mtme("data", "synthetic", "qaa-qab")
    found = tk.leaderboard(data, metrics=["Ladder", "Haze"], coefficients=["tau_b", "spa"], calibrated=())
    rows = [line for line in latex_table(found, ["tau_b", "spa"]).splitlines() if line.startswith("Ladder-refA")]
    assert f"{found.loc['Ladder-refA', 'spa']:.3f}" in rows[0]


def test_the_table_of_the_howto_has_every_measure(capsys):
    page = (Path(__file__).parents[2] / "docs" / "howto" / "my-papers-table.md").read_text(encoding="utf-8")
    exec(page.partition("```python\n")[2].partition("```")[0], {})
    [head] = [line for line in capsys.readouterr().out.splitlines() if line.startswith("Metric & ")]
    for name in ("$r$", "SPA", r"\tau_b", r"\mathrm{acc}_{\mathrm{eq}}^*", "cluster"):
        assert name in head
