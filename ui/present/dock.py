"""What does a lecturer hold while presenting? A bar at the bottom: the sentence, the way back and on, the way out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

from tiekit.widgets.bundle import bundle
from ui.base.streamlit_internals import part
from ui.present import presenting
from ui.present.presenting import Place

KEY = "dock_bar"

_folder = Path(__file__).parent
_dock = st.components.v2.component(
    "tiekit_dock",
    html='<div class="dock"></div>',
    css=(_folder / "dock.css").read_text(encoding="utf-8"),
    js=bundle("dock.js", {name: (_folder / name).read_text(encoding="utf-8") for name in ("dock.js", "fit.js")}),
)

SHOWN = ":is(.st-key-lead, [class*=st-key-stage_], .st-key-class_question, .st-key-dock)"
"""What stays on the screen: the main idea, the picture, the question to a class, and the bar."""

_blocks = ", ".join(part(name) for name in ("stElementContainer", "stLayoutWrapper", "stColumn", "stVerticalBlock"))

STYLE = f"""<style>
{part("stMainBlockContainer")} :is({_blocks}):not(:has({SHOWN})):not({SHOWN}):not({SHOWN} *) {{ display: none; }}
{part("stMainBlockContainer")} {{ padding: 0.75rem 1.5rem 5rem; max-width: none; }}
.st-key-lead {{ gap: 0; }}
.st-key-lead h1 {{ position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); padding: 0; }}
.st-key-lead p {{ font-size: 1.05rem; text-wrap: balance; }}
[class*=st-key-stage_] {{ margin-inline: auto; }}
.st-key-dock {{
    position: fixed; inset: auto 0 0 0; z-index: 1000; width: auto; padding: 10px 20px; gap: 12px; flex-wrap: nowrap;
    background: var(--dock-ground); border-top: 1px solid var(--dock-line);
}}
.st-key-dock > :first-child {{ flex: 1 1 auto; min-width: 0; }}
</style>"""


def style(*, dark: bool, asks: bool) -> str:
    """Return the style of a page while it is presented; where a class is asked, its question hides the picture."""
    ground, line = ("#262421", "#6b675f") if dark else ("#f3f4f6", "#8a8f98")
    colors = f"<style>:root {{ --dock-ground: {ground}; --dock-line: {line}; }}</style>"
    hidden = "[class*=st-key-stage_]" if asks else ".st-key-class_question"
    return STYLE + colors + f"<style>{part('stMain')} {hidden} {{ display: none; }}</style>"


def bar(place: Place) -> None:
    """Show the bar."""
    data = {
        "say": place.scene.say,
        "number": place.number,
        "total": len(place.scenes),
        "page": part("stMainBlockContainer"),
        "stage": "[class*=st-key-stage_]",
    }
    _dock(key=KEY, data=data, on_said_change=lambda: _hear(place))


def _hear(place: Place) -> None:
    """Go to another scene, or leave."""
    said: Any = (st.session_state.get(KEY) or {}).get("said")
    if said == "leave":
        presenting.leave()
    elif isinstance(said, int) and 1 <= said <= len(place.scenes):
        presenting.go(Place(place.play, said))
