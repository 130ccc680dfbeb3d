"""Every sample is recognized as its own format, and damaged ones are read or refused, never worse."""

import contextlib
import random
import time
import warnings
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from tests.strategies import examples
from tiekit.readers import FORMATS, read_darr, recognize

SAMPLES = Path(__file__).parent / "samples"
FORMAT_OF = {
    "toy.seg.score": "submission",
    "toy2023.seg.score": "submission",
    "toy.sys.score": "submission",
    "toy2022.sys.score": "submission",
    "toy2025.tsv": "submission",
    "mqm_toy.avg_seg_scores.tsv": "mqm_averages",
    "mqm_toy.tsv": "mqm_ratings",
    "mqm_toy2024.tsv": "mqm_ratings",
    "ad-seg-scores-qa-qb.csv": "da_averages",
    "summeval_toy.jsonl": "summeval",
    "toy_mqm.csv": "huggingface",
    "comet.csv": "mateo",
    "mateo-evaluation.tsv": "mateo",
}
SHARED = {
    "chrF.seg.score": "submission",
    "chrF_header.seg.score": "submission",
    "TER20.seg.score": "submission",
    "TER20.seg.score.gz": "submission",
    "COMET20.sys.score.gz": "submission",
    "wmt25_segments.tsv": "submission",
    "mqm_avg20.tsv": "mqm_averages",
    "mqm_avg21.tsv": "mqm_averages",
    "mqm_raw.tsv": "mqm_ratings",
    "score_mqm_out.tsv": "mqm_averages",
    "ad-seg-scores-en-de.csv": "da_averages",
    "model_annotations.aligned.jsonl": "summeval",
    "hf_mqm.csv": "huggingface",
    "mateo_sentences.csv": "mateo",
    "mateo-evaluation.tsv": "mateo",
}
PIECES = [
    b"",
    b"\t",
    b"\n",
    b" ",
    b",",
    b'"',
    b"\0",
    b"\xff",
    b"-",
    b"nan",
    b"1e999",
    b"x" * 3000,
    b"9" * 3000,
    b"{",
    b"_",
]


@pytest.mark.parametrize("name", FORMAT_OF)
def test_every_sample_is_recognized_and_read_by_its_answers(name):
    files, chosen = {name: (SAMPLES / name).read_bytes()}, {}
    entry = recognize(files)
    assert entry is FORMATS[FORMAT_OF[name]]
    for one in entry.questions(files, chosen):
        chosen[one.argument] = one.options[0]
    data = entry.read(files, **chosen)
    assert len(data.human) + len(data.metrics) >= 1
    assert data.notes or entry.name == "huggingface"
    assert data.digest
    assert entry.call(files, chosen).startswith(f"tk.read({name!r}, format={entry.name!r}")


@pytest.mark.real
def test_the_shared_samples_of_other_formats_are_left_alone(real_data):
    found = {}
    for path in (real_data.parent / "formats").iterdir():
        entry = recognize({path.name: path.read_bytes()})
        if entry is not None and entry.name in FORMAT_OF.values():
            found[path.name] = entry.name
    assert found == SHARED


def damaged(content, rng):
    for _ in range(rng.randint(1, 4)):
        start = rng.randrange(len(content) + 1)
        stop = min(len(content), start + rng.choice([0, 1, 5, 200]))
        content = content[:start] + rng.choice([*PIECES, content[: rng.randrange(300)]]) + content[stop:]
    return content


@examples(40)
@given(st.sampled_from([*FORMAT_OF, "DArr-toy.csv"]), st.integers(0, 10**9))
def test_damaged_samples_are_read_or_refused(name, seed):
    files, chosen = {name: damaged((SAMPLES / name).read_bytes(), random.Random(seed))}, {}
    entry = FORMATS.get(FORMAT_OF.get(name, ""))
    start = time.perf_counter()
    with contextlib.suppress(tk.ReadError, tk.InputError), warnings.catch_warnings():
        warnings.simplefilter("ignore", tk.TiekitWarning)
        if entry is None:
            assert read_darr(files).n_sets >= 0
        else:
            for one in entry.questions(files, chosen):
                chosen[one.argument] = one.options[-1]
            assert isinstance(entry.read(files, **chosen), tk.EvalSet)
    assert time.perf_counter() - start < 1
