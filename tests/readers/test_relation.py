"""Scores that have nothing to do with those of the set: documents in another order, scores of another set."""

import re

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tiekit.errors import OrderWarning, collect_warnings
from tiekit.readers._moves import mean_of
from tiekit.readers._relation import HARDLY, _relate

SETS = [("wmt22", "zh-en"), ("wmt23", "zh-en"), ("wmt23", "he-en"), ("wmt23", "en-de")]


def added(data, source, **how):
    with collect_warnings() as said:
        more = data.with_scores(source, name="mine", **how)
    return more.metrics["mine"], [text for kind, text in said if kind is OrderWarning]


def cells_of(data, scores, places, first=1):
    """The rows of a file whose segments are numbered as they stand."""
    systems = np.flatnonzero(~np.isnan(scores).all(axis=1))
    rows = [(data.systems[row], at + first, scores[row, place]) for row in systems for at, place in enumerate(places)]
    return pd.DataFrame(rows, columns=["system", "segment", "score"])


def by_name(data):
    return sorted(range(len(data.segments)), key=data.documents.__getitem__)


def follow(text, data, **given):
    """What a printed step gives, whose PLACES stand behind it."""
    step, _, places = text.partition("; if so, ")[2].partition(", where PLACES = ")
    names = {"pandas": pd, "data": data, **given}
    code = step.removeprefix("pass ").rpartition("frame['segment'] = ")[2]
    return eval(code, names | {"PLACES": eval(places, names)})


@pytest.mark.sampled(2)
@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize(
    ("name", "metric"), [*zip(SETS, ["COMET-22-refA", "chrF-refA", "COMET-refB", "CometKiwi-src"], strict=True)]
)
def test_documents_in_the_order_of_their_names_are_proposed(name, metric, first):
    data = tk.load(*name)
    scores = data.metrics[metric]
    frame = cells_of(data, scores, by_name(data), first)
    found, [text] = added(data, frame)
    assert "if its documents are in the order of their names" in text
    assert not np.array_equal(found, scores, equal_nan=True)
    found, said = added(data, frame.assign(segment=follow(text, data, frame=frame)))
    assert np.array_equal(found, scores, equal_nan=True)
    assert not said


def test_lists_of_documents_in_the_order_of_their_names_are_given_by_the_printed_step():
    data = tk.load("wmt23", "en-de")
    scores = data.metrics["CometKiwi-src"]
    lists = {
        name: row[by_name(data)].tolist() for name, row in zip(data.systems, scores, strict=True) if row[0] == row[0]
    }
    _, [text] = added(data, lists)
    found, said = added(data, follow(text, data, SCORES=lists))
    assert np.array_equal(found, scores, equal_nan=True)
    assert not said


@pytest.mark.sampled(2)
@pytest.mark.parametrize("metric", ["XCOMET-XXL-refA", "CometKiwi-src", "MetricX-23-QE-src"])
def test_documents_at_random_are_asked_about(metric):
    data, random = tk.load("wmt23", "en-de"), np.random.default_rng(3)
    order = dict(zip(dict.fromkeys(data.documents), random.permutation(len({*data.documents})), strict=False))
    places = sorted(range(len(data.segments)), key=lambda at: order[data.documents[at]])
    _, [text] = added(data, cells_of(data, data.metrics[metric], places))
    assert "hardly anything to do with the set's scores once the means of systems, documents and segments" in text
    assert text.endswith("are its scores in the order of the set's systems and segments?")


@pytest.mark.parametrize("metric", ["BLEU-refA", "chrF-refA"])
def test_scores_of_another_language_pair_are_asked_about(metric):
    other, data = tk.load("wmt23", "en-de"), tk.load("wmt23", "zh-en")
    _, [text] = added(data, cells_of(other, other.metrics[metric], range(len(other.segments))))
    assert "hardly anything to do with the set's scores" in text


def test_one_domain_numbered_by_itself_is_asked_about():
    data = tk.load("wmt23", "en-de")
    speech = [at for at, domain in enumerate(data.domains) if domain == "speech"]
    _, [text] = added(data, cells_of(data, data.metrics["chrF-refA"], speech))
    assert "hardly anything to do with the set's scores" in text


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", SETS)
def test_every_metric_of_the_sets_has_to_do_with_the_others(name):
    data, random = tk.load(*name), np.random.default_rng(7)
    groups = np.unique(data.documents, return_inverse=True)[1]
    size, some = len(data.segments), {key: one for key, one in data.metrics.items() if not key.startswith("Random")}
    for metric, scores in some.items():
        mean = mean_of((other for key, other in some.items() if key != metric), scores.shape)
        start = int(random.integers(size - 200))
        for part in [np.arange(size), np.arange(start, start + 200), np.sort(random.choice(size, 100, replace=False))]:
            for rows in (slice(None), slice(2, 4)):
                cells = np.s_[rows, part]
                found = _relate(scores[cells], mean[cells], groups[part])
                assert not found < HARDLY, (metric, rows, part[:2])
        if np.isnan(scores).all(axis=0).any():
            continue
        assert _relate(scores[:, by_name(data)], mean, groups) < HARDLY


def test_scores_that_are_all_the_same_are_no_other_order():
    data = tk.load("synthetic", "qaa-qab")
    assert not added(data, np.full((len(data.systems), len(data.segments)), 0.5))[1]


def test_a_set_whose_scores_hardly_agree_asks_nothing():
    random = np.random.default_rng(5)
    names, segments = tuple("ABCDEFGH"), tuple(map(str, range(1, 201)))
    made = {f"m{number}": random.normal(size=(8, 200)) for number in range(4)}
    data = tk.EvalSet("x", "", names, segments, {}, made)
    _, said = added(data, made["m0"] + random.normal(size=(8, 200)))
    assert not said


@pytest.mark.sampled(2)
@pytest.mark.parametrize("share", [0.8, 0.9, 0.95])
@pytest.mark.parametrize(
    ("name", "metric"), [(SETS[0], "COMET-22-refA"), (SETS[1], "BLEU-refA"), (SETS[2], "chrF-refB")]
)
def test_a_line_lost_late_is_told(name, metric, share):
    data = tk.load(*name)
    lost = int(share * len(data.segments))
    lists = {
        system: [*row[:lost], *row[lost + 1 :], np.nan]
        for system, row in zip(data.systems, data.metrics[metric], strict=True)
        if not np.isnan(row).all()
    }
    _, [text] = added(data, lists)
    if share > 0.8:
        assert "segments agree better with the mean of the set's scores if each is that of the next segment" in text
        assert text.endswith("is a line lost, or one too many, before them?")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("every", [5, 20, 100, 300])
@pytest.mark.parametrize(("name", "metric"), [(SETS[0], "COMET-20-refA"), (SETS[1], "CometKiwi-XL-src")])
def test_some_scores_in_per_cent_on_a_scale_that_goes_below_0_are_told(name, metric, every):
    data = tk.load(*name)
    scores = data.metrics[metric].copy()
    scores.flat[::every] *= 100
    with collect_warnings() as said:
        data.with_metric("mine", scores)
    [text] = [text for kind, text in said if kind is tk.RoleWarning]
    assert text.endswith("; divide them by 100 if they are in per cent, or write nan where they mean missing")
    with collect_warnings() as said:
        data.with_metric("mine", data.metrics[metric])
    assert not said


@pytest.mark.sampled(2)
@pytest.mark.parametrize("metric", ["COMET-refA", "chrF-refA"])
@pytest.mark.parametrize(
    ("places", "said"),
    [
        (lambda rows: np.roll(rows, -1, 1), "that of the next segment .*; if so, leave out the columns of texts and "),
        (lambda rows: rows[:, ::-1], "is that of the last segment"),
        (lambda rows: rows[[1, 0, *range(2, len(rows))]], "2 of 12 systems have scores like those of another"),
        (lambda rows: np.vstack([np.roll(rows[:1], 1, 1), rows[1:]]), "1 correlate less|moved by one segment"),
        (lambda rows: rows, ""),
    ],
)
def test_texts_beside_scores_prove_rows_and_no_scores(metric, places, said):
    data = tk.load("wmt23", "en-de")
    systems = [name for name in data.systems if name not in ("refA", "synthetic_ref")]
    scores = places(data.metrics[metric][[data.systems.index(name) for name in systems]])
    texts = [("word " * length)[: length - 1] + "." for length in data.lengths.sources]
    rows = [(name, *row) for name, of in zip(systems, scores, strict=True) for row in zip(texts, of, strict=True)]
    frame = pd.DataFrame(rows, columns=["system", "source", "score"])
    frame.insert(1, "segment", frame.groupby("system").cumcount() + 1)
    with collect_warnings() as told:
        more = data.with_scores(frame, name="mine")
    assert "verified by lengths of sources" in more.notes[-1]
    assert [kind for kind, _ in told if kind is not tk.LeftOutWarning] == [OrderWarning] * bool(said)
    assert not said or re.search(said, next(text for kind, text in told if kind is OrderWarning))
