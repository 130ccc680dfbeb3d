"""Which figures of a page move? Pages that tiekit.widgets write; each needs no server, and stands in an iframe.

The code of a figure is what the gallery shows, and what makes it here.
"""

from __future__ import annotations

import contextlib
import inspect
import pathlib
import warnings
from functools import cache
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import tiekit as tk
from tiekit.figures import Widget, podium_page

HEIGHT = """<script>
const tell = () => parent.postMessage({ tiekitHeight: document.body.scrollHeight }, "*");
new ResizeObserver(tell).observe(document.body);
addEventListener("message", tell);
</script>
</body>"""
"""How high a figure is, told to the page around it, which may not look into it where both are opened from a folder."""


class Live(NamedTuple):
    """A figure: its class, what heads its frame, the height in pixels until it tells its own, and the code of it."""

    kind: str
    title: str
    height: int
    code: str


WMT22 = 'data = tk.load("wmt22", "zh-en")\n'
SYNTHETIC = 'data = tk.load("synthetic", "qaa-qab")\n'
FIGURES = {
    "podium": Live("Podium", "How one threshold decides which metric wins", 560, "tk.widgets.Podium()"),
    "tie_lab": Live(
        "TieLab",
        "Pairs, counts and coefficients of two metrics",
        1150,
        'metrics = {"m1": [0, 0, 0, 0, 2, 1], "m2": [0, 1, 2, 3, 4, 5]}\n'
        "tk.widgets.TieLab([0, 0, 0, 0, 1, 2], metrics)",
    ),
    "calibration_wmt22": Live(
        "CalibrationExplorer",
        "acc_eq of COMET-22 over the threshold ε, on WMT22 zh-en",
        900,
        WMT22 + 'tk.calibrate(data, "COMET-22").explore()',
    ),
    "calibration": Live(
        "CalibrationExplorer",
        "A coefficient over the threshold ε, for a few scores of your own table",
        900,
        'table = "system,segment,human,mine\\nA,1,0,.1\\nB,1,0,.3\\nC,1,1,.2\\nD,1,1,.6\\nE,1,2,.7\\nF,1,3,1.4\\n"\n'
        'pathlib.Path("scores.csv").write_text(table)  # or a file that you have\n'
        'data = tk.read("scores.csv")  # the set is named by the file: scores\n'
        'tk.widgets.CalibrationExplorer(data, "mine")',
    ),
    "undefined": Live(
        "NaNExplorer",
        "Segments on which a coefficient is undefined, on WMT22 zh-en",
        900,
        WMT22 + 'tk.widgets.NaNExplorer(data, ["MATESE", "COMET-22", "BLEU", "GEMBA-Dav3-DA"])',
    ),
    "groupings": Live(
        "GroupingExplorer",
        "Four ways to group a matrix of scores, and which metric wins by each",
        900,
        WMT22 + "# A LeftOutWarning says how many of the systems are shown.\n"
        'tk.widgets.GroupingExplorer(data, ["COMET-20", "COMET-QE"], segment=range(274, 279))',
    ),
    "ranks_by_hand": Live(
        "RankExplorer",
        "Ranks of metrics from coefficient to coefficient",
        700,
        WMT22 + 'tk.leaderboard(data, metrics=["COMET-22", "MATESE", "GEMBA-Dav3-DA", "chrF", "BLEU"]).explore()',
    ),
    "tie_shares": Live(
        "TieShareExplorer",
        "Metrics at each share of human ties, and discrete ones with noise",
        800,
        SYNTHETIC + 'tk.widgets.TieShareExplorer(data, ["Ladder", "Contour", "Haze"])',
    ),
    "swaps": Live(
        "SwapExplorer",
        "A permutation test by hand",
        900,
        'metrics = {"m1": [0, 1, 2, 2, 3, 3], "m2": [2, 0, 1, 1, 4, 3]}\n'
        "tk.widgets.SwapExplorer([0, 1, 1, 2, 3, 4], metrics)",
    ),
    "agreement": Live(
        "MeasureAgreement",
        "Which measures rank metrics alike",
        900,
        SYNTHETIC + 'tk.widgets.MeasureAgreement(data, ["Ladder", "Contour", "Haze", "Constant"])',
    ),
    "rerank": Live(
        "RankingGame",
        "Translations to rank, and judges who contradict each other",
        800,
        'judges = {"x": [1, 2, 3, 4], "y": [2, 3, 1, 4], "z": [3, 1, 2, 4]}\n'
        "tk.widgets.RankingGame(judges, [3, 4, 2, 1])",
    ),
    "humans": Live(
        "HumanRows",
        "Human scores and metrics, judged by one human score",
        700,
        SYNTHETIC + 'tk.widgets.HumanRows(data, ["Ladder", "Contour", "Haze"])',
    ),
    "judge_votes": Live(
        "JudgeVotes",
        "Two judges beside people, at any threshold for a tie",
        900,
        'votes = tk.votes.read_votes(tk.examples().path["votes"])\n'
        'tk.widgets.JudgeVotes(votes.by("person"), {name: votes.by(name) for name in ("Atlas", "Boreas")})',
    ),
}


@cache
def page(name: str) -> str:
    """Write the page of a figure: what its code makes."""
    if name == "podium":
        return with_height(podium_page())
    *before, last = FIGURES[name].code.split("\n")
    names: dict[str, Any] = {"tk": tk, "pathlib": pathlib}
    with warnings.catch_warnings(), TemporaryDirectory() as folder, contextlib.chdir(folder):
        warnings.simplefilter("ignore", tk.errors.TiekitWarning)
        exec("\n".join(before), names)
        widget: Widget = eval(last, names)
        widget.to_html("figure.html")
        return with_height(pathlib.Path("figure.html").read_text(encoding="utf-8"))


def with_height(text: str) -> str:
    """Let a page tell the page around it how high it is."""
    return text.replace("</body>", HEIGHT)


def frame(name: str, up: str) -> str:
    """Write the iframe of a figure; ``up`` leads from the page to the site's root.

    Raises
    ------
    KeyError
        If there is no such figure.
    """
    return frame_of(name, FIGURES[name].title, FIGURES[name].height, up)


def frame_of(name: str, title: str, height: int, up: str) -> str:
    """Write the iframe of a page in the folder live/."""
    address = f"{up}live/{name}.html"
    return (
        f'<iframe class="live" src="{address}" title="{title}" height="{height}" loading="lazy"></iframe>\n'
        f'<p class="live"><a href="{address}">Open this figure on a page of its own</a></p>'
    )


def gallery() -> str:
    """Write a card per figure: how it looks, what it shows, and its code; before them a list that leads to each."""
    cards = ["\n".join(f"- [{figure.title}](#{name}): `{figure.kind}`" for name, figure in FIGURES.items())]
    for name, figure in FIGURES.items():
        kind = getattr(tk.widgets, figure.kind)
        first = inspect.cleandoc(kind.__doc__).partition("\n\n")[0].replace("\n", " ")
        parts = [
            "<div markdown>",
            f"### {figure.title} {{ #{name} }}",
            f"[`{figure.kind}`](reference/tiekit.widgets.{figure.kind}.md): {first}",
            f"<!-- live: {name} -->",
            f'<p class="live"><a href="live/{name}.html" download>Download it: one file</a></p>',
            f"```python\n{figure.code}\n```",
            "</div>",
        ]
        cards.append("\n\n".join(parts))
    return "\n\n".join([cards[0], '<div class="cards" markdown>', *cards[1:], "</div>"])
