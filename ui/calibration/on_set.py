"""How close is a tie on the open set? All metrics' curves, and one metric's best threshold and what it means."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import streamlit as st

import tiekit as tk
from tiekit import charts
from tiekit.core import FloatArray, Progress, calibrate_scores, part_of
from tiekit.figures import (
    FIGURES,
    TITLE_OF_CURVES,
    ThinCurve,
    all_curves,
    calibration_page,
    constant_value,
    thin_curve,
)
from tiekit.ranking import OWN_CELLS, Note, metric_notes
from ui.evalset import choices, notes, sources
from ui.evalset.compared_set import levels, scores_to_look_at
from ui.evalset.groupings import grouping_phrase
from ui.evalset.selection import SelectedScores, Selection, once_per_set
from ui.link.controls import choose
from ui.page import pages, question, shell, stage, tables
from ui.work import downloads, result_cache
from ui.work.text import exact, format_epsilon, format_number, percent, plain, rows_of, warn_of_ties

TITLE = "How close is equal?"

ANOTHER = "Another metric:"
"""What stands in place of the answer if a metric is chosen that the question is not about."""

NEAR, LITTLE = 0.03, 0.02
"""A guess this close to the top in its share of tied pairs is right; one that loses less has lost little."""

MOVING = stage.Moving("crosshair", "calibration_explorer", {"tied": "cal_tied"}, {"tied": None})
"""The crosshair stands at the best threshold of the bold curve."""

BY_EPSILON, BY_PAIRS = "ε", "share of pairs tied"


DIFFERENCE_HELP = (
    "absolute: |m_i − m_j|. relative: the difference as a share of the larger score, 1 − min/max, so 100.2 and 100.1 "
    "are closer than 0.2 and 0.1. It suits scores with a meaningful zero."
)


@dataclass(frozen=True, eq=False)
class MetricToCalibrate(SelectedScores):
    """One metric of a selection, and how it is calibrated."""

    coefficient: str
    difference: str

    @property
    def metric(self) -> str:
        """The metric's name."""
        return self.selection.metrics[0]

    @cached_property
    def every_metric(self) -> Selection:
        """The same selection of all metrics."""
        return replace(self.selection, metrics=tuple(self.selection.source.data.metrics))

    @property
    def label(self) -> str:
        """The coefficient, as printed."""
        return tk.COEFFICIENTS[self.coefficient].label

    @property
    def file_stem(self) -> str:
        """The name of files, without the extension."""
        return "-".join(part for part in (*self.contest.selection["set"].split("/"), self.metric) if part)

    @property
    def scores(self) -> tuple[FloatArray, FloatArray]:
        """Human and metric, systems × segments."""
        return self.contest.human, self.contest.metrics[self.metric]

    @property
    def key(self) -> tuple[str, ...]:
        """What a result depends on."""
        return self.contest.digests[self.metric], self.coefficient, self.difference, *self.contest.groups_key

    @property
    def settings(self) -> tuple[str, str, str]:
        """Coefficient, grouping and difference."""
        return self.coefficient, self.selection.grouping, self.difference

    @property
    def arguments(self) -> str:
        """The scores and the settings as arguments in Python."""
        coefficient, grouping, difference = self.settings
        documents = self.documents_code(grouping)
        return f"human, metric, {coefficient!r}, grouping={grouping!r}, difference={difference!r}{documents}"

    def show_code(self, name: str, call: str) -> None:
        """Show a call on the `human` and the `metric` scores."""
        lines = f"{self.selection.pair_code(self.metric)}\n{call}"
        self.selection.show_code(f"{self.file_stem}-{name}", lines, [self.metric])


@dataclass(frozen=True)
class CalibrationNumbers:
    """The numbers of a `tiekit.Calibration`, kept for all visitors; without the scores, which belong to one of them."""

    epsilon: float
    value: float
    value_at_zero: float
    n_pairs: int
    n_groups: int
    n_undefined: int
    meaning: tk.core.Meaning
    signature: str
    notes: tuple[Note, ...]
    curve: pd.DataFrame

    @classmethod
    def of(cls, found: tk.Calibration, notes: tuple[Note, ...], curve: pd.DataFrame) -> CalibrationNumbers:
        """Take the numbers of a calibration."""
        names = cls.__annotations__.keys() - {"notes", "curve"}
        return cls(**{name: getattr(found, name) for name in names}, notes=notes, curve=curve)

    @property
    def groups(self) -> str:
        """How many groups the value is the mean of, and how many have none, in words."""
        left_out = f" ({self.n_undefined:,} more are undefined at ε\\* and left out)" * bool(self.n_undefined)
        return f"{self.n_groups:,} group{'s' * (self.n_groups != 1)}{left_out}"


def choose_metric() -> MetricToCalibrate | None:
    """Let the user open a set and choose a metric and how it is judged; None, with the reason, where nothing is."""
    for_scores, for_metric, for_coefficient, for_grouping = st.columns(4, gap="medium")
    opened = sources.choose_evalset(for_scores)
    if opened is None:
        return None
    data = opened.data
    with for_metric:
        metric = choose("Metric", best_first(data), "metric")
    with for_coefficient:
        coefficient = choices.choose_calibrated("Coefficient", "coefficient")
    with for_grouping:
        grouping = choices.choose_grouping(data)
    with notes.drawer("Human score, domain, relative differences, systems, direction of scores, rounding"):
        one, two, three = st.columns(3, gap="medium")
        with one:
            human = choices.choose_human(data)
        with two:
            domain = choices.choose_domain(data)
        with three:
            difference = choose(
                "Differences between scores", list(tk.core.DIFFERENCES), "difference", help=DIFFERENCE_HELP
            )
        exclude, adjustment = choices.choose_excluded(data), choices.choose_adjustment(data)
    selection = Selection(opened, human, (metric,), exclude, domain, adjustment, grouping)
    return MetricToCalibrate(selection, coefficient, difference) if selection.say() else None


def best_first(data: tk.EvalSet) -> tuple[str, ...]:
    """Return the metrics in their order, but first the one with the highest acc_eq*, constant ones last.

    The highest is looked for in a part of a large set, as no page could say meanwhile that it computes.
    """
    return once_per_set(data, "best first", partial(_best_first, data))


def _best_first(data: tk.EvalSet) -> tuple[str, ...]:
    """The same, computed."""
    chosen = data.select(exclude=data.default_exclude)
    rated = sorted(chosen.human, key=lambda name: name != data.gold)[0]
    human, metrics = scores_to_look_at(chosen.human[rated], chosen.metrics)
    values = {
        name: calibrate_scores(human, scores, "acc_eq", None, "absolute").value for name, scores in metrics.items()
    }
    best = max(values, key=lambda name: np.nan_to_num(values[name], nan=-1.0))
    return tuple(sorted(data.metrics, key=lambda name: (name != best, levels(data.metrics[name]) < 2)))


def tasks_of(selection: Selection, coefficient: str, difference: str) -> dict[str, result_cache.Task]:
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


def show_all(case: MetricToCalibrate) -> Callable[[], None] | None:
    """Show the curves of all metrics with the chosen one in bold; return what offers them as a page of their own."""
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
    page, asks = pages.find(TITLE), question.asks()
    guess = question.place_of(page)
    tied = (guess or 0.0) if asks else MOVING.read()["tied"]
    given = all_curves(found, case.coefficient, constant, case.metric, tied)
    bold = next((one for one in given["curves"] if one["name"] == case.metric), None)
    name = case.metric if bold is None else bold.get("short", case.metric)
    is_guessed = guess is not None and name in page.task  # not of another metric that is chosen later
    given["guess"] = guess if is_guessed and not asks else None
    if case.coefficient == "acc_eq" and bold is not None:
        numbers = {"name": name, "tied": percent(bold["tied"][bold["best"]]), "human": percent(bold["human"])}
        question.say(page, _verdict(guess or 0, bold) if is_guessed else ANOTHER * (name not in page.task), **numbers)
    of_curves = tuple((name, tasks[name][0]) for name in found)
    figure = FIGURES["calibration_explorer"]
    stage.show(figure, given, "tie_curves", _hear, large={"curves": of_curves})
    origin = f"{case.label} {grouping_phrase(selection.grouping)} of {len(found)} metrics of "
    origin += f"{case.contest.selection['set']}, human score {selection.human}."
    write = partial(figure.page, given, origin, TITLE_OF_CURVES)
    return lambda: downloads.embed(write, f"{case.file_stem}-curves.html", of="all metrics' curves")


def _verdict(guess: float, bold: Mapping[str, Any]) -> str:
    """Whether the top was found, and what the guess lost."""
    if abs(guess - bold["tied"][bold["best"]]) <= NEAR:
        return "Right, or nearly."
    loss = bold["values"][bold["best"]] - float(np.interp(guess, bold["tied"], bold["values"]))
    return f"At your {percent(guess)}, acc_eq is {'only ' * (loss < LITTLE)}{format_number(loss)} lower than the best."


def _hear(said: dict[str, Any]) -> None:
    """Take over the bold curve as the page's metric, and where the crosshair stands."""
    if "chosen" in said:
        st.session_state["metric"] = str(said["chosen"])
    if not question.asks():
        MOVING.keep(said)
    elif said.get("tied") is not None:
        question.place(float(said["tied"]))


def calibrate(case: MetricToCalibrate) -> CalibrationNumbers | None:
    """Return the best threshold and the curve; None if the user has canceled the work."""

    def compute(progress: Progress) -> CalibrationNumbers:
        found = calibrate_scores(*case.scores, *case.settings, part_of(progress, 0, 2), case.documents)
        found_notes = tuple(metric_notes(case.contest, case.metric, found.grouped))
        return CalibrationNumbers.of(found, found_notes, found.curve(progress=part_of(progress, 1, 2)))

    return result_cache.compute("Calibrating", {case.metric: (("curve", *case.key), compute)}).get(case.metric)


def say(case: MetricToCalibrate, found: CalibrationNumbers) -> bool:
    """Say the result and what is suspicious about it; return whether there is a result."""
    label = plain(case.label)
    notes.say_notes(found.notes)
    if not found.n_pairs or np.isnan(found.value):
        st.info(f"{label} is undefined here: there is no pair to compare, or it divides by zero at every ε.")
        return False
    value = format_number(found.value, ".4f")
    result = f"is highest, {value}, at ε\\* = 0: tying more pairs would not help"
    if found.epsilon:
        start = format_number(found.value_at_zero, ".4f")
        result = f"rises from {start} at ε = 0 to {value} at ε\\* = {format_epsilon(found.epsilon)}"
    st.markdown(f"**{found.n_pairs:,} pairs in {found.groups}, none sampled. {label} {result}.**")
    if not tk.COEFFICIENTS[case.coefficient].handles_ties:
        st.warning(warn_of_ties(case.label))
    return True


def picture(case: MetricToCalibrate, found: CalibrationNumbers) -> None:
    """Draw the curve with epsilon* marked."""
    across = choose("Along the horizontal axis", [BY_EPSILON, BY_PAIRS], "axis")
    column = "tied" if across == BY_PAIRS else "epsilon"
    title = across if across == BY_PAIRS else "ε" if case.difference == "absolute" else "ε, relative difference"
    frame, last, words = result_cache.once(("accuracy", *case.key), partial(_curves, case, found))
    best = found.meaning.tied if across == BY_PAIRS else found.epsilon
    on_left = bool(best > last[column] / 2)
    figure = charts.accuracy_chart(case.label, column, title, shell.theme(), on_left=on_left)
    shell.draw(frame, figure, f"Curve of {case.metric}: {words}", "accuracy")
    words = "F1 of ties: of the metric's ties, how many are the human's, and the reverse. "
    words += "F1 of ranks: the same for pairs that are put in order."
    if tk.COEFFICIENTS[case.coefficient].handles_ties:
        words += " A larger ε gains correct ties but loses correct orders; ε\\* is the best balance."
    st.markdown(words)


def _curves(case: MetricToCalibrate, found: CalibrationNumbers) -> tuple[pa.Table, dict[str, float], str]:
    """The frame of the curves, the largest value on each axis, and what they show in words."""
    frame = charts.accuracy_frame(found.curve, case.coefficient, found.epsilon)
    tops = [next(rows_of(rows.nlargest(1, "value"))) for _, rows in frame.dropna(subset=["value"]).groupby("what")]
    words = "; ".join(
        f"{row.what} at most {format_number(row.value)}, at ε = {format_epsilon(row.epsilon)}" for row in tops
    )
    return pa.Table.from_pandas(frame), {name: float(frame[name].max()) for name in ("epsilon", "tied")}, words


def read_back(case: MetricToCalibrate, found: CalibrationNumbers) -> None:
    """Show what epsilon* means."""
    relative = case.difference == "relative"
    shown, values = result_cache.once(("meaning", *case.key), partial(_tabulate_meaning, case, found))
    words = f"What ε* = {exact(found.epsilon)} of {case.metric} means"
    tables.show(shown, f"{case.file_stem}-meaning", words, values=values)
    unit = f"{format_epsilon(100 * found.epsilon)} % of the larger score" if relative else format_epsilon(found.epsilon)
    these = f"that **{plain(case.metric)}** puts at most {unit} apart" if found.epsilon else "with equal scores, only,"
    st.markdown(
        f"Interpretation: two translations {these} are best called equally good **on these data**. ε\\* was fitted on "
        "the same pairs that it is judged by; whether it generalizes comes next."
    )


def _tabulate_meaning(case: MetricToCalibrate, found: CalibrationNumbers) -> tuple[pa.Table, pd.DataFrame]:
    """What epsilon* means, as shown and in numbers."""
    meaning, is_relative = found.meaning, case.difference == "relative"
    rows = [
        ("ε\\* in full", exact(found.epsilon), found.epsilon),
        (
            "as a multiple of the metric's standard deviation",
            format_number(float("nan") if is_relative else meaning.deviations),
            meaning.deviations,
        ),
        (
            "its percentile among the differences between unequal scores",
            _percent(meaning.percentile),
            meaning.percentile,
        ),
        ("pairs that the metric ties at ε\\*", _percent(100 * meaning.tied), 100 * meaning.tied),
        ("pairs that the human ties", _percent(100 * meaning.tied_by_human), 100 * meaning.tied_by_human),
    ]
    found_of, name = pd.DataFrame(rows), plain(case.metric)
    shown, values = (found_of[[0, at]].set_axis(["What ε* means", name], axis=1) for at in (1, 2))
    return pa.Table.from_pandas(shown), values


def _percent(value: float) -> str:
    return format_number(value, ".1f") + " %" * (value == value)


def offer_downloads(case: MetricToCalibrate, found: CalibrationNumbers) -> None:
    """Offer the curve as a file and, with a threshold that can be dragged, as a page; show the signature."""
    name = case.file_stem

    def write() -> str:
        fitted = calibrate_scores(*case.scores, *case.settings, downloads.let_pass, case.documents)
        return calibration_page(fitted, case.metric, progress=downloads.let_pass)

    left, right = st.columns([1, 3], vertical_alignment="center")
    with left:
        downloads.offer(
            "Curve as CSV", lambda: found.curve.to_csv(index=False), f"{name}-curve.csv", "text/csv", width="stretch"
        )
        downloads.embed(write, f"{name}-calibration.html", of=f"the curve of {case.metric}", width="stretch")
    with right:
        st.code(found.signature, language=None, wrap_lines=True)
    case.show_code("calibrated", f"best = tk.calibrate({case.arguments})\nbest.epsilon, best.value, best.curve()")
