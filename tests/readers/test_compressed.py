"""Compressed files of the layout are read as the files in them, and lengths as the texts they stand for."""

import gzip
from pathlib import Path

import pytest

from tests.readers.refusals import refusals
from tiekit.errors import ReadError
from tiekit.readers import FORMATS, list_mtme, read_mtme, read_score_files, recognize

FILES = {
    "set/human-scores/en-de.mqm.seg.score": b"refA 0\nrefA -1\nB -1\nB None\n",
    "set/metric-scores/en-de/X-src.seg.score": b"refA 5\nrefA 6\nB 3\nB 4\nA 1\nA 2\n",
    "set/documents/en-de.docs": b"news\tdoc1\nsocial doc2\n",
    "set/sources/en-de.txt": b"eins\nzwei\n",
    "set/system-outputs/en-de/A.txt": b"one\n\n",
    "set/system-outputs/en-de/B.jsonl": b'{"hypothesis": "un"}\n{"hypothesis": "deux"}\n',
    "set/system-outputs/en-de/refA.txt": b"one\ntwo\n",
    "set/references/en-de.refA.txt": b"one\ntwo\n",
}
PACKED = {f"{path}.gz": gzip.compress(data) for path, data in FILES.items()}
TEXTS = ("sources", "references", "system-outputs")
LENGTHS = "set/lengths/en-de.tsv"
TABLE = (
    b"sources\treferences/refA\tsystem-outputs/A\tsystem-outputs/B\tsystem-outputs/refA\n4\t3\t3\t2\t3\n4\t3\t0\t4\t3\n"
)
BARE = {path: data for path, data in FILES.items() if path.split("/")[1] not in TEXTS}


@pytest.fixture
def folder(tmp_path):
    for path, data in PACKED.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)
    return tmp_path


def test_a_compressed_set_is_the_set_with_its_digest(folder):
    plain = read_mtme(FILES, "set", "en-de")
    uploaded = {f"up\\{path}".replace("/", "\\"): data for path, data in PACKED.items()}
    some = FILES | dict(list(PACKED.items())[:3])
    for path in list(FILES)[:3]:
        del some[path]
    for source in (folder, PACKED, uploaded, some):
        data = read_mtme(source, "set", "en-de")
        assert list_mtme(source) == {"set": ("en-de",)}
        assert (data.digest, data.systems, data.outputs) == (plain.digest, ("A", "B", "refA"), plain.outputs)
        assert (data.sources, data.references, data.documents) == (plain.sources, plain.references, plain.documents)
        assert data.human["mqm"].tobytes() == plain.human["mqm"].tobytes()
        assert data.metrics["X-src"].tobytes() == plain.metrics["X-src"].tobytes()


def test_a_file_that_lies_there_twice_is_refused(folder):
    name = "set/metric-scores/en-de/X-src.seg.score"
    (folder / name).write_bytes(FILES[name])
    for source in (folder, FILES | PACKED):
        with pytest.raises(ReadError, match=r"is a second file for .* beside .*; keep one of them"):
            read_mtme(source, "set", "en-de")


def test_score_files_may_be_compressed():
    plain = {Path(name).name: FILES[name] for name in BARE}
    packed = {f"{name}.gz": gzip.compress(data) for name, data in plain.items()}
    one = read_score_files(plain, human="en-de.mqm.seg.score")
    other = read_score_files(packed, human="en-de.mqm.seg.score.gz")
    assert list(one.metrics) == list(other.metrics) == ["X-src"]
    assert (one.digest, one.language_pair) == (other.digest, other.language_pair)
    assert recognize(packed) is FORMATS["scores"]
    assert recognize(PACKED) is FORMATS["mtme"]
    question = next(FORMATS["scores"].questions(packed, {}))
    assert (question.usual, len(question.options)) == (("en-de.mqm.seg.score.gz",), 2)


@pytest.mark.parametrize("lengths", [{LENGTHS: TABLE}, {f"{LENGTHS}.gz": gzip.compress(TABLE, mtime=0)}])
def test_lengths_stand_in_for_texts(lengths):
    whole, bare = read_mtme(FILES, "set", "en-de"), read_mtme(BARE | lengths, "set", "en-de")
    assert (bare.sources, bare.references, bare.outputs) == ((), {}, {})
    assert bare.lengths == whole.lengths
    assert bare.systems == whole.systems
    assert bare.digest == read_mtme(BARE | {LENGTHS: TABLE}, "set", "en-de").digest
    assert read_mtme(BARE, "set", "en-de").systems == ("refA", "B", "A")


def test_texts_come_before_lengths():
    wrong = TABLE.replace(b"4\t3\t0", b"9\t9\t9")
    assert read_mtme(FILES | {LENGTHS: wrong}, "set", "en-de").lengths == read_mtme(FILES, "set", "en-de").lengths


test_lengths_that_are_refused = refusals(
    lambda table: read_mtme(BARE | {LENGTHS: table}, "set", "en-de"),
    [
        (TABLE.replace(b"sources", b"source"), 1, "found the column 'source'; expected"),
        (TABLE.replace(b"outputs/B", b"outputs/A"), 1, "found the column 'system-outputs/A'"),
        (TABLE.replace(b"outputs/B", b"outputs/"), 1, "found the column 'system-outputs/'"),
        (TABLE.replace(b"4\t3\t0", b"4\t0"), 3, "found 4 cells, expected 5"),
        (TABLE.replace(b"4\t3\t0", b"4\t3\t-1"), 3, "'-1' is no number of characters"),
        (TABLE.replace(b"4\t3\t0", b"4\t3\t" + b"1" * 5000), 3, "is no number of characters"),
        (TABLE.replace(b"4\t3\t0", b"4\t3\t\xd9\xa3"), 3, "is no number of characters"),
        (TABLE.splitlines()[0], 1, "found 0 segments, expected 2"),
        (TABLE + b"1\t1\t1\t1\t1\n", 4, "found 3 segments, expected 2"),
    ],
)


def test_lengths_of_an_unknown_system_are_refused():
    known = {LENGTHS: TABLE.replace(b"outputs/A", b"outputs/C")}
    with pytest.raises(ReadError, match="unknown system 'A'; expected one that has outputs: B, C, refA"):
        read_mtme(BARE | known, "set", "en-de")
