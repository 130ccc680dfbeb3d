"""What do the files of a test set not say? Its standard reference, outliers, gold score and primary metrics."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tiekit.base.errors import InputError, ReadError
from tiekit.base.names import find_pairs


@dataclass(frozen=True)
class Facts:
    """Facts about one language pair of a test set, and their source."""

    standard_reference: str | None
    outliers: tuple[str, ...]
    gold: str | None
    source: str


def data_file(name: str) -> Path:
    """Return the path of a file in tiekit's data folder, in the installed package or beside it in a checkout.

    Parameters
    ----------
    name : str
        Path of the file inside the data folder.

    Returns
    -------
    Path

    Raises
    ------
    ReadError
        If the file is in neither place.
    InputError
        If the name is no text.

    Examples
    --------
    >>> data_file("wmt_testsets.csv").name
    'wmt_testsets.csv'
    """
    if not isinstance(name, str):
        raise InputError(f"name: must be the name of a file, found {name!r}")
    package = Path(__file__).parents[1]
    for folder in (package / "data", package.parent / "data"):
        if (folder / name).exists():
            return folder / name
    raise ReadError(name, "is missing from tiekit's data folder; install tiekit again")


def testset_facts(name: str, language_pair: str) -> Facts | None:
    """Look up facts about a WMT test set in ``data/wmt_testsets.csv``.

    Parameters
    ----------
    name, language_pair : str
        Such as ``wmt22`` and ``zh-en``.

    Returns
    -------
    Facts or None
        None where the table has no such row.

    Examples
    --------
    >>> testset_facts("wmt22", "zh-en").standard_reference
    'refA'
    >>> testset_facts("no such set", "zh-en") is None
    True
    """
    for argument, value in (("name", name), ("language_pair", language_pair)):
        if not isinstance(value, str):
            raise InputError(f"{argument}: must be a name, found {value!r}")
    return _table().get((name, language_pair))


def known_testsets() -> dict[str, tuple[str, ...]]:
    """List the language pairs of each WMT test set in ``data/wmt_testsets.csv``.

    Examples
    --------
    >>> known_testsets()["wmt23.sent"]
    ('en-de',)
    """
    return {
        testset: tuple(pair for name, pair in _table() if name == testset)
        for testset in dict.fromkeys(name for name, _ in _table())
    }


def named_pair(*names: str, whole: bool = False) -> str:
    """Return the only language pair of WMT test sets that stands in names, in any direction; empty where none does.

    Codes without anything between them count for none; ``whole`` names are nothing else than a pair.

    Examples
    --------
    >>> named_pair("wmt22.en-de.COMET.seg.score"), named_pair("de-en_zoom.csv"), named_pair("my-own.csv")
    ('en-de', 'de-en', '')
    """
    found = {
        (one, other)
        for name in names
        for text, one, other in find_pairs(name)
        if text != one + other and (not whole or text == name.casefold())
    }
    known = {pair for pair in found if not _languages().isdisjoint((pair, pair[::-1]))}
    return "-".join(known.pop()) if len(known) == 1 else ""


@cache
def _languages() -> frozenset[tuple[str, ...]]:
    """The languages of all pairs, without regions."""
    return frozenset(tuple(part.split("_")[0] for part in pair.split("-")) for _, pair in _table())


@cache
def _table() -> dict[tuple[str, str], Facts]:
    with data_file("wmt_testsets.csv").open(encoding="utf-8", newline="") as file:
        return {
            (row["testset"], row["language_pair"]): Facts(
                row["standard_reference"] or None, tuple(row["outliers"].split()), row["gold"] or None, row["source"]
            )
            for row in csv.DictReader(file)
        }


def primary_metrics(name: str, language_pair: str) -> frozenset[str] | None:
    """Return base names of the primary and the baseline metrics of a WMT test set; None where they are not known.

    >>> "COMET-22" in primary_metrics("wmt22", "zh-en"), primary_metrics("no such set", "zh-en")
    (True, None)
    """
    pairs = metrics_by_kind().get(name, {})
    kinds = pairs.get(language_pair, pairs.get("*"))
    return None if kinds is None else frozenset(metric for metrics in kinds.values() for metric in metrics)


@cache
def metrics_by_kind() -> dict[str, dict[str, dict[str, list[str]]]]:
    """Return the metrics of WMT test sets by test set, language pair (``*`` for all others) and kind."""
    table = json.loads(data_file("wmt_primary_metrics.json").read_bytes())
    found: dict[str, dict[str, dict[str, list[str]]]] = table["testsets"]
    return found
