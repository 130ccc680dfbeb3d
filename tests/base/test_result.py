"""What all public results have in common: frozen, float(), to_dict(), a repr of at most ten lines."""

import dataclasses
import json

import numpy as np
import pytest

import tiekit as tk
from tiekit.base.results import LINES, Result, plain

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
    assert values.get("signature") == getattr(result, "signature", None)
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
    assert lines[-1].endswith("…)")
