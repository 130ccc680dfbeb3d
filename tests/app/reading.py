"""What a page shows without a browser: its words, tables, pictures and figures."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
from streamlit.testing.v1 import AppTest

BOXES = ("error", "warning", "info", "success")


def text(app: AppTest) -> str:
    """All that stands on the page as Markdown, without its escapes."""
    return "\n".join(element.value for element in app.markdown).replace("\\", "")


def boxes(app: AppTest, *kinds: str) -> str:
    """What its boxes say, all of them unless kinds are named."""
    found = [element.value for kind in kinds or BOXES for element in getattr(app, kind)]
    return "\n".join(found).replace("\\", "").replace("\u200c", "")


def damage(app: AppTest) -> list[str]:
    """What the page says of a damaged link."""
    return [found for box in app.warning if "damaged" in (found := box.value.replace("\\", "").replace("\u200c", ""))]


def alts(app: AppTest) -> list[str]:
    """What the charts say in words."""
    return [element.proto.alt for element in app.get("vega_lite_chart")]


def figures(app: AppTest) -> dict[str, Any]:
    """What each figure that moves is given, by its name."""
    given = {
        one.proto.component_name: json.loads(one.proto.json) for one in app.get("bidi_component") if one.proto.json
    }
    return {name: found for name, found in given.items() if "serial" in found}


def figure(app: AppTest, name: str) -> Any:
    """What a figure is given."""
    found = next(one for one in app.get("bidi_component") if one.proto.component_name == name)
    return json.loads(found.proto.json)


def frames(app: AppTest) -> list[pd.DataFrame]:
    """Its grids and tables."""
    return [element.value for element in (*app.dataframe, *app.table)]


def frame(app: AppTest, column: str) -> pd.DataFrame:
    """The first grid or table with a column of this name."""
    return next(found for found in frames(app) if column in found.columns)


def everything(app: AppTest) -> str:
    """All that it shows: words, cells, what charts say and what figures are given."""
    cells = [found.to_string() for found in frames(app)]
    given = [one.proto.json for one in app.get("bidi_component")]
    return "\n".join([text(app), boxes(app), *cells, *alts(app), *given])


def numbers(found: Any) -> list[float]:
    """The numbers in a result, in its order."""
    match found:
        case bool() | str() | None:
            return []
        case int() | float() | np.number():
            return [float(found)]
        case pd.DataFrame():
            return [number for _, column in found.select_dtypes("number").items() for number in numbers(column)]
        case pd.Series():
            return numbers(found.dropna().tolist())
        case np.ndarray():
            return numbers(found.ravel().tolist())
        case dict():
            return numbers(list(found.values()))
        case list() | tuple():
            return [number for one in found for number in numbers(one)]
    return numbers(found.to_dict()) if hasattr(found, "to_dict") else []
