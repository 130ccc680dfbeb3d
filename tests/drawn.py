"""What swapped and drawn matrices give by themselves."""

import numpy as np

import tiekit as tk


def z_scores(human, metric):
    """Standardized; rounded, as two metrics' scores that are equal must not differ by rounding."""
    used = metric[~np.isnan(human) & ~np.isnan(metric)]
    return ((metric - used.mean()) / used.std()).round(12)


def by_itself(human, metric, name, grouping):
    return tk.correlate(human, metric, name, grouping=grouping).value
