"""Segments that are numbered in each domain anew: read by number in it, or refused with a step that numbers them."""

import pathlib
import re

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tiekit.base.errors import collect_warnings


@pytest.fixture(scope="module")
def data():
    return tk.load("wmt23", "en-de")


@pytest.fixture(scope="module")
def frame(data):
    """A metric's scores of all systems, numbered in each domain."""
    inside = pd.Series(data.domains).groupby([*data.domains]).cumcount() + 1
    rows = [
        (name, domain, number, score)
        for name, scores in zip(data.systems, data.metrics["BLEU-refA"], strict=True)
        for domain, number, score in zip(data.domains, inside, scores, strict=True)
    ]
    return pd.DataFrame(rows, columns=["system", "domain", "segment", "score"]).dropna()


def added(data, source):
    with collect_warnings() as said:
        return data.with_scores(source, name="mine"), said


def wanted(data, domains):
    scores = data.metrics["BLEU-refA"].copy()
    scores[:, [domain not in domains for domain in data.domains]] = np.nan
    return scores


def is_as_wanted(data, source, domains):
    return np.array_equal(added(data, source)[0].metrics["mine"], wanted(data, domains), equal_nan=True)


def follow(data, frame, text):
    """A frame with the numbers that a printed step gives."""
    names = {"data": data, "frame": frame.copy(), "pandas": pd}
    exec(text[text.index("inside = ") : text.index(" gives those of")], names)
    return names["frame"]


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("order", [False, True])
def test_whole_domains_are_read_by_number_in_them(data, frame, tmp_path, first, order):
    table = frame.assign(segment=frame["segment"] - 1 + first)
    table = table.sample(frac=1, random_state=3) if order else table
    table.to_csv(tmp_path / "mine.csv", index=False)
    for source in (table, tmp_path / "mine.csv"):
        more, said = added(data, source)
        assert np.array_equal(more.metrics["mine"], data.metrics["BLEU-refA"], equal_nan=True)
        assert not said
    assert "segments by domain and number in it" in more.notes[-1]


@pytest.mark.parametrize("domain", ["news", "social", "speech", "user_review"])
def test_the_rows_of_one_domain_are_its_own(data, frame, domain):
    assert is_as_wanted(data, frame[frame["domain"] == domain], [domain])


def test_labels_that_begin_with_domains_are_numbers_in_them(data, frame):
    table = frame.assign(segment=[f"{row.domain}-{row.segment}" for row in frame.itertuples()]).drop(columns="domain")
    assert is_as_wanted(data, table.sort_values(["system", "segment"]), {*data.domains})


@pytest.mark.sampled(2)
@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("kept", [["social"], ["news", "social", "speech", "user_review"]])
def test_domains_of_which_segments_are_missing_are_refused_with_a_step(data, frame, kept, first):
    some = frame[frame["domain"].isin(kept) & ~((frame["domain"] == "social") & (frame["segment"] == 5))]
    some = some.assign(segment=some["segment"] - 1 + first)
    problem = "is of the domain social" if len(kept) == 1 else "has 211 segments of the domain social, and the set 212"
    with pytest.raises(tk.InputError, match=problem) as refused:
        data.with_scores(some, name="mine")
    expected = wanted(data, kept)
    expected[:, [at for at, name in enumerate(data.domains) if name == "social"][4]] = np.nan
    found = added(data, follow(data, some, str(refused.value)))[0].metrics["mine"]
    assert np.array_equal(found, expected, equal_nan=True)


def test_a_column_of_domains_that_contradicts_the_set_is_told(data, frame):
    right = frame.assign(segment=np.tile(np.arange(557) + 1, len(frame) // 557))
    assert is_as_wanted(data, right, {*data.domains})
    odd = right.assign(domain=np.where(right["segment"] == 9, "speech", right["domain"]))
    with pytest.raises(tk.InputError, match="its segment 9 is of the domain speech, but the set's 9 of news; if its"):
        data.with_scores(odd, name="mine")
    assert is_as_wanted(data, odd.drop(columns="domain"), {*data.domains})
    assert is_as_wanted(data, odd.assign(domain="other"), {*data.domains})


@pytest.mark.parametrize("names", [{"user_review": "reviews"}, {"news": "a", "social": "b", "speech": "c"}])
def test_other_names_of_domains_are_replaced_as_the_refusal_says(data, frame, names):
    named = frame.assign(domain=frame["domain"].replace(names))
    with pytest.raises(tk.InputError, match="same domains by other names") as refused:
        data.with_scores(named, name="mine")
    assert f"domain {next(iter(names.values()))}, and the set 0" in str(refused.value)
    exec(re.search(r"frame\[.*", str(refused.value))[0], {"frame": named})
    assert is_as_wanted(data, named, {*data.domains})


def test_domains_whose_names_nobody_can_tell_are_asked_for(data, frame):
    some = frame[(frame["domain"] != "speech") | (frame["segment"] < 50)]
    some = some.assign(domain=some["domain"].replace({"speech": "a", "news": "b", "social": "c"}))
    with pytest.raises(tk.InputError, match=r"replace\(\{NAME: SET_NAME, …\}, where the set has news, social, speech"):
        data.with_scores(some, name="mine")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kept", [["speech"], ["news", "social", "speech", "user_review"]])
@pytest.mark.parametrize(
    ("column", "spell"), [("topic", str), ("doc", str), ("domain", str.upper), ("topic", str.title)]
)
def test_domains_that_are_called_documents_or_spelled_otherwise_are_the_sets(data, frame, column, spell, kept):
    some = frame[frame["domain"].isin(kept)]
    more, said = added(data, some.assign(domain=some["domain"].map(spell)).rename(columns={"domain": column}))
    assert np.array_equal(more.metrics["mine"], wanted(data, kept), equal_nan=True)
    assert {one[0] for one in said} <= {tk.LeftOutWarning}


def in_documents(data, frame, first=1):
    """Scores whose segments are numbered in each document, without a column that names these."""
    numbers = frame.assign(document=np.tile(data.documents, len(frame) // 557)).groupby(["system", "document"])
    return frame.assign(segment=numbers.cumcount() + first).drop(columns="domain")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("ending", [".csv", ".tsv", "", "folder"])
@pytest.mark.parametrize("first", [0, 1])
def test_numbers_that_begin_anew_in_documents_without_a_column_of_these(data, frame, tmp_path, ending, first):
    table, path = in_documents(data, frame, first), tmp_path / f"mine{ending}"
    if ending == "folder":
        path.mkdir()
        for name, rows in table.groupby("system"):
            rows.drop(columns="system").to_csv(path / f"{name}.csv", index=False)
    elif ending:
        table.to_csv(path, index=False, sep="\t" if ending == ".tsv" else ",")
    with pytest.raises(tk.ReadError, match="begin anew within each system") as refused:
        data.with_scores(path if ending else table, name="mine")
    assert "aggregate" not in str(refused.value)
    step, _, where = str(refused.value).partition("set's order, ")[2].partition(", where frame is ")
    known = {"pandas": pd, "pathlib": pathlib, "FOLDER": path, "PATH": path, "frame": table}
    known["frame"] = eval(where.rpartition("such as ")[2], known) if where else table
    exec(step, known)
    assert is_as_wanted(data, known["frame"], {*data.domains})


def test_documents_that_the_set_does_not_have_are_numbered_as_the_refusal_says(data, frame):
    table = in_documents(data, frame)
    table["document"] = table.groupby("system")["segment"].transform(lambda numbers: (numbers == 1).cumsum())
    with pytest.raises(tk.InputError, match="counted in documents") as refused:
        data.with_scores(table, name="mine")
    exec(re.search(r"frame\['segment'\] = .* \+ 1", str(refused.value))[0], {"frame": table})
    assert is_as_wanted(data, table, {*data.domains})


def test_repeated_rows_that_are_no_parts_are_ratings(data, frame):
    table = frame.assign(segment=frame.groupby("system").cumcount() + 1).drop(columns="domain")
    with pytest.raises(tk.ReadError, match='line 1; pass aggregate="mean" if each row is a rating'):
        data.with_scores(pd.concat([table, table]).sort_values("system"), name="mine")


def test_documents_are_asked_for_where_their_segments_are_missing(data, frame):
    table = in_documents(data, frame)
    known = table.assign(document=np.tile(data.documents, len(frame) // 557))
    expected = wanted(data, {*data.domains})
    expected[:, 3] = np.nan
    table, known = (one[one.index % 557 != 3] for one in (table, known))
    with pytest.raises(tk.ReadError, match="write the set's names of these into a column document"):
        data.with_scores(table, name="mine")
    np.testing.assert_array_equal(added(data, known)[0].metrics["mine"], expected)


NAMES = pytest.mark.parametrize("name", ["genre", "category", "split", "subset", "Domain", "topic", "domain"])


@pytest.mark.sampled(3)
@NAMES
@pytest.mark.parametrize("kept", [["social"], ["speech"], ["user_review"], ["news", "speech"], ()])
@pytest.mark.parametrize("is_wide", [False, True])
def test_domains_are_known_by_their_values_whatever_their_column_is_called(data, frame, name, kept, is_wide):
    some = frame[frame["domain"].isin(kept or data.domains)].rename(columns={"domain": name})
    if is_wide:
        some = some.pivot_table("score", [name, "segment"], "system").reset_index()
    more, said = added(data, some.sample(frac=1, random_state=1))
    np.testing.assert_array_equal(more.metrics["mine"], wanted(data, kept or data.domains))
    assert {one[0] for one in said} <= {tk.LeftOutWarning}


@pytest.mark.sampled(3)
@NAMES
def test_the_step_for_a_part_of_a_domain_names_its_column(data, frame, name):
    some = frame[(frame["domain"] == "social") & (frame["segment"] != 5)].rename(columns={"domain": name})
    with pytest.raises(tk.InputError, match="its segment 1 is of the domain social") as refused:
        data.with_scores(some, name="mine")
    expected = wanted(data, ["social"])
    expected[:, [at for at, name in enumerate(data.domains) if name == "social"][4]] = np.nan
    np.testing.assert_array_equal(added(data, follow(data, some, str(refused.value)))[0].metrics["mine"], expected)


def test_what_has_more_segments_than_a_domain_of_the_set_does_not_say_their_domain(data, frame):
    right = frame.assign(segment=np.tile(np.arange(557) + 1, len(frame) // 557), trained_on="news")
    assert is_as_wanted(data, right.drop(columns="domain"), {*data.domains})


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["genre", "category", "split", "subset"])
def test_other_domains_by_another_name_are_read_as_the_refusals_say(data, frame, name):
    named = frame.assign(domain=frame["domain"].replace({"user_review": "reviews"})).sample(frac=1, random_state=1)
    named = named.rename(columns={"domain": name})
    words = f"if its values are the set's domains, in each of which segments are numbered anew, pass domain='{name}'"
    with pytest.raises(tk.ReadError, match=words):
        data.with_scores(named, name="mine")
    with pytest.raises(tk.InputError, match="by other names, ") as refused:
        data.with_scores(named, name="mine", domain=name)
    exec(str(refused.value).partition("by other names, ")[2], {"frame": named})
    more = data.with_scores(named, name="mine", domain=name)
    np.testing.assert_array_equal(more.metrics["mine"], wanted(data, {*data.domains}))


@pytest.mark.parametrize("last", [557, 400])
def test_a_column_of_judges_is_told_as_before(data, frame, last):
    whole = frame.assign(segment=frame.groupby("system").cumcount() + 1).drop(columns="domain")
    rated = pd.concat([whole.assign(judge="a"), whole[whole["segment"] <= last].assign(judge="b")])
    with pytest.raises(tk.ReadError, match=r"column 'judge' tells (such|some such) rows apart.*scorer="):
        data.with_scores(rated, name="mine")


@pytest.mark.parametrize("ending", ["csv", ""])
@pytest.mark.parametrize("cut", [100, 278])
def test_files_put_below_each_other_are_numbered_as_the_refusal_says(data, frame, tmp_path, ending, cut):
    whole = frame.assign(segment=frame.groupby("system").cumcount() + 1).drop(columns="domain")
    parts = [whole[whole["segment"] <= cut], whole[whole["segment"] > cut]]
    parts[1] = parts[1].assign(segment=parts[1]["segment"] - cut)
    table = pd.concat([part.assign(file=f"part{at}") for at, part in enumerate(parts, 1)], ignore_index=True)
    table.to_csv(path := tmp_path / "x.csv", index=False)
    with pytest.raises(tk.ReadError, match="column 'file' tells such rows apart") as refused:
        data.with_scores(path if ending else table, name="mine")
    step, _, where = str(refused.value).partition("set's order, ")[2].partition(", where frame is ")
    known = {"frame": eval(where, {"pandas": pd, "PATH": path}) if where else table}
    exec(step, known)
    assert is_as_wanted(data, known["frame"], {*data.domains})
