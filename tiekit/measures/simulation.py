"""What do coarse scales do to measures? A simulation: human and metric scores, rounded at random thresholds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from tiekit.errors import InputError
from tiekit.measures.agreement import mean_defined
from tiekit.measures.catalog import GAO_MEASURES, Measures, as_measures
from tiekit.measures.evaluate import values_of
from tiekit.measures.memory import remember
from tiekit.measures.population import Population, discretize, simulate
from tiekit.parallel import run_parts
from tiekit.progress import Progress, showing
from tiekit.result import Result
from tiekit.scores import FloatArray, check_count
from tiekit.seeds import seed_of
from tiekit.signature import __version__, signature


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
    population : Population
        What scores were drawn from.
    human_levels, n_populations, n_thresholds, seed : int
        What was asked for.
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
    rng : numpy Generator or int, optional
        Random-number generator or seed; None is seed 0.
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
        raise InputError(f"levels: there must be at least one, each only once, found {levels!r}")
    counts = [check_count("levels", level) for level in levels]
    steps = check_count("human_levels", human_levels)
    n, rounds = check_count("n_populations", n_populations), check_count("n_thresholds", n_thresholds)
    seed, names = seed_of(rng), tuple(measure.name for measure in asked)
    parts = [(level, number) for level in (0, *counts) for number in range(n)]
    shared = drawn_from, names, steps, rounds, seed, memory
    with showing(progress, "simulate") as told:
        found = np.array(list(run_parts(_simulate_part, shared, parts, n_jobs=n_jobs, progress=told)))
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
    """Values of one population at one G, computed or remembered."""
    found: FloatArray = remember(memory, value_population)(
        __version__, population, names, human_levels, rounds, seed, *part
    )
    return found


def value_population(
    version: str,  # noqa: ARG001  a new version of tiekit computes the numbers again
    population: Population,
    names: tuple[str, ...],
    human_levels: int,
    rounds: int,
    seed: int,
    level: int,
    number: int,
) -> FloatArray:
    """Means over roundings of a population, and how many are undefined, shape (2, measures); level 0: no rounding."""
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
    """The random numbers of one part, which do not depend on other parts."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))


def _thresholds(mean: float, spread: float, shape: tuple[int, int], rng: np.random.Generator) -> FloatArray:
    """Random thresholds within a standard deviation of the mean."""
    return rng.uniform(mean - spread, mean + spread, shape)
