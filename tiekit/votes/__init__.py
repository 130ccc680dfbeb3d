"""How well do pairwise votes of judges agree with people, when ties are allowed?

`read_votes` reads votes of MT-bench, Arena and AlpacaEval; `votes_of_scores` makes votes of scores. `agreement`
compares a judge with human votes, with ties and without, by κ and by every coefficient that has a WMT table;
`compare_judges` does so for all judges, and `agreement_interval` says how certain it is. `swap_consistency` measures
position bias, `resolve_orders` makes one vote of two orders, and `calibrate_threshold` finds the difference of scores
up to which a vote is a tie. `checklist` reports all this as text. `ties_score` is RewardBench 2's score of reward
models.

A judge that gives scores, such as 1 to 5, is a metric like any other: `tk.read_table` and `tk.leaderboard` take it.

For the app, importable but inner: `OWN_VOTES`, `share_votes`.
"""

from tiekit.votes.agreement import (
    MEASURES,
    TieThreshold,
    VoteAgreement,
    agreement,
    calibrate_threshold,
    cohen_kappa,
)
from tiekit.votes.intervals import VoteInterval, agreement_interval, checklist
from tiekit.votes.judges import (
    SwapConsistency,
    TiesScore,
    compare_judges,
    resolve_orders,
    swap_consistency,
    ties_score,
)
from tiekit.votes.reader import read_votes
from tiekit.votes.votes import OWN_VOTES as OWN_VOTES
from tiekit.votes.votes import VoteRow, Votes, share_answers, votes_of_scores
from tiekit.votes.votes import share_votes as share_votes

__all__ = [
    "MEASURES",
    "SwapConsistency",
    "TieThreshold",
    "TiesScore",
    "VoteAgreement",
    "VoteInterval",
    "VoteRow",
    "Votes",
    "agreement",
    "agreement_interval",
    "calibrate_threshold",
    "checklist",
    "cohen_kappa",
    "compare_judges",
    "read_votes",
    "resolve_orders",
    "share_answers",
    "swap_consistency",
    "ties_score",
    "votes_of_scores",
]
