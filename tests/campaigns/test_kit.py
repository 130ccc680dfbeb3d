"""The kit's checks can fail: each is shown a throw-away page that has the fault, and one that has none."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Page

from tests.browser import kit

pytestmark = pytest.mark.browser  # it tries the tests' tools, which change seldom

SCRIPT = """
import streamlit as st

fault = st.query_params.get("fault")
st.markdown("# A page")
if fault == "exception":
    raise ValueError("a secret")
if fault == "axe":
    st.html('<img src="data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==">')
if fault == "wide":
    st.html('<div style="width: 3000px">wide</div>')
if fault == "outside":
    st.html('<img alt="elsewhere" src="http://127.0.0.1:9/picture.png">')
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[kit.Server]:
    """The throw-away script instead of the app."""
    folder = tmp_path_factory.mktemp("kit")
    (folder / "page.py").write_text(SCRIPT)
    (folder / ".streamlit").mkdir()
    (folder / ".streamlit" / "config.toml").write_text('[theme.light]\ntextColor = "#111111"\n[theme.dark]\n')
    with kit.serve(folder / "page.py", folder, folder / "log") as running:
        assert running.process.poll() is None
        yield running
    assert running.process.poll() is not None  # a server ends with its block


Tab = tuple[Page, kit.Traffic]


@pytest.fixture
def tab(profile_of: Callable[[str], BrowserContext], server: kit.Server) -> Iterator[Tab]:
    """An empty page whose errors a test reads itself."""
    with kit.new_tab(profile_of(server.url), server.url) as opened:
        yield opened


@pytest.mark.parametrize(("colour_scheme", "viewport"), [("light", kit.WIDE), ("dark", kit.NARROW)], ids=["1", "2"])
def test_a_sound_page_passes_every_check(
    open_page: Callable[[str], Page], colour_scheme: str, viewport: tuple[int, int]
) -> None:
    page = open_page("/")
    kit.check_page(page)
    assert page.viewport_size == {"width": viewport[0], "height": viewport[1]}
    ground = page.get_by_test_id("stApp").evaluate("box => getComputedStyle(box).backgroundColor")
    assert (ground == "rgb(255, 255, 255)") == (colour_scheme == "light")


def test_an_exception_is_detected(open_page: Callable[[str], Page], server: kit.Server) -> None:
    with pytest.raises(AssertionError, match="a secret"):
        kit.no_exception_box(open_page("/?fault=exception"))
    assert "a secret" in server.log()


def test_an_axe_violation_is_detected(open_page: Callable[[str], Page]) -> None:
    page = open_page("/?fault=axe")
    assert [line.split()[0] for line in kit.axe_violations(page)] == ["image-alt"]
    assert kit.axe_violations(page, allowed={"image-alt"}) == []
    with pytest.raises(AssertionError, match="image-alt"):
        kit.check_page(page)


def test_a_sideways_scroll_is_detected(open_page: Callable[[str], Page]) -> None:
    with pytest.raises(AssertionError, match=r"stMain: 3\d{3} px"):
        kit.no_sideways_scroll(open_page("/?fault=wide"))


def test_a_request_to_another_host_and_an_error_on_the_console_are_noted(tab: Tab) -> None:
    page, traffic = tab
    kit.visit(page, "/?fault=outside")
    assert traffic.outside_requests == ["http://127.0.0.1:9/picture.png"]
    assert len(traffic.console_errors) == 1
    page.evaluate("console.error('ours')")
    page.evaluate("void setTimeout(() => { throw new Error('thrown') })")
    page.wait_for_timeout(100)
    assert ["ours" in error or "thrown" in error for error in traffic.console_errors] == [False, True, True]
