"""How close is a tie on the open evaluation set? The curve, what epsilon* means, whether it holds elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

import tiekit as tk
from tiekit import charts
from tiekit._search import Progress, part_of
from tiekit.calibration import HANDLE_TIES, fit
from tiekit.holdout import fit_folds
from tiekit.leaderboard import Contest, prepare
from tiekit.pairs import near_tie_notes
from tiekit.signature import digest_of
from ui import question, shell, work
from ui.text import exact, exploited, plain
from ui.widgets import choose
from ui.work import Task

POINTS = 240
BY_EPSILON, BY_PAIRS = "ε, in the metric's unit", "share of pairs tied"


@dataclass(frozen=True, eq=False)
class Case:
    """What is calibrated: one metric of an evaluation set."""

    data: tk.EvalSet
    contest: Contest
    metric: str
    coefficient: str
    difference: str

    @property
    def label(self) -> str:
        """The coefficient, as printed."""
        return tk.COEFFICIENTS[self.coefficient].label

    @property
    def scores(self) -> tuple[Any, Any]:
        """Human and metric, systems × segments."""
        return self.contest.human, self.contest.metrics[self.metric]

    @property
    def key(self) -> tuple[str, ...]:
        """What a result depends on."""
        return digest_of(*self.scores), *self.how

    @property
    def how(self) -> tuple[str, str, str]:
        """Coefficient, grouping and difference."""
        return self.coefficient, self.contest.grouping, self.difference


@dataclass(frozen=True)
class Found:
    """What a calibration found, without the scores: results are kept for all visitors, scores for one."""

    epsilon: float
    value: float
    value_at_zero: float
    n_pairs: int
    n_groups: int
    n_undefined: int
    meaning: tk.Meaning
    notes: tuple[str, ...]
    signature: str
    curve: pd.DataFrame


def ask(data: tk.EvalSet) -> Case | None:
    """Let the user choose a metric and how it is judged; None where that leaves nothing, with the reason."""
    one, two, three = st.columns(3, gap="medium")
    with one:
        metric = choose("Metric", sorted(data.metrics, key=lambda name: _is_constant(data.metrics[name])), "metric")
        difference = choose("Differences between scores", list(tk.DIFFERENCES), "difference", help=DIFFERENCE_HELP)
    with two:
        human = choose("Human score", sorted(data.human, key=lambda name: name != data.gold), "human")
        coefficient = choose("Coefficient", question.calibrated_coefficients(), "coefficient")
    with three:
        grouping = choose("Which pairs are compared?", question.groupings(data), "grouping").replace(" ", "_")
        domain = choose("Domain", ["all", *dict.fromkeys(data.domains)], "domain")
    falls = st.toggle("On this metric lower is better (its scores are negated here)", key="falls", bind="query-params")
    try:
        data = data.adjusted(lower_is_better=[metric] if falls else [])
        chosen = data if domain == "all" else data.select(exclude=(), domain=domain)
        contest = prepare(chosen, human, metrics=[metric], grouping=grouping)
        return Case(chosen, contest, metric, coefficient, difference)
    except tk.TiekitError as error:
        st.error(plain(str(error)))
        return None


def _is_constant(scores: Any) -> bool:
    return np.unique(scores[~np.isnan(scores)]).size < 2


DIFFERENCE_HELP = (
    "absolute: |m_i − m_j|. relative: the share of the larger score that is missing, 1 − min/max; 100.2 and 100.1 are "
    "closer than 0.2 and 0.1 then. It suits scores whose zero means something."
)


def calibrate(case: Case) -> Found | None:
    """The best threshold and the curve; None where there is none, because the user has stopped the work."""

    def compute(progress: Progress) -> Found:
        found = fit(*case.scores, *case.how, part_of(progress, 0, 2))
        return Found(
            epsilon=found.epsilon,
            value=found.value,
            value_at_zero=found.value_at_zero,
            n_pairs=found.n_pairs,
            n_groups=found.n_groups,
            n_undefined=found.n_undefined,
            meaning=found.meaning,
            notes=tuple(near_tie_notes(found.grouped.scores)),
            signature=found.signature,
            curve=found.curve(POINTS, progress=part_of(progress, 1, 2)),
        )

    return work.do("Calibrating", {case.metric: (("curve", *case.key), compute)}).get(case.metric)


def say(case: Case, found: Found) -> None:
    """The result in one sentence, and what is suspicious."""
    label = plain(case.label)
    if not found.n_pairs or np.isnan(found.value):
        st.info(f"{label} is undefined here: there is no pair to compare, or it divides by zero at every ε.")
        return
    result = f"is highest, {found.value:.4f}, at ε\\* = 0: calling more scores tied would not help"
    if found.epsilon:
        start = _number(found.value_at_zero, ".4f")
        result = f"rises from {start} at ε = 0 to {found.value:.4f} at ε\\* = {found.epsilon:.5g}"
    groups = f"{found.n_groups:,} group{'s' * (found.n_groups != 1)}"
    if found.n_undefined:
        groups += f" ({found.n_undefined:,} more are undefined at ε\\* and left out)"
    st.markdown(f"**{found.n_pairs:,} pairs in {groups}, none sampled. {label} {result}.**")
    if case.coefficient not in HANDLE_TIES:
        st.warning(exploited(case.label))
    if found.notes:
        with st.expander("Some scores are all but equal"):
            st.markdown("\n".join(f"- {plain(note)}." for note in found.notes))


def picture(case: Case, found: Found) -> None:
    """The curve with epsilon* marked."""
    across = choose("Along the horizontal axis", [BY_EPSILON, BY_PAIRS], "axis")
    column = "tied" if across == BY_PAIRS else "epsilon"
    title = {BY_PAIRS: BY_PAIRS, BY_EPSILON: "ε" if case.difference == "absolute" else "ε, relative"}[across]
    frame = charts.accuracy_frame(found.curve, case.coefficient, found.epsilon)
    tops = {what: rows.loc[rows["value"].idxmax()] for what, rows in frame.dropna(subset=["value"]).groupby("what")}
    words = "; ".join(f"{what} at most {row['value']:.3f}, at ε = {row['epsilon']:.4g}" for what, row in tops.items())
    best = found.meaning.tied if across == BY_PAIRS else found.epsilon
    on_left = bool(best > frame[column].max() / 2)
    figure = charts.accuracy_chart(case.label, column, title, shell.theme(), on_left=on_left)
    shell.draw(frame, figure, f"Curve of {case.metric}: {words}", "accuracy")
    st.markdown(
        "F1 of ties: of the metric's ties, how many are the human's, and the reverse. F1 of ranks: the same for pairs "
        "that are put in order. A small ε buys ties at the price of ranks; ε\\* is where the bargain ends."
    )


def read_back(case: Case, found: Found) -> None:
    """What epsilon* means."""
    meaning, relative = found.meaning, case.difference == "relative"
    rows = [
        ("ε\\* in full", exact(found.epsilon)),
        ("as a multiple of the metric's standard deviation", "—" if relative else _number(meaning.deviations, ".3f")),
        (
            "pairs no further apart, of those that the metric tells apart",
            _number(meaning.percentile, ".1f", " %"),
        ),
        ("pairs that the metric ties at ε\\*", _number(100 * meaning.tied, ".1f", " %")),
        ("pairs that the human ties", _number(100 * meaning.tied_by_human, ".1f", " %")),
    ]
    shown = pd.DataFrame(rows, columns=["What ε* means", plain(case.metric)])
    st.table(shown, hide_index=True, alt=f"What ε* = {exact(found.epsilon)} of {case.metric} means")
    unit = f"{100 * found.epsilon:.3g} % of the larger score" if relative else f"{found.epsilon:.4g}"
    st.markdown(
        f"Read it so: two translations that **{plain(case.metric)}** puts at most {unit} apart are best called equally "
        "good, **on these data**. ε\\* was fitted on what it is judged by; whether it holds elsewhere comes next."
    )


def _number(value: float, form: str, unit: str = "") -> str:
    return "undefined" if np.isnan(value) else f"{value:{form}}{unit}"


def held_out(case: Case) -> None:
    """Cross-validation over whole documents, two halves or more; and from each domain to the others."""
    count = len(set(case.data.documents)) or len(case.data.segments)
    named = "documents, each in one part as a whole" if case.data.documents else "segments, as no documents are named"
    st.markdown(f"ε is found on some documents and judged on the others ({count:,} {named}).")
    parts = [str(number) for number in (2, 3, 5, 10) if number <= count]
    domains = list(dict.fromkeys(case.data.domains))
    if not parts:
        st.info("There is one document only, so nothing is left to judge by.")
        return
    folds = int(choose("Into how many parts? Two are halves, each judged by the other's ε.", parts, "folds"))
    named = case.data.documents, case.data.domains
    tasks: dict[str, Task] = {"the parts": (("folds", folds, *named, *case.key), partial(_fold, case, folds))}
    if len(domains) > 1:
        tasks["the domains"] = ("domains", *named, *case.key), partial(_domains, case, domains)
    found = work.do("Held out", tasks)
    if "the parts" in found:
        _say_folds(case, *found["the parts"])
    if "the domains" in found:
        _say_domains(case, domains, *found["the domains"])


def _fold(case: Case, folds: int, progress: Progress) -> tuple[pd.DataFrame, float, float, float]:
    """The folds; the cross-validated value; epsilon and value in-sample."""
    found = fit_folds(*case.scores, *case.how, folds, case.data.documents or None, progress=progress)
    return found.folds, found.value, found.in_sample.epsilon, found.in_sample.value


def _domains(case: Case, domains: list[str], progress: Progress) -> tuple[list[float], list[list[float]]]:
    """Each domain's epsilon; a row a domain that gives epsilon, a value for each that is judged by it."""
    found = []
    for number, name in enumerate(domains):
        columns = np.array([domain == name for domain in case.data.domains])
        part = (scores[:, columns] for scores in case.scores)
        found.append(fit(*part, *case.how, part_of(progress, number, len(domains))))
    return [one.epsilon for one in found], [[other.value_at(one.epsilon) for other in found] for one in found]


def _say_folds(case: Case, folds: pd.DataFrame, value: float, epsilon: float, in_sample: float) -> None:
    label = plain(case.label)
    rows = [
        (
            f"{number} ({row.documents:,})",
            f"{_number(row.value, '.4f')} at {row.epsilon:.4g}",
            f"{_number(row.own_value, '.4f')} at {row.own_epsilon:.4g}",
            _number(row.loss, ".4f"),
        )
        for number, row in enumerate(folds.itertuples(), 1)
    ]
    shown = pd.DataFrame(rows, columns=["Part (size)", f"{label} at the others' ε", "at its own ε\\*", "lost"])
    st.table(shown, hide_index=True, alt=f"{case.label} of {case.metric}, each part judged by the others' ε")
    lowest, highest = folds["epsilon"].min(), folds["epsilon"].max()
    st.markdown(
        f"**Cross-validated {label} {_number(value, '.4f')}**, ε {lowest:.4g} to {highest:.4g}; in-sample "
        f"{_number(in_sample, '.4f')} at ε\\* {epsilon:.4g}. On average a part loses "
        f"{_number(folds['loss'].mean(), '.4f')} of what its own ε\\* would give it."
    )


def _say_domains(case: Case, domains: list[str], epsilons: list[float], values: list[list[float]]) -> None:
    """A row a domain that gives epsilon, a column a domain that is judged."""
    rows = {f"{name} ({epsilon:.4g})": row for name, epsilon, row in zip(domains, epsilons, values, strict=True)}
    shown = pd.DataFrame({"ε* of": list(rows)})
    for place, name in enumerate(domains):
        own = values[place][place]
        shown[f"on {name}"] = [
            f"{_number(row[place], '.4f')} ({'own' if number == place else f'−{max(own - row[place], 0):.4f}'})"
            for number, row in enumerate(values)
        ]
    st.markdown(f"**From domain to domain:** {plain(case.label)} with another domain's ε\\*, in brackets what is lost.")
    st.dataframe(shown, hide_index=True, alt=f"{case.label} of {case.metric} on each domain with each domain's ε*")


def take_away(case: Case, found: Found) -> None:
    """The curve as a file, and the line that makes the number reproducible."""
    name = "-".join(part for part in (*case.contest.selection["set"].split("/"), case.metric) if part)
    left, right = st.columns([1, 3], vertical_alignment="center")
    with left:
        st.download_button(
            "Curve as CSV", found.curve.to_csv(index=False), f"{name}-curve.csv", "text/csv", width="stretch"
        )
    with right:
        st.code(found.signature, language=None, wrap_lines=True)
