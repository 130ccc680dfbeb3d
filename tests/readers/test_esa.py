"""Human scores of WMT's general task: names, texts, and which rows of an export of Appraise count."""

import json
import warnings
from pathlib import Path

import numpy as np
import pytest

import tiekit as tk
from tests.readers.refusals import refusals
from tiekit.errors import InputError, ReadError
from tiekit.readers import appraise_pairs, humeval_pairs, read_appraise, read_humeval

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


SAMPLE = Path(__file__).parent / "samples" / "appraise_esa.csv"
ROW = "a1,Kite,0,TGT,eng,jpn,80,d1,False,[],1,2\n"


def read_export(text, **options):
    return read_appraise({"esa.csv": text.encode()}, **options)


def test_rows_that_count():
    assert appraise_pairs(SAMPLE) == ("en-ja", "en-zh")
    data = read_appraise(SAMPLE, language_pair="en-ja")
    assert (data.name, data.language_pair, data.gold) == ("appraise_esa", "en-ja", "esa")
    assert (data.systems, data.segments) == (("Kite", "refA", "Moth"), ("1", "2", "5"))
    np.testing.assert_array_equal(data.human["esa"], [[65, 80, np.nan], [95, np.nan, np.nan], [np.nan, np.nan, 33.5]])
    assert data.documents == ("test-en-news_harbor.12", "test-en-news_harbor.12", "test-en-social_7")
    assert data.domains == ("news", "news", "social")
    assert (data.standard_reference, dict(data.metrics)) == ("refA", {})
    assert data.notes == (
        "Appraise export: 5 rows of en-ja kept, 4 translations rated",
        "1 translations have several ratings; their mean is the score",
        "left out of the whole file: 1 rows of tutorials, 1 rows of type BAD, 1 rows of documents marked #dup, "
        "1 rows of documents marked #incomplete",
    )
    other = read_appraise({"x.csv": SAMPLE.read_bytes()}, language_pair="en-zh", name="mine")
    assert (other.name, other.systems, other.human["esa"].tolist()) == ("mine", ("Moth",), [[50]])
    headed = tk.read({"x.csv": b"a,s,n,t,x,y,score,d,f,e,b,c\n" + SAMPLE.read_bytes()}, language_pair="en-zh")
    assert (headed.gold, headed.human["esa"].tolist()) == ("esa", [[50]])


def test_a_pair_must_be_chosen():
    with pytest.raises(InputError, match=r"language_pair: .* holds several, en-ja, en-zh; choose one"):
        read_appraise(SAMPLE)
    with pytest.raises(InputError, match="there is no 'en-de'"):
        read_appraise(SAMPLE, language_pair="en-de")
    assert read_export(ROW).language_pair == "en-ja"


@pytest.mark.parametrize(("codes", "pair"), [("ces,plk", "cs-pl"), ("ISL,pol", "is-pl"), ("eng,mas", "en-mas")])
def test_codes_of_languages(codes, pair):
    assert appraise_pairs({"x.csv": ROW.replace("eng,jpn", codes).encode()}) == (pair,)


def test_lines_are_put_in_order():
    data = read_export(ROW.replace(",0,", ",10,") + ROW.replace(",0,", ",9,") + ROW.replace(",0,", ",0,"))
    assert data.segments == ("1", "10", "11")


def test_identifiers_of_2025():
    rows = [
        "a1,Kite,cs-de_DE_#_news_#_harbor_#_1,TGT,ces,deu,70,x,False,[],1,2",
        "a1,Kite,cs-de_DE_#_news_#_harbor_#_0,TGT,ces,deu,60,x,False,[],1,2",
        "a1,cs-en-tutorial1,cs-en-tutorial1,TGT,eng,ces,100,x,False,[],1,2",
    ]
    data = read_export("\n".join(rows))
    assert (data.language_pair, data.segments) == ("cs-de_DE", ("news_#_harbor_#_1", "news_#_harbor_#_0"))
    assert (data.documents, data.domains) == (("harbor", "harbor"), ("news", "news"))


test_bad_rows = refusals(
    lambda bad: read_export(ROW + bad, language_pair="en-ja"),
    [
        ("a,b,c\n", 2, "found 3 cells, expected 12 (annotator"),
        (ROW.replace(",0,", ",x,"), 2, "expected the segment's line in the third"),
        (ROW.replace(",0,", ",-1,"), 2, "found '-1'"),
        (ROW.replace(",80,", ",-1,"), 2, "found the score -1, expected 0 to 100"),
        (ROW.replace(",80,", ",100.5,"), 2, "found the score 100.5"),
        (ROW.replace(",80,", ",good,"), 2, "'good' is not a score"),
        (ROW.replace("eng,jpn", "eng,"), 2, "expected two languages such as eng and jpn"),
        (ROW.replace("Kite", ""), 2, "found an empty system"),
        (ROW.replace("d1", "d2"), 2, "found 'd2' in the column of documents, but"),
        (ROW.replace(",0,", ",en-ja_#_0,"), 2, "expected an identifier"),
        ('"a', 2, "is not a table"),
    ],
)


def test_a_file_without_a_row_that_counts():
    with pytest.raises(ReadError, match="has no row that counts; left out: 1 rows of type BAD; export all annotations"):
        read_export(ROW.replace("TGT", "BAD"))


@pytest.mark.real
def test_wave_3_of_wmt24(real_data):
    path = real_data / "esa" / "esa_generalMT2024_wave3.csv"
    assert appraise_pairs(path) == ("en-ja", "en-zh")
    sets = [read_appraise(path, language_pair=pair) for pair in ("en-ja", "en-zh")]
    assert [len(data.systems) for data in sets] == [13, 13]
    assert sum(int((~np.isnan(data.human["esa"])).sum()) for data in sets) == 8762
    kept = [int(data.notes[0].split()[2].replace(",", "")) for data in sets]
    assert sum(kept) == 8839
    assert [int(data.notes[1].split()[0]) for data in sets] == [35, 41]
    assert sets[0].notes[2] == (
        "left out of the whole file: 1,365 rows of type BAD, 673 rows of tutorials, 334 rows of documents marked "
        "#incomplete, 88 rows of documents marked #dup"
    )
    assert set(sets[0].domains) == {"news", "social", "speech", "literary"}


def campaign(rows):
    """Rows of a campaign of ESA: what an annotator saw counts down, and documents name the system."""
    return "".join(
        f'{annotator},wmt23.{system},{item},{kind},eng,deu,{score},{document}#{system}{mark},False,"{spans}",1.0,{end}\n'
        for annotator, system, item, kind, score, document, mark, spans, end in rows
    )


def test_campaigns_count_what_an_annotator_saw():
    rows = [
        ("a1", "Kite", 100, "TGT", 90, "d1", "", "[]", 9),
        ("a1", "Kite", 99, "TGT", 80, "d1", "", "[]", 8),
        ("a1", "Kite", 99, "TGT", 70, "d1", "", "[]", 8.5),
        ("a1", "Kite", 98, "BAD", 10, "d1", "#bad7", "[]", 7),
        ("a1", "Moth", 97, "TGT", 60, "d1", "", "[]", 6),
        ("a1", "Moth", 96, "TGT", 50, "d1", "", "[]", 5),
        ("a2", "refA", 50, "TGT", 40, "d1", "", "[]", 4),
        ("a2", "Moth", 49, "TGT", 30, "d2", "", "[]", 4),
        ("a2", "Moth", 48, "TGT", 20, "d2", "#duplicate1", "[]", 4),
    ]
    data = read_export(campaign(rows))
    assert (data.systems, data.segments, data.documents) == (
        ("Kite", "Moth"), ("d1:1", "d1:2", "d2:1"), ("d1", "d1", "d2"),
    )  # fmt: skip
    np.testing.assert_array_equal(data.human["esa"], [[70, 90, np.nan], [50, 60, 30]])
    assert data.notes[1] == (
        "left out of the whole file: 1 rows of type BAD, 1 rows of documents marked #duplicate, 1 rows that their "
        "annotator changed later, 1 rows of parts of documents whose place is not known"
    )


def test_error_spans_with_types_give_mqm():
    errors = [
        {"severity": "major", "error_type": ["Accuracy", "Omission"]},
        {"severity": "minor", "error_type": ["Linguistic conventions", "Punctuation"]},
        {"severity": "minor", "error_type": "Other"},
    ]
    marked = json.dumps(errors).replace('"', '""')
    rows = [
        ("a1", "Kite", 2, "TGT", 0, "d1", "", marked, 1),
        ("a1", "Kite", 1, "TGT", 0, "d1", "", '[{""severity"": ""minor"", ""error_type"": ""Non-translation""}]', 1),
    ]
    data = read_export(campaign(rows))
    assert (data.gold, data.human["mqm"].tolist()) == ("mqm", [[-25, -6.1]])
    assert "so the score is mqm" in data.notes[1]


@pytest.mark.real
@pytest.mark.parametrize(("file", "published"), [("ESA", "ESA-1"), ("MQM", "MQM-1")])
def test_campaigns_of_wmt23_are_as_published(real_data, file, published):
    """All scores of documents that were rated whole."""
    folder = real_data / "esa" / "wmt23-en-de"
    data = tk.read_mtme(real_data / "mt-metrics-eval-v2", "wmt23", "en-de")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tk.TiekitWarning)
        warnings.simplefilter("error", tk.OrderWarning)
        found = data.with_human(folder / f"240315rc5{file}.scores.csv", name="exported")
        both = found.with_human(folder / f"en-de.{published}.seg.score", name="published")
    ours, theirs = both.human["exported"], both.human["published"]
    known = ~np.isnan(ours) & ~np.isnan(theirs)
    assert known.sum() > 1_800
    np.testing.assert_allclose(ours[known], theirs[known], rtol=0, atol=1e-9)
