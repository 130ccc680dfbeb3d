"""The sample as the page opens it."""

import pytest

import tiekit as tk
from ui.work.presets import DATA


@pytest.fixture(scope="module")
def sample():
    return tk.read_mtme(DATA, "synthetic", "qaa-qab")
