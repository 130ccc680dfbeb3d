"""One reader and one entry add a format: it is recognized, offered and asked about, as the page of formats says."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import tiekit as tk
from tiekit.readers import FORMATS, Choice, Format, recognize

LINES = b'{"system": "A", "gold": [1, 2], "m": [3, 5]}\n{"system": "B", "gold": [2, 1], "m": [4, 1]}\n'


def read_lines(files, *, human):
    """A line per system: its scores by name."""
    [content] = files.values()
    rows = [json.loads(line) for line in content.splitlines()]
    scores = {name: [row[name] for row in rows] for name in rows[0] if name != "system"}
    people = {human: scores.pop(human)}
    return tk.EvalSet("lines", "", tuple(row["system"] for row in rows), ("1", "2"), people, scores, gold=human)


def ask_lines(files, chosen):  # noqa: ARG001
    """Which score is the human one?"""
    [content] = files.values()
    names = tuple(name for name in json.loads(content.splitlines()[0]) if name != "system")
    yield Choice("human", "Which score is the human one?", names, (), "lines_human", several=False)


ENTRY = Format(
    name="lines",
    label="JSON lines",
    upload="The lines",
    recognizes=lambda name, head: name.endswith(".jsonl") and head.startswith(b"{"),
    read=read_lines,
    asks=ask_lines,
    code=lambda files, chosen: f"read_lines({next(iter(files))!r}, human={chosen['human']!r})",
)


@pytest.fixture
def _lines(monkeypatch):
    monkeypatch.setitem(FORMATS, "lines", ENTRY)


@pytest.mark.usefixtures("_lines")
def test_it_is_recognized():
    assert recognize({"mine.jsonl": LINES}) is ENTRY
    assert recognize({"mine.jsonl": b"[1, 2]"}) is None


@pytest.mark.parametrize("files", [{}, {"a.csv": b"word\n"}, {"a.seg.score": b"A 1", "b.csv": b"a,b"}, {"a.png": b","}])
def test_nothing_else_is(files):
    assert recognize(files) is None


def page():
    """The part of a page that opens a set."""
    import streamlit as st

    from ui.evalset import sources

    st.session_state.setdefault("notices", (st.empty(), []))
    opened = sources.choose_evalset()
    if opened is not None:
        data = opened.data
        st.text(f"{data.name}: {list(data.human)} {list(data.metrics)} {data.human[data.gold].tolist()}")
        st.code(opened.code)


@pytest.mark.usefixtures("_lines")
def test_the_app_offers_it_and_asks():
    app = AppTest.from_function(page, default_timeout=60).run()
    app.selectbox(key="source").select("my files").run()
    app.selectbox(key="layout").select("JSON lines").run()
    app.file_uploader[0].upload("mine.jsonl", LINES)
    app.run()
    assert not app.exception
    assert app.file_uploader[0].label == "The lines"
    assert app.selectbox(key="lines_human").label == "Which score is the human one?"
    assert app.text[0].value == "lines: ['gold'] ['m'] [[1.0, 2.0], [2.0, 1.0]]"
    app.selectbox(key="lines_human").select("m").run()
    assert app.text[0].value == "lines: ['m'] ['gold'] [[3.0, 5.0], [4.0, 1.0]]"
    assert app.code[0].value == "read_lines('mine.jsonl', human='m')"


@pytest.mark.usefixtures("_lines")
def test_its_reader_is_called_as_it_says():
    assert np.array_equal(ENTRY.read({"mine.jsonl": LINES}, human="m").human["m"], [[3, 5], [4, 1]])


PAGE = Path(__file__).parents[2] / "docs" / "formats.md"
ROWS = re.findall(r"^\| `(\w+)` \| ([^|]+) \| ([^|]+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_has_a_line_that_says_what_writes_it_and_what_it_gives(name):
    [(_, written_by, gives)] = [row for row in ROWS if row[0] == name]
    assert written_by.strip()
    assert gives.strip()


def test_the_page_promises_no_other_format():
    assert [name for name, _, _ in ROWS if name not in FORMATS] == []
