"""Which pairs are compared, and how many are ordered alike, ordered differently or tied?"""

from tiekit.counting.grouping import GROUPINGS
from tiekit.counting.pairs import PairCounts, classify_pairs, count_pairs
from tiekit.counting.ties import Ties, break_ties, count_ties, to_buckets

__all__ = ["GROUPINGS", "PairCounts", "Ties", "break_ties", "classify_pairs", "count_pairs", "count_ties", "to_buckets"]
