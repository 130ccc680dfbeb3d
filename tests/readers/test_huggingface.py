"""Hugging Face's tables of WMT's human scores: segments without ids, parts, tables without systems, DataFrames."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from tests.readers.refusals import refusals
from tests.strategies import examples
from tiekit.readers import read_huggingface
from tiekit.readers.formats.huggingface import FORMAT

SAMPLES = Path(__file__).parent / "samples"
TOY = SAMPLES / "toy_mqm.csv"
NAN = np.nan


def test_rows_of_one_source_are_one_segment():
    data = read_huggingface(TOY, language_pair="qa-qb", year=2021)
    assert (data.name, data.language_pair, data.gold) == ("wmt21", "qa-qb", "mqm")
    assert (data.systems, data.segments) == (("Owl", "Elk"), ("src1", "src2", "src3"))
    assert data.sources == ("Owls, big", "Elks", "Owls, big")
    assert data.domains == ("news", "news", "talks")
    assert data.references == {"ref": ("Uhus", "Elche", "Uhus")}
    np.testing.assert_array_equal(data.human["mqm"], [[-1.5, 0, NAN], [-5, NAN, NAN]])
    assert data.notes[0].startswith("1 cells have several rows (up to 2), from several raters or from equal source")
    assert dict(data.outputs) == {}


def test_whole_outputs_are_kept():
    table = b"lp,src,mt,score,system\nqa-qb,Owls,Eulen,1,A\nqa-qb,Owls,Uhus,2,B\n"
    data = read_huggingface({"t.csv": table})
    assert (data.name, list(data.human), data.references) == ("t", ["human"], {})
    assert data.outputs == {"A": ("Eulen",), "B": ("Uhus",)}


def test_parts_are_chosen_and_asked():
    with pytest.raises(tk.InputError, match=r"language_pair: .*toy_mqm.csv holds several, qa-qb, qb-qa"):
        read_huggingface(TOY)
    with pytest.raises(tk.InputError, match=r"year: .* holds several, 2021, 2022"):
        read_huggingface(TOY, language_pair="qa-qb")
    files, chosen, labels = {"toy_mqm.csv": TOY.read_bytes()}, {}, []
    for one in FORMAT.questions(files, chosen):
        labels.append(one.label)
        chosen[one.argument] = one.options[0]
    assert labels == ["Language pair", "Year"]
    assert FORMAT.read(files, **chosen).name == "wmt21"
    assert (
        FORMAT.call(files, chosen) == "tk.read('toy_mqm.csv', format='huggingface', language_pair='qa-qb', year='2021')"
    )


def test_a_table_without_systems_is_one_system():
    rows = "qa-qb,a,b,c,.5,70,2,news,2020\nqa-qb,a,d,c,-.5,40,1,news,2020\n"
    table = f"lp,src,mt,ref,score,raw,annotators,domain,year\n{rows}".encode()
    data = read_huggingface({"da.csv": table})
    assert (data.systems, data.segments, list(data.human)) == (("all",), ("row1", "row2"), ["da"])
    assert data.human["da"].tolist() == [[0.5, -0.5]]
    assert "names no systems" in data.notes[0]
    assert read_huggingface({"da.csv": table}, score="raw", name="x").human["x"].tolist() == [[70, 40]]
    with pytest.raises(tk.InputError, match="score: there is no 'annotators'; known: score, raw"):
        read_huggingface({"da.csv": table}, score="annotators")


def test_a_dataframe_is_read_like_its_file():
    frame = pd.read_csv(TOY)
    made, read = (read_huggingface(source, language_pair="qa-qb", year="2021", name="mqm") for source in (frame, TOY))
    assert (made.systems, made.segments, made.sources) == (read.systems, read.segments, read.sources)
    np.testing.assert_array_equal(made.human["mqm"], read.human["mqm"])
    assert len(made.digest) == 64
    assert made.digest != read_huggingface(frame[1:], language_pair="qa-qb", year="2021").digest
    with pytest.raises(tk.ReadError, match="the DataFrame, line 1: lacks lp, mt"):
        read_huggingface(frame[["src", "score"]])
    with pytest.raises(tk.ReadError, match="the DataFrame, line 1: lacks rows"):
        read_huggingface(frame[:0])


@examples(12)
@given(
    st.lists(
        st.tuples(
            st.sampled_from("AB"), st.sampled_from(["x", "y,", 'z"\n']), st.sampled_from(["n", "t"]), st.integers(-9, 9)
        ),
        min_size=1,
        max_size=10,
    )
)
def test_every_cell_is_the_mean_of_its_rows(rows):
    frame = pd.DataFrame(rows, columns=["system", "src", "domain", "score"]).assign(lp="qa-qb", mt="m")
    data = read_huggingface({"t.csv": frame.to_csv(index=False).encode()})
    keys = list(zip(data.domains, data.sources, strict=True))
    assert len(set(keys)) == len(keys)
    for row, system in enumerate(data.systems):
        for column, (domain, source) in enumerate(keys):
            own = [score for s, src, d, score in rows if (s, src, d) == (system, source, domain)]
            np.testing.assert_allclose(data.human["human"][row, column], np.mean(own) if own else NAN)


test_what_is_refused = refusals(
    lambda text: read_huggingface({"t.csv": text.encode()}),
    [
        ("lp,src,mt\na,b,c\n", 1, "lacks score; expected a table with the"),
        ("lp,src,mt,score\n", 1, "has a header and no rows"),
        ("lp,src,mt,score\na-b,x,y\n", 2, "found 3 cells, expected 4 as in the header"),
        ("lp,src,mt,score\na-b,x,y,good\n", 2, "'good' in column 'score' is not a score"),
        ('lp,src,mt,score\na-b,"x,y,1\n', 2, "is not a table"),
    ],
)
