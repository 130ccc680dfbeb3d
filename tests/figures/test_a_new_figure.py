"""A folder and a row add a figure: notebooks, the app and pages of their own take it, and its rule holds everywhere."""

import sys
from types import MappingProxyType, ModuleType

import pytest

from tiekit.figures import sources
from tiekit.figures.figure import Figure
from tiekit.figures.rules import Rule

SCRIPT = """
import { Model, mount, say, spoken } from "../shared/mount.js";

export function openFigure(host) {
  const model = new Model(), sentence = spoken("sentence");
  return mount(host, "dots", model, () => ({
    children: [sentence],
    show: () => say(sentence, `${model.data.dots} dots`),
  }));
}
"""


def figure_data(dots, share=0.5):
    return {"dots": dots, "share": share}


@pytest.fixture
def dots(monkeypatch):
    """The row of the table, and the folder with its script and its data."""
    folder = ModuleType("tiekit.figures.dots")
    folder.figure_data = figure_data
    monkeypatch.setitem(sys.modules, "tiekit.figures.dots", folder)
    files = MappingProxyType({**sources.files(), "dots/figure.js": SCRIPT})
    monkeypatch.setattr(sources, "files", lambda: files)
    return Figure("dots", "How many dots are there?", {"share": Rule("number", 0, 1)})


def test_each_host_gets_the_script_with_what_it_shares(dots):
    for text in (dots.for_notebook(), dots.for_streamlit(), dots.page(dots.data(3), "Made up.")):
        assert "${model.data.dots} dots" in text
        assert "class Model" in text
        assert "import " not in text.split("<script", 1)[-1].replace("import(", "")


def test_its_own_page_holds_its_title_its_data_and_its_rule(dots):
    text = dots.page(dots.data(3), "Made up.")
    assert "<h1>How many dots are there?</h1>" in text
    assert '{"dots": 3, "share": 0.5}' in text
    assert '"share": ' in text.split('"share": 0.5}')[1]


def test_what_moves_is_what_has_a_rule(dots):
    assert dots.keys == ("share",)
    assert dots.rules["share"].holds(0.25, dots.data(3))
    assert not dots.rules["share"].holds(2, dots.data(3))
