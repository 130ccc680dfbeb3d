"""Which formats can be read? One entry per format; the app offers every entry."""

from __future__ import annotations

from collections.abc import Iterable

from tiekit.readers._questions import Format, Upload
from tiekit.readers._source import head_of, object_of, plain_name
from tiekit.readers.formats import (
    archive,
    arrays,
    automatic,
    comet,
    esa,
    huggingface,
    mateo,
    metricx,
    mqm,
    mtme,
    pearmut,
    score_lines,
    submission,
    subset2evaluate,
    summeval,
    table,
)

_ENTRIES = (
    mtme.FORMAT,
    archive.FORMAT,
    submission.FORMAT,
    mqm.MQM_FORMAT,
    mqm.RATINGS_FORMAT,
    mqm.DA_FORMAT,
    summeval.FORMAT,
    huggingface.FORMAT,
    mateo.FORMAT,
    mtme.SCORE_FILES,
    esa.APPRAISE_FORMAT,
    subset2evaluate.FORMAT,
    esa.HUMEVAL_FORMAT,
    pearmut.FORMAT,
    automatic.FORMAT,
    comet.FORMAT,
    arrays.FORMAT,
    metricx.FORMAT,
    score_lines.FORMAT,
    table.FORMAT,
)

FORMATS: dict[str, Format] = {entry.name: entry for entry in _ENTRIES}
"""Every format by name, in the order in which the app offers them."""


def recognize(files: Upload) -> Format | None:
    """Return the first format that recognizes all files.

    Parameters
    ----------
    files : mapping of str to bytes
        Contents of files by name, or their first bytes; compressed with gzip or not.

    Returns
    -------
    Format or None
        None where no format fits.

    Examples
    --------
    >>> recognize({"scores.csv": b"system,segment,mqm,BLEU\\n"}).name
    'table'
    """
    if not files:
        return None
    if found := _first_fit((name, head_of(content)) for name, content in files.items()):
        return found
    return _first_fit((name, object_of(content) or head_of(content)) for name, content in files.items())


def _first_fit(heads: Iterable[tuple[str, bytes]]) -> Format | None:
    """The first format that recognizes the starts of all files, one of which is held at a time."""
    fits = [*FORMATS.values()]
    for name, head in heads:
        if not (fits := [entry for entry in fits if entry.recognizes(plain_name(name), head)]):
            return None
    return fits[0]
