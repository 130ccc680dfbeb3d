"""The story as one file: its numbers are the library's, its texts are those of the app, and it is small."""

from __future__ import annotations

import pickle
import re
from itertools import pairwise

import numpy as np
import pytest
from click.testing import CliRunner

import tiekit as tk
from tiekit.cli.main import tiekit
from tiekit.figures import story

pytestmark = pytest.mark.filterwarnings("ignore::tiekit.errors.NearTieWarning")

MOST = 600_000
"""Bytes of the page."""

DIGITS = 5e-6
"""Values in the figures are rounded to so much."""


@pytest.fixture(scope="module")
def page(story_file):
    return story_file.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def told(story_file):
    return pickle.loads(story_file.with_suffix(".pickle").read_bytes())


@pytest.fixture(scope="module")
def wmt22():
    return tk.load("wmt22").select()


def curves(told):
    return told.figures["calibration_explorer"]["curves"]


def test_ranks_are_those_of_the_leaderboard(told, wmt22):
    chart = told.figures["bump"]
    columns = [column["key"] for column in chart["columns"]]
    board = tk.leaderboard(wmt22, coefficients=columns)
    ranks = board[[f"rank({column})" for column in columns]].astype(int).rename(story.short_name)
    assert {one["name"]: one["ranks"] for one in chart["metrics"]} == ranks.T.to_dict("list")
    own = ranks.loc["GEMBA-Dav3"]
    assert (told.numbers["top_rank"], told.numbers["worst_rank"]) == ("2nd", "24th")
    assert own.min() == 2 == own[f"rank({'tau_13'})"]
    assert own.max() == 24 == own[f"rank({'tau_10'})"]


def test_curves_are_those_of_calibration(told, wmt22):
    names = {story.short_name(name): name for name in wmt22.metrics}
    for curve in curves(told):
        found = tk.calibrate(wmt22, names[curve["name"]])
        best = curve["best"]
        assert curve["epsilons"][best] == found.epsilon
        assert abs(curve["values"][best] - found.value) < DIGITS
        assert abs(curve["values"][0] - found.value_at_zero) < DIGITS
        assert all(one < other for one, other in pairwise(curve["epsilons"]))
    curve = curves(told)[0]
    for at in (1, len(curve["epsilons"]) // 2):
        value = tk.correlate(wmt22, names[curve["name"]], "acc_eq", epsilon=curve["epsilons"][at]).value
        assert abs(curve["values"][at] - value) < 1e-3  # thresholds between two points have six digits


def test_how_many_metrics_lose_to_a_constant_one(told, wmt22):
    human = wmt22.human["mqm"]
    constant = tk.correlate(human, np.where(np.isnan(human), np.nan, 0), "acc_eq", grouping="item").value
    values = [tk.correlate(wmt22, name, "acc_eq").value for name in wmt22.metrics]
    assert told.numbers["beaten"] == str(sum(value < constant for value in values)) == "17"
    assert told.numbers["metrics"] == str(len(values)) == "24"
    apps = [page["app"] for page in told.told["pages"]]
    assert apps[3]["question"].startswith("17 of 24 metrics lose")
    assert "the 17 that do worse" in apps[3]["opening"]
    scores = wmt22.metrics["GEMBA-Dav3-DA-refA"]
    different = np.unique(scores[np.isfinite(scores) & np.isfinite(human)]).size
    assert f"gives only {different} different scores" in apps[4]["shown"]
    assert [app["scores"] for app in apps if "24 metrics" in app.get("scores", "")] == [
        "Conference on Machine Translation of 2022 (WMT22), Chinese–English, 24 metrics",
        "Conference on Machine Translation of 2022, Chinese–English, 24 metrics",
    ]
    asked, told = told.told["pages"][-1]["question"], told.numbers
    assert f"of {told['metrics']} metrics keep their rank" in asked
    at = [tk.sentinels.tie_shares(wmt22, shares=[share]).set_index("metric")["value"] for share in (0.08, 0.4155)]
    few, many = ([(found > one + 1e-12).sum() for one in found] for found in at)
    steps = [abs(one - other) for one, other in zip(few, many, strict=True)]
    assert (told["kept"], told["far"]) == (str(steps.count(0)), str(sum(step >= 5 for step in steps))) == ("1", "11")
    assert "and each metric's rank at other shares" in tk.measures.which_number(wmt22, ties=0.08).rules["number"][0]
    assert told["constant_value"] == f"{constant:.3f}"
    assert told["bleu_ties"] == "99.8\u00a0%"


def test_ranks_where_people_tie_less(told, wmt22):
    scores = {story.short_name(name): one for name, one in wmt22.metrics.items()}
    noisy = {"MATESE + noise": tk.sentinels.perturb(scores["MATESE"], rng=0)}
    found = tk.sentinels.tie_shares(wmt22.human["mqm"], {**scores, **noisy}, grouping="item", shares=[0.08])
    values = found.set_index("metric")["value"]
    others = values[[name for name in scores if name != "MATESE"]]
    for name, key in (("MATESE", "few_rank"), ("MATESE + noise", "few_noisy_rank")):
        assert told.numbers[key] == f"{1 + (others > values[name]).sum()}{'st' if key == 'few_rank' else 'th'}"


def test_the_way_to_win_is_a_way_to_win(told):
    shown = told.figures["nan_explorer"]
    rows = {one["name"]: one["scores"] for one in shown["metrics"]}
    ties = story.way_to_win(shown)
    assert len(ties) == 2
    for segment, *_ in ties:
        rows["BLEU"][segment] = [0] * 4
    human = np.transpose(shown["human"])
    means = {n: tk.correlate(human, np.transpose(m), "tau_b", grouping="item").value for n, m in rows.items()}
    assert max(means, key=means.get) == "BLEU"


def test_the_rule_does_not_choose_the_winner_on_the_real_set(told, wmt22):
    for undefined in ("drop", "zero"):
        board = tk.leaderboard(wmt22, coefficients="tau_b", undefined=undefined)
        assert story.short_name(board.index[0]) == told.numbers["nan_winner"]


def test_the_difference_that_may_be_chance_is_one_of_the_ranking(told, wmt22):
    ranking = [*map(story.short_name, tk.leaderboard(wmt22, coefficients="acc_eq*").index)]
    numbers = told.numbers
    assert ranking.index(numbers["chance_b"]) == ranking.index(numbers["chance_a"]) + 1
    test = tk.significance.permutation_test(wmt22, "GEMBA-Dav3-DA-refA", "COMET-20-refA", "acc_eq*")
    assert numbers["chance_p"] == f"{test.pvalue:.2f}"
    assert test.pvalue > 0.05
    shown = told.figures["swap_explorer"]
    as_much = sum(abs(one) >= abs(shown["observed"]) for one in shown["samples"])
    assert (as_much + 1) / (len(shown["samples"]) + 1) == pytest.approx(test.pvalue)
    assert (numbers["item_winner"], numbers["global_winner"]) == ("COMET-20", "COMET-QE")


def test_the_experts_are_ranked_as_in_the_values_of_the_set(told):
    rows = {one["name"]: one for one in next(
        board["rows"] for board in told.figures["human_rows"]["boards"]
        if (board["judge"], board["measure"]) == ("direct assessment", "item/acc_eq*")
    )}  # fmt: skip
    better = [name for name, one in rows.items() if one["value"] > rows["MQM"]["value"]]
    assert told.numbers["experts_rank"] == f"{len(better) + 1}th"
    assert "BLEU" in better
    assert rows["MQM + noise"]["value"] > rows["BLEU"]["value"]


def test_identical_translations_are_those_of_the_audit(told, wmt22):
    found = tk.identical.audit(wmt22)
    ties = found.table["tied"]
    assert told.numbers["identical_pairs"] == f"{found.n_identical:,}"
    assert told.numbers["identical_tied"] == f"{100 * ties['metricx_xxl_MQM_2020-refA']:.0f}\u00a0%"
    assert told.numbers["identical_by_experts"] == f"{100 * ties['mqm']:.0f}\u00a0%"
    first, second = (wmt22.human["mqm"][[wmt22.systems.index(one) for one in found.differences[which]],
                                        found.differences["segment"]] for which in ("first", "second"))  # fmt: skip
    assert ((first == 0) & (second == 0)).sum() > 0.5 * (first == second).sum()  # mostly because they found no error


def test_texts_are_those_of_the_app_with_every_number(page, told):
    assert len(told.told["pages"]) == page.count('<section class="lesson" id="lesson-') == 7
    text = re.sub(r"<script.*", "", page.partition("</head>")[2], flags=re.DOTALL)
    assert not re.search(r"[{}]|\*\*|τ_|acc_", text)
    assert "17 of 24 metrics lose" in text
    for one in told.told["pages"]:
        assert "{" not in one["title"] + one["question"] + one["saw"] + one["next"]  # the app shows these as they are


def test_names_of_metrics_are_short_and_different(wmt22):
    names = [*map(story.short_name, wmt22.metrics)]
    assert len(set(names)) == len(names)
    assert {"MetricX", "COMET-22", "GEMBA-GPT4", "UniTE-ref"} <= set(names)
    assert all(len(name) < 20 for name in names)


def test_the_page_is_one_small_file(page):
    assert len(page.encode()) < MOST
    assert page.count("const $shared_mount = ") == page.count("const $shared_elements = ") == 1
    assert not re.search(r"""(src|srcset)=|url\(|@import|fetch\(|XMLHttp""", page)


def test_the_advice_is_that_of_which_number():
    advice, asked = story._advice(), tk.measures.questions()
    assert len(advice["said"]) == np.prod([len(answers) for _, answers in asked.values()])
    answers = {"ties": "few", "groups": "several", "scales": "both", "systems": "many", "purpose": "segments"}
    found = tk.measures.which_number(**answers)
    paragraph, *rules = (advice["texts"][at] for at in advice["said"]["|".join(answers[name] for name in asked)])
    assert paragraph == found.paragraph
    assert [one[1] for one in rules] == found.rules["number"].tolist()


def test_the_command_writes_the_page(tmp_path, monkeypatch):
    monkeypatch.setattr(story, "story_page", lambda: "<!doctype html>")
    place = tmp_path / "ties.html"
    found = CliRunner().invoke(tiekit, ["story", "-o", str(place)])
    assert (found.exit_code, place.read_text()) == (0, "<!doctype html>")
    assert str(place) in found.stderr
    assert CliRunner().invoke(tiekit, ["story", "-o", str(tmp_path / "no" / "ties.html")]).exit_code == 1
