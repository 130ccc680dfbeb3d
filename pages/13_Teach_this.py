"""Teach this: lectures, a class that answers together, a sheet for students."""

import streamlit as st

from ui.classroom import invite
from ui.page import shell
from ui.teach_this import handouts

DOOR = ":material/school:", "Lectures of 20, 45 and 90 minutes, and a class that answers together."

shell.open_page(
    "Teach this",
    "**Choose a lecture**, press PageDown to walk through its slides, which are live pages; your students answer on "
    "their phones.",
)
st.header("Lectures")
handouts.show_plans()

st.header("A class that answers together")
invite.explain()
invite.start_or_show()

st.header("A sheet for students")
handouts.offer_sheet()

st.header("On your own course page")
handouts.embed()

st.header("How to cite")
handouts.cite()

st.header("Try this")
st.markdown(
    "- Press *Present* on any page, then PageDown and PageUp; Esc leaves, and the page stays as the slide left it.\n"
    "- Start a class, join it with your own phone, and ask the first question of the Toy lab.\n"
    "- Present a page, press *QR code*, and continue the same example on a phone."
)
