"""Scores below systems, segments, explanations or the name of their list; and the steps that refusals name."""

import io
import json
import re

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tiekit.base.errors import collect_warnings

SYSTEMS, SEGMENTS = ("A-sys", "B-sys", "C-sys"), ("s1", "s2", "s3", "s4")
SCORES = np.array([[87.0, 20, 40, 11], [12, 66, 5, 70], [33, 47, 90, 2]])
ROWS = [
    {"system": system, "segment": segment, "score": SCORES[row, column]}
    for row, system in enumerate(SYSTEMS)
    for column, segment in enumerate(SEGMENTS)
]


@pytest.fixture
def data():
    frame = pd.DataFrame(ROWS).rename(columns={"score": "m"}).assign(human=[n % 5 for n in range(len(ROWS))])
    return tk.read(frame, human="human", metrics="m")


def by_two(leaf, *, turned=False):
    first, second = (SEGMENTS, SYSTEMS) if turned else (SYSTEMS, SEGMENTS)
    found = SCORES.T if turned else SCORES
    return {one: {other: leaf(found[i, j]) for j, other in enumerate(second)} for i, one in enumerate(first)}


NESTED = [
    by_two(lambda score: {"mine": score}),
    by_two(lambda score: {"score": score}),
    by_two(lambda score: {"score": score, "explanation": f"Fine, {score}."}),
    by_two(lambda score: {"explanation": f"Fine, {score}.", "score": score, "verdict": "good"}),
    by_two(lambda score: {"score": score, "explanation": "Fine."}, turned=True),
]


@pytest.mark.parametrize("as_file", [True, False])
@pytest.mark.parametrize("nested", NESTED)
def test_systems_segments_and_scores_with_explanations(data, nested, as_file):
    file = {"x.json": json.dumps(nested).encode()}
    found = data.with_scores(file if as_file else nested, name="x")
    assert found.metrics["x"].tolist() == SCORES.tolist()
    texts = [note for note in found.notes if "they hold texts" in note]
    assert bool(texts) == ("explanation" in str(nested))


def test_two_scores_with_an_explanation(data):
    found = data.with_scores(by_two(lambda score: {"fluency": score, "why": "so.", "detail": score / 2}))
    assert found.metrics["fluency"].tolist() == SCORES.tolist()
    assert found.metrics["detail"].tolist() == (SCORES / 2).tolist()


def test_a_text_for_a_score_is_still_refused(data):
    nested = {"mine": by_two(float)}
    nested["mine"]["B-sys"]["s2"] = "bad"
    with pytest.raises(tk.InputError, match="'bad' is not a score"):
        data.with_scores(nested)


LISTS = [
    {"results": ROWS},
    {"judge": "X", "n": 12, "results": ROWS},
    {
        system: [{"segment": row["segment"], "score": row["score"], "explanation": "Fine."} for row in ROWS
                 if row["system"] == system]
        for system in SYSTEMS
    },
]  # fmt: skip


def named_lists(shuffle):
    order = [np.random.default_rng(row).permutation(4) if shuffle else range(4) for row in range(3)]
    return {
        system: {"segments": [SEGMENTS[at] for at in order[row]], "scores": [SCORES[row, at] for at in order[row]]}
        for row, system in enumerate(SYSTEMS)
    }


WORDS = by_two(lambda score: {"why": f"Fine, {score}.", "score": score})
DEEP = [
    {"results": by_two(lambda score: {"score": score, "explanation": "Fine."})},
    {"judge": WORDS},
    {"judge": by_two(lambda score: {"score": score})},
    {"model": "X", "results": WORDS},
    {"data": {"results": ROWS}},
    {"version": 1, "data": {"model": "X", "results": ROWS}},
    {"data": LISTS[2]},
    by_two(lambda score: {"judge": {"score": score, "why": "So."}}),
    by_two(lambda score: {"judge": {"why": "So.", "score": score}}, turned=True),
    named_lists(shuffle=False),
    named_lists(shuffle=True),
    {"results": named_lists(shuffle=True)},
    {"config": {"model": "X"}, "results": by_two(float)},
    {"results": dict(zip(SYSTEMS, SCORES.tolist(), strict=True)), "config": {"model": "X"}},
]


@pytest.mark.sampled(7)
@pytest.mark.parametrize("indent", [None, 2, "memory"])
@pytest.mark.parametrize("add", ["with_scores", "with_human"])
@pytest.mark.parametrize("source", [*LISTS, *DEEP])
def test_scores_below_more_names(data, source, add, indent):
    given = source if indent == "memory" else {"x.json": json.dumps(source, indent=indent).encode()}
    with collect_warnings() as said:
        found = getattr(data, add)(given, name="x")
    assert (found.metrics if add == "with_scores" else found.human)["x"].tolist() == SCORES.tolist()
    assert not [message for category, message in said if category is tk.LeftOutWarning]


@pytest.mark.parametrize("beside", [{"args": {"a": [1]}}, {"seed": 1}])
def test_what_stands_beside_scores_is_left_out_as_the_step_says(data, beside):
    source = {"config": beside, "results": dict(zip(SYSTEMS, SCORES.tolist(), strict=True))}
    for given, name in ((source, "source"), ({"x.json": json.dumps(source).encode()}, "json.load(open(PATH))")):
        with pytest.raises((tk.InputError, tk.ReadError)) as refused:
            data.with_scores(given, name="x")
        step = re.search(r"pass (\S+\]) in Python", str(refused.value))[1]
        assert step.startswith(name)
        found = data.with_scores(eval(step.replace(name, "source"), {"source": source}), name="x")
        assert found.metrics["x"].tolist() == SCORES.tolist()


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("leaf", [float, lambda score: {"score": score, "why": "So."}])
def test_two_judges_below_systems_and_segments(data, leaf, turned):
    nested = by_two(lambda score: {"j1": leaf(score), "j2": leaf(score / 2)}, turned=turned)
    for given in (nested, {"x.json": json.dumps(nested).encode()}):
        found = data.with_scores(given)
        assert list(found.metrics) == ["m", "j1", "j2"]
        assert found.metrics["j1"].tolist() == SCORES.tolist()
        assert found.metrics["j2"].tolist() == (SCORES / 2).tolist()


def test_labels_that_occur_twice_are_no_segments_of_a_list(data):
    nested = {system: {"segments": ["s1", "s1"], "scores": [1, 2]} for system in SYSTEMS}
    with pytest.raises(tk.InputError, match="'s1' is not a score"):
        data.with_scores(nested, name="x")


def test_rows_below_metrics(data):
    found = data.with_scores({"u": ROWS, "v": ROWS}, scorer="metric", score="score")
    assert found.metrics["u"].tolist() == found.metrics["v"].tolist() == SCORES.tolist()


def test_two_levels_of_columns(data):
    wide = pd.DataFrame({("mine", system): SCORES[row] for row, system in enumerate(SYSTEMS)}, index=SEGMENTS)
    with pytest.raises(tk.InputError, match=r"source\.rename_axis\(columns=\['score', 'system'\]\)"):
        data.with_scores(wide, name="x")
    found = data.with_scores(wide.rename_axis(columns=["score", "system"]), name="x")
    turned = wide.swaplevel(axis=1)
    with pytest.raises(tk.InputError, match=r"or \['system', 'score'\] where systems stand above"):
        data.with_scores(turned, name="x")
    again = data.with_scores(turned.rename_axis(columns=["system", "score"]), name="x")
    np.testing.assert_array_equal(again.metrics["x"], found.metrics["x"])
    assert found.metrics["x"].tolist() == SCORES.tolist()


def sorted_anew(row):
    """The segments of a system, and its scores, in an order of its own."""
    order = np.random.default_rng(row).permutation(len(SEGMENTS))
    return [SEGMENTS[at] for at in order], SCORES[row][order]


@pytest.mark.parametrize("names", [["system", "score"], ["score", "system"]])
def test_each_system_beside_the_others_with_an_order_of_its_own(data, names):
    """The two columns of each system are segments and scores: the index, which counts rows, names none."""
    blocks = {}
    for row, system in enumerate(SYSTEMS):
        blocks[system] = pd.DataFrame(dict(zip(("question", "comet"), sorted_anew(row), strict=True)))
    frame = pd.concat(blocks, axis=1).rename_axis(columns=names)
    assert data.with_scores(frame).metrics["comet"].tolist() == SCORES.tolist()
    ids_of_first = frame.set_index(frame.columns[0])
    with pytest.raises(
        tk.InputError, match=f"'question' names the rows of each system but '{SYSTEMS[0]}', .*leave out"
    ):
        data.with_scores(ids_of_first.rename_axis(index=None))


@pytest.mark.parametrize("names", [["system", "score"], ["score", "system"]])
@pytest.mark.parametrize("index", [None, 0])
def test_columns_below_no_heading_name_the_rows(data, names, index):
    order = np.random.default_rng(0).permutation(len(SEGMENTS))
    columns = {
        ("Unnamed: 0_level_0", "No."): range(1, len(order) + 1),
        ("Unnamed: 1_level_0", "ID"): [SEGMENTS[at] for at in order],
    }
    for row, system in enumerate(SYSTEMS):
        columns |= {(system, "comet"): SCORES[row][order], (system, "bleu"): -SCORES[row][order]}
    frame = pd.DataFrame(columns)
    frame = frame if index is None else frame.set_index(frame.columns[0]).rename_axis(index=None)
    with collect_warnings():
        found = data.with_scores(frame.rename_axis(columns=names))
    assert found.metrics["comet"].tolist() == SCORES.tolist()
    assert found.metrics["bleu"].tolist() == (-SCORES).tolist()
    gap = frame.rename(columns={SYSTEMS[1]: "Unnamed: 4_level_0"}, level=0).rename_axis(columns=names)
    with pytest.raises(tk.InputError, match="write the name of the system above each of its columns"):
        data.with_scores(gap)


@pytest.mark.parametrize("names", [["system", "score"], ["score", "system"]])
@pytest.mark.parametrize("index", ["item", None])
def test_a_file_with_names_in_two_lines(data, names, index, tmp_path):
    """The step of the message is followed, with either order of the names."""
    columns = {
        (system, one): SCORES[row] * way for row, system in enumerate(SYSTEMS) for one, way in (("u", 1), ("v", -1))
    }
    frame = pd.DataFrame(columns, index=pd.Index(SEGMENTS, name=index))
    for one in (frame, frame.swaplevel(axis=1), frame.rename_axis(columns=["model", None])):
        one.to_csv(path := tmp_path / "x.csv")
        with pytest.raises(tk.ReadError, match="header") as error:
            data.with_scores(path)
        step = re.search(r"pandas\.(read_csv\(PATH, header=\[0, 1\], index_col=0\))\.rename_axis", str(error.value))[1]
        found = data.with_scores(eval(f"pd.{step}", {"pd": pd, "PATH": path}).rename_axis(columns=names))
        assert (found.metrics["u"].tolist(), found.metrics["v"].tolist()) == (SCORES.tolist(), (-SCORES).tolist())


def test_arrays_of_segments_by_systems(data):
    def saved(**arrays):
        file = io.BytesIO()
        np.savez(file, **arrays)
        return {"x.npz": file.getvalue()}

    names = {"systems": np.array(SYSTEMS), "segments": np.array(SEGMENTS)}
    for scores in (SCORES, SCORES.T):
        assert data.with_scores(saved(scores=scores, **names), name="x").metrics["x"].tolist() == SCORES.tolist()
    with pytest.raises(tk.ReadError) as error:
        data.with_scores(saved(scores=SCORES[:, :3], **names), name="x")
    assert "pass pandas.DataFrame(numpy.load(PATH)['scores'], index=SYSTEMS, columns=SEGMENTS)" in str(error.value)


@pytest.mark.parametrize("key", ["segments", "ids"])
def test_segments_of_an_archive_are_whole_numbers_as_texts_are(tmp_path, key):
    rows = [{"system": one, "segment": number, "human": number % 5} for one in SYSTEMS for number in range(1, 21)]
    data = tk.read(pd.DataFrame(rows), human="human")
    order = np.random.default_rng(0).permutation(20)
    scores = np.arange(60.0).reshape(3, 20)
    for ids in (order + 1, [str(number + 1) for number in order], order + 1.0):
        np.savez(path := tmp_path / "x.npz", scores=scores[:, order], systems=SYSTEMS, **{key: ids})
        try:
            found = data.with_scores(path, name="x")
        except tk.ReadError as error:
            assert key == "ids" or isinstance(ids[0], float)
            step = re.search(r"pass (pandas\.DataFrame\(.+\))$", str(error))[1]
            found = data.with_scores(eval(step, {"pandas": pd, "numpy": np, "PATH": path}), name="x")
        assert found.metrics["x"].tolist() == scores.tolist()


@pytest.mark.parametrize("column", ["bot", "summarizer"])
def test_the_step_for_a_column_of_systems_with_an_unusual_name(column):
    rows = [{"dialog_id": f"d{n}", column: one, "overall": n % 5, "USR": n / 7} for n in range(20) for one in SYSTEMS]
    frame = pd.DataFrame(rows)
    with collect_warnings() as said:
        tk.read(frame)
    [step] = re.findall(r"pass system='(\w+)' if it names the systems", " ".join(message for _, message in said))
    with collect_warnings():
        assert tk.read(frame, system=step).systems == SYSTEMS
