"""Which exercises have few scores, which can be counted by hand?"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from tiekit.api import calibrate, correlate
from tiekit.core.correlation import Correlation
from tiekit.core.pairs import count_pairs
from tiekit.core.registry import COEFFICIENTS
from tiekit.exercises.check import (
    Exercise,
    WrongAnswerError,
    exercise,
    expect_name,
    expect_number,
    expect_one_change,
    expect_scores,
    number_of,
)
from tiekit.judgments import Attainable, Rankings, attainable, judge_metric
from tiekit.significance import PermutationTest, permutation_test

# 01_ties: which pairs does a metric get right? ------------------------------------------------------------------------

TRAIN_HUMAN, FINE = [0, 0, 0, -1, -1, -5], [94, 93, 92, 80, 78, 40]
COARSE = [100, 100, 100, 75, 75, 75]
MORE, ENOUGH_RIGHT = 7, 12


def _right(scores: Any) -> int:
    """How many of the pairs a metric gets right."""
    counts = count_pairs(TRAIN_HUMAN, scores)
    return counts.concordant + counts.ties_both


@exercise(
    "Write down all pairs of three translations, then of four: how many more are there each time?",
    "The seventh translation makes six new pairs beside the 15 of the six others.",
    solution="len(list(combinations(range(7), 2)))",
)
def _pairs(answer: Any) -> str:
    n = len(TRAIN_HUMAN)
    expect_number(
        answer,
        MORE * (MORE - 1) // 2,
        "The first translation makes a pair with each of the six others. How many new pairs does the second one make?",
        {
            n * (n - 1) // 2: "These are the pairs of six translations.",
            MORE * MORE: "No translation is compared with itself, and A with B is the same pair as B with A.",
            MORE * (MORE - 1): "A with B is the same pair as B with A.",
        },
    )
    return "n translations make n(n − 1)/2 pairs, so a thousand make half a million."


@exercise(
    "Count the pairs that the raters tie: three translations without an error, two with a minor one.",
    "It can be right on every pair that the raters order.",
    solution="15 - 4",
)
def _never_ties(answer: Any) -> str:
    counts = count_pairs(TRAIN_HUMAN, FINE)
    expect_number(
        answer,
        counts.total - counts.ties_human,
        "Which of the pairs do the raters tie? A metric that never ties is wrong on each of them.",
        {counts.ties_human: "These are the pairs that it must get wrong.", counts.total: "Then it would have to tie."},
    )
    return "However good its order is: a metric that never ties cannot get a human tie right."


@exercise(
    "The raters tie A, B and C, and tie D and E. Fine ties none of them.",
    "Give B the score of A.",
    solution="[94, 94, 92, 80, 78, 40]",
)
def _one_more(answer: Any) -> str:
    scores = expect_one_change(answer, FINE, "Fine")
    gain = _right(scores) - _right(FINE)
    if gain < 1:
        raise WrongAnswerError(
            f"It gets {_right(scores)} pairs right, Fine as it was {_right(FINE)}. Make a human tie."
        )
    return f"It gets {_right(scores)} pairs right instead of {_right(FINE)}."


@exercise(
    "C is perfect, but it has other words than the reference.",
    "Compare each translation with two references, A and C, and keep the better score.",
    solution="[max(my_metric(one, translations[0]), my_metric(one, translations[2])) for one in translations]",
)
def _better_metric(answer: Any) -> str:
    scores = expect_scores(answer, len(TRAIN_HUMAN))
    for name, copied in (("the raters", TRAIN_HUMAN), ("Coarse", COARSE)):
        if (scores == copied).all():
            raise WrongAnswerError(f"These are the scores of {name}. Let a function compute scores from the texts.")
    if _right(scores) < ENOUGH_RIGHT:
        raise WrongAnswerError(
            f"It gets {_right(scores)} pairs right. Print the scores: on which translation are metric and raters "
            "furthest apart?"
        )
    return f"It gets {_right(scores)} of {len(TRAIN_HUMAN) * (len(TRAIN_HUMAN) - 1) // 2} pairs right."


# 02_counting: what becomes of each kind of pairs? ---------------------------------------------------------------------

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


@exercise(
    "The human ties the first four translations.",
    "Drag the second point of m2 onto the first one.",
    solution="[0, 0, 2, 3, 4, 5]",
)
def _one_tie(answer: Any) -> str:
    scores = expect_one_change(answer, LAB_METRIC, "m2")
    counts = count_pairs(LAB_HUMAN, scores)
    if (counts.ties_both, counts.ties_metric) != (1, 0):
        raise WrongAnswerError(
            f"Now m2 ties {counts.ties_both} pairs that the human ties, and {counts.ties_metric} that the human orders."
        )
    value = COEFFICIENTS["acc_eq"].value(counts)
    return f"One pair has become T_hm: acc_eq rises to {value:.3f}, and τ_13 does not notice."


@exercise(
    "At ε = 1 each score of m2 ties with its neighbors.",
    "Three of the five neighboring pairs are among the first four translations.",
    solution="tk.count_pairs(human, metrics['m2'], epsilon=1).ties_both",
)
def _of_both_at_one(answer: Any) -> str:
    counts = count_pairs(LAB_HUMAN, LAB_METRIC, epsilon=1)
    expect_number(
        answer,
        counts.ties_both,
        "Set ε to 1 and look at the counts of m2: which kind are ties of both?",
        {
            counts.ties_both + counts.ties_metric: "These are all pairs that m2 ties. The human orders some of them.",
            counts.ties_metric: "These pairs are tied by m2 alone, or m2 is not as it was at first.",
        },
    )
    return "ε gains these pairs and loses those that m2 had ordered as the human does."


@exercise(
    "τ_b divides by the number of pairs that the metric orders.",
    "Tie every pair.",
    solution="[7] * 6",
)
def _without_tau_b(answer: Any) -> str:
    counts = count_pairs(LAB_HUMAN, expect_scores(answer, len(LAB_HUMAN)))
    value = COEFFICIENTS["tau_b"].value(counts)
    if value == value:
        raise WrongAnswerError(
            f"τ_b of these scores is {value:.3f}. Its denominator must become 0: look at the two factors under the "
            "root. Which kinds of pairs must be absent?"
        )
    return "A metric that gives every translation the same score orders no pair. WMT drops such segments (notebook 3)."


@exercise(
    "τ_13 does not count a pair that either side ties.",
    "Order the first four, and give the last two the score of the fourth: which pairs do both sides order then?",
    solution="[0, 1, 2, 3, 3, 3]",
)
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


# 03_missing_segments: which segments have no value, and what does that do to an average? ------------------------------

NAN_HUMAN = [[0, 0, -1, 0, -5, 0], [-1, 0, -1, -5, 0, 0], [-5, -1, 0, -1, -1, 0], [-10, -5, -5, -1, -1, 0]]
BOLD = [
    [0.9, 0.8, 0.5, 0.8, 0.3, 0.9],
    [0.7, 0.9, 0.6, 0.2, 0.7, 0.8],
    [0.8, 0.4, 0.7, 0.3, 0.6, 0.85],
    [0.2, 0.5, 0.4, 0.5, 0.8, 0.7],
]
CAUTIOUS = [[1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1], [0, 1, 1, 1, 1, 1], [0, 0, 1, 1, 1, 1]]
SILENT = 5
"""Where the human ties all: segment 6."""


@exercise(
    "A segment that is below the average lowers it.",
    "Print tk.correlate(human, bold, 'tau_b').per_group.",
    solution="2",
)
def _segment_to_tie(answer: Any) -> str:
    means = [_average_after(place, "drop") for place in range(len(BOLD[0]))]
    best = [place + 1 for place, mean in enumerate(means) if mean > max(means) - REACHED]
    found = number_of(answer)
    if found not in range(1, len(means) + 1):
        raise WrongAnswerError("Give the number of a segment, 1 to 6.")
    if found not in best:
        raise WrongAnswerError(
            f"The average of bold is {means[int(found) - 1]:.3f} then. Which segment lowers it most as it is?"
        )
    alike = " and ".join(map(str, best))
    return f"The average rises to {max(means):.3f}, by segments {alike} alike, and bold knows less than before."


@exercise(
    "τ_b has a value where the human and the metric order at least one pair each.",
    "Which of the four translations does bold call the worst?",
    solution="[0, 0, 0, -1]",
)
def _judging_segment(answer: Any) -> str:
    human, metric = ([row[SILENT] for row in scores] for scores in (NAN_HUMAN, BOLD))
    value = correlate(expect_one_change(answer, human, "segment 6"), metric, "tau_b").value
    if not value > 0:
        raise WrongAnswerError(f"τ_b of bold is {value:.3f} there. Compare your order with its scores, {metric}.")
    return f"τ_b of bold is {value:.3f} there. cautious still has no value: it ties all four."


@exercise(
    "The average is over all six segments, with 0 for those that have no value.",
    "tk.correlate(human, changed, 'tau_b', undefined='zero') takes bold with four equal scores in one column.",
    solution="(np.nansum(taus['bold']) - taus['bold'][1]) / 6",
)
def _zero(answer: Any) -> str:
    value, dropped = (_average_after(1, rule) for rule in ("zero", "drop"))
    before = correlate(NAN_HUMAN, BOLD, "tau_b", undefined="zero").value
    expect_number(
        answer,
        value,
        "Make the four scores of bold equal on that segment. How many segments have a value then, and what is the sum?",
        {
            dropped: "This is its average under drop.",
            before: "This is its average under zero before the change.",
            value * len(BOLD[0]): "This is the sum. Divide it by the number of segments.",
        },
        shown=2,
    )
    return f"Under drop the change gains, under zero it costs: {before:.3f} becomes {value:.3f}."


def _average_after(place: int, rule: str) -> float:
    """The average τ_b of bold with equal scores on a segment, which is numbered from 0."""
    tied = [[1.0 if column == place else score for column, score in enumerate(row)] for row in BOLD]
    return correlate(NAN_HUMAN, tied, "tau_b", undefined=rule).value


@exercise(
    "A coefficient is undefined where it divides by zero.",
    "Look for one that divides by the number of all pairs.",
    solution="'acc_eq'",
)
def _always_defined(answer: Any) -> str:
    right = [name for name in COEFFICIENTS if not _gaps(name)]
    hint = "Choose it in the figure: some cells have no value. By which kinds of pairs does its formula divide?"
    constant = "It counts no pairs, and is undefined too where all scores are alike. Name one that the figure offers."
    uncounted = [name for name, entry in COEFFICIENTS.items() if entry.formula is None]
    expect_name(answer, right, tuple(COEFFICIENTS), hint, dict.fromkeys(uncounted, constant))
    return "It divides by the number of all pairs, which no tie can make zero."


def _gaps(name: str) -> int:
    return sum(correlate(NAN_HUMAN, scores, name).n_undefined for scores in (BOLD, CAUTIOUS))


# 04_calibration: what does a threshold cost, and what does it bring? --------------------------------------------------

CALIBRATION_HUMAN, CALIBRATION_METRIC = [0, 0, -1, -1, -1, -5, -5, -10], [90, 84, 80, 76, 85, 61, 66, 40]
FACTOR = 10


@exercise(
    "Follow the curve from the left: its highest step counts, and of steps of one height the first.",
    "In the cell of the loop, write metric in place of mine, in all four places.",
    solution="tk.calibrate(human, metric).epsilon",
)
def _epsilon(answer: Any) -> str:
    expect_best(
        answer,
        CALIBRATION_HUMAN,
        CALIBRATION_METRIC,
        "Drag ε over the whole curve: where is acc_eq highest, and where first?",
    )
    return "tk.calibrate(human, metric).epsilon is the same."


@exercise(
    "Count the concordant pairs twice, at ε = 0 and at ε*.",
    "tk.count_pairs(human, metric, epsilon=...).concordant is the number.",
    solution="tk.count_pairs(human, metric).concordant - tk.count_pairs(human, metric, epsilon=6).concordant",
)
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


@exercise(
    "Every difference of two scores is ten times as large.",
    "So is the best one.",
    solution="tk.calibrate(human, [10 * score for score in metric]).epsilon",
)
def _scale(answer: Any) -> str:
    found = calibrate(CALIBRATION_HUMAN, np.multiply(CALIBRATION_METRIC, FACTOR)).epsilon
    same = "ε is a difference of metric scores: what happens to every difference?"
    expect_number(answer, found, same, {found / FACTOR: f"This is ε* of the scores as they were. {same}"})
    return "ε* has the unit of the metric, so the thresholds of two metrics cannot be compared."


@exercise(
    "The pair with the largest difference is tied last.",
    "Subtract the lowest score from the highest.",
    solution="max(metric) - min(metric)",
)
def _every_pair(answer: Any) -> str:
    right = float(np.ptp(CALIBRATION_METRIC))
    looked = "A pair is tied once ε reaches its difference. Which pair differs most?"
    tied = (
        count_pairs(CALIBRATION_HUMAN, CALIBRATION_METRIC, epsilon=right).ties_both
        / count_pairs(CALIBRATION_HUMAN, CALIBRATION_METRIC).total
    )
    expect_number(answer, right, looked, {tied: f"This is the share of pairs that the human ties. {looked}"})
    return "A metric that ties every pair is right where the human ties, and nowhere else."


# 05_wmt22: which pairs does a grouping compare, and which metric wins by it? ------------------------------------------

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


@exercise(
    "Four translations of one segment make six pairs.",
    "There are five segments.",
    solution="5 * 6",
)
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


@exercise(
    "Without grouping, a metric gains by knowing which segments are hard.",
    "The human scores say it: give each segment the sum of its human scores.",
    solution="[sum(column) for column in zip(*human)]",
)
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


# 10_judgments: how high can any metric score where judges contradict each other? --------------------------------------

TRANSLATIONS = "ABCD"
RANKS = {"MQM": (1, 3, 2, 4), "Appraise": (4, 1, 3, 2), "DA": (1, 4, 3, 2)}
REACHED = 1e-9


def _lines(*judges: str) -> list[Any]:
    return [(name, "8", dict(zip(TRANSLATIONS, RANKS[name], strict=True))) for name in judges]


def _rankings(*more: str) -> Rankings:
    """The judges' rankings, and those of some judges once more."""
    again = [(f"{name} again", *rest) for name, *rest in _lines(*more)]
    return Rankings.from_rows([*_lines(*RANKS), *again])


@cache
def _caps(*more: str) -> Attainable:
    return attainable(_rankings(*more), "tau_14")


@exercise(
    "Four translations make six pairs.",
    "Each of three judges compares all of them.",
    solution="3 * 6",
)
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


@exercise(
    "Compare the two rankings pair by pair.",
    "rows[:2] are the two judges.",
    solution="tk.judgments.attainable(tk.judgments.Rankings.from_rows(rows[:2]), 'tau_14').reachable",
)
def _two_judges(answer: Any) -> str:
    found = attainable(Rankings.from_rows(_lines("MQM", "Appraise")), "tau_14")
    expect_number(
        answer,
        found.reachable,
        "On how many of the six pairs do MQM and Appraise agree? Each other pair is one judgment met and one lost.",
        {
            _caps().reachable: "This is what a ranking can reach with all three judges.",
            (1 + found.reachable) / 2: "This is the share of judgments that are met. τ subtracts those that are not.",
        },
    )
    return "They agree on one pair of six. On the other pairs no ranking gains anything."


@exercise(
    "Start with the order of COMET-22, and move one card at a time.",
    "attainable returns such scores in its field best.",
    solution="found.best[:, 0]",
)
def _best_ranking(answer: Any) -> str:
    scores = expect_scores(answer, len(TRANSLATIONS))
    named = {(name, "8"): score for name, score in zip(TRANSLATIONS, scores.tolist(), strict=True)}
    found, best = judge_metric(_rankings(), named, "tau_14").value, _caps().reachable
    if found < best - REACHED:
        raise WrongAnswerError(
            f"This ranking reaches {found:.3f}. Move one card after the other, and keep what raises the gauge."
        )
    return "The majorities form a cycle, so every ranking contradicts at least one of them."


@exercise(
    "Add a fourth row: the same ranks, another judge.",
    "[*rows, ('4th', '8', rows[0][2])] are the four.",
    solution="tk.judgments.attainable(tk.judgments.Rankings.from_rows([*rows, ('4th', '8', rows[0][2])])).reachable",
)
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


# 06_chance: how often do swapped scores differ as much as the real ones? ----------------------------------------------

SWAP_HUMAN = [0, 0, -1, -1, -1, -5, -5, -10]
CAREFUL, HASTY = [9, 9, 8, 7, 8, 5, 4, 1], [8, 6, 9, 5, 7, 6, 2, 4]

WAYS = 2 ** len(SWAP_HUMAN)
ENOUGH = 4095


@cache
def _swap_test(coefficient: str, alternative: str = "two-sided") -> PermutationTest:
    """The test of every way to swap."""
    return permutation_test(SWAP_HUMAN, CAREFUL, HASTY, coefficient, alternative=alternative, n_resamples=ENOUGH)


@exercise(
    "Swap the items on which careful is right and hasty is wrong.",
    "Try two items, among the second, the third and the fourth.",
    solution="[2, 3]",
)
def _turn_around(answer: Any) -> str:
    is_list = isinstance(answer, list | tuple | set) or (isinstance(answer, np.ndarray) and answer.ndim == 1)
    places = [number_of(one) - 1 for one in answer] if is_list else [math.nan]
    if not all(place in range(len(SWAP_HUMAN)) for place in places):
        raise WrongAnswerError("Give a list of items, numbered as in the figure: the first is 1, as in [1, 4].")
    if (ahead := _ahead_after(places)) >= 0:
        from_0 = " Is the first item 0 in your answer? Here it is 1." * (_ahead_after([*np.add(places, 1)]) < 0)
        raise WrongAnswerError(f"After these swaps the difference is {ahead:.3f}. It must fall below 0.{from_0}")
    if len(set(places)) == len(SWAP_HUMAN):
        raise WrongAnswerError("Swapping all items changes nothing but the names. Leave some of them as they are.")
    return f"The difference is {ahead:.3f} now: a swap of single scores can turn it around."


def _ahead_after(places: list[float]) -> float:
    """How far careful is ahead of hasty after items were swapped, the first being 0."""
    both = np.array([(np.array(one) - np.mean(one)) / np.std(one) for one in (CAREFUL, HASTY)])
    swapped = np.isin(np.arange(len(SWAP_HUMAN)), places)
    both[:, swapped] = both[::-1, swapped]
    careful, hasty = (correlate(SWAP_HUMAN, scores, "acc_eq").value for scores in both)
    return careful - hasty


@exercise(
    "One item makes two ways, two items make four.",
    "Each item more doubles the number.",
    solution="2**8",
)
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


@exercise(
    "Count the ways with a difference at least as large, of either sign.",
    "explorer.test is the test of what the figure shows.",
    solution="explorer.test.pvalue",
)
def _pvalue(answer: Any) -> str:
    test, one_sided = _swap_test("acc_eq"), _swap_test("acc_eq", "greater")
    mistakes = {
        test.pvalue * WAYS: "This is how many ways differ as much. Divide it by the number of all ways.",
        _swap_test("tau_10").pvalue: "This is the p-value of the difference in tau_10, the one above.",
    }
    if one_sided.pvalue != test.pvalue:
        mistakes[one_sided.pvalue] = "This counts only differences in favor of careful. Count those of either sign."
    expect_number(answer, test.pvalue, "Choose acc_eq, press the button for all ways to swap and read p.", mistakes)
    return "As often do two metrics differ so much, in either direction, when it does not matter which is which."


@exercise(
    "The observed scores are one of the ways.",
    "All items swapped give the same difference with the other sign.",
    solution="2 / 256",
)
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


EXERCISES: dict[str, tuple[Exercise, ...]] = {
    "01_ties": (_pairs, _never_ties, _one_more, _better_metric),
    "02_counting": (_one_tie, _of_both_at_one, _without_tau_b, _perfect_tau_13),
    "03_missing_segments": (_segment_to_tie, _judging_segment, _zero, _always_defined),
    "04_calibration": (_epsilon, _correct_pairs_lost, _scale, _every_pair),
    "05_wmt22": (_pairs_by_item, _one_score_per_segment),
    "06_chance": (_turn_around, _ways, _pvalue, _least),
    "10_judgments": (_judgments, _two_judges, _best_ranking, _fourth_judge),
}
"""The exercises of each notebook."""
