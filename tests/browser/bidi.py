"""A Firefox, driven by WebDriver BiDi: the protocol that it speaks by itself, without geckodriver."""

from __future__ import annotations

import base64
import itertools
import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

NAMES = ("firefox", "firefox-esr")
MAC_PROGRAM = "/Applications/Firefox.app/Contents/MacOS/firefox"
LISTENS = re.compile(r"WebDriver BiDi listening on (ws://\S+)")


def find_firefox() -> str | None:
    """The path of a Firefox, $TIEKIT_FIREFOX before all others; None if there is none."""
    found = (os.environ.get("TIEKIT_FIREFOX"), *map(shutil.which, NAMES), shutil.which(MAC_PROGRAM))
    return next(filter(None, found), None)


class Firefox:
    """One tab of a running Firefox, and the errors on its console."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._ids = itertools.count(1)
        self.errors: list[str] = []
        self.send("session.new", capabilities={})
        self.send("session.subscribe", events=["log.entryAdded"])
        self._tab = self.send("browsingContext.create", type="tab")["context"]

    def send(self, method: str, **params: Any) -> Any:
        """Send a command and wait for its result."""
        number = next(self._ids)
        self._connection.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            answer = json.loads(self._connection.recv(timeout=120))
            if answer.get("method") == "log.entryAdded" and answer["params"]["level"] == "error":
                self.errors.append(f"{answer['params']['text']} {answer['params'].get('source', {})}")
            if answer.get("id") == number:
                assert answer["type"] == "success", f"{method}: {answer.get('message')}"
                return answer["result"]

    def size(self, width: int, height: int) -> None:
        """Make the window's inside so large."""
        self.send("browsingContext.setViewport", context=self._tab, viewport={"width": width, "height": height})

    def visit(self, url: str) -> None:
        """Open a page and wait until it is loaded."""
        self.send("browsingContext.navigate", context=self._tab, url=url, wait="complete")

    def back(self) -> None:
        """Go back one page, as the button does."""
        self.send("browsingContext.traverseHistory", context=self._tab, delta=-1)

    def evaluate(self, expression: str) -> Any:
        """The value of an expression of JavaScript, as JSON carries it; a promise is waited for."""
        text = f"(async () => JSON.stringify(await ({expression})))()"
        found = self.send("script.evaluate", expression=text, target={"context": self._tab}, awaitPromise=True)
        assert found["type"] == "success", found["exceptionDetails"]["text"]
        return json.loads(found["result"].get("value", "null"))

    def wait_for(self, expression: str, patience: float = 60) -> Any:
        """Wait until an expression is true, and return its value."""
        deadline = time.monotonic() + patience
        while not (found := self.evaluate(expression)):
            assert time.monotonic() < deadline, f"in {patience} s it never held: {expression}"
            time.sleep(0.05)
        return found

    def drag(self, *points: tuple[float, float]) -> None:
        """Press the mouse on the first point of the window, move it over the others and release it on the last."""
        steps = [{"type": "pointerMove", "x": round(x), "y": round(y), "duration": 50} for x, y in points]
        actions = [steps[0], {"type": "pointerDown", "button": 0}, *steps[1:], {"type": "pointerUp", "button": 0}]
        source = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions}
        self.send("input.performActions", context=self._tab, actions=[source])

    def screenshot(self, file: Path) -> None:
        """Write what the window shows, as a PNG."""
        file.write_bytes(base64.b64decode(self.send("browsingContext.captureScreenshot", context=self._tab)["data"]))


@contextmanager
def firefox(program: str, folder: Path) -> Iterator[Firefox]:
    """Start a Firefox whose profile is in a folder, and end it afterwards."""
    log, profile = folder / "firefox.log", folder / "profile"
    profile.mkdir()
    command = [program, "--headless", "--no-remote", "--remote-debugging-port=0", "--profile", str(profile)]
    with log.open("wb") as out:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out)
    try:
        with connect(f"{_address(process, log)}/session", max_size=2**26) as connection:
            yield Firefox(connection)
    finally:
        process.terminate()
        process.wait(30)


def _address(process: subprocess.Popen[bytes], log: Path) -> str:
    """Where a Firefox that has just been started listens."""
    deadline = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < deadline:
        if found := LISTENS.search(log.read_text(errors="replace")):
            return found[1]
        time.sleep(0.05)
    raise AssertionError(f"Firefox did not start:\n{log.read_text(errors='replace')}")
