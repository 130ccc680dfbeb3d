"""Evaluation sets, and how scores from elsewhere are aligned with them."""
