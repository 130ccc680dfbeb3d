"""Errors and warnings of tiekit, and how warnings are collected instead of shown.

>>> from tiekit.errors import InputError, TiekitError
>>> issubclass(InputError, TiekitError)
True
"""

from tiekit.base.errors import LONGEST_MESSAGE as LONGEST_MESSAGE
from tiekit.base.errors import (
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
    UnknownNameError,
    collect_warnings,
)

__all__ = [
    "CalibrationWarning",
    "CoverageWarning",
    "DirectionWarning",
    "DownloadError",
    "InputError",
    "LeftOutWarning",
    "NearTieWarning",
    "NotInstalledError",
    "OrderWarning",
    "OrientationWarning",
    "ReadError",
    "ResamplesWarning",
    "RoleWarning",
    "SelectionWarning",
    "TiekitError",
    "TiekitWarning",
    "TruncationWarning",
    "UnknownNameError",
    "collect_warnings",
]
