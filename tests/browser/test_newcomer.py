"""A newcomer's path: the file that a tool has just written is dropped beside WMT22, and the answer is read."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from playwright.sync_api import expect

import tiekit as tk
from tests.browser import kit
from tests.browser.test_leaderboard import cells

pytestmark = pytest.mark.browser

ADD = "Add scores"


@pytest.fixture
def comet_json(tmp_path):
    """BLEU's scores as COMET writes its own."""
    data, path = tk.load_wmt22(), tmp_path / "comet.json"
    scores = data.metrics["BLEU-refA"]
    found = {
        f"out/{system}.txt": [{"src": "", "mt": "", "COMET": float(score)} for score in row]
        for system, row in zip(data.systems, scores, strict=True)
        if not np.isnan(row).any()
    }
    path.write_text(json.dumps(found), encoding="utf-8")
    return path


def add(page, path):
    page.get_by_role("button", name=ADD).click()
    page.get_by_test_id("stPopoverBody").locator("input[type=file]").set_input_files(path)
    expect(page.get_by_text("19 of 20 systems and 1,875 of 1,875 segments matched")).to_be_visible(timeout=60_000)
    kit.settled(page, patience=90_000)


FEW = ("BLEU-refA", "chrF-refA", "COMET-22-refA", "COMETKiwi-src", "REUSE-src")


@pytest.mark.campaign  # tests/app/leaderboard/test_newcomer.py tries it in every run
def test_a_file_is_added_read_about_linked_and_asked_for(open_page, server, comet_json):
    page = open_page("/Leaderboard?source=WMT22+Chinese–English" + "".join(f"&shown_metrics={name}" for name in FEW))
    page.set_viewport_size({"width": 1280, "height": 800})
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=server.url)
    add(page, comet_json)
    page.get_by_label("Name", exact=True).fill("mine")
    page.keyboard.press("Enter")
    sentence = page.get_by_text(re.compile(r"✚ mine is \d+\w+ of 6 by acc_eq\* by item on wmt22 .* cluster \d+ of \d+"))
    expect(sentence).to_be_visible(timeout=60_000)
    kit.settled(page, patience=90_000)
    kit.check_page(page)
    page.keyboard.press("Escape")
    kit.settled(page)
    expect(sentence).to_be_in_viewport()  # beside the button
    rows = cells(page)
    assert rows["mine"]["acc_eq*"] == rows["BLEU-refA"]["acc_eq*"]
    page.get_by_role("button", name="Copy link").click()
    page.get_by_role("status").filter(has_text="copied").wait_for()
    link = page.evaluate("navigator.clipboard.readText()")
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": kit.NARROW[0], "height": kit.NARROW[1]})
    kit.visit(page, link)
    asked = page.get_by_text("This link was made with comet.json")
    expect(asked).to_be_visible()
    kit.check_page(page)
    page.set_viewport_size({"width": kit.WIDE[0], "height": kit.WIDE[1]})
    add(page, comet_json)
    expect(asked).to_be_hidden()
    assert cells(page)["COMET"]["acc_eq*"] == rows["mine"]["acc_eq*"]
