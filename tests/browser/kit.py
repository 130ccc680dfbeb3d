"""The tools of the browser tests: a Streamlit server, a Chromium, and what to ask a page."""

from __future__ import annotations

import itertools
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Download, Locator, Page

CHROMIUM_ARGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    "--process-per-site",  # tests' pages find the app's JavaScript compiled
    "--js-flags=--no-opt",  # no page is open for so long that it pays to compile its JavaScript better
    # Playwright's own list, whose place this takes; and scripts are parsed as they are run, none ahead beside it.
    "--disable-features=PaintHolding,ThirdPartyStoragePartitioning,AvoidUnnecessaryBeforeUnloadCheckSync,HttpsUpgrades,"
    "HttpsFirstBalancedModeAutoEnable,DestroyProfileOnBrowserClose,MediaRouter,OptimizationHints,PreconnectToSearch,"
    "AvoidCorsURLLoaderRestartOnRedirect,NetworkTimeServiceQuerying,LensOverlay,AimEnabled,ScriptStreaming",
]
WCAG_22_AA = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
WIDE, NARROW = (1280, 900), (390, 844)
WITH_A_SET = ("NaN_problem", "Calibration", "Grouping", "Leaderboard", "Sentinels", "Measures", "Which_number")
"""The pages on which an evaluation set is open."""

APP = Path(__file__).parents[2] / "app.py"
UNPREPARED = "import sys; from ui import server; server.prepare = lambda _: None; server.run(sys.argv[1:])"
"""The app as `python -m ui` runs it, but that it computes nothing before it is asked for."""

# ------------------------------------------------------------------------------------------------------ the server


@dataclass
class Address:
    """Where a Streamlit runs."""

    url: str
    log_file: Path

    def log(self) -> str:
        """All that the server has printed so far."""
        return self.log_file.read_text(errors="replace")


@dataclass
class Server(Address):
    """A running Streamlit of one's own."""

    process: subprocess.Popen[bytes]


@contextmanager
def serve(script: Path, folder: Path, log_file: Path, *, is_prepared: bool = True) -> Iterator[Server]:
    """Run a Streamlit script, seen from a folder (whose .streamlit/config.toml counts), on a free port of its own.

    The app itself is run as `make app` runs it, unless nothing is to be prepared.
    """
    server = begin(script, folder, log_file, is_prepared=is_prepared)
    try:
        yield server
    finally:
        stop(server)


def begin(script: Path, folder: Path, log_file: Path, *, is_prepared: bool = True) -> Server:
    """Start a server as `serve` does, and wait until it answers."""
    for _ in range(5):
        server = start(script, folder, log_file, is_prepared=is_prepared)
        if healthy(server):
            return server
        stop(server)
        # Between our look for a free port and the server's start another process may have taken it.
        if "is not available" not in server.log():
            break
    raise AssertionError(f"Streamlit did not start:\n{server.log()}")


def start(script: Path, folder: Path, log_file: Path, port: int | None = None, *, is_prepared: bool = True) -> Server:
    """Start a server without waiting for it, at a free port or at a given one."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = port or probe.getsockname()[1]
    options = {
        "server.port": port,
        "server.address": "127.0.0.1",
        "server.headless": "true",
        "server.fileWatcherType": "none",
        "browser.gatherUsageStats": "false",
    }
    arguments = itertools.chain.from_iterable((f"--{name}", str(value)) for name, value in options.items())
    run = ["-m", "streamlit", "run", str(script)]
    if script == APP:
        run = ["-m", "ui"] if is_prepared else ["-c", UNPREPARED]
    command = [sys.executable, *run, *arguments]
    with log_file.open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    return Server(f"http://127.0.0.1:{port}", log_file, process)


def healthy(server: Server, patience: float = 120) -> bool:
    """Wait until the server answers; False as soon as its process has ended."""
    deadline = time.monotonic() + patience
    while server.process.poll() is None and time.monotonic() < deadline:
        if answers(server.url):
            return True
        time.sleep(0.05)
    return False


def answers(url: str) -> bool:
    """Whether a Streamlit answers there."""
    try:
        with urllib.request.urlopen(f"{url}/_stcore/health", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def stop(server: Server) -> None:
    """End a server, at once if it does not end by itself."""
    server.process.terminate()
    try:
        server.process.wait(10)
    except subprocess.TimeoutExpired:
        server.process.kill()
        server.process.wait()


# ------------------------------------------------------------------------------------------------------ the browser


@dataclass
class Traffic:
    """What the pages of a context did that no page should do."""

    console_errors: list[str] = field(default_factory=list)
    outside_requests: list[str] = field(default_factory=list)


def watch(page: Page, url: str) -> Traffic:
    """Note the errors on a page's console, and its requests to any host but the server's."""
    traffic = Traffic()
    # Streamlit asks for these two below a deep link first, gets a 404 and asks again in the right place.
    harmless = re.compile(re.escape(url) + r"/\w+/_stcore/(health|host-config)(\?.*)?")

    def note_message(message: Any) -> None:
        source = message.location.get("url", "")
        if message.type == "error" and not ("404" in message.text and harmless.fullmatch(source)):
            traffic.console_errors.append(f"{message.text} ({source})")

    def note_request(request: Any) -> None:
        target = urlsplit(request.url)
        if target.scheme not in {"data", "blob"} and target.netloc != urlsplit(url).netloc:
            traffic.outside_requests.append(request.url)

    page.on("console", note_message)
    page.on("pageerror", lambda error: traffic.console_errors.append(str(error)))
    page.on("request", note_request)
    return traffic


@contextmanager
def profile(chromium: Browser, url: str) -> Iterator[BrowserContext]:
    """A visitor who was never here before; paths are relative to the server's URL."""
    context = chromium.new_context(base_url=url, reduced_motion="reduce", accept_downloads=True)
    try:
        yield context
    finally:
        context.close()


def settle_in(context: BrowserContext) -> BrowserContext:
    """Keep a small page open, so that all pages of a profile share one renderer, which has compiled the app by then."""
    context.new_page().goto("/_stcore/health")
    return context


def forget(context: BrowserContext) -> None:
    """Take away what a test left in a profile that was settled in; what is cached of the app's files stays."""
    context.clear_cookies()
    context.clear_permissions()
    context.pages[0].evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")


@contextmanager
def new_tab(
    context: BrowserContext, url: str, *, colour_scheme: str = "light", viewport: tuple[int, int] = WIDE
) -> Iterator[tuple[Page, Traffic]]:
    """Open an empty page in a profile."""
    page = context.new_page()
    try:
        page.set_viewport_size({"width": viewport[0], "height": viewport[1]})
        page.emulate_media(color_scheme=colour_scheme)  # type: ignore[arg-type]
        yield page, watch(page, url)
    finally:
        page.close()


@contextmanager
def new_page(
    chromium: Browser, url: str, *, colour_scheme: str = "light", viewport: tuple[int, int] = WIDE
) -> Iterator[tuple[Page, Traffic]]:
    """Open an empty page in a profile of its own."""
    with (
        profile(chromium, url) as context,
        new_tab(context, url, colour_scheme=colour_scheme, viewport=viewport) as tab,
    ):
        yield tab


# ------------------------------------------------------------------------------------------- what to ask a page

_SETTLED = """([token, quiet]) => {
    if (window.tiekitSettled?.token !== token) window.tiekitSettled = {token, since: null};
    const app = document.querySelector("[data-testid=stApp]");
    const busy = !app
        || !["notRunning", "compilationError"].includes(app.dataset.testScriptState)
        || app.dataset.testConnectionState !== "CONNECTED"
        || document.querySelector("[data-testid=stSkeleton], [data-stale=true]");
    if (busy) window.tiekitSettled.since = null;
    else window.tiekitSettled.since ??= performance.now();
    return !busy && performance.now() - window.tiekitSettled.since >= quiet;
}"""
_tokens = itertools.count()
POLL = 30
"""Milliseconds between two looks at a page: a look at each frame would have Chromium draw all of them."""


def downloaded(page: Page, button: Locator) -> Download:
    """What a button downloads; a press on one that moves yet, as in an expander that opens, would miss it."""
    settled(page)
    with page.expect_download() as found:
        button.click()
    return found.value


def upload(page: Page, name: str, content: bytes) -> None:
    """Give a table to the page's first uploader."""
    page.locator("input[type=file]").first.set_input_files({"name": name, "mimeType": "text/csv", "buffer": content})


def settled(page: Page, *, quiet: int = 300, patience: int = 30_000) -> Page:
    """Wait until the script has run, everything is drawn, and nothing has stirred for `quiet` milliseconds.

    The quiet time is for what has not begun yet: a widget waits some 200 ms before it reports a change to the server.
    """
    page.wait_for_function(_SETTLED, arg=[next(_tokens), quiet], timeout=patience, polling=POLL)
    return page


def on_the_synthetic_set(path: str) -> str:
    """The path of a page, on which the set that is open is the synthetic one, unless the path says otherwise."""
    if path.partition("?")[0].lstrip("/") in WITH_A_SET and "source=" not in path:
        path += ("&" if "?" in path else "?") + "source=a+synthetic+set"
    return path


def visit(page: Page, path: str) -> Page:
    """Open a path of the app, wait until it is settled, and open its box for researchers."""
    page.goto(path)
    return open_box(settled(page))


def open_box(page: Page) -> Page:
    """Open the box for researchers, if the page has one that is closed."""
    closed = page.locator("details:not([open]) > summary").filter(has_text="For researchers")
    if closed.count() and closed.is_visible():
        closed.click()
        page.evaluate("document.activeElement.blur(); document.querySelector('[data-testid=stMain]').scrollTo(0, 0)")
        settled(page)
    return page


def open_menu(page: Page, name: str) -> None:
    """Open one of the menus of the bar: More or Teach."""
    page.locator(".st-key-ways").get_by_role("button", name=name).click()


def no_exception_box(page: Page) -> None:
    """Raise an AssertionError if the script failed or does not compile, or if there is no such page."""
    boxes = page.get_by_test_id("stException").all_inner_texts()
    alarm = re.compile("Page not found|connection error|compilation error", re.IGNORECASE)
    boxes += page.get_by_role("dialog").filter(has_text=alarm).all_inner_texts()
    state = page.get_by_test_id("stApp").get_attribute("data-test-script-state")
    assert not boxes, f"{page.url} shows {boxes}"
    assert state != "compilationError", f"{page.url}: {state}"


def axe_violations(page: Page, *, allowed: Collection[str] = ()) -> list[str]:
    """What axe-core finds against WCAG 2.2 AA, a line a place; `allowed` names rules that Streamlit itself breaks.

    It need not load style sheets of other hosts and sounds beforehand: there are none.
    """
    options = {"runOnly": {"type": "tag", "values": WCAG_22_AA}, "resultTypes": ["violations"], "preload": False}
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    violations = page.evaluate("options => axe.run(options).then(found => found.violations)", options)
    return [
        f"{violation['id']} ({violation['impact']}): {node['html'][:160]} {node['failureSummary']}"
        for violation in violations
        for node in violation["nodes"]
        if violation["id"] not in allowed
    ]


def no_sideways_scroll(page: Page) -> None:
    """Raise an AssertionError if the page is wider than its window."""
    too_wide = page.evaluate(
        """() => [
                document.documentElement,
                ...document.querySelectorAll("[data-testid=stMain], [data-testid=stSidebarContent]"),
            ]
            .filter(box => box.clientWidth && box.scrollWidth > box.clientWidth)
            .map(box => `${box.dataset.testid ?? "the page"}: ${box.scrollWidth} px in ${box.clientWidth}`)"""
    )
    assert not too_wide, f"{page.url} scrolls sideways: {too_wide}"


def check_page(page: Page, *, allowed: Collection[str] = ()) -> None:
    """Assert what holds on every page: no exception, no sideways scroll, no violation of WCAG 2.2 AA."""
    no_exception_box(page)
    no_sideways_scroll(page)
    violations = axe_violations(page, allowed=allowed)
    assert not violations, "\n".join([page.url, *violations])


def use_theme(page: Page, colour_scheme: str) -> Page:
    """Change the theme of a page that is open and run its script again: charts take the theme from a run."""
    page.emulate_media(color_scheme=colour_scheme)  # type: ignore[arg-type]
    settled(page)  # the run takes the theme that the page has by then
    page.keyboard.press("r")
    return settled(page)


def check_every_view(page: Page, *, allowed: Collection[str] = ()) -> None:
    """`check_page` wide and narrow, light and dark, of a page that was opened in light; it stays as wide as it was.

    So a page need not be opened four times: a window that is made narrower and a theme that is changed before the next
    run leave what a visit leaves.
    """
    assert page.viewport_size is not None
    sizes = [WIDE, NARROW] if page.viewport_size["width"] == WIDE[0] else [NARROW, WIDE]
    for colour_scheme in ("light", "dark"):
        if colour_scheme == "dark":
            use_theme(page, colour_scheme)
        for width, height in sizes:
            page.set_viewport_size({"width": width, "height": height})
            check_page(settled(page), allowed=allowed)
        sizes.reverse()
