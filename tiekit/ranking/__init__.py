"""Which metric agrees best with the human scores?"""

from tiekit.ranking.board import leaderboard

__all__ = ["leaderboard"]
