"""How does tiekit get into a course page, and into a bibliography?"""

from __future__ import annotations

import html
from urllib.parse import urlsplit

import streamlit as st

import tiekit as tk
from ui.work import downloads, public_url

SIZE = 'width="100%" height="760" style="border: 0" loading="lazy"'


def embed() -> None:
    """Say how a page, or one figure alone, is shown inside another page."""
    seen = urlsplit(str(st.context.url or ""))
    origin = public_url.origin(seen.geturl()) or f"{seen.scheme or 'http'}://{seen.netloc or 'localhost:8501'}"
    address = html.escape(f"{origin}/Toy_lab?embed=true&eps=1")
    st.markdown(
        "**A page with its controls**, as long as this server runs. Copy the page's link, add `embed=true`, and put it "
        "into an `<iframe>`:"
    )
    st.code(f'<iframe src="{address}" title="tiekit: Toy lab" {SIZE}></iframe>', language=None, wrap_lines=True)
    st.markdown(
        "**One figure without a server**: *Embed (HTML)* below a figure saves one file that moves as on the page and "
        "loads nothing from elsewhere. Put the file beside your course page, and show it by "
        '`<iframe src="figure.html"></iframe>`.'
    )


def cite() -> None:
    """Show BibTeX of tiekit and of the paper, and offer that of all sources."""
    st.markdown("This software, and the paper whose method it teaches:")
    st.code(tk.cite("acc_eq*"), language=None, wrap_lines=True)
    st.markdown("In Python, `tk.cite(result)` returns the papers behind a result.")
    words = "BibTeX of tiekit and of every paper, test and data set that it uses."
    downloads.offer("All sources (BibTeX)", tk.cite, "tiekit.bib", "text/plain", help=words)
