"""MQM: raw ratings become the published averages; weights, raters, the canary; and averages themselves."""

import csv
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from tests.readers.refusals import refusals
from tests.strategies import examples
from tiekit.readers import read_da_averages, read_mqm_averages, read_mqm_ratings

SAMPLES = Path(__file__).parent / "samples"
HEADER = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
NAN = np.nan


def score(category, severity, **options):
    line = f"A\td\t1\t1\tr\ts\tt\t{category}\t{severity}\n"
    return read_mqm_ratings({"m.tsv": (HEADER + line).encode()}, **options).human["mqm"].item()


def test_averages_are_read():
    data = read_mqm_averages(SAMPLES / "mqm_toy.avg_seg_scores.tsv", language_pair="qa-qb")
    assert (data.systems, data.segments, data.language_pair) == (("Owl.7", "Elk.12"), ("1", "2"), "qa-qb")
    np.testing.assert_array_equal(data.human["mqm"], [[-1.5, 0], [NAN, -25]])
    assert not np.signbit(data.human["mqm"][0, 1])
    assert (data.gold, data.notes[1]) == ("mqm", "1 cells have no score.")


test_averages_that_are_refused = refusals(
    lambda text: read_mqm_averages({"a.tsv": text.encode()}),
    [
        ("A -1.0 1\n", 1, "found 'A -1.0 1', expected the header"),
        ("system mqm_avg_score seg_id\nA -1.0\n", 2, "found 2 cells, expected 3: system"),
        ("system mqm_avg_score seg_id\nA x 1\n", 2, "'x' in column 'mqm_avg_score' is not a score"),
        ("system mqm_avg_score seg_id\nA -1 1\nA -2 1\n", 3, "found system 'A' and segment '1' again"),
        ("system mqm_avg_score seg_id\n", 1, "has a header and no rows; expected lines of"),
    ],
)


def test_ratings_are_summed_averaged_and_negated():
    data = read_mqm_ratings(SAMPLES / "mqm_toy.tsv")
    assert (data.systems, data.segments, data.documents) == (("Owl", "Elk"), ("1", "2"), ("d1", "d1"))
    np.testing.assert_allclose(data.human["mqm"], [[-2.55, -25], [-1, 0]], rtol=1e-15)
    assert data.notes == (
        "MQM ratings of 2 raters, weighted by converter and negated.",
        "1 cells have several raters (up to 2): their mean is used.",
        "The severity 'HOTW-test' counts 0 (1 lines).",
    )


def test_an_unknown_severity_is_asked_about():
    content = (SAMPLES / "mqm_toy.tsv").read_bytes().replace(b"HOTW-test", b"Critical")
    with pytest.warns(
        tk.RoleWarning, match=r"severity 'Critical' counts 0 \(1 lines\).*'critical': 5\}, or weights='w"
    ):
        before = read_mqm_ratings({"m.tsv": content}).human["mqm"]
    weights = {"major": 5, "minor": 1, "major/non-translation!": 25, "minor/fluency/punctuation": 0.1, "critical": 5}
    after = read_mqm_ratings({"m.tsv": content}, weights=weights).human["mqm"]
    assert (before - after).sum() == 5


@pytest.mark.filterwarnings("ignore:.*the severity 'critical' counts 0:tiekit.RoleWarning")
@pytest.mark.parametrize("name", ["mqm_toy.tsv", "mqm_toy2024.tsv"])
def test_ratings_are_the_same_in_csv_and_json(name):
    frame = pd.read_csv(SAMPLES / name, sep="\t", quoting=csv.QUOTE_NONE, dtype=str, keep_default_na=False)
    files = {
        "m.csv": frame.to_csv(),
        "m.tsv": frame.to_csv(sep="\t"),
        "m.jsonl": frame.to_json(orient="records", lines=True),
    }
    expected = tk.read(SAMPLES / name)
    for file, content in files.items():
        found = tk.read({file: content.encode()})
        assert (found.systems, found.segments, found.notes[1:]) == (
            expected.systems,
            expected.segments,
            expected.notes[1:],
        )
        np.testing.assert_array_equal(found.human["mqm"], expected.human["mqm"])


@pytest.mark.filterwarnings("ignore:.*the severity 'critical' counts 0:tiekit.RoleWarning")
def test_the_rule_of_wmt24_and_its_canary():
    data = read_mqm_ratings(SAMPLES / "mqm_toy2024.tsv", weights="wmt24")
    assert data.segments == ("2", "3")
    np.testing.assert_allclose(data.human["mqm"], [[-5, 0], [-25, -0.1]], rtol=1e-15)
    assert data.notes[-1] == "The canary segment was left out (1 lines)."
    converter = read_mqm_ratings(SAMPLES / "mqm_toy2024.tsv")
    np.testing.assert_allclose(converter.human["mqm"], [[0, 0], [-1, -10.1]], rtol=1e-15)
    with pytest.raises(tk.ReadError, match=r"line 8: the severity 'HOTW-test' has no weight .*; pass weights="):
        read_mqm_ratings(SAMPLES / "mqm_toy.tsv", weights="wmt24")


@pytest.mark.filterwarnings("ignore:.*the severity 'critical' counts 0:tiekit.RoleWarning")
@pytest.mark.parametrize(
    ("category", "severity", "converter", "wmt24"),
    [
        ("Style/Awkward", "Major", -5, -5),
        ("style/awkward", "MINOR", -1, -1),
        ("Style/Awkward", "critical", 0, -5),
        ("Non-translation!", "major", -25, -25),
        ("Non-translation!", "Minor", -1, -25),
        ("Fluency/Punctuation", "Minor", -0.1, -0.1),
        ("Fluency/Punctuation", "Major", -5, -5),
        ("Fluency", "Minor", -1, -1),
        ("Fluency/Grammar", "Neutral", 0, 0),
        ("Source issue", "Major", -5, 0),
        ("Reinterpretation", "Minor", -1, 0),
        ("No-error", "No-error", 0, 0),
        ("", "", 0, 0),
    ],
)
def test_weights_by_name(category, severity, converter, wmt24):
    assert score(category, severity) == converter
    assert score(category, severity, weights="wmt24") == wmt24


def test_own_weights_and_the_most_specific_key():
    own = {"Major": 10, "major/Style": 3, "major/style/Awkward": 2, "minor": 0.5}
    assert score("Style/Awkward/Very", "Major", weights=own) == -2
    assert score("Style/Odd", "major", weights=own) == -3
    assert score("Styles", "major", weights=own) == -10
    assert score("Style", "critical", weights=own) == 0


test_weights_that_are_none = refusals(
    lambda own: read_mqm_ratings(SAMPLES / "mqm_toy.tsv", weights=own),
    [
        ("wmt23", "weights: must be one of converter, wmt24 or a mapping"),
        (5, "weights: must be a name or a mapping of severities to"),
        ({"major": "5"}, "weights: 'major' must have a finite number, found '5'"),
        ({"major": float("nan")}, "weights: 'major' must have a finite number, found nan"),
        ({1: 5}, "weights: must be a name or a mapping"),
    ],
    tk.InputError,
)


def test_segments_that_are_counted_within_documents():
    lines = "A\td1\t1\t1\tr\ts\tt\tStyle\tMinor\nA\td2\t1\t1\tr\ts\tt\tStyle\tMajor\n"
    data = read_mqm_ratings({"m.tsv": (HEADER + lines).encode()})
    assert (data.segments, data.documents) == (("d1:1", "d2:1"), ("d1", "d2"))
    assert data.human["mqm"].tolist() == [[-1, -5]]
    assert data.notes[-1] == "Segments are counted within their documents."


test_ratings_that_are_refused = refusals(
    lambda text: read_mqm_ratings({"m.tsv": text.encode()}),
    [
        ("system\tdoc\tseg\n", 1, "found 'system doc seg', expected the header"),
        (HEADER + "A\td\t1\t1\tr\ts\tt\tStyle\n", 2, "found 8 cells, expected 9"),
        (HEADER + "A\td\t1\t\tr\ts\tt\tStyle\tMajor\n", 2, "found an empty segment; expected a name"),
        (HEADER, 1, "has a header and no rows"),
        (HEADER + "A\tcanary\t1\t1\tr\ts\tt\tStyle\tMajor\n", 1, "has a header and no rows"),
    ],
)


ERRORS = st.tuples(
    st.sampled_from("AB"),
    st.sampled_from("12"),
    st.sampled_from(["r1", "r2", "r3"]),
    st.sampled_from(
        [("Style/Awkward", "Major", 5), ("Fluency/Punctuation", "Minor", 0.1), ("No-error", "No-error", 0)]
    ),
)


@examples(16)
@given(st.lists(ERRORS, min_size=1, max_size=12), st.randoms(use_true_random=False))
def test_any_order_of_lines_gives_the_mean_of_the_raters_sums(errors, random):
    lines = [f"{s}\td\t{n}\t{n}\t{r}\ts\tt\t{kind}\t{severity}\n" for s, n, r, (kind, severity, _) in errors]
    random.shuffle(lines)
    data = read_mqm_ratings({"m.tsv": (HEADER + "".join(lines)).encode()})
    for row, system in enumerate(data.systems):
        for column, segment in enumerate(data.segments):
            own = [(r, weight) for s, n, r, (*_, weight) in errors if (s, n) == (system, segment)]
            sums = [sum(weight for r, weight in own if r == rater) for rater in {r for r, _ in own}]
            expected = -sum(sums) / len(sums) if sums else NAN
            np.testing.assert_allclose(data.human["mqm"][row, column], expected, rtol=1e-12, atol=1e-15)


@pytest.mark.real
def test_ted_ratings_give_the_published_averages(real_data):
    made = read_mqm_ratings(real_data / "mqm-ratings/mqm_ted_ende.tsv")
    published = read_mqm_averages(real_data / "mqm-ratings/mqm_ted_ende.avg_seg_scores.tsv")
    rows = [published.systems.index(system) for system in made.systems if system in published.systems]
    columns = [published.segments.index(segment) for segment in made.segments]
    ours = made.human["mqm"][[system in published.systems for system in made.systems]]
    theirs = published.human["mqm"][np.ix_(rows, columns)]
    assert np.isfinite(ours).sum() == 6877
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-5)
    assert set(made.systems) - set(published.systems) == {"ref"}
    assert np.isnan(published.human["mqm"]).sum() == 1078


@pytest.mark.real
def test_the_real_averages_and_the_shared_samples(real_data):
    data = read_mqm_averages(real_data / "wmt20-metrics/human/mqm_newstest2020_ende.avg_seg_scores.tsv")
    assert data.human["mqm"].shape == (10, 1418)
    assert data.human["mqm"][data.systems.index("eTranslation.737"), 0] == -2.333333
    formats = real_data.parent / "formats"
    assert read_mqm_averages(formats / "mqm_avg20.tsv").human["mqm"].shape == (1, 399)
    assert np.isnan(read_mqm_averages(formats / "mqm_avg21.tsv").human["mqm"]).sum() == 77
    assert read_mqm_ratings(formats / "mqm_raw.tsv").human["mqm"].shape == (14, 29)


@pytest.mark.parametrize("form", ["frame", "list", "csv", "tsv", "jsonl"])
@pytest.mark.parametrize(
    "names",
    [
        {},
        {"doc": None},
        {"system": "MT System", "seg_id": "segment", "rater": "annotator", "category": "error_type"},
        {"system": "model", "seg_id": "segmentId", "rater": "rater_id", "category": "Error Category"},
    ],
)
def test_errors_in_a_table_of_ones_own_are_read_as_the_refusal_says(names, form, tmp_path):
    header = ["system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity"]
    rows = pd.DataFrame(
        [
            ("A", "d", 1, 1, "r1", "s", "t", "Style, odd", "Major"),
            ("A", "d", 1, 1, "r1", "s", "t", "Fluency/Punctuation", "Minor"),
            ("A", "d", 1, 1, "r2", "s", "t", "No-error", "No-error"),
            ("B", "d", 1, 1, "r2", "s", "t", "Style, odd", "Minor"),
            ("B", "d", 1, 2, "r1", "s", "t", "Style, odd", "Major"),
            ("A", "d", 1, 2, "r1", "s", "t", "", ""),
        ],
        columns=header,
    )
    expected = read_mqm_ratings({"m.tsv": rows.to_csv(sep="\t", index=False).encode()})
    own = rows.drop(columns=["doc_id", "source", "target", *(one for one, name in names.items() if name is None)])
    own = own.rename(columns=names)
    source = path = tmp_path / f"own.{form}"
    if form in ("csv", "tsv"):
        own.to_csv(path, sep="\t" if form == "tsv" else ",", index=False)
    elif form == "jsonl":
        own.to_json(path, orient="records", lines=True)
    else:
        source = own if form == "frame" else own.to_dict("records")
    with pytest.raises(tk.ReadError, match="if each row is an error of MQM, pass format='mqm_ratings'"):
        tk.read(source)
    data = tk.read(source, format="mqm_ratings")
    np.testing.assert_array_equal(data.human["mqm"], expected.human["mqm"])
    assert (data.systems, data.segments) == (expected.systems, expected.segments)
    assert data.documents == (() if "doc" in names else expected.documents)


def test_severities_that_are_no_words_of_mqm_have_no_such_step():
    rows = [{"system": "A", "segment": 1, "rater": "x", "severity": word} for word in ("bad", "good", "bad")]
    with pytest.raises(tk.ReadError, match="labels=") as refused:
        tk.read(rows)
    assert "mqm_ratings" not in str(refused.value)


@pytest.mark.real
@pytest.mark.filterwarnings("ignore:ref is compared as a system:tiekit.RoleWarning")
def test_the_columns_that_matter_are_enough(real_data):
    path = real_data / "mqm-ratings/mqm_ted_ende.tsv"
    frame = pd.read_csv(path, sep="\t", quoting=3)[["system", "seg_id", "rater", "category", "severity"]]
    whole, part = (tk.read(one, format="mqm_ratings") for one in (path, frame))
    np.testing.assert_array_equal(part.human["mqm"], whole.human["mqm"])
    assert (part.systems, part.segments) == (whole.systems, whole.segments)


def test_what_a_converter_of_ratings_writes():
    lines = (
        b"A\ttalk.1\t1\t-1.5\tr1=1\tr2=2\nA\ttalk.2\t1\t-0.0\tr1=0\nB\ttalk.1\t1\tNone\tr1=0\nB\ttalk.2\t1\t-5\tr1=5\n"
    )
    data = tk.read({"out.tsv": lines})
    assert (data.systems, data.segments) == (("A", "B"), ("talk.1:1", "talk.2:1"))
    assert data.documents == ("talk.1", "talk.2")
    np.testing.assert_array_equal(data.human["mqm"], [[-1.5, 0], [np.nan, -5]])


HEADER_DA = "SYS SID RAW.SCR Z.SCR N \n"


def test_both_scores_are_read():
    data = read_da_averages(SAMPLES / "ad-seg-scores-qa-qb.csv")
    assert (data.language_pair, data.systems, data.gold) == ("qa-qb", ("Owl.7", "Elk.12"), "da-z")
    assert (data.segments, data.documents) == (("hill.3:1", "lake_big.1:12"), ("hill.3", "lake_big.1"))
    np.testing.assert_array_equal(data.human["da"], [[71.5, 39], [33.3333333333333, NAN]])
    np.testing.assert_array_equal(data.human["da-z"], [[-0.25, -1.5], [0.125, NAN]])
    assert data.notes == ("Direct assessments: each score is the mean of 1 to 3 assessments.",)
    assert read_da_averages({"x.csv": (HEADER_DA + "A d_0 1 1 1\n").encode()}).language_pair == ""


test_what_is_refused = refusals(
    lambda text: read_da_averages({"a.csv": text.encode()}),
    [
        ("A d_0 1 1 1\n", 1, "expected the header SYS SID RAW.SCR Z.SCR N"),
        (HEADER_DA + "A d_0 1 1\n", 2, "found 4 cells, expected 5: SYS SID RAW.SCR"),
        (HEADER_DA + "A d 1 1 1\n", 2, "'d' in column 'SID' does not end in an"),
        (HEADER_DA + "A d_x 1 1 1\n", 2, "'d_x' in column 'SID'"),
        (HEADER_DA + f"A d_{'9' * 5000} 1 1 1\n", 2, "in column 'SID'"),
        (HEADER_DA + "A d_0 1 inf 1\n", 2, "'inf' in column 'Z.SCR' is not a score"),
        (HEADER_DA + "A d_0 1 1 None\n", 2, "'None' in column 'N' is not a score"),
        (HEADER_DA + "A d_0 1 1 1\nA d_0 1 1 1\n", 3, "found system 'A' and segment 'd:1' again"),
    ],
)


@pytest.mark.real
def test_the_real_file(real_data):
    data = read_da_averages(real_data / "wmt20-metrics/human/ad-seg-scores-en-de.csv")
    assert (data.human["da"].shape, np.isfinite(data.human["da"]).sum()) == ((17, 1418), 11360)
    row, column = data.systems.index("PROMT_NMT.73"), data.segments.index("en.ndtv.com.12997:1")
    assert (data.human["da"][row, column], data.human["da-z"][row, column]) == (39, -1.69579845320916)
    sample = read_da_averages(real_data.parent / "formats/ad-seg-scores-en-de.csv")
    assert (sample.language_pair, np.isfinite(sample.human["da"]).sum()) == ("en-de", 399)
