"""How do scores from elsewhere come into a set? A method whose work is done by the readers, which stand above it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

_adders: list[Callable[..., Any]] = []


def joins(adder: Callable[..., Any]) -> Callable[..., Any]:
    """Let a function do the work of `Joinable.with_scores`; of several, the last one does."""
    _adders.append(adder)
    return adder


class Joinable:
    """What scores from elsewhere can be put beside."""

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
        segment is matched by its label; else by its document and its place in the document; else by its position,
        where both sides have equally many. A file with one score per line for all systems is laid out in the order of
        this set's systems if it has as many lines as they have segments. Labels that are numbers are compared as
        numbers (``007`` is ``7``); those counted from 0 are moved by one where this set counts from 1.

        Parameters
        ----------
        source : path, list of paths, bytes, mapping, DataFrame, Series, list of dicts or EvalSet
            As `tiekit.read` takes it, or what it returned. Human scores in it are left out. A table may also have one
            column (a DataFrame: or one row) per system of this set, and one row per segment.
        name : str, optional
            Name of the metric; None: as the source says.
        names : mapping of str to str, or sequence of str, optional
            Names of several metrics: by the name in the source, or all of them in its order.
        system : str, optional
            The system of this set whose scores these are, where the source holds a single one.
        lower_is_better : bool
            Whether to negate the scores, so that higher is better.
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
            If no segment or fewer than half of the source's systems match (the message shows names of both sides), a
            match is ambiguous, a metric of that name is there, or one has no score of this set's cells; if the source
            has texts and they, or their lengths, are others than this set's (the message shows the first that differs);
            if it has several columns of numbers without a header.

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
            with other labels, or lines without names, were taken in their order.

        Examples
        --------
        >>> import tiekit as tk
        >>> data = tk.EvalSet("toy", "en-de", ("A", "B"), ("1", "2"), {"mqm": [[-1, -5], [0, -2]]}, {}, gold="mqm")
        >>> more = data.with_scores({"mine.seg.score": b"A 30\\nA 10\\nB 40\\nB 20\\n"})
        >>> more.metrics["mine"]
        array([[30., 10.],
               [40., 20.]])
        >>> more.notes[-1]
        'mine: 2 of 2 systems and 2 of 2 segments matched (4 of 4 cells), segments by number'
        """
        options = {"name": name, "names": names, "system": system, "lower_is_better": lower_is_better}
        joined: Self = _adders[-1](self, source, format=format, choices=choices, **options)
        return joined
