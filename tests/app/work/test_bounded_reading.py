"""On a server for others a file is read in a process with limits, two at a time; elsewhere as ever."""

import gc
import lzma
import os
import pickle
import sys
import threading
import time
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from queue import SimpleQueue

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import tiekit as tk
from tests.app.reading import boxes
from tests.app.uploads import table_of
from tests.app.uploads import upload as choose_files
from tiekit.base.errors import warn
from tiekit.errors import RoleWarning, collect_warnings
from tiekit.readers import FORMATS, data_file
from ui.evalset import upload
from ui.leaderboard import newcomer
from ui.work import bounded_reading, places, reader_process, upload_quota
from ui.work.places import KEPT, Places
from ui.work.visitor import Visitor

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such limits")

FILES = {"mine.csv": table_of().replace(b"human", b"score")}


@pytest.fixture(autouse=True)
def _is_for_others(monkeypatch):
    line = Places(bounded_reading.AT_ONCE)
    monkeypatch.setattr(bounded_reading, "is_bounded", lambda: True)
    small = Places(bounded_reading.AT_ONCE, begun=bounded_reading.BEGUN, patience=bounded_reading.PATIENCE)
    monkeypatch.setattr(bounded_reading, "_places", line)
    monkeypatch.setattr(bounded_reading, "_places_of_small", small)
    monkeypatch.setattr(bounded_reading, "SPARES", 0)
    yield
    bounded_reading.end_all()
    assert line.n_taken() == small.n_taken() == 0, "who is served gives his place back"


def held():
    """The memory of this process, in MB."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def test_a_file_is_read_as_where_the_page_is_drawn():
    with collect_warnings() as expected:
        here = tk.read(FILES)
    there, said = bounded_reading.read(partial(tk.read, FILES), FILES)
    assert there.digest == here.digest
    assert there.notes == here.notes
    assert pickle.dumps(there) == pickle.dumps(here)
    assert said == expected
    assert RoleWarning in dict(said)


@pytest.fixture
def read_for(monkeypatch):
    """Reads for the session of this name, and returns which process did."""
    assert (reader_process.READY, reader_process.READ, reader_process.FAILED) == (b"!", "read", "failed")
    monkeypatch.setattr(reader_process, "__name__", "tests.app.work.quick_process")  # else each imports for long

    def read(session, call=os.getpid):
        monkeypatch.setattr(bounded_reading, "current_visitor", lambda: Visitor(session, "here"))
        return bounded_reading._read_in_process(call, bounded_reading.MEMORY_OF_SMALL, 10, lambda: None)[1]

    return read


def test_processes_begin_before_a_file_comes_and_each_reads_for_one_visitor(monkeypatch, read_for):
    monkeypatch.setattr(bounded_reading, "SPARES", 2)
    bounded_reading.expect_files()
    begun = [process.pid for process in bounded_reading._spares]
    assert [read_for("one"), read_for("two"), read_for("one")] == [*begun, begun[0]]
    later = list(bounded_reading._spares)
    assert len(later) == 2
    assert not {process.pid for process in later} & set(begun)
    later[0].kill()
    later[0].wait()
    assert read_for("three") == later[1].pid, "one that has ended is passed over"
    kept = [process for _, process in bounded_reading._kept.values()]
    bounded_reading.end_all()
    assert None not in {process.poll() for process in (*later, *kept)}
    assert not bounded_reading._spares
    assert not bounded_reading._kept


def test_a_visitor_s_process_ends_soon_and_of_too_many_the_oldest(monkeypatch, read_for):
    monkeypatch.setattr(bounded_reading, "KEPT", 2)
    first = read_for("one"), read_for("two"), read_for("three")
    assert list(bounded_reading._kept) == ["two", "three"]
    assert read_for("two") == first[1]
    assert read_for("one") not in first
    bounded_reading.end_idle()
    assert list(bounded_reading._kept) == ["two", "one"]
    _, process = bounded_reading._kept["two"]
    monkeypatch.setattr(bounded_reading, "KEPT_SECONDS", 0)
    bounded_reading.end_idle()
    assert process.poll() is not None
    assert not bounded_reading._kept


def test_a_process_that_failed_or_read_much_is_used_no_more(read_for):
    assert "ZeroDivisionError" in read_for("one", partial(divmod, 1, 0))
    assert not bounded_reading._kept
    bounded_reading._read_in_process(os.getpid, bounded_reading.MEMORY, 10, lambda: None)
    assert not bounded_reading._kept
    read_for("one")
    _, process = bounded_reading._kept["one"]
    process.kill()
    process.wait()
    assert read_for("one")


@pytest.mark.parametrize("entry", FORMATS.values(), ids=FORMATS)
def test_every_reader_can_be_called_in_another_process(entry):
    assert pickle.loads(pickle.dumps(entry.read)) is entry.read


def test_an_error_of_tiekit_comes_back_as_itself():
    files = {"mine.csv": b"system,segment,human,m\nA,1,2,3\nA,1,2,4\n"}
    with pytest.raises(tk.ReadError) as here:
        tk.read(files)
    with pytest.raises(tk.ReadError) as there:
        bounded_reading.read(partial(tk.read, files), files)
    assert str(there.value) == str(here.value)
    assert vars(there.value) == vars(here.value)


def test_what_was_refused_is_not_read_again_under_its_key(monkeypatch):
    monkeypatch.setattr(bounded_reading.st, "session_state", {})
    monkeypatch.setattr(bounded_reading, "is_bounded", lambda: False)
    calls = []

    def call():
        calls.append(1)
        raise tk.ReadError("mine.csv", "is empty")

    for key, number in (("a", 1), ("a", 1), ("b", 2)):
        with pytest.raises(tk.ReadError, match="is empty"):
            upload_quota.read(call, FILES, key)
        assert len(calls) == number
    for key in range(3 * bounded_reading.MOST_REFUSED):
        with pytest.raises(tk.ReadError):
            upload_quota.read(call, FILES, key)
    kept = bounded_reading.st.session_state[bounded_reading.REFUSED]
    assert len(kept) == bounded_reading.MOST_REFUSED
    with pytest.raises(tk.ReadError):
        upload_quota.read(call, FILES, next(reversed(kept)))
    assert not any(error.__traceback__ for error in kept.values()), "their frames hold the files"


@pytest.mark.campaign
def test_another_error_is_raised_with_its_traceback():
    with pytest.raises(RuntimeError, match=r"(?s)Traceback.*ZeroDivisionError"):
        bounded_reading.read(partial(divmod, 1, 0), FILES)


def test_a_reader_that_takes_too_much_memory_is_ended_and_the_server_does_not_grow():
    before = held()
    with pytest.raises(tk.ReadError, match=r"mine\.csv: needs more than 1\.5 GB of memory to be read"):
        bounded_reading.read(partial(bytearray, 4 * 2**30), FILES)
    assert held() < before + 20


def test_a_reader_that_computes_too_long_is_ended(monkeypatch):
    monkeypatch.setattr(bounded_reading, "SECONDS", 1)
    monkeypatch.setattr(bounded_reading, "SMALL", -1)  # else it would be tried twice
    monkeypatch.setattr(bounded_reading, "SLOWEST", 600)  # on a busy machine a second takes long
    with pytest.raises(tk.ReadError, match=r"2 files: needs more than 1 s of processor time to be read"):
        bounded_reading.read(partial(pow, 7, 10**9), {"a": b"", "b": b""})


def test_a_reader_that_only_waits_is_ended(monkeypatch):
    monkeypatch.setattr(bounded_reading, "SLOWEST", 0.1)
    monkeypatch.setattr(bounded_reading, "SECONDS", 10)
    with pytest.raises(tk.ReadError, match=r"needs more than 1\.0 s to be read"):
        bounded_reading.read(partial(time.sleep, 600), FILES)


def test_a_small_file_is_read_beside_two_large_ones():
    line = bounded_reading._places
    others = [line.ask(Visitor(f"session {number}", f"address {number}")) for number in range(bounded_reading.AT_ONCE)]
    assert bounded_reading.read(partial(len, b"abc"), FILES)[0] == 3
    for one in others:
        line.leave(one)


def test_a_small_file_that_takes_much_is_read_as_large_ones_are(monkeypatch):
    monkeypatch.setattr(bounded_reading, "MEMORY_OF_SMALL", 2**20)
    assert bounded_reading.read(partial(sorted, range(10**6)), FILES)[0][-1] == 10**6 - 1


def test_a_small_file_that_takes_long_gives_way_to_those_of_other_addresses(monkeypatch):
    line = Places(bounded_reading.AT_ONCE, begun=bounded_reading.BEGUN, patience=0.1)
    monkeypatch.setattr(bounded_reading, "_places_of_small", line)
    others = [line.ask(Visitor(f"session {number}", f"address {number}")) for number in range(bounded_reading.AT_ONCE)]
    assert bounded_reading.read(partial(len, b"abc"), FILES)[0] == 3
    of_same = line.ask(Visitor("another session", "address 0"))
    assert line.number(of_same) > 0, "its own address waits for it"
    for one in (*others, of_same):
        line.leave(one)


def test_who_reads_has_a_lower_priority_than_the_server_and_after_some_time_than_others_who_read():
    here = os.getpriority(os.PRIO_PROCESS, 0)
    priority = "__import__('os').getpriority(0, 0)"
    assert bounded_reading.read(partial(eval, priority), FILES)[0] == here + reader_process.LOWER
    bounded_reading.read(partial(eval, "setattr(__import__('__main__'), 'LONG', 0.1)"), FILES)  # the same process
    long = f"[sum(range(10**6)) for _ in range(2000) if {priority} == {here + reader_process.LOWER}] and {priority}"
    assert bounded_reading.read(partial(eval, long), FILES)[0] == here + 2 * reader_process.LOWER


def test_a_large_file_waits_for_large_ones(monkeypatch):
    asked = []

    def in_place(places, *_):
        asked.append(places)
        return None, []

    monkeypatch.setattr(bounded_reading, "_read_in_place", in_place)
    beyond = (bounded_reading.SMALL + 1) * 2**20
    for size in (beyond - 1, beyond):
        bounded_reading.read(partial(len, b""), {"a": b"", "b": bytes(size)})
    assert asked == [bounded_reading._places_of_small, bounded_reading._places]


def test_a_file_is_told_from_others_in_the_turn_of_its_page(monkeypatch):  # it takes time, which counts
    done = []

    @contextmanager
    def aside():
        done.append("aside")
        yield

    monkeypatch.setattr(bounded_reading, "aside", aside)
    monkeypatch.setattr(bounded_reading, "_digest", lambda _: done.append("digest"))
    monkeypatch.setattr(bounded_reading, "_read_in_place", lambda *_: (None, []))
    bounded_reading.read(partial(len, b""), FILES)
    assert done == ["digest", "aside"]


@pytest.mark.campaign
def test_a_reader_that_is_killed_is_said():
    with pytest.raises(tk.ReadError, match=r"more than 1\.5 GB of memory"):
        bounded_reading.read(partial(os.abort), FILES)


@pytest.mark.parametrize(
    ("content", "size"),
    [
        (b"x" * 100, 100),
        (b"\x1f\x8b" + bytes(100), 16 * 2**20),
        (b"PK" + bytes(2**18), 100 * (2**18 + 2)),
        (b"\x1f\x8b" + bytes(2**20), 64 * 2**20),
    ],
)
def test_time_is_given_for_what_a_file_unpacks_to(content, size):
    assert bounded_reading._unpacked_size(content) == size


@pytest.fixture
def visit(monkeypatch):
    """Begin a visit to have one file read; return its thread, and what each session is told."""
    visitors, threads, told, replies = {}, [], {}, {}

    class Place:
        """Where a visitor is told his number."""

        def info(self, text):
            told[visitors[threading.get_ident()].session] = text

        def empty(self):
            """Tell nothing."""

    def wait(session, address, call):
        visitors[threading.get_ident()] = Visitor(session, address)
        replies[session] = bounded_reading._read_in_turn(call, bounded_reading._digest(call), FILES)[0]

    def begin(session, address, call):
        threads.append(threading.Thread(target=wait, args=(session, address, call)))
        threads[-1].start()

    monkeypatch.setattr(bounded_reading, "PAUSE", 0.01)
    monkeypatch.setattr(places, "current_visitor", lambda: visitors[threading.get_ident()])
    monkeypatch.setattr(st, "empty", Place)
    begin.told, begin.replies = told, replies
    yield begin
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)


@pytest.fixture
def readings(monkeypatch):
    """Readings that begin, by their calls, and end when they may."""
    begun, may_end = SimpleQueue(), threading.Event()

    def process(call, *_):
        begun.put(call)
        assert may_end.wait(60)
        return reader_process.READ, [call], []

    monkeypatch.setattr(bounded_reading, "_read_in_process", process)
    yield begun, may_end
    may_end.set()


SAID = "The server reads 2 uploads at a time. Yours is number {} of those that wait."


def test_two_are_read_at_a_time_and_the_third_is_told_its_place(visit, readings):  # readings end before visits
    begun, _ = readings
    for number in range(2):
        visit(f"session {number}", "hall", number)
        assert begun.get(timeout=60) == number
    visit("session 2", "hall", 2)
    while visit.told != {"session 2": SAID.format(1)}:
        time.sleep(0.01)
    visit("session 3", "elsewhere", 3)
    while visit.told != {"session 2": SAID.format(2), "session 3": SAID.format(1)}:
        time.sleep(0.01)
    assert begun.empty()


def test_what_a_lecture_hall_waits_for_is_not_read_for_each(visit, readings):  # readings end before visits
    begun, may_end = readings
    for number in range(2):
        visit(f"session {number}", "hall", ["a file"])
        assert begun.get(timeout=60) == ["a file"]
    for number in range(2, 12):
        visit(f"session {number}", "hall", ["a file"])
    visit("session 12", "hall", ["another file"])
    while len(visit.told) < 11:
        time.sleep(0.01)
    may_end.set()
    while len(visit.replies) < 13:
        time.sleep(0.01)
    assert begun.get() == ["another file"]
    assert begun.empty(), "it was read by the two that began"
    assert visit.replies.pop("session 12") == [["another file"]]
    assert all(one == [["a file"]] for one in visit.replies.values())
    assert len({id(one) for one in visit.replies.values()}) <= 2, "they share it: a copy for each would fill the memory"
    visit.replies.clear()
    gc.collect()
    assert not bounded_reading._readings, "nothing is kept"


@pytest.mark.parametrize(("before", "has_begun"), [(0, True), (0, False), (2, False)])
def test_a_visitor_who_leaves_gives_his_place_back_and_ends_his_process_if_it_has_begun(monkeypatch, before, has_begun):
    class Leaves(BaseException):
        """What Streamlit raises in the run of a page that is over."""

    processes, asked, ask = [], [], bounded_reading._ask

    def note(process, *call):
        asked.append(process)
        return ask(process, *call)

    class Popen(bounded_reading.subprocess.Popen):
        def __init__(self, *args, **named):
            super().__init__(*args, **named)
            processes.append(self)

    def leave(*_):
        raise Leaves

    def empty(_):
        if asked if has_begun else processes:
            leave()

    draws = {"info": leave, "empty": empty}
    line = bounded_reading._places_of_small
    others = [line.ask(Visitor(f"session {number}", "elsewhere")) for number in range(before)]
    monkeypatch.setattr(bounded_reading.subprocess, "Popen", Popen)
    monkeypatch.setattr(bounded_reading, "_ask", note)
    monkeypatch.setattr(st, "empty", lambda: type("Place", (), draws)())
    with pytest.raises(Leaves):
        bounded_reading._read_in_turn(partial(time.sleep, 600), b"", FILES)
    assert [process.poll() for process in processes] == ([] if before else [-9 if has_begun else None])
    assert [*bounded_reading._spares] == [process for process in processes if not has_begun]
    assert line.n_taken() == before
    for one in others:
        line.leave(one)
    time.sleep(KEPT)
    later = [line.ask(Visitor(f"later {number}", "here")) for number in range(3)]
    assert list(map(line.number, later)) == [0, 0, 1]
    for one in reversed(later):
        line.leave(one)


def test_all_uploads_of_a_page_are_read_in_processes(open_app, monkeypatch):
    calls = []
    in_process = bounded_reading._read_in_process

    def note(call, *rest):
        calls.append(call.func)
        calls.extend(one.func for one in call.args if isinstance(one, partial))
        return in_process(call, *rest)

    def unpack(path, *_):
        unpacked.append(path)
        raise tk.ReadError(path, "is unpacked by the server")

    unpacked = []
    monkeypatch.setattr("tiekit.readers.read.unpack", unpack)
    monkeypatch.setattr(bounded_reading, "_read_in_process", note)
    app = open_app("5_Leaderboard")
    choose_files(app, None)
    packed = lzma.compress(FILES["mine.csv"])
    for files, said in (
        ({"a.csv.xz": packed, "b.dat": b"x"}, "b.dat: is in no known format (.dat, begins with b'x')"),
        ({"a.csv.xz": packed, "b.csv": FILES["mine.csv"]}, "the files do not belong together: a.csv.xz is an Excel"),
        ({"a.npz": packed}, "a.npz: is in no known format (.npz, begins with"),
    ):
        app.file_uploader(key="upload files").set_value([(*file, "") for file in files.items()]).run()
        assert said in boxes(app, "error")
    kept = [one for one in app.session_state[upload.ASKED].values() if isinstance(one, tk.TiekitError)]
    assert len(kept) == 3
    assert not any(error.__traceback__ for error in kept), "their frames hold the files"
    app.file_uploader(key="upload files").set_value([]).run()
    choose_files(app, None, *FILES.items())
    number = len(calls)
    assert calls == [*[reader_process.name_format] * 4, reader_process.look_ahead], "it asks and reads"
    app.run()
    assert len(calls) == number, "each once"
    app.button_group(key="metric_columns").set_value(["noise"]).run()
    assert list(app.session_state["opened_my files"][1].data.metrics) == ["noise"]
    assert calls[number:] == [reader_process.look_ahead], "a call for what is answered otherwise"
    app.file_uploader(key="added files 0").upload("a.npz", packed).run()
    assert "We cannot read a.npz" in boxes(app, "error")
    assert not unpacked
    del calls[:]
    mine = "\n".join(["system,segment,BLEU", *(f"s{i % 4},{i // 4},{i % 7}" for i in range(48))]).encode()
    app.file_uploader(key="added files 1").upload("b.csv", mine).run()
    assert calls == [reader_process.name_format, reader_process.look_ahead, reader_process.join]
    keys = [*app.session_state[upload.ASKED], *app.session_state[bounded_reading.REFUSED]]
    assert "'11'" not in repr(keys), "a set has many names, and a session many keys"
    app.run()
    assert len(app.success) == 1
    assert len([call for call in calls if call is reader_process.join]) == 1, "once"
    del calls[:]
    app.file_uploader(key="added files 2").set_value([("a", b"x", ""), ("b", b"y", "")]).run()
    assert calls == [reader_process.belong_together, *[reader_process.name_format] * 2]
    for number in (2, 3):
        app.button(key=f"added {number} remove").click().run()
    with monkeypatch.context() as patch:
        patch.setattr(upload_quota, "MOST_BYTES", 1000 + len(packed) + len(mine))
        app.file_uploader(key="added files 4").upload("c.csv", bytes(1001)).run()
        assert upload_quota.WORDS in boxes(app, "error")
        patch.setattr(upload_quota, "MOST_BYTES", 2400 + len(packed) + 2 * len(mine))
        app.file_uploader(key="added files 5").upload("d.csv", mine.replace(b"BLEU", b"chrF")).run()
        assert newcomer.TOO_MUCH in boxes(app, "error"), "what is read of a small file counts too"
        app.button(key="added 5 remove").click().run()
    assert [list(one.files) for one in next(reversed(app.session_state["added_files"].values()))] == [
        ["a.npz"],
        ["b.csv"],
    ]
    name, content = "many.csv", b",".join(b"m%d" % place for place in range(501)) + b"\n1" + b",1" * 500
    choose_files(app, None, (name, content))
    assert "These files hold 501 metrics and human scores; the limit of a page is 500." in boxes(app, "error")


def test_what_a_reading_returns_is_counted_before_it_is_sent():
    outcome, found, _ = pickle.loads(reader_process.answer(lambda: np.zeros(2**26 + 1)))
    assert outcome == reader_process.REFUSED
    assert str(found).startswith("What is read of these files takes 512 MB; a page gets at most 512. Split them")


def test_of_many_warnings_a_page_gets_the_first_and_the_number():
    def read():
        for number in range(1_000):
            warn(f"column {number}", RoleWarning)

    outcome, _, said = pickle.loads(reader_process.answer(read))
    assert outcome == reader_process.READ
    assert [text for _, text in said[-2:]] == ["column 19", "and 980 more warnings"]
    assert len(said) == 21


def test_scores_that_are_added_count_with_those_of_the_set(monkeypatch):
    monkeypatch.setattr(reader_process, "MOST_SCORES", 2)
    one, other = (tk.EvalSet.from_arrays([[0.0, 1.0]], {name: [[0.0, 1.0]]}) for name in "ab")
    with pytest.raises(tk.InputError, match="With these files there are 3 metrics and human scores; the limit"):
        reader_process.join(one, other, {}, of_people=False)


def test_more_systems_than_a_page_offers_are_refused_in_words(monkeypatch):
    monkeypatch.setattr(reader_process, "MOST_SYSTEMS", 2)
    data = tk.EvalSet.from_arrays(np.zeros((3, 4)), {"a": np.zeros((3, 4))})
    with pytest.raises(tk.InputError, match=r"These files hold 3 systems; the limit of a page is 2\. Compare them in"):
        reader_process.read_for_page(lambda: data)


@pytest.mark.parametrize("systems", [None, ["A" * 201]])
def test_a_name_that_is_too_long_to_choose_is_refused_in_words(systems):
    name = "a" if systems else "x" * 201
    data = tk.EvalSet.from_arrays([[0.0, 1.0]], {name: [[0.0, 1.0]]}, systems=systems)
    with pytest.raises(tk.InputError, match=r"These files hold the name '(A|x)*…' of 201 characters; the limit of a"):
        reader_process.read_for_page(lambda: data)


def test_what_tk_read_asks_about_a_table_a_page_asks_too():
    scores = np.random.default_rng(1).normal(size=(5, 40))
    data = tk.EvalSet.from_arrays(scores, {"mine": scores})
    with pytest.warns(RoleWarning, match="the metric 'mine' equals the human score"):
        reader_process.read_for_page(lambda: data)


def test_names_of_options_documents_and_the_set_are_bounded_and_notes_are_cut(monkeypatch):
    monkeypatch.setattr(reader_process, "LONGEST_NAME", 9)
    data = tk.EvalSet.from_arrays([[0.0, 1.0]], {"a": [[0.0, 1.0]]}, name="nine sign")
    assert reader_process.read_for_page(lambda: data) is data
    for longer in ({"name": "ten signs!"}, {"documents": ("ten signs!", "b")}):
        with pytest.raises(tk.InputError, match="These files hold the name 'ten signs!' of 10 characters; the limit"):
            reader_process.read_for_page(partial(replace, data, **longer))
    assert reader_process.read_for_page(lambda: replace(data, segments=("a longer text", "b")))
    monkeypatch.setattr(reader_process, "LONGEST_OF_SEGMENTS", 12)
    with pytest.raises(tk.InputError, match="the name 'a longer text' of 13 characters; the limit of a page is 12"):
        reader_process.read_for_page(lambda: replace(data, segments=("a longer text", "b")))
    table = {"a.csv": b"system,segment,human,ten_signs_\n" + b"".join(b"s%d,1,%d,.5\n" % (n, n) for n in range(9))}
    [*_, (_, last)], ahead = reader_process.look_ahead("table", table, {}, {}, reader_process.Use())
    assert ahead is None
    assert "These files hold the name 'ten_signs_' of 10 characters" in str(last)
    noted = replace(data, notes=("x" * 5_000, "y"))
    assert list(map(len, reader_process.read_for_page(lambda: noted).notes)) == [4_000, 1]


@pytest.mark.campaign
def test_votes_are_read_in_a_process():
    name, content = "mine.csv", data_file("votes/synthetic.csv").read_bytes()

    def page():
        import streamlit as st

        import tiekit as tk
        from ui.link import own_data

        opened = own_data.choose_file("votes", "vote_source", "votes/synthetic.csv", "Votes", tk.votes.read_votes)
        st.text(opened and opened.read.digest)

    app = AppTest.from_function(page, default_timeout=120).run()
    app.selectbox[0].select("my file").run()
    app.file_uploader[0].upload(name, content).run()
    assert not boxes(app, "error")
    assert app.text[0].value == tk.votes.read_votes({name: content}).digest


@pytest.mark.campaign
def test_questions_are_asked_again_where_an_answer_is_not_the_usual_one():
    entry = FORMATS["table"]

    def ask(questions, answers):
        found = []
        for one in questions:
            found.append(one)
            if one.argument != "score_column":
                answers[one.argument] = one.usual[:1] or one.options[:1]
        return found

    here, there = {}, {}
    expected = ask(entry.questions(FILES, here), here)
    use = reader_process.Use()
    assert ask(upload.questions(entry, FILES, "mine", there, use, repr), there) == expected
    assert here == there


def test_servers_for_others_are_those_that_say_so_or_listen_to_others(monkeypatch):
    monkeypatch.delenv(bounded_reading.PUBLIC, raising=False)
    for address, expected in (("localhost", False), ("127.0.0.1", False), ("0.0.0.0", True), (None, True)):
        monkeypatch.setattr(st, "get_option", {"server.address": address}.get)
        assert bounded_reading.is_for_others() == expected
    monkeypatch.setattr(st, "get_option", {"server.address": "localhost"}.get)
    monkeypatch.setenv(bounded_reading.PUBLIC, "1")
    assert bounded_reading.is_for_others()
