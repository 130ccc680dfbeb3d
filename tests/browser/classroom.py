"""A class without browsers: sessions over WebSocket that rerun a page at the same instant."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.web.server.starlette.starlette_app_utils import generate_xsrf_token_string
from streamlit.web.server.starlette.starlette_server_config import XSRF_COOKIE_NAME
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from tests.browser import kit


@dataclass
class Seat:
    """One session: how long its last step took, what it brought, what can be used, what ever went wrong or was told."""

    socket: ClientConnection
    url: str
    cookie: str = ""
    seconds: float = 0.0
    headings: list[str] = field(default_factory=list)
    buttons: dict[str, str] = field(default_factory=dict)
    downloads: dict[str, str] = field(default_factory=dict)
    uploaders: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    toasts: list[str] = field(default_factory=list)
    session: str = ""
    pages: dict[str, str] = field(default_factory=dict)

    async def run(self, page: str, press: str = "", *, is_history: bool = False, **link: str) -> None:
        """Run a page as a browser asks for it, for a link or a button pressed, and wait for its end.

        A page that was open before keeps what was chosen, whatever the link says, but for the browser's history.
        """
        start, message = time.monotonic(), BackMsg()
        if press:
            message.rerun_script.widget_states.widgets.add(id=self.buttons[press], trigger_value=True)
        message.rerun_script.is_history_navigation = is_history
        await self._rerun(message, page, link)
        self.seconds = time.monotonic() - start

    async def upload(self, page: str, name: str, content: bytes, **link: str) -> None:
        """Give the first uploader of a page, which has run with this link, a file, and wait for what the page says."""
        start, message = time.monotonic(), BackMsg()
        message.file_urls_request.request_id, message.file_urls_request.session_id = "upload", self.session
        message.file_urls_request.file_names.append(name)
        place = (await self._ask(message, "file_urls_response")).file_urls_response.file_urls[0]
        token = generate_xsrf_token_string()
        headers = {"X-Xsrftoken": token, "Cookie": f"{XSRF_COOKIE_NAME}={token}; {self.cookie}"}
        await asyncio.to_thread(_put, self.url + place.upload_url, name, content, headers)
        message = BackMsg()
        state = message.rerun_script.widget_states.widgets.add(id=self.uploaders[0]).file_uploader_state_value
        state.uploaded_file_info.add(name=name, size=len(content), file_id=place.file_id, file_urls=place)
        await self._rerun(message, page, link)
        self.seconds = time.monotonic() - start

    async def download(self, label: str) -> bytes:
        """What a button of the page downloads."""
        start, message = time.monotonic(), BackMsg()
        message.backend_operation_request.request_id = "download"
        message.backend_operation_request.session_id = self.session
        message.backend_operation_request.deferred_file.file_id = self.downloads[label]
        answer = (await self._ask(message, "backend_operation_response")).backend_operation_response
        content = await asyncio.to_thread(_get, self.url + answer.deferred_file.url, {"Cookie": self.cookie})
        self.seconds = time.monotonic() - start
        return content

    async def _rerun(self, message: BackMsg, page: str, link: dict[str, str]) -> None:
        message.rerun_script.query_string = urlencode(link)
        message.rerun_script.page_name, message.rerun_script.page_script_hash = page, self.pages.get(page, "")
        self.headings, self.buttons, self.downloads, self.uploaders = [], {}, {}, []
        begun = False
        await self.socket.send(message.SerializeToString())
        while True:
            answer = ForwardMsg.FromString(await self.socket.recv())
            kind = answer.WhichOneof("type")
            if kind == "new_session":
                begun, self.session = True, answer.new_session.initialize.session_id
            if kind == "navigation":
                self.pages = {known.url_pathname: known.page_script_hash for known in answer.navigation.app_pages}
            if kind == "delta":
                self._see(answer.delta.new_element)
            if kind == "script_finished" and begun:
                assert answer.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY
                return

    def _see(self, element: Element) -> None:
        match element.WhichOneof("type"):
            case "heading":
                self.headings.append(element.heading.body)
            case "button":
                self.buttons[element.button.label] = element.button.id
            case "download_button":
                self.downloads[element.download_button.label] = element.download_button.deferred_file_id
            case "file_uploader":
                self.uploaders.append(element.file_uploader.id)
            case "exception":
                self.errors.append(element.exception.message)
            case "toast":
                self.toasts.append(element.toast.body)

    async def _ask(self, message: BackMsg, kind: str) -> ForwardMsg:
        await self.socket.send(message.SerializeToString())
        while True:
            answer: ForwardMsg = ForwardMsg.FromString(await self.socket.recv())
            if answer.WhichOneof("type") == kind:
                return answer


def _put(url: str, name: str, content: bytes, headers: dict[str, str]) -> None:
    """Send a file as a browser's form does."""
    head = f'--tiekit\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode()
    form = {"Content-Type": "multipart/form-data; boundary=tiekit"} | headers
    _open(Request(url, head + content + b"\r\n--tiekit--\r\n", form, method="PUT"))


def _get(url: str, headers: dict[str, str]) -> bytes:
    return _open(Request(url, headers=headers))


def _open(request: Request) -> bytes:
    with urlopen(request, timeout=120) as answer:
        content: bytes = answer.read()
    return content


def _cookie(url: str) -> str:
    """What a proxy gives a new visitor, by which it knows his process; empty without a proxy."""
    with urlopen(f"{url}/_stcore/health", timeout=120) as answer:
        cookies = [cookie.partition(";")[0] for cookie in answer.headers.get_all("Set-Cookie", [])]
    return "; ".join(cookie for cookie in cookies if not cookie.startswith(XSRF_COOKIE_NAME))


@dataclass
class Classroom:
    """Seats of one server, or of several processes."""

    servers: Sequence[kit.Address]
    seats: Sequence[Seat]

    async def all_run(self, page: str, links: Sequence[dict[str, Any]]) -> list[float]:
        """Every seat runs a page at the same instant, with its own link; seconds by seat."""
        await asyncio.gather(*(seat.run(page, **link) for seat, link in zip(self.seats, links, strict=True)))
        assert not [seat.errors for seat in self.seats if seat.errors]
        return [seat.seconds for seat in self.seats]

    def memory(self) -> int:
        """Resident memory of all processes in MB."""
        held = 0
        for server in self.servers:
            assert isinstance(server, kit.Server)
            status = Path(f"/proc/{server.process.pid}/status").read_text()
            held += int(re.findall(r"VmRSS:\s+(\d+) kB", status)[0])
        return held // 1024


@asynccontextmanager
async def take_seat(url: str, session: str = "") -> AsyncIterator[Seat]:
    """A new session of a server, or one that lost its connection; it is gone afterwards."""
    cookie = await asyncio.to_thread(_cookie, url)
    async with connect(
        url.replace("http", "ws") + "/_stcore/stream",
        subprotocols=[Subprotocol(one) for one in ("streamlit", *(["none", session] * bool(session)))],
        max_size=None,
        ping_interval=None,
        additional_headers={"Cookie": cookie} if cookie else None,
    ) as socket:
        yield Seat(socket, url, cookie)


def hold(server: kit.Address, number: int, lesson: Callable[[Classroom], Awaitable[Any]], *others: kit.Address) -> Any:
    """A lesson with so many sessions of a server; in a thread, as Playwright may hold this one's event loop.

    If the server is a proxy, ``others`` are the processes behind it.
    """

    async def class_hour() -> Any:
        async with AsyncExitStack() as stack:
            seats = [await stack.enter_async_context(take_seat(server.url)) for _ in range(number)]
            return await lesson(Classroom(others or [server], seats))

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, class_hour()).result()


def percentile_95(seconds: Sequence[float]) -> float:
    """What 95 of 100 do not exceed."""
    return sorted(seconds)[round(0.95 * (len(seconds) - 1))]
