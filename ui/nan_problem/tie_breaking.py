"""Which metric gains from random tie-breaking? τ_10 and acc_eq before and after, many times."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

import tiekit as tk
from tiekit import charts
from tiekit.core import FloatArray, IntArray, Progress, average, count_sorted, group_checked, part_of
from ui.link.controls import choose, choose_seed, is_seed
from ui.nan_problem.buckets import FALLS, RISES, SAME, STAYS, choose_scores, not_by_document
from ui.nan_problem.by_group import GroupValues
from ui.page import glossary, predict, shell, tables
from ui.work import result_cache
from ui.work.text import bare, format_number, plain

SHOWN = ("tau_10", "acc_eq")
REPEATS = ("20", "5", "100")
IN_LINK = {"seed": is_seed}
"""What a link can hold: a check for each key."""

CALL = """names = "tau_10", "acc_eq"
before = {{name: tk.correlate(human, metric, name, grouping={grouping!r}).value for name in names}}
after = {{
    name: tk.correlate_untied(human, metric, name, rng={seed}, repeats={repeats}, grouping={grouping!r})
    for name in names
}}
{{name: (before[name], values.mean(), values.std(ddof=1)) for name, values in after.items()}}"""


class UntiedValues(NamedTuple):
    """τ_10 and acc_eq with ties, in every repetition without, and expected; pairs that both or only the metric ties."""

    before: dict[str, float]
    after: dict[str, FloatArray]
    expected: dict[str, float]
    both: int
    only: int


def expected_accuracy(counts: IntArray) -> float:
    """Return the mean acc_eq after ties are broken: half of the metric's own become correct, shared ties are lost."""
    right, total = counts[:, 0] + counts[:, 3] / 2, counts[:, :5].sum(axis=1)
    return average(right / total, "drop")


def most_ties_first(judged: GroupValues, name: str) -> tuple[bool, float]:
    """Return the sort key of a metric: those that tie much come first, those that tie everything last."""
    share = judged.metrics[name].ties.share
    return share == 1, -share


def random_tie_breaking(judged: dict[str, GroupValues]) -> None:
    """Let the user predict what random tie breaking does to τ_10; then show it for a seed and many repetitions."""
    st.markdown(
        "τ\\_10 has the opposite flaw. It counts a metric tie as an error, so a metric gains if its ties are broken by "
        "coin flip. WMT used τ\\_10 from 2010 to 2012 and from 2017 to 2020. From 2017 it counted only pairs whose "
        "human scores (direct assessment, 0–100) differ by **at least 25 points**; here every pair counts whose human "
        'scores differ. So the official numbers of 2017–2020 need `human_margin=25` and `average="pairs"` in '
        "`tk.correlate` or `tk.leaderboard`."
    )
    glossary.terms("τ_10", "random tie-breaking")
    judged = {name: one for name, one in not_by_document(judged).items() if one.contest.grouping != "system_means"}
    if not judged:
        st.info("System means hardly ever tie. Choose another grouping above.")
        return
    source, metric = choose_scores(judged, "untied", most_ties_first)
    one, two = st.columns(2, gap="medium")
    with one:
        seed = choose_seed("Seed", 1, "seed")
    with two:
        repeats = int(choose("Number of repetitions", REPEATS, "repeats"))
    contest = source.contest
    scores = contest.human, contest.metrics[metric]

    def compute(progress: Progress) -> UntiedValues:
        grouped = group_checked(*scores, contest.grouping)
        progress(0.0)
        counts = count_sorted(grouped.scores, 0.0)
        entries = {name: tk.COEFFICIENTS[name] for name in (*SHOWN, "tau_14")}
        means = {name: average(entry.from_counts(counts), "drop") for name, entry in entries.items()}
        after = {}
        for place, name in enumerate(SHOWN):
            asked: dict[str, Any] = {"rng": seed, "repeats": repeats, "grouping": contest.grouping}
            after[name] = tk.correlate_untied(*scores, name, **asked, progress=part_of(progress, place, len(SHOWN)))
        expected = {"tau_10": means["tau_14"], "acc_eq": expected_accuracy(counts)}
        only, both = counts[:, 3:5].sum(axis=0).tolist()
        return UntiedValues({name: means[name] for name in SHOWN}, after, expected, both, only)

    key = contest.grouping, source.digests[metric]
    broken = result_cache.compute("Breaking ties", {metric: (("untied", seed, repeats, *key), compute)}).get(metric)
    if broken is None:
        return
    if np.isnan(broken.before["tau_10"]):
        st.info(f"τ\\_10 of {plain(metric)} has no value in any group.")
        return
    if not _predict_change(metric, broken, " ".join(key), is_typed=source.is_typed):
        return
    _show(metric, broken, repeats)
    call = CALL.format(grouping=contest.grouping, seed=seed, repeats=repeats)
    source.show_code("ties broken", metric, call)


def _predict_change(metric: str, broken: UntiedValues, key: str, *, is_typed: bool) -> bool:
    before, after = broken.before["tau_10"], broken.expected["tau_10"]  # the expectation, which depends on no seed
    happens = RISES if after - before >= SAME else STAYS
    why = {
        RISES: "τ\\_10 counts a tie as an error where the human orders the pair; a coin flip is correct half "
        "of the time.",
        STAYS: "It has no tie that τ\\_10 would count.",
    }
    mistaken = {
        RISES: "A coin flip gains only where the human orders a pair that the metric ties.",
        FALLS: "Half of the coin flips are wrong, but those ties were counted as errors already.",
        STAYS: "Correct and wrong coin flips would cancel out if a tie did not count; but it counts as an error.",
    }
    numbers = f"From {format_number(before)} to {format_number(after)} on average."
    options = mistaken | {happens: f"{numbers} {why[happens]}"}
    question = f"We break every tie of {plain(metric)} by coin flip. What happens to its τ\\_10?"
    return predict.predict_first(f"untied: {key}", question, options, happens, is_about_files=not is_typed)


def _show(metric: str, broken: UntiedValues, repeats: int) -> None:
    labels = {name: tk.COEFFICIENTS[name].label for name in SHOWN}
    frame = charts.untied_frame(
        {labels[name]: value for name, value in broken.before.items()},
        {labels[name]: values.tolist() for name, values in broken.after.items()},
    )
    values = pd.DataFrame(
        [(name, broken.before[name], after.mean(), after.std(ddof=1)) for name, after in broken.after.items()],
        columns=["coefficient", "with ties", "broken: mean", "spread"],
    )
    shown = values.map(lambda cell: plain(labels[cell]) if isinstance(cell, str) else format_number(cell))
    shown["spread"] = "± " + shown["spread"]
    words = "; ".join(f"{bare(name)} {tied}, then {mean} {spread}" for name, tied, mean, spread in shown.to_numpy())
    left, right = st.columns([2, 3], gap="large", vertical_alignment="center")
    with left:
        alt = f"Ties of {metric} broken {repeats} times: {words}"
        tables.show(shown, "ties broken table", alt, values=values)
    with right:
        figure = charts.untied_chart(tuple(labels.values()), shell.theme())
        shell.draw(frame, figure, alt, "untied")
    both, only = broken.both, broken.only
    net = format_number(only / 2 - both, "+,.1f").removesuffix(".0")
    st.markdown(
        f"The spread is the standard deviation of {repeats} repetitions. On average τ\\_10 becomes τ\\_14 of the tied "
        f"scores, **{format_number(broken.expected['tau_10'])}**: correct and wrong coin flips cancel out."
    )
    st.markdown(
        f"acc\\_eq loses the {both:,} pairs that human and metric tie (T\\_hm), and wins half of the {only:,} that the "
        f"metric alone ties (T\\_m): −{both:,} + {only:,}/2 = {net} correct pairs. "
        f"On average it becomes **{format_number(broken.expected['acc_eq'])}**."
    )
