"""Which metrics resemble a probe, what does length do, how often does the human tie?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

import tiekit as tk
from tiekit import charts
from tiekit.core import DOCUMENT_GROUPINGS, FloatArray, Progress, digest_of, group_checked, values_per_group
from tiekit.sentinels import lengths
from ui.evalset import choices, largest
from ui.evalset.compared_set import ComparedSet, levels
from ui.evalset.groupings import grouping_phrase
from ui.link.controls import choose, choose_many
from ui.page import glossary, shell, tables
from ui.work import presets, result_cache
from ui.work.text import cell, format_epsilon, format_number, percent, plain, rows_of

COEFFICIENTS = ("pearson", "spearman", "tau_b")
POINTS = 1200
"""The number of translations that are drawn; lines and shares are of all."""

MOST = "the one that follows length most"
"""Always the first option, so that a link that names no metric means the same on every data set."""

HUMAN = "the human"


def correlations(case: ComparedSet) -> None:
    """Show the correlations of all metrics, probes and the human score (Appendix D)."""
    glossary.terms("probe", "spurious correlation")
    probes = case.probes
    one, two = st.columns(2, gap="medium")
    with one:
        coefficient = choose("Coefficient", COEFFICIENTS, "sen_between", printed=charts.label_of)
    with two:
        grouping = choices.choose_grouping(case.data, "sen_between_by", "global")
    names = choose_many("Metrics", list(case.metrics), list(case.metrics), "shown_metrics")
    if len(names) > presets.MOST_COMPARED:
        most = presets.MOST_COMPARED
        st.info(f"Up to {most} metrics are compared with each other: the first of the {len(names)} chosen.")
        names = names[: presets.MOST_COMPARED]
    scores = {HUMAN: case.human, **{name: case.metrics[name] for name in names}, **probes}
    same = [name for name in scores if levels(scores[name]) < 2]
    scores = {name: matrix for name, matrix in scores.items() if name not in same}
    names, known = ([name for name in some if name in scores] for some in (names, probes))
    key = ("between", coefficient, *case.pairs_key(grouping), tuple(scores), digest_of(*scores.values()))
    asked: dict[str, Any] = {"coefficient": coefficient, "grouping": grouping, "documents": case.documents}

    def compute(progress: Progress) -> pd.DataFrame:
        return tk.sentinels.metric_correlations(scores, **asked, progress=progress)

    found = result_cache.compute("Correlating metric with metric", {"all": (key, compute)}).get("all")
    if found is None:
        return
    label = tk.COEFFICIENTS[coefficient].label
    frame, shown = result_cache.once(
        ("laid out", *key), lambda: (charts.correlations_frame(found), found.map(format_number))
    )
    figure = charts.correlations_chart(tuple(found.columns), label, shell.theme())
    words = f"{label} of {len(found)} metrics and probes with each other, {grouping_phrase(grouping)}"
    shell.draw(frame, figure, words, "sen_between")
    st.markdown(_likest(found, known, names))
    if same:
        st.markdown(f"Excluded because they are constant: {plain(', '.join(same))}.")
    with st.expander("Numbers"):
        tables.grid(shown, "metric-by-metric", words, values=found)
    call = f"scores = {{{HUMAN!r}: chosen.human[{case.rated!r}]}}\n"
    call += f"scores |= {{name: chosen.metrics[name] for name in {names}}}\n"
    call += f"scores |= tk.sentinels.probes(chosen, names={known}, human={case.rated!r}, exclude=())\n"
    asked_of = f"coefficient={coefficient!r}, grouping={grouping!r}{case.documents_code(grouping)}"
    call += f"tk.sentinels.metric_correlations(scores, {asked_of})"
    case.show_code("metric by metric", names, call, lengths=True)


def _likest(found: pd.DataFrame, probes: list[str], names: list[str]) -> str:
    """Which metric is closest to each probe, in words."""
    lines = []
    for probe in probes:
        near = found.loc[probe, names].dropna()
        if near.empty:
            lines.append(f"- **{probe}**: undefined, because it is constant in every group.")
            continue
        name = str(near.abs().idxmax())
        human = cell(found, probe, HUMAN)
        words = f"{plain(name)}, {format_number(cell(found, probe, name))}; the human has {format_number(human)}"
        lines.append(f"- **{probe}** is closest to {words}.")
    return "\n".join(lines)


def length(case: ComparedSet) -> None:
    """Draw the length of translations against human and metric scores (Figure 1 and Appendix E)."""
    glossary.terms("length bias", "MQM")
    if not case.data.lengths.outputs:
        st.info("This set holds neither translations nor their lengths. The bundled sets hold lengths.")
        return
    metric = choose("Metric", [MOST, *case.metrics], "sen_length")
    if metric == MOST:
        task = ("follows length", *case.key), partial(_follows_length, case)
        follows = result_cache.compute("Comparing scores with lengths", {"all metrics": task}).get("all metrics")
        if follows is None:
            return
        metric = str(follows)
    chosen = case.opened.digest, tuple(case.exclude), case.domain
    key = ("length", metric, case.rated, *chosen, digest_of(case.human, case.metrics[metric]))

    def measure(progress: Progress) -> tuple[tk.sentinels.LengthBias, int]:
        """The bias with a part of its points, and the number of all points."""
        progress(0.0)
        bias = tk.sentinels.length_bias(case.data, metric, human=case.rated, exclude=(), progress=progress)
        some = bias.points.sample(min(POINTS, len(bias.points)), random_state=0).sort_index()
        return replace(bias, points=some), len(bias.points)

    found = result_cache.compute("Measuring lengths", {metric: (key, measure)}).get(metric)
    if found is None:
        return
    bias: tk.sentinels.LengthBias = found[0]
    sides = {"human": case.rated, "metric": metric}
    for column, (side, name) in zip(st.columns(2, gap="medium"), sides.items(), strict=True):
        with column:
            st.markdown(f"**{plain(name)}**")
            slope = format_epsilon(cell(bias.lines, side, "slope"))
            r = format_number(cell(bias.lines, side, "r"), ".2f")
            words = f"Length against score of {name}: slope {slope} a character, r {r}"
            figure = charts.length_chart(side, name, shell.theme())
            shell.draw(charts.length_frame(bias), figure, words, f"sen_length_{side}")
    st.markdown(
        _say_lines(bias, sides) + f" The plot shows a random {len(bias.points):,} of {found[1]:,} translations."
    )
    st.subheader("How often do long translations get a perfect score?")
    words = "; ".join(
        f"{row.shortest} to {row.longest} characters: human {percent(row.human)}, metric {percent(row.metric)}"
        for row in rows_of(bias.perfect)
    )
    figure = charts.perfect_chart((case.rated, metric), shell.theme())
    shell.draw(charts.perfect_frame(bias), figure, f"Share of perfect scores by length: {words}", "sen_perfect")
    st.markdown(
        f"Perfect: {plain(case.rated)} of at least {bias.human_from:g}; {plain(metric)} of at least "
        f"{format_epsilon(bias.metric_from)}, which as many of its scores reach. Where the two lines part, "
        f"the metric judges by length."
    )
    call = f"tk.sentinels.length_bias(chosen, {metric!r}, human={case.rated!r}, exclude=()).perfect"
    case.show_code("length", [metric], call, lengths=True)


def _follows_length(case: ComparedSet, progress: Progress) -> str:
    """The non-constant metric with the strongest correlation with length."""
    long, pearson = lengths(case.data), tk.COEFFICIENTS["pearson"]
    strengths: dict[str, float] = {}
    for number, (name, scores) in enumerate(case.metrics.items()):
        progress(number / len(case.metrics))
        values = values_per_group(group_checked(long, scores, "global"), pearson)
        strengths[name] = float(np.abs(np.nan_to_num(values)).max(initial=0.0))
    return max(strengths, key=strengths.__getitem__)


def _say_lines(bias: tk.sentinels.LengthBias, sides: dict[str, str]) -> str:
    r = ", ".join(f"{plain(name)} {format_number(cell(bias.lines, side, 'r'))}" for side, name in sides.items())
    slopes = {plain(name): format_epsilon(100 * cell(bias.lines, side, "slope")) for side, name in sides.items()}
    change = " and ".join(f"{slope.replace('-', '−')} on {name}" for name, slope in slopes.items())
    return f"**Correlation with length: {r}.** Per 100 extra characters the score changes by {change}."


GROUPINGS = ("global", "item", "system")
"""The groupings of single translations that papers count ties by."""


def _count(case: ComparedSet, progress: Progress) -> dict[str, dict[str, tk.Ties]]:
    """Ties of the human score, overall and by domain, and of the other human scores, by grouping."""
    domains = largest.domains_of(case.data)[0] if case.domain is None else []
    others = [name for name in case.data.human if name != case.rated]
    names = [case.rated, *(f"{case.rated}, {name}" for name in domains), *others]

    def parts() -> Iterator[tuple[FloatArray, Sequence[str] | None]]:
        """Scores and documents of each row, one at a time: together they may be many times the set."""
        yield case.human, case.documents
        for columns in largest.segments_of(domains, case.data.domains):
            documents = None if case.documents is None else [case.documents[column] for column in columns.tolist()]
            yield case.human[:, columns], documents
        for name in others:
            yield case.data.human[name], case.documents

    def count(at: int, scores: FloatArray, documents: Sequence[str] | None) -> dict[str, tk.Ties]:
        found: dict[str, tk.Ties] = {}
        for number, by in enumerate(groupings):
            progress((at + number / len(groupings)) / len(names))
            found[by] = tk.count_ties(scores, grouping=by, documents=documents)
        return found

    groupings = _groupings_of(case)
    return {name: count(at, *part) for at, (name, part) in enumerate(zip(names, parts(), strict=True))}


def _groupings_of(case: ComparedSet) -> tuple[str, ...]:
    """The groupings whose ties are counted; by document where the set has documents."""
    return (*GROUPINGS, *(DOCUMENT_GROUPINGS if case.documents else ()))


def tied_pairs(case: ComparedSet) -> None:
    """Show the share of pairs that the human ties, by grouping, for this set and for those in papers."""
    glossary.terms("MQM", "tie", "grouping")
    st.markdown(
        "The share of human ties differs between data sets. So an ε\\* that suits one set need not suit another, nor "
        "does the rank of a discrete metric."
    )
    task = ("ties", *case.key, case.documents), partial(_count, case)
    found = result_cache.compute("Counting ties", {case.rated: task}).get(case.rated)
    if found is None:
        return
    rows = [
        (
            plain(name),
            *(f"{format_number(100 * ties.share, '.1f')} %" if ties.n_pairs else "undefined" for ties in by.values()),
        )
        for name, by in found.items()
    ]
    values = [
        {"human score": name, "grouping": by, "pairs": ties.n_pairs, "tied": ties.n_tied, "at 0": ties.n_tied_at}
        for name, every in found.items()
        for by, ties in every.items()
    ]
    heads = [grouping_phrase(by).removeprefix("by ") for by in _groupings_of(case)]
    shown = pd.DataFrame(rows, columns=["human score", *heads])
    tables.show(shown, "tied pairs", "Share of tied pairs by human score and grouping", values=pd.DataFrame(values))
    if said := largest.say_largest(len(set(case.data.domains)), "domains", "shown"):
        st.caption(said)
    st.markdown("For comparison, from Deutsch et al. (2023), Tables 3 and 9, MQM of WMT 2022:")
    printed = pd.DataFrame(presets.table("sentinel_presets.toml", "printed"))
    shown = printed.set_axis(["language pair", *heads[: len(GROUPINGS)]], axis=1)
    shown = shown.map(lambda cell: cell if isinstance(cell, str) else f"{cell} %")
    tables.show(shown, "tied pairs printed", "Share of tied pairs as the paper prints them", values=printed)
    call = f"human = chosen.human[{case.rated!r}]\n"
    documents = ", documents=chosen.documents" * (case.documents is not None)
    call += f"{{by: tk.count_ties(human, grouping=by{documents}).share for by in {_groupings_of(case)}}}"
    case.show_code("tied pairs", list(case.metrics)[:1], call)
