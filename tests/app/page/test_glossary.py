"""Every term that a page explains is there, in two short sentences, with its source."""

from __future__ import annotations

import ast
import re
import tomllib

import pytest

from tests.app.conftest import ROOT
from ui.work.presets import DATA

TERMS = tomllib.loads((DATA / "glossary.toml").read_text(encoding="utf-8"))


def used():
    """The terms that the app asks for."""
    return {
        argument.value
        for file in [ROOT / "app.py", *ROOT.glob("pages/*.py"), *ROOT.glob("ui/**/*.py")]
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "terms"
        for argument in call.args
        if isinstance(argument, ast.Constant)
    }


@pytest.mark.parametrize("name", TERMS)
def test_a_term_has_two_short_sentences_and_a_source(name):
    entry = TERMS[name]
    assert set(entry) <= {"meaning", "source", "also"}
    assert 1 <= len(re.findall(r"[.?](?= [A-Z]|$)", entry["meaning"])) <= 2
    assert len(entry["meaning"]) <= 260
    assert entry["source"]


def test_no_two_terms_share_a_name():
    names = [name.casefold() for term, entry in TERMS.items() for name in (term, *entry.get("also", ()))]
    assert len(set(names)) == len(names)


def test_every_term_that_a_page_names_is_there():
    assert used()
    assert {name for term, entry in TERMS.items() for name in (term, *entry.get("also", ()))} >= used()


@pytest.mark.parametrize("page", ["1_Toy_lab", "3_Calibration"])
def test_a_page_explains_a_term_once(page):
    text = (ROOT / "pages" / f"{page}.py").read_text(encoding="utf-8")
    named = [name for row in re.findall(r"glossary\.terms\(([^)]*)\)", text) for name in re.findall(r'"(.+?)"', row)]
    assert named
    assert len(named) == len(set(named))
