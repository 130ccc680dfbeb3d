"""What if? The statistical model of Gao et al. (2024): scores of people and of a metric, and what coarse scales do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from tiekit.errors import InputError
from tiekit.measures.evaluate import GAO_MEASURES, MeasureLike, as_measures, check_count, mean_defined, values_of
from tiekit.measures.power import kept
from tiekit.parallel import run_parts
from tiekit.progress import Progress
from tiekit.scores import FloatArray, as_scores
from tiekit.seeds import as_generator, seed_of
from tiekit.signature import __version__, signature


@dataclass(frozen=True)
class Population:
    """What scores are drawn from; unless told otherwise with the parameters of Gao et al., Appendix C.2.

    A system has a mean human and a mean metric score, normal with a correlation; its translations are normal about
    them, with a correlation of its own.

    Parameters
    ----------
    n_systems, n_segments : int
        At least 1.
    mean_human, mean_metric : float
        Of the systems' means.
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
        For what is out of range.

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


def simulate(population: Population, rng: np.random.Generator | int) -> tuple[FloatArray, FloatArray]:
    """Draw human and metric scores without steps: the first loops of Algorithm 3.

    Parameters
    ----------
    population : Population
    rng : numpy Generator or int

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
    p, generator = population, as_generator(rng)
    first, second = generator.standard_normal((2, p.n_systems, 1))
    human = p.mean_human + p.spread_human * first
    metric = p.mean_metric + p.spread_metric * correlated(first, second, p.between)
    own = truncated_normal(p.inside, p.inside_spread, generator.random((p.n_systems, 1)))
    first, second = generator.standard_normal((2, p.n_systems, p.n_segments))
    return human + p.within_human * first, metric + p.within_metric * correlated(first, second, own)


def correlated(first: FloatArray, second: FloatArray, rho: FloatArray | float) -> FloatArray:
    """From two independent standard normal variables, one that correlates with the first."""
    return np.asarray(rho * first + np.sqrt(1 - np.square(rho)) * second, np.float64)


def truncated_normal(mean: float, deviation: float, uniform: FloatArray) -> FloatArray:
    """A normal variable within −1 and 1, by the inverse of its distribution."""
    from scipy.special import ndtr, ndtri

    if deviation == 0:
        return np.full_like(uniform, mean)
    low, high = ndtr((-1 - mean) / deviation), ndtr((1 - mean) / deviation)
    return np.asarray(np.clip(mean + deviation * ndtri(low + (high - low) * uniform), -1.0, 1.0), np.float64)


def discretize(scores: ArrayLike, thresholds: ArrayLike) -> FloatArray:
    """Number the intervals between thresholds from 1, and say in which each score lies.

    Parameters
    ----------
    scores : array_like, of any shape
        NaN stays NaN.
    thresholds : array_like, shape (levels - 1,)
        In any order: they are sorted, without which a higher score could be given a lower level. A score at a threshold
        lies below it.

    Returns
    -------
    ndarray
        A new one; scores stay as they are.

    Raises
    ------
    InputError
        For thresholds that are no vector or hold NaN, and for what `count_pairs` refuses.

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


@dataclass(frozen=True, eq=False)
class SimulatedGranularity:
    """What measures say of one and the same metric on scales of G levels.

    Attributes
    ----------
    means : pandas.DataFrame
        Indexed by ``G``, a column a measure: mean over the populations, of each one's mean over its roundings; what is
        undefined is left out.
    errors : pandas.DataFrame
        Standard errors of these means, from the populations' own means; NaN for a single population.
    continuous : pandas.Series
        By measure, the mean on the scores without steps, of people too.
    n_undefined : pandas.DataFrame
        Draws without a value.
    population : Population
    human_levels, n_populations, n_thresholds, seed : int
        What was asked for.
    """

    means: pd.DataFrame
    errors: pd.DataFrame
    continuous: pd.Series
    n_undefined: pd.DataFrame
    population: Population
    human_levels: int
    n_populations: int
    n_thresholds: int
    seed: int

    @property
    def signature(self) -> str:
        """One line that makes the numbers reproducible."""
        return signature(
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
    measures: Sequence[MeasureLike] = GAO_MEASURES,
    *,
    population: Population | None = None,
    human_levels: int = 13,
    n_populations: int = 100,
    n_thresholds: int = 100,
    rng: np.random.Generator | int = 0,
    n_jobs: int | None = None,
    progress: Progress | None = None,
    memory: Any = None,
) -> SimulatedGranularity:
    """Draw scores, round people's to some levels and the metric's to G, and value the metric by measures.

    Parameters
    ----------
    levels : sequence of int
        Each G, at least 1. What is found for one does not depend on the others.
    measures : sequence
        As for `evaluate_measures`; a starred one is calibrated in every draw.
    population : Population, optional
        None has the paper's parameters.
    human_levels : int
        13 is three annotators on a scale of 1–5; the paper also has 250.
    n_populations : int
        T₁: how often scores without steps are drawn; the same ones for every G.
    n_thresholds : int
        T₂: how often each is rounded, at thresholds uniform within a standard deviation of the mean; people's
        thresholds are the same for every G.
    rng : numpy Generator or int
        A seed.
    n_jobs, progress, memory
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
        raise InputError(f"levels: must be one at least, each once, found {levels!r}")
    counts = [check_count("levels", level) for level in levels]
    steps = check_count("human_levels", human_levels)
    n, rounds = check_count("n_populations", n_populations), check_count("n_thresholds", n_thresholds)
    seed, names = seed_of(rng), tuple(measure.name for measure in asked)
    parts = [(level, number) for level in (0, *counts) for number in range(n)]
    shared = drawn_from, names, steps, rounds, seed, memory
    found = np.array(list(run_parts(_simulate_part, shared, parts, n_jobs=n_jobs, progress=progress)))
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


def _simulate_part(
    population: Population,
    names: tuple[str, ...],
    human_levels: int,
    rounds: int,
    seed: int,
    memory: Any,
    part: tuple[int, int],
) -> FloatArray:
    found: FloatArray = kept(memory, value_population)(
        __version__, population, names, human_levels, rounds, seed, *part
    )
    return found


def value_population(
    version: str,  # noqa: ARG001  a new version of tiekit finds the numbers again
    population: Population,
    names: tuple[str, ...],
    human_levels: int,
    rounds: int,
    seed: int,
    level: int,
    number: int,
) -> FloatArray:
    """Means over all roundings of one population, and how many are undefined, shape (2, measures); level 0 is none."""
    human, metric = simulate(population, _stream(seed, number))
    if not level:
        found = values_of(human[None], metric[None], as_measures(names))
    else:
        p = population
        people = _thresholds(p.mean_human, p.spread_human, (rounds, human_levels - 1), _stream(seed, number, 0))
        own = _thresholds(p.mean_metric, p.spread_metric, (rounds, level - 1), _stream(seed, number, 1, level))
        coarse = [np.array([discretize(s, t) for t in steps]) for s, steps in ((human, people), (metric, own))]
        found = values_of(coarse[0], coarse[1], as_measures(names))
    return np.array([mean_defined(found), np.isnan(found).sum(axis=0)])


def _stream(seed: int, *key: int) -> np.random.Generator:
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))


def _thresholds(mean: float, spread: float, shape: tuple[int, int], rng: np.random.Generator) -> FloatArray:
    return rng.uniform(mean - spread, mean + spread, shape)
