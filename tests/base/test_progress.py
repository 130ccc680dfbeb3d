"""Bars: who sees one, when, and what silences it; and Ctrl-C, which ends long work within a second."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import termios
import threading
import time
from types import SimpleNamespace

import joblib
import numpy as np
import pytest

import tiekit as tk
from docsite.reference import NAMESPACES
from tiekit.base import parallel as progress
from tiekit.base.parallel import Bar, is_watched, part_of, showing


@pytest.fixture
def bars(monkeypatch):
    """The bars that are made, each with what it showed; somebody watches, and a bar comes at once."""
    made = []

    class Drawn(SimpleNamespace):
        def refresh(self):
            self.shown.append((self.label, self.n))

        def set_description_str(self, label, **_):
            self.label = label

        def close(self):
            self.closed = True

    def make(label):
        made.append(Drawn(label=label, shown=[], closed=False, n=0))
        return made[-1]

    monkeypatch.setattr(progress, "_make_bar", make)
    monkeypatch.setattr(progress, "is_watched", lambda: True)
    monkeypatch.setattr(progress, "DELAY", 0.0)
    monkeypatch.setattr(progress, "INTERVAL", 0.0)
    return made


def scores():
    rng = np.random.default_rng(0)
    human = rng.integers(0, 4, (4, 9)).astype(float)
    return human, human + rng.normal(size=human.shape), rng.normal(size=human.shape)


def toy_set():
    human, a, b = scores()
    return tk.EvalSet("toy", "", tuple("ABCD"), tuple("123456789"), {"h": human}, {"a": a, "b": b})


def two_humans():
    """A set with two human scores, one of which judges."""
    return tk.EvalSet.from_arrays({"mqm": HUMAN, "da": B}, {"a": A})


def rankings():
    rows = [(judge, "1", {"A": 1, "B": rank, "C": 3}) for judge, rank in (("ann", 2), ("bob", 1))]
    return tk.judgments.Rankings.from_rows(rows)


def votes():
    rows = [("1", "A", "B", 1, "ann"), ("1", "A", "B", 1, "gpt"), ("2", "A", "B", -1, "ann"), ("2", "A", "B", 0, "gpt")]
    found = tk.votes.Votes.from_rows(rows)
    return found.by("gpt"), found.by("ann")


HUMAN, A, B = scores()
PAIR = {"toy": (HUMAN, {"a": A, "b": B})}
LONG = {
    "leaderboard": lambda **how: tk.leaderboard(toy_set(), **how),
    "standing": lambda **how: tk.standing(toy_set(), "a", n_resamples=99, **how),
    "audit": lambda **how: tk.identical.audit(tk.load("synthetic"), metrics="Judge", n_resamples=0, **how),
    "repair": lambda **how: tk.identical.repair(tk.load("synthetic"), metrics="Judge", **how),
    "calibrate": lambda **how: tk.calibrate(HUMAN, A, **how),
    "correlate": lambda **how: tk.correlate(HUMAN, A, "acc_eq*", **how),
    "curve": lambda **how: tk.calibrate(HUMAN, A, progress=False).curve(9, **how),
    "cross_validate": lambda **how: tk.cross_validate(HUMAN, A, folds=3, **how),
    "transfer": lambda **how: tk.transfer(tk.calibrate(HUMAN, A, progress=False), HUMAN, B, **how),
    "correlate_untied": lambda **how: tk.correlate_untied(HUMAN, A, **how),
    "bucket_curve": lambda **how: tk.bucket_curve(HUMAN, A, [2, 4], **how),
    "permutation_test": lambda **how: tk.significance.permutation_test(HUMAN, A, B, n_resamples=99, **how),
    "compare_metrics": lambda **how: tk.significance.compare_metrics(*PAIR["toy"], n_resamples=9, **how),
    "swap_test": lambda **how: tk.significance.swap_test(*PAIR["toy"], n_resamples=9, **how),
    "bootstrap_interval": lambda **how: tk.significance.bootstrap_interval(HUMAN, A, n_resamples=99, **how),
    "discriminative_power": lambda **how: tk.measures.discriminative_power(PAIR, n_resamples=9, **how),
    "ranking_consistency": lambda **how: tk.measures.ranking_consistency(PAIR, n_splits=9, **how),
    "measure_agreement": lambda **how: tk.measures.measure_agreement(PAIR, **how),
    "evaluate_measures": lambda **how: tk.measures.evaluate_measures(*PAIR["toy"], **how),
    "granularity": lambda **how: tk.measures.granularity(HUMAN, A, [2, 4], **how),
    "by_decimals": lambda **how: tk.measures.by_decimals(HUMAN, A, [1, 2], **how),
    "segments_needed": lambda **how: tk.measures.segments_needed(HUMAN, A, B, repeats=2, n_resamples=9, **how),
    "granularity_of_samples": lambda **how: tk.measures.granularity_of_samples(HUMAN, [A, B], **how),
    "simulate_granularity": lambda **how: tk.measures.simulate_granularity([2], n_populations=2, n_thresholds=2, **how),
    "tie_shares": lambda **how: tk.sentinels.tie_shares(*PAIR["toy"], shares=[0.3], **how),
    "rank_intervals": lambda **how: tk.sentinels.rank_intervals(*PAIR["toy"], shares=[0.3], **how),
    "classify": lambda **how: tk.classification.classify(HUMAN, A, 2.0, folds=3, n_resamples=99, **how),
    "rerank": lambda **how: tk.classification.rerank(HUMAN, A, n_resamples=99, **how),
    "length_bias": lambda **how: tk.sentinels.length_bias(tk.load("synthetic"), "Judge", **how),
    "rank_humans": lambda **how: tk.humans.rank_humans(two_humans(), n_resamples=9, **how),
    "held_out_shares": lambda **how: tk.sentinels.held_out_shares(*PAIR["toy"], shares=[0.3], held_out=0.5, **how),
    "calibrate_reweighted": lambda **how: tk.sentinels.calibrate_reweighted(HUMAN, A, keep_tied=0.5, **how),
    "attainable": lambda **how: tk.judgments.attainable(rankings(), **how),
    "agreement_interval": lambda **how: tk.votes.agreement_interval(*votes(), n_resamples=9, **how),
    "checklist": lambda **how: tk.votes.checklist(*votes(), n_resamples=9, **how),
    "metric_correlations": lambda **how: tk.sentinels.metric_correlations(PAIR["toy"][1], **how),
}


@pytest.mark.parametrize("name", LONG)
def test_long_work_shows_one_bar_and_takes_it_away(bars, name):
    LONG[name]()
    assert len(bars) == 1
    assert bars[0].closed
    fractions = [fraction for _, fraction in bars[0].shown]
    assert fractions == sorted(fractions)
    assert fractions[-1] == pytest.approx(1)
    assert bars[0].n == 1  # a notebook shows a bar red that ends before
    LONG[name](progress=True)
    assert len(bars) == 2


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", LONG)
def test_it_is_silenced_and_a_function_still_taken(bars, name):
    LONG[name](progress=False)
    heard = []
    LONG[name](progress=heard.append)
    assert not bars
    assert heard[-1] == pytest.approx(1)
    with pytest.raises(tk.InputError, match="progress: must be a function, True, False or None, found 'yes'"):
        LONG[name](progress="yes")


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("evaluate_measures", 2 * 12),
        ("bucket_curve", 2 * 3),
        ("correlate_untied", 20 * 3),
        ("metric_correlations", 2 * 3),
        ("granularity", 12),
        ("granularity_of_samples", 2 * 12),
        ("tie_shares", 2 * 3),
        ("held_out_shares", 2 * 4),
    ],
)
def test_steps_that_are_long_with_many_scores_are_told_one_by_one(name, least):
    heard = []
    LONG[name](progress=heard.append)
    assert len(heard) >= least


def test_every_public_function_with_progress_is_among_them():
    spaces = [tk, *(getattr(tk, name) for name in NAMESPACES)]
    functions = [vars(space).get(name) or getattr(space, name) for space in spaces for name in space.__all__]
    functions += [getattr(tk, name) for name in tk.INNER]
    named = {f.__name__ for f in functions if "progress" in getattr(f, "__annotations__", ())}
    assert named == set(LONG) - {"curve"} | {"official_ranking", "download"}


@pytest.mark.parametrize("set_back", [0.0, 3_600.0])
def test_a_bar_appears_after_a_second_whatever_the_clock_says(bars, monkeypatch, set_back):
    monkeypatch.setattr(progress, "DELAY", 1.0)
    now = [100.0]
    clock = SimpleNamespace(monotonic=lambda: now[0], time=lambda: now[0] - set_back * (now[0] > 100))
    monkeypatch.setattr(progress, "time", clock)
    with showing(None, "count") as told:
        for now[0] in (100.5, 100.99):
            told(0.5)
        assert not bars
        now[0] = 101.0
        told(0.6)
    assert (bars[0].shown, bars[0].start_t, bars[0].closed) == ([("count", 0.6)], 100.0 - set_back, True)


@pytest.mark.usefixtures("bars")
def test_work_within_work_has_no_bar_of_its_own():
    with showing(None, "all") as told, showing(None, "part") as inner, showing(True, "part") as more:
        assert isinstance(told, Bar)
        assert inner is more is None
    with showing(False, "all"), showing(None, "part") as inner:
        assert inner is None
    with showing(print, "all") as told:
        assert told is print


def test_a_bar_goes_when_the_work_fails(bars):
    def fail():
        with showing(None, "work") as told:
            part_of(told, 1, 2)(1 / 2)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert (bars[0].shown, bars[0].closed) == ([("work", 0.75)], True)


def test_who_watches(monkeypatch):
    stderr = SimpleNamespace(isatty=lambda: True)
    monkeypatch.setattr(sys, "stderr", stderr)
    assert not is_watched()  # as the tests set TQDM_DISABLE
    monkeypatch.delenv("TQDM_DISABLE")
    assert is_watched()
    stderr.isatty = lambda: False
    for name in ("IPython", "marimo"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    assert not is_watched()
    shells = {"ZMQInteractiveShell": True, "TerminalInteractiveShell": False, "Interpreter": True}
    for kind, expected in shells.items():
        shell = type(kind, (), {})()
        monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda shell=shell: shell))
        assert is_watched() is expected
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: None))
    for running in (True, False):
        monkeypatch.setitem(sys.modules, "marimo", SimpleNamespace(running_in_notebook=lambda running=running: running))
        assert is_watched() is running
    stderr.isatty = lambda: True
    assert is_watched()
    found = []
    visitor = threading.Thread(target=lambda: found.append(is_watched()))  # as the app answers its visitors
    visitor.start()
    visitor.join()
    assert found == [False]


WORK = """
import sys, time
from tiekit.base import parallel as progress
progress.DELAY = 0.05
with progress.showing(None, "count") as told:
    for done in range(30):
        time.sleep(0.01)
        if told: told(done / 30)
print("bar" if told else "none", "tqdm" in sys.modules)
"""


def terminal(code):
    """What a program writes whose stderr is a terminal, and what it prints."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 80))
    environment = {name: value for name, value in os.environ.items() if name != "TQDM_DISABLE"}
    asked = [sys.executable, "-c", code]
    written = b""
    with subprocess.Popen(asked, stdout=subprocess.PIPE, stderr=theirs, env=environment, text=True) as running:
        os.close(theirs)
        try:
            while part := os.read(ours, 4096):
                written += part
        except OSError:  # how Linux says that nobody writes any more
            pass
        printed = running.stdout.read()
    os.close(ours)
    return written.decode(), printed


def test_a_terminal_gets_tqdm_and_a_file_nothing():
    written, printed = terminal(WORK)
    assert printed == "bar True\n"
    assert "count:" in written
    assert "%|" in written
    assert written.rstrip(" ").endswith("\r")  # the line is empty again
    done = subprocess.run([sys.executable, "-c", WORK], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("none False\n", "")


def worker(_part):
    time.sleep(0.05)
    return threading.get_ident()


def test_one_worker_does_all_unless_more_are_asked_for():
    assert {*progress.run_parts(worker, (), range(4))} == {threading.get_ident()}
    assert threading.get_ident() not in {*progress.run_parts(worker, (), range(4), n_jobs=2)}
    with joblib.parallel_config(backend="threading", n_jobs=2):
        assert threading.get_ident() not in {*progress.run_parts(worker, (), range(4))}


INTERRUPTED = """
import joblib, numpy as np, signal, tiekit as tk
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores Ctrl-C
rng = np.random.default_rng(0)
human = np.round(rng.normal(size=(20, 1000)), 1)
a, b = (human + rng.normal(size=human.shape) for _ in "ab")
def begin(done):
    print("begun", flush=True)
def test():
    tk.significance.permutation_test(human, a, b, "global/tau_b", swap="cells", n_resamples=10**6, progress=begin)
def processes():
    begin(0)
    with joblib.parallel_config(backend="loky", n_jobs=2):
        test()
def search():
    while True:
        tk.calibrate(human, a, "global/tau_b", progress=begin)
try:
    {}
except KeyboardInterrupt:
    print("stopped", flush=True)
"""


def children(pid):
    """The processes that a process has started, and those that these have."""
    listed = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    pairs = [tuple(map(int, line.split())) for line in listed.splitlines()]
    own = [child for child, parent in pairs if parent == pid]
    return own + [more for child in own for more in children(child)]


@pytest.mark.campaign
@pytest.mark.parametrize("call", ["processes()", "test()", "search()"])
def test_ctrl_c_ends_it_and_leaves_no_process(call):
    asked = [sys.executable, "-W", "ignore", "-c", INTERRUPTED.format(call)]
    with subprocess.Popen(asked, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout.readline() == "begun\n"
        workers = children(running.pid)
        while call == "processes()" and len(workers) < 2:
            time.sleep(0.1)
            workers = children(running.pid)
        time.sleep(0.3)
        running.send_signal(signal.SIGINT)
        lines = iter(running.stdout.readline, "")
        assert next(line for line in lines if line != "begun\n") == "stopped\n"
        assert running.wait(20) == 0, running.stderr.read()
    deadline = time.monotonic() + 10
    while left := [pid for pid in workers if os.path.exists(f"/proc/{pid}")]:
        assert time.monotonic() < deadline, left
        time.sleep(0.1)
