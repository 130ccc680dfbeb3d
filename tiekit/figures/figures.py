"""Which figures are there? One table: what each is called, and which values what moves in it may take."""

from __future__ import annotations

from types import MappingProxyType

from tiekit.figures.figure import Figure
from tiekit.figures.rules import Rule

MOST_SCORES = 200
"""Maximum number of scores that are counted anew while a hand moves."""

MOST_METRICS = 6
"""Maximum number of metrics of the lab."""

MOST_TIES = 60
"""Maximum number of ties that a hand makes; more cannot change anything."""

GROUPINGS = ("global", "item", "system", "system_means")
"""The groupings that the figure of groupings compares."""

_SCORES, _EPSILON, _SHARE = Rule("scores", 0, MOST_SCORES), Rule("number", 0), Rule("number", 0, 1)
_METRIC = Rule("one_of", "metrics.of")

FIGURES = MappingProxyType(
    {
        figure.name: figure
        for figure in (
            Figure(
                "agreement",
                "Which measures rank metrics alike?",
                {"chosen": Rule("list_of", Rule("one_of", "measures.name"), 2, 2)},
            ),
            Figure(
                "bump",
                "How the ranks of metrics change with the coefficient",
                {"metric": Rule("optional", Rule("one_of", "metrics.name"))},
            ),
            Figure(
                "calibration_explorer",
                "Calibration of a metric",
                {
                    "human": Rule("unless", "curve", _SCORES),
                    "metric": Rule("unless", "curve", Rule("scores", "human", "human")),
                    "epsilon": _EPSILON,
                    "chosen": Rule("optional", Rule("one_of", "curves.name")),
                    "tied": Rule("optional", _SHARE),
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
                {
                    "grouping": Rule("one_of", GROUPINGS),
                    "cell": Rule("optional", Rule("tuple_of", Rule("index", "systems"), Rule("index", "segments"))),
                },
            ),
            Figure("guess", "What do you expect?", {"guess": Rule("optional", Rule("number", "low", "high"))}),
            Figure(
                "human_rows",
                "Which rank has a human score among metrics?",
                {
                    "judge": Rule("one_of", "judges"),
                    "measure": Rule("one_of", "measures.name"),
                    "row": Rule("either", Rule("one_of", [""]), Rule("one_of", "boards.rows.name")),
                },
            ),
            Figure(
                "judge_votes",
                "Which judge agrees with people? It depends on how ties are counted",
                {
                    "threshold": Rule(
                        "either", Rule("number", 0), Rule("list_of", Rule("number", 0), "judges", "judges")
                    )
                },
            ),
            Figure(
                "lab",
                "How ties decide: drag a score or the threshold ε",
                {
                    "human": _SCORES,
                    "metrics": Rule("lines", MOST_METRICS),
                    "epsilon": _EPSILON,
                    "epsilon_of": Rule("one_of", "metrics.name"),
                    "pair": Rule("optional", Rule("list_of", Rule("index", "human"), 2, 2, "ascending")),
                    "step": Rule("optional", Rule("whole", 0)),
                },
            ),
            Figure(
                "nan_explorer",
                "Segments without a value",
                {
                    "coefficient": Rule("one_of", "coefficients.name"),
                    "undefined": Rule("one_of", ["drop", "zero", "common"]),
                    "cell": Rule(
                        "optional", Rule("tuple_of", Rule("one_of", "places"), Rule("one_of", "metrics.name"))
                    ),
                    "ties": Rule("list_of", Rule("tie"), 0, MOST_TIES),
                },
            ),
            Figure(
                "podium",
                "Which metric is better? It depends on what counts as a tie",
                {"epsilon": Rule("whole", 0, "most")},
            ),
            Figure(
                "rerank",
                "How high can a metric score? Rank the translations",
                {"metric": Rule("list_of", Rule("number"), "names", "names")},
            ),
            Figure(
                "swap_explorer",
                "A permutation test by hand",
                {
                    "coefficient": Rule("one_of", "coefficients.name"),
                    "swapped": Rule("list_of", Rule("one_of", "items")),
                    "draws": Rule("either", Rule("all_ways"), Rule("whole", 0, "most")),
                    "seed": Rule("whole", 0, 2**32 - 1),
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
