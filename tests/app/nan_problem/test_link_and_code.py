"""Damaged links, shown code and files of the page."""

import pytest

from tests.app.code import run, run_cells
from tests.app.nan_problem.reading import PAGE, POLICIES, cell, numbers, predict, said, table
from ui.work import downloads
from ui.work.presets import DATA


@pytest.mark.parametrize("lower", [[], ["Constant-src", "SourceLength-src"]])
def test_the_shown_code_makes_the_pages_numbers(open_app, monkeypatch, lower):
    calls = {}
    monkeypatch.setattr(downloads, "show_code", lambda name, *details, **_: calls.update({name: details}))
    monkeypatch.chdir(DATA.parent)
    app = open_app(PAGE, exclude=["refA", "Alder"], untied_scores="the typed segments", lower=lower)
    for start in ("evaluation set", "buckets", "untied"):
        predict(app, start)
    found = {}
    for name, (call, data, *load) in calls.items():
        load = load[0] if load else ""
        found[name] = run(downloads.source(call, data, load))
        again = run_cells(downloads.notebook(name, call, data))
        assert repr(again) == repr(found[name]), name
    typed, opened = table(app, *POLICIES)
    for shown, key in ((typed, "ranking typed segments"), (opened, "ranking evaluation set")):
        for policy in POLICIES:
            assert {n: cell(text)[0] for n, text in shown[policy].items()} == pytest.approx(
                found[key][policy], abs=5.1e-4
            )
    assert numbers(said(app, "In 5 buckets"))[2] == pytest.approx(found["buckets"][0].loc[5, "tau_b"], abs=5.1e-4)
    [shown] = [t.value for t in app.table if "spread" in t.value.columns]
    for row, name in zip(shown.to_numpy().tolist(), ("tau_10", "acc_eq"), strict=True):
        assert [numbers(text)[0] for text in row[1:]] == pytest.approx(found["ties broken"][name], abs=5.1e-4)


def test_a_damaged_link_is_forgotten_once_an_example_is_chosen(open_app):
    app = open_app(PAGE, seed="lots")
    assert any("damaged" in warning.value for warning in app.warning)
    box = app.selectbox(key="nan_example")
    box.select(box.options[1]).run()
    assert not any("damaged" in warning.value for warning in app.warning)
