"""A system that is named with more than its name in the set may be another one: the reader says so."""

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tiekit.base.errors import collect_warnings
from tiekit.base.names import names_in
from tiekit.readers._source import file_stem


def a_set(*systems):
    rows = [(name, f"s{place}", float(place % 3), 0.1 * place) for name in systems for place in range(4)]
    return tk.read(pd.DataFrame(rows, columns=["system", "segment", "human", "m"]), human="human", metrics="m")


def scores_of(names):
    return {name: [0.1 * row, 0.4, 0.3, 0.2 + row] for row, name in enumerate(names)}


def as_table(names):
    rows = [(name, f"s{place}", score) for name, some in scores_of(names).items() for place, score in enumerate(some)]
    return pd.DataFrame(rows, columns=["system", "segment", "score"])


def as_wide(names):
    return pd.DataFrame(scores_of(names), index=[f"s{place}" for place in range(4)])


def as_files(names):
    return {f"{name}.txt": "\n".join(map(str, some)).encode() for name, some in scores_of(names).items()}


SOURCES = [scores_of, as_table, as_wide, as_files]


def said_of(data, source):
    with collect_warnings() as said:
        data.with_scores(source, name="x")
    return [message for _, message in said if "by a part of their name" in message]


@pytest.mark.parametrize("make", SOURCES)
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("gpt-4", "gpt-4.1"),
        ("gemini-1", "gemini-1.5-pro"),
        ("nllb", "nllb.600M"),
        ("nllb", "nllb.v2"),
        ("ours", "ours.ft"),
        ("ours", "ours.ref"),
        ("our_system", "our_system.checkpoint_2000"),
    ],
)
def test_another_version_of_a_system_is_said(make, ours, theirs):
    [message] = said_of(a_set(ours, "B", "C"), make([theirs, "B", "C"]))
    assert f"{theirs} is {ours}; if one of them is another system, leave its scores out" in message


@pytest.mark.parametrize("make", SOURCES)
@pytest.mark.parametrize("theirs", [["gpt-4.1", "llama-3.1"], ["gpt-4.1", "llama-3.2"], ["gpt-4-0613", "llama-3-8b"]])
def test_versions_of_all_systems_are_said(make, theirs):
    assert said_of(a_set("gpt-4", "llama-3"), make(theirs))


def test_the_version_of_a_file_alone_is_said():
    scores = b"0.1\n0.2\n0.4\n0.3\n"
    assert said_of(a_set("gpt-4", "B"), {"gpt-4.1.txt": scores})
    assert said_of(a_set("gpt-4", "B"), {"gpt-4.1": scores})
    assert said_of(a_set("gpt-4", "B"), {"gpt-4.v2.csv": b"score\n" + scores})
    assert not said_of(a_set("gpt-4", "B"), {"gpt-4.en.txt": scores})
    assert not said_of(a_set("gpt-4", "B"), {"scores_gpt-4.txt": scores})


@pytest.mark.parametrize(
    "names",
    [
        ["A-1.txt", "B", "C.score"],
        ["A-1.en-de.seg.score.gz", "out/B.de.jsonl", "C.HYP"],
        ["wmt22.en-de.A-1.en", "wmt22.en-de.B.en", "wmt22.en-de.C.en"],
        ["01_A-1.txt", "02_B.txt", "03_C.txt"],
        ["A-1.seed1", "B.seed1", "C.seed1"],
        ["A-1.v1", "B.v1", "C.v1"],
    ],
)
def test_endings_of_files_are_no_versions(names):
    assert not said_of(a_set("A-1", "B", "C"), scores_of(names))


def test_a_number_is_no_ending_of_a_file():
    assert [*map(file_stem, ("out/gpt-4.1", "gpt-4.1.txt", "a.csv.gz", "BLEU"))] == ["gpt-4.1", "gpt-4.1", "a", "BLEU"]
    assert [*map(file_stem, ("T5.large", "T5.large.TXT", "a.en-de.score"))] == ["T5.large", "T5.large", "a.en-de"]


def test_a_file_without_an_ending_is_of_the_system_that_it_names(tmp_path):
    data = a_set("T5.large", "T5.small", "T5", "mT5.large")
    for name in ("T5.large", "mT5.large"):
        rows = range(len(data.segments))
        (tmp_path / name).write_text("".join(f"{row + len(name) / 100}\n" for row in rows), encoding="utf-8")
    with pytest.warns(tk.LeftOutWarning, match="there are no scores of the systems T5.small, T5"):
        joined = data.with_scores(tmp_path, name="x")
    assert [bool(np.isfinite(row).all()) for row in joined.metrics["x"]] == [True, False, False, True]


@pytest.mark.parametrize(
    ("systems", "named"),
    [
        (("gpt-4", "gpt-4.turbo", "B"), "gpt-4.turbo_comet"),
        (("gpt-4", "gpt-4.turbo", "B"), "gpt-4.turbo-comet22.txt"),
        (("ours", "ours_ft", "B"), "ours_ft (mine)"),
        (("GPT4", "GPT4-5shot", "B"), "GPT4-5shot@comet"),
        (("T5", "flan-T5", "B"), "mine:flan-T5"),
    ],
)
def test_the_longest_name_of_the_set_in_a_name_is_meant(systems, named):
    assert names_in([named, "C"], systems) == {named: systems[1], "C": None}
    assert names_in([named, systems[1]], systems) == {named: None, systems[1]: systems[1]}
    assert names_in(["ours_ft_comet"], ["ours", "ours_f"]) == {"ours_ft_comet": "ours"}, "ours_f ends within a word"
