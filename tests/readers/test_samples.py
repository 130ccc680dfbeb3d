"""Every sample is recognized as its own format and read by its answers."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import tiekit as tk
from tiekit.readers import FORMATS, recognize
from tiekit.readers._source import HEAD

SAMPLES = Path(__file__).parent / "samples"
NAMES = {
    "submission": "toy.seg.score toy2023.seg.score toy.sys.score toy2022.sys.score toy2025.tsv",
    "mqm_averages": "mqm_toy.avg_seg_scores.tsv",
    "mqm_ratings": "mqm_toy.tsv mqm_toy2024.tsv",
    "da_averages": "ad-seg-scores-qa-qb.csv",
    "summeval": "summeval_toy.jsonl",
    "huggingface": "toy_mqm.csv",
    "mateo": "comet.csv mateo-evaluation.tsv",
    "appraise": "appraise_esa.csv",
    "score_lines": "bleurt.txt sacrebleu.json sacrebleu_sl.txt",
    "comet": "comet.json comet_stdout.txt",
    "humeval": "humeval_2024.jsonl humeval_2025.jsonl",
    "pearmut": "pearmut_cesa.jsonl",
    "metricx": "metricx_evaluate.csv metricx_evaluate.jsonl metricx_predict.jsonl",
    "score_lists": "score_lists.json",
    "subset2evaluate": "subset2evaluate.jsonl",
}
FORMAT_OF = {name: kind for kind, names in NAMES.items() for name in names.split()}


@pytest.mark.filterwarnings("ignore:.*the severity 'critical' counts 0:tiekit.RoleWarning")
@pytest.mark.parametrize(("name", "expected"), FORMAT_OF.items())
def test_a_sample_is_recognized_asked_about_and_read(name, expected):
    files, chosen = {name: (SAMPLES / name).read_bytes()}, {}
    entry = recognize(files)
    assert entry is FORMATS[expected]
    for one in entry.questions(files, chosen):
        chosen[one.argument] = one.options[0]
    assert entry.call(files, chosen).startswith(f"tk.read({name!r}, format={expected!r}")
    if name == "sacrebleu.json":
        with pytest.raises(tk.ReadError, match="run sacrebleu with -sl"):
            entry.read(files, **chosen)
        return
    data = entry.read(files, **chosen)
    assert len(data.human) + len(data.metrics) >= 1
    assert data.segments
    assert data.digest
    assert data.notes or expected == "huggingface"


@pytest.mark.parametrize("name", FORMAT_OF)
@pytest.mark.parametrize("change", [lambda data: b"\xef\xbb\xbf" + data, lambda data: data.replace(b"\n", b"\r\n")])
def test_marks_and_line_ends_change_nothing(name, change):
    content = change((SAMPLES / name).read_bytes())
    assert recognize({name: content}).name == FORMAT_OF[name]
    assert len(content) < HEAD


@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("a.jsonl", b'{"question_id": 1, "model_a": "x", "model_b": "y", "winner": "tie"}'),
        ("a.json", b'{"system": "A", "gold": [1, 2], "m": [3, 5]}'),
        ("a.json", b'[{"system": "A", "segment": 1, "prediction": 2}]'),
        ("a.json", b'{"scores": "none"}'),
        ("a.json", b'["1", 2]'),
        ("a.csv", b"system,segment,human,prediction\n"),
        ("a.csv", b"a,b,c,d,e,f,g,h,i,j,k,l\n"),
        ("a.txt", b"score: good or bad\n"),
        ("a.seg.score", b"A 1\n"),
        ("a.tsv", b"A\tscore\n"),
        ("a.bin", bytes(range(256))),
    ],
)
def test_other_files_are_left_to_others(name, head):
    found = recognize({name: head})
    assert found is None or found.name not in NAMES


def lines(rows):
    return "".join(f"{row}\n" for row in rows).encode()


def cells(rows):
    """Each cell, segment by segment: its system, its number and its score."""
    return [(name, number, row[number]) for number in range(len(rows["s0"])) for name, row in rows.items()]


def objects(rows):
    return {name: [{"COMET": score} for score in row] for name, row in rows.items()}


WRITERS = {
    "comet": lambda rows: {"x.json": json.dumps(objects(rows)).encode()},
    "comet, indented": lambda rows: {"x.json": json.dumps(objects(rows), indent=3).encode()},
    "comet, printed": lambda rows: {"x.txt": lines(f"{s}\tSegment {n}\tscore: {x!r}" for s, n, x in cells(rows))},
    "score_lists": lambda rows: {"x.json": json.dumps(rows).encode()},
    "score_lists, null": lambda rows: {"x.json": json.dumps(rows).replace("NaN", "null").encode()},
    "score_lines": lambda rows: {f"{name}.txt": lines(map(repr, row)) for name, row in rows.items()},
    "metricx": lambda rows: {
        "x.jsonl": lines(
            json.dumps({"system": s, "segment_id": n, "hypothesis": "", "prediction": -x})
            for s, n, x in cells(rows)[::-1]
        )
    },
}


@pytest.mark.filterwarnings("ignore:.* scores are -?[89]")  # which may be drawn, and stand for missing ones elsewhere
@pytest.mark.parametrize("writer", WRITERS)
@given(arrays(np.float64, st.tuples(st.integers(1, 4), st.integers(1, 5)), elements=st.floats(-9, 9) | st.just(np.nan)))
def test_what_is_written_is_read(writer, scores):
    files = WRITERS[writer]({f"s{number}": row for number, row in enumerate(scores.tolist())})
    assert recognize(files) is FORMATS[writer.partition(",")[0]]
    data = tk.read(files)
    [found] = data.metrics.values()
    rows = [data.systems.index(f"s{number}") for number in range(len(scores))]
    columns = [data.segments.index(str(number + 1)) for number in range(scores.shape[1])]
    np.testing.assert_array_equal(found[np.ix_(rows, columns)], scores + 0.0)
