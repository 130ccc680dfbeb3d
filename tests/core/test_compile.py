"""The counting loops without their compiler: interpreted, they give what the compiled ones give."""

import errno
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import tiekit as tk
from tiekit.core import _compile

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
    for name, scores in (("acc_eq", metric), ("acc_eq", other), ("tau_b", metric)):
        best = tk.calibrate(human, scores, name, grouping=grouping)
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


def answers(before="", calls=CALLS, given="", **environment):
    """What the loops give in a process of its own."""
    asked = [sys.executable, "-c", f"{before}{calls}json.dump(found, sys.stdout)"]
    done = subprocess.run(asked, env=os.environ | environment, capture_output=True, text=True, input=given, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def flat(value):
    return [x for part in value for x in flat(part)] if isinstance(value, list) else [value]


WITHOUT_NUMBA = """
import sys

class Nowhere:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("numba", "llvmlite", "tqdm", "pooch", "click", "joblib"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Nowhere())
import threading
threading.Thread.start = lambda thread: (_ for _ in ()).throw(RuntimeError("can't start new thread"))
"""


@pytest.mark.parametrize(
    ("before", "environment"),
    [
        pytest.param("", {"NUMBA_DISABLE_JIT": "1"}, id="told not to compile"),
        pytest.param(WITHOUT_NUMBA, {}, id="without numba", marks=pytest.mark.campaign),
    ],
)
def test_interpreted_loops_give_what_compiled_ones_give(before, environment):
    """Where numba is told not to compile; and where, as in a browser, there is no numba, no thread and no socket."""
    names = {}
    exec(CALLS, names)
    compiled = flat(json.loads(json.dumps(names["found"])))
    assert not _compile.is_interpreted()
    assert len(compiled) > 100
    assert flat(answers(before, **environment)) == pytest.approx(compiled, abs=1e-12, nan_ok=True)


INTERRUPTED = """
import _thread, json, signal, sys
import numpy as np
import tiekit as tk

class Interrupts:
    def find_spec(self, name, path=None, target=None):
        if name == "numba.core.types":
            sys.meta_path.remove(self)
            _thread.interrupt_main()

signal.signal(signal.SIGINT, signal.default_int_handler)  # a run in the background ignores Ctrl-C, and what it starts
sys.meta_path.insert(0, Interrupts())
found = []
while len(found) < 2:
    try:
        found.append(tk.count_pairs([0, 1, 2], [0, 2, 1]).concordant)
    except KeyboardInterrupt:
        found.append("interrupted")
"""


@pytest.mark.skipif(_compile.is_interpreted(), reason="nothing is compiled")
def test_ctrl_c_while_numba_is_imported_leaves_it_whole():
    assert answers(calls=INTERRUPTED) == ["interrupted", 2]


LARGE = """
import json, sys, warnings
import numpy as np
import tiekit as tk

warnings.simplefilter("ignore")
human, metric = np.array(json.loads(sys.stdin.read()))
best = tk.calibrate(human, metric)
found = [best.epsilon, best.value]
"""


def test_without_numba_1500_scores_are_calibrated():
    rng = np.random.default_rng(0)
    human = -(rng.integers(0, 4, 1500) * (rng.random(1500) < 0.4)).astype(float)
    metric = rng.normal(size=1500) + 0.3 * human
    expected = tk.calibrate(human, metric)
    epsilon, value = answers(WITHOUT_NUMBA, LARGE, json.dumps([human.tolist(), metric.tolist()]))
    assert (epsilon, value) == (expected.epsilon, pytest.approx(expected.value, abs=1e-12))
    assert epsilon > 0


@pytest.fixture
def said(caplog, monkeypatch):
    """The lines of the log, where a notice comes after a twentieth of a second."""
    monkeypatch.setattr(_compile, "NOTICE_AFTER", 0.05)
    _compile._say.cache_clear()
    yield lambda: [record.getMessage() for record in caplog.records if record.name == "tiekit"]
    _compile._say.cache_clear()


def made(folder, name):
    """A function of a module of its own, whose compiled form is kept beside it."""
    path = folder / f"{name}.py"
    if not path.exists():  # what was compiled of an older file is not loaded
        path.write_text("def twice(x):\n    return 2 * x\n")
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.twice


def slow(function):
    def waits(*arguments, **options):
        time.sleep(0.3)
        return function(*arguments, **options)

    return waits


WARMED = """
import importlib, inspect, json, sys
from tiekit.cli import warm_up
warm_up.warm_up(), warm_up.warm_up_resampling()
homes = "core._kernels", "core._radix_sort", "core.system_level", "judgments._order_kernels", "significance._kernels"
modules = [importlib.import_module(f"tiekit.{name}") for name in homes]
loops = {name: one for home in modules for name, one in vars(home).items() if inspect.isfunction(one)}
loops = {name: one for name, one in loops.items() if "loop" in one.__code__.co_freevars}
found = [len(loops), [name for name, one in loops.items() if inspect.getclosurevars(one).nonlocals["loop"] is None]]
"""


@pytest.mark.skipif(_compile.is_interpreted(), reason="nothing is compiled")
def test_every_loop_is_compiled_ahead():
    number, left = answers(calls=WARMED)
    assert number > 30
    assert not left


@pytest.mark.skipif(_compile.is_interpreted(), reason="nothing is compiled")
def test_compiling_is_said_and_loading_is_not(tmp_path, said, monkeypatch):
    from numba.core.caching import IndexDataCacheFile
    from numba.core.compiler import Compiler

    monkeypatch.setattr(IndexDataCacheFile, "load", slow(IndexDataCacheFile.load))
    monkeypatch.setattr(Compiler, "compile_extra", slow(Compiler.compile_extra))
    first = _compile.kernel(made(tmp_path, "new"))  # kept: of one that is gone Numba looks for the module by its name
    assert first(21) == 42
    assert said() == ["tiekit compiles its counting loops; this happens once and takes some seconds."]
    _compile._say.cache_clear()
    again = _compile.kernel(made(tmp_path, "new"))
    began = time.monotonic()
    assert again(21) == 42
    assert time.monotonic() - began > 0.3  # it was loaded, and slowly
    assert len(said()) == 1


@pytest.mark.skipif(_compile.is_interpreted(), reason="nothing is compiled")
def test_a_loop_is_compiled_where_no_thread_starts(tmp_path, monkeypatch):
    def refused(_):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refused)
    assert _compile.kernel(made(tmp_path, "alone"))(21) == 42


def _full_disk(*_):
    raise OSError(errno.ENOSPC, "No space left on device")


def _gone(folder):
    shutil.rmtree(folder)


def _damaged(folder):
    for file in folder.rglob("*.nb?"):
        file.write_bytes(b"")


@pytest.mark.skipif(_compile.is_interpreted(), reason="nothing is compiled")
@pytest.mark.parametrize("fault", ["full disk", "folder gone", "damaged file"])
def test_loops_are_compiled_where_they_cannot_be_kept(tmp_path, monkeypatch, fault):
    from numba import config
    from numba.core import caching

    source = tmp_path / "loop.py"
    source.write_text("def one_more(number):\n    return number + 1\n")
    spec = importlib.util.spec_from_file_location("loop", source)
    loop = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loop)
    cache = tmp_path / "cache"
    monkeypatch.setattr(config, "CACHE_DIR", str(cache))
    if fault == "damaged file":
        assert _compile.kernel(loop.one_more)(1) == 2
        _damaged(cache)
    one_more = _compile.kernel(loop.one_more)
    if fault == "full disk":
        monkeypatch.setattr(caching.IndexDataCacheFile, "_save_data", _full_disk)
    elif fault == "folder gone":
        assert one_more(0.5) == 1.5  # kept, as those of other types would be
        _gone(cache)
    assert one_more(1) == 2
    assert one_more(2) == 3
