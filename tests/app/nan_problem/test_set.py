"""An evaluation set: groups by reason, every policy, the grid, choices."""

import re
from collections import Counter

import numpy as np
import pytest
from scipy import stats

import tiekit as tk
from tests.app.nan_problem.reading import (
    PAGE,
    POLICIES,
    check_ranking,
    numbers,
    predict,
    said,
    table,
)
from tests.app.uploads import upload
from tiekit.figures import display_names
from tiekit.readers import FORMATS
from ui.evalset import sources


def test_groups_by_reason_are_counted(open_app, sample):
    [shown] = table(open_app(PAGE), "has a value")
    chosen = sample.select()
    human = chosen.human["mqm"]
    columns = {
        "has a value": "",
        "h human ties": "all human scores tie",
        "m metric ties": "all metric scores tie",
        "= both tie": "all human scores tie and all metric scores tie",
    }
    for name, row in shown.iterrows():
        reasons = Counter(tk.reasons_per_group(human, chosen.metrics[name]))
        assert {column: row[column] for column in columns} == {one: reasons[why] for one, why in columns.items()}
        assert row["pairs tied"] == 100 * tk.count_ties(chosen.metrics[name], where=human).share


def test_the_set_under_every_policy(open_app, sample):
    app = open_app(PAGE)
    predict(app, "evaluation set", "Dodger\\-refA")
    assert "best on the 90 groups that have a value for every metric?" in said(app, "Predict:", "on the 90 groups")
    told = said(app, "You said: Dodger-refA.", "It is: Contour-refA.")
    assert numbers(told) == pytest.approx([0.573, 0.573, 90, 0.689, 0.513, 267], abs=1e-9)
    assert "33 of 300 groups have no value for any metric." in said(app, "for any metric")
    assert "is undefined in every group" in said(app, "Not ranked")
    [shown] = [shown for shown in table(app, *POLICIES) if "Contour-refA" in shown.index]
    check_ranking(shown, sample)
    assert len(shown) == len(sample.metrics) - 2
    assert shown["zero"]["Contour-refA"].startswith("★")
    assert shown["drop"]["Dodger-refA"].startswith("★")


def test_the_grid_shows_every_cell_a_page_at_a_time(open_app, sample):
    app = open_app(PAGE, which="all")
    chosen, seen = sample.select(), Counter()
    human = chosen.human["mqm"]
    expected = {name: tk.correlate(human, one, "tau_b").per_group for name, one in chosen.metrics.items()}
    for page in (1, 7, 15):
        app.session_state["page"] = page
        app.run()
        [shown] = table(app, *sample.metrics)
        assert list(shown.index) == [str(number) for number in range(20 * page - 19, 20 * page + 1)]
        for segment, row in shown.iterrows():
            for name, text in row.items():
                value = expected[name][int(segment) - 1]
                if value == value:
                    assert float(text.replace("−", "-")) == pytest.approx(value, abs=5.1e-3)
                else:
                    seen[text] += 1
                    tied = bool((human[:, int(segment) - 1] == human[0, int(segment) - 1]).all())
                    assert text.split()[0] in ("h=" if tied else "m")
    assert len(seen) == 3


def test_only_groups_that_some_metric_lacks(open_app, sample):
    app = open_app(PAGE)
    assert not table(app, *sample.metrics)
    app.session_state["grid"] = True
    app.run()
    [shown] = table(app, *sample.metrics)
    ranked = [name for name in sample.metrics if name not in ("Constant-src", "SourceLength-src")]
    undefined = shown[ranked].map(lambda text: not re.fullmatch(r"−?[\d.]+", text))
    assert len(shown) == 20
    assert undefined.any(axis=1).all()
    assert not undefined.all(axis=1).any()


def test_a_small_table_of_ones_own(open_app):
    lines = ["system,segment,human,m", "a,1,1,2", "b,1,2,2", "a,2,1,1", "b,2,2,5"]
    app = open_app(PAGE, source=sources.FILES, layout=FORMATS["table"].label)
    upload(app, FORMATS["table"].label, ("own.csv", "\n".join(lines).encode()))
    [shown] = table(app, "has a value")
    assert shown.loc["m"].to_dict() == {"has a value": 1, "m metric ties": 1, "pairs tied": 50}


@pytest.mark.campaign
def test_the_second_sentence_is_honest_about_the_real_set(open_app):
    """By SciPy's τ_b: which metric leads under each rule, and what dropped segments and new ties change."""
    app = open_app("2_NaN_problem", source="WMT22 Chinese–English")
    assert "24 metrics is the same under all three rules (GEMBA-GPT4)" in said(app, "On all 1,875 segments")
    told = said(app, "Ties matter even so")
    short = told.split(": round ")[1].split(" to 5 values")[0].replace("\\", "")
    data = tk.load_wmt22()
    name = next(name for name, shown in display_names(data.metrics).items() if shown == short)
    kept = [system != "refA" for system in data.systems] & ~np.isnan(data.human["mqm"]).all(axis=1)
    human, metric = data.human["mqm"][kept], data.metrics[name][kept]
    assert not np.isnan(human).any()
    assert not np.isnan(metric).any()
    bucketed = tk.to_buckets(metric, 5)
    with np.errstate(invalid="ignore"):
        taus = [
            np.array([stats.kendalltau(h, m).statistic for h, m in zip(human.T, one.T, strict=True)])
            for one in (metric, bucketed)
        ]
    before, after = (np.nanmean(one) for one in taus)
    same = np.nanmean(taus[0][~np.isnan(taus[1])])
    assert (after - same) / (after - before) > 0.8
    assert f"rises by {after - before:.3f}, nearly all of it through new ties within segments." in told


def test_a_link_that_names_no_seed_is_said_to_be_damaged_as_often_as_it_comes(open_app):
    app = open_app(PAGE, seed="9" * 400)
    assert any("seed cannot be" in one.value for one in app.warning)
    app.query_params["seed"] = "x"
    app.run()
    assert not app.exception
    assert app.number_input(key="seed").value == 1
