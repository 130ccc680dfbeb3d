"""Which examples, data and settings come with the app? Each file is read once."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

import tiekit as tk
from tiekit.readers import data_file

DATA = data_file("presets.toml").parent
"""Beside the app in a clone, in the library where that was installed."""

FIRST = "Figure 2 of Deutsch et al."

SEED = 0
"""The seed of all resamples on the pages, so that everybody sees the same numbers."""

RESAMPLES = 999
"""The number of resamples of a test or an interval on a page."""

SIGNIFICANT = 0.05
"""The largest p-value at which a difference is called significant."""

MOST_COMPARED = 100
"""The number of metrics of which every two are compared: pictures and tables have a cell or a row for each pair."""


@cache
def presets(file: str = "presets.toml") -> dict[str, dict[str, Any]]:
    """Return the examples of a file by name. They are read once; do not change them."""
    return {preset["name"]: preset for preset in table(file, "preset")}


@cache
def table(file: str, name: str) -> list[dict[str, Any]]:
    """Return all tables of one name in a file."""
    found: list[dict[str, Any]] = tomllib.loads((DATA / file).read_text(encoding="utf-8"))[name]
    return found


def component(name: str, file: str, html: str | None = None, css: str | None = None) -> Any:
    """Return a component of the pages; its script is a file of ``ui``, and so may be its style sheet."""
    folder = Path(__file__).parents[1]
    style = (folder / css).read_text(encoding="utf-8") if css and css.endswith(".css") else css
    return st.components.v2.component(name, html=html, css=style, js=(folder / file).read_text(encoding="utf-8"))


@st.cache_resource(max_entries=4, show_spinner="Reading the sample …")
def sample(language_pair: str) -> tk.EvalSet:
    """Return the bundled evaluation set."""
    return tk.readers.read_mtme(DATA, "synthetic", language_pair)
