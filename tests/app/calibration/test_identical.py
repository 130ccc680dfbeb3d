"""The same translation twice, on the Calibration page: the library's numbers, also by the code that is shown."""

import re

import pytest

import tiekit as tk
from tests.app.code import both

PAGE, METRIC = "3_Calibration", "Contour-refA"


def said(app, start):
    texts = [element.value.replace("\\", "") for element in app.markdown]
    return next((text for text in texts if start in text), "")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("link", [{"grouping": "global", "coefficient": "tau_eq", "domain": "chat"}, {}])
def test_the_numbers_are_the_librarys(open_app, synthetic, shown, link):
    app = open_app(PAGE, metric=METRIC, **link)
    chosen = synthetic.select(domain=link.get("domain"))
    audited = tk.identical.audit(chosen, exclude=(), n_resamples=0).table
    row, human = audited.loc[METRIC], audited.loc["mqm"]
    words = said(app, "Where two systems give the same translation")
    assert f"Of {row['pairs']:,} such pairs {METRIC} ties {100 * row['tied']:.1f} %" in words
    assert f"of {human['pairs']:,} the human score mqm ties {100 * human['tied']:.1f} %" in words
    assert float(re.search(r"is (\S+); ε\*", words)[1]) == pytest.approx(row["epsilon_0"], rel=1e-3)
    how = {"grouping": link.get("grouping", "item"), "exclude": ()}
    name = link.get("coefficient", "acc_eq")
    values = [
        tk.correlate(chosen, METRIC, name, **how).value,
        tk.correlate(chosen, METRIC, name, tie_identical=True, **how).value,
        tk.correlate(chosen, METRIC, f"{name}*", **how).value,
    ]
    before, tied, best = (f"{value:.4f}".replace("-", "−") for value in values)
    assert f"goes from {before} at ε = 0 to {tied}; at ε* it is {best}" in said(app, "If these pairs alone are tied")
    assert said(app, f"{(audited.tied == 1).sum()} of {len(audited)} human scores and metrics tie all")
    for found in both(shown, "-identical"):
        assert found.loc[[METRIC, "mqm"], "tied"].tolist() == audited.loc[[METRIC, "mqm"], "tied"].tolist()


def test_means_have_no_texts(open_app):
    app = open_app(PAGE, metric=METRIC, grouping="system means")
    assert said(app, "Where two systems give the same translation")
    assert not said(app, "If these pairs alone are tied")


def test_a_part_of_a_set_may_have_none(open_app):
    app = open_app(PAGE, metric=METRIC, domain="news")
    assert "No two translations of a segment that Contour-refA scored are identical." in [
        element.value.replace("\\", "") for element in app.info
    ]
