"""The texts of a table that is a set by itself are kept: scores that are added find their places by them."""

import json

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tiekit.base.errors import collect_warnings
from tiekit.readers import _texts

SYSTEMS, SIZE = ("gpt", "ours", "base"), 60
RATED = np.random.default_rng(1).integers(1, 6, (3, SIZE))
SCORES = np.random.default_rng(2).random((3, SIZE)).round(3)
ORDER = np.random.default_rng(3).permutation(SIZE).tolist()


def source(place):
    return f"What is {place} plus {3 * place}?"


def output(row, place):
    return f"{SYSTEMS[row]} says {4 * place}, which is right ({place})"


def table(columns=("source", "output"), label=lambda place: place + 1):
    """People's ratings, beside the texts that were rated."""
    rows = [
        dict(
            zip(
                ("segment", "system", *columns, "human"),
                (label(place), name, source(place), output(row, place), RATED[row, place]),
                strict=True,
            )
        )
        for place in range(SIZE)
        for row, name in enumerate(SYSTEMS)
    ]
    return pd.DataFrame(rows)


def comet(tmp_path):
    """What comet-score writes of the same texts in another order."""
    path = tmp_path / "comet.json"
    rows = {
        f"{name}.txt": [
            {"src": source(place), "mt": output(row, place), "ref": "-", "COMET": SCORES[row, place]} for place in ORDER
        ]
        for row, name in enumerate(SYSTEMS)
    }
    path.write_text(json.dumps(rows))
    return path


@pytest.mark.sampled(5)
@pytest.mark.parametrize("kind", ["frame", "csv", "jsonl"])
@pytest.mark.parametrize("label", [lambda place: place + 1, lambda place: f"q{ORDER[place]:03d}"], ids=["1", "q"])
@pytest.mark.parametrize("columns", [("source", "output"), ("src", "mt"), ("prompt", "response"), ("text", "output")])
def test_scores_with_texts_and_without_labels_find_their_places_in_a_set_of_a_table(tmp_path, columns, label, kind):
    frame, path = table(columns, label), tmp_path / f"set.{kind}"
    if kind == "csv":
        frame.to_csv(path, index=False)
    elif kind == "jsonl":
        frame.to_json(path, orient="records", lines=True)
    with collect_warnings():
        data = tk.read(frame if kind == "frame" else path, human="human")
    with pytest.warns(tk.OrderWarning, match="texts gave their places"):
        more = data.with_scores(comet(tmp_path), name="mine")
    assert np.array_equal(more.metrics["mine"], SCORES)
    assert f"outputs ({SIZE} of {SIZE})" in more.notes[-1]


def test_files_of_a_system_with_texts_of_any_name_find_their_places(tmp_path):
    for row, name in enumerate(SYSTEMS):
        asked = [{"q": source(place), "said": output(row, place), "score": SCORES[row, place]} for place in ORDER]
        pd.DataFrame(asked).to_csv(tmp_path / f"{name}.csv", index=False)
    with collect_warnings() as said:
        more = tk.read(table(), human="human").with_scores(tmp_path, name="mine")
    assert np.array_equal(more.metrics["mine"], SCORES), said


@pytest.mark.filterwarnings("ignore::tiekit.RoleWarning")
def test_texts_of_a_table_come_back_from_a_folder_and_change_no_digest(tmp_path):
    data = tk.read(table(), human="human").with_metric("mine", SCORES)
    plain = tk.read(table().drop(columns=["source", "output"]), human="human")
    assert not plain.sources
    assert np.array_equal(plain.human["human"], data.human["human"])
    again = tk.read(tk.write_mtme(data, tmp_path).parent)
    assert again.sources == data.sources
    assert again.outputs == data.outputs
    back = tk.EvalSet.from_frame(data.to_frame())
    assert (back.systems, back.segments, back.sources) == (data.systems, data.segments, ())


@pytest.mark.filterwarnings("ignore::tiekit.RoleWarning")
def test_what_is_no_text_of_the_segments_is_not_kept_and_no_table_refused_for_it():
    frame = table(("source", "target"))
    for column in ("source", "target"):
        few = frame.assign(**{column: "WMT 22 news"})
        assert not getattr(tk.read(few, human="human"), {"source": "sources", "target": "outputs"}[column])
    frame["target"] = frame["source"] + " (reference)"
    assert not tk.read(frame, human="human").outputs  # the same below all systems
    frame["source"] = frame["system"] + " " + frame["source"]
    assert not tk.read(frame, human="human").sources


def test_where_the_sets_texts_have_no_usual_name_the_warning_names_the_step(tmp_path):
    frame = table(("text", "said"))
    with collect_warnings():
        data = tk.read(frame, human="human")
    with pytest.warns(tk.RoleWarning, match=r"no texts of 'text', 'said'.*rename\(columns=\{COLUMN: 'source'\}\)"):
        data.with_scores(comet(tmp_path), name="mine")
    with collect_warnings():
        again = tk.read(frame.rename(columns={"text": "source"}), human="human")
        assert np.array_equal(again.with_scores(comet(tmp_path), name="mine").metrics["mine"], SCORES)


@pytest.mark.filterwarnings("ignore::tiekit.RoleWarning")
def test_texts_of_more_rows_than_the_limit_are_not_kept_which_is_said(monkeypatch):
    monkeypatch.setattr(_texts, "MOST_KEPT", 3 * SIZE)
    assert tk.read(table(), human="human").sources
    monkeypatch.setattr(_texts, "MOST_KEPT", 3 * SIZE - 1)
    data = tk.read(table(), human="human")
    assert not data.sources
    assert "The set keeps no texts of 'source', 'output', as there are more than 179 rows." in data.notes


def read_and_listen(frame, **options):
    """The set of a table, and what is said of its sources."""
    with collect_warnings() as said:
        data = tk.read(frame, human="human", **options)
    return data, [text for _, text in said if "but most rows of segment" in text]


@pytest.mark.parametrize("repeated", [False, True])
@pytest.mark.parametrize("column", ["source", "src", "prompt"])
def test_sources_of_other_segments_are_told_where_rows_are_numbered_anew(column, repeated):
    frame = table((column, "output")).assign(mine=SCORES.T.ravel())
    if repeated:
        frame[column] = frame[column].where(frame["segment"] % 20 > 1, "Yes, it is.")
    some = frame.drop(index=[33, 70, 100])
    wanted, none = read_and_listen(some)
    anew, [told] = read_and_listen(some.assign(segment=some.groupby("system").cumcount() + 1))
    assert (none, anew.sources, bool(wanted.sources)) == ([], (), True)
    step = told.partition("right, pass ")[2]
    if repeated:
        assert step.endswith(", with segment='segment'")
        changed = eval(step.partition(", with ")[0], {"frame": some})
    else:
        assert step == f"tk.read(…, segment={column!r})"
        changed = some.assign(segment=some[column])
    found, none = read_and_listen(changed, segment="segment")
    order = [found.segments.index(name) for name in dict.fromkeys(changed["segment"])]
    assert (none, found.systems) == ([], wanted.systems)
    assert np.array_equal(found.human["human"][:, order], wanted.human["human"], equal_nan=True)


def test_sources_that_hold_the_outputs_or_differ_in_a_row_are_not_told():
    frame = table(("prompt", "output"))
    assert not read_and_listen(frame.assign(prompt=frame["prompt"] + " " + frame["output"]))[1]
    frame.loc[7, "prompt"] += "?"
    assert not read_and_listen(frame)[1]
    data, _ = read_and_listen(frame.drop(columns="output").assign(prompt=frame["prompt"] + frame["output"]))
    assert any(note.endswith("they differ within a segment, or are the same in most segments.") for note in data.notes)
