"""What does each public name do? By topic, a table with one line per name; one page per name, made of its docstring."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import tiekit as tk
from docsite.texts import guides, table
from tiekit.core import Plotted, Result, ResultOfScores

NAMESPACES = tuple(name for name in tk.__all__ if inspect.ismodule(getattr(tk, name)))
"""One for each further question."""

TOPICS = {
    "Read": ("read", "read_table", "load", "examples", "load_wmt22", "download", "EvalSet", "readers"),
    "Count": ("count_pairs", "classify_pairs", "count_ties", "break_ties", "to_buckets"),
    "Correlate": ("correlate", "COEFFICIENTS", "GROUPINGS", "check_evaluator"),
    "Identical texts": ("identical",),
    "Calibrate": ("calibrate", "cross_validate", "transfer"),
    "Rank": ("leaderboard", "standing", "ranking", "official"),
    "Compare": ("significance",),
    "Write": ("write_mtme", "cite"),
    "Interactive figures": ("widgets",),
    "Measures": ("measures",),
    "Fairness": ("sentinels",),
    "Humans": ("humans", "classification", "judgments"),
    "Votes": ("votes",),
    "Core": ("core",),
    "Errors and warnings": ("errors",),
}
"""Names of tiekit and namespaces by topic, in the order of their use."""

TYPES = (
    ("Human", "tiekit.sets.arguments"),
    ("Metric", "tiekit.sets.arguments"),
    ("Exclude", "tiekit.sets.arguments"),
    ("Metrics", "tiekit.figures.arguments"),
    ("Segment", "tiekit.figures.arguments"),
    ("Measures", "tiekit.measures.evaluate"),
    ("Names", "tiekit.measures.evaluate"),
    ("Datasets", "tiekit.measures.evaluate"),
    ("Source", "tiekit.readers._source"),
    ("StopEarly", "tiekit.significance.permutation"),
    ("FloatArray", "tiekit.base.validation"),
    ("IntArray", "tiekit.base.validation"),
    ("Progress", "tiekit.base.parallel"),
)
"""Types that signatures name, and where they are said to be what they are."""

OF_RESULTS = (Result, ResultOfScores, Plotted)
"""What all results can do: docs/results.md."""

MOST_BESIDE = 12
"""Maximum number of names, and of guides, under "See also"."""

CODE = re.compile(r"<code>(?:(?:tk|tiekit)\.)?([A-Za-z_][\w.]*)((?:\(.*?\))?)</code>")
ANCHORED = re.compile(r"(<a\b.*?</a>|<pre\b.*?</pre>|<h1\b.*?</h1>)", re.DOTALL)


class Entry(NamedTuple):
    """A public name: where it is offered, and what it is."""

    module: str
    name: str
    value: object

    @property
    def full(self) -> str:
        """As one writes it, such as ``tiekit.significance.permutation_test``."""
        return f"{self.module}.{self.name}"

    @property
    def file(self) -> str:
        """Its page."""
        return f"reference/{self.full}.md"

    @property
    def is_code(self) -> bool:
        """Whether it is a class or a function."""
        return inspect.isclass(self.value) or inspect.isroutine(self.value)

    @property
    def says(self) -> str:
        """The first sentence of its docstring."""
        text = str(self.value.__doc__) if self.is_code else _string_after(self.module, self.name)
        first = inspect.cleandoc(text).split("\n\n")[0].replace("\n", " ")
        return first.partition(": ")[0] + "." if len(first) > 120 and ": " in first else first


@cache
def entries() -> dict[str, tuple[Entry, ...]]:
    """Return the public names by topic; each thing once, where it is met first."""
    met: set[int] = set()
    return {topic: tuple(_of_topic(names, met)) for topic, names in TOPICS.items()}


def _of_topic(names: tuple[str, ...], met: set[int]) -> Iterator[Entry]:
    for offered in names:
        value = getattr(tk, offered)
        listed = [offered] if not inspect.ismodule(value) else [one for one in value.__all__ if one[:2] != "__"]
        module = value if inspect.ismodule(value) else tk
        for name in listed:
            entry = Entry(module.__name__, name, getattr(module, name))
            if id(entry.value) not in met:
                met.add(id(entry.value))
                yield entry


@cache
def _pages() -> dict[str, Entry]:
    """Return the entries by every name under which they are offered."""
    found = {entry.full: entry for topic in entries().values() for entry in topic}
    by_value = {id(entry.value): entry for entry in found.values()}
    for namespace in ("", *NAMESPACES):
        module = getattr(tk, namespace) if namespace else tk
        for name in module.__all__:
            value = getattr(module, name)
            if id(value) in by_value:
                found.setdefault(".".join(filter(None, ("tiekit", namespace, name))), by_value[id(value)])
    return found


def navigation() -> list[dict[str, object]]:
    """Return the reference in the navigation: the tables, and the pages of each topic."""
    nav: list[dict[str, object]] = [{"All names": "reference/index.md"}]
    nav += [{topic: [{entry.name: entry.file} for entry in found]} for topic, found in entries().items()]
    return nav


def pages() -> dict[str, str]:
    """Write the page of tables, and that of each name, by file."""
    found = {entry.file: _page(entry, topic) for topic, listed in entries().items() for entry in listed}
    return {"reference/index.md": _index(), **found}


def _index() -> str:
    """Write one table per topic, with one line per name."""
    parts = [
        "# Reference",
        "`import tiekit as tk`. Every name has a page of its own. Functions take an `EvalSet` and names of metrics, or "
        "arrays: first the human scores, then the metric's.",
    ]
    for topic, listed in entries().items():
        rows = [[f"[`{_short(entry)}`]({Path(entry.file).name})", _in_cell(entry.says)] for entry in listed]
        parts += [f"## {topic}", *_purpose_of(topic), table(["name", "what it is or does"], rows)]
    parts += ["## Types", "Signatures name these types:"]
    rows = [[f"`{name}`", f"`{_type(module, name)}`", _in_cell(_string_after(module, name))] for name, module in TYPES]
    parts += [table(["type", "is", "means"], rows)]
    return "\n\n".join(parts) + "\n"


def _purpose_of(topic: str) -> list[str]:
    """Return what the namespaces of a topic are for: the first paragraph of each."""
    spaces = [(name, getattr(tk, name)) for name in TOPICS[topic] if inspect.ismodule(getattr(tk, name))]
    return [f"`tiekit.{name}`: {_first(str(space.__doc__))}" for name, space in spaces]


def _first(text: str) -> str:
    return inspect.cleandoc(text).split("\n\n")[0].replace("\n", " ")


def _short(entry: Entry) -> str:
    return entry.full.replace("tiekit.", "tk.", 1)


def _in_cell(text: str) -> str:
    return text.replace("|", r"\|").replace("\n", " ").replace("``", "`")


def _type(module: str, name: str) -> str:
    """Return a type as its module writes it, for the cell of a table."""
    found = re.search(rf"^{name}(?:: TypeAlias)? = (.*)$", _source(module), re.MULTILINE)
    assert found is not None, name
    return found[1].replace("|", "or")


def _page(entry: Entry, topic: str) -> str:
    """Write the page of a name: mkdocstrings shows its docstring; the string after a constant says what it is."""
    parts = []
    if entry.is_code:
        options = f"heading: {entry.full}\n      heading_level: 1"
        if inspect.isclass(entry.value) and (inherited := _other_methods(entry.value)):
            options += f"\n      inherited_members: {inherited}"
        defined = getattr(entry.value, "__module__", entry.module)
        parts.append(f"::: {defined}.{entry.name}\n    options:\n      {options}")
    else:
        parts.append(f"# {entry.full}\n\n{_string_after(entry.module, entry.name)}")
    near = _neighbors(entry, topic)
    used = [f"[{title}](../{name})" for title, name in _guides(entry)]
    parts += [
        "## See also",
        f"- {topic}: {', '.join(near)}" if near else "",
        f"- [All names](index.md#{_slug(topic)})",
    ]
    parts += [f"- Guides: {', '.join(used)}"] if used else []
    return parts[0] + "\n\n" + "\n".join(part for part in parts[1:] if part).replace("also\n", "also\n\n") + "\n"


def _slug(topic: str) -> str:
    return topic.lower().replace(" ", "-")


def _neighbors(entry: Entry, topic: str) -> list[str]:
    """Link to the names of the topic that stand nearest."""
    listed = entries()[topic]
    place = listed.index(entry)
    start = max(0, min(place - MOST_BESIDE // 2, len(listed) - MOST_BESIDE - 1))
    near = [one for one in listed[start : start + MOST_BESIDE + 1] if one is not entry]
    return [f"[`{one.name}`]({Path(one.file).name})" for one in near]


def _guides(entry: Entry) -> list[tuple[str, str]]:
    """Return title and file of the pages that use a name."""
    used = re.compile(rf"\b(?:tk|tiekit)\.(?:\w+\.)?{entry.name}\b|`{entry.name}`")
    found = [(text.partition("\n")[0].removeprefix("# "), name) for name, text in guides().items() if used.search(text)]
    return found[:MOST_BESIDE]


def link_names(html: str, up: str, module: str = "") -> str:
    """Make links of public names in code: with ``tk.`` on every page; on a page of the reference also bare ones."""
    known = _pages()

    def link(found: re.Match[str]) -> str:
        name, whole = found[1], found[0]
        written = whole.removeprefix("<code>")
        tried = [f"tiekit.{name}"] if written.startswith(("tk.", "tiekit.")) else []
        tried += [f"{module}.{name}", f"tiekit.{name}"] if module else []
        entry = next((known[one] for one in tried if one in known), None)
        return whole if entry is None else f'<a href="{up}{entry.file.removesuffix(".md")}.html">{whole}</a>'

    parts = ANCHORED.split(html)
    return "".join(part if place % 2 else CODE.sub(link, part) for place, part in enumerate(parts))


def _other_methods(value: type) -> list[str]:
    """The public methods that tiekit gives a class in another one; those of all results have a page of their own."""
    others = [base for base in value.__mro__[1:] if base.__module__.startswith("tiekit.") and base not in OF_RESULTS]
    is_error = issubclass(value, Exception)
    return [name for base in others for name in vars(base) if not name.startswith("_") and not is_error]


def _source(module: str) -> str:
    """The text of a module, or of the stub that says where its names are."""
    file = Path(str(import_module(module).__file__))
    stub = file.with_suffix(".pyi")
    return (stub if stub.exists() else file).read_text(encoding="utf-8")


def _string_after(module: str, name: str) -> str:
    """Return what the string after a constant says; imports are followed to where it is given its value."""
    body = ast.parse(_source(module)).body
    for node, after in zip(body, [*body[1:], None], strict=True):
        if isinstance(node, ast.ImportFrom) and node.module and name in {alias.name for alias in node.names}:
            return _string_after(f"{module}.{node.module}" if node.level else node.module, name)
        named = {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
        if isinstance(node, ast.Assign | ast.AnnAssign) and name in named:
            match after:
                case ast.Expr(ast.Constant(str(text))):
                    return inspect.cleandoc(text)
    raise KeyError(f"{module}.{name} is a constant without a string after it that says what it is")
