"""How tied scores decide the evaluation of machine-translation and text-generation metrics.

The core is here: counting pairs, coefficients, groupings, calibration, leaderboards, evaluation sets and readers.
Further questions have a namespace each, loaded when it is first used: `tiekit.significance`, `tiekit.measures`,
`tiekit.sentinels`, `tiekit.humans`, `tiekit.classification`, `tiekit.judgments`, `tiekit.votes`, `tiekit.official`,
`tiekit.charts`, `tiekit.figures` and `tiekit.exercises`.

>>> import tiekit as tk
>>> tk.count_pairs([0, 0, 0, 0, 1, 2], [0, 0, 0, 0, 2, 1]).concordant
8
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tiekit.base.results import __version__
from tiekit.citations import cite
from tiekit.core.calibration import Calibration, calibrate
from tiekit.core.coefficients import Coefficient
from tiekit.core.correlation import Correlation, correlate
from tiekit.core.cross_validation import cross_validate, transfer
from tiekit.core.grouping import GROUPINGS
from tiekit.core.measure import groups_in_common, reasons_per_group
from tiekit.core.pairs import PairCounts, classify_pairs, count_pairs
from tiekit.core.registry import COEFFICIENTS
from tiekit.core.tie_effects import bucket_curve, correlate_untied
from tiekit.core.ties import Ties, break_ties, count_ties, to_buckets
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
from tiekit.ranking.board import leaderboard
from tiekit.ranking.leaderboard import Leaderboard
from tiekit.readers import list_mtme, load_wmt22, preview_table, read_mtme, read_score_files, read_table
from tiekit.readers._numbers import parse_vector
from tiekit.readers.download import download
from tiekit.readers.read import read
from tiekit.sets.evalset import EvalSet
from tiekit.sets.writers import write_mtme

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
    )
    from tiekit import figures as widgets
    from tiekit.judgments import read_rankings
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
    if name == "read_rankings":
        return import_module("tiekit.judgments").read_rankings
    if name == "official_ranking":
        return import_module("tiekit.official").official_ranking
    raise AttributeError(f"module 'tiekit' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
