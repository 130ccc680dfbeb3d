"""A class without browsers: sessions over WebSocket that rerun a page at the same instant."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from tests.browser import kit


@dataclass
class Seat:
    """One session: how long its last run took, the headings it brought, buttons, and what ever went wrong."""

    socket: ClientConnection
    seconds: float = 0.0
    headings: list[str] = field(default_factory=list)
    buttons: dict[str, str] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)

    async def run(self, page: str, press: str = "", **link: str) -> None:
        """Run a page as a browser asks for it, for a link or a button pressed, and wait for its end."""
        message = BackMsg()
        if press:
            message.rerun_script.widget_states.widgets.add(id=self.buttons[press], trigger_value=True)
        message.rerun_script.query_string = urlencode(link)
        message.rerun_script.page_name = page
        self.headings, begun, start = [], False, time.monotonic()
        await self.socket.send(message.SerializeToString())
        while True:
            answer = ForwardMsg.FromString(await self.socket.recv())
            kind, element = answer.WhichOneof("type"), answer.delta.new_element
            begun |= kind == "new_session"
            if element.WhichOneof("type") == "heading":
                self.headings.append(element.heading.body)
            if element.WhichOneof("type") == "button":
                self.buttons[element.button.label] = element.button.id
            if element.WhichOneof("type") == "exception":
                self.errors.append(element.exception.message)
            if kind == "script_finished" and begun:
                assert answer.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY
                self.seconds = time.monotonic() - start
                return


@dataclass
class Classroom:
    """Seats of one server."""

    server: kit.Address
    seats: Sequence[Seat]

    async def all_run(self, page: str, links: Sequence[dict[str, str]]) -> list[float]:
        """Every seat runs a page at the same instant, with its own link; seconds by seat."""
        await asyncio.gather(*(seat.run(page, **link) for seat, link in zip(self.seats, links, strict=True)))
        assert not [seat.errors for seat in self.seats if seat.errors]
        return [seat.seconds for seat in self.seats]

    def memory(self) -> int:
        """Resident memory of the server in MB."""
        assert isinstance(self.server, kit.Server)
        status = Path(f"/proc/{self.server.process.pid}/status").read_text()
        return int(re.findall(r"VmRSS:\s+(\d+) kB", status)[0]) // 1024


def hold(server: kit.Address, number: int, lesson: Callable[[Classroom], Awaitable[Any]]) -> Any:
    """A lesson with so many sessions of a server; in a thread, as Playwright may hold this one's event loop."""
    url = server.url.replace("http", "ws") + "/_stcore/stream"

    async def class_hour() -> Any:
        async with AsyncExitStack() as stack:
            seats = []
            for _ in range(number):
                socket = connect(url, subprotocols=[Subprotocol("streamlit")], max_size=None, ping_interval=None)
                seats.append(Seat(await stack.enter_async_context(socket)))
            return await lesson(Classroom(server, seats))

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, class_hour()).result()


def percentile_95(seconds: Sequence[float]) -> float:
    """What 95 of 100 do not exceed."""
    return sorted(seconds)[round(0.95 * (len(seconds) - 1))]
