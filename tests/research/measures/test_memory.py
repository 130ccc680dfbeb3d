"""Long computations continue after an interruption, and give the same on a cluster."""

import os

import pandas as pd
import pytest

from tests.research.measures.toys import SMALL, toy
from tiekit.measures import discriminative_power, ranking_consistency, simulate_granularity


class StoppedError(Exception):
    pass


def stop_after(share):
    def progress(done):
        if done >= share:
            raise StoppedError

    return progress


@pytest.mark.parametrize("what", ["power", "consistency", "simulation"])
def test_what_was_interrupted_goes_on_from_what_was_found(what, tmp_path):
    from joblib import Memory

    memory, data = Memory(tmp_path, verbose=0), {"d": toy(n_metrics=4)}

    def run(**more):
        if what == "power":
            return discriminative_power(data, SMALL, swap="both", n_resamples=70, n_jobs=1, **more).pvalues
        if what == "consistency":
            return ranking_consistency(data, SMALL, n_splits=70, n_jobs=1, **more).by_dataset
        return simulate_granularity([2, 3], SMALL, n_populations=2, n_thresholds=2, n_jobs=1, **more).means

    def n_kept():
        return sum("output.pkl" in files for _, _, files in os.walk(tmp_path))

    with pytest.raises(StoppedError):
        run(memory=memory, progress=stop_after(0.6 if what == "power" else 0.5))  # a grouping is kept when it is done
    half = n_kept()
    assert half == {"power": 2, "consistency": 2, "simulation": 3}[what]
    times = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("output.pkl")}
    pd.testing.assert_frame_equal(run(memory=memory), run())
    assert n_kept() == 2 * half
    assert all(path.stat().st_mtime_ns == time for path, time in times.items())  # not found again


@pytest.mark.campaign
def test_a_dask_cluster_of_two_processes_gives_the_same_bytes():
    from distributed import Client, LocalCluster
    from joblib import parallel_config

    data = {"x": toy(n_metrics=4), "y": toy(seed=1)}

    def run():
        power = discriminative_power(data, SMALL, swap="both", n_resamples=200)
        steady = ranking_consistency(data, SMALL, n_splits=200)
        coarse = simulate_granularity([2, 5], SMALL, n_populations=3, n_thresholds=3)
        return [found.to_numpy().tobytes() for found in (power.pvalues, steady.by_dataset, coarse.means)]

    with parallel_config(n_jobs=1):
        expected = run()
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster),
        parallel_config(backend="dask"),
    ):
        assert run() == expected
