"""How are probes told from metrics where both are ranked?"""

from __future__ import annotations

from collections.abc import Collection, Iterable

import streamlit as st

import tiekit as tk
from ui.work.text import plain


def mark(probes: Iterable[str]) -> dict[str, str]:
    """Return the names of probes as a table shows them."""
    return {name: f"◆ {name}" for name in probes}


def how_many(number: int, probes: int = 0) -> str:
    """Return how many metrics there are in words, probes counted separately."""
    metrics = number - probes
    words = f"{metrics} metric{'s' * (metrics != 1)}"
    return f"{words} and {probes} probe{'s' * (probes != 1)}" if probes else words


def say(probes: Collection[str]) -> None:
    """Say how probes are marked, and which of them knows too much."""
    with st.container():
        if probes:
            st.markdown(
                "◆ marks a **probe**: a score that cannot judge translations (it knows only the source, only the "
                "output, or nothing). A metric that ranks below a probe has not shown that it judges translations. "
                "See the page *Sentinels*."
            )
        for name in (name for name in probes if tk.sentinels.PROBES[name].leaks):
            st.warning(
                f"**{plain(name)}** is computed from the human scores themselves. No metric knows them, so a metric "
                "need not rank above it."
            )
