"""Each scene of the NaN problem and of Judgments opens as its sentence says."""

from tomllib import loads
from urllib.parse import parse_qsl

import pytest

from tests.app.judgments.test_judgments import figure
from tests.app.judgments.test_judgments import text as texts
from tests.app.nan_problem.reading import said, table, tiles
from tiekit.readers import data_file
from ui.evalset import open

SCENES = {
    page: loads(data_file(f"scenes/{page}.toml").read_text(encoding="utf-8"))["scene"]
    for page in ("2_NaN_problem", "7_Judgments")
}


def show(open_app, page, number):
    """The page of a scene, which may not be damaged."""
    scene = SCENES[page][number]
    link = dict(parse_qsl(scene["link"], keep_blank_values=True))
    app = open_app(page, **link)
    assert not app.warning
    return app, scene["say"]


def leaders(app):
    """The metrics with rank 1 by rule, of the tiles."""
    names = {metric["name"] for metric in tiles(app)["metrics"]}
    [ranking] = [shown for shown in table(app, "drop", "zero", "common") if set(shown.index) <= names]
    return {rule: [name for name, cell in ranking[rule].items() if cell.startswith("★")] for rule in ranking}


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (0, {"drop": ["MATESE"], "zero": ["COMET-22"], "common": ["COMET-22"]}),
        (1, {"drop": ["MATESE"], "zero": ["COMET-22"], "common": ["COMET-22"]}),
        (2, {"drop": ["BLEU"], "zero": ["COMET-22"]}),
        (3, {"drop": ["COMET-22"]}),
        (4, {"drop": ["B"], "zero": ["A"], "common": ["C"]}),
        (5, {"drop": ["B"], "zero": ["A"]}),
    ],
)
def test_scenes_of_the_nan_problem(open_app, number, expected):
    app, _ = show(open_app, "2_NaN_problem", number)
    found = leaders(app)
    assert {rule: found[rule] for rule in expected} == expected


@pytest.mark.campaign
def test_the_scene_on_buckets_shows_both_parts(open_app):
    scene = SCENES["2_NaN_problem"][6]
    app = open_app("2_NaN_problem", **{"source": open.WMT22, **dict(parse_qsl(scene["link"], keep_blank_values=True))})
    told = said(app, "In 5 buckets")
    assert "from 0.255 to 0.306" in told or "from 0.255 to 0.307" in told
    assert "+0.014 comes from dropping" in told


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "**0.222**"),
        (1, "**0.222**"),
        (2, "reaches **1.000**, the cap"),
        (3, "reaches **0.833**, the cap"),
        (4, "reaches **0.111**"),
        (5, "A metric with ties reaches 1.000."),
        (6, "reaches **0.778**, the cap"),
    ],
)
def test_scenes_of_judgments(open_app, number, words):
    app, _ = show(open_app, "7_Judgments", number)
    assert words in texts(app)
    assert figure(app)["metric"]
