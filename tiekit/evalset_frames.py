"""How does a set become a frame, and how do arrays or a frame become a set? Methods of `EvalSet`."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Self, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from tiekit.by_label import aligned, as_frame, columns_of, is_default, text_labels
from tiekit.errors import InputError
from tiekit.labels import check_unique
from tiekit.score_maps import FloatMatrix, frozen
from tiekit.scores import as_scores
from tiekit.set_fields import SetFields

KEPT = "tiekit"
"""Where the attributes of a frame, `frame.attrs`, keep what a set knows beside its scores."""

SINGLE_SYSTEM = "all"
"""The name of the one system of scores that are not told apart by system."""

ByName: TypeAlias = Mapping[str, ArrayLike]


class FrameMethods:
    """The methods of `EvalSet` that take and give arrays and frames."""

    @classmethod
    def from_arrays(
        cls,
        human: ArrayLike | ByName,
        metrics: ByName | pd.DataFrame,
        *,
        systems: Iterable[str] | None = None,
        segments: Iterable[str] | None = None,
        name: str = "arrays",
    ) -> Self:
        """Make a set of arrays.

        Parameters
        ----------
        human : array_like, or mapping of str to array_like
            Human scores, alone (then they are called ``human``) or by name: a matrix with one row per system and one
            column per segment, or a vector with one score per segment, which becomes one system named ``all``. NaN is
            a missing score; higher is better.
        metrics : mapping of str to array_like
            Scores of that shape by name. Beside vectors also a DataFrame with one column per metric.
        systems, segments : iterable of str, optional
            Names of the rows and of the columns. None: the labels of the first DataFrame or Series, else 1, 2, 3, …
        name : str
            The name of the set.

        Returns
        -------
        EvalSet
            The gold score is the only human score, or ``mqm``. Labels are text. DataFrames and Series with labels are
            matched by them.

        Raises
        ------
        InputError
            If shapes or labels differ, or a score is infinite or no number.

        Examples
        --------
        >>> from tiekit import EvalSet
        >>> data = EvalSet.from_arrays([[0, -5], [-1, 0]], {"BLEU": [[30, 10], [20, 40]]}, systems=["A", "B"])
        >>> data.segments, data.gold
        (('1', '2'), 'human')
        """
        people = dict(human) if isinstance(human, Mapping) else {"human": human}
        vectors = np.ndim(next(iter(people.values()), [[]])) == 1
        if isinstance(metrics, pd.DataFrame):
            metrics = columns_of("metrics", metrics) if vectors else {"metric": metrics}
        if not isinstance(metrics, Mapping):
            raise InputError(f"metrics: must be a mapping of names to scores, found {type(metrics).__name__}")
        given = {
            f"{kind}[{key!r}]": as_frame(f"{kind}[{key!r}]", scores)
            for kind, scored in (("human", people), ("metrics", metrics))
            for key, scores in scored.items()
        }
        if not given:
            raise InputError("human: there are no scores; give human scores, metrics, or both")
        (called, first), *_ = given.items()
        matrices = {key: _as_matrix(key, aligned(first, scores, key, called)) for key, scores in given.items()}
        rows, columns = (
            _names(argument, names, matrices[called], axis)
            for axis, (argument, names) in enumerate((("systems", systems), ("segments", segments)))
        )
        scores = {key: frozen(key, matrix, rows, columns) for key, matrix in matrices.items()}
        digest = hashlib.sha256(repr((rows, columns, list(scores))).encode())
        for matrix in scores.values():
            digest.update(matrix.tobytes())
        make: Callable[..., Self] = cls
        return make(
            name,
            "",
            rows,
            columns,
            {key: scores[f"human[{key!r}]"] for key in people},
            {key: scores[f"metrics[{key!r}]"] for key in metrics},
            gold=next(iter(people)) if len(people) == 1 else "mqm" if "mqm" in people else None,
            digest=digest.hexdigest(),
        )

    @classmethod
    def from_frame(cls, frame: pd.DataFrame, **roles: Any) -> Self:
        """Make a set of a long DataFrame: one row per system and segment, in any order.

        Parameters
        ----------
        frame : pandas.DataFrame
            What `read_table` takes; a frame of `to_frame` becomes a set with the same scores, names and roles.
        **roles
            The arguments of `read_table`, such as ``human="mqm"``.

        Returns
        -------
        EvalSet

        Raises
        ------
        ReadError, InputError
            As by `read_table`.

        Warns
        -----
        RoleWarning
            As by `read_table`.

        Examples
        --------
        >>> import pandas as pd
        >>> from tiekit import EvalSet
        >>> frame = pd.DataFrame({"system": ["A", "B"], "segment": [1, 1], "mqm": [-1, 0], "BLEU": [30, 25]})
        >>> EvalSet.from_frame(frame).metrics["BLEU"]
        array([[30.],
               [25.]])
        """
        from tiekit.readers.table import read_table

        if not isinstance(frame, pd.DataFrame):
            raise InputError(f"frame: must be a pandas DataFrame, found {type(frame).__name__}")
        data = read_table(frame, **roles)
        assert isinstance(data, cls)
        return data

    def to_frame(self: SetFields) -> pd.DataFrame:
        """Return all scores as a long DataFrame.

        Returns
        -------
        pandas.DataFrame
            One row per system and segment, also where no score is: ``system``, ``segment``, ``document`` and
            ``domain`` where the set has them, and one column per human score and metric; NaN is a missing score.
            Texts are left out. ``frame.attrs["tiekit"]`` keeps which columns are human, and what else `from_frame`
            needs to give the same set back.

        Raises
        ------
        InputError
            If two columns would have the same name.

        Examples
        --------
        >>> from tiekit import EvalSet
        >>> EvalSet.from_arrays({"mqm": [[0, -5]]}, {"BLEU": [[30, 10]]}, systems=["A"]).to_frame()
          system segment  mqm  BLEU
        0      A       1  0.0  30.0
        1      A       2 -5.0  10.0
        """
        labels = {"system": np.repeat(np.array(self.systems, dtype=object), len(self.segments))}
        by_segment = {"segment": self.segments, "document": self.documents, "domain": self.domains}
        for kind, names in by_segment.items():
            if names:
                labels[kind] = np.tile(np.array(names, dtype=object), len(self.systems))
        check_unique("to_frame", [*labels, *self.human, *self.metrics])
        scores = {key: matrix.ravel() for key, matrix in (*self.human.items(), *self.metrics.items())}
        frame = pd.DataFrame(labels | scores)
        kept = ("name", "language_pair", "gold", "standard_reference", "outliers")
        frame.attrs[KEPT] = {"human": list(self.human), "metrics": list(self.metrics)} | {
            key: list(value) if isinstance(value, tuple) else value for key in kept for value in [getattr(self, key)]
        }
        return frame


def _as_matrix(argument: str, scores: ArrayLike) -> FloatMatrix | pd.DataFrame:
    """Scores as a matrix, those of one system as one row."""
    if isinstance(scores, pd.DataFrame):
        return scores
    if isinstance(scores, pd.Series):
        return scores.to_frame(SINGLE_SYSTEM).T
    return np.atleast_2d(as_scores(argument, scores))


def _names(
    argument: str, given: Iterable[str] | None, matrix: FloatMatrix | pd.DataFrame, axis: int
) -> tuple[str, ...]:
    """The names of rows or columns: those given, those of a labeled frame, or numbers from 1."""
    if given is not None:
        if isinstance(given, str) or not isinstance(given, Iterable):
            raise InputError(f"{argument}: must be several names, found {given!r}")
        return tuple(text_labels(given))
    index = matrix.axes[axis] if isinstance(matrix, pd.DataFrame) else None
    if index is not None and not is_default(index):
        return tuple(text_labels(index))
    numbers = tuple(str(number + 1) for number in range(matrix.shape[axis]))
    return (SINGLE_SYSTEM,) if axis == 0 and numbers == ("1",) else numbers
