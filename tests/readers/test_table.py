"""Long tables and pairs of columns: written, read back equal; which columns are taken for what; uneven ones."""

import csv
import io
import re

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import tiekit as tk
from tests.fuzz.case import TRIES, Case, problem_of
from tests.readers.refusals import refusals
from tiekit.errors import InputError, ReadError, collect_warnings
from tiekit.readers import _table as _tabular
from tiekit.readers import preview_table, read_table, recognize
from tiekit.readers._columns import Texts
from tiekit.readers._mean_rows import is_named_mean

SCORES = st.one_of(st.just(float("nan")), st.floats(allow_nan=False, allow_infinity=False))
LABELS = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=5)


def read(text, **options):
    return read_table({"up/scores.csv": text.encode()}, **options)


@given(
    st.lists(LABELS, min_size=1, max_size=4, unique=True),
    st.lists(LABELS, min_size=1, max_size=4, unique=True),
    st.sampled_from(",;\t"),
    st.sampled_from(["", "NA", "N/A", "None", "null", "nan", "NaN", "-"]),
    st.randoms(use_true_random=False),
    st.data(),
)
def test_what_is_written_is_read(systems, segments, delimiter, missing, random, data):
    assume(not any(map(is_named_mean, (*systems, *segments))))
    human, metric = (data.draw(arrays(np.float64, (len(systems), len(segments)), elements=SCORES)) for _ in "hm")
    cells = [(i, j) for i in range(len(systems)) for j in range(len(segments))]
    shuffled = random.sample(cells, len(cells))

    def cell(score):
        return missing if np.isnan(score) else repr(float(score))

    file = io.StringIO()
    writer = csv.writer(file, delimiter=delimiter)
    writer.writerow(["Human", "System", "SEG_ID", "BLEU"])
    writer.writerows([cell(human[i, j]), systems[i], segments[j], cell(metric[i, j])] for i, j in shuffled)
    if not (np.isnan(human) | np.isnan(metric)).all():
        compare(read(file.getvalue(), human="human", metrics="bleu"), systems, segments, human, metric)
        return
    with pytest.raises(ReadError, match=r"the metric 'BLEU' has no score|the human scores, 'Human', are all missing"):
        read(file.getvalue(), human="human", metrics="bleu")


def compare(found, systems, segments, human, metric):
    assert set(found.systems) == set(systems)
    assert set(found.segments) == set(segments)
    places = np.ix_([found.systems.index(name) for name in systems], [found.segments.index(name) for name in segments])
    np.testing.assert_array_equal(found.human["Human"][places], human)
    np.testing.assert_array_equal(found.metrics["BLEU"][places], metric)


TABLE = """sys,Item,doc,domain,note,mqm,da,BLEU,chrF
A,1,d1,news,good,-1,70,30,50
B,1,d1,news,,0,,25,
A,2,d2,social,2,-5,60,NA,40
"""


def test_columns_are_told_apart(tmp_path):
    preview = preview_table({"t.csv": TABLE.encode()})
    assert preview.columns == ("sys", "Item", "doc", "domain", "note", "mqm", "da", "BLEU", "chrF")
    assert preview.numeric == ("mqm", "da", "BLEU", "chrF")
    assert preview.human == ("mqm", "da")
    assert (preview.system, preview.segment, preview.document, preview.domain) == ("sys", "Item", "doc", "domain")
    assert preview.n_rows == 3
    (tmp_path / "ratings.v1.csv").write_text(TABLE)
    data = read_table(tmp_path / "ratings.v1.csv")
    assert (data.name, data.language_pair, data.gold) == ("ratings.v1", "", "mqm")
    assert (data.systems, data.segments) == (("A", "B"), ("1", "2"))
    assert (data.documents, data.domains) == (("d1", "d2"), ("news", "social"))
    assert (list(data.human), list(data.metrics)) == (["mqm", "da"], ["BLEU", "chrF"])
    np.testing.assert_array_equal(data.human["da"], [[70, 60], [np.nan, np.nan]])
    np.testing.assert_array_equal(data.metrics["chrF"], [[50, 40], [np.nan, np.nan]])
    assert data.digest == read_table({"x/ratings.v1.csv": TABLE.encode()}).digest
    assert data.digest != read_table({"ratings.v1.csv": TABLE.encode() + b"\n"}).digest


def test_columns_are_chosen():
    data = read(TABLE, human="chrf", metrics=("BLEU", "da"), lower_is_better="BLEU", decimals=-1, name="mine")
    assert (data.name, list(data.human), list(data.metrics), data.gold) == ("mine", ["chrF"], ["BLEU", "da"], "chrF")
    np.testing.assert_array_equal(data.metrics["BLEU"][0], [-30, np.nan])
    assert data.notes[-1] == "BLEU: negated, so that higher is better"
    assert list(read(TABLE, human="da").metrics) == ["BLEU", "chrF"]
    assert list(read(TABLE, metrics="da").human) == ["mqm"]
    swapped = read(TABLE, system="item", segment="SYS", document="sys", domain="Sys")
    assert (swapped.systems, swapped.segments, swapped.documents) == (("1", "2"), ("A", "B"), ("A", "B"))
    with pytest.raises(InputError, match="human: there is no column 'esa'; known: sys, Item, "):
        read(TABLE, human="esa")


@pytest.mark.parametrize(
    ("text", "human", "metric"),
    [
        ("1,2\n3,None\n", "human", "metric"),
        ("NA\t2\n1\t2\n", "human", "metric"),
        ("score;mqm\n1;2\n", "mqm", "score"),
        ("1 2\n3 4\n", "human", "metric"),
    ],
)
def test_two_columns_of_numbers(text, human, metric):
    with collect_warnings() as said:
        data = read(text)
    assert [category for category, _ in said] == ([tk.RoleWarning] if text[0] in "1N" else [])
    assert data.systems == ("all",)
    assert data.segments == tuple(str(number + 1) for number in range(data.human[human].size))
    assert (list(data.human), list(data.metrics)) == ([human], [metric])


def test_two_columns_keep_their_order():
    with pytest.warns(tk.RoleWarning, match=r"There is no header: the first column .* score_column=2 if only"):
        data = read("1,2\n3,None\n")
    np.testing.assert_array_equal(data.human["human"], [[1, 3]])
    np.testing.assert_array_equal(data.metrics["metric"], [[2, np.nan]])


def test_a_table_without_a_header_can_be_called_before_any_column_is_chosen():
    file = {"s.csv": b"1,2,3\n4,5,6\n"}
    assert recognize(file).call(file, {}) == "tk.read_table('s.csv')"


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (("A,1", "B,001"), "the segments '1' and '001' have no system in common"),
        (("A,d:1", "A,d:2", "B,D:01", "B,d:02"), r"the segments 'd:1' and 'D:01' \(and 1 more such\) have no system"),
        (("Gpt-4,1", "gpt 4,2"), "the systems 'Gpt-4' and 'gpt 4' have no segment in common and count as different"),
        (("M\u00fc,1", "Mu\u0308,2"), r"the systems 'M\\xfc' and 'Mu\\u0308' have no segment in common"),
        (("A,1", "a,1", "A,01", "a,01"), ""),
        (("A,1-1", "B,11"), ""),
    ],
)
def test_one_name_in_two_spellings_is_asked_about(labels, said):
    with collect_warnings() as found:
        data = read("system,segment,mqm\n" + "".join(f"{row},1\n" for row in labels))
    assert [category for category, _ in found] == [tk.RoleWarning] * bool(said)
    assert not said or re.search(said, found[0][1])
    assert set(data.systems) == {row.split(",")[0] for row in labels}
    nested = {}
    for system, segment in (row.split(",") for row in labels):
        nested.setdefault(system, {})[segment] = 1
    with collect_warnings() as again:
        tk.read(nested)
    assert [text.partition(": ")[2] for _, text in again] == [text.partition(": ")[2] for _, text in found]


HEADER = "system,segment,doc,mqm,BLEU\n"


test_bad_tables_name_their_line = refusals(
    read,
    [
        (HEADER + "A,1,d,1,2\nA,2,d,1\n", 3, "found 4 cells, expected 5 as in line 1; add what is missing, or"),
        (HEADER + "A,1,d,1,2,3\n", 2, "found 6 cells, expected 5 as in line 1; a decimal comma also divides cells"),
        (HEADER + '"A\n",1,d,1,2\nA,1,d,1\n', 4, "found 4 cells"),
        (HEADER + "A,1,d,1,2\nB,1,d,1,2\nA,1,d,1,2\n", 4, "system 'A' and segment '1' again, after"),
        (HEADER + "A,1,d,1,-inf\n", 2, "'-inf' in column 'BLEU' is not a score"),
        (HEADER + "A,1,d,1,2\nA,2,d,1,x\nA,3,d,1,3\n", 3, "'x' in column 'BLEU' is not a score"),
        (HEADER + "A,1,d,1_000,2\n", 2, "'1_000' in column 'mqm' is not a score"),
        (HEADER + "A,1,d,1e999,2\n", 2, "'1e999' in column 'mqm' is too large"),
        (HEADER.replace(",", "\t") + "A\t1\td\t1,500\t2\n", 2, "'1,500' in column 'mqm' has a comma; write"),
        (HEADER + "A,1,d,1,2\nB,1,e,1,2\n", 3, "'e' in column 'doc', but 'd' for the same"),
        (HEADER + ",1,d,1,2\n", 2, "an empty cell in column 'system'"),
        (HEADER + "A,1,d,1,2\nA,,d,1,2\n", 3, "an empty cell in column 'segment'"),
        (HEADER, 1, "has a header and no rows"),
        (HEADER.replace("doc", "MQM") + "A,1,d,1,2\n", 1, "two columns are named 'mqm'"),
        (HEADER.replace("doc", "") + "A,1,d,1,2\n", 1, "column 3 has no name"),
        ("sep=;\nsystem;segment;mqm\nA;1;2\n", 2, "found 3 cells, expected 2 as in line 1; leave line 1 out"),
        ("system segment mqm\nA 1\n", 1, "found one column, 'system segment mqm'"),
        (
            "# mine\n" + HEADER,
            1,
            "'# mine'; expected several, divided by tab, comma or semicolon; a line that begins with #",
        ),
        (
            HEADER + "A,1,d,1,2\n# x\n",
            3,
            "found 1 cells, expected 5 as in line 1; a line that begins with # is no comment",
        ),
        ("1,2,3\n4,5,6\n", 1, "the first line names no columns: '1' is a"),
        (HEADER.replace("segment", "sgement") + "A,1,d,1,2\nA,1,d,1,2\n", 1, "write segment above its column, or pass"),
        ("system,text,mqm\nA,a,.1\nA,b,.2\nB,c,.1\nB,d,.3\n", 1, "expected the columns system and segment"),
        ("segment,engine,mqm,BLEU\n1,A,1,2\n1,B,1,2\n", 3, "pass system='engine' if it names the systems"),
        ("segment,mqm\n1,2\n1,2\n", 3, "write system above its column, or pass system=COLUMN, or pass aggregate"),
        ("system,segment,text\nA,1,good\nA,2,bad\n", None, "but no column holds numbers; texts: text"),
        (HEADER + 'A,1,d,1,2\nA,2,"d,1,2\n', 3, "is not a table"),
        ("system;segment;human\nA;1;1.000,5\nA;2;0,25\n", 2, "'1.000,5' in column 'human' is not a score"),
        ("1,2\n1,x\n1,3\n", 2, "'x' in column 'metric' is not a score"),
    ],
)


def test_a_human_column_with_many_gaps_stays_the_human_one():
    rows = b"system,segment,mqm,BLEU\nA,1,N/A,30\nB,1,0,25\nC,1,null,20\nA,2,-5,31\nB,2,N/A,11\n"
    data = tk.read_table({"s.csv": rows})
    assert (list(data.human), list(data.metrics)) == (["mqm"], ["BLEU"])
    assert np.isnan(data.human["mqm"]).sum() == 4
    with pytest.raises(tk.ReadError, match=r"s\.csv, line 2: .*unknown"):
        tk.read_table({"s.csv": rows.replace(b"N/A", b"unknown")})


def test_paths_that_no_system_takes_are_refused():
    for path in ("x" * 5000, "a\0b"):
        with pytest.raises(tk.ReadError):
            tk.read_table(path)
        with pytest.raises(tk.ReadError):
            tk.list_mtme(path)


def said(text, delimiter):
    """What is read, or why nothing is."""
    try:
        lines, top, cells = _tabular._columns("t", text, delimiter)
    except ReadError as error:
        return str(error)
    return list(lines), [[first, *below] for first, below in zip(top, cells, strict=True)]


@pytest.mark.parametrize("delimiter", ["\t", ";", ","])
@given(st.data())
def test_the_first_uneven_row_is_the_same_without_a_list_of_rows(delimiter, data):
    cell = st.sampled_from(["", " ", "a", "1", "\u00a0", "\x1c"])
    row = st.lists(cell, min_size=1, max_size=4).map(delimiter.join)
    text = "a" + delimiter + "b\n" + "\n".join(data.draw(st.lists(row, max_size=6)))
    found = said(text, delimiter)
    rows = [(number, line.split(delimiter)) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    rows = [(number, [cell.strip() for cell in row]) for number, row in rows]
    while not any(rows[-1][1]):
        rows.pop()
    odd = next(((number, len(row)) for number, row in rows if len(row) != 2), None)
    if odd:
        assert str(found).startswith(f"t, line {odd[0]}: found {odd[1]} cells, expected 2 as in line 1")
    else:
        assert found == ([number for number, _ in rows], list(map(list, zip(*(row for _, row in rows), strict=True))))


@pytest.mark.parametrize("last", [pytest.param(b"", marks=pytest.mark.campaign), b"A,1,1,2,3\n"])
def test_an_uneven_table_takes_little_memory(last):
    middle = b"A,7,1\n" if last else b"A,7\n"
    text = b"system,segment,mqm\n" + 999_999 * middle + last

    def refused():
        with pytest.raises(ReadError, match=rf"line {1_000_001 if last else 2}: found {5 if last else 2} cells"):
            read_table({"t.csv": text})

    assert not all(problem_of(Case("uneven", len(text), refused)) for _ in range(TRIES))


def test_a_table_of_one_column_takes_little_memory():
    text = b"0.25\n" + 600_000 * b"nan\n"

    def refused():
        with pytest.raises(ReadError, match=r"line 1: found one column, '0.25'"):
            preview_table({"con": text})

    assert not all(problem_of(Case("one column", len(text), refused)) for _ in range(TRIES))


def test_texts_of_a_column_are_kept_whatever_they_hold():
    cells = ["", "a", "\0", "\1\0", "é\t", *map(str, range(10_000))] * 2
    kept = Texts(cells[:7_000])
    for cell in cells[7_000:]:
        kept.append(cell)
    assert list(kept) == kept[:] == [kept[place] for place in range(len(cells))] == cells
    assert (kept[-1], len(kept)) == (cells[-1], len(cells))
