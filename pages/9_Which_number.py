"""Which number should I report? Five questions about one's data, and a paragraph for a paper."""

from functools import partial

import streamlit as st

from ui.evalset import sources
from ui.evalset.compared_set import open_compared
from ui.page import pages, shell
from ui.present import presenting
from ui.sentinels import few_ties
from ui.which_number import guide

DOOR = ":material/checklist:", "Five questions about your data, and the number that fits them."

TITLE = "Which number?"

is_usual = sources.is_usual()
shell.open_page(TITLE, "" if is_usual else "Which number should I report?", is_asked=is_usual)
room = shell.room("moves") if is_usual and not presenting.is_on() else None
first = st.container()
with shell.researchers():
    st.markdown("The answers that an open set gives are chosen first.")
    case, notes = open_compared(), st.container()
show = None if case is None else partial(few_ties.show_moves, case)
with first:
    guide.choose_number(pages.find(TITLE), case, notes, room, show)
shell.close_page(TITLE)
