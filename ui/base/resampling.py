"""What all resamples on the pages have in common."""

SEED = 0
"""The seed of all resamples on the pages, so that everybody sees the same numbers."""

RESAMPLES = 999
"""The number of resamples of a test or an interval on a page."""

SIGNIFICANT = 0.05
"""The largest p-value at which a difference is called significant."""
