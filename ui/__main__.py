"""Run the app: ``python -m ui``, with any options of ``streamlit run``.

A Streamlit server loads a page's code when somebody opens it. Here all pages are loaded and the counting loops are
compiled before the server answers, and the evaluation set that opens first is read and computed, see `ui.prepare`.
Otherwise the first visitor waits some seconds longer than the others.
"""

import sys
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import ui
from tiekit.warm_up import warm_up
from ui import guard, prepare, preview
from ui.work import heap, streamlit_internals

APP = Path(__file__).parents[1] / "app.py"

if __name__ == "__main__":
    heap.share()
    for module in walk_packages(ui.__path__, "ui."):
        import_module(module.name)
    warm_up()
    prepare.start()
    streamlit_internals.serve(APP, sys.argv[1:], guard.Guard, preview.Preview)
