"""The start page: what is a tie, and how does one threshold decide which metric wins?"""

import streamlit as st

from ui import start
from ui.page import shell

TITLE = "What is a tie?"

shell.open_page(TITLE)
with st.container(key="room_podium"):
    start.podium()
start.explain()
shell.close_page(TITLE)
start.list_pages()
