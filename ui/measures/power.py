"""Which measure should one trust? How well measures tell metrics apart, and how consistently they rank them."""

from __future__ import annotations

from functools import partial

import pandas as pd
import pyarrow as pa
import streamlit as st

import tiekit as tk
from tiekit import charts
from tiekit.charts import measure_label
from tiekit.core import digest_of, short
from tiekit.significance import SWAPS
from ui.evalset.choices import are_too_many
from ui.evalset.compared_set import ComparedSet
from ui.link.controls import choose, choose_many
from ui.measures import choices
from ui.measures.choices import Dataset
from ui.page import glossary, shell, tables
from ui.work import presets, result_cache
from ui.work.result_cache import Task
from ui.work.text import format_number, format_ranked, plain, rows_of

RESAMPLES = ("99", "199", "999")
"""The choices for the number of resamples and of splits; the paper has 999 and 1,000."""


LEVEL = 0.01
"""Mean p-values that differ by at most this are called level; few resamples determine them no better."""

WHY = {
    "global": (
        "All translations are compared with all. Those are the most pairs, so little is left to chance, as in the "
        "paper. But it also rewards knowing which segments are hard: see *When people tie less*.",
        "Its pairs are the most, and the paper finds it best. But pairs of different segments also say which segments "
        "are hard, and metrics that know that alike are hard to tell apart.",
    ),
    "item": (
        "Only translations of one segment are compared. How hard segments are plays no part, and the mean over many "
        "groups is steady.",
        "Only translations of one segment are compared: a few scores a group, and much chance in each. The paper finds "
        "it second.",
    ),
    "system": (
        "A group holds a system's translations of all segments: long vectors, and metrics differ by whether they know "
        "which segments are hard.",
        "There are as few groups as systems, and much of what they hold is how hard segments are. The paper finds it "
        "third.",
    ),
    "system_means": (
        "All scores of a system become one mean: most of the noise goes, and here what stays tells metrics apart.",
        "A few means are all that is left of all the scores: hardly any two metrics can be told apart by them. The "
        "paper finds it last.",
    ),
}
"""Why a grouping may tell metrics apart best, and why it may not."""

USUAL = frozenset(f"{grouping}/{name}" for grouping in WHY for name in choices.USUAL)
"""The paper's twelve measures."""


PLACES = 1_000
"""Maximum number of places of a curve: of a hundred metrics there are five times as many pairs."""

POWER = """metrics = {{name: chosen.metrics[name] for name in {metrics}}}
datasets = {{name: (chosen.human[name], metrics) for name in {rated}}}
measures = {measures}
power = tk.measures.discriminative_power(datasets, measures, swap={swap!r}{documents}, n_resamples={size})
tk.measures.compare_measures(power, tk.measures.ranking_consistency(datasets, measures, n_splits={size}))"""


def power_and_consistency(case: ComparedSet, measures: list[str]) -> None:
    """Show discriminative power and ranking consistency of any measures over several data sets (Table 2)."""
    glossary.terms("discriminative power", "ranking consistency")
    metrics = choices.choose_metrics(case)
    named = case.data.documents or None
    of_any = {name: scheme for name, scheme in SWAPS.items() if scheme.of_scores and not scheme.of_means}
    known = [name for name, scheme in of_any.items() if named or not scheme.needs_documents]
    swaps = sorted(known, key=lambda name: (name == "documents", name))
    one, two, three = st.columns(3, gap="medium")
    with one:
        rated = choose_many("Data sets: human scores", list(case.data.human), [case.rated], "msr_datasets")
    with two:
        swap = choose("What the tests swap", swaps, "msr_swap")
    with three:
        size = int(choose("Number of resamples and splits", RESAMPLES, "msr_resamples"))
    st.markdown(
        f"Every two metrics are tested by each measure; {plain(SWAPS[swap].text)}. The **mean p-value** is the "
        "measure's discriminative power (low = discriminates). Then the segments are split in half at random, again "
        "and again: the mean agreement of the two rankings of metrics is its **ranking consistency**."
    )
    if not measures or not metrics or not rated:
        st.info("Choose at least one human score.")
        return
    if are_too_many(len(metrics)):
        return
    datasets: dict[str, Dataset] = {name: (case.data.human[name], metrics) for name in rated}
    of_scores = tuple(rated), digest_of(*(human for human, _ in datasets.values())), choices.data_key(case, metrics)
    documents = named if SWAPS[swap].needs_documents else None
    key = (*of_scores, tuple(measures), size)
    test = partial(tk.measures.discriminative_power, datasets, measures, swap=swap, documents=documents)
    split = partial(tk.measures.ranking_consistency, datasets, measures, n_splits=size, rng=presets.SEED)
    tasks: dict[str, Task] = {
        "p-values": (
            ("power", *key, swap, documents),
            lambda progress: test(n_resamples=size, rng=presets.SEED, progress=progress),
        ),
        "halves": (("consistency", *key), lambda progress: split(progress=progress)),
    }
    done = result_cache.compute("Testing and splitting", tasks)
    if len(done) < len(tasks):
        return
    table = result_cache.once(
        ("table 2", *key, swap, documents), lambda: tk.measures.compare_measures(done["p-values"], done["halves"])
    )
    why_level = f"Of {{names}} the mean p differs by {LEVEL} or less: that is within the error of resampling."
    if not choices.predict_least(
        f"measures power: {digest_of(table['DP'].to_numpy(float))} {swap}",
        "Which grouping tells these metrics apart best, with the lowest mean p, averaged over its measures?",
        table.groupby("grouping", sort=False)["DP"].mean(),
        LEVEL,
        WHY,
        {"none: the best are about the same": (why_level, f"The best is ahead of all others by more than {LEVEL}.")},
        ("It is among the best. ", "Mean p over a grouping's measures"),
        is_about_files=True,
    ):
        return
    _table(table)
    _pictures(table, done["p-values"], (*key, documents, swap), rated[0])
    wanted = {"swap": swap, "documents": "" if documents is None else ", documents=chosen.documents", "size": size}
    call = POWER.format(metrics=list(metrics), rated=list(rated), measures=measures, **wanted)
    st.code(f"{done['p-values'].signature}\n{done['halves'].signature}", language=None, wrap_lines=True)
    case.show_code("power and consistency", list(metrics), call, humans=rated)


def _table(table: pd.DataFrame) -> None:
    """Values with ranks in brackets, as in Table 2."""
    shown = pd.DataFrame({"measure": [measure_label(str(name)) for name in table.index]})
    for column, head in (("DP", "mean p ↓"), ("RC", "consistency ↑")):
        ranks = zip(table[column], table[f"rank({column})"], strict=True)
        shown[head] = [format_ranked(value, rank) for value, rank in ranks]
    best = {column: table[column].idxmin() if column == "DP" else table[column].idxmax() for column in ("DP", "RC")}
    words = (
        f"{len(table)} single measures: “{measure_label(str(best['DP']))}” has the lowest mean p, "
        f"“{measure_label(str(best['RC']))}” is most consistent"
    )
    shown["measure"] = shown["measure"].map(plain)
    tables.show(shown, "measures", words, values=table.rename_axis("measure").reset_index())
    paper = "The paper compares twelve measures, Pearson, Spearman and Kendall by each of the four groupings."
    if set(table.index) >= USUAL:
        paper = (
            "Of the usual twelve, over 30 data sets, the paper finds global Pearson to lead in both (0.107 and 0.774), "
            "and system means to be last: with Kendall by mean p (0.381), with Spearman by consistency (0.485, where "
            "Kendall has 0.486)."
        )
    st.markdown(f"**{plain(words)}.** {paper}")


def _curve(power: tk.measures.DiscriminativePower, rated: str) -> pd.DataFrame:
    """The p-values of pairs by a human score, of so many places as a curve shows.

    Names are shown in a box, and are as long as such a box is wide.
    """
    curve = power.curve(rated)
    step = -(-max(curve["place"], default=1) // PLACES)
    return curve[(curve["place"] - 1) % step == 0].assign(
        **{side: curve[side].map(short) for side in ("first", "second")}
    )


def _pictures(table: pd.DataFrame, power: tk.measures.DiscriminativePower, key: tuple[object, ...], rated: str) -> None:
    """Draw the p-value curves by a human score, and power against consistency."""
    measures = tuple(map(str, table.index))
    frames = result_cache.once(
        ("power frames", *key),
        lambda: (
            pa.Table.from_pandas(charts.power_frame(_curve(power, rated)).drop(columns=["first", "second"])),
            pa.Table.from_pandas(charts.trust_frame(table)),
        ),
    )
    left, right = st.columns(2, gap="medium")
    with left:
        middle = pd.DataFrame(power.pvalues.xs(rated, level="dataset")).median()
        words = "; ".join(f"{measure_label(str(name))} {format_number(value)}" for name, value in middle.items())
        shell.draw(frames[0], charts.power_chart(measures, shell.theme()), f"p-value curves, medians: {words}", "msr_p")
    with right:
        words = "; ".join(
            f"{measure_label(row.Index)} {format_number(row.DP)} and {format_number(row.RC)}" for row in rows_of(table)
        )
        words = f"Mean p and consistency by measure: {words}"
        shell.draw(frames[1], charts.trust_chart(measures, shell.theme()), words, "msr_trust")
    st.markdown(
        f"Left: the p-values of all pairs of metrics by {plain(rated)} in falling order; the sooner a curve drops, the "
        "more power. Right: the best measures are at the upper left. **Power is not truth:** a measure that rewards "
        "length tells metrics of different length apart, too."
    )
