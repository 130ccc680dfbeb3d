"""Which sentence opens the toy lab? How each metric differs from the human, and what to ask of it."""

from __future__ import annotations

from warnings import catch_warnings

import tiekit as tk
from tiekit.figures import epsilons
from ui.link import link
from ui.toy_lab import inputs
from ui.work.text import count_noun, plain

GENERAL = "Change a score and watch every coefficient: the variants of Kendall's τ differ in how they treat **ties**."


def sentence() -> str:
    """Return the lead of the page as Markdown, computed from the scores that it is about to show."""
    try:
        human, metrics, thresholds = _scores()
        with catch_warnings(action="ignore", category=tk.NearTieWarning):  # the drawer says it
            counts = {name: tk.count_pairs(human, scores, epsilon=thresholds[name]) for name, scores in metrics.items()}
    except (tk.InputError, ValueError):
        return GENERAL
    if len(counts) == 1:
        [(name, found)] = counts.items()
        right = found.concordant + found.ties_both
        return (
            f"**{plain(name)}** orders or ties {right} of {count_noun(found.total, 'pair')} as the human does. "
            "Change a score: which coefficients notice?"
        )
    if len(counts) == 2:
        told = " ".join(f"**{plain(name)}** {_differs(found)}." for name, found in counts.items())
        return f"{told} Which is better?"
    told = "; ".join(f"**{plain(name)}** {_differs(found)}" for name, found in counts.items())
    return f"{told}. Which coefficients agree on the best?"


def _differs(found: tk.PairCounts) -> str:
    """How a metric differs from the human, without saying what is worse: pairs that it swaps, and its ties."""
    swaps = {0: "none", 1: "one pair"}.get(found.discordant, f"{found.discordant} pairs")
    words, ties = f"swaps {swaps}", found.ties_metric + found.ties_both
    if found.ties_human:
        words += f"{', but' if not found.discordant else ' and'} "
        words += "never ties" if not ties else f"orders {count_noun(found.ties_human, 'pair')} that the human ties"
    if found.ties_metric:
        words += f", and ties {count_noun(found.ties_metric, 'pair')} that the human orders"
    return words


def _scores() -> tuple[list[float], dict[str, list[float]], dict[str, float]]:
    """The lines as typed, with the threshold of each metric, or as the link or the first example fills them."""
    usual = inputs.first_lines()

    def text(key: str) -> str:
        return str(link.of_page().value(key, usual.get(key, "")) or "")

    human = tk.parse_vector(text("h"))
    slots = range(1, inputs.NUMBERS.index(text("metrics")) + 2)
    lines = {text(f"name{slot}").strip() or f"m{slot}": slot for slot in slots}
    metrics = {name: tk.parse_vector(text(f"m{slot}")) for name, slot in lines.items()}
    chosen = inputs.metric_of_line(lines, text("eps_of"))
    return human, metrics, epsilons(metrics, float(text("eps")), chosen)
