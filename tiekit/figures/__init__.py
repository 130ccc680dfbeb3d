"""What moves under one's hand? Figures for notebooks and pages that compute small examples in the browser.

`TieLab` shows what every coefficient makes of a few scores while one drags them, `CalibrationExplorer` what a threshold
makes of the pairs, `NaNExplorer` where a coefficient is undefined and which metric wins by what is done with it,
`SwapExplorer` how far two metrics differ when their scores are swapped, by hand or at random. The figures of
``explorers.py`` have no results of their own. Each figure is an anywidget: it stands as the last line of a cell in
JupyterLab, Notebook 7, VS Code, Colab or marimo, its state is its traits, which Python reads and sets, and it goes on
moving in a saved notebook or an exported page without the kernel that made it. ``to_html`` writes it as a page of its
own. They need ``pip install 'tiekit[notebook]'``.

The widgets are public, as `tiekit.widgets`. The other names here are inner and serve the app: the table of figures
(`FIGURES`), and what pages take from a figure's data. To add a figure, add a folder, and its row in ``figures.py``.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)  # the table of names is __init__.pyi
