"""Long computations: progress that can be shown and canceled, and work for several processes."""

from __future__ import annotations

import functools
import os
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from numbers import Integral
from typing import Any, TypeAlias, TypeVar

from tiekit.base.errors import InputError, quote

Progress: TypeAlias = Callable[[float], None]
"""Called now and then with the fraction done; raise an exception to cancel."""

DELAY = 1.0
"""Seconds after which a bar appears."""

INTERVAL = 0.1
"""Seconds between two changes of a bar."""

_inside: ContextVar[bool] = ContextVar("inside", default=False)
_listener: ContextVar[Callable[[], None] | None] = ContextVar("listener", default=None)


def part_of(progress: Progress | None, number: int, total: int) -> Progress | None:
    """Return the progress function of one of several equal parts of the work, numbered from 0."""
    return None if progress is None else lambda fraction: progress((number + fraction) / total)


def still(progress: Progress | None, fraction: float) -> Progress | None:
    """Return the progress function of work that counts as no part of the whole: it tells the same fraction."""
    return None if progress is None else lambda _: progress(fraction)


def tell(progress: Progress | None, fraction: float) -> None:
    """Tell the fraction done, where somebody wants to know it."""
    if progress is not None:
        progress(fraction)


@contextmanager
def beating(progress: Progress | None, fraction: float = 0.0) -> Iterator[None]:
    """Let work that lies deep below call `beat` now and then: each tells this fraction, in this thread alone."""
    token = _listener.set(None if progress is None else lambda: progress(fraction))
    try:
        yield
    finally:
        _listener.reset(token)


def beat() -> None:
    """Tell whoever listens, see `beating`, that the work goes on."""
    listener = _listener.get()
    if listener is not None:
        listener()


def with_progress(items: Collection[Found], progress: Progress | None) -> Iterator[Found]:
    """Go through some items; when the work on one is done, tell the fraction."""
    for number, item in enumerate(items, 1):
        yield item
        if progress is not None:
            progress(number / len(items))


@contextmanager
def showing(progress: Progress | bool | None, label: str) -> Iterator[Progress | None]:
    """Give long work what it calls with the fraction done: the caller's function, a bar, or None.

    None and True are a bar on stderr or in a notebook, which appears after a second; False is nothing. Work within
    other work that is shown already has no bar of its own.
    """
    if not (progress is None or isinstance(progress, bool) or callable(progress)):
        raise InputError(f"progress: must be a function, True, False or None, found {progress!r}")
    given = None if isinstance(progress, bool) else progress
    bar = None if given is not None or progress is False or _inside.get() or not is_watched() else Bar(label)
    token = _inside.set(True)
    is_done = False
    try:
        yield given if bar is None else bar
        is_done = True
    finally:
        _inside.reset(token)
        if bar is not None:
            bar.close(is_done=is_done)


def is_watched() -> bool:
    """Tell whether somebody waits for a bar: at a terminal, and in a notebook.

    At a terminal only the main thread shows one: in other threads a server answers its visitors, as the app does.
    Nobody does where the environment variable ``TQDM_DISABLE`` is set.
    """
    if os.environ.get("TQDM_DISABLE", "0") not in {"", "0"}:
        return False
    if sys.stderr is not None and sys.stderr.isatty():
        return threading.current_thread() is threading.main_thread()
    ipython, marimo = sys.modules.get("IPython"), sys.modules.get("marimo")
    shell = None if ipython is None else ipython.get_ipython()
    in_jupyter = shell is not None and type(shell).__name__ != "TerminalInteractiveShell"
    return in_jupyter or (marimo is not None and bool(marimo.running_in_notebook()))


class Bar:
    """A bar of tqdm: it appears when work has taken a second, and goes when the work ends; ``label`` may change."""

    def __init__(self, label: str) -> None:
        self.label = label
        self._began = self._last = time.monotonic()  # a clock that is set back would hide the bar until then
        self._bar: Any = None

    def __call__(self, fraction: float) -> None:
        """Show the fraction done."""
        now = time.monotonic()
        if now - self._began < DELAY or now - self._last < INTERVAL:
            return
        self._last = now
        if self._bar is None:
            self._bar = _make_bar(self.label)
            self._bar.start_t = time.time() - (now - self._began)
        self._bar.set_description_str(self.label, refresh=False)
        self._bar.n = min(max(fraction, 0.0), 1.0)
        self._bar.refresh()

    def close(self, *, is_done: bool = True) -> None:
        """Take the bar away; a notebook shows one red that has not reached its end."""
        if self._bar is not None:
            self._bar.n = 1.0 if is_done else self._bar.n
            self._bar.close()


def _make_bar(label: str) -> Any:
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # in a notebook without ipywidgets tqdm warns, and writes its bar as text
        from tqdm.auto import tqdm
    # Without a thread that watches the bar: it is refreshed often enough, and there may be no threads.
    kind = type("Bar", (tqdm,), {"monitor_interval": 0})
    form = "{desc}: {percentage:3.0f}%|{bar}| {elapsed}<{remaining}"
    return kind(total=1.0, desc=label, leave=False, bar_format=form, delay=1e-9)  # nothing at 0 %


Part = TypeVar("Part")
Found = TypeVar("Found")

BUNDLES = 2
"""Tasks per worker process: few, since the data travel with each; more than one, to even out the load."""


def run_parts(
    work: Callable[..., Found],
    shared: tuple[Any, ...],
    parts: Sequence[Part],
    *,
    n_jobs: int | None = None,
    progress: Progress | None = None,
    inside: bool = False,
) -> Iterator[Found]:
    """Call ``work(*shared, part)`` for every part, and yield the results in the order of the parts.

    ``work`` is defined at the top of a module, so that other processes can import it, and depends on nothing but its
    arguments. ``n_jobs`` None is what ``joblib.parallel_config`` says, otherwise one (-1 is all cores, -2 all but
    one), but never more than parts; where no thread can be started, as in a browser, one. Where ``inside``, work that
    is done in the caller's own thread is also given the ``progress`` of its part.
    """
    told = progress if inside else None
    for done, found in enumerate(_results(work, shared, parts, check_jobs(n_jobs), told), 1):
        if progress is not None:
            progress(done / len(parts))
        yield found


def check_jobs(n_jobs: int | None) -> int | None:
    """Check a number of workers: a whole number other than 0, or None."""
    if n_jobs is None:
        return None
    if not isinstance(n_jobs, Integral) or isinstance(n_jobs, bool) or not n_jobs:
        raise InputError(
            f"n_jobs: must be a whole number other than 0 (-1 is all cores), or None, found {quote(n_jobs)}"
        )
    return int(n_jobs)


def _results(
    work: Callable[..., Found],
    shared: tuple[Any, ...],
    parts: Sequence[Part],
    n_jobs: int | None,
    progress: Progress | None,
) -> Any:
    if len(parts) <= 1 or n_jobs == 1 or not _has_threads():
        return _one_by_one(work, shared, parts, progress)
    from joblib import Parallel, delayed, effective_n_jobs
    from joblib.parallel import get_active_backend

    backend, configured = get_active_backend(prefer="threads")
    jobs = n_jobs if n_jobs is not None else configured or 1
    jobs = min(jobs, len(parts))
    if effective_n_jobs(jobs) == 1:
        return _one_by_one(work, shared, parts, progress)
    lazy = getattr(backend, "supports_return_generator", False)
    parallel = Parallel(n_jobs=jobs, prefer="threads", return_as="generator" if lazy else "list")
    if getattr(backend, "supports_sharedmem", False):
        return parallel(delayed(work)(*shared, part) for part in parts)
    size = -(-len(parts) // (BUNDLES * effective_n_jobs(jobs)))
    bundles = [parts[i : i + size] for i in range(0, len(parts), size)]
    done = parallel(delayed(_bundle)(work, shared, bundle) for bundle in bundles)
    return (found for several in done for found in several)


def _one_by_one(
    work: Callable[..., Found], shared: tuple[Any, ...], parts: Sequence[Part], progress: Progress | None
) -> Iterator[Found]:
    for number, part in enumerate(parts):
        told = part_of(progress, number, len(parts))
        yield work(*shared, part) if told is None else work(*shared, part, progress=told)


@functools.cache
def _has_threads() -> bool:
    """Tell whether a thread can be started."""
    try:
        threading.Thread(target=bool).start()
    except RuntimeError:
        return False
    return True


def _bundle(work: Callable[..., Found], shared: tuple[Any, ...], parts: Sequence[Any]) -> list[Found]:
    return [work(*shared, part) for part in parts]
