"""Which column names the systems where scores are added: a judge's name, and texts, are none."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tiekit.errors import collect_warnings
from tiekit.readers import read_table

SYSTEMS, SIZE = ("gpt-4o", "baseline", "ours", "refA"), 12
SCORES = np.random.default_rng(3).normal(size=(len(SYSTEMS), SIZE))
SOURCES = (*(f"source sentence {'x' * (place**2)}" for place in range(SIZE - 2)), "no idea", "no idea")
DATA = tk.EvalSet("toy", "", SYSTEMS, tuple(f"item_{n}" for n in range(1, SIZE + 1)), {}, {"m": SCORES})
OUTPUTS = {name: tuple(f"{name} says {'y' * (place * 3 + len(name))}" for place in range(SIZE)) for name in SYSTEMS}
TEXTS = replace(DATA, sources=SOURCES, outputs=OUTPUTS)


def long(systems=SYSTEMS, **columns):
    """A row for each cell, whose columns are values or functions of a system and the place of a segment."""
    cells = [(name, place) for name in systems for place in range(SIZE)]
    made = {name: [one(*cell) if callable(one) else one for cell in cells] for name, one in columns.items()}
    return pd.DataFrame({**made, "score": [SCORES[SYSTEMS.index(name), place] for name, place in cells]})


def name_of(name, _):
    return name


def item_of(_, place):
    return f"item_{place + 1}"


def source_of(_, place):
    return SOURCES[place]


def output_of(name, place):
    return OUTPUTS[name][place]


def added(data, frame, **named):
    return data.with_scores(frame, name="mine", **named).metrics["mine"]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("judge", ["model", "generator", "candidate", "result.model"])
@pytest.mark.parametrize("value", ["gpt-4o", "gpt-5"], ids=["a system", "no system"])
@pytest.mark.parametrize("column", ["mt_model", "translator", "candidate_id", "who"])
@pytest.mark.parametrize("named", [{}, {"aggregate": "mean"}], ids=["", "mean"])
def test_the_column_of_the_sets_systems_wins_over_the_name_of_the_judge(judge, value, column, named):
    frame = long(**{judge: value, column: name_of, "item": item_of})
    np.testing.assert_array_equal(added(DATA, frame, **named), SCORES)


@pytest.mark.parametrize("column", ["translator", "who"])
def test_texts_of_candidates_are_no_systems(column):
    frame = long(**{column: name_of, "item": item_of, "candidate": output_of})
    frame.loc[1, "candidate"] = frame.loc[0, "candidate"]
    np.testing.assert_array_equal(added(DATA, frame), SCORES)


@pytest.mark.parametrize("judged", ["model", "generator"])
def test_opponents_that_are_systems_are_asked_about(judged):
    frame = long(["ours"], **{judged: name_of}, opponent=lambda _, place: SYSTEMS[place % 3], item=item_of)
    with pytest.raises(tk.ReadError, match=f"pass system='{judged}' or system='opponent'"):
        added(DATA, frame)
    with collect_warnings() as said:
        found = added(DATA, frame.rename(columns={judged: "system"}))
    np.testing.assert_array_equal(found[2], SCORES[2])
    assert {category for category, _ in said} == {tk.errors.LeftOutWarning}


@pytest.mark.parametrize("systems", [["baseline"], ["ours"]])
def test_two_columns_that_may_name_the_only_system_are_asked_about(systems):
    frame = long(systems, model="gpt-4o", mt_model=name_of, item=item_of)
    with collect_warnings() as said:
        guessed = added(DATA, frame)
    assert any("took 'mt_model' for system=, as it names such, not 'model'" in message for _, message in said)
    with collect_warnings():
        found = added(DATA, frame, system="mt_model")
        taken = added(DATA, frame, system="model")
        [named] = systems
        np.testing.assert_array_equal(added(DATA, frame, system=named), found)
    np.testing.assert_array_equal(guessed, found)
    assert [SYSTEMS[row] for row in np.flatnonzero(~np.isnan(found).all(axis=1))] == systems
    assert [SYSTEMS[row] for row in np.flatnonzero(~np.isnan(taken).all(axis=1))] == ["gpt-4o"]


@pytest.mark.parametrize("named", [{}, {"aggregate": "mean"}], ids=["", "mean"])
def test_several_judges_that_are_systems_are_asked_about(named):
    every = pd.concat([long(model=judge, mt_model=name_of, item=item_of) for judge in SYSTEMS])
    with pytest.raises(tk.ReadError, match="pass system='mt_model' or system='model'"):
        added(DATA, every, **named)
    with pytest.warns(tk.RoleWarning, match="each score is the mean over 'model' "):
        np.testing.assert_allclose(added(DATA, every, system="mt_model", aggregate="mean"), SCORES)


@pytest.mark.parametrize(
    "beside", [{"reference": "refA"}, {"judge": "gpt-4o"}, {"judge_model": "gpt-4o"}, {"same": name_of}]
)
@pytest.mark.parametrize("column", ["model", "system"])
@pytest.mark.parametrize("systems", [SYSTEMS, ("baseline",)], ids=["all", "one"])
def test_references_and_judges_are_not_asked_about(beside, column, systems):
    with collect_warnings() as said:
        found = added(DATA, long(systems, **{column: name_of, "item": item_of}, **beside))
    rows = [SYSTEMS.index(name) for name in systems]
    np.testing.assert_array_equal(found[rows], SCORES[rows])
    assert {category for category, _ in said} <= {tk.errors.LeftOutWarning}


@pytest.mark.parametrize(("stem", "is_said"), [("baseline", True), ("gpt-4o", False), ("mine", False)])
def test_a_judge_in_a_file_that_is_called_as_a_system_is_told(tmp_path, stem, is_said):
    path = tmp_path / f"{stem}.jsonl"
    frame = long(["baseline"], model="gpt-4o", item=item_of)
    frame.to_json(path, orient="records", lines=True)
    with collect_warnings() as said:
        added(DATA, path)
    assert any(f"pass system={stem!r}" in message for _, message in said) == is_said
    with collect_warnings() as said:
        found = added(DATA, path, system="baseline")
    np.testing.assert_allclose(found[1], SCORES[1])
    assert {category for category, _ in said} == {tk.errors.LeftOutWarning}


def test_advice_names_the_column_of_systems():
    frame = long(model="gpt-5", engine=name_of, item=item_of)
    with pytest.raises(tk.ReadError, match="pass system='engine' if it names the systems; if not, pass scorer="):
        read_table(frame, human=(), metrics="score")
    with pytest.raises(tk.ReadError, match=r"apart: pass system='engine', as it holds systems of the set$"):
        added(DATA, frame.rename(columns={"model": "system"}).replace("gpt-5", "gpt-4o"))
    rated = long(["ours"], model=name_of, rater="r1", item=item_of)
    with pytest.raises(tk.ReadError, match='repetitions, pass aggregate="mean"'):
        read_table(pd.concat([rated, rated.assign(rater="r2")]), human=(), metrics="score")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("column", ["original", "orig", "input", "en", "sourceText", "Source sentence", "src"])
@pytest.mark.parametrize("is_told", [False, True])
def test_sources_name_the_rows_whatever_their_column(column, is_told):
    frame = long(system=name_of, **{column: source_of}, mt=output_of)
    named = {"segment": column} if is_told else {}
    np.testing.assert_array_equal(added(TEXTS, frame, **named), SCORES)
    shuffled = frame.iloc[::-1].reset_index(drop=True)
    with collect_warnings():
        found = added(TEXTS, shuffled, **named)
    there = ~np.isnan(found)
    np.testing.assert_array_equal(found[there], SCORES[there])
    assert there[:, :-2].all()


@pytest.mark.parametrize("columns", [{}, {"mt": output_of}, {"prompt": lambda *cell: f"Rate: {source_of(*cell)}"}])
def test_rows_that_nothing_names_are_numbered_by_the_step_of_the_message(columns):
    frame = long(translator=name_of, **columns)
    for named in ({}, {"segment": "prompt"} if "prompt" in columns else {}):
        with pytest.raises(tk.ReadError) as refused:
            added(DATA, frame, **named)
        step = str(refused.value).partition("in the set's order, ")[2].partition(" numbers them")[0]
        assert "segment=COLUMN" not in str(refused.value) or columns
        numbered = frame.copy()
        exec(step, {"frame": numbered})
        np.testing.assert_array_equal(added(DATA, numbered), SCORES)


@pytest.mark.parametrize(("column", "is_said"), [("model", True), ("system", False)])
def test_a_system_in_another_spelling_is_not_silently_another_one(column, is_said):
    with collect_warnings() as said:
        found = added(DATA, long(["ours"], **{column: "Ours.en-de", "base": "baseline", "item": item_of}))
    assert any("for system=, as it names such, not" in message for _, message in said) == is_said
    assert is_said or not np.isnan(found[2]).any()


@pytest.mark.parametrize("names", [("sys_id", "sys_name"), ("sys_id", "name"), ("system_id", "who")])
def test_numbers_of_systems_give_way_to_their_names(names):
    columns = {names[0]: lambda name, _: SYSTEMS.index(name), names[1]: name_of, "item": item_of}
    np.testing.assert_array_equal(added(DATA, long(**columns)), SCORES)
