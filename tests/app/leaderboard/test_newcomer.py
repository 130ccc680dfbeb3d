"""The user's metric beside those of the set: every format, what is said, and what stays."""

from __future__ import annotations

import gc
import json
import pickle
import re
import weakref
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import tiekit as tk
from tests.app.code import run
from tests.app.ranking import given, ranks_shown, texts
from tests.app.uploads import upload
from tests.drawn import make_mine
from ui.evalset import sources
from ui.evalset.compared_set import ComparedSet
from ui.evalset.selection import Selection
from ui.evalset.sources import OpenSet
from ui.leaderboard import newcomer
from ui.leaderboard.newcomer import usual_name
from ui.work import downloads
from ui.work.text import bare, format_p

PAGE = "5_Leaderboard"
SAMPLES = Path(__file__).parents[2] / "readers" / "samples"
NEWCOMERS = {
    "comet.json": 2,
    "comet_stdout.txt": 2,
    "metricx_evaluate.csv": 2,
    "metricx_evaluate.jsonl": 2,
    "metricx_predict.jsonl": 2,
    "sacrebleu_sl.txt": 2,
    "subset2evaluate.jsonl": 2,
    "bleurt.txt": 3,
    "score_lists.json": 3,
}
"""The samples that hold a metric, with the number of their segments."""


def sample(name):
    return name, (SAMPLES / name).read_bytes()


def add(app, *files):
    """Add files as a visitor does."""
    uploader = next(one for one in app.file_uploader if one.label.startswith("Files with scores of your metric"))
    for name, content in files:
        uploader.upload(name, content)
    app.run()
    assert not app.exception


def said(app):
    """What the page says of added metrics, outside the box for researchers."""
    boxed = [text.value for box in app.expander for text in box.markdown]
    return [bare(text.value) for text in app.markdown if text.value.startswith("✚") and text.value not in boxed]


def marked(app):
    return [row["name"] for row in given(app)["rows"] if row["mark"] == "✚"]


def comet(data, metric, **options):
    """Scores of a set's metric as COMET writes them."""
    scores = options.get("sign", 1) * data.metrics[metric]
    found = {
        f"out/{system}.txt": [{"src": "", "mt": "", "COMET": float(score)} for score in row]
        for system, row in zip(data.systems, scores, strict=True)
        if not np.isnan(row).any()
    }
    return json.dumps(found).encode()


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", NEWCOMERS)
def test_every_format_with_a_metric_is_put_beside_a_set(open_app, name):
    segments = range(1, NEWCOMERS[name] + 1)
    systems = ("kite", "moth") if name.startswith("comet") else ("Kite", "Moth")
    rows = [f"{system},{n},{n - place},{place * n}" for place, system in enumerate(systems) for n in segments]
    app = open_app(PAGE, source=sources.FILES)
    upload(app, None, ("own.csv", "\n".join(["system,segment,mqm,BLEU", *rows]).encode()))
    add(app, sample(name))
    source = tk.read(dict([sample(name)]))
    if len(source.systems) == 1:
        assert any("say whose scores these are" in error.value for error in app.error)
        next(box for box in app.selectbox if box.label.startswith("System whose")).select("Moth").run()
    assert not app.error
    assert any(f"{len(segments)} of {len(segments)} segments matched" in text.value for text in app.success)
    [metric] = source.metrics
    assert marked(app) == [Path(name).stem.split(".")[0] if metric == "score" else metric]


@pytest.mark.campaign
@pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")
def test_a_copy_of_bleu_beside_wmt22_is_said_as_the_library_has_it(open_app, shown, tmp_path, monkeypatch):
    data = tk.load_wmt22()
    scores = comet(data, "BLEU-refA")
    app = open_app(PAGE, source=sources.WMT22, shown_metrics=["BLEU-refA", "chrF-refA", "COMET-22-refA"])
    add(app, ("mine.json", scores))
    [name] = [box for box in app.text_input if box.label == "Name"]
    assert name.value == "COMET"
    name.set_value("mine").run()
    assert any("19 of 20 systems and 1,875 of 1,875 segments matched" in text.value for text in app.success)
    assert set(texts(app)) == {"BLEU-refA", "chrF-refA", "COMET-22-refA", "mine"}
    assert marked(app) == ["mine"]

    more = data.with_scores({"mine.json": scores}, name="mine")
    metrics = ["BLEU-refA", "chrF-refA", "COMET-22-refA", "mine"]
    board = tk.leaderboard(more, metrics=metrics, coefficients=["tau_10", "acc_eq"], calibrated="acc_eq")
    [sentence] = said(app)
    ranked = replace(more, metrics={one: more.metrics[one] for one in metrics})
    assert sentence == f"✚ {tk.standing(ranked, 'mine', rng=0).sentence}"
    assert app.selectbox(key="first").value == "mine"

    (tmp_path / "mine.json").write_bytes(scores)
    monkeypatch.chdir(tmp_path)
    call, opened, load, _ = next(value for key, value in shown.items() if key.endswith("leaderboard"))
    assert ".with_scores('mine.json', name='mine')" in load
    again = run(downloads.source(call, opened, load))
    assert again.loc["mine", "acc_eq*"] == board.loc["mine", "acc_eq*"]


def test_who_adds_scores_is_told_at_once_how_they_stand_and_not_asked_the_lessons_question(wmt22_zh_en):
    app = AppTest.from_file(Path(__file__).parents[3] / "app.py", default_timeout=180)
    app.switch_page(f"pages/{PAGE}.py").run()
    assert "guess none" in {button.key for button in app.button}
    add(app, ("mine.json", comet(wmt22_zh_en, "BLEU-refA")))
    assert "guess none" not in {button.key for button in app.button}
    assert said(app)


def test_a_metric_that_falls_is_asked_about_and_turned(open_app, synthetic):
    app = open_app(PAGE)
    add(app, ("down.json", comet(synthetic, "Judge-src", sign=-1)))
    assert any("switch on **Lower is better**" in warning.value for warning in app.warning)
    next(one for one in app.toggle if one.label == "Lower is better").set_value(True).run()
    assert not app.warning
    cells = texts(app)
    assert cells["COMET"]["acc_eq*"] == cells["Judge-src"]["acc_eq*"]
    app.selectbox(key="table_tests").select("neither").run()
    value = float(tk.calibrate(synthetic, "Judge-src").value)
    [sentence] = said(app)
    first = sentence.partition(" COMET is matched by")[0]
    found = re.fullmatch(r"✚ COMET is (\d+)\w\w of \d+ by acc_eq\* \((.*)\)\. No difference is tested\.", first)
    assert (f"{found[2]} ({found[1]})", found[2]) == (cells["COMET"]["acc_eq*"].lstrip("★ "), f"{value:.3f}")


def test_a_refusal_stands_beside_the_control_and_all_else_stays(open_app, synthetic):
    app = open_app(PAGE)
    before = texts(app)
    other = ("qaa_qac.json", comet(synthetic, "Haze-refA"))
    add(app, ("a.json", b'{"nobody": [{"COMET": 1}, {"COMET": 2}]}'), ("b.seg.score", b"A one\n"), other)
    messages = [bare(error.value) for error in app.error]
    assert any(text.startswith("no system of it is one of the set") for text in messages)
    assert any("b.seg.score, line 1" in text for text in messages)
    assert any(text.startswith("has scores of qaa-qac, but the set is qaa-qab") for text in messages)
    assert texts(app) == before
    add(app, ("good.json", comet(synthetic, "Haze-refA")))
    assert marked(app) == ["COMET"]
    assert len(app.error) == 3


@pytest.mark.campaign
def test_several_files_are_added_at_once_and_removed_one_by_one(open_app, synthetic):
    app = open_app(PAGE)
    add(app, ("a.json", comet(synthetic, "Haze-refA")), ("b.json", comet(synthetic, "Judge-src")))
    assert set(marked(app)) == {"COMET", "b"}
    assert len(said(app)) == 2
    assert len(app.query_params["added"]) == 2
    next(button for button in app.button if button.label == "Remove").click().run()
    assert not app.exception
    assert marked(app) == ["b"]
    next(button for button in app.button if button.label == "Remove").click().run()
    assert marked(app) == said(app) == []
    assert "added" not in app.query_params


def test_an_added_metric_stays_while_the_page_changes_and_with_its_set_alone(open_app, synthetic):
    app = open_app(PAGE)
    add(app, ("a.json", comet(synthetic, "Haze-refA")))
    next(box for box in app.text_input if box.label == "Name").set_value("mine").run()
    before = texts(app)
    app.switch_page("pages/1_Toy_lab.py").run()
    app.switch_page(f"pages/{PAGE}.py").run()
    assert not app.exception
    app.selectbox(key="source").select(sources.SYNTHETIC).run()
    assert texts(app) == before
    assert marked(app) == ["mine"]
    app.selectbox(key="pair").select("qaa-qac").run()
    assert marked(app) == []


def test_a_link_asks_for_the_added_file(open_app, synthetic):
    file = ("a.json", comet(synthetic, "Haze-refA"))
    app = open_app(PAGE)
    add(app, file)
    text = app.query_params["added"]
    link = {"added": text, "shown_metrics": ["Judge-src", "COMET"], "first": "COMET"}
    again = open_app(PAGE, **link)
    order = [one.value if one.type == "info" else one.type for one in again.main]
    [asked] = [place for place, said_here in enumerate(order) if "made with **a\\.json**" in said_here]
    assert asked < order.index("selectbox"), "above the table"
    assert not again.warning
    assert again.query_params["added"] == text
    add(again, file)
    assert not any("made with" in info.value for info in again.info)
    assert set(texts(again)) == {"Judge-src", "COMET"}
    without = open_app(PAGE, **link)
    without.button(key="without_added").click().run()
    assert not any("made with" in info.value for info in without.info)
    assert "added" not in without.query_params


@pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning", "ignore::tiekit.LeftOutWarning")
def test_a_metric_without_scores_of_a_human_translation_is_compared_on_the_cells_of_both(open_app, tmp_path):
    """It is COMET-22 and noise, so worse by construction; on different cells it would be ahead."""
    app = open_app(PAGE, source=sources.WMT22, shown_metrics=["BLEU-refA", "chrF-refA", "COMET-22-refA"])
    path = make_mine(tmp_path)
    add(app, (path.name, path.read_bytes()))
    data = tk.load_wmt22().with_scores(path)
    with pytest.warns(tk.CoverageWarning):
        found = tk.significance.permutation_test(data, "mine", "COMET-22", "acc_eq*")
    with pytest.warns(tk.CoverageWarning):
        board = tk.leaderboard(data, metrics=["BLEU", "chrF", "COMET-22", "mine"])
    assert found.difference < 0
    assert found.pvalue < 0.05
    assert any("Compared on 14 of 15 systems: mine has no scores of refB." in bare(one.value) for one in app.markdown)
    [sentence] = said(app)
    assert "mine is 2nd of 4 by acc_eq*" in sentence
    assert f"Next above is COMET-22-refA: the difference is significant ({format_p(found.pvalue)})" in sentence
    for name, row in texts(app).items():
        assert row["acc_eq*"].startswith(("★ " * (name == "COMET-22-refA")) + f"{board.loc[name, 'acc_eq*']:.3f}")
    app.toggle(key="own_cells").set_value(True).run()
    assert "mine is 1st of 4" in said(app)[0]
    assert any("Each metric is judged on its own translations" in bare(one.value) for one in app.markdown)


@pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")
def test_a_metric_with_few_scores_stands_below_and_leaves_the_others_as_they_were(open_app, tmp_path):
    app = open_app(PAGE, source=sources.WMT22, shown_metrics=["BLEU-refA", "chrF-refA", "COMET-22-refA"])
    before = texts(app)
    path = make_mine(tmp_path, n_segments=40)
    add(app, (path.name, path.read_bytes()))
    after = texts(app)
    assert list(after) == [*before, "mine"]
    assert {name: row["acc_eq*"] for name, row in before.items()} == {name: after[name]["acc_eq*"] for name in before}
    assert after["mine"]["acc_eq*"].endswith("(–) †")
    assert after["mine"]["cluster"] == "–"
    data = tk.load_wmt22().with_scores(path)
    few = replace(data, metrics={one: data.metrics[one] for one in after})
    assert said(app) == [f"✚ {tk.standing(few, 'mine').sentence}"]
    assert any("× 1,875 segments, 3 metrics" in text.value for text in app.markdown)
    app.selectbox(key="first").select("mine").run()
    app.selectbox(key="second").select("COMET-22-refA").run()
    assert any(bare(one.value) == "Both on the 560 translations that both have scored." for one in app.markdown)


def test_a_file_that_nobody_can_read_is_refused_in_plain_words_with_an_example(open_app, synthetic):
    app = open_app(PAGE)
    add(app, ("bad.txt", b"hello\nworld\n"))
    [told] = [bare(one.value) for one in app.error]
    assert told.startswith(
        "We cannot read bad.txt. It needs one line per translation: the system, a tab, and the score"
    )
    assert not set("'`=\\") & set(told)
    lines = "".join(f"{system}\t0.5\n" for system in synthetic.systems for _ in synthetic.segments).encode()
    assert len(app.get("download_button")) > 0
    scores = synthetic.with_scores({"example.seg.score": lines}).metrics
    assert list(scores.values())[-1].shape == (len(synthetic.systems), len(synthetic.segments))


def test_what_is_offered_for_a_file_that_nobody_can_read_is_made_on_request(open_app, monkeypatch):
    offered = []
    monkeypatch.setattr(downloads, "offer", lambda label, make, *_, **__: offered.append((label, make)))
    add(open_app(PAGE), ("bad.txt", b"hello\nworld\n"))
    make = dict(offered)["Example file"]
    assert len(pickle.dumps([cell.cell_contents for cell in make.__closure__])) < 2_000 < len(make())
    monkeypatch.setattr(newcomer, "LONGEST_EXAMPLE", len(make()) - 1)
    del offered[:]
    add(open_app(PAGE), ("bad.txt", b"hello\nworld\n"))
    assert "Example file" not in dict(offered), "of a large set it takes gigabytes"


def test_no_more_files_are_added_than_a_page_shows(open_app, synthetic, monkeypatch):
    monkeypatch.setattr(newcomer, "MOST_ADDED", 2)
    app = open_app(PAGE)
    one, two, three = ((f"{name}.json", comet(synthetic, name)) for name in ("Haze-refA", "Judge-src", "Ladder-refA"))
    add(app, one)
    add(app, two, three)
    assert [bare(error.value) for error in app.error] == [newcomer.TOO_MANY]
    assert len(said(app)) == 1
    add(app, two)
    assert not app.error
    assert len(said(app)) == 2


def partly_scored():
    """Five systems on eight segments; `few` has scores of three segments, the others of all."""
    rows = [
        f"{system},{segment},{(7 * segment + 3 * place) % 5},{(5 * segment + place) % 7},{(2 * segment + place) % 6},"
        + (f"{(segment + 4 * place) % 5}" if segment < 3 else "")
        for place, system in enumerate("abcde")
        for segment in range(8)
    ]
    return "\n".join(["system,segment,mqm,one,two,few", *rows]).encode()


APART = "few has scores of 15 of 40 translations, so it stands below the others, without a rank."


@pytest.mark.parametrize(
    ("page", "link"),
    [
        pytest.param("2_NaN_problem", {}, marks=pytest.mark.campaign),
        ("3_Calibration", {"metric": "one"}),
        ("4_Grouping", {}),
        pytest.param("6_Sentinels", {}, marks=pytest.mark.campaign),
    ],
)
def test_a_metric_that_stands_apart_is_in_no_ranking_and_the_page_says_so(open_app, page, link):
    app = open_app(page, **link)
    upload(app, None, ("own.csv", partly_scored()))
    assert APART in " ".join(bare(one.value) for one in app.markdown)
    indexes = [{str(name) for name in frame.value.index} for frame in (*app.dataframe, *app.table)]
    assert not any("few" in names for names in indexes)
    if page != "3_Calibration":
        assert any({"one", "two"} <= names for names in indexes)
        return
    figures = [one for one in app.get("bidi_component") if one.proto.component_name == "calibration_explorer"]
    [curves] = [json.loads(json.loads(one.proto.json)["texts"]["curves"]) for one in figures]
    assert {curve["name"] for curve in curves} == {"one", "two"}


def test_the_measures_and_decisions_of_a_metric_that_stands_apart_are_not_on_offer():
    data = tk.read_table({"own.csv": partly_scored()}, human="mqm")
    case = ComparedSet(Selection(OpenSet(data, ""), "mqm", tuple(data.metrics), (), None))
    assert list(case.metrics) == ["one", "two"]
    assert case.contest.apart == ("few",)


# --------------------------------------------------------------------------------------- links, signatures, names


def linked(app):
    """The added files that the address names."""
    found = app.query_params["added"]
    return [found] if isinstance(found, str) else list(found)


def test_a_field_that_changes_twice_before_the_page_is_drawn_numbers_its_files_anew(open_app, synthetic, monkeypatch):
    drawn = st.file_uploader

    def change_twice(*arguments, on_change=None, **options):
        twice = (lambda: [on_change(), on_change()]) if on_change else None
        return drawn(*arguments, on_change=twice, **options)

    monkeypatch.setattr(st, "file_uploader", change_twice)
    app = open_app(PAGE)
    add(app, ("a.json", comet(synthetic, "Haze-refA")))
    assert not app.exception
    assert [button.key for button in app.button if button.label == "Remove"] == ["added 0 remove", "added 1 remove"]


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


def test_human_scores_are_added_as_metrics_are(open_app, synthetic, shown):
    rows = [
        f"{system},{place},{score}"
        for system, scores in zip(synthetic.systems, synthetic.human["mqm"].round(), strict=True)
        for place, score in zip(synthetic.segments, scores, strict=True)
        if not np.isnan(score)
    ]
    file = ("again.csv", "\n".join(["system,segment,esa", *rows]).encode())
    app = open_app(PAGE)
    add(app, file)
    assert set(app.selectbox(key="human").options) == set(synthetic.human)
    next(box for box in app.selectbox if box.label == "Whose scores are these?").select("people").run()
    assert not app.exception
    assert not app.error
    assert not marked(app)
    assert any(text.value.startswith("Choose esa under **Human score**") for text in app.markdown)
    app.selectbox(key="human").select("esa").run()
    assert not app.exception
    more = synthetic.with_human(dict([file]))
    board = tk.leaderboard(more, "esa", coefficients=["acc_eq"], calibrated="acc_eq")
    load = next(value for key, value in shown.items() if key.endswith("leaderboard"))[2]
    assert ".with_human('again.csv'" in load
    assert given(app)["rows"][0]["name"] == board.index[0]


def test_the_added_metric_is_the_highlighted_one_unless_the_user_chose_another(open_app, synthetic, monkeypatch):
    made, offer = {}, downloads.offer
    monkeypatch.setattr(
        downloads, "offer", lambda label, make, *a, **b: made.update({label: make}) or offer(label, make, *a, **b)
    )
    file = ("a.json", comet(synthetic, "Haze-refA"))
    app = open_app(PAGE)
    widest = given(app)["chosen"]
    assert any(drawer.label.startswith("Signatures of the numbers of Contour") for drawer in app.expander)
    add(app, file)
    [drawer] = [one for one in app.expander if one.label == "Signatures of the numbers of COMET"]
    assert "metric:COMET" in drawer.code[0].value
    assert "Signatures of COMET:" in made["Table as LaTeX"]()
    assert given(app)["chosen"] == ranks_shown(app)["metric"] == "COMET" != widest
    assert "ranked_metric" not in app.query_params
    next(box for box in app.text_input if box.label == "Name").set_value("mine").run()
    assert given(app)["chosen"] == ranks_shown(app)["metric"] == "mine"
    [[held]] = app.session_state["added_files"].values()
    held = weakref.ref(held)
    next(button for button in app.button if button.label == "Remove").click().run()
    assert given(app)["chosen"] == widest
    gc.collect()
    assert held() is None, "no button keeps the files"
    chosen = open_app(PAGE, ranked_metric="Judge-src")
    add(chosen, file)
    assert given(chosen)["chosen"] == ranks_shown(chosen)["metric"] == "Judge-src"


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
    assert any("column 1 of 2 holds the scores of a metric, the others hold none" in text for text in texts)
    assert any("15 of 16 systems and 300 of 300 segments matched" in bare(one.value) for one in app.success)


def test_the_metric_is_asked_for_where_a_column_may_be_peoples(open_app, synthetic):
    cells = [(system, segment) for segment in synthetic.segments for system in synthetic.systems]
    rows = [f"{system},{segment},{place % 97},{place % 5}" for place, (system, segment) in enumerate(cells)]
    app = open_app(PAGE)
    add(app, ("mine.csv", "\n".join(["moteur,phrase,score,p", *rows]).encode()))
    assert [bare(one.value) for one in app.error] == [
        "Choose the columns with the metric's scores; score may be people's."
    ]
    next(one for one in app.multiselect if one.label == "Which columns are metrics?").select("score").run()
    assert not app.exception
    assert not app.error
    assert any("took 'phrase' as the column of segments" in bare(one.value) for one in app.warning)
    assert any("16 of 16 systems and 300 of 300 segments matched" in bare(one.value) for one in app.success)
    judged = [f"{system},{segment},Score: {place % 5},{place % 97}" for place, (system, segment) in enumerate(cells)]
    add(app, ("judge.csv", "\n".join(["system,segment,score,logprob", *judged]).encode()))
    told = "logprob for metrics; left out score (holds texts such as 'Score: 0'); if the numbers in score are the"
    assert any(told in bare(one.value) for one in app.warning)


def test_what_is_odd_about_the_order_stands_beside_the_file(open_app, synthetic):
    systems = [name for name in synthetic.systems if name != "refA"]
    rows = synthetic.metrics["Contour-refA"][[synthetic.systems.index(name) for name in systems]]
    app = open_app(PAGE)
    add(app, ("mine.txt", "".join(f"{score:.4f}\n" for score in rows.T.ravel()).encode()))
    texts = [bare(one.value) for one in app.warning]
    assert any("if its lines are all systems of a segment, then those of the next" in text for text in texts)
    assert sum("have no names and were taken as the set's" in text for text in texts) == 1
    assert not any("have no names" in bare(one.value) for one in app.markdown)


@pytest.mark.parametrize(
    ("metric", "file", "taken", "name"),
    [
        ("score", "mine.seg.score.gz", (), "mine"),
        ("BLEU", "mine.csv", (), "BLEU"),
        ("BLEU", "mine.csv", ("BLEU",), "mine"),
        ("BLEU", "BLEU.csv", ("BLEU",), "BLEU-2"),
        ("", "", (), "metric"),
        ("", ".", ("metric",), "metric-2"),
        ("", "mine", (), "mine"),
    ],
)
def test_an_added_metric_has_a_name_of_its_own(metric, file, taken, name):
    assert usual_name(metric, {file: b""}, dict.fromkeys(taken)) == name


def test_files_that_take_too_much_to_be_recognized_together_are_read_each_by_itself(monkeypatch):
    def refuse(*_):
        raise tk.ReadError("2 files", "need more than 20 s of processor time to be read")

    monkeypatch.setattr(newcomer.upload, "read_firsts", refuse)
    assert newcomer.group_files([("a", b"1"), ("b", b"2")]) == [{"a": b"1"}, {"b": b"2"}]
