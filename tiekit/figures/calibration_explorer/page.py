"""How does the calibration explorer become a page of its own? Without a notebook and its packages."""

from __future__ import annotations

from tiekit.core.calibration import Calibration
from tiekit.figures.calibration_explorer import data
from tiekit.figures.given import check_shown, line


def calibration_page(calibration: Calibration, name: str, epsilon: float | None = None) -> str:
    """Return the text of a page that shows a calibration; see `tiekit.figures.CalibrationExplorer` for what it shows.

    Parameters
    ----------
    calibration : Calibration
        What `tiekit.calibrate` returned.
    name : str
        What the metric is called.
    epsilon : float, optional
        The threshold to begin with; by default the best one.

    Raises
    ------
    InputError
        Scores lie too far apart to be shown, or ``epsilon`` is negative, infinite or NaN.
    """
    now = check_shown(calibration.epsilon if epsilon is None else epsilon)
    curve = data.curve_with(calibration, now)
    vectors = {key: scores and line(scores) for key, scores in data.vectors_of(calibration).items()}
    given = {**data.fixed(calibration, curve, name), **vectors, "epsilon": now}
    return data.FIGURE.as_page(given, data.KEYS, data.title(name), data.origin(calibration, name))
