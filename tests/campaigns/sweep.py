"""Pages in every view on one file of an odd shape: what they take in their own thread, and between two beats.

`python -m tests.campaigns.sweep SHAPE FOLDER SECONDS PAGE …` walks through each page's controls as a visitor who tries
one after the other, and writes a line of JSON for each view. What a reading's process sends back is kept in the folder,
so that each file is read once. A computation is given up after `PATIENCE` seconds, as by a visitor who has left.
"""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.local_script_runner import LocalScriptRunner

import tiekit as tk
from tests.campaigns import shapes
from ui.evalset import sources
from ui.page import pages, shell
from ui.work import bounded_reading, result_cache

ROOT = Path(__file__).parents[2]
PATIENCE = 2.5
"""Seconds of processor time after which what a view computes in a place is given up."""

GIVEN_UP = "the visitor of the sweep has left"
"""What a page says of such a computation."""

OPEN = {"votes": ("vote_source", "my file"), "rankings": ("jud_source", "my file")}
"""How a page is told to take a file of a kind that is no set."""

ALONE = ("source", "layout", "lecture", "jud_source", "vote_source")
LEFT = ("stop ", "go on ", "csv ", "class_", "present", "download", "embed", "added", "use_other", "official_", "guess")
"""How the keys of controls begin that are left alone."""

FEW = 12
"""Of more options than these the first, the middle and the last are tried."""


class Watch:
    """The longest time in which nobody said anything, in processor time, and where the threads were meanwhile."""

    def __init__(self) -> None:
        self._guard, self._jobs = threading.Lock(), 0
        self.begin()
        threading.Thread(target=self._sample, daemon=True).start()

    def begin(self) -> None:
        """Begin a view."""
        with self._guard:
            self._last, self._where = time.process_time(), Counter[str]()
            self.silent: dict[str, tuple[float, str]] = {}
            self.cpu, self.sent = Counter[str](), 0

    def beat(self, kind: str = "", jobs: int = 0) -> None:
        """Note that something is said, by the page itself where no result is computed; so many of these begin now."""
        with self._guard:
            now, self._jobs = time.process_time(), self._jobs + jobs
            gap, kind = now - self._last, kind or ("result" if self._jobs - jobs else "page")
            if gap > self.silent.get(kind, (0.0, ""))[0]:
                self.silent[kind] = gap, " | ".join(place for place, _ in self._where.most_common(3))
            self.cpu[kind] += gap
            self._last, self._where = now, Counter()

    def _sample(self) -> None:
        while True:
            time.sleep(0.2)
            places = {_place(frame) for frame in sys._current_frames().values()} - {""}
            with self._guard:
                self._where.update(places)


def _place(frame: Any) -> str:
    """The innermost three lines of the project in a stack."""
    found: list[str] = []
    while frame is not None and len(found) < 3:
        name = frame.f_code.co_filename
        if name.startswith((f"{ROOT}/ui", f"{ROOT}/tiekit", f"{ROOT}/pages")):
            found.append(f"{name.removeprefix(f'{ROOT}/')}:{frame.f_lineno}")
        frame = frame.f_back
    return " < ".join(found)


def listen(watch: Watch, folder: Path) -> None:
    """Let messages and beats be noted, readings be kept, and long computations be given up."""
    send, get, read = ScriptRunContext.enqueue, result_cache.Results.get, bounded_reading._read_in_process
    run_thread = LocalScriptRunner._run_script_thread

    def enqueue(self: Any, message: Any) -> None:
        watch.beat()
        watch.sent += message.ByteSize()
        send(self, message)

    def get_watched(self: Any, key: Any, compute: Callable[[Any], Any], beat: Any, visitor: Any = None) -> Any:
        def run(progress: Callable[[float], Any]) -> Any:
            def tell(share: float) -> None:
                watch.beat()
                if watch.cpu["result"] > PATIENCE:
                    raise tk.InputError(GIVEN_UP)
                progress(share)

            watch.beat(jobs=1)
            try:
                return compute(tell)
            finally:
                watch.beat(jobs=-1)

        return get(self, key, compute if visitor is None else run, beat, visitor)

    def run_script(self: Any) -> None:
        watch.beat("outside")
        try:
            run_thread(self)
        finally:
            watch.beat()

    def read_once(call: Any, memory: int, seconds: int, look: Any) -> Any:
        file = folder / hashlib.sha256(pickle.dumps(call)).hexdigest()[:20]
        if not file.exists():
            try:
                found = read(call, memory, seconds, look)
            except tk.TiekitError as error:
                found = error
            file.write_bytes(pickle.dumps(found))
        kept = pickle.loads(file.read_bytes())
        watch.beat("reading")
        if isinstance(kept, tk.TiekitError):
            raise kept
        return kept

    ScriptRunContext.enqueue, result_cache.Results.get = enqueue, get_watched  # type: ignore[method-assign]
    LocalScriptRunner._run_script_thread = run_script  # type: ignore[method-assign]
    bounded_reading._read_in_process, bounded_reading.is_bounded = read_once, lambda: True


def controls(app: AppTest) -> Iterator[tuple[str, str, Any]]:
    """What a visitor may do on a page: kind of a control, its key, and what he makes of it."""
    for kind in ("selectbox", "button_group", "toggle", "select_slider", "slider", "number_input", "button"):
        for one in app.get(kind):
            key = str(one.key or one.label)
            if key in ALONE or key.startswith(LEFT) or (kind == "button" and one.disabled):
                continue
            yield from ((kind, key, value) for value in _values(kind, one))


def _values(kind: str, one: Any) -> list[Any]:
    if kind == "button":
        return ["press"]
    if kind == "toggle":
        return [not one.value]
    if kind in ("slider", "number_input"):
        return [one.min, one.max] if isinstance(one.value, int | float) and one.max is not None else []
    options = list(one.options)
    if len(options) > FEW:
        options = [options[0], options[len(options) // 2], options[-1]]
    if kind == "button_group" and isinstance(one.value, list):
        return [[*one.options], *([option] for option in options[-1:])]
    return options


def do(app: AppTest, kind: str, key: str, value: Any) -> bool:
    """Let the visitor do something; return whether there is such a control now."""
    found = [one for one in app.get(kind) if str(one.key or one.label) == key]
    if not found or (kind == "button" and found[0].disabled):
        return False
    try:
        found[0].click() if kind == "button" else found[0].set_value(value)
        app.run()
    except (ValueError, KeyError):  # an option that is offered no more
        return False
    return True


def peak(*, anew: bool = False) -> float:
    """The most megabytes that this process has held since it was asked anew."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    if anew:
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def open_page(page: str, kind: str) -> AppTest:
    """Open a page where a visitor is to give files of a kind."""
    app = AppTest.from_file(ROOT / "app.py", default_timeout=600)
    app.session_state[shell.READ] = {one.file for one in pages.path()}
    app.switch_page(f"pages/{page}.py")
    key, value = OPEN.get(kind, ("source", sources.FILES))
    app.query_params[key] = value
    return app.run()


def upload(app: AppTest, kind: str, files: dict[str, bytes]) -> None:
    """Give the files, as a visitor does."""
    for name, content in files.items():
        app.file_uploader(key="upload files" if kind == "set" else f"upload {kind}").upload(name, content)
    app.run()


def walk(
    page: str, shape: str, files: dict[str, bytes], watch: Watch, seconds: float, tell: Callable[..., None]
) -> None:
    """Try one control after the other for so many seconds of processor time; tell what each view takes."""
    kind = shapes.KIND.get(shape, "set")
    app, draw, until = open_page(page, kind), random.Random(page + shape), time.process_time() + seconds
    todo: list[tuple[str, str, Any]] = []
    known: set[str] = set()

    def view(name: str, act: Callable[[], object]) -> bool:
        tell(page=page, begins=name)
        peak(anew=True)
        before = peak()
        watch.begin()
        if act() is False:
            return False
        problems = [f"{one.value} {one.stack_trace[-1:]}" for one in app.exception]
        fresh = [one for one in controls(app) if repr(one) not in known]
        if name == "upload" and not fresh:  # a file that is refused tries nothing
            problems += [one.value for one in app.error if GIVEN_UP not in one.value]
        tell(
            page=page,
            view=name,
            mb=round(peak() - before),
            silent=watch.silent,
            cpu=watch.cpu,
            sent=watch.sent,
            box=problems,
        )
        known.update(map(repr, fresh))
        draw.shuffle(fresh)
        todo.extend(sorted(fresh, key=lambda one: ("part" in one[1]) - 2 * (one[0] == "button")))
        return True

    view("upload", lambda: upload(app, kind, files))
    while todo and time.process_time() < until:
        kind, key, value = todo.pop()
        view(f"{key} = {repr(value)[:60]}", lambda: do(app, kind, key, value))  # noqa: B023 — called at once
    tell(page=page, rest=[f"{key} = {repr(value)[:30]}" for _, key, value in todo])


def main() -> None:
    shape, folder, seconds, *visited = sys.argv[1:]
    os.environ["TQDM_DISABLE"] = "1"

    def tell(**said: Any) -> None:
        print(json.dumps(said, default=str), file=sys.stdout, flush=True)

    watch, files = Watch(), shapes.SHAPES[shape]()
    listen(watch, Path(folder))
    for page in visited:
        walk(page, shape, files, watch, float(seconds), tell)
    os._exit(0)


if __name__ == "__main__":
    main()
