"""Votes in several files: each judge keeps its own, and rows without models get them by their ids."""

import json
import re

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tiekit.votes import read_votes

RANDOM = np.random.default_rng(0)
SYSTEMS = ["a", "b", "c", "d"]
WINNERS = ["model_a", "model_b", "tie"]
PAIRS = pd.DataFrame(
    [[f"q{number}", *RANDOM.permutation(SYSTEMS)[:2]] for number in range(60)],
    columns=["question_id", "model_a", "model_b"],
)
HUMAN, JUDGE = (PAIRS.assign(winner=RANDOM.choice(WINNERS, len(PAIRS))) for _ in range(2))
SHUFFLED = JUDGE.sample(frac=1, random_state=1)
ENDINGS = ["csv", "jsonl"]


def files(ending, **tables):
    write = {
        "csv": lambda table: table.to_csv(index=False),
        "jsonl": lambda table: table.to_json(orient="records", lines=True),
    }[ending]
    return {f"{name}.{ending}": write(table).encode() for name, table in tables.items()}


def check(votes, **tables):
    """Every vote is that of its judge on its question, as the tables say, whatever their order."""
    found = votes.frame().set_index(["judge", "item"])
    assert len(found) == sum(map(len, tables.values())) == len({*found.index})
    for judge, table in tables.items():
        for row in table.to_dict("records"):
            vote = found.loc[(judge, row["question_id"])]
            sign = {"model_a": 1, "model_b": -1, "tie": 0}[row["winner"]]
            turned = 1 if vote["first"] == row["model_a"] else -1
            assert {vote["first"], vote["second"]} == {row["model_a"], row["model_b"]}
            assert (vote["preference"], vote["shown"]) == (sign * turned, turned)


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("named", ["both", "one", "none"])
def test_whole_files_of_two_judges_are_two_judges(named, ending):
    tables = {
        "people": HUMAN.assign(judge="people") if named == "both" else HUMAN,
        "gpt-4": SHUFFLED if named == "none" else SHUFFLED.assign(judge="gpt-4"),
    }
    check(read_votes(files(ending, **tables)), **{"people": HUMAN, "gpt-4": JUDGE})


def test_paths_name_judges_and_so_does_the_argument(tmp_path):
    paths = [tmp_path / name for name in ("one/v.csv", "two/v.csv")]
    for path, table in zip(paths, (HUMAN, JUDGE[:9]), strict=True):
        path.parent.mkdir()
        table.to_csv(path, index=False)
    assert {*read_votes(paths).judges} == {*map(str, paths)}
    with pytest.warns(tk.RoleWarning, match=r"9 of 69 votes are of the same item"):
        assert read_votes(paths, judge="x").judges == ("x",)


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("part", [60, 25])
def test_rows_without_models_get_them_by_their_ids(part, ending):
    few = SHUFFLED[:part]
    tables = {"people": HUMAN, "gpt-4": few[["question_id", "winner"]], "all": JUDGE}
    check(read_votes(files(ending, **tables)), **{"people": HUMAN, "gpt-4": few, "all": JUDGE})
    tables = {"gpt-4": few[["question_id", "winner"]], "pairs": PAIRS}
    check(read_votes(files(ending, **tables)), **{"gpt-4": few})


@pytest.mark.parametrize("ending", ENDINGS)
def test_turns_are_ids_too(ending):
    both = [table.assign(turn=turn) for turn in (1, 2) for table in [HUMAN]]
    human = pd.concat(both)
    judge = pd.concat([JUDGE.assign(turn=1), HUMAN.assign(turn=2)]).sample(frac=1, random_state=2)
    votes = read_votes(files(ending, people=human, judge=judge[["turn", "question_id", "winner"]]))
    for turn, table in ((1, JUDGE), (2, HUMAN)):
        check(votes.by("judge").where(votes.by("judge").turn == turn), judge=table)
    with pytest.raises(
        tk.ReadError, match=r"judge\.\w+, line \d+: has question_id 'q\d+', of which .* several"
    ) as told:
        read_votes(
            files(
                ending,
                people=human.assign(model_b=[*HUMAN.model_b, *["e"] * 60]),
                judge=SHUFFLED[["question_id", "winner"]],
            )
        )
    assert "write turn and model_a and model_b into its rows" in str(told.value)


def test_rows_without_ids_are_joined_in_their_order_with_a_warning():
    with pytest.warns(tk.RoleWarning, match="took those of people.csv in their order; write question_id and model_a"):
        votes = read_votes(files("csv", people=HUMAN, judge=JUDGE[["winner"]]))
    check(votes, people=HUMAN, judge=JUDGE)
    half = [f"q{number // 2}" for number in range(60)]
    other = PAIRS.assign(question_id=half, model_a="a", model_b=["b", "c"] * 30)
    same = [other.assign(winner=table.winner) for table in (HUMAN, JUDGE)]
    with pytest.warns(tk.RoleWarning, match="took those of people.csv in their order; write model_a and model_b"):
        votes = read_votes(files("csv", people=same[0], judge=same[1][["question_id", "winner"]]))
    assert votes.n_votes == 120


REFUSED = [
    (JUDGE[["winner"]][:9], "has 9 rows, but people.csv has 60; write question_id and model_a and model_b into"),
    (SHUFFLED.rename(columns={"question_id": "id"})[["id", "winner"]], "names its items in 'id', but people.csv in"),
    (SHUFFLED.assign(question_id="x")[["question_id", "winner"]], r"line 2: has question_id 'x', of which .* no row"),
]


@pytest.mark.parametrize(("judge", "words"), REFUSED)
def test_what_cannot_be_joined_is_refused_with_a_step(judge, words):
    with pytest.raises(tk.ReadError, match=re.escape(words) if ".*" not in words else words):
        read_votes(files("csv", people=HUMAN, judge=judge))


def test_errors_name_the_file_of_the_line():
    wrong = JUDGE.assign(winner=["model_a"] * 59 + ["nobody"])
    with pytest.raises(tk.ReadError, match=r"^judge\.csv, line 61: found 'nobody' in field 'winner'"):
        read_votes(files("csv", people=HUMAN, judge=wrong))
    with pytest.raises(tk.ReadError, match=r"^judge\.csv, line 2: has neither a field winner"):
        read_votes(files("csv", people=HUMAN, judge=PAIRS))


def test_two_files_of_one_judge_of_pandalm_or_auto_j_do_not_overwrite_each_other():
    rows = [{"idx": 0, "cmp_key": "a_b", "annotator1": 1}]
    two = {
        name: json.dumps([{"idx": 0, "pandalm_result": vote}]).encode() for name, vote in (("s.json", 1), ("l.json", 2))
    }
    with pytest.raises(tk.ReadError, match=r"l\.json, line 1: has pandalm_result .* rename one, as each is a judge"):
        read_votes({"t.json": json.dumps(rows).encode()} | two)
    pair = {"response 1": "a", "response 2": "b", "label": 0}
    other = pair | {"response 1": "c", "output": 1}
    with pytest.raises(tk.ReadError, match=r"has response 1 'c' where t\.json has 'a'; give both the same order"):
        read_votes({"t.json": json.dumps([pair]).encode(), "j.json": json.dumps([other]).encode()})
