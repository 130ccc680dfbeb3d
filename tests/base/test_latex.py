"""LaTeX prints names as they are: escaped and balanced without LaTeX, compiled where one is installed."""

import re
import shutil
import subprocess
import unicodedata

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from tiekit.base.results import latex_escape, number, tabular
from tiekit.official import result as official

PLAIN = re.compile(r"\\[&%$#_{}]|\\text\w+\{\}|\\dots\{\}|\$(?:-|\\\w+)\$|^\{\}|[^\\&%$#_{}~^<>|]")
"""What escaped text consists of."""


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=20))
def test_escaped_text_holds_no_command_of_its_own(text):
    found = latex_escape(text)
    assert PLAIN.sub("", found) == ""
    assert "\n" not in found
    assert not found.startswith(("*", "["))
    letters = [letter for letter in text if unicodedata.category(letter)[0] in "LN" and letter not in "ετρκ"]
    assert [letter for letter in re.sub(r"\\[a-z]+\{\}|\$\\?[a-z]*\$", "", found) if letter in letters] == letters


def test_a_name_at_the_beginning_of_a_row_is_no_argument_of_the_row_above():
    assert latex_escape("*best[noref]") == "{}*best[noref]"
    assert latex_escape("[noref]") == "{}[noref]"


def test_numbers():
    values = [0.5, -0.25, float("nan"), None, 7, np.int64(-2), float("-inf"), 1e-20, np.float32(0.5)]
    told = ["0.500", "$-$0.250", "--", "--", "7", "$-$2", r"$-$$\infty$", "0.000", "0.500"]
    assert [number(value) for value in values] == told
    assert number(1.5e-20, ".4g") == "1.5e$-$20"


def test_a_table_has_a_rule_under_its_heads_only():
    assert tabular([["a", "b"]], [["1", "2"]], ["two\nlines"]).splitlines() == [
        "% two lines",
        r"\begin{tabular}{lr}",
        r"\toprule",
        r"a & b \\",
        r"\midrule",
        r"1 & 2 \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]
    assert r"\midrule" not in tabular([], [["1", "2"]], columns="ll")


NASTY = ["*a_b & c%d#$", "[noref]{x}\\y", "~tilde^hat<>|-", "ends with \\", "ε*, τ, Ondřej \x00\n two lines"]


def tables():
    """Every table of the library, with names that LaTeX must not read."""
    rng = np.random.default_rng(5)
    human = rng.integers(0, 4, (4, 30)).astype(float)
    metrics = {name: human + rng.integers(0, 3 + place, (4, 30)) for place, name in enumerate(NASTY)}
    data = tk.EvalSet("set_1 & co", "", tuple("ABCD"), tuple(map(str, range(30))), {"h": human}, metrics)
    names = list(data.metrics)
    test = tk.significance.compare_metrics(human, metrics, "acc_eq*", n_resamples=999)
    interval = tk.significance.bootstrap_interval(data, names[0], "acc_eq*", n_resamples=9)
    board = tk.leaderboard(data, coefficients=["tau_b", "acc_eq", "spa"], calibrated="acc_eq")
    ranked = pd.DataFrame({"average": [0.5] * len(NASTY), "rank": 1, "cluster": pd.NA}, index=NASTY)
    ranked.attrs["signature"] = "ranking:100%"
    rankings = tk.judgments.Rankings.from_rows([("ann", "1", {"A": 1, "B": 2}), ("bob", "1", {"A": 1, "B": 2})])
    return {
        "board": board.to_latex(),
        "clusters": board.assign(cluster=test.clusters()).to_latex("acc_eq*", intervals={names[0]: interval}),
        "comparison": test.to_latex(pvalues=True, correction="holm"),
        "interval": interval.to_latex(),
        "correlation": tk.correlate(data, names[1], "tau_b").to_latex(),
        "agreement": tk.judgments.agreement(rankings).to_latex(),
        "official": official.to_latex(ranked, (), 3),
    }


@pytest.fixture(scope="module")
def found():
    return tables()


@pytest.mark.parametrize(
    "name", ["board", "clusters", "comparison", "interval", "correlation", "agreement", "official"]
)
def test_every_row_has_as_many_cells_as_the_table_has_columns(found, name):
    lines = found[name].splitlines()
    (letters,) = (match[1] for line in lines if (match := re.fullmatch(r"\\begin\{tabular\}\{(\w+)\}", line)))
    rows = [line for line in lines if line.endswith(r" \\")]
    assert len(rows) > 2 or name == "agreement"
    assert {len(re.findall(r"(?<!\\)&", row)) for row in rows} == {len(letters) - 1}
    bare = re.sub(r"\\[\\{}$]", "", "".join(line for line in lines if not line.startswith("%")))
    assert bare.count("{") == bare.count("}")
    assert bare.count("$") % 2 == 0


@pytest.mark.campaign
def test_a_real_latex_prints_every_name(found, tmp_path):
    latex = shutil.which("pdflatex") or shutil.which("lualatex")
    if latex is None:
        pytest.skip("no LaTeX is installed (Debian: texlive-latex-recommended)")
    preamble = r"\documentclass{article}\usepackage{booktabs}\begin{document}\tiny"
    document = [preamble, *found.values(), r"\end{document}"]
    (tmp_path / "tables.tex").write_text("\n\n".join(document), encoding="utf-8")
    command = [latex, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "tables.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    assert (tmp_path / "tables.pdf").stat().st_size > 10_000
    if shutil.which("pdftotext"):
        subprocess.run(["pdftotext", "-layout", "tables.pdf"], cwd=tmp_path, check=True)
        text = (tmp_path / "tables.txt").read_text(encoding="utf-8")
        assert re.search(r"\*a.?b & c%d#\$", text)  # an underscore is a line to it
        assert "[noref]{x}" in text
