"""The toy lab's lead, its drawer, and the scenes of a lecture."""

import pytest

PAGE = "1_Toy_lab"


def lead(app):
    return app.markdown[0].value


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
