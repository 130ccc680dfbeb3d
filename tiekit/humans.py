"""How well does one human score agree with another, beside metrics?

`rank_humans` judges every other human score of a set as if it were a metric, on the cells that all have scored, with
intervals; ``tiekit.leaderboard(..., humans=...)`` gives their rows all columns of a leaderboard. `split_raters` divides
the raters of one human score into two groups that share nobody, so that a human score is judged by others' scores:
``read(..., by_rater=True)`` keeps each rater's scores of raw MQM ratings, human scores of WMT24 and WMT25, and exports
of Appraise and Pearmut. `alt_test` asks whether a judge could stand in for one of the raters.
"""

from tiekit.ranking.engine import with_humans
from tiekit.research.humans import AltTest, HumanRanking, alt_test, rank_humans, raters_of, split_raters

__all__ = ["AltTest", "HumanRanking", "alt_test", "rank_humans", "raters_of", "split_raters", "with_humans"]
