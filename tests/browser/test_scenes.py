"""What a lecturer presents says what its sentence says, and goes on saying so while nobody touches it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import kit
from ui.present import presenting
from ui.work.presets import DATA

pytestmark = pytest.mark.browser

PAGES = sorted((file.stem for file in (DATA / "scenes").glob("*.toml")), key=lambda name: int(name.partition("_")[0]))

WAIT = 20_000
"""Milliseconds that the page's clock is moved on, in which a picture that moves by itself would change."""

WORDS = """picture => {
    const found = [];
    const read = node => {
        if (node.nodeType === Node.TEXT_NODE) found.push(node.textContent.trim());
        if (node.hidden || ["STYLE", "SCRIPT"].includes(node.tagName)) return;
        for (const name of ["aria-label", "aria-valuetext"]) found.push(node.getAttribute?.(name) ?? "");
        if (node.tagName === "INPUT") found.push(node.value);
        if (node.shadowRoot) read(node.shadowRoot);
        node.childNodes.forEach(read);
    };
    read(picture);
    return found.filter(Boolean);
}"""
"""All that a picture says: what one reads, what a screen reader reads, and where its sliders stand."""


MISFITS = """picture => {
    const dock = document.querySelector(".st-key-dock").getBoundingClientRect(), texts = [], found = [];
    const read = node => {
        for (const child of [...node.childNodes, ...(node.shadowRoot?.childNodes ?? [])]) {
            if (child.nodeType === Node.TEXT_NODE && child.textContent.trim()) {
                const range = document.createRange(), of = child.parentElement, words = child.textContent.trim();
                range.selectNodeContents(child);
                const drawn = of.checkVisibility({ opacityProperty: true, visibilityProperty: true });
                for (const box of drawn ? range.getClientRects() : [])
                    if (box.width > 2 && box.height > 2) texts.push({ box, of, words });
            }
            if (child.nodeType === Node.ELEMENT_NODE && !/^(style|script|caption)$/i.test(child.tagName)) read(child);
        }
    };
    read(picture);
    for (const { box, words } of texts)
        if (box.left < -1 || box.right > innerWidth + 1 || box.bottom > dock.top + 2) found.push(`outside: ${words}`);
    texts.forEach((one, at) => texts.slice(at + 1).forEach(other => {
        const [a, b] = [one.box, other.box], low = Math.min(a.height, b.height);
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (one.of !== other.of && across > 3 && down > low / 2) found.push(`overlap: ${one.words} | ${other.words}`);
    }));
    return found;
}"""
"""Texts of a picture that leave the screen above the bar, and those that lie on one another."""


def picture(page: Page) -> Locator:
    """What stays on the screen of a page while it is presented."""
    return page.locator("[class*=st-key-stage_]").first


def says(page: Page, scene: presenting.Scene) -> list[str]:
    """What the picture says, once it stands still and says what the scene shows and each number of the sentence."""
    expected, before = [*scene.shows, *re.findall(r"\b\d\.\d{3}\b", scene.say)], None
    for _ in range(50):
        found = picture(page).evaluate(WORDS)
        told = re.sub(r"(τ|acc) _ (\w+)(?: (?=[*,.;:]))?", r"\1_\2", re.sub(r"\s+", " ", " ".join(found)))  # indices
        if found == before and all(words in told for words in expected):
            return list(found)
        before = found
        page.wait_for_timeout(200)
    missing = [words for words in expected if words not in told]
    raise AssertionError(f"{scene.page}, {scene.say!r}: the picture does not say {missing}, but {told[:4000]}")


def check(page: Page, place: presenting.Scene) -> None:
    """Assert that a picture agrees with its sentence now and after a while, where nobody has asked for stillness."""
    kit.settled(page, patience=90_000)
    expect(page.locator(".st-key-dock .say, .st-key-dock .dock").first).to_contain_text(place.say)
    before = statements(says(page, place))
    for _ in range(25):
        misfits = picture(page).evaluate(MISFITS)
        if not misfits:
            break
        page.clock.run_for(100)
        page.wait_for_timeout(200)
    assert not misfits, place.say
    page.clock.run_for(WAIT)
    page.wait_for_timeout(200)
    assert statements(says(page, place)) == before, place.say


def statements(found: list[str]) -> list[str]:
    """What is said in sentences or as a value; labels that find another place on the screen are none."""
    return sorted(one for one in found if re.search(r"[a-z]{2}.* ", one) or one.isdigit())


def present(page: Page, scene: str) -> Page:
    """Arrive at a scene by its address, with a clock that can be moved on."""
    page.emulate_media(reduced_motion="no-preference")
    page.clock.install()
    page.goto(f"/{'' if scene.startswith(presenting.START) else 'Teach_this'}?scene={scene}")
    page.locator(".st-key-dock").wait_for(timeout=60_000)
    return page


def test_the_first_picture_of_the_start_page_which_moves_agrees_with_its_sentence_and_stays_so(page):
    check(present(page, f"{presenting.START}.1"), presenting.of_page(presenting.START)[0])


@pytest.mark.campaign
@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)], ids=str)
@pytest.mark.parametrize("name", PAGES)
def test_every_picture_agrees_with_its_sentence_and_fits(page, name, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    present(page, f"{name}.1")
    for number, scene in enumerate(presenting.of_page(name), 1):
        if number > 1:
            page.keyboard.press("PageDown")
        expect(page.locator(".st-key-dock .place")).to_contain_text(f"{number} of", timeout=60_000)
        check(page, scene)


@pytest.mark.campaign
def test_a_scenes_address_wins_over_what_was_done_before_and_over_the_scene_that_was_left(open_page):
    page, (first, second) = open_page("/?epsilon=5"), presenting.of_page(presenting.START)[:2]
    page.get_by_role("slider").press("ArrowRight")
    kit.settled(page, quiet=800)
    kit.open_menu(page, "Teach")
    page.get_by_role("button", name="Present this page").click()
    expect(page.locator(".st-key-dock .place")).to_contain_text("1 of", timeout=30_000)
    says(kit.settled(page), first)
    page.keyboard.press("PageDown")
    expect(page.locator(".st-key-dock .place")).to_contain_text("2 of", timeout=30_000)
    says(kit.settled(page), second)
    page.go_back()
    expect(page.locator(".st-key-dock .place")).to_contain_text("1 of", timeout=30_000)
    says(kit.settled(page), first)
    page.go_forward()
    expect(page.locator(".st-key-dock .place")).to_contain_text("2 of", timeout=30_000)
    says(kit.settled(page), second)
