"""Submissions to WMT's metrics task: every year's columns, which part is read, what is refused."""

import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from tests.readers.refusals import refusals
from tests.strategies import examples
from tiekit.readers import read_da_averages, read_submission, recognize
from tiekit.readers.formats.submission import FORMAT

SAMPLES = Path(__file__).parent / "samples"
NAMES = st.text("ab.-", min_size=1, max_size=3)
NAN = np.nan


def test_segments_of_2020_are_counted_within_documents():
    data = read_submission(SAMPLES / "toy.seg.score", reference="newset2020")
    assert (data.name, data.language_pair, data.systems) == ("newset2020", "qa-qb", ("Owl.7", "Elk.12"))
    assert data.segments == ("hill.3:1", "hill.3:2", "lake.1:1")
    assert data.documents == ("hill.3", "hill.3", "lake.1")
    assert (dict(data.human), data.gold, list(data.metrics)) == ({}, None, ["toy"])
    np.testing.assert_array_equal(data.metrics["toy"], [[1, 1.5, -1], [2, 2.5, -2]])
    assert data.notes == (
        "A submission to WMT's metrics task (segments, 2020).",
        "6 of 12 rows belong to other parts of the file and were left out.",
    )
    other = read_submission(SAMPLES / "toy.seg.score", reference="newsetB2020")
    np.testing.assert_array_equal(other.metrics["toy"], [[11, 11.5, -11], [12, 12.5, -12]])


def test_what_is_not_chosen_is_asked():
    with pytest.raises(tk.InputError, match=r"reference: .*toy.seg.score holds several, newset2020, newsetB2020"):
        read_submission(SAMPLES / "toy.seg.score")
    with pytest.raises(tk.InputError, match=r"language_pair: .* holds several, qa-qb, qb-qa"):
        read_submission(SAMPLES / "toy2023.seg.score")
    with pytest.raises(tk.InputError, match="language_pair: there is no 'qa-qc'; did you mean qa-qb"):
        read_submission(SAMPLES / "toy2023.seg.score", language_pair="qa-qc")
    with pytest.raises(tk.InputError, match=r"domain: cannot be chosen in .*, which has: language_pair, testset"):
        read_submission(SAMPLES / "toy2023.seg.score", language_pair="qa-qb", domain="news")
    with pytest.raises(tk.InputError, match="role: must be 'metric' or 'human', found 'both'"):
        read_submission(SAMPLES / "toy2025.tsv", role="both")


def test_segments_of_2023_are_lines_under_a_header():
    data = read_submission(SAMPLES / "toy2023.seg.score", language_pair="qa-qb")
    assert (data.segments, data.domains) == (("2", "1", "3"), ("news", "news", "speech"))
    assert data.documents == ("d1", "d1", "d2")
    np.testing.assert_array_equal(data.metrics["toy-refA"], [[20, 10, 30], [15, 5, NAN], [99, 99, 99]])
    assert data.default_exclude == ("refA",)
    assert data.notes[2] == "1 cells have no score."


def test_scores_of_whole_systems_are_one_segment():
    data = read_submission(SAMPLES / "toy.sys.score", language_pair="qb-qa")
    assert (data.segments, data.documents, data.domains) == (("all",), (), ())
    np.testing.assert_array_equal(data.metrics["toy"], [[0.5], [0.25]])
    later = read_submission(SAMPLES / "toy2022.sys.score")
    np.testing.assert_array_equal(later.metrics["toy-src"], [[0.5], [0.25]])
    news = read_submission(SAMPLES / "toy2022.sys.score", domain="news")
    np.testing.assert_array_equal(news.metrics["toy-src"], [[1.5], [1.25]])


def test_the_file_of_2025_has_metrics_or_people():
    with pytest.warns(tk.RoleWarning, match='overall is taken for a metric\'s scores; pass role="metric"'):
        data = read_submission(SAMPLES / "toy2025.tsv", language_pair="qa-qb_QB")
    np.testing.assert_array_equal(data.metrics["toy2025"], [[10, 15.5], [20, 25.5]])
    assert (data.name, data.domains) == ("official", ("news", "news"))
    assert data.segments == ("qa-qb_QB_#_news_#_owls:1", "qa-qb_QB_#_news_#_owls:2")
    named = read_submission(
        SAMPLES / "toy2025.tsv", language_pair="qa-qb_QB", testset="challenge_x", role="metric", metric="mine"
    )
    assert (list(named.metrics), named.documents[0]) == (["mine"], "qa-qb_QB_#_news_#_elks")
    people = read_submission(SAMPLES / "toy2025.tsv", language_pair="qa-qc_QC", role="human")
    assert (list(people.human), people.gold, dict(people.metrics)) == (["esa"], "esa", {})


@examples(10)
@given(
    st.lists(NAMES, min_size=1, max_size=3, unique=True),
    st.lists(st.tuples(NAMES, st.integers(1, 9)), min_size=1, max_size=4, unique=True),
    st.integers(8, 9),
    st.booleans(),
    st.randoms(use_true_random=False),
)
def test_what_is_written_is_read_in_any_order_of_lines(systems, places, width, compressed, random):
    if width == 9:
        places = list({number: (document, number) for document, number in places}.values())
    scores = {
        (system, place): random.choice(["nan", "None", "1.25", "-3e-2"]) for system in systems for place in places
    }
    rows = [
        ["m", "qa-qb", "t", "r", system, document, str(number), score]
        if width == 8
        else ["m", "qa-qb", "t", "news", document, "r", system, str(number), score]
        for (system, (document, number)), score in scores.items()
    ]
    random.shuffle(rows)
    content = "".join("\t".join(row) + "\n" for row in rows).encode()
    data = read_submission({"m.seg.score": gzip.compress(content) if compressed else content})
    assert (set(data.systems), len(data.segments)) == (set(systems), len(places))
    for (system, (document, number)), score in scores.items():
        label = f"{document}:{number}" if width == 8 else str(number)
        found = data.metrics["m"][data.systems.index(system), data.segments.index(label)]
        np.testing.assert_equal(found, NAN if score in ("nan", "None") else float(score))


test_what_is_refused = refusals(
    lambda named: read_submission({named[0]: named[1].encode()}),
    [
        (("a", "m\tqa-qb\tt\tr\tA\td\t1\t.5\nm\tqa-qb\tt\tr\tA\td\t2\n"), 2, "found 7 cells, expected 8: metric lang"),
        (("a", "m\tqa-qb\tt\tr\tA\td\t1\tgood\n"), 1, "'good' in column 'score' is not a score"),
        (("a", "m\tqa-qb\tt\tr\tA\td\t1\t1\n\nm\tqa-qb\tt\tr\tA\td\t1\t2\n"), 3, "system 'A' and segment 'd:1' again"),
        (("a", "m\tqa-qb\tt\tr\t\td\t1\t1\n"), 1, "found an empty system; expected a name"),
        (("a", "m\tqa-qb\n"), 1, "found 2 cells, expected 6 to 9 cells"),
        (("a", "m qa-qb t d x refA A 1 1 1 1\n"), 1, "found 11 cells, expected 6 to 9 cells"),
        (("a", "m\ta-b\tt\tn\td1\trefA\tA\t1\t1\nm\ta-b\tt\tn\td2\trefA\tB\t1\t1\n"), 2, "'d2' in the column of doc"),
        (("m.doc.score", "m\tqa-qb\tt\tref\tA\td\t1\n"), 1, "holds one score per document, which is not"),
        (("m.seg.score", "m\tqa-qb\tt\tset2020\tA.1\td\t1\n"), 1, "read the file of segments (.seg.score)"),
        (("a", "m\tqa-qb\tt\tA\t1\t.5\nm\tqa-qb\tt\tA\t2\t.5\n"), None, "insert the reference as the fourth column"),
        (("a", "doc_id\tsegment_id\tsource_lang\ttarget_lang\tsystem_id\toverall\n"), 1, "has a header and no rows"),
        (("a", "doc_id\tsegment_id\tsource_lang\ttarget_lang\tsystem_id\toverall\toverall\n"), 1, "two columns"),
    ],
)


LAYOUTS = [
    "DOC SYSTEM SEG",
    "DOMAIN SYSTEM SEG",
    "REF SYSTEM SEG",
    "REF DOC SYSTEM SEG",
    "DOC REF SYSTEM SEG",
    "DOMAIN REF SYSTEM SEG",
    "DOMAIN DOC SYSTEM SEG",
    "DOMAIN REF DOC SYSTEM SEG",
    "DOMAIN DOC REF SYSTEM SEG",
]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("columns", LAYOUTS)
def test_columns_that_are_left_out_or_exchanged_are_told_by_their_cells(columns, tmp_path):
    data = tk.load("wmt23", "en-de")
    scores, path = data.metrics["BLEU-refA"], tmp_path / "mine.seg.score"
    known = {"REF": ["refA"] * 557, "DOC": data.documents, "DOMAIN": data.domains, "SEG": data.segments}
    lines = [
        "\t".join(["mine", "en-de", "wmt23", *({**part, "SYSTEM": name}[one] for one in columns.split()), repr(score)])
        for name, row in zip(data.systems, scores.tolist(), strict=True)
        for *cells, score in zip(*known.values(), row, strict=True)
        for part in [dict(zip(known, cells, strict=True))]
    ]
    path.write_text("\n".join(lines) + "\n")
    np.testing.assert_array_equal(data.with_scores(path, name="x").metrics["x"], scores)
    np.testing.assert_array_equal(data.with_scores(path, format="submission", name="x").metrics["x"], scores)


@pytest.mark.parametrize("columns", [one for one in LAYOUTS[::2] if "DOC" in one and one != "REF DOC SYSTEM SEG"])
def test_segments_that_begin_anew_in_documents_are_those_of_these(columns):
    cells = [("A", "d1", "x", "1"), ("A", "d1", "x", "2"), ("A", "d2", "y", "1"), ("A", "d3", "y", "1")]
    cells += [("B", *rest) for _, *rest in cells[::-1]]
    rows = [dict(zip(["SYSTEM", "DOC", "DOMAIN", "SEG"], one, strict=True)) | {"REF": "refA"} for one in cells]
    lines = ("\t".join(["m", "en-de", "t", *map(row.get, columns.split()), str(n)]) for n, row in enumerate(rows))
    data = read_submission({"m.seg.score": "\n".join(lines).encode()})
    assert data.segments == ("d1:1", "d1:2", "d2:1", "d3:1")
    [found] = data.metrics.values()
    np.testing.assert_array_equal(found, [[0, 1, 2, 3], [7, 6, 5, 4]])


def test_repeated_cells_are_joined_where_asked():
    twice = b"m\tqa-qb\tt\tr\tA\td\t1\t1\nm\tqa-qb\tt\tr\tA\td\t1\t2\n"
    assert read_submission({"a": twice}, aggregate="mean").metrics["m"].tolist() == [[1.5]]


def asked(name, **answers):
    files, chosen = {name: (SAMPLES / name).read_bytes()}, {}
    found = {}
    for one in FORMAT.questions(files, chosen):
        found[one.argument] = one.options
        chosen[one.argument] = answers.get(one.argument, one.options[0])
    return files, chosen, found


def test_the_app_asks_for_what_there_are_several_of():
    files, chosen, found = asked("toy.seg.score")
    assert found == {"reference": ("newset2020", "newsetB2020")}
    assert FORMAT.call(files, chosen) == "tk.read('toy.seg.score', format='submission', reference='newset2020')"
    assert FORMAT.read(files, **chosen).metrics["toy"].shape == (2, 3)
    assert asked("toy2022.sys.score")[2] == {}
    files, chosen, found = asked("toy2025.tsv", role="human")
    assert found == {"role": ("metric", "human"), "language_pair": ("qa-qb_QB", "qa-qc_QC")}
    assert FORMAT.read(files, **chosen).gold == "esa"


@pytest.mark.real
def test_the_files_of_2020(real_data):
    human = read_da_averages(real_data / "wmt20-metrics/human/ad-seg-scores-en-de.csv")
    for path in (
        real_data / "wmt20-metrics/metric-scores" / name for name in ("YiSi-2.seg.score.gz", "chrF.seg.score.gz")
    ):
        content = {path.name: path.read_bytes()}
        assert recognize({path.name: gzip.decompress(content[path.name])[:5000]}) is FORMAT
        chosen = {}
        for one in FORMAT.questions(content, chosen):
            chosen[one.argument] = one.options[-1]
        data = read_submission(content, **chosen)
        [scores] = data.metrics.values()
        assert not np.isnan(scores).any()
        assert set(data.segments) == set(human.segments)
        assert len(set(data.systems) & set(human.systems)) == 14
