"""What tests of significance are asked: a set and names or arrays, measures as text, no star beside a threshold."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tests.drawn import named_set
from tiekit.significance import bonett_wright, bootstrap_interval, compare_metrics, permutation_test, swap_test
from tiekit.significance import williams_test as williams

# Some arrays here hold the standard reference on purpose.
pytestmark = pytest.mark.filterwarnings("ignore::tiekit.SelectionWarning")

MANY = {"n_resamples": 19, "rng": 1}


@pytest.fixture(scope="module")
def data() -> tk.EvalSet:
    return named_set()


PAIRWISE = {
    "permutation_test": lambda *a, **k: permutation_test(*a, grouping="global", **MANY, **k).samples.tolist(),
    "williams_test": lambda *a, **k: williams(*a, **k).pvalue,
    "bootstrap_interval, against": lambda h, a, b, **k: bootstrap_interval(h, a, against=b, **MANY, **k).low,
}


@pytest.mark.parametrize("call", PAIRWISE.values(), ids=PAIRWISE)
def test_a_set_and_two_names_give_what_its_arrays_give_without_reference_and_outliers(data, call):
    chosen, names = data.select(), ("COMET-22-refA", "chrF-refA")
    expected = call(chosen.human["mqm"], *(chosen.metrics[name] for name in names))
    assert call(data, "COMET-22", "chrf") == call(chosen, *names, exclude=()) == expected
    everybody = call(data.human["da"], *(data.metrics[name] for name in names))
    assert call(data, *names, human="da", exclude=()) == everybody != expected


def test_a_set_is_compared_by_the_coefficient_in_second_place(data):
    chosen = data.select()
    expected = compare_metrics(chosen.human["mqm"], chosen.metrics, "acc_eq*", **MANY)
    for arguments in (("acc_eq*",), ("item/acc_eq*",), (None, "acc_eq*"), (list(data.metrics), "acc_eq*")):
        found = compare_metrics(data, *arguments, **MANY)
        assert found.signature.endswith(f"|{expected.signature}")
        pd.testing.assert_frame_equal(found.pvalues, expected.pvalues)
        pd.testing.assert_series_equal(found.values, expected.values)
    with pytest.raises(TypeError, match="without a name are data, metrics, coefficient in this order"):
        compare_metrics(data, "acc_eq*", metrics=list(data.metrics))
    everybody = compare_metrics(data, "acc_eq*", human="da", exclude=(), **MANY)
    arrays = data.human["da"], dict(data.metrics)
    assert everybody.digest == compare_metrics(*arrays, **MANY).digest != expected.digest
    two = compare_metrics(data, ["comet-22", "chrF"], "global/tau_b", **MANY)
    assert (set(two.pvalues.index), two.grouping) == ({"COMET-22-refA", "chrF-refA"}, "global")
    assert two.pvalues.iloc[0, 1] == permutation_test(data, *two.pvalues.index, "global/tau_b", **MANY).pvalue


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("COMET-22",), "metrics: there must be at least two, found COMET-22-refA alone; None is all of them"),
        ((["COMET-22"],), "metrics: there must be at least two, found 1"),
        (("acc_eqq",), "coefficient: must be one of .*, found 'acc_eqq'; did you mean acc_eq?"),
        (("pearson*",), "coefficient: pearson knows no ties of the metric and cannot be calibrated"),
        (("tau_b", "acc_eq*"), r"coefficient: 'acc_eq\*' contradicts 'tau_b', which is given before it"),
        ((["COMET-22", "BLEU"],), "metrics: there is no 'BLEU'; known: COMET-22-refA, COMET-20-refA, chrF-refA"),
    ],
)
def test_what_cannot_be_compared_is_named(data, arguments, message):
    with pytest.raises(tk.InputError, match=f"^{message}"):
        compare_metrics(data, *arguments)


def test_scores_of_a_set_that_hold_its_reference_are_pointed_out(data):
    for call in (compare_metrics, swap_test):
        with pytest.warns(tk.SelectionWarning, match="the scores hold refA, odd") as caught:
            call(data.human["mqm"], data.metrics, **MANY)
        assert [warning.filename for warning in caught] == [__file__]


def test_many_measures_of_a_set_are_texts(data):
    measures, chosen = ["item/acc_eq*", "system_means/pearson", "tau_b"], data.select()
    found = swap_test(data, measures=measures, **MANY)
    pd.testing.assert_frame_equal(found, swap_test(chosen.human["mqm"], chosen.metrics, measures, **MANY))
    assert list(found.columns) == ["item/acc_eq*", "system_means/pearson", "item/tau_b"]
    for measure in measures:
        one = swap_test(data, ["COMET-22", "chrF"], measure, **MANY)
        assert one.iloc[0, 0] == permutation_test(data, "COMET-22", "chrF", measure, **MANY).pvalue
    assert swap_test(data, **MANY).columns.tolist() == ["item/acc_eq*"]
    for refused, message in (
        ([("item", "tau_b")], "coefficient: must be a name such as 'acc_eq', found .'item', 'tau_b'."),
        ([], "measures: there must be at least one"),
        (["item/acc_eqq"], "coefficient: must be one of .* did you mean acc_eq?"),
    ):
        with pytest.raises(tk.InputError, match=f"^{message}"):
            swap_test(data, measures=refused)


def test_segments_are_swapped_by_default(data):
    assert permutation_test(data, "chrF", "COMET-22", **MANY).swap == "segments"
    assert compare_metrics(data, **MANY).swap == "segments"
    asked = {"measures": "global/tau_b", **MANY}
    found = {swap: swap_test(data, swap=swap, **asked) for swap in ("segments", "both")}
    pd.testing.assert_frame_equal(swap_test(data, **asked), found["segments"])
    assert not found["segments"].equals(found["both"])


@pytest.mark.parametrize("epsilon", [3, 0.5, (0.0, 1.0)])
def test_a_threshold_beside_a_star_is_refused(data, epsilon):
    message = r"^epsilon: acc_eq\* finds its own, so it must be 0, found "
    with pytest.raises(tk.InputError, match=message):
        permutation_test(data, "chrF", "COMET-22", "acc_eq*", epsilon=epsilon)
    if not isinstance(epsilon, tuple):
        with pytest.raises(tk.InputError, match=message):
            compare_metrics(data, "acc_eq*", epsilon=epsilon)
        with pytest.raises(tk.InputError, match=message):
            bootstrap_interval(data, "chrF", "item/acc_eq*", epsilon=epsilon)


def test_a_star_says_what_calibrated_says(data):
    pair = data, "chrF", "COMET-22"
    starred = permutation_test(*pair, "acc_eq*", epsilon="calibrated", **MANY)
    assert starred.signature == permutation_test(*pair, "acc_eq*", epsilon=0, **MANY).signature
    assert starred.epsilons == tuple(tk.calibrate(data, name).epsilon for name in pair[1:])
    again = permutation_test(*pair, "acc_eq*", epsilon="recalibrated", n_resamples=9)
    assert np.isnan(again.epsilons).all()


def test_no_generator_is_seed_zero(data):
    for call in (
        lambda **k: permutation_test(data, "chrF", "COMET-22", n_resamples=19, **k),
        lambda **k: compare_metrics(data, n_resamples=19, **k),
        lambda **k: bootstrap_interval(data, "chrF", n_resamples=19, **k),
    ):
        assert call().signature == call(rng=0).signature == call(rng=None).signature
        assert "|seed:0|" in call().signature
        drawn = call(rng=np.random.default_rng(3))
        assert f"|seed:{drawn.seed}|" in drawn.signature
        assert drawn.seed != 0


def test_messages_name_the_argument_that_was_passed(data):
    human = [[1, 2, 3], [3, 1, 2]]
    for call, message in (
        (lambda: permutation_test(data, "chrF"), "metric_b: must be the name of a score of the EvalSet"),
        (lambda: permutation_test(human, human, "chrF"), "metric_b: a name needs an EvalSet before it"),
        (lambda: permutation_test(human, human[:1], human), r"metric_a: must have the shape of human, \(2, 3\)"),
        (lambda: williams(data, "BLEU", "chrF"), "metric_a: there is no 'BLEU'"),
        (lambda: williams(human, human), "metric_b: there are no scores"),
        (lambda: bootstrap_interval(data, "chrF", against="comet"), "against: there is no 'comet'"),
        (lambda: bonett_wright(data), "metric: must be the name of a score of the EvalSet, found nothing"),
        (lambda: bonett_wright(data, "chrF", "tau_b*"), "coefficient: must be one of pearson, .* found 'tau_b"),
        (lambda: compare_metrics(human, ["chrF"]), "metrics: must be a mapping of names to scores, found list"),
    ):
        with pytest.raises(tk.InputError, match=f"^{message}"):
            call()


def test_williams_takes_the_systems_of_system_means_however_they_are_asked_for(data):
    by_name = williams(data, "chrF", "COMET-22", "system_means/pearson", n=9)
    assert by_name.signature == williams(data, "chrF", "COMET-22", grouping="system_means", n=9).signature
    assert williams(data, "chrF", "COMET-22", "system_means/pearson").n == 3
    values = [tk.correlate(data, name, "tau_b").value for name in ("chrF", "COMET-22")]
    assert williams(data, "chrF", "COMET-22", "tau_b").correlations[:2] == tuple(values)
    starred = [tk.correlate(data, name, "acc_eq*").value for name in ("chrF", "COMET-22")]
    assert williams(data, "chrF", "COMET-22", "acc_eq*").correlations[:2] == tuple(starred)


def test_an_orientation_is_asked_about_once():
    human = np.arange(120).reshape(40, 3) % 7
    other = human[::-1] % 5
    for call in (
        lambda: permutation_test(human, human, other, n_resamples=2),
        lambda: williams(human, human, other),
        lambda: compare_metrics(human, {"a": human, "b": other}, n_resamples=2),
        lambda: bootstrap_interval(human, other, n_resamples=2),
        lambda: bonett_wright(human, other),
    ):
        with pytest.warns(tk.OrientationWarning, match="human: has 40 rows and 3 columns") as caught:
            call()
        assert [warning.filename for warning in caught] == [__file__]


@pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")
def test_the_published_set_is_compared_without_its_reference(wmt22_zh_en):
    names = ["COMET-22", "GEMBA-GPT4-DA", "MATESE-refA"]
    found = compare_metrics(wmt22_zh_en, names, "acc_eq*", n_resamples=99)
    board = tk.leaderboard(wmt22_zh_en, metrics=names)["acc_eq*"]
    values = found.to_dict()["values"]
    assert round(values["GEMBA-GPT4-DA-refA"], 4) == 0.5265
    for name, value in values.items():
        assert value == pytest.approx(board[name], abs=1e-12)


@pytest.mark.parametrize("by", [None, "global", "system", "document"])
def test_one_coefficient_is_meant_where_none_is_named(data, by):
    few, pair = replace(data.select(), documents=tuple("aaabbbcc")), ("COMET-22", "chrF")
    named, asked = "acc_eq*", {"grouping": by, **MANY}
    found = permutation_test(few, *pair, **asked)
    assert found.coefficient == compare_metrics(few, pair, **asked).coefficient == named
    assert found.signature == permutation_test(few, *pair, named, **asked).signature
    best = [tk.calibrate(few, name, grouping=by) for name in pair]
    assert found.difference == pytest.approx(best[0].value - best[1].value, abs=1e-12)
    assert found.epsilons == tuple(one.epsilon for one in best)
    assert tk.correlate(few, pair[0], grouping=by).value == tk.calibrate(few, pair[0], grouping=by).value
    assert bootstrap_interval(few, pair[0], **asked).coefficient == named
    for epsilon in (0, 0.05):
        fixed = tk.correlate(few, pair[0], grouping=by, epsilon=epsilon)
        assert (fixed.coefficient, fixed.epsilon) == ("acc_eq", epsilon)
        assert fixed.value == tk.correlate(few, pair[0], "acc_eq", grouping=by, epsilon=epsilon).value
        assert permutation_test(few, *pair, epsilon=epsilon, **asked).coefficient == "acc_eq"
        assert compare_metrics(few, pair, epsilon=epsilon, **asked).coefficient == "acc_eq"
        assert bootstrap_interval(few, pair[0], epsilon=epsilon, **asked).coefficient == "acc_eq"
    assert tk.correlate(few, pair[0], grouping=by, human_margin=1).coefficient == "acc_eq"


def test_system_means_are_not_calibrated_unasked(data):
    found = tk.correlate(data, "COMET-22", grouping="system_means")
    assert (found.coefficient, found.epsilon) == ("acc_eq", 0)
    assert found.value == tk.measures.pairwise_accuracy(data, "COMET-22")
    tested = permutation_test(data, "COMET-22", "chrF", grouping="system_means", **MANY)
    assert (tested.coefficient, tested.swap) == ("acc_eq", "system_means")
    assert tk.correlate(data, "COMET-22", "acc_eq*", grouping="system_means").coefficient == "acc_eq*"
    assert tk.correlate([1, 2, 2, 3, 4], [2, 1, 1.5, 5, 3]).value == 0.7


def test_means_of_systems_are_swapped_as_vectors_are():
    """By brute force: every way to swap standardized means, where systems have different numbers of scores."""
    rng = np.random.default_rng(5)
    human, a, b = (np.where(hidden, np.nan, rng.normal(size=(7, 9))) for hidden in [rng.random((7, 9)) < 0.3] * 3)
    means = [np.nanmean(scores, axis=1) for scores in (human, a, b)]
    h, za, zb = ((m - m.mean()) / m.std() for m in means)
    ways = [np.array([number >> i & 1 for i in range(7)], bool) for number in range(2**7)]
    r = [[np.corrcoef(h, m)[0, 1] for m in (np.where(w, zb, za), np.where(w, za, zb))] for w in ways]
    samples = np.array([one - other for one, other in r])
    found = permutation_test(human, a, b, "pearson", grouping="system_means")
    assert (found.swap, found.exact) == ("system_means", True)
    assert sorted(found.samples) == pytest.approx(sorted(samples), abs=1e-9)
    assert found.difference == pytest.approx(samples[0], abs=1e-12)
    assert found.pvalue == np.mean(np.abs(samples) >= abs(samples[0]) - 1e-9)
    assert compare_metrics(human, {"a": a, "b": b}, "system_means/pearson").pvalues.loc["a", "b"] == found.pvalue
    assert swap_test(human, {"a": a, "b": b}, ["item/tau_b", "system_means/pearson"]).iloc[0, 1] == found.pvalue
    with pytest.raises(tk.InputError, match=r"^swap: 'system_means' is for measures .* found item/tau_b"):
        permutation_test(human, a, b, "tau_b", swap="system_means")
    with pytest.raises(tk.InputError, match="items of vectors have no systems"):
        permutation_test(human[0], a[0], b[0], "tau_b", swap="system_means")


def test_a_wrong_coefficient_is_answered_by_all_that_there_are():
    for name, hint in (("sap", "spa"), ("pairwise_acuracy", "pairwise_accuracy"), ("acc_qe", "acc_eq")):
        with pytest.raises(tk.InputError, match=rf"acc_eq, pairwise_accuracy, spa, pdp, found .* did you mean {hint}"):
            tk.correlate([[1, 2]], [[1, 2]], name)
    assert tk.correlate([1, 2, 3], [1, 3, 2], "kendall_tau_b").coefficient == "tau_b"
    assert tk.correlate([[1, 2], [3, 4]], [[1, 2], [3, 5]], "soft_pairwise_accuracy").coefficient == "spa"
