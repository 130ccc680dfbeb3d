"""A server that is killed and started again at the same address, as after a crash."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Page

from tests.browser import kit

ROOT = Path(__file__).parents[2]
TABLE = b"system,segment,mqm,BLEU\n" + b"".join(
    b"%c,%d,%d,%d\n" % (system, segment, (segment * 7 + place) % 4, (segment * 5 + 3 * place) % 11)
    for place, system in enumerate(b"ABCD")
    for segment in range(20)
)
"""What a visitor uploads: 4 systems × 20 segments."""


class Mortal:
    """A server of the app that one test has for itself."""

    def __init__(self, log: Path) -> None:
        self._log = log
        self._logs: list[str] = []
        self._server = kit.start(kit.APP, ROOT, log)
        self._wait()

    @property
    def url(self) -> str:
        """Where it answers, also after it was started again."""
        return self._server.url

    def kill(self) -> None:
        """End it at once, as SIGKILL does: nothing is said, nothing is saved."""
        self._server.process.kill()
        self._server.process.wait()
        self._logs.append(self._server.log())

    def start(self) -> None:
        """Start it again at the same address."""
        self._server = kit.start(kit.APP, ROOT, self._log, port=urlsplit(self.url).port)
        self._wait()

    def _wait(self) -> None:
        """Wait until it answers; one that does not is not left behind."""
        if not kit.healthy(self._server):
            self.stop()
            raise AssertionError(self._server.log())

    def restart(self) -> None:
        """Kill it, and start it again."""
        self.kill()
        self.start()

    def log(self) -> str:
        """All that it has printed, in every life."""
        return "\n".join([*self._logs, self._server.log()])

    def stop(self) -> None:
        """End it as a terminal does."""
        kit.stop(self._server)


@contextmanager
def mortal(log: Path) -> Iterator[Mortal]:
    """A server that may be killed; it is gone afterwards, and no life of it has printed a traceback."""
    server = Mortal(log)
    try:
        yield server
    finally:
        server.stop()
    assert "Traceback" not in server.log(), server.log()[-3000:]


def back(page: Page) -> Page:
    """Wait until a page has found its server again, and shows neither a traceback nor an alarm."""
    kit.settled(page, patience=120_000)
    kit.no_exception_box(page)
    return page
