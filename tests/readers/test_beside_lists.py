"""What COMET's predict returns holds more than scores: these are taken, and the rest is named."""

from __future__ import annotations

import json

import numpy as np
import pytest

import tiekit as tk
from tests.readers.test_rows_of_objects import DATA, SCORES, SIZE, SYSTEMS


def prediction(scores, *, more):
    metadata = {"error_spans": [[{"text": "a", "severity": "minor"}]] * SIZE}
    metadata |= {"src_scores": (scores + 1).tolist()} if more else {}
    return {"scores": scores.tolist(), "system_score": float(scores.mean()), "metadata": metadata}


@pytest.mark.parametrize("more", [False, True])
@pytest.mark.parametrize("is_file", [False, True])
def test_a_prediction_of_each_system(more, is_file, tmp_path):
    source = {name: prediction(row, more=more) for name, row in zip(SYSTEMS, SCORES, strict=True)}
    (path := tmp_path / "x.json").write_text(json.dumps(source))
    found = DATA.with_scores(path if is_file else source, name="x")
    np.testing.assert_array_equal(found.metrics["x"], SCORES)


def test_a_metric_with_lists_of_its_own_is_not_left_out():
    source = {name: {"a": row.tolist(), "b": {"c": row.tolist()}} for name, row in zip(SYSTEMS, SCORES, strict=True)}
    with pytest.raises(tk.TiekitError):
        DATA.with_scores(source, name="x")
