"""What tests ask of a figure: can its colors be told apart, which columns does it draw?"""


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
