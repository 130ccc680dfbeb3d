"""What tests ask of a figure: can its colors be told apart, which columns does it draw? And what several draw."""

import tiekit as tk

ROWS = [
    ("ann", "1", {"A": 1, "B": 2, "C": 3}),
    ("bob", "1", {"A": 2, "B": 1, "C": 3}),
    ("eve", "1", {"A": 1, "B": 2, "C": 2}),
    ("eve", "2", {"A": 1, "B": 2}),
]
RANKINGS = tk.judgments.Rankings.from_rows(ROWS, language_pair="de-en")
PREFERENCES = RANKINGS.preferences("keep")
METRICS = ("GEMBA", "GEMBA-2", "GEMBA + noise", "GEMBA-2 + noise", "COMET")
KINDS = ("discrete", "discrete", "sentinel", "sentinel", "continuous")


def luminance(color):
    """Relative luminance of #rrggbb, WCAG 2.2."""
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def encodings(part):
    """Every dict with a field, wherever it stands."""
    if isinstance(part, dict):
        if "field" in part:
            yield part
        for value in part.values():
            yield from encodings(value)
    elif isinstance(part, list):
        for value in part:
            yield from encodings(value)


def bias():
    outputs = {"A": ("x", "xx", "xxxx"), "B": ("xxx", "xxxx", "x" * 9)}
    scores = {"h": [[0, 0, -1], [0, -5, -9]]}, {"m": [[0.9, 0.8, 0.2], [0.7, 0.6, 0.1]]}
    data = tk.EvalSet("toy", "", ("A", "B"), ("1", "2", "3"), *scores, outputs=outputs)
    return tk.sentinels.length_bias(data, "m", bins=2)
