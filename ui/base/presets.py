"""What is computed once: wrappers round tiekit, keyed by digests of files and by parameters, never by arrays."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

import tiekit as tk

DATA = Path(__file__).parents[2] / "data"


@cache
def presets(file: str = "presets.toml") -> dict[str, dict[str, Any]]:
    """Examples by name; the toy lab's, unless another file is named. Pages ask often, and nobody changes them."""
    return {preset["name"]: preset for preset in table(file, "preset")}


@cache
def table(file: str, name: str) -> list[dict[str, Any]]:
    """The tables of one name in a file."""
    found: list[dict[str, Any]] = tomllib.loads((DATA / file).read_text(encoding="utf-8"))[name]
    return found


@st.cache_resource(max_entries=4, show_spinner="Reading the sample …")
def sample(language_pair: str) -> tk.EvalSet:
    """The bundled evaluation set."""
    return tk.read_mtme(DATA, "synthetic", language_pair)


FIRST = "Figure 2 of Deutsch et al."
