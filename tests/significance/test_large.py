"""Large sets: resamples are made some at a time, the same ones, so that they take little memory and can be stopped."""

from __future__ import annotations

import tracemalloc
from functools import partial

import numpy as np
import pytest

import tiekit as tk
from tiekit.core import system_level
from tiekit.errors import collect_warnings
from tiekit.significance import schemes
from tiekit.significance._recount import lay_out
from tiekit.significance.schemes import RESAMPLES, SWAPS, Plan

DOCUMENTS = np.arange(41) // 3


def scores(shape):
    rng = np.random.default_rng(0)
    human = np.round(rng.normal(size=shape) * 5)
    return human, human + rng.normal(size=shape) * 3, human + rng.normal(size=shape) * 4


@pytest.mark.parametrize(
    ("swap", "kind"), [*((True, name) for name in SWAPS if name != "pairs"), *((False, name) for name in RESAMPLES)]
)
@pytest.mark.parametrize("step", [1, 5, 16])
@pytest.mark.parametrize("at_once", [10, schemes.NUMBERS_AT_ONCE])
def test_resamples_do_not_depend_on_how_many_are_made_at_a_time(swap, kind, step, at_once, monkeypatch):
    plan = Plan(swap, kind, (3, 41), 130, 5, documents=DOCUMENTS if kind == "documents" else None)
    whole = [plan.draws(part).cells for part in plan.parts]
    monkeypatch.setattr(schemes, "NUMBERS_AT_ONCE", at_once)
    for part, expected in zip(plan.parts, whole, strict=True):
        blocks = list(plan.blocks(part, step))
        assert max(map(len, blocks)) <= step
        assert (np.concatenate([some.cells for some in blocks]) == expected).all()


TESTS = {
    "swap": lambda human, a, b, name, **how: (
        tk.significance.permutation_test(human, a, b, name[1], grouping=name[0], **how).samples
    ),
    "resample": lambda human, a, _, name, **how: (
        tk.significance.bootstrap_interval(human, a, name[1], grouping=name[0], **how).samples
    ),
    "compare": lambda human, a, b, name, **how: tk.significance.compare_metrics(
        human, {"a": a, "b": b}, name[1], grouping=name[0], **how
    ).pvalues.to_numpy(),
}


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("name", ["item/acc_eq", "global/tau_b", "global/pearson", "global/spearman", "global/tau_c"])
def test_a_large_set_is_heard_before_its_draws_and_within_a_part_and_has_the_same_values(test, name, monkeypatch):
    given, how = (*scores((3, 41)), name.split("/")), {"n_resamples": 64, "rng": 3, "n_jobs": 1}
    expected, heard = TESTS[test](*given, **how), []
    monkeypatch.setattr(schemes, "LARGE", 0)
    found = TESTS[test](*given, **how, progress=heard.append)
    assert found == pytest.approx(expected, abs=1e-15, nan_ok=True)
    assert heard == sorted(heard)
    assert heard.count(0.0) > 1
    assert len({share for share in heard if 0 < share < 1}) >= 3

    def stop(share):
        if share >= 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        TESTS[test](*given, **how, progress=stop)


@pytest.mark.parametrize(
    ("test", "name", "most"),
    [("swap", "item/acc_eq*", 60), ("swap", "global/pearson", 60), ("resample", "item/acc_eq", 60)],
)
def test_resamples_of_a_large_set_take_little_memory(test, name, most):
    given = scores((2, 130_000))
    tracemalloc.start()
    TESTS[test](*given, name.split("/"), n_resamples=64, rng=0, n_jobs=1)
    peak = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    assert peak < most


def test_scores_are_laid_out_in_a_quarter_of_a_kilobyte_each():
    human, a, b = scores((2, 100_000))
    layout = lay_out(human, (a, b), "global", (0.0, 0.5))
    tracemalloc.start()
    layout.in_order  # noqa: B018 — made at the first look
    held, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 70 * layout.cell.size
    assert peak < 160 * layout.cell.size


@pytest.mark.parametrize("name", ["spa", "global/pearson", "system_means/tau_b"])
@pytest.mark.parametrize("gaps", [False, True])
def test_tests_of_all_metrics_are_heard_between_two_resamples(name, gaps, monkeypatch):
    monkeypatch.setattr(system_level, "STEPS_AT_ONCE", 1000)
    monkeypatch.setattr(system_level, "PAIRS_A_PART", 2)
    human, a, b = scores((6, 30))
    if gaps:
        a = np.where(np.arange(180).reshape(6, 30) % 7 == 0, np.nan, a)
    compare = partial(tk.significance.compare_metrics, human, {"a": a, "b": b}, name, n_resamples=16, cells="own")
    heard = []
    with collect_warnings():
        found = compare(progress=heard.append)
    assert heard == sorted(heard)
    assert len(heard) > 16
    monkeypatch.undo()
    with collect_warnings():
        assert compare().pvalues.equals(found.pvalues)


@pytest.mark.parametrize("name", ["item/pearson", pytest.param("global/tau_b", marks=pytest.mark.campaign)])
def test_halves_of_a_large_set_are_heard_and_take_little_memory(name, monkeypatch):
    human, a, b = scores((2, 130_000))
    split = partial(tk.measures.ranking_consistency, {"x": (human, {"a": a, "b": b})}, name, n_splits=20)
    heard = []
    tracemalloc.start()
    found = split(progress=heard.append)
    peak = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    assert peak < 120
    assert len({share for share in heard if 0 < share < 1}) > 2
    monkeypatch.setattr(schemes, "LARGE", human.size)
    assert split().by_dataset.equals(found.by_dataset)


def test_pvalues_of_many_metrics_take_a_byte_for_each_resample():
    rng = np.random.default_rng(0)
    human, metrics = rng.normal(size=(4, 30)), {f"m{number}": rng.normal(size=(4, 30)) for number in range(120)}
    tracemalloc.start()
    tk.significance.compare_metrics(human, metrics, "global/pearson", n_resamples=999)
    peak = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    assert peak < 40
