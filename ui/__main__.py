"""Run the app: ``python -m ui``, in a wheel ``-m tiekit_app``, with options of ``streamlit run``; see `ui.server`."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent

if __name__ == "__main__":
    sys.path.insert(0, str(HERE if (HERE / "ui").is_dir() else HERE.parent))  # the app imports its own code as `ui`
    from ui import server

    server.run(sys.argv[1:])
