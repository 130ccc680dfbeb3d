"""Is a metric's place on the leaderboard fair? What ties, noise, length, the threshold and coverage do for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tiekit.base.parallel import Progress, part_of, tell
from tiekit.base.validation import FloatArray, IntArray
from tiekit.core.calibration import best_epsilon
from tiekit.core.coefficients import average, gain_over_constant, tied_share, values_per_group
from tiekit.core.cross_validation import fit_folds
from tiekit.core.grouping import Grouped, group_checked
from tiekit.core.pairs import KINDS, count_sorted, count_within
from tiekit.core.registry import COEFFICIENTS
from tiekit.core.ties import add_noise, grid_of
from tiekit.ranking.engine import ComparisonInputs
from tiekit.sets.evalset import EvalSet

DEVIATION, FOLDS = 0.01, 5
"""The standard deviation of the noise, as `tiekit.sentinels.perturb` has it, and the number of held-out parts."""

MOSTLY = 0.9
"""From this share of pairs that are tied at the best epsilon on, a value is marked."""

SIGN, SIGN_MEANS = "‡", "ε* ties 90 % of the pairs or more, nearly a constant metric"
"""The mark of such a value, and what it means."""

TIED = [KINDS.index(kind) for kind in ("ties_metric", "ties_both")]


@dataclass(frozen=True)
class Check:
    """One column of the group "fairness"; a `sentence` is said of a metric whose number is beyond the limit."""

    column: str
    label: str
    limit: float
    rule: str  # when a number is bad, with the limit
    sentence: str  # ``{value}`` is the number, ``{human}`` that of the human score


_LENGTH = "{{metric}} correlates with the length of the {0} by {{value:+.2f}}, the human score by {{human:+.2f}}: part "
_LENGTH += "of its agreement may be length."

CHECKS: tuple[Check, ...] = (
    Check(
        "tied_pairs",
        "Pairs it ties",
        0.1,
        "more than 10 % of the pairs",
        "{metric} ties {value:.0%} of the pairs: coefficients that count these as errors, or leave them out, give it "
        "another rank.",
    ),
    Check(
        "tied(acc_eq)",
        "Pairs it ties, calibrated",
        MOSTLY,
        "90 % of the pairs or more",
        "At its ε*, {metric} ties {value:.1%} of the pairs: acc_eq* is nearly that of a constant metric.",
    ),
    Check(
        "gain(acc_eq)",
        "Gain over a constant",
        0.01,
        "less than 0.01",
        "acc_eq* of {metric} is only {value:.4f} more than that of a metric that gives one score to all.",
    ),
    Check(
        "noise_gain",
        "Gain of its noise",
        0.005,
        "more than 0.005",
        "Random noise raises acc_eq* of {metric} by {value:.3f}: its ties cost it more than guesses would.",
    ),
    Check(
        "r(source length)",
        "r, source length",
        0.1,
        "farther from 0 than the human's by more than 0.1",
        _LENGTH.format("source"),
    ),
    Check(
        "r(output length)",
        "r, output length",
        0.1,
        "farther from 0 than the human's by more than 0.1",
        _LENGTH.format("translation"),
    ),
    Check(
        "held_out_loss",
        "Lost on held-out documents",
        0.01,
        "more than 0.01",
        "{metric} loses {value:.3f} of acc_eq* on documents that its threshold was not found on: report a held-out "
        "threshold.",
    ),
    Check(
        "coverage",
        "Coverage",
        0.99,
        "less than 99 %",
        "{metric} scored {value:.1%} of the translations: the others are not compared, or not for every metric.",
    ),
)
"""What is looked at, and from where on it is bad."""

COLUMNS = tuple(check.column for check in CHECKS)
LENGTHS = tuple(column for column in COLUMNS if column.startswith("r("))


@dataclass(frozen=True, eq=False)
class Texts:
    """What fairness needs besides scores: documents, one per segment, and lengths, NaN where unknown."""

    documents: tuple[str, ...]
    lengths: Mapping[str, FloatArray]
    grids: Mapping[str, str] = field(default_factory=dict)
    """By metric, what is said of a grid that makes some of its ties."""


def texts_and_lengths(selected: EvalSet) -> Texts:
    """Return documents and lengths of what is compared; lengths are of the shape (systems, segments)."""
    shape = len(selected.systems), len(selected.segments)
    known = selected.lengths
    sources = np.array(known.sources, np.float64) if known.sources else np.full(shape[1], np.nan)
    outputs = known.of_outputs(selected.systems, shape[1])
    lengths = dict(zip(LENGTHS, (np.broadcast_to(sources, shape), outputs), strict=True))
    said = {name: say_grid(name, scores, selected.identical) for name, scores in selected.metrics.items()}
    return Texts(selected.documents, lengths, {name: text for name, text in said.items() if text})


GRID_TIES = 0.005
"""A grid is named where more than this share of the pairs of a segment are ties of texts not known to be the same."""


def say_grid(name: str, scores: FloatArray, identical: IntArray | None) -> str:
    """Say on which grid a metric's scores lie, and how many of its ties are of different texts; empty without one."""
    segments = np.broadcast_to(np.arange(scores.shape[1]), scores.shape)
    known = ~np.isnan(scores) if identical is None else ~np.isnan(scores) & (identical >= 0)
    keys = segments[known], scores[known]
    tied, alike = _count_alike(*keys), 0 if identical is None else _count_alike(*keys, identical[known])
    if tied - alike <= GRID_TIES * _count_alike(segments[known]):
        return ""
    grid = grid_of(scores)
    if not grid.name or grid.n_distinct == 1:
        return ""
    said = (
        f"All scores of {name} lie on one grid: {grid.name} ({grid.n_distinct:,} different ones of {grid.n_scores:,})"
    )
    return f"{said}." if identical is None else f"{said}; {1 - alike / tied:.1%} of its ties are of different texts."


def _count_alike(*keys: NDArray[Any]) -> int:
    """How many pairs of cells have the same keys."""
    number = pd.DataFrame(dict(enumerate(keys))).value_counts(sort=False).to_numpy()
    return int((number * (number - 1) // 2).sum())


def fairness_of(
    inputs: ComparisonInputs, metric: str, texts: Texts, seed: int, progress: Progress | None = None
) -> dict[str, float]:
    """Measure one metric: every column but coverage; each metric's noise is drawn from the same seed."""
    scores = inputs.metrics[metric]
    human, of_groups = inputs.human_of(metric), (inputs.grouping, inputs.documents or None)
    grouped = group_checked(human, scores, *of_groups)
    tell(progress, 0.0)
    counts = count_within(grouped.scores, 0.0).counts[:, : len(KINDS)]
    total = int(counts.sum())
    best, plain = _calibrate_accuracy(grouped, part_of(progress, 0, 4))
    noisy, _ = add_noise(scores, DEVIATION, np.random.default_rng(seed))
    tell(progress, 1 / 4)
    gained = _calibrate_accuracy(group_checked(human, noisy, *of_groups), part_of(progress, 1, 4))[1] - plain
    found = {"tied_pairs": float(counts[:, TIED].sum() / total) if total else float("nan")}
    at_best = count_sorted(grouped.scores, best)
    tell(progress, 1 / 2)
    found |= {"tied(acc_eq)": tied_share(at_best), "gain(acc_eq)": gain_over_constant(COEFFICIENTS["acc_eq"], at_best)}
    found["noise_gain"] = gained
    found |= {column: pearson(scores, lengths, human) for column, lengths in texts.lengths.items()}
    return found | {"held_out_loss": _held_out_loss(inputs, metric, texts.documents, part_of(progress, 1, 2))}


def _calibrate_accuracy(grouped: Grouped, progress: Progress | None) -> tuple[float, float]:
    """The best threshold of acc_eq, and the value there."""
    entry = COEFFICIENTS["acc_eq"]
    tell(progress, 0.0)
    at_zero = count_within(grouped.scores, 0.0)
    tell(progress, 0.0)
    epsilon = best_epsilon(grouped, entry, at_zero, progress)
    return epsilon, average(values_per_group(grouped, entry, epsilon), "drop")


def _held_out_loss(inputs: ComparisonInputs, metric: str, documents: Sequence[str], progress: Progress | None) -> float:
    """How much of its own optimum a part loses on average with the threshold of the others."""
    human, scores = inputs.human_of(metric), inputs.metrics[metric]
    n_documents = len(set(documents)) if documents else scores.shape[1]
    if n_documents < 2:
        return float("nan")
    folds, names = min(FOLDS, n_documents), documents or None
    found = fit_folds(human, scores, "acc_eq", inputs.grouping, "absolute", folds, names, progress=progress).folds
    return float(found["loss"].mean())


def pearson(scores: FloatArray, lengths: FloatArray, human: FloatArray) -> float:
    """Correlate scores with lengths over all translations that the human scored; NaN where one is constant."""
    kept = ~(np.isnan(scores) | np.isnan(lengths) | np.isnan(human))
    one, other = scores[kept], lengths[kept]
    if one.size < 2 or not np.ptp(one) or not np.ptp(other):
        return float("nan")
    return float(np.corrcoef(one, other)[0, 1])


def add_fairness(board: pd.DataFrame, measured: Mapping[str, Mapping[str, float]], human: FloatArray, t: Texts) -> None:
    """Add the columns to a leaderboard, before coverage; its attrs hold the human's own correlation with lengths."""
    coverage = board.pop("coverage")
    for column in COLUMNS[:-1]:
        if column in board:
            board.pop(column)
        board[column] = pd.Series({name: values[column] for name, values in measured.items()}, dtype=np.float64)
    board["coverage"] = coverage
    board.attrs["grids"] = {name: text for name, text in t.grids.items() if name in board.index}
    board.attrs["human_lengths"] = {column: pearson(human, lengths, human) for column, lengths in t.lengths.items()}


def has_fairness(board: pd.DataFrame) -> bool:
    """Whether a leaderboard has all these columns."""
    return all(column in board for column in COLUMNS)


def signs_of(board: pd.DataFrame, column: str) -> pd.Series:
    """Mark the metrics of which a calibrated column ties nearly every pair."""
    share = board.get(f"tied({column[:-1]})") if column.endswith("*") else None
    return pd.Series(False, board.index) if share is None else share >= MOSTLY


def format_check(check: Check, value: float) -> str:
    """Return a number as tables show it: a share in percent, a correlation with its sign."""
    if value != value:
        return "–"
    forms = {"gain(acc_eq)": ".4f", "noise_gain": ".3f", "held_out_loss": ".3f"}
    form = "+.2f" if check.column in LENGTHS else forms.get(check.column, ".1%")
    return format(value, form).replace("-", "−")


def exceeds_limit(check: Check, value: float, human: float = 0.0) -> bool:
    """Whether a number is beyond the limit; a missing number is not."""
    if check.column in ("coverage", "gain(acc_eq)"):
        return value < check.limit
    if check.column == "tied(acc_eq)":
        return value >= check.limit
    return abs(value) - abs(human) > check.limit if check.column in LENGTHS else value > check.limit


def notes_of(board: pd.DataFrame) -> dict[str, list[str]]:
    """Return what is said of each metric: a sentence for each number beyond its limit, and one for a coarse grid."""
    of_human = board.attrs.get("human_lengths", {})
    found = {}
    for name in board.index:
        rows = [(check, float(board[check.column][name]), of_human.get(check.column, 0.0)) for check in CHECKS]
        found[str(name)] = [
            check.sentence.format(metric=name, value=value, human=human)
            for check, value, human in rows
            if exceeds_limit(check, value, human)
        ]
        found[str(name)] += filter(None, [board.attrs.get("grids", {}).get(name)])
    return found
