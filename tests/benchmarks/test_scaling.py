"""The table of growing n holds every line. Nothing is timed here: times are made up, or those of tiny sizes."""

import math

import numpy as np
import pytest

import tiekit as tk
from benchmarks import __main__ as command
from benchmarks import alone, growth, measure, real, scaling, scores
from benchmarks.alone import Run
from benchmarks.cases import Sizes
from benchmarks.table import Row

TINY = Sizes(scaling=(60, 20, 40), plain_to=20, one_sort_to=40, growth_from=40, repeats=1, longest=0.0)
FOLDER = "/real/mt-metrics-eval-v2"


@pytest.fixture
def in_process(monkeypatch):
    """Tools run here, as starting interpreters takes its time and has a test of its own."""

    def run(tool, source, sizes):
        return Run(*alone.fields(tool, source, sizes.repeats, sizes.longest))

    monkeypatch.setattr(scaling, "run", run)
    monkeypatch.setattr(alone, "warm_up", lambda: None)


def made_up(seconds, peak=2e6):
    """A run of which only time and memory matter."""
    return Run(seconds, peak, 0.25, 0.5)


@pytest.mark.usefixtures("in_process")
@pytest.mark.campaign
def test_the_table_has_every_line():
    """A line a peer for each size in order, then the real scores, then growth."""
    found = list(scaling.rows(TINY, None))
    cases = [row.case for row in found]
    assert cases == [
        *("calibrate, 20 drawn scores, 190 pairs", ""),
        *("calibrate, 40 drawn scores, 780 pairs", ""),
        *("calibrate, 60 drawn scores, 1,770 pairs", ""),
        *("real WMT22 zh-en", "  time grows as", ""),
    ]
    peers = ["plain Algorithm 2", "Algorithm 2 in NumPy, one sort"] * 3
    assert all(peer in row.peer for peer, row in zip(peers, found, strict=False))
    assert ["left out: would need at least about" in row.peer for row in found[:6]] == [0, 0, 1, 0, 1, 1]
    assert [bool(row.ratio) for row in found[:6]] == [1, 1, 0, 1, 0, 0]
    assert "n from 40 to 60" in found[-2].tiekit
    assert found[-2].peer == "unknown: too few sizes plain Algorithm 2"
    assert "n from 20 to 40" in found[-1].peer
    assert "≤ n^1.6: " in found[-2].target


@pytest.mark.parametrize("peer", list(scaling.PEERS))
@pytest.mark.parametrize(("epsilon", "value"), [(0.25, 0.6), (0.3, 0.5)])
def test_a_peer_that_finds_something_else_stops_the_benchmark(peer, epsilon, value):
    same = {name: {40: made_up(1.0)} for name in ("tiekit", *scaling.PEERS)}
    assert [row.ratio for row in scaling.at_size(40, same)] == ["1× faster"] * 2
    with pytest.raises(RuntimeError, match=scaling.PEERS[peer]):
        list(scaling.at_size(40, same | {peer: {40: Run(1.0, 2e6, epsilon, value)}}))


def test_what_is_left_out_is_estimated_from_the_largest_that_was_not():
    measured = {1_000: made_up(0.1), 2_000: made_up(6.0, 300e6)}
    assert scaling.needs(measured, 20_000) == "would need at least about 10 min, 30 GB"
    assert scaling.needs({2_000: made_up(6.0, None)}, 100_000) == "would need at least about 4.2 h"
    assert scaling.needs({}, 100_000) == "measured at no size"


def test_targets_hold_at_their_sizes():
    assert scaling.targets(10_000, made_up(99.0)) == ""
    assert scaling.targets(100_000, made_up(15.0)) == "≤ 15 s: met"
    assert scaling.targets(100_000, made_up(15.1)) == "≤ 15 s: NOT MET"
    assert scaling.targets(28_125, made_up(9.0, 300e6)) == "≤ 300 MB: met"
    assert scaling.targets(28_125, made_up(9.0, 301e6)) == "≤ 300 MB: NOT MET"
    assert scaling.targets(28_125, made_up(9.0, None)) == ""
    assert real.targets(made_up(3.0, 301e6)) == "≤ 3 s: met, ≤ 300 MB: NOT MET"
    assert real.targets(made_up(3.1, None)) == "≤ 3 s: NOT MET"


@pytest.mark.parametrize(("power", "verdict"), [(1.5, "≤ n^1.6: met"), (1.7, "≤ n^1.6: NOT MET")])
def test_growth_begins_where_fixed_costs_are_small(power, verdict):
    """The small size would change the exponent; peers have all their sizes."""
    ours = {100: made_up(50.0), **{n: made_up(n**power) for n in (5_000, 10_000, 100_000)}}
    peers = {peer: {n: made_up(n**2.0) for n in (100, 200)} for peer in scaling.PEERS}
    first, second = scaling.exponents({"tiekit": ours, **peers}, Sizes())
    assert (first.tiekit, first.target) == (f"n^{power:.2f} (n from 5,000 to 100,000)", verdict)
    assert [row.peer.split(")")[0] for row in (first, second)] == ["n^2.00 (n from 100 to 200"] * 2


def test_growth_of_one_size_is_neither_met_nor_missed():
    (first, _) = scaling.exponents({tool: {9_000: made_up(1.0)} for tool in ("tiekit", *scaling.PEERS)}, Sizes())
    assert (first.tiekit, first.target) == ("unknown: too few sizes", "")
    assert math.isnan(growth.exponent({9_000: 1.0}))


@pytest.mark.parametrize(
    "tool", [pytest.param(tool, marks=[pytest.mark.campaign] * (tool != "plain")) for tool in alone.TOOLS]
)
def test_a_tool_is_measured_in_a_fresh_interpreter(tool):
    """It finds there what it finds here, to the last bit."""
    found = alone.run(tool, 40, TINY)
    human, metric = scores.draw_vectors(40)
    expected = tk.calibrate(human, metric)
    assert (found.epsilon, found.value) == (expected.epsilon, pytest.approx(expected.value, rel=1e-15))
    assert found.seconds > 0
    assert found.peak is None or found.peak >= 0


@pytest.mark.campaign
def test_a_long_call_is_not_repeated():
    """Five times where it is quick, once where it is long; the first result counts and is returned."""
    for longest, expected in ((1e9, 5), (0.0, 1)):
        calls = []
        _, _, result = measure.time_and_peak(lambda calls=calls: calls.append(0) or len(calls), 5, longest)
        assert (len(calls), result) == (expected, 1)


def test_peak_memory_is_that_of_the_call():
    """Forty megabytes are seen, give or take what the system had in reserve."""
    _, peak, _ = measure.time_and_peak(lambda: len(b"1" * 40_000_000), 1, 0.0)
    assert peak is None or peak > 30e6


def test_median_and_slowest_get_a_line():
    seconds = {scores.METRIC_X: 1.0, "B": 4.0, "C": 2.0, "D": 3.0}
    assert real.chosen(seconds) == {
        scores.METRIC_X: scores.METRIC_X,
        "C": "C, the median of 4 metrics",
        "B": "B, the slowest of 4 metrics",
    }
    assert real.chosen(seconds | {scores.METRIC_X: 9.0})[scores.METRIC_X].endswith("the slowest of 4 metrics")


def test_real_scores_have_a_line_each_and_one_for_leaderboards(monkeypatch):
    """The interpreters are played: what they print is made up."""
    seconds = {scores.METRIC_X: 1.0, "B": 2.0, "C": 3.0}
    monkeypatch.setattr(real, "fresh", lambda code: seconds if "seconds_by_metric" in code else [24, 61.0])
    monkeypatch.setattr(real, "run", lambda *_: made_up(2.0))
    monkeypatch.setattr(real, "vectors", lambda _: scores.draw_vectors(30))
    *metrics, board = real.rows(TINY, FOLDER)
    assert [row.case for row in metrics] == [
        f"calibrate, 30 real scores, {label}"
        for label in (scores.METRIC_X, "B, the median of 3 metrics", "C, the slowest of 3 metrics")
    ]
    assert {row.target for row in metrics} == {"≤ 3 s: met, ≤ 300 MB: met"}
    assert "by item, global, system, 24 real metrics" in board.case
    assert (board.tiekit, board.target) == ("1.02 min", "≤ 60 s: NOT MET")


@pytest.mark.real
@pytest.mark.campaign
def test_every_real_metric_is_timed(real_data):
    folder = str(real_data / "mt-metrics-eval-v2")
    assert [scores.size for scores in alone.vectors((folder, scores.METRIC_X))] == [28_125] * 2
    assert len(real.seconds_by_metric(folder)) == 24
    assert ", 24 real metrics" in real.leaderboards(folder).case


def test_one_table_can_be_asked_for(monkeypatch):
    titles = [title for title, _ in command.TABLES.values()]
    for name, (title, _) in list(command.TABLES.items()):
        monkeypatch.setitem(command.TABLES, name, (title, lambda *_, name=name: [Row(f"a line of {name}", "1 s")]))
    texts = [command.report(TINY, None, only=only) for only in (None, *command.TABLES)]
    shown = [[title in text for title in titles] for text in texts]
    unasked = [name not in command.ONLY_ASKED for name in command.TABLES]
    assert not all(unasked)
    assert shown == [unasked, *np.eye(len(titles), dtype=bool).tolist()]
    one = texts[1 + [*command.TABLES].index("scaling")]
    assert "a line of scaling" in one
    assert "a line of calls" not in one


def test_the_command_takes_no_other_table(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["benchmarks", "--only", "nothing"])
    with pytest.raises(SystemExit):
        command.main()
    assert "invalid choice: 'nothing'" in capsys.readouterr().err
