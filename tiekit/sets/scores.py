"""What a set holds: read-only matrices by name, and the lengths of texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import index
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tiekit.base.errors import InputError, OrientationWarning, UnknownNameError, quote, warn
from tiekit.base.names import find_name, where
from tiekit.base.validation import are_numbered, as_scores, is_default, is_frame, reorder

FloatMatrix: TypeAlias = NDArray[np.float64]

NEGATED = "negated, so that higher is better"
"""What a note says of scores on which a caller said that lower is better."""

MANY_ROWS = 30
"""From so many rows on, and three times as many as columns, rows are suspected to be segments."""

NAMES_SHOWN = 6
"""So many names stand in the representation of a set's matrices."""


class _Memory:
    """The memory behind a set's matrix: it knows the systems among its rows that the set leaves out by default."""

    def __init__(self, matrix: FloatMatrix, left_in: tuple[str, ...]) -> None:
        self.matrix, self.left_in, self.__array_interface__ = matrix, left_in, matrix.__array_interface__


def systems_left_in(scores: object) -> tuple[str, ...]:
    """Return the systems that a set leaves out by default and that its matrices, as they are, still hold."""
    if isinstance(scores, Scores):
        return scores.left_in
    memory: object = getattr(scores, "base", None)
    if isinstance(scores, np.ndarray) and isinstance(memory, _Memory) and scores.shape == memory.matrix.shape:
        return memory.left_in
    return ()


class Scores(Mapping[str, FloatMatrix]):
    """Read-only matrices by name; `EvalSet.with_metric` adds one.

    ``scores["comet-22"]`` finds ``COMET-22-refA``, where no other name fits; ``in`` tells the names as they are stored.
    ``systems_left_in`` names the systems among their rows that the set leaves out by default.
    """

    __slots__ = ("_matrices", "left_in")

    def __init__(self, matrices: Mapping[str, FloatMatrix], left_in: tuple[str, ...] = ()) -> None:
        self.left_in = left_in
        self._matrices = {name: np.asarray(_Memory(matrix, left_in)) for name, matrix in matrices.items()}

    def __getitem__(self, name: str) -> FloatMatrix:
        if name in self._matrices:
            return self._matrices[name]
        try:
            return self._matrices[find_name("name", name, self._matrices)]
        except InputError as error:
            raise UnknownNameError(str(error)) from None

    def __contains__(self, name: object) -> bool:
        return name in self._matrices

    def get(self, name: str, default: Any = None) -> Any:
        """Return the scores that are stored under this name, else the default."""
        return self._matrices.get(name, default)

    def __iter__(self) -> Iterator[str]:
        return iter(self._matrices)

    def __len__(self) -> int:
        return len(self._matrices)

    def __repr__(self) -> str:
        shape = " × ".join(map(str, next(iter(self.values())).shape)) if self else "none"
        more = [f"… {len(self) - NAMES_SHOWN} more"] if len(self) > NAMES_SHOWN else []
        return f"Scores({', '.join([*list(self)[:NAMES_SHOWN], *more])}: {shape})"

    def forget(self) -> None:
        """Take every row as one that was chosen."""
        self.left_in = ()
        for matrix in self.values():
            memory: object = matrix.base
            assert isinstance(memory, _Memory)
            memory.left_in = ()


def check_by_name(argument: str, given: object) -> None:
    """Refuse what is no mapping of names to scores."""
    if not isinstance(given, Mapping):
        raise InputError(f"{argument}: must be a mapping of names to scores, found {type(given).__name__}")
    wrong = [name for name in given if not isinstance(name, str)]
    if wrong:
        raise InputError(f"{argument}: must be a mapping of names to scores, found the name {quote(wrong[0])}")


def ask_orientation(scores: ArrayLike, argument: str = "human") -> None:
    """Ask about a matrix with far more rows than columns, or more that have no labels as columns have.

    Rows are systems, columns segments. Rows with numbers beside columns with names are asked about in any number.
    """
    rows, columns = np.shape(scores) if np.ndim(scores) == 2 else (0, 0)
    is_odd = is_frame(scores) and is_default(scores.index) and not is_default(scores.columns)
    is_numbered = False
    if is_frame(scores) and rows > 1 and columns > 1:
        is_numbered = are_numbered(scores.index) and not are_numbered(scores.columns)
    if is_numbered or (rows > columns and (is_odd or (rows >= MANY_ROWS and rows > 3 * columns))):
        warn(
            f"{argument}: has {rows} rows and {columns} columns, read as {rows} systems and {columns} segments; if "
            "rows are segments, transpose all matrices (.T)",
            OrientationWarning,
        )


def _is_frozen(scores: NDArray[Any]) -> bool:
    """Whether an array is a matrix of scores that nobody can write to, which needs no copy."""
    if scores.dtype != np.float64 or scores.flags.writeable or scores.base is not None or np.isinf(scores).any():
        return False
    return not np.signbit(scores[scores == 0]).any()


def frozen(argument: str, scores: ArrayLike, systems: Sequence[str], segments: Sequence[str]) -> FloatMatrix:
    """Return a read-only matrix of scores, a copy of one that is not; a labeled frame is matched by its names."""
    memory: object = scores.base if isinstance(scores, np.ndarray) else None
    if isinstance(memory, _Memory) and np.asarray(scores).__array_interface__ == memory.__array_interface__:
        scores = memory.matrix  # all of another set's
    if is_frame(scores):
        scores = reorder(argument, scores, (systems, segments))
    shape = len(systems), len(segments)
    if type(scores) is np.ndarray and scores.shape == shape and _is_frozen(scores):
        return scores
    matrix = as_scores(argument, scores)  # a copy
    matrix += 0.0  # -0.0 becomes 0.0
    if matrix.shape != shape:
        raise InputError(f"{argument}: expected the shape {shape} (systems, segments), found {matrix.shape}")
    matrix.flags.writeable = False
    return matrix


Counts: TypeAlias = tuple[int, ...]


@dataclass(frozen=True)
class Lengths:
    """The number of characters of each text of an evaluation set, one entry per segment.

    Attributes
    ----------
    sources : tuple of int
        Of every source; empty where it is unknown.
    references, outputs : mapping of str to tuple of int
        Of every reference by its name, of the outputs of each system by its name.
    """

    sources: Counts = ()
    references: Mapping[str, Counts] = field(default_factory=dict)
    outputs: Mapping[str, Counts] = field(default_factory=dict)

    def keep(self, systems: Sequence[str], columns: NDArray[np.bool_]) -> Lengths:
        """Return the lengths of these systems and of the segments that a mask keeps."""
        return Lengths(
            where(self.sources, columns),
            {name: where(counts, columns) for name, counts in self.references.items()},
            {name: where(counts, columns) for name, counts in self.outputs.items() if name in systems},
        )

    def of_outputs(self, systems: Sequence[str], size: int) -> NDArray[np.float64]:
        """Return the lengths of all outputs, shape (systems, segments); NaN where they are unknown."""
        matrix = np.full((len(systems), size), np.nan)
        for row, name in enumerate(systems):
            if self.outputs.get(name):
                matrix[row] = self.outputs[name]
        return matrix

    def items(self) -> Iterator[tuple[str, Counts]]:
        """Yield what is known, each with its name for messages."""
        yield "lengths.sources", self.sources
        for kind in ("references", "outputs"):
            for name, counts in getattr(self, kind).items():
                yield f"lengths.{kind}[{name!r}]", counts


def count_texts(
    known: Lengths | Mapping[str, Any],
    sources: Sequence[str],
    references: Mapping[str, Sequence[str]],
    outputs: Mapping[str, Sequence[str]],
) -> Lengths:
    """Return the lengths of these texts, and what was known of texts that are not there."""
    given = known if isinstance(known, Lengths) else _read(known)
    return Lengths(
        _count("sources", sources) or given.sources,
        {**given.references, **{name: _count(f"references[{name!r}]", texts) for name, texts in references.items()}},
        {**given.outputs, **{name: _count(f"outputs[{name!r}]", texts) for name, texts in outputs.items()}},
    )


def label_texts(texts: Sequence[Sequence[str] | None], size: int) -> NDArray[np.int64]:
    """Number the different texts of each segment, from 0 in the order of the systems; -1 where there is no text."""
    labels = np.full((len(texts), size), -1, np.int64)
    places: list[dict[str, int]] = [{} for _ in range(size)]
    for row, of_system in enumerate(texts):
        if of_system:
            known = zip(places, of_system, strict=True)
            labels[row] = [place.setdefault(text, len(place)) if text else -1 for place, text in known]
    return labels


def say_equal(known: Mapping[str, FloatMatrix], added: Mapping[str, FloatMatrix]) -> Iterator[str]:
    """Say which known scores are the same as those of other names in every cell; more of them may be known."""
    for key, matrix in added.items():
        there = ~np.isnan(matrix)
        alike = (name for name, one in known.items() if name != key and (matrix == one)[there].all())
        yield from (f"{key}: equals {name} in all cells" for name in alike)


def _read(known: object) -> Lengths:
    """Lengths that were written as a mapping."""
    expected = "must be Lengths, or a mapping of sources, references and outputs to numbers of characters"
    if not isinstance(known, Mapping) or not known.keys() <= {"sources", "references", "outputs"}:
        raise InputError(f"lengths: {expected}")
    try:
        sources = tuple(map(index, known.get("sources", ())))
        references, outputs = (
            {name: tuple(map(index, counts)) for name, counts in known.get(kind, {}).items()}
            for kind in ("references", "outputs")
        )
    except (TypeError, AttributeError):
        raise InputError(f"lengths: {expected}") from None
    return Lengths(sources, references, outputs)


def _count(argument: str, texts: Sequence[str]) -> Counts:
    try:
        return tuple(map(len, texts))
    except TypeError:
        raise InputError(f"{argument}: must be texts, one for each segment") from None
