"""Which metric gains as the human ties less, or more? acc_eq* and ε* of discrete metrics, sentinels and others."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

import tiekit as tk
from tiekit.core import FloatArray, Progress, digest_of, own_share
from tiekit.figures import NOISE_ENDING
from ui.evalset import choices
from ui.evalset.compared_set import ComparedSet
from ui.evalset.tie_kinds import can_be_shown, choose_share_of, discrete_metrics, has_other_shares, ties_of, usual
from ui.link.controls import choose_many, toggle
from ui.page import predict, tables
from ui.sentinels.curves import SAME, ShareCurves, draw_shares, lay_out, perturb_scores, say_meeting
from ui.work import result_cache
from ui.work.result_cache import Task
from ui.work.text import format_number, percent, plain

TITLES = {"shares": "Calibrating at thirteen shares of ties", "held_out": "Calibrating on a held-out fifth"}

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


class Scope(NamedTuple):
    """Of which metrics, by which calibrated coefficient, under which grouping the shares are compared, and of what."""

    names: list[str]
    coefficient: str
    grouping: str
    share_of: str = "pairs"


def choose_scope(case: ComparedSet) -> Scope:
    """Let the user choose metrics, coefficient and grouping, for the first picture and the parts on calibration."""
    one, two = st.columns(2, gap="medium")
    with one:
        coefficient = choices.choose_calibrated("Coefficient, calibrated", "sen_coefficient")
    with two:
        grouping = choices.choose_grouping(case.data)
        can_be_shown(case, grouping)
    share_of = choose_share_of(case, grouping)
    with st.expander("Metrics in the picture"):
        if toggle(f"All {len(case.metrics)} metrics (computing them takes up to a minute)", "sen_all"):
            names = list(case.metrics)
        else:
            names = choose_many("Metrics", list(case.metrics), usual(case), "sen_metrics")
    if not names:
        st.info("Choose at least one metric.")
    return Scope(names, coefficient, grouping, share_of)


def by_share_of_ties(case: ComparedSet, scope: Scope) -> None:
    """Show the experiment of Perrella et al. (2024), Sections 4.4 and 4.5, on the open set: ε* and the numbers."""
    noisy = noisy_of(case, scope)
    shares = compute(case, scope) if scope.names else None
    if shares is not None and _predict_without_ties(case, shares, noisy, scope.coefficient, scope.grouping):
        _show(case, shares, noisy, scope)


def noisy_of(case: ComparedSet, scope: Scope) -> list[str]:
    """Return the chosen metrics that get a sentinel."""
    return [name for name in discrete_metrics(case) if name in scope.names]


def compute(case: ComparedSet, scope: Scope, kind: str = "shares") -> ShareCurves | None:
    """Compute metrics and sentinels at every share; ``kind`` is "shares" (in-sample) or "held_out".

    None if no other share can be reached, which `choose_scope` has said, or if the work was canceled before anything
    was finished.
    """
    if not has_other_shares(case, scope.grouping):
        return None
    tasks = tasks_of(case, scope, kind)
    done = result_cache.compute(TITLES[kind], tasks)
    if not done:
        return None

    def make() -> ShareCurves:
        found = pd.concat([frame.assign(metric=name) for name, frame in done.items()], ignore_index=True)
        found.attrs["share_of"] = scope.share_of
        few, own = discrete_metrics(case), own_share(ties_of(case, scope.grouping), scope.share_of)
        kinds = {
            name: "sentinel" if name.endswith(NOISE_ENDING) else "discrete" if name in few else "continuous"
            for name in done
        }
        return lay_out(found, kinds, tk.COEFFICIENTS[scope.coefficient].label, own)

    return result_cache.once((kind, *(tasks[name][0] for name in done)), make)


def tasks_of(case: ComparedSet, scope: Scope, kind: str = "shares") -> dict[str, Task]:
    """Return what is computed: the curve of each metric, and of each sentinel."""
    noisy, tasks = noisy_of(case, scope), dict[str, Task]()
    for name in scope.names:
        for curve in (name, *[name + NOISE_ENDING] * (name in noisy)):
            tasks[curve] = _task(kind, case, curve, case.metrics[name], scope)
    return tasks


def _task(kind: str, case: ComparedSet, name: str, scores: FloatArray, scope: Scope) -> Task:
    digest, pairs = digest_of(case.human, scores), case.pairs_key(scope.grouping)
    key = (kind, name, digest, scope.coefficient, *pairs, scope.share_of)
    return key, partial(_curve, kind, case.human, name, scores, scope, case.documents)


def _curve(
    kind: str,
    human: FloatArray,
    name: str,
    scores: FloatArray,
    scope: Scope,
    documents: tuple[str, ...] | None,
    progress: Progress,
) -> pd.DataFrame:
    """One metric's or sentinel's curve; epsilon in standard deviations too."""
    scores = perturb_scores(scores)[0] if name.endswith(NOISE_ENDING) else scores
    trial = tk.sentinels.tie_shares if kind == "shares" else tk.sentinels.held_out_shares
    asked: dict[str, Any] = {"grouping": scope.grouping, "share_of": scope.share_of, "documents": documents}
    found = trial(human, {name: scores}, scope.coefficient, **asked, progress=progress)
    found["deviations"] = found["epsilon"] / np.nanstd(scores)
    return found


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
    case.show_code("sentinel shares", names, call_of(CALL, case, scope, names, noisy))


def call_of(form: str, case: ComparedSet, scope: Scope, names: list[str], noisy: list[str]) -> str:
    """Fill in the code of a function of shares."""
    more = ', share_of="mean"' * (scope.share_of == "mean") + case.documents_code(scope.grouping)
    asked = {"human": case.rated, "coefficient": scope.coefficient, "grouping": scope.grouping}
    return form.format(metrics=names, noisy=noisy, **asked, more=more)


def _stays(found: pd.DataFrame, name: str) -> str:
    """Up to which share ε* is 0, in words."""
    rows = found[found["metric"] == name]
    last = None
    for share, epsilon in zip(rows["share"], rows["epsilon"], strict=True):
        if epsilon > 0:
            break
        last = share
    return "Its ε\\* is nowhere 0." if last is None else f"Its ε\\* is 0 up to {percent(last)}."


CALL = """metrics = {{name: chosen.metrics[name] for name in {metrics}}}
metrics |= {{f"{{name}} + noise": tk.sentinels.perturb(metrics[name], rng=0) for name in {noisy}}}
tk.sentinels.tie_shares(chosen.human[{human!r}], metrics, {coefficient!r}, grouping={grouping!r}{more})"""
