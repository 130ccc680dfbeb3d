"""A figure's page of its own: one file that holds all it needs, whatever its texts are."""

import json
import re
from html.parser import HTMLParser

import pytest

from tiekit.figures.lab import lab_page
from tiekit.widgets import TieLab

NASTY = '</script><script>alert("1")</script><!-- \u2028 {x} & "é"'


class Page(HTMLParser):
    """The elements of a page, and the texts in them."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.texts = [("", {})], {}
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        tag = self.tags[-1][0]
        self.texts[tag] = self.texts.get(tag, "") + data


def test_a_page_holds_all_that_it_needs():
    text = lab_page([0, 1], {"m": [1, 0]})
    assert len(text.encode()) < 200_000
    page = Page(text)
    assert not [attributes for _, attributes in page.tags if {"src", "href"} & attributes.keys()]
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text)
    policy = [attributes["content"] for _, attributes in page.tags if "http-equiv" in attributes]
    assert len(policy) == 1
    assert policy[0].startswith("default-src 'none'")


def test_no_name_ends_the_script_or_becomes_an_element():
    page = Page(lab_page([0, 1], {NASTY: [1, 0]}))
    assert [tag for tag, _ in page.tags].count("script") == 1
    data = re.search(r'\$entry\.show\((\{.*\}), \{"human": ', page.texts["script"])
    assert json.loads(data[1])["metrics"][0]["name"] == NASTY
    assert NASTY in page.texts["footer"]


def test_a_widget_writes_what_it_shows_now(tmp_path):
    lab = TieLab([0, 1], {"m": [1, float("nan")]})
    lab.epsilon = 0.25
    lab.to_html(tmp_path / "lab.html")
    shown = Page((tmp_path / "lab.html").read_text(encoding="utf-8"))
    assert '"epsilon": 0.25' in shown.texts["script"]
    assert "m: 1 nan. Made with tiekit" in shown.texts["footer"]
    with pytest.raises(OSError, match="No such file or directory"):
        lab.to_html(tmp_path / "no" / "lab.html")
