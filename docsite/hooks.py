"""Which pages, figures and pictures does MkDocs get that are not files in docs/? Named as a hook in mkdocs.yml.

A comment on a line of its own asks for a made part: ``<!-- made: glossary -->``, ``<!-- live: tie_lab -->``,
``<!-- picture: ranks -->`` or ``<!-- section: CONTRIBUTING.md, The map -->``. A code-hosting site shows nothing there.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from docsite import coefficients, course, live, pictures, reference, texts
from tiekit.figures import read_story, story_page

ROOT = Path(__file__).parents[1]
ASKED = re.compile(r"^<!-- (made|live|picture|section): (.*?) -->$", re.MULTILINE)
COURSE = "notebooks/README.md"
"""What is the first page of the course."""

UPWARD = re.compile(r"\]\(((?:\.\./)+[^)#\s]+)(#[^)\s]*)?\)")

BOOSTS = {"faq": 1.5, "install": 0.7, "results": 0.7, "course/": 0.7, "reference/": 0.3}
"""How far up a page stands in the search, by how its file's name begins."""

SEARCHES = {
    "accuracy-and-speed": ["speed large data memory"],
    "calibration": ["epsilon", "epsilon star", "threshold", "tie calibration"],
    "coefficients": [
        "Kendall tau",
        "tau_b",
        "NaN",
        "missing segments",
        "Pearson",
        "Spearman",
        "accuracy with ties",
    ],
    "command_line": ["command line", "terminal"],
    "constants": ["constant metric", "all scores are equal"],
    "course/": ["course", "notebook"],
    "course/03": ["division by zero"],
    "deploy": ["docker", "server", "cloud", "kubernetes"],
    "fairness": ["BLEU ties", "metric ties everything", "random metric baseline", "noise sentinel"],
    "formats": [
        "read csv file",
        "MQM scores",
        "my own file",
        "csv",
        "tsv",
        "excel",
        "parquet",
        "system names",
        "download test sets",
        "wmt23 data",
    ],
    "gallery": ["ranking game"],
    "glossary": [
        "concordant discordant pairs",
        "tie",
        "a tie",
        "what is a tie",
        "pair",
        "term",
        "meaning",
        "definition",
    ],
    "howto/my-class": ["quiz", "class", "lecture", "students", "teach"],
    "howto/my-domain": ["summarization", "captions"],
    "howto/my-judge": ["LLM judge", "my own judge", "GPT-4 judge", "position bias of my judge", "AutoMQM"],
    "groupings": [
        "group by item",
        "segment level",
        "system level",
        "per segment or per system",
        "Spearman per segment",
    ],
    "howto/my-metric": ["my own metric", "add my own metric", "own metric csv", "BLEU COMET comparison"],
    "howto/my-papers-table": ["latex", "table for a paper"],
    "humans": [
        "human scores",
        "direct assessment",
        "multiple raters",
        "annotators",
        "alternative annotator test",
        "alt test",
    ],
    "judgments": ["ceiling effect upper bound", "inter-annotator", "Krippendorff", "Cohen kappa"],
    "faq.html#cite": ["cite", "BibTeX citation", "license"],
    "faq.html#lower": ["lower is better", "TER error count", "sign flip"],
    "faq.html#missing": ["missing values", "missing values in my metric", "missing scores", "missing scores NaN"],
    "faq.html#slow": ["slow first call", "compile time"],
    "faq.html#model-not-found": ["model not found", "Jupyter widget not showing"],
    "identical": ["identical translations", "same translation", "noise"],
    "measures": [
        "how many segments",
        "rounding scores",
        "how big must the test set be",
        "sample size",
        "power",
        "soft pairwise accuracy",
        "SPA",
    ],
    "install": ["pip", "binder", "install jupyter", "ModuleNotFoundError anywidget", "No module named"],
    "official": ["reproduce WMT results", "mt-metrics-eval"],
    "papers": ["paper", "papers", "ties matter", "Deutsch 2023"],
    "reference/tiekit.classification.rerank": ["best of n"],
    "results": ["change colors of chart", "plot", "picture", "Error loading script", "offline"],
    "significance": [
        "significance test",
        "significance stars",
        "p-value",
        "p value",
        "multiple testing correction",
        "multiple comparisons",
        "Holm Bonferroni",
        "confidence interval",
        "compare two metrics",
        "bootstrap",
        "permutation",
    ],
    "tables": ["pandas dataframe"],
    "tutorial": ["first steps", "getting started", "leaderboard", "load my data"],
    "votes": [
        "preferences",
        "pairwise votes",
        "MT-bench",
        "chatbot arena",
        "AlpacaEval",
        "swap order",
        "position bias",
    ],
    "which-number": ["report", "number", "recommendation", "which coefficient", "which correlation", "many ties"],
    "widgets": [
        "widget",
        "notebook widget",
        "figure",
        "marimo",
        "export html",
        "to_html",
        "dark mode",
        "interactive",
        "keyboard shortcuts",
    ],
}
"""What readers type when they look for a page, or for a part of one, whose own words are others."""

MADE: dict[str, Callable[[], str]] = {
    "coefficients table": coefficients.overview,
    "coefficients": coefficients.sections,
    "example counts": coefficients.example_counts,
    "story": lambda: f'<a href="story.html">**{read_story()["title"]}** Seven lessons on one page, thirty minutes.</a>',
    "glossary": texts.glossary,
    "guide questions": texts.guide_questions,
    "guide rules": texts.guide_rules,
    "gallery": live.gallery,
    "papers": texts.papers,
    "changelog": texts.changelog,
}


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the course and the reference into the navigation."""
    nav: list[Any] = list(config.nav or [])
    place = next(place for place, part in enumerate(nav) if "Concepts" in part) + 1
    nav.insert(place, {"Reference": reference.navigation()})
    nav.insert(2, {"Course": course.navigation()})
    config.nav = nav
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages of the reference, figures, pictures, and the files outside docs/ to which pages link."""
    for name, text in reference.pages().items():
        files.append(File.generated(config, name, content=text))
    files.append(File.generated(config, "story.html", content=story_page()))
    for name in live.FIGURES:
        files.append(File.generated(config, f"live/{name}.html", content=live.page(name)))
    files.append(File.generated(config, _copy(COURSE), content=course.overview()))
    for name in course.notebooks():
        files.append(File.generated(config, f"course/{name}.md", content=course.page(name)))
        saved = (course.FOLDER / f"{name}.ipynb").read_bytes()
        files.append(File.generated(config, f"files/notebooks/{name}.ipynb", content=saved))
        for address, figure in course.figures(name).items():
            files.append(File.generated(config, f"live/{address}.html", content=figure))
    for name in pictures.PICTURES:
        for theme, text in pictures.svg(name).items():
            files.append(File.generated(config, f"pictures/{name}-{theme}.svg", content=text))
    for name in sorted(_outside(config) - {COURSE}):
        files.append(File.generated(config, _copy(name), content=(ROOT / name).read_bytes()))
    return files


def _copy(name: str) -> str:
    """Return where the site keeps a file from outside docs/, as it is; the README of the notebooks is a page."""
    if name == COURSE:
        return "course/index.md"
    return f"files/{name}.txt" if name.endswith((".md", ".py")) else f"files/{name}"


def _outside(config: MkDocsConfig) -> set[str]:
    """Return the files outside docs/ to which its pages link, from the root of the clone."""
    folder = Path(config.docs_dir)
    pages = [path.relative_to(folder).as_posix() for path in folder.rglob("*.md")]
    found = {
        _outside_name(page, link[1])
        for page in pages
        for link in UPWARD.finditer((folder / page).read_text(encoding="utf-8"))
    }
    return {name for name in found if name is not None}


def _outside_name(page: str, link: str) -> str | None:
    """Return the file that a link of a page of docs/ leads to, from the root; None if it lies in docs/."""
    name = posixpath.normpath(posixpath.join("docs", posixpath.dirname(page), link))
    return None if name.startswith("docs/") else name


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Put the made parts where they are asked for, and let links lead to the copies of files outside docs/."""
    source = page.file.src_uri
    boost = next((boost for start, boost in BOOSTS.items() if source.startswith(start)), 1.0)
    page.meta.setdefault("search", {"boost": boost})
    words = [word for start, words in SEARCHES.items() if source.startswith(start) for word in words]
    page.meta.setdefault("tags", words)

    def lead_to_copy(found: re.Match[str]) -> str:
        name = _outside_name(source, found[1])
        return f"]({'../' * source.count('/')}{_copy(name)})" if name else found[0]

    text = UPWARD.sub(lead_to_copy, markdown)
    up = "../" * page.file.url.count("/")
    text = ASKED.sub(lambda asked: part(asked[1], asked[2], up), text)
    return ASKED.sub(lambda asked: part(asked[1], asked[2], up), text)  # made parts ask for pictures


def on_post_build(config: MkDocsConfig) -> None:
    """Let the theme's search read what is typed as search.js says, and find parts of pages by their words."""
    path = Path(config.site_dir) / "search" / "search_index.json"
    index = json.loads(path.read_text(encoding="utf-8"))
    for entry in index["docs"]:
        if "#" in entry["location"] and entry["location"] in SEARCHES:
            entry["tags"] = SEARCHES[entry["location"]]
    path.write_text(json.dumps(index), encoding="utf-8")
    rule = (ROOT / "docsite" / "search.js").read_text(encoding="utf-8")
    for worker in Path(config.site_dir).glob("assets/javascripts/workers/search.*.min.js"):
        worker.write_text(f"{rule}{worker.read_text(encoding='utf-8')}", encoding="utf-8")


def on_page_content(html: str, page: Page, **_: object) -> str:
    """Make links of the numbers of papers, and of public names in code."""
    up = "../" * page.file.url.count("/")
    name = page.file.src_uri.removeprefix("reference/").removesuffix(".md")
    module = name.rpartition(".")[0] or "tiekit" if page.file.src_uri.startswith("reference/") else ""
    return reference.link_names(texts.link_sources(html), up, module)


def part(kind: str, name: str, up: str) -> str:
    """Return a part that a page asks for; ``up`` leads from the page to the site's root.

    Raises
    ------
    KeyError
        If there is no such part.
    """
    if kind == "made":
        return MADE[name]()
    if kind == "live":
        return live.frame(name, up)
    if kind == "picture":
        return pictures.figure(name, up)
    file, _, heading = name.partition(", ")
    return texts.section(file, heading)
