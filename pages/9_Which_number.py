"""Which number should I report? Five questions about one's data, and a paragraph for a paper."""

import streamlit as st

from ui.evalset.compared_set import open_compared
from ui.page import pages, shell
from ui.which_number import guide

DOOR = ":material/checklist:", "Five questions about your data, and the number that fits them."

TITLE = "Which number?"

shell.open_page(TITLE)
first = st.container()
with shell.researchers():
    st.markdown("The answers that an open set gives are chosen first.")
    case, notes = open_compared(), st.container()
with first:
    guide.choose_number(pages.find(TITLE), case, notes)
shell.close_page(TITLE)
