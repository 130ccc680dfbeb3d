"""What a file holds is counted before it is kept: more than the limit is refused with both numbers, less is read."""

import gzip
import re
import time

import pytest

import tiekit as tk
from tiekit.readers import _amounts, _source


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.csv", b"a," * 10_000 + b"b\n", "x.csv, line 1: has 10,001 columns; the limit is 10,000; give the columns"),
        ("x.csv", b"a,b\n" + b"1,2\n" * 1_000_001, "x.csv: has 1,000,002 rows; the limit is 1,000,000; split it"),
        (
            "x.csv",
            b"a,b,c,d,e,f\n" + b"1,2,3,4,5,6\n" * 833_334,
            "has 5,000,004 cells below the first line; the limit is 5,000,000",
        ),
        ("x.txt", b"1\n" * 1_000_002, "has 1,000,002 rows; the limit is 1,000,000"),
        ("x.jsonl", b'{"a": 1}\n{}\n', "x.jsonl, line 2: holds an object without fields"),
        ("x.json", b'{"a":[' + b"1," * 5_000_001 + b"1]}", "has 5,000,001 values; the limit is 5,000,000"),
        ("x.json", b'{"sys":[' + b'{"COMET":1},' * 500_000 + b'{"COMET":1}]}', "has 500,002 objects, 1 lists"),
        (
            "x.seg.score",
            b"".join(b"%d 1\n" % n for n in range(50_001)),
            "has 50,001 different systems in its first 50,001 lines",
        ),
    ],
)
def test_too_much_is_refused_with_what_was_found_and_the_limit(name, content, message):
    with pytest.raises(tk.ReadError, match=re.escape(message)):
        tk.read({name: content})


def test_a_compressed_file_unpacks_to_so_many_times_its_bytes(monkeypatch):
    rows = b"system,segment,mqm\n" + b"A,1,1\n" * 20_000
    packed = gzip.compress(rows)
    monkeypatch.setattr(_source, "ALWAYS_UNPACKED", 50_000)
    assert len(rows) > 100 * len(packed)
    limit = rf"unpacks to more than 50,000 bytes \(0 MB\), the limit for {len(packed)} packed bytes; split it"
    with pytest.raises(tk.ReadError, match=limit):
        tk.read({"x.csv.gz": packed})
    with pytest.raises(tk.ReadError, match="holds 10,001 packed parts one after the other; unpack it, and"):
        tk.read({"x.csv.gz": gzip.compress(b"1\n") * 10_001})


@pytest.mark.campaign
def test_a_million_rows_and_five_million_cells_are_read_in_seconds():
    lines = b"".join(b"s%d,%d,%d,0.%d,1\n" % (n % 20, n // 20, n % 25, n % 9999) for n in range(_amounts.MAX_ROWS))
    start = time.process_time()
    data = tk.read({"x.csv": b"system,segment,mqm,BLEU,chrF\n" + lines})
    assert time.process_time() - start < 5
    assert data.metrics["BLEU"].shape == (20, 50_000)
