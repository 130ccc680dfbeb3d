"""Others change data while a figure holds a change of its own: both sides end with both changes."""

import pytest

from tests.browser.figures import LOAD
from tiekit.figures import sources
from tiekit.figures.bundler import bundle

pytestmark = pytest.mark.browser

GLOBAL = """import { hosted } from "./shared/hosts.js";
import { Outbox } from "./shared/mount.js";

Object.assign(globalThis, { hosted, Outbox });
"""

BOTH_CHANGE = """async (way) => {
    const kept = {}, figure = {
        open({ data, send, onData }) {
            const outbox = new Outbox(send);
            let pending = null;
            const take = (fresh) => {
                if (kept.held) pending = fresh;
                else if (outbox.isHeard(fresh.serial)) kept.shown = fresh;
            };
            kept.shown = data;
            kept.change = (change, wait) => {
                kept.held = false;
                kept.shown = { ...kept.shown, ...change };
                outbox.tell(change, wait);
                if (pending) take(pending);
            };
            onData(take);
        },
    };
    const { give } = hosted(figure.open, null, { epsilon: 0, pair: null }, (data) => (kept.told = data));
    const others = { epsilon: 0, pair: [0, 1] };
    if (way === "by key") {
        kept.change({ epsilon: 1 }, 1e6); // it waits until the keys have come to rest
        give(others);
    } else {
        kept.held = true;
        give(others);
        kept.change({ epsilon: 1 }, 0);
    }
    await null;
    const { serial, ...shown } = kept.shown, { told } = kept;
    return { shown, told };
}"""


@pytest.mark.parametrize("way", ["by key", "by drag"])
def test_changes_on_both_sides_meet(chromium, way):
    page = chromium.new_page()
    try:
        page.evaluate(LOAD, bundle("global.js", {**sources.modules(), "global.js": GLOBAL}))
        found = page.evaluate(BOTH_CHANGE, way)
    finally:
        page.close()
    both = {"epsilon": 1, "pair": [0, 1]}
    assert found == {"shown": both, "told": both}
