"""Under which address do other devices reach this server? As text, and as a QR code for phones."""

from __future__ import annotations

import secrets
import socket
from functools import lru_cache
from hmac import compare_digest
from urllib.parse import urlsplit

import streamlit as st

EVERYWHERE = ("", "0.0.0.0", "::")
"""What a server is told to listen on if other devices may reach it."""

HERE = ("localhost", "127.0.0.1", "::1", "[::1]", "0.0.0.0")
"""Names by which a computer calls itself."""

HOW = (
    "This app answers on this computer only. So that phones in the same network reach it, stop it and start it with "
    "`make app HOST=0.0.0.0` (or `tiekit app --host 0.0.0.0`, or `python -m ui --server.address 0.0.0.0`)."
)
"""How to share a server that nobody else reaches."""

TOKEN = "token"
"""What the secret is called in an address."""

_token: str | None = None

LONGEST = 1200
"""Maximum number of characters of a code that a phone can read from a projector."""


def origin(seen: str) -> str | None:
    """Return scheme, host and port for other devices, where a browser has seen the app; None if none reach it."""
    parts = urlsplit(seen)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return None
    if parts.hostname not in HERE:
        return f"{parts.scheme}://{parts.netloc}"
    if (st.get_option("server.address") or "") not in EVERYWHERE:
        return None
    host = _own_address()
    return None if host is None else f"{parts.scheme}://{host}" + (f":{parts.port}" if parts.port else "")


def of_server() -> str:
    """Return the address under which this computer opens the server."""
    is_secret, host = bool(st.get_option("server.sslCertFile")), st.get_option("server.address") or ""
    host = "localhost" if host in EVERYWHERE else f"[{host}]" if ":" in host else host
    base = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"http{'s' * is_secret}://{host}:{st.get_option('server.port')}" + (f"/{base}" if base else "")


def make_token() -> None:
    """Make the secret by which the browser of whoever started the server is known, and nobody else on this computer."""
    global _token
    _token = secrets.token_urlsafe(24)


def with_token(address: str) -> str:
    """Return an address of this server under which a browser gets the secret; of a server for others the address."""
    return (
        address if _token is None or st.get_option("server.address") in EVERYWHERE else f"{address}/?{TOKEN}={_token}"
    )


def is_token(text: str) -> bool:
    """Return whether a text is the secret."""
    return _token is not None and compare_digest(text.encode(), _token.encode())


def token_cookie() -> str:
    """Return the name of the cookie that holds the secret: browsers send cookies to all ports of a computer."""
    return f"tiekit_{TOKEN}_{st.get_option('server.port')}"


def is_owner() -> bool:
    """Return whether the visitor's browser has the secret; where the server has none (`streamlit run`), all have."""
    return _token is None or is_token(str(st.context.cookies.get(token_cookie(), "")))


def _own_address() -> str | None:
    """This computer's address in its network; None without a network. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address of no computer: a datagram socket only chooses its own
            found = str(probe.getsockname()[0])
        except OSError:
            return None
    return None if found.startswith("127.") or found == "0.0.0.0" else found


@lru_cache(maxsize=64)
def qr_code(address: str) -> str:
    """Return a QR code as the text of an SVG, dark on white; empty if the address is too long for one."""
    import segno  # only here: the pages that show no code do without it

    if len(address) > LONGEST:
        return ""
    return str(segno.make_qr(address, error="l").svg_inline(border=3, dark="#000000", light="#ffffff", omitsize=True))
