"""What is computed before the first visitor asks for it? What pages show at first of the set that is open at first."""

from __future__ import annotations

from threading import Thread

import tiekit as tk
from tiekit.ranking.board import POLICIES
from ui.calibration import all_metrics
from ui.calibration import on_set as calibrated
from ui.evalset import by_grouping
from ui.evalset.compared_set import ComparedSet
from ui.evalset.open import OpenSet, open_wmt22
from ui.evalset.selection import Selection
from ui.evalset.tie_kinds import usual
from ui.grouping import on_set
from ui.leaderboard import at_first_sight, board, clusters
from ui.leaderboard.question import USUAL, Question
from ui.measures import agreement
from ui.mqm_or_esa import curves as few_ties
from ui.nan_problem import by_group
from ui.sentinels import probes, shares
from ui.work import result_cache

PATIENCE = 3.0
"""So many seconds a server waits for this before it answers; what is not done then is done while it answers."""


def start() -> None:
    """Begin, in a thread, and wait for `PATIENCE`."""
    thread = Thread(target=prepare, args=(open_wmt22(),), daemon=True)
    thread.start()
    thread.join(PATIENCE)


def prepare(opened: OpenSet) -> None:
    """Compute what pages show of a set before anything is chosen.

    Of Measures only what comes with the app: what else it shows takes seconds, for which every first visitor of another
    page would wait.
    """
    data = opened.data
    human = sorted(data.human, key=lambda name: name != data.gold)[0]
    selection = Selection(opened, human, tuple(data.metrics), data.default_exclude, None)
    question = Question(selection, USUAL, ("acc_eq",), POLICIES[0])
    compared = ComparedSet(selection)
    result_cache.prepare(agreement.prepared_tasks(compared))
    result_cache.prepare(board.tasks_of(question, question.contest))
    result_cache.prepare(by_group.tasks_of(selection, tk.COEFFICIENTS["tau_b"]))
    calibrated.best_first(data)
    result_cache.prepare(all_metrics.tasks_of(selection, "acc_eq", "absolute"))
    result_cache.prepare(by_grouping.tasks_of(on_set.by_all_groupings(selection, on_set.columns()[0])))
    result_cache.prepare(shares.tasks_of(compared, shares.Scope(usual(compared), "acc_eq", "item")))
    for ranked in probes.rankings_of(compared, probes.COLUMNS[0]):
        result_cache.prepare(by_grouping.tasks_of(ranked))
    result_cache.prepare(clusters.tasks_of(at_first_sight.tested_of(question)))
    result_cache.prepare(few_ties.tasks_of(compared, "item"))  # the longest comes last
