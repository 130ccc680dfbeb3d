"""How high can any metric score on typed rankings that contradict each other?"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
import pyarrow as pa
import streamlit as st

import tiekit as tk
from tiekit.core import IntArray
from ui.judgments.inputs import COEFFICIENTS, TypedRankings, examples
from ui.page import tables
from ui.work import downloads, result_cache
from ui.work.text import count_noun, format_number, plain, vector

SEGMENT = "1"
"""All typed rankings are of one segment."""

ROUNDING = 1e-12

TIES_GAIN = (
    "A metric can tie the disputed pairs, which then do not count, and order only pairs on which all judges agree."
)
TIES_COUNT = "That is the cap of a metric without ties. But τ\\_13 leaves out the pairs that a metric ties."


@dataclass(frozen=True)
class TypedCaps:
    """Typed rankings, and what any metric can reach on them; computed once for all who type the same."""

    typed: TypedRankings
    entry: tk.Coefficient

    @cached_property
    def preferences(self) -> tk.judgments.Preferences:
        """Every judgment, ties too."""
        return tk.judgments.Rankings.from_rows(self.typed.rows).preferences("keep")

    @cached_property
    def found(self) -> dict[str, tk.judgments.Attainable]:
        """What is attainable, by coefficient."""
        return {name: tk.judgments.attainable(self.preferences, name) for name in COEFFICIENTS}

    @property
    def limit(self) -> tk.judgments.Attainable:
        """What is attainable by the chosen coefficient."""
        return self.found[self.entry.name]

    @cached_property
    def counted(self) -> str:
        """How many judgments there are, and how many are repeated or contradicted."""
        return _count_judgments(self.preferences)

    @cached_property
    def pairs(self) -> tuple[pa.Table, pd.DataFrame]:
        """One row per pair: the judgments, and what the best metric says; as shown and for a file."""
        shown, values = _pairs(self)
        return pa.Table.from_pandas(shown), values

    @property
    def key(self) -> tuple[str, str]:
        """What all results depend on."""
        return repr(self.typed), self.entry.name

    @property
    def label(self) -> str:
        """The coefficient, safe in Markdown."""
        return plain(self.entry.label)


def find(typed: TypedRankings, entry: tk.Coefficient) -> TypedCaps:
    """Return what any metric can reach on typed rankings, computed once."""
    made = TypedCaps(typed, entry)
    return result_cache.once(("judged", *made.key), lambda: made)


def _count_judgments(given: tk.judgments.Preferences) -> str:
    """How many judgments there are, and how many are repeated or contradicted."""
    ties, found = int((given.outcome == 0).sum()), tk.judgments.agreement(given)
    agreeing = [
        f"{part.n_agreed} of {part.n} agree where {who}"
        for part, who in ((found.between, "two judges gave them"), (found.within, "one judge gave both"))
        if part.n
    ]
    return (
        f"{count_noun(given.rankings.n_sets, 'ranked set')}: {count_noun(given.n_judgments, 'judgment')} of "
        f"{count_noun(given.n_pairs, 'pair')} of translations, {ties or 'none'} of them a tie. "
        f"**{count_noun(given.contradictory, 'pair')} contradicted.**"
        + f" Of every two judgments of the same pair, {'; '.join(agreeing)}."
        * bool(agreeing)
    )


def gains_by_tying(limit: tk.judgments.Attainable) -> bool:
    """Return whether a metric reaches more if it ties some pairs, as under τ_13."""
    return limit.reachable_tying - limit.reachable > ROUNDING


def _counting(caps: TypedCaps) -> IntArray:
    """Counts of <, =, > by pair; without ties for a τ, which excludes human ties."""
    counts = caps.preferences.pairs.counts.copy()
    if not caps.entry.handles_ties:
        counts[:, 1] = 0
    return np.asarray(counts[counts.sum(axis=1) > 0], np.int64)


def _sum(caps: TypedCaps) -> str:
    """The cap written out, pair by pair."""
    counts = _counting(caps)
    if caps.entry.handles_ties:
        parts, name = counts.max(axis=1), "the most frequent answer"
    else:
        parts, name = np.abs(counts[:, 2] - counts[:, 0]), "|majority − minority|"
    terms = " + ".join(map(str, parts.tolist()))
    total = int(counts.sum())
    return f"Pair by pair, {name} is {terms} of {total} judgments: {format_number(float(parts.sum() / total))}."


def verdict(caps: TypedCaps) -> None:
    """Show the judgments, the cap pair by pair, who reaches it, what cycles cost, and the code."""
    limit = caps.limit
    st.markdown(caps.counted)
    if np.isnan(limit.cap):
        st.info(f"Every judgment is a tie, so {caps.label} is undefined for any metric.")
        return
    left, right = st.columns([3, 2], gap="large")
    with left:
        shown, values = caps.pairs
        tables.show(
            shown, "judged pairs", f"Judgments of each pair of translations, for {caps.entry.label}", values=values
        )
    with right:
        name = caps.typed.example
        if name is not None and examples()[name]["coefficient"] == caps.entry.name:
            st.markdown(plain(examples()[name]["why"]))
        st.markdown(_sum(caps))
        st.markdown(_reach(caps))
    rankings = f"rankings = tk.judgments.Rankings.from_rows({caps.typed.rows})"
    call = f'{rankings}\ntk.judgments.attainable(rankings, "{caps.entry.name}")'
    downloads.show_code("What any metric can reach", call, {})


def _pairs(caps: TypedCaps) -> tuple[pd.DataFrame, pd.DataFrame]:
    """One row per pair: the judgments, and what the best metric says; as shown and for a file."""
    given, best = caps.preferences, caps.limit.best[:, 0]
    names, pairs = given.rankings.systems, given.pairs
    is_share = caps.entry.handles_ties
    rows = []
    for first, second, (less, level, greater) in zip(pairs.first, pairs.second, pairs.counts.tolist(), strict=True):
        if not is_share and not less + greater:
            continue
        sign = int(np.sign(best[first] - best[second]))
        right = {-1: less, 0: level, 1: greater}[sign]
        of = less + greater + level * is_share
        row = {"pair": f"{names[first]} {names[second]}", "first better": greater, "tie": level, "second better": less}
        answer = {-1: f"{names[second]} better", 0: "tie", 1: f"{names[first]} better"}[sign]
        rows.append(row | {"best metric": answer, "lost": of - right})
    values = pd.DataFrame(rows)
    shown = values.drop(columns=[] if is_share else ["tie"])
    return shown.astype(object), values


def _reach(caps: TypedCaps) -> str:
    """Say which scores reach the largest value, and what cycles cost."""
    limit = caps.limit
    scores = dict(zip(caps.preferences.rankings.systems, limit.best[:, 0], strict=True))
    ranked = {name: score for name, score in scores.items() if not np.isnan(score)}
    lowest = min(ranked.values())
    example = vector([score - lowest + 1 for score in ranked.values()])
    text = (
        f"A metric with the scores **{example}** for {', '.join(ranked)} reaches **{format_number(limit.reachable)}**"
    )
    if limit.loss > ROUNDING:
        text += f", and no metric without ties reaches more. The cap, {format_number(limit.cap)}, is out of reach: "
        text += _say_cycles(limit)
    else:
        text += ", the cap"
    if caps.entry.handles_ties:
        return f"{text}. The lowest value of any metric is {format_number(limit.reachable_floor)}."
    text += f". Reversed, these scores reach {format_number(limit.reachable_floor)}"
    return (
        f"{text}. A metric with ties reaches {format_number(limit.reachable_tying)}."
        if gains_by_tying(limit)
        else f"{text}."
    )


def _say_cycles(limit: tk.judgments.Attainable) -> str:
    """Part of a sentence on why no scores follow every majority."""
    triples = f"{limit.n_intransitive} of {count_noun(limit.n_triples, 'triple')} of translations"
    if tk.COEFFICIENTS[limit.coefficient].handles_ties:
        return f"on {triples} no scores give the three most frequent answers"
    return f"the majorities of {triples} form a cycle, which no scores can follow"
