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


def every(app: AppTest, name: str) -> list[Any]:
    """What all components of a name are given."""
    return [json.loads(one.proto.json) for one in app.get("bidi_component") if one.proto.component_name == name]


def figure(app: AppTest, name: str) -> Any:
    """What a figure is given."""
    return every(app, name)[0]


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


def accuracies(human: Any, metric: Any, epsilon: float) -> Any:
    """acc_eq of each segment by its definition: the share of its pairs that are right."""
    i, j = np.triu_indices(len(human), 1)
    h, m = np.sign(human[i] - human[j]), metric[i] - metric[j]
    right = np.where(np.abs(m) <= epsilon, h == 0, h == np.sign(m))
    return right.mean(axis=0)


def share_of_swaps(gaps: Any) -> float:
    """In what share of random swaps of whole segments the mean of these differences is at least as large."""
    signs = np.random.default_rng(3).choice([-1, 1], (4000, len(gaps)))
    return float(np.mean(np.abs(signs @ gaps) >= abs(gaps.sum()) - 1e-9))


def table(app: AppTest, first: str) -> Any:
    """The table whose first column is named so, without Markdown's escapes of signs; None where there is none."""
    for found in (element.value for element in app.table):
        if found.columns[0] == first:
            return found.replace(r"\\-", "-", regex=True).rename(columns=lambda name: name.replace(r"\-", "-"))
    return None
