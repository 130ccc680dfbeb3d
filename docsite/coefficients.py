"""What is each coefficient? Formula, 3×3 table, what it rewards, where it is undefined: from the registry."""

from __future__ import annotations

from docsite import mathml, texts
from tiekit import correlate
from tiekit.core import COEFFICIENTS, KIND_STYLE, KINDS, SYMBOLS, Coefficient, PairCounts, count_pairs

HUMAN = [0, 0, 0, 0, 1, 2]
METRICS = {"m1": [0, 0, 0, 0, 2, 1], "m2": [0, 1, 2, 3, 4, 5]}
"""The example of Figure 2 of Deutsch et al. (2023)."""

_ORDERS = ("<", "=", ">")
_EFFECTS = {
    "rewards": "raises the value",
    "punishes": "lowers the value, as an error does",
    "no credit": "earns nothing, but is counted",
    "ignores": "is not counted at all",
}


def overview() -> str:
    """Write one row per coefficient of pairs: what a pair of each kind does to it, and its range."""
    heads = ["coefficient", *(f"{KIND_STYLE[kind][2]} ({_low(name)})" for kind, name in _kinds()), "range"]
    rows = []
    for entry in COEFFICIENTS.values():
        if entry.formula:
            effects = [entry.effect(kind) for kind in KINDS]
            rows.append([f"[{_low(entry.label)}](#{entry.name})", *effects, _range(entry).replace(" ", "&nbsp;")])
    return texts.table(heads, rows)


def sections() -> str:
    """Write one section per coefficient, in the order of the registry."""
    return "\n\n".join(_section(entry) for entry in COEFFICIENTS.values())


def _section(entry: Coefficient) -> str:
    parts = [f"## {_low(entry.label)} {{ #{entry.name} }}", _use(entry)]
    if entry.formula is not None:
        parts.append(mathml.display(entry.label, entry.formula))
    if entry.printed is not None:
        parts.append("Table 1 of Deutsch et al. (2023) prints another formula, whose values differ:")
        parts.append(mathml.display(entry.label, entry.printed))
    parts += ["**What it rewards.** " + _rewards(entry), _three_by_three(entry), f"**Undefined** if {entry.undefined}."]
    parts += [
        _calibration(entry),
        _example(entry),
        f"**Source.** {entry.reference}",
        f"<!-- picture: coefficient_{entry.name} -->",
    ]
    return "\n\n".join(part for part in parts if part)


def _use(entry: Coefficient) -> str:
    name = f"In code: `{entry.name}`. Values range from {_range(entry)}; higher is better."
    return f"{name} WMT's metrics task used it at segment level in {_years(entry)}." if entry.years else name


def _rewards(entry: Coefficient) -> str:
    """Say what a pair of each kind does, kinds of one effect together."""
    if entry.formula is None:
        same = "the scores" if entry.name == "pearson" else "the ranks of the scores (tied scores share a rank)"
        return f"It measures how close {same} of human and metric are to a rising line. It does not count pairs."
    said = []
    for effect, words in _EFFECTS.items():
        kinds = [f"{KIND_STYLE[kind][2]} ({_low(name)})" for kind, name in _kinds() if entry.effect(kind) == effect]
        if kinds:
            said.append(f"A pair that is {' or '.join(kinds)} {words}.")
    return " ".join(said)


def _calibration(entry: Coefficient) -> str:
    if not entry.takes_epsilon:
        return "**Calibration.** It knows no ties of the metric, so there is no threshold to find."
    if entry.handles_ties:
        return "**Calibration.** It rewards correct ties, so tie calibration is made for it."
    return (
        "**Calibration.** It does not reward correct ties, so `tk.calibrate` finds a threshold that may exploit this, "
        "and raises a `CalibrationWarning`."
    )


def _three_by_three(entry: Coefficient) -> str:
    if entry.formula is None:
        return ""
    if entry.table is None:
        return "No 3×3 table gives it, because its denominator is not a number of pairs."
    heads = ["", *(f"metric {order}" for order in _ORDERS)]
    rows = [
        [f"**human {order}**", *("X" if cell is None else str(cell).replace("-", "−") for cell in cells)]
        for order, cells in zip(_ORDERS, entry.table, strict=True)
    ]
    told = "The value is the sum of the weights of all pairs, divided by the number of pairs whose weight is not X."
    return f"{told}\n\n{texts.table(heads, rows)}"


def _example(entry: Coefficient) -> str:
    """Evaluate the example, with the numbers put into the formula."""
    if entry.formula is None:
        values = [f"{correlate(HUMAN, scores, entry.name).value:.3f} for {name}" for name, scores in METRICS.items()]
        return f"**Example.** In [the example](#the-example) the value is {' and '.join(values)}."
    lines = ["**Example.** In [the example](#the-example):"]
    for name, scores in METRICS.items():
        counts = count_pairs(HUMAN, scores)
        shown = f"{entry.value(counts):.3f}".replace("-", "−")
        lines.append(mathml.display(entry.label, entry.formula, _numbers(counts), shown, f"of {name}"))
    return "\n\n".join(lines)


def example_counts() -> str:
    """Write the scores of the example and their counts as a table."""
    rows = [
        [f"metric {name}", " ".join(map(str, scores)), *_numbers(count_pairs(HUMAN, scores)).values()]
        for name, scores in METRICS.items()
    ]
    return texts.table(["", "scores", *map(_low, SYMBOLS)], [["human", " ".join(map(str, HUMAN)), *[""] * 7], *rows])


def _numbers(counts: PairCounts) -> dict[str, str]:
    return {name: str(int(number)) for name, number in zip(SYMBOLS, counts.row, strict=True)}


def _kinds() -> list[tuple[str, str]]:
    """Return the kinds of pairs, each with its symbol."""
    return list(zip(KINDS, SYMBOLS, strict=False))


def _low(name: str) -> str:
    base, _, below = name.partition("_")
    return f"{base}<sub>{below}</sub>" if below else base


def _range(entry: Coefficient) -> str:
    low, high = (f"{end:g}".replace("-", "−") for end in entry.range)
    return f"{low} to {high}"


def _years(entry: Coefficient) -> str:
    return ", ".join(str(first) if first == last else f"{first}–{last}" for first, last in entry.years)
