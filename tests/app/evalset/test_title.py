from dataclasses import replace

import tiekit as tk
from ui.evalset.sources import title
from ui.work.presets import DATA


def test_a_long_name_is_cut_in_a_title():
    data = tk.read_mtme(DATA, "synthetic", "qaa-qab")
    assert title(data) == r"synthetic qaa\-qab"
    assert len(title(replace(data, name=5000 * "a"))) < 100
