"""A first column that only counts the rows never stands for the segments beside a column that names them."""

import io
import re
from itertools import product

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tiekit.errors import collect_warnings

SYSTEMS = ("GPT-4o", "DeepL", "NLLB-3.3B")
SIZE = 40
SCORES = np.round(np.random.default_rng(3).normal(size=(3, SIZE)), 4)
DOCUMENTS = tuple(f"doc{place // 8}" for place in range(SIZE))
IN_DOCUMENT = [place % 8 + 1 for place in range(SIZE)]
ORDERS = {
    "shuffled": np.random.default_rng(5).permutation(SIZE),
    "first at the end": np.roll(np.arange(SIZE), -8),
    "rows missing": np.array([place for place in range(SIZE)[::-1] if place % 7]),
}
NAMES = ("", "X", "rownames", "Unnamed: 0", "...1", "rn")


@pytest.fixture
def data():
    gold = np.round(SCORES + 1)
    return tk.EvalSet("toy", "", SYSTEMS, tuple(map(str, range(1, SIZE + 1))), {"mqm": gold}, {"m": gold}, gold="mqm")


@pytest.mark.parametrize("is_same_for_all", [False, True])
@pytest.mark.parametrize("columns", [("id", "line"), ("line", "id"), ("id", "index")])
def test_lines_in_an_order_of_their_own_do_not_stand_for_the_ids_beside_them(data, columns, is_same_for_all):
    rng, rows = np.random.default_rng(0), []
    for system, scores in zip(SYSTEMS, SCORES, strict=True):
        order = (np.random.default_rng(1) if is_same_for_all else rng).permutation(SIZE)
        rows += [
            {"system": system, "score": score, "id": place + 1, (set(columns) - {"id"}).pop(): other + 1}
            for place, (score, other) in enumerate(zip(scores, order.tolist(), strict=True))
        ]
    table = pd.DataFrame(rows)[["system", columns[0], "score", columns[1]]].sample(frac=1, random_state=2)
    with pytest.warns(tk.RoleWarning, match="'id' for segment=, not '(line|index)', which names the rows otherwise"):
        found = data.with_scores(table, name="x", metrics="score")
    assert found.metrics["x"].tolist() == SCORES.tolist()


@pytest.mark.sampled(7)
@pytest.mark.parametrize("label", ["image_id", "task_id", "stimulus", "meta.sent_id"])
@pytest.mark.parametrize("count", ["id", "example_id", "line", "trial"])
@pytest.mark.parametrize("kind", ["numbers", "texts"])
@pytest.mark.parametrize("form", ["frame", "csv", "rows", "folder"])
def test_two_columns_that_hold_the_segments_and_differ_are_both_told_whatever_their_names(label, count, kind, form):
    names = [str(at + 1) if kind == "numbers" else f"q{at * 37 % 101}x" for at in range(SIZE)]
    known = tk.EvalSet("toy", "", SYSTEMS, tuple(names), {"mqm": SCORES}, {"m": SCORES}, gold="mqm")
    cells = [int(name) for name in names] if kind == "numbers" else names
    rng, parts = np.random.default_rng(0), {}
    for system, scores in zip(SYSTEMS, SCORES, strict=True):
        order, other = rng.permutation(SIZE), rng.permutation(SIZE) if kind == "texts" else np.arange(SIZE)
        columns = {count: [cells[at] for at in other], "system": system, label: [cells[at] for at in order]}
        parts[system] = pd.DataFrame({**columns, "score": scores[order]})
    table = pd.concat(parts.values(), ignore_index=True)
    csv = {f"{name}.csv": part.drop(columns="system").to_csv(index=False).encode() for name, part in parts.items()}
    rows = [{"meta": {"sent_id": row.pop(label)}, **row} if "." in label else row for row in table.to_dict("records")]
    source = {"frame": table, "csv": {"t.csv": table.to_csv(index=False).encode()}, "rows": rows, "folder": csv}[form]
    with collect_warnings() as said:
        try:
            found = known.with_scores(source, name="x", metrics="score")
        except tk.TiekitError as error:  # files in which no column is named like segments, and the like
            said.append((tk.RoleWarning, str(error)))
            found = known
    told = [text for _, text in said if f"'{label}'" in text or f"{count}, {label}" in text]
    is_refused = found is known and count == "trial"  # no column of the two is named like segments
    if not is_refused and (count != "trial" or not np.array_equal(found.metrics["x"], SCORES)):
        assert told
        assert all(count in text for text in told)
        step = re.search(rf"segment='({re.escape(label)})'", " ".join(told))
        assert step or "segment=COLUMN" in told[0] or f"took '{label}' for segment=, not '{count}'" in told[0]
    with collect_warnings():
        right = known.with_scores(source, name="x", metrics="score", segment=label)
    assert right.metrics["x"].tolist() == SCORES.tolist()


def test_columns_that_agree_or_hold_scores_are_not_told(data):
    rows = [
        {"system": system, "id": at + 1, "image_id": at, "item": f"q{at + 1}", "score": score, "BLEU": score * 2}
        for system, scores in zip(SYSTEMS, SCORES.tolist(), strict=True)
        for at, score in enumerate(scores)
    ]
    table = pd.DataFrame(rows).sample(frac=1, random_state=0)
    assert data.with_scores(table, name="x", metrics="score").metrics["x"].tolist() == SCORES.tolist()


def expected(order):
    wanted = np.full(SCORES.shape, np.nan)
    wanted[:, order] = SCORES[:, order]
    return wanted


def files(order, columns, form, label="", start=1):
    """A wide table, or a file for each system, with names of rows as R, pandas and Excel write them."""
    frame = pd.DataFrame({name: np.asarray(cells)[order] for name, cells in columns.items()})
    frame.index += start
    if form == "folder":
        each = zip(SYSTEMS, SCORES[:, order], strict=True)
        return {f"{x}.csv": frame.assign(score=row).to_csv(index_label=label).encode() for x, row in each}
    wide = frame.assign(**dict(zip(SYSTEMS, SCORES[:, order], strict=True)))
    if form == "wide":
        return {"w.csv": wide.to_csv(index_label=label).encode()}
    kept = io.BytesIO()
    wide.to_excel(kept, index_label=label or None)
    return {"w.xlsx": kept.getvalue()}


@pytest.mark.sampled(2)
@pytest.mark.filterwarnings("ignore::tiekit.errors.LeftOutWarning")
@pytest.mark.parametrize(("form", "order"), [*product(("wide", "folder", "xlsx"), ORDERS)])
def test_a_number_names_the_rows_and_their_count_is_left_out(data, form, order):
    rows = ORDERS[order]
    numbers = np.arange(1, SIZE + 1)
    every = [*product(("no", "number", "sent", "Nr", "seg_id"), NAMES[:3], (0, 1))]
    some = slice(None) if form == "wide" else slice([*ORDERS].index(order), None, 5)  # each name, label and start
    for column, label, first in every[some]:
        source = files(rows, {column: numbers - first}, form, label)
        if first and order == "rows missing":
            continue  # whether they count from 0 is asked elsewhere
        chosen = {"metrics": "score"} if form == "folder" and column in ("sent", "Nr") else {}
        added = data.with_scores(source, name="x", **chosen)
        np.testing.assert_array_equal(added.metrics["x"], expected(rows))


@pytest.mark.parametrize("label", NAMES)
def test_all_names_of_row_counts(data, label):
    rows = ORDERS["shuffled"]
    for start in (0, 1):
        source = files(rows, {"no": np.arange(1, SIZE + 1)}, "wide", label, start)
        added = data.with_scores(source, name="x")
        np.testing.assert_array_equal(added.metrics["x"], expected(rows))
        assert "The first column, which counts the rows, was left out." in added.notes
        np.testing.assert_array_equal(data.with_human(source, name="h").human["h"], expected(rows))
    again = data.with_scores(source, name="x", segment="no")
    np.testing.assert_array_equal(again.metrics["x"], expected(rows))


@pytest.mark.parametrize("form", ["wide", "folder", "xlsx"])
def test_numbers_in_documents(data, form):
    known = tk.EvalSet(**{**vars(data), "documents": DOCUMENTS})
    for order, numbers in product(("shuffled", "first at the end"), (IN_DOCUMENT, range(1, SIZE + 1))):
        source = files(ORDERS[order], {"doc_id": DOCUMENTS, "no": numbers}, form)
        np.testing.assert_array_equal(known.with_scores(source, name="x").metrics["x"], expected(ORDERS[order]))


def test_the_step_where_any_of_two_columns_may_be_the_metric(data):
    for label, order in product(("", "X", None), ("shuffled", "first at the end")):
        source = files(ORDERS[order], {"sent": np.arange(1, SIZE + 1)}, "folder", label or "")
        if label is None:
            source = {
                name: pd.read_csv(io.BytesIO(one), index_col=0).to_csv(index=False).encode()
                for name, one in source.items()
            }
        try:
            added = data.with_scores(source, name="x")
        except tk.InputError as error:
            step = re.search(r"pass metrics='(\w+)'", str(error))[1]
            added = data.with_scores(source, name="x", metrics=step)
        np.testing.assert_array_equal(added.metrics["x"], expected(ORDERS[order]))


@pytest.mark.filterwarnings("ignore::tiekit.errors.LeftOutWarning")
def test_two_columns_that_may_name_the_rows_are_asked_about(data):
    rows = ORDERS["shuffled"]
    other = np.random.default_rng(8).permutation(SIZE) + 1
    for label in ("", "X"):
        source = files(rows, {"satz": np.arange(1, SIZE + 1), "trial": other}, "wide", label)
        with pytest.raises(tk.ReadError, match="columns 'satz', 'trial' may each name the rows") as caught:
            data.with_scores(source, name="x")
        step = re.search(r"pass segment='(\w+)' or segment='(\w+)'", str(caught.value))
        added = data.with_scores(source, name="x", segment=step[1])
        np.testing.assert_array_equal(added.metrics["x"], expected(rows))
        assert step[2] == "trial"


@pytest.mark.filterwarnings("ignore::tiekit.errors.LeftOutWarning")
def test_numbers_that_are_none_of_the_set_are_told(data):
    rows = ORDERS["shuffled"]
    for label in ("", "X"):
        source = files(rows, {"code": np.arange(1, SIZE + 1) + 7000}, "wide", label)
        with pytest.warns(tk.RoleWarning, match="counts the rows, not 'code'; pass segment='code'"):
            data.with_scores(source, name="x")


def test_counts_beside_numbers_that_name_nothing_stay_the_names(data):
    rows = np.arange(SIZE)
    words = np.random.default_rng(1).integers(3, 30, SIZE)
    for label in ("", "X"):
        added = data.with_scores(files(rows, {"n_words": words}, "folder", label), name="x", metrics="score")
        np.testing.assert_array_equal(added.metrics["x"], SCORES)


def test_a_named_count_beside_a_number_is_told(data):
    rows = ORDERS["shuffled"]
    for label in ("id", "index", "line"):
        source = files(rows, {"no": np.arange(1, SIZE + 1)}, "wide", label)
        with pytest.warns(tk.RoleWarning, match=f"took '{label}' for segment=, .*not 'no'.*; pass|: pass segment='no'"):
            data.with_scores(source, name="x")
        added = data.with_scores(source, name="x", segment="no")
        np.testing.assert_array_equal(added.metrics["x"], expected(rows))
        data.with_scores(files(np.arange(SIZE), {"no": np.arange(1, SIZE + 1)}, "wide", label), name="x")
