"""Refusals with a step in Python: it is executed as printed, and gives the values of the right file."""

import json

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tests.readers.test_steps_as_printed import BLEU, COMET, DATA, LONG, SEGMENTS, SYSTEMS, check, follow, refused

pytestmark = pytest.mark.filterwarnings("ignore::tiekit.RoleWarning", "ignore::pytest.PytestUnraisableExceptionWarning")

LIKERT = np.clip(np.round(COMET * 5), 1, 5)
WORDS = ["very bad", "bad", "ok", "good", "very good"]
RATED = LONG.assign(mine=LIKERT.ravel()).rename(columns={"mine": "quality"})


@pytest.mark.parametrize("text", ["I cannot rate this.", "=A1", "#REF!", "As an AI, I am not able to rate any text"])
def test_one_cell_of_text_may_stand_for_a_missing_score(tmp_path, text):
    frame = LONG.astype({"mine": object})
    frame.loc[3, "mine"] = text
    frame.to_csv(path := tmp_path / "a.csv", index=False)
    source = follow(refused(path, name="x"), r"or pass (pandas.*) in Python", PATH=path)
    expected = COMET.copy()
    expected[0, 3] = np.nan
    check(DATA.with_scores(source, name="x"), expected)


def test_remarks_of_many_words_stand_for_no_missing_score(tmp_path):
    frame = LONG.assign(mine=[f"It is {WORDS[at % 5]} {chr(97 + at % 26)}" for at in range(len(LONG))])
    frame.to_csv(path := tmp_path / "a.csv", index=False)
    assert "na_values" not in refused(path, metrics="mine", name="x")


@pytest.mark.parametrize("metrics", [{"m1": COMET, "m2": BLEU}, {"m1": COMET, "m2": BLEU, "m3": -BLEU}])
def test_columns_of_systems_and_two_metrics_are_renamed_apart(tmp_path, metrics):
    columns = {f"{s} {name}": row for name, each in metrics.items() for s, row in zip(SYSTEMS, each, strict=True)}
    frame = pd.DataFrame({"segment": SEGMENTS, **columns})
    frame.to_csv(path := tmp_path / "a.csv", index=False)
    told = refused(path)
    assert "did you mean" not in told
    check(DATA.with_scores(follow(told, r"such as (FRAME.*)$", FRAME=frame), name="x"))


def test_human_scores_that_are_all_missing_beside_others(tmp_path):
    names = {"quality": "OUTPUT:score", "system": "INPUT:system", "segment": "INPUT:segment"}
    frame = RATED.rename(columns=names).assign(**{"GOLDEN:score": np.nan})
    frame.to_csv(path := tmp_path / "t.tsv", sep="\t", index=False)
    with pytest.raises(tk.ReadError) as found:
        DATA.with_human(path, name="x")
    chosen = follow(str(found.value), r"pass human=(\S+) if these are human scores")
    np.testing.assert_array_equal(DATA.with_human(path, name="x", human=chosen).human["x"], LIKERT)
    with pytest.raises(tk.ReadError, match="pass human='OUTPUT:score' if these are human scores, or human=\\(\\)"):
        tk.read(path)


def test_labels_behind_a_colon_are_read(tmp_path):
    names = {"quality": "OUTPUT:score", "system": "INPUT:system", "segment": "INPUT:segment"}
    RATED.rename(columns=names).to_csv(path := tmp_path / "t.tsv", sep="\t", index=False)
    more = tk.read(path, human="OUTPUT:score")
    assert (more.systems, more.segments, [*more.metrics]) == (SYSTEMS, SEGMENTS, [])
    np.testing.assert_array_equal(more.human["OUTPUT:score"], LIKERT)


def test_a_form_with_a_column_for_each_system_and_segment(tmp_path):
    cells = {f"Rate it [{row.system} / {row.segment}]": [row.quality, 5.0] for row in RATED.itertuples()}
    form = pd.DataFrame({"Timestamp": ["2024/01/01", "2024/01/02"], **cells})
    form.to_csv(path := tmp_path / "form.csv", index=False)
    with pytest.raises(tk.InputError, match="if each is of a system and a segment") as found:
        DATA.with_human(path, name="x")
    known = {"FRAME": pd.read_csv(path)}
    exec(str(found.value).partition("a segment, ")[2].partition(", and aggregate")[0], known)
    more = DATA.with_human(known["frame"], name="x", aggregate="mean")
    np.testing.assert_array_equal(more.human["x"], (LIKERT + 5) / 2)


def test_lists_in_several_columns_and_one_label_in_a_list(tmp_path):
    rows = [{"segment": segment, "systems": SYSTEMS, "scores": COMET[:, at]} for at, segment in enumerate(SEGMENTS)]
    pd.DataFrame(rows).to_parquet(path := tmp_path / "a.parquet")
    source = follow(refused(path, name="x"), r"in Python, pass (.*)$", PATH=path)
    check(DATA.with_scores(follow(refused(source, name="x"), r"pass (.*)$", source=source), name="x"))
    rows = [{**row, "label": [WORDS[int(row["quality"]) - 1]]} for row in RATED.to_dict("records")]
    lines = [json.dumps({key: row[key] for key in ("system", "segment", "label")}) for row in rows]
    (path := tmp_path / "d.jsonl").write_text("\n".join(lines))
    with pytest.raises(tk.ReadError) as found:
        DATA.with_human(path, name="x")
    source = follow(str(found.value), r"give each element a row: pass (.*)$", PATH=path)
    numbers = {word: at for at, word in enumerate(WORDS, start=1)}
    np.testing.assert_array_equal(DATA.with_human(source, name="x", labels=numbers).human["x"], LIKERT)


def test_decimal_commas_in_one_column_and_points_in_another(tmp_path):
    frame = LONG.assign(human=LIKERT.ravel(), mine=LONG["mine"].astype(str).str.replace(".", ","))
    frame.to_csv(path := tmp_path / "a.csv", sep=";", index=False)
    with pytest.raises(tk.ReadError, match="write decimal points in both") as found:
        tk.read(path)
    known = {"frame": follow(str(found.value), r"where frame is (.*)$", PATH=path)}
    exec(str(found.value).partition("column, ")[2].partition(", where frame is ")[0], known)
    more = tk.read(known["frame"])
    np.testing.assert_allclose(more.metrics["mine"], COMET, rtol=0)
    np.testing.assert_array_equal(more.human["human"], LIKERT)


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("sep", [",", ";", "\t"])
def test_a_table_in_another_encoding(tmp_path, encoding, sep):
    LONG.assign(note="ça va").to_csv(path := tmp_path / "a.csv", index=False, sep=sep, encoding=encoding)
    source = follow(refused(path, name="x"), r"or pass (pandas\.read_csv\(.*?\))", PATH=path)
    assert {*source["note"]} == {"ça va"}
    check(DATA.with_scores(source, name="x"))
    (path := tmp_path / "a.jsonl").write_bytes('{"é": 1}\n'.encode("cp1252"))
    assert refused(path).endswith("save it as UTF-8")


def test_files_that_hold_no_table_of_segments(tmp_path):
    means = {"results": {"wmt": {"alias": "wmt", "bleu,none": 31.2, "bleu_stderr,none": 0.3}}, "versions": {"wmt": 1}}
    means |= {"configs": {"wmt": {"task": "wmt"}}, "config": {"model": "hf"}, "git_hash": "0abc"}
    (path := tmp_path / "results.json").write_text(json.dumps(means, indent=2))
    assert "holds means of lm-eval, not scores of segments; give the samples_….jsonl that --log" in refused(path)
    head = '<?xml version="1.0"?>\n<office:document office:mimetype="application/vnd.oasis.opendocument.spreadsheet">'
    for name in ("a.fods", "a.xml"):
        (path := tmp_path / name).write_text(head)
        assert refused(path).endswith("save the sheet as .xlsx, or as CSV (UTF-8)")


def test_two_lines_of_names_of_which_the_second_says_system(tmp_path):
    frame = LONG.assign(human=LIKERT.ravel()).set_index(["segment", "system"])[["human", "mine"]].unstack()  # noqa: PD010  pandas' own lines
    frame.to_csv(path := tmp_path / "a.csv")
    with pytest.raises(tk.ReadError) as found:
        tk.read(path)
    source = follow(str(found.value), r"two levels of columns, pass (.*) in Python$", PATH=path)
    more = tk.read(source)
    at = [more.systems.index(name) for name in SYSTEMS], [more.segments.index(name) for name in SEGMENTS]
    np.testing.assert_array_equal(more.metrics["mine"][np.ix_(*at)], COMET)
    assert [*more.human] == ["human"]


def test_the_only_column_of_human_scores_is_told_as_such(tmp_path):
    RATED.assign(id=range(len(RATED))).to_csv(path := tmp_path / "a.csv", index=False)
    with pytest.warns(tk.RoleWarning) as found:
        more = DATA.with_human(path, name="x")
    said = str(found[0].message)
    assert said == "a.csv: took quality for human scores; left out id (named like no score); say otherwise with human="
    assert any(note.startswith("Took quality for human scores;") for note in more.notes)
