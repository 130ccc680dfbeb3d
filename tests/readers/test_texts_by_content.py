"""Texts of a set are known by what they say, in columns of any name and in files of any shape."""

import csv
import io
import json
from collections import Counter
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import tiekit as tk
from tiekit.errors import collect_warnings
from tiekit.readers import _table, read_table
from tiekit.readers._cells import Cells
from tiekit.sets.same_texts import _Codes

SYSTEMS, SIZE = ("Ada", "Bob", "Cleo", "Dora"), 24


def known_set():
    """A set whose texts all differ, in lengths too."""
    rng = np.random.default_rng(5)

    def some(what):
        return tuple(
            f"{what} says {'x' * length} {chr(97 + place)}" for place, length in enumerate(rng.integers(1, 400, SIZE))
        )

    segments = tuple(map(str, range(1, SIZE + 1)))
    scores = rng.normal(size=(len(SYSTEMS), SIZE))
    outputs = {name: some(name) for name in SYSTEMS}
    references, sources = {"refA": some("reference")}, some("source")
    made = tk.EvalSet("toy", "", SYSTEMS, segments, {}, {"m": scores}, sources=sources, outputs=outputs)
    return replace(made, references=references)


DATA = known_set()
LENGTHS = replace(DATA, sources=(), outputs={}, references={})
BOTH = pytest.mark.parametrize("data", [DATA, LENGTHS], ids=["texts", "lengths"])


def long(**columns):
    """A row for each cell; columns are functions of a system and the place of a segment."""
    cells = [(name, place) for name in SYSTEMS for place in range(SIZE)]
    scores = {"score": [DATA.metrics["m"][SYSTEMS.index(name), place] for name, place in cells]}
    made = {name: [cell(*one) for one in cells] for name, cell in columns.items()}
    labels = {"system": [name for name, _ in cells], "segment": [place + 1 for _, place in cells]}
    return pd.DataFrame({**labels, **made, **scores})


def output_of(name, place):
    return DATA.outputs[name][place]


def source_of(_, place):
    return DATA.sources[place]


def reference_of(_, place):
    return DATA.references["refA"][place]


def exchange(name):
    return {"Ada": "Bob", "Bob": "Ada"}.get(name, name)


def add(data, source, **choices):
    """The last note, and what was warned of, where the scores are right."""
    with collect_warnings() as said:
        found = data.with_scores(source, name="mine", **choices)
    np.testing.assert_allclose(found.metrics["mine"], DATA.metrics["m"], rtol=1e-13)
    return found.notes[-1], [text for _, text in said]


NAMES = ("output", "text", "response", "model_output", "answer", "translation_1", "mt", "Deutsch")


@pytest.mark.sampled(3)
@BOTH
@pytest.mark.parametrize("name", NAMES)
def test_outputs_of_exchanged_systems_are_refused_under_any_name(data, name):
    note, said = add(data, long(**{name: output_of}), metrics="score")
    assert note.endswith(f"outputs ({SIZE} of {SIZE})"), note
    assert not said
    wrong = long(**{name: lambda system, place: output_of(exchange(system), place)})
    with collect_warnings(), pytest.raises(tk.InputError, match="these are the outputs of Bob, so names are exchanged"):
        data.with_scores(wrong, name="mine", metrics="score")


@pytest.mark.sampled(3)
@BOTH
@pytest.mark.parametrize("name", ["input", "English", "sentence", "src"])
@pytest.mark.parametrize("is_wide", [False, True], ids=["long", "wide"])
def test_sources_of_other_rows_are_placed_or_refused_under_any_name(data, name, is_wide):
    frame = long(**{name: source_of, "ideal": reference_of})
    if is_wide:
        frame = frame.pivot_table(index=["segment", name, "ideal"], columns="system", values="score").reset_index()
    note, said = add(data, frame)
    assert note.endswith(f"sources and references ({SIZE} of {SIZE})"), note
    assert is_wide or not said  # which of two columns of texts names the rows may be asked
    moved = frame.assign(segment=SIZE + 1 - frame["segment"])
    if data is LENGTHS:
        with collect_warnings(), pytest.raises(tk.InputError, match="its segments are in another order"):
            data.with_scores(moved, name="mine")
    else:
        assert any("texts gave their places" in text for text in add(data, moved)[1])
    foreign = frame.assign(**{name: [f"{row} foreign" for row in frame["segment"]]}).rename(columns={name: "src"})
    with collect_warnings(), pytest.raises(tk.InputError, match=r"source 1 .* or of another test set"):
        data.with_scores(foreign, name="mine")


@pytest.mark.sampled(5)
@BOTH
@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl"])
@pytest.mark.parametrize("labels", [["segment", "english", "out"], ["english", "out"], ["segment", "out"], ["out"]])
def test_files_of_exchanged_systems_are_refused(data, ending, labels):
    whole = long(english=source_of, out=output_of)

    def files(names):
        parts = {names(name): part[[*labels, "score"]] for name, part in whole.groupby("system")}
        if ending == "jsonl":
            rows = {
                name: part.to_json(orient="records", lines=True, double_precision=15) for name, part in parts.items()
            }
            return {f"{name}.jsonl": text.encode() for name, text in rows.items()}
        mark = "," if ending == "csv" else "\t"
        return {f"{name}.{ending}": part.to_csv(index=False, sep=mark).encode() for name, part in parts.items()}

    note, said = add(data, files(str))
    assert note.endswith(f"outputs ({SIZE} of {SIZE})"), note
    assert not said, said
    with collect_warnings(), pytest.raises(tk.InputError, match=r"output of Ada .* the outputs of Bob"):
        data.with_scores(files(exchange), name="mine")


@given(st.data())
def test_texts_at_each_others_places_are_refused_however_few(data):
    names = data.draw(st.lists(st.sampled_from(SYSTEMS), min_size=2, max_size=2))
    places = data.draw(st.lists(st.integers(0, SIZE - 1), min_size=2, max_size=2))
    one, other = zip(names, places, strict=True)
    moved = {one: other, other: one}
    frame = long(src=source_of, mt=lambda *cell: output_of(*moved.get(cell, cell)))
    if one == other:
        assert add(DATA, frame)[0].endswith(f"sources and outputs ({SIZE} of {SIZE})")
        return
    with (
        collect_warnings(),
        pytest.raises(tk.InputError, match=r"the set has as output of .* exchanged"),
    ):
        DATA.with_scores(frame, name="mine")


def test_a_text_that_others_have_too_is_no_evidence_of_an_exchange():
    outputs = {name: ("The same.", "The same.", *DATA.outputs[name][2:]) for name in SYSTEMS}
    twice = replace(DATA, outputs=outputs, identical=None)
    frame = long(mt=lambda name, place: {0: "A new one.", 5: "The same."}.get(place, outputs[name][place]))
    with collect_warnings() as said:
        note = twice.with_scores(frame, name="mine").notes[-1]
    assert "verified by outputs (22 of 24)" in note
    assert "have the same outputs" in said[0][1]  # fewer than 95 %


def test_one_text_of_another_segment_is_asked_about():
    frame = long(src=lambda _, place: DATA.sources[7 if place == 3 else place])
    _, said = add(DATA, frame)
    assert "of 24 segments, 23 have the same sources: source 4 is 'source says" in said[0]


def test_a_column_that_only_resembles_texts_of_the_set_is_no_evidence():
    edited = long(
        post_edit=lambda name, place: output_of(name, place) if place % 2 else f"{output_of(name, place)}, edited",
        why=lambda name, place: f"{name} is fine in {place}",
        baseline=lambda _, place: output_of("Ada", place),
        verdict=lambda _, place: "quite good" if place % 2 else "rather bad",
    )
    note, said = add(DATA, edited, metrics="score")
    assert "verified" not in note
    assert not said
    note, said = add(DATA, long(hypothesis=reference_of, answer=output_of), metrics="score")
    assert note.endswith(f"verified by outputs ({SIZE} of {SIZE})") or note.endswith(
        "references and outputs (24 of 24)"
    )


@BOTH
@pytest.mark.parametrize("name", ["context", "previous", "prev_src", "next_sentence"])
def test_texts_of_neighbors_are_no_sources(data, name):
    note, said = add(data, long(**{name: lambda _, place: DATA.sources[place - 1]}))
    assert "verified" not in note
    assert not said


def test_a_byte_order_mark_is_no_difference():
    marked = replace(DATA, sources=("\ufeff" + DATA.sources[0], *DATA.sources[1:-1], DATA.sources[-1] + "\ufeff"))
    assert add(marked, long(src=source_of))[0].endswith("verified by sources (24 of 24)")


def test_a_part_of_a_set_is_known_in_a_file_of_the_whole():
    part = DATA.select(segments=[str(place) for place in range(1, 9)])
    wrong = long(**{"output": lambda name, place: output_of(exchange(name), place)})
    with collect_warnings(), pytest.raises(tk.InputError, match="names are exchanged"):
        part.with_scores(wrong, name="mine")


# Quotation marks

LINES = st.lists(st.text('ab ,."', max_size=12), min_size=1, max_size=4).map("\n".join)


@example(["", "", "", "a,,,,\n"], ["why", "segment", "system", "human", "BLEU"])
@given(st.lists(LINES, min_size=4, max_size=4), st.permutations(["system", "segment", "why", "human", "BLEU"]))
def test_texts_of_several_lines_are_read_as_they_were_written(whys, order):
    rows = pd.DataFrame({"system": ["A", "A", "B", "B"], "segment": [1, 2, 1, 2], "why": whys, "human": [1, 2, 3, 4]})
    rows["BLEU"] = [0.1, 0.25, 0.5, 0.75]
    file = rows[list(order)].to_csv(index=False)
    data = read_table({"t.csv": file.encode()}, human="human", metrics="BLEU", system="system", segment="segment")
    assert data.metrics["BLEU"].tolist() == [[0.1, 0.25], [0.5, 0.75]]


@given(st.data())
def test_a_quotation_that_swallows_rows_is_refused_wherever_it_stands(data):
    size = data.draw(st.integers(4, 30))
    first, last = data.draw(st.lists(st.integers(1, size - 1), min_size=2, max_size=2, unique=True).map(sorted))
    column = data.draw(st.integers(0, 3))
    rows = [[f"S{place % 3}", str(place), "a note", f"{place / 7:.3f}"] for place in range(size)]
    rows[first][column] = f'"{rows[first][column]}'
    rows[last][column] += '"'
    text = "\n".join(map(",".join, [["system", "segment", "note", "score"], *rows]))
    widths = {len(row) for row in csv.reader(io.StringIO(text))}
    with collect_warnings(), pytest.raises(tk.ReadError, match=r"quotation mark that ends only in line"):
        read_table({"t.csv": text.encode()})
    assert widths == {4}  # as any other table


def test_a_character_that_no_text_has_is_named():
    text = "system,segment,note,score\n" + "".join(f"A,{place},a long note of {place},.5\n" for place in range(20))
    damaged = text.replace("note of 7", "note\0of 7").encode()
    with pytest.raises(tk.ReadError, match=r"line 9: has a NUL character \(\\x00\), which is in no text; delete it"):
        read_table({"t.csv": damaged})


GOLD = ["gold", "gold_translation", "Human translation", "ground_truth", "esa"]


@pytest.mark.sampled(7)
@BOTH
@pytest.mark.parametrize("name", GOLD)
@pytest.mark.parametrize("score", ["score", "judge_score", "COMET"])
def test_references_are_no_human_scores_whatever_their_column_is_called(data, name, score):
    table = long(**{name: reference_of}).rename(columns={"score": score})
    note, said = add(data, table)
    assert said == []
    assert "verified by" in note
    assert "references" in note
    table.loc[5, name] = "15"  # the reference of a short segment
    assert add(data, table)[0].startswith("mine: 4 of 4 systems")


@pytest.mark.parametrize("name", ["gold", "ground_truth", "human"])
@pytest.mark.parametrize("score", ["score", "judge_score"])
def test_labels_of_people_beside_a_score_that_is_added_are_left_out(name, score):
    table = long(**{name: lambda _, place: "ABCD"[place % 4]}).rename(columns={"score": score})
    assert add(LENGTHS, table)[1] == []
    with pytest.raises(tk.ReadError, match=rf"column '{name}' holds labels, not numbers; give each a number"):
        tk.read(table)
    with pytest.raises(tk.ReadError, match=rf"column '{name}' holds labels, not numbers; give each a number"):
        LENGTHS.with_human(table)
    with pytest.raises(tk.ReadError, match=rf"column '{name}' holds labels, not numbers; give each a number"):
        LENGTHS.with_scores(table.drop(columns=score))


def test_references_beside_human_scores_are_no_more_of_these():
    table = long(gold_reference=reference_of, human=lambda _, place: place)
    read = tk.read(table, metrics="score")
    assert (list(read.human), list(read.metrics)) == (["human"], ["score"])


COUNTS = ["no", "num", "position", "row", "nr", "#", "i", "order", "para", "sentence"]


def of_documents(**columns):
    """Rows in no order, each with its document, of which there are three, and its number in it."""
    table = long(doc_id=lambda _, place: f"d{place // 8}", **columns).drop(columns="segment")
    return table.sample(frac=1, random_state=1)


def with_documents(data):
    return replace(data, documents=tuple(f"d{place // 8}" for place in range(SIZE)))


@pytest.mark.sampled(7)
@BOTH
@pytest.mark.parametrize("start", [0, 1])
@pytest.mark.parametrize("name", COUNTS)
def test_a_number_in_each_document_names_segments_whatever_its_column_is_called(data, name, start):
    counted = {name: lambda _, place: place % 8 + start}
    assert add(with_documents(data), of_documents(**counted))[1] == []
    note, said = add(with_documents(data), of_documents(**counted, source=source_of))
    assert said == []
    assert "verified by" in note
    read = tk.read(of_documents(**counted).rename(columns={"score": "COMET"}), human=())
    assert set(read.segments) == {f"d{place // 8}:{place % 8 + start}" for place in range(SIZE)}


def _matrix(table, data):
    """The scores of a table whose rows are counted in documents of eight segments."""
    found = np.full((len(data.systems), SIZE), np.nan)
    for system, document, number, score in table[["system", "doc_id", "no", "score"]].itertuples(index=False):
        found[data.systems.index(system), int(document[1:]) * 8 + number - 1] = score
    return found


def test_segments_with_the_same_texts_are_told_apart_by_their_numbers_in_documents():
    twice = replace(DATA, sources=("No idea.",) * 2 + DATA.sources[2:], outputs={})
    table = of_documents(no=lambda _, place: place % 8 + 1, src=lambda _, place: twice.sources[place])
    assert add(with_documents(twice), table)[1] == []
    some = table.drop(index=[place for place in range(len(table)) if place % 29 == 3])
    for order in (some, some.sample(frac=1, random_state=5)):
        for column in ("no", "nr", "order"):
            found = with_documents(twice).with_scores(order.rename(columns={"no": column}), name="x", metrics="score")
            np.testing.assert_array_equal(found.metrics["x"], _matrix(some, twice))


def test_scores_that_count_nothing_or_are_named_name_no_segments():
    table = of_documents(no=lambda _, place: place % 8 + 1, src=source_of)
    odd = table.assign(no=table["no"].where(table["no"] < 8, 9))
    assert set(read_table(odd, human=(), metrics="score").segments) == {*DATA.sources}
    for name in ("rating", "rank", "judge"):
        named = table.rename(columns={"no": name, "score": "COMET"})
        assert set(tk.read(named, human=(), metrics="COMET").segments) == {*DATA.sources}
    assert list(read_table(table, human="no", metrics="score").human) == ["no"]


def test_the_work_on_texts_and_files_does_not_depend_on_the_number_of_rows(monkeypatch):
    calls = Counter()
    columns, opened = Cells.columns.fget, _table._read_delimited
    monkeypatch.setattr(Cells, "columns", property(lambda cells: calls.update(["columns"]) or columns(cells)))
    monkeypatch.setattr(_table, "_read_delimited", lambda *given: calls.update(["opened"]) or opened(*given))
    frame = long(src=source_of, mt=output_of, ref=reference_of)
    add(DATA, {"scores.csv": frame.to_csv(index=False).encode()})
    assert calls["opened"] == 1, "what was opened for the questions is read"
    assert calls["columns"] < SIZE, "the segments of all rows are worked out for each column, not for each row"


def test_texts_that_differ_in_spaces_have_one_number():
    codes = _Codes()
    assert codes.of(["a b", "a  b ", "c", "a b", "\ufeffé", "e\u0301"]).tolist() == [0, 0, 1, 0, 2, 2]


def test_targets_of_a_harness_that_are_the_same_for_all_systems_are_no_outputs(tmp_path):
    data = tk.load("wmt23", "en-de")
    scores = data.metrics["BLEU-refA"]
    rows = [at for at, row in enumerate(scores) if not np.isnan(row).any()]
    texts = [f"{number}: {'x' * (number * 7 % 90)}" for number in range(len(data.segments))]
    for row in rows:
        lines = [
            json.dumps({"doc_id": at, "doc": {"ref": text}, "target": text, "resps": [["y"]], "comet": score})
            for at, (text, score) in enumerate(zip(texts, scores[row].tolist(), strict=True))
        ]
        (tmp_path / f"samples_wmt_{data.systems[row]}_x.jsonl").write_text("\n".join(lines))
    np.testing.assert_array_equal(data.with_scores(tmp_path, name="x").metrics["x"][rows], scores[rows])
