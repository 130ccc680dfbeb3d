"""WMT25's automatic scores: a file per system, beside the human scores of the same year, and what is refused."""

from __future__ import annotations

import json

import numpy as np
import pytest

import tiekit as tk
from tiekit.readers import recognize

NAN = np.nan


def row(document="harbor.12", pair="cs-de_DE", domain="news", **scores):
    found = {"language_pair": pair, "domain": domain, "document_id": document, "metric_scores": scores}
    return json.dumps(found).encode() + b"\n"


FILES = {
    "Kite.jsonl": row(XCOMET=[0.5, 0.25], MetricX=[-1, None])
    + row("d2", XCOMET=[1], MetricX=[-2])
    + row(pair="cs-uk_UA", XCOMET=[1]),
    "Moth.jsonl": row(XCOMET=[0.75, 0.5], MetricX=[-3, -4]),
}


def test_the_systems_of_a_pair():
    data = tk.read(FILES, language_pair="cs-de_DE")
    assert (data.systems, data.documents) == (("Kite", "Moth"), ("harbor.12", "harbor.12", "d2"))
    assert data.segments == ("news_#_harbor.12_#_0", "news_#_harbor.12_#_1", "news_#_d2_#_0")
    np.testing.assert_array_equal(data.metrics["XCOMET"], [[0.5, 0.25, 1], [0.75, 0.5, NAN]])
    np.testing.assert_array_equal(data.metrics["MetricX"], [[-1, NAN, -2], [-3, -4, NAN]])
    entry = recognize(FILES)
    assert [one.options for one in entry.questions(FILES, {})] == [("cs-de_DE", "cs-uk_UA")]
    with pytest.raises(tk.InputError, match=r"language_pair: .* holds several, cs-de_DE, cs-uk_UA"):
        entry.read(FILES)


@pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")
def test_they_stand_beside_the_human_scores_of_the_year():
    human = tk.read("tests/readers/samples/humeval_2025.jsonl", language_pair="cs-de_DE")
    more = human.with_scores(FILES, language_pair="cs-de_DE")
    assert {"XCOMET", "MetricX"} <= set(more.metrics)
    place = more.segments.index("news_#_harbor.12_#_1"), more.systems.index("Moth")
    assert more.metrics["XCOMET"][place[1], place[0]] == 0.5


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"A.jsonl": row(X=[1]) * 2}, "A.jsonl, line 2: holds the document 'harbor.12' again"),
        ({"A.jsonl": row(X=[1], Y=[1, 2])}, r"line 1: has different numbers of scores of one document \(X 1, Y 2\)"),
        ({"A.jsonl": row(X=[1]), "B.jsonl": row(X=[1, 2])}, "B.jsonl: has 2 scores of the document 'harbor.12', other"),
        ({"A.jsonl": row(X=["good"])}, "line 1: 'good' is not a score"),
        ({"A.jsonl": row(X=1)}, "expected a list of scores for each metric"),
        ({"A.jsonl": row(X=[1]) + b'{"domain": "news"}\n'}, "line 2: has no field language_pair"),
    ],
)
def test_what_is_refused(files, words):
    with pytest.raises(tk.ReadError, match=words):
        tk.read(files)
    with pytest.raises(tk.InputError, match="both named 'A'"):
        tk.read({"a/A.jsonl": row(X=[1]), "b/A.jsonl": row(X=[1])})
