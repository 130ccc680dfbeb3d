"""The leaderboard by hand: real files chosen, a leaderboard read, mistakes shown, results taken away."""

from __future__ import annotations

import csv
import io
import re

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import expect

import tiekit as tk
from tests.browser import kit
from tests.browser.mortal import TABLE
from ui.work.presets import DATA

pytestmark = pytest.mark.browser

OWN_TABLE = "source=my+files&layout=one+table+(CSV+or+TSV)"


READ = """table => {
    const keys = [...table.querySelectorAll("thead button")].map(button => button.dataset.key);
    const text = cell => cell.title || cell.textContent;
    return [...table.tBodies[0].rows].map(row => keys.map((key, i) => [key, text(row.cells[i])]));
}"""


def cells(page):
    """The leaderboard's cells, unrounded, by metric, in the order of its rows."""
    table = page.locator(".ranking table").first
    expect(table.locator("tbody tr").first).to_be_visible(timeout=30_000)
    kit.settled(page)
    for button in page.locator(".whole[aria-expanded=false]").all():  # of many metrics only the first ten are shown
        button.click()
    return {row[0][1]: dict(row[1:]) for row in table.evaluate(READ)}


def a_first_press_on_a_heading_puts_the_best_on_top(page):
    assert next(iter(cells(page))) == tk.leaderboard(tk.read_mtme(DATA, "synthetic", "qaa-qab")).index[0]
    best = max((float(row["tau_b"]), name) for name, row in cells(page).items() if row["tau_b"] != "undefined")
    heading = page.locator(".ranking button[data-key=tau_b]")
    heading.click()
    names = list(cells(page))
    assert names[0] == best[1]
    assert page.locator(".ranking th:has(button[data-key=tau_b])").get_attribute("aria-sort") == "descending"
    page.keyboard.press("Enter")  # the focus is still on the heading
    undefined = [name for name, row in cells(page).items() if row["tau_b"] == "undefined"]
    assert undefined
    defined = names[: -len(undefined)]
    assert list(cells(page)) == defined[::-1] + names[-len(undefined) :]


def pick(page, label, option):
    """Choose an option of a select box."""
    field = page.get_by_label(label).first
    field.scroll_into_view_if_needed()
    kit.settled(page)  # a list that opens while the page scrolls closes again
    field.click()
    page.get_by_role("option", name=option).first.click()
    kit.settled(page)


def taken_away(page, name):
    """What a button downloads."""
    file = kit.downloaded(page, page.get_by_role("button", name=name))
    return file.path().read_text(encoding="utf-8")


def upload(page, *paths, folder=False):
    """Open one's own files."""
    several = "[webkitdirectory]" if folder else ":not([webkitdirectory])"
    page.locator(f"input[type=file]{several}").first.set_input_files(*paths)  # waits until it is that one's turn
    kit.settled(page, quiet=800)


@pytest.mark.campaign
def test_the_sample_is_shown_as_the_library_has_it_taken_away_and_choices_are_kept(open_page):
    page = open_page("/Leaderboard")
    expect(page.get_by_text("synthetic").first).to_be_visible()
    sample = tk.read_mtme(DATA, "synthetic", "qaa-qab")
    board = tk.leaderboard(sample)
    shown = cells(page)
    assert set(shown) <= set(board.index)
    assert len(shown) >= 5
    for name, row in shown.items():
        assert float(row["acc_eq*"]) == pytest.approx(board.loc[name, "acc_eq*"])
    rows = list(csv.DictReader(io.StringIO(taken_away(page, "Every number with its signature"))))
    best = next(row for row in rows if row["coefficient"] == "acc_eq*" and row["rank"] == "1")
    assert (best["metric"], float(best["value"])) == (board.index[0], board["acc_eq*"].iloc[0])
    assert rf"\textbf{{{board['acc_eq*'].iloc[0]:.3f} (1)}}" in taken_away(page, "Table as LaTeX")
    assert taken_away(page, "Table as CSV").splitlines()[1].startswith(f"{board.index[0]},")
    a_first_press_on_a_heading_puts_the_best_on_top(page)

    pick(page, "Domain", "news")
    before = cells(page)
    page.reload()
    kit.settled(page)
    assert cells(page) == before
    board = tk.leaderboard(sample, domain="news")
    name = board.index[0]
    assert float(before[name]["acc_eq*"]) == pytest.approx(board.loc[name, "acc_eq*"])


@pytest.mark.campaign
def test_an_uploaded_folder_becomes_a_leaderboard(open_page):
    page = open_page("/Leaderboard?source=my+files")
    upload(page, DATA / "synthetic", folder=True)
    expect(page.get_by_text("15 systems × 300 segments, 10 metrics")).to_be_visible()
    board = tk.leaderboard(tk.read_mtme(DATA, "synthetic", "qaa-qab"))
    assert float(cells(page)["Judge-src"]["acc_eq*"]) == pytest.approx(board.loc["Judge-src", "acc_eq*"])


def test_a_broken_file_shows_its_message_and_one_that_is_too_large_is_refused(open_page, tmp_path):
    broken, huge = tmp_path / "scores.csv", tmp_path / "huge.csv"
    broken.write_text("system,segment,human,metric\nA,1,0,1\nA,2,1,5\nB,1,zero,2\nB,2,1,3\n")
    with huge.open("wb") as file:
        file.truncate(100 * 2**20)
    page = open_page(f"/Leaderboard?{OWN_TABLE}")
    upload(page, broken)
    message = page.get_by_test_id("stAlert").first
    expect(message).to_contain_text("scores.csv, line 4")
    expect(message).to_contain_text("zero")
    kit.check_page(page)
    upload(page, huge)
    expect(page.get_by_test_id("stFileUploader").first).to_contain_text("64.0MB or smaller")
    kit.no_exception_box(page)


@pytest.mark.campaign
def test_more_files_than_a_session_may_hold_are_refused_in_words(chromium, server, tmp_path):
    files = [tmp_path / f"scores{number}.csv" for number in range(5)]
    for path in files:
        with path.open("wb") as file:
            file.truncate(60 * 2**20)
    with kit.new_page(chromium, server.url) as (page, traffic):
        kit.visit(page, f"/Leaderboard?{OWN_TABLE}")
        page.locator("input[type=file]:not([webkitdirectory])").first.set_input_files(files)
        said = page.get_by_role("alert").filter(has_text="up to 256 MB", visible=True)
        expect(said).to_have_count(1, timeout=60_000)
        kit.no_exception_box(page)
        expect(page.get_by_role("heading", name="It depends on the coefficient")).to_be_visible()
        for path in files[:2]:
            page.get_by_role("button", name=f"Remove {path.name}").click()
            kit.settled(page, quiet=800)
        expect(said).to_have_count(0)
        assert all("413" in line for line in traffic.console_errors)


def test_a_full_server_says_so_until_another_try_is_taken(chromium, server):
    with kit.new_page(chromium, server.url) as (page, traffic):
        kit.visit(page, "/Leaderboard?source=my+files")
        page.route("**/upload_file/**", lambda route: route.fulfill(status=413))
        kit.upload(page, "mine.csv", TABLE)
        said = page.get_by_role("alert").filter(has_text="try again in some minutes", visible=True)
        expect(said).to_have_count(1)
        page.unroute("**/upload_file/**")
        kit.upload(page, "mine.csv", TABLE)
        expect(page.get_by_text("Recognized:")).to_be_visible(timeout=30_000)
        expect(said).to_have_count(0)
        assert all("413" in line for line in traffic.console_errors)


@pytest.mark.campaign
def test_long_work_leaves_others_in_peace_stops_shows_what_is_done_and_goes_on(page, server, tmp_path):
    """Ten seconds of calibration, τ_b over 72 million pairs eight times.

    Meanwhile another visitor walks through Algorithm 1: the counting loops let go of the interpreter.
    """
    rng = np.random.default_rng(1)
    quality = rng.normal(size=12_000)
    columns = {"system": [f"s{i % 2}" for i in range(12_000)], "segment": np.arange(12_000) // 2}
    columns |= {"human": np.maximum(np.round(quality), -1)}
    columns |= {f"m{number}": quality + rng.normal(size=12_000) for number in range(1, 9)}
    pd.DataFrame(columns).to_csv(tmp_path / "long.csv", index=False)
    with kit.new_tab(page.context, server.url) as (other, _):
        kit.visit(other, "/Calibration")
        kit.visit(page, f"/Leaderboard?{OWN_TABLE}&starred=tau_b&grouping=global")
        page.locator("input[type=file]").first.set_input_files(tmp_path / "long.csv")
        expect(page.get_by_text(re.compile("and calibrating: .*, 2 of 8"))).to_be_visible(timeout=60_000)
        other.get_by_role("button", name="Next").click()
        expect(other.get_by_role("heading", name="Candidate 2 of ")).to_be_visible(timeout=15_000)
    at_work = page.get_by_text(re.compile(r"and calibrating: m\d, \d of 8"))
    now = int(re.search(r"(\d) of 8", at_work.text_content())[1])  # still there: the first one is at work all the while
    page.get_by_test_id("stMain").get_by_role("button", name="Stop").click()
    stopped = page.get_by_text(re.compile(r"Stopped: \d+ of 8 are not computed"))
    expect(stopped).to_be_visible(timeout=30_000)
    kit.settled(page)
    done = 8 - int(re.search(r"\d+", stopped.text_content())[0])
    assert now - 1 <= done <= now  # the search for the present metric's epsilon was stopped, or just over
    assert set(cells(page)) == {f"m{number}" for number in range(1, done + 1)}
    kit.check_page(page)
    page.get_by_role("button", name="Go on").click()
    expect(
        page.get_by_text(re.compile(rf"Counting pairs and calibrating: m{done + 1}, {done + 1} of 8"))
    ).to_be_visible()
    page.get_by_test_id("stMain").get_by_role("button", name="Stop").click()
    expect(stopped).to_be_visible(timeout=30_000)
    kit.settled(page)
