"""What pages get from the registry, the glossary, docstrings and figures is complete and right."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from xml.etree import ElementTree

import pytest

import tiekit as tk
from docsite import coefficients, live, mathml, pictures, reference, texts
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


@pytest.mark.parametrize("module", reference.MODULES)
def test_the_reference_has_every_public_name_once(module: str) -> None:
    page = reference.page(module)
    spaces = set(NAMESPACES) if module == "tiekit" else set()
    elsewhere = set(tk.errors.__all__) if module == "tiekit" else set()
    entries = re.findall(r"^      heading: (\w+)$|^### (\w+)$", page, re.MULTILINE)
    listed = sorted(one or other for one, other in entries)
    public = {name for name in import_module(module).__all__ if not name.startswith("__")}
    assert listed == sorted(public - spaces - elsewhere)
    assert all(f"]({name}.md)" in page for name in spaces)


def test_what_pages_ask_for_is_known_and_everything_that_is_made_is_asked_for() -> None:
    asked = {(kind, name) for page in PAGES for kind, name in ASKED.findall(page.read_text(encoding="utf-8"))}
    asked |= set(ASKED.findall(coefficients.sections()))
    assert {name for kind, name in asked if kind == "live"} == set(live.FIGURES)
    assert {name for kind, name in asked if kind == "picture"} == set(pictures.PICTURES)
    for kind, name in asked:
        if kind == "section":
            assert texts.section(*name.split(", ", 1))


def test_a_picture_differs_between_themes_and_a_figure_stands_in_a_frame() -> None:
    found = pictures.svg("coefficient_acc_eq")
    assert set(found) == {"light", "dark"}
    assert found["light"] != found["dark"]
    assert all(ElementTree.fromstring(text).tag.endswith("svg") for text in found.values())
    assert 'src="../live/podium.html"' in live.frame("podium", "../")
    assert "default-src &#x27;none&#x27;" in live.FIGURES["podium"][2]()
