"""Which metric agrees best with the human scores?"""

from tiekit.ranking.board import leaderboard
from tiekit.ranking.leaderboard import Leaderboard

__all__ = ["Leaderboard", "leaderboard"]
