"""Few ties: on the first screen, the grip moves by pointer and keys, the rows re-sort."""

from __future__ import annotations

import pytest

import tiekit as tk
from tests.browser import kit
from tests.browser.figures import SIZES, first_screen
from tests.browser.test_tie_shares import shares_are_followed
from ui.work.presets import sample

pytestmark = pytest.mark.browser


def rows(page):
    """The names of the metrics as the rows stand, and their ranks by name."""
    read = "row => [row.getBoundingClientRect().top, row.dataset.metric, Number(row.dataset.rank)]"
    found = page.locator(".few_ties .row").evaluate_all(f"rows => rows.map({read})")
    return [name for _, name, _ in sorted(found)], {name: rank for _, name, rank in found}


@pytest.mark.parametrize(("viewport", "link", "colour_scheme"), SIZES)
def test_the_rows_re_sort_while_the_grip_moves(open_page, link):
    page = open_page(f"/Sentinels{link}")
    first_screen(page)
    data, line = sample("qaa-qab").select(), page.locator(".few_ties .sets")
    page.emulate_media(reduced_motion="reduce")

    def check(share):
        order, ranks = rows(page)
        assert [ranks[name] for name in order] == sorted(ranks.values())
        values = tk.sentinels.tie_shares(data, shares=[share], exclude=()).set_index("metric")["value"]
        for name, rank in ranks.items():
            if not name.endswith(" + noise"):
                assert rank == 1 + (values > values[name] + 1e-12).sum()

    shares_are_followed(page, line, "few_ties", "tied=0", check, (0.3, 0.85))
    assert float(line.get_attribute("data-share")) > 0.4
    kit.check_page(page)
