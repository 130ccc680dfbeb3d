"""The toy lab's lead, its drawer, and the scenes of a lecture."""

import json
import tomllib
from urllib.parse import parse_qsl

import pytest

from ui.work.presets import DATA

PAGE = "1_Toy_lab"
SCENES = tomllib.loads((DATA / "scenes" / f"{PAGE}.toml").read_text(encoding="utf-8"))["scene"]
START = tomllib.loads((DATA / "scenes" / "0_Start.toml").read_text(encoding="utf-8"))["scene"]


def lead(app):
    return app.markdown[0].value


def given(app, name):
    component = next(one for one in app.get("bidi_component") if one.proto.component_name == name)
    return json.loads(component.proto.json)


def test_the_lead_says_how_metrics_differ_and_not_which_is_better(open_app):
    app = open_app(PAGE)
    assert lead(app) == "**m1** swaps one pair. **m2** swaps none, but never ties. Which is better?"
    app.text_input(key="m1").set_value("5 4 3 2 1 0").run()
    told = "**m1** swaps 9 pairs and never ties. **m2** swaps none, but never ties. Which is better?"
    assert lead(app) == told
    app.text_input(key="m1").set_value("0 0 1 1 1 1").run()
    told = "**m1** swaps none, but orders 4 pairs that the human ties, and ties 5 pairs that the human orders."
    assert lead(app).startswith(told)
    assert "mistake" not in "".join(one.value for one in app.markdown)
    app.text_input(key="m1").set_value("0 x").run()
    assert "differ in how they treat **ties**" in lead(app)
    app = open_app(PAGE, metrics="1", name1="a*b", m1="0 0 0 0 2 2", eps="0")
    told = "**a\\*b** orders or ties 14 of 15 pairs as the human does. Change a score: which coefficients notice?"
    assert lead(app) == told
    app = open_app(PAGE, metrics="3", m3="0 0 0 0 1 2")
    assert lead(app) == (
        "**m1** swaps one pair; **m2** swaps none, but never ties; **m3** swaps none. "
        "Which coefficients agree on the best?"
    )


@pytest.mark.parametrize(("link", "is_open"), [({}, False), ({"h": "1 2 1,5"}, True)])
def test_the_drawer_opens_where_a_link_brings_what_cannot_be_read(open_app, link, is_open):
    box = next(box for box in open_app(PAGE, **link).expander if box.label == "Edit scores")
    assert box.proto.expanded == is_open


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene["say"][:30])
def test_every_scene_is_restored_as_its_link_has_it(open_app, scene):
    link = dict(parse_qsl(scene["link"]))
    app = open_app(PAGE, **link)
    shown = given(app, "lab")
    lines = [shown["human"], *(metric["scores"] for metric in shown["metrics"])]
    typed = [link["h"], *(link[f"m{slot}"] for slot in range(1, len(lines)))]
    assert lines == [[float(score) for score in text.split()] for text in typed]
    assert shown["epsilon"] == float(link["eps"])
    assert shown["pair"] == ([int(item) - 1 for item in link["pair"].split("-")] if "pair" in link else None)
    assert not app.error
    assert not app.warning


@pytest.mark.parametrize("scene", START, ids=lambda scene: scene["link"])
def test_every_scene_of_the_start_page_is_restored(open_app, scene):
    link = dict(parse_qsl(scene["link"]))
    assert given(open_app(**link), "podium")["epsilon"] == int(link["epsilon"])
