"""Run the app: ``python -m ui``, with any options of ``streamlit run``, see `ui.server`."""

import sys

from ui import server

if __name__ == "__main__":
    server.run(sys.argv[1:])
