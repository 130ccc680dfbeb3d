"""What a page says of files that somebody opened as a set: a step that the page has, or code and then an upload."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tests.app.reading import boxes, text
from tests.app.uploads import upload
from ui.evalset.sources import FILES
from ui.work.reader_words import AS_IT_IS, STEP, on_page
from ui.work.text import bare

PAGE = "5_Leaderboard"
pytestmark = pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")  # the page says them in words


def opened(open_app, name, frame):
    """A page with a table of somebody's."""
    app = open_app(PAGE, source=FILES)
    upload(app, None, (name, frame.to_csv(index=False).encode()))
    return app


def choose(app, step):
    [box] = [box for box in app.selectbox if box.label == STEP]
    box.select(step).run()
    assert not app.exception


SEGMENTS = {"system": list("AABB"), "segment": [1, 2, 1, 2]}
VOTES = pd.DataFrame({"question_id": [1, 2], "model_a": "A", "model_b": "B", "winner": ["model_a", "tie"]})
MQM = pd.DataFrame({**SEGMENTS, "doc": "d", "rater": "r", "category": "Style", "severity": ["minor", "major"] * 2})


@pytest.mark.parametrize(
    ("frame", "told"),
    [
        (VOTES, "holds votes between two outputs (model_a, model_b), not scores; open them on the page LLM as a judge"),
        (MQM, "choose “MQM ratings (one error per line)” under Format"),
    ],
    ids=["votes", "mqm"],
)
def test_files_with_nothing_to_choose_from_are_told_what_they_are(open_app, frame, told):
    app = opened(open_app, "own.csv", frame)
    assert told in boxes(app, "error")
    assert "Choose at least one column" not in text(app)
    assert not [box for box in app.button_group if box.key == "human_columns"]


def ratings():
    """Scores of people and of a metric in three systems."""
    rng = np.random.default_rng(1)
    frame = pd.DataFrame([(name, item) for name in "ABC" for item in range(20)], columns=["system", "item"])
    return frame.assign(human=rng.integers(1, 6, 60), mine=rng.random(60))


def test_a_table_with_the_measure_in_a_column_has_its_step(open_app):
    long = ratings().melt(["system", "item"], var_name="measure")
    app = opened(open_app, "own.csv", long)
    assert "choose scorer='measure' and score='value' to compare its values" in bare(boxes(app, "error"))
    assert "Choose at least one column" not in text(app)
    choose(app, "scorer='measure' and score='value'")
    assert "3 systems × 20 segments" in text(app)


def test_a_table_with_words_for_ratings_is_told_what_they_need(open_app):
    frame = ratings()
    app = opened(open_app, "own.csv", frame.assign(human=frame["human"].map({n: "uvwxyz"[n] for n in range(1, 6)})))
    assert "column 'human' holds labels, not numbers; write a number for each into the file" in boxes(app, "error")
    assert "Choose at least one column" not in text(app)


def captions():
    """Ratings of captions, of which no column is named like systems."""
    rng = np.random.default_rng(0)
    rows = [(f"{image}.jpg", who, rng.integers(1, 5)) for image in range(30) for who in ("blip", "git", "human")]
    frame = pd.DataFrame(rows, columns=["image", "captioner", "human_rating"])
    return frame.assign(CIDEr=rng.random(len(frame)) + frame["human_rating"])


def test_the_column_of_the_systems_is_chosen_as_told(open_app, shown):
    frame = captions()
    app = opened(open_app, "own.csv", frame)
    told = bare(boxes(app, "warning"))
    assert "choose system='captioner' if it names the systems; change it here if not" in told
    assert f"Steps can be chosen under {STEP}" in told
    assert "All rows are of one system" not in text(app), "the warning says it"
    assert "took human_rating" not in " ".join(caption.value.casefold() for caption in app.caption), "said once"
    choose(app, "system='captioner'")
    assert "3 systems × 30 segments" in text(app)
    assert "took 'image' as the column of segments, as it tells" in bare(boxes(app, "warning"))
    load = next(load for name, (_, _, load, _) in shown.items() if name.endswith("leaderboard"))
    assert load.count("system='captioner'") == 1
    choose(app, AS_IT_IS)
    assert "1 systems × 90 segments" in text(app)


def test_on_another_page_the_file_is_to_be_uploaded_again_for_its_steps(open_app):
    app = opened(open_app, "own.csv", captions())
    app.switch_page("pages/3_Calibration.py").run()
    assert not app.exception
    assert bare(boxes(app, "warning")).endswith(
        "change it here if not. Upload the file again to choose how it is read."
    )
    assert not [box for box in app.selectbox if box.label == STEP]


@pytest.mark.parametrize("step", ["system='docid' and segment='qid'", "system='docid'"])
def test_any_column_of_labels_may_name_the_systems(open_app, step):
    rng = np.random.default_rng(0)
    rows = [(f"q{query}", f"d{document}") for query in range(20) for document in range(4)]
    frame = pd.DataFrame(rows, columns=["qid", "docid"])
    frame = frame.assign(relevance=rng.integers(0, 3, len(frame)), bm25=rng.random(len(frame)))
    app = opened(open_app, "own.csv", frame)
    assert f"Steps can be chosen under **{STEP}**" in boxes(app, "warning")
    choose(app, step)
    assert "4 systems × 20 segments" in text(app)


def test_where_nothing_was_said_of_systems_the_page_says_where_they_are_named(open_app):
    labels = {"segment": [f"s{at}" for at in range(40)], "document": [f"d{at // 4}" for at in range(40)]}
    frame = pd.DataFrame({**labels, "mqm": range(40), "COMET": range(40, 0, -1)})
    app = opened(open_app, "own.csv", frame)
    assert f"choose it under **{STEP}**" in boxes(app, "info")


def test_human_scores_alone_are_opened_and_the_page_says_where_a_metric_is_added(open_app):
    app = opened(open_app, "own.csv", pd.DataFrame({**SEGMENTS, "mqm": range(4)}))
    assert "This set has no metric yet: add one above." in boxes(app, "info")


def test_a_metric_alone_is_told_where_it_is_added(open_app):
    app = opened(open_app, "own.csv", pd.DataFrame({**SEGMENTS, "COMET": range(4)}))
    assert "put beside those of a set: **Add scores**" in boxes(app, "info")


def test_marks_for_missing_scores_are_told_with_code_that_makes_a_file_to_upload(open_app):
    frame = captions().assign(judge=lambda frame: np.where(frame.index % 20 == 3, -1, 40 + frame.index % 60))
    told = bare(boxes(opened(open_app, "own.csv", frame), "warning"))
    assert "judge: 5 of 90 scores are -1" in told
    assert "such as by pandas.read_csv(FILE).replace({-1: float('nan')}) in Python" in told
    assert told.count("TABLE.to_csv('mine.csv', index=False), and upload that file") == 1


def test_words_of_python_are_those_of_the_page():
    data = tk.EvalSet("x", "", ("A", "refA"), ("1",), {"mqm": [[1], [2]]}, {})
    with tk.errors.collect_warnings() as said:
        tk.readers.ask_about(data)
    [(_, text)] = said
    assert bare(on_page(text)).endswith("if people made it, “Systems to leave out” leaves it out")
