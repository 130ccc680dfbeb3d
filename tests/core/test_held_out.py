import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from tests.strategies import examples, matrices, vectors


def scores(seed=0, shape=(6, 40)):
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=shape)
    return np.round(quality), quality + rng.normal(scale=0.5, size=shape)


@given(matrices(("few", "tenths")), matrices(("few", "tenths")), st.sampled_from(["global", "item", "system"]))
def test_a_transfer_is_the_correlation_at_the_other_sets_epsilon(one, other, grouping):
    origin = tk.calibrate(*one, grouping=grouping)
    found = tk.transfer(origin, *other)
    if origin.n_pairs:
        assert found.epsilon == origin.epsilon
        expected = tk.correlate(*other, grouping=grouping, epsilon=found.epsilon).value
        assert found.value == pytest.approx(expected, abs=0, nan_ok=True)
    else:
        assert [math.isnan(number) for number in (found.epsilon, found.value, found.loss)] == [True] * 3
    own = tk.calibrate(*other, grouping=grouping)
    assert (found.best.epsilon, found.best.grouping) == (own.epsilon, grouping)
    assert found.best.value == pytest.approx(own.value, abs=0, nan_ok=True)
    assert math.isnan(found.loss) or found.loss >= 0


@given(vectors(families=("few", "tenths")))
def test_a_set_loses_nothing_at_its_own_epsilon(pair):
    found = tk.transfer(tk.calibrate(*pair), *pair)
    assert math.isnan(found.loss) or found.loss == 0


def test_a_transfer_keeps_coefficient_and_difference():
    human, metric = scores()
    one = tk.calibrate(human, np.exp(metric), "tau_eq", difference="relative")
    found = tk.transfer(one, human[:, :20], np.exp(metric[:, :20]))
    assert (found.best.coefficient, found.best.difference) == ("tau_eq", "relative")
    assert found.value == found.best.value_at(one.epsilon)


def test_vectors_do_not_go_with_matrices():
    with pytest.raises(tk.InputError, match="human: the calibration is of vectors, found matrices"):
        tk.transfer(tk.calibrate([1, 2], [1, 2]), [[1, 2]], [[1, 2]])


@pytest.mark.parametrize("grouping", ["global", "item", "system"])
def test_folds_are_whole_documents_and_judged_by_the_others(grouping):
    human, metric = scores()
    documents = [f"d{i // 3}" for i in range(40)]
    found = tk.cross_validate(human, metric, grouping=grouping, folds=4, documents=documents, rng=5)
    assert found.folds["documents"].sum() == len(set(documents))
    assert found.folds["segments"].sum() == 40
    assert found.folds["segments"].max() - found.folds["segments"].min() <= 3
    assert found.in_sample.epsilon == tk.calibrate(human, metric, grouping=grouping).epsilon
    assert found.value == pytest.approx(found.folds["value"].mean())
    assert found.epsilon == np.median(found.folds["epsilon"])
    assert (found.folds["loss"] >= 0).all()
    assert (found.folds["own_value"] - found.folds["value"]).tolist() == pytest.approx(found.folds["loss"].tolist())


def test_a_fold_by_hand():
    """Three documents, three folds, dealt in the order of their names: each is judged by the other two."""
    human, metric = scores(1, (4, 12))
    documents = np.array(list("ccccaaaabbbb"))
    found = tk.cross_validate(human, metric, folds=3, documents=documents.tolist())
    for row, name in zip(found.folds.itertuples(), "abc", strict=True):
        inside = documents == name
        others = tk.calibrate(human[:, ~inside], metric[:, ~inside])
        assert (row.documents, row.segments, row.epsilon) == (1, 4, others.epsilon)
        assert row.value == tk.correlate(human[:, inside], metric[:, inside], epsilon=others.epsilon).value
        assert row.own_epsilon == tk.calibrate(human[:, inside], metric[:, inside]).epsilon


def test_without_documents_every_segment_is_one_and_vectors_have_items():
    human, metric = scores(2, (30,))
    found = tk.cross_validate(human, metric, folds=7)
    assert sorted(found.folds["segments"]) == [4, 4, 4, 4, 4, 5, 5]
    assert found.folds["documents"].tolist() == found.folds["segments"].tolist()
    assert found.in_sample.grouping == "vector"


@given(st.integers(0, 2**32 - 1))
@examples(8)
def test_the_order_of_systems_and_segments_does_not_matter(seed):
    rng = np.random.default_rng(seed)
    human, metric = scores(seed, (4, 15))
    documents = rng.integers(0, 6, 15).astype(str)
    rows, columns = rng.permutation(4), rng.permutation(15)
    for dealer in (None, 3):
        args = {"folds": 2, "documents": documents, "rng": dealer, "grouping": "global"}
        one = tk.cross_validate(human, metric, **args)
        args["documents"] = documents[columns]
        other = tk.cross_validate(human[rows][:, columns], metric[rows][:, columns], **args)
        assert one.folds.equals(other.folds)


def test_a_seed_deals_documents_of_one_size_anew():
    human, metric = scores()
    epsilons = {tuple(tk.cross_validate(human, metric, rng=seed).folds["epsilon"]) for seed in range(4)}
    assert len(epsilons) > 1
    again = [tk.cross_validate(human, metric, rng=2).folds for _ in range(2)]
    assert again[0].equals(again[1])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"folds": 1}, "folds: must be from 2 to the number of documents, 40, found 1"),
        ({"folds": 3, "documents": ["a", "b"] * 20}, "folds: must be from 2 to the number of documents, 2, found 3"),
        ({"documents": ["a"]}, "documents: must have one name for each of the 40 segments, found 1"),
        ({"coefficient": "pearson"}, "coefficient: pearson knows no ties"),
        ({"folds": 2.5}, "folds: must be from 2 to the number of documents, 40, found 2.5"),
        ({"folds": "2"}, "folds: must be from 2 .* found '2'"),
        ({"documents": "ab" * 20}, "documents: must be a sequence of names, one per segment, found 'abab"),
        ({"documents": 5}, "documents: must be a sequence of names, one per segment, found 5"),
        ({"rng": "x"}, "rng: must be a numpy Generator or a seed of at least 0, found 'x'"),
        ({"rng": -1}, "rng: must be a numpy Generator or a seed of at least 0, found -1"),
        ({"difference": None}, "difference: must be one of absolute, relative, found None"),
        ({"grouping": ["item"]}, "grouping: must be one of"),
        ({"coefficient": ["acc_eq"]}, "coefficient: must be a name such as"),
    ],
)
def test_what_cannot_be_cross_validated(arguments, message):
    with pytest.raises(tk.InputError, match=message):
        tk.cross_validate(*scores(), **arguments)


def test_warnings_come_once_and_name_the_caller():
    human, metric = scores()
    with pytest.warns(tk.CalibrationWarning, match="tau_b does not handle ties") as found:
        tk.cross_validate(human, metric, "tau_b")
    assert [warning.filename for warning in found] == [__file__]
    with pytest.warns(tk.CalibrationWarning):
        one = tk.calibrate(human, metric, "tau_b")
    with pytest.warns(tk.CalibrationWarning) as found:
        tk.transfer(one, human, metric)
    assert [warning.filename for warning in found] == [__file__]


def test_progress_of_folds():
    heard = []
    tk.cross_validate(*scores(), folds=4, progress=heard.append)
    assert heard == sorted(heard)
    assert {0.2, 0.4, 0.6, 0.8, 1.0} <= set(heard)


def test_what_is_no_calibration_cannot_be_transferred():
    with pytest.raises(tk.InputError, match=r"calibration: must be what calibrate\(\) returns, found 0.5"):
        tk.transfer(0.5, [1, 2], [1, 2])


def test_an_epsilon_that_was_found_on_nothing_judges_nothing():
    nan = float("nan")
    found = tk.cross_validate(
        [[1, 1, nan, nan], [1, 2, nan, nan]], [[0, 5, 1, 1], [3, 9, 1, 1]], folds=2, documents=list("aabb")
    )
    assert found.folds["epsilon"].isna().tolist() == [True, False]
    assert math.isnan(found.value)  # what is judged by an epsilon has no pair either
    assert found.epsilon == found.folds["epsilon"][1] == found.in_sample.epsilon


def test_rounding_makes_no_loss_negative():
    """At two thresholds the same sum of fractions, in float64 one digit apart: the exact tie costs nothing."""
    rng = np.random.default_rng(27)
    counts = 0
    for _ in range(300):
        human, metric = rng.integers(0, 3, (3, 7)).astype(float), rng.integers(0, 5, (3, 7)).astype(float)
        metric[rng.random((3, 7)) < 0.2] = np.nan
        one = tk.calibrate(human, metric, grouping="system")
        for epsilon in range(5):
            counts += one.value_at(epsilon) > one.value
            assert tk.core.HeldOut(epsilon, one.value_at(epsilon), one, one).loss >= 0
    assert counts  # so the case is among these


def test_signatures_name_both_sets_folds_and_seed():
    human, metric = scores()
    one, other = tk.calibrate(human[:, :20], metric[:, :20]), (human[:, 20:], metric[:, 20:])
    moved = tk.transfer(one, *other)
    assert f"|epsilon:{one.epsilon}|epsilon_of:{one.digest[:12]}|" in moved.signature
    assert f"scores:{moved.best.digest[:12]}|" in moved.signature
    for rng, seed in ((None, "none"), (7, "7"), (np.random.default_rng(7), "generator")):
        found = tk.cross_validate(human, metric, folds=4, rng=rng)
        assert f"|folds:4|documents:40|epsilon:{found.epsilon}|" in found.signature
        assert f"|seed:{seed}|" in found.signature
