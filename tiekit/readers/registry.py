"""Which formats can be read? One entry per format; the app offers every entry."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from tiekit.base.errors import InputError
from tiekit.readers._json import begins_with_row
from tiekit.readers._layout import SUFFIXES
from tiekit.readers._questions import Choice, Choices, Format, Upload
from tiekit.readers._source import GZIP, head_of, plain_name
from tiekit.readers._table import count_unnamed, may_be_decimals
from tiekit.readers.formats import (
    appraise,
    comet,
    da_averages,
    huggingface,
    humeval,
    mateo,
    metricx,
    mqm_averages,
    mqm_ratings,
    score_lines,
    score_lists,
    submission,
    subset2evaluate,
    summeval,
)
from tiekit.readers.formats.mtme import list_mtme, read_mtme, read_score_files
from tiekit.readers.formats.table import preview_table, read_table

NO_TESTSET = (
    "There is no test set in this folder; expected TESTSET/human-scores/SRC-TGT.NAME.seg.score and "
    "TESTSET/metric-scores/SRC-TGT/NAME-REF.seg.score (wmt24pp has no human scores)"
)

_LIKELY_HUMAN = re.compile(r"(.+\.)?(human|mqm|esa|gold|da|wmt)\b", re.IGNORECASE)
_LAYOUT_FOLDERS = {"human-scores", "metric-scores", "documents", "sources", "references", "system-outputs", "lengths"}


def _is_layout(name: str, head: bytes) -> bool:  # noqa: ARG001
    """Whether a file lies in a folder of the layout."""
    return not _LAYOUT_FOLDERS.isdisjoint(PurePosixPath(name).parts[:-1])


def _ask_layout(files: Upload, chosen: Choices) -> Iterator[Choice]:
    """Ask for test set and language pair."""
    found = list_mtme(files)
    if not found:
        raise InputError(NO_TESTSET)
    yield Choice("testset", "Test set", tuple(found), (), "upload_testset", several=False)
    yield Choice("language_pair", "Language pair", found[chosen["testset"]], (), "upload_pair", several=False)


def _layout_code(files: Upload, chosen: Choices) -> str:  # noqa: ARG001
    """The call of `read_mtme`."""
    folder = f"folder that holds {chosen['testset']}"
    return f"tk.read_mtme({folder!r}, {chosen['testset']!r}, {chosen['language_pair']!r})"


def _is_scores(name: str, head: bytes) -> bool:  # noqa: ARG001
    """Whether a file is a score file or a list of documents."""
    return name.removesuffix(GZIP).endswith((*SUFFIXES.values(), ".docs"))


def _ask_scores(files: Upload, chosen: Choices) -> Iterator[Choice]:  # noqa: ARG001
    """Ask which files hold human scores."""
    names = tuple(name for name in files if name.removesuffix(GZIP).endswith(tuple(SUFFIXES.values())))
    likely = tuple(name for name in names if _LIKELY_HUMAN.match(name))
    needed = "Say which file holds the human scores."
    yield Choice("human", "Which files hold human scores?", names, likely, "human_files", needed=needed)


def _scores_code(files: Upload, chosen: Choices) -> str:
    """The call of `read_score_files`."""
    read = f"{{name: open(name, 'rb').read() for name in {list(files)!r}}}"
    return f"tk.read_score_files({read}, human={chosen['human']!r})"


def _is_table(name: str, head: bytes) -> bool:
    """Whether a text file has delimiters, or holds JSON objects of texts and numbers."""
    if name.lower().endswith((".jsonl", ".json", ".ndjson")):
        return begins_with_row(head)
    return name.lower().endswith((".csv", ".tsv", ".txt")) and any(mark in head for mark in b"\t;,")


def _ask_table(files: Upload, chosen: Choices) -> Iterator[Choice]:
    """Ask for the columns of human scores and metrics; without a header, for the number of a metric's column."""
    head = head_of(next(iter(files.values()))) if isinstance(files, Mapping) else b""
    if number := count_unnamed(head):
        columns = tuple(str(place) for place in range(1, number + 1))
        label = "Which column holds the metric's scores? The file has no header."
        needed = "Choose the column that holds the metric's scores."
        if first := may_be_decimals(head):
            needed += f" If {first} has a decimal comma, write {first.replace(',', '.')} instead."
        yield Choice("score_column", label, columns, (), "score_column", several=False, needed=needed)
        if number > 2:
            return
    found, needed = preview_table(files), "Choose at least one column of human scores and one metric."
    label = "Which columns are human scores?"
    yield Choice("human", label, found.numeric, found.human, "human_columns", needed=needed)
    people = set(chosen["human"])
    others = tuple(name for name in found.numeric if name not in people)
    usual = tuple(name for name in others if name in set(found.metrics)) or others
    yield Choice("metrics", "Which columns are metrics?", others, usual, "metric_columns", needed=needed)


def _table_code(files: Upload, chosen: Choices) -> str:
    """The call of `read_table`."""
    return f"tk.read_table({next(iter(files))!r}, human={chosen['human']!r}, metrics={chosen['metrics']!r})"


_ENTRIES = (
    Format(
        name="mtme",
        label="a folder in mt-metrics-eval layout",
        upload="The folder",
        several="directory",
        recognizes=_is_layout,
        read=read_mtme,
        asks=_ask_layout,
        code=_layout_code,
    ),
    submission.FORMAT,
    mqm_averages.FORMAT,
    mqm_ratings.FORMAT,
    da_averages.FORMAT,
    summeval.FORMAT,
    huggingface.FORMAT,
    mateo.FORMAT,
    Format(
        name="scores",
        label=".seg.score files",
        upload="The score files",
        several=True,
        recognizes=_is_scores,
        read=read_score_files,
        asks=_ask_scores,
        code=_scores_code,
    ),
    appraise.FORMAT,
    subset2evaluate.FORMAT,
    humeval.FORMAT,
    comet.FORMAT,
    score_lists.FORMAT,
    metricx.FORMAT,
    score_lines.FORMAT,
    Format(
        name="table",
        label="one table (CSV or TSV)",
        upload="The table",
        several=False,
        recognizes=_is_table,
        read=read_table,
        asks=_ask_table,
        code=_table_code,
    ),
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
    heads = {plain_name(name): head_of(content) for name, content in files.items()}
    fits = (entry for entry in FORMATS.values() if heads and all(entry.recognizes(*item) for item in heads.items()))
    return next(fits, None)
