"""What each coefficient does with a pair, what a link holds, what a drag writes."""

import pytest

import tiekit as tk
from tiekit.core.pairs import KINDS
from ui.toy_lab import lab


def test_effects_are_the_weights_of_the_wmt_tables():
    cells = {
        "concordant": (0, 0),
        "discordant": (0, 2),
        "ties_human": (1, 0),
        "ties_metric": (0, 1),
        "ties_both": (1, 1),
    }
    words = {1: "rewards", -1: "punishes", 0: "no credit", None: "ignores"}
    tables = {name: entry.table for name, entry in tk.COEFFICIENTS.items() if entry.table is not None}
    assert len(tables) == 6
    for name, table in tables.items():
        for kind, (row, column) in cells.items():
            assert tk.COEFFICIENTS[name].effect(kind) == words[table[row][column]], (name, kind)


@pytest.mark.parametrize("kind", KINDS)
def test_effects_are_what_one_more_pair_does(kind):
    """For the coefficients without a table: add a pair of the kind where C = 50 and see."""
    fields = dict.fromkeys(KINDS, 0) | {"concordant": 50, "discordant": 10, "ties_human": 5, "ties_metric": 5}
    here, there = (
        tk.PairCounts(**(fields | {kind: fields[kind] + more}), n_scores=20, n_distinct=4) for more in (0, 1)
    )
    for name in ("tau_b", "tau_c"):
        entry = tk.COEFFICIENTS[name]
        moved, effect = entry.value(there) - entry.value(here), entry.effect(kind)
        assert (effect == "rewards") == (kind == "concordant" and moved > 0)
        assert (effect == "punishes") == (kind == "discordant" and moved < 0)
        assert name == "tau_c" or (effect == "ignores") == (moved == 0)


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("2-4", [1, 3]),
        ("1-2", [0, 1]),
        *dict.fromkeys(["4-2", "2-2", "0-1", "2", "a-b", "²-4", "", "1-99999999", "-1-2"]).items(),
    ],
)
def test_a_pair_of_a_link_is_two_items_in_order(text, pair):
    assert lab._pair(text) == pair


@pytest.mark.parametrize(
    ("line", "items", "written"),
    [
        ("1e-3 .50 nan", {0: 0.001, 1: 0.5}, "1e-3 .50 nan"),
        ("1e-3 .50 nan", {1: 0.25}, "0.001 0.25 nan"),
        ("1 2", {2: 7.0}, "1 2"),
        ("1 x 3", {0: 7.0}, "1 x 3"),
    ],
)
def test_a_drag_writes_its_items_into_the_line_as_it_is_now(line, items, written):
    assert lab._move_items(line, items) == written


class Browser:
    """A session that sends the lines' texts with every change, late: as they were before it heard of the last one."""

    def __init__(self, monkeypatch):
        self.now, self.clock = {"m1": "1 2 3", "m2": "4 5 6", "eps": "0"}, 100.0
        monkeypatch.setattr(lab.st, "session_state", self.now)
        monkeypatch.setattr(lab.time, "monotonic", lambda: self.clock)

    def run(self, *, takes=0.0, said=None, is_stopped=False, **texts):
        """One run: what the browser sends, the callback, the page until it has drawn the lines or is stopped."""
        self.now.update(texts)
        if said is not None:
            lab._hear(said)
        if is_stopped:
            return
        lab._put_back(is_just_heard=self.now.pop("lab_just_heard", False))
        self.clock += takes
        self.now["lab_drawn_at"] = self.clock

    @property
    def lines(self):
        return self.now["m1"], self.now["m2"], self.now["eps"]


def drag(line, item, score):
    return {"scores": {line: {str(item): score}}}


def test_what_is_dragged_stays_however_long_the_server_was_busy(monkeypatch):
    browser = Browser(monkeypatch)
    browser.run(said=drag("m1", 0, 9.0), takes=60)
    browser.run(m1="1 2 3")  # the browser had not yet received the new line
    assert browser.lines == ("9 2 3", "4 5 6", "0")
    browser.run(said=drag("m2", 0, 7.0), m1="1 2 3", takes=60)
    browser.run(said={"epsilon": 1}, m1="1 2 3", m2="4 5 6", takes=60)
    browser.run(m1="9 2 3", m2="4 5 6", eps="0")
    assert browser.lines == ("9 2 3", "7 5 6", "1")


def test_two_drags_of_a_line_are_both_kept(monkeypatch):
    browser = Browser(monkeypatch)
    browser.run(said=drag("m1", 0, 9.0))
    browser.run(said=drag("m1", 1, 8.0), m1="1 2 3")
    assert browser.lines[0] == "9 8 3"
    for late in ("1 2 3", "9 2 3"):
        browser.run(m1=late)
        assert browser.lines[0] == "9 8 3"


def test_what_a_stopped_run_has_heard_stays(monkeypatch):
    browser = Browser(monkeypatch)
    browser.run(said=drag("m1", 0, 9.0), is_stopped=True)
    browser.run(m1="1 2 3")
    assert browser.lines[0] == "9 2 3"
    browser.run(said={"epsilon": 1}, m1="1 2 3", is_stopped=True)
    browser.run(m1="1 2 3", eps="0")
    assert browser.lines == ("9 2 3", "4 5 6", "1")


def test_an_old_line_that_is_typed_again_counts(monkeypatch):
    browser = Browser(monkeypatch)
    browser.run(said=drag("m1", 0, 9.0))
    browser.run(m1="9 2 3")  # received
    browser.run(m1="1 2 3")
    assert browser.lines[0] == "1 2 3"
    browser.run(said=drag("m1", 0, 9.0))
    browser.clock += lab.MEANWHILE + 1
    browser.run(m1="1 2 3")
    assert browser.lines[0] == "1 2 3"


def test_scores_of_a_line_that_there_is_not_are_not_kept(monkeypatch):
    browser = Browser(monkeypatch)
    before = set(browser.now)
    browser.run(said={"scores": {"m1": {"0": 9.0}, "m99": {"0": 9.0}, "x" * 1000: {"0": 9.0}}})
    assert browser.lines[0] == "9 2 3"
    assert set(browser.now) - before == {"lab_written", "lab_drawn_at"}
