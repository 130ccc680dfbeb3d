"""Pages take turns: a few at a time, and none waits for good."""

from __future__ import annotations

import time
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import nullcontext
from functools import partial
from threading import Barrier, Event, Lock, Thread, get_ident
from types import SimpleNamespace

import pytest

from ui.page import pages
from ui.work import memory, render_queue, result_cache
from ui.work.places import COMPUTED
from ui.work.visitor import Limit, Visitor, computing


@pytest.fixture(autouse=True)
def _turns(monkeypatch):
    monkeypatch.setattr(render_queue, "_turns", render_queue.Turns())


def in_turn(draw):
    """Draw as a page's script does, in a thread of its own that ends with it."""

    def draw_in_thread(*args):
        done = Future()

        def page():
            render_queue.take_turn()
            try:
                done.set_result(draw(*args))
            except Exception as error:
                done.set_exception(error)

        thread = Thread(target=page)
        thread.start()
        thread.join()
        return done.result()

    return draw_in_thread


class Clock:
    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


class Crowd:
    """How many draw at the same time, and the most that ever did."""

    def __init__(self):
        self.lock, self.now, self.most = Lock(), 0, 0

    def draw(self, name):
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        time.sleep(0.01)
        with self.lock:
            self.now -= 1
        return name


def test_a_session_has_one_place_in_the_line_which_its_last_run_takes():
    turns, order = render_queue._turns, []
    held = [turns.take() for _ in range(render_queue.AT_A_TIME)]

    def wait(owner, name):
        turn = turns.take(owner)
        order.append(name if turn in turns._since else f"{name} without a turn")
        turns.end(turn)

    threads = []
    for number, owner in enumerate("abaaa"):
        threads.append(Thread(target=wait, args=(owner, f"{owner}{number}")))
        threads[-1].start()
        while len(turns._last) + len(order) < len({*"ab"[: number + 1]}) + max(0, number - 1):
            time.sleep(0.001)
    assert len(turns._waiting) == 2
    for turn in held:
        turns.end(turn)
    for thread in threads:
        thread.join(5)
    assert sorted(order[:3]) == ["a0 without a turn", "a2 without a turn", "a3 without a turn"]
    assert sorted(order[3:]) == ["a4", "b1"]
    assert turns._last == {}


def test_thirty_are_drawn_and_never_more_than_a_few_at_once():
    crowd = Crowd()
    with ThreadPoolExecutor(30) as pool:
        assert list(pool.map(in_turn(crowd.draw), range(30))) == list(range(30))
    assert crowd.most == render_queue.AT_A_TIME


def test_one_that_computes_for_long_lets_others_draw_and_goes_on_when_it_is_its_turn_again():
    done, all_here, crowd = Event(), Barrier(render_queue.AT_A_TIME + 1), Crowd()

    def compute(number):
        with render_queue.aside():
            all_here.wait(5)
            assert done.wait(5)
        return crowd.draw(number)

    with ThreadPoolExecutor(render_queue.AT_A_TIME + 30) as pool:
        computing = [pool.submit(in_turn(compute), number) for number in range(render_queue.AT_A_TIME)]
        all_here.wait(5)
        began = time.monotonic()
        assert pool.submit(in_turn(lambda: "drawn")).result(5) == "drawn"
        assert time.monotonic() - began < render_queue.PATIENCE
        drawing = [pool.submit(in_turn(crowd.draw), number) for number in range(30)]
        done.set()
        assert [one.result(5) for one in computing] == list(range(render_queue.AT_A_TIME))
        assert [one.result(5) for one in drawing] == list(range(30))
    assert crowd.most == render_queue.AT_A_TIME
    assert render_queue._turns.n_taken() == 0


def test_who_has_no_turn_computes_without_and_an_error_ends_a_turn():
    with render_queue.aside():
        assert render_queue._turns.n_taken() == 0

    def fail(*, aside):
        with render_queue.aside() if aside else nullcontext():
            raise ValueError("broken page")

    for aside in [True, *[False] * render_queue.AT_A_TIME, True]:
        with pytest.raises(ValueError, match="broken page"):
            in_turn(partial(fail, aside=aside))()
    assert render_queue._turns.n_taken() == 0


def test_nobody_waits_for_good_for_those_who_never_end(monkeypatch):
    monkeypatch.setattr(render_queue, "PATIENCE", 0.05)
    end = Event()
    with ThreadPoolExecutor(render_queue.AT_A_TIME) as pool:
        busy = [pool.submit(in_turn(end.wait), 5) for _ in range(render_queue.AT_A_TIME)]
        assert in_turn(lambda: "drawn")() == "drawn"
        assert not any(one.done() for one in busy)
        end.set()
        assert all(one.result(5) for one in busy)
    assert render_queue._turns.n_taken() == 0


def test_a_crowd_that_waits_longer_than_the_patience_is_still_drawn_a_few_at_a_time(monkeypatch):
    monkeypatch.setattr(render_queue, "PATIENCE", 0.4)
    crowd, began = Crowd(), time.monotonic()
    with ThreadPoolExecutor(60) as pool:
        assert list(pool.map(in_turn(crowd.draw), range(200))) == list(range(200))
    assert time.monotonic() - began > 2 * render_queue.PATIENCE
    assert crowd.most == render_queue.AT_A_TIME


def test_pages_are_drawn_in_the_order_of_asking(monkeypatch):
    monkeypatch.setattr(render_queue, "AT_A_TIME", 1)
    free, drawn = Event(), []
    with ThreadPoolExecutor(9) as pool:
        first = pool.submit(in_turn(free.wait), 5)
        while not render_queue._turns.n_taken():
            time.sleep(0.001)
        later = []
        for number in range(8):
            later.append(pool.submit(in_turn(drawn.append), number))
            while len(render_queue._turns._waiting) <= number:
                time.sleep(0.001)
        free.set()
        assert first.result(5)
        for one in later:
            one.result(5)
    assert drawn == list(range(8))


def draw_after_another(draw, names, seconds=0.0):
    """Let pages of these names wait, in this order, while one of address a is drawn, which takes so many seconds."""
    turns, threads = render_queue._turns, []
    held = turns.take(None, "a")
    for name in names:
        threads.append(Thread(target=draw, args=(name,)))
        threads[-1].start()
        while len(turns._waiting) < len(threads):
            time.sleep(0.001)
    turns.end(held, "a", seconds)
    for thread in threads:
        thread.join(5)


def test_addresses_take_turns_however_many_ask_from_one(monkeypatch):
    monkeypatch.setattr(render_queue, "AT_A_TIME", 1)
    turns, drawn = render_queue._turns, []

    def draw(name):
        turn = turns.take(name, name[0])
        drawn.append(name)
        turns.end(turn)

    draw_after_another(draw, ("a1", "a2", "a3", "b1", "a4", "b2", "c1"))
    assert drawn == ["b1", "c1", "a1", "b2", "a2", "a3", "a4"]


def test_whose_pages_took_long_waits_for_those_whose_did_not(monkeypatch):
    """A class of phones, whose pages take nothing, and strangers with large ones."""
    monkeypatch.setattr(render_queue, "AT_A_TIME", 1)
    turns, drawn, phones = render_queue._turns, [], [f"c{number}" for number in range(9)]

    def draw(name):
        turn = turns.take(name, name[0])
        drawn.append(name)
        turns.end(turn, name[0], 0.01 if name[0] == "c" else 1.0)

    draw_after_another(draw, ("a1", "b1", "a2", "b2", *phones, "a3", "b3"), seconds=1.0)
    assert drawn == ["b1", *phones, "a1", "b2", "a2", "b3", "a3"]


def test_who_had_his_share_waits_while_another_address_computes(monkeypatch):
    monkeypatch.setattr(render_queue, "LOOK", 0.01)
    turns, drawn, clock = render_queue._turns, [], Clock()
    monkeypatch.setattr(render_queue, "monotonic", clock)

    def draw(name, how="computes"):
        turn = turns.take(name, name[0], computes=how != "light", goes_on=how == "goes on")
        drawn.append(name)
        turns.end(turn, name[0])

    def start(*asked):
        thread = Thread(target=draw, args=asked, daemon=True)
        thread.start()
        return thread

    turns.end(turns.take(None, "a"), "a", 20.0)  # while nobody computed
    with turns.computing("b"):
        start("a1").join(5)
        turns.end(object(), "a", 0.1)
    with turns.computing("a"):
        start("a2").join(5)  # his own result waits
    with turns.computing("b"):
        held = [start("a3"), start("a4", "goes on")]
        time.sleep(0.1)
        for other in (start("b1"), start("c1"), start("a5", "light")):
            other.join(5)
        assert sorted(drawn) == ["a1", "a2", "a5", "b1", "c1"], "but what never computes"
        clock.now += 0.1 / render_queue.SHARE + 0.01
        for one in held:
            one.join(5)
        assert drawn[5:] == ["a3", "a4"]
        turns.end(object(), "a", 0.1)
        held = start("a6")
        time.sleep(0.1)
        assert "a6" not in drawn
    held.join(5)
    assert drawn[-1] == "a6", "nobody computes"


def test_a_page_that_compiled_for_a_minute_stops_its_address_for_no_longer_than_others(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(render_queue, "monotonic", clock)
    turns = render_queue._turns
    with turns.computing("stranger"):
        turns.end(object(), "hall", 60.0)
        assert turns._share.is_over("hall", clock.now + render_queue.LONGEST - 0.1)
        assert not turns._share.is_over("hall", clock.now + render_queue.LONGEST + 0.1)


def test_what_was_drawn_while_nobody_else_computed_stops_nobody_when_another_begins(monkeypatch):
    """A hall that draws as fast as the server can, and then a stranger with a long result."""
    clock = Clock()
    monkeypatch.setattr(render_queue, "monotonic", clock)
    turns, waited, page = render_queue._turns, [], 0.1
    for _ in range(200):
        turns.end(object(), "hall", page)
        clock.now += page
    with turns.computing("stranger"):
        for _ in range(100):
            before = clock.now
            while turns._share.is_over("hall", clock.now):
                clock.now += 0.01
            turns.end(object(), "hall", page)
            clock.now += page
            waited.append(clock.now - before)
    assert max(waited) < 0.4
    assert sum(waited) == pytest.approx(100 * page / render_queue.SHARE, rel=0.1)


def test_who_fell_asleep_behind_another_is_drawn_when_he_is_held_back_no_more(monkeypatch):
    monkeypatch.setattr(render_queue, "AT_A_TIME", 1)
    monkeypatch.setattr(render_queue, "LOOK", 0.05)
    turns, threads = render_queue._turns, []
    turns.end(turns.take(None, "a"), "a")
    held = turns.take(None, "x")
    for address in "ba":  # b is next: it had no turn yet
        threads.append(Thread(target=lambda of=address: turns.end(turns.take(of, of), of)))
        threads[-1].start()
        while len(turns._waiting) < len(threads):
            time.sleep(0.001)
    with turns.computing("c"):
        turns.end(object(), "a", render_queue.AT_ONCE + 0.2)
        turns.end(held, "x")
        threads[0].join(5)
        time.sleep(0.2)
        assert [place.address for place in turns._waiting] == ["a"]
        threads[1].join(5)
        assert not turns._waiting


def test_whose_session_is_ended_while_he_waits_holds_up_nobody(monkeypatch):
    """By the error that comes where memory is short."""
    monkeypatch.setattr(render_queue, "AT_A_TIME", 1)
    turns, heard = render_queue._turns, []
    held = turns.take(None, "x")

    def wait():
        with computing("ended"):
            try:
                turns.take("ended", "a")
            except memory.OutOfMemoryError:
                heard.append("ended")

    threads = [Thread(target=wait), Thread(target=lambda: turns.end(turns.take("b", "b"), "b"))]
    for number, thread in enumerate(threads, 1):
        thread.start()
        while len(turns._waiting) < number:
            time.sleep(0.001)
    memory.end(["ended"], SimpleNamespace(call_soon_threadsafe=lambda *_: None))
    threads[0].join(60)
    assert (heard, [place.address for place in turns._waiting], [*turns._last]) == (["ended"], ["b"], ["b"])
    turns.end(held, "x")
    threads[1].join(60)
    assert not turns._waiting


def test_so_many_of_an_address_compute_and_its_others_begin_when_they_have_ended(monkeypatch):
    monkeypatch.setattr(render_queue, "COMPUTING", 6)
    monkeypatch.setattr(render_queue, "COMPUTING_OF_ADDRESS", 4)
    home, may_end, begun, ended = {}, Event(), [], []
    monkeypatch.setattr(render_queue, "current_visitor", lambda: Visitor("session", home[get_ident()]))
    turns = render_queue._turns

    def page(name):
        home[get_ident()] = name[0]
        render_queue.take_turn()
        begun.append(name)
        with render_queue.aside(computing=True):
            assert may_end.wait(30)
        ended.append(name)
        render_queue._mine.turn = None

    def start(name):
        threads.append(Thread(target=page, args=(name,)))
        threads[-1].start()
        while name not in begun and len(turns._waiting) < len(threads) - len(begun):
            time.sleep(0.001)

    def begin(*names):
        for name in names:
            start(name)
        end = time.monotonic() + 5
        while turns.n_taken() and time.monotonic() < end:
            time.sleep(0.001)
        return sorted(begun)

    threads = []
    assert begin("a1", "a2", "a3", "a4", "a5") == ["a1", "a2", "a3", "a4"]
    assert begin("b1") == ["a1", "a2", "a3", "a4", "b1"]
    assert begin("b2", "b3", "b4") == ["a1", "a2", "a3", "a4", "b1", "b2", "b3"], "half of six for each of two"
    may_end.set()
    for thread in threads:
        thread.join(30)
    assert len(ended) == 9
    assert not turns._computing


def test_what_never_computes_is_drawn_however_many_pages_of_its_address_do(monkeypatch):
    monkeypatch.setattr(render_queue, "COMPUTING_OF_ADDRESS", 1)
    monkeypatch.setattr(render_queue, "current_visitor", lambda: Visitor("phone", "hall"))
    monkeypatch.setattr(render_queue.st, "fragment", lambda draw, **_: draw)
    drawn = []
    poll = render_queue.fragment(lambda: drawn.append("poll"))
    poll()  # with its page

    def page(name, **how):
        render_queue.take_turn(**how)
        drawn.append(name)
        render_queue._mine.turn = None

    with render_queue._turns.computing("hall"):
        waits = Thread(target=page, args=("board",), daemon=True)
        waits.start()
        for draw in (poll, partial(page, "phone", computes=False)):
            thread = Thread(target=draw, daemon=True)
            thread.start()
            thread.join(10)
        assert drawn == ["poll", "poll", "phone"]
    waits.join(10)
    assert drawn[-1] == "board"


@pytest.mark.parametrize("file", pages.LIGHT)
def test_a_light_page_computes_nothing_for_long(open_app, monkeypatch, file):
    called = []
    monkeypatch.setattr(result_cache, "compute", lambda title, *_, **__: called.append(title) or {})
    open_app("" if file == pages.START else file.removeprefix("pages/").removesuffix(".py"))
    assert not called


def test_a_part_that_is_drawn_again_by_itself_takes_a_turn_and_ends_it(monkeypatch):
    monkeypatch.setattr(render_queue.st, "fragment", lambda draw, run_every: draw if run_every == 2.0 else None)
    taken = []

    def draw(text, *, fails=False):
        taken.append((text, render_queue._turns.n_taken()))
        if fails:
            raise ValueError("broken part")

    part = render_queue.fragment(draw, run_every=2.0)
    part("with the page")
    part("by itself")
    assert render_queue._turns.n_taken() == 0
    with pytest.raises(ValueError, match="broken part"):
        part("by itself", fails=True)
    assert render_queue._turns.n_taken() == 0
    assert taken == [("with the page", 0), ("by itself", 1), ("by itself", 1)]


def test_a_page_that_is_stopped_while_it_computes_counts_no_longer():
    def page():
        with render_queue.aside(computing=True):
            raise ValueError("stopped")

    with pytest.raises(ValueError, match="stopped"):
        in_turn(page)()
    assert not render_queue._turns._computing
    assert render_queue._turns.n_taken() == 0


def test_a_session_that_asks_from_elsewhere_lets_who_is_next_now_watch_the_clock(monkeypatch):
    monkeypatch.setattr(render_queue, "AT_A_TIME", 1)
    monkeypatch.setattr(render_queue, "PATIENCE", 0.4)
    turns, drawn = render_queue._turns, []

    def draw(owner, address):
        turns.take(owner, address)
        drawn.append(owner)

    turns.end(turns.take(None, "b"))
    turns.end(turns.take(None, "c"))
    turns.take(None, "c")  # and never ends it
    threads = []
    for number, (owner, address) in enumerate([("moves", "a"), ("stays", "b"), ("moves", "c")]):
        threads.append(Thread(target=draw, args=(owner, address), daemon=True))
        threads[-1].start()
        while len(turns._waiting) + len(drawn) < (number + 1):
            time.sleep(0.001)
    for thread in threads:
        thread.join(5)
    assert drawn == ["moves", "stays", "moves"], "the first without a turn, and nobody ended one"


def test_addresses_that_wait_for_nothing_are_forgotten(monkeypatch):
    monkeypatch.setattr(render_queue, "FORGETTING", 3)
    turns = render_queue._turns
    for address in "abcdefgh":
        turns.end(turns.take(None, address))
    assert len(turns._served) <= 3


def test_the_time_of_a_page_counts_for_who_sees_it(monkeypatch):
    monkeypatch.setattr(render_queue, "current_visitor", lambda: Visitor("session of counting", "home of counting"))

    def draw():
        end = time.thread_time() + 0.05
        while time.thread_time() < end:
            pass
        time.sleep(0.5)  # as while others are drawn

    in_turn(draw)()
    for cause in ("session of counting", "home of counting"):
        assert 50 <= COMPUTED.count(cause, time.monotonic()) < 300


def test_a_turn_that_ends_while_a_time_is_noted_is_noted_too():
    """Python ends objects wherever it likes, also in the midst of a note by the same thread."""
    limit = Limit(10.0)

    def note_within_a_note():
        with limit._lock:
            limit.add("page", 1.0, 5)

    thread = Thread(target=note_within_a_note, daemon=True)
    thread.start()
    thread.join(5)
    assert not thread.is_alive(), "it waits for itself"
    assert limit.count("page", 1.0) == 5


def test_a_thread_that_draws_again_has_one_turn():
    def draw():
        render_queue.take_turn()
        return render_queue._turns.n_taken()

    assert in_turn(draw)() == 1
    assert render_queue._turns.n_taken() == 0
