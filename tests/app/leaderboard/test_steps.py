"""A step that a refused upload is told can be taken on the page: each is chosen, and every score is compared."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import pytest

from tests.app.leaderboard.test_newcomer import PAGE, add
from tiekit.readers import FORMATS
from ui.leaderboard.newcomer import AddedFiles
from ui.work.reader_words import AS_IT_IS, STEP
from ui.work.text import bare


def table(data, metric="Contour-refA"):
    """The scores of a metric, a row each."""
    scores = data.metrics[metric].round(4)
    systems, segments = np.meshgrid(data.systems, data.segments, indexing="ij")
    columns = {"system": systems.ravel(), "segment": segments.ravel(), "score": scores.ravel()}
    return pd.DataFrame(columns), scores


def added(app):
    """The scores that stand beside those of the set."""
    [one] = [one for some in app.session_state["added_files"].values() for one in some]
    return one.joined[1]


def refused(open_app, name, frame):
    app = open_app(PAGE)
    add(app, (name, frame if isinstance(frame, bytes) else frame.to_csv(index=False).encode()))
    assert app.error
    return app, bare(app.error[0].value)


def choose(app, step):
    [box] = [box for box in app.selectbox if box.label == STEP]
    box.select(next(option for option in box.options if option.startswith(step))).run()
    assert not app.error or step == AS_IT_IS, app.error[0].value


@pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")
def test_words_are_numbers_as_chosen(open_app, synthetic):
    frame, scores = table(synthetic)
    app, told = refused(open_app, "mine.csv", frame.assign(score=frame["score"] > 0.5).rename(columns={"score": "ok"}))
    assert "choose labels={'False': 0, 'True': 1}" in told
    assert f"Steps can be chosen under {STEP}" in told
    choose(app, "labels")
    np.testing.assert_array_equal(added(app).metrics["ok"], scores > 0.5)
    choose(app, AS_IT_IS)
    assert app.error


@pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")
@pytest.mark.parametrize("step", ["scorer=", 'aggregate="mean"'])
def test_rows_of_judges_are_read_as_chosen(step, open_app, synthetic):
    frame, scores = table(synthetic)
    both = pd.concat([frame.assign(judge="a"), frame.assign(judge="b", score=frame["score"] + 1)])
    app, told = refused(open_app, "mine.csv", both)
    assert "choose scorer='judge' and score='score' to compare its values as metrics" in told
    assert 'choose aggregate="mean"' in told
    choose(app, step)
    found = added(app).metrics
    expected = {"a": scores, "b": scores + 1} if step == "scorer=" else {"mine": scores + 0.5}
    for name, one in expected.items():
        np.testing.assert_allclose(found[name], one, rtol=0, atol=1e-12)


@pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")
def test_what_only_python_can_do_is_told_to_be_uploaded(open_app, synthetic, tmp_path):
    frame, scores = table(synthetic)
    frame["score"] = frame["score"].where(frame["score"].notna(), None)
    (path := tmp_path / "mine.xml").write_bytes(frame.to_xml(index=False, parser="etree").encode())
    app, _ = refused(open_app, "mine.xml", path.read_bytes())
    told = " ".join(bare(text.value) for text in app.markdown)
    assert "in Python, pass pandas.read_xml(PATH, parser='etree')" in told
    save = "TABLE.to_csv('mine.csv', index=False), and upload that file"
    assert save in told
    again = pd.read_csv(io.BytesIO(pd.read_xml(path, parser="etree").to_csv(index=False).encode()))
    app = open_app(PAGE)
    add(app, ("mine.csv", again.to_csv(index=False).encode()))
    np.testing.assert_array_equal(added(app).metrics["mine"], scores)


@pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")
def test_marks_for_missing_scores_are_told_once_with_code_that_makes_a_file_to_upload(open_app, synthetic):
    frame, _ = table(synthetic)
    frame["score"] = np.where(np.arange(len(frame)) % 50 == 7, -1, 40 + np.arange(len(frame)) % 60)
    app = open_app(PAGE)
    add(app, ("mine.csv", frame.to_csv(index=False).encode()))
    told = [text for text in (bare(one.value) for one in app.warning) if "scores are -1" in text]
    assert len(told) == 1, told
    step = told[0].partition("such as by ")[2].partition(" in Python; what begins with frame or pandas is Python")[0]
    assert told[0].endswith("TABLE.to_csv('mine.csv', index=False), and upload that file")
    again = eval(step.replace("pandas.read_csv(FILE)", "frame"), {"frame": frame})
    app = open_app(PAGE)
    add(app, ("mine.csv", again.to_csv(index=False).encode()))
    assert "scores are -1" not in " ".join(one.value for one in app.warning)


def test_steps_of_warnings_are_offered_too_and_once():
    one, told = (
        AddedFiles(1, {}),
        "mine.csv: took 'a' for segment=, which counts the rows; pass segment='b' if that names them",
    )
    words = bare(one.word(told, FORMATS["table"], ""))
    assert words.endswith(f"choose segment='b' if that names them. Steps can be chosen under {STEP}.")
    assert (one.steps, one.is_stale) == ({"segment='b'": {"segment": "b"}}, True)
    one.is_stale = False
    one.word(told, FORMATS["table"], "")
    assert not one.is_stale
