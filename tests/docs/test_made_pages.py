"""What pages get from the registry, the glossary, docstrings and figures is complete and right."""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from pathlib import Path
from xml.etree import ElementTree

import pytest

import tiekit as tk
from docsite import coefficients, course, live, mathml, pictures, reference, texts
from docsite.reference import NAMESPACES
from tiekit.core.formula import Formula

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs").rglob("*.md"))
ASKED = re.compile(r"^<!-- (made|live|picture|section): (.*?) -->$", re.MULTILINE)


@pytest.mark.parametrize("name", list(tk.COEFFICIENTS))
def test_a_coefficient_has_a_section_with_all_that_the_registry_knows(name: str) -> None:
    entry = tk.COEFFICIENTS[name]
    parts = coefficients.sections().split("\n## ")
    (text,) = [part for part in parts if f"{{ #{name} }}" in part]
    assert entry.undefined in text
    assert entry.reference in text
    assert f"<!-- picture: coefficient_{name} -->" in text
    assert all(str(year) in text for years in entry.years for year in years)
    assert ("| **human <** |" in text) == (entry.table is not None)
    for scores in coefficients.METRICS.values():
        value = tk.correlate(coefficients.HUMAN, scores, name).value
        assert f"{value:.3f}".replace("-", "−") in text


@pytest.mark.parametrize("text", ["(C - D) / (C + D)", "2 * (C - D) / (n**2 * ((k - 1) / k))", "C - (D - T_h)"])
def test_a_formula_is_sound_mathml(text: str) -> None:
    root = ElementTree.fromstring(mathml.display("τ_x", Formula(text), right="0.5", said="of m"))
    names = {"".join(node.itertext()) for node in root.iter() if node.tag in ("mi", "msub")}
    assert {name.replace("_", "") for name in Formula(text).symbols} <= names


@pytest.mark.campaign
def test_the_reference_has_every_public_name_once() -> None:
    listed = [entry for topic in reference.entries().values() for entry in topic]
    assert len({entry.full for entry in listed}) == len(listed) > 200
    met = {id(entry.value) for entry in listed}
    for namespace in ("tiekit", *(f"tiekit.{name}" for name in NAMESPACES)):
        module = import_module(namespace)
        names = [name for name in module.__all__ if name not in NAMESPACES and not name.startswith("__")]
        assert [name for name in names if id(getattr(module, name)) not in met] == []
    pages = reference.pages()
    assert set(pages) == {"reference/index.md", *(entry.file for entry in listed)}
    for entry in listed:
        assert f"]({entry.full}.md)" in pages["reference/index.md"], entry.full
        assert 10 < len(entry.says) < 200, entry.full


def test_docstrings_are_what_the_site_renders() -> None:
    """No tables or literal blocks of reStructuredText, no doctest outside the examples, each section underlined."""
    heads = "Parameters|Returns|Raises|Warns|Attributes|Examples|References|Notes|Yields"
    for entry in (one for topic in reference.entries().values() for one in topic if one.is_code):
        text = inspect.cleandoc(entry.value.__doc__ or "")
        assert not re.search(r"^=+ +=+|::$|^\.\. \w+::|:(class|func|meth|mod):", text, re.MULTILINE), entry.full
        assert ">>> " not in text.partition("Examples\n--------\n")[0], entry.full
        assert re.findall(rf"^(?:{heads})\n(?!-)", text, re.MULTILINE) == [], entry.full


def test_names_in_code_and_numbers_of_papers_are_links() -> None:
    html = "<p>See <code>tk.calibrate(data)</code>, <code>calibrate</code>, doi:10.1/x. <a><code>tk.read</code></a></p>"
    found = reference.link_names(texts.link_sources(html), "../")
    link = '<a href="../reference/tiekit.calibrate.html"><code>tk.calibrate(data)</code></a>'
    paper = '<a href="https://doi.org/10.1/x">doi:10.1/x</a>'
    assert found == f"<p>See {link}, <code>calibrate</code>, {paper}. <a><code>tk.read</code></a></p>"
    assert "tiekit.calibrate.html" in reference.link_names("<code>calibrate</code>", "", "tiekit.votes")


def test_what_pages_ask_for_is_known_and_everything_that_is_made_is_asked_for() -> None:
    asked = {(kind, name) for page in PAGES for kind, name in ASKED.findall(page.read_text(encoding="utf-8"))}
    asked |= set(ASKED.findall(coefficients.sections())) | set(ASKED.findall(live.gallery()))
    assert {name for kind, name in asked if kind == "live"} == set(live.FIGURES)
    assert {name for kind, name in asked if kind == "picture"} == set(pictures.PICTURES)
    for kind, name in asked:
        if kind == "section":
            assert texts.section(*name.split(", ", 1))


@pytest.mark.campaign
def test_a_picture_differs_between_themes_and_a_figure_stands_in_a_frame() -> None:
    found = pictures.svg("coefficient_acc_eq")
    assert set(found) == {"light", "dark"}
    assert found["light"] != found["dark"]
    assert all(ElementTree.fromstring(text).tag.endswith("svg") for text in found.values())
    assert 'src="../live/podium.html"' in live.frame("podium", "../")
    assert "default-src &#x27;none&#x27;" in live.page("podium")


@pytest.mark.campaign
@pytest.mark.parametrize("name", live.FIGURES)
def test_the_code_of_a_card_makes_the_figure_that_it_shows(name: str) -> None:
    kind = live.FIGURES[name].kind
    assert kind in live.FIGURES[name].code or ".explore(" in live.FIGURES[name].code
    assert "tiekitHeight" in live.page(name)


@pytest.mark.campaign
def test_every_figure_has_a_card_and_every_notebook_a_page() -> None:
    assert {figure.kind for figure in live.FIGURES.values()} == set(tk.widgets.__all__)
    for name in course.notebooks():
        page, figures = course.page(name), course.figures(name)
        assert page.startswith("# ")
        assert re.findall(r'src="../live/(\w+).html"', page) == list(figures)
        assert all("tiekitHeight" in figure for figure in figures.values())
