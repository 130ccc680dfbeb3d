"""A line between a browser and a server that can be cut, and that can fall silent as that of a laptop that sleeps."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit


class Line:
    """Another address of a server; what is sent there goes through here."""

    def __init__(self, target: str) -> None:
        self._target = urlsplit(target)
        self._loop = asyncio.new_event_loop()
        self._up = True
        self._open: set[asyncio.StreamWriter] = set()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._server = self._ask(asyncio.start_server(self._carry, "127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    def cut(self) -> None:
        """Close every connection, and each new one at once."""
        self._up = False

        async def close() -> None:
            for writer in list(self._open):
                writer.transport.abort()

        self._ask(close())

    def mend(self) -> None:
        """Carry again."""
        self._up = True

    def end(self) -> None:
        """Take the line down."""
        self.cut()
        self._ask(self._finish())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    def _ask(self, what):
        return asyncio.run_coroutine_threadsafe(what, self._loop).result(30)

    async def _finish(self) -> None:
        self._server.close()
        if others := asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.wait(others, timeout=10)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self._up:
            writer.transport.abort()
            return
        there, back = await asyncio.open_connection(self._target.hostname, self._target.port)
        self._open |= {writer, back}
        await asyncio.gather(self._pass(reader, back), self._pass(there, writer))
        self._open -= {writer, back}

    async def _pass(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await source.read(2**16):
                sink.write(data)
                await sink.drain()
        sink.close()


@contextmanager
def line(target: str) -> Iterator[Line]:
    """A line to a server, until the end of the block."""
    made = Line(target)
    try:
        yield made
    finally:
        made.end()
