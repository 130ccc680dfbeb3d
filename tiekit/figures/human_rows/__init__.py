"""What does the figure of human scores among metrics show? Values and intervals by judging score and measure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from tiekit.figures.arguments import scope_of_result
from tiekit.figures.figure import Picture, Scope
from tiekit.figures.figures import FIGURES
from tiekit.humans import HumanRanking

LABELS = {
    "item/acc_eq*": "acc_eq* by item",
    "global/pearson": "Pearson without grouping",
    "system_means/pairwise_accuracy": "pairwise accuracy of systems",
}
"""What measures are called on their buttons; others have their own name."""


def figure_data(rows: pd.DataFrame, chosen: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return what the figure shows.

    There is a row for each judging human score, measure and judged score: ``judge``, ``measure``, ``name``, ``kind``
    ("human", "metric" or "sentinel"), ``value``, ``low``, ``high``, ``ties`` and ``judge_ties`` (shares of pairs).
    Of what is ``chosen`` at first, an unknown judge or measure becomes the first, an unknown row the best human score.
    """
    judges, measures = (list(dict.fromkeys(rows[column])) for column in ("judge", "measure"))
    asked = chosen or {}
    boards = [
        {
            "judge": judge,
            "measure": measure,
            "judgeTies": _number(part["judge_ties"].iloc[0]),
            "rows": [
                {"name": row["name"], "kind": row["kind"]}
                | {key: _number(row[key]) for key in ("value", "low", "high", "ties")}
                for row in part.to_dict("records")
            ],
        }
        for (judge, measure), part in rows.groupby(["judge", "measure"], sort=False)
    ]
    judge, measure = asked.get("judge", ""), asked.get("measure", "")
    return {
        "judges": judges,
        "measures": [{"name": name, "label": LABELS.get(name, name)} for name in measures],
        "boards": boards,
        "judge": judge if judge in judges else judges[0],
        "measure": measure if measure in measures else measures[0],
        "row": asked.get("row", ""),
    }


def _number(value: Any) -> float | None:
    return None if math.isnan(value) else float(value)


def picture(rankings: Sequence[HumanRanking]) -> Picture:
    """Show human scores and metrics by what judges them."""
    rows = [
        one.table.rename_axis("name")
        .reset_index()
        .assign(judge=one.human, measure=f"{one.grouping}/{one.coefficient}", judge_ties=one.human_ties)
        for one in rankings
    ]
    cells = sorted({one.n_cells for one in rankings})
    made = f"{', '.join(f'{number:,}' for number in cells)} translations that all scores have."
    parts, sources, _ = zip(*(scope_of_result(one.signature) for one in rankings), strict=True)
    facts = [fact for fact in sources[0].split("|") if all(fact in source.split("|") for source in sources)]
    part = parts[0] if len({*parts}) == 1 else ""
    return Picture(FIGURES["human_rows"], figure_data(pd.concat(rows)), made, Scope(part, "|".join(facts)))
