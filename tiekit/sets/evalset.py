"""What was scored: an `EvalSet` of systems, segments, their human scores and their metric scores."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from numbers import Integral
from typing import TYPE_CHECKING, Any, Self, TypeAlias, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tiekit.base.errors import InputError, quote
from tiekit.base.names import as_names, check_known, check_unique, find_name, list_names, mask, row_names, where
from tiekit.base.results import Explored, draw, html_table, slots
from tiekit.base.validation import (
    MOST_DECIMALS,
    align,
    as_frame,
    as_scores,
    check_identical,
    columns_of,
    is_default,
    is_frame,
    is_series,
    text_labels,
    to_decimals,
)
from tiekit.sets.labels import are_shuffled
from tiekit.sets.scores import (
    NEGATED,
    FloatMatrix,
    Lengths,
    Scores,
    ask_orientation,
    check_by_name,
    count_texts,
    frozen,
    label_texts,
)

if TYPE_CHECKING:
    import pandas as pd
    from altair import LayerChart

Texts: TypeAlias = Mapping[str, tuple[str, ...]]

Decimals: TypeAlias = int | Mapping[str, int]
"""To how many decimals scores are rounded: all of them, or those of a name."""

KEPT = "tiekit"
"""Where the attributes of a frame, `frame.attrs`, keep what a set knows beside its scores."""

SINGLE_SYSTEM = "all"
"""The name of the one system of scores that are not told apart by system."""

ByName: TypeAlias = Mapping[str, ArrayLike]

NOTES_SHOWN = 3
"""The number of notes in a set's representation, which has at most ten lines."""


@dataclass(frozen=True, eq=False, repr=False)
class EvalSet(Explored):
    """The scores that people and metrics gave to the translations of some systems.

    Every matrix has one row per system and one column per segment; NaN is a missing score. Higher is better. Matrices
    are copied and read-only. What is given per segment has one entry per segment, or none at all.

    Parameters
    ----------
    name, language_pair : str
        The test set; the pair is empty where there is none.
    systems, segments : tuple of str
        Names of the rows and of the columns, each once.
    human, metrics : mapping of str to array, shape (systems, segments)
        Scores by name; a metric's name is the one it is stored under, such as ``COMET-22-refA``.
    documents, domains, sources : tuple of str
        Of every segment.
    references, outputs : mapping of str to tuple of str
        Texts of every segment, by reference and by system.
    lengths : Lengths, or mapping of sources, references and outputs
        The numbers of characters of sources, references and outputs; counted where there are texts.
    standard_reference : str, optional
        The reference that metrics used; it is compared only on request, see `default_exclude`.
    outliers : tuple of str
        Systems that the test set's organizers leave out.
    gold : str, optional
        Name of the standard human score.
    digest : str
        SHA-256 of all that was read, in hexadecimal.
    raters : mapping of str to array of int, shape (systems, segments)
        Where human scores are averages: by their name, the number of scores in each.
    identical : array of int, shape (systems, segments), optional
        Which outputs of a segment are the same text, character by character: those with the same number; -1 where
        there is no text. None: made of the outputs, where there are some.
    notes : tuple of str
        What the reader did with the file, one sentence each: which format it is, what was left out or joined.

    Raises
    ------
    InputError
        If shapes differ, a name is there twice or a score is infinite or no number.

    Examples
    --------
    >>> data = EvalSet("toy", "en-de", ("A", "B", "ref"), ("1", "2"), {"mqm": [[1, 2], [0, 2], [3, 3]]},
    ...                {"BLEU-ref": [[10, 30], [20, 30], [float("nan")] * 2]}, standard_reference="ref", gold="mqm")
    >>> data.default_exclude
    ('ref',)
    >>> data.select().human["mqm"]
    array([[1., 2.],
           [0., 2.]])
    """

    name: str
    language_pair: str
    systems: tuple[str, ...]
    segments: tuple[str, ...]
    human: Mapping[str, FloatMatrix]
    metrics: Mapping[str, FloatMatrix]
    documents: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    references: Texts = field(default_factory=dict)
    outputs: Texts = field(default_factory=dict)
    standard_reference: str | None = None
    outliers: tuple[str, ...] = ()
    gold: str | None = None
    digest: str = ""
    notes: tuple[str, ...] = ()
    lengths: Lengths = field(default_factory=Lengths)
    raters: Mapping[str, NDArray[np.int64]] = field(default_factory=dict)
    identical: NDArray[np.int64] | None = None

    def __post_init__(self) -> None:
        check_unique("systems", self.systems)
        check_unique("segments", self.segments)
        shape = len(self.systems), len(self.segments)
        for kind in ("human", "metrics"):
            check_by_name(kind, getattr(self, kind))
            matrices = {
                name: frozen(f"{kind}[{name!r}]", scores, self.systems, self.segments)
                for name, scores in getattr(self, kind).items()
            }
            object.__setattr__(self, kind, Scores(matrices, self.default_exclude))
        lengths = count_texts(self.lengths, self.sources, self.references, self.outputs)
        object.__setattr__(self, "lengths", lengths)
        for name, texts in (*self._per_segment().items(), *lengths.items()):
            if texts and len(texts) != shape[1]:
                raise InputError(f"{name}: expected one entry for each of {shape[1]} segments, found {len(texts)}")
        check_known("outputs", lengths.outputs, self.systems, "system")
        check_known("raters", self.raters, tuple(self.human), "human score")
        for name, counts in self.raters.items():
            if np.shape(counts) != shape:
                raise InputError(f"raters[{name!r}]: expected the shape {shape}, found {np.shape(counts)}")
        if self.identical is None and self.outputs:
            made = label_texts([self.outputs.get(system) for system in self.systems], shape[1])
            object.__setattr__(self, "identical", made)
        if self.identical is not None:
            labels = check_identical(self.identical, shape)
            labels.flags.writeable = False
            object.__setattr__(self, "identical", labels)
        if self.gold is not None:
            check_known("gold", (self.gold,), tuple(self.human), "human score")

    def _per_segment(self) -> dict[str, tuple[str, ...]]:
        plain = {"documents": self.documents, "domains": self.domains, "sources": self.sources}
        references = {f"references[{name!r}]": texts for name, texts in self.references.items()}
        return plain | references | {f"outputs[{name!r}]": texts for name, texts in self.outputs.items()}

    @property
    def default_exclude(self) -> tuple[str, ...]:
        """The rows left out unless one asks: the standard reference and the outliers."""
        return tuple(name for name in self.systems if name == self.standard_reference or name in self.outliers)

    def select(
        self,
        *,
        exclude: str | Iterable[str] | None = None,
        domain: str | Iterable[str] | None = None,
        documents: str | Iterable[str] | None = None,
        segments: str | Iterable[str] | NDArray[np.bool_] | None = None,
    ) -> EvalSet:
        """Leave out systems, keep some segments; the order and the digest stay.

        Parameters
        ----------
        exclude : str or iterable of str, optional
            Systems to leave out. None: `default_exclude`; ``()``: nobody.
        domain, documents : str or iterable of str, optional
            Keep the segments of these domains, of these documents.
        segments : iterable of str or array of bool, optional
            Keep the segments of these labels, or those where the mask is true.

        Returns
        -------
        EvalSet
            What meets all conditions; everything per segment is restricted alike.

        Raises
        ------
        InputError
            If a name is not there (the message lists those that are) or nothing is left.
        """
        rows = np.ones(len(self.systems), dtype=np.bool_)
        excluded = self.default_exclude if exclude is None else exclude
        rows &= ~mask("exclude", excluded, self.systems, "system")
        columns = np.ones(len(self.segments), dtype=np.bool_)
        for name, wanted, labels in (("domain", domain, self.domains), ("documents", documents, self.documents)):
            if wanted is not None:
                columns &= mask(name, wanted, labels, name.removesuffix("s"))
        if isinstance(segments, np.ndarray) and segments.dtype == np.bool_:
            if segments.shape != columns.shape:
                raise InputError(f"segments: expected a mask of the shape {columns.shape}, found {segments.shape}")
            columns &= segments
        elif segments is not None:
            columns &= mask("segments", segments, self.segments, "segment")
        return self._keep(rows, columns)

    def _keep(self, rows: NDArray[np.bool_], columns: NDArray[np.bool_]) -> EvalSet:
        if not rows.any() or not columns.any():
            raise InputError(f"select: nothing is left ({rows.sum()} systems, {columns.sum()} segments)")
        cells = np.ix_(rows, columns)
        systems = where(self.systems, rows)
        kept = replace(
            self,
            systems=systems,
            segments=where(self.segments, columns),
            human={name: scores[cells] for name, scores in self.human.items()},
            metrics={name: scores[cells] for name, scores in self.metrics.items()},
            raters={name: counts[cells] for name, counts in self.raters.items()},
            identical=None if self.identical is None else self.identical[cells],
            documents=where(self.documents, columns),
            domains=where(self.domains, columns),
            sources=where(self.sources, columns),
            references={name: where(texts, columns) for name, texts in self.references.items()},
            outputs={name: where(texts, columns) for name, texts in self.outputs.items() if name in systems},
            lengths=self.lengths.keep(systems, columns),
        )
        for scores in (kept.human, kept.metrics):  # whoever is left in was chosen
            assert isinstance(scores, Scores)
            scores.forget()
        return kept

    def with_metric(self, name: str, scores: ArrayLike) -> EvalSet:
        """Add a metric in the rows and columns of this set, as `with_scores` adds one.

        Parameters
        ----------
        name : str
            A name that no metric has yet.
        scores : array_like, shape (systems, segments)
            Higher is better; NaN is a missing score. What has another shape, or lacks some systems or segments, is
            given to `with_scores`.

        Raises
        ------
        InputError
            If the name is taken or the scores do not fit.

        Warns
        -----
        DirectionWarning, OrderWarning, RoleWarning
            As by `with_scores`.
        """
        if not self._has_shape(scores):
            return self.with_scores(scores, name=name)
        matrix = frozen("scores", scores, self.systems, self.segments)
        is_labeled = is_frame(scores) and not is_default(scores.columns)
        segments = self.segments if is_labeled or not are_shuffled(self.segments) else row_names(matrix.shape[1])
        same = EvalSet(self.name, self.language_pair, self.systems, segments, {}, {name: matrix})
        return self.with_scores(same, name=name)

    def _has_shape(self, scores: ArrayLike) -> bool:
        """Whether scores are a matrix of the set's shape, or one that `with_scores` can do no more with."""
        if hasattr(scores, "to_pandas"):  # a table with names of its own
            return False
        try:
            found = np.shape(scores)
        except ValueError:  # rows of several lengths
            return True
        return found in ((len(self.systems), len(self.segments)), (len(self.segments),)) and not is_series(scores)

    def adjusted(self, *, lower_is_better: str | Iterable[str] = (), decimals: Decimals | None = None) -> EvalSet:
        """Negate the scores of the given names (human or metric), then round scores; the digest stays the data's.

        Parameters
        ----------
        lower_is_better : str or iterable of str
            Human scores and metrics on which lower is better.
        decimals : int, or mapping of str to int, optional
            Decimals to keep, of all scores or of those of a name (``{"mqm": 6}``); None keeps all.

        Raises
        ------
        InputError
            If there is no score of such a name.
        """
        places = self._places(decimals)
        flipped = as_names(lower_is_better, "lower_is_better")
        check_known("lower_is_better", flipped, (*self.human, *self.metrics), "score")
        if not flipped and not places:
            return self

        def adjust(name: str, scores: FloatMatrix) -> FloatMatrix:
            upward = -scores if name in flipped else scores
            return to_decimals(upward, places[name]) if name in places else upward

        human, metrics = ({name: adjust(name, one[name]) for name in one} for one in (self.human, self.metrics))
        return replace(self, human=human, metrics=metrics, notes=(*self.notes, *(f"{n}: {NEGATED}" for n in flipped)))

    def _places(self, decimals: Decimals | None) -> dict[str, int]:
        """The decimals of each score that is rounded."""
        names = (*self.human, *self.metrics)
        if isinstance(decimals, Mapping):
            found = {find_name("decimals", name, names): number for name, number in decimals.items()}
        else:
            found = {} if decimals is None else dict.fromkeys(names, decimals)
        for number in found.values():
            is_whole = isinstance(number, Integral) and not isinstance(number, bool)
            if not is_whole or not -MOST_DECIMALS <= number <= MOST_DECIMALS:
                limits = f"from -{MOST_DECIMALS} to {MOST_DECIMALS}"
                raise InputError(f"decimals: must be a whole number {limits}, found {quote(number)}")
        return {name: int(number) for name, number in found.items()}

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
            matched by them, and frames whose axes are named segment and system are turned.

        Raises
        ------
        InputError
            If shapes or labels differ, or a score is infinite or no number.

        Warns
        -----
        OrientationWarning
            Where there are far more rows than columns, and no names of systems are given.

        Examples
        --------
        >>> from tiekit import EvalSet
        >>> data = EvalSet.from_arrays([[0, -5], [-1, 0]], {"BLEU": [[30, 10], [20, 40]]}, systems=["A", "B"])
        >>> data.segments, data.gold
        (('1', '2'), 'human')
        """
        people = dict(human) if isinstance(human, Mapping) else {"human": human}
        vectors = np.ndim(next(iter(people.values()), [[]])) == 1
        if is_frame(metrics):
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
        matrices = {key: _as_matrix(key, align(first, scores, key, called)) for key, scores in given.items()}
        if systems is None:
            ask_orientation(matrices[called], called)
        rows, columns = (
            _names(argument, names, matrices[called], axis)
            for axis, (argument, names) in enumerate((("systems", systems), ("segments", segments)))
        )
        scores = {key: frozen(key, matrix, rows, columns) for key, matrix in matrices.items()}
        read = repr((rows, columns, list(scores))).encode(), *(matrix.tobytes() for matrix in scores.values())
        humans = {key: scores[f"human[{key!r}]"] for key in people}
        others = {key: scores[f"metrics[{key!r}]"] for key in metrics}
        gold = next(iter(people)) if len(people) == 1 else "mqm" if "mqm" in people else None
        return cls(
            name, "", rows, columns, humans, others, gold=gold, digest=hashlib.sha256(b"".join(read)).hexdigest()
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
        if not is_frame(frame):
            raise InputError(f"frame: must be a pandas DataFrame, found {type(frame).__name__}; polars: .to_pandas()")
        data = slots.table_to_set(frame, **roles)
        assert isinstance(data, cls)
        return data

    def to_frame(self) -> pd.DataFrame:
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
        import pandas as pd

        frame = pd.DataFrame(labels | scores)
        kept = ("name", "language_pair", "gold", "standard_reference", "outliers")
        frame.attrs[KEPT] = {"human": list(self.human), "metrics": list(self.metrics)} | {
            key: list(value) if isinstance(value, tuple) else value for key in kept for value in [getattr(self, key)]
        }
        return frame

    def with_scores(
        self,
        source: Any,
        *,
        name: str | None = None,
        names: Mapping[str, str] | Sequence[str] | None = None,
        system: str | None = None,
        lower_is_better: bool = False,
        format: str | None = None,
        **choices: Any,
    ) -> Self:
        """Add a metric's scores from a file, aligned by the names of systems and segments.

        A system is matched by its name; else by its file's name without folders and endings; else where one name of
        this set is a whole part of it, between dots, slashes, underscores or dashes (``zh-en.hyp.Online-W.txt``). A
        segment is matched by its label, unless that is of another document; else by its document and the number of its
        label in it; else by its position, where both sides have equally many, unless labels are numbers or dates that
        are not in order. Scores without names are taken in this set's order; a file of one score per line has a line
        for each. Numbers are compared as numbers (``007`` is ``7``), from 0 moved by one where this set begins at 1.

        Parameters
        ----------
        source : path, list of paths, bytes, mapping, DataFrame, Series, list of dicts or EvalSet
            As `tiekit.read` takes it, or what it returned. Human scores in it are left out. A table may also have one
            column (a DataFrame: or one row) per system of this set, and one row per segment.
        name : str, optional
            Name of the metric; None: as the source says, or as its file where that says no more than score or value.
        names : mapping of str to str, or sequence of str, optional
            Names of several metrics: by the name in the source, or all of them in its order.
        system : str, optional
            The system of this set whose scores these are, where the source holds a single one; or the column of a
            table that names the systems.
        lower_is_better : bool
            Whether to negate the scores, so that higher is better; not those that the format's reader negates.
        format : str, optional
            Name of the format, as for `tiekit.read`.
        **choices
            Arguments of the format's reader, such as ``score_column=2`` for a file of numbers without a header.
            Language pair, test set and reference are those of this set where the source has several and does not say
            which.

        Returns
        -------
        EvalSet
            This set with the metrics added; cells without a score are NaN. Its last notes say what matched, its digest
            depends on the scores.

        Raises
        ------
        ReadError
            If the source cannot be read.
        InputError
            If no segment, or fewer than half of the source's systems or of its segments' numbers, match (the message
            shows both sides), a match is ambiguous, a metric of that name is there, or one has no score of this set's
            cells; if the source has other texts than this set, or texts of other lengths (the message shows the first
            that differs); if it has several columns of numbers without a header.

        Warns
        -----
        LeftOutWarning
            Where systems or segments of one side have no match.
        DirectionWarning
            Where the metric falls as the gold score rises.
        OrderWarning
            Where the source's texts show that its segments are in another order, and gave their places, or where some
            of them are others. Where it has no texts: if the metric is unrelated to the gold score and to every other
            metric, if its scores fit another order of segments, or those of a system another system.
        RoleWarning
            Where a score that looks human is taken for the metric, because the source holds no other; where segments
            with other labels, or lines without names, were taken in their order; where names of the source, or of one
            of its columns, are of another year's test set.

        Examples
        --------
        >>> import tiekit as tk
        >>> data = tk.EvalSet("toy", "en-de", ("A", "B"), ("1", "2"), {"mqm": [[-1, -5], [0, -2]]}, {}, gold="mqm")
        >>> more = data.with_scores({"mine.seg.score": b"A 30\\nA 10\\nB 40\\nB 20\\n"})
        >>> more.metrics["mine"]
        array([[30., 10.],
               [40., 20.]])
        >>> more.notes[-1]
        'mine: 2 of 2 systems and 2 of 2 segments matched (4 of 4 cells), segments in their order'
        """
        given = {"name": name, "names": names, "system": system, "lower_is_better": lower_is_better}
        return cast("Self", slots.add_scores(self, source, format=format, choices=choices, **given))

    def with_human(
        self,
        source: Any,
        *,
        name: str | None = None,
        names: Mapping[str, str] | Sequence[str] | None = None,
        system: str | None = None,
        lower_is_better: bool = False,
        format: str | None = None,
        **choices: Any,
    ) -> Self:
        """Add human scores from a file or from memory, aligned as `with_scores` aligns those of metrics.

        The gold score stays; a set without human scores takes a single new one for it.

        Parameters
        ----------
        source : path, list of paths, bytes, mapping, DataFrame, Series, list of dicts, array or EvalSet
            As `with_scores` takes it. Its human scores are added, or its only scores, and metrics beside them left out.
        name, names : str; mapping of str to str, or sequence of str, optional
            Name of the human score, or of several: by the name in the source, or all of them in its order.
        system, lower_is_better, format, **choices
            As for `with_scores`; ``by_rater=True`` adds each rater's scores where the format can tell them.

        Returns
        -------
        EvalSet
            This set with the human scores added; cells without a score are NaN. ``raters`` says of how many scores each
            is the mean. The last notes say what matched and what was left out, the digest depends on the scores.

        Raises
        ------
        ReadError, InputError
            As by `with_scores`.

        Warns
        -----
        LeftOutWarning, DirectionWarning, OrderWarning, RoleWarning
            As by `with_scores`.

        Examples
        --------
        >>> import tiekit as tk
        >>> data = tk.EvalSet("toy", "en-de", ("A", "B"), ("1", "2"), {"mqm": [[-1, -5], [0, -2]]}, {}, gold="mqm")
        >>> more = data.with_human({"A": [80, 35], "B": [95, 60]}, name="esa")
        >>> list(more.human), more.gold
        (['mqm', 'esa'], 'mqm')
        """
        given = {"name": name, "names": names, "system": system, "lower_is_better": lower_is_better}
        return cast("Self", slots.add_scores(self, source, format=format, choices=choices, as_human=True, **given))

    def __repr__(self) -> str:
        lines = [f"  {kind}: {text}" for kind, text in _facts(self).items()]
        title = f"EvalSet {self.name} {self.language_pair}".rstrip()
        return "\n".join([title, *lines, *(f"  {note}" for note in _first_notes(self))])

    def _repr_html_(self) -> str:
        import pandas as pd

        facts = pd.DataFrame({"": pd.Series(_facts(self), dtype=object)})
        shown = html_table(repr(self).partition("\n")[0], facts, _first_notes(self), head=False)
        return shown.encode("utf-8", "replace").decode()  # a file's name may hold what is no text

    def plot(self, name: str | None = None, *, theme: str = "light") -> LayerChart:
        """Draw how often each score was given; ties are high bars.

        Parameters
        ----------
        name : str or None
            A human score or a metric (``COMET-22`` for ``COMET-22-refA`` alone); None: gold, or the first human score.
        theme : {"light", "dark"}
            The background that the picture is made for.

        Returns
        -------
        altair.LayerChart
            The standard reference and the outliers are left out.

        Raises
        ------
        NotInstalledError
            Without Altair: ``pip install 'tiekit[plot]'``.
        InputError
            For another name or theme.
        """
        scores = {**self.metrics, **self.human}
        chosen = self.gold or next(iter(self.human), None) if name is None else find_name("name", name, scores)
        if chosen is None:
            raise InputError("name: the set has no human score, so name a metric")
        return draw(self, theme, chosen)


def _facts(data: EvalSet) -> dict[str, str]:
    """What there is, by kind, as text."""
    named = {
        "systems": data.systems,
        "left out by default": data.default_exclude,
        "human scores": tuple(data.human),
        "metrics": tuple(data.metrics),
    }
    documents = f" of {len(set(data.documents))} documents" if data.documents else ""
    segments = {"segments": f"{len(data.segments)}{documents}"}
    return {kind: list_names(names) for kind, names in named.items() if names} | segments


def _first_notes(data: EvalSet) -> list[str]:
    notes = [f"note: {note}" for note in data.notes[: NOTES_SHOWN + 1]]
    if len(data.notes) > NOTES_SHOWN:
        notes[NOTES_SHOWN:] = [f"… and {len(data.notes) - NOTES_SHOWN} more notes"]
    return notes


def _as_matrix(argument: str, scores: ArrayLike) -> FloatMatrix | pd.DataFrame:
    """Scores as a matrix, those of one system as one row."""
    if is_series(scores):
        return scores.to_frame(SINGLE_SYSTEM).T
    return scores if is_frame(scores) else np.atleast_2d(as_scores(argument, scores))


def _names(what: str, given: Iterable[str] | None, matrix: FloatMatrix | pd.DataFrame, axis: int) -> tuple[str, ...]:
    """The names of rows or columns: those given, those of a labeled frame, or numbers from 1."""
    if given is not None:
        if isinstance(given, str) or not isinstance(given, Iterable):
            raise InputError(f"{what}: must be several names, found {given!r}")
        return tuple(text_labels(given))
    index = matrix.axes[axis] if is_frame(matrix) else None
    if index is not None and not is_default(index):
        return tuple(text_labels(index))
    return (SINGLE_SYSTEM,) if axis == 0 and matrix.shape[0] == 1 else row_names(matrix.shape[axis])
