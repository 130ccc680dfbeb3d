"""Human scores of WMT's general task: which names they get, and what is kept of the texts."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from tests.readers.refusals import refusals
from tiekit.errors import InputError, ReadError
from tiekit.readers import humeval_pairs, read_humeval

SAMPLES = Path(__file__).parent / "samples"
NAN = np.nan


def line(scores, doc="en-ja_#_news_#_d1_#_0", **more):
    return json.dumps({"scores": scores, "src_text": "a", "tgt_text": {}, "doc_id": doc} | more) + "\n"


def read(text, **options):
    return read_humeval({"humeval.jsonl": text.encode()}, **options)


def test_2025():
    path = SAMPLES / "humeval_2025.jsonl"
    assert humeval_pairs(path) == ("cs-de_DE", "cs-uk_UA")
    data = read_humeval(path, language_pair="cs-de_DE")
    assert (data.name, data.language_pair, data.gold) == ("humeval_2025", "cs-de_DE", "esa-human1")
    assert data.systems == ("Kite", "Moth", "refA")
    assert data.segments == ("news_#_harbor.12_#_0", "news_#_harbor.12_#_1", "social_#_7_#_0")
    assert list(data.human) == ["esa-human1", "esa-human2", "esa-merged"]
    np.testing.assert_array_equal(data.human["esa-human1"], [[90, NAN, NAN], [30, NAN, NAN], [100, NAN, NAN]])
    np.testing.assert_array_equal(data.human["esa-human2"], [[70, NAN, 50], [NAN, NAN, NAN], [NAN, NAN, NAN]])
    np.testing.assert_array_equal(data.human["esa-merged"], [[80, NAN, 50], [30, NAN, NAN], [100, NAN, NAN]])
    assert (data.documents, data.domains) == (("harbor.12", "harbor.12", "7"), ("news", "news", "social"))
    assert data.sources == ("Lodě vyplouvají brzy.", "Molo je zavřené.", "Mlha.")
    assert data.outputs["Kite"] == ("Boote frueh.", "Mole zu.", "Nebel.")
    assert data.references == {"refA": data.outputs["refA"]}
    assert data.standard_reference == "refA"
    assert data.notes == (
        "human scores of WMT's general task: 2 of 3 segments of cs-de_DE are rated",
        "left out, as nobody rated them: Newt",
    )
    with pytest.raises(ReadError, match="has no human score of cs-uk_UA; choose another language pair"):
        read_humeval(path, language_pair="cs-uk_UA")


def test_2024():
    path = SAMPLES / "humeval_2024.jsonl"
    with pytest.raises(InputError, match=r"language_pair: .* holds several, en-is, en-es; choose one"):
        read_humeval(path)
    data = read_humeval(path, language_pair="EN-IS", name="wmt24")
    assert (data.name, data.language_pair, data.gold) == ("wmt24", "en-is", "esa")
    assert (data.systems, data.segments) == (("Kite", "refA"), ("1", "5"))
    np.testing.assert_array_equal(data.human["esa"], [[65, 80], [95, NAN]])
    assert data.outputs["refA"] == ("Die Boote fahren frueh ab.", "")
    assert data.notes[1] == "esa is the mean of all scores that a translation got"
    mqm = read_humeval(path, language_pair="en-es")
    assert (mqm.gold, mqm.human["mqm"].tolist(), mqm.segments) == ("mqm", [[-5]], ("10",))


def test_several_protocols_have_no_gold():
    scores = {"A": [{"score": 90}, {"score": -1, "protocol": "MQM"}], "B": [{"score": "70"}, {"score": None}]}
    data = read(line(scores))
    assert (list(data.human), data.gold) == (["esa", "mqm"], None)
    np.testing.assert_array_equal(data.human["mqm"], [[-1], [NAN]])
    np.testing.assert_array_equal(data.human["esa"], [[90], [70]])


def test_names_of_objects():
    data = read(line({"A": {"human": 5, "protocol": "mqm"}}))
    assert (list(data.human), data.gold) == (["mqm"], "mqm")
    data = read(line({"A": {"human1": 5, "human2": 6, "protocol": "MQM"}}))
    assert (list(data.human), data.gold) == (["mqm-human1", "mqm-human2", "mqm-merged"], "mqm-human1")


def test_compressed_and_bytes_are_the_same():
    content = (SAMPLES / "humeval_2025.jsonl").read_bytes()
    plain = read_humeval(SAMPLES / "humeval_2025.jsonl", language_pair="cs-de_DE")
    packed = read_humeval({"x.jsonl.gz": gzip.compress(content)}, language_pair="cs-de_DE")
    np.testing.assert_array_equal(plain.human["esa-merged"], packed.human["esa-merged"])
    assert (plain.digest, packed.name) == (packed.digest, "x")


GOOD = line({"A": {"human1": 1}})
OTHER = "en-ja_#_news_#_d1_#_1"


test_bad_lines = refusals(
    lambda bad: read(GOOD + bad),
    [
        ("[]", 2, "expected one object per line"),
        ('{"a": 1}', 2, 'expected one segment with "scores" and'),
        (line({}, doc="en-ja"), 2, "expected an identifier"),
        (line({"A": {"human1": 1}}), 2, "found the segment '1' again, after line 1"),
        (line({"A": {"human1": "good"}}, doc=OTHER), 2, "'good' is not a score"),
        (line({"A": {"human1": [1]}}, doc=OTHER), 2, "expected a score of 'A'; found [1]"),
        (line({"A": 3}, doc=OTHER), 2, 'expected an object with "human1", or a list'),
        (line({"A": [3]}, doc=OTHER), 2, 'list of objects with "score", of'),
        (line({" ": {"human1": 1}}, doc=OTHER), 2, "found a system without a name"),
        (line({}, doc=OTHER, src_text=3), 2, 'expected a text in "src_text"; found 3'),
        (line({}, doc=OTHER, tgt_text=["a"]), 2, 'expected one text per system in "tgt_text"'),
        (line({}, doc=OTHER, tgt_text={"A": 3}), 2, 'expected one text per system in "tgt_text"'),
    ],
)


def test_an_empty_file():
    with pytest.raises(ReadError, match="is empty; expected one object per segment"):
        read("\n\n")
    with pytest.raises(ReadError, match="is empty; expected one object per segment"):
        humeval_pairs({"x.jsonl": b"{}\n"})


def test_a_long_name_of_an_unrated_system_is_cut():
    text = (SAMPLES / "humeval_2025.jsonl").read_bytes().replace(b"Newt", b"N" + 5000 * b"e")
    data = read_humeval({"humeval_2025.jsonl": text}, language_pair="cs-de_DE")
    assert data.notes[1].startswith("left out, as nobody rated them: Nee")
    assert len(data.notes[1]) < 150
