"""JSON with errors that name the line: what is missing, what is refused, and what takes linear time."""

import gzip
import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.readers.refusals import refusals
from tiekit.errors import ReadError
from tiekit.readers import _json
from tiekit.readers._json import objects, parse_json, stream_objects, to_score
from tiekit.readers._source import File

LEAVES = st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False)
TEXTS = st.text(max_size=4)
VALUES = LEAVES | TEXTS | st.lists(LEAVES, max_size=3) | st.dictionaries(TEXTS, LEAVES, max_size=2)


@given(st.lists(st.dictionaries(TEXTS, VALUES, min_size=1, max_size=3), min_size=1, max_size=3), st.booleans())
def test_what_is_written_is_read(items, ascii_only):
    lines = "\n".join(json.dumps(item, ensure_ascii=ascii_only) for item in items)
    try:
        json.dumps(items, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return
    numbered = list(enumerate(items, start=1))
    assert objects("x", lines) == numbered
    assert list(stream_objects(File("x", "x", lines.encode()), len)) == numbered
    whole = json.dumps(items, ensure_ascii=ascii_only, indent=2)
    found = objects("x", whole)
    assert [value for _, value in found] == items
    assert [whole.split("\n")[line - 1].strip()[0] for line, _ in found] == ["{"] * len(items)


test_what_is_refused = refusals(
    lambda text: objects("x.jsonl", text),
    [
        ('{"a": 1}\n{"a": }', 2, "is not JSON (Expecting value, column 7)"),
        ('{"a": 1}\n\n{"a": 1, "b": 2, "a": 3}', 3, "one object has the key 'a' twice; keep one"),
        ('{"a": Infinity}', 1, "Infinity is not a score; write a finite"),
        ('{"a": -Infinity}', 1, "-Infinity is not a score"),
        ('{"a": 1e-400}', 1, "'1e-400' is too small; write 0"),
        ('{"a": ' + "9" * 5000 + "}", 1, "holds a whole number of thousands of digits"),
        ('{"a": ' * 100_000, 1, "is nested too deeply"),
        ('{"a": "\\ud800"}', 1, "holds half of a character"),
        ("[1]", 1, "expected one object per line; found 1"),
        ('{"a": 1}\n[1]', 2, "expected one object per line; found [1]"),
        ('[{"a": 1},\n\n {"a": 2},\n 3]', 4, "expected one object per line; found 3"),
        ("[]", 1, "holds an empty list"),
    ],
)


def test_zeros_stay_zeros():
    assert parse_json("x", "[0.0, -0.0, 0e7, 0.000E-999, 1e-300]") == [0, 0, 0, 0, 1e-300]


test_what_is_no_score = refusals(
    lambda value: to_score("x", value, line=7),
    [
        (True, 7, "expected a score; found true"),
        ([1], 7, "expected a score; found [1]"),
        ("good", 7, "'good' is not a score"),
        ("1,5", 7, "has a decimal comma"),
        (10**400, 7, "too large"),
        (1e999, 7, "too large"),
    ],
)


def test_files_are_streamed(tmp_path, monkeypatch):
    lines = '{"a": "é"}\n{"a": 2}\n'
    expected = [(1, {"a": "é"}), (2, {"a": 2})]
    for number, data in enumerate(
        (lines.encode(), gzip.compress(lines.encode()), lines.encode("utf-16"), b"\xef\xbb\xbf" + lines.encode())
    ):
        path = tmp_path / f"{number}.jsonl"
        path.write_bytes(data)
        assert list(stream_objects(File(path.name, str(path), path), len)) == expected
        assert list(stream_objects(File(path.name, str(path), data), len)) == expected
    seen = []
    list(stream_objects(File("x", "x", lines.encode()), seen.append))
    assert b"".join(seen) == lines.encode()
    monkeypatch.setattr(_json, "LARGEST", 20)
    with pytest.raises(ReadError, match="line 2: has more than"):
        list(stream_objects(File("x", "x", lines.encode() * 9), len))


test_bad_streams = refusals(
    lambda data: list(stream_objects(File("x", "x", data), len)),
    [
        (b'{"a": 1}\n{"a": "\xff"}', 2, "is not a text file in UTF-8"),
        (b"\x1f\x8bnothing", "cannot be read"),
        (gzip.compress(b'{"a": 1}\n' * 999, mtime=0)[:-9], "cannot be read"),
        (b"3\n", 1, "expected one object per line; found 3"),
    ],
)


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(ReadError, match="is no file; expected the path of a file"):
        list(stream_objects(File("x", "x", tmp_path), len))


def test_time_is_linear():
    many = ",".join(f'"{number}": {number}' for number in range(40_000))
    start = time.process_time()
    with pytest.raises(ReadError, match="'7' twice"):
        parse_json("x", f'{{{many}, "7": 1}}')
    parse_json("x", "[" + ",".join(["9" * 4000] * 100) + "]")
    objects("x", "[" + ",\n".join(['{"a": 1}'] * 50_000) + "]")
    assert time.process_time() - start < 2
