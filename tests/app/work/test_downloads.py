"""The code that a page shows, and its notebook, run by themselves and give the page's numbers."""

from __future__ import annotations

import ast
import io
import math
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import nbclient
import nbformat
import numpy as np
import pandas as pd
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import tiekit as tk
from tests.app.code import run, run_cells
from tests.app.uploads import table_of
from tiekit.base.validation import digest_of
from ui.work import downloads, places, result_cache
from ui.work.visitor import Visitor

H, M = [0.1, 0.1 + 0.2, math.nan, -2.0, 5e-324, 1e22], [1 / 3, 2, -1e-300, 0.30000000000000004, 3, 4]


def test_typed_scores_are_written_exactly():
    h, m = run(downloads.source("h, m", {"h": H, "m": M}))
    assert [float(x).hex() for x in h] == [float(x).hex() for x in H]
    assert [float(x).hex() for x in m] == [float(x).hex() for x in M]


@pytest.mark.parametrize("shape", [(3,), (201,), (2, 3), (20, 30)])
def test_a_notebook_holds_arrays_of_any_size_exactly(shape):
    scores = np.random.default_rng(1).normal(size=shape)
    scores.flat[1] = math.nan
    found = run_cells(downloads.notebook("n", "np.asarray(a)" if scores.size > downloads.SMALL else "a", {"a": scores}))
    np.testing.assert_array_equal(np.asarray(found, dtype=float), scores)


def test_a_notebook_holds_an_evaluation_set():
    data = tk.read_table({"scores.csv": table_of()})
    found = run_cells(downloads.notebook("n", "data", {"data": data}))
    assert found.metrics.keys() == data.metrics.keys()
    for name, scores in data.metrics.items():
        np.testing.assert_array_equal(found.metrics[name], scores)
    for name in ("name", "language_pair", "systems", "segments", "documents", "domains", "gold", "digest", "outliers"):
        assert getattr(found, name) == getattr(data, name), name


def test_what_is_large_is_read_by_the_code_shown_and_embedded_in_the_notebook_only():
    scores = np.arange(300.0)
    shown = downloads.source("tk.count_pairs(a, a)", {"a": scores}, load="a = list(range(300))")
    assert len(shown) < 200
    assert run(shown).total == 300 * 299 / 2
    assert "pickle=False" in downloads.notebook("n", "a", {"a": scores})
    assert len(run(downloads.source("a", {"a": scores}))) == 300, "what nothing reads is written out"


def test_a_notebook_is_valid_and_begins_with_what_it_is_and_how_tiekit_is_installed():
    text = downloads.notebook("calibrated", "tk.count_pairs(h, m)", {"h": H, "m": M})
    book = nbformat.reads(text, as_version=4)
    nbformat.validate(book)
    assert (book.nbformat, book.nbformat_minor) == (4, 5)
    assert len({cell.id for cell in book.cells}) == len(book.cells)
    first = book.cells[0]
    assert first.cell_type == "markdown"
    assert "calibrated" in first.source
    assert tk.__version__ in first.source
    assert digest_of(np.array(H), np.array(M))[:12] in first.source
    assert downloads.digest({"h": H}) != downloads.digest({"h": [*H[:-1], 1e21]})
    texts = [cell.source for cell in book.cells]
    place = next(place for place, text in enumerate(texts) if "%pip install" in text)
    assert place < texts.index("import tiekit as tk")
    assert f"tiekit-{tk.__version__}-py3-none-any.whl" in texts[place]


@pytest.mark.campaign
def test_a_notebook_runs_in_a_clean_kernel_and_gives_the_library_s_numbers(tmp_path):
    rng = np.random.default_rng(2)
    human, metric = rng.integers(0, 4, 300).astype(float), rng.normal(size=300)
    h, m = [0, 0, 0, 0, 1, 2], [0, 0, 0, 0, 2, math.nan]
    call = "best = tk.calibrate(human, metric)\n[best.epsilon.hex(), best.value.hex(), tk.count_pairs(h, m).concordant]"
    text = downloads.notebook("clean", call, {"human": human, "metric": metric, "h": h, "m": m})
    book = nbclient.execute(nbformat.reads(text, as_version=4), cwd=str(tmp_path), timeout=120)
    best = tk.calibrate(human, metric)
    expected = [best.epsilon.hex(), best.value.hex(), tk.count_pairs(h, m).concordant]
    [result] = [output for output in book.cells[-1].outputs if output.output_type == "execute_result"]
    assert ast.literal_eval(result["data"]["text/plain"]) == expected


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("a b/c", "a-b-c"),
        ("../../x", "x"),
        ("wmt22-zh-en.mqm", "wmt22-zh-en.mqm"),
        ("?", "tiekit"),
        ("x" * 999, "x" * 100),
    ],
)
def test_file_names_are_safe(name, file):
    assert downloads.file_name(name) == file


@pytest.mark.parametrize("bad", ["=HYPERLINK(1)", "@SUM(A1)", "+cmd|x", "-1+1", "\tx", "＝1+1", "＠SUM(A1)"])
def test_no_cell_of_a_csv_is_a_formula(bad):
    table = pd.DataFrame(
        {"score": [-0.5, 1e-9, float("nan")], bad: ["-0.25", "a,b", bad]}, index=[bad, "COMET-22", "x"]
    )
    found = pd.read_csv(io.StringIO(downloads.without_formulas(table.to_csv())), index_col=0)
    assert list(found.index) == [f"'{bad}", "COMET-22", "x"]
    assert list(found.columns) == ["score", f"'{bad}"]
    assert list(found.iloc[:, 1]) == ["-0.25", "a,b", f"'{bad}"]
    np.testing.assert_array_equal(found["score"], table["score"])
    quote = "'" * (bad != "\tx")  # a spreadsheet may divide cells there
    assert downloads.without_formulas(f"A;{bad},A\n") == f"A;{quote}{bad},A\n"


@pytest.mark.parametrize(
    ("cell", "guarded"),
    [("a;\t =1", "a;'\t' =1"), (";;=1", ";;'=1"), ("a\n\r+1;b", "a\n'\r'+1;b"), ("a; b;", "a; b;"), ("a -1", "a -1")],
)
def test_a_sign_is_guarded_where_another_separator_would_begin_a_cell(cell, guarded):
    written = downloads.without_formulas(pd.DataFrame({"x": [cell]}).to_csv(index=False))
    assert pd.read_csv(io.StringIO(written, newline=""), keep_default_na=False)["x"].tolist() == [guarded]


def test_a_run_of_separators_is_looked_at_once():
    row = 'a,"b' + "\t" * 130_000 + 'c"\n'
    began = time.process_time()
    assert len(downloads.without_formulas(row)) == len(row.replace('"', ""))
    assert time.process_time() - began < 5, "it took 110 s"


@pytest.fixture
def held(monkeypatch):
    """The files that Streamlit holds, by place, and the timers that would let go of them."""
    files, timers = {}, []

    class Timer:
        def __init__(self, seconds, function, arguments):
            assert seconds == downloads.KEPT_SECONDS
            self.fire = lambda: function(*arguments)

        def start(self):
            timers.append(self)

    internals = downloads.streamlit_internals
    monkeypatch.setattr(internals, "hold_file", lambda data, _mime, place, _file: files.__setitem__(place, len(data)))
    monkeypatch.setattr(internals, "drop_file", lambda place: files.pop(place))
    monkeypatch.setattr(downloads, "Timer", Timer)
    monkeypatch.setattr(downloads, "_kept", {})
    return files, timers


def test_a_file_is_let_go_of_after_a_minute(held):
    files, timers = held
    for _ in range(downloads.KEPT + 1):
        downloads._keep(b"x", "a.csv", "text/csv")
    assert len(files) == downloads.KEPT
    timers[0].fire()  # its place is another file's
    assert len(files) == downloads.KEPT
    for timer in timers:
        timer.fire()
    assert not files


def test_the_files_that_are_held_are_bounded_in_bytes(held, monkeypatch):
    files, _ = held
    monkeypatch.setattr(downloads, "KEPT_BYTES", 100)
    for _ in range(5):
        downloads._keep(b"x" * 40, "a.csv", "text/csv")
    assert sum(files.values()) == 80
    downloads._keep(b"x" * 200, "a.csv", "text/csv")
    assert list(files.values()) == [200]


@pytest.fixture
def offer(held, monkeypatch):  # noqa: ARG001 — nothing is held by Streamlit
    """A function that offers what is made for a visitor, and returns what the button does."""
    monkeypatch.setattr(result_cache, "_places", places.Places(1, step=0.01))
    monkeypatch.setattr(result_cache, "SLICE", 0.01)
    made = []
    monkeypatch.setattr(st, "download_button", lambda _label, make, *_, **__: made.append(make))

    def offer_to(name, make):
        monkeypatch.setattr(downloads, "current_visitor", lambda: Visitor(f"session {name}", name[0]))
        monkeypatch.setattr(downloads.streamlit_internals, "session", lambda: name)
        downloads.offer("Take", make, "a.txt", "text/plain")
        return made[-1]

    return offer_to


def test_a_file_that_takes_long_lets_others_pass_and_is_made_no_further_when_its_visitor_has_gone(offer, monkeypatch):
    there, begun = {"a1", "a2", "b1"}, threading.Event()
    monkeypatch.setattr(downloads.streamlit_internals, "is_there", lambda session: session in there)

    def make():
        for step in range(10_000):
            begun.set()
            time.sleep(0.001)
            downloads.let_pass(step / 10_000)
        raise AssertionError("nobody ended it")

    with ThreadPoolExecutor(3) as pool:
        long = [pool.submit(offer(name, make)) for name in ("a1", "a2")]
        assert begun.wait(30)
        assert pool.submit(offer("b1", lambda: "short")).result(5) == b"short"
        there.clear()
        for one in long:
            with pytest.raises(RuntimeError, match=downloads.UNWANTED):
                one.result(5)
    assert not result_cache._places.n_taken()
    assert not downloads._making


def test_so_many_files_of_an_address_are_made_at_a_time(offer, monkeypatch):
    monkeypatch.setattr(downloads, "OF_ADDRESS", 2)
    may_end, begun = threading.Event(), []

    def make():
        begun.append(1)
        assert may_end.wait(30)
        return "made"

    with ThreadPoolExecutor(3) as pool:
        one = pool.submit(offer("a1", make))
        while not begun:
            time.sleep(0.001)
        two = pool.submit(offer("a2", make))
        while downloads._making["a"] < 2:
            time.sleep(0.001)
        with pytest.raises(RuntimeError, match=downloads.TOO_MANY):
            offer("a3", make)()
        of_other = pool.submit(offer("b1", make))
        may_end.set()
        assert {this.result(30) for this in (one, two, of_other)} == {b"made"}


def test_a_download_is_named_by_letters_alone():
    app = AppTest.from_string(OFFER).run()
    assert app.get("download_button")[0].proto.label == "Take"
    assert not app.exception


OFFER = """
from ui.work import downloads
downloads.offer("Take", str, "evil-');window.__x=6__-curve.csv", "text/csv")
"""
