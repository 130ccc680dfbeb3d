"""The guide: for all answers there is a number to report, with a reason and a source; a set answers for itself."""

import itertools
import tomllib

import numpy as np
import pytest

import tiekit as tk
from tiekit.measures import which_number
from tiekit.measures.guide import HEADINGS, questions
from tiekit.readers import data_file

GUIDE = tomllib.loads(data_file("guide.toml").read_text(encoding="utf-8"))
POSSIBLE = {name: list(answers) for name, (_, answers) in questions().items()}
ALL = [dict(zip(POSSIBLE, one, strict=True)) for one in itertools.product(*POSSIBLE.values())]


def test_every_combination_of_answers_has_exactly_one_number_to_report():
    held = set()
    for answers in ALL:
        advice = which_number(**answers)
        assert (advice.rules["role"] == "report").sum() == 1, answers
        assert dict(advice.answers) == answers
        text = advice.text
        for row in advice.rules.itertuples():
            rule = next(one for one in GUIDE["rules"] if one["number"] == row.number and one["why"] == row.why)
            assert all(answers[name] in few for name, few in rule["when"].items())
            assert row.url.startswith("https://")
            held.add(row.number)
            assert row.why in text
    assert held == {rule["number"] for rule in GUIDE["rules"]}


def test_every_rule_names_known_questions_answers_and_sources():
    for rule in GUIDE["rules"]:
        assert set(rule) == {"role", "number", "when", "why", "source"}
        assert rule["role"] in HEADINGS
        assert rule["source"] in GUIDE["sources"]
        for name, few in rule["when"].items():
            assert set(few) < set(POSSIBLE[name])
    assert {rule["source"] for rule in GUIDE["rules"]} == set(GUIDE["sources"])


def test_sources_are_those_of_the_bibliography():
    bib = tk.cite()
    known = [source for source in GUIDE["sources"].values() if source["url"].removeprefix("https://doi.org/") in bib]
    assert len(known) == len(GUIDE["sources"]) - 2  # two papers that no number of tiekit comes from


@pytest.mark.parametrize(
    ("share", "systems", "expected"),
    [
        (0, 1, ("none", "few")),
        (0.0199, 9, ("none", "few")),
        (0.02, 10, ("few", "many")),
        (0.1999, np.int64(50), ("few", "many")),
        (0.2, 10, ("many", "many")),
        (1.0, 10, ("many", "many")),
    ],
)
def test_numbers_are_answers(share, systems, expected):
    found = which_number(ties=share, systems=systems, groups="several", scales="both")
    assert (found.answers["ties"], found.answers["systems"]) == expected


def test_a_set_answers_for_itself():
    found = which_number(tk.load_wmt22())
    assert list(found.answers) == ["ties", "groups", "scales", "systems", "purpose"]
    assert list(found.answers.values()) == ["many", "several", "both", "many", "segments"]
    assert which_number(tk.load_wmt22(), ties="few").answers["ties"] == "few"
    one = tk.EvalSet("toy", "", ("A",), ("1", "2", "3"), {"h": [[1, 2, 3]]}, {"m": [[1, 2, 2]]})
    assert list(which_number(one).answers.values()) == ["none", "one", "discrete", "few", "segments"]
    floats = tk.EvalSet.from_arrays([[1, 2], [3, 3]], {"m": [[0.8, 0.6], [0.4, 0.9]]})
    assert which_number(floats).answers["scales"] == "continuous"  # four scores that differ are few, not discrete


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"ties": 2}, "ties: must be a share from 0 to 1, or none, few or many, found 2"),
        ({"ties": "some"}, "ties: must be one of none, few, many, found 'some'"),
        ({"systems": 0}, "systems: must be a whole number of at least 1, or few or many, found 0"),
        ({"systems": True}, "systems: must be a whole number"),
        ({"groups": None}, "groups: must be one of several, one, found nothing"),
        ({"purpose": "fun"}, "purpose: must be one of segments, systems, threshold, wmt, found 'fun'"),
        ({"data": [1]}, "data: must be an EvalSet, found list"),
    ],
)
def test_what_it_refuses(asked, message):
    usual = {"ties": 0.1, "groups": "several", "scales": "both", "systems": 12}
    with pytest.raises(tk.InputError, match=f"^{message}"):
        which_number(**{**usual, **asked})


def test_the_claim_about_thresholds_holds():
    """Without human ties calibration leaves every threshold at 0."""
    rng = np.random.default_rng(0)
    human = np.argsort(rng.random((9, 30)), axis=0).astype(float)
    found = tk.calibrate(human, human + rng.normal(scale=3, size=human.shape))
    assert (found.epsilon, found.value) == (0, found.value_at_zero)
