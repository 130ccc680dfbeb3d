"""What are the groupings called, here, in a sentence and in the papers?"""

from __future__ import annotations

from functools import cache

import pandas as pd
import pyarrow as pa
import streamlit as st

import tiekit as tk
from tiekit.core import PAPER_NAMES
from ui.page import tables


def paper_names() -> None:
    """What papers call the groupings."""
    tables.show(_names(), "names of groupings", "What papers call the groupings")
    st.markdown("Careful with **item**: Gao's item level is what the others call by system.")


@cache
def _names() -> pa.Table:
    return pa.Table.from_pandas(pd.DataFrame({"here": [name_in_words(name) for name in tk.GROUPINGS], **PAPER_NAMES}))


def name_in_words(grouping: str) -> str:
    """A grouping's name in a sentence."""
    return "without grouping" if grouping == "global" else grouping.replace("_", " ")


def grouping_phrase(grouping: str) -> str:
    """A grouping as an adverb."""
    return name_in_words(grouping) if grouping == "global" else f"by {name_in_words(grouping)}"
