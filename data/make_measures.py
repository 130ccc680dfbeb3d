"""Write data/wmt22/measures.csv: every metric of WMT22 Chinese–English by the twelve measures of Gao et al. (2024).

The app shows these values at first; computing them takes some seconds. Run it from the root of the repository.
"""

from pathlib import Path

import tiekit as tk

FILE = Path(__file__).parent / "wmt22" / "measures.csv"


def main() -> None:
    """Evaluate, and write the values in full precision under a line with the digest of the set."""
    data = tk.load_wmt22()
    values = tk.measures.evaluate_measures(data)
    FILE.write_text(f"# {data.digest}\n{values.to_csv(float_format='%.15g')}", encoding="utf-8")


if __name__ == "__main__":
    main()
