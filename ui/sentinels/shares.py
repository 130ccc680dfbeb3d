"""Which metrics win when the human ties fewer pairs, or more? Metrics, sentinels and noise over the share of ties."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import pandas as pd
import streamlit as st

import tiekit as tk
from tiekit import charts
from tiekit.core import digest_of, own_share
from tiekit.figures import FIGURES, FIRST_SHARE, NOISE_ENDING
from ui.evalset import choices
from ui.evalset.compared_set import ComparedSet
from ui.evalset.groupings import grouping_phrase
from ui.evalset.tie_kinds import (
    discrete_metrics,
    has_other_shares,
    kinds_of,
    tasks_of_curves,
    ties_of,
    usual,
    weights_of_ties,
)
from ui.link.controls import choose_many, toggle
from ui.page import predict, shell, stage, tables
from ui.work import downloads, result_cache
from ui.work.result_cache import Task
from ui.work.text import format_number, percent, plain

CLOSE = 0.005
"""Values that differ by at most this are called level."""

SAME = 1e-12
"""Values closer than this are equal: they differ by rounding."""


MOVING = stage.Moving(
    "share of human ties",
    "tie_shares",
    {"share": "sen_ties", "chosen": "line"},
    {"share": FIRST_SHARE, "chosen": ""},
)
"""Where the rule stands, and the metric that stands out; without a name, the best discrete metric."""

TRIALS: dict[str, tuple[Callable[..., pd.DataFrame], str]] = {
    "shares": (tk.sentinels.tie_shares, "Calibrating at thirteen shares of ties"),
    "held_out": (tk.sentinels.held_out_shares, "Calibrating on a held-out fifth"),
}
"""How a curve is computed, and what the bar says meanwhile."""

AHEAD, LEVEL, BEHIND = "ahead of its sentinel", "level with it", "behind it"
AN_ERROR = (
    "Each tie of the metric falls on a pair that the human orders, and is an error. Of its sentinel's guesses about "
    "half are right."
)
HALF_WAY = (
    "A tie lies half way between right and wrong, and so does a guess on average. But ε\\* is free to keep the guesses "
    "that went well, and to tie again the others."
)
TENDENCY = {
    **dict.fromkeys(("acc_eq", "tau_eq", "tau_10"), (BEHIND, AN_ERROR)),
    **dict.fromkeys(("tau_a", "tau_14"), (BEHIND, HALF_WAY)),
    "tau_c": (
        AHEAD,
        "τ\\_c asks more of a metric with more distinct scores, and the sentinel has a new one each time.",
    ),
    "tau_b": (
        "",
        "A tie of the metric makes the divisor smaller, so ε\\* may tie again most of what the noise told apart: what "
        "parts the two is chance.",
    ),
    "tau_13": ("", "What the metric ties is left out. So ε\\* ties almost all, which the noise hardly changes."),
}
"""Who wins without human ties, except by chance, and why: how a coefficient counts a metric's tie."""

MISTAKEN = {
    AHEAD: "That would need ties that cost less than guesses do.",
    LEVEL: "They would be level if ties cost just what guesses do.",
    BEHIND: "That would need ties that cost more than guesses do.",
}

CALL = """metrics = {{name: chosen.metrics[name] for name in {metrics}}}
metrics |= {{f"{{name}} + noise": tk.sentinels.perturb(metrics[name], rng=0) for name in {noisy}}}
tk.sentinels.{trial}(chosen.human[{human!r}], metrics, {coefficient!r}, grouping={grouping!r}{more})"""


@dataclass(frozen=True, eq=False)
class ShareCurves:
    """Curves over the share of human ties: a picture for the coefficient and one for ε*; the set's own share."""

    found: pd.DataFrame
    curves: dict[str, dict[float, float]]
    frame: pd.DataFrame
    kinds: dict[str, str]
    titles: dict[str, str]
    words: dict[str, str]
    own: float

    def first(self) -> dict[str, float]:
        """Return the values without human ties, by metric."""
        return {name: curve[0.0] for name, curve in self.curves.items() if 0.0 in curve}


def lay_out(found: pd.DataFrame, kinds: dict[str, str], label: str, tied: float) -> ShareCurves:
    """Return what is drawn of curves, and what is said about them.

    Curves have one row per metric and share: ``metric``, ``share``, ``value``, ``n_pairs`` and ``deviations``, ε* in
    standard deviations. ``kinds`` are as in `kinds_of`, ``label`` is the coefficient's, ``tied`` the share of human
    ties among all pairs.
    """
    titles = {"value": f"{label}*", "epsilon": "ε*, in standard deviations of the metric"}
    frame = charts.share_frame(found.assign(epsilon=found["deviations"]), kinds)
    curves = {
        column: {
            str(name): dict(zip(rows["share"].tolist(), rows[column].tolist(), strict=True))
            for name, rows in frame.groupby("metric", sort=False)
        }
        for column in titles
    }
    words = {}
    for column, title in titles.items():
        ends = {name: list(curve.values()) for name, curve in curves[column].items()}
        spans = "; ".join(
            f"{name} {format_number(span[0])} to {format_number(span[-1])}" for name, span in ends.items()
        )
        words[column] = f"{title} over the share of human ties, {percent(tied)} in this set: {spans}"
    return ShareCurves(found, curves["value"], frame, kinds, titles, words, tied)


def draw_shares(shares: ShareCurves, key: str) -> None:
    """Draw a calibrated coefficient and its ε* over the share of human ties, side by side; ``key`` names the files."""
    names, kinds = tuple(shares.kinds), tuple(shares.kinds.values())
    for (column, title), place in zip(shares.titles.items(), st.columns(2, gap="medium"), strict=True):
        with place:
            figure = charts.share_chart(column, title, names, kinds, shell.theme())
            shell.draw(shares.frame, figure, shares.words[column], f"{key}_{column}")


def say_meeting(values: Mapping[str, Mapping[float, float]], metric: str, sentinel: str) -> str:
    """Return where a metric is behind its sentinel, where it is ahead, and from where on they are level, in words."""
    mine, noisy, name = values[metric], values[sentinel], plain(metric)
    gaps = {share: noisy[share] - value for share, value in mine.items() if noisy[share] == noisy[share]}
    far = [share for share, gap in gaps.items() if abs(gap) > CLOSE]
    if not far:
        return f"**{name} and its sentinel are nowhere more than {CLOSE} apart.**"
    behind = [share for share in far if gaps[share] > 0]
    ahead = min(far, key=lambda share: gaps[share])
    words = f"**{name} is nowhere more than {CLOSE} behind its sentinel**"
    if behind:
        numbers = format_number(mine[behind[0]]), format_number(noisy[behind[0]])
        words = f"**At {percent(behind[0])} human ties {name} has {numbers[0]}, its sentinel {numbers[1]}**"
    if gaps[ahead] < 0:
        words += (
            f"; at {percent(ahead)} {name} is ahead, {format_number(mine[ahead])} against {format_number(noisy[ahead])}"
        )
    later = [share for share in gaps if share > far[-1]]
    return f"{words}; from {percent(later[0])} on they are at most {CLOSE} apart." if later else f"{words}."


def show_shares(case: ComparedSet, scope: Scope, curves: ShareCurves) -> Callable[[], None]:
    """Show the metrics at a share of human ties that can be dragged; return what offers them as a page of their own."""
    figure = FIGURES["tie_shares"]
    data = figure.data(curves.found, curves.kinds, scope.coefficient, curves.own, **MOVING.read())
    data["weights"] = [*weights_of_ties(case, scope.grouping, data["shares"], scope.share_of).values()]
    stage.show(figure, data, "tie_shares", MOVING.keep)
    origin = f"{data['label']} {grouping_phrase(scope.grouping)} of {len(data['metrics'])} metrics of "
    origin += f"{case.contest.selection['set']}, human score {case.rated}."
    return partial(downloads.embed, partial(figure.page, data, origin), "human-ties.html")


class Scope(NamedTuple):
    """Of which metrics, by which calibrated coefficient, under which grouping the shares are compared, and of what."""

    names: list[str]
    coefficient: str
    grouping: str
    share_of: str = "pairs"


def choose_scope(case: ComparedSet, grouping: str, share_of: str) -> Scope:
    """Let the user choose metrics and a coefficient, for the lines and the parts on calibration."""
    coefficient = choices.choose_calibrated("Coefficient, calibrated", "sen_coefficient")
    with st.expander("Metrics in the picture"):
        if toggle(f"All {len(case.metrics)} metrics (computing them takes up to a minute)", "sen_all"):
            names = list(case.metrics)
        else:
            names = choose_many("Metrics", list(case.metrics), usual(case), "sen_metrics")
    if not names:
        st.info("Choose at least one metric.")
    return Scope(names, coefficient, grouping, share_of)


def by_share_of_ties(case: ComparedSet, scope: Scope, shares: ShareCurves) -> None:
    """Show the experiment of Perrella et al. (2024), Sections 4.4 and 4.5, on the open set: ε* and the numbers."""
    noisy = noisy_of(case, scope)
    if _predict_without_ties(case, shares, noisy, scope.coefficient, scope.grouping):
        _show(case, shares, noisy, scope)


def noisy_of(case: ComparedSet, scope: Scope) -> list[str]:
    """Return the chosen metrics that get a sentinel."""
    return [name for name in discrete_metrics(case) if name in scope.names]


def compute(case: ComparedSet, scope: Scope, kind: str = "shares") -> ShareCurves | None:
    """Compute metrics and sentinels at every share; ``kind`` is "shares" (in-sample) or "held_out".

    None if no other share can be reached, which the page has said, or if the work was canceled before anything
    was finished.
    """
    if not has_other_shares(case, scope.grouping):
        return None
    tasks = tasks_of(case, scope, kind)
    done = result_cache.compute(TRIALS[kind][1], tasks)
    if not done:
        return None

    def make() -> ShareCurves:
        found = pd.concat([frame.assign(metric=name) for name, frame in done.items()], ignore_index=True)
        found.attrs["share_of"] = scope.share_of
        own = own_share(ties_of(case, scope.grouping), scope.share_of)
        return lay_out(found, kinds_of(case, done), tk.COEFFICIENTS[scope.coefficient].label, own)

    return result_cache.once((kind, *(tasks[name][0] for name in done)), make)


def tasks_of(case: ComparedSet, scope: Scope, kind: str = "shares") -> dict[str, Task]:
    """Return what is computed: the curve of each metric, and of each sentinel."""
    names, coefficient, grouping, share_of = scope
    return tasks_of_curves(case, names, TRIALS[kind][0], coefficient, grouping=grouping, share_of=share_of)


def _predict_without_ties(
    case: ComparedSet, shares: ShareCurves, noisy: list[str], coefficient: str, grouping: str
) -> bool:
    """Let the user predict what happens to a discrete metric without human ties."""
    first = shares.first()
    name = next((name for name in noisy if {name, name + NOISE_ENDING} <= set(first)), None)
    if name is None:
        return True
    mine, noise = first[name], first[name + NOISE_ENDING]
    truth = LEVEL if abs(noise - mine) < SAME else BEHIND if noise > mine else AHEAD
    ranks = [1 + sum(other > value + SAME for other in first.values()) for value in (mine, noise)]
    tendency, why = TENDENCY[coefficient]
    options = MISTAKEN | {
        truth: f"{format_number(mine)} against {format_number(noise)}: of the {len(first)} shown, the metric has "
        f"rank {ranks[0]}, its sentinel rank {ranks[1]}. {why}"
        + " Here chance made up for that."
        * (tendency not in ("", truth))
    }
    question = f"Drop all pairs that the human ties. Where is **{plain(name)}** then, compared with its sentinel?"
    key = f"shares: {name} {coefficient} {grouping} {digest_of(case.human, case.metrics[name])}"
    return predict.predict_first(key, question, options, truth, is_about_files=True)


def _show(case: ComparedSet, shares: ShareCurves, noisy: list[str], scope: Scope) -> None:
    draw_shares(shares, "sen_shares")
    of_what = " in the mean over groups" * (scope.share_of == "mean")
    st.markdown(
        f"This set's own share{of_what} is {percent(shares.own, 1)}. Left of it, pairs that the human "
        "ties have a lower weight; right of it, all others. Dashed: a discrete metric plus random noise."
    )
    for name in noisy:
        if {name, name + NOISE_ENDING} <= set(shares.curves):
            st.markdown(f"{say_meeting(shares.curves, name, name + NOISE_ENDING)} {_stays(shares.found, name)}")
    curves = sorted(shares.curves.items(), key=lambda curve: -curve[1].get(0.0, 0.0))
    table = {name: {percent(share): format_number(value) for share, value in curve.items()} for name, curve in curves}
    tables.grid(
        pd.DataFrame.from_dict(table, orient="index").rename_axis("metric"),
        "sentinel-shares",
        f"{shares.titles['value']} of {len(curves)} metrics by share of human ties",
        values=shares.found.set_index("metric"),
        height="content",
    )
    names = [name for name in shares.curves if not name.endswith(NOISE_ENDING)]
    show_code(case, scope, "sentinel shares", names)


def show_code(case: ComparedSet, scope: Scope, name: str, names: list[str], kind: str = "shares") -> None:
    """Show the call that computes the curves of these metrics."""
    more = ', share_of="mean"' * (scope.share_of == "mean") + case.documents_code(scope.grouping)
    asked = {"human": case.rated, "coefficient": scope.coefficient, "grouping": scope.grouping, "more": more}
    call = CALL.format(trial=TRIALS[kind][0].__name__, metrics=names, noisy=noisy_of(case, scope), **asked)
    case.show_code(name, names, call)


def _stays(found: pd.DataFrame, name: str) -> str:
    """Up to which share ε* is 0, in words."""
    rows = found[found["metric"] == name]
    last = None
    for share, epsilon in zip(rows["share"], rows["epsilon"], strict=True):
        if epsilon > 0:
            break
        last = share
    return "Its ε\\* is nowhere 0." if last is None else f"Its ε\\* is 0 up to {percent(last)}."
