import re

import numpy as np
import pytest

import tiekit as tk
from tests.app.drawing import draw, scale_of
from tests.app.reading import alts, frame, table, text
from ui.grouping.inputs import FILE, LINES
from ui.work.presets import presets

PAGE = "4_Grouping"
EXAMPLES = presets(FILE)
FIRST, TOY = list(EXAMPLES)[:2]
IN_WORDS = {"global": "without grouping", "item": "item", "system": "system", "system_means": "system means"}


def written(value):
    return "undefined" if np.isnan(value) else f"{value:.3f}".replace("-", "−")


def draw_moves(app, guess=0):
    """Draw how many pairs of metrics change their order, and reveal."""
    [reveal] = [button.key for button in app.button if button.label == "Reveal"]
    draw(app, reveal.removeprefix("reveal "), guess)
    assert not app.exception
    return app


@pytest.fixture
def revealed(open_app):
    """The page with an example."""

    def show(name=TOY, **link):
        app = open_app(PAGE, **link)
        if name != FIRST:
            app.selectbox(key="grp_example").select(name).run()
        return app

    return show


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", EXAMPLES)
def test_values_are_those_of_the_library(revealed, name):
    preset = EXAMPLES[name]
    shown = table(revealed(name), "grouping")
    assert list(shown["grouping"]) == list(IN_WORDS.values())
    for metric, scores in preset["metrics"].items():
        library = [
            tk.correlate(preset["human"], scores, preset["coefficient"], grouping=by).value for by in tk.GROUPINGS
        ]
        assert list(shown[metric]) == [written(value) for value in library]


def test_the_ranking_flips(revealed):
    app = revealed()
    assert list(table(app, "grouping")["winner"]) == ["difficulty", "quality", "difficulty", "quality"]
    assert "The ranking flips: difficulty wins without grouping and by system; quality wins by item and by" in text(app)
    assert (
        "acc_eq by grouping: without grouping difficulty 0.803, quality 0.591; item difficulty 0.000, quality 1.000"
        in "\n".join(alts(app))
    )
    assert "By item: Only translations of one segment are compared" in text(app).replace("*", "")


@pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")
def test_the_first_example_is_a_part_of_wmt22_that_flips_as_the_whole_does(open_app):
    app, preset, whole = open_app(PAGE), EXAMPLES[FIRST], tk.load_wmt22().select()
    assert list(table(app, "grouping")["winner"]) == ["COMET-QE", "COMET-20", "COMET-QE", "COMET-20"]
    at = np.ix_(
        [whole.systems.index(n) for n in preset["systems"]], [whole.segments.index(n) for n in preset["segments"]]
    )
    assert len({whole.documents[column] for column in at[1].ravel()}) == 1
    sides = {"COMET-QE": whole.metrics["COMET-QE-src"], "COMET-20": whole.metrics["COMET-20-refA"]}
    assert np.array_equal(np.round(whole.human["mqm"][at], 1), preset["human"])
    for name, scores in sides.items():
        assert np.array_equal(np.round(scores[at], 3), preset["metrics"][name])
    for by, winner in (("global", "COMET-QE"), ("item", "COMET-20")):
        values = {n: tk.correlate(whole.human["mqm"], m, "tau_a", grouping=by).value for n, m in sides.items()}
        assert max(values, key=values.get) == winner


def test_the_set_is_ranked_only_after_a_prediction(open_app):
    app = open_app(PAGE)
    assert not app.dataframe
    assert "change their order between" not in text(app)
    scale = scale_of(app)
    assert (scale["low"], scale["high"], scale["unit"], scale["truth"]) == (0, 45, "pair", None)
    draw_moves(app, 40)
    flipped = int(re.findall(r"(\d+) of 45 pairs", text(app))[0])
    assert f"You drew 40 pairs: {40 - flipped} pairs too high." in app.warning[0].value
    assert f"**It is: {flipped} pairs.**" in app.warning[0].value
    assert len(app.dataframe) == 1


def test_each_group_and_the_mean_are_written_out(revealed):
    app = revealed("Small groups weigh as much")
    steps = table(app, "group")
    assert list(steps["group"]) == ["segment 1", "segment 2", "segment 3", "segment 4", "**mean**"]
    assert list(steps["pairs"]) == ["10", "1", "1", "1", ""]
    assert list(steps["narrow"]) == ["0.100", "1.000", "1.000", "1.000", "**0.775**"]
    assert "narrow:** (0.100 + 1.000 + 1.000 + 1.000) / 4 = **0.775**." in text(app)
    assert "All their pairs pooled would give broad 0.769, narrow 0.308." in text(app)  # 10 and 4 of 13
    app.selectbox(key="grp_steps").select("system means").run()
    means = table(app, "system")
    expected = np.nanmean(np.array(EXAMPLES["Small groups weigh as much"]["metrics"]["narrow"], float), axis=1)
    assert [float(value) for value in means["narrow"]] == pytest.approx(expected.tolist(), abs=5e-4)


def test_undefined_groups_are_named_and_left_out(revealed):
    app = revealed("Undefined segments")
    assert "difficulty:** no group has a value, so there is no mean." in text(app)
    assert "(0.333 + 0.333) / 2 = **0.333**; 2 without a value are excluded." in text(app)
    assert list(table(app, "grouping")["winner"])[1] == "neither"


def test_own_scores_show_at_once_and_equal_the_library(revealed):
    app = revealed()
    app.text_input(key="grp_a1").set_value(".5 1e-3 nan 2").run()
    preset = EXAMPLES[TOY]
    own = [[0.5, 0.001, None, 2], *preset["metrics"]["difficulty"][1:]]
    values = [written(tk.correlate(preset["human"], own, "acc_eq", grouping=by).value) for by in tk.GROUPINGS]
    assert list(table(app, "grouping")["difficulty"]) == values
    assert app.selectbox(key="grp_example").value is None
    app.selectbox(key="grp_coefficient").select("pearson").run()
    values = [written(tk.correlate(preset["human"], own, "pearson", grouping=by).value) for by in tk.GROUPINGS]
    assert list(table(app, "grouping")["difficulty"]) == values


def test_a_system_is_added_as_a_copy_and_taken_away_without_loss(revealed):
    app = revealed()
    app.button_group(key="grp_systems").set_value("4").run()
    assert app.text_input(key="grp_h4").value == "-3 -5 -9 -20"
    assert app.text_input(key="grp_b4").value == "33 14 25 36"
    app.text_input(key="grp_h4").set_value("-5 -6 -7 -8").run()
    app.button_group(key="grp_systems").set_value("3").run()
    assert app.text_input(key="grp_h4").disabled  # what it holds stays: see the browser's test


@pytest.mark.parametrize(
    ("scores", "systems"),
    [
        ("1", "1"),
        ("nan nan", "5"),
        ("1 1 1 1 1 1 1 1", "5"),
        pytest.param("1", "5", marks=pytest.mark.campaign),
        pytest.param("nan nan", "1", marks=pytest.mark.campaign),
        pytest.param("1 1 1 1 1 1 1 1", "1", marks=pytest.mark.campaign),
    ],
)
def test_too_little_to_compare_does_no_harm(open_app, scores, systems):
    app = open_app(PAGE, grp_systems=systems, **dict.fromkeys(LINES, scores))
    assert not app.error
    assert list(table(app, "grouping")["winner"]) == ["neither"] * 4
    for key, option in (
        ("grp_coefficient", "pearson"),
        ("grp_steps", "system means"),
        ("grp_steps", "without grouping"),
    ):
        app.selectbox(key=key).select(option).run()
        assert not app.exception


@pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")
def test_the_pairs_of_wmt22_are_counted(open_app):
    """15 systems, 1,875 segments, no score missing."""
    counted = frame(open_app(PAGE, source="WMT22 Chinese–English"), "pairs of human scores")
    expected = [395_493_750, 1_875 * 105, 15 * 1_875 * 1_874 // 2, 105]
    assert list(counted["pairs of human scores"]) == [f"{number:,}" for number in expected]
    assert list(counted["groups"]) == ["1", "1,875", "15", "1"]


def test_the_evaluation_set_is_ranked_as_the_leaderboard_does(open_app, synthetic):
    app = draw_moves(open_app(PAGE))
    shown = app.dataframe[0].value
    values = {}
    for by in tk.GROUPINGS:
        board = tk.leaderboard(synthetic, "mqm", grouping=by, coefficients=["tau_a"], calibrated=())
        values[by] = board["tau_a"]
        for name, row in board.iterrows():
            expected = f"{written(row['tau_a'])} ({row['rank(tau_a)']})"
            assert shown.loc[name, IN_WORDS[by]] == expected
    ranks = {by: column.round(12).to_dict() for by, column in values.items()}
    names = list(shown.index)
    turned = sum(
        len({np.sign(column[a] - column[b]) for column in ranks.values()} - {0.0}) > 1
        for place, a in enumerate(names)
        for b in names[:place]
    )
    assert f"**{turned} of 45 pairs of metrics change their order between groupings.**" in text(app)
    assert "SourceLength-src moves farthest: rank 4 without grouping, 9 by item." in text(app)
