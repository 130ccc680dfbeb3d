"""What a notebook gets: HTML without markup from data, and a picture, or how to install what draws it."""

import subprocess
import sys
from dataclasses import dataclass
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tiekit.base.results import Plotted, Result, html_table


class Reader(HTMLParser):
    """The tags of some HTML, and its text."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.attributes, self.text = [], set(), []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes |= set(attrs)

    def handle_data(self, data):
        self.text.append(data.strip())


NASTY = "<script>alert(1)</script>&amp;<b>"
HARMLESS = {"p", "strong", "table", "thead", "tbody", "tr", "th", "td"}


def test_text_of_a_table_is_escaped():
    frame = pd.DataFrame({NASTY: [NASTY, 0.123456789, "x" * 80]}, index=[NASTY, "b", "c"])
    found = Reader(html_table(NASTY, frame, [NASTY]))
    assert set(found.tags) == HARMLESS
    assert found.text.count(NASTY) == 5
    assert "0.1235" in found.text
    assert "x" * 80 in found.text
    assert found.attributes <= {("class", "dataframe"), ("style", "text-align: right;")}  # no color, no border


def test_a_long_table_is_cut_like_a_frame():
    assert Reader(html_table("", pd.DataFrame({"a": range(500)}))).tags.count("tr") < 70


def shown():
    rng = np.random.default_rng(3)
    human = rng.integers(0, 4, (4, 30)).astype(float)
    metrics = {NASTY: human + rng.integers(0, 9, (4, 30)), "b": human + rng.integers(0, 3, (4, 30))}
    data = tk.EvalSet(NASTY, "", (*"ABC", NASTY), tuple(map(str, range(30))), {NASTY: human}, metrics, notes=(NASTY,))
    rankings = tk.judgments.Rankings.from_rows([(NASTY, "1", {"A": 1, NASTY: 2}), ("bob", "1", {"A": 1, NASTY: 2})])
    return {
        "set": data,
        "board": tk.leaderboard(data, coefficients=["tau_b"], calibrated="acc_eq"),
        "correlation": tk.correlate(data, NASTY),
        "calibration": tk.calibrate(data, NASTY),
        "comparison": tk.significance.compare_metrics(human, metrics, n_resamples=19),
        "judged": tk.judgments.judge_metric(rankings, {("A", "1"): 1.0, (NASTY, "1"): 2.0}),
        "agreement": tk.judgments.agreement(rankings),
    }


@pytest.fixture(scope="module")
def results():
    return shown()


@pytest.mark.parametrize("name", ["set", "board", "correlation", "calibration", "comparison", "judged", "agreement"])
def test_a_result_is_a_short_table_without_markup_of_its_own(results, name):
    html = results[name]._repr_html_()
    found = Reader(html)
    assert set(found.tags) <= HARMLESS
    assert found.tags.count("table") == 1
    assert len(html) < 5_000
    assert len(repr(results[name]).splitlines()) <= 10
    assert any(NASTY in text for text in found.text) == (name not in {"judged", "agreement"})


WITHOUT_EXTRAS = """
import importlib.abc, sys

class Forbid(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("altair", "anywidget", "traitlets", "openpyxl", "pyarrow"):
            raise ModuleNotFoundError("not there", name=name)

sys.meta_path.insert(0, Forbid())
import tiekit as tk
found = tk.correlate([1, 2, 2], [3, 1, 2])
for use in (
    found.plot,
    lambda: tk.charts.grid_chart,
    lambda: tk.calibrate([1, 2, 2], [3, 1, 2]).explore(),
    lambda: tk.widgets.CalibrationExplorer,
    lambda: tk.read({"a.xlsx": b"PK\\3\\4"}),
    lambda: tk.read({"a.parquet": b"PAR1PAR1"}),
):
    try:
        use()
    except tk.TiekitError as error:
        print(isinstance(error, ImportError), error)
print(len(found._repr_html_()) > 100, len(found.to_latex()) > 100)
"""


def test_what_needs_an_extra_says_how_to_install_it():
    done = subprocess.run([sys.executable, "-c", WITHOUT_EXTRAS], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        *["True a picture needs altair: pip install 'tiekit[plot]'"] * 2,
        *["True a figure in a notebook needs anywidget: pip install 'tiekit[notebook]'"] * 2,
        "False a.xlsx: is an Excel workbook, which needs openpyxl: pip install 'tiekit[excel]', or save each sheet as "
        "CSV",
        "False a.parquet: is a Parquet file, which needs pyarrow: pip install pyarrow, or save the table as CSV",
        "True True",
    ]


def test_what_has_no_picture_has_no_plot():
    assert not isinstance(tk.count_pairs([1, 2], [1, 2]), Plotted)


def test_a_set_whose_file_has_a_name_that_is_no_text_is_shown():
    data = tk.read({"\ud800.csv": b"human,m\n1,2\n2,3\n2,1\n"})
    assert "?" in data._repr_html_()


def test_what_is_printed_shows_the_first_rows_of_a_table(results):
    printed = repr(results["comparison"]).splitlines()
    assert printed[0].startswith("Comparison(")
    assert any(line.split()[-2:] == ["acc_eq", "cluster"] or "cluster" in line for line in printed)
    assert len(printed) <= 10
    assert max(map(len, printed)) <= 120
    assert "table>" not in repr(results["correlation"])


def test_print_shows_fifty_rows_where_repr_is_short():
    data = tk.load("wmt23", "zh-en")
    found = tk.identical.audit(data, n_resamples=0)
    lines = str(found).splitlines()
    assert [line.split()[0] for line in lines[-len(found.table) :]] == list(found.table.index)
    assert len(repr(found).splitlines()) <= 10
    more = Rows(pd.DataFrame({"x": np.arange(60)}))
    assert [" ".join(line.split()) for line in str(more).splitlines()[-2:]] == ["49 49", "… 10 more rows"]
    assert str(more).count("\n") == 52


@dataclass(frozen=True, eq=False, repr=False)
class Rows(Result):
    """A result that is a table."""

    _number = None
    table: pd.DataFrame

    def _grid(self):
        return self.table
