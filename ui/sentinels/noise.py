"""Which metric wins because of noise? A discrete metric, its sentinel and a continuous one on typed scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
import streamlit as st

import tiekit as tk
from tiekit.core import FloatArray, add_noise, digest_of
from tiekit.figures import NOISE_ENDING
from tiekit.sentinels import BITES
from ui.link import link
from ui.link.controls import choose_seed, is_seed
from ui.page import predict, tables
from ui.sentinels.shares import SAME, ShareCurves, draw_shares, lay_out, say_meeting
from ui.typed import lines
from ui.work import downloads, presets
from ui.work.text import exact, format_epsilon, format_number, percent, plain, vector

FILE = "sentinel_presets.toml"
LINES = {"sen_h": "human", "sen_m": "discrete", "sen_c": "continuous"}
LABELS = {
    "sen_h": "Human scores h, one per translation",
    "sen_m": "Scores of the discrete metric",
    "sen_c": "Scores of the continuous metric",
}
DEVIATION = 0.01
"""The standard deviation of the noise, for the paper's variance of 0.0001."""

SHARES = [share / 20 for share in range(20)]
"""The shares of human ties along the curves."""

PERCENT = [str(round(100 * share)) for share in SHARES]
ASKED = "50"
"""The share that is shown at first."""

IN_LINK = {"sen_seed": is_seed, "sen_share": lambda text: text in PERCENT}
"""What a link can hold: a check for each key."""

DISCRETE, CONTINUOUS, NEITHER = "discrete", "continuous", "neither"
SENTINEL = DISCRETE + NOISE_ENDING
Vector: TypeAlias = tuple[float, ...]


CALL = """sentinel = tk.sentinels.perturb(metric, rng={seed})
kept = {{"keep_tied": {tied}, "keep_untied": {untied}}}
[tk.sentinels.calibrate_reweighted(human, scores, **kept) for scores in (metric, sentinel)]"""


@dataclass(frozen=True)
class ToySentinel:
    """Human scores, those of three metrics, and the seed of the noise."""

    human: Vector
    metrics: dict[str, Vector]
    seed: int
    note: str

    @property
    def tied(self) -> float:
        """The share of pairs that the human ties."""
        return tk.count_ties(self.human).share

    @property
    def curves(self) -> ShareCurves:
        """The metrics over the share of human ties."""
        return _curves(self.human, tuple(self.metrics.items()))

    @property
    def key(self) -> str:
        """What the answers depend on."""
        return digest_of(*map(np.array, (self.human, *self.metrics.values())))


def _as_state(preset: Mapping[str, Any]) -> dict[str, Any]:
    return {key: vector(preset[side]) for key, side in LINES.items()} | {"sen_seed": preset["seed"]}


def show() -> None:
    """Let the user see what noise does to a few typed scores, after a prediction."""
    toy = choose_scores()
    if toy is not None:
        say_noise(toy)
        if predict_winner(toy):
            picture(toy)
            st.subheader("A share of your own")
            own_share(toy)


def choose_scores() -> ToySentinel | None:
    """Let the user choose an example or type scores; None where there is no pair to compare."""
    now, examples = st.session_state, presets.presets(FILE)
    first = next(iter(examples.values()))
    link.of_page().fill("sen", _as_state(first), IN_LINK)
    lines.offer_examples("sen", [*LINES, "sen_seed"], examples, _as_state)
    with st.expander("Edit scores"):
        usual = link.of_page().usual("sen_seed", 0)
        choose_seed("Seed of the noise", usual, "sen_seed")
        usual_lines = [vector(first[side]) for side in LINES.values()]
        human, discrete, continuous = lines.fitting_lines("sen", LABELS, ("h", "discrete", "continuous"), usual_lines)
    if tk.count_pairs(human, discrete).total < 1:
        st.info("No pair yet: at least two translations need scores.")
        return None
    seed = int(now["sen_seed"] or 0)
    noisy, note = perturb_scores(discrete, seed)
    metrics = {DISCRETE: discrete, SENTINEL: noisy.tolist(), CONTINUOUS: continuous}
    return ToySentinel(tuple(human), {name: tuple(scores) for name, scores in metrics.items()}, seed, note)


def perturb_scores(scores: Sequence[float], seed: int = 0) -> tuple[FloatArray, str]:
    """Return a metric's sentinel, and a note where the noise is limited, instead of a warning."""
    noisy, step = add_noise(np.asarray(scores, np.float64), DEVIATION, np.random.default_rng(seed))
    note = (
        f"Two scores are only {format_epsilon(step)} apart: the noise is cut at half of that, so it is narrower than "
        "asked for."
    )
    return noisy, note * (step / 2 < BITES * DEVIATION)


def fractions_to_keep(human: Vector, share: float) -> tuple[float, float] | None:
    """Return the fractions of tied and untied pairs to keep for a ``share`` of human ties; None if it is impossible."""
    try:
        tied, untied = tk.sentinels.keep_for_share(human, share)
    except tk.InputError:
        return None
    return tied, untied


def say_noise(toy: ToySentinel) -> None:
    """Show the sentinel's scores, and each metric's value on all pairs."""
    shown = " ".join(format_number(score) for score in toy.metrics[SENTINEL])
    st.markdown(
        f"Its **sentinel**, {SENTINEL}, is the same with noise of variance 0.0001: {plain(shown)}. "
        "The noise carries no information and never reverses two different scores."
    )
    with st.container():
        if toy.note:
            st.info(plain(toy.note))
    rows = [(name, *_on_all_pairs(toy.human, scores)) for name, scores in toy.metrics.items()]
    values = pd.DataFrame(rows, columns=["on all pairs", "acc\\_eq", "acc\\_eq\\*", "ε\\*"])
    cells = [
        (name, format_number(plain_value), format_number(best), format_epsilon(eps))
        for name, plain_value, best, eps in rows
    ]
    words = "; ".join(f"{row[0]} acc_eq {row[1]}, acc_eq* {row[2]} at {row[3]}" for row in cells)
    shown_table = pd.DataFrame(cells, columns=values.columns)
    tables.show(shown_table, "all pairs", f"On all pairs: {words}", values=values)
    st.markdown("Noise breaks ties, also correct ones; calibration can tie again what only noise tells apart.")


@lru_cache(maxsize=200)
def _on_all_pairs(human: Vector, scores: Vector) -> tuple[float, float, float]:
    """acc_eq without and with calibration, and ε*."""
    found = tk.sentinels.calibrate_reweighted(human, scores)
    return found.value_at_zero, found.value, found.epsilon


@lru_cache(maxsize=200)
def _curves(human: Vector, metrics: tuple[tuple[str, Vector], ...]) -> ShareCurves:
    """Every metric at every share that is possible."""
    rows = []
    for share in SHARES:
        kept = fractions_to_keep(human, share)
        if kept is None:
            continue
        for name, scores in metrics:
            found = tk.sentinels.calibrate_reweighted(human, scores, keep_tied=kept[0], keep_untied=kept[1])
            width = float(np.nanstd(scores))
            deviations = found.epsilon / width if width else 0.0
            rows.append((name, share, found.value, found.epsilon, deviations, found.n_pairs))
    frame = pd.DataFrame(rows, columns=["metric", "share", "value", "epsilon", "deviations", "n_pairs"])
    kinds = {DISCRETE: "discrete", SENTINEL: "sentinel", CONTINUOUS: "continuous"}
    return lay_out(frame, kinds, "acc_eq", tk.count_ties(human).share)


@lru_cache(maxsize=200)
def _at_share(
    human: Vector, scores: Vector, share: float, seed: int
) -> tuple[tk.sentinels.Reweighted, tk.sentinels.Reweighted]:
    """The calibration with weights, and that of a sample of pairs."""
    tied, untied = fractions_to_keep(human, share) or (1.0, 1.0)
    weights: dict[str, Any] = {"keep_tied": tied, "keep_untied": untied}
    whole = tk.sentinels.calibrate_reweighted(human, scores, **weights)
    return whole, tk.sentinels.calibrate_reweighted(human, scores, **weights, sample=True, rng=seed)


def predict_winner(toy: ToySentinel) -> bool:
    """Let the user predict who wins without human ties; return whether the answer may be drawn."""
    at_zero = toy.curves.first()
    if not at_zero:
        return True
    discrete, noisy = at_zero[DISCRETE], at_zero[SENTINEL]
    truth = NEITHER if abs(discrete - noisy) < SAME else SENTINEL if noisy > discrete else DISCRETE
    numbers = f"The sentinel has {format_number(noisy)}, the metric {format_number(discrete)}."
    options = {
        DISCRETE: "The sentinel says no more than the metric does, that is true. But where all pairs are ordered, each "
        "tie of the metric is an error, and calibration can make ties, never take them away.",
        SENTINEL: "Where the human orders a pair that the metric ties, the metric is wrong for certain. Noise is right "
        "half of the time, and ε\\* is free to leave it as it is.",
        NEITHER: "Noise orders what the metric ties. Only where nothing is tied, or chance breaks all ties wrongly, "
        "does it earn nothing.",
    }
    options[truth] = f"{numbers} {options[truth]}"
    question = "Drop all pairs that the human ties. Which has the higher acc\\_eq\\* on the others, metric or sentinel?"
    return predict.predict_first(f"sentinel: {toy.key}", question, options, truth)


def picture(toy: ToySentinel) -> None:
    """Draw value and epsilon over the share of human ties."""
    curves = toy.curves
    if len(curves.curves.get(DISCRETE, ())) < 2:
        what = "nothing" if toy.tied == 0 else "every pair"
        st.info(f"The human ties {what} here, so leaving out pairs cannot change the share.")
        return
    draw_shares(curves, "sen_toy")
    st.markdown(
        f"The human ties {percent(toy.tied)} of all {tk.count_pairs(toy.human, toy.human).total} pairs. Left of that "
        "share, tied pairs have a lower weight; right of it, ordered pairs. "
        f"{say_meeting(curves.curves, DISCRETE, SENTINEL)}"
    )


def own_share(toy: ToySentinel) -> None:
    """Let the user set a share; show the exact result with weights beside one sample of pairs."""
    chosen = st.select_slider(
        "Share of pairs that the human ties, in percent", PERCENT, ASKED, key="sen_share", bind="query-params"
    )
    kept = fractions_to_keep(toy.human, int(chosen) / 100)
    if kept is None:
        st.info("This share cannot be reached by dropping pairs: no pair of one kind is left.")
        return
    rows, values = [], []
    for name, scores in toy.metrics.items():
        whole, sample = _at_share(toy.human, scores, int(chosen) / 100, toy.seed)
        texts = (f"{format_number(one.value)} at {format_epsilon(one.epsilon)}" for one in (whole, sample))
        rows.append((name, next(texts), next(texts) if sample.n_pairs else "no pair left"))
        values.append((name, whole.value, whole.epsilon, sample.value, sample.epsilon, sample.n_pairs))
    st.markdown(
        f"Keeps {percent(kept[0], 1)} of the human-tied pairs and {percent(kept[1], 1)} of the others. We weight "
        "pairs, so the result is exact; the paper samples them, so its result depends on the seed."
    )
    shown = pd.DataFrame(rows, columns=["metric", "acc\\_eq\\* exactly", f"one sample, {sample.n_pairs:,.0f} pairs"])
    columns = ["metric", "value", "epsilon", "value of the sample", "epsilon of the sample", "pairs of the sample"]
    words = f"acc_eq* with {chosen} % human ties: " + "; ".join(f"{row[0]} {row[1]}" for row in rows)
    tables.show(shown, "sentinel share", words, values=pd.DataFrame(values, columns=columns))
    call = CALL.format(seed=toy.seed, tied=exact(kept[0]), untied=exact(kept[1]))
    downloads.show_code("sentinel", call, {"human": toy.human, "metric": toy.metrics[DISCRETE]})
