"""Votes of several kinds in one file, and in other forms: what is told, and what the printed steps give."""

import json
import re
from io import StringIO

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tests.votes.test_reader import MODELS, SIDES, follow, right_votes
from tiekit.votes import read_votes


def without_order(votes):
    """What votes say, whatever their order and that of the items."""
    return votes.frame().sort_values(["item", "first", "second", "preference"], ignore_index=True)


@pytest.mark.parametrize("form", ["frame", "csv", "jsonl"])
@pytest.mark.parametrize(
    ("name", "values"),
    [("criterion", ("fluency", "adequacy")), ("lp", ("en-de", "en-fr")), ("speed", ("slow", "fast"))],
)
def test_votes_of_several_criteria_or_language_pairs_are_told(name, values, form, tmp_path):
    part = right_votes()
    other = part.assign(winner=part["winner"].sample(frac=1, random_state=1).to_list())
    both = pd.concat([part.assign(**{name: values[0]}), other.assign(**{name: values[1]})], ignore_index=True)
    path = tmp_path / f"votes.{form}"
    if form == "csv":
        both.to_csv(path, index=False)
    elif form == "jsonl":
        both.to_json(path, orient="records", lines=True)
    message = f"30 of 60 votes .* all count; column '{name}' .*{', '.join(values)}"
    with pytest.warns(tk.RoleWarning, match=message) as told:
        read_votes(both if form == "frame" else path)
    text, frame = str(told[0].message), both
    if form != "frame":
        known = {"pandas": pd, "json": json, "PATH": path, "open": lambda path: StringIO(path.read_text())}
        frame = eval(re.search(r"where frame is (pandas.*)$", text)[1], known)
    step = re.search(r"(frame\[.*?== '.*?'\])", text)[1]
    pd.testing.assert_frame_equal(read_votes(eval(step, {"frame": frame})).frame(), read_votes(part).frame())


def test_several_language_pairs_are_told_where_no_votes_are_of_one_item():
    frame = right_votes().assign(lp=["en-de", "en-fr"] * 15)
    with pytest.warns(tk.RoleWarning, match=r"source: all votes count, but column 'lp' holds en-de, en-fr; .* frame\["):
        read_votes(frame)
    assert read_votes(frame.assign(lp="en-de")).n_votes == 30


def test_persons_and_parts_that_tell_votes_apart_have_a_step():
    frame = right_votes()
    raters = pd.concat([frame.assign(worker=who) for who in "xyz"], ignore_index=True)
    for name, expected in (("worker", "judge"), ("chapter", "item")):
        with pytest.warns(tk.RoleWarning, match=f"column '{name}' tells such rows apart") as told:
            read_votes(raters.rename(columns={"worker": name}))
        step = re.search(r"pass (FRAME.*?)(;|$)", str(told[0].message))[1]
        votes = read_votes(eval(step, {"FRAME": raters.rename(columns={"worker": name})}))
        assert (len(votes.judges), len(votes.items)) == ((3, 30) if expected == "judge" else (1, 90))


def test_columns_beside_repeated_votes_are_not_taken_for_criteria():
    frame = pd.concat([right_votes()] * 2, ignore_index=True)
    rng = np.random.default_rng(0)
    beside = frame.assign(
        confidence=rng.integers(1, 6, 60), tstamp=range(60), category="math", order=["AB", "BA"] * 30, language="en"
    )
    with pytest.warns(tk.RoleWarning) as told:
        read_votes(beside.drop(columns="order"))
    assert "all count; delete rows that were written twice, or name the raters in a column judge" in str(
        told[0].message
    )


def other_forms():
    """Votes in other forms, with the way of the step that is right where two are printed."""
    frame = right_votes()
    wins = frame["winner"].map({"model_a": 1, "model_b": -1, "tie": 0})
    bare, words = frame.drop(columns="winner"), frame["winner"]

    def say(a, b, tie):
        return words.map({"model_a": a, "model_b": b, "tie": tie})

    texts = pd.Series([f"Thus {at}: [[{one}]]" for at, one in enumerate(say(*"ABC"))])
    yield "list", bare.assign(scores=[[6 + one, 6] for one in wins]), 0
    yield "list of losses", bare.assign(losses=[[1.5 - one / 2, 1.5] for one in wins]), 1
    yield "yes", bare.assign(is_a_better=say("yes", "no", "equal")), 0
    yield "no", bare.assign(b_wins=say("no", "yes", "tie")), 0
    yield (
        "judgment",
        bare.assign(judgment=[f"[[A]] was asked for; {at}: [[{one}]]" for at, one in enumerate(say(*"ABC"))]),
        0,
    )
    texts = [f"Thus {at}: [[{one}]]" for at, one in enumerate(say(*"ABC"))]
    yield "verdicts in winner", bare.assign(winner=texts), 0
    sides = bare.set_axis(["question_id", "system1", "system2"], axis=1)
    for at, some in enumerate(
        [
            ("Model A", "Model B", "Tie"),
            ("Response 1", "Response 2", "Both equal"),
            ("A is slightly better", "B is much better", "about the same"),
            ("Assistant A wins", "assistant B wins", "no preference"),
        ]
    ):
        yield f"words {at}", bare.assign(winner=say(*some)), 0
        yield f"verdict {at}", bare.assign(verdict=say(*some)), 0
        yield (
            f"others {at}",
            bare.set_axis(["question_id", "system1", "system2"], axis=1).assign(preferred=say(*some)),
            0,
        )
    sides = bare.set_axis(["question_id", "system1", "system2"], axis=1)
    yield "sides", sides.assign(preferred=say("system1", "system2", "no preference")), 0
    counts = {f"votes_{side}": (words == one).astype(int) for side, one in zip(("a", "b", "tie"), SIDES, strict=True)}
    yield "flags", bare.assign(**counts), 0
    pairs = frame["model_a"] + "_vs_" + frame["model_b"]
    wide = frame.assign(pair=pairs).set_index(["question_id", "pair"])["winner"].unstack().reset_index()  # noqa: PD010
    yield "wide", wide, 0


FORMS = {name: (frame, way) for name, frame, way in other_forms()}


@pytest.mark.parametrize("form", ["frame", "csv"])
@pytest.mark.parametrize("name", FORMS)
def test_votes_in_other_forms_have_one_step(name, form, tmp_path):
    frame, way = FORMS[name]
    path = tmp_path / "votes.csv"
    frame.to_csv(path, index=False)
    with pytest.raises(tk.ReadError) as refused:
        read_votes(frame if form == "frame" else path)
    steps = re.search(r"pass (FRAME.*?)(?:, and if the lower wins, (FRAME.*))?$", str(refused.value)).groups()
    votes = read_votes(eval(steps[way], {"FRAME": frame if form == "frame" else pd.read_csv(path)}))
    found, wanted = (without_order(one) for one in (votes, read_votes(right_votes())))
    np.testing.assert_array_equal(np.sign(found["preference"]), wanted["preference"])
    pd.testing.assert_frame_equal(found[["item", "first", "second"]], wanted[["item", "first", "second"]])


@pytest.mark.filterwarnings("ignore:.*all count:tiekit.RoleWarning")
def test_numbers_of_votes_become_so_many():
    frame = right_votes().drop(columns="winner").assign(n_a=[2, 0, 1] * 10, n_b=[0, 3, 1] * 10, ties=[1, 0, 0] * 10)
    votes, steps = follow(frame)
    rows = [
        {**row, "winner": winner}
        for row in frame.to_dict("records")
        for winner, name in zip(SIDES, ("n_a", "n_b", "ties"), strict=True)
        for _ in range(row[name])
    ]
    assert (len(rows), steps) == (80, 1)
    pd.testing.assert_frame_equal(without_order(votes), without_order(read_votes(rows)))


@pytest.mark.parametrize("way", [0, 1])
@pytest.mark.parametrize("more", [{}, {"judge": ["ann", "bob"]}])
@pytest.mark.parametrize("names", [("question_id", "model", "rank"), ("segment", "sys", "grade")])
def test_a_rank_or_score_of_each_system_becomes_votes_on_all_pairs(names, more, way):
    item, system, number = names
    rows = [
        {item: f"q{at}", system: model, number: 1 + (at * (place + 1)) % 4, **dict.fromkeys(more, who)}
        for at in range(12)
        for place, model in enumerate(MODELS)
        for who in more.get("judge", ["judge"])
    ]
    frame = pd.DataFrame(rows)
    with pytest.raises(tk.ReadError, match=f"if the lower {number} wins, pass FRAME") as refused:
        read_votes(frame)
    steps = re.search(r"pass (FRAME.*), and if the higher wins, (FRAME.*)$", str(refused.value)).groups()
    found = read_votes(eval(steps[way], {"FRAME": frame})).frame()
    assert len(found) == 36 * max(1, len(more.get("judge", [])))
    known = {(one[item], one[system], one.get("judge", "judge")): one[number] for one in rows}
    for vote in found.to_dict("records"):
        one, two = (known[vote["item"], vote[side], vote["judge"]] for side in ("first", "second"))
        assert np.sign(vote["preference"]) == np.sign(two - one if way == 0 else one - two)


@pytest.mark.parametrize("words", [("baseline", "model", "tie"), ("loss", "win", "tie")])
def test_a_model_beside_its_baseline_has_a_step(words):
    frame = right_votes()
    frame["model_a"] = "base"
    frame["model_b"] = frame["model_b"].replace("base", "ours")
    expected = without_order(read_votes(frame))
    frame["winner"] = frame["winner"].map(dict(zip(SIDES, words, strict=True)))
    found, steps = follow(frame.rename(columns={"model_a": "baseline", "model_b": "model"}))
    assert steps <= 2
    pd.testing.assert_frame_equal(without_order(found).drop(columns="shown"), expected.drop(columns="shown"))


def test_words_that_need_not_say_who_won_are_not_taken_for_winners():
    bare = right_votes().drop(columns="winner")
    for more in (
        {"is_hard": ["yes", "no", "no"] * 10},
        {"a_better": ["yes", "no", "no"] * 10, "b_better": ["no", "yes", "no"] * 10},
        {"text_a": ["good", "bad", "B!"] * 10},
    ):
        with pytest.raises(tk.ReadError, match="write who won into a column winner"):
            read_votes(bare.assign(**more))


@pytest.mark.filterwarnings("ignore:.*none is a tie; took them as abstentions:tiekit.RoleWarning")
@pytest.mark.parametrize("form", ["frame", "csv"])
@pytest.mark.parametrize("names", [("human", "gpt4"), ("rater_1", "rater_2"), ("ann", "bob", "judge_a")])
@pytest.mark.parametrize("codes", [(1, 2, 0), (1, 2, 3), (1, -1, 0), (1, 0, 0.5), (2, 1, None)])
def test_columns_of_two_judges_with_codes_become_their_votes(codes, names, form, tmp_path):
    frame = pd.concat(
        [right_votes().assign(judge=name).sample(frac=1, random_state=at) for at, name in enumerate(names)]
    )
    expected = frame.assign(winner=frame["winner"].sample(frac=1, random_state=2).to_list())
    numbers = dict(zip(SIDES, codes, strict=True))
    keys = ["question_id", "model_a", "model_b"]
    wide = expected.assign(winner=expected["winner"].map(numbers)).set_index([*keys, "judge"])["winner"].unstack()  # noqa: PD010
    found = wide[[*names]].reset_index()
    path = tmp_path / "votes.csv"
    found.to_csv(path, index=False)
    with pytest.raises(tk.ReadError, match=f"if {', '.join(names)} are judges, whose numbers say who won") as refused:
        read_votes(found if form == "frame" else path)
    found = found if form == "frame" else pd.read_csv(path)
    melted = eval(re.search(r"pass (FRAME.melt.*?)(; if the higher|$)", str(refused.value))[1], {"FRAME": found})
    with pytest.raises(tk.ReadError) as refused:
        read_votes(melted)
    text = str(refused.value)
    if text.count(": …") == 3:
        for code, word in zip(codes, SIDES, strict=True):
            text = text.replace(f"'{code}': …", f"'{code}': {word!r}")
        step = re.search(r"pass (FRAME.*)$", text)[1]
    else:
        ways = re.search(r"pass (FRAME.*), and if it is the other way round, (FRAME.*)$", text).groups()
        step = ways[codes[0] < codes[1]]
    votes = read_votes(eval(step, {"FRAME": melted}))
    expected["winner"] = expected["winner"].where(expected["winner"] != "tie", "abstain" if codes[2] is None else "tie")
    assert {*votes.judges} == {*names}
    order = [*keys[:1], "first", "second", "judge"]
    wanted, got = (
        one.frame().rename(columns={"item": keys[0]}).sort_values(order, ignore_index=True)
        for one in (read_votes(expected), votes)
    )
    pd.testing.assert_frame_equal(got, wanted)


def test_two_scores_of_the_sides_are_no_judges():
    bare = right_votes().drop(columns="winner")
    for names in (("rating_a", "rating_b"), ("left", "right"), ("score1_1", "score1_2"), ("human", "gpt4")):
        scores = [[1, 2, 3, 4, 5] * 6 if names[0] == "human" else [1, 2, 3] * 10, [2] * 30]
        with pytest.raises(tk.ReadError, match="if the higher of") as refused:
            read_votes(bare.assign(**dict(zip(names, scores, strict=True))))
        assert "judges" not in str(refused.value)


@pytest.mark.parametrize("systems", [MODELS, MODELS[:2]])
def test_a_column_of_ranks_for_each_system_becomes_votes_on_all_pairs(systems):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"question_id": [f"q{at}" for at in range(12)]})
    frame = frame.assign(**{name: rng.integers(1, 4, 12) for name in systems})
    with pytest.raises(tk.ReadError, match="are systems with a rank or score each, pass FRAME") as refused:
        read_votes(frame)
    long = eval(re.search(r"pass (FRAME.*)$", str(refused.value))[1], {"FRAME": frame})
    with pytest.raises(tk.ReadError, match="if the lower score wins, pass FRAME") as refused:
        read_votes(long)
    step = re.search(r"pass (FRAME.*), and if the higher wins", str(refused.value))[1]
    ranks = frame.set_index("question_id")
    votes = read_votes(eval(step, {"FRAME": long})).frame()
    assert len(votes) == 12 * len(systems) * (len(systems) - 1) // 2
    for vote in votes.to_dict("records"):
        one, two = (ranks.loc[vote["item"], vote[side]] for side in ("first", "second"))
        assert np.sign(vote["preference"]) == np.sign(two - one)


@pytest.mark.parametrize("places", [("first", "second"), ("left", "right"), ("A", "B")])
@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("presented_first", "ab"),
        ("left_model", "ab"),
        ("shown", "ab"),
        ("second_model", "ba"),
        ("first", ("model_a", "model_b")),
        ("a_first", (True, False)),
        ("b_first", (False, True)),
        ("permutation", ("0,1", "1,0")),
        ("order_of_answers", (0, 1)),
    ],
)
def test_winners_that_are_places_beside_the_order_of_each_row_are_told(name, cells, places):
    frame = right_votes()
    expected = read_votes(frame).frame()
    is_second = np.arange(30) % 4 == 1
    order = np.where(is_second, cells[1], cells[0])
    if isinstance(cells, str):
        order = np.where(is_second == (cells == "ab"), frame["model_b"], frame["model_a"])
    straight, turned = ({"model_a": one, "model_b": other} for one, other in (places, places[::-1]))
    by_place = frame["winner"].replace(straight).where(~is_second, frame["winner"].replace(turned))
    found = frame.assign(winner=by_place, **{name: order})
    read_votes(frame.assign(**{name: order}))  # winners say the columns
    if name in ("shown", "second_model") and places == ("A", "B"):
        return  # A may be a name of the column
    with pytest.warns(tk.RoleWarning, match=f"{name} is not used: took the answer of model_a as shown first") as told:
        read_votes(found)
    step = re.search(r"names of models, pass (FRAME.*?); if", str(told[0].message))[1]
    step = step.replace("…", repr(str(cells[1])))
    votes = read_votes(eval(step, {"FRAME": found})).frame()
    pd.testing.assert_frame_equal(votes.drop(columns="shown"), expected.drop(columns="shown"))
    assert (votes["shown"] == expected["shown"] * np.where(is_second, -1, 1)).all()


@pytest.mark.parametrize("form", ["frame", "csv"])
@pytest.mark.parametrize("values", [range(1, 6), np.linspace(0, 1, 7)])
def test_a_table_of_scores_is_sent_to_its_reader(form, values):
    rng = np.random.default_rng(2)
    frame = pd.DataFrame([(f"s{s}", item) for s in range(6) for item in range(40)], columns=["system", "item"])
    frame = frame.assign(**{name: rng.choice(values, len(frame)) for name in ("human", "mine", "other")})
    frame.loc[3, "mine"] = np.nan
    with pytest.raises(
        tk.ReadError, match=r"holds scores of systems, not votes .*: pass it to tk.read, or .* page Lead"
    ):
        read_votes({"v.csv": frame.to_csv(index=False).encode()} if form == "csv" else frame)
    assert set(tk.read(frame).metrics) == {"mine", "other"}


@pytest.mark.parametrize(
    "name", ["{who}_score_{side}", "{who}_rating_{side}", "score_{side}_{who}", "{who}_{side}_score"]
)
@pytest.mark.parametrize("values", [range(1, 4), range(1, 10), np.linspace(0, 1, 9)])
def test_scores_of_several_judges_in_one_row_have_a_step(name, values):
    rng = np.random.default_rng(5)
    frame = right_votes().drop(columns="winner")
    columns = {who: [name.format(who=who, side=side) for side in "ab"] for who in ("human", "gpt4")}
    frame = frame.assign(**{one: rng.choice(values, 30) for two in columns.values() for one in two})
    with pytest.raises(tk.ReadError, match="if human, gpt4 are judges, and the higher score wins, pass") as refused:
        read_votes(frame)
    votes = read_votes(eval(str(refused.value).partition("wins, pass ")[2], {"FRAME": frame, "pandas": pd}))
    assert votes.judges == ("gpt4", "human")
    for who, (a, b) in columns.items():
        expected = read_votes(frame.assign(score_a=frame[a], score_b=frame[b]), judge=who)
        pd.testing.assert_frame_equal(without_order(votes.by(who)), without_order(expected))


def test_scores_of_a_judge_beside_winners_are_told():
    rng = np.random.default_rng(6)
    frame = right_votes()
    wide = frame.assign(gpt4_score_a=rng.integers(1, 9, 30), gpt4_score_b=rng.integers(1, 9, 30), n_words_a=7)
    with pytest.warns(tk.RoleWarning, match="gpt4_score_a and gpt4_score_b are not used, winner says who won") as told:
        read_votes(wide)
    assert len(told) == 1
    votes = read_votes(eval(str(told[0].message).partition("judge, pass ")[2], {"FRAME": wide, "pandas": pd}))
    assert votes.judges == ("gpt4", "judge")
    scores = frame.drop(columns="winner").assign(score_a=wide["gpt4_score_a"], score_b=wide["gpt4_score_b"])
    for who, expected in (("judge", frame), ("gpt4", scores)):
        pd.testing.assert_frame_equal(without_order(votes.by(who)), without_order(read_votes(expected, judge=who)))
