"""WMT's relative rankings and judgments made of direct assessments: written, read back; refused or skipped."""

import csv
import io
import runpy
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from tests.fuzz.case import TRIES, Case, problem_of
from tests.readers.refusals import refusals
from tests.strategies import examples
from tiekit.judgments.reader import HEADER
from tiekit.readers import read_darr

LABELS = st.text('a1,"é漢', min_size=1, max_size=3)
SYSTEMS = st.sampled_from(["ABCDE", "BADCF", "FGCBA"])
RANKS = st.lists(st.sampled_from([-1, 1, 2, 3, 4, 5]), min_size=5, max_size=5)


def line(source="French", target="English", segment="7", judge="ann", systems="ABCDE", ranks=(1, 2, 2, 4, 5)):
    numbered = [cell for system in systems for cell in ("-1", system)]
    return [source, target, segment, "-1", segment, judge, *numbered, *map(str, ranks)]


def written(lines, header=HEADER, delimiter=","):
    file = io.StringIO()
    csv.writer(file, delimiter=delimiter, lineterminator="\n").writerows([header, *lines])
    return {"up/wmt13.csv": file.getvalue().encode()}


@examples(10)
@given(
    st.lists(
        st.tuples(LABELS, LABELS, LABELS, LABELS, st.sampled_from(["ABCDE", "BADCF", "FGCBA"]), RANKS),
        min_size=1,
        max_size=6,
    ),
    st.randoms(use_true_random=False),
    st.sampled_from(",\t"),
)
def test_what_is_written_is_read(sets, random, delimiter):
    columns = random.sample(range(len(HEADER)), len(HEADER))
    lines = [line(*names, systems, ranks) for *names, systems, ranks in sets]
    content = written([[row[i] for i in columns] for row in lines], [HEADER[i] for i in columns], delimiter)
    found = tk.read_rankings(content)
    expected = [(*one[:4], dict(zip(one[4], one[5], strict=False))) for one in sets if sum(r > 0 for r in one[5]) > 1]
    assert found.n_sets == len(expected)
    assert sum(found.skipped.values()) == len(sets) - len(expected)
    assert found.n_blank == sum(rank < 0 for *_, ranks in expected for rank in ranks.values())
    for place, (source, target, segment, judge, ranks) in enumerate(expected):
        assert found.segments[found.segment[place]] == segment
        assert found.judges[found.judge[place]] == judge
        assert found.language_pairs[found.pair_of_segment[found.segment[place]]] == f"{source}-{target}"
        names = [found.systems[code] for code in found.system[place]]
        assert dict(zip(names, found.rank[place].tolist(), strict=True)) == ranks


def test_from_rows_and_from_a_file_are_the_same(tmp_path):
    lines = [line(), line(judge="bob", ranks=(2, 1, 3, -1, 3)), line(segment="8", systems="FABCD")]
    (tmp_path / "r.csv").write_bytes(*written(lines).values())
    found = tk.read_rankings(tmp_path / "r.csv")
    rows = [(row[5], row[2], dict(zip(row[7:16:2], map(int, row[16:]), strict=True))) for row in lines]
    made = tk.judgments.Rankings.from_rows(rows, language_pair="French-English")
    assert found.preferences("keep").frame().equals(made.preferences("keep").frame())
    assert (found.systems, found.segments, found.n_blank) == (made.systems, made.segments, 1)
    assert len(found.digest) == 64


def test_languages_are_chosen_and_the_others_counted():
    lines = [line(), line(target="German"), line("Czech"), line(ranks=[-1] * 5), line(ranks=(3, -1, -1, -1, -1))]
    content = written(lines)
    every = tk.read_rankings(content)
    assert (every.n_sets, every.skipped) == (3, {"fewer than two ranks": 2})
    assert every.language_pairs == ("Czech-English", "French-English", "French-German")
    assert len(every.segments) == 3  # segment 7 of three language pairs
    french = tk.read_rankings(content, source="French", target="English")
    assert (french.n_sets, french.skipped) == (1, {"another language pair": 2, "fewer than two ranks": 2})
    assert tk.read_rankings(content, target="English").language_pairs == ("Czech-English", "French-English")
    with pytest.raises(tk.ReadError, match=r"up/wmt13.csv: has no line from Russian to any language; found: Czech-E"):
        tk.read_rankings(content, source="Russian")


test_bad_lines = refusals(
    lambda bad: tk.read_rankings(written([line(), bad, line()])),
    [
        (line(ranks=(1, 0, 2, 3, 4)), 3, "'0' in column 'system2rank' is not a rank"),
        (line(ranks=(1, 2, 2, 3, 6)), 3, "'6' in column 'system5rank' is not a rank"),
        (line(ranks=("", 2, 2, 3, 4)), 3, "'' in column 'system1rank' is not a rank"),
        (line(ranks=(1, 2, "1.5", 3, 4)), 3, "'1.5' in column 'system3rank' is not a rank"),
        (line(ranks=(1, 2, "２", 3, 4)), 3, "'２' in column 'system3rank' is not a rank"),
        (line(systems="ABCD", ranks=(1, 2, 3, 4)), 3, "found 18 cells, expected 21 as in the header"),
        (line(systems=["A", "B", "C", "D", ""]), 3, "an empty cell in column 'system5Id'"),
        (line(systems="ABCDA"), 3, "'A' again in column 'system5Id'; expected"),
        (line(source=" "), 3, "an empty cell in column 'srclang'; expected"),
        (line(judge=""), 3, "an empty cell in column 'judgeId'; expected"),
        (line(segment=""), 3, "an empty cell in column 'srcIndex'"),
        ([*line(), "x"], 3, "found 22 cells, expected 21"),
    ],
)


test_bad_files = refusals(
    lambda content: tk.read_rankings({"r.csv": content}),
    [
        (b'"\n"', 1, "begins with no names of columns; write them above"),
        (b"", None, "is empty"),
        (b"\xff\n", 1, "is not a text file in UTF-8"),
        (b"a,b\n1,2\n", 1, "column 'srclang' is missing in 'a,b'"),
        (",".join(HEADER).encode(), 1, "has a header and no rows"),
        (",".join(HEADER[:-1]).encode() + b"\n" + b",".join([b"1"] * 20) + b"\n", 1, "column 'system5rank' is missing"),
        (",".join([*HEADER, "judgeId"]).encode() + b"\n", 1, "two columns are named 'judgeid'"),
        (",".join(HEADER).encode() + b'\n"a', 2, "is not a table"),
    ],
)


def test_one_file_at_a_time():
    with pytest.raises(tk.InputError, match="path: expected one file of rankings, found 0 files"):
        tk.read_rankings({})


def test_nothing_but_blank_ranks():
    found = tk.read_rankings(written([line(ranks=[-1] * 5)]))
    assert (found.n_sets, found.skipped) == (0, {"fewer than two ranks": 1})
    assert found.preferences().n_judgments == 0


DATA = Path(__file__).parents[2] / "data"


def test_the_program_writes_the_bundled_sample(tmp_path):
    runpy.run_path(str(DATA / "make_rankings.py"))["write_all"](tmp_path / "r.csv")
    assert (tmp_path / "r.csv").read_bytes() == (DATA / "rankings/synthetic.csv").read_bytes()


def test_the_bundled_sample_has_what_lessons_need():
    rankings = tk.read_rankings(DATA / "rankings/synthetic.csv")
    assert (rankings.n_blank > 0, rankings.skipped) == (True, {"fewer than two ranks": 2})
    data = tk.read_mtme(DATA, "synthetic", "qaa-qab")
    assert set(rankings.systems) <= set(data.systems)
    assert set(rankings.segments) <= set(data.segments)
    for pair in rankings.language_pairs:
        preferences = rankings.select(pair).preferences("keep")
        assert 0 < preferences.contradictory < preferences.repeated < preferences.n_pairs
        assert 0.1 < (preferences.outcome == 0).mean() < 0.3
        kappa = tk.judgments.agreement(preferences)
        assert kappa.within.value > kappa.between.value > 0.1
        found = tk.judgments.attainable(preferences)
        assert found.n_intransitive > 0
        assert found.reachable < found.cap < 1


SAMPLES = Path(__file__).parent / "samples"
LP_HEADER = "LP DATA SID BETTER WORSE\n"


def test_close_pairs_are_left_out_and_counted():
    rankings = read_darr(SAMPLES / "DArr-toy.csv")
    assert (rankings.systems, rankings.judges) == (("Elk", "Owl", "Yak"), ("DA",))
    assert rankings.language_pairs == ("qa-qb", "qb-qa")
    assert (rankings.n_sets, rankings.skipped) == (3, {"a smaller difference": 1})
    frame = rankings.select("qa-qb").preferences().frame()
    assert frame[["segment", "first", "second", "outcome"]].to_numpy().tolist() == [
        ["hill.3_0", "Elk", "Owl", -1],
        ["hill.3_0", "Owl", "Yak", 1],
    ]
    assert read_darr(SAMPLES / "DArr-toy.csv", threshold=0).n_sets == 4
    one = read_darr(SAMPLES / "DArr-toy.csv", language_pair="qb-qa")
    assert (one.n_sets, one.skipped) == (1, {"another language pair": 3})
    assert read_darr(SAMPLES / "DArr-toy.csv", threshold=100).n_sets == 0


@examples(10)
@given(
    st.lists(
        st.tuples(st.sampled_from(["qa-qb", "qb-qa"]), st.sampled_from("12"), st.permutations("ABC")),
        min_size=1,
        max_size=8,
    )
)
def test_what_is_written_is_read_darr(judged):
    lines = "".join(f"{pair} set {segment} {order[0]} {order[1]}\n" for pair, segment, order in judged)
    rankings = read_darr({"d.csv": (LP_HEADER + lines).encode()})
    for place, (pair, segment, order) in enumerate(judged):
        assert [rankings.systems[code] for code in rankings.system[place]] == [*order[:2]]
        assert rankings.rank[place].tolist() == [1, 2]
        assert rankings.segments[rankings.segment[place]] == segment
        assert rankings.language_pairs[rankings.pair_of_segment[rankings.segment[place]]] == pair


test_what_is_refused = refusals(
    lambda text: read_darr({"d.csv": text.encode()}),
    [
        ("a b c d e\n", 1, "found 'a b c d e', expected the header LP"),
        ("lp,src,ref,pos,neg,data\nqa-qb,a,b,c,d,set\n", 1, "which systems wrote them"),
        (LP_HEADER, 1, "has a header and no rows"),
        (LP_HEADER + "qa-qb set 1 A\n", 2, "found 4 cells, expected 5"),
        (LP_HEADER + "qa-qb set 1 A B\nqa-qb set 1 A A\n", 3, "found 'A' as BETTER and as WORSE; expected"),
        (LP_HEADER + "qa-qb set 1 A B -3\n", 2, "found the difference -3; expected that of"),
        (LP_HEADER + "qa-qb set 1 A B x\n", 2, "'x' in column '6' is not a score"),
    ],
)


def test_parts_are_chosen():
    content = {"d.csv": (LP_HEADER + "qa-qb set1 1 A B\nqa-qb set2 1 B A\n").encode()}
    with pytest.raises(tk.InputError, match=r"testset: d.csv holds several, set1, set2"):
        read_darr(content)
    chosen = read_darr(content, testset="set2")
    assert (chosen.n_sets, chosen.skipped) == (1, {"another test set": 1})
    with pytest.raises(tk.InputError, match="language_pair: there is no 'x'; known: qa-qb"):
        read_darr(content, testset="set1", language_pair="x")
    with pytest.raises(tk.InputError, match="threshold: must be a number of at least 0, found -1"):
        read_darr(content, threshold=-1)


@pytest.mark.real
def test_the_shared_samples(real_data):
    rankings = read_darr(real_data.parent / "formats/DArr-seglevel.csv")
    assert (rankings.systems, rankings.segments) == (("OPPO.1", "zlabs.2"), ("abc.1_3",))
    with pytest.raises(tk.ReadError, match=r"2019-daRR.csv, line 1: holds texts"):
        read_darr(real_data.parent / "formats/2019-daRR.csv")


def test_many_short_lines_take_little_memory():
    text = b"1\t.5\n" + 629_145 * b"2\t.7\n"
    case = Case("short lines", len(text), lambda: read_darr({"pairs.tsv": text}))
    assert not all(problem_of(case) for _ in range(TRIES))
