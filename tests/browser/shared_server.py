"""One server of the app for all test processes: the first that needs it starts it, the last that used it ends it."""

from __future__ import annotations

import fcntl
import json
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.browser import kit

STARTED: dict[int, kit.Server] = {}
"""The servers that this process has started; another one may end them."""


@contextmanager
def shared(script: Path, folder: Path, place: Path) -> Iterator[kit.Address]:
    """Use the server whose processes have this place in common; arguments as for `kit.serve`.

    It computes what tests ask for alone: what `make app` prepares of WMT22 takes seven seconds, most of it for nobody.
    """
    place.mkdir(exist_ok=True)
    log_file = place / "streamlit.log"
    with _known(place) as known:
        if not known:
            server = kit.begin(script, folder, log_file, is_prepared=False)
            STARTED[server.process.pid] = server
            known |= {"url": server.url, "pid": server.process.pid, "users": 0}
        known["users"] += 1
        url, pid = known["url"], known["pid"]
    try:
        yield kit.Address(url, log_file)
    finally:
        with _known(place) as known:
            known["users"] -= 1
            if not known["users"]:
                known.clear()
                if pid in STARTED:
                    kit.stop(STARTED.pop(pid))
                else:
                    os.kill(pid, signal.SIGTERM)


@contextmanager
def _known(place: Path) -> Iterator[dict[str, Any]]:
    """What is known of the server, which no other process changes meanwhile; empty where there is none."""
    with (place / "server.json").open("a+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        known: dict[str, Any] = json.loads(file.read() or "{}")
        yield known
        file.seek(0)
        file.truncate()
        json.dump(known, file)
