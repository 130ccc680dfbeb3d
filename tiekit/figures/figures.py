"""Which figures are there? One table: what each is called, and which values what moves in it may take."""

from __future__ import annotations

from types import MappingProxyType

from tiekit.figures.figure import Figure
from tiekit.figures.rules import Rule, either, index, list_of, number, one_of, optional, tie, tuple_of, whole

MOST_SCORES = 200
"""Maximum number of scores that are counted anew while a hand moves."""

MOST_METRICS = 6
"""Maximum number of metrics of the lab."""

MOST_TIES = 60
"""Maximum number of ties that a hand makes; more cannot change anything."""

GROUPINGS = ("global", "item", "system", "system_means")
"""The groupings that the figure of groupings compares."""

_SCORES, _EPSILON, _SHARE = Rule("scores", (0, MOST_SCORES)), number(0), number(0, 1)
_METRIC = one_of("metrics.of")

FIGURES = MappingProxyType(
    {
        figure.name: figure
        for figure in (
            Figure(
                "agreement",
                "Which measures rank metrics alike?",
                {"chosen": list_of(one_of("measures.name"), 2, 2)},
            ),
            Figure(
                "bump",
                "How the ranks of metrics change with the coefficient",
                {"metric": optional(one_of("metrics.name"))},
            ),
            Figure(
                "calibration_explorer",
                "Calibration of a metric",
                {
                    "human": Rule("unless", ("curve", _SCORES)),
                    "metric": Rule("unless", ("curve", Rule("scores", ("human", "human")))),
                    "epsilon": _EPSILON,
                    "chosen": optional(one_of("curves.name")),
                    "tied": optional(_SHARE),
                },
            ),
            Figure(
                "few_ties",
                "Which rank has a metric where people seldom tie?",
                {"chosen": _METRIC, "share": _SHARE},
            ),
            Figure(
                "grouping",
                "Which pairs does a grouping compare, and which metric wins by it?",
                {"grouping": one_of(GROUPINGS), "cell": optional(tuple_of(index("systems"), index("segments")))},
            ),
            Figure("guess", "What do you expect?", {"guess": optional(number("low", "high"))}),
            Figure(
                "human_rows",
                "Which rank has a human score among metrics?",
                {
                    "judge": one_of("judges"),
                    "measure": one_of("measures.name"),
                    "row": either(one_of([""]), one_of("boards.rows.name")),
                },
            ),
            Figure(
                "judge_votes",
                "Which judge agrees with people? It depends on how ties are counted",
                {"threshold": either(number(0), list_of(number(0), "judges", "judges"))},
            ),
            Figure(
                "lab",
                "How ties decide: drag a score or the threshold ε",
                {
                    "human": _SCORES,
                    "metrics": Rule("lines", (MOST_METRICS,)),
                    "epsilon": _EPSILON,
                    "epsilon_of": one_of("metrics.name"),
                    "pair": optional(list_of(index("human"), 2, 2, is_ascending=True)),
                    "step": optional(whole(0)),
                },
            ),
            Figure(
                "nan_explorer",
                "Segments without a value",
                {
                    "coefficient": one_of("coefficients.name"),
                    "undefined": one_of(["drop", "zero", "common"]),
                    "cell": optional(tuple_of(one_of("places"), one_of("metrics.name"))),
                    "ties": list_of(tie(), 0, MOST_TIES),
                },
            ),
            Figure(
                "podium",
                "Which metric is better? It depends on what counts as a tie",
                {"epsilon": whole(0, "most")},
            ),
            Figure(
                "rerank",
                "How high can a metric score? Rank the translations",
                {"metric": list_of(number(), "names", "names")},
            ),
            Figure(
                "swap_explorer",
                "A permutation test by hand",
                {
                    "coefficient": one_of("coefficients.name"),
                    "swapped": list_of(one_of("items")),
                    "draws": either(Rule("all_ways"), whole(0, "most")),
                    "seed": whole(0, 2**32 - 1),
                },
            ),
            Figure(
                "tie_shares",
                "Which metrics win when the human seldom ties?",
                {"chosen": _METRIC, "share": _SHARE},
            ),
        )
    }
)
"""The figures by name, which is the folder of their modules and style sheet."""
