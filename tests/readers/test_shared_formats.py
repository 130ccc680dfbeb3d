"""Forty small files, one of each format that people have: what each becomes, or the words of its refusal."""

import warnings
from pathlib import Path

import numpy as np
import pytest

import tiekit as tk
from tiekit.errors import collect_warnings
from tiekit.readers import FORMATS, read_table

pytestmark = pytest.mark.real

EN_DE_20 = {"language_pair": "en-de", "testset": "newstest2020", "reference": "newstest2020"}
JUDGES = {"scorer": "judge_model", "score": "judge_score"}

READ = {
    # name: arguments; format, systems and segments; human scores; metrics; a score, its system and segment; its value
    "COMET20.sys.score.gz": (EN_DE_20, "submission 16 1", "", "COMET", "COMET OPPO.1535 all", 0.5605857923721477),
    "TER20.seg.score": ({}, "submission 3 1418", "", "TER", "TER eTranslation.737 independent.281139:1", -0.4375),
    "TER20.seg.score.gz": ({}, "submission 3 1418", "", "TER", "TER eTranslation.737 independent.281139:2", -0.6667),
    "ad-seg-scores-en-de.csv": (
        {},
        "da_averages 1 399",
        "da da-z",
        "",
        "da PROMT_NMT.73 huffingtonpost.com.19334:8",
        71.5,
    ),
    "bleurt_scores.txt": ({}, "score_lines 1 2", "", "score", "score bleurt_scores 2", 0.55),
    "chrF.seg.score": ({}, "submission 2 2", "", "chrF-refA", "chrF-refA SysB 2", 50),
    "chrF_header.seg.score": ({}, "submission 2 2", "", "chrF-refA", "chrF-refA SysB 1", 40.2),
    "comet.json": ({}, "comet 2 2", "", "COMET", "COMET hyp2.txt 1", 0.31),
    "comet_stdout.txt": ({}, "comet 2 2", "", "COMET", "COMET hyp2.txt 1", 0.31),
    "esa_wave3.csv": ({}, "appraise 13 138", "esa", "", "esa CommandR-plus 22", 86),
    "hf_mqm.csv": ({"language_pair": "en-de"}, "huggingface 2 2", "mqm", "", "mqm SysB src1", -5),
    "id_human_judge.csv": ({}, "table 1 4", "human", "judge", "judge all q3", 2),
    "judge_long_long.csv": (JUDGES, "table 2 2", "human_score", "gpt claude", "claude B 1", 1),
    "judge_scores.csv": ({}, "table 2 2", "human", "gpt4", "gpt4 alpaca 82", 5),
    "labels.csv": ({"labels": {"bad": 0, "good": 1}}, "table 2 2", "human", "judge", "human B 1", 0),
    "mateo-evaluation.tsv": ({}, "mateo 2 1", "", "bleu chrf2 comet", "chrf2 hyp2 all", 82.9),
    "mateo_sentences.csv": ({}, "mateo 2 2", "", "mateo_sentences", "mateo_sentences hyp1.txt 2", 0.55),
    "metricx_eval.csv": ({}, "metricx 2 2", "label", "MetricX", "MetricX SysB 1", -4.25),
    "metricx_eval.jsonl": ({}, "metricx 2 2", "label", "MetricX", "label SysA 1", -1),
    "metricx_out.jsonl": ({}, "metricx 1 2", "", "MetricX", "MetricX metricx_out 2", -3.5),
    "model_annotations.aligned.jsonl": (
        {},
        "summeval 1 1",
        "coherence consistency fluency relevance",
        "",
        "relevance M11 dm-test-8764fb95bfad8ee849274873a92fb8d6b400eee2",
        5 / 3,
    ),
    "mqm_avg20.tsv": ({}, "mqm_averages 1 399", "mqm", "", "mqm eTranslation.737 6", -9.7),
    "mqm_avg21.tsv": ({}, "mqm_averages 1 399", "mqm", "", "mqm Facebook-AI 13", -5),
    "mqm_raw.tsv": ({}, "mqm_ratings 14 29", "mqm", "", "mqm HuaweiTSC 1", -5),
    "multi_rater.csv": ({"aggregate": "mean"}, "table 2 1", "human", "COMET", "human A 1", 70),
    "score_mqm_out.tsv": ({}, "mqm_averages 2 2", "mqm", "", "mqm HuaweiTSC talk.1:2", -0.5),
    "three_cols.csv": ({}, "table 1 4", "human_score", "judge_a judge_b", "judge_b all 3", 1),
    "two_cols.csv": ({}, "table 1 4", "human", "judge", "judge all 3", 2),
    "voicemos_train.csv": ({}, "table 2 4", "rating", "pred", "pred sys2 sys2-utt2.wav", 3.9),
    "wmt25_humeval.jsonl": (
        {},
        "humeval 2 1",
        "esa-human1 esa-human2 esa-merged",
        "",
        "esa-merged SysA news_#_blesk.cz.1_#_0",
        95,
    ),
    "wmt25_segments.tsv": (
        {"language_pair": "en-cs_CZ", "role": "human"},
        "submission 2 2",
        "esa",
        "",
        "esa SysB en-cs_CZ_#_news_#_a:2",
        75,
    ),
}

REFUSED = {
    # name: line, what is wrong, what to do next
    "2019-daRR.csv": (1, "says which of two texts is better", "read DArr-seglevel.csv of the same year with"),
    "DArr-seglevel.csv": (1, "says which of two translations is better", "use tiekit.readers.read_darr"),
    "ExpertAnnotations.txt": (1, "names no columns: '1' is a number", "put a line such as system, segment, human"),
    "judge_long_long.csv": (6, "found system 'A' and segment '1' again", "scorer='judge_model' and score=COLUMN"),
    "labels.csv": (2, "column 'human' holds labels, not numbers", "name the columns that do by human= and metrics="),
    "mtbench_votes.csv": (1, "holds votes between two outputs", "give one row per system and segment"),
    "mtbench_votes.jsonl": (1, "holds votes between two outputs", "give one row per system and segment"),
    "multi_rater.csv": (3, "column 'rater' tells such rows apart", 'pass aggregate="mean", which averages over'),
    "quote.tsv": (2, "in column 'human' is not a score", "expected a finite number, or None where it is missing"),
    "run.trec": (1, "is a run of a search engine", "join it with judgments to a table"),
    "sacrebleu_sl.json": (1, "is JSON with the score of a whole system", "run sacrebleu with -sl"),
    "voicemos_answer.txt": (1, "names no columns: '3.27' is a number", "put a line such as file, score"),
}

NO_READER = {
    *("appraise_esa_2023.csv", "autoj_output.jsonl", "autoj_testdata_pairwise.jsonl", "dict_of_dicts.json"),
    *("hf_evaluate_result.json", "pandalm_gpt_result.json", "pandalm_testset.json", "pearmut_contrastive.jsonl"),
    "wmt25_automatic_scores-SysA.jsonl",
}
"""Samples of formats that have no reader yet: other votes, nested results, contrastive collection, published scores."""

ASKED = {
    # name: the question, and one of the answers
    "COMET20.sys.score.gz": ("language_pair: COMET20.sys.score.gz holds several, ", "en-de"),
    "hf_mqm.csv": ("language_pair: hf_mqm.csv holds several, ", "zh-en"),
    "wmt25_segments.tsv": ("language_pair: wmt25_segments.tsv holds several, ", "en-uk_UA"),
}


@pytest.fixture
def formats(real_data: Path) -> Path:
    folder = real_data.parent / "formats"
    if not folder.is_dir():
        pytest.skip("needs the samples of formats beside the real files")
    return folder


def test_no_file_is_forgotten(formats):
    assert {path.name for path in formats.iterdir()} == READ.keys() | REFUSED.keys() | NO_READER


@pytest.mark.parametrize("name", READ)
def test_what_a_file_becomes(formats, name):
    choices, size, human, metrics, place, value = READ[name]
    kind, systems, segments = size.split()
    key, system, segment = place.split()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tk.RoleWarning)
        data = tk.read(formats / name, **choices)
        same = tk.read(formats / name, format=kind, **choices)
    assert (len(data.systems), len(data.segments)) == (int(systems), int(segments))
    assert (list(data.human), list(data.metrics)) == (human.split(), metrics.split())
    assert data.digest == same.digest
    assert data.notes[0].endswith(f"read as {FORMATS[kind].label}")
    matrix = {**data.human, **data.metrics}[key]
    np.testing.assert_allclose(matrix[data.systems.index(system), data.segments.index(segment)], value, rtol=1e-12)


@pytest.mark.parametrize("name", REFUSED)
def test_what_a_refusal_says(formats, name):
    line, wrong, what_to_do = REFUSED[name]
    with pytest.raises(tk.ReadError) as caught:
        tk.read(formats / name)
    message = str(caught.value)
    assert (caught.value.path, caught.value.line) == (str(formats / name), line)
    assert wrong in message
    assert what_to_do in message
    assert "\n" not in message


@pytest.mark.parametrize("name", ASKED)
def test_what_is_asked(formats, name):
    with pytest.raises(tk.InputError) as caught:
        tk.read(formats / name)
    assert all(words in str(caught.value) for words in ASKED[name])


def test_no_table_is_wrong_without_a_word(formats):
    """Files of other readers, too: read with human and metric scores, something guessed is said."""
    silent, refused, warnings_of = [], [], {}
    for path in sorted(formats.iterdir()):
        try:
            with collect_warnings() as said:
                data = read_table(path)
        except tk.ReadError as error:
            refused.append(error.path)
            continue
        warnings_of[path.name] = " ".join(text for _, text in said)
        assert {kind for kind, _ in said} <= {tk.RoleWarning}
        if data.human and data.metrics and not said:
            silent.append(path.name)
    assert silent == ["id_human_judge.csv", "three_cols.csv", "two_cols.csv", "voicemos_train.csv"]
    assert str(formats / "comet.json") in refused
    assert "left out turn (named" in warnings_of["judge_scores.csv"]
    assert "lower is better" in warnings_of["metricx_eval.csv"]
