"""Scores of failures: zeros apart from all others, a run that stopped, a system that got one score."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tiekit.base.names import is_reference
from tiekit.errors import RoleWarning, collect_warnings
from tiekit.readers._failures import find_apart, find_stopped, find_tenfold, find_unrated, find_zeros

SETS = [("wmt22", "zh-en"), ("wmt23", "zh-en"), ("wmt23", "he-en"), ("wmt23", "en-de")]


def asked(data, scores):
    with collect_warnings() as said:
        more = data.with_scores(tk.EvalSet("x", "", data.systems, data.segments, {}, {"m": scores}))
    return more, [text for kind, text in said if kind is RoleWarning]


@pytest.fixture(scope="module")
def data():
    return tk.load("wmt23", "en-de")


@pytest.mark.parametrize(
    ("place", "value", "told"),
    [
        (np.index_exp[::3, ::10], 0, "224 of 7,241 scores are 0, of "),
        (np.index_exp[2, 446:], 0, "111 of 7,241 scores are 0, of Lan-BridgeMT, the others 0.212251 to "),
        (np.index_exp[2], 0.5, "557 of 7,241 scores are 0.5, of Lan-BridgeMT, the others 0.212251 to "),
        (np.index_exp[[2, 4], 400:], 0.5, "314 of 7,241 scores are 0.5, of Lan-BridgeMT, NLLB_MBR_BLEU, the others "),
    ],
)
def test_zeros_and_one_score_to_the_end_are_asked_about(data, place, value, told):
    scores = data.metrics["COMET-refA"].copy()
    scores[place] = np.where(np.isnan(scores[place]), np.nan, value)
    more, [text] = asked(data, scores)
    assert text.startswith(f"m: {told}")
    step = text.partition("or go on with ")[2]
    with collect_warnings() as said:
        mended = eval(step, {"data": more, "numpy": np})
    assert not [text for _, text in said if "write nan" in text]
    assert np.isnan(mended.metrics["m-2"][place]).all()


def test_zeros_of_a_scale_that_has_them_and_of_all_systems_are_scores(data):
    scores = data.metrics["COMET-refA"]
    near = np.where(np.arange(557) % 10 == 0, 0, scores - np.nanmin(scores) + 1e-3)
    every = np.where(np.arange(557) > 500, 0, scores)
    assert not find_zeros(np.where(np.isnan(scores), np.nan, near)).any()
    assert not find_zeros(every).any()
    assert not find_stopped(data.systems, every).any()
    assert find_zeros(
        scores - 0.8 + np.where(np.arange(557) % 10 == np.arange(14)[:, None] % 10, 0.8 - scores, 0)
    ).any()


@pytest.mark.parametrize("name", SETS)
def test_no_scores_that_come_along_are_of_failures(name):
    data = tk.load(*name)
    for matrix in [*data.metrics.values(), *data.human.values()]:
        for part in (matrix, matrix[:, :100], matrix[:, -200:]):
            assert not find_zeros(part).any()
            assert not find_unrated(part, ()).any()
            assert not find_stopped(data.systems, part).any()
            assert not find_apart(data.systems, part)


@pytest.mark.parametrize(
    ("metric", "rows", "others"), [("BERTscore-refA", [1], None), ("COMET-refA", [2, 5, 7], "chrF-refA")]
)
def test_systems_whose_scores_are_those_of_another_metric_or_sign_are_asked_about(data, metric, rows, others):
    scores = data.metrics[metric].copy()
    scores[rows] = -scores[rows] if others is None else data.metrics[others][rows] / 10 + 1
    _, [text] = asked(data, scores)
    names = ", ".join(data.systems[row] for row in rows)
    assert f"those of {names} hardly overlap with them; give all of one metric, with one sign and scale" in text


def on_scale(scores, low, step, least=0.001):
    """Scores of a judge who gives whole numbers up to 100."""
    low_end, high_end = np.nanquantile(scores, (least, 1))
    return low + np.round(np.clip((scores - low_end) / (high_end - low_end), 0, 1) * (100 - low) / step) * step


@pytest.mark.sampled(5)
@pytest.mark.parametrize("way", ["read", "with_scores"])
@pytest.mark.parametrize("share", [0.02, 0.15])
@pytest.mark.parametrize(("low", "step"), [(20, 1), (10, 5), (30, 10)])
def test_zeros_of_a_judge_with_whole_numbers_are_asked_about(low, step, share, way):
    data = tk.load("wmt23", "zh-en")
    wanted = on_scale(data.metrics["COMET-refA"], low, step)
    wanted[np.random.default_rng(3).random(wanted.shape) < share] = np.nan
    marked = np.where(np.isnan(wanted) & ~np.isnan(data.metrics["COMET-refA"]), 0, wanted)
    if way == "read":
        rows, columns = np.nonzero(~np.isnan(data.human["mqm"]))
        frame = pd.DataFrame(
            {"system": np.array(data.systems)[rows], "segment": columns + 1, "m": marked[rows, columns]}
        )
        frame = frame.assign(
            **{
                key: of[key][rows, columns]
                for of in (data.human, data.metrics)
                for key in ("mqm", "chrF-refA")
                if key in of
            }
        )
        with collect_warnings() as said:
            more = tk.read(frame, human="mqm")
        told = [text for _, text in said]
    else:
        more, told = asked(data, marked)
    [text] = [text for text in told if "the others" in text]
    assert f"scores are 0, the others {low} to 100; write nan if it means missing" in text
    with collect_warnings():
        mended = eval(text.partition("or go on with ")[2], {"data": more, "numpy": np})
    place = [data.systems.index(name) for name in mended.systems]
    labels = [int(label) - 1 for label in mended.segments] if way == "read" else slice(None)
    known = ~np.isnan(more.metrics["m"])
    np.testing.assert_array_equal(mended.metrics["m-2"][known], wanted[place][:, labels][known])


@pytest.mark.parametrize("name", SETS)
def test_no_judge_with_true_zeros_is_asked_about(name):
    data = tk.load(*name)
    for metric, scores in data.metrics.items():
        others = [one for key, one in data.metrics.items() if key != metric]
        every = [*others, *data.human.values()]
        known = ~np.isnan(scores)
        ranks = np.full(scores.shape, np.nan)
        ranks[known] = np.argsort(np.argsort(scores[known], kind="stable"), kind="stable") / known.sum()
        low, high = np.nanquantile(scores, (0.01, 1))
        scales = [scores, np.round(np.clip((scores - low) / (high - low), 0, 1) * 50)]
        for share in (0.02, 0.15):
            scales += [np.where(ranks < share, 0, np.ceil((ranks - share) / (1 - share) * end)) for end in (5, 20, 100)]
        gold = data.human[data.gold]
        judges = every, [others[0], gold], others[-2:], [gold], others[:1]
        for at, scale in enumerate(scales):
            assert not find_zeros(scale, judges[(at + len(metric)) % len(judges)]).any()


@pytest.mark.parametrize("share", [0.05, 0.1])
@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("step", [1, 0.01])
def test_answers_on_a_scale_of_100_among_those_on_one_of_10_are_asked_about(step, lower, share):
    data = tk.load("wmt23", "zh-en")
    wanted = on_scale(data.metrics["COMET-refA"], 0, 10 * step) / 10
    wanted = 10 - wanted if lower else wanted
    marked = np.where(np.random.default_rng(5).random(wanted.shape) < share, 10 * wanted, wanted)
    with collect_warnings() as said:
        more = data.with_scores(dict(zip(data.systems, marked, strict=True)), name="m", lower_is_better=lower)
    [text] = [text for kind, text in said if "the others" in text]
    assert "to 100, the others 0 to 10; divide them by 10 if they are on a scale of 100, or go on with" in text
    with collect_warnings():
        mended = eval(text.partition("or go on with ")[2], {"data": more, "numpy": np})
    np.testing.assert_allclose(np.abs(mended.metrics["m-2"]), np.where(marked > 10, wanted, marked), rtol=1e-12)


@pytest.mark.parametrize("name", SETS)
def test_no_skewed_metric_is_taken_for_answers_on_two_scales(name):
    data = tk.load(*name)
    for metric, scores in {**data.metrics, **data.human}.items():
        judges = [one for key, one in {**data.metrics, **data.human}.items() if key != metric]
        low, high = np.nanquantile(scores, (0.001, 1))
        part = np.clip((scores - low) / (high - low), 0, 1)
        middle = np.nanquantile(part, (0.55, 0.7, 0.9, 0.97)[len(metric) % 4])
        skewed = 100 * part ** (np.log(0.1) / np.log(middle)) if 0 < middle < 1 else 100 * part
        for scale in (skewed, np.ceil(skewed), 10 * part):
            assert not find_tenfold(scale, judges).any()


def test_references_by_their_names():
    assert all(map(is_reference, ["refA", "ref", "ref_B", "reference", "Human", "human-A", "gold", "synthetic_ref"]))
    assert not any(map(is_reference, ["AIRC", "Human-like", "refine", "goldfish", "ONLINE-A", "preference", ""]))


def ratings_of(data, low, high, step):
    """Ratings on a scale, made of the set's human scores."""
    scores = data.human["mqm"]
    least, most = np.nanquantile(scores, (0.02, 1))
    return low + np.round(np.clip((scores - least) / (most - least), 0, 1) * (high - low) / step) * step


@pytest.mark.sampled(3)
@pytest.mark.parametrize("share", [0.02, 0.1])
@pytest.mark.parametrize("way", ["read", "with_human"])
@pytest.mark.parametrize(
    ("low", "high", "step", "code"),
    [(1, 5, 1, 0), (1, 5, 1 / 3, 0), (1, 7, 1, 0), (1, 100, 1, 0), (10, 100, 1, 0), (20, 100, 5, 0), (1, 5, 1, 9)],
)
def test_ratings_of_0_or_9_that_stand_for_none_are_asked_about(low, high, step, code, way, share):
    data = tk.load("wmt23", "zh-en")
    data = replace(data, metrics={name: data.metrics[name] for name in ("COMET-refA", "chrF-refA")})
    wanted = ratings_of(data, low, high, step)
    wanted[np.random.default_rng(1).random(wanted.shape) < share] = np.nan
    rows, columns = np.nonzero(~np.isnan(data.human["mqm"]))
    marked = np.where(np.isnan(wanted), code, wanted)[rows, columns]
    frame = pd.DataFrame({"system": np.array(data.systems)[rows], "segment": columns + 1, "rating": marked})
    more = frame.assign(COMET=data.metrics["COMET-refA"][rows, columns], chrF=data.metrics["chrF-refA"][rows, columns])
    with collect_warnings() as said:
        read = tk.read(more, human="rating") if way == "read" else data.with_human(frame, name="rating")
    [text] = [text for _, text in said if "the others" in text]
    told = f"scores are {code}, the others {low} to {high}; write nan if it means missing (if {code} is a rating"
    assert told in text
    with collect_warnings():
        mended = eval(text.partition("or go on with ")[2], {"data": read, "numpy": np})
    place = [read.systems.index(name) for name in data.systems if name in read.systems]
    known = [row for row, name in enumerate(data.systems) if name in read.systems]
    labels = [int(label) - 1 for label in read.segments] if way == "read" else slice(None)
    np.testing.assert_array_equal(mended.human["rating-2"][place], wanted[known][:, labels])


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("levels", [2, 5, 6, 7, 11, 101])
def test_zeros_of_scales_that_begin_with_them_are_ratings(name, levels):
    data = tk.load(*name)
    for scores in data.human.values():
        known = ~np.isnan(scores)
        for share in (0.02, 0.05):
            ranks = np.full(scores.shape, np.nan)
            ranks[known] = np.argsort(np.argsort(scores[known])) / known.sum()
            ratings = np.where(ranks < share, 0, np.ceil((ranks - share) / (1 - share) * (levels - 1)))
            for metrics in (data.metrics.values(), [*data.metrics.values()][:1], ()):
                assert not find_unrated(ratings, metrics).any()
                assert not find_unrated(levels - 1 - ratings, metrics).any()
