import contextlib
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from tests.readers.refusals import refusals

NAN = math.nan


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0 0 1", [0, 0, 1]),
        (".5 1e-3 -2. +4", [0.5, 0.001, -2, 4]),
        ("1\t2\r\n3\n4", [1, 2, 3, 4]),
        ("1, 2, 3", [1, 2, 3]),
        ("1,2,3,4", [1, 2, 3, 4]),
        ("0.1,0.2", [0.1, 0.2]),
        ("1; 2;3", [1, 2, 3]),
        ("[1, 2.5, nan]", [1, 2.5, NAN]),
        ("(1, 2)", [1, 2]),
        ("nan NaN None NA n/a null - –", [NAN] * 8),
        ("−1 -2", [-1, -2]),
        ("1, 2,", [1, 2]),
        ("", []),
        ("   ", []),
    ],
)
def test_what_people_type_arrives_as_typed(text, expected):
    assert tk.parse_vector(text) == pytest.approx(expected, nan_ok=True)


test_what_cannot_be_meant_is_refused_by_name_and_position = refusals(
    lambda text: tk.parse_vector(text, "m1"),
    [
        ("1 1,5 2", "m1, score 2: '1,5' has a comma; write 1.5 for a decimal, or"),
        ("0 ,5", "m1, score 2: ',5' has a comma"),
        ("1,234,567", "m1, score 1: '1,234,567' can be read in two ways"),
        ("1 two 3", "m1, score 2: 'two' is not a number"),
        ("1 inf", "m1, score 2: 'inf' is not a number"),
        ("1 1e999", "m1, score 2: '1e999' is too large"),
        ("1_000", "m1, score 1: '1_000' is not a number"),
        ("１ ２", "m1, score 1: '１' is not a number"),
        ("0x10", "m1, score 1: '0x10' is not a number"),
        ("1--2", "m1, score 1: '1--2' is not a number"),
        ("1e 2", "m1, score 1: '1e' is not a number"),
        ("1 2 3,a", "m1, score 3: 'a' is not a number"),
    ],
    tk.InputError,
)


@given(
    st.lists(st.floats(allow_infinity=False), max_size=20), st.sampled_from([" ", "\t", "\n", ", ", "; ", "  ", ";"])
)
def test_written_numbers_are_read_back(values, separator):
    text = separator.join(repr(value) for value in values)
    assert tk.parse_vector(text) == pytest.approx(values, rel=0, abs=0, nan_ok=True)


@given(st.text(max_size=30))
def test_any_text_is_read_or_refused(text):
    with contextlib.suppress(tk.InputError):
        assert not any(math.isinf(value) for value in tk.parse_vector(text))
