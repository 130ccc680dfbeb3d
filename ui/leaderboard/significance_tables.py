"""What do the tests of every two metrics decide? Clusters and p-values as tables, and what was not tested."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

import pandas as pd
import streamlit as st

import tiekit as tk
from tiekit.charts import NOT_TESTED
from tiekit.errors import collect_warnings
from ui.evalset import notes
from ui.page import tables
from ui.work import result_cache
from ui.work.text import format_number, plain


def clusters(
    found: tk.significance.Comparison, label: str, alpha: float, correction: str | None, probes: Collection[str]
) -> None:
    """Show the clusters of metrics that share a rank, and how to read them."""
    with collect_warnings() as coarse:
        cluster, of_metric = found.clusters(alpha, correction), pd.Series(found.values)
    values = pd.DataFrame({"value": of_metric, "cluster": cluster}).rename_axis("metric")
    shown = values[["cluster"]].assign(**{label: [format_number(value) for value in of_metric]})
    ranked = cluster.dropna()
    words = "; ".join(f"{name} {place}" for name, place in ranked.items())
    words += "".join(f"; {name} not tested" for name in found.untested)
    styler = shown.rename(index=notes.mark_probes(probes)).style.format({"cluster": str}, na_rep=NOT_TESTED)
    alt = f"Clusters at 5 %: {words}"
    tables.grid(styler, "clusters", alt, values=values, height="content", placeholder=NOT_TESTED)
    if len(ranked) > 1:
        places = int(ranked.max())
        first = list(ranked.index[ranked == 1])
        lead = f"{plain(first[0])} leads alone" if len(first) == 1 else f"{len(first)} share the first rank"
        number = notes.count_metrics(len(ranked), len(ranked.index.intersection(list(probes))))
        st.markdown(
            f"**{places} cluster{'s' * (places > 1)} of {number} at p ≤ .05: {lead}.** Within a "
            "cluster no difference is significant. Metrics of neighboring clusters need not differ either: a cluster "
            "ends with the first metric that differs from any of it."
        )
    said = [f"**Too few resamples:** {plain(message.partition(': ')[2])}." for _, message in coarse]
    st.markdown("\n\n".join(filter(None, (*said, say_untested(found)))))


def say_untested(found: tk.significance.Comparison) -> str:
    """Return why some metrics have no p-value."""
    flat = [name for name in found.untested if name in found.constant]
    lines = []
    if flat:
        lines.append(
            f"**Not tested: {plain(', '.join(flat))}.** A constant metric cannot be tested: its p is 1 whatever its "
            "value, so it belongs to no cluster."
        )
    if others := [name for name in found.untested if name not in flat]:
        lines.append(f"**Not tested: {plain(', '.join(others))}.** Without a value there is no difference to test.")
    return "\n\n".join(lines)


def pairs(found: tk.significance.Comparison, label: str, correction: str | None, key: tuple[object, ...]) -> None:
    """Show one row per pair of metrics, with p uncorrected and corrected."""
    with st.expander("p-values of every two metrics as a table"):
        shown, values = result_cache.once(("pairs", correction, *key), partial(_pairs, found, correction))
        words = f"{len(values)} pairs of metrics by {label}, the better first, with the difference and p-values"
        tables.grid(shown, "p-values", words, values=values, hide_index=True)
        if correction is not None:
            st.markdown("Clusters use the corrected p, not the uncorrected one.")


def _pairs(found: tk.significance.Comparison, correction: str | None) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The pairs as shown and in numbers; with a corrected p only if one is asked for."""
    values = found.pairs(correction)
    shown = pd.DataFrame({"first": values["first"], "second": values["second"]})
    shown["difference"] = [format_number(value) for value in values["difference"]]
    shown["p"] = [format_number(value, missing=NOT_TESTED) for value in values["pvalue"]]
    if correction is None:
        return shown, values.drop(columns="corrected")
    shown["corrected p"] = [format_number(value, missing=NOT_TESTED) for value in values["corrected"]]
    return shown, values
