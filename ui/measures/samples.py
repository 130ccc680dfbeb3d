"""What does the mean of several samples of a judge gain? Some metrics of the open set, taken as one judge's samples."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

import tiekit as tk
from tiekit.charts import measure_label
from tiekit.core import FloatArray, Progress, digest_of
from ui.evalset.compared_set import ComparedSet
from ui.link.controls import choose_many
from ui.page import tables
from ui.work import presets, result_cache
from ui.work.text import format_number

REPEATS = 100
"""The most choices of n samples that are averaged; the paper has 1,000."""


def averaged_samples(case: ComparedSet, measures: list[str]) -> None:
    """Show each measure of the mean of n samples, for every n (Figure 4)."""
    st.markdown(
        "A language model that is asked again gives other scores. The mean of several samples has more different "
        "scores. Upload a set with one file of scores per sample, and choose these files."
    )
    names = choose_many("Samples of one judge", list(case.metrics), [], "msr_samples")
    if len(names) < 2 or not measures:
        st.info("Choose at least two samples and one measure.")
        return
    scores = [case.metrics[name] for name in names]
    key = "samples", digest_of(case.human, *scores), tuple(measures)
    done = result_cache.compute("Averaging", {"samples": (key, partial(_average, case.human, scores, tuple(measures)))})
    if not done:
        return
    found: pd.DataFrame = done["samples"]
    rows: dict[int, dict[str, str]] = {}
    for n, measure, median, low, high, _, levels in found.itertuples(index=False):
        row = rows.setdefault(n, {"levels": f"{levels:,.0f}"})
        row[measure_label(measure)] = f"{format_number(median)} ({format_number(low)} to {format_number(high)})"
    shown = pd.DataFrame.from_dict(rows, orient="index").rename_axis("samples")
    tables.grid(shown, "samples", "Each measure by the number of samples that are averaged", values=found)
    st.markdown(f"Median over up to {REPEATS} choices of n samples, with the percentiles 2.5 and 97.5.")
    call = f"samples = np.array([chosen.metrics[name] for name in {names}])\n"
    call += f"tk.measures.granularity_of_samples(chosen.human[{case.rated!r}], samples, {measures}, repeats={REPEATS})"
    case.show_code("samples of a judge", names, f"import numpy as np\n\n{call}")


def _average(
    human: FloatArray, scores: list[FloatArray], measures: tuple[str, ...], progress: Progress
) -> pd.DataFrame:
    return tk.measures.granularity_of_samples(
        human, np.array(scores), measures, repeats=REPEATS, rng=presets.SEED, progress=progress
    )
