"""A column that is a system of the set holds that system's scores, whatever its name; so does a file named as one."""

import re
from itertools import product

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tiekit.base.errors import collect_warnings

SIZE = 12
SEGMENTS = [f"s{place:02}" for place in range(SIZE)]
ODD = [
    *("human_response", "Human-A.0", "gold", "esa", "expert", "annotator", "reference", "source", "index", "id"),
    *("domain", "doc", "segment", "system", "rank", "std", "score"),
]


def score(row, place):
    return ((7 * place + 3 * row) % 11) / 2 + 0.13 * row


def a_set(*systems):
    rows = [(s, segment, float((place * 5 + row) % 4), score(row, place) + (place % 3) / 5)
            for row, s in enumerate(systems) for place, segment in enumerate(SEGMENTS)]  # fmt: skip
    columns = ["system", "segment", "human", "m"]
    return tk.read(pd.DataFrame(rows, columns=columns), human="human", metrics="m", system="system", segment="segment")


def wide_of(systems):
    return pd.DataFrame({name: [score(row, place) for place in range(SIZE)] for row, name in enumerate(systems)})


def labeled(frame):
    return frame.assign(seg=SEGMENTS)


def indexed(frame):
    return frame.set_axis(SEGMENTS)


def turned(frame):
    return frame.set_axis(SEGMENTS).T


def as_csv(frame):
    return {"x.csv": labeled(frame).to_csv(index=False).encode()}


def with_suffix(frame):
    return labeled(frame.add_suffix("_mine"))


MAKES = labeled, indexed, turned, as_csv, pd.DataFrame


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("odd", "make", "add"),
    [
        *((odd, make, "with_scores") for odd in ODD for make in MAKES),
        *((odd, MAKES[place % len(MAKES)], "with_human") for place, odd in enumerate(ODD)),
    ],
)
def test_a_column_that_is_a_system_is_one_whatever_its_name(odd, make, add):
    systems = ("A-sys", "B-sys", odd, "C-sys")
    frame = wide_of(systems)
    with collect_warnings() as said:
        found = getattr(a_set(*systems), add)(make(frame), name="x")
    matrix = (found.metrics if add == "with_scores" else found.human)["x"]
    assert matrix.T.tolist() == frame.to_numpy().tolist()
    assert not [message for _, message in said if "no scores" in message or "left out" in message]


@pytest.mark.parametrize("add", ["with_scores", "with_human"])
def test_so_is_one_whose_name_is_a_part(add):
    systems = ("A-sys", "B-sys", "human_response", "C-sys")
    found = getattr(a_set(*systems), add)(with_suffix(wide_of(systems)), name="x")
    matrix = (found.metrics if add == "with_scores" else found.human)["x"]
    assert matrix.T.tolist() == wide_of(systems).to_numpy().tolist()


def test_a_column_beside_the_systems_is_none_of_them():
    systems = ("A-sys", "B-sys", "human_response", "C-sys")
    frame = labeled(wide_of(systems)).assign(rank=range(SIZE), source=[f"a text {n}" for n in range(SIZE)])
    with collect_warnings() as said:
        found = a_set(*systems).with_scores(frame, name="x")
    assert found.metrics["x"].T.tolist() == wide_of(systems).to_numpy().tolist()
    assert not said


DRESSES = [
    *("model={}", "{} score", "{} (esa)", "score[{}]", "mine:{}", "{}@comet", "human ({})", "esa|{}"),
    *("System 1: {}", "{} comet22"),
]


@pytest.mark.sampled(7)
@pytest.mark.parametrize("dress", DRESSES)
@pytest.mark.parametrize("make", [labeled, indexed, turned, as_csv])
@pytest.mark.parametrize("add", ["with_scores", "with_human"])
def test_columns_that_hold_a_system_each_are_these_systems(dress, make, add):
    systems = ("gpt-4", "llama-3", "ours", "ours-XL")
    frame = wide_of(systems)
    dressed = make(frame.rename(columns=dress.format))
    with collect_warnings() as said:
        found = getattr(a_set(*systems), add)(dressed, name="x")
    matrix = (found.metrics if add == "with_scores" else found.human)["x"]
    assert matrix.T.tolist() == frame.to_numpy().tolist()
    assert not [message for _, message in said if "systems" in message]


@pytest.mark.parametrize(
    "columns",
    [
        ("gpt-4 beats llama-3", "llama-3 beats gpt-4"),
        ("COMET gpt-4", "chrF llama-3"),
        ("COMET gpt-4", "chrF gpt-4"),
        ("one", "two"),
    ],
)
@pytest.mark.parametrize("name", ["x", None])
def test_columns_of_which_that_is_not_clear_are_of_no_system(columns, name):
    table = labeled(wide_of(columns))
    with pytest.raises(tk.InputError, match=r"are systems, rename them as in the set|rename them: ") as refused:
        a_set("gpt-4", "llama-3", "ours").with_scores(table, name=name)
    assert "metrics=" not in str(refused.value)
    assert 'system="' not in str(refused.value)
    with pytest.raises(tk.InputError, match=r"names the only system of a source, but this one has 2.*leave it out"):
        a_set("gpt-4", "llama-3", "ours").with_scores(labeled(wide_of(["x=gpt-4", "x=ours"])), system="ours")


def test_one_of_several_columns_is_offered_to_no_system():
    table = labeled(wide_of(["one", "two", "three"]))
    with pytest.raises(tk.InputError, match="say whose scores these are: pass system= with that one of these names"):
        a_set("gpt-4", "llama-3", "ours").with_scores(table, metrics="two", name="x")


@pytest.mark.parametrize("with_segments", [True, False])
def test_a_file_of_each_system_with_two_metrics(with_segments):
    systems = ("gpt-4", "llama-3", "ours")
    frame, files = wide_of(systems), {}
    for name in reversed(systems):
        table = pd.DataFrame({"COMET": frame[name], "chrF": 1 - frame[name]})
        table = table.assign(segment=SEGMENTS) if with_segments else table
        files[f"{name}.csv"] = table.to_csv(index=False).encode()
    found = a_set(*systems).with_scores(files)
    assert found.metrics["COMET"].T.tolist() == frame.to_numpy().tolist()
    assert found.metrics["chrF"].round(9).T.tolist() == (1 - frame).round(9).to_numpy().tolist()


def test_the_metric_of_a_file_of_each_system_is_called_as_its_column():
    systems = ("gpt-4", "llama-3", "ours")
    frame = wide_of(systems)
    files = {f"{s}.csv": pd.DataFrame({"segment": SEGMENTS, "COMET": frame[s]}).to_csv(index=False) for s in systems}
    found = a_set(*systems).with_scores({name: text.encode() for name, text in files.items()})
    assert list(found.metrics) == ["m", "COMET"]
    assert found.metrics["COMET"].T.tolist() == frame.to_numpy().tolist()


def test_files_of_unknown_systems_are_not_said_to_be_those_of_one():
    table = pd.DataFrame({"segment": SEGMENTS, "COMET": wide_of("A")["A"], "chrF": wide_of("AB")["B"]})
    files = {name: table.to_csv(index=False).encode() for name in ("u.csv", "v.csv")}
    with pytest.raises(tk.InputError, match="name each file as the system whose scores it holds, or add a column syst"):
        a_set("gpt-4", "llama-3").with_scores(files)
    two = r"if its columns \(COMET, chrF\) are systems, rename them as in the set; if they are metrics of one system, "
    for options in ({}, {"name": "x"}):
        with pytest.raises(tk.InputError, match=two + "write its name into a column system") as refused:
            a_set("gpt-4", "llama-3").with_scores(table, **options)
        assert "system=" not in str(refused.value).partition("; if another column names the systems")[0]
    with pytest.warns(tk.LeftOutWarning, match="no scores of the systems gpt-4"):
        found = a_set("gpt-4", "llama-3").with_scores(table.assign(system="llama-3"))
    assert found.metrics["COMET"][1].tolist() == table["COMET"].tolist()


def test_new_columns_beside_those_of_the_set_are_named():
    data = a_set("A-sys", "B-sys")
    rows = [
        {"system": name, "segment": segment, "m": score(row, place), "mine": score(place, row), "other": place / 7}
        for row, name in enumerate(data.systems)
        for place, segment in enumerate(SEGMENTS)
    ]
    table = pd.DataFrame(rows)
    with pytest.raises(tk.InputError, match=r"the set has m already; pass metrics=\['mine', 'other'\] for the others"):
        data.with_scores(table)
    with pytest.raises(tk.InputError, match="the set has m already; pass metrics='mine' for the others alone"):
        data.with_scores(table.drop(columns="other"))
    with pytest.raises(tk.InputError, match="choose it, such as metrics='mine'"):
        data.with_scores(table[["system", "segment", "mine", "m"]], name="x")
    assert list(data.with_scores(table, metrics=["mine", "other"]).metrics) == ["m", "mine", "other"]


@pytest.mark.parametrize(
    ("names", "likely"),
    [
        ("BLEURT std len", "BLEURT"),
        ("mean std min max", "mean"),
        ("COMET lo hi", "COMET"),
        ("ours bound_of_ours", "ours"),
    ],
)
def test_the_column_to_choose_is_no_spread_or_length(names, likely):
    data = a_set("A-sys", "B-sys")
    rows = [
        {"system": name, "segment": segment, **{one: score(row, place) for one in names.split()}}
        for row, name in enumerate(data.systems)
        for place, segment in enumerate(SEGMENTS)
    ]
    with pytest.raises(tk.InputError, match=f"choose it, such as metrics='{likely}'"):
        data.with_scores(pd.DataFrame(rows), name="x", metrics=names.split())


def test_scores_named_like_those_of_people_are_not_left_out_unsaid():
    """A predictor of opinions calls its scores mos; the order of a test is no metric."""
    data = a_set("A-sys", "B-sys")
    rows = [
        {"system": name, "segment": segment, "mos": score(row, place), "order": row + 2 * place}
        for row, name in enumerate(data.systems)
        for place, segment in enumerate(SEGMENTS)
    ]
    words = "took 'order' for the metric and left out mos, named like human scores; pass metrics='mos' if that is the"
    with pytest.warns(tk.RoleWarning, match=words):
        data.with_scores(pd.DataFrame(rows), name="x")
    more = data.with_scores(pd.DataFrame(rows), name="x", metrics="mos")
    assert more.metrics["x"][1, 2] == score(1, 2)
    assert data.with_scores(pd.DataFrame(rows), name="order").metrics["order"][1, 2] == 5


def test_notes_do_not_contradict_one_another():
    systems = ("A-sys", "B-sys", "C-sys")
    notes = a_set(*systems).with_scores(labeled(wide_of(systems)), name="x").notes
    assert any("Its columns are systems" in note for note in notes)
    assert not any("No column names systems" in note for note in notes)


@pytest.mark.parametrize("sign", "#_:/.-")
def test_labels_that_join_a_document_and_a_number_in_it(sign):
    systems, places = ("A-sys", "B-sys"), [("d1", 1), ("d1", 2), ("d2", 1), ("d2", 2), ("d2", 3)]
    rows = [
        {"system": name, "doc": doc, "seg": f"{at}", "id": f"{doc}{sign}{number}", "h": at % 3, "m": at * row + at / 3}
        for row, name in enumerate(systems)
        for at, (doc, number) in enumerate(places, start=1)
    ]
    table = pd.DataFrame(rows)
    data = tk.read(table[["system", "doc", "seg", "h", "m"]], human="h", metrics="m")
    for seed in range(3):
        order = table.sample(frac=1, random_state=seed)[["system", "id", "m"]]
        assert data.with_scores(order, name="x").metrics["x"].tolist() == data.metrics["m"].tolist()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("column", ["no", "n", "seg_id", "segment"])
@pytest.mark.parametrize("start", [0, 1])
def test_numbers_within_documents_name_the_rows_of_a_table_without_a_column_of_systems(column, start):
    data = tk.load("wmt23", "en-de")
    name = "BLEURT-20-refA"
    scores, documents = data.metrics[name], pd.Series(data.documents)
    table = pd.DataFrame(scores.T, columns=list(data.systems))
    table.insert(0, column, documents.groupby(documents).cumcount() + start)
    table.insert(0, "doc_id", documents)
    shuffled = table.sample(frac=1, random_state=1)
    for rows in [shuffled] if column.startswith("seg") else [shuffled, shuffled.drop(index=[3, 40, 300])]:
        with collect_warnings():
            found = data.with_scores(rows, name="x").metrics["x"], data.with_human(rows, name="x").human["x"]
        there = np.isin(np.arange(scores.shape[1]), rows.index)
        for one in found:
            np.testing.assert_array_equal(one, np.where(there, scores, np.nan))


def numbered_rows(data, scores, column, start):
    """A wide table with the scores of a set, its documents and the number of each segment in them."""
    documents = pd.Series(data.documents)
    table = pd.DataFrame(scores.T, columns=list(data.systems))
    table.insert(0, column, documents.groupby(documents).cumcount() + start)
    table.insert(0, "doc_id", documents)
    return table


def as_long(table):
    return table.melt([*table.columns[:2]], var_name="system", value_name="score")


def as_files(table):
    parts = {name: table[[*table.columns[:2], name]].set_axis(["doc_id", "no", "score"], axis=1) for name in table}
    return {f"{name}.csv": parts[name].to_csv(index=False).encode() for name in [*table.columns[2:]]}


def own_documents(first):
    """A set whose labels are numbers within documents, from 0 or from 1."""
    sizes = [5, 3, 9, 4, 7, 6]
    rows = [
        {
            "system": s,
            "doc": f"doc{'abcdef'[d]}.{37 * d}",
            "segment": at + first,
            "h": at % 4 + d % 2,
            "m": score(r, at * d),
        }
        for r, s in enumerate(["A-sys", "B-sys", "C-sys"])
        for d, size in enumerate(sizes)
        for at in range(size)
    ]
    return tk.read(pd.DataFrame(rows), human="h", metrics="m", system="system", segment="segment", document="doc")


@pytest.mark.parametrize(
    ("which", "make", "column", "start"),
    [  # every run has all of them on small sets, and each value on the large one
        pytest.param(which, make, column, start, marks=[pytest.mark.campaign] * (which == "wmt23" and place % 5 > 0))
        for which in ("wmt23", "from 0", "from 1")
        for place, (make, column, start) in enumerate(
            product((pd.DataFrame, as_long, as_files), ("no", "seg_id"), (0, 1))
        )
    ],
)
def test_rows_with_numbers_within_documents_stay_though_others_of_the_document_are_missing(which, make, column, start):
    data = tk.load("wmt23", "en-de") if which == "wmt23" else own_documents(int(which[-1]))
    scores = np.arange(len(data.systems) * len(data.segments), dtype=float).reshape(len(data.systems), -1) % 97 / 7
    table = numbered_rows(data, scores, column, start)
    kept = np.random.default_rng(5).random(len(table)) > 0.06
    with collect_warnings() as said:
        rows = table[kept].sample(frac=1, random_state=2).reset_index(drop=True)
        found = data.with_scores(make(rows), name="x").metrics["x"]
    np.testing.assert_array_equal(found, np.where(kept, scores, np.nan))
    assert not any("the set does not have" in message for _, message in said)


@pytest.mark.parametrize("start", [0, 1])
def test_numbers_that_count_from_0_or_from_1_are_asked_about_and_the_step_tells_them(start):
    data = tk.load("wmt23", "en-de")
    scores = np.arange(len(data.systems) * len(data.segments), dtype=float).reshape(len(data.systems), -1) % 97 / 7
    table = numbered_rows(data, scores, "seg_id", start)
    size = table.groupby("doc_id")["seg_id"].transform("size")
    kept = (table["seg_id"] > 0) & (table["seg_id"] < size)  # without the last, or the first, of each document
    with pytest.raises(tk.InputError, match="from 0 or from 1: no document has its 0 or its last one") as refused:
        data.with_scores(table[kept], name="x")
    step = re.search(
        r"if from 0, add a row 0 without a score to (\S+), and if from 1, a row (\d+)$", str(refused.value)
    )
    row = {"doc_id": step[1], "seg_id": int(step[2]) if start else 0}
    with collect_warnings():
        found = data.with_scores(pd.concat([table[kept], pd.DataFrame([row])]), name="x").metrics["x"]
    np.testing.assert_array_equal(found, np.where(kept, scores, np.nan))
