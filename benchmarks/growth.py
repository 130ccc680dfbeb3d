"""How does the time of a tool grow? As a power of n."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping


def exponent(seconds: Mapping[int, float]) -> float:
    """The slope of log time on log n, least squares; NaN for fewer than two sizes."""
    if len(seconds) < 2:
        return math.nan
    return statistics.linear_regression(
        [math.log(n) for n in seconds], [math.log(taken) for taken in seconds.values()]
    ).slope
