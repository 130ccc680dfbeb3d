"""Votes of MT-bench, Arena and AlpacaEval: what is read, and what is refused with file and line."""

import json
import math
import re
import runpy
from contextlib import suppress
from io import StringIO
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tests.mutated import mutated
from tests.readers import shapes
from tiekit.votes import agreement, compare_judges, read_votes, reader, swap_consistency

NAN = math.nan
DATA = Path(__file__).parents[2] / "data"


def lines(*records):
    return {"votes.jsonl": "\n".join(map(json.dumps, records)).encode()}


def vote(**fields):
    return {"question_id": 81, "model_a": "vicuna", "model_b": "alpaca", "winner": "model_a", "turn": 1} | fields


def test_mt_bench():
    votes = read_votes(
        lines(
            vote(judge=["expert_17"], conversation_a=[{"role": "user"}]),
            vote(judge=["gpt-4", "pair-v2"], winner="tie (inconsistent)"),
            vote(judge="author_2", winner="model_b", turn=2),
            vote(judge="author_2", winner="alpaca", question_id="82"),
        )
    )
    frame = votes.frame()
    assert votes.judges == ("author_2", "expert_17", "gpt-4:pair-v2")
    assert frame["item"].tolist() == ["81", "81", "81", "82"]
    assert frame["turn"].tolist() == [1, 1, 2, 1]
    assert set(zip(frame["first"], frame["second"], strict=True)) == {("alpaca", "vicuna")}
    assert frame["preference"].tolist() == [-1, 0, 1, 1]  # of alpaca
    assert frame["tie"].tolist() == ["", "inconsistent", "", ""]
    assert (frame["shown"] == -1).all()


def test_both_games_of_mt_bench():
    game = {"question_id": 81, "model_1": "A", "model_2": "B", "judge": ["gpt-4", "pair-v2"], "turn": 1}
    votes = read_votes(
        lines(
            game | {"g1_winner": "model_1", "g2_winner": "model_2"},
            game | {"turn": 2, "g1_winner": "tie", "g2_winner": "error"},
        )
    )
    frame = votes.frame()
    assert frame["preference"].tolist()[:3] == [1, -1, 0]
    assert math.isnan(frame["preference"][3])
    assert frame["shown"].tolist() == [1, -1, 1, -1]
    found = swap_consistency(votes)
    assert (found.n, found.first) == (1, 1)  # each time the one shown first won


def test_arena_and_alpaca_eval():
    with pytest.warns(
        tk.RoleWarning, match="votes.jsonl: 2 of 3 votes are of the same item, .*; all count; delete rows"
    ):
        arena = read_votes(lines(vote(winner="tie (bothbad)"), vote(winner="tie"), vote(winner="model_b")))
    assert arena.frame()["tie"].tolist() == ["both bad", "", ""]
    assert arena.preference.tolist() == [0, 0, 1]
    alpaca = {"instruction": "Say hello", "generator_1": "davinci", "generator_2": "new", "annotator": "gpt4"}
    shares = [1, 2, 1.5, 1.25, 0, None]
    rows = [alpaca | {"preference": share, "instruction": number} for number, share in enumerate(shares)]
    votes = read_votes({"a.json": json.dumps(rows).encode()})
    assert votes.judges == ("gpt4",)
    assert votes.preference.tolist()[:5] == [1, -1, 0, 0.5, 0]
    assert votes.n_abstained == 1
    assert not votes.shown.any()
    assert votes.graded
    assert not arena.graded


def test_tables_frames_and_lists_are_alike():
    rows = [vote(judge="x"), vote(judge="y", winner="tie", question_id="a,b")]
    expected = read_votes(rows).frame()
    frame = pd.DataFrame(rows).astype({"question_id": str})
    pd.testing.assert_frame_equal(read_votes(frame).frame(), expected)
    for mark in ",\t;":
        content = frame.to_csv(index=False, sep=mark).encode()
        pd.testing.assert_frame_equal(read_votes({"v.csv": content}).frame(), expected)
    sheet, talk = shapes.workbook([list(frame), *frame.to_numpy().tolist()]), [[{"role": "user"}]] * 2
    packed = {"v.xlsx": sheet, "v.zip": shapes.archive(v_csv=content)}
    packed["arena.parquet"] = frame.assign(conversation_a=talk).to_parquet()
    for name, content in packed.items():
        pd.testing.assert_frame_equal(read_votes({name: content}).frame(), expected)
    with pytest.raises(tk.ReadError, match=r"^v\.parquet: holds lists or records in its cells; leave such columns out"):
        read_votes({"v.parquet": frame.assign(judge=talk).to_parquet()})


def test_scores_are_subtracted_as_decimal_numbers():
    header = "question_id,model_a,model_b,winner,score_a,score_b\n"
    votes = read_votes({"v.csv": (header + "1,A,B,,7.3,5.1\n2,A,B,,8.3,6.1\n3,A,B,,,4\n4,A,B,tie,9,1\n").encode()})
    assert votes.preference.tolist()[:2] == [2.2, 2.2]
    assert math.isnan(votes.preference[2])
    assert votes.preference[3] == 0  # the winner counts where there is one
    assert votes.judges == ("judge",)
    games = header.replace("winner", "g1_winner,g2_winner") + "1,A,B,,,7.3,5.1\n2,A,B,tie,,2,1e-9\n3,A,B,,model_a,,1\n"
    votes = read_votes({"v.csv": games.encode()})
    assert votes.shown.tolist() == [1, -1] * 3
    assert votes.preference[:4].tolist() == [2.2, 2.2, 0, 1.999999999]
    assert math.isnan(votes.preference[4])
    assert votes.preference[5] == 1  # of the first model, wherever it was shown


def test_a_wrong_score_is_told_after_what_is_wrong_before_it():
    header = "question_id,model_a,model_b,score_a,score_b\n"
    for rows, message in (
        ("1,A,B,high,1\n2,A,A,1,1\n", "line 2: 'high' in column 'score_a' is not a score"),
        ("1,A,A,1,1\n2,A,B,1,high\n", "line 2: compares 'A' with itself"),
        ("1,A,B,1,1\n2,A,B,1,high\n3,A,A,1,1\n", "line 3: 'high' in column 'score_b' is not a score"),
        ("1,A,B,1,1\n2,A,B,1,high\n3,A,B\n", "line 4: found 3 cells, expected 5"),
    ):
        with pytest.raises(tk.ReadError, match=f"^v.csv, {message}"):
            read_votes({"v.csv": (header + rows).encode()})


PAIR = {"item": 1, "model_a": "A", "model_b": "B"}


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (vote(winner="both"), "found 'both' in field 'winner'; expected model_a, model_b, tie"),
        (vote(model_b="vicuna"), "compares 'vicuna' with itself"),
        (vote(model_a=""), "found an empty name in field 'model_a'"),
        (vote(question_id=None), "found an empty name in field 'question_id'"),
        (vote(turn="one"), "found 'one' in field 'turn'; expected a whole number"),
        ({"model_a": "A", "model_b": "B", "winner": "tie"}, "has no field question_id or item or item_id; found: mod"),
        (PAIR | {"score_a": 1}, "has neither a field winner or preference nor both"),
        (PAIR | {"x": "A"}, r"has neither .*; if x says who won, pass FRAME\.rename\(columns=\{'x': 'winner'\}\)$"),
        (PAIR | {"x": "B?"}, "has neither .*; write who won into a column winner: model_a, model_b, tie, or the name"),
        (PAIR | {"preference": 3}, "found '3' in field 'preference'; expected 1, 2"),
        (PAIR | {"preference": "x"}, "found 'x' in field 'preference'; expected 1"),
        (PAIR | {"score_a": "high", "score_b": 1}, "'high' in column 'score_a' is not a score"),
        ([1], "expected one object per line"),
    ],
)
def test_errors_name_file_and_line(record, message):
    with pytest.raises(tk.ReadError, match=rf"^votes\.jsonl, line 2: {message}"):
        read_votes(lines(vote(), record))


@pytest.mark.parametrize("field", ["model_a", "winner", "judge"])
def test_a_text_where_a_name_stands_is_refused(field):
    assert read_votes(lines(vote(), vote(judge="x" * reader.LONGEST_NAME))).n_votes == 2
    with pytest.raises(tk.ReadError, match=r"^votes\.jsonl, line 2: found 'xxx.*…, which has more than 1,000 char"):
        read_votes(lines(vote(), vote(**{field: "x" * (reader.LONGEST_NAME + 1)})))


def test_more_names_than_judges_and_models_have_are_refused(monkeypatch):
    monkeypatch.setattr(reader, "MOST_NAMES", 20)
    for cells in ("m{0},B,B,judge", "A,B,A,judge{0}"):
        rows = "".join(f"{row},{cells.format(row)}\n" for row in range(30))
        with pytest.raises(tk.ReadError, match=r"has more than 20 different names of models, judges and winners; see"):
            read_votes({"v.csv": f"item,model_a,model_b,winner,judge\n{rows}".encode()})
    rows = "".join(f"item {row},A,B,A,judge\n" for row in range(30))
    assert read_votes({"v.csv": f"item,model_a,model_b,winner,judge\n{rows}".encode()}).n_votes == 30


@pytest.mark.parametrize(
    ("a", "b", "winner"), [("B", "A", "A"), ("B", "C", "B"), ("C", "x", "C"), ("x", "left", "left")]
)
def test_a_model_whose_name_is_a_word_for_another_result_is_refused(a, b, winner):
    rows = [{"item": 1, "model_a": a, "model_b": b, "winner": winner}]
    before = [{"item": 0, "model_a": "x", "model_b": "y", "winner": word} for word in ("model_a", "model_b")]
    with pytest.raises(tk.ReadError, match=f"line 3: found '{winner}' in field 'winner'"):
        read_votes([*before, *rows])
    problem = f"line 1: found '{winner}' in field 'winner', which is a model of the row and a word for another result"
    with pytest.raises(tk.ReadError, match=f"{problem}; write model_a, model_b and tie for winners, or rename the"):
        read_votes(rows)
    word = [{**rows[0], "winner": "model_a" if winner == a else "model_b"}]
    renamed = [{key: f"model {text}" if text in (a, b) else text for key, text in rows[0].items()}]
    for told in (word, renamed, [*rows, {"item": 2, "model_a": a, "model_b": "GPT", "winner": "GPT"}]):
        votes = read_votes(told)
        chosen = votes.first if votes.preference[0] > 0 else votes.second
        assert votes.systems[chosen[0]].removeprefix("model ") == winner
    assert read_votes([{**rows[0], "model_a": "A", "model_b": "B", "winner": "A"}]).preference[0] == 1


def test_other_errors():
    header = b"item,model_a,model_b,winner\n"
    for name, content, message in (
        ("v.csv", header + b"1,A\n", "line 2: found 2 cells, expected 4"),
        ("v.csv", header + b"1,A,B,A\n2,B,C,A\n", "line 3: found 'A', a model of other rows, in field 'winner'"),
        ("v.csv", header, "line 1: has a header and no rows"),
        ("v.jsonl", b"{nothing}\n", "line 1: is not JSON"),
    ):
        with pytest.raises(tk.ReadError, match=f"^{name}, {message}"):
            read_votes({name: content})
    for wrong, message in ((3, "a path, a mapping of one name to bytes, .* found int"), ([3], "found int at place 1")):
        with pytest.raises(tk.InputError, match=f"source: must be .*{message}"):
            read_votes(wrong)


@pytest.mark.filterwarnings("ignore::tiekit.RoleWarning")
@pytest.mark.parametrize("start", range(4))
def test_a_damaged_file_is_read_or_refused(start):
    records = [vote(judge=["x"]), vote(winner="tie"), {**vote(), "winner": None, "score_a": 1.5, "score_b": 2}]
    originals = [*lines(*records, *records).items(), ("v.csv", (DATA / "votes/synthetic.csv").read_bytes()[:400])]
    read = 0
    for number in range(start * 50, start * 50 + 50):
        name, content = mutated(originals, number)
        with suppress(tk.ReadError, tk.InputError):
            read += len(repr(read_votes({name: content}))) > 0
    assert 0 < read < 50


def test_the_sample_is_what_the_program_writes(tmp_path):
    program = runpy.run_path(str(DATA / "make_votes.py"))
    program["write_all"](tmp_path / "v.csv")
    assert (tmp_path / "v.csv").read_bytes() == (DATA / "votes/synthetic.csv").read_bytes()


def test_the_sample_shows_what_the_lesson_says():
    votes = read_votes(DATA / "votes/synthetic.csv")
    assert repr(votes) == "Votes(2400 votes by 3 judges on 480 items, 4 systems, 22 abstentions)"
    found = compare_judges(votes, votes.by("person"))
    assert found["without_ties"].min() > 0.85
    assert found["with_ties"].max() < 0.65
    atlas = swap_consistency(votes.by("Atlas"))
    assert atlas.first > 10 * atlas.second


def panda(**more):
    rows = [
        {
            "idx": at,
            "cmp_key": "bloom-7b_opt-7b",
            "annotator1": vote,
            "annotator2": 0,
            "response1": "a",
            "response2": "b",
        }
        for at, vote in enumerate([1, 2, 0])
    ]
    return json.dumps([row | more for row in rows]).encode()


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 0, 1]])
def test_pandalm_has_a_vote_of_each_annotator_and_judge(order):
    judged = [{"idx": at, "pandalm_result": [2, "Tie", "garbage"][at]} for at in order]
    votes = read_votes({"testset-v1.json": panda(), "pandalm.json": json.dumps(judged).encode()})
    assert votes.judges == ("annotator1", "annotator2", "pandalm")
    found = {judge: votes.preference[np.array(votes.judges)[votes.judge] == judge].tolist() for judge in votes.judges}
    assert found == {"annotator1": [1, -1, 0], "annotator2": [0, 0, 0], "pandalm": [-1, 0, 0]}
    assert set(votes.systems) == {"bloom-7b", "opt-7b"}


def test_auto_j_names_a_judge_by_its_file():
    rows = [{"label": label, "response 1": "a", "response 2": "b"} for label in (0, 1, 2)]
    labels = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
    outputs = b"".join(json.dumps({"output": found}).encode() + b"\n" for found in (2, 1, 0))
    votes = read_votes({"testdata_pairwise.jsonl": labels, "auto-j.jsonl": outputs})
    found = {judge: votes.preference[np.array(votes.judges)[votes.judge] == judge].tolist() for judge in votes.judges}
    assert found == {"human": [1, -1, 0], "auto-j": [0, -1, 1]}


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"j.json": b'[{"idx": 0, "pandalm_result": 1}]'}, "j.json, line 1: has no cmp_key, .* give the test set too"),
        ({"t.json": panda(cmp_key="a_b_c")}, "found the cmp_key 'a_b_c'; expected MODEL_MODEL"),
        ({"t.json": panda(annotator1=3)}, "t.json, line 1: found '3' for a winner; expected 1, 2, 0, tie, garbage$"),
        ({"t.json": panda(), "j.json": b'[{"idx": 0, "pandalm_result": 1}]'}, "has 1 rows, but t.json has 3"),
        ({"t.json": panda(), "j.json": panda(idx=7)}, "j.json, line 1: has idx 7 where t.json has 0"),
    ],
)
def test_files_of_judges_that_are_refused(files, words):
    with pytest.raises(tk.ReadError, match=words):
        read_votes(files)


@pytest.mark.parametrize("kind", ["flags", "margin", "scores", "ranks", "judge"])
def test_winners_in_other_columns_are_taken_as_advised(kind):
    wins = np.random.default_rng(3).integers(-1, 2, 40)
    frame = pd.DataFrame({"id": range(40), "model_a": "x", "model_b": "y"})
    words = np.array(["tie", "model_a", "model_b"])[wins]
    more = {
        "flags": {"winner_model_a": wins == 1, "winner_model_b": wins == -1, "winner_tie": wins == 0},
        "margin": {"margin": 2 * wins},
        "scores": {"grade_a": 5 + wins, "grade_b": 5},
        "ranks": {"rank_a": 2 - wins, "rank_b": 2},
        "judge": {"gpt": words},
    }[kind]
    frame = frame.assign(**more).astype(dict.fromkeys(more if kind == "flags" else (), int))
    if kind == "flags":  # nobody won, nor was it a tie
        frame.iloc[0, 3:], words[0] = 0, "abstain"
    with pytest.raises(tk.ReadError) as refused:
        read_votes(frame)
    told = str(refused.value)
    steps = re.findall(r"(FRAME\..*?\)+)(?=, and if|$)|(?<=if the lower wins, )(FRAME\..*)", told)
    step = next(filter(None, steps[-1 if kind == "ranks" else 0]))
    found = read_votes(eval(step, {"FRAME": frame}))
    expected = read_votes(frame[["id", "model_a", "model_b"]].assign(winner=words))
    np.testing.assert_array_equal(np.sign(found.preference), np.sign(expected.preference))
    assert found.systems == expected.systems


@pytest.mark.parametrize("values", [(1, 0, 0.5), (1, 0), (1, -1, 0), (2.5, -0.5, 0)])
def test_numbers_for_winners_are_read_by_their_values_as_the_step_says(values):
    winners = ["model_a", "model_b", "tie", "model_b"] if len(values) > 2 else ["model_a", "model_b", "model_b"]
    numbers = dict(zip(winners, values, strict=False))
    frame = pd.DataFrame([PAIR | {"item": item, "score": numbers[winner]} for item, winner in enumerate(winners)])
    with pytest.raises(tk.ReadError, match="where model_a wins and below it where model_b wins") as refused:
        read_votes(frame)
    step, reverse = str(refused.value).partition(", pass ")[2].split(", and if it is the other way round, ")
    wanted = read_votes(frame.assign(winner=winners)).frame()
    pd.testing.assert_frame_equal(read_votes(eval(step, {"FRAME": frame})).frame(), wanted)
    wanted["preference"] = -wanted["preference"] + 0.0
    pd.testing.assert_frame_equal(read_votes(eval(reverse, {"FRAME": frame})).frame(), wanted)
    blank = eval(step, {"FRAME": frame.assign(score=frame["score"].where(frame["item"] > 0))})
    assert blank["winner"].isna().tolist() == [True, *[False] * (len(frame) - 1)]


@pytest.mark.parametrize("item", ["question_id", "topic", ""])
@pytest.mark.parametrize("form", ["frame", "csv"])
@pytest.mark.parametrize(
    "names", [("left", "right"), ("system1", "system2"), ("chosen", "rejected"), ("loser", "winner"), ("x", "y")]
)
def test_columns_of_models_with_other_names_are_renamed_as_the_step_says(names, form, item, tmp_path):
    models, rows = ["gpt", "ours", "base"], []
    for at in range(30):
        a, b = np.random.default_rng(at).permutation(models)[:2].tolist()
        rows.append({"question_id": at, "model_a": a, "model_b": b, "winner": "model_b" if names[0] == "loser" else a})
    frame = pd.DataFrame(rows)
    expected = read_votes(frame)
    other = frame.drop(columns="winner") if names[0] in ("chosen", "loser") else frame
    other = other.rename(columns={"question_id": item, "model_a": names[0], "model_b": names[1]})
    other = other if item else other.drop(columns=item)
    if form == "csv":
        other.to_csv(tmp_path / "votes.csv", index=False)
    with pytest.raises(tk.ReadError, match="has no field") as refused:
        read_votes(tmp_path / "votes.csv" if form == "csv" else other)
    step = re.search(r"pass (FRAME\..*)", str(refused.value))[1]
    found = read_votes(eval(step, {"FRAME": other}))
    pd.testing.assert_frame_equal(found.frame(), expected.frame())


MODELS = "gpt", "ours", "base"


def right_votes():
    """Votes on all pairs of three models, and which of both won."""
    rows = []
    for item in range(30):
        a, b = np.random.default_rng(item).permutation(MODELS)[:2].tolist()
        rows.append(
            {"question_id": item, "model_a": a, "model_b": b, "winner": ("model_a", "model_b", "tie")[item % 3]}
        )
    return pd.DataFrame(rows)


def follow(frame):
    """What is read after the steps that are printed, and how many they are."""
    for steps in range(4):
        try:
            return read_votes(frame), steps
        except tk.ReadError as refused:
            frame = eval(re.search(r"pass (FRAME\..*?)(, and if |$)", str(refused))[1], {"FRAME": frame})
    return None


@pytest.mark.parametrize("form", ["frame", "csv", "jsonl"])
@pytest.mark.parametrize(
    ("columns", "words", "steps"),
    [
        (("system1", "system2", "preferred"), ("system1", "system2", "tie"), 1),
        (("left", "right", "choice"), ("left", "right", "equal"), 1),
        (("right", "left", "choice"), ("right", "left", "same"), 1),
        (("sys 1", "sys 2", "winner"), ("sys 1", "Sys 2", "neither"), 1),
        (("model_a", "model_b", "score"), ("A>B", "B>>A", "A=B"), 1),
        (("model_a", "model_b", "preference.responses"), ("['A']", "['B']", "['Tie']"), 1),
        (("system_1", "system_2", "winner"), ("system_1", "system_2", "tie"), 0),
        (("model_a", "model_b", "Winner"), ("first", "second", "gleich"), 1),
        (("model_a", "model_b", "winner"), ("A>B", "A<B", "A=B"), 0),
        (("model_a", "model_b", "winner"), ("Win", "loss", "draw"), 1),
        (("model_a", "model_b", "winner"), ("gauche", "droite", "égalité"), 1),
    ],
)
def test_winners_in_other_words_are_read_or_have_a_step(columns, words, steps, form):
    frame = right_votes()
    expected = read_votes(frame).frame()
    found = dict(zip(("model_a", "model_b", "tie"), words, strict=True))
    frame["winner"] = frame["winner"].map(found)
    frame = frame.rename(columns=dict(zip(frame.columns[1:], columns, strict=True)))
    if form != "frame":
        write = {"csv": pd.DataFrame.to_csv, "jsonl": pd.DataFrame.to_json}[form]
        content = write(frame, index=False) if form == "csv" else write(frame, orient="records", lines=True)
        if steps:
            with pytest.raises(tk.ReadError, match=r"^votes.* pass FRAME\."):
                read_votes({f"votes.{form}": content.encode()})
        else:
            assert read_votes({f"votes.{form}": content.encode()}).frame().equals(expected)
    got, needed = follow(frame)
    pd.testing.assert_frame_equal(got.frame(), expected)
    assert needed == steps


def test_chosen_models_are_found_beside_chosen_texts():
    frame = right_votes().query("winner != 'tie'")
    names = ["chosen_model", "rejected_model"]
    pairs = [[a, b] if won == "model_a" else [b, a] for _, a, b, won in frame.to_numpy().tolist()]
    other = pd.DataFrame(pairs, columns=names).assign(prompt=frame["question_id"].to_numpy())
    other["chosen"], other["rejected"] = [f"text {n % 7}" for n in range(20)], [f"text {n % 5 + 1}" for n in range(20)]
    found, steps = follow(other)
    assert steps == 1
    won = np.where(found.preference > 0, found.first, found.second)
    assert [found.systems[place] for place in won] == other["chosen_model"].tolist()


@pytest.mark.parametrize("words", [(False, True), (0, 1), ("no", "yes"), ("FALSE", "TRUE")])
@pytest.mark.parametrize("form", ["frame", "csv"])
def test_a_tie_beside_winner_and_loser_is_no_win(words, form, tmp_path):
    frame = right_votes()
    swapped = frame["winner"] == "model_b"
    table = pd.DataFrame(
        {
            "question_id": frame["question_id"],
            "winner": frame["model_a"].mask(swapped, frame["model_b"]),
            "loser": frame["model_b"].mask(swapped, frame["model_a"]),
            "tie": np.where(frame["winner"] == "tie", words[1], words[0]),
        }
    )
    if form == "csv":
        path = tmp_path / "votes.csv"
        table.to_csv(path, index=False)
        with pytest.raises(tk.ReadError) as refused:
            read_votes(path)
        step = re.search(r"pass (FRAME\..*)", str(refused.value))[1]
        found, steps = read_votes(eval(step, {"FRAME": pd.read_csv(path)})), 1
    else:
        found, steps = follow(table)
    expected = read_votes(frame)
    assert steps == 1
    won = np.where(found.preference > 0, found.first, found.second)
    right = np.where(expected.preference > 0, expected.first, expected.second)
    np.testing.assert_array_equal(found.preference == 0, expected.preference == 0)
    names = np.array(found.systems)[won], np.array(expected.systems)[right]
    np.testing.assert_array_equal(*(some[expected.preference != 0] for some in names))


def test_names_in_other_letters_and_several_judges_have_a_step():
    frame = right_votes()
    named = np.where(
        frame["winner"] == "tie", "tie", np.where(frame["winner"] == "model_a", frame["model_a"], frame["model_b"])
    )
    expected = read_votes(frame).preference
    found, steps = follow(frame.assign(winner=pd.Series(named).str.upper()))
    assert steps == 1
    np.testing.assert_array_equal(found.preference, expected)
    found, steps = follow(frame.drop(columns="winner").assign(ann=named, text="a text", bob=named, length=7))
    assert (found.judges, steps) == (("ann", "bob"), 1)
    np.testing.assert_array_equal(found.preference, [*expected, *expected])


@pytest.mark.parametrize("item", ["question_id", "uid"])
def test_games_of_arena_hard_are_votes_in_both_orders(item):
    scores = {"first": [("A>>B", "B>A"), ("A=B", "B>>A")], "second": [("B>A", "A>>B"), (None, "A=B")]}
    files = {
        f"{model}.jsonl": "".join(
            json.dumps({item: at, "model": model, "judge": "gpt", "games": [{"score": one} for one in games]}) + "\n"
            for at, games in enumerate(rows)
        ).encode()
        for model, rows in scores.items()
    }
    found = read_votes(files).frame()
    assert found["first"].tolist() == ["baseline"] * 8
    assert found["second"].tolist() == ["first"] * 4 + ["second"] * 4
    assert found["shown"].tolist() == [found["shown"][0], found["shown"][1]] * 4
    assert found["shown"].nunique() == 2
    np.testing.assert_array_equal(found["preference"], [1, 1, 0, 1, -1, -1, np.nan, 0])
    assert {*found["judge"]} == {"gpt"}
    rows = [json.loads(line) | {"baseline": "o3"} for line in files["first.jsonl"].splitlines()]
    assert read_votes(rows).systems == ("first", "o3")
    alone = read_votes([row | {"games": row["games"][:1]} for row in rows])
    assert alone.preference.tolist() == [-1, 0]  # of first, beside o3


def test_a_matrix_of_wins_holds_no_votes():
    matrix = pd.DataFrame([[0, 3, 5], [2, 0, 4], [1, 1, 0]], list("xyz"), list("xyz"))
    for source in ({"wins.csv": matrix.to_csv().encode()}, matrix.rename_axis("model").reset_index()):
        with pytest.raises(
            tk.ReadError, match="this is a matrix of models, which holds no votes; give one row for each"
        ):
            read_votes(source)
    ranks = pd.DataFrame({"question_id": [1, 1], "model": ["x", "y"], "note": ["good", "bad"]})
    with pytest.raises(
        tk.ReadError, match="give one row for each vote, with columns question_id, model_a, model_b and"
    ):
        read_votes(ranks)


def test_empty_winners_are_told():
    frame = right_votes()
    some = frame.assign(winner=frame["winner"].where(frame["winner"] != "tie"))
    with pytest.warns(tk.RoleWarning, match="source: 10 of 30 votes have no winner and none is a tie; took") as told:
        votes = read_votes(some)
    assert repr(votes) == "Votes(30 votes by 1 judges on 30 items, 3 systems, 10 abstentions)"
    step = str(told[0].message).partition(", pass ")[2]
    assert read_votes(eval(step, {"FRAME": some})).frame().equals(read_votes(frame).frame())
    assert read_votes(frame.assign(winner=frame["winner"].mask(frame.index == 4))).n_abstained == 1  # others are ties
    assert read_votes(some.fillna("error")).n_abstained == 10


def test_a_vote_of_pandalm_is_no_score():
    rows = [{"idx": at, "gpt_result": word, "gpt_reason": "…"} for at, word in enumerate(("1", "2", "Tie"))]
    for source in (rows, pd.DataFrame(rows), {"gpt.json": json.dumps(rows).encode()}):
        with pytest.raises(
            tk.TiekitError, match=r"holds votes of PandaLM, not scores; read them with tk\.votes\.read_votes"
        ):
            tk.read(source)


SIDES = ["model_a", "model_b", "tie"]


@pytest.mark.filterwarnings("ignore:.*no winner:tiekit.RoleWarning")
@pytest.mark.parametrize("name", ["winner", "preference", "rating", "vote"])
@pytest.mark.parametrize(
    ("codes", "middle"),
    [
        ((0, 1, 2), None),
        ((1, 2, 0), None),
        ((1, 2, 3), None),
        ((2, 7, 4.5), "(LOWEST + HIGHEST) / 2"),
        ((1, 0, 0.5), ".5"),
        ((-1, 1, 0), "0"),
        ((2, -2, 0), "0"),
        ((1, 5, 3), "3"),
        ((7, 1, 4), "4"),
        ((True, False, None), ".5"),
    ],
)
def test_numbers_for_winners_have_steps_that_never_reverse_a_vote(name, codes, middle):
    frame = right_votes()
    numbers = dict(zip(SIDES, codes, strict=True))
    found = frame[["question_id", "model_a", "model_b"]].assign(**{name: frame["winner"].map(numbers)})
    if name == "preference" and set(codes) <= {0, 1, 2}:
        return  # as AlpacaEval writes them
    with pytest.raises(tk.ReadError) as refused:
        read_votes(found)
    if middle is None:
        assert str(refused.value).count(": …") == 3
        return
    assert f"is above {middle} where model_a wins and below it where model_b wins, " in str(refused.value)
    steps = re.search(r"pass (FRAME.*), and if it is the other way round, (FRAME.*)", str(refused.value)).groups()
    ends = {"LOWEST": 2, "HIGHEST": 7}
    votes = read_votes(eval(steps[codes[0] < codes[1]], {"FRAME": found, **ends}))
    frame["winner"] = frame["winner"].where(frame["winner"] != "tie", "abstain" if codes[2] is None else "tie")
    np.testing.assert_array_equal(votes.preference, read_votes(frame).preference)


def test_words_without_a_plain_sense_are_left_to_be_filled_in():
    frame = right_votes()
    for words in (("x", "y", "tie"), ("model_a", "model_b", "unsure"), ("won", "other", "tie")):
        found = frame.assign(winner=frame["winner"].map(dict(zip(SIDES, words, strict=True))))
        with pytest.raises(tk.ReadError, match=r"for each …, and pass FRAME.*: …") as refused:
            read_votes(found)
        with pytest.raises(SyntaxError):
            eval(str(refused.value).partition(", and pass ")[2], {"FRAME": found})


@pytest.mark.parametrize("item", ["idx", "index", "source", "frage"])
@pytest.mark.parametrize("mark", ["", " vs ", " vs. ", "_vs_"])
def test_pairs_and_items_in_other_columns_are_taken_as_the_steps_say(item, mark):
    frame = pd.DataFrame(
        {"question_id": f"q{at}", "model_a": a, "model_b": b, "winner": (a, b, "tie")[at % 3]}
        for at in range(9)
        for a, b in (("gpt", "ours"), ("ours", "base"), ("gpt", "base"))
    )
    found = frame.rename(columns={"question_id": item}).assign(feedback=[f"text {at}" for at in range(len(frame))])
    if mark:
        found["pair"] = found.pop("model_a") + mark + found.pop("model_b")
    got, steps = follow(found)
    pd.testing.assert_frame_equal(got.frame(), read_votes(frame).frame())
    assert steps == 1 + bool(mark)


def test_an_object_with_a_list_for_each_pair_has_a_step(tmp_path):
    frame = right_votes()
    file = {
        f"{a}_vs_{b}": rows.drop(columns=["model_a", "model_b"]).to_dict("records")
        for (a, b), rows in frame.groupby(["model_a", "model_b"])
    }
    path = tmp_path / "votes.json"
    path.write_text(json.dumps(file))
    with pytest.raises(tk.ReadError, match="has no field question_id") as refused:
        read_votes(path)
    votes = read_votes(
        eval(
            str(refused.value).partition("; pass ")[2],
            {"json": json, "PATH": path, "open": lambda path: StringIO(path.read_text())},
        )
    )
    found, wanted = (one.frame().sort_values("item", ignore_index=True) for one in (votes, read_votes(frame)))
    pd.testing.assert_frame_equal(found, wanted)


@pytest.mark.parametrize("form", ["frame", "csv"])
@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("swapped", (False, True)),
        ("is_flipped", (0, 1)),
        ("reversed", ("no", "yes")),
        ("order", ("AB", "BA")),
        ("position_a", (1, 2)),
    ],
)
def test_a_column_that_says_which_answer_was_shown_first_is_told(name, values, form):
    frame = right_votes()
    expected = read_votes(frame).frame()
    second = frame.index % 4 == 1
    sides = frame["model_a"].where(~second, frame["model_b"]), frame["model_b"].where(~second, frame["model_a"])
    found = frame.assign(model_a=sides[0], model_b=sides[1], **{name: np.where(second, values[1], values[0])})
    source = {"v.csv": found.to_csv(index=False).encode()} if form == "csv" else found
    with pytest.warns(
        tk.RoleWarning, match=f"{name} is not used: took the answer of model_a as .* shown first"
    ) as told:
        read_votes(source)
    step = re.search(r"names of models, pass (FRAME.*?); if", str(told[0].message))[1].replace(
        "…", repr(str(values[1]))
    )
    pd.testing.assert_frame_equal(read_votes(eval(step, {"FRAME": found})).frame(), expected)
    read_votes(found.assign(**{name: values[0]}))  # all in one order
    if name == "order":
        read_votes(found.assign(order=range(len(found))))


@pytest.mark.parametrize("name", ["judge_winner", "gpt4_verdict", "winner_of_gpt4"])
def test_a_second_column_of_winners_is_told_with_the_step_that_makes_it_another_judges(name):
    rng = np.random.default_rng(3)
    winners = np.array(["model_a", "model_b", "tie"])
    frame = pd.DataFrame({"item": range(60), "model_a": "x", "model_b": "y"})
    human, judge = (winners[rng.integers(0, 3, 60)] for _ in range(2))
    frame = frame.assign(winner=human, **{name: judge})
    with pytest.warns(
        tk.errors.RoleWarning, match=f"{name} is not used, winner says who won; if {name} has another"
    ) as caught:
        alone = read_votes(frame)
    [text] = [str(one.message) for one in caught]
    both = read_votes(eval(text.rpartition("pass ")[2], {"FRAME": frame}))
    assert agreement(both).with_ties == (human == judge).mean()
    with pytest.raises(tk.InputError, match="human: needed, as one judge gave all votes"):
        agreement(alone)


@pytest.mark.parametrize("cells", ["better grammar", "", "3.5"])
def test_a_column_that_is_only_called_like_winners_is_not_told(cells):
    rows = [{"item": 1, "model_a": "x", "model_b": "y", "winner": "model_a", "reason_for_vote": "", "vote_note": cells}]
    assert read_votes(rows).judges == ("judge",)
