"""Chance alone raises no question about the order of an added metric's scores; what cannot be chance does."""

from dataclasses import replace

import numpy as np
import pytest

import tiekit as tk
from tiekit.errors import collect_warnings

NAMES, COUNTED = tuple("ABCDEFGHIJKLMNOP"), tuple(map(str, range(1, 101)))


def asked(data, scores):
    """What is asked where scores without texts are added to a set."""
    alone = tk.EvalSet("x", "", data.systems, data.segments, {}, {"mine": scores})
    with collect_warnings() as said:
        data.with_scores(alone)
    return [text for kind, text in said if kind in (tk.OrderWarning, tk.RoleWarning)]


def drawn(seed, systems=16, segments=100, noise=8.0):
    """A set with metrics that hardly agree, as those of summaries do, and an honest judge."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=(systems, segments))
    human, judge, *metrics = (quality + noise * rng.normal(size=quality.shape) for _ in range(9))
    names = tuple(f"M{number}" for number in range(systems))
    documents = tuple(f"dm-test-{number:04x}" for number in rng.permutation(2**16)[:segments])
    scores = {f"m{number}": found for number, found in enumerate(metrics)}
    return tk.EvalSet("drawn", "", names, documents, {"human": human}, scores, gold="human"), judge


@pytest.mark.parametrize("seed", range(8))
def test_chance_in_few_segments_is_no_other_order(seed):
    assert not asked(*drawn(seed))


def test_scores_like_those_of_people_that_no_metric_is_like_are_in_order():
    rng = np.random.default_rng(1)
    fluency, others = rng.normal(size=(16, 100)), rng.normal(size=(3, 16, 100))
    data = tk.EvalSet("x", "", NAMES, COUNTED, {"fluency": fluency, "content": others[0]}, {"m": others[1]})
    for gold in (None, "content"):
        assert not asked(replace(data, gold=gold), fluency + rng.normal(size=fluency.shape))
        [text] = asked(replace(data, gold=gold), np.sin(np.arange(1600)).reshape(16, 100))
        assert "is unrelated to every human score and metric of the set" in text


def test_chance_in_one_system_is_no_other_order():
    rng = np.random.default_rng(2)
    for _ in range(30):
        human = rng.normal(size=(1, 100))
        data = tk.EvalSet("x", "", ("A",), COUNTED, {"h": human}, {"m": human}, gold="h")
        scores = human + rng.normal(0, 20, human.shape)
        assert not [text for text in asked(data, scores) if "agrees better" in text]
        assert "if each score is that of the next segment (mean correlation" in asked(data, np.roll(human, -1, 1))[0]


def test_systems_that_differ_once_are_no_copies():
    scores = np.random.default_rng(3).normal(size=(4, 100))
    scores[3] = np.r_[scores[1, :99], 0]
    data = tk.EvalSet("x", "", tuple("ABCD"), COUNTED, {"h": scores}, {"m": scores}, gold="h")
    levels = (scores * 4).round()
    levels[3] = levels[1]
    assert not asked(data, levels)
    levels[2] = levels[1]
    assert "B and C have the same score in each of 100 segments" in asked(data, levels)[0]


@pytest.mark.real
def test_the_experts_of_summeval_and_judges_like_them_are_in_order(real_data):
    data = tk.read_table(real_data / "summeval" / "summeval.csv")
    rng = np.random.default_rng(1)
    for human in data.human.values():
        judges = (np.clip(np.round(human + rng.normal(0, spread, human.shape)), 1, 5) for spread in (0.3, 0.7, 1.2))
        assert not [
            text for found in (human, *judges) for text in asked(data, found) if "equals the human score" not in text
        ]


@pytest.mark.parametrize("by", [1, -1])
def test_a_system_that_is_moved_by_a_segment_is_named_in_few_segments_too(by):
    data, judge = drawn(1, noise=0.5)
    assert not asked(data, judge)
    judge[3] = np.roll(judge[3], by)
    [text] = asked(data, judge)
    assert "the scores of M3 (" in text


def test_a_metric_that_is_named_as_a_probe_is_asked_about_the_order():
    data = tk.load("wmt23", "en-de")
    for name, scores in (("my-random-forest", np.roll(data.metrics["COMET-refA"], -1, 1)), ("random", None)):
        drawn = np.random.default_rng(4).random((14, 557)) if scores is None else scores
        with collect_warnings() as said:
            data.with_scores(tk.EvalSet("x", "", data.systems, data.segments, {}, {name: drawn}))
        found = [text for kind, text in said if kind is tk.OrderWarning]
        assert len(found) == (scores is not None)
        assert all("if each score is that of the next segment" in text for text in found)


def test_of_many_metrics_it_is_said_how_many_were_not_asked_about():
    data, judge = drawn(4)
    for number, said in (
        (20, []),
        (22, ["the order of the last 2 of 22 metrics was not checked; add at most 20 at a"]),
    ):
        many = {f"n{place}": judge + place for place in range(number)}
        with collect_warnings() as found:
            data.with_scores(tk.EvalSet("x", "", data.systems, data.segments, {}, many))
        assert [text[:74] for kind, text in found if kind is tk.OrderWarning and "last" in text] == said
