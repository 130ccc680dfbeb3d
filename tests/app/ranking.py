"""The leaderboard's table and its chart of ranks as the page gives them to the browser."""

import pandas as pd

from tests.app.reading import figure


def given(app, component="tiekit_ranking"):
    """What the browser is given of the table, or of another component."""
    return figure(app, component)


def ranks_shown(app):
    """What the browser is given of the chart of ranks."""
    return given(app, "bump")


def shown(app):
    """The unrounded numbers by metric and column."""
    found = given(app)
    rows = {
        row["name"]: {
            key: float(cell["title"] or "nan") for key, cell in row["cells"].items() if key not in ("metric", "cluster")
        }
        for row in found["rows"]
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("metric")


def texts(app):
    """What stands in each cell, by metric and column."""
    return {row["name"]: {key: cell["text"] for key, cell in row["cells"].items()} for row in given(app)["rows"]}
