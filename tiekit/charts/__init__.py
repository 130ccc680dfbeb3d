"""What do the results look like? A frame and a figure for each picture.

``…_frame`` turns a result into a table with one row per mark, ``…_chart`` returns the figure that draws the table: a
Vega-Lite specification as a dict, whose data has the name ``source``. To draw a figure in a notebook::

    alt.Chart.from_dict(figure).properties(data=frame)

Most results draw themselves: ``tk.correlate(…).plot()``. Public here are the pictures of tables that have no such
method, and the names that they print. Everything else that this module holds is inner: the app draws with it, and it
may change with any version.

A figure is built once and used again with other frames, which keeps a page fast. Every figure takes a ``theme``,
"light" or "dark": Vega's own gray labels are too faint on white. This is the only part of tiekit that needs Altair.
"""

from tiekit.base.errors import NotInstalledError

try:
    import altair as _  # noqa: F401  before the modules that need it
except ModuleNotFoundError as error:
    raise NotInstalledError("a picture needs altair: pip install 'tiekit[plot]'") from error

from tiekit.base.results import KIND_STYLE as KIND_STYLE
from tiekit.base.results import REASON_STYLE as REASON_STYLE
from tiekit.charts.distributions import AS_LARGE as AS_LARGE
from tiekit.charts.distributions import NOT_TESTED as NOT_TESTED
from tiekit.charts.distributions import distribution_chart as distribution_chart
from tiekit.charts.distributions import distribution_frame as distribution_frame
from tiekit.charts.distributions import interval_chart as interval_chart
from tiekit.charts.distributions import interval_frame as interval_frame
from tiekit.charts.distributions import pvalue_chart as pvalue_chart
from tiekit.charts.distributions import pvalue_frame as pvalue_frame
from tiekit.charts.distributions import scatter_chart as scatter_chart
from tiekit.charts.distributions import scatter_frame as scatter_frame
from tiekit.charts.distributions import swap_chart as swap_chart
from tiekit.charts.distributions import swap_frame as swap_frame
from tiekit.charts.measures import GROUPING_STYLE as GROUPING_STYLE
from tiekit.charts.measures import METRIC_KINDS as METRIC_KINDS
from tiekit.charts.measures import (
    correlations_chart,
    correlations_frame,
    granularity_chart,
    granularity_frame,
    length_chart,
    length_frame,
    perfect_chart,
    perfect_frame,
    power_chart,
    power_frame,
    share_chart,
    share_frame,
    trust_chart,
    trust_frame,
)
from tiekit.charts.pairs import GLYPHS_UP_TO as GLYPHS_UP_TO
from tiekit.charts.pairs import accuracy_chart as accuracy_chart
from tiekit.charts.pairs import accuracy_frame as accuracy_frame
from tiekit.charts.pairs import bucket_chart, bucket_frame, untied_chart, untied_frame
from tiekit.charts.pairs import curve_chart as curve_chart
from tiekit.charts.pairs import curve_frame as curve_frame
from tiekit.charts.pairs import group_words as group_words
from tiekit.charts.pairs import matrix_chart as matrix_chart
from tiekit.charts.pairs import matrix_frame as matrix_frame
from tiekit.charts.pairs import matrix_height as matrix_height
from tiekit.charts.pairs import step_frame as step_frame
from tiekit.charts.pairs import value_chart as value_chart
from tiekit.charts.pairs import value_frame as value_frame
from tiekit.charts.rankings import CAPS as CAPS
from tiekit.charts.rankings import UNITY_STYLE as UNITY_STYLE
from tiekit.charts.rankings import cap_chart as cap_chart
from tiekit.charts.rankings import cap_frame as cap_frame
from tiekit.charts.rankings import dot_chart as dot_chart
from tiekit.charts.rankings import dot_frame as dot_frame
from tiekit.charts.rankings import rank_chart as rank_chart
from tiekit.charts.rankings import rank_frame as rank_frame
from tiekit.charts.rankings import turn_chart, turn_frame
from tiekit.charts.rankings import unity_chart as unity_chart
from tiekit.charts.rankings import unity_frame as unity_frame
from tiekit.charts.style import KIND_TEXT as KIND_TEXT
from tiekit.charts.style import Figure
from tiekit.core.system_level import label_of
from tiekit.core.system_level import measure_label as measure_label

__all__ = [
    "Figure",
    "bucket_chart",
    "bucket_frame",
    "correlations_chart",
    "correlations_frame",
    "granularity_chart",
    "granularity_frame",
    "label_of",
    "length_chart",
    "length_frame",
    "perfect_chart",
    "perfect_frame",
    "power_chart",
    "power_frame",
    "share_chart",
    "share_frame",
    "trust_chart",
    "trust_frame",
    "turn_chart",
    "turn_frame",
    "untied_chart",
    "untied_frame",
]
