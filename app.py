"""The start page: how one threshold decides which metric wins, and the links to the lessons."""

import streamlit as st

from ui import start
from ui.page import shell

shell.open_page(
    "tiekit", "Two metrics score six translations. **Which metric is better depends on what counts as a tie.**"
)

start.podium()
start.doors()
st.divider()
start.source()
