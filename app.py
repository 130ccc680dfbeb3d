"""The start page: what this is, where to begin, what a tie does."""

import streamlit as st

from ui import start
from ui.page import shell

shell.open_page(
    "tiekit",
    "How much do tied scores decide which machine-translation metric wins? Edit a few scores and see, then read a "
    "leaderboard of real WMT files that is exact to the last pair.",
)

example, doors = st.columns(2, gap="large")
with example:
    start.what_a_tie_does()
with doors:
    start.where_to_begin()
