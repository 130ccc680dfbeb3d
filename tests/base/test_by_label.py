"""Series and frames are compared by label: the order of their rows does not matter, other labels are refused."""

from operator import attrgetter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk

HUMAN = pd.Series([1.0, 2, 2, 3, 5, 4, 6, 7], index=list("abcdefgh"), name="human")
METRIC = pd.Series([1.0, 3, 2, 2, 6, 5, 5, 9], index=list("abcdefgh"), name="metric")
EXPECTED = tk.correlate(HUMAN.to_numpy(), METRIC.to_numpy(), "tau_b").value


def test_rows_in_another_order_were_another_number():
    """So the tests below would fail if labels were ignored."""
    assert tk.correlate(HUMAN.to_numpy(), METRIC[::-1].to_numpy(), "tau_b").value != EXPECTED


@given(st.permutations(range(8)))
def test_the_order_of_the_rows_does_not_matter(order):
    shuffled = METRIC.iloc[order]
    assert tk.correlate(HUMAN, shuffled, "tau_b").value == EXPECTED
    assert tk.correlate(human=HUMAN, metric=shuffled, coefficient="tau_b").value == EXPECTED
    assert tk.count_pairs(HUMAN, shuffled) == tk.count_pairs(HUMAN, METRIC)
    numbered = METRIC.reset_index(drop=True).iloc[order]
    assert tk.correlate(HUMAN.reset_index(drop=True), numbered, "tau_b").value == EXPECTED


ROWS, COLUMNS = list("ABC"), ["s1", "s2", "s3", "s4"]
MATRIX = pd.DataFrame([[1.0, 2, 3, 3], [3, 2, 2, 1], [2, 2, 4, 5]], index=ROWS, columns=COLUMNS)
OTHER = pd.DataFrame([[1.0, 3, 3, 2], [4, 2, 1, 1], [2, 3, 4, 4]], index=ROWS, columns=COLUMNS)
MIXED = OTHER.loc[["B", "C", "A"], ["s4", "s1", "s3", "s2"]]


def values_of(human, metrics, measure):
    """The coefficient of each metric, as a comparison of all metrics finds it."""
    return attrgetter("values")(tk.significance.compare_metrics(human, metrics, measure, n_resamples=9)).to_dict()


CALLS = {
    "correlate": lambda h, m: tk.correlate(h, m, "tau_b").value,
    "calibrate": lambda h, m: tk.calibrate(h, m, grouping="global").value,
    "transfer": lambda h, m: tk.transfer(tk.calibrate([[1, 2], [2, 3]], [[1, 2], [3, 4]]), h, m).value,
    "correlate_untied": lambda h, m: tk.correlate_untied(h, m).tolist(),
    "bucket_curve": lambda h, m: tk.bucket_curve(h, m, [2, 3]).to_dict(),
    "count_ties": lambda h, m: tk.count_ties(h, where=m.where(m < 4)),
    "granularity": lambda h, m: tk.measures.granularity(h, m, [2, 4], "item/tau_b").to_dict(),
    "evaluate_measures": lambda h, m: tk.measures.evaluate_measures(h, {"m": m}, "item/tau_b").to_dict(),
    "compare_metrics": lambda h, m: values_of(h, {"m": m, "h": h}, "item/tau_b"),
    "permutation_test": lambda h, m: tk.significance.permutation_test(h, m, h, "tau_b", n_resamples=9).difference,
    "bootstrap_interval": lambda h, m: tk.significance.bootstrap_interval(h, m, "tau_b", n_resamples=9).value,
    "metric_correlations": lambda h, m: tk.sentinels.metric_correlations({"h": h, "m": m}).to_dict(),
    "soft_pairwise_accuracy": lambda h, m: tk.measures.soft_pairwise_accuracy(h, m),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_frames_are_compared_by_rows_and_columns(call):
    expected = call(MATRIX, OTHER)
    assert call(MATRIX, MIXED) == expected
    assert call(MATRIX, OTHER.set_axis(MIXED.index).set_axis(MIXED.columns, axis=1)) != expected


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_other_labels_are_refused(call):
    with pytest.raises(tk.InputError, match=r"must have the row labels of .* has 'C' and only .* has 'D'"):
        call(MATRIX, OTHER.rename(index={"C": "D"}))


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        (
            METRIC.rename({"h": "z"}),
            "metric: must have the labels of human, but only human has 'h' and only metric has 'z'",
        ),
        (METRIC[:3], r"only human has 'd', .* 2 more; give both .* by metric\.reindex with those of human, or, if"),
        (
            METRIC.reset_index(drop=True),
            r"only human has 'a', .* and only metric has 0, 1, 2 and 5 more; .*to_numpy\(\)",
        ),
        (METRIC.rename({"h": "a"}), "in metric 'a' occurs more than once"),
    ],
)
def test_the_message_names_the_labels_that_differ(metric, message):
    with pytest.raises(tk.InputError, match=message):
        tk.count_pairs(HUMAN, metric)


def test_the_same_labels_in_the_same_order_may_repeat():
    labels = list("aabbccdd")
    pair = HUMAN.set_axis(labels), METRIC.set_axis(labels)
    assert tk.correlate(*pair, "tau_b").value == EXPECTED
    with pytest.raises(tk.InputError, match="in human 'a', 'b', 'c' and 1 more occurs more than once"):
        tk.correlate(pair[0], pair[1][::-1], "tau_b")


def test_arrays_have_no_labels():
    assert tk.correlate(HUMAN, METRIC.to_numpy(), "tau_b").value == EXPECTED
    assert tk.correlate(HUMAN.tolist(), METRIC, "tau_b").value == EXPECTED
    with pytest.raises(tk.InputError, match=r"metric: must have the shape of human, \(8,\), found \(3,\)"):
        tk.correlate(HUMAN.reset_index(drop=True), METRIC.reset_index(drop=True)[:3], "tau_b")


def test_a_list_of_series_is_a_matrix():
    rows = [MATRIX.loc[name] for name in ROWS]
    mixed = [OTHER.loc[name][::-1] if name == "B" else OTHER.loc[name] for name in ROWS]
    found = tk.correlate(rows, mixed, "tau_b").value
    assert found == tk.correlate(MATRIX.to_numpy(), OTHER.to_numpy(), "tau_b").value
    with pytest.raises(tk.InputError, match=r"metric\[1\]: must have the labels of metric\[0\], .*'s9'"):
        tk.correlate(rows, [rows[0], rows[1].rename({"s1": "s9"}), rows[2]])
    with pytest.raises(tk.InputError, match="rows must have one length"):
        tk.correlate([pd.Series([1, 2]), pd.Series([1])], [[1, 2], [3, 4]])


def test_columns_of_a_frame_are_metrics():
    frame = pd.DataFrame({"a": METRIC, "b": -HUMAN}).iloc[::-1]
    found = values_of(HUMAN, frame, "tau_b")
    arrays = {"a": METRIC.to_numpy(), "b": -HUMAN.to_numpy()}
    assert found == values_of(HUMAN.to_numpy(), arrays, "tau_b")
    with pytest.raises(tk.InputError, match="metrics: every name must occur once, 'a' occurs twice"):
        tk.significance.compare_metrics(HUMAN, frame.set_axis(["a", "a"], axis=1), "tau_b")


def test_documents_are_matched_with_the_segments():
    documents = pd.Series(list("xxyyzzww"), index=HUMAN.index)
    asked = {"grouping": None, "folds": 2}
    expected = tk.cross_validate(HUMAN, METRIC, documents=documents.tolist(), **asked).folds
    assert tk.cross_validate(HUMAN, METRIC, documents=documents[::-1], **asked).folds.equals(expected)
    assert tk.cross_validate(human=HUMAN, metric=METRIC, documents=documents[::-1], **asked).folds.equals(expected)
    columns = pd.Series(list("xxyy"), index=COLUMNS)
    found = tk.cross_validate(MATRIX, OTHER, documents=columns[["s3", "s1", "s4", "s2"]], folds=2).folds
    assert found.equals(tk.cross_validate(MATRIX, OTHER, documents=list("xxyy"), folds=2).folds)
    with pytest.raises(tk.InputError, match="documents: must have the labels of human, but only human has 'a'"):
        tk.cross_validate(HUMAN, METRIC, documents=documents.rename({"a": "q"}), **asked)


def test_missing_scores_of_nullable_columns():
    human = pd.Series([1, 2, None, 4], dtype="Int64", index=list("abcd"))
    assert tk.count_pairs(human, pd.Series([4.0, 3, 2, 1], index=list("dcba"))).n_missing == 1


def test_groups_in_common_are_matched():
    found = {"a": pd.Series([0.5, np.nan], index=["x", "y"]), "b": pd.Series([np.nan, 1.0], index=["y", "x"])}
    assert tk.groups_in_common(found).tolist() == [True, False]


# Frames whose rows are segments

NUMBERS = np.random.default_rng(5).integers(0, 9, (2, 3, 7)) * 1.0
SYSTEMS = ["gpt", "ours", "base"]
LABELS = {"from 1": list(range(1, 8)), "q": [f"q{number:02d}" for number in range(7)], "odd": [9, 4, 7, 1, 30, 2, 5]}


def by_segment(labels, name):
    return [pd.DataFrame(one.T, index=labels, columns=SYSTEMS).rename_axis(name) for one in NUMBERS]


@pytest.mark.sampled(7)
@pytest.mark.parametrize("labels", LABELS.values(), ids=LABELS)
@pytest.mark.parametrize(
    "name", ["segment", "item", "seg_id", "id", "idx", "index", "line", "question", "prompt_id", "doc"]
)
def test_a_frame_whose_rows_are_named_and_numbered_as_segments_is_turned(name, labels):
    human, metric = by_segment(labels, name)
    data = tk.EvalSet.from_arrays(human, {"m": metric})
    assert (data.systems, data.segments) == (tuple(SYSTEMS), tuple(map(str, labels)))
    assert tk.correlate(human, metric, "tau_b").value == tk.correlate(*NUMBERS, "tau_b").value
    np.testing.assert_array_equal(data.with_metric("x", metric).metrics["x"], NUMBERS[1])


def test_rows_that_are_systems_by_their_numbers_stay():
    human, metric = (one.T.rename_axis("id") for one in by_segment(LABELS["q"], None))
    assert tk.EvalSet.from_arrays(human, {"m": metric}).systems == tuple(SYSTEMS)


@pytest.mark.parametrize("labels", [*LABELS.values(), None], ids=[*LABELS, "none"])
def test_numbered_rows_beside_names_of_columns_are_asked_about_in_any_number(labels):
    human, metric = (one.iloc[:2] for one in by_segment(labels, None))
    with pytest.warns(tk.OrientationWarning, match=r"transpose all matrices \(\.T\)"):
        tk.correlate(human, metric, "tau_b")


def test_rows_named_id_that_may_be_either_are_refused_with_two_steps():
    human, metric = by_segment(list("uvwxyzä"), "id")
    with pytest.raises(tk.InputError, match=r"'id', which may be systems or segments") as found:
        tk.correlate(human, metric, "tau_b")
    for name, turn in (("system", False), ("segment", True)):
        step = f"frame.rename_axis({name!r})"
        assert step in str(found.value)
        data = tk.EvalSet.from_arrays(eval(step, {"frame": human}), {"m": eval(step, {"frame": metric})})
        assert data.systems == (tuple(SYSTEMS) if turn else tuple("uvwxyzä"))


@pytest.mark.parametrize("name", ["id", "item", "question", "doc_id", "Segment"])
def test_a_column_of_numbers_that_is_named_like_labels_is_no_segment(name):
    human, metric = by_segment(LABELS["odd"], name)
    with pytest.raises(tk.InputError, match="named like labels") as found:
        tk.correlate(human.reset_index(), metric.reset_index(), "tau_b")
    step = str(found.value).rpartition("each frame, ")[2]
    frames = [eval(step, {"frame": one.reset_index()}) for one in (human, metric)]
    assert tk.correlate(*frames, "tau_b").value == tk.correlate(*NUMBERS, "tau_b").value
