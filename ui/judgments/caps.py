"""How high can any metric score on typed rankings that contradict each other, and how close does the user's come?"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
import pandas as pd
import streamlit as st

import tiekit as tk
from ui.judgments.inputs import COEFFICIENTS, TypedRankings, examples
from ui.page import predict, tables
from ui.work import downloads, result_cache
from ui.work.presets import DATA
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
        given, found = self.preferences, tk.judgments.agreement(self.preferences)
        agreeing = "; ".join(
            f"{part.n_agreed} of {part.n} agree where {who}"
            for part, who in ((found.between, "two judges gave them"), (found.within, "one judge gave both"))
            if part.n
        )
        return (
            f"{count_noun(given.rankings.n_sets, 'ranked set')}: {count_noun(given.n_judgments, 'judgment')} of "
            f"{count_noun(given.n_pairs, 'pair')} of translations, {int((given.outcome == 0).sum()) or 'none'} of them "
            f"a tie. **{count_noun(given.contradictory, 'pair')} contradicted.**"
            + f" Of every two judgments of the same pair, {agreeing}."
            * bool(agreeing)
        )

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """One row per pair: the judgments, and what the best metric says."""
        given, best = self.preferences, self.limit.best[:, 0]
        names, pairs, is_share = given.rankings.systems, given.pairs, self.entry.handles_ties
        rows = []
        for first, second, counts in zip(pairs.first, pairs.second, pairs.counts.tolist(), strict=True):
            less, level, greater = counts
            of = less + greater + level * is_share
            if of:
                sign = int(np.sign(best[first] - best[second]))
                answer = (f"{names[second]} better", "tie", f"{names[first]} better")[sign + 1]
                row = {"pair": f"{names[first]} {names[second]}", "first better": greater, "tie": level}
                rows.append(row | {"second better": less, "best metric": answer, "lost": of - counts[sign + 1]})
        return pd.DataFrame(rows)

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


def gains_by_tying(limit: tk.judgments.Attainable) -> bool:
    """Return whether a metric reaches more if it ties some pairs, as under τ_13."""
    return limit.reachable_tying - limit.reachable > ROUNDING


def _sum(caps: TypedCaps) -> str:
    """The cap written out, pair by pair; without ties for a τ, which excludes human ties."""
    counts = caps.preferences.pairs.counts.copy()
    if caps.entry.handles_ties:
        parts, name = counts.max(axis=1), "the most frequent answer"
    else:
        counts[:, 1] = 0
        parts, name = np.abs(counts[:, 2] - counts[:, 0]), "|majority − minority|"
    terms, total = " + ".join(map(str, parts[counts.any(axis=1)].tolist())), int(counts.sum())
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
        shown = caps.pairs.drop(columns=[] if caps.entry.handles_ties else ["tie"])
        words = f"Judgments of each pair of translations, for {caps.entry.label}"
        tables.show(shown.astype(object), "judged pairs", words, values=caps.pairs)
    with right:
        name = caps.typed.example
        if name is not None and examples()[name]["coefficient"] == caps.entry.name:
            st.markdown(plain(examples()[name]["why"]))
        st.markdown(_sum(caps))
        st.markdown(_reach(caps))
    rankings = f"rankings = tk.judgments.Rankings.from_rows({caps.typed.rows})"
    call = f'{rankings}\ntk.judgments.attainable(rankings, "{caps.entry.name}")'
    downloads.show_code("What any metric can reach", call, {})


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
        triples = f"{limit.n_intransitive} of {count_noun(limit.n_triples, 'triple')} of translations"
        text += f", and no metric without ties reaches more. The cap, {format_number(limit.cap)}, is out of reach: "
        text += (
            f"on {triples} no scores give the three most frequent answers"
            if caps.entry.handles_ties
            else f"the majorities of {triples} form a cycle, which no scores can follow"
        )
    else:
        text += ", the cap"
    if caps.entry.handles_ties:
        return f"{text}. The lowest value of any metric is {format_number(limit.reachable_floor)}."
    text += f". Reversed, these scores reach {format_number(limit.reachable_floor)}."
    more = f" A metric with ties reaches {format_number(limit.reachable_tying)}."
    return text + more * gains_by_tying(limit)


def own_metric(caps: TypedCaps, scores: dict[str, float]) -> None:
    """Show the user's metric by every coefficient, beside what any metric can reach."""
    if not _predict_tying(caps):
        return
    table = result_cache.once(("own metric", *caps.key, repr(scores)), lambda: _by_coefficient(caps, scores))
    values = dict(zip(COEFFICIENTS, table["yours"].tolist(), strict=True))
    left, right = st.columns(2, gap="large")
    with left:
        tables.show_numbers(table, "your metric", "Your ranking, and what any metric can reach")
    with right:
        st.markdown(
            "**lowest** and **highest**: what any metric reaches that gives each translation one score, ties allowed. "
            "**cap**: the value of following the majority on every pair. For τ, a majority of ties cannot count in "
            "favor of any metric; the cap of τ\\_13 is that of a metric without ties."
        )
        _puzzle(caps, values)
    call = (
        f"rankings = tk.judgments.Rankings.from_rows({caps.typed.rows})\n"
        f'metric = {{(name, "{SEGMENT}"): score for name, score in zip({caps.typed.letters!r}, scores)}}\n'
        f"[tk.judgments.judge_metric(rankings, metric, name).value for name in {list(COEFFICIENTS)}]"
    )
    downloads.show_code("Your metric on judgments", call, {"scores": list(scores.values())})


def _by_coefficient(caps: TypedCaps, scores: dict[str, float]) -> pd.DataFrame:
    """One row per coefficient: the user's metric and what any metric can reach."""
    rows = [
        {
            "coefficient": tk.COEFFICIENTS[name].label,
            "yours": tk.judgments.judge_metric(caps.preferences, _cells(scores), name).value,
            "lowest": caps.found[name].reachable_floor_tying,
            "highest": caps.found[name].reachable_tying,
            "cap": caps.found[name].cap,
        }
        for name in COEFFICIENTS
    ]
    return pd.DataFrame(rows)


def _cells(scores: dict[str, float]) -> dict[tuple[str, str], float]:
    return {(name, SEGMENT): score for name, score in scores.items()}


def _predict_tying(caps: TypedCaps) -> bool:
    """Let the user predict what tying does to τ_13, if the judgments are an example's and it was not asked before."""
    name, limit = caps.typed.example, caps.found["tau_13"]
    if name is None or caps.entry.name == "tau_13" or np.isnan(limit.cap):
        return True
    most = limit.reachable_tying
    nothing = "No set of pairs that scores can keep untied does better than the best order."
    reasons = {format_number(most): TIES_GAIN if gains_by_tying(limit) else nothing}
    reasons.setdefault("1.000", "The judges do not all agree on any set of pairs that scores can keep untied.")
    reasons.setdefault(format_number(limit.cap), TIES_COUNT)
    reasons.setdefault("0.000", "τ\\_14 is 0 where everything is tied, but τ\\_13 is undefined there.")
    return predict.predict_first(
        f"judgments tying: {name}",
        "τ\\_13 = (C − D) / (C + D) does not count pairs that the metric ties. What is the **largest τ\\_13** that a "
        "metric can reach here, if it may tie?",
        dict(sorted(reasons.items())),
        format_number(most),
    )


def _puzzle(caps: TypedCaps, values: dict[str, float]) -> None:
    """A puzzle: raise τ_13 as far as possible by tying; the answer is checked at once."""
    limit, yours, honest = caps.found["tau_13"], values["tau_13"], values["tau_14"]
    most, words = limit.reachable_tying, f"τ\\_13 is {format_number(yours)}, τ\\_14 is {format_number(honest)}"
    with st.container():
        if np.isnan(limit.cap):
            return
        if not gains_by_tying(limit):
            st.info(f"Tying gains nothing under τ\\_13 here. Your ranking: {words}.")
        elif np.isnan(yours):
            st.info("**Puzzle:** all pairs that count are tied, so τ\\_13 is undefined. Leave one pair untied.")
        elif yours > most - ROUNDING:
            st.success(
                f"**Solved:** {words}. Your metric ties what the judges dispute, and τ\\_13 does not count it. "
                "τ\\_14, which WMT used from 2014 to 2016, keeps these ties in the denominator."
            )
        else:
            st.info(
                f"**Puzzle:** tie cards until τ\\_13 is {format_number(most)}. Your ranking: {words}. C cannot be tied "
                "with both A and B while A and B differ."
            )


# -------------------------------------------------------------------------------------------------------- the mean

EASY, HARD = "easy", "hard"
SETS = [("Ann", EASY, {"A": 1, "B": 2, "C": 3}), ("Ben", HARD, {"A": 1, "B": 2, "C": 3})]
SCORES = {EASY: {"A": 9, "B": 8, "C": 7}, HARD: {"A": 3, "B": 2, "C": 1}}
"""A metric that orders the translations of two segments as their judges do, and knows which segment is hard."""


@cache
def _two_sets() -> tuple[pd.DataFrame, tk.judgments.JudgedMetric]:
    """The example, and its metric's values."""
    rows = [(segment, judge, ranks, SCORES[segment]) for judge, segment, ranks in SETS]
    table = pd.DataFrame(rows, columns=["segment", "judge", "ranks of A B C", "metric"])
    table = table.map(lambda cell: vector([*cell.values()]) if isinstance(cell, dict) else cell)
    cells = {(name, segment): score for segment, found in SCORES.items() for name, score in found.items()}
    return table, tk.judgments.judge_metric(tk.judgments.Rankings.from_rows(SETS), cells)


def mean_of_sets(caps: TypedCaps, scores: dict[str, float]) -> None:
    """Show that WMT's τ is a weighted mean of the τ of ranked sets, and what one τ of all translations would be."""
    st.markdown(
        "No judge ranked all translations of a test set. There are many sets of five, by different judges and of "
        "different segments. So WMT's τ is not Kendall's τ of one ranking: it is a **weighted mean of the τ of each "
        "set**."
    )
    table, example = _two_sets()
    tables.show(table, "two ranked sets", "Two ranked sets of different segments, and a metric's scores")
    whole, pooled = format_number(example.value), format_number(example.pooled)
    is_shown = predict.predict_first(
        "judgments pooled",
        f"WMT's τ\\_14 of this metric is **{whole}**: all six judgments are right. And **one τ\\_14 over all six "
        "translations**, treating ranks as scores?",
        {
            "0.000": "The six pairs within the sets still agree.",
            pooled: "Nine more pairs, of two segments: the metric finds all of the easy one better. The ranks say so "
            "for 3, contradict it for 3 and tie 3, so C = 9 and D = 3. Yet no judge ever compared these.",
            whole: "Within a set nothing changes. But now A of the one segment meets B of the other.",
        },
        pooled,
    )
    if is_shown:
        _sets(caps, scores)


def _sets(caps: TypedCaps, scores: dict[str, float]) -> None:
    """Show the typed sets with their τ and weights, and three ways to average them."""
    found: tk.judgments.JudgedMetric = result_cache.once(
        ("sets", *caps.key, repr(scores)),
        lambda: tk.judgments.judge_metric(caps.preferences, _cells(scores), caps.entry.name),
    )
    counts = ["C", "D", "T_m", *(["T_h", "T_hm"] if caps.entry.handles_ties else [])]
    st.markdown(f"{caps.label} of your ranking on each ranked set above:")
    left, right = st.columns([3, 2], gap="large")
    with left:
        sets = found.sets[["judge", *counts, "value", "weight"]]
        shown = sets.astype(object).assign(judge=sets["judge"].map(plain), value=sets["value"].map(format_number))
        words = f"{caps.entry.label} of each ranked set"
        tables.show(shown.rename(columns=plain), "ranked sets", words, values=sets)
        st.markdown("The weight is the number of pairs in the formula's divisor: a judge's ties make it smaller.")
    with right:
        st.markdown(
            f"- Weighted by the pairs that count: **{format_number(found.weighted_mean)}**. This is WMT's {caps.label}"
            f": all judgments pooled give {format_number(found.value)}.\n"
            f"- Every set with the same weight: {format_number(found.mean)}.\n"
            f"- One {caps.label} over all translations of all sets: {format_number(found.pooled)}. It compares ranks "
            "of different judges; WMT does not use it."
        )


FRENCH_ENGLISH = 0.7899
"""The cap of WMT13's French–English judgments, which are not bundled; a test on the published file holds it."""

N_SETS, N_JUDGMENTS = 9_996, 80_741


def printed_caps() -> None:
    """Show the formula, the ten printed caps, and the one that we could not reproduce."""
    found = pd.read_csv(DATA / "papers" / "graham2015_caps.csv", dtype=str)
    values = found["cap"].astype(float)
    left, right = st.columns([2, 3], gap="large")
    with left:
        shown = found.assign(cap="±0" + found["cap"]).rename(columns={"language_pair": "WMT13", "cap": "printed cap"})
        words = "; ".join(f"{row['WMT13']} {row['printed cap']}" for _, row in shown.iterrows())
        tables.show(shown, "printed caps", f"Caps of τ printed by Graham and others: {words}", values=found)
    with right:
        st.markdown(
            "A metric agrees with one side of each pair of translations, at best with the majority. Over all pairs the "
            "largest τ is therefore"
        )
        st.latex(r"\text{cap} = \frac{\sum_\text{pairs} |\text{majority} - \text{minority}|}{\sum_\text{pairs} n}")
        st.markdown(
            "Graham, Baldwin and Mathur (2015) print the caps of ten language pairs of WMT13: "
            f"±{format_number(values.min(), '.2f')} to ±{format_number(values.max(), '.2f')}."
        )
        of_pair = found.set_index("language_pair")["cap"]["French-English"]
        st.markdown(
            f"We could not reproduce French–English, ±0{of_pair}: on the {N_JUDGMENTS:,} published judgments without "
            f"ties ({N_SETS:,} ranked sets) the formula gives **±{format_number(FRENCH_ENGLISH)}**. The share of "
            f"judgments on the majority's side, (1 + {format_number(FRENCH_ENGLISH)}) / 2 = "
            f"{format_number((1 + FRENCH_ENGLISH) / 2)}, is close to the "
            "printed number."
        )
        st.markdown("To repeat it, upload WMT13's file of French–English rankings below.")
