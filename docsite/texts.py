"""Which texts of other files stand on pages? Glossary, guide to numbers, papers, changes, and sections by heading."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]

ROLES = {"report": "report", "beside": "report beside it", "avoid": "do not report"}
"""What the guide says of a number."""

ADDRESSES = {"doi:": "https://doi.org/", "arXiv": "https://arxiv.org/abs/"}
SOURCE = re.compile(r"(?:(doi:)(?=10\.)|(arXiv)[: ](?=\d{4}\.\d{5}))([^\s<>;,)]*[^\s<>;,.:)])")
TAG = re.compile(r"(<[^>]*>)")


def section(file: str, heading: str) -> str:
    """Return what stands under a heading of the second level, without its subsections, so that nothing stands twice.

    Raises
    ------
    KeyError
        If the file has no such heading.
    """
    _, found, after = _read(file).partition(f"\n## {heading}\n")
    if not found:
        raise KeyError(f"{file} has no heading '## {heading}'")
    return after.split("\n## ")[0].split("\n### ")[0].strip()


def glossary() -> str:
    """Write one heading per term, in alphabetical order, with its meaning and source."""
    entries = _toml("glossary")
    return "\n\n".join(_term(term, entries[term]) for term in sorted(entries, key=str.casefold))


def _term(term: str, entry: dict[str, Any]) -> str:
    also = f"*Also: {', '.join(map(_plain, entry['also']))}.* " if entry.get("also") else ""
    source = _plain(entry["source"])
    for label, address in _labels().items():
        source = source.replace(label, f"[{label}]({address})")
    pages = _pages_on(term)
    more = f" · Used in {', '.join(f'[{title}]({name})' for title, name in pages)}." if pages else ""
    return f"### {_plain(term)}\n\n{also}{_plain(entry['meaning'])}\n\n<small>{source}{more}</small>"


def _pages_on(term: str) -> list[tuple[str, str]]:
    """Return title and file of the three pages that use a term most, twice or more often."""
    used = re.compile(rf"(?<!\w){re.escape(term)}s?(?!\w)", re.IGNORECASE)
    found = {page: len(used.findall(text)) for page, text in guides().items()}
    most = sorted(found, key=lambda page: (-found[page], page))[:3]
    return [(guides()[page].partition("\n")[0].removeprefix("# "), page) for page in most if found[page] > 1]


@cache
def guides() -> dict[str, str]:
    """Return the text of the pages that explain, by file."""
    folder = ROOT / "docs"
    files = [path.relative_to(folder).as_posix() for path in sorted(folder.rglob("*.md"))]
    return {name: _read(f"docs/{name}") for name in files if name not in ("glossary.md", "papers.md", "changelog.md")}


@cache
def _labels() -> dict[str, str]:
    """Return the address of each paper that its authors and year alone tell from the others."""
    labels = [(f"{_authors(paper['author'])} ({paper['year']})", paper["address"]) for paper in _papers()]
    several = {label for label, number in Counter(label for label, _ in labels).items() if number > 1}
    return {label: address for label, address in labels if label not in several}


def guide_questions() -> str:
    """Write one row per question of the guide, with its answers."""
    questions = _toml("guide")["questions"].items()
    rows = [[f"`{name}`", one["asks"], "; ".join(one["answers"].values())] for name, one in questions]
    return table(["argument", "question", "answers"], rows)


def guide_rules() -> str:
    """Write one row per rule of the guide: the number, when it holds, why, and who says so."""
    guide = _toml("guide")
    rows = []
    for rule in guide["rules"]:
        source = guide["sources"][rule["source"]]
        when = "; ".join(f"{name}: {' or '.join(answers)}" for name, answers in rule["when"].items())
        rows.append([ROLES[rule["role"]], rule["number"].replace("*", r"\*"), when, rule["why"].replace("*", r"\*")])
        rows[-1].append(f"[{source['label']}]({source['url']})")
    return table(["", "number", "if", "why", "source"], rows)


def papers() -> str:
    """Write one row per paper, by year: what it is, and the names in tiekit that stand on it."""
    found = sorted(_papers(), key=lambda paper: (paper["year"], paper["author"]))
    rows = [
        [f"[{paper['title']}]({paper['address']})", f"{_authors(paper['author'])} ({_years(paper)})", paper["names"]]
        for paper in found
    ]
    return table(["paper", "by", "names in `tk.cite` and signatures"], rows)


def _papers() -> Iterator[dict[str, str]]:
    for entry in re.split(r"\n(?=@)", _read("data/references.bib"))[1:]:
        fields = re.findall(r"  (\w+) = \{(.*)\},?", entry)
        paper = {name: re.sub(r"[{}]", "", _accents(value)) for name, value in fields}
        paper["address"] = f"https://doi.org/{paper['doi']}" if "doi" in paper else paper.get("url", "")
        paper["names"] = " ".join(f"`{name}`" for name in paper["keywords"].split(", "))
        yield paper


def _years(paper: Mapping[str, str]) -> str:
    """Write the year, and that of the preprint by which a paper may be cited."""
    first = f"20{paper.get('eprint', '')[:2]}"
    return paper["year"] if first in ("20", paper["year"]) else f"{paper['year']}; arXiv {first}"


def _accents(text: str) -> str:
    r"""Write \'e as é, and so on."""
    marks = {"'": "\u0301", '"': "\u0308", "`": "\u0300", "~": "\u0303", "^": "\u0302", "c": "\u0327", "v": "\u030c"}
    text = re.sub(r"\{?\\([\'\"`~^]|[cv](?=\{))\{?\\?(\w)\}?\}?", lambda found: found[2] + marks[found[1]], text)
    return text.replace("--", "–").replace("\\", "")


def _authors(names: str) -> str:
    """Name the first author, and the second where there are two."""
    family = [name.partition(",")[0].strip() for name in names.split(" and ")]
    return " and ".join(family) if len(family) <= 2 else f"{family[0]} et al."


def changelog() -> str:
    """Return what users notice of each version."""
    return _read("CHANGELOG.md").partition("\n")[2].strip()


def link_sources(html: str) -> str:
    """Make links of the DOIs and arXiv numbers in the text of a page, but not in code or in other links."""
    closed = 0
    parts = TAG.split(html)
    for place, part in enumerate(parts):
        if place % 2:
            name = re.match(r"</?(\w*)", part)
            closed += (-1 if part[1] == "/" else 1) * (name is not None and name[1] in ("a", "code", "pre", "script"))
        elif not closed:
            parts[place] = SOURCE.sub(_link, part)
    return "".join(parts)


def _link(found: re.Match[str]) -> str:
    return f'<a href="{ADDRESSES[found[1] or found[2]]}{found[3]}">{found[0]}</a>'


def table(heads: list[str], rows: list[list[str]]) -> str:
    """Write a table of Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _plain(text: str) -> str:
    """Write plain text so that Markdown shows every character of it."""
    return re.sub(r"([\\`*_{}\[\]<>#|])", r"\\\1", text)


def _toml(name: str) -> dict[str, Any]:
    return tomllib.loads(_read(f"data/{name}.toml"))


def _read(file: str) -> str:
    return (ROOT / file).read_text(encoding="utf-8")
