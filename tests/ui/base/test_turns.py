"""Pages take turns: a few at a time, and none waits for good."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, BoundedSemaphore, Event, Lock

import pytest

from ui.base import turns


@pytest.fixture(autouse=True)
def _turns(monkeypatch):
    monkeypatch.setattr(turns, "_turns", BoundedSemaphore(turns.AT_A_TIME))


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


def test_thirty_are_drawn_and_never_more_than_a_few_at_once():
    crowd = Crowd()
    with ThreadPoolExecutor(30) as pool:
        assert list(pool.map(turns.in_turn(crowd.draw), range(30))) == list(range(30))
    assert crowd.most == turns.AT_A_TIME


def test_one_that_computes_for_long_lets_others_draw_and_goes_on():
    done, all_here = Event(), Barrier(turns.AT_A_TIME + 1)

    def compute():
        turns.give_up()
        all_here.wait(5)
        turns.give_up()
        return done.wait(5)

    with ThreadPoolExecutor(turns.AT_A_TIME + 1) as pool:
        computing = [pool.submit(turns.in_turn(compute)) for _ in range(turns.AT_A_TIME)]
        all_here.wait(5)
        began = time.monotonic()
        assert pool.submit(turns.in_turn(lambda: "drawn")).result(5) == "drawn"
        assert time.monotonic() - began < turns.PATIENCE
        done.set()
        assert all(one.result(5) for one in computing)


def test_an_error_ends_a_turn():
    def fail():
        raise ValueError("broken page")

    for _ in range(turns.AT_A_TIME + 1):
        with pytest.raises(ValueError, match="broken page"):
            turns.in_turn(fail)()
    assert turns._turns._value == turns.AT_A_TIME


def test_nobody_waits_for_good_for_those_who_never_end(monkeypatch):
    monkeypatch.setattr(turns, "PATIENCE", 0.05)
    end = Event()
    with ThreadPoolExecutor(turns.AT_A_TIME) as pool:
        busy = [pool.submit(turns.in_turn(end.wait), 5) for _ in range(turns.AT_A_TIME)]
        while turns._turns._value:
            time.sleep(0.001)
        assert turns.in_turn(lambda: "drawn")() == "drawn"
        assert turns._turns._value == 0
        end.set()
        assert all(one.result(5) for one in busy)
    assert turns._turns._value == turns.AT_A_TIME
