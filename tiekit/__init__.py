"""How tied scores decide the evaluation of machine-translation and text-generation metrics.

The core is here: counting pairs, coefficients, groupings, calibration, leaderboards, evaluation sets and readers.
Further questions have a namespace each, loaded when it is first used: `tiekit.significance`, `tiekit.measures`,
`tiekit.sentinels`, `tiekit.humans`, `tiekit.classification`, `tiekit.judgments`, `tiekit.votes`, `tiekit.official`,
`tiekit.charts`, `tiekit.widgets` and `tiekit.exercises`.

>>> import tiekit as tk
>>> tk.count_pairs([0, 0, 0, 0, 1, 2], [0, 0, 0, 0, 2, 1]).concordant
8
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tiekit.archive import download
from tiekit.calibration.exact import Calibration, calibrate
from tiekit.calibration.held_out import cross_validate, transfer
from tiekit.citations import cite
from tiekit.coefficients.coefficient import Coefficient
from tiekit.coefficients.registry import COEFFICIENTS
from tiekit.coefficients.tie_effects import bucket_curve, correlate_untied
from tiekit.coefficients.undefined import groups_in_common, reasons_per_group
from tiekit.correlation import Correlation, correlate
from tiekit.counting.grouping import GROUPINGS
from tiekit.counting.pairs import PairCounts, classify_pairs, count_pairs
from tiekit.counting.ties import Ties, break_ties, count_ties, to_buckets
from tiekit.errors import (
    CalibrationWarning,
    CoverageWarning,
    DirectionWarning,
    DownloadError,
    InputError,
    LeftOutWarning,
    NearTieWarning,
    NotInstalledError,
    OrderWarning,
    OrientationWarning,
    ReadError,
    ResamplesWarning,
    RoleWarning,
    SelectionWarning,
    TiekitError,
    TiekitWarning,
    TruncationWarning,
)
from tiekit.evalset import EvalSet
from tiekit.ranking.board import leaderboard
from tiekit.ranking.leaderboard import Leaderboard
from tiekit.readers import list_mtme, load_wmt22, preview_table, read_mtme, read_rankings, read_score_files, read_table
from tiekit.readers.read import read
from tiekit.readers.vector import parse_vector
from tiekit.signature import __version__
from tiekit.writers import write_mtme

if TYPE_CHECKING:
    from tiekit import (
        charts,
        classification,
        exercises,
        humans,
        judgments,
        measures,
        official,
        sentinels,
        significance,
        votes,
        widgets,
    )
    from tiekit.official import official_ranking

NAMESPACES = (
    "charts",
    "classification",
    "exercises",
    "humans",
    "judgments",
    "measures",
    "official",
    "sentinels",
    "significance",
    "votes",
    "widgets",
)
"""One for each further question."""

__all__ = [
    "COEFFICIENTS",
    "GROUPINGS",
    "Calibration",
    "CalibrationWarning",
    "Coefficient",
    "Correlation",
    "CoverageWarning",
    "DirectionWarning",
    "DownloadError",
    "EvalSet",
    "InputError",
    "Leaderboard",
    "LeftOutWarning",
    "NearTieWarning",
    "NotInstalledError",
    "OrderWarning",
    "OrientationWarning",
    "PairCounts",
    "ReadError",
    "ResamplesWarning",
    "RoleWarning",
    "SelectionWarning",
    "TiekitError",
    "TiekitWarning",
    "Ties",
    "TruncationWarning",
    "__version__",
    "break_ties",
    "bucket_curve",
    "calibrate",
    "charts",
    "cite",
    "classification",
    "classify_pairs",
    "correlate",
    "correlate_untied",
    "count_pairs",
    "count_ties",
    "cross_validate",
    "download",
    "exercises",
    "groups_in_common",
    "humans",
    "judgments",
    "leaderboard",
    "list_mtme",
    "load_wmt22",
    "measures",
    "official",
    "official_ranking",
    "parse_vector",
    "preview_table",
    "read",
    "read_mtme",
    "read_rankings",
    "read_score_files",
    "read_table",
    "reasons_per_group",
    "sentinels",
    "significance",
    "to_buckets",
    "transfer",
    "votes",
    "widgets",
    "write_mtme",
]


def __getattr__(name: str) -> Any:
    if name in NAMESPACES:
        return import_module(f"tiekit.{name}")
    if name == "official_ranking":
        return import_module("tiekit.official").official_ranking
    raise AttributeError(f"module 'tiekit' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
