"""Each scene of Grouping and Measures restores the page that its sentence speaks of."""

import tomllib
from urllib.parse import parse_qsl

import pytest

from tests.app.conftest import ROOT

PAGES = ("4_Grouping", "8_Measures")
SCENES = [
    (page, scene["say"], dict(parse_qsl(scene["link"], keep_blank_values=True)))
    for page in PAGES
    for scene in tomllib.loads((ROOT / "data" / "scenes" / f"{page}.toml").read_text(encoding="utf-8"))["scene"]
]


def test_a_lecture_has_six_to_eight_scenes():
    assert all(6 <= sum(page == name for name, _, _ in SCENES) <= 8 for page in PAGES)


@pytest.mark.parametrize(("page", "say", "link"), [scene for scene in SCENES if scene[0] == PAGES[0]])
def test_a_scene_of_grouping_is_restored(open_app, page, say, link):
    app = open_app(page, **link)
    assert not [box.value for box in (*app.warning, *app.error)], say
    assert app.selectbox(key="grp_example").value is not None
    for key in ("grp_grouping", "grp_cell"):
        if key in link:
            assert str(app.session_state[f"stage {key}"]).replace(" ", "") == link[key]


@pytest.mark.campaign
@pytest.mark.parametrize(("page", "say", "link"), [scene for scene in SCENES if scene[0] == PAGES[1]])
def test_a_scene_of_measures_is_restored(open_app, page, say, link):
    app = open_app(page, source="WMT22 Chinese–English", **link)
    assert not [box.value for box in (*app.warning, *app.error) if "damaged" in box.value], say
