"""Whoever cites a section says of which version of the paper."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ui.page import glossary, pages, papers

ROOT = Path(__file__).parents[3]
CITES = re.compile(r"(Sections?|Appendix|Appendices|Tables?|Figures?|Algorithms?) [A-G\d]")


@pytest.mark.parametrize("page", [page.file for page in pages.lessons()])
def test_a_page_that_cites_sections_names_the_version(page):
    script = ROOT / page
    folder = ROOT / "ui" / script.stem.partition("_")[2].casefold()
    texts = [file.read_text(encoding="utf-8") for file in (script, *folder.glob("*.py"))]
    if any(CITES.search(text) for text in texts):
        assert any(".cited(" in text for text in texts)


def test_a_citation_says_where_and_in_which_version():
    assert papers.DEUTSCH.cited("Table 1").endswith(
        "798), Table 1 of the [arXiv version](https://arxiv.org/abs/2305.14324) titled *Modifying Kendall's Tau*"
    )
    assert papers.sources("a", "b", notebook="c.ipynb") == "\n\nSources: a; b. As a notebook: `notebooks/c.ipynb`."


def test_the_glossary_says_so_too():
    sources = {papers.dated(entry["source"]) for entry in glossary.definitions().values()}
    assert "Deutsch et al. (2023), Section 2.2 (arXiv version)" in sources
    assert "Graham et al. (2015), Section 2" in sources
    for source in sources:
        assert ("arXiv version" in source) == bool(
            CITES.search(source) and re.search("Deutsch et al|Perrella|Gao", source)
        )
