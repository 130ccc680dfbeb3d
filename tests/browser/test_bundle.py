"""The toy lab in a host without Streamlit: the browser's own modules and the bundle of them do the same."""

from __future__ import annotations

from itertools import pairwise

import pytest
from playwright.sync_api import Browser, Page, Route

import tiekit as tk
from tiekit.core.pairs import KINDS
from tiekit.figures import bundler
from tiekit.figures.bundler import bundle
from tiekit.figures.lab import style_of_lab

pytestmark = pytest.mark.browser

HOST = "http://lab.test/"
HUMAN, M1, M2 = [0, 0, 0, 0, 1, 2], [0, 0, 0, 0, 2, 1], [0, 1, 2, 3, 4, 5]

OPEN = """async ({ address, data }) => {
  const { openFigure } = await import(address);
  window.said = [];
  const host = { element: document.querySelector(".lab"), data, send: (state) => said.push(state) };
  host.onData = (take) => (window.give = take);
  window.closeLab = openFigure(host);
}"""

SEE = """async () => {
  await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  const lab = document.querySelector(".lab");
  const numbers = [...lab.querySelectorAll("[data-coefficient] b, [data-kind]")].map((cell) => {
    const { coefficient, metric, kind } = { ...cell.parentElement.dataset, ...cell.dataset };
    return [`${metric}/${coefficient ?? kind}`, cell.dataset.value ?? cell.textContent];
  });
  const shown = {
    numbers: Object.fromEntries(numbers),
    page: lab.outerHTML,
    places: [...lab.querySelectorAll("input, select")].map(({ value, max }) => [value, max]),
    pictures: [...lab.querySelectorAll("canvas")].map((canvas) => canvas.toDataURL()),
  };
  return { shown, said: structuredClone(said) };
}"""


def given(serial=0, **more):
    """What a host gives the lab."""
    data = {
        "human": HUMAN,
        "metrics": [{"name": "m1", "slot": 1, "scores": M1}, {"name": "m2", "slot": 2, "scores": M2}],
        **{"epsilon": 0, "epsilon_of": "m2", "pair": None, "step": None, "serial": serial, "large": False},
        **style_of_lab(),
    }
    return data | more


@pytest.fixture
def host(chromium: Browser):
    """A page at which every module, and the bundle of all, has an address."""
    files = {**bundler.modules(), "bundle.js": bundle("lab/figure.js", bundler.modules())}
    asked = []

    def answer(route: Route) -> None:
        name = route.request.url.removeprefix(HOST)
        asked.append(name)
        if name in files:
            route.fulfill(body=files[name], content_type="text/javascript")
        else:
            text = f'<!doctype html><meta charset="utf-8"><style>{bundler.style("lab")}</style><div class="lab"></div>'
            route.fulfill(body=text, content_type="text/html")

    page = chromium.new_page()
    page.route("**/*", answer)
    yield page, asked
    page.close()


def play(page: Page, module: str):
    """Everything that can be done with the lab; what was seen after each."""
    page.goto(HOST)
    page.evaluate(OPEN, {"address": f"/{module}", "data": given()})
    yield page.evaluate(SEE)
    page.locator("input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    yield page.evaluate(SEE)
    page.locator("select").select_option("2 and 4")
    yield page.evaluate(SEE)
    page.locator("canvas.matrix").first.focus()
    page.keyboard.press("ArrowRight")
    yield page.evaluate(SEE)
    canvas = page.locator("canvas.scatter").nth(1)
    canvas.focus()
    for key in ("PageDown", "PageDown", "ArrowUp", "ArrowRight"):
        page.keyboard.press(key)
    yield page.evaluate(SEE)
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    x, y = box["x"] + 44 + (2 - -0.24) / 2.48 * (box["width"] - 54), box["y"] + box["width"] - 40
    y -= (5 - -0.6) / 6.2 * (box["width"] - 48)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + 40)
    yield page.evaluate(SEE)
    page.mouse.up()
    yield page.evaluate(SEE)
    page.get_by_role("button", name="Count one pair on").click()
    yield page.evaluate(SEE)
    page.evaluate("data => give(data)", given(serial=0, epsilon=3))  # does not hold what was said
    yield page.evaluate(SEE)
    page.evaluate("data => give(data)", given(serial=99, epsilon=3, pair=[0, 5]))
    yield page.evaluate(SEE)
    page.evaluate("closeLab()")


def test_the_bundle_does_what_the_modules_do(host):
    page, asked = host
    alone = [*play(page, "bundle.js")]
    assert not set(asked) & set(bundler.modules())
    asked.clear()
    modules = [*play(page, "lab/figure.js")]
    assert {name for name in bundler.modules() if name.startswith("lab/")} <= set(asked)
    for one, other in zip(alone, modules, strict=True):
        assert one["shown"] == other["shown"]
    # How many changes go out at once is a matter of time.
    said = [{**every[-1]["said"][-1], "serial": None} for every in (alone, modules)]
    assert said[0] == said[1]
    assert all(before["shown"] != after["shown"] for before, after in pairwise(modules[:6]))


def numbers(human, metrics, epsilon):
    """The library's answer; ε is that of m2."""
    found = {}
    for name, scores in metrics.items():
        counts = tk.count_pairs(human, scores, epsilon=epsilon if name == "m2" else 0.0)
        found |= {f"{name}/{kind}": getattr(counts, kind) for kind in KINDS}
        for coefficient, entry in tk.COEFFICIENTS.items():
            value = entry.value(counts) if entry.formula else tk.correlate(human, scores, coefficient).value
            found[f"{name}/{coefficient}"] = value
    return pytest.approx(found, nan_ok=True, abs=1e-12)


def test_a_host_hears_of_changes_until_it_has_given_them_back(host):
    page, _ = host
    first, epsilon, *_, held, released, _, stale, fresh = play(page, "bundle.js")

    def shown(state):
        return {key: float(value) for key, value in state["shown"]["numbers"].items()}

    metrics = {"m1": M1, "m2": M2}
    assert shown(first) == numbers(HUMAN, metrics, 0)
    assert first["said"] == []
    assert shown(epsilon) == numbers(HUMAN, metrics, 1)
    assert len(held["said"]) < len(released["said"])
    last = released["said"][-1]
    assert last["serial"] == len(released["said"])
    assert {key: last[key] for key in ("epsilon", "pair")} == {"epsilon": 1, "pair": [1, 4]}
    assert set(last["scores"]["m2"]) == {"1", "5"}
    assert 'aria-valuetext="ε = 1;' in stale["shown"]["page"]
    assert shown(fresh) == numbers(HUMAN, metrics, 3)
