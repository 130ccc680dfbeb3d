"""Which exercises ask about WMT22 Chinese–English, and about the sets of WMT23?"""

from __future__ import annotations

import re
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from tiekit.api import correlate, count_ties, cross_validate
from tiekit.base.validation import FloatArray
from tiekit.core.grouping import DEFAULT_GROUPING
from tiekit.core.registry import COEFFICIENTS
from tiekit.exercises.check import (
    Exercise,
    WrongAnswerError,
    exercise,
    expect_a_share,
    expect_name,
    expect_number,
    number_of,
    numbers_in,
    owners,
)
from tiekit.identical import audit, repair
from tiekit.measures import GAO_MEASURES, evaluate_measures, pairwise_accuracy, which_number
from tiekit.measures.evaluate import agreement_of, read_dataset
from tiekit.ranking.board import leaderboard
from tiekit.readers.data_sets import load, load_wmt22
from tiekit.readers.facts import data_file
from tiekit.sentinels import perturb, tie_shares
from tiekit.votes import VoteAgreement, agreement, read_votes, swap_consistency

# 05_wmt22: how much does a metric's rank depend on the coefficient and the grouping? ----------------------------------

NEURAL_METRIC = "COMET-22"


@cache
def _board(*coefficients: str, grouping: str = DEFAULT_GROUPING) -> pd.DataFrame:
    return leaderboard(load_wmt22(), coefficients=list(coefficients), calibrated=(), grouping=grouping)


BOARD_COEFFICIENTS = ("tau_b", "acc_eq", "tau_10")


@exercise(
    "The board has a column of ranks for each coefficient.",
    "The difference of two columns has a method idxmin.",
    solution="(board['rank(tau_10)'] - board['rank(acc_eq)']).astype(float).idxmin()",
)
def _most_places_gained(answer: Any) -> str:
    board = _board(*BOARD_COEFFICIENTS)
    lost = (board["rank(tau_10)"] - board["rank(acc_eq)"]).astype(float)
    expect_name(
        answer,
        (str(lost.idxmin()),),
        tuple(board.index),
        "A rank of 1 is the best, so a rank that becomes smaller is a gain. Another metric gains more places.",
        {str(lost.idxmax()): "This metric loses the most places."},
    )
    return (
        "It almost never ties. acc_eq counts each pair that people tie as its error; τ_10 leaves these pairs out, and "
        "counts as errors the ties of metrics that tie often."
    )


@exercise(
    "tk.leaderboard takes grouping.",
    "'global' compares any two translations.",
    solution="tk.leaderboard(data, coefficients='tau_b', calibrated=(), grouping='global')['tau_b'].idxmax()",
)
def _best_ungrouped(answer: Any) -> str:
    board, by_item = _board("tau_b", grouping="global")["tau_b"], _board(*BOARD_COEFFICIENTS)["tau_b"]
    expect_name(
        answer,
        (str(board.idxmax()),),
        tuple(board.index),
        "It is not first. The board above compares translations of one segment: which board compares any two?",
        {str(by_item.idxmax()): "This metric is first by item. Which pairs are compared without grouping?"},
    )
    return "So the winner depends on the grouping as well, not on the coefficient alone."


# 07_few_ties: when does a metric with random noise beat the metric itself? --------------------------------------------

DISCRETE, NOISY, OWN = "MATESE-refA", " + noise", "mine"
NAMES = (DISCRETE, DISCRETE + NOISY, OWN, OWN + NOISY, "COMET-22-refA", "BLEU-refA")
CLOSE = 0.001
"""Values that differ by at most this are level."""


@cache
def _values_by_share() -> pd.DataFrame:
    """The calibrated accuracy of each metric (columns) at each share of human ties (rows)."""
    data = load_wmt22()
    data = data.with_metric(OWN, np.round(data.metrics["COMET-22-refA"], 1))
    for name in (DISCRETE, OWN):
        data = data.with_metric(name + NOISY, perturb(data, metric=name))
    found = tie_shares(data, NAMES, progress=False)
    values = found.pivot_table(index="share", columns="metric", values="value")
    values.attrs["own"] = float(found.loc[found["own"], "share"].iloc[0])
    return values


@exercise(
    "tk.count_ties tells how many pairs the human ties.",
    "The pairs of a segment are compared: grouping='item'.",
    solution="tk.count_ties(data, grouping='item').share",
)
def _constant(answer: Any) -> str:
    own = _values_by_share().attrs["own"]
    found = number_of(answer)
    expect_number(
        found / 100 if 1 < found <= 100 else found,
        own,
        "It ties every pair. On which pairs is that right?",
        {1 - own: "On these pairs it is wrong.", 0.5: "It does not guess: it ties every pair."},
        shown=2,
    )
    return "It is right on the pairs that the human ties, and on no other. Any metric should reach more."


@exercise(
    "Drag the rule to 0, and look at the two bars; or take the two values of at_zero.",
    "at_zero['MATESE-refA'] is one of the two.",
    solution="at_zero['MATESE-refA + noise'] - at_zero['MATESE-refA']",
)
def _noise_gain(answer: Any) -> str:
    first = _values_by_share().loc[0.0].to_dict()
    expect_number(
        answer,
        first[DISCRETE + NOISY] - first[DISCRETE],
        "Look at both metrics where the human ties no pair: how far apart are they?",
        {
            first[DISCRETE + NOISY]: "This is the value with noise; the question asks for the gain.",
            first[DISCRETE]: "This is the value without noise; the question asks for the gain.",
            first[OWN + NOISY] - first[OWN]: "This is the gain of the metric mine.",
        },
        shown=2,
    )
    return "The human ties no pair there, so each tie of MATESE is an error. Of random guesses about half are right."


@exercise(
    "Drag the rule to a share of 0 and look at the last bar.",
    "at_zero has a method idxmin.",
    solution="at_zero.idxmin()",
)
def _worst(answer: Any) -> str:
    first = _values_by_share().loc[0.0]
    expect_name(
        answer,
        (str(first.idxmin()),),
        NAMES,
        "Another metric is worse there. On what does each tie of a metric count if the human ties nothing?",
        {"BLEU-refA": "At the human's own share it is last. Look where the human ties no pair."},
    )
    return "It has the fewest distinct scores. An evaluation without human ties favors metrics that never tie."


@exercise(
    "Where the human ties much, the best ε of the noisy metric ties the noise again.",
    "Try the middle of the scale.",
    solution="0.5",
)
def _level(answer: Any) -> str:
    values = _values_by_share()
    expect_a_share(answer)
    share = min(values.index, key=lambda one: abs(one - float(answer)))
    ahead = values.loc[share, DISCRETE + NOISY] - values.loc[share, DISCRETE]
    if ahead > CLOSE:
        raise WrongAnswerError(
            f"At {share:.0%}, the nearest computed share, noise still adds {ahead:.3f}. Take a larger share."
        )
    return f"At {share:.0%}, the nearest computed share, calibration ties the noise again: it adds at most {CLOSE}."


# 08_which_number: what is reported, and how sure is it? ---------------------------------------------------------------


@exercise(
    "MQM's experts tie many pairs, people who give 0 to 100 points few.",
    "Try 0.1.",
    solution="0.1",
)
def _share_that_changes(answer: Any) -> str:
    expect_a_share(answer)
    share = float(answer)
    advice = which_number(ties=share, groups="several", scales="both", systems="many")
    if advice.answers["ties"] != "few":
        kind = {"none": "hardly any ties", "many": "many ties"}[advice.answers["ties"]]
        raise WrongAnswerError(f"A share of {share:g} counts as {kind}. Print the advice for some other shares.")
    return "People tie as often where they give 0 to 100 points. One ranking by acc_eq* alone would be unfair there."


@cache
def _cross_validation(metric: str) -> pd.DataFrame:
    return cross_validate(load_wmt22(), metric).folds


@exercise(
    "tk.cross_validate(data, 'COMET-22').folds is a table, with one row per fold.",
    "It has a column loss, and a column has a method mean.",
    solution="tk.cross_validate(data, 'COMET-22').folds['loss'].mean()",
)
def _loss(answer: Any) -> str:
    expect_number(
        answer,
        float(_cross_validation(NEURAL_METRIC)["loss"].mean()),
        "Cross-validate COMET-22, and look at what each fold loses.",
        {
            float(_cross_validation(NEURAL_METRIC)["value"].mean()): "This is the mean value, not the loss.",
            float(_cross_validation(NEURAL_METRIC)["loss"].max()): "This is the largest loss. Take the mean.",
        },
    )
    return "ε* holds on other documents: the loss is small beside the differences between metrics."


@exercise(
    "A leaderboard keeps a signature for each metric and each coefficient.",
    solution="board.attrs['signatures']['acc_eq*']['COMET-22-refA']",
)
def _sign(answer: Any) -> str:
    board = leaderboard(load_wmt22(), metrics=[NEURAL_METRIC], coefficients=["acc_eq*"], calibrated=())
    [right] = board.attrs["signatures"]["acc_eq*"].values()
    fields = dict(part.partition(":")[::2] for part in str(answer).strip().split("|"))
    expected = dict(part.partition(":")[::2] for part in right.split("|"))
    for name in ("coefficient", "grouping", "epsilon", "data"):
        if fields.get(name) != expected[name]:
            raise WrongAnswerError(
                f"Its field {name} is not that of acc_eq* of {NEURAL_METRIC}: look in board.attrs['signatures']."
            )
    return "Whoever has the same data can compute the same number, and see that it is the same."


# 09_your_own_scores: where do a metric of one's own and a judge stand? ------------------------------------------------

CLASSES, PRODUCED, RIVAL = 5, "GEMBA-GPT4-DA-refA", "metricx_xxl_MQM_2020-refA"
PEOPLE, FIRST_JUDGE, SECOND_JUDGE = "person", "Atlas", "Boreas"
LOOKED_AT = ("tau_b", "acc_eq*")
"""The coefficients by which one of two metrics wins and loses."""


def of_classes(scores: FloatArray) -> FloatArray:
    """Return scores from 0 to 100 in five classes, 1 to 5."""
    classes: FloatArray = np.minimum(scores // 20 + 1, CLASSES)
    return classes


@exercise(
    "Add five to the set: data.with_metric('five', five).",
    "Count its ties as those of the experts were counted, with metric='five'.",
    solution="tk.count_ties(data.with_metric('five', five), metric='five', grouping='item').share",
)
def _judge_ties(answer: Any) -> str:
    data = load_wmt22()
    coarse = data.with_metric("five", of_classes(data.metrics[PRODUCED]))
    ties = {name: count_ties(coarse, metric=name, grouping="item").share for name in ("five", PRODUCED)}
    found = number_of(answer)
    expect_number(
        found / 100 if 1 < found <= 100 else found,
        ties["five"],
        "Count the ties of the five classes, as those of the experts were counted above.",
        {
            ties[PRODUCED]: "This is the share before: GEMBA's own scores.",
            count_ties(load_wmt22(), grouping="item").share: "This is the share that the experts tie.",
        },
        shown=2,
    )
    return "With so few classes a judge says “equal” more often than the experts, and most of its knowledge is gone."


@cache
def _agreement_of(judge: str) -> VoteAgreement:
    votes = read_votes(data_file("votes/synthetic.csv"))
    return agreement(votes.by(judge), votes.by(PEOPLE))


@exercise(
    "agreements['Atlas'].with_ties is one of the two numbers.",
    solution="agreements['Boreas'].with_ties - agreements['Atlas'].with_ties",
)
def _votes_gain(answer: Any) -> str:
    first, second = _agreement_of(FIRST_JUDGE), _agreement_of(SECOND_JUDGE)
    expect_number(
        answer,
        second.with_ties - first.with_ties,
        "How often does each judge agree with people? Take the difference of the two, ties included.",
        {
            second.without_ties - first.without_ties: "This is without ties, where Atlas is ahead.",
            second.with_ties: "This is the agreement of Boreas; subtract that of Atlas.",
            first.with_ties: "This is the agreement of Atlas; subtract it from that of Boreas.",
        },
        shown=2,
    )
    return "Without ties the order of the two judges is the other one: say which number you report."


@exercise(
    "The figure shows it, too: in how many of the pairs shown in both orders is the verdict of Atlas the same?",
    "tk.votes.swap_consistency takes the votes of one judge, votes.by('Atlas').",
    solution="tk.votes.swap_consistency(votes.by('Atlas')).value",
)
def _both_orders(answer: Any) -> str:
    found = swap_consistency(read_votes(data_file("votes/synthetic.csv")).by(FIRST_JUDGE))
    expect_number(
        answer,
        found.value,
        "How consistent is Atlas? The figure says so, and a function of tk.votes that takes the votes of one judge.",
        {found.first_wins: "This is how often it prefers the answer that is shown first."},
        shown=2,
    )
    return "A judge who changes its mind when the two answers change places prefers a place, not an answer."


WHOSE = {"mine": r"\bGEMBA[\w-]*|\b(?:my|our) metric\b|\bours\b", "rival": r"\bMetricX\w*"}
WHICH = {"tau_b": r"\btau_b\b|τ_?b\b", "acc": r"\bacc_eq\\?\*?|\bcalibrated acc\w+"}
SHORT = {"mine": "GEMBA-GPT4", "rival": "MetricX", "tau_b": "tau_b", "acc": "acc_eq*"}


@cache
def _final_values() -> dict[tuple[str, str], float]:
    """The four numbers by metric and coefficient."""
    board = _board(*LOOKED_AT)
    rows, columns = zip(WHOSE, (PRODUCED, RIVAL), strict=True), [*zip(WHICH, LOOKED_AT, strict=True)]
    return {(who, which): float(board[column][name]) for who, name in rows for which, column in columns}


def _numbers_elsewhere(text: str, *, whose_in_turn: bool, which_in_turn: bool) -> list[str]:
    """Which of the four numbers stand with another metric or coefficient than their own, or with none?"""
    values = _final_values()
    numbers = [one for one in numbers_in(text) if any(map(one.equals, values.values()))]
    whose, which = (
        owners(_without(text, others), numbers, names, in_turn=in_turn)
        for names, others, in_turn in ((WHOSE, WHICH, whose_in_turn), (WHICH, WHOSE, which_in_turn))
    )
    found = [(who, what) for who, what in zip(whose, which, strict=True) if who and what]
    if len(found) < len(numbers):
        return ["A number stands with no metric or with no coefficient."]
    placed = zip(numbers, found, strict=True)
    wrong = [
        f"As it stands, {one.value:g} is the {SHORT[what]} of {SHORT[who]}, which it is not."
        for one, (who, what) in placed
        if not one.equals(values[who, what])
    ]
    return wrong or [f"{SHORT[what]} of {SHORT[who]} is missing." for who, what in values if (who, what) not in found]


def _without(text: str, names: dict[str, str]) -> str:
    """A text with blanks in place of names."""
    return re.sub("|".join(names.values()), lambda name: " " * len(name[0]), text, flags=re.IGNORECASE)


@exercise(
    "board[['tau_b', 'acc_eq*']] has the four numbers. Write the metric and the coefficient before each of them.",
    "Say which translations are compared, what each coefficient does with a tie, and which number you report.",
    solution=(
        "'By item on WMT22 zh-en, GEMBA-GPT4 has the higher tau_b (0.321, MetricX 0.255), MetricX the higher acc_eq* "
        "(0.544, GEMBA-GPT4 0.527). The experts tie 42 % of the pairs of a segment. tau_b gives nothing for a correct "
        "tie, while acc_eq* does, after close scores of each metric are tied. We report acc_eq*, with epsilon* of the "
        "same segments, and tau_b beside it.'"
    ),
)
def _paragraph(answer: Any) -> str:
    if not isinstance(answer, str) or len(answer.split()) < 25:
        raise WrongAnswerError("Write a paragraph of at least 25 words, as text between quotation marks.")
    numbers = numbers_in(answer)
    for (who, which), value in _final_values().items():
        if not any(one.equals(value) for one in numbers):
            said = f"The {SHORT[which]} of {SHORT[who]} is missing, or differs: round it to two or three decimals."
            raise WrongAnswerError(said)
    wrong = [
        _numbers_elsewhere(answer, whose_in_turn=whose, which_in_turn=which)
        for whose, which in product((False, True), repeat=2)
    ]
    if all(wrong):
        said = f"{min(wrong, key=len)[0]} Write the metric and the coefficient before each number."
        raise WrongAnswerError(f"The four numbers occur, but whose are they? {said}")
    for words, what in (
        (("by item", "segment"), "which translations are compared"),
        (("tie", "tied", "ties"), "why the two numbers disagree: what happens to ties"),
    ):
        if not any(word in answer.lower() for word in words):
            raise WrongAnswerError(f"The numbers are right. Say also {what}.")
    return (
        "Each of the four numbers stands with its metric and its coefficient. Whether the reason holds, no program can "
        "say: compare it with check.solution(4). That is the course's end."
    )


# 11_measures: how alike do two measures rank the same metrics? --------------------------------------------------------

MEASURE, UNGROUPED, MEANS = "item/tau_b", "global/tau_b", "system_means/pearson"


@cache
def _values_by_measure() -> pd.DataFrame:
    return evaluate_measures(load_wmt22(), progress=False)


@cache
def _agreement() -> pd.DataFrame:
    found = agreement_of(_values_by_measure().to_numpy(float).T, COEFFICIENTS["tau_b"])
    return pd.DataFrame(found, index=GAO_MEASURES, columns=GAO_MEASURES)


@exercise(
    "The two columns are item/tau_b and global/tau_b.",
    "tk.correlate compares two columns of values, as it compares a metric with human scores.",
    solution="tk.correlate(values['item/tau_b'], values['global/tau_b'], 'tau_b')",
)
def _two_groupings(answer: Any) -> str:
    alike = _agreement()[MEASURE].to_dict()
    expect_number(
        answer,
        alike[UNGROUPED],
        "Choose the square of the two measures in the figure, or compare the two columns of values by τ_b.",
        {
            alike["item/spearman"]: "This is the agreement with Spearman by item. Take τ_b without grouping.",
            alike["system/tau_b"]: "This is the agreement with τ_b by system. Take τ_b without grouping.",
        },
        shown=2,
    )
    return "It is the same coefficient: only the pairs that it compares are others."


@exercise(
    "Compare item/tau_b with each other column: values.corr('kendall') does all at once.",
    solution="values.corr('kendall')['item/tau_b'].drop('item/tau_b').idxmax()",
)
def _closest(answer: Any) -> str:
    alike = _agreement()[MEASURE].drop(MEASURE)
    expect_name(
        answer,
        (str(alike.idxmax()),),
        GAO_MEASURES,
        "In the square, look along the row of τ_b by item for the largest value beside the measure itself.",
        {
            MEASURE: "This is the measure itself. Which other one is closest?",
            UNGROUPED: "This has the same coefficient. Is there one with the same grouping that is closer?",
        },
    )
    return "It has the same grouping. On this set the grouping matters more than the coefficient."


@exercise(
    "It is the column system_means/pearson.",
    "A column has a method idxmax.",
    solution="values['system_means/pearson'].idxmax()",
)
def _best_by_means(answer: Any) -> str:
    values = _values_by_measure()
    expect_name(
        answer,
        (str(values[MEANS].idxmax()),),
        tuple(values.index),
        "Look at the column system_means/pearson of the table values: which metric has the largest value?",
        {str(values["global/pearson"].idxmax()): "This metric is first by Pearson without grouping."},
    )
    return "Another measure has another winner. Say which measure you use, and choose it before you see the result."


@exercise(
    "tk.measures.pairwise_accuracy takes the set and a name.",
    solution="tk.measures.pairwise_accuracy(data, 'COMET-22') - tk.measures.pairwise_accuracy(data, 'BLEU')",
)
def _pairwise_gain(answer: Any) -> str:
    data = load_wmt22()
    value, other = pairwise_accuracy(data, NEURAL_METRIC), pairwise_accuracy(data, "BLEU")
    said = "This is the value of one metric; the question asks for the difference."
    expect_number(
        answer,
        value - other,
        f"Subtract the pairwise accuracy of BLEU from that of {NEURAL_METRIC}.",
        {value: said, other: said},
    )
    scores = read_dataset(data, NEURAL_METRIC)[0]
    n = int(np.isfinite(scores).any(axis=1).sum())
    pairs = n * (n - 1) // 2
    return f"{n} systems make only {pairs} pairs, so that one pair more or less changes the value by {1 / pairs:.3f}."


# 12_identical: does one text get one score? ---------------------------------------------------------------------------

REFERENCES = ("refA", "refB")


@exercise(
    "tk.identical.audit has an argument share.",
    "The threshold is in the column epsilon_0.",
    solution="tk.identical.audit(data['wmt22/zh-en'], exclude=(), share=0.9).table.epsilon_0['wmt-appraise']",
)
def _marks_apart(answer: Any) -> str:
    floors, usual = (
        audit(load_wmt22(), exclude=REFERENCES, metrics=(), share=share, n_resamples=0).table["epsilon_0"].to_dict()
        for share in (0.9, 0.99)
    )
    right = floors.pop("wmt-appraise")
    mistakes = {value: f"This is the threshold of {name}." for name, value in floors.items()}
    expect_number(
        answer,
        right,
        "Audit the set again with another share, and look at epsilon_0 of wmt-appraise.",
        mistakes | {usual["wmt-appraise"]: "This threshold ties 99 %. Audit the set again with another share."},
    )
    return f"One pair of ten lies further apart, and both are the same text: {right:g} of 100 points say little."


@exercise(
    "The table of an audit has a column p99/sd, and rows of raters too: query(\"kind == 'metric'\").",
    "A column has a method idxmax.",
    solution="audits['wmt23/en-de'].table.query(\"kind == 'metric'\")['p99/sd'].idxmax()",
)
def _noisiest(answer: Any) -> str:
    table = audit(load("wmt23/en-de"), exclude=("refA", "synthetic_ref"), n_resamples=0).table
    metrics = table.query("kind == 'metric'")["p99/sd"]
    context = [name for name in metrics.index if name.startswith("doc")]
    expect_name(
        answer,
        (str(metrics.idxmax()),),
        tuple(table.index),
        "Look for the largest value of p99/sd among the metrics.",
        dict.fromkeys(context, "This metric reads the sentences before. One differs even more.")
        | {"da-sqm": "This is a human score. Which metric differs most?"},
    )
    return "It scores the name of the system, so that the same text of two systems may differ: its floor is no noise."


@exercise(
    "The table of a repair has a column of ranks for each step.",
    "Subtract rank(at 0) from rank(identical tied).",
    solution="(repairs['wmt22/zh-en'].table['rank(identical tied)'] - repairs['wmt22/zh-en'].table['rank(at 0)'])"
    ".astype(float).idxmax()",
)
def _who_pays(answer: Any) -> str:
    table = repair(load_wmt22(), exclude=REFERENCES, progress=False).table
    lost = (table["rank(identical tied)"] - table["rank(at 0)"]).astype(float)
    expect_name(
        answer,
        (str(lost.idxmax()),),
        tuple(table.index),
        "Another metric loses more ranks from at 0 to identical tied.",
        {str(lost.idxmin()): "This metric gains the most ranks. A rank of 1 is the best."},
    )
    return "It had tied all of them before, so it gains nothing, and others pass it."


@exercise(
    "tk.correlate takes tie_identical=True.",
    "Leave the references out: the sets in data have none, so exclude=().",
    solution="tk.correlate(data['wmt22/zh-en'], 'COMET-22', 'tau_10', exclude=(), tie_identical=True).value"
    " - tk.correlate(data['wmt22/zh-en'], 'COMET-22', 'tau_10', exclude=()).value",
)
def _by_tau_10(answer: Any) -> str:
    data = load_wmt22()
    before, after = (
        correlate(data, NEURAL_METRIC, "tau_10", exclude=REFERENCES, tie_identical=tied).value for tied in (False, True)
    )
    said = "This is one of the two values; the question asks for the difference."
    expect_number(
        answer,
        after - before,
        "Subtract the value as it is from the value with identical pairs tied.",
        {before: said, after: said},
    )
    return "τ_10 leaves out what people tie and counts what the metric alone ties as wrong: tying these is a loss."


EXERCISES: dict[str, tuple[Exercise, ...]] = {
    "05_wmt22": (_most_places_gained, _best_ungrouped),
    "07_few_ties": (_constant, _noise_gain, _worst, _level),
    "08_which_number": (_share_that_changes, _loss, _sign),
    "09_your_own_scores": (_judge_ties, _votes_gain, _both_orders, _paragraph),
    "11_measures": (_two_groupings, _closest, _best_by_means, _pairwise_gain),
    "12_identical": (_marks_apart, _noisiest, _who_pays, _by_tau_10),
}
"""The exercises of each notebook."""
