"""Pages ask at a pace: each at its own, and for what takes long at one that addresses share."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.proto.BackMsg_pb2 import BackMsg

from tests.strategies import examples
from ui import pace
from ui.work import streamlit_internals, upload_quota

FILES = [{"name": "scores.tsv", "file_id": "1", "file_urls": {"file_id": "1"}}] * (upload_quota.MOST_FILES - 5)
FILES_OF_A_PAGE = {"widgets": [{"id": "a", "file_uploader_state_value": {"uploaded_file_info": FILES}}]}
JSON_OF_A_PAGE = [{"json_value": "[" * 10_001}, {"json_trigger_value": "1," * 10_001}]
LONG_JSON = [{"json_trigger_value": f'"{"é" * 2**14}"'}, {"json_value": f'"{"a" * 2**15}"'}]
MESSAGES = {
    "a message": ({"rerun_script": {"query_string": "a" * 300}}, 1, 1003),
    "a page": ({"rerun_script": {"widget_states": FILES_OF_A_PAGE}}, 5, 1003),
    "a download": ({"backend_operation_request": {"deferred_file": {"file_id": "1"}}}, 5, 1003),
    "names": ({"file_urls_request": {"file_names": ["scores.tsv"] * upload_quota.MOST_FILES}}, 50, 1003),
    "too many names": ({"file_urls_request": {"file_names": [""] * 1_990_000}}, None, 1009),
    "too many controls": ({"rerun_script": {"widget_states": {"widgets": [{}] * 990_000}}}, None, 1009),
    "too many hashes": ({"rerun_script": {"cached_message_hashes": [""] * 1_990_000}}, None, 1009),
    "typed lists": ({"rerun_script": {"widget_states": {"widgets": [{"string_value": "," * 20_001}]}}}, 1, 1003),
    "too many lists of JSON": ({"rerun_script": {"widget_states": {"widgets": JSON_OF_A_PAGE}}}, None, 1009),
    "a component's long text": ({"rerun_script": {"widget_states": {"widgets": LONG_JSON}}}, None, 1003),
    "one of them alone": ({"rerun_script": {"widget_states": {"widgets": LONG_JSON[1:]}}}, 1, 1003),
    "too many choices": (
        {"rerun_script": {"widget_states": {"widgets": [{"string_array_value": {"data": ["", ""]}}] * 10_000}}},
        None,
        1009,
    ),
    "a long text": ({"rerun_script": {"cached_message_hashes": ["a" * 2**10] * 513}}, None, 1003),
    "what is kept for all": ({"clear_cache": True}, None, 1003),
    "what the server runs": ({"load_git_info": True}, None, 1003),
    "a file of the server": ({"backend_operation_request": {"install_skills": {}}}, None, 1003),
    "a long name": ({"rerun_script": {"fragment_id": "a" * 201}}, None, 1003),
    "a name of two lines": ({"backend_operation_request": {"deferred_file": {"file_id": "1\n2"}}}, None, 1003),
}


@pytest.mark.parametrize(("content", "turns", "code"), MESSAGES.values(), ids=MESSAGES)
def test_messages_beyond_a_pace_wait_and_others_are_served_between_any_two(monkeypatch, content, turns, code):
    sent = BackMsg(**content).SerializeToString()
    now, waits, answer = [100.0], [], []

    async def sleep(seconds):
        waits.append(seconds)
        now[0] += seconds

    message = {"type": "websocket.receive", "bytes": sent}

    async def receive():
        return message

    async def send(given):
        answer.append(given)

    monkeypatch.setattr(pace.asyncio, "sleep", sleep)
    monkeypatch.setattr(pace.time, "monotonic", lambda: now[0])
    shared = pace.Shared()
    at_a_pace = pace.at_a_pace(receive, send, "here", shared)

    async def take(number):
        for _ in range(number):
            assert (await at_a_pace())["type"] == message["type"]
        message["bytes"] = message["bytes"] if turns is None else None  # text, which no page sends
        assert (await at_a_pace())["type"] == "websocket.disconnect"

    at_once = pace.MESSAGES // turns if turns else 0
    number = at_once + 5 * bool(turns)
    with ThreadPoolExecutor() as thread:
        thread.submit(lambda: asyncio.run(take(number))).result()
    assert waits[:at_once] == [0] * at_once  # a turn for others each time
    assert now[0] - 100 == pytest.approx((number * turns - pace.MESSAGES) / pace.PER_SECOND if turns else 0)
    assert answer == [{"type": "websocket.close", "code": code}]
    if turns is None:
        assert shared.large.wait_for("there", pace.LARGE) == 0, "what is refused takes nothing from others"


@pytest.fixture
def asking(monkeypatch):
    """Send messages at the same moment, each by a connection of its own: how long each waits, and what ends others."""
    monkeypatch.setattr(pace.time, "monotonic", lambda: 100.0)
    waits, answer, shared = [], [], pace.Shared()

    async def sleep(seconds):
        waits.append(seconds)

    async def send(given):
        answer.append(given["code"])

    async def take(message, address):
        async def receive():
            return {"type": "websocket.receive", "bytes": message}

        await pace.at_a_pace(receive, send, address, shared)()

    def ask(content, address="here", number=1):
        async def ask_each():
            for _ in range(number):
                await take(BackMsg(**content).SerializeToString(), address)

        with ThreadPoolExecutor() as thread:
            thread.submit(lambda: asyncio.run(ask_each())).result()
        new = waits[:], answer[:]
        del waits[:], answer[:]
        return new

    async def pass_at_once(*_):
        return True

    monkeypatch.setattr(pace.Line, "stand", pass_at_once)
    monkeypatch.setattr(pace.asyncio, "sleep", sleep)
    return ask


def test_messages_pass_one_by_one_addresses_take_turns_and_all_else_has_as_much_time(monkeypatch):
    passed, rests = [], []
    wait = asyncio.sleep

    async def sleep(seconds):
        rests.append(seconds)
        await wait(0)

    monkeypatch.setattr(pace.asyncio, "sleep", sleep)

    async def send(line, name, gone=None):
        if not await line.stand(name[0], gone):
            return
        passed.append(name)
        time.sleep(0.01)  # Streamlit starts a thread and waits for it

    async def send_all():
        line, gone = pace.Line(), asyncio.Event()
        sent = [asyncio.create_task(send(line, name)) for name in ("a1", "a2", "gone", "a3", "b1", "a4", "b2", "c1")]
        sent.append(asyncio.create_task(send(line, "a5", gone)))
        await wait(0)
        sent[2].cancel()
        gone.set()
        await asyncio.gather(*sent, return_exceptions=True)
        assert not line._waiting
        await asyncio.create_task(send(line, "later"))

    with ThreadPoolExecutor() as thread:
        thread.submit(lambda: asyncio.run(send_all())).result()
    assert passed == ["a1", "b1", "c1", "a2", "b2", "a3", "a4", "later"]
    assert min(rests[1:-2:2]) >= 0.01
    assert max(rests) <= pace.MOST_REST


def test_who_has_gone_without_a_word_takes_no_place_in_the_line():
    """Nobody is told of it while a message waits, as the connection is not read then."""

    class HasGone(asyncio.Event):
        def is_set(self):
            return True

    async def stand():
        pages = pace.Requests(1, 60.0)
        taken = await pages.take("a", None)
        waiting = [asyncio.create_task(pages.take("a", HasGone())) for _ in range(5)]
        last = asyncio.create_task(pages.take("b", None))
        await asyncio.sleep(0)
        taken()
        assert await last
        last.result()()
        assert await asyncio.gather(*waiting) == [None] * 5

    with ThreadPoolExecutor() as thread:
        thread.submit(lambda: asyncio.run(asyncio.wait_for(stand(), 60))).result()


def test_long_messages_of_the_pages_that_are_open_hold_so_much_and_small_ones_pass(monkeypatch):
    monkeypatch.setattr(pace, "KEPT_OF_ADDRESS", 100_000)
    monkeypatch.setattr(pace, "KEPT", 150_000)
    monkeypatch.setattr(pace, "FEW", 20_000)
    kept = pace.Kept()
    with kept.of_page("a") as first, kept.of_page("a") as second, kept.of_page("b") as other:
        assert [first(size) for size in (60_000, 20_000, 60_000)] == [True] * 3, "a session holds its longest one"
        assert not second(50_000)
        assert second(40_000)
        assert not second(40_001)
        assert not other(50_001)
        assert other(50_000)
        assert first(pace.SMALL)
        with kept.of_page("c") as late:
            assert late(20_000), "who has little"
            assert not late(20_001)
            assert late(pace.SMALL)
    assert not kept._sizes
    with kept.of_page("a") as again:
        assert again(100_000)


NAMES = {"file_urls_request": {"file_names": [""] * 10_000}}


def test_what_takes_long_comes_at_a_pace_that_addresses_share_and_holds_up_those_of_one(asking):
    content, cost, most, per_second = NAMES, 49, 100, 20
    at_once = most // cost
    number = int((most + pace.PATIENCE * per_second) // cost)
    waits, ends = asking(content, number=number + 3)
    assert waits[:at_once] == [0.0] * at_once
    late = [(cost * (one + 1) - most) / per_second for one in range(at_once, number)]
    assert waits[at_once:] == pytest.approx(late)
    assert ends == [pace.TRY_LATER] * 3
    assert asking({"rerun_script": {}}) == ([0.0], []), "who asks for little does not wait"
    waits, ends = asking(content, "there", at_once + 1)
    assert waits == pytest.approx([0.0] * at_once + [2 * (cost * (at_once + 1) - most) / per_second])
    assert not ends, "another address has as much, and half of what comes"


def test_who_asked_long_ago_takes_no_share(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(pace.time, "monotonic", lambda: now[0])
    paces = pace.Paces(10, 1.0, are_shared=True, longest=100)
    assert paces.wait_for("a", 10) == paces.wait_for("b", 10) == 0
    assert paces.wait_for("a", 1) == pytest.approx(2)
    now[0] += 30
    assert paces.wait_for("a", 15) == pytest.approx(5)


def test_a_large_message_of_who_sent_many_is_not_read(asking, monkeypatch):
    long = {"file_urls_request": {"file_names": ["a" * 200] * 5_000}}
    waits, ends = asking(long, number=12)
    assert waits[:4] == [0.0] * 4
    assert 0 < max(waits) <= pace.PATIENCE
    assert set(ends) == {pace.TRY_LATER}
    monkeypatch.setattr(streamlit_internals, "read_message", lambda *_: pytest.fail("it was read"))
    assert asking(long) == ([], [pace.TRY_LATER])


def test_a_message_is_read_when_it_is_its_turn(monkeypatch):
    happened = []

    async def stand(*_):
        happened.append("turn")
        return len(happened) < 4

    async def receive():
        return {"type": "websocket.receive", "bytes": b""}

    def read(*_):
        happened.append("read")
        return streamlit_internals.Asked()

    monkeypatch.setattr(pace.Line, "stand", stand)
    monkeypatch.setattr(streamlit_internals, "read_message", read)
    take = pace.at_a_pace(receive, None, "here", pace.Shared())
    with ThreadPoolExecutor() as thread:
        kinds = [thread.submit(lambda: asyncio.run(take())).result()["type"] for _ in range(2)]
    assert kinds == ["websocket.receive", "websocket.disconnect"]
    assert happened == ["turn", "read", "turn", "turn"]


def test_all_pages_of_an_address_send_so_many_messages_and_further_ones_wait(asking):
    little = {"rerun_script": {}}
    waits, _ = asking(little, number=pace.OF_ADDRESS)
    assert set(waits) == {0.0}
    waits, ends = asking(little, number=3)
    assert max(waits) == pytest.approx(3 / pace.OF_ADDRESS_PER_SECOND)
    assert not ends
    assert asking(little, "there") == ([0.0], [])


TEXTS = st.lists(st.text(max_size=3), max_size=4)
WIDGET = st.one_of(
    st.fixed_dictionaries({"id": st.text("ab", max_size=3), "string_value": st.text(max_size=3)}),
    st.fixed_dictionaries({"int_value": st.integers(-(2**40), 2**40)}),
    st.fixed_dictionaries({"double_value": st.floats()}),
    st.fixed_dictionaries({"string_array_value": st.fixed_dictionaries({"data": TEXTS})}),
    st.fixed_dictionaries({"double_array_value": st.fixed_dictionaries({"data": st.lists(st.floats(), max_size=9)})}),
    st.fixed_dictionaries(
        {"file_uploader_state_value": st.fixed_dictionaries({"uploaded_file_info": st.lists(st.just(FILES[0]))})}
    ),
)
SENT = st.one_of(
    st.fixed_dictionaries(
        {"file_urls_request": st.fixed_dictionaries({"request_id": st.text("ab"), "file_names": TEXTS})}
    ),
    st.lists(WIDGET, max_size=30).map(lambda each: {"rerun_script": {"widget_states": {"widgets": each}}}),
)


def fields(message):
    """The number of fields that a message and its parts hold, where there may be lists."""
    number = 0
    for part, value in message.ListFields():
        values = list(value) if part.is_repeated else [value]
        if part.is_packed:
            number += 1 + 8 * len(values)
            continue
        number += len(values)
        if part.message_type and streamlit_internals._has_lists(part.message_type):
            number += sum(map(fields, values))
    return number


@examples(100)
@given(SENT, st.integers(0, 20))
def test_the_fields_of_a_message_are_counted_before_it_is_read(content, most):
    message = BackMsg(**content)
    sent, number = message.SerializeToString(), fields(message)
    found = streamlit_internals.read_message(sent, 10_000)
    assert (found.entries, found.is_made_up) == (number, False)
    assert (streamlit_internals.read_message(sent, most).entries > most) == (number > most)


@examples(100)
@given(SENT, st.floats(0, 1))
def test_of_a_part_of_a_message_no_more_is_counted(content, share):
    sent = BackMsg(**content).SerializeToString()
    whole, part = (streamlit_internals.read_message(one, 10_000) for one in (sent, sent[: int(share * len(sent))]))
    assert part.entries <= whole.entries


@pytest.mark.parametrize(
    "sent", [b"\x0b" * 9, b"\xff" * 30, b"\x12\xff\xff\xff\x7f"], ids=["groups", "endless", "short"]
)
def test_what_is_no_message_is_made_up(sent):
    assert streamlit_internals.read_message(sent, 10).is_made_up


@pytest.mark.parametrize(
    ("control", "most"),
    [
        ({"int_value": 1}, streamlit_internals.MOST_CONTROLS),
        ({"trigger_value": True}, streamlit_internals.MOST_TRIGGERS),
        ({"json_trigger_value": "1"}, streamlit_internals.MOST_TRIGGERS),
        ({"chat_input_value": {"data": "a"}}, streamlit_internals.MOST_TRIGGERS),
    ],
)
def test_a_message_of_more_controls_than_a_page_has_is_made_up(control, most):
    for number in (most, most + 1):
        controls = [{"id": str(one)} | control for one in range(number)]
        sent = BackMsg(rerun_script={"widget_states": {"widgets": controls}}).SerializeToString()
        assert streamlit_internals.read_message(sent, 10_000).is_made_up == (number > most)


class Browser:
    """Takes the pieces of an answer, each when it may; a long one is given up, or has ended."""

    def __init__(self, answers: pace.Answers, address: str, size: int) -> None:
        self.pieces, self.may_take, self.became = [], asyncio.Semaphore(0), ""
        self._answer = asyncio.create_task(self._ask(answers.to(address, self._take), size))

    async def _take(self, message: pace.Message) -> None:
        self.pieces.append(message)
        await self.may_take.acquire()

    async def _ask(self, send: pace.Send, size: int) -> None:
        body = bytes(range(256)) * (size // 256)
        try:
            await send({"type": "http.response.body", "body": body, "more_body": False})
            assert b"".join(piece["body"] for piece in self.pieces) == body
            assert [piece["more_body"] for piece in self.pieces] == [True] * (len(self.pieces) - 1) + [False]
            self.became = "whole"
        except pace.GivenUpError:
            self.became = "given up"


async def settle() -> None:
    """Let all tasks come to where they wait."""
    for _ in range(100):
        await asyncio.sleep(0)


def test_a_long_answer_goes_in_pieces_and_of_those_that_wait_the_oldest_of_who_has_most_is_given_up():
    size = 4 * pace.PIECE

    async def ask() -> None:
        answers = pace.Answers(of_address=3 * size, of_all=5 * size)
        here = [Browser(answers, "here", size) for _ in range(3)]
        there = [Browser(answers, "there", size) for _ in range(2)]
        short = Browser(answers, "here", 256)
        short.may_take.release()
        await settle()
        assert [len(one.pieces) for one in (*here, *there)] == [1] * 5, "the next one when it has been taken"
        assert short.became == "whole", "it counts for nothing"
        here.append(Browser(answers, "here", size))
        await settle()
        assert [one.became for one in (*here, *there)] == ["given up", "", "", "", "", ""]
        elsewhere = Browser(answers, "elsewhere", size)
        await settle()
        assert [one.became for one in (*here, *there)] == ["given up", "given up", "", "", "", ""]
        for one in (*here, *there, elsewhere):
            for _ in range(4):
                one.may_take.release()
        await settle()
        assert [one.became for one in (*here, *there, elsewhere)] == ["given up"] * 2 + ["whole"] * 5
        alone = Browser(answers, "far", 9 * size)
        for _ in range(9 * 4):
            alone.may_take.release()
        await settle()
        assert alone.became == "whole", "the only one always has room"
        assert not answers._taken

    with ThreadPoolExecutor(1) as pool:  # a browser test may have left a loop in this thread
        pool.submit(asyncio.run, ask()).result()
