"""What swapped and drawn matrices give by themselves."""

import numpy as np

import tiekit as tk


def z_scores(human, metric):
    """Standardized; rounded, as two metrics' scores that are equal must not differ by rounding."""
    used = metric[~np.isnan(human) & ~np.isnan(metric)]
    return ((metric - used.mean()) / used.std()).round(12)


def by_itself(human, metric, name, grouping):
    return tk.correlate(human, metric, name, grouping=grouping).value


def make_mine(folder, seed=3, n_segments=None):
    """Write ``mine.seg.score``: COMET-22 and normal noise, for the machine systems of WMT22 zh-en, without refA, refB.

    So it is worse than COMET-22 by construction, and has no scores of refB, which is ranked as a system.
    """
    data = tk.load_wmt22()
    scores = data.metrics["COMET-22-refA"]
    mine = scores + np.random.default_rng(seed).normal(0, 0.02, scores.shape)
    mine[:, n_segments or mine.shape[1] :] = np.nan
    rows = [
        f"{system}\t{'None' if np.isnan(score) else repr(float(score))}\n"
        for system, line in zip(data.systems, mine, strict=True)
        for score in line
        if not system.startswith("ref")
    ]
    path = folder / "mine.seg.score"
    path.write_text("".join(rows))
    return path


def noisy_metrics():
    """Human scores and metrics that are these with noise; two of them have equal amounts of it."""
    rng = np.random.default_rng(0)
    human = rng.integers(0, 4, (6, 40)).astype(float)
    noise = {"good": 0.5, "fair": 1.0, "twin": 1.0, "poor": 4.0}
    return human, {name: human + rng.normal(size=human.shape) * size for name, size in noise.items()}


def named_set():
    """Five systems, of which one is the standard reference and one an outlier, and metrics with names as at WMT."""
    rng = np.random.default_rng(5)
    human = rng.integers(-3, 1, (5, 8)).astype(float)
    metrics = {name: (human + rng.normal(0, 1, human.shape)).round(1) for name in ("COMET-22-refA", "COMET-20-refA")}
    metrics |= {"chrF-refA": rng.integers(0, 4, human.shape), "MATESE-QE-src": rng.integers(0, 2, human.shape)}
    return tk.EvalSet(
        "toy",
        "en-de",
        ("A", "B", "C", "refA", "odd"),
        tuple(map(str, range(8))),
        {"mqm": human, "da": rng.normal(size=human.shape)},
        metrics,
        documents=tuple("aabbccdd"),
        standard_reference="refA",
        outliers=("odd",),
        gold="mqm",
    )
