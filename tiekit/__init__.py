"""How tied scores decide the evaluation of machine-translation and text-generation metrics.

Read scores
    `read`, `read_table`, `download`, `EvalSet`, `write_mtme`; `load` and `examples` for what comes along; all formats
    are in `tiekit.readers`
Count and correlate
    `count_pairs`, `classify_pairs`, `count_ties`, `correlate`; `COEFFICIENTS` and `GROUPINGS` list what there is
Calibrate the tie threshold
    `calibrate`, `cross_validate`, `transfer`
Change ties
    `break_ties`, `to_buckets`
Compare metrics
    `standing` of one metric, `leaderboard` of all; tests and intervals are in `tiekit.significance`, the engine in
    `tiekit.ranking`
Check an evaluator of one's own
    `check_evaluator`: what it does with ties, constants, missing scores, shuffled items
Ask further
    `tiekit.measures`, `tiekit.sentinels`, `tiekit.humans`, `tiekit.identical`, `tiekit.classification`,
    `tiekit.judgments`, `tiekit.votes`, `tiekit.official`
Show and cite
    every result has ``plot()``, and many ``explore()``; `tiekit.widgets` move in notebooks; `cite` gives the sources
Build on it
    `tiekit.core` is arrays in, results out; `tiekit.errors` holds errors and warnings

>>> import tiekit as tk
>>> tk.count_pairs([0, 0, 0, 0, 1, 2], [0, 0, 0, 0, 2, 1]).concordant
8
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import lazy_loader

from tiekit.base.results import __version__ as __version__
from tiekit.base.results import slots

__getattr__, _, _every = lazy_loader.attach_stub(__name__, __file__)

INNER = {
    "Calibration",
    "Coefficient",
    "Correlation",
    "Leaderboard",
    "PairCounts",
    "Ties",
    "bucket_curve",
    "charts",
    "correlate_untied",
    "exercises",
    "figures",
    "groups_in_common",
    "list_mtme",
    "official_ranking",
    "parse_vector",
    "preview_table",
    "read_mtme",
    "read_rankings",
    "read_score_files",
    "reasons_per_group",
    "warm_up",
}
"""Names that stay reachable here and are not offered: each has its place in a namespace."""

__all__ = sorted({*_every, "__version__"} - INNER)  # read from __init__.pyi, the one table of names


def __dir__() -> list[str]:
    return __all__


def _call(module: str, name: str) -> Callable[..., Any]:
    """A function that is imported when it is first called."""
    return lambda *args, **options: getattr(import_module(module), name)(*args, **options)


slots.plot = _call("tiekit.charts.plots", "chart_of")
slots.explore = _call("tiekit.widgets", "explore")
slots.table_to_set = _call("tiekit.readers", "read_table")
slots.add_scores = _call("tiekit.readers", "add_scores")
slots.find_fall = _call("tiekit.core.correlation", "find_fall")
slots.read = _call("tiekit.readers.read", "read")
slots.open_archives = _call("tiekit.readers.read", "open_archives")
