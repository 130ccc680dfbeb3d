import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import tiekit as tk

NAN = float("nan")
DATA = Path(__file__).parents[2] / "data"


@pytest.fixture(scope="module")
def sample():
    return tk.read_mtme(DATA, "synthetic", "qaa-qab")


def made_up(**metrics):
    """Three systems on five segments; the third segment ties, the last two are hard."""
    human = [[0, 1, 2, 5, 1], [1, 1, 2, 1, 2], [2, 0, 2, 3, 3]]
    names = tuple(f"d{i // 2}" for i in range(5))
    metrics = {name: np.array(scores, float) for name, scores in metrics.items()}
    return tk.EvalSet(
        "toy", "", ("A", "B", "C"), tuple("12345"), {"h": np.array(human, float)}, metrics, documents=names
    )


def test_every_value_is_what_correlate_and_calibrate_say(sample):
    for grouping in ("item", "system", "system_means"):
        board = tk.leaderboard(
            sample, "mqm", grouping=grouping, calibrated=("acc_eq",), metrics=["Judge-src", "Haze-refA"]
        )
        chosen = sample.select()
        for name in board.index:
            pair = chosen.human["mqm"], chosen.metrics[name]
            for coefficient in tk.COEFFICIENTS:
                one = tk.correlate(*pair, coefficient, grouping=grouping)
                assert board.loc[name, coefficient] == pytest.approx(one.value, abs=1e-15, nan_ok=True)
                assert board.loc[name, f"groups({coefficient})"] == one.n_groups
                assert board.loc[name, f"undefined({coefficient})"] == one.n_undefined
            best = tk.calibrate(*pair, grouping=grouping)
            assert board.loc[name, "epsilon(acc_eq)"] == best.epsilon
            assert board.loc[name, "acc_eq*"] == best.value


def test_ranks_leave_out_the_undefined_and_share_places():
    board = tk.leaderboard(
        made_up(
            good=[[0, 1, 2, 5, 1], [1, 1, 2, 1, 2], [2, 0, 2, 3, 3]],
            same=[[0, 1, 2, 5, 1], [1, 1, 2, 1, 2], [2, 0, 2, 3, 3]],
            none=np.ones((3, 5)),
            bad=-np.eye(3, 5),
        ),
        coefficients=["tau_b"],
        calibrated=(),
    )
    assert board["rank(tau_b)"].fillna(0).to_dict() == {"good": 1, "same": 1, "bad": 3, "none": 0}


def test_policies_for_undefined_groups():
    metric = np.array([[0, 1, 2, 7, 7], [1, 1, 1, 7, 7], [2, 0, 0, 7, 7]], float)
    data = made_up(dodger=metric, plain=np.arange(15.0).reshape(3, 5))
    column = {}
    for undefined in ("drop", "zero", "common"):
        column[undefined] = tk.leaderboard(data, coefficients=["tau_b"], calibrated=(), undefined=undefined)
    groups = {policy: board["groups(tau_b)"].to_dict() for policy, board in column.items()}
    assert groups == {
        "drop": {"dodger": 2, "plain": 4},
        "zero": {"dodger": 5, "plain": 5},
        "common": {"dodger": 2, "plain": 2},
    }
    per_group = {name: tk.correlate(data.human["h"], data.metrics[name], "tau_b").per_group for name in data.metrics}
    for name, values in per_group.items():
        assert column["zero"].loc[name, "tau_b"] == pytest.approx(np.nan_to_num(values).mean())
        assert column["common"].loc[name, "tau_b"] == pytest.approx(values[:2].mean())
        assert column["drop"].loc[name, "tau_b"] == pytest.approx(np.nanmean(values))


@pytest.mark.filterwarnings("ignore::tiekit.DirectionWarning")
def test_counted_as_0_a_metric_without_a_value_is_0():
    data = made_up(bad=-np.array(made_up().human["h"]), none=np.ones((3, 5)))
    asked = {"coefficients": ["tau_b"], "calibrated": ()}
    board = tk.leaderboard(data, undefined="zero", **asked)
    assert board.loc["none", ["tau_b", "groups(tau_b)", "rank(tau_b)"]].tolist() == [0, 5, 1]
    assert board.loc["bad", "tau_b"] < 0
    assert tk.leaderboard(data, **asked)["tau_b"].isna().to_dict() == {"bad": False, "none": True}


def skips_two():
    skipping = np.arange(15.0).reshape(3, 5)
    skipping[0, 3:] = NAN
    return made_up(skips=skipping, full=np.arange(15.0).reshape(3, 5))


def test_coverage_is_shown_and_a_difference_warned_of():
    with pytest.warns(tk.CoverageWarning, match=r"judged on other pairs: skips 86.7%"):
        board = tk.leaderboard(skips_two(), cells="own")
    assert board["coverage"].to_dict() == {"skips": pytest.approx(13 / 15), "full": 1}
    with pytest.warns(
        tk.CoverageWarning, match=r'on 13 of 15 cells: skips has no scores of 2 cells; cells="own" takes each'
    ):
        common = tk.leaderboard(skips_two())
    assert common.loc["skips", "tau_a"] == common.loc["full", "tau_a"] == pytest.approx(board.loc["skips", "tau_a"])
    assert common["coverage"].to_dict() == board["coverage"].to_dict()
    assert (common.attrs["n_cells"], common.attrs["cells"]) == (13, "common")
    assert all("cells:13 common" in line for line in common.attrs["signatures"]["tau_a"].values())


@pytest.mark.parametrize(("old", "new"), [(True, "common"), (False, "own")])
@pytest.mark.filterwarnings("ignore::tiekit.CoverageWarning")
def test_the_old_name_of_cells_still_works(old, new):
    with pytest.warns(FutureWarning, match=f"common_cells={old} is now cells='{new}'"):
        board = tk.leaderboard(skips_two(), common_cells=old)
    pd.testing.assert_frame_equal(board, tk.leaderboard(skips_two(), cells=new))
    with pytest.warns(FutureWarning), pytest.raises(tk.InputError, match="common_cells: contradicts cells='own'"):
        tk.leaderboard(skips_two(), common_cells=old, cells="own")


def test_a_metric_that_falls_is_pointed_out():
    data = made_up(ter=-np.array(made_up().human["h"]), good=np.array(made_up().human["h"]))
    advice = re.escape("(tau_b -1.00); if lower is better on it, pass data.adjusted(lower_is_better='ter')")
    with pytest.warns(tk.DirectionWarning, match="ter: falls where h rises " + advice):
        tk.leaderboard(data)
    assert tk.leaderboard(data.adjusted(lower_is_better=["ter"])).loc["ter", "tau_b"] == 1
    errors = made_up(good=data.metrics["good"], fine=data.metrics["good"], ter=data.metrics["ter"])
    errors = errors.adjusted(lower_is_better="h")
    named = re.escape(": 2 of 3 metrics fall where this human score rises; if it counts errors")
    results = (
        lambda: tk.standing(errors, "ter", n_resamples=9),
        lambda: tk.correlate(replace(errors), "good"),
        lambda: tk.measures.soft_pairwise_accuracy(replace(errors), "good", n_resamples=9),
        lambda: tk.measures.which_number(replace(errors)),
        lambda: tk.significance.compare_metrics(errors.human["h"], dict(errors.metrics), n_resamples=9),
    )
    for result in results:
        with pytest.warns(tk.DirectionWarning, match=named) as caught:
            result()
        assert [warning.filename for warning in caught] == [__file__]
    tk.significance.compare_metrics(errors.adjusted(lower_is_better=["h", "ter"]), n_resamples=9)
    with pytest.warns(tk.DirectionWarning, match=r"^metric: falls where human .* np.negative\(metric\)$") as caught:
        [tk.calibrate(range(n), range(n, 0, -1)) for n in (5, 6)]
    assert len(caught) == 1  # five scores can fall by chance
    two, ter = replace(made_up(good=data.metrics["good"]), gold="h"), pd.DataFrame(data.metrics["ter"], data.systems)
    with pytest.warns(tk.DirectionWarning, match="ter: falls where h rises .* pass lower_is_better=True"):
        two = two.with_human(ter.set_axis(data.segments, axis=1), name="ter")
    tk.leaderboard(two, "ter")  # nothing else is said of the same cause


def test_restricted_to_a_domain_documents_segments(sample):
    for chosen in (
        {"domain": "chat"},
        {"documents": list(dict.fromkeys(sample.documents))[:3]},
        {"segments": sample.segments[:50]},
    ):
        board = tk.leaderboard(sample, "mqm", metrics=["Judge-src"], coefficients=["tau_a"], calibrated=(), **chosen)
        part = sample.select(**chosen)
        expected = tk.correlate(part.human["mqm"], part.metrics["Judge-src"], "tau_a")
        assert board.loc["Judge-src", "tau_a"] == expected.value
        assert len(part.segments) < len(sample.segments)


def test_the_standard_reference_is_left_out_unless_asked_for(sample):
    usual = tk.leaderboard(sample, metrics=["Judge-src"], coefficients=["tau_a"], calibrated=())
    everyone = tk.leaderboard(sample, metrics=["Judge-src"], coefficients=["tau_a"], calibrated=(), exclude=())
    named = tk.leaderboard(sample, metrics=["Judge-src"], coefficients=["tau_a"], calibrated=(), exclude=("refA",))
    assert usual.loc["Judge-src", "tau_a"] == named.loc["Judge-src", "tau_a"] != everyone.loc["Judge-src", "tau_a"]


def test_order_of_metrics_systems_and_segments_does_not_matter(sample):
    rng = np.random.default_rng(4)
    rows, columns = rng.permutation(len(sample.systems)), rng.permutation(len(sample.segments))
    names = list(sample.metrics)[::-1]
    turned = tk.EvalSet(
        sample.name,
        sample.language_pair,
        tuple(sample.systems[i] for i in rows),
        tuple(sample.segments[j] for j in columns),
        {"mqm": sample.human["mqm"][rows][:, columns]},
        {name: sample.metrics[name][rows][:, columns] for name in names},
        standard_reference="refA",
        gold="mqm",
        digest=sample.digest,
    )
    one, other = tk.leaderboard(sample), tk.leaderboard(turned)
    pd.testing.assert_frame_equal(one, other, check_exact=False, rtol=0, atol=1e-12)


def test_signatures_say_what_a_number_rests_on(sample):
    board = tk.leaderboard(sample, coefficients=["tau_b"], calibrated=("acc_eq",))
    line = board.attrs["signatures"]["acc_eq*"]["Judge-src"]
    assert re.fullmatch(
        r"metric:Judge-src\|coefficient:acc_eq\*\|grouping:item\|epsilon:10.0\|undefined:drop\|groups:300\|"
        r"set:synthetic/qaa-qab\|human:mqm\|left_out:refA\|systems:15\|segments:300\|cells:4500 common\|"
        r"data:[0-9a-f]{12}\|scores:[0-9a-f]{12}\|"
        rf"seed:none\|version:{re.escape(tk.__version__)}",
        line,
    )
    assert set(board.attrs["signatures"]["tau_b"]) == set(board.index)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"human": "esa"}, "human: there is no 'esa'; known: da, mqm"),
        ({"metrics": ["BLEU"]}, "metrics: there is no 'BLEU'; known: Constant-src, "),
        ({"metrics": []}, "metrics: there is none"),
        ({"grouping": "sentence"}, "grouping: must be one of"),
        ({"coefficients": ["tau"]}, "coefficients: must be one of"),
        ({"calibrated": ["pearson"]}, "calibrated: pearson knows no ties"),
        ({"undefined": "nan"}, "undefined: must be one of drop, zero, common, found 'nan'"),
        ({"exclude": ["nobody"]}, "exclude: "),
        ({"domain": "law"}, "domain: "),
    ],
)
def test_bad_arguments_are_refused_by_name(sample, arguments, message):
    with pytest.raises(tk.InputError, match=message):
        tk.leaderboard(sample, **arguments)


def test_arrays_are_told_how_they_become_a_set():
    with pytest.raises(tk.InputError, match=r"evalset: must be an EvalSet, found list; .*tk\.EvalSet\.from_arrays\("):
        tk.leaderboard([[1, 2], [2, 1]], metrics=["m"])


@pytest.mark.filterwarnings("ignore::tiekit.DirectionWarning")
def test_values_that_differ_by_rounding_alone_share_a_rank():
    human = [[0, 1, 2], [2, 1, 0], [0, 0, 2]]
    metrics = {"one": [[2, 2, 1], [1, 2, 1], [1, 3, 3]], "other": [[3, 0, 1], [0, 3, 1], [1, 0, 0]]}
    data = tk.EvalSet("toy", "", ("A", "B", "C"), ("1", "2", "3"), {"h": human}, metrics)
    board = tk.leaderboard(data, coefficients=["tau_a"], calibrated=())
    assert board["tau_a"].to_numpy() == pytest.approx(-2 / 9)
    assert board["rank(tau_a)"].tolist() == [1, 1]


def test_nothing_to_report_is_refused():
    with pytest.raises(tk.InputError, match="coefficients: there is none to report"):
        tk.leaderboard(made_up(m=np.ones((3, 5))), coefficients=[], calibrated=())


LEVELS = ["system_means/pearson", "spa", "item/acc_eq*"]


def test_measures_of_several_levels_stand_side_by_side(sample):
    board = tk.leaderboard(sample, coefficients=LEVELS)
    assert board.value_columns == LEVELS
    assert board.attrs["rank_by"] == "item/acc_eq*"
    for grouping, names in (("system_means", ["pearson"]), ("item", ["acc_eq*"])):
        alone = tk.leaderboard(sample, grouping=grouping, coefficients=names).loc[board.index]
        for name in names:
            parts = {kind: f"{kind}({grouping}/{name})" for kind in ("rank", "groups", "undefined")}
            assert board[f"{grouping}/{name}"].equals(alone[name].rename(f"{grouping}/{name}"))
            for kind, column in parts.items():
                assert board[column].tolist() == alone[f"{kind}({name})"].tolist()
            assert board.attrs["signatures"][f"{grouping}/{name}"] == alone.attrs["signatures"][name]
            assert f"grouping:{grouping}" in board.attrs["signatures"][f"{grouping}/{name}"][board.index[0]]
    best = {name: tk.calibrate(sample, name).epsilon for name in board.index}
    assert board["epsilon(item/acc_eq)"].to_dict() == best
    for name in board.index:
        r = tk.correlate(sample, name, "system_means/pearson").value
        assert board.loc[name, "system_means/pearson"] == pytest.approx(r, nan_ok=True)
    more = tk.leaderboard(sample, coefficients=["document/acc_eq", "global/tau_b", "pdp", "system/pdp"])
    for column in more.value_columns:
        value = tk.correlate(sample, more.index[0], "item/pdp" if column == "pdp" else column).value
        assert more[column].iloc[0] == value


@pytest.mark.parametrize("rank_by", [None, *LEVELS])
def test_rows_are_sorted_by_any_column(sample, rank_by):
    board = tk.leaderboard(sample, coefficients=LEVELS, rank_by=rank_by)
    column = rank_by or LEVELS[-1]
    ranks = board[f"rank({column})"].dropna().tolist()
    assert ranks == sorted(ranks)
    assert board[column].head(len(ranks)).is_monotonic_decreasing
    assert f"rank({column})" in repr(board).splitlines()[0]
    assert board.to_latex().count("\\textbf") >= 3


def test_what_is_named_is_what_there_is(sample):
    board = tk.leaderboard(sample, coefficients="spa")
    assert list(board.columns) == ["spa", "rank(spa)", "groups(spa)", "undefined(spa)", "coverage"]
    assert board["spa"].dropna().is_monotonic_decreasing
    assert tk.leaderboard(sample, coefficients=["tau_b", "acc_eq"]).value_columns == ["tau_b", "acc_eq"]
    assert tk.leaderboard(sample, grouping="system_means").value_columns == list(tk.COEFFICIENTS)
    twice = tk.leaderboard(sample, coefficients=["item/acc_eq*", "acc_eq*", "tau_23"], calibrated="acc_eq")
    assert twice.value_columns == ["item/acc_eq*", "tau_eq"]
    assert tk.leaderboard(sample, coefficients=["tau_b", "acc_eq*"], rank_by="item/tau_b").attrs["rank_by"] == "tau_b"
    with pytest.raises(tk.InputError, match=r"^rank_by: must be one of tau_b, spa, found 'tau_c'"):
        tk.leaderboard(sample, coefficients=["tau_b", "spa"], rank_by="tau_c")
    with pytest.raises(
        tk.InputError, match=r"^coefficients: must be one of .*, spa, pdp, found 'sap'; did you mean spa"
    ):
        tk.leaderboard(sample, coefficients=["sap"])
    with pytest.raises(tk.InputError, match=r"^grouping: spa compares systems of a matrix"):
        tk.leaderboard(sample, coefficients=["item/spa"])


@pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")
def test_a_threshold_that_ties_nearly_all_is_marked_on_wmt22(wmt22_zh_en):
    board = tk.leaderboard(wmt22_zh_en, coefficients=["acc_eq", "acc_eq*"])
    tied, gain = board["tied(acc_eq)"], board["gain(acc_eq)"]
    human = wmt22_zh_en.select().human["mqm"]
    constant = tk.correlate(human, np.zeros_like(human), "acc_eq").value
    assert gain.to_numpy() == pytest.approx((board["acc_eq*"] - constant).to_numpy(), abs=1e-12)
    assert round(tied["BLEU-refA"], 3) == 0.998
    assert round(gain["BLEU-refA"], 4) == 0.0003
    assert (board["acc_eq"] < constant).sum() == 17  # without calibration
    assert (gain > 0).all()
    worst = set(board.index[tied >= 0.9])
    assert worst == {"chrF-refA", "REUSE-src", "BLEU-refA", "f200spBLEU-refA"}
    for name in ("BLEU-refA", "COMET-22-refA"):
        best = tk.calibrate(wmt22_zh_en, name)
        assert (best.tied, best.gain) == (tied[name], pytest.approx(gain[name], abs=1e-15))
        assert best.tied == best.meaning.tied
        assert "tied=" in repr(best)
    assert "‡" not in repr(board.head(8))  # none of the best is marked
    assert repr(board.tail(4)).count("‡") == 5
    assert "nearly a constant metric]" in repr(board.tail(4)).splitlines()[-1]
    assert board._repr_html_().count("‡") == 5
    latex = board.to_latex("acc_eq*")
    assert latex.count(r"$^\ddagger$") == 4
    assert "A double dagger: ε* ties 90 % of the pairs or more" in latex
    notes = tk.leaderboard(wmt22_zh_en, metrics=["BLEU", "COMET-22"], fairness=True).fairness_notes()
    assert (
        "At its ε*, BLEU-refA ties 99.8% of the pairs: acc_eq* is nearly that of a constant metric."
        in notes["BLEU-refA"]
    )
    assert any("is only 0.0003 more than" in note for note in notes["BLEU-refA"])
    assert not any("constant" in note for note in notes["COMET-22-refA"])


def test_a_gain_is_over_a_constant_in_the_same_groups(sample):
    with pytest.warns(tk.CalibrationWarning):
        board = tk.leaderboard(sample, coefficients=["tau_eq*", "tau_b*", "document/acc_eq*"])
    constant = {name: np.zeros_like(sample.metrics[name]) * sample.metrics[name] for name in sample.metrics}
    flat = tk.EvalSet(
        "flat", "", sample.systems, sample.segments, sample.human, constant,
        documents=sample.documents, gold="mqm", standard_reference=sample.standard_reference, outliers=sample.outliers,
    )  # fmt: skip
    for column, measure in (("tau_eq", "item/tau_eq"), ("document/acc_eq", "document/acc_eq")):
        for name in board.index[:4]:
            expected = board.loc[name, f"{column}*"] - tk.correlate(flat, name, measure).value
            assert board.loc[name, f"gain({column})"] == pytest.approx(expected, abs=1e-12)
    assert board["gain(tau_b)"].isna().all()  # tau_b of a constant is undefined
    assert board["tied(document/acc_eq)"].between(0, 1).all()


class TestSeveralHumanScores:
    @pytest.mark.real
    def test_each_column_is_that_of_a_leaderboard_of_its_own(self, real_data):
        data = tk.read_table(real_data / "summeval" / "summeval.csv")
        aspects = list(data.human)
        board = tk.leaderboard(data, aspects, coefficients=["item/tau_b", "acc_eq*"], rank_by=f"{aspects[0]}/acc_eq*")
        assert board.value_columns == [f"{name}/{column}" for name in aspects for column in ("item/tau_b", "acc_eq*")]
        for name in aspects:
            one = tk.leaderboard(data, name, coefficients=["item/tau_b", "acc_eq*"]).loc[board.index]
            for column in ("acc_eq*", "rank(acc_eq*)", "epsilon(acc_eq)", "tied(acc_eq)", "item/tau_b"):
                kind, bracket, rest = column.partition("(")
                assert board[f"{kind}({name}/{rest}" if bracket else f"{name}/{column}"].equals(one[column])
            assert f"|human:{name}|" in board.attrs["signatures"][f"{name}/acc_eq*"]["BLEU"]
        assert board[f"{aspects[0]}/acc_eq*"].is_monotonic_decreasing
        assert list(tk.leaderboard(data, aspects).value_columns) == [f"{name}/acc_eq*" for name in aspects]
        assert f"{aspects[0]}/acc_eq*" in repr(board)
        assert "human:coherence/item $" in board.to_latex()

    @pytest.mark.real
    @pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")
    def test_mqm_beside_esa_beside_da(self, real_data):
        esa = real_data / "esa" / "wmt23-en-de" / "en-de.ESA-1.seg.score"
        data = tk.load("wmt23", "en-de").with_human(esa, name="esa").select()
        few = ["BLEU", "MetricX-23-QE-b"]
        board = tk.leaderboard(data, ["mqm", "esa", "da-sqm"], metrics=few, coefficients="tau_b")
        everywhere = ~np.any([np.isnan(scores) for scores in data.human.values()], axis=0)
        assert board.attrs["n_cells"] == everywhere.sum() > 1000
        for name, scores in data.human.items():
            value = tk.correlate(np.where(everywhere, scores, np.nan), data.metrics["BLEU-refA"], "tau_b").value
            assert board.loc["BLEU-refA", f"{name}/tau_b"] == value

    @pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning", "ignore:compared on:tiekit.CoverageWarning")
    def test_protocols_of_one_set_are_compared_on_the_cells_that_all_have(self):
        data, few = tk.load("wmt23", "en-de"), ["BLEU", "COMET", "GEMBA-MQM"]
        with pytest.warns(tk.CoverageWarning, match=r"compared on 460 of 549 segments: mqm has .*own cells") as said:
            board = tk.leaderboard(data, ["mqm", "da-sqm"], metrics=few, coefficients="tau_b")
        assert len({str(one.message) for one in said if "own cells" in str(one.message)}) == 1
        both = ~np.isnan(data.human["mqm"]) & ~np.isnan(data.human["da-sqm"])
        for name in ("mqm", "da-sqm"):
            masked = replace(data, human={name: np.where(both, data.human[name], np.nan)}, raters={}, gold=name)
            expected = tk.leaderboard(masked, metrics=few, coefficients="tau_b")
            assert board[f"{name}/tau_b"].to_dict() == expected["tau_b"].to_dict()
            own = tk.leaderboard(data, ["mqm", "da-sqm"], metrics=few, coefficients="tau_b", cells="own")
            alone = tk.leaderboard(data, name, metrics=few, coefficients="tau_b", cells="own")
            assert own[f"{name}/tau_b"].to_dict() == alone["tau_b"].to_dict()
        assert board.attrs["n_cells"] == int((both & np.isin(data.systems, data.select().systems)[:, None]).sum())

    @pytest.mark.parametrize(
        ("human", "asked", "message"),
        [
            ([], {}, "human: name at least one"),
            (["mqm", "daa"], {}, "human: there is no 'daa'; known: da-sqm, mqm"),
            (["mqm", "da-sqm"], {"fairness": True}, "fairness: is that of one human score"),
            (["mqm", "da-sqm"], {"rank_by": "mqm/acc_eq"}, r"rank_by: must be one of .*; did you mean mqm/acc_eq\* or"),
        ],
    )
    @pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")
    def test_what_is_refused(self, human, asked, message):
        with pytest.raises(tk.InputError, match=message):
            tk.leaderboard(tk.load("wmt23", "en-de"), human, metrics=["BLEU", "COMET"], **asked)
