"""The page on judges that vote: its figure has the library's numbers; scenes, uploads, errors."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tests.app import reading
from tests.app.code import both
from tiekit.figures import FIGURES
from tiekit.readers import data_file
from ui.llm_as_a_judge.sides import MOST_JUDGES, MOST_OFFERED, labels
from ui.work import result_cache
from ui.work.text import bare

PAGE = "12_LLM_as_a_judge"
VOTES = tk.votes.read_votes(data_file("votes/synthetic.csv"))
OWN = b"""question_id,model_a,model_b,winner,judge
1,A,B,model_a,expert_1
1,A,B,tie,expert_2
2,A,B,model_b,expert_3
1,A,B,model_a,<b>bot</b>
2,B,A,model_a,<b>bot</b>
"""


def figure(app):
    """What the tables and the slider are given."""
    return reading.figure(app, "judge_votes")


def now(app):
    """Each judge's numbers at its threshold."""
    given = figure(app)
    return {
        judge["name"]: min(judge["steps"], key=lambda step, limit=limit: abs(step["epsilon"] - limit))
        for judge, limit in zip(given["judges"], given["threshold"], strict=True)
    }


def text(app):
    """Its words and what its boxes say."""
    return f"{reading.text(app)}\n{reading.boxes(app)}"


def test_the_figure_is_given_the_librarys_numbers_at_every_threshold(open_app):
    assert figure(open_app(PAGE, vote_tie="1.0"))["threshold"] == [1.0, 1.0], "an old link has one for all"
    app = open_app(PAGE, vote_tie="[0.9,1]")
    given = figure(app)
    assert [judge["name"] for judge in given["judges"]] == ["Atlas", "Boreas"]
    limits = [[step["epsilon"] for step in judge["steps"]] for judge in given["judges"]]
    assert (limits[0][:3], limits[1]) == ([0.0, 0.1, 0.2], [0.0, 1.0, 2.0, 3.0])
    for judge in given["judges"]:
        own = VOTES.by(judge["name"])
        assert judge["best"] == tk.votes.calibrate_threshold(own, VOTES.by("person")).epsilon
        for step in judge["steps"]:
            found = tk.votes.agreement(own, VOTES.by("person"), threshold=step["epsilon"])
            assert step["counts"] == found.counts.tolist()
            assert (step["withTies"], step["n"], step["nWithout"]) == (found.with_ties, found.n, found.n_without_ties)
    assert f"{now(app)['Atlas']['withTies']:.3f} {now(app)['Boreas']['withTies']:.3f}" == "0.651 0.491"


def test_the_bar_of_the_figure_only_rises():
    judges, shares = {name: VOTES.by(name) for name in ("Atlas", "Boreas")}, []
    FIGURES["judge_votes"].data(judges, VOTES.by("person"), "person", progress=shares.append)
    assert shares == sorted(shares)
    assert max(shares) <= 1


def test_a_lead_is_said_where_the_pages_own_interval_does_not_contain_0(open_app):
    given = figure(open_app(PAGE))
    atlas, boreas = (VOTES.by(name) for name in ("Atlas", "Boreas"))
    for ours, measure in (("withoutTies", "without_ties"), ("withTies", "with_ties")):
        for row, column in ((0, 0), (5, 0), (33, 1), (0, 2)):
            first, second = (
                judge["steps"][at]["epsilon"] for judge, at in zip(given["judges"], (row, column), strict=True)
            )
            limits = {"threshold": first, "against_threshold": second}
            found = tk.votes.agreement_interval(atlas, VOTES.by("person"), measure, against=boreas, **limits)
            sign = 1 if found.low > 0 else -1 if found.high < 0 else 0
            is_left = measure == "with_ties" or column < 2  # else one pair of votes is left, or none
            assert given["leads"][ours][row][column] == sign * is_left, (measure, limits)
    assert (given["leads"]["withoutTies"][0][0], given["leads"]["withTies"][0][0]) == (1, -1)  # the page's headline


def test_own_votes(open_app):
    app = open_app(PAGE, vote_source="my file")
    assert "The figure shows the bundled sample until a file of votes has been read." in text(app)
    app.file_uploader(key="upload votes").upload("mine.csv", OWN, "text/csv").run()
    assert not app.exception
    given = figure(app)
    assert given["human"] == "expert*"
    assert [step["epsilon"] for step in given["judges"][0]["steps"]] == [0.0]
    bot = now(app)["<b>bot</b>"]
    assert (bot["counts"], bot["n"], bot["nWithout"]) == ([[1, 0, 0], [1, 0, 0], [0, 0, 1]], 3, 2)
    assert (bot["withTies"], bot["withoutTies"], bot["kappa"]) == (2 / 3, 1.0, pytest.approx(1 / 2))


def test_all_that_is_computed_of_own_votes_has_a_place(open_app, monkeypatch):
    """What depends on the file is computed by `result_cache.compute`, with a bar and a button to stop."""
    own = OWN + b"1,A,B,tie,other bot\n2,A,B,model_a,other bot\n"
    computed, in_place, once = [], result_cache.Results._in_place, []

    def watch(self, key, job, compute):
        computed.append(key[0])
        return in_place(self, key, job, compute)

    monkeypatch.setattr(result_cache.Results, "_in_place", watch)
    monkeypatch.setattr(result_cache, "once", lambda key, make: once.append(key[0]) or make())
    app = open_app(PAGE, vote_source="my file")
    computed.clear(), once.clear()
    app.file_uploader(key="upload votes").upload("own.csv", own, "text/csv").run()
    assert not app.exception
    kinds = ["sides of votes", "judge votes", "vote measures", "vote difference", "vote checklist", "vote checklist"]
    assert (computed, once) == (kinds, [])
    assert len([code for code in app.code if code.value.startswith("Judge: ")]) == 2


def test_a_file_that_is_no_votes_is_refused_in_words(open_app):
    app = open_app(PAGE, vote_source="my file")

    def upload(name, content):
        app.file_uploader(key="upload votes").upload(name, content, "text/csv").run()
        assert not app.exception
        return text(app)

    assert "bad.csv, line 3: found 'both' in field 'winner'" in upload("bad.csv", OWN.replace(b"tie", b"both"))
    assert figure(app)["human"] == "person"
    head, row, *_ = OWN.splitlines()
    assert "All votes of this file are of one judge." in upload("alone.csv", b"\n".join([head, row, row]))
    assert any("1 of 2 votes are of the same item" in one.value for one in app.warning)
    silent = OWN.replace(b"model_a,<b>bot</b>", b",<b>bot</b>")
    assert "only abstentions are left" in upload("silent.csv", silent)


def test_code_that_a_refusal_names_makes_a_file_that_is_read_once_it_is_uploaded(open_app):
    app = open_app(PAGE, vote_source="my file")
    rows = [(n, "A", "B", "AB"[n % 2], "BA"[n % 3 == 0]) for n in range(30)]
    wide = pd.DataFrame(rows, columns=["question_id", "model_a", "model_b", "human", "gpt4"])

    def give(name, frame):
        app.file_uploader(key="upload votes").upload(name, frame.to_csv(index=False).encode(), "text/csv").run()
        assert not app.exception
        return [bare(one.value) for one in app.error]

    [told] = give("wide.csv", wide)
    assert told.endswith(
        "save the table that it makes, TABLE.to_csv('mine.csv', index=False), where FRAME is the table of the file, "
        "and upload that file"
    )
    step = re.search(
        r"if human, gpt4 are judges, pass (FRAME.*\))(?:;|, and)", told.partition("; what begins")[0] + ";"
    )[1]
    assert give("mine.csv", eval(step, {"FRAME": wide})) == []
    assert figure(app)["human"] == "human"


def test_more_judges_than_a_page_offers_are_refused_in_words(open_app):
    app = open_app(PAGE, vote_source="my file")
    head = OWN.splitlines()[0].decode()
    for name, number, told in (
        ("j{0}", MOST_JUDGES + 1, "20,001 judges; the page offers up to 20,000"),
        ("j{0}x", MOST_OFFERED + 1, "501 judges, where names that differ in a number count once; the page offers up"),
    ):
        rows = "\n".join(
            OWN.splitlines()[1].decode().replace("expert_1", name.format(place)) for place in range(number)
        )
        assert name.format(0) in rows
        app.file_uploader(key="upload votes").upload("many.csv", f"{head}\n{rows}".encode(), "text/csv").run()
        assert not app.exception
        assert f"These votes are of {told}" in text(app)


def test_both_judges_are_compared_by_every_measure_and_reported(open_app):
    app = open_app(PAGE, vote_tie="[0.9,0]")
    found = tk.votes.agreement_interval(
        VOTES.by("Atlas"), VOTES.by("person"), against=VOTES.by("Boreas"), threshold=0.9, against_threshold=0.0
    )
    assert f"Atlas minus Boreas is +{found.value:.3f}; the 95 % interval" in text(app)
    told = text(open_app(PAGE, vote_tie="[0,2]"))
    assert "**agreement without ties**: 1 pair of votes of Boreas is left, too few to compare." in told
    assert "**agreement with ties**: Atlas minus Boreas is" in told
    lists = [code.value for code in app.code if code.value.startswith("Judge: ")]
    assert lists == [
        tk.votes.checklist(VOTES.by(name), VOTES.by("person"), threshold=limit)
        for name, limit in (("Atlas", 0.9), ("Boreas", 0.0))
    ]


def test_cohens_kappa_is_that_of_the_table_on_the_screen(open_app):
    app = open_app(PAGE)
    found = reading.frame(app, "measure").set_index("measure").loc["Cohen's κ of the table above"]
    for name, judge in now(app).items():
        counts = np.array(judge["counts"], float)
        n, rows, columns = counts.sum(), counts.sum(axis=1), counts.sum(axis=0)
        chance = float(rows @ columns) / n**2
        assert f"{(np.trace(counts) / n - chance) / (1 - chance):.3f}" in found[name]
    assert "symmetrized κ counts a win and a loss alike" in "".join(one.value for one in app.caption)


def test_votes_that_one_judge_lacks_are_left_out_of_both_and_said(open_app, shown):
    app = open_app(PAGE, vote_orders="a disagreement is no vote")
    judges = [tk.votes.resolve_orders(VOTES.by(name), "omit") for name in ("Atlas", "Boreas")]
    cast = [{one.items[item] for item in one.item[~np.isnan(one.preference)]} for one in judges]
    lacking = [len((cast[0] | cast[1]) - each) for each in cast]
    common, total = len(cast[0] & cast[1]), len(cast[0] | cast[1])
    assert (
        f"Both judges are compared on {common} of {total} human votes: Atlas has no votes on {lacking[0]}; "
        f"Boreas has no votes on {lacking[1]}."
    ) in text(app)
    people = VOTES.by("person")
    assert people.n_abstained == 0
    compared = tk.votes.share_answers(judges)
    found = [tk.votes.agreement(one, people) for one in compared]
    assert [one.n for one in found] == [common, common]
    assert [now(app)[name]["withTies"] for name in ("Atlas", "Boreas")] == [one.with_ties for one in found]
    line = reading.frame(app, "measure").set_index("measure").loc["agreement with ties"]
    assert [line[name].removeprefix("★ ") for name in ("Atlas", "Boreas")] == [f"{one.with_ties:.3f}" for one in found]
    assert f"Atlas minus Boreas is {found[0].with_ties - found[1].with_ties:+.3f}" in text(app).replace("−", "-")
    for last in both(shown, "Votes of judges"):
        assert last.to_dict() == found[1].to_dict()
    assert "are compared on" not in text(open_app(PAGE))


def test_numbered_people_are_one_side():
    judges = ["author_1", "author_2", "expert_1", "expert_2", "expert_10", "gpt-4:pair-v2", "llama 3"]
    assert labels(judges) == ["author_1", "author_2", "expert*", "gpt-4:pair-v2", "llama 3"]
    assert labels(["one"]) == ["one"]
