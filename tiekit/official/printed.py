"""Which values do metrics have in the tasks of an official ranking, by published tables and public scores?"""

from __future__ import annotations

import pandas as pd

from tiekit.errors import InputError
from tiekit.readers import data_file

PRINTED = {
    "wmt23": "wmt23_official.csv",
    "wmt23_segments": "wmt23_segments.csv",
    "wmt24": "wmt24_metricx.csv",
    "wmt24_on_wmt23": "wmt24_on_wmt23.csv",
}
"""The tables, each in a file of data/papers."""


def printed_values(table: str = "wmt23") -> pd.DataFrame:
    """Return the values that some metrics have in the tasks of an official ranking.

    Parameters
    ----------
    table : {"wmt23", "wmt23_segments", "wmt24", "wmt24_on_wmt23"}
        The primary metrics and the baselines of WMT23 (32) in its ten tasks; 38 metrics in its six tasks of segments;
        MetricX-24 in the six tasks of WMT24; the 32 metrics in the same tasks on the test sets of 2023. The first and
        the last are computed from the public scores, six decimals; the others are as printed, three. The sources are in
        data/papers/README.md.

    Returns
    -------
    DataFrame
        Indexed by metric: ``average``, then a column per task, named as in `read_preset`.

    Raises
    ------
    InputError
        For an unknown table.

    Examples
    --------
    >>> from tiekit.official import average_tasks, read_preset
    >>> printed, rules = printed_values("wmt23"), read_preset("wmt23")
    >>> tasks = printed.drop(columns="average")
    >>> average_tasks(tasks, rules.weights, rules.mapped)["average"].round(3).head(2).to_dict()
    {'XCOMET-Ensemble': 0.825, 'XCOMET-QE-Ensemble': 0.808}
    >>> float(printed.loc["XCOMET-Ensemble", "average"])
    0.824556
    """
    if table not in PRINTED:
        raise InputError(f"table: must be one of {', '.join(PRINTED)}, found {table!r}")
    return pd.read_csv(data_file(f"papers/{PRINTED[table]}"), index_col="metric").drop(columns="source")
