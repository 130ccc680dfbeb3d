"""How close is a tie on the open evaluation set? The curve, what epsilon* means, whether it holds elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, product
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
import pyarrow as pa
import streamlit as st

import tiekit as tk
from tiekit import charts
from tiekit.calibration.exact import fit
from tiekit.calibration.held_out import deal, fit_fold, judge
from tiekit.progress import Progress, part_of
from tiekit.ranking.board import Note, metric_notes
from tiekit.ranking.contest import Contest, prepare
from tiekit.signature import digest_of
from ui.base import download, notebook, work
from ui.base.frames import rows_of
from ui.base.text import exact, exploited, format_number, plain
from ui.base.work import Task
from ui.evalset import choices, notes, open
from ui.link.controls import choose
from ui.page import shell, tables

BY_EPSILON, BY_PAIRS = "ε", "share of pairs tied"


@dataclass(frozen=True, eq=False)
class Case:
    """What is calibrated: one metric of an evaluation set; ``selecting`` is Python that takes its scores from it."""

    opened: tk.EvalSet
    data: tk.EvalSet
    contest: Contest
    metric: str
    coefficient: str
    difference: str
    selecting: str

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
    meaning: tk.calibration.Meaning
    notes: tuple[Note, ...]
    signature: str
    curve: pd.DataFrame


def ask(data: tk.EvalSet) -> Case | None:
    """Let the user choose a metric and how it is judged; None where that leaves nothing, with the reason."""
    one, two, three = st.columns(3, gap="medium")
    with one:
        metric = choose("Metric", sorted(data.metrics, key=lambda name: _is_constant(data.metrics[name])), "metric")
        difference = choose(
            "Differences between scores", list(tk.calibration.DIFFERENCES), "difference", help=DIFFERENCE_HELP
        )
    with two:
        human = choices.choose_human(data)
        coefficient = choose("Coefficient", choices.calibrated_coefficients(), "coefficient")
    with three:
        grouping = choices.choose_grouping(data)
        domain = choices.choose_domain(data)
    with st.expander("More choices: systems, direction, rounding"):
        exclude, adjusted = choices.leave_out(data), choices.adjust(data)
    try:
        chosen = adjusted if domain is None else adjusted.select(exclude=(), domain=domain)
        contest = prepare(chosen, human, metrics=[metric], grouping=grouping, exclude=exclude)
    except tk.TiekitError as error:
        st.error(plain(str(error)))
        return None
    choices.say_compared(contest)
    selecting = (
        f"chosen = data{choices.adjusting([metric])}.select(exclude={exclude}, domain={domain!r})\n"
        f"human, metric = chosen.human[{human!r}], chosen.metrics[{metric!r}]"
    )
    return Case(data, chosen, contest, metric, coefficient, difference, selecting)


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
            notes=tuple(metric_notes(case.contest, case.metric, found.grouped)),
            signature=found.signature,
            curve=found.curve(progress=part_of(progress, 1, 2)),
        )

    return work.do("Calibrating", {case.metric: (("curve", *case.key), compute)}).get(case.metric)


def say(case: Case, found: Found) -> bool:
    """The result in one sentence, and what is suspicious; whether there is a result."""
    label = plain(case.label)
    notes.say_notes(found.notes)
    if not found.n_pairs or np.isnan(found.value):
        st.info(f"{label} is undefined here: there is no pair to compare, or it divides by zero at every ε.")
        return False
    value = format_number(found.value, ".4f")
    result = f"is highest, {value}, at ε\\* = 0: tying more pairs would not help"
    if found.epsilon:
        start = format_number(found.value_at_zero, ".4f")
        result = f"rises from {start} at ε = 0 to {value} at ε\\* = {found.epsilon:.5g}"
    groups = f"{found.n_groups:,} group{'s' * (found.n_groups != 1)}"
    if found.n_undefined:
        groups += f" ({found.n_undefined:,} more are undefined at ε\\* and left out)"
    st.markdown(f"**{found.n_pairs:,} pairs in {groups}, none sampled. {label} {result}.**")
    if not tk.COEFFICIENTS[case.coefficient].handles_ties:
        st.warning(exploited(case.label))
    return True


def picture(case: Case, found: Found) -> None:
    """The curve with epsilon* marked."""
    across = choose("Along the horizontal axis", [BY_EPSILON, BY_PAIRS], "axis")
    column = "tied" if across == BY_PAIRS else "epsilon"
    title = across if across == BY_PAIRS else "ε" if case.difference == "absolute" else "ε, relative difference"
    frame, last, words = work.once(("accuracy", *case.key), partial(_curves, case, found))
    best = found.meaning.tied if across == BY_PAIRS else found.epsilon
    on_left = bool(best > last[column] / 2)
    figure = charts.accuracy_chart(case.label, column, title, shell.theme(), on_left=on_left)
    shell.draw(frame, figure, f"Curve of {case.metric}: {words}", "accuracy")
    words = "F1 of ties: of the metric's ties, how many are the human's, and the reverse. "
    words += "F1 of ranks: the same for pairs that are put in order."
    if tk.COEFFICIENTS[case.coefficient].handles_ties:
        words += " ε buys right ties at the price of ranks; ε\\* is where the bargain ends."
    st.markdown(words)


def _curves(case: Case, found: Found) -> tuple[pa.Table, dict[str, float], str]:
    """What the curves are drawn over, how far it goes, and what they show in words."""
    frame = charts.accuracy_frame(found.curve, case.coefficient, found.epsilon)
    tops = [next(rows_of(rows.nlargest(1, "value"))) for _, rows in frame.dropna(subset=["value"]).groupby("what")]
    words = "; ".join(f"{row.what} at most {row.value:.3f}, at ε = {row.epsilon:.5g}" for row in tops)
    return pa.Table.from_pandas(frame), {name: float(frame[name].max()) for name in ("epsilon", "tied")}, words


def read_back(case: Case, found: Found) -> None:
    """What epsilon* means."""
    meaning, relative = found.meaning, case.difference == "relative"
    deviations = float("nan") if relative else meaning.deviations
    rows = [
        ("ε\\* in full", exact(found.epsilon)),
        ("as a multiple of the metric's standard deviation", format_number(deviations)),
        ("its percentile among the differences between unequal scores", _percent(meaning.percentile)),
        ("pairs that the metric ties at ε\\*", _percent(100 * meaning.tied)),
        ("pairs that the human ties", _percent(100 * meaning.tied_by_human)),
    ]
    shown = pd.DataFrame(rows, columns=["What ε* means", plain(case.metric)])
    exactly = [found.epsilon, meaning.deviations, *(100 * m for m in (meaning.tied, meaning.tied_by_human))]
    exactly.insert(2, meaning.percentile)
    values = shown.assign(**{shown.columns[1]: exactly})
    words = f"What ε* = {exact(found.epsilon)} of {case.metric} means"
    tables.show(shown, f"{_name(case)}-meaning", words, values=values)
    unit = f"{100 * found.epsilon:.5g} % of the larger score" if relative else f"{found.epsilon:.5g}"
    these = f"that **{plain(case.metric)}** puts at most {unit} apart" if found.epsilon else "with equal scores, only,"
    st.markdown(
        f"Read it so: two translations {these} are best called equally good **on these data**. ε\\* was fitted on what "
        "it is judged by; whether it holds elsewhere comes next."
    )


def _percent(value: float) -> str:
    return format_number(value, ".1f") + " %" * (value == value)


def held_out(case: Case, found: Found) -> None:
    """Cross-validation over whole documents, two halves or more; and from each domain to the others."""
    count = len(set(case.data.documents)) or len(case.data.segments)
    named = "documents, each in one part as a whole" if case.data.documents else "segments, as no documents are named"
    parts = [str(number) for number in (2, 3, 5, 10) if number <= count]
    if not parts:
        st.info("There is one document only, so nothing is left to judge by.")
        return
    st.markdown(f"ε is found on some documents and judged on the others ({count:,} {named}).")
    folds = int(choose("Into how many parts? Two are halves, each judged by the other's ε.", parts, "folds"))
    domains = list(dict.fromkeys(case.data.domains))
    named_in_key = case.data.documents, case.data.domains, *case.key
    fold_of, documents = deal(len(case.data.segments), folds, case.data.documents or None)
    tasks: dict[str, Task] = {
        f"part {fold + 1}": ((fold, folds, *named_in_key), partial(_fold, case, fold_of == fold, documents))
        for fold in range(folds)
    }
    if len(domains) > 1:
        tasks["domains"] = ("domains", *named_in_key), partial(_domains, case, domains)
    done = work.do("Judging ε elsewhere", tasks)
    rows = [done[name] for name in tasks if name in done and name != "domains"]
    if rows:
        _say_folds(case, found, pd.DataFrame(rows))
        arguments = f"{_arguments(case)}, folds={folds}, documents=chosen.documents or None"
        _show_code(case, "held out", f"held_out = tk.cross_validate({arguments})\nheld_out.value, held_out.folds")
    if "domains" in done:
        _say_domains(case, domains, done["domains"])


def _fold(case: Case, inside: Any, documents: Any, progress: Progress) -> dict[str, float]:
    return fit_fold(*case.scores, *case.how, inside, documents, progress)


Judged: TypeAlias = tuple[float, float, float]
"""Epsilon of the one, what it gives on the other, what is lost."""


def _domains(case: Case, domains: list[str], progress: Progress) -> list[list[Judged]]:
    """A row a domain that gives epsilon, a cell for each that is judged."""
    found = []
    for number, name in enumerate(domains):
        columns = np.array([domain == name for domain in case.data.domains])
        human, metric = (scores[:, columns] for scores in case.scores)
        found.append(fit(human, metric, *case.how, part_of(progress, number, len(domains))))
    judged = [[judge(one, other) for other in found] for one in found]
    return [[(one.epsilon, one.value, one.loss) for one in row] for row in judged]


def _say_folds(case: Case, found: Found, folds: pd.DataFrame) -> None:
    label = plain(case.label)
    rows = [
        (
            f"{number} ({row.documents:,.0f})",
            f"{format_number(row.value, '.4f')} at {format_number(row.epsilon, '.5g')}",
            f"{format_number(row.own_value, '.4f')} at {row.own_epsilon:.5g}",
            format_number(row.loss, ".4f"),
        )
        for number, row in enumerate(rows_of(folds), 1)
    ]
    unit = "documents" if case.data.documents else "segments"
    shown = pd.DataFrame(rows, columns=[f"Part ({unit})", f"{label} at the others' ε", "at its own ε\\*", "lost"])
    words = f"{case.label} of {case.metric}, each part judged by the others' ε"
    tables.show(shown, f"{_name(case)}-held-out", words, values=folds)
    lowest, highest = folds["epsilon"].min(), folds["epsilon"].max()
    value, own, loss = (format_number(folds[name].mean(), ".4f") for name in ("value", "own_value", "loss"))
    words = f"**Cross-validated {label} {value}**, ε {lowest:.5g} to {highest:.5g}. "
    words += f"At its own ε\\* a part would have {own} on average, so an ε from "
    words += f"elsewhere costs {loss}. In-sample, on all together: {format_number(found.value, '.4f')}"
    apart = case.contest.grouping != "item"
    words += " (that compares pairs across parts too, so it may be higher or lower for that reason alone)." * apart
    st.markdown(words + "." * (not apart) if folds["value"].notna().any() else f"{label} is undefined in every part.")


def _say_domains(case: Case, domains: list[str], judged: list[list[Judged]]) -> None:
    """A row a domain that gives epsilon, a column a domain that is judged."""
    names, rows = [name or "(no name)" for name in domains], []
    for origin, cells in zip(names, judged, strict=True):
        epsilon = cells[0][0]
        row = {"ε* of": f"{origin} ({epsilon:.5g})" if epsilon == epsilon else origin}
        for name, (_, value, lost) in zip(names, cells, strict=True):
            beside = "(own)" if name == origin else f"(−{lost:.4f})"
            row[f"on {name}"] = f"{format_number(value, '.4f')} {beside}" if value == value else format_number(value)
        rows.append(row)
    shown = pd.DataFrame(rows)
    st.markdown(f"**From domain to domain:** {plain(case.label)} with another domain's ε\\*, in brackets what is lost.")
    exactly = pd.DataFrame(
        [(*pair, *cell) for pair, cell in zip(product(names, names), chain(*judged), strict=True)],
        columns=["epsilon of", "on", "epsilon", "value", "lost"],
    )
    words = f"{case.label} of {case.metric} on each domain with each domain's ε*"
    tables.grid(shown, f"{_name(case)}-domains", words, values=exactly, hide_index=True)


def take_away(case: Case, found: Found) -> None:
    """The curve as a file, and the line that makes the number reproducible."""
    name = _name(case)
    left, right = st.columns([1, 3], vertical_alignment="center")
    with left:

        def make() -> str:
            return found.curve.to_csv(index=False)

        download.offer("Curve as CSV", make, f"{name}-curve.csv", "text/csv", width="stretch")
    with right:
        st.code(found.signature, language=None, wrap_lines=True)
    call = f"best = tk.calibrate({_arguments(case)})\nbest.epsilon, best.value, best.curve()"
    _show_code(case, "calibrated", call)


def _name(case: Case) -> str:
    return "-".join(part for part in (*case.contest.selection["set"].split("/"), case.metric) if part)


def _arguments(case: Case) -> str:
    coefficient, grouping, difference = case.how
    return f"human, metric, {coefficient!r}, grouping={grouping!r}, difference={difference!r}"


def _show_code(case: Case, what: str, call: str) -> None:
    """The code; its notebook holds the one human score and the one metric that it needs."""
    human = case.contest.selection["human"]
    data = replace(
        case.opened,
        human={human: case.opened.human[human]},
        metrics={case.metric: case.opened.metrics[case.metric]},
        gold=human,
    )
    lines = open.source_code(case.opened)
    notebook.show(f"{_name(case)}-{what}", f"{case.selecting}\n{call}", {"data": data}, load=lines)
