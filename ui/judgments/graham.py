"""Which caps were printed for WMT13, and which one do the published judgments give?"""

from __future__ import annotations

from functools import cache

import pandas as pd
import streamlit as st

from ui.page import tables
from ui.work.presets import DATA
from ui.work.text import format_number

FRENCH_ENGLISH = 0.7899
"""The cap of WMT13's French–English judgments, which are not bundled; a test on the published file holds it."""

N_SETS, N_JUDGMENTS = 9_996, 80_741


@cache
def read_caps() -> pd.DataFrame:
    """Return the caps as printed, one row per language pair."""
    return pd.read_csv(DATA / "papers" / "graham2015_caps.csv", dtype=str)


def printed_caps() -> None:
    """Show the formula, the ten printed caps, and the one that we could not reproduce."""
    found = read_caps()
    values = found["cap"].astype(float)
    left, right = st.columns([2, 3], gap="large")
    with left:
        shown = found.assign(cap="±0" + found["cap"]).rename(columns={"language_pair": "WMT13", "cap": "printed cap"})
        words = "; ".join(f"{row['WMT13']} {row['printed cap']}" for _, row in shown.iterrows())
        tables.show(shown, "printed caps", f"Caps of τ printed by Graham and others: {words}", values=found)
    with right:
        st.markdown(
            "A metric agrees with one side of each pair of translations, at best with the majority. Over all pairs the "
            "largest τ is therefore"
        )
        st.latex(r"\text{cap} = \frac{\sum_\text{pairs} |\text{majority} - \text{minority}|}{\sum_\text{pairs} n}")
        st.markdown(
            "Graham, Baldwin and Mathur (2015) print the caps of ten language pairs of WMT13: "
            f"±{format_number(values.min(), '.2f')} to ±{format_number(values.max(), '.2f')}."
        )
        of_pair = found.set_index("language_pair")["cap"]["French-English"]
        st.markdown(
            f"We could not reproduce French–English, ±0{of_pair}: on the {N_JUDGMENTS:,} published judgments without "
            f"ties ({N_SETS:,} ranked sets) the formula gives **±{format_number(FRENCH_ENGLISH)}**. The share of "
            f"judgments on the majority's side, (1 + {format_number(FRENCH_ENGLISH)}) / 2 = "
            f"{format_number((1 + FRENCH_ENGLISH) / 2)}, is close to the "
            "printed number."
        )
        st.markdown("To repeat it, upload WMT13's file of French–English rankings below.")
