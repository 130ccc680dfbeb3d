"""Tables as frames, lists of dicts, JSON and texts with other delimiters: all give what the table as CSV gives."""

import io
import json
import warnings
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from tests.readers.refusals import refusals
from tiekit.readers import preview_table, read_table

CSV = """system,segment,doc,human,BLEU,chrF
A,1,d1,-1,30.5,50
B,1,d1,0,,25
A,2,d2,-5,NA,40
"""
FRAME = pd.read_csv(io.StringIO(CSV))
EXPECTED = read_table({"t.csv": CSV.encode()})


def same(found, expected=EXPECTED):
    """Two sets have the same scores under the same names."""
    for key in ("systems", "segments", "documents", "domains", "gold"):
        assert getattr(found, key) == getattr(expected, key), key
    for kind in ("human", "metrics"):
        ours, theirs = getattr(found, kind), getattr(expected, kind)
        assert list(ours) == list(theirs)
        for name in ours:
            np.testing.assert_array_equal(ours[name], theirs[name])
    return True


def rows(frame=FRAME):
    """The rows of a frame as dicts, without what is missing."""
    return [{key: value for key, value in row.items() if not pd.isna(value)} for row in frame.to_dict("records")]


R_ROWS = [f'"{row}" {" ".join(cells)}' for row, cells in enumerate(FRAME.map(json.dumps).to_numpy(), 1)]
R_TABLE = "\n".join([" ".join(map('"{}"'.format, FRAME)), *R_ROWS]).replace("NaN", "NA")
SOURCES = {
    "frame": FRAME,
    "text labels": FRAME.astype({"segment": str}),
    "labels with gaps": FRAME.astype({"segment": float}),
    "nullable": FRAME.convert_dtypes(),
    "other rows' names": FRAME.set_axis([7, 3, 5]),
    "index": FRAME.set_index(["system", "segment"]),
    "dicts": rows(),
    "JSON lines": {"t.jsonl": "\n".join(map(json.dumps, rows())).encode()},
    "JSON lines with nulls": {"t.jsonl": FRAME.to_json(orient="records", lines=True).encode()},
    "JSON": {"t.json": json.dumps(rows(), indent=1).encode()},
    "NaN in JSON": {"t.json": json.dumps(FRAME.to_dict("records")).encode()},
    "tabs": {"t.tsv": CSV.replace(",", "\t").encode()},
    "semicolons": {"t.csv": CSV.replace(",", ";").replace("30.5", "30,5").encode()},
    "blanks": {"t.txt": CSV.replace(",,", ",nan,").replace(",", "  ").encode()},
    "from pandas": {"t.csv": FRAME.to_csv().encode()},
    "UTF-16": {"t.txt": CSV.replace(",", "\t").encode("utf-16")},
    "write.table of R": {"t.txt": R_TABLE.encode()},
    "write.table of R with commas": {"t.csv": R_TABLE.replace(" ", ",").encode()},
    "quoted": {"t.tsv": b'"' + CSV.replace(",", '"\t"').replace("\n", '"\n"').encode()[:-1]},
}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_all_forms_of_a_table_are_one(source):
    assert same(read_table(source))
    assert preview_table(source).human == ("human",)


def test_what_pivot_leaves():
    wide = FRAME.drop(columns="doc").pivot(index="segment", columns="system")  # noqa: PD010
    expected = read_table(FRAME.drop(columns="doc"))
    found = read_table(wide)
    for name in ("BLEU", "chrF"):
        for system in "AB":
            row, other = expected.systems.index(system), found.systems.index(system)
            np.testing.assert_array_equal(expected.metrics[name][row], found.metrics[name][other])
    with pytest.raises(tk.InputError, match=r"two levels must be .* found levels \[None, 'x'\]"):
        read_table(wide.rename_axis(columns=[None, "x"]))


def test_ordered_categories_are_numbers():
    frame = FRAME.assign(human=pd.Categorical(["good", "bad", None], ["bad", "good"], ordered=True))
    data = read_table(frame)
    np.testing.assert_array_equal(data.human["human"], [[1, np.nan], [0, np.nan]])
    assert "The ordered labels of 'human' are, as scores, numbers from 0: bad < good." in data.notes
    systems = read_table(FRAME.astype({"system": pd.CategoricalDtype(["B", "A"], ordered=True)}))
    assert same(systems)
    for order in ([30.5, 20, 40], ["40", "30.5", "20"]):
        numbers = pd.Categorical([order[at] for at in (0, 1, 0)], order, ordered=True)
        assert same(read_table(FRAME.assign(BLEU=numbers)), read_table(FRAME.assign(BLEU=numbers.astype(float))))
    with pytest.raises(tk.ReadError, match=r"column 'human' holds labels|'good' in column 'human' is not a score"):
        read_table(frame.astype({"human": object}))


@pytest.mark.parametrize("source", [pd.DataFrame, lambda frame: frame.to_dict("records")], ids=["frame", "dicts"])
def test_truth_values_are_no_numbers_beside_numbers(source):
    frame = pd.DataFrame({"system": list("AAA"), "segment": [1, 2, 3], "human": [1, 2, 3]})
    for cells in ([True, None, False], [np.True_, np.nan, False]):
        found = read_table(source(frame.assign(BLEU=pd.Series(cells, dtype=object)))).metrics["BLEU"]
        np.testing.assert_array_equal(found, [[1, np.nan, 0]])
    with pytest.raises(tk.ReadError, match="line 2: 'False' in column 'BLEU' is not a score"):
        read_table(source(frame.assign(BLEU=pd.Series([0.5, False, 0.25], dtype=object))))


def test_days_are_labels_as_they_are_written():
    days, frame = pd.to_datetime(["2024-01-19", "2024-01-19", "2024-01-20"]), FRAME.drop(columns="doc")
    assert read_table(frame.assign(segment=days)).segments == ("2024-01-19", "2024-01-20")
    hours = read_table(frame.assign(segment=days + pd.Timedelta(hours=6)))
    assert hours.segments == ("2024-01-19 06:00:00", "2024-01-20 06:00:00")


LABELED = b"item,system,human,judge\n1,A,good,good\n1,B,bad,good\n2,A,good,\n2,B,bad,bad\n"


def test_labels_become_numbers():
    data = read_table({"t.csv": LABELED}, labels={"bad": 0, "good": 1})
    np.testing.assert_array_equal(data.human["human"], [[1, 1], [0, 0]])
    np.testing.assert_array_equal(data.metrics["judge"], [[1, np.nan], [1, 0]])
    data = read_table({"t.csv": LABELED}, labels={"human": {"bad": -2, "good": 2}, "judge": {"bad": 0, "good": 1}})
    np.testing.assert_array_equal(data.human["human"], [[2, 2], [-2, -2]])
    message = r"line 2: column 'human' holds labels, not numbers; .*: labels=\{'good': …, 'bad': …\}"
    with pytest.raises(tk.ReadError, match=message):
        read_table({"t.csv": LABELED})
    for labels in ({"bad": "x"}, {"bad": True}, {"bad": float("nan")}, ["bad"], {}):
        with pytest.raises(tk.InputError, match="labels: must"):
            read_table({"t.csv": LABELED}, labels=labels)
    with pytest.raises(tk.InputError, match="labels: there is no column 'humans'; did you mean human"):
        read_table({"t.csv": LABELED}, labels={"humans": {"bad": 0}})


ITEMS = {
    b"id,human,judge\nq1,3,4\nq2,4,4\n": ("q1", "q2"),
    b"human_score,judge_a,judge_b\n3,4,3\n4,4,4\n": ("1", "2"),
    b"src,mt,human,judge_a\nx,y,3,4\nx,z,4,4\n": ("1", "2"),
    b"clip,human,m\n12-3,1,.5\n15a,2,.3\n1089-134686-0000,3,.1\n": ("12-3", "15a", "1089-134686-0000"),
}


@pytest.mark.parametrize("content", ITEMS)
def test_items_without_systems_are_one_system(content):
    data = read_table({"t.csv": content})
    assert (data.systems, data.segments) == (("all",), ITEMS[content])
    assert "No column names systems" in data.notes[0]


def test_a_column_that_could_be_that_of_systems_is_said():
    rows = b"engine,src,human,judge\nA,x,1,2\nA,y,1,2\nB,x,1,2\nB,y,2,1\n"
    with pytest.warns(tk.RoleWarning, match=r"no column is named like systems \(engine, src\?\)"):
        assert read_table({"t.csv": rows}).systems == ("all",)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read_table({"t.csv": rows}, system="engine").segments == ("x", "y")


@pytest.mark.parametrize("columns", ["系统,句子,分数", "sistema,segmento,puntos", "System,Satz,Wert"])
def test_columns_are_found_that_name_the_systems_of_the_set_and_tell_their_rows_apart(columns):
    rows = [f"{name},{number},{score}" for score, name, number in zip((0.1, 4, 0.3, 2), "ABBA", "2121", strict=True)]
    data = tk.EvalSet("toy", "", ("A", "B"), ("1", "2"), {"h": [[1, 2], [2, 1]]}, {})
    _, segment, metric = columns.split(",")
    with pytest.warns(tk.RoleWarning, match=rf"took '{segment}' for segment=, as it tells the rows of a system apart"):
        more = data.with_scores({"t.csv": "\n".join([columns, *rows]).encode()})
    np.testing.assert_array_equal(more.metrics[metric], [[2, 0.1], [4, 0.3]])
    numbered = [f"{index},{row}" for index, row in zip("0011", rows, strict=True)]
    with pytest.warns(tk.RoleWarning, match=f"took '{segment}' for segment=, not 'index', which names the rows oth"):
        more = data.with_scores({"t.csv": "\n".join([f"index,{columns}", *numbered]).encode()})
    np.testing.assert_array_equal(more.metrics[metric], [[2, 0.1], [4, 0.3]])
    whole = f"id,system,{segment},mqm,m\n1,A,x,1,.2\n2,A,y,3,.4\n3,B,y,5,.6\n4,B,x,7,.8\n".encode()
    with pytest.warns(tk.RoleWarning, match=f"took '{segment}' for segment=, not 'id'"):
        assert read_table({"t.csv": whole}).human["mqm"].tolist() == [[1, 3], [7, 5]]
    cells = [f"{name},{doc},{place},.{score}" for score, (name, doc, place) in enumerate(product("AB", "xy", "12"))]
    in_documents = "\n".join([f"system,doc,{segment},{metric}", *cells]).encode()
    with pytest.warns(tk.RoleWarning, match=f"took '{segment}' for segment="):
        assert read_table({"t.csv": in_documents}).segments == ("x:1", "x:2", "y:1", "y:2")


@pytest.mark.parametrize("make", [pd.DataFrame, lambda rows: rows, lambda rows: {"t.json": json.dumps(rows).encode()}])
def test_whole_numbers_name_segments_that_float64_does_not_tell_apart(make):
    ids = [1830000000000000000 + number for number in range(3)]
    rows = [{"system": "A", "segment": number, "human": 1, "m": number - ids[0]} for number in ids]
    data = tk.read(make(rows))
    assert data.segments == tuple(map(str, ids))
    np.testing.assert_array_equal(data.metrics["m"], [[0, 1, 2]])


def test_a_column_of_scores_that_holds_none_is_said():
    with pytest.warns(tk.RoleWarning, match=r"extra for metrics; left out score \(holds no score\)"):
        assert list(tk.read({"t.csv": b"system,segment,extra,score\nA,1,3,NA\nB,1,4,\n"}).metrics) == ["extra"]
    with pytest.raises(
        tk.ReadError, match=r"src_length was left out \(named like no score\); .*; name one by metrics="
    ):
        tk.read({"t.csv": b"system,segment,src_length,score\nA,1,3,NA\nB,1,4,\n"})
    for header, cell, said in (
        ("score,logprob", "Score: 4", r"logprob for metrics; left out score \(holds texts such as 'Score: 4'\)"),
        ("rating,extra", "good", r"extra for metrics; left out rating \(holds texts such as 'good'\)"),
        ("grade,raw", "", r"raw for metrics; left out grade \(holds no score\)"),
        ("mine,raw", "", r"raw for metrics; left out mine \(holds no score\)"),
    ):
        table = "\n".join(["system,segment," + header, *(f"{name},1,{cell},{at}" for at, name in enumerate("AB"))])
        with pytest.warns(tk.RoleWarning, match=said):
            tk.EvalSet.from_arrays([[0.0], [1.0]], {}, systems=["A", "B"]).with_scores(
                {"t.csv": table.encode()}, name="m"
            )
    with pytest.warns(tk.RoleWarning, match=r"left out m \('6\.090,3' is not a number, write 6090\.3\)"):
        tk.read({"t.csv": b"system;segment;human;m\nA;1;3;6.090,3\nB;1;4;1\n"})


@pytest.mark.filterwarnings("ignore:.*if MetricX wrote prediction:tiekit.RoleWarning")
def test_a_table_that_names_rows_is_of_no_tool_with_a_like_column():
    rows = [("B", 2, 0.5), ("A", 1, 1.5), ("A", 2, 2.5), ("B", 1, 3.5)]
    for names in (
        ("system", "segment", "segment_score"),
        ("model", "doc", "system_score"),
        ("system_id", "id", "prediction"),
    ):
        frame = pd.DataFrame(rows, columns=names)
        for source in (frame, {"t.csv": frame.to_csv(index=False).encode()}, frame.to_dict("records")):
            data = tk.read(source, human=())
            assert data.metrics[names[-1]][[data.systems.index(name) for name in "AB"]].sum(axis=1).tolist() == [4, 4]
            assert data.systems == ("B", "A")


def test_documents_of_one_row_each_are_the_segments_beside_whole_human_scores():
    rows = [(name, f"d{at}", (at * 7 + ord(name)) % 9, at / 7) for name in "ABC" for at in range(8)]
    data = read_table(pd.DataFrame(rows, columns=["model", "doc", "human", "mine"]))
    assert (data.segments[:2], list(data.human), list(data.metrics)) == (("d0", "d1"), ["human"], ["mine"])
    table = pd.DataFrame(rows, columns=["model", "doc", "human", "mine"]).reset_index(names="id")
    with pytest.warns(tk.RoleWarning, match="took 'doc' for segment=, not 'id', which names the rows otherwise"):
        assert read_table(table).segments == data.segments


def test_numbers_that_name_systems_and_segments_are_no_scores():
    rows = [
        (system, 7 * segment, (system + segment) % 2, segment / system) for system in (1, 2, 3) for segment in range(4)
    ]
    with pytest.warns(tk.RoleWarning, match=r"no column is named like systems \(variant, case\?\)"):
        tk.read(pd.DataFrame(rows, columns=["variant", "case", "MOS", "mine"]))
    with pytest.warns(tk.RoleWarning, match=r"no column is named like systems \(variant, doc\?\)"):
        tk.read(pd.DataFrame(rows[1:], columns=["variant", "doc", "MOS", "mine"]), human="MOS", metrics="mine")
    table = pd.DataFrame(rows, columns=["system", "case", "MOS", "mine"]).reset_index()
    with pytest.warns(tk.RoleWarning, match="took 'case' for segment=, not 'index', which names the rows otherwise"):
        assert tk.read(table).segments == ("0", "7", "14", "21")


def test_one_score_per_system():
    data = read_table({"t.csv": b"model,mqm,BLEU\nA,1,2\nB,2,3\n"})
    assert (data.systems, data.segments) == (("A", "B"), ("all",))
    assert data.notes == ("No column names segments: the table has one score per system, of the segment 'all'.",)


@pytest.mark.parametrize(
    ("header", "system", "segment"),
    [
        ("sysID,uttID", "sysID", "uttID"),
        ("question_id,model", "model", "question_id"),
        ("prompt_id,model_id", "model_id", "prompt_id"),
        ("SYSTEM-ID,SEGMENT-NUMBER", "SYSTEM-ID", "SEGMENT-NUMBER"),
        ("SYS,SID", "SYS", "SID"),
        ("generator,query_id", "generator", "query_id"),
        ("candidate,instance", "candidate", "instance"),
        ("src,system", "system", "src"),
        ("line_id,model_name", "model_name", "line_id"),
    ],
)
def test_usual_names_of_labels(header, system, segment):
    text = f"{header},human,BLEU\nx,y,1,2\nx,z,1,2\nw,y,1,2\nw,z,2,1\n"
    found = preview_table({"t.csv": text.encode()})
    assert (found.system, found.segment) == (system, segment)


def test_a_column_that_counts_rows_names_segments_last():
    text = b"id,system,src,human,BLEU\n0,A,x,1,2\n1,B,x,2,3\n2,A,y,1,2\n3,B,y,2,3\n"
    with pytest.warns(tk.RoleWarning, match="left out id"):
        assert read_table({"t.csv": text}).segments == ("x", "y")
    assert preview_table({"t.csv": b"id,system,human,BLEU\n0,A,1,2\n1,B,2,3\n"}).segment == "id"


def test_a_candidate_may_be_a_text():
    found = preview_table({"t.csv": b"id,candidate,human,BLEU\n1,a cat,1,2\n2,a dog,2,3\n"})
    assert found.system is None


def test_segments_are_numbered_in_each_document():
    text = "doc_id,segment_id,system_id,human,BLEU\n" + "".join(
        f"{doc},{number},{system},1,2\n" for doc in ("d1", "d2") for number in (0, 1) for system in "AB"
    )
    data = read_table({"t.csv": text.encode()})
    assert data.segments == ("d1:0", "d1:1", "d2:0", "d2:1")
    assert data.documents == ("d1", "d1", "d2", "d2")
    joined = read_table({"t.csv": text.encode()}, segment=["doc_id", "segment_id"])
    assert (joined.segments, joined.notes) == (data.segments, ())


test_other_sources_are_refused = refusals(
    read_table,
    [
        (None, "source: must be a path,"),
        (5, "found int"),
        ({"t.csv": [1]}, "source: expected bytes by the name of their file, found list"),
        ([], "source: must be a list of dicts, one for each row; found an"),
        ([{"system": "A"}, 3], "found int"),
        (pd.concat([FRAME, FRAME[["human"]]], axis=1), "source: every name must occur once, 'human' occurs twice"),
        (FRAME.set_index(FRAME["system"]), "source: 'system' names both a column and a level of the"),
    ],
    tk.InputError,
)


test_bad_json = refusals(
    lambda text: read_table({"t.jsonl": text.encode()}),
    [
        ('{"hyp1.txt": [{"COMET": 0.5}], "hyp2.txt": []}', None, "is one JSON object (hyp1.txt, hyp2.txt)"),
        ('{\n"a": 1\n}', None, "is one JSON object (a)"),
        ("{}\n{}", 1, "holds an object without fields"),
        ('{"segment": 1, "system": "A", "x": [1, 2]}', None, "makes a column for each place; in Python, pass [{"),
        ('{"segment": 1, "system": "A", "human": 1e999}', 1, "inf in column 'human' is not a score"),
    ],
)


def test_frames_that_are_refused():
    with pytest.raises(tk.ReadError, match="DataFrame: has no rows"):
        read_table(FRAME[:0])
    with pytest.raises(tk.ReadError, match="DataFrame, line 2: inf in column 'BLEU' is not a score"):
        read_table(FRAME.assign(BLEU=[1, np.inf, 2]))
    with pytest.raises(tk.ReadError, match="DataFrame, line 2: found an empty cell in column 'system'"):
        read_table(FRAME.assign(system=["A", None, "A"]))


test_what_is_no_table_is_told_what_to_do = refusals(
    lambda text: read_table({"t.csv": text.encode()}),
    [
        ("301 Q0 D1 1 9.5 run\n301 Q0 D2 2 9.1 run\n", "is a run of a search engine"),
        ("id,model_a,model_b,winner\n1,A,B,tie\n", "holds votes between two outputs"),
        ("x.wav,3.27\ny.wav,2.1\n", "the first line names no columns: '3.27' is"),
        ("engine,1,2\nA,.5,.4\n", "above it, or call the first column system if they name segments, segment if"),
        (",m,m,h\n,A,B,A\n1,2,3,4\n", "two levels of columns, pass pandas.read_csv(PATH, header=[0, 1]"),
        ('system,segment,human,BLEU\nA,1,"x,2\nB,1,y",3\n', "has a quotation mark that ends only in line"),
        ('system,score\n"A,x\nB",2,3\n', "line 2: found 3 cells, expected 2 as in line 1"),
    ],
)


def test_quotation_marks_in_texts_between_tabs():
    cells = ('"Hi" he said', '5" nail', '"whole "" cell"')
    text = "system\tsrc\thuman\tBLEU\n" + "".join(f"A\t{cell}\t1\t2\n" for cell in cells)
    by_text = read_table({"t.tsv": text.encode()})
    assert by_text.segments == ('"Hi" he said', '5" nail', 'whole " cell')


def test_a_text_of_several_lines_with_as_many_commas_as_a_row_is_one_cell():
    answer = '"Good, yes,\nbut terse, so 4 in all, I say"'
    data = read_table({"t.csv": f'system,segment,answer,human,BLEU\nA,1,{answer},4,.5\nB,1,"ok",3,.4\n'.encode()})
    assert (data.systems, data.human["human"].tolist()) == (("A", "B"), [[4.0], [3.0]])


SPREAD = "system,segment,human,BLEU\nA,1,1,\nA,2,2,\nA,one,,3\nA,two,,4\n"


def test_a_metric_without_a_matching_score_is_refused():
    message = (
        "the metric 'BLEU' has no score where there is a human score: human scores are of 'A' on '1', '2' and its own"
    )
    with pytest.raises(tk.ReadError, match=message + " of 'A' on 'one', 'two'; give both the same names"):
        read_table({"t.csv": SPREAD.encode()})
    with pytest.raises(tk.ReadError, match="the metric 'x' has no scores; leave it out with metrics="):
        read_table({"t.csv": b"system,segment,human,x\nA,1,1,NA\n"}, metrics="x")
    ours = pd.DataFrame({"system": "A", "segment": [1, 2], "human": [1, 2]})
    theirs = pd.DataFrame({"system": "A", "segment": ["1", "2"], "BLEU": [3, 4]})
    with pytest.raises(tk.ReadError, match="again, after line 1"):
        read_table(pd.concat([ours, theirs]))
    np.testing.assert_array_equal(read_table(pd.concat([ours, theirs]), aggregate="mean").metrics["BLEU"], [[3, 4]])


JUDGES = {"scorer": "judge_model", "score": "judge_score"}
JUDGED = """prompt_id,model,human_score,judge_score,judge_model
1,A,3,4,gpt
1,B,4,4,gpt
2,A,2,5,gpt
1,A,3,5,claude
1,B,4,1,claude
"""


def test_scorers_as_rows():
    data = read_table({"t.csv": JUDGED.encode()}, **JUDGES)
    assert (list(data.human), list(data.metrics)) == (["human_score"], ["gpt", "claude"])
    np.testing.assert_array_equal(data.human["human_score"], [[3, 2], [4, np.nan]])
    np.testing.assert_array_equal(data.metrics["gpt"], [[4, 5], [4, np.nan]])
    np.testing.assert_array_equal(data.metrics["claude"], [[5, np.nan], [1, np.nan]])
    assert list(read_table({"t.csv": JUDGED.encode()}, **JUDGES, metrics="claude").metrics)
    with pytest.raises(tk.ReadError, match="column 'judge_model' tells such rows apart"):
        read_table({"t.csv": JUDGED.encode()})


def test_human_scores_may_be_a_scorer():
    melted = FRAME.melt(["system", "segment", "doc"], var_name="metric", value_name="value")
    data = read_table(melted, scorer="metric", score="value")
    assert same(data)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", ["doc_id", "document", "domain", "Frage"])
@pytest.mark.parametrize("labels", [["a", "b", "c", "d"], [7, 3, 15, 9]], ids=["texts", "numbers"])
@pytest.mark.parametrize("scorers", [["human", "bleu"], [1, 2]], ids=["names", "numbers"])
@pytest.mark.filterwarnings("ignore::tiekit.errors.RoleWarning")
def test_segments_of_any_name_are_those_of_all_scorers(name, labels, scorers):
    people, machine = scorers
    rows = [
        {
            "system": system,
            name: label,
            "scorer": scorer,
            "value": place + 5 * (system == "B") + (scorer == machine) / 2,
        }
        for place, label in enumerate(labels)
        for system in "AB"
        for scorer in scorers
    ]
    table = pd.DataFrame(rows).sample(frac=1, random_state=1)
    for source in (table, {"t.csv": table.to_csv(index=False).encode()}):
        data = tk.read(source, scorer="scorer", score="value", human=str(people))
        frame = data.to_frame().set_index(["system", "segment"])
        for row in rows:
            assert frame.loc[(row["system"], str(row[name])), str(row["scorer"])] == row["value"]
        assert len(data.segments) == len(labels)


@given(st.permutations(range(5)))
def test_the_order_of_the_rows_of_scorers_does_not_matter(order):
    header, *lines = JUDGED.splitlines()
    mixed = "\n".join([header, *(lines[place] for place in order)]).encode()
    found = read_table({"t.csv": mixed}, **JUDGES).to_frame()
    expected = read_table({"t.csv": JUDGED.encode()}, **JUDGES).to_frame()
    by = ["system", "segment"]
    columns = ["human_score", "gpt", "claude"]
    assert found.set_index(by)[columns].sort_index().equals(expected.set_index(by)[columns].sort_index())


test_bad_scorers = refusals(
    lambda text: read_table({"t.csv": text.encode()}, **JUDGES),
    [
        (JUDGED + "1,A,3,4,gpt\n", 7, "found system 'A' and segment '1' again"),
        (JUDGED.replace("1,A,3,5", "1,A,2,5"), "column 'human_score' has several scores for"),
        (JUDGED.replace("claude", ""), 5, "found an empty cell in column 'judge_model'"),
        (JUDGED.replace("claude", "model"), "'model' is a column and a scorer"),
    ],
)


def test_scorer_and_score_belong_together():
    with pytest.raises(tk.InputError, match="score: name both"):
        read_table({"t.csv": JUDGED.encode()}, scorer="judge_model")
    with pytest.raises(tk.InputError, match="scorer: name both"):
        read_table({"t.csv": JUDGED.encode()}, score="judge_score")


RATED = b"system,segment,rater,human,COMET\nA,1,r1,80,.1\nA,1,r2,60,.1\nA,1,r3,,.1\nB,1,r1,40,.4\n"


def test_raters_are_averaged_and_counted():
    for column, words in (
        ("rater", '.* repetitions, pass aggregate="mean", which averages over'),
        ("tgt_lang", r"keep the rows of one \(r1, r2, r3\), frame"),
    ):
        with pytest.raises(tk.ReadError, match=rf"line 3: .* column '{column}' tells such rows apart: {words}"):
            read_table({"t.csv": RATED.replace(b"rater", column.encode())})
    data = read_table({"t.csv": RATED}, aggregate="mean")
    np.testing.assert_array_equal(data.human["human"], [[70], [40]])
    np.testing.assert_array_equal(data.metrics["COMET"], [[0.1], [0.4]])  # three times .1 is .1, to the last digit
    np.testing.assert_array_equal(data.raters["human"], [[2], [1]])
    assert data.notes == ("Joined 4 rows to 2 cells by their mean, 1 to 3 in each.",)
    np.testing.assert_array_equal(data.select(exclude="A").raters["human"], [[1]])
    assert read_table({"t.csv": CSV.encode()}, aggregate="mean").raters == {}
    of_documents = read_table({"t.csv": RATED.replace(b"segment", b"doc")}, aggregate="mean")
    assert (of_documents.segments, of_documents.human["human"].tolist()) == (("1",), [[70], [40]])
    kept = read_table({"t.csv": RATED.replace(b"r3,,", b"r3,70,")}, segment=["segment", "rater"])
    assert kept.segments == ("1:r1", "1:r2", "1:r3")


def test_a_long_name_of_a_column_is_cut_in_messages():
    table = f"system,segment,mqm,{5000 * '1'}x\nA,1,0,a\nA,1,0,b\n"
    with pytest.raises(tk.ReadError, match="tells such rows apart") as refused:
        read_table({"long.csv": table.encode()})
    assert len(str(refused.value)) < 1000
