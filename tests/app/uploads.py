"""Files of a visitor's own: a table, and how a test chooses files on a page."""

from __future__ import annotations

import numpy as np

from ui.evalset import sources


def table_of(n_systems=4, n_segments=12, *, sign=1.0):
    """A long table with a good metric, as bytes."""
    rng = np.random.default_rng(1)
    human = rng.integers(0, 4, (n_systems, n_segments))
    rows = [
        f"s{i},{j},{human[i, j]},{sign * human[i, j] + rng.random():.3f},{rng.random():.3f}"
        for i in range(n_systems)
        for j in range(n_segments)
    ]
    return "\n".join(["system,segment,human,good,noise", *rows]).encode()


def upload(app, layout, *files, folder=False):
    """Choose files as a visitor does; their format is recognized, unless a layout is named."""
    app.selectbox(key="source").select(sources.FILES).run()
    if layout is not None:
        app.selectbox(key="layout").select(layout).run()
    for name, content in files:
        app.file_uploader(key="upload folder" if folder else "upload files").upload(name, content)
    app.run()
    assert not app.exception
