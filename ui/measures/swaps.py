"""Is the difference of two metrics significant? Typed scores, swapped by hand and in all possible ways."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from math import log10
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
import pyarrow as pa
import streamlit as st

import tiekit as tk
from tiekit.charts import AS_LARGE, swap_chart, swap_frame
from tiekit.counting.spread import standardize
from tiekit.signature import digest_of
from ui.base import notebook, presets, resampling, work
from ui.base.text import format_number, format_p, plain, vector
from ui.link import link
from ui.link.controls import choose, choose_many
from ui.measures.swap_result import SwapTest, without_scores
from ui.page import predict, shell, tables
from ui.typed import lines

FILE = "measure_presets.toml"
LINES = {"msr_h": "human", "msr_a": "a", "msr_b": "b"}
LABELS = {
    "msr_h": "Human scores h, one for each translation",
    "msr_a": "Scores of metric A",
    "msr_b": "Scores of metric B",
}
COEFFICIENTS = ("pearson", "spearman", "tau_b", "acc_eq")
MOST = 4095
"""The number of random resamples; with up to 12 translations (4,096 ways to swap) all ways are tried instead."""

WRITTEN_OUT = 20
"""The most translations for which the number of ways to swap is written out."""

BANDS = {"at most 5 %": 0.05, "5 to 20 %": 0.2, "more than 20 %": 1.0}
"""The possible predictions, each with the largest p that it covers."""

Vector: TypeAlias = tuple[float, ...]


@dataclass(frozen=True)
class ToyPair:
    """Typed human scores and those of two metrics, and the coefficient."""

    human: Vector
    a: Vector
    b: Vector
    coefficient: str

    @property
    def key(self) -> str:
        """What the answers depend on."""
        return f"{self.coefficient} {digest_of(*map(np.array, (self.human, self.a, self.b)))}"

    @property
    def label(self) -> str:
        """The coefficient, safe in Markdown."""
        return plain(tk.COEFFICIENTS[self.coefficient].label)

    @property
    def test(self) -> SwapTest:
        """The test of the two metrics, computed once."""
        return work.once(("toy test", self.key), self._test)

    def _test(self) -> SwapTest:
        sides = self.human, self.a, self.b
        return without_scores(tk.significance.permutation_test(*sides, self.coefficient, n_resamples=MOST, n_jobs=1))

    @property
    def scaled(self) -> dict[str, np.ndarray[Any, Any]]:
        """Both metrics' scores with mean 0 and standard deviation 1, rounded so that equal ones stay equal."""
        found = {}
        for name, scores in (("A", self.a), ("B", self.b)):
            values = np.array(scores)
            found[name] = np.round(standardize(values, ~np.isnan(values) & ~np.isnan(self.human)), 10)
        return found


def examples() -> dict[str, dict[str, Any]]:
    """Return the examples by name."""
    return presets.presets(FILE)


def _as_state(preset: Mapping[str, Any]) -> dict[str, Any]:
    return {key: vector(preset[side]) for key, side in LINES.items()} | {"msr_coefficient": preset["coefficient"]}


def choose_scores() -> ToyPair:
    """Let the user choose an example or type scores; return the last valid scores."""
    first = next(iter(examples().values()))
    link.of_page().fill("msr", {key: value for key, value in _as_state(first).items() if key in LINES}, {})
    left, right = st.columns([2, 3], gap="large")
    with left:
        usual = {"msr_coefficient": COEFFICIENTS[0]}
        lines.offer_examples("msr", [*LINES], examples(), _as_state, unset=usual)
        coefficient = choose("Measured by", COEFFICIENTS, "msr_coefficient")
    with right:
        usual_lines = [vector(first[side]) for side in LINES.values()]
        human, a, b = lines.fitting_lines("msr", LABELS, ("h", "A", "B"), usual_lines)
    return ToyPair(human, a, b, coefficient)


def swap_by_hand(toy: ToyPair) -> None:
    """Let the user swap the scores of single translations, and say what the difference is then."""
    test = toy.test
    gap = f"a difference of **{format_number(test.difference)}**" if test.difference == test.difference else "no gap"
    one, other = map(format_number, test.values)
    st.markdown(
        f"A has {toy.label} = **{one}**, B has **{other}**: {gap}. Suppose "
        "that it made **no difference which of them gave which score**. Then the two scores of a translation could "
        "as well be swapped, on their common scale of mean 0 and standard deviation 1:"
    )
    names = [str(place + 1) for place in range(len(toy.human))]
    chosen = choose_many("Swap the scores of these translations", names, [], "msr_swapped")
    moved = np.isin(names, chosen)
    a, b = np.where(moved, toy.scaled["B"], toy.scaled["A"]), np.where(moved, toy.scaled["A"], toy.scaled["B"])
    left, right = st.columns([3, 2], gap="large")
    with left:
        shown = pd.DataFrame(
            {
                "": names,
                "human": [vector([score]) for score in toy.human],
                "A": [_cell(score, here) for score, here in zip(a, moved, strict=True)],
                "B": [_cell(score, here) for score, here in zip(b, moved, strict=True)],
            }
        )
        values_of = pd.DataFrame({"translation": names, "human": toy.human, "A": a, "B": b, "swapped": moved})
        words = "Scores of each translation, swapped ones in bold"
        tables.show(shown, "swapped by hand", words, values=values_of)
    with right:
        after = [tk.correlate(toy.human, side, toy.coefficient).value for side in (a, b)]
        what = f"With {moved.sum()} swapped" if moved.any() else "As they are"
        st.markdown(
            f"{what}: A has {format_number(after[0])}, B has {format_number(after[1])}, the difference is "
            f"**{format_number(after[0] - after[1])}**."
        )
        st.markdown(
            f"With {len(names)} translations there are {_ways(len(names))} ways to swap. How many of "
            "them make a difference as large as the one observed, in either direction? Their share is **p**."
        )


def _ways(n: int) -> str:
    """The number of ways to swap, written out if it is short."""
    return f"2^{n} = {2**n:,}" if n <= WRITTEN_OUT else f"2^{n}, about 10^{n * log10(2):.0f},"


def _cell(score: float, moved: bool) -> str:
    words = format_number(score, ".2f", missing="nan")
    return f"**{words}**" if moved else words


def predict_p(toy: ToyPair) -> bool:
    """Let the user predict p; return whether the answer may be drawn."""
    test = toy.test
    if np.isnan(test.difference):
        return True
    truth = next(band for band, below in BANDS.items() if test.pvalue <= below)
    if test.note:
        why = "A metric that says the same of everything has said nothing that could be put to a test: p = 1, always."
        options = dict.fromkeys(BANDS, why)
    else:
        ways = f"{format_p(test.pvalue)}."
        options = {
            "at most 5 %": "Hardly any way to swap makes such a difference: it would be a rare accident if the "
            "metrics were alike. That takes scores that swapping spoils everywhere, not a gap that is wide.",
            "5 to 20 %": "A gap this wide is no rarity among metrics that are alike, but no daily bread either. With "
            "so few translations even wide gaps come about by chance.",
            "more than 20 %": "Most of the gap hangs on few translations. Swap those, and it is as wide the other way.",
        }
        options[truth] = f"{ways} {options[truth]}"
    gap = format_number(abs(test.difference))
    question = f"In which share of all ways to swap do A and B differ by at least {gap}?"
    return predict.predict_first(f"measures toy: {toy.key}", question, options, truth)


def picture(toy: ToyPair) -> None:
    """Draw the differences of all swaps, with the one observed marked."""
    test = toy.test
    if np.isnan(test.difference):
        st.info(f"No p-value. {_say_undefined(toy)}")
        return
    draw_swaps(test, f"difference of {tk.COEFFICIENTS[toy.coefficient].label}, A minus B", ("toy", toy.key), "msr_toy")
    st.markdown(say_p(test))
    call = f"found = tk.significance.permutation_test(human, a, b, {toy.coefficient!r}, n_resamples={MOST})\n"
    data = {"human": toy.human, "a": toy.a, "b": toy.b}
    notebook.show("permutation test", f"{call}found.difference, found.pvalue", data)


def _say_undefined(toy: ToyPair) -> str:
    """Say why there is no difference: which scores are too few or constant."""
    reasons = {}
    for name, scores, value in zip("AB", (toy.a, toy.b), toy.test.values, strict=True):
        if value == value:
            continue
        both = np.array([(h, m) for h, m in zip(toy.human, scores, strict=True) if h == h and m == m])
        if len(both) < 2:
            reasons[name] = f"fewer than two translations have scores of both h and {name}"
        elif same := [side for side, column in zip(("h", name), both.T, strict=True) if np.ptp(column) == 0]:
            reasons[name] = f"all scores of {' and of '.join(same)} are equal where both have one"
        else:
            reasons[name] = "its formula divides by zero"
    return " ".join(f"{toy.label} of {name} is undefined: {why}." for name, why in reasons.items())


def draw_swaps(test: SwapTest, title: str, key: tuple[object, ...], name: str) -> None:
    """Draw a test's differences, and say in words what the picture shows."""
    frame, large = work.once(("swaps", *key), partial(_bars, test))
    alt = (
        f"Differences under {test.size:,} {'ways to swap' if test.exact else 'random swaps'}: {large:,} are at "
        f"least as large as the observed {format_number(test.difference)}"
    )
    shell.draw(frame, swap_chart(title, shell.theme()), alt, name)


def _bars(test: SwapTest) -> tuple[pa.Table, int]:
    """The frame of the picture, and how many differences are as large as the one observed."""
    frame = swap_frame(test.samples, test.difference)
    return pa.Table.from_pandas(frame), int(frame.loc[frame["kind"] == AS_LARGE, "count"].sum())


def say_p(test: SwapTest) -> str:
    """Say how p is computed, and what follows."""
    c = test.as_large
    n, p = test.size, test.pvalue
    if test.note and p == 1:
        return f"**p = 1.** {plain(test.note).capitalize()}."
    if test.exact:
        how = f"All {n:,} ways were tried; {c:,} of them, the one observed included, differ as much: **p = {c:,}/{n:,}"
        how += " = "
    else:
        how = (
            f"{n:,} random ways were tried, and {c:,} of them differ as much. The scores as they are make one more: "
            f"**p = ({c:,} + 1)/({n:,} + 1) = "
        )
    verdict = "significant at the usual 5 %" if p <= resampling.SIGNIFICANT else "not significant at the usual 5 %"
    return (
        f"{how}{format_number(p)}**, {verdict}. It can never be 0: the scores as they are belong to the possible ones."
    )
