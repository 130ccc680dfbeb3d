"""The page on judges that vote, without a browser: its figure has the library's numbers; scenes, uploads, errors."""

import json
import re
from tomllib import loads
from urllib.parse import parse_qsl

import pytest

import tiekit as tk
from tests.pages.test_show_code import both, shown  # noqa: F401
from tiekit.readers import data_file

PAGE = "12_LLM_as_a_judge"
SCENES = loads(data_file(f"scenes/{PAGE}.toml").read_text(encoding="utf-8"))["scene"]
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
    component = next(one for one in app.get("bidi_component") if one.proto.component_name == "judge_votes")
    return json.loads(component.proto.json)


def now(app):
    """Each judge's numbers at the slider's threshold."""
    given = figure(app)
    at = given["thresholds"].index(min(given["thresholds"], key=lambda one: abs(one - given["threshold"])))
    return {judge["name"]: judge["steps"][at] for judge in given["judges"]}


def text(app):
    return "\n".join(element.value for element in (*app.markdown, *app.info, *app.error, *app.warning)).replace(
        "\\", ""
    )


def numbers_of(found):
    """The numbers between 0 and 1 of a sentence, as they are written."""
    return set(re.findall(r"\b[01]\.\d{3}\b", found))


@pytest.mark.parametrize("number", range(len(SCENES)))
@pytest.mark.campaign
def test_each_scene_says_what_the_figure_shows(open_app, number):
    assert 6 <= len(SCENES) <= 8
    scene = SCENES[number]
    app = open_app(PAGE, **dict(parse_qsl(scene["link"])))
    assert not app.warning
    steps = [step for judge in figure(app)["judges"] for step in (judge["steps"][0], now(app)[judge["name"]])]
    values = {f"{step[name]:.3f}" for step in steps for name in ("withTies", "withoutTies") if step[name] is not None}
    assert numbers_of(scene["say"]) <= values
    pairs = {str(step[name]) for step in steps for name in ("n", "nWithout")}
    assert set(re.findall(r"\b\d{3}\b(?! %)", re.sub(r"\d\.\d+", "", scene["say"]))) <= pairs | {"233"}
    shares = {f"{100 * (1 - s['orders']['same'] / s['orders']['n']):.0f} %" for s in steps}
    shares |= {f"{100 * sum(row[1] for row in s['counts']) / s['n']:.0f} %" for s in steps}
    assert set(re.findall(r"\d+ %", scene["say"])) <= shares


def test_the_figure_is_given_the_librarys_numbers_at_every_threshold(open_app):
    app = open_app(PAGE, vote_tie="0.9")
    given = figure(app)
    assert [judge["name"] for judge in given["judges"]] == ["Atlas", "Boreas"]
    assert given["thresholds"][:3] == [0.0, 0.1, 0.2]
    for judge in given["judges"]:
        own = VOTES.by(judge["name"])
        assert judge["best"] == tk.votes.calibrate_threshold(own, VOTES.by("person")).epsilon
        for limit, step in zip(given["thresholds"], judge["steps"], strict=True):
            found = tk.votes.agreement(own, VOTES.by("person"), threshold=limit)
            assert step["counts"] == found.counts.tolist()
            assert (step["withTies"], step["n"], step["nWithout"]) == (found.with_ties, found.n, found.n_without_ties)
    assert "0.679" in f"{now(app)['Atlas']['withTies']:.3f}"


def test_a_damaged_link_is_said_and_the_page_opens(open_app):
    app = open_app(PAGE, vote_tie="-1")
    assert figure(app)["threshold"] == 0
    assert app.warning


def test_the_code_gives_the_numbers(open_app, shown):  # noqa: F811
    open_app(PAGE, vote_tie="0.9", vote_orders="a disagreement is a tie", vote_second="nobody")
    for found in both(shown, "Votes of judges"):
        one_vote = tk.votes.resolve_orders(VOTES.by("Atlas"), "tie")
        expected = tk.votes.agreement(one_vote, VOTES.by("person"), threshold=0.9)
        assert found.to_dict() == expected.to_dict()


def test_own_votes(open_app):
    app = open_app(PAGE, vote_source="my file")
    assert "The figure shows the bundled sample until a file of votes has been read." in text(app)
    app.file_uploader(key="upload votes").upload("mine.csv", OWN, "text/csv").run()
    assert not app.exception
    given = figure(app)
    assert given["human"] == "expert*"
    assert given["thresholds"] == [0.0]
    assert now(app)["<b>bot</b>"] | {"orders": None} == {
        "epsilon": 0.0,
        "counts": [[1, 0, 0], [1, 0, 0], [0, 0, 1]],
        "n": 3,
        "nWithout": 2,
        "withTies": 2 / 3,
        "withoutTies": 1.0,
        "kappa": pytest.approx((2 / 3 - 1 / 3) / (1 - 1 / 3)),
        "orders": None,
    }


def test_a_file_that_is_no_votes_is_refused_in_words(open_app):
    app = open_app(PAGE, vote_source="my file")
    app.file_uploader(key="upload votes").upload("bad.csv", OWN.replace(b"tie", b"both"), "text/csv").run()
    assert not app.exception
    assert "bad.csv, line 3: found 'both' in field 'winner'" in text(app)
    assert figure(app)["human"] == "person"
    alone = b"\n".join(OWN.splitlines()[:2])
    app.file_uploader(key="upload votes").upload("alone.csv", alone, "text/csv").run()
    assert not app.exception
    assert "All votes of this file are of one judge." in text(app)
    silent = OWN.replace(b"model_a,<b>bot</b>", b",<b>bot</b>")
    app.file_uploader(key="upload votes").upload("silent.csv", silent, "text/csv").run()
    assert not app.exception
    assert "only abstentions are left" in text(app)


def test_both_judges_are_compared_by_every_measure_and_reported(open_app):
    app = open_app(PAGE, vote_tie="0.9")
    found = tk.votes.agreement_interval(
        VOTES.by("Atlas"), VOTES.by("person"), against=VOTES.by("Boreas"), threshold=0.9, against_threshold=0.9
    )
    assert f"Atlas minus Boreas is +{found.value:.3f}; the 95 % interval" in text(app)
    lists = [code.value for code in app.code if code.value.startswith("Judge: ")]
    assert lists == [
        tk.votes.checklist(VOTES.by(name), VOTES.by("person"), threshold=0.9) for name in ("Atlas", "Boreas")
    ]
