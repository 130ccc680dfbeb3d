"""Below which difference do two metric scores count as tied?"""

from tiekit.calibration.curve import Meaning
from tiekit.calibration.exact import DIFFERENCES, Calibration, calibrate
from tiekit.calibration.held_out import CrossValidation, HeldOut, cross_validate, transfer

__all__ = [
    "DIFFERENCES",
    "Calibration",
    "CrossValidation",
    "HeldOut",
    "Meaning",
    "calibrate",
    "cross_validate",
    "transfer",
]
