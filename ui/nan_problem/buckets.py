"""Which metric gains from fewer distinct scores? Scores in k equal-width buckets, and the groups that are left."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np
import streamlit as st

import tiekit as tk
from tiekit import charts
from tiekit.coefficients.per_group import average
from tiekit.counting.pairs import count_sorted
from ui.base import work
from ui.base.frames import cell
from ui.base.text import format_epsilon, format_number, plain
from ui.link.controls import choose
from ui.nan_problem.bucket_curve import KS, BucketCurves, Trial, mean_and_groups
from ui.nan_problem.by_group import GroupValues
from ui.page import glossary, predict, shell

FEW = 5
"""The number of buckets in the question before the curves."""

IN_LINK = {"k": lambda text: text in map(str, KS)}
"""What a link can hold: a check for each key."""

RISES, FALLS, STAYS, GOES = "it rises", "it falls", "it stays as it is", "it has no value any more"

MISTAKEN = {
    RISES: "Ties hide right pairs as well as wrong ones, so not every metric gains.",
    FALLS: "Knowing less need not cost anything: a tie can cost less than a mistake, and a group without a value costs "
    "nothing.",
    STAYS: "New ties are not neutral: they change what is counted, and which groups have a value.",
    GOES: "A group loses its value only where all its scores meet in one bucket; the others keep theirs.",
}
"""Why each wrong prediction is wrong."""

RARELY = 0.05
"""A metric that ties a smaller share of all pairs rarely ties."""

SAME = 1e-9
"""Means closer than this differ only by rounding."""

CALL = """curve = tk.bucket_curve(human, metric, {ks}, [{name!r}, "acc_eq"], grouping={grouping!r})
best = tk.calibrate(human, metric, "acc_eq", grouping={grouping!r})
curve, best.value"""


def choose_scores(
    judged: dict[str, GroupValues], key: str, order: Callable[[GroupValues, str], tuple[bool, float]]
) -> tuple[GroupValues, str]:
    """Let the user choose a metric on typed segments or on the open set."""
    one, two = st.columns(2, gap="medium")
    with one:
        source = judged[choose("On which scores?", list(judged), f"{key}_scores")]
    with two:
        names = sorted(source.metrics, key=partial(order, source))
        return source, choose("Which metric?", names, f"{key}_metric")


def fine_ones_first(judged: GroupValues, name: str) -> tuple[bool, float]:
    """Return the sort key of a metric: those that rarely tie come first, the best of them at the head."""
    value = judged.value("drop", name) if name in judged.ranked else -math.inf
    return judged.metrics[name].ties.share > RARELY, -value


def bucket_effect(judged: dict[str, GroupValues]) -> None:
    """Let the user predict what few buckets do; then show any number of them, and the curves of Figure 3."""
    st.markdown(
        "Metrics that see fine differences rarely tie. Cut the range of such a metric into k parts of equal width, and "
        "call all scores in one part equal: it knows less than before."
    )
    glossary.terms("bucket")
    source, metric = choose_scores(judged, "bucket", fine_ones_first)
    counted = [name for name, entry in tk.COEFFICIENTS.items() if entry.takes_epsilon and name != "acc_eq"]
    name = choose("Coefficient", sorted(counted, key=lambda name: name != "tau_b"), "bucket_coefficient")
    trial = Trial(source, metric, tk.COEFFICIENTS[name])
    found = work.do("Filling buckets", {metric: (("buckets", *trial.key), trial.compute)}).get(metric)
    if found is None:
        return
    if np.isnan(found.untouched[name]).all():
        st.info(f"{trial.label} of {plain(metric)} has no value in any group, so there is nothing to gain.")
        return
    if not _predict_change(trial, found):
        return
    k = int(st.select_slider("k: into how many buckets of equal width?", KS, FEW, key="k", bind="query-params"))
    _pictures(trial, found, k)
    _say(trial, found, k)
    _say_fair(trial, found, k)
    st.page_link("pages/3_Calibration.py", label="What calibration does: the page Calibration")
    call = CALL.format(ks=list(KS), name=name, grouping=source.contest.grouping)
    source.show_code("buckets", metric, call)


def _predict_change(trial: Trial, found: BucketCurves) -> bool:
    """Let the user predict what happens to the coefficient in few buckets."""
    name = trial.entry.name
    (before, n_before), after = mean_and_groups(found.untouched[name]), float(cell(found.curve, FEW, name))
    n_after = int(cell(found.curve, FEW, f"groups({name})"))
    happens = GOES if np.isnan(after) else STAYS if abs(after - before) < SAME else RISES if after > before else FALLS
    gains = "pairs that were wrong become ties, which cost less"
    if name == "tau_eq":
        gains = "many of the new ties are ties of the human too, and those count as right"
    dropped = "groups whose scores all meet in one bucket are dropped, and " if n_after < n_before else ""
    why = {
        RISES: f"The metric knows less, yet {dropped}{gains}.",
        FALLS: "What the buckets throw away was worth more here than what they hide.",
        STAYS: "Nothing that this coefficient counts has changed.",
        GOES: "All scores of every group meet in one bucket.",
    }
    numbers = f"From {format_number(before)} on {n_before:,} groups to {format_number(after)} on {n_after:,}."
    return predict.predict_first(
        f"buckets: {' '.join(trial.key)}",
        f"{plain(trial.metric)} is put into {FEW} buckets: all scores in one bucket become equal, nothing new is "
        f"known. What happens to its {trial.label}, the mean over the groups with a value?",
        MISTAKEN | {happens: f"{numbers} {why[happens]}"},
        happens,
        is_about_files=not trial.source.is_typed,
    )


def _pictures(trial: Trial, found: BucketCurves, k: int) -> None:
    """Draw Figure 3: values and groups left over the number of buckets, and for acc_eq a fair comparison."""
    labels, curve = (trial.entry.label, "acc_eq"), found.curve
    frame = charts.bucket_frame(curve, trial.names, k)
    means, numbers = zip(*(mean_and_groups(found.untouched[name]) for name in trial.names), strict=True)
    fair = ("acc_eq* without buckets", found.calibrated), ("acc_eq with all tied", found.all_tied)
    panels = (
        ("value", "value", format_number, means, fair),
        ("groups", "groups with a value", "{:,.0f}".format, numbers, ()),
    )
    for place, (column, title, now, levels, named) in zip(st.columns(2, gap="medium"), panels, strict=True):
        keys = [name if column == "value" else f"groups({name})" for name in trial.names]
        parts = [
            f"{label} {now(cell(curve, k, key))}, without buckets {now(level)}"
            for label, key, level in zip(labels, keys, levels, strict=True)
        ]
        words = "; ".join([*parts, *(f"{label} {now(level)}" for label, level in named)])
        figure = charts.bucket_chart(column, title, labels, tuple(levels), shell.theme(), named)
        with place:
            shell.draw(
                frame, figure, f"{title.capitalize()} of {trial.metric} in {k} buckets: {words}", f"bucket_{column}"
            )


def _signed(after: float, before: float) -> str:
    """The difference of two numbers as they are written, so that parts add up."""
    return format_number(round(after, 3) - round(before, 3), "+.3f")


def _say(trial: Trial, found: BucketCurves, k: int) -> None:
    """Say what k buckets change: how much through dropped groups, how much through ties in the others."""
    untouched = found.untouched[trial.entry.name]
    in_buckets = trial.per_group(tk.to_buckets(trial.scores[1], k), trial.entry.name)
    (before, groups), (after, left) = mean_and_groups(untouched), mean_and_groups(in_buckets)
    if not left:
        st.markdown(
            f"**In {k} buckets {trial.label} has no value in any group.** Without it was {format_number(before)}."
        )
        return
    text = (
        f"**In {k} buckets {trial.label} goes from {format_number(before)} to {format_number(after)}, and from "
        f"{groups:,} groups with a value to {left:,}.** "
    )
    same = average(untouched[~np.isnan(in_buckets)], "drop")
    if left < groups:
        text += (
            f"That is {_signed(after, before)}, made of {_signed(same, before)} for dropping {groups - left:,} groups "
            f"(on the {left:,} that are left the untouched scores have {format_number(same)}) and "
            f"{_signed(after, same)} for the ties in those. "
        )
    st.markdown(f"{text}Dotted lines: without buckets.")


def _say_fair(trial: Trial, found: BucketCurves, k: int) -> None:
    """Say why acc_eq changes too, and which value no number of buckets exceeds."""
    counts = [
        count_sorted(trial.grouped(metric).scores, 0.0)[:, :5].sum(axis=0)
        for metric in (trial.scores[1], tk.to_buckets(trial.scores[1], k))
    ]
    concordant, _, _, only, both = (counts[1] - counts[0]).tolist()
    before, after, new = average(found.untouched["acc_eq"], "drop"), float(cell(found.curve, k, "acc_eq")), only + both
    st.markdown(
        f"**acc\\_eq goes from {format_number(before)} to {format_number(after)}, and rightly.** It drops no group. "
        + (
            f"Of {new:,} new ties {both / new:.0%} are ties of the human: such a pair was wrong and is right now. "
            f"{-concordant / new:.0%} were in the right order and are lost. "
            if new
            else "There is no new tie. "
        )
        + "But raw acc\\_eq is unfair to scores that rarely tie, as they miss the ties of the human: one score for all "
        f"translations already has {format_number(found.all_tied)}."
    )
    highest, at = float(found.curve["acc_eq"].max()), found.curve["acc_eq"].idxmax()
    st.markdown(
        f"**Fair is acc\\_eq\\*, {format_number(found.calibrated)} for the untouched scores:** those at most ε\\* = "
        f"{format_epsilon(found.epsilon)} apart tie. "
        + (
            f"No k on the slider beats it; the best, {at}, comes to {format_number(highest)}."
            if highest <= found.calibrated + SAME
            else f"{at} buckets come to {format_number(highest)}: they are another way to tie, and fitted to these "
            "data too."
        )
        + " So compare calibrated values (the paper, Section 5.1)."
    )
