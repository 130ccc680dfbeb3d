"""The toy lab's part that moves: what it shows, and what it should show."""

from __future__ import annotations

import time

import pytest

import tiekit as tk
from tests.browser import kit
from tiekit.core.pairs import KINDS

FIGURE_2 = [0, 0, 0, 0, 1, 2]
M1 = [0, 0, 0, 0, 2, 1]
M2 = [0, 1, 2, 3, 4, 5]
READ = """lab => Object.fromEntries([...lab.querySelectorAll("[data-coefficient] b")].map(number => {
    const { coefficient, metric } = number.parentElement.dataset;
    return [`${metric}/${coefficient}`, number.dataset.value];
}).concat([...lab.querySelectorAll("[data-kind]")].map(cell => [
    `${cell.dataset.metric}/${cell.dataset.kind}`, cell.textContent,
])).concat([["epsilon", lab.querySelector(".exact").dataset.value]]))"""


def read(page):
    """Every number of the part that moves, by metric/name."""
    found = page.locator(".lab").evaluate(READ).items()
    return {key: float("inf" if value is None else value) for key, value in found}  # none while a row is being made


def expected(human, metrics, epsilon=0.0, of=None):
    """The library's answer, with epsilon for one metric, the second unless another is named, and 0 for the others."""
    of = of or list(metrics)[:2][-1]
    found = {"epsilon": epsilon}
    for metric, scores in metrics.items():
        counts = tk.count_pairs(human, scores, epsilon=epsilon if metric == of else 0.0)
        found |= {f"{metric}/{kind}": getattr(counts, kind) for kind in KINDS}
        for name, entry in tk.COEFFICIENTS.items():
            value = entry.value(counts) if entry.formula else tk.correlate(human, scores, name).value
            found[f"{metric}/{name}"] = value
    return pytest.approx(found, nan_ok=True, abs=1e-12)


def arrives(page, *answer):
    """Wait until the part that moves shows the library's answer."""
    answer, deadline = expected(*answer), time.monotonic() + 20
    while read(page) != answer and time.monotonic() < deadline:
        page.wait_for_timeout(20)
    assert read(page) == answer


def drawer(page):
    """The page, with the drawer in which scores are typed open."""
    # the box for researchers may hold it, and stands before it
    box = page.locator("details").filter(has=page.locator("summary", has_text="Edit scores")).last
    if box.get_attribute("open") is None:
        box.locator("summary").click()
        kit.settled(page)
    return page


def scores(page, slot=1):
    return drawer(page).get_by_label(f"Scores of metric {slot}")


def scatter(page, slot=1):
    """The scatter of a metric, after the fold in which the lab keeps it has been opened."""
    rest, canvas = page.locator(".lab details.rest"), page.locator(".lab canvas.scatter").nth(slot - 1)
    if rest.get_attribute("open") is None:
        rest.locator("summary").click()
    canvas.wait_for()
    canvas.scroll_into_view_if_needed()
    return canvas


def exact_epsilon(page):
    return drawer(page).get_by_role("textbox", name="ε (exact value)")


def retype(page, field, text):
    """Select all, then press the keys one by one."""
    field.click()
    page.keyboard.press("Control+a")
    page.keyboard.type(text, delay=15)
    kit.settled(page)


def sent_by(page):
    """What the page sends to the server from now on."""
    sent = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    return sent


def sentence(page):
    return page.locator(".lab .sentence").inner_text()
