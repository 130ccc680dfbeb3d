"""What else does the toy lab show? The scores as read, a prediction, the formulas with numbers, Pearson."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

import numpy as np
import pandas as pd
import streamlit as st

import tiekit as tk
from tiekit import charts
from tiekit.core import KINDS, SYMBOLS, Table, digest_of, near_tie_notes, sort_scores
from ui.link.controls import choose_many
from ui.page import lecture, predict, shell, tables
from ui.toy_lab import lab
from ui.toy_lab.inputs import Toy, append_item
from ui.work import downloads
from ui.work.text import count_noun, exact, format_number, plain

SHOWN_FORMULAS = ("tau_b", "tau_c", "tau_10", "acc_eq")
KINDS_OF_TABLE = (
    ("concordant", "ties_metric", "discordant"),
    ("ties_human", "ties_both", "ties_human"),
    ("discordant", "ties_metric", "concordant"),
)


def echo(toy: Toy) -> None:
    """Show the scores as they were read."""
    rows = {"h": toy.human, **toy.metrics}  # no metric is named h
    shown = pd.DataFrame([[exact(v) for v in values] for values in rows.values()], index=list(rows))
    shown.columns = [str(item) for item in range(1, shown.shape[1] + 1)]
    tables.spread(shown, "The scores as they were read: one row per line, one column per item")


def say_near_ties(toy: Toy) -> None:
    """Say where scores are nearly equal, which may be rounding noise."""
    notes = {}
    for name, metric in toy.metrics.items():
        pairs = np.array([toy.human, metric], np.float64)  # those of an example are whole numbers
        for note in near_tie_notes(sort_scores(*pairs[:, ~np.isnan(pairs).any(axis=0)])):
            side, text = note.split(": ", 1)
            notes[name if side == "metric" else "h"] = text
    with st.container():
        for name, text in notes.items():
            st.info(f"{plain(name)}: {plain(text)}. If they should be ties, type the same number for both.")


def predict_next_epsilon(toy: Toy) -> None:
    """Let the user predict what the next epsilon does to the accuracy of the metric that it is of."""
    name, metric = toy.chosen, toy.metrics[toy.chosen]
    pairs = tk.classify_pairs(toy.human, metric, epsilon=toy.epsilon)
    wider = pairs["metric_difference"].abs()
    wider = wider[wider > toy.epsilon]
    if wider.empty:
        return
    epsilon = float(wider.min())
    before, after = (tk.count_pairs(toy.human, metric, epsilon=e) for e in (toy.epsilon, epsilon))
    gained, lost = after.ties_both - before.ties_both, before.concordant - after.concordant
    truth = "It rises" if gained > lost else "It falls" if gained < lost else "It stays the same"
    options = {
        "It rises": "You may have counted only the correct ties that are won, not the correct orders that are lost.",
        "It stays the same": "It would have to win as many correct ties as it loses correct orders.",
        "It falls": "You may have counted only the correct orders that are lost, not the correct ties that are won.",
    }
    options[truth] = (
        f"The larger ε wins {count_noun(gained, 'correct tie')} and loses {count_noun(lost, 'correct order')}. So "
        f"{before.concordant + before.ties_both} of {before.total} pairs right become "
        f"{after.concordant + after.ties_both}."
    )
    question = f"Raise ε from {exact(toy.epsilon)} to {exact(epsilon)}: what happens to acc\\_eq of {plain(name)}?"
    predict.predict_first(
        f"toy: {digest_of(np.array([toy.human, metric]))} {exact(toy.epsilon)}", question, options, truth
    )


def formulas(toy: Toy) -> None:
    """Show the chosen coefficients: the formula with the numbers of each metric, its WMT table, its years."""
    counted = [name for name, entry in tk.COEFFICIENTS.items() if entry.formula is not None]
    counts = {name: _pairs_of(toy, name) for name in toy.metrics}
    across = 1 if lecture.is_on() else 2
    for chosen in choose_many("Formulas to show", counted, SHOWN_FORMULAS, "formulas", printed=tk.charts.label_of):
        entry = tk.COEFFICIENTS[chosen]
        st.subheader(plain(tk.charts.label_of(chosen)))  # a formula would be a heading without a name
        left, right = st.columns([3, 1], gap="medium") if across > 1 else (st.container(), st.container())
        with left:
            for first in range(0, len(counts), across):
                names = list(counts)[first : first + across]
                for name, column in zip(names, st.columns(across, gap="medium"), strict=False):
                    with column:
                        st.markdown(f"**{plain(name)}**")
                        st.latex(worked_formula(entry, counts[name], shell.theme()))
                        _say_printed(entry, counts[name])
        with right:
            _say_where_from(entry)


def _pairs_of(toy: Toy, name: str) -> tk.PairCounts:
    """The pairs of a metric at its threshold."""
    return tk.count_pairs(toy.human, toy.metrics[name], epsilon=toy.epsilons[name])


def worked_formula(entry: tk.Coefficient, counts: tk.PairCounts, theme: str) -> str:
    """Return a coefficient in LaTeX, in the colors of pairs: the formula, the formula with numbers, the value."""
    formula = entry.formula
    assert formula is not None, f"{entry.name} has no formula"
    value = entry.value(counts)
    shown = rf"\text{{undefined: {tk.core.why_undefined(counts)}}}" if value != value else format_number(value)
    symbols = formula.latex(_color_words({symbol: formula.symbol(symbol) for symbol in SYMBOLS}, theme))
    numbers = formula.latex(_color_words(dict(zip(SYMBOLS, map(str, counts.row.tolist()), strict=True)), theme))
    strut = r"\rule{0pt}{1.9em}"  # room above the first fraction, which Streamlit would cut off
    lines = (f"{entry.latex} &= {symbols}", f"&= {numbers}", f"&= {shown}")
    return r"\begin{aligned}" + strut + r"\\[10pt]".join(lines) + r"\end{aligned}\;"


def _color_words(words: dict[str, str], theme: str) -> dict[str, str]:
    """Words for the symbols, those of pairs in the colors of their kinds."""
    color = dict(zip(SYMBOLS, (charts.KIND_TEXT[theme][kind] for kind in KINDS), strict=False))
    return {s: rf"\textcolor{{{color[s]}}}{{{word}}}" if s in color else word for s, word in words.items()}


def _say_printed(entry: tk.Coefficient, counts: tk.PairCounts) -> None:
    """Say what the formula as printed in the paper gives, where it differs."""
    if entry.printed is not None:
        value = float(entry.printed(counts.row))
        shown = "leaves it undefined" if value != value else f"gives {format_number(value)}"
        st.markdown(f"Table 1 and Figure 2 of Deutsch et al. print it without the 2, which {shown}.")


def _say_where_from(entry: tk.Coefficient) -> None:
    """Show a coefficient's WMT table, the years of its use, and its source."""
    if entry.table is None:
        st.markdown("No WMT-style table: this coefficient is not a sum of fixed pair weights.")
    else:
        st.latex(wmt_table(entry.table, shell.theme()))
        st.markdown("Rows: the human's order of the first and the second item; columns: the metric's. X: not counted.")
    years = ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in entry.years)
    used = f"WMT's segment-level coefficient in {years}." if years else "Never WMT's segment-level coefficient."
    st.markdown(f"{used} {plain(entry.reference)}.")


def wmt_table(table: Table, theme: str) -> str:
    """Return WMT's table in LaTeX: how a pair counts, rows for the human, columns for the metric, X for not at all."""
    rows = []
    for sign, weights, kinds in zip("<=>", table, KINDS_OF_TABLE, strict=True):
        cells = [
            rf"\textcolor{{{charts.KIND_TEXT[theme][kind]}}}{{{'X' if weight is None else weight}}}"
            for weight, kind in zip(weights, kinds, strict=True)
        ]
        rows.append(" & ".join([sign, *cells]))
    head = r"h\backslash m & < & = & > \\ \hline "
    return r"\begin{array}{c|ccc}" + head + r" \\ ".join(rows) + r"\end{array}\;"


def pearson(toy: Toy) -> None:
    """Show Pearson, Spearman and Kendall of the present scores, and with one more item that all score 100."""
    st.markdown(
        "r uses the distances between scores and ρ uses their ranks; neither asks whether each pair is **ordered or "
        "tied** as the human has it. In the example *After Figure 1*, r prefers the noisy straight line and τ\\_b the "
        "bent one, which orders every pair correctly. One outlier can be enough to inflate r. The table shows each "
        "value before → after adding an item that everyone scores 100:"
    )
    rows = [{"metric": m, **_with_outlier(tuple(toy.human), tuple(scores))} for m, scores in toy.metrics.items()]
    values = pd.DataFrame(rows)
    shown = pd.DataFrame({"metric": [plain(metric) for metric in toy.metrics]})
    for now, then in zip(values.columns[1::2], values.columns[2::2], strict=True):
        pairs = zip(values[now], values[then], strict=True)
        shown[plain(now)] = [f"{format_number(one)} → {format_number(other)}" for one, other in pairs]
    words = "r, ρ and τ_b before and after adding an item that everyone scores 100"
    tables.show(shown, "outlier", words, values=values)
    st.button(
        "Add an item that everyone scores 100",
        key="add_outlier",
        on_click=append_item,
        args=(100.0,),
        icon=":material/add:",
    )


@lru_cache(1000)
def _with_outlier(human: tuple[float, ...], scores: tuple[float, ...]) -> dict[str, float]:
    """r, ρ and τ_b now, and with one more item that both score 100."""
    return {
        f"{tk.COEFFICIENTS[name].label}{when}": tk.correlate([*human, *more], [*scores, *more], name).value
        for name in ("pearson", "spearman", "tau_b")
        for when, more in (("", []), (" with it", [100.0]))
    }


def take_away(toy: Toy) -> None:
    """Offer counts, values and pairs as tables, and the code that reproduces them."""
    with st.container(horizontal=True):
        for label, file, table in (
            ("Coefficients (CSV)", "toy-coefficients", _coefficients),
            ("Counts (CSV)", "toy-counts", _counts),
            ("Every pair (CSV)", "toy-pairs", _pairs),
        ):
            made = partial(_as_csv, table, toy)  # when it is asked for
            downloads.offer(label, made, f"{file}.csv", "text/csv")
        downloads.embed(lab.as_page(toy), "toy-lab.html")
    variables = {name: f"m{number}" for number, name in enumerate(toy.metrics, 1)}
    metrics = ", ".join(f"{name!r}: {variable}" for name, variable in variables.items())
    thresholds = ", ".join(f"{name!r}: {'epsilon' if name == toy.chosen else 0}" for name in toy.metrics)
    call = (
        f"metrics = {{{metrics}}}\n"
        f"epsilons = {{{thresholds}}}  # calibration has one for each metric\n"
        "for name, metric in metrics.items():\n"
        "    print(name, tk.count_pairs(h, metric, epsilon=epsilons[name]))\n"
        "{\n"
        "    name: {\n"
        "        coefficient: (entry.value(tk.count_pairs(h, metric, epsilon=epsilons[name])) if entry.formula\n"
        "                      else tk.correlate(h, metric, coefficient).value)\n"
        "        for coefficient, entry in tk.COEFFICIENTS.items()\n"
        "    }\n"
        "    for name, metric in metrics.items()\n"
        "}"
    )
    data = {"h": toy.human, **{variables[name]: scores for name, scores in toy.metrics.items()}}
    downloads.show_code("Toy lab", call, {**data, "epsilon": toy.epsilon})


def _as_csv(table: Callable[[Toy, str], pd.DataFrame], toy: Toy) -> str:
    parts = [table(toy, name).assign(metric=name) for name in toy.metrics]
    return pd.concat(parts).to_csv(index=False)


def _coefficients(toy: Toy, name: str) -> pd.DataFrame:
    values = charts.value_frame(toy.human, toy.metrics[name], toy.epsilons[name], list(tk.COEFFICIENTS))
    return values[["name", "value"]].rename(columns={"name": "coefficient"})


def _counts(toy: Toy, name: str) -> pd.DataFrame:
    counts = _pairs_of(toy, name)
    return pd.DataFrame([{kind: getattr(counts, kind) for kind in KINDS} | {"total": counts.total}])


def _pairs(toy: Toy, name: str) -> pd.DataFrame:
    pairs = tk.classify_pairs(toy.human, toy.metrics[name], epsilon=toy.epsilons[name])
    return pairs.assign(i=pairs["i"] + 1, j=pairs["j"] + 1)
