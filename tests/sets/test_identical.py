"""Which outputs are the same text: made of outputs, read, written, selected, and asked for."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tiekit.errors import InputError, ReadError

HUMAN, METRIC = [[1, 0, 2], [1, 3, 2], [2, 1, 2]], [[0.5, 0.1, 0.2], [0.4, 0.3, 0.1], [0.6, 0.2, 0.3]]
OUTPUTS = {"A": ("x", "é", ""), "B": ("x", "e\u0301", ""), "C": ("y", "é ", "z")}
LABELS = [[0, 0, -1], [0, 1, -1], [1, 2, 0]]


def toy(**more):
    how = {"outputs": OUTPUTS, "gold": "mqm"} | more
    return tk.EvalSet("toy", "en-de", ("A", "B", "C"), ("1", "2", "3"), {"mqm": HUMAN}, {"m": METRIC}, **how)


def test_texts_are_compared_character_by_character_and_no_text_is_none():
    data = toy()
    assert data.identical.tolist() == LABELS
    assert not data.identical.flags.writeable
    assert toy(outputs={"A": OUTPUTS["A"]}).identical.tolist() == [[0, 0, -1], [-1] * 3, [-1] * 3]
    assert toy(outputs={}).identical is None


def test_a_selection_keeps_its_labels():
    chosen = toy().select(exclude="A", segments=["2", "3"])
    assert chosen.identical.tolist() == [[1, -1], [2, 0]]
    assert replace(chosen, outputs={}).identical.tolist() == [[1, -1], [2, 0]]


@pytest.mark.parametrize("labels", [[[0, 1]], np.zeros((3, 3))])
def test_labels_are_whole_numbers_of_the_shape(labels):
    with pytest.raises(InputError, match="identical: "):
        toy(identical=labels)


def test_labels_are_written_and_read_where_there_are_no_texts(tmp_path):
    tk.write_mtme(replace(toy(), outputs={}), tmp_path)
    table = tmp_path / "toy" / "identical" / "en-de.tsv"
    assert table.read_text() == "A\tB\tC\n0\t0\t1\n0\t1\t2\n-1\t-1\t0\n"
    found = tk.read_mtme(tmp_path, "toy", "en-de")
    assert found.identical.tolist() == LABELS
    table.write_text("C\tA\n1\t0\n2\t0\n0\t-1\n")
    partly = tk.read_mtme(tmp_path, "toy", "en-de")
    assert partly.identical.tolist() == [LABELS[0], [-1] * 3, LABELS[2]]
    assert partly.digest == found.digest
    table.unlink()
    assert tk.read_mtme(tmp_path, "toy", "en-de").identical is None


def test_texts_count_more_than_labels(tmp_path):
    tk.write_mtme(toy(), tmp_path)
    assert not (tmp_path / "toy" / "identical").exists()
    (tmp_path / "toy" / "identical").mkdir()
    (tmp_path / "toy" / "identical" / "en-de.tsv").write_text("A\tB\tC\n" + "0\t0\t0\n" * 3)
    assert tk.read_mtme(tmp_path, "toy", "en-de").identical.tolist() == LABELS


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("A\tD\n0\t0\n0\t0\n0\t0\n", "found the column 'D'; expected the systems A, B, C, each once"),
        ("A\tA\n0\t0\n0\t0\n0\t0\n", "found the column 'A'"),
        ("A\tB\n0\n0\t0\n0\t0\n", "found 1 cells, expected 2"),
        ("A\tB\n0\tx\n0\t0\n0\t0\n", "'x' is no number of a text"),
        ("A\tB\n0\t0\n", "found 1 segments, expected 3"),
    ],
)
def test_a_table_that_breaks_a_rule_is_refused(tmp_path, content, said):
    tk.write_mtme(replace(toy(), outputs={}), tmp_path)
    (tmp_path / "toy" / "identical" / "en-de.tsv").write_text(content)
    with pytest.raises(ReadError, match=said):
        tk.read_mtme(tmp_path, "toy", "en-de")


def test_sets_and_arrays_tie_the_same_pairs():
    data, options = toy(), {"exclude": ()}
    for name in ("acc_eq", "tau_b", "acc_eq*"):
        ours = tk.correlate(data, "m", name, tie_identical=True, **options)
        assert ours.value == tk.correlate(HUMAN, METRIC, name, tie_identical=LABELS).value
        assert ours.value != tk.correlate(data, "m", name, **options).value or name == "tau_b"
    board = tk.leaderboard(data, tie_identical=True, **options)
    assert board.loc["m", "acc_eq*"] == tk.calibrate(data, "m", tie_identical=True, **options).value
    assert board.loc["m", "tau_b"] == tk.correlate(data, "m", "tau_b", tie_identical=True, **options).value
    assert "pearson" not in board
    ties = [tk.count_ties(data, metric="m", tie_identical=asked, **options).n_tied for asked in (False, True)]
    assert ties == [0, 1]
    labels = tk.correlate(data, "m", "acc_eq", tie_identical=True, **options).identical
    assert f"|identical:{labels[:12]}|" in board.attrs["signatures"]["acc_eq"]["m"]
    assert "identical" not in tk.leaderboard(data, **options).attrs["signatures"]["acc_eq"]["m"]


def test_the_human_score_ties_the_same_pairs_too():
    human = [[3, *HUMAN[0][1:]], *HUMAN[1:]]
    data, both = replace(toy(), human={"mqm": human}), {"tie_identical": True, "tie_human": True}
    board = tk.leaderboard(data, exclude=(), **both)
    for function, name, column in ((tk.correlate, "acc_eq", "acc_eq"), (tk.calibrate, "acc_eq", "acc_eq*")):
        ours = function(data, "m", name, exclude=(), **both)
        assert ours.value == function(human, METRIC, name, tie_identical=LABELS, tie_human=True).value
        assert ours.value == board.loc["m", column] != function(human, METRIC, name, tie_identical=LABELS).value
        assert "|tie_human:True" in board.attrs["signatures"][column]["m"]
        assert "|tie_human:True" in ours.signature


def test_frames_are_matched_by_label():
    human, metric, labels = (pd.DataFrame(one, list("ABC"), list("xyz")) for one in (HUMAN, METRIC, LABELS))
    one = tk.correlate(human, metric, "acc_eq", tie_identical=labels.loc[["B", "C", "A"], ["z", "x", "y"]])
    assert one.value == tk.correlate(HUMAN, METRIC, "acc_eq", tie_identical=LABELS).value
    assert one.value == tk.correlate(human=HUMAN, metric=METRIC, coefficient="acc_eq", tie_identical=LABELS).value


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: tk.correlate(toy(outputs={}), "m", tie_identical=True), "the set toy has neither outputs nor labels"),
        (lambda: tk.calibrate(toy(outputs={}), "m", tie_identical=True), "the set toy has neither outputs nor labels"),
        (lambda: tk.leaderboard(toy(outputs={}), tie_identical=True), "the set toy has neither outputs nor labels"),
        (lambda: tk.count_ties(toy(outputs={}), tie_identical=True), "the set toy has neither outputs nor labels"),
        (lambda: tk.leaderboard(toy(), tie_human=True), "tie_human: the human score ties texts that the metric ties"),
        (lambda: tk.correlate(toy(), "m", tie_identical=LABELS), "tie_identical: must be True or False"),
        (lambda: tk.correlate(HUMAN, METRIC, tie_identical=True), "tie_identical: of arrays it must be labels"),
        (lambda: tk.correlate(HUMAN, METRIC, tie_identical=[[1]]), "identical: expected the shape"),
        (lambda: tk.leaderboard(toy(), tie_identical=True, coefficients=["pearson"]), "pearson knows no ties"),
        (lambda: tk.leaderboard(toy(), tie_identical=True, coefficients=["spa"]), "spa knows no ties"),
        (lambda: tk.leaderboard(toy(), tie_identical=True, grouping="system_means"), "system_means compares means"),
    ],
)
def test_what_cannot_be_tied_is_refused(call, said):
    with pytest.raises(InputError, match=said):
        call()
