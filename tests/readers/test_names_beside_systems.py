"""Where the set's systems are columns, a column that holds names of systems, such as the best one, is left out."""

import io
from itertools import product

import numpy as np
import pandas as pd
import pytest

import tiekit as tk

SYSTEMS = ("GPT-4o", "DeepL", "NLLB-3.3B", "Claude 3.5")
SIZE = 40
SCORES = np.round(np.random.default_rng(3).normal(size=(4, SIZE)), 4)
ORDER = np.random.default_rng(4).permutation(SIZE)
BEST, WORST = ([SYSTEMS[row] for row in places] for places in (SCORES.argmax(0), SCORES.argmin(0)))


@pytest.fixture
def data():
    gold = np.round(SCORES + 1)
    return tk.EvalSet("toy", "", SYSTEMS, tuple(map(str, range(1, SIZE + 1))), {"mqm": gold}, {"m": gold}, gold="mqm")


def wide(columns, order, first=True, segment="Segment"):
    frame = pd.DataFrame(dict(zip(SYSTEMS, SCORES, strict=True))).assign(**columns)
    if segment:
        frame.insert(0 if first else frame.shape[1], segment, range(1, SIZE + 1))
    return frame.iloc[order].reset_index(drop=True)


def contents(frame, ending):
    if ending == "csv":
        return {"w.csv": frame.to_csv(index=False).encode()}
    kept = io.BytesIO()
    frame.to_excel(kept, index=False)
    return {"w.xlsx": kept.getvalue()}


@pytest.mark.parametrize("ending", ["csv", "xlsx", "frame"])
def test_columns_are_the_systems(data, ending):
    more = [{"best": BEST}, {"winner": BEST, "worst system": WORST}, {"best": [SYSTEMS[1]] * SIZE}]
    for columns, segment in product(more, ("Segment", "no", "")):
        frame = wide(columns, ORDER if segment else np.arange(SIZE), segment=segment)
        source = frame if ending == "frame" else contents(frame, ending)
        for added in (data.with_scores(source), data.with_scores(source, name="x"), data.with_human(source, name="x")):
            [found] = [one for key, one in {**added.metrics, **added.human}.items() if key not in ("m", "mqm")]
            np.testing.assert_array_equal(found, SCORES)
            left = [note for note in added.notes if "(names of systems, which are columns)." in note]
            assert len(left) == (len({*next(iter(columns.values()))}) > 1)
            assert all(repr(name) in note for name in columns for note in left)


def test_a_mean_beside_them_is_told(data):
    source = contents(wide({"best": BEST, "mean": SCORES.mean(0)}, ORDER), "csv")
    with pytest.warns(tk.LeftOutWarning, match="the set does not have the systems mean"):
        added = data.with_scores(source, name="x")
    np.testing.assert_array_equal(added.metrics["x"], SCORES)


def test_judges_that_are_systems_stay_metrics(data):
    """A row for each system and segment, with a column of scores of each judge."""
    rows = [{"mt": x, "segment": place + 1} for x, place in product(SYSTEMS, range(SIZE))]
    frame = pd.DataFrame(rows)
    for row, name in enumerate(SYSTEMS):
        frame[name] = np.roll(SCORES, row, axis=0).ravel()
    added = data.with_scores(frame.sample(frac=1, random_state=1).reset_index(drop=True))
    for row, name in enumerate(SYSTEMS):
        np.testing.assert_array_equal(added.metrics[name], np.roll(SCORES, row, axis=0))
