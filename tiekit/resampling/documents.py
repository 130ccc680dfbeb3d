"""Which document is each segment of? Whole documents are swapped or drawn, and groupings compare within documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from tiekit.arguments import Human, documents_of
from tiekit.coefficients.measure import Measure
from tiekit.counting.documents import document_places
from tiekit.errors import InputError
from tiekit.resampling.schemes import Redraw, Swap
from tiekit.scores import IntArray


def name_documents(data: Human, documents: Sequence[str] | None, n_segments: int) -> tuple[str, ...] | None:
    """Name the document of each segment: those that are given, or those of the set; None where neither has any."""
    given = documents_of(data) if documents is None else documents
    if isinstance(given, str) or not (given is None or np.ndim(given) == 1):
        raise InputError(f"documents: must be a sequence of names, one per segment, found {given!r}")
    if given is None:
        return None
    if len(given) != n_segments:
        raise InputError(f"documents: must have one name for each of the {n_segments} segments, found {len(given)}")
    return tuple(map(str, given))


def number_documents(scheme: Swap | Redraw, names: tuple[str, ...] | None) -> IntArray | None:
    """Number the documents in the order of their first segments, shape (segments,); None where none are needed."""
    if not scheme.needs_documents:
        return None
    if names is None:
        raise InputError(
            f"documents: {scheme.name!r} needs the document of each segment; give an EvalSet that has them, or names"
        )
    return document_places(names, len(names))[0]


def usual_swap(measure: Measure) -> str:
    """The name of the scheme that suits a measure: means are swapped whole, as is what a measure compares at WMT."""
    if measure.of_means:
        return "system_means"
    return {"system_means": "cells", "document_means": "documents"}.get(measure.grouping, "segments")


def check_means(argument: str, scheme: Swap | Redraw, measures: Iterable[Measure]) -> None:
    """Check that means stay whole: a scheme of other cells would change them, and one of means has nothing else."""
    if scheme.of_means and (other := [measure.name for measure in measures if not measure.of_means]):
        raise InputError(
            f"{argument}: {scheme.name!r} is for measures that are made of one mean score per system, found {other[0]}"
        )
    if not scheme.needs_documents and any(measure.grouping == "document_means" for measure in measures):
        raise InputError(
            f"{argument}: by document_means whole documents are resampled, so it must be 'documents', "
            f"found {scheme.name!r}"
        )
