"""What a first-time reader of the leaderboard looks for: the set, the signs, his own metric, the file of a link."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import tiekit as tk
from tests.app.leaderboard.test_leaderboard import PAGE
from tests.app.leaderboard.test_newcomer import add, comet
from tests.app.ranking import given, ranks_shown
from ui.work import downloads
from ui.work.text import bare


@pytest.fixture(scope="module")
def synthetic():
    return tk.read_mtme(Path(__file__).parents[3] / "data", "synthetic", "qaa-qab")


def linked(app):
    """The added files that the address names."""
    found = app.query_params["added"]
    return [found] if isinstance(found, str) else list(found)


def test_the_file_of_a_link_is_asked_for_above_the_table(open_app):
    app = open_app(PAGE, added="0123456789ab novel.seg.score")
    order = [one.value if one.type == "info" else one.type for one in app.main]
    [asked] = [place for place, text in enumerate(order) if "made with **novel" in text]
    assert asked < order.index("selectbox")


def test_another_file_of_the_same_name_is_told_from_that_of_the_link(open_app, synthetic):
    right, wrong = (("a.json", comet(synthetic, name)) for name in ("Haze-refA", "Judge-src"))
    app = open_app(PAGE)
    add(app, right)
    [text] = linked(app)
    other = open_app(PAGE, added=text)
    add(other, wrong)
    [given_here] = linked(other)
    assert given_here[12:] == " a.json"
    assert given_here != text
    [said_so] = [bare(warning.value) for warning in other.warning]
    assert said_so.startswith("This is another a.json than the link was made with: digest ")
    assert f"digest {given_here[:12]} here, {text[:12]} there" in said_so
    next(button for button in other.button if button.label == "Remove").click().run()
    assert any("made with **a\\.json**" in info.value for info in other.info)
    assert linked(other) == [text]
    add(other, right)
    assert not other.warning
    assert not any("made with" in info.value for info in other.info)


def test_the_added_metric_is_the_highlighted_one_unless_the_user_chose_another(open_app, synthetic):
    file = ("a.json", comet(synthetic, "Haze-refA"))
    app = open_app(PAGE)
    widest = given(app)["chosen"]
    add(app, file)
    assert given(app)["chosen"] == ranks_shown(app)["metric"] == "COMET" != widest
    assert "ranked_metric" not in app.query_params
    next(box for box in app.text_input if box.label == "Name").set_value("mine").run()
    assert given(app)["chosen"] == ranks_shown(app)["metric"] == "mine"
    next(button for button in app.button if button.label == "Remove").click().run()
    assert given(app)["chosen"] == widest
    chosen = open_app(PAGE, ranked_metric="Judge-src")
    add(chosen, file)
    assert given(chosen)["chosen"] == ranks_shown(chosen)["metric"] == "Judge-src"


def test_a_link_that_highlights_the_added_metric_is_not_called_damaged(open_app):
    app = open_app(PAGE, added="0123456789ab a.json", ranked_metric="COMET")
    assert not app.warning


def test_signatures_are_those_of_the_added_metric(open_app, synthetic, monkeypatch):
    made, offer = {}, downloads.offer
    monkeypatch.setattr(
        downloads,
        "offer",
        lambda label, make, *rest, **more: made.update({label: make}) or offer(label, make, *rest, **more),
    )
    app = open_app(PAGE)
    assert any(drawer.label.startswith("Signatures of the numbers of Contour") for drawer in app.expander)
    add(app, ("a.json", comet(synthetic, "Haze-refA")))
    [drawer] = [one for one in app.expander if one.label == "Signatures of the numbers of COMET"]
    assert "metric:COMET" in drawer.code[0].value
    assert "Signatures of COMET:" in made["Table as LaTeX"]()


def test_the_column_of_a_file_without_a_header_is_asked_for(open_app, synthetic):
    systems = [name for name in synthetic.systems if name != "refA"]
    scores = np.concatenate([synthetic.metrics["Contour-refA"][synthetic.systems.index(name)] for name in systems])
    file = "".join(f"{score!r},{place}\n" for place, score in enumerate(scores.tolist())).encode()
    app = open_app(PAGE)
    add(app, ("mine.csv", file))
    assert [bare(one.value) for one in app.error] == ["Choose the column that holds the metric's scores."]
    column = next(one for one in app.selectbox if one.label.startswith("Which column holds the metric's scores?"))
    column.select("1").run()
    assert not app.exception
    assert not app.error
    texts = [bare(one.value) for one in app.markdown]
    assert any("column 1 of 2 holds the scores of a metric, the others were left out" in text for text in texts)
    assert any("15 of 16 systems and 300 of 300 segments matched" in bare(one.value) for one in app.success)


def test_what_is_odd_about_the_order_stands_beside_the_file(open_app, synthetic):
    systems = [name for name in synthetic.systems if name != "refA"]
    rows = synthetic.metrics["Contour-refA"][[synthetic.systems.index(name) for name in systems]]
    app = open_app(PAGE)
    add(app, ("mine.txt", "".join(f"{score:.4f}\n" for score in rows.T.ravel()).encode()))
    texts = [bare(one.value) for one in app.warning]
    assert any("if its lines are all systems of a segment, then those of the next" in text for text in texts)
    assert sum("have no names and were taken as the set's" in text for text in texts) == 1
    assert not any("have no names" in bare(one.value) for one in app.markdown)
    scores = {
        named: [
            {"src": src, "mt": mt, "COMET": float(score)}
            for src, mt, score in zip(synthetic.sources, synthetic.outputs[name], row, strict=True)
        ]
        for named, name, row in zip(systems[1::-1] + systems[2:], systems, rows, strict=True)
    }
    other = open_app(PAGE)
    add(other, ("mine.json", json.dumps(scores).encode()))
    [text] = [bare(one.value) for one in other.error]
    assert "these are the outputs of" in text
