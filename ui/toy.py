"""What do typed scores show? The toy lab's cards: counts, coefficients, pairs and formulas of a metric."""

from __future__ import annotations

import pandas as pd
import streamlit as st

import tiekit as tk
from tiekit import charts
from tiekit.formula import SYMBOLS
from ui import shell
from ui.text import exact, plain
from ui.toy_input import Toy

SPOKEN_PAIRS = 66
"""A chart of more pairs says in words how many are of each kind, not each pair."""


def echo(toy: Toy) -> None:
    """The scores as they were read."""
    rows = {"h": toy.human, **toy.metrics}  # no metric is called h
    shown = pd.DataFrame([[exact(v) for v in values] for values in rows.values()], index=[plain(name) for name in rows])
    shown.columns = [str(item) for item in range(1, shown.shape[1] + 1)]
    st.table(shown, alt="The scores as they were read, a row a vector, a column an item")


def legend() -> None:
    """What the glyphs mean, and how a pair is read."""
    kinds = " · ".join(f"**{glyph}** {label}" for _, glyph, label in charts.KIND_STYLE.values())
    st.markdown(
        f"{kinds}. A pair is read from its earlier to its later item: human **<** says that the earlier one has the "
        "lower human score."
    )


def card(name: str, toy: Toy) -> None:
    """One metric: its counts in the 3×3 table, every coefficient, its best epsilon."""
    metric = toy.metrics[name]
    counts = tk.count_pairs(toy.human, metric, epsilon=toy.epsilon)
    st.subheader(plain(name))
    if not counts.total:
        st.markdown("No pair yet: at least two items need both scores.")
        return
    right = counts.concordant + counts.ties_both
    st.markdown(f"**{counts.total} pairs, {right} right**: ordered or tied as the human has them.")
    table = charts.table_frame(toy.human, metric, toy.epsilon)
    shell.draw(table, charts.table_chart(shell.theme()), f"WMT table of {name}: {tally(counts)}", f"table_{name}")
    values = charts.value_frame(toy.human, metric, toy.epsilon, list(tk.COEFFICIENTS))
    draw_values(values, name)
    missing = values.loc[values["value"].isna(), "label"]
    if len(missing):
        reason = tk.why_undefined(counts) or "one side has no two different scores"
        st.markdown(f"Undefined, for {reason}: {', '.join(plain(label) for label in missing)}.")
    best = tk.calibrate(toy.human, metric)
    in_full = "" if f"{best.epsilon:.6g}" == exact(best.epsilon) else f" (in full {exact(best.epsilon)})"
    st.markdown(rf"acc\_eq is highest, {best.value:.3f}, at ε\* = {best.epsilon:.6g}{in_full}.")


def tally(counts: tk.PairCounts) -> str:
    """The five counts in words."""
    return ", ".join(f"{getattr(counts, kind)} {style[2]}" for kind, style in charts.KIND_STYLE.items())


def draw_values(values: pd.DataFrame, name: str) -> None:
    """Coefficients of one metric as bars, and in words for who cannot see them."""
    words = ", ".join(f"{label} {shown}" for label, shown in zip(values["label"], values["shown"], strict=True))
    figure = charts.value_chart(tuple(values["label"]), shell.theme())
    shell.draw(values, figure, f"Coefficients of {name}: {words}", f"values_{name}")


def pairs(name: str, toy: Toy) -> None:
    """Every pair of one metric as a cell."""
    frame = charts.matrix_frame(toy.human, toy.metrics[name], toy.epsilon)
    if frame.empty:
        return
    words = "; ".join(f"{row.i} and {row.j} {row.kind.replace('_', ' ')}" for row in frame.itertuples())
    if len(frame) > SPOKEN_PAIRS:
        words = tally(tk.count_pairs(toy.human, toy.metrics[name], epsilon=toy.epsilon))
    figure = charts.matrix_chart(len(toy.human), shell.theme())
    shell.draw(frame, figure, f"Pairs of {name}: {words}", f"pairs_{name}")


def formulas(name: str, toy: Toy) -> None:
    """Every coefficient of counts: its formula, the present numbers put in, its value."""
    counts = tk.count_pairs(toy.human, toy.metrics[name], epsilon=toy.epsilon)
    entries = [entry for entry in tk.COEFFICIENTS.values() if entry.formula is not None]
    for first in range(0, len(entries), 2):
        for entry, column in zip(entries[first : first + 2], st.columns(2), strict=True):
            with column:
                st.latex(worked(entry, counts))
                if entry.printed is not None:
                    value = float(entry.printed(counts.row))
                    shown = "leaves it undefined" if value != value else f"gives {value:.3f}"
                    st.markdown(f"Table 1 and Figure 2 of Deutsch et al. print it without the 2, which {shown}.")


def worked(entry: tk.Coefficient, counts: tk.PairCounts) -> str:
    """A coefficient in LaTeX, line by line: the formula, the formula with numbers, the value."""
    numbers = dict(zip(SYMBOLS, map(str, counts.row.tolist()), strict=True))
    value = entry.value(counts)
    shown = rf"\text{{undefined: {tk.why_undefined(counts)}}}" if value != value else f"{value:.3f}"
    formula = entry.formula
    assert formula is not None, f"{entry.name} has no formula"
    lines = (f"{entry.latex} &= {formula.latex()}", f"&= {formula.latex(numbers)}", f"&= {shown}")
    strut = r"\rule{0pt}{1.9em}"  # room above the first fraction, which Streamlit would cut off
    return r"\begin{aligned}" + strut + r"\\[10pt]".join(lines) + r"\end{aligned}\;"
