"""What the page of the NaN problem shows, and the values that it should show."""

import math
import re
import tomllib

import numpy as np
import pytest

import tiekit as tk
from tests import reference
from tests.app.reading import figure
from ui.nan_problem import inputs
from ui.work.presets import DATA

PAGE = "2_NaN_problem"
PRESETS = {p["name"]: p for p in tomllib.loads((DATA / "nan_presets.toml").read_text(encoding="utf-8"))["preset"]}
OPENED = next(iter(PRESETS))
"""The example that the page opens with."""

FIRST = "Three rules, three winners"
SOLUTION = [[0, 0, 3], [2, 0, 1]]
"""Ties that make BLEU win in the example that the page opens with: it leaves segments 2 and 4."""

POLICIES = ["drop", "zero", "common"]


def asked(app, start):
    """The radio of the question whose key begins so; none once it is answered."""
    return [radio for radio in app.radio if radio.key.startswith(f"predict {start}")]


def predict(app, start, answer=None):
    """Answer a question, by its first option unless one is named, and reveal."""
    [radio] = asked(app, start)
    key = radio.key.removeprefix("predict ")
    assert app.button(key=f"reveal {key}").disabled
    radio.set_value(answer or radio.options[0]).run()
    app.button(key=f"reveal {key}").click().run()
    assert not app.exception
    assert not asked(app, start)


def table(app, *columns):
    """The grids with these columns, in the order of the page."""
    return [shown.value for shown in app.dataframe if set(columns) <= set(shown.value.columns)]


def said(app, *parts):
    texts = [
        e.value.replace("\\", "").replace("**", "") for e in (*app.markdown, *app.success, *app.warning, *app.info)
    ]
    return next(text for text in texts if all(part in text for part in parts))


def cell(text):
    """Value and groups that a cell of the ranking says, its rank, whether it has the star."""
    star, value, rank, groups = re.fullmatch(r"(★ )?(\S+) \((\d+)\) · ([\d,]+)", text).groups()
    return float(value.replace("−", "-")), int(groups.replace(",", "")), int(rank), bool(star)


def check_ranking(shown, data, coefficient="tau_b"):
    """Every cell is that of the library's leaderboard, whose tests take the rules by their definitions."""
    asked = {"metrics": list(shown.index), "coefficients": [coefficient], "calibrated": ()}
    for policy in shown.columns:
        board = tk.leaderboard(data, **asked, undefined=policy)
        for name, text in shown[policy].items():
            value, groups, rank, star = cell(text)
            assert value == pytest.approx(board.loc[name, coefficient], abs=5.1e-4), (policy, name)
            assert (groups, rank) == (
                board.loc[name, f"groups({coefficient})"],
                board.loc[name, f"rank({coefficient})"],
            )
            assert star == (rank == 1)


def typed(preset, **metrics):
    """The segments of an example, or with other scores of some metrics, as an evaluation set."""
    return inputs.as_evalset(preset["human"], preset["metrics"] | metrics)


def numbers(text):
    return [float(found.replace("−", "-").replace(",", "")) for found in re.findall(r"−?\d[\d,]*(?:\.\d+)?", text)]


def mean(human, metric, name):
    values = [reference.coefficient(name, reference.counts(*rows)) for rows in zip(human, metric, strict=True)]
    defined = [value for value in values if value == value]
    return np.mean(defined) if defined else math.nan


def tiles(app):
    """What the tiles are given."""
    return figure(app, "nan_explorer")


def open_three(open_app, **link):
    """The page with the example in which each rule has a winner of its own."""
    app = open_app(PAGE, **link)
    app.selectbox(key="nan_example").select(FIRST).run()
    assert not app.exception
    return app
