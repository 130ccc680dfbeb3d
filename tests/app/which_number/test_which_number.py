"""Which number: the questions are answered by the open set or the user, and the advice is the library's."""

import tiekit as tk

PAGE = "9_Which_number"


def test_the_guide_answers_from_the_open_set_and_from_the_user(open_app, data):
    app = open_app(PAGE, answers="show")
    share = tk.count_ties(data, exclude=()).share
    for key, ties, name in (("", None, ""), ("tap_none", "none", "None"), ("tap_few", "few", "Few")):
        if key:
            app.button(key=key).click().run()
        advice = tk.measures.which_number(data, exclude=(), ties=ties)
        assert [one.value for one in app.code[-2:]] == [advice.paragraph, advice.text]
        cards = [one.proto.body for one in app.get("html") if '<div class="zone' in one.proto.body]
        opened = [card for card in cards if 'aria-current="true"' in card]
        assert [card.partition(" (")[0].rpartition(">")[2] for card in opened] == [name] * bool(name)
        assert all("</b> within each segment, with the share of pairs that people tie" in card for card in opened)
    assert [">?</p>" in card for card in cards] == [False, False, True], "what was opened stays open"
    assert f"As in SYNTHETIC: {100 * share:.0f} %" in app.selectbox(key="guide_ties").options
    assert [card.count('class="tie"') for card in cards] == [0, 1, 4]
    purpose = next(box for box in app.selectbox if box.label == "What is the metric for?")
    app = purpose.set_value("To rank systems").run()
    assert not app.exception
    assert app.code[-1].value == tk.measures.which_number(data, purpose="systems", ties="few", exclude=()).text
    assert any("<b>Soft pairwise accuracy (SPA)</b>." in one.proto.body for one in app.get("html"))
    assert app.query_params["guide_purpose"] in ("To rank systems", ["To rank systems"])


def test_your_answers_are_not_called_the_open_set(open_app):
    said = [one.value for one in open_app(PAGE).caption]
    assert any(one.startswith("The open set: ") for one in said)
    app = open_app(PAGE, guide_ties="Few (below 20 %)")
    [said] = [one.value for one in app.caption if "Few" in one.value]
    assert said.startswith("Your answers:")
