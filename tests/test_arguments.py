"""What callers pass: an evaluation set and names, or arrays; one way to say a measure; names that resolve."""

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tests.drawn import named_set
from tiekit.core.grouping import GROUPINGS, PAPER_NAMES, find_grouping
from tiekit.core.measure import get_measure
from tiekit.sets.arguments import read_metrics

# Some arrays here hold the standard reference on purpose.
pytestmark = pytest.mark.filterwarnings("ignore::tiekit.SelectionWarning")

NAN = float("nan")


@pytest.fixture(scope="module")
def data() -> tk.EvalSet:
    return named_set()


CALLS = {
    "correlate": lambda *a, **k: tk.correlate(*a, "tau_b", **k).value,
    "correlate, starred": lambda *a, **k: tk.correlate(*a, "acc_eq*", **k).value,
    "calibrate": lambda *a, **k: tk.calibrate(*a, grouping="global", **k).value,
    "cross_validate": lambda *a, **k: tk.cross_validate(*a, folds=2, **k).value,
    "transfer": lambda *a, **k: tk.transfer(tk.calibrate([[1, 2], [2, 3]], [[1, 2], [3, 4]]), *a, **k).value,
    "correlate_untied": lambda *a, **k: tk.correlate_untied(*a, **k).tolist(),
    "bucket_curve": lambda *a, **k: tk.bucket_curve(*a, [2, 3], **k).to_dict(),
    "reasons_per_group": tk.reasons_per_group,
    "calibrate_reweighted": lambda *a, **k: tk.sentinels.calibrate_reweighted(*a, keep_tied=0.5, **k).value,
    "calibrate_reweighted, sampled": lambda *a, **k: tk.sentinels.calibrate_reweighted(*a, sample=True, **k).value,
    "granularity": lambda *a, **k: tk.measures.granularity(*a, [2, 4], "item/tau_b", **k).to_dict(),
    "pairwise_accuracy": tk.measures.pairwise_accuracy,
    "soft_pairwise_accuracy": tk.measures.soft_pairwise_accuracy,
    "pairwise_difference_pearson": tk.measures.pairwise_difference_pearson,
    "bootstrap_interval": lambda *a, **k: tk.significance.bootstrap_interval(*a, n_resamples=9, **k).low,
    "bonett_wright": lambda *a, **k: tk.significance.bonett_wright(*a, grouping="global", **k).low,
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_set_and_names_give_what_its_arrays_give_without_reference_and_outliers(data, call):
    documents = {"documents": data.documents} if call is CALLS["cross_validate"] else {}
    chosen = data.select()
    assert chosen.systems == ("A", "B", "C")
    expected = call(chosen.human["mqm"], chosen.metrics["COMET-22-refA"], **documents)
    assert call(data, "COMET-22") == expected
    assert call(chosen, "COMET-22-refA", exclude=()) == expected
    everybody = call(data.human["da"], data.metrics["COMET-22-refA"], **documents)
    assert call(data, "COMET-22", human="da", exclude=()) == everybody
    if call is not tk.reasons_per_group:
        assert everybody != expected


def test_measures_of_a_set_are_those_of_its_arrays(data):
    chosen = data.select()
    found = tk.measures.evaluate_measures(data, measures="item/acc_eq*")
    assert found.equals(tk.measures.evaluate_measures(chosen.human["mqm"], dict(chosen.metrics), ["item/acc_eq*"]))
    assert found.loc["chrF-refA", "item/acc_eq*"] == tk.correlate(data, "chrF", "item/acc_eq*").value
    everybody = tk.measures.evaluate_measures(data, "COMET-22", human="da", exclude=())
    scores = {"COMET-22-refA": data.metrics["COMET-22-refA"]}
    assert everybody.equals(tk.measures.evaluate_measures(data.human["da"], scores))


def test_the_documents_of_a_set_are_the_folds_own(data):
    found = tk.cross_validate(data, "chrF", folds=4)
    assert found.folds["documents"].tolist() == [1, 1, 1, 1]
    assert tk.cross_validate(data, "chrF", folds=4, documents=data.segments).folds["documents"].sum() == 8


def test_ties_of_a_set_are_counted(data):
    chosen = data.select()
    assert tk.count_ties(data).n_tied == tk.count_ties(chosen.human["mqm"]).n_tied
    expected = tk.count_ties(chosen.metrics["chrF-refA"], where=chosen.human["da"])
    assert tk.count_ties(data, metric="chrF", human="da").n_tied == expected.n_tied


SENTINELS = {
    "tie_shares": tk.sentinels.tie_shares,
    "tie_shares, sampled": lambda *a, **k: tk.sentinels.tie_shares(*a, sample=True, **k),
    "held_out_shares": lambda *a, **k: tk.sentinels.held_out_shares(*a, held_out=0.5, **k),
}


@pytest.mark.parametrize("call", SENTINELS.values(), ids=SENTINELS)
def test_some_metrics_of_a_set_and_their_arrays_give_the_same_table(data, call):
    def frame(*arguments, **asked):
        return call(*arguments, grouping="global", shares=[0, 0.3], **asked).drop(columns="metric")

    chosen, stored = data.select(), ("chrF-refA", "COMET-22-refA")
    arrays = {name: chosen.metrics[name] for name in stored}
    expected = frame(chosen.human["mqm"], arrays)
    assert frame(data, ["chrF", "comet-22"]).equals(expected)
    assert frame(human=chosen.human["mqm"], metrics=arrays).equals(expected)
    assert frame(data, "chrF").equals(expected.head(2))
    assert len(frame(data)) == 2 * len(data.metrics)
    everybody = frame(data.human["mqm"], {name: data.metrics[name] for name in stored})
    assert frame(data, stored, exclude=()).equals(everybody)
    assert not everybody.equals(expected)


def test_human_ties_of_a_set_are_those_of_its_arrays(data):
    human = data.select().human["mqm"]
    found = tk.sentinels.keep_for_share(data, 0.5)
    assert found == tk.sentinels.keep_for_share(human, 0.5) != tk.sentinels.keep_for_share(data, 0.5, exclude=())
    with pytest.raises(tk.InputError, match="human: there is no 'esa'"):
        tk.sentinels.keep_for_share(data, 0.5, human="esa")
    with pytest.raises(tk.InputError, match="human: names a score of an EvalSet, but the human scores are an array"):
        tk.sentinels.keep_for_share(human, 0.5, human="mqm")


@pytest.mark.filterwarnings("ignore::tiekit.TruncationWarning")
def test_a_metric_of_a_set_is_perturbed_for_all_systems(data):
    noisy = tk.sentinels.perturb(data, metric="COMET-22")
    assert np.array_equal(noisy, tk.sentinels.perturb(data.metrics["COMET-22-refA"]))
    assert "noisy" in data.with_metric("noisy", noisy).metrics
    for arguments, asked, message in (
        ((data,), {}, "metric: name one of the set's metrics: COMET-22-refA, COMET-20-refA"),
        ((data,), {"metric": "BLEU"}, "metric: there is no 'BLEU'"),
        (([1, 2],), {"metric": "chrF"}, "metric: a name needs an EvalSet before it, found 'chrF'"),
        ((["a"],), {}, "scores: scores must be numbers"),
        (("chrF",), {}, "scores: scores must be numbers, found 'chrF'; names stand after an EvalSet"),
        (({"A": [1, 2]},), {}, "scores: scores must be numbers, found a dict; pass pandas.DataFrame"),
        (({"A": 1, "B": 2},), {}, "scores: scores must be numbers, found a dict; pass pandas.Series"),
    ):
        with pytest.raises(tk.InputError, match=f"^{message}"):
            tk.sentinels.perturb(*arguments, **asked)
    with pytest.warns(tk.TruncationWarning, match=r"^metric: noise with a standard deviation of 0\.1 "):
        tk.sentinels.perturb(data, metric="COMET-22", variance=0.01)
    with pytest.warns(tk.TruncationWarning, match=r"^scores: noise with a standard deviation of 0\.1 "):
        tk.sentinels.perturb([0, 0.1], variance=0.01)


def test_arguments_may_be_named():
    human, metric = [1, 2, 2, 3], [1, 3, 2, 2]
    for call in (tk.correlate, tk.calibrate):
        assert (
            call(human=human, metric=metric).value == call(human, metric).value == call(data=human, metric=metric).value
        )


@pytest.mark.parametrize(
    ("arguments", "asked", "message"),
    [
        (("COMET",), {}, "metric: there is no 'COMET'; did you mean COMET-22-refA or COMET-20-refA?"),
        (("BLEU",), {}, "metric: there is no 'BLEU'; known: COMET-22-refA, COMET-20-refA, chrF-refA, MATESE-QE-src"),
        (
            ("mqm",),
            {},
            "metric: 'mqm' is a human score of the set, not one of its metrics; tk.leaderboard",
        ),
        (("matese",), {}, "metric: there is no 'matese'; did you mean MATESE-QE-src?"),
        ((), {}, "metric: must be the name of a score of the EvalSet, found nothing"),
        (([1, 2],), {}, r"metric: must be the name of a score of the EvalSet, found list of shape \(2,\)"),
        (("chrF",), {"human": "esa"}, "human: there is no 'esa'; known: mqm, da"),
        (("chrF",), {"exclude": "nobody"}, "exclude: there is no system 'nobody'"),
    ],
)
def test_what_a_set_does_not_hold_is_refused_by_name(data, arguments, asked, message):
    with pytest.raises(tk.InputError, match=f"^{message}"):
        tk.correlate(data, *arguments, **asked)


@pytest.mark.parametrize("scores", [pd.DataFrame({"x": [1.0]}), np.zeros((2, 2)), {"x": [1]}, [["x"], ["y", "z"]]])
@pytest.mark.parametrize(
    ("ask", "add"),
    [
        (lambda data, scores: tk.standing(data, scores), "with_scores"),
        (lambda data, scores: tk.leaderboard(data, metrics=[scores]), "with_scores"),
        (lambda data, scores: tk.humans.raters_of(data, scores), "with_human"),
        (lambda data, scores: tk.identical.audit(data, human=scores), "with_human"),
    ],
)
def test_scores_in_place_of_a_name_are_to_be_added(data, ask, add, scores):
    with pytest.raises(
        tk.InputError, match=rf"must be .*data\.{add}\(SCORES, name='new'\)" if add else "must be a name"
    ):
        ask(data, scores)


@pytest.mark.parametrize(
    ("arguments", "asked", "message"),
    [
        (([1, 2], "BLEU"), {}, "metric: a name needs an EvalSet before it, found 'BLEU'"),
        (([1, 2],), {}, "metric: there are no scores"),
        ((), {"metric": [1, 2]}, "data: give an EvalSet or human scores first"),
        (([1, 2], [1, 2]), {"human": "mqm"}, "human: names a score of an EvalSet, but the human scores are an array"),
        (([1, 2], [1, 2]), {"exclude": "refA"}, "exclude: names systems of an EvalSet, but the scores are arrays"),
        (([1, 2], [1, 2, 3]), {}, r"metric: must have the shape of human, \(2,\), found \(3,\)"),
    ],
)
def test_arrays_and_names_do_not_mix(arguments, asked, message):
    with pytest.raises(tk.InputError, match=f"^{message}"):
        tk.correlate(*arguments, **asked)


def test_a_star_is_understood_wherever_a_coefficient_is(data):
    best = tk.calibrate(data, "chrF", "acc_eq*")
    found = tk.correlate(data, "chrF", "acc_eq*")
    assert (found.value, found.epsilon, found.coefficient) == (best.value, best.epsilon, "acc_eq*")
    assert found.value == tk.correlate(data, "chrF", epsilon=best.epsilon).value
    assert f"|coefficient:acc_eq*|grouping:item|epsilon:{best.epsilon}|" in found.signature
    board = tk.leaderboard(data, coefficients=["tau_b", "acc_eq*"], calibrated=())
    assert board.loc["chrF-refA", "acc_eq*"] == best.value
    assert "acc_eq" not in board.columns


def test_a_measure_is_understood_wherever_a_coefficient_is(data):
    for measure in ("global/acc_eq*", "system/tau_b", "No Grouping/tau_b"):
        grouping, _, name = measure.partition("/")
        assert tk.correlate(data, "chrF", measure).value == tk.correlate(data, "chrF", name, grouping=grouping).value
    assert tk.calibrate(data, "chrF", "global/acc_eq*").epsilon == tk.calibrate(data, "chrF", grouping="none").epsilon


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"coefficient": "acc_eq*", "epsilon": 3}, r"epsilon: acc_eq\* finds its own, so it must be 0, found 3.0"),
        (
            {"coefficient": "item/tau_b", "grouping": "global"},
            "grouping: 'global' contradicts the measure 'item/tau_b",
        ),
        ({"coefficient": "pearson*"}, "coefficient: pearson knows no ties of the metric and cannot be calibrated"),
        ({"coefficient": "pearson", "epsilon": 1}, "epsilon: pearson knows no ties of the metric"),
        ({"coefficient": "tau-c2"}, "coefficient: must be one of .*, found 'tau-c2'; did you mean tau_c?"),
        (
            {"coefficient": "x/tau_b"},
            "grouping: must be one of global, item, system, system_means, document, document_means or None, found 'x'",
        ),
        ({"undefined": "common"}, "undefined: must be one of drop, zero, found 'common'"),
        ({"epsilon": -1}, "epsilon: must be"),
        ({"grouping": "item level"}, "grouping: Gao et al. .2024. call item level what is 'system' here"),
    ],
)
def test_contradictions_are_refused_not_ignored(data, asked, message):
    with pytest.raises(tk.InputError, match=f"^{message}"):
        tk.correlate(data, "chrF", **asked)


def test_the_papers_names_of_groupings_are_understood():
    for paper, names in PAPER_NAMES.items():
        for ours, theirs in zip(GROUPINGS, names, strict=True):
            if theirs == "item level":
                with pytest.raises(tk.InputError, match="say 'system' or 'item'"):
                    find_grouping(theirs)
            else:
                assert find_grouping(theirs) == ours, paper
    for name in ("segment", "Segment Level"):
        with pytest.raises(tk.InputError, match="say 'item' or 'global', found"):
            find_grouping(name)
    assert find_grouping("none") == find_grouping("no_grouping") == "global"


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("tau-b", "tau_b"),
        ("Kendall", "tau_b"),
        ("τ_b", "tau_b"),
        ("acc_23", "acc_eq"),
        ("Pearson", "pearson"),
        ("tau 14", "tau_14"),
    ],
)
def test_other_names_of_coefficients_are_understood(theirs, ours):
    assert tk.correlate([1, 2, 2], [1, 3, 2], theirs).coefficient == ours
    assert get_measure(f"{theirs}", "item").coefficient.name == ours


@pytest.mark.parametrize(
    ("name", "words"), [("pearsn", "did you mean pearson"), ("spa", "SYSTEM_LEVEL"), (3, "one of")]
)
def test_the_table_of_coefficients_knows_other_names_and_asks(name, words):
    assert tk.COEFFICIENTS["kendall"] is tk.COEFFICIENTS["tau_b"]
    assert name not in tk.COEFFICIENTS
    with pytest.raises(KeyError, match=words) as error:
        tk.COEFFICIENTS[name]
    assert isinstance(error.value, tk.InputError)


def test_a_matrix_with_far_more_rows_than_columns_is_asked_about():
    human = np.arange(120).reshape(40, 3) % 7
    with pytest.warns(tk.OrientationWarning, match="human: has 40 rows and 3 columns.*transpose all") as caught:
        tk.correlate(human, human)
    assert [warning.filename for warning in caught] == [__file__]
    tk.correlate(human.T, human.T)
    tk.correlate(human[:29], human[:29])


def test_a_set_says_in_ten_lines_what_it_is(data):
    assert repr(data).splitlines() == [
        "EvalSet toy en-de",
        "  systems: 5 (A, B, C, refA, odd)",
        "  left out by default: 2 (refA, odd)",
        "  human scores: 2 (mqm, da)",
        "  metrics: 4 (COMET-22-refA, COMET-20-refA, chrF-refA, MATESE-QE-src)",
        "  segments: 8 of 4 documents",
    ]
    many = tk.EvalSet("big", "", tuple(f"system {i}" for i in range(5000)), ("1",), {}, {})
    assert max(map(len, repr(many).splitlines())) < 130


def test_a_set_where_scores_are_needed_is_named_as_such(data):
    with pytest.raises(tk.InputError, match="human: scores must be numbers, found EvalSet"):
        tk.count_pairs(data, data)
    with pytest.raises(tk.InputError, match="metrics: must be names of metrics of the set, found a mapping"):
        read_metrics(data, {"a": [1]})
    with pytest.raises(tk.InputError, match="metrics: must be a mapping of names to scores, found list"):
        read_metrics([1, 2], [[1, 2]])


def test_what_belongs_to_no_group_can_be_asked_for_by_the_same_call(data):
    chosen = data.select()
    scores = chosen.human["mqm"], chosen.metrics["COMET-22-refA"]
    for name, function in (
        ("pairwise_accuracy", tk.measures.pairwise_accuracy),
        ("spa", tk.measures.soft_pairwise_accuracy),
        ("system level/pdp", None),
        ("item/pdp", tk.measures.pairwise_difference_pearson),
    ):
        if function is None:
            with pytest.raises(tk.InputError, match="grouping: pdp compares translations"):
                tk.correlate(data, "COMET-22", name)
        else:
            found = tk.correlate(data, "COMET-22", name)
            assert (found.value, found.n_groups) == (function(*scores), 1)
    assert tk.correlate(scores[0][0], scores[1][0], "pdp").value == pytest.approx(
        tk.correlate(scores[0][0], scores[1][0], "pearson").value
    )


def test_scores_that_still_hold_the_reference_are_pointed_out(data):
    message = "the scores hold refA, odd, which their set leaves out by default; pass the EvalSet itself"
    with pytest.warns(tk.SelectionWarning, match=message) as caught:
        read_metrics(data.human["mqm"], data.metrics)
    assert caught[0].filename == __file__
    with pytest.warns(tk.SelectionWarning, match=message) as caught:
        tk.correlate(data.human["mqm"], data.metrics["chrF-refA"])
    assert caught[0].filename == __file__
    everybody = data.select(exclude=())
    assert tk.correlate(everybody.human["mqm"], everybody.metrics["chrF-refA"]).scores[0].shape == (5, 8)
    chosen = data.select()
    assert read_metrics(chosen.human["mqm"], chosen.metrics)[1].keys() == data.metrics.keys()
