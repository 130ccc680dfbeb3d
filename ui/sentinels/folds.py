"""Does calibrating on the test set decide the ranking? In-sample beside cross-validated; ε* of other shares of ties."""

from __future__ import annotations

from collections import Counter
from functools import partial

import pandas as pd
import streamlit as st

import tiekit as tk
from tiekit.core import DOCUMENT_GROUPINGS, FloatArray, Progress, digest_of, fit_folds
from tiekit.ranking import RANK_DIGITS
from ui.evalset.compared_set import ComparedSet
from ui.link.controls import choose
from ui.page import glossary, tables
from ui.sentinels import shares
from ui.work import result_cache
from ui.work.result_cache import Task
from ui.work.text import format_epsilon, format_number, format_ranked, plain

CALL = """human, documents = chosen.human[{human!r}], chosen.documents or None
{{
    name: tk.cross_validate(
        human, chosen.metrics[name], {coefficient!r}, grouping={grouping!r}, folds={folds}, documents=documents
    ).value
    for name in {metrics}
}}"""


def show_held_out(case: ComparedSet, scope: shares.Scope) -> None:
    """Show every metric in-sample and cross-validated, then Figure 3."""
    glossary.terms("in-sample", "held-out")
    count = len(set(case.data.documents)) or len(case.data.segments)
    parts = [str(number) for number in (5, 2, 3, 10) if number <= count]
    if not parts:
        st.info("There is one document only, so nothing is left to judge by.")
        return
    folds = int(choose("Number of folds", parts, "sen_folds"))
    st.subheader("In-sample beside cross-validated")
    st.markdown("ε is found on all parts but one and judged on that one. Documents stay whole.")
    _show_folds(case, scope.coefficient, scope.grouping, folds)
    st.subheader("ε\\* from a set with other ties")
    of_what = " in the mean over groups" * (scope.share_of == "mean")
    unit = "documents" if scope.grouping in DOCUMENT_GROUPINGS else "segments"
    st.markdown(
        f"A fifth of the {unit} is held out. From it we drop pairs until the share of human ties{of_what} is as below; "
        f"ε\\* is found there and judged on all other {unit}, which stay as they are."
    )
    _other_ties(case, scope)


def _show_folds(case: ComparedSet, coefficient: str, grouping: str, folds: int) -> None:
    def cross_validate(scores: FloatArray, progress: Progress) -> dict[str, float]:
        """Cross-validate one metric as `tk.cross_validate` does, without its warnings."""
        asked = coefficient, grouping, "absolute", folds, case.documents
        found = fit_folds(case.human, scores, *asked, progress=progress)
        ends = found.folds["epsilon"].min(), found.folds["epsilon"].max()
        return {
            "in_sample": found.in_sample.value,
            "held_out": found.value,
            "lost": float(found.folds["loss"].mean()),
            "epsilon": found.in_sample.epsilon,
            "lowest": float(ends[0]),
            "highest": float(ends[1]),
        }

    tasks: dict[str, Task] = {}
    for name, scores in case.metrics.items():
        key = ("folds", name, digest_of(case.human, scores), case.data.documents, coefficient, grouping, folds)
        tasks[name] = key, partial(cross_validate, scores)
    done = result_cache.compute("Cross-validating every metric", tasks)
    if not done:
        return
    found, shown = result_cache.once(("folds", *(tasks[name][0] for name in done)), lambda: _lay_out(done))
    words = f"{tk.COEFFICIENTS[coefficient].label}* of {len(found)} metrics, in-sample and cross-validated"
    tables.grid(shown, "cross-validated", words, values=found, height="content")
    st.markdown(_say_folds(found, grouping))
    call = CALL.format(human=case.rated, metrics=list(done), coefficient=coefficient, grouping=grouping, folds=folds)
    case.show_code("cross-validated", list(done), call)


def _lay_out(done: dict[str, dict[str, float]]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The numbers with their ranks, and as shown."""
    found = pd.DataFrame(list(done.values()), index=pd.Index(done, name="metric"))
    for side in ("in_sample", "held_out"):
        found[f"rank({side})"] = found[side].round(RANK_DIGITS).rank(ascending=False, method="min")
    found = found.sort_values("in_sample", ascending=False, kind="stable")
    shown = pd.DataFrame(index=found.index)
    for side, label in (("in_sample", "in-sample"), ("held_out", "cross-validated")):
        shown[label] = [
            format_ranked(value, rank) for value, rank in zip(found[side], found[f"rank({side})"], strict=True)
        ]
    shown["lost"] = [format_number(value) for value in found["lost"]]
    shown["ε*"] = [format_epsilon(value) for value in found["epsilon"]]
    shown["ε of the parts"] = [
        f"{format_epsilon(low)} to {format_epsilon(high)}"
        for low, high in zip(found["lowest"], found["highest"], strict=True)
    ]
    return found, shown


def _say_folds(found: pd.DataFrame, grouping: str) -> str:
    moved = int((found["rank(in_sample)"] != found["rank(held_out)"]).sum())
    ranks = f"{moved} of {len(found)} metrics change their rank" if moved else "No metric changes its rank"
    words = f"**{ranks} when ε comes from other documents.** Lost: what a part would have gained by its own ε\\*"
    if found["lost"].notna().any():
        words += f", on average; most by {plain(str(found['lost'].idxmax()))}, {format_number(found['lost'].max())}"
    apart = " In-sample all pairs count, also those across parts, so the values may differ for that reason alone."
    return words + "." + apart * (grouping not in ("item", *DOCUMENT_GROUPINGS))


def _other_ties(case: ComparedSet, scope: shares.Scope) -> None:
    names = scope.names
    curves = shares.compute(case, scope, kind="held_out") if names else None
    if curves is None:
        return
    shares.draw_shares(curves, "sen_held_out")
    st.markdown(_say_leaders(curves.curves))
    shares.show_code(case, scope, "held out", names, kind="held_out")


def _say_leaders(values: dict[str, dict[float, float]]) -> str:
    """Say which metric leads where, and whose rank changes with an ε* of other documents."""
    defined = {name: [value for value in curve.values() if value == value] for name, curve in values.items()}
    moved = sorted((max(curve) - min(curve), plain(name)) for name, curve in defined.items() if curve)
    if not moved:
        return "No value anywhere: the segments held out have no pair."
    leaders = Counter(
        max((curve[share], name) for name, curve in values.items() if curve[share] == curve[share])[1]
        for share in next(iter(values.values()))
        if any(curve[share] == curve[share] for curve in values.values())
    )
    words = ", ".join(
        f"{plain(name)} at {number} of {leaders.total()} shares" for name, number in leaders.most_common()
    )
    most, least = (
        f"{name} {how}, by {format_number(by)}" for (by, name), how in ((moved[-1], "most"), (moved[0], "least"))
    )
    return f"**Best metric: {words}.** An ε\\* from other ties moves {most}, and {least}."
