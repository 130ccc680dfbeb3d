"""What does each coefficient count, and which metric wins by weights of one's own?"""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

import tiekit as tk
from tiekit import charts
from tiekit.core import (
    KINDS,
    LEFT_OUT,
    Coefficient,
    IntArray,
    OfCounts,
    Progress,
    Table,
    average,
    coefficient_of_weights,
    count_within,
    parse_weight,
)
from ui.leaderboard.question import Question, numbers_of
from ui.page import papers, tables
from ui.work import result_cache
from ui.work.text import format_ranked, plain

FIELDS = {
    "concordant": ("Concordant, C", "1"),
    "discordant": ("Discordant, D", "0"),
    "ties_human": ("Tied by the human only, T_h", "0"),
    "ties_metric": ("Tied by the metric only, T_m", "0.5"),
    "ties_both": ("Tied by both, T_hm", "1"),
}
"""The label of each weight and what it is at first: acc_eq, with half a point for a tie of the metric only."""


def show(frame: pd.DataFrame, question: Question) -> None:
    """Show all coefficients as tables of weights, and evaluate the weights that the user types."""
    with st.expander("The eight coefficients as tables of weights"):
        _eight()
    st.markdown(
        f"Type a weight for each kind of pairs, or {LEFT_OUT} to leave these pairs out. Your coefficient is the sum of "
        "the weights over the number of pairs that are counted."
    )
    texts = []
    for place, kind in zip(st.columns(len(KINDS), vertical_alignment="bottom"), KINDS, strict=True):
        label, usual = FIELDS[kind]
        with place:
            texts.append(st.text_input(label, usual, key=f"weight_{kind}", bind="query-params", max_chars=12))
    try:
        weights = [parse_weight(text, FIELDS[kind][0]) for text, kind in zip(texts, KINDS, strict=True)]
        own = coefficient_of_weights(weights)
    except tk.TiekitError as error:
        st.error(plain(str(error)))
        return
    if own.formula is not None:
        st.latex(rf"\mathrm{{own}} = {own.formula.latex()}")
    values = evaluate(question, own)
    if values:
        _table(numbers_of(frame), question, values)


def _eight() -> None:
    """Show formula and 3×3 table of every coefficient of counts."""
    st.markdown(
        "Rows: the human prefers the second item (<), neither (=), or the first (>). Columns: the same for the metric. "
        "X: the pair is left out. τ\\_b and τ\\_c have no such table, because their divisor is not a number of "
        f"counted pairs (source: {papers.DEUTSCH.cite('Table 1 and Appendix B')})."
    )
    entries = [entry for entry in tk.COEFFICIENTS.values() if entry.formula is not None]
    for first, place in enumerate(st.columns(2)):
        place.markdown("\n\n".join(_one_of_eight(entry) for entry in entries[first::2]))


def _one_of_eight(entry: Coefficient) -> str:
    """A coefficient's formula and table in Markdown."""
    formula = f"$${entry.latex} = {entry.formula.latex() if entry.formula is not None else ''}$$"
    return formula if entry.table is None else f"{formula}\n\n$${weights_table(entry.table)}$$"


def weights_table(table: Table) -> str:
    """Return a 3×3 table of weights in LaTeX."""
    rows = zip("<=>", table, strict=True)
    lines = [" & ".join([sign, *(LEFT_OUT if one is None else str(one) for one in row)]) for sign, row in rows]
    return r"\begin{array}{c|ccc} & < & = & > \\ \hline " + r" \\ ".join(lines) + r" \end{array}"


def evaluate(question: Question, own: OfCounts) -> dict[str, float]:
    """Return the mean of a coefficient over the groups on which it is defined, for each metric."""
    contest, formula = question.contest, own.formula

    def count(metric: str, _: Progress) -> IntArray:
        """The counts of every group."""
        return count_within(contest.groups_of(metric).scores, 0.0).counts

    tasks: dict[str, result_cache.Task] = {}
    for name, digest in contest.digests.items():
        tasks[name] = ("counts", name, contest.selection["human"], contest.groups_key, digest), partial(count, name)
    done = result_cache.compute("Counting pairs of every kind", tasks)
    return {} if formula is None else {name: average(formula(counts), "drop") for name, counts in done.items()}


def _table(frame: pd.DataFrame, question: Question, values: dict[str, float]) -> None:
    """Show all metrics by the user's coefficient, with the rank by the column that the page ranks by."""
    beside = question.columns[-1]
    key = "own weights", beside, question.contest.digest, question.contest.groups_key, *values.items(), *frame.index
    said, shown, found = result_cache.once(key, lambda: _tables_of(frame, beside, values))
    if said:
        st.markdown(said)
    words = f"All metrics by a coefficient of your own and by {charts.label_of(beside)}"
    tables.grid(shown, "own-coefficient", words, values=found, height="content")


def _tables_of(frame: pd.DataFrame, beside: str, values: dict[str, float]) -> tuple[str, pd.DataFrame, pd.DataFrame]:
    """Which metric is first, in a sentence; the table as shown, and as numbers."""
    names = [name for name in values if name in frame.index]  # of others the values were not computed
    own, places = pd.Series(values, dtype=float)[names], frame[f"rank({beside})"].astype(float)
    found = pd.DataFrame({"own": own, beside: frame[beside][names]}).rename_axis("metric")
    found = found.sort_values("own", ascending=False, kind="stable")
    found["rank(own)"] = ranks = found["own"].rank(ascending=False, method="min")
    shown = pd.DataFrame(
        {
            "your coefficient": list(map(format_ranked, found["own"], ranks)),
            charts.label_of(beside): list(map(format_ranked, found[beside], places[found.index])),
        },
        index=found.index,
    )
    said = ""
    if (ranks == 1).any():
        first, best, label = found.index[0], frame.index[0], charts.label_of(beside)
        same = f"so does {label}" if first == best else f"{label} ranks {best} first"
        said = f"**Your coefficient ranks {plain(str(first))} first**; {plain(same)}."
    return said, shown, found
