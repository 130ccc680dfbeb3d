"""The site is written without a warning, loads nothing from other hosts, and its figures and pictures are there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import partial
from html import unescape
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from urllib.parse import unquote, urlencode, urlsplit

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import chromium  # noqa: F401 — a fixture

ROOT = Path(__file__).parents[2]
LOADS = {
    "script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src", "audio": "src", "embed": "src",
    "object": "data", "link": "href",
}  # fmt: skip
"""What makes a browser fetch something, and by which attribute."""

SEARCHES = {
    "install": "install", "acc_eq": "faq", "p-value": "significance", "plot": "results", "pandas dataframe": "tables",
    "my own metric": "howto/my-metric", "what is a tie": "glossary", "load my data": "tutorial", "mt-bench": "votes",
    "spa": "measures", "wmt23 data": "formats", "download test sets": "formats", "slow first call": "faq",
    "cite": "faq", "alt test": "humans",
    "binder": "install", "constant metric": "constants", "epsilon threshold": "calibration",
    "which number should I report": "which-number", "LLM judge": "howto/my-judge", "human scores": "humans",
    "compare two metrics": "significance", "excel": "formats", "latex table": "howto/my-papers-table",
    "class lecture": "howto/my-class", "docker": "deploy", "identical translations": "identical",
    "why NaN": "coefficients", "notebook widget": "widgets", "confidence interval": "significance",
    "which coefficient": "which-number", "marimo": "widgets", "marimo widget": "widgets",
    "export html": "widgets", "to_html": "widgets", "dark mode": "widgets", "epsilon star": "calibration",
    "how many segments": "measures", "own metric csv": "howto/my-metric", "lower is better": "faq",
    "missing segments": "coefficients", "NaN scores": "faq", "significance of two metrics": "significance",
    "significance": "significance", "significance test": "significance", "tau b vs tau c": "coefficients",
    "missing values in my metric": "faq", "missing scores nan": "faq", "how do I add my own metric": "howto/my-metric",
    "multiple testing correction": "significance", "spearman per segment or per system": "groupings",
    "p value": "significance", "krippendorff annotators": "judgments", "gpt-4 as a judge": "howto/my-judge",
    "reproduce wmt results": "official", "pairwise accuracy": "measures", "read csv file": "formats",
    "bleu comet comparison": "howto/my-metric", "p-value between two metrics": "significance",
    "LaTeX": "howto/my-papers-table", "average over segments or pool all": "groupings",
    "my scores have many ties which correlation": "which-number", "Kendall tau b vs c": "coefficients",
    "multiple raters": "humans", "annotators": "humans", "calibartion": "calibration",
    "TER error count sign flip": "faq", "citation bibtex": "faq", "spearman": "coefficients",
    "signficance": "significance", "duplicate translations": "identical",
    "calibrate threshold on train set": "calibration", "position bias of judge": "howto/my-judge",
    "arrays not dataframe": "tables", "likert scale": "which-number", "accuracy with ties acc_eq": "coefficients",
    "multiple comparisons": "significance", "ties matter paper": "papers", "vscode": "widgets", "colab": "widgets",
    "krippendorff alpha": "judgments", "jupyter widget not showing": "faq", "license": "faq#cite",
    "missing scores": "faq#missing", "model not found": "faq#model-not-found", "mt-metrics-eval": "official",
    "ModuleNotFoundError anywidget": "install", "ModuleNotFoundError: No module named 'anywidget'": "install",
    "position bias": "votes", "group by item": "groupings", "noise sentinel": "fairness", "AutoMQM": "howto/my-judge",
    "all scores are equal": "constants", "rounding scores": "measures", "direct assessment": "humans",
    "best of n": "reference/tiekit.classification.rerank", "division by zero": "course/03_missing_segments",
    "Deutsch 2023": "papers", "keyboard shortcuts": "widgets", "Error loading script": "results",
    "concordant discordant pairs": "glossary", "ceiling effect upper bound metric": "judgments",
    "quiz": "howto/my-class", "BLEU ties": "fairness", "speed large data memory": "accuracy-and-speed",
    "ranking game": "gallery", "change colors of chart": "results",
}  # fmt: skip
"""What readers type, and the page that they should see first, or the heading that the key Enter then opens."""

ENTER = """all => {
    const score = (one) => one.firstElementChild.dataset.mdScore;
    return all.toSorted((a, b) => score(b) - score(a))[0].href;
}"""
"""Of the links to the first page the one that Enter opens: that of the highest score."""


class Loaded(HTMLParser):
    """Collects the addresses that a page loads, and those that it links to."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if address := given.get(LOADS.get(tag, "")):
            known = tag != "link" or given.get("rel") not in ("canonical", "prev", "next")
            (self.loads if known else self.links).append(address)
        if tag == "a" and (address := given.get("href")):
            self.links.append(address)


def test_the_navigation_names_pages_that_are_there() -> None:
    named = re.findall(r"[\w/-]+\.md", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    assert len(named) > 20
    assert [name for name in named if not (ROOT / "docs" / name).is_file()] == []
    assert len(named) == len(set(named))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site, as `make docs` writes it."""
    assert find_spec("mkdocs"), "make test-all installs what writes the site: pip install -e '.[docs]'"
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--site-dir", folder],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},  # of the theme's makers, about its successor
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr, done.stderr
    return folder


@pytest.mark.campaign
def test_the_site_loads_nothing_from_other_hosts_and_all_that_it_loads_is_there(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 40
    for page in pages:
        found = Loaded()
        found.feed(page.read_text(encoding="utf-8"))
        foreign = [address for address in found.loads if urlsplit(address).netloc]
        assert foreign == [], page
        if page.name == "404.html":  # it stands anywhere, so its addresses begin at the root
            continue
        for address in [*found.loads, *found.links]:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc or not parts.path:
                continue
            assert (page.parent / unquote(parts.path)).resolve().is_file(), f"{page}: {address}"
    for style in site.rglob("*.css"):
        assert not re.search(r"url\(\s*['\"]?(https?:)?//", style.read_text(encoding="utf-8")), style


def plain_text(page: str) -> str:
    """The words of a page's article, with one blank between them."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page.partition("<article")[2])).split())


@pytest.mark.campaign
def test_each_made_part_is_on_its_page(site: Path) -> None:
    text = {page.relative_to(site).as_posix(): page.read_text(encoding="utf-8") for page in site.rglob("*.html")}
    assert "<!-- made" not in "".join(text.values())
    assert text["coefficients.html"].count("<math") == 25  # formulas, one as printed, two examples each
    assert 'id="tau_eq"' in text["coefficients.html"]
    assert text["coefficients.html"].count('<iframe class="live"') == 2
    assert "permutation_test" in text["reference/index.html"]
    assert text["gallery.html"].count('<iframe class="live"') > 10
    assert text["course/02_counting.html"].count('<iframe class="live"') == 1
    for name, page in text.items():
        body = re.sub(r"<(pre|code)\b.*?</\1>", "", page.partition("<article")[2], flags=re.DOTALL)
        assert not re.search(r"={5,}|&gt;&gt;&gt;|::\s*</p>|``", body), name
    calibrate = plain_text(text["reference/tiekit.calibrate.html"])
    assert 'calibrate ( data : Human = None , metric : Metric = None , coefficient : str = "acc_eq" , *' in calibrate
    explorer = plain_text(text["reference/tiekit.widgets.CalibrationExplorer.html"])
    assert "coefficient, grouping, difference, human, exclude – As for calibrate . segment" in explorer
    for name, page in text.items():
        if name.startswith("reference/tiekit"):
            assert len(re.findall(r"<h1", page)) == 1, name
            results = page.partition("Returns:</span>")[2].partition("</ul>")[0]
            assert not re.search(r'doc-md-description">\s*</div>', results), f"{name}: an empty Returns"
    assert 'href="https://doi.org/10.1093/biomet/30.1-2.81"' in text["coefficients.html"]
    assert "tiekit/core/" in text["architecture.html"]


@pytest.mark.campaign
def test_a_search_shows_the_page_that_answers_it_first(site: Path, chromium: Browser) -> None:  # noqa: F811
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=site)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        page = chromium.new_page()
        first: dict[str, str] = {}
        for query in SEARCHES:
            page.goto(f"http://127.0.0.1:{server.server_port}/index.html?{urlencode({'q': query})}")
            page.locator(".md-search-result__meta", has_text="matching document").wait_for(state="attached")
            parts = urlsplit(page.locator(".md-search-result__item:first-child [href]").evaluate_all(ENTER))
            heading = f"#{parts.fragment}" * ("#" in SEARCHES[query])
            first[query] = parts.path.strip("/").removesuffix(".html") + heading
        page.close()
        server.shutdown()
    assert first == SEARCHES
