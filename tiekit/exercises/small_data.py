"""Exercises of the notebooks whose few scores can be counted by hand."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from tiekit.api import calibrate, correlate
from tiekit.core.correlation import Correlation
from tiekit.core.grouping import GROUPINGS
from tiekit.core.pairs import count_pairs
from tiekit.core.registry import COEFFICIENTS
from tiekit.exercises.check import WrongAnswerError, expect_name, expect_number, expect_scores
from tiekit.judgments import Attainable, Rankings, attainable, judge_metric
from tiekit.significance import PermutationTest, permutation_test

# 01_tie_lab: what becomes of each kind of pairs? ----------------------------------------------------------------------

LAB_HUMAN, LAB_METRIC = [0, 0, 0, 0, 1, 2], [0, 1, 2, 3, 4, 5]

MOST_RIGHT = 0.5


def expect_best(answer: Any, human: list[int], metric: list[int], hint: str) -> None:
    """Raise a hint unless the answer is ε* of acc_eq."""
    found = calibrate(human, metric)
    candidates = np.unique(np.abs(np.subtract.outer(metric, metric))).tolist()
    also = [value for value in candidates if value != found.epsilon and found.value_at(value) == found.value]
    mistakes = dict.fromkeys(also, "acc_eq is as high there, but a smaller ε gives the same value.")
    expect_number(
        answer, found.epsilon, hint, {**mistakes, found.value: "This is the highest acc_eq. At which ε is it reached?"}
    )


def _human_ties(answer: Any) -> str:
    counts = count_pairs(LAB_HUMAN, LAB_METRIC)
    expect_number(
        answer,
        counts.ties_human,
        "Set ε to 0 and look at the count T_h of m2, or at lab.counts['m2'].",
        {counts.concordant: "These are the concordant pairs, C.", counts.total: "These are all pairs."},
    )
    return "m2 orders every pair that the human ties, because no two of its scores are equal."


def _smallest_epsilon(answer: Any) -> str:
    expect_best(
        answer, LAB_HUMAN, LAB_METRIC, "Drag ε slowly to the right: where is acc_eq of m2 highest for the first time?"
    )
    return "This is ε*: tk.calibrate finds the same."


def _without_tau_b(answer: Any) -> str:
    counts = count_pairs(LAB_HUMAN, expect_scores(answer, len(LAB_HUMAN)))
    value = COEFFICIENTS["tau_b"].value(counts)
    if value == value:
        raise WrongAnswerError(
            f"τ_b of these scores is {value:.3f}. Its denominator must become 0: look at the two factors under the "
            "root. Which kinds of pairs must be absent?"
        )
    return "A metric that gives every translation the same score has no pair that it orders. WMT drops such groups."


def _perfect_tau_13(answer: Any) -> str:
    counts = count_pairs(LAB_HUMAN, expect_scores(answer, len(LAB_HUMAN)))
    tau_13, acc_eq = (COEFFICIENTS[name].value(counts) for name in ("tau_13", "acc_eq"))
    if tau_13 != tau_13:
        raise WrongAnswerError("τ_13 is undefined here: no pair is ordered by both the human and the metric.")
    if tau_13 < 1:
        raise WrongAnswerError(
            f"τ_13 is {tau_13:.3f}, as D is {counts.discordant}. It is 1 where no pair is discordant."
        )
    if acc_eq >= MOST_RIGHT:
        raise WrongAnswerError(
            f"τ_13 is 1, but acc_eq is {acc_eq:.3f}. Which kinds of pairs are wrong for acc_eq and are not counted by "
            "τ_13? Make more of them."
        )
    return "τ_13 leaves out every pair that either side ties, so it does not see these errors."


# 02_nan_explorer: which segments have no value, and what does that do to an average? ----------------------------------

NAN_HUMAN = [[0, 0, -1, 0, -5, 0], [-1, 0, -1, -5, 0, 0], [-5, -1, 0, -1, -1, 0], [-10, -5, -5, -1, -1, 0]]
BOLD = [
    [0.9, 0.8, 0.5, 0.8, 0.3, 0.9],
    [0.7, 0.9, 0.6, 0.2, 0.7, 0.8],
    [0.8, 0.4, 0.7, 0.3, 0.6, 0.85],
    [0.2, 0.5, 0.4, 0.5, 0.8, 0.7],
]
CAUTIOUS = [[1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1], [0, 1, 1, 1, 1, 1], [0, 0, 1, 1, 1, 1]]


def _undefined_segments(answer: Any) -> str:
    found = correlate(NAN_HUMAN, CAUTIOUS, "tau_b")
    expect_number(
        answer,
        found.n_undefined,
        "Look at the row of cautious: which cells show a reason instead of a value? Choose one to see why.",
        {
            found.n_groups: "On these segments it is defined.",
            found.n_undefined - 1: "You have missed one. τ_b is also undefined where the human gives one score.",
        },
    )
    return "Its average under the rule drop is that of the few other segments."


def _constant_segment(answer: Any) -> str:
    place = int(np.flatnonzero(np.ptp(NAN_HUMAN, axis=0) == 0)[0])
    hint = "Look for a column without any value. What do all human scores there have in common?"
    expect_number(answer, place + 1, hint, {place: "The figure numbers the segments from 1, Python from 0."})
    return "The human gives all four translations one score, so no pair is ordered and no metric can be judged by it."


def _zero(answer: Any) -> str:
    drop, zero = (correlate(NAN_HUMAN, CAUTIOUS, "tau_b", undefined=rule) for rule in ("drop", "zero"))
    hint = "Choose the rule zero in the figure, with τ_b, and read the average of cautious."
    bold = correlate(NAN_HUMAN, BOLD, "tau_b", undefined="zero").value
    expect_number(
        answer,
        zero.value,
        hint,
        {
            drop.value: "This is its average under the rule drop.",
            bold: "This is the average of bold.",
            zero.value * zero.n_groups: "This is the sum. Divide it by the number of segments.",
        },
    )
    return "The same metric that wins under drop is far behind now."


def _always_defined(answer: Any) -> str:
    counted = tuple(name for name, entry in COEFFICIENTS.items() if entry.formula is not None)
    right = [name for name in counted if not _gaps(name)]
    hint = "Choose it in the figure: some cells have no value. By which kinds of pairs does its formula divide?"
    expect_name(answer, right, counted, hint)
    return "It divides by the number of all pairs, which no tie can make zero."


def _gaps(name: str) -> int:
    return sum(correlate(NAN_HUMAN, scores, name).n_undefined for scores in (BOLD, CAUTIOUS))


# 03_calibration_explorer: what does a threshold cost, and what does it bring? -----------------------------------------

CALIBRATION_HUMAN, CALIBRATION_METRIC = [0, 0, -1, -1, -1, -5, -5, -10], [90, 84, 80, 76, 85, 61, 66, 40]
FACTOR = 10


def _epsilon(answer: Any) -> str:
    expect_best(
        answer,
        CALIBRATION_HUMAN,
        CALIBRATION_METRIC,
        "Drag ε over the whole curve: where is acc_eq highest, and where first?",
    )
    return "tk.calibrate(human, metric).epsilon is the same."


def _correct_pairs_lost(answer: Any) -> str:
    best = calibrate(CALIBRATION_HUMAN, CALIBRATION_METRIC).epsilon
    before, after = (count_pairs(CALIBRATION_HUMAN, CALIBRATION_METRIC, epsilon=epsilon) for epsilon in (0, best))
    expect_number(
        answer,
        before.concordant - after.concordant,
        "Compare C at ε = 0 with C at ε*.",
        {
            after.ties_metric: "These are all pairs that only the metric ties. Were all of them concordant before?",
            after.ties_both: "These are the ties that are right: what ε* brings. What does it cost?",
            after.concordant: "These are the pairs that stay concordant.",
        },
    )
    return "ε* makes more pairs right than it makes wrong: this is its price."


def _scale(answer: Any) -> str:
    found = calibrate(CALIBRATION_HUMAN, np.multiply(CALIBRATION_METRIC, FACTOR)).epsilon
    same = "ε is a difference of metric scores: what happens to every difference?"
    expect_number(answer, found, same, {found / FACTOR: f"This is ε* of the scores as they were. {same}"})
    return "ε* has the unit of the metric, so the thresholds of two metrics cannot be compared."


def _every_pair(answer: Any) -> str:
    right = float(np.ptp(CALIBRATION_METRIC))
    looked = "A pair is tied once ε reaches its difference. Which pair differs most?"
    tied = (
        count_pairs(CALIBRATION_HUMAN, CALIBRATION_METRIC, epsilon=right).ties_both
        / count_pairs(CALIBRATION_HUMAN, CALIBRATION_METRIC).total
    )
    expect_number(answer, right, looked, {tied: f"This is the share of pairs that the human ties. {looked}"})
    return "A metric that ties every pair is right where the human ties, and nowhere else."


# 04_grouping: which pairs does a grouping compare, and which metric wins by it? ---------------------------------------

GROUPING_HUMAN: list[list[float]] = [
    [-2, -12.1, -5.1, -22.3, -19.1],
    [0, -17, -6, -11, -25],
    [-10, -11, -5, -10, -32],
    [-1, -19, -10, -10.2, -26],
]
WITH_REFERENCE = [
    [0.354, 0.376, 0.027, -0.439, 0.230],
    [0.669, 0.258, 0.277, 0.163, 0.333],
    [0.227, 0.347, 0.332, 0.217, 0.317],
    [-0.134, -0.146, 0.239, -0.230, 0.126],
]
WITHOUT_REFERENCE = [
    [0.088, -0.010, 0.024, -0.011, 0.002],
    [0.083, -0.009, 0.040, 0.005, 0.004],
    [0.093, 0.005, 0.044, 0.008, 0.006],
    [0.078, -0.031, 0.037, -0.012, -0.009],
]
SYSTEMS, SEGMENTS = len(GROUPING_HUMAN), len(GROUPING_HUMAN[0])


@cache
def _accuracy(metric: str, grouping: str) -> Correlation:
    scores = {"COMET-20": WITH_REFERENCE, "COMET-QE": WITHOUT_REFERENCE}[metric]
    return correlate(GROUPING_HUMAN, scores, "acc_eq", grouping=grouping)


def _pairs_by_item(answer: Any) -> str:
    cells = SYSTEMS * SEGMENTS
    expect_number(
        answer,
        SEGMENTS * SYSTEMS * (SYSTEMS - 1) // 2,
        "How many pairs do the four translations of one segment make? Multiply by the number of segments.",
        {
            SYSTEMS * (SYSTEMS - 1) // 2: "These are the pairs of one segment.",
            cells * (cells - 1) // 2: "These are all pairs of translations, which are compared without grouping.",
            SYSTEMS
            * SEGMENTS
            * (SEGMENTS - 1)
            // 2: "These are the pairs by system: different segments of one system.",
        },
    )
    return "Most pairs of translations are of two different segments, and by item none of them counts."


def _by_item(answer: Any) -> str:
    expect_number(
        answer,
        _accuracy("COMET-20", "item").value,
        "Choose the grouping by item in the figure and read the bar of COMET-20.",
        {
            _accuracy("COMET-20", "global").value: "This is the value without grouping.",
            _accuracy("COMET-20", "system").value: "This is the value by system.",
            _accuracy("COMET-QE", "item").value: "This is the value of COMET-QE.",
        },
    )
    return "COMET-20 is ahead here, although COMET-QE is ahead without grouping."


def _best_for_the_other(answer: Any) -> str:
    values = {grouping: _accuracy("COMET-QE", grouping).value for grouping in GROUPINGS}
    expect_name(
        answer,
        (max(GROUPINGS, key=lambda grouping: values[grouping]),),
        GROUPINGS,
        "Choose one grouping after the other and compare the bars of COMET-QE.",
        {"global": "Without grouping it is high, but another grouping leaves out the pairs that COMET-QE gets wrong."},
    )
    return "By system, a score is compared only with scores of other segments: knowing which segment is hard is enough."


def _one_score_per_segment(answer: Any) -> str:
    scores = expect_scores(answer, SEGMENTS)
    found = correlate(GROUPING_HUMAN, [scores.tolist()] * SYSTEMS, "acc_eq", grouping="global").value
    needed = _accuracy("COMET-20", "global").value
    if found <= needed:
        raise WrongAnswerError(
            f"These scores reach {found:.3f}, COMET-20 has {needed:.3f}. Higher is better: which segments have low "
            "human scores, whatever the system?"
        )
    return f"They reach {found:.3f} without having read a translation. By item such a metric ties every pair."


# 07_judgments: how high can any metric score where judges contradict each other? --------------------------------------

TRANSLATIONS = "ABCD"
RANKS = {"MQM": (1, 3, 2, 4), "Appraise": (4, 1, 3, 2), "DA": (1, 4, 3, 2)}
REACHED = 1e-9


def _rankings(*more: str) -> Rankings:
    """The judges' rankings, and those of some judges once more."""
    lines = [*RANKS.items(), *((f"{name} again", RANKS[name]) for name in more)]
    return Rankings.from_rows((name, "8", dict(zip(TRANSLATIONS, ranks, strict=True))) for name, ranks in lines)


@cache
def _caps(*more: str) -> Attainable:
    return attainable(_rankings(*more), "tau_14")


def _judgments(answer: Any) -> str:
    pairs = len(TRANSLATIONS) * (len(TRANSLATIONS) - 1) // 2
    expect_number(
        answer,
        pairs * len(RANKS),
        "Each judge compares every two of the four translations. How many pairs are there, and how many judges?",
        {
            pairs: "This is the number of pairs, each of which three judges compare.",
            len(TRANSLATIONS) * len(RANKS): "This is the number of ranks. A judgment compares two translations.",
        },
    )
    return "On each of the six pairs one judge contradicts the two others."


def _majorities(answer: Any) -> str:
    found = _caps()
    expect_number(
        answer,
        found.cap,
        "On each pair two judgments can be met and one is lost: 2 − 1, out of 3.",
        {
            found.reachable: "This is what a ranking can reach. The question asks for all majorities at once.",
            2 / 3: "This is the share of judgments that are met. τ subtracts those that are not.",
        },
    )
    return "This is the cap of Graham and others (2015). It need not be reachable."


def _best_ranking(answer: Any) -> str:
    scores = expect_scores(answer, len(TRANSLATIONS))
    named = {(name, "8"): score for name, score in zip(TRANSLATIONS, scores.tolist(), strict=True)}
    found, best = judge_metric(_rankings(), named, "tau_14").value, _caps().reachable
    if found < best - REACHED:
        raise WrongAnswerError(
            f"This ranking reaches {found:.3f}. Move one card after the other, and keep what raises the gauge."
        )
    return "The majorities form a cycle, so every ranking contradicts at least one of them."


def _fourth_judge(answer: Any) -> str:
    found, before = _caps("MQM"), _caps()
    expect_number(
        answer,
        found.reachable,
        "Add the judge to the rows and call attainable again; reachable is the value that a ranking can reach.",
        {
            before.reachable: "This is the value without the fourth judge.",
            before.cap: "This is the cap of the three judges.",
        },
    )
    return "The fourth judge turns the narrow majorities of the cycle into draws, so the cap can be reached."


# 09_swap_explorer: how often do swapped scores differ as much as the real ones? ---------------------------------------

SWAP_HUMAN = [0, 0, -1, -1, -1, -5, -5, -10]
CAREFUL, HASTY = [9, 9, 8, 7, 8, 5, 4, 1], [8, 6, 9, 5, 7, 6, 2, 4]

WAYS = 2 ** len(SWAP_HUMAN)
ENOUGH = 4095


@cache
def _swap_test(coefficient: str, alternative: str = "two-sided") -> PermutationTest:
    """The test of every way to swap."""
    return permutation_test(SWAP_HUMAN, CAREFUL, HASTY, coefficient, alternative=alternative, n_resamples=ENOUGH)


def _observed_difference(answer: Any) -> str:
    test = _swap_test("acc_eq")
    expect_number(
        answer,
        test.difference,
        "Press Reset, so that nothing is swapped, choose acc_eq and read the difference; or read explorer.observed.",
        {
            _swap_test("tau_b").difference: "This is the difference in τ_b.",
            **dict.fromkeys(test.values, "This is the value of one metric; subtract those of both."),
        },
    )
    return "Swapping cannot say whether this is much: it says how often chance alone gives as much."


def _ways(answer: Any) -> str:
    expect_number(
        answer,
        WAYS,
        "Each item is either swapped or not. How many ways are there for one item, for two, for three?",
        {
            WAYS - 1: "Swapping nothing counts, too.",
            2 * len(SWAP_HUMAN): "The choices of the items multiply; they do not add.",
            len(SWAP_HUMAN) ** 2: "How many choices are there for each item, and how many items?",
        },
    )
    return "So all of them can be tried. With more items, tiekit draws some of them at random."


def _pvalue(answer: Any) -> str:
    test, one_sided = _swap_test("acc_eq"), _swap_test("acc_eq", "greater")
    mistakes = {test.pvalue * WAYS: "This is how many ways differ as much. Divide it by the number of all ways."}
    if one_sided.pvalue != test.pvalue:
        mistakes[one_sided.pvalue] = "This counts only differences in favor of careful. Count those of either sign."
    expect_number(answer, test.pvalue, "Choose acc_eq, press the button for all ways to swap and read p.", mistakes)
    return "As often do two metrics differ so much, in either direction, when it does not matter which is which."


def _least(answer: Any) -> str:
    expect_number(
        answer,
        2 / WAYS,
        "Swap all items: how large is the difference now? So how many of all ways are always at least as extreme?",
        {
            1 / WAYS: "Swapping nothing is one such way. There is always another one: swap all items.",
            0: "The scores as they are belong to the ways to swap, so that p is never 0.",
        },
    )
    return "With few translations even a perfect metric is not significant at a strict level."


EXERCISES = {
    "01_tie_lab": (_human_ties, _smallest_epsilon, _without_tau_b, _perfect_tau_13),
    "02_nan_explorer": (_undefined_segments, _constant_segment, _zero, _always_defined),
    "03_calibration_explorer": (_epsilon, _correct_pairs_lost, _scale, _every_pair),
    "04_grouping": (_pairs_by_item, _by_item, _best_for_the_other, _one_score_per_segment),
    "07_judgments": (_judgments, _majorities, _best_ranking, _fourth_judge),
    "09_swap_explorer": (_observed_difference, _ways, _pvalue, _least),
}
"""The exercises of each notebook."""
