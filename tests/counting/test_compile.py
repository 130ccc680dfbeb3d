"""The counting loops without their compiler: interpreted, they give what the compiled ones give."""

import json
import os
import subprocess
import sys

import numba
import pytest

CALLS = """
import json, sys, warnings
import numpy as np
import tiekit as tk

warnings.simplefilter("ignore")
rng = np.random.default_rng(0)
human, metric = rng.integers(0, 3, (4, 6)).astype(float), rng.integers(0, 9, (4, 6)).astype(float) / 10
metric[1, 2] = np.nan
other, sides = rng.random((4, 6)), ("item", "global", "system_means")
found = [tk.count_pairs(human[0], metric[0], epsilon=0.1).row.tolist()]
for grouping in sides:
    found += [tk.correlate(human, metric, name, grouping=grouping).value for name in tk.COEFFICIENTS]
    for name in ("acc_eq", "tau_b"):
        best = tk.calibrate(human, metric, name, grouping=grouping)
        found += [best.epsilon, best.value, best.curve(3).to_numpy().tolist()]
    for name in ("tau_c", "spearman", "pearson"):
        asked = dict(grouping=grouping, n_resamples=9)
        test = tk.significance.permutation_test(human, metric, other, name, swap="cells", **asked)
        found.append(test.samples.tolist())
        interval = tk.significance.bootstrap_interval(human, metric, name, resample="both", **asked)
        found.append([interval.low, interval.high])
found.append(tk.significance.permutation_test(human, metric, other, swap="pairs", n_resamples=9).values)
weighed = tk.sentinels.calibrate_reweighted(human, metric, keep_tied=0.5, grouping="item")
found += [weighed.epsilon, weighed.value, tk.measures.pairwise_difference_pearson(human, metric)]
over, level = rng.integers(0, 5, (4, 4)), np.ones((4, 4), np.int64)
np.fill_diagonal(over, 0)
from tiekit.judgments._order_kernels import best_order, good_order
places = np.zeros(4, np.int64)
found += [int(best_order(over, level, True, good_order(over, level, True, places) + 1, places)), places.tolist()]
"""


def answers():
    """What the loops give in a process that does not compile them."""
    asked = [sys.executable, "-c", f"{CALLS}json.dump(found, sys.stdout)"]
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(asked, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def flat(value):
    return [x for part in value for x in flat(part)] if isinstance(value, list) else [value]


def test_interpreted_loops_give_what_compiled_ones_give():
    names = {}
    exec(CALLS, names)
    compiled, interpreted = flat(json.loads(json.dumps(names["found"]))), flat(answers())
    assert not numba.config.DISABLE_JIT
    assert len(compiled) > 100
    assert interpreted == pytest.approx(compiled, abs=1e-12, nan_ok=True)
