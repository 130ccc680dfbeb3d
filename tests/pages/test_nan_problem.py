"""The NaN problem's page: its numbers are the library's, and what SciPy and plain definitions give."""

import csv
import io
import itertools
import math
import random
import re
import tomllib
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import tiekit as tk
from tests import reference
from tests.counting.test_ties import mean_over_all_orders
from tests.pages.test_leaderboard import upload
from tests.ui.base.test_notebook import run, run_cells
from tiekit import charts
from tiekit.readers.formats import FORMATS
from ui.base import notebook
from ui.base.presets import DATA
from ui.evalset import open
from ui.nan_problem import puzzle, tie_breaking
from ui.page import tables

PAGE = "2_NaN_problem"
PRESETS = {p["name"]: p for p in tomllib.loads((DATA / "nan_presets.toml").read_text(encoding="utf-8"))["preset"]}
FIRST = next(iter(PRESETS))
POLICIES = ["drop", "zero", "common"]
GLYPHS = {name: glyph for _, glyph, name in charts.REASON_STYLE.values()}


@pytest.fixture(scope="module")
def sample():
    return tk.read_mtme(DATA, "synthetic", "qaa-qab")


def asked(app, start):
    """The radio of the question whose key begins so; none once it is answered."""
    return [radio for radio in app.radio if radio.key.startswith(f"predict {start}")]


def predict(app, start, answer=None):
    """Answer a question, by its first option unless one is named, and reveal."""
    [radio] = asked(app, start)
    key = radio.key.removeprefix("predict ")
    assert app.button(key=f"reveal {key}").disabled
    radio.set_value(answer or radio.options[0]).run()
    app.button(key=f"reveal {key}").click().run()
    assert not app.exception
    assert not asked(app, start)


def table(app, *columns):
    """The grids with these columns, in the order of the page."""
    return [shown.value for shown in app.dataframe if set(columns) <= set(shown.value.columns)]


def alt(app, start):
    return next(chart.proto.alt for chart in app.get("vega_lite_chart") if chart.proto.alt.startswith(start))


def said(app, *parts):
    texts = [
        e.value.replace("\\", "").replace("**", "") for e in (*app.markdown, *app.success, *app.warning, *app.info)
    ]
    return next(text for text in texts if all(part in text for part in parts))


def kendall(human, metric):
    with np.errstate(invalid="ignore", divide="ignore"):
        return float(stats.kendalltau(human, metric).statistic)


def accuracy(human, metric):
    return reference.coefficient("acc_eq", reference.counts(human, metric))


def standings(per_group):
    """Value and groups of every metric under each policy, by their definitions."""
    found = {}
    for name, values in per_group.items():
        defined = [value for value in values if value == value]
        common = [
            v for place, v in enumerate(values) if all(other[place] == other[place] for other in per_group.values())
        ]
        found[name] = {
            "drop": (np.mean(defined), len(defined)),
            "zero": (sum(defined) / len(values), len(values)),
            "common": (np.mean(common), len(common)),
        }
    return found


def cell(text):
    """Value and groups that a cell of the ranking says, its rank, whether it has the star."""
    star, value, rank, groups = re.fullmatch(r"(★ )?(\S+) \((\d+)\) · ([\d,]+)", text).groups()
    return float(value.replace("−", "-")), int(groups.replace(",", "")), int(rank), bool(star)


def check_ranking(shown, expected):
    for policy in shown.columns:
        best = max(values[policy][0] for values in expected.values())
        for name, text in shown[policy].items():
            value, groups, rank, star = cell(text)
            exact, n = expected[name][policy]
            assert (value, groups) == (pytest.approx(exact, abs=5.1e-4), n), (policy, name)
            ahead = sum(values[policy][0] > exact + 1e-9 for values in expected.values())
            assert (rank, star) == (ahead + 1, exact >= best - 1e-9)


# ---------------------------------------------------------------------------------------------------- typed segments


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize(("coefficient", "formula"), [("tau_b", kendall), ("acc_eq", accuracy)])
def test_every_example_under_every_policy(open_app, name, coefficient, formula):
    preset = PRESETS[name]
    app = open_app(PAGE)
    app.selectbox(key="nan_example").select(name).run()
    assert app.selectbox(key="nan_coefficient").value == preset["coefficient"]
    app.selectbox(key="nan_coefficient").select(coefficient).run()
    assert not app.exception
    per_group = {
        m: [formula(*rows) for rows in zip(preset["human"], s, strict=True)] for m, s in preset["metrics"].items()
    }
    words = alt(app, f"{tk.COEFFICIENTS[coefficient].label} of each segment")
    for metric, values in per_group.items():
        for number, value in enumerate(values, 1):
            found = re.search(rf"segment {number} {metric} ([^;]+)", words)[1]
            if value == value:
                assert float(found.replace("−", "-")) == pytest.approx(value, abs=5.1e-3)
            else:
                human, own = preset["human"][number - 1], preset["metrics"][metric][number - 1]
                tied = len(set(human)) == 1, len(set(own)) == 1
                expected = {(True, False): "human ties", (False, True): "metric ties", (True, True): "both tie"}[tied]
                assert found == f"{GLYPHS[expected]} {expected}"
    expected = standings(per_group)
    [before] = [shown for shown in table(app, "drop") if set(shown.index) == set(per_group)]
    check_ranking(before, expected)
    lacked = {tuple(value == value for value in values) for values in per_group.values()}
    if len(lacked) > 1:
        assert list(before.columns) == ["drop"]
        predict(app, "typed segments")
    assert not asked(app, "typed segments")
    nothing = all(all(found) for found in lacked)
    [lead] = [e.value for e in app.markdown if e.value.startswith("**drop**, ") and " over " in e.value][:1]
    assert ("nothing is dropped" in lead) == nothing
    assert ("in 2021 and 2022" in lead) != nothing
    [after] = table(app, *POLICIES)
    assert list(after.columns) == POLICIES
    check_ranking(after, expected)


def test_the_first_example_has_a_winner_for_each_policy(open_app):
    app = open_app(PAGE)
    assert app.selectbox(key="nan_example").value == FIRST
    words = alt(app, "τ_b of each segment")
    assert [words.count(f"{GLYPHS[n]} {n}") for n in ("human ties", "metric ties", "both tie")] == [2, 2, 1]
    predict(app, "typed segments", "B")
    [shown] = table(app, *POLICIES)
    leaders = {policy: [name for name, text in shown[policy].items() if text.startswith("★")] for policy in POLICIES}
    assert leaders == {"drop": ["B"], "zero": ["A"], "common": ["C"]}
    told = said(app, "zero counts them as 0")
    assert "Against drop, A passes B, C passes B." in told
    assert "Against drop, C passes B, C passes A." in told
    assert said(app, "You said: B.", "It is: C.", "It has 1.000 there, against ", " over its own 4 groups.")


def test_nothing_is_answered_before_it_is_asked(open_app):
    app = open_app(PAGE)
    everything = " ".join(e.value for e in (*app.markdown, *app.success, *app.warning, *app.info))
    assert "counts them as 0" not in everything
    assert not table(app, "zero")
    assert not table(app, "common")
    assert all(not chart.proto.alt.startswith(("Value of", "Ties of")) for chart in app.get("vega_lite_chart"))
    assert sum(button.label == "Reveal" and button.disabled for button in app.button) == 4


def test_other_scores_ask_anew(open_app):
    app = open_app(PAGE)
    predict(app, "typed segments")
    app.text_input(key="nan_b").set_value("2 4 6 8 | 8 2 4 6 | 5 5 5 6 | 5 5 5 5 | 8 8 8 8").run()
    assert asked(app, "typed segments")
    assert app.selectbox(key="nan_example").value is None
    check_ranking(
        next(shown for shown in table(app, "drop") if set(shown.index) == set("ABC")),
        standings(
            {
                name: [kendall(*rows) for rows in zip(PRESETS[FIRST]["human"], rows_of, strict=True)]
                for name, rows_of in (
                    PRESETS[FIRST]["metrics"] | {"B": [[2, 4, 6, 8], [8, 2, 4, 6], [5, 5, 5, 6], [5] * 4, [8] * 4]}
                ).items()
            }
        ),
    )


@pytest.mark.parametrize(
    ("key", "text", "message"),
    [
        ("nan_h", "1 2 | 3", "segment 2 has 1 scores and segment 1 has 2"),
        ("nan_h", "1 2 | x 3", "'x' is not a number"),
        ("nan_h", "", "at least two systems"),
        ("nan_h", "1 | 2", "at least two systems"),
        ("nan_h", " | ".join(["1 2"] * 13), "has 13 segments; up to 12"),
        ("nan_a", "1 2 3 4 | 5 6 7 8", "has 2 segments of 4 systems, the human 5 of 4"),
        ("nan_b", "1,5 2 | 3 4", "has a comma"),
    ],
)
def test_a_line_that_does_not_fit_says_why_and_loses_nothing(open_app, key, text, message):
    app = open_app(PAGE)
    before = alt(app, "τ_b of each segment")
    app.text_input(key=key).set_value(text).run()
    assert not app.exception
    assert any(message in error.value.replace("\\", "") for error in app.error)
    assert alt(app, "τ_b of each segment") == before
    assert app.text_input(key=key).value == text


def test_missing_scores_and_an_empty_third_metric(open_app):
    app = open_app(PAGE, nan_h="1 2 3 | 3 nan nan", nan_a="1 2 nan | 1 2 3", nan_b="3 1 2 | 1 2 3")
    assert not app.warning
    words = alt(app, "τ_b of each segment")
    assert words.count("too few scores") == 2
    assert "segment 1 A 1.00" in words
    assert " C " not in words
    assert "Fewer than two" not in " ".join(info.value for info in app.info)


def test_a_metric_without_any_value_is_left_aside(open_app):
    app = open_app(PAGE, nan_h="1 2 | 3 4", nan_a="1 1 | 2 2", nan_b="3 4 | 1 2")
    assert "A. No policy ranks them, zero neither" in said(app, "Left aside")
    assert any("nothing to rank" in info.value for info in app.info)
    assert not asked(app, "typed segments")


# -------------------------------------------------------------------------------------------------- an evaluation set


def per_segment(sample, formula):
    chosen = sample.select()
    human = chosen.human["mqm"]
    return {
        name: [formula(h, m) for h, m in zip(human.T.tolist(), scores.T.tolist(), strict=True)]
        for name, scores in chosen.metrics.items()
    }


def test_groups_by_reason_are_counted(open_app, sample):
    [shown] = table(open_app(PAGE), "has a value")
    chosen = sample.select()
    human = chosen.human["mqm"]
    tied = (human == human[0]).all(axis=0)
    for name, row in shown.iterrows():
        own = chosen.metrics[name]
        constant = (own == own[0]).all(axis=0)
        assert row["has a value"] == (~tied & ~constant).sum()
        assert row["h human ties"] == (tied & ~constant).sum()
        assert row["m metric ties"] == (~tied & constant).sum()
        assert row["= both tie"] == (tied & constant).sum()
        pairs = [(a == b).sum() for a, b in itertools.combinations(own, 2)]
        assert row["pairs tied"] == 100 * (sum(pairs) / (105 * 300))


def test_the_set_under_every_policy(open_app, sample):
    app = open_app(PAGE)
    per_group = {n: v for n, v in per_segment(sample, kendall).items() if any(x == x for x in v)}
    assert len(per_group) == len(sample.metrics) - 2
    predict(app, "evaluation set", "Dodger\\-refA")
    assert "when a missing value counts as 0, over all 300 groups?" in said(app, "Predict: Each metric", "300")
    told = said(app, "You said: Dodger-refA.", "It is: Contour-refA.")
    assert numbers(told) == pytest.approx([0.300, 0.745, 121, 0.457, 0.513, 267], abs=1e-9)
    assert "33 of 300 groups have no value for any metric." in said(app, "for any metric")
    assert "zero neither" in said(app, "Left aside")
    [shown] = table(app, *POLICIES)
    check_ranking(shown, standings(per_group))
    board = tk.leaderboard(sample, metrics=list(per_group), coefficients=["tau_b"], calibrated=(), undefined="zero")
    assert [cell(text)[2] for text in shown["zero"]] == board.loc[shown.index, "rank(tau_b)"].tolist()
    assert shown["zero"]["Contour-refA"].startswith("★")
    assert shown["drop"]["Dodger-refA"].startswith("★")


def test_the_grid_shows_every_cell_a_page_at_a_time(open_app, sample):
    app = open_app(PAGE, which="all")
    expected, seen = per_segment(sample, kendall), Counter()
    human = sample.select().human["mqm"]
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


@pytest.mark.parametrize(
    ("link", "arguments"),
    [
        ({"grouping": "system", "coefficient": "tau_13"}, {"grouping": "system", "coefficient": "tau_13"}),
        ({"grouping": "global"}, {"grouping": "global"}),
        ({"human": "da", "domain": "chat"}, {"human": "da", "domain": "chat"}),
    ],
)
def test_choices_reach_the_library(open_app, sample, link, arguments):
    app = open_app(PAGE, **link)
    arguments = {"human": "mqm", "grouping": "item", "domain": None} | arguments
    name = arguments.pop("coefficient", "tau_b")
    board = tk.leaderboard(sample, coefficients=[name], calibrated=(), **arguments).dropna(subset=[name])
    [shown] = [shown for shown in table(app, "drop") if "Dodger-refA" in shown.index]
    for metric, text in shown["drop"].items():
        value, groups, rank, _ = cell(text)
        assert value == pytest.approx(board.loc[metric, name], abs=5.1e-4)
        assert (groups, rank) == (board.loc[metric, f"groups({name})"], board.loc[metric, f"rank({name})"])


def test_a_small_table_of_ones_own(open_app):
    lines = ["system,segment,human,m", "a,1,1,2", "b,1,2,2", "a,2,1,1", "b,2,2,5"]
    app = open_app(PAGE, source=open.FILES, layout=FORMATS["table"].label)
    upload(app, FORMATS["table"].label, ("own.csv", "\n".join(lines).encode()))
    [shown] = table(app, "has a value")
    assert shown.loc["m"].to_dict() == {"has a value": 1, "m metric ties": 1, "pairs tied": 50}


# ------------------------------------------------------------------------------------------------- buckets and guesses


def numbers(text):
    return [float(found.replace("−", "-").replace(",", "")) for found in re.findall(r"−?\d[\d,]*(?:\.\d+)?", text)]


@pytest.mark.parametrize("k", [5, 3, 20])
def test_buckets_are_the_librarys(open_app, sample, k):
    app = open_app(PAGE, bucket_metric="Contour-refA", k=str(k))
    predict(app, "buckets", "it falls")
    told = said(app, "You said: it falls.")
    assert "It is: it rises." in told
    assert "can cost less than a mistake" in told
    assert told.count("From 0.513 on 267 groups to 0.596 on 240.") == 1
    assert app.select_slider(key="k").value == k
    chosen = sample.select()
    human, metric = chosen.human["mqm"], chosen.metrics["Contour-refA"]
    low, high = metric.min(), metric.max()
    edges = low + (high - low) * np.arange(1, k) / k
    bucketed = np.searchsorted(edges, metric, side="right")
    before, after = ([kendall(h, m) for h, m in zip(human.T, own.T, strict=True)] for own in (metric, bucketed))
    kept = [a for a, b in zip(before, after, strict=True) if b == b]
    right = [
        np.mean([accuracy(h, m) for h, m in zip(human.T.tolist(), own.T.tolist(), strict=True)])
        for own in (metric, bucketed)
    ]
    now, was, same = np.nanmean(after), np.nanmean(before), np.mean(kept)
    text, defined = said(app, f"In {k} buckets"), np.isfinite(before).sum()
    expected = [k, was, now, defined, len(kept), now - was, same - was, defined - len(kept), len(kept), same]
    told = numbers(text.replace("+", ""))
    assert told == pytest.approx([*expected, now - same], abs=1.1e-3)
    assert round(1000 * told[5]) == round(1000 * told[6]) + round(1000 * told[-1])
    pairs = [(i, j) for i, j in itertools.combinations(range(15), 2)]
    tied = np.concatenate([(bucketed[i] == bucketed[j]) & (metric[i] != metric[j]) for i, j in pairs])
    both = np.concatenate([human[i] == human[j] for i, j in pairs])[tied].mean()
    order = [(human[i] - human[j]) * (metric[i] - metric[j]) > 0 for i, j in pairs]
    lost = np.concatenate(order)[tied].mean()
    text = said(app, "It drops no group")
    assert numbers(text) == pytest.approx(
        [*right, tied.sum(), round(100 * both), round(100 * lost), accuracy_of_one_score(human)], abs=5.1e-4
    )
    best = tk.calibrate(human, metric)
    text = said(app, "Fair is acc_eq*")
    assert numbers(text)[:2] == pytest.approx([best.value, best.epsilon], abs=5.1e-4)
    assert "No k on the slider beats it; the best, 5, comes to 0.697." in text
    words = alt(app, f"Value of Contour-refA in {k} buckets")
    levels = [now, was, *right[::-1], best.value, accuracy_of_one_score(human)]
    assert numbers(words)[1:] == pytest.approx(levels, abs=5.1e-4)


def accuracy_of_one_score(human):
    return np.mean([accuracy(row, [1] * len(row)) for row in human.T.tolist()])


def test_buckets_of_typed_segments(open_app):
    app = open_app(PAGE, bucket_scores="the typed segments", bucket_metric="C", bucket_coefficient="tau_b")
    predict(app, "buckets")
    preset = PRESETS[FIRST]
    curve = tk.bucket_curve(np.transpose(preset["human"]), np.transpose(preset["metrics"]["C"]), [5])
    text = said(app, "In 5 buckets")
    assert numbers(text)[2] == pytest.approx(curve.loc[5, "tau_b"], abs=5.1e-4)
    assert numbers(text)[4] == curve.loc[5, "groups(tau_b)"]


def test_buckets_where_there_is_nothing_to_gain(open_app):
    app = open_app(PAGE, bucket_metric="Constant-src")
    assert "nothing to gain" in said(app, "Constant-src has no value")
    assert not asked(app, "buckets")


def test_broken_ties_are_the_librarys_and_follow_the_seed(open_app, sample):
    chosen = sample.select()
    human, metric = chosen.human["mqm"], chosen.metrics["Dodger-refA"]
    app = open_app(PAGE)
    assert app.selectbox(key="untied_metric").value == "Dodger-refA"  # no other ties more and still says something
    predict(app, "untied", "it rises")
    for seed, repeats in ((1, 20), (7, 20), (7, 5)):
        app.number_input(key="seed").set_value(seed).run()
        app.selectbox(key="repeats").select(str(repeats)).run()
        assert not app.exception
        [shown] = [t.value for t in app.table if "spread" in t.value.columns]
        for row, name in zip(shown.to_numpy().tolist(), ("tau_10", "acc_eq"), strict=True):
            after = tk.correlate_untied(human, metric, name, rng=seed, repeats=repeats)
            expected = [tk.correlate(human, metric, name).value, after.mean(), after.std(ddof=1)]
            assert [numbers(text)[0] for text in row[1:]] == pytest.approx(expected, abs=5.1e-4)
    [words] = [t.proto.alt for t in app.table if "spread" in t.value.columns]
    assert words.startswith("Ties of Dodger-refA broken 5 times: τ_10 −0.283, then ")
    assert f"{tk.correlate(human, metric, 'tau_14').value:.3f}" in said(app, "On average τ_10 becomes τ_14")
    pairs = [(human[i] == human[j])[metric[i] == metric[j]] for i, j in itertools.combinations(range(15), 2)]
    both, only = sum(pair.sum() for pair in pairs), sum((~pair).sum() for pair in pairs)
    text = said(app, "acc_eq loses").replace("+", "").replace("/2", "")
    many = tk.correlate_untied(human, metric, "acc_eq", rng=1, repeats=100)
    assert numbers(text)[:5] == [both, only, -both, only, only / 2 - both]
    assert numbers(text)[5] == pytest.approx(many.mean(), abs=5 * many.std() / 10 + 5.1e-4)


@pytest.mark.parametrize(
    ("human", "metric"),
    [([1, 2, 3, 3], [0, 0, 0, 1]), ([1, 1, 2, 3], [5, 4, 4, 4]), ([3, 1, 2, 2, 1], [1, 1, 0, 0, 0])],
)
def test_acc_eq_to_expect_is_the_mean_over_all_orders(human, metric):
    counts = np.array([tk.count_pairs(human, metric).row])
    assert tie_breaking.expected_accuracy(counts) == pytest.approx(mean_over_all_orders(human, metric, "acc_eq"))


def test_broken_ties_of_typed_segments(open_app):
    app = open_app(PAGE, untied_scores="the typed segments", untied_metric="B", seed="3")
    predict(app, "untied", "it rises")
    preset = PRESETS[FIRST]
    human, metric = np.transpose(preset["human"]), np.transpose(preset["metrics"]["B"])
    [shown] = [t.value for t in app.table if "spread" in t.value.columns]
    after = tk.correlate_untied(human, metric, "tau_10", rng=3, repeats=20)
    assert numbers(shown.iloc[0, 1])[0] == pytest.approx((1 + 2 / 3 - 1 - 1) / 4, abs=5.1e-4)
    assert numbers(shown.iloc[0, 2])[0] == pytest.approx(after.mean(), abs=5.1e-4)


# ---------------------------------------------------------------------------------------------------------- the puzzle


def tyings(scores):
    """Every way to tie scores without turning a pair round: neighbours among the levels are merged or not."""
    levels = sorted(set(scores))
    for apart in itertools.product([0, 1], repeat=len(levels) - 1):
        number = dict(zip(levels, itertools.accumulate((0, *apart)), strict=True))
        yield [number[score] for score in scores]


def mean(human, metric, name):
    values = [reference.coefficient(name, reference.counts(*rows)) for rows in zip(human, metric, strict=True)]
    defined = [value for value in values if value == value]
    return np.mean(defined) if defined else math.nan


def test_the_puzzle_can_be_solved_under_tau_b_and_not_under_acc_eq():
    """All 4,096 ways to tie: those that win are solutions to the page, some others are none."""
    chance = random.Random(1)
    for name, number in (("tau_b", 15), ("acc_eq", 0)):
        entry, rival = tk.COEFFICIENTS[name], mean(puzzle.HUMAN, puzzle.GOOD, name)
        assert mean(puzzle.HUMAN, puzzle.WORSE, name) < rival
        own = [
            {tuple(tied): reference.coefficient(name, reference.counts(human, tied)) for tied in tyings(scores)}
            for human, scores in zip(puzzle.HUMAN, puzzle.WORSE, strict=True)
        ]
        solved, best = 0, -math.inf
        for tried in itertools.product(*own):
            values = [by[tied] for by, tied in zip(own, tried, strict=True)]
            defined = [value for value in values if value == value]
            wins = bool(defined) and np.mean(defined) > rival + 1e-12
            best = max(best, np.mean(defined) if defined else best)
            solved += wins
            if wins or chance.random() < 0.02:
                kind, words = puzzle.judge([list(tied) for tied in tried], entry)
                assert (kind == "solved") == wins
                assert kind != "wrong", words
        assert solved == number
        if name == "acc_eq":
            assert best <= puzzle.reachable(puzzle.HUMAN, puzzle.WORSE) + 1e-12 < rival


@given(
    st.lists(st.permutations(range(4)), min_size=1, max_size=2),
    st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=4), min_size=2, max_size=2),
)
def test_when_acc_eq_cannot_be_won(metric, human):
    """Tying gains at most the pairs that the human ties; where the human ties none, nothing at all."""
    human = human[: len(metric)]
    most = max(mean(human, tried, "acc_eq") for tried in itertools.product(*map(tyings, metric)))
    assert most <= puzzle.reachable(human, metric) + 1e-12
    if all(len(set(row)) == 4 for row in human):
        assert most == mean(human, metric, "acc_eq") == puzzle.reachable(human, metric)


SOLUTION = "8 6 5 2 | 6 6 3 3 | 4 4 4 4 | 5 5 5 5"


@pytest.mark.parametrize(
    ("line", "coefficient", "kind", "words"),
    [
        ("8 6 5 2 | 1 1 1 1 | 4 4 4 4 | 5 5 5 5", "tau_b", "success", "worse wins under τ_b, 1.000 over 1 of 4"),
        ("8 6 5 2 | 1 1 1 1 | 4 4 4 4 | 5 5 5 5", "tau_b", "success", "Now win with two segments left"),
        (SOLUTION, "tau_b", "success", "over 2 of 4 segments, against 0.812"),
        (SOLUTION, "acc_eq", "info", "less than good: no tying wins under acc_eq"),
        ("8 6 5 2 | 6 7 3 5 | 3 4 6 5 | 4 7 6 5", "tau_b", "info", "Nothing is tied yet"),
        ("8 6 5 2 | 6 7 3 5 | 4 4 4 4 | 4 7 6 5", "tau_b", "info", "Segment 4 pulls the mean down most, with −0.667"),
        ("1 1 1 1 | 1 1 1 1 | 1 1 1 1 | 1 1 1 1", "tau_b", "info", "no value at all"),
        ("8 6 5 2 | 6 7 3 5 | 3 4 6 5 | 4 7 5 6", "tau_b", "warning", "Segment 4: systems 3 and 4 have changed sides"),
        ("8 6 5 2 | 1 1 1 1 | 4 4 4 4 | 5 5 5 nan", "tau_b", "warning", "Segment 4: a score is missing"),
    ],
)
def test_the_puzzle_says_what_is_wrong(open_app, line, coefficient, kind, words):
    app = open_app(PAGE, puzzle_coefficient=coefficient)
    app.text_input(key=puzzle.KEY).set_value(line).run()
    assert not app.exception
    found = [e.value.replace("\\", "").replace("**", "") for e in getattr(app, kind)]
    assert any(words in text for text in found), found
    assert bool(app.success) == (kind == "success")
    [shown] = table(app, "worse's value")
    metric = [[float(x) for x in part.split()] for part in line.split("|")]
    for text, human, own in zip(shown["worse's value"], puzzle.HUMAN, metric, strict=True):
        value = reference.coefficient(coefficient, reference.counts(human, own))
        assert text == ("undefined" if value != value else f"{value:.3f}".replace("-", "−"))


def test_the_puzzle_keeps_the_last_line_that_fitted_and_says_so(open_app):
    app = open_app(PAGE, **{puzzle.KEY: SOLUTION})
    [before] = [shown.values.tolist() for shown in table(app, "worse's value")]
    app.text_input(key=puzzle.KEY).set_value("8 6 x").run()
    [after] = [shown.values.tolist() for shown in table(app, "worse's value")]
    assert after == before
    assert not app.success
    assert any("the last scores that did" in info.value for info in app.info)


def test_csv_values_of_the_page_are_numbers(open_app, monkeypatch):
    files = {}
    monkeypatch.setattr(tables, "_offer", lambda frame, name, **_: files.update({name: tables.to_csv(frame)}))
    app = open_app(PAGE, which="all", **{puzzle.KEY: SOLUTION})
    for start in ("typed segments", "evaluation set", "untied"):
        predict(app, start)
    words = {"coefficient", "segment", "human", "good", "worse"}
    assert len(files) == 6
    for name, text in files.items():
        rows = list(csv.DictReader(io.StringIO(text)))
        found = [row[column] for row in rows for column in row if column not in words and "reason" not in column]
        assert len(found) >= 4, name
        assert all(math.isfinite(float(cell)) for cell in found if cell), name


def test_the_puzzle_starts_over_and_keeps_its_line_in_the_link(open_app):
    app = open_app(PAGE, **{puzzle.KEY: SOLUTION})
    assert app.text_input(key=puzzle.KEY).value == SOLUTION
    assert app.success
    next(button for button in app.button if button.label == "Start over").click().run()
    assert app.text_input(key=puzzle.KEY).value == puzzle.line_of(puzzle.WORSE)
    assert not app.success


# ----------------------------------------------------------------------------------------------------- links and code


@pytest.mark.parametrize(
    "link", [{"k": "1"}, {"k": "many"}, {"seed": "-1"}, {"page": "0"}, {"nan_coefficient": "x"}, {"which": "x"}]
)
def test_a_damaged_link_says_so(open_app, link):
    [(key, text)] = link.items()
    app = open_app(PAGE, **link)
    assert any("damaged" in warning.value and text in warning.value.replace("\\", "") for warning in app.warning), key


@pytest.mark.parametrize("lower", [[], ["Constant-src", "SourceLength-src"]])
def test_the_shown_code_makes_the_pages_numbers(open_app, monkeypatch, lower):
    calls = {}
    monkeypatch.setattr(notebook, "show", lambda name, *details, **_: calls.update({name: details}))
    monkeypatch.chdir(DATA.parent)
    app = open_app(PAGE, exclude=["refA", "Alder"], untied_scores="the typed segments", lower=lower)
    for start in ("typed segments", "evaluation set", "buckets", "untied"):
        predict(app, start)
    found = {}
    for name, (call, data, *load) in calls.items():
        load = load[0] if load else ""
        found[name] = run(notebook.source(call, data, load))
        again = run_cells(notebook.notebook(name, call, data))
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
    assert found["puzzle"] == pytest.approx([mean(puzzle.HUMAN, m, "tau_b") for m in (puzzle.GOOD, puzzle.WORSE)])


def test_a_damaged_link_is_forgotten_once_an_example_is_chosen(open_app):
    app = open_app(PAGE, seed="lots")
    assert any("damaged" in warning.value for warning in app.warning)
    box = app.selectbox(key="nan_example")
    box.select(box.options[1]).run()
    assert not any("damaged" in warning.value for warning in app.warning)
