"""A scene is the page as it opens plus what its link holds; nothing of the former scene stays."""

from __future__ import annotations

import tomllib
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from tests import damaged
from ui.page import pages
from ui.present import dock, presenting
from ui.present.presenting import PARAM, Place, read
from ui.work import upload_quota
from ui.work.presets import DATA

pytestmark = pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")  # of WMT22, which some scenes open

FILES = sorted((DATA / "scenes").glob("*.toml"))
KNOWN = {presenting.START, *(Path(page.file).stem for page in pages.lessons())}


QUICK = ("1_Toy_lab",)
"""The pages whose last scene is shown in every run; the campaigns show every scene of every page."""


def scene_of(app):
    """The scene that the address names."""
    return "".join(app.query_params.get(PARAM, ""))


def test_every_file_of_scenes_belongs_to_a_page_and_every_scene_says_one_thing():
    assert FILES
    for file in FILES:
        assert file.stem in KNOWN
        for entry in tomllib.loads(file.read_text(encoding="utf-8"))["scene"]:
            assert {"say", "shows"} <= set(entry) <= {"say", "link", "shows", "picture"}
            assert entry["shows"], "what does the picture itself say?"
            assert entry["say"].endswith((".", "?", "!"))
            assert len(entry["say"]) < 160
            parse_qs(entry.get("link", ""), keep_blank_values=True, strict_parsing=bool(entry.get("link")))


@pytest.mark.parametrize("which", ["last", pytest.param("every", marks=pytest.mark.campaign)])
@pytest.mark.parametrize(
    "page", [pytest.param(file.stem, marks=[pytest.mark.campaign] * (file.stem not in QUICK)) for file in FILES]
)
def test_every_scene_of_a_page_is_shown_as_its_link_is(open_app, page, which):
    """As when its link is opened in a new session, though another came before; else the last one."""
    every = list(enumerate(presenting.of_page(page), 1))
    app = open_app("13_Teach_this", scene=f"{page}.1")
    for number, scene in every if which == "every" else every[-1:]:
        if number > 1:
            app.session_state["presented next"] = Place(page, number)
            app.run()
        assert not app.exception
        assert scene_of(app) == f"{page}.{number}"
        link = parse_qs(scene.link, keep_blank_values=True)
        fresh = open_app("" if page == presenting.START else page, **{"lecture": "true", "source": "", **link})
        assert {key: widget.value for key, widget in damaged.bound(app).items()} == {
            key: widget.value for key, widget in damaged.bound(fresh).items()
        }, scene.say
        assert not [warning.value for warning in app.warning if "damaged" in warning.value]


def test_what_was_done_before_is_not_in_a_scene_and_the_page_can_be_left(open_app):
    app = open_app("1_Toy_lab", eps="3", h="1 2 2", m1="1 1 2", metrics="1")
    app.button(key="present").click().run()
    assert not app.exception
    fresh = open_app("1_Toy_lab")
    assert app.text_input(key="h").value == fresh.text_input(key="h").value
    assert app.toggle(key="lecture").value
    app.text_input(key="h").set_value("0 0 0 0 1 3").run()
    assert scene_of(app) == "1_Toy_lab.1"


def test_a_link_of_a_scene_opens_it_and_what_was_changed_in_it_stays(open_app):
    app = open_app("1_Toy_lab", scene="1_Toy_lab.1", eps="2", lecture="true")
    assert app.text_input(key="eps").value == "2"
    assert scene_of(app) == "1_Toy_lab.1"


def test_a_scene_that_is_not_there_is_none(open_app):
    texts = ["", "1_Toy_lab", "1_Toy_lab.0", "1_Toy_lab.99", "../x.1", "20.999", "7.1", "x" * 500]
    assert {read(text) for text in texts} == {None}
    assert scene_of(open_app("1_Toy_lab", scene="../x.1")) == ""


def test_the_lectures_have_scenes():
    assert [plan.name for plan in presenting.plans()] == ["20", "45", "90"]
    for plan in presenting.plans():
        assert plan.steps
        assert len(presenting.play(plan.name)) == sum(len(step.scenes) for step in plan.steps)
        assert {step.page for step in plan.steps} <= KNOWN
        assert sum(step.minutes for step in plan.steps) == int(plan.name)


def test_the_longest_lecture_shows_every_page_that_has_scenes():
    shown = [step.page for step in presenting.plans()[-1].steps]
    assert set(shown) == {page for page in KNOWN if presenting.of_page(page)}
    assert len(presenting.play("90")) <= 45


def test_every_lecture_ends_with_the_number_to_report():
    assert {presenting.play(plan.name)[-1].page for plan in presenting.plans()} == {"9_Which_number"}


def test_a_plan_on_the_page_says_slides_and_leads_to_its_scene(open_app):
    app = open_app("13_Teach_this")
    words = " ".join(str(one.proto) for one in app.get("page_link")) + " ".join(one.value for one in app.markdown)
    assert "3 min · What is a tie? · 2 slides" in words.replace("\\302\\267", "·")
    assert "scene" not in words.replace("?scene", "").replace('"scene', "").replace("scene=", "")
    app = open_app("13_Teach_this", scene="20.3")
    assert scene_of(app) == "20.3"
    assert app.caption[0].value.startswith("2 · Ways to count")


@pytest.mark.parametrize("number", [300, 2_000, 1_300_000])
def test_a_long_address_gets_no_code_and_is_not_kept(monkeypatch, number):
    seen = "http://tiekit.example/?" + "&".join(["a=1"] * number)
    monkeypatch.setattr(dock.st, "session_state", {dock.SHARE_KEY: {"address": seen}})
    monkeypatch.setattr(dock, "_share", lambda **_: None)
    with monkeypatch.context() as before_its_turn:
        before_its_turn.setattr(dock, "_share_address", lambda _: pytest.fail("a page draws in its turn alone"))
        dock._hear_address()
    assert len(dock.st.session_state[dock.ASKED]) <= dock.LONGEST_SEEN
    dock._draw_button()
    shared = dock.st.session_state["shared"]
    assert (shared["svg"], "too long for a QR code" in shared["said"]) == ("", True)
    assert len(shared["of"]) <= dock.LONGEST_SEEN


def test_what_uploads_count_outlives_a_scene(open_app):
    app = open_app("1_Toy_lab")
    before = app.session_state[upload_quota.KEY]
    app.button(key="present").click().run()
    assert scene_of(app) == "1_Toy_lab.1"
    assert app.session_state[upload_quota.KEY] is before
