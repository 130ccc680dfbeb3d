"""How does a phone open an address? By a QR code, drawn as SVG."""

from __future__ import annotations

from functools import lru_cache

LONGEST = 1200
"""More characters than these make a code that a phone cannot read from a projector."""


@lru_cache(maxsize=64)
def svg(address: str) -> str:
    """Return a QR code as the text of an SVG, dark on white; empty if the address is too long for one."""
    import segno  # only here: the pages that show no code do without it

    if len(address) > LONGEST:
        return ""
    return str(segno.make_qr(address, error="l").svg_inline(border=3, dark="#000000", light="#ffffff", omitsize=True))
