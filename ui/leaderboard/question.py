"""Which leaderboard does the user ask for? His choices, what is computed of each metric, and the downloads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import pairwise
from typing import Any, TypeVar

import pandas as pd
import streamlit as st

import tiekit as tk
from tiekit import charts
from tiekit.errors import collect_warnings
from tiekit.ranking import POLICIES, ComparisonInputs, assemble, evaluate, latex_table
from tiekit.significance import SWAPS, Comparison
from ui.evalset import choices, notes
from ui.evalset.selection import SelectedScores, Selection
from ui.evalset.sources import OpenSet
from ui.link.controls import choose, choose_many, toggle
from ui.work import downloads, presets, result_cache
from ui.work.result_cache import Task
from ui.work.text import cell, plain

T = TypeVar("T")

USUAL = ("tau_a", "tau_b", "tau_c", "tau_10", "tau_13", "tau_14", "acc_eq")

DRAWER = "Choose metrics, coefficients, systems; undefined groups, direction, rounding"

POLICY_HELP = (
    "drop: leave these groups out of the metric's mean, as WMT did with τ_b in 2021 and 2022. zero: count them as 0. "
    "common: leave them out for every metric if they are undefined for one. A metric that is undefined in every group "
    "has no rank under any of the three."
)


OWN_HELP = (
    "Off: all metrics are compared on the translations that every one of them has scored. On: each metric is judged on "
    "all that it has scored, so two values may stand on different pairs."
)


@dataclass(frozen=True, eq=False)
class Question(SelectedScores):
    """What the user asks of a selection: which coefficients, and what becomes of groups without a value."""

    coefficients: tuple[str, ...]
    calibrated: tuple[str, ...]
    undefined: str

    @cached_property
    def counted(self) -> tuple[str, ...]:
        """The coefficients that have a value in each group."""
        return tuple(name for name in self.coefficients if name not in tk.measures.SYSTEM_LEVEL)

    @cached_property
    def system_level(self) -> tuple[str, ...]:
        """The coefficients that compare systems."""
        return tuple(name for name in self.coefficients if name in tk.measures.SYSTEM_LEVEL)

    @property
    def columns(self) -> list[str]:
        """The value columns, as the table shows them."""
        return [*self.counted, *(f"{name}*" for name in self.calibrated), *self.system_level]

    @property
    def probes(self) -> tuple[str, ...]:
        """The metrics compared that are probes."""
        return self.selection.probes

    @property
    def added(self) -> tuple[str, ...]:
        """The metrics compared that the user added to the set."""
        return tuple(name for name in self.selection.source.added if name in self.selection.names)

    def show_code(self, name: str) -> None:
        """Show the call that makes the leaderboard."""
        reported = {"coefficients": list(self.coefficients), "calibrated": list(self.calibrated)}
        call = self.selection.leaderboard_code({**reported, "undefined": self.undefined})
        self.selection.show_code(name, call, self.selection.names)


def choose_question(
    opened: OpenSet, scope: Sequence[AbstractContextManager[Any]], more: AbstractContextManager[Any]
) -> Question | None:
    """Let the user choose what is compared; None where a choice leaves nothing, with the reason on the page.

    Human score, grouping and domain are chosen in the three places of ``scope``, everything else in ``more``.
    """
    data = opened.data
    human, grouping, domain = choices.choose_scope(data, *scope)
    with more, notes.drawer(DRAWER):
        metrics = choices.choose_metrics(data) if data.metrics else ()
        coefficients, calibrated = _choose_coefficients()
        exclude = choices.choose_excluded(data)
        undefined = choose("Groups where a coefficient is undefined", POLICIES, "undefined", help=POLICY_HELP)
        probed = toggle("Also rank simple baselines: source length, output length, random, constant …", "probes")
        adjustment = choices.choose_adjustment(data)
    if not coefficients and not calibrated:
        st.info("Choose at least one coefficient.")
        return None
    if not metrics:
        st.info("Choose at least one metric." if data.metrics else "This set has no metric yet: add one above.")
        return None
    selection = Selection(opened, human, metrics, exclude, domain, adjustment, grouping=grouping, has_probes=probed)
    line: AbstractContextManager[Any] = nullcontext()
    if selection.has_gaps:
        line, switch = st.columns([7, 3], gap="medium", vertical_alignment="center")
        with switch:
            own = toggle("Each metric on its own translations", "own_cells", help=OWN_HELP)
        selection = replace(selection, own_cells=own)
    with line:
        return Question(selection, coefficients, calibrated, undefined) if selection.say() else None


def _choose_coefficients() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The coefficients without and with calibration."""
    names = [*tk.COEFFICIENTS, *tk.measures.SYSTEM_LEVEL]
    coefficients = choose_many("Coefficients", names, USUAL, "coefficients", printed=charts.label_of)
    label = "Calibrated coefficients: ε* is fitted on these same data"
    found, usual = choices.calibrated_coefficients(), ("acc_eq",)
    return tuple(coefficients), tuple(choose_many(label, found, usual, "starred", printed=charts.label_of))


def compute(question: Question, minor: AbstractContextManager[Any]) -> pd.DataFrame | None:
    """Compute the leaderboard and show notes on suspicious scores; None if it was canceled before the first metric.

    Notes that change no ranking are shown in the place ``minor``.
    """
    contest, tasks = question.contest, tasks_of(question, question.contest)
    results = result_cache.compute("Counting pairs and calibrating" if question.calibrated else "Counting pairs", tasks)
    if not results:
        return None
    notes.say_notes(notes.notes_on(contest, results), minor)
    asked = question.undefined, tuple(contest.selection.items()), question.system_level
    st.session_state["board_of"] = *asked, *(tasks[name][0] for name in results)
    return once("board", partial(_assemble, question, contest, results))


def of_two(question: Question, names: tuple[str, str]) -> tuple[pd.DataFrame, ComparisonInputs] | None:
    """Return the leaderboard of two metrics alone, and the scores that it compares: those that both have.

    None where the visitor has stopped it. Raises `TiekitError` where they have too few in common.
    """
    contest = question.selection.contest_of(names)
    results = result_cache.compute("Comparing the two metrics", tasks_of(question, contest))
    return (_assemble(question, contest, results), contest) if len(results) == 2 else None


def tasks_of(question: Question, contest: ComparisonInputs) -> dict[str, Task]:
    """Return what is computed of each metric."""
    wanted, tasks = (question.counted, question.calibrated), dict[str, Task]()
    for name, digest in contest.digests.items():
        key = (name, contest.selection["human"], contest.groups_key, digest, *wanted)
        tasks[name] = key, partial(evaluate, contest, name, *wanted)
    return tasks


def _assemble(question: Question, contest: ComparisonInputs, results: dict[str, Any]) -> pd.DataFrame:
    asked, labels = question.system_level, ", ".join(map(charts.label_of, question.system_level))
    with st.spinner(f"Comparing systems: {labels} …") if asked else nullcontext():
        return assemble(contest, results, question.undefined, asked)


def once(what: str, make: Callable[[], T], *choices: str) -> T:
    """Return something made of the present leaderboard and of choices, computed once for all visitors."""
    return result_cache.once((what, st.session_state["board_of"], *choices), make)


def numbers_of(board: pd.DataFrame) -> pd.DataFrame:
    """Return the leaderboard without signatures, which pandas would copy at every step."""
    numbers = pd.DataFrame(board)
    numbers.attrs = {name: value for name, value in board.attrs.items() if name == "human_lengths"}
    return numbers


def file_stem(question: Question) -> str:
    """Return a file name for a leaderboard, without the extension."""
    contest = question.contest.selection
    parts = [*contest["set"].split("/"), contest["human"], question.contest.grouping]
    return "-".join(part.replace(" ", "_") for part in parts if part)


def offer_downloads(board: pd.DataFrame, question: Question, found: Comparison | None) -> None:
    """Offer the downloads, with what was tested; show the signatures of one metric: the user's, or else the first."""
    columns, own = question.columns, [name for name in question.added if name in board.index]
    signed, of_board = own[-1] if own else None, partial(with_signatures, board, columns, found)
    files: tuple[tuple[str, Callable[[], str], str, str], ...] = (
        ("Table as CSV", board.to_csv, ".csv", "text/csv"),
        ("Table as LaTeX", partial(latex_table, board, columns, signed=signed), ".tex", "text/x-tex"),
        (
            "Every number with its signature and test (CSV)",
            lambda: of_board().to_csv(index=False),
            "-signatures.csv",
            "text/csv",
        ),
    )
    for place, (label, make, ending, mime) in zip(st.columns(3), files, strict=True):
        with place:
            downloads.offer(label, make, f"{file_stem(question)}{ending}", mime, width="stretch")
    name = str(board.index[0]) if signed is None else signed
    with st.expander(f"Signatures of the numbers of {plain(name)}"):
        lines = [board.attrs["signatures"][column][name] for column in columns]
        st.code("\n".join(lines), language=None, wrap_lines=True)
    st.markdown("As a notebook: notebooks/05_wmt22.ipynb.")


def with_signatures(board: pd.DataFrame, columns: list[str], found: Comparison | None = None) -> pd.DataFrame:
    """Return one row per number: metric, coefficient, value, rank, epsilon, groups, coverage, signature.

    Where every two metrics were tested by one of the columns, its rows also have the cluster, the metric next below,
    the p-value of the difference from it, and the test's signature; these cells are empty in other rows.
    """
    tests = {} if found is None else _tests(found)
    rows = [
        {
            "metric": name,
            "coefficient": column,
            "value": cell(board, name, column),
            "rank": board.loc[name, f"rank({column})"],
            "epsilon": board.loc[name, f"epsilon({column[:-1]})"] if column.endswith("*") else 0.0,
            "groups": board.loc[name, f"groups({column})"],
            "undefined": board.loc[name, f"undefined({column})"],
            "coverage": board.loc[name, "coverage"],
            "signature": board.attrs["signatures"][column][name],
        }
        | (tests.get(str(name), {}) if found is not None and column == found.coefficient else {})
        for name in board.index
        for column in columns
    ]
    return pd.DataFrame(rows)


def _tests(found: Comparison) -> dict[str, dict[str, Any]]:
    """For each metric that was tested, what the test says of it."""
    tested = [str(name) for name in found.pvalues.index if name not in found.untested]
    below = dict(pairwise(tested))
    said = {
        name: {
            "next_below": below.get(name, ""),
            "pvalue_next_below": cell(found.pvalues, name, below[name]) if name in below else None,
            "test_signature": found.signature,
        }
        for name in tested
    }
    if SWAPS[found.swap].caution:
        return said
    with collect_warnings():
        clusters = found.clusters(presets.SIGNIFICANT)
    return {name: {"cluster": int(clusters[name])} | columns for name, columns in said.items()}
