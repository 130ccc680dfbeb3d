"""Is the difference between two metrics significant? Typed scores, swapped by hand and in all possible ways."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import streamlit as st

import tiekit as tk
from tiekit.core import digest_of
from tiekit.errors import collect_warnings
from tiekit.figures import FIGURES, swap_vectors, swaps_by_hand
from ui.classroom.scale import Scale
from ui.link import link
from ui.link.controls import choose
from ui.measures.pair import SwapTest, without_scores
from ui.page import predict, stage
from ui.typed import lines
from ui.work import downloads, presets, result_cache
from ui.work.text import format_number, format_p, plain, vector

FILE = "measure_presets.toml"
LINES = {"msr_h": "human", "msr_a": "a", "msr_b": "b"}
LABELS = {
    "msr_h": "Human scores h, one per translation",
    "msr_a": "Scores of metric A",
    "msr_b": "Scores of metric B",
}
COEFFICIENTS = ("pearson", "spearman", "tau_b", "acc_eq")
MOST = 4095
"""The number of random resamples; with up to 12 translations (4,096 ways to swap) all ways are tried instead."""

SHARE = Scale(0, 1, 2, near=0.05)
"""On this scale one draws p."""

SMALL, MEDIUM = 0.05, 0.2
"""The largest p that is rare, and the largest that is neither rare nor common."""

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
        asked = self.human, self.a, self.b, self.coefficient
        test = partial(tk.significance.permutation_test, *asked, n_resamples=MOST, n_jobs=1)
        return result_cache.once(("toy test", self.key), lambda: without_scores(test()))


def _as_state(preset: Mapping[str, Any]) -> dict[str, Any]:
    return {key: vector(preset[side]) for key, side in LINES.items()} | {"msr_coefficient": preset["coefficient"]}


def choose_scores() -> ToyPair:
    """Let the user choose an example or type scores; return the last valid scores."""
    examples = presets.presets(FILE)
    first = next(iter(examples.values()))
    link.of_page().fill("msr", {key: value for key, value in _as_state(first).items() if key in LINES}, {})
    with st.expander("Edit scores"):
        usual = {"msr_coefficient": COEFFICIENTS[0]}
        lines.offer_examples("msr", [*LINES], examples, _as_state, unset=usual)
        usual_lines = [vector(first[side]) for side in LINES.values()]
        human, a, b = lines.fitting_lines("msr", LABELS, ("h", "A", "B"), usual_lines)
    coefficient = choose("Coefficient of the prediction", COEFFICIENTS, "msr_coefficient", printed=tk.charts.label_of)
    return ToyPair(human, a, b, coefficient)


def explore(toy: ToyPair) -> None:
    """Let the user swap the scores of single translations, or of all at random."""
    try:
        with collect_warnings() as said:
            scores = swap_vectors(toy.human, toy.a, toy.b, ("A", "B"))
    except tk.InputError as error:
        st.info(plain(str(error)))
        return
    for _, message in said:
        st.caption(plain(message))
    fixed = swaps_by_hand(scores, ("A", "B"))
    usual = {"coefficient": toy.coefficient, "swapped": [], "draws": 0, "seed": 0}
    moved = stage.moving("by hand", {"msr_by_hand": usual}, lambda _, value: _is_sound(value, fixed))["msr_by_hand"]
    now = moved if _is_sound(moved, fixed) else usual
    stage.show(FIGURES["swap_explorer"], {**fixed, **now}, "msr_explorer", _hear)


def _hear(said: dict[str, Any]) -> None:
    """Keep what the user swapped."""
    rules = FIGURES["swap_explorer"].rules
    if set(rules) <= set(said):
        stage.keep({"msr_by_hand": {key: said[key] for key in rules}})


def _is_sound(value: Any, data: Mapping[str, Any]) -> bool:
    """Whether a value of a link says what is swapped of these scores."""
    rules = FIGURES["swap_explorer"].rules
    return (
        isinstance(value, dict)
        and set(value) == set(rules)
        and all(rules[key].holds(value[key], data) for key in rules)
    )


def predict_p(toy: ToyPair) -> bool:
    """Let the user predict p; return whether the answer may be drawn."""
    test = toy.test
    if np.isnan(test.difference):
        return True
    if test.note:
        why = "A constant metric cannot be tested: p is always 1."
    elif test.pvalue <= SMALL:
        why = "Hardly any way to swap makes such a difference: if the metrics were alike, it would be rare. This takes "
        why += "scores for which most swaps reduce the difference, not just a large difference."
    elif test.pvalue <= MEDIUM:
        why = "Among metrics that are alike such a difference is neither rare nor common. With so few translations "
        why += "even large differences arise by chance."
    else:
        why = "Most of the difference depends on few translations. Swap those, and it is as large the other way."
    if not test.note:
        why = f"{format_p(test.pvalue)}. {why}"
    gap = format_number(abs(test.difference))
    question = f"In what share of all ways to swap do A and B differ by at least {gap}?"
    return predict.draw_first(f"measures toy: {toy.key}", question, SHARE, test.pvalue, why)


def say_result(toy: ToyPair) -> None:
    """Say what tiekit's own test finds, and show it in Python."""
    test = toy.test
    if np.isnan(test.difference):
        st.info(f"No p-value. {_say_undefined(toy)}")
        return
    st.markdown(say_p(test))
    call = f"found = tk.significance.permutation_test(human, a, b, {toy.coefficient!r}, n_resamples={MOST})\n"
    data = {"human": toy.human, "a": toy.a, "b": toy.b}
    downloads.show_code("permutation test", f"{call}found.difference, found.pvalue", data)


def _say_undefined(toy: ToyPair) -> str:
    """Say why there is no difference: which scores are too few or constant."""
    reasons = {}
    for name, scores, value in zip("AB", (toy.a, toy.b), toy.test.values, strict=True):
        if value == value:
            continue
        both = np.array([(h, m) for h, m in zip(toy.human, scores, strict=True) if h == h and m == m])
        if len(both) < 2:
            reasons[name] = f"fewer than two translations have a score of h and of {name}"
        elif same := [side for side, column in zip(("h", name), both.T, strict=True) if np.ptp(column) == 0]:
            reasons[name] = f"all scores of {' and of '.join(same)} are equal where both have one"
        else:
            reasons[name] = "its formula divides by zero"
    return " ".join(f"{toy.label} of {name} is undefined: {why}." for name, why in reasons.items())


def say_p(test: SwapTest) -> str:
    """Say how p is computed, and what follows."""
    c = test.as_large
    n, p = test.size, test.pvalue
    if test.note and p == 1:
        return f"**p = 1.** {plain(test.note).capitalize()}."
    if test.exact:
        how = f"Of all {n:,} ways to swap, {c:,} differ at least as much, the observed one included: **p = {c:,}/{n:,}"
        how += " = "
    else:
        how = (
            f"Of {n:,} random permutations, {c:,} differ at least as much. The observed arrangement is one more: "
            f"**p = ({c:,} + 1)/({n:,} + 1) = "
        )
    verdict = "significant at the 5 % level" if p <= presets.SIGNIFICANT else "not significant at the 5 % level"
    return f"{how}{format_number(p)}**, {verdict}. p is never 0: the observed arrangement is one of the possible ones."
