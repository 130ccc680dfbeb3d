"""Metrics of one's own in an official ranking: which file is of which language pair, and what it does not score."""

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tests.official.test_ranking import FOLDER, RULES, score_file
from tiekit.official import official_ranking
from tiekit.official.selection import pair_of, sort_added

PAIRS = ("aa-bb", "cc-dd", "ee-ff")
PLACES = ("mine.aa_bb.seg.score", "cc-dd/mine.seg.score", "EE-FF.seg.score")
MINE = {pair: FOLDER[f"toy/metric-scores/{pair}/Q-src.seg.score"] for pair in PAIRS}
FILES = {name: score_file(scores) for name, scores in FOLDER.items()}


@pytest.fixture
def rank(tmp_path):
    """Rank the files of the toy folder by its rules, without a test."""
    file = tmp_path / "toy.toml"
    file.write_text(RULES)
    return lambda **asked: official_ranking(FILES, file, compare=False, **asked)


@pytest.fixture
def mine(tmp_path):
    """A folder with one file per language pair, named in three ways, and a file of system scores."""
    folder = tmp_path / "scores"
    (folder / "cc-dd").mkdir(parents=True)
    for place, pair in zip(PLACES, PAIRS, strict=True):
        (folder / place).write_bytes(score_file(MINE[pair]))
    (folder / "mine.aa-bb.sys.score").write_text("A 1\nB 2\nC 3\n")
    (folder / ".aa-bb.swp").write_text("x")
    return folder


@pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")
def test_scores_of_a_folder_are_worth_what_they_are_worth_in_the_archive(rank, mine):
    found = rank(add={"mine": mine})
    both = found.task_values.loc[["Q[noref]", "mine"]]
    pd.testing.assert_series_equal(both.iloc[0], both.iloc[1], check_names=False)
    assert found.average["mine"] == found.average["Q[noref]"]
    assert "|partial:false|" in found.signature
    assert all(note.startswith(PAIRS) for note in found.notes)
    assert (
        "aa-bb: mine: 6 of 6 systems and 2 of 2 segments matched (12 of 12 cells), segments in their order"
        in found.notes
    )
    alone = rank()
    pd.testing.assert_frame_equal(found.task_values.loc[alone.task_values.index], alone.task_values)
    assert found.digest != alone.digest
    frames = {
        pair: pd.DataFrame([(s, n, x) for s, row in MINE[pair].items() for n, x in enumerate(row, 1)])
        .set_axis(["system", "segment", "mine"], axis=1)
        for pair in PAIRS
    }  # fmt: skip
    for other in ({pair: mine / file for pair, file in zip(PAIRS, PLACES, strict=True)}, frames):
        again = rank(add={"mine": other})
        pd.testing.assert_frame_equal(again.task_values, found.task_values)


@pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")
def test_scores_of_which_lower_is_better(rank, mine):
    usual, negated = (rank(add={"mine": mine}, lower_is_better=lower).task_values.loc["mine"] for lower in ((), "mine"))
    assert negated["aa-bb global/pearson"] == pytest.approx(-usual["aa-bb global/pearson"])
    with pytest.raises(tk.InputError, match="lower_is_better: there is no metric with a file in add named 'Q'"):
        rank(add={"mine": mine}, lower_is_better="Q")


@pytest.mark.filterwarnings("ignore::tiekit.LeftOutWarning")
def test_what_is_not_scored_is_refused_or_left_out_for_every_metric(rank, mine):
    """Nobody runs a metric on the human translation refA, which is ranked in cc-dd."""
    (mine / "cc-dd" / "mine.seg.score").write_bytes(score_file({"A": [0, 1], "B": [0, 1]}))
    (mine / "EE-FF.seg.score").write_bytes(score_file({"A": [1, 0], "B": [0, 0]}))
    message = (
        "^partial: toy compares all metrics on the same translations, but cc-dd: mine has no score of refA; "
        "ee-ff: mine has no score of C; add the scores, or pass partial=True to leave these translations out"
    )
    with pytest.raises(tk.InputError, match=message):
        rank(add={"mine": mine})
    found = rank(add={"mine": mine}, partial=True)
    # without refA: people put B before A, X too, and Q ties both
    assert found.task_values["cc-dd system_means/pearson"]["X"] == pytest.approx(1)
    assert found.task_values["cc-dd item/acc_eq*"].to_dict() == {"X": 1, "Q[noref]": 0, "mine": 0}
    assert found.task_values["aa-bb global/pearson"]["X"] == pytest.approx(1)
    assert "|partial:true|" in found.signature
    said = "left out for every metric, so no value of that language pair is the official one"
    gaps = "cc-dd: mine has no score of refA", "ee-ff: mine has no score of C"
    assert found.notes[:2] == tuple(f"{gap}; {said}" for gap in gaps)


@pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")
def test_single_translations_without_a_score_are_left_out_for_every_metric(rank, mine):
    (mine / "mine.aa_bb.seg.score").write_bytes(score_file({**MINE["aa-bb"], "C": ["None", 0]}))
    with pytest.raises(tk.InputError, match="but aa-bb: mine has no score of 1 of 6 translations; add"):
        rank(add={"mine": mine})
    found = rank(add={"mine": mine}, partial=True)
    known = [0, 1, 2, 3, 5]
    human, q = np.array([1, 3, 2, 4, 3, 7])[known], np.array([2, 2, 1, 1, 0, 0])[known]
    for name in ("mine", "Q[noref]"):
        assert found.task_values.loc[name, "aa-bb global/pearson"] == pytest.approx(np.corrcoef(human, q)[0, 1])


@pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")
def test_a_language_pair_without_a_file_is_missing(rank, mine):
    (mine / "EE-FF.seg.score").unlink()
    with pytest.raises(tk.InputError, match=r"the folder lacks what toy needs \(files of mine for ee-ff\); add it, or"):
        rank(add={"mine": mine})
    found = rank(add={"mine": mine}, partial=True)
    assert np.isnan(found.average["mine"])
    assert "no average, because a task has no value: mine" in found.notes


def test_a_file_that_does_not_align_is_refused_by_name(rank, mine):
    (mine / "EE-FF.seg.score").write_text("Z 1\nZ 2\n")
    with pytest.raises(tk.InputError, match=r"^add: mine, ee-ff: no system of it is one of the set; its systems: Z"):
        rank(add={"mine": mine})


@pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")
def test_one_file_is_of_the_only_language_pair(rank, mine):
    file = mine / "mine.aa_bb.seg.score"
    task = "aa-bb global/pearson"
    found = rank(add={"mine": file.rename(mine / "a.seg.score")}, tasks=task)
    assert found.average["mine"] == found.average["Q[noref]"]
    with pytest.raises(tk.InputError, match=r"add: mine must have one file per language pair, .*\(mine.aa-bb.tsv\)"):
        rank(add={"mine": mine / "a.seg.score"})
    with pytest.raises(tk.InputError, match="found ndarray"):
        rank(add={"mine": np.ones((3, 2))})


def test_the_language_pair_of_a_file():
    pairs = ("en-cs", "en-cs_CZ", "ja-zh_CN")
    names = ("en-cs.tsv", "mine_en-cs_CZ.jsonl", "EN_CS/x", "xen-cs.tsv", "ja-zh-cn", "en-csv")
    assert [pair_of(name, pairs) for name in names] == ["en-cs", "en-cs_CZ", "en-cs", None, "ja-zh_CN", None]
    both = {"a/en-cs.seg.score": b"A 1", "b/en-cs.seg.score": b"A 1"}
    with pytest.raises(tk.InputError, match="add: mine has 2 files for en-cs; keep one of them"):
        sort_added({"mine": both}, pairs)


@pytest.mark.real
@pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")
def test_an_archives_files_under_another_name_have_its_values(real_data, tmp_path):
    root = real_data / "mt-metrics-eval-v2"
    for pair, reference in (("en-de", "refA"), ("he-en", "refB"), ("zh-en", "refA")):
        source = root / "wmt23" / "metric-scores" / pair / f"COMET-{reference}.seg.score.gz"
        (tmp_path / f"{pair}.seg.score.gz").write_bytes(source.read_bytes())
    found = official_ranking(root, "wmt23", metrics=["COMET", "BLEU"], add={"mine": tmp_path}, compare=False)
    comet, mine = found.task_values.loc["_COMET"], found.task_values.loc["*mine"]
    np.testing.assert_allclose(comet, mine, rtol=0, atol=1e-6)  # its system scores are rounded to six decimals
