"""What does a lecturer hold while presenting? A bar at the bottom, and a QR code of the page's address for phones."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import streamlit as st

from tiekit.figures import bundle
from ui.classroom import invite, session
from ui.present import presenting
from ui.present.presenting import PARAM, Place
from ui.work import presets, public_url
from ui.work.render_queue import fragment
from ui.work.streamlit_internals import part
from ui.work.text import bare

SHARE_KEY, ASKED = "share", "share asked"
LONGEST_SEEN = 10_000
"""Maximum number of characters of an address of which a code may be left, once what phones do not need is taken out."""

OF_THE_ROOM = (PARAM, "lecture", "seen")
"""What a phone's link does not hold: the scene, the larger type, the answers."""

SHARE = """<button type="button" class="open">QR code</button>
<section popover tabindex="-1" role="dialog" aria-label="QR code of this page"></section>"""
_share = presets.component("tiekit_share", "present/share.js", SHARE, "present/share.css")


def for_phones(seen: str) -> str | None:
    """Return the address under which a phone opens what a browser shows at an address; None if it cannot reach it."""
    parts, origin = urlsplit(seen), public_url.origin(seen)
    if origin is None:
        return None
    held = urlencode([pair for pair in parse_qsl(parts.query, keep_blank_values=True) if pair[0] not in OF_THE_ROOM])
    return f"{origin}{parts.path}" + (f"?{held}" if held else "")


def share_button() -> None:
    """Show the button that opens the QR code; without a rerun of the page."""
    fragment(_draw_button)()


def _draw_button() -> None:
    """Draw the button, with the code of the address that the browser showed last."""
    asked, shared = st.session_state.get(ASKED, ""), st.session_state.get("shared", {})
    if asked != shared.get("of", ""):
        shared = st.session_state["shared"] = _share_address(asked)
    _share(key=SHARE_KEY, data=shared, width="content", on_address_change=_hear_address)


def _hear_address() -> None:
    """Keep the address that the browser shows; its code is drawn in the page's turn."""
    seen: Any = (st.session_state.get(SHARE_KEY) or {}).get("address")
    st.session_state[ASKED] = seen[:LONGEST_SEEN] if isinstance(seen, str) else None


def _share_address(seen: str | None) -> dict[str, Any]:
    """Return the code of an address, and what is said where there is none."""
    address = None
    if seen is not None:
        address = for_phones(seen) if len(seen) < LONGEST_SEEN else seen  # of this no code is drawn
    drawn = public_url.qr_code(address) if address else ""
    too_long = "This address is too long for a QR code. Use *Copy link* instead." if address else public_url.HOW
    said = "" if drawn else bare(too_long).replace("`", "").replace("*", "")
    return {"of": seen, "address": address or "", "svg": drawn, "said": said}


KEY, ASKS = "dock_bar", "class asks"

_folder = Path(__file__).parent
_dock = st.components.v2.component(
    "tiekit_dock",
    html='<div class="dock"></div>',
    css=(_folder / "dock.css").read_text(encoding="utf-8"),
    js=bundle("dock.js", {name: (_folder / name).read_text(encoding="utf-8") for name in ("dock.js", "fit.js")}),
)

SHOWN = ":is(.st-key-lead, [class*=st-key-stage_], .st-key-class_question, .st-key-class_join, .st-key-dock)"
"""What stays on the screen: the main idea, the picture, the question to a class, how to join it, and the bar."""

STYLE = f"""<style>
:root {{
{part("stMainBlockContainer")} div:not(:has({SHOWN})):not({SHOWN}):not({SHOWN} *) {{ display: none; }}
{part("stMainBlockContainer")} {{ padding: 0.75rem 1.5rem 5rem; max-width: none; }}
.st-key-lead {{ gap: 0; }}
.st-key-lead h1 {{ position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); padding: 0; }}
.st-key-lead p {{ font-size: 1.05rem; text-wrap: balance; }}
[class*=st-key-stage_] {{ margin-inline: auto; --below-picture: none; }}
.st-key-class_join {{ position: fixed; inset: 12px 24px auto auto; width: 22vw; gap: 8px; }}
.st-key-class_join * {{ font-size: 18px !important; }}
.st-key-class_join strong {{ font-size: 34px !important; white-space: nowrap; }}
{part("stMainBlockContainer")}:has(.st-key-class_join) {{ padding-right: calc(22vw + 56px); }}
.st-key-dock {{
    position: fixed; inset: auto 0 0 0; z-index: 1000; width: auto; padding: 10px 20px; gap: 12px; flex-wrap: nowrap;
    background: var(--dock-ground); border-top: 1px solid var(--dock-line);
}}
@media (max-width: 700px) {{
    .st-key-class_join {{ position: static; width: auto; }}
    {part("stMainBlockContainer")}:has(.st-key-class_join) {{ padding-right: 1.5rem; }}
}}
.st-key-dock > :first-child {{ flex: 1 1 auto; min-width: 0; }}
}}
</style>"""


def style(*, dark: bool, asking: bool) -> str:
    """Return the style of a page while it is presented; where a class is asked, its question hides the picture."""
    ground, line = ("#262421", "#6b675f") if dark else ("#f3f4f6", "#8a8f98")
    colors = f"<style>:root {{ --dock-ground: {ground}; --dock-line: {line}; }}</style>"
    hidden = "[class*=st-key-stage_]" if asking else ".st-key-class_question"
    return STYLE + colors + f"<style>:root {part('stMain')} {hidden} {{ display: none; }}</style>"


def show(place: Place, *, dark: bool) -> None:
    """Show the bar and, while a class is asked, how to join it."""
    with st.container(key="dock", horizontal=True, vertical_alignment="center"):
        bar(place, asks() if session.current_lesson() else None)
        share_button()
    if refused := st.session_state.pop(session.REFUSED, None):
        st.warning(refused)
    if asks() and (lesson := session.current_lesson()) is not None:
        with st.container(key="class_join"):
            invite.show(lesson, "stretch")
    st.html(style(dark=dark, asking=asks()))


def bar(place: Place, asks: bool | None) -> None:
    """Show the bar; ``asks`` says whether the question to the class is shown, None without a class."""
    data = {
        "say": place.scene.say,
        "number": place.number,
        "total": len(place.scenes),
        "page": part("stMainBlockContainer"),
        "stage": "[class*=st-key-stage_], .st-key-class_question",
        "asks": asks,
    }
    _dock(key=KEY, data=data, on_said_change=lambda: _hear(place))


def asks() -> bool:
    """Return whether the question to the class is shown instead of the picture."""
    return session.current_lesson() is not None and bool(st.session_state.get(ASKS))


def _hear(place: Place) -> None:
    """Go to another scene, start or ask a class, or leave."""
    said: Any = (st.session_state.get(KEY) or {}).get("said")
    if said == "leave":
        presenting.leave()
    elif said == "class":
        st.session_state[ASKS] = not asks()
        session.start()
    elif isinstance(said, int) and 1 <= said <= len(place.scenes):
        presenting.go(Place(place.play, said))
