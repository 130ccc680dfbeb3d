"""Scores of systems or documents, or below whether they passed: a refusal prints the step that gives what is meant."""

import re

import numpy as np
import pandas as pd
import pytest

import tiekit as tk

DATA = tk.load("wmt22", "zh-en")
SCORES = DATA.metrics["COMET-20-refA"]
SYSTEMS = [name for name, row in zip(DATA.systems, SCORES, strict=True) if not np.isnan(row).any()]
COMET = SCORES[[DATA.systems.index(name) for name in SYSTEMS]]

pytestmark = pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")


def refused(source):
    with pytest.raises((tk.InputError, tk.ReadError)) as found:
        DATA.with_scores(source, name="x")
    return str(found.value)


@pytest.mark.parametrize("form", ["list", "frame"])
def test_whether_a_metric_passed_is_not_taken_for_its_scores(form):
    rows = [
        {
            "name": f"test_case_{at}",
            "system": system,
            "segment": segment,
            "success": score > 0.5,
            "metrics_data": [{"name": "GEval", "score": score, "threshold": 0.5, "success": score > 0.5}],
        }
        for system, scores in zip(SYSTEMS, COMET.tolist(), strict=True)
        for at, (segment, score) in enumerate(zip(DATA.segments[:50], scores, strict=False))
    ]
    source = pd.DataFrame(rows) if form == "frame" else rows
    step = re.search(r"in Python, pass (.*)$", refused(source))
    assert step
    found = DATA.with_scores(eval(step[1], {"source": source}), name="x").metrics["x"]
    np.testing.assert_array_equal(found[[DATA.systems.index(name) for name in SYSTEMS], :50], COMET[:, :50])


@pytest.mark.parametrize("form", ["dict", "frame"])
def test_scores_of_systems_alone_are_repeated_as_the_step_says(form):
    means = dict(zip(SYSTEMS, COMET.mean(axis=1).tolist(), strict=True))
    frame = pd.DataFrame({"system": SYSTEMS, "score": [*means.values()]})
    step = re.search(r"pass (pandas.*), where SCORES", refused(means if form == "dict" else frame))
    assert step
    more = DATA.with_scores(eval(step[1], {"pandas": pd, "data": DATA, "SCORES": means}), name="x")
    rows = more.metrics["x"][[DATA.systems.index(name) for name in SYSTEMS]]
    assert (rows == np.array([*means.values()])[:, None]).all()


@pytest.mark.parametrize("name", ["doc", "segment"])
def test_scores_of_documents_alone_are_repeated_as_the_step_says(name):
    documents = [*dict.fromkeys(DATA.documents)]
    rows = [(system, one, at + len(one) / 7) for at, system in enumerate(SYSTEMS) for one in documents]
    frame = pd.DataFrame(rows, columns=["system", name, "score"])
    step = re.search(r"pass (pandas.*), where COLUMN", refused(frame))
    assert step
    more = DATA.with_scores(eval(step[1], {"pandas": pd, "data": DATA, "FRAME": frame, "COLUMN": name}), name="x")
    for at, system in enumerate(SYSTEMS):
        expected = [at + len(one) / 7 for one in DATA.documents]
        assert more.metrics["x"][DATA.systems.index(system)].tolist() == expected
