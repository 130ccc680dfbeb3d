"""The official WMT ranking on the Leaderboard page: the lesson on printed values, and a folder of one's own."""

from __future__ import annotations

import shutil

import pandas as pd
import pytest

import tiekit as tk
from tests.app.reading import boxes, every
from tests.app.reading import text as words
from ui.evalset import sources
from ui.leaderboard import official
from ui.work.presets import DATA

PAGE = "5_Leaderboard"
OFF = {"table_tests": "neither"}
pytestmark = pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")


def text(app):
    return f"{words(app)}\n{boxes(app)}"


def table(app):
    """The lesson's table as it is given to the browser."""
    return next(data for data in every(app, "tiekit_ranking") if "WMT23" in data["alt"])


def averages(app):
    return {row["name"]: float(row["cells"]["average"]["title"]) for row in table(app)["rows"]}


def expected(weights, mapped):
    values = tk.official.printed_values("wmt23").drop(columns="average")
    return tk.official.average_tasks(values, weights, mapped)


RULES = tk.official.read_preset("wmt23")


def test_it_opens_with_the_official_ranking(open_app):
    app = open_app(PAGE, **OFF)
    printed = tk.official.printed_values("wmt23")["average"]
    found = averages(app)
    assert found == pytest.approx(printed.to_dict(), abs=1e-6)
    assert len(found) == 32
    assert list(found) == list(expected(RULES.weights, RULES.mapped).index)
    assert "By the official weights XCOMET-Ensemble wins with an average of 0.825**, ahead of XCOMET-QE" in text(app)
    labels = [column["label"] for column in table(app)["columns"]]
    assert labels[3] == "all: accuracy, 25 %"
    assert labels[4] == "en-de: r of systems, 8 %"
    assert "the public scores (https://github.com/wmt-conference/ErrorSpanAnnotation)" in text(app).replace(
        "[", ""
    ).replace("]", " ")
    assert "may be wrong" not in text(app)


def test_other_weights_have_another_winner_and_the_button_goes_back(open_app):
    app = open_app(PAGE, **OFF)
    app.select_slider(key="official_segments").set_value("0").run()
    app.select_slider(key="official_item").set_value("0").run()
    weights = {task.name: task.weight * ("system_means" in task.measure) for task in RULES.tasks}
    assert averages(app) == pytest.approx(expected(weights, RULES.mapped)["average"].to_dict())
    assert "With these weights GEMBA-MQM wins with an average of 0.965." in text(app)
    assert "By the official weights XCOMET-Ensemble wins (0.825), and GEMBA-MQM has rank 4." in text(app)
    by_hand = table(app)
    app.button(key="official_again").click().run()
    assert not app.exception
    assert averages(app) == pytest.approx(expected(RULES.weights, RULES.mapped)["average"].to_dict())
    app.button(key="official_only").click().run()
    assert table(app) == by_hand
    assert not [warning.value for warning in app.warning]
    app.toggle(key="official_unmapped").set_value(True).run()
    assert averages(app) == pytest.approx(expected(weights, ())["average"].to_dict())


def test_metrics_that_share_the_first_rank_are_all_named():
    board = tk.official.average_tasks({"A": {"t": 1.0}, "B": {"t": 1.0}, "C": {"t": 0.5}})
    other = tk.official.average_tasks({"A": {"t": 0.2}, "B": {"t": 0.1}, "C": {"t": 0.5}})
    assert official.say_winner(board, other, is_official=False) == (
        "**With these weights A and B win with an average of 1.000.** By the official weights C wins (0.500), and "
        "A has rank 2, B has rank 3."
    )


# --------------------------------------------------------------------------------------------------- a folder


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the published scores of WMT22 zh-en for a few systems and segments, seen from its own machine."""
    monkeypatch.setattr(sources, "_is_local", lambda: True)
    small = tk.load_wmt22()
    root = tmp_path / "sets"
    for kind in ("human-scores", "metric-scores/zh-en", "documents"):
        (root / "wmt22" / kind).mkdir(parents=True, exist_ok=True)
    kept = [name for name in small.systems if name != "refB"][:6]
    for path in (DATA / "wmt22" / "documents").glob("zh-en*"):
        shutil.copy(path, root / "wmt22" / "documents")
    for name, scores in (("mqm", small.human["mqm"]), *small.metrics.items()):
        if name == "mqm" or name in ("COMET-22-refA", "BLEU-refA", "chrF-refA"):
            lines = [
                f"{system}\t{'None' if value != value else value}"
                for place, system in enumerate(small.systems)
                if system in kept
                for value in scores[place]
            ]
            place = "human-scores/zh-en.mqm" if name == "mqm" else f"metric-scores/zh-en/{name}"
            (root / "wmt22" / f"{place}.seg.score").write_text("\n".join(lines) + "\n")
    return root


def visit(open_app, folder, **link):
    app = open_app(PAGE, source=sources.FOLDER, folder=str(folder), folder_testset="wmt22", **OFF, **link)
    return app.button(key="folder_allow").click().run()


def test_nothing_is_computed_on_a_folder_until_it_is_asked_for(open_app, folder, monkeypatch):
    monkeypatch.setattr(tk, "official_ranking", None)
    app = visit(open_app, folder)
    assert not app.toggle(key="official_compute").value
    with pytest.raises(KeyError):
        open_app(PAGE, **OFF).toggle(key="official_compute")  # no folder is open


def test_a_folder_is_ranked_with_what_is_there(open_app, folder):
    app = visit(open_app, folder, official_compute="true")
    assert app.selectbox(key="official_preset").value == "wmt22"
    found = tk.official_ranking(folder, "wmt22", compare=False, partial=True)
    frame = app.dataframe[-1].value
    pd.testing.assert_frame_equal(frame, found.to_frame().dropna(axis="columns", how="all"), check_exact=True)
    said = text(app)
    assert f"{found.average.index[0]} leads" in said
    assert "language pairs: en-de, en-ru" in said
    assert f"of {len(found.preset.tasks)} tasks that this folder holds" in said
    code = next(element.value for element in app.code if "official_ranking" in element.value)
    assert repr(str(folder)) in code
    app.selectbox(key="official_preset").select("wmt25").run()
    assert not app.exception
    assert any("no human and metric scores of wmt25" in error.value.replace("\\", "") for error in app.error)


TWO = [task.name for task in tk.official.read_preset("wmt22").tasks if task.language_pairs == ("zh-en",)][:2]


def test_differences_are_tested_when_that_is_asked_for(open_app, folder, monkeypatch):
    asked = []
    whole = tk.official_ranking

    def few(root, preset, *, compare, partial, progress):
        asked.append(compare)
        return whole(root, preset, tasks=TWO, compare=compare, partial=partial, n_resamples=64, progress=progress)

    monkeypatch.setattr(tk, "official_ranking", few)
    app = visit(open_app, folder, official_compute="true")
    [toggle] = [toggle for toggle in app.toggle if toggle.key == "official_test"]
    assert toggle.label == "Test the differences; this takes about a minute or less"
    toggle.set_value(True).run()
    assert not app.exception
    assert asked == [False, True]
    found = whole(folder, "wmt22", tasks=TWO, partial=True, n_resamples=64)
    pd.testing.assert_frame_equal(app.dataframe[-1].value, found.to_frame().dropna(axis="columns", how="all"))


def ranked(average, clusters=None, preset="wmt24"):
    """A ranking with these averages."""
    average = pd.Series(average)
    clusters = pd.Series(clusters or dict.fromkeys(average.index, pd.NA), dtype="Int64")
    task_values = average.to_frame("t")
    rules = tk.official.read_preset(preset)
    return tk.official.OfficialRanking(
        rules, average, clusters, task_values, task_values, None, (), 0, None, 0.05, 0, "0" * 64
    )


@pytest.mark.parametrize(
    ("average", "clusters", "words"),
    [
        ({"A": 0.7, "B": 0.7, "C": 0.6}, None, "**A and B lead**: average 0.700 of 6 tasks."),
        (
            {"A": 0.7, "B": 0.6, "C": 0.5},
            {"A": 1, "B": 1, "C": 3},
            "**A leads**: average 0.700 of 6 tasks. Not significantly worse, in the same cluster: B.",
        ),
        (
            {"A": 0.7, "B": 0.6},
            {"A": 1, "B": 2},
            "**A leads**: average 0.700 of 6 tasks. Every other metric is significantly worse.",
        ),
        ({"A": float("nan")}, None, "No metric has a value in every task, so none has an average."),
    ],
)
def test_who_wins_is_said(average, clusters, words):
    assert official.say_leader(ranked(average, clusters)) == words
