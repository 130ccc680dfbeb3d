"""A class that answers, without browsers: one lecturer and many students over WebSocket, as their pages do it."""

from __future__ import annotations

import asyncio
import json
import random
import re
import secrets
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from tests.browser import kit


@dataclass
class Page:
    """One session: what its components are given, its buttons, and the fragments that rerun by themselves."""

    socket: ClientConnection
    page: str
    link: dict[str, str] = field(default_factory=dict)
    parts: dict[str, dict[str, Any]] = field(default_factory=dict)
    ids: dict[str, str] = field(default_factory=dict)
    fragments: dict[str, str] = field(default_factory=dict)
    buttons: dict[str, str] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)

    async def run(self, *, fragment: str = "", states: Sequence[tuple[str, str, str]] = (), press: str = "") -> None:
        """Run the page, or one of its fragments by the component in it, and wait for the end.

        ``states`` are a component, the field of the protocol, and JSON.
        """
        message = BackMsg()
        request = message.rerun_script
        request.query_string, request.page_name = urlencode(self.link), self.page
        request.fragment_id = self.fragments.get(fragment, "")
        for part, kind, text in states:
            name = self.ids[part] if kind == "json_value" else _events(self.ids[part])
            setattr(request.widget_states.widgets.add(id=name), kind, text)
        if press:
            request.widget_states.widgets.add(id=self.buttons[press], trigger_value=True)
        await self.socket.send(message.SerializeToString())
        while True:
            answer = ForwardMsg.FromString(await self.socket.recv())
            self._take(answer)
            if answer.WhichOneof("type") == "script_finished":
                return

    def _take(self, answer: ForwardMsg) -> None:
        element = answer.delta.new_element
        kind = element.WhichOneof("type")
        assert kind != "exception", element.exception.message
        if kind == "bidi_component":
            name = element.bidi_component.component_name
            self.parts[name] = json.loads(element.bidi_component.json or "{}")
            self.ids[name] = element.bidi_component.id
            self.fragments[name] = answer.delta.fragment_id
        elif kind == "button":
            self.buttons[element.button.label] = element.button.id
        elif kind == "markdown":
            self.texts.append(element.markdown.body)


def _events(component: str) -> str:
    """The id under which a component's triggers arrive."""
    return f"$$STREAMLIT_INTERNAL_KEY_{component}__events"


class Student(Page):
    """A student's page, which looks for the question at its own pace."""

    async def join(self) -> None:
        """Open the page, and say which browser this is."""
        await self.run()
        known = json.dumps({"browser": secrets.token_hex(16)})
        await self.run(fragment="tiekit_ballot", states=[("tiekit_ballot", "json_value", known)])

    async def follow(self, until: asyncio.Event, pace: tuple[float, float]) -> None:
        """Look for the question again and again."""
        while not until.is_set():
            await asyncio.sleep(random.uniform(*pace))
            await self.run(fragment="tiekit_ballot")

    async def answer(self) -> None:
        """Choose an option at random."""
        given = self.parts["tiekit_ballot"]
        value = {"key": given["key"], "option": random.randrange(len(given["options"]))}
        said = json.dumps([{"event": "answer", "value": value}])
        await self.run(fragment="tiekit_ballot", states=[("tiekit_ballot", "json_trigger_value", said)])


async def _answer_at(
    student: Student, at: float, pace: tuple[float, float], sent: list[float], end: asyncio.Event
) -> None:
    """A student who waits, answers, and goes on looking."""
    ready = asyncio.Event()
    asyncio.get_running_loop().call_at(at, ready.set)
    await student.follow(ready, pace)
    while "options" not in student.parts["tiekit_ballot"]:
        await student.run(fragment="tiekit_ballot")
    sent.append(time.monotonic())
    await student.answer()
    await student.follow(end, pace)


def hold(server: kit.Address, page: str, students: int, within: float, pace: tuple[float, float]) -> list[float]:
    """Let a class answer the first question of a page within some seconds; return seconds from answer to bar."""
    url = server.url.replace("http", "ws") + "/_stcore/stream"

    async def class_hour() -> list[float]:
        async with AsyncExitStack() as stack:

            async def socket() -> ClientConnection:
                opened = connect(url, subprotocols=[Subprotocol("streamlit")], max_size=None, ping_interval=None)
                return await stack.enter_async_context(opened)

            lecturer = Page(await socket(), "Teach_this")
            await lecturer.run()
            await lecturer.run(press="Start a class")
            [code] = {found for text in lecturer.texts for found in re.findall(r"\*\*(\w{3} \w{4})\*\*", text)}
            lecturer.page = page
            await lecturer.run()
            room = [Student(await socket(), "Join", {"class": code.replace(" ", "")}) for _ in range(students)]
            for student in room:
                await student.join()
            return await _answers(lecturer, room, within, pace)

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, class_hour()).result()


async def _answers(lecturer: Page, room: list[Student], within: float, pace: tuple[float, float]) -> list[float]:
    """All answer; the n-th answer that was sent is seen when the lecturer's bars count n."""
    begin, end = asyncio.get_running_loop().time() + 2, asyncio.Event()
    sent: list[float] = []
    seen: list[float] = []
    times = [begin + random.uniform(0, within) for _ in room]
    going_on = [
        asyncio.create_task(_answer_at(student, at, pace, sent, end)) for student, at in zip(room, times, strict=True)
    ]
    while len(seen) < len(room):
        await asyncio.sleep(0.7)
        await lecturer.run(fragment="tiekit_bars")
        counted = sum(lecturer.parts["tiekit_bars"]["counts"])
        seen += [time.monotonic()] * (counted - len(seen))
        assert all(not task.done() or task.exception() is None for task in going_on)
    end.set()
    await asyncio.gather(*going_on)
    return [shown - given for given, shown in zip(sorted(sent), seen, strict=True)]
