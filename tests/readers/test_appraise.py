"""Exports of Appraise: which rows count, and what their languages and lines are called."""

from pathlib import Path

import numpy as np
import pytest

from tests.readers.refusals import refusals
from tiekit.errors import InputError, ReadError
from tiekit.readers import appraise_pairs, read_appraise

SAMPLE = Path(__file__).parent / "samples" / "appraise_esa.csv"
ROW = "a1,Kite,0,TGT,eng,jpn,80,d1,False,[],1,2\n"


def read(text, **options):
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


def test_a_pair_must_be_chosen():
    with pytest.raises(InputError, match=r"language_pair: .* holds several, en-ja, en-zh; choose one"):
        read_appraise(SAMPLE)
    with pytest.raises(InputError, match="there is no 'en-de'"):
        read_appraise(SAMPLE, language_pair="en-de")
    assert read(ROW).language_pair == "en-ja"


@pytest.mark.parametrize(("codes", "pair"), [("ces,plk", "cs-pl"), ("ISL,pol", "is-pl"), ("eng,mas", "en-mas")])
def test_codes_of_languages(codes, pair):
    assert appraise_pairs({"x.csv": ROW.replace("eng,jpn", codes).encode()}) == (pair,)


def test_lines_are_put_in_order():
    data = read(ROW.replace(",0,", ",10,") + ROW.replace(",0,", ",9,") + ROW.replace(",0,", ",0,"))
    assert data.segments == ("1", "10", "11")


def test_identifiers_of_2025():
    rows = [
        "a1,Kite,cs-de_DE_#_news_#_harbor_#_1,TGT,ces,deu,70,x,False,[],1,2",
        "a1,Kite,cs-de_DE_#_news_#_harbor_#_0,TGT,ces,deu,60,x,False,[],1,2",
        "a1,cs-en-tutorial1,cs-en-tutorial1,TGT,eng,ces,100,x,False,[],1,2",
    ]
    data = read("\n".join(rows))
    assert (data.language_pair, data.segments) == ("cs-de_DE", ("news_#_harbor_#_1", "news_#_harbor_#_0"))
    assert (data.documents, data.domains) == (("harbor", "harbor"), ("news", "news"))


test_bad_rows = refusals(
    lambda bad: read(ROW + bad, language_pair="en-ja"),
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
        read(ROW.replace("TGT", "BAD"))


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
