"""What holds on every page: it opens, in a lecture too; damage is told of; choices are taken; code gives the numbers.

The pages are those of the folder `pages`, so a new one is held to the same.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests import damaged
from tests.app import reading
from tests.app.code import both
from ui.evalset import sources
from ui.link import link
from ui.page import pages

PAGES = {damaged.name_of(page.file): page.label for page in (pages.path()[0], *pages.lessons())}
every_page = pytest.mark.parametrize("page", PAGES)
pytestmark = pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")  # a page says them in words

ANOTHER_SET = ("source", "pair")
"""Controls that open another set, on which what the others offer depends."""

ANY_TEXT = ("row", "line")
"""What figures keep in a link and take as it is, because it may be the name of a metric."""

ALONE = {("1_Toy_lab", "m1"), ("1_Toy_lab", "m2")}
"""Lines of metrics that leave the picture alone while they cannot be read: the others go on."""

BAD, NASTY = "nonsense", "**b** [x](javascript:alert(1)) <script>"
MOST_NUMBERS = 20
"""Maximum number of fractions of a result that are looked for on the page; a tenth of them must stand there."""

NO_CODE = ("", "13_Teach_this")
NO_TABLES = (*NO_CODE, "9_Which_number")
SLOW = ("6_Sentinels", "8_Measures")
"""Pages that compute for long: the campaigns take all choices there; they have tests of their code in their folders, so
that campaigns run all of it."""

quick_pages = pytest.mark.parametrize(
    "page", [pytest.param(page, marks=[pytest.mark.campaign] * (page in SLOW)) for page in PAGES]
)

FEW = {
    "8_Measures": {
        "msr_metrics": ["Contour-refA", "Judge-src", "Ladder-refA"],
        "msr_coefficients": ["pearson", "tau_b"],
    }
}
"""What makes the code of a page that resamples quick."""

PARTS = ("values", "vote_source", "jud_source")
"""Choices that show something else than the page's own numbers."""

FORMS = (("{:.3f}", 1), ("{:.4f}", 1), ("{:.1f} %", 100))
"""How pages write numbers."""

NUMBER_FOR_THE_EYE = re.compile(r"[★±\s]*[−-]?\d[\d,]*(\.\d+)?( ?%| ?†| \(.*\)| · .*)?")
"""What a person reads as one number and `float` may not."""

SCORES = re.compile(r"\d\S* \S*\d")
"""What a line of typed scores, ranks or segments has in it."""


_usual = cache(lambda visit, page: visit(page))


@pytest.fixture
def usual(open_app):
    """A page as it opens, once for all tests; none of them may change it."""
    return lambda page: _usual(open_app, page)


@every_page
def test_it_opens_without_a_warning_under_its_title(usual, page):
    app = usual(page)
    assert not [*app.error, *app.warning]
    assert app.caption[0].value.startswith(PAGES[page])  # a question may say more of what is seen
    assert app.title[0].value


@every_page
def test_a_lecture_shows_the_same(usual, open_app, page):
    app = open_app(page, lecture="true")
    assert app.toggle(key="lecture").value
    assert not [*app.error, *app.warning]
    before, after = reading.figures(usual(page)), reading.figures(app)
    assert all(given.pop("large", True) for given in after.values()), "and larger"
    apart = ("large", "folded")  # what a page folds, a slide does not show
    assert [without(given, apart) for given in after.values()] == [without(given, apart) for given in before.values()]
    assert list(after) == list(before)


@pytest.mark.sampled(3)
@every_page
@pytest.mark.parametrize(
    "source",
    [
        pytest.param(source, marks=[pytest.mark.campaign] * (source in sources.PUBLISHED))
        for source in (*sources.PUBLISHED, sources.FILES, sources.FOLDER)
    ],
)
def test_it_opens_on_every_kind_of_scores_and_before_files_are_given(usual, open_app, monkeypatch, page, source):
    if not [box for box in usual(page).selectbox if box.key == "source"]:
        return  # no set is open there
    monkeypatch.setattr(sources, "_is_local", lambda: True)  # else no folder is offered
    app = open_app(page, source=source)
    assert app.selectbox(key="source").value == source
    assert not [*app.error, *app.warning]


def without(given, keys):
    """What a figure is given, but for these."""
    return {key: one for key, one in given.items() if key not in keys}


@pytest.mark.parametrize("step", [1, pytest.param(-1, marks=pytest.mark.campaign)], ids=["forward", "backward"])
def test_one_visitor_opens_every_page_in_turn(open_app, step):
    app = open_app("5_Leaderboard")
    for file in [page.file for page in pages.lessons()][::step]:
        app.switch_page(file).run()
        assert not app.exception, file


# ------------------------------------------------------------------------------------------------------- damaged links


def lines_of(app):
    """The texts that are typed, by their keys."""
    return {str(box.key): box for box in app.text_input}


def controls_of(app):
    """The keys that the page keeps in its link, but for what is typed: controls, and what moves in its figures."""
    every = set().union(*app.session_state[link.KEY]._controls.values())
    return every - set(lines_of(app)) - {*ANOTHER_SET, *ANY_TEXT}


@every_page
def test_all_damage_of_a_link_is_told_in_one_box_and_the_page_stays_as_it_opens(usual, open_app, page):
    keys = sorted(controls_of(usual(page)))
    app = open_app(page, **dict.fromkeys(keys, NASTY))
    [told] = reading.damage(app)
    assert [key for key in keys if f"{key} cannot be “{NASTY}”" not in told] == []
    before, after = (damaged.bound(one) for one in (usual(page), app))
    assert {key: after[key].value for key in before} == {key: one.value for key, one in before.items()}
    assert not after.keys() & set(keys) & set(app.query_params), "the address is mended"
    assert not app.error
    number = {"": 1, **{Path(one.file).stem: one.number for one in pages.path()}}.get(page)
    answered = open_app(page, answers="show") if number else usual(page)  # what a link chooses is shown at once
    assert reading.figures(app) == reading.figures(answered)
    if number:
        it_says_what_it_showed_and_leads_to_the_next(answered, number)


def it_says_what_it_showed_and_leads_to_the_next(app, number):
    labels, words = [one.proto.label for one in app.get("page_link")], reading.text(app)
    one, *after = pages.path()[number - 1 : number + 1]
    assert bool(after) == bool([label for label in labels if "Next" in label])
    for following in after:
        assert f"**Next: {following.label}**" in labels
        assert f"You saw: {one.saw} Next: {one.next}".rstrip("?") in words


@pytest.mark.sampled(3)
@every_page
def test_damaged_lines_of_a_link_stay_as_they_are_and_each_is_quoted(usual, open_app, page):
    lines = [key for key, box in lines_of(usual(page)).items() if SCORES.search(box.value)]
    app = open_app(page, **dict.fromkeys(lines, f"1 {BAD} 3")) if lines else usual(page)
    assert {app.text_input(key=key).value for key in lines} <= {f"1 {BAD} 3"}
    assert len([box for box in app.error if f"'{BAD}' is not a number" in box.value]) == bool(lines) * len(app.error)
    assert bool(app.error) == bool(lines)


@pytest.mark.sampled(3)
@every_page
def test_a_mistake_in_a_line_is_said_where_it_stands_and_the_last_results_stay(usual, open_app, page):
    app = open_app(page) if lines_of(usual(page)) else usual(page)
    for key, box in lines_of(app).items():
        right = box.value
        if box.disabled or not SCORES.search(right):
            continue
        before = reading.figures(app)
        app.text_input(key=key).set_value(f"{right} x").run()
        assert not app.exception
        assert "'x' is not a number" in reading.boxes(app, "error"), key
        assert app.text_input(key=key).value == f"{right} x"
        assert reading.figures(app) == before or (page, key) in ALONE
        app.text_input(key=key).set_value(right).run()
        assert not app.error
        assert reading.figures(app) == before, key


# ------------------------------------------------------------------------------------------------------------- choices


def options_of(control):
    """What can be chosen, as a link names it, and what of it is chosen."""
    match type(control).__name__:
        case "Toggle":
            return ["false", "true"], [str(control.value).lower()]
        case "Selectbox":
            return control.options, [] if control.index is None else [control.options[control.index]]
        case "SelectSlider":
            return control.options, [str(control.value)]
        case "ButtonGroup":
            return control.options, list(control.formatted_values)
    return [], []


def other_choices(app):
    """A link with another option of every control that has one."""
    found = {}
    for key, control in damaged.bound(app).items():
        options, chosen = options_of(control)
        if key not in ANOTHER_SET and (left := [option for option in options if option not in chosen]):
            found[key] = left[-1]
    return found


@quick_pages
def test_other_choices_of_every_control_are_taken_from_a_link(usual, open_app, page):
    choices = other_choices(usual(page))
    app = open_app(page, **choices)
    told, controls = " ".join(reading.damage(app)), damaged.bound(app)
    for key in choices.keys() & controls.keys():
        options, chosen = options_of(controls[key])
        if choices[key] in options and len(options) > 1:
            assert chosen == [choices[key]], key
            assert key in app.query_params
        elif len(options) > 1 and type(controls[key]).__name__ != "SelectSlider":  # another choice took it away
            assert f"{key} cannot be" in told


# ------------------------------------------------------------------------------------------------------------ the code


def parts_of(app):
    """Links that open every part of a page that shows one at a time."""
    for key, control in damaged.bound(app).items():
        if key.endswith("part"):
            return [{key: str(getattr(option, "content", option))} for option in control.options]
    return [{}]


def check_code(app, shown, names):
    """Run code, and find a number of each result on the page."""
    told = reading.everything(app)
    for name in names:
        one, again = both(shown, name)
        assert repr(one) == repr(again), name
        numbers = [number for number in reading.numbers(one) if number % 1][:MOST_NUMBERS]
        there = [any(form.format(scale * n).replace("-", "−") in told for form, scale in FORMS) for n in numbers]
        assert sum(there) >= len(there) / 10, name


@quick_pages
def test_the_code_runs_as_shown_and_as_a_notebook_and_gives_numbers_of_the_page(usual, open_app, shown, files, page):
    seen = set()
    for part in parts_of(usual(page)):
        shown.clear()
        app = open_app(page, answers="show", **FEW.get(page, {}), **part)
        check_code(app, shown, shown.keys() - seen)
        seen |= shown.keys()
    assert files or page in NO_TABLES
    for name, frame in files.items():
        for column in frame.select_dtypes(["object", "string"]):
            for cell in frame[column].dropna():
                written = isinstance(cell, str) and NUMBER_FOR_THE_EYE.fullmatch(cell)
                assert not written or re.fullmatch(r"-?\d+(\.\d+)?", cell), (name, column)


@pytest.mark.sampled(3)  # that of every page gives its numbers, the test before this one says
@pytest.mark.parametrize("page", [page for page in PAGES if page not in NO_CODE])
def test_choices_reach_the_code(usual, open_app, shown, page):
    choices = other_choices(usual(page))
    for key in [key for key in choices if key.endswith("part") or key in PARTS]:
        del choices[key]
    app = open_app(page, answers="show", **choices)
    check_code(app, shown, shown)
