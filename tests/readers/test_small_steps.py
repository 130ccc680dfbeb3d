"""Small steps that refusals print: words for numbers, per cent, lines without a header, missing scores."""

from __future__ import annotations

import json
import re

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kendalltau

import tiekit as tk
from tests.readers.test_rows_of_objects import DATA, SCORES, SHUFFLED, SIZE, SYSTEMS
from tiekit.sets.labels import LABEL_THEM

pytestmark = pytest.mark.filterwarnings("ignore::tiekit.RoleWarning")


def table(cell, mark=",") -> str:
    rows = [mark.join((SYSTEMS[row], str(at + 1), cell(SCORES[row, at]))) for row, at in SHUFFLED]
    return "\n".join([mark.join(("system", "segment", "score")), *rows])


def refuse(path) -> str:
    with pytest.raises((tk.InputError, tk.ReadError)) as refused:
        DATA.with_scores(path, name="x")
    return str(refused.value)


@pytest.mark.parametrize(("no", "yes"), [("False", "True"), ("no", "yes"), ("FAIL", "PASS"), ("incorrect", "correct")])
def test_words_for_yes_and_no(no, yes, tmp_path):
    (path := tmp_path / "x.csv").write_text(table(lambda score: yes if score > 0 else no))
    step = re.search(r"if score holds the scores, pass labels=(\{.*?\})", refuse(path))
    more = DATA.with_scores(path, name="x", labels=eval(step[1]))
    np.testing.assert_array_equal(more.metrics["x"], SCORES > 0)


def test_per_cent_with_decimal_commas(tmp_path):
    (path := tmp_path / "x.csv").write_text(table(lambda score: f"{score * 10:.2f}%".replace(".", ","), ";"))
    found, mended = re.search(r"'(.*)' is not a number, write (\S+)\)", refuse(path)).groups()
    assert found == f"{mended}%"
    path.write_text(path.read_text().replace("%", ""))
    np.testing.assert_allclose(DATA.with_scores(path, name="x").metrics["x"], SCORES * 10)


@pytest.mark.parametrize("ending", ["txt", "csv"])
def test_lines_of_files_and_scores_without_a_header(ending, tmp_path):
    lines = "".join(f"{SYSTEMS[row]}-{at + 1}.wav,{SCORES[row, at]}\n" for row, at in SHUFFLED)
    (path := tmp_path / f"x.{ending}").write_text(lines)
    names = re.search(r"put a line such as (\w+, \w+) above it", refuse(path))[1]
    path.write_text(f"{names}\n{lines}")
    np.testing.assert_array_equal(DATA.with_scores(path, name="x").metrics["x"], SCORES)


@pytest.mark.parametrize("mark", [",", ";"])
def test_a_sign_for_missing_scores(mark, tmp_path):
    first = SCORES[SHUFFLED[0]]
    content = table(lambda score: "#NULL!" if score == first else str(score), mark)
    (path := tmp_path / "x.csv").write_text(content)
    assert "if it stands for a missing score, write nan in its place" in refuse(path)
    path.write_text(content.replace("#NULL!", "nan"))
    np.testing.assert_array_equal(
        DATA.with_scores(path, name="x").metrics["x"], np.where(first == SCORES, np.nan, SCORES)
    )


def test_prompts_instead_of_labels_in_another_order(tmp_path):
    frame = pd.DataFrame(
        [{"model": SYSTEMS[row], "user_input": f"What is {at}?", "score": SCORES[row, at]} for row, at in SHUFFLED]
    )
    frame.to_csv(path := tmp_path / "x.csv", index=False)
    step = LABEL_THEM.partition(" = ")[2].partition(", where")[0]
    assert step in refuse(path)
    known = {"frame": frame, "data": DATA, "COLUMN": "user_input", "TEXTS": [f"What is {at}?" for at in range(SIZE)]}
    frame["segment"] = eval(step, known)
    np.testing.assert_array_equal(DATA.with_scores(frame, name="x").metrics["x"], SCORES)
    frame[known["COLUMN"]] = frame[known["COLUMN"]].replace("What is 7?", "What is 4?")
    known["TEXTS"][7] = known["TEXTS"][4]
    frame["segment"] = eval(step, known)
    left = re.search(r"frame(\.dropna\(.*?\))", LABEL_THEM)[1]
    expected = SCORES.copy()
    expected[:, [4, 7]] = np.nan
    with pytest.warns(tk.LeftOutWarning, match="no scores of the segments 5, 8"):
        found = DATA.with_scores(eval(f"frame{left}", {"frame": frame}), name="x")
    np.testing.assert_array_equal(found.metrics["x"], expected)


def test_a_z_score_is_no_example_beside_a_metric(tmp_path):
    rows = [f"{SYSTEMS[row]},{at + 1},{SCORES[row, at]},{SCORES[row, at] / 2}" for row, at in SHUFFLED]
    (path := tmp_path / "x.csv").write_text("\n".join(["system,segment,comet,z_score", *rows]))
    assert "such as metrics='comet'" in refuse(path)


@pytest.mark.parametrize("form", ["tensor({})", "np.float64({})", "{}f", "({})", "{}/100", "{}%20", "<b>{}</b>"])
@pytest.mark.parametrize("ending", ["csv", "tsv", "json"])
def test_numbers_between_the_same_signs(form, ending, tmp_path):
    frame = pd.DataFrame([(SYSTEMS[row], at + 1, form.format(SCORES[row, at])) for row, at in SHUFFLED])
    frame.columns = ["system", "segment", "score"]
    path = tmp_path / f"x.{ending}"
    if ending == "json":
        frame.to_json(path, orient="records")
    else:
        frame.to_csv(path, index=False, sep="\t" if ending == "tsv" else ",")
    step = re.search(r"if the numbers in score are the scores, in Python, pass (.*?\}\))", refuse(path))[1]
    with path.open() as file:
        found = eval(step.replace("open(PATH)", "file"), {"pandas": pd, "PATH": path, "json": json, "file": file})
    np.testing.assert_array_equal(DATA.with_scores(found, name="x").metrics["x"], SCORES)


@pytest.mark.parametrize("form", [lambda n: f"{n}f" if n > 0 else f"{n} pts", lambda n: f"{n} of {n + 1}"])
def test_signs_that_differ_are_not_guessed(form, tmp_path):
    (path := tmp_path / "x.csv").write_text(table(form))
    assert "in Python, pass" not in refuse(path)


def test_other_digits(tmp_path):
    (path := tmp_path / "x.csv").write_text(table(lambda n: str(n).translate({48: "０"})))
    assert float(re.search(r"; write (\S+)$", refuse(path))[1]) in SCORES


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_a_separator_at_the_end_of_all_lines_but_the_header(mark, tmp_path):
    header, *lines = table(str, mark).split("\n")
    (path := tmp_path / "x.csv").write_text("\n".join([header, *(line + mark for line in lines)]))
    assert f"put {mark!r} at the end of line 1, too" in refuse(path)
    path.write_text("\n".join(line + mark for line in (header, *lines)))
    np.testing.assert_array_equal(DATA.with_scores(path, name="x").metrics["x"], SCORES)


def save(frame, path):
    """Write a table as the ending of its name says, and return where it is."""
    if path.suffix == ".xlsx":
        frame.to_excel(path, index=False)
    else:
        frame.to_csv(path, index=False, sep="\t" if path.suffix == ".tsv" else ",")
    return path


WRAPPED = ["{}f", "tensor({})", "np.float64({})", "({})", "{}%20", "{}/100", "score: {}", "<b>{}</b>"]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("every", [1, 3])
@pytest.mark.parametrize("sign", WRAPPED)
@pytest.mark.parametrize("ending", ["csv", "tsv", "xlsx", ""])
def test_numbers_between_signs_are_taken_out_as_the_refusal_says(tmp_path, sign, every, ending):
    numbers = np.arange(SCORES.size).reshape(SCORES.shape) * 7 % 101 + 1
    rows = [(SYSTEMS[row], at + 1, numbers[row, at]) for row, at in SHUFFLED]
    frame = pd.DataFrame(rows, columns=["system", "segment", "score"])
    frame["score"] = [sign.format(one) if place % every == 0 else str(one) for place, one in enumerate(frame["score"])]
    path = tmp_path / f"m.{ending}"
    told = refuse(save(frame, path) if ending else frame)
    known = {"pandas": pd, "PATH": path, "frame": frame}
    if "in Python, pass" in told:
        found = eval(re.search(r"in Python, pass (.*\}\))", told)[1], known)
    else:
        step, _, where = told.partition("is the score, ")[2].partition(", where frame is ")
        known["frame"] = eval(where, known) if where else frame
        exec(step, known)
        found = known["frame"]
    np.testing.assert_array_equal(DATA.with_scores(found, name="x").metrics["x"], numbers)


DASHES = "\u2010\u2011\u2013\u2014\u2212\ufe63\uff0d"


@pytest.mark.sampled(3)
@pytest.mark.parametrize("ending", ["csv", "; csv", "tsv", "xlsx", "json", "txt", ""])
@pytest.mark.parametrize("dash", DASHES)
def test_a_dash_before_a_number_is_its_sign_and_one_alone_is_a_missing_score(tmp_path, dash, ending):
    scores = np.where(np.arange(SCORES.size).reshape(SCORES.shape) % 7 == 2, np.nan, SCORES - np.median(SCORES))
    mark = "," if ending.startswith(";") else "."
    texts = {at: str(one).replace("-", dash).replace(".", mark) for at, one in np.ndenumerate(scores)}
    texts |= dict.fromkeys(zip(*np.nonzero(np.isnan(scores)), strict=True), dash)
    rows = [(SYSTEMS[row], at + 1, texts[row, at]) for row, at in SHUFFLED]
    frame = pd.DataFrame(rows, columns=["system", "segment", "score"])
    path = tmp_path / f"m.{ending[-4:].strip()}"
    if ending == "xlsx":
        frame.to_excel(path, index=False)
    elif ending == "json":
        frame.to_json(path, orient="records")
    elif ending == "txt":
        path.mkdir()
        for row, system in enumerate(SYSTEMS):
            lines = [one if one != dash else "nan" for (at, _), one in texts.items() if at == row]
            (path / f"{system}.txt").write_text("\n".join(lines))
    elif ending:
        frame.to_csv(path, index=False, sep={"tsv": "\t", "; csv": ";"}.get(ending, ","))
    found = DATA.with_scores(path if ending else frame, name="x").metrics["x"]
    np.testing.assert_array_equal(found, scores)


@pytest.mark.sampled(7)
@pytest.mark.parametrize("every", [1, 3])
@pytest.mark.parametrize("form", ["tensor({})", "score: {}", "{} %20", "<b>{}</b>", "{}f"])
@pytest.mark.parametrize("dash", ["-", "\u2013", "\u2212"])
def test_steps_keep_the_signs_of_numbers_between_other_signs(dash, form, every):
    numbers = np.arange(SCORES.size).reshape(SCORES.shape) * 7 % 101 - 50
    texts = [
        (form if place % every == 0 else "{}").format(str(numbers[at]).replace("-", dash))
        for place, at in enumerate(SHUFFLED)
    ]
    names = [(SYSTEMS[row], at + 1) for row, at in SHUFFLED]
    frame = pd.DataFrame(names, columns=["system", "segment"]).assign(score=texts)
    told = refuse(frame)
    known = {"pandas": pd, "frame": frame}
    if "in Python, pass" in told:
        known["frame"] = eval(re.search(r"in Python, pass (.*\}\))", told)[1], known)
    else:
        exec(told.partition("is the score, ")[2], known)
    np.testing.assert_array_equal(DATA.with_scores(known["frame"], name="x").metrics["x"], numbers)


@pytest.mark.parametrize("form", ["- {}", "\u2013 {}", "{}-", "{} \u2212", "score - {}", "BLEU-{}"])
@pytest.mark.parametrize("every", [1, 3])
def test_no_step_takes_off_what_may_be_a_sign_of_minus(form, every):
    rows = [
        (SYSTEMS[row], at + 1, (form if place % every == 0 else "{}").format(abs(SCORES[row, at])))
        for place, (row, at) in enumerate(SHUFFLED)
    ]
    told = refuse(pd.DataFrame(rows, columns=["system", "segment", "score"]))
    assert "removeprefix" not in told
    assert "removesuffix" not in told


FAILED = ["#DIV/0!", "ERR: 429", "HTTP 503", "error 500", "timeout 30s", "0 (failed)", "12:30", "2026-11-28", "3-4"]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("every", [1000, 20, 3])
@pytest.mark.parametrize("code", FAILED)
@pytest.mark.parametrize("ending", ["csv", "tsv", "xlsx", ""])
def test_codes_of_failures_are_missing_scores_and_no_numbers_between_signs(tmp_path, code, every, ending):
    numbers = np.arange(SCORES.size).reshape(SCORES.shape) * 7 % 101 + 1.0
    texts = [code if place % every == 1 else str(numbers[at]) for place, at in enumerate(SHUFFLED)]
    for at in SHUFFLED[1::every]:
        numbers[at] = np.nan
    names = [(SYSTEMS[row], at + 1) for row, at in SHUFFLED]
    frame = pd.DataFrame(names, columns=["system", "segment"]).assign(score=texts)
    path = tmp_path / f"m.{ending}"
    told = refuse(save(frame, path) if ending else frame)
    assert "astype(float)" not in told
    step = re.search(r"missing score, .*?pass ((?:pandas|frame)\..*\))", told)[1]
    found = eval(step, {"pandas": pd, "PATH": path, "frame": frame})
    np.testing.assert_array_equal(DATA.with_scores(found, name="x").metrics["x"], numbers)


COMMAS = str.maketrans(",.", ".,")


@pytest.mark.sampled(7)
@pytest.mark.parametrize("ending", ["csv", "xlsx", "json", ""])
@pytest.mark.parametrize("size", [40, 7136])
@pytest.mark.parametrize("digits", [0, 1, 4])
@pytest.mark.parametrize("mark", [",", ".", "_", "'", "’", " ", "\u00a0", "\u2009", "\u202f", ""])
def test_signs_that_divide_thousands_and_decimal_commas_are_taken_out_by_a_step(tmp_path, mark, digits, size, ending):
    numbers = (np.arange(SCORES.size).reshape(SCORES.shape) * 7 % 101 - 50.0) * size + size / 10
    numbers = numbers.round(digits)
    texts = [f"{numbers[at]:,.{digits}f}" for at in SHUFFLED]
    if mark in ("", "."):
        texts = [text.replace(",", "").replace(".", ",") if not mark else text.translate(COMMAS) for text in texts]
    else:
        texts = [text.replace(",", mark) for text in texts]
    names = [(SYSTEMS[row], at + 1) for row, at in SHUFFLED]
    frame = pd.DataFrame(names, columns=["system", "segment"]).assign(score=texts)
    path = tmp_path / f"m.{ending}"
    if ending == "json":
        frame.to_json(path, orient="records")
    source = path if ending == "json" else save(frame, path) if ending else frame
    are_numbers = all(re.fullmatch(r"-?(\d+|\d{1,3}\.\d{3})", text) for text in texts)
    if are_numbers or (ending == "xlsx" and not mark):
        for text, at in zip(texts, SHUFFLED, strict=True):
            numbers[at] = float(text) if are_numbers else numbers[at]
        np.testing.assert_array_equal(DATA.with_scores(source, name="x").metrics["x"], numbers)
        return
    told = refuse(source)
    known = {"pandas": pd, "PATH": path, "frame": frame if not ending else None, "json": json}
    if "in Python, pass" in told:
        with open(path if ending else __file__) as file:
            step = re.search(r"in Python, pass (.*\}\))", told)[1].replace("open(PATH)", "file")
            known["frame"] = eval(step, known | {"file": file})
    else:
        step, _, where = told.partition(", where frame is ")
        step = re.search(r"(?:it divides thousands|read all of the column), (.*)", step)[1]
        known["frame"] = eval(where, known) if where else frame if ending != "json" else pd.read_json(path)
        exec(step, known)
    np.testing.assert_array_equal(DATA.with_scores(known["frame"], name="x").metrics["x"], numbers)


@pytest.mark.parametrize("ending", ["csv", "xlsx", ""])
def test_a_comma_that_may_be_either_has_a_step_for_each(tmp_path, ending):
    numbers = np.arange(SCORES.size).reshape(SCORES.shape) * 7 % 101 + 7136
    names = [(SYSTEMS[row], at + 1, f"{numbers[row, at]:,}") for row, at in SHUFFLED]
    frame = pd.DataFrame(names, columns=["system", "segment", "score"])
    steps, _, where = refuse(save(frame, path := tmp_path / f"m.{ending}") if ending else frame).partition(
        ", where frame is "
    )
    for words, expected in (("is decimal, ", numbers / 1000), ("and if it divides thousands, ", numbers)):
        step = re.search(rf"{words}(frame.*?float\))", steps)[1]
        known = {"frame": eval(where, {"pandas": pd, "PATH": path}) if where else frame.copy()}
        exec(step, known)
        np.testing.assert_array_equal(DATA.with_scores(known["frame"], name="x").metrics["x"], expected)


@pytest.mark.parametrize(
    ("labels", "order"),
    [(("bad", "ok", "good"), ""), (("C", "B", "A"), ""), (("1 - bad", "2 - ok", "3 - good"), "1, 2, 3"), ("★☆✓", "")],
)
def test_labels_of_a_scale_are_named_for_their_numbers(tmp_path, labels, order):
    levels = np.digitize(SCORES, np.quantile(SCORES, [0.3, 0.6]))
    rows = [(SYSTEMS[row], at + 1, labels[levels[row, at]]) for row, at in SHUFFLED]
    frame = pd.DataFrame(rows, columns=["system", "segment", "score"])
    step = re.search(r"higher is better: labels=(\{.*?\})", refuse(save(frame, tmp_path / "x.csv")))[1]
    found = eval(step.replace("…", "None"))
    assert {*found} == {*labels}
    chosen = {label: number for number, label in enumerate(labels, 1)}
    assert found == (chosen if order else dict.fromkeys(found))
    np.testing.assert_array_equal(DATA.with_scores(frame, name="x", labels=chosen).metrics["x"], levels + 1)


@pytest.mark.parametrize("name", ["qid", "query_id"])
def test_documents_of_queries_may_be_what_is_compared(name):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        [(f"q{at}", f"d{1000 * at + one}", *rng.integers(0, 4, 2)) for at in range(12) for one in range(20)],
        columns=[name, "docid", "relevance", "llm"],
    )
    with pytest.warns(tk.RoleWarning, match="no column is named like systems; if those of column 'docid'") as told:
        tk.read(frame)
    step = re.search(r"pass (system='docid') and (segment='\w+')", str(told[0].message))
    with pytest.warns(tk.RoleWarning):
        data = eval(f"tk.read(frame, {step[1]}, {step[2]})", {"tk": tk, "frame": frame})
    board = tk.leaderboard(data, coefficients="tau_b", calibrated=())
    values = [kendalltau(one["relevance"], one["llm"])[0] for _, one in frame.groupby(name)]
    assert board["tau_b"]["llm"] == pytest.approx(np.mean(values), abs=1e-12)


def test_a_column_of_ranks_beside_a_score_is_noted():
    data = tk.load("wmt23", "en-de")
    rows, columns = np.nonzero(~np.isnan(data.metrics["COMET-refA"]))
    scores = data.metrics["COMET-refA"][rows, columns]
    frame = pd.DataFrame({"sys": np.array(data.systems)[rows], "id": columns + 1, "score": scores})
    frame["rank"] = frame.groupby("id")["score"].rank(ascending=False)
    more = data.with_scores(frame, name="m")
    assert "Left out rank: named like no score." in more.notes
    with pytest.warns(tk.RoleWarning, match="left out rank") as told:
        tk.read(frame)
    assert "the numbers in rank" not in str(told[0].message)  # they are numbers, 1.5 is not 15
