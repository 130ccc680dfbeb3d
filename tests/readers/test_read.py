"""Whatever one has in hand is recognized, the set says as what, and what cannot be read is refused with what to do."""

import gzip
import json
import os
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tests.readers.refusals import refusals
from tiekit.readers import FORMATS, Choice, Format, recognize

ROOT = Path(__file__).parents[2]
TABLE = b"system,segment,mqm,BLEU\nA,1,-1,30\nB,1,0,25\nA,2,-5,10\nB,2,-2,40\n"
SCORES = b"A 1\nA 2\nB 3\nB 4\n"
TALK = json.dumps({"of": "x", "talk": {"en-de": [1, 2], "zh-en": [3, 4], "he-en": [5, 6]}}).encode()


def read_talk(files, *, language_pair, judge=None, scale=1.0, name="talk"):
    """One metric's scores of several language pairs."""
    [content] = files.values()
    scores = json.loads(content)["talk"][language_pair]
    return tk.EvalSet(name, language_pair, ("A",), ("1", "2"), {}, {judge or "talk": [[s * scale for s in scores]]})


def ask_talk(files, chosen):
    """Ask for the pair, then for what depends on it."""
    [content] = files.values()
    pairs = tuple(json.loads(content)["talk"])
    yield Choice("language_pair", "Language pair", pairs, (), "talk_pair", several=False)
    yield Choice("judge", "Judge", (f"{chosen['language_pair']}-j1", "j2"), (), "talk_judge", several=False)


ENTRY = Format(
    name="talk",
    label="talks as JSON",
    upload="The talk",
    recognizes=lambda name, head: name.endswith(".json") and b'"talk"' in head,
    read=read_talk,
    asks=ask_talk,
    code=lambda files, chosen: f"tk.read({next(iter(files))!r}, **{chosen!r})",
)


@pytest.fixture(autouse=True)
def _talk(monkeypatch):
    monkeypatch.setitem(FORMATS, "talk", ENTRY)


def write(folder, **files):
    for name, content in files.items():
        (folder / name.replace("_", ".")).write_bytes(content)
    return folder


@pytest.mark.parametrize("ending", ["", ".gz"])
def test_a_file_says_as_what_it_is_read(tmp_path, ending):
    path = tmp_path / f"mine.csv{ending}"
    path.write_bytes(gzip.compress(TABLE) if ending else TABLE)
    for source in (path, str(path), {f"mine.csv{ending}": path.read_bytes()}):
        data = tk.read(source)
        assert data.notes[0] == f"mine.csv{ending}: read as {FORMATS['table'].label}"
        np.testing.assert_array_equal(data.metrics["BLEU"], [[30, 10], [25, 40]])


@pytest.mark.parametrize(
    ("content", "label"),
    [
        (TABLE, "table"),
        (TABLE.replace(b",", b"\t"), "table"),
        (gzip.compress(TABLE, mtime=0), "table"),
        (TABLE.decode().encode("utf-16"), "table"),
        (SCORES, "scores"),
        (bytearray(TABLE), "table"),
        (memoryview(TABLE), "table"),
    ],
)
def test_contents_need_no_name(content, label):
    assert tk.read(content).notes[0] == f"bytes: read as {FORMATS[label].label}"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_the_head_is_looked_at_as_text(encoding, pack):
    content = pack(TALK.decode().encode(encoding))
    assert recognize({"mine.json": content, "other.json.gz": content}) is ENTRY


def test_contents_of_a_format_that_is_named():
    assert tk.read(TALK, format="talk", language_pair="en-de").metrics["talk"].tolist() == [[1, 2]]
    assert tk.read(SCORES, format="scores").systems == ("A", "B")


def test_several_files_are_one_set(tmp_path):
    write(tmp_path, **{"en-de_mqm_seg_score": SCORES, "BLEU_seg_score": SCORES})
    paths = sorted(tmp_path.iterdir())
    for source, label in ((paths, "2 files (BLEU.seg.score, en-de.mqm.seg.score)"), (tmp_path, str(tmp_path))):
        data = tk.read(source)
        assert data.notes[0] == f"{label}: read as .seg.score files"
        assert (list(data.human), list(data.metrics)) == (["mqm"], ["BLEU"])
    assert list(tk.read(tmp_path, human="BLEU.seg.score").human) == ["BLEU"]


def test_files_of_one_name_keep_their_folders(tmp_path):
    paths = [tmp_path / folder / "in" / "m.seg.score" for folder in ("a", "b")]
    for path in paths:
        path.parent.mkdir(parents=True)
        path.write_bytes(SCORES)
    with pytest.raises(tk.ReadError, match="second file") as caught:
        tk.read(paths)
    assert caught.value.path == str(paths[1])
    for path in paths:
        path.parents[1].joinpath("scores.csv").write_text("segment,m\n1,2\n2,3\n")
    with pytest.warns(tk.RoleWarning, match="took no column for human scores"):
        assert list(tk.read([path.parents[1] / "scores.csv" for path in paths]).metrics) == ["a", "b"]


def test_a_file_in_a_layout_is_read_by_itself():
    data = tk.read(ROOT / "data/synthetic/metric-scores/qaa-qab/Contour-refA.seg.score")
    assert list(data.metrics) == ["Contour-refA"]
    assert not data.human


@pytest.mark.parametrize("inside", [False, True])
def test_a_folder_in_the_layout(monkeypatch, inside):
    root = ROOT / "data" / "synthetic" if inside else ROOT / "data"
    expected = tk.read_mtme(ROOT / "data", "synthetic", "qaa-qab")
    assert tk.read(root, testset="synthetic", language_pair="qaa-qab").digest == expected.digest
    monkeypatch.chdir(ROOT / "data" / ("synthetic" if inside else ""))
    data = tk.read(".", testset="synthetic", language_pair="qaa-qab")
    assert data.digest == expected.digest
    assert data.notes[0] == ".: read as a folder in mt-metrics-eval layout"
    with pytest.raises(tk.InputError, match="language_pair: choose one, such as language_pair='qaa-qab'; there are"):
        tk.read(root, testset="synthetic")
    with pytest.raises(tk.InputError, match="testset: there is no 'synthetics'; did you mean synthetic"):
        tk.read(root, testset="synthetics")


def test_the_home_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(write(tmp_path, mine_csv=TABLE)))
    assert tk.read("~/mine.csv").systems == ("A", "B")


def test_files_of_a_folder_that_no_format_knows_are_left_out_and_said(tmp_path):
    write(tmp_path, mqm_seg_score=SCORES, BLEU_seg_score=SCORES, notes_md=b"# hello", _hidden=b"x")
    with pytest.warns(tk.LeftOutWarning, match=r"left out notes\.md, which no format recognizes"):
        assert list(tk.read(tmp_path).metrics) == ["BLEU"]
    with pytest.raises(tk.ReadError, match=r"notes\.md: is in no known format"):
        tk.read([tmp_path / "mqm.seg.score", tmp_path / "notes.md"])


def test_a_choice_is_asked_for_only_where_there_is_one(tmp_path):
    path = write(tmp_path, mine_json=TALK) / "mine.json"
    asked = r"language_pair: choose one, such as language_pair='en-de'; there are en-de, zh-en, he-en"
    with pytest.raises(tk.InputError, match=asked):
        tk.read(path)
    assert tk.read(path, language_pair="zh-en").metrics["talk"].tolist() == [[3, 4]]
    only = {"mine.json": b'{"of": "x", "talk": {"en-de": [7, 8]}}'}
    assert tk.read(only).metrics["talk"].tolist() == [[7, 8]]
    assert tk.read(only, scale=2).metrics["talk"].tolist() == [[14, 16]]


def test_an_argument_that_the_format_does_not_have():
    with pytest.raises(tk.InputError, match=r"languagepair: the format 'talk' .* did you mean language_pair\?"):
        tk.read({"t.json": TALK}, languagepair="en-de")
    with pytest.raises(tk.InputError, match="its arguments: language_pair, judge, scale, name"):
        tk.read({"t.json": TALK}, x=1)


def test_a_format_by_name():
    assert tk.read({"t.any": TABLE}, format="table").systems == ("A", "B")
    with pytest.raises(tk.InputError, match=r"format: there is no 'tabel'; did you mean table"):
        tk.read({"t.any": TABLE}, format="tabel")
    with pytest.raises(tk.InputError, match="format: must be a name, found 3"):
        tk.read({"t.any": TABLE}, format=3)


@pytest.mark.parametrize(
    ("source", "found"),
    [
        (None, "found None"),
        (3, "found int"),
        ([], "the list is empty"),
        ({}, "the mapping is empty"),
        ("", "the path is empty"),
        (pd.Series([1, 2], index=["a", "b"]), "found a Series with the index a, b, …; pass one with the levels"),
        ({"a": "b"}, "'a' with str; pass columns as a DataFrame"),
        ({1: b"x"}, "1 with bytes"),
        ("system,segment\nA,1\n", "found a text of 19 characters, which is no path; pass contents as bytes"),
        (["a.csv", b"x"], "found list"),
    ],
)
def test_what_is_no_source(source, found):
    with pytest.raises(tk.InputError, match="source: ") as caught:
        tk.read(source)
    assert found in str(caught.value)


def test_human_scores_alone():
    data = tk.read({"en-de.mqm.seg.score": SCORES})
    assert (data.language_pair, data.gold, data.human["mqm"].tolist(), data.metrics) == (
        "en-de",
        "mqm",
        [[1, 2], [3, 4]],
        {},
    )


def test_contents_whose_lines_are_a_name_and_a_number():
    assert tk.read(SCORES.replace(b" ", b"\t")).metrics["bytes"].tolist() == [[1, 2], [3, 4]]
    with pytest.raises(tk.ReadError, match=r"or name a file of lines SYSTEM SCORE NAME\.seg\.score"):
        tk.read({"x.tsv": SCORES.replace(b" ", b"\t")})


test_what_holds_no_scores_says_where_and_what_to_do = refusals(
    lambda named: tk.read(dict([named])),
    [
        (("votes.jsonl", b'{"model_a": "x", "model_b": "y", "winner": "tie", "judge": ["j"]}'), 1, "holds votes betw"),
        (("votes.csv", b"id,model_a,model_b,winner\n1,x,y,tie\n"), 1, "holds votes between two outputs"),
        (("run.trec", b"301 Q0 d1 1 9.5 run\n"), 1, "is a run of a search engine"),
        (("2019-daRR.csv", b"lp,src,ref,pos,neg\nen-de,a,b,c,d\n"), 1, "says which of two texts is better, without"),
        (("wmt13.csv", b"srclang,srcIndex,system1Id,system1rank\nFrench,1,A,1\n"), 1, "ranks five systems in each"),
        (("DArr.csv", b"LP DATA SID BETTER WORSE\n"), 1, "says which of two translations is better"),
        (("x.jsonl", b'{"system": "A", "segment": "\\ud800", "human": 1, "BLEU": 2}'), "half of a character"),
        (
            ("x.jsonl", b'{"id": "\\ud800", "model_id": "A", "expert_annotations": []}'),
            1,
            "half of a character",
        ),
    ],
)


def test_an_open_file():
    with Path(__file__).open() as file, pytest.raises(tk.InputError, match=r"pass its contents, source\.read\(\)"):
        tk.read(file)


@pytest.mark.parametrize("make", [list, tuple])
@pytest.mark.parametrize("name", ["table", None])
def test_a_table_in_memory_goes_to_the_reader_of_tables(monkeypatch, make, name):
    given = []

    def read_rows(source, *, human=None):
        given.append((source, human))
        return tk.EvalSet("t", "", ("A",), ("1",), {}, {"m": [[1]]})

    monkeypatch.setitem(FORMATS, "table", Format("table", "a table", "", None, read_rows))
    rows = [{"system": "A", "m": 1}]
    frame = pd.DataFrame(rows)
    assert tk.read(frame, human="x", format=name).notes == ("DataFrame: read as a table",)
    assert tk.read(make(rows), format=name).notes == ("list of dicts: read as a table",)
    assert (given[0][0] is frame, given[0][1], given[1]) == (True, "x", (rows, None))
    with pytest.raises(tk.InputError, match="format: the DataFrame does not have the columns of the format 'talk'"):
        tk.read(frame, format="talk")


def test_a_file_that_is_not_there(tmp_path):
    write(tmp_path, scores_csv=TABLE)
    with pytest.raises(tk.ReadError, match=r"score\.csv: there is no such file or folder; did you mean scores\.csv\?"):
        tk.read(tmp_path / "score.csv")
    with pytest.raises(tk.ReadError, match=r"elsewhere\.csv: .*; in its folder there are scores\.csv"):
        tk.read(tmp_path / "elsewhere.csv")  # the ending alone makes no names alike
    with pytest.raises(tk.ReadError, match="does not exist, nor does its folder"):
        tk.read(tmp_path / "no" / "score.csv")
    with pytest.raises(tk.ReadError, match="cannot be read"):
        tk.read("a\0b")
    with pytest.raises(tk.ReadError, match=r"cannot be (read|found)"):
        tk.read("x" * 3000)


def test_a_pipe_does_not_block(tmp_path):
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(tk.ReadError, match=r"pipe\.csv: is neither a file nor a folder but a pipe or a device; save"):
        tk.read(tmp_path / "pipe.csv")
    with pytest.raises(tk.ReadError, match="holds no files with scores and no test set"):
        tk.read(tmp_path)


def test_folders_that_are_no_set(tmp_path):
    with pytest.raises(tk.ReadError, match="holds no files with scores and no test set"):
        tk.read(tmp_path)
    with pytest.raises(tk.ReadError, match="is a folder; give its files"):
        tk.read([tmp_path])
    write(tmp_path, a_csv=TABLE, b_json=TALK)
    with pytest.raises(tk.ReadError, match=r"do not belong together: a\.csv is one table .*; b\.json is talks as JSON"):
        tk.read(tmp_path)
    (tmp_path / "b.json").unlink()
    shutil.copy(tmp_path / "a.csv", tmp_path / "b.csv")
    assert list(tk.read(tmp_path).metrics) == ["a", "b"]
    with pytest.raises(tk.ReadError, match=r"a\.csv: is given twice"):
        tk.read([tmp_path / "a.csv"] * 2)


def test_a_folder_of_thousands_of_files_is_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr("tiekit.readers._source.MAX_FILES", 3)
    write(tmp_path, a_csv=TABLE, b_csv=TABLE, c_csv=TABLE, d_csv=TABLE)
    with pytest.raises(tk.ReadError, match="holds 4 files; give a list of those that belong together"):
        tk.read(tmp_path)


def test_very_large_files_are_refused_before_they_are_read(tmp_path):
    for name, size in (("a.csv", 65), ("b.csv", 600)):
        with (tmp_path / name).open("wb") as file:
            file.write(TABLE)
            file.truncate(size * 2**20)  # sparse
    with pytest.raises(tk.ReadError, match=r"a\.csv: has 68,157,440 bytes; the limit is 67,108,864 \(64 MB\)"):
        tk.read(tmp_path / "a.csv")
    with pytest.raises(tk.ReadError, match=r"b\.csv: has 629,145,600 bytes; the limit is 512 MB for all files"):
        tk.read(tmp_path / "b.csv")


test_what_no_format_knows = refusals(
    lambda named: tk.read(dict([named])),
    [
        (("a.ods", b"PK\x03\x04rest"), "cannot be unpacked (File is not a zip file); unpack it, and give"),
        (("a.parquet", b"PAR1rest"), "is not a Parquet file that can be opened"),
        (("a.pkl", b"\x80\x04rest"), "is a pickle"),
        (("a.html", b"<!DOCTYPE html>"), "is a page of HTML"),
        (("a.csv", b"LP DATA SID BETTER WORSE\n"), "says which of two translations is better"),
        (("a.txt", b""), "is empty"),
        (("a.txt", b" \n"), "is empty"),
        (("a.txt.gz", b"\x1f\x8b\x08 cut"), "cannot be unpacked; fetch it again"),
        (("a.txt", b"hello"), "is in no known format (.txt, begins with"),
        (("a.txt", b"hello"), "are read (docs/formats.md); write a table with the columns system, segment"),
        (
            ("a.json", b'{"results": [{"system": "A"}]}'),
            "; give one object for each score, such as {'system': 'A', 'segm",
        ),
        (("a.csv", b"version https://git-lfs.github.com/spec/v1\noid x\n"), "is a pointer of Git LFS"),
        (("a.seg.score", b"version https://git-lfs.github.com/spec/v1\noid x\n"), "is a pointer of Git LFS"),
        (("a.feather", b"ARROW1\0\0rest"), "is an Arrow or Feather file; in Python, pass pandas.read_feather(PATH)"),
        (("a.csv.bz2", b"BZh9rest"), "cannot be unpacked ("),
        (("a.csv.xz", b"\xfd7zXZ\0rest"), "cannot be unpacked ("),
        (("a.csv", b"system,segment,x\nA,1,5%\n"), "x was left out ('5%' is not a number, write 5)"),
        (("a.tsv", b"system\tsegment\tx\nA\t1\t4,961.5\n"), "('4,961.5' is not a number, write 4961.5)"),
        (("a", b"hello"), "is in no known format (no ending,"),
    ],
)


def test_an_error_names_the_file_as_its_owner_did(tmp_path):
    path = write(tmp_path, bad_csv=TABLE + b"A,3,oops,4\n") / "bad.csv"
    with pytest.raises(tk.ReadError, match="'oops'") as caught:
        tk.read(path)
    assert (caught.value.path, caught.value.line) == (str(path), 6)


@pytest.mark.parametrize(
    ("length", "pack"),
    [
        *((10, bytes), (5_000, bytes), (5_000, gzip.compress)),
        pytest.param(10, gzip.compress, marks=pytest.mark.campaign),
        *(pytest.param(300_000, pack, marks=pytest.mark.campaign) for pack in (bytes, gzip.compress)),
    ],
)
def test_json_is_known_however_long_its_first_object(tmp_path, length, pack):
    rows = [
        {"system": s, "segment": n, "prompt": "é" * length, "mqm": -n, "BLEU": len(s) * n}
        for s in ("A", "BB")
        for n in (1, 2)
    ]
    texts = [{"source": "s" * length, "hypothesis": str(n), "reference": "r", "prediction": n} for n in (1, 2)]
    segments = [{"src": "s" * length, "mt": str(n), "COMET": n} for n in (1, 2)]
    aspects = dict.fromkeys(("coherence", "consistency", "fluency", "relevance"), 3)
    notes = {"expert_annotations": [aspects] * 3, "turker_annotations": [aspects] * 5}
    aligned = [{"id": n, "text": "a" * length, "model_id": "M0", "decoded": "x", **notes} for n in "12"]
    dumped = {"ensure_ascii": False}
    files = {
        "rows.jsonl": ("one table", "\n".join(json.dumps(row, **dumped) for row in rows)),
        "rows.json": ("one table", json.dumps(rows, indent=1, **dumped)),
        "texts.jsonl": ("MetricX", "\n".join(map(json.dumps, texts))),
        "segments.json": ("COMET", json.dumps({"A.txt": segments, "B.txt": segments})),
        "aligned.jsonl": ("annotations of SummEval", "\n".join(map(json.dumps, aligned))),
    }
    for name, (label, text) in files.items():
        path = tmp_path / (name + ".gz" * (pack is gzip.compress))
        path.write_bytes(pack(text.encode()))
        for source in (path, {path.name: path.read_bytes()}, path.read_bytes()):
            assert f"read as {label}" in tk.read(source).notes[0]


def test_json_of_no_known_format_is_told_of_the_table(tmp_path):
    (tmp_path / "x.json").write_bytes(json.dumps({"a": {"b": ["c"]}, "d": "e" * 5_000}).encode())
    with pytest.raises(tk.ReadError, match=r"x\.json: expected .*give one object for each score, .* in an array"):
        tk.read(tmp_path / "x.json")
    for nested in ({"a": {"b": ["c"]}, "d": {"b": ["k"]}}, {"a": {"b": {"d": {"r": {"z": 4}}}}}):
        with pytest.raises(tk.ReadError, match=r"^x\.json: .*; give one object for each score, .* in an array$"):
            tk.read({"x.json": json.dumps(nested).encode()})
    (tmp_path / "y.json").write_bytes(b'[{"x": {"y": {"z": 5}}}]')
    with pytest.raises(tk.ReadError, match=r"in no known format .*give one object for each score.*format='table'"):
        tk.read(tmp_path / "y.json")
