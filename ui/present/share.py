"""How does an audience open what is on the screen? A QR code of the page's address, for phones."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import streamlit as st

from ui.present.presenting import PARAM
from ui.work import public_url
from ui.work.text import bare

KEY = "share"
OF_THE_ROOM = (PARAM, "lecture", "seen")
"""What a phone's link does not hold: the scene, the larger type, the answers."""

_folder = Path(__file__).parent
_share = st.components.v2.component(
    "tiekit_share",
    html="""<button type="button" class="open">QR code</button>
<section popover tabindex="-1" role="dialog" aria-label="QR code of this page"></section>""",
    css=(_folder / "share.css").read_text(encoding="utf-8"),
    js=(_folder / "share.js").read_text(encoding="utf-8"),
)


def for_phones(seen: str) -> str | None:
    """Return the address under which a phone opens what a browser shows at an address; None if it cannot reach it."""
    parts, origin = urlsplit(seen), public_url.origin(seen)
    if origin is None:
        return None
    held = urlencode([pair for pair in parse_qsl(parts.query, keep_blank_values=True) if pair[0] not in OF_THE_ROOM])
    return f"{origin}{parts.path}" + (f"?{held}" if held else "")


@st.fragment
def button() -> None:
    """Show the button that opens the QR code; without a rerun of the page."""
    _share(key=KEY, data=st.session_state.get("shared", {}), width="content", on_address_change=_hear)


def _hear() -> None:
    """Draw the code of the address that the browser shows."""
    seen: Any = (st.session_state.get(KEY) or {}).get("address")
    address = for_phones(seen) if isinstance(seen, str) else None
    drawn = public_url.qr_code(address) if address else ""
    too_long = "This address is too long for a QR code. Use *Copy link* instead." if address else public_url.HOW
    said = "" if drawn else bare(too_long).replace("`", "").replace("*", "")
    st.session_state["shared"] = {"of": seen, "address": address or "", "svg": drawn, "said": said}
