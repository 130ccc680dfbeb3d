"""How high can a metric score on a file of rankings? Counts, agreement and caps for each language pair."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
import pandas as pd
import pyarrow as pa
import streamlit as st

import tiekit as tk
from tiekit import charts
from tiekit.core import Progress, part_of
from ui.judgments.caps import TIES_GAIN, gains_by_tying
from ui.judgments.inputs import COEFFICIENTS
from ui.link import own_data
from ui.link.controls import choose
from ui.page import predict, shell, tables
from ui.work import downloads, presets, result_cache
from ui.work.result_cache import Task
from ui.work.text import format_number, plain, rows_of

KNOWS_SYSTEM = "knows only the system"

TIES = {"excluded, as WMT did": "omit", "included": "keep"}
"""How judges' ties are treated, as shown and as the library's argument."""

MOST_JUDGMENTS = 1_000_000
"""Maximum number of judgments of two translations in a language pair; WMT13 had as many in all of its ten."""

T = TypeVar("T")

RankingsFile: TypeAlias = own_data.OpenFile[tk.judgments.Rankings]
"""Rankings and the file that they were read from."""


def _choose_rankings() -> RankingsFile | None:
    """Let the user choose the sample or an upload; None while there is none, with the reason on the page."""
    label = "File: a CSV as WMT published it, with five ranked systems per line"
    opened = own_data.choose_file("rankings", "jud_source", "rankings/synthetic.csv", label, tk.judgments.read_rankings)
    if opened is not None and opened.is_bundled:
        st.markdown(
            "These rankings are **synthetic**: invented judges, each with errors of their own, rank outputs of the "
            "synthetic evaluation set. They are no evidence about real judges."
        )
    return opened


def _say_read(opened: RankingsFile) -> None:
    """Say what was read and what was left out."""
    rankings = opened.read
    skipped = [f"{number:,} lines with {reason}" for reason, number in rankings.skipped.items()]
    blank = [f"{rankings.n_blank:,} ranks that were left blank"] if rankings.n_blank else []
    name = own_data.SAMPLE if opened.is_bundled else plain(opened.name)
    st.markdown(
        f"**{name}**: {rankings.n_sets:,} ranked sets by {len(rankings.judges):,} judges, "
        f"{len(rankings.systems)} systems, {len(rankings.segments):,} segments. "
        f"Left out: {plain(' and '.join(skipped + blank)) or 'nothing'}."
    )


class Reached(NamedTuple):
    """What any metric can reach on judgments, and what every metric does, by coefficient."""

    n: int
    n_omitted: int
    limits: dict[str, tk.judgments.Attainable]
    metrics: dict[str, dict[str, float]]


class LanguagePairNumbers(NamedTuple):
    """All numbers of one language pair; they are kept for all visitors, the rankings for one."""

    counts: dict[str, int]
    kappa: tk.judgments.Agreement
    unity: pd.DataFrame
    given: Reached
    resolved: Reached


def _tasks_of(opened: RankingsFile, ties: str) -> dict[str, Task]:
    """What is to be computed, by language pair."""
    key = "judgments", opened.read.digest, ties, opened.is_bundled
    return {name: ((*key, name), partial(_compute, opened, name, ties)) for name in opened.read.language_pairs}


def _compute(opened: RankingsFile, pair: str, ties: str, progress: Progress) -> LanguagePairNumbers:
    """All numbers of one language pair."""
    rankings = tk.judgments.with_own_names(opened.read.select(pair))
    _check_number(rankings)
    kept = rankings.preferences(tk.judgments.TIES[1])
    progress(0.0)
    agreement = tk.judgments.agreement(kept)
    progress(0.0)
    given = rankings.preferences(ties)
    metrics = _metrics(opened, given, pair)
    reached = [
        _reach(part, metrics, part_of(progress, place, 2))
        for place, part in enumerate((given, tk.judgments.resolve(given)))
    ]
    counts = {
        "sets": rankings.n_sets,
        "judges": np.unique(rankings.judge).size,
        "segments": len(rankings.segments),
        "judgments": given.n_judgments,
        "ties excluded": given.n_omitted,
        "pairs": given.n_pairs,
        "repeated": given.repeated,
        "contradicted": given.contradictory,
    }
    return LanguagePairNumbers(counts, agreement, charts.unity_frame(given), *reached)


def _check_number(rankings: tk.judgments.Rankings) -> None:
    """Refuse more judgments of a language pair than a page computes with."""
    ranked = (rankings.rank > 0).sum(axis=1)
    if (found := int((ranked * (ranked - 1) // 2).sum())) > MOST_JUDGMENTS:
        problem = f"has {found:,} judgments of two translations; the limit of this page is {MOST_JUDGMENTS:,}"
        raise tk.InputError(f"{problem}; split the file by segment, or use tk.judgments in Python")


def _reach(part: tk.judgments.Preferences, metrics: Mapping[str, Any], progress: Progress | None) -> Reached:
    """What any metric can reach, and what every metric does, one coefficient after the other."""
    limits: dict[str, tk.judgments.Attainable] = {}
    for place, name in enumerate(COEFFICIENTS):
        found = tk.judgments.attainable(part, name, progress=part_of(progress, place, len(COEFFICIENTS)))
        limits[name] = replace(found, best=np.empty((0, 0)))
    counts = {
        metric: tk.judgments.count_judged(part, tk.judgments.score_matrix(part.rankings, scores))
        for metric, scores in metrics.items()
    }
    values = {
        metric: {name: tk.COEFFICIENTS[name].value(of_pairs) for name in COEFFICIENTS}
        for metric, of_pairs in counts.items()
    }
    return Reached(part.n_judgments, part.n_omitted, limits, values)


def _metrics(opened: RankingsFile, given: tk.judgments.Preferences, pair: str) -> dict[str, Any]:
    """Scores by metric: each system's share of wins, the same on every segment, and the metrics of the bundled set."""
    n, _, first, second, counts = len(given.rankings.systems), *given.pairs
    wins = np.bincount(first, counts[:, 2], n) + np.bincount(second, counts[:, 0], n)
    losses = np.bincount(first, counts[:, 0], n) + np.bincount(second, counts[:, 2], n)
    shares = wins / np.maximum(wins + losses, 1)
    found: dict[str, Any] = {KNOWS_SYSTEM: np.repeat(shares[:, None], len(given.rankings.segments), axis=1)}
    if opened.is_bundled:
        data = presets.sample(pair)
        found |= {name: pd.DataFrame(scores, data.systems, data.segments) for name, scores in data.metrics.items()}
    return found


class Sheet(dict[str, LanguagePairNumbers]):
    """The numbers by language pair; tables and pictures of them are made once for all visitors."""

    def __init__(self, found: dict[str, LanguagePairNumbers], key: tuple[object, ...]) -> None:
        super().__init__(found)
        self.key = key

    def once(self, what: str, make: Callable[[], T], *choices: str) -> T:
        """Return something made of the numbers and of choices, computed once."""
        return result_cache.once((what, self.key, *choices), make)


def rankings_of_file() -> None:
    """Let the user choose a file; show what was judged, how far judges agree and what any metric can reach."""
    with st.container(border=True):
        opened = _choose_rankings()
    if opened is None:
        return
    _say_read(opened)
    one, two, three = st.columns(3, gap="medium")
    with one:
        ties = TIES[choose("Ties of judges", list(TIES), "jud_ties")]
    with two:
        entry = tk.COEFFICIENTS[
            choose("Coefficient of the pictures", list(COEFFICIENTS), "jud_file_coefficient", printed=charts.label_of)
        ]
    with three:
        pair = choose("Language pair of the pictures", opened.read.language_pairs, "jud_pair")
    tasks = _tasks_of(opened, ties)
    done: dict[str, LanguagePairNumbers] = result_cache.compute("Weighing judgments", tasks)
    if pair in done:
        found = Sheet(done, tuple(tasks[name][0] for name in done))
        _counts(found)
        _agreement(found, pair)
        if _predict_largest(opened, found[pair], entry, pair, ties):
            _caps(found, entry, pair)
            _show_resolution(found, pair)
        _code(opened, ties)


# ----------------------------------------------------------------------------------------------------- the pictures


def _counts(found: Sheet) -> None:
    st.subheader("What was judged")

    def make() -> pd.DataFrame:
        return pd.DataFrame({pair: one.counts for pair, one in found.items()}).T.rename_axis("language pair")

    table = found.once("judgments counted", make)
    tables.grid(table, "what was judged", "Judgments by language pair", values=table)
    st.markdown(
        "**repeated**: pairs of translations that were judged more than once, by one judge or several. "
        "**contradicted**: pairs in which each translation was preferred at least once."
    )


def _agreement(found: Sheet, pair: str) -> None:
    """Show how often two judgments of the same two translations agree."""
    st.subheader("How often do judges agree?")
    left, right = st.columns([3, 2], gap="large")
    with left:
        tables.show_numbers(_kappas(found), "agreement", "Agreement within and between judges")
        st.markdown(
            "κ = (P(A) − P(E)) / (1 − P(E)): P(A) is how often two judgments of the same two translations agree, ties "
            "counted; P(E) = P(<)² + P(=)² + P(>)² is how often they would by chance. **same judge**: one judge judged "
            "the same two translations twice."
        )
    with right:
        frame, labels, words, table = found.once("unity", lambda: _unity(found[pair], pair), pair)
        shell.draw(frame, charts.unity_chart(labels, shell.theme()), words, "jud_unity")
    with st.expander(f"Pairs of {plain(pair)} by their judgments"):
        tables.grid(table, "pairs by judgments", words, values=found[pair].unity, hide_index=True)


def _kappas(found: Sheet) -> pd.DataFrame:
    """P(A), P(E) and κ, two rows per language pair."""
    rows = [
        (name, who, part.n, part.observed, part.expected, part.value)
        for name, one in found.items()
        for who, part in (("same judge", one.kappa.within), ("two judges", one.kappa.between))
    ]
    return pd.DataFrame(rows, columns=["language pair", "judges", "n", "P(A)", "P(E)", "κ"])


def _unity(found: LanguagePairNumbers, pair: str) -> tuple[pa.Table, tuple[str, ...], str, pd.DataFrame]:
    """The bars that show how far judgments agree: the frame, their names, the words, and one row per bar."""
    unity = found.unity
    words = "; ".join(
        f"judged {row.judgments} times: {row.pairs} pairs, {row.what}" for row in rows_of(unity) if row.pairs
    )
    labels = tuple(dict.fromkeys(unity["judgments"]))
    counts = unity.pivot_table("pairs", "judgments", "what", aggfunc="sum")
    counts = counts.reindex(index=list(labels), columns=list(charts.UNITY_STYLE)).reset_index()
    title = f"Pairs of translations of {pair} by their judgments: {words}"
    return pa.Table.from_pandas(unity), labels, title, counts.rename_axis(columns=None)


def _predict_largest(
    opened: RankingsFile, found: LanguagePairNumbers, entry: tk.Coefficient, pair: str, ties: str
) -> bool:
    """Let the user predict what any metric can reach on the sample; a file of the user is shown at once."""
    limit, label = found.given.limits[entry.name], plain(entry.label)
    if not opened.is_bundled or np.isnan(limit.cap):
        return True
    most = limit.reachable_tying
    reasons = {format_number(most): f"{_loss(limit)} {_gap(limit)}"}
    between = found.kappa.between
    for number, reason in (
        (1.0, "There are pairs on which judges contradict each other."),
        (limit.cap, "That follows every majority. Some majorities form a cycle, which scores cannot follow."),
        (between.value, "That is κ between judges: how often *two* agree beyond chance."),
        (between.observed, "That is P(A), how often two judges agree. A metric can agree with the majority."),
    ):
        reasons.setdefault(format_number(number), reason)
    return predict.predict_first(
        f"judgments sample: {pair} {entry.name} {ties}",
        f"What is the **largest {label}** that any metric can reach on {plain(pair)}?",
        dict(sorted(reasons.items())),
        format_number(most),
    )


def _loss(limit: tk.judgments.Attainable) -> str:
    if gains_by_tying(limit):
        return f"{TIES_GAIN} Without ties, a metric that follows every majority gets {format_number(limit.cap)}."
    return f"Following every majority gives {format_number(limit.cap)} on {limit.n_judgments:,} judgments."


def _gap(limit: tk.judgments.Attainable) -> str:
    """What cycles cost, in words."""
    if not limit.n_intransitive:
        return "No majorities form a cycle."
    bound = "" if limit.exact else f", at most {format_number(limit.reachable_at_most)}"
    cycles = (
        "have most frequent answers that no scores give"
        if tk.COEFFICIENTS[limit.coefficient].handles_ties
        else "form a cycle"
    )
    return (
        f"{limit.n_intransitive:,} of {limit.n_triples:,} triples of translations {cycles}, so the best single score "
        f"per translation reaches {format_number(limit.reachable)}{bound}."
    )


def _caps(found: Sheet, entry: tk.Coefficient, pair: str) -> None:
    """Show the range of any metric on every language pair, with a metric in it."""
    st.subheader("How high can any metric score?")
    metric = choose("Metric in the picture", list(found[pair].given.metrics), "jud_file_metric")
    frame, table, words = found.once("caps", lambda: _caps_by_pair(found, entry, metric), entry.name, metric)
    low = entry.range[0]
    figure = charts.cap_chart(tuple(found), entry.label, low, shell.theme(), metric=metric)
    shell.draw(frame, figure, words, "jud_caps")
    with st.expander("The numbers"):
        tables.grid_numbers(table, "caps by language pair", words)
    limit = found[pair].given.limits[entry.name]
    words = f"**{plain(pair)}:** {_loss(limit)} {_gap(limit)} The diamond is *{plain(metric)}*."
    if not entry.handles_ties and not np.isnan(limit.cap):  # what the paper prints is close to this number
        share = format_number((1 + limit.cap) / 2)
        words += f" The share of judgments on the majority's side is (1 + cap) / 2 = **{share}**."
    st.markdown(words)


def _caps_by_pair(found: Sheet, entry: tk.Coefficient, metric: str) -> tuple[pa.Table, pd.DataFrame, str]:
    """Caps by language pair: for the picture, as a table, in words."""
    limits = {name: one.given.limits[entry.name] for name, one in found.items()}
    metrics = {name: one.given.metrics for name, one in found.items()}
    values = {name: scored[metric][entry.name] for name, scored in metrics.items() if metric in scored}
    rows = {
        name: {
            "floor": limit.floor,
            "cap": limit.cap,
            "single scores: lowest": limit.reachable_floor,
            "single scores: highest": limit.reachable,
            "with ties: highest": limit.reachable_tying,
            metric: values.get(name, float("nan")),
        }
        for name, limit in limits.items()
    }
    words = "; ".join(
        f"{name} from {format_number(limit.floor)} to {format_number(limit.cap)}, "
        f"single scores {format_number(limit.reachable)}, "
        f"{metric} {format_number(values.get(name, float('nan')))}"
        for name, limit in limits.items()
    )
    table = pd.DataFrame.from_dict(rows, orient="index").rename_axis("language pair")
    frame = pa.Table.from_pandas(charts.cap_frame(limits, values))
    return frame, table, f"{entry.label} by language pair: {words}"


def _show_resolution(found: Sheet, pair: str) -> None:
    """Show every metric and what any can reach, before and after contradictions are resolved by majority."""
    st.subheader("Contradictions resolved by majority")
    table, one = found.once("resolved", lambda: _board(found[pair]), pair), found[pair]
    words = f"Metrics on {pair}, before and after"
    tables.grid_numbers(table, f"metrics on {pair}", words)
    given, resolved = one.given, one.resolved
    risen = sum(resolved.metrics[name]["tau_14"] > before["tau_14"] for name, before in given.metrics.items())
    st.markdown(
        f"For each pair, keep only the majority judgment: **{resolved.n:,}** of {given.n:,} judgments remain, and "
        f"{resolved.n_omitted:,} evenly split pairs are left out. No judgment is contradicted any more, so the cap is "
        f"1; cycles remain. τ\\_14 rises for {risen} of {len(given.metrics)} metrics in the table although no metric "
        "has changed."
    )


def _board(found: LanguagePairNumbers) -> pd.DataFrame:
    """The cap, the most that any metric reaches, and every metric, by each coefficient before and after."""
    columns = {}
    for name in COEFFICIENTS:
        for part, what in ((found.given, ""), (found.resolved, " resolved")):
            ends = {"cap": part.limits[name].cap, "highest of any metric": part.limits[name].reachable_tying}
            of_metrics = {metric: values[name] for metric, values in part.metrics.items()}
            columns[f"{tk.COEFFICIENTS[name].label}{what}"] = ends | of_metrics
    return pd.DataFrame(columns).rename_axis("metric")


def _code(opened: RankingsFile, ties: str) -> None:
    call = (
        f"rankings = tk.judgments.read_rankings({{{opened.name!r}: file}})\n"
        f"preferences = rankings.preferences({ties!r})\n"
        'tk.judgments.agreement(rankings, by="language_pair"), '
        'tk.judgments.attainable(preferences, "tau_14", by="language_pair"), '
        'tk.judgments.attainable(tk.judgments.resolve(preferences), "tau_14", by="language_pair")'
    )
    downloads.show_code("Rankings of a file", call, {"file": opened.content}, opened.load)
