"""Files of tools and of human evaluations: each is recognized as its own format, and its entry reads it."""

from pathlib import Path

import pytest

from tiekit.errors import ReadError
from tiekit.readers import recognize
from tiekit.readers._source import HEAD

SAMPLES = Path(__file__).parent / "samples"
FORMATS = {
    "appraise_esa.csv": "appraise",
    "bleurt.txt": "score_lines",
    "comet.json": "comet",
    "comet_stdout.txt": "comet",
    "humeval_2024.jsonl": "humeval",
    "humeval_2025.jsonl": "humeval",
    "metricx_evaluate.csv": "metricx",
    "metricx_evaluate.jsonl": "metricx",
    "metricx_predict.jsonl": "metricx",
    "sacrebleu.json": "score_lines",
    "sacrebleu_sl.txt": "score_lines",
    "score_lists.json": "score_lists",
    "subset2evaluate.jsonl": "subset2evaluate",
}
SHARED = {
    "appraise_esa_2023.csv": "appraise",
    "bleurt_scores.txt": "score_lines",
    "comet.json": "comet",
    "comet_stdout.txt": "comet",
    "esa_wave3.csv": "appraise",
    "metricx_eval.csv": "metricx",
    "metricx_eval.jsonl": "metricx",
    "metricx_out.jsonl": "metricx",
    "sacrebleu_sl.json": "score_lines",
    "wmt25_humeval.jsonl": "humeval",
}
OURS = set(FORMATS.values())


@pytest.mark.parametrize(("name", "expected"), FORMATS.items())
def test_a_sample_is_recognized_asked_about_and_read(name, expected):
    content = (SAMPLES / name).read_bytes()
    entry = recognize({name: content})
    assert entry.name == expected
    chosen = {}
    for question in entry.questions({name: content}, chosen):
        chosen[question.argument] = question.options[0]
    assert entry.call({name: content}, chosen).startswith(f"tk.read('{name}', format='{expected}'")
    if name == "sacrebleu.json":
        with pytest.raises(ReadError, match="run sacrebleu with -sl"):
            entry.read({name: content}, **chosen)
    else:
        data = entry.read({name: content}, **chosen)
        assert data.segments
        assert data.notes
        assert data.language_pair == chosen.get("language_pair", "")


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("change", [lambda data: b"\xef\xbb\xbf" + data, lambda data: data.replace(b"\n", b"\r\n")])
def test_marks_and_line_ends_change_nothing(name, change):
    content = change((SAMPLES / name).read_bytes())
    assert recognize({name: content}).name == FORMATS[name]
    assert len(content) < HEAD


@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("a.jsonl", b'{"id": "dm-1", "decoded": "x", "expert_annotations": [{"coherence": 2}], "model_id": "M1"}'),
        ("a.jsonl", b'{"question_id": 1, "model_a": "x", "model_b": "y", "winner": "tie"}'),
        ("a.json", b'{"system": "A", "gold": [1, 2], "m": [3, 5]}'),
        ("a.json", b'[{"system": "A", "segment": 1, "prediction": 2}]'),
        ("a.json", b'{"scores": "none"}'),
        ("a.json", b"[1, 2]"),
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
    assert found is None or found.name not in OURS


@pytest.mark.real
def test_shared_samples(real_data):
    found = {}
    for path in sorted((real_data.parent / "formats").iterdir()):
        entry = recognize({path.name: path.read_bytes()})
        if entry is not None and entry.name in OURS:
            found[path.name] = entry.name
    assert found == SHARED
