"""How is a guess drawn on a page? A figure of `tiekit.widgets`, the same for one visitor, a class and its lecturer."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import streamlit as st

from tiekit.figures import FIGURES
from ui.classroom.scale import Scale


def show(scale: Scale, label: str, key: str, hear: Callable[[str], None] | None = None, **shown: Any) -> None:
    """Show the figure, labeled by the question as plain text; no two components of a page share a ``key``.

    ``hear`` takes a guess that was drawn, as `Scale.text` keeps it, before the next run; ``shown`` are ``guess``,
    ``truth``, ``guesses`` and ``said`` of the figure's data, see ``tiekit/figures/guess``.
    """

    def take() -> None:
        if hear is not None and (text := last(scale, key)) is not None:
            hear(text)

    data = FIGURES["guess"].data((scale.low, scale.high), scale.digits, scale.unit, label, **shown)
    _component()(key=key, data={**data, "serial": _last_message(key).get("serial", 0)}, on_said_change=take)


def last(scale: Scale, key: str) -> str | None:
    """Return the guess that was drawn last, as the browser has told it; None for none, or for a bad value."""
    return scale.text(_last_message(key).get("guess"))


@cache
def _component() -> Any:
    """The figure's component."""
    figure = FIGURES["guess"]
    return st.components.v2.component(
        figure.name, html='<div class="figure"></div>', css=figure.style(), js=figure.for_streamlit()
    )


def _last_message(key: str) -> dict[str, Any]:
    """The browser's last message; empty in a new session."""
    said = (st.session_state.get(key) or {}).get("said")
    return said if isinstance(said, dict) else {}
