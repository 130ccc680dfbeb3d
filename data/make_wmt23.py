"""Write data/papers/wmt23_official.csv and wmt24_on_wmt23.csv: the tasks of WMT23, and those of WMT24 on its test sets.

Everything is computed from the public scores, which lie in github.com/wmt-conference/ErrorSpanAnnotation in the layout
of mt-metrics-eval. Run it from the root of the repository with the folder that holds wmt23:

    python data/make_wmt23.py ErrorSpanAnnotation/data/mt-metrics-eval-v2
"""

import sys
from pathlib import Path

import pandas as pd

import tiekit as tk

PAPERS = Path(__file__).parent / "papers"
FILES = {"wmt23": "wmt23_official.csv", "wmt24_on_wmt23": "wmt24_on_wmt23.csv"}
SOURCE = "data/make_wmt23.py, from github.com/wmt-conference/ErrorSpanAnnotation: data/mt-metrics-eval-v2/wmt23"


def table(root: Path, preset: str) -> pd.DataFrame:
    """Return averages and tasks of a preset, one row per metric, the best first."""
    found = tk.official_ranking(root, preset, compare=False).to_frame().drop(columns=["rank", "cluster"])
    found.index = pd.Index([name.lstrip("_*").removesuffix("[noref]") for name in found.index], name="metric")
    return found.assign(source=SOURCE)


def main(root: str) -> None:
    """Compute and write both tables."""
    for preset, name in FILES.items():
        table(Path(root), preset).to_csv(PAPERS / name, float_format="%.6f")


if __name__ == "__main__":
    main(*sys.argv[1:])
