"""What are both judges' numbers? Every measure at the thresholds, the difference of the judges, and the checklist."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

import tiekit as tk
from tiekit.core import Progress, part_of
from tiekit.figures import FEW_VOTES
from ui.llm_as_a_judge.sides import Sides
from ui.page import tables
from ui.work import downloads, result_cache
from ui.work.text import count_noun, format_number, plain

RESAMPLES = 999
SHOWN = (
    "with_ties",
    "without_ties",
    "kappa_of_table",
    "kappa",
    "acc_eq",
    "tau_eq",
    "tau_b",
    "tau_10",
    "tau_13",
    "tau_14",
)
COUNTED = {"with_ties": "n", "without_ties": "n_without_ties"}
"""Measures whose difference is tested, and the number of pairs of votes that each counts."""

LABELS = {
    "with_ties": "agreement with ties",
    "without_ties": "agreement without ties",
    "kappa_of_table": "Cohen's κ of the table above",
    "kappa": "κ, symmetrized",
}


def label_of(name: str) -> str:
    """A measure as tables print it."""
    return LABELS.get(name) or tk.COEFFICIENTS[name].label


def every_measure(sides: Sides, thresholds: dict[str, float]) -> None:
    """Show every measure of both judges at their thresholds, and where the lead changes."""
    key = "vote measures", *sides.key, *thresholds.values()
    found = result_cache.compute("Measuring agreement", {"measures": (key, partial(_measures, sides, thresholds))})
    if not found:
        return
    shown, values = found["measures"]
    tables.show(shown, "votes_measures", "Each measure of agreement for both judges", values=values)
    st.caption(
        "★ marks the higher value of two. acc_eq is the agreement with ties; τ_13 is twice the one without, minus 1. "
        "The symmetrized κ counts a win and a loss alike, whichever system is first by name; Cohen's κ is of the table "
        "above, where a system is first by its name."
    )


def _measures(sides: Sides, thresholds: dict[str, float], progress: Progress) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Every measure of both judges, as shown and as numbers."""
    values = pd.DataFrame({"measure": [label_of(name) for name in SHOWN]})
    for place, (judge, votes) in enumerate(sides.compared.items()):
        progress(place / len(sides.compared))
        found = tk.votes.agreement(votes, sides.human, threshold=thresholds[judge])
        values[plain(judge)] = [found.kappa_of_table if one == "kappa_of_table" else found.value(one) for one in SHOWN]
    numbers = values.drop(columns="measure")
    lead = numbers.eq(numbers.max(axis=1), axis=0) & (numbers.max(axis=1) > numbers.min(axis=1)).to_numpy()[:, None]
    return values.assign(**(lead.replace({True: "★ ", False: ""}) + numbers.map(format_number))), values


def difference(sides: Sides, thresholds: dict[str, float]) -> None:
    """Say whether the difference between both judges may be due to the choice of items."""
    if len(sides.judges) < 2:
        return
    one, other = sides.compared
    key = "vote difference", *sides.key, *thresholds.values()
    tasks = {"intervals": (key, partial(_differences, sides, thresholds))}
    computed = result_cache.compute("Resampling questions", tasks)
    if not computed:
        return
    for measure, (found, fewest, name) in computed["intervals"].items():
        if fewest < FEW_VOTES:
            st.markdown(
                f"- **{label_of(measure)}**: {count_noun(fewest, 'pair')} of votes of {plain(name)} "
                f"{'is' if fewest == 1 else 'are'} left, too few to compare."
            )
            continue
        clear = "does not contain 0" if found.low > 0 or found.high < 0 else "contains 0, so it may be due to chance"
        numbers = [format_number(number, "+.3f") for number in (found.value, found.low, found.high)]
        st.markdown(
            f"- **{label_of(measure)}**: {plain(one)} minus {plain(other)} is {numbers[0]}; the 95 % interval "
            f"[{numbers[1]}, {numbers[2]}] {clear}."
        )
    st.caption(f"Bootstrap over items, {RESAMPLES} resamples: all votes on a question stay together.")


def _differences(
    sides: Sides, thresholds: dict[str, float], progress: Progress
) -> dict[str, tuple[tk.votes.VoteInterval, int, str]]:
    """The interval of each measure's difference, and which judge has the fewest pairs of votes for it."""
    (one, votes), (other, against) = sides.compared.items()
    sizes = {}
    for name, each in sides.compared.items():
        progress(0.0)
        sizes[name] = tk.votes.agreement(each, sides.human, threshold=thresholds[name])
    found = {}
    for place, (measure, n) in enumerate(COUNTED.items()):
        interval = tk.votes.agreement_interval(
            votes,
            sides.human,
            measure,
            against=against,
            threshold=thresholds[one],
            against_threshold=thresholds[other],
            n_resamples=RESAMPLES,
            progress=part_of(progress, place, len(COUNTED)),
        )
        found[measure] = interval, *min((getattr(size, n), name) for name, size in sizes.items())
    return found


def report(sides: Sides, thresholds: dict[str, float]) -> None:
    """Show the reporting checklist of one judge as text."""
    tasks = {
        name: (
            ("vote checklist", *sides.key, name, thresholds[name]),
            partial(_checklist, sides, name, thresholds[name]),
        )
        for name in sides.judges
    }
    texts: dict[str, str] = result_cache.compute("Writing checklists", tasks)
    for name, text in texts.items():
        with st.expander(f"Checklist for {plain(name)}"):
            st.code(text, language=None, wrap_lines=True)
            file = f"{downloads.file_name(f'checklist {name}')}.txt"
            downloads.offer("Download", partial(str, text), file, "text/plain", key=f"list {name}")


def _checklist(sides: Sides, name: str, threshold: float, progress: Progress) -> str:
    """The checklist of a judge."""
    progress(0.0)
    return tk.votes.checklist(sides.judges[name], sides.human, threshold=threshold, progress=progress)


def code(sides: Sides, thresholds: dict[str, float]) -> None:
    """Show the Python that gives these numbers."""
    how, opened = sides.disagreement, sides.file
    lines = [f"votes = tk.votes.read_votes({{{opened.name!r}: file}})", f"human = votes.by({sides.human_name!r})"]
    orders = [f"votes.by({name!r})" for name in sides.judges]
    own = [f"tk.votes.resolve_orders({each}, {how!r})" if how else each for each in orders]
    if sides.left_out:
        lines.append(f"orders = tk.votes.share_answers([{', '.join(orders)}])")
        lines.append(f"judges = tk.votes.share_answers([{', '.join(own)}])  # the votes that both cast")
        orders, own = ([f"{what}[{place}]" for place in range(len(own))] for what in ("orders", "judges"))
    for name, both, each in zip(sides.judges, orders, own, strict=True):
        lines.append(f"print(tk.votes.swap_consistency({both}, threshold={thresholds[name]!r}))")
        lines.append(f"tk.votes.agreement({each}, human, threshold={thresholds[name]!r})")
    downloads.show_code("Votes of judges", "\n".join(lines), {"file": opened.content}, opened.load)
