"""Where a metric stands is what the leaderboard ranks and the tests of every two metrics find."""

import io
import itertools
import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import tiekit as tk
from tests.cli.test_commands import run
from tests.strategies import examples
from tiekit.significance import bootstrap_interval, compare_metrics

MANY = {"n_resamples": 99, "rng": 3}
MEASURES = ["acc_eq*", "tau_b", "system_means/pearson"]


@pytest.fixture(scope="module")
def data():
    return tk.load("synthetic", "qaa-qab")


@pytest.fixture(scope="module")
def found(data):
    return tk.standing(data, "Judge", MEASURES, confidence=0.9, **MANY)


def test_rows_are_those_of_leaderboard_comparison_and_bootstrap(data, found):
    board = tk.leaderboard(data, coefficients=MEASURES, rank_by="acc_eq*")
    tested = compare_metrics(data, None, "acc_eq*", **MANY)
    assert list(found.rows.index) == list(board.index)
    assert_allclose(found.rows["value"], board["acc_eq*"])
    assert found.rows["rank"].tolist() == board["rank(acc_eq*)"].tolist()
    assert found.rows["cluster"].tolist() == tested.clusters().reindex(board.index).tolist()
    assert_allclose(found.rows["pvalue"], tested.pvalues.loc[board.index, found.metric])
    assert_allclose(found.rows["difference"], board["acc_eq*"] - board["acc_eq*"][found.metric])
    assert found.others["rank"].tolist() == [board.loc[found.metric, f"rank({one})"] for one in MEASURES[1:]]
    assert_allclose(found.others["value"], board.loc[found.metric, MEASURES[1:]].astype(float))
    common = np.logical_or.reduce([np.isnan(data.select().metrics[name]) for name in board.index])
    human = np.where(common, np.nan, data.select().human["mqm"])
    for name in (found.metric, board.index[-1]):
        own = bootstrap_interval(human, data.select().metrics[name], "acc_eq*", confidence=0.9, **MANY)
        assert (found.rows.loc[name, "low"], found.rows.loc[name, "high"]) == (own.low, own.high)


def test_the_sentence_says_rank_cluster_neighbors_and_other_measures(found):
    above, below = (found.rows.index[list(found.rows.index).index(found.metric) + step] for step in (-1, 1))
    for words in (f"{found.metric} is 4th of 10", f"Next above is {above}", f"Next below is {below}", "By tau_b it is"):
        assert words in found.sentence
    for p, is_close in ((0.09, True), (0.5, False)):  # of 99 swaps, two standard errors are 0.044
        tested = replace(found.comparison, pvalues=found.comparison.pvalues * 0 + p)
        assert ("whole segments; one near 0.05 is precise to ±0.044." in tested.say_neighbors(found.metric)) == is_close
    assert str(found).startswith(found.sentence)
    assert repr(found) == str(found)
    assert all(str(name) in str(found) for name in found.rows.index)
    assert found.signature.startswith(f"metric:{found.metric}|alpha:0.05|set:synthetic/qaa-qab|human:mqm|")


@pytest.mark.parametrize("correction", [None, *tk.significance.CORRECTIONS])
def test_sentence_table_and_signature_are_of_one_correction(data, correction):
    found = tk.standing(data, "Ladder", correction=correction, alpha=0.04)
    name, clusters = found.metric, found.rows["cluster"].dropna()
    tested = found.comparison.pairs(correction).set_index(["first", "second"]).loc[(name, "Judge-src")]
    assert f"in cluster {clusters[name]} of {clusters.max()}." in found.sentence
    verdict = f"{'' if tested.corrected <= 0.04 else 'not '}significant (p = {tested.pvalue:.3f}"
    after = f"; {tested.corrected:.3f} after the correction {correction!r}" if correction else ""
    assert f"the difference is {verdict}{after})." in found.sentence
    assert f"|alpha:0.04{f'|correction:{correction}' if correction else ''}|set:" in found.signature
    assert f"% Standing of {name}; needs the package booktabs. Clusters: alpha 0.04, correction {correction};" in (
        found.to_latex()
    )


def test_a_paper_gets_the_own_row_in_bold_and_the_sources(data, found):
    assert found.cite() == tk.cite(found)
    table = found.to_latex()
    assert table.count(r"\textbf") == 8
    assert r"$\mathrm{acc}_{\mathrm{eq}}^*$ & interval & cluster & $p$ & $\tau_b$ & system means $r$" in table
    assert "[{:.3f}, {:.3f}]".format(*found.rows.loc[found.metric, ["low", "high"]]) in table
    assert_allclose(found.rows["tau_b"], tk.leaderboard(data, coefficients="spa,tau_b")["tau_b"][found.rows.index])
    assert rf"\textbf{{{found.metric}}}".replace("_", r"\_") in table
    assert "deutsch" in tk.cite(found).lower()


def test_the_picture_marks_the_metric(found):
    assert f"✚ {found.metric}" in json.dumps(found.plot().to_dict(), ensure_ascii=False)


@pytest.mark.filterwarnings("ignore::tiekit.DirectionWarning")
@examples(60)
@given(st.integers(0, 10_000), st.integers(2, 5), st.sampled_from(["acc_eq", "tau_b", "system_means/pearson"]))
def test_the_sentence_and_the_rank_agree_with_the_rows(seed, n_metrics, coefficient):
    rng = np.random.default_rng(seed)
    human = rng.integers(0, 4, (4, 6)).astype(float)
    metrics = {f"m{i}": rng.integers(0, 3, human.shape).astype(float) for i in range(n_metrics)}
    data = tk.EvalSet("drawn", "en-de", tuple("ABCD"), tuple("123456"), {"mqm": human}, metrics)
    found = tk.standing(data, "m0", coefficient, n_resamples=9)
    values = found.rows["value"].astype(float)
    if np.isnan(values["m0"]):
        assert found.rank is None
        assert "has no rank" in found.sentence
    else:
        assert found.rank == 1 + (values > values["m0"]).sum()
        assert f"of {values.notna().sum()} by {coefficient.rpartition('/')[2]}" in found.sentence


def test_a_metric_with_few_scores_has_no_rank_and_the_sentence_says_why(data):
    shape = data.human["mqm"].shape
    scores = np.full(shape, np.nan)
    scores[:, :10] = np.arange(shape[0])[:, None]
    data = data.with_metric("mine", scores)
    with pytest.warns(tk.CoverageWarning):
        found = tk.standing(data, "mine", n_resamples=9)
    assert found.rank is None
    best, on_both = found.rows.index[0], np.where(np.isnan(scores), np.nan, data.human["mqm"])
    on_few = replace(data, human={"mqm": on_both})
    mine, of_best = (tk.calibrate(on_few, metric).value for metric in ("mine", best))
    assert (
        f"less than half of what the others have. On the {(~np.isnan(on_few.select().human['mqm'])).sum()} cells"
        in found.sentence
    )
    assert f"its value is {mine:.3f}, that of {best}, the best of the others, {of_best:.3f} (p = " in found.sentence
    assert found.sentence in found.to_latex()
    assert "mine" not in found.rows.index


@pytest.mark.parametrize(
    "call",
    [
        lambda data: tk.standing(data, "Judge").rows["value"],
        lambda data: tk.leaderboard(data)["acc_eq*"],
        lambda data: tk.calibrate(data, "Judge").value,
        lambda data: tk.significance.permutation_test(data, "Judge", "Haze").pvalue,
    ],
)
def test_one_system_has_nothing_beside_it_and_the_next_step_is_named(data, call):
    one = data.select(exclude=data.systems[1:])
    with pytest.warns(tk.CoverageWarning, match="1 system with scores of mqm.* by item .*; grouping='global'"):
        assert np.isnan(call(one)).all()
    assert tk.calibrate(one, "Judge", grouping="global").value > 0


def test_own_cells_are_those_of_the_metric(data):
    scores = data.metrics["Judge"].copy()
    scores[1] = np.nan
    with pytest.warns(tk.CoverageWarning, match="judged on other pairs: mine 93.3%; cells="):
        found = tk.standing(data.with_metric("mine", scores), "mine", cells="own", n_resamples=9)
    assert "on its own 14 systems × 300 segments (" in found.sentence
    human = np.where(np.arange(300) < 150, np.nan, data.human["mqm"])
    human[0, -1] = np.nan
    found = tk.standing(replace(data, human={"mqm": human}), "Judge", n_resamples=9)
    assert "15 systems × 150 segments, 2,249 of their cells (" in found.sentence


@pytest.mark.parametrize("name", ["acc_eq", "tau_b", "acc_eq*"])
def test_identical_texts_tie_for_every_metric(name):
    rng = np.random.default_rng(4)
    human, labels = rng.integers(0, 3, (4, 6)).astype(float), rng.integers(0, 2, (4, 6))
    metrics = {f"m{i}": rng.integers(0, 5, human.shape).astype(float) for i in range(3)}
    data = tk.EvalSet("drawn", "", tuple("ABCD"), tuple("123456"), {"mqm": human}, metrics, identical=labels)
    found, plain = (tk.standing(data, "m0", name, tie_identical=one) for one in (True, False))
    bare, each, epsilon = name.removesuffix("*"), {}, dict.fromkeys(metrics, 0.0)
    if name != bare:
        epsilon = {m: tk.calibrate(data, m, bare, tie_identical=True).epsilon for m in metrics}
    for m, scores in metrics.items():
        whole = tk.correlate(data, m, bare, epsilon=epsilon[m], tie_identical=True)
        assert found.rows["value"][m] == pytest.approx(whole.value, abs=1e-12)
        columns = [(human[:, [j]], scores[:, [j]], labels[:, [j]]) for j in range(6)]
        each[m] = [
            tk.correlate(h, s, bare, epsilon=epsilon[m], grouping="item", tie_identical=same).value
            for h, s, same in columns
        ]
    swaps = np.array(list(itertools.product([False, True], repeat=6)))
    for m in ("m1", "m2"):
        a, b = np.array(each["m0"]), np.array(each[m])
        gaps = np.abs([np.nanmean(np.where(s, b, a)) - np.nanmean(np.where(s, a, b)) for s in swaps])
        assert found.rows["pvalue"][m] == np.mean(gaps >= gaps[0] - 1e-9)
    assert f"by {name} by item with identical texts tied on drawn mqm" in found.sentence
    assert "|identical:" in found.signature
    assert "identical" not in plain.signature
    assert not plain.rows["value"].equals(found.rows["value"])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"coefficient": "acc_eq", "grouping": "system_means"}, "compares means of scores"),
        ({"coefficient": "item/pearson"}, "knows no ties"),
        ({"confidence": 0.9}, "confidence: there are no intervals with identical texts tied"),
    ],
)
def test_where_identical_texts_cannot_tie(options, words):
    with pytest.raises(tk.InputError, match=words):
        tk.standing(tk.load("wmt23", "en-de"), "BLEU", tie_identical=True, **options)


@pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")
@pytest.mark.parametrize("command", ["standing", "leaderboard", "calibrate"])
def test_identical_texts_tie_in_a_terminal(command):
    many = ("--resamples", 9) if command == "standing" else ()
    chosen = ("--metrics", "Judge,Ladder,Haze") if command == "leaderboard" else ("Judge",)
    one, other = (
        json.loads(run(command, "synthetic", *chosen, "-q", "--json", *many, *tie).stdout)
        for tie in ((), ("--tie-identical",))
    )
    assert one != other


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nobody",), "metric: "),
        (("Judge", []), "coefficient: name at least one"),
        (("Judge", "tau_q"), "tau_q"),
        ((__file__,), r"found the file .*; add it by data.with_scores\("),
        (("Judge", "tau_b", "mqm,esa"), "human: must be one name, found 'mqm,esa'; only the leaderboard takes several"),
    ],
)
def test_what_cannot_be_answered_is_named(data, arguments, words):
    with pytest.raises(tk.InputError, match=words):
        tk.standing(data, *arguments[:2], human=arguments[2] if arguments[2:] else None)


@pytest.fixture
def mine(data, tmp_path):
    path = tmp_path / "mine.tsv"
    scores = data.human["mqm"] + 0.1
    rows = [(system, *row) for system, row in zip(data.systems, scores, strict=True)]
    lines = [f"{name}\t{number}\t{value}" for name, *row in rows for number, value in enumerate(row) if value == value]
    path.write_text("\n".join(["system\tsegment\tmine", *lines]) + "\n")
    return path


def test_a_file_stands_in_a_set_by_one_command(mine):
    said = run("standing", "synthetic", mine, "--resamples", 99, "--quiet")
    assert said.exit_code == 0, said.stderr
    assert said.stdout.startswith(
        "mine is 1st of 11 by acc_eq* by item on synthetic qaa-qab mqm, 15 systems × 300 segments (1.000)."
    )
    assert "mine <" in said.stdout
    table = pd.read_csv(
        io.StringIO(run("standing", "synthetic", f"own={mine}", "-q", "--resamples", 99, "--format", "csv").stdout)
    )
    assert table.metric[0] == "own"
    answer = json.loads(run("standing", "synthetic", "Judge", "-q", "--resamples", 99, "--json").stdout)
    assert (answer["rank"], len(answer["metrics"])) == (4, 10)
    assert r"\textbf" in run("standing", "synthetic", "Judge", "-q", "--resamples", 99, "--latex").stdout


@pytest.mark.parametrize("name", ["", "mine="])
def test_a_file_that_is_not_there_is_no_unknown_metric(name, mine, monkeypatch):
    monkeypatch.chdir(mine.parent)
    said = run("standing", "synthetic", f"{name}mien.tsv")
    assert (said.exit_code, said.stderr) == (
        1,
        "tiekit: mien.tsv: there is no such file or folder; did you mean mine.tsv?\n",
    )


@pytest.mark.parametrize(
    "command", [("compare",), ("compare", "Judge", "Contour"), ("calibrate", "Judge"), ("leaderboard",)]
)
def test_every_table_of_the_terminal_is_latex_and_markdown_on_request(command):
    verb, *names = command
    many = ("--resamples", 9) if verb == "compare" else ()
    latex = run(verb, "synthetic", *names, "-q", "--latex", *many).stdout
    heads, *rows = [line for line in latex.splitlines() if line.endswith(r"\\")]
    assert r"\_" not in heads.replace(r"acc\_eq*", "")
    assert len(rows) == {("compare",): 10, ("leaderboard",): 10}.get(command, len(names))
    assert ("& 2 " in heads) == (verb == "compare")
    assert "| --- |" in run(verb, "synthetic", *names, "-q", "--markdown", *many).stdout
