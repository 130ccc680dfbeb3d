"""Terms of pages are there, in two short sentences with a source; their numbers are those of the data."""

from __future__ import annotations

import ast
import itertools
import re
import tomllib

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tests.app.conftest import ROOT
from ui.page.glossary import definitions
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


def test_a_term_has_a_meaning_that_a_card_holds_and_a_source():
    for name, entry in TERMS.items():
        assert set(entry) <= {"meaning", "source", "also"}, name
        assert len(entry["meaning"]) <= 260, name
        assert entry["source"], name


def test_no_two_terms_share_a_name_and_those_of_pages_are_there():
    names = [name for term, entry in TERMS.items() for name in (term, *entry.get("also", ()))]
    assert len({name.casefold() for name in names}) == len(names)
    assert set(names) >= used() > set(), "every term that a page names"


TABLE_3 = pd.read_csv(DATA / "papers" / "deutsch2023_table3.csv", index_col="language_pair")


def test_human_ties_of_wmt22_are_those_of_table_3():
    numbers = [
        int(number) for number in re.findall(r"\b\d\d\b", definitions()["human tie"]["meaning"].split("WMT22")[1])
    ]
    spread = [(TABLE_3[grouping].min(), TABLE_3[grouping].max()) for grouping in ("global", "item")]
    assert numbers == [*spread[0], *spread[1]]


@pytest.mark.parametrize("grouping", ["global", "item"])
def test_table_3_is_that_of_the_bundled_scores(grouping):
    scores = tk.load_wmt22().select(exclude=("refA",)).human["mqm"]
    scores = scores[~np.isnan(scores).all(axis=1)]
    if grouping == "item":
        pairs = [scores[i] == scores[j] for i, j in itertools.combinations(range(len(scores)), 2)]
        share = np.mean(pairs)
    else:
        numbers = np.unique(scores[~np.isnan(scores)], return_counts=True)[1]
        share = (numbers * (numbers - 1)).sum() / (numbers.sum() * (numbers.sum() - 1))
    assert round(100 * share) == TABLE_3.loc["zh-en", grouping]


@pytest.mark.parametrize(
    ("term", "words"),
    [
        ("undefined group", "in WMT21 there was no grouping"),
        ("τ_10", "From 2017 WMT counted only pairs whose human scores differ by at least 25 of 100 points"),
        ("acc_eq", "WMT has used it since 2023, calibrated"),
    ],
)
def test_what_wmt_did_is_said_with_its_year(term, words):
    assert words in definitions()[term]["meaning"]
