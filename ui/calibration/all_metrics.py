"""What do all metrics of the open set gain from calibration? The page's first picture, and its metric and crosshair."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

import tiekit as tk
from tiekit.core import FloatArray, Progress
from tiekit.figures import FIGURES, TITLE_OF_CURVES, ThinCurve, all_curves, constant_value, thin_curve
from tiekit.ranking import OWN_CELLS
from ui.calibration.on_set import MetricToCalibrate
from ui.evalset.groupings import grouping_phrase
from ui.evalset.selection import Selection
from ui.page import stage
from ui.work import downloads, result_cache
from ui.work.result_cache import Task
from ui.work.text import plain

MOVING = stage.Moving("crosshair", "calibration_explorer", {"tied": "cal_tied"}, {"tied": None})
"""The crosshair stands at the best threshold of the bold curve."""


def tasks_of(selection: Selection, coefficient: str, difference: str) -> dict[str, Task]:
    """Return what is computed: the curve of each metric of a selection that is compared with the others."""
    contest, settings = selection.contest, (coefficient, selection.grouping, difference)

    def compute(scores: FloatArray, progress: Progress) -> ThinCurve | None:
        return thin_curve(contest.human, scores, settings, progress, contest.documents or None)

    return {
        name: (
            ("thin curve", contest.digests[name], coefficient, difference, *contest.groups_key),
            partial(compute, scores),
        )
        for name, scores in contest.ranked.items()
    }


def show(case: MetricToCalibrate) -> Callable[[], str] | None:
    """Show the curves of all metrics with that of the chosen one in bold; return what writes them as a page."""
    selection = case.every_metric
    try:
        human = selection.contest.human
    except tk.TiekitError as error:
        st.info(plain(str(error).partition(f"; {OWN_CELLS}")[0]) + ".")
        return None
    selection.say_cells()
    tasks = tasks_of(selection, case.coefficient, case.difference)
    done = result_cache.compute("Calibrating every metric", tasks)
    found = {name: curve for name, curve in done.items() if curve is not None}
    if not found:
        return None
    settings = case.settings
    constant = selection.once("constant", partial(constant_value, human, settings, case.documents), *settings)
    tied = MOVING.read()["tied"]
    given = all_curves(found, case.coefficient, constant, case.metric, tied)
    of_curves = tuple((name, tasks[name][0]) for name in found)
    figure = FIGURES["calibration_explorer"]
    stage.show(figure, given, "tie_curves", _hear, large={"curves": of_curves})
    origin = f"{case.label} {grouping_phrase(selection.grouping)} of {len(found)} metrics of "
    origin += f"{case.contest.selection['set']}, human score {selection.human}."
    return partial(figure.page, given, origin, TITLE_OF_CURVES)


def _hear(said: dict[str, Any]) -> None:
    """Take over the bold curve as the page's metric, and where the crosshair stands."""
    if "chosen" in said:
        st.session_state["metric"] = str(said["chosen"])
    MOVING.keep(said)


def offer_embed(write: Callable[[], str] | None, file_stem: str) -> None:
    """Offer the picture of all metrics as a page of its own."""
    if write is not None:
        downloads.embed(write, f"{file_stem}-curves.html", of="all metrics' curves")
