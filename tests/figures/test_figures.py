"""The table of figures: a folder and a row make a component and a page, and its rules hold; what some are given."""

import json
import math
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from types import MappingProxyType, ModuleType

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tiekit import figures
from tiekit.figures import FIGURES, bundler, display_names, podium
from tiekit.figures.figure import Figure
from tiekit.figures.json_values import check_shown, check_span, line, numbers, origin_of_scores
from tiekit.figures.lab import lab_page
from tiekit.figures.rules import Rule
from tiekit.widgets import TieLab

HUMAN, METRICS = [[1, math.nan], [2, 3]], {"a": [[1, 2], [3, math.nan]], "b": [[4, 3], [2, 1]]}
ROWS = pd.DataFrame(
    [
        {"judge": judge, "measure": measure, "name": name, "kind": kind, "value": value, "low": np.nan, "high": np.nan}
        for judge, name in (("a", "b"), ("b", "a"))
        for measure in ("item/acc_eq*", "own")
        for name, kind, value in ((name, "human", 0.5), ("BLEU", "metric", np.nan))
    ]
).assign(ties=0.1, judge_ties=0.4)


def test_every_folder_has_a_row_and_every_row_a_folder():
    folders = {path.parent.name for path in Path(figures.__file__).parent.glob("*/*.js")}
    assert folders - {"shared", "story"} == set(FIGURES)


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_becomes_a_component_and_a_page_of_its_own(name):
    figure = FIGURES[name]
    assert "openFigure" in figure.for_streamlit()
    assert "openFigure" in figure.for_notebook()
    page = figure.page({"names": ["</script>"]}, "Made of two <scores>.")
    assert page.count("</script>") == 1
    assert json.dumps("</script>").replace("<", "\\u003C") in page
    assert "Made of two &lt;scores&gt;. Made with tiekit" in page
    for key in figure.keys:
        assert f'"{key}": [' in page  # the rule


@pytest.mark.parametrize("name", FIGURES)
def test_both_sides_know_every_kind_of_rule(name):
    script = bundler.files()["shared/rules.js"]

    def check(rule):
        kind, *details = rule
        assert f"  {kind}: (" in script
        for one in details:
            if isinstance(one, list) and one and isinstance(one[0], str) and f"  {one[0]}: (" in script:
                check(one)

    for rule in FIGURES[name].rules.values():
        check(rule.as_json())


DATA = {"most": 20, "systems": ["x", "y"], "segments": ["1"], "names": ["A", "B"], "low": 0, "high": 1}
DATA |= {"metrics": [{"name": "a", "of": "a"}, {"name": "a + noise", "of": "a"}], "judges": ["j"], "measures": []}
DATA |= {"boards": [{"rows": [{"name": "r"}]}], "human": [1, 2, 3]}


@pytest.mark.parametrize(
    ("name", "key", "good", "bad"),
    [
        ("podium", "epsilon", [0, 20], [21, -1, 1.0, True, "1", None]),
        ("grouping", "grouping", ["item"], ["other", None, 0]),
        ("grouping", "cell", [None, [1, 0]], [[2, 0], [0, 1], [0], [0, 0, 0], [0.0, 0], "00", {}]),
        ("bump", "metric", [None, "a"], ["b", 0, []]),
        ("tie_shares", "chosen", ["a"], ["a + noise", None]),
        ("few_ties", "share", [0, 0.5, 1], [1.1, -0.1, math.nan, math.inf, 10**400, True, "0"]),
        ("human_rows", "row", ["", "r"], ["q", None]),
        ("judge_votes", "threshold", [0, 1.5, [2]], [-1, [-1], [0, 0], [], "0", math.inf]),
        ("rerank", "metric", [[1, 2]], [[1], [1, 2, 3], [1, None], [1, math.nan], "12"]),
        ("guess", "guess", [None, 0.5], [2, "0"]),
        ("lab", "pair", [None, [0, 2]], [[1, 1], [2, 0], [0, 3], [0]]),
        ("lab", "step", [None, 5], [-1, 0.5]),
    ],
)
def test_a_rule_accepts_what_can_be_shown(name, key, good, bad):
    rule = FIGURES[name].rules[key]
    assert [rule.holds(value, DATA) for value in good] == [True] * len(good)
    assert [rule.holds(value, DATA) for value in bad] == [False] * len(bad)
    assert all(rule.holds(value) for value in good)  # without data no bound is known
    assert not rule.holds({"a": 1})
    assert rule.words(DATA)


def test_bump_has_null_for_undefined_ranks_and_none_for_an_unknown_metric():
    data = FIGURES["bump"].data({"a": "A", "b": "B"}, {"m": [1.0, math.nan], "n": [2.0, 1.0]}, {"n": "✚"}, "nobody")
    assert data["metrics"] == [
        {"name": "m", "short": "m", "mark": "", "ranks": [1, None]},
        {"name": "n", "short": "n", "mark": "✚", "ranks": [2, 1]},
    ]
    assert data["metric"] is None
    assert [column["label"] for column in data["columns"]] == ["A", "B"]


def test_grouping_has_null_for_missing_scores_and_numbers_systems():
    make = FIGURES["grouping"].data
    data = json.loads(json.dumps(make(HUMAN, METRICS, "tau_b"), allow_nan=False))
    assert data["human"] == [[1, None], [2, 3]]
    assert data["metrics"][0] == {"name": "a", "scores": [[1, 2], [3, None]]}
    assert (data["systems"], data["segments"]) == (["system 1", "system 2"], ["segment 1", "segment 2"])
    assert data["coefficient"] == {"name": "tau_b", "label": tk.COEFFICIENTS["tau_b"].label}
    assert make(HUMAN, METRICS, "tau_b", ["x", "y"], ["7", "8"])["systems"] == ["x", "y"]
    with pytest.raises(tk.InputError, match="tau_z"):
        make(HUMAN, METRICS, "tau_z")


def test_one_reader_draws_a_guess_and_a_class_is_shown_as_dots():
    make = FIGURES["guess"].data
    mine = make((0, 9), 0, "pair", "How many?", guess=3)
    assert (mine["low"], mine["high"], mine["guess"], mine["truth"], mine["guesses"]) == (0, 9, 3, None, None)
    ours = make((0, 1), 2, "", "Which share?", truth=0.3, guesses=(0.1, 0.2), said="2 answered.")
    assert json.loads(json.dumps(ours, allow_nan=False))["guesses"] == [0.1, 0.2]
    assert ours["guess"] is None


def test_human_rows_have_a_board_for_each_judge_and_measure():
    found = FIGURES["human_rows"].data(ROWS, {"judge": "b", "measure": "unknown", "row": "x"})
    assert (found["judges"], found["judge"], found["measure"], found["row"]) == (["a", "b"], "b", "item/acc_eq*", "x")
    assert [measure["label"] for measure in found["measures"]] == ["acc_eq* by item", "own"]
    assert len(found["boards"]) == 4
    assert found["boards"][0]["rows"][1]["value"] is None
    assert found["boards"][0]["judgeTies"] == 0.4
    json.dumps(found, allow_nan=False)


def accuracy(name, epsilon):
    return tk.correlate(podium.HUMAN, podium.METRICS[name], "acc_eq", epsilon=epsilon).value


def test_the_winner_on_the_podium_changes_twice():
    ahead = [accuracy("Fine", epsilon) - accuracy("Coarse", epsilon) for epsilon in range(podium.MOST + 1)]
    signs = [(one > 0) - (one < 0) for one in ahead]
    assert (signs[0], signs[2], signs[14], signs[podium.MOST]) == (-1, 1, -1, -1)
    changes = [a for a, b in zip(signs, [*signs[1:], None], strict=True) if a != b]
    assert [sign for sign in changes if sign] == [-1, 1, -1]
    assert accuracy("Fine", 2) == 1
    assert figures.podium_page().count('"Fine"') == 1


def test_worse_errors_have_lower_human_scores():
    errors = dict(zip(podium.ERRORS, podium.HUMAN, strict=True))
    assert errors == {"no error": 0, "minor error": -1, "major error": -5}


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="attribute Curtain"):
        _ = figures.Curtain


# ------------------------------------------------------------------------------------------- a page of its own


NASTY = '</script><script>alert("1")</script><!-- \u2028 {x} & "é"'


class Page(HTMLParser):
    """The elements of a page, and the texts in them."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.texts = [("", {})], {}
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        tag = self.tags[-1][0]
        self.texts[tag] = self.texts.get(tag, "") + data


def test_a_page_holds_all_that_it_needs():
    text = lab_page([0, 1], {"m": [1, 0]})
    assert len(text.encode()) < 200_000
    page = Page(text)
    assert not [attributes for _, attributes in page.tags if {"src", "href"} & attributes.keys()]
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text)
    policy = [attributes["content"] for _, attributes in page.tags if "http-equiv" in attributes]
    assert len(policy) == 1
    assert policy[0].startswith("default-src 'none'")


def test_no_name_ends_the_script_or_becomes_an_element():
    page = Page(lab_page([0, 1], {NASTY: [1, 0]}))
    assert [tag for tag, _ in page.tags].count("script") == 1
    data = re.search(r'\$entry\.show\((\{.*\}), \{"human": ', page.texts["script"])
    assert json.loads(data[1])["metrics"][0]["name"] == NASTY
    assert NASTY in page.texts["summary"]


def test_a_widget_writes_what_it_shows_now(tmp_path):
    lab = TieLab([0, 1], {"m": [1, float("nan")]})
    lab.epsilon = 0.25
    lab.to_html(tmp_path / "lab.html")
    shown = Page((tmp_path / "lab.html").read_text(encoding="utf-8"))
    assert '"epsilon": 0.25' in shown.texts["script"]
    assert "m: 1 nan. Shown: 1 of 2 cells. data:" in shown.texts["summary"]
    with pytest.raises(OSError, match="No such file or directory"):
        lab.to_html(tmp_path / "no" / "lab.html")


# ---------------------------------------------------------------------------------------------- a new figure


SCRIPT = """
import { Model, mount, say, spoken } from "../shared/mount.js";

export function openFigure(host) {
  const model = new Model(), sentence = spoken("sentence");
  return mount(host, "dots", model, () => ({
    children: [sentence],
    show: () => say(sentence, `${model.data.dots} dots`),
  }));
}
"""


def dots_data(dots, share=0.5):
    return {"dots": dots, "share": share}


@pytest.fixture
def dots(monkeypatch):
    """The row of the table, and the folder with its script and its data."""
    folder = ModuleType("tiekit.figures.dots")
    folder.figure_data = dots_data
    monkeypatch.setitem(sys.modules, "tiekit.figures.dots", folder)
    files = MappingProxyType({**bundler.files(), "dots/figure.js": SCRIPT})
    monkeypatch.setattr(bundler, "files", lambda: files)
    return Figure("dots", "How many dots are there?", {"share": Rule("number", 0, 1)})


def test_each_host_gets_the_script_with_what_it_shares(dots):
    for text in (dots.for_notebook(), dots.for_streamlit(), dots.page(dots.data(3), "Made up.")):
        assert "${model.data.dots} dots" in text
        assert "class Model" in text
        assert "import " not in text.split("<script", 1)[-1].replace("import(", "")


def test_its_own_page_holds_its_title_its_data_and_its_rule(dots):
    text = dots.page(dots.data(3), "Made up.")
    assert "<h1>How many dots are there?</h1>" in text
    assert '{"dots": 3, "share": 0.5}' in text
    assert '"share": ' in text.split('"share": 0.5}')[1]


def test_what_moves_is_what_has_a_rule(dots):
    assert dots.keys == ("share",)
    assert dots.rules["share"].holds(0.25, dots.data(3))
    assert not dots.rules["share"].holds(2, dots.data(3))


# ------------------------------------------------------------------------------------------ values as JSON takes them


def test_missing_scores_are_null():
    assert line([1.0, math.nan]) == [1.0, None]
    found = numbers([1, None])
    assert found[0] == 1
    assert math.isnan(found[1])


@pytest.mark.parametrize("bad", [math.inf, math.nan, -1, "1", True])
def test_thresholds_that_cannot_be_shown(bad):
    with pytest.raises(tk.InputError, match="epsilon: must be"):
        check_shown(bad)
    with pytest.raises(tk.InputError, match="epsilon: must be"):
        lab_page([0, 1], {"m": [1, 0]}, bad)


def test_a_metric_may_be_called_human():
    assert origin_of_scores([1, 2], {"human": [3, math.nan]}) == "human: 1 2 · human: 3 nan."
    assert origin_of_scores([1] * 13, {"human": [2] * 13}).startswith("13 scores of the human and of human, digest ")


def test_scores_that_no_axis_can_show():
    check_span("human", [])
    check_span("human", [math.nan, -8e307, 8e307])
    with pytest.raises(
        tk.InputError, match=r"human: scores must differ by less than 1.8e308, found -1e\+308 and 1e\+308"
    ):
        check_span("human", [1e308, math.nan, -1e308])


def test_short_names_are_those_of_the_field_and_no_two_metrics_share_one():
    files = ["metricx_xxl_MQM_2020-refA", "COMET-22-refA", "GEMBA-GPT4-DA-refA", "UniTE-src-src", "UniTE-refA", "mine"]
    assert [*display_names(files).values()] == ["MetricX", "COMET-22", "GEMBA-GPT4", "UniTE-src", "UniTE", "mine"]
    assert display_names(["BLEU-refA", "BLEU-refB"]) == {"BLEU-refA": "BLEU-refA", "BLEU-refB": "BLEU-refB"}
