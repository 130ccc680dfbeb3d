"""How is what comes along with tiekit displayed? Calls whole, for whoever copies them; paths, which are long, apart."""

from __future__ import annotations

from typing import Any

import pandas as pd

from tiekit.base.results import html_table

PATHS = 'their files and folders: tk.examples().path["metric"]'
"""Where the column is that is not displayed."""


class Listing(pd.DataFrame):
    """A table of texts, with all rows and no text cut; what is made of it is a plain DataFrame."""

    def __repr__(self) -> str:
        shown = self.drop(columns="path")
        forms: Any = {name: f"{{:{shown[name].str.len().max()}}}".format for name in shown}
        return f"{shown.to_string(formatters=forms, index_names=False, justify='left')}\n[{PATHS}]"

    def _repr_html_(self) -> str:
        return html_table("What comes along with tiekit", self.drop(columns="path"), [PATHS])
