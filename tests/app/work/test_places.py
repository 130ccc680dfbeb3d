"""Places are given in fair turns: by address, then by session, then by order; and everybody gets one at last."""

from __future__ import annotations

import random
import time
from collections import Counter
from itertools import count
from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.work import places, result_cache
from ui.work.places import KEPT, LOOK, RECENT, STEP, Places
from ui.work.visitor import Limit, Visitor

AT_ONCE = 2


class Hall:
    """Places on a clock of our own, with the visitors that read and wait, in the order of asking."""

    def __init__(self, number=AT_ONCE):
        self.now = 1000.0
        self.places = Places(number, lambda: self.now)
        self.tickets = []

    def ask(self, session, address, **how):
        self.tickets.append(self.places.ask(Visitor(f"session {session}", address), **how))
        return self.tickets[-1]

    def leave(self, ticket):
        self.tickets.remove(ticket)
        self.places.leave(ticket)

    def go_on(self, seconds):
        self.now += seconds

    def read(self, session, address, seconds):
        """Read as somebody for whom there is a place, and let the turn be over."""
        ticket = self.ask(session, address)
        assert not self.places.number(ticket)
        self.go_on(seconds)
        self.leave(ticket)
        self.go_on(max(KEPT, LOOK))

    def reading(self):
        return [one for one in self.tickets if not self.places.number(one)]

    def line(self):
        """Those who wait, in the order of what they are told."""
        told = {self.places.number(one): one for one in self.tickets if self.places.number(one)}
        assert sorted(told) == list(range(1, len(self.tickets) - len(self.reading()) + 1))
        return [told[number] for number in sorted(told)]


def test_one_address_has_all_places_while_nobody_else_waits():
    hall = Hall()
    students = [hall.ask(number, "lecture hall") for number in range(5)]
    assert hall.reading() == students[:2]
    assert hall.line() == students[2:]
    hall.leave(students[0])
    hall.go_on(KEPT)
    assert hall.reading() == students[1:3]
    assert hall.line() == students[3:]


def test_the_uploads_of_one_address_hold_up_somebody_else_by_one_reading():
    hall = Hall()
    many = [hall.ask(number, "one") for number in range(8)]
    honest = hall.ask("honest", "other")
    assert hall.line()[0] is honest
    hall.go_on(5)
    hall.leave(many[0])
    assert hall.reading() == [many[1], honest], "at once: who waits does not wait for a kept turn"
    later = hall.ask("later", "third")
    hall.leave(honest)
    hall.go_on(KEPT)
    assert hall.reading() == [many[1], later], "one place for one address while others wait"


def test_who_was_read_for_the_shortest_time_of_late_goes_first():
    hall = Hall(1)
    hall.read("a", "long", 3 * STEP)
    hall.read("b", "short", STEP)
    hall.read("c", "hall", 2.1 * STEP)
    hall.read("d", "hall", 0.1 * STEP)
    hall.read("g", "little", STEP - 1)
    now = hall.ask("now", "busy")
    names = ("a", "long"), ("b", "short"), ("c", "hall"), ("d", "hall"), ("e", "hall"), ("f", "new"), ("g", "little")
    asked = {name: hall.ask(name, address) for name, address in names}
    assert hall.line() == [asked[name] for name in "fgbdaec"]
    hall.go_on(RECENT)
    assert hall.line() == [asked[name] for name in "abcfgde"], "as they asked, but for a place for each address"
    hall.leave(now)


def test_a_session_has_one_place_which_its_last_run_takes_over():
    hall = Hall()
    older = hall.ask("mine", "here")
    newer = hall.ask("mine", "here")
    assert hall.reading() == [older], "though a place is free"
    other = hall.ask("other", "there")
    third = hall.ask("third", "there")
    assert hall.reading() == [older, other]
    assert hall.line() == [third, newer], "after those that could be called"
    hall.leave(older)
    assert hall.reading() == [newer, other], "at once"
    hall.places.leave(older)
    assert hall.places.n_taken() == 2, "who has left has no place to give back"


def test_a_place_does_not_stay_where_nothing_follows_and_who_is_next_is_called_at_once():
    hall = Hall(1)
    first, second = (hall.ask(number, "here", is_alone=True) for number in range(2))
    assert first.called.is_set()
    assert not second.called.is_set()
    hall.leave(first)
    assert second.called.is_set()
    assert hall.reading() == [second]


def test_a_place_stays_its_session_s_between_two_calls_unless_another_goes_first():
    hall = Hall(1)
    first = hall.ask("mine", "here")
    other = hall.ask("other", "there")
    hall.go_on(STEP / 2)
    hall.leave(first)
    hall.go_on(KEPT / 2)
    assert hall.line() == [other]
    second = hall.ask("mine", "here")
    assert hall.reading() == [second]
    hall.go_on(STEP / 2 - KEPT / 2)
    hall.leave(second)
    assert hall.reading() == [other], "with the time between, the first was read for longer"
    hall.leave(other)
    third = hall.ask("third", "there")
    hall.go_on(KEPT / 2)
    hall.places.leave(other)
    hall.go_on(KEPT / 2)
    assert hall.reading() == [third], "nobody went on"


def test_a_short_file_is_read_to_its_end_before_another_call_of_a_long_one():
    hall = Hall(1)
    hall.read("long", "there", 3 * STEP)
    short = hall.ask("short", "here")
    hall.ask("long", "there")
    for _ in range(3):
        hall.go_on(0.8 * STEP)
        hall.leave(short)
        short = hall.ask("short", "here")
        assert hall.reading() == [short]


def test_who_leaves_gives_the_place_back_and_twice_is_once():
    hall = Hall()
    tickets = [hall.ask(number, f"address {number}") for number in range(6)]
    hall.leave(tickets[4])
    assert hall.line() == [tickets[2], tickets[3], tickets[5]]
    for _ in range(3):
        hall.places.leave(tickets[0])
        hall.places.leave(tickets[4])
    hall.go_on(KEPT)
    assert hall.places.number(tickets[2]) == 0
    assert hall.places.n_taken() == 2
    for one in tickets:
        hall.places.leave(one)
    hall.go_on(KEPT)
    assert hall.places.n_taken() == 0
    assert not hall.places.number(hall.ask("new", "new"))
    assert not hall.places.number(hall.ask("newer", "new"))


def test_what_is_remembered_of_those_who_have_gone_is_forgotten():
    hall = Hall()
    for number in range(100):
        hall.read(number, f"address {number}", 1)
    hall.go_on(RECENT)
    ticket = hall.ask("last", "address")
    hall.leave(ticket)
    hall.go_on(RECENT)
    hall.ask("next", "address")
    hall.ask("next but one", "address")
    assert len(hall.places._turns) == AT_ONCE
    assert not hall.places._waiting
    assert not hall.places._served._numbers


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["ask", "ask", "ask", "leave", "go on"]),
        st.integers(0, 5),
        st.integers(0, 2),
        st.floats(0.01, 40),
    ),
    min_size=20,
    max_size=60,
)


@given(STEPS)
def test_the_rules_hold_while_visitors_come_and_go(steps):
    hall = Hall()
    for what, session, address, seconds in steps:
        before, waited = hall.reading(), hall.line()
        if what == "ask":
            hall.ask(f"{session} at {address}", f"address {address}")
        elif what == "leave" and hall.tickets:
            hall.leave(hall.tickets[session % len(hall.tickets)])
        else:
            hall.go_on(seconds)
        reading, waits = hall.reading(), hall.line()
        assert len(reading) == hall.places.n_taken() <= AT_ONCE
        assert {*before} & {*hall.tickets} <= {*reading}, "who reads goes on"
        sessions = [one.visitor.session for one in reading]
        assert len(sessions) == len(set(sessions))
        if {*reading} - {*before}:
            addresses = {one.visitor.address for one in reading}
            could = {one.visitor.address for one in waits if one in waited and one.visitor.session not in sessions}
            assert len(addresses) == len(reading) or could <= addresses, "one address has both places"
    hall.go_on(max(KEPT, LOOK))
    sessions = {one.visitor.session for one in hall.reading()}
    if len(sessions) < AT_ONCE:
        assert {one.visitor.session for one in hall.line()} <= sessions, "no place is free that somebody could take"


@given(STEPS)
def test_who_waits_is_called_in_the_order_that_is_told(steps):
    hall = Hall()
    for what, session, address, seconds in steps:
        if what == "ask" and f"session {session}" not in {one.visitor.session for one in hall.tickets}:
            hall.ask(session, f"address {address}")
        elif what == "leave" and hall.tickets:
            hall.leave(hall.tickets[session % len(hall.tickets)])
        else:
            hall.go_on(seconds)
    hall.go_on(max(KEPT, LOOK))
    reading = hall.reading()
    for one in hall.line():
        hall.places._number += 1
        hall.places._next = hall.now  # no time goes on: what counted of late would count no more
        reading.append(one)
        assert {*hall.reading()} == {*reading}


def test_so_many_calls_have_begun_and_not_ended_and_every_address_may_begin_some():
    hall = Hall()
    hall.places = Places(2, lambda: hall.now, begun=(2, 3, 4), step=0.01)

    def begin(name):
        """Begin and let others pass, as `wait` does; return whether there was room."""
        ticket = hall.ask(name, f"address {name[0]}")
        has_begun = not hall.places.number(ticket)
        hall.tickets.remove(ticket)
        hall.places.leave(ticket, has_ended=not has_begun)
        hall.go_on(1.0)
        return ticket if has_begun else None

    begun = [begin(name) for name in ("a1", "a2", "a3")]
    assert all(begun)
    assert not begin("a4"), "three of an address"
    assert begin("b1")
    assert begin("b2")
    assert not begin("b3"), "four in all"
    assert begin("c1"), "who comes may begin"
    again = hall.places.ask(begun[0].visitor, has_begun=True)
    assert not hall.places.number(again), "what has begun goes on"
    hall.places.leave(again)
    hall.places.leave(begun[0])
    assert not begin("a4"), "there are five"
    for ticket in begun[1:]:
        hall.places.leave(ticket)
    assert begin("a4")


def test_what_waits_for_room_to_begin_begins_when_another_has_ended():
    line, passed, begun = Places(1, begun=(1, 1, 1), step=0.001), [], []

    def call(name):
        with line.wait(lambda _: None, 0.001, [Visitor(name, "hall")]) as let_pass:
            begun.append(name)
            for _ in range(5):
                let_pass()
            passed.append(name)

    threads = [Thread(target=call, args=(name,)) for name in ("one", "two", "three")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(passed) == sorted(begun) == ["one", "three", "two"]
    assert passed == begun, "each ended before the next began"
    assert not line._begun
    assert line.n_taken() == 0


def test_who_lets_nobody_pass_for_long_is_waited_for_by_his_own_address_alone():
    hall = Hall()
    hall.places = Places(1, lambda: hall.now, patience=3.0)
    hall.ask("a1", "home")
    hall.go_on(2.0)
    waits = [hall.ask("b1", "elsewhere"), hall.ask("a2", "home"), hall.ask("c1", "third")]
    assert [hall.places.number(one) for one in waits] == [1, 3, 2]
    hall.go_on(1.0 + LOOK)
    assert [hall.places.number(one) for one in waits] == [0, 2, 1], "the new one holds up all"
    hall.go_on(3.0 + LOOK)
    assert [hall.places.number(one) for one in waits] == [0, 1, 0], "his own address still waits"


def test_what_else_is_done_for_somebody_counts_as_if_he_had_been_served():
    hall, served = Hall(), Limit(RECENT)
    hall.places = Places(1, lambda: hall.now, served=served, step=1.0)
    places.note(served, Visitor("a0", "home"), hall.now - 5.0, hall.now)
    first = hall.ask("c0", "third")
    one, other = hall.ask("a1", "home"), hall.ask("b1", "elsewhere")
    assert [hall.places.number(ticket) for ticket in (first, one, other)] == [0, 2, 1]


@pytest.mark.parametrize(("number", "seconds", "longest"), [(1, 1.0, 10), (2, 4.0, 20)], ids=["results", "files"])
@pytest.mark.parametrize("strangers", [1, 2])
def test_who_comes_holds_up_a_hall_by_seconds_only(number, seconds, longest, strangers):
    """Results are computed by slices of a second, of who had least in the last seconds; a hall has had a minute."""
    hall = Hall()
    hall.places = Places(number, lambda: hall.now, step=min(seconds, STEP))
    for _ in range(round(60 / seconds)):
        for ticket in [hall.ask(student, "hall") for student in range(number)]:
            hall.go_on(seconds / number)
            hall.leave(ticket)
    since, addresses = hall.now, ["hall", *map("stranger {}".format, range(strangers))]
    visitors = [(f"{session} of {address}", address) for session in range(number) for address in addresses[::-1]]
    tickets = {one: hall.ask(*one) for one in visitors}
    while all(hall.places.number(ticket) for (_, address), ticket in tickets.items() if address == "hall"):
        serving = [one for one in visitors if not hall.places.number(tickets[one])]
        hall.go_on(seconds)
        for one in serving:
            hall.leave(tickets[one])
        tickets |= {one: hall.ask(*one) for one in serving}
    assert hall.now - since <= longest


@pytest.mark.parametrize("students", [7, 9, 40])
def test_those_that_may_not_begin_hold_back_nothing_that_has_begun(students):
    """Eight of an address may have begun; a hall with more, and two strangers' sessions, have half of the time each."""
    hall, served = Hall(), Counter()
    hall.places = Places(1, lambda: hall.now, begun=result_cache.BEGUN, step=1.0)
    visitors = [(number, "hall") for number in range(students)] + [("one", "stranger"), ("two", "stranger")]
    tickets = {one: hall.ask(*one) for one in visitors}
    for _ in range(120):
        [serving] = [one for one in visitors if not hall.places.number(tickets[one])]
        hall.go_on(1.0)
        hall.tickets.remove(tickets[serving])
        hall.places.leave(tickets[serving], has_ended=False)
        tickets[serving] = hall.places.ask(Visitor(f"session {serving[0]}", serving[1]), has_begun=True)
        hall.tickets.append(tickets[serving])
        served[serving] += 1
    assert 55 <= sum(served[one] for one in visitors[-2:]) <= 65
    assert len(served) == min(students, 8) + 2
    assert hall.line()[-1] == tickets[visitors[-3]] or students < 8, "they are last"


LONGEST, CROWD = 30, 5


def wait_beside(arrive, seconds):
    """The seconds that somebody waits whose address was read for so many, while others come as a call says."""
    hall, chance, ends = Hall(), random.Random(3), {}
    hall.read("victim", "home", seconds)
    for _ in range(CROWD):
        for one in arrive():
            hall.ask(*one)
    victim, since = hall.ask("victim", "home"), hall.now
    while hall.places.number(victim):
        assert hall.now - since < 3000, "starved"
        for one in hall.reading():
            if hall.now >= ends.setdefault(one, hall.now + chance.uniform(1, LONGEST)):
                hall.leave(one)
        for one in arrive():
            hall.ask(*one)
        hall.go_on(4)
    return hall.now - since


def test_everybody_who_waits_gets_a_place_at_last():
    numbers = count()

    def flood(*addresses):
        return lambda: [(number, address.format(number)) for address in addresses for number in [next(numbers)]]

    soon = 2 * LONGEST
    assert wait_beside(flood("attacker"), 1) <= soon
    assert wait_beside(flood("attacker"), RECENT) <= soon + RECENT
    assert wait_beside(flood("stranger {}"), RECENT) <= soon + RECENT + CROWD * LONGEST
    assert wait_beside(flood("home"), RECENT) <= soon + RECENT + CROWD * LONGEST
    assert wait_beside(flood("home", "stranger {}"), RECENT) <= soon + CROWD * (LONGEST + RECENT)


def test_places_are_given_to_threads_one_by_one_each(monkeypatch):
    monkeypatch.setattr(places, "KEPT", 0.0)
    monkeypatch.setattr(places, "LOOK", 0.0)
    line, most, done = Places(AT_ONCE), [], []

    def visit(number):
        for _ in range(20):
            ticket = line.ask(Visitor(f"session {number}", f"address {number % 3}"))
            try:
                while line.number(ticket):
                    time.sleep(0.0005)
                time.sleep(0.0005)
                most.append(line.n_taken())
            finally:
                line.leave(ticket)
        done.append(number)

    threads = [Thread(target=visit, args=(number,), daemon=True) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(done) == list(range(12))
    assert max(most) <= AT_ONCE
    assert line.n_taken() == 0
