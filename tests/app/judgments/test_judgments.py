import re

import numpy as np
import pytest

import tiekit as tk
from tests.app import reading
from tests.app.reading import alts, boxes, frame, text
from ui.judgments import inputs, on_file
from ui.judgments.inputs import FILE, LETTERS, of_preset
from ui.link import own_data
from ui.work import presets

PAGE = "7_Judgments"
EXAMPLES = presets.presets(FILE)
FIRST = "Two pairs in dispute"


def ranks_of(preset):
    """A row a line, as numbers."""
    return [[float(rank) for rank in line.rpartition(":")[2].split()] for line in preset["judges"]]


def attainable(rows, name):
    """What any metric can reach; the library's tests try all orders."""
    return tk.judgments.attainable(tk.judgments.Rankings.from_rows(rows), name)


def written(number):
    return f"{number:.3f}".replace("-", "−")


def opened(open_app):
    """The page with the example in which two pairs are in dispute."""
    app = open_app(PAGE)
    app.selectbox(key="jud_example").select(FIRST).run()
    return app


def figure(app):
    """What the cards, the graph and the gauge are given."""
    return reading.figure(app, "rerank")


def table(app, first):
    """The table whose first column is named so."""
    return next((element.value for element in app.table if element.value.columns[0] == first), None)


BAD_LINES = {
    "1 2 0 3": "line 2: rank 3 is 0; ranks are whole numbers from 1",
    "1 2 1.5 3": "rank 3 is 1.5",
    "1 2 100 3": "rank 3 is 100",
    "1 2 x 3": "line 2, score 3: 'x' is not a number",
    "1 2 3": "3 ranks, and the first judge has 4",
    "1 nan nan nan": "fewer than two translations are ranked",
    "an all too long name of a judge: 1 2 3 4": "a name has up to 20 letters",
}


@pytest.mark.parametrize("line", BAD_LINES)
def test_what_is_wrong_with_a_line_is_said(line):
    with pytest.raises(tk.InputError, match=re.escape(BAD_LINES[line])):
        inputs._read(line, 2, 4)


def test_where_a_line_is_wrong_what_was_is_kept(open_app):
    app = opened(open_app)
    app.text_input(key="jud_j2").set_value("1 2 0 3").run()
    assert "rank 3 is 0" in boxes(app, "error")
    assert "shows the last judgments that did" in boxes(app)
    assert "3 ranked sets: 18 judgments of 6 pairs" in text(app)
    app.text_input(key="jud_j2").set_value("").run()
    assert not app.error
    for line, words in (("1 2 3", "3 scores for 4 translations"), ("1 nan 3 4", "a score is missing")):
        app.text_input(key="jud_metric").set_value(line).run()
        assert words in boxes(app, "error")
        assert "The results use 3 4 2 1" in boxes(app)
    for key in ("jud_j1", "jud_j3"):
        app.text_input(key=key).set_value("").run()
    assert "No judge yet" in boxes(app)
    assert "1 ranked set: 6 judgments of 6 pairs" in text(app)


# ------------------------------------------------------------------------------------------------ typed rankings


def reveal(app, key, option=0):
    """Answer a question; which, is said by the start of its key."""
    box = next(box for box in app.radio if str(box.key).startswith(f"predict judgments {key}"))
    box.set_value(box.options[option]).run()
    app.button(key=str(box.key).replace("predict", "reveal", 1)).click().run()
    assert not app.exception
    return app


def test_every_example_shows_what_the_library_finds(open_app):
    app = open_app(PAGE)
    for name, preset in EXAMPLES.items():
        rows = of_preset(preset).rows
        app.selectbox(key="jud_example").select(name).run()
        given = figure(app)
        assert [judge["ranks"] for judge in given["judges"]] == ranks_of(preset)
        assert (given["metric"], given["coefficient"]["name"]) == (preset["metric"], preset["coefficient"])
        assert preset["why"] in text(app)
        if any(str(box.key).startswith("predict judgments tying") for box in app.radio):  # asked once
            reveal(app, "tying")
        shown = table(app, "coefficient").set_index("coefficient")
        scores = {(letter, "1"): score for letter, score in zip(LETTERS, preset["metric"], strict=False)}
        for label, row in shown.iterrows():
            key = str(label).replace("\\", "").replace("τ", "tau")
            limit = attainable(rows, key)
            yours = tk.judgments.judge_metric(tk.judgments.Rankings.from_rows(rows), scores, key).value
            expected = yours, limit.reachable_floor_tying, limit.reachable_tying, limit.cap
            assert list(row) == [written(number) for number in expected], (name, key)
        limit, is_share = attainable(rows, preset["coefficient"]), preset["coefficient"] == "acc_eq"
        lost = round(limit.n_judgments * (1 - limit.reachable) / (1 if is_share else 2))
        assert sum(table(app, "pair")["lost"]) == lost


def test_cycles_ties_and_disagreement_move_the_cap_and_are_said(open_app):
    app = open_app(PAGE)
    app.selectbox(key="jud_example").select("A cycle").run()
    assert "The cap, 0.333, is out of reach: the majorities of 1 of 1 triple of translations form a cycle" in text(app)
    assert "reaches **0.111**" in text(app)
    app = opened(open_app)
    app.text_input(key="jud_j3").set_value("nan nan 1 2").run()
    assert "judgments: 0.846." in text(app)
    app = open_app(PAGE, jud_j1="1 1 1", jud_j2="", jud_j3="", jud_metric="1 2 3")
    assert "Every judgment is a tie, so τ_14 is undefined" in boxes(app)
    shown = table(app, "coefficient").set_index("coefficient")
    assert list(shown.loc["τ\\_14"]) == ["undefined"] * 4
    assert list(shown.loc["acc\\_eq"]) == ["0.000", "0.000", "1.000", "1.000"]


def test_the_puzzle_is_solved_by_a_metric_that_ties_what_is_disputed(open_app):
    app = opened(open_app)
    reveal(app, "tying")
    assert "tie cards until τ_13 is 1.000. Your ranking: τ_13 is 0.667" in boxes(app)
    app.text_input(key="jud_metric").set_value("1 1 1 1").run()
    assert "τ_13 is undefined" in boxes(app)
    app.text_input(key="jud_metric").set_value("1 1 1 0").run()
    [solved] = [element.value for element in app.success if "Solved" in element.value]
    assert "is 1.000" in solved
    assert "is 0.500" in solved


def test_names_are_text_and_who_is_named_twice_agrees_with_herself(open_app):
    app = open_app(
        PAGE, jud_j1="**Ann** <b>: 1 2 3", jud_j2="**Ann** <b>: 1 3 2", jud_j3="Ben: 1 2 3", jud_metric="3 2 1"
    )
    assert "5 of 6 agree where two judges gave them; 2 of 3 agree where one judge gave both" in text(app)
    reveal(app, "pooled")
    assert table(app, "judge")["judge"][0] == "\\*\\*Ann\\*\\* \\<b\\>"


def test_a_mean_of_sets_beside_one_tau_of_all(open_app):
    app = reveal(opened(open_app), "pooled")
    assert "**It is: 0.500.**" in app.warning[0].value
    shown = table(app, "judge")
    assert list(shown["value"]) == ["0.667", "0.333", "1.000"]
    assert "pairs that count: **0.667**" in text(app)
    ranks, metric = [1, 2, 3, 4, 1, 3, 2, 4, 2, 1, 3, 4], [3, 4, 2, 1] * 3
    pooled = tk.correlate([-rank for rank in ranks], metric, "tau_14").value
    assert f"of all sets: {written(pooled)}." in text(app)


# ------------------------------------------------------------------------------------------------ a file of rankings

HEADER = ",".join(
    ["srclang,trglang,srcIndex,documentId,segmentId,judgeId"]
    + [f"system{n}Number,system{n}Id" for n in range(1, 6)]
    + [f"system{n}rank" for n in range(1, 6)]
)


def file_of(*lines):
    """A file of judges, segments and ranks of A to E."""
    systems = ",".join(f"-1,{name}" for name in LETTERS)
    rows = [f"French,English,{segment},-1,{segment},{judge},{systems},{ranks}" for judge, segment, ranks in lines]
    return "\n".join([HEADER, *rows, ""]).encode()


MINE = file_of(("ann", 1, "1,2,3,4,5"), ("bob", 1, "2,1,3,4,5"), ("ann", 1, "1,2,3,5,4"), ("eve", 2, "1,1,-1,-1,-1"))


@pytest.fixture
def uploaded(open_app):
    """The page with a file of one's own."""

    def give(content, name="mine.csv", **link):
        app = open_app(PAGE, jud_source="my file", **link)
        app.file_uploader[0].upload(name, content).run()
        assert not app.exception
        return app

    return give


def test_the_sample_shows_the_librarys_numbers(open_app):
    app = open_app(PAGE)
    rankings = tk.read_rankings(presets.DATA / "rankings" / "synthetic.csv")
    counts = frame(app, "contradicted")
    for pair in rankings.language_pairs:
        given = rankings.preferences().select(pair)
        assert counts.loc[pair, "judgments"] == given.n_judgments
        assert counts.loc[pair, "contradicted"] == given.contradictory
        kappa = tk.judgments.agreement(rankings.preferences("keep").select(pair))
        shown = table(app, "language pair").set_index("language pair").loc[pair.replace("-", "\\-")]
        assert list(shown["κ"]) == [written(kappa.within.value), written(kappa.between.value)]
    assert "2 lines with fewer than two ranks and 18 ranks that were left blank" in text(app)
    assert not any("single scores" in alt for alt in alts(app))
    limit = tk.judgments.attainable(rankings.preferences().select("qaa-qab"))
    reveal(app, "sample")
    assert any(f"It is: {written(limit.reachable)}." in element.value for element in (*app.warning, *app.success))
    board = frame(app, "τ_14 resolved")
    given = rankings.preferences().select("qaa-qab")
    assert board.loc["cap", "τ_14"] == limit.cap
    assert (
        board.loc["highest of any metric", "τ_14 resolved"]
        == tk.judgments.attainable(tk.judgments.resolve(given)).reachable
    )
    scores = presets.sample("qaa-qab")
    cells = {
        (system, segment): scores.metrics["Contour-refA"][row, column]
        for row, system in enumerate(scores.systems)
        for column, segment in enumerate(scores.segments)
    }
    assert board.loc["Contour-refA", "τ_14"] == tk.judgments.judge_metric(given, cells).value


def test_a_file_of_ones_own_is_counted_and_shown_at_once(uploaded):
    app = uploaded(MINE)
    assert (
        "mine.csv**: 4 ranked sets by 3 judges, 5 systems, 2 segments. Left out: 3 ranks that were left blank."
        in text(app)
    )
    counts = frame(app, "contradicted").loc["French-English"]
    assert list(counts) == [4, 3, 2, 30, 1, 10, 10, 2]
    assert not [box for box in app.radio if "sample" in str(box.key)]
    often = frame(app, "a majority")  # two of three on A and B, and on D and E
    assert often.to_numpy().tolist() == [["1", 0, 0, 0], ["2", 0, 0, 0], ["3", 8, 2, 0]]
    board = frame(app, "τ_14 resolved")
    assert board.loc["cap", "τ_14"] == pytest.approx(26 / 30)
    reached = frame(app, "single scores: highest").loc["French-English"]
    assert reached[["floor", "cap"]].tolist() == pytest.approx([-26 / 30, 26 / 30])
    assert "on the majority's side is (1 + cap) / 2 = **0.933**." in text(app)
    assert board.loc["cap", "τ_14 resolved"] == 1
    assert list(board.index) == ["cap", "highest of any metric", "knows only the system"]
    assert app.query_params["rankings"] == f"{tk.read_rankings({'mine.csv': MINE}).digest[:12]} mine.csv"
    app.selectbox(key="jud_ties").select("included").run()
    assert list(frame(app, "contradicted").loc["French-English"])[3:6] == [31, 0, 11]


def test_the_first_example_is_a_segment_of_wmt22(open_app):
    """Ranks by three evaluations, and COMET-22's scores."""
    data, preset = tk.load_wmt22(), next(iter(EXAMPLES.values()))
    rows = [data.systems.index(name) for name in ("AISP-SJTU", "JDExploreAcademy", "Online-A", "Online-W")]
    assert "segment 8: A is AISP-SJTU, B JDExploreAcademy, C Online-A and D Online-W" in preset["about"]
    for line, kind in zip(ranks_of(preset), ("mqm", "wmt-appraise", "wmt"), strict=True):
        scores = data.human[kind][rows, 7].tolist()
        assert line == [1 + sum(other > score for other in scores) for score in scores]
    assert data.metrics["COMET-22-refA"][rows, 7].round(2).tolist() == preset["metric"]
    assert figure(open_app(PAGE))["metric"] == preset["metric"]
    limit = tk.judgments.attainable(tk.judgments.Rankings.from_rows(of_preset(preset).rows))
    assert (limit.n_intransitive, limit.reachable) == (1, pytest.approx(4 / 18))


def test_a_bad_file_is_said_to_be_and_the_good_one_stays_open(uploaded):
    app, bad = uploaded(MINE), MINE.replace(b"2,1,3,4,5", b"2,0,3,4,5")
    app.file_uploader[0].set_value([("mine.csv", bad, "text/csv")]).run()
    assert not app.exception
    assert "mine.csv, line 3: '0' in column 'system2rank' is not a rank" in boxes(app, "error")
    assert "Using the file that was read before: mine.csv." in boxes(app)
    assert frame(app, "contradicted").loc["French-English", "sets"] == 4


def test_more_judgments_than_a_page_computes_with_are_refused_in_words(uploaded, monkeypatch):
    own = file_of(("zoe", 1, "1,2,3,4,5"))
    monkeypatch.setattr(on_file, "MOST_JUDGMENTS", 9)
    refused = "French-English: has 10 judgments of two translations; the limit of this page is 9; split the file"
    assert refused in boxes(uploaded(own), "error")
    monkeypatch.setattr(on_file, "MOST_JUDGMENTS", 10)
    assert frame(uploaded(own), "contradicted").loc["French-English", "judgments"] == 10


def test_the_numbers_of_a_file_come_coefficient_by_coefficient_and_can_be_canceled():
    """Eight steps at least, in the order of the bar; what the page shows is what `judge_metric` finds."""
    rankings = tk.read_rankings({"mine.csv": MINE})
    opened = own_data.OpenFile(rankings, "mine.csv", MINE)
    shares = []
    found = on_file._compute(opened, "French-English", "omit", shares.append)
    assert len(set(shares)) >= 8
    assert 0 <= min(shares) <= max(shares) <= 1
    for part, preferences in (
        ("given", rankings.preferences()),
        ("resolved", tk.judgments.resolve(rankings.preferences())),
    ):
        wins = preferences.matrix().to_numpy()
        if part == "given":
            shares_of_wins = wins.sum(axis=1) / (wins.sum(axis=0) + wins.sum(axis=1))
        scores = np.repeat(shares_of_wins[:, None], len(rankings.segments), axis=1)
        for name, value in getattr(found, part).metrics["knows only the system"].items():
            assert value == tk.judgments.judge_metric(preferences, scores, name).value
        assert getattr(found, part).limits["tau_14"].cap == tk.judgments.attainable(preferences).cap


def test_a_ranking_of_more_systems_than_there_are_is_not_taken(monkeypatch):
    monkeypatch.setattr(inputs.st, "session_state", {})
    inputs._hear(3, {"metric": [3, 1, 2, 4]})
    inputs._hear(3, {})
    assert not inputs.st.session_state
    inputs._hear(3, {"metric": [3, 1, 2]})
    assert inputs.st.session_state == {inputs.METRIC: "3 1 2"}
