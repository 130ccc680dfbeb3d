"""Which metric gains from fewer distinct scores? Scores in k equal-width buckets, and the groups that are left."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

import tiekit as tk
from tiekit import charts
from tiekit.core import (
    DOCUMENT_GROUPINGS,
    FloatArray,
    Progress,
    average,
    calibrate_scores,
    count_sorted,
    group_checked,
    part_of,
    values_per_group,
)
from tiekit.figures import display_names
from tiekit.ranking import POLICIES
from ui.link.controls import choose
from ui.nan_problem.by_group import GroupValues
from ui.page import glossary, predict, question, shell
from ui.work import result_cache
from ui.work.text import cell, format_epsilon, format_number, percent, plain, with_index

KS = (*range(2, 21), 25, 30, 40, 50, 75, 100)
"""Numbers of buckets along the curves, and on the slider."""


class BucketCurves(NamedTuple):
    """Curves over k; every group's values without buckets; acc_eq calibrated, and with one score for all.

    ``kept`` is the mean of the scores without buckets over the groups that still have a value with k buckets.
    """

    curve: pd.DataFrame
    kept: pd.Series
    untouched: dict[str, FloatArray]
    epsilon: float
    calibrated: float
    all_tied: float


@dataclass(frozen=True, eq=False)
class Trial:
    """One metric whose scores go into buckets, judged by one coefficient."""

    source: GroupValues
    metric: str
    entry: tk.Coefficient

    @property
    def scores(self) -> tuple[FloatArray, FloatArray]:
        """Human and metric."""
        return self.source.contest.human, self.source.contest.metrics[self.metric]

    @property
    def names(self) -> tuple[str, str]:
        """The coefficients that are drawn."""
        return self.entry.name, "acc_eq"

    @property
    def label(self) -> str:
        """The coefficient, safe in Markdown."""
        return plain(self.entry.label)

    @property
    def key(self) -> tuple[str, ...]:
        """What the curve depends on."""
        return self.source.contest.grouping, self.entry.name, self.source.digests[self.metric]

    def compute(self, progress: Progress) -> BucketCurves:
        """Compute all numbers that do not depend on the chosen k."""
        (human, metric), grouping, parts = self.scores, self.source.contest.grouping, []
        begin = partial(progress, 0.0)
        untouched = {name: self.per_group(metric, name, begin) for name in self.names}
        kept = {}
        for place, k in enumerate(KS):
            told = partial(_tell_part, progress, place)
            parts.append(tk.bucket_curve(human, metric, [k], self.names, grouping=grouping, progress=told))
            is_left = ~np.isnan(self.per_group(tk.to_buckets(metric, k), self.entry.name, partial(told, 1.0)))
            kept[k] = average(untouched[self.entry.name][is_left], "drop")
        best = calibrate_scores(human, metric, "acc_eq", grouping, "absolute", part_of(progress, 1, 2))
        beat = partial(progress, 1.0)
        all_tied = average(self.per_group(np.where(np.isnan(metric), np.nan, 0.0), "acc_eq", beat), "drop")
        return BucketCurves(pd.concat(parts), pd.Series(kept), untouched, best.epsilon, best.value, all_tied)

    def per_group(self, metric: FloatArray, name: str, beat: Callable[[], None] = lambda: None) -> FloatArray:
        """Return a coefficient of every group with these scores of the metric; ``beat`` is called meanwhile."""
        grouped = group_checked(self.scores[0], metric, self.source.contest.grouping)
        beat()
        values = grouped.spread(values_per_group(grouped, tk.COEFFICIENTS[name]))
        beat()
        return values


def _tell_part(progress: Progress, place: int, fraction: float) -> None:
    """Tell how much is done, of the first half, when a fraction of one number of buckets is."""
    progress((place + fraction) / len(KS) / 2)


def mean_and_groups(values: FloatArray) -> tuple[float, int]:
    """Return the mean over the groups with a value, and their number."""
    return average(values, "drop"), int((~np.isnan(values)).sum())


FEW = 5
"""The number of buckets in the question before the curves."""

IN_LINK = {"k": lambda text: text in map(str, KS)}
"""What a link can hold: a check for each key."""

RISES, FALLS, STAYS, GOES = "it rises", "it falls", "it stays the same", "it has no value any more"

MISTAKEN = {
    RISES: "Ties replace correct orders as well as wrong ones, so not every metric gains.",
    FALLS: "Fewer distinct scores need not lower the mean: a tie can cost less than a wrong order, and a group without "
    "a value costs nothing.",
    STAYS: "New ties change what is counted and which groups have a value.",
    GOES: "A group loses its value only where all its scores fall into one bucket; the others keep theirs.",
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
        source = judged[choose("Scores of", list(judged), f"{key}_scores")]
    with two:
        names = sorted(source.metrics, key=partial(order, source))
        return source, choose("Metric to change", names, f"{key}_metric")


def not_by_document(judged: dict[str, GroupValues]) -> dict[str, GroupValues]:
    """Return the scores that are not grouped by document; say so where some are."""
    kept = {name: one for name, one in judged.items() if one.contest.grouping not in DOCUMENT_GROUPINGS}
    if len(kept) < len(judged):
        st.markdown(
            "The evaluation set above is grouped by document. This experiment compares scores of one segment, of one "
            "system or all of them: choose such a grouping to make it on the set."
        )
    return kept


def fine_ones_first(judged: GroupValues, name: str) -> tuple[bool, float]:
    """Return the sort key of a metric: those that rarely tie come first, the best of them at the head."""
    value = judged.standings["drop"][name].value if name in judged.ranked else -math.inf
    return judged.metrics[name].ties.share > RARELY, -value


def bucket_effect(judged: dict[str, GroupValues]) -> None:
    """Let the user predict what few buckets do; then show any number of them, and the curves of Figure 3."""
    st.markdown(
        "Divide the range of a metric that rarely ties into k buckets of equal width, and make all scores in one "
        "bucket equal. The metric now distinguishes less than before."
    )
    glossary.terms("bucket")
    source, metric = choose_scores(not_by_document(judged), "bucket", fine_ones_first)
    counted = [name for name, entry in tk.COEFFICIENTS.items() if entry.takes_epsilon and name != "acc_eq"]
    counted.sort(key=lambda name: name != "tau_b")
    name = choose("Coefficient", counted, "bucket_coefficient", printed=charts.label_of)
    trial = Trial(source, metric, tk.COEFFICIENTS[name])
    found = result_cache.compute("Filling buckets", {metric: (("buckets", *trial.key), trial.compute)}).get(metric)
    if found is None:
        return
    if np.isnan(found.untouched[name]).all():
        st.info(f"{trial.label} of {plain(metric)} has no value in any group, so there is nothing to gain.")
        return
    if not _predict_change(trial, found):
        return
    k = int(st.select_slider("Number of buckets, k", KS, FEW, key="k", bind="query-params"))
    _pictures(trial, found, k)
    _say(trial, k)
    _say_fair(trial, found, k)
    st.page_link("pages/3_Calibration.py", label="How calibration sets ties: Calibration")
    call = CALL.format(ks=list(KS), name=name, grouping=source.contest.grouping)
    source.show_code("buckets", metric, call)


def _predict_change(trial: Trial, found: BucketCurves) -> bool:
    """Let the user predict what happens to the coefficient in few buckets."""
    name = trial.entry.name
    (before, n_before), after = mean_and_groups(found.untouched[name]), float(cell(found.curve, FEW, name))
    n_after = int(cell(found.curve, FEW, f"groups({name})"))
    happens = GOES if np.isnan(after) else STAYS if abs(after - before) < SAME else RISES if after > before else FALLS
    gains = "wrong orders become ties, which cost less"
    if name == "tau_eq":
        gains = "many of the new ties are human ties too, and these count as correct"
    dropped = "groups whose scores all fall into one bucket are dropped, and " if n_after < n_before else ""
    why = {
        RISES: f"The metric distinguishes less, yet {dropped}{gains}.",
        FALLS: "Here the buckets lose more correct orders than wrong ones.",
        STAYS: "Nothing that this coefficient counts has changed.",
        GOES: "All scores of every group fall into one bucket.",
    }
    numbers = f"From {format_number(before)} on {n_before:,} groups to {format_number(after)} on {n_after:,}."
    return predict.predict_first(
        f"buckets: {' '.join(trial.key)}",
        f"{plain(trial.metric)} is put into {FEW} buckets: all scores in one bucket become equal, so no information "
        f"is added. What happens to its {trial.label}, the mean over the groups with a value?",
        MISTAKEN | {happens: f"{numbers} {why[happens]}"},
        happens,
        is_about_files=not trial.source.is_typed,
    )


def _pictures(trial: Trial, found: BucketCurves, k: int) -> None:
    """Draw Figure 3: values and groups left over the number of buckets, and for acc_eq a fair comparison."""
    labels, curve = (trial.entry.label, "acc_eq"), found.curve
    same = f"{trial.entry.label} without buckets, groups left"
    rows = {"k": curve.index, "what": same, "value": found.kept, "groups": curve[f"groups({trial.entry.name})"]}
    kept = pd.DataFrame(rows).assign(now=curve.index == k)
    frame = pd.concat([charts.bucket_frame(curve, trial.names, k), kept], ignore_index=True)
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
        shown = labels if column == "groups" else (*labels, same)
        parts += [f"{same} {format_number(float(found.kept[k]))}"] * (column == "value")
        words = "; ".join([*parts, *(f"{label} {now(level)}" for label, level in named)])
        figure = charts.bucket_chart(column, title, shown, tuple(levels), shell.theme(), named)
        with place:
            shell.draw(
                frame, figure, f"{title.capitalize()} of {trial.metric} in {k} buckets: {words}", f"bucket_{column}"
            )


def _with_sign(after: float, before: float) -> str:
    """The difference of two numbers as they are written, so that parts add up."""
    return format_number(round(after, 3) - round(before, 3), "+.3f")


class Parts(NamedTuple):
    """A mean without buckets and in some, and without buckets on the groups that are left; the numbers of groups."""

    before: float
    same: float
    after: float
    groups: int
    left: int


def parts_of(trial: Trial, k: int) -> Parts:
    """Return what k buckets change through dropped groups, and what through ties in the others."""
    untouched = trial.per_group(trial.scores[1], trial.entry.name)
    in_buckets = trial.per_group(tk.to_buckets(trial.scores[1], k), trial.entry.name)
    (before, groups), (after, left) = mean_and_groups(untouched), mean_and_groups(in_buckets)
    return Parts(before, average(untouched[~np.isnan(in_buckets)], "drop"), after, groups, left)


PORTIONS = {0.8: "nearly all of it through", 0.5: "most of it through", 0.0: "a part of it through"}
"""How the share of a change that is more than a number is told."""


def say_on_set(judged: GroupValues, place: AbstractContextManager[Any]) -> None:
    """Say in ``place``, after the guess, whether the rule for groups with no value changes the winner of the set."""
    if question.asks() or len(judged.ranked) < 2 or judged.contest.grouping in DOCUMENT_GROUPINGS:
        return
    labels = display_names(judged.ranked)
    leaders = {policy: [labels[name] for name in judged.leaders(policy)] for policy in POLICIES}
    noun = "segment" if judged.contest.grouping == "item" else "group"
    many = f"{judged.n_groups:,} {noun}{'s' * (judged.n_groups != 1)}"
    text = f"On all {many} of {judged.selection.source.title}, "
    if len({tuple(names) for names in leaders.values()}) == 1:
        winner = plain(" and ".join(leaders["drop"])) or "no metric"
        text += f"each weighs little: the winner of {len(judged.ranked)} metrics is **the same under all three rules** "
        text += f"({winner}). The fewer {noun}s, the more the rule decides: report how many have no value."
    else:
        told = "; ".join(f"{plain(' and '.join(names)) or 'no metric'} under {rule}" for rule, names in leaders.items())
        text += f"the rule **changes the winner**: {told}."
    with place:
        st.markdown(text, width=680)
    metric = min(judged.ranked, key=partial(fine_ones_first, judged))
    if judged.entry.takes_epsilon and judged.entry.name != "acc_eq":
        trial = Trial(judged, metric, judged.entry)
        parts: Parts = result_cache.once(("parts of buckets", FEW, *trial.key), partial(parts_of, trial, FEW))
        if parts.left:
            gain = parts.after - parts.before
            share = (parts.after - parts.same) / gain if gain else 0.0
            portion = next((words for low, words in PORTIONS.items() if share > low), "in spite of")
            st.markdown(
                f"Ties matter even so: round {plain(labels[metric])} to {FEW} values, and its "
                f"{with_index(trial.label)} {'rises' if gain > 0 else 'falls'} by {format_number(abs(gain))}, "
                f"{portion} new ties within {noun}s."
            )


def _say(trial: Trial, k: int) -> None:
    """Say what k buckets change: how much through dropped groups, how much through ties in the others."""
    parts: Parts = result_cache.once(("parts of buckets", k, *trial.key), partial(parts_of, trial, k))
    before, same, after, groups, left = parts
    if not left:
        st.markdown(
            f"**In {k} buckets {trial.label} has no value in any group.** Without buckets it was "
            f"{format_number(before)}."
        )
        return
    text = (
        f"**In {k} buckets {trial.label} goes from {format_number(before)} to {format_number(after)}, and from "
        f"{groups:,} groups with a value to {left:,}.** "
    )
    if left < groups:
        text += (
            f"Of this change of {_with_sign(after, before)}, {_with_sign(same, before)} comes from dropping "
            f"{groups - left:,} groups (on the {left:,} that are left, the scores without buckets have "
            f"{format_number(same)}, the third line) and {_with_sign(after, same)} from the ties in those. The paper "
            "explains the rise by the dropped groups alone (Section 4.2). "
        )
    st.markdown(f"{text}Dotted lines: without buckets.")


def _say_fair(trial: Trial, found: BucketCurves, k: int) -> None:
    """Say why acc_eq changes too, and which value no number of buckets exceeds."""
    counts = [
        count_sorted(group_checked(trial.scores[0], metric, trial.source.contest.grouping).scores, 0.0)[:, :5].sum(
            axis=0
        )
        for metric in (trial.scores[1], tk.to_buckets(trial.scores[1], k))
    ]
    concordant, _, _, only, both = (counts[1] - counts[0]).tolist()
    before, after, new = average(found.untouched["acc_eq"], "drop"), float(cell(found.curve, k, "acc_eq")), only + both
    st.markdown(
        f"**acc\\_eq goes from {format_number(before)} to {format_number(after)}.** It drops no group. "
        + (
            f"Of {new:,} new ties {percent(both / new)} are human ties: such a pair was wrong and is now correct. "
            f"{percent(-concordant / new)} were in the correct order and are lost. "
            if new
            else "There is no new tie. "
        )
        + "But raw acc\\_eq is unfair to scores that rarely tie, as they miss the human ties: a constant metric "
        f"already has {format_number(found.all_tied)}."
    )
    highest, at = float(found.curve["acc_eq"].max()), found.curve["acc_eq"].idxmax()
    st.markdown(
        f"**acc\\_eq\\* is fair: {format_number(found.calibrated)} for the scores without buckets.** Scores at most "
        f"ε\\* = {format_epsilon(found.epsilon)} apart are tied. "
        + (
            f"No k on the slider exceeds it; the best, {at}, reaches {format_number(highest)}."
            if highest <= found.calibrated + SAME
            else f"{at} buckets reach {format_number(highest)}: they are another way to tie, also fitted to these data."
        )
        + " So compare calibrated values (the paper, Section 5.1)."
    )
