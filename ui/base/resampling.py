"""What all resamples on the pages have in common."""

SEED = 0
"""Of all resamples on the page, so that everybody sees the same."""

RESAMPLES = 999
"""How many resamples a test or an interval on a page takes."""

SIGNIFICANT = 0.05
"""P-values up to which a difference is called significant."""
