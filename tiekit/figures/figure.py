"""What is a figure made of? ES modules and style sheets: a module for a notebook or Streamlit, or a page of its own."""

from __future__ import annotations

import html
import json
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from typing import Any, NamedTuple

from tiekit.base.results import __version__
from tiekit.figures import bundler
from tiekit.figures.bundler import bundle
from tiekit.figures.rules import Rule
from tiekit.readers.facts import data_file
from tiekit.sets.cells import join_names

POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"
"""A page of its own loads nothing from anywhere, so browsers are told to refuse it."""

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{window}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ margin: 0; padding: 1rem; background: light-dark(#FFFFFF, #0E1117); color: light-dark(#1A1A1A, #FAFAFA);
  font-family: system-ui, sans-serif; }}
@media (max-width: 380px) {{ body {{ padding: .25rem; }} }}
h1 {{ font-size: 1.2rem; margin: 0 0 .5rem; }}
main > p {{ font-size: .85rem; margin: 0 0 .5rem; overflow-wrap: anywhere; }}
footer {{ font-size: .85rem; margin-top: 1rem; overflow-wrap: anywhere; }}
{style}</style>
</head>
<body>
<main>
<h1>{title}</h1>{face}
<div id="figure"></div>
</main>
<footer><details><summary>How was this made?</summary>{origin}{terms}</details></footer>
<script type="module">
{script}
$entry.show({data}, {rules});
</script>
</body>
</html>
"""


HOSTS = {
    "notebook": "export default function () {\n  return notebookHost(openFigure, STYLE);\n}\n",
    "streamlit": (
        "const component = streamlitHost(openFigure);\n"
        "export default function (given) {\n  return component(given);\n}\n"
    ),
    "page": (
        "export const show = (data, rules) =>\n"
        '  pageHost(openFigure, document.getElementById("figure"), data, rules);\n'
    ),
}
"""What the main module of each host is."""


@dataclass(frozen=True, eq=False)
class Figure:
    """A figure in the browser: a row of the table in ``figures.py``.

    Its data, modules and style sheet are in the folder of its name, where ``figure.js`` opens it; ``title`` heads its
    page; ``rules`` say what moves in it, and which values that may take.
    """

    name: str
    title: str
    rules: Mapping[str, Rule]

    @property
    def keys(self) -> tuple[str, ...]:
        """What moves in it; traits of its widget, and what the address of its page holds."""
        return tuple(self.rules)

    @property
    def checks(self) -> dict[str, Callable[[Any], bool]]:
        """Return for what moves, but scores, what says whether a value keeps its rule in some data."""
        return {key: rule.holds for key, rule in self.rules.items() if hasattr(rule, f"_is_{rule.kind}")}

    def data(self, *args: Any, **options: Any) -> dict[str, Any]:
        """Return what it shows, as JSON takes it: what ``figure_data`` in its folder makes of scores or results."""
        data: dict[str, Any] = import_module(f"tiekit.figures.{self.name}").figure_data(*args, **options)
        return data

    def style(self) -> str:
        """Return its style sheet, with what all figures share."""
        return bundler.style(self.name)

    def for_notebook(self) -> str:
        """Return an ES module whose default export anywidget takes."""
        return _bundle_for(self, "notebook", bundler.formulas())

    def for_streamlit(self) -> str:
        """Return an ES module whose default export is a component of Streamlit."""
        return _bundle_for(self, "streamlit", bundler.formulas())

    def page(self, data: Mapping[str, Any], origin: str, title: str = "", source: str = "") -> str:
        """Return the text of a page that shows data, says of which numbers they were made, and has a title if other.

        The window's title names the figure, its metrics, and the set or the digest of the ``source``; the page names
        the set and the human score under its title, and says what the terms in it mean where it says how it was made.
        """
        title, known = title or self.title, facts_of(source)
        names = [title, _metrics_in(data, title), *(known[name] for name in ("set", "data") if name in known)]
        part = data.get("part") and f"Shown: {data['part']}"
        face = [f"{label}: {known[name]}" for label, name in (("Data", "set"), ("human", "human")) if known.get(name)]
        written = " ".join((title, json.dumps(data, ensure_ascii=False)))
        origin += "".join(f" {said}." for said in (part, source) if said and said not in origin)
        return PAGE.format(
            policy=html.escape(POLICY),
            title=html.escape(title),
            window=html.escape(" · ".join(filter(None, names))),
            style=bundler.style(self.name),
            face=f"\n<p>{html.escape(' · '.join(face))}</p>" if "set" in known else "",
            terms=_terms_in(written),
            origin=html.escape(f"{origin} Made with tiekit {__version__}."),
            script=_bundle_for(self, "page", bundler.formulas()),
            data=in_script(data),
            rules=in_script({key: rule.as_json() for key, rule in self.rules.items()}),
        )


class Scope(NamedTuple):
    """What every figure says of what was given: how much of it is shown, the facts of its source, and which systems the
    numbered scores of one segment are."""

    part: str = ""
    source: str = ""
    items: tuple[str, ...] = ()


WHOLE = Scope()


class Picture(NamedTuple):
    """A figure with its data, and of which scores they were made."""

    figure: Figure
    data: dict[str, Any]
    origin: str
    scope: Scope = WHOLE


def facts_of(signature: str) -> dict[str, str]:
    """Return the facts in a signature, or in a part of it."""
    return dict(fact.partition(":")[::2] for fact in signature.split("|"))


@cache
def read_glossary() -> dict[str, Any]:
    """Return the terms, as they stand in ``data/glossary.toml``."""
    return tomllib.loads(data_file("glossary.toml").read_text(encoding="utf-8"))


def _terms_in(written: str) -> str:
    """Write what the symbols and groupings in a text mean, in the words of the glossary."""
    told = []
    for term, entry in read_glossary().items():
        names = [term, term.replace("τ", "tau"), *entry.get("also", ())]
        sought = [name for name in names if re.search("τ_|tau_|acc_|ε", name)] or [f"by {term}"]
        if re.search("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in sought), written):
            told.append(f"<p><b>{html.escape(term)}</b>: {html.escape(entry['meaning'])}</p>")
    return "".join(told)


def _metrics_in(data: Mapping[str, Any], title: str) -> str:
    """Return the names of what a figure compares, unless its title says them; of many the first."""
    rows: list[Any] = data.get("curves") or data.get("metrics") or data.get("judges") or []
    names = [one if isinstance(one, str) else one.get("short", one["name"]) for one in rows]
    return join_names([name for name in names if not title.endswith(f" {name}")])


@lru_cache(maxsize=16)
def _bundle_for(figure: Figure, host: str, formulas: str) -> str:
    """The modules of a figure and of its host as one; the formulas are a part of what is kept by."""
    style = json.dumps(bundler.style(figure.name))
    entry = HOSTS[host].replace("STYLE", style)
    imports = f'import {{ openFigure }} from "./{figure.name}/figure.js";\n'
    imports += f'import {{ {host}Host }} from "./shared/hosts.js";\n'
    return bundle("entry.js", {**bundler.files(), "shared/formulas.js": formulas, "entry.js": imports + entry})


def in_script(value: Any) -> str:
    """A value as JSON that no text in it can end."""
    return json.dumps(value, allow_nan=False).replace("<", "\\u003C")
