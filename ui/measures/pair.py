"""Do two metrics of an evaluation set differ? It depends on what is swapped: scheme beside scheme."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

import tiekit as tk
from tiekit.charts import measure_label
from tiekit.core import DOCUMENT_GROUPINGS, FloatArray, Progress, calibrate_scores, values_per_group
from tiekit.significance import SWAPS
from ui.evalset.choices import choose_grouping
from ui.evalset.compared_set import ComparedSet, levels
from ui.link.controls import choose
from ui.measures import choices
from ui.measures.swap_result import SwapTest, without_scores
from ui.page import glossary, predict, tables
from ui.work import presets, result_cache
from ui.work.text import format_number, p_alone, plain

TALES = (("MATESE-refA", "UniTE-ref-refA"), ("Contour-QE-src", "Ladder-refA"))
"""Two metrics of each bundled set whose difference is significant under one scheme only."""

PAIRS = "pairs"
DISPUTED = 1.5
"""In standard errors: too few for whole segments (1.96), enough for outcomes of pairs, which vary less."""

ALL, NONE, ONLY_PAIRS, SOME = "all of them", "none of them", "only outcomes of pairs", "another combination"


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


def choose_pair(case: ComparedSet) -> tuple[MetricPair, str]:
    """Let the user choose two metrics, a measure, and what is swapped."""
    at_first = at_first_of(case)
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
        labels = {SWAPS[name].label: name for name in schemes_of(case, coefficient, grouping)}
        scheme = labels[choose("What is swapped", list(labels), "msr_scheme")]
    return MetricPair(first, second, coefficient, grouping), scheme


def schemes_of(case: ComparedSet, coefficient: str, grouping: str) -> list[str]:
    """Return the schemes of swaps that suit a set, a coefficient and a grouping: means of documents stay whole."""
    entry, documents = tk.COEFFICIENTS[coefficient.removesuffix("*")], case.data.documents
    known = [name for name, scheme in SWAPS.items() if documents or not scheme.needs_documents]
    if grouping == "document_means":
        return [name for name in known if SWAPS[name].needs_documents]
    known = [name for name in known if grouping == "system_means" or not SWAPS[name].of_means]
    return [name for name in known if SWAPS[name].of_scores or entry.of_pairs]


def swap_schemes(case: ComparedSet, pair: MetricPair) -> None:
    """Test two metrics under every scheme, and show the p-values."""
    glossary.terms("permutation schemes", "anti-conservative")
    st.markdown(
        "A metric's scores of one segment depend on each other, because they are of the same source. So what may be "
        f"swapped? {presets.RESAMPLES} random swaps under each scheme; the thresholds ε* stay as they are."
    )
    tests = _test(case, pair)
    if tests and _predict_schemes(case, tests, pair):
        _show(tests)


def at_first_of(case: ComparedSet) -> tuple[str, ...]:
    """Return the two metrics that are shown at first."""
    for tale in TALES:
        if case.metrics.keys() >= set(tale):
            return tale
    return result_cache.once(("in dispute", *case.key), partial(in_dispute, case.human, case.metrics))


def in_dispute(human: FloatArray, metrics: Mapping[str, FloatArray]) -> tuple[str, ...]:
    """Return two neighbors in rank by acc_eq* with a difference near the limit of chance: there schemes may disagree.

    The limit is the standard error of a mean over segments, without a test.
    """
    found: dict[str, FloatArray] = {}
    for name, scores in metrics.items():
        if levels(scores) > 1:
            fitted = calibrate_scores(human, scores, "acc_eq", "item", "absolute")
            grouped = fitted.grouped
            values = grouped.spread(values_per_group(grouped, tk.COEFFICIENTS["acc_eq"], fitted.epsilon))
            if not np.isnan(values).all():
                found[name] = values
    ranked = sorted(found, key=lambda name: -float(np.nanmean(found[name])))
    far: dict[tuple[str, ...], float] = {}
    for first, second in pairwise(ranked):
        gaps = found[first] - found[second]
        gaps = gaps[~np.isnan(gaps)]
        if len(gaps) > 1 and np.ptp(gaps) > 0:
            far[first, second] = abs(abs(gaps.mean()) / gaps.std() * len(gaps) ** 0.5 - DISPUTED)
    return min(far, key=lambda pair: far[pair]) if far else ()


def _test(case: ComparedSet, pair: MetricPair) -> dict[str, SwapTest]:
    """The tests under every scheme that suits this coefficient."""
    done = result_cache.compute(f"Swapping, {presets.RESAMPLES} times for each scheme", tasks_of(case, pair))
    return {name: done[scheme.label] for name, scheme in SWAPS.items() if scheme.label in done}


def tasks_of(case: ComparedSet, pair: MetricPair) -> dict[str, result_cache.Task]:
    """Return the tests under every scheme that suits this coefficient, by the schemes' labels."""
    first, second, coefficient, grouping = pair
    a, b = case.metrics[first], case.metrics[second]
    documents = case.data.documents or None
    key = *choices.data_key(case, {first: a, second: b}), documents, coefficient, grouping
    run, schemes = partial(_run, case.human, a, b, documents, coefficient, grouping), schemes_of(case, *pair[2:])
    return {SWAPS[scheme].label: (("pair", *key, scheme), partial(run, scheme)) for scheme in schemes}


def _run(
    human: FloatArray,
    a: FloatArray,
    b: FloatArray,
    documents: tuple[str, ...] | None,
    coefficient: str,
    grouping: str,
    swap: str,
    progress: Progress,
) -> SwapTest:
    test = tk.significance.permutation_test(
        human,
        a,
        b,
        coefficient,
        grouping=grouping,
        swap=swap,
        documents=documents,
        n_resamples=presets.RESAMPLES,
        rng=presets.SEED,
        progress=progress,
    )
    return without_scores(test)


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
    rated = ~np.isnan(case.human)
    sizes = {"global": rated.sum(), "item": rated.sum(axis=0).max(), "system": rated.sum(axis=1).max()}
    sizes["system_means"] = rated.any(axis=1).sum()
    if grouping == "document":
        sizes["document"] = max(Counter(np.repeat(case.data.documents, rated.sum(axis=0)).tolist()).values(), default=0)
    of = {"item": " of a segment", "system": " of a system", "system_means": " means", "document": " of a document"}
    n = int(sizes[grouping])
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


def show_code(case: ComparedSet, pair: MetricPair, scheme: str) -> None:
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


CALL = """found = tk.significance.permutation_test(
    chosen.human[{human!r}],
    chosen.metrics[{first!r}],
    chosen.metrics[{second!r}],
    {coefficient!r},
    grouping={grouping!r},
    swap={swap!r},{documents}
)
found.difference, found.pvalue"""
