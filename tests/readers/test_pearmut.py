"""Annotations of Pearmut: which lines count, what is averaged, and what is refused."""

import json
from pathlib import Path

import numpy as np
import pytest

import tiekit as tk
from tests.readers.refusals import refusals
from tiekit.readers import pearmut_pairs, read_pearmut

SAMPLE = Path(__file__).parent / "samples" / "pearmut_cesa.jsonl"


def item(name, source="a", **texts):
    return {"item_id": name, "src": source, "tgt": texts or {"A": "b"}}


def entry(items, annotations, user="u1", number=0):
    return json.dumps({"annotation": annotations, "item": items, "user_id": user, "item_i": number}) + "\n"


def scored(**scores):
    return {system: {"score": score, "error_spans": []} for system, score in scores.items()}


def read(*lines, **options):
    return read_pearmut({"campaign.jsonl": "".join(lines).encode()}, **options)


def test_the_sample():
    assert pearmut_pairs(SAMPLE) == ("cs-de_DE",)
    data = tk.read(SAMPLE, spans=True, by_rater=True)
    assert (data.name, data.language_pair, data.gold) == ("pearmut_cesa", "cs-de_DE", "esa")
    assert (data.systems, data.segments) == (("Kite", "Moth"), ("news_#_harbor.12_#_0", "news_#_harbor.12_#_1"))
    np.testing.assert_array_equal(data.human["esa"], [[70, 95], [45, 95]])  # the first ones of two persons, 80 and 60
    np.testing.assert_array_equal(data.human["esa-calm-owl-1"], [[80, 95], [60, 95]])
    np.testing.assert_array_equal(data.human["esa-brave-elk-7"], [[60, np.nan], [30, np.nan]])
    np.testing.assert_array_equal(data.human["spans"], [[-2, 0], [-3, 0]])
    np.testing.assert_array_equal(data.raters["esa"], [[2, 1], [2, 1]])
    assert (data.documents, data.domains) == (("harbor.12", "harbor.12"), ("news", "news"))
    assert data.sources == ("Lodě vyplouvají brzy.", "Molo je zavřené.")
    assert data.outputs["Moth"] == ("Boote bald.", "Mole zu.")
    assert data.notes[-3:] == (
        "Pearmut: 6 scores of 2 persons, 4 translations",
        "2 translations have several scores; their mean is the score",
        "left out: 2 items that were skipped, 1 lines of tutorials, repeated items and last pages, "
        "1 translations without a score",
    )
    assert data.identical.tolist() == [[0, 0], [1, 0]]


def test_other_names_tell_no_language_pair():
    lines = entry([item("en-es-0"), item("en-es-1", "c")], [scored(A=70), scored(A=80)])
    assert pearmut_pairs({"a.jsonl": lines.encode()}) == ("",)
    assert read(lines).language_pair == ""
    data = read(lines, language_pair="en-es", name="mine")
    assert (data.name, data.language_pair, data.segments) == ("mine", "en-es", ("en-es-0", "en-es-1"))
    assert (data.gold, data.documents, data.sources) == ("da", (), ("a", "c"))


def test_several_pairs_are_asked_about():
    ids = ("cs-uk_UA_#_news_#_d_#_0", "cs-de_DE_#_news_#_d_#_0")
    lines = [entry([item(name)], [scored(A=value)]) for name, value in zip(ids, (10, 20), strict=True)]
    with pytest.raises(tk.InputError, match=r"language_pair: .* holds several, cs-uk_UA, cs-de_DE; choose one"):
        read(*lines)
    np.testing.assert_array_equal(read(*lines, language_pair="cs-de_DE").human["da"], [[20]])


def test_segments_without_a_name_are_numbered():
    bare = {"src": "a", "tgt": {"A": "b"}}
    data = read(entry([bare, {**bare, "src": "c"}], [scored(A=1), scored(A=2)]), entry([bare], [scored(A=3)], "u2"))
    assert data.segments == ("item 1", "item 2")
    np.testing.assert_array_equal(data.human["da"], [[2, 2]])


@pytest.mark.parametrize("number", ["welcome_0", "random_12", "goodbye_1"])
def test_what_pearmut_does_not_count_is_left_out(number):
    data = read(entry([item("x")], [scored(A=1)]), entry([item("x")], [scored(A=99)], number=number))
    np.testing.assert_array_equal(data.human["da"], [[1]])
    with pytest.raises(tk.ReadError, match="has no score that counts"):
        read(entry([item("x")], [scored(A=99)], number=number))


def test_the_order_of_lines_decides_only_what_was_submitted_twice():
    one, two = (entry([item("x")], [scored(A=value)], user) for value, user in ((10, "u1"), (30, "u2")))
    again = entry([item("x")], [scored(A=20)], "u1")
    assert read(one, two).human["da"] == read(two, one).human["da"] == 20
    assert read(one, two, again).human["da"] == read(two, one, again).human["da"] == 25
    assert read(again, one).human["da"] == 10


test_what_is_refused = refusals(
    lambda bad: read(entry([item("x")], [scored(A=1)]), bad),
    [
        ("{\n", 2, "is not JSON"),
        ("3\n", 2, "expected one object per line"),
        (json.dumps({"item": []}), 2, 'as many objects in "item" as in "annotation"'),
        (entry([item("x")], []), 2, 'as many objects in "item" as in "annotation"'),
        (entry([item("x")], [scored(A=1)], user=""), 2, 'the person in "user_id"'),
        (entry([item("")], [scored(A=1)]), 2, 'the item\'s name in "item_id"'),
        (entry([item("cs-de_DE_#_x")], [scored(A=1)]), 2, "expected an identifier PAIR"),
        (entry([3], [scored(A=1)]), 2, 'texts by system in "tgt"'),
        (entry([item("x")], [[1]]), 2, 'texts by system in "tgt"'),
        (entry([item("x")], [{"A": 7}]), 2, "an object with \"score\" of 'A'"),
        (entry([item("x")], [{"": {"score": 7}}]), 2, 'an object with "score"'),
        (entry([item("x")], [{"A": {"score": "good"}}]), 2, "good"),
        (entry([item("x")], [{"A": {"score": True}}]), 2, "a score of 'A'"),
        (entry([item("x")], [{"A": {"score": 1, "error_spans": 3}}]), 2, "a list in \"error_spans\" of 'A'"),
        (entry([item("x", "another source")], [scored(A=1)], "u2"), 2, "another source for segment 'x'"),
    ],
)
