"""The kit's checks can fail: each is shown a throw-away page that has the fault, and one that has none."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser import kit
from tests.browser.find_chromium import find_chromium, starts
from tests.browser.shared_server import shared

pytestmark = [pytest.mark.browser, pytest.mark.campaign]  # it tries the tests' tools, which change seldom

SCRIPT = """
import time
import streamlit as st

fault = st.query_params.get("fault")
st.markdown("# A page")
st.markdown(f"Seen in {st.context.theme.type}")
if fault == "exception":
    raise ValueError("a secret")
if fault == "axe":
    st.html('<img src="data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==">')
if fault == "wide":
    st.html('<div style="width: 3000px">wide</div>')
if fault == "outside":
    st.html('<img alt="elsewhere" src="http://127.0.0.1:9/picture.png">')
number = st.number_input("A number", value=1, key="number")
if fault == "slow":
    time.sleep(0.5)
st.markdown(f"Twice: {2 * number}")
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[kit.Server]:
    """The throw-away script instead of the app."""
    folder = tmp_path_factory.mktemp("kit")
    (folder / "page.py").write_text(SCRIPT)
    (folder / "pages").mkdir()
    (folder / "pages" / "1_Broken.py").write_text("this does not compile")
    (folder / "pages" / "2_Deep.py").write_text("import streamlit as st\nst.markdown('# Deep')")
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


@pytest.mark.parametrize("viewport", [kit.NARROW], ids=["opened narrow"])
def test_every_view_of_a_page_is_checked(open_page: Callable[[str], Page], monkeypatch: pytest.MonkeyPatch) -> None:
    """The script hears of the theme, the styles and the window change, and the page ends as wide as it was opened."""
    seen = []

    def note(page: Page, **_: object) -> None:
        ground = page.get_by_test_id("stApp").evaluate("box => getComputedStyle(box).backgroundColor")
        told = page.get_by_text("Seen in").inner_text()
        seen.append((told, ground == "rgb(255, 255, 255)", page.evaluate("[innerWidth, innerHeight]")))

    monkeypatch.setattr(kit, "check_page", note)
    kit.check_every_view(open_page("/"))
    one, other = list(kit.NARROW), list(kit.WIDE)
    light, dark = ("Seen in light", True), ("Seen in dark", False)
    assert seen == [(*light, one), (*light, other), (*dark, other), (*dark, one)]


def test_an_exception_is_detected(open_page: Callable[[str], Page], server: kit.Server) -> None:
    with pytest.raises(AssertionError, match="a secret"):
        kit.no_exception_box(open_page("/?fault=exception"))
    assert "a secret" in server.log()


@pytest.mark.parametrize(
    ("path", "words"), [("/Broken", "SyntaxError|compilationError"), ("/Nowhere", "Page not found")]
)
def test_a_page_that_does_not_compile_or_is_not_there_is_detected(tab: Tab, path: str, words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        kit.no_exception_box(kit.visit(tab[0], path))


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


def test_the_two_404s_of_a_deep_link_are_harmless_and_no_others_are(tab: Tab) -> None:
    page, traffic = tab
    kit.visit(page, "/Deep")
    assert traffic == kit.Traffic()
    with page.expect_response("**/absent.png"):
        page.evaluate("fetch('/media/absent.png')")
    page.wait_for_timeout(100)
    assert ["absent.png" in error for error in traffic.console_errors] == [True]


def test_settled_waits_for_the_rerun_that_an_input_starts(open_page: Callable[[str], Page]) -> None:
    page = open_page("/?fault=slow")
    assert page.get_by_text("Twice:").inner_text() == "Twice: 2"
    page.get_by_label("A number").fill("21")
    page.keyboard.press("Enter")
    assert kit.settled(page).get_by_text("Twice:").inner_text() == "Twice: 42"
    expect(page.get_by_role("heading", name="A page")).to_be_visible()


def test_what_a_test_leaves_in_its_profile_is_forgotten(chromium: Browser, server: kit.Server) -> None:
    left = "() => [localStorage.getItem('left'), document.cookie.includes('left')]"
    with kit.profile(chromium, server.url) as context:
        kit.settle_in(context)
        for _ in range(2):
            with kit.new_tab(context, server.url) as (page, _):
                page.goto("/_stcore/health")
                assert page.evaluate(left) == [None, False]
                page.evaluate("() => { localStorage.setItem('left', '1'); document.cookie = 'left=1'; }")
                assert page.evaluate(left) == ["1", True]
            kit.forget(context)
        assert len(context.pages) == 1


def test_one_server_is_shared_and_ends_with_its_last_user(tmp_path: Path) -> None:
    (tmp_path / "page.py").write_text("")
    place = tmp_path / "server"
    with shared(tmp_path / "page.py", tmp_path, place) as first:
        with shared(tmp_path / "page.py", tmp_path, place) as second:
            assert (second.url, second.log()) == (first.url, first.log())
        assert kit.answers(first.url)
    deadline = time.monotonic() + 20
    while kit.answers(first.url) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not kit.answers(first.url)
    with shared(tmp_path / "page.py", tmp_path, place) as later:
        assert kit.answers(later.url)


def test_a_server_that_cannot_start_says_why(tmp_path: Path) -> None:
    with (
        pytest.raises(AssertionError, match="does not exist"),
        kit.serve(tmp_path / "absent.py", tmp_path, tmp_path / "log"),
    ):
        pass


def test_a_chosen_chromium_that_does_not_start_is_not_replaced(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    stub = tmp_path / "chromium"
    stub.write_text("#!/bin/sh\necho install me\nexit 1\n")
    stub.chmod(0o755)
    monkeypatch.setenv("TIEKIT_CHROMIUM", str(stub))
    assert not starts(str(stub))
    assert find_chromium() is None


def test_without_a_chromium_a_browser_test_fails_and_says_what_to_install(tmp_path: Path) -> None:
    answer = subprocess.run(
        [sys.executable, "-m", "pytest", "-m", "", "-p", "no:randomly", "-k", "sound_page and 1", __file__],
        env={"PATH": "/usr/bin:/bin", "TIEKIT_CHROMIUM": str(tmp_path / "absent")},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert answer.returncode == 1
    assert "1 error" in answer.stdout
    assert "skipped" not in answer.stdout
    assert "apt-get install chromium" in answer.stdout
