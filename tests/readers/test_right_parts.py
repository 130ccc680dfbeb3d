"""Right scores of a part of a set are not doubted; moved, sorted or few ones are."""

import warnings

import numpy as np
import pandas as pd
import pytest

import tiekit as tk

MAY_COUNT = "may count the set's"


def _part(data, metric, kept, **more):
    rows = [
        (system, data.segments[place], data.metrics[metric][row, place], *(one[place] for one in more.values()))
        for row, system in enumerate(data.systems)
        for place in kept
    ]
    frame = pd.DataFrame(rows, columns=["system", "segment", "score", *more])
    return frame.assign(segment=frame["segment"].astype(int))


def _said(data, frame):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        data.with_scores(frame, name="mine")
    return [f"{one.category.__name__}: {one.message}" for one in told]


def _of_domain(data, name):
    return np.flatnonzero(np.asarray(data.domains) == name)


def test_a_domain_is_tried_in_orders_of_its_own_segments():
    data = tk.load("wmt22", "zh-en")
    frame = _part(data, "chrF-refA", _of_domain(data, "news"))
    assert not any("Order" in one for one in _said(data, frame))
    labels = sorted(set(frame["segment"]))
    as_text = dict(zip(sorted(labels, key=str), labels, strict=True))
    strong = _part(data, "COMET-22-refA", _of_domain(data, "news"))
    swapped = strong.assign(segment=strong["segment"].map(as_text))
    assert any("Order" in one for one in _said(data, swapped))


@pytest.mark.parametrize(("metric", "domain"), [("GEMBA-MQM-src", "news"), ("MetricX-23-c-refA", "user_review")])
def test_a_system_that_others_score_otherwise_in_a_domain_is_not_strange(metric, domain):
    data = tk.load("wmt23", "zh-en")
    assert not any("Order" in one for one in _said(data, _part(data, metric, _of_domain(data, domain))))


def test_numbers_are_doubted_where_neither_scores_nor_domains_show_whose_they_are():
    data = tk.load("wmt23", "en-de")
    strong, few = (_part(data, "COMET-refA", range(start, start + size)) for start, size in ((100, 200), (100, 20)))
    assert not any(MAY_COUNT in one for one in _said(data, strong))
    assert any(MAY_COUNT in one for one in _said(data, few))
    moved = strong.assign(segment=strong["segment"] - 1)
    assert any(MAY_COUNT in one for one in _said(data, moved))
    social = _of_domain(data, "social")
    random = "Random-sysname-src"
    assert any(MAY_COUNT in one for one in _said(data, _part(data, random, social)))
    proven = _part(data, random, social, domain=data.domains)
    assert not any(MAY_COUNT in one for one in _said(data, proven))
    inside = _part(data, random, social[5:50], domain=data.domains)
    assert any(MAY_COUNT in one for one in _said(data, inside))
    first = _of_domain(data, data.domains[0])
    lines = "are those of lines"
    assert any(lines in one for one in _said(data, _part(data, random, first)))
    assert not any(lines in one for one in _said(data, _part(data, random, first, domain=data.domains)))
