"""Join: predict together with a class, on one's own phone."""

import streamlit as st

from ui.classroom import ballot

st.set_page_config(page_title="Join a class · tiekit", layout="centered")
ballot.page()
