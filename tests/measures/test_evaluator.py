"""What an evaluator does with ties, constants and missing scores is said, whatever it does."""

import math
import warnings

import numpy as np
import pytest
from scipy.stats import kendalltau, pearsonr, rankdata, somersd, spearmanr

import tiekit as tk
from tiekit.measures.evaluator import QUESTIONS, WITH, WITHOUT


def rows_of(function):
    return tk.check_evaluator(function).rows["words"]


def pairs(human, metric):
    return [(np.sign(human[i] - human[j]), np.sign(metric[i] - metric[j])) for i in range(len(human)) for j in range(i)]


def test_drawn_sets_have_ties_of_all_kinds_or_none():
    for human, metric in WITHOUT:
        assert tk.count_pairs(human, metric).row[2:5].sum() == 0
    for human, metric in WITH:
        assert all(tk.count_pairs(human, metric).row[:5])


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (kendalltau, "tau_b"),
        (lambda h, m: kendalltau(h, m, variant="c"), "tau_c"),
        (pearsonr, "pearson"),
        (spearmanr, "spearman"),
        (somersd, "tau_14"),
        (lambda h, m: somersd(m, h), "tau_14 with the arguments exchanged"),
        (lambda h, m: 1 - kendalltau(h, m)[0], "1 - tau_b"),
        (lambda h, m: pearsonr(h, m)[0] ** 2, "pearson²"),
    ],
)
def test_a_known_coefficient_is_recognized(function, name):
    found = tk.check_evaluator(function)
    assert found.recognized == (name,)
    assert f"It is {name}: the two agree on all 24 drawn sets with ties." in found.sentence
    assert "The order of the items does not matter." in found.sentence


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", [*tk.COEFFICIENTS, "acc_eq*", "tau_eq*"])
def test_every_coefficient_of_the_library_is_recognized_as_itself(name):
    assert name in tk.check_evaluator(lambda h, m: tk.correlate(h, m, name)).recognized


def test_a_mean_over_pairs_is_recognized_by_single_pairs():
    def half(human, metric):
        kinds = pairs(human, metric)
        return sum(0.5 if m == 0 else float(h == m) for h, m in kinds) / len(kinds)

    words = rows_of(half)["ties"]
    assert (
        "mean over pairs of 1 (concordant), 0 (discordant), 0 (ties human), 0.5 (ties metric), 0.5 (ties both)" in words
    )

    def decisive(human, metric):
        kinds = [(h, m) for h, m in pairs(human, metric) if h]
        return sum({0: 3, h: 2}.get(m, -1) for h, m in kinds) / len(kinds)

    words = "2 (concordant), −1 (discordant), 3 (ties metric); left out: ties human, ties both"
    assert words in rows_of(decisive)["ties"]


@pytest.mark.parametrize("side", [0, 1])
def test_a_tolerance_is_no_equality(side):
    def tolerant(*scores):
        return tk.correlate(*(np.floor(one / 0.1) if i == side else one for i, one in enumerate(scores)), "acc_eq")

    found = tk.check_evaluator(lambda h, m: tolerant(h, m).value)
    assert found.recognized == ()
    assert "Where scores differ by 0.1 or more it is acc_eq, but not where they differ by less" in found.sentence
    assert found.rows["problem"]["ties"]
    assert tk.check_evaluator(lambda h, m: pearsonr(np.float32(h), np.float32(m))).recognized == ("pearson",)


def test_ties_broken_by_order_are_seen():
    def ordinal(human, metric):
        return pearsonr(np.argsort(np.argsort(human, kind="stable")), np.argsort(np.argsort(metric, kind="stable")))

    found = tk.check_evaluator(ordinal)
    assert found.recognized == ()
    assert found.rows["words"]["no ties"] == "Without ties it is spearman."
    problems = found.rows.index[found.rows["problem"]]
    assert {"order of the items", "constant metric", "constant human", "tied by the metric"} <= set(problems)
    assert "With ties the order of the items decides its value" in found.sentence


def test_an_evaluator_that_needs_an_order_is_seen_without_ties():
    assert "even without ties" in rows_of(lambda h, m: float(h[0] < m[-1]) + h[1] * m[2])["order of the items"]


def test_a_tie_that_counts_for_the_metric_is_seen():
    def generous(human, metric):
        kinds = [(h, m) for h, m in pairs(human, metric) if h]
        return sum(m in (h, 0) for h, m in kinds) / len(kinds)

    found = tk.check_evaluator(generous)
    assert found.rows["words"]["constant metric"].endswith("it returns 1, the value of a perfect metric.")
    assert found.rows["problem"]["constant metric"]
    assert "1 (ties metric)" in found.rows["words"]["ties"]


def test_the_shortcut_of_spearman_is_named():
    def shortcut(human, metric):
        n = len(human)
        return 1 - 6 * ((rankdata(human) - rankdata(metric)) ** 2).sum() / (n * (n**2 - 1))

    found = tk.check_evaluator(shortcut)
    assert "which is right only without ties" in found.sentence
    assert found.rows["problem"]["ties"]
    assert found.rows["value"]["both constant"] == 1
    assert found.rows["words"]["no ties"] == "Without ties it is spearman."


@pytest.mark.parametrize(
    ("fill", "words"),
    [
        (lambda x: x, "it returns NaN."),
        (lambda x: np.nan_to_num(x), "it takes it for 0, without a word."),
        (lambda x: np.where(np.isnan(x), np.nanmean(x), x), "it takes it for the mean score, without a word."),
        (lambda x: np.where(np.isnan(x), 99.0, x), "it takes it for the largest score, without a word."),
        (lambda x: np.where(np.isnan(x), -99.0, x), "it takes it for the smallest score, without a word."),
    ],
)
def test_a_missing_score_is_followed(fill, words):
    found = rows_of(lambda h, m: kendalltau(fill(h), fill(m)))
    assert found["missing metric score"] == f"A missing metric score (NaN): {words}"
    assert found["missing human score"] == f"A missing human score (NaN): {words}"


def test_a_missing_score_may_be_left_out():
    found = rows_of(lambda h, m: kendalltau(h, m, nan_policy="omit"))
    assert found["missing metric score"] == "A missing metric score (NaN): it leaves out the item."


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda *_: 1 / 0, "raises ZeroDivisionError"),
        (lambda *_: None, "returns no number but None"),
        (lambda *_: "0.5 of it", "returns no number but '0.5 of it'"),
        (lambda *_: float("nan"), "returns NaN"),
        (lambda: 1, "raises TypeError"),
    ],
)
def test_nothing_is_refused(function, words):
    found = tk.check_evaluator(function, name="mine")
    assert f"Without ties, it does not always return a number: it {words}." in found.sentence
    assert found.name == "mine"
    assert not found.recognized


def test_warnings_are_told_not_passed_on():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = rows_of(pearsonr)
    assert (
        found["constant metric"] == "A metric that gives one score to all: it returns NaN, with a ConstantInputWarning."
    )


def test_lists_chance_and_changed_arguments_are_seen():
    def lists(human, metric):
        return kendalltau(human, metric)[0] if human else 0  # an array has no truth value

    assert rows_of(lists)["its arguments"] == "It takes lists, not arrays, and leaves them as they are."

    def sorting(human, metric):
        human.sort()
        return kendalltau(human, metric)

    assert tk.check_evaluator(sorting).rows["problem"]["its arguments"]
    rng = np.random.default_rng(0)
    drawn = rows_of(lambda h, m: kendalltau(tk.break_ties(h, rng), tk.break_ties(m, rng)))
    assert "ties or samples are drawn" in drawn["called again"]


def test_direction_and_scale_are_told():
    assert "does not see the direction" in rows_of(lambda h, m: abs(kendalltau(h, m)[0]))["negated metric"]
    assert rows_of(lambda h, m: np.abs(h - m).mean())["negated metric"].startswith("Lower is better")
    assert rows_of(kendalltau)["only the order counts"] == "Only the order of the metric's scores counts."
    assert "their scale does not" in rows_of(pearsonr)["only the order counts"]
    assert (
        rows_of(lambda h, m: -np.square(h - m).mean())["only the order counts"]
        == "The scale of the metric's scores counts."
    )


def test_a_result_is_like_all_others():
    found = tk.check_evaluator(kendalltau)
    assert list(found.rows.index) == list(QUESTIONS)
    assert str(found).count("\n") == len(QUESTIONS) + 2
    assert found.to_dict()["signature"].startswith("evaluator:kendalltau|calls:")
    assert r"It is tau\_b" in found.to_latex()
    assert "tau_b" in found._repr_html_()
    assert found.problems == ()
    with pytest.raises(TypeError):
        float(found)
    with pytest.raises(tk.InputError, match=r"^function: must take \(human, metric\) and return a number, found 3"):
        tk.check_evaluator(3)
    assert math.isnan(found.rows["value"]["constant metric"])
