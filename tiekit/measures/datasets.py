"""On which data sets are measures compared? Human scores with the metrics that are judged by them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from numpy.typing import ArrayLike

from tiekit.arguments import Exclude, Human, metric_names, read_shared
from tiekit.errors import InputError
from tiekit.evalset import EvalSet
from tiekit.names import as_names, find_name
from tiekit.scores import FloatArray
from tiekit.signature import digest_of

Dataset: TypeAlias = tuple[ArrayLike, Mapping[str, ArrayLike]]
"""Human scores and those of metrics by name, all of shape (systems, segments)."""

Datasets: TypeAlias = EvalSet | Mapping[str, Dataset]
"""An evaluation set, which has one data set per human score, or data sets by name."""

Names: TypeAlias = str | Iterable[str] | None
"""Names of scores of an evaluation set; None is all of them."""

Scored: TypeAlias = tuple[FloatArray, dict[str, FloatArray]]
"""A data set that was checked."""


def datasets_of(
    data: EvalSet, metrics: Names = None, *, human: Names = None, exclude: Exclude = None
) -> dict[str, Scored]:
    """Make one data set of each human score, as Gao et al. (2024) split sets by aspect.

    Parameters
    ----------
    data : EvalSet
    metrics : str or iterable of str, optional
        Names of metrics of the set; None is all of them.
    human : str or iterable of str, optional
        Names of human scores of the set; None is all of them.
    exclude : str or iterable of str, optional
        Systems of the set to leave out; None: its standard reference and outliers; ``()``: nobody.

    Returns
    -------
    dict of str to (human, metrics)
        By human score: its matrix, and the metrics' matrices by name.

    Raises
    ------
    InputError
        For anything but an EvalSet, and for an unknown name.
    """
    if not isinstance(data, EvalSet):
        raise InputError(f"data: must be an EvalSet, found {type(data).__name__}")
    chosen = data.select(exclude=exclude)
    wanted = (
        list(data.human)
        if human is None
        else [find_name("human", name, data.human) for name in as_names(human, "human")]
    )
    scores = {name: chosen.metrics[name] for name in metric_names(data, metrics)}
    return {name: (chosen.human[name], scores) for name in wanted}


def read_dataset(
    data: Human,
    metrics: Mapping[str, ArrayLike] | str | Iterable[str] | None,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
    least: int = 1,
    cells: str | None = None,
    groupings: Iterable[str] = (),
) -> Scored:
    """Read the matrices of one data set, which must have at least so many metrics; the human one on common cells."""
    gold, scores = read_shared(data, metrics, human, exclude, cells, groupings)
    if len(scores) < least:
        raise InputError(f"metrics: there must be at least {least}, found {len(scores)}")
    if gold.ndim != 2:
        raise InputError(f"human: measures need a matrix, systems × segments, found {gold.ndim} dimensions")
    return gold, scores


def read_datasets(
    datasets: Datasets,
    metrics: Names = None,
    human: Names = None,
    exclude: Exclude = None,
    least: int = 2,
    cells: str | None = None,
    groupings: Iterable[str] = (),
) -> dict[str, Scored]:
    """Read one or more data sets, each of which must have at least so many metrics."""
    if isinstance(datasets, EvalSet):
        datasets = datasets_of(datasets, metrics, human=human, exclude=exclude)
    else:
        for argument, value in {"metrics": metrics, "human": human, "exclude": exclude}.items():
            if value is not None:
                raise InputError(f"{argument}: chooses from an EvalSet, but datasets is {type(datasets).__name__}")
    if not isinstance(datasets, Mapping) or not datasets:
        raise InputError("datasets: must be an EvalSet, or a mapping of names to (human, metrics) with an entry")
    return {str(name): _read_named(str(name), dataset, least, cells, groupings) for name, dataset in datasets.items()}


def _read_named(name: str, dataset: Dataset, least: int, cells: str | None, groupings: Iterable[str]) -> Scored:
    if not isinstance(dataset, tuple) or len(dataset) != 2:
        raise InputError(f"datasets: {name}: must be a tuple (human, metrics), found {type(dataset).__name__}")
    try:
        return read_dataset(*dataset, least=least, cells=cells, groupings=groupings)
    except InputError as error:
        raise InputError(f"datasets: {name}: {error}") from error


def digest_of_sets(datasets: Mapping[str, Scored]) -> str:
    """The digest of all scores of all data sets."""
    return digest_of(*(scores for human, metrics in datasets.values() for scores in (human, *metrics.values())))
