import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from ui.work.text import as_label, exact, format_number, format_p, format_ranked, p_alone, plain, vector


@given(st.floats(allow_infinity=False))
def test_numbers_are_written_in_full(value):
    assert float(exact(value)) == pytest.approx(value, rel=0, abs=0, nan_ok=True)


def test_whole_numbers_have_no_point():
    assert [exact(value) for value in (0.0, -5.0, 0.1, 1e22, math.nan)] == ["0", "-5", "0.1", "1e+22", "nan"]


@given(st.lists(st.floats(allow_infinity=False), max_size=9))
def test_a_written_vector_is_read_back(values):
    assert tk.parse_vector(vector(values)) == pytest.approx(values, rel=0, abs=0, nan_ok=True)


@pytest.mark.parametrize(
    "text", ["**b**", "<b>", "[a](http://b)", "$x$", "`c`", "# h", ":material/x:", "a_b", "| a |", "~~s~~"]
)
def test_marks_of_markdown_are_escaped(text):
    escaped = plain(text)
    assert escaped.replace("\\", "").replace("\u200c", "") == text
    for at, sign in enumerate(escaped):
        if sign in "*<[]$`#_|~":
            assert escaped[at - 1] == "\\"
        if sign == ":":
            assert not escaped[at + 1 : at + 2].isalnum()


@pytest.mark.parametrize("text", ["http://evil.com", "https://a.b/c", "www.evil.com", "a@evil.com", "&lt;b&gt;"])
def test_no_link_and_no_entity_is_left(text):
    escaped = plain(text)
    assert "://" not in escaped
    assert "www." not in escaped
    assert "@e" not in escaped
    assert "&" not in escaped.replace("\\&", "")


@pytest.mark.parametrize(
    ("value", "form", "text"),
    [
        (-0.12345, ".3f", "−0.123"),
        (0.5, "+.3f", "+0.500"),
        (-1234.5, "+,.1f", "−1,234.5"),
        (-1e-5, ".4g", "−1e-05"),
        (math.nan, ".3f", "undefined"),
    ],
)
def test_numbers_have_a_true_minus_and_one_mark_where_they_are_undefined(value, form, text):
    assert format_number(value, form) == text
    assert format_number(value, form, missing=text) == text


@pytest.mark.parametrize(
    ("p", "table", "sentence"),
    [
        (0.0123, "0.012", "p = 0.012"),
        (0.0005, "0.001", "p = 0.001"),
        (0.0004, "< .001", "p < .001"),
        (1.0, "1.000", "p = 1.000"),
        (float("nan"), "undefined", "p is undefined"),
    ],
)
def test_a_p_value_is_never_written_as_zero(p, table, sentence):
    assert p_alone(p) == table
    assert format_p(p) == sentence


def test_a_rank_stands_behind_a_value_and_behind_none_that_is_missing():
    assert format_ranked(-0.5123, 3.0) == "−0.512 (3)"
    assert format_ranked(float("nan"), 3.0) == "undefined"


@pytest.mark.parametrize("name", ["COMET-22", "acc_eq* (⋆)", "MetricX_1.2", "a=b +c%", "−τ", "BLEU (refA), 2"])
def test_the_label_of_an_honest_name_is_the_name(name):
    assert as_label(name.replace("*", "")) == name.replace("*", "")


@pytest.mark.parametrize(
    "name",
    [
        "![i](http://e.example/j.png)",
        "**b**",
        "[x](y)",
        "$x$",
        ":red[a]",
        "_b_",
        "a@e.example",
        "www.e.example",
        "1. a",
        "# a",
    ],
)
def test_the_label_of_a_hostile_name_is_text(name):
    assert as_label(name) == plain(name) != name


def test_what_turns_the_direction_of_writing_is_shown_not_done():
    assert plain("a\u202egnp\u2066c") == "a\N{REPLACEMENT CHARACTER}gnp\N{REPLACEMENT CHARACTER}c"
