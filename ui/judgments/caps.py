"""How high can any metric get on typed rankings that contradict each other?"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
import pyarrow as pa
import streamlit as st

import tiekit as tk
from tiekit import charts
from tiekit.scores import IntArray
from ui.base import notebook, work
from ui.base.frames import cell
from ui.base.text import count_noun, format_number, plain, vector
from ui.judgments.input import COEFFICIENTS, TypedRankings, examples
from ui.link.controls import choose
from ui.page import predict, shell, tables

SEGMENT = "1"
"""All typed rankings are of one segment."""

ROUNDING = 1e-12

TIES_GAIN = "Tie whatever is in dispute, and keep some pairs on which all judges agree: nobody sees what was left out."
TIES_COUNT = "That is the cap of a metric that ties nothing. But τ\\_13 leaves out what a metric ties."


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
    def matrix(self) -> tuple[pa.Table, tuple[str, ...], str]:
        """The picture of the judgments: its frame, the translations, the words."""
        wins = self.preferences.matrix(SEGMENT)
        words = "; ".join(
            f"{one} before {other} {cell(wins, one, other)}, after it {cell(wins, other, one)}"
            for place, one in enumerate(wins)
            for other in list(wins)[place + 1 :]
        )
        frame = pa.Table.from_pandas(charts.preference_frame(self.preferences, SEGMENT))
        return frame, tuple(map(str, wins)), f"How often each translation was preferred to each other: {words}"

    @cached_property
    def counted(self) -> str:
        """How many judgments there are, and how many are repeated or contradicted."""
        return _counted(self.preferences)

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


def show_judgments(typed: TypedRankings) -> TypedCaps:
    """Show what was judged; let the user choose the coefficient."""
    made = TypedCaps(typed, tk.COEFFICIENTS[choose("Coefficient", list(COEFFICIENTS), "jud_coefficient")])
    caps = work.once(("judged", *made.key), lambda: made)
    frame, names, words = caps.matrix
    shell.draw(frame, charts.preference_chart(names, shell.theme()), words, "jud_matrix")
    st.markdown(caps.counted)
    return caps


def _counted(given: tk.judgments.Preferences) -> str:
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
        f"**Contradicted: {count_noun(given.contradictory, 'pair')}.**"
        + f" Of every two judgments of the same pair, {'; '.join(agreeing)}."
        * bool(agreeing)
    )


# ------------------------------------------------------------------------------------------------- the prediction


def predict_largest(caps: TypedCaps) -> bool:
    """Let the user predict what any metric can reach, if the judgments are an example's; return whether to show it."""
    name, most = caps.typed.example, caps.limit.reachable_tying
    if name is None or np.isnan(most):
        return True
    preset = examples()[name]
    own = preset["why"] if preset["coefficient"] == caps.entry.name else ""
    return predict.predict_first(
        f"judgments cap: {name} {caps.entry.name}",
        f"What is the **largest {caps.label}** that any metric can reach on these judgments?",
        options(caps, own),
        format_number(most),
    )


def options(caps: TypedCaps, why: str) -> dict[str, str]:
    """Return the answers in the order of their values, each with the reason why it is right or wrong."""
    limit, most, summed = caps.limit, caps.limit.reachable_tying, _sum(caps)
    found = [
        (most, TIES_GAIN if gains_by_tying(limit) else f"{plain(why)} {summed}".strip()),
        (1.0, "It would have to agree with every judgment, and of two that contradict each other it can follow one."),
        (limit.cap, TIES_COUNT if gains_by_tying(limit) else f"{summed} But {_say_cycles(limit)}."),
        (_undisputed(caps), "That counts undisputed pairs alone. Of a disputed one, too, most judgments may be won."),
    ]
    if not caps.entry.handles_ties:
        found.append((0.0, "That is a metric that is right as often as wrong."))
        found.append(((1 + most) / 2, "That share of judgments it gets right. τ takes away the share it gets wrong."))
    reasons: dict[str, str] = {}
    for value, reason in found:
        reasons.setdefault(format_number(value), reason)
    return dict(sorted(reasons.items()))


def gains_by_tying(limit: tk.judgments.Attainable) -> bool:
    """Return whether a metric reaches more if it ties some pairs, as under τ_13."""
    return limit.reachable_tying - limit.reachable > ROUNDING


def _undisputed(caps: TypedCaps) -> float:
    """The share of judgments of pairs on which all judgments are the same."""
    counts = _counting(caps)
    return float(counts.sum(axis=1)[counts.max(axis=1) == counts.sum(axis=1)].sum() / counts.sum())


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


# ------------------------------------------------------------------------------------------------------ the verdict


def verdict(caps: TypedCaps) -> None:
    """Show the cap pair by pair, who reaches it, what cycles cost, and the code."""
    limit = caps.limit
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
        st.markdown(_sum(caps))
        st.markdown(_reach(caps))
    rankings = f"rankings = tk.judgments.Rankings.from_rows({caps.typed.rows})"
    call = f'{rankings}\ntk.judgments.attainable(rankings, "{caps.entry.name}")'
    notebook.show("What any metric can reach", call, {})


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
        rows.append(row | {"the best metric": answer, "it loses": of - right})
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
        text += f", and none that ties nothing reaches more. The cap, {format_number(limit.cap)}, is out of reach: "
        text += _say_cycles(limit)
    else:
        text += ", the cap"
    if caps.entry.handles_ties:
        return f"{text}. The least that any metric reaches is {format_number(limit.reachable_floor)}."
    text += f". Reversed, these scores reach {format_number(limit.reachable_floor)}"
    return (
        f"{text}. One that ties reaches {format_number(limit.reachable_tying)}."
        if gains_by_tying(limit)
        else f"{text}."
    )


def _say_cycles(limit: tk.judgments.Attainable) -> str:
    """Part of a sentence on why no scores follow every majority."""
    triples = f"{limit.n_intransitive} of {count_noun(limit.n_triples, 'triple')} of translations"
    if tk.COEFFICIENTS[limit.coefficient].handles_ties:
        return f"on {triples} no scores give the three most frequent answers"
    return f"the majorities of {triples} form a cycle, and scores do not"
