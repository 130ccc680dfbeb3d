"""Scores of another set find their cells by the names of systems and segments, or the caller hears why not."""

import contextlib
from time import process_time

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import tiekit as tk
from tiekit.base.errors import collect_warnings
from tiekit.base.names import names_in, row_names
from tiekit.sets.alignment import align

SYSTEMS = ("Online-W", "W", "A.1", "refA", "Z\u00fc")


def numbered(systems, segments, **more):
    """A set whose metric m tells the cell: 10 × row + column."""
    rows, columns = np.indices((len(systems), len(segments)))
    return tk.EvalSet("s", "", tuple(systems), segments, {}, {"m": rows * 10.0 + columns}, **more)


def matched(data, scores, **more):
    found = align(data, scores, **more)
    return found, found.matrix(found.scores.metrics["m"]).tolist()


def counted(number, first=1):
    return tuple(str(place) for place in range(first, first + number))


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("Online-W", "Online-W"),
        ("W", "W"),
        ("A.1", "A.1"),
        ("A.1.txt", "A.1"),
        ("out/A.1.en.txt.gz", "A.1"),
        ("C:\\out\\A.1.txt", "A.1"),
        ("generaltest2022.zh-en.hyp.Online-W.en", "Online-W"),
        ("runs_Online-W_seed1", "Online-W"),
        ("hyp.W.en", "W"),
        ("W/Online-X.txt", "W"),
        ("A.1/Online-W.en.txt", "Online-W"),
        ("refA/refA.txt", "refA"),
        ("OnlineW", "Online-W"),
        ("online_w", "Online-W"),
        ("out/ONLINE W.txt", "Online-W"),
        ("Online\u2011W", "Online-W"),
        ("Zu\u0308", "Z\u00fc"),
        ("Online", None),
        ("WW.txt", None),
        ("", None),
        (".", None),
    ],
)
def test_what_a_name_stands_for(key, name):
    assert names_in([key], SYSTEMS) == {key: name}


def test_a_name_that_may_be_two():
    with pytest.raises(tk.InputError, match=r"source: 'A\.1-vs-W' may be A\.1 or W; rename it"):
        names_in(["A.1-vs-W"], SYSTEMS)


def test_an_exact_name_is_no_part_of_another():
    assert names_in(["W", "copy-of-W"], SYSTEMS) == {"W": "W", "copy-of-W": None}


@pytest.mark.parametrize(
    ("names", "is_asked"),
    [
        (("Online-W-turbo", "refA"), True),
        (("Online-W-turbo", "refA-small"), True),
        (("run_Online-W_seed1", "run_refA_seed2"), False),
        (("wmt.hyp.Online-W.en.txt", "wmt.ref.refA.en"), False),
        (("online_w", "out/refA.txt"), False),
    ],
)
def test_a_longer_name_that_may_be_another_system_is_asked_about(names, is_asked):
    with collect_warnings() as said:
        found = align(numbered(SYSTEMS, counted(2)), numbered(names, counted(2)))
    asked = [text.removeprefix("source: ") for category, text in said if category is tk.RoleWarning]
    assert len(asked) == is_asked
    assert all("Online-W-turbo is Online-W" in text and text in found.remarks for text in asked)


def test_two_names_for_one_system():
    data = numbered(SYSTEMS, counted(2))
    with pytest.raises(tk.InputError, match="both a-W and b-W may be the system W; rename one"):
        align(data, numbered(("a-W", "b-W"), counted(2)))


def test_long_names_are_searched_quickly():
    edges = [f"{'-' * 480}{i}" for i in range(4)]  # a system may have such names, too
    keys = [".".join("ab" * 20_000), "-" * 40_000, *(f"x{i}.y" for i in range(20_000)), *(f"a{edge}" for edge in edges)]
    begun = process_time()
    names = names_in([*keys, *(f"{'a-' * 499}{i}" for i in range(200))], [*SYSTEMS, *edges, "-".join("WWWWW"), "W-W"])
    assert set(names.values()) == {None}
    assert process_time() - begun < 2, "not 6 s and more"


@given(st.permutations(range(4)), st.permutations(range(5)), st.integers(0, 3), st.integers(0, 4))
def test_names_decide_whatever_the_order(rows, columns, fewer_rows, fewer_columns):
    systems, segments = ("A", "B", "C", "D"), counted(5)
    data = numbered(systems, segments)
    kept = [rows[: 4 - fewer_rows], columns[: 5 - fewer_columns]]
    cells = np.ix_(*kept)
    part = tk.EvalSet(
        "p", "", tuple(systems[i] for i in kept[0]), tuple(segments[i] for i in kept[1]), {},
        {"m": data.metrics["m"][cells]},
    )  # fmt: skip
    assume(len(part.segments) > 1)
    found, matrix = matched(data, part)
    expected = np.full((4, 5), np.nan)
    expected[cells] = data.metrics["m"][cells]
    np.testing.assert_array_equal(matrix, expected)
    assert found.cells == np.isfinite(expected).sum() == part.metrics["m"].size
    assert found.by == "label"
    assert set(found.systems_without) == set(systems) - set(part.systems)
    assert set(found.segments_without) == set(segments) - set(part.segments)
    assert not found.systems_unknown
    assert not found.segments_unknown


def test_a_part_of_a_set_takes_its_segments_from_a_whole_file():
    data = numbered("AB", ("2", "4"))
    found, matrix = matched(data, numbered("AB", counted(5)))
    assert matrix == [[1, 3], [11, 13]]
    assert found.segments_unknown == ("1", "3", "5")
    assert "the set does not have the segments 1, 3, 5" in found.gaps()


@pytest.mark.parametrize(
    ("labels", "places", "said"),
    [
        (("y:1", "x:1", "x:2"), [1, 2, 0], ""),
        (("y:1", "x:2", "x:1"), [2, 1, 0], ""),
        (("y:0", "x:1", "x:0"), [2, 1, 0], ""),
        (("1", "2", "1000"), [1, 2, 0], ""),
        (("1", "1000", "2"), [2, 1, 0], r"segments of x \(1000, 2\) were put in the order of their numbers"),
        (("c", "b", "a"), [1, 2, 0], r"segments of x \(b, a\) have no numbers, so their order was taken"),
    ],
)
def test_documents_where_labels_are_of_another_kind(labels, places, said):
    data = numbered("A", ("1", "2", "33", "44"), documents=("x", "x", "y", "z"))
    theirs = numbered("A", (*labels, "z:1", "z:2"), documents=("y", "x", "x", "z", "z"))
    with pytest.warns(tk.RoleWarning, match=f"source: {said}") if said else contextlib.nullcontext():
        found, matrix = matched(data, theirs)
    assert matrix[0][:3] == places
    assert found.segments_without == ("44",)  # the document has two segments there and one here
    assert found.segments_unknown == ("z:1", "z:2")
    assert found.by == "document and place in it"
    assert "another number of segments in the set are left out" in found.gaps()[-1]


@pytest.mark.parametrize(
    ("ours", "theirs", "by", "expected"),
    [
        (counted(30), counted(30, 0), "label, counted from 0", [0, 1]),
        (counted(3), ("2", "0", "1"), "label, counted from 0", [1, 2, 0]),
        (counted(3), ("0", "1"), "label, counted from 0", [0, 1, None]),
        (("2", "3"), ("0", "2", "3"), "label", [1, 2]),
        (counted(3), ("003", "001"), "number", [1, None, 0]),
        (counted(12), tuple(f"{number:02}" for number in range(12, 0, -1)), "number", [11, 10, 9]),
        (counted(30), (*counted(30, 0), "mean"), "label, counted from 0", [0, 1]),
        (counted(30, 0), counted(30), "label, counted from 0", [0, 1]),
        (counted(3, 0), ("3", "1", "2"), "label, counted from 0", [1, 2, 0]),
        (counted(3), ("mean", "003", "001"), "number", [2, None, 1]),
        (counted(3), ("a/3.mp3", "a/1.mp3", "a/2.mp3"), "label", [1, 2, 0]),
        (("x_a", "x_b"), ("x_b.wav", "x_a.wav"), "label", [1, 0]),
        (("x_a", "y_b", "z"), ("wavs/z.wav", "wavs/x_a.wav", "wavs/y_b.wav"), "label", [1, 2, 0]),
        (("x_a", "y_b", "z"), ("C:\\x\\z", "C:\\x\\x_a", "C:\\x\\y_b"), "label", [1, 2, 0]),
        (counted(3), ("seg3", "seg1", "seg2"), "number", [1, 2, 0]),
        (counted(3), ("3.0", "1.0", "2.0"), "number", [1, 2, 0]),
        (("1.1", "1.10", "1.2"), ("1.10", "1.1", "1.2"), "label", [1, 0, 2]),
        (counted(3), ("s_1", "s_0", "s_2", "all"), "label, counted from 0", [1, 0, 2]),
    ],
)
def test_position_where_labels_say_nothing(ours, theirs, by, expected):
    found, matrix = matched(numbered("A", ours), numbered("A", theirs))
    assert found.by == by
    assert [None if np.isnan(x) else x for x in matrix[0][: len(expected)]] == expected


DAYS = ("2024-01-19", "2024-02-01", "2024-03-02")


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (counted(3), ("b", "a", "c")),
        (("d:2", "d:1", "e:1"), counted(3)),
        (("2", "3", "1"), row_names(3)),
        (("7", "9", "8"), counted(3)),
        (counted(3, 101), ("30", "20", "10")),
        (DAYS, ("19/01/2024", "01/02/2024", "02/03/2024")),
        (DAYS, ("1/19/2024", "2/1/2024", "3/2/2024")),
        (DAYS, ("2024-01-19 00:00:00", "2024-02-01 00:00:00", "2024-03-02 00:00:00")),
    ],
)
def test_the_order_of_other_labels_is_a_guess_that_is_said(ours, theirs):
    labels = f"other labels, {theirs[0]}, {theirs[1]}, … where the set has {ours[0]}, {ours[1]}, …"
    labels = "no labels, the set's 2, 3, …" if ours == ("2", "3", "1") else labels
    with pytest.warns(tk.RoleWarning, match=f"{labels}; its rows were taken in their order"):
        found, matrix = matched(numbered("A", ours), numbered("A", theirs))
    assert (found.by, matrix) == ("position", [[0, 1, 2]])


@pytest.mark.parametrize("labels", [("2", "3", "1"), ("2", "0", "1"), ("seg3", "seg1", "seg2")])
def test_the_order_of_an_array_is_said_where_the_segments_are_in_another(labels):
    data, scores = numbered("AB", labels), np.arange(6.0).reshape(2, 3)
    shown = rf"the set's {labels[0]}, {labels[1]}, …"
    for source in (scores, pd.DataFrame(scores)):
        with pytest.warns(tk.RoleWarning, match=f"3 segments each in the order of {shown}: A, B"):
            more = data.with_scores(source, name="x")
        np.testing.assert_array_equal(more.metrics["x"], scores)
        with pytest.warns(tk.RoleWarning, match=f"no labels, {shown}; its rows were taken in their order"):
            more = data.with_metric("x", source)
        np.testing.assert_array_equal(more.metrics["x"], scores)
    with pytest.warns(tk.RoleWarning, match=f"no labels, {shown}; its rows were taken in their order"):
        more = data.with_scores({"A": [0, 1, 2], "B": [3, 4, 5]}, name="x")
    np.testing.assert_array_equal(more.metrics["x"], scores)
    with collect_warnings() as said:
        data.with_metric("x", pd.DataFrame(scores, ["A", "B"], [*labels]))
        numbered("AB", counted(3)).with_metric("x", scores)
    assert not [text for _, text in said if "order" in text]


def test_numbers_of_which_most_are_none_of_a_whole_set_are_refused():
    data = numbered("AB", counted(6))
    problem = "7 of its 13 segments are none of the set: 7, 8, 9, 10, 11 and 2 more; the set has 6, 1 to 6; are they of"
    with pytest.raises(tk.InputError, match=problem):
        align(data, numbered("AB", counted(13)))
    with collect_warnings():
        assert align(data, numbered("AB", counted(12))).cells == 12
        assert align(numbered("AB", ("1", "4", "7")), numbered("AB", counted(13))).cells == 6  # a part of it


@pytest.mark.parametrize("column", ["lp", "domain"])
def test_a_column_says_that_a_file_is_of_more_than_the_set(column):
    data = numbered("AB", counted(6))
    rows = [(name, number, "one" if number <= 6 else "other", number / 7) for name in "AB" for number in range(1, 31)]
    with collect_warnings() as said:
        more = data.with_scores(pd.DataFrame(rows, columns=["system", "segment", column, "x"]))
    assert np.isfinite(more.metrics["x"]).all()
    assert any("the set does not have the segments 7, 8, 9" in text for _, text in said)
    mixed = pd.DataFrame(rows, columns=["system", "segment", "domain", "x"]).assign(domain=["a", "b"] * 30)
    with pytest.raises(tk.InputError, match="24 of its 30 segments are none of the set"):
        data.with_scores(mixed)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (counted(3, 101), ("2", "1", "3")),
        (counted(3), ("\u0663", "\u0661", "\u0662")),
        (counted(3), ("20", "10", "30")),
        (DAYS, ("45310", "45300", "45320")),
        (DAYS, ("19/01/2024", "01/03/2024", "02/02/2024")),
        (DAYS, ("2024-02-01T00:00:00Z", "2024-01-19T00:00:00Z", "2024-03-02T00:00:00Z")),
        (DAYS[::2] + DAYS[1:2], ("45310", "45320", "45330")),
    ],
)
def test_other_labels_that_are_not_in_order_are_refused(ours, theirs):
    with pytest.raises(tk.InputError, match=r"not in order, so its rows need not be in the set's; name the .*to_numpy"):
        align(numbered("A", ours), numbered("A", theirs))


def test_labels_that_are_segments_of_another_document():
    data = numbered("A", counted(4), documents=("x", "x", "y", "y"))
    assert matched(data, numbered("A", ("2", "1"), documents=("y", "y")))[1][0][2:] == [1, 0]
    with pytest.raises(tk.InputError, match="its segment 2 is of the document y, but the set's 2 of x; give both the"):
        align(data, numbered("A", ("1", "2"), documents=("x", "y")))


def test_places_in_documents_need_documents():
    theirs = numbered("A", ("y:1", "x:1"), documents=("y", "x"))
    for documents in ((), ("u", "v")):
        with pytest.raises(tk.InputError, match=r"counted in documents \(y:1, x:1\), which the set does not have"):
            align(numbered("A", counted(2), documents=documents), theirs)


@pytest.mark.parametrize("step", [1, -1, 7])
@pytest.mark.parametrize("sign", [",", ".", "'", "_", " ", "\u202f"])
def test_signs_in_numbers_of_segments_divide_thousands(step, sign):
    data = numbered("AB", counted(1_102))
    order = np.arange(1_102) * step % 1_102
    theirs = numbered("AB", tuple(f"{n + 1:,}".replace(",", sign) for n in order))
    found, matrix = matched(data, theirs)
    assert found.by == "number"
    np.testing.assert_array_equal(matrix, theirs.metrics["m"][:, np.argsort(order)])


def test_a_comma_between_two_numbers_divides_no_thousands():
    labels = ("1,001", "1,002", "2,001")
    assert matched(numbered("AB", labels), numbered("AB", labels[::-1]))[1] == [[2, 1, 0], [12, 11, 10]]
    with pytest.raises(tk.InputError, match="no segment of it is one of the set"):
        matched(numbered("AB", ("1001", "1002", "2001", "4")), numbered("AB", labels))


def test_segments_that_are_numbered_from_0_to_n_are_refused():
    with pytest.raises(tk.InputError, match="its segments are numbered 0 to 3, and the set's 1 to 3; leave out the"):
        align(numbered("A", counted(3)), numbered("A", counted(4, 0)))
    with pytest.raises(tk.InputError, match=r"numbered 0 to 3, and the set has a part of such segments \(2, 3\)"):
        align(numbered("A", ("2", "3")), numbered("A", ("3", "1", "0", "2")))
    for first, last in ((1, 0), (0, 1)):
        words = f"seem to be counted from {last}, and the set's from {first}, as only one has 0, and only the other 12"
        for form in ("00{}", "{}.0", "seg{}", "utt_{}.wav"):
            ours, theirs = (tuple(form.format(n) for n in counted(12, start)) for start in (first, last))
            if first:
                with pytest.raises(tk.InputError, match=f"its segments {words}; number both alike"):
                    align(numbered("A", ours), numbered("A", theirs))
        with pytest.raises(tk.InputError, match=f"its systems {words}"):
            align(numbered(counted(12, first), counted(2)), numbered(counted(12, last), counted(2)))
    rows = [{"system": "ABC"[n // 4], "id": n, "score": n} for n in range(12)]
    for source in (rows, {s: pd.Series([1, 2, 3, 4], range(4 * n, 4 * n + 4)) for n, s in enumerate("ABC")}):
        with pytest.raises(tk.InputError, match=r"no two .* share a segment, .* not have 8 .*cumcount\(\)"):
            numbered("ABC", counted(4)).with_scores(source, name="x")
    with pytest.raises(tk.InputError, match="4 scores of a system, one more than the set has segments, and no labels"):
        align(numbered("A", counted(3)), numbered("A", row_names(4)))


def test_segments_that_nothing_matches():
    with pytest.raises(tk.InputError, match=r"its 2 segments: x, y; the set's 3: 1, 2, 3; give them the same labels"):
        align(numbered("A", counted(3)), numbered("A", ("x", "y")))


def test_scores_of_whole_systems_are_not_those_of_the_first_segment():
    with pytest.raises(tk.InputError, match="has one score for each system, but the set has 3 segments"):
        align(numbered("AB", counted(3)), numbered("AB", ("1",)))


@pytest.mark.parametrize(("lines", "rows"), [(6, ["A", "refA", "B"]), (4, ["A", "B"])])
def test_one_score_per_line_for_all_systems(lines, rows):
    data = numbered(("A", "refA", "B"), ("x", "y"), standard_reference="refA")
    with pytest.warns(tk.RoleWarning, match=rf"its {lines} lines have no names and were taken as the set's"):
        found, matrix = matched(data, numbered(("all",), counted(lines)))
    laid = dict(zip(data.systems, matrix, strict=True))
    assert [laid[name] for name in rows] == [[2 * row, 2 * row + 1] for row in range(len(rows))]
    assert found.systems_without == (() if lines == 6 else ("refA",))
    assert f"its {lines} lines have no names and were taken as the set's {len(rows)} systems" in found.remarks[0]
    assert (" without refA in their order" in found.remarks[0]) == (lines == 4)


def test_lines_that_are_not_all_cells_are_refused():
    data = numbered(("A", "refA", "B"), counted(2), standard_reference="refA")
    with pytest.raises(
        tk.InputError,
        match=r"5 scores are not 3 systems × 2 segments \(or 2 × 2 without refA\), which include those that are not "
        "compared: refA, nor one system's 2",
    ):
        align(data, numbered(("all",), counted(5)))
    with pytest.raises(tk.InputError, match="say whose scores these are: pass system="):
        align(data, numbered(("all",), counted(2)))
    with pytest.raises(
        tk.InputError, match=r"its 6 labels \(u, v, w, x, y and 1 more\) name no systems of the set; give"
    ):
        align(data, numbered(("all",), tuple("uvwxyz")))
    with pytest.raises(tk.InputError, match=r"its systems: x, y; the set's: A, refA, B; rename them"):
        align(data, numbered(("x", "y"), counted(2)))
    with pytest.raises(tk.InputError, match=r"its systems: '\\u0410', y; the set's: A, refA, B"):
        align(data, numbered(("\u0410", "y"), counted(2)))
    for names in (("A", "B", "C"), ("1", "2", "10")):
        rows = tk.read([(1, segment, segment % 3) for segment in (1, 2, 3, 4)])
        with pytest.raises(tk.InputError, match=r"a column of its 4 rows counts segments; pass .*DataFrame\(ROWS, col"):
            align(numbered(names, counted(4)), rows)


def test_the_caller_says_whose_scores_these_are():
    data = numbered(("A", "B"), counted(2))
    assert matched(data, numbered(("all",), counted(2)), system="b")[1][1] == [0, 1]
    with pytest.raises(tk.InputError, match="system: there is no 'C'; known: A, B"):
        align(data, numbered(("all",), counted(2)), system="C")
    with pytest.raises(tk.InputError, match="names the only system of a source, but this one has 2: A, B"):
        align(data, data, system="A")


@pytest.mark.parametrize(("pair", "refused"), [("zh-en", True), ("en-de_DE", False), ("eng-deu", False), ("", False)])
def test_another_language_pair(pair, refused):
    ours = tk.EvalSet("s", "en-de", ("A",), ("1", "2"), {}, {"m": [[1, 2]]})
    theirs = tk.EvalSet("s", pair, ("A",), ("1", "2"), {}, {"m": [[1, 2]]})
    if refused:
        with pytest.raises(tk.InputError, match=f"has scores of {pair}, but the set is en-de"):
            align(ours, theirs)
    else:
        assert align(ours, theirs).cells == 2


def test_what_is_said():
    data = numbered([f"s{i}" for i in range(9)], counted(3))
    found = align(data, numbered(("s0.txt", "s1", "new"), ("1", "2")))
    assert found.sentences() == (
        "2 of 9 systems and 2 of 3 segments matched (4 of 27 cells), segments by number",
        "systems by a part of their name: s0.txt is s0",
        "the set does not have the systems new",
        "there are no scores of the systems s2, s3, s4, s5, s6 and 2 more",
        "there are no scores of the segments 3",
        "if its numbers 1 to 2 are those of lines, not of segments, and these are not the first ones, label them"
        "; if they count from 0 and 0 has no score, add 1 to each",
    )
