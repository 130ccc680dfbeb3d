"""What do the results look like? A frame and a figure for each picture.

``…_frame`` turns a result into a table with one row per mark, ``…_chart`` returns the figure that draws the table: a
Vega-Lite specification as a dict, whose data has the name ``source``. To draw a figure in a notebook::

    alt.Chart.from_dict(figure).properties(data=frame)

A figure is built once and used again with other frames, which keeps a page fast. Every figure takes a ``theme``,
"light" or "dark": Vega's own gray labels are too faint on white. This is the only part of tiekit that needs Altair.
"""

from tiekit.base.results import KIND_STYLE, REASON_STYLE
from tiekit.charts.distribution import distribution_chart, distribution_frame, scatter_chart, scatter_frame
from tiekit.charts.groupings import turn_chart, turn_frame
from tiekit.charts.judgments import (
    CAPS,
    UNITY_STYLE,
    cap_chart,
    cap_frame,
    unity_chart,
    unity_frame,
)
from tiekit.charts.measures import (
    GROUPING_STYLE,
    granularity_chart,
    granularity_frame,
    measure_label,
    power_chart,
    power_frame,
    trust_chart,
    trust_frame,
)
from tiekit.charts.pairs import (
    GLYPHS_UP_TO,
    matrix_chart,
    matrix_frame,
    matrix_height,
    step_frame,
    value_chart,
    value_frame,
)
from tiekit.charts.ranks import dot_chart, dot_frame, rank_chart, rank_frame
from tiekit.charts.sentinels import (
    METRIC_KINDS,
    correlations_chart,
    correlations_frame,
    length_chart,
    length_frame,
    perfect_chart,
    perfect_frame,
    share_chart,
    share_frame,
)
from tiekit.charts.significance import (
    AS_LARGE,
    interval_chart,
    interval_frame,
    pvalue_chart,
    pvalue_frame,
    swap_chart,
    swap_frame,
)
from tiekit.charts.style import KIND_TEXT, Figure, label_of
from tiekit.charts.thresholds import accuracy_chart, accuracy_frame, curve_chart, curve_frame
from tiekit.charts.ties import (
    bucket_chart,
    bucket_frame,
    group_words,
    untied_chart,
    untied_frame,
)

__all__ = [
    "AS_LARGE",
    "CAPS",
    "GLYPHS_UP_TO",
    "GROUPING_STYLE",
    "KIND_STYLE",
    "KIND_TEXT",
    "METRIC_KINDS",
    "REASON_STYLE",
    "UNITY_STYLE",
    "Figure",
    "accuracy_chart",
    "accuracy_frame",
    "bucket_chart",
    "bucket_frame",
    "cap_chart",
    "cap_frame",
    "correlations_chart",
    "correlations_frame",
    "curve_chart",
    "curve_frame",
    "distribution_chart",
    "distribution_frame",
    "dot_chart",
    "dot_frame",
    "granularity_chart",
    "granularity_frame",
    "group_words",
    "interval_chart",
    "interval_frame",
    "label_of",
    "length_chart",
    "length_frame",
    "matrix_chart",
    "matrix_frame",
    "matrix_height",
    "measure_label",
    "perfect_chart",
    "perfect_frame",
    "power_chart",
    "power_frame",
    "pvalue_chart",
    "pvalue_frame",
    "rank_chart",
    "rank_frame",
    "scatter_chart",
    "scatter_frame",
    "share_chart",
    "share_frame",
    "step_frame",
    "swap_chart",
    "swap_frame",
    "trust_chart",
    "trust_frame",
    "turn_chart",
    "turn_frame",
    "unity_chart",
    "unity_frame",
    "untied_chart",
    "untied_frame",
    "value_chart",
    "value_frame",
]
