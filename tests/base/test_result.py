"""What all public results have in common: frozen, float(), to_dict(), a repr of at most ten lines."""

import dataclasses
import json
import pickle
import sys
import types
import warnings

import numpy as np
import pytest

import tiekit as tk
from tiekit.base.results import LINES, Result, plain, signature

RNG = np.random.default_rng(3)
HUMAN, METRIC = RNG.integers(0, 4, (4, 30)), RNG.integers(0, 9, (4, 30)) / 7
SET = tk.EvalSet(
    "toy",
    "",
    tuple("ABCD"),
    tuple(map(str, range(30))),
    {"h": HUMAN},
    {"m": METRIC},
    outputs={name: tuple("x" * (i * n % 41) for n in range(30)) for i, name in enumerate("ABCD", 1)},
)
SETS = {"d": (HUMAN, {"a": METRIC, "b": -METRIC})}
RANKINGS = tk.judgments.Rankings.from_rows(
    [("ann", "1", {"A": 1, "B": 2, "C": 2}), ("bob", "1", {"A": 2, "B": 1, "C": 3})]
)
RESULTS = {
    "counts": lambda: tk.count_pairs(HUMAN[0], METRIC[0]),
    "ties": lambda: tk.count_ties(HUMAN),
    "correlation": lambda: tk.correlate(HUMAN, METRIC, "tau_b"),
    "calibration": lambda: tk.calibrate(HUMAN, METRIC),
    "meaning": lambda: tk.calibrate(HUMAN, METRIC).meaning,
    "held out": lambda: tk.transfer(tk.calibrate(HUMAN, METRIC), METRIC, HUMAN),
    "cross-validation": lambda: tk.cross_validate(HUMAN, METRIC, folds=3),
    "reweighted": lambda: tk.sentinels.calibrate_reweighted(HUMAN, METRIC, keep_tied=0.5),
    "reweighted, sampled": lambda: tk.sentinels.calibrate_reweighted(HUMAN, METRIC, keep_tied=0.5, sample=True),
    "length bias": lambda: tk.sentinels.length_bias(SET, "m"),
    "probe": lambda: tk.sentinels.PROBES["segment mean"],
    "power": lambda: tk.measures.discriminative_power(SETS, "item/tau_b", n_resamples=9),
    "consistency": lambda: tk.measures.ranking_consistency(SETS, "item/tau_b", n_splits=9),
    "simulation": lambda: tk.measures.simulate_granularity([2], "item/tau_b", n_populations=2, n_thresholds=2),
    "permutation test": lambda: tk.significance.permutation_test(HUMAN, METRIC, -METRIC, n_resamples=9),
    "Williams' test": lambda: tk.significance.williams_test(HUMAN, METRIC, -METRIC),
    "comparison": lambda: tk.significance.compare_metrics(HUMAN, {"a": METRIC, "b": -METRIC}, n_resamples=9),
    "bootstrap interval": lambda: tk.significance.bootstrap_interval(HUMAN, METRIC, n_resamples=9),
    "formula's interval": lambda: tk.significance.bonett_wright(HUMAN, METRIC),
    "attainable": lambda: tk.judgments.attainable(RANKINGS),
    "agreement": lambda: tk.judgments.agreement(RANKINGS),
    "kappa": lambda: tk.judgments.agreement(RANKINGS).between,
    "judged metric": lambda: tk.judgments.judge_metric(RANKINGS, [[3], [2], [1]]),
}
NUMBERS = {
    **{"meaning": "epsilon", "ties": "share"},
    **dict.fromkeys(("correlation", "calibration", "held out", "cross-validation"), "value"),
    **dict.fromkeys(("permutation test", "Williams' test"), "pvalue"),
    **dict.fromkeys(("reweighted", "reweighted, sampled"), "value"),
    **dict.fromkeys(("bootstrap interval", "formula's interval"), "value"),
    **dict.fromkeys(("kappa", "judged metric"), "value"),
}


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_is_frozen_short_and_turns_into_plain_values(name):
    result = RESULTS[name]()
    assert isinstance(result, Result)
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(result, dataclasses.fields(result)[0].name, 1)
    lines = repr(result).splitlines()
    assert len(lines) <= LINES
    assert max(map(len, lines)) <= 120
    assert lines[0].startswith(f"{type(result).__name__}(")
    values = result.to_dict()
    assert json.loads(json.dumps(values)).keys() == values.keys()
    assert values.get("signature", "") == result.signature
    if name in NUMBERS:
        assert float(result) == getattr(result, NUMBERS[name])
        assert f"{result:.3f}" == f"{float(result):.3f}"
    else:
        with pytest.raises(TypeError, match="is not a single number; see to_dict"):
            float(result)


def test_values_become_plain():
    frame = tk.cross_validate(HUMAN, METRIC, folds=2).folds
    assert plain(frame)["columns"]["epsilon"] == {str(i): value for i, value in enumerate(frame["epsilon"])}
    assert plain((np.float64(1.5), np.array([1, 2]), {"a": None})) == [1.5, [1, 2], {"a": None}]


def test_a_long_result_is_cut_at_ten_lines():
    @dataclasses.dataclass(frozen=True, repr=False)
    class Long(Result):
        texts: tuple[str, ...]
        a: str = "x" * 90
        b: str = "y" * 90
        c: dict[str, int] = dataclasses.field(default_factory=lambda: dict.fromkeys("abcdef", 1))
        d: tuple[str, ...] = tuple("abcdefghij" * 20)
        e: str = "z" * 95
        f: str = "z" * 95
        g: str = "z" * 95
        h: str = "z" * 95
        i: str = "z" * 95
        j: str = "z" * 95

    lines = repr(Long(("a",))).splitlines()
    assert len(lines) == LINES
    assert lines[-1].endswith("z…')")
    assert " some words…'," in repr(Long((), a="some words " * 9))


NAMED = SET.with_metric("n", -METRIC)
NAMED = dataclasses.replace(
    NAMED,
    name="toy",
    language_pair="en-de",
    digest="0123456789abcdef",
    human={"h": HUMAN, "h-r1": HUMAN, "h-r2": HUMAN.T.reshape(HUMAN.shape)},
    gold="h",
    outliers=("D",),
    identical=np.tile([[0], [0], [1], [2]], 30),
)
FAST = {"n_resamples": 9, "rng": 1}
OF_A_SET = {
    "tiekit.correlate": lambda f: f(NAMED, "m"),
    "tiekit.calibrate": lambda f: f(NAMED, "m"),
    "tiekit.transfer": lambda f: f(tk.calibrate(HUMAN, METRIC), NAMED, "m"),
    "tiekit.cross_validate": lambda f: f(NAMED, "m"),
    "tiekit.count_ties": lambda f: f(NAMED, metric="m"),
    "tiekit.standing": lambda f: f(NAMED, "m", **FAST),
    "tiekit.ranking.standing_of": lambda f: f(tk.significance.compare_metrics(NAMED, **FAST), "m", NAMED.select(), "h"),
    "tiekit.significance.permutation_test": lambda f: f(NAMED, "m", "n", **FAST),
    "tiekit.significance.compare_metrics": lambda f: f(NAMED, **FAST),
    "tiekit.significance.bootstrap_interval": lambda f: f(NAMED, "m", against="n", **FAST),
    "tiekit.significance.bonett_wright": lambda f: f(NAMED, "m"),
    "tiekit.significance.williams_test": lambda f: f(NAMED, "m", "n"),
    "tiekit.classification.classify": lambda f: f(NAMED, "m", good=2, n_resamples=9),
    "tiekit.classification.rerank": lambda f: f(NAMED, "m", n_resamples=9),
    "tiekit.humans.rank_humans": lambda f: f(NAMED, **FAST),
    "tiekit.humans.alt_test": lambda f: f(NAMED, "m"),
    "tiekit.identical.audit": lambda f: f(NAMED, **FAST),
    "tiekit.identical.repair": lambda f: f(NAMED),
    "tiekit.measures.discriminative_power": lambda f: f(NAMED, "item/tau_b", human="h", **FAST),
    "tiekit.measures.ranking_consistency": lambda f: f(NAMED, "item/tau_b", human="h", n_splits=9),
    "tiekit.measures.segments_needed": lambda f: f(NAMED, "m", "n", repeats=2, **FAST),
    "tiekit.measures.which_number": lambda f: f(NAMED),
    "tiekit.sentinels.calibrate_reweighted": lambda f: f(NAMED, "m", keep_tied=0.5),
    "tiekit.sentinels.length_bias": lambda f: f(NAMED, "m"),
    "tiekit.sentinels.tie_range": lambda f: f(NAMED, "m"),
}
OF_NO_SET = {
    "tiekit.count_pairs": "two vectors",
    "tiekit.check_evaluator": "a function",
    "tiekit.measures.simulate_granularity": "scores drawn at random",
    "tiekit.official.official_ranking": "the preset's sets, whose pairs and human scores it names",
    "tiekit.judgments.judge_metric": "rankings",
    "tiekit.judgments.count_judged": "rankings",
}


def functions_with_results():
    """The public functions that say they return a result, by address; but those of core, which take arrays."""
    found = {}
    for space in (tk, *(getattr(tk, name) for name in dir(tk) if type(getattr(tk, name)).__name__ == "module")):
        for name in dir(space) if space.__name__ != "tiekit.core" else ():
            function = getattr(space, name)
            returned = getattr(function, "__annotations__", {}).get("return")
            kind = getattr(sys.modules.get(getattr(function, "__module__", "")), str(returned), None)
            is_own = getattr(function, "__module__", "").startswith(space.__name__)  # not imported from elsewhere
            if (
                is_own
                and isinstance(function, types.FunctionType)
                and isinstance(kind, type)
                and issubclass(kind, Result)
            ):
                found[f"{space.__name__}.{name}"] = function
    return found


def test_of_every_result_it_is_known_whether_it_is_made_of_a_set():
    assert {name for name in functions_with_results() if not name.startswith("tiekit.votes.")} == {
        *OF_A_SET,
        *OF_NO_SET,
    }


@pytest.mark.parametrize("name", OF_A_SET)
def test_a_signature_names_the_set_the_human_score_and_the_metric(name):
    with warnings.catch_warnings(action="ignore", category=tk.TiekitWarning):
        result = OF_A_SET[name](functions_with_results()[name])
    facts = dict(fact.split(":", 1) for fact in result.signature.split("|"))
    assert len(facts) == result.signature.count("|") + 1  # nothing is said twice
    assert (facts["set"], facts["human"], facts["left_out"]) == ("toy/en-de", "h", "D")
    assert facts["data"] == NAMED.digest[:12]  # of the set, in every signature
    assert facts.get("scores") != facts["data"]
    named = {fact: facts[fact] for fact in ("metric", "metric_a", "metric_b", "against", "metrics") if fact in facts}
    assert {one for names in named.values() for one in names.split(",")} <= {"m", "n"}
    assert named or name.endswith(("ranking_consistency", "which_number"))  # of all metrics


def test_scores_whose_digests_begin_alike_are_told_apart():
    """These two were found in two minutes; results are kept by digests, for whoever brings the same scores."""
    human, metrics = np.arange(12.0).reshape(3, 4) % 5, []
    for last in (8233.514000000001, 15498.193000000001):
        metrics.append(np.linspace(0, 1, 12).reshape(3, 4))
        metrics[-1][-1, -1] = last
    one, other = (tk.correlate(human, metric, "tau_b") for metric in metrics)
    assert one.digest[:12] == other.digest[:12] == "4436c3b6a917"
    assert one.digest != other.digest
    assert "|scores:4436c3b6a917|" in one.signature


def test_the_signature_of_arrays_names_what_was_named_alone():
    assert "set:" not in tk.correlate(HUMAN, METRIC).signature
    assert "metrics:b,a|" in RESULTS["comparison"]().signature
    assert "set:d|" in RESULTS["power"]().signature
    origin = tk.calibrate(HUMAN, METRIC)
    assert tk.transfer(origin, NAMED, "m").best.signature.startswith("metric:m|set:toy/en-de|human:h|")
    assert "set:" not in origin.signature
    assert pickle.loads(pickle.dumps(tk.correlate(NAMED, "m"))).signature == tk.correlate(NAMED, "m").signature


EQUAL = {"z": METRIC, "b": -METRIC, "a": METRIC, "c": METRIC[:, ::-1]}
TABLES = {
    "leaderboard": lambda d: tk.leaderboard(d, coefficients=["tau_b"], calibrated=())["tau_b"],
    "two boards": lambda d: tk.leaderboard(d, coefficients=["global/tau_b", "item/tau_b"])["item/tau_b"],
    "system level": lambda d: tk.leaderboard(d, coefficients=["spa"])["spa"],
    "comparison": lambda d: tk.significance.compare_metrics(d, coefficient="tau_b", **FAST).values,
    "standing": lambda d: tk.standing(d, "c", "tau_b", **FAST).rows["value"],
    "humans": lambda d: tk.humans.rank_humans(d, humans=["h-r2"], **FAST).table["value"],
    "audit": lambda d: tk.identical.audit(d, **FAST).table.query("kind == 'metric'")["tied"],
    "repair": lambda d: tk.identical.repair(d).table["at ε*"],
    "official": lambda d: tk.official.average_tasks(
        {name: {"r": tk.correlate(d, name, "pearson").value} for name in d.metrics}
    )["average"],
    "rank intervals": lambda d: tk.sentinels.rank_intervals(d, coefficient="acc_eq")["rank"].mul(-1).astype(float),
}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")
def test_the_best_row_comes_first_and_equal_ones_by_name(name):
    one, other = (
        TABLES[name](dataclasses.replace(NAMED, metrics={metric: EQUAL[metric] for metric in order}))
        for order in ("zbac", "cabz")
    )
    assert list(one.index) == list(other.index)
    assert one.is_monotonic_decreasing
    places = {metric: place for place, metric in enumerate(one.index)}
    assert places["a"] + 1 == places["z"] or one["a"] == one["b"] == one["c"]


def test_a_signature_names_few_of_hundreds_of_names_and_tells_them_from_others():
    few, many, others = (
        ",".join(f"{prefix}{place}" for place in range(number))
        for prefix, number in (("a", 20), ("a", 900), ("a", 901))
    )
    assert f"left_out:{few}|" in signature(left_out=few)
    said = [signature(left_out=names).split("|")[0] for names in (many, others)]
    assert [len(one) for one in said] == [len("left_out:") + 400] * 2
    assert said[0] != said[1]
    assert said[0].startswith(f"left_out:{many[:300]}")
