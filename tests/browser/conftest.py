"""One Streamlit server for all, one Chromium and its profile for each test process, one fresh page for each test."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.browser import kit
from tests.browser.find_chromium import NOT_FOUND, find_chromium
from tests.browser.shared_server import shared

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A headless Chromium; without one the tests fail and say what to install."""
    program = find_chromium()
    if program is None:
        pytest.fail(NOT_FOUND, pytrace=False)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=kit.CHROMIUM_ARGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[kit.Address]:
    """The app, served to all test processes as `make app` serves it, but that nothing is prepared."""
    place = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        place = place.parent
    with shared(ROOT / "app.py", ROOT, place / "server") as running:
        yield running


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[kit.Server]:
    """A server that no other test uses."""
    with kit.serve(ROOT / "app.py", ROOT, tmp_path / "streamlit.log") as running:
        yield running


@pytest.fixture
def colour_scheme() -> str:
    """`light`, unless the test is parametrised with `colour_scheme`."""
    return "light"


@pytest.fixture
def viewport() -> tuple[int, int]:
    """Width and height in pixels: 1280 × 900, unless the test is parametrised with `viewport`."""
    return 1280, 900


@pytest.fixture(scope="session")
def profile_of(chromium: Browser) -> Iterator[Callable[[str], BrowserContext]]:
    """The profile in which all tests visit a server, by its URL."""
    with ExitStack() as stack:
        yield cache(lambda url: kit.settle_in(stack.enter_context(kit.profile(chromium, url))))


@pytest.fixture
def page(
    profile_of: Callable[[str], BrowserContext], server: kit.Address, colour_scheme: str, viewport: tuple[int, int]
) -> Iterator[Page]:
    """An empty page; when the test is over, its console must be free of errors and no other host asked for anything."""
    context = profile_of(server.url)
    with kit.new_tab(context, server.url, colour_scheme=colour_scheme, viewport=viewport) as (page, traffic):
        yield page
    kit.forget(context)
    assert traffic == kit.Traffic()


@pytest.fixture
def open_page(page: Page) -> Callable[..., Page]:
    """Open a path of the app, for example `/Toy_lab?epsilon=0.1`, in the test's page and wait until it is settled.

    Where an evaluation set is open it is the synthetic one, unless the path says otherwise.
    """

    def visit(path: str = "/") -> Page:
        return kit.visit(page, kit.on_the_synthetic_set(path))

    return visit


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show the end of the server's log beside a failure."""
    report = yield
    server = getattr(item, "funcargs", {}).get("server")
    if report.failed and server is not None:
        report.sections.append(("Streamlit's log", "\n".join(server.log().splitlines()[-60:])))
    return report
