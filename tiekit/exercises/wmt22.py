"""Which exercises ask about WMT22 Chinese–English, and about the sets of WMT23?"""

from __future__ import annotations

from functools import cache
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
    "The difference of two columns has a method idxmax.",
    solution="(board['rank(tau_10)'] - board['rank(acc_eq)']).astype(float).idxmax()",
)
def _most_places_lost(answer: Any) -> str:
    board = _board(*BOARD_COEFFICIENTS)
    lost = (board["rank(tau_10)"] - board["rank(acc_eq)"]).astype(float)
    expect_name(
        answer,
        (str(lost.idxmax()),),
        tuple(board.index),
        "Subtract rank(acc_eq) from rank(tau_10): a metric that loses places has a positive difference.",
        {str(lost.idxmin()): "This metric gains the most places. A rank of 1 is the best."},
    )
    return (
        "Its scores tie many pairs. acc_eq rewards a tie that the human makes too; τ_10 counts every tie as an error."
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
        'Compute tk.leaderboard(data, coefficients=["tau_b"], calibrated=(), grouping="global") and find the largest.',
        {str(by_item.idxmax()): "This metric is first by item. Give the argument grouping."},
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
    "The table at_zero has the values at a share of 0.",
    "Subtract the value of MATESE-refA from that of MATESE-refA + noise.",
    solution="at_zero['MATESE-refA + noise'] - at_zero['MATESE-refA']",
)
def _noise_gain(answer: Any) -> str:
    first = _values_by_share().loc[0.0].to_dict()
    expect_number(
        answer,
        first[DISCRETE + NOISY] - first[DISCRETE],
        "At a share of 0, subtract the value of MATESE from that of MATESE with noise.",
        {
            first[DISCRETE + NOISY]: "This is the value with noise; the question asks for the gain.",
            first[DISCRETE]: "This is the value without noise; the question asks for the gain.",
            first[OWN + NOISY] - first[OWN]: "This is the gain of the metric mine.",
        },
        shown=2,
    )
    return "The human ties no pair there, so each tie of MATESE is an error. Of random guesses about half are right."


@exercise(
    "Look at the smallest number of at_zero.",
    solution="at_zero.idxmin()",
)
def _worst(answer: Any) -> str:
    first = _values_by_share().loc[0.0]
    expect_name(
        answer,
        (str(first.idxmin()),),
        NAMES,
        "Drag the rule to a share of 0 and look at the last bar.",
        {"BLEU-refA": "At the human's own share it is last. Drag the rule to 0."},
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
        raise WrongAnswerError(f"At {share:.0%} human ties noise still adds {ahead:.3f}. Take a larger share.")
    return f"At {share:.0%} human ties calibration ties the noise again, so that it adds no more than {CLOSE}."


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
    "tk.cross_validate(data, 'COMET-22').folds is a table.",
    solution="tk.cross_validate(data, 'COMET-22').folds['loss'].mean()",
)
def _loss(answer: Any) -> str:
    expect_number(
        answer,
        float(_cross_validation(NEURAL_METRIC)["loss"].mean()),
        "The table folds has a column loss: take its mean.",
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
        'Give the classes to data.with_metric, and count with tk.count_ties(..., metric=..., grouping="item").share.',
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
        "Subtract with_ties of Atlas from that of Boreas.",
        {
            second.without_ties - first.without_ties: "This is without ties, where Atlas is ahead.",
            second.with_ties: "This is the agreement of Boreas; subtract that of Atlas.",
            first.with_ties: "This is the agreement of Atlas; subtract it from that of Boreas.",
        },
        shown=2,
    )
    return "Without ties the order of the two judges is the other one: say which number you report."


@exercise(
    "The same two answers are shown twice, in both orders.",
    "The function is in tk.votes.",
    solution="tk.votes.swap_consistency(votes.by('Atlas')).value",
)
def _both_orders(answer: Any) -> str:
    found = swap_consistency(read_votes(data_file("votes/synthetic.csv")).by(FIRST_JUDGE))
    expect_number(
        answer,
        found.value,
        "Look in tk.votes for a function of the votes of one judge: how consistent is it when the answers are swapped?",
        {found.first_wins: "This is how often it prefers the answer that is shown first."},
        shown=2,
    )
    return "A judge who changes its mind when the two answers change places prefers a place, not an answer."


@cache
def _final_values() -> dict[tuple[str, str], float]:
    board = _board(*LOOKED_AT)
    return {(name, column): float(board[column][name]) for name in (PRODUCED, RIVAL) for column in LOOKED_AT}


@exercise(
    "board[['tau_b', 'acc_eq*']] has the four numbers.",
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
    for (name, column), value in _final_values().items():
        if not any(digits >= 2 and abs(one - value) <= 0.5 * 10**-digits * (1 + 1e-9) for one, digits in numbers):
            who = "your metric" if name == PRODUCED else "MetricX"
            raise WrongAnswerError(f"The {column} of {who} is missing, or differs: round it to two or three decimals.")
    for words, what in (
        (("tau_b", "τ_b", "τb"), "the name of each coefficient: tau_b"),
        (("acc_eq*", "calibrated"), "the name of each coefficient: acc_eq*"),
        (("by item", "segment"), "which translations are compared"),
        (("tie", "tied", "ties"), "why the two numbers disagree: what happens to ties"),
    ):
        if not any(word in answer.lower() for word in words):
            raise WrongAnswerError(f"The numbers are right. Say also {what}.")
    return "All four numbers are those of the board, and a reader can see why they disagree. That is the course's end."


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
    "05_wmt22": (_most_places_lost, _best_ungrouped),
    "07_few_ties": (_constant, _noise_gain, _worst, _level),
    "08_which_number": (_share_that_changes, _loss, _sign),
    "09_your_own_scores": (_judge_ties, _votes_gain, _both_orders, _paragraph),
    "11_measures": (_two_groupings, _closest, _best_by_means, _pairwise_gain),
    "12_identical": (_marks_apart, _noisiest, _who_pays, _by_tau_10),
}
"""The exercises of each notebook."""
