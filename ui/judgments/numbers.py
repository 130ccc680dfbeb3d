"""Which numbers describe a file of rankings? Counts, agreement, caps and metrics for each language pair."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pandas as pd

import tiekit as tk
from tiekit import charts
from tiekit.core import FloatArray, Progress
from tiekit.judgments import TIES
from ui.judgments.inputs import COEFFICIENTS
from ui.judgments.sources import RankingsFile
from ui.work import presets
from ui.work.result_cache import Task

KNOWS_SYSTEM = "knows only the system"


@dataclass(frozen=True)
class LanguagePairNumbers:
    """All numbers of one language pair; they are kept for all visitors, the rankings for one."""

    counts: dict[str, int]
    kappa: tk.judgments.Agreement
    limits: dict[str, tk.judgments.Attainable]
    resolved: dict[str, tk.judgments.Attainable]
    n_resolved: int
    n_draws: int
    unity: pd.DataFrame
    metrics: dict[str, dict[str, float]]
    metrics_resolved: dict[str, dict[str, float]]


def tasks(opened: RankingsFile, ties: str) -> dict[str, Task]:
    """Return what is to be computed, by language pair."""
    return {
        name: (("judgments", opened.digest, name, ties, opened.is_bundled), partial(_compute, opened, name, ties))
        for name in opened.rankings.language_pairs
    }


def _compute(opened: RankingsFile, pair: str, ties: str, progress: Progress) -> LanguagePairNumbers:
    """All numbers of one language pair."""
    rankings = opened.rankings.select(pair)
    kept, given = (rankings.preferences(name).select(pair) for name in (TIES[1], ties))
    decided = tk.judgments.resolve(given)
    progress(0.3)
    limits, after = (
        {name: _slim(tk.judgments.attainable(part, name)) for name in COEFFICIENTS} for part in (given, decided)
    )
    progress(0.8)
    matrices = _metrics(opened, given, pair)
    scored, scored_after = (
        {
            metric: {name: tk.judgments.judge_metric(part, matrix, name).value for name in COEFFICIENTS}
            for metric, matrix in matrices.items()
        }
        for part in (given, decided)
    )
    counts = {
        "sets": rankings.n_sets,
        "judges": np.unique(rankings.judge).size,
        "segments": np.unique(rankings.segment).size,
        "judgments": given.n_judgments,
        "ties excluded": given.n_omitted,
        "pairs": given.n_pairs,
        "repeated": given.repeated,
        "contradicted": given.contradictory,
    }
    unity = charts.unity_frame(given)
    return LanguagePairNumbers(
        counts,
        tk.judgments.agreement(kept),
        limits,
        after,
        decided.n_judgments,
        decided.n_omitted,
        unity,
        scored,
        scored_after,
    )


def _slim(limit: tk.judgments.Attainable) -> tk.judgments.Attainable:
    return replace(limit, best=np.empty((0, 0)))


def _metrics(opened: RankingsFile, given: tk.judgments.Preferences, pair: str) -> dict[str, FloatArray]:
    """Scores by metric: each system's share of wins, the same on every segment, and the metrics of the bundled set."""
    names, wins = given.rankings, given.matrix().to_numpy()
    shares = wins.sum(axis=1) / np.maximum(wins.sum(axis=0) + wins.sum(axis=1), 1)
    found = {KNOWS_SYSTEM: np.repeat(shares[:, None], len(names.segments), axis=1)}
    if opened.is_bundled:
        data, here = presets.sample(pair), names.pair_of_segment == names.language_pairs.index(pair)
        rows = [data.systems.index(name) for name in names.systems]
        columns = [data.segments.index(name) for name, is_here in zip(names.segments, here, strict=True) if is_here]
        for metric, scores in data.metrics.items():
            found[metric] = np.full((len(rows), here.size), np.nan)
            found[metric][:, here] = scores[np.ix_(rows, columns)]
    return found
