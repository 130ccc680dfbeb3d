"""From which population are scores drawn? The statistical model of Gao et al. (2024), Appendix C."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from tiekit.base.errors import InputError
from tiekit.base.parallel import Progress, run_parts, showing
from tiekit.base.results import Result, __version__
from tiekit.base.validation import FloatArray, as_generator, as_scores, check_count, seed_of
from tiekit.measures.evaluate import GAO_MEASURES, Measures, as_measures, mean_defined, values_of
from tiekit.measures.power import remember
from tiekit.sets.arguments import Exclude, Human, Metric, read_pair


@dataclass(frozen=True)
class Population:
    """What scores are drawn from; the defaults are the parameters of Gao et al. (2024), Appendix C.2.

    Each system has a mean human and a mean metric score, which are normal and correlated; the scores of its
    translations are normal about these means, with a correlation of the system's own.

    Parameters
    ----------
    n_systems, n_segments : int
        Numbers of systems and of segments, at least 1.
    mean_human, mean_metric : float
        Means of the systems' means.
    spread_human, spread_metric : float
        Standard deviations of the systems' means, at least 0.
    within_human, within_metric : float
        Standard deviations of a system's scores about its means.
    between : float
        Correlation of the systems' means, −1 to 1.
    inside, inside_spread : float
        Mean and standard deviation of the systems' own correlations, a normal distribution truncated at −1 and 1.

    Raises
    ------
    InputError
        For a parameter out of range.

    Examples
    --------
    >>> Population(n_systems=4).between
    0.92
    """

    n_systems: int = 16
    n_segments: int = 100
    mean_human: float = 0.65
    mean_metric: float = 0.47
    spread_human: float = 0.14
    spread_metric: float = 0.16
    within_human: float = 0.14
    within_metric: float = 0.16
    between: float = 0.92
    inside: float = 0.35
    inside_spread: float = 0.14

    def __post_init__(self) -> None:
        for name in ("n_systems", "n_segments"):
            check_count(name, getattr(self, name))
        for field in fields(self)[2:]:
            low, high = {"between": (-1.0, 1.0), "inside": (-1.0, 1.0)}.get(field.name, (0.0, np.inf))
            low = -np.inf if field.name.startswith("mean") else low
            value = float(as_scores(field.name, [getattr(self, field.name)])[0])
            if not low <= value <= high:
                raise InputError(f"{field.name}: must be from {low:g} to {high:g}, found {value!r}")


def simulate(
    population: Population | None = None, rng: np.random.Generator | int | None = None
) -> tuple[FloatArray, FloatArray]:
    """Draw continuous human and metric scores: the first loops of Algorithm 3.

    Parameters
    ----------
    population : Population, optional
        None has the paper's parameters.
    rng : numpy Generator or int, optional
        Random-number generator or seed; None is seed 0.

    Returns
    -------
    human, metric : ndarray, shape (systems, segments)

    References
    ----------
    Gao et al. (2024), Appendix C and Algorithm 3, arXiv 2410.16834.

    Examples
    --------
    >>> human, metric = simulate(Population(n_systems=2000, n_segments=50), 0)
    >>> human.shape, round(float(np.corrcoef(human.mean(axis=1), metric.mean(axis=1))[0, 1]), 2)
    ((2000, 50), 0.91)
    """
    p, generator = population or Population(), as_generator(rng)
    first, second = generator.standard_normal((2, p.n_systems, 1))
    human = p.mean_human + p.spread_human * first
    metric = p.mean_metric + p.spread_metric * (p.between * first + np.sqrt(1 - p.between**2) * second)
    own = truncated_normal(p.inside, p.inside_spread, generator.random((p.n_systems, 1)))
    first, second = generator.standard_normal((2, p.n_systems, p.n_segments))
    within = own * first + np.sqrt(1 - own**2) * second  # of each system, with its own correlation
    return human + p.within_human * first, metric + p.within_metric * within


def truncated_normal(mean: float, deviation: float, uniform: FloatArray) -> FloatArray:
    """A normal variable truncated at −1 and 1, by the inverse of its distribution function."""
    from scipy.special import ndtr, ndtri

    if deviation == 0:
        return np.full_like(uniform, mean)
    low, high = ndtr((-1 - mean) / deviation), ndtr((1 - mean) / deviation)
    return np.asarray(np.clip(mean + deviation * ndtri(low + (high - low) * uniform), -1.0, 1.0), np.float64)


def discretize(scores: ArrayLike, thresholds: ArrayLike) -> FloatArray:
    """Return the number of the interval between thresholds in which each score lies, counted from 1.

    Parameters
    ----------
    scores : array_like, of any shape
        NaN stays NaN.
    thresholds : array_like, shape (levels - 1,)
        In any order: they are sorted, as otherwise a higher score could get a lower level. A score equal to a threshold
        counts as below it.

    Returns
    -------
    ndarray
        Levels from 1 up, of the shape of the scores; a new array.

    Raises
    ------
    InputError
        For thresholds that are not a vector or contain NaN, and for what `count_pairs` refuses.

    References
    ----------
    Gao et al. (2024), Algorithm 3, arXiv 2410.16834.

    Examples
    --------
    >>> discretize([0.1, 0.3, 0.31, 0.9, float("nan")], [0.5, 0.3])
    array([ 1.,  1.,  2.,  3., nan])
    """
    values, steps = as_scores("scores", scores), as_scores("thresholds", thresholds)
    if steps.ndim != 1 or np.isnan(steps).any():
        raise InputError(f"thresholds: must be a vector without NaN, found shape {steps.shape}")
    return np.where(np.isnan(values), np.nan, np.searchsorted(np.sort(steps), values, side="left") + 1.0)


Limits = tuple[float, float]
"""The lowest and the highest score that a scale has."""


def estimate_population(
    data: Human,
    metric: Metric,
    *,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
    human_limits: Limits | None = None,
    metric_limits: Limits | None = None,
) -> Population:
    """Estimate the parameters of a population from human scores and those of a metric.

    Both sides are brought to the scale from 0 to 1 first. Means and standard deviations are those of the systems'
    means; ``within_human`` and ``within_metric`` are the mean of the systems' own standard deviations; ``between`` is
    Pearson's r of the systems' means, ``inside`` and ``inside_spread`` are the mean and the standard deviation of the
    systems' own r, which are left out where they are undefined.

    Parameters
    ----------
    data, metric, human, exclude
        As for `correlate`, of shape (systems, segments). A cell without both scores is left out.
    human_limits, metric_limits : pair of float, optional
        The lowest and the highest score of each scale; None takes the lowest and the highest score that occur.

    Returns
    -------
    Population
        With as many systems as have at least two scored segments, and the mean number of their scored segments.

    Raises
    ------
    InputError
        For fewer than two such systems, for scores that are constant, and for limits that are not in order.

    References
    ----------
    Gao et al. (2024), Appendix C.2, Tables 4 and 5, arXiv 2410.16834.

    Examples
    --------
    >>> from tiekit.measures import Population, simulate
    >>> found = estimate_population(
    ...     *simulate(Population(n_systems=90)), human_limits=(0, 1), metric_limits=(0, 1)
    ... )
    >>> round(found.spread_human, 1), round(found.between, 1), found.n_segments
    (0.1, 0.9, 100)
    """
    h, m = read_pair(data, metric, human, exclude)
    if h.ndim != 2:
        raise InputError(f"human: a population needs a matrix, systems × segments, found {h.ndim} dimensions")
    scored = ~(np.isnan(h) | np.isnan(m))
    rows = np.flatnonzero(scored.sum(axis=1) > 1)
    if rows.size < 2:
        raise InputError(f"human: at least 2 systems must have 2 scored segments, found {rows.size}")
    sides = [
        np.where(scored, _to_unit(name, scores, scored, limits), np.nan)[rows]
        for name, scores, limits in (("human", h, human_limits), ("metric", m, metric_limits))
    ]
    means = [np.nanmean(side, axis=1) for side in sides]
    own = [_pearson(x[ok], y[ok]) for x, y, ok in zip(*sides, scored[rows], strict=True)]
    defined = np.array([value for value in own if value == value])
    between = _pearson(*means)
    if not defined.size or np.isnan(between):
        raise InputError("metric: its correlation with the human scores is undefined, found constant scores")
    moments = [
        *(of.mean() for of in means),
        *(of.std(ddof=1) for of in means),
        *(np.nanstd(side, axis=1, ddof=1).mean() for side in sides),
        between,
        defined.mean(),
        defined.std(ddof=1) if defined.size > 1 else 0.0,
    ]
    return Population(int(rows.size), round(float(scored[rows].sum(axis=1).mean())), *map(float, moments))


def _to_unit(name: str, scores: FloatArray, scored: np.ndarray, limits: Limits | None) -> FloatArray:
    """Scores on the scale from 0 to 1."""
    low, high = (scores[scored].min(), scores[scored].max()) if limits is None else as_scores(f"{name}_limits", limits)
    if not low < high:
        found = "constant scores" if limits is None else repr(limits)
        raise InputError(f"{name}_limits: the lowest score must be below the highest, found {found}")
    return np.asarray((scores - low) / (high - low), np.float64)


def _pearson(x: FloatArray, y: FloatArray) -> float:
    """Pearson's r of two vectors; NaN where one is constant."""
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return float("nan")
    return float(np.clip(np.corrcoef(x, y)[0, 1], -1.0, 1.0))


@dataclass(frozen=True, eq=False, repr=False)
class SimulatedGranularity(Result):
    """The values of measures for one and the same metric on scales of G levels.

    Attributes
    ----------
    means : pandas.DataFrame
        Indexed by ``G``, one column per measure: the mean over the populations of each one's mean over its roundings;
        undefined values are left out.
    errors : pandas.DataFrame
        Standard errors of these means, from the populations' own means; NaN for a single population.
    continuous : pandas.Series
        By measure, the mean on the continuous scores of people and metric.
    n_undefined : pandas.DataFrame
        Number of draws without a value.
    population, human_levels, n_populations, n_thresholds, seed
        As asked for.
    """

    _number: ClassVar[str | None] = None

    means: pd.DataFrame
    errors: pd.DataFrame
    continuous: pd.Series
    n_undefined: pd.DataFrame
    population: Population
    human_levels: int
    n_populations: int
    n_thresholds: int
    seed: int

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain Python values, its signature and the population's parameters included."""
        return super().to_dict() | {"population": asdict(self.population)}

    def _facts(self) -> dict[str, object]:
        return dict(
            measures=",".join(map(str, self.means.columns)),
            value="simulated granularity",
            levels=",".join(map(str, self.means.index)),
            human_levels=self.human_levels,
            populations=self.n_populations,
            thresholds=self.n_thresholds,
            **{name: value for name, value in asdict(self.population).items() if value != getattr(Population, name)},
            undefined="drop",
            seed=self.seed,
        )


def simulate_granularity(
    levels: Sequence[int],
    measures: Measures = GAO_MEASURES,
    *,
    population: Population | None = None,
    human_levels: int = 13,
    n_populations: int = 100,
    n_thresholds: int = 100,
    rng: np.random.Generator | int | None = None,
    n_jobs: int | None = None,
    progress: Progress | bool | None = None,
    memory: Any = None,
) -> SimulatedGranularity:
    """Simulate scores, round human scores to some levels and metric scores to G, and evaluate the metric by measures.

    Parameters
    ----------
    levels : sequence of int
        Every G, at least 1. The values for one G do not depend on the others.
    measures : str or iterable of str
        As for `evaluate_measures`; a starred one is calibrated in every draw.
    population : Population, optional
        None has the paper's parameters.
    human_levels : int
        13 is three annotators on a scale of 1–5; the paper also has 250.
    n_populations : int
        T₁: how often continuous scores are drawn; the same ones for every G.
    n_thresholds : int
        T₂: how often each draw is rounded, at thresholds that are uniform within a standard deviation of the mean; the
        thresholds of the human scores are the same for every G.
    rng, n_jobs, progress, memory
        As for `discriminative_power`; the memory keeps each population at each G.

    Returns
    -------
    SimulatedGranularity

    Raises
    ------
    InputError
        For unknown names and numbers out of range.

    Notes
    -----
    As printed, Algorithm 3 rounds from the second time on what it has already rounded, at thresholds that are not
    sorted, and ρ is called truncated but drawn without bounds. Here each rounding starts from the scores as drawn,
    thresholds are sorted, and ρ stays within −1 and 1.

    References
    ----------
    Gao et al. (2024), section 4.3.2, Figures 5 and 51, Appendix C, arXiv 2410.16834.

    Examples
    --------
    >>> found = simulate_granularity([2, 10], ["global/pearson"], n_populations=4, n_thresholds=4)
    >>> bool(found.means.loc[2, "global/pearson"] < found.means.loc[10, "global/pearson"])
    True
    """
    asked, drawn_from = as_measures(measures), population or Population()
    if not len(levels) or len(set(levels)) < len(levels):
        raise InputError(f"levels: there must be at least one, each only once, found {levels!r}")
    counts = [check_count("levels", level) for level in levels]
    steps = check_count("human_levels", human_levels)
    n, rounds = check_count("n_populations", n_populations), check_count("n_thresholds", n_thresholds)
    seed, names = seed_of(rng), tuple(measure.name for measure in asked)
    parts = [(level, number) for level in (0, *counts) for number in range(n)]
    evaluate, shared = remember(memory, value_population), (__version__, drawn_from, names, steps, rounds, seed)
    with showing(progress, "simulate") as told:
        found = np.array(list(run_parts(evaluate, shared, parts, n_jobs=n_jobs, progress=told)))
    means, missing = found.reshape(len(counts) + 1, n, 2, len(names)).transpose(2, 0, 1, 3)
    index = pd.Index(counts, name="G")
    values = mean_defined(means.swapaxes(0, 1))
    defined = (~np.isnan(means)).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        errors = np.sqrt(mean_defined((means.swapaxes(0, 1) - values) ** 2) / (defined - 1))
    return SimulatedGranularity(
        means=pd.DataFrame(values[1:], index, list(names)),
        errors=pd.DataFrame(errors[1:], index, list(names)),
        continuous=pd.Series(values[0], list(names), name="continuous"),
        n_undefined=pd.DataFrame(missing.sum(axis=1)[1:].astype(int), index, list(names)),
        population=drawn_from,
        human_levels=steps,
        n_populations=n,
        n_thresholds=rounds,
        seed=seed,
    )


def value_population(
    version: str,  # noqa: ARG001  a new version of tiekit computes the numbers again
    population: Population,
    names: tuple[str, ...],
    human_levels: int,
    rounds: int,
    seed: int,
    part: tuple[int, int],
) -> FloatArray:
    """Means over roundings of a population, and how many are undefined, shape (2, measures); level 0: no rounding."""
    level, number = part
    human, metric = simulate(population, _stream(seed, number))
    if not level:
        found = values_of(human[None], metric[None], as_measures(names))
    else:
        p, coarse = population, []
        for scores, mean, spread, levels, key in (
            (human, p.mean_human, p.spread_human, human_levels, (0,)),
            (metric, p.mean_metric, p.spread_metric, level, (1, level)),
        ):
            steps = _stream(seed, number, *key).uniform(mean - spread, mean + spread, (rounds, levels - 1))
            coarse.append(np.array([discretize(scores, step) for step in steps]))
        found = values_of(coarse[0], coarse[1], as_measures(names))
    return np.array([mean_defined(found), np.isnan(found).sum(axis=0)])


def _stream(seed: int, *key: int) -> np.random.Generator:
    """The random numbers of one part, which do not depend on other parts."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))
