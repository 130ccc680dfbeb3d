"""Do two metrics of an evaluation set differ? Swaps that fall into a histogram, and scheme beside scheme."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import partial
from typing import Any, NamedTuple

import pandas as pd
import streamlit as st

import tiekit as tk
from tiekit.charts import measure_label
from tiekit.core import DOCUMENT_GROUPINGS, FloatArray, Progress, group_checked
from tiekit.figures import FIGURES, TITLE_OF_TEST, swaps_of_test
from tiekit.measures import disputed_neighbors
from tiekit.significance import SWAPS
from ui.evalset.choices import choose_grouping
from ui.evalset.compared_set import ComparedSet
from ui.link.controls import choose
from ui.measures import choices
from ui.page import glossary, predict, stage, tables
from ui.work import downloads, presets, result_cache
from ui.work.text import format_number, p_alone, plain

TALES = (("MATESE-refA", "UniTE-ref-refA"), ("Contour-QE-src", "Ladder-refA"))
"""Two metrics of each bundled set whose difference is significant under one scheme only."""

PAIRS = "pairs"

ALL, NONE, ONLY_PAIRS, SOME = "all of them", "none of them", "only outcomes of pairs", "another combination"

MOVING = stage.Moving("shuffle", "swap_explorer", {"draws": "msr_drawn"}, {"draws": 0})

OF_TEST = {"samples": [0.0], "most": None}
"""Of a test that has been run not "all" is drawn but a number, which may exceed what is there."""

CALL = """found = tk.significance.permutation_test(
    chosen.human[{human!r}],
    chosen.metrics[{first!r}],
    chosen.metrics[{second!r}],
    {coefficient!r},
    grouping={grouping!r},
    swap={swap!r},{documents}
)
found.difference, found.pvalue"""


@dataclass(frozen=True)
class SwapTest:
    """A permutation test without the scores; see `tiekit.significance.PermutationTest`."""

    pvalue: float
    difference: float
    values: tuple[float, float]
    samples: FloatArray
    exact: bool
    note: str
    coefficient: str
    grouping: str
    swap: str
    signature: str

    @property
    def size(self) -> int:
        """The number of resamples."""
        return self.samples.size

    @property
    def as_large(self) -> int:
        """How many resamples have a difference at least as large as the one observed."""
        return round(self.pvalue * self.size) if self.exact else round(self.pvalue * (self.size + 1)) - 1


def without_scores(test: tk.significance.PermutationTest) -> SwapTest:
    """Return a test without the visitor's scores."""
    return SwapTest(**{field.name: getattr(test, field.name) for field in fields(SwapTest)})


class MetricPair(NamedTuple):
    """Which two metrics are tested, and by which measure."""

    first: str
    second: str
    coefficient: str
    grouping: str

    @property
    def measure(self) -> str:
        """The measure's name on a page."""
        return measure_label(f"{self.grouping}/{self.coefficient}")


def _choose_pair(case: ComparedSet) -> tuple[MetricPair, str]:
    """Let the user choose two metrics, a measure, and what is swapped."""
    at_first = _at_first_of(case)
    names = [*at_first, *(name for name in case.metrics if name not in at_first)]
    one, two, three, four, five = st.columns(5, gap="small")
    with one:
        first = choose("First metric", names, "msr_first")
    with two:
        second = choose("Second metric", [name for name in names if name != first], "msr_second")
    with three:
        grouping = choose_grouping(case.data)
    with four:
        found = sorted(choices.coefficients(), key=lambda name: name != "acc_eq*")
        coefficient = choose("Coefficient", found, "msr_by", printed=tk.charts.label_of)
    with five:
        labels = {SWAPS[name].label: name for name in _schemes_of(case, coefficient, grouping)}
        scheme = labels[choose("What is swapped", list(labels), "msr_scheme")]
    return MetricPair(first, second, coefficient, grouping), scheme


def _schemes_of(case: ComparedSet, coefficient: str, grouping: str) -> list[str]:
    """Return the schemes of swaps that suit a set, a coefficient and a grouping: means of documents stay whole."""
    entry, documents = tk.COEFFICIENTS[coefficient.removesuffix("*")], case.data.documents
    known = [name for name, scheme in SWAPS.items() if documents or not scheme.needs_documents]
    if grouping == "document_means":
        return [name for name in known if SWAPS[name].needs_documents]
    known = [name for name in known if grouping == "system_means" or not SWAPS[name].of_means]
    return [name for name in known if SWAPS[name].of_scores or entry.of_pairs]


def show_histogram(case: ComparedSet) -> MetricPair | None:
    """Test two metrics, and let swaps fall into a histogram; return the pair, None where there is nothing to test."""
    if len(case.metrics) < 2:
        st.info("This set has one metric only.")
        return None
    place = st.container()
    chosen, scheme = _choose_pair(case)
    label = SWAPS[scheme].label
    task = _tasks_of(case, chosen)[label]
    with place:
        done = result_cache.compute(f"Swapping {presets.RESAMPLES} times", {label: task})
        if not done:
            return chosen
        test: SwapTest = done[label]
        if test.difference != test.difference:
            st.info("The measure is undefined for one of the metrics, so there is nothing to test.")
            return chosen
        data = swaps_of_test(test, (chosen.first, chosen.second))
        data["draws"] = min(MOVING.read(OF_TEST)["draws"], test.size)
        stage.show(FIGURES["swap_explorer"], data, "msr_shuffle", MOVING.keep)
    made = f"{chosen.first} and {chosen.second}, {chosen.measure}. {test.signature}"
    write = partial(FIGURES["swap_explorer"].page, data, made, TITLE_OF_TEST)
    downloads.embed(write, "permutation-test.html", key="embed shuffle")
    _show_code(case, chosen, scheme)
    return chosen


def swap_schemes(case: ComparedSet, pair: MetricPair) -> None:
    """Test two metrics under every scheme, and show the p-values."""
    glossary.terms("permutation schemes", "anti-conservative")
    st.markdown(
        "A metric's scores of one segment depend on each other, because they are of the same source. So what may be "
        f"swapped? {presets.RESAMPLES} random swaps under each scheme; the thresholds ε* stay as they are."
    )
    done = result_cache.compute(f"Swapping, {presets.RESAMPLES} times for each scheme", _tasks_of(case, pair))
    tests = {name: done[scheme.label] for name, scheme in SWAPS.items() if scheme.label in done}
    if tests and _predict_schemes(case, tests, pair):
        _show(tests)


def _at_first_of(case: ComparedSet) -> tuple[str, ...]:
    """Return the two metrics that are shown at first."""
    for tale in TALES:
        if case.metrics.keys() >= set(tale):
            return tale
    task: result_cache.Task = ("in dispute", *case.key), partial(disputed_neighbors, case.human, case.metrics)
    done = result_cache.compute("Looking for two metrics in dispute", {"in dispute": task})
    found: tuple[str, ...] = done.get("in dispute", ())
    return found


def _tasks_of(case: ComparedSet, pair: MetricPair) -> dict[str, result_cache.Task]:
    """The tests under every scheme that suits this coefficient, by the schemes' labels."""
    first, second, coefficient, grouping = pair
    scores, documents = (case.human, case.metrics[first], case.metrics[second]), case.documents
    key = *choices.data_key(case, {first: scores[1], second: scores[2]}), documents, coefficient, grouping
    asked: dict[str, Any] = {
        "grouping": grouping,
        "documents": documents,
        "n_resamples": presets.RESAMPLES,
        "rng": presets.SEED,
    }

    def test(scheme: str) -> Callable[[Progress], SwapTest]:
        run = partial(tk.significance.permutation_test, *scores, coefficient, swap=scheme, **asked)
        return lambda progress: without_scores(run(progress=progress))

    schemes = _schemes_of(case, coefficient, grouping)
    return {SWAPS[scheme].label: (("pair", *key, scheme), test(scheme)) for scheme in schemes}


def _predict_schemes(case: ComparedSet, tests: dict[str, SwapTest], pair: MetricPair) -> bool:
    """Let the user predict which schemes find the difference significant; return whether the answer may be drawn."""
    first, second = pair[:2]
    any_test = next(iter(tests.values()))
    small = {scheme: test.pvalue <= presets.SIGNIFICANT for scheme, test in tests.items()}
    one, other = map(format_number, any_test.values)
    st.markdown(
        f"**{plain(pair.measure)}: {plain(first)} has {one}, {plain(second)} "
        f"{other}.** Difference: {format_number(any_test.difference)}."
    )
    if any_test.difference != any_test.difference:
        st.info("One of the values is undefined, so there is nothing to test.")
        return False
    if PAIRS not in small:
        st.markdown(
            "Outcomes of pairs cannot be swapped for this coefficient, because it does not depend on them alone."
        )
    pairs = small.get(PAIRS, False)
    truth = ALL if all(small.values()) else NONE if not any(small.values()) else SOME
    truth = ONLY_PAIRS if pairs and sum(small.values()) == 1 else truth
    options = {
        ALL: "A large difference is significant whatever is swapped.",
        NONE: "A small difference that depends on few segments can arise by chance under any scheme.",
    }
    if PAIRS in small:
        options[ONLY_PAIRS] = (
            f"Pairs share scores: {_say_pairs(case, pair.grouping)}. Swapping outcomes pair by pair treats "
            "them as independent, so the swapped differences vary far too little."
        )
    options[SOME] = "The schemes ask different questions: would it be the same on other segments? With other systems?"
    key = f"measures pair: {first} {second} {pair.measure} {any_test.signature}"
    question = "**Which schemes call this difference significant (p ≤ .05)?**"
    return predict.predict_first(key, question, options, truth, is_about_files=True)


def _say_pairs(case: ComparedSet, grouping: str) -> str:
    """How many scores a group has, and how many pairs they form, in words."""
    of = {"item": " of a segment", "system": " of a system", "system_means": " means", "document": " of a document"}
    n = int(group_checked(case.human, case.human, grouping, case.documents).sizes.max(initial=0))
    return f"{n:,}{' scores' * (grouping != 'system_means')}{of.get(grouping, '')} make {n * (n - 1) // 2:,} pairs"


def _show(tests: dict[str, SwapTest]) -> None:
    rows = {
        SWAPS[scheme].label: (
            f"{test.as_large:,}",
            p_alone(test.pvalue),
            _verdict(scheme, test),
        )
        for scheme, test in tests.items()
    }
    values = [(scheme, t.as_large, t.size, t.exact, t.difference, t.pvalue, t.signature) for scheme, t in tests.items()]
    columns = ["swap", "as large", "resamples", "exact", "difference", "p", "signature"]
    shown = pd.DataFrame(rows.values(), index=list(rows), columns=["c", "p", "p ≤ .05"]).rename_axis("what is swapped")
    words = "p-values by scheme: " + "; ".join(f"{name} {row[1]}" for name, row in rows.items())
    numbers = pd.DataFrame(values, columns=columns).set_index("swap")
    tables.grid(shown, "swap schemes", words, values=numbers, height="content")
    st.markdown(
        "c: how many swaps differ at least as much. *Whole segments* asks whether another sample of segments would "
        "give the same result; it is the default of `tiekit` by item. *Outcomes of pairs* is the test of calibrated "
        "accuracy in WMT's program mt-metrics-eval; it is not in Deutsch et al. (2023). It finds a difference far more "
        "often than 5 % of the time when there is none, so **we do not use it for clusters**."
    )


def _verdict(scheme: str, test: SwapTest) -> str:
    if test.pvalue > presets.SIGNIFICANT:
        return "no"
    return "yes, anti-conservative" if SWAPS[scheme].caution else "yes"


def _show_code(case: ComparedSet, pair: MetricPair, scheme: str) -> None:
    """Show the test of two metrics in Python."""
    first, second, coefficient, grouping = pair
    needs_documents = SWAPS[scheme].needs_documents or grouping in DOCUMENT_GROUPINGS
    call = CALL.format(
        human=case.rated,
        first=first,
        second=second,
        coefficient=coefficient,
        grouping=grouping,
        swap=scheme,
        documents="\n    documents=chosen.documents," * needs_documents,
    )
    case.show_code("permutation test of two metrics", [first, second], call)
