"""Which sentence opens the toy lab? How many pairs each metric gets wrong, and what to look for."""

from __future__ import annotations

from warnings import catch_warnings

import tiekit as tk
from ui.base.text import count_noun, plain
from ui.link import link
from ui.toy_lab import input

GENERAL = "Change a score and watch every coefficient: the variants of Kendall's τ differ in how they treat **ties**."


def sentence() -> str:
    """Return the lead of the page as Markdown, computed from the scores that it is about to show."""
    try:
        human, metrics, epsilon = _scores()
        with catch_warnings(action="ignore", category=tk.NearTieWarning):  # the drawer says it
            counts = {name: tk.count_pairs(human, scores, epsilon=epsilon) for name, scores in metrics.items()}
    except (tk.InputError, ValueError):
        return GENERAL
    wrong = {name: found.total - found.concordant - found.ties_both for name, found in counts.items()}
    (best, fewest), *others = sorted(wrong.items(), key=lambda item: item[1])
    if not others:
        pairs = count_noun(counts[best].total, "pair")
        return f"**{plain(best)}** gets {fewest} of {pairs} wrong. Change a score: which coefficients notice?"
    worse, most = others[-1]
    if most == fewest:
        return f"Every metric makes {count_noun(most, 'mistake')}. Which coefficients prefer one of them?"
    totals = {found.total for found in counts.values()}
    if len(others) > 1 or len(totals) > 1:
        told = ", ".join(f"**{plain(name)}** {number} of {counts[name].total}" for name, number in wrong.items())
        return f"Pairs that each metric gets wrong: {told}. Which coefficients agree?"
    return (
        f"**{plain(best)}** makes {count_noun(fewest, 'mistake')}, **{plain(worse)}** makes {most}. "
        f"Which coefficients prefer {plain(worse)}?"
    )


def _scores() -> tuple[list[float], dict[str, list[float]], float]:
    """The lines as typed, or as the link or the first example fills them."""
    usual = input.first_lines()

    def text(key: str) -> str:
        return str(link.of_page().value(key, usual.get(key, "")) or "")

    human = tk.parse_vector(text("h"))
    slots = range(1, input.NUMBERS.index(text("metrics")) + 2)
    metrics = {text(f"name{slot}").strip() or f"m{slot}": tk.parse_vector(text(f"m{slot}")) for slot in slots}
    return human, metrics, float(text("eps"))
